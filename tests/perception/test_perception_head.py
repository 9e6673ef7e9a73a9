"""Where a head points, from the columns of nose, eyes and ears; and what a simulator's keypoints may say."""

import numpy as np
import pytest

from household.camera import CameraModel
from perception import facing, head
from perception.detectors.base import Joint, Keypoint
from perception.joints import KEPT, JointsByStamp

CAMERA = CameraModel.from_fov(320, 240, 80.0)
SPOTS = {Joint.NOSE: (0.066, 0.0), Joint.LEFT_EYE: (0.045, 0.021), Joint.RIGHT_EYE: (0.045, -0.021), Joint.LEFT_EAR: (-0.025, 0.05),
         Joint.RIGHT_EAR: (-0.025, -0.05)}
SIGHTED = {0: "nose left_eye right_eye", 40: "nose left_eye right_eye left_ear", 90: "nose left_eye left_ear", 140: "left_ear", 180: "left_ear right_ear",
           -60: "nose left_eye right_eye right_ear", -120: "right_eye right_ear"}


def seen(camera_at, distance=2.5, height=1.7):
    """Keypoints of somebody straight ahead of a camera that looks along +x and stands ``camera_at`` degrees to the left of where they face."""
    yaw = np.pi - np.radians(camera_at)
    names = SIGHTED[camera_at].split()
    found = []
    for joint, (forward, left) in SPOTS.items():
        y = height * (forward * np.sin(yaw) + left * np.cos(yaw))
        if joint.value in names:
            found.append(Keypoint(joint, round(CAMERA.cx - CAMERA.fx * y / distance), 80.0))
    return tuple(found), yaw


@pytest.mark.parametrize("camera_at", sorted(SIGHTED))
def test_the_columns_of_the_face_tell_where_the_head_points(camera_at):
    keypoints, yaw = seen(camera_at)
    belief = facing.weighed(facing.uniform(), head.likelihood(keypoints, CAMERA, 0.0, 2.5, 1.7, outline=CAMERA.cx))
    said, _ = facing.read(belief)
    assert abs(np.degrees((said - yaw + np.pi) % (2 * np.pi) - np.pi)) < 20
    assert belief.sum() == pytest.approx(1.0)


def test_no_face_on_a_whole_outline_means_seen_from_behind():
    shoulder = (Keypoint(Joint.LEFT_SHOULDER, 150.0, 120.0),)
    behind = head.likelihood(shoulder, CAMERA, 0.0, 2.5, outline=CAMERA.cx)
    assert behind[0] > 2 * behind[facing.BINS // 2]  # 0: away from a camera that looks along +x
    assert head.likelihood(shoulder, CAMERA, 0.0, 2.5, outline=None) is None  # the head may be hidden
    assert head.likelihood((), CAMERA, 0.0, 2.5, outline=CAMERA.cx) is None  # this detector finds no keypoints at all


def test_doubtful_keypoints_do_not_count():
    keypoints = tuple(Keypoint(k.joint, k.u, k.v, 0.1) for k in seen(0)[0])
    assert head.likelihood(keypoints, CAMERA, 0.0, 2.5, outline=CAMERA.cx) is None


def test_joints_wait_for_the_picture_of_their_stamp_and_are_bounded():
    kept = JointsByStamp()
    kept.add('{"stamp": 1.2, "people": {"alice": [["nose", 100, 80]]}}')
    assert kept.at(1.2)["alice"] == (Keypoint(Joint.NOSE, 100.0, 80.0),) and kept.at(1.4) is None
    for i in range(KEPT):
        kept.add(f'{{"stamp": {2 + i}, "people": {{}}}}')
    assert kept.at(1.2) is None and kept.at(2.0) == {}


@pytest.mark.parametrize("text", ["[]", "{", '{"stamp": 1}', '{"stamp": 1, "people": {"alice": [["horn", 1, 2]]}}', '{"stamp": 1, "people": 3}'])
def test_joints_of_another_shape_are_refused(text):
    with pytest.raises(ValueError):
        JointsByStamp().add(text)
