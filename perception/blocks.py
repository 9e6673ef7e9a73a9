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
class Block:
    """``box``, less ``shrink`` m on every side, hides what is behind it from everybody; what belongs to ``owner`` it does not hide, nor what is within ``spares``
    m of the box."""

    box: Box
    owner: str
    shrink: float = 0.04
    spares: float = -math.inf


def beside(box: Box, low: Sequence[float], high: Sequence[float]) -> bool:
    """Whether a box is nowhere in the upright block from ``low`` to ``high``, x, y, z: then it hides none of what lies there from what lies there."""
    x, y, _ = box.centre
    far = 0.5 * math.hypot(box.size[0], box.size[1])
    return x + far < low[0] or x - far > high[0] or y + far < low[1] or y - far > high[1] or box.top < low[2] or box.bottom > high[2]


def hidden(eye: np.ndarray, points: np.ndarray, blocks: Sequence[Block], owners: Sequence[str], owner_of: np.ndarray) -> np.ndarray:
    """bool (N,): whether any of the blocks stands between ``eye`` (3,) and each of ``points`` (N, 3). ``owner_of``: int (N,), which of ``owners`` a point
    belongs to."""
    if not blocks or not len(points):
        return np.zeros(len(points), bool)
    boxes = [b.box for b in blocks]
    size, at = np.array([b.size for b in boxes]).T[:, :, None] / 2, in_their_axes(boxes, points)
    spares = np.array([b.spares for b in blocks])[:, None]
    near = (np.abs(at[0]) <= size[0] + spares) & (np.abs(at[1]) <= size[1] + spares) & (np.abs(at[2]) <= size[2] + spares)
    own = np.array([[b.owner == name for name in owners] for b in blocks])[:, owner_of]
    half = np.maximum(size - np.array([b.shrink for b in blocks])[:, None], 0.01)
    return (_crossed(in_their_axes(boxes, eye[None]), at, half) & ~own & ~near).any(axis=0)


def within(boxes: Sequence[Box], points: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """bool (K, N): which of ``points`` (N, 3) lie in each of K ≥ 1 boxes that are larger by ``margin`` m on every side."""
    half = np.array([b.size for b in boxes]).T[:, :, None] / 2 + margin
    x, y, z = (np.abs(p) <= h for p, h in zip(in_their_axes(boxes, points), half))
    return x & y & z


def crosses_box(eye: np.ndarray, points: np.ndarray, box: Box, shrink: float = 0.04) -> np.ndarray:
    """bool (N,): the line from ``eye`` to each point (N, 3) passes through the box; touching it, starting or ending in it does not count."""
    return hidden(np.asarray(eye, float), points, [Block(box, "", shrink)], ["of nobody"], np.zeros(len(points), int))


def in_their_axes(boxes: Sequence[Box], points: np.ndarray) -> tuple[np.ndarray, ...]:
    """x, y and, where points have it, z, each (K, N), of points (N, 2 or 3) in the axes of each of K ≥ 1 boxes."""
    x, y, *z = (p - c[:, None] for p, c in zip(points.T, np.array([b.centre for b in boxes]).T))
    turn = np.array([(math.cos(b.yaw), math.sin(b.yaw)) for b in boxes])
    c, s = turn[:, :1], turn[:, 1:]
    return c * x + s * y, c * y - s * x, *z


def _crossed(start: Sequence[np.ndarray], end: Sequence[np.ndarray], half: Sequence[np.ndarray]) -> np.ndarray:
    """bool (K, N): whether lines go through boxes of these half sides about the origin, by what each pair of sides leaves of a line. ``start``, ``half``: for
    each axis (K, 1); ``end``: (K, N)."""
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
    hit = (np.abs(cross) > 1e-9) & (t > 0.005) & (t < 0.995) & (u >= -1e-6) & (u <= 1 + 1e-6)
    # A point within a hand's breadth of a wall hangs on it; that wall does not hide it.
    hit &= (1 - t) * lengths(r)[:, None] > 0.10
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
