"""One body, one detection: somebody who bends or stretches is at times detected in two parts, which would be followed as two people.

Two detections are of one body when they have joints at the same pixels, or when the smaller lies in the larger's box at the same depth and
touches it; where both show about as many pixels, nearly all of one box lies in the other. One above the other at the same depth are of one body, too, with what hides its
middle before it or the middle beside the picture: people do not stand on each other. The head of who bends down, or their back, is at times taken for a thing: what is as
big as a head and is where a head must be that nobody has seen is that head. Invariant: people whom the source tells apart by name stay apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from household import classes
from perception import head
from perception.detectors.base import Detection, Joint
from perception.lifting import Lifted
from perception.people import PersonTrack
from perception.thing_track import ThingTrack

_SHARED = 3  # joints at the same pixels
_SAME = 0.02, 2.0  # of the height of the larger box, and pixels at least, within which joints are the same
_WITHIN, _SMALLER = 0.5, 0.5  # of the smaller box in the larger; of the larger's pixels
_INSIDE = 0.8  # of the smaller box in the larger: nearly all
_APART, _CLOSE = 0.35, 0.2  # m between the middle depths of what is one body; the same of what shows as many pixels, and may as well be two people side by side
_TOUCH = 4  # pixels
_BELOW, _OVER = 0.6, 0.1  # of the narrower box that has the other above or below it; of the lower one that the other reaches into, at most
_SURE, _CERTAIN = 0.3, 0.5  # score of a joint that counts; of a wrist: a head that was not made out is taken for one
_SHOULDERS, _HIPS, _WRISTS = ((Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER), (Joint.LEFT_HIP, Joint.RIGHT_HIP), (Joint.LEFT_WRIST, Joint.RIGHT_WRIST))
_HEAD, _TRUNK = (0.07, 0.32), (0.09, 0.5)  # m, side of a square as large as what is seen of a head, and of a trunk
_NECK, _BEYOND = 0.4, 0.3  # m from the shoulders to the middle of a head at most; cosine to the way from the hips to them at least
_FURNITURE = (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.PERSON)
_LATELY, _WHERE = 2.0, 0.4  # s since somebody was made out, and m from there, within which what shows may be them
_IN_HAND = 0.12  # m from a wrist to the middle of what that hand may hold


def complete(detections: Sequence[Detection], depth: np.ndarray | None, focal: float) -> tuple[Detection, ...]:
    """The same detections, with those heads and trunks that were taken for things joined to their people. ``depth`` float (H, W) metres or None; ``focal``: length, pixels."""
    if depth is None:
        return tuple(detections)
    people = [d for d in detections if d.cls == "person" and d.identity is None and not head.count(d.keypoints, _SURE)]
    things = [d for d in detections if classes.get(d.cls).kind not in _FURNITURE]
    joined: dict[int, Detection] = {}
    taken: set[int] = set()
    for person in people:
        whole, neck = person, _mean(_joints(person, _SHOULDERS, _SURE))
        for thing in (t for _ in (0, 1) for t in things):  # the head shows to be one once the trunk is known
            if id(thing) not in taken and _is_part(thing, person, whole, neck, depth, focal):
                neck = _middle_of(thing) if neck is None else neck
                whole = replace(_joined(whole, thing), score=person.score)
                taken.add(id(thing))
        joined[id(person)] = whole
    return tuple(joined.get(id(d), d) for d in detections if id(d) not in taken)


def _is_part(thing: Detection, person: Detection, whole: Detection, neck: np.ndarray | None, depth: np.ndarray, focal: float) -> bool:
    """Whether a thing is the head of somebody of whom no face is seen, or the trunk of whom only what is below it was made out. ``whole``: the person, with what was found so far;
    ``neck``: (column, row) between their shoulders, or in the middle of the trunk that was found."""
    if not _touch(whole, thing) or not abs(_middle(thing, depth) - (away := _middle(person, depth))) < _APART:
        return False
    metre, middle = focal / away, _middle_of(thing)
    size, below = float(np.sqrt(np.count_nonzero(thing.mask))) / metre, _mean(_joints(person, _HIPS, _SURE))
    if any(np.hypot(*(middle - w)) < _IN_HAND * metre for w in _joints(person, _WRISTS, _CERTAIN)):
        return False
    below = _middle_of(person) if below is None else below
    if neck is None:
        return _TRUNK[0] < size < _TRUNK[1] and min(person.offset[1], thing.offset[1]) > 1 and middle[1] < below[1]  # not cut by the picture, nor beside their feet
    off, up = middle - neck, neck - below
    return _HEAD[0] < size < _HEAD[1] and np.hypot(*off) < _NECK * metre and float(off @ up) > _BEYOND * np.hypot(*off) * np.hypot(*up)


def _mean(points: Sequence[np.ndarray]) -> np.ndarray | None:
    return np.mean(points, axis=0) if points else None


def _joints(person: Detection, which: Sequence[Joint], least: float) -> list[np.ndarray]:
    return [np.array((k.u, k.v)) for k in person.keypoints if k.joint in which and k.score >= least]


def _middle_of(d: Detection) -> np.ndarray:
    """(column, row) in the image."""
    rows, columns = np.nonzero(d.mask)
    return np.array((columns.mean() + d.offset[0], rows.mean() + d.offset[1]))


def without_bodies(lifted: Sequence[Lifted], people: Sequence[PersonTrack], things: Sequence[ThingTrack], stamp: float) -> tuple[Lifted, ...]:
    """What was lifted, but for what is as big as a trunk or a head and shows right where somebody was a moment ago, who is not made out in this frame: as long as no thing is known to be
    there, that is them."""
    hidden = [p for p in people if not p.visible and not p.named and stamp - p.last_seen <= _LATELY]

    def them(one: Lifted) -> bool:
        at = one.box.centre
        return classes.get(one.cls).kind not in _FURNITURE and _TRUNK[0] < max(one.box.size) < _TRUNK[1] \
            and any(math.dist(at[:2], p.position) < _WHERE for p in hidden) and all(math.dist(at, t.box.centre) > _WHERE for t in things)

    return tuple(x for x in lifted if not them(x)) if hidden else tuple(lifted)


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
    if any(max(a.box[k], b.box[k]) > min(a.box[k + 2], b.box[k + 2]) + _TOUCH for k in (0, 1)):
        return False
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
