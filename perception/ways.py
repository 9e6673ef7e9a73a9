"""Metres to walk on the floor plan: straight, or by the shortest way round what stands in between.

A visibility graph (Lozano-Pérez and Wesley 1979): the shortest way among solid footprints bends only at their corners. Footprints are as much larger as people keep from
what they walk round, and what somebody stands in, or goes to, is not in their way. Corners outside the room are no way. Furniture hardly moves: the graph between corners is
kept for the footprints as they are to a few centimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.sparse.csgraph import shortest_path

from perception.geometry import Box, lengths
from perception.home_map import HomeMap

BODY = 0.2  # m that people keep from what they walk round
_STEP = 0.04  # m, and rad, to which a footprint is told apart from what it was
_LIKELY = 6  # corners, nearest by the way to them and the rest as the crow flies, that are tried for a place out of sight
_Key = tuple[tuple[float, ...], ...]


def metres(start: np.ndarray, ends: np.ndarray, solid: Sequence[Box], home: HomeMap = HomeMap(), room: str | None = None) -> np.ndarray:
    """float64 (n,): metres to walk from ``start`` (2,) to each of ``ends`` (n, 2), round ``solid`` boxes as their footprints say, within ``room``. As the crow flies where
    there is no way that is known."""
    straight = lengths(ends - start)
    if not solid or not len(ends):
        return straight
    known = _graph(tuple(tuple(round(v / _STEP) * _STEP for v in (*b.centre[:2], *b.size[:2], b.yaw)) for b in solid), home, room)
    hidden = np.flatnonzero(known.blocked(start[None], ends)[0])
    if not len(hidden) or not len(known.corners):
        return straight
    first = np.where(known.blocked(start[None], known.corners)[0], np.inf, lengths(known.corners - start))
    there = (first[:, None] + known.between).min(axis=0)  # by the shortest way to each corner
    whole = there + np.hypot(*(ends[hidden][:, None] - known.corners).transpose(2, 0, 1))
    tried = np.argsort(whole, axis=1)[:, :_LIKELY]
    whole = np.take_along_axis(whole, tried, axis=1)
    whole[known.blocked_each(known.corners[tried], ends[hidden])] = np.inf
    best = whole.min(axis=1)
    ways = straight.copy()
    ways[hidden] = np.where(np.isfinite(best), best, straight[hidden])
    return ways


class _Graph:
    """Footprints (k), the corners (c, 2) that one may walk round, and metres ``between`` them (c, c), inf where there is no way."""

    def __init__(self, footprints: np.ndarray, home: HomeMap, room: str | None):
        self.centre, self.half, yaw = footprints[:, :2], footprints[:, 2:4] / 2 + BODY, footprints[:, 4]
        self.cosine, self.sine = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
        u, v = (1.001 * self.half[:, i, None] * signs for i, signs in enumerate((np.array([1, 1, -1, -1]), np.array([1, -1, 1, -1]))))
        corners = np.stack([self.centre[:, :1] + self.cosine * u - self.sine * v, self.centre[:, 1:] + self.sine * u + self.cosine * v], axis=-1).reshape(-1, 2)
        free = ~self._within(*self._local(corners)).any(axis=0)
        if home.rooms and room is not None:
            free &= home.within(room, corners)
        self.corners = corners[free]
        apart = np.hypot(*(self.corners[:, None] - self.corners).transpose(2, 0, 1))
        self.between = shortest_path(np.where(self.blocked(self.corners, self.corners), 0.0, apart)) if len(self.corners) else apart  # 0: no edge

    def _local(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x and y, each (k, n), in the axes of each footprint."""
        x, y = points[None, :, 0] - self.centre[:, :1], points[None, :, 1] - self.centre[:, 1:]
        return self.cosine * x + self.sine * y, self.cosine * y - self.sine * x

    def _within(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return (np.abs(x) <= self.half[:, :1]) & (np.abs(y) <= self.half[:, 1:])

    def blocked(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """bool (m, n): whether anything stands between each of ``a`` (m, 2) and each of ``b`` (n, 2)."""
        (ax, ay), (bx, by) = self._local(a), self._local(b)
        inside = self._within(ax, ay)[:, :, None] | self._within(bx, by)[:, None]
        half = self.half[:, :, None, None]
        return (crosses((ax[:, :, None], ay[:, :, None]), (bx[:, None], by[:, None]), (half[:, 0], half[:, 1])) & ~inside).any(axis=0)

    def blocked_each(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """bool (n, m): the same of each of ``b`` (n, 2) and its own m of ``a`` (n, m, 2)."""
        n, m, _ = a.shape
        (ax, ay), (bx, by) = (p.reshape(-1, n, m) for p in self._local(a.reshape(-1, 2))), self._local(b)
        bx, by = bx[:, :, None], by[:, :, None]
        half = self.half[:, :, None, None]
        inside = ((np.abs(ax) <= half[:, 0]) & (np.abs(ay) <= half[:, 1])) | ((np.abs(bx) <= half[:, 0]) & (np.abs(by) <= half[:, 1]))
        return (crosses((ax, ay), (bx, by), (half[:, 0], half[:, 1])) & ~inside).any(axis=0)


@lru_cache(maxsize=32)
def _graph(footprints: _Key, home: HomeMap, room: str | None) -> _Graph:
    return _Graph(np.array(footprints), home, room)


def crosses(a: Sequence[np.ndarray], b: Sequence[np.ndarray], half: Sequence[np.ndarray]) -> np.ndarray:
    """bool: whether the segments from ``a`` to ``b`` meet the rectangle of half sides ``half`` about the origin; of each x, then y, arrays that go together."""
    low, high = -np.inf, np.inf
    for p, q, h in zip(a, b, half):
        d = q - p
        with np.errstate(divide="ignore", invalid="ignore"):
            t1, t2 = (-h - p) / d, (h - p) / d
        within = np.abs(p) <= h
        low = np.maximum(low, np.where(d == 0, np.where(within, -np.inf, np.inf), np.minimum(t1, t2)))
        high = np.minimum(high, np.where(d == 0, np.where(within, np.inf, -np.inf), np.maximum(t1, t2)))
    return (low < high) & (high > 0) & (low < 1)
