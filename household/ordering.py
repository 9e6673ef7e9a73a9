"""Puts scene graphs, human actions and utterances, which travel on three topics, back into one order.

A live run and a replay of its recording must feed the mind and the planner exactly the same sequence of steps. Invariant: the
step of the graph with stamp T gets the perceived events counted by that graph's ``event_count``, and the robot's own
acts and all utterances with stamps before T that no earlier step had, oldest first.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from household.actions import HumanAction, Utterance
from household.scene_graph import ROBOT, SceneGraph


@dataclass(frozen=True)
class StepInput:
    graph: SceneGraph
    events: tuple[HumanAction, ...]
    utterances: tuple[Utterance, ...]


def event_stamp(action: HumanAction) -> float:
    return action.start if action.end is None else action.end


class Orderer:
    """``add`` what arrives; returns the steps that became complete, oldest first. ``patience``: how many graphs may wait for
    events that never come (a lost message, a node that joined late) before the oldest goes on without them."""

    def __init__(self, patience: int = 8):
        self.patience = patience
        self.lost = 0
        self._graphs: deque[SceneGraph] = deque()
        self._perceived: deque[HumanAction] = deque()
        self._own: list[HumanAction] = []
        self._utterances: list[Utterance] = []
        self._last: float | None = None  # stamp of the newest step handed on
        self._taken: int | None = None  # perceived events handed on so far, in perception's counting

    def add(self, item: SceneGraph | HumanAction | Utterance) -> list[StepInput]:
        if isinstance(item, SceneGraph):
            if item.stamp == self._last or (self._graphs and item.stamp <= self._graphs[-1].stamp):
                return []  # sent again
            self._graphs.append(item)
        elif isinstance(item, Utterance):
            self._utterances.append(item)
        elif item.actor == ROBOT:
            self._own.append(item)
        else:
            self._perceived.append(item)
        steps = []
        while self._graphs and (self._complete() or len(self._graphs) > self.patience):
            steps.append(self._take())
        return steps

    def _complete(self) -> bool:
        if self._taken is None:  # joined now: what was counted before and did not reach us will not come
            self._taken = max(0, self._graphs[0].event_count - len(self._perceived))
        return self._graphs[0].event_count - self._taken <= len(self._perceived)

    def _take(self) -> StepInput:
        graph = self._graphs.popleft()
        due = max(0, graph.event_count - (self._taken or 0))
        here = min(due, len(self._perceived))
        self.lost += due - here
        events = [self._perceived.popleft() for _ in range(here)]
        self._taken, self._last = graph.event_count, graph.stamp
        own = [e for e in self._own if event_stamp(e) < graph.stamp]
        self._own = [e for e in self._own if event_stamp(e) >= graph.stamp]
        said = [u for u in self._utterances if u.stamp < graph.stamp]
        self._utterances = [u for u in self._utterances if u.stamp >= graph.stamp]
        return StepInput(graph, tuple(events + sorted(own, key=event_stamp)), tuple(sorted(said, key=lambda u: u.stamp)))
