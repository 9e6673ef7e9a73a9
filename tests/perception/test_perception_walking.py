"""Where somebody walks to: by motion and gaze, and when they turn round."""

from dataclasses import replace

import numpy as np
import pytest

from household.actions import Verb
from household.scene_graph import Openness, Posture
from perception import facing
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.moment import Moment
from perception.geometry import Box
from perception.home_map import HomeMap, MapDoorway, MapRoom
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.walking import _came_in_at, _glance, _slowed, _ways, follow
from perception.ways import BODY


def place(name, x, y):
    return PlaceTrack(name, name.rsplit("_", 1)[0], Cells(), Box((x, y, 0.4), (0.8, 0.8, 0.8)), 0.0, hits=9, openness=Openness.NONE)


def walker(path, gaze):
    stamp, x, y = path[-1]
    return PersonTrack("alice", True, (x, y), 1.7, 1.7, gaze, gaze, 0.9, Posture.STANDING, (), np.zeros((0, 3)), tuple(path), np.zeros(128),
                       stamp, 9, True, belief=facing.uniform(), head_belief=facing.uniform())


def told(route, gaze_at, places):
    """All walk events of somebody who goes along ``route`` [(x, y)] at 4 Hz, None: out of view, and looks at the point ``gaze_at(i)``."""
    walks, found, path = {}, [], []
    for i, at in enumerate(route):
        if at is None:
            continue
        x, y = at
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
    both = told(route, lambda i: (4.0, 0.0), (left, right))  # straight between them
    assert {e.target: e.confidence for e in both[:2]}.keys() == {"kitchentable_1", "desk_1"}
    assert both[0].confidence == both[1].confidence < 0.5 and (both[0].start, both[0].end) == (both[1].start, both[1].end)
    one = told(route, lambda i: (4.0, 0.9), (left, right))
    assert (one[0].verb, one[0].target, one[0].end) == (Verb.WALKTOWARDS, "kitchentable_1", None)
    other = told(route, lambda i: (4.0, -0.9), (left, right))
    assert other[0].target == "desk_1" and other[0].confidence > 1.5 * other[1].confidence


def test_who_looks_at_a_table_and_turns_round_went_to_the_table():
    table, away = place("kitchentable_1", 1.3, 1.4), place("fridge_1", -4.0, 0.0)
    there = [(0.3 * i, 0.0) for i in range(5)]
    back = [(1.2 - 0.3 * i, 0.0) for i in range(1, 5)]
    events = told(there + back, lambda i: (1.3, 1.4) if 3 <= i <= 5 else (-4.0, 0.0), (table, away))
    ended = [e for e in events if e.end is not None]
    assert [e.target for e in ended] == ["kitchentable_1"] and 0.75 <= ended[0].end <= 1.5
    unseen = told(there + back, lambda i: (-4.0, 0.0), (table, away))
    assert all(e.target != "kitchentable_1" or e.confidence < 0.75 for e in unseen)


def test_eyes_that_only_pass_over_a_place_in_turning_away_do_not_make_it_where_somebody_went():
    shelf, stand = place("bookshelf_1", 2.0, 0.0), place("tvstand_1", 0.9, 1.4)
    path = [(0.25 * i, 0.25 * i, 0.0) for i in range(5)]  # towards the shelf

    def looked_at(gaze):
        person = walker(path, gaze)
        return _glance(person, Moment(1.0, {p.id: p for p in (shelf, stand)}, {}, {"alice": person}), HomeMap())

    assert looked_at(0.1) == ("bookshelf_1", 1.0)
    assert looked_at(1.65) is None  # straight at the stand, while still on the way to the shelf


def test_a_heading_is_told_again_when_it_has_become_clearer_and_is_one_walk():
    left, right = place("kitchentable_1", 4.0, 0.9), place("desk_1", 4.0, -0.9)
    route = [(0.25 * i, 0.0) for i in range(12)]
    events = told(route, lambda i: (4.0, 0.0 if i < 5 else 0.9), (left, right))
    assert {e.target for e in events[:2]} == {"kitchentable_1", "desk_1"} and len({e.start for e in events}) == 1
    assert events[0].confidence < 0.5 < 0.6 < events[2].confidence and events[2].target == "kitchentable_1"


