"""The one thing a robot is given about a home: its rooms by name, the doorways between them, and, where it has lived there, the furniture it remembers. All
else is perceived.

Rooms are polygons on the floor (a rectangle is the short form); walls stand on their edges, open at the doorways. A robot without a
map gets none: everything then happens in no room and only perceived geometry blocks a view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import yaml

from household import classes
from perception.geometry import wrap_quarter

DOORWAY_HEIGHT = 2.05
_EDGE = 1e-9  # m beyond the edge of a room that still count as on it


class MapError(ValueError):
    """A map file that cannot be used; the message names file, key and what would be right."""


@dataclass(frozen=True)
class MapRoom:
    """``corners``: (x, y) of the floor polygon, metres in map, in order."""

    id: str
    cls: str
    corners: tuple[tuple[float, float], ...]

    @cached_property
    def low(self) -> tuple[float, float]:
        return min(x for x, _ in self.corners), min(y for _, y in self.corners)

    @cached_property
    def high(self) -> tuple[float, float]:
        return max(x for x, _ in self.corners), max(y for _, y in self.corners)

    @cached_property
    def centre(self) -> tuple[float, float]:
        (x0, y0), (x1, y1) = self.low, self.high
        return (x0 + x1) / 2, (y0 + y1) / 2

    @cached_property
    def _bounds(self) -> tuple[float, float, float, float]:
        (x0, y0), (x1, y1) = self.low, self.high
        return x0 - _EDGE, y0 - _EDGE, x1 + _EDGE, y1 + _EDGE

    @cached_property
    def _upright(self) -> bool:
        """Whether it fills its bounds: a rectangle along the axes."""
        return len(self.corners) == 4 and set(self.corners) == set(_rectangle(self.low, self.high))

    def covers(self, x: float, y: float) -> bool:
        """Whether this point of the floor lies in the room, its edges included."""
        x0, y0, x1, y1 = self._bounds
        return x0 <= x <= x1 and y0 <= y <= y1 and (self._upright or _inside(x, y, self.corners))


@dataclass(frozen=True)
class MapDoorway:
    """``yaw``: along the passage, radians. ``leaf``: a door hangs in it."""

    id: str
    rooms: tuple[str, str]
    centre: tuple[float, float]
    width: float
    yaw: float
    leaf: bool = False

    @property
    def along(self) -> np.ndarray:
        """Unit vector along the wall it is in."""
        return np.array([-np.sin(self.yaw), np.cos(self.yaw)])


@dataclass(frozen=True)
class MapPiece:
    """A piece of furniture that stood there when the map was made. ``centre`` of its box, ``size`` along its own axes, m; ``yaw``, rad: its front is local +x."""

    id: str
    cls: str
    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float = 0.0


@dataclass(frozen=True)
class HomeMap:
    rooms: tuple[MapRoom, ...] = ()
    doorways: tuple[MapDoorway, ...] = ()
    wall_height: float = 2.6
    furniture: tuple[MapPiece, ...] = ()

    def room_of(self, point) -> str | None:
        """The room over whose floor (x, y, …) lies; on a shared wall the nearer centre's; None outside."""
        x, y = float(point[0]), float(point[1])
        hits = [r for r in self.rooms if r.covers(x, y)]
        if not hits:
            return None
        return hits[0].id if len(hits) == 1 else min(hits, key=lambda r: (r.centre[0] - x) ** 2 + (r.centre[1] - y) ** 2).id

    def room(self, room_id: str) -> MapRoom | None:
        return next((r for r in self.rooms if r.id == room_id), None)

    def within(self, room_id: str, points: np.ndarray) -> np.ndarray:
        """bool (n,): which of the floor points (n, 2) lie in this room, by the even-odd rule; all when it is not on the map."""
        room = self.room(room_id)
        if room is None:
            return np.ones(len(points), dtype=bool)
        a = np.asarray(room.corners, dtype=float)
        b = np.roll(a, -1, axis=0)
        x, y = points[:, :1], points[:, 1:]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = ((a[:, 1] > y) != (b[:, 1] > y)) & (x < (b[:, 0] - a[:, 0]) * (y - a[:, 1]) / (b[:, 1] - a[:, 1]) + a[:, 0])
        return crossing.sum(axis=1) % 2 == 1

    def depth_in(self, room_id: str, point) -> float:
        """How far (x, y) is from the nearest edge of this room, metres; negative outside."""
        room = self.room(room_id)
        if room is None:
            return 0.0
        corners = np.asarray(room.corners)
        distance = _segment_distance(np.asarray(point[:2], float), corners, np.roll(corners, -1, axis=0)).min()
        return float(distance if room.covers(float(point[0]), float(point[1])) else -distance)

    @cached_property
    def walls(self) -> tuple[np.ndarray, np.ndarray]:
        """Every room edge as start and end, float64 (n, 2) each; doorways not cut out."""
        if not self.rooms:
            return np.zeros((0, 2)), np.zeros((0, 2))
        starts = np.concatenate([np.asarray(r.corners, float) for r in self.rooms])
        ends = np.concatenate([np.roll(np.asarray(r.corners, float), -1, axis=0) for r in self.rooms])
        return starts, ends

    @cached_property
    def wall_yaws(self) -> tuple[float, ...]:
        """Directions of the walls modulo 90°, longest first, four at most; (0,) without rooms."""
        starts, ends = self.walls
        if not len(starts):
            return (0.0,)
        d = ends - starts
        found: list[float] = []
        for i in np.argsort(-np.linalg.norm(d, axis=1)):
            yaw = wrap_quarter(float(np.arctan2(d[i, 1], d[i, 0])))
            if all(abs(wrap_quarter(yaw - f)) > 0.02 for f in found):
                found.append(yaw)
        return tuple(found[:4])

    def bounds(self, margin: float = 0.3) -> tuple[np.ndarray, np.ndarray] | None:
        """Low and high (x, y) around all rooms; None without rooms."""
        if not self.rooms:
            return None
        corners = np.concatenate([np.asarray(r.corners, float) for r in self.rooms])
        return corners.min(axis=0) - margin, corners.max(axis=0) + margin

    def to_dict(self) -> dict:
        return {"rooms": [{"id": r.id, "class": r.cls, "corners": [list(c) for c in r.corners]} for r in self.rooms],
                "doorways": [{"id": d.id, "rooms": list(d.rooms), "centre": list(d.centre), "width": d.width, "yaw": d.yaw,
                              "leaf": d.leaf} for d in self.doorways],
                "wall_height": self.wall_height,
                **({"furniture": [{"id": f.id, "class": f.cls, "centre": list(f.centre), "size": list(f.size), "yaw": f.yaw} for f in self.furniture]}
                   if self.furniture else {})}

    @classmethod
    def from_dict(cls, d: Mapping, where: str = "map") -> "HomeMap":
        """Raises MapError. A room gives ``corners`` or, for a rectangle, ``low`` and ``high``."""
        if not isinstance(d, Mapping) or "rooms" not in d:
            raise MapError(f"{where}: a map needs the key 'rooms'")
        rooms = tuple(_room(r, f"{where}: rooms[{i}]") for i, r in enumerate(d["rooms"] or ()))
        names = [r.id for r in rooms]
        if len(set(names)) != len(names):
            raise MapError(f"{where}: rooms: a room id occurs twice in {', '.join(names)}")
        doorways = tuple(_doorway(x, names, f"{where}: doorways[{i}]") for i, x in enumerate(d.get("doorways") or ()))
        furniture = tuple(_piece(x, f"{where}: furniture[{i}]") for i, x in enumerate(d.get("furniture") or ()))
        if len({f.id for f in furniture}) != len(furniture):
            raise MapError(f"{where}: furniture: an id occurs twice in {', '.join(f.id for f in furniture)}")
        return cls(rooms, doorways, float(d.get("wall_height", 2.6)), furniture)


