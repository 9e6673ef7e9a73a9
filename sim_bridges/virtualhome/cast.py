"""Who has which script lines to perform next, and how each action is getting on.

VirtualHome runs one line at a time in which every character may act once. The cast keeps a queue of lines per action (an action may need several,
and a handover lines of two characters), puts one line of each into the next tick, and reads the report back into the actions.
Invariant: a character performs one action at a time; an action that failed performs no further line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from household.actions import AtomicAction
from sim_bridges.contract import StepReport, StepStatus


@dataclass
class Job:
    """``lines``: (character index, script line) still to come. ``owner`` asked for it."""

    owner: str
    action: AtomicAction
    lines: deque[tuple[int, str]]
    report: StepReport = field(default_factory=lambda: StepReport(StepStatus.RUNNING))

    def end(self, status: StepStatus, reason: str = "") -> None:
        if self.report.status is StepStatus.RUNNING:
            self.report = StepReport(status, reason)
            self.lines.clear()


class Cast:
    """Jobs by owner. ``next_tick`` → the lines to run now; ``done`` takes the report."""

    def __init__(self):
        self.jobs: dict[str, Job] = {}
        self._running: list[tuple[Job, int]] = []

    def start(self, owner: str, action: AtomicAction, lines: list[tuple[int, str]]) -> Job:
        """Raises RuntimeError while the owner's last action is still running."""
        if self.busy(owner):
            raise RuntimeError(f"{owner} is still at {self.jobs[owner].action}; stop it first")
        job = self.jobs[owner] = Job(owner, action, deque(lines))
        if not lines:
            job.end(StepStatus.SUCCEEDED)
        return job

    def busy(self, owner: str) -> bool:
        return owner in self.jobs and self.jobs[owner].report.status is StepStatus.RUNNING

    def next_tick(self, first: str = "", part: Callable[[int, str], str] = lambda index, line: line) -> dict[int, str]:
        """Character index → line, at most one each; ``first`` is served before the others.

        ``part`` may run something else first, as long as it is not yet time for the line itself."""
        self._running, lines = [], {}
        for job in sorted(self.jobs.values(), key=lambda j: (j.owner != first, j.owner)):
            if job.report.status is StepStatus.RUNNING and job.lines and job.lines[0][0] not in lines:
                index, line = job.lines[0]
                lines[index] = part(index, line)
                if lines[index] == line:
                    job.lines.popleft()
                self._running.append((job, index))
        return dict(sorted(lines.items()))

    def done(self, failed: dict[int, str]) -> list[Job]:
        """After a tick. ``failed``: character index → reason. Returns the jobs that ended."""
        ended = []
        for job, index in self._running:
            if index in failed:
                job.end(StepStatus.FAILED, failed[index])
            elif not job.lines:
                job.end(StepStatus.SUCCEEDED)
            if job.report.status is not StepStatus.RUNNING:
                ended.append(job)
        self._running = []
        return ended

    def drop_all(self, reason: str) -> None:
        for job in self.jobs.values():
            job.end(StepStatus.FAILED, reason)
