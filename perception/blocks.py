"""What stands in a line of sight: the walls of the map, and boxes (furniture, table tops, bodies), many at once.

All lines begin at one eye and are asked together of all boxes that could be in their way. Invariant: a line that only touches a box, or begins or ends in it,
is not hidden by it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perception.geometry import Box, lengths
from perception.home_map import DOORWAY_HEIGHT, HomeMap


@dataclass(frozen=True)
class Boxes:
    """K ≥ 0 boxes as arrays, to be asked at once: ``centre``, ``half`` sizes (K, 3), ``turn``: cosine and sine of the yaw (K, 2)."""

    centre: np.ndarray
    half: np.ndarray
    turn: np.ndarray

    @classmethod
    def of(cls, boxes: Sequence[Box]) -> "Boxes":
        return cls(np.array([b.centre for b in boxes]).reshape(-1, 3), np.array([b.size for b in boxes]).reshape(-1, 3) / 2,
                   np.array([(math.cos(b.yaw), math.sin(b.yaw)) for b in boxes]).reshape(-1, 2))

    def some(self, index: np.ndarray) -> "Boxes":
        return Boxes(self.centre[index], self.half[index], self.turn[index])

    def local(self, points: np.ndarray) -> tuple[np.ndarray, ...]:
        """x, y and, where points have it, z, each (K, N), of points (N, 2 or 3) in the axes of each box."""
        x, y, *z = (p - c[:, None] for p, c in zip(points.T, self.centre.T))
        c, s = self.turn[:, :1], self.turn[:, 1:]
        return c * x + s * y, c * y - s * x, *z

    def contain(self, points: np.ndarray, margin: float | np.ndarray = 0.0) -> np.ndarray:
        """bool (K, N): which of ``points`` (N, 2: from above, or 3) lie in each box, larger by ``margin`` (K, 1) m on every side."""
        inside = [np.abs(p) <= h[:, None] + margin for p, h in zip(self.local(points), self.half.T)]
        return np.logical_and.reduce(inside)

    def reach_into(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """bool (K,): which may reach into the upright block from ``low`` to ``high`` (3,): the others hide none of what lies there from what lies there."""
        far = np.hypot(self.half[:, 0], self.half[:, 1])[:, None]
        out = (self.centre[:, :2] + far < low[:2]) | (self.centre[:, :2] - far > high[:2])
        return ~(out[:, 0] | out[:, 1] | (self.centre[:, 2] + self.half[:, 2] < low[2]) | (self.centre[:, 2] - self.half[:, 2] > high[2]))


@dataclass(frozen=True)
class Blocks:
    """What hides what is behind it: ``boxes``, less ``shrink`` (K,) m on every side. What belongs to its own of ``owners`` (K) a box does not hide, nor what is within
    ``spares`` (K,) m of it. No two have one owner."""

    boxes: Boxes
    owners: tuple[str, ...]
    shrink: np.ndarray
    spares: np.ndarray

    def hide(self, eye: np.ndarray, points: np.ndarray, names: Sequence[str], owner_of: np.ndarray, viewer: str = "", reach: float = math.inf) -> np.ndarray:
        """bool (N,): whether anything stands between ``eye`` (3,) and each of ``points`` (N, 3), which lie within ``reach`` m. ``owner_of``: int (N,), which of
        ``names`` a point belongs to; ``viewer``: whose eye it is."""
        if not self.owners or not len(points):
            return np.zeros(len(points), bool)
        asked = self.boxes.reach_into(np.minimum(points.min(axis=0), eye), np.maximum(points.max(axis=0), eye))
        asked = (asked & (lengths(self.boxes.centre - eye) < reach) & [o != viewer for o in self.owners]).nonzero()[0]
        if not asked.size:
            return np.zeros(len(points), bool)
        boxes, half = self.boxes.some(asked), np.maximum(self.boxes.half[asked] - self.shrink[asked, None], 0.01)
        index = {o: i for i, o in enumerate(self.owners)}
        own = asked[:, None] == np.array([index.get(name, -1) for name in names])[owner_of]
        at = boxes.local(points)
        near = np.logical_and.reduce([np.abs(p) <= h[:, None] + self.spares[asked, None] for p, h in zip(at, boxes.half.T)])
        return (crossed(boxes.local(eye[None]), at, half.T[:, :, None]) & ~own & ~near).any(axis=0)


def crosses_box(eye: np.ndarray, points: np.ndarray, box: Box, shrink: float = 0.04) -> np.ndarray:
    """bool (N,): the line from ``eye`` to each point (N, 3) passes through the box; touching it, starting or ending in it does not count."""
    block = Blocks(Boxes.of([box]), ("it",), np.array([shrink]), np.array([-np.inf]))
    return block.hide(np.asarray(eye, float), points, ["none of it"], np.zeros(len(points), int))


def crossed(start: Sequence[np.ndarray], end: Sequence[np.ndarray], half: Sequence[np.ndarray]) -> np.ndarray:
    """bool (K, N): whether lines go through boxes of these half sides about the origin, by what each pair of sides leaves of a line; not of one that begins or ends in it.
    ``start``, ``half``: for each axis (K, 1); ``end``: (K, N); or whatever goes together so."""
    enter, leave, out = -np.inf, np.inf, False
    for a, b, h in zip(start, end, half):
        d = b - a
        along = np.abs(d) < 1e-12
        with np.errstate(divide="ignore", invalid="ignore"):
            t1, t2 = (-h - a) / d, (h - a) / d
        enter = np.maximum(enter, np.where(along, -np.inf, np.minimum(t1, t2)))
        leave = np.minimum(leave, np.where(along, np.inf, np.maximum(t1, t2)))
        out = out | (along & (np.abs(a) > h))
    return (enter < leave) & (enter > 0.0) & (leave < 1.0) & ~out


def crosses_wall(eye: np.ndarray, points: np.ndarray, home: HomeMap, shut_doors: frozenset[str] = frozenset()) -> np.ndarray:
    """bool (N,): the line from ``eye`` to each point meets a wall of the map outside every (open) doorway."""
    starts, ends = home.walls
    if not len(starts) or not len(points):
        return np.zeros(len(points), bool)
    p, r = np.asarray(eye[:2], float), points[:, :2] - np.asarray(eye[:2], float)
    s = ends - starts
    cross = r[:, None, 0] * s[None, :, 1] - r[:, None, 1] * s[None, :, 0]
    q = starts - p
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (q[None, :, 0] * s[None, :, 1] - q[None, :, 1] * s[None, :, 0]) / cross
        u = (q[None, :, 0] * r[:, None, 1] - q[None, :, 1] * r[:, None, 0]) / cross
        hangs = (1 - t) * lengths(r)[:, None] <= 0.10  # within a hand's breadth of a wall, which does not hide it
    hit = (np.abs(cross) > 1e-9) & (t > 0.005) & (t < 0.995) & (u >= -1e-6) & (u <= 1 + 1e-6) & ~hangs
    if not hit.any():
        return np.zeros(len(points), bool)
    which, wall = np.nonzero(hit)
    at = p + t[which, wall][:, None] * r[which]
    height = eye[2] + t[which, wall] * (points[which, 2] - eye[2])
    passes = np.zeros(len(which), bool)
    for door in home.doorways:
        if door.id in shut_doors:
            continue
        off = at - np.asarray(door.centre)
        along = np.abs(off @ door.along)
        across = np.abs(off @ np.array([np.cos(door.yaw), np.sin(door.yaw)]))
        passes |= (along <= door.width / 2) & (across <= 0.25) & (height <= DOORWAY_HEIGHT)
    blocked = np.zeros(len(points), bool)
    blocked[which[~passes]] = True
    return blocked
