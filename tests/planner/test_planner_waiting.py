"""When the robot waits before it helps: until it is clear what somebody is up to, and no longer than that is worth."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.goals import get
from mind.output import Evidence, FalseBelief, Source
from planner.acts import Fact, FactKind, HelpKind
from planner.config import PlannerConfig
from planner.memory import PlannerState, Told
from tests.planner.test_planner_step import commands


@pytest.mark.parametrize("share, dip, anew", [(0.8, 0.6, False), (0.3, 0.42, True)])
def test_a_moment_worth_a_little_less_does_not_begin_the_wait_anew(home, run, wrong, share, dip, anew):
    """``share`` of what an act must be worth is what it is worth in the second look."""
    def first(dips):
        _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): dip if dips and abs(t - then) < 0.01 else 0.95}}, wrong), config=config)
        return next(i for i, o in enumerate(outs) if o.commands)

    def worth(p):
        _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, wrong), count=1, config=PlannerConfig(min_need=0.0, min_guess=0.0))
        return next(v.total for v in outs[0].decision.values if v.act.kind is HelpKind.TELL)

    stamps = []
    run(lambda t: (stamps.append(t), home.minds(t, {}, wrong))[1])
    then = stamps[1]
    config = PlannerConfig(min_need=0.0, min_guess=0.0, margin_s=worth(dip) / share)
    assert worth(0.95) > config.margin_s
    assert (first(dips=True) > first(dips=False)) is anew


@pytest.mark.parametrize("p", [0.5, 0.8, 0.9, 0.99])
def test_the_less_surely_something_is_wanted_the_longer_it_stays_best_before_the_robot_helps(home, run, wrong, p):
    """For a share of the time for which being surer is worth waiting, at most for ``doubtful_s``, at least for ``settle_s``."""
    def minds(t):
        found = home.minds(t, {"alice": {get("apple"): p}}, wrong)
        false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    config = PlannerConfig()
    _, outs = run(minds, config=config)
    first = next(i for i, o in enumerate(outs) if o.commands)
    wanted = max(config.settle_s, min(config.doubtful_s, config.waits * config.bother_tell_s * (1 - p) / p))
    assert 0.2 * (first - 1) < wanted + 0.01 and wanted <= 0.2 * first + 0.01


@pytest.mark.parametrize("p, told", [(0.7, False), (0.99, True)])
def test_what_is_certainly_wanted_is_said_for_less_gain(home, run, wrong, p, told):
    def worth(p, **kwargs):
        return run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, wrong), **kwargs)[1]

    total = next(v.total for v in worth(p, count=1)[0].decision.values if v.act.kind is HelpKind.TELL)
    outs = worth(p, count=30, config=PlannerConfig(margin_s=1.5 * total))  # by so much it falls short
    assert any(o.commands for o in outs) is told


def test_who_turns_up_in_another_room_has_come_in_though_nobody_saw_them_at_the_door(home, run, wrong):
    """Whoever moved it is there and is left to say it first, and what is not plain waits until it shows what they came for."""
    def first(turns_up):
        home.rooms["alice"] = "livingroom" if turns_up else "kitchen"

        def minds(t):
            if t >= 12.0:
                home.rooms["alice"] = "kitchen"
            return home.minds(t, {"alice": {get("apple"): 0.95}}, wrong)

        _, outs = run(minds, lambda i: {"events": (took,) if i == 0 else ()}, count=60)
        return 0.2 * next(i for i, o in enumerate(outs) if o.commands)

    home.rooms["david"] = "kitchen"
    took = HumanAction("david", Verb.PICK, "apple_1", "kitchentable_1", "kitchen", 9.0, 10.0)
    assert first(turns_up=False) < 1.0 < 2.5 < first(turns_up=True)


@pytest.mark.parametrize("clear_at, waits", [(None, PlannerConfig().unclear_s), (2, 0.4), (0, 0.25)])
def test_who_is_on_a_walk_that_may_lead_anywhere_is_helped_when_it_is_clear_where_to_or_after_a_while(home, run, wrong, clear_at, waits):
    def walk(target, share):
        return HumanAction("alice", Verb.WALKTOWARDS, target, None, "kitchen", 11.8, None, share)

    told = {0: (walk("kitchentable_1", 0.4), walk("fridge_1", 0.3)), clear_at: (walk("kitchentable_1", 0.7), walk("fridge_1", 0.1))}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.7}}, wrong), lambda i: {"events": told.get(i, ())}, config=PlannerConfig(waits=0.0))
    first = 0.2 * next(i for i, o in enumerate(outs) if o.commands)
    assert first - 0.21 < waits < first + 0.01


@pytest.mark.parametrize("p, waits", [(0.7, True), (0.95, False)])
@pytest.mark.parametrize("verb, target, unclear", [(Verb.ENTER, "kitchen", True), (Verb.WALKTOWARDS, "kitchen", True), (Verb.WALKTOWARDS, "kitchentable_1", False)])
def test_coming_into_a_room_does_not_show_yet_what_for(home, run, wrong, verb, target, unclear, p, waits):
    """Waiting until it shows spares whom it does not concern, and costs whom it does: of a want that is all but sure it costs more. Who only stands there is after nothing yet."""
    came = HumanAction("alice", verb, target, None, "kitchen", 11.8, 11.9 if verb is Verb.ENTER else None, 0.95)
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, wrong), lambda i: {"events": (came,) if i == 0 else ()}, count=60, config=PlannerConfig(waits=0.0))
    first = 0.2 * next((i for i, o in enumerate(outs) if o.commands), math.inf)
    assert (first < 1.0) is not (unclear and waits) and (first == math.inf) is (unclear and waits)


@pytest.mark.parametrize("p, ended, least, most", [(0.7, None, 4.0, 7.0), (0.7, 12.2, 4.0, 7.0), (0.95, None, 0.8, 1.4), (0.55, None, 4.0, 7.0), (0.55, 12.2, 4.0, 7.0)])
def test_who_has_come_in_and_walks_who_knows_where_to_is_waited_for_as_long_as_that_is_worth(home, run, wrong, p, ended, least, most):
    """A walk that may lead anywhere does not show more than none; but who walks is after something, however doubtful what. What is not plain waits until they have gone to something, or for twice
    as long as it does otherwise, as far as that spares more than it costs; what is worth so much more than that can spare, until they have been in for a moment."""
    home.change("alice", position=(1.0, 0.4, 0.0))  # at the table
    false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0)
    walk = tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, ended, share) for place, share in (("kitchentable_1", 0.3), ("fridge_1", 0.25)))
    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), 2: walk}

    def minds(t):
        found = home.minds(t, {"alice": {get("apple"): p}}, wrong)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    _, outs = run(minds, lambda i: {"events": events.get(i, ())}, count=60)
    first = 0.2 * next(i for i, o in enumerate(outs) if o.commands)
    assert least <= first < most


@pytest.mark.parametrize("visible", [True, False])
def test_who_came_in_and_went_out_of_view_is_not_known_to_have_come_to_anything(home, run, wrong, visible):
    home.change("alice", position=(1.0, 0.4, 0.0), visible=visible, last_seen=24.0)  # at the table, as far as is known
    came = HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95)
    walk = tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, 12.2, share) for place, share in (("kitchentable_1", 0.3), ("fridge_1", 0.25)))
    events = {0: (came,), 2: walk}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.7}}, wrong), lambda i: {"events": events.get(i, ())}, count=60)
    assert any(o.commands for o in outs) == visible


@pytest.mark.parametrize("p, listen, mover, waits", [(0.82, 16.0, None, True), (0.82, 4.0, None, False), (0.75, 4.0, None, True), (0.82, 4.0, "david", True)])
def test_who_has_come_in_and_walks_is_told_at_once_what_is_likely_and_worth_far_more_than_waiting_spares(home, run, wrong, p, listen, mover, waits):
    """``listen``: what a word costs who needs none. Not where whoever moved it is there, and may say it."""
    home.change("alice", position=(1.0, 0.4, 0.0))  # at the table
    false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0)
    walk = tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, None, share) for place, share in (("kitchentable_1", 0.3), ("fridge_1", 0.25)))
    took = HumanAction("david", Verb.PICK, "apple_1", "kitchentable_1", "kitchen", 5.0, 5.5, 0.9)
    home.rooms["david"] = "kitchen" if mover else "livingroom"
    events = {0: ((took,) if mover else ()) + (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), 2: walk}

    def minds(t):
        found = home.minds(t, {"alice": {get("apple"): p}}, wrong)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    _, outs = run(minds, lambda i: {"events": events.get(i, ())}, count=60, config=PlannerConfig(bother_tell_s=listen))
    assert (0.2 * next(i for i, o in enumerate(outs) if o.commands) > 3.0) is waits


@pytest.mark.parametrize("share, waits", [(0.55, True), (0.9, False)])
def test_a_walk_that_is_only_likely_does_not_show_yet_what_somebody_came_in_for(home, run, wrong, share, waits):
    walk = tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, None, c) for place, c in (("kitchentable_1", share), ("fridge_1", 0.95 - share)))
    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), 2: walk}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.7}}, wrong), lambda i: {"events": events.get(i, ())}, count=60, config=PlannerConfig(waits=0.0))
    first = 0.2 * next(i for i, o in enumerate(outs) if o.commands)
    assert (4.0 < first < 7.0) if waits else first < 2.0


def test_alternatives_of_one_walk_are_one_walk(home, run, wrong):
    """Told again, with its end, in one breath after the first wait is over: it still does not show what they came for."""
    home.change("alice", position=(1.0, 0.4, 0.0))  # at the table
    def walk(end):
        return tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, end, c) for place, c in (("kitchentable_1", 0.3), ("fridge_1", 0.25), ("cabinet_1", 0.2)))

    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), 2: walk(None), 17: walk(None), 19: walk(15.0)}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.7}}, wrong), lambda i: {"events": events.get(i, ())}, count=60)
    assert 0.2 * next(i for i, o in enumerate(outs) if o.commands) > 5.0


@pytest.mark.parametrize("came, searches, p, least, most", [(10.2, 0.8, 0.6, 0.0, 0.6), (10.2, 0.75, 0.42, 0.6, 9.0), (10.2, 0.6, 0.42, 0.6, 9.0), (10.2, 0.3, 0.6, 0.6, 9.0),
                                                             (12.0, 0.8, 0.6, 0.6, 1.4), (12.0, 0.95, 0.95, 0.6, 1.4), (10.2, 0.95, 0.95, 0.0, 0.4),
                                                             (10.2, 0.6, 0.85, 0.0, 0.4), (12.0, 0.6, 0.85, 0.6, 1.4)])
def test_who_sees_from_the_door_that_it_is_gone_and_searches_is_told_before_it_is_clear_where_to(home, run, wrong, came, searches, p, least, most):
    """Wherever they go next, it may be for that; who does not search, or may only be passing what they see to be empty, may have come for anything, and so may whoever has come in just
    now, however much they seem to search. Where a word is worth far more than it spares them it is not waited to see whether they pass. ``least``, ``most``: s from when they see it."""
    seen_at = 12.5
    gone = {"alice": {"apple_1": {"cabinet_1": 0.8, "fridge_1": 0.02}}}

    def minds(t):
        if t < seen_at:
            found = home.minds(t, {"alice": {get("apple"): 0.3}}, wrong)
            false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0, (Evidence(2.0, Source.SAW, "apple_1", "put it on the kitchen table"),))
            return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})
        return home.minds(t, {"alice": {get("apple"): p}}, gone, searching={"alice": searches})

    def walk(i):
        return tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.2, None, 0.3 + 0.01 * i) for place in ("cabinet_1", "fridge_1"))

    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", came, came + 0.1, 0.95),), **{i: walk(i) for i in range(2, 20, 3)}}
    _, outs = run(minds, lambda i: {"events": events.get(i, ())}, count=60)
    first = 12.0 + 0.2 * next(i for i, o in enumerate(outs) if o.commands) - seen_at
    assert least < first < most


@pytest.mark.parametrize("first, dip, told", [(0.7, 0.5, True), (0.5, 0.5, False), (0.7, 0.3, False)])
def test_who_searches_for_what_they_found_gone_is_still_thought_to_when_one_step_seems_to_be_for_something_else(home, run, wrong, first, dip, told):
    """Who plainly searched a moment ago; not who never did, nor who plainly does not."""
    gone = {"alice": {"apple_1": {"cabinet_1": 0.8, "fridge_1": 0.02}}}

    def minds(t):
        if t < 12.3:
            found = home.minds(t, {"alice": {get("apple"): 0.3}}, wrong)
            false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0, (Evidence(2.0, Source.SAW, "apple_1", "put it on the kitchen table"),))
            return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})
        return home.minds(t, {"alice": {get("apple"): 0.4}}, gone, searching={"alice": first if t < 12.7 else dip})

    _, outs = run(minds, count=12)
    assert any(o.commands for o in outs) is told


@pytest.mark.parametrize("ended, waits", [(False, True), (True, False)])
def test_who_has_come_in_and_still_walks_is_waited_for_a_little_longer_than_who_has_stopped(home, run, wrong, ended, waits):
    """Where they get to shows soon; twice the usual wait at most."""
    config = PlannerConfig()

    def walk(i, share):
        end = 11.8 + 0.2 * i if ended and i > 8 else None
        return tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.0, end, c) for place, c in (("kitchentable_1", share), ("fridge_1", 0.6 - share)))

    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), **{i: walk(i, 0.3 + 0.01 * i) for i in range(2, 28, 3)}}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): 0.6}}, wrong), lambda i: {"events": events.get(i, ())}, count=60)
    first = 0.2 * next(i for i, o in enumerate(outs) if o.commands)
    assert (first > config.came_s + 1.0) is waits and first < 2 * config.came_s + 1.0


@pytest.mark.parametrize("p, after, listen, helped", [(0.5, None, 16.0, False), (0.9, None, 16.0, True), (0.5, "kitchentable_1", 16.0, True),
                                                      (0.82, None, 60.0, False), (0.82, None, 4.0, True), (0.75, None, 4.0, False)])
def test_who_has_come_in_and_only_stands_there_is_not_told_what_they_doubtfully_want(home, run, wrong, p, after, listen, helped):
    """Unless it is likely, and worth far more to them than it spares them (``listen``: what a word costs who needs none) not to be told."""
    def minds(t):
        found = home.minds(t, {"alice": {get("apple"): p}}, wrong)
        false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),)}
    if after is not None:
        events[10] = (HumanAction("alice", Verb.WALKTOWARDS, after, None, "kitchen", 13.9, None, 0.9),)
    _, outs = run(minds, lambda i: {"events": events.get(i, ())}, count=60, config=PlannerConfig(bother_tell_s=listen))
    assert bool(commands(outs)) is helped


@pytest.mark.parametrize("at, told", [((1.0, 0.4, 0.0), True), ((2.2, 0.8, 0.0), False), ((3.4, 2.8, 0.0), False)])
def test_who_has_come_in_and_stands_where_they_think_that_it_is_is_told(home, run, wrong, at, told):
    """Though no walk of theirs was told; not in the middle of the room, nor before something else."""
    home.change("alice", position=at)
    false = FalseBelief("alice", "apple_1", "kitchentable_1", "fridge_1", 0.9, 10.0, (Evidence(2.0, Source.SAW, "apple_1", "put it on the kitchen table"),))

    def minds(t):
        found = home.minds(t, {"alice": {get("apple"): 0.75}}, wrong)
        return replace(found, people={**found.people, "alice": replace(found.people["alice"], false_beliefs=(false,))})

    came = (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),)
    _, outs = run(minds, lambda i: {"events": came if i == 0 else ()}, count=60)
    assert bool(commands(outs)) is told


@pytest.mark.parametrize("at, p, helped", [((1.0, 0.4, 0.0), 0.6, True), ((2.2, 0.8, 0.0), 0.6, False), ((2.2, 0.8, 0.0), 0.92, True)])
def test_who_has_come_in_and_stops_in_the_middle_of_the_room_is_not_told_what_they_doubtfully_want(home, run, wrong, at, p, helped):
    """Wherever they seemed to be going: who is after something stops before what it may be in or on."""
    home.change("alice", position=at)

    def walk(end):
        return tuple(HumanAction("alice", Verb.WALKTOWARDS, place, None, "kitchen", 12.2, end, c) for place, c in (("kitchentable_1", 0.4), ("fridge_1", 0.3)))

    events = {0: (HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 11.8, 11.9, 0.95),), 2: walk(None), 9: walk(13.6)}
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, wrong), lambda i: {"events": events.get(i, ())}, count=80)
    assert bool(commands(outs)) is helped


def test_who_goes_off_in_the_dark_is_not_waited_for_until_it_is_clear_where_to(home, run):
    home.rooms["alice"] = "livingroom"
    read, left = HumanAction("alice", Verb.READ, "book_1", None, "livingroom", 5, None), HumanAction("alice", Verb.ENTER, "kitchen", None, "kitchen", 14.0, 14.1, 0.95)

    def minds(t):
        home.change("lamp_1", switched_on=t < 13.0)
        return home.minds(t, beliefs={"alice": {"candle_1": {f"kitchencabinet_{i}": 1 / 6 for i in range(1, 7)}}})

    _, outs = run(minds, lambda i: {"events": (read,)} if i == 0 else {"events": (left,)} if i == 11 else {}, count=30)
    assert {o.decision.act.object for o in outs if o.decision.act.kind is not HelpKind.NOTHING} == {"candle_1"}


def test_who_has_just_taken_something_up_is_not_told_of_another_thing_until_it_is_put_down(home, run, wrong, wants_apple):
    home.at["book_1"] = "alice"
    took = HumanAction("alice", Verb.PICK, "book_1", "sofa_1", "kitchen", 11.0, 11.5)
    feed = lambda i: {"events": (took,)} if i == 0 else {}  # noqa: E731
    state, outs = run(lambda t: home.minds(t, wants_apple, wrong), feed)
    assert commands(outs) == []
    home.at["book_1"] = "kitchentable_1"
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong), start=17.0, state=state)
    assert [c.text for c in commands(outs)] == ["Alice, the apple is in the fridge."]


@pytest.mark.parametrize("met, helped", [(11.0, False), (-40.0, True)])
def test_who_is_met_with_something_in_hand_first_takes_it_where_it_is_to_go(home, run, wrong, wants_apple, met, helped):
    home.at["book_1"] = "alice"
    seen = HumanAction("alice", Verb.WALKTOWARDS, "fridge_1", None, "kitchen", met, None, 0.9)
    _, outs = run(lambda t: home.minds(t, wants_apple, wrong), lambda i: {"events": (seen,)} if i == 0 else {})
    assert bool(commands(outs)) is helped


@pytest.mark.parametrize("p, ago, first", [(0.8, 2.0, PlannerConfig().one_word_s - 2.0), (0.8, 20.0, 0.0), (0.97, 2.0, 0.0)])
def test_who_has_just_been_told_of_one_thing_gets_there_before_another_is_spoken_of(home, run, wrong, p, ago, first):
    """Unless that is all but sure to be wanted, too."""
    told = Told("alice", Fact(FactKind.AT, "book_1", "sofa_1"), 12.0 - ago)
    _, outs = run(lambda t: home.minds(t, {"alice": {get("apple"): p}}, wrong), state=replace(PlannerState(), told=(told,)), count=90, config=PlannerConfig(waits=0.0))
    assert first <= 0.2 * next(i for i, o in enumerate(outs) if o.commands) + 0.01 < first + 1.0
