"""Poses at an image's own stamp: interpolation, trees, and the three different ways of not having one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household import transforms as tf

IDENTITY = (0.0, 0.0, 0.0, 1.0)


def yaw(angle):
    return (0.0, 0.0, float(np.sin(angle / 2)), float(np.cos(angle / 2)))


def moving():
    buffer = tf.TransformBuffer(history=5.0)
    buffer.set("map", "odom", 0.0, (10, 0, 0), IDENTITY, static=True)
    for stamp in (1.0, 2.0, 3.0):
        buffer.set("odom", "base_link", stamp, (stamp, 0, 0), yaw(stamp * 0.4))
    buffer.set("base_link", "camera", 0.0, (0.1, 0, 1.2), IDENTITY, static=True)
    return buffer


def test_pose_between_two_samples():
    pose = moving().lookup("map", "camera", 1.5)
    expected = np.array([10 + 1.5 + 0.1 * np.cos(0.6), 0.1 * np.sin(0.6), 1.2])
    np.testing.assert_allclose(pose[:3, 3], expected, atol=1e-12)
    np.testing.assert_allclose(pose[:2, 0], [np.cos(0.6), np.sin(0.6)], atol=1e-12)


def test_inverse_direction_and_identity():
    buffer = moving()
    np.testing.assert_allclose(buffer.lookup("camera", "map", 2.2) @ buffer.lookup("map", "camera", 2.2), np.eye(4), atol=1e-12)
    np.testing.assert_array_equal(buffer.lookup("camera", "camera", 99.0), np.eye(4))


def test_siblings_meet_at_their_common_ancestor():
    buffer = moving()
    buffer.set("base_link", "hand", 0.0, (0.5, 0, 0.8), IDENTITY, static=True)
    # neither map → odom nor odom → base_link is needed, so the stamp may lie anywhere
    np.testing.assert_allclose(buffer.lookup("camera", "hand", 1e6)[:3, 3], [0.4, 0, -0.4], atol=1e-12)


@pytest.mark.parametrize("stamp,error,words", [(3.5, tf.InFuture, ["0.500 s older", "base_link"]), (0.4, tf.TooOld, ["0.600 s newer"])])
def test_outside_the_samples(stamp, error, words):
    with pytest.raises(error) as caught:
        moving().lookup("map", "camera", stamp)
    assert all(w in str(caught.value) for w in words)


def test_newest_when_no_stamp_is_given():
    assert moving().lookup("odom", "base_link", None)[0, 3] == 3.0


def test_unknown_and_unconnected():
    buffer = moving()
    with pytest.raises(tf.UnknownFrame, match="'lidar'.*base_link"):
        buffer.lookup("map", "lidar", 1.5)
    buffer.set("world", "other", 0.0, (0, 0, 0), IDENTITY, static=True)
    with pytest.raises(tf.NotConnected, match="'map' and 'world'"):
        buffer.lookup("base_link", "other", 1.5)


def test_history_is_bounded_and_old_samples_go():
    buffer = tf.TransformBuffer(history=1.0, limit=50)
    for i in range(1000):
        buffer.set("map", "base_link", i * 0.01, (i, 0, 0), IDENTITY)
    with pytest.raises(tf.TooOld):
        buffer.lookup("map", "base_link", 8.0)
    assert buffer.lookup("map", "base_link", 9.745)[0, 3] == pytest.approx(974.5)
    with pytest.raises(tf.TooOld):  # 50 samples × 0.01 s
        buffer.lookup("map", "base_link", 9.4)


def test_late_samples_are_sorted_in_and_repeats_replace():
    buffer = tf.TransformBuffer()
    for stamp, x in ((1.0, 1.0), (3.0, 3.0), (2.0, 5.0), (3.0, 4.0)):
        buffer.set("/map", "base_link", stamp, (x, 0, 0), IDENTITY)
    assert buffer.lookup("map", "base_link", 2.5)[0, 3] == pytest.approx(4.5)


def test_bad_input():
    buffer = moving()
    with pytest.raises(ValueError, match="loop"):
        buffer.set("camera", "map", 0.0, (0, 0, 0), IDENTITY)
    with pytest.raises(ValueError, match="finite"):
        buffer.set("map", "x", 0.0, (np.nan, 0, 0), IDENTITY)
    with pytest.raises(ValueError, match="rotation"):
        buffer.set("map", "x", 0.0, (0, 0, 0), (0, 0, 0, 0))
    with pytest.raises(ValueError, match="left-handed"):
        buffer.set_matrix("map", "x", 0.0, np.diag([1.0, 1.0, -1.0, 1.0]))


def test_clear_keeps_what_never_moves():
    buffer = moving()
    buffer.clear()
    assert buffer.lookup("base_link", "camera", 5.0)[2, 3] == 1.2
    with pytest.raises(tf.NotConnected):
        buffer.lookup("odom", "base_link", 2.0)


@settings(max_examples=80, deadline=None)
@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternion_round_trip(q):
    q = np.array(q) / np.linalg.norm(q)
    matrix = tf.matrix_from((1, 2, 3), tuple(q))
    np.testing.assert_allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-9)
    np.testing.assert_allclose(tf.matrix_from((1, 2, 3), tf.quaternion_of(matrix)), matrix, atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 1))
def test_slerp_turns_evenly_about_one_axis(a, b, share):
    q = tf.slerp(np.array(yaw(a)), np.array(yaw(b)), share)
    between = tf.matrix_from((0, 0, 0), tuple(q))
    difference = (b - a + np.pi) % (2 * np.pi) - np.pi
    if abs(abs(difference) - np.pi) > 1e-3:  # opposite headings: either way round is right
        angle = a + share * difference
        np.testing.assert_allclose(between[:2, 0], [np.cos(angle), np.sin(angle)], atol=1e-4)
