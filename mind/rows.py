"""Where everything is thought to be, handed out as a mapping that spells out a row when somebody reads it.

A moment changes most rows of a mind a little and its readers look at a few, so the arrays are what is kept. Invariant: reads like the plain
dictionary it stands for; immutable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

LEAST = 1e-9  # sites less likely than this are left out


class Rows(Mapping[str, Mapping[str, float]]):
    """Object → site → probability; each row sums to one. ``index``: object → row of ``array`` float64 (o, n); ``sites``: n ids."""

    __slots__ = ("_array", "_index", "_sites", "_read")

    def __init__(self, array: np.ndarray, index: Mapping[str, int], sites: tuple[str, ...]):
        self._array, self._index, self._sites = array, index, sites
        self._read: dict[str, Mapping[str, float]] = {}

    def moved(self, array: np.ndarray, changed: np.ndarray) -> "Rows":
        """The same objects and sites with another ``array``; what was read of rows that have not ``changed``, bool (o,), is read."""
        new = Rows(array, self._index, self._sites)
        new._read = {name: row for name, row in self._read.items() if not changed[self._index[name]]}
        return new

    def __getitem__(self, name: str) -> Mapping[str, float]:
        row = self._read.get(name)
        if row is None:
            row = {site: p for site, p in zip(self._sites, self._array[self._index[name]].tolist()) if p > LEAST}
            self._read[name] = row
        return row

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __repr__(self) -> str:
        return repr(dict(self))
