"""Average precision of detections at IoU 0.5, for boxes and masks, by class and pixel size.

The usual measure: within a class, detections of all images in order of score each take the best free true instance of their image that
they overlap by half; precision is interpolated over recall. Instances of one to three pixels are not asked for.

Two conventions are kept apart and never mixed. *First name*: a detection counts under its first name alone. *All names*: it counts under every name it offers,
each at that name's share of the score, as detectors of the YOLO family are validated (each box under every class above the threshold).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from household import classes
from perception.detectors.base import Detection

SMALLEST, LARGE = 4, 100  # pixels
_ASKED = (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.OBJECT, classes.Kind.DEVICE, classes.Kind.OBSTACLE, classes.Kind.PERSON,
          classes.Kind.DOOR)


@dataclass
class DetectionScore:
    """Collects (score, image, mask IoU and box IoU with every candidate) per class, in ``said`` by first name, in ``offered`` by all names; feed it with
    :meth:`add`, read :meth:`summary`."""

    said: dict[str, list[tuple[float, int, dict[int, float], dict[int, float]]]] = field(default_factory=lambda: defaultdict(list))
    offered: dict[str, list[tuple[float, int, dict[int, float], dict[int, float]]]] = field(default_factory=lambda: defaultdict(list))
    true: dict[str, dict[tuple[int, int], int]] = field(default_factory=lambda: defaultdict(dict))
    images: int = 0

    def add(self, found: Sequence[Detection], ids: np.ndarray, table: Mapping[int, tuple[str, str]]) -> None:
        """One image: detections against the true instance image (H, W)."""
        self.images += 1
        count = np.bincount(ids.ravel())
        boxes: dict[int, tuple[int, int, int, int]] = {}
        for value in np.flatnonzero(count >= SMALLEST):
            if value in table and classes.get(table[value][1]).kind in _ASKED:
                self.true[table[value][1]][(self.images, int(value))] = int(count[value])
                rows, columns = np.nonzero(ids == value)
                boxes[int(value)] = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
        for d in found:
            left, top, right, bottom = d.box
            under = np.bincount(ids[top:bottom, left:right][d.mask], minlength=1)
            area = int(d.mask.sum())
            for one in all_names(d):
                masks, overlaps = {}, {}
                for value, box in boxes.items():
                    if table[value][1] != one.cls:
                        continue
                    shared = int(under[value]) if value < len(under) else 0
                    masks[value] = shared / (area + int(count[value]) - shared)
                    overlaps[value] = _box_iou(d.box, box)
                row = (one.score, self.images, masks, overlaps)
                self.offered[one.cls].append(row)
                if one.cls == d.cls:
                    self.said[d.cls].append(row)

    def average_precision(self, cls: str, of_boxes: bool, least: int = SMALLEST, all_names: bool = False) -> float | None:
        """None when there is no true instance of at least ``least`` pixels."""
        asked = {k for k, n in self.true[cls].items() if n >= least}
        if not asked:
            return None
        ignored = set(self.true[cls]) - asked
        taken: set[tuple[int, int]] = set()
        hits = []
        for score, image, masks, boxes in sorted((self.offered if all_names else self.said)[cls], key=lambda s: (-s[0], s[1])):
            ious = boxes if of_boxes else masks
            best = max(((iou, (image, v)) for v, iou in ious.items() if (image, v) not in taken), default=(0.0, None))
            if best[0] < 0.5:
                hits.append(0)
            else:
                taken.add(best[1])
                if best[1] not in ignored:
                    hits.append(1)
        if not hits:
            return 0.0
        hit = np.cumsum(hits)
        precision, recall = hit / np.arange(1, len(hits) + 1), hit / len(asked)
        precision = np.maximum.accumulate(precision[::-1])[::-1]
        return float(np.sum(np.diff(np.concatenate([[0.0], recall])) * precision))

    def summary(self) -> dict:
        names = [c for c in self.true if self.true[c]]

        def mean(of_boxes: bool, least: int, all_names: bool = False) -> float | None:
            values = [v for v in (self.average_precision(c, of_boxes, least, all_names) for c in names) if v is not None]
            return float(np.mean(values)) if values else None

        return {"box_map50": mean(True, SMALLEST), "mask_map50": mean(False, SMALLEST), "mask_map50_ge100px": mean(False, LARGE),
                "box_map50_all_names": mean(True, SMALLEST, True), "mask_map50_all_names": mean(False, SMALLEST, True),
                "mask_map50_all_names_ge100px": mean(False, LARGE, True),
                "mask_ap50_by_class": {c: self.average_precision(c, False) for c in sorted(names)},
                "instances_by_class": {c: len(self.true[c]) for c in sorted(names)}, "images": self.images}


def all_names(d: Detection) -> list[Detection]:
    """``d`` itself, and once more under each further name it offers that is no likelier than its own, at that name's share of the score."""
    own = dict(d.names).get(d.cls, 0.0)
    others = [replace(d, cls=n, score=d.score * p / own, names=()) for n, p in d.names if n != d.cls and p <= own] if own > 0 else []
    return [d, *others]


def _box_iou(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> float:
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)
