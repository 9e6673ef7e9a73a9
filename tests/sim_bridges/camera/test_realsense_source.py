"""The direct RealSense source against a library that behaves like pyrealsense2, and without it."""

import math
import sys
import types

import numpy as np
import pytest

from household.actions import parse
from household.camera import CameraModel
from sim_bridges import conformance
from sim_bridges.camera.realsense import RealSenseConfig, RealSenseWorld, config_from
from sim_bridges.contract import StepStatus
from sim_bridges.errors import BridgeError, Closed, ConnectionLost
from sim_bridges.worlds import open_world
from tests.sim_bridges.doubles.boxes import render
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.stage import Stage, apartment

CAMERA = CameraModel.from_fov(200, 150, 80.0)


class Library(types.ModuleType):
    """As much of pyrealsense2 as there is to use. ``plugged``: whether a camera is there."""

    def __init__(self):
        super().__init__("pyrealsense2")
        stage = Stage(apartment())
        self.plugged, self.number, self.asked = True, 0, {}
        color, depth, _ = render(stage.boxes("robot"), CAMERA, stage.camera_pose())
        self.pictures = color, np.where(depth < 20, np.round(depth / 0.00025), 0).astype(np.uint16)
        self.stream = types.SimpleNamespace(depth="depth", color="color")
        self.format = types.SimpleNamespace(z16="z16", rgb8="rgb8")
        lib = self

        class Config:
            def enable_device(self, serial):
                lib.asked["serial"] = serial

            def enable_stream(self, *args):
                lib.asked[args[0]] = args[1:]

        class Pipeline:
            def start(self, config):
                if not lib.plugged:
                    raise RuntimeError("No device connected")
                k = types.SimpleNamespace(width=CAMERA.width, height=CAMERA.height, fx=CAMERA.fx, fy=CAMERA.fy, ppx=CAMERA.cx, ppy=CAMERA.cy)
                sensor = types.SimpleNamespace(get_depth_scale=lambda: 0.00025)
                video = types.SimpleNamespace(get_intrinsics=lambda: k)
                return types.SimpleNamespace(get_device=lambda: types.SimpleNamespace(first_depth_sensor=lambda: sensor),
                                             get_stream=lambda s: types.SimpleNamespace(as_video_stream_profile=lambda: video))

            def wait_for_frames(self, timeout):
                if not lib.plugged:
                    raise RuntimeError(f"Frame didn't arrive within {timeout}")
                lib.number += 1
                return lib.number

            def stop(self):
                if not lib.plugged:
                    raise RuntimeError("stop() cannot be called before start()")

        class Align:
            def __init__(self, to):
                assert to == "color"

            def process(self, number):
                color, depth = (types.SimpleNamespace(get_data=lambda p=p: p) for p in lib.pictures)
                return types.SimpleNamespace(get_color_frame=lambda: color, get_depth_frame=lambda: depth, get_timestamp=lambda: number * 1000 / 30)

        self.config, self.pipeline, self.align = Config, Pipeline, Align


@pytest.fixture
def library(monkeypatch):
    lib = Library()
    monkeypatch.setitem(sys.modules, "pyrealsense2", lib)
    return lib


def config(**more):
    robot = apartment().robot
    return RealSenseConfig(200, 150, 30, position=(*robot.position, robot.camera_height), yaw=robot.yaw, pitch=robot.camera_pitch,
                           base=(*robot.position, robot.yaw), **more)


def subject(library) -> conformance.Subject:
    return conformance.Subject(open=lambda: RealSenseWorld(config(timeout=0.2)), scene=known_scene(Stage(apartment()), 200, 150),
                               break_link=lambda: setattr(library, "plugged", False), mend_link=lambda: setattr(library, "plugged", True))


@pytest.mark.parametrize("check", {**conformance.ALWAYS, **conformance.WITH_LINK}.values(), ids={**conformance.ALWAYS, **conformance.WITH_LINK}.keys())
def test_contract(library, check):
    s = subject(library)
    world = s.open()
    world.reset(1)
    check(world, s)
    world.close()


def test_the_camera_that_was_asked_for(library):
    RealSenseWorld(config(serial="0123"))
    assert library.asked == {"serial": "0123", "depth": (200, 150, "z16", 30), "color": (200, 150, "rgb8", 30)}


def test_without_the_library_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyrealsense2", None)
    with pytest.raises(BridgeError, match="pip install pyrealsense2.*realsense2_camera"):
        RealSenseWorld()


def test_no_camera_plugged_in(library):
    library.plugged = False
    with pytest.raises(ConnectionLost, match="No device connected.*USB 3"):
        RealSenseWorld()


def test_a_robot_that_can_only_speak(library):
    body = RealSenseWorld(config()).body
    assert body.can(parse('say("hello")')) == "" and "only speak" in body.can(parse("pick(apple_1)"))
    body.start(parse("pick(apple_1)"))
    assert body.poll().status is StepStatus.FAILED
    body.stop()
    assert body.poll().status is StepStatus.SUCCEEDED


def test_mount_file(tmp_path):
    file = tmp_path / "mount.yaml"
    file.write_text("camera: {position: [1, 2, 1.5], yaw: 90, pitch: -20}\nrobot: {position: [1.2, 2]}\n")
    c = config_from(str(file), 640, 480, 30)
    assert c.position == (1, 2, 1.5) and c.yaw == pytest.approx(math.pi / 2) and c.base == pytest.approx((1.2, 2, math.pi / 2))
    file.write_text("camera: {yaw: 90}")
    with pytest.raises(BridgeError, match="mount.yaml.*position"):
        config_from(str(file), 640, 480, 30)


def test_closed_is_closed(library):
    world = RealSenseWorld(config())
    world.close()
    with pytest.raises(Closed):
        world.frame()


def test_it_is_one_of_the_worlds(library, tmp_path):
    mount = tmp_path / "mount.yaml"
    mount.write_text("camera: {position: [0.5, 0.5, 1.4], yaw: 48, pitch: -20}\nrobot: {position: [0.5, 0.5]}\n")
    world = open_world("realsense", home=str(mount), story="false_belief", seed=0, width=200, height=150, rate=5.0, noise=False, host="", port=None)
    assert world.frame().robot_pose[:2, 3] == pytest.approx((0.5, 0.5))
    library.plugged = False
    with pytest.raises(ConnectionLost, match="plug it into"):
        open_world("realsense", width=200, height=150)


def test_world_camera_points_at_the_driver():
    with pytest.raises(ValueError, match="docs/robot.md"):
        open_world("camera")
