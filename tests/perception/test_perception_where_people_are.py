"""Where a body's axis is, and which way body and head face, from what shows of its surface: rendered figures from all sides."""

from dataclasses import replace

import numpy as np
import pytest

from household.camera import CameraModel
from perception import facing
from perception.config import PerceptionConfig
from perception.detectors.simulator import keypoints_of, segment
from perception.frame import FrameInput
from perception.lifting import lift
from perception.pose import estimate
from sim_bridges.embedded.figures_joints import in_view
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.model import RobotState
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

CAMERA = CameraModel.from_fov(640, 480, 70.0)
TURNS = np.arange(8) * np.pi / 4


@pytest.fixture(scope="module")
def seen():
    """yaw → (frame, detection with its joints, true position) of one figure 2 m away."""
    home = load_home("maple")
    world, renderer = EmbeddedWorld(home, 0, {}), Renderer(home, shadows=False)
    person, other = home.people[0], world.state.people[home.people[1].id]
    room = next(r for r in home.rooms if r.cls == "livingroom")
    middle = np.add(room.low, room.high) / 2
    state = world.state.people[person.id]
    state.position, other.position = (middle[0] + 1.0, middle[1]), (-50.0, -50.0)
    pose = camera_pose_of(RobotState((middle[0] - 1.0, middle[1]), 0.0, 0.0, -0.1), home.robot)
    table = {v: (i.entity, i.cls) for v, i in renderer.instances.items()}
    found = {}
    for turn in TURNS:
        state.yaw = state.head_yaw = float(turn)
        color, depth, ids = renderer.render(world.state, CAMERA, pose)
        joints = keypoints_of(in_view(home, world.state, CAMERA, pose, ids, depth, renderer.instances))
        one = next(d for d in segment(ids, table, joints, 0, 10) if d.identity == person.id)
        found[float(turn)] = FrameInput(0.0, color, depth, CAMERA, pose, None, (one,)), np.array(state.position)
    return found


def off(frame: FrameInput, true: np.ndarray, yaw: float) -> np.ndarray:
    """(2,) metres from where the axis is to where it is said to be; ``yaw`` the body is known to have."""
    belief = facing.updated(facing.uniform(), [facing.Cue(yaw, 60.0, 0.01)])
    one = lift(frame, PerceptionConfig())[0]
    return np.subtract(estimate(one, frame, belief, belief, np.zeros(2), 1.7).position, true)


@pytest.mark.parametrize("joints", (True, False))
def test_the_axis_is_behind_the_surface_from_every_side(seen, joints):
    errors = []
    for turn, (frame, true) in seen.items():
        d = frame.detections[0]
        shown = frame if joints else replace(frame, detections=(replace(d, keypoints=()),))
        errors.append(off(shown, true, turn))
    errors = np.array(errors)
    assert np.hypot(*errors.T).max() < 0.09 and np.median(np.hypot(*errors.T)) < 0.05
    assert np.abs(errors.mean(axis=0)).max() < 0.04  # neither towards the camera nor to a side on the whole


def test_a_joint_that_knows_its_own_depth_is_taken_where_it_is(seen):
    frame, true = seen[float(np.pi)]
    d = frame.detections[0]
    hips = [k for k in d.keypoints if k.joint.name.endswith("HIP")]
    assert len(hips) == 2
    away = float((np.array([*true, 1.0]) - frame.camera_pose[:3, 3]) @ frame.camera_pose[:3, 2])
    deep = replace(d, keypoints=tuple(replace(k, depth=away) for k in hips))
    assert np.linalg.norm(off(replace(frame, detections=(deep,)), true, np.pi)) < 0.05


def test_hips_far_from_the_trunk_were_not_made_out(seen):
    frame, true = seen[float(np.pi)]
    d = frame.detections[0]
    wild = replace(d, keypoints=tuple(replace(k, depth=float(frame.depth[int(k.v), int(k.u)]) + 0.6) for k in d.keypoints if k.joint.name.endswith("HIP")))
    assert np.linalg.norm(off(replace(frame, detections=(wild,)), true, np.pi)) < 0.09


def test_one_look_tells_which_way_body_and_head_face_without_any_joint(seen):
    """By the shipped net, of a figure that it was not taught on."""
    errors = []
    for turn, (frame, true) in seen.items():
        bare = replace(frame, detections=(replace(frame.detections[0], keypoints=()),))
        pose = estimate(lift(bare, PerceptionConfig())[0], bare, facing.uniform(), facing.uniform(), np.zeros(2), 1.7)
        errors.append([abs((yaw - turn + np.pi) % (2 * np.pi) - np.pi) for yaw in (pose.yaw, pose.head_yaw)])
    assert np.degrees(np.median(errors)) < 4 and np.degrees(np.max(errors)) < 12
