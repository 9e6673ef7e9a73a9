"""One instance as the naming network sees it: a square picture of it at full size, and what geometry says in metres; and the way back, from
the outline that the network draws to pixels of the image.

The picture keeps some surroundings (a tap is known by its basin) and says by a channel which pixels are meant, as well as known. Training and inference call the
same functions. Invariant: without depth every metric fact is zero and ``has_depth`` says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from household.camera import CameraModel
from perception.detectors.light_features import Floor

SIDE = 64
FINE = 128  # the side of the picture where a network asks for a finer one; outlines stay at SIDE
SIDES = (SIDE, FINE)
MARGIN = 0.3  # of the longer side of the box, on every side
CHANNELS = 5  # colour, which pixels are meant, depth relative to the instance's own
FACTS = ("log_width", "log_height", "log_depth", "bottom", "top", "floor_known", "has_depth", "distance", "fill", "aspect", "log_area",
         "level_share", "cut_left_right", "cut_top_bottom", "log_footprint", "spread")
_RELIEF = 0.3  # metres of relative depth that map to 1


@dataclass(frozen=True)
class Window:
    """A square of the image: its middle in pixels (edges, not centres, of pixels are whole numbers) and half its side."""

    u: float
    v: float
    half: float

    @classmethod
    def around(cls, mask: np.ndarray, left: int, top: int) -> "Window":
        h, w = mask.shape
        return cls(left + w / 2, top + h / 2, max(h, w) * (0.5 + MARGIN))

    def warp(self, left: float = 0.0, top: float = 0.0, side: int = SIDE) -> np.ndarray:
        """Pixels of a patch of the image at (left, top) → pixels of the picture of that side, affine (2, 3)."""
        scale = side / (2 * self.half)
        shift = [side / 2 - (self.u - left) * scale + 0.5 * scale - 0.5, side / 2 - (self.v - top) * scale + 0.5 * scale - 0.5]
        return np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])

    def back(self, picture: np.ndarray, width: int, height: int) -> tuple[np.ndarray, int, int]:
        """``picture`` float (SIDE, SIDE) in pixels of an image of that size: float32 (h, w), left, top."""
        left, top = max(0, int(np.floor(self.u - self.half))), max(0, int(np.floor(self.v - self.half)))
        right, bottom = min(width, int(np.ceil(self.u + self.half))), min(height, int(np.ceil(self.v + self.half)))
        inverse = cv2.invertAffineTransform(self.warp(left, top))
        return cv2.warpAffine(picture.astype(np.float32), inverse, (right - left, bottom - top), flags=cv2.INTER_LINEAR), left, top


class View:
    """What all crops of one image share. ``color`` uint8 (h, w, 3); ``depth`` float32 (h, w) metres, 0 = none, or None."""

    def __init__(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel, floor: Floor | None):
        self.color, self.camera, self.floor = color, camera, floor
        self.depth = None if depth is None else np.nan_to_num(depth, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float32, copy=False)

    def crop(self, mask: np.ndarray, left: int, top: int, side: int = SIDE) -> tuple[np.ndarray, np.ndarray]:
        """Picture float32 (CHANNELS, side, side) and facts float32 (len(FACTS),) of ``mask`` bool (h, w) at column ``left``, row ``top``."""
        points, z = self._points(mask, left, top)
        middle = float(np.median(z)) if len(z) else 0.0
        return self._picture(mask, left, top, middle, side), self._facts(mask, left, top, points, middle)

    def _points(self, mask: np.ndarray, left: int, top: int) -> tuple[np.ndarray, np.ndarray]:
        """The instance's points float32 (n, 3), optical frame, at most about 900 of them, and their depths; stray depths are left out."""
        none = np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
        if self.depth is None:
            return none
        v, u = np.nonzero(mask)
        step = max(1, len(v) // 900)
        v, u = v[::step] + top, u[::step] + left
        z = self.depth[v, u]
        keep = (z > 0.1) & (z < 15.0)
        if not keep.any():
            return none
        u, v, z = u[keep], v[keep], z[keep]
        middle = np.median(z)
        keep = np.abs(z - middle) < max(0.15, 4.0 * float(np.median(np.abs(z - middle))))
        u, v, z = u[keep], v[keep], z[keep]
        c = self.camera
        return np.stack([(u - c.cx) / c.fx * z, (v - c.cy) / c.fy * z, z], axis=1).astype(np.float32), z

    def _picture(self, mask: np.ndarray, left: int, top: int, middle: float, side: int) -> np.ndarray:
        window = Window.around(mask, left, top)
        warp = window.warp(side=side)
        color = self._window(self.color, warp, window, cv2.INTER_AREA, side)
        out = np.zeros((CHANNELS, side, side), np.float32)
        out[:3] = color.transpose(2, 0, 1) / np.float32(127.5) - 1.0
        out[3] = cv2.warpAffine(mask.astype(np.float32), window.warp(left, top, side), (side, side), flags=cv2.INTER_LINEAR)
        if self.depth is not None and middle > 0:
            z = self._window(self.depth, warp, window, cv2.INTER_NEAREST, side)
            out[4] = np.where(z > 0, np.clip((z - middle) / _RELIEF, -1.5, 1.5), 0.0)
        return out

    @staticmethod
    def _window(image: np.ndarray, warp: np.ndarray, window: Window, mode: int, side: int) -> np.ndarray:
        """What the window shows of the image; large ones are averaged down, not picked from, where ``mode`` is INTER_AREA."""
        if mode == cv2.INTER_AREA and 2 * window.half > 1.5 * side:
            l, t, n = int(round(window.u - window.half)), int(round(window.v - window.half)), int(round(2 * window.half))
            h, w = image.shape[:2]
            part = image[max(0, t):min(h, t + n), max(0, l):min(w, l + n)]
            part = cv2.copyMakeBorder(part, max(0, -t), max(0, t + n - h), max(0, -l), max(0, l + n - w), cv2.BORDER_CONSTANT)
            return cv2.resize(part, (side, side), interpolation=cv2.INTER_AREA)
        flags = cv2.INTER_NEAREST if mode == cv2.INTER_NEAREST else cv2.INTER_LINEAR
        return cv2.warpAffine(image, warp, (side, side), flags=flags)

    def _facts(self, mask: np.ndarray, left: int, top: int, points: np.ndarray, middle: float) -> np.ndarray:
        h, w = mask.shape
        area, c = int(mask.sum()), self.camera
        f = dict.fromkeys(FACTS, 0.0)
        f.update(fill=area / (h * w), aspect=np.log(w / h), floor_known=float(self.floor is not None),
                 cut_left_right=float(left <= 1 or left + w >= c.width - 1), cut_top_bottom=float(top <= 1 or top + h >= c.height - 1))
        if len(points) >= 3:
            low, high = np.percentile(points, [3, 97], axis=0)
            size = np.maximum(high - low, 0.005)
            f.update(has_depth=1.0, distance=middle / 4.0, log_width=np.log(size[0]) + 1.0, log_height=np.log(size[1]) + 1.0,
                     log_depth=np.log(size[2]) + 1.0, log_area=0.5 * np.log(area * middle ** 2 / (c.fx * c.fy)) + 1.0)
            if self.floor is not None:
                height = points @ self.floor.up.astype(np.float32) + self.floor.height
                b, t = np.percentile(height, [3, 97])
                flat = points - (points @ self.floor.up.astype(np.float32))[:, None] * self.floor.up.astype(np.float32)
                axes = np.linalg.eigvalsh(np.cov(flat.T))
                f.update(bottom=b, top=t, log_footprint=0.5 * np.log(axes[2] + 1e-5) + 2.0, spread=0.5 * np.log(axes[1] + 1e-5) + 2.0,
                         level_share=float(np.mean(height > t - 0.03)))
        return np.array([f[name] for name in FACTS], np.float32)
