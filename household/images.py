"""Raw image bytes, as a ROS driver or a simulator sends them, to the two arrays the stack works on. Plain bytes in, no ROS.

Everything that says how to read the bytes comes from the message (encoding, step, is_bigendian); nothing is guessed from the values:
a wrong depth divisor looks almost right and puts the whole home in the wrong place.
Invariant: colour is uint8 (H, W, 3) RGB; depth is float32 (H, W) planar metres, finite, and 0 wherever there is no reading (a driver's
0, NaN, infinity or negative value). Results may be read-only views of the message bytes.
"""

from __future__ import annotations

import numpy as np

# encoding → (numpy kind and size without byte order, channels, source channel of R, G, B)
_COLOR: dict[str, tuple[str, int, tuple[int, int, int]]] = {
    "rgb8": ("u1", 3, (0, 1, 2)), "bgr8": ("u1", 3, (2, 1, 0)), "rgba8": ("u1", 4, (0, 1, 2)), "bgra8": ("u1", 4, (2, 1, 0)),
    "8UC3": ("u1", 3, (2, 1, 0)), "8UC4": ("u1", 4, (2, 1, 0)),  # OpenCV's order, what drivers that send these mean
    "mono8": ("u1", 1, (0, 0, 0)), "8UC1": ("u1", 1, (0, 0, 0)), "mono16": ("u2", 1, (0, 0, 0)),
    "rgb16": ("u2", 3, (0, 1, 2)), "bgr16": ("u2", 3, (2, 1, 0)),
}
# encoding → (numpy type, metres per unit), REP 118
_DEPTH: dict[str, tuple[str, float]] = {"16UC1": ("u2", 1e-3), "mono16": ("u2", 1e-3), "32FC1": ("f4", 1.0), "64FC1": ("f8", 1.0)}

COLOR_ENCODINGS = tuple(_COLOR)
DEPTH_ENCODINGS = tuple(_DEPTH)


class ImageFormatError(ValueError):
    """An image that cannot be read as announced; the message names the encoding, the sizes and what would be right."""


def decode_color(encoding: str, height: int, width: int, step: int, is_bigendian: bool, data) -> np.ndarray:
    """→ uint8 (height, width, 3) RGB. ``data``: bytes-like (bytes, ``array('B')``, memoryview), row pitch ``step`` bytes.

    16-bit colour is reduced to its upper byte; alpha is dropped. Raises ImageFormatError.
    """
    if encoding not in _COLOR:
        raise ImageFormatError(f"colour encoding '{encoding}' is not supported; supported: {', '.join(COLOR_ENCODINGS)}")
    kind, channels, order = _COLOR[encoding]
    pixels = _rows(encoding, kind, channels, height, width, step, is_bigendian, data)
    if kind == "u2":
        pixels = (pixels >> 8).astype(np.uint8)
    if channels == 1:
        return np.repeat(pixels, 3, axis=2)
    if order == (0, 1, 2):
        pixels = pixels[:, :, :3]
        return pixels if pixels.flags.c_contiguous else np.ascontiguousarray(pixels)
    out = np.empty((height, width, 3), np.uint8)
    for to, source in enumerate(order):  # three strided copies: several times faster than fancy indexing
        out[:, :, to] = pixels[:, :, source]
    return out


def decode_depth(encoding: str, height: int, width: int, step: int, is_bigendian: bool, data, unit: float | None = None) -> np.ndarray:
    """→ float32 (height, width) planar metres, 0 = no reading.

    ``unit``: metres per count, for a driver that departs from REP 118 (16UC1 is millimetres, 32FC1 metres). Raises ImageFormatError.
    """
    if encoding not in _DEPTH:
        hint = " (a colour encoding: is the depth topic set to the colour topic?)" if encoding in _COLOR else ""
        raise ImageFormatError(f"depth encoding '{encoding}' is not supported{hint}; supported: {', '.join(DEPTH_ENCODINGS)}")
    kind, metres = _DEPTH[encoding]
    raw = _rows(encoding, kind, 1, height, width, step, is_bigendian, data)[:, :, 0]
    depth = np.multiply(raw, np.float32(metres if unit is None else unit), dtype=np.float32, casting="unsafe")
    if kind != "u2":
        depth = clean_depth(depth)
    return depth


def clean_depth(depth: np.ndarray) -> np.ndarray:
    """float32 (H, W) with NaN, ±inf and negative values → 0 ("no reading"). Changes the array given and returns it."""
    with np.errstate(invalid="ignore"):
        depth[~((depth > 0) & (depth < np.inf))] = 0
    return depth


def encode_depth_mm(depth: np.ndarray) -> np.ndarray:
    """float32 (H, W) metres → uint16 (H, W) millimetres (16UC1); no reading and anything beyond 65.535 m → 0."""
    mm = np.nan_to_num(depth, nan=0.0, posinf=0.0, neginf=0.0) * 1000.0 + 0.5
    return np.where((mm > 0) & (mm < 65536), mm, 0).astype(np.uint16)


def check_size(what: str, array: np.ndarray, height: int, width: int) -> None:
    """Raises ImageFormatError unless ``array`` is (height, width, …), the size its CameraInfo announces."""
    if array.shape[:2] != (height, width):
        raise ImageFormatError(f"the {what} image is {array.shape[1]}×{array.shape[0]} but its camera_info says {width}×{height}: "
                               "point both parameters at topics of the same stream")


def _rows(encoding: str, kind: str, channels: int, height: int, width: int, step: int, is_bigendian: bool, data) -> np.ndarray:
    """(height, width, channels) view of ``data`` in native byte order, padding at the end of each row skipped."""
    item = int(kind[1:])
    row = width * channels * item
    if height <= 0 or width <= 0:
        raise ImageFormatError(f"'{encoding}' image of {width}×{height} pixels: both sides must be positive")
    if step < row:
        raise ImageFormatError(f"'{encoding}' image {width}×{height}: step is {step} bytes, but a row needs {row}")
    buffer = np.frombuffer(data, dtype=np.uint8)
    needed = step * (height - 1) + row  # some drivers do not pad the last row
    if buffer.size < needed or buffer.size > step * height:
        raise ImageFormatError(f"'{encoding}' image {width}×{height} with step {step} needs {step * height} bytes, but {buffer.size} came")
    dtype = np.dtype((">" if is_bigendian else "<") + kind)
    if step == row:
        pixels = buffer.view(dtype).reshape(height, width, channels)
    else:
        rows = np.lib.stride_tricks.as_strided(buffer, (height, row), (step, 1), writeable=False)
        pixels = np.ascontiguousarray(rows).view(dtype).reshape(height, width, channels)
    return pixels if dtype.isnative or item == 1 else pixels.astype(dtype.newbyteorder("="))
