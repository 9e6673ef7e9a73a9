"""Finer outlines for small instances, by the naming network's second output, and order among masks that came to overlap.

The segmenting network sees a small thing in a handful of cells; its cut shows it at full size. Where masks overlap, a pixel goes to the instance that is smaller,
surer to be there, and surer of that pixel: a faint guess bites nothing out of a table, and a chair's loose outline nothing out of what shows between its legs.
Invariants: masks of one image never overlap; of two cuts that turn out to show the same thing the surer one stays.
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
_SURE, _CLEAR = 1.5, 1.0  # what the logarithm of an instance's score and a pixel's log odds count, beside the logarithm of the area, where masks overlap
_ODDS = 6.0  # log odds of a pixel beyond which it is just clear


@dataclass(frozen=True)
class Cut:
    """``mask`` bool (h, w) at column ``left``, row ``top`` of the image; ``odds`` float32 (h, w): log odds of each pixel to be the instance's, None where
    nothing tells one from another."""

    mask: np.ndarray
    left: int
    top: int
    odds: np.ndarray | None = None

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


def tight(mask: np.ndarray, left: int, top: int, odds: np.ndarray | None = None) -> Cut | None:
    """Without empty rows and columns at its rim; None when nothing is left."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    part = np.s_[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    return Cut(np.ascontiguousarray(mask[part]), left + int(columns[0]), top + int(rows[0]), None if odds is None else odds[part])


def refined(cut: Cut, outline: np.ndarray, width: int, height: int) -> Cut:
    """``outline`` float (SIDE, SIDE): of every pixel of the cut's window to be the instance's. The cut itself where that says too little."""
    window = Window.around(cut.mask, cut.left, cut.top)
    if 2 * window.half > LARGEST:
        return cut
    likely, left, top = window.back(outline, width, height)
    p = np.clip(likely, 0.01, 0.99)
    finer = tight(likely >= 0.5, left, top, np.log(p / (1.0 - p)))
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
    kept = [i for i, c in enumerate(alive) if c is not None]
    claim, owner = np.full((height, width), -np.inf, np.float32), np.full((height, width), -1, np.int32)
    for i in kept:
        one = cuts[i]
        h, w = one.mask.shape
        place = np.s_[one.top:one.top + h, one.left:one.left + w]
        own = np.float32(_SURE * np.log(max(scores[i], 1e-3)) - np.log(one.area)) + np.float32(_CLEAR) * (_ODDS if one.odds is None else np.clip(one.odds, 0.0, _ODDS))
        won = one.mask & (own > claim[place])
        claim[place] = np.where(won, own, claim[place])
        owner[place][won] = i
    for i in kept:
        one = cuts[i]
        h, w = one.mask.shape
        free = one.mask & (owner[one.top:one.top + h, one.left:one.left + w] == i)
        alive[i] = tight(free, one.left, one.top) if np.count_nonzero(free) >= min(_LEAST, one.area) else None
    return alive


def _overlap(a: Cut, b: Cut) -> float:
    """Intersection over union."""
    h, w = a.mask.shape
    shared = int(np.count_nonzero(a.mask & b.within(a.left, a.top, a.left + w, a.top + h)))
    return shared / max(a.area + b.area - shared, 1)
