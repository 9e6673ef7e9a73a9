"""What a VirtualHome world is made of: where the simulator is, which apartment, who is in it, and how the robot looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from household.scene_graph import ROBOT
from sim_bridges.scripted import STORIES, Beat
from sim_bridges.virtualhome.client import Limits


class CameraMount(str, Enum):
    HEAD = "head"  # a free camera that is moved with the robot and its neck; needs add_camera and update_camera (2.3)
    CHARACTER = "character"  # a camera bolted to the character; the neck cannot turn (2.2)


@dataclass(frozen=True)
class CharacterSpec:
    """``position``: (x, y) in map; wins over ``room``; neither: a random place."""

    id: str
    resource: str
    room: str | None = None
    position: tuple[float, float] | None = None


PEOPLE = (CharacterSpec("alice", "Chars/Female1", "kitchen"), CharacterSpec("david", "Chars/Male1", "kitchen"))
ROBOT_CHARACTER = CharacterSpec(ROBOT, "Chars/Male2", "kitchen")


@dataclass(frozen=True)
class VirtualHomeConfig:
    """Lengths in metres, angles in degrees, times in seconds. ``environment`` None: the apartment that is loaded.

    ``story``: beats, or the name of one of ``scripted.STORIES``, whose roles are then filled from the scene.
    ``place``: (object, place) pairs moved before the story starts. ``action_seconds``: world time one script line takes.
    ``strides``: long walks are made and shown a metre at a time (:mod:`.walks`); else people are at their goal at once.
    ``prefetch``: ask for the next frame inside ``advance``, so that only ``advance`` can lose the connection.
    ``recording``: folder the simulator records to while scripts run (a folder both machines see), or None for stepping mode.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    environment: int | None = 0
    people: tuple[CharacterSpec, ...] = PEOPLE
    robot: CharacterSpec = ROBOT_CHARACTER
    story: tuple[Beat, ...] | str = ()
    place: tuple[tuple[str, str], ...] = ()
    width: int = 640
    height: int = 480
    horizontal_fov: float = 80.0
    camera_height: float = 1.4
    camera_forward: float = 0.0
    camera_pitch: float = -15.0
    neck_rate: float = 120.0
    mount: CameraMount = CameraMount.HEAD
    instances: bool = True
    action_seconds: float = 1.0
    strides: bool = True
    prefetch: bool = False
    recording: str | None = None
    frame_rate: int = 5
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        for name, low, high in (("width", 32, 3840), ("height", 32, 2160), ("horizontal_fov", 20.0, 140.0), ("camera_height", 0.1, 2.5),
                                ("camera_forward", -0.5, 1.0), ("camera_pitch", -80.0, 80.0), ("neck_rate", 1.0, 1000.0),
                                ("action_seconds", 0.05, 60.0), ("frame_rate", 1, 60)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValueError(f"{name}={value} is outside [{low}, {high}]")
        if self.recording is not None and self.mount is not CameraMount.HEAD:
            raise ValueError(f"recording='{self.recording}' needs mount: head: where a character's own camera was in a recording is not known")
        ids = [c.id for c in (*self.people, self.robot)]
        if len(set(ids)) != len(ids) or self.robot.id != ROBOT:
            raise ValueError(f"characters {ids}: ids must differ and the robot's must be '{ROBOT}'")
        if len(ids) > 10:
            raise ValueError(f"{len(ids)} characters; VirtualHome has room for 10 (the robot is one of them)")
        if isinstance(self.story, str) and self.story not in STORIES:
            raise ValueError(f"story='{self.story}' is none of {', '.join(STORIES)}")
        for beat in () if isinstance(self.story, str) else self.story:
            if beat.actor not in ids[:-1]:
                raise ValueError(f"the story has '{beat.actor}', but the people are {', '.join(ids[:-1])}")

    @property
    def vertical_fov(self) -> float:
        """What Unity calls the field of view, degrees."""
        import math

        return math.degrees(2 * math.atan(math.tan(math.radians(self.horizontal_fov) / 2) * self.height / self.width))
