"""Where somebody is walking to.

Inverse planning at the scale of steps (Baker, Saxe and Tenenbaum 2009): of each place, doorway and person around, how many metres the walker has
wasted if that is where they go, and whether they look there. Several often lie in one direction, so what is told is a few targets, as events of
one stamp, with their probabilities as confidences; they are told when the walker has come some way (end None), again when these have changed,
and when the walk ends, then mostly as the one place they ended at. A walk also ends where the walker turns: they went as far as they wanted,
and what they looked straight at from there is where they went.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from perception.blocks import Boxes, crossed
from perception.config import PerceptionConfig
from perception.geometry import Box, length, lengths, wrap
from perception.home_map import HomeMap
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.records import replace
from perception.ways import BODY, metres

if TYPE_CHECKING:
    from perception.moment import Moment

_LOOK, _STRAY = 0.25, 0.4  # rad off the line of sight at which something is half as likely to be what somebody looks at; off the way they go
_AT_GOAL, _AHEAD, _ABOUT = 0.5, 0.4, 0.1  # who walks looks where they go to, where they tread, or about
_WASTE, _BEND_WASTE, _NEAR = 0.04, 0.1, 0.5  # metres wasted by who goes straight: at all, and for each metre come; for each metre left, a place is less likely
_WINDOW, _COME = 1.5, 0.3  # of a walk the last seconds count; of headings one speaks from such a way on, m
_LEAST, _MOST, _NEWS = 0.04, 9, 0.2  # targets with at least this share are told, and so many; again when a share has changed so much
_PASSED = 2.5  # times as likely as it is now: what was told so is passed by
_STAND, _LOW = 0.45, 0.6  # m from its edge at which people stand before a place; who stands under what hangs higher is not in its way
_SLOWLY = 0.6  # m/s of who is about to stop
_NOWHERE = 0.05  # weight of going to nothing that is known
_SURE = 0.9  # of where a walk ended
_LOOKED = 8.0  # what somebody looked straight at, in reach of it, against the rest of what they may have come for
_CHANGED, _ELSE = 0.15, 0.3  # how often people turn away before they have come to what they were going to; from what is not among the likely
_AWAY = 0.8  # how surely who turned away from what they were going to does not go there all the same, round something
_GLANCE, _ALONG, _IN_REACH, _FRESH = 0.3, 0.8, 1.2, 1.2  # looked straight at, and so far off the way they go: rad; from no farther than, m; no longer ago than, s
_TURN, _LEG, _STEP = 1.2, 0.2, 0.15  # turned round: by rad, after a leg of metres, for a step of metres
_CUT = 0.5  # m by which people may cut, or round, a corner that is in their way
_LOST = 1.0  # s between two sights of a walker from which on they were out of view
_LATELY = 2.0  # s ago that somebody came into a room whose walk there may be under way still
_CORNER = 0.45  # s ago that a turn is looked for
_BEND, _SLOW, _PAUSE = 0.35, 0.6, 0.8  # went another way: by rad, having slowed to such a share of the walk's speed within so many seconds
_HARDLY = 0.4  # m/s of who stands, and turns on the spot
_STOPPED = 0.45  # share of the walk's speed to which nobody slows who only rounds a corner
_STOOD = 0.25  # the same of who stood for a moment, and walks on, wherever to
_SEAT_AT, _FOR_THE_SEAT = 0.45, 0.3  # m from a table at which a chair stands by it; how often who stands behind such a chair has come for it
# Three points along every side of a footprint: in sizes of it along x and y, and which way from it they lie farther off.
_ALONG_SIDES = np.array([(t, s) for s in (0.5, -0.5) for t in (-0.33, 0.0, 0.33)] + [(s, t) for s in (0.5, -0.5) for t in (-0.33, 0.0, 0.33)])
_OFF_SIDES = np.trunc(2 * _ALONG_SIDES)
_SEATS = frozenset({"chair", "stool", "bench"})
_Target = tuple[str, float, np.ndarray, np.ndarray]  # as _targets gives them


@dataclass(frozen=True)
class Walk:
    """``start``: stamp it began; ``origin`` (x, y). ``heading``: target → probability, of the likeliest, in that order; empty on the first
    steps. ``told``: what was published of it, and when. ``still``: stamp since which the walker stands, None while moving. ``glance``: the
    place in reach last looked straight at, and when. ``left``: target → probability that the walk that ended in a turn had led to it."""

    start: float
    origin: tuple[float, float]
    heading: Mapping[str, float] = field(default_factory=dict)
    told: Mapping[str, float] = field(default_factory=dict)
    told_at: float = -math.inf
    still: float | None = None
    glance: tuple[str, float] | None = None
    left: Mapping[str, float] = field(default_factory=dict)


def follow(walks: Mapping[str, Walk], now: "Moment", home: HomeMap, config: PerceptionConfig, entered: Collection[str] = ()
           ) -> tuple[dict[str, Walk], list[HumanAction]]:
    """``entered``: who is found to have come into another room in this frame."""
    result, events = {}, []
    for person in now.people.values():
        walk = walks.get(person.id)
        if now.stamp - person.last_seen > 1.5:
            if walk is not None and walk.told:
                events += _told(person, walk, walk.told, person.last_seen, now)
            continue
        speed = length(person.velocity())
        if walk is None:
            if person.id in entered and person.visible and now.stamp - now.crossed[person.id] <= _LATELY:  # they walked in, seen or not
                came = Walk(now.crossed[person.id], _came_in_at(person, now.crossed[person.id], now.rooms.get(person.id), home))
                result[person.id] = replace(came, heading=_heading(came, person, now, home, came.origin))
            elif speed > config.walk_speed and person.visible:
                begin, *origin = person.path[max(0, len(person.path) - 3)]
                result[person.id] = Walk(begin, tuple(origin))
            continue
        if (crossed := now.crossed.get(person.id, -math.inf)) > walk.start:  # another room, another walk; that they entered it is told elsewhere
            result[person.id] = Walk(crossed, _came_in_at(person, crossed, now.rooms.get(person.id), home))
            continue
        walk, ended = _step(walk, person, speed, now, home, config)
        if not ended and _turned(walk, person) and (_slowed(_path(walk, person))[0] < _STOPPED or not _rounds_a_corner(walk, person, now, home)):
            went, at = _went_to(walk, person, now, home)
            events += _told(person, walk, went, at, now)
            walk = Walk(now.stamp - _CORNER, _was_at(person, now.stamp - _CORNER), left=went)
            if heading := _heading(walk, person, now, home):  # that they left is half of what the turn tells
                walk = replace(walk, heading=heading, told=heading, told_at=now.stamp)
                events += _told(person, walk, heading, None, now)
            result[person.id] = walk
            continue
        if ended:
            target = {name: _SURE * share for name, share in _arrived(person, now, home).items()} or walk.told
            if target and math.dist(person.position, walk.origin) > 0.5:
                events += _told(person, walk, target, walk.still or now.stamp, now)
            continue
        if now.stamp - max(walk.start, walk.told_at) >= config.walk_clear and _news(walk):
            walk = replace(walk, told=walk.heading, told_at=now.stamp)
            events += _told(person, walk, walk.heading, None, now)
        result[person.id] = walk
    return result, events


def _step(walk: Walk, person: PersonTrack, speed: float, now: "Moment", home: HomeMap, config: PerceptionConfig) -> tuple[Walk, bool]:
    if speed <= config.walk_speed:
        still = walk.still if walk.still is not None else now.stamp
        return replace(walk, still=still), now.stamp - still >= 0.4
    return replace(walk, heading=_heading(walk, person, now, home) or walk.heading, still=None,
                   glance=_glance(person, now, home) or walk.glance), False


def _news(walk: Walk) -> bool:
    """Whether the heading is worth telling: it is the first of this walk, or another than was told, or no longer leads to what it was said to lead to."""
    if not walk.heading or not walk.told:
        return bool(walk.heading)
    return (any(abs(p - walk.told.get(name, 0.0)) > _NEWS for name, p in walk.heading.items())
            or any(p > _PASSED * max(walk.heading.get(name, 0.0), _LEAST / 2) for name, p in walk.told.items()))


def _turned(walk: Walk, person: PersonTrack) -> bool:
    """Whether the walker goes back, or sharply aside, from where this walk had led half a second ago; or aside at all after all but
    stopping there, as people do who see on the way that they have to go elsewhere; or anywhere after standing there for a moment."""
    path = _path(walk, person)
    earlier = path[path[:, 0] <= path[-1, 0] - _CORNER] if len(path) else path
    if len(earlier) < 2:
        return False
    corner = earlier[-1, 1:]
    leg, step = corner - walk.origin, np.subtract(person.position, corner)
    lengths = length(leg), length(step)
    if lengths[0] <= _LEG or lengths[1] <= _STEP:
        return False
    cosine = float(leg @ step) / (lengths[0] * lengths[1])
    slowed, where = _slowed(path)
    stood = slowed < _STOOD and math.dist(where, walk.origin) > _LEG and math.dist(where, person.position) > _STEP
    return cosine < np.cos(_TURN) or stood or (cosine < np.cos(_BEND) and slowed < _SLOW)


def _path(walk: Walk, person: PersonTrack) -> np.ndarray:
    """(n, 3): stamp, x, y of what is remembered of this walk."""
    return np.array([p for p in person.path if p[0] >= walk.start])


def _slowed(path: np.ndarray) -> tuple[float, tuple[float, float]]:
    """The share of a walk's speed to which the walker slowed in the last moments of ``path``, of two points or more, and where, (x, y)."""
    speeds = np.linalg.norm(np.diff(path[:, 1:], axis=0), axis=1) / np.diff(path[:, 0])
    slowest = len(speeds) - 1 - int(np.argmin(speeds[::-1][:int((path[1:, 0] > path[-1, 0] - _PAUSE).sum())]))
    before = float(speeds[:slowest].max(initial=0.0))
    return float(speeds[slowest]) / before if before > 0 else 1.0, (float(path[slowest, 1]), float(path[slowest, 2]))


