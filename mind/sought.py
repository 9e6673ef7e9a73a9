"""Which objects would do for which goal, stored as the few pairs there are, so that a home's minds cost as much as it has objects and not as
many times as it has pairs of goals and objects.

Invariant: all products equal those of the dense 0/1 table (G goals, o objects) that :meth:`Sought.dense` spells out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True)
class Sought:
    """``table`` sparse (G, o): 1 where an object is of a class that the goal would fetch next. ``count`` float (G,): how many would do.
    ``alone`` sparse (o, G): 1 for the goals that only this object would serve."""

    table: csr_array
    count: np.ndarray
    alone: csr_array

    def __matmul__(self, values: np.ndarray) -> np.ndarray:
        """(o,) or (o, n) → (G,) or (G, n): summed over the objects that would do."""
        return self.table @ values

    def about(self, obj: int) -> np.ndarray:
        """Bool (G,): goals that this object would serve."""
        goals = np.repeat(np.arange(len(self.count)), np.diff(self.table.indptr))
        return np.isin(np.arange(len(self.count)), goals[self.table.indices == obj])

    def shown_by(self, alpha: np.ndarray) -> np.ndarray:
        """(G, n) → (o, n): summed over the goals that only this object would serve, for whom a target is a belief about it."""
        return self.alone @ alpha

    def dense(self) -> np.ndarray:
        return self.table.toarray()


def sought(fetch: np.ndarray, members: tuple[np.ndarray, ...], objects: int) -> Sought:
    """``fetch`` bool (G, C): classes a goal would fetch next. ``members``: for each class the rows of its objects."""
    goals, kinds = np.nonzero(fetch)
    sizes = np.array([len(m) for m in members], dtype=int)
    taken = [members[c] for c in kinds.tolist()]
    columns = np.concatenate(taken) if taken else np.zeros(0, dtype=int)
    count = np.bincount(goals, weights=sizes[kinds], minlength=len(fetch)) if len(kinds) else np.zeros(len(fetch))
    ends = np.concatenate(([0], np.cumsum(count))).astype(np.int32)
    table = csr_array((np.ones(len(columns)), columns.astype(np.int32), ends), shape=(len(fetch), objects))
    return Sought(table, count, _alone(table, count))


def _alone(table: csr_array, count: np.ndarray) -> csr_array:
    single = np.flatnonzero(count == 1)
    target = table.indices[table.indptr[single]]
    order = np.argsort(target, kind="stable")
    ends = np.concatenate(([0], np.cumsum(np.bincount(target, minlength=table.shape[1])))).astype(np.int32)
    return csr_array((np.ones(len(single)), single[order].astype(np.int32), ends), shape=(table.shape[1], table.shape[0]))
