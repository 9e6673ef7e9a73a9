"""Plans walked through before they run, and watched while they do; whatever happens the robot ends still and says the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import AtomicAction, Verb
from household.scene_graph import Openness
from planner import plans
from planner.acts import NOTHING, HelpAct, HelpKind
from planner.body import Report, ScriptedBody, StepStatus, StillBody
from planner.config import PlannerConfig
from planner.execution import ExecutionInput, ExecutionState, Executor, Phase, step
from planner.geometry import Geometry
from planner.step import Cancel, Execute, Say

CONFIG = PlannerConfig()
FETCH = HelpAct(HelpKind.FETCH, "alice", "apple_1", "fridge_1")


def fetch(home) -> Execute:
    graph = home.graph(0.0)
    return Execute(1, plans.make(FETCH, graph, Geometry(graph, CONFIG)), FETCH, 10.0)


def drive(home, body, command, ticks=80, during=lambda i: None, commands=lambda i: (), stop=lambda i: ""):
    """Tick at 5 Hz. Returns the executor, all sentences, all events."""
    executor, said, events = Executor(body, CONFIG), [], []
    for i in range(ticks):
        during(i)
        out = executor.tick(0.2 * i, home.graph(0.2 * i), (command,) if i == 0 else commands(i), stop(i))
        said += [s.text for s in out.say]
        events += list(out.events)
    return executor, said, events


def test_a_fetch_opens_takes_closes_and_hands_over(home):
    body = ScriptedBody()
    executor, said, events = drive(home, body, fetch(home))
    assert [str(a) for a in body.started] == ["walk(fridge_1)", "open(fridge_1)", "pick(apple_1)", "close(fridge_1)", "walk(alice)",
                                              "give(apple_1, alice)"]
    assert executor.state.phase is Phase.DONE and said == []
    assert [(e.verb, e.target, e.place) for e in events] == [
        (Verb.OPEN, "fridge_1", None), (Verb.PICK, "apple_1", "fridge_1"), (Verb.CLOSE, "fridge_1", None),
        (Verb.GIVE, "apple_1", "alice"), (Verb.STAND, None, None)]


def test_an_open_fridge_is_not_opened(home):
    home.change("fridge_1", openness=Openness.OPEN)
    assert [a.verb for a in fetch(home).plan] == [Verb.WALK, Verb.PICK, Verb.WALK, Verb.GIVE]


@pytest.mark.parametrize("actions, reason", [
    ([AtomicAction(Verb.PICK, ("apple_1",))], "closed"), ([AtomicAction(Verb.GIVE, ("apple_1", "alice"))], "does not hold"),
    ([AtomicAction(Verb.WALK, ("garage_1",))], "nothing known"), ([AtomicAction(Verb.OPEN, ("fridge_1",))], "does not stand at"),
    ([AtomicAction(Verb.WALK, ())], "argument")])
def test_a_plan_that_cannot_work_is_refused_with_a_reason(home, actions, reason):
    graph = home.graph(0.0)
    assert reason in plans.problem(tuple(actions), plans.state_of(graph, Geometry(graph, CONFIG)), graph)
    body = ScriptedBody()
    executor, said, events = drive(home, body, Execute(1, tuple(actions), FETCH, 5.0), ticks=3)
    assert body.started == [] and executor.state.phase is Phase.FAILED and events[-1].verb is Verb.STAND


def test_a_failed_grab_is_tried_again(home):
    body = ScriptedBody(script=lambda a, n: "the gripper slipped" if a.verb is Verb.PICK and n == 2 else "")
    executor, said, _ = drive(home, body, fetch(home))
    assert executor.state.phase is Phase.DONE and sum(a.verb is Verb.PICK for a in body.started) == 2 and said == []


def test_a_grab_that_keeps_failing_ends_in_an_honest_word(home):
    body = ScriptedBody(script=lambda a, n: "the gripper slipped" if a.verb is Verb.PICK else "")
    executor, said, events = drive(home, body, fetch(home), ticks=200)
    assert executor.state.phase is Phase.FAILED and body.stops >= 1 and events[-1].verb is Verb.STAND
    assert said == ["Alice, I'm sorry, I could not bring the apple: the gripper slipped."]
    assert sum(a.verb is Verb.PICK for a in body.started) == 3


def test_trying_again_in_vain_is_no_news_but_failing_after_a_success_is(home):
    slips = {"now": True}
    body = ScriptedBody(script=lambda a, n: "the gripper slipped" if a.verb is Verb.PICK and slips["now"] else "")
    again = {150: 2, 300: 3, 450: 4}

    def commands(i):
        slips["now"] = i < 300 or i >= 450
        return (replace(fetch(home), plan_id=again[i]),) if i in again else ()

    executor, said, _ = drive(home, body, fetch(home), ticks=700, commands=commands)
    assert executor.state.plan_id == 4 and said == ["Alice, I'm sorry, I could not bring the apple: the gripper slipped."] * 2


@pytest.mark.parametrize("thing, words", [("apple_1", 1), ("book_1", 2)])
def test_that_another_way_with_the_same_thing_fails_for_the_same_reason_is_no_news(home, thing, words):
    body = ScriptedBody(script=lambda a, n: "there is no way to Alice" if a.args == ("alice",) or a.verb is Verb.PICK else "")
    other = replace(fetch(home), plan_id=2)
    other = replace(other, act=replace(other.act, kind=HelpKind.MOVE, object=thing))
    _, said, _ = drive(home, body, fetch(home), ticks=400, commands=lambda i: (other,) if i == 200 else ())
    assert len(said) == words


def test_a_door_that_fell_shut_is_opened_again(home):
    def shut(i):
        home.change("fridge_1", openness=Openness.CLOSED)

    body = ScriptedBody(script=lambda a, n: "the fridge is shut" if a.verb is Verb.PICK and n == 2 else "")
    executor, _, _ = drive(home, body, fetch(home), during=shut)
    assert executor.state.phase is Phase.DONE
    assert [a.verb for a in body.started].count(Verb.OPEN) == 2


def test_an_object_moved_meanwhile_is_followed(home):
    def during(i):
        if i == 2:
            home.at["apple_1"] = "kitchentable_1"
            home.change("apple_1", visible=True, position=(1.0, 1.0, 0.8))

    body = ScriptedBody()
    executor, said, _ = drive(home, body, fetch(home), during=during)
    assert executor.state.phase is Phase.DONE and AtomicAction(Verb.WALK, ("kitchentable_1",)) in body.started
    assert AtomicAction(Verb.OPEN, ("fridge_1",)) not in body.started


def test_an_object_somebody_took_is_given_up_with_a_word_and_if_she_has_it_without(home):
    def taken_by(person):
        def during(i):
            if i == 2:
                home.at["apple_1"] = person
        return during

    executor, said, _ = drive(home, ScriptedBody(), fetch(home), during=taken_by("david"))
    assert executor.state.phase is Phase.FAILED and said == ["Alice, I'm sorry, I could not bring the apple: somebody took it."]
    home.at["apple_1"] = "fridge_1"
    executor, said, _ = drive(home, ScriptedBody(), fetch(home), during=taken_by("alice"))
    assert executor.state.phase is Phase.CANCELLED and said == []


def test_full_hands_get_it_put_down_beside_them(home):
    body = ScriptedBody(script=lambda a, n: "Alice has no hand free" if a.verb is Verb.GIVE else "")
    executor, _, events = drive(home, body, fetch(home), ticks=150)
    assert executor.state.phase is Phase.DONE
    assert any(e.verb is Verb.PUTON and e.place == "kitchentable_1" for e in events)


def test_stop_and_cancel_stand_still_at_once(home):
    body = ScriptedBody(ticks=5)
    executor, _, events = drive(home, body, fetch(home), ticks=12, commands=lambda i: (Cancel(1, "never mind"),) if i == 4 else ())
    assert executor.state.phase is Phase.CANCELLED and body.stops == 1 and len(body.started) == 1
    body = ScriptedBody(ticks=5)
    executor, _, _ = drive(home, body, fetch(home), ticks=12, stop=lambda i: "emergency" if i == 4 else "")
    assert executor.state.phase is Phase.CANCELLED and executor.state.reason == "emergency" and body.stops == 1


def test_a_body_that_never_answers_is_given_up_on(home):
    body = ScriptedBody(ticks=10 ** 6)
    executor, said, events = drive(home, body, fetch(home), ticks=80)
    assert executor.state.phase is Phase.FAILED and "longer than 10 s" in executor.state.reason and body.stops == 1
    assert len(said) == 1 and events[-1].verb is Verb.STAND


def test_a_body_without_arm_says_so_and_does_nothing(home):
    executor, said, _ = drive(home, StillBody(), fetch(home), ticks=60)
    assert executor.state.phase is Phase.FAILED and "cannot walk" in said[0]


def test_a_body_that_raises_is_a_failed_step(home):
    class Broken(ScriptedBody):
        def poll(self):
            raise ConnectionError("gone")

    executor, said, _ = drive(home, Broken(), fetch(home), ticks=60)
    assert executor.state.phase is Phase.FAILED and "gone" in said[0]


def test_words_after_a_walk_are_said_on_arrival(home):
    plan = (AtomicAction(Verb.WALK, ("alice",)), AtomicAction(Verb.SAY, ("Alice, the apple is in the fridge.", "alice")))
    _, said, events = drive(home, ScriptedBody(), Execute(3, plan, HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1"), 10.0))
    assert said == ["Alice, the apple is in the fridge."] and events[-1].verb is Verb.STAND


def test_who_comes_within_hearing_is_told_before_the_robot_has_reached_them(home):
    plan = (AtomicAction(Verb.WALK, ("alice",)), AtomicAction(Verb.SAY, ("Alice, the apple is in the fridge.", "alice")))
    home.rooms["alice"] = "livingroom"
    home.change("alice", position=(9.0, 2.0, 0.0))

    def during(i):
        if i == 10:
            home.rooms["alice"] = "kitchen"

    executor, said, _ = drive(home, ScriptedBody(ticks=10**6), Execute(3, plan, HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1"), 30.0), during=during)
    assert said == ["Alice, the apple is in the fridge."] and executor.state.phase is Phase.DONE


@pytest.mark.parametrize("seen_again, said_by", [(None, []), (40, ["Alice, the apple is in the fridge."])])
def test_nothing_is_said_to_where_somebody_was_some_time_ago(home, seen_again, said_by):
    """Her last place is within hearing, but she has gone on: the robot follows until it has found her."""
    plan = (AtomicAction(Verb.WALK, ("alice",)), AtomicAction(Verb.SAY, ("Alice, the apple is in the fridge.", "alice")))

    def during(i):
        found = seen_again is not None and i >= seen_again
        home.change("alice", visible=found, last_seen=0.2 * i if found else -10.0)

    _, said, _ = drive(home, ScriptedBody(ticks=10**6), Execute(3, plan, HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1"), 30.0), during=during)
    assert said == said_by


verbs = st.sampled_from([Verb.WALK, Verb.OPEN, Verb.PICK, Verb.GIVE, Verb.PUTON, Verb.SWITCHOFF, Verb.MOVE, Verb.SAY])
things = st.sampled_from(["apple_1", "fridge_1", "alice", "kitchentable_1", "nowhere_9"])


@settings(max_examples=80, deadline=None)
@given(st.lists(st.builds(lambda v, a: AtomicAction(v, tuple(a)), verbs, st.lists(things, max_size=3)), max_size=5).map(tuple),
       st.lists(st.sampled_from(list(StepStatus)), max_size=30))
def test_no_plan_and_no_report_starts_an_invalid_action_or_leaves_it_running(plan, reports):
    from household.actions import validate

    home = _home()
    graph, state = home.graph(0.0), ExecutionState()
    state, out = step(state, ExecutionInput(0.0, graph, command=Execute(1, plan, FETCH, 2.0)), CONFIG)
    outs = [out]
    for i, status in enumerate(reports + [None] * 60):
        report = None if status is None else Report(status, "x")
        state, out = step(state, ExecutionInput(0.5 * (i + 1), graph, report), CONFIG)
        outs.append(out)
    for out in outs:
        if out.start is not None:
            validate(out.start, set(graph.entities) | {"robot"})
    assert state.phase is not Phase.RUNNING
    assert outs[-1].start is None


def _home():
    import importlib.util
    from pathlib import Path

    spec = importlib.util.spec_from_file_location("hand_made_home", Path(__file__).with_name("conftest.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.HandMadeHome()


def test_nothing_has_no_plan(home):
    graph = home.graph(0.0)
    assert plans.make(NOTHING, graph, Geometry(graph, CONFIG)) == ()


def test_say_commands_pass_through(home):
    _, said, _ = drive(home, ScriptedBody(), Say("Hello.", "alice"), ticks=2)
    assert said == ["Hello."]