def _rounds_a_corner(walk: Walk, person: PersonTrack, now: "Moment", home: HomeMap) -> bool:
    """Whether the way since this walk began, turn and all, is still the shortest to something that other things stand in the way to."""
    groups = [points for _, _, points, _ in _targets(person, now, home)]
    if not groups:
        return False
    begin, here, ends = np.array(walk.origin), np.array(person.position), np.concatenate(groups)
    path = np.array([walk.origin, *(p[1:] for p in person.path if p[0] >= walk.start)])
    come = float(lengths(np.diff(path, axis=0)).sum())
    solid, room = _solid(now), now.rooms.get(person.id)
    whole = metres(begin, ends, solid, home, room)
    nearest = -_best(groups, -whole)
    bent = nearest > -_best(groups, -lengths(ends - begin)) + _STEP  # what has a side that one gets to straight is not behind anything
    wasted = come - _best(groups, -metres(here, ends, solid, home, room)) - nearest
    return bool((wasted[bent] < _CUT).any())


def _solid(now: "Moment") -> list[Box]:
    """What stands in the way of people."""
    return [p.body for p in now.places.values() if classes.get(p.cls).is_place and p.body.bottom < _LOW]


def _went_to(walk: Walk, person: PersonTrack, now: "Moment", home: HomeMap) -> tuple[dict[str, float], float]:
    """Where a walk that turned away had led, and when it got there: to what was looked straight at, else to those of the likely targets that
    were near enough to be looked over; whoever was on the way to others changed their mind."""
    corner, likely = now.stamp - _CORNER, dict(walk.told or walk.heading)  # what was told is of when they still went straight
    likely = _unwatched(walk, person, corner, now, home) or likely
    looked = walk.glance[0] if walk.glance is not None and now.stamp - walk.glance[1] < _FRESH else None
    if looked is not None:
        corner = walk.glance[1]
        likely.setdefault(looked, _LEAST)
    else:
        corner = _stood_since(walk, person, corner)
    came = _was_at(person, corner)
    shares = {name: p * (_LOOKED if name == looked else 1.0 if _is_near(name, came, now) else _CHANGED) for name, p in likely.items()}
    total = sum(shares.values()) + _ELSE * max(0.0, 1 - sum(likely.values()))
    here = _places_in(now.rooms.get(person.id), now, home)
    for name in [n for n in shares if n in now.places and now.places[n].cls in _SEATS]:  # they did not sit down
        came_for = shares.pop(name)
        for at, share in _for_the_table(now.places[name], here).items():
            shares[at] = shares.get(at, 0.0) + share * came_for
    return dict(sorted(((n, _SURE * p / total) for n, p in shares.items() if p > _LEAST * total), key=lambda kv: -kv[1])), corner


