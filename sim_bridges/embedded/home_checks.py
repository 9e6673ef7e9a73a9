"""Whether a home could stand and be lived in: the geometric half of validation, the same for files and for generated homes.

Each check yields problems that name the id they are about; nothing here knows about files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from household import classes
from household.classes import Kind
from sim_bridges.embedded.geometry import (WALL_THICKNESS, contains, corners, footprint, overlap_depth, pieces_overlap, room_at)
from sim_bridges.embedded.model import Furniture, Home, Room
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, NavMap

_DOOR_KEEP_FREE = 0.45  # metres before and behind a doorway where nothing but a movable obstacle may stand


@dataclass(frozen=True)
class Problem:
    key: str  # id of what is wrong
    text: str


def find_problems(home: Home) -> list[Problem]:
    """The first kind of problem found, all of its instances; empty when the home is sound."""
    for check in (_rooms, _doorways, _standing, _overlaps, _blocked_doors, _things, _bodies, _reachable):
        problems = list(check(home))
        if problems:
            return problems
    return []


def _rooms(home: Home) -> Iterator[Problem]:
    for i, a in enumerate(home.rooms):
        for b in home.rooms[:i]:
            depth = [min(a.high[k], b.high[k]) - max(a.low[k], b.low[k]) for k in (0, 1)]
            if min(depth) > 0.01:
                yield Problem(a.id, f"room '{a.id}' overlaps room '{b.id}' by {depth[0]:.2f} by {depth[1]:.2f} m")


def _doorways(home: Home) -> Iterator[Problem]:
    by_id = {r.id: r for r in home.rooms}
    for door in home.doorways:
        a, b = (by_id[r] for r in door.rooms)
        axis = 1 if abs(math.cos(door.yaw)) > 0.5 else 0  # the coordinate along the wall
        low, high = max(a.low[axis], b.low[axis]), min(a.high[axis], b.high[axis])
        start, end = door.center[axis] - door.width / 2, door.center[axis] + door.width / 2
        if start < low + 0.05 or end > high - 0.05:
            yield Problem(door.id, f"the opening runs from {start:.2f} to {end:.2f}, outside the wall that '{a.id}' and '{b.id}' "
                                   f"share; allowed: {low + 0.05:.2f} to {high - 0.05:.2f}")


def _standing(home: Home) -> Iterator[Problem]:
    by_id = {r.id: r for r in home.rooms}
    margin = WALL_THICKNESS / 2 - 0.005
    for item in home.furniture:
        room = by_id[item.room]
        for x, y in footprint(item):
            if not contains(room, (x, y), margin):
                yield Problem(item.id, f"stands outside room '{room.id}': a corner at ({x:.2f}, {y:.2f}), allowed: "
                                       f"x {room.low[0] + margin:.2f} to {room.high[0] - margin:.2f}, "
                                       f"y {room.low[1] + margin:.2f} to {room.high[1] - margin:.2f}")
                break
        top = item.position[2] + item.size[2]
        if top > home.wall_height:
            yield Problem(item.id, f"reaches {top:.2f} m up; allowed: the ceiling at {home.wall_height:.2f} m")


def _overlaps(home: Home) -> Iterator[Problem]:
    for i, a in enumerate(home.furniture):
        for b in home.furniture[:i]:
            if a.room == b.room and pieces_overlap(a, b):
                yield Problem(a.id, f"overlaps {b.id} by {overlap_depth(footprint(a), footprint(b)):.2f} m")


def _blocked_doors(home: Home) -> Iterator[Problem]:
    for door in home.doorways:
        zone = corners(door.center, 2 * _DOOR_KEEP_FREE, door.width, door.yaw)
        for item in home.furniture:
            if item.position[2] < 2.0 and classes.get(item.cls).kind is not Kind.OBSTACLE and overlap_depth(footprint(item), zone) > 0.02:
                yield Problem(item.id, f"stands in the doorway {door.id}; allowed: obstacles ({', '.join(classes.of_kind(Kind.OBSTACLE))})")


def _things(home: Home) -> Iterator[Problem]:
    rooms: dict[str, Room] = {r.id: r for r in home.rooms}
    pieces: dict[str, Furniture] = {f.id: f for f in home.furniture}
    for thing in home.things:
        if thing.position is None:
            continue
        if thing.at in pieces:
            quad = footprint(pieces[thing.at])
            inside = overlap_depth(quad, corners(thing.position[:2], 0.02, 0.02, 0.0)) > 0
        else:
            inside = thing.at not in rooms or contains(rooms[thing.at], thing.position[:2])
        if not inside:
            yield Problem(thing.id, f"its position {tuple(thing.position)} is not at '{thing.at}'")


def _bodies(home: Home) -> Iterator[Problem]:
    nav = NavMap(home)
    bodies = [(p.id, p.position, PERSON_RADIUS) for p in home.people] + [("robot", home.robot.position, ROBOT_RADIUS)]
    for id, position, radius in bodies:
        if room_at(home, position) is None:
            yield Problem(id, f"stands at {tuple(position)}, outside every room")
        elif not nav.free(position, radius - 0.05):
            yield Problem(id, f"stands at {tuple(position)}, inside a wall or a piece of furniture")


def _reachable(home: Home) -> Iterator[Problem]:
    """From where the robot stands, with obstacles pushed aside: every room, and a spot before every place."""
    walkable = Home(**{**vars(home), "furniture": tuple(f for f in home.furniture if classes.get(f.cls).kind is not Kind.OBSTACLE)})
    nav = NavMap(walkable)
    distance = nav.distances(home.robot.position, PERSON_RADIUS)
    for door in home.doorways:
        if not math.isfinite(distance.to(nav.nearest_free(door.center, PERSON_RADIUS, within=0.3) or door.center)):
            yield Problem(door.id, "nobody can walk through: what stands near it leaves no way")
    for item in walkable.furniture:
        if classes.get(item.cls).is_place or classes.get(item.cls).switchable:
            spots = nav.approaches(item, PERSON_RADIUS)
            if not any(math.isfinite(distance.to(s)) for s in spots):
                yield Problem(item.id, "nobody can walk up to its front" if not spots else "there is no way to it")
    for person in home.people:
        if not math.isfinite(distance.to(nav.nearest_free(person.position, PERSON_RADIUS, within=0.3) or person.position)):
            yield Problem(person.id, f"stands at {tuple(person.position)}, shut in by furniture: there is no way out")
    joined = {room for door in home.doorways for room in door.rooms}
    for room in home.rooms:
        if len(home.rooms) > 1 and room.id not in joined:
            yield Problem(room.id, f"no door leads to room '{room.id}'")
