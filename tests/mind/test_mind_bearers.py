"""What bears a thing turns out to be another piece: nobody moved it, and whoever knew where it was knows it still."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import Verb
from household.scene_graph import SceneGraph
from tests.mind.kitchen_story import Watch, did, graph

BOTH = {"alice": "kitchen", "david": "kitchen"}
APART = {"alice": "livingroom", "david": "kitchen"}


def lies(scene: SceneGraph, x: float, y: float = 2.0) -> SceneGraph:
    """The graph with the apple's middle there, m."""
    return replace(scene, entities={k: replace(e, position=(x, y, 0.8)) if k == "apple_1" else e for k, e in scene.entities.items()})


def left_on_the_counter() -> Watch:
    """Alice saw the apple on what the robot takes for the counter, and left."""
    w = Watch()
    w.see(lies(graph(1, "kitchencounter_1", BOTH, ("alice", "david")), 2.0))
    w.see(lies(graph(5, "kitchencounter_1", APART, ("alice", "david")), 2.0), did("alice", Verb.ENTER, "livingroom", None, 4, 4))
    return w


def thinks(w: Watch, place: str, person: str = "alice") -> float:
    return w.minds.people[person].beliefs["apple_1"].get(place, 0.0)


def test_who_knew_it_knows_it_on_the_other_piece_and_is_not_mistaken():
    w = left_on_the_counter()
    knew = thinks(w, "kitchencounter_1")
    w.see(lies(graph(6, "kitchentable_1", APART, ("alice", "david")), 2.05))
    assert knew > 0.9 and thinks(w, "kitchentable_1") == pytest.approx(knew, abs=0.01) and thinks(w, "kitchencounter_1") < 0.01
    assert w.false("alice", "apple_1") is None and w.minds.robot["apple_1"]["kitchentable_1"] > 0.9
    assert sum(w.minds.people["alice"].beliefs["apple_1"].values()) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("x, event", [(3.0, None), (2.05, did("david", Verb.PUTON, "apple_1", "kitchentable_1", 5.5, 6))])
def test_what_was_moved_is_not_known_to_whoever_did_not_see_it(x, event):
    w = left_on_the_counter()
    w.see(lies(graph(6, "kitchentable_1", APART, ("alice", "david")), x), *([event] if event else []))
    assert thinks(w, "kitchencounter_1") > 0.9 and w.false("alice", "apple_1") is not None
