"""The points a piece of furniture has shown so far: one representative per small cell, with how often it was seen.

Accumulating makes the box of a thing that is always partly hidden grow to its true size; forgetting cells that were looked through
makes it shrink again when a door swings shut. Bounded by the cell size and ``limit``. Immutable: updates return a new value.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

CELL = 0.04
_OFFSET, _SPAN = 1 << 14, 1 << 15


def keys_of(points: np.ndarray, cell: float = CELL) -> np.ndarray:
    """int64 (N,): the cell each point (N, 3) of map falls in."""
    x, y, z = np.floor(np.asarray(points).T / cell).astype(np.int64) + _OFFSET
    return (x * _SPAN + y) * _SPAN + z


def _distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct ones of ``keys`` (n,), n ≥ 1, in order, and the index at which each occurs first; like np.unique, but by sorting key and index as one
    number (a key has 45 bits)."""
    bits = len(keys).bit_length()
    line = (keys << bits) | np.arange(len(keys))
    line.sort()
    ordered, first = line >> bits, np.ones(len(line), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered.compress(first), line.compress(first) & ((1 << bits) - 1)


@dataclass(frozen=True)
class Cells:
    """``keys`` int64 (n,) sorted and distinct; ``points`` float32 (n, 3), map; ``hits`` int16 (n,) sightings less look-throughs."""

    keys: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.float32))
    hits: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int16))

    def __len__(self) -> int:
        return len(self.keys)

    def add(self, points: np.ndarray, limit: int = 4000) -> "Cells":
        """With the cells of ``points`` (N, 3) seen once more. Beyond ``limit`` the rarest seen cells go."""
        if not len(points):
            return self
        keys, first = _distinct(keys_of(points))
        place = np.searchsorted(self.keys, keys)
        known = self.keys.take(place, mode="clip") == keys if len(self.keys) else np.zeros(len(keys), bool)
        hits, again = self.hits.copy(), place.compress(known)
        hits[again] = np.minimum(hits.take(again) + 1, 50)
        fresh = (~known).nonzero()[0]
        if not fresh.size:
            return Cells(self.keys, self.points, hits)
        all_keys = np.concatenate([self.keys, keys.take(fresh)])
        all_points = np.concatenate([self.points, np.asarray(points)[first.take(fresh)].astype(np.float32)])
        all_hits = np.concatenate([hits, np.ones(len(fresh), np.int16)])
        order = np.argsort(all_keys, kind="stable")
        if len(all_keys) > limit:
            kept = np.zeros(len(all_keys), bool)
            kept[np.argsort(-all_hits, kind="stable")[:limit]] = True
            order = order[kept[order]]
        return Cells(all_keys.take(order), all_points.take(order, axis=0), all_hits.take(order))

    def looked_through(self, through: np.ndarray, cost: int = 3) -> "Cells":
        """After the cells marked in ``through`` bool (n,) turned out to be empty air; those with no credit left are dropped."""
        if not through.any():
            return self
        hits = self.hits.copy()
        hits[through] = np.minimum(hits[through], 9) - cost
        keep = hits > 0
        return Cells(self.keys[keep], self.points.compress(keep, axis=0), hits[keep])

    def solid(self, minimum: int) -> np.ndarray:
        """Points (m, 3) of cells seen at least ``minimum`` times, or, where that would leave too few, as often as leaves enough."""
        enough = max(12, len(self) // 4)
        for least in range(minimum, 1, -1):
            sure = self.hits >= least
            if np.count_nonzero(sure) >= enough:
                return self.points.compress(sure, axis=0)
        return self.points
