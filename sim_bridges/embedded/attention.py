"""The robot's gaze when nothing else is asked of it: it looks at people it can see, first at who is doing
something, takes turns between several, and looks where it last saw one.

A reflex of the body, as in many social robots; it uses only what is in the robot's own sight. While an action runs the reflex is off.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from household.scene_graph import ROBOT
from sim_bridges.embedded.geometry import wrap

if TYPE_CHECKING:
    from sim_bridges.embedded.body import Performer
    from sim_bridges.embedded.model import Vec3
    from sim_bridges.embedded.world import EmbeddedWorld

_TURN_TAKING = 2.0  # seconds on one person while another is in view
_STILL = 2.0  # seconds without walking or reaching after which somebody counts as idle
_ROUND, _REST = 5.0, 3.0  # of every five seconds among idle people, three looking ahead
_YIELD = 2.0  # seconds the reflex leaves a gaze alone that it did not set
_REMEMBERS = 5.0  # seconds of looking where somebody was last seen
_NECK = 1.0  # radians; beyond it the body turns
_BODY_RATE = 0.25  # radians a glance
_HAND_HEIGHT = 1.0


class Attention:
    """``enabled`` False leaves the head alone."""

    def __init__(self, enabled: bool = True):
        self.enabled = enabled
        self._mine: Vec3 | None = None  # the gaze this reflex has set
        self._yield_until = -math.inf
        self._who: str | None = None
        self._since = 0.0
        self._active: dict[str, float] = {}  # when somebody in view last moved
        self._looked: dict[str, float] = {}
        self._last: dict[str, tuple[float, tuple[float, float]]] = {}

    def step(self, world: "EmbeddedWorld") -> None:
        """Once a glance, after everybody has moved."""
        body, now = world.performers[ROBOT], world.time
        seen = sorted(p for p in world.look()[ROBOT].sees if p in world.people)
        for id in seen:
            person = world.state.people[id]
            self._last[id] = (now, person.position)
            if person.walking or person.reach_to is not None:
                self._active[id] = now
        if body.gaze is not self._mine:  # somebody else, or an action, turned the head: leave it there for a while
            self._mine, self._yield_until = body.gaze, now + (_YIELD if body.gaze is not None else 0.0)
        if body.busy or not self.enabled or now < self._yield_until:
            return
        self._choose(world, body, seen, now)
        self._mine = body.gaze

    def _choose(self, world: "EmbeddedWorld", body: "Performer", seen: list[str], now: float) -> None:
        recent = {id: where for id, (when, where) in self._last.items() if now - when <= _REMEMBERS}
        if not recent:
            body.gaze = None
            self._turn_body(world, world.home.robot.yaw)
            return
        active = [id for id in seen if now - self._active.get(id, -math.inf) <= _STILL]
        if not active and seen and now % _ROUND < _REST:  # nobody does anything: keep an eye on the rest of the room too
            body.gaze = None
            self._turn_body(world, world.home.robot.yaw)
            return
        candidates = active or seen or sorted(recent)
        if self._who not in candidates or now - self._since > _TURN_TAKING:
            others = [id for id in candidates if id != self._who] or candidates
            self._who = min(others, key=lambda id: (self._looked.get(id, -1.0), id))
            self._since = now
        self._looked[self._who] = now
        x, y = recent[self._who]
        body.gaze = (x, y, _HAND_HEIGHT)
        bearing = math.atan2(y - body.position[1], x - body.position[0])
        if abs(wrap(bearing - body.pose.yaw)) > _NECK:
            self._turn_body(world, bearing)

    def _turn_body(self, world: "EmbeddedWorld", yaw: float) -> None:
        pose = world.performers[ROBOT].pose
        error = wrap(yaw - pose.yaw)
        if abs(error) > 0.05:
            pose.yaw = wrap(pose.yaw + max(-_BODY_RATE, min(_BODY_RATE, error)))
