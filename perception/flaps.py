"""Flaps: a door that came down and lies flat before what it shuts.

A stove or dishwasher that is first made out as it stands open shows its door as a part of itself: low, flat, and farther out than all that is higher. Who takes it for a part of
the body takes the whole for larger than it is, and for shut.
"""

from __future__ import annotations

import numpy as np

from household import classes
from perception.geometry import fit_box
from perception.lifting import Lifted
from perception.order import percentile, percentiles

_UPPER, _LOWER = 0.55, 0.45  # of the height: what is higher is the body; what is lower may be the flap
_OUT, _FAR, _BEYOND = 0.15, 0.8, 0.03  # m that a flap stands out of the body at least, and at most; from which what is low is none of the body
_FLAT, _OFF_THE_FLOOR, _HIGH = 0.12, 0.04, 0.4  # m that it is thick at most; above the floor at least, and at most
_WIDE, _BESIDE = 0.5, 0.1  # of the body's width that it is at least; m that it is wider at most
_POINTS, _SHARE = 12, 0.05  # of which it shows at least; of all points


def parted(one: Lifted, wall_yaws: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray | None]:
    """Points (n, 3) of the body and those (m, 3) of the flap that lies before it, m; None where there is none."""
    points = one.points
    if one.cls not in classes.OPENS_DOWN or len(points) < 4 * _POINTS:
        return points, None
    low, high = percentiles(points[:, 2], (2, 98))
    upper = points[points[:, 2] > low + _UPPER * (high - low)]
    if len(upper) < _POINTS:
        return points, None
    box = fit_box(upper, wall_yaws)
    local, half = box.to_local(points), np.asarray(box.size) / 2
    lower = points[:, 2] < low + _LOWER * (high - low)
    for axis in range(2):
        for sign in (1, -1):
            out = sign * local[:, axis] - half[axis]
            beyond = lower & (out > _BEYOND)
            flap = beyond & (np.abs(local[:, 1 - axis]) < half[1 - axis] + _BESIDE)
            if np.count_nonzero(flap) >= max(_POINTS, _SHARE * len(points)) and _lies_flat(points[flap], local[flap, 1 - axis], out[flap], half[1 - axis]):
                return points[~beyond], points[flap]
    return points, None


def _lies_flat(flap: np.ndarray, along: np.ndarray, out: np.ndarray, half: float) -> bool:
    low, middle, high = percentiles(flap[:, 2], (5, 50, 95))
    left, right = percentiles(along, (5, 95))
    return high - low <= _FLAT and _OFF_THE_FLOOR <= middle <= _HIGH and right - left >= 2 * _WIDE * half and _OUT <= percentile(out, 95) <= _FAR
