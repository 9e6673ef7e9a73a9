"""Ways round furniture: never shorter than straight, round corners by the shortest way."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.geometry import Box
from perception.home_map import HomeMap, MapRoom
from perception.ways import BODY, metres

TABLE = Box((0.0, 0.0, 0.4), (2.0, 1.0, 0.8), 0.0)
ROOM = HomeMap(rooms=(MapRoom("kitchen", "kitchen", ((-3.0, -0.6), (3.0, -0.6), (3.0, 3.0), (-3.0, 3.0))),))


def _metres(start, end, solid, *where):
    return float(metres(np.array(start, float), np.array([end], float), solid, *where)[0])


def test_straight_where_nothing_stands_in_between():
    assert _metres((-2, 0), (-2, 2), [TABLE]) == pytest.approx(2.0)
    assert _metres((-2, 0), (2, 0), []) == pytest.approx(4.0)


def test_round_two_corners_of_a_table():
    x, y = 1.0 + BODY, 0.5 + BODY
    assert _metres((-2, 0), (2, 0), [TABLE]) == pytest.approx(2 * math.hypot(2 - x, y) + 2 * x, abs=0.05)


def test_two_tables_in_a_row_are_passed_on_the_side_that_is_shorter():
    second = Box((0.0, 1.2, 0.4), (2.0, 1.4, 0.8), 0.0)  # no gap between them that anybody fits through
    below, above = _metres((-2, 0.6), (2, 0.6), [TABLE]), _metres((-2, 0.6), (2, 0.6), [TABLE, second])
    assert above > below
    assert above == pytest.approx(2 * math.hypot(0.8, 0.6 + 0.7) + 2.4, abs=0.05)  # below the first


def test_there_is_no_way_behind_what_stands_at_a_wall():
    free, walled = _metres((-2, 0.2), (2, 0.2), [TABLE]), _metres((-2, 0.2), (2, 0.2), [TABLE], ROOM, "kitchen")
    assert walled >= free - 1e-9
    assert walled == pytest.approx(2 * math.hypot(0.8, 0.5) + 2.4, abs=0.05)  # in front of it: behind it is the wall


def test_what_somebody_stands_in_is_not_in_their_way():
    assert _metres((0.9, 0.0), (3.0, 0.0), [TABLE]) == pytest.approx(2.1)


box = st.builds(lambda x, y, a, b, yaw: Box((x, y, 0.4), (a, b, 0.8), yaw), *[st.floats(-3, 3)] * 2, *[st.floats(0.2, 1.5)] * 2, st.floats(-3, 3))
point = st.tuples(st.floats(-4, 4), st.floats(-4, 4))


@settings(max_examples=60, deadline=None)
@given(st.lists(box, max_size=6), point, point)
def test_never_shorter_than_straight(solid, a, b):
    there = _metres(a, b, solid)
    assert there >= math.dist(a, b) - 1e-9 and math.isfinite(there)


@settings(max_examples=60, deadline=None)
@given(box, point, point)
def test_round_one_thing_the_way_back_is_as_long(one, a, b):
    assert _metres(a, b, [one]) == pytest.approx(_metres(b, a, [one]), abs=1e-6)
