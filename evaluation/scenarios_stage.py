"""Finding a stage for a scenario in a home: the room it plays in, places that can be used, and where the robot stands to see them.

Invariant: the robot stands where it blocks no door and nobody's way to the places of the story, with the story's places in its line of sight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.classes import Kind
from sim_bridges.embedded.fittings import SEATS, opens
from sim_bridges.embedded.model import Furniture, Home, RobotState, Room, Thing, Vec2, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, NavMap
from sim_bridges.embedded.visibility import SightMap, Viewer

from evaluation.scenarios import NotHere

PORTABLE = ("apple", "cupcake", "book", "mug", "keys", "glasses", "remotecontrol", "milk", "juice", "banana", "magazine", "cellphone",
            "perfume", "notebook", "waterglass", "medicine", "towel", "condimentbottle", "chips", "wine", "salmon", "plate")
NAMES = ("alice", "david", "sally", "bob", "mia", "jake", "sarah", "mark", "emma", "tom", "nina", "paul")
_HIGH = 1.75  # an adult's hand gets no higher
_STEP = 0.3  # metres between tried standing places


@dataclass
class Stage:
    """A home with its walking map and lines of sight."""

    home: Home
    nav: NavMap
    sight: SightMap

    @classmethod
    def of(cls, home: Home) -> "Stage":
        return cls(home, NavMap.of(home), SightMap(home))

    def room(self, room_id: str) -> Room:
        return next(r for r in self.home.rooms if r.id == room_id)

    def usable(self, room_id: str) -> list[Furniture]:
        """Places in a room that an adult can walk up to and put things at."""
        return [f for f in self.home.furniture if f.room == room_id and f.heights and f.cls not in SEATS
                and f.position[2] + min(f.heights) <= _HIGH and self.nav.approach_point(f, PERSON_RADIUS) is not None]

    def adjoining(self, room_id: str) -> set[str]:
        return {r for d in self.home.doorways if room_id in d.rooms for r in d.rooms if r != room_id}

    def place_robot(self, room_id: str, watch: Sequence[str]) -> Home:
        """The home with the robot at the side of this room where it sees every piece of ``watch``. Raises NotHere."""
        room, best, best_score = self.room(room_id), None, -math.inf
        pieces = [f for f in self.home.furniture if f.id in watch]
        doors = [d.center for d in self.home.doorways if room_id in d.rooms]
        middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
        points = [f.position[:2] for f in pieces] + doors + [middle]
        keep_clear = [s for f in pieces for s in self.nav.approaches(f, PERSON_RADIUS)] + doors
        state = WorldState(0.0, robot=RobotState(self.home.robot.position, 0.0))
        for spot in self._standing_places(room):
            near = min((math.dist(spot, p) for p in keep_clear), default=9.0)
            if near < 0.75 or not all(self._sees(state, spot, f) for f in pieces):
                continue
            seen = sum(self._sees_point(state, spot, d) for d in doors)
            score = 0.5 * seen + self._spread(spot, points) + 0.1 * math.dist(spot, middle) + 0.05 * min(near, 2.0)
            if score > best_score:
                best, best_score = spot, score
        if best is None:
            raise NotHere(f"{self.home.name}: nowhere in {room_id} sees {', '.join(watch)}")
        focus = np.mean(points, axis=0)
        yaw = math.atan2(focus[1] - best[1], focus[0] - best[0])
        return replace(self.home, robot=replace(self.home.robot, position=best, yaw=yaw))

    def _standing_places(self, room: Room) -> list[Vec2]:
        spots = [(round(float(x), 2), round(float(y), 2)) for x in np.arange(room.low[0] + 0.4, room.high[0] - 0.35, _STEP)
                 for y in np.arange(room.low[1] + 0.4, room.high[1] - 0.35, _STEP)]
        return [s for s in spots if self.nav.free(s, ROBOT_RADIUS + 0.06)]

    def _spread(self, spot: Vec2, points: Sequence[Vec2]) -> float:
        """How well all points fit into one look: 1 when they lie in one direction, lower the farther apart they are seen."""
        units = [np.array([p[0] - spot[0], p[1] - spot[1]]) / max(0.1, math.dist(p, spot)) for p in points]
        return float(np.linalg.norm(np.mean(units, axis=0)))

    def _sees(self, state: WorldState, spot: Vec2, piece: Furniture) -> bool:
        front = (piece.position[0] + math.cos(piece.yaw) * (piece.size[1] / 2 + 0.3),
                 piece.position[1] + math.sin(piece.yaw) * (piece.size[1] / 2 + 0.3))
        top = piece.position[2] + max(piece.heights, default=0.5)
        return self._sees_point(state, spot, front) and self.sight.can_see(
            state, self._viewer(spot), (*piece.position[:2], top + 0.1), piece.id)

    def _sees_point(self, state: WorldState, spot: Vec2, point: Vec2) -> bool:
        return self.sight.can_see(state, self._viewer(spot), (*point, 1.2))

    def _viewer(self, spot: Vec2) -> Viewer:
        return Viewer("", (*spot, self.home.robot.camera_height), 0.0, fov=2 * math.pi, vertical_fov=math.pi)


def with_only(home: Home, thing_class: str, at: str, position=None) -> tuple[Home, str]:
    """The home with exactly one thing of a class, at a place. Returns it and the thing's id."""
    name = f"{thing_class}_1"
    others = tuple(t for t in home.things if t.cls != thing_class)
    return replace(home, things=(*others, Thing(name, thing_class, at, position))), name


def container(piece: Furniture) -> bool:
    return classes.get(piece.cls).kind is Kind.CONTAINER


def put(thing: str, piece: Furniture) -> str:
    return f"{'putin' if opens(piece.cls) else 'puton'}({thing}, {piece.id})"


def pick(rng: np.random.Generator, options: Sequence):
    """One of several, or NotHere."""
    if not options:
        raise NotHere("nothing to choose from")
    return options[int(rng.integers(len(options)))]


def draw_cast(rng: np.random.Generator, count: int) -> list[str]:
    return [NAMES[i] for i in rng.permutation(len(NAMES))[:count]]


def body(rng: np.random.Generator) -> dict:
    height = round(float(rng.uniform(1.55, 1.9)), 2)
    return {"height": height, "reach": round(1.2 * height, 2), "stride": round(float(rng.uniform(0.9, 1.2)), 2)}
