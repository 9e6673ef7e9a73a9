"""Head and body direction from what the upper body looks like: a small convolutional net, evaluated with numpy.

It sees 32×32 pixels (0.72 m of head, shoulders and chest; colour, outline and relief) and answers the angle between where the head, and the
body, point and the direction to the camera. It was trained on figures of the embedded world (``python -m evaluation.facing_train``), none of
whose looks are those of the shipped homes' people; it is one cue among others in perception.facing, with the sharpness measured on
looks it never saw. Invariant: without the weights file everything still works, with less certainty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from household.camera import CameraModel

SIDE = 32
METRES = 0.72
WEIGHTS = Path(__file__).parent / "weights" / "facing.npz"
_LAYERS = ("conv1", "conv2", "conv3")


@dataclass(frozen=True)
class Looks:
    """``body``, ``head``: angle from the direction to the camera, radians, counter-clockwise seen from above. ``body_sure``, ``head_sure``:
    length of the answered vector, about 1 when clear and 0 when not."""

    body: float
    head: float
    body_sure: float
    head_sure: float


def crop(color: np.ndarray, depth: np.ndarray | None, mask: np.ndarray, offset: tuple[int, int], camera: CameraModel,
         distance: float) -> np.ndarray | None:
    """The net's input, float32 (5, 32, 32): red, green, blue about 0, outline, relief (metres / 0.3 behind the middle).

    ``mask`` bool (h, w) at ``offset``; ``distance`` planar depth of the person, metres. None when the upper body is not in the image.
    """
    side = int(round(camera.fx * METRES / max(distance, 0.3)))
    top = np.flatnonzero(mask.any(axis=1))
    if side < 8 or not top.size or offset[1] + top[0] <= 1:
        return None
    first = int(top[0])
    band = mask[first:first + max(2, side // 4)]
    columns = np.flatnonzero(band.any(axis=0))
    if not columns.size:
        return None
    middle = int(round(float(np.mean(np.nonzero(band)[1])))) + offset[0]
    left, up = middle - side // 2, offset[1] + first - max(1, side // 16)
    patch = _window(color, left, up, side).astype(np.float32) / 255.0 - 0.5
    full = np.zeros(color.shape[:2], np.uint8)
    full[offset[1]:offset[1] + mask.shape[0], offset[0]:offset[0] + mask.shape[1]] = mask
    shape = _window(full, left, up, side).astype(np.float32)
    relief = np.zeros((side, side), np.float32)
    if depth is not None:
        z = _window(depth, left, up, side)
        good = (shape > 0) & (z > 0)
        if good.any():
            relief = np.where(good, np.clip((z - np.median(z[good])) / 0.3, -1, 1), 0).astype(np.float32)
    patch *= shape[..., None]
    how = cv2.INTER_AREA if side >= SIDE else cv2.INTER_LINEAR
    small = [cv2.resize(layer, (SIDE, SIDE), interpolation=how) for layer in (*np.moveaxis(patch, 2, 0), shape, relief)]
    return np.ascontiguousarray(np.stack(small), dtype=np.float32)


def _window(image: np.ndarray, left: int, top: int, side: int) -> np.ndarray:
    """A square of the image, zero outside it."""
    height, width = image.shape[:2]
    out = np.zeros((side, side, *image.shape[2:]), image.dtype)
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + side, width), min(top + side, height)
    if x1 > x0 and y1 > y0:
        out[y0 - top:y1 - top, x0 - left:x1 - left] = image[y0:y1, x0:x1]
    return out


@lru_cache(maxsize=1)
def weights() -> dict[str, np.ndarray] | None:
    """The trained arrays by name; None when the file is not there."""
    if not WEIGHTS.is_file():
        return None
    with np.load(WEIGHTS, allow_pickle=False) as data:
        return {k: data[k].astype(np.float32) for k in data.files}


def look(patch: np.ndarray) -> Looks | None:
    """The net's answer to one input (5, 32, 32)."""
    w = weights()
    if w is None:
        return None
    x = patch
    for name in _LAYERS:
        x = _pooled(np.maximum(_convolved(x, w[f"{name}.weight"], w[f"{name}.bias"]), 0))
    hidden = np.maximum(w["fc1.weight"] @ x.reshape(-1) + w["fc1.bias"], 0)
    a = w["fc2.weight"] @ hidden + w["fc2.bias"]
    return Looks(float(np.arctan2(a[1], a[0])), float(np.arctan2(a[3], a[2])), float(np.hypot(a[0], a[1])), float(np.hypot(a[2], a[3])))


def _convolved(x: np.ndarray, kernel: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """3×3 convolution with zero padding: (c, h, w) and (o, c, 3, 3) → (o, h, w)."""
    c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    columns = np.stack([padded[:, i:i + h, j:j + w] for i in range(3) for j in range(3)], axis=1).reshape(c * 9, h * w)
    return (kernel.reshape(kernel.shape[0], -1) @ columns).reshape(-1, h, w) + bias[:, None, None]


def _pooled(x: np.ndarray) -> np.ndarray:
    c, h, w = x.shape
    return x.reshape(c, h // 2, 2, w // 2, 2).max(axis=(2, 4))
