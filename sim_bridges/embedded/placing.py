"""Where a robot stands to watch: the spot in a room from which it sees given places, and the doorways too if it can.

Invariant: the spot blocks no doorway and nobody's way to the watched places, and is not walled in by furniture where another is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from sim_bridges.embedded.geometry import leaf_segment
from sim_bridges.embedded.model import Furniture, Home, RobotState, Room, Vec2, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, NavMap
from sim_bridges.embedded.visibility import SightMap, Viewer

_STEP = 0.3  # metres between tried standing places
_CLEAR = 0.75  # metres from doorways, from where their doors stand when open, and from where people stand at the watched places
_WAY_OUT = 10.0  # against all that is to be seen: what the robot cannot drive to, it cannot fetch
_WELL = 1.0  # against the same, what is done at the watched places being well seen: from far off, or past a table, nobody sees what is in a hand
_DETOUR, _TRIED = 3.0, 40  # metres of a walk (cells beside furniture counting more) that going round the robot may cost; spots tried for one that lets people pass
_HANDS = 0.3  # metres before a front: where the hands of whoever uses it are
_BEARINGS = (-85, -60, -15, 0, 15, 60, 80)  # degrees from the front's normal, positive: away from the hinge
_BY_BEARING = (0.0, 0.4, 0.6, 0.8, 1.0, 1.0, 0.0)
_DISTANCES = (0.5, 1.3, 3.0, 6.0)  # metres
_LEVELS = (0.25, 0.6, 1.0)  # of a container's height, at which hands are in it
_BY_DISTANCE = (0.0, 1.0, 1.0, 0.4)


@dataclass
class WatchPost:
    """Looks for a standing place in ``home``, of which ``nav`` and ``sight`` are the maps."""

    home: Home
    nav: NavMap
    sight: SightMap

    @classmethod
    def of(cls, home: Home) -> "WatchPost":
        return cls(home, NavMap.of(home), SightMap(home))

    def take(self, room_id: str, watch: Sequence[str]) -> Home | None:
        """The home with the robot standing in this room where it sees every piece of ``watch`` (ids of furniture), looking at
        their middle; None where there is no such spot."""
        room, scores = next(r for r in self.home.rooms if r.id == room_id), {}
        pieces = [f for f in self.home.furniture if f.id in watch]
        doors = [d.center for d in self.home.doorways if room_id in d.rooms]
        middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
        points = [f.position[:2] for f in pieces] + doors + [middle]
        keep_clear = [s for f in pieces for s in self.nav.approaches(f, PERSON_RADIUS)] + doors
        leaves = self._open_doors()
        state = WorldState(0.0, robot=RobotState(self.home.robot.position, 0.0))
        for spot in self._standing_places(room):
            near = min((math.dist(spot, p) for p in keep_clear), default=9.0)
            if near < _CLEAR or any(_off(spot, leaf) < _CLEAR for leaf in leaves) or not all(self._sees(state, spot, f) for f in pieces):
                continue
            seen = sum(self._sees_point(state, spot, d) for d in doors)
            well = np.mean([view(self.sight, state, spot, self.home.robot.camera_height, f) * (not self._behind_a_door(spot, hands_at(f)))
                            for f in pieces if f.heights] or [0.0])
            scores[spot] = (_WAY_OUT * self._leaves(spot, doors) + _WELL * well + 0.5 * seen + _spread(spot, points) + 0.1 * math.dist(spot, middle)
                            + 0.05 * min(near, 2.0))
        if not scores:
            return None
        ways, tried = doors + [s for f in pieces for s in self.nav.approaches(f, PERSON_RADIUS)[:1]], sorted(scores, key=lambda s: -scores[s])
        best = next((s for s in tried[:_TRIED] if self._lets_pass(s, ways)), tried[0])
        focus = np.mean(points, axis=0)
        yaw = math.atan2(focus[1] - best[1], focus[0] - best[0])
        return replace(self.home, robot=replace(self.home.robot, position=best, yaw=yaw))

    def _leaves(self, spot: Vec2, doors: Sequence[Vec2]) -> float:
        """Share of the doorways that a robot gets to from the spot; what can be pushed aside is no hindrance."""
        apart = {f.id: ((1e4, 1e4, f.position[2]), f.yaw) for f in self.home.furniture if classes.get(f.cls).kind is classes.Kind.OBSTACLE}
        return sum(math.isfinite(self.nav.distances(d, ROBOT_RADIUS, apart).to(spot)) for d in doors) / max(1, len(doors))

    def _lets_pass(self, spot: Vec2, ways: Sequence[Vec2]) -> bool:
        """Whether people get from each of ``ways`` to the others past a robot at the spot, as far as they do without it, and need not go a long way round."""
        if len(ways) < 2:
            return True
        free, past = (self.nav.distances(ways[0], PERSON_RADIUS, None, discs) for discs in ((), ((*spot, ROBOT_RADIUS),)))
        return all(past.to(w) <= free.to(w) + _DETOUR for w in ways[1:] if math.isfinite(free.to(w)))

    def _standing_places(self, room: Room) -> list[Vec2]:
        spots = [(round(float(x), 2), round(float(y), 2)) for x in np.arange(room.low[0] + 0.4, room.high[0] - 0.35, _STEP)
                 for y in np.arange(room.low[1] + 0.4, room.high[1] - 0.35, _STEP)]
        return [s for s in spots if self.nav.free(s, ROBOT_RADIUS + 0.06)]

    def _sees(self, state: WorldState, spot: Vec2, piece: Furniture) -> bool:
        """Whether what lies on or in a place can be seen, and who stands before it; or a device itself."""
        if self._behind_a_door(spot, piece.position[:2]):
            return False
        if not piece.heights:
            return self.sight.can_see(state, self._viewer(spot), (*piece.position[:2], piece.position[2] + piece.size[2]), piece.id)
        front = (piece.position[0] + math.cos(piece.yaw) * (piece.size[1] / 2 + 0.3),
                 piece.position[1] + math.sin(piece.yaw) * (piece.size[1] / 2 + 0.3))
        stand = self.nav.approach_point(piece, PERSON_RADIUS) or front
        return self._sees_point(state, spot, front) and self._sees_point(state, spot, stand) and self.sight.can_see(
            state, self._viewer(spot), (*piece.position[:2], piece.position[2] + max(piece.heights) + 0.1), piece.id)

    def _sees_point(self, state: WorldState, spot: Vec2, point: Vec2) -> bool:
        return self.sight.can_see(state, self._viewer(spot), (*point, 1.2)) and not self._behind_a_door(spot, point)

    def _behind_a_door(self, spot: Vec2, point: Vec2) -> bool:
        """Whether an open door hides the point from the spot; a picture does not show what people, who know their home, are aware of."""
        return any(_cross(spot, point, leaf[:2], leaf[2:]) for leaf in self._open_doors())

    def _open_doors(self) -> list[tuple[float, float, float, float]]:
        return [leaf_segment(d, 1.0) for d in self.home.doorways if d.leaf]

    def _viewer(self, spot: Vec2) -> Viewer:
        return Viewer("", (*spot, self.home.robot.camera_height), 0.0, fov=2 * math.pi, vertical_fov=math.pi)


def hands_at(piece: Furniture) -> Vec2:
    """Where, in map coordinates, hands are that use this piece: before its front, or over its middle when it has no door."""
    reach = piece.size[1] / 2 + _HANDS if classes.get(piece.cls).kind is classes.Kind.CONTAINER else 0.0
    return piece.position[0] + math.cos(piece.yaw) * reach, piece.position[1] + math.sin(piece.yaw) * reach


def view(sight: SightMap, state: WorldState, spot: Vec2, height: float, piece: Furniture) -> float:
    """How well a camera at ``spot`` (map metres) and ``height`` watches what is done at a piece: 0 (not at all) to 1. Best from some steps away and from
    before its front, a little from the side that its door does not swing to: then neither the open door nor the back of whoever uses it hides the hands, nor a table what is low."""
    hands, boxed = hands_at(piece), classes.get(piece.cls).kind is classes.Kind.CONTAINER
    viewer = Viewer("", (*spot, height), 0.0, fov=2 * math.pi, vertical_fov=math.pi)
    seen = [sight.can_see(state, viewer, (*hands, min(piece.position[2] + level * piece.size[2], 1.2)), piece.id) for level in (_LEVELS if boxed else (1.0,))]
    if not seen[-1]:
        return 0.0
    away = (spot[0] - hands[0], spot[1] - hands[1])
    good = float(np.interp(math.hypot(*away), _DISTANCES, _BY_DISTANCE)) * sum(seen) / len(seen)
    if boxed:
        bearing = math.degrees((math.atan2(away[1], away[0]) - piece.yaw + math.pi) % (2 * math.pi) - math.pi)
        good *= float(np.interp(bearing, _BEARINGS, _BY_BEARING))
    return good


def _cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool:
    """Whether the segments a–b and c–d meet."""
    def side(p: Vec2, q: Vec2, r: Vec2) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


def _off(spot: Vec2, segment: Sequence[float]) -> float:
    """Metres from a spot to a segment (x, y, x, y)."""
    ax, ay, bx, by = segment
    dx, dy = bx - ax, by - ay
    t = min(1.0, max(0.0, ((spot[0] - ax) * dx + (spot[1] - ay) * dy) / max(1e-9, dx * dx + dy * dy)))
    return math.dist(spot, (ax + t * dx, ay + t * dy))


def _spread(spot: Vec2, points: Sequence[Vec2]) -> float:
    """How well all points fit into one look: 1 when they lie in one direction, lower the farther apart they are seen."""
    units = [np.array([p[0] - spot[0], p[1] - spot[1]]) / max(0.1, math.dist(p, spot)) for p in points]
    return float(np.linalg.norm(np.mean(units, axis=0)))
