"""Finer outlines for small instances, by the naming network's second output, and order among masks that came to overlap.

The segmenting network sees a small thing in a handful of cells; its cut shows it at full size. Invariants: masks of one image never overlap, the
smaller one keeps the pixels unless it is a good deal less sure; of two cuts that turn out to show the same thing the surer one stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perception.detectors.light_crops import Window

LARGEST = 150.0  # pixels of the window's side beyond which its cells are coarser than the segmenting network's
_SAME = 0.5  # intersection over union from which two masks are of one thing
_AKIN = 0.2  # least intersection over union of a mask and its finer outline: less is something else
_LEAST = 4  # pixels of a mask
_SURE = 1.5  # power of the score that an area is divided by before the smaller one takes the pixels: a faint guess bites nothing out of a table


@dataclass(frozen=True)
class Cut:
    """``mask`` bool (h, w) at column ``left``, row ``top`` of the image."""

    mask: np.ndarray
    left: int
    top: int

    @property
    def area(self) -> int:
        return int(np.count_nonzero(self.mask))

    def within(self, left: int, top: int, right: int, bottom: int) -> np.ndarray:
        """bool (bottom - top, right - left): this mask in that window."""
        out = np.zeros((bottom - top, right - left), bool)
        h, w = self.mask.shape
        l, t, r, b = max(left, self.left), max(top, self.top), min(right, self.left + w), min(bottom, self.top + h)
        if l < r and t < b:
            out[t - top:b - top, l - left:r - left] = self.mask[t - self.top:b - self.top, l - self.left:r - self.left]
        return out


def tight(mask: np.ndarray, left: int, top: int) -> Cut | None:
    """Without empty rows and columns at its rim; None when nothing is left."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    part = mask[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    return Cut(np.ascontiguousarray(part), left + int(columns[0]), top + int(rows[0]))


def refined(cut: Cut, outline: np.ndarray, width: int, height: int) -> Cut:
    """``outline`` float (SIDE, SIDE): of every pixel of the cut's window to be the instance's. The cut itself where that says too little."""
    window = Window.around(cut.mask, cut.left, cut.top)
    if 2 * window.half > LARGEST:
        return cut
    likely, left, top = window.back(outline, width, height)
    finer = tight(likely >= 0.5, left, top)
    return finer if finer is not None and finer.area >= _LEAST and _overlap(finer, cut) >= _AKIN else cut


def settled(cuts: Sequence[Cut], scores: Sequence[float], groups: Sequence[int], width: int, height: int) -> list[Cut | None]:
    """Cuts in the order given, None for doubles and for those of which nothing is left."""
    alive = list(cuts)
    order = sorted(range(len(cuts)), key=lambda i: -scores[i])
    for n, i in enumerate(order):
        for j in order[:n]:
            if alive[j] is not None and groups[i] == groups[j] and _overlap(cuts[i], cuts[j]) > _SAME:
                alive[i] = None
                break
    taken = np.zeros((height, width), bool)
    for i in sorted((i for i, c in enumerate(alive) if c is not None), key=lambda i: cuts[i].area / max(scores[i], 1e-3) ** _SURE):
        one = cuts[i]
        h, w = one.mask.shape
        place = taken[one.top:one.top + h, one.left:one.left + w]
        free = one.mask & ~place
        place |= one.mask
        alive[i] = tight(free, one.left, one.top) if np.count_nonzero(free) >= min(_LEAST, one.area) else None
    return alive


def _overlap(a: Cut, b: Cut) -> float:
    """Intersection over union."""
    h, w = a.mask.shape
    shared = int(np.count_nonzero(a.mask & b.within(a.left, a.top, a.left + w, a.top + h)))
    return shared / max(a.area + b.area - shared, 1)
