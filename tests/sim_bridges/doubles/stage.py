"""A home in motion for the simulator doubles: the embedded world's data model, moved by instant symbolic actions, drawn as boxes.

The doubles speak other simulators' protocols about this stage. What they report (graphs, transforms, pixels) is derived from the same
``WorldState``, so a story told over HTTP or ZMQ is one and the same story.
"""

from __future__ import annotations

import math

import numpy as np

from household import classes
from household.scene_graph import ROBOT
from sim_bridges.embedded.model import (Doorway, Furniture, Home, Person, PersonState, RobotSpec, RobotState, Room, Thing, ThingState,
                                        WorldState)
from sim_bridges.embedded.nav import PERSON_RADIUS, NavMap
from tests.sim_bridges.doubles.boxes import Box

PERSON_BOX = (0.36, 0.46)


def apartment() -> Home:
    """Kitchen (x 0…4) and living room (x 4…9). The robot stands in the kitchen's corner and sees all of it."""
    return Home(
        "doubles", rooms=(Room("kitchen", "kitchen", (0.0, 0.0), (4.0, 4.0)), Room("livingroom", "livingroom", (4.0, 0.0), (9.0, 4.0))),
        doorways=(Doorway("door_1", ("kitchen", "livingroom"), (4.0, 2.0), 0.9, 0.0),),
        furniture=(
            Furniture("fridge_1", "fridge", "kitchen", (3.6, 3.4, 0.0), -math.pi / 2, (0.65, 0.65, 1.75), heights=(0.4, 0.9, 1.3)),
            Furniture("kitchencabinet_1", "kitchencabinet", "kitchen", (0.45, 3.5, 0.0), -math.pi / 2, (0.6, 0.4, 0.7), heights=(0.05, 0.35)),
            Furniture("stove_1", "stove", "kitchen", (1.45, 3.65, 0.0), -math.pi / 2, (0.6, 0.6, 0.9), heights=(0.3,)),
            Furniture("kitchentable_1", "kitchentable", "kitchen", (2.2, 2.4, 0.0), -math.pi / 2, (1.2, 0.8, 0.74), heights=(0.74,)),
            Furniture("sofa_1", "sofa", "livingroom", (8.2, 1.2, 0.0), math.pi, (2.0, 0.9, 0.8), heights=(0.45,)),
            Furniture("coffeetable_1", "coffeetable", "livingroom", (6.4, 2.6, 0.0), math.pi / 2, (1.0, 0.6, 0.42), heights=(0.42,)),
            Furniture("lamp_1", "lamp", "livingroom", (4.6, 0.6, 0.0), 0.0, (0.35, 0.35, 1.5)),
        ),
        things=(Thing("apple_1", "apple", "kitchentable_1"), Thing("mug_1", "mug", "coffeetable_1"), Thing("book_1", "book", "sofa_1")),
        people=(Person("alice", "Alice", (0.85, 2.3), 0.0), Person("david", "David", (2.9, 1.4), 2.2)),
        robot=RobotSpec((0.5, 0.5), 0.85, camera_height=1.4, camera_pitch=-0.35, horizontal_fov_deg=80.0))


class StageError(Exception):
    """An action that the stage cannot perform; the message is what the simulator's report would say."""


