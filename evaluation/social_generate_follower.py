"""The legs and the neck of a robot that keeps somebody company: it goes where they go, stands where it sees what is done there, and looks at who does it.

Invariant: it knows the map of the home, and of people only where they are and whether they move; nothing of what they mean to do.
"""

from __future__ import annotations

import math

from household.scene_graph import ROBOT
from sim_bridges.embedded.geometry import wrap
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation.social_generate_posts import Posts, cut, hides, leaves

LATE = 1.0  # seconds in another room before the robot goes after somebody
ACTIVE = 2.0  # seconds for which somebody counts as busy after their last step or reach
TOGETHER = math.radians(50)  # two people nearer than this, as seen from the robot, are looked at both
CHEST = 1.1  # metres above the floor at which people are looked at
_THERE = 0.2  # metres from a spot at which one stands there
_PATIENCE = 0.8  # seconds for which somebody or a door may hide somebody until the robot goes to see past them
_STEP_ASIDE = 5.0  # times as dear is a way that is gone only to see past somebody
_AGAIN = 3.0  # seconds between two such tries, and after which a way that was barred is tried again


class Follower:
    """``attend(company)``, as often as the robot looks."""

    def __init__(self, world: EmbeddedWorld):
        self._world, self._posts = world, Posts(world)
        self._bound: str | None = None  # the room it is in, or on the way to, for somebody's sake
        self._there = self._clear = world.time  # when they were last there; when everybody there could be seen
        self._tried, self._aside = -math.inf, False  # when it last set out, and whether only to see past somebody
        self._active: dict[str, float] = {}

    def attend(self, company: str) -> None:
        world, me = self._world, self._world.performers[ROBOT]
        self._look(company)
        room, now = world.room_of(company), world.time
        if room not in (None, self._bound):
            if self._bound is None or now - self._there > LATE:
                self._bound = room
                self._go()
            return
        self._there = now
        if self._bound is None or (me.busy and not self._aside):
            return
        if world.room_of(ROBOT) == self._bound and not self._hidden():
            self._clear = now
            if me.busy:
                me.stop()  # far enough to see past
        if not me.busy and now - self._clear > _PATIENCE and now - self._tried > _AGAIN:
            self._go(aside=world.room_of(ROBOT) == self._bound)

    def _go(self, aside: bool = False) -> None:
        """``aside``: only so far as to see past what hides somebody."""
        world, me = self._world, self._world.performers[ROBOT]
        self._tried, self._aside = world.time, aside
        spot = self._posts.best(self._bound, me.position, [at for _, at in self._people()], _STEP_ASIDE if aside else 1.0)
        if spot is not None and math.dist(spot, me.position) > _THERE:
            me.go(spot, self._bound)
        else:
            me.stop()

    def _people(self) -> list[tuple[str, tuple[float, float]]]:
        """Who is in the room it is bound for, and where (x, y)."""
        return [(p, s.position) for p, s in self._world.state.people.items() if self._world.room_of(p) == self._bound]

    def _hidden(self) -> bool:
        """Whether somebody there stands behind another or behind a door."""
        here, people = self._world.performers[ROBOT].position, self._people()
        doors = leaves(self._world)
        return any(hides(here, at, other) for p, at in people for q, other in people if p != q) or any(cut(here, at, doors) for _, at in people)

    def _look(self, company: str) -> None:
        """At ``company``, or at who else is busy in their room while they rest; at both where one picture holds both."""
        world, me = self._world, self._world.performers[ROBOT]
        for name, person in world.state.people.items():
            if person.walking or person.reach_to is not None:
                self._active[name] = world.time
        there = [company, *(p for p in world.people if p != company and world.room_of(p) == world.room_of(company))]
        where = {p: at for p in there if (at := world.locate(p)) is not None}
        busy = [p for p in where if world.time - self._active.get(p, -math.inf) <= ACTIVE]
        if not where:
            return
        first = busy[0] if busy else next(iter(where))
        bearing = _bearing(me.position, where[first])
        turns = [wrap(_bearing(me.position, at) - bearing) for p, at in where.items() if p != first]
        bearing += 0.5 * min((t for t in turns if abs(t) < TOGETHER), key=abs, default=0.0)
        away = max(0.5, math.dist(me.position, where[first][:2]))
        me.look((me.position[0] + away * math.cos(bearing), me.position[1] + away * math.sin(bearing), CHEST))


def _bearing(here, there) -> float:
    return math.atan2(there[1] - here[1], there[0] - here[0])
