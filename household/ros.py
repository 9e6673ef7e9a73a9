"""Between the vocabulary and ROS messages: the only place that knows both. Lossless both ways (tested).

Also what every node needs once: parameters declared from a config dataclass, stamps, quality-of-service profiles, diagnostics.
"""

from __future__ import annotations

import array
import dataclasses
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from enum import Enum

import numpy as np
from builtin_interfaces.msg import Duration, Time
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from heed_msgs import msg as m
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, Image
from visualization_msgs.msg import MarkerArray

from household.actions import HumanAction, Utterance
from household.camera import CameraModel
from household.scene_graph import Entity, SceneGraph
from household.wire import (OPENNESS, POSTURE, SWITCHED, TRACKING, camera_model, human_action, scene_graph, seconds,  # noqa: F401
                            utterance)

MAP = "map"
MARKER_LIFE_S = 3
RELIABLE = QoSProfile(depth=50, history=HistoryPolicy.KEEP_LAST, reliability=ReliabilityPolicy.RELIABLE)
KEPT = QoSProfile(depth=50, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""What the stack says: like RELIABLE to whoever listens, and a recorder that is found late still gets it."""
LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)
SENSOR = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)



# -- time ------------------------------------------------------------------------------------------------------------------


def to_stamp(seconds: float) -> Time:
    """Seconds → Time, rounded to the nanosecond."""
    nanoseconds = round(seconds * 1e9)
    return Time(sec=nanoseconds // 1_000_000_000, nanosec=nanoseconds % 1_000_000_000)


def stamped(array: MarkerArray, stamp: float) -> MarkerArray:
    """The markers in the ``map`` frame, each shown for ``MARKER_LIFE_S`` unless it is renewed."""
    for marker in array.markers:
        marker.header.stamp, marker.header.frame_id, marker.lifetime = to_stamp(stamp), MAP, Duration(sec=MARKER_LIFE_S)
    return array


# -- images ----------------------------------------------------------------------------------------------------------------


def image_message(data: np.ndarray, encoding: str, stamp: Time, frame: str) -> Image:
    """uint8 (H, W, 3), uint16 (H, W) or float32 (H, W) → Image. Copies once."""
    data = np.ascontiguousarray(data)
    message = Image(height=data.shape[0], width=data.shape[1], encoding=encoding, step=data.strides[0])
    message.header.stamp, message.header.frame_id = stamp, frame
    buffer = array.array("B")
    buffer.frombytes(memoryview(data).cast("B"))
    message.data = buffer
    return message


def camera_info_message(camera: CameraModel, stamp: Time, frame: str) -> CameraInfo:
    message = CameraInfo(height=camera.height, width=camera.width, distortion_model="plumb_bob", d=[0.0] * 5)
    message.header.stamp, message.header.frame_id = stamp, frame
    message.k = [camera.fx, 0.0, camera.cx, 0.0, camera.fy, camera.cy, 0.0, 0.0, 1.0]
    message.r = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    message.p = [camera.fx, 0.0, camera.cx, 0.0, 0.0, camera.fy, camera.cy, 0.0, 0.0, 0.0, 1.0, 0.0]
    return message


# -- scene graph -----------------------------------------------------------------------------------------------------------


def scene_graph_message(graph: SceneGraph) -> m.SceneGraph:
    message = m.SceneGraph(event_count=graph.event_count, could_not_see=list(graph.could_not_see))
    message.header.stamp, message.header.frame_id = to_stamp(graph.stamp), MAP
    message.entities = [_entity_message(e) for e in graph.entities.values()]
    message.relations = [m.Relation(subject=r.subject, kind=r.kind.value, object=r.object, confidence=float(r.confidence))
                         for r in sorted(graph.relations, key=lambda r: (r.subject, r.kind.value, r.object))]
    viewers = sorted(set(graph.sees) | set(graph.inspected))
    message.renamed = [m.Renamed(former=a, now=b) for a, b in sorted(graph.renamed.items())]
    message.views = [m.View(viewer=v, sees=sorted(graph.sees.get(v, ())), inspected=sorted(graph.inspected.get(v, ())))
                     for v in viewers]
    return message


def _entity_message(e: Entity) -> m.Entity:
    message = m.Entity(id=e.id, class_id=e.cls, openness=OPENNESS.index(e.openness), tracking=TRACKING.index(e.tracking),
                       visible=bool(e.visible), last_seen=to_stamp(max(e.last_seen, 0.0)), confidence=float(e.confidence),
                       posture=POSTURE.index(e.posture), gaze_known=e.gaze_yaw is not None,
                       gaze_yaw=float(e.gaze_yaw or 0.0), switched=SWITCHED.index(e.switched_on), other_names=list(e.other_names))
    p, q = message.pose.position, message.pose.orientation
    p.x, p.y, p.z = map(float, e.position)
    q.z, q.w = math.sin(e.yaw / 2), math.cos(e.yaw / 2)
    message.extents.x, message.extents.y, message.extents.z = map(float, e.extents)
    return message


# -- events and utterances ---------------------------------------------------------------------------------------------------


def human_action_message(action: HumanAction) -> m.HumanAction:
    message = m.HumanAction(actor=action.actor, verb=action.verb.value, target=action.target or "", place=action.place or "",
                            room=action.room or "", start=float(action.start),
                            end=math.nan if action.end is None else float(action.end), confidence=float(action.confidence))
    message.header.stamp, message.header.frame_id = to_stamp(action.start if action.end is None else action.end), MAP
    message.witnesses = [m.Witness(person=p, probability=float(v)) for p, v in sorted(action.witnesses.items())]
    return message


def utterance_message(said: Utterance) -> m.Utterance:
    message = m.Utterance(speaker=said.speaker, text=said.text, addressee=said.addressee or "",
                          hearers_known=said.hearers is not None, hearers=list(said.hearers or ()))
    message.header.stamp, message.header.frame_id = to_stamp(said.stamp), MAP
    return message


# -- parameters and diagnostics ----------------------------------------------------------------------------------------------


def declare(node: Node, config_type: type, prefix: str = ""):
    """Declare one ROS parameter per field of a frozen dataclass and return the dataclass filled from them.

    Defaults come from the field; its ``metadata["doc"]`` (and low/high) becomes the description that ``ros2 param describe``
    shows. Raises ValueError from the dataclass' own checks, naming the parameter, its value and the allowed range.
    """
    values = {}
    for f in dataclasses.fields(config_type):
        default = f.default if f.default is not dataclasses.MISSING else f.default_factory()
        plain = default.value if isinstance(default, Enum) else list(default) if isinstance(default, tuple) else default
        text = f.metadata.get("doc", "")
        if "low" in f.metadata:
            text += f" [{f.metadata['low']}, {f.metadata['high']}]"
        # `dynamic_typing`: a whole number given for a float (rate:=5) is accepted here and checked by the dataclass
        node.declare_parameter(prefix + f.name, plain, ParameterDescriptor(description=text, dynamic_typing=True))
        value = node.get_parameter(prefix + f.name).value
        if isinstance(plain, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if isinstance(plain, str) and isinstance(value, (int, float)) and not isinstance(value, bool):
            value = str(value)
        if isinstance(plain, bool) != isinstance(value, bool) or (isinstance(plain, str) and not isinstance(value, str)):
            raise ValueError(f"parameter {prefix + f.name}: {value!r} is not a {type(plain).__name__} (default {plain!r})")
        values[f.name] = tuple(value) if isinstance(default, tuple) else type(default)(value) if isinstance(default, Enum) else value
    return config_type(**values)


class Diagnostics:
    """Publishes one status per node on /diagnostics: at most ``every`` seconds apart, and at once when the level changes."""

    OK, WARN, ERROR, STALE = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.STALE

    def __init__(self, node: Node, name: str, every: float = 1.0):
        self._node, self._name, self._every = node, name, every
        self._publisher = node.create_publisher(DiagnosticArray, "/diagnostics", 10)
        self._last: tuple[bytes, str] | None = None
        self._when = -math.inf

    def report(self, level: bytes, text: str, **values) -> None:
        now = self._node.get_clock().now().nanoseconds * 1e-9
        if self._last == (level, text) and 0 <= now - self._when < self._every:
            return
        if level != self.OK and self._last != (level, text):
            self._node.get_logger().warning(text)
        self._last, self._when = (level, text), now
        status = DiagnosticStatus(level=level, name=f"heed: {self._name}", message=text, hardware_id="heed",
                                  values=[KeyValue(key=k, value=str(v)) for k, v in values.items()])
        array_message = DiagnosticArray(status=[status])
        array_message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(array_message)


def _end_with_parent() -> None:
    """A node that ``heed`` started ends when ``heed`` is gone, however that ended."""
    parent = os.environ.get("HEED_PARENT")
    if parent is None:
        return

    def watch() -> None:
        while os.getppid() == int(parent):
            time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


def run_node(make: Callable[[], Node], argv: list[str] | None = None) -> int:
    """The main of every node: initialise, make, spin until stopped, shut down cleanly. Bad parameters: one line, exit code 2."""
    import rclpy
    from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

    rclpy.init(args=argv)
    _end_with_parent()
    node = None
    try:
        try:
            node = make()
        except (ValueError, LookupError, OSError) as error:
            print(f"heed: {error}", flush=True)
            return 2
        executor = SingleThreadedExecutor()
        executor.add_node(node)
        executor.spin()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not cut the clean-up short
        if node is not None:
            close = getattr(node, "close", None)
            if close:
                close()
            node.destroy_node()
        rclpy.try_shutdown()
    return 0
