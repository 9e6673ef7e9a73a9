"""What must have been opened, and shut, since something was put into it or taken out of it.

A back hides the door of what it stands before, and often no more is seen of a visit to a cupboard than that a thing is gone from a hand, or has come into one. Who
did that to a container that was seen shut before and shut after has opened and shut it. Invariant: nothing is concluded where the door was seen to move, and
what is concluded is told once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import Openness
from perception.handling import SWING
from perception.moment import Moment
from perception.places import PlaceTrack
from perception.records import replace

_SURE = 0.6  # from which a deed says that its container was open
_BEFORE, _AFTER = 1.2, 0.8  # s before the hand goes in that a door begins to open, and after which it begins to shut
_SAME_VISIT = 6.0  # s between the opening of something and a deed for which it was opened, at most
_FIRST_SEEN = 4.0  # the same where it was open when it was first made out
_SEEN_SHUT = 1.5  # s after a deed from which a sight of it shut says that it was shut again
_WAITS = 4.0  # s for which a look at it is waited for


@dataclass(frozen=True)
class Visit:
    """``actor`` had a hand in the container ``place`` from ``start`` on, as ``sure`` as in [0, 1]."""

    place: str
    actor: str
    start: float
    sure: float


@dataclass(frozen=True)
class Implied:
    """``visits`` of which it is not clear yet whether their openings were told; ``opened``, ``closed``: container → stamp of the last such event told of it."""

    visits: tuple[Visit, ...] = ()
    opened: Mapping[str, float] = field(default_factory=dict)
    closed: Mapping[str, float] = field(default_factory=dict)


def follow(implied: Implied, told: Sequence[HumanAction], now: Moment) -> tuple[Implied, list[HumanAction]]:
    """``told``: the openings and deeds that became certain with this frame. The events that follow from them, in no order."""
    opened, closed = _with(implied.opened, told, Verb.OPEN), _with(implied.closed, told, Verb.CLOSE)
    events, waiting = [], []
    for visit in (*implied.visits, *_visits(told, now)):
        place = now.places.get(visit.place)
        if place is None or (end := _ended(visit, place, now)) is None:
            waiting += [visit] if place is not None else []
            continue
        found = list(_openings(visit, place, end, opened, closed, now))
        opened, closed = _with(opened, found, Verb.OPEN), _with(closed, found, Verb.CLOSE)
        events += found
    return replace(implied, visits=tuple(waiting), opened=opened, closed=closed), events


def _with(stamps: Mapping[str, float], events: Sequence[HumanAction], verb: Verb) -> Mapping[str, float]:
    new = {e.target: e.start for e in events if e.verb is verb and e.target is not None}
    return {**stamps, **new} if new else stamps


def _visits(told: Sequence[HumanAction], now: Moment) -> Iterator[Visit]:
    for event in told:
        place = now.places.get(event.place or "")
        if event.verb in (Verb.PICK, Verb.PUTIN) and place is not None and classes.get(place.cls).kind is classes.Kind.CONTAINER and place.established \
                and event.actor in now.people and (event.confidence or 0.0) >= _SURE:
            yield Visit(place.id, event.actor, event.start, event.confidence)


def _ended(visit: Visit, place: PlaceTrack, now: Moment) -> bool | None:
    """Whether the container is shut again; None while a better look at it may come."""
    if place.openness is Openness.OPEN:
        return False
    if place.openness is Openness.CLOSED and place.pending is None and place.confirmed >= visit.start + _SEEN_SHUT:
        return True
    return place.openness is Openness.CLOSED if now.stamp - visit.start > _WAITS else None


def _openings(visit: Visit, place: PlaceTrack, shut: bool, opened: Mapping[str, float], closed: Mapping[str, float], now: Moment) -> Iterator[HumanAction]:
    """Those two of its events that have not been told."""
    began = place.opened_at if place.opened_at is not None and -_FIRST_SEEN < place.opened_at - visit.start < SWING else None
    if not -_SAME_VISIT < opened.get(place.id, -_SAME_VISIT) - visit.start < _SEEN_SHUT and (shut or began is not None):
        yield _event(visit, Verb.OPEN, visit.start - _BEFORE if began is None else began, now)
    if shut and closed.get(place.id, 0.0) <= visit.start:
        yield _event(visit, Verb.CLOSE, visit.start + _AFTER, now)


def _event(visit: Visit, verb: Verb, start: float, now: Moment) -> HumanAction:
    return HumanAction(visit.actor, verb, visit.place, None, now.rooms.get(visit.actor), min(start, now.stamp), now.stamp, visit.sure)
