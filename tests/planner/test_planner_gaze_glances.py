"""Where the camera looks in a room with nobody in it: at its ways in, and at the rest of it a glance at a time."""

from __future__ import annotations

import math

import pytest

from household.scene_graph import Entity
from planner import gaze, surroundings
from planner.geometry import Geometry
from tests.planner.test_planner_gaze_and_voice import CONFIG, empty_kitchen, turning, watch

HERE = (2.0, 3.0, 0.0)


def in_view(home, states, name):
    """Stamps at which the camera of (stamp, yaw, …) shows it well."""
    at = home.entities[name].position
    return [t for t, yaw, *_ in states if surroundings.apart(HERE, (HERE[0] + math.cos(yaw), HERE[1] + math.sin(yaw), 0.0), at) < surroundings.CENTRAL]


def test_the_rest_of_the_room_is_glanced_at_and_the_way_in_is_never_out_of_the_picture_for_long(home):
    """The neck makes 90 degrees a second: there and back is as long as it takes."""
    empty_kitchen(home)
    states = list(turning(home, 60.0))
    door = [t for t in in_view(home, states, "door_1") if t > 25.0]
    assert max(b - a for a, b in zip(door, door[1:])) < 3.6  # there, and back
    for name in ("kitchentable_1", "kitchencabinet_1", "fridge_1"):
        seen = [t for t in in_view(home, states, name) if t > 25.0]
        assert max(b - a for a, b in zip([25.0, *seen], [*seen, 70.0])) < 18.0, name


def test_doorways_that_fit_into_one_picture_are_watched_in_one(home):
    empty_kitchen(home)
    home.entities["door_2"] = Entity("door_2", "door", (4.0, 3.2, 1.0), (0.1, 0.9, 2.0))
    doors = home.entities["door_1"].position, home.entities["door_2"].position
    assert surroundings.apart(HERE, *doors) > surroundings.CENTRAL
    held = [s.point for t, s in watch(home, lambda t: home.minds(t), seconds=60.0) if s.target in ("door_1", "door_2") and t - s.since > 1.0]
    assert len(held) > 50 and all(surroundings.apart(HERE, p, d) < surroundings.CENTRAL for p in held for d in doors)


def test_the_rest_of_the_room_is_looked_at_also_between_doorways_that_two_pictures_show(home):
    """Each is looked at so that the room between them shows, from which those points are near each other; the doorways are not."""
    empty_kitchen(home)
    home.entities["door_2"] = Entity("door_2", "door", (4.0, 3.6, 1.0), (0.1, 0.9, 2.0))
    home.entities["door_3"] = Entity("door_3", "door", (2.55, 4.0, 1.0), (0.9, 0.1, 2.0))
    doors = [e for e in home.entities.values() if e.cls == "door"]
    assert max(surroundings.apart(HERE, a.position, b.position) for a in doors for b in doors) > 2 * surroundings.CENTRAL
    seen = in_view(home, list(turning(home, 60.0)), "kitchentable_1")
    assert seen and max(b - a for a, b in zip([10.0, *seen], [*seen, 70.0])) < 18.0


@pytest.mark.parametrize("looked, lost", [({"alice": 12.0}, True), ({"alice": 9.5}, False), ({}, False)])
def test_who_has_not_been_where_they_were_last_seen_for_a_while_is_lost(home, looked, lost):
    home.change("alice", visible=False, last_seen=10.0)
    alice = home.entities["alice"]
    assert surroundings.lost(alice, looked, 10.0 + surroundings.AWAY_S + 0.1) is lost
    assert not surroundings.lost(alice, looked, 10.0 + surroundings.AWAY_S - 0.1)


def test_a_room_from_which_the_last_one_slipped_away_is_an_empty_one(home):
    """Nobody saw her leave: the graph has her in the kitchen for ever; its doorway is watched all the same."""
    empty_kitchen(home)
    home.rooms["alice"] = "kitchen"
    home.change("alice", visible=False, position=(1.0, 3.5, 0.0), last_seen=-5.0)
    states = list(turning(home, 60.0))
    door = [t for t in in_view(home, states, "door_1") if t > 25.0]
    assert len(door) > 0.5 * 45.0 / 0.1
    assert {e.id for e in surroundings.surroundings(Geometry(home.graph(10.0), CONFIG))} >= {"alice", "door_1"}
