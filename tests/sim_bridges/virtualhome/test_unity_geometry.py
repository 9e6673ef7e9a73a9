"""Left-handed and right-handed: every conversion there and back, and every mirror refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_bridges import unity
from sim_bridges.neck import PITCH_LIMIT, YAW_LIMIT, Neck, eye_of, turned
from sim_bridges.tdw.graph import Frames
from tests.sim_bridges.doubles.stage import camera_pose

coordinates = st.tuples(*[st.floats(-20, 20)] * 3)
angles = st.floats(-3.1, 3.1)


@settings(max_examples=60, deadline=None)
@given(coordinates)
def test_points(p):
    np.testing.assert_allclose(unity.point_to_map(unity.point_to_unity(p)), p, atol=1e-12)
    x, y, z = p
    np.testing.assert_allclose(unity.point_to_map(p), (z, -x, y), atol=1e-12)
    np.testing.assert_allclose(unity.size_to_map(unity.size_to_unity(p)), np.abs(p), atol=1e-12)
    frames = Frames((4.5, 2.0))
    np.testing.assert_allclose(frames.to_map(frames.to_unity(p)), p, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(angles)
def test_headings_turn_the_other_way(yaw):
    """Unity turns clockwise seen from above, map counter-clockwise; both mean the same direction."""
    assert unity.yaw_to_map(unity.yaw_to_quaternion(yaw)) == pytest.approx(yaw, abs=1e-9)
    degrees = math.radians(unity.yaw_to_degrees(yaw))
    unity_forward = np.array([math.sin(degrees), 0.0, math.cos(degrees)])  # +z turned clockwise by the Euler angle
    np.testing.assert_allclose(unity.point_to_map(unity_forward), (math.cos(yaw), math.sin(yaw), 0), atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(coordinates, angles, st.floats(-1.4, 1.4))
def test_camera_matrices(position, yaw, pitch):
    pose = camera_pose(position, yaw, pitch)
    matrix = unity.gl_from_optical_pose(pose)
    np.testing.assert_allclose(unity.optical_pose_from_gl(matrix), pose, atol=1e-9)
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(-1)  # Unity's matrix itself mirrors: left-handed world, OpenGL camera


@settings(max_examples=60, deadline=None)
@given(coordinates, st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_poses_stay_rigid(position, quaternion):
    pose = unity.pose_to_map(position, quaternion)
    np.testing.assert_allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-9)
    assert np.linalg.det(pose[:3, :3]) == pytest.approx(1)


@pytest.mark.parametrize("matrix,words", [(np.diag([1.0, -1.0, 1.0, 1.0]), "mirrors"), (np.diag([2.0, 1.0, 1.0, 1.0]), "rigid"),
                                          (np.full((4, 4), np.nan), "rigid")])
def test_what_is_no_pose_is_refused(matrix, words):
    with pytest.raises(ValueError, match=words):
        unity.require_rotation(matrix, "it")


@settings(max_examples=60, deadline=None)
@given(coordinates, st.floats(0.01, 3.0))
def test_the_neck_keeps_its_limits_and_its_speed(goal, seconds):
    base = np.eye(4)
    before = Neck(-0.3, 0.2, -0.3, goal)
    after = turned(before, base, eye_of(base, 0.1, 1.3), 1.0, seconds)
    assert abs(after.yaw - before.yaw) <= seconds + 1e-9 and abs(after.pitch - before.pitch) <= seconds + 1e-9
    assert abs(after.yaw) <= YAW_LIMIT + 1e-9 and abs(after.pitch) <= PITCH_LIMIT + 1e-9
    settled = turned(before, base, eye_of(base, 0.1, 1.3), 1.0, 100.0)
    later = turned(settled, base, eye_of(base, 0.1, 1.3), 1.0, 1.0)
    assert (later.yaw, later.pitch) == pytest.approx((settled.yaw, settled.pitch), abs=1e-9)
