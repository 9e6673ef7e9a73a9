"""The robot's own view of a simulator's whole truth: what it sees, remembers, loses, and which actions it saw."""

from dataclasses import replace

import pytest

from household.actions import Verb
from household.scene_graph import ROBOT, Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking
from sim_bridges.symbolic import ViewState, inspected_by, seen_by, view

IN, INSIDE, ON, HOLDS = RelationKind.IN_ROOM, RelationKind.INSIDE, RelationKind.ON, RelationKind.HOLDS


def truth(stamp, people=None, apple=(ON, "kitchentable_1"), fridge=Openness.CLOSED, lamp=False, posture=Posture.STANDING):
    """Kitchen (x < 4) with robot, table and fridge; living room with a lamp. ``people``: id → (room, x, y, yaw)."""
    people = people or {"alice": ("kitchen", 1.0, 2.0, 0.0)}
    spots = {"kitchen": (2, 2, 0), "livingroom": (6, 2, 0), "kitchentable_1": (2, 2, 0.4), "fridge_1": (3.5, 3.5, 0.9), "lamp_1": (6, 1, 0.7),
             "apple_1": (2, 2, 0.8), ROBOT: (0.5, 0.5, 0)}
    cls = {"kitchen": "kitchen", "livingroom": "livingroom", "kitchentable_1": "kitchentable", "fridge_1": "fridge", "lamp_1": "lamp",
           "apple_1": "apple", ROBOT: "robot"}
    entities = {i: Entity(i, cls[i], p, (0.6, 0.6, 0.8)) for i, p in spots.items()}
    entities["fridge_1"] = replace(entities["fridge_1"], openness=fridge)
    entities["lamp_1"] = replace(entities["lamp_1"], switched_on=lamp)
    for id, (_, x, y, yaw) in people.items():
        entities[id] = Entity(id, "person", (x, y, 0), (0.4, 0.5, 1.7), yaw, posture=posture)
    relations = {Relation(i, IN, "kitchen") for i in ("kitchentable_1", "fridge_1", ROBOT)} | {Relation("lamp_1", IN, "livingroom")}
    relations |= {Relation(id, IN, room) for id, (room, *_) in people.items()}
    kind, place = apple
    relations.add(Relation(place, HOLDS, "apple_1") if kind is HOLDS else Relation("apple_1", kind, place))
    if kind is not HOLDS:
        relations.add(Relation("apple_1", IN, "livingroom" if place == "livingroom" else "kitchen"))
    return SceneGraph(stamp, entities, frozenset(relations))


def through(*truths):
    state, graphs, events = ViewState(), [], []
    for t in truths:
        state, graph, new = view(state, t)
        graphs.append(graph)
        events.append(new)
    return graphs, events


def verbs(events):
    return [(e.actor, e.verb, e.target, e.place) for e in events]


def test_same_room_and_not_in_a_closed_container():
    shut = truth(0, apple=(INSIDE, "fridge_1"))
    assert "apple_1" not in seen_by(shut, "alice") and "fridge_1" in seen_by(shut, "alice") and "lamp_1" not in seen_by(shut, "alice")
    assert "apple_1" in seen_by(truth(0, apple=(INSIDE, "fridge_1"), fridge=Openness.OPEN), "alice")
    assert inspected_by(shut, "alice") == {"kitchen", "kitchentable_1"}
    assert inspected_by(truth(0, fridge=Openness.OPEN), "alice") == {"kitchen", "kitchentable_1", "fridge_1"}


def test_what_was_never_seen_is_not_known_but_the_home_is():
    (graph,), _ = through(truth(0, people={"bob": ("livingroom", 6, 2, 0)}, apple=(INSIDE, "fridge_1")))
    assert "apple_1" not in graph.entities and "bob" not in graph.entities
    assert graph.entities["lamp_1"].visible is False and graph.entities["lamp_1"].switched_on is None
    assert graph.entities["fridge_1"].openness is Openness.CLOSED and set(graph.sees) == {ROBOT}


def test_remembered_contained_lost_and_seen_again():
    graphs, _ = through(truth(0), truth(1, apple=(HOLDS, "alice")), truth(2, apple=(INSIDE, "fridge_1"), fridge=Openness.OPEN),
                        truth(3, apple=(INSIDE, "fridge_1")), truth(4, apple=(ON, "livingroom"), fridge=Openness.OPEN), truth(5))
    assert [g.entities["apple_1"].tracking for g in graphs] == [Tracking.VISIBLE, Tracking.HELD, Tracking.VISIBLE, Tracking.CONTAINED,
                                                                Tracking.LOST, Tracking.VISIBLE]
    assert graphs[3].place_of("apple_1") == "fridge_1" and graphs[4].place_of("apple_1") is None
    assert graphs[3].entities["apple_1"].last_seen == 2


