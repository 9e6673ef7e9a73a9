"""Whether the colours at a thing's place are still its own: what depth cannot tell of what is small, flat or far.

A thing of another colour than what surrounds it in the picture is still there when its colour is, and gone when what surrounds it shows there too.
Both are asked of one picture, so that the exposure does not matter; where the colours are too alike, or are neither, nothing is said.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from perception.frame import FrameInput
from perception.geometry import Box, length, lengths, project
from perception.lifting import Lifted
from perception.order import median, medians, percentile

_CONTRAST = 40.0  # grey levels in RGB by which a thing must differ from what is around it
_LIKE, _UNLIKE = 0.35, 0.65  # of that difference
_LEAST, _GONE = 2.5, 4.0  # pixels: half the width and height of what can be judged, and of what can be said not to be there: its place is not known better than that
_BESIDE = tuple((r * x, r * y) for r in (0.75, 1.5) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)  # of its half width and height: it may show so far off
_MIDDLE, _NEAR, _FAR = 0.6, 2.0, 3.2  # half widths of the thing: the patch that is compared, the ring that surrounds it
_KEPT = 0.8  # of the old colour when it is seen again

Colour = tuple[float, float, float]  # RGB, 0 to 255


class Shows(Enum):
    ITSELF = "its own colour"
    BEHIND = "the colour of what surrounds it"
    UNCLEAR = "neither, or nothing that tells them apart"


def colour_of(one: Lifted, frame: FrameInput, old: Colour | None) -> Colour:
    """The middle colour of the inner pixels of its mask, smoothed over sightings."""
    inner = frame.color[one.rows, one.columns].astype(np.float64)
    away = np.hypot(one.rows - one.rows.mean(), one.columns - one.columns.mean())
    now = medians(inner[away <= median(away)])
    mixed = now if old is None else _KEPT * np.asarray(old) + (1 - _KEPT) * now
    return tuple(float(c) for c in mixed)


def shows(colour: Colour | None, box: Box, frame: FrameInput, hidden: np.ndarray | None = None, about: bool = True, others: np.ndarray | None = None) -> Shows:
    """What the picture shows at ``box``, or ``about`` it: its place is not known to the pixel. ``hidden``: bool (H, W), pixels of whatever would stand before it or is not to be
    compared with; ``others``: of what is seen to be something else, which is not it, whatever its colour, where it stands beside that place."""
    if colour is None:
        return Shows.UNCLEAR
    u, v, z = (float(x[0]) for x in project(np.asarray(box.centre)[None], frame.camera, frame.camera_pose))
    if z <= 0.1:
        return Shows.UNCLEAR
    half = 0.5 * frame.camera.fx * sorted(box.size)[1] / z
    across, upright = (min(half, x) for x in _half_sizes(box, frame))
    if min(across, upright) < _LEAST:
        return Shows.UNCLEAR
    reach = int(np.ceil(_FAR * half))
    row, column = int(round(v)), int(round(u))
    height, width = frame.color.shape[:2]
    if row - half < 0 or column - half < 0 or row + half >= height or column + half >= width:
        return Shows.UNCLEAR
    rows, columns = slice(max(0, row - reach), min(height, row + reach + 1)), slice(max(0, column - reach), min(width, column + reach + 1))
    picture = frame.color[rows, columns].astype(np.float64)
    down, right = np.arange(rows.start, rows.stop)[:, None] - v, np.arange(columns.start, columns.stop)[None] - u
    away = np.hypot(down, right)
    free = np.ones(away.shape, bool) if hidden is None else ~hidden[rows, columns]
    its = free if others is None else free & ~others[rows, columns]
    ring = (away >= _NEAR * half) & (away <= _FAR * half)

    def patch(x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of its middle, if it shows ``x``, ``y`` of its half sizes beside where it is taken to be."""
        aside, below = ((right - x * across) / max(1.5, _MIDDLE * across)) ** 2, ((down - y * upright) / max(1.5, _MIDDLE * upright)) ** 2
        near_rows, near_columns = (below.ravel() <= 1.0).nonzero()[0], (aside.ravel() <= 1.0).nonzero()[0]
        i, j = np.nonzero(below[near_rows] + aside[:, near_columns] <= 1.0)
        return near_rows[i], near_columns[j]

    own, middle, ring = np.asarray(colour), patch(0, 0), free & ring
    if not free[middle].all() or np.count_nonzero(ring) < 12:
        return Shows.UNCLEAR
    around = picture[ring]
    contrast = _to(own, around)
    if contrast < _CONTRAST:
        return Shows.UNCLEAR
    now = medians(picture[middle])
    if _alike(now, own, around, contrast):
        return Shows.ITSELF
    if not (_off(now, own, contrast) > _UNLIKE and _to(now, around) / contrast < _LIKE):
        return Shows.UNCLEAR
    beside = (patch(x, y) for x, y in _BESIDE if about)
    if any(_alike(medians(picture[p]), own, around, contrast) for p in beside if len(p[0]) and its[p].all()):
        return Shows.ITSELF
    return Shows.BEHIND if min(across, upright) >= _GONE else Shows.UNCLEAR


def _half_sizes(box: Box, frame: FrameInput) -> tuple[float, float]:
    """Half of what it takes of the picture across and upright, pixels: what is thin is seen from the side as a line."""
    u, v, _ = project(box.grid(2, 1.0), frame.camera, frame.camera_pose)
    return 0.5 * float(np.ptp(u)), 0.5 * float(np.ptp(v))


def _alike(now: np.ndarray, own: np.ndarray, around: np.ndarray, contrast: float) -> bool:
    """Whether a colour is the thing's ``own`` and not that of what is ``around``."""
    return _off(now, own, contrast) < _LIKE and _to(now, around) / contrast > _UNLIKE


def _off(now: np.ndarray, own: np.ndarray, contrast: float) -> float:
    """How far a colour is from the thing's own, in contrasts."""
    return length(now - own) / contrast


def _to(colour: np.ndarray, others: np.ndarray) -> float:
    """How far the colour is from the nearest tenth of the others."""
    return percentile(lengths(others - colour), 10)
