"""How well a detector does on labelled images of homes and meshes it never saw: mAP50 of boxes and masks, by class and by pixel size.

Average precision itself is :mod:`evaluation.detection_score`; here are the images, the bins of size and the time. Invariant: shards of any
split but ``test`` are refused unless asked for by name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation.detection_score import LARGE, DetectionScore
from evaluation.cli import UsageError
from perception.detectors.base import Detection, Detector
from perception.detectors.light_groups import GROUPS, group_of
from perception.training.shards import INDEX, ShardInfo, list_shards, read_image

SCORE_THRESHOLD = 0.01  # of detections that are scored: average precision looks at the whole curve
_STAND_IN = ("background", "cabinet", "apple", "person", "door")  # one class of every group, for scores that do not ask for the name
BINS = ((4, 25), (25, 100), (100, 400), (400, 1600), (1600, 6400), (6400, None))  # pixels, lower end included


class SizedScore(DetectionScore):
    """Also says which share of the true instances of each size is found, and the mean AP of each size."""

    def recall_by_size(self, iou: float = 0.5) -> dict[str, float | None]:
        """Greedy by score within class and image, as in the average precision; masks."""
        found: dict[tuple[str, int, int], int] = {}
        for cls, said in self.said.items():
            taken: set[tuple[int, int]] = set()
            for _, image, masks, _ in sorted(said, key=lambda s: (-s[0], s[1])):
                best = max(((v, (image, k)) for k, v in masks.items() if (image, k) not in taken), default=(0.0, None))
                if best[0] >= iou:
                    taken.add(best[1])
                    found[(cls, *best[1])] = 1
        result = {}
        for low, high in BINS:
            asked = [(c, *k) for c, rows in self.true.items() for k, n in rows.items() if n >= low and (high is None or n < high)]
            result[_bin(low, high)] = float(np.mean([k in found for k in asked])) if asked else None
        return result

    def count_by_size(self) -> dict[str, int]:
        return {_bin(low, high): sum(n >= low and (high is None or n < high) for rows in self.true.values() for n in rows.values())
                for low, high in BINS}


def _bin(low: int, high: int | None) -> str:
    return f"{low}+" if high is None else f"{low}-{high - 1}"


def score(detector: Detector, shards: Sequence[ShardInfo], most: int | None = None,
          report: Callable[[int, int], None] | None = None) -> dict:
    """mAP50 and milliseconds (median CPU time of ``detect``) over at most ``most`` images, spread over all shards. What ends in ``_all_names`` or
    ``_all_names_ge100px`` counts each detection under every name it offers, all else under its first name alone (:mod:`evaluation.detection_score`)."""
    jobs = [(s.path, k) for k in range(max(len(s.counts) for s in shards)) for s in shards if k < len(s.counts)][:most]
    judge, grouped, spent = SizedScore(), SizedScore(), []
    for n, (path, k) in enumerate(jobs, start=1):
        one = read_image(path, k)
        start = time.process_time()
        found = detector.detect(one.color, one.depth, one.camera, one.pose)
        spent.append((time.process_time() - start) * 1e3)
        judge.add(found, one.ids, one.table)
        grouped.add([replace(d, cls=_STAND_IN[group_of(d.cls)], names=()) for d in found], one.ids,
                    {v: (e, _STAND_IN[group_of(c)]) for v, (e, c) in one.table.items() if c in INDEX})
        if report is not None:
            report(n, len(jobs))
    return {**judge.summary(), "mask_recall_by_pixels": judge.recall_by_size(), "instances_by_pixels": judge.count_by_size(),
            "by_group": {g: _of_group(grouped, _STAND_IN[k]) for k, g in enumerate(GROUPS) if k}, "group_recall_by_pixels": grouped.recall_by_size(),
            "ms_median": float(np.median(spent)), "splits": sorted({s.split for s in shards}), "homes": len({s.home for s in shards})}


def _of_group(judge: SizedScore, cls: str) -> dict:
    """As if the classes of a group were one: what is lost is lost by segmenting, not by naming."""
    return {"instances": len(judge.true[cls]), "mask_ap50": judge.average_precision(cls, False),
            "mask_ap50_ge100px": judge.average_precision(cls, False, LARGE)}


def test_shards(folder: Path) -> list[ShardInfo]:
    """Raises UsageError when any of them is not of the test split."""
    shards = list_shards(folder)
    wrong = [s.path.name for s in shards if s.split != "test"]
    if wrong:
        raise UsageError(f"'{folder}' holds {', '.join(wrong[:3])}, not of the test split; a score on training homes says nothing")
    return shards
