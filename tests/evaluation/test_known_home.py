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


def test_a_piece_that_the_map_does_not_have_gets_a_name_of_its_own():
    known = KnownHome(HOME)
    away = replace(seen(CABINETS[0], CABINETS[0].id), position=(50.0, 50.0, 1.0))
    graph, _ = known.over(SceneGraph(0.0, {away.id: away}), [])
    (extra,) = [e for e in graph.entities.values() if e.position == away.position]
    assert extra.id not in {f.id for f in HOME.furniture} and graph.entities[CABINETS[0].id].position[0] < 40.0
    again, _ = known.over(SceneGraph(1.0, {away.id: away}), [])
    assert extra.id in again.entities
