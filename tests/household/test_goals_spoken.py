"""Goals as people say them."""

from __future__ import annotations

import pytest

from household.goals import NO_GOAL, Goal, GoalKind, get


@pytest.mark.parametrize("goal, words", [
    (NO_GOAL, "do nothing in particular"), (get("apple"), "get an apple"),
    (Goal(GoalKind.PUT, ("apple",), "fridge_1"), "put an apple to the fridge"),
    (Goal(GoalKind.REACH, place="livingroom"), "go to the living room"),
    (Goal(GoalKind.PUT, ("mug",), "alice"), "put a mug to Alice"),  # somebody it is brought to is no class
    (Goal(GoalKind.REACH, place="person_2"), "go to the person"),
])
def test_goals_are_spoken_of_whatever_their_place_is(goal, words):
    assert goal.spoken() == words
