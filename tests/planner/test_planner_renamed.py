"""A thing turns out to be something else: what was said of it, done with it and asked for stays, and is not said again under its new name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import HumanAction, Utterance, Verb
from household.goals import get
from household.scene_graph import ELSEWHERE, Entity, SceneGraph, Tracking
from mind.output import Evidence, FalseBelief, Source
from planner.acts import Fact, FactKind, HelpAct, HelpKind
from planner.config import PlannerConfig
from planner.memory import Active, PlannerState, Request, RequestKind, Told, may_tell, renamed, told_before
from planner.speech import sentence
from planner.step import PlannerInput, Say, step

TURNED_OUT = {"orange_1": "apple_1"}
AT_FRIDGE = Fact(FactKind.AT, "orange_1", "fridge_1")


def knowing() -> PlannerState:
    return PlannerState(
        events=(HumanAction("david", Verb.PICK, "orange_1", "kitchentable_1", "kitchen", 5, 6), HumanAction("david", Verb.PICK, "mug_1", None, None, 7, 8)),
        told=(Told("alice", AT_FRIDGE, 10.0, 2, True), Told("alice", Fact(FactKind.AT, "mug_1", "sofa_1"), 10.0)),
        requests=(Request("alice", RequestKind.BRING, "orange_1", 9.0), Request("david", RequestKind.BRING, "orange", 9.0)),
        mistaken={("alice", "orange_1"): ("kitchentable_1", 8.0), ("david", "mug_1"): ("sofa_1", 8.0)}, stated={("david", "orange_1"): "sofa_1"},
        active=Active(HelpAct(HelpKind.TELL, "alice", "orange_1", "fridge_1", fact=AT_FRIDGE), (), 1, 10.0, 20.0, 10.0), plans=1)


def test_whoever_was_mistaken_told_or_asking_is_so_about_the_same_thing():
    state = renamed(knowing(), TURNED_OUT)
    assert state.mistaken == {("alice", "apple_1"): ("kitchentable_1", 8.0), ("david", "mug_1"): ("sofa_1", 8.0)}
    assert state.stated == {("david", "apple_1"): "sofa_1"}
    assert [t.fact.object for t in state.told] == ["apple_1", "mug_1"]
    assert told_before(state, "alice", "apple_1") == Told("alice", Fact(FactKind.AT, "apple_1", "fridge_1"), 10.0, 2, True)
    assert [e.target for e in state.events] == ["apple_1", "mug_1"]
    assert [r.target for r in state.requests] == ["apple_1", "orange"]  # what was asked for by its class was not this one
    assert state.active.act == HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1", fact=Fact(FactKind.AT, "apple_1", "fridge_1"))
    assert state.active.act.fact == state.told[0].fact


def test_furniture_that_turned_out_to_be_another_is_meant_by_its_new_name():
    state, fact = renamed(knowing(), {"kitchentable_1": "desk_1", "sofa_1": "bench_1", "fridge_1": "wardrobe_1"}), Fact(FactKind.AT, "orange_1", "wardrobe_1")
    assert state.mistaken == {("alice", "orange_1"): ("desk_1", 8.0), ("david", "mug_1"): ("bench_1", 8.0)}
    assert state.stated == {("david", "orange_1"): "bench_1"} and [t.fact.place for t in state.told] == ["wardrobe_1", "bench_1"]
    assert [(e.target, e.place) for e in state.events] == [("orange_1", "desk_1"), ("mug_1", None)]
    assert state.active.act == HelpAct(HelpKind.TELL, "alice", "orange_1", "wardrobe_1", fact=fact)


@pytest.mark.parametrize("names", [{}, {"ghost_9": "apple_7"}])
def test_what_is_not_about_it_stays_as_it_is(names):
    assert renamed(knowing(), names) == knowing()


def test_said_again_or_there_and_back_nothing_is_lost():
    once = renamed(knowing(), TURNED_OUT)
    assert renamed(once, TURNED_OUT) == once
    assert renamed(once, {"apple_1": "orange_1"}) == knowing()


def test_what_was_told_may_be_told_anew_only_if_it_has_moved_since():
    state = replace(knowing(), told=(Told("alice", AT_FRIDGE, 10.0),))
    after, fact = renamed(state, TURNED_OUT), Fact(FactKind.AT, "apple_1", "fridge_1")
    assert not may_tell(after, "alice", fact) and may_tell(after, "david", fact)
    handled = HumanAction("david", Verb.PUTIN, "orange_1", "fridge_1", "kitchen", 11, 12)
    assert may_tell(renamed(replace(state, events=(handled,)), TURNED_OUT), "alice", fact)


@pytest.fixture
def with_orange(home):
    """The home with its apple taken for an orange."""
    home.entities["orange_1"] = Entity("orange_1", "orange", (3.5, 3.5, 0.9), visible=False, tracking=Tracking.CONTAINED)
    del home.entities["apple_1"]
    home.at["orange_1"] = home.at.pop("apple_1")
    return home


WRONG = {"kitchentable_1": 0.94, "fridge_1": 0.02, "cabinet_1": 0.02, ELSEWHERE: 0.02}


def turns_out(home):
    home.entities["apple_1"] = replace(home.entities.pop("orange_1"), id="apple_1", cls="apple")
    home.at["apple_1"] = home.at.pop("orange_1")


def minds(home, t, name, false=()):
    out = home.minds(t, {"alice": {get(name[:-2]): 0.8}}, {"alice": {name: WRONG}})
    return replace(out, people={**out.people, "alice": replace(out.people["alice"], false_beliefs=false)})


def watch(home, state, name, start, count, feed=lambda i: {}, names={}, false=()):
    said = []
    for i in range(count):
        t = round(start + 0.2 * i, 3)
        graph = replace(home.graph(t), renamed=names if i < 15 else {})
        state, out = step(state, PlannerInput(t, graph, minds(home, t, name, false), **feed(i)), PlannerConfig())
        said += out.commands
        if any(isinstance(c, Say) for c in out.commands):
            state = replace(state, heard=(*state.heard, Utterance("robot", said[-1].text, t)))
    return state, said


def story_of(events, name):
    return tuple(replace(e, target=name) if e.target == "apple_1" else e for e in events)


def test_who_was_told_where_the_orange_is_is_not_told_where_the_apple_is(with_orange, story):
    feed = lambda i: {"events": story_of(story, "orange_1")} if i == 0 else {}  # noqa: E731
    state, said = watch(with_orange, PlannerState(), "orange_1", 12.0, 40, feed)
    assert said == [Say("Alice, the orange is in the fridge.", "alice")]
    turns_out(with_orange)
    state, said = watch(with_orange, state, "apple_1", 20.0, 40, names=TURNED_OUT)
    assert said == [] and told_before(state, "alice", "apple_1").fact == Fact(FactKind.AT, "apple_1", "fridge_1")
    assert told_before(state, "alice", "orange_1") is None


def test_who_has_taken_it_is_still_known_under_its_new_name(with_orange, story):
    """The robot saw David take the orange away and not where he put it."""
    with_orange.at.pop("orange_1")
    taken = (*story_of(story, "orange_1")[:3], HumanAction("david", Verb.LEAVE, "kitchen", start=8, end=8), *story[4:])
    with_orange.entities["apple_1"] = replace(with_orange.entities.pop("orange_1"), id="apple_1", cls="apple")
    spread = {"apple_1": {"cabinet_1": 0.3, "coffeetable_1": 0.3, "sofa_1": 0.3, ELSEWHERE: 0.1}}
    state, said = PlannerState(events=taken), []
    for i in range(20):
        t = round(12.0 + 0.2 * i, 3)
        wrong = with_orange.minds(t, {"alice": {get("apple"): 0.8}}, {"alice": {"apple_1": WRONG}}, robot=spread)
        state, out = step(state, PlannerInput(t, replace(with_orange.graph(t), renamed=TURNED_OUT), wrong), PlannerConfig())
        said += out.commands
    assert said == [Say("Alice, David moved the apple out of the kitchen; I did not see its new place.", "alice")]


def test_who_was_mistaken_about_the_orange_is_mistaken_about_the_apple(with_orange):
    def wrong(name):
        why = (Evidence(2.0, Source.SAW, name, "put it on the kitchen table at 2.0", "kitchentable_1", float("inf")),)
        return (FalseBelief("alice", name, "kitchentable_1", "fridge_1", 0.94, 8.0, why),)

    state, _ = watch(with_orange, PlannerState(), "orange_1", 12.0, 1, false=wrong("orange_1"))
    assert state.mistaken == {("alice", "orange_1"): ("kitchentable_1", 12.0)}
    turns_out(with_orange)
    for false in (wrong("apple_1"), ()):  # also when she has only found out that it is gone
        after, _ = watch(with_orange, state, "apple_1", 12.2, 3, names=TURNED_OUT, false=false)
        assert after.mistaken == {("alice", "apple_1"): ("kitchentable_1", 12.0)}


@pytest.mark.parametrize("others, said", [((), "Alice, the orange is in the fridge."), (("apple",), "Alice, the orange or apple is in the fridge."),
                                          (("apple", "potato"), "Alice, the orange or apple is in the fridge.")])
def test_what_may_as_well_be_another_is_called_both(others, said):
    graph = SceneGraph(1.0, {"orange_1": Entity("orange_1", "orange", (0.0, 0.0, 0.0), other_names=others), "fridge_1": Entity("fridge_1", "fridge", (1.0, 0.0, 0.0))})
    assert sentence(HelpAct(HelpKind.TELL, "alice", "orange_1", "fridge_1", fact=AT_FRIDGE), graph) == said