def load(path: str | Path) -> HomeMap:
    """A map from YAML. Raises MapError that names file and line or key."""
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise MapError(f"{path}: {error}") from error
    return HomeMap.from_dict(data, str(path))


def from_rooms(rooms, doorways, wall_height: float = 2.6, furniture: Iterable[MapPiece] = ()) -> HomeMap:
    """From anything whose rooms have ``id, cls, low, high`` and doorways ``id, rooms, center, width, yaw, leaf`` (an embedded home)."""
    return HomeMap(
        tuple(MapRoom(r.id, r.cls, _rectangle(r.low, r.high)) for r in rooms),
        tuple(MapDoorway(d.id, tuple(d.rooms), (float(d.center[0]), float(d.center[1])), float(d.width), float(d.yaw), bool(d.leaf))
              for d in doorways), float(wall_height), tuple(furniture))


def _room(r, where: str) -> MapRoom:
    try:
        name = str(r["id"])
        cls = str(r.get("class", name))
        if cls not in classes.of_kind(classes.Kind.ROOM):
            raise MapError(f"{where}: class '{cls}' is no room; there are: {', '.join(classes.of_kind(classes.Kind.ROOM))}")
        corners = (tuple((float(x), float(y)) for x, y in r["corners"]) if "corners" in r
                   else _rectangle(tuple(map(float, r["low"])), tuple(map(float, r["high"]))))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, MapError):
            raise
        raise MapError(f"{where}: wanted id, class and corners (or low and high): {error!r}") from error
    if len(corners) < 3:
        raise MapError(f"{where}: a room needs at least three corners")
    return MapRoom(name, cls, corners)


