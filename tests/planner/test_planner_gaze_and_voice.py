"""Where the camera looks, and how words become sound."""

from __future__ import annotations

import math
import shutil
import wave
from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.scene_graph import Entity, Openness
from mind.output import FalseBelief
from planner import chores, gaze, surroundings
from planner.config import PlannerConfig
from planner.geometry import Geometry
from planner.memory import PlannerState
from planner.voice import EspeakVoice, SilentVoice, VoiceConfig, VoiceOutput, make

CONFIG = PlannerConfig()


def watch(home, minds, events=lambda t: (), start=10.0, seconds=4.0, state=None, helped=None, tracks={}):
    points, t = [], start
    while t <= start + seconds + 1e-9:
        state = gaze.step(state, Geometry(home.graph(t), CONFIG), minds(t), events(t), helped, t, tracks)
        points.append((t, state))
        t = round(t + 0.1, 3)
    return points


def test_hands_that_act_come_before_people_who_stand(home):
    act = HumanAction("david", Verb.OPEN, "cabinet_1", None, "livingroom", 10.0, 10.5)
    points = watch(home, lambda t: home.minds(t), lambda t: (act,))
    assert points[0][1].target == "david" and math.dist(points[0][1].point[:2], (8.5, 2.0)) < 1.0


def test_the_point_moves_smoothly_and_the_target_does_not_flicker(home):
    def minds(t):
        home.change("alice", position=(3.0 + 0.02 * math.sin(7 * t), 0.5, 0.0))
        return home.minds(t, searching={"alice": 0.4 + 0.2 * (int(10 * t) % 2), "david": 0.6 - 0.2 * (int(10 * t) % 2)})

    points = watch(home, minds, seconds=10.0)
    for (t0, a), (t1, b) in zip(points, points[1:]):
        assert math.dist(a.point, b.point) <= gaze.SPEED_M_S * (t1 - t0) + 1e-9
    changes = [t for (_, a), (t, b) in zip(points, points[1:]) if a.target != b.target]
    over = next(t for t, s in points if all(e.id in s.looked for e in surroundings.surroundings(Geometry(home.graph(t), CONFIG))))
    assert over < 13.0  # it has looked at everything once, without lingering
    assert len([t for t in changes if t > over]) <= (20.0 - over) / gaze.DWELL_S + 1


@pytest.mark.parametrize("at, low, high", [((2.8, 3.0, 0.0), 1.1, 1.6), ((3.0, 0.5, 0.0), 1.0, 1.0)])
def test_from_near_the_camera_looks_up_to_the_head(home, at, low, high):
    home.change("alice", position=at, extents=(0.5, 0.35, 1.75))
    point = watch(home, lambda t: home.minds(t), seconds=1.0, helped="alice")[-1][1].point
    assert low - 1e-6 <= point[2] <= high + 1e-6


@pytest.mark.parametrize("busy", [False, True])
def test_from_very_near_neither_the_hands_that_act_nor_the_face_alone_is_looked_at(home, busy):
    here = Geometry(home.graph(10.0), CONFIG).position("robot")
    home.change("alice", position=(here[0] + 0.7, here[1], 0.0), extents=(0.5, 0.35, 1.75))
    home.change("david", visible=False)
    act = HumanAction("alice", Verb.PICK, "apple_1", None, "kitchen", 10.0, 10.5)
    point = watch(home, lambda t: home.minds(t), lambda t: (act,) if busy else (), seconds=1.0, helped="alice")[-1][1].point
    pitch = math.atan2(point[2] - gaze.CAMERA_M, math.dist(here[:2], point[:2]))
    head, hands = (math.atan2(z - gaze.CAMERA_M, 0.7) for z in (1.75 - gaze.HAIR_M, gaze.LOW_M))
    cut = head - (pitch + gaze.HALF_PICTURE), (pitch - gaze.HALF_PICTURE) - hands  # radians of both that are out of the picture
    assert (cut[0] == pytest.approx(cut[1]) and cut[0] > 0.0) if busy else cut[0] == pytest.approx(0.0, abs=1e-6)


