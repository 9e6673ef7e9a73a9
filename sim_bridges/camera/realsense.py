"""A RealSense read through ``pyrealsense2``, for a machine without the ROS driver: a camera that stands still at a known place.

The library aligns depth to colour and says the metres per count; nothing is assumed of either. There is no body: the robot behind such a camera can
speak and nothing else, and says so. ``advance`` waits for the camera, which is the only clock.
Invariant: an old frame is never given for a new one; a camera that was unplugged raises ConnectionLost and is looked for again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from household.actions import AtomicAction, Utterance, Verb
from household.camera import CameraModel
from household.images import clean_depth
from household.transforms import matrix_from
from sim_bridges.contract import Frame, StepReport, StepStatus
from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost
from sim_bridges.grounding import Candidate

OPTICAL_IN_LINK = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
MAX_GAP = 100  # frames in one advance


@dataclass(frozen=True)
class RealSenseConfig:
    """``position`` (x, y, z), ``yaw``, ``pitch`` (negative looks down, radians): of the colour camera in map. ``base``: (x, y, yaw) of the robot.

    ``serial`` '': the first camera found. ``timeout``: seconds without a frame until the camera counts as lost."""

    width: int = 640
    height: int = 480
    rate: int = 30
    serial: str = ""
    position: tuple[float, float, float] = (0.0, 0.0, 1.2)
    yaw: float = 0.0
    pitch: float = 0.0
    base: tuple[float, float, float] = (0.0, 0.0, 0.0)
    timeout: float = 2.0

    def __post_init__(self) -> None:
        for name, low, high in (("width", 64, 1920), ("height", 48, 1080), ("rate", 1, 90), ("timeout", 0.1, 60.0), ("pitch", -1.6, 1.6)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name}={getattr(self, name)} is outside [{low}, {high}]")


class Speaker:
    """The body of a robot that is a camera and a loudspeaker."""

    def can(self, action: AtomicAction) -> str:
        return "" if action.verb in (Verb.SAY, Verb.WAIT) else f"this robot can only speak, it cannot {action.verb.value}"

    def start(self, action: AtomicAction) -> None:
        self._reason = self.can(action)

    def poll(self) -> StepReport:
        reason = getattr(self, "_reason", "")
        return StepReport(StepStatus.FAILED, reason) if reason else StepReport(StepStatus.SUCCEEDED)

    def stop(self) -> None:
        self._reason = ""


class RealSenseWorld:
    """``contract.Simulator`` without anything simulated: ``finished`` never, ``truth`` and ``candidates`` empty."""

    finished = False

    def __init__(self, config: RealSenseConfig = RealSenseConfig()):
        self.config, self.body = config, Speaker()
        self._closed = False
        self._pipeline = None
        self._frame: Frame | None = None
        self._open()
        self.advance(0.0)

    def reset(self, seed: int) -> None:
        """The real world does not start again."""
        self._need_open()

    def advance(self, seconds: float) -> None:
        """Wait until the camera's time has moved on by ``seconds``. Raises ConnectionLost."""
        self._need_open()
        if self._pipeline is None:
            self._open()
        due = (self._frame.stamp if self._frame else -math.inf) + seconds
        for _ in range(max(2, round(seconds * self.config.rate * 2)) + MAX_GAP):
            frame = self._next()
            if self._frame is None or frame.stamp > self._frame.stamp:
                self._frame = frame
            if self._frame.stamp >= due - 0.5 / self.config.rate:
                return
        raise BadReply(f"the camera's time stands still at {self._frame.stamp:.3f} s")

    def frame(self) -> Frame:
        self._need_open()
        if self._pipeline is None:
            raise ConnectionLost("the RealSense camera was lost and is not back yet")
        return self._frame

    def heard(self) -> list[Utterance]:
        return []

    def hear(self, utterance: Utterance) -> None:
        """People hear it from the loudspeaker."""

    def look_at(self, point: tuple[float, float, float]) -> None:
        """The camera is mounted."""

    def stand_at(self, spot: tuple[float, float] | None) -> None:
        """The camera stays where it is."""

    def truth(self) -> dict:
        return {}

    def candidates(self) -> list[Candidate]:
        return []

    def close(self) -> None:
        self._closed = True
        self._stop()

    # the library ----------------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        try:
            import pyrealsense2 as rs
        except ImportError:
            raise BridgeError("pyrealsense2 is not installed: pip install pyrealsense2, or start the realsense2_camera driver and use "
                              "world:=camera camera:=config/cameras/realsense.yaml") from None
        c, streams = self.config, rs.config()
        if c.serial:
            streams.enable_device(c.serial)
        streams.enable_stream(rs.stream.depth, c.width, c.height, rs.format.z16, c.rate)
        streams.enable_stream(rs.stream.color, c.width, c.height, rs.format.rgb8, c.rate)
        pipeline = rs.pipeline()
        try:
            profile = pipeline.start(streams)
        except RuntimeError as error:
            name = f"RealSense camera {c.serial}".strip()
            raise ConnectionLost(f"no {name} at {c.width}×{c.height}, {c.rate} Hz ({error}): plug it into a USB 3 port, close what else uses "
                                 "it, or choose a resolution it has") from None
        self._pipeline, self._align = pipeline, rs.align(rs.stream.color)
        self._unit = float(profile.get_device().first_depth_sensor().get_depth_scale())
        k = profile.get_stream(rs.stream.color).as_video_stream_profile().get_intrinsics()
        self._camera = CameraModel(k.width, k.height, k.fx, k.fy, k.ppx, k.ppy)

    def _next(self) -> Frame:
        try:
            frames = self._align.process(self._pipeline.wait_for_frames(int(self.config.timeout * 1000)))
        except RuntimeError as error:
            self._stop()
            raise ConnectionLost(f"the RealSense camera sent nothing for {self.config.timeout:g} s ({error}): is it still plugged in?") from None
        color, depth = frames.get_color_frame(), frames.get_depth_frame()
        if not color or not depth:
            raise BadReply("the RealSense camera sent a frame without colour or depth")
        rgb = np.asanyarray(color.get_data())
        metres = np.multiply(np.asanyarray(depth.get_data()), np.float32(self._unit), dtype=np.float32, casting="unsafe")
        if rgb.shape != (self._camera.height, self._camera.width, 3) or metres.shape != rgb.shape[:2]:
            raise BadReply(f"the RealSense camera sent colour {rgb.shape} and depth {metres.shape}; "
                           f"{self._camera.width}×{self._camera.height} are due")
        pose, base = self._poses()
        return Frame(frames.get_timestamp() / 1000.0, rgb.copy(), clean_depth(metres), self._camera, pose, base)

    def _poses(self) -> tuple[np.ndarray, np.ndarray]:
        c = self.config
        turn = matrix_from(c.position, (0.0, 0.0, math.sin(c.yaw / 2), math.cos(c.yaw / 2)))
        nod = matrix_from((0, 0, 0), (0.0, math.sin(-c.pitch / 2), 0.0, math.cos(-c.pitch / 2)))
        x, y, yaw = c.base
        return turn @ nod @ OPTICAL_IN_LINK, matrix_from((x, y, 0.0), (0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)))

    def _stop(self) -> None:
        if self._pipeline is not None:
            pipeline, self._pipeline = self._pipeline, None
            try:
                pipeline.stop()
            except RuntimeError:
                pass  # it is gone already

    def _need_open(self) -> None:
        if self._closed:
            raise Closed("this camera was closed")


