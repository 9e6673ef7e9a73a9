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

from perception.blocks import Boxes, crossed
from perception.geometry import Box, lengths
from perception.home_map import HomeMap

BODY = 0.2  # m that people keep from what they walk round
_STEP = 0.04  # m, and rad, to which a footprint is told apart from what it was
_CORNERS = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])
_LIKELY = 6  # corners, nearest by the way to them and the rest as the crow flies, that are tried for a place out of sight
_Key = tuple[tuple[float, ...], ...]


def metres(start: np.ndarray, ends: np.ndarray, solid: Sequence[Box], home: HomeMap = HomeMap(), room: str | None = None) -> np.ndarray:
    """float64 (n,): metres to walk from ``start`` (2,) to each of ``ends`` (n, 2), round ``solid`` boxes as their footprints say, within ``room``. As the crow flies where
    there is no way that is known."""
    straight = lengths(ends - start)
    if not solid or not len(ends):
        return straight
    known = _graph(tuple(tuple(round(v / _STEP) * _STEP for v in (*b.centre[:2], *b.size[:2], b.yaw)) for b in solid), home, room)
    hidden = known.blocked(start[None, None], ends[None])[0].nonzero()[0]
    if not len(hidden) or not len(known.corners):
        return straight
    first = np.where(known.blocked(start[None, None], known.corners[None])[0], np.inf, lengths(known.corners - start))
    there = (first[:, None] + known.between).min(axis=0)  # by the shortest way to each corner
    whole = there + np.hypot(*(ends[hidden][:, None] - known.corners).transpose(2, 0, 1))
    tried = np.argsort(whole, axis=1)[:, :_LIKELY]
    whole = np.take_along_axis(whole, tried, axis=1)
    whole[known.blocked(known.corners[tried], ends[hidden][:, None])] = np.inf
    best = whole.min(axis=1)
    ways = straight.copy()
    ways[hidden] = np.where(np.isfinite(best), best, straight[hidden])
    return ways


class _Graph:
    """Footprints (k), the corners (c, 2) that one may walk round, and metres ``between`` them (c, c), inf where there is no way."""

    def __init__(self, footprints: _Key, home: HomeMap, room: str | None):
        self.boxes = Boxes.of([Box((x, y, 0.0), (a + 2 * BODY, b + 2 * BODY, 0.0), yaw) for x, y, a, b, yaw in footprints])
        ends = 1.001 * self.boxes.half[:, None, :2] * _CORNERS  # just outside
        (c, s), (u, v) = self.boxes.turn.T[:, :, None], ends.transpose(2, 0, 1)
        corners = (self.boxes.centre[:, None, :2] + np.stack([c * u - s * v, s * u + c * v], axis=-1)).reshape(-1, 2)
        free = ~self.boxes.contain(corners).any(axis=0)
        if home.rooms and room is not None:
            free &= home.within(room, corners)
        self.corners = corners[free]
        apart = np.hypot(*(self.corners[:, None] - self.corners).transpose(2, 0, 1))
        self.between = shortest_path(np.where(self.blocked(self.corners[:, None], self.corners[None]), 0.0, apart)) if len(self.corners) else apart  # 0: no edge

    def blocked(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """bool (m, n): whether anything stands between points ``a`` and ``b``, (m or 1, n or 1, 2) each."""
        half = self.boxes.half[:, :2, None, None].transpose(1, 0, 2, 3)
        ends = [[q.reshape(-1, *p.shape[:2]) for q in self.boxes.local(p.reshape(-1, 2))] for p in (a, b)]
        return crossed(*ends, half).any(axis=0)


@lru_cache(maxsize=32)
def _graph(footprints: _Key, home: HomeMap, room: str | None) -> _Graph:
    return _Graph(footprints, home, room)
