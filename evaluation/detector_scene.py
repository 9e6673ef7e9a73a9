"""One generated home made into many scenes for training a detector: things scattered anew, doors and cupboards ajar, people in the way.

Everything follows from (seed, split): the home, the things in it (more of them, and of more classes, than a home usually holds), and of each
scene who stands where in which pose and where the camera is. Homes and exemplars of one split never occur in another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.camera import CameraModel
from household.scene_graph import Posture
from sim_bridges.embedded import fittings, spots
from sim_bridges.embedded.figures_pose import held_position
from sim_bridges.embedded.generate_home import generate_home
from sim_bridges.embedded.model import Furniture, Home, Person, PersonState, RobotSpec, RobotState, Thing, ThingState, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, NavMap
from sim_bridges.embedded.render import camera_pose_of

_CHAIRS = ("chair", "stool", "bench")
_SEATS = (*_CHAIRS, "sofa")
_ON_SEAT = 0.15  # chance that a thing of a training scene is put down where one sits, if there is room
_CLOTHES = ("red", "blue", "green", "yellow", "purple", "teal", "white", "orange", "pink", "grey")
_LOOSE = ("box", "diningtable", "stool", "wheelchair", "suitcase", "scooter")
_NEAR_THING, _NEAR_PIECE, _FAR = 0.78, 0.91, 5.0  # metres from the camera to what it is turned to
_TRIES = 25
_COMPANY, _HANDS = (0.25, 0.35, 0.25, 0.15), (0.45, 0.4, 0.15)  # the chances of 0 to 3 people in a picture, and of 0 to 2 hands of theirs that hold something
_IN_COMPANY, _IN_HAND = (0.0, 0.55, 0.3, 0.15), (0.05, 0.65, 0.3)  # the same where people with something in their hands are looked at


@dataclass(frozen=True)
class Scene:
    """What to draw, and from where. ``pose``: optical → map, (4, 4)."""

    state: WorldState
    camera: CameraModel
    pose: np.ndarray


def home_of(seed: int, split: str, wheels: float = 0.0, more: Sequence[tuple[str, int]] = ()) -> Home:
    """The generated home of this seed with 47 to 70 things, at least one of every class, and three to five people of random looks. ``wheels``: the chance of each
    to sit in a wheelchair. ``more``: (class, how many) of things beyond those."""
    rng, shapes = np.random.default_rng([seed, 11]), np.random.default_rng([seed, 13])
    home = generate_home(seed, split)
    objects = classes.of_kind(classes.Kind.OBJECT)
    count: dict[str, int] = {}
    things = []
    for cls in [*rng.permutation(objects), *rng.choice(objects, int(rng.integers(0, 24))), *(cls for cls, number in more for _ in range(number))]:
        count[cls] = count.get(cls, 0) + 1
        things.append(Thing(f"{cls}_{count[cls]}", str(cls), home.rooms[0].id, model=_plain_shape(shapes, split)))
    home = replace(home, furniture=(*home.furniture, *_loose(home, rng)))
    people = tuple(_person(f"{split}{seed}x{i}", home, rng) for i in range(int(rng.integers(3, 6))))
    if wheels:
        people = tuple(replace(p, posture=Posture.WHEELCHAIR) if rng.random() < wheels else p for p in people)
    return replace(home, things=tuple(things), people=people)


def _plain_shape(rng: np.random.Generator, split: str) -> str | None:
    """Which plain shape a thing of the train side is drawn with, or None for the class's usual choice; even numbers are the train side's."""
    return f"#{2 * int(rng.integers(0, 16))}" if split == "train" and rng.random() < 0.4 else None


def _loose(home: Home, rng: np.random.Generator) -> list[Furniture]:
    """What generated homes do not hold by themselves, set down where the floor is free; each with even chances."""
    nav, made = NavMap(home), []
    for cls in _LOOSE:
        size = classes.get(cls).size
        for _ in range(_TRIES if rng.random() < 0.5 else 0):
            room = home.rooms[int(rng.integers(len(home.rooms)))]
            spot = tuple(float(rng.uniform(room.low[i] + 0.3, room.high[i] - 0.3)) for i in (0, 1))
            reach = math.hypot(size[0], size[1]) / 2
            if nav.free(spot, reach) and all(math.dist(spot, f.position[:2]) > reach + 0.5 for f in made):
                made.append(Furniture(f"{cls}_9", cls, room.id, (*spot, 0.0), float(rng.uniform(-math.pi, math.pi)), size))
                break
    return made


def _person(name: str, home: Home, rng: np.random.Generator) -> Person:
    look = f"{rng.choice(['woman', 'man'])} {rng.choice(_CLOTHES)} {name}"
    height = float(np.clip(rng.normal(1.70, 0.11), 1.3, 1.98))
    return Person(name, name.title(), home.robot.position, 0.0, height, round(height * 1.16, 2), model=look)


class Stage:
    """Scenes of one home, drawn one after another from ``rng``. ``seats``: things lie on chairs, stools and benches, too; the pictures that are scored go
    without, so that figures can be compared with those of before."""

    def __init__(self, home: Home, rng: np.random.Generator, size: tuple[int, int], seats: bool = False):
        self.home, self.rng, self.size, self.seats = home, rng, size, seats
        self.nav = NavMap(home)
        self._places = [f for f in home.furniture if f.heights and (seats or f.cls not in _CHAIRS)]
        self._heights = {t.id: spots.size_of(t)[2] for t in home.things}
        self._state = WorldState(0.0)

    def scatter(self) -> None:
        """Things, openings and switches anew; scenes drawn until the next call share them."""
        rng, home = self.rng, self.home
        state = WorldState(0.0, light=float(rng.uniform(0.35, 1.0)))
        for item in home.furniture:
            if fittings.opens(item.cls):
                state.openness[item.id] = self._openness()
            if classes.get(item.cls).switchable:
                state.switched_on[item.id] = bool(rng.random() < 0.5)
        for door in home.doorways:
            if door.leaf:
                state.openness[door.id] = self._openness()
        for thing in home.things:
            self._lay(state, thing)
        self._state = state

    def _openness(self) -> float:
        draw = self.rng.random()
        return 0.0 if draw < 0.45 else 1.0 if draw < 0.75 else float(self.rng.uniform(0.1, 1.0))

    def _lay(self, state: WorldState, thing: Thing) -> None:
        """Mostly somewhere one sees it: on a surface or in what stands open; now and then on the floor or out of sight."""
        rng = self.rng
        drawn = [self._places[int(place)] for place in rng.permutation(np.arange(len(self._places)))]
        if self.seats and rng.random() < _ON_SEAT:
            drawn = [f for f in drawn if f.cls in _SEATS] + drawn
        for item in drawn[:8]:
            if state.openness.get(item.id, 1.0) < 0.3 and rng.random() < 0.85:
                continue
            at = spots.free_spot(self.home, state, thing, item, rng)
            if at is not None:
                state.things[thing.id] = ThingState(at, item.yaw + float(rng.normal(0.0, 0.8)), item.id)
                return
        room = self.home.rooms[int(rng.integers(len(self.home.rooms)))]
        middle = tuple((a + b) / 2 for a, b in zip(room.low, room.high))
        at = spots.free_floor_spot(self.home, state, thing, room, middle, rng)
        if at is not None:
            state.things[thing.id] = ThingState(at, float(rng.uniform(-math.pi, math.pi)), room.id)

    def scene(self) -> Scene:
        """A view worth having: the camera stands free, nothing stands on its lens."""
        rng = self.rng
        camera = CameraModel.from_fov(*self.size, float(rng.uniform(58, 92)))
        spec = RobotSpec((0.0, 0.0), 0.0, camera_height=float(rng.uniform(0.8, 1.6)))
        eye, target = self._viewpoint()
        distance = math.dist(eye, target[:2])
        yaw = math.atan2(target[1] - eye[1], target[0] - eye[0]) + float(rng.normal(0.0, 0.2))
        pitch = float(np.clip(math.atan2(target[2] - spec.camera_height, max(distance, 0.3)) + rng.normal(0.0, 0.12), -0.9, 0.35))
        state = self._now()
        self._populate(state, eye, yaw)
        return Scene(state, camera, camera_pose_of(RobotState(eye, yaw, 0.0, pitch), spec))

    def close_scene(self) -> Scene:
        """Somebody who holds something, as closer looks at a large picture show them: from some steps off, through a narrow lens."""
        rng = self.rng
        spec = RobotSpec((0.0, 0.0), 0.0, camera_height=float(rng.uniform(0.8, 1.6)))
        eye, target = self._viewpoint()
        state, towards = self._now(), math.atan2(target[1] - eye[1], target[0] - eye[0])
        self._populate(state, eye, towards, _IN_COMPANY, _IN_HAND)
        holding = [p for p in state.people if any(t.at == p and t.hand for t in state.things.values())]
        at = state.people[holding[0]].position if holding else target[:2]
        distance = max(0.6, math.dist(eye, at))
        fov = float(np.clip(math.degrees(2 * math.atan2(0.5 * rng.uniform(0.8, 2.8), distance)), 14.0, 65.0))
        yaw = math.atan2(at[1] - eye[1], at[0] - eye[0]) + math.radians(fov) * float(rng.normal(0.0, 0.15))
        pitch = float(np.clip(math.atan2(rng.uniform(0.6, 1.2) - spec.camera_height, distance), -0.9, 0.35))
        return Scene(state, CameraModel.from_fov(*self.size, fov), camera_pose_of(RobotState(eye, yaw, 0.0, pitch), spec))

    def _now(self) -> WorldState:
        """Things as they are scattered, nobody there yet, and a light of its own."""
        return WorldState(0.0, dict(self._state.things), {}, None, dict(self._state.openness), dict(self._state.switched_on),
                          light=float(np.clip(self._state.light + self.rng.normal(0, 0.08), 0.25, 1.0)))

    def _viewpoint(self) -> tuple[tuple[float, float], tuple[float, float, float]]:
        """Where the camera stands and what it is turned to: something in the same room, one to five metres off."""
        rng, home = self.rng, self.home
        for _ in range(_TRIES):
            room = home.rooms[int(rng.integers(len(home.rooms)))]
            eye = tuple(float(rng.uniform(room.low[i] + 0.3, room.high[i] - 0.3)) for i in (0, 1))
            if not self.nav.free(eye, ROBOT_RADIUS * 0.8):
                continue
            here = [t for t in self._state.things.values() if _within(room, t.position) and _NEAR_THING < math.dist(eye, t.position[:2]) < _FAR]
            pieces = [f for f in home.furniture if f.room == room.id and _NEAR_PIECE < math.dist(eye, f.position[:2]) < _FAR + 1.0]
            if here and rng.random() < 0.65:
                return eye, here[int(rng.integers(len(here)))].position
            if pieces:
                f = pieces[int(rng.integers(len(pieces)))]
                return eye, (f.position[0], f.position[1], f.position[2] + f.size[2] / 2)
        spot = home.robot.position
        return spot, (spot[0] + math.cos(home.robot.yaw), spot[1] + math.sin(home.robot.yaw), 0.9)

    def _populate(self, state: WorldState, eye: tuple[float, float], yaw: float, company: Sequence[float] = _COMPANY, hands: Sequence[float] = _HANDS) -> None:
        """Nobody to three people before the camera; some hold a thing, some sit, some reach. ``company``, ``hands``: the chances of 0 to 3 people, and of 0 to 2
        hands that hold something."""
        rng, people = self.rng, list(self.home.people)
        rng.shuffle(people)
        for person in people[:int(rng.choice([0, 1, 2, 3], p=company))]:
            body = self._body(state, eye, yaw)
            if body is None:
                continue
            if person.posture is Posture.WHEELCHAIR:
                body = replace(body, posture=Posture.WHEELCHAIR, walking=False)
            state.people[person.id] = body
            for hand in ("right", "left")[:int(rng.choice([0, 1, 2], p=hands))]:
                self._give(state, person, body, hand)

    def _body(self, state: WorldState, eye: tuple[float, float], yaw: float) -> PersonState | None:
        rng = self.rng
        others = [p.position for p in state.people.values()]
        for _ in range(_TRIES):
            angle, far = yaw + float(rng.normal(0.0, 0.4)), float(rng.uniform(0.9, 4.5))
            spot = (eye[0] + far * math.cos(angle), eye[1] + far * math.sin(angle))
            if self.nav.free(spot, PERSON_RADIUS) and all(math.dist(spot, o) > 0.5 for o in others):
                return _pose(spot, float(rng.uniform(-math.pi, math.pi)), rng)
        taken = {t.at for t in state.things.values()} if self.seats else ()
        seats = [f for f in self.home.furniture if f.cls in _SEATS and f.id not in taken and math.dist(f.position[:2], eye) < 5.0]
        if not seats:
            return None
        seat = seats[int(rng.integers(len(seats)))]
        if any(math.dist(seat.position[:2], o) < 0.5 for o in others):
            return None
        return replace(_pose(seat.position[:2], seat.yaw + float(rng.normal(0, 0.2)), rng), posture=Posture.SITTING, walking=False)

    def _give(self, state: WorldState, person: Person, body: PersonState, hand: str) -> None:
        names = sorted(t for t, s in state.things.items() if s.hand is None)
        if names:
            name = names[int(self.rng.integers(len(names)))]
            state.things[name] = ThingState(held_position(person, body, hand, self._heights[name]), body.yaw, person.id, hand)


def _pose(where: tuple[float, float], yaw: float, rng: np.random.Generator) -> PersonState:
    head = yaw + float(np.clip(rng.normal(0, 0.6), -1.45, 1.45))
    walking = bool(rng.random() < 0.35)
    reach = None
    if not walking and rng.random() < 0.4:
        a, r = yaw + rng.normal(0, 0.3), rng.uniform(0.4, 0.7)
        reach = (where[0] + float(r * math.cos(a)), where[1] + float(r * math.sin(a)), float(rng.uniform(0.3, 1.7)))
    posture = Posture.SITTING if not walking and reach is None and rng.random() < 0.15 else Posture.STANDING
    return PersonState((float(where[0]), float(where[1])), yaw, head, float(rng.uniform(-0.6, 0.2)), float(rng.uniform(0, 6.28)), walking, posture,
                       reach)


def _within(room, position) -> bool:
    return room.low[0] < position[0] < room.high[0] and room.low[1] < position[1] < room.high[1]
