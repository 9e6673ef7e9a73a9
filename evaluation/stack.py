"""Mind and planner one after the other, as the two nodes run them: for replays, benches and closed loops without ROS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from household.ordering import StepInput
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.output import Minds
from planner.config import PlannerConfig
from planner.decision import Decision
from planner.memory import PlannerState
from planner.step import PlannerInput, PlannerOutput, step


@dataclass(frozen=True)
class Moment:
    """One step of mind and planner."""

    inp: StepInput
    minds: Minds
    out: PlannerOutput


class Stack:
    """Holds both states; :meth:`run` makes one step."""

    def __init__(self, mind: MindConfig = MindConfig(), planner: PlannerConfig = PlannerConfig()):
        self.mind_config, self.planner_config = mind, planner
        self.live, self.state = LiveState(), PlannerState()

    def run(self, inp: StepInput) -> Moment:
        self.live, minds = live_step(self.live, inp, self.mind_config)
        given = PlannerInput(inp.graph.stamp, inp.graph, minds, inp.events, inp.utterances, minds.acts)
        self.state, out = step(self.state, given, self.planner_config)
        return Moment(inp, minds, out)


def decisions(inputs: Iterable[StepInput], mind: MindConfig = MindConfig(), planner: PlannerConfig = PlannerConfig()) -> list[Decision]:
    """Every decision the stack would publish on these inputs (``evaluation.replay.inputs`` reads them out of a recording)."""
    stack = Stack(mind, planner)
    moments = (stack.run(inp) for inp in inputs)
    return [m.out.decision for m in moments if m.out.changed]
