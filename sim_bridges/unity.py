"""Unity's left-handed world and ours, in one place, so that no bridge flips an axis on its own.

Unity: x right, y up, z forward, left-handed. ``map`` (REP 103): x forward, y left, z up, right-handed. A point goes
(x, y, z) → (z, −x, y). The change of basis has determinant −1, so a pose must be converted on both sides (C · T · C⁻¹): converting one side
only mirrors the world, which is why every conversion here ends in a check that the result is a rotation.
"""

from __future__ import annotations

import numpy as np

BASIS = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # map ← Unity
_BASIS4 = np.eye(4)
_BASIS4[:3, :3] = BASIS
_BASIS4_INV = np.eye(4)
_BASIS4_INV[:3, :3] = BASIS.T  # orthogonal: the inverse is the transpose
GL_TO_OPTICAL = np.diag([1.0, -1.0, -1.0, 1.0])  # x right, y up, looks along −z → x right, y down, looks along +z


def point_to_map(p) -> np.ndarray:
    """(…, 3) Unity metres → (…, 3) map metres."""
    return np.asarray(p, dtype=np.float64) @ BASIS.T


def point_to_unity(p) -> np.ndarray:
    """(…, 3) map metres → (…, 3) Unity metres."""
    return np.asarray(p, dtype=np.float64) @ BASIS


def size_to_map(size) -> tuple[float, float, float]:
    """Full sizes of an axis-aligned Unity box (x, y, z) → sizes along map's x, y, z."""
    x, y, z = (float(abs(s)) for s in size)
    return z, x, y


def size_to_unity(size) -> tuple[float, float, float]:
    x, y, z = (float(abs(s)) for s in size)
    return y, z, x


def pose_to_map(position, quaternion) -> np.ndarray:
    """Unity position and quaternion (x, y, z, w) of a thing whose front is its +z → (4, 4) pose in map, front +x, left +y, up +z."""
    x, y, z, w = np.asarray(quaternion, dtype=np.float64) / np.linalg.norm(quaternion)
    rotation = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    pose = np.eye(4)
    pose[:3, :3] = BASIS @ rotation @ BASIS.T
    pose[:3, 3] = point_to_map(position)
    return require_rotation(pose, "a Unity transform")


def yaw_to_map(quaternion) -> float:
    """Heading in map, radians counter-clockwise from +x, of a Unity rotation (x, y, z, w)."""
    forward = pose_to_map((0, 0, 0), quaternion)[:3, 0]
    return float(np.arctan2(forward[1], forward[0]))


def yaw_to_quaternion(yaw: float) -> tuple[float, float, float, float]:
    """Map heading → Unity quaternion (x, y, z, w) about the up axis. Unity turns clockwise seen from above."""
    return 0.0, float(np.sin(-yaw / 2)), 0.0, float(np.cos(-yaw / 2))


def yaw_to_degrees(yaw: float) -> float:
    """Map heading → Unity Euler y in degrees, [0, 360)."""
    return float(np.degrees(-yaw) % 360.0)


def optical_pose_from_gl(world_to_camera: np.ndarray) -> np.ndarray:
    """Unity's ``worldToCameraMatrix`` (4, 4): left-handed world → OpenGL camera. → (4, 4) optical frame in map. Raises ValueError."""
    optical_from_unity = GL_TO_OPTICAL @ np.asarray(world_to_camera, dtype=np.float64)
    return require_rotation(np.linalg.inv(optical_from_unity @ _BASIS4_INV), "a camera matrix")


def gl_from_optical_pose(pose: np.ndarray) -> np.ndarray:
    """The inverse of :func:`optical_pose_from_gl`: (4, 4) optical → map to Unity's ``worldToCameraMatrix``."""
    return GL_TO_OPTICAL @ np.linalg.inv(pose) @ _BASIS4


def require_rotation(pose: np.ndarray, what: str) -> np.ndarray:
    """``pose`` itself if its rotation part is one (orthonormal, determinant +1), else ValueError."""
    r = pose[:3, :3]
    if not np.isfinite(pose).all() or not np.allclose(r @ r.T, np.eye(3), atol=1e-3):
        raise ValueError(f"{what} is not a rigid transform: {np.round(pose, 4).tolist()}")
    if np.linalg.det(r) < 0:
        raise ValueError(f"{what} mirrors the world (left-handed where right-handed is due)")
    return pose
