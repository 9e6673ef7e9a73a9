"""The mind node: scene graph, events and utterances in; minds out. Thin: one ``mind.live.live_step`` per scene graph.

Answers "does Alice think the apple is in the fridge, and why?" on ``/heed/ask_mind``, for now and for an earlier time.
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from dataclasses import dataclass, field

from household import environment

environment.prepare()

from heed_msgs import msg as m
from heed_msgs.srv import AskMind
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node
from visualization_msgs.msg import MarkerArray

from household import ros
from household.ordering import Orderer
from mind import ros as mind_ros
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.queries import Log, QueryError, ask


@dataclass(frozen=True)
class NodeConfig:
    graph_timeout: float = field(default=3.0, metadata={"doc": "no scene graph for this long is reported, s of wall time", "low": 0.1, "high": 60.0})
    marker_period: float = field(default=0.5, metadata={"doc": "seconds of message time between pictures of the minds on /heed/markers", "low": 0.05, "high": 60.0})
    embeddings: bool = field(default=False, metadata={"doc": "find unknown object names by meaning (loads a sentence encoder)"})
    history: int = field(default=2000, metadata={"doc": "how many past minds are kept for questions about earlier", "low": 10, "high": 100000})


class MindNode(Node):
    def __init__(self) -> None:
        super().__init__("mind")
        self.node_config = ros.declare(self, NodeConfig)
        self.config = ros.declare(self, MindConfig)
        self.state = LiveState()
        self.orderer = Orderer()
        self.log = Log(limit=self.node_config.history)
        self.names = None
        if self.node_config.embeddings:
            from mind.dialogue.embedding import SentenceNameFinder

            self.names = SentenceNameFinder()
        self.milliseconds: deque[float] = deque(maxlen=200)
        self.last_minds: m.Minds | None = None
        self.last_graph = time.monotonic()
        self.minds = self.create_publisher(m.Minds, "/heed/minds", ros.KEPT)
        self.markers = self.create_publisher(MarkerArray, "/heed/markers", ros.RELIABLE)
        self.marked = -math.inf
        subscribe = self.create_subscription
        # The executor serves what is ready in this order: the words and acts before a graph are heard before it.
        subscribe(m.HumanAction, "/heed/events", lambda x: self._add(ros.human_action(x)), ros.RELIABLE)
        subscribe(m.Utterance, "/heed/utterances", lambda x: self._add(ros.utterance(x)), ros.RELIABLE)
        subscribe(m.SceneGraph, "/heed/scene_graph", self._graph, ros.RELIABLE)
        self.create_service(AskMind, "/heed/ask_mind", self._ask)
        self.diagnostics = ros.Diagnostics(self, "mind")
        self.create_timer(0.5, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _graph(self, message: m.SceneGraph) -> None:
        self.last_graph = time.monotonic()
        graph = ros.scene_graph(message)
        if self.last_minds is not None and graph.stamp <= ros.seconds(self.last_minds.header.stamp):
            if graph.stamp == ros.seconds(self.last_minds.header.stamp):
                self.minds.publish(self.last_minds)  # a frame that was sent again: the answer may have been lost
                return
        self._add(graph)

    def _add(self, item) -> None:
        for inp in self.orderer.add(item):
            started = time.perf_counter()
            self.state, minds = live_step(self.state, inp, self.config, self.names)
            self.log = self.log.with_(minds)
            self.last_minds = mind_ros.minds_message(minds)
            self.minds.publish(self.last_minds)
            self.milliseconds.append((time.perf_counter() - started) * 1000)
            if abs(minds.stamp - self.marked) >= self.node_config.marker_period and self.markers.get_subscription_count() > 0:
                self.marked = minds.stamp
                self.markers.publish(mind_ros.markers(minds, inp.graph))
            self.diagnostics.report(ros.Diagnostics.OK, "thinking", people=len(minds.people), lost_events=self.orderer.lost,
                                    ms=f"{sum(self.milliseconds) / len(self.milliseconds):.1f}")

    def _ask(self, request: AskMind.Request, response: AskMind.Response) -> AskMind.Response:
        try:
            answer = ask(request.question, self.log.at(request.at or None))
        except QueryError as error:
            response.understood, response.answer, response.probability = False, str(error), math.nan
            return response
        response.understood, response.probability, response.answer = True, float(answer.p), answer.words
        response.evidence = [mind_ros.evidence_message(e) for e in answer.evidence]
        return response

    def _watch(self) -> None:
        silent = time.monotonic() - self.last_graph
        if silent > self.node_config.graph_timeout:
            self.diagnostics.report(ros.Diagnostics.STALE, f"no scene graph for {silent:.0f} s")


def main() -> int:
    return ros.run_node(MindNode, sys.argv)


if __name__ == "__main__":
    sys.exit(main())
