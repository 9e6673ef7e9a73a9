"""Who sits in a wheelchair that a detector finds without them: it often takes the two for one thing and calls that a wheelchair.

A wheelchair does not go by itself: one that went some way with nobody beside it has somebody in it, until it is lost from sight for long. Invariants: a person whom the
detector finds there is the only one there; what flickers from one place to another, or shows more or less of itself beyond the edge of the picture, did not go there;
detections without a second opinion, whose names are sure, pass unchanged; memory is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from household import classes
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.naming import middle_of

_SURE = 0.4  # score from which a wheelchair is one
_OVERLAP = 0.3  # of the smaller box: a person detected there is who sits in it
_STILL, _FASTEST, _AT_ONCE = 0.06, 1.0, 0.15  # m between looks that are no step; m/s that it goes; m by which a look errs
_LARGEST, _ALIKE = 1.5, 1.4  # m across at most; times as large, at most, is one look at it than the one before
_STEPS, _WAY = 3, 0.4  # steps on end, and m in all, after which it went
_PUSHED = 0.9  # m within which somebody may push it
_SEAT = 0.35  # m above the floor from which on what is seen is the body's
_FORGET, _MOST = 60.0, 20  # s unseen after which it is another one; remembered
_PART = 0.6  # of a small thing's pixels that lie on the upper half of the body: it is a part of it


@dataclass(frozen=True)
class Wheelchair:
    """At ``at`` (x, y; map, m) when it was last seen. ``extent``: m across. ``steps``: on end, ``way``: m that it went in them, as a vector. ``ridden``: whether somebody sits in it."""

    at: tuple[float, float]
    stamp: float
    extent: float
    steps: int = 0
    way: tuple[float, float] = (0.0, 0.0)
    ridden: bool = False


def seated(memory: tuple[Wheelchair, ...], detections: Sequence[Detection], frame: FrameInput) -> tuple[tuple[Wheelchair, ...], tuple[Detection, ...]]:
    """The memory, and the detections with a person, last, for every wheelchair in which one sits unseen, less what was only a part of them."""
    chairs = [d for d in detections if d.cls == "wheelchair" and d.score >= _SURE and d.names and not _cut(d, frame)]
    if not chairs or frame.depth is None or frame.camera_pose is None:
        return memory, tuple(detections)
    people = [d for d in detections if classes.get(d.cls).kind is classes.Kind.PERSON]
    where = [m[0][:2] for p in people if (m := middle_of(p, frame)) is not None]
    known, found = [w for w in memory if frame.stamp - w.stamp < _FORGET], []
    for chair in chairs:
        middle = middle_of(chair, frame)
        if middle is None or middle[1] > _LARGEST:
            continue
        at, taken = middle[0][:2], any(_overlap(chair, p) > _OVERLAP for p in people)
        beside = any(float(np.linalg.norm(at - p)) < _PUSHED for p in where)
        near = min(known, key=lambda w: float(np.linalg.norm(at - w.at)), default=None)
        if near is None or float(np.linalg.norm(at - near.at)) > _AT_ONCE + _FASTEST * (frame.stamp - near.stamp):
            now = Wheelchair((float(at[0]), float(at[1])), frame.stamp, middle[1])
        else:
            known.remove(near)
            now = _gone_on(near, at, middle[1], frame.stamp, taken or not beside)
        known.append(now)
        if now.ridden and not taken and (body := _body(chair, frame)) is not None:
            found.append(body)
    kept = [d for d in detections if not any(_part_of(d, body) for body in found)]
    return tuple(sorted(known, key=lambda w: -w.stamp)[:_MOST]), (*kept, *found)


def _gone_on(old: Wheelchair, at: np.ndarray, extent: float, stamp: float, alone: bool) -> Wheelchair:
    """One more look at it. ``alone``: nobody but who sits in it is near it."""
    step = at - np.asarray(old.at)
    on = alone and float(np.linalg.norm(step)) > _STILL and abs(np.log(extent / old.extent)) < np.log(_ALIKE) and (
        not old.steps or float(step @ np.asarray(old.way)) > 0.0)
    steps, way = (old.steps + 1, np.asarray(old.way) + step) if on else (0, np.zeros(2))
    ridden = old.ridden or (steps >= _STEPS and float(np.linalg.norm(way)) > _WAY)
    return Wheelchair((float(at[0]), float(at[1])), stamp, extent, steps, (float(way[0]), float(way[1])), ridden)


def _cut(one: Detection, frame: FrameInput) -> bool:
    """Whether it goes on beyond the picture."""
    left, _, right, bottom = one.box
    return left <= 1 or right >= frame.camera.width - 1 or bottom >= frame.camera.height - 1


def _overlap(a: Detection, b: Detection) -> float:
    (l0, t0, r0, b0), (l1, t1, r1, b1) = a.box, b.box
    common = max(0, min(r0, r1) - max(l0, l1)) * max(0, min(b0, b1) - max(t0, t1))
    return common / max(1, min((r0 - l0) * (b0 - t0), (r1 - l1) * (b1 - t1)))


def _body(chair: Detection, frame: FrameInput) -> Detection | None:
    """What of it is above the seat, as a person."""
    left, top, right, bottom = chair.box
    z, c, pose = frame.depth[top:bottom, left:right].astype(float), frame.camera, np.asarray(frame.camera_pose, float)
    rows, columns = np.mgrid[top:bottom, left:right]
    high = pose[2, 0] * (columns - c.cx) / c.fx * z + pose[2, 1] * (rows - c.cy) / c.fy * z + pose[2, 2] * z + pose[2, 3]
    full = np.zeros(frame.depth.shape, bool)
    full[top:bottom, left:right] = chair.mask & np.isfinite(z) & (z > 0.1) & (high > _SEAT)
    return Detection.from_full_mask("person", chair.score, full, names=(("person", chair.score),))


def _part_of(one: Detection, body: Detection) -> bool:
    """Whether a small thing is the head or the chest of somebody who sits there."""
    if classes.get(one.cls).kind is not classes.Kind.OBJECT:
        return False
    (l0, t0, r0, b0), (l1, t1, r1, b1) = one.box, body.box
    common = max(0, min(r0, r1) - max(l0, l1)) * max(0, min(b0, b1) - max(t0, t1))
    return common >= _PART * (r0 - l0) * (b0 - t0) and (t0 + b0) / 2 < (t1 + b1) / 2
