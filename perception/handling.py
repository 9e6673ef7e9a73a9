"""Who had their hands where, and when: what tells who moved a thing that was not seen moving.

Hands work behind bodies and in cupboards, so most picks and puts are concluded: a thing lay here at one time and is in a hand, or gone, or
there at another. Between the two, somebody's hand was at the place. One inference serves all of them (:func:`when`): over the seconds in
question, the moment at which this person's hand, or failing that the body that hides it, was most at the place. Doors narrow it:
nothing is taken out of or put into a container before its door has swung open, nor long after it began to shut.
Memory: ``KEPT`` moments a person.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from household import classes
from household.scene_graph import Posture
from perception.geometry import Box
from perception.people import PersonTrack
from perception.places import PlaceTrack

KEPT = 100
SWING = 0.8  # s that a door takes to open
BOTH, CLEARLY = 2.2, 0.8  # s it takes at least to open something and to shut it again; share of the likeliest container's presence that the next one may have at most
_TALL, _SLOWER = 1.2, 0.5  # m from which on what opens has a door that takes so many s more, as one does that comes down
_HAND, _BODY, _ARM = 0.15, 0.25, 0.45  # m: a hand is at a place within about this; a body, within this beyond an arm's length
_FIRST = 0.5  # hands are in an open container before they shut it: the first moment that is nearly the best counts
_GRASP = 0.8  # s that a hand stays where it takes or puts something
_SLACK, _BETWEEN = 0.05, 0.5  # s before or after the time in question; the most where no picture falls into it
OUT_OF_VIEW, PACE, THERE = 1.0, 1.3, 0.3  # s between two sights of somebody; m/s at which they go meanwhile; how much it looks like a hand in the box
HIDDEN = 10.0  # s out of view for which somebody is taken to stand where they stood
_DEEPER, _LOW = 0.2, 1.0  # m by which somebody bends lower for what is in a container than for its door; height of its middle below which they do
_LEAN, _WAIST = 0.6, 0.6  # m farther that an arm comes for each that a head is lower; height above which one leans over what one reaches for
_BY_BODY = 0.6  # as surely as one can be at a place of whom no hand is seen there
_WALKING = 0.35  # m/s from which somebody passes rather than reaches
_SHUTTING = 0.3  # s from when a door seems to begin to shut in which a hand may still be in there
_BRIEF = 1.8  # s between a door's swinging open and its shutting up to which one thing was done, and that in the middle of it


@dataclass(frozen=True)
class Stance:
    """Somebody at one moment: ``position`` (x, y), ``yaw`` of the body or None, ``hands``: map points of those that were seen, ``bent``: m by which the head is lower
    than when they stand upright; 0 of who sits, or whose head is not in the picture."""

    stamp: float
    position: tuple[float, float]
    yaw: float | None
    hands: tuple[tuple[float, float, float], ...]
    bent: float = 0.0


Traces = Mapping[str, tuple[Stance, ...]]


def open_from(place: PlaceTrack) -> float:
    """Stamp from which on hands get into it: its door has swung open."""
    return (place.opened_at or 0.0) + SWING + (_SLOWER if place.body.size[2] > _TALL or place.cls in classes.OPENS_DOWN else 0.0)


def remember(traces: Traces, people: Sequence[PersonTrack], stamp: float) -> dict[str, tuple[Stance, ...]]:
    """The traces of everybody tracked, with this moment of those in view."""
    return {p.id: (*traces.get(p.id, ()), *([Stance(stamp, p.position, p.yaw, p.hands, _bent(p))] if p.visible else ()))[-KEPT:] for p in people}


def _bent(person: PersonTrack) -> float:
    upright = person.measured and person.posture not in (Posture.SITTING, Posture.WHEELCHAIR)
    return max(0.0, person.height - person.crown) if upright else 0.0


def when(stances: Sequence[Stance], box: Box, earliest: float, latest: float, place: PlaceTrack | None = None) -> tuple[float, float] | None:
    """(stamp, how surely in [0, 1]) of the moment in [earliest, latest] at which this person's hand was in ``box``; None: they never were
    within reach of it. ``place``: the container that ``box`` is or lies in, if it does."""
    brief = False
    if place is not None and place.opened_at is not None and place.opened_at <= latest:
        earliest = max(earliest, min(open_from(place), latest))
        shut = place.closed_at if place.closed_at is not None and place.closed_at > place.opened_at else None
        latest = latest if shut is None else max(earliest, min(latest, shut + _SHUTTING))
        brief = shut is not None and shut - open_from(place) <= _BRIEF
    off = [max(earliest - s.stamp, s.stamp - latest) for s in stances]
    slack = max(_SLACK, min(min(off, default=0.0), _BETWEEN))  # between two pictures nothing is seen
    near = [(s, _at(s, before, box)) for before, s, o in zip((None, *stances), stances, off) if o <= slack]
    best = max((score for _, score in near), default=0.0)
    if best < 0.1:
        return None
    first = next(i for i, (_, score) in enumerate(near) if score >= (best if place is None else _FIRST * best))
    if brief:
        there = [s.stamp for s, score in near if score >= _FIRST * best]
        return float(np.clip(np.clip(0.5 * (earliest + latest), there[0], there[-1]), earliest, latest)), float(best)
    if place is not None:
        low = max(s.bent for s, _ in near)
        if box.centre[2] < _LOW and low > near[first][0].bent + _DEEPER:
            first = next(i for i, (s, _) in enumerate(near) if s.bent > low - 0.5 * _DEEPER)  # as deep down as that, they are in it
        elif best <= _BY_BODY:
            return float(np.clip(near[first][0].stamp, earliest, latest)), float(best)  # what is opened is opened for something: it comes at once
    last = first
    while last + 1 < len(near) and near[last + 1][1] >= 0.8 * near[first][1] and near[last + 1][0].stamp < near[first][0].stamp + _GRASP:
        last += 1
    return float(np.clip(0.5 * (near[first][0].stamp + near[last][0].stamp), earliest, latest)), float(best)


def time_at(stances: Sequence[Stance], box: Box, since: float, until: float = np.inf) -> float:
    """Seconds from ``since`` to ``until`` for which this person looked like having a hand in the box, or may have, out of view: less the way there and back. Before they
    were first seen they may have been anywhere, less the way from there."""
    total, before = 0.0, None
    if stances and len(stances) < KEPT and since < stances[0].stamp - OUT_OF_VIEW:
        total = max(0.0, min(stances[0].stamp, until) - since - max(0.0, box.footprint_distance(stances[0].position) - _ARM) / PACE)
    for s in stances:
        if before is not None and s.stamp > since and before.stamp < until:
            gap = min(s.stamp, until) - max(before.stamp, since)
            if s.stamp - before.stamp > OUT_OF_VIEW:
                ways = sum(max(0.0, box.footprint_distance(x.position) - _ARM) for x in (before, s))
                total += max(0.0, gap - ways / PACE)
            elif _at(s, before, box) >= THERE:
                total += gap
        before = s
    return total


def last_stay(stances: Sequence[Stance], box: Box, until: float, within: float) -> tuple[float, float, float] | None:
    """(from when, to when, sum over its looks of how much it looks like a hand in the box) of this person's stay at it, as far as they were seen there without a break, whose
    last look was at most ``within`` s before ``until``; None: there was none."""
    there: list[tuple[float, float]] = []  # latest first
    for s, before in zip(reversed(stances), (*reversed(stances[:-1]), None)):
        if (there[-1][0] if there else until) - s.stamp > (OUT_OF_VIEW if there else within):
            break
        if s.stamp <= until and (at := _at(s, before, box)) >= THERE:
            there.append((s.stamp, at))
    return (there[-1][0], there[0][0], sum(at for _, at in there)) if there else None


def presence(stances: Sequence[Stance], box: Box) -> float:
    """How much somebody looks like having a hand in the box at their latest moment, in [0, 1]; 0 while nothing is known of them."""
    return _at(stances[-1], stances[-2] if len(stances) > 1 else None, box) if stances else 0.0


def _at(s: Stance, before: Stance | None, box: Box) -> float:
    """How much this looks like somebody with a hand in the box, in [0, 1]."""
    hand = max((float(np.exp(-(box.distance(h) / _HAND) ** 2)) for h in s.hands), default=0.0)
    beyond = max(0.0, box.footprint_distance(s.position) - _ARM - (_LEAN * s.bent if box.centre[2] > _WAIST else 0.0))
    body = _BY_BODY * float(np.exp(-(beyond / _BODY) ** 2))
    if s.yaw is not None:
        d = np.subtract(box.centre[:2], s.position)
        body *= 0.5 + 0.5 * max(0.0, float(np.cos(np.arctan2(d[1], d[0]) - s.yaw)))
    if before is not None and s.stamp - before.stamp < 1.0:
        speed = math.dist(s.position, before.position) / max(s.stamp - before.stamp, 1e-3)
        body *= 1.0 if speed < _WALKING else 0.4
    return max(hand, body * (0.6 if len(s.hands) == 2 else 1.0))


def reach_to(s: Stance, box: Box) -> float:
    """Metres from the nearest hand to the box: of the hands that were seen, else of one at the end of an arm towards it."""
    return min((box.distance(h) for h in s.hands), default=max(0.0, box.footprint_distance(s.position) - _ARM))
