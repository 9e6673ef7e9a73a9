"""Which way a head points, from where nose, eyes and ears are in the picture.

In 3D this is hopeless beyond a metre or two: the nose is a hand's breadth before the ears and depth is good to centimetres. In the picture
the same points are good to a pixel. So every direction is asked how well a head of human proportions that points there explains the columns at
which the points were found, and that some of them were not found: who has a nose is not seen from behind. Only columns count: a nod moves
points up and down. Invariant: no keypoint, no opinion (None); each point may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household.camera import CameraModel
from perception.detectors.base import Joint, Keypoint
from perception.facing import BINS, DIRECTIONS

# (forward, left) of the middle of the head in body heights; middle and half of the arc from which it is seen, radians from straight ahead.
_HEAD = {Joint.NOSE: (0.065, 0.0, 0.0, 2.05), Joint.LEFT_EYE: (0.046, 0.021, 0.55, 1.65), Joint.RIGHT_EYE: (0.046, -0.021, -0.55, 1.65),
         Joint.LEFT_EAR: (-0.022, 0.048, 1.8, 1.7), Joint.RIGHT_EAR: (-0.022, -0.048, -1.8, 1.7)}
_MIDDLE = -0.009  # forward of the middle of the outline: hair is at the back
_STATURE = 1.7  # m, of somebody whose height is not known
_PIXEL, _UNLIKE = 0.5, 0.008  # pixels and metres by which a point lies off where this head has it
_ROUND = 0.012  # m by which the middle of a head's outline is not the middle of the head: hair
_WRONG = 0.02  # of the best fit: what a direction that fits badly still gets
_TURNED, _FOUND = 0.35, 0.7  # rad by which an end of that arc is soft; chance of a point within it to be found


def likelihood(keypoints: Sequence[Keypoint], camera: CameraModel, ahead: float, distance: float, stature: float | None = None,
               outline: float | None = None, least: float = 0.3) -> np.ndarray | None:
    """float64 (72,) over ``facing.DIRECTIONS``, up to scale; None when the points tell nothing.

    ``ahead``: yaw of the camera's axis in map; ``distance``: planar depth of the head, m; ``outline``: column of the middle of the
    head's outline, None: it is not all in view (then a missing point means nothing); ``least``: score a keypoint must have.
    """
    sure = [k for k in keypoints if k.score >= least]
    found = {k.joint: k.u for k in sure if k.joint in _HEAD}
    if not sure or not distance > 0 or (not found and outline is None):
        return None
    scale = camera.fx * (stature or _STATURE) / distance
    middle = outline if outline is not None else float(np.mean(list(found.values())))
    away = ahead + np.arctan2(camera.cx - middle, camera.fx)  # yaw of the line of sight through the head
    turn = DIRECTIONS - away  # of the head against the line of sight
    at = {j: -(forward * np.sin(turn) + left * np.cos(turn)) * scale for j, (forward, left, _, _) in _HEAD.items()}
    seen = [(u, at[j], _PIXEL, _UNLIKE) for j, u in found.items()] + ([] if outline is None else [(outline, -_MIDDLE * np.sin(turn) * scale, _PIXEL, _ROUND)])
    weight = np.array([1 / (pixel ** 2 + (metres * camera.fx / distance) ** 2) for _, _, pixel, metres in seen])
    off = np.array([u - where for u, where, _, _ in seen])
    off = off - (weight @ off) / weight.sum()
    result = np.exp(-0.5 * weight @ off ** 2) + _WRONG
    camera_at = np.pi - turn
    for joint, (_, _, middle, half) in _HEAD.items():
        off = np.abs((camera_at - middle + np.pi) % (2 * np.pi) - np.pi)
        shown = _FOUND / (1 + np.exp((off - half) / _TURNED))
        if joint in found:
            result = result * (0.1 + shown)
        elif outline is not None:
            result = result * (1 - shown)
    return result / result.sum()
