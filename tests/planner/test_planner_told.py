"""What was said once is not said again, however often a thing is seen changing hands; and who believes it, and who has shown it wrong."""

from dataclasses import replace

import pytest

from household.actions import HumanAction, Utterance, Verb
from household.goals import get
from household.scene_graph import ELSEWHERE
from household.speech import ActKind, SpeechAct
from mind.output import Evidence, FalseBelief, Source
from planner.acts import Fact, FactKind, HelpAct, HelpKind
from planner.config import PlannerConfig
from planner.follow import _doubts
from planner.geometry import Geometry
from planner.memory import PlannerState, may_tell, note_told
from planner.search import told_moved
from planner.speech import may_know_better, mover, sentence
from planner.step import Say


def said(kind, place, *handled):
    state = note_told(PlannerState(), "david", Fact(kind, "chips_1", place), 10.0)
    events = tuple(HumanAction("jake", Verb.PICK, "chips_1", None, None, t, t) for t in handled)
    return PlannerState(events=events, told=state.told)


@pytest.mark.parametrize("kind, place", [(FactKind.TAKEN, "livingroom"), (FactKind.MOVED, None), (FactKind.UNKNOWN, None)])
def test_that_something_was_moved_is_not_said_again_because_it_moves_on(kind, place):
    assert not may_tell(said(kind, place, 11.0, 12.0, 13.0), "david", Fact(kind, "chips_1", place))


def test_who_asks_again_is_answered_once_more_and_then_told_only_what_is_new():
    fact = Fact(FactKind.TAKEN, "chips_1", "livingroom")
    state = note_told(PlannerState(), "david", fact, 10.0)
    assert not may_tell(state, "david", fact) and may_tell(state, "david", fact, asked=11.0)
    state = note_told(state, "david", fact, 12.0)
    assert not may_tell(state, "david", fact, asked=13.0)
    assert may_tell(state, "david", Fact(FactKind.AT, "chips_1", "stove_1"), asked=13.0)


def test_a_place_is_named_again_when_the_thing_is_back_there_and_another_one_when_it_is_elsewhere():
    state = said(FactKind.AT, "fridge_1", 11.0)
    assert may_tell(state, "david", Fact(FactKind.AT, "chips_1", "fridge_1"))
    assert may_tell(state, "david", Fact(FactKind.AT, "chips_1", "stove_1"))
    assert not may_tell(said(FactKind.AT, "fridge_1"), "david", Fact(FactKind.AT, "chips_1", "fridge_1"))


def test_what_sounds_the_same_is_not_said_of_another_of_its_kind():
    other = Fact(FactKind.AT, "chips_2", "fridge_1")
    state = said(FactKind.AT, "fridge_1")
    assert not may_tell(state, "david", other) and may_tell(state, "david", other, asked=11.0) and may_tell(state, "jake", other)
    assert may_tell(state, "david", Fact(FactKind.AT, "chips_2", "stove_1")) and may_tell(state, "david", Fact(FactKind.AT, "apple_1", "fridge_1"))
    assert may_tell(said(FactKind.AT, "fridge_1", 11.0), "david", other)  # the first has been taken out since


def test_who_has_found_it_gone_is_still_told_that_it_was_moved(home, run, story, wrong, wants_apple):
    """Before the robot came to speak, Alice has seen that the table is empty."""
    spread = {"apple_1": {"cabinet_1": 0.3, "coffeetable_1": 0.3, "sofa_1": 0.3, ELSEWHERE: 0.1}}
    home.at.pop("apple_1")
    taken = (story[0], story[1], story[2], HumanAction("david", Verb.LEAVE, "kitchen", start=8, end=8), *story[4:])
    gone = {"alice": {"apple_1": {p: 0.2 for p in ("cabinet_1", "sofa_1", "fridge_1", "kitchencabinet_1", "coffeetable_1")}}}
    false = FalseBelief("alice", "apple_1", "kitchentable_1", None, 0.9, 1.0, (Evidence(1.0, Source.SAW, "apple_1", "put it there"),))

    def minds(t):
        found = home.minds(t, wants_apple, wrong if t < 10.1 else gone, searching={"alice": 0.9}, robot=spread)
        people = found.people if t >= 10.1 else {**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))}
        return replace(found, people=people)

    _, outs = run(minds, lambda i: {"events": taken} if i == 0 else {}, start=10.0)
    said = [c for o in outs for c in o.commands]
    assert said == [Say("Alice, David moved the apple out of the kitchen; I did not see its new place.", "alice")]


