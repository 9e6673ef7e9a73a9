"""Homes as YAML files: read strictly, checked as geometry, or refused with the line that is wrong.

A home that loads can be lived in: every room is reached through doorways, nothing stands in a wall or in another piece, and a person
can walk up to every container and surface. The same checks (:func:`check_home`) hold for generated homes.
File format: docs/worlds.md.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

from household import classes
from household.classes import Kind
from household.scene_graph import Posture
from sim_bridges.embedded import fittings
from sim_bridges.embedded.geometry import WALL_THICKNESS, on_edge
from sim_bridges.embedded.goal_text import parse_goal
from sim_bridges.embedded.home_checks import Problem, find_problems
from sim_bridges.embedded.model import Doorway, Furniture, Home, Person, RobotSpec, Room, Thing
from sim_bridges.embedded.yaml_source import Section, SourceError, Value, parse, read

HOMES_FOLDER = Path(__file__).parent / "homes"
SIDES = {"east": 0.0, "north": math.pi / 2, "west": math.pi, "south": -math.pi / 2}
_FAR = 60.0  # metres; the largest coordinate a home may have
_GAP = 0.01  # between a wall's surface and the back of what stands against it
POSTURES = {p.value: p for p in Posture if p is not Posture.UNKNOWN}


class HomeError(SourceError):
    """A home file that cannot be used; names file, line, key and the allowed values."""


def home_names() -> tuple[str, ...]:
    """Names of the homes that ship with the project."""
    return tuple(sorted(p.stem for p in HOMES_FOLDER.glob("*.yaml")))


def load_home(path_or_name: str | Path) -> Home:
    """A shipped home by name ("maple") or any YAML file by path. Raises HomeError."""
    text = str(path_or_name)
    if text in home_names():
        return _shipped(text)
    path = Path(text)
    if not path.exists():
        raise HomeError(text, 1, "", f"no such home; allowed: {', '.join(home_names())}, or the path of a YAML file")
    return _home(read(path, HomeError), path.stem)


@lru_cache(maxsize=16)
def _shipped(name: str) -> Home:
    """Shipped homes do not change while a process runs, and homes are immutable: each is read and checked once."""
    return _home(read(HOMES_FOLDER / f"{name}.yaml", HomeError), name)


def parse_home(text: str, file: str = "<text>") -> Home:
    """A home from YAML text; ``file`` is only for messages."""
    return _home(parse(text, file, HomeError), Path(file).stem)


def check_home(home: Home) -> None:
    """The geometric checks, for homes that were not read from a file. Raises HomeError."""
    for problem in find_problems(home):
        raise HomeError(home.name, 1, problem.key, problem.text)


def _home(top: Value, default_name: str) -> Home:
    reader = _Reader()
    home = reader.read(top.section(), default_name)
    for problem in find_problems(home):
        reader.complain(top, problem)
    return home


class _Reader:
    """Reads one file; remembers where every id was written, so that geometric problems can point at it."""

    def __init__(self) -> None:
        self.where: dict[str, Value] = {}

    def complain(self, top: Value, problem: Problem) -> None:
        place = self.where.get(problem.key, top)
        place.fail(problem.text)

    def read(self, top: Section, default_name: str) -> Home:
        name = top.take("name")
        rooms, furniture = self._rooms(top.need("rooms"))
        doors = self._doors(top.need("doors"), rooms)
        places = {f.id: f for f in furniture}
        people = self._people(top.take("people"), rooms)
        things = self._things(top.take("things"), places, rooms, people)
        robot = self._robot(top.need("robot"))
        wall, light, style = top.take("wall_height"), top.take("light"), top.take("style")
        top.finish()
        return Home(name.text() if name else default_name, rooms, doors, furniture, things, people, robot,
                    wall.number(2.0, 5.0) if wall else 2.6, light.number(0.0, 1.0) if light else 1.0,
                    style.integer(0, 10**6) if style else 0)

    def _claim(self, id: str, value: Value) -> None:
        if id in self.where:
            value.fail(f"the id '{id}' is taken already (line {self.where[id].line})")
        self.where[id] = value

    def _class(self, id: str, value: Value, allowed: tuple[str, ...], what: str) -> str:
        """The class an id like ``apple_1`` carries."""
        head = classes.class_of(id)
        if head == id or head not in allowed:
            word = f"'{id}' is not of the form class_number" if head == id else f"unknown {what} class '{head}' in '{id}'"
            value.fail(f"{word}; allowed classes: {', '.join(sorted(allowed))}")
        return head

    def _rooms(self, value: Value) -> tuple[tuple[Room, ...], tuple[Furniture, ...]]:
        rooms, furniture = [], []
        waiting: list[tuple[str, Value, Room]] = []
        for id, entry in value.section():
            section = entry.section()
            self._claim(id, entry)
            cls_value = section.take("class")
            allowed = classes.of_kind(Kind.ROOM)
            cls = cls_value.choice(allowed, "room class") if cls_value else id
            if cls not in allowed:
                entry.fail(f"unknown room class '{cls}'; allowed: {', '.join(allowed)}")
            low, high = (section.need(k).numbers(2, -_FAR, _FAR) for k in ("from", "to"))
            if high[0] - low[0] < 1.0 or high[1] - low[1] < 1.0:
                entry.fail(f"a room of {high[0] - low[0]:.2f} by {high[1] - low[1]:.2f} m; allowed: at least 1 by 1, 'from' low and 'to' high")
            room = Room(id, cls, low, high)
            rooms.append(room)
            listed = section.take("furniture")
            waiting += [(fid, fvalue, room) for fid, fvalue in listed.section()] if listed else []
            section.finish()
        if not rooms:
            value.fail("a home needs at least one room")
        for fid, fvalue, room in waiting:  # pieces that stand on others come after them in the file
            self._claim(fid, fvalue)
            furniture.append(self._furniture(fid, fvalue, room, furniture))
        return tuple(rooms), tuple(furniture)

    def _furniture(self, id: str, value: Value, room: Room, before: list[Furniture]) -> Furniture:
        cls = self._class(id, value, fittings.FURNITURE_CLASSES, "furniture")
        section = value.section()
        size_value = section.take("size")
        size = size_value.numbers(3, 0.01, 10.0) if size_value else classes.get(cls).size
        height, on = section.take("height"), section.take("on")
        z = height.number(0.0, 4.0) if height else 0.0
        if on:
            below = {f.id: f for f in before if f.room == room.id}
            base = below[on.choice(below, "piece above it in this room")]
            z = base.position[2] + max(base.heights, default=base.size[2])
        xy, yaw = self._stand(section, room, size)
        levels = section.take("levels")
        heights = (tuple(v.number(0.0, size[2]) for v in levels.items()) if levels else fittings.levels(cls, size[2]))
        opened, on_now, model = section.take("open"), section.take("switched_on"), section.take("model")
        if opened and not fittings.opens(cls):
            opened.fail(f"a {cls} does not open")
        if on_now and not classes.get(cls).switchable:
            on_now.fail(f"a {cls} is not switched on or off")
        section.finish()
        return Furniture(id, cls, room.id, (xy[0], xy[1], z), yaw, size, model.text() if model else None, heights,
                         opened.flag() if opened else False, on_now.flag() if on_now else False)

    def _stand(self, section: Section, room: Room, size: tuple[float, float, float]) -> tuple[tuple[float, float], float]:
        """Either ``at`` + ``facing``, or ``wall`` + ``along``: against a wall, facing away from it."""
        if "wall" in section:
            side = section.need("wall").choice(SIDES, "wall")
            along = section.need("along").number(-_FAR, _FAR)
            back = WALL_THICKNESS / 2 + _GAP + size[1] / 2
            yaw = SIDES[{"east": "west", "west": "east", "north": "south", "south": "north"}[side]]
            xy = {"west": (room.low[0] + back, along), "east": (room.high[0] - back, along),
                  "south": (along, room.low[1] + back), "north": (along, room.high[1] - back)}[side]
            return xy, yaw
        xy = section.need("at").numbers(2, -_FAR, _FAR)
        facing = section.take("facing")
        return xy, _facing(facing) if facing else 0.0

    def _doors(self, value: Value, rooms: tuple[Room, ...]) -> tuple[Doorway, ...]:
        by_id = {r.id: r for r in rooms}
        doors = []
        for id, entry in value.section():
            self._class(id, entry, ("door",), "door")
            self._claim(id, entry)
            section = entry.section()
            between = section.need("between").items()
            if len(between) != 2:
                section.need("between").fail(f"a door joins two rooms, not {len(between)}")
            first, second = (b.choice(by_id, "room") for b in between)
            if first == second:
                entry.fail(f"a door from '{first}' to itself")
            center = section.need("at").numbers(2, -_FAR, _FAR)
            width, leaf, opened = section.take("width"), section.take("leaf"), section.take("open")
            sides = [on_edge(by_id[r], center) for r in (first, second)]
            if None in sides:
                lost = first if sides[0] is None else second
                r = by_id[lost]
                entry.fail(f"the point {list(center)} is not on the edge of room '{lost}' (x {r.low[0]:g} to {r.high[0]:g}, "
                           f"y {r.low[1]:g} to {r.high[1]:g})")
            yaw = 0.0 if sides[0] in ("east", "west") else math.pi / 2
            has_leaf = leaf.flag() if leaf else False
            if opened and not has_leaf:
                opened.fail("only a door with 'leaf: yes' opens and shuts")
            doors.append(Doorway(id, (first, second), center, width.number(0.6, 4.0) if width else 0.9, yaw, has_leaf,
                                 opened.flag() if opened else True))
            section.finish()
        return tuple(doors)

    def _things(self, value: Value | None, places: dict[str, Furniture], rooms: tuple[Room, ...],
                people: tuple[Person, ...]) -> tuple[Thing, ...]:
        allowed = ([f.id for f in places.values() if f.heights] + [r.id for r in rooms] + [p.id for p in people])
        things = []
        for id, entry in value.section() if value else ():
            cls = self._class(id, entry, classes.of_kind(Kind.OBJECT), "object")
            self._claim(id, entry)
            if entry.is_text:  # short form: apple_1: fridge_1
                things.append(Thing(id, cls, entry.choice(allowed, "place")))
                continue
            section = entry.section()
            at = section.need("at").choice(allowed, "place")
            position, facing, model, size = (section.take(k) for k in ("position", "facing", "model", "size"))
            section.finish()
            things.append(Thing(id, cls, at, position.numbers(3, -_FAR, _FAR) if position else None,
                                _facing(facing) if facing else 0.0, model.text() if model else None,
                                size.numbers(3, 0.005, 2.0) if size else None))
        return tuple(things)

    def _people(self, value: Value | None, rooms: tuple[Room, ...]) -> tuple[Person, ...]:
        people = []
        for id, entry in value.section() if value else ():
            if not id.isidentifier() or id != id.lower() or id in classes.CLASSES:
                entry.fail(f"'{id}' cannot name a person; allowed: one lower-case word that is no class")
            self._claim(id, entry)
            section = entry.section()
            name, facing, height, reach, stride, posture, model, goal = (section.take(k) for k in (
                "name", "facing", "height", "reach", "stride", "posture", "model", "goal"))
            tall = height.number(0.7, 2.2) if height else 1.72
            pose = POSTURES[posture.choice(POSTURES, "posture")] if posture else Posture.STANDING
            reaches = reach.number(0.5, 2.8) if reach else (1.35 if pose is Posture.WHEELCHAIR else round(tall * 1.16, 2))
            people.append(Person(id, name.text() if name else id.capitalize(), section.need("at").numbers(2, -_FAR, _FAR),
                                 _facing(facing) if facing else 0.0, tall, reaches,
                                 stride.number(0.2, 2.5) if stride else 1.1, pose, model.text() if model else None,
                                 read_goal(goal) if goal else None))
            section.finish()
        return tuple(people)

    def _robot(self, value: Value) -> RobotSpec:
        section = value.section()
        self._claim("robot", value)
        facing, height, pitch, fov, arm = (section.take(k) for k in ("facing", "camera_height", "camera_pitch", "fov", "arm"))
        plain = RobotSpec((0.0, 0.0), 0.0)
        spec = RobotSpec(section.need("at").numbers(2, -_FAR, _FAR), _facing(facing) if facing else 0.0,
                         height.number(0.2, 2.2) if height else plain.camera_height,
                         math.radians(pitch.number(-80, 80)) if pitch else plain.camera_pitch,
                         fov.number(20, 140) if fov else plain.horizontal_fov_deg, arm.flag() if arm else True)
        section.finish()
        return spec


def read_goal(value: Value):
    """A goal written in a home or story file; complains at its line."""
    try:
        return parse_goal(value.text())
    except ValueError as problem:
        value.fail(str(problem))


def _facing(value: Value) -> float:
    """'north', or degrees counter-clockwise from east; → radians."""
    text = value.text()
    if text in SIDES:
        return SIDES[text]
    try:
        return math.radians(float(text) % 360.0)
    except ValueError:
        value.fail(f"'{text}' is no direction; allowed: {', '.join(SIDES)}, or degrees counter-clockwise from east")
