"""Where an idle robot stands to see hands."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph
from mind.output import Minds
from planner import vantage
from planner.config import PlannerConfig
from planner.geometry import Geometry, off

CONFIG = PlannerConfig()
FRIDGE = Entity("fridge_1", "fridge", (0.4, 2.5, 0.9), (0.7, 0.7, 1.8), 0.0, Openness.CLOSED)
TABLE = Entity("kitchentable_1", "kitchentable", (3.0, 2.5, 0.37), (1.2, 0.8, 0.75))


def person(name, x, y, yaw):
    return Entity(name, "person", (x, y, 0.0), (0.4, 0.4, 1.7), yaw, gaze_yaw=yaw)


def scene(robot, *entities, size=(6.0, 5.0), stamp=10.0):
    """A kitchen with its corner at the origin, and a robot in it."""
    kitchen = Entity("kitchen", "kitchen", (size[0] / 2, size[1] / 2, 1.25), (*size, 2.5))
    everything = (kitchen, Entity(ROBOT, "robot", (*robot, 0.0), (0.4, 0.4, 1.3)), *entities)
    return SceneGraph(stamp, {e.id: e for e in everything}, frozenset(Relation(e.id, RelationKind.IN_ROOM, "kitchen") for e in everything[1:]))


def spot_for(graph, events=(), state=None):
    return vantage.step(state, Geometry(graph, CONFIG, events), Minds(graph.stamp), events, graph.stamp)


def opens(actor="alice", at=10.0):
    return (HumanAction(actor, Verb.OPEN, "fridge_1", None, "kitchen", at - 1.0, at),)


def turn_from(spot, who):
    """Radians between where somebody faces and where they are seen from."""
    return abs((math.atan2(spot[1] - who.position[1], spot[0] - who.position[0]) - who.yaw + math.pi) % (2 * math.pi) - math.pi)


def test_it_comes_nearer_to_hands_that_act_and_round_to_their_side():
    alice = person("alice", 1.1, 2.5, math.pi)
    spot = spot_for(scene((5.5, 2.5), FRIDGE, alice), opens()).spot
    assert 1.2 < math.dist(spot, alice.position[:2]) < 2.6
    assert turn_from(spot, alice) < math.radians(140)  # the robot was right behind her


def test_it_looks_past_who_stands_in_between():
    alice, david = person("alice", 1.1, 2.5, math.pi), person("david", 2.0, 2.9, 0.0)
    spot = spot_for(scene((2.9, 3.3), FRIDGE, alice, david), opens()).spot
    way = [(spot[0] + f * (0.75 - spot[0]), spot[1] + f * (2.5 - spot[1])) for f in (i / 40 for i in range(41))]
    assert min(math.dist(p, david.position[:2]) for p in way) > vantage.BODY_M


@pytest.mark.parametrize("robot", [(0.7, 4.3), (1.3, 4.3), (0.7, 0.7)])
def test_it_does_not_stay_beside_what_opens_where_the_door_comes_to_stand_in_between(robot):
    alice = person("alice", 1.1, 2.5, math.pi)
    spot = spot_for(scene(robot, FRIDGE, alice), opens()).spot
    assert spot is not None and abs(math.atan2(spot[1] - 2.5, spot[0] - 0.75)) < math.radians(70)  # from straight before the fridge


def test_it_comes_to_rest_where_it_sees_well():
    alice, robot, spots = person("alice", 1.1, 2.5, math.pi), (5.5, 2.5), []
    for _ in range(4):
        if (spot := spot_for(scene(robot, FRIDGE, alice), opens()).spot) is not None:
            spots.append(robot := spot)
    assert 1 <= len(spots) < 4 and math.dist(robot, alice.position[:2]) < 2.2 and turn_from(robot, alice) < math.radians(120)


def test_it_leaves_where_people_use_furniture_though_it_sees_no_better_elsewhere():
    sink = Entity("sink_1", "sink", (0.4, 0.4, 0.45), (0.6, 0.6, 0.9))
    stove = Entity("stove_1", "stove", (0.4, 4.6, 0.45), (0.6, 0.6, 0.9), openness=Openness.CLOSED)
    shelf = Entity("bookshelf_1", "bookshelf", (5.6, 1.0, 0.9), (0.4, 1.0, 1.8), openness=Openness.CLOSED)
    others, robot = (FRIDGE, TABLE, sink, stove, shelf, person("alice", 2.6, 4.2, 3.0)), (1.3, 2.5)  # right before the fridge
    spot = spot_for(scene(robot, *others)).spot
    assert spot is not None and math.dist(spot, (1.1, 2.5)) > vantage.USED_M
    assert spot_for(scene(spot, *others)).spot is None  # and stays there


def test_on_the_way_it_does_not_change_its_mind_for_little():
    alice = person("alice", 1.1, 2.5, math.pi)
    state = spot_for(scene((5.5, 2.5), FRIDGE, alice), opens())
    for i in range(1, 12):
        alice = person("alice", 1.1 + 0.02 * (i % 2), 2.5, math.pi)
        now = spot_for(scene((5.5 - 0.1 * i, 2.5), FRIDGE, alice, stamp=10.0 + 0.2 * i), opens(at=10.0 + 0.2 * i), state)
        assert now.spot == state.spot
        state = now


def test_without_a_room_or_a_place_of_its_own_it_stays():
    graph = scene((5.5, 2.5), FRIDGE, person("alice", 1.1, 2.5, math.pi))
    nowhere = SceneGraph(graph.stamp, graph.entities, frozenset())
    assert spot_for(nowhere, opens()).spot is None
    assert spot_for(SceneGraph(graph.stamp, {k: e for k, e in graph.entities.items() if k != ROBOT}, graph.relations), opens()).spot is None
    assert spot_for(SceneGraph(10.0)).spot is None


@pytest.mark.parametrize("robot, size", [((math.nan, 1.0), (6.0, 5.0)), ((1.0, 1.0), (math.inf, 5.0)), ((1.0, 1.0), (0.0, 0.0)), ((1.0, 1.0), (4000.0, 4000.0))])
def test_nonsense_and_halls_are_no_trouble(robot, size):
    alice = person("alice", math.nan, 2.5, math.pi)
    spot = spot_for(scene(robot, FRIDGE, alice, size=size), opens()).spot
    assert spot is None or math.dist(spot, robot) <= 1.5 * vantage.REACH_M


@settings(max_examples=60, deadline=None)
@given(st.tuples(st.floats(0.5, 5.5), st.floats(0.5, 4.5)), st.tuples(st.floats(0.5, 5.5), st.floats(0.5, 4.5)), st.floats(-math.pi, math.pi),
       st.tuples(st.floats(1.2, 5.0), st.floats(1.0, 4.0)))
def test_a_spot_is_in_the_room_off_furniture_and_away_from_people(robot, at, yaw, table):
    stand = Entity("kitchentable_1", "kitchentable", (*table, 0.37), (1.2, 0.8, 0.75), yaw)
    alice, door = person("alice", *at, yaw), Entity("door_1", "door", (6.0, 1.0, 1.0), (0.1, 0.9, 2.0))
    graph = scene(robot, FRIDGE, stand, alice, door)
    spot = spot_for(graph, opens()).spot
    assert spot_for(graph, opens()).spot == spot
    if spot is not None:
        assert vantage.CLEAR_M - 1e-6 <= spot[0] <= 6.0 - vantage.CLEAR_M + 1e-6 and vantage.CLEAR_M - 1e-6 <= spot[1] <= 5.0 - vantage.CLEAR_M + 1e-6
        assert min(off(FRIDGE, spot), off(stand, spot)) >= vantage.CLEAR_M - 1e-6
        assert math.dist(spot, at) >= vantage.APART_M - 1e-6 and math.dist(spot, (6.0, 1.0)) >= vantage.DOOR_M - 1e-6


def test_it_keeps_out_of_the_way_of_who_walks():
    alice = person("alice", 5.0, 2.5, math.pi)
    walk = (HumanAction("alice", Verb.WALKTOWARDS, "fridge_1", None, "kitchen", 9.5, None),)
    spot = spot_for(scene((5.5, 0.5), FRIDGE, alice), walk).spot
    assert spot is None or abs(spot[1] - 2.5) > vantage.WAY_M


def test_it_leaves_the_way_of_who_walks_before_they_are_there():
    alice = person("alice", 5.0, 2.5, math.pi)
    walk = (HumanAction("alice", Verb.WALKTOWARDS, "fridge_1", None, "kitchen", 9.5, None),)
    spot = spot_for(scene((2.5, 2.4), FRIDGE, alice), walk).spot
    assert spot is not None and abs(spot[1] - 2.5) > vantage.WAY_M
    there = spot_for(scene(spot, FRIDGE, alice), walk).spot
    assert there is None or abs(there[1] - 2.5) > vantage.WAY_M


@settings(max_examples=60, deadline=None)
@given(st.tuples(st.floats(0.6, 5.4), st.floats(0.6, 4.4)), st.tuples(st.floats(1.0, 5.0), st.floats(0.6, 4.4)), st.floats(-3.1, 3.1))
def test_it_drives_past_nobody_so_near_that_their_hands_do_not_show(robot, at, yaw):
    alice = person("alice", *at, yaw)
    spot = spot_for(scene(robot, FRIDGE, alice), opens()).spot
    if spot is not None:
        way = [math.dist((robot[0] + f * (spot[0] - robot[0]), robot[1] + f * (spot[1] - robot[1])), at) for f in (i / 40 for i in range(41))]
        assert min(way) >= min(vantage.PAST_M, 0.95 * math.dist(robot, at)) - 0.01


TWO_WAYS_IN = (Entity("door_1", "door", (0.0, 3.5, 1.0), (0.1, 1.0, 2.0)), Entity("door_2", "door", (2.5, 5.0, 1.0), (1.0, 0.1, 2.0)))


def between(spot, a, b):
    """Radians between two things as seen from a spot."""
    first, second = (math.atan2(e.position[1] - spot[1], e.position[0] - spot[0]) for e in (a, b))
    return abs((first - second + math.pi) % (2 * math.pi) - math.pi)


def test_in_an_empty_room_it_stands_where_the_ways_in_are_in_one_picture():
    """Rather than beside one of them, with its back to the other."""
    robot = (1.2, 4.3)
    assert between(robot, *TWO_WAYS_IN) > math.radians(120)
    spot = spot_for(scene(robot, FRIDGE, TABLE, *TWO_WAYS_IN)).spot
    assert between(spot, *TWO_WAYS_IN) < vantage.PICTURE and min(math.dist(spot, d.position[:2]) for d in TWO_WAYS_IN) > vantage.DOOR_M


@pytest.mark.parametrize("looked, gone", [({"alice": 8.0}, True), ({}, False), ({"alice": 1.5}, False)])
def test_who_is_not_where_they_were_last_seen_is_in_nobodys_way_any_more(looked, gone):
    """Last seen 8 s ago; that she is not there any more was seen since, or was not looked at."""
    alice = Entity("alice", "person", (3.9, 3.9, 0.0), (0.4, 0.4, 1.7), 0.0, visible=False, last_seen=2.0)
    graph = scene((1.2, 4.3), FRIDGE, TABLE, *TWO_WAYS_IN, alice)
    state = vantage.step(None, Geometry(graph, CONFIG), Minds(10.0), (), 10.0, {}, looked)
    empty = spot_for(scene((1.2, 4.3), FRIDGE, TABLE, *TWO_WAYS_IN)).spot
    assert (state.spot == empty) is gone


@pytest.mark.parametrize("robot", [(0.8, 2.8), (1.0, 2.2), (1.4, 3.0)])
def test_what_it_sees_from_where_it_may_not_stay_does_not_make_it_go_far(robot):
    """Before the fridge it sees both ways in; it goes to the nearest place from which it does as well, not across the room."""
    spot = spot_for(scene(robot, FRIDGE, TABLE, *TWO_WAYS_IN)).spot
    assert math.dist(spot, robot) < 1.3 < 2.3 < math.dist((3.3, 1.5), robot)


def at_the_door(robot, shows, shut=False, faces=None):
    """The robot in a room with one way in that it looks at, which shows from where it is or, behind its open leaf, does not."""
    way = replace(TWO_WAYS_IN[0], visible=shows, openness=Openness.CLOSED if shut else Openness.OPEN)
    graph = scene(robot, FRIDGE, TABLE, way)
    yaw = math.atan2(3.5 - robot[1], -robot[0]) if faces is None else faces
    return replace(graph, entities={**graph.entities, ROBOT: replace(graph.entities[ROBOT], gaze_yaw=yaw)})


def stood(robot, looks, state=None, start=10.0):
    """The state after so many looks, each (shows, …) as for :func:`at_the_door`, one after the other."""
    for i, look in enumerate(looks):
        state = spot_for(replace(at_the_door(robot, *look), stamp=start + 0.8 * i), state=state)
    return state


def test_it_leaves_where_the_way_in_does_not_show_behind_its_own_leaf():
    behind, door = (1.5, 3.6), (0.0, 3.5)
    assert stood(behind, [(True,)]).spot is None
    from_door = lambda p: math.degrees(math.atan2(p[1] - door[1], p[0] - door[0]))  # noqa: E731
    known = stood((1.5, 2.5), [(True,)])  # it came in, and saw the way in
    still = stood(behind, [(False,)] * 2, known, 20.0)
    assert still.spot is None  # a look or two in vain may be somebody in between
    gone = stood(behind, [(False,)] * 3, known, 20.0)
    assert gone.spot is not None and abs(from_door(gone.spot) - from_door(behind)) > 30
    assert stood(behind, [(False, False, 0.0)] * 5, known, 20.0).spot is None  # it looked elsewhere
    assert stood(behind, [(False,)] * 5, None, 20.0).spot is None  # who tells of doorways may not tell whether they show
    back = stood(behind, [(True, True)], gone, 30.0)
    assert back.spot is None  # the leaf is shut, and hides nothing any more
    assert vantage.stay(gone, 31.0).ways == gone.ways and vantage.stay(None, 31.0).spot is None


def blocked(robot, shows=(), looks=1, state=None, start=10.0, faces=math.pi):
    """The state after so many looks at the fridge and the table, of which only those named show."""
    pieces = [replace(e, visible=e.id in shows) for e in (FRIDGE, TABLE)]
    for i in range(looks):
        graph = scene(robot, *pieces, *(replace(d, visible=False) for d in TWO_WAYS_IN), stamp=start + 0.9 * i)
        state = spot_for(replace(graph, entities={**graph.entities, ROBOT: replace(graph.entities[ROBOT], gaze_yaw=faces)}), state=state)
    return state


@pytest.mark.parametrize("shows, faces, blind", [((), math.pi, True), (("fridge_1",), math.pi, False), ((), 0.5 * math.pi, False)])
def test_it_leaves_where_nothing_shows_of_what_is_before_it(shows, faces, blind):
    """It has come to stand behind an open leaf, which is all its pictures show; or there is no furniture where it looks."""
    robot = blocked((5.5, 2.5), ("fridge_1",)).spot  # from there nothing is gained by going anywhere
    assert blocked(robot, shows, vantage.IN_VAIN_ALL, faces=faces).spot is None
    gone = blocked(robot, shows, vantage.IN_VAIN_ALL + 1, faces=faces)
    assert (gone.spot is not None and math.dist(gone.spot, robot) >= vantage.BLIND_M) is blind
    assert blocked(robot, ("fridge_1",), 2, gone, 30.0).spot is None  # nothing is before it any more


def test_a_spot_that_it_does_not_get_to_is_given_up():
    robot, alice = (5.5, 2.5), person("alice", 1.1, 2.5, math.pi)
    state, sent = None, []
    for i in range(12):
        state = spot_for(scene(robot, FRIDGE, alice, stamp=10.0 + 0.9 * i), opens(at=10.0 + 0.9 * i), state)
        sent.append(state.spot)
    first = sent[0]
    assert first is not None and all(s == first for s in sent[:4])  # it is given some time
    assert all(s is None or math.dist(s, first) >= vantage.SHUT_M for s in sent[5:])
    on_its_way = None
    for i in range(12):
        at = (robot[0] + 0.1 * i * (first[0] - robot[0]), robot[1] + 0.1 * i * (first[1] - robot[1]))
        on_its_way = spot_for(scene(at if i < 10 else first, FRIDGE, alice, stamp=10.0 + 0.9 * i), opens(at=10.0 + 0.9 * i), on_its_way)
    assert not on_its_way.given_up
