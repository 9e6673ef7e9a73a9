"""The world node: frames out, the robot's acts in. Drives any ``contract.Simulator``; decides nothing itself.

In lockstep the next frame is published when the planner has decided on the previous one (``/heed/step_done``) and everything the
planner sent before that has arrived; a slow machine then reaches the same decisions as a fast one, only later. Without an
answer the frame is sent again, a few times, before time moves on with a warning. Invariant: only this node moves time.
"""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import dataclass, field

from household import environment

environment.prepare()

import numpy as np
from geometry_msgs.msg import PointStamped, TransformStamped
from heed_msgs.action import Execute
from heed_msgs.msg import HumanAction, SceneGraph, StepDone, Utterance
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from rclpy.task import Future
from rosgraph_msgs.msg import Clock as ClockMessage
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from household import ros
from household.actions import ActionError, parse
from household.scene_graph import ROBOT
from sim_bridges.contract import Frame, Simulator, StepStatus
from sim_bridges.errors import BridgeError, NotSupported
from sim_bridges.feed import symbolic_feed
from sim_bridges.grounding import ground
from household.transforms import quaternion_of
from sim_bridges.worlds import open_world

CAMERA_FRAME = "camera_color_optical_frame"


def _p(default, doc: str, **more):
    return field(default=default, metadata={"doc": doc, **more})


@dataclass(frozen=True)
class WorldConfig:
    world: str = _p("embedded", "embedded, virtualhome, tdw or realsense")
    home: str = _p("", "name or file of a home; empty: the story's, else the first")
    story: str = _p("false_belief", "name or file of a story; empty: people live on their own")
    seed: int = _p(0, "seed of everything random in the world")
    host: str = _p("127.0.0.1", "where an external simulator listens")
    port: int = _p(0, "its port; 0: that simulator's default")
    width: int = _p(640, "image width, pixels", low=64, high=1920)
    height: int = _p(480, "image height, pixels", low=48, high=1080)
    rate: float = _p(5.0, "frames per second of world time", low=0.5, high=60.0)
    lockstep: bool = _p(False, "publish the next frame when the last one has been decided on")
    lockstep_timeout: float = _p(15.0, "wall seconds to wait for a decision before a frame is sent again", low=1.0, high=600.0)
    segmentation: bool = _p(True, "publish the simulator's instance image under /sim/ground_truth")
    symbolic: bool = _p(False, "feed the stack the robot's view of the simulator's own graph instead of its pictures")
    noise: bool = _p(False, "add the depth sensor's noise")
    start_delay: float = _p(0.0, "wall seconds to wait for subscribers at the start", low=0.0, high=60.0)
    recorded: bool = _p(False, "in lockstep the first frame waits for a recorder too")

    def __post_init__(self) -> None:
        for name, low, high in (("width", 64, 1920), ("height", 48, 1080), ("rate", 0.5, 60.0), ("lockstep_timeout", 1, 600)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"parameter {name}: {getattr(self, name)} is not in [{low}, {high}]")


