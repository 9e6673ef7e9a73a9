"""The data model of an embedded home and of its state at one moment. No behaviour: the loader, the world that moves it, and the
renderer that draws it each live in a file of their own and share these types.

Frame ``map``: metres, z up, floors at z = 0, yaw counter-clockwise from +x. A piece of furniture faces along its yaw: its
front (doors, drawers, seat) is the side its yaw points to.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from household.goals import Goal
from household.scene_graph import Posture

Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class Room:
    """An axis-aligned rectangle from ``low`` to ``high``; walls stand on its edges, ``wall_height`` up."""

    id: str
    cls: str
    low: Vec2
    high: Vec2


@dataclass(frozen=True)
class Doorway:
    """An opening between two rooms; ``leaf``: whether a door hangs in it that can be shut. ``yaw``: along the passage."""

    id: str
    rooms: tuple[str, str]
    center: Vec2
    width: float
    yaw: float
    leaf: bool = False
    open: bool = True


@dataclass(frozen=True)
class Furniture:
    """A container, surface, device or obstacle. ``position``: centre of its footprint and height of its underside.

    ``size``: full (width across the front, depth, height). ``model``: key of a mesh, or None for the class default.
    ``heights``: heights above the underside at which things are put (table top; shelves inside a container).
    """

    id: str
    cls: str
    room: str
    position: Vec3
    yaw: float
    size: Vec3
    model: str | None = None
    heights: tuple[float, ...] = ()
    open: bool = False
    on: bool = False


@dataclass(frozen=True)
class Thing:
    """A portable object. ``at``: id of the place, person or room (floor) where it starts; ``position`` overrides where there."""

    id: str
    cls: str
    at: str
    position: Vec3 | None = None
    yaw: float = 0.0
    model: str | None = None
    size: Vec3 | None = None


@dataclass(frozen=True)
class Person:
    """``height`` metres. ``reach``: highest point the hand gets to. ``model``: look (clothes), any string; ``stride`` m/s."""

    id: str
    name: str
    position: Vec2
    yaw: float
    height: float = 1.72
    reach: float = 2.0
    stride: float = 1.1
    posture: Posture = Posture.STANDING
    model: str | None = None
    goal: Goal | None = None


@dataclass(frozen=True)
class RobotSpec:
    position: Vec2
    yaw: float
    camera_height: float = 1.25
    camera_pitch: float = -0.25  # radians, negative looks down
    horizontal_fov_deg: float = 80.0
    arm: bool = True


@dataclass(frozen=True)
class Home:
    name: str
    rooms: tuple[Room, ...]
    doorways: tuple[Doorway, ...]
    furniture: tuple[Furniture, ...]
    things: tuple[Thing, ...]
    people: tuple[Person, ...]
    robot: RobotSpec
    wall_height: float = 2.6
    light: float = 1.0  # 0 (night) … 1 (day)
    style: int = 0  # seed of wall, floor and fabric textures


@dataclass
class ThingState:
    """``at``: place, person (held) or room id. ``position``: centre of its box in map; ``hand``: 'left'/'right' when held."""

    position: Vec3
    yaw: float
    at: str
    hand: str | None = None


@dataclass
class PersonState:
    """Where and how a person stands. ``reach_to``: map point a hand reaches for, or None; ``gait``: walking phase, radians."""

    position: Vec2
    yaw: float
    head_yaw: float  # absolute, map
    head_pitch: float = 0.0
    gait: float = 0.0
    walking: bool = False
    posture: Posture = Posture.STANDING
    reach_to: Vec3 | None = None
    doing: str = ""  # for the timeline


@dataclass
class RobotState:
    position: Vec2
    yaw: float
    head_yaw: float = 0.0  # relative to the body
    head_pitch: float = -0.25
    holding: str | None = None


@dataclass
class WorldState:
    """Mutable, owned by the world. ``openness``: furniture or door id → 0 (shut) … 1 (wide open), only for what opens."""

    time: float
    things: dict[str, ThingState] = field(default_factory=dict)
    people: dict[str, PersonState] = field(default_factory=dict)
    robot: RobotState | None = None
    openness: dict[str, float] = field(default_factory=dict)
    switched_on: dict[str, bool] = field(default_factory=dict)
    moved: dict[str, tuple[Vec3, float]] = field(default_factory=dict)  # furniture (obstacles) no longer where Home says
    light: float = 1.0
