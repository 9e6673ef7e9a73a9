"""An RGB-D driver's messages, in whatever order they come, to contract frames. Message-shaped values in, no ROS.

A frame needs four things of one moment: colour, depth, intrinsics, and the camera's pose at the *image's* stamp, which on a moving robot arrives
later than the image. So images are matched first (:mod:`household.sync`), then wait for their transform, and what cannot be completed is dropped
with its reason counted: a driver that is half broken shows up in :class:`StreamReport`, not as an empty room.
Invariant: frames come out in stamp order; nothing waits longer than its patience; every drop has a reason.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

import numpy as np

from household.camera import CameraModel
from household.images import ImageFormatError, check_size, decode_color, decode_depth
from household.sync import ApproximateSynchronizer, Match, SyncConfig
from household.transforms import InFuture, NotConnected, TransformBuffer, TransformError, UnknownFrame, matrix_from
from sim_bridges.camera.registration import register_depth
from sim_bridges.contract import Frame

COLOR, DEPTH = "color", "depth"
MAX_WAITING = 8  # matched images whose transform has not come


@dataclass(frozen=True)
class RawImage:
    """The fields of ``sensor_msgs/Image``. ``stamp`` in seconds."""

    stamp: float
    frame_id: str
    encoding: str
    height: int
    width: int
    step: int
    is_bigendian: bool
    data: bytes


@dataclass(frozen=True)
class RawInfo:
    """The fields of ``sensor_msgs/CameraInfo`` that matter. ``k``: 9 numbers, row-major; ``d``: distortion, plumb_bob or rational."""

    width: int
    height: int
    k: tuple[float, ...]
    d: tuple[float, ...] = ()
    frame_id: str = ""


@dataclass(frozen=True)
class StreamConfig:
    """``camera_frame`` '': the image's own. ``depth_unit``: metres per count if the driver departs from REP 118. ``aligned``: depth is already
    in the colour camera; else it is registered, with ``extrinsics`` (x, y, z, qx, qy, qz, qw: depth in colour) or, without, with TF.
    ``transform_patience``: seconds of message time that an image waits for its pose."""

    map_frame: str = "map"
    base_frame: str = "base_link"
    camera_frame: str = ""
    depth_unit: float | None = None
    aligned: bool = True
    extrinsics: tuple[float, ...] | None = None
    transform_patience: float = 0.5
    sync: SyncConfig = field(default_factory=SyncConfig)

    def __post_init__(self) -> None:
        if self.depth_unit is not None and not 1e-5 <= self.depth_unit <= 1.0:
            raise ValueError(f"depth_unit={self.depth_unit} is outside [0.00001, 1] metres per count")
        if self.extrinsics is not None and len(self.extrinsics) != 7:
            raise ValueError(f"extrinsics has {len(self.extrinsics)} numbers; 7 are due: x y z qx qy qz qw of the depth camera in the colour camera")
        if not 0.0 <= self.transform_patience <= 10.0:
            raise ValueError(f"transform_patience={self.transform_patience} s is outside [0, 10] s")


@dataclass(frozen=True)
class StreamReport:
    """How the camera does: frames given, mean and largest skew of colour and depth in s, drops by reason, and the last problem in words."""

    frames: int
    skew_mean: float
    skew_max: float
    received: dict[str, int]
    dropped: dict[str, int]
    problem: str


class CameraStream:
    """``image``, ``info`` and ``transform`` take what arrives; ``image`` and ``transform`` return the frames that became complete."""

    def __init__(self, config: StreamConfig = StreamConfig()):
        self.config = config
        self.transforms = TransformBuffer()
        self._sync = ApproximateSynchronizer((COLOR, DEPTH), config.sync)
        self._waiting: deque[Match] = deque()
        self._infos: dict[str, RawInfo] = {}
        self._maps: dict[str, tuple | None] = {}
        self._drops: Counter[str] = Counter()
        self._frames, self._newest, self._problem = 0, float("-inf"), ""

    def info(self, stream: str, info: RawInfo) -> None:
        """Raises ImageFormatError for intrinsics that are none (an uncalibrated camera publishes zeros)."""
        if len(info.k) != 9 or not (info.k[0] > 0 and info.k[4] > 0):
            raise ImageFormatError(f"camera_info of {stream} has no focal lengths (K = {list(info.k)}): the camera is not calibrated")
        if self._infos.get(stream) != info:
            self._infos[stream] = info
            self._maps.pop(stream, None)

    def transform(self, parent: str, child: str, stamp: float, translation, quaternion, static: bool = False) -> list[Frame]:
        """Raises ValueError for what is no transform."""
        self.transforms.set(parent, child, stamp, translation, quaternion, static)
        return self._flush()

    def image(self, stream: str, image: RawImage) -> list[Frame]:
        """``stream``: COLOR or DEPTH. What is wrong with an image is counted and kept in :meth:`report`, never raised."""
        if image.stamp < self._newest - self.config.sync.jump:
            self.transforms.clear()
            self._waiting.clear()
            self._newest = image.stamp
        self._newest = max(self._newest, image.stamp)
        self._waiting.extend(self._sync.add(stream, image.stamp, image))
        while len(self._waiting) > MAX_WAITING:
            self._waiting.popleft()
            self._drop("too many images waited for a transform")
        return self._flush()

    def report(self) -> StreamReport:
        s = self._sync.stats
        unmatched = {f"{name} without a partner": n for name, n in s.dropped.items() if n}
        return StreamReport(self._frames, s.skew_mean, s.skew_max, dict(s.received), {**unmatched, **self._drops}, self._problem)

    # making a frame -----------------------------------------------------------------------------------------------------------

    def _flush(self) -> list[Frame]:
        out = []
        while self._waiting:
            match = self._waiting[0]
            try:
                frame = self._frame(match)
            except (InFuture, UnknownFrame, NotConnected) as error:  # it may still come
                if self._newest - match.stamp <= self.config.transform_patience:
                    break
                self._drop(f"no transform in time: {error}", "no transform in time")
            except (TransformError, ImageFormatError, ValueError) as error:
                self._drop(str(error), type(error).__name__)
            else:
                out.append(frame)
                self._frames += 1
                self._problem = ""
            self._waiting.popleft()
        return out

    def _drop(self, problem: str, reason: str | None = None) -> None:
        self._problem = problem
        self._drops[reason or problem] += 1

    def _frame(self, match: Match) -> Frame:
        raw_color, raw_depth = match.items
        color = decode_color(raw_color.encoding, raw_color.height, raw_color.width, raw_color.step, raw_color.is_bigendian, raw_color.data)
        depth = decode_depth(raw_depth.encoding, raw_depth.height, raw_depth.width, raw_depth.step, raw_depth.is_bigendian, raw_depth.data,
                             self.config.depth_unit)
        camera_frame = self.config.camera_frame or raw_color.frame_id
        pose = self.transforms.lookup(self.config.map_frame, camera_frame, match.stamp)
        base = self.transforms.lookup(self.config.map_frame, self.config.base_frame, match.stamp)
        camera = self._model(COLOR)
        check_size(COLOR, color, camera.height, camera.width)
        color = self._rectify(COLOR, color, smooth=True)
        if self.config.aligned:
            check_size(DEPTH, depth, camera.height, camera.width)
            depth = self._rectify(COLOR, depth, smooth=False)
        else:
            depth_camera = self._model(DEPTH)
            check_size(DEPTH, depth, depth_camera.height, depth_camera.width)
            depth = register_depth(self._rectify(DEPTH, depth, smooth=False), depth_camera, camera, self._extrinsics(raw_depth, camera_frame))
        return Frame(match.stamp, color, depth, camera, pose, base)

    def _extrinsics(self, depth: RawImage, camera_frame: str) -> np.ndarray:
        if self.config.extrinsics is not None:
            return matrix_from(self.config.extrinsics[:3], self.config.extrinsics[3:])
        return self.transforms.lookup(camera_frame, depth.frame_id, depth.stamp)

    def _model(self, stream: str) -> CameraModel:
        info = self._infos.get(stream)
        if info is None:
            raise ImageFormatError(f"no camera_info of {stream} yet: is its topic right?")
        return CameraModel(info.width, info.height, info.k[0], info.k[4], info.k[2], info.k[5])

    def _rectify(self, stream: str, image: np.ndarray, smooth: bool) -> np.ndarray:
        """Straightened if the lens distorts: linear for colour, nearest for depth (an average of two depths is neither)."""
        info = self._infos[stream]
        if not any(abs(c) > 1e-6 for c in info.d):
            return image
        import cv2

        if stream not in self._maps:
            k = np.array(info.k, dtype=np.float64).reshape(3, 3)
            self._maps[stream] = cv2.initUndistortRectifyMap(k, np.array(info.d, dtype=np.float64), None, k, (info.width, info.height), cv2.CV_32FC1)
        return cv2.remap(image, *self._maps[stream], cv2.INTER_LINEAR if smooth else cv2.INTER_NEAREST)
