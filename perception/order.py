"""Medians, percentiles and shares of the few hundred numbers that one instance has.

NumPy's own are made for large arrays of any kind: on so few numbers nearly all their time goes into finding out what they were given. These sort a few, of
more they put only what is asked for in its place, and they give the same results to the last bit. Invariant: no NaN comes in; whoever calls has left readings
without a value out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_FEW = 250  # that are sorted sooner than it takes to look for a place


def median(values: np.ndarray) -> float:
    """The middle of ``values`` (n,), n ≥ 1, or the mean of the middle two; in their own precision."""
    return middle(_placed(values, _middles(len(values))))


def middle(line: np.ndarray) -> float:
    """As :func:`median`, of values that are sorted already."""
    low, high = _middles(len(line))
    return line[low] if low == high else (line[low] + line[high]) / 2


def medians(points: np.ndarray) -> np.ndarray:
    """Of each column of ``points`` (n, d), n ≥ 1: (d,)."""
    low, high = _middles(len(points))
    line = _placed(points.T, (low, high))
    return line[:, low] if low == high else (line[:, low] + line[:, high]) / 2


def percentile(values: np.ndarray, share: float) -> float:
    """Below which ``share`` percent of ``values`` (n,) lie, n ≥ 1, linear between two of them."""
    return percentiles(values, (share,))[0]


def percentiles(values: np.ndarray, shares: tuple[float, ...]) -> tuple[float, ...]:
    """As :func:`percentile`, for several shares at once."""
    last = len(values) - 1
    found = [(int(at), at) for at in (share / 100 * last for share in shares)]
    line = _placed(values, [at for low, _ in found for at in (low, min(low + 1, last))])
    return tuple(_between(float(line[low]), float(line[min(low + 1, last)]), at - low) for low, at in found)


def share(marked: np.ndarray) -> float:
    """Which part of ``marked`` bool (n,) is True; 0 of none."""
    return np.count_nonzero(marked) / len(marked) if len(marked) else 0.0


def _middles(n: int) -> tuple[int, int]:
    """Where the middle two of ``n`` sorted values are, or twice where the middle one is."""
    return (n - 1) // 2, n // 2


def _placed(values: np.ndarray, places: Sequence[int]) -> np.ndarray:
    """A copy of ``values`` that has at these ``places`` of its last axis what sorting would put there."""
    line = values.copy()
    if line.shape[-1] < _FEW:
        line.sort()
    else:
        line.partition(places)
    return line


def _between(below: float, above: float, part: float) -> float:
    step = above - below
    return above - step * (1 - part) if part >= 0.5 else below + step * part
