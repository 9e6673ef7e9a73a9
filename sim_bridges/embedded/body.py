"""One body that carries out atomic actions a tick at a time, for people and for the robot alike.

An action is a generator that moves the state a little and yields once per tick; it ends by returning, or by raising :class:`ActionFailed`
with a reason in words. What differs between a tall man, a child, somebody in a wheelchair and the robot is only :class:`BodyPlan`.
The head is here, legs are in ``walking``, what each verb does in ``skills``.
Invariant: a body acts on what is physically there (and fails where it is not); what its owner believes is no concern of it.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING

from household.actions import AtomicAction, Verb
from household.scene_graph import ROBOT
from sim_bridges.contract import StepReport, StepStatus
from sim_bridges.embedded.geometry import wrap
from sim_bridges.embedded.model import Vec2, Vec3
from sim_bridges.embedded.walking import ROBOT_PLAN, ActionFailed, BodyPlan, Motion, Walking, plan_of

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

__all__ = ["ROBOT_PLAN", "ActionFailed", "BodyPlan", "Motion", "Performer", "plan_of", "where_is"]

_NECK = math.radians(75)
_COMFORTABLE, _AHEAD = math.radians(65), math.radians(5)  # farther round the whole body turns, until it is as near as that
APART = 0.5  # m between two who stand
_COURTESY = 2.5  # seconds out of somebody's way before going back
_PERSONAL, _POLITE = 0.9, 0.8  # m from somebody who stands there, and s, after which an idle robot draws back, out of their personal space (Hall 1966)
_TAKES = 4.0  # s after which a robot that is stopped on its way aside stays where it is, and may turn to what it looks at
_ARRIVED, _LONGEST = 0.2, 10.0  # m from where it goes to see better; s that it may take to get there
_BACK = 1.1  # m from everybody that it draws back to: from there it sees what hands do


class Performer(Walking):
    """Does one action at a time for ``id`` (a person, or ROBOT)."""

    def __init__(self, world: "EmbeddedWorld", id: str, plan: BodyPlan):
        self.world, self.id, self.plan = world, id, plan
        self.action: AtomicAction | None = None
        self.report = StepReport(StepStatus.SUCCEEDED)
        self.heading: str | None = None  # what it is walking to
        self.gaze: Vec3 | None = None  # what the head turns to; None: straight on
        self._motion: Motion | None = None
        self._aside: Motion | None = None  # making way for somebody; gives in to any action
        self._near = 0.0  # s that somebody has stood near an idle robot
        self._announced: tuple[str, float] | None = None  # target and start of a walk that was reported
        self._walked = 0.0
        self._speed = 0.0
        self._failures: list[tuple[Verb, str, float]] = []

    # ---- one action at a time ----

    @property
    def busy(self) -> bool:
        return self._motion is not None

    def start(self, action: AtomicAction) -> None:
        """Begins an action; one still running is cancelled first."""
        from sim_bridges.embedded import skills

        self.stop("replaced by another action")
        self._leave_off()
        self.action, self.report = action, StepReport(StepStatus.RUNNING)
        motion = skills.begin(self, action)
        planned = next((f for f in self._failures if f[0] is action.verb), None)
        if planned:
            self._failures.remove(planned)
            motion = _spoiled(motion, planned[1], planned[2], self.world.step)
        self._motion = motion
        self._doing(str(action))

    def go(self, spot: Vec2, target: str) -> None:
        """Begins a walk to a floor point, for the sake of ``target``; an action still running is cancelled first."""
        self.stop("replaced by a walk")
        self._leave_off()
        self.action, self.report = AtomicAction(Verb.WALKTOWARDS, (target,)), StepReport(StepStatus.RUNNING)
        self._motion = self.walk_to(spot, target)

    def stop(self, reason: str = "stopped") -> None:
        """Still at once; a running action ends as CANCELLED."""
        if self._motion is not None:
            self._motion.close()
            self._finish(StepReport(StepStatus.CANCELLED, reason))

    def _leave_off(self) -> None:
        if self._aside is not None:
            self._aside.close()
            self._aside, self._backwards, self._watch = None, False, None
            self._still()

    def tick(self) -> None:
        if self.id == ROBOT:
            self._keep_distance()
        if self._aside is not None and self._motion is None:
            try:
                next(self._aside)
            except (StopIteration, ActionFailed):
                self._leave_off()
        if self._motion is not None:
            try:
                next(self._motion)
            except StopIteration:
                self._finish(StepReport(StepStatus.SUCCEEDED))
            except ActionFailed as problem:
                self._finish(StepReport(StepStatus.FAILED, str(problem)))
        self._move_head()

    def inject_failure(self, verb: Verb, reason: str, after: float = 0.4) -> None:
        """The next action with ``verb`` fails ``after`` seconds of trying. For tests and scenarios."""
        self._failures.append((verb, reason, after))

    def _finish(self, report: StepReport) -> None:
        self._motion, self.report = None, report
        self._still()
        self._doing("")

    def _still(self) -> None:
        self._end_walk()
        if self.id != ROBOT:
            self.pose.walking, self.pose.reach_to = False, None
        self._speed = 0.0

    # ---- the body ----

    @property
    def pose(self):
        """PersonState or RobotState; both have position and yaw."""
        return self.world.state.robot if self.id == ROBOT else self.world.state.people[self.id]

    def held(self) -> list[str]:
        return [id for id, thing in self.world.state.things.items() if thing.at == self.id]

    def reach_out(self, point: Vec3 | None) -> None:
        if self.id != ROBOT:
            self.pose.reach_to = point

    def _doing(self, text: str) -> None:
        if self.id != ROBOT:
            self.pose.doing = text

    def _move_head(self) -> None:
        """The head turns to the gaze point as far and as fast as a neck can; without one it returns to straight ahead."""
        pose, limit = self.pose, self.plan.head_rate * self.world.step
        base = pose.yaw
        wanted, pitch = base, 0.0 if self.id != ROBOT else self.world.home.robot.camera_pitch
        if self.gaze is not None:
            dx, dy = self.gaze[0] - pose.position[0], self.gaze[1] - pose.position[1]
            distance = math.hypot(dx, dy)
            if distance > 0.05:
                wanted = math.atan2(dy, dx)
                pitch = max(-0.9, min(0.4, math.atan2(self.gaze[2] - self.world.eye_height(self.id), distance)))
        now = pose.head_yaw if self.id == ROBOT else wrap(pose.head_yaw - base)
        short = wrap(wanted - base) if self.id != ROBOT else now + wrap(wanted - base - now)  # a camera turns the short way from where it looks
        offset = max(-_NECK, min(_NECK, short))
        turned = now + max(-limit, min(limit, offset - now))
        turned = max(-_NECK - 0.2, min(_NECK + 0.2, turned))
        pose.head_yaw = turned if self.id == ROBOT else wrap(base + turned)
        pose.head_pitch += max(-limit, min(limit, pitch - pose.head_pitch))

    def look(self, point: Vec3) -> None:
        """The head turns to a map point; the body, too, when it is idle and the neck does not go so far."""
        self.gaze = point
        if self._motion is None and self._aside is None and abs(self._gaze_error(self.pose.yaw)) > _COMFORTABLE:
            self._aside = self._turn_round()

    def stand(self, spot: Vec2 | None) -> None:
        """Goes to a floor point to see better from there, eyes on what it looks at, while it is idle; None: stays where it is. An action, or somebody in whose
        way it is, ends that."""
        if self._watch is not None and (spot is None or math.dist(spot, self._watch) > _ARRIVED):
            self._leave_off()
        if spot is not None and self._motion is None and self._aside is None and math.dist(spot, self.position) > _ARRIVED:
            self._watch = spot
            self._aside = self._walk_for(spot, _LONGEST)

    def _walk_for(self, spot: Vec2, seconds: float) -> Motion:
        """Towards a floor point, for no longer than that."""
        yield from islice(self.walk_to(spot, None), int(seconds / self.world.step))

    def _turn_round(self) -> Motion:
        """Until the gaze, wherever it goes meanwhile, lies ahead: the way the head turns, so that the camera sweeps over what lies in between."""
        limit = self.plan.turn_rate * self.world.step
        while abs(error := self.pose.head_yaw + self._gaze_error(self.pose.yaw + self.pose.head_yaw)) > _AHEAD:
            self.pose.yaw = wrap(self.pose.yaw + max(-limit, min(limit, error)))
            yield

    def step_aside(self, other: "Performer", apart: float = 0.6) -> None:
        """Walks a little way off, out of the other's course, when it has nothing to do; nothing happens where there is no room ``apart`` m from everybody."""
        if self._watch is not None:
            self._leave_off()
        spot = self.world.side_spot(self, other, apart) if self._aside is None else None
        if spot is not None:
            self._aside = self._there_and_back(spot)

    def _keep_distance(self) -> None:
        """Draws back from who has stood near for a while; from who walks by it does not flee."""
        near = [other for other in self.world.performers.values() if other is not self and math.dist(other.position, self.position) < _PERSONAL]
        if self.busy or self._aside is not None or not near or any(other.moving for other in near):
            self._near = 0.0
            return
        self._near += self.world.step
        if self._near >= _POLITE:
            self._near = 0.0
            self.step_aside(min(near, key=lambda other: math.dist(other.position, self.position)), _BACK)

    def _there_and_back(self, spot: Vec2) -> Motion:
        """People return to where they stood; the robot stays out of the way, and goes there backwards when its neck would not reach what it looks at otherwise."""
        before, yaw = self.position, self.pose.yaw
        if self.id == ROBOT and self.gaze is not None:
            way, half = [b - a for a, b in zip(before, spot)], [(a + b) / 2 for a, b in zip(before, spot)]
            self._backwards = sum((g - h) * w for g, h, w in zip(self.gaze, half, way)) < 0.0
        yield from islice(self.walk_to(spot, None), int(_TAKES / self.world.step) if self.id == ROBOT else None)
        if self.id != ROBOT:
            yield from self.pause(_COURTESY)
            while any(math.dist(before, other.position) < APART for other in self.world.performers.values() if other is not self):
                yield from self.pause(_COURTESY)
            yield from self.walk_to(before, None)
            yield from self.turn_to(yaw)


def where_is(body: Performer, target: str) -> Vec3:
    """A point of something named in an action; raises ActionFailed when there is no such thing."""
    where = body.world.locate(target)
    if where is None:
        raise ActionFailed(f"there is no {target} here")
    return where


def _spoiled(motion: Motion, reason: str, after: float, step: float) -> Motion:
    """The motion, cut off by a failure after some seconds or at its end, whichever comes first; its effect may not happen."""
    ticks = max(1, int(round(after / step)))
    for _ in range(ticks):
        try:
            next(motion)
        except StopIteration:
            break
        yield
    motion.close()
    raise ActionFailed(reason)
