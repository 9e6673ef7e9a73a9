"""The robot's gaze when nothing else is asked of it: it looks at people it can see, takes turns between them, and looks where it last saw one.

A reflex of the body, as in many social robots; it uses only what is in the robot's own sight. While an action runs the reflex is off.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from household.scene_graph import ROBOT
from sim_bridges.embedded.geometry import wrap

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

_TURN_TAKING = 2.0  # seconds on one person while another is in view
_REMEMBERS = 5.0  # seconds of looking where somebody was last seen
_NECK = 1.0  # radians; beyond it the body turns
_BODY_RATE = 0.25  # radians a glance
_HAND_HEIGHT = 1.0


class Attention:
    """``enabled`` False leaves the head alone."""

    def __init__(self, enabled: bool = True):
        self.enabled = enabled
        self._who: str | None = None
        self._since = 0.0
        self._last: dict[str, tuple[float, tuple[float, float]]] = {}

    def step(self, world: "EmbeddedWorld") -> None:
        """Once a glance, after everybody has moved."""
        body, now = world.performers[ROBOT], world.time
        seen = sorted(p for p in world.look()[ROBOT].sees if p in world.people)
        for id in seen:
            self._last[id] = (now, world.state.people[id].position)
        if body.busy or not self.enabled:
            return
        recent = {id: where for id, (when, where) in self._last.items() if now - when <= _REMEMBERS}
        if not recent:
            body.gaze = None
            self._turn_body(world, world.home.robot.yaw)
            return
        if self._who not in recent or now - self._since > _TURN_TAKING:
            others = [id for id in sorted(recent) if id != self._who] or [self._who]
            busy = [id for id in others if id in seen and world.performers[id].busy] or [id for id in others if id in seen] or others
            if self._who not in recent or busy[0] in seen or self._who not in seen:
                self._who = min(busy, key=lambda id: (self._last_looked(id), id))
            self._since = now
        x, y = recent[self._who]
        body.gaze = (x, y, _HAND_HEIGHT)
        bearing = math.atan2(y - body.position[1], x - body.position[0])
        if abs(wrap(bearing - body.pose.yaw)) > _NECK:
            self._turn_body(world, bearing)

    def _last_looked(self, id: str) -> float:
        return -self._last[id][0]

    def _turn_body(self, world: "EmbeddedWorld", yaw: float) -> None:
        pose = world.performers[ROBOT].pose
        error = wrap(yaw - pose.yaw)
        if abs(error) > 0.05:
            pose.yaw = wrap(pose.yaw + max(-_BODY_RATE, min(_BODY_RATE, error)))
