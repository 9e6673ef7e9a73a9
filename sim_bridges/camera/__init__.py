"""Real RGB-D cameras: raw messages to contract frames, depth registration, and a RealSense without a driver."""

from __future__ import annotations

from sim_bridges.contract import Simulator


def open_simulator(*, home: str | None = None, width: int = 640, height: int = 480, rate: float = 30.0, **_) -> Simulator:
    """A RealSense on this machine, without its ROS driver. ``home``: YAML file that says where the camera is (docs/robot.md).

    Raises BridgeError: no library, no camera, or a mount file that cannot be read.
    """
    from sim_bridges.camera.realsense import RealSenseWorld, config_from

    return RealSenseWorld(config_from(home, width, height, rate))
