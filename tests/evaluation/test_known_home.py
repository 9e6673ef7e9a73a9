"""The map of a home under what perception finds: one piece, one name, whatever perception called it and whenever it was found."""

from __future__ import annotations

from dataclasses import replace

from evaluation.known_home import KnownHome
from household.actions import HumanAction, Verb
from household.scene_graph import Entity, Openness, Relation, RelationKind, SceneGraph
from sim_bridges.embedded.home import load_home

HOME = load_home("maple")
CABINETS = [f for f in HOME.furniture if f.cls == "kitchencabinet"]


def seen(piece, called, **more):
    x, y, z = piece.position
    return Entity(called, piece.cls, (x + 0.1, y, z + piece.size[2] / 2), (piece.size[1], piece.size[0], piece.size[2]), openness=Openness.OPEN, **more)


def test_a_piece_keeps_its_name_before_and_after_it_is_found_and_perceptions_name_for_it_means_no_other():
    known, first, last = KnownHome(HOME), CABINETS[0], CABINETS[-1]
    graph, _ = known.over(SceneGraph(0.0), [])
    assert {f.id for f in CABINETS} <= graph.entities.keys() and graph.entities[last.id].openness is Openness.UNKNOWN
    mug = Entity("mug_1", "mug", last.position)
    found = SceneGraph(1.0, {first.id: seen(last, first.id), "mug_1": mug}, frozenset({Relation("mug_1", RelationKind.INSIDE, first.id)}),
                       {"robot": frozenset({first.id})})
    graph, (event,) = known.over(found, [HumanAction("ann", Verb.OPEN, first.id, None, "kitchen", 0.5, 1.0)])
    assert graph.entities[last.id].openness is Openness.OPEN and graph.entities[first.id].openness is Openness.UNKNOWN
    assert graph.place_of("mug_1") == last.id == event.target and graph.sees["robot"] == {last.id}
    assert len([e for e in graph.entities.values() if e.cls == "kitchencabinet"]) == len(CABINETS)


def test_a_piece_that_was_first_found_beside_where_it_stands_gets_its_own_name_once_it_is_seen_there():
    left, right = next((a, b) for a in CABINETS for b in CABINETS if 0.4 < b.position[0] - a.position[0] < 0.8 and abs(b.position[1] - a.position[1]) < 0.1)
    known, there = KnownHome(HOME), seen(right, "kitchencabinet_90")
    between = replace(there, position=(0.6 * left.position[0] + 0.4 * right.position[0], *there.position[1:]))
    graph, _ = known.over(SceneGraph(0.0, {there.id: between}), [])
    assert graph.entities[left.id].openness is Openness.OPEN
    graph, (event,) = known.over(SceneGraph(1.0, {there.id: there}), [HumanAction("ann", Verb.OPEN, there.id, None, "kitchen", 0.5, 1.0)])
    assert event.target == right.id and graph.entities[right.id].openness is Openness.OPEN and graph.entities[left.id].openness is Openness.UNKNOWN
    nearly = replace(there, position=(right.position[0] - 0.2, *there.position[1:]))
    assert known.over(SceneGraph(2.0, {there.id: nearly}), [])[0].entities[right.id].position == nearly.position


def test_a_piece_that_the_map_does_not_have_gets_a_name_of_its_own():
    known, desk = KnownHome(HOME), next(f for f in HOME.furniture if f.cls == "desk")
    away = replace(seen(desk, desk.id), position=(50.0, 50.0, 1.0), openness=Openness.NONE)
    graph, _ = known.over(SceneGraph(0.0, {away.id: away}), [])
    (extra,) = [e for e in graph.entities.values() if e.position == away.position]
    assert extra.id not in {f.id for f in HOME.furniture} and graph.entities[desk.id].position[0] < 40.0
    again, _ = known.over(SceneGraph(1.0, {away.id: away}), [])
    assert extra.id in again.entities


def test_a_cupboard_that_the_map_does_not_have_is_not_there_nor_is_anything_in_it_or_done_to_it():
    away = replace(seen(CABINETS[0], CABINETS[0].id), position=(50.0, 50.0, 1.0))
    mug = Entity("mug_1", "mug", away.position)
    found = SceneGraph(0.0, {away.id: away, "mug_1": mug}, frozenset({Relation("mug_1", RelationKind.INSIDE, away.id)}), {"robot": frozenset({away.id, "mug_1"})})
    graph, events = KnownHome(HOME).over(found, [HumanAction("ann", Verb.OPEN, away.id, None, "kitchen", 0.5, 1.0), HumanAction("ann", Verb.PICK, "mug_1", None, "kitchen", 0.5, 1.0)])
    assert all(e.position != away.position for e in graph.entities.values() if e.cls == "kitchencabinet")
    assert graph.place_of("mug_1") is None and graph.sees["robot"] == {"mug_1"} and [e.verb for e in events] == [Verb.PICK]


def test_a_piece_that_stands_just_where_the_map_has_one_is_that_one_whatever_it_is_taken_for():
    desk = next(f for f in HOME.furniture if f.cls == "desk")
    taken_for = replace(seen(desk, "kitchentable_1"), cls="kitchentable", openness=Openness.NONE, confidence=0.7)
    plate = Entity("plate_1", "plate", desk.position)
    known = KnownHome(HOME)
    found = SceneGraph(1.0, {"kitchentable_1": taken_for, "plate_1": plate}, frozenset({Relation("plate_1", RelationKind.ON, "kitchentable_1")}))
    graph, (event,) = known.over(found, [HumanAction("ann", Verb.PUTON, "plate_1", "kitchentable_1", "bedroom", 0.5, 1.0)])
    assert graph.place_of("plate_1") == desk.id == event.place and graph.entities[desk.id].cls == "desk" and graph.entities[desk.id].visible
    both = replace(found, stamp=2.0, entities={**found.entities, "desk_7": replace(seen(desk, "desk_7"), confidence=0.5)})
    graph, _ = known.over(both, [])
    assert graph.entities[desk.id].confidence == 0.5 and graph.place_of("plate_1") == desk.id
    assert [e.id for e in graph.entities.values() if e.position == taken_for.position] == [desk.id]
    beside = replace(taken_for, position=(desk.position[0] + 0.6, *taken_for.position[1:]))
    above = replace(taken_for, position=(*taken_for.position[:2], 1.8))
    for other in (beside, above):
        graph, _ = KnownHome(HOME).over(SceneGraph(1.0, {other.id: other}), [])
        assert not graph.entities[desk.id].visible


def test_what_is_taken_for_a_table_and_opens_is_not_known_to_be_shut():
    cabinet = next(f for f in HOME.furniture if f.cls == "cabinet")
    taken_for = replace(seen(cabinet, "coffeetable_7"), cls="coffeetable", openness=Openness.NONE)
    graph, _ = KnownHome(HOME).over(SceneGraph(1.0, {taken_for.id: taken_for}), [])
    assert (graph.entities[cabinet.id].cls, graph.entities[cabinet.id].openness) == ("cabinet", Openness.UNKNOWN)
