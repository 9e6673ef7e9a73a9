"""An analytic world of boxes and its ray caster: ground truth that no bridge had a hand in.

Colour, planar depth and ids of every pixel are exact to float precision, so a bridge's units, axes and intrinsics can be held against them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from household.camera import CameraModel


@dataclass(frozen=True)
class Box:
    """``center``, ``size`` (full) in map metres, turned by ``yaw`` about z. ``entity``: whose it is ('' for walls and floors)."""

    entity: str
    center: tuple[float, float, float]
    size: tuple[float, float, float]
    yaw: float = 0.0
    color: tuple[int, int, int] = (128, 128, 128)

    def corners(self) -> np.ndarray:
        """(8, 3) in map."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        return (signs * self.size) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T + self.center

    def distance(self, points: np.ndarray) -> np.ndarray:
        """(n,) distance in metres of (n, 3) map points to the surface of the box."""
        c, s = np.cos(self.yaw), np.sin(self.yaw)
        local = (points - self.center) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        q = np.abs(local) - np.array(self.size) / 2
        outside = np.linalg.norm(np.maximum(q, 0), axis=1)
        return np.abs(outside + np.minimum(q.max(axis=1), 0))


def render(boxes: list[Box], camera: CameraModel, pose: np.ndarray, far: float = 100.0):
    """→ color uint8 (H, W, 3), depth float32 (H, W) planar metres with ``far`` where nothing is hit, index int32 (H, W) of the box or −1.

    ``pose`` (4, 4): optical frame → map. A box is intersected by slabs in its own frame; only the pixels under its outline are tried.
    """
    h, w = camera.height, camera.width
    u, v = np.meshgrid(np.arange(w), np.arange(h))
    rays = np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones((h, w))], axis=-1)
    depth = np.full((h, w), far)
    index = np.full((h, w), -1, np.int32)
    face = np.zeros((h, w), np.int8)
    to_camera = np.linalg.inv(pose)
    for i, box in enumerate(boxes):
        rows, cols = _outline(box, camera, to_camera)
        if rows.start >= rows.stop or cols.start >= cols.stop:
            continue
        c, s = np.cos(box.yaw), np.sin(box.yaw)
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])  # map → box axes
        origin = turn @ (pose[:3, 3] - box.center)
        direction = rays[rows, cols] @ (turn @ pose[:3, :3]).T
        half = np.array(box.size) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            near, away = (-half - origin) / direction, (half - origin) / direction
        low, high = np.fmin(near, away), np.fmax(near, away)
        enter, leave = low.max(axis=-1), high.min(axis=-1)
        hit = (enter <= leave) & (enter > 1e-6) & (enter < depth[rows, cols])
        depth[rows, cols][hit] = enter[hit]
        index[rows, cols][hit] = i
        face[rows, cols][hit] = low.argmax(axis=-1)[hit]
    shade = np.array([0.8, 0.65, 1.0])[face][..., None]
    palette = np.array([b.color for b in boxes] + [(0, 0, 0)], dtype=np.float64)
    return (palette[index] * shade).astype(np.uint8), depth.astype(np.float32), index


def _outline(box: Box, camera: CameraModel, to_camera: np.ndarray) -> tuple[slice, slice]:
    """Rows and columns that can see the box; the whole image if it reaches behind the camera."""
    points = box.corners() @ to_camera[:3, :3].T + to_camera[:3, 3]
    if (points[:, 2] <= 1e-3).all():
        return slice(0, 0), slice(0, 0)
    if (points[:, 2] <= 1e-3).any():
        return slice(0, camera.height), slice(0, camera.width)
    u = points[:, 0] / points[:, 2] * camera.fx + camera.cx
    v = points[:, 1] / points[:, 2] * camera.fy + camera.cy
    return (slice(max(0, int(np.floor(v.min()))), min(camera.height, int(np.ceil(v.max())) + 1)),
            slice(max(0, int(np.floor(u.min()))), min(camera.width, int(np.ceil(u.max())) + 1)))
