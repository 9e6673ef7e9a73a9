"""Wants: what is guessed from behaviour, which mistakes are remembered, and what is too unsure to act on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import HumanAction, Utterance, Verb
from household.goals import Goal, GoalKind, get
from household.scene_graph import ELSEWHERE
from household.speech import ActKind, SpeechAct
from mind.output import Evidence, FalseBelief, Source
from planner.acts import HelpKind
from planner.candidates import candidates
from planner.config import PlannerConfig
from planner.geometry import Geometry
from planner.memory import PlannerState
from planner.speech import had_it_last
from planner.step import Execute, Say
from planner.wants import Want, WantSource, wants


def commands(outs):
    return [c for o in outs for c in o.commands]


def test_who_found_gone_what_they_left_and_searches_is_told(home, run, story, wrong):
    """After the belief has proved wrong the mind weighs all goals alike; what was moved behind her back is the best guess."""
    spread = {"alice": {"apple_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}}}
    searching = HumanAction("alice", Verb.OPEN, "kitchencabinet_1", None, "kitchen", 15.0, 15.4)

    evidence = (Evidence(2.0, Source.SAW, "apple_1", "put it on the kitchen table"),)

    def minds(t, moved=True, knew=True):
        m = home.minds(t, {"alice": {get("apple"): 0.2}}, wrong if t < 14.0 else spread, searching={"alice": 0.9 if t > 15.0 else 0.1})
        if t < 14.0 and moved:
            mistake = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.95, 8.0, evidence if knew else ())
            m = replace(m, people={**m.people, "alice": replace(m.people["alice"], false_beliefs=(mistake,))})
        return m

    feed = lambda i: {"events": story} if i == 0 else {"events": (searching,)} if i == 18 else {}  # noqa: E731
    _, outs = run(minds, feed, count=30)
    assert commands(outs) == [Say("Alice, the apple is in the fridge.", "alice")]
    _, outs = run(lambda t: minds(t, moved=False), feed, count=30)
    assert commands(outs) == []  # nothing of hers was moved
    _, outs = run(lambda t: minds(t, knew=False), feed, count=30)
    assert commands(outs) == []  # a belief that was only guessed from her walk is no memory of hers


def test_of_two_things_that_were_moved_it_is_the_one_they_may_still_be_after(home):
    """The mind has ruled the other out: she has been where it is."""
    searching = HumanAction("alice", Verb.OPEN, "kitchencabinet_1", None, "kitchen", 15.0, 15.4)
    state = replace(PlannerState(), events=(searching,), mistaken={("alice", o): ("kitchentable_1", 8.0) for o in ("apple_1", "book_1")})

    def missed(goals):
        minds = home.minds(15.4, {"alice": goals}, searching={"alice": 0.9})
        found = wants(minds, Geometry(home.graph(15.4), PlannerConfig()), state, 0.05, 15.4)
        return {w.target: w.probability for w in found if w.source is WantSource.MISSED}

    only = missed({get("apple"): 0.3})
    assert only["apple_1"] > 0.7 and only["book_1"] < 0.05 and sum(only.values()) == pytest.approx(0.9 * 0.85)
    either = missed({get("apple"): 0.2, get("book"): 0.2})
    assert either["apple_1"] == pytest.approx(either["book_1"]) == pytest.approx(0.5 * 0.9 * 0.85)


@pytest.mark.parametrize("left, missed", [(True, True), (False, False)])
def test_who_has_been_in_the_room_where_they_left_it_and_looks_into_things_elsewhere_searches_for_it(home, left, missed):
    """What they saw there while nobody saw them, the mind cannot know."""
    out = (HumanAction("alice", Verb.LEAVE, "livingroom", None, "livingroom", 3.5, 3.5),) if left else ()
    opened = tuple(HumanAction("alice", Verb.OPEN, f"kitchencabinet_{i}", None, "kitchen", 3.0 + i, 3.4 + i) for i in (1, 2))
    state = replace(PlannerState(), events=(*out, *opened), mistaken={("alice", "book_1"): ("coffeetable_1", 3.0)})
    minds = home.minds(16.4, beliefs={"alice": {"book_1": {"coffeetable_1": 0.9}}}, searching={"alice": 0.9})
    found = wants(minds, Geometry(home.graph(16.4), PlannerConfig()), state, 0.05, 16.4)
    assert any(w.source is WantSource.MISSED and w.target == "book_1" for w in found) is missed


@pytest.mark.parametrize("opened, believed, missed", [
    (["kitchencabinet_1"], "kitchentable_1", False), (["kitchencabinet_1"], "sofa_1", True), (["kitchentable_1"], "kitchentable_1", True),
    (["kitchencabinet_1", "kitchencabinet_2"], "kitchentable_1", True), (["kitchencabinet_1", "kitchencabinet_1"], "kitchentable_1", False)])
def test_who_looks_elsewhere_although_they_think_to_know_where_it_is_is_not_after_it(home, opened, believed, missed):
    """Unless they look into one thing after the other: then the mind has missed that they saw it gone."""
    searching = tuple(HumanAction("alice", Verb.OPEN, o, None, "kitchen", 4.0, 4.4) for o in opened)  # too long ago for a walk to count
    state = replace(PlannerState(), events=searching, mistaken={("alice", "apple_1"): ("kitchentable_1", 3.0)})
    minds = home.minds(15.4, {"alice": {get("apple"): 0.1}}, {"alice": {"apple_1": {believed: 0.9, ELSEWHERE: 0.1}}}, searching={"alice": 0.9})
    found = wants(minds, Geometry(home.graph(15.4), PlannerConfig()), state, 0.05, 15.4)
    assert any(w.source is WantSource.MISSED for w in found) is missed


@pytest.mark.parametrize("believed, searching, share", [("sofa_1", 0.9, 0.4), ("sofa_1", 0.4, 0.0), ("kitchentable_1", 0.9, 0.0)])
def test_who_sees_gone_what_they_left_and_looks_for_something_is_likelier_after_that_than_after_anything_else(home, believed, searching, share):
    """Before they have opened anything: with a quarter of the mind's probability, at twice the odds. Not while they think it is there."""
    state = replace(PlannerState(), mistaken={("alice", "apple_1"): ("kitchentable_1", 3.0)})
    minds = home.minds(15.4, {"alice": {get("apple"): 0.25}}, {"alice": {"apple_1": {believed: 0.9, ELSEWHERE: 0.1}}}, searching={"alice": searching})
    found = wants(minds, Geometry(home.graph(15.4), PlannerConfig()), state, 0.05, 15.4)
    assert sum(w.probability for w in found if w.source is WantSource.MISSED) == pytest.approx(share)


