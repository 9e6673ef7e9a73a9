"""What somebody did who bent down before a container while nobody could look at it.

Who opens what is low bends down to it and stays down until it is shut again, and their back hides it all the while: the container was shut before and is shut
after, and still it was open for a time. How long they stay down tells: to reach into something or to wipe a floor takes less than a door that is opened
and shut. Where the container was seen open before, or is seen so after, only the moment is corrected at which that changed.
Invariant: what was made out while they were down comes first; nothing is concluded against it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.scene_graph import Openness
from perception.handling import BOTH, CLEARLY, Stance, Traces, presence
from perception.people import PersonTrack
from perception.places import Behind, PlaceTrack
from perception.records import replace

_BENT = 0.15  # m by which a head is lower than its bearer's upright one
_SLOW = 0.5  # m/s up to which somebody stays where they are
_AT_IT = 0.3  # how much somebody must look like having their hands at a container, on average over the time they are down
_UPRIGHT, _UP, _AWAY = 2, 1.2, 0.4  # looks, and s, after which they have got up for good; who only looks into what they opened, and shuts it, bends down again sooner; m that they have gone away then
_GONE = 1.5  # s out of view after which nobody knows whether they are still down
_SHUTS = 1.4  # s it takes at least to shut something
_NEXT = 0.7  # s between two looks that follow each other
_BEGINS, _ENDS = 0.6, 0.8  # s from bending down until a door moves; from when it begins to shut until they get up
_WAITS = 2.0  # s for which a look at it is waited for, then it is taken to have been shut


@dataclass(frozen=True)
class Bend:
    """``since``, ``until``: stamps of the first and the last look at somebody bent down; ``met``: whether they were so when they came into view, ``looks``: how many there were, ``up``: how many upright ones
    came after. ``at``: container → sum over those looks of how much it looks like their hands are there; ``made_out``: container → stamp meanwhile at which it was
    last seen open or shut."""

    since: float
    until: float
    met: bool = False
    looks: int = 0
    up: int = 0
    at: Mapping[str, float] = field(default_factory=dict)
    made_out: Mapping[str, float] = field(default_factory=dict)


def follow(bends: Mapping[str, Bend], tracks: Sequence[PlaceTrack], people: Sequence[PersonTrack], traces: Traces, stamp: float
           ) -> tuple[dict[str, Bend], tuple[PlaceTrack, ...]]:
    """Person → bend under way or just over, with this moment; and the containers, with what is concluded of them (``PlaceTrack.behind``)."""
    known = {t.id: _seen_since(t) for t in tracks}
    containers = [t for t in known.values() if classes.get(t.cls).kind is classes.Kind.CONTAINER and t.established]
    result = {}
    for person in people:
        bend, stances = bends.get(person.id), traces.get(person.id, ())
        if person.visible and stances:
            if _is_bent(stances):
                bend = _longer(bend if bend is not None and not _is_up(bend, stances, stamp) else _begun(stances), stances, containers, stamp)
            elif bend is not None:
                bend = replace(bend, up=bend.up + 1)
        if bend is None:
            continue
        place, over = _place_of(bend, known), _is_up(bend, stances, stamp) or stamp - bend.until > _GONE
        if place is not None:
            known[place.id] = place = _behind(person.id, bend, place, over, stamp)
        if not over or place is not None and place.behind is not None and place.behind.shut is None and stamp - bend.until <= _WAITS:
            result[person.id] = bend
    return result, tuple(known[t.id] for t in tracks)


def _is_bent(stances: Sequence[Stance]) -> bool:
    now, before = stances[-1], stances[-2] if len(stances) > 1 else None
    speed = math.dist(now.position, before.position) / max(now.stamp - before.stamp, 1e-3) if before is not None and now.stamp - before.stamp < 1.0 else 0.0
    return now.bent >= _BENT and speed < _SLOW


def _is_up(bend: Bend, stances: Sequence[Stance], stamp: float) -> bool:
    """Whether they have got up, and not just to look into what they have opened."""
    if bend.up < _UPRIGHT:
        return False
    down = next((s.position for s in reversed(stances) if s.stamp <= bend.until), None)
    return stamp - bend.until > _UP or down is not None and math.dist(down, stances[-1].position) > _AWAY


def _begun(stances: Sequence[Stance]) -> Bend:
    """Between the last look at them upright and this one."""
    now, before = stances[-1].stamp, stances[-2].stamp if len(stances) > 1 else -math.inf
    return Bend(now, now, met=True) if now - before > _NEXT else Bend(0.5 * (now + before), now)


def _longer(bend: Bend, stances: Sequence[Stance], containers: Sequence[PlaceTrack], stamp: float) -> Bend:
    at, made_out = dict(bend.at), dict(bend.made_out)
    for c in containers:
        if (here := presence(stances, c.body)) > 0.1:
            at[c.id] = at.get(c.id, 0.0) + here
        if c.confirmed == stamp and stamp > bend.since + _BEGINS or c.openness is Openness.OPEN:
            made_out[c.id] = stamp
    return replace(bend, until=stamp, looks=bend.looks + 1, up=0, at=at, made_out=made_out)


def _place_of(bend: Bend, places: Mapping[str, PlaceTrack]) -> PlaceTrack | None:
    """The container they bent down to; None: to none, or to one of several."""
    ranked = sorted(((score, name) for name, score in bend.at.items() if name in places), reverse=True)
    if not ranked or ranked[0][0] < _AT_IT * bend.looks or len(ranked) > 1 and ranked[1][0] > CLEARLY * ranked[0][0]:
        return None
    return places[ranked[0][1]]


def _behind(name: str, bend: Bend, place: PlaceTrack, over: bool, stamp: float) -> PlaceTrack:
    """With what somebody who is ``name`` has done to it by now."""
    behind, long = place.behind, bend.until - bend.since >= (_SHUTS if bend.met and over else BOTH)
    if behind is None or behind.by != name or behind.opened < bend.since:
        if not long or place.openness is Openness.OPEN or place.id in bend.made_out or not over and place.pending is Openness.OPEN:
            return place
        behind = Behind(name, bend.since + (0.0 if bend.met else _BEGINS))
    if over and behind.shut is None and (place.confirmed > bend.until or stamp - bend.until > _WAITS):
        behind = replace(behind, shut=max(behind.opened, bend.until - _ENDS))
    shut = place.closed_at if behind.shut is None else behind.shut
    return place if behind is place.behind else replace(place, behind=behind, opened_at=behind.opened, closed_at=shut)


def _seen_since(track: PlaceTrack) -> PlaceTrack:
    """Without what was concluded of it, once it was seen open after all."""
    return replace(track, behind=None) if track.behind is not None and track.openness is Openness.OPEN else track