def test_after_somebody_left_the_doorway_is_watched_then_the_room(home):
    home.change("alice", visible=False, position=(4.0, 2.0, 0.0))
    home.change("david", visible=False)
    left = HumanAction("alice", Verb.LEAVE, "kitchen", None, "kitchen", 10.0, 10.0)
    points = watch(home, lambda t: home.minds(t), lambda t: (left,), seconds=12.0)
    assert points[5][1].target == "alice" and math.dist(points[20][1].point[:2], (4.0, 2.0)) < 0.2
    assert points[-1][1].target not in ("alice", "david") and len({s.target for _, s in points[70:]}) >= 1


@pytest.mark.parametrize("mistaken, about, company, until", [
    (None, "kitchentable_1", False, gaze.DOOR_S), ("david", "kitchentable_1", False, gaze.ONWARD_S), ("david", "kitchentable_1", True, gaze.DOOR_S),
    ("david", "sofa_1", False, gaze.DOOR_S), ("alice", "kitchentable_1", False, gaze.DOOR_S)])
def test_while_somebody_who_is_mistaken_may_come_in_elsewhere_the_doorway_is_not_watched_for_long(home, mistaken, about, company, until):
    """Unless somebody else is in the room, who would have been looked at by then; nor is it for who is mistaken about another room, or is the one who left."""
    home.change("alice", visible=False, position=(8.5, 2.0, 0.0), last_seen=10.0)
    home.rooms["alice"] = "livingroom"
    home.rooms["david"] = "kitchen" if company else "livingroom"
    home.change("david", visible=company, last_seen=9.0 if company else -100.0)
    left = HumanAction("alice", Verb.LEAVE, "kitchen", None, "kitchen", 10.0, 10.0)

    def minds(t):
        found = home.minds(t)
        if mistaken is None:
            return found
        false = FalseBelief(mistaken, "apple_1", about, "fridge_1", 0.9, 5.0)
        return replace(found, people={**found.people, mistaken: replace(found.people[mistaken], false_beliefs=(false,))})

    went = {"alice": ((9.0, 3.5, 2.0), (9.6, 4.2, 2.0), (10.0, 8.5, 2.0))}
    watched = [t - 10.0 for t, s in watch(home, minds, lambda t: (left,), seconds=9.0, tracks=went) if s.target == "alice"]
    assert until - 0.3 <= max(watched) <= until + 0.3


@pytest.mark.parametrize("mistaken, holds, watched", [(None, False, True), ("david", False, False), ("david", True, True)])
def test_who_walks_about_next_door_with_empty_hands_is_not_watched_while_somebody_who_is_mistaken_may_come_in(home, mistaken, holds, watched):
    home.change("alice", visible=True, position=(7.0, 2.0, 0.0), last_seen=10.0)
    home.rooms["alice"] = home.rooms["david"] = "livingroom"
    home.change("david", visible=False, last_seen=-100.0)
    if holds:
        home.at["book_1"] = "alice"
    walk = HumanAction("alice", Verb.WALKTOWARDS, "sofa_1", None, "livingroom", 9.5, None, 0.9)

    def minds(t):
        found = home.minds(t)
        false = FalseBelief("david", "apple_1", "kitchentable_1", "fridge_1", 0.9, 5.0)
        return found if mistaken is None else replace(found, people={**found.people, "david": replace(found.people["david"], false_beliefs=(false,))})

    tracks = {"alice": [(9.0, 6.0, 2.0), (9.5, 6.5, 2.0), (10.0, 7.0, 2.0)]}
    assert any(s.target == "alice" for _, s in watch(home, minds, lambda t: (walk,), seconds=1.0, tracks=tracks)) is watched


def test_who_walked_out_of_the_picture_is_looked_for_in_the_room_where_they_were_going(home):
    home.change("david", visible=False)
    home.change("alice", visible=False, position=(2.0, 1.0, 0.0), last_seen=9.5)
    at_once = watch(home, lambda t: home.minds(t), seconds=0.0, tracks={"alice": [(9.0, 2.3, 1.2), (9.5, 2.0, 1.0)]})
    assert at_once[-1][1].target == "alice" and math.dist(at_once[-1][1].point[:2], (1.7, 0.8)) < 0.05  # as if she walked on
    home.change("alice", last_seen=8.5)
    walk = {"alice": [(8.0, 2.6, 1.0), (8.5, 2.0, 1.0)]}
    points = watch(home, lambda t: home.minds(t), seconds=0.0, tracks=walk)
    assert {s.target for _, s in points} == {"alice"} and math.dist(points[-1][1].point[:2], (1.0, 1.0)) < 0.3  # the table ahead of her
    heading = watch(home, lambda t: home.minds(t, heading={"alice": "fridge_1"}), seconds=0.0, tracks=walk)
    assert math.dist(heading[-1][1].point[:2], (3.5, 3.5)) < 0.3
    later = watch(home, lambda t: home.minds(t), seconds=25.0, tracks=walk)
    assert later[-1][1].target != "alice" and len({tuple(round(x, 1) for x in s.point) for _, s in later}) > 4


