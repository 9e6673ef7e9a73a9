"""VirtualHome's image bytes → arrays: PNG colour and EXR depth (half float, metres).

Invariant: an image is accepted only in the size that was asked for; a wrong size means wrong intrinsics, so it is an error that says so.
"""

from __future__ import annotations

import binascii
import io
from collections.abc import Mapping

import numpy as np

from sim_bridges.errors import BadReply

FAR = 100.0  # metres: the far plane; what is not hit comes out as this


def decode_png(text: str, width: int, height: int, mode: str) -> np.ndarray:
    """Base64 PNG → uint8 (H, W, 3) RGB. Raises BadReply."""
    import cv2

    image = cv2.imdecode(np.frombuffer(_bytes(text, mode), np.uint8), cv2.IMREAD_COLOR_RGB)
    if image is None:
        raise BadReply(f"VirtualHome's '{mode}' image is not a PNG: an older build? Use 2.2 or later")
    _same_size(image.shape[1], image.shape[0], width, height, mode)
    return image


def decode_depth(text: str, width: int, height: int) -> np.ndarray:
    """Base64 EXR (half float, R = linear eye depth) → float32 (H, W) planar metres; the far plane becomes 0, "no reading". Raises BadReply."""
    return read_depth(_bytes(text, "depth"), width, height)


def read_depth(data: bytes, width: int, height: int) -> np.ndarray:
    """As :func:`decode_depth`, from the bytes of an .exr file."""
    import OpenEXR

    if data[:4] != b"\x76\x2f\x31\x01":
        raise BadReply("VirtualHome's depth image is not an EXR: builds before 2.0 send 8-bit depth, which is too coarse; use a newer build")
    try:
        file = OpenEXR.InputFile(io.BytesIO(data))
        window = file.header()["dataWindow"]
        size = window.max.x - window.min.x + 1, window.max.y - window.min.y + 1
        kind = str(file.header()["channels"]["R"].type)
        red = np.frombuffer(file.channel("R"), np.float16 if kind == "HALF" else np.float32)
    except Exception as error:  # the binding raises bare RuntimeError, OSError and TypeError for broken files
        raise BadReply(f"VirtualHome's depth EXR cannot be read: {error}") from None
    _same_size(*size, width, height, "depth")
    depth = red.reshape(height, width).astype(np.float32)
    depth[~((depth > 0) & (depth < FAR * 0.99))] = 0.0
    return depth


def byte_colors(table: Mapping[int, tuple[float, float, float]]) -> dict[int, tuple[int, int, int]]:
    """(r, g, b) in [0, 1] → 0 to 255."""
    return {key: tuple(int(round(c * 255)) for c in rgb) for key, rgb in table.items()}


def _bytes(text: str, mode: str) -> bytes:
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except (binascii.Error, ValueError, TypeError):
        raise BadReply(f"VirtualHome's '{mode}' image is not base64") from None


def _same_size(got_width: int, got_height: int, width: int, height: int, mode: str) -> None:
    if (got_width, got_height) != (width, height):
        raise BadReply(f"VirtualHome's '{mode}' image is {got_width}×{got_height}, {width}×{height} was asked for: "
                       "a build without the size parameters? Set width and height to what it sends")