def _stood_since(walk: Walk, person: PersonTrack, until: float) -> float:
    """Since when they had hardly moved from where they were at ``until``, s; that itself, if they had."""
    path = [p for p in person.path if walk.start <= p[0] <= until]
    for before, after in zip(path[-2::-1], path[:0:-1]):
        if math.dist(before[1:], after[1:]) > _HARDLY * (after[0] - before[0]):
            break
        until = before[0]
    return until


def _unwatched(walk: Walk, person: PersonTrack, until: float, now: "Moment", home: HomeMap) -> dict[str, float]:
    """Where the way led that they made out of view, if they came far on it: what was told before says little of that. Empty where they were in view all the while."""
    path = [p for p in person.path if p[0] >= walk.start]
    gaps = [(a, b) for a, b in zip(path, path[1:]) if a[0] < until and b[0] - a[0] > _LOST and math.dist(a[1:], b[1:]) > _COME]
    if not gaps:
        return {}
    begin, here = np.array(gaps[-1][0][1:]), np.array(_was_at(person, until))
    return _weighed(walk, list(_targets(person, now, home)), begin, here, now, lambda points: np.full(len(points), _ABOUT))


def _is_near(name: str, point: tuple[float, float], now: "Moment") -> bool:
    return name in now.places and now.places[name].body.footprint_distance(point) < _IN_REACH


