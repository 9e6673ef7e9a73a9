"""The robot's body in the embedded home, behind the contract's :class:`~sim_bridges.contract.Body`.

Every action has a deadline in simulated time; when it passes the body stops and says so. ``resolve`` translates the ids of the stack's own scene
graph into the home's, where they are not the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from household.actions import AtomicAction, Verb
from household.scene_graph import ROBOT
from sim_bridges.contract import StepReport, StepStatus
from sim_bridges.embedded import skills
from sim_bridges.embedded.world import EmbeddedWorld

_DEADLINE = 60.0  # simulated seconds any one action may take
_WORDS_NOT_IDS = frozenset({Verb.SAY, Verb.WAIT, Verb.TURNBY, Verb.TURNLEFT, Verb.TURNRIGHT, Verb.WALKFORWARD, Verb.MOVEBY, Verb.ROTATEHEAD})


class EmbeddedBody:
    """One action at a time; time passes only in ``world.advance``."""

    def __init__(self, world: EmbeddedWorld, resolve: Callable[[str], str | None] | None = None, deadline: float = _DEADLINE):
        if not 0.0 < deadline <= 600.0:
            raise ValueError(f"deadline: {deadline} is out of range; allowed: 0 to 600 s")
        self.world, self._resolve, self._deadline = world, resolve, deadline
        self._until: float | None = None
        self._late: StepReport | None = None

    def can(self, action: AtomicAction) -> str:
        """'' if this body can do such an action at all, else why not."""
        return skills.can(action, self.world.home.robot.arm)

    def start(self, action: AtomicAction) -> None:
        """Begins; what is impossible shows at the next poll."""
        self._late = None
        problem = self.can(action)
        translated, lost = self._translated(action)
        if problem or lost:
            self.world.performers[ROBOT].stop("replaced by another action")
            self._late = StepReport(StepStatus.FAILED, problem or f"there is no {lost} here that the robot can find")
            return
        self.world.performers[ROBOT].start(translated)
        self._until = self.world.time + self._deadline

    def poll(self) -> StepReport:
        if self._late is not None:
            return self._late
        performer = self.world.performers[ROBOT]
        if performer.busy and self._until is not None and self.world.time > self._until:
            performer.stop("took too long")
            self._late = StepReport(StepStatus.FAILED, f"{performer.action} was not done after {self._deadline:g} s")
            return self._late
        return performer.report

    def stop(self) -> None:
        """Still at once; a running action ends as CANCELLED."""
        self.world.performers[ROBOT].stop("stopped")

    def inject_failure(self, verb: Verb, reason: str, after: float = 0.4) -> None:
        """The next action with ``verb`` fails after some seconds of trying. For tests and scenarios."""
        self.world.performers[ROBOT].inject_failure(verb, reason, after)

    def _translated(self, action: AtomicAction) -> tuple[AtomicAction, str]:
        """The action in the home's ids, and the first id that could not be found ('' when all were)."""
        if self._resolve is None:
            return action, ""
        first = 0 if action.verb not in _WORDS_NOT_IDS else 1
        args = list(action.args)
        for i in range(first, len(args)):
            found = self._resolve(args[i])
            if found is None:
                return action, args[i]
            args[i] = found
        ends = {k: self._resolve(v) for k, v in (("source", action.source), ("target", action.target)) if v is not None}
        return replace(action, args=tuple(args), **ends), next((k for k, v in ends.items() if v is None), "")
