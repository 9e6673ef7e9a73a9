"""What the naming network is fed: the instances of one image, cut out as a detector would cut them, and a few cuts that show nothing.

Masks of a real segmenter are too large, too small, torn, beside their object or run into the neighbour; so are these, at random. Sample n is a pure function of
(shards, seed, n).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from perception.detectors.light_crops import CHANNELS, FACTS, SIDE, View, Window
from perception.training.augment import AugmentConfig, augmented
from perception.training.crop_augment import varied
from perception.training.dataset import Samples, floor_seen
from perception.training.shards import INDEX, LabelledImage, ShardInfo

PER_IMAGE = 16
_LEAST = 8  # pixels of an instance
_NOTHING = 2  # cuts an image that show no single thing
_AUGMENT = AugmentConfig(crop=0.0, erase=0.0, recolour=0.0)  # each cut gets colours of its own


@dataclass(frozen=True)
class CropSamples:
    """Map-style data set: item i is image sample ``first + i``: ``crops`` (PER_IMAGE, CHANNELS, side, side), ``facts``, ``name`` int64
    (PER_IMAGE,), -1 where the image holds fewer, and ``outline``, the true mask in the crop, float32 (PER_IMAGE, side, side), or -1
    throughout where it is not asked for."""

    shards: Sequence[ShardInfo]
    seed: int
    first: int
    count: int
    keep: int = 0
    side: int = SIDE

    def __post_init__(self) -> None:
        object.__setattr__(self, "_images", Samples(tuple(self.shards), (32, 32), self.seed, self.first, self.count, keep=self.keep))

    def __len__(self) -> int:
        return self.count

    def fill(self, threads: int) -> int:
        """As that of :class:`Samples`."""
        return self._images.fill(threads)

    def __getitem__(self, i: int) -> dict[str, np.ndarray]:
        if not 0 <= i < self.count:
            raise IndexError(i)
        rng = np.random.default_rng([self.seed, self.first + i, 5])
        one = augmented(self._images.draw(rng), rng, _AUGMENT)
        view = View(one.color, one.depth if one.depth.any() else None, one.camera, floor_seen(one, rng))
        crops = np.zeros((PER_IMAGE, CHANNELS, self.side, self.side), np.float32)
        facts, names = np.zeros((PER_IMAGE, len(FACTS)), np.float32), np.full(PER_IMAGE, -1, np.int64)
        outlines = np.zeros((PER_IMAGE, self.side, self.side), np.float32)
        k = 0
        for value, name in self._chosen(one, rng):
            cut = _torn(one.ids, value, rng)
            if cut is not None:
                crops[k], facts[k] = view.crop(*cut, self.side)
                names[k] = name
                if name:
                    outlines[k] = _outline(one.ids == value, Window.around(*cut), self.side)
                    crops[k], facts[k], outlines[k], teaches = varied(crops[k], facts[k], outlines[k], rng)
                    if not teaches:
                        outlines[k] = -1.0
                k += 1
        return {"crops": crops, "facts": facts, "name": names, "outline": outlines}

    def _chosen(self, one: LabelledImage, rng: np.random.Generator) -> list[tuple[int, int]]:
        """(value of ids, class), rare classes first in the draw; value 0: a patch of background."""
        area = np.bincount(one.ids.ravel())
        present = [v for v, (_, c) in one.table.items() if c in INDEX and v < len(area) and area[v] >= _LEAST]
        chance = np.array([self._images.rarity(one.table[v][1]) for v in present])
        count = min(len(present), PER_IMAGE - _NOTHING)
        if not count:
            return [(0, 0)]
        picked = rng.choice(len(present), count, replace=False, p=chance / chance.sum())
        return [(present[k], INDEX[one.table[present[k]][1]]) for k in picked] + [(0, 0)] * _NOTHING


def _torn(ids: np.ndarray, value: int, rng: np.random.Generator) -> tuple[np.ndarray, int, int] | None:
    """A mask (h, w) with its left and top: of the instance, worn at the edges; for 0 a blob of what is no instance."""
    mask = ids == value
    if value == 0:
        mask = mask & _blob(ids.shape, rng)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    pad = 4 + int(0.3 * min(60, max(rows[-1] - rows[0], columns[-1] - columns[0])))
    top, left = max(0, rows[0] - pad), max(0, columns[0] - pad)
    mask = mask[top:rows[-1] + 1 + pad, left:columns[-1] + 1 + pad].astype(np.uint8)
    area, draw = int(mask.sum()), rng.random()
    reach = 1 if area < 400 else int(rng.integers(1, 4))
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8) if area >= 60 else np.ones((2, 2), np.uint8)
    if draw < 0.15:
        worn = cv2.erode(mask, kernel)
    elif draw < 0.35:
        worn = cv2.dilate(mask, kernel)
    elif draw < 0.5:
        worn = mask & _halfplane(mask.shape, rng)
    elif draw < 0.8:
        worn = _moved(mask, rng)
    else:
        worn = mask
    if int(worn.sum()) < max(4, 0.4 * area):
        worn = mask
    rows, columns = np.flatnonzero(worn.any(axis=1)), np.flatnonzero(worn.any(axis=0))
    part = worn[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1].astype(bool)
    return np.ascontiguousarray(part), int(left + columns[0]), int(top + rows[0])


def _outline(mask: np.ndarray, window: Window, side: int = SIDE) -> np.ndarray:
    """The mask (h, w) of the image as the window shows it, 0 or 1."""
    return (cv2.warpAffine(mask.astype(np.float32), window.warp(side=side), (side, side), flags=cv2.INTER_LINEAR) >= 0.5).astype(np.float32)


def _moved(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Of another size, beside its place, its corners rounded off."""
    h, w = mask.shape
    a, b = rng.uniform(0.7, 1.4, 2)
    du, dv = rng.uniform(-0.15, 0.15, 2) * (w, h)
    warp = np.array([[a, 0, w / 2 * (1 - a) + du], [0, b, h / 2 * (1 - b) + dv]])
    moved = cv2.warpAffine(mask.astype(np.float32), warp, (w, h), flags=cv2.INTER_LINEAR)
    side = 2 * max(1, int(0.06 * max(h, w))) + 1
    return (cv2.blur(moved, (side, side)) >= 0.45).astype(np.uint8)


def _blob(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    canvas = np.zeros(shape, np.uint8)
    h, w = shape
    a, b = np.exp(rng.uniform(np.log(3), np.log(w / 4), 2))
    cv2.ellipse(canvas, (int(rng.integers(w)), int(rng.integers(h))), (int(a), int(b)), float(rng.uniform(0, 180)), 0, 360, 1, -1)
    return canvas.astype(bool)


def _halfplane(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    h, w = shape
    angle = rng.uniform(0, 2 * np.pi)
    v, u = np.mgrid[:h, :w]
    x = np.cos(angle) * (u / w - 0.5) + np.sin(angle) * (v / h - 0.5)
    return (x < rng.uniform(0.1, 0.4)).astype(np.uint8)
