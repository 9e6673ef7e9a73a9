"""Segmentation colours → instance values, for simulators that paint every object in a colour of its own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


class InstanceColors:
    """Each channel may be off by one (images are rounded from floats); an exact match wins over a neighbour's tolerance.

    The table has one entry per 24-bit colour (32 MB), so that a 640×480 image is one gather.
    """

    def __init__(self, colors: Mapping[int, tuple[int, int, int]]):
        """``colors``: instance value in [1, 65535] → (r, g, b), 0 to 255. White is nobody's."""
        self._table = np.zeros(1 << 24, np.uint16)
        self._bgra: np.ndarray | None = None  # this and the next: kept from one image to the next, as fresh memory costs more than the look-up
        self._keys = np.empty((0, 0), np.intp)
        centers = {value: rgb for value, rgb in colors.items() if tuple(rgb) != (255, 255, 255)}
        offsets = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
        for value, rgb in centers.items():
            near = np.clip(np.array(rgb) + offsets, 0, 255)
            keys = near[:, 0] << 16 | near[:, 1] << 8 | near[:, 2]
            self._table[keys[self._table[keys] == 0]] = value
        for value, (r, g, b) in centers.items():
            self._table[int(r) << 16 | int(g) << 8 | int(b)] = value

    def ids(self, image: np.ndarray) -> np.ndarray:
        """uint8 (H, W, 3) RGB → uint16 (H, W); 0 where the colour is nobody's."""
        import cv2

        if self._keys.shape != image.shape[:2]:
            self._bgra, self._keys = None, np.empty(image.shape[:2], np.intp)
        self._bgra = cv2.cvtColor(image, cv2.COLOR_RGB2BGRA, dst=self._bgra)
        np.bitwise_and(self._bgra.view("<u4")[:, :, 0], 0xFFFFFF, out=self._keys)  # 0xFF, r, g, b → r, g, b
        return self._table[self._keys]
