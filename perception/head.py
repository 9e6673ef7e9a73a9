"""Which way a head points, from where nose, eyes and ears are in the picture.

In 3D this is hopeless beyond a metre or two: the nose is a hand's breadth before the ears and depth is good to centimetres. In the picture
the same points are good to a pixel. So every direction, with the head bent by every usual angle, is asked how well a head of human proportions that
points there explains where the points were found, and that some of them were not found: who has a nose is not seen from behind. Invariant: no
keypoint, no opinion (None); each point may be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household.camera import CameraModel
from perception.detectors.base import Joint, Keypoint
from perception.facing import BINS, COSINES, DIRECTIONS, SINES

# (forward, left, up) of the middle of the head in body heights; middle and half of the arc from which it is seen, radians from straight ahead.
_HEAD = {Joint.NOSE: (0.065, 0.0, -0.022, 0.0, 2.05), Joint.LEFT_EYE: (0.046, 0.021, 0.0, 0.55, 1.65),
         Joint.RIGHT_EYE: (0.046, -0.021, 0.0, -0.55, 1.65), Joint.LEFT_EAR: (-0.022, 0.048, -0.002, 1.8, 1.7),
         Joint.RIGHT_EAR: (-0.022, -0.048, -0.002, -1.8, 1.7)}
_MIDDLES, _HALVES = (np.array([[arc[k]] for arc in _HEAD.values()]) for k in (3, 4))
PITCHES = np.radians((-50.0, -37.0, -25.0, -12.0, 0.0, 10.0))  # of a head: bent over what is handled … level … raised a little
_LEVEL, _RISE = np.cos(PITCHES)[:, None], np.sin(PITCHES)[:, None]
_ALL = np.zeros((len(PITCHES), BINS))
# (3, 3, 6 · 72): x, y and z in map of one step forward, left and up on a head of each pitch and direction.
_AXES = np.array([[_LEVEL * COSINES, _ALL - SINES, -_RISE * COSINES], [_LEVEL * SINES, _ALL + COSINES, -_RISE * SINES],
                  [_ALL + _RISE, _ALL, _ALL + _LEVEL]]).reshape(3, 3, -1)
_MIDDLE = -0.009  # forward of the middle of the outline: hair is at the back
_STATURE = 1.7  # m, of somebody whose height is not known
_PIXEL, _UNLIKE = 0.5, 0.012  # pixels and metres by which a point lies off where this head has it
_ROUND = 0.012  # m by which the middle of a head's outline is not the middle of the head: hair
_WRONG = 0.0003  # of the best fit: what a direction that fits badly still gets
_TURNED, _FOUND = 0.25, 0.8  # rad by which an end of that arc is soft; chance of a point within it to be found


def likelihood(keypoints: Sequence[Keypoint], camera: CameraModel, pose: np.ndarray, where: np.ndarray, stature: float | None = None,
               outline: float | None = None, least: float = 0.3) -> np.ndarray | None:
    """float64 (72,) over ``facing.DIRECTIONS``, up to scale; None when the points tell nothing. Arguments as for :func:`directions`."""
    both = directions(keypoints, camera, pose, where, stature, outline, least)
    return None if both is None else both.sum(axis=0) / both.sum()


def directions(keypoints: Sequence[Keypoint], camera: CameraModel, pose: np.ndarray, where: np.ndarray, stature: float | None = None,
               outline: float | None = None, least: float = 0.3) -> np.ndarray | None:
    """float64 (6, 72) over ``PITCHES`` and ``facing.DIRECTIONS``, up to scale; None when the points tell nothing.

    ``pose`` (4, 4) optical → map; ``where`` (3,): about where the head is, map; ``outline``: column of the middle of the
    head's outline, None: it is not all in view (then a missing point means nothing); ``least``: score a keypoint must have.
    """
    sure = [k for k in keypoints if k.score >= least]
    found = {k.joint: (k.u, k.v) for k in sure if k.joint in _HEAD}
    guess = pose[:3, :3].T @ (np.asarray(where, float) - pose[:3, 3])  # optical
    if not sure or not guess[2] > 0.1 or (not found and outline is None):
        return None
    u = outline if outline is not None else float(np.mean([u for u, _ in found.values()]))
    v = float(np.mean([v for _, v in found.values()])) if found else camera.fy * guess[1] / guess[2] + camera.cy
    centre = guess[2] * np.array([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1.0])  # on the line of sight through what was found
    metre = camera.fx / guess[2]
    spread = 1 / (_PIXEL ** 2 + (_UNLIKE * metre) ** 2)
    tall = stature or _STATURE
    columns, rows = _projected([*(_HEAD[j][:3] for j in found), (_MIDDLE, 0.0, 0.0)], tall, centre, camera, pose)
    across = [(u, column, spread) for (u, _), column in zip(found.values(), columns)]
    if outline is not None:
        across.append((outline, columns[-1], 1 / (_PIXEL ** 2 + (_ROUND * metre) ** 2)))
    down = [(v, row, spread) for (_, v), row in zip(found.values(), rows)]
    result = np.exp(-0.5 * (_misfit(across) + _misfit(down))) + _WRONG
    to_camera = -(pose[:3, :3] @ centre)
    camera_at = np.arctan2(to_camera[1], to_camera[0]) - DIRECTIONS
    off = np.abs((camera_at - _MIDDLES + np.pi) % (2 * np.pi) - np.pi)
    for joint, shown in zip(_HEAD, _FOUND / (1 + np.exp((off - _HALVES) / _TURNED))):
        if joint in found:
            result = result * (0.1 + shown)
        elif outline is not None:
            result = result * (1 - shown)
    return result / result.sum()


def count(keypoints: Sequence[Keypoint], least: float = 0.3) -> int:
    """How many points of the face were found."""
    return sum(k.joint in _HEAD and k.score >= least for k in keypoints)


def _projected(points: Sequence[tuple[float, float, float]], stature: float, centre: np.ndarray, camera: CameraModel, pose: np.ndarray
               ) -> tuple[np.ndarray, np.ndarray]:
    """(columns, rows) of n points of the head (forward, left, up in body heights), each float64 (n, 6, 72) by ``PITCHES`` and ``DIRECTIONS``; ``centre`` (3,)
    optical."""
    axes = (pose[:3, :3].T @ _AXES.reshape(3, -1)).reshape(_AXES.shape)
    x, y, z = (np.multiply(points, stature) @ axes).reshape(3, len(points), len(PITCHES), BINS) + centre[:, None, None, None]
    return camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy


def _misfit(seen: list[tuple[float, np.ndarray, float]]) -> np.ndarray:
    """Weighted squares by which the pixels (found, where this head has them, weight) disagree, wherever the head's middle is; (6, 72)."""
    if len(seen) < 2:
        return np.zeros((len(PITCHES), BINS))
    off = np.array([found - where for found, where, _ in seen])
    weight = np.array([w for *_, w in seen])[:, None, None]
    off = off - (weight * off).sum(axis=0) / weight.sum()
    return (weight * off ** 2).sum(axis=0)