@pytest.mark.parametrize("before, comes", [((5.8, 2.0), True), ((4.5, 2.0), False)])
def test_who_is_about_to_walk_in_is_watched_before_others_and_looked_for_in_the_room(home, before, comes):
    """Alice comes through the doorway at (4.0, 2.0), or goes away from it; David walks about next door, too."""
    home.rooms["alice"] = "livingroom"
    tracks = {"alice": [(9.0, *before), (10.0, 4.8, 2.0)], "david": [(9.0, 9.3, 2.0), (10.0, 8.5, 2.0)]}
    home.change("alice", position=(4.8, 2.0, 0.0), last_seen=10.0)
    home.change("robot", gaze_yaw=0.0)
    assert watch(home, lambda t: home.minds(t, searching={"alice": 0.9}, heading={"alice": "sofa_1"}), seconds=0.0, tracks=tracks)[0][1].rank == (1 if comes else 4)
    home.change("alice", visible=False, last_seen=10.0)
    point = watch(home, lambda t: home.minds(t), start=10.4, seconds=2.0, tracks=tracks)[-1][1].point
    assert (point[0] <= 4.0) is comes  # in the kitchen


@pytest.mark.parametrize("at, since, watched", [((4.6, 2.0), 10.0, True), ((4.6, 2.0), 5.0, False), ((8.0, 2.0), 10.0, False)])
def test_who_has_just_come_into_view_beside_the_doorway_is_watched_before_it_is_told_which_way_they_go(home, at, since, watched):
    empty_kitchen(home)
    home.change("robot", gaze_yaw=0.0)
    home.change("alice", visible=True, position=(*at, 0.0), last_seen=10.0)
    tracks = {"alice": [(since, *at)] if since == 10.0 else [(since, *at), (10.0, *at)]}
    assert (watch(home, lambda t: home.minds(t), seconds=0.0, tracks=tracks)[0][1].target == "alice") is watched


def test_two_people_side_by_side_are_looked_at_both(home):
    home.rooms["david"] = "kitchen"
    home.change("alice", position=(1.5, 0.5, 0.0))
    home.change("david", position=(2.6, 0.5, 0.0))
    points = watch(home, lambda t: home.minds(t, searching={"alice": 0.9}, heading={"alice": "kitchentable_1"}), seconds=3.0)
    x, y = points[-1][1].point[:2]
    assert points[-1][1].target == "alice" and 1.5 < x + 0.2 and x < 2.6 and y < 1.2


@pytest.mark.parametrize("busy, both", [(True, True), (False, False)])
def test_two_who_act_are_looked_at_both_to_the_edge_of_the_picture(home, busy, both):
    """59° apart as the robot sees them; beside somebody at rest the one who acts is looked at."""
    home.rooms["david"] = "kitchen"
    home.change("alice", position=(0.8, 1.0, 0.0))
    home.change("david", position=(3.3, 1.0, 0.0))
    minds = {"searching": {"alice": 0.9, "david": 0.9 if busy else 0.0}, "heading": {"alice": "kitchentable_1", "david": "fridge_1"}}
    point = watch(home, lambda t: home.minds(t, **minds), seconds=3.0)[-1][1].point
    here = home.graph(10.0).entities["robot"].position
    off = [surroundings.apart(here, point, home.graph(10.0).entities[p].position) for p in ("alice", "david")]
    assert (max(off) < math.radians(38)) is both


@pytest.mark.parametrize("at, rank", [((3.0, 3.0), 0), ((1.0, 0.5), 1)])
def test_who_has_left_what_they_handled_handles_it_no_more(home, at, rank):
    home.change("alice", position=(*at, 0.0))
    act = HumanAction("alice", Verb.CLOSE, "fridge_1", None, "kitchen", 9.0, 9.5)
    assert watch(home, lambda t: home.minds(t), lambda t: (act,), seconds=0.0, helped=None)[0][1].rank == rank


