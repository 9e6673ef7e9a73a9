"""Depth registered to the colour camera: for drivers that publish depth in the depth camera's own frame.

Every depth pixel is lifted, moved by the extrinsics, and projected into the colour image; where two land on one pixel the nearer wins, as it
would for the eye. A depth pixel covers a patch, not a point: with a colour camera of finer resolution each is splatted over the pixels it covers,
so that surfaces come out without holes. Invariant: no depth is invented: a colour pixel that no depth pixel covers stays 0.
"""

from __future__ import annotations

import math

import numpy as np

from household.camera import CameraModel

MAX_SPLAT = 4  # pixels


def register_depth(depth: np.ndarray, depth_camera: CameraModel, color_camera: CameraModel, color_from_depth: np.ndarray) -> np.ndarray:
    """float32 (h, w) metres in the depth camera → float32 (H, W) planar metres in the colour camera, 0 = no reading.

    ``color_from_depth`` (4, 4): depth optical frame → colour optical frame, metres. Raises ValueError for a size that is not the camera's.
    """
    if depth.shape != (depth_camera.height, depth_camera.width):
        raise ValueError(f"depth is {depth.shape[1]}×{depth.shape[0]}, its camera_info says {depth_camera.width}×{depth_camera.height}")
    v, u = np.nonzero(depth > 0)
    z = depth[v, u].astype(np.float64)
    points = np.stack([(u - depth_camera.cx) / depth_camera.fx * z, (v - depth_camera.cy) / depth_camera.fy * z, z], axis=1)
    points = points @ color_from_depth[:3, :3].T + color_from_depth[:3, 3]
    points = points[points[:, 2] > 1e-3]
    zc = points[:, 2].astype(np.float32)
    uc = points[:, 0] / points[:, 2] * color_camera.fx + color_camera.cx
    vc = points[:, 1] / points[:, 2] * color_camera.fy + color_camera.cy
    out = np.full(color_camera.height * color_camera.width, np.inf, np.float32)
    span = [max(1, min(MAX_SPLAT, math.ceil(c / d - 0.05))) for c, d in ((color_camera.fx, depth_camera.fx), (color_camera.fy, depth_camera.fy))]
    for dy in range(span[1]):
        for dx in range(span[0]):
            x = np.floor(uc + 0.5 - (span[0] - 1) / 2 + dx).astype(np.int64)
            y = np.floor(vc + 0.5 - (span[1] - 1) / 2 + dy).astype(np.int64)
            inside = (x >= 0) & (x < color_camera.width) & (y >= 0) & (y < color_camera.height)
            np.minimum.at(out, y[inside] * color_camera.width + x[inside], zc[inside])
    out[np.isinf(out)] = 0
    return out.reshape(color_camera.height, color_camera.width)
