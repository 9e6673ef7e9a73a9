"""Dense maps → instances, on maps made by hand."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from perception.detectors.light_grouping import GroupingConfig, centres, group
from perception.detectors.light_groups import GROUPS, group_of
from perception.training.shards import CLASSES

H, W = 60, 80
FURNITURE, THING = GROUPS.index("furniture"), GROUPS.index("thing")


def maps(*things):
    """``things``: (group, row0, row1, column0, column1, with a centre)."""
    label, heat = np.zeros((H, W), np.int64), np.zeros((len(GROUPS) - 1, H, W), np.float32)
    offset = np.zeros((2, H, W), np.float32)
    for g, r0, r1, c0, c1, peak in things:
        label[r0:r1, c0:c1] = g
        r, c = (r0 + r1 - 1) / 2, (c0 + c1 - 1) / 2
        rows, columns = np.mgrid[r0:r1, c0:c1]
        offset[0, r0:r1, c0:c1], offset[1, r0:r1, c0:c1] = r - rows, c - columns
        if peak:
            heat[g - 1, int(r), int(c)] = 0.9
    return (0.8 * np.eye(len(GROUPS), dtype=np.float32)[label].transpose(2, 0, 1) + 0.02), heat, offset


def test_two_apples_side_by_side_stay_two():
    found = group(*maps((THING, 10, 20, 10, 20, True), (THING, 10, 20, 20, 30, True)))
    assert sorted((i.group, i.left, i.mask.shape, int(i.mask.sum())) for i in found) == \
        [(THING, 10, (10, 10), 100), (THING, 20, (10, 10), 100)]


def test_an_apple_on_a_table_is_not_the_table():
    """Their centres may even coincide."""
    found = group(*maps((FURNITURE, 20, 50, 10, 70, True), (THING, 31, 38, 36, 43, True)))
    by = {i.group: i for i in found}
    assert set(by) == {FURNITURE, THING} and len(found) == 2
    assert int(by[THING].mask.sum()) == 49 and int(by[FURNITURE].mask.sum()) == 30 * 60 - 49


def test_what_training_counted_more_is_asked_to_be_surer():
    groups, heat, offset = maps((FURNITURE, 20, 50, 10, 70, True), (THING, 28, 40, 34, 46, True))
    rim = np.s_[28:40, 44:46]
    groups[:, rim[0], rim[1]] = 0.02
    groups[THING][rim], groups[FURNITURE][rim] = 0.6, 0.34

    def thing(**change):
        return next(int(i.mask.sum()) for i in group(groups, heat, offset, config=GroupingConfig(**change)) if i.group == THING)

    assert (thing(things=1.0), thing()) == (144, 120)


@pytest.mark.parametrize("neighbour", [False, True])
def test_an_object_whose_centre_was_missed_is_still_found_with_less_confidence(neighbour):
    far = (THING, 5, 15, 60, 75, True)
    found = group(*maps((FURNITURE, 20, 50, 10, 70, True), (THING, 24, 30, 20, 26, False), *([far] if neighbour else [])))
    lost = [i for i in found if i.group == THING and i.top == 24]
    assert len(found) == 2 + neighbour and len(lost) == 1 and int(lost[0].mask.sum()) == 36
    assert lost[0].score < 0.5 < min(i.score for i in found if i is not lost[0])


def test_an_object_is_cut_where_depth_jumps():
    arrays = maps((THING, 10, 20, 10, 30, True))
    depth = np.full((H, W), 1.0, np.float32)
    assert len(group(*arrays, depth)) == 1
    depth[:, 22:] = 2.0
    cut = sorted(group(*arrays, depth), key=lambda i: i.left)
    assert [(i.left, i.mask.shape) for i in cut] == [(10, (10, 12)), (22, (10, 8))] and cut[0].score > cut[1].score
    assert len(group(*maps((FURNITURE, 10, 20, 10, 30, True)), depth)) == 1


def test_a_crumb_of_a_person_is_no_second_person():
    person = GROUPS.index("person")
    body, arm = (person, 10, 50, 20, 40, True), (person, 15, 25, 40, 48, True)
    depth = np.full((H, W), 2.0, np.float32)
    whole = group(*maps(body, arm), depth)
    assert len(whole) == 1 and int(whole[0].mask.sum()) == 40 * 20 + 10 * 8
    assert len(group(*maps(body, (person, 15, 25, 50, 58, True)), depth)) == 2  # does not touch
    depth[:, 40:] = 3.0
    assert len(group(*maps(body, arm), depth)) == 2  # somebody far behind
    assert len(group(*maps((FURNITURE, 10, 50, 20, 40, True), (FURNITURE, 15, 25, 40, 48, True)))) == 2
    assert len(group(*maps((THING, 10, 50, 20, 40, True), (THING, 15, 25, 40, 48, True)))) == 2


def test_nothing_but_background_is_nothing():
    assert group(*maps()) == []


def test_every_class_that_can_be_detected_is_in_one_group():
    assert {GROUPS[group_of(c)] for c in CLASSES} == set(GROUPS)
    assert group_of("background") == 0 and all(group_of(c) > 0 for c in CLASSES[1:])
    with pytest.raises(KeyError):
        group_of("kitchen")


def test_peaks_are_suppressed_around_the_best_and_capped():
    heat = np.zeros((20, 20), np.float32)
    heat[5, 5], heat[5, 6], heat[15, 15], heat[2, 17] = 0.9, 0.8, 0.5, 0.1
    assert centres(heat, GroupingConfig()).tolist() == [[5, 5], [15, 15]]
    assert centres(heat, GroupingConfig(most=1)).tolist() == [[5, 5]]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2 ** 31))
def test_masks_never_overlap_and_lie_on_things(seed):
    rng = np.random.default_rng(seed)
    groups = rng.dirichlet(np.ones(len(GROUPS)), (H, W)).transpose(2, 0, 1).astype(np.float32)
    label = groups.argmax(axis=0)
    found = group(groups, rng.random((len(GROUPS) - 1, H, W)).astype(np.float32) ** 8, rng.normal(0, 6, (2, H, W)).astype(np.float32),
                  rng.uniform(0, 5, (H, W)).astype(np.float32))
    times = np.zeros((H, W), int)
    for i in found:
        times[i.top:i.top + i.mask.shape[0], i.left:i.left + i.mask.shape[1]] += i.mask
        assert 0.0 <= i.score <= 1.0 and i.group > 0 and i.mask.any()
    assert times.max(initial=0) <= 1 and not times[label == 0].any()


def test_settings_out_of_range_are_named():
    with pytest.raises(ValueError, match="centre_threshold = 2"):
        GroupingConfig(centre_threshold=2)