class WorldNode(Node):
    RESENDS = 4
    GRACE = 3.0  # wall seconds to wait for words, looks and goals that were announced but have not arrived
    SETTLE = 0.5  # wall seconds from when this node has found all others, for them to have found one another

    def __init__(self) -> None:
        super().__init__("world")
        self.config = c = ros.declare(self, WorldConfig)
        self.world: Simulator = open_world(
            c.world, home=c.home or None, story=c.story or None, seed=c.seed, width=c.width, height=c.height, noise=c.noise,
            rate=c.rate, host=c.host, port=c.port or None)
        self.feed = symbolic_feed(self.world) if c.symbolic else None
        pub = self.create_publisher
        self.color = pub(Image, "/camera/color/image_raw", ros.RELIABLE)
        self.depth = pub(Image, "/camera/aligned_depth_to_color/image_raw", ros.RELIABLE)
        self.info = pub(CameraInfo, "/camera/color/camera_info", ros.RELIABLE)
        self.tf = pub(TFMessage, "/tf", ros.RELIABLE)
        self.clock_out = pub(ClockMessage, "/clock", ros.RELIABLE)
        self.said = pub(Utterance, "/heed/utterances", ros.KEPT)
        self.segmentation = pub(Image, "/sim/ground_truth/segmentation", ros.RELIABLE)
        self.graphs = pub(SceneGraph, "/heed/scene_graph", ros.KEPT) if c.symbolic else None
        self.seen_acts = pub(HumanAction, "/heed/events", ros.KEPT) if c.symbolic else None
        self.instances = pub(String, "/sim/ground_truth/instances", ros.LATCHED)
        self.keypoints = pub(String, "/sim/ground_truth/keypoints", ros.RELIABLE)
        self.truth = pub(String, "/sim/ground_truth/state", ros.RELIABLE)
        self.finished = pub(String, "/sim/finished", ros.LATCHED)
        self.create_subscription(Utterance, "/heed/utterances", self._hear, ros.RELIABLE)
        self.create_subscription(PointStamped, "/heed/look_at", self._look, ros.RELIABLE)
        self.create_subscription(PointStamped, "/heed/stand_at", self._stand, ros.RELIABLE)
        self.create_subscription(SceneGraph, "/heed/scene_graph", self._seen, ros.RELIABLE)
        self.create_subscription(StepDone, "/heed/step_done", self._step_done, ros.RELIABLE)
        self.server = ActionServer(self, Execute, "/heed/execute", self._execute, goal_callback=self._accept,
                                   cancel_callback=lambda _: CancelResponse.ACCEPT)
        self.diagnostics = ros.Diagnostics(self, "world")
        self.counts = {"utterances": 0, "looks": 0, "goals": 0}
        self.graph = None
        self.frame: Frame | None = None
        self.view = None
        self.retry_at = 0.0
        self.sent_at = 0.0
        self.sent_times = 0
        self.done: StepDone | None = None
        self.done_at = 0.0
        self.job: _Job | None = None
        self.ended = False
        self.born = time.monotonic()
        self.met_at: float | None = None
        self.next_at = self.born
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(0.003 if c.lockstep else min(0.02, 0.5 / c.rate), self._tick, clock=steady)
        self.get_logger().info(f"world '{c.world}' ready: {c.width}x{c.height} at {c.rate} Hz{', lockstep' if c.lockstep else ''}")

    # -- time --------------------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        now = time.monotonic()
        if now < self.retry_at:
            return
        if self.frame is None:
            if now - self.born >= self.config.start_delay and (not self.config.lockstep or self._somebody_listens(now)):
                self._publish_next(now)
            return
        if self.ended:
            return
        if not self.config.lockstep:
            if now >= self.next_at:
                self._publish_next(now)
        elif self._decided():
            self._publish_next(now)
        elif now - self.sent_at > self.config.lockstep_timeout:
            if self.sent_times <= self.RESENDS:
                self.diagnostics.report(ros.Diagnostics.WARN, f"no decision on the frame of {self.frame.stamp:.2f} s; sending it again")
                self._publish(self.frame)
                self.sent_at, self.sent_times = now, self.sent_times + 1
            else:
                self.diagnostics.report(ros.Diagnostics.ERROR, f"no decision on the frame of {self.frame.stamp:.2f} s; going on without")
                self._publish_next(now)

    def _somebody_listens(self, now: float) -> bool:
        """In lockstep the first frame waits for the whole chain, so that neither a frame nor what is made of it is lost to discovery."""
        eyes = self.graphs if self.feed is not None else self.color
        met = (eyes.get_subscription_count() > 0 and self.count_publishers("/heed/step_done") > 0 and self.count_publishers("/heed/minds") > 0
               and (not self.config.recorded or "recorder" in {s.node_name for s in self.get_subscriptions_info_by_topic("/heed/decision")}))
        if not met:
            self.met_at = None
        elif self.met_at is None:
            self.met_at = now
        return (met and now - self.met_at >= self.SETTLE) or now - self.born > 60.0

    def _decided(self) -> bool:
        done = self.done
        if done is None or ros.seconds(done.stamp) < self.frame.stamp - 1e-6:
            return False
        arrived = all(self.counts[k] >= getattr(done, k) for k in self.counts)
        return arrived or time.monotonic() - self.done_at > self.GRACE

    def _publish_next(self, now: float) -> None:
        try:
            if self.frame is not None:
                self.world.advance(1.0 / self.config.rate)
                self._drive()
            words, frame, truth = self.world.heard(), self.world.frame(), self.world.truth()
            self.view = self.feed() if self.feed is not None else None
        except NotSupported as error:  # no later frame will fare better
            raise SystemExit(f"heed: {error}") from error
        except (OSError, BridgeError) as error:  # an external simulator died; the bridge reconnects by itself when it is back
            self.diagnostics.report(ros.Diagnostics.ERROR, f"the world does not answer: {error}")
            self.next_at = self.retry_at = now + 1.0
            return
        for said in words:
            self.said.publish(ros.utterance_message(said))
        self.frame = frame
        if self.view is not None:
            for action in self.view[1]:
                self.seen_acts.publish(ros.human_action_message(action))
        self._publish(frame)
        self.truth.publish(String(data=json.dumps(truth)))
        self.sent_at, self.sent_times = now, 1
        self.next_at = max(self.next_at + 1.0 / self.config.rate, now - 0.5)
        self.diagnostics.report(ros.Diagnostics.OK, "running", time=f"{self.frame.stamp:.1f}")
        if self.world.finished and not self.ended and self.job is None:
            self.ended = True
            self.finished.publish(String(data=f"{self.frame.stamp:.2f}"))

    # -- frames out --------------------------------------------------------------------------------------------------------

    def _publish(self, frame: Frame) -> None:
        stamp = ros.to_stamp(frame.stamp)
        self.clock_out.publish(ClockMessage(clock=stamp))
        self.tf.publish(TFMessage(transforms=_transforms(frame, stamp)))
        if frame.ids is not None and self.config.segmentation:
            table = {str(i): [e.entity, e.cls] for i, e in frame.instances.items()}
            text = json.dumps(table, sort_keys=True)
            if text != getattr(self, "_table", None):
                self._table = text
                self.instances.publish(String(data=text))
            self.keypoints.publish(String(data=json.dumps({"stamp": frame.stamp, "people": frame.keypoints})))
            self.segmentation.publish(ros.image_message(frame.ids.astype(np.uint16), "16UC1", stamp, CAMERA_FRAME))
        self.info.publish(ros.camera_info_message(frame.camera, stamp, CAMERA_FRAME))
        self.depth.publish(ros.image_message(frame.depth.astype(np.float32), "32FC1", stamp, CAMERA_FRAME))
        self.color.publish(ros.image_message(frame.color, "rgb8", stamp, CAMERA_FRAME))
        if self.view is not None:
            self.graphs.publish(ros.scene_graph_message(self.view[0]))

    # -- acts in -----------------------------------------------------------------------------------------------------------

    def _hear(self, message: Utterance) -> None:
        if message.speaker == ROBOT:
            self.counts["utterances"] += 1
            self.world.hear(ros.utterance(message))

    def _look(self, message: PointStamped) -> None:
        self.counts["looks"] += 1
        self.world.look_at((message.point.x, message.point.y, message.point.z))

    def _stand(self, message: PointStamped) -> None:
        self.counts["looks"] += 1
        self.world.stand_at((message.point.x, message.point.y))

    def _seen(self, message: SceneGraph) -> None:
        self.graph = ros.scene_graph(message)

    def _step_done(self, message: StepDone) -> None:
        self.done, self.done_at = message, time.monotonic()

    def _accept(self, request: Execute.Goal) -> GoalResponse:
        self.counts["goals"] += 1
        try:
            actions = [parse(text) for text in request.actions]
            if not actions:
                raise ActionError("an empty plan")
            for action in actions:
                if reason := self.world.body.can(action):
                    raise ActionError(reason)
        except ActionError as error:
            self.diagnostics.report(ros.Diagnostics.WARN, f"refused to execute: {error}")
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    async def _execute(self, handle) -> Execute.Result:
        if self.job is not None:
            self.job.finish(StepStatus.CANCELLED, "a newer plan replaced it")
            self.world.body.stop()
        self.job = job = _Job(handle, [parse(text) for text in handle.request.actions])
        self._begin(job)
        await job.future
        if job.status is StepStatus.SUCCEEDED:
            handle.succeed()
        elif handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        return Execute.Result(success=job.status is StepStatus.SUCCEEDED, done=job.index, reason=job.reason)

    def _begin(self, job: "_Job") -> None:
        """The next action, in the world's own names."""
        self.world.body.start(ground(job.actions[job.index], self.graph, self.world.candidates()))

    def _drive(self) -> None:
        """After each advance: how the running action stands, and the next one of the plan."""
        job = self.job
        if job is None:
            return
        if job.handle.is_cancel_requested:
            self.world.body.stop()
            job.finish(StepStatus.CANCELLED, "stopped on request")
        else:
            report = self.world.body.poll()
            feedback = Execute.Feedback(index=job.index, action=str(job.actions[job.index]), status=report.status.value)
            job.handle.publish_feedback(feedback)
            if report.status is StepStatus.SUCCEEDED:
                job.index += 1
                if job.index < len(job.actions):
                    self._begin(job)
                else:
                    job.finish(StepStatus.SUCCEEDED, "")
            elif report.status is not StepStatus.RUNNING:
                job.finish(report.status, report.reason)
        if job.future.done():
            self.job = None

    def close(self) -> None:
        self.world.body.stop()
        self.world.close()


