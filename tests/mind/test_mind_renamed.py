"""A thing turns out to be something else: whatever the mind knew of it, it knows of it under its new name."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from household.actions import Verb
from household.scene_graph import Entity, Relation, RelationKind, SceneGraph
from mind import evidence as why
from mind import scene as scenes
from mind.output import Source
from tests.mind.kitchen_story import Watch, did, graph

BOTH = {"alice": "kitchen", "david": "kitchen"}
APART = {"alice": "livingroom", "david": "kitchen"}
TURNED_OUT = {"orange_1": "apple_1"}


def called(scene: SceneGraph, name: str = "orange_1", second: str | None = None, **renamed: str) -> SceneGraph:
    """The kitchen's graph with its apple under this name. ``second``: one more thing, on the counter. ``renamed``: what the graph says of names."""
    def own(o: str) -> str:
        return name if o == "apple_1" else o

    entities = {own(k): replace(e, id=own(k), cls=own(k)[:-2]) if k == "apple_1" else e for k, e in scene.entities.items()}
    relations = {replace(r, subject=own(r.subject), object=own(r.object)) for r in scene.relations}
    if second is not None:
        entities[second] = Entity(second, second[:-2], (0, 0, 0), (0.1, 0.1, 0.1))
        relations.add(Relation(second, RelationKind.ON, "kitchencounter_1", 0.95))
    sees = {k: frozenset(map(own, v)) for k, v in scene.sees.items()}
    return replace(scene, entities=entities, relations=frozenset(relations), sees=sees, renamed=renamed)


def moved_behind_her_back(second: str | None = None) -> Watch:
    """Alice puts the orange on the table and leaves; David puts it into the fridge. The last graph is at 22 s."""
    w = Watch()
    w.see(called(graph(1, "alice", BOTH, ("alice", "david")), second=second))
    w.see(called(graph(3, "kitchentable_1", BOTH, ("alice", "david")), second=second),
          did("alice", Verb.PUTON, "orange_1", "kitchentable_1", 2.5, 3, david=1.0))
    w.see(called(graph(6, "kitchentable_1", APART, ("alice", "david")), second=second), did("alice", Verb.LEAVE, "kitchen", None, 5, 5),
          did("alice", Verb.ENTER, "livingroom", None, 5, 5))
    w.see(called(graph(12, "david", APART, ("alice", "david")), second=second), did("david", Verb.PICK, "orange_1", "kitchentable_1", 11.5, 12, alice=0.0))
    w.see(called(graph(16, "fridge_1", APART, ("alice", "david"), ("fridge_1",)), second=second),
          did("david", Verb.PUTIN, "orange_1", "fridge_1", 15.5, 16, alice=0.0))
    w.see(called(graph(22, "fridge_1", APART, ("alice", "david")), second=second))
    return w


def turns_out(w: Watch, stamp: float = 22.5, place: str = "fridge_1", second: str | None = None, rooms=APART, name="apple_1", names=TURNED_OUT, **more):
    return w.see(called(graph(stamp, place, rooms, ("alice", "david"), **more), name, second, **names))


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(math.isclose(one.get(k, 0.0), other.get(k, 0.0), abs_tol=0.01) for k in one.keys() | other.keys())


def row(w: Watch, person: str, obj: str) -> tuple[np.ndarray, float]:
    """Everything that the mind holds of where this person takes this thing to be: float64 (n,), and the doubt."""
    beliefs = w.state.people[person].state.beliefs
    i = w.state.registry.rows[obj]
    return beliefs.sure[i], float(beliefs.unsure[i])


def test_a_belief_about_the_one_is_a_belief_about_the_other():
    w = moved_behind_her_back()
    before, (sure, doubt) = w.minds, row(w, "alice", "orange_1")
    false = w.false("alice", "orange_1")
    assert (false.believed, false.actual) == ("kitchentable_1", "fridge_1")
    after = turns_out(w)
    now_sure, now_doubt = row(w, "alice", "apple_1")
    assert np.allclose(now_sure, sure, atol=1e-9) and now_doubt == pytest.approx(doubt, abs=1e-9)
    assert after.people["alice"].beliefs["apple_1"]["kitchentable_1"] == pytest.approx(
        before.people["alice"].beliefs["orange_1"]["kitchentable_1"], abs=0.01)  # what is left over is where apples are
    assert after.robot["apple_1"]["fridge_1"] == pytest.approx(before.robot["orange_1"]["fridge_1"], abs=0.01)
    now = w.false("alice", "apple_1")
    assert (now.believed, now.actual, now.since) == (false.believed, false.actual, false.since)
    assert now.probability == pytest.approx(false.probability, abs=0.01)


def test_nothing_is_left_of_the_old_name_and_what_was_seen_is_cited_for_the_new():
    w = moved_behind_her_back()
    told = {e.text for e in w.minds.people["alice"].evidence if e.about == "orange_1"}
    minds = turns_out(w)
    assert "orange_1" not in minds.robot and "orange_1" not in w.state.registry.rows
    for mind in minds.people.values():
        assert "orange_1" not in mind.beliefs and not [f for f in mind.false_beliefs if f.object == "orange_1"]
        assert not [e for e in mind.evidence if e.about == "orange_1"]
    cited = {e.text for e in minds.people["alice"].evidence if e.about == "apple_1"}
    assert told and told <= cited and "put it on the kitchen table at 3.0" in cited
    assert any("David put it in the fridge" in e.text for e in w.false("alice", "apple_1").evidence)


