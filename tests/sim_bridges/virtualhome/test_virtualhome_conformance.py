"""The bridge contract, through real HTTP, PNG and EXR, against a scene known from elsewhere; and proof that the suite can fail."""

import math

import numpy as np
import pytest

from household.actions import parse
from household.scene_graph import ROBOT
from sim_bridges import conformance, unity
from sim_bridges.conformance import NotConformant, Subject
from sim_bridges.errors import BridgeError
from sim_bridges.virtualhome.client import Limits
from sim_bridges.virtualhome.config import CameraMount, CharacterSpec, VirtualHomeConfig
from sim_bridges.virtualhome.world import VirtualHomeWorld
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble

WIDTH, HEIGHT = 320, 240
HOME = apartment()


def config_for(port: int, **more) -> VirtualHomeConfig:
    people = tuple(CharacterSpec(p.id, f"Chars/Male{i + 1}", position=p.position) for i, p in enumerate(HOME.people))
    robot = CharacterSpec(ROBOT, "Chars/Female2", position=HOME.robot.position)
    return VirtualHomeConfig(**{**dict(
        port=port, people=people, robot=robot, width=WIDTH, height=HEIGHT, horizontal_fov=HOME.robot.horizontal_fov_deg,
        camera_height=HOME.robot.camera_height, camera_pitch=math.degrees(HOME.robot.camera_pitch), limits=Limits(connect=0.5)), **more})


@pytest.fixture
def sim():
    with VirtualHomeDouble(Stage(apartment())) as double:
        yield double


def subject(sim: VirtualHomeDouble, **more) -> Subject:
    return Subject(
        open=lambda: VirtualHomeWorld(config_for(sim.port, **more)), scene=known_scene(Stage(apartment()), WIDTH, HEIGHT),
        body=lambda world: world.body, hand_over=tuple(map(parse, ("walk(apple_1)", "pick(apple_1)", "walk(alice)", "give(apple_1, alice)"))),
        holder=lambda world, thing: world.scene().holder_of(thing), handed=("apple_1", "alice"),
        break_link=sim.stop, mend_link=sim.start)


@pytest.mark.parametrize("check", conformance.ALL.values(), ids=conformance.ALL.keys())
def test_contract(sim, check):
    s = subject(sim)
    world = s.open()
    world.reset(1)
    check(world, s)


@pytest.mark.parametrize("name", ["optical frame", "silhouettes", "points", "wall"])
def test_contract_with_a_camera_bolted_to_the_character(sim, name):
    s = subject(sim, mount=CameraMount.CHARACTER)
    world = s.open()
    conformance.ALL[name](world, s)


def test_full_resolution_points_are_within_a_centimetre_of_the_map(sim):
    scene = known_scene(Stage(apartment()), 640, 480)
    world = VirtualHomeWorld(config_for(sim.port, width=640, height=480))
    s = Subject(open=lambda: world, scene=scene)
    conformance.check_points(world, s)
    conformance.check_wall(world, s)


SLIPS = {
    "mirrored basis": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "x and z swapped": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
    "wrong sign forward": np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
}


@pytest.mark.parametrize("basis", SLIPS.values(), ids=SLIPS.keys())
def test_a_left_handed_slip_is_caught(sim, monkeypatch, basis):
    wrong = np.eye(4)
    wrong[:3, :3] = basis
    monkeypatch.setattr(unity, "BASIS", basis)
    monkeypatch.setattr(unity, "_BASIS4", wrong)
    monkeypatch.setattr(unity, "_BASIS4_INV", wrong.T)
    s = subject(sim)
    with pytest.raises((NotConformant, BridgeError, ValueError)):
        world = s.open()
        for check in (conformance.check_optical_frame, conformance.check_silhouettes, conformance.check_points):
            check(world, s)


def test_a_wrong_focal_length_is_caught(sim):
    s = subject(sim)
    world = VirtualHomeWorld(config_for(sim.port, horizontal_fov=82.0))
    with pytest.raises(NotConformant, match="fx"):
        conformance.check_intrinsics(world, s)
    conformance.check_points(world, s)  # the picture itself is consistent: the numbers are what is wrong


def test_the_report_names_what_is_wrong(sim):
    s = subject(sim)
    results = conformance.run(s, {"types": conformance.check_types, "wall": conformance.check_wall})
    assert results == {"types": "", "wall": ""}
    off = Subject(**{**vars(s), "scene": conformance.KnownScene(**{**vars(s.scene), "wall_offset": 4.1})})
    assert "the wall is off by up to" in conformance.run(off, {"wall": conformance.check_wall})["wall"]
