"""The planner node: minds in, one decision out, and the orders that follow from it. Thin: it joins the topics into one input,
calls ``planner.step.step`` and the executor once each, and carries what they return to the body, the voice and the camera's neck.

Invariant: for every Minds message exactly one ``/heed/step_done`` follows, after everything that this step sent has been handed
over; a world in lockstep counts on it.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

from household import environment

environment.prepare()

from geometry_msgs.msg import PointStamped
from heed_msgs import msg as m
from heed_msgs.action import Execute as ExecuteAction
from heed_msgs.action import Say as SayAction
from rclpy.action import ActionClient
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from std_srvs.srv import Trigger

from household import ros
from household.actions import AtomicAction
from household.ordering import Orderer, StepInput
from household.scene_graph import ROBOT, SceneGraph
from mind.ros import minds as read_minds
from planner.body import Report, StepStatus
from planner.config import PlannerConfig
from planner.execution import Executor
from planner.geometry import Point
from planner.memory import PlannerState
from planner.ros import decision_message
from planner.step import PlannerInput, Say, step
from planner.vantage import Spot


@dataclass(frozen=True)
class NodeConfig:
    answer_timeout: float = field(default=3.0, metadata={"doc": "how long the body may take to accept an order, s of wall time",
                                                         "low": 0.1, "high": 60.0})


class RosBody:
    """``planner.body.Body`` over the ``/heed/execute`` action: one atomic action per goal. A body that never answers, or a goal
    that is refused, is a failed step with a reason."""

    def __init__(self, node: Node, timeout: float):
        self._client = ActionClient(node, ExecuteAction, "/heed/execute")
        self._timeout = timeout
        self.sent = 0
        self._handle = None
        self._report = Report(StepStatus.CANCELLED, "nothing was asked for")
        self._asked_at: float | None = None

    @property
    def waiting(self) -> bool:
        """Whether an order was sent that the body has not accepted or refused yet."""
        return self._asked_at is not None and time.monotonic() - self._asked_at < self._timeout

    def can(self, action: AtomicAction) -> str:
        return "" if self._client.server_is_ready() else "no body answers on /heed/execute"

    def start(self, action: AtomicAction) -> None:
        self._report, self._handle = Report(StepStatus.RUNNING), None
        self._asked_at = time.monotonic()
        self.sent += 1
        number = self.sent
        future = self._client.send_goal_async(ExecuteAction.Goal(actions=[str(action)]))
        future.add_done_callback(lambda f: self._accepted(number, f))

    def _accepted(self, number: int, future) -> None:
        if number != self.sent:
            return
        self._asked_at = None
        handle = future.result()
        if handle is None or not handle.accepted:
            self._report = Report(StepStatus.FAILED, "the body refused it")
            return
        self._handle = handle
        handle.get_result_async().add_done_callback(lambda f: self._finished(number, f))

    def _finished(self, number: int, future) -> None:
        if number != self.sent or self._report.status is not StepStatus.RUNNING:
            return
        result = future.result().result
        self._report = Report(StepStatus.SUCCEEDED) if result.success else Report(StepStatus.FAILED, result.reason or "it failed")

    def poll(self) -> Report:
        if self._asked_at is not None and time.monotonic() - self._asked_at > self._timeout:
            self._asked_at = None
            self._report = Report(StepStatus.FAILED, "the body did not answer")
        return self._report

    def stop(self) -> None:
        if self._report.status is StepStatus.RUNNING:
            self._report = Report(StepStatus.CANCELLED, "stopped")
        if self._handle is not None:
            self._handle.cancel_goal_async()
            self._handle = None


class PlannerNode(Node):
    def __init__(self) -> None:
        super().__init__("planner")
        self.config = ros.declare(self, PlannerConfig)
        self.node_config = ros.declare(self, NodeConfig)
        self.state = PlannerState()
        self.orderer = Orderer()
        self.inputs: dict[float, StepInput] = {}
        self.minds: dict[float, object] = {}
        self.body = RosBody(self, self.node_config.answer_timeout)
        self.executor_ = Executor(self.body, self.config)
        self.voice = ActionClient(self, SayAction, "/heed/say")
        self.counts = {"utterances": 0, "looks": 0}
        self.last: tuple[float, float] | None = None  # stamp of the newest minds, and when they came (steady clock)
        self.graph = None
        self.pending: list[float] = []
        self.decisions = self.create_publisher(m.Decision, "/heed/decision", ros.KEPT)
        self.done = self.create_publisher(m.StepDone, "/heed/step_done", ros.KEPT)
        self.events = self.create_publisher(m.HumanAction, "/heed/events", ros.KEPT)
        self.look = self.create_publisher(PointStamped, "/heed/look_at", ros.RELIABLE)
        self.stand = self.create_publisher(PointStamped, "/heed/stand_at", ros.RELIABLE)
        self.goes = False  # it was sent somewhere to see better
        subscribe = self.create_subscription
        # The executor serves what is ready in this order: the words and acts before a graph are heard before it.
        subscribe(m.HumanAction, "/heed/events", lambda x: self._order(ros.human_action(x)), ros.RELIABLE)
        subscribe(m.Utterance, "/heed/utterances", lambda x: self._order(ros.utterance(x)), ros.RELIABLE)
        subscribe(m.SceneGraph, "/heed/scene_graph", lambda x: self._order(ros.scene_graph(x)), ros.RELIABLE)
        subscribe(m.Minds, "/heed/minds", self._minds, ros.RELIABLE)
        self.create_service(Trigger, "/heed/stop", self._stop)
        self.diagnostics = ros.Diagnostics(self, "planner")
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(0.02, self._acknowledge, clock=steady)
        self.create_timer(0.5, self._watch, clock=steady)

    # -- gathering ---------------------------------------------------------------------------------------------------------

    def _order(self, item) -> None:
        for ready in self.orderer.add(item):
            self.inputs[ready.graph.stamp] = ready
        self._run()

    def _minds(self, message: m.Minds) -> None:
        minds = read_minds(message)
        if self.last is not None and minds.stamp <= self.last[0]:
            self._say_done(minds.stamp)  # a frame that was sent again: decided already
            return
        self.minds[minds.stamp] = minds
        self._run()

    def _run(self) -> None:
        while self.minds:
            stamp = min(self.minds)
            if stamp not in self.inputs:
                if any(s > stamp for s in self.inputs) or len(self.minds) > 20:
                    del self.minds[stamp]  # its graph was lost
                    continue
                return
            minds, merged = self.minds.pop(stamp), self._merged(stamp)
            self._step(stamp, merged, minds)

    def _merged(self, stamp: float) -> StepInput:
        """The input of this stamp, with the events and words of any earlier one that got no minds of its own."""
        due = [self.inputs.pop(s) for s in sorted(self.inputs) if s <= stamp]
        return StepInput(due[-1].graph, tuple(e for d in due for e in d.events), tuple(u for d in due for u in d.utterances))

    # -- one step ----------------------------------------------------------------------------------------------------------

    def _step(self, stamp: float, inp: StepInput, minds) -> None:
        started = time.monotonic()
        self.last, self.graph = (stamp, started), inp.graph
        planner_input = PlannerInput(stamp, inp.graph, minds, inp.events, inp.utterances, minds.acts)
        self.state, out = step(self.state, planner_input, self.config)
        if out.changed:
            self.decisions.publish(decision_message(out.decision))
        if out.gaze is not None:
            self._point(self.look, stamp, out.gaze)
        spot = out.stand or self._stays(inp.graph)
        if spot is not None:
            self._point(self.stand, stamp, (*spot, 0.0))
        self.goes = out.stand is not None
        self._carry_out(stamp, out.commands)
        self.pending.append(stamp)
        self._acknowledge()
        self.diagnostics.report(ros.Diagnostics.OK, "deciding", ms=f"{(time.monotonic() - started) * 1000:.1f}",
                                act=out.decision.act.key, lost_events=self.orderer.lost)

    def _stays(self, graph: SceneGraph) -> Spot | None:
        """Where the robot is, if it had been sent elsewhere: it goes no farther."""
        robot = graph.entities.get(ROBOT)
        return robot.position[:2] if self.goes and robot is not None else None

    def _point(self, out, stamp: float, at: Point) -> None:
        point = PointStamped()
        point.header.stamp, point.header.frame_id = ros.to_stamp(stamp), ros.MAP
        point.point.x, point.point.y, point.point.z = map(float, at)
        out.publish(point)
        self.counts["looks"] += 1

    def _carry_out(self, stamp: float, commands=(), stop: str = "") -> None:
        out = self.executor_.tick(stamp, self.graph, tuple(commands), stop)
        for event in out.events:
            self.events.publish(ros.human_action_message(event))
        for say in out.say:
            self._speak(stamp, say)

    def _speak(self, stamp: float, say: Say) -> None:
        if not self.voice.server_is_ready() and not self.voice.wait_for_server(timeout_sec=1.0):
            self.diagnostics.report(ros.Diagnostics.ERROR, f"no voice answers on /heed/say; not said: {say.text}")
            return
        self.counts["utterances"] += 1
        self.voice.send_goal_async(SayAction.Goal(text=say.text, addressee=say.addressee or "", stamp=ros.to_stamp(stamp)))

    def _acknowledge(self) -> None:
        if self.pending and not self.body.waiting:
            for stamp in self.pending:
                self._say_done(stamp)
            self.pending = []

    def _say_done(self, stamp: float) -> None:
        self.done.publish(m.StepDone(stamp=ros.to_stamp(stamp), goals=self.body.sent, **self.counts))

    # -- safety ------------------------------------------------------------------------------------------------------------

    def _stop(self, _, response: Trigger.Response) -> Trigger.Response:
        if self.graph is not None:
            self._carry_out(self.last[0], (), "told to stop")
        response.success, response.message = True, "standing still"
        return response

    def _watch(self) -> None:
        """No act on what is older than the sensors' time-out: stop, stand still, say so on /diagnostics."""
        if self.last is None:
            self.diagnostics.report(ros.Diagnostics.STALE, "no minds received yet")
            return
        if self.get_parameter("use_sim_time").value:
            age = self.get_clock().now().nanoseconds * 1e-9 - self.last[0]
        else:
            age = time.monotonic() - self.last[1]
        if age > self.config.sensor_timeout_s:
            self.diagnostics.report(ros.Diagnostics.STALE, f"minds are {age:.1f} s old; not acting on them")
            if self.executor_.state.current is not None:
                self._carry_out(self.last[0], (), f"my view of the home is {age:.1f} s old")


def main() -> int:
    return ros.run_node(PlannerNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
