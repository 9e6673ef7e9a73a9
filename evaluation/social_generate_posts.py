"""Where in a room a robot in company stands: where it sees best what is done at the furniture, past those who are there and past doors that
stand open, out of everybody's way.

What never changes is worked out once a room; who stands where is asked every time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sim_bridges.embedded.geometry import turn, wrap
from sim_bridges.embedded.model import Furniture, Vec2, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS
from sim_bridges.embedded.placing import hands_at, view
from sim_bridges.embedded.visibility import Viewer
from sim_bridges.embedded.world import EmbeddedWorld

CLEAR = 0.75  # metres from doorways, from where people stand at furniture, and from people, at which the robot is in nobody's way
BODY = 0.3  # metres beside somebody's middle that they hide
_SPACING = 0.3  # metres between tried standing places
_SIDEWAYS = tuple(map(math.radians, (15, 45)))  # so far round from somebody's back their hands are hardly seen, and well
_NEAR = (0.6, 1.0, 1.6, 2.2, 3.5, 6.0), (0.0, 0.4, 1.0, 1.0, 0.6, 0.3)  # metres; how well hands are seen from so far: nearer, their owner fills the picture; farther, what they hold is too small in it to be known
_DOOR, _PERSON, _WAY = 0.3, 1.0, 0.1  # weight of a doorway and of a person seen, against a piece of furniture; of a metre to walk


@dataclass(frozen=True)
class _Room:
    """``spots`` (n, 2) to stand at; ``hands`` (k, 2): where hands are at each piece; ``seen`` (n, k), 0 to 1: how well what they do is seen from there;
    ``rest`` (n,): doorways in view less what one would be in the way of."""

    spots: np.ndarray
    hands: np.ndarray
    seen: np.ndarray
    rest: np.ndarray


class Posts:
    def __init__(self, world: EmbeddedWorld):
        self._world, self._rooms = world, {}

    def best(self, room: str, start: Vec2, people: Sequence[Vec2], dear: float = 1.0, better: float | None = None) -> Vec2 | None:
        """The spot to go to from ``start`` while ``people`` (x, y) are where they are; None: there is none to get to. ``dear``: what a metre of the way
        counts, times the usual. ``better``: by how much it must be better than where the robot stands; None: anyhow."""
        known = self._rooms.get(room) or self._rooms.setdefault(room, _survey(self._world, room))
        reach = self._world.nav.distances(start, ROBOT_RADIUS, self._world.state.moved)
        best, best_score, doors = None, -math.inf, leaves(self._world)
        least = -math.inf if better is None else better + self._here(known, start, people, doors)
        for i, spot in enumerate(known.spots):
            way = reach.to(tuple(spot))
            if not math.isfinite(way):
                continue
            score = _score(known, i, people, doors) - dear * _WAY * way
            if score > max(best_score, least):
                best, best_score = (float(spot[0]), float(spot[1])), score
        return best

    @staticmethod
    def _here(known: _Room, start: Vec2, people: Sequence[Vec2], doors: Sequence[tuple[Vec2, Vec2]]) -> float:
        """How good it is to stand where the robot does."""
        if not len(known.spots):
            return -math.inf
        away = np.linalg.norm(known.spots - np.asarray(start), axis=1)
        return _score(known, int(away.argmin()), people, doors) if away.min() <= _SPACING else -math.inf


def _score(known: _Room, i: int, people: Sequence[Vec2], doors: Sequence[tuple[Vec2, Vec2]]) -> float:
    """How good it is to stand at the i-th spot of a room, whatever the way there."""
    spot = known.spots[i]
    score = known.rest[i] - sum(math.dist(spot, p) < CLEAR for p in people)
    score += sum(s for s, at in zip(known.seen[i], known.hands) if s and not any(hides(spot, at, p) for p in people) and not cut(spot, at, doors))
    return score + _PERSON * sum(not any(hides(spot, p, q) for q in people if q is not p) and not cut(spot, p, doors) for p in people)


def hides(here, there, somebody) -> bool:
    """Whether ``somebody`` stands between ``here`` and ``there`` (x, y), near the line of sight."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    away = math.hypot(dx, dy)
    if away < 1e-6:
        return False
    along = ((somebody[0] - here[0]) * dx + (somebody[1] - here[1]) * dy) / away
    aside = abs((somebody[0] - here[0]) * dy - (somebody[1] - here[1]) * dx) / away
    return 0.0 < along < away - BODY and aside < BODY


def leaves(world: EmbeddedWorld) -> list[tuple[Vec2, Vec2]]:
    """(hinge, edge) of every door leaf that stands open, (x, y)."""
    found = []
    for d in world.home.doorways:
        if d.leaf and world.state.openness.get(d.id, float(d.open)) > 0.5:
            ends = [turn((x, y), d.yaw) for x, y in ((0.0, -d.width / 2), (d.width, -d.width / 2))]
            found.append(tuple((d.center[0] + x, d.center[1] + y) for x, y in ends))
    return found


def cut(here, there, segments: Sequence[tuple[Vec2, Vec2]]) -> bool:
    """Whether one of the segments lies across the line from ``here`` to ``there`` (x, y)."""
    return any(_side(here, there, a) != _side(here, there, b) and _side(a, b, here) != _side(a, b, there) for a, b in segments)


def _side(a, b, point) -> bool:
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) > 0.0


def _survey(world: EmbeddedWorld, room_id: str) -> _Room:
    room, nav, empty = world.rooms[room_id], world.nav, WorldState(0.0)
    pieces = [f for f in world.home.furniture if f.room == room_id and f.heights]
    doors = [d.center for d in world.home.doorways if room_id in d.rooms]
    used = [s for f in pieces for s in nav.approaches(f, PERSON_RADIUS)[:1]]
    spots, seen, rest = [], [], []
    for x in np.arange(room.low[0] + 0.4, room.high[0] - 0.35, _SPACING):
        for y in np.arange(room.low[1] + 0.4, room.high[1] - 0.35, _SPACING):
            spot = (float(x), float(y))
            if not nav.free(spot, ROBOT_RADIUS + 0.06):
                continue
            viewer = Viewer("", (*spot, world.home.robot.camera_height), 0.0, fov=2 * math.pi, vertical_fov=math.pi)
            spots.append(spot)
            seen.append([_watched(world, spot, f) for f in pieces])
            rest.append(_DOOR * sum(world.sight_map.can_see(empty, viewer, (*d, 1.2)) for d in doors)
                        - sum(math.dist(spot, p) < CLEAR for p in (*doors, *used)))
    return _Room(np.array(spots).reshape(-1, 2), np.array([hands_at(f) for f in pieces]).reshape(-1, 2), np.array(seen).reshape(len(spots), -1),
                 np.array(rest))


def _watched(world: EmbeddedWorld, spot: Vec2, piece: Furniture) -> float:
    """How well what is done at a piece is seen from there, 0 to 1: by :func:`view`, and past the backs of those who stand there."""
    good = view(world.sight_map, WorldState(0.0), spot, world.home.robot.camera_height, piece)
    hands = hands_at(piece)
    good *= float(np.interp(math.dist(spot, hands), *_NEAR))
    if good == 0.0:
        return 0.0
    backs = [wrap(math.atan2(spot[1] - hands[1], spot[0] - hands[0]) - math.atan2(s[1] - hands[1], s[0] - hands[0]))
             for s in world.nav.approaches(piece, PERSON_RADIUS)]
    return good * (0.3 + 0.7 * sum(float(np.interp(abs(b), _SIDEWAYS, (0.0, 1.0))) for b in backs) / max(1, len(backs)))
