"""What counts as an event the camera could tell, and as told in time."""

import pytest

from evaluation.perception_run import Run, TruthFrame
from evaluation.perception_score import gap, score, showed
from household.actions import HumanAction, Verb
from household.scene_graph import Entity, Openness, SceneGraph, Tracking
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.world import TrueEvent

PICK = HumanAction("alice", Verb.PICK, "apple_1", "kitchentable_1", "kitchen", 4.0, 4.5, witnesses={"david": 1.0})


def run(pixels, said=()):
    """A run of 10 s at 2 Hz; ``pixels``: stamp → visible pixels; David stands in the robot's view from 5 s on."""
    stamps = [0.5 * i for i in range(1, 21)]
    truth = [TruthFrame(t, {}, {"david": (1.0, 1.0, 0.0, 0.0, None)}, {}, pixels(t), {}) for t in stamps]
    graphs = [SceneGraph(t, {"david": Entity("david", "person", (1.0, 1.0, 0.0), (0.5, 0.3, 1.7), tracking=Tracking.VISIBLE, visible=t >= 5.0,
                                             last_seen=t)}) for t in stamps]
    return Run(load_home("maple"), truth, graphs, list(said), [TrueEvent(PICK, frozenset({"robot"}))])


@pytest.mark.parametrize("when, shows", [(2.0, True), (7.0, True), (0.5, False), (8.0, False)])
def test_a_thing_shows_if_it_is_in_the_picture_about_the_time_of_its_event(when, shows):
    assert showed(run(lambda t: {"apple_1": 40} if t == when else {"apple_1": 5}), PICK) is shows


def test_a_container_shows_only_while_it_moves():
    opened = HumanAction("alice", Verb.OPEN, "fridge_1", None, "kitchen", 4.0, 5.2)
    assert showed(run(lambda t: {"fridge_1": 900 if 4.0 <= t <= 5.5 else 0}), opened)
    assert not showed(run(lambda t: {"fridge_1": 900 if t < 4.0 else 100}), opened)


def test_missed_and_told_events_beyond_sight_are_counted_apart():
    missed = score(run(lambda t: {}))
    assert (missed.events.missed, missed.beyond_sight.missed, missed.beyond_sight.hit) == (1, 1, 0)
    told = score(run(lambda t: {}, [HumanAction("alice", Verb.PICK, "apple_1", None, "kitchen", 4.9, 7.0, 0.4, {"david": 0.2})]))
    assert (told.events.hit, told.beyond_sight.hit, told.events.false) == (1, 1, 0)
    assert told.witnesses == [False] and told.witnesses_in_view == []  # David was out of view at the time


def test_what_is_less_likely_than_not_is_told_and_not_sure():
    picks = [HumanAction("alice", Verb.PICK, thing, None, "kitchen", 4.2, 4.5, sure) for thing, sure in (("apple_1", 0.4), ("orange_1", 0.3))]
    told = score(run(lambda t: {}, picks))
    assert (told.events.hit, told.events.false, told.events.missed) == (1, 1, 0)
    assert (told.sure.hit, told.sure.false, told.sure.missed) == (0, 0, 1)
    assert told.summary()["event_f1"] == pytest.approx(2 / 3) and not told.summary()["event_f1_sure"]


def test_the_time_error_counts_from_the_true_interval():
    said = [HumanAction("alice", Verb.PICK, "apple_1", None, "kitchen", t, t) for t in (3.4, 4.2, 5.2)]
    assert [round(gap(s, PICK), 3) for s in said] == [0.6, 0.0, 0.7]


def test_who_comes_in_is_known_by_where_they_are_next_and_who_goes_out_by_where_they_were():
    """A track begins after its entering and stays behind where its leaving was last seen."""
    stamps = [0.5 * i for i in range(1, 21)]
    truth = [TruthFrame(t, {}, {"david": (1.0 + t, 1.0, 0.0, 0.0, None)}, {}, {}, {}) for t in stamps]

    def seen(t):
        at = min(t, 6.0)
        return {"person_1": Entity("person_1", "person", (1.0 + at, 1.0, 0.0), (0.5, 0.3, 1.7), visible=t <= 6.0)} if t >= 3.0 else {}

    told = [HumanAction("person_1", Verb.ENTER, "kitchen", None, "kitchen", 2.5, 2.5), HumanAction("person_1", Verb.LEAVE, "kitchen", None, "kitchen", 8.0, 8.0)]
    true = [TrueEvent(HumanAction("david", e.verb, "kitchen", None, "kitchen", e.start, e.end), frozenset({"robot"})) for e in told]
    events = score(Run(load_home("maple"), truth, [SceneGraph(t, seen(t)) for t in stamps], told, true)).events
    assert (events.hit, events.false, events.missed) == (2, 0, 0)


@pytest.mark.parametrize("said, changes, false", [
    ("cccccooooo", 1, 0),  # as it was
    ("ccccooooo?", 1, 0),  # half a second early: the door moved
    ("ccocoooooo", 3, 1),  # open for one look before it was; shut again is right
    ("cccccoocoo", 3, 1),
    ("c?c?cooooo", 1, 0),  # not knowing is no change
    ("cccccccccc", 0, 0)])
def test_a_change_between_open_and_closed_that_did_not_happen_is_false(said, changes, false):
    """A fridge that opens at 3 s of five."""
    home = load_home("maple")
    fridge = next(f for f in home.furniture if f.cls == "fridge")
    at = (fridge.position[0], fridge.position[1], fridge.size[2] / 2)
    shown = {"c": Openness.CLOSED, "o": Openness.OPEN, "?": Openness.UNKNOWN}
    stamps = [0.5 * i for i in range(1, 11)]
    truth = [TruthFrame(t, {}, {}, {fridge.id: min(1.0, max(0.0, (t - 2.2) / 0.8))}, {fridge.id: 900}, {}) for t in stamps]
    graphs = [SceneGraph(t, {"fridge_9": Entity("fridge_9", "fridge", at, fridge.size, openness=shown[c], tracking=Tracking.VISIBLE, visible=True, last_seen=t)})
              for t, c in zip(stamps, said)]
    summary = score(Run(home, truth, graphs)).summary()
    assert summary["open_closed_changes"] == changes
    assert summary["open_closed_false_changes"] == (None if changes == 0 else pytest.approx(false / changes))


@pytest.mark.parametrize("said, switches", [
    ([("a", 1.0), ("b", 1.3)], 0),
    ([("a", 1.12), ("b", 1.13)], 0),  # both nearer to one of them: still two people
    ([("b", 1.0), ("a", 1.3)], 2),
    ([("c", 1.0), ("b", 1.3)], 1)])
def test_people_close_together_are_told_apart_one_to_one(said, switches):
    truth = [TruthFrame(t, {}, {"alice": (1.0, 1.0, 0.0, 0.0, None), "david": (1.2, 1.0, 0.0, 0.0, None)}, {}, {}, {}) for t in (0.5, 1.0)]
    graphs = [SceneGraph(t, {i: Entity(i, "person", (x, 1.0, 0.0), (0.5, 0.3, 1.7), visible=True) for i, x in row})
              for t, row in ((0.5, [("a", 1.0), ("b", 1.2)]), (1.0, said))]
    assert score(Run(load_home("maple"), truth, graphs, [], [])).switches == switches
