"""Small plain-numpy geometry that every other module of perception uses: boxes turned about z, rays, projections.

Frame ``map``, metres, yaw radians. Everything here is a pure function of its arguments.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

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
        d = np.asarray(points, dtype=float).reshape(-1, 3) - self.centre
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        local = np.empty_like(d)
        local[:, 0], local[:, 1], local[:, 2] = c * d[:, 0] + s * d[:, 1], c * d[:, 1] - s * d[:, 0], d[:, 2]
        return local

    def to_map(self, local: np.ndarray) -> np.ndarray:
        p = np.asarray(local, dtype=float).reshape(-1, 3)
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return np.column_stack([c * p[:, 0] - s * p[:, 1], s * p[:, 0] + c * p[:, 1], p[:, 2]]) + self.centre

    def contains(self, points: np.ndarray, margin: float = 0.0) -> np.ndarray:
        """bool (N,)"""
        return (np.abs(self.to_local(points)) <= np.asarray(self.size) / 2 + margin).all(axis=1)

    def distance(self, point) -> float:
        """From a point to the box, metres; 0 inside."""
        return math.hypot(self.footprint_distance(point), max(abs(float(point[2]) - self.centre[2]) - self.size[2] / 2, 0.0))

    def footprint_distance(self, point) -> float:
        """As :meth:`distance`, looking from above."""
        x, y, c, s = float(point[0]) - self.centre[0], float(point[1]) - self.centre[1], math.cos(self.yaw), math.sin(self.yaw)
        return math.hypot(max(abs(c * x + s * y) - self.size[0] / 2, 0.0), max(abs(c * y - s * x) - self.size[1] / 2, 0.0))

    def grid(self, n: int = 3, shrink: float = 0.8) -> np.ndarray:
        """n³ points evenly inside, (n³, 3)."""
        line = np.linspace(-0.5, 0.5, n) * shrink if n > 1 else np.zeros(1)
        g = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
        return self.to_map(g * np.asarray(self.size))


def fit_box(points: np.ndarray, snap: tuple[float, ...] = (0.0,), trim: float = 1.0, turned: bool = True) -> Box:
    """The upright box around points (N, 3), N ≥ 1. ``trim``: percent of points cut off at either side of each axis;
    ``turned`` False: along the first wall, without a look at other directions.

    Its yaw is that of the walls (``snap``, mod 90°) unless another fits the seen faces clearly better: a camera sees the faces of a thing,
    so the right box is the one whose sides the points lie on, not the smallest (two faces of a cupboard form an L, whose
    smallest rectangle stands askew). The yaw lies in (−45°, 45°], so that x stays x for furniture along the walls.
    """
    yaw = _best_yaw(points[:, :2], snap or (0.0,)) if turned else wrap_quarter((snap or (0.0,))[0])
    low, high = _bounds(points, yaw, trim)
    c, s = np.cos(yaw), np.sin(yaw)
    middle, size = (low + high) / 2, high - low
    centre = (float(c * middle[0] - s * middle[1]), float(s * middle[0] + c * middle[1]), float(middle[2]))
    return Box(centre, (float(size[0]), float(size[1]), float(size[2])), float(yaw))


def _bounds(points: np.ndarray, yaw: float, trim: float) -> tuple[np.ndarray, np.ndarray]:
    c, s = np.cos(yaw), np.sin(yaw)
    local = np.column_stack([c * points[:, 0] + s * points[:, 1], -s * points[:, 0] + c * points[:, 1], points[:, 2]])
    if trim <= 0 or len(local) < 50:
        return local.min(axis=0), local.max(axis=0)
    k = int(len(local) * trim / 100)
    part = np.partition(local, (k, len(local) - 1 - k), axis=0)
    return part[k], part[len(local) - 1 - k]


_TURNS = np.radians(np.arange(-40, 46, 10))


def _best_yaw(xy: np.ndarray, snap: tuple[float, ...]) -> float:
    """The direction (mod 90°) on whose rectangle's sides most points lie."""
    first = wrap_quarter(snap[0])
    if len(xy) < 30 or np.ptp(xy, axis=0).max() < 0.15:
        return first
    sample = xy[:: max(1, len(xy) // 250)]
    if len(snap) == 1 and _on_sides(sample, first) > 0.75:
        return first
    best, score = first, max(_on_sides(sample, first), 1e-9) + 0.15
    rectangle = cv2.minAreaRect(np.ascontiguousarray(sample, dtype=np.float32))
    rough = [wrap_quarter(s) for s in snap[1:]] + [wrap_quarter(float(np.radians(rectangle[2])))] + list(first + _TURNS)
    for yaw in rough:
        value = _on_sides(sample, yaw) + (0.1 if any(abs(wrap_quarter(yaw - s)) < 0.02 for s in snap) else 0.0)
        if value > score:
            best, score = yaw, value
    if best == first:
        return first
    fine = best + np.radians(np.arange(-6, 7, 2))
    best = max(fine, key=lambda yaw: _on_sides(sample, yaw))
    for s in snap:
        if abs(wrap_quarter(best - s)) < 0.10:
            return wrap_quarter(s)
    return wrap_quarter(float(best))


def _on_sides(xy: np.ndarray, yaw: float, near: float = 0.03) -> float:
    """Share of the points within ``near`` metres of a side of their own upright rectangle at this yaw."""
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = c * xy[:, 0] + s * xy[:, 1], -s * xy[:, 0] + c * xy[:, 1]
    k = max(1, len(xy) // 60)
    xs, ys = np.partition(x, (k, len(x) - 1 - k)), np.partition(y, (k, len(y) - 1 - k))
    on = (np.minimum(np.abs(x - xs[k]), np.abs(x - xs[-1 - k])) < near) | (np.minimum(np.abs(y - ys[k]), np.abs(y - ys[-1 - k])) < near)
    return float(on.mean())


def wrap(angle: float) -> float:
    """Into (−π, π]."""
    return float(-((-angle + np.pi) % (2 * np.pi) - np.pi))


def wrap_quarter(angle: float) -> float:
    """Modulo 90° into (−45°, 45°]."""
    return float(-((-angle + np.pi / 4) % (np.pi / 2) - np.pi / 4))


def project(points: np.ndarray, camera: CameraModel, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (N, 3) of map → u, v (float pixels), z (planar depth, metres). Behind the camera z ≤ 0 and u, v mean nothing."""
    local = (np.asarray(points, float).reshape(-1, 3) - pose[:3, 3]) @ pose[:3, :3]
    z = local[:, 2]
    safe = np.where(np.abs(z) < 1e-6, 1e-6, z)
    return camera.fx * local[:, 0] / safe + camera.cx, camera.fy * local[:, 1] / safe + camera.cy, z


def depth_at(points: np.ndarray, depth: np.ndarray, camera: CameraModel, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(expected, measured) planar depth of points (N, 3), metres. ``measured`` is NaN out of the image or without a reading."""
    u, v, z = project(points, camera, pose)
    column, row = np.rint(u).astype(int), np.rint(v).astype(int)
    good = (z > 0.05) & (column >= 0) & (column < camera.width) & (row >= 0) & (row < camera.height)
    measured = np.full(len(z), np.nan)
    measured[good] = depth[row[good], column[good]]
    measured[~(measured > 0)] = np.nan
    return z, measured


def overlap(a: Box, b: Box) -> float:
    """Share of the smaller box's volume that lies in the other, by its grid of points; in [0, 1]."""
    small, large = (a, b) if a.volume <= b.volume else (b, a)
    return float(large.contains(small.grid(4, 0.95), 0.01).mean())
