"""Faint detections: what a hand holds is half hidden by its fingers and moves, and detectors are less sure of it than of what lies on a table.

So what is fainter than counts elsewhere counts in a hand: there something is to be expected, and few other things are to be seen (in recorded homes, bare hands gave one such
sight in some four hundred looks, hands that held something one in four). What lies in plain view fades, too, as its looks
disagree about its name: where a known thing of that name lies, it counts. Invariant: what is neither, or is surer than that, is as it would be without this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household import classes
from perception.config import PerceptionConfig
from perception.detectors.base import Detection, Joint
from perception.frame import FrameInput
from perception.naming import GRASP, middle_of
from perception.thing_track import AWAY

_WRISTS = frozenset({Joint.LEFT_WRIST, Joint.RIGHT_WRIST})
_LARGEST = 0.5  # m across
_SURELY = 0.3  # how sure a detector must be that there is anything at all, whatever it is called
_FOUND = 0.2  # score of a wrist from which there may be one


def without_strays(detections: Sequence[Detection], frame: FrameInput, config: PerceptionConfig) -> tuple[Detection, ...]:
    """The detections that count, in the order given: those from ``min_score`` on, and from ``held_score`` on whatever is at a wrist. Without depth only the former."""
    if all(d.score >= config.min_score for d in detections):
        return tuple(detections)
    wrists = wrists_of(detections, frame, config)
    return tuple(d for d in detections if d.score >= config.min_score or (d.score >= config.held_score and _held(d, wrists, frame)))


def surely_there(one: Detection) -> bool:
    """Whether there surely is something, small or large, that may be called what it is called here, however unsure that is by now: names of several looks share what one look gave
    to one of them."""
    return 0.0 < dict(one.names).get(one.cls, 0.0) * _SURELY <= one.score


def of_known_things(detections: Sequence[Detection], frame: FrameInput, config: PerceptionConfig, lying: Sequence[tuple[str, np.ndarray]]) -> tuple[Detection, ...]:
    """Those that count once names are settled (:mod:`perception.naming`): as :func:`without_strays`, and what :func:`surely_there` is where something of its class lies.
    ``lying``: class and middle (3,), map, of all known things that lie somewhere."""
    kept = {id(d) for d in without_strays(detections, frame, config)}
    return tuple(d for d in detections if id(d) in kept or (d.score >= config.held_score and surely_there(d) and _lies_there(d, frame, lying)))


def _lies_there(one: Detection, frame: FrameInput, lying: Sequence[tuple[str, np.ndarray]]) -> bool:
    at = [centre for cls, centre in lying if cls == one.cls]
    found = middle_of(one, frame) if at else None
    return found is not None and float(np.linalg.norm(np.array(at) - found[0], axis=1).min()) <= AWAY


def _held(one: Detection, wrists: np.ndarray, frame: FrameInput) -> bool:
    if not len(wrists) or classes.get(one.cls).kind is not classes.Kind.OBJECT:
        return False
    found = middle_of(one, frame)
    return found is not None and found[1] <= _LARGEST and float(np.linalg.norm(wrists - found[0], axis=1).min()) <= GRASP


def wrists_of(detections: Sequence[Detection], frame: FrameInput, config: PerceptionConfig) -> np.ndarray:
    """float (n, 3): in map, of everybody who is plainly seen."""
    found = []
    for person in detections:
        if person.score < config.min_score or classes.get(person.cls).kind is not classes.Kind.PERSON:
            continue
        for k in person.keypoints:
            row, column = int(round(k.v)), int(round(k.u))
            if k.joint not in _WRISTS or k.score < _FOUND or frame.depth is None or frame.camera_pose is None or not (
                    0 <= row < frame.depth.shape[0] and 0 <= column < frame.depth.shape[1]):
                continue
            z = float(frame.depth[row, column]) if k.depth is None else k.depth
            if np.isfinite(z) and z > 0:
                c = frame.camera
                found.append((np.asarray(frame.camera_pose, float) @ np.array([(column - c.cx) / c.fx * z, (row - c.cy) / c.fy * z, z, 1.0]))[:3])
    return np.array(found).reshape(-1, 3)
