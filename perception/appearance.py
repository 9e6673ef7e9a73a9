"""What a loose thing looks like, so that it is known again in a hand that hides half of it.

Between fingers a detector names about half of all things right; their colours stay. A look is a histogram of tints and shades; two looks
are compared by their Bhattacharyya coefficient, as tracking by appearance does (Comaniciu et al., kernel-based object tracking, 2003), and read as odds.
Invariant: odds are 1 where either was not seen well enough to tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from perception.frame import FrameInput
from perception.lifting import Lifted

_TINTS, _SHADES = 14, 6  # steps of the logarithms of red and of blue against green, and of brightness
_RANGE = 1.0  # those logarithms lie between ± so much: what is more colourful counts as that
_DARK = 8.0  # grey levels added, so that noise in the dark is no colour
_MOST, _LEAST = 250, 6  # pixels of a mask that are read; of fewer nothing is said
_LOG = np.log(np.arange(256) + _DARK)
_LOG_SUM = np.log((np.arange(3 * 255 + 1) / 3 + _DARK) / _DARK) / np.log((255 + _DARK) / _DARK)
_COEFFICIENTS = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_LOG_ODDS = (-2.2, -1.2, -0.1, 0.4, 1.3, 2.4, 3.4)  # of 391 things in hands, against their own looks where they lay and those of the others there (simulated homes)
_ANOTHER = 0.45  # of 1,330 looks at things that lay still fewer than 1 % were less like the others at the same, of those at other things on the same furniture more than 75 %
_LOOKS = 12  # that a mean goes back to, about


def look_of(one: Lifted, frame: FrameInput) -> np.ndarray | None:
    """As :func:`look_at`, of the pixels of its mask."""
    return look_at(one.rows, one.columns, frame)


def look_at(rows: np.ndarray, columns: np.ndarray, frame: FrameInput) -> np.ndarray | None:
    """Histogram float32 (14 · 14 · 6,) of these pixels of the picture, sums to one; None of too few."""
    step = max(1, len(rows) // _MOST)
    rows, columns = rows[::step], columns[::step]
    if len(rows) < _LEAST:
        return None
    colour = frame.color[rows, columns]
    red, green, blue = _LOG[colour].T
    bright = _LOG_SUM[colour.sum(axis=1, dtype=np.int64)]
    counts = spread(np.stack([(red - green) / (2 * _RANGE) + 0.5, (blue - green) / (2 * _RANGE) + 0.5, bright]), (_TINTS, _TINTS, _SHADES))
    return (counts / counts.sum()).astype(np.float32)


def spread(values: np.ndarray, steps: Sequence[int]) -> np.ndarray:
    """Histogram float64 (product of ``steps``,) of values (d, n) in [0, 1], each shared among the steps beside it, so that none jumps at a border."""
    last = np.asarray(steps)[:, None] - 1
    at = np.minimum(np.maximum(values, 0.0), 1.0) * last
    low = np.minimum(at.astype(np.int64), last - 1)
    above, scale = at - low, [math.prod(steps[:axis]) for axis in range(len(steps))]
    codes, shares = (np.array(scale) @ low)[None], np.ones((1, at.shape[1]))
    for axis in range(len(steps)):
        codes = np.concatenate([codes, codes + scale[axis]])
        shares = np.concatenate([shares * (1.0 - above[axis]), shares * above[axis]])
    return np.bincount(codes.ravel(), shares.ravel(), minlength=math.prod(steps))


def mean_look(old: np.ndarray | None, now: np.ndarray | None, looks: int) -> np.ndarray | None:
    """The mean of ``looks`` looks before, and this one."""
    if old is None or now is None:
        return now if old is None else old
    share = 1.0 / (min(looks, _LOOKS) + 1)
    return ((1 - share) * old + share * now).astype(np.float32)


def odds(a: np.ndarray | None, b: np.ndarray | None) -> float:
    """How many times as likely two such looks are of one thing as of two; about 0.1 to 30."""
    if a is None or b is None:
        return 1.0
    return float(np.exp(np.interp(_coefficient(a, b), _COEFFICIENTS, _LOG_ODDS)))


def unlike(a: np.ndarray | None, b: np.ndarray | None) -> bool:
    """Whether two looks at one place, with no hand there, are of two things."""
    return a is not None and b is not None and _coefficient(a, b) < _ANOTHER


def _coefficient(a: np.ndarray, b: np.ndarray) -> float:
    """Bhattacharyya coefficient, in [0, 1]."""
    return float(np.sqrt(a * b).sum())
