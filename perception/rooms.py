"""Which room everybody is in, also just after they went out of sight.

A person changes rooms once they are well inside the new one, so that nobody flickers in a doorway. Who was last seen going through a doorway,
and is not seen any more, went through it; who first appears coming from a doorway came through it. Invariant: a person who merely
is not looked at stays in the room where they were.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perception.config import PerceptionConfig
from perception.geometry import Box, length
from perception.home_map import HomeMap, MapDoorway
from perception.people import PersonTrack
from perception.recent import PastView, was_air

_THROUGH = 1.1  # m from a doorway within which a walker who vanishes has gone through it
_AT_DOOR = 0.9  # m from it within which somebody is first seen who comes through a doorway
_FROM, _IN_IT = 0.5, 0.4  # cosine between their way and the one from the doorway; m from it within which they are first seen in it, and may go any way
_AGAIN = 2.0  # s since somebody is seen again in which it counts where that was
_COMES = 0.2  # m/s away from a doorway from which somebody comes through it
_AFTER = 0.6  # s unseen before that is concluded
_INSIDE = 0.12  # m beyond the doorway from which somebody counts as being in the other room
_TOWARDS, _TOWARDS_GONE = 0.8, 0.5  # cosine between their way and the doorway; the same for who is not found where they were
_BETWEEN, _SLOWEST = 1.0, 0.3  # s between two sights within which a walk is even; m/s at which somebody comes in at least
_CHEST = (0.6, 0.9, 1.2)  # m above the floor that somebody fills
_PACE = 0.8  # m/s at which who has left since is taken to have gone
_EXIT, _MISSED, _ABOUT, _LOOKED = 1.5, 2.0, (0.5, 1.0), 0.6  # m from a doorway and s after which a walker who is nowhere m about where they were left by it; share of that looked past
_WARM_UP = 2.0  # s from the first frame in which people who appear were simply there


@dataclass(frozen=True)
class Rooms:
    """``of``: person id → room id. ``crossed``: person id → stamp at which they were last seen, or must have been, to pass from one into another."""

    of: Mapping[str, str] = field(default_factory=dict)
    crossed: Mapping[str, float] = field(default_factory=dict)


def settle(rooms: Rooms, people: Sequence[PersonTrack], stamp: float, started: float, home: HomeMap, config: PerceptionConfig,
           views: Sequence[PastView] = (), shut: Collection[str] = (), opened: Sequence[Box] = ()) -> Rooms:
    """``rooms``: as of the last frame; ``started``: stamp of the first frame; ``views``: of the last seconds; ``shut``: doorways whose door was last seen to be;
    ``opened``: bodies of the containers that were last seen open."""
    of, crossed = {}, {}
    for person in people:
        old, here = rooms.of.get(person.id), home.room_of(person.position)
        when, room, before = stamp, here, rooms.crossed.get(person.id, -1e9)
        once = len(person.path) == 1 and here is not None and here != old  # since they were out of sight: whether they come or stand there is not known yet
        came = _came_from(person, here, home) if len(person.path) == 2 and person.visible else None
        if once and old is not None:
            waits = person.visible or stamp - person.last_seen < _AGAIN and _at_a_doorway(person.position, old, here, home)
            room, when = (old, stamp) if waits else (here, before)
        elif came is not None and old in (None, here):
            room, when = came, before  # with the next sight they have come in
        elif old is not None and not person.visible:
            room, when = _vanished(person, old, before, stamp, home, config, views, shut, opened)
        elif old is None:
            room = _appeared(person, here, started, home) if person.visible else here
        elif here is None or here == old or home.depth_in(here, person.position) < config.doorway_margin:
            room = old
        else:
            when = before if _turned_up(person, old, here, stamp, home) else _passed(person, old, here, home)
        if old is not None and room != old and person.hits < config.confirm_frames:
            room = old  # before somebody is believed in, they go nowhere
        if room is not None:
            of[person.id] = room
            crossed[person.id] = when if old is not None and room != old else before
    return Rooms(of, crossed)


def _at_a_doorway(spot: Sequence[float], one: str, other: str, home: HomeMap) -> bool:
    """Whether the spot, (x, y), is at a doorway between these rooms."""
    return any(one in d.rooms and other in d.rooms and float(np.hypot(*np.subtract(d.centre, spot))) < _AT_DOOR for d in home.doorways)


def _came_from(person: PersonTrack, here: str | None, home: HomeMap) -> str | None:
    """Another room in which they were first seen since they were out of sight, at the doorway to this one."""
    spot = person.path[0][1:]
    there = home.room_of(spot)
    return there if None not in (there, here) and there != here and _at_a_doorway(spot, there, here, home) else None


def _turned_up(person: PersonTrack, old: str, here: str, stamp: float, home: HomeMap) -> bool:
    """Whether they were out of sight and are seen again away from every doorway that leads here, or not on their way from it: when they came is not known."""
    since, *spot = person.path[0]
    if stamp - since > _AGAIN or home.room_of(spot) != here:
        return False
    doors = [d for d in home.doorways if old in d.rooms and here in d.rooms]
    return all(float(np.hypot(*np.subtract(d.centre, spot))) > _THROUGH + 0.4 or _away_from(d, person) < _COMES for d in doors)


def _passed(person: PersonTrack, old: str, here: str, home: HomeMap) -> float:
    """When they came into the room: between two sights of them, by how far outside and inside it they were; if they were first seen inside it, so long before that as
    it takes from the doorway."""
    depths = [home.depth_in(here, spot) - _INSIDE for _, *spot in person.path]
    first = next((i + 1 for i in range(len(depths) - 1, -1, -1) if depths[i] < 0.0), 0)
    if first == len(depths):
        return person.path[-1][0]
    stamp, *spot = person.path[first]
    if first > 0 and stamp - person.path[first - 1][0] <= _BETWEEN:
        before = person.path[first - 1][0]
        return stamp - (stamp - before) * depths[first] / max(depths[first] - depths[first - 1], 1e-6)
    ways = [float(np.hypot(*np.subtract(d.centre, spot))) - _INSIDE for d in home.doorways if old in d.rooms and here in d.rooms]
    return stamp - min(max(min(ways, default=depths[first]), 0.0) / max(length(person.velocity()), _SLOWEST), 1.0)


def _away_from(door: MapDoorway, person: PersonTrack) -> float:
    """m/s at which they go away from it, lately."""
    way = np.subtract(person.position, door.centre)
    return float(person.velocity(2.0) @ way) / max(length(way), 1e-6)


def _vanished(person: PersonTrack, old: str, crossed: float, stamp: float, home: HomeMap, config: PerceptionConfig, views: Sequence[PastView],
              shut: Collection[str], opened: Sequence[Box] = ()) -> tuple[str, float]:
    """The room behind the doorway they were going through and when they passed it; else where they were. Who had got to something open may stand behind its door."""
    velocity = person.velocity(1.0)
    speed, away = length(velocity), stamp - person.last_seen
    if away < _AFTER or speed < 0.25 or away > 30.0 or crossed >= person.last_seen:
        return old, stamp
    ahead, beyond = velocity / speed, home.room_of(person.position)
    best, room, gone = _THROUGH, old, _gone(person, config, views)
    busy = any(body.footprint_distance(person.position) <= config.reach for body in opened)
    for door in home.doorways:
        if old not in door.rooms:
            continue
        to_door = np.subtract(door.centre, person.position)
        distance = length(to_door)
        if beyond == _other(door, old) and distance < _THROUGH and float(_out(door, old, home) @ ahead) > 0.2:  # not far enough yet to be told, but on
            return beyond, person.last_seen
        along = float(to_door @ ahead) / max(distance, 1e-6)
        if not (distance < best and float(_out(door, old, home) @ ahead) > 0.2 and away * speed > distance - 0.6):
            continue
        if gone and along > _TOWARDS_GONE or (door.id not in shut or gone) and (distance < 0.35 or along > _TOWARDS and away > _MISSED and (gone or not busy)):
            best, room = distance, _other(door, old)
    if room == old and away > _MISSED and gone:
        near, room = min(((float(np.hypot(*way)), _other(d, old)) for d in home.doorways
                          if old in d.rooms and float((way := np.subtract(d.centre, person.position)) @ ahead) > 0.0), default=(np.inf, old))
        if near > _EXIT or not _nowhere_about(person, old, home, config, views):
            return old, stamp
        best, speed = near, max(speed, _PACE)
    return room, min(stamp, person.last_seen + (best + _INSIDE) / speed)


def _gone(person: PersonTrack, config: PerceptionConfig, views: Sequence[PastView]) -> bool:
    """Whether the camera has looked since at where they were when last seen, and past it."""
    column = np.array([(*person.position, z) for z in _CHEST])
    return any(was_air([v], column, config).all() for v in views if v.stamp > person.last_seen + _AFTER)


def _nowhere_about(person: PersonTrack, room: str, home: HomeMap, config: PerceptionConfig, views: Sequence[PastView]) -> bool:
    """Whether the camera has looked since past most of what lies about where they were, in that room."""
    around = [np.asarray(person.position) + r * np.array([np.cos(a), np.sin(a)]) for r in _ABOUT for a in np.arange(8) * np.pi / 4]
    points = np.array([(*spot, _CHEST[1]) for spot in around if home.room_of(spot) == room]).reshape(-1, 3)
    return len(points) > 0 and float(was_air([v for v in views if v.stamp > person.last_seen + _AFTER], points, config).mean()) >= _LOOKED


def _appeared(person: PersonTrack, here: str | None, started: float, home: HomeMap) -> str | None:
    """Where a newly seen person comes from: the room behind the doorway they walk away from, else where they are."""
    if here is None or len(person.path) < 2:
        return None  # one sight does not tell where they come from
    if person.path[0][0] - started < _WARM_UP:
        return here
    velocity = person.velocity(2.0)
    for door in home.doorways:
        if here in door.rooms:
            from_door = np.subtract(person.position, door.centre)
            first = float(np.hypot(*np.subtract(person.path[0][1:], door.centre)))
            straight = float(velocity @ from_door) > _FROM * float(np.linalg.norm(velocity) * np.linalg.norm(from_door))
            if first < _AT_DOOR and length(from_door) < _THROUGH + 0.4 and float(velocity @ from_door) > 0.1 and (straight or first < _IN_IT):
                return _other(door, here)
    return here


def _out(door: MapDoorway, room: str, home: HomeMap) -> np.ndarray:
    """Unit vector (2,) through the doorway, out of ``room``."""
    across = np.array([np.cos(door.yaw), np.sin(door.yaw)])
    return -across if home.room_of(np.asarray(door.centre) + 0.4 * across) == room else across


def _other(door: MapDoorway, room: str) -> str:
    return door.rooms[1] if door.rooms[0] == room else door.rooms[0]
