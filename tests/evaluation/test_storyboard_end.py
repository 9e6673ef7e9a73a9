"""The last picture of a storyboard shows what came of the robot's word, or else somebody, if the robot only just looked away."""

import pytest

from evaluation.demo.recording import Recording
from evaluation.demo.storyboard import last_look, moments, upshot
from household.actions import HumanAction, Verb
from household.scene_graph import Entity, SceneGraph
from planner.acts import Fact, FactKind, HelpAct, HelpKind
from planner.decision import Decision


def graph(stamp, visible):
    alice = Entity("alice", "person", (1.0, 1.0, 0.0), (0.4, 0.4, 1.7), visible=visible)
    return SceneGraph(stamp, entities={"alice": alice})


def recording(*seen):
    rec = Recording(frame=None)
    rec.graphs = [graph(float(i), v) for i, v in enumerate(seen)]
    return rec


def test_a_glance_elsewhere_at_the_end_is_not_the_last_picture():
    rec = recording(True, True, True, False, False)
    assert last_look(rec) == 2.0 and moments(rec, None)[-1].stamp == 2.0 and moments(rec, None)[-1].title == "At the end"


def test_who_has_been_away_for_long_or_is_there_still_changes_nothing():
    assert last_look(recording(True, *[False] * 9)) == 9.0
    assert last_look(recording(False, True, True)) == 2.0
    assert last_look(recording()) == 0.0


@pytest.mark.parametrize("actor, verb, target, start, told, last", [
    ("alice", Verb.OPEN, "fridge_1", 4.0, "fridge_1", 4.5), ("alice", Verb.PICK, "apple_1", 4.0, "fridge_1", 4.5), ("alice", Verb.OPEN, "fridge_1", 2.0, "fridge_1", 9.0),
    ("david", Verb.OPEN, "fridge_1", 4.0, "fridge_1", 9.0), ("alice", Verb.OPEN, "stove_1", 4.0, "fridge_1", 9.0), ("alice", Verb.OPEN, "fridge_1", 4.0, None, 9.0)])
def test_who_was_told_and_goes_there_is_the_last_picture(actor, verb, target, start, told, last):
    """Told at 3.0 s where the apple is; what somebody does from ``start`` until half a second later is seen."""
    rec = recording(*[True] * 10)
    rec.events = [HumanAction(actor, verb, target, None, "kitchen", start, start + 0.5)]
    fact = Fact(FactKind.AT, "apple_1", told) if told else Fact(FactKind.MOVED, "apple_1")
    rec.decisions = [Decision(3.0, HelpAct(HelpKind.TELL, "alice", "apple_1", told, fact=fact))]
    assert upshot(rec).stamp == last and (upshot(rec).title == "At the end") == (last == 9.0)
    assert upshot(rec) in moments(rec, None)