@pytest.mark.parametrize("events, knows", [
    ((("jake", Verb.PICK, "drawer_1"),), True),
    ((("david", Verb.PUTIN, "cabinet_1"), ("jake", Verb.PICK, "cabinet_1")), False),
    ((("jake", Verb.PICK, None),), False),
    ((("jake", Verb.PICK, "drawer_1"), ("david", Verb.OPEN, "drawer_1")), False),
    ((("david", Verb.OPEN, "drawer_1"), ("jake", Verb.PICK, "drawer_1")), True),
    ((), False),
])
def test_who_goes_where_the_robot_never_knew_a_thing_to_be_may_know_better(events, knows):
    """Unless they have looked where it was in vain, or nobody saw where it was taken from."""
    told = tuple(HumanAction(who, verb, place if verb is Verb.OPEN else "chips_1", None if verb is Verb.OPEN else place, None, t, t) for t, (who, verb, place) in enumerate(events))
    assert may_know_better(told, "chips_1", "david", "cabinet_1") is knows


def test_a_tap_that_somebody_stood_at_is_looked_at_when_they_have_left(home, run):
    tap = home.entities["faucet_1"]
    home.change("faucet_1", switched_on=None, visible=False)
    home.change("alice", position=(tap.position[0] + 0.5, tap.position[1], 0.0))
    at_it, outs = run(lambda t: home.minds(t), count=5)
    assert all(o.gaze != tap.position for o in outs)
    home.rooms["alice"] = "livingroom"
    home.change("alice", position=(8.0, 2.0, 0.0))
    _, outs = run(lambda t: home.minds(t), count=40, start=13.0, state=at_it)
    looked = [o.gaze == tap.position for o in outs]
    assert not any(looked[:5]) and all(looked[7:17]) and not any(looked[20:])  # somebody else may come in meanwhile, or at once


@pytest.mark.parametrize("sure, told", [(0.53, False), (0.9, True)])
def test_a_walk_to_where_it_was_counts_for_as_much_as_it_is_sure(home, run, sure, told):
    """Alice found the apple gone before; now she walks to the table where she had left it, or to something beside it."""
    false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 1.0, (Evidence(1.0, Source.SAW, "apple_1", "put it there"),))

    def minds(t):
        found = home.minds(t, beliefs={"alice": {"apple_1": {"kitchentable_1": 0.94, ELSEWHERE: 0.06}}})
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    walk = HumanAction("alice", Verb.WALKTOWARDS, "kitchentable_1", None, "kitchen", 12.1, None, sure)
    _, outs = run(minds, lambda i: {"events": (walk,)} if i == 1 else {})
    assert any(isinstance(c, Say) for o in outs for c in o.commands) == told


@pytest.mark.parametrize("sure, told", [(0.4, False), (0.7, True)])
def test_what_was_hardly_there_is_not_said_to_have_been_moved(home, run, wrong, wants_apple, monkeypatch, sure, told):
    """Nobody was seen to take the apple; the robot looked at its place again and found none."""
    spread = {"apple_1": {"cabinet_1": 0.3, "coffeetable_1": 0.3, "sofa_1": 0.3, ELSEWHERE: 0.1}}
    home.at.pop("apple_1")
    whole = home.graph

    def graph(t):
        g = whole(t)
        e = replace(whole(t).entities["book_1"], id="apple_1", cls="apple", confidence=sure)
        return replace(g, entities={**g.entities, "apple_1": e})

    monkeypatch.setattr(home, "graph", graph)
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong, robot=spread))
    assert any(o.commands for o in outs) is told


