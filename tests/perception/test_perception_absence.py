"""What was not looked at is never empty: a thing beyond the edge of the picture is out of view, whatever bears it shows at that edge."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from household.camera import CameraModel
from perception.absence import Look, look_for
from perception.config import PerceptionConfig
from perception.geometry import Box

CAMERA = CameraModel.from_fov(160, 120, 69.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # 1 m up, looks along +x


def look(y):
    depth = np.zeros((CAMERA.height, CAMERA.width), dtype=np.float32)  # nothing can be read, and all one sees is the counter
    frame = SimpleNamespace(depth=depth, color=np.zeros((*depth.shape, 3), np.uint8), camera=CAMERA, camera_pose=POSE,
                            detections=(SimpleNamespace(cls="kitchencounter"),))
    around = SimpleNamespace(frame=frame, config=PerceptionConfig(), labels=np.zeros(depth.shape, np.int16), bodies=(),
                             places={"kitchencounter_1": SimpleNamespace(cls="kitchencounter")})
    glass = SimpleNamespace(guessed=False, place="kitchencounter_1", box=Box((2.0, y, 1.0), (0.06, 0.06, 0.12), 0.0), cls="waterglass", colour=None)
    return look_for(glass, None, around)


def test_a_thing_beyond_the_edge_of_the_picture_is_not_missed_there():
    edge = 2.0 * np.tan(np.radians(69.0 / 2))
    assert look(0.5 * edge) is Look.MISSING  # the counter shows right through its place
    assert look(1.3 * edge) is look(-1.3 * edge) is Look.OUT
