"""The embedded world passes the same contract as the bridges: units, optical frame, intrinsics, a known wall, a thing handed over, reset.

Its furniture is made of meshes, not boxes, so a landmark's points must lie inside its box and its mask inside the box's outline.
"""

import numpy as np
import pytest

from household.actions import parse
from household.camera import CameraModel
from sim_bridges import conformance
from sim_bridges.conformance import Landmark, NotConformant, Subject
from sim_bridges.embedded.simulator import EmbeddedSimulator
from sim_bridges.embedded.world import EmbeddedWorld
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.stage import Stage, apartment

WIDTH, HEIGHT = 320, 240
pytestmark = pytest.mark.render


def outside(box):
    """Distance of points to the box, 0 inside."""
    def distance(points):
        c, s = np.cos(box.yaw), np.sin(box.yaw)
        local = (points - box.center) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return np.linalg.norm(np.maximum(np.abs(local) - np.array(box.size) / 2, 0), axis=1)
    return distance


def scene():
    stage = Stage(apartment())
    known = known_scene(stage, WIDTH, HEIGHT)
    marks = tuple(Landmark(b.entity, stage.cls(b.entity), b.corners(), outside(b), False) for b in stage.boxes("robot")
                  if b.entity == "kitchentable_1")  # no handles that stick out
    return conformance.KnownScene(**{**vars(known), "landmarks": marks, "wall_offset": WALL})


WALL = 3.95  # map x of the face of the wall between the rooms, which is 10 cm thick


@pytest.fixture(scope="module")
def subject():
    def make():
        return EmbeddedSimulator(EmbeddedWorld(apartment()), CameraModel.from_fov(WIDTH, HEIGHT, 80.0))

    return Subject(open=make, scene=scene(), body=lambda world: world.body,
                   hand_over=tuple(map(parse, ("walk(apple_1)", "pick(apple_1)", "walk(alice)", "give(apple_1, alice)"))),
                   holder=lambda world, thing: world.world.state.things[thing].at, handed=("apple_1", "alice"))


@pytest.fixture(scope="module")
def world(subject):
    return subject.open()


CHECKS = {k: v for k, v in conformance.ALL.items() if k not in ("silhouettes", "shutdown", "lost connection")}  # meshes; below; it has no link


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_contract(world, subject, check):
    world.reset(1)
    check(world, subject)


def test_shutdown(subject):
    conformance.check_shutdown(subject.open(), subject)


def test_masks_lie_inside_the_outline_of_their_boxes(world, subject):
    world.reset(1)
    f = world.frame()
    for mark in subject.scene.landmarks:
        value = next(v for v, info in f.instances.items() if info.entity == mark.entity)
        v, u = np.nonzero(f.ids == value)
        outline = conformance.project(f.camera, f.camera_pose, mark.corners)
        assert u.size > 50
        assert (np.array([u.min(), v.min()]) > outline.min(axis=0) - 2).all() and (np.array([u.max(), v.max()]) < outline.max(axis=0) + 2).all()


def test_the_suite_can_fail(world, subject):
    wrong = Subject(**{**vars(subject), "scene": conformance.KnownScene(**{**vars(subject.scene), "robot_position": (0.5, -0.5)})})
    world.reset(1)
    with pytest.raises(NotConformant, match="base_link"):
        conformance.check_optical_frame(world, wrong)
