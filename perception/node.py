"""The perception node: camera topics and TF in, scene graph and human actions out. Thin: it gathers one frame, calls
``perception.pipeline.step`` once, publishes.

Its only input is the camera's topics and TF (and, while the ``simulator`` segmentation is chosen by name, the instance image).
A frame that cannot be looked at, or no frame at all, is said on /diagnostics and in the graph's ``could_not_see``: never
"nothing there".
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import deque
from dataclasses import dataclass, field

from household import environment

environment.prepare()

import numpy as np
from heed_msgs.msg import HumanAction as HumanActionMessage
from heed_msgs.msg import SceneGraph as SceneGraphMessage
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from household import ros
from household.scene_graph import ROBOT
from household.camera import Lens
from household.images import ImageFormatError, decode_color, decode_depth
from household.registration import extrinsics, joined
from household.sync import ApproximateSynchronizer, SyncConfig
from household.transforms import InFuture, NotConnected, TransformBuffer, TransformError, UnknownFrame
from perception import detectors, home_map
from perception.config import PerceptionConfig, suited
from perception.frame import FrameInput
from perception.holding import OwnHands
from perception.joints import JointsByStamp
from perception.pipeline import RESTART, blind, initial_state, restarted, step
from perception.ros import markers

COLOR, DEPTH, LABELS = "color", "depth", "labels"
JOINTS = "/sim/ground_truth/keypoints"


def _p(default, doc: str, **more):
    return field(default=default, metadata={"doc": doc, **more})


@dataclass(frozen=True)
class NodeConfig:
    segmentation: str = _p("simulator", "detector backend: simulator, rgbd, light, ultralytics, open_vocabulary")
    weights: str = _p("", "weights file of the detector; empty: the ones that ship with heed")
    device: str = _p("auto", "where the detector runs: auto (a GPU that ONNX Runtime or PyTorch sees, else the CPU), cpu, cuda")
    threads: int = _p(0, "CPU threads of the detector; 0: as many as there are cores, at most 4", low=0, high=64)
    closer: float = _p(0.7, "what the rgbd detector may spend on looking again, more closely, at people and small things: share of its first look, 0: nothing", low=0.0, high=16.0)
    home_map: str = _p("", "YAML file with the rooms and doorways (required)")
    map_frame: str = _p("map", "fixed frame of the scene graph")
    base_frame: str = _p("base_link", "the robot's body")
    camera_frame: str = _p("", "optical frame; empty: the image's own frame_id")
    color_topic: str = _p("/camera/color/image_raw", "colour image")
    depth_topic: str = _p("/camera/aligned_depth_to_color/image_raw", "depth image; empty: a camera without depth")
    info_topic: str = _p("/camera/color/camera_info", "intrinsics of the colour camera")
    depth_info_topic: str = _p("", "intrinsics of the depth camera, for depth that is to be registered here; empty: it is aligned to colour")
    depth_extrinsics: str = _p("", "depth camera in the colour camera, optical frames: x y z qx qy qz qw, m; empty: looked up on /tf")
    reliable: bool = _p(False, "ask for reliable images (simulators in lockstep) instead of the newest ones (cameras)")
    slop: float = _p(0.04, "largest difference between the stamps of colour and depth, s", low=0.0, high=0.5)
    marker_period: float = _p(0.5, "seconds of message time between pictures of the scene on /heed/markers", low=0.05, high=60.0)
    image_timeout: float = _p(2.0, "no image for this long is reported, s of wall time", low=0.1, high=60.0)
    transform_patience: float = _p(0.5, "how long a frame waits for its transform and its names, s of wall time", low=0.0, high=10.0)


class PerceptionNode(Node):
    def __init__(self) -> None:
        super().__init__("perception")
        self.config = ros.declare(self, NodeConfig)
        self.tuning = ros.declare(self, PerceptionConfig)
        if not self.config.home_map:
            raise ValueError("parameter home_map: name the YAML file with the rooms of this home (docs/robot.md, step 6)")
        self.labelled = self.config.segmentation == "simulator"
        self.state = initial_state(home_map.load(self.config.home_map))
        options = {} if self.labelled else {"weights": self.config.weights or None, "device": self.config.device}
        options |= detectors.threading(self.config.segmentation, self.config.threads)
        options |= {"closer": self.config.closer} if self.config.segmentation == "rgbd" else {}
        self.detector = detectors.create(self.config.segmentation, **options)
        self.tuning = suited(self.tuning, self.detector.tuning)
        self.table: dict[int, tuple[str, str]] = {}
        self.joints = JointsByStamp()
        self.newest_transform = -math.inf
        self.unnamed = {0}  # instances without a name: nothing to wait for
        self.transforms = TransformBuffer()
        self.camera: CameraInfo | None = None
        self.depth_camera: CameraInfo | None = None
        self.between = extrinsics(self.config.depth_extrinsics) if self.config.depth_extrinsics else None
        self.hands = OwnHands()
        streams = [COLOR] + ([DEPTH] if self.config.depth_topic else []) + ([LABELS] if self.labelled else [])
        self.sync = ApproximateSynchronizer(streams, SyncConfig(slop=self.config.slop))
        self.waiting: deque = deque(maxlen=4)
        self.last_image = time.monotonic()
        self.last_graph = None
        self.milliseconds: deque[float] = deque(maxlen=100)
        images = QoSProfile(depth=5, reliability=ReliabilityPolicy.RELIABLE if self.config.reliable else ReliabilityPolicy.BEST_EFFORT)
        self.graphs = self.create_publisher(SceneGraphMessage, "/heed/scene_graph", ros.KEPT)
        self.events = self.create_publisher(HumanActionMessage, "/heed/events", ros.KEPT)
        self.markers = self.create_publisher(MarkerArray, "/heed/markers", ros.RELIABLE)
        self.marked = -math.inf
        self.create_subscription(HumanActionMessage, "/heed/events", self._own_act, ros.RELIABLE)
        self.create_subscription(TFMessage, "/tf", lambda m: self._transforms(m, False), ros.RELIABLE)
        self.create_subscription(TFMessage, "/tf_static", lambda m: self._transforms(m, True), ros.LATCHED)
        self.create_subscription(CameraInfo, self.config.info_topic, self._info, images)
        self.create_subscription(Image, self.config.color_topic, lambda m: self._image(COLOR, m), images)
        if self.config.depth_topic:
            self.create_subscription(Image, self.config.depth_topic, lambda m: self._image(DEPTH, m), images)
        if self.config.depth_info_topic:
            self.create_subscription(CameraInfo, self.config.depth_info_topic, self._depth_info, images)
        if self.labelled:
            self.create_subscription(Image, "/sim/ground_truth/segmentation", lambda m: self._image(LABELS, m), images)
            self.create_subscription(String, "/sim/ground_truth/instances", self._instances, ros.LATCHED)
            self.create_subscription(String, JOINTS, self._joints, ros.RELIABLE)
        self.diagnostics = ros.Diagnostics(self, "perception")
        self.create_timer(0.25, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))

    # -- gathering ---------------------------------------------------------------------------------------------------------

    def _instances(self, message: String) -> None:
        table = {int(k): (v[0], v[1]) for k, v in json.loads(message.data).items()}
        self.table = table
        self._try_waiting()

    def _joints(self, message: String) -> None:
        try:
            self.joints.add(message.data)
        except ValueError as error:
            self.diagnostics.report(ros.Diagnostics.ERROR, str(error))
        self._try_waiting()

    def _own_act(self, message: HumanActionMessage) -> None:
        if message.actor == ROBOT:
            self.hands.act(ros.human_action(message))

    def _transforms(self, message: TFMessage, static: bool) -> None:
        for t in message.transforms:
            p, q = t.transform.translation, t.transform.rotation
            if not static:
                if ros.seconds(t.header.stamp) < self.newest_transform - RESTART:
                    self.transforms.clear()
                self.newest_transform = ros.seconds(t.header.stamp)
            try:
                self.transforms.set(t.header.frame_id, t.child_frame_id, ros.seconds(t.header.stamp), (p.x, p.y, p.z),
                                    (q.x, q.y, q.z, q.w), static)
            except ValueError as error:
                self.diagnostics.report(ros.Diagnostics.ERROR, f"transform refused: {error}")
        self._try_waiting()

    def _info(self, message: CameraInfo) -> None:
        self.camera = message
        self._try_waiting()

    def _depth_info(self, message: CameraInfo) -> None:
        self.depth_camera = message

    def _image(self, stream: str, message: Image) -> None:
        self.last_image = time.monotonic()
        stamp = ros.seconds(message.header.stamp)
        if stream == COLOR and self.last_graph is not None and stamp == self.last_graph.stamp:
            self.graphs.publish(ros.scene_graph_message(self.last_graph))  # a frame that was sent again: the graph may have been lost
        for match in self.sync.add(stream, stamp, message):
            self.waiting.append((time.monotonic(), match))
        self._try_waiting()

    def _try_waiting(self) -> None:
        while self.waiting:
            since, match = self.waiting[0]
            color = match.items[0]
            frame_id = self.config.camera_frame or color.header.frame_id
            try:
                if self.camera is None:
                    raise InFuture("no CameraInfo yet")
                pose = self.transforms.lookup(self.config.map_frame, frame_id, match.stamp)
                robot = self.transforms.lookup(self.config.map_frame, self.config.base_frame, match.stamp)
            except (InFuture, UnknownFrame, NotConnected) as error:
                if time.monotonic() - since < self.config.transform_patience:
                    return
                pose = robot = None
                self.diagnostics.report(ros.Diagnostics.ERROR, f"no transform for the frame of {match.stamp:.2f} s: {error}")
            except TransformError as error:
                pose = robot = None
                self.diagnostics.report(ros.Diagnostics.ERROR, f"no transform for the frame of {match.stamp:.2f} s: {error}")
            if pose is not None and (missing := self._nameless(match)):
                if time.monotonic() - since < self.config.transform_patience:
                    return
                self.unnamed |= missing
            if pose is not None and self._jointless(match.stamp) and time.monotonic() - since < self.config.transform_patience:
                return
            self.waiting.popleft()
            if self.camera is not None:
                self._look(match, pose, robot)

    def _nameless(self, match) -> set[int]:
        """Instances in the simulator's image whose names, which travel on a topic of their own, may still arrive."""
        if not self.labelled:
            return set()
        try:
            return set(np.unique(_decode_labels(match.items[-1])).tolist()) - self.table.keys() - self.unnamed
        except ImageFormatError:
            return set()  # reported when the frame is looked at

    def _jointless(self, stamp: float) -> bool:
        """Whether a simulator publishes the joints of people and those of this picture have not come."""
        return self.labelled and self.joints.at(stamp) is None and self.count_publishers(JOINTS) > 0

    # -- one step ----------------------------------------------------------------------------------------------------------

    def _look(self, match, pose, robot) -> None:
        started = time.monotonic()
        try:
            lens = _lens(self.camera)
            camera = lens.camera
            color = _decode(decode_color, match.items[0])
            depth = _decode(decode_depth, match.items[1]) if self.config.depth_topic else None
            color, depth = joined(color, depth, lens, *self._to_color(match))
            if self.labelled:
                labels = match.items[-1]
                self.detector.see(_decode_labels(labels), self.table, self.joints.at(match.stamp))
            found = self.detector.detect(color, depth, camera, pose)
        except ImageFormatError as error:
            self._publish_blind(match.stamp, str(error))
            return
        frame = FrameInput(match.stamp, color, depth, camera, pose, robot, tuple(found), self.hands.holding())
        anew = restarted(self.state, match.stamp)
        if anew:
            self.last_graph, self.hands, before = None, OwnHands(), self.state.stamp
        self.state, graph, events = step(self.state, frame, self.tuning)
        for event in events:
            self.events.publish(ros.human_action_message(event))
        self._publish(graph)
        self.milliseconds.append((time.monotonic() - started) * 1000)
        if anew:
            self.diagnostics.report(ros.Diagnostics.WARN, f"stamps jumped from {before:.2f} back to {match.stamp:.2f} s: began anew")
        elif graph.could_not_see:
            self.diagnostics.report(ros.Diagnostics.ERROR, graph.could_not_see[0])
        else:
            mean = sum(self.milliseconds) / len(self.milliseconds)
            self.diagnostics.report(ros.Diagnostics.OK, "seeing", ms_per_frame=f"{mean:.0f}", entities=len(graph.entities),
                                    detections=len(found), **self._synchrony())

    def _to_color(self, match) -> tuple:
        """The depth camera's lens and pose in the colour camera; nothing for depth that is aligned. Raises ImageFormatError."""
        if not (self.config.depth_topic and self.config.depth_info_topic):
            return ()
        if self.depth_camera is None:
            raise ImageFormatError(f"no CameraInfo on {self.config.depth_info_topic} yet: depth cannot be registered to colour")
        try:
            frames = self.config.camera_frame or match.items[0].header.frame_id, match.items[1].header.frame_id
            return _lens(self.depth_camera), self.between if self.between is not None else self.transforms.lookup(*frames, match.stamp)
        except TransformError as error:
            raise ImageFormatError(f"depth cannot be registered to colour: {error}; or set depth_extrinsics") from None

    def _publish(self, graph) -> None:
        self.last_graph = graph
        self.graphs.publish(ros.scene_graph_message(graph))
        if abs(graph.stamp - self.marked) >= self.config.marker_period and self.markers.get_subscription_count() > 0:
            self.marked = graph.stamp
            self.markers.publish(markers(graph))

    def _publish_blind(self, stamp: float, reason: str) -> None:
        """What is remembered, nothing of it visible, with the reason."""
        self.diagnostics.report(ros.Diagnostics.ERROR, reason)
        if self.last_graph is not None:
            self._publish(blind(self.last_graph, max(stamp, self.last_graph.stamp + 1e-3), (reason,)))

    def _watch(self) -> None:
        self._try_waiting()
        silent = time.monotonic() - self.last_image
        if silent > self.config.image_timeout:
            reason = f"no image on {self.config.color_topic} for {silent:.0f} s"
            self.diagnostics.report(ros.Diagnostics.STALE, reason)
            if self.last_graph is not None and not self.last_graph.could_not_see:
                self._publish_blind(self.get_clock().now().nanoseconds * 1e-9, reason)


    def _synchrony(self) -> dict[str, str]:
        """How well the streams fit together, for /diagnostics."""
        s = self.sync.stats
        return {"skew_ms": f"{s.skew_mean * 1e3:.1f}, at most {s.skew_max * 1e3:.1f}",
                "without_partner": ", ".join(f"{name} {n} of {s.received[name]}" for name, n in s.dropped.items())}


def _lens(info: CameraInfo) -> Lens:
    if any(info.d) and info.distortion_model not in ("plumb_bob", "rational_polynomial", ""):
        raise ImageFormatError(f"lens model '{info.distortion_model}' is none of plumb_bob, rational_polynomial: use the driver's rectified images")
    try:
        return Lens.of(info.width, info.height, info.k, info.d)
    except ValueError as error:
        raise ImageFormatError(str(error)) from None


def _decode(decode, message: Image):
    return decode(message.encoding, message.height, message.width, message.step, bool(message.is_bigendian), message.data)


def _decode_labels(message: Image):
    if message.encoding not in ("16UC1", "mono16"):
        raise ImageFormatError(f"instance image: encoding '{message.encoding}', wanted 16UC1")
    return np.frombuffer(message.data, dtype=np.uint16).reshape(message.height, message.step // 2)[:, :message.width]


def main() -> int:
    return ros.run_node(PerceptionNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
