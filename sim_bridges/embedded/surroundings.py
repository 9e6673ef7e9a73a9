"""Where things and bodies are, what they are called, and where there is room: the questions bodies and stories ask of a living home.

The base of :class:`~sim_bridges.embedded.world.EmbeddedWorld`, which owns the attributes named below and is the only thing that
changes them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.scene_graph import ROBOT
from sim_bridges.embedded.geometry import placed, room_at
from sim_bridges.embedded.model import Doorway, Furniture, Home, Person, Room, Thing, Vec2, Vec3, WorldState
from sim_bridges.embedded.nav import WHEELCHAIR_RADIUS, NavMap
from sim_bridges.embedded.visibility import eye_height

if TYPE_CHECKING:
    from sim_bridges.embedded.body import Performer

_AT_GOAL, _GOAL_KEPT_FREE = 1.5, 1.0  # m from what somebody walks to, where they are going to stand; by how many m a place there is worse to step aside to


class Surroundings:
    """Read-only questions about a home and its state."""

    home: Home
    nav: NavMap
    state: WorldState
    rng: np.random.Generator
    rooms: dict[str, Room]
    pieces: dict[str, Furniture]
    things: dict[str, Thing]
    people: dict[str, Person]
    doors: dict[str, Doorway]
    performers: "dict[str, Performer]"
    in_room: dict[str, str | None]

    def name(self, id: str | None) -> str:
        """For sentences: 'the fridge', 'Alice', 'the kitchen'."""
        if id is None:
            return "there"
        if id in self.people:
            return self.people[id].name
        class_id = self.rooms[id].cls if id in self.rooms else classes.class_of(id)
        return f"the {classes.CLASSES[class_id].spoken}" if class_id in classes.CLASSES else id

    def standing(self, id: str) -> Furniture | None:
        """A piece of furniture where it stands now, or None."""
        item = self.pieces.get(id)
        if item is None or id not in self.state.moved:
            return item
        position, yaw = placed(item, self.state)
        return replace(item, position=position, yaw=yaw)

    def locate(self, id: str) -> Vec3 | None:
        """A point to look at or go to, for any id; None when there is no such thing."""
        if id in self.state.things:
            return self.state.things[id].position
        if (item := self.standing(id)) is not None:
            return (item.position[0], item.position[1], item.position[2] + 0.6 * item.size[2])
        if id in self.state.people:
            return (*self.state.people[id].position, eye_height(self.people[id], self.state.people[id].posture) - 0.1)
        if id == ROBOT:
            return (*self.state.robot.position, 1.1)
        if id in self.rooms:
            low, high = self.rooms[id].low, self.rooms[id].high
            return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0.9)
        if id in self.doors:
            return (*self.doors[id].center, 1.0)
        return None

    def room_of(self, id: str) -> str | None:
        """The room a body, piece or thing is in (a room is in itself)."""
        if id in self.in_room:
            return self.in_room[id]
        if id in self.state.things:
            return self.room_of(self.state.things[id].at)
        if id in self.state.moved:
            room = room_at(self.home, self.state.moved[id][0][:2])
            return room.id if room else None
        return self.pieces[id].room if id in self.pieces else id if id in self.rooms else None

    def eye_height(self, id: str) -> float:
        return self.home.robot.camera_height if id == ROBOT else eye_height(self.people[id], self.state.people[id].posture)

    def _room_at(self, point: Vec2) -> str | None:
        room = room_at(self.home, point)
        return room.id if room else None

    def spot_in_room(self, room_id: str, body: "Performer") -> Vec2:
        """Somewhere to stand well inside a room, away from others; drawn from the world's generator."""
        room = self.rooms[room_id]
        best, best_score = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2), -math.inf
        reach = self.nav.distances(body.position, body.plan.radius, self.state.moved)
        for _ in range(24):
            x = float(self.rng.uniform(room.low[0] + 0.4, room.high[0] - 0.4))
            y = float(self.rng.uniform(room.low[1] + 0.4, room.high[1] - 0.4))
            if not self.nav.free((x, y), body.plan.radius + 0.05, self.state.moved):
                continue
            way = reach.to((x, y))
            crowd = min((math.dist((x, y), other.position) for other in self.performers.values() if other is not body), default=9.0)
            door = min((math.dist((x, y), d.center) for d in self.home.doorways if room_id in d.rooms), default=9.0)
            score = min(door, 1.2) + min(crowd, 1.0) - 0.15 * way
            if score > best_score:
                best, best_score = (x, y), score
        return best

    def side_spot(self, body: "Performer", other: "Performer", apart: float = 0.6) -> Vec2 | None:
        """A free place a step or two away from ``other``, in the same room, farther than ``apart`` m from everybody; better not where the other is going."""
        room, best, best_score = self.room_of(body.id), None, -math.inf
        goal = self.locate(other.heading) if other.heading is not None else None
        away = math.atan2(body.position[1] - other.position[1], body.position[0] - other.position[0])
        for k in range(12):
            for radius in (0.9, 1.3):
                angle = away + k * math.pi / 6
                spot = (body.position[0] + radius * math.cos(angle), body.position[1] + radius * math.sin(angle))
                if self._room_at(spot) != room or not self.nav.free(spot, body.plan.radius + 0.1, self.state.moved):
                    continue
                off = abs(math.sin(k * math.pi / 6))  # sideways is better than straight ahead of the other
                score = math.dist(spot, other.position) + 0.8 * off - (_GOAL_KEPT_FREE if goal is not None and math.dist(spot, goal[:2]) < _AT_GOAL else 0.0)
                if score > best_score and all(math.dist(spot, p.position) > apart for p in self.performers.values() if p is not body):
                    best, best_score = spot, score
        return best

    def clear_spot(self, item: Furniture, room_id: str | None) -> Vec2 | None:
        """Where an obstacle can be pushed so that a wheelchair gets to every door that it would get to without it."""
        room = self.rooms[room_id or self.room_of(item.id)]
        half = max(item.size[:2]) / 2
        spots_found = []
        for x in np.arange(room.low[0] + half + 0.1, room.high[0] - half - 0.05, 0.15):
            for y in np.arange(room.low[1] + half + 0.1, room.high[1] - half - 0.05, 0.15):
                spots_found.append((math.dist((x, y), item.position[:2]), round(float(x), 2), round(float(y), 2)))
        others = {**self.state.moved, item.id: ((1e4, 1e4, item.position[2]), item.yaw)}
        crowd, here = [body.position for body in self.performers.values()], item.position[:2]
        free = self.nav.distances(here, WHEELCHAIR_RADIUS, others)
        exits = [d.center for d in self.home.doorways if not d.leaf and math.isfinite(free.to(d.center))]
        for _, x, y in sorted(spots_found):
            if not self.nav.free((x, y), half, others) or any(math.dist((x, y), c) < half + 0.3 for c in crowd):
                continue
            doors = [d.center for d in self.home.doorways if room.id in d.rooms]
            if any(math.dist((x, y), d) < half + 0.75 for d in doors):
                continue
            moved = {**self.state.moved, item.id: ((x, y, item.position[2]), item.yaw)}
            reach = self.nav.distances(here, WHEELCHAIR_RADIUS, moved)
            if all(math.isfinite(reach.to(d)) for d in exits):
                return (x, y)
        return None
