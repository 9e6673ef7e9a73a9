"""The degraded mode: colour without depth. Places things by where they meet the floor and by how large their class usually is.

What stands on the floor (furniture, people, obstacles) is where the ray through its lowest pixel meets the floor; a hand-sized thing is as far
as its class must be to look that tall. Invariant: everything that comes from here says so (``Lifted.metric`` False, low scores), nothing
here opens or closes, and no view is called empty: errors of 10 to 30 % of the distance are usual.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from household import classes
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.geometry import Box, length
from perception.lifting import Lifted

CONFIDENCE = 0.35  # factor on every score in this mode


def lift(frame: FrameInput, config: PerceptionConfig) -> tuple[Lifted, ...]:
    """Every detection that can be placed; the camera's pose gives its height over the floor."""
    found = (_place(d, frame, config) for d in frame.detections if d.score >= config.min_score)
    return tuple(x for x in found if x is not None)


def _place(d: Detection, frame: FrameInput, config: PerceptionConfig) -> Lifted | None:
    row = classes.get(d.cls)
    left, top, right, bottom = d.box
    cut_below = bottom >= frame.camera.height - 1
    stands = row.kind is not classes.Kind.OBJECT and d.cls not in ("microwave", "kitchencabinet", "bathroomcabinet", "tv", "faucet", "sink",
                                                                   "coffeemaker")
    distance = None
    if stands and not cut_below:
        distance = _floor_distance((left + right) / 2, bottom, frame)
    if distance is None:
        pixels = max(bottom - top, 1) if row.size[2] >= 0.6 * max(row.size[:2]) else max(right - left, 1)
        distance = frame.camera.fy * (row.size[2] if row.size[2] >= 0.6 * max(row.size[:2]) else max(row.size[:2])) / pixels
    if not config.min_range < distance < config.max_range:
        return None
    rows, columns = np.nonzero(d.mask)
    if rows.size > config.sample_points // 2:
        keep = np.linspace(0, rows.size - 1, config.sample_points // 2).astype(int)
        rows, columns = rows[keep], columns[keep]
    cam = frame.camera
    rows, columns = rows + top, columns + left
    ray = np.column_stack([(columns - cam.cx) / cam.fx, (rows - cam.cy) / cam.fy, np.ones(len(rows))]) @ frame.camera_pose[:3, :3].T
    points = frame.camera_pose[:3, 3] + ray * distance
    centre = points.mean(axis=0)
    low, high = points.min(axis=0), points.max(axis=0)
    away = centre[:2] - frame.camera_pose[:2, 3]
    away = away / max(length(away), 1e-6)
    centre[:2] += away * (row.size[1] / 2 if stands else 0.0)
    size = (row.size[0], row.size[1], max(float(high[2] - low[2]), 0.02))
    box = Box((float(centre[0]), float(centre[1]), float((low[2] + high[2]) / 2)), tuple(float(s) for s in size))
    weak = replace(d, score=d.score * CONFIDENCE)
    return Lifted(weak, points, rows, columns, box, int(d.mask.sum()), left <= 1 or top <= 1, metric=False)


def _floor_distance(u: float, v: float, frame: FrameInput) -> float | None:
    """Planar depth, metres, at which the ray through pixel (u, v) meets the floor z = 0; None when it does not."""
    cam, pose = frame.camera, frame.camera_pose
    ray = pose[:3, :3] @ np.array([(u - cam.cx) / cam.fx, (v - cam.cy) / cam.fy, 1.0])
    if ray[2] > -0.05:
        return None
    return float(-pose[2, 3] / ray[2])