def _glance(person: PersonTrack, now: "Moment", home: HomeMap) -> tuple[str, float] | None:
    """The place within reach that is looked straight at on the way; None when there is none or two are, or the eyes only pass over it in turning away."""
    dx, dy = person.velocity()
    if person.gaze is None or not person.visible or abs(wrap(math.atan2(dy, dx) - person.gaze)) > _ALONG:
        return None
    near = [p for p in now.places.values() if classes.get(p.cls).is_place and p.cls not in _SEATS and p.body.footprint_distance(person.position) < _IN_REACH
            and (not home.rooms or home.room_of(p.body.centre) == now.rooms.get(person.id))]
    found = [p.id for p, off in zip(near, _off_gaze(person, [np.array([p.body.centre[:2]]) for p in near])) if off < _GLANCE]
    return (found[0], now.stamp) if len(found) == 1 else None


def _off_gaze(person: PersonTrack, groups: Sequence[np.ndarray]) -> np.ndarray:
    """For each group of points on the floor plan, (n, 2): radians between the line of sight and the nearest of them to it, (k,)."""
    d = np.concatenate(groups) - person.position if groups else np.zeros((0, 2))
    cosine = (d[:, 0] * math.cos(person.gaze) + d[:, 1] * math.sin(person.gaze)) / np.maximum(lengths(d), 1e-9)
    return np.arccos(np.clip(_best(groups, cosine), -1, 1))


def _best(groups: Sequence[np.ndarray], values: np.ndarray) -> np.ndarray:
    """For each group of points the greatest of its ``values``, which come in the order of the points; (k,)."""
    return np.maximum.reduceat(values, np.cumsum([0, *map(len, groups)])[:-1]) if groups else np.zeros(0)


def _heading(walk: Walk, person: PersonTrack, now: "Moment", home: HomeMap, begin: tuple[float, float] | None = None) -> dict[str, float]:
    """Target → probability, likeliest first; what they leave of one belongs to all else. Empty on the first steps, or where they lead nowhere. ``begin``: where what counts
    of the walk began, if it is not as :func:`_leg` has it."""
    begin, here = np.asarray(_leg(walk, person) if begin is None else begin), np.asarray(person.position)
    if length(here - begin) < _COME:
        return {}
    dx, dy = person.velocity()
    ahead = 0.0 if person.gaze is None else _AHEAD * _looks(wrap(math.atan2(dy, dx) - person.gaze), _STRAY)

    def looked(points: list[np.ndarray]) -> np.ndarray:
        at_it = np.zeros(len(points)) if person.gaze is None else _off_gaze(person, points)
        return _AT_GOAL * np.array([_looks(float(off)) for off in at_it]) + ahead + _ABOUT

    return _weighed(walk, list(_targets(person, now, home)), begin, here, now, looked)