class _Job:
    """One plan being executed."""

    def __init__(self, handle, actions):
        self.handle, self.actions, self.index = handle, actions, 0
        self.future, self.status, self.reason = Future(), StepStatus.RUNNING, ""

    def finish(self, status: StepStatus, reason: str) -> None:
        self.status, self.reason = status, reason
        self.future.set_result(None)


def _transforms(frame: Frame, stamp) -> list[TransformStamped]:
    """map → odom → base_link → camera_link → optical frame; camera_link is REP 103 (x forward) at the optical centre."""
    optical_in_link = np.array([[0.0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
    base_to_optical = np.linalg.inv(frame.robot_pose) @ frame.camera_pose
    base_to_link = base_to_optical @ np.linalg.inv(optical_in_link)
    chain = (("map", "odom", np.eye(4)), ("odom", "base_link", frame.robot_pose), ("base_link", "camera_link", base_to_link),
             ("camera_link", CAMERA_FRAME, optical_in_link))
    return [_transform(parent, child, matrix, stamp) for parent, child, matrix in chain]


def _transform(parent: str, child: str, matrix: np.ndarray, stamp) -> TransformStamped:
    message = TransformStamped(child_frame_id=child)
    message.header.stamp, message.header.frame_id = stamp, parent
    t, r = message.transform.translation, message.transform.rotation
    t.x, t.y, t.z = map(float, matrix[:3, 3])
    r.x, r.y, r.z, r.w = map(float, quaternion_of(matrix))
    if not math.isfinite(t.x + t.y + t.z):
        raise ValueError(f"transform {parent} → {child} is not finite")
    return message


def main() -> int:
    return ros.run_node(WorldNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