@pytest.mark.parametrize("after, watched", [("stands open", True), ("is shut", False)])
def test_who_is_hidden_by_the_door_they_opened_is_waited_for_there(home, after, watched):
    home.change("david", visible=False)
    home.change("alice", visible=False, position=(3.5, 2.9, 0.0), last_seen=10.0)
    home.change("fridge_1", openness=Openness.OPEN if watched else Openness.CLOSED)
    act = HumanAction("alice", Verb.OPEN, "fridge_1", None, "kitchen", 9.0, 9.8)
    points = watch(home, lambda t: home.minds(t), lambda t: (act,), start=10.2, seconds=12.0)
    assert all(s.target == "alice" and math.dist(s.point[:2], (3.5, 2.9)) < 0.1 for _, s in points[:50]) is watched
    assert points[-1][1].target != "alice"  # she may have gone with the door in between


@pytest.mark.parametrize("at, waited_for", [((2.6, 2.4, 0.0), True), ((2.6, 4.2, 0.0), False)])
def test_who_has_walked_away_from_the_doorway_they_opened_is_not_behind_its_door(home, at, waited_for):
    home.change("david", visible=False)
    home.entities["door_2"] = Entity("door_2", "door", (2.6, 2.0, 1.0), (0.9, 0.1, 2.0), openness=Openness.OPEN)
    home.change("alice", visible=False, position=at, last_seen=10.0)
    act = HumanAction("alice", Verb.OPEN, "door_2", None, "kitchen", 8.0, 9.8)
    points = watch(home, lambda t: home.minds(t), lambda t: (act,), start=13.2, seconds=2.0)
    assert all(s.target == "alice" and math.dist(s.point[:2], at[:2]) < 0.1 for _, s in points) is waited_for


@pytest.mark.parametrize("stands", ["alice", "david"])
def test_who_stands_before_furniture_comes_before_who_walks(home, stands):
    """Hands act next there; on the other side of the robot, nobody's do."""
    home.rooms["david"] = "kitchen"
    walks = "david" if stands == "alice" else "alice"
    home.change(stands, position=(3.5, 3.1, 0.0))
    home.change(walks, position=(0.5, 2.2, 0.0))
    tracks = {stands: [(8.0, 2.0, 2.5), (9.2, 3.5, 3.1), (10.0, 3.5, 3.1)], walks: [(8.0, 1.5, 1.2), (9.5, 0.8, 2.0), (10.0, 0.5, 2.2)]}
    minds = {"searching": {p: 0.9 for p in (stands, walks)}, "heading": {stands: "fridge_1", walks: "fridge_1"}}
    assert watch(home, lambda t: home.minds(t, **minds), seconds=0.0, tracks=tracks)[0][1].target == stands


def test_what_was_never_looked_at_comes_first(home):
    home.change("alice", visible=False)
    home.change("david", visible=False)
    del home.rooms["alice"], home.rooms["david"]
    home.rooms["alice"] = home.rooms["david"] = "livingroom"
    points = watch(home, lambda t: home.minds(t), seconds=12.0)
    places = {"kitchentable_1", "fridge_1", *(f"kitchencabinet_{i}" for i in range(1, 7))}
    assert set(points[-1][1].looked) >= places and points[-1][1].target in places


def test_people_at_rest_share_the_camera_with_looks_around(home):
    home.change("david", visible=False)
    points = watch(home, lambda t: home.minds(t), seconds=12.0)
    targets = [s.target for _, s in points]
    assert targets.count("alice") > len(targets) / 4 and len(set(targets)) >= 3


def test_what_is_before_its_eyes_is_made_out_before_it_looks_round(home):
    for person in ("alice", "david"):
        home.change(person, visible=False, last_seen=-100.0)
    home.change("robot", gaze_yaw=math.pi / 2)
    here = Geometry(home.graph(10.0), CONFIG).position("robot")
    points = watch(home, lambda t: home.minds(t), seconds=3.0)
    ahead = [t for t, s in points if math.dist(s.point[:2], (here[0], here[1] + gaze.AHEAD_M)) < 1e-6]
    assert ahead and 10.0 + gaze.DWELL_S - 0.15 < ahead[-1] < 10.0 + gaze.DWELL_S + 0.15 and points[-1][1].target != ""


