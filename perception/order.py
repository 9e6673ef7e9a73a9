"""Medians, percentiles and shares of the few hundred numbers that one instance has.

NumPy's own are made for large arrays of any kind: on so few numbers nearly all their time goes into finding out what they were given. These sort, which is
quick, and give the same results to the last bit. Invariant: no NaN comes in; whoever calls has left readings without a value out.
"""

from __future__ import annotations

import numpy as np


def median(values: np.ndarray) -> float:
    """The middle of ``values`` (n,), n ≥ 1, or the mean of the middle two; in their own precision."""
    return middle(_ordered(values))


def middle(line: np.ndarray) -> float:
    """As :func:`median`, of values that are sorted already."""
    half = len(line) // 2
    return line[half] if len(line) % 2 else (line[half - 1] + line[half]) / 2


def medians(points: np.ndarray) -> np.ndarray:
    """Of each column of ``points`` (n, d), n ≥ 1: (d,)."""
    line, half = _ordered(points.T), len(points) // 2
    return line[:, half] if len(points) % 2 else (line[:, half - 1] + line[:, half]) / 2


def percentile(values: np.ndarray, share: float) -> float:
    """Below which ``share`` percent of ``values`` (n,) lie, n ≥ 1, linear between two of them."""
    return _at(_ordered(values), share)


def percentiles(values: np.ndarray, shares: tuple[float, ...]) -> tuple[float, ...]:
    """As :func:`percentile`, for several shares at once."""
    line = _ordered(values)
    return tuple(_at(line, share) for share in shares)


def share(marked: np.ndarray) -> float:
    """Which part of ``marked`` bool (n,) is True; 0 of none."""
    return np.count_nonzero(marked) / len(marked) if len(marked) else 0.0


def _ordered(values: np.ndarray) -> np.ndarray:
    """Along the last axis."""
    line = values.copy()
    line.sort()
    return line


def _at(line: np.ndarray, share: float) -> float:
    at = share / 100 * (len(line) - 1)
    low = int(at)
    below, above, part = float(line[low]), float(line[min(low + 1, len(line) - 1)]), at - low
    step = above - below
    return above - step * (1 - part) if part >= 0.5 else below + step * part
