"""VirtualHome's ``camera_data`` → pinhole model and pose in map.

Matrices are column-major. ``projection_matrix`` is that of the simulator's own window, whose aspect is not that of the image asked for; only the
vertical field of view survives, so both focal lengths come from P[1, 1].
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from household.camera import CameraModel
from sim_bridges.errors import BadReply
from sim_bridges.unity import optical_pose_from_gl


def model_from(data: Mapping, width: int, height: int) -> CameraModel:
    """Raises BadReply."""
    p = _matrix(data, "projection_matrix")
    if not p[1, 1] > 0 or abs(p[3, 2] + 1) > 1e-3:
        raise BadReply(f"camera {data.get('index')} ('{data.get('name')}') has no perspective projection")
    f = float(p[1, 1]) * height / 2
    return CameraModel(width, height, f, f, (width - 1 - width * float(p[0, 2])) / 2, (height - 1 + height * float(p[1, 2])) / 2)


def pose_from(data: Mapping) -> np.ndarray:
    """(4, 4) optical frame → map. Raises BadReply, also for a matrix that mirrors the world."""
    try:
        return optical_pose_from_gl(_matrix(data, "world_to_camera_matrix"))
    except (ValueError, np.linalg.LinAlgError) as error:
        raise BadReply(f"camera {data.get('index')} ('{data.get('name')}'): {error}") from None


def _matrix(data: Mapping, key: str) -> np.ndarray:
    try:
        matrix = np.array(data[key], dtype=np.float64).reshape(4, 4).T  # column-major
    except (KeyError, TypeError, ValueError):
        raise BadReply(f"camera_data has no usable '{key}' of 16 numbers") from None
    if not np.isfinite(matrix).all():
        raise BadReply(f"camera_data '{key}' holds numbers that are not finite")
    return matrix