def test_that_somebody_passes_a_place_by_is_told_though_no_other_has_become_likely():
    aside, ahead = place("desk_1", 1.2, 1.0), [place(f"kitchencabinet_{i}", 6.0, 2.0 * i - 3) for i in range(4)]
    events = told([(0.25 * i, 0.0) for i in range(16)], lambda i: (0.25 * i + 2.0, 0.0), (aside, *ahead))
    told_at = {s: {e.target for e in events[i:]} for i, s in ((0, "first"), (len(events) - 4, "last"))}
    assert "desk_1" in told_at["first"] and "desk_1" not in told_at["last"]


def test_whoever_goes_to_nothing_that_is_known_is_hardly_said_to_go_anywhere():
    table = place("kitchentable_1", 3.0, 3.0)
    events = told([(0.25 * i, 0.0) for i in range(17)], lambda i: (9.0, 0.0), (table,))
    assert all(e.confidence < 0.6 for e in events)


def test_of_a_row_of_cupboards_only_the_fronts_can_be_walked_to():
    row = [place(f"kitchencabinet_{i}", 0.4 + 0.8 * i, 4.0) for i in range(4)]
    route = [(1.2, 0.3 * i) for i in range(9)]  # straight up to the second of them
    events = [e for e in told(route, lambda i: (1.2, 4.0), row) if e.end is None]
    assert events[0].target == "kitchencabinet_1" and events[0].confidence > 1.1 * events[1].confidence


def test_who_stops_behind_a_chair_at_a_table_has_come_for_the_table_rather_than_for_the_chair():
    table = replace(place("kitchentable_1", 3.0, 0.0), body=Box((3.0, 0.0, 0.4), (1.2, 0.8, 0.8)))
    chair = replace(place("chair_1", 2.2, 0.0), body=Box((2.2, 0.0, 0.4), (0.45, 0.45, 0.8)))
    route = [(0.25 * min(i, 6), 0.0) for i in range(12)]

    def end(*places):
        return {e.target: e.confidence for e in told(route, lambda i: (3.0, 0.0), places) if e.end is not None}

    both = end(table, chair)
    assert both["kitchentable_1"] > 0.5 > both["chair_1"] > 0.2
    away = replace(table, body=Box((5.0, 0.0, 0.4), (1.2, 0.8, 0.8)))
    assert end(away, chair) == {"chair_1": 0.9}


def test_the_way_round_a_table_is_longer_than_the_way_past_it():
    table = Box((0.0, 0.0, 0.4), (1.0, 2.0, 0.8), 0.0)
    ends = np.array([[2.0, 0.0], [2.0, 2.0], [-2.0, 1.0]])
    start = np.array([-2.0, 0.0])
    ways = _ways(start, ends, [table])
    corner = np.array([-0.5 - BODY, 1.0 + BODY]), np.array([0.5 + BODY, 1.0 + BODY])
    assert ways[0] >= np.linalg.norm(corner[0] - start) + np.linalg.norm(ends[0] - corner[0]) > 4.0
    assert np.allclose(ways[1:], np.linalg.norm(ends[1:] - start, axis=1), atol=0.4) and ways[2] == np.linalg.norm(ends[2] - start)
    assert np.allclose(_ways(start, ends, []), np.linalg.norm(ends - start, axis=1))


def test_who_turned_away_from_a_place_is_not_on_the_way_to_it_again():
    """She comes straight up to a table, turns aside, and goes on past its corner to what stands beyond."""
    table, beyond = place("kitchentable_1", 2.6, 0.0), place("desk_1", 4.0, 3.0)
    there = [(0.3 * i, 0.0) for i in range(5)]
    aside = [(1.2 + 0.05 * i, 0.3 * i) for i in range(1, 6)]
    events = told(there + aside, lambda i: (4.0, 3.0) if i > 4 else (2.6, 0.0), (table, beyond))
    turned = [e for e in events if e.target == "kitchentable_1" and e.end is not None]
    assert turned and turned[0].confidence > 0.5
    again = [e.confidence for e in events if e.target == "kitchentable_1" and e.start > turned[0].start]
    assert max(again, default=0.0) < 0.3


