"""Small plain-numpy geometry that every other module of perception uses: boxes turned about z, rays, projections.

Frame ``map``, metres, yaw radians. Everything here is a pure function of its arguments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from household.camera import CameraModel


@dataclass(frozen=True)
class Box:
    """``centre`` (x, y, z), ``size`` full extents along its own axes, turned by ``yaw`` about z."""

    centre: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float = 0.0

    @property
    def bottom(self) -> float:
        return self.centre[2] - self.size[2] / 2

    @property
    def top(self) -> float:
        return self.centre[2] + self.size[2] / 2

    @property
    def volume(self) -> float:
        return self.size[0] * self.size[1] * self.size[2]

    def to_local(self, points: np.ndarray) -> np.ndarray:
        """Points (N, 3) of map in the box's own axes, origin at its centre."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return (np.asarray(points, dtype=float).reshape(-1, 3) - self.centre) @ np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))

    def local(self, point) -> tuple[float, float, float]:
        """As :meth:`to_local`, of one point (x, y, z)."""
        x, y = float(point[0]) - self.centre[0], float(point[1]) - self.centre[1]
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return c * x + s * y, c * y - s * x, float(point[2]) - self.centre[2]

    def holds(self, point, margin: float = 0.0) -> bool:
        """As :meth:`contains`, of one point (x, y, z)."""
        return all(abs(at) <= edge / 2 + margin for at, edge in zip(self.local(point), self.size))

    def to_map(self, local: np.ndarray) -> np.ndarray:
        """Points (N, 3) in the box's own axes → map."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return np.asarray(local, dtype=float).reshape(-1, 3) @ np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))) + self.centre

    def contains(self, points: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """bool (N,)"""
        p = np.asarray(points, dtype=float).reshape(-1, 3)
        x, y, z = p[:, 0] - self.centre[0], p[:, 1] - self.centre[1], p[:, 2] - self.centre[2]
        c, s, half = math.cos(self.yaw), math.sin(self.yaw), [edge / 2 + margin for edge in self.size]
        return (np.abs(c * x + s * y) <= half[0]) & (np.abs(c * y - s * x) <= half[1]) & (np.abs(z) <= half[2])

    def distance(self, point) -> float:
        """From a point to the box, metres; 0 inside."""
        return math.hypot(self.footprint_distance(point), max(abs(float(point[2]) - self.centre[2]) - self.size[2] / 2, 0.0))

    def footprint_distance(self, point) -> float:
        """As :meth:`distance`, looking from above."""
        (x, y, _), (width, depth, _), c, s = self.centre, self.size, math.cos(self.yaw), math.sin(self.yaw)
        x, y = float(point[0]) - x, float(point[1]) - y
        u, v = abs(c * x + s * y) - width / 2, abs(c * y - s * x) - depth / 2
        return (math.hypot(u, v) if v > 0.0 else u) if u > 0.0 else max(v, 0.0)

    def grid(self, n: int = 3, shrink: float = 0.8) -> np.ndarray:
        """n³ points evenly inside, (n³, 3)."""
        return self.to_map(_unit_grid(n, shrink) * self.size)


@lru_cache(maxsize=64)
def _unit_grid(n: int, shrink: float) -> np.ndarray:
    """The points of :meth:`Box.grid` in a box of edge 1; not to be written to."""
    line = np.linspace(-0.5, 0.5, n) * shrink if n > 1 else np.zeros(1)
    grid = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
    grid.setflags(write=False)
    return grid


def length(d: np.ndarray) -> float:
    """Euclidean length of one vector (n,)."""
    return math.sqrt(d.dot(d))


def lengths(d: np.ndarray) -> np.ndarray:
    """Euclidean lengths (N,) of vectors (N, 2) or (N, 3)."""
    squares = d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]
    return np.sqrt(squares if d.shape[1] == 2 else squares + d[:, 2] * d[:, 2])


def fit_box(points: np.ndarray, snap: tuple[float, ...] = (0.0,), trim: float = 1.0, turned: bool = True) -> Box:
    """The upright box around points (N, 3), N ≥ 1. ``trim``: percent of points cut off at either side of each axis;
    ``turned`` False: along the first wall, without a look at other directions.

    Its yaw is that of the walls (``snap``, mod 90°) unless another fits the seen faces clearly better: a camera sees the faces of a thing,
    so the right box is the one whose sides the points lie on, not the smallest (two faces of a cupboard form an L, whose
    smallest rectangle stands askew). The yaw lies in (−45°, 45°], so that x stays x for furniture along the walls.
    """
    x, y, z = np.ascontiguousarray(points.T, dtype=float)
    yaw = _best_yaw(x, y, snap or (0.0,)) if turned else wrap_quarter((snap or (0.0,))[0])
    c, s = float(np.cos(yaw)), float(np.sin(yaw))
    low, high = _bounds(x, y, z, c, s, trim)
    (u, v, w), size = ((low + high) / 2).tolist(), (high - low).tolist()
    return Box((c * u - s * v, s * u + c * v, w), tuple(size), float(yaw))


def _bounds(x: np.ndarray, y: np.ndarray, z: np.ndarray, c: float, s: float, trim: float) -> tuple[np.ndarray, np.ndarray]:
    """Low and high (3,) along the axes of a box whose yaw has cosine ``c`` and sine ``s``."""
    local = np.array([c * x + s * y, -s * x + c * y, z])
    k = int(len(x) * trim / 100) if trim > 0 and len(x) >= 50 else 0
    local.partition((k, len(x) - 1 - k), axis=1)
    return local[:, k], local[:, len(x) - 1 - k]


_TURNS = np.radians([turn for turn in range(-40, 46, 10) if turn])
_FINE = np.radians(np.arange(-6, 7, 2))


def _best_yaw(x: np.ndarray, y: np.ndarray, snap: tuple[float, ...]) -> float:
    """The direction (mod 90°) on whose rectangle's sides most points lie."""
    first = wrap_quarter(snap[0])
    if len(x) < 30 or x.max() - x.min() < 0.15 and y.max() - y.min() < 0.15:
        return first
    every = max(1, len(x) // 250)
    some = np.array((x[::every], y[::every]), np.float32)
    rectangle = cv2.minAreaRect(some.T.copy())
    rough = [first, *(wrap_quarter(s) for s in snap[1:]), wrap_quarter(math.radians(rectangle[2])), *(first + _TURNS).tolist()]
    at_first, *others = _on_sides(some, np.array(rough))
    if len(snap) == 1 and at_first > 0.75:
        return first
    best, score = first, max(at_first, 1e-9) + 0.15
    for yaw, value in zip(rough[1:], others):
        if value + 0.1 <= score:
            continue
        value += 0.1 if any(abs(wrap_quarter(yaw - s)) < 0.02 for s in snap) else 0.0
        if value > score:
            best, score = yaw, value
    if best == first:
        return first
    fine = best + _FINE
    best = fine[int(np.argmax(_on_sides(some, fine)))]
    for s in snap:
        if abs(wrap_quarter(best - s)) < 0.10:
            return wrap_quarter(s)
    return wrap_quarter(float(best))


def _on_sides(points: np.ndarray, yaws: np.ndarray, near: float = 0.03) -> list[float]:
    """Share of the ``points``, x and y of them (2, n), within ``near`` metres of a side of their own upright rectangle at each of ``yaws`` (k,)."""
    k, n = len(yaws), points.shape[1]
    rim = max(1, n // 60)
    c, s = np.cos(yaws).astype(points.dtype), np.sin(yaws).astype(points.dtype)
    lines = np.array((c, s, -s, c)).reshape(2, 2, k).transpose(0, 2, 1).reshape(2 * k, 2) @ points
    ordered = np.sort(lines, axis=1)
    low, high = ordered[:, rim, None], ordered[:, n - 1 - rim, None]
    on = np.abs(np.abs(lines - (low + high) / 2) - (high - low) / 2) < near
    return [np.count_nonzero(row) / n for row in on[:k] | on[k:]]


def wrap(angle: float) -> float:
    """Into (−π, π]."""
    return float(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def wrap_quarter(angle: float) -> float:
    """Modulo 90° into (−45°, 45°]."""
    return float(-((-angle + np.pi / 4) % (np.pi / 2) - np.pi / 4))


def project(points: np.ndarray, camera: CameraModel, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (N, 3) of map → u, v (float pixels), z (planar depth, metres). Behind the camera z ≤ 0 and u, v mean nothing."""
    x, y, z = pose[:3, :3].T @ (np.asarray(points, float).reshape(-1, 3) - pose[:3, 3]).T
    safe = np.maximum(z, 1e-6)
    return camera.fx * x / safe + camera.cx, camera.fy * y / safe + camera.cy, z


def pixels_of(points: np.ndarray, camera: CameraModel, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Planar depth (N,) of points (N, 3) of map, metres; which of them (k,) lie in the image; the (rows, columns), each (k,), at which those do."""
    u, v, z = project(points, camera, pose)
    column, row = np.rint(u), np.rint(v)
    good = ((z > 0.05) & (column >= 0) & (column < camera.width) & (row >= 0) & (row < camera.height)).nonzero()[0]
    return z, good, (row.take(good).astype(int), column.take(good).astype(int))


def depth_at(points: np.ndarray, depth: np.ndarray, camera: CameraModel, pose: np.ndarray, ignore: np.ndarray | None = None
             ) -> tuple[np.ndarray, np.ndarray]:
    """(expected, measured) planar depth of points (N, 3), metres. ``measured`` is NaN out of the image, without a reading, and at pixels marked in ``ignore``
    bool (H, W)."""
    z, good, pixels = pixels_of(points, camera, pose)
    read = depth[pixels]
    counts = read > 0 if ignore is None else (read > 0) & ~ignore[pixels]
    measured = np.empty(len(z))
    measured.fill(np.nan)
    measured[good.compress(counts)] = read.compress(counts)
    return z, measured


def overlap(a: Box, b: Box) -> float:
    """Share of the smaller box's volume that lies in the other, by its grid of points; in [0, 1]."""
    small, large = (a, b) if a.volume <= b.volume else (b, a)
    return np.count_nonzero(large.contains(small.grid(4, 0.95), 0.01)) / 64
