"""The recorder node: every topic of the stack into a rosbag2 (MCAP), stamped in message time.

Images are recorded compressed (JPEG colour, 16-bit PNG depth) unless raw ones are asked for: a story at 640×480 would otherwise
take gigabytes. All else is written byte for byte as it was published.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from household import environment

environment.prepare()

import cv2
import numpy as np
from rclpy.clock import Clock as SteadyClock
from rclpy.clock_type import ClockType
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import CompressedImage, Image

from evaluation.bags import BagWriter
from household import ros

TOPICS: dict[str, str] = {
    "/tf": "tf2_msgs/msg/TFMessage", "/camera/color/camera_info": "sensor_msgs/msg/CameraInfo",
    "/heed/events": "heed_msgs/msg/HumanAction", "/heed/utterances": "heed_msgs/msg/Utterance",
    "/heed/scene_graph": "heed_msgs/msg/SceneGraph", "/heed/minds": "heed_msgs/msg/Minds",
    "/heed/decision": "heed_msgs/msg/Decision", "/heed/step_done": "heed_msgs/msg/StepDone",
    "/heed/look_at": "geometry_msgs/msg/PointStamped", "/heed/stand_at": "geometry_msgs/msg/PointStamped", "/diagnostics": "diagnostic_msgs/msg/DiagnosticArray",
    "/heed/markers": "visualization_msgs/msg/MarkerArray", "/sim/ground_truth/state": "std_msgs/msg/String",
    "/sim/ground_truth/instances": "std_msgs/msg/String",
}
COLOR, DEPTH = "/camera/color/image_raw", "/camera/aligned_depth_to_color/image_raw"
LATCHED = {"/sim/ground_truth/instances"}
KEPT = {"/heed/events", "/heed/utterances", "/heed/scene_graph", "/heed/minds", "/heed/decision", "/heed/step_done"}
SAVE_EVERY = 1.0  # s of wall time: what a recorder that is killed may lose


def _p(default, doc: str, **more):
    return field(default=default, metadata={"doc": doc, **more})


@dataclass(frozen=True)
class RecorderConfig:
    output: str = _p("heed_bag", "folder of the recording; must not exist yet")
    images: str = _p("compressed", "compressed, raw or none")
    reliable: bool = _p(False, "ask for reliable images (simulators in lockstep)")

    def __post_init__(self) -> None:
        if self.images not in ("compressed", "raw", "none"):
            raise ValueError(f"parameter images: '{self.images}' is none of compressed, raw, none")
        if Path(self.output).exists():
            raise ValueError(f"parameter output: {self.output} exists already; name a new folder")


def message_class(type_name: str):
    """``heed_msgs/msg/Decision`` → the Python class."""
    import importlib

    package, kind, name = type_name.split("/")
    return getattr(importlib.import_module(f"{package}.{kind}"), name)


class RecorderNode(Node):
    def __init__(self) -> None:
        super().__init__("recorder")
        self.config = ros.declare(self, RecorderConfig)
        self.writer = BagWriter(Path(self.config.output))
        self.now = 0
        self.create_subscription(Clock, "/clock", self._on_clock, ros.RELIABLE)
        self.kept = {}
        for topic, type_name in TOPICS.items():
            if topic in KEPT:
                refused = SubscriptionEventCallbacks(incompatible_qos=partial(self._take_as_offered, topic, type_name))
                self.kept[topic] = self._listen(topic, type_name, ros.KEPT, event_callbacks=refused)
            else:
                self._listen(topic, type_name, ros.LATCHED if topic in LATCHED else ros.RELIABLE)
        reliability = ReliabilityPolicy.RELIABLE if self.config.reliable else ReliabilityPolicy.BEST_EFFORT
        images = QoSProfile(depth=5, reliability=reliability)
        if self.config.images == "raw":
            for topic in (COLOR, DEPTH):
                self.create_subscription(Image, topic, partial(self._raw, topic, "sensor_msgs/msg/Image"), images,
                                         raw=True)
        elif self.config.images == "compressed":
            self.create_subscription(Image, COLOR, self._color, images)
            self.create_subscription(Image, DEPTH, self._depth, images)
        self.create_timer(SAVE_EVERY, self.writer.save, clock=SteadyClock(clock_type=ClockType.STEADY_TIME))
        self.get_logger().info(f"recording to {self.config.output}")

    def _listen(self, topic: str, type_name: str, qos: QoSProfile, **more):
        return self.create_subscription(message_class(type_name), topic, partial(self._raw, topic, type_name), qos, raw=True, **more)

    def _take_as_offered(self, topic: str, type_name: str, _) -> None:
        """Somebody else's node publishes this without keeping it for late listeners: then it is heard from now on."""
        if (kept := self.kept.pop(topic, None)) is not None:
            self.destroy_subscription(kept)
            self._listen(topic, type_name, ros.RELIABLE)

    def _on_clock(self, message: Clock) -> None:
        self.now = message.clock.sec * 1_000_000_000 + message.clock.nanosec
        self._write("/clock", "rosgraph_msgs/msg/Clock", serialize_message(message))

    def _raw(self, topic: str, type_name: str, data: bytes) -> None:
        self._write(topic, type_name, data)

    def _write(self, topic: str, type_name: str, data: bytes) -> None:
        stamp = self.now or self.get_clock().now().nanoseconds
        self.writer.write(topic, type_name, stamp, bytes(data))

    def _color(self, message: Image) -> None:
        from household.images import decode_color

        rgb = decode_color(message.encoding, message.height, message.width, message.step, bool(message.is_bigendian), message.data)
        ok, data = cv2.imencode(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 85])
        if ok:
            self._compressed(COLOR + "/compressed", message, "rgb8; jpeg compressed bgr8", data)

    def _depth(self, message: Image) -> None:
        from household.images import decode_depth

        metres = decode_depth(message.encoding, message.height, message.width, message.step, bool(message.is_bigendian), message.data)
        millimetres = np.clip(np.nan_to_num(metres, nan=0.0, posinf=0.0) * 1000 + 0.5, 0, 65535).astype(np.uint16)
        ok, data = cv2.imencode(".png", millimetres, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        if ok:
            self._compressed(DEPTH + "/compressed", message, "16UC1; png compressed", data)

    def _compressed(self, topic: str, message: Image, form: str, data: np.ndarray) -> None:
        out = CompressedImage(header=message.header, format=form)
        out.data = data.tobytes()
        self._write(topic, "sensor_msgs/msg/CompressedImage", serialize_message(out))

    def close(self) -> None:
        self.writer.close()


def main() -> int:
    return ros.run_node(RecorderNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