def test_who_was_after_the_one_was_after_the_other():
    w = moved_behind_her_back()
    w.see(called(graph(23, "fridge_1", APART, ("alice", "david"))), did("alice", Verb.WALKTOWARDS, "kitchen", None, 22.5, None))
    w.see(called(graph(24, "fridge_1", BOTH, ("david",))), did("alice", Verb.ENTER, "kitchen", None, 24, 24))
    w.see(called(graph(26, "fridge_1", BOTH, ("david",))), did("alice", Verb.WALKTOWARDS, "kitchentable_1", None, 24.2, 26))
    before = w.goal("alice", "orange")
    assert before > 0.15
    turns_out(w, 26.2, rooms=BOTH)
    assert w.goal("alice", "orange") == 0.0 and w.goal("alice", "apple") >= before - 1e-9
    assert sum(p for _, p in w.minds.people["alice"].goals) == pytest.approx(1.0, abs=1e-9)


def test_where_there_is_another_orange_that_one_may_still_be_wanted():
    w = moved_behind_her_back(second="orange_2")
    before = w.goal("alice", "orange")
    turns_out(w, second="orange_2")
    assert w.goal("alice", "orange") > 0.5 * before and w.goal("alice", "apple") > 0.0
    assert {"apple_1", "orange_2"} <= w.minds.people["alice"].beliefs.keys()
    assert w.minds.people["alice"].beliefs["apple_1"]["kitchentable_1"] > 0.85


def test_that_it_is_said_again_for_a_while_changes_nothing():
    often, once = moved_behind_her_back(), moved_behind_her_back()
    for w, names in ((often, TURNED_OUT), (once, {})):
        turns_out(w)
        for stamp in (22.7, 22.9, 24.0, 25.4):
            turns_out(w, stamp, names=names)
    assert often.minds == once.minds and often.state.registry == once.state.registry


def test_there_and_back_is_the_same_thing_in_the_same_row():
    w = moved_behind_her_back()
    sure, doubt = row(w, "alice", "orange_1")
    since = w.false("alice", "orange_1").since
    rows, seen = dict(w.state.registry.rows), {e.text for e in w.minds.people["alice"].evidence if e.about == "orange_1"}
    turns_out(w, 22.3)
    minds = turns_out(w, 22.6, name="orange_1", names={"apple_1": "orange_1"})
    assert w.state.registry.rows == rows and "apple_1" not in minds.robot
    assert np.allclose(row(w, "alice", "orange_1")[0], sure, atol=1e-9) and row(w, "alice", "orange_1")[1] == pytest.approx(doubt, abs=1e-9)
    assert w.false("alice", "orange_1").since == since
    assert seen <= {e.text for e in minds.people["alice"].evidence if e.about == "orange_1"}


@pytest.mark.parametrize("second", [None, "orange_2"])
def test_who_holds_it_holds_it_still_and_has_put_nothing_down(second):
    w = Watch()
    w.see(called(graph(1, "kitchentable_1", BOTH, ("alice", "david")), second=second))
    w.see(called(graph(3, "alice", BOTH, ("alice", "david")), second=second), did("alice", Verb.PICK, "orange_1", "kitchentable_1", 2.5, 3, david=1.0))
    assert w.state.people["alice"].state.progress.holding == ("orange",)
    for stamp in (3.3, 3.6, 5.0, 7.0):  # longer than the graph is waited for when it shows other hands than the acts explain
        turns_out(w, stamp, "alice", second, BOTH)
        alice = w.state.people["alice"]
        assert alice.state.progress.holding == ("apple",) and alice.hands_differ_since is None
    assert not alice.state.progress.delivered[:, [c not in ("apple",) for c in alice.model.space.classes]].any()
    assert w.minds.people["alice"].beliefs["apple_1"]["alice"] > 0.9 and w.minds.people["david"].beliefs["apple_1"]["alice"] > 0.8
    assert alice.handled == frozenset({"apple"} if second is None else {"orange"})  # of a class that is still there, it may have been the other one
    w.see(called(graph(8, "sofa_1", BOTH, ("alice", "david")), "apple_1", second), did("alice", Verb.PUTON, "apple_1", "sofa_1", 7.5, 8))
    assert w.state.people["alice"].state.progress.holding == ()