def _weighed(walk: Walk, targets: Sequence[_Target], begin: np.ndarray, here: np.ndarray, now: "Moment",
             looked: Callable[[list[np.ndarray]], np.ndarray]) -> dict[str, float]:
    """Target → probability, likeliest first, for somebody who has gone from ``begin`` to ``here``, (x, y) in m. ``looked``: what is to be looked at of each → how likely who
    goes there looks as they do."""
    come = length(here - begin)
    spots = np.concatenate([points for _, _, points, _ in targets]) if targets else np.zeros((0, 2))
    solid = _solid(now)
    left = _ways(here, spots, solid)
    wasted = np.maximum(come + left - _ways(begin, spots, solid), 0.0)
    fits = np.exp(-wasted / (_WASTE + _BEND_WASTE * come)) / (1 + _NEAR * left)
    best = _best([points for _, _, points, _ in targets], fits)
    worth = {name: prior * (1 - _AWAY * walk.left.get(name, 0.0)) * float(look) * float(fit)
             for (name, prior, *_), look, fit in zip(targets, looked([points for *_, points in targets]), best)}
    total = sum(worth.values()) + _NOWHERE
    return {name: w / total for w, name in sorted(((w, n) for n, w in worth.items() if w > _LEAST * total), reverse=True)[:_MOST]}


def _leg(walk: Walk, person: PersonTrack) -> tuple[float, float]:
    """Where the walker was at the beginning of what counts: of the walk, or some seconds ago."""
    return _was_at(person, max(walk.start, person.path[-1][0] - _WINDOW))


def _was_at(person: PersonTrack, stamp: float) -> tuple[float, float]:
    path = np.array(person.path)
    return float(np.interp(stamp, path[:, 0], path[:, 1])), float(np.interp(stamp, path[:, 0], path[:, 2]))


def _came_in_at(person: PersonTrack, crossed: float, room: str | None, home: HomeMap) -> tuple[float, float]:
    """Where they were when they crossed into a room: in its doorway nearest to where they were seen next, if nobody saw them then."""
    after = next((p for p in person.path if p[0] >= crossed), person.path[-1])
    if any(abs(p[0] - crossed) < _LOST / 2 for p in person.path):
        return _was_at(person, crossed)
    doors = [d.centre[:2] for d in home.doorways if room in d.rooms]
    return min(doors, key=lambda at: math.dist(at, after[1:]), default=_was_at(person, crossed))


def _targets(person: PersonTrack, now: "Moment", home: HomeMap):
    """(id, prior weight, float64 (k, 2) points one may walk to for it, float64 (m, 2) what one looks at) of everything around."""
    here = now.rooms.get(person.id)
    slow = length(person.velocity()) < _SLOWLY
    around = _places_in(here, now, home)
    bodies = [p.body for p in around]
    stands = _sides(bodies, _STAND) if around else np.zeros((0, 12, 2))
    spots = stands.reshape(-1, 2)
    free = home.within(here, spots) if home.rooms else np.ones(len(spots), dtype=bool)
    if low := [p.body for p in around if p.body.bottom < _LOW and p.cls not in _SEATS]:
        free &= ~Boxes.of(low).contain(spots).any(axis=0)
    edges = _sides(bodies, 0.0) if around else ()
    for place, points, usable, edge in zip(around, stands, free.reshape(stands.shape[:2]), edges):
        worth = 0.3 if place.cls in _SEATS else 1.0  # a chair stands before what people walk to more often than it is what they walk to
        points = points[usable] if usable.any() else points
        if slow and place.cls not in _SEATS and place.body.footprint_distance(person.position) < _STAND:
            points = np.vstack([points, person.position])  # whoever stops before it has come to it, nearer or farther off than others stand
        yield place.id, worth, points, edge
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


