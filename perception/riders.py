"""Who sits in a wheelchair that a detector finds without them: it often takes the two for one thing and calls that a wheelchair.

A wheelchair does not go by itself: one that went some way with nobody going beside it has somebody in it, until it is lost from sight for long; and who was seen to sit in one still
does when the detector does not find them. Invariants: a person whom the detector finds there is the only one there; what flickers from one place to another, or shows more or less of itself beyond the edge of the picture, did not go there;
detections without a second opinion, whose names are sure, pass unchanged; memory is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.geometry import length
from perception.naming import middle_of
from perception.order import percentile

_SURE = 0.4  # score from which a wheelchair is one
_OVERLAP = 0.3  # of the smaller box: a person detected there is who sits in it
_STILL, _FASTEST, _AT_ONCE = 0.06, 1.0, 0.15  # m between looks that are no step; m/s that it goes; m by which a look errs
_LARGEST, _ALIKE = 1.5, 1.4  # m across at most; times as large, at most, is one look at it than the one before
_STEPS, _WAY_WITH = ((3, 0.4), (2, 0.45)), 0.7  # steps on end, and m in all, after which it went; share of a step by which who pushes it goes otherwise
_PUSHED = 0.9  # m within which somebody may push it
_THERE, _SITS, _SEEN = 0.6, 1.4, 2  # m from its middle within which who sits in it is, m up to their crown, looks that show them there
_CUT = 0.4  # m by which a look at what goes on beyond the picture errs
_SEAT = 0.35  # m above the floor from which on what is seen is the body's
_FORGET, _MOST = 60.0, 20  # s unseen after which it is another one; remembered
_ROWS = 80  # of a person's, are enough to tell how high they reach
LATELY = 0.6  # s for which a wheelchair that is not made out is where it was
_PART = 0.6  # of a small thing's pixels that lie on the upper half of the body: it is a part of it


@dataclass(frozen=True)
class Wheelchair:
    """At ``at`` (x, y; map, m) when it was last seen. ``extent``: m across. ``steps``: on end, ``way``: m that it went in them, as a vector. ``ridden``: whether somebody sits in it;
    ``sitters``: looks that showed somebody there. ``beside``: where people near it were (x, y)."""

    at: tuple[float, float]
    stamp: float
    extent: float
    steps: int = 0
    way: tuple[float, float] = (0.0, 0.0)
    ridden: bool = False
    sitters: int = 0
    beside: tuple[tuple[float, float], ...] = ()


def seated(memory: tuple[Wheelchair, ...], detections: Sequence[Detection], frame: FrameInput) -> tuple[tuple[Wheelchair, ...], tuple[Detection, ...]]:
    """The memory, and the detections with a person, last, for every wheelchair in which one sits unseen, less what was only a part of them."""
    chairs = _each_once([d for d in detections if d.cls == "wheelchair" and d.score >= _SURE and d.names])
    if not chairs or frame.depth is None or frame.camera_pose is None:
        return memory, tuple(detections)
    people = [(p, m[0][:2]) for p in detections if classes.get(p.cls).kind is classes.Kind.PERSON and (m := middle_of(p, frame)) is not None]
    known, found = [w for w in memory if frame.stamp - w.stamp < _FORGET], []
    for chair in chairs:
        middle = middle_of(chair, frame)
        if middle is None or middle[1] > _LARGEST:
            continue
        at, cut = middle[0][:2], _cut(chair, frame)
        there = [p for p, where in people if overlap(chair, p) > _OVERLAP and length(at - where) < _THERE]
        beside = tuple((float(x), float(y)) for _, (x, y) in people if float(np.hypot(x - at[0], y - at[1])) < _PUSHED)
        near = min(known, key=lambda w: length(at - w.at), default=None)
        now = Wheelchair((float(at[0]), float(at[1])), frame.stamp, middle[1], beside=beside)
        if near is not None and length(at - near.at) <= (_CUT if cut else _AT_ONCE) + _FASTEST * (frame.stamp - near.stamp):
            known.remove(near)
            now = replace(now, ridden=near.ridden, sitters=near.sitters) if cut else _gone_on(near, now, bool(there))
        if any(_crown(p, frame) < _SITS for p in there):
            now = replace(now, sitters=now.sitters + 1, ridden=now.ridden or now.sitters + 1 >= _SEEN)
        known.append(now)
        if now.ridden and not there and (body := _body(chair, frame)) is not None:
            found.append(body)
    kept = [d for d in detections if not any(_part_of(d, body) for body in found)]
    return tuple(sorted(known, key=lambda w: -w.stamp)[:_MOST]), (*kept, *found)


def _gone_on(old: Wheelchair, now: Wheelchair, taken: bool) -> Wheelchair:
    """One more look at it. ``taken``: who is beside it is who sits in it."""
    step = np.subtract(now.at, old.at)
    far = length(step)
    pushed = not taken and any(length(np.subtract(p, q) - step) < _WAY_WITH * far for p in now.beside for q in old.beside)
    on = not pushed and far > _STILL and abs(np.log(now.extent / old.extent)) < np.log(_ALIKE) and (not old.steps or float(step @ np.asarray(old.way)) > 0.0)
    steps, way = (old.steps + 1, np.asarray(old.way) + step) if on else (0, np.zeros(2))
    ridden = old.ridden or any(steps >= n and length(way) > m for n, m in _STEPS)
    return replace(now, steps=steps, way=(float(way[0]), float(way[1])), ridden=ridden, sitters=old.sitters)


def _each_once(chairs: Sequence[Detection]) -> list[Detection]:
    """Of two detections of one wheelchair the surer."""
    kept: list[Detection] = []
    for one in sorted(chairs, key=lambda d: -d.score):
        if not any(overlap(one, other) > _PART for other in kept):
            kept.append(one)
    return kept


def _crown(person: Detection, frame: FrameInput) -> float:
    """How high they reach, m; infinite where the edge of the picture cuts their head off."""
    left, top, right, bottom = person.box
    if top <= 1:
        return float("inf")
    every = max(1, (bottom - top) // _ROWS)
    high, good = _heights(frame, left, top, right, bottom, every)
    inside = high[person.mask[::every, ::every] & good]
    return percentile(inside, 98) if len(inside) else float("inf")


def _heights(frame: FrameInput, left: int, top: int, right: int, bottom: int, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """(m above the floor, whether it is known), each (h, w), of a piece of the picture, or of ``every`` so many of its rows and columns."""
    z, c, pose = frame.depth[top:bottom:every, left:right:every].astype(float), frame.camera, np.asarray(frame.camera_pose, float)
    good = np.isfinite(z) & (z > 0.1)
    z = np.where(good, z, 0.0)
    rows, columns = np.arange(top, bottom, every)[:, None], np.arange(left, right, every)[None]
    return (pose[2, 0] * ((columns - c.cx) / c.fx) + pose[2, 1] * ((rows - c.cy) / c.fy) + pose[2, 2]) * z + pose[2, 3], good


def _cut(one: Detection, frame: FrameInput) -> bool:
    """Whether it goes on beside the picture: below it, its wheels do."""
    left, _, right, _ = one.box
    return left <= 1 or right >= frame.camera.width - 1


def overlap(a: Detection, b: Detection) -> float:
    """Share of the smaller box that they have in common."""
    return _common(a, b) / max(1, min(_area(a), _area(b)))


def _common(a: Detection, b: Detection) -> int:
    (l0, t0, r0, b0), (l1, t1, r1, b1) = a.box, b.box
    return max(0, min(r0, r1) - max(l0, l1)) * max(0, min(b0, b1) - max(t0, t1))


def _area(one: Detection) -> int:
    left, top, right, bottom = one.box
    return (right - left) * (bottom - top)


def _body(chair: Detection, frame: FrameInput) -> Detection | None:
    """What of it is above the seat, as a person."""
    left, top, right, bottom = chair.box
    high, good = _heights(frame, left, top, right, bottom)
    full = np.zeros(frame.depth.shape, bool)
    full[top:bottom, left:right] = chair.mask & good & (high > _SEAT)
    return Detection.from_full_mask("person", chair.score, full, names=(("person", chair.score),))


def _part_of(one: Detection, body: Detection) -> bool:
    """Whether a small thing is the head or the chest of somebody who sits there."""
    if classes.get(one.cls).kind is not classes.Kind.OBJECT:
        return False
    return _common(one, body) >= _PART * _area(one) and one.box[1] + one.box[3] < body.box[1] + body.box[3]