def test_who_has_just_put_one_down_needs_no_other_of_its_kind_unless_for_a_task_of_several(home):
    home.entities["apple_2"] = replace(home.entities["apple_1"], id="apple_2")
    home.at["apple_2"] = "kitchentable_1"
    put = HumanAction("alice", Verb.PUTON, "apple_2", "kitchentable_1", "kitchen", 14.0, 14.5)

    def wanted(goal, *events):
        state = replace(PlannerState(), events=events)
        found = wants(home.minds(15.0, {"alice": {goal: 0.8}}), Geometry(home.graph(15.0), PlannerConfig()), state, 0.05, 15.0)
        return {w.target: w.objects for w in found if w.person == "alice"}

    either, two = Goal(GoalKind.PUT, ("apple",)), Goal(GoalKind.SET, ("apple", "book"))
    assert wanted(either)["apple"] == ("apple_1", "apple_2") and wanted(either, put) == {}
    assert wanted(either, replace(put, start=1.0, end=1.5))["apple"] == ("apple_1", "apple_2")
    assert "book" in wanted(two, put)


@pytest.mark.parametrize("kept, told", [(False, True), (True, False)])
def test_who_has_just_had_a_thing_knows_better_than_the_robot_that_lost_sight_of_it(kept, told):
    """Somebody else had it since, or nobody did."""
    events = (HumanAction("alice", Verb.PUTON, "apple_1", "kitchentable_1", None, 4.0, 5.0),
              *(() if kept else (HumanAction("david", Verb.PICK, "apple_1", "kitchentable_1", None, 7.0, 8.0),)))
    assert had_it_last(events, "apple_1", "alice", since=3.0) is kept is not told
    assert not had_it_last(events, "apple_1", "alice", since=6.0)  # long ago: anybody may have taken it since
    holds = (*events, HumanAction("alice", Verb.PICK, "apple_1", None, None, 9.0, 9.0))
    assert had_it_last(holds, "apple_1", "alice", since=60.0)


@pytest.mark.parametrize("last, told", [
    (Evidence(13.9, Source.SAW_ABSENT, "apple_1", "looked and it was not there", "kitchentable_1"), True),
    (Evidence(13.9, Source.SAW, "apple_1", "saw it in the fridge", "fridge_1"), False)])
