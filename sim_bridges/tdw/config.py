"""What a ThreeDWorld world is made of: rooms, objects, people and the robot, in map coordinates, and how they become TDW models.

A TDW scene has no names for rooms and no notion of which model is "the fridge": the scene file says so. ``size`` scales a model to real
dimensions. Rooms are closed by thin kinematic blocks unless the TDW scene has walls of its own (``build_walls: false``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from pathlib import Path

import yaml

from household import classes
from household.scene_graph import ROBOT
from sim_bridges.scripted import STORIES, Beat
from sim_bridges.tdw.link import Limits

Vec3 = tuple[float, float, float]


class SceneError(ValueError):
    """A scene file that cannot be used; the message names file, entry and what would be right."""


@dataclass(frozen=True)
class RoomSpec:
    id: str
    cls: str
    low: tuple[float, float]
    high: tuple[float, float]


@dataclass(frozen=True)
class DoorwaySpec:
    """An opening in a wall. ``yaw``: along the passage, radians."""

    id: str
    rooms: tuple[str, str]
    centre: tuple[float, float]
    width: float = 0.9
    yaw: float = 0.0


@dataclass(frozen=True)
class ObjectSpec:
    """``position``: centre of the underside; ``yaw``: where its front faces, radians. ``size``: (width across the front, depth, height)."""

    id: str
    model: str
    position: Vec3
    yaw: float = 0.0
    size: Vec3 | None = None
    library: str = "models_core.json"
    fixed: bool = True


@dataclass(frozen=True)
class PersonSpec:
    id: str
    position: tuple[float, float]
    yaw: float = 0.0
    model: str = "replicant_0"


def _default_objects() -> tuple[ObjectSpec, ...]:
    half = math.pi / 2
    return (
        ObjectSpec("fridge_1", "fridge_large_composite", (3.6, 3.4, 0.0), -half, (0.65, 0.65, 1.75)),
        ObjectSpec("kitchencabinet_1", "cabinet_24_single_door_wood_oak_white_composite", (0.45, 3.5, 0.0), -half, (0.6, 0.4, 0.7)),
        ObjectSpec("stove_1", "gas_stove_composite", (1.45, 3.65, 0.0), -half, (0.6, 0.6, 0.9)),
        ObjectSpec("kitchentable_1", "small_table_green_marble", (2.2, 2.4, 0.0), -half, (1.2, 0.8, 0.74)),
        ObjectSpec("sofa_1", "arflex_hollywood_sofa", (8.2, 1.2, 0.0), math.pi, (2.0, 0.9, 0.8)),
        ObjectSpec("coffeetable_1", "coffee_table_glass_round", (6.4, 2.6, 0.0), half, (1.0, 0.6, 0.42)),
        ObjectSpec("lamp_1", "alma_floor_lamp", (4.6, 0.6, 0.0), 0.0, (0.35, 0.35, 1.5)),
        ObjectSpec("apple_1", "apple", (2.2, 2.4, 0.74), size=(0.08, 0.08, 0.08), fixed=False),
        ObjectSpec("mug_1", "coffeemug", (6.4, 2.6, 0.42), size=(0.1, 0.08, 0.1), fixed=False),
    )


@dataclass(frozen=True)
class TdwScene:
    scene_name: str = "ProcGenScene"
    build_walls: bool = True
    wall_height: float = 2.6
    rooms: tuple[RoomSpec, ...] = (RoomSpec("kitchen", "kitchen", (0.0, 0.0), (4.0, 4.0)),
                                   RoomSpec("livingroom", "livingroom", (4.0, 0.0), (9.0, 4.0)))
    doorways: tuple[DoorwaySpec, ...] = (DoorwaySpec("door_1", ("kitchen", "livingroom"), (4.0, 2.0)),)
    objects: tuple[ObjectSpec, ...] = field(default_factory=_default_objects)
    people: tuple[PersonSpec, ...] = (PersonSpec("alice", (0.85, 2.3), 0.0, "woman_casual"), PersonSpec("david", (2.9, 1.4), 2.2, "man_casual"))
    robot: PersonSpec = PersonSpec(ROBOT, (0.5, 0.5), 0.85)

    def __post_init__(self) -> None:
        ids = [x.id for x in (*self.rooms, *self.objects, *self.people, self.robot)]
        twice = sorted({i for i in ids if ids.count(i) > 1})
        if twice:
            raise SceneError(f"ids used twice: {', '.join(twice)}")
        if self.robot.id != ROBOT:
            raise SceneError(f"the robot's id is '{self.robot.id}', it must be '{ROBOT}'")
        for o in self.objects:
            if classes.class_of(o.id) not in classes.CLASSES:
                raise SceneError(f"object '{o.id}': '{classes.class_of(o.id)}' is no class of the household; ids are <class>_<number>")
        for r in self.rooms:
            if r.cls not in classes.of_kind(classes.Kind.ROOM):
                raise SceneError(f"room '{r.id}': class '{r.cls}' is none of {', '.join(classes.of_kind(classes.Kind.ROOM))}")

    def home_map(self) -> dict:
        """As the perception's ``home_map`` file wants it."""
        return {"rooms": [{"id": r.id, "class": r.cls, "low": list(r.low), "high": list(r.high)} for r in self.rooms],
                "doorways": [{"id": d.id, "rooms": list(d.rooms), "centre": list(d.centre), "width": d.width, "yaw": d.yaw} for d in self.doorways],
                "wall_height": self.wall_height}

    def room_of(self, x: float, y: float) -> str | None:
        return next((r.id for r in self.rooms if r.low[0] <= x <= r.high[0] and r.low[1] <= y <= r.high[1]), None)


