"""Where somebody is walking to.

A heading is named when it has been clear for a while: the place (or the doorway's room) that the walker steadily comes nearer to, that lies
ahead, and that they look at. It is told twice: once when clear (end None), once when the walk ends, with the place they ended at. A walk
also ends where the walker turns round: they went as far as they wanted, and what they looked straight at from there is where they went.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from perception.config import PerceptionConfig
from perception.geometry import wrap
from perception.home_map import HomeMap
from perception.people import PersonTrack

if TYPE_CHECKING:
    from perception.events import Moment

_LOOK = 0.35  # rad off the line of sight at which a place is half as likely to be where somebody goes
_GLANCE, _IN_REACH, _FRESH = 0.3, 1.2, 1.2  # looked straight at: rad; from no farther than, m; no longer ago than, s
_TURN, _LEG, _STEP = 1.2, 0.2, 0.15  # turned round: by rad, after a leg of metres, for a step of metres
_BEND, _SLOW, _PAUSE = 0.35, 0.6, 0.8  # went another way: by rad, having slowed to such a share of the walk's speed within so many seconds
_SEATS = frozenset({"chair", "stool", "bench"})


@dataclass(frozen=True)
class Walk:
    """``start``: stamp it began; ``origin`` (x, y). ``heading``: the target that leads now and since when. ``told``: the target published.
    ``still``: stamp since which the walker stands, None while moving. ``glance``: the place in reach last looked straight at, and when."""

    start: float
    origin: tuple[float, float]
    heading: str | None = None
    since: float = 0.0
    told: str | None = None
    told_at: float = 0.0
    still: float | None = None
    glance: tuple[str, float] | None = None


def follow(walks: Mapping[str, Walk], now: "Moment", home: HomeMap, config: PerceptionConfig
           ) -> tuple[dict[str, Walk], list[HumanAction]]:
    result, events = {}, []
    for person in now.people.values():
        walk = walks.get(person.id)
        if now.stamp - person.last_seen > 1.5:
            if walk is not None and walk.told is not None:
                events.append(_event(person, walk, walk.told, now, person.last_seen))
            continue
        speed = float(np.linalg.norm(person.velocity()))
        if walk is None:
            if speed > config.walk_speed and person.visible:
                begin, *origin = person.path[max(0, len(person.path) - 3)]
                result[person.id] = Walk(begin, tuple(origin))
            continue
        walk, ended = _step(walk, person, speed, now, home, config)
        if not ended and _turned(walk, person):
            if walk.glance is not None and now.stamp - walk.glance[1] < _FRESH:
                events.append(_event(person, walk, walk.glance[0], now, walk.glance[1]))
            result[person.id] = Walk(now.stamp, person.position)
            continue
        if ended:
            target = _arrived(person, now, home) or walk.told
            if target is not None and float(np.hypot(*np.subtract(person.position, walk.origin))) > 0.5:
                events.append(_event(person, walk, target, now, walk.still or now.stamp))
            continue
        if walk.told is None and walk.heading is not None and now.stamp - walk.since >= config.walk_clear:
            walk = replace(walk, told=walk.heading, told_at=now.stamp)
            events.append(_event(person, walk, walk.heading, now, None))
        result[person.id] = walk
    return result, events


def _step(walk: Walk, person: PersonTrack, speed: float, now: "Moment", home: HomeMap, config: PerceptionConfig) -> tuple[Walk, bool]:
    if speed <= config.walk_speed:
        still = walk.still if walk.still is not None else now.stamp
        return replace(walk, still=still), now.stamp - still >= 0.4
    heading = _heading(person, now, home)
    if heading != walk.heading:
        walk = replace(walk, heading=heading, since=now.stamp)
    return replace(walk, still=None, glance=_glance(person, now, home) or walk.glance), False


def _turned(walk: Walk, person: PersonTrack) -> bool:
    """Whether the walker goes back, or sharply aside, from where this walk had led half a second ago; or aside at all after all but
    stopping there, as people do who see on the way that they have to go elsewhere."""
    path = np.array([p for p in person.path if p[0] >= walk.start])
    earlier = path[path[:, 0] <= path[-1, 0] - 0.45] if len(path) else path
    if len(earlier) < 2:
        return False
    corner = earlier[-1, 1:]
    leg, step = corner - walk.origin, np.subtract(person.position, corner)
    lengths = float(np.linalg.norm(leg)), float(np.linalg.norm(step))
    if lengths[0] <= _LEG or lengths[1] <= _STEP:
        return False
    cosine = float(leg @ step) / (lengths[0] * lengths[1])
    speeds = np.linalg.norm(np.diff(path[:, 1:], axis=0), axis=1) / np.diff(path[:, 0])
    slowest = len(speeds) - 1 - int(np.argmin(speeds[::-1][:int((path[1:, 0] > path[-1, 0] - _PAUSE).sum())]))
    hesitated = speeds[slowest] < _SLOW * speeds[:slowest].max(initial=0.0)
    return cosine < np.cos(_TURN) or bool(hesitated and cosine < np.cos(_BEND))


def _glance(person: PersonTrack, now: "Moment", home: HomeMap) -> tuple[str, float] | None:
    """The place within reach that is looked straight at; None when there is none or two are."""
    if person.gaze is None or not person.visible:
        return None
    found = [p.id for p in now.places.values() if classes.get(p.cls).is_place and p.body.footprint_distance(person.position) < _IN_REACH
             and (not home.rooms or home.room_of(p.body.centre) == now.rooms.get(person.id)) and p.cls not in _SEATS
             and _off_gaze(person, p.body.centre) < _GLANCE]
    return (found[0], now.stamp) if len(found) == 1 else None


def _off_gaze(person: PersonTrack, point) -> float:
    """Radians between the line of sight and a point on the floor plan."""
    d = np.subtract(point[:2], person.position)
    return abs(wrap(float(np.arctan2(d[1], d[0])) - person.gaze))


def _heading(person: PersonTrack, now: "Moment", home: HomeMap) -> str | None:
    """The place or room straight ahead; None when two are equally so."""
    velocity = person.velocity()
    ahead = velocity / max(float(np.linalg.norm(velocity)), 1e-9)
    here = now.rooms.get(person.id)
    scored = []
    for place in now.places.values():
        if not classes.get(place.cls).is_place or (home.rooms and home.room_of(place.body.centre) != here):
            continue
        worth = 0.6 if place.cls in _SEATS else 1.0  # a chair stands before what people walk to more often than it is what they walk to
        scored.append((worth * _score(person, ahead, np.asarray(place.body.centre[:2]), 0.5 * max(place.body.size[:2])), place.id))
    for door in home.doorways:
        if here in door.rooms:
            other = door.rooms[1] if door.rooms[0] == here else door.rooms[0]
            scored.append((_score(person, ahead, np.asarray(door.centre), 0.5 * door.width), other))
    for other in now.people.values():
        if other.id != person.id and other.visible:
            scored.append((_score(person, ahead, np.asarray(other.position), 0.3), other.id))
    scored = sorted((s for s in scored if s[0] > 0.3), reverse=True)
    if not scored or (len(scored) > 1 and scored[0][0] - scored[1][0] < 0.08):
        return None
    return scored[0][1]


def _score(person: PersonTrack, ahead: np.ndarray, centre: np.ndarray, half: float) -> float:
    d = centre - np.asarray(person.position)
    distance = max(float(np.linalg.norm(d)), 0.1)
    along = float(d @ ahead)
    miss = max(0.0, abs(float(d[0] * ahead[1] - d[1] * ahead[0])) - half)
    if along <= 0:
        return 0.0
    looked = 1.0 if person.gaze is None else 0.5 + 0.5 * 2.0 ** -((_off_gaze(person, centre) / _LOOK) ** 2)
    return looked * float(np.exp(-(miss / (0.25 + 0.15 * distance)) ** 2) / (1 + 0.15 * distance))


def _arrived(person: PersonTrack, now: "Moment", home: HomeMap) -> str | None:
    """The place they stand before: near, and faced if the facing is known. A chair is what people go to only where no table or the like
    stands behind it."""
    found: dict[bool, tuple[float, str]] = {}
    for place in now.places.values():
        if not classes.get(place.cls).is_place or (home.rooms and home.room_of(place.body.centre) != now.rooms.get(person.id)):
            continue
        distance = place.body.footprint_distance(person.position)
        cost = distance
        if person.yaw is not None:
            d = np.subtract(place.body.centre[:2], person.position)
            cost += 0.4 * (1 - float(np.cos(np.arctan2(d[1], d[0]) - person.yaw)))
        seat = place.cls in _SEATS
        if distance < 0.9 and cost < found.get(seat, (1.0, ""))[0]:
            found[seat] = cost, place.id
    return (found.get(False) or found.get(True) or (0.0, None))[1]


def _event(person: PersonTrack, walk: Walk, target: str, now: "Moment", end: float | None) -> HumanAction:
    return HumanAction(person.id, Verb.WALKTOWARDS, target, None, now.rooms.get(person.id), walk.start, end, 0.7 if end is None else 0.85)
