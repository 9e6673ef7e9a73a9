"""The robot's body as the planner sees it: four methods, one action at a time.

The contract is ``household.body``; anything with its methods will do, an embedded robot, a
Nav2-and-manipulation client, or a speaker on a shelf that can do nothing but talk. :class:`StillBody` is that speaker and the fake.
"""

from __future__ import annotations

from collections.abc import Callable

from household.actions import AtomicAction
from household.body import Body, StepStatus  # noqa: F401
from household.body import StepReport as Report


def read(report) -> Report:
    """A body's report, whichever class it is of. Raises ValueError for a status nobody knows."""
    status = getattr(report.status, "value", report.status)
    return Report(StepStatus(status), str(report.reason))


class StillBody:
    """A body without wheels or arm."""

    def can(self, action: AtomicAction) -> str:
        return f"this robot cannot {action.verb.value}"

    def start(self, action: AtomicAction) -> None:
        raise RuntimeError(self.can(action))

    def poll(self) -> Report:
        return Report(StepStatus.CANCELLED, "this robot does not move")

    def stop(self) -> None:
        return None


class ScriptedBody:
    """A deterministic fake: every action takes ``ticks`` polls; ``script`` may answer an action with a reason to fail.

    ``script``: called at each start with (action, how many actions were started before); '' means it will succeed.
    """

    def __init__(self, ticks: int = 2, script: Callable[[AtomicAction, int], str] = lambda action, n: ""):
        self.ticks, self.script = ticks, script
        self.started: list[AtomicAction] = []
        self.stops = 0
        self._left = 0
        self._report = Report(StepStatus.SUCCEEDED)

    def can(self, action: AtomicAction) -> str:
        return ""

    def start(self, action: AtomicAction) -> None:
        reason = self.script(action, len(self.started))
        self.started.append(action)
        self._left = self.ticks
        self._report = Report(StepStatus.FAILED, reason) if reason else Report(StepStatus.SUCCEEDED)

    def poll(self) -> Report:
        if self._left > 0:
            self._left -= 1
            return Report(StepStatus.RUNNING)
        return self._report

    def stop(self) -> None:
        self.stops += 1
        if self._left > 0:
            self._left, self._report = 0, Report(StepStatus.CANCELLED, "stopped")
