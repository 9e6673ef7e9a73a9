"""Recording mode: the frames that VirtualHome writes to disk while a script line plays, read back as contract frames.

Stepping mode sees only the states between actions; a recording shows the motion. The simulator writes
``<folder>/<prefix>/<character>/Action_<number>_<camera>_<mode>.png|exr``, on its own machine: the folder must be one that both sides see.
The free camera does not move while a line runs, so every frame of a recording has the pose that was asked for before it.
Stamps: spread evenly over the world time the line took, the last frame at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from household.camera import CameraModel
from sim_bridges.contract import Frame
from sim_bridges.errors import BadReply
from sim_bridges.virtualhome.pixels import read_depth

if TYPE_CHECKING:
    from sim_bridges.virtualhome.world import VirtualHomeWorld

_NAME = re.compile(r"Action_(\d+)_0_(\w+)\.(png|exr)$")


@dataclass(frozen=True)
class Recording:
    """One script line's frames on disk. ``begin``, ``end``: stamps before and after the line; poses as in ``contract.Frame``."""

    folder: Path
    begin: float
    end: float
    camera: CameraModel
    camera_pose: np.ndarray
    robot_pose: np.ndarray


def frames(world: "VirtualHomeWorld", recording: Recording) -> Iterator[Frame]:
    """In order. Raises BadReply when the folder holds no complete frame (is it on this machine?) or an image cannot be read."""
    numbers: dict[int, dict[str, Path]] = {}
    for path in sorted(recording.folder.glob("*/Action_*")) if recording.folder.is_dir() else ():
        if match := _NAME.search(path.name):
            numbers.setdefault(int(match[1]), {}).setdefault(match[2], path)
    whole = {n: files for n, files in numbers.items() if "normal" in files and "depth" in files}
    if not whole:
        raise BadReply(f"no recorded frames in {recording.folder}: VirtualHome writes them on its own machine, so 'recording' must be a folder "
                       "that it and this program share")
    step = (recording.end - recording.begin) / len(whole)
    camera = recording.camera
    for i, number in enumerate(sorted(whole), 1):
        files = whole[number]
        ids = None
        if "seg_inst" in files and world.colors is not None:
            ids = world.colors.ids(_png(files["seg_inst"], camera))
        yield Frame(recording.begin + i * step, _png(files["normal"], camera), read_depth(files["depth"].read_bytes(), camera.width, camera.height),
                    camera, recording.camera_pose, recording.robot_pose, ids, world.instances)


def _png(path: Path, camera: CameraModel) -> np.ndarray:
    import cv2

    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None or image.shape[:2] != (camera.height, camera.width):
        raise BadReply(f"{path}: not a {camera.width}×{camera.height} PNG")
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