class Stage:
    """``state`` is the whole truth. ``act`` performs one instant action of a person or the robot."""

    def __init__(self, home: Home):
        self.home = home
        self.furniture = {f.id: f for f in home.furniture}
        self.rooms = {r.id: r for r in home.rooms}
        self.nav = NavMap(home)
        self.reset()

    def reset(self) -> None:
        home = self.home
        self.state = WorldState(0.0, robot=RobotState(home.robot.position, home.robot.yaw, head_pitch=home.robot.camera_pitch))
        for p in home.people:
            self.state.people[p.id] = PersonState(p.position, p.yaw, p.yaw)
        for f in home.furniture:
            if classes.get(f.cls).opens:
                self.state.openness[f.id] = 1.0 if f.open else 0.0
            if classes.get(f.cls).switchable:
                self.state.switched_on[f.id] = f.on
        for t in home.things:
            self.state.things[t.id] = ThingState((0, 0, 0), t.yaw, t.at)
        for t in home.things:
            self._settle(t.id)

    # geometry -----------------------------------------------------------------------------------------------------------------

    def thing_size(self, id: str) -> tuple[float, float, float]:
        thing = next(t for t in self.home.things if t.id == id)
        return thing.size or classes.get(thing.cls).size

    def cls(self, id: str) -> str:
        if id in self.furniture:
            return self.furniture[id].cls
        return next((t.cls for t in self.home.things if t.id == id), "person" if id in self.state.people else id)

    def position(self, id: str) -> tuple[float, float, float]:
        """Centre of the box of anything, in map; for people and the robot the point on the floor."""
        if id in self.furniture:
            f = self.furniture[id]
            return f.position[0], f.position[1], f.position[2] + f.size[2] / 2
        if id in self.state.things:
            return self.state.things[id].position
        if id in self.rooms:
            low, high = self.rooms[id].low, self.rooms[id].high
            return (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0.0
        return *self.body(id).position, 0.0

    def body(self, actor: str):
        if actor == ROBOT:
            return self.state.robot
        if actor not in self.state.people:
            raise StageError(f"no character '{actor}'")
        return self.state.people[actor]

    def room_of(self, id: str) -> str:
        if id in self.furniture:
            return self.furniture[id].room
        x, y = self.position(id)[:2]
        for room in self.home.rooms:
            if room.low[0] <= x <= room.high[0] and room.low[1] <= y <= room.high[1]:
                return room.id
        return self.home.rooms[0].id

    def _settle(self, id: str) -> None:
        """Put a thing where ``at`` says: at the first height of its place, side by side with what is there already, or in a hand."""
        state, size = self.state.things[id], self.thing_size(id)
        if state.at in self.furniture:
            f = self.furniture[state.at]
            mates = sorted(k for k, t in self.state.things.items() if t.at == state.at)
            shift = 0.22 * (mates.index(id) - (len(mates) - 1) / 2) if len(mates) > 1 else 0.0
            across = (-math.sin(f.yaw), math.cos(f.yaw))
            state.position = (f.position[0] + shift * across[0], f.position[1] + shift * across[1],
                              f.position[2] + (f.heights[0] if f.heights else f.size[2]) + size[2] / 2)
        elif state.at in self.rooms:
            state.position = (*state.position[:2], size[2] / 2)
        else:
            body = self.body(state.at)
            side = 0.24 if state.hand == "left" else -0.24
            c, s = math.cos(body.yaw), math.sin(body.yaw)
            state.position = (body.position[0] + 0.34 * c - side * s, body.position[1] + 0.34 * s + side * c, 0.95)

    # actions ------------------------------------------------------------------------------------------------------------------

    def reachable(self, actor: str, id: str, reach: float = 1.6) -> bool:
        a, b = self.body(actor).position, self.position(id)
        return math.hypot(a[0] - b[0], a[1] - b[1]) <= reach

    def held(self, actor: str) -> list[str]:
        return [k for k, t in self.state.things.items() if t.at == actor]

    def hidden_in(self, id: str) -> str | None:
        """The shut container that a thing is in, if any."""
        at = self.state.things[id].at if id in self.state.things else None
        return at if at in self.state.openness and self.state.openness[at] < 0.5 else None

    def _spot(self, actor: str, id: str) -> tuple[tuple[float, float], float]:
        """(where one stands to use ``id``, facing where): 0.55 m before furniture, the middle of a room."""
        target = self.position(id)
        if id in self.rooms:
            return target[:2], self.body(actor).yaw
        if id in self.furniture:
            yaw, gap = self.furniture[id].yaw, self.furniture[id].size[1] / 2 + 0.55
        elif id in self.state.things and self.state.things[id].at in self.furniture:
            return self._spot(actor, self.state.things[id].at)
        else:
            yaw, gap = math.atan2(2.0 - target[1], 2.0 - target[0]), 0.85
        return (target[0] + gap * math.cos(yaw), target[1] + gap * math.sin(yaw)), yaw + math.pi

    def walk(self, actor: str, id: str) -> None:
        """To its spot at once, facing it."""
        body = self.body(actor)
        body.position, body.yaw = self._spot(actor, id)
        self._after_move(actor)

    def stride(self, actor: str, id: str, length: float = 1.0) -> None:
        """At most ``length`` metres on the way to its spot, round the furniture; facing the way ahead, or ``id`` when there."""
        body, (spot, yaw) = self.body(actor), self._spot(actor, id)
        way = self.nav.path(body.position, spot, PERSON_RADIUS) or [spot]
        for corner in (*way[:-1], spot):
            gap = math.dist(body.position, corner)
            if gap > 1e-6:
                body.yaw = math.atan2(corner[1] - body.position[1], corner[0] - body.position[0])
            if gap > length:
                body.position = tuple(a + (b - a) * length / gap for a, b in zip(body.position, corner))
                break
            body.position, length = corner, length - gap
        else:
            body.yaw = yaw
        self._after_move(actor)

    def turn(self, actor: str, id: str) -> None:
        """To face ``id``."""
        body, target = self.body(actor), self.position(id)
        body.yaw = math.atan2(target[1] - body.position[1], target[0] - body.position[0])
        self._after_move(actor)

    def move(self, actor: str, position: tuple[float, float]) -> None:
        """There, however one stands."""
        self.body(actor).position = position
        self._after_move(actor)

    def _after_move(self, actor: str) -> None:
        if actor in self.state.people:
            self.state.people[actor].head_yaw = self.state.people[actor].yaw
        for id in self.held(actor):
            self._settle(id)

    def grab(self, actor: str, id: str) -> None:
        self._need(actor, id)
        if id not in self.state.things:
            raise StageError(f"{id} is not grabbable")
        if self.hidden_in(id):
            raise StageError(f"{id} is inside other closed thing {self.hidden_in(id)}")
        if self.state.things[id].at in self.state.people or self.state.things[id].at == ROBOT:
            raise StageError(f"{id} is held by somebody")
        if len(self.held(actor)) >= 2:
            raise StageError(f"{actor} does not have a free hand")
        used = {self.state.things[k].hand for k in self.held(actor)}
        self.state.things[id].hand = "right" if "right" not in used else "left"
        self.state.things[id].at = actor
        self._settle(id)

    def put(self, actor: str, id: str, place: str, inside: bool) -> None:
        self._need(actor, place)
        if id not in self.held(actor):
            raise StageError(f"{actor} is not holding {id}")
        if inside and self.state.openness.get(place, 1.0) < 0.5:
            raise StageError(f"{place} is closed")
        self.state.things[id].at, self.state.things[id].hand = place, None
        self._settle(id)

    def open(self, actor: str, id: str, openness: float) -> None:
        self._need(actor, id)
        if id not in self.state.openness:
            raise StageError(f"{id} can not be opened")
        if (self.state.openness[id] > 0.5) == (openness > 0.5):
            raise StageError(f"{id} is already {'open' if openness > 0.5 else 'closed'}")
        self.state.openness[id] = openness

    def switch(self, actor: str, id: str, on: bool) -> None:
        self._need(actor, id)
        if id not in self.state.switched_on:
            raise StageError(f"{id} does not have a switch")
        self.state.switched_on[id] = on

    def _need(self, actor: str, id: str) -> None:
        if not self.reachable(actor, id):
            raise StageError(f"{actor} is not close to {id}")

    # drawing ------------------------------------------------------------------------------------------------------------------

    def boxes(self, without: str = "") -> list[Box]:
        """Everything as boxes; an open container is a shell without its front. ``without``: whoever carries the camera."""
        out = _shell_of_rooms(self.home)
        for i, f in enumerate(self.home.furniture):
            color = (90 + 23 * i % 120, 60 + 41 * i % 150, 200 - 29 * i % 140)
            if f.id in self.state.openness:
                out += _container(f, self.state.openness[f.id] > 0.5, color)
            else:
                out.append(Box(f.id, self.position(f.id), (f.size[1], f.size[0], f.size[2]), f.yaw, color))
        for i, (id, t) in enumerate(self.state.things.items()):
            sx, sy, sz = self.thing_size(id)
            out.append(Box(id, t.position, (sy, sx, sz), t.yaw, (220, 40 + 50 * i % 180, 40)))
        for i, p in enumerate(self.home.people):
            s = self.state.people[p.id]
            out.append(Box(p.id, (*s.position, p.height / 2), (*PERSON_BOX, p.height), s.yaw, (40, 90 + 60 * i, 200)))
        if self.state.robot:
            out.append(Box(ROBOT, (*self.state.robot.position, 0.6), (0.4, 0.4, 1.2), self.state.robot.yaw, (250, 250, 250)))
        return [b for b in out if b.entity != without or not without]

    def camera_pose(self, offset=(0.0, 0.0, 0.0)) -> np.ndarray:
        """(4, 4) optical frame of the robot's camera → map."""
        robot, spec = self.state.robot, self.home.robot
        return camera_pose((*robot.position, spec.camera_height), robot.yaw + robot.head_yaw, robot.head_pitch)


def camera_pose(position, yaw: float, pitch: float) -> np.ndarray:
    """(4, 4) optical → map of a camera at ``position`` that looks along ``yaw``, ``pitch`` negative downwards."""
    forward = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(forward, right), forward, position
    return pose


def _container(f: Furniture, is_open: bool, color) -> list[Box]:
    w, d, h = f.size
    z = f.position[2] + h / 2
    if not is_open:
        return [Box(f.id, (*f.position[:2], z), (d, w, h), f.yaw, color)]
    t = 0.03
    c, s = math.cos(f.yaw), math.sin(f.yaw)

    def part(x, y, zz, size):
        return Box(f.id, (f.position[0] + x * c - y * s, f.position[1] + x * s + y * c, zz), size, f.yaw, color)

    return [part(-d / 2 + t / 2, 0, z, (t, w, h)), part(0, w / 2 - t / 2, z, (d, t, h)), part(0, -w / 2 + t / 2, z, (d, t, h)),
            part(0, 0, f.position[2] + t / 2, (d, w, t)), part(0, 0, f.position[2] + h - t / 2, (d, w, t))]


def _shell_of_rooms(home: Home) -> list[Box]:
    """Floor slab and thin walls along every room edge, cut open at doorways."""
    t, height = 0.04, home.wall_height
    out: list[Box] = []
    done = set()
    for room in home.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        out.append(Box("", ((x0 + x1) / 2, (y0 + y1) / 2, -t / 2), (x1 - x0, y1 - y0, t), 0.0, (150, 130, 110)))
        for horizontal, at, a, b in ((True, y0, x0, x1), (True, y1, x0, x1), (False, x0, y0, y1), (False, x1, y0, y1)):
            if (horizontal, at, a, b) in done:
                continue
            done.add((horizontal, at, a, b))
            for low, high in _without_doors(home, horizontal, at, a, b):
                middle, length = (low + high) / 2, high - low
                center = (middle, at, height / 2) if horizontal else (at, middle, height / 2)
                size = (length, t, height) if horizontal else (t, length, height)
                out.append(Box("", center, size, 0.0, (205, 205, 190)))
    return out


def _without_doors(home: Home, horizontal: bool, at: float, a: float, b: float) -> list[tuple[float, float]]:
    pieces = [(a, b)]
    for door in home.doorways:
        across, along = (door.center[1], door.center[0]) if horizontal else door.center
        if abs(across - at) > 1e-6 or not a < along < b:
            continue
        low, high = along - door.width / 2, along + door.width / 2
        pieces = [p for s, e in pieces for p in ((s, min(e, low)), (max(s, high), e)) if p[1] - p[0] > 1e-6]
    return pieces
