"""Masks and depth to points and boxes in map (BIP-ALM, appendix D.1: instance mask + depth + camera → points per instance → boxes).

Plain numpy: this runs for every instance of every frame. Invariants: a lifted instance has at least one trustworthy point; sides of
a box that the image border cuts are marked, so that nobody takes the end of the picture for the end of the thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from household import classes
from perception import order
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.geometry import Box, fit_box, length


_FLOOR = 0.06  # m


@dataclass(frozen=True)
class Lifted:
    """One detection in 3D. ``points`` float64 (N, 3) in map, N ≥ 1, outliers removed. ``pixels``: of its mask.
    ``rows``, ``columns``: int (N,) the pixel each point came from. ``cut``: its mask touches the image border.
    ``metric``: False when there was no depth and the place is a guess from size and floor."""

    detection: Detection
    points: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    box: Box
    pixels: int
    cut: bool
    metric: bool = True

    @property
    def cls(self) -> str:
        return self.detection.cls


def lift(frame: FrameInput, config: PerceptionConfig, wall_yaws: tuple[float, ...] = (0.0,)) -> tuple[Lifted, ...]:
    """Every detection that has depth readings, in the order given."""
    sampled = [s for d in frame.detections if d.score >= min(config.min_score, config.held_score) and len((s := _sampled(d, frame, config)).rows)]
    if not sampled:
        return ()
    rows, columns = np.concatenate([s.rows for s in sampled]), np.concatenate([s.columns for s in sampled])
    read = frame.depth[rows, columns]
    depth, ends = read.astype(np.float64), accumulate(len(s.rows) for s in sampled)
    axes, parts = back_project(rows, columns, depth, frame).T, [slice(end - len(s.rows), end) for s, end in zip(sampled, ends)]
    lines = (np.sort(read[part]).astype(np.float64) for part in parts)
    return tuple(_lifted(s, depth[part], line, axes[:, part], frame, config, wall_yaws) for s, part, line in zip(sampled, parts, lines))


@dataclass(frozen=True)
class _Sampled:
    """Of a detection: how many ``pixels`` its mask has, and ``rows`` and ``columns`` int (N,) of those that are lifted."""

    detection: Detection
    pixels: int
    rows: np.ndarray
    columns: np.ndarray


def _sampled(d: Detection, frame: FrameInput, config: PerceptionConfig) -> _Sampled:
    """Pixels of the mask with a reading, evenly spread, ``sample_points`` at most."""
    (left, top), (h, w) = d.offset, d.mask.shape
    if left < 0 or top < 0 or left + w > frame.camera.width or top + h > frame.camera.height:
        raise ValueError(f"mask of a {d.cls} at {d.box} reaches out of the {frame.camera.width}x{frame.camera.height} image")
    pixels = int(np.count_nonzero(d.mask))
    stride = max(1, int(np.sqrt(pixels / config.sample_points)))
    z = frame.depth[top:top + h:stride, left:left + w:stride]
    inside = (d.mask[::stride, ::stride] & (z > config.min_range) & (z < config.max_range)).ravel().nonzero()[0]
    if inside.size > config.sample_points:
        inside = inside[_evenly(inside.size, config.sample_points)]
    rows, columns = np.divmod(inside, z.shape[1])
    return _Sampled(d, pixels, rows * stride + top, columns * stride + left)


def _lifted(s: _Sampled, depth: np.ndarray, line: np.ndarray, axes: np.ndarray, frame: FrameInput, config: PerceptionConfig, wall_yaws: tuple[float, ...]) -> Lifted:
    """``depth`` float (N,) of its pixels, N ≥ 1, the same in order, ``line``, and where they are: x, y and z in map, float (3, N)."""
    row = classes.get(s.detection.cls)
    good = _inliers(depth, line, row) & _together(depth, config.depth_gap, line)
    nearest = float(depth.compress(good).min(initial=np.inf))
    if config.depth_gap > 0.0 and row.kind is not classes.Kind.OBJECT:  # between the legs of a table a loose mask shows the floor
        raised = good & (axes[2] > _FLOOR)
        if np.count_nonzero(raised) > 0.2 * np.count_nonzero(good):
            good = raised
    points, rows, columns = axes.compress(good, axis=1).T, s.rows.compress(good), s.columns.compress(good)
    if row.kind is classes.Kind.OBJECT:
        box = _object_box(points, row, frame.camera_pose[:3, 3])
    else:
        box = fit_box(points, wall_yaws, turned=False)
        pixel = nearest / frame.camera.fx  # what shows in one is no smaller
        box = Box(box.centre, tuple(max(edge, pixel) for edge in box.size), box.yaw)
    left, top, right, bottom = s.detection.box
    cut = left <= 1 or top <= 1 or right >= frame.camera.width - 1 or bottom >= frame.camera.height - 1
    return Lifted(s.detection, points, rows, columns, box, s.pixels, cut)


def _evenly(n: int, count: int) -> np.ndarray:
    """int (count,): the first and the last of ``n`` indices and, evenly, others between."""
    chosen = (np.arange(count) * ((n - 1) / (count - 1))).astype(int)
    chosen[-1] = n - 1
    return chosen


def back_project(rows: np.ndarray, columns: np.ndarray, depth: np.ndarray, frame: FrameInput) -> np.ndarray:
    """Pixels with planar depth (metres) → points float64 (N, 3) in map."""
    cam, pose = frame.camera, frame.camera_pose
    local = np.array([(columns - cam.cx) / cam.fx * depth, (rows - cam.cy) / cam.fy * depth, depth])
    return (pose[:3, :3] @ local + pose[:3, 3:]).T


def _inliers(depth: np.ndarray, line: np.ndarray, row: classes.EntityClass) -> np.ndarray:
    """bool (N,): readings that can belong to one thing of this class; at least one is kept. ``line``: the same in order."""
    if row.kind is classes.Kind.OBJECT:  # mixed pixels at the rim read the wall behind
        reach = max(0.06, 0.75 * max(row.size))
    elif row.kind is classes.Kind.PERSON:
        reach = 0.9
    else:
        reach = max(1.0, 1.5 * max(row.size))
    off = np.abs(depth - order.middle(line))
    good = off <= reach
    return good if np.count_nonzero(good) else off <= off.min()


def _together(depth: np.ndarray, gap: float, line: np.ndarray | None = None) -> np.ndarray:
    """bool (N,): readings on the near and far side of the middle one without a gap; a mask that bleeds over a rim shows what is behind it. ``line``: the
    same in order, where that is known."""
    if gap <= 0.0 or len(depth) < 3:
        return np.ones(len(depth), bool)
    line = np.sort(depth) if line is None else line
    breaks, middle = (line[1:] - line[:-1] > gap).nonzero()[0], len(line) // 2
    if not breaks.size:
        return np.ones(len(depth), bool)
    low, high = breaks[breaks < middle], breaks[breaks >= middle]
    return (depth >= (line[low[-1] + 1] if low.size else line[0])) & (depth <= (line[high[0]] if high.size else line[-1]))


def _object_box(points: np.ndarray, row: classes.EntityClass, eye: np.ndarray) -> Box:
    """A hand-sized object shows its near side only: the centre lies behind what is seen, by about half its depth.

    The seen patch bounds the box from below and the class's size from above; the underside is what was seen lowest.
    """
    if len(points) >= 25:
        low, high = np.array([order.percentiles(points[:, axis], (4, 96)) for axis in range(3)]).T
    else:
        low, high = points.min(axis=0), points.max(axis=0)
    middle = order.medians(points)
    seen = high - low
    away = middle[:2] - eye[:2]
    away = away / max(length(away), 1e-6)
    typical = (row.size[0] + row.size[1]) / 2
    deep = abs(float(seen[0] * away[0])) + abs(float(seen[1] * away[1]))
    push = max(0.0, (min(typical, 0.12) - deep) / 2)
    centre_xy = (low[:2] + high[:2]) / 2 + away * push
    width = np.maximum(seen[:2], min(typical, 0.05))
    height = max(float(seen[2]), 0.02)
    return Box((float(centre_xy[0]), float(centre_xy[1]), float((low[2] + high[2]) / 2)), (float(width[0]), float(width[1]), height))
