"""What was said once is not said again, however often a thing is seen changing hands."""

import pytest

from household.actions import HumanAction, Verb
from planner.acts import Fact, FactKind
from planner.memory import PlannerState, may_tell, note_told


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