def test_where_who_turned_goes_now_is_told_with_the_walk_that_the_turn_ended():
    """Up to a table, then sharply aside to what stands there: nobody has to think for a while that she stands where she turned."""
    table, aside = place("kitchentable_1", 2.6, 0.0), place("desk_1", 1.2, 3.0)
    events = told([(0.3 * i, 0.0) for i in range(5)] + [(1.2, 0.3 * i) for i in range(1, 5)], lambda i: (1.2, 3.0) if i > 4 else (2.6, 0.0), (table, aside))
    ended = next(i for i, e in enumerate(events) if e.end is not None)
    after = [e for e in events[ended:] if e.end is None]
    assert after[0].target == "desk_1" and after[0].confidence > 0.5 and after[0].start == pytest.approx(1.05)
    assert events[ended + 1] is after[0]


@pytest.mark.parametrize("stands", [2, 3])
def test_who_stood_for_a_moment_before_they_turned_had_come_when_they_began_to_stand(stands):
    table, there = place("kitchentable_1", 2.6, 0.0), [(0.3 * i, 0.0) for i in range(5)]
    route = there + [(1.2 + 0.01 * (i % 2), 0.0) for i in range(stands)] + [(1.2, 0.3 * i) for i in range(1, 5)]
    events = told(route, lambda i: (1.2, 3.0) if i > 4 + stands else (2.6, 0.7), (table, place("desk_1", 1.2, 3.5)))
    assert next(e for e in events if e.end is not None).end == 1.0


def test_who_stands_where_a_walk_begins_has_not_slowed_on_it():
    path = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (0.5, 0.3, 0.0), (0.75, 0.6, 0.0)]
    assert _slowed(np.array(path)) == (1.0, (0.0, 0.0))
    assert _slowed(np.array([*path, (1.0, 0.9, 0.0), (1.25, 1.0, 0.0)])) == (pytest.approx(1 / 3), (0.9, 0.0))


@pytest.mark.parametrize("pause, walks", [([], 1), ([(1.35, 0.0)], 1), ([(1.46, 0.0), (1.49, 0.0)], 2)])
def test_who_stands_for_a_moment_and_walks_straight_on_has_made_two_walks(pause, walks):
    """Past a table to a desk, at an even pace, more slowly beside the table, or with a look at it: then the first had led there."""
    table, desk = replace(place("kitchentable_1", 1.6, 1.2), body=Box((1.6, 0.9, 0.4), (0.8, 0.8, 0.8))), place("desk_1", 5.5, 0.0)
    route = [(0.3 * i, 0.0) for i in range(5)] + (pause or [(1.2 + 0.3, 0.0)]) + [(1.5 + 0.3 * i, 0.0) for i in range(1, 8)]
    events = told(route, lambda i: (1.6, 0.9) if 2 < i < 8 else (5.5, 0.0), (table, desk))
    assert len({e.start for e in events}) == walks
    assert any(e.target == "kitchentable_1" and e.end is not None and e.confidence > 0.4 for e in events) is (walks == 2)


@pytest.mark.parametrize("by_a_table", [True, False])
def test_who_turns_away_from_a_chair_by_a_table_without_sitting_down_had_come_for_the_table(by_a_table):
    table, beyond = place("kitchentable_1", 2.6, 0.0), place("desk_1", 1.2, 3.5)
    chair = replace(place("chair_1", 2.0, 0.0), body=Box((2.0, 0.0, 0.4), (0.4, 0.4, 0.8)))
    route = [(0.3 * i, 0.0) for i in range(5)] + [(1.2, 0.3 * i) for i in range(1, 5)]
    events = told(route, lambda i: (1.2, 3.0) if i > 4 else (2.0, 0.9), (table, chair, beyond) if by_a_table else (chair, beyond))
    came = {e.target: e.confidence for e in events if e.end is not None}
    assert (came["chair_1"] < 0.1 and came["kitchentable_1"] > 0.7) if by_a_table else came["chair_1"] > 0.5


