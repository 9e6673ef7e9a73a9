"""Looking again, more closely: where, how large, and what becomes of what both looks saw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.camera import CameraModel
from perception.detectors import closer
from perception.detectors.base import Joint
from perception.detectors.rgbd import Header, RgbdConfig, RgbdDetector

CAMERA = CameraModel.from_fov(640, 480, 70)
NAMES = ("apple", "orange", "kitchentable", "person")

boxes = st.tuples(st.floats(0, 600), st.floats(0, 440), st.floats(4, 640), st.floats(4, 480)).map(
    lambda b: (b[0], b[1], min(640.0, b[0] + b[2]), min(480.0, b[1] + b[3])))
points = st.tuples(st.floats(0, 639), st.floats(0, 479), st.floats(0.01, 1.2))


@given(st.lists(boxes, max_size=4), st.lists(points, max_size=8), st.floats(0.1, 4.0))
def test_regions_lie_in_the_picture_enlarge_it_and_keep_to_the_budget(bodies, small, budget):
    made = closer.regions(bodies, small, CAMERA, (640, 480), budget)
    for r in made:
        assert r.left >= 0 and r.top >= 0 and r.left + r.width <= 640 and r.top + r.height <= 480 and min(r.width, r.height) > 0
        assert all(s % closer.CELL == 0 and s > 0 for s in r.size)
    spent = sum(r.size[0] * r.size[1] for r in made)
    rounding = sum(2 * closer.CELL * (r.size[0] + r.size[1]) for r in made)
    assert spent <= budget * 640 * 480 + rounding


def test_somebody_across_the_room_is_looked_at_twice_as_large_with_what_their_arms_reach():
    (r,) = closer.regions([(300, 120, 360, 320)], [], CAMERA, (640, 480), 1.0)
    assert r.holds((270, 115, 390, 315)) and r.size[1] / r.height == pytest.approx(2.0, abs=0.02) and r.size[0] / r.width == pytest.approx(2.0, abs=0.02)


def test_who_fills_the_picture_is_not_looked_at_again_and_the_budget_goes_to_small_things():
    (r,) = closer.regions([(100, 0, 400, 480)], [(500, 100, 0.5), (510, 110, 0.5), (100, 400, 0.6)], CAMERA, (640, 480), 1.0)
    assert r.holds((500, 100, 510, 110)) and not r.holds((100, 400, 100, 400)) and r.size == (640, 480) and (r.width, r.height) == (320, 240)


def test_of_a_picture_larger_than_the_network_s_input_what_is_there_is_shown():
    """As large in the picture as they were in the smaller one: up to three times what the first look saw."""
    twice = CameraModel.from_fov(1280, 960, 70)
    (r,) = closer.regions([(600, 240, 660, 400)], [], twice, (640, 480), 1.0)
    assert r.size[1] / r.height == pytest.approx(1.5, abs=0.02)
    (r,) = closer.regions([(400, 100, 700, 800)], [], twice, (640, 480), 1.0)
    assert 0.65 <= r.size[1] / r.height < 1.0


def test_without_people_and_without_small_things_nobody_looks_again():
    assert closer.regions([], [], CAMERA, (640, 480), 1.0) == []


def test_a_pixel_of_a_region_is_seen_in_the_direction_it_has_in_the_whole_picture():
    r = closer.Region(100, 50, 320, 240, (640, 480))
    own = r.camera(CAMERA)
    assert ((7 - own.cx) / own.fx, (9 - own.cy) / own.fy) == pytest.approx(((107 - CAMERA.cx) / CAMERA.fx, (59 - CAMERA.cy) / CAMERA.fy))


def test_larger_pictures_are_looked_at_more_and_smaller_ones_no_less():
    assert closer.budget_of(0.7, CAMERA, (640, 480)) == pytest.approx(0.7)
    assert closer.budget_of(0.7, CameraModel.from_fov(1280, 960, 70), (640, 480)) == pytest.approx(1.4)
    assert closer.budget_of(0.7, CameraModel.from_fov(320, 240, 70), (640, 480)) == pytest.approx(0.7)


def test_what_the_edge_of_a_region_cuts_off_is_not_believed_unless_it_is_the_picture_s_edge():
    inner, corner = closer.Region(100, 50, 320, 240, (640, 480)), closer.Region(0, 0, 320, 240, (640, 480))
    cut_off = np.array([0.0, 100.0, 40.0, 140.0])
    assert not inner.whole(cut_off, CAMERA) and corner.whole(cut_off, CAMERA) and inner.whole(np.array([10.0, 100.0, 40.0, 140.0]), CAMERA)


def test_each_thing_is_matched_once_by_the_box_that_fits_best():
    first = [(0.0, 0.0, 10.0, 10.0), (50.0, 50.0, 60.0, 60.0)]
    assert closer.matched(first, [(3.0, 0.0, 13.0, 10.0), (0.0, 0.0, 10.0, 11.0), (80.0, 80.0, 90.0, 90.0)]) == [None, 0, None]


def _network(whole, enlarged):
    """Answers (box, class, score) for the first look, and for enlarged parts by their size; masks fill their boxes."""
    calls = []

    def run(rgb, geometry):
        h, w = rgb.shape[2:]
        calls.append((w, h))
        said = whole if len(calls) == 1 else enlarged
        boxes, names, masks = np.zeros((1, 50, 4), np.float32), np.zeros((1, len(NAMES), 50), np.float32), np.zeros((1, 8, 50), np.float32)
        prototypes = np.full((1, 8, h // 4, w // 4), -5.0, np.float32)
        for k, (box, cls, score) in enumerate(said):
            boxes[0, k], names[0, NAMES.index(cls), k], masks[0, k, k] = box, score, 1.0
            x0, y0, x1, y1 = (round(v / 4) for v in box)
            prototypes[0, k, y0:y1, x0:x1] = 5.0
        return [boxes, names, masks, prototypes, np.zeros((1, 1, h // 4, w // 4), np.float32)]

    return run, calls


def _detect(whole, enlarged, any_size=True, **config):
    run, calls = _network(whole, enlarged)
    found = RgbdDetector(Header(NAMES, (640, 480), (Joint.NOSE,), any_size), run, None, RgbdConfig(**config)).detect(
        np.zeros((480, 640, 3), np.uint8), None, CAMERA)
    return found, calls


SOMEBODY = ((300, 120, 360, 320), "person", 0.9)  # looked at again from (256, 108) to (404, 320)-ish, twice as large


def _in_region(box):
    (r,) = closer.regions([SOMEBODY[0]], [], CAMERA, (640, 480), 1.0)
    kx, ky = r.size[0] / r.width, r.size[1] / r.height
    return tuple((v - o) * k for v, o, k in zip(box, (r.left, r.top) * 2, (kx, ky, kx, ky)))


def test_what_only_the_closer_look_sees_in_a_hand_is_there_in_pixels_of_the_whole_picture():
    held = (356, 200, 368, 212)
    found, calls = _detect([SOMEBODY], [(_in_region(held), "apple", 0.7)], closer=1.0)
    apple = next(d for d in found if d.cls == "apple")
    assert len(calls) == 2 and np.abs(np.array(apple.box) - held).max() <= 3 and apple.score == pytest.approx(0.7)


def test_what_both_looks_saw_is_told_once_by_the_mean_of_both():
    held = (352, 200, 376, 224)
    found, _ = _detect([SOMEBODY, (held, "orange", 0.6)], [(_in_region(held), "apple", 0.8)], closer=1.0)
    (thing,) = [d for d in found if d.cls != "person"]
    assert thing.cls == "apple" and dict(thing.names)["apple"] == pytest.approx(0.4 / 0.7, abs=0.01)


def test_what_only_the_closer_look_sees_where_nobody_is_counts_less():
    near, small = (100, 100, 112, 112), (120, 100, 132, 112)
    (r,) = closer.regions([], [(106, 106, 0.5)], CAMERA, (640, 480), 1.0)
    seen = tuple((v - o) * 2 for v, o in zip(small, (r.left, r.top) * 2))
    found, _ = _detect([(near, "apple", 0.7)], [(seen, "orange", 0.7)], closer=1.0)
    assert {d.cls: round(d.score, 2) for d in found} == {"apple": 0.7, "orange": 0.42}


def test_furniture_and_people_are_told_by_the_first_look_alone():
    found, _ = _detect([SOMEBODY], [((40, 40, 120, 300), "kitchentable", 0.9), ((40, 40, 120, 300), "person", 0.9)], closer=1.0)
    assert [d.cls for d in found] == ["person"]


@pytest.mark.parametrize("any_size, budget", [(False, 1.0), (True, 0.0)])
def test_weights_of_one_size_and_no_budget_look_once(any_size, budget):
    _, calls = _detect([SOMEBODY], [], any_size, closer=budget)
    assert calls == [(640, 480)]


@pytest.mark.parametrize("box", [(300, 120, 360, 320), (10, 10, 60, 460), (500, 200, 560, 470)])
def test_on_a_gpu_closer_looks_have_few_sizes_and_leave_nothing_of_a_body_out(box):
    (r,) = closer.regions([box], [], CAMERA, (640, 480), 1.0, closer.COARSE)
    assert all(side % closer.COARSE == 0 for side in r.size)
    (fine,) = closer.regions([box], [], CAMERA, (640, 480), 1.0)
    assert r.width >= fine.width - closer.CELL and r.height >= fine.height - closer.CELL