def test_a_mistake_is_remembered_until_the_truth_was_seen_or_heard_not_until_a_walk_happens_to_lead_there(home, run, story, wrong, last, told):
    """For a moment her walk looks as if she took it to be in the fridge; then she opens a cabinet."""
    towards, lost = ({"alice": {"apple_1": rows}} for rows in ({"fridge_1": 0.6, "cabinet_1": 0.4}, {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}))
    knew = (Evidence(2.0, Source.SAW, "apple_1", "put it on the kitchen table", "kitchentable_1"),)
    searching = HumanAction("alice", Verb.OPEN, "kitchencabinet_1", None, "kitchen", 15.0, 15.4)

    def minds(t):
        m = home.minds(t, {"alice": {get("apple"): 0.2}}, wrong if t < 14.0 else towards if t < 14.7 else lost, searching={"alice": 0.9 if t > 15.0 else 0.1})
        mistake = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.95, 8.0, knew)
        alice = replace(m.people["alice"], evidence=(last,) if t >= 14.0 else knew, false_beliefs=(mistake,) if t < 14.0 else ())
        return replace(m, people={**m.people, "alice": alice})

    _, outs = run(minds, lambda i: {"events": story} if i == 0 else {"events": (searching,)} if i == 18 else {}, count=30)
    assert commands(outs) == [Say("Alice, the apple is in the fridge.", "alice")] * told


def test_what_somebody_is_just_carrying_is_not_worth_a_word_unless_asked(home, run, wrong, wants_apple):
    home.at["apple_1"] = "david"
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong))
    assert commands(outs) == []
    where = SpeechAct(ActKind.ASK_LOCATION, "alice", "Where is the apple?", "apple_1")
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong), lambda i: {"acts": (where,)} if i == 0 else {})
    assert commands(outs) == [Say("Alice, David has the apple.", "alice")]


def test_a_question_that_somebody_else_answers_needs_no_second_answer(home, run):
    ask = SpeechAct(ActKind.ASK_LOCATION, "alice", "Where is the apple?", "apple_1")
    said = Utterance("alice", ask.text, 10.0, "david")
    answer = SpeechAct(ActKind.INFORM_LOCATION, "david", "It is in the fridge.", "apple_1", "fridge_1")

    def told(acts, unknown=False):
        robot = {"apple_1": {"cabinet_1": 0.4, "sofa_1": 0.4, ELSEWHERE: 0.2}} if unknown else None
        vague = {"alice": {"apple_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}}}
        if unknown:
            home.at.pop("apple_1")
        _, outs = run(lambda t: home.minds(t, beliefs=vague, robot=robot), lambda i: {"acts": acts, "utterances": (said,)} if i == 0 else {}, count=20)
        return commands(outs)

    assert told((ask,)) == [Say("Alice, the apple is in the fridge.", "alice")]
    assert told((ask, answer)) == []
    assert told((ask,), unknown=True) == []  # David was asked, and the robot has nothing to say


def test_an_improbable_want_is_not_acted_on_unasked_however_much_it_would_save(home, run, wrong):
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.3}}, wrong))
    assert commands(outs) == []


def test_no_followed_by_a_wish_refuses_nothing(home, run):
    text = "No. I would love to read something."
    acts = (SpeechAct(ActKind.REFUSE, "alice", text), SpeechAct(ActKind.STATE_NEED, "alice", text, "book", certainty=0.9))
    _, outs = run(lambda t: home.minds(t), lambda i: {"acts": acts} if i == 0 else {})
    got = commands(outs)
    assert [type(c) for c in got] == [Say, Execute] and got[1].act.object == "book_1"


def test_what_somebody_was_after_when_last_seen_fades_but_not_an_act_begun_for_it(home, run, story, wrong, wants_apple):
    home.change("alice", visible=False, last_seen=10.0)
    just_gone = run(lambda t: home.minds(t, wants_apple, wrong), lambda i: {"events": story} if i == 0 else {}, start=12.0)
    assert any(o.decision.act.kind is HelpKind.TELL for o in just_gone[1])
    long_gone = run(lambda t: home.minds(t, wants_apple, wrong), lambda i: {"events": story} if i == 0 else {}, start=40.0)
    assert all(o.decision.act.kind is HelpKind.NOTHING for o in long_gone[1])


def test_two_that_would_do_the_nearer_known_one_needs_no_help(home, run):
    home.entities["apple_2"] = replace(home.entities["apple_1"], id="apple_2", position=(1.0, 1.0, 0.8), visible=True)
    home.at["apple_2"] = "kitchentable_1"
    nearer = {"alice": {"apple_1": {"cabinet_1": 0.94, "fridge_1": 0.06}, "apple_2": {"kitchentable_1": 1.0}}}
    out = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.9}}, nearer), lambda i: {})[1]
    assert all(o.decision.act.kind is HelpKind.NOTHING for o in out)


