"""What somebody did who bent down before a container that nobody could look into, and what is told of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import Verb
from household.scene_graph import Openness, Posture
from perception import bends, events
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.handling import Stance, open_from, remember, when
from perception.home_map import HomeMap
from perception.moment import Moment
from perception.places import PlaceTrack
from tests.perception.test_perception_walking import walker

CONFIG = PerceptionConfig()
STEP, UPRIGHT, AT = 0.25, 1.7, (0.95, 0.0)
STOVE = PlaceTrack("stove_1", "stove", Cells(), Box((0.3, 0.0, 0.45), (0.6, 0.6, 0.9)), 0.0, hits=9, openness=Openness.CLOSED, confirmed=0.0)


def played(down, until=9.0, looks=lambda t: None, seen=lambda t: True, at=AT, others=(), posture=Posture.STANDING, again=(99.0, 99.0), gone=lambda t: 0.0):
    """Alice at the stove, ``gone`` so many metres from it, bent by 0.35 m from ``down[0]`` to ``down[1]`` and from ``again[0]`` to ``again[1]``; ``looks``: stamp → its openness as seen then, ``seen``: whether she is in view.
    The stove at the end, and (verb, target, start, confidence) of all that was told."""
    places, state, traces, memory, before, told = (STOVE, *others), {}, {}, events.EventMemory(), None, []
    for i in range(int(until / STEP)):
        t = round(i * STEP, 3)
        crown = UPRIGHT - (0.35 if any(a <= t <= b for a, b in (down, again)) else 0.0)
        alice = replace(walker([(t, at[0] + gone(t), at[1])], np.pi), height=UPRIGHT, crown=crown, measured=True, posture=posture, visible=seen(t))
        traces = remember(traces, [alice], t)
        if (sign := looks(t)) is not None:
            opened = t if sign is Openness.OPEN and places[0].openness is not sign else places[0].opened_at
            places = (replace(places[0], openness=sign, confirmed=t, opened_at=opened), *places[1:])
        state, places = bends.follow(state, places, [alice], traces, t)
        now = Moment(t, {p.id: p for p in places}, {}, {"alice": alice}, traces=traces)
        memory, found = events.update(memory, before or now, now, HomeMap(), CONFIG)
        before = now
        told += [(e.verb, e.target, e.start, e.confidence) for e in found if e.verb in (Verb.OPEN, Verb.CLOSE)]
    return places[0], told


def test_who_stays_down_for_long_before_what_nobody_sees_opened_and_shut_it():
    stove, told = played((2.0, 5.25))
    assert [t[:2] for t in told] == [(Verb.OPEN, "stove_1"), (Verb.CLOSE, "stove_1")]
    assert 1.8 <= told[0][2] <= 3.2 and 3.8 <= told[1][2] <= 5.25
    assert all(0.5 <= t[3] < 0.9 for t in told)  # concluded, not seen
    assert stove.opened_at == told[0][2] and stove.closed_at == told[1][2] and stove.openness is Openness.CLOSED


@pytest.mark.parametrize("again, gone, deeds", [((4.25, 5.5), 0.0, 2), ((6.0, 7.25), 0.0, 0), ((4.25, 5.5), 0.6, 0)])
def test_who_only_looks_into_what_they_opened_bends_down_twice(again, gone, deeds):
    """To open it and to shut it, upright between for 1 s; not who is up for long, or goes away between."""
    stove, told = played((2.0, 3.25), again=again, gone=lambda t: gone if t > 3.4 else 0.0)
    assert len(told) == deeds
    if told:
        assert told[0][2] == pytest.approx(2.5, abs=0.4) and told[1][2] == pytest.approx(4.7, abs=0.4)


@pytest.mark.parametrize("down, options", [
    ((2.0, 3.25), {}),  # to pick something up from the floor takes less
    ((2.0, 5.25), {"looks": lambda t: Openness.CLOSED if t > 3.5 else None}),  # it was seen to be shut meanwhile
    ((2.0, 5.25), {"at": (2.4, 0.0)}),  # out of reach
    ((2.0, 5.25), {"posture": Posture.SITTING}),
    ((2.0, 5.25), {"others": (replace(STOVE, id="dishwasher_1", cls="dishwasher", body=Box((0.3, 0.1, 0.45), (0.6, 0.6, 0.9))),)}),  # one or the other
])
def test_nothing_is_concluded_of_who(down, options):
    stove, told = played(down, **options)
    assert told == [] and stove.opened_at is None


def test_what_is_seen_open_once_they_are_up_was_not_shut():
    stove, told = played((2.0, 5.25), looks=lambda t: Openness.OPEN if t > 5.6 else None)
    assert [t[0] for t in told] == [Verb.OPEN] and stove.closed_at is None and stove.openness is Openness.OPEN


def test_what_is_left_open_and_shut_in_view_later_is_told_as_seen():
    stove, told = played((2.0, 5.25), until=14.0, looks=lambda t: Openness.OPEN if 5.6 < t < 9.0 else Openness.CLOSED if t > 10.0 else None)
    assert [t[0] for t in told] == [Verb.OPEN, Verb.CLOSE] and told[1][3] > 0.6


def test_who_comes_into_view_bent_down_and_gets_up_has_opened_it_before():
    _, told = played((2.0, 6.0), seen=lambda t: t > 4.0)
    assert [t[0] for t in told] == [Verb.OPEN, Verb.CLOSE]


def test_who_goes_out_of_view_bent_down_has_opened_it_and_may_have_shut_it():
    _, told = played((2.0, 9.0), seen=lambda t: t < 5.0)
    assert [t[0] for t in told] == [Verb.OPEN, Verb.CLOSE]


@settings(max_examples=30, deadline=None)
@given(st.floats(0.5, 3.0), st.floats(0.3, 6.0))
def test_it_is_opened_before_it_is_shut_and_both_while_they_are_down(begun, lasts):
    stove, told = played((begun, begun + lasts), until=14.0)
    assert len(told) in (0, 2)
    if told:
        assert begun - STEP <= stove.opened_at <= stove.closed_at <= begun + lasts


def test_what_a_container_gave_was_taken_when_they_were_down_deepest():
    low = [Stance(0.25 * i, AT, np.pi, (), 0.35 if i < 8 or i > 10 else 0.8) for i in range(16)]
    place = replace(STOVE, opened_at=0.1, closed_at=3.5)
    stamp, _ = when(low, STOVE.body, 0.0, 4.0, place)
    assert stamp == pytest.approx(2.25, abs=0.3)
    even = [replace(s, bent=0.35) for s in low]
    assert when(even, STOVE.body, 0.0, 4.0, place)[0] == pytest.approx(open_from(place), abs=0.2)  # else at once
