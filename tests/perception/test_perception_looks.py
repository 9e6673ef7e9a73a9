"""Whether the colours at a thing's place are still its own: where it shows beside where it is taken to be, from the side, from afar."""

from types import SimpleNamespace

import numpy as np
import pytest

from household.camera import CameraModel
from perception.geometry import Box, project
from perception.looks import Shows, shows

CAMERA = CameraModel.from_fov(640, 480, 69.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # 1 m up, looks along +x
WOOD, RED = (150, 110, 70), (200, 30, 30)
BOOK = (0.15, 0.22, 0.03)  # m, lying
BALL = (0.1, 0.1, 0.1)


def seen(size, x, there=True, off=0.0, taken_to_be=None, about=True):
    """What shows at a red thing of ``size`` at ``x`` m before the camera, before wood; ``off``: it is seen so many m higher than it is ``taken_to_be``."""
    color = np.full((CAMERA.height, CAMERA.width, 3), WOOD, np.uint8)
    box = Box((x, 0.0, 0.9), size)
    if there:
        u, v, _ = project(Box((x, 0.0, 0.9 + off), size).grid(2, 1.0), CAMERA, POSE)
        color[int(round(v.min())):int(round(v.max())) + 1, int(round(u.min())):int(round(u.max())) + 1] = RED
    frame = SimpleNamespace(color=color, camera=CAMERA, camera_pose=POSE)
    return shows(RED, taken_to_be or box, frame, about=about)


def test_what_is_there_shows_itself_and_what_has_gone_shows_what_was_around_it():
    assert seen(BALL, 2.0) is Shows.ITSELF and seen(BALL, 2.0, there=False) is Shows.BEHIND


@pytest.mark.parametrize("off", [0.0, 0.02, -0.02, 0.04])
def test_what_shows_a_little_beside_where_it_is_taken_to_be_is_there(off):
    assert seen(BALL, 2.0, off=off) is Shows.ITSELF
    assert seen(BOOK, 1.5, off=0.5 * off) is Shows.ITSELF


def test_what_shows_only_beside_its_place_is_not_in_it_where_just_that_is_asked():
    assert seen(BALL, 2.0, about=False) is Shows.ITSELF
    assert seen(BALL, 2.0, off=0.07) is Shows.ITSELF and seen(BALL, 2.0, off=0.07, about=False) is not Shows.ITSELF


def test_a_thin_thing_from_the_side_is_judged_by_its_own_height_or_not_at_all():
    assert seen(BOOK, 1.5) is Shows.ITSELF
    assert all(seen(BOOK, x) is not Shows.BEHIND for x in np.arange(1.0, 6.0, 0.25))  # most of a round patch as wide as it is wood


def test_what_is_a_few_pixels_wide_is_not_said_to_be_gone():
    far = CAMERA.fx * 0.5 * BALL[0] / 3.5
    assert seen(BALL, far, there=False) is Shows.UNCLEAR and seen(BALL, far) is Shows.ITSELF
