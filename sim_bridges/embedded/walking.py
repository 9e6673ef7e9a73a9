"""How a body gets about: turning, following a path, giving way, opening the doors it comes to, and being seen to head somewhere.

The base of :class:`~sim_bridges.embedded.body.Performer`; every method that takes time is a generator that yields once a tick.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from household.actions import Verb
from household.scene_graph import ROBOT, Posture
from sim_bridges.embedded.geometry import wrap
from sim_bridges.embedded.model import Person, PersonState, RobotState, Vec2, Vec3
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, WHEELCHAIR_RADIUS

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

Motion = Iterator[None]
_ACCELERATION = 2.0  # m/s²
_PATIENCE = 1.2  # seconds before walking round somebody in the way
_GIVE_UP = 6.0  # seconds of being in each other's way before squeezing past
_BESIDE = 0.8  # m that are left to a place where somebody else stands: so near, hands reach past them
_DOOR_SECONDS = 0.9
_ABOUT = math.radians(135)  # of turns by as much and more the way round is chosen
_EITHER_WAY = math.radians(15)  # beside square to its course, what it looks at is left to the neck


class ActionFailed(Exception):
    """Why an action could not be done, as a sentence for people."""


@dataclass(frozen=True)
class BodyPlan:
    """Speeds in m/s and rad/s, lengths in metres. ``hands``: how many things it can hold."""

    radius: float = PERSON_RADIUS
    speed: float = 1.1
    turn_rate: float = 3.0
    head_rate: float = 4.5
    reach_height: float = 2.0
    arm: float = 1.1
    hands: int = 2
    can_sit: bool = True


def plan_of(person: Person) -> BodyPlan:
    wheels = person.posture is Posture.WHEELCHAIR
    return BodyPlan(WHEELCHAIR_RADIUS if wheels else PERSON_RADIUS, person.stride, 1.8 if wheels else 3.0,
                    reach_height=person.reach, can_sit=not wheels)


ROBOT_PLAN = BodyPlan(ROBOT_RADIUS, speed=0.6, turn_rate=1.4, head_rate=2.0, reach_height=1.9, hands=1, can_sit=False)


class Walking:
    """Legs (or wheels). The attributes belong to the body."""

    world: "EmbeddedWorld"
    id: str
    plan: BodyPlan
    pose: PersonState | RobotState
    heading: str | None  # what it is walking to
    _announced: tuple[str, float] | None
    _walked: float
    _speed: float
    gaze: Vec3 | None  # what the head turns to
    _watch: Vec2 | None = None  # where it goes to see better from there
    _backwards: bool = False  # it drives back first: its face, or eyes, are turned to where it comes from

    @property
    def position(self) -> Vec2:
        return self.pose.position

    @property
    def moving(self) -> bool:
        return self._speed > 0.05

    def pause(self, seconds: float) -> Motion:
        for _ in range(max(1, int(round(seconds / self.world.step)))):
            yield

    def face(self, point: Vec2, tolerance: float = 0.12) -> Motion:
        """Turns on the spot until the point is ahead."""
        pose = self.pose
        if math.hypot(point[0] - pose.position[0], point[1] - pose.position[1]) < 0.05:
            return
        wanted = math.atan2(point[1] - pose.position[1], point[0] - pose.position[0])
        yield from self.turn_to(wanted, tolerance)

    def turn_to(self, wanted: float, tolerance: float = 0.05) -> Motion:
        pose, limit = self.pose, self.plan.turn_rate * self.world.step
        while abs(error := wrap(wanted - pose.yaw)) > tolerance:
            pose.yaw = wrap(pose.yaw + max(-limit, min(limit, error)))
            yield

    def walk_to(self, goal: Vec2, target: str | None, speed: float | None = None, within: float = 0.0) -> Motion:
        """Walks to a floor point; ``target`` is what it is going to, for those who watch. Raises ActionFailed when there is no way."""
        self.heading, self._walked = target, 0.0
        self._posture_for_walking()
        path = self.world.nav.path(self.position, goal, self.plan.radius, self.world.state.moved)
        if path is None:
            found = self.world.nav.path_to_obstacle(self.position, goal, self.plan.radius, self.world.state.moved)
            if found is None:
                raise ActionFailed(f"there is no way to {self.world.name(target)}")
            yield from self._follow(found[0], found[0][-1] if found[0] else goal, speed or self.plan.speed, within)
            raise ActionFailed(f"the way to {self.world.name(target)} is blocked by {self.world.name(found[1])}")
        yield from self._follow(path, goal, speed or self.plan.speed, within)
        self._end_walk()

    def _posture_for_walking(self) -> None:
        if self.id != ROBOT and self.pose.posture is Posture.SITTING:
            self.pose.posture = Posture.STANDING
            self.world.emit(self.id, Verb.STANDUP)

    def _follow(self, path: list[Vec2], goal: Vec2, top_speed: float, within: float) -> Motion:
        pose, waited, in_the_way = self.pose, 0.0, 0.0
        while path:
            dx, dy = path[0][0] - pose.position[0], path[0][1] - pose.position[1]
            left = math.hypot(dx, dy)
            rest = left + sum(math.dist(a, b) for a, b in zip(path, path[1:]))
            if left < 0.04 or (len(path) > 1 and left < 0.12):
                path.pop(0)
                continue
            if rest <= within:
                break
            yield from self._open_door_ahead(path[0])
            if self._watch is not None:
                self._backwards = self._looks_back(math.atan2(dy, dx))
            ahead = self._past_what_it_looks_at(wrap(math.atan2(dy, dx) + (math.pi if self._backwards else 0.0) - pose.yaw))
            if in_the_way < _GIVE_UP and self._somebody_ahead(math.atan2(dy, dx), min(rest, 0.75)):
                waited, in_the_way, self._speed = waited + self.world.step, in_the_way + self.world.step, 0.0
                if self.id != ROBOT:
                    pose.walking = False
                self.world.make_way(self)
                if waited > (_PATIENCE if self.id == ROBOT else 0.5 * _PATIENCE):
                    waited = 0.0
                    around = self.world.nav.path(pose.position, goal, self.plan.radius, self.world.state.moved, self._discs())
                    path = around or path
                yield
                continue
            if in_the_way >= _GIVE_UP and rest < _BESIDE and self._taken(goal):
                break
            self._step(dx, dy, left, rest, ahead, top_speed)
            self.world.note_crossing(self)
            self._announce_walk()
            yield
        self._speed = 0.0  # it turns to what it came to, or acts there: nobody need take it for one who walks on
        if self.id != ROBOT:
            pose.walking = False

    def _past_what_it_looks_at(self, turn: float) -> float:
        """Turns by about half a circle to see better from elsewhere go past what it looks at, not round behind its back, where the neck does not reach: a turn of
        the other sign then, which stays so until it is the shorter one."""
        if self._watch is None or abs(turn) < _ABOUT:
            return turn
        look = self._gaze_error(self.pose.yaw)
        return -turn if look * turn < 0.0 and abs(look) > math.pi - abs(turn) else turn

    def _looks_back(self, course: float) -> bool:
        """Whether it had better drive backwards, for the neck to reach what it looks at."""
        return abs(self._gaze_error(course)) > (math.pi / 2 - _EITHER_WAY if self._backwards else math.pi / 2 + _EITHER_WAY)

    def _gaze_error(self, course: float) -> float:
        """Angle from a direction on the map to what it looks at, radians; 0 while it looks at nothing."""
        if self.gaze is None:
            return 0.0
        return wrap(math.atan2(self.gaze[1] - self.position[1], self.gaze[0] - self.position[0]) - course)

    def _step(self, dx: float, dy: float, left: float, rest: float, ahead: float, top_speed: float) -> None:
        pose, dt = self.pose, self.world.step
        limit = self.plan.turn_rate * dt
        pose.yaw = wrap(pose.yaw + max(-limit, min(limit, ahead)))
        wanted = top_speed * max(0.0, math.cos(ahead)) ** 2 if abs(ahead) < 1.2 else 0.0
        wanted = min(wanted, math.sqrt(2 * _ACCELERATION * rest) + 0.05)
        self._speed += max(-2 * _ACCELERATION * dt, min(_ACCELERATION * dt, wanted - self._speed))
        move = min(left, max(0.0, self._speed) * dt)
        pose.position = (pose.position[0] + dx / left * move, pose.position[1] + dy / left * move)
        self._walked += move
        if self.id != ROBOT:
            pose.walking = self._speed > 0.05
            pose.gait = (pose.gait + move * 2 * math.pi / 1.4) % (2 * math.pi)

    def _others(self) -> list[tuple[str, Vec2, float]]:
        people = [(id, body.position, self.world.performers[id].plan.radius) for id, body in self.world.state.people.items()]
        everyone = people + [(ROBOT, self.world.state.robot.position, ROBOT_PLAN.radius)]
        return [one for one in everyone if one[0] != self.id]

    def _discs(self) -> list[tuple[float, float, float]]:
        """Others as discs to walk round, never so large that the body itself would stand in one."""
        discs = []
        for _, (x, y), radius in self._others():
            room = math.dist((x, y), self.position) - self.plan.radius - 0.15
            discs.append((round(x, 1), round(y, 1), round(max(0.05, min(radius, room)), 2)))
        return discs

    def _somebody_ahead(self, course: float, look: float) -> bool:
        """Whether somebody stands or comes in the way. Of two who walk the first by name goes on."""
        for id, (x, y), radius in self._others():
            dx, dy = x - self.position[0], y - self.position[1]
            distance = math.hypot(dx, dy)
            if distance < min(look + radius, self.plan.radius + radius + 0.25) and abs(wrap(math.atan2(dy, dx) - course)) < 0.6:
                moving = self.world.performers[id].moving
                if not (moving and id > self.id):
                    return True
        return False

    def _taken(self, spot: Vec2) -> bool:
        """Whether somebody stands where this body would."""
        return any(math.dist(at, spot) < self.plan.radius + radius and not self.world.performers[id].moving for id, at, radius in self._others())

    def _open_door_ahead(self, towards: Vec2) -> Motion:
        openness = self.world.state.openness
        for door in self.world.home.doorways:
            if not door.leaf or openness.get(door.id, 1.0) >= 0.9 or math.dist(door.center, self.position) > 0.8:
                continue
            along = (math.cos(door.yaw), math.sin(door.yaw))
            side = [sum((p[i] - door.center[i]) * along[i] for i in (0, 1)) for p in (self.position, towards)]
            if side[0] * side[1] > 0:
                continue
            start = self.world.time
            self.reach_out((*door.center, 1.0))
            while openness.get(door.id, 0.0) < 1.0:
                openness[door.id] = min(1.0, openness.get(door.id, 0.0) + self.world.step / _DOOR_SECONDS)
                yield
            self.reach_out(None)
            self.world.emit(self.id, Verb.OPEN, door.id, start=start)

    def _announce_walk(self) -> None:
        """Reports ``walktowards`` once the heading is plain to see: in the target's room, walking at it for a while."""
        target = self.heading
        if target is None or self._announced is not None or self._walked < 0.35:
            return
        where = self._heading_point(target)
        if where is None:
            return
        dx, dy = where[0] - self.position[0], where[1] - self.position[1]
        if math.hypot(dx, dy) < 1.2 or abs(wrap(math.atan2(dy, dx) - self.pose.yaw)) < 0.6:
            self._announced = (target, self.world.time)
            self.world.emit(self.id, Verb.WALKTOWARDS, target, start=self.world.time, ongoing=True)

    def _heading_point(self, target: str) -> Vec2 | None:
        """Where it is plainly going: a target in its own room, or the near doorway to a room it goes to."""
        here = self.world.room_of(self.id)
        if target in self.world.rooms:
            doors = [d.center for d in self.world.home.doorways if {here, target} == set(d.rooms)]
            near = [d for d in doors if math.dist(d, self.position) < 1.8]
            return min(near, key=lambda d: math.dist(d, self.position)) if near else None
        where = self.world.locate(target)
        return where[:2] if where is not None and self.world.room_of(target) == here else None

    def _end_walk(self) -> None:
        if self._announced is not None:
            target, start = self._announced
            self._announced = None
            self.world.emit(self.id, Verb.WALKTOWARDS, target, start=start)
        self.heading = None
