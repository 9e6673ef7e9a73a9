"""Where people walk in a room."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.scene_graph import Entity
from planner import traffic, vantage
from tests.planner.test_planner_vantage import FRIDGE, TABLE, scene, spot_for


def around(*blocks):
    """Metres to the nearest of some squares (x, y, half)."""
    def off(points):
        each = [np.hypot(*np.maximum(np.abs(points - (x, y)) - half, 0.0).T) for x, y, half in blocks]
        return np.min(each, axis=0) if each else np.full(len(points), math.inf)
    return off


def length(way):
    return float(np.hypot(*np.diff(way, axis=0).T).sum())


def test_a_way_leads_round_what_stands_there_and_is_as_short_as_can_be():
    floor = traffic.Floor((0.0, 0.0), (6.0, 4.0), around((3.0, 2.0, 0.8)))
    (way,) = floor.ways((1.0, 2.0), [(5.0, 2.0)])
    assert np.max(np.abs(way - (3.0, 2.0)), axis=1).min() > 0.8 + traffic.BODY_M - 0.3
    corner = 0.8 + traffic.BODY_M
    shortest = 2 * math.hypot(2.0 - corner, corner) + 2 * corner
    assert 0.9 * shortest < length(way) < 1.12 * shortest  # cells have eight neighbours


def test_where_there_is_no_way_there_is_none():
    wall = around(*((3.0, y, 0.3) for y in np.arange(0.0, 4.1, 0.5)))
    floor = traffic.Floor((0.0, 0.0), (6.0, 4.0), wall)
    assert floor.ways((1.0, 2.0), [(5.0, 2.0)]) == []
    assert len(floor.ways((1.0, 2.0), [(5.0, 2.0), (1.0, 3.5)])) == 1


@pytest.mark.parametrize("low, high", [((0.0, 0.0), (0.05, 0.05)), ((1.0, 1.0), (1.0, 1.0)), ((2.0, 2.0), (1.0, 1.0))])
def test_a_room_without_a_floor_has_no_ways(low, high):
    assert all(len(w) <= 1 for w in traffic.Floor(low, high, around()).ways((0.0, 0.0), [(1.0, 1.0)]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 6), st.floats(0, 4)), max_size=12), st.lists(st.tuples(st.floats(0, 6), st.floats(0, 4)), max_size=4))
def test_the_share_of_ways_past_a_point_is_one(spots, goals):
    floor = traffic.Floor((0.0, 0.0), (6.0, 4.0), around((3.0, 2.0, 0.8)))
    found = traffic.share(np.array(spots).reshape(-1, 2), floor.ways((0.3, 0.3), goals))
    assert found.shape == (len(spots),) and ((0.0 <= found) & (found <= 1.0)).all()


def test_it_stands_beside_the_ways_between_door_and_furniture_not_on_them():
    """A door on one side and the fridge on the other, the table against the wall: everybody passes through the middle."""
    door = Entity("door_1", "door", (6.0, 2.5, 1.0), (0.1, 1.0, 2.0))
    table = Entity("kitchentable_1", "kitchentable", (3.0, 4.5, 0.37), (1.2, 0.8, 0.75))
    spot = spot_for(scene((3.0, 2.5), FRIDGE, table, door)).spot
    assert spot is not None and abs(spot[1] - 2.5) > traffic.PASSES_M


def test_how_near_a_wall_it_stands_makes_no_difference_where_nobody_passes(monkeypatch):
    """Without a way in there are no ways, and what it sees decides."""
    chosen = spot_for(scene((5.5, 0.7), FRIDGE, TABLE)).spot
    monkeypatch.setattr(vantage, "IN_THE_WAY", 0.0)
    assert spot_for(scene((5.5, 0.7), FRIDGE, TABLE)).spot == chosen
