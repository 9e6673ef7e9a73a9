"""Where people are likely to walk in a room: how much of the ways between its doorways and its furniture leads past a floor point.

Design reason: a robot that stands where people have to pass is pushed about, sees nothing but a chest while they pass, and is in the way; where they pass follows from
the shortest ways round the furniture.
Invariant: a share between 0 and 1; without doorways or furniture nobody has to pass anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

CELL_M = 0.2  # of the floor on which ways are looked for
BODY_M = 0.28  # from furniture to the middle of who walks past
PASSES_M = 0.65  # from the middle of who walks to that of a robot that they do not have to go round

_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Floor:
    """The floor of a room as cells, and shortest ways on it. ``off``: metres of each point (N, 2) to the nearest furniture."""

    def __init__(self, low: Sequence[float], high: Sequence[float], off) -> None:
        axes = [np.arange(a + CELL_M / 2, b, CELL_M) for a, b in zip(low, high)]
        self.shape = tuple(len(a) for a in axes)
        self.points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        free = (off(self.points) > BODY_M).reshape(self.shape)
        index = np.arange(len(self.points)).reshape(self.shape)
        rows, columns, lengths = [], [], []
        for dx, dy in _STEPS:
            a = np.s_[: self.shape[0] - dx, max(0, -dy): self.shape[1] - max(0, dy)]
            b = np.s_[dx:, max(0, dy): self.shape[1] - max(0, -dy)]
            both = free[a] & free[b]
            rows.append(index[a][both])
            columns.append(index[b][both])
            lengths.append(np.full(int(both.sum()), CELL_M * math.hypot(dx, dy)))
        self._free = free.reshape(-1)
        n = len(self.points)
        self._graph = csr_matrix((np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns))), shape=(n, n)) if n else None

    def _nearest(self, point: Sequence[float]) -> int | None:
        away = np.where(self._free, np.hypot(*(self.points - np.asarray(point)).T), math.inf)
        best = int(np.argmin(away)) if len(away) else 0
        return best if len(away) and math.isfinite(away[best]) else None

    def ways(self, start: Sequence[float], goals: Sequence[Sequence[float]]) -> list[np.ndarray]:
        """Shortest ways from a point to each goal, as points (K, 2); where there is none it is left out."""
        first, ends = self._nearest(start), [self._nearest(g) for g in goals]
        if first is None:
            return []
        far, before = dijkstra(self._graph, directed=False, indices=first, return_predecessors=True)
        result = []
        for end in ends:
            if end is None or not math.isfinite(far[end]):
                continue
            way = [end]
            while way[-1] != first:
                way.append(int(before[way[-1]]))
            result.append(self.points[way])
        return result


def share(spots: np.ndarray, ways: Sequence[np.ndarray]) -> np.ndarray:
    """Of the ways, how many lead past each of the floor points (N, 2): (N,), 0 to 1."""
    if not ways or not len(spots):
        return np.zeros(len(spots))
    return np.mean([(np.hypot(*np.moveaxis(spots[:, None] - way, -1, 0)) < PASSES_M).any(axis=1) for way in ways], axis=0)
