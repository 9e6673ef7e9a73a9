"""The pinhole camera every frame comes with; shared by the bridges that make frames and the perception that reads them."""

from __future__ import annotations

from dataclasses import dataclass

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
