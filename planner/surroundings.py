"""What an idle robot has around it, where it has looked, and who of those it knows is there: what gaze and vantage share.

Design reason: where the camera points and where the robot stands are decided apart, and by the same picture of the room.
Invariant: these are functions of the graph and of what was looked at before; nothing here is remembered.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from household.classes import Kind
from household.scene_graph import ROBOT, Entity

from planner.geometry import Geometry, Point

CENTRAL = math.radians(30)  # nearer than this to the middle of the picture counts as looked at
CHEST_M = 1.0  # height at which people are looked at: head and hands stay in the picture
AWAY_S = 6.0  # so long out of view, and not where they were last seen, somebody has gone


def surroundings(geometry: Geometry) -> list[Entity]:
    """Doorways, furniture and people of the robot's room (of everywhere while the room is not known), in a fixed order."""
    room = geometry.room_of(ROBOT)
    doors = [e for e in geometry.of_kind(Kind.DOOR) if belongs(geometry, e.position, room)]
    places = [e for e in geometry.of_kind(Kind.CONTAINER, Kind.SURFACE, Kind.PERSON) if room is None or geometry.room_of(e.id) == room]
    return sorted((*doors, *places), key=lambda e: e.id)


def belongs(geometry: Geometry, point: Sequence[float], room: str | None, margin: float = 0.3) -> bool:
    """Whether a point lies in a room or, as a doorway does, on its edge: no more than ``margin`` m beyond it; without rooms every point does."""
    e = geometry.entity(room)
    if e is None:
        return True
    return all(abs(point[i] - e.position[i]) <= e.extents[i] / 2 + margin for i in (0, 1))


def looked_at(before: Mapping[str, float], sent: Point | None, geometry: Geometry, spots: Mapping[str, Point], now: float) -> dict[str, float]:
    """When each of them, by where they are, was last near the middle of the picture; the robot's own gaze is told by the graph, else by where it was sent."""
    here, robot = geometry.position(ROBOT), geometry.entity(ROBOT)
    if here is None or robot is None:
        return {}
    yaw = robot.gaze_yaw if robot.gaze_yaw is not None else None if sent is None else math.atan2(sent[1] - here[1], sent[0] - here[0])
    result = {name: before[name] for name in spots if name in before}
    if yaw is not None:
        ahead = (here[0] + math.cos(yaw), here[1] + math.sin(yaw), here[2])
        result.update({name: now for name, spot in spots.items() if apart(here, ahead, spot) < CENTRAL})
    return result


def corners(geometry: Geometry) -> dict[str, Point]:
    """The corners of the robot's room, by names of their own: between them is all of it."""
    room = geometry.entity(geometry.room_of(ROBOT))
    if room is None:
        return {}
    (x, y), (w, d) = room.position[:2], room.extents[:2]
    return {f"{room.id} corner {i}": (x + a * w / 2, y + b * d / 2, CHEST_M) for i, (a, b) in enumerate(((-1, -1), (-1, 1), (1, -1), (1, 1)))}


def lost(p: Entity, looked: Mapping[str, float], now: float) -> bool:
    """Whether somebody was out of view for so long, and is not where they were last seen, that they are elsewhere for all that can be told. ``looked``: as ``GazeState.looked``."""
    return not p.visible and now - p.last_seen > AWAY_S and looked.get(p.id, -math.inf) > p.last_seen


def ways_of(before: Mapping[str, tuple[str, float, float]], geometry: Geometry) -> dict[str, tuple[str, float, float]]:
    """``before``, as ``GazeState.ways``, with who is in view now."""
    room = geometry.room_of(ROBOT)
    if room is None:
        return dict(before)
    return dict(before) | {p.id: (room, *p.position[:2]) for p in geometry.of_kind(Kind.PERSON) if p.visible and belongs(geometry, p.position, room)}


def gone(ways: Mapping[str, tuple[str, float, float]], geometry: Geometry) -> dict[str, tuple[float, float]]:
    """Who is out of view in another room → where they were last seen in this one, x, y."""
    room = geometry.room_of(ROBOT)
    return {p.id: ways[p.id][1:] for p in geometry.of_kind(Kind.PERSON)
            if not p.visible and p.id in ways and ways[p.id][0] == room and geometry.room_of(p.id) not in (room, None)}


def apart(here: Point, a: Point, b: Point) -> float:
    """Angle between two points as seen from here, radians."""
    turn = math.atan2(a[1] - here[1], a[0] - here[0]) - math.atan2(b[1] - here[1], b[0] - here[0])
    return abs((turn + math.pi) % (2 * math.pi) - math.pi)


def turned(here: Point, point: Point, angle: float) -> Point:
    """The point as far away in a direction that much further to the left, radians."""
    x, y, c, s = point[0] - here[0], point[1] - here[1], math.cos(angle), math.sin(angle)
    return (here[0] + c * x - s * y, here[1] + s * x + c * y, point[2])
