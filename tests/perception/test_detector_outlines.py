"""Finer outlines, there and back, and masks that came to overlap."""

import numpy as np
from hypothesis import given, settings, strategies as st

from perception.detectors.light_crops import SIDE, Window
from perception.detectors.light_outlines import Cut, refined, settled, tight
from perception.training.crop_dataset import _outline

W, H = 160, 120


def disc(u, v, r):
    rows, columns = np.mgrid[:H, :W]
    return np.hypot(columns - u, rows - v) <= r


@settings(max_examples=40, deadline=None)
@given(st.floats(0, W), st.floats(0, H), st.floats(8, 25), st.integers(-2, 2), st.integers(-2, 2))
def test_an_outline_drawn_in_the_picture_comes_back_to_its_pixels(u, v, r, du, dv):
    """However coarse and misplaced the first mask was, and wherever the image ends."""
    true, coarse = disc(u, v, r), tight(disc(u + du, v + dv, 0.9 * r), 0, 0)
    if coarse is None or true.sum() < 30:
        return
    back = refined(coarse, _outline(true, Window.around(coarse.mask, coarse.left, coarse.top)), W, H)
    got = back.within(0, 0, W, H)
    assert (got & true).sum() / (got | true).sum() > 0.8


def test_a_large_or_an_empty_outline_leaves_the_mask_alone():
    large, small = Cut(np.ones((110, 110), bool), 2, 2), Cut(np.ones((10, 10), bool), 30, 30)
    assert refined(large, np.zeros((SIDE, SIDE)), W, H) is large and refined(small, np.zeros((SIDE, SIDE)), W, H) is small


def test_of_two_cuts_of_one_thing_the_surer_stays_and_the_smaller_keeps_its_pixels():
    table, apple, again = Cut(np.ones((40, 60), bool), 10, 10), Cut(np.ones((8, 8), bool), 20, 20), Cut(np.ones((8, 9), bool), 20, 20)
    kept = settled([table, apple, again], [0.9, 0.5, 0.6], [1, 2, 2], W, H)
    assert kept[1] is None and kept[2].area == 72 and kept[0].area == 40 * 60 - 72
    assert [c is not None for c in settled([apple, apple], [0.5, 0.6], [1, 2], W, H)] == [False, True]  # nothing is left of the less sure


def test_a_faint_guess_bites_nothing_out_of_what_is_sure_and_keeps_what_is_left():
    table, apple = Cut(np.ones((20, 20), bool), 10, 10), Cut(np.ones((8, 20), bool), 20, 20)
    for score, of_table, of_apple in ((0.5, 400 - 80, 160), (0.1, 400, 160 - 80)):
        kept = settled([table, apple], [0.9, score], [1, 2], W, H)
        assert (kept[0].area, kept[1].area) == (of_table, of_apple)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 80), st.integers(1, 60), st.integers(1, 40), st.floats(0, 1), st.integers(1, 4)), max_size=8))
def test_masks_never_overlap(rows):
    cuts = [Cut(np.ones((h, w), bool), left, top) for left, top, w, h, _, _ in rows]
    times = np.zeros((H, W), int)
    for c in settled(cuts, [r[4] for r in rows], [r[5] for r in rows], W, H):
        if c is not None:
            times += c.within(0, 0, W, H)
    assert times.max(initial=0) <= 1
