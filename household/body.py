"""The robot's body as everybody sees it: four methods, one atomic action at a time. Bridges implement it, the planner uses it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from household.actions import AtomicAction


class StepStatus(str, Enum):
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class StepReport:
    """How one atomic action stands. ``reason``: empty unless FAILED or CANCELLED; then a sentence for people."""

    status: StepStatus
    reason: str = ""


class Body(Protocol):
    """One action at a time; ``start`` never blocks, ``poll`` is called once a tick."""

    def can(self, action: AtomicAction) -> str:
        """'' if this body can do such an action at all, else why not ("this robot has no arm")."""

    def start(self, action: AtomicAction) -> None: ...

    def poll(self) -> StepReport: ...

    def stop(self) -> None:
        """Safe and still at once; a running action ends as CANCELLED."""
