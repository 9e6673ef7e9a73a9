"""Colour and depth as one picture: lenses straightened, and depth registered to the colour camera where a driver leaves it in its own frame.

Every depth pixel is lifted, moved by the extrinsics, and projected into the colour image; where two land on one pixel the nearer wins, as it
would for the eye. A depth pixel covers a patch, not a point: with a colour camera of finer resolution each is splatted over the pixels it covers,
so that surfaces come out without holes.
Invariant: no depth is invented: a colour pixel that no depth pixel covers stays 0.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from household.camera import CameraModel, Lens
from household.images import check_size, clean_depth
from household.transforms import matrix_from

MAX_SPLAT = 4  # pixels


def joined(color: np.ndarray, depth: np.ndarray | None, color_lens: Lens, depth_lens: Lens | None = None,
           color_from_depth: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray | None]:
    """(colour, depth) in the pixels of the colour camera's pinhole. ``depth_lens`` None: depth is in the colour camera already; ``depth`` None:
    there is none. ``color_from_depth`` (4, 4): depth optical frame → colour optical frame. Raises ImageFormatError for a size that is not announced.
    """
    check_size("colour", color, color_lens.camera.height, color_lens.camera.width)
    color = color_lens.straightened(color, smooth=True)
    if depth is None:
        return color, None
    lens = depth_lens or color_lens
    check_size("depth", depth, lens.camera.height, lens.camera.width)
    depth = lens.straightened(depth, smooth=False)
    return color, depth if depth_lens is None else register_depth(depth, lens.camera, color_lens.camera, color_from_depth)


def extrinsics(text: str) -> np.ndarray:
    """"x y z qx qy qz qw" (the pose of the depth camera in the colour camera, optical frames, metres) → (4, 4). Raises ValueError."""
    try:
        numbers = [float(word) for word in text.replace(",", " ").split()]
        if len(numbers) != 7 or not 0.9 < math.hypot(*numbers[3:]) < 1.1 or not all(map(math.isfinite, numbers)):
            raise ValueError
    except ValueError:
        raise ValueError(f"'{text}': seven numbers are due, x y z qx qy qz qw of the depth camera in the colour camera (0.015 0 0 0 0 0 1)") from None
    return matrix_from(numbers[:3], numbers[3:])


def register_depth(depth: np.ndarray, depth_camera: CameraModel, color_camera: CameraModel, color_from_depth: np.ndarray) -> np.ndarray:
    """float32 (h, w) metres in the depth camera → float32 (H, W) planar metres in the colour camera, 0 = no reading.

    ``color_from_depth`` (4, 4): depth optical frame → colour optical frame, metres. Raises ValueError for a size that is not the camera's.
    """
    if depth.shape != (depth_camera.height, depth_camera.width):
        raise ValueError(f"depth is {depth.shape[1]}×{depth.shape[0]}, its camera_info says {depth_camera.width}×{depth_camera.height}")
    import cv2

    method = _with_opencv if hasattr(cv2, "registerDepth") else splat  # OpenCV 5; 4 has it only among its extra modules
    return method(depth, depth_camera, color_camera, color_from_depth)


def _with_opencv(depth: np.ndarray, depth_camera: CameraModel, color_camera: CameraModel, color_from_depth: np.ndarray) -> np.ndarray:
    import cv2

    def matrix(m: CameraModel) -> np.ndarray:
        return np.array([[m.fx, 0, m.cx], [0, m.fy, m.cy], [0, 0, 1]])

    out = cv2.registerDepth(matrix(depth_camera), matrix(color_camera), np.zeros(5), np.asarray(color_from_depth, np.float64),
                            np.ascontiguousarray(depth), (color_camera.width, color_camera.height), depthDilation=True)
    return clean_depth(out)


def splat(depth: np.ndarray, depth_camera: CameraModel, color_camera: CameraModel, color_from_depth: np.ndarray) -> np.ndarray:
    """The same without OpenCV 5, four times slower."""
    rotation, shift = color_from_depth[:3, :3].astype(np.float32), color_from_depth[:3, 3].astype(np.float32)
    rays, flat = _rays(depth_camera), depth.ravel()
    x, y, z = (rotation[i] @ rays * flat + shift[i] for i in range(3))
    keep = (flat > 0) & (z > 1e-3)
    x, y, z = x[keep], y[keep], z[keep]
    u = x / z * np.float32(color_camera.fx) + np.float32(color_camera.cx)
    v = y / z * np.float32(color_camera.fy) + np.float32(color_camera.cy)
    spans = [max(1, min(MAX_SPLAT, math.ceil(c / d - 0.05))) for c, d in ((color_camera.fx, depth_camera.fx), (color_camera.fy, depth_camera.fy))]
    width, height, margin = color_camera.width, color_camera.height, MAX_SPLAT
    left, top = (np.floor(a + np.float32(0.5 - (n - 1) / 2)).astype(np.int32) for a, n in ((u, spans[0]), (v, spans[1])))
    near = (left > -margin) & (left < width + margin) & (top > -margin) & (top < height + margin)
    stride = width + 3 * margin  # a border catches what a splat puts beside the picture
    canvas = np.full((height + 3 * margin) * stride, np.inf, np.float32)
    first, z = (top[near] + margin).astype(np.intp) * stride + left[near] + margin, z[near]
    for dy in range(spans[1]):
        for dx in range(spans[0]):
            np.minimum.at(canvas, first + (dy * stride + dx), z)
    out = np.ascontiguousarray(canvas.reshape(-1, stride)[margin:margin + height, margin:margin + width])
    out[np.isinf(out)] = 0
    return out


@lru_cache(maxsize=4)
def _rays(camera: CameraModel) -> np.ndarray:
    """float32 (3, h·w): the ray of every pixel, z = 1."""
    v, u = np.mgrid[0:camera.height, 0:camera.width]
    return np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(u.shape)]).reshape(3, -1).astype(np.float32)
