"""What a real RGB-D camera adds to a perfect image: range noise, quantisation, holes, colour noise and exposure.

Depth: the axial noise of structured-light sensors grows with the square of range, sigma = 0.0025 z² (the figure
measured for Kinect-class sensors; Khoshelham & Elberink 2012, eq. 10 with their calibration gives 0.0028 z²), the
disparity is quantised, and readings fail at depth edges, at grazing angles and out of range. A failed reading is 0.
Randomness comes from the generator handed in.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True)
class NoiseConfig:
    depth_sigma: float = 0.0025  # metres at 1 m; grows with z²
    disparity_step: float = 0.125  # pixels; smallest step of the disparity
    baseline: float = 0.075  # metres, between projector and camera
    focal: float = 570.0  # pixels, of the sensor's disparity
    min_range: float = 0.25
    max_range: float = 8.0
    edge_jump: float = 0.06  # relative depth step that counts as an edge
    edge_dropout: float = 0.5  # share of edge pixels lost
    grazing: float = 0.15  # cosine of the angle below which readings fail
    color_sigma: float = 2.2  # grey levels
    exposure_sigma: float = 0.03  # relative, per frame
    white_balance_sigma: float = 0.012

    def __post_init__(self) -> None:
        for name in ("depth_sigma", "disparity_step", "color_sigma", "exposure_sigma", "white_balance_sigma", "edge_jump"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} = {getattr(self, name)}: must not be negative")
        for name in ("edge_dropout", "grazing"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} = {getattr(self, name)}: must lie in 0…1")
        if not 0 <= self.min_range < self.max_range:
            raise ValueError(f"min_range = {self.min_range}, max_range = {self.max_range}: need 0 ≤ min_range < max_range")


def add_sensor_noise(color: np.ndarray, depth: np.ndarray, rng: np.random.Generator,
                     config: NoiseConfig = NoiseConfig()) -> tuple[np.ndarray, np.ndarray]:
    """Noisy copies of ``color`` uint8 (h, w, 3) and ``depth`` float32 (h, w) metres, 0 = no reading."""
    return _noisy_color(color, rng, config), _noisy_depth(depth, rng, config)


def _noisy_depth(depth: np.ndarray, rng: np.random.Generator, c: NoiseConfig) -> np.ndarray:
    z = np.nan_to_num(depth, nan=0.0, posinf=0.0).astype(np.float32)
    valid = (z >= c.min_range) & (z <= c.max_range)
    noisy = z + rng.standard_normal(z.shape, np.float32) * np.float32(c.depth_sigma) * z * z
    if c.disparity_step > 0:
        scale = c.focal * c.baseline / c.disparity_step
        noisy = (scale / np.maximum(np.rint(scale / np.maximum(noisy, 1e-3)), 1)).astype(np.float32)
    jump = cv2.dilate(z, np.ones((3, 3), np.uint8)) - cv2.erode(z, np.ones((3, 3), np.uint8))
    edge = jump > c.edge_jump * np.maximum(z, 0.1)
    lost = edge & (rng.random(z.shape, np.float32) < c.edge_dropout)
    lost |= _grazing(z, c) & (rng.random(z.shape, np.float32) < 0.8)
    noisy[~valid | lost] = 0.0
    return noisy


def _grazing(z: np.ndarray, c: NoiseConfig) -> np.ndarray:
    """Pixels whose surface is seen at a grazing angle, from the depth slope (focal scaled to the image's width)."""
    focal = c.focal * z.shape[1] / 640.0
    dx = cv2.Sobel(z, cv2.CV_32F, 1, 0, ksize=3) / 8
    dy = cv2.Sobel(z, cv2.CV_32F, 0, 1, ksize=3) / 8
    slope = np.sqrt(dx * dx + dy * dy) * focal / np.maximum(z, 0.1)
    return 1.0 / np.sqrt(1.0 + slope * slope) < c.grazing


def _noisy_color(color: np.ndarray, rng: np.random.Generator, c: NoiseConfig) -> np.ndarray:
    gain = 1 + c.exposure_sigma * rng.standard_normal() + c.white_balance_sigma * rng.standard_normal(3)
    grain = rng.standard_normal(color.shape, np.float32) * np.float32(c.color_sigma)
    return np.clip(color.astype(np.float32) * gain.astype(np.float32) + grain, 0, 255).astype(np.uint8)