def _doorway(d, rooms: list[str], where: str) -> MapDoorway:
    try:
        doorway = MapDoorway(str(d["id"]), tuple(map(str, d["rooms"])), tuple(map(float, d["centre"])), float(d["width"]),
                             float(d["yaw"]), bool(d.get("leaf", False)))
    except (KeyError, TypeError, ValueError) as error:
        raise MapError(f"{where}: wanted id, rooms, centre, width, yaw: {error!r}") from error
    for room in doorway.rooms:
        if room not in rooms:
            raise MapError(f"{where}: room '{room}' is none of {', '.join(rooms)}")
    return doorway


def _piece(f, where: str) -> MapPiece:
    try:
        piece = MapPiece(str(f["id"]), str(f["class"]), *(tuple(float(v) for v in f[key]) for key in ("centre", "size")), float(f.get("yaw", 0.0)))
    except (KeyError, TypeError, ValueError) as error:
        raise MapError(f"{where}: wanted id, class, centre, size, yaw: {error!r}") from error
    if len(piece.centre) != 3 or len(piece.size) != 3 or min(piece.size) <= 0:
        raise MapError(f"{where}: centre {list(piece.centre)} and size {list(piece.size)} must be three metres each, sizes above 0")
    if piece.cls not in classes.CLASSES or not classes.get(piece.cls).is_place or piece.id.rpartition("_")[0] != piece.cls:
        raise MapError(f"{where}: '{piece.id}' of class '{piece.cls}': wanted a class things are put on or in, and an id like fridge_1 that begins with it")
    return piece


def _rectangle(low, high) -> tuple[tuple[float, float], ...]:
    (x0, y0), (x1, y1) = low, high
    return (float(x0), float(y0)), (float(x1), float(y0)), (float(x1), float(y1)), (float(x0), float(y1))


def _inside(x: float, y: float, corners) -> bool:
    """Even-odd rule; points on an edge count as inside."""
    inside, n = False, len(corners)
    for i in range(n):
        (x0, y0), (x1, y1) = corners[i], corners[(i + 1) % n]
        cross = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        if abs(cross) < _EDGE and min(x0, x1) - _EDGE <= x <= max(x0, x1) + _EDGE and min(y0, y1) - _EDGE <= y <= max(y0, y1) + _EDGE:
            return True
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            inside = not inside
    return inside


def _segment_distance(point: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    d = ends - starts
    t = np.clip(((point - starts) * d).sum(axis=1) / np.maximum((d * d).sum(axis=1), 1e-12), 0, 1)
    return np.linalg.norm(starts + t[:, None] * d - point, axis=1)

@lru_cache(maxsize=64)
def opening(doorway: MapDoorway, height: float = 1.9) -> np.ndarray:
    """Points (63, 3), map, over the middle of the doorway; not to be written to."""
    s, z = np.meshgrid(np.linspace(-0.35, 0.35, 7) * doorway.width, np.linspace(0.3, height, 9))
    x, y = doorway.centre
    points = np.column_stack([x + s.ravel() * doorway.along[0], y + s.ravel() * doorway.along[1], z.ravel()])
    points.setflags(write=False)
    return points
