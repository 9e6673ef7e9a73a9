"""One body, one detection: somebody who bends or stretches is at times detected in two parts, which would be followed as two people.

Two detections are of one body when they have joints at the same pixels, or when the smaller lies in the larger's box at the same depth and
touches it; where both show about as many pixels, nearly all of one box lies in the other. One above the other at the same depth are of one body, too, with what hides its
middle before it or the middle beside the picture: people do not stand on each other. Invariant: people whom the source tells apart by name stay apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from perception.detectors.base import Detection

_SHARED = 3  # joints at the same pixels
_SAME = 0.02, 2.0  # of the height of the larger box, and pixels at least, within which joints are the same
_WITHIN, _SMALLER = 0.5, 0.5  # of the smaller box in the larger; of the larger's pixels
_INSIDE = 0.8  # of the smaller box in the larger: nearly all
_APART, _CLOSE = 0.35, 0.2  # m between the middle depths of what is one body; the same of what shows as many pixels, and may as well be two people side by side
_TOUCH = 4  # pixels
_BELOW, _OVER = 0.6, 0.1  # of the narrower box that has the other above or below it; of the lower one that the other reaches into, at most


def whole(detections: Sequence[Detection], depth: np.ndarray | None) -> tuple[Detection, ...]:
    """The same detections, parts of one person joined into one. ``depth`` float (H, W) metres or None."""
    people = [d for d in detections if d.cls == "person"]
    if len(people) < 2:
        return tuple(detections)
    bodies: list[Detection] = []
    for d in sorted(people, key=lambda d: -np.count_nonzero(d.mask)):
        at = next((i for i, b in enumerate(bodies) if _one(b, d, depth)), None)
        if at is None:
            bodies.append(d)
        else:
            bodies[at] = _joined(bodies[at], d)
    return (*(d for d in detections if d.cls != "person"), *bodies)


def _one(large: Detection, small: Detection, depth: np.ndarray | None) -> bool:
    if large.identity is not None or small.identity is not None:
        return False
    if _shared_joints(large, small) >= _SHARED:
        return True
    (l0, t0, r0, b0), (l1, t1, r1, b1) = large.box, small.box
    common = max(0, min(r0, r1) - max(l0, l1)) * max(0, min(b0, b1) - max(t0, t1))
    if depth is not None and _stacked(large.box, small.box):
        return abs(_middle(large, depth) - _middle(small, depth)) < _APART
    within = common / min((r0 - l0) * (b0 - t0), (r1 - l1) * (b1 - t1))
    part = small.mask.sum() <= _SMALLER * large.mask.sum()
    if within < (_WITHIN if part else _INSIDE) or depth is None:
        return False
    return abs(_middle(large, depth) - _middle(small, depth)) < (_APART if part else _CLOSE) and _touch(large, small)


def _stacked(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    """Whether one box (left, top, right, bottom) is above the other."""
    across, down = (min(a[k + 2], b[k + 2]) - max(a[k], b[k]) for k in (0, 1))
    return across >= _BELOW * min(a[2] - a[0], b[2] - b[0]) and down <= _OVER * min(a[3] - a[1], b[3] - b[1])


def _shared_joints(a: Detection, b: Detection) -> int:
    near = max(_SAME[1], _SAME[0] * max(a.mask.shape[0], b.mask.shape[0]))
    where = {k.joint: (k.u, k.v) for k in a.keypoints}
    return sum(k.joint in where and np.hypot(k.u - where[k.joint][0], k.v - where[k.joint][1]) <= near for k in b.keypoints)


def _middle(d: Detection, depth: np.ndarray) -> float:
    left, top, right, bottom = d.box
    z = depth[top:bottom, left:right][d.mask]
    z = z[z > 0]
    return float(np.median(z)) if z.size else np.inf


def _touch(a: Detection, b: Detection) -> bool:
    _, _, (one, two) = _canvas(a, b)
    grown = cv2.dilate(one.astype(np.uint8), np.ones((2 * _TOUCH + 1,) * 2, np.uint8)).astype(bool)
    return bool((grown & two).any())


def _joined(a: Detection, b: Detection) -> Detection:
    union, offset, _ = _canvas(a, b)
    best = {k.joint: k for k in sorted((*a.keypoints, *b.keypoints), key=lambda k: k.score)}
    return replace(a, score=max(a.score, b.score), mask=union, offset=offset, keypoints=tuple(best.values()))


def _canvas(a: Detection, b: Detection) -> tuple[np.ndarray, tuple[int, int], tuple[np.ndarray, np.ndarray]]:
    """The union of both masks, its offset (u, v), and each mask on the same canvas."""
    boxes = np.array([a.box, b.box])
    left, top = boxes[:, :2].min(axis=0)
    right, bottom = boxes[:, 2:].max(axis=0)
    drawn = []
    for d in (a, b):
        full = np.zeros((bottom - top, right - left), bool)
        u, v = d.offset[0] - left, d.offset[1] - top
        full[v:v + d.mask.shape[0], u:u + d.mask.shape[1]] = d.mask
        drawn.append(full)
    return drawn[0] | drawn[1], (int(left), int(top)), (drawn[0], drawn[1])
