"""The robot's body in VirtualHome: one character that performs atomic actions as script lines.

There is no handing over in VirtualHome: a character cannot take what another holds. ``give`` therefore puts the thing on the surface nearest to the
receiver and has the receiver take it from there, and fails with that reason where no surface is near.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph
from sim_bridges.contract import StepReport, StepStatus
from sim_bridges.virtualhome import script
from sim_bridges.virtualhome.names import NameMap

if TYPE_CHECKING:
    from sim_bridges.virtualhome.world import VirtualHomeWorld

HANDOVER_REACH = 2.5  # metres from the receiver to the surface


class VirtualHomeBody:
    """``contract.Body``. Lines are performed by the world's ticks; ``start`` only queues them."""

    def __init__(self, world: "VirtualHomeWorld"):
        self._world = world
        self._failed = ""

    def can(self, action: AtomicAction) -> str:
        return script.why_not(action)

    def start(self, action: AtomicAction) -> None:
        """A mistake in the action (an unknown entity) is reported by ``poll``."""
        self._failed = ""
        self.stop()
        try:
            self._world.begin(ROBOT, action)
        except ValueError as error:  # UnknownName and the like
            self._failed = str(error)

    def poll(self) -> StepReport:
        if self._failed:
            return StepReport(StepStatus.FAILED, self._failed)
        job = self._world.cast.jobs.get(ROBOT)
        return job.report if job else StepReport(StepStatus.SUCCEEDED)

    def stop(self) -> None:
        if self._world.cast.busy(ROBOT):
            self._world.cast.jobs[ROBOT].end(StepStatus.CANCELLED, "stopped")


def lines_of(action: AtomicAction, actor: str, names: NameMap, scene: SceneGraph) -> list[tuple[int, str]]:
    """(character index, line) of an action, a handover included. Raises UnknownName, ValueError."""
    if action.verb is not Verb.GIVE:
        return [(names.character(actor), line) for line in script.lines_for(action, actor, names)]
    thing, receiver = action.args
    takes, gives = names.character(receiver), names.character(actor)
    surface = surface_near(scene, receiver)
    if surface is None:
        raise ValueError(f"there is no surface within {HANDOVER_REACH} m of {receiver} to hand {thing} over on")
    put = AtomicAction(Verb.PUTON, (thing, surface))
    walk = AtomicAction(Verb.WALK, (surface,))
    take = [AtomicAction(Verb.WALK, (surface,)), AtomicAction(Verb.PICK, (thing,))]
    return [(gives, line) for a in (walk, put) for line in script.lines_for(a, actor, names)] + \
           [(takes, line) for a in take for line in script.lines_for(a, receiver, names)]


def surface_near(scene: SceneGraph, person: str) -> str | None:
    """The surface in the person's room whose edge is nearest, within reach."""
    at, room = scene.entities[person].position, scene.room_of(person)

    def gap(e) -> float:
        return max(0.0, math.dist(e.position[:2], at[:2]) - max(e.extents[:2]) / 2)

    near = [e for e in scene.of_kind(Kind.SURFACE) if scene.room_of(e.id) == room and gap(e) <= HANDOVER_REACH]
    return min(near, key=lambda e: (gap(e), e.id)).id if near else None
