"""A camera driver with the habits of real ones: frames of an analytic scene as raw messages, quirks included; and what the stack makes of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from household.camera import CameraModel, Lens
from household.images import decode_color, decode_depth
from household.registration import joined
from household.sync import ApproximateSynchronizer, SyncConfig
from household.transforms import InFuture, NotConnected, TransformBuffer, UnknownFrame, quaternion_of
from sim_bridges.contract import Frame
from tests.sim_bridges.doubles.boxes import render
from tests.sim_bridges.doubles.stage import Stage, camera_pose

COLOR, DEPTH = "color", "depth"


@dataclass(frozen=True)
class RawImage:
    """The fields of ``sensor_msgs/Image``; ``stamp`` in seconds."""

    stamp: float
    frame_id: str
    encoding: str
    height: int
    width: int
    step: int
    is_bigendian: bool
    data: bytes


@dataclass(frozen=True)
class Quirks:
    """``depth``: 16UC1 or 32FC1; ``hole``: share of depth pixels without a reading; ``skew``: depth stamp after colour, s; ``late``: how many
    messages depth comes later; ``baseline``: the depth camera's place right of the colour camera, m (0: aligned)."""

    color: str = "rgb8"
    depth: str = "16UC1"
    big: bool = False
    pad: int = 0
    hole: float = 0.0
    skew: float = 0.0
    late: int = 0
    baseline: float = 0.0
    unit: float = 0.001


ORDERS = {"rgb8": (0, 1, 2), "bgr8": (2, 1, 0), "rgba8": (0, 1, 2, 0), "bgra8": (2, 1, 0, 0)}


class CameraDriver:
    """``messages(frames)`` in the order of their arrival: ('image'|'info'|'transform', …)."""

    def __init__(self, stage: Stage, camera: CameraModel, quirks: Quirks = Quirks(), rate: float = 15.0, seed: int = 3):
        self.stage, self.camera, self.quirks, self.rate = stage, camera, quirks, rate
        self.rng = np.random.default_rng(seed)
        self.depth_camera = camera if not quirks.baseline else replace(
            camera, width=camera.width * 3 // 4, height=camera.height * 3 // 4, fx=camera.fx * 0.7, fy=camera.fy * 0.7,
            cx=(camera.width * 3 // 4 - 1) / 2, cy=(camera.height * 3 // 4 - 1) / 2)

    def number(self, stamp: float, start: float = 100.0) -> int:
        """Which frame has this stamp."""
        return round((stamp - start) * self.rate)

    def messages(self, count: int, start: float = 100.0):
        q, out = self.quirks, []
        for stream, model in ((COLOR, self.camera), (DEPTH, self.depth_camera)):
            out.append((0.0, "info", stream, Lens(model)))
        robot = self.stage.state.robot
        for i in range(count):
            stamp = start + i / self.rate
            pose = self.pose(i)
            at = stamp - start
            base = np.eye(4)
            base[:2, 3] = robot.position
            link = np.linalg.inv(base) @ pose
            for child, parent, matrix in (("base_link", "map", base), ("optical", "base_link", link)):
                out.append((at + 0.03, "transform", parent, child, stamp, tuple(matrix[:3, 3]), quaternion_of(matrix)))
            color, seen, _ = render(self.stage.boxes("robot"), self.camera, pose)
            out.append((at + 0.01, "image", COLOR, self._color(color, stamp)))
            depth_pose = pose.copy()
            depth_pose[:3, 3] += pose[:3, 0] * q.baseline
            depth = render(self.stage.boxes("robot"), self.depth_camera, depth_pose)[1] if q.baseline else seen
            out.append((at + 0.012 + q.late / self.rate, "image", DEPTH, self._depth(depth, stamp + q.skew)))
        return [m[1:] for m in sorted(out, key=lambda m: m[0])]

    def pose(self, i: int) -> np.ndarray:
        """The camera pans a little every frame, so that a pose of the wrong moment shows."""
        robot, spec = self.stage.state.robot, self.stage.home.robot
        return camera_pose((*robot.position, spec.camera_height), robot.yaw + 0.01 * i, robot.head_pitch)

    def _color(self, color: np.ndarray, stamp: float) -> RawImage:
        order = ORDERS[self.quirks.color]
        return self._pack(np.ascontiguousarray(color[:, :, list(order)]), stamp, "optical", self.quirks.color, len(order))

    def _depth(self, depth: np.ndarray, stamp: float) -> RawImage:
        q = self.quirks
        hole = (self.rng.random(depth.shape) < q.hole) | (depth >= 60)
        order = ">" if q.big else "<"
        if q.depth == "16UC1":
            data = np.where(hole, 0, np.round(depth / q.unit)).astype(order + "u2")
        else:
            data = np.where(hole, np.nan, depth).astype(order + "f4")
        return self._pack(data, stamp, "depth_optical" if q.baseline else "optical", q.depth, data.itemsize)

    def _pack(self, pixels: np.ndarray, stamp: float, frame: str, encoding: str, size: int) -> RawImage:
        h, w = pixels.shape[:2]
        rows = np.ascontiguousarray(pixels).reshape(h, -1).view(np.uint8).reshape(h, w * size)
        padded = np.concatenate([rows, self.rng.integers(0, 255, (h, self.quirks.pad), dtype=np.uint8)], axis=1)
        return RawImage(stamp, frame, encoding, h, w, padded.shape[1], self.quirks.big, padded.tobytes())


@dataclass
class Chain:
    """The steps between a driver and perception, one after another as the perception node takes them. ``between``: the depth camera in the colour
    camera; None: by TF. ``aligned``: depth needs none of it."""

    aligned: bool = True
    between: np.ndarray | None = None
    unit: float | None = None
    sync: SyncConfig = field(default_factory=SyncConfig)

    def __post_init__(self):
        self.transforms, self.matcher, self.lenses, self.waiting = TransformBuffer(), ApproximateSynchronizer((COLOR, DEPTH), self.sync), {}, []

    def play(self, messages) -> list[Frame]:
        """The frames that became complete. Raises ImageFormatError."""
        frames = []
        for kind, *rest in messages:
            if kind == "info":
                self.lenses[rest[0]] = rest[1]
            elif kind == "transform":
                self.transforms.set(*rest)
            else:
                self.waiting += self.matcher.add(rest[0], rest[1].stamp, rest[1])
            while self.waiting and (frame := self._frame(self.waiting[0])) is not None:
                frames.append(frame)
                self.waiting.pop(0)
        return frames

    def _frame(self, match) -> Frame | None:
        color, depth = match.items
        try:
            pose, base = (self.transforms.lookup("map", f, match.stamp) for f in (color.frame_id, "base_link"))
            between = self.between if self.aligned or self.between is not None else self.transforms.lookup(
                color.frame_id, depth.frame_id, match.stamp)
        except (InFuture, UnknownFrame, NotConnected):
            return None
        pixels = decode_color(color.encoding, color.height, color.width, color.step, color.is_bigendian, color.data)
        metres = decode_depth(depth.encoding, depth.height, depth.width, depth.step, depth.is_bigendian, depth.data, self.unit)
        both = joined(pixels, metres, self.lenses[COLOR], None if self.aligned else self.lenses[DEPTH], between)
        return Frame(match.stamp, *both, self.lenses[COLOR].camera, pose, base)
