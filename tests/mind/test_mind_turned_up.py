"""What comes out of a drawer in somebody's hand was in there before: who had it open then knew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import Verb
from household.scene_graph import SceneGraph
from mind.goals import UNSEEN
from tests.mind.kitchen_story import Watch, did, graph

BOTH = {"alice": "kitchen", "david": "kitchen"}
APART = {"alice": "livingroom", "david": "kitchen"}


def without_apple(g: SceneGraph) -> SceneGraph:
    entities = {k: e for k, e in g.entities.items() if k != "apple_1"}
    return replace(g, entities=entities, relations=frozenset(r for r in g.relations if "apple_1" not in (r.subject, r.object)),
                   sees={k: v - {"apple_1"} for k, v in g.sees.items()})


def taken(known: bool = False, another: bool = False, looks: bool = True, seen: bool = True, first: bool = False) -> Watch:
    """Alice has the fridge open; later, when she is away, David takes an apple out of it. ``known``: the apple was seen elsewhere before; ``another``: in between
    Mia had the fridge open, too; ``looks``: Alice did; ``seen``: it is seen that it stands open, and not only that she shuts it; ``first``: David's taking it is told before it shows."""
    w, bare = Watch(), (lambda g: g) if known else without_apple
    w.see(bare(graph(1, "kitchentable_1", BOTH, ("alice",))))
    if looks and seen:
        w.see(bare(graph(3, "kitchentable_1", BOTH, ("alice",), ("fridge_1",))), did("alice", Verb.OPEN, "fridge_1", None, 2, 3))
    if looks:
        w.see(bare(graph(5, "kitchentable_1", BOTH, ("alice",))), did("alice", Verb.CLOSE, "fridge_1", None, 4, 5))
    w.see(bare(graph(8, "kitchentable_1", APART)), did("alice", Verb.LEAVE, "kitchen", None, 7, 7), did("alice", Verb.ENTER, "livingroom", None, 7, 7))
    if another:
        w.see(bare(graph(12, "kitchentable_1", {**APART, "mia": "kitchen"}, ("mia",), ("fridge_1",))), did("mia", Verb.OPEN, "fridge_1", None, 11, 12))
        w.see(bare(graph(14, "kitchentable_1", {**APART, "mia": "kitchen"})), did("mia", Verb.CLOSE, "fridge_1", None, 13, 14))
    w.see(bare(graph(40, "kitchentable_1", APART, ("david",), ("fridge_1",))), did("david", Verb.OPEN, "fridge_1", None, 39, 40))
    takes = did("david", Verb.PICK, "apple_1", "fridge_1", 41, 41.6 if first else 42, alice=0.0)
    if first:
        w.see(bare(graph(41.6, "david", APART, ("david",), ("fridge_1",))), takes)
    w.see(graph(42, "david", APART, ("david",), ("fridge_1",)), *(() if first else (takes,)))
    return w


def convinced(w: Watch, person: str, thing: str = "apple_1") -> float:
    t = w.state.people[person]
    return float(t.state.beliefs.sure[t.model.objects.index(thing), t.model.layout.index["fridge_1"]])


@pytest.mark.parametrize("how", [{}, {"seen": False}, {"first": True}])
def test_who_had_it_open_before_knew_that_it_was_in_there_and_most_likely_left_it(how):
    w = taken(**how)
    assert convinced(w, "alice") > 0.7 and w.false("alice", "apple_1").probability > 0.5
    assert convinced(w, "alice", UNSEEN) == 0.0 and "apple" in w.state.people["alice"].handled
    assert convinced(w, "david") == 0.0


@pytest.mark.parametrize("known, another, looks", [(True, False, True), (False, True, True), (False, False, False)])
def test_not_what_was_seen_elsewhere_nor_where_somebody_else_was_since_nor_who_never_looked(known, another, looks):
    w = taken(known, another, looks)
    assert convinced(w, "alice") < 0.2 and "apple" not in w.state.people["alice"].handled
    if another:
        assert convinced(w, "mia") > 0.7


