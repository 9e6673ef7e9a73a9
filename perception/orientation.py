"""Head and body direction from what the upper body looks like: a small convolutional net, evaluated with numpy.

It sees the same person twice, 32×32 pixels each: 0.90 m of head, chest and arms, and 0.36 m of head alone (colour, outline and relief). It answers how
likely every direction of the head, and of the body, is against the direction to the camera; not one angle, because a head seen small or from
behind often fits two. It was trained on figures of the embedded world (``python -m evaluation.facing_train``), none of whose looks are those of the
shipped homes' people and none of whose homes are test homes; it is one cue among others in perception.facing. Invariant: without the weights
file everything still works, with less certainty.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from household.camera import CameraModel
from perception.order import median

SIDE = 32
METRES = (0.90, 0.36)  # sides of what is looked at: upper body, head
SECTORS = 36  # directions that are told apart
_ABOVE = (0.06, 0.04)  # m of it above the crown
_BAND = 0.18  # m below the crown whose middle is the middle of the head
_DEPTHS = 2000  # readings that are enough for the middle depth
_LEAST = 8  # pixels of upper body
_FINEST = 3 * SIDE  # pixels a side from which not every one is looked at
WEIGHTS = Path(__file__).parent / "weights" / "facing.npz"


@dataclass(frozen=True)
class Looks:
    """``body``, ``head``: float64 (36,), each sums to one: how likely each angle from the direction to the camera is, 10° apart from 0,
    counter-clockwise seen from above. ``pitch``: of the head, radians, negative: bent down."""

    body: np.ndarray
    head: np.ndarray
    pitch: float


def crop(color: np.ndarray, depth: np.ndarray | None, mask: np.ndarray, offset: tuple[int, int], camera: CameraModel, distance: float,
         crown: tuple[float, float]) -> np.ndarray | None:
    """The net's input, float32 (2, 5, 32, 32): red, green, blue about 0, outline, relief (metres / 0.3 behind the middle); of upper body and head.

    ``mask`` bool (h, w) at ``offset``; ``distance`` planar depth of the person, metres; ``crown``: column and row where the top of the head should be, for
    when the image cuts it off. None when too little is in the image.
    """
    scale = camera.fx / max(distance, 0.3)
    first, column = divmod(int(mask.argmax()), mask.shape[1])
    if scale * METRES[0] < _LEAST or not mask[first, column]:
        return None
    if offset[1] + first > 1:
        band = mask[first:first + max(2, int(_BAND * scale))]
        counts = np.count_nonzero(band, axis=0)
        middle, highest = float(counts @ np.arange(len(counts)) / counts.sum()) + offset[0], offset[1] + first
    else:
        middle, highest = crown[0], min(crown[1], 1.0)
        if not -0.6 * scale < highest or not -0.5 * scale < middle < camera.width + 0.5 * scale:
            return None
    return np.stack([_patch(color, depth, mask, offset, middle, highest - above * scale, metres * scale) for metres, above in zip(METRES, _ABOVE)])


def _patch(color: np.ndarray, depth: np.ndarray | None, mask: np.ndarray, offset: tuple[int, int], middle: float, up: float, side: float) -> np.ndarray:
    """float32 (5, 32, 32) of a square whose upper edge has its middle at (``middle``, ``up``)."""
    side = max(int(round(side)), 3)
    left, up = int(round(middle - side / 2)), int(round(up))
    every = max(1, side // _FINEST)
    shape = _window(mask.view(np.uint8), left - offset[0], up - offset[1], side, every)
    patch = _window(color, left, up, side, every).astype(np.float32)
    patch *= np.float32(1 / 255.0)
    patch -= np.float32(0.5)
    patch = cv2.copyTo(patch, shape)  # 0 outside the outline
    relief = np.zeros(shape.shape, np.float32)
    if depth is not None:
        z = _window(depth, left, up, side, every)
        inside = np.flatnonzero((shape > 0) & (z > 0))
        if inside.size:
            own = z.reshape(-1)[inside].astype(np.float32)
            relief.reshape(-1)[inside] = np.clip((own - median(own[::max(1, own.size // _DEPTHS)])) / np.float32(0.3), -1, 1)
    how = cv2.INTER_AREA if side >= SIDE else cv2.INTER_LINEAR
    small = [cv2.resize(layer, (SIDE, SIDE), interpolation=how) for layer in (shape.astype(np.float32), relief)]
    return np.ascontiguousarray(np.stack([*np.moveaxis(cv2.resize(patch, (SIDE, SIDE), interpolation=how), 2, 0), *small]), dtype=np.float32)


def _window(image: np.ndarray, left: int, top: int, side: int, every: int = 1) -> np.ndarray:
    """A square of the image, zero outside it; of ``every`` so many of its rows and columns the first."""
    height, width = image.shape[:2]
    cells = -(-side // every)
    out = np.zeros((cells, cells, *image.shape[2:]), image.dtype)
    r0, c0 = max(0, -(top // every)), max(0, -(left // every))  # the first that lie in the image
    r1, c1 = min(cells, -((top - height) // every)), min(cells, -((left - width) // every))
    if r1 > r0 and c1 > c0:
        out[r0:r1, c0:c1] = image[top + r0 * every:top + side:every, left + c0 * every:left + side:every][:r1 - r0, :c1 - c0]
    return out


@lru_cache(maxsize=1)
def weights() -> dict[str, np.ndarray] | None:
    """The trained arrays by name, those of the convolutions for both patches together, (2, …); None when the file is not there."""
    if not WEIGHTS.is_file():
        return None
    with np.load(WEIGHTS, allow_pickle=False) as data:
        w = {k: data[k].astype(np.float32) for k in data.files}
    both = {name: np.stack([w.pop(f"{part}.{name}") for part in ("wide", "near")]) for name in [k.removeprefix("wide.") for k in w if k.startswith("wide.")]}
    return w | both


def look(patches: np.ndarray) -> Looks | None:
    """The net's answer to one input (2, 5, 32, 32)."""
    w = weights()
    if w is None:
        return None
    x = patches
    for layer in range(3):
        x = np.maximum(_pooled(_convolved(x, w[f"{layer}.weight"])) + w[f"{layer}.bias"][..., None, None], 0)
    hidden = np.maximum(w["fc1.weight"] @ x.reshape(-1) + w["fc1.bias"], 0)
    a = (w["fc2.weight"] @ hidden + w["fc2.bias"]).astype(np.float64)
    return Looks(_shares(a[:SECTORS]), _shares(a[SECTORS:2 * SECTORS]), float(a[-1]))


def _shares(a: np.ndarray) -> np.ndarray:
    e = np.exp(a - a.max())
    return e / e.sum()


def _convolved(x: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """3×3 convolution with zero padding of each patch with its own kernel: (n, c, h, w) and (n, o, c, 3, 3) → (n, o, h, w)."""
    n, c, h, w = x.shape
    padded = np.zeros((n, c, h + 2, w + 2), x.dtype)
    padded[..., 1:-1, 1:-1] = x
    columns = np.empty((n, c, 3, 3, h, w), x.dtype)
    for i in range(3):
        for j in range(3):
            columns[:, :, i, j] = padded[..., i:i + h, j:j + w]
    return (kernel.reshape(n, -1, c * 9) @ columns.reshape(n, c * 9, h * w)).reshape(n, -1, h, w)


def _pooled(x: np.ndarray) -> np.ndarray:
    rows = np.maximum(x[..., ::2, :], x[..., 1::2, :])
    return np.maximum(rows[..., ::2], rows[..., 1::2])