@pytest.mark.parametrize("sure, wants, told", [(0.15, 0.8, False), (0.5, 0.8, True), (0.5, 0.3, False), (0.9, 0.8, True)])
def test_where_a_thing_is_is_said_as_surely_as_there_is_such_a_thing(home, run, wrong, monkeypatch, sure, wants, told):
    """A mistake of the eyes lies somewhere, too; but who behaves as if they were after it speaks for the thing. Who asks is answered all the same."""
    wants_apple = {"alice": {get("apple"): wants}}
    whole = home.graph

    def graph(t):
        g = whole(t)
        return replace(g, entities={**g.entities, "apple_1": replace(g.entities["apple_1"], confidence=sure)})

    monkeypatch.setattr(home, "graph", graph)
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong))
    assert any(isinstance(c, Say) for o in outs for c in o.commands) == told
    asks = SpeechAct(ActKind.ASK_LOCATION, "alice", "Where is the apple?", "apple")
    _, outs = run(lambda t: home.minds(t, {}, wrong), lambda i: {"acts": (asks,)} if i == 1 else {})
    assert [c.text for o in outs for c in o.commands if isinstance(c, Say)] == ["Alice, the apple is in the fridge."]


@pytest.mark.parametrize("p, missed, told", [(0.44, True, True), (0.44, False, False), (0.3, True, False)])
def test_what_was_moved_behind_somebodys_back_is_said_on_less_than_other_things_are_offered(home, run, p, missed, told):
    """The same want of Alice's, who looks about in the kitchen; the apple she had left on the table, or never had."""
    lost = {"alice": {"apple_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}}}
    state = PlannerState(mistaken={("alice", "apple_1"): ("kitchentable_1", 8.0)} if missed else {})
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, lost), count=20, state=state)
    assert any(isinstance(c, Say) for o in outs for c in o.commands) == told


@pytest.mark.parametrize("to, convinced, told", [(None, False, True), ("alice", False, False), ("david", False, True), ("alice", True, True)])
def test_nobody_hears_from_the_robot_what_somebody_else_has_told_them(home, run, wrong, to, convinced, told):
    """Tom has said to Alice, or to David, that the apple is in the fridge; whatever Alice's ways seem to say, she has heard it, unless she has learnt something else since."""
    spread = {"alice": {"apple_1": {"kitchentable_1": 0.3, "fridge_1": 0.2, "cabinet_1": 0.3, ELSEWHERE: 0.2}}}
    words = "The apple is in the fridge."
    act = SpeechAct(ActKind.INFORM_LOCATION, "tom", words, "apple_1", "fridge_1")
    heard = {} if to is None else {"acts": (act,), "utterances": (Utterance("tom", words, 12.0, to, (to, "robot")),)}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.9}}, wrong if convinced or to is None else spread), lambda i: heard if i == 0 else {})
    assert bool([c for o in outs for c in o.commands]) is told


def test_a_disbelieving_listener_is_told_once_more_and_never_a_third_time(home, run, story, wrong, wants_apple):
    def feed(i):
        if i == 0:
            return {"events": story}
        if i in (40, 80, 120):
            t = 12.0 + 0.2 * i
            return {"events": (HumanAction("alice", Verb.OPEN, f"kitchencabinet_{i // 40}", None, "kitchen", t, t),)}
        return {}

    state, outs = run(lambda t: home.minds(t, wants_apple, wrong), feed, count=200)
    words = [c.text for o in outs for c in o.commands if isinstance(c, Say) and "is in the fridge" in c.text or
             isinstance(c, Say) and "really" in c.text]
    assert 1 <= len(words) <= 2 and words.count("Alice, the apple is in the fridge.") == 1
    assert state.told[0].disbelieved


