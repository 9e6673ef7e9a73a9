"""One Replicant as an actor of the household: what its motions may ask about the world, and the action it is at.

An actor sees the world through its ``stage`` (the TdwWorld): ids become numbers, places become spots to stand at, hands become Replicant arms.
Invariant: one motion at a time; ``tick`` is called once a frame and gives the commands of that frame.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from household.actions import AtomicAction
from household.classes import Kind
from household.scene_graph import Entity, SceneGraph
from sim_bridges.contract import StepReport, StepStatus
from sim_bridges.errors import UnknownName
from sim_bridges.tdw import motions
from sim_bridges.tdw.graph import Body, local
from sim_bridges.tdw.motions import MEET, STANDOFF, ActionFailed

if TYPE_CHECKING:
    from sim_bridges.tdw.world import TdwWorld


class Actor:
    """``replicant``: the package's add-on. ``pending``: commands for the next frame that must go out even if the motion ends."""

    def __init__(self, id: str, replicant, stage: "TdwWorld"):
        self.id, self.replicant, self.stage = id, replicant, stage
        self.pending: list[dict] = []
        self.report = StepReport(StepStatus.SUCCEEDED)
        self.action: AtomicAction | None = None
        self._motion: motions.Motion | None = None

    # one action at a time -------------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        return self._motion is not None

    def start(self, action: AtomicAction) -> None:
        if self.busy:
            self.stop("a newer action replaced it")
        self.action, self.report = action, StepReport(StepStatus.RUNNING)
        try:
            self._motion = motions.begin(self, action)
        except ActionFailed as error:
            self.report = StepReport(StepStatus.FAILED, str(error))

    def tick(self) -> list[dict]:
        """This frame's commands."""
        out, self.pending = self.pending, []
        if self._motion is None:
            return out
        try:
            return out + next(self._motion)
        except StopIteration:
            self._end(StepStatus.SUCCEEDED, "")
        except (ActionFailed, UnknownName) as error:
            self._end(StepStatus.FAILED, str(error))
            self._still()
        return out + self._take_pending()

    def stop(self, reason: str = "stopped") -> None:
        if self._motion is not None:
            self._motion.close()
            self._end(StepStatus.CANCELLED, reason)
            self._still()

    def fail(self, reason: str) -> None:
        """End without a word to the simulator, which is gone."""
        self._end(StepStatus.FAILED, reason)

    def _end(self, status: StepStatus, reason: str) -> None:
        self._motion, self.report = None, StepReport(status, reason)

    def _still(self) -> None:
        from tdw.replicant.actions.do_nothing import DoNothing

        self.replicant.action = DoNothing()
        self.pending.extend(motions.halt(self))

    def _take_pending(self) -> list[dict]:
        out, self.pending = self.pending, []
        return out

    # what motions ask -----------------------------------------------------------------------------------------------------------

    @property
    def framerate(self) -> int:
        return self.stage.config.framerate

    @property
    def frames(self):
        return self.stage.frames

    @property
    def snapshot(self):
        return self.stage.snapshot

    @property
    def body(self) -> Body:
        return self.stage.bodies[self.id]

    @property
    def openness(self) -> dict[str, float]:
        return self.stage.openness

    @property
    def joints(self):
        return self.stage.joints

    def scene(self) -> SceneGraph:
        return self.stage.scene()

    def entity(self, id: str) -> Entity:
        """Raises UnknownName."""
        entities = self.scene().entities
        if id not in entities:
            raise UnknownName(f"'{id}' is nothing in this ThreeDWorld scene; it has {', '.join(sorted(entities)[:12])}, …")
        return entities[id]

    def number(self, id: str) -> int:
        self.entity(id)
        if id not in self.stage.numbers:
            raise ActionFailed(f"{id} is nothing one can take or reach for")
        return self.stage.numbers[id]

    def other(self, id: str) -> "Actor":
        if id not in self.stage.actors or id == self.id:
            raise ActionFailed(f"'{id}' is nobody else here; there are {', '.join(self.stage.actors)}")
        return self.stage.actors[id]

    def spot(self, target: str) -> tuple[np.ndarray, np.ndarray | None]:
        """Where to stand for ``target``, and what point to face (None: do not turn): before a container's front, at the nearest free side of a
        surface, at arm's length from a person, in the middle of a room."""
        e, here = self.entity(target), np.array(self.body.position)
        if e.kind is Kind.ROOM:
            return np.array([e.position[0], e.position[1], 0.0]), None
        if e.kind in (Kind.PERSON, Kind.ROBOT):
            away = here[:2] - e.position[:2]
            length = float(np.linalg.norm(away)) or 1.0
            return np.array([*(np.array(e.position[:2]) + away / length * min(MEET, length)), 0.0]), np.array(e.position)
        if e.kind is Kind.OBJECT:
            support = self.scene().place_of(target)
            carrier = self.scene().entities.get(support) if support else None
            if carrier is not None and carrier.kind in (Kind.CONTAINER, Kind.SURFACE):
                return self.spot(support)[0], np.array(e.position)
        return self._beside(e, here), np.array(e.position)

    def _beside(self, e: Entity, here: np.ndarray) -> np.ndarray:
        sides = [(1, 0)] if e.kind is Kind.CONTAINER else [(1, 0), (-1, 0), (0, 1), (0, -1)]
        room, spots = self.scene().room_of(e.id), []
        c, s = math.cos(e.yaw), math.sin(e.yaw)
        for x, y in sides:
            dx, dy = x * (e.extents[0] / 2 + STANDOFF), y * (e.extents[1] / 2 + STANDOFF)
            point = np.array([e.position[0] + c * dx - s * dy, e.position[1] + s * dx + c * dy, 0.0])
            inside = self.stage.config.scene.room_of(point[0], point[1]) == room
            spots.append((not inside, math.dist(point[:2], here[:2]), tuple(point)))
        return np.array(min(spots)[2])

    def resting_spot(self, thing: str, place: Entity) -> np.ndarray:
        """(3,) map point for the underside of ``thing`` on or in ``place``, on the side nearest to the body."""
        margin = np.maximum(np.array(place.extents[:2]) / 2 - 0.12, 0.0)
        near = np.clip(local(place, self.body.position)[:2], -margin, margin)
        if place.kind is Kind.CONTAINER:
            near *= 0.3
        taken = [np.array(local(place, e.position)[:2]) for e in self.scene().objects() if self.scene().place_of(e.id) == place.id and e.id != thing]
        if any(float(np.linalg.norm(near - t)) < 0.15 for t in taken):
            near[1] += 0.2 if near[1] <= 0 else -0.2
        c, s = math.cos(place.yaw), math.sin(place.yaw)
        low, top = place.position[2] - place.extents[2] / 2, place.position[2] + place.extents[2] / 2
        height = low + 0.45 * place.extents[2] if place.kind is Kind.CONTAINER or place.cls in ("sofa", "bed", "chair", "bookshelf") else top
        return np.array([place.position[0] + c * near[0] - s * near[1], place.position[1] + s * near[0] + c * near[1], height + 0.01])

    def shut_around(self, thing: str) -> str:
        """The shut container that a thing is in, or ''."""
        place = self.scene().place_of(thing)
        return place if place in self.openness and self.openness[place] < 0.5 else ""

    # hands ----------------------------------------------------------------------------------------------------------------------

    def free_arm(self):
        from tdw.replicant.arm import Arm

        for arm in (Arm.right, Arm.left):
            if arm.name not in self.body.held:
                return arm
        raise ActionFailed("both hands are full")

    def arm_with(self, thing: str):
        from tdw.replicant.arm import Arm

        number = self.number(thing)
        for name, held in self.body.held.items():
            if held == number:
                return Arm[name]
        raise ActionFailed(f"{thing} is not in {self.id}'s hand")

    def hand_position(self, arm) -> np.ndarray:
        """(3,) map."""
        dynamic, static = self.replicant.dynamic, self.replicant.static
        return self.frames.to_map(dynamic.body_parts[static.hands[arm]].position)


class TdwBody:
    """``contract.Body`` of the robot's Replicant."""

    def __init__(self, world: "TdwWorld"):
        self._world = world

    def can(self, action: AtomicAction) -> str:
        return motions.why_not(action)

    def start(self, action: AtomicAction) -> None:
        self._world.robot.start(action)

    def poll(self) -> StepReport:
        return self._world.robot.report

    def stop(self) -> None:
        self._world.robot.stop()