@dataclass(frozen=True)
class TdwConfig:
    """Lengths in metres, angles in degrees. ``framerate``: simulated frames per second of world time; one frame is one message.

    ``pause``: seconds between two actions of a story's people, whose hands are quicker than any human's."""

    port: int = 1071
    scene: TdwScene = field(default_factory=TdwScene)
    story: tuple[Beat, ...] | str = ()
    width: int = 640
    height: int = 480
    horizontal_fov: float = 80.0
    camera_height: float = 1.4
    camera_forward: float = 0.0
    camera_pitch: float = -20.0
    neck_rate: float = 120.0
    framerate: int = 50
    pause: float = 0.6
    instances: bool = True
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        for name, low, high in (("width", 32, 3840), ("height", 32, 2160), ("horizontal_fov", 20.0, 140.0), ("camera_height", 0.1, 2.5),
                                ("camera_forward", -0.5, 1.0), ("camera_pitch", -80.0, 80.0), ("neck_rate", 1.0, 1000.0), ("framerate", 10, 200),
                                ("pause", 0.0, 10.0)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name}={getattr(self, name)} is outside [{low}, {high}]")
        if isinstance(self.story, str) and self.story not in STORIES:
            raise ValueError(f"story='{self.story}' is none of {', '.join(STORIES)}")

    @property
    def vertical_fov(self) -> float:
        return math.degrees(2 * math.atan(math.tan(math.radians(self.horizontal_fov) / 2) * self.height / self.width))


_LISTS = {"rooms": RoomSpec, "doorways": DoorwaySpec, "objects": ObjectSpec, "people": PersonSpec}


def read_scene(path: str | Path) -> TdwScene:
    """A scene from YAML: the fields of TdwScene; ``yaw`` in degrees; ``class`` for a room's class. Raises SceneError."""
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SceneError(f"{path}: {error.strerror or error}; home is a scene file for ThreeDWorld, or nothing for the built-in rooms") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise SceneError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise SceneError(f"{path}: a table with the keys {', '.join(f.name for f in fields(TdwScene))} is due")
    unknown = set(data) - {f.name for f in fields(TdwScene)}
    if unknown:
        raise SceneError(f"{path}: unknown key {', '.join(sorted(unknown))}; known: {', '.join(f.name for f in fields(TdwScene))}")
    values = {k: v for k, v in data.items() if k not in _LISTS and k != "robot"}
    for key, kind in _LISTS.items():
        if key in data:
            if not isinstance(data[key], list):
                raise SceneError(f"{path}: {key}: a list is due, it is '{str(data[key])[:40]}'")
            values[key] = tuple(_spec(kind, entry, f"{path}: {key}[{i}]") for i, entry in enumerate(data[key]))
    if "robot" in data:
        if not isinstance(data["robot"], dict):
            raise SceneError(f"{path}: robot: a table with a position is due, it is '{str(data['robot'])[:40]}'")
        values["robot"] = _spec(PersonSpec, {"id": ROBOT, **data["robot"]}, f"{path}: robot")
    try:
        return TdwScene(**values)
    except SceneError as error:
        raise SceneError(f"{path}: {error}") from None


def _spec(kind, entry, where: str):
    try:
        entry = {("cls" if k == "class" else k): tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
        if "yaw" in entry:
            entry["yaw"] = math.radians(float(entry["yaw"]))
        for key in ("position", "low", "high", "centre", "size"):
            if entry.get(key) is not None:
                entry[key] = tuple(float(c) for c in entry[key])
        return kind(**entry)
    except (TypeError, ValueError, AttributeError) as error:
        raise SceneError(f"{where}: {error}; fields: {', '.join(f.name for f in fields(kind))}") from None
