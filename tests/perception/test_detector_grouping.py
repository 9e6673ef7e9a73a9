"""Dense maps → instances, on maps made by hand."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from perception.detectors.light_grouping import GroupingConfig, centres, group

NAMES = ("background", "apple", "mug", "kitchentable")
H, W = 60, 80


def maps(*things):
    """``things``: (class, row0, row1, column0, column1, with a centre)."""
    label, heat, offset = np.zeros((H, W), np.int64), np.zeros((H, W), np.float32), np.zeros((2, H, W), np.float32)
    for cls, r0, r1, c0, c1, peak in things:
        label[r0:r1, c0:c1] = cls
        r, c = (r0 + r1 - 1) / 2, (c0 + c1 - 1) / 2
        rows, columns = np.mgrid[r0:r1, c0:c1]
        offset[0, r0:r1, c0:c1], offset[1, r0:r1, c0:c1] = r - rows, c - columns
        if peak:
            heat[int(r), int(c)] = 0.9
    return label, np.full((H, W), 0.8, np.float32), heat, offset


def test_two_apples_side_by_side_stay_two():
    found = group(*maps((1, 10, 20, 10, 20, True), (1, 10, 20, 20, 30, True)), NAMES)
    assert sorted((i.cls, i.left, i.mask.shape, int(i.mask.sum())) for i in found) == [(1, 10, (10, 10), 100), (1, 20, (10, 10), 100)]


def test_an_apple_on_a_table_is_not_the_table():
    found = group(*maps((3, 20, 50, 10, 70, True), (1, 24, 30, 20, 26, True)), NAMES)
    by = {i.cls: i for i in found}
    assert set(by) == {1, 3} and len(found) == 2
    assert int(by[1].mask.sum()) == 36 and int(by[3].mask.sum()) == 30 * 60 - 36


def test_an_object_whose_centre_was_missed_is_still_found_with_less_confidence():
    found = group(*maps((3, 20, 50, 10, 70, True), (2, 24, 30, 20, 26, False)), NAMES)
    by = {i.cls: i for i in found}
    assert set(by) == {2, 3} and by[2].score < 0.5 < by[3].score


def test_an_object_is_cut_where_depth_jumps():
    arrays = maps((1, 10, 20, 10, 30, True))
    depth = np.full((H, W), 1.0, np.float32)
    assert len(group(*arrays, NAMES, depth)) == 1
    depth[:, 22:] = 2.0
    cut = sorted(group(*arrays, NAMES, depth), key=lambda i: i.left)
    assert [(i.left, i.mask.shape) for i in cut] == [(10, (10, 12)), (22, (10, 8))] and cut[0].score > cut[1].score


def test_nothing_but_background_is_nothing():
    assert group(*maps(), NAMES) == []


def test_peaks_are_suppressed_around_the_best_and_capped():
    heat = np.zeros((20, 20), np.float32)
    heat[5, 5], heat[5, 6], heat[15, 15], heat[2, 17] = 0.9, 0.8, 0.5, 0.1
    assert centres(heat, GroupingConfig()).tolist() == [[5, 5], [15, 15]]
    assert centres(heat, GroupingConfig(most=1)).tolist() == [[5, 5]]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2 ** 31))
def test_masks_never_overlap_and_lie_on_things(seed):
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 4, (H, W)) * (rng.random((H, W)) < 0.6)
    found = group(label, rng.random((H, W)).astype(np.float32), rng.random((H, W)).astype(np.float32) ** 8,
                  rng.normal(0, 6, (2, H, W)).astype(np.float32), NAMES, rng.uniform(0, 5, (H, W)).astype(np.float32))
    times = np.zeros((H, W), int)
    for i in found:
        times[i.top:i.top + i.mask.shape[0], i.left:i.left + i.mask.shape[1]] += i.mask
        assert 0.0 <= i.score <= 1.0 and i.cls > 0 and i.mask.any()
    assert times.max(initial=0) <= 1 and not times[label == 0].any()


def test_settings_out_of_range_are_named():
    with pytest.raises(ValueError, match="centre_threshold = 2"):
        GroupingConfig(centre_threshold=2)
