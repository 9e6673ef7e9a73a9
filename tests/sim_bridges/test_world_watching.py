"""How an idle robot keeps its eyes on people, and itself out of their way."""

import math

import pytest

from household.actions import parse
from household.scene_graph import ROBOT
from tests.sim_bridges.world_helpers import Doer, put_person, two_rooms, until


def _off_gaze(world, point):
    robot = world.state.robot
    wanted = math.atan2(point[1] - robot.position[1], point[0] - robot.position[0])
    return abs((robot.yaw + robot.head_yaw - wanted + math.pi) % (2 * math.pi) - math.pi)


def test_a_robot_that_steps_aside_keeps_its_eyes_on_what_it_looks_at():
    """For whom it makes way it goes on watching: backwards, where its neck would not reach."""
    world = two_rooms()
    x, y = world.nav.approach_point(world.pieces["fridge_1"])
    robot, body = world.state.robot, world.performers[ROBOT]
    robot.position, world.in_room[ROBOT] = (x, y), world._room_at((x, y))
    world.controllers = {"alice": Doer("walk(fridge_1)", "open(fridge_1)", "wait(4)")}
    off = []
    while world.time < 20.0:
        body.look((*world.state.people["alice"].position, 1.0))
        world.advance(0.1)
        off.append(_off_gaze(world, world.state.people["alice"].position))
    assert math.dist(robot.position, (x, y)) > 0.5
    assert max(off[30:]) < math.radians(45)  # she passes within arm's length


def test_a_robot_stopped_on_its_way_aside_stays_where_it_is_and_looks():
    """Somebody is in its way, and does not go."""
    world = two_rooms()
    robot, body = world.state.robot, world.performers[ROBOT]
    (x, y), robot.yaw = robot.position, 0.0
    body.walk_to = lambda spot, target: iter(lambda: None, 1)
    body._aside = body._there_and_back((x + 1.3, y))
    until(world, lambda: body.look((x - 2.0, y, 1.0)), 3.0)
    assert abs(robot.yaw) < 0.1
    until(world, lambda: body.look((x - 2.0, y, 1.0)), 4.0)
    assert abs((robot.yaw + robot.head_yaw + 2 * math.pi) % (2 * math.pi) - math.pi) < math.radians(30)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_camera_turns_to_what_is_behind_it_by_the_short_way_from_where_it_looks(side):
    """The head is turned to the one side and the goal lies behind, a little on the other side of the body: the camera sweeps over what somebody who passes by walks through."""
    world = two_rooms()
    robot, body = world.state.robot, world.performers[ROBOT]
    (x, y), robot.yaw, robot.head_yaw = robot.position, 0.0, side * math.radians(60)
    behind = side * math.radians(200)
    swept = []

    def looks():
        body.look((x + 2 * math.cos(behind), y + 2 * math.sin(behind), 1.0))
        swept.append((robot.yaw + robot.head_yaw) * side % (2 * math.pi))

    until(world, looks, 4.0)
    assert min(swept) > math.radians(55) and max(swept) < math.radians(205) and swept[-1] > math.radians(180)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_on_its_way_to_a_better_view_the_robot_keeps_its_eyes_on_what_it_looks_at(side):
    world = two_rooms()
    robot, body = world.state.robot, world.performers[ROBOT]
    spot = next(s for r in (1.2, 1.0, 0.8) for k in range(12)
                if world._room_at(s := (robot.position[0] + r * math.cos(k * math.pi / 6), robot.position[1] + r * math.sin(k * math.pi / 6))) == world.room_of(ROBOT)
                and world.nav.free(s, 0.4))
    way = [b - a for a, b in zip(robot.position, spot)]
    point = (robot.position[0] + 3 * side * way[0], robot.position[1] + 3 * side * way[1], 1.0)  # behind it, or ahead
    robot.yaw, off = math.atan2(side * way[1], side * way[0]), []

    def looks():
        body.look(point)
        body.stand(spot)
        off.append(_off_gaze(world, point))

    until(world, looks, 8.0)
    assert math.dist(robot.position, spot) <= 0.2 and max(off) < math.radians(40)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_what_falls_behind_on_the_way_to_a_better_view_is_not_turned_away_from(side):
    """Half-way its neck no longer reaches: it goes on backwards, and the turn to that goes past what it looks at."""
    world = two_rooms(change=[("alice: {at: [3.8, 1.0], facing: west}", "alice: {at: [0.8, 0.6], facing: west}"), ("david: {at: [7, 2], facing: west}", "david: {at: [1.6, 0.6], facing: west}"),
                              ("robot: {at: [4.2, 3.5], facing: 200}", "robot: {at: [6.0, 2.2], facing: 0}")])
    body, point, spot, off, course = world.performers[ROBOT], (6.1, 2.2 + side, 1.0), (8.1, 2.2), [], []

    def looks():
        body.look(point)
        body.stand(spot)
        off.append(_off_gaze(world, point))
        course.append(abs(world.state.robot.yaw))

    until(world, looks, 8.0)
    assert math.dist(world.state.robot.position, spot) <= 0.2 and course[0] < 0.5 and course[-1] > 2.5  # forwards, then backwards
    assert max(off[8:]) < math.radians(50)  # the first steps are for turning to it


def test_it_does_not_step_aside_to_where_somebody_is_going():
    """The robot is on David's way to a box; beside the box there is most room, and he is about to stand there."""
    world = two_rooms(change=[("robot: {at: [4.2, 3.5], facing: 200}", "robot: {at: [7.4, 2.8], facing: 200}"), ("david: {at: [7, 2], facing: west}", "david: {at: [6.4, 2.4], facing: west}")])
    robot, david, box = world.performers[ROBOT], world.performers["david"], world.locate("box_1")[:2]
    before = world.side_spot(robot, david)
    david.heading = "box_1"
    assert math.dist(before, box) < 1.5 <= math.dist(world.side_spot(robot, david), box)


def test_going_to_a_better_view_gives_in_to_an_order_and_to_staying():
    world = two_rooms()
    robot, body, began = world.state.robot, world.performers[ROBOT], world.state.robot.position
    spot = world.side_spot(body, world.performers["david"])
    until(world, lambda: body.stand(spot), 1.5)
    assert math.dist(robot.position, began) > 0.1
    body.stand(None)
    until(world, lambda: False, 0.3)
    stopped = robot.position
    until(world, lambda: False, 1.0)
    assert robot.position == stopped
    until(world, lambda: body.stand(spot), 0.5)
    body.start(parse("wait(60)"))
    until(world, lambda: False, 0.3)
    stopped = robot.position
    until(world, lambda: body.stand(spot), 2.0)
    assert robot.position == stopped


@pytest.mark.parametrize("busy", [False, True])
def test_an_idle_robot_draws_back_from_somebody_who_stands_near(busy):
    world = two_rooms()
    x, y = world.nav.approach_point(world.pieces["fridge_1"])
    put_person(world, "alice", x, y, 0)
    robot = world.state.robot
    robot.position, world.in_room[ROBOT] = (x + 0.7, y), world._room_at((x + 0.7, y))
    if busy:
        world.performers[ROBOT].start(parse("wait(60)"))
    until(world, lambda: False, 0.5)
    assert math.dist(robot.position, (x, y)) < 0.75  # not at once
    until(world, lambda: False, 4.0)
    assert (math.dist(robot.position, (x, y)) > 1.05) is not busy
