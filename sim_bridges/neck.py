"""The robot's neck for worlds that have only a free camera: two angles, their limits, and how fast they turn. Pure."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

YAW_LIMIT = math.radians(75)
PITCH_LIMIT = math.radians(60)


@dataclass(frozen=True)
class Neck:
    """``yaw``: relative to the body, left positive; ``pitch``: up positive; radians. ``goal``: map point looked at, or None (straight)."""

    rest_pitch: float
    yaw: float = 0.0
    pitch: float = 0.0
    goal: tuple[float, float, float] | None = None

    @classmethod
    def at_rest(cls, pitch: float) -> "Neck":
        return cls(pitch, 0.0, pitch)


def turned(neck: Neck, robot_pose: np.ndarray, eye: np.ndarray, rate: float, seconds: float) -> Neck:
    """The neck after ``seconds``. ``robot_pose`` (4, 4) base_link → map; ``eye`` (3,) map; ``rate`` rad/s."""
    if neck.goal is None:
        yaw, pitch = 0.0, neck.rest_pitch
    else:
        x, y, z = robot_pose[:3, :3].T @ (np.asarray(neck.goal) - eye)
        yaw = max(-YAW_LIMIT, min(YAW_LIMIT, math.atan2(y, x)))
        pitch = max(-PITCH_LIMIT, min(PITCH_LIMIT, math.atan2(z, math.hypot(x, y))))
    reach = rate * seconds
    return replace(neck, yaw=neck.yaw + max(-reach, min(reach, yaw - neck.yaw)),
                   pitch=neck.pitch + max(-reach, min(reach, pitch - neck.pitch)))


def eye_of(robot_pose: np.ndarray, forward: float, height: float) -> np.ndarray:
    """(3,) map point of the camera's centre, on the neck's axis."""
    return robot_pose[:3, 3] + robot_pose[:3, :3] @ np.array([forward, 0.0, height])
