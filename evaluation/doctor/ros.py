"""Whether images get through on this machine, and how a running graph is doing."""

from __future__ import annotations

import time
from functools import partial

from household import environment

environment.prepare()

import numpy as np
import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from heed_msgs import msg as m
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import Image

from evaluation.doctor import Finding, Level
from household import ros

TOPICS = {"/camera/color/image_raw": Image, "/heed/scene_graph": m.SceneGraph, "/heed/minds": m.Minds}
FIXES = {"/camera/color/image_raw": "is the camera driver or the world node running, and are its topics remapped (docs/robot.md)?",
         "/heed/scene_graph": "look at the perception node's messages on /diagnostics",
         "/heed/minds": "is the mind node running, and does it get the scene graph?"}


class _Bench:
    def __init__(self) -> None:
        self.context = Context()
        rclpy.init(context=self.context)
        self.node = Node("doctor", context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)

    def spin(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.executor.spin_once(timeout_sec=left)

    def close(self) -> None:
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.try_shutdown(context=self.context)


def image_transport(frames: int = 20) -> Finding:
    """640×480 colour images through DDS, as fast as they go one after the other."""
    bench = _Bench()
    got: list[float] = []
    bench.node.create_subscription(Image, "/heed/doctor/image", lambda x: got.append(time.monotonic()), 10)
    publisher = bench.node.create_publisher(Image, "/heed/doctor/image", 10)
    picture = ros.image_message(np.zeros((480, 640, 3), np.uint8), "rgb8", ros.to_stamp(0.0), "camera")
    bench.spin(0.5)
    for _ in range(frames):
        publisher.publish(picture)
        bench.spin(0.03)
    bench.spin(0.3)
    bench.close()
    if len(got) < frames * 0.9:
        return Finding("image transport", Level.FAIL, f"{len(got)} of {frames} images arrived",
                       "set FASTDDS_DEFAULT_PROFILES_FILE to config/fastdds.xml; see that /dev/shm has 128 MB free")
    return Finding("image transport", Level.OK, f"{len(got)} of {frames} images of 640x480 arrived")


def running_graph(seconds: float = 3.0) -> list[Finding]:
    """One finding per topic that should flow and per node that reports a problem; one in all when nothing is running."""
    bench = _Bench()
    counts = dict.fromkeys(TOPICS, 0)
    problems: dict[str, tuple[bytes, str]] = {}

    def count(topic: str, _: bytes) -> None:
        counts[topic] += 1

    for topic, kind in TOPICS.items():
        bench.node.create_subscription(kind, topic, partial(count, topic), ros.SENSOR, raw=True)

    def diagnostics(message: DiagnosticArray) -> None:
        for status in message.status:
            problems[status.name] = (status.level, status.message)

    bench.node.create_subscription(DiagnosticArray, "/diagnostics", diagnostics, ros.RELIABLE)
    bench.spin(seconds)
    names = sorted(n for n, _ in bench.node.get_node_names_and_namespaces() if n != "doctor")
    bench.close()
    if not names:
        return [Finding("running graph", Level.OK, "no nodes are running on this ROS domain")]
    found = [Finding("running graph", Level.OK, "nodes: " + ", ".join(names))]
    for topic, n in counts.items():
        level = Level.OK if n else Level.FAIL
        found.append(Finding(topic, level, f"{n / seconds:.1f} messages a second", "" if n else FIXES[topic]))
    for name, (level, text) in sorted(problems.items()):
        if level != DiagnosticStatus.OK:
            found.append(Finding(name, Level.FAIL if level == DiagnosticStatus.ERROR else Level.WARN, text, "see the node's own output"))
    return found
