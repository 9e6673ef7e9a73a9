"""Names of the stack's own entities at their places in the recorded picture: 3-D boxes of the scene graph, projected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.demo.recording import Recording
from planner import words


@dataclass(frozen=True)
class Marker:
    """``box``: left, top, right, bottom in pixels of the recorded image."""

    text: str
    box: tuple[float, float, float, float]


def markers(rec: Recording, stamp: float, wanted: set[str]) -> list[Marker]:
    """For those of ``wanted`` that the graph at ``stamp`` holds as visible, if the camera's pose was recorded."""
    graph, view = rec.graph_at(stamp), rec.view_at(stamp)
    if graph is None or view is None:
        return []
    found = []
    for name in sorted(wanted):
        e = graph.entities.get(name)
        if e is None or not e.visible:
            continue
        box = project(e, view[0], view[1])
        if box is not None:
            found.append(Marker(words.thing(name, graph).removeprefix("the "), box))
    return found


def project(entity, camera, camera_pose: np.ndarray) -> tuple[float, float, float, float] | None:
    """The pixel rectangle around an entity's box; None when any corner is behind the camera."""
    (w, d, h), (x, y, z) = entity.extents, entity.position
    bottom = z if entity.cls == "person" else z - h / 2
    c, s = np.cos(entity.yaw), np.sin(entity.yaw)
    corners = np.array([(x + c * a * w / 2 - s * b * d / 2, y + s * a * w / 2 + c * b * d / 2, bottom + h * t, 1.0)
                        for a in (-1, 1) for b in (-1, 1) for t in (0, 1)])
    inside = (np.linalg.inv(camera_pose) @ corners.T)[:3]
    if (inside[2] < 0.1).any():
        return None
    u, v = camera.fx * inside[0] / inside[2] + camera.cx, camera.fy * inside[1] / inside[2] + camera.cy
    return float(u.min()), float(v.min()), float(u.max()), float(v.max())