def _sides(bodies: Sequence[Box], margin: float) -> np.ndarray:
    """(k, 12, 2): three points along every side of each of k ≥ 1 footprints, ``margin`` metres off."""
    x, y, *_ = np.array([b.centre for b in bodies]).T[:, :, None]
    c, s = (f(np.array([b.yaw for b in bodies]))[:, None] for f in (np.cos, np.sin))
    u, v = (along * edge[:, None] + off * margin for along, off, edge in zip(_ALONG_SIDES.T, _OFF_SIDES.T, np.array([b.size[:2] for b in bodies]).T))
    return np.stack([x + c * u - s * v, y + s * u + c * v], axis=-1)


def _ways(start: np.ndarray, ends: np.ndarray, solid: list[Box]) -> np.ndarray:
    """About the metres to walk from one floor point to each of ``ends`` (n, 2), for every frame: straight, or round the nearest corner of what stands in between."""
    straight = lengths(ends - start)
    if not solid or not len(ends):
        return straight
    ways = straight.copy()
    boxes = Boxes.of(solid)
    half, (from_x, from_y), (to_x, to_y) = boxes.half[:, :2] + BODY, boxes.local(start[None]), boxes.local(ends)
    behind = crossed((from_x, from_y), (to_x, to_y), (half[:, :1], half[:, 1:]))
    corner_x, corner_y = half[:, :1] * (1, 1, -1, -1), half[:, 1:] * (1, -1, 1, -1)
    to_corner = np.hypot(corner_x - from_x, corner_y - from_y)
    to_corner[crossed((from_x, from_y), (1.001 * corner_x, 1.001 * corner_y), (0.99 * half[:, :1], 0.99 * half[:, 1:]))] = np.inf
    for k in behind.any(axis=1).nonzero()[0]:
        rest = np.hypot(to_x[k, behind[k], None] - corner_x[k], to_y[k, behind[k], None] - corner_y[k])
        round_it = (to_corner[k] + rest).min(axis=1)
        ways[behind[k]] = np.maximum(ways[behind[k]], round_it)
    return np.where(np.isfinite(ways), ways, straight)


def _looks(off: float, half: float = _LOOK) -> float:
    return 2.0 ** -((off / half) ** 2)


def _arrived(person: PersonTrack, now: "Moment", home: HomeMap) -> dict[str, float]:
    """Share of each place they may stand before: it is near, and faced if the facing is known. A chair is what people go to only where no
    table or the like stands behind it; behind a chair by the table they may stand for either."""
    found: dict[bool, tuple[float, PlaceTrack]] = {}
    here = _places_in(now.rooms.get(person.id), now, home)
    for place in here:
        distance = place.body.footprint_distance(person.position)
        cost = distance
        if person.yaw is not None:
            d = np.subtract(place.body.centre[:2], person.position)
            cost += 0.4 * (1 - float(np.cos(np.arctan2(d[1], d[0]) - person.yaw)))
        seat = place.cls in _SEATS
        if distance < 0.9 and (seat not in found or cost < found[seat][0]) and cost < 1.0:
            found[seat] = cost, place
    if False in found or True not in found:
        return {found[False][1].id: 1.0} if found else {}
    return _for_the_table(found[True][1], here)


def _for_the_table(chair: PlaceTrack, here: Sequence[PlaceTrack]) -> dict[str, float]:
    """Share of a chair, and of the table or the like that it stands by, if it does, in what somebody behind the chair has come for."""
    behind = [(gap, p.id) for p in here if p.cls not in _SEATS and (gap := p.body.footprint_distance(chair.body.centre[:2])) < _SEAT_AT]
    return {min(behind)[1]: 1 - _FOR_THE_SEAT, chair.id: _FOR_THE_SEAT} if behind else {chair.id: 1.0}


def _places_in(room: str | None, now: "Moment", home: HomeMap) -> list[PlaceTrack]:
    """What is known in a room; everything, where no rooms are."""
    return [p for p in now.places.values() if classes.get(p.cls).is_place and (not home.rooms or home.room_of(p.body.centre) == room)]


def _told(person: PersonTrack, walk: Walk, targets: Mapping[str, float], end: float | None, now: "Moment") -> list[HumanAction]:
    """One event for every target, with its probability as confidence."""
    return [HumanAction(person.id, Verb.WALKTOWARDS, target, None, now.rooms.get(person.id), walk.start, end, round(p, 3))
            for target, p in targets.items()]
