"""Mind and planner again over a recording, without images, without ROS: the same messages give the same decisions.

Only ``/heed/scene_graph``, ``/heed/events`` and ``/heed/utterances`` are read. What the robot itself did and said is among them, so no
body and no voice are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation import bags
from household import wire
from household.actions import HumanAction, Utterance
from household.ordering import Orderer, StepInput
from household.scene_graph import SceneGraph
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.output import Minds
from planner.config import PlannerConfig
from planner.decision import Decision
from planner.memory import PlannerState
from planner.step import PlannerInput, PlannerOutput, step

TOPICS = {"/heed/scene_graph": wire.scene_graph, "/heed/events": wire.human_action, "/heed/utterances": wire.utterance}


@dataclass(frozen=True)
class Moment:
    """One step of mind and planner."""

    inp: StepInput
    minds: Minds
    out: PlannerOutput


class Stack:
    """Mind and planner one after the other, as the two nodes run them. ``add`` what arrives; returns the steps it completed."""

    def __init__(self, mind: MindConfig = MindConfig(), planner: PlannerConfig = PlannerConfig()):
        self.mind_config, self.planner_config = mind, planner
        self.live, self.state, self.orderer = LiveState(), PlannerState(), Orderer()

    def add(self, item: SceneGraph | HumanAction | Utterance) -> list[Moment]:
        return [self.run(inp) for inp in self.orderer.add(item)]

    def run(self, inp: StepInput) -> Moment:
        self.live, minds = live_step(self.live, inp, self.mind_config)
        planner_input = PlannerInput(inp.graph.stamp, inp.graph, minds, inp.events, inp.utterances, minds.acts)
        self.state, out = step(self.state, planner_input, self.planner_config)
        return Moment(inp, minds, out)


def messages(path: Path) -> Iterator[SceneGraph | HumanAction | Utterance]:
    """The stack's inputs in a recording, in recorded order. Raises evaluation.bags.BagError."""
    for topic, _, message in bags.read(path, required=("/heed/scene_graph",), topics=tuple(TOPICS)):
        yield TOPICS[topic](message)


def replay(items: Iterable, mind: MindConfig = MindConfig(), planner: PlannerConfig = PlannerConfig()) -> list[Moment]:
    stack = Stack(mind, planner)
    return [moment for item in items for moment in stack.add(item)]


def decisions(moments: Iterable[Moment]) -> list[Decision]:
    """As published: each when it was taken."""
    return [m.out.decision for m in moments if m.out.changed]
