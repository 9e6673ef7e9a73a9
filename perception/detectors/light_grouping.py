"""From dense maps to instances: every pixel goes to the centre it points at (Cheng et al. 2020, Panoptic-DeepLab, section 3.2, eq. 1).

Two additions that depth and a household make worth while: pixels of a class that is not the instance's own split off as things of their
own when they are a compact piece (a small object whose centre was missed), and an object is cut where its depth jumps.
Invariant: masks of one image never overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from household import classes
from household.classes import Kind


@dataclass(frozen=True)
class GroupingConfig:
    """``centre_threshold`` on the heat-map; ``radius`` of non-maximum suppression, pixels; ``most`` centres; ``least_pixels`` of an
    instance at the network's output resolution; ``orphan_pixels``: of a piece without a centre; ``jump``: metres of depth an object may
    span without a gap, plus ``jump_share`` of its distance."""

    centre_threshold: float = 0.15
    radius: int = 2
    most: int = 150
    least_pixels: int = 2
    orphan_pixels: int = 6
    jump: float = 0.12
    jump_share: float = 0.04

    def __post_init__(self) -> None:
        for name, low, high in (("centre_threshold", 0.0, 1.0), ("radius", 1, 20), ("most", 1, 1000), ("least_pixels", 1, 1000),
                                ("orphan_pixels", 1, 10_000), ("jump", 0.0, 10.0), ("jump_share", 0.0, 1.0)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} = {getattr(self, name)}: must be {low} to {high}")


@dataclass(frozen=True)
class Instance:
    """``mask`` bool (h, w), crop at ``left``, ``top`` of the output grid; ``cls`` an index into the class list (0 is background)."""

    cls: int
    score: float
    mask: np.ndarray
    left: int
    top: int


def centres(heat: np.ndarray, config: GroupingConfig) -> np.ndarray:
    """Peaks of ``heat`` float (h, w), best first: int (n, 2) rows of (row, column)."""
    k = 2 * config.radius + 1
    best = cv2.dilate(heat, np.ones((k, k), np.uint8))
    rows, columns = np.nonzero((heat >= best) & (heat > config.centre_threshold))
    order = np.lexsort((columns, rows, -heat[rows, columns]))[:config.most]
    return np.stack([rows[order], columns[order]], axis=1)


def group(label: np.ndarray, probability: np.ndarray, heat: np.ndarray, offset: np.ndarray, names: Sequence[str],
          depth: np.ndarray | None = None, config: GroupingConfig = GroupingConfig()) -> list[Instance]:
    """``label`` int (h, w) indices into ``names`` (0: background), ``probability`` of it, ``heat`` of centres, ``offset`` (2, h, w): rows
    and columns from a pixel to its centre; ``depth`` float (h, w) metres or None."""
    peaks = centres(np.ascontiguousarray(heat, np.float32), config)
    thing = label > 0
    if not thing.any():
        return []
    owner = _owners(thing, offset, peaks)
    count = len(names)
    key = owner * count + label
    key[~thing] = 0
    weights = np.bincount(key.ravel(), weights=probability.ravel() * thing.ravel(), minlength=(len(peaks) + 1) * count)
    votes = weights.reshape(-1, count)
    winner = votes.argmax(axis=1)
    kinds = [None] + [classes.get(n).kind for n in names[1:]]
    found: list[Instance] = []
    for value in np.unique(key[thing]):
        who, cls = divmod(int(value), count)
        if who > 0 and cls == winner[who]:
            same = [c for c in np.flatnonzero(votes[who]) if c == cls or kinds[c] is kinds[cls]]
            mask = thing & (owner == who) & np.isin(label, same)
            peak = float(heat[tuple(peaks[who - 1])])
            found += _cut(mask, cls, kinds[cls], probability, peak, depth, config)
        elif who == 0 or kinds[cls] is not kinds[winner[who]]:
            found += _orphans(key == value, cls, probability, config)
    return found


def _owners(thing: np.ndarray, offset: np.ndarray, peaks: np.ndarray) -> np.ndarray:
    """Number (from 1) of the centre nearest to where each pixel points; 0 without centres. Nearest by a distance transform: one look-up."""
    h, w = thing.shape
    if not len(peaks):
        return np.zeros((h, w), np.int64)
    canvas = np.full((h, w), 255, np.uint8)
    canvas[peaks[:, 0], peaks[:, 1]] = 0
    _, nearest = cv2.distanceTransformWithLabels(canvas, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    number = np.zeros(int(nearest.max()) + 1, np.int64)
    number[nearest[peaks[:, 0], peaks[:, 1]]] = np.arange(1, len(peaks) + 1)
    rows, columns = np.mgrid[:h, :w]
    r = np.clip(np.rint(rows + offset[0]), 0, h - 1).astype(int)
    c = np.clip(np.rint(columns + offset[1]), 0, w - 1).astype(int)
    return number[nearest[r, c]]


def _cut(mask: np.ndarray, cls: int, kind: Kind | None, probability: np.ndarray, peak: float, depth: np.ndarray | None,
         config: GroupingConfig) -> list[Instance]:
    """One instance; an object whose depths fall apart keeps its larger part, and the rest stands alone if it is big enough."""
    box = _box(mask)
    if box is None:
        return []
    crop, left, top = box
    parts = [crop]
    if kind is Kind.OBJECT and depth is not None:
        parts = _by_depth(crop, depth[top:top + crop.shape[0], left:left + crop.shape[1]], config)
    made = []
    for i, part in enumerate(sorted(parts, key=lambda p: -int(p.sum()))):
        if int(part.sum()) < (config.least_pixels if i == 0 else config.orphan_pixels):
            continue
        sure = float(probability[top:top + crop.shape[0], left:left + crop.shape[1]][part].mean())
        made.append(_instance(cls, (peak if i == 0 else 0.5 * peak) ** 0.5 * sure, part, left, top))
    return made


def _by_depth(mask: np.ndarray, depth: np.ndarray, config: GroupingConfig) -> list[np.ndarray]:
    z = np.where(mask & (depth > 0), depth, np.nan)
    values = np.sort(z[np.isfinite(z)])
    if len(values) < 2 * config.orphan_pixels:
        return [mask]
    gaps = np.diff(values)
    at = int(np.argmax(gaps))
    if gaps[at] < config.jump + config.jump_share * values[at]:
        return [mask]
    far = z > values[at]
    near = mask & ~far
    return [near, mask & far]


def _orphans(mask: np.ndarray, cls: int, probability: np.ndarray, config: GroupingConfig) -> list[Instance]:
    """Connected pieces of a class that no centre speaks for."""
    n, pieces, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    made = []
    for i in range(1, n):
        left, top, width, height, area = stats[i]
        if area >= config.orphan_pixels:
            part = pieces[top:top + height, left:left + width] == i
            sure = float(probability[top:top + height, left:left + width][part].mean())
            made.append(_instance(cls, 0.3 * sure, part, int(left), int(top)))
    return made


def _instance(cls: int, score: float, mask: np.ndarray, left: int, top: int) -> Instance:
    crop, dx, dy = _box(mask)
    return Instance(cls, min(1.0, max(0.0, score)), crop, left + dx, top + dy)


def _box(mask: np.ndarray) -> tuple[np.ndarray, int, int] | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    top, left = int(rows[0]), int(columns[0])
    return np.ascontiguousarray(mask[top:rows[-1] + 1, left:columns[-1] + 1]), left, top