def test_who_turns_up_is_watched_for_some_seconds_even_if_they_stand(home):
    home.change("david", visible=False, last_seen=-100.0)
    (x, y, _) = home.graph(10.0).entities["alice"].position
    still = [(10.0 + 0.4 * i, x, y) for i in range(20)]
    fresh, known = (watch(home, lambda t: home.minds(t), seconds=2.5, tracks={"alice": track}) for track in
                    (still, [(5.0, x, y), *still]))
    assert {s.target for _, s in fresh} == {"alice"} and {s.target for _, s in known} != {"alice"}


@pytest.mark.parametrize("again, moved", [((1.5, 0.5), False), ((2.5, 1.5), True)])
def test_who_was_out_of_the_picture_and_turns_up_elsewhere_in_the_room_has_moved(home, again, moved):
    """One look at them is all there is since."""
    track = [*((10.0 - 0.4 * i, 1.5, 0.5) for i in range(20, 12, -1)), (10.0, *again)]
    assert gaze.lively(track, 10.0, gaze.LIVELY_M) is moved


def test_a_track_is_of_looks_and_does_not_begin_anew_while_somebody_is_out_of_the_picture(home):
    """Who has long been away is not one who has just turned up."""
    state = PlannerState()
    for i in range(60):
        t = 10.0 + 0.4 * i
        home.change("alice", visible=t < 15.0, last_seen=min(t, 14.8))
        state = chores.observe(state, home.graph(t), Geometry(home.graph(t), CONFIG))
        track = state.tracks["alice"]
        assert track[0][0] == 10.0 and track[-1][0] <= 14.8 + 1e-6
    home.change("alice", visible=True, last_seen=40.0)
    assert [s[0] for s in chores.observe(state, home.graph(40.0), Geometry(home.graph(40.0), CONFIG)).tracks["alice"]] == [40.0]


def test_whoever_may_have_come_in_unseen_is_looked_for_after_those_who_walk_about_in_view(home):
    home.change("david", visible=False, position=(4.6, 2.0, 0.0), last_seen=7.0)  # seen once, beside the doorway
    home.rooms["david"], home.entities["door_1"] = "livingroom", Entity("door_1", "door", (4.0, 2.0, 1.0), (0.1, 0.9, 2.0))
    (x, y, _) = home.graph(10.0).entities["alice"].position
    walks = [(10.0 - 0.4 * i, x + 0.2 * i, y) for i in range(12, -1, -1)]
    state = watch(home, lambda t: home.minds(t), seconds=0.0, tracks={"alice": walks, "david": [(7.0, 4.6, 2.0)]})[0][1]
    assert state.target == "alice"


def empty_kitchen(home):
    for person in ("alice", "david"):
        home.rooms[person] = "livingroom"
        home.change(person, visible=False, last_seen=-100.0)
    home.entities["door_1"] = Entity("door_1", "door", (4.0, 2.0, 1.0), (0.1, 0.9, 2.0))


def test_in_an_empty_room_the_doorway_is_watched_most_and_the_rest_again_and_again(home):
    empty_kitchen(home)
    points = watch(home, lambda t: home.minds(t), seconds=60.0)
    targets = [s.target for _, s in points[200:]]
    assert targets.count("door_1") > 0.5 * len(targets) and len(set(targets)) > 2
    at = points[-1][0]
    assert all(at - points[-1][1].looked[i] < 25.0 for i in ("kitchentable_1", "fridge_1", "kitchencabinet_1", "door_1"))


def went_next_door(home, david_stays):
    """Alice goes out of the kitchen at (3.9, 2.0), where there is no door, and has been next door for long at 60.0 s; nothing else was ever looked at."""
    home.change("david", visible=david_stays, last_seen=59.0 if david_stays else -100.0, position=(1.5, 0.5, 0.0) if david_stays else (8.5, 2.0, 0.0))
    home.rooms["david"] = "kitchen" if david_stays else "livingroom"
    home.change("alice", visible=True, position=(3.9, 2.0, 0.0))
    (_, state), = watch(home, lambda t: home.minds(t), seconds=0.0)
    home.rooms["alice"] = "livingroom"
    home.change("alice", visible=False, position=(6.0, 3.5, 0.0), last_seen=12.0)
    return watch(home, lambda t: home.minds(t), start=60.0, seconds=30.0, state=state)


