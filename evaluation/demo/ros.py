"""Watching a running graph: the timeline as it happens, and when the story is over."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

from household import environment

environment.prepare()

import rclpy
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from heed_msgs import msg as m
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from std_msgs.msg import String

from evaluation.demo.timeline import Line, Timeline
from household import ros
from mind.ros import minds
from planner.decision import Decision


class Watcher:
    """Context manager around one subscriber node in its own rclpy context, so that several runs can follow one another.

    ``on_line`` gets each new line of the timeline; ``now`` is the newest message time; ``finished`` turns True when the world
    says that its story is over; ``errors`` collects what nodes report on /diagnostics at ERROR level, ``on_error`` gets each new one
    once the story runs.
    """

    def __init__(self, domain: int, on_line: Callable[[Line], None], on_error: Callable[[str], None] = lambda text: None):
        self._domain, self._on_line, self._on_error = domain, on_line, on_error
        self.timeline = Timeline()
        self.now, self.finished = 0.0, False
        self.errors: list[str] = []

    def __enter__(self) -> "Watcher":
        self._context = Context()
        rclpy.init(context=self._context, domain_id=self._domain)
        self._node = Node("watcher", context=self._context)
        subscribe = self._node.create_subscription
        for kind, topic, convert in ((m.SceneGraph, "/heed/scene_graph", ros.scene_graph), (m.HumanAction, "/heed/events", ros.human_action),
                                     (m.Utterance, "/heed/utterances", ros.utterance), (m.Minds, "/heed/minds", minds),
                                     (m.Decision, "/heed/decision", lambda x: Decision.from_dict(json.loads(x.json)))):
            subscribe(kind, topic, lambda x, c=convert: self._take(c(x)), ros.RELIABLE)
        subscribe(Clock, "/clock", self._clock, ros.RELIABLE)
        subscribe(String, "/sim/finished", self._over, ros.LATCHED)
        subscribe(DiagnosticArray, "/diagnostics", self._diagnostics, ros.RELIABLE)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self._node)
        return self

    def __exit__(self, *_) -> None:
        self._executor.shutdown()
        self._node.destroy_node()
        rclpy.try_shutdown(context=self._context)

    def spin(self, seconds: float) -> None:
        """Handle what comes for about this long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._executor.spin_once(timeout_sec=left)

    def _take(self, value) -> None:
        for line in self.timeline.add(value):
            self._on_line(line)

    def _clock(self, message: Clock) -> None:
        self.now = ros.seconds(message.clock)

    def _over(self, _: String) -> None:
        self.finished = True

    def _diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            if status.level == DiagnosticStatus.ERROR:
                text = f"{status.name}: {status.message}"
                if text not in self.errors:
                    self.errors = [*self.errors, text][-50:]
                    if self.now > 0:  # until the first frame nodes rightly say that they see nothing
                        self._on_error(text)
