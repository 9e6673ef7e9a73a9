"""What the network is shown, and how labelled images are varied."""

import numpy as np
import pytest

from household.camera import CameraModel
from perception.detectors.base import Joint
from perception.detectors.light_crops import CHANNELS, FACTS, SIDE, View
from perception.detectors.light_features import GEOMETRY, find_floor, floor_of_pose, inputs
from perception.detectors.light_groups import GROUPS
from perception.training.augment import AugmentConfig, augmented, cropped, flipped, resized
from perception.training.dataset import targets
from perception.training.shards import INDEX, LabelledImage

CAMERA = CameraModel.from_fov(160, 120, 75)


def plane(height, pitch, camera=CAMERA, wall=None):
    """Depth of a floor (and a wall ``wall`` metres ahead) from a camera ``height`` up that looks up by ``pitch``; and its pose."""
    right, forward = np.array([0.0, -1.0, 0.0]), np.array([np.cos(pitch), 0.0, np.sin(pitch)])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[2, 3] = right, np.cross(forward, right), forward, height
    v, u = np.mgrid[:camera.height, :camera.width]
    rays = np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(u.shape)], -1) @ pose[:3, :3].T
    with np.errstate(divide="ignore"):
        down = np.where(rays[..., 2] < -1e-6, -height / rays[..., 2], np.inf)
    z = down if wall is None else np.minimum(down, wall / rays[..., 0])
    return np.where(z < 8, z, 0).astype(np.float32), pose


@pytest.mark.parametrize("height, pitch", [(0.8, -0.5), (1.25, -0.25), (1.6, -0.7), (1.0, -0.05)])
def test_the_floor_is_found_from_depth_alone(height, pitch):
    depth, pose = plane(height, pitch, wall=3.0)
    depth += np.random.default_rng(0).normal(0, 1, depth.shape).astype(np.float32) * 0.0025 * depth ** 2
    found = find_floor(depth, CAMERA)
    assert found.height == pytest.approx(height, abs=0.05)
    assert np.degrees(np.arccos(found.up @ floor_of_pose(pose).up)) < 2.0


def test_no_floor_where_none_shows():
    assert find_floor(np.full((120, 160), 1.5, np.float32), CAMERA) is None
    assert find_floor(np.zeros((120, 160), np.float32), CAMERA) is None


def test_the_floor_has_height_zero_and_lies():
    depth, pose = plane(1.2, -0.5)
    _, geometry = inputs(np.zeros((120, 160, 3), np.uint8), depth, CAMERA, (160, 128), floor_of_pose(pose))
    g = dict(zip(GEOMETRY, geometry))
    inner = np.s_[30:-6, 6:-6]
    assert np.abs(g["height"][inner]).max() < 0.02 and g["normal_up"][inner].min() > 0.97 and g["floor_known"].min() == 1


def test_without_depth_there_is_no_geometry():
    color = np.full((120, 160, 3), 255, np.uint8)
    rgb, geometry = inputs(color, None, CAMERA, (160, 128), None)
    assert rgb.shape == (3, 128, 160) and rgb.max() == 1.0 and geometry.shape == (7, 64, 80) and not geometry.any()
    assert np.isfinite(inputs(color, np.full((120, 160), np.nan, np.float32), CAMERA, (160, 128), None)[1]).all()


def labelled():
    rng = np.random.default_rng(3)
    ids = np.zeros((120, 160), np.uint16)
    ids[40:60, 30:50], ids[70:110, 90:120] = 5, 9
    depth, pose = plane(1.2, -0.4)
    return LabelledImage(rng.integers(0, 255, (120, 160, 3), dtype=np.uint8), depth, ids, {5: ("apple_1", "apple"), 9: ("alice", "person")},
                         CAMERA, pose, {9: {Joint.LEFT_WRIST: (95.0, 80.0), Joint.NOSE: (105.0, 72.0)}})


def test_a_mirror_image_swaps_left_and_right_and_keeps_gravity():
    one = labelled()
    other = flipped(one)
    assert set(other.joints[9]) == {Joint.RIGHT_WRIST, Joint.NOSE} and other.joints[9][Joint.RIGHT_WRIST] == (64.0, 80.0)
    assert other.ids[45, 159 - 35] == 5
    found = find_floor(other.depth, other.camera)
    assert found.height == pytest.approx(1.2, abs=0.03) and floor_of_pose(other.pose).up == pytest.approx(found.up, abs=0.03)
    twice = flipped(other)
    assert np.array_equal(twice.color, one.color) and twice.camera == one.camera and np.allclose(twice.pose, one.pose) and twice.joints == one.joints


