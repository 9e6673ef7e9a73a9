"""The judge of a story: what counts as needed, as right, and as an act nobody needed."""

import pytest
from household.scene_graph import SceneGraph
from planner.acts import NOTHING, HelpAct, HelpKind
from planner.decision import Decision

from evaluation.demo.recording import Recording
from evaluation.demo.verdict import judge, troubles


def person(goal=("get", ["apple"]), *, at=None, room="kitchen", stuck="", reached=None, believed=None, thinks=None):
    return {"goal": {"kind": goal[0], "targets": goal[1]}, "scripted": False, "since": 0.0, "reached_at": reached, "stuck": stuck, "at": at,
            "room": room, "beliefs": {"apple_1": believed} if believed else {}, "thinks": thinks or {}}


def frame(stamp, people, running=None, apple="fridge_1"):
    return {"stamp": stamp, "events": [], "things": {"apple_1": apple}, "running": running or {}, "people": people}


def decided(stamp, act):
    return Decision(stamp, act)


def recording(truth, *decisions):
    return Recording(graphs=[SceneGraph(0.0, {})], truth=truth, decisions=list(decisions))


TELL = HelpAct(HelpKind.TELL, "alice", "apple_1", "fridge_1")


def mistaken(delay_of_search=3.0, reached=20.0):
    wrong = {"table_1": 1.0}
    return [frame(t, {"alice": person(at="table_1" if t >= delay_of_search else None, believed=wrong, thinks={"apple_1": "table_1"},
                                      reached=reached if t >= reached else None)}) for t in map(float, range(25))]


@pytest.mark.parametrize("when, right", [(2.0, True), (5.0, True), (5.5, False)])
def test_a_false_belief_has_to_be_put_right_within_two_seconds_of_the_search(when, right):
    verdict = judge(recording(mistaken(), decided(when, TELL)))
    assert (verdict.needed, verdict.right) == (True, right)
    assert verdict.delay == when - 3.0


def test_silence_is_wrong_where_somebody_searches_in_vain():
    assert not judge(recording(mistaken())).right


def test_silence_is_right_where_nobody_needs_anything():
    truth = [frame(float(t), {"alice": person(("none", []), thinks={"apple_1": "fridge_1"})}) for t in range(9)]
    assert judge(recording(truth, decided(0.0, NOTHING))).right
    verdict = judge(recording(truth, decided(4.0, TELL)))
    assert not verdict.right and verdict.false_corrections == 1


def stuck(until=None):
    return [frame(t, {"alice": person(stuck="the cabinet is too high to reach" if t > 4 else "", thinks={"apple_1": "fridge_1"},
                                      reached=until if until is not None and t >= until else None)}) for t in map(float, range(20))]


def test_somebody_who_cannot_get_on_needs_help():
    fetch = HelpAct(HelpKind.FETCH, "alice", "apple_1", "fridge_1")
    assert not judge(recording(stuck())).right
    assert judge(recording(stuck(12.0), decided(8.0, fetch))).right
    assert not judge(recording(stuck(), decided(8.0, fetch))).right  # decided, but it came to nothing
    other = HelpAct(HelpKind.FETCH, "alice", "book_1", "table_1")
    assert judge(recording(stuck(12.0), decided(8.0, other))).false_corrections == 1


def tap(off=None, back=None):
    return [frame(t, {"alice": person(("none", []), room="kitchen" if t < 5 or (back and t >= back) else "hallway")},
                  {} if off is not None and t >= off else {"faucet_1": "kitchen"}) for t in map(float, range(20))]


def test_water_that_runs_alone_has_to_be_turned_off():
    act = decided(11.0, HelpAct(HelpKind.SWITCH_OFF, None, "faucet_1"))
    assert not judge(recording(tap())).right
    assert judge(recording(tap(13.0), act)).right
    assert [t.over for t in troubles(tap(13.0))] == [13.0]


def test_water_beside_somebody_is_nobodys_business():
    truth = tap(back=7.0)
    assert troubles(truth) == [] and judge(recording(truth)).right
    assert not judge(recording(truth, decided(8.0, HelpAct(HelpKind.SWITCH_OFF, None, "faucet_1")))).right
