"""What the light network is shown: colour, and what depth and gravity say about every pixel.

Depth alone already tells size, height above the floor and whether a surface lies or stands; handed to the network as channels it need not
learn them from pixels, which is why few images suffice. Training and inference call the same function, so they cannot drift apart.
Invariant: an image without depth gives zeros in every geometric channel, never invented geometry.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from household.camera import CameraModel

GEOMETRY = ("depth", "pixel_size", "valid", "height", "floor_known", "normal_up", "normal_view")
_FAR, _TALL, _PIXEL = 8.0, 2.5, 0.02  # metres that map to 1: depth, height, width of a pixel's footprint
_PITCHES = np.arange(-0.95, 0.46, 0.035)  # radians the camera may look down (negative) or up
_LOW, _HIGH, _BIN = 0.4, 2.2, 0.03  # metres the camera may stand above the floor; histogram bin
_SHARE = 0.06  # of the points that must lie on a plane for it to be the floor


@dataclass(frozen=True)
class Floor:
    """``up``: unit vector float64 (3,) in the camera's optical frame; ``height``: of the camera above the floor, metres."""

    up: np.ndarray
    height: float


def floor_of_pose(camera_pose: np.ndarray) -> Floor:
    """From optical → map, (4, 4), where the floor is z = 0."""
    return Floor(np.asarray(camera_pose, float)[2, :3].copy(), float(camera_pose[2, 3]))


def find_floor(depth: np.ndarray, camera: CameraModel) -> Floor | None:
    """The largest level plane under the camera with little beneath it; None where no such plane shows. ``depth`` float (H, W) metres.

    Assumes a camera without roll, as on a robot's neck; a least-squares plane through the inliers corrects small errors of that.
    """
    points = _points(depth, camera)
    if len(points) < 200:
        return None
    ups = np.stack([np.zeros_like(_PITCHES), -np.cos(_PITCHES), np.sin(_PITCHES)])
    bins = int(round((_HIGH - _LOW) / _BIN))
    index = np.floor((-(points @ ups) - _LOW) / _BIN).astype(np.int64)
    beneath = (index >= bins).sum(axis=0)
    inside = (index >= 0) & (index < bins)
    flat = (index + np.arange(len(_PITCHES)) * bins)[inside]
    counts = np.bincount(flat, minlength=bins * len(_PITCHES)).reshape(len(_PITCHES), bins)
    peaks = counts + np.roll(counts, 1, axis=1) * (np.arange(bins) > 0)
    under = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1] - counts + beneath[:, None]
    under -= np.roll(counts, -1, axis=1) * (np.arange(bins) < bins - 1)  # the floor's own spread
    score = peaks - 2.0 * under
    p, b = np.unravel_index(int(np.argmax(score)), score.shape)
    if peaks[p, b] < _SHARE * len(points):
        return None
    return _refined(points, ups[:, p], _LOW + b * _BIN)