def test_a_thing_keeps_the_stamp_at_which_it_was_first_known_under_another_name():
    w = taken()
    assert w.state.first_known == {"apple_1": 42.0}
    g = graph(43, "david", APART, ("david",))
    entities = {k: e for k, e in g.entities.items() if k != "apple_1"} | {"orange_1": replace(g.entities["apple_1"], id="orange_1", cls="orange")}
    relations = frozenset(replace(r, subject="orange_1") if r.subject == "apple_1" else replace(r, object="orange_1") if r.object == "apple_1" else r for r in g.relations)
    w.see(replace(g, entities=entities, relations=relations, renamed={"apple_1": "orange_1"},
                  sees={k: frozenset("orange_1" if n == "apple_1" else n for n in v) for k, v in g.sees.items()}))
    assert w.state.first_known == {"orange_1": 42.0}


@pytest.mark.parametrize("sure", [1.0, 0.4])
def test_nobody_is_mistaken_about_what_hardly_exists(sure):
    """A mistake of the eyes is carried off, too, when it showed at somebody's hand."""
    w, at = Watch(), lambda g: replace(g, entities={**g.entities, "apple_1": replace(g.entities["apple_1"], confidence=sure)})
    w.see(at(graph(1, "kitchentable_1", BOTH, ("alice",))))
    w.see(at(graph(8, "kitchentable_1", APART)), did("alice", Verb.LEAVE, "kitchen", None, 7, 7), did("alice", Verb.ENTER, "livingroom", None, 7, 7))
    w.see(at(graph(42, "david", APART, ("david",))), did("david", Verb.PICK, "apple_1", "kitchentable_1", 41, 42, alice=0.0))
    w.see(at(graph(45, "fridge_1", APART, ("david",), ("fridge_1",))), did("david", Verb.PUTIN, "apple_1", "fridge_1", 44, 45, alice=0.0))
    assert w.false("alice", "apple_1").probability == pytest.approx(sure, abs=0.12)


def test_nobody_is_mistaken_about_what_is_not_in_the_graph_any_more_and_turned_out_to_be_nothing():
    """It is there again when the graph has it again."""
    w = taken()
    assert w.false("alice", "apple_1").probability > 0.5
    w.see(without_apple(graph(43, "david", APART, ("david",), ("fridge_1",))))
    assert max((f.probability for f in w.minds.people["alice"].false_beliefs if f.object == "apple_1"), default=0.0) < 0.01
    w.see(graph(44, "david", APART, ("david",), ("fridge_1",)))
    assert w.false("alice", "apple_1").probability > 0.5


@pytest.mark.parametrize("was_in, another, place, knew", [(True, False, "kitchentable_1", True), (False, False, "kitchentable_1", False),
                                                          (True, True, "kitchentable_1", False), (True, False, "fridge_1", False)])
def test_what_is_found_in_the_open_as_somebody_takes_it_was_seen_by_who_left_that_room(was_in, another, place, knew):
    """``was_in``: Alice comes out of the kitchen; ``another``: Mia is in there in between; what is taken out of a fridge she saw nothing of."""
    w, start = Watch(), {**APART, "alice": "kitchen" if was_in else "livingroom", "david": "livingroom"}
    w.see(without_apple(graph(1, place, start, robot_room="livingroom")))
    w.see(without_apple(graph(3, place, {**start, "alice": "livingroom"}, robot_room="livingroom")))
    if another:
        w.see(without_apple(graph(5, place, {**start, "alice": "livingroom", "mia": "kitchen"}, robot_room="livingroom")))
    w.see(graph(20, place, APART, ("david",), ("fridge_1",)))
    w.see(graph(21, "david", APART, ("david",), ("fridge_1",)), did("david", Verb.PICK, "apple_1", place, 20.5, 21, alice=0.0))
    t = w.state.people["alice"]
    p = float(t.state.beliefs.sure[t.model.objects.index("apple_1"), t.model.layout.index[place]])
    assert (p > 0.7) is knew and (w.false("alice", "apple_1") is not None and w.false("alice", "apple_1").probability > 0.5) is knew
    assert "apple" not in t.handled
