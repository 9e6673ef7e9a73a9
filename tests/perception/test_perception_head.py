"""Where a head points, from where nose, eyes and ears are in the picture; and what a simulator's keypoints may say."""

import numpy as np
import pytest

from household.camera import CameraModel
from perception import facing, head
from perception.detectors.base import Joint, Keypoint
from perception.joints import KEPT, JointsByStamp

CAMERA = CameraModel.from_fov(320, 240, 80.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.25], [0.0, 0.0, 0.0, 1.0]])  # looks along +x
SPOTS = {Joint.NOSE: (0.066, 0.0, -0.022), Joint.LEFT_EYE: (0.045, 0.021, 0.0), Joint.RIGHT_EYE: (0.045, -0.021, 0.0),
         Joint.LEFT_EAR: (-0.025, 0.05, 0.0), Joint.RIGHT_EAR: (-0.025, -0.05, 0.0)}
SIGHTED = {0: "nose left_eye right_eye", 40: "nose left_eye right_eye left_ear", 90: "nose left_eye left_ear", 140: "left_ear", 180: "left_ear right_ear",
           -60: "nose left_eye right_eye right_ear", -120: "right_eye right_ear"}


def seen(camera_at, distance=2.5, height=1.7, pitch=0.0):
    """Keypoints of somebody straight ahead of a camera that looks along +x and stands ``camera_at`` degrees to the left of where they face."""
    yaw = np.pi - np.radians(camera_at)
    names = SIGHTED[camera_at].split()
    found = []
    for joint, (forward, left, up) in SPOTS.items():
        ahead, high = forward * np.cos(pitch) - up * np.sin(pitch), forward * np.sin(pitch) + up * np.cos(pitch)
        x = distance + height * (ahead * np.cos(yaw) - left * np.sin(yaw))
        y = height * (ahead * np.sin(yaw) + left * np.cos(yaw))
        if joint.value in names:
            found.append(Keypoint(joint, round(CAMERA.cx - CAMERA.fx * y / x), round(CAMERA.cy - CAMERA.fy * (0.32 + height * high) / x)))
    return tuple(found), yaw


def told(keypoints, distance=2.5, outline=CAMERA.cx):
    return head.likelihood(keypoints, CAMERA, POSE, np.array([distance, 0.0, 1.57]), 1.7, outline=outline)


@pytest.mark.parametrize("camera_at", sorted(SIGHTED))
@pytest.mark.parametrize("pitch", (0.0, -0.7))
def test_the_face_tells_where_the_head_points_level_or_bent(camera_at, pitch):
    keypoints, yaw = seen(camera_at, pitch=pitch)
    belief = facing.weighed(facing.uniform(), told(keypoints))
    said, _ = facing.read(belief)
    assert abs(np.degrees((said - yaw + np.pi) % (2 * np.pi) - np.pi)) < 20
    assert belief.sum() == pytest.approx(1.0)


def test_no_face_on_a_whole_outline_means_seen_from_behind():
    shoulder = (Keypoint(Joint.LEFT_SHOULDER, 150.0, 120.0),)
    behind = told(shoulder)
    assert behind[0] > 2 * behind[facing.BINS // 2]  # 0: away from a camera that looks along +x
    assert told(shoulder, outline=None) is None  # the head may be hidden
    assert told(()) is None  # this detector finds no keypoints at all


def test_rows_tell_a_bent_head():
    both = head.directions(seen(40, pitch=-0.8)[0], CAMERA, POSE, np.array([2.5, 0.0, 1.57]), 1.7, outline=CAMERA.cx)
    level = head.directions(seen(40)[0], CAMERA, POSE, np.array([2.5, 0.0, 1.57]), 1.7, outline=CAMERA.cx)
    assert both.sum(axis=1) @ head.PITCHES < -0.6 and level.sum(axis=1) @ head.PITCHES > -0.25


def test_doubtful_keypoints_do_not_count():
    keypoints = tuple(Keypoint(k.joint, k.u, k.v, 0.1) for k in seen(0)[0])
    assert told(keypoints) is None


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