def _points(depth: np.ndarray, camera: CameraModel) -> np.ndarray:
    """About five thousand points within 5 m, float64 (n, 3), optical frame."""
    step = max(1, int(round((depth.size / 5000) ** 0.5)))
    v, u = np.mgrid[step // 2:depth.shape[0]:step, step // 2:depth.shape[1]:step]
    z = np.nan_to_num(depth[v, u].astype(float), nan=0.0, posinf=0.0)
    keep = (z > 0.2) & (z < 5.0)
    z, u, v = z[keep], u[keep], v[keep]
    return np.stack([(u - camera.cx) / camera.fx * z, (v - camera.cy) / camera.fy * z, z], axis=1)


def _refined(points: np.ndarray, up: np.ndarray, height: float) -> Floor | None:
    """The least-squares plane of what is near; None where that is not level (a strip of a wall)."""
    floor = Floor(up, float(height))
    for tolerance in (0.03, 0.02):
        near = points[np.abs(points @ floor.up + floor.height) < tolerance + 0.006 * points[:, 2] ** 2]
        if len(near) < 30:
            return None
        middle = near.mean(axis=0)
        normal = np.linalg.svd(near - middle, full_matrices=False)[2][2]
        normal = normal * (1.0 if normal @ up > 0 else -1.0)
        if normal @ up < np.cos(0.15):
            return None
        floor = Floor(normal, float(-(middle @ normal)))
    return floor


def inputs(color: np.ndarray, depth: np.ndarray | None, camera: CameraModel, size: tuple[int, int],
           floor: Floor | None) -> tuple[np.ndarray, np.ndarray]:
    """Colour float32 (3, h, w) in [-1, 1] and geometry float32 (7, h/2, w/2), rows of ``GEOMETRY``; ``size`` = (w, h), both multiples of 32."""
    width, height = size
    shrink = color.shape[1] > width
    picture = color if color.shape[:2] == (height, width) else cv2.resize(
        color, (width, height), interpolation=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR)
    rgb = np.ascontiguousarray((picture.astype(np.float32) / 127.5 - 1.0).transpose(2, 0, 1))
    geometry = np.zeros((len(GEOMETRY), height // 2, width // 2), np.float32)
    if depth is not None:
        _fill(geometry, depth, camera, floor)
    return rgb, geometry


def prepared(color: np.ndarray, depth: np.ndarray | None, camera: CameraModel, camera_pose: np.ndarray | None,
             size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, Floor | None]:
    """What a detector is given, checked, as :func:`inputs`, and the floor: of ``camera_pose`` (optical → map, (4, 4)), else looked for in depth. Raises
    ValueError naming what does not fit the camera."""
    if color.shape != (camera.height, camera.width, 3) or color.dtype != np.uint8:
        raise ValueError(f"color is {color.dtype} {color.shape}, wanted uint8 {(camera.height, camera.width, 3)}")
    if depth is not None and depth.shape != (camera.height, camera.width):
        raise ValueError(f"depth is {depth.shape}, wanted {(camera.height, camera.width)}")
    floor = floor_of_pose(camera_pose) if camera_pose is not None else None if depth is None else find_floor(depth, camera)
    return *inputs(color, depth, camera, size, floor), floor


def _fill(out: np.ndarray, depth: np.ndarray, camera: CameraModel, floor: Floor | None) -> None:
    h, w = out.shape[1:]
    rows, columns = ((np.arange(h) + 0.5) * depth.shape[0] / h).astype(int), ((np.arange(w) + 0.5) * depth.shape[1] / w).astype(int)
    z = depth[rows[:, None], columns[None]].astype(np.float32)
    z = np.where(np.isfinite(z) & (z > 0.05) & (z < 20.0), z, np.float32(0))
    z = np.where(z > 0, z, cv2.dilate(z, np.ones((3, 3), np.uint8)))  # one-pixel holes take a neighbour's reading
    valid = z > 0
    x = ((columns - camera.cx) / camera.fx).astype(np.float32)[None] * z
    y = ((rows - camera.cy) / camera.fy).astype(np.float32)[:, None] * z
    out[0], out[1] = np.minimum(z / _FAR, 1.5), np.minimum(z / camera.fx * (depth.shape[1] / w) / _PIXEL, 3.0)
    out[2] = valid
    normal = _normals(x, y, z, valid)
    length = np.sqrt(x * x + y * y + z * z) + 1e-6
    out[6] = -(normal[0] * x + normal[1] * y + normal[2] * z) / length
    if floor is not None:
        up = floor.up.astype(np.float32)
        out[3] = np.clip((x * up[0] + y * up[1] + z * up[2] + np.float32(floor.height)) / _TALL, -0.2, 1.2) * valid
        out[4] = 1.0
        out[5] = normal[0] * up[0] + normal[1] * up[1] + normal[2] * up[2]


def _normals(x: np.ndarray, y: np.ndarray, z: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Unit normals towards the camera, float32 (3, h, w); zero where depth is missing. Points are averaged 3×3 first."""
    weight = cv2.blur(valid.astype(np.float32), (3, 3)) + 1e-6
    smooth = [cv2.blur(a, (3, 3)) / weight for a in (x, y, z)]
    du = [cv2.filter2D(a, cv2.CV_32F, np.array([[-1, 0, 0, 0, 1]], np.float32)) for a in smooth]
    dv = [cv2.filter2D(a, cv2.CV_32F, np.array([[-1], [0], [0], [0], [1]], np.float32)) for a in smooth]
    n = np.stack([dv[1] * du[2] - dv[2] * du[1], dv[2] * du[0] - dv[0] * du[2], dv[0] * du[1] - dv[1] * du[0]])
    n /= np.sqrt((n * n).sum(axis=0)) + 1e-9
    towards = np.sign(-(n[0] * x + n[1] * y + n[2] * z))
    return n * towards * valid
