"""The pinhole camera every frame comes with, and the lens a driver's camera has; shared by bridges and perception."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np


@dataclass(frozen=True)
class CameraModel:
    """Pinhole without distortion; pixels. A ray through the centre of pixel (u, v) has direction ((u-cx)/fx, (v-cy)/fy, 1)."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    @classmethod
    def from_fov(cls, width: int, height: int, horizontal_fov_deg: float) -> "CameraModel":
        f = width / 2 / float(np.tan(np.radians(horizontal_fov_deg) / 2))
        return cls(width, height, f, f, (width - 1) / 2, (height - 1) / 2)


@dataclass(frozen=True)
class Lens:
    """What a CameraInfo tells: the pinhole, and OpenCV's distortion coefficients (plumb_bob or rational); () or zeros: none."""

    camera: CameraModel
    distortion: tuple[float, ...] = ()

    @classmethod
    def of(cls, width: int, height: int, k: Sequence[float], d: Sequence[float] = ()) -> "Lens":
        """``k``: 9 numbers, row-major. Raises ValueError for intrinsics that are none (an uncalibrated camera publishes zeros)."""
        if len(k) != 9 or not (k[0] > 0 and k[4] > 0):
            raise ValueError(f"camera_info has no focal lengths (K = {[float(v) for v in k]}): the camera is not calibrated")
        return cls(CameraModel(int(width), int(height), float(k[0]), float(k[4]), float(k[2]), float(k[5])), tuple(float(c) for c in d))

    def straightened(self, image: np.ndarray, smooth: bool) -> np.ndarray:
        """``image`` (H, W, …) as the pinhole would see it; linear if ``smooth`` (colour), else nearest: the mean of two depths is neither."""
        if not any(abs(c) > 1e-6 for c in self.distortion):
            return image
        import cv2

        return cv2.remap(image, *_straight(self), cv2.INTER_LINEAR if smooth else cv2.INTER_NEAREST)


@lru_cache(maxsize=4)
def _straight(lens: Lens) -> tuple[np.ndarray, np.ndarray]:
    """Where each pixel of the pinhole's image is found in the lens's."""
    import cv2

    m = lens.camera
    k = np.array([[m.fx, 0, m.cx], [0, m.fy, m.cy], [0, 0, 1]])
    return cv2.initUndistortRectifyMap(k, np.array(lens.distortion), None, k, (m.width, m.height), cv2.CV_32FC1)
