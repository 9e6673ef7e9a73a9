"""The judge of a story: what counts as needed, as right, and as an act nobody needed."""

from dataclasses import replace

import pytest
from household.scene_graph import Entity, SceneGraph
from planner.acts import NOTHING, Fact, FactKind, HelpAct, HelpKind
from planner.decision import Decision

from evaluation.demo.naming import pair
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


@pytest.mark.parametrize("options, false", [(("apple", "juice"), 0), (("juice", "toy"), 1)])
def test_asking_which_thing_is_no_false_correction_if_it_is_one_of_them_but_does_not_help_by_itself(options, false):
    asked = HelpAct(HelpKind.ASK, "alice", options=options)
    verdict = judge(recording(mistaken(), decided(4.0, asked)))
    assert verdict.false_corrections == false and not verdict.right
    assert judge(recording(mistaken(), decided(3.5, asked), decided(4.5, TELL))).right == (not false)


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


def entity(name, cls, position, visible=True):
    return Entity(name, cls, position, visible=visible)


def seen(stamp, people, apple=(2.0, 0.0, 1.0), apple_seen=True, extra=()):
    """What the stack saw: its own numbers; ``people``: id → (x, y)."""
    found = [entity("apple_3", "apple", apple, apple_seen), entity("fridge_4", "fridge", (4.1, 0.0, 0.9)),
             entity("kitchentable_9", "kitchentable", (2.0, 0.1, 0.4)), *extra]
    found += [entity(p, "person", (*xy, 0.9)) for p, xy in people.items()]
    return SceneGraph(stamp, {e.id: e for e in found})


WHERE = {"fridge_1": ["fridge", 4.0, 0.0, 0.9], "table_1": ["kitchentable", 2.0, 0.0, 0.4]}


def numbered(graph_of, *decisions, apple="fridge_1"):
    """Alice, at (0, 1), thinks that the apple is on the table; David stands at (3, 1); where everything is stands in the truth."""
    truth = mistaken()
    for f in truth:
        f["things"] = {"apple_1": apple}
        f["where"] = {**WHERE, "apple_1": ["apple", 2.0, 0.0, 1.0], "alice": ["person", 0.0, 1.0, 0.0], "david": ["person", 3.0, 1.0, 0.0]}
        f["people"]["david"] = person(("none", []), thinks={"apple_1": "fridge_1"})
    return Recording(graphs=[graph_of(f["stamp"]) for f in truth], truth=truth, decisions=list(decisions))


def tell(who, thing="apple_3", place="fridge_4"):
    return HelpAct(HelpKind.TELL, who, thing, place, fact=Fact(FactKind.AT, thing, place))


BOTH = {"person_1": (3.1, 1.0), "person_2": (0.0, 1.1)}


def test_the_stacks_own_numbers_are_read_as_who_and_what_stood_there():
    verdict = judge(numbered(lambda t: seen(t, BOTH), decided(4.0, tell("person_2"))))
    assert verdict.right and verdict.false_corrections == 0
    assert verdict.names == "apple_3 is apple_1, fridge_4 is fridge_1, person_2 is alice"


def test_the_right_words_to_the_wrong_person_are_wrong():
    verdict = judge(numbered(lambda t: seen(t, BOTH), decided(4.0, tell("person_1"))))
    assert not verdict.right and verdict.false_corrections == 1 and "nobody needed" in verdict.reason


def test_a_track_that_went_over_to_somebody_else_stands_for_them_from_then_on():
    def swap(t):
        return seen(t, BOTH if t < 3.0 else {"person_1": (0.0, 1.0), "person_2": (3.0, 1.0)})

    assert not judge(numbered(swap, decided(14.0, tell("person_2")))).right
    assert judge(numbered(lambda t: seen(t, BOTH) if t != 3.0 else swap(3.0), decided(4.0, tell("person_2")))).right  # one frame is no change


def test_a_thing_out_of_sight_stays_what_it_was_seen_to_be():
    def hidden(t):
        return seen(t, BOTH, (2.0, 0.0, 1.0) if t < 2.0 else (4.0, 0.0, 1.0), t < 2.0)

    assert judge(numbered(hidden, decided(4.0, tell("person_2")))).right


def test_a_thing_or_a_person_that_does_not_exist_is_an_error():
    ghost = lambda t: seen(t, {**BOTH, "person_7": (8.0, 8.0)}, extra=[entity("apple_8", "apple", (2.0, 3.0, 1.0))])  # noqa: E731
    for act in (tell("person_2", "apple_8"), tell("person_7")):
        verdict = judge(numbered(ghost, decided(4.0, act)))
        assert not verdict.right and verdict.false_corrections == 1 and "does not exist" in verdict.reason


def test_saying_that_it_is_where_it_is_not_is_an_error():
    verdict = judge(numbered(lambda t: seen(t, BOTH), decided(4.0, tell("person_2", place="kitchentable_9"))))
    assert not verdict.right and verdict.false_corrections == 1 and "fridge_1" in verdict.reason


def test_what_stands_there_may_bear_another_of_the_names_that_the_robot_offers():
    """Its first name counts before another: the true orange is the orange, though the doubtful one lies nearer."""
    where = {"apple_1": ["apple", 0.0, 0.0, 1.0], "orange_9": ["orange", 0.2, 0.0, 1.0]}
    doubtful = Entity("orange_1", "orange", (0.02, 0.0, 1.0), other_names=("apple",))
    assert pair([doubtful], {"apple_1": where["apple_1"]}) == {"orange_1": "apple_1"}
    assert pair([replace(doubtful, other_names=())], {"apple_1": where["apple_1"]}) == {}
    sure = Entity("orange_2", "orange", (0.21, 0.0, 1.0))
    assert pair([doubtful, sure], where) == {"orange_1": "apple_1", "orange_2": "orange_9"}