def test_with_nobody_in_the_room_the_way_they_went_is_looked_at_before_who_comes_back_is_past_it(home):
    points, here, way = went_next_door(home, david_stays=False), (2.0, 3.0, 0.0), (3.9, 2.0, 1.0)
    looks = [t for t, s in points if surroundings.apart(here, s.point, way) < surroundings.CENTRAL]
    assert max(b - a for a, b in zip([60.0, *looks], [*looks, points[-1][0]])) < 2 * gaze.WAY_IN_S + 1.0  # and the way there and back
    assert len({s.target for _, s in points}) > 4  # the room is looked at, too


def test_with_somebody_in_the_room_nobody_waits_for_those_who_went(home):
    assert "alice" not in {s.target for _, s in went_next_door(home, david_stays=True)[20:]}


def test_a_doorway_comes_before_what_was_never_looked_at_when_it_was_out_of_the_picture_for_long(home):
    empty_kitchen(home)
    points, here = watch(home, lambda t: home.minds(t), seconds=40.0), (2.0, 3.0, 0.0)
    looks = [t for t, s in points if surroundings.apart(here, s.point, (4.0, 2.0, 1.0)) < surroundings.CENTRAL]
    assert max(b - a for a, b in zip(looks, looks[1:])) < 2 * gaze.WAY_IN_S + 1.0


@pytest.mark.parametrize("sure", (0.9, 0.2))
def test_where_somebody_who_went_thinks_that_something_is_is_looked_at_as_often_as_the_ways_in(home, sure):
    """They may go right there when they come back, and nobody sees them come in who looks elsewhere just then."""
    empty_kitchen(home)
    home.change("alice", visible=False, last_seen=-100.0)
    home.rooms["alice"] = "livingroom"

    def minds(t):
        found = home.minds(t, {"alice": {}})
        false = FalseBelief("alice", "apple_1", "kitchencabinet_1", "fridge_1", sure, 0.0)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    points, here, there = watch(home, minds, seconds=60.0), (2.0, 3.0, 0.0), home.entities["kitchencabinet_1"].position
    looks = [t for t, s in points if t > 25.0 and surroundings.apart(here, s.point, there) < surroundings.CENTRAL]
    longest = max(b - a for a, b in zip([25.0, *looks], [*looks, points[-1][0]]))
    assert (longest < gaze.WAY_IN_S + 3 * gaze.DWELL_S) is (sure >= 0.5)


def test_a_doorway_is_watched_with_as_much_of_the_room_in_the_picture_as_it_allows(home):
    empty_kitchen(home)
    here = (2.0, 3.0, 0.0)
    door = (4.0, 2.0, 1.0)
    aside = [surroundings.apart(here, s.point, door) for t, s in watch(home, lambda t: home.minds(t), seconds=60.0) if s.target == "door_1" and t - s.since > 1.0]
    assert len(aside) > 50 and math.radians(5) < min(aside) and max(aside) < surroundings.CENTRAL


def test_a_camera_that_turns_slowly_gets_to_a_doorway_before_it_goes_on_to_the_next(home, monkeypatch):
    """Two doorways on opposite sides; the neck makes 90 degrees a second."""
    monkeypatch.setattr(gaze, "ROUND_S", math.inf)
    empty_kitchen(home)
    home.entities["door_2"] = Entity("door_2", "door", (0.0, 2.5, 1.0), (0.1, 0.9, 2.0))
    looked = {}
    for t, yaw, state, geometry in turning(home, 40.0):
        if state.target.startswith("door") and t > 15.0:  # the first look all round is over
            here, point = geometry.position("robot"), next(
                i.point for i in gaze._pieces(geometry, surroundings.surroundings(geometry)) if i.target == state.target)
            off = surroundings.apart(here, (here[0] + math.cos(yaw), here[1] + math.sin(yaw), 0.0), point)
            looked[state.target, state.since] = looked.get((state.target, state.since), 0) + (off < math.radians(16))
    *over, _ = looked.values()
    assert len(over) >= 6 and min(over) >= 8  # pictures that show who stands there


