"""How the robot of a perception run behaves: as the one that the stack drives."""

import math

from evaluation.perception_run import _Head
from household.scene_graph import ROBOT, Entity, SceneGraph, Tracking
from tests.sim_bridges.world_helpers import two_rooms


def test_the_body_turns_to_somebody_whom_the_neck_does_not_reach():
    world, head = two_rooms(), _Head()
    robot = world.state.robot
    behind = robot.yaw + math.pi
    her = (robot.position[0] + 1.5 * math.cos(behind), robot.position[1] + 1.5 * math.sin(behind), 0.85)
    def off(): return abs((robot.yaw + robot.head_yaw - behind + math.pi) % (2 * math.pi) - math.pi)

    assert off() > math.radians(100)
    while world.time < 6.0:
        world.advance(0.2)
        at = (*robot.position, 0.5)
        me = Entity(ROBOT, "robot", at, (0.4, 0.4, 1.2), gaze_yaw=robot.yaw + robot.head_yaw, tracking=Tracking.VISIBLE, visible=True, last_seen=world.time)
        she = Entity("person_1", "person", (her[0] + 0.3 * math.sin(world.time), *her[1:]), (0.5, 0.4, 1.7), tracking=Tracking.VISIBLE, visible=True,
                     last_seen=world.time)
        head.turn(world, SceneGraph(world.time, {ROBOT: me, "person_1": she}), ())
    assert off() < math.radians(20)