@pytest.mark.parametrize("barred, stops, one", [(True, False, True), (False, False, False), (True, True, False)])
def test_round_the_corner_of_what_is_in_the_way_a_turn_is_no_new_walk(barred, stops, one):
    """To a desk behind a long table, up along it and round its end; with nothing in between, or after all but stopping at the corner, the same way is two walks."""
    desk, table = place("desk_1", 3.6, 0.0), replace(place("kitchentable_1", 2.0, 0.0), body=Box((2.0, 0.0, 0.4), (0.8, 3.0, 0.8)))
    route = [(1.3, 0.28 * i) for i in range(7)] + [(1.32, 1.75)] * stops + [(1.3 + 0.27 * i, 1.75) for i in range(1, 6)] + [(2.68, 1.5 - 0.3 * i) for i in range(3)]
    events = told(route, lambda i: (3.6, 0.0), (desk, table) if barred else (desk,))
    assert (len({e.start for e in events}) == 1) is one
    assert any(e.target == "kitchentable_1" and e.end is not None and e.confidence > 0.5 for e in events) is stops


def test_who_was_not_seen_coming_in_came_through_the_doorway():
    home = HomeMap(rooms=(MapRoom("kitchen", "kitchen", ((0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0))), MapRoom("hallway", "hallway", ((0.0, -3.0), (5.0, -3.0), (5.0, 0.0), (0.0, 0.0)))),
                   doorways=(MapDoorway("door_1", ("kitchen", "hallway"), (4.0, 0.0), 0.9, np.pi / 2), MapDoorway("door_2", ("kitchen", "hallway"), (0.5, 0.0), 0.9, np.pi / 2)))
    unseen, seen = [(0.0, 1.0, -2.0), (3.0, 3.5, 1.0)], [(0.0, 1.0, -2.0), (1.8, 3.9, -0.2), (2.1, 3.8, 0.2)]
    assert _came_in_at(walker(unseen, 0.0), 2.0, "kitchen", home) == (4.0, 0.0)
    assert _came_in_at(walker(seen, 0.0), 2.0, "kitchen", home) == pytest.approx((3.833, 0.067), abs=0.01)


def test_where_the_way_out_of_view_led_is_where_who_comes_back_from_there_went():
    wardrobe, nightstand = place("wardrobe_1", -1.0, 0.0), place("nightstand_1", 1.5, -3.0)
    there, back = [(3.0 - 0.25 * i, 0.0) for i in range(7)], [(1.5, -1.9 + 0.3 * i) for i in range(5)]
    hidden = told(there + [None] * 4 + back, lambda i: (1.5, 9.0) if i > 6 else (-1.0, 0.0), (wardrobe, nightstand))
    ended = [e for e in hidden if e.end is not None]
    assert {e.target for e in hidden if e.end is None} >= {"wardrobe_1"}  # that is what was told on the way
    assert max(ended, key=lambda e: e.confidence).target == "nightstand_1"
    assert all(e.confidence < 0.2 for e in ended if e.target == "wardrobe_1")


@pytest.mark.parametrize("entered, since, tells", [(True, 0.8, True), (False, 0.8, False), (True, 3.0, False)])
def test_who_is_first_seen_standing_in_a_room_they_have_just_come_into_has_walked_there_from_the_doorway(entered, since, tells):
    """Not who came in long ago: what they did there since, nobody saw."""
    home = HomeMap(rooms=(MapRoom("hallway", "hallway", ((-4.0, -4.0), (0.0, -4.0), (0.0, 4.0), (-4.0, 4.0))), MapRoom("kitchen", "kitchen", ((0.0, -4.0), (8.0, -4.0), (8.0, 4.0), (0.0, 4.0)))),
                   doorways=(MapDoorway("door_1", ("hallway", "kitchen"), (0.0, 0.0), 1.0, 0.0),))
    table, walks, found = place("kitchentable_1", 3.0, 0.0), {}, []
    for i in range(4):
        path = [(5.0, -3.0, 3.0), *((10.0 + 0.3 * k, 2.0, 0.0) for k in range(i + 1))]
        moment = Moment(10.0 + 0.3 * i, {table.id: table}, {}, {"alice": walker(path, 0.0)}, {"alice": "kitchen"}, None, {"alice": 10.0 - since})
        walks, events = follow(walks, moment, home, PerceptionConfig(), {"alice"} if entered and i == 0 else ())
        found += events
    assert [e.target for e in found if e.end is not None] == ["kitchentable_1"] * tells
    assert all(e.start == 10.0 - since and e.end <= 10.6 for e in found if e.end is not None)