@pytest.mark.parametrize("yaw", [0.0, 2.0, -2.0])
def test_a_robot_that_comes_into_a_room_looks_all_round_before_it_watches_the_ways_in(home, yaw):
    """Somebody may be behind it."""
    empty_kitchen(home)
    home.entities["door_2"] = Entity("door_2", "door", (0.0, 2.5, 1.0), (0.1, 0.9, 2.0))
    around = {e.id for e in surroundings.surroundings(Geometry(home.graph(10.0), CONFIG))}
    over = next(t for t, _, state, _ in turning(home, 20.0, yaw) if set(state.looked) >= around)
    assert over < 10.0 + gaze.DWELL_S + 360 / 90


def test_nothing_of_an_empty_room_stays_out_of_the_picture_for_long(home):
    """Two doorways on opposite sides keep the camera going to and fro; who has slipped in meanwhile is found."""
    empty_kitchen(home)
    home.entities["door_2"] = Entity("door_2", "door", (0.0, 2.5, 1.0), (0.1, 0.9, 2.0))
    around = {e.id for e in surroundings.surroundings(Geometry(home.graph(10.0), CONFIG))}
    oldest = max(t - min(state.looked.get(e, t) for e in around) for t, _, state, _ in turning(home, 60.0) if t > 16.0)
    assert oldest < gaze.ROUND_S + 360 / 90


def turning(home, seconds, yaw=0.0):
    """(stamp, where the camera looks then, gaze state, geometry), every 0.1 s: it goes after the point by 9 degrees."""
    state = None
    for i in range(int(10 * seconds)):
        t = round(10.0 + 0.1 * i, 3)
        home.change("robot", gaze_yaw=yaw)
        geometry = Geometry(home.graph(t), CONFIG)
        state = gaze.step(state, geometry, home.minds(t), (), None, t)
        here = geometry.position("robot")
        error = (math.atan2(state.point[1] - here[1], state.point[0] - here[0]) - yaw + math.pi) % (2 * math.pi) - math.pi
        yaw += max(-math.radians(9), min(math.radians(9), error))
        yield t, yaw, state, geometry


def test_who_stands_next_door_is_not_watched_for_ever(home):
    home.change("alice", visible=False, last_seen=-100.0)
    enter = HumanAction("david", Verb.ENTER, "livingroom", None, "livingroom", 9.5, 10.0)
    points = watch(home, lambda t: home.minds(t, searching={"david": 0.9}, heading={"david": "sofa_1"}), lambda t: (enter,), seconds=12.0)
    assert points[10][1].target == "david" and "david" not in {s.target for t, s in points if t > 10.0 + gaze.DOOR_S + gaze.DWELL_S}


def test_nothing_to_look_at_is_no_point():
    from household.scene_graph import SceneGraph
    from mind.output import Minds

    assert gaze.step(None, Geometry(SceneGraph(0.0), CONFIG), Minds(0.0), (), None, 0.0) is None


@pytest.mark.skipif(shutil.which("espeak-ng") is None and shutil.which("espeak") is None, reason="espeak-ng is not installed")
def test_every_sentence_gets_a_file_of_its_own_with_sound_in_it(tmp_path):
    voice = EspeakVoice(VoiceConfig(VoiceOutput.FILE, str(tmp_path), keep=2))
    spoken = [voice.speak(text) for text in ("Alice, the apple is in the fridge.", "Yes.", "David, someone moved the book.")]
    assert all(s.ok for s in spoken) and len({s.wav for s in spoken}) == 3
    assert spoken[0].seconds > 1.0 > spoken[1].seconds > 0.1
    with wave.open(spoken[2].wav) as sound:
        data = sound.readframes(sound.getnframes())
    assert len(set(data)) > 20
    assert len(list(tmp_path.iterdir())) == 2  # the oldest went


def test_a_folder_that_cannot_be_written_is_a_reason_not_an_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    spoken = EspeakVoice(VoiceConfig(VoiceOutput.FILE, str(blocked / "inside"))).speak("Hello.")
    assert not spoken.ok and "voice folder" in spoken.reason


def test_the_silent_voice_keeps_every_word_and_says_nothing(tmp_path):
    voice = make(VoiceConfig(folder=str(tmp_path)), muted=True)
    assert isinstance(voice, SilentVoice) and voice.speak(" Hello \n there. ").ok and voice.spoken == ["Hello there."]
    assert not voice.speak("  ").ok and list(tmp_path.iterdir()) == []


def test_a_wrong_rate_is_named():
    with pytest.raises(ValueError, match="rate"):
        VoiceConfig(rate=5)
