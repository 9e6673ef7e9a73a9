"""Which objects would do for which goal. Stored as the few pairs there are where a table would be large, so that a home's minds cost as much as it
has objects and not as much as it has pairs of goals and objects.

Invariant: all products equal those of the 0/1 table, goals G by objects o, whichever way it is stored.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

SMALL = 4096  # cells up to which a plain table is quicker

Table = np.ndarray | csr_array


@dataclass(frozen=True)
class Sought:
    """``goals``, ``objects`` int (k,): the pairs, by goal. ``count`` float (G,): how many objects would do. ``table`` (G, o): 1 for each pair.
    ``alone`` (o, G): 1 for the goals that only this object would serve."""

    goals: np.ndarray
    objects: np.ndarray
    count: np.ndarray
    table: Table
    alone: Table

    def __matmul__(self, values: np.ndarray) -> np.ndarray:
        """(o,) or (o, n) → (G,) or (G, n): summed over the objects that would do."""
        return self.table @ values

    def about(self, obj: int) -> np.ndarray:
        """Bool (G,): goals that this object would serve."""
        out = np.zeros(len(self.count), dtype=bool)
        out[self.goals[self.objects == obj]] = True
        return out

    def shown_by(self, alpha: np.ndarray) -> np.ndarray:
        """(G, n) → (o, n): summed over the goals that only this object would serve, for whom a target is a belief about it."""
        return self.alone @ alpha


def sought(fetch: np.ndarray, members: tuple[np.ndarray, ...], objects: int) -> Sought:
    """``fetch`` bool (G, C): classes a goal would fetch next. ``members``: for each class the rows of its objects."""
    goals, kinds = np.nonzero(fetch)
    sizes = np.array([len(m) for m in members], dtype=int)[kinds]
    columns = np.concatenate([members[c] for c in kinds.tolist()]) if len(kinds) else np.zeros(0, dtype=int)
    rows = np.repeat(goals, sizes)
    count = np.bincount(rows, minlength=len(fetch)).astype(float)
    single = count[rows] == 1
    return Sought(rows, columns, count, _table(rows, columns, (len(fetch), objects)), _table(columns[single], rows[single], (objects, len(fetch))))


def _table(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> Table:
    if shape[0] * shape[1] <= SMALL:
        table = np.zeros(shape)
        table[rows, columns] = 1.0
        return table
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
