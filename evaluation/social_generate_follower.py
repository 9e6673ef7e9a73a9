"""The legs and the neck of a robot that keeps somebody company: it goes where they go, stands where it sees what is done there, and looks at who does it. It turns its
back on nobody who is busy: it stands still and looks, and goes on when they are done.

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
CHEST, WAIST, CLOSE = 1.1, 0.8, 1.8  # metres above the floor at which people are looked at, and when they are so near that their hands would be below the picture
_THERE = 0.2  # metres from a spot at which one stands there
_PATIENCE = 0.8  # seconds for which somebody or a door may hide somebody until the robot goes to see past them
_STEP_ASIDE = 5.0  # times as dear is a way that is gone only to see past somebody
_BEHIND = math.radians(100)  # off the way it goes, about as far as the neck and half a picture reach: whoever is farther round is not seen
_AGAIN = 3.0  # seconds between two such tries, and after which a way that was barred is tried again
_DONE = 0.8  # seconds after somebody's last step or reach until the robot may turn away from them
_BETTER = 0.6  # by how much another spot must be the better one to go to while everybody is at rest


class Follower:
    """``attend(company)``, as often as the robot looks."""

    def __init__(self, world: EmbeddedWorld):
        self._world, self._posts = world, Posts(world)
        self._bound: str | None = None  # the room it is in, or on the way to, for somebody's sake
        self._there = self._clear = world.time  # when they were last there; when everybody there could be seen
        self._tried, self._aside = -math.inf, False  # when it last set out, and whether only to see past somebody
        self._halted = False  # stood still to look, on the way
        self._active: dict[str, float] = {}
        self._reached: dict[str, float] = {}

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
        if self._bound is None:
            return
        arrived = world.room_of(ROBOT) == self._bound
        if me.busy:
            if arrived and self._turned_from(me.pose.yaw):
                me.stop()
                self._halted = True
            elif self._aside and arrived and not self._hidden():
                self._clear = now
                me.stop()  # far enough to see past
            return
        if arrived and not self._hidden():
            self._clear = now
        if now - self._clear > _PATIENCE and now - self._tried > _AGAIN:
            self._go(aside=arrived)
        elif arrived and not self._busy(_DONE) and (self._halted or now - self._tried > _AGAIN):
            self._go(settled=not self._halted)

    def _go(self, aside: bool = False, settled: bool = False) -> None:
        """``aside``: only so far as to see past what hides somebody. ``settled``: only for a spot that is much better than this one."""
        world, me = self._world, self._world.performers[ROBOT]
        self._tried, self._aside, self._halted = world.time, aside, False
        spot = self._posts.best(self._bound, me.position, [at for _, at in self._people()], _STEP_ASIDE if aside else 1.0, _BETTER if settled else None)
        if spot is not None and math.dist(spot, me.position) > _THERE:
            me.go(spot, self._bound)
        elif not settled:
            me.stop()

    def _busy(self, lately: float) -> list[str]:
        """Who in the room it is bound for has taken a step or reached for something within so many seconds."""
        return [p for p, _ in self._people() if self._world.time - self._active.get(p, -math.inf) <= lately]

    def _turned_from(self, yaw: float) -> bool:
        """Whether somebody who is busy, and whom nothing else hides, is not seen because the robot goes that way."""
        here, doors, busy = self._world.performers[ROBOT].position, leaves(self._world), self._busy(_DONE)
        return any(p in busy and abs(wrap(_bearing(here, at) - yaw)) > _BEHIND and not cut(here, at, doors) for p, at in self._people())

    def _people(self) -> list[tuple[str, tuple[float, float]]]:
        """Who is in the room it is bound for, and where (x, y)."""
        return [(p, s.position) for p, s in self._world.state.people.items() if self._world.room_of(p) == self._bound]

    def _hidden(self) -> bool:
        """Whether somebody there stands behind another or behind a door."""
        here, people = self._world.performers[ROBOT].position, self._people()
        doors = leaves(self._world)
        return any(hides(here, at, other) for p, at in people for q, other in people if p != q) or any(cut(here, at, doors) for _, at in people)

    def _look(self, company: str) -> None:
        """At who reaches for something or has just done so, else at who walks; at ``company`` before others; at both where one picture holds both."""
        world, me = self._world, self._world.performers[ROBOT]
        for name, person in world.state.people.items():
            if person.walking or person.reach_to is not None:
                self._active[name] = world.time
            if person.reach_to is not None:
                self._reached[name] = world.time
        there = [company, *(p for p in world.people if p != company and world.room_of(p) == world.room_of(company))]
        where = {p: at for p in there if (at := world.locate(p)) is not None}
        if not where:
            return
        first = min(where, key=self._rest)
        bearing = _bearing(me.position, where[first])
        turns = [wrap(_bearing(me.position, at) - bearing) for p, at in where.items() if p != first]
        bearing += 0.5 * min((t for t in turns if abs(t) < TOGETHER), key=abs, default=0.0)
        away = max(0.5, math.dist(me.position, where[first][:2]))
        me.look((me.position[0] + away * math.cos(bearing), me.position[1] + away * math.sin(bearing), CHEST if away > CLOSE else WAIST))

    def _rest(self, person: str) -> int:
        """0 while somebody reaches for something, 1 shortly after, 2 while they walk, 3 shortly after, 4 while they are at rest."""
        now, state = self._world.time, self._world.state.people[person]
        if now - self._reached.get(person, -math.inf) <= ACTIVE:
            return int(state.reach_to is None)
        return 4 if now - self._active.get(person, -math.inf) > ACTIVE else 3 - int(state.walking)


def _bearing(here, there) -> float:
    return math.atan2(there[1] - here[1], there[0] - here[0])