def test_a_walk_weighed_under_the_old_goals_is_not_weighed_anew_under_others():
    """There are as many goals as before, in another order: what was kept of them for taking a walk back means something else now."""
    w = moved_behind_her_back()
    w.see(called(graph(24, "fridge_1", BOTH, ("alice", "david"))), did("alice", Verb.ENTER, "kitchen", None, 24, 24))
    first = [replace(did("alice", Verb.WALKTOWARDS, k, None, 24.5, None), confidence=p) for k, p in (("fridge_1", 0.3), ("kitchencounter_1", 0.6))]
    w.see(called(graph(25, "fridge_1", BOTH, ("david",))), *first)
    assert w.state.people["alice"].begun is not None and not w.state.people["alice"].begun.final
    turns_out(w, 25.2, rooms=BOTH)
    before = dict(w.minds.people["alice"].goals)
    again = [replace(did("alice", Verb.WALKTOWARDS, k, None, 24.5, None), confidence=p) for k, p in (("fridge_1", 0.6), ("kitchencounter_1", 0.3))]
    w.see(called(graph(25.4, "fridge_1", BOTH, ("david",)), "apple_1"), *again)
    after = dict(w.minds.people["alice"].goals)
    assert before.keys() == after.keys() and all(after[g] == pytest.approx(p, abs=0.02) for g, p in before.items())


@pytest.mark.parametrize("names", [{"orange_1": "mug_1"}, {"orange_1": "ghost_7"}, {"ghost_7": "apple_1"}, {"orange_1": "fridge_1"},
                                   {"orange_1": "alice"}, {"something_unseen": "apple_1"}, {"orange_1": "apple_1", "mug_1": "apple_1"}])
def test_a_name_that_is_taken_unknown_or_no_things_is_left_alone(names):
    w = moved_behind_her_back()
    before = w.state.registry.objects
    w.see(called(graph(22.5, "fridge_1", APART, ("alice", "david")), "orange_1", "apple_1", **names))
    assert dict(w.state.registry.objects) == {**before, "apple_1": "apple"}
    assert w.minds.people["alice"].beliefs["orange_1"]["kitchentable_1"] > 0.85


THINGS = ["orange_1", "mug_1", "plate_1", "book_1"]


@given(st.sampled_from(THINGS), st.sampled_from(["potato_1", "carrot_3", "apple_1", "waterglass_1"]), st.sampled_from(["fridge_1", "sofa_1", "david"]))
@settings(max_examples=25, deadline=None)
def test_everybody_believes_of_everything_what_they_would_had_it_kept_its_name(old, new, place):
    kept, renamed = moved_behind_her_back(), moved_behind_her_back()
    scene = called(graph(22.4, place, APART, ("alice", "david")))

    def own(o: str) -> str:
        return new if o == old else o

    before = kept.see(scene)
    minds = renamed.see(replace(
        scene, entities={own(k): replace(e, id=own(k), cls=own(k)[:-2]) if k == old else e for k, e in scene.entities.items()},
        relations=frozenset(replace(r, subject=own(r.subject), object=own(r.object)) for r in scene.relations),
        sees={k: frozenset(map(own, v)) for k, v in scene.sees.items()}, renamed={old: new}))
    for person in APART:
        mind = minds.people[person]
        assert all(abs(sum(r.values()) - 1) < 1e-6 for r in [*mind.beliefs.values(), dict(mind.goals)])
        assert old not in mind.beliefs and new in mind.beliefs
        for o in THINGS:
            was, now = row(kept, person, o), row(renamed, person, own(o))
            assert np.allclose(now[0], was[0], atol=1e-9) and now[1] == pytest.approx(was[1], abs=1e-9)
        assert all(same(mind.beliefs[o], before.people[person].beliefs[o]) for o in THINGS if o != old)  # the doubtful rest follows the goals


def test_the_registry_keeps_every_row():
    registry = scenes.register(scenes.Registry(), scenes.read(called(graph(1, "fridge_1", BOTH))))
    again, names = scenes.renamed(registry, called(graph(2, "fridge_1", BOTH), "apple_1", orange_1="apple_1"))
    assert names == TURNED_OUT and again.rows == {("apple_1" if o == "orange_1" else o): i for o, i in registry.rows.items()}
    assert again.objects["apple_1"] == "apple" and list(again.objects) == sorted(again.rows, key=again.rows.get)
    assert "apple_1" in again.met and "orange_1" not in again.met
    assert scenes.renamed(again, called(graph(2, "fridge_1", BOTH), "apple_1", orange_1="apple_1")) == (again, {})
    back = called(graph(2, "fridge_1", BOTH), "apple_1", orange_1="apple_1", potato_9="apple_1")  # a name that was never heard of here
    assert scenes.renamed(registry, back)[1] == TURNED_OUT


def test_evidence_is_about_the_thing_under_its_new_name():
    memory = why.note(why.note(why.Memory(), "orange_1", why.saw(1.0, "orange_1", "sofa_1")), "mug_1", why.saw(2.0, "mug_1", "sofa_1"))
    after = why.renamed(why.note_act(memory, why.ActWeight(3.0, "went", None, (0.5,))), TURNED_OUT)
    assert after.percepts["apple_1"] == (replace(memory.percepts["orange_1"][0], about="apple_1"),)
    assert after.percepts["mug_1"] == memory.percepts["mug_1"] and after.percepts.keys() == {"apple_1", "mug_1"}
    assert after.acts == () and after.percepts["apple_1"][0].source is Source.SAW
