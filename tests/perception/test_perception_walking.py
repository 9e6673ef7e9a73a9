"""Where somebody walks to: by motion and gaze, and when they turn round."""

from dataclasses import replace

import numpy as np

from household.actions import Verb
from household.scene_graph import Openness, Posture
from perception import facing
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.events import Moment
from perception.geometry import Box
from perception.home_map import HomeMap
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.walking import follow


def place(name, x, y):
    return PlaceTrack(name, name.rsplit("_", 1)[0], Cells(), Box((x, y, 0.4), (0.8, 0.8, 0.8)), 0.0, hits=9, openness=Openness.NONE)


def walker(path, gaze):
    stamp, x, y = path[-1]
    return PersonTrack("alice", True, (x, y), 1.7, 1.7, gaze, gaze, 0.9, Posture.STANDING, (), np.zeros((0, 3)), tuple(path), np.zeros(128),
                       stamp, 9, True, belief=facing.uniform(), head_belief=facing.uniform())


def told(route, gaze_at, places):
    """All walk events of somebody who goes along ``route`` [(x, y)] at 4 Hz and looks at the point ``gaze_at(i)``."""
    walks, found, path = {}, [], []
    for i, (x, y) in enumerate(route):
        path.append((0.25 * i, x, y))
        look = np.subtract(gaze_at(i), (x, y))
        person = walker(path[-16:], float(np.arctan2(look[1], look[0])))
        moment = Moment(0.25 * i, {p.id: p for p in places}, {}, {"alice": person})
        walks, events = follow(walks, moment, HomeMap(), PerceptionConfig())
        found += events
    return found


def test_of_two_places_ahead_the_one_looked_at_is_where_somebody_goes():
    left, right = place("kitchentable_1", 4.0, 0.9), place("desk_1", 4.0, -0.9)
    route = [(0.25 * i, 0.0) for i in range(9)]
    assert told(route, lambda i: (4.0, 0.0), (left, right)) == []  # straight between them
    (one,) = told(route, lambda i: (4.0, 0.9), (left, right))
    assert (one.verb, one.target, one.end) == (Verb.WALKTOWARDS, "kitchentable_1", None)
    (other,) = told(route, lambda i: (4.0, -0.9), (left, right))
    assert other.target == "desk_1"


def test_who_looks_at_a_table_and_turns_round_went_to_the_table():
    table, away = place("kitchentable_1", 1.3, 1.4), place("fridge_1", -4.0, 0.0)
    there = [(0.3 * i, 0.0) for i in range(5)]
    back = [(1.2 - 0.3 * i, 0.0) for i in range(1, 5)]
    events = told(there + back, lambda i: (1.3, 1.4) if 3 <= i <= 5 else (-4.0, 0.0), (table, away))
    ended = [e for e in events if e.end is not None]
    assert [e.target for e in ended] == ["kitchentable_1"] and 0.75 <= ended[0].end <= 1.5
    unseen = told(there + back, lambda i: (-4.0, 0.0), (table, away))
    assert all(e.target != "kitchentable_1" for e in unseen)
