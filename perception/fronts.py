"""What is read on the fronts of furniture, and behind them, through where a door would be.

A grid of points on a side of a body is looked up in the depth image: readings lie on it, behind it, or before it where somebody stands. Many sides are asked in
every frame, so they are looked up together. Invariant: nothing is read of a side that faces away from the camera.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import Box, depth_at
from perception.order import percentiles

# Sides of a box by index: its own +x, −x, +y, −y, and the top.
SIDES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]], float)
SIGNS = (1.0, -1.0, 1.0, -1.0, 1.0)  # of each along its axis, side // 2
TOP = 4
_LINES = 9
_ASKED = _LINES ** 2  # points of the grid on a front
_OUT = 0.38  # how far from its middle they lie, in sizes of it
_HOLLOW = 0.08  # share of its depth over which readings behind a front spread when it is open


@dataclass(frozen=True)
class _Reading:
    """Of the readings of a grid on a side: metres ``inward`` from it, float (n,); which lie ``within`` the body, bool (n,); how far inward they might lie, ``reach``
    (n,); and their ``noise``, m."""

    inward: np.ndarray
    within: np.ndarray
    reach: np.ndarray
    noise: float


class Fronts:
    """``faces``: (body, side) of those that will be asked about; others are looked up when they are."""

    def __init__(self, frame: FrameInput, config: PerceptionConfig, faces: Iterable[tuple[Box, int]] = ()):
        self._frame, self._config = frame, config
        self._read: dict[tuple[Box, int], _Reading | None] = {}
        self._look_up(list(dict.fromkeys(faces)))

    def plane(self, body: Box, side: int) -> tuple[int, int, int]:
        """Of a grid on this side: how many readings lie on it, how many behind it inside the body, and how many were asked.

        0 asked when the side faces away from the camera. Readings before the side (somebody stands there) count for neither.
        """
        seen, interior = self._reading(body, side), self._config.interior_depth
        if seen is None:
            return 0, 0, 0
        deep = interior + 2.5 * seen.noise if side != TOP else min(interior, 0.5 * body.size[2])
        near = 0.08 + 1.5 * seen.noise
        on_front = (np.abs(seen.inward) <= near) & (seen.reach > near)
        return np.count_nonzero(on_front), np.count_nonzero((seen.inward >= deep) & seen.within), _ASKED

    def hollow(self, body: Box, side: int) -> bool:
        """Whether what is seen behind this side lies at many depths, as shelves, walls and contents do; a front that is only farther back than was
        thought lies at one."""
        seen = self._reading(body, side)
        if seen is None:
            return False
        behind = seen.inward[seen.within & (seen.inward > 0.1)]
        if behind.size <= 2:
            return False
        far, near = percentiles(behind, (85, 15))
        return far - near >= _HOLLOW * body.size[side // 2] + seen.noise

    def _reading(self, body: Box, side: int) -> _Reading | None:
        if (body, side) not in self._read:
            self._look_up([(body, side)])
        return self._read[body, side]

    def _look_up(self, faces: list[tuple[Box, int]]) -> None:
        self._read |= dict.fromkeys(faces)
        camera = self._frame.camera_pose[:3, 3].tolist()
        shown = [(body, side, eye) for body, side in faces if _is_turned_to(eye := body.local(camera), body, side)]
        if not shown:
            return
        grids = [face(side, _LINES, _OUT) * body.size for body, side, _ in shown]
        points = np.concatenate([body.to_map(grid) for (body, *_), grid in zip(shown, grids)])
        expected, measured = depth_at(points, self._frame.depth, self._frame.camera, self._frame.camera_pose, self._frame.passing)
        grid, eye = np.array(grids), np.array([eye for *_, eye in shown])[:, None]  # both in the axes of each body
        half = np.array([body.size for body, *_ in shown])[:, None] / 2
        noise = self._config.depth_noise * (eye ** 2).sum(axis=2)
        way = grid - eye
        hit = eye + way * (measured / expected).reshape(len(shown), -1, 1)
        within = (np.abs(hit) <= half + 0.05 + noise[:, None]).all(axis=2)
        reach, good = _reach_in(grid, way, half), np.isfinite(measured).reshape(len(shown), -1)
        for k, (body, side, _) in enumerate(shown):
            axis, read = side // 2, good[k]
            self._read[body, side] = _Reading(body.size[axis] / 2 - SIGNS[side] * hit[k, read, axis], within[k, read],
                                              np.abs(way[k, read, axis]) * reach[k, read], float(noise[k, 0]))


def _is_turned_to(eye: tuple[float, float, float], body: Box, side: int) -> bool:
    """Whether this side of the body is seen from ``eye``, which is in the body's axes."""
    lead = SIGNS[side] * eye[side // 2] - body.size[side // 2] / 2
    return lead > 0.05 and lead >= 0.2 * math.hypot(*eye)


@lru_cache(maxsize=16)
def face(side: int, lines: int, out: float) -> np.ndarray:
    """Points (lines², 3) on this side of a box of edge 1 about the origin, evenly to ``out`` from its middle; not to be written to."""
    axis, line = side // 2, np.linspace(-out, out, lines)
    a, b = [x for x in range(3) if x != axis]
    grid = np.empty((lines ** 2, 3))
    grid[:, a], grid[:, b], grid[:, axis] = np.repeat(line, lines), np.tile(line, lines), 0.5 * SIGNS[side]
    grid.setflags(write=False)
    return grid


def _reach_in(points: np.ndarray, way: np.ndarray, half: np.ndarray) -> np.ndarray:
    """(k, n): after which share of the ``way`` there, (k, n, 3), lines of sight through ``points`` of fronts end at the boxes' other sides. Where that is hardly
    behind the front itself, as in a basket seen from the side, a reading there says nothing: it would be the same were it open."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(way == 0, np.inf, (np.sign(way) * half - points) / way)
    return np.maximum(ends, 0.0).min(axis=2)
