"""What was air a moment ago, and how it looked: the pictures of the last seconds.

A door, flap or drawer that opens stands where the camera looked through air before; a part of a cupboard that merely comes into view does
not. That tells opening from seeing more, whatever is known of the cupboard's size. And what turns up on a table was there all the while if its colour
was. Invariant: only places that were really looked past count as air; what was hidden, out of view or without a reading does not. Memory: ``KEPT``
pictures and depth images.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from household.camera import CameraModel
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import depth_at
from perception.records import replace

KEPT = 8
_APART = 1.0  # s between two that are kept
_SLACK = 0.10  # m a reading must lie behind a point, beside what noise explains
_NOTHING = np.float32(1e9)  # m: farther than any reading
_RIM = np.ones((5, 5), np.uint8)  # a view past the rim of something counts only two pixels from it


@dataclass(frozen=True)
class PastView:
    """``depth`` float32 (H, W): the nearest reading within two pixels, 0 where there is none. ``gaps`` bool (H, W): one of those pixels has no reading.
    ``frame``: the picture, without depth and detections."""

    stamp: float
    depth: np.ndarray
    gaps: np.ndarray
    frame: FrameInput

    @property
    def camera(self) -> CameraModel:
        return self.frame.camera

    @property
    def pose(self) -> np.ndarray:
        """(4, 4) optical → map."""
        return self.frame.camera_pose


def remember(views: Sequence[PastView], frame: FrameInput) -> tuple[PastView, ...]:
    """The views with this frame's added, if the last one is old enough; bounded."""
    if frame.depth is None or (views and frame.stamp - views[-1].stamp < _APART):
        return tuple(views)
    depth = frame.depth.astype(np.float32, copy=False)
    read = (depth > 0) & (depth < np.inf)
    nearest = depth.copy()
    nearest[~read] = _NOTHING
    nearest = cv2.erode(nearest, _RIM, dst=nearest)
    gaps = ~cv2.erode(read.view(np.uint8), _RIM).view(bool)
    nearest[nearest >= _NOTHING] = 0.0
    return (*views, PastView(frame.stamp, nearest, gaps, replace(frame, depth=None, detections=(), passing=None)))[-KEPT:]


def was_air(views: Sequence[PastView], points: np.ndarray, config: PerceptionConfig) -> np.ndarray:
    """bool (N,): the camera looked past these map points (N, 3) in one of the views."""
    air = np.zeros(len(points), bool)
    for view in views:
        ask = (~air).nonzero()[0]
        if not ask.size:
            break
        expected, measured = depth_at(points[ask], view.depth, view.camera, view.pose, view.gaps)
        with np.errstate(invalid="ignore"):
            air[ask] = measured > expected + _SLACK + 3 * config.depth_noise * expected ** 2
    return air


def shown(view: PastView, points: np.ndarray) -> np.ndarray:
    """bool (N,): these map points (N, 3) were in the picture, with nothing before them."""
    expected, measured = depth_at(points, view.depth, view.camera, view.pose)
    with np.errstate(invalid="ignore"):
        return measured > expected - _SLACK