def config_from(path: str | None, width: int, height: int, rate: float) -> RealSenseConfig:
    """``path``: YAML with ``camera: {position: [x, y, z], yaw: 0, pitch: 0, serial: ''}`` and ``robot: {position: [x, y], yaw: 0}``, degrees.

    Raises BridgeError that names file and key.
    """
    options = {"width": width, "height": height, "rate": round(rate) if rate in (6, 15, 30, 60, 90) else 30}
    if not path:
        return RealSenseConfig(**options)
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        camera, robot = data["camera"], data.get("robot", {})
        x, y = (float(v) for v in robot.get("position", camera["position"][:2]))
        px, py, pz = (float(v) for v in camera["position"])
        yaw = math.radians(float(camera.get("yaw", 0.0)))
        base_yaw = math.radians(float(robot["yaw"])) if "yaw" in robot else yaw
        return RealSenseConfig(**options, serial=str(camera.get("serial", "")), position=(px, py, pz), yaw=yaw,
                               pitch=math.radians(float(camera.get("pitch", 0.0))), base=(x, y, base_yaw))
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BridgeError(f"{path}: cannot be read as the place of a camera ({type(error).__name__}: {error}); wanted: "
                          "camera: {position: [x, y, z], yaw: 0, pitch: -20}") from None
