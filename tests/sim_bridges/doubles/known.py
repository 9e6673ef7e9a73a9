"""What a tester knows of the doubles' apartment without asking any bridge, in the form the conformance suite wants."""

from __future__ import annotations

import numpy as np

from household.camera import CameraModel
from sim_bridges.conformance import KnownScene, Landmark
from tests.sim_bridges.doubles.stage import Stage


def known_scene(stage: Stage, width: int, height: int) -> KnownScene:
    """Of the stage as it is after a reset."""
    stage.reset()
    robot = stage.state.robot
    camera = CameraModel.from_fov(width, height, stage.home.robot.horizontal_fov_deg)
    marks = []
    for box in stage.boxes("robot"):
        if box.entity in ("kitchentable_1", "apple_1", "fridge_1", "david"):  # the table hides the foot of the fridge
            marks.append(Landmark(box.entity, stage.cls(box.entity), box.corners(), box.distance, box.entity != "fridge_1"))
    pose = stage.camera_pose()
    optical = pose[:3, :3].T @ (np.array([4.0 - 0.02, 2.75, 1.8]) - pose[:3, 3])
    u, v = (int(round(c)) for c in optical[:2] / optical[2] * [camera.fx, camera.fy] + [camera.cx, camera.cy])
    size = max(2, width // 60)
    return KnownScene(camera, pose, robot.position, robot.yaw, tuple(marks), (1.0, 0.0, 0.0), 3.98,
                      (slice(v - size, v + size), slice(u - size, u + size)))
