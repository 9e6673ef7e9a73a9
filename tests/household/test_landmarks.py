"""Like pieces of furniture are told apart by what they stand near: said, understood and read alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household import landmarks
from household.actions import Utterance
from household.landmarks import Piece, landmark_of, resolved
from household.scene_graph import Entity, Relation, RelationKind, SceneGraph
from mind.dialogue.interpret import interpret
from mind.dialogue.memory import DialogueContext
from planner import words
from sim_bridges.embedded.hearing import pieces_of, understand
from sim_bridges.embedded.home import load_home

ROW = {"fridge_1": Piece("fridge", (0.0, 0.0, 0.9), 0.7, "kitchen"),
       **{f"kitchencabinet_{n}": Piece("kitchencabinet", (0.8 * n, 0.0, 1.5), 0.6, "kitchen") for n in (1, 2, 3)}}


def test_the_least_count_from_the_clearest_landmark():
    assert [landmark_of(f"kitchencabinet_{n}", ROW) for n in (1, 2, 3)] == [("fridge_1", 1), ("fridge_1", 2), ("fridge_1", 3)]
    stove = {**ROW, "stove_1": Piece("stove", (2.8, 0.0, 0.45), 0.6, "kitchen")}
    assert landmark_of("kitchencabinet_3", stove) == ("stove_1", 1)


def test_what_is_no_help_is_no_landmark():
    level = {"fridge_1": Piece("fridge", (1.2, 0.0, 1.5), 0.7, "kitchen"), **{k: p for k, p in ROW.items() if k != "kitchencabinet_3" and k != "fridge_1"}}
    assert landmark_of("kitchencabinet_1", level) is None  # as far from the one as from the other
    assert landmark_of("kitchencabinet_1", {k: p for k, p in ROW.items() if k != "fridge_1"}) is None
    beyond = {**{k: p for k, p in ROW.items() if k != "fridge_1"}, "bed_1": Piece("bed", (0.0, 0.0, 0.3), 1.6, "bedroom")}
    assert landmark_of("kitchencabinet_1", beyond) is None  # behind the wall
    chairs = {**{k: p for k, p in ROW.items() if k != "fridge_1"}, "chair_1": Piece("chair", (0.0, 0.0, 0.4), 0.5, "kitchen")}
    assert landmark_of("kitchencabinet_1", chairs) is None  # it stands elsewhere tomorrow


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from((0.4, 1.5))), min_size=2, max_size=5),
       st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from(("fridge", "stove", "kitchentable"))), min_size=1, max_size=4),
       st.lists(st.floats(-0.05, 0.05), min_size=30, max_size=30))
@settings(max_examples=150, deadline=None)
def test_whoever_measures_a_little_differently_means_the_same_piece(cabinets, others, errors):
    pieces = {**{f"kitchencabinet_{i}": Piece("kitchencabinet", at, 0.6, "kitchen") for i, at in enumerate(cabinets)},
              **{f"{cls}_{i}": Piece(cls, (x, y, 0.5), 0.6, "kitchen") for i, (x, y, cls) in enumerate(others)}}
    noise = iter(errors)
    heard = {k: Piece(p.cls, (p.position[0] + next(noise), p.position[1] + next(noise), p.position[2]), p.width, p.room) for k, p in pieces.items()}
    same = [k for k in pieces if k.startswith("kitchencabinet")]
    for target in same:
        if (said := landmark_of(target, pieces)) is not None:
            assert said[1] <= landmarks.MOST
            alike = [k for k, p in heard.items() if p.cls == pieces[said[0]].cls]
            assert resolved(same, alike, said[1], heard) == target


@pytest.mark.parametrize("name", ["maple", "orchard", "harbor"])
def test_what_is_said_of_a_piece_is_understood_by_people_and_by_the_mind(name):
    home = load_home(name)
    pieces, thing = pieces_of(home), home.things[0]
    entities = {i: Entity(i, p.cls, p.position, (p.width, p.width, 1.0)) for i, p in pieces.items()}
    entities |= {r.id: Entity(r.id, r.cls, (0.0, 0.0, 0.0)) for r in home.rooms} | {"robot": Entity("robot", "robot", (0.0, 0.0, 0.0))}
    entities[thing.id] = Entity(thing.id, thing.cls, (0.0, 0.0, 0.0))
    graph = SceneGraph(0.0, entities, frozenset(Relation(f.id, RelationKind.IN_ROOM, f.room) for f in home.furniture))
    told = [f for f in home.furniture if "nearest" in words.place(f.id, graph)]
    assert told
    for piece in told:
        text = f"The {words.thing(thing.id, graph)[4:]} is {words.at(piece.id, graph)}."
        assert understand(text, home).places == (piece.id,), text
        (act,) = interpret(Utterance("robot", text, 1.0, None), DialogueContext(graph))
        assert act.place == piece.id, text
