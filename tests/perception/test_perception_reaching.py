"""A hand stretched out towards something too high is an event; hands at work, waving past, or full are none."""

from types import SimpleNamespace

import numpy as np
import pytest

from household.actions import Verb
from household.scene_graph import Openness, Posture
from perception import facing
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.moment import Moment
from perception.geometry import Box
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.reaching import follow

HIGH = PlaceTrack("kitchencabinet_1", "kitchencabinet", Cells(), Box((0.0, 0.0, 1.8), (0.4, 0.6, 0.7)), 0.0, hits=9, openness=Openness.CLOSED)
LOW = PlaceTrack("kitchencounter_1", "kitchencounter", Cells(), Box((0.0, 0.0, 0.45), (0.6, 1.2, 0.9)), 0.0, hits=9, openness=Openness.NONE)


def child(stamp, hand, moving=0.0):
    path = tuple((stamp - 0.25 * i, 0.75 + 0.25 * i * moving, 0.0) for i in (3, 2, 1, 0))
    return PersonTrack("tom", True, (0.75, 0.0), 1.15, 1.1, np.pi, np.pi, 0.9, Posture.STANDING, (hand,), np.zeros((0, 3)), path, np.zeros(128), stamp, 9,
                       True, belief=facing.uniform(), head_belief=facing.uniform())


def thing(at, holder=None):
    return SimpleNamespace(id="waterglass_1", holder=holder, box=Box(at, (0.1, 0.1, 0.1)))


def seen(hand, things=(), moving=0.0, frames=8, places=(HIGH, LOW)):
    reaches, found = {}, []
    for i in range(frames):
        now = Moment(0.25 * i, {p.id: p for p in places}, {t.id: t for t in things}, {"tom": child(0.25 * i, hand, moving)})
        reaches, events = follow(reaches, now, PerceptionConfig())
        found += events
    return found


def test_a_raised_hand_reaches_for_what_the_arm_leads_to_and_is_told_once():
    (event,) = seen((0.4, 0.0, 1.2), frames=30)
    assert (event.actor, event.verb, event.target, event.start) == ("tom", Verb.REACHFOR, "kitchencabinet_1", 0.0) and 0.5 <= event.end <= 1.0


def test_a_thing_in_line_is_meant_rather_than_the_place_it_is_in():
    assert seen((0.4, 0.0, 1.2), [thing((0.1, 0.0, 1.6))])[0].target == "waterglass_1"


@pytest.mark.parametrize("hand, things, moving", [((0.4, 0.0, 0.95), (), 0.0), ((0.4, 0.0, 1.2), (), 1.0),
                                                  ((0.4, 0.0, 1.2), (thing((0.4, 0.0, 1.2), "tom"),), 0.0), ((1.2, 0.0, 1.2), (), 0.0)])
def test_hands_at_work_of_walkers_full_or_raised_to_nothing_reach_for_nothing(hand, things, moving):
    assert seen(hand, things, moving) == []


def test_a_moment_is_not_enough():
    assert seen((0.4, 0.0, 1.2), frames=2) == []
    assert seen((0.4, 0.0, 1.2), [replace_holder(thing((0.1, 0.0, 1.6)))])[0].target == "kitchencabinet_1"  # held by somebody else


def replace_holder(t):
    return SimpleNamespace(**{**vars(t), "holder": "david"})


def test_a_thing_all_but_in_the_hand_is_meant_though_the_arm_points_past_it():
    near, aside = thing((0.4, -0.12, 1.5)), thing((0.4, -0.6, 1.5))
    assert seen((0.4, 0.0, 1.2), [near])[0].target == "waterglass_1"
    assert seen((0.4, 0.0, 1.2), [aside])[0].target == "kitchencabinet_1"
