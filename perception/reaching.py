"""Who stretches out a hand towards something and does not get it.

Somebody who stands still with a hand above their eyes, empty, for a moment, reaches for the thing or the place that the arm leads to. What they could
get at they take, which is another event; whether they could is for the planner to judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from perception.config import PerceptionConfig
from perception.geometry import length
from perception.people import PersonTrack

if TYPE_CHECKING:
    from perception.moment import Moment

_RAISED, _SHOULDER = 0.1, 0.2  # m above the eyes that a hand is raised; below them that the shoulder is
_FAR = 1.0  # m beyond the hand at most
_AIM = 0.6  # rad off the line of the arm
_BESIDE = 0.3  # m off that line: so near to the hand, angles tell little
_LASTS, _AGAIN = 0.6, 10.0  # s it takes, and until it is told again
_SURE = 0.7


@dataclass(frozen=True)
class Reach:
    """``since``: stamp from which ``target`` was pointed at; ``told``: whether that was published."""

    target: str
    since: float
    told: bool = False


def follow(reaches: Mapping[str, Reach], now: "Moment", config: PerceptionConfig) -> tuple[dict[str, Reach], list[HumanAction]]:
    result: dict[str, Reach] = {}
    events = []
    for person in now.people.values():
        old = reaches.get(person.id)
        target = _target(person, now, config) if person.visible else None
        if target is None:
            if old is not None and old.told and now.stamp - old.since < _AGAIN:
                result[person.id] = old
            continue
        reach = _goes_on(old, target, now) or Reach(target, now.stamp)
        if not reach.told and now.stamp - reach.since >= _LASTS:
            events.append(HumanAction(person.id, Verb.REACHFOR, target, None, now.rooms.get(person.id), reach.since, now.stamp, _SURE))
            reach = Reach(target, reach.since, True)
        result[person.id] = reach
    return result, events


def _goes_on(old: Reach | None, target: str, now: "Moment") -> Reach | None:
    """The same reach as before, whose aim may now be made out better: a thing rather than the place it is at."""
    if old is None or old.target == target or (target in now.places and old.target in now.things):
        return old
    return replace(old, target=target) if target in now.things and old.target in now.places and not old.told else None


def _target(person: PersonTrack, now: "Moment", config: PerceptionConfig) -> str | None:
    """What lies closest to the line of a raised arm; a thing before a place."""
    if length(person.velocity()) > config.walk_speed:
        return None
    holding = any(t.holder == person.id for t in now.things.values())
    best: tuple[bool, float, str] | None = None
    shoulder = person.eye - (0.0, 0.0, _SHOULDER)
    for hand in map(np.asarray, person.hands):
        if hand[2] < person.eye[2] + _RAISED or holding:
            continue
        arm = hand - shoulder
        for is_place, name, off in _in_line(now, hand, arm / length(arm)):
            if best is None or (is_place, off) < best[:2]:
                best = is_place, off, name
    return None if best is None else best[2]


def _in_line(now: "Moment", hand: np.ndarray, ahead: np.ndarray) -> Iterator[tuple[bool, str, float]]:
    for thing in now.things.values():
        if thing.holder is None and (off := _off(np.asarray(thing.box.centre), hand, ahead)) is not None:
            yield False, thing.id, off
    for place in now.places.values():
        if classes.get(place.cls).is_place:
            near = np.clip(place.body.to_local(hand)[0], -0.4 * np.asarray(place.body.size), 0.4 * np.asarray(place.body.size))
            if (off := _off(place.body.to_map(near)[0], hand, ahead)) is not None:
                yield True, place.id, off


def _off(point: np.ndarray, hand: np.ndarray, ahead: np.ndarray) -> float | None:
    """Radians between the line and a point beyond the hand; None when it is too far or aside."""
    d = point - hand
    distance = length(d)
    if distance > _FAR:
        return None
    off = 0.0 if distance < 0.1 else float(np.arccos(np.clip(d @ ahead / distance, -1, 1)))
    near = off < 0.5 * np.pi and distance * np.sin(off) < _BESIDE
    return off if off < _AIM or near else None