def test_an_unclear_want_may_be_asked_about_and_never_as_an_offer_of_help(home, run):
    goals = {"alice": {get("apple"): 0.45, get("book"): 0.45}}
    lost = {"alice": {"apple_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)},
                      "book_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}}}
    _, outs = run(lambda t: home.minds(t, goals, lost, searching={"alice": 0.9}), count=1)
    ask = next(v for v in outs[0].decision.values if v.act.kind is HelpKind.ASK)
    assert set(ask.act.options) == {"apple", "book"}
    sure = {"alice": {get("apple"): 0.97}}
    _, outs = run(lambda t: home.minds(t, sure, lost), count=1)
    assert all(v.act.kind is not HelpKind.ASK or v.total < 0 for v in outs[0].decision.values)


def test_who_has_just_put_something_away_is_offered_nothing_on_a_guess(home, run):
    """What they did until then may all have been for that; once they look for something, it is another matter."""
    unsure = {"alice": {"apple_1": {"cabinet_1": 0.5, "kitchentable_1": 0.3, "fridge_1": 0.1, ELSEWHERE: 0.1}}}
    put = HumanAction("alice", Verb.PUTIN, "book_1", "cabinet_1", "kitchen", 10, 11)
    opened = HumanAction("alice", Verb.OPEN, "cabinet_1", None, "kitchen", 11.5, 11.9)

    def told(*events):
        _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.8}}, unsure), lambda i: {"events": events} if i == 0 else {}, count=20)
        return [c for c in commands(outs) if isinstance(c, Say)]

    assert told(put) == [] and told(put, opened) and told()


@pytest.mark.parametrize("moved", [False, True])
def test_of_two_things_that_would_do_somebody_is_told_of_one(home, run, moved):
    """Where the first is; of the second only once the first has gone from there."""
    home.entities["apple_2"] = replace(home.entities["apple_1"], id="apple_2", position=(1.8, 3.9, 1.5))
    home.at["apple_2"] = "kitchencabinet_3"
    wrong = {"alice": {o: {"kitchentable_1": 0.94, ELSEWHERE: 0.06} for o in ("apple_1", "apple_2")}}
    gone = HumanAction("david", Verb.PICK, "apple_1", "fridge_1", "kitchen", 13.8, 14.0)

    def minds(t):
        if moved and t >= 14.0:
            home.at["apple_1"] = "david"
        return home.minds(t, {"alice": {get("apple"): 0.9}}, wrong)

    _, outs = run(minds, lambda i: {"events": (gone,) if moved and i == 10 else ()}, count=60)
    told = [c.text for c in commands(outs) if hasattr(c, "text")]
    assert len({t.split(" is in ")[1] for t in told if " is in " in t}) == (2 if moved else 1)


@pytest.mark.parametrize("source, p, worth", [(WantSource.MISSED, 0.95, 0.95 * 6.0), (WantSource.MISSED, 0.85, 0.0), (WantSource.GOAL, 0.95, 0.0)])
def test_to_know_what_became_of_what_one_plainly_misses_is_worth_something_beside_the_time(home, wrong, source, p, worth):
    want = Want("alice", "apple_1", p, source, ("apple_1",), None, since=0.0)

    def value(**options):
        geometry = Geometry(home.graph(12.0), PlannerConfig(**options))
        return next(c for c in candidates(PlannerState(), home.minds(12.0, {"alice": {get("apple"): p}}, wrong), geometry, (want,), 12.0) if c.act.kind is HelpKind.TELL)

    assert value(missed_value_s=6.0).total - value(missed_value_s=0.0).total == pytest.approx(worth)


@pytest.mark.parametrize("took, at, missed", [(None, 0.0, True), ("book_1", 14.2, False), ("book_1", 11.0, True), ("apple_1", 14.2, True)])
def test_what_somebody_took_up_is_what_they_went_there_for(home, took, at, missed):
    """She seemed to be going to where she thinks the apple is, and took something else."""
    went = HumanAction("alice", Verb.WALKTOWARDS, "kitchentable_1", None, "kitchen", 13.0, 14.0, 0.7)
    events = (went, *([HumanAction("alice", Verb.PICK, took, "coffeetable_1", None, at, at + 0.4)] if took else []))
    state = replace(PlannerState(), events=events, mistaken={("alice", "apple_1"): ("kitchentable_1", 8.0)})
    minds = home.minds(15.0, {"alice": {get("apple"): 0.1}}, {"alice": {"apple_1": {"kitchentable_1": 0.9, ELSEWHERE: 0.1}}})
    found = wants(minds, Geometry(home.graph(15.0), PlannerConfig()), state, 0.05, 15.0)
    assert any(w.source is WantSource.MISSED and w.target == "apple_1" for w in found) is missed