@pytest.mark.parametrize("kind, doubted", [(FactKind.TAKEN, True), (FactKind.MOVED, False)])
def test_who_goes_to_see_for_themselves_is_not_told_again_that_it_was_moved(home, kind, doubted):
    """David is told so of the fridge at 10 s, and at 20 s he walks there as before."""
    state = note_told(PlannerState(), "david", Fact(kind, "apple_1", "fridge_1"), 10.0)
    state = replace(state, events=(HumanAction("david", Verb.OPEN, "fridge_1", None, "kitchen", 20.0, 20.5),))
    geometry = Geometry(home.graph(21.0), PlannerConfig())
    assert _doubts(state, state.told[0], {"fridge_1": 0.9}, geometry) is doubted


@pytest.mark.parametrize("shuts, says", [(True, 1), (False, 2)])
def test_who_looked_where_they_were_told_and_went_on_has_shown_the_robot_wrong(home, run, story, wrong, wants_apple, shuts, says):
    """Who goes elsewhere without a look is told once more; who opened and shut it is not told that it is really there, nor is it brought to them from there."""
    def feed(i):
        t = 12.0 + 0.2 * i
        if i == 0:
            return {"events": story}
        if i == 20 and shuts:
            return {"events": (HumanAction("alice", Verb.OPEN, "fridge_1", None, "kitchen", t, t), HumanAction("alice", Verb.CLOSE, "fridge_1", None, "kitchen", t, t))}
        if i in (60, 100):
            return {"events": (HumanAction("alice", Verb.OPEN, f"kitchencabinet_{i // 50}", None, "kitchen", t, t),)}
        return {}

    state, outs = run(lambda t: home.minds(t, wants_apple, wrong), feed, count=200)
    assert len([c for o in outs for c in o.commands if isinstance(c, Say) and "in the fridge" in c.text]) == says
    assert state.in_vain.get(("apple", "fridge_1"), 0) == shuts


def test_after_a_word_that_it_was_moved_the_places_come_in_one_order():
    """A sum over them must not depend on the order in which a set hands out names: that is another in every process."""
    names = [f"{kind}_{n}" for kind in ("fridge", "desk", "box", "bed") for n in (1, 2, 3)]
    assert list(told_moved(dict.fromkeys(names[:7], 1 / 7), dict.fromkeys(names[5:], 1 / 7), 0.9)) == names


@pytest.mark.parametrize("sure, said", [(0.9, "Alice, the apple is in the fridge."), (0.68, "Alice, I think the apple is in the fridge.")])
def test_it_says_that_it_only_thinks_so_and_a_word_that_says_so_costs_less_when_it_is_wrong(home, run, story, wrong, wants_apple, sure, said):
    mine = {"apple_1": {"fridge_1": sure, "cabinet_1": (1.0 - sure) / 2, ELSEWHERE: (1.0 - sure) / 2}}
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong, robot=mine), lambda i: {"events": story} if i == 0 else {})
    assert [c for o in outs for c in o.commands] == [Say(said, "alice")]
    decision = next(o.decision for o in outs if o.commands)
    assert decision.act.fact.doubtful is (sure < 0.8) and decision.values[0].risk == pytest.approx(-(1.0 - sure) * (8.0 if sure < 0.8 else 20.0))
    assert HelpAct.from_dict(decision.act.to_dict()).fact.doubtful is decision.act.fact.doubtful


def test_a_word_that_was_only_thought_is_not_insisted_on_with_really(home, story):
    fact = Fact(FactKind.AT, "apple_1", "fridge_1", doubtful=True)
    act, graph = HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1", fact=fact), home.graph(10.0)
    assert sentence(act, graph, story, again=True) == "Alice, I think the apple is in the fridge."
    assert sentence(replace(act, fact=replace(fact, doubtful=False)), graph, story, again=True) == "Alice, the apple is really in the fridge."


@pytest.mark.parametrize("since, who", [((), "david"), (("robot",), "david"), (("alice",), None), (("alice", "jake"), "jake")])
def test_who_moved_it_is_who_took_it_last_unless_the_listener_had_it_since(since, who):
    taken = tuple(HumanAction(a, Verb.PICK, "apple_1", None, None, t, t) for t, a in enumerate(("david", *since), start=5))
    assert mover(taken, "apple_1", "alice") == who