def test_a_crop_keeps_every_ray():
    one = labelled()
    part = cropped(one, 20, 30, 100, 80)
    c, d = one.camera, part.camera
    assert (95 - c.cx) / c.fx == pytest.approx((75 - d.cx) / d.fx) and (80 - c.cy) / c.fy == pytest.approx((50 - d.cy) / d.fy)
    assert part.joints[9][Joint.LEFT_WRIST] == (75.0, 50.0) and part.ids[15, 15] == one.ids[45, 35]
    assert find_floor(part.depth, d).height == pytest.approx(1.2, abs=0.03)
    with pytest.raises(ValueError, match="not within 160×120"):
        cropped(one, 100, 0, 100, 50)


def test_offsets_point_at_the_centre_and_small_things_weigh_more():
    t = targets(labelled(), (160, 128))
    thing, person = GROUPS.index("thing"), GROUPS.index("person")
    r, c = np.nonzero(t["group"] == thing)
    assert len(r) and np.ptp(r + t["offset"][0, r, c]) < 1e-3 and np.ptp(c + t["offset"][1, r, c]) < 1e-3
    peak = (int(round((r + t["offset"][0, r, c])[0])), int(round((c + t["offset"][1, r, c])[0])))
    assert t["centre"][thing - 1][peak] == 1.0 and t["centre"][person - 1][peak] < 0.1
    body = tuple(x[0] for x in np.nonzero(t["group"] == person))
    assert t["weight"][r[0], c[0]] > t["weight"][body] > t["weight"][0, 0] and t["pull"][r[0], c[0]] > t["pull"][body] > t["pull"][0, 0] == 0
    assert (t["centre"] == 1.0).sum() == 2 and (t["joints"] == 1.0).sum() == 2
    assert set(np.unique(t["name"])) == {0, INDEX["apple"], INDEX["person"]} and t["name"].shape == (16, 20)


def test_a_smaller_picture_keeps_every_ray_and_every_depth():
    one = labelled()
    small = resized(one, 80, 60)
    c, d = one.camera, small.camera
    at, there = one.joints[9][Joint.LEFT_WRIST], small.joints[9][Joint.LEFT_WRIST]
    assert (at[0] - c.cx) / c.fx == pytest.approx((there[0] - d.cx) / d.fx) and (at[1] - c.cy) / c.fy == pytest.approx((there[1] - d.cy) / d.fy)
    assert set(np.unique(small.depth)) <= set(np.unique(one.depth)) and set(np.unique(small.ids)) == {0, 5, 9}
    assert find_floor(small.depth, d).height == pytest.approx(1.2, abs=0.05) and resized(one, 160, 120) is one


def test_a_cut_shows_its_object_whole_and_tells_its_size_in_metres():
    """A ball of 0.2 m seen from two metres, and half as large in the picture from four."""
    facts = {}
    for z in (2.0, 4.0):
        side = int(round(0.2 / z * CAMERA.fx))
        depth, pose = plane(1.2, 0.0, wall=z + 1.0)
        color, top, left = np.zeros((120, 160, 3), np.uint8), 50, 70
        color[top:top + side, left:left + side] = 255
        depth[top:top + side, left:left + side] = z
        view = View(color, depth, CAMERA, floor_of_pose(pose))
        picture, values = view.crop(np.ones((side, side), bool), left, top)
        assert picture.shape == (CHANNELS, SIDE, SIDE) and picture[3, SIDE // 2, SIDE // 2] == 1.0 and picture[3, 0, 0] == 0.0
        assert picture[0, SIDE // 2, SIDE // 2] > 0.9 and picture[0, 2, 2] < -0.9 and picture[4, SIDE // 2, SIDE // 2] == pytest.approx(0.0)
        facts[z] = dict(zip(FACTS, values))
    for name in ("log_width", "log_height", "log_area"):
        assert facts[2.0][name] == pytest.approx(facts[4.0][name], abs=0.25)
    assert np.exp(facts[2.0]["log_width"] - 1.0) == pytest.approx(0.2, abs=0.03) and facts[2.0]["distance"] < facts[4.0]["distance"]
    blind = dict(zip(FACTS, View(np.zeros((120, 160, 3), np.uint8), None, CAMERA, None).crop(np.ones((5, 5), bool), 0, 0)[1]))
    assert blind["has_depth"] == blind["floor_known"] == blind["log_width"] == 0.0 and blind["cut_left_right"] == 1.0


def test_variations_depend_on_the_generator_alone_and_keep_labels_together():
    one = labelled()
    a, b = (augmented(one, np.random.default_rng(7), AugmentConfig(), 5) for _ in range(2))
    assert np.array_equal(a.color, b.color) and np.array_equal(a.depth, b.depth) and a.camera == b.camera
    assert a.color.shape[:2] == a.depth.shape == a.ids.shape == (a.camera.height, a.camera.width)
    assert np.array_equal(one.color, labelled().color)
