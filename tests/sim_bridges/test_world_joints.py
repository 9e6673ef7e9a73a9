"""The joints a perfect keypoint detector would find: only what the picture shows of a person."""

import numpy as np
import pytest

from household.camera import CameraModel
from perception.detectors.simulator import keypoints_of
from sim_bridges.embedded.figures_joints import FACE, in_view
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.model import RobotState
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

CAMERA = CameraModel.from_fov(320, 240, 80.0)


@pytest.fixture(scope="module")
def stage():
    home = load_home("maple")
    world = EmbeddedWorld(home, 0, {})
    return home, world, Renderer(home, shadows=False)


def found(stage, facing_camera, turn=0.0):
    home, world, renderer = stage
    person, other = home.people[0], world.state.people[home.people[1].id]
    room = next(r for r in home.rooms if r.cls == "livingroom")
    middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
    state = world.state.people[person.id]
    state.position, other.position = (middle[0] + 0.8, middle[1]), (-50.0, -50.0)
    state.yaw = state.head_yaw = (np.pi if facing_camera else 0.0) + turn
    pose = camera_pose_of(RobotState((middle[0] - 0.8, middle[1]), 0.0, 0.0, 0.0), home.robot)
    _, depth, ids = renderer.render(world.state, CAMERA, pose)
    return in_view(home, world.state, CAMERA, pose, ids, depth, renderer.instances), person.id, ids, renderer.instances


def test_a_face_seen_from_before_has_eyes_and_a_nose_and_from_behind_none(stage):
    joints, person, ids, instances = found(stage, True)
    names = {n for n, _, _ in joints[person]}
    assert {"nose", "left_eye", "right_eye", "left_shoulder", "right_shoulder"} <= names
    where = {n: u for n, u, _ in joints[person]}
    assert where["left_shoulder"] > where["right_shoulder"]  # who faces the camera has the left side on its right
    for _, u, v in joints[person]:
        around = ids[max(v - 1, 0):v + 2, max(u - 1, 0):u + 2]
        assert any(instances[i].entity == person for i in np.unique(around) if i in instances)
    behind, person, *_ = found(stage, False)
    names = {n for n, _, _ in behind[person]}
    assert not names & {"nose", "left_eye", "right_eye"} and "left_shoulder" in names and names & set(FACE)


def test_they_become_keypoints_without_depth(stage):
    joints, person, *_ = found(stage, True, turn=1.2)
    keypoints = keypoints_of(joints)[person]
    assert keypoints and all(k.depth is None and k.score == 1.0 and float(k.u).is_integer() for k in keypoints)
    with pytest.raises(ValueError, match="horn"):
        keypoints_of({person: (("horn", 1.0, 1.0),)})
