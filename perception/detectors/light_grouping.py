"""From dense maps to instances: every pixel goes to the centre it points at (Cheng et al. 2020, Panoptic-DeepLab, section 3.2, eq. 1).

Every group of :mod:`light_groups` has centres of its own, so that what lies on a table never competes with the table. Pixels that point at
nobody's centre form pieces of their own (an object whose centre was missed), and a small thing is cut where its depth jumps.
Invariant: masks of one image never overlap.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from perception.detectors.light_groups import GROUPS

_FURNITURE, _THING, _PERSON = (GROUPS.index(n) for n in ("furniture", "thing", "person"))
_ORPHAN = 0.4  # how sure, at most, of a piece without a centre


@dataclass(frozen=True)
class GroupingConfig:
    """``things``: factor on the probability of a thing's pixels, which training counts the more the smaller the thing; ``centre_threshold``
    on the heat-maps; ``radius`` of non-maximum suppression, pixels of the maps; ``most`` centres of a group; ``least_pixels`` of an instance; ``orphan_pixels``: of a piece without a centre; ``astray``, ``astray_share``: pixels, and share of the way
    to the centre, that a pixel may point beside it; ``jump``: metres of depth a thing may span without a gap, plus ``jump_share`` of its
    distance; ``crumb``: a piece of a person (or, without a centre, of furniture) that touches another of that group joins it if it has less
    than this share of its pixels and lies within ``near`` metres of its depth."""

    things: float = 0.35
    centre_threshold: float = 0.15
    radius: int = 5
    most: int = 100
    least_pixels: int = 3
    orphan_pixels: int = 12
    astray: float = 6.0
    astray_share: float = 0.6
    jump: float = 0.12
    jump_share: float = 0.04
    crumb: float = 0.5
    near: float = 0.45

    def __post_init__(self) -> None:
        for name, low, high in (("things", 0.01, 10.0), ("centre_threshold", 0.0, 1.0), ("radius", 1, 20), ("most", 1, 1000), ("least_pixels", 1, 1000),
                                ("orphan_pixels", 1, 10_000), ("astray", 0.0, 1000.0), ("astray_share", 0.0, 10.0), ("jump", 0.0, 10.0),
                                ("jump_share", 0.0, 1.0), ("crumb", 0.0, 1.0), ("near", 0.0, 10.0)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} = {getattr(self, name)}: must be {low} to {high}")


@dataclass(frozen=True)
class Instance:
    """``mask`` bool (h, w), crop at ``left``, ``top`` of the maps; ``group`` an index into GROUPS; ``score`` in [0, 1]."""

    group: int
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


def group(groups: np.ndarray, heat: np.ndarray, offset: np.ndarray, depth: np.ndarray | None = None,
          config: GroupingConfig = GroupingConfig()) -> list[Instance]:
    """``groups`` float (g, h, w), probabilities over GROUPS as trained; ``heat`` float (g - 1, h, w), centres of all but the background; ``offset``
    (2, h, w): rows and columns from a pixel to its centre; ``depth`` float (h, w) metres or None."""
    groups = groups * np.where(np.arange(len(groups)) == _THING, config.things, 1.0).astype(np.float32)[:, None, None]
    groups = groups / groups.sum(axis=0)
    label = groups.argmax(axis=0)
    found: list[Instance] = []
    for g in range(1, len(groups)):
        rows, columns = np.nonzero(label == g)
        if not len(rows):
            continue
        plane, sure = np.ascontiguousarray(heat[g - 1], np.float32), groups[g]
        peaks = centres(plane, config)
        owner = _owners(rows, columns, offset, peaks, label.shape, config)
        numbers = np.zeros(label.shape, np.int32)
        numbers[rows, columns] = owner + 1  # 0: another group, 1: nobody's
        mine: list[Instance] = []
        for k, (left, top, part) in _pieces(numbers):
            mine += _instances(g, sure, float(plane[tuple(peaks[k - 2])]), left, top, part, depth, config) if k > 1 else \
                _orphans(g, sure, left, top, part, config)
        found += _whole(mine, depth, config)
    return found


def _owners(rows: np.ndarray, columns: np.ndarray, offset: np.ndarray, peaks: np.ndarray, shape: tuple[int, int],
            config: GroupingConfig) -> np.ndarray:
    """Number (from 1) of the centre nearest to where each pixel points, 0 for nobody's. Nearest by a distance transform: one look-up."""
    if not len(peaks):
        return np.zeros(len(rows), np.int64)
    canvas = np.full(shape, 255, np.uint8)
    canvas[peaks[:, 0], peaks[:, 1]] = 0
    _, nearest = cv2.distanceTransformWithLabels(canvas, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    number = np.zeros(int(nearest.max()) + 1, np.int64)
    number[nearest[peaks[:, 0], peaks[:, 1]]] = np.arange(1, len(peaks) + 1)
    dr, dc = offset[0, rows, columns], offset[1, rows, columns]
    r, c = np.clip(np.rint(rows + dr), 0, shape[0] - 1).astype(int), np.clip(np.rint(columns + dc), 0, shape[1] - 1).astype(int)
    owner = number[nearest[r, c]]
    at = peaks[owner - 1]
    beside = np.hypot(rows + dr - at[:, 0], columns + dc - at[:, 1])
    way = np.hypot(rows - at[:, 0], columns - at[:, 1])
    return np.where(beside <= config.astray + config.astray_share * way, owner, 0)


def _pieces(numbers: np.ndarray) -> list[tuple[int, tuple[int, int, np.ndarray]]]:
    """(number, (left, top, mask)) of every number but 0."""
    rows, columns = np.nonzero(numbers)
    values = numbers[rows, columns]
    order = np.argsort(values, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    edges = np.flatnonzero(np.diff(values)) + 1
    made = []
    for r, c in zip(np.split(rows, edges), np.split(columns, edges)):
        top, left = int(r.min()), int(c.min())
        mask = np.zeros((int(r.max()) - top + 1, int(c.max()) - left + 1), bool)
        mask[r - top, c - left] = True
        made.append((int(numbers[r[0], c[0]]), (left, top, mask)))
    return made


def _instances(g: int, sure: np.ndarray, peak: float, left: int, top: int, mask: np.ndarray, depth: np.ndarray | None,
               config: GroupingConfig) -> list[Instance]:
    """One instance; a thing whose depths fall apart keeps its larger part, and the rest stands alone if it is big enough."""
    h, w = mask.shape
    parts = _by_depth(mask, depth[top:top + h, left:left + w], config) if g == _THING and depth is not None else [mask]
    made = []
    for i, part in enumerate(sorted(parts, key=lambda p: -int(p.sum()))):
        if int(part.sum()) >= (config.least_pixels if i == 0 else config.orphan_pixels):
            made.append(_instance(g, (peak if i == 0 else 0.3 * peak) ** 0.5, sure, part, left, top))
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
    return [mask & ~far, mask & far]


def _whole(mine: list[Instance], depth: np.ndarray | None, config: GroupingConfig) -> list[Instance]:
    """Crumbs join what they touch: an arm whose centre was seen apart is no second person."""
    order = sorted(mine, key=lambda i: -int(i.mask.sum()))
    kept: list[Instance] = []
    for one in order:
        if one.group == _PERSON or (one.group == _FURNITURE and one.score < _ORPHAN):
            near = [k for k, other in enumerate(kept) if int(one.mask.sum()) < config.crumb * int(other.mask.sum())
                    and _touch(one, other) and _distance(one, other, depth) < config.near]
            if near:
                kept[near[0]] = _union(kept[near[0]], one)
                continue
        kept.append(one)
    return kept


def _touch(a: Instance, b: Instance) -> bool:
    """Within three pixels of each other."""
    r = 3
    (ah, aw), (bh, bw) = a.mask.shape, b.mask.shape
    top, left = max(a.top - r, b.top), max(a.left - r, b.left)
    bottom, right = min(a.top + ah + r, b.top + bh), min(a.left + aw + r, b.left + bw)
    if top >= bottom or left >= right:
        return False
    wide = cv2.dilate(np.pad(a.mask, r).astype(np.uint8), np.ones((2 * r + 1, 2 * r + 1), np.uint8))
    part = wide[top - a.top + r:bottom - a.top + r, left - a.left + r:right - a.left + r]
    return bool((part & b.mask[top - b.top:bottom - b.top, left - b.left:right - b.left]).any())


def _distance(a: Instance, b: Instance, depth: np.ndarray | None) -> float:
    """Of their median depths, metres; 0 where depth is missing."""
    if depth is None:
        return 0.0
    middle = []
    for i in (a, b):
        z = depth[i.top:i.top + i.mask.shape[0], i.left:i.left + i.mask.shape[1]][i.mask]
        z = z[z > 0]
        if not len(z):
            return 0.0
        middle.append(float(np.median(z)))
    return abs(middle[0] - middle[1])


def _union(a: Instance, b: Instance) -> Instance:
    """With the score of ``a``, the larger one, or the better of both."""
    top, left = min(a.top, b.top), min(a.left, b.left)
    bottom, right = (max(x.top + x.mask.shape[0] for x in (a, b)), max(x.left + x.mask.shape[1] for x in (a, b)))
    mask = np.zeros((bottom - top, right - left), bool)
    for i in (a, b):
        mask[i.top - top:i.top - top + i.mask.shape[0], i.left - left:i.left - left + i.mask.shape[1]] |= i.mask
    return Instance(a.group, max(a.score, b.score), mask, left, top)


def _orphans(g: int, sure: np.ndarray, left: int, top: int, mask: np.ndarray, config: GroupingConfig) -> list[Instance]:
    """Connected pieces that no centre speaks for."""
    n, pieces, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    return [_instance(g, _ORPHAN, sure, pieces == i, left, top) for i in range(1, n) if stats[i, cv2.CC_STAT_AREA] >= config.orphan_pixels]


def _instance(g: int, share: float, sure: np.ndarray, mask: np.ndarray, left: int, top: int) -> Instance:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    crop = np.ascontiguousarray(mask[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1])
    top, left = top + int(rows[0]), left + int(columns[0])
    mean = float(sure[top:top + crop.shape[0], left:left + crop.shape[1]][crop].mean())
    return Instance(g, min(1.0, max(0.0, share * mean)), crop, left, top)