@pytest.mark.parametrize("after,expected", [
    (dict(apple=(HOLDS, "alice")), ("alice", Verb.PICK, "apple_1", "kitchentable_1")),
    (dict(fridge=Openness.OPEN, people={"alice": ("kitchen", 3.0, 3.0, 0.8)}), ("alice", Verb.OPEN, "fridge_1", None)),
    (dict(posture=Posture.SITTING), ("alice", Verb.SIT, None, None)),
])
def test_single_changes(after, expected):
    _, events = through(truth(0), truth(1, **after))
    assert expected in verbs(events[1])


def test_putting_and_giving():
    both = {"alice": ("kitchen", 1.0, 2.0, 0.0), "bob": ("kitchen", 1.4, 2.0, 3.1)}
    _, events = through(truth(0, both, (HOLDS, "alice")), truth(1, both, (HOLDS, "bob")), truth(2, both, (INSIDE, "fridge_1"), Openness.OPEN),
                        truth(3, both, (HOLDS, "alice"), Openness.OPEN), truth(4, both, (ON, "kitchentable_1"), Openness.OPEN))
    assert [v[:4] for e in events[1:] for v in verbs(e) if v[2] == "apple_1"] == [
        ("alice", Verb.GIVE, "apple_1", "bob"), ("bob", Verb.PUTIN, "apple_1", "fridge_1"), ("alice", Verb.PICK, "apple_1", "fridge_1"),
        ("alice", Verb.PUTON, "apple_1", "kitchentable_1")]


def test_walking_is_told_when_it_is_over_and_rooms_when_entered():
    def at(stamp, x, y, yaw=0.8, room="kitchen"):
        return truth(stamp, {"alice": (room, x, y, yaw)})

    _, events = through(at(0, 1, 2), at(1, 2, 2.5), at(2, 2.9, 2.9), at(3, 2.9, 2.9), at(4, 2.9, 2.9), at(5, 5.0, 2.0, 0, "livingroom"))
    flat = [(e.verb, e.target, e.start, e.end) for step in events for e in step]
    assert flat == [(Verb.WALK, "fridge_1", 0, 2), (Verb.ENTER, "livingroom", 4, 5)]


def test_witnesses_are_those_in_the_room():
    people = {"alice": ("kitchen", 1.0, 2.0, 0.0), "bob": ("kitchen", 1.5, 1.0, 0.0), "carol": ("livingroom", 6, 2, 0.0)}
    _, events = through(truth(0, people), truth(1, people, (HOLDS, "alice")))
    assert dict(events[1][0].witnesses) == {"bob": 1.0, "carol": 0.0}


def test_actions_in_other_rooms_are_not_seen():
    people = {"bob": ("livingroom", 6.0, 1.4, -1.57)}
    _, events = through(truth(0, people), truth(1, people, lamp=True))
    assert events[1] == ()
    assert through(truth(0, people), truth(1, people, lamp=True))[0][1].event_count == 0


def test_who_did_it_when_two_stand_there():
    """The one who faces it; of two who do, the one who came last."""
    def at(stamp, fridge, bob=(3.0, 3.0, 0.78)):
        return truth(stamp, {"alice": ("kitchen", 3.0, 3.0, 0.78), "bob": ("kitchen", *bob)}, fridge=fridge)

    _, events = through(at(0, Openness.CLOSED, (1.0, 1.0, 0.78)), at(1, Openness.CLOSED), at(2, Openness.OPEN))
    assert ("bob", Verb.OPEN, "fridge_1", None) in verbs(events[2])
    _, events = through(at(0, Openness.CLOSED, (3.0, 3.0, -2.4)), at(1, Openness.OPEN, (3.0, 3.0, -2.4)))
    assert ("alice", Verb.OPEN, "fridge_1", None) in verbs(events[1])


def test_the_count_orders_events_and_time_that_starts_again_forgets():
    graphs, _ = through(truth(0), truth(1, apple=(HOLDS, "alice")), truth(2), truth(0.5))
    assert [g.event_count for g in graphs] == [0, 1, 2, 0]
    assert all(r.subject in g.entities and r.object in g.entities for g in graphs for r in g.relations)
