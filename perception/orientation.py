"""Head and body direction from what the upper body looks like: a small convolutional net.

It sees the same person twice, 48×48 pixels each: 0.90 m of head, chest and arms, and 0.36 m of head alone (colour, outline and relief). It answers how
likely every direction of the head, and of the body, is against the direction to the camera; not one angle, because a head seen small or from
behind often fits two. It was trained on figures of the embedded world (``python -m evaluation.facing_train``), none of whose looks are those of the
shipped homes' people and none of whose homes are test homes; it is one cue among others in perception.facing. Invariant: without the weights
file everything still works, with less certainty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from household.camera import CameraModel
from perception.order import median

SIDE = 48
METRES = (0.90, 0.36)  # sides of what is looked at: upper body, head
SECTORS = 36  # directions that are told apart
_ABOVE = (0.06, 0.04)  # m of it above the crown
_BAND = 0.18  # m below the crown whose middle is the middle of the head
_DEPTHS = 2000  # readings that are enough for the middle depth
_LEAST = 8  # pixels of upper body
_FINEST = 2 * SIDE  # pixels a side from which not every one is looked at
WEIGHTS = Path(__file__).parent / "weights" / "facing.onnx"


@dataclass(frozen=True)
class Looks:
    """``body``, ``head``: float64 (36,), each sums to one: how likely each angle from the direction to the camera is, 10° apart from 0,
    counter-clockwise seen from above. ``pitch``: of the head, radians, negative: bent down."""

    body: np.ndarray
    head: np.ndarray
    pitch: float


def crop(color: np.ndarray, depth: np.ndarray | None, mask: np.ndarray, offset: tuple[int, int], camera: CameraModel, distance: float,
         crown: tuple[float, float], margin: float = 0.0) -> np.ndarray | None:
    """The net's input, float32 (2, 5, 48, 48): red, green, blue about 0, outline, relief (metres / 0.3 behind the middle); of upper body and head.

    ``mask`` bool (h, w) at ``offset``; ``distance`` planar depth of the person, metres; ``crown``: column and row where the top of the head should be, for
    when the image cuts it off. ``margin``: so much of the side more on every side, and as many more pixels. None when too little is in the image.
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
    pixels = int(round(SIDE * (1 + 2 * margin)))
    patches = np.empty((len(METRES), 5, pixels, pixels), np.float32)
    for patch, metres, above in zip(patches, METRES, _ABOVE):
        _fill(patch, color, depth, mask, offset, middle, highest - (above + margin * metres) * scale, metres * scale * pixels / SIDE)
    return patches


def _fill(out: np.ndarray, color: np.ndarray, depth: np.ndarray | None, mask: np.ndarray, offset: tuple[int, int], middle: float, up: float, side: float) -> None:
    """Into ``out``, float32 (5, pixels, pixels): a square whose upper edge has its middle at (``middle``, ``up``)."""
    pixels = out.shape[1]
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
        inside = ((shape > 0) & (z > 0)).ravel().nonzero()[0]
        if inside.size:
            own = z.reshape(-1).take(inside).astype(np.float32)
            relief.reshape(-1)[inside] = np.clip((own - median(own[::max(1, own.size // _DEPTHS)])) / np.float32(0.3), -1, 1)
    how = cv2.INTER_AREA if side >= pixels else cv2.INTER_LINEAR
    out[:3] = cv2.resize(patch, (pixels, pixels), interpolation=how).transpose(2, 0, 1)
    out[3], out[4] = (cv2.resize(layer, (pixels, pixels), interpolation=how) for layer in (shape.astype(np.float32), relief))


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
def net() -> Callable[[np.ndarray], np.ndarray] | None:
    """Inputs float32 (n, 2, 5, 48, 48) → float32 (n, 73): logarithms of the shares of the body's directions, and of the head's, each but for a constant, and the pitch; None
    when the weights are not there."""
    if not WEIGHTS.is_file():
        return None
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = 1, 1, 3
    session = ort.InferenceSession(str(WEIGHTS), options, providers=["CPUExecutionProvider"])
    return lambda patches: session.run(["answers"], {"patches": patches})[0]


def look(patches: np.ndarray) -> Looks | None:
    """The net's answer to one input (2, 5, 48, 48)."""
    answers = net()
    if answers is None:
        return None
    a = answers(patches[None])[0].astype(np.float64)
    return Looks(_shares(a[:SECTORS]), _shares(a[SECTORS:2 * SECTORS]), float(a[-1]))


def _shares(a: np.ndarray) -> np.ndarray:
    e = np.exp(a - a.max())
    return e / e.sum()
