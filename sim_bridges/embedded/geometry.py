"""Footprints, boxes and walls of a home: the few pieces of plane geometry that loading, walking and seeing share.

A box is a turned rectangle standing on a height; a wall is a segment with openings cut out. Frame ``map``, metres, radians.
"""

from __future__ import annotations

import math

import numpy as np

from sim_bridges.embedded.model import Doorway, Furniture, Home, Room, Vec2, Vec3, WorldState

WALL_THICKNESS = 0.10  # centred on the edge two rooms share
LEAF_SWING = math.radians(95)  # from shut to wide open


def wrap(angle: float) -> float:
    """To (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2 * math.pi)


def turn(offset: Vec2, yaw: float) -> Vec2:
    c, s = math.cos(yaw), math.sin(yaw)
    return (c * offset[0] - s * offset[1], s * offset[0] + c * offset[1])


def front(item: Furniture) -> Vec2:
    """Unit vector out of the front."""
    return (math.cos(item.yaw), math.sin(item.yaw))


def to_map(item: Furniture, local: Vec3) -> Vec3:
    """A point of the piece's own frame (x out of the front, y to its left, z above its underside) → map."""
    x, y = turn((local[0], local[1]), item.yaw)
    return (item.position[0] + x, item.position[1] + y, item.position[2] + local[2])


def leaf_segment(door: Doorway, openness: float) -> tuple[float, float, float, float]:
    """x, y of the hinge and of the free edge of a door's leaf, map, m; it swings to the side the passage's yaw points to. ``openness``: 0 (shut) to 1."""
    hinge, angle = (WALL_THICKNESS / 2, -door.width / 2), LEAF_SWING * openness
    edge = (hinge[0] + door.width * math.sin(angle), hinge[1] + door.width * math.cos(angle))
    (ax, ay), (bx, by) = turn(hinge, door.yaw), turn(edge, door.yaw)
    return (door.center[0] + ax, door.center[1] + ay, door.center[0] + bx, door.center[1] + by)


def corners(center: Vec2, depth: float, width: float, yaw: float) -> np.ndarray:
    """Footprint corners, float64 (4, 2). ``depth`` lies along the yaw, ``width`` across it."""
    local = np.array([(depth, width), (-depth, width), (-depth, -width), (depth, -width)]) / 2
    c, s = math.cos(yaw), math.sin(yaw)
    return local @ np.array([[c, s], [-s, c]]) + np.array(center)


def footprint(item: Furniture) -> np.ndarray:
    return corners(item.position[:2], item.size[1], item.size[0], item.yaw)


def overlap_depth(a: np.ndarray, b: np.ndarray) -> float:
    """How deep two convex quads (4, 2) cut into each other, metres (separating axes); ≤ 0 when they are apart."""
    depth = math.inf
    for quad in (a, b):
        edges = quad[[1, 2]] - quad[[0, 1]]
        for edge in edges:
            normal = np.array((-edge[1], edge[0])) / max(1e-9, math.hypot(*edge))
            pa, pb = a @ normal, b @ normal
            depth = min(depth, min(pa.max(), pb.max()) - max(pa.min(), pb.min()))
    return depth


def pieces_overlap(a: Furniture, b: Furniture, tolerance: float = 0.01) -> bool:
    """Whether two pieces share space; one standing on or hanging over the other does not."""
    apart = a.position[2] + a.size[2] <= b.position[2] + tolerance or b.position[2] + b.size[2] <= a.position[2] + tolerance
    return not apart and overlap_depth(footprint(a), footprint(b)) > tolerance


def contains(room: Room, point: Vec2, margin: float = 0.0) -> bool:
    return all(room.low[i] + margin <= point[i] <= room.high[i] - margin for i in (0, 1))


def room_at(home: Home, point: Vec2) -> Room | None:
    """The room a floor point is in. On a doorway line the first in file order wins; outside all rooms None."""
    return next((room for room in home.rooms if contains(room, point)), None)


def on_edge(room: Room, point: Vec2, tolerance: float = 0.02) -> str | None:
    """Which side of the room ('west', 'east', 'south', 'north') a point lies on, or None."""
    inside_x = room.low[0] - tolerance <= point[0] <= room.high[0] + tolerance
    inside_y = room.low[1] - tolerance <= point[1] <= room.high[1] + tolerance
    for side, axis, value, inside in (("west", 0, room.low[0], inside_y), ("east", 0, room.high[0], inside_y),
                                      ("south", 1, room.low[1], inside_x), ("north", 1, room.high[1], inside_x)):
        if inside and abs(point[axis] - value) <= tolerance:
            return side
    return None


def wall_segments(home: Home) -> np.ndarray:
    """Walls with the doorways cut out: float64 (n, 4) as x0, y0, x1, y1. Edges that two rooms share may stand twice."""
    segments: list[tuple[float, float, float, float]] = []
    for room in home.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        for axis, fixed, low, high in ((1, x0, y0, y1), (1, x1, y0, y1), (0, y0, x0, x1), (0, y1, x0, x1)):
            gaps = sorted(_gap(d, axis, fixed) for d in home.doorways if _gap(d, axis, fixed) is not None)
            start = low
            for a, b in gaps:
                if b <= low or a >= high:
                    continue
                if a > start:
                    segments.append(_segment(axis, fixed, start, a))
                start = max(start, b)
            if start < high - 1e-6:
                segments.append(_segment(axis, fixed, start, high))
    return np.array(sorted(set(segments)), dtype=np.float64).reshape(-1, 4)


def _gap(door: Doorway, axis: int, fixed: float) -> tuple[float, float] | None:
    """The stretch of a wall line that a doorway cuts out; ``axis`` is the coordinate that runs along the wall."""
    along_y = abs(math.cos(door.yaw)) > 0.5  # passage along x: the wall runs along y
    if along_y != (axis == 1) or abs(door.center[1 - axis] - fixed) > 0.03:
        return None
    return (door.center[axis] - door.width / 2, door.center[axis] + door.width / 2)


def _segment(axis: int, fixed: float, a: float, b: float) -> tuple[float, float, float, float]:
    return (fixed, a, fixed, b) if axis == 1 else (a, fixed, b, fixed)


def placed(item: Furniture, state: WorldState | None) -> tuple[Vec3, float]:
    """Where a piece stands now: obstacles may have been pushed away from where the home file put them."""
    if state is not None and item.id in state.moved:
        return state.moved[item.id]
    return item.position, item.yaw
