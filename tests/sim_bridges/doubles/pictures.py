"""What the doubles' cameras see: boxes whose every pixel is known, for measuring; or the embedded world's pictures of the same home, for seeing.

A story that is to be understood from pictures needs bodies that look like bodies and cupboards whose doors swing; a geometry check needs a ray caster
simple enough to trust. Both draw one and the same state, so a double can do either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from household.camera import CameraModel
from sim_bridges.embedded.model import Home, WorldState
from tests.sim_bridges.doubles.boxes import Box, render

FAR = 100.0


@dataclass(frozen=True)
class Picture:
    """``color`` uint8 (H, W, 3), ``depth`` float32 (H, W) planar metres with ``FAR`` where nothing is, ``index`` int (H, W) into ``names``,
    −1 for nothing; the name '' is walls and floors."""

    color: np.ndarray
    depth: np.ndarray
    index: np.ndarray
    names: tuple[str, ...]

    def in_colors(self, color_of: Callable[[str], tuple[int, int, int]], nothing: tuple[int, int, int]) -> np.ndarray:
        """uint8 (H, W, 3): every pixel in the colour of whose it is."""
        return np.array([*map(color_of, self.names), nothing], np.uint8)[self.index]


Painter = Callable[[CameraModel, np.ndarray], Picture]  # camera, optical → map


def of_boxes(boxes: Callable[[], list[Box]]) -> Painter:
    """``boxes``: everything there is, now."""

    def paint(camera: CameraModel, pose: np.ndarray) -> Picture:
        now = boxes()
        color, depth, index = render(now, camera, pose, FAR)
        return Picture(color, depth, index, tuple(b.entity for b in now))

    return paint


def of_home(home: Home, state: Callable[[], WorldState]) -> Painter:
    """The embedded renderer's pictures; the last one is kept, as simulators are asked for colour, depth and ids of one view in turn."""
    from sim_bridges.embedded.render import Renderer

    renderer = Renderer(home, shadows=False)
    values = sorted(renderer.instances)
    names = tuple(["", *(renderer.instances[v].entity for v in values)])
    rank = np.zeros(max(values) + 1, np.int32)
    rank[values] = np.arange(1, len(values) + 1)
    kept: tuple[tuple, Picture] | None = None

    def paint(camera: CameraModel, pose: np.ndarray) -> Picture:
        nonlocal kept
        now = state()
        key = (repr(now), camera, pose.tobytes())
        if kept is None or kept[0] != key:
            color, depth, ids = renderer.render(now, camera, pose)
            index = np.where(depth > 0, rank[ids], -1)
            kept = (key, Picture(color, np.where(depth > 0, depth, np.float32(FAR)), index, names))
        return kept[1]

    return paint
