"""Where somebody is walking to.

Inverse planning at the scale of steps (Baker, Saxe and Tenenbaum 2009): of each place, doorway and person around, how many metres the walker has
wasted if that is where they go, and whether they look there. Several often lie in one direction, so what is told is a few targets, as events of
one stamp, with their probabilities as confidences; they are told when the walker has come some way (end None), again when these have changed,
and when the walk ends, then mostly as the one place they ended at. A walk also ends where the walker turns: they went as far as they wanted,
and what they looked straight at from there is where they went.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from perception.config import PerceptionConfig
from perception.geometry import Box, wrap
from perception.home_map import HomeMap
from perception.people import PersonTrack

if TYPE_CHECKING:
    from perception.events import Moment

_LOOK = 0.25  # rad off the line of sight at which something is half as likely to be what somebody looks at
_AT_GOAL, _AHEAD, _ABOUT = 0.6, 0.3, 0.1  # who walks looks where they go to, where they tread, or about
_WASTE, _BEND_WASTE, _NEAR = 0.04, 0.1, 0.5  # metres wasted by who goes straight: at all, and for each metre come; for each metre left, a place is less likely
_WINDOW, _COME = 1.5, 0.4  # of a walk the last seconds count; of headings one speaks from such a way on, m
_LEAST, _MOST, _NEWS = 0.1, 5, 0.25  # targets with at least this share are told, and so many; again when a share has changed so much
_STAND, _LOW = 0.45, 0.6  # m from its edge at which people stand before a place; who stands under what hangs higher is not in its way
_NOWHERE = 0.05  # weight of going to nothing that is known
_SURE = 0.9  # of where a walk ended
_GLANCE, _IN_REACH, _FRESH = 0.3, 1.2, 1.2  # looked straight at: rad; from no farther than, m; no longer ago than, s
_TURN, _LEG, _STEP = 1.2, 0.2, 0.15  # turned round: by rad, after a leg of metres, for a step of metres
_CORNER = 0.45  # s ago that a turn is looked for
_BEND, _SLOW, _PAUSE = 0.35, 0.6, 0.8  # went another way: by rad, having slowed to such a share of the walk's speed within so many seconds
_SEATS = frozenset({"chair", "stool", "bench"})


@dataclass(frozen=True)
class Walk:
    """``start``: stamp it began; ``origin`` (x, y). ``heading``: target → probability, of the likeliest, in that order; empty on the first
    steps. ``told``: what was published of it, and when. ``still``: stamp since which the walker stands, None while moving. ``glance``: the
    place in reach last looked straight at, and when."""

    start: float
    origin: tuple[float, float]
    heading: Mapping[str, float] = field(default_factory=dict)
    told: Mapping[str, float] = field(default_factory=dict)
    told_at: float = -math.inf
    still: float | None = None
    glance: tuple[str, float] | None = None


def follow(walks: Mapping[str, Walk], now: "Moment", home: HomeMap, config: PerceptionConfig
           ) -> tuple[dict[str, Walk], list[HumanAction]]:
    result, events = {}, []
    for person in now.people.values():
        walk = walks.get(person.id)
        if now.stamp - person.last_seen > 1.5:
            if walk is not None and walk.told:
                events += _told(person, walk, walk.told, now, person.last_seen)
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
                events += _told(person, walk, {walk.glance[0]: _SURE}, now, walk.glance[1])
            elif not walk.told:
                events += _told(person, walk, walk.heading, now, now.stamp - _CORNER)
            result[person.id] = Walk(now.stamp, person.position)
            continue
        if ended:
            arrived = _arrived(person, now, home)
            target = {arrived: _SURE} if arrived else walk.told
            if target and float(np.hypot(*np.subtract(person.position, walk.origin))) > 0.5:
                events += _told(person, walk, target, now, walk.still or now.stamp)
            continue
        if now.stamp - max(walk.start, walk.told_at) >= config.walk_clear and _news(walk):
            walk = replace(walk, told=walk.heading, told_at=now.stamp)
            events += _told(person, walk, walk.heading, now, None)
        result[person.id] = walk
    return result, events


def _step(walk: Walk, person: PersonTrack, speed: float, now: "Moment", home: HomeMap, config: PerceptionConfig) -> tuple[Walk, bool]:
    if speed <= config.walk_speed:
        still = walk.still if walk.still is not None else now.stamp
        return replace(walk, still=still), now.stamp - still >= 0.4
    return replace(walk, heading=_heading(walk, person, now, home) or walk.heading, still=None,
                   glance=_glance(person, now, home) or walk.glance), False


def _news(walk: Walk) -> bool:
    """Whether the heading is worth telling: it is the first of this walk, or another than was told."""
    return any(abs(p - walk.told.get(name, 0.0)) > _NEWS for name, p in walk.heading.items()) or bool(walk.heading and not walk.told)


def _turned(walk: Walk, person: PersonTrack) -> bool:
    """Whether the walker goes back, or sharply aside, from where this walk had led half a second ago; or aside at all after all but
    stopping there, as people do who see on the way that they have to go elsewhere."""
    path = np.array([p for p in person.path if p[0] >= walk.start])
    earlier = path[path[:, 0] <= path[-1, 0] - _CORNER] if len(path) else path
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


def _heading(walk: Walk, person: PersonTrack, now: "Moment", home: HomeMap) -> dict[str, float]:
    """Target → probability, likeliest first; what they leave of one belongs to all else. Empty on the first steps, or where they lead nowhere."""
    since = max(walk.start, now.crossed.get(person.id, -math.inf), person.path[-1][0] - _WINDOW)  # doorways are gone round, not through walls
    path = [p for p in person.path if p[0] >= since - 1e-9] or [person.path[-1]]
    begin, here = np.array(path[0][1:]), np.asarray(person.position)
    come = float(np.linalg.norm(here - begin))
    if come < _COME:
        return {}
    dx, dy = person.velocity()
    ahead = 0.0 if person.gaze is None else _AHEAD * _looks(wrap(math.atan2(dy, dx) - person.gaze))
    worth = {name: prior * _worth(person, begin, here, come, points, looked_at, ahead) for name, prior, points, looked_at in _targets(person, now, home)}
    total = sum(worth.values()) + _NOWHERE
    return {name: w / total for w, name in sorted(((w, n) for n, w in worth.items() if w > _LEAST * total), reverse=True)[:_MOST]}


def _targets(person: PersonTrack, now: "Moment", home: HomeMap):
    """(id, prior weight, float64 (k, 2) points one may walk to for it, float64 (m, 2) what one looks at) of everything around."""
    here = now.rooms.get(person.id)
    around = [p for p in now.places.values() if classes.get(p.cls).is_place and (not home.rooms or home.room_of(p.body.centre) == here)]
    taken = [p.body for p in around if p.body.bottom < _LOW and p.cls not in _SEATS]
    for place in around:
        worth = 0.6 if place.cls in _SEATS else 1.0  # a chair stands before what people walk to more often than it is what they walk to
        spots = _sides(place.body, _STAND)
        free = ~np.any([_within(body, spots) for body in taken], axis=0) if taken else np.ones(len(spots), dtype=bool)
        if home.rooms:
            free &= [home.room_of(spot) == here for spot in spots]
        yield place.id, worth, spots[free] if free.any() else spots, _sides(place.body, 0.0)
    for door in home.doorways:
        if here in door.rooms:
            centre = np.asarray(door.centre[:2])
            across = 0.3 * door.width * np.array([-np.sin(door.yaw), np.cos(door.yaw)])
            points = np.array([centre, centre + across, centre - across])
            yield door.rooms[1] if door.rooms[0] == here else door.rooms[0], 1.0, points, points
    for other in now.people.values():
        if other.id != person.id and other.visible:
            point = np.array([other.position])
            yield other.id, 1.0, point, point


def _sides(body: Box, margin: float) -> np.ndarray:
    """(12, 2): three points along every side of a footprint, ``margin`` metres off."""
    along = np.array([-0.33, 0.0, 0.33])
    x, y = 0.5 * body.size[0] + margin, 0.5 * body.size[1] + margin
    u = np.concatenate([along * body.size[0], along * body.size[0], np.full(3, x), np.full(3, -x)])
    v = np.concatenate([np.full(3, y), np.full(3, -y), along * body.size[1], along * body.size[1]])
    c, s = np.cos(body.yaw), np.sin(body.yaw)
    return np.stack([body.centre[0] + c * u - s * v, body.centre[1] + s * u + c * v], axis=1)


def _within(body: Box, points: np.ndarray) -> np.ndarray:
    """Which of these floor points (n, 2) lie in a footprint."""
    local = body.to_local(np.column_stack([points, np.full(len(points), body.centre[2])]))
    return (np.abs(local[:, :2]) <= np.asarray(body.size[:2]) / 2).all(axis=1)


def _worth(person: PersonTrack, begin: np.ndarray, here: np.ndarray, come: float, points: np.ndarray, looked_at: np.ndarray,
           ahead: float) -> float:
    """How well the way from ``begin`` to ``here`` and the gaze fit somebody who goes to one of ``points``. ``ahead``: how well the gaze fits
    whoever minds their step."""
    left = np.linalg.norm(points - here, axis=1)
    wasted = max(0.0, float((come + left - np.linalg.norm(points - begin, axis=1)).min()))
    at_goal = 1.0 if person.gaze is None else _looks(min(_off_gaze(person, p) for p in looked_at))
    gaze = _AT_GOAL * at_goal + ahead + _ABOUT
    return gaze * math.exp(-wasted / (_WASTE + _BEND_WASTE * come)) / (1 + _NEAR * float(left.min()))


def _looks(off: float) -> float:
    return 2.0 ** -((off / _LOOK) ** 2)


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


def _told(person: PersonTrack, walk: Walk, targets: Mapping[str, float], now: "Moment", end: float | None) -> list[HumanAction]:
    """One event for every target, with its probability as confidence."""
    return [HumanAction(person.id, Verb.WALKTOWARDS, target, None, now.rooms.get(person.id), walk.start, end, round(p, 3))
            for target, p in targets.items()]
