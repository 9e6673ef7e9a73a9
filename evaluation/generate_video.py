"""A generated episode as pictures: lived once more, seen by a camera that stands in the corner of the room the person is in.

The episode is deterministic, so it can be filmed after a question was found in it. One PNG every second tick, named by its tick, and
``camera.json`` with the pose of each (4×4, optical frame → map), its time in seconds, and the intrinsics.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np

from evaluation.cli import UsageError
from evaluation.generate_episodes import errand
from evaluation.social_generate_posts import cut, leaves
from household.camera import CameraModel
from sim_bridges.embedded.render import Renderer
from sim_bridges.embedded.visibility import Viewer
from sim_bridges.embedded.world import EmbeddedWorld

EVERY = 2  # ticks
_HEIGHT, _INSET, _CHEST = 2.1, 0.35, 1.1  # metres: the camera above the floor and from both walls, and what it looks at above the floor
_CAMERA = CameraModel.from_fov(640, 480, 85.0)


class Film:
    """Pictures of one episode under ``folder``: ``take`` writes one, ``close`` the camera and the poses. Raises UsageError."""

    def __init__(self, folder: Path):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write '{folder}': {error.strerror}") from None
        self._folder, self._renderer = folder, None
        self._poses: dict[str, list] = {}
        self._times: dict[str, float] = {}

    def take(self, world: EmbeddedWorld, person: str, tick: int) -> None:
        """``person``'s room, named by the tick."""
        self._renderer = self._renderer or Renderer(world.home, seed=world.seed)
        pose = corner_pose(world, person)
        color, _, _ = self._renderer.render(world.state, _CAMERA, pose, with_ids=False)
        cv2.imwrite(str(self._folder / f"{tick:04d}.png"), cv2.cvtColor(color, cv2.COLOR_RGB2BGR))
        self._poses[str(tick)], self._times[str(tick)] = np.round(pose, 5).tolist(), round(world.time, 3)

    def close(self) -> None:
        camera = {"width": _CAMERA.width, "height": _CAMERA.height, "fx": _CAMERA.fx, "fy": _CAMERA.fy, "cx": _CAMERA.cx, "cy": _CAMERA.cy}
        (self._folder / "camera.json").write_text(json.dumps({"camera": camera, "pose": self._poses, "time": self._times}))


def film(item: dict, folder: Path) -> None:
    """Write the pictures of one generated item to ``folder/<episode>``, up to the moment that is asked about."""
    pictures = Film(folder / str(item["episode"]))

    def watch(world: EmbeddedWorld, person: str, tick: int) -> None:
        if tick % EVERY == 0 and tick <= item["end_time"]:
            pictures.take(world, person, tick)

    errand(item["home"], item["seed"], people=item["people"], goals=item["goals"], watch=watch)
    pictures.close()


def corner_pose(world: EmbeddedWorld, person: str) -> np.ndarray:
    """Optical frame → map, (4, 4): from the corner of the person's room that is farthest from them, of those from which they can be seen, looking at
    their chest."""
    x, y = world.state.people[person].position
    room = world.rooms.get(world.room_of(person) or "")
    low, high = (room.low, room.high) if room else ((x - 2, y - 2), (x + 2, y + 2))
    corners = [(cx, cy) for cx in (low[0] + _INSET, high[0] - _INSET) for cy in (low[1] + _INSET, high[1] - _INSET)]
    eye = np.array([*max(corners, key=lambda c: (_sees(world, c, person), math.dist(c, (x, y)))), _HEIGHT])
    forward = np.array([x, y, _CHEST]) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= max(np.linalg.norm(right), 1e-9)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(forward, right), forward, eye
    return pose


def _sees(world: EmbeddedWorld, corner: tuple[float, float], person: str) -> bool:
    """Whether nobody, no furniture and no open door hides the person from that corner."""
    viewer, at = Viewer("", (*corner, _HEIGHT), 0.0, fov=2 * math.pi, vertical_fov=math.pi), world.state.people[person].position
    return world.sight_map.can_see(world.state, viewer, (*at, _CHEST), person) and not cut(corner, at, leaves(world))
