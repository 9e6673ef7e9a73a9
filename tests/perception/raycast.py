"""A tiny scene for tests: boxes seen by a pinhole camera, ray by ray. No renderer, no assets; everything is known exactly."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from household.camera import CameraModel
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.geometry import Box
from perception.home_map import HomeMap, MapDoorway, MapRoom
from perception.pipeline import initial_state, step

CAMERA = CameraModel.from_fov(240, 180, 80)


def rectangle(room: str, cls: str, x0: float, y0: float, x1: float, y1: float) -> MapRoom:
    return MapRoom(room, cls, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))


TWO_ROOMS = HomeMap((rectangle("kitchen", "kitchen", 0, 0, 5, 5), rectangle("livingroom", "livingroom", 5, 0, 10, 5)),
                    (MapDoorway("door_1", ("kitchen", "livingroom"), (5.0, 2.5), 1.0, 0.0),))


@dataclass(frozen=True)
class Solid:
    """One box of an instance; several may share a name (a person's arm, a fridge's door)."""

    name: str
    cls: str
    box: Box
    color: tuple[int, int, int] = (120, 120, 120)


@dataclass
class Scene:
    solids: list[Solid] = field(default_factory=list)
    camera: CameraModel = CAMERA
    pose: np.ndarray = None
    walls: bool = True
    names: bool = True

    def frame(self, stamp: float, **changes) -> FrameInput:
        color, depth, ids, table = self.render()
        found = []
        for i, (name, cls) in table.items():
            d = Detection.from_full_mask(cls, 1.0, ids == i, identity=name if cls == "person" and self.names else None, instance=name)
            if d is not None and d.mask.sum() >= 3:
                found.append(d)
        frame = FrameInput(stamp, color, depth, self.camera, self.pose, None, tuple(found))
        return replace(frame, **changes)

    def render(self):
        h, w = self.camera.height, self.camera.width
        u, v = np.meshgrid(np.arange(w), np.arange(h))
        rays = np.stack([(u - self.camera.cx) / self.camera.fx, (v - self.camera.cy) / self.camera.fy, np.ones_like(u, float)], -1)
        rays = rays.reshape(-1, 3) @ self.pose[:3, :3].T
        eye = self.pose[:3, 3]
        depth = np.full(h * w, np.inf)
        ids = np.zeros(h * w, int)
        color = np.full((h * w, 3), 200, np.uint8)
        with np.errstate(divide="ignore"):
            floor = np.where(rays[:, 2] < -1e-6, -eye[2] / rays[:, 2], np.inf)
        depth = np.minimum(depth, floor)
        table: dict[int, tuple[str, str]] = {}
        numbers: dict[str, int] = {}
        for solid in self.solids + (_shell() if self.walls else []):
            t = _hit(eye, rays, solid.box)
            near = t < depth
            depth = np.where(near, t, depth)
            if solid.name:
                number = numbers.setdefault(solid.name, len(numbers) + 1)
                table[number] = (solid.name, solid.cls)
            else:
                number = 0
            ids[near] = number
            color[near] = solid.color
        depth = np.where(np.isfinite(depth) & (depth < 15), depth, 0).astype(np.float32)
        return color.reshape(h, w, 3), depth.reshape(h, w), ids.reshape(h, w), table


def _shell() -> list[Solid]:
    """The walls of TWO_ROOMS with the doorway at (5, 2.5)."""
    def wall(x, y, sx, sy, z=1.3, sz=2.6):
        return Solid("", "", Box((x, y, z), (sx, sy, sz)))

    return [wall(-0.05, 2.5, 0.1, 5), wall(10.05, 2.5, 0.1, 5), wall(5, -0.05, 10, 0.1), wall(5, 5.05, 10, 0.1),
            wall(5, 1.0, 0.1, 2.0), wall(5, 4.0, 0.1, 2.0), wall(5, 2.5, 0.1, 1.0, 2.33, 0.55)]


def _hit(eye: np.ndarray, rays: np.ndarray, box: Box) -> np.ndarray:
    """Planar depth of the first hit (rays have unit optical z); inf when missed."""
    c, s = np.cos(box.yaw), np.sin(box.yaw)
    turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    o, d = turn @ (eye - np.asarray(box.centre)), rays @ turn.T
    half = np.asarray(box.size) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-half - o) / d, (half - o) / d
    enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
    return np.where((enter <= leave) & (enter > 0.01), enter, np.inf)


def look(x: float, y: float, yaw: float, pitch: float = -0.3, z: float = 1.25) -> np.ndarray:
    """Optical → map of a camera at (x, y, z) looking along yaw, pitch (negative: down)."""
    forward = np.array([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)])
    right = np.array([np.sin(yaw), -np.cos(yaw), 0.0])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(forward, right), forward, (x, y, z)
    return pose


def person(name: str, x: float, y: float, yaw: float = 0.0, hand: tuple[float, float, float] | None = None,
           color: tuple[int, int, int] = (180, 40, 40)) -> list[Solid]:
    """A standing figure of boxes, 1.7 m; ``hand``: map point an arm reaches to."""
    parts = [Solid(name, "person", Box((x, y, 0.4), (0.2, 0.3, 0.8), yaw), (40, 40, 60)),
             Solid(name, "person", Box((x, y, 1.1), (0.22, 0.44, 0.6), yaw), color),
             Solid(name, "person", Box((x, y, 1.55), (0.2, 0.16, 0.26), yaw), (220, 180, 150))]
    if hand is not None:
        for k in np.linspace(0.3, 1.0, 6):
            parts.append(Solid(name, "person", Box(tuple(np.array([x, y, 1.2]) * (1 - k) + np.array(hand) * k), (0.08, 0.08, 0.08)), color))
    return parts


def fridge(x: float, y: float, opened: bool) -> list[Solid]:
    """A hollow fridge against the west wall, front towards +x, 0.6 × 0.6 × 1.7; its door hinges at the south edge."""
    def plate(dx, dy, z, sx, sy, sz):
        return Solid("fridge", "fridge", Box((x + dx, y + dy, z), (sx, sy, sz)), (230, 230, 235))

    parts = [plate(-0.28, 0, 0.85, 0.04, 0.6, 1.7), plate(0, 0.28, 0.85, 0.6, 0.04, 1.7), plate(0, -0.28, 0.85, 0.6, 0.04, 1.7),
             plate(0, 0, 1.68, 0.6, 0.6, 0.04), plate(0, 0, 0.02, 0.6, 0.6, 0.04), plate(0, 0, 0.8, 0.56, 0.56, 0.03)]
    parts.append(plate(0.6, -0.29, 0.85, 0.56, 0.03, 1.7) if opened else plate(0.29, 0, 0.85, 0.03, 0.6, 1.7))
    return parts


def table(x: float, y: float) -> list[Solid]:
    legs = [Solid("table", "kitchentable", Box((x + i * 0.5, y + j * 0.3, 0.36), (0.05, 0.05, 0.72))) for i in (-1, 1) for j in (-1, 1)]
    return [Solid("table", "kitchentable", Box((x, y, 0.73), (1.2, 0.8, 0.04)), (160, 110, 60)), *legs]


def apple(x: float, y: float, z: float = 0.79, name: str = "apple") -> Solid:
    return Solid(name, "apple", Box((x, y, z), (0.09, 0.09, 0.08)), (200, 30, 30))


def play(frames, home: HomeMap = TWO_ROOMS, config: PerceptionConfig = PerceptionConfig()):
    """Runs step over the frames. Returns (final state, graphs, events)."""
    state, graphs, events = initial_state(home), [], []
    for frame in frames:
        state, graph, found = step(state, frame, config)
        graphs.append(graph)
        events.extend(found)
    return state, graphs, events
