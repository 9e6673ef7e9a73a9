"""What stands where: a home and its state → the pieces to draw, sorted by whether they stay, rest or move.

The sorting follows from the state alone, so that the same state always gives the same batches. Ids: 1… in the order
furniture, things, people, their wheelchairs, door leaves; 0 is walls, floors, ceilings and nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from household import classes
from household.scene_graph import ROBOT, Posture
from sim_bridges.contract import InstanceInfo
from sim_bridges.embedded import assets as asset_sources
from sim_bridges.embedded import fittings, primitives_devices, render_rooms
from sim_bridges.embedded.assets import AssetSource
from sim_bridges.embedded.figures import Figure, colour_of, is_woman, look_of
from sim_bridges.embedded.geometry import placed, room_at
from sim_bridges.embedded.meshes import JointKind, Model, placement, transformed
from sim_bridges.embedded.model import Doorway, Furniture, Home, Person, Thing, ThingState, Vec3, WorldState
from sim_bridges.embedded.primitives_containers import drawer_travel
from sim_bridges.embedded.render_scene import Batch, Piece
from sim_bridges.embedded.spots import size_of
from sim_bridges.embedded.textures import Atlas


_SMALL = 200  # pixels; people less high than this are drawn with fewer triangles


@dataclass(frozen=True)
class Eye:
    """Where the camera is on the floor plan, and its focal length in pixels: what decides how finely people are drawn."""

    position: tuple[float, float]
    focal: float


@dataclass(frozen=True)
class _AtRest:
    """Something at rest: in which room, ``key``: all that decides how it looks, and how to get its pieces."""

    room: int
    key: tuple
    pieces: Callable[[], Iterator[Piece]]


class Stage:
    """The models of one home, placed by its state. Keeps the last static batch and one for each room and each person."""

    def __init__(self, home: Home, source: AssetSource, *, seed: int, split: str, vary: Callable[[str, Model], Model] | None = None):
        self.home, self.atlas = home, Atlas()
        other = vary if vary is not None else lambda cls, model: model
        self._rooms = {room.id: i for i, room in enumerate(home.rooms)}
        self._ids = {entity: i + 1 for i, (entity, _) in enumerate(_entities(home))}
        self.instances: Mapping[int, InstanceInfo] = {self._ids[e]: InstanceInfo(e, cls) for e, cls in _entities(home)}
        self._furniture = {
            f.id: other(f.cls, asset_sources.furniture_model(source, f.cls, f.id, f.size, f.heights, model_key=f.model, split=split,
                                                             style=home.style + seed))
            for f in home.furniture
        }
        self._things = {
            t.id: other(t.cls, asset_sources.thing_model(source, t.cls, t.id, size_of(t), model_key=t.model, split=split,
                                                         style=home.style + seed))
            for t in home.things
        }
        self._trays = {f.id for f in home.furniture if fittings.fitting(f.cls).opening is fittings.Opening.RAIL}
        self._closing = {f.id: f.open for f in home.furniture if fittings.fitting(f.cls).opening is not fittings.Opening.NONE}
        self._leaves = {d.id: render_rooms.leaf_of(d, home.style + seed) for d in home.doorways if d.leaf}
        self._swung_into = {  # a room and those into which the doors hung in it swing
            i: frozenset({i, *(self._room(d.rooms[1]) for d in home.doorways if d.leaf and self._room(d.rooms[0]) == i)})
            for i in self._rooms.values()
        }
        self._figures, self._chairs = self._people(source, split)
        self._robot = primitives_devices.robot(home.robot.camera_height)
        self._shells = {cutaway: render_rooms.shell_of(home, seed, cutaway=cutaway) for cutaway in (False, True)}
        self._static: tuple[tuple[frozenset[str], bool], Batch] | None = None
        self._resting: dict[int, tuple[tuple, Batch]] = {}
        self._people_kept: dict[str, tuple[tuple, Batch]] = {}

    def _people(self, source: AssetSource, split: str) -> tuple[dict[str, Figure], dict[str, Model]]:
        figures, chairs = {}, {}
        taken = [look_of(person).top for person in self.home.people if colour_of(person) is not None]  # whose clothes are told comes first
        for person in self.home.people:
            look = look_of(person, taken=taken)
            taken.append(look.top)
            figures[person.id] = Figure(person, look, source.mannequin("female" if is_woman(person) else "male"))
            if person.posture is Posture.WHEELCHAIR:
                chairs[person.id] = asset_sources.furniture_model(source, "wheelchair", person.id,
                                                                  classes.get("wheelchair").size, (), split=split)
        return figures, chairs

    def static(self, moved: frozenset[str], *, cutaway: bool = False) -> Batch:
        """What never moves, without the furniture in ``moved``; ``cutaway``: without ceilings and southern walls."""
        if self._static is None or self._static[0] != (moved, cutaway):
            pieces = [Piece(soup, 0, self._rooms[room]) for room, soup in self._shells[cutaway].items()]
            for f in self.home.furniture:
                if f.id not in moved and classes.get(f.cls).kind is not classes.Kind.OBSTACLE:
                    pieces.append(
                        Piece(transformed(self._furniture[f.id].fixed(), placement(f.position, f.yaw)), self._ids[f.id],
                              self._room(f.room)))
            self._static = ((moved, cutaway), Batch(pieces, self.atlas))
        return self._static[1]

    def _room(self, room: str) -> int:
        return self._rooms.get(room, 0)

    def room_at(self, x: float, y: float) -> int:
        room = room_at(self.home, (x, y))
        return self._rooms[room.id] if room is not None else 0

    def _rooms_about(self, x: float, y: float, reach: float = 0.9) -> frozenset[int]:
        around = ((0, 0), (reach, 0), (-reach, 0), (0, reach), (0, -reach))
        return frozenset(self.room_at(x + dx, y + dy) for dx, dy in around)

    def resting(self, state: WorldState) -> tuple[Batch, ...]:
        """What can move and is at rest, one batch a room; only rooms in which something changed are built anew."""
        rooms: dict[int, list[_AtRest]] = {room: [] for room in range(len(self.home.rooms))}
        for item in self._at_rest(state):
            rooms[item.room].append(item)
        for room, items in rooms.items():
            key = tuple(item.key for item in items)
            if room not in self._resting or self._resting[room][0] != key:
                pieces = (piece for item in items for piece in item.pieces())
                self._resting[room] = (key, Batch(pieces, self.atlas, self._swung_into[room]))
        return tuple(self._resting[room][1] for room in rooms)

    def _openness(self, state: WorldState, entity: str, otherwise: bool) -> float:
        return min(1.0, max(0.0, state.openness.get(entity, 1.0 if otherwise else 0.0)))

    def _is_held(self, thing: ThingState) -> bool:
        return thing.hand is not None or thing.at in self._figures or thing.at == ROBOT

    def _moves(self, thing: ThingState, state: WorldState) -> bool:
        """Held by somebody, or in a drawer that is on its way."""
        return self._is_held(thing) or (thing.at in self._trays and 0.0 < state.openness.get(thing.at, 0.0) < 1.0)

    def _shut_in(self, thing: ThingState, state: WorldState) -> bool:
        """In a container that is shut: it does not show through the cracks beside the door either."""
        return thing.at in self._closing and self._openness(state, thing.at, self._closing[thing.at]) <= 0.0

    def _at_rest(self, state: WorldState) -> Iterator["_AtRest"]:
        for f in self.home.furniture:
            moved = state.moved.get(f.id)
            position, yaw = moved if moved is not None else (f.position, f.yaw)
            room = self.room_at(position[0], position[1]) if moved is not None else self._room(f.room)
            openness, on = self._openness(state, f.id, f.open), state.switched_on.get(f.id, f.on)
            whole = moved is not None or classes.get(f.cls).kind is classes.Kind.OBSTACLE
            between = 0.0 < openness < 1.0
            yield _AtRest(room, (f.id, position, yaw, None if between else openness, on, whole),
                          partial(self._furniture_at_rest, f, placement(position, yaw), room, openness, on, whole))
        for d in self.home.doorways:
            if d.leaf:
                openness = self._openness(state, d.id, d.open)
                yield _AtRest(self._room(d.rooms[0]), (d.id, None if 0.0 < openness < 1.0 else openness),
                              partial(self._leaf, d, state, moving=False))
        for thing in self.home.things:
            at = state.things.get(thing.id)
            if at is not None and not self._moves(at, state) and not self._shut_in(at, state):
                where = drawn_position(self.home, state, thing.id)
                yield _AtRest(self.room_at(where[0], where[1]), (thing.id, where, at.yaw),
                              partial(self._things_at_rest, thing, at, state))

    def _furniture_at_rest(self, f: Furniture, where: np.ndarray, room: int, openness: float, on: bool,
                           whole: bool) -> Iterator[Piece]:
        model = self._furniture[f.id]
        if whole:
            yield Piece(transformed(model.fixed(), where), self._ids[f.id], room)
        yield from self._joints(model, where, f.id, room, openness, on, moving=False)

    def _things_at_rest(self, thing: Thing, at: ThingState, state: WorldState) -> Iterator[Piece]:
        yield self._thing(thing, at, state)

    def _joints(self, model: Model, where: np.ndarray, entity: str, room: int, openness: float, on: bool, *,
                moving: bool) -> Iterator[Piece]:
        between = 0.0 < openness < 1.0
        for part in model.moving():
            if (between and part.joint.kind in (JointKind.HINGE, JointKind.RAIL)) != moving:
                continue
            pose = part.joint.pose(openness, on)
            if pose is not None:
                yield Piece(transformed(part.soup, where @ pose), self._ids[entity], room)

    def _leaf(self, door: Doorway, state: WorldState, *, moving: bool) -> Iterator[Piece]:
        yield from self._joints(self._leaves[door.id], placement((*door.center, 0.0), door.yaw), door.id,
                                self._room(door.rooms[0]), self._openness(state, door.id, door.open), False, moving=moving)

    def _thing(self, thing: Thing, at: ThingState, state: WorldState) -> Piece:
        x, y, z = drawn_position(self.home, state, thing.id)
        where = placement((x, y, z - size_of(thing)[2] / 2), at.yaw)
        return Piece(transformed(self._things[thing.id].fixed(), where), self._ids[thing.id], self.room_at(x, y))

    def _moving_pieces(self, state: WorldState) -> Iterator[Piece]:
        """Doors, flaps and drawers on their way, and what is held or rides in a drawer."""
        for f in self.home.furniture:
            openness = self._openness(state, f.id, f.open)
            if 0.0 < openness < 1.0:
                position, yaw = state.moved.get(f.id, (f.position, f.yaw))
                yield from self._joints(self._furniture[f.id], placement(position, yaw), f.id, self._room(f.room), openness,
                                        state.switched_on.get(f.id, f.on), moving=True)
        for d in self.home.doorways:
            if d.leaf and 0.0 < self._openness(state, d.id, d.open) < 1.0:
                yield from self._leaf(d, state, moving=True)
        for thing in self.home.things:
            at = state.things.get(thing.id)
            if at is not None and self._moves(at, state):
                yield self._thing(thing, at, state)

    def _person(self, person: Person, state: WorldState, eye: Eye) -> Batch:
        """A person's own batch, kept while they stay as they are."""
        here = state.people[person.id]
        holding = tuple(sorted({t.hand for t in state.things.values() if t.at == person.id and t.hand is not None}))
        far = eye.focal * person.height < _SMALL * math.dist(here.position, eye.position)
        key = (here.position, here.yaw, here.head_yaw, here.head_pitch, here.walking, here.gait if here.walking else 0.0,
               here.posture, here.reach_to, holding, far)
        kept = self._people_kept.get(person.id)
        if kept is None or kept[0] != key:
            room = self.room_at(*here.position)
            pieces = [Piece(self._figures[person.id].posed(here, holding, far=far), self._ids[person.id], room)]
            if person.id in self._chairs and here.posture is Posture.WHEELCHAIR:
                where = placement((*here.position, 0.0), here.yaw)
                pieces.append(Piece(transformed(self._chairs[person.id].fixed(), where), self._ids[chair_id(person)], room))
            kept = self._people_kept[person.id] = (key, Batch(pieces, self.atlas, self._rooms_about(*here.position)))
        return kept[1]

    def moving(self, state: WorldState, rooms: frozenset[int], eye: Eye, *, robot: bool = False) -> tuple[Batch, ...]:
        """What moves, or may at any time: one batch a person, one for the rest. ``robot``: with the robot's own body.

        People in rooms of which nothing shows (``rooms``: those of which anything does) cast no visible shadow either
        and are left out.
        """
        pieces = list(self._moving_pieces(state))
        if robot and state.robot is not None:
            x, y = state.robot.position
            pieces.append(Piece(transformed(self._robot, placement((x, y, 0.0), state.robot.yaw)), 0, self.room_at(x, y)))
        people = [self._person(p, state, eye) for p in self.home.people
                  if p.id in state.people and rooms & self._rooms_about(*state.people[p.id].position)]
        return (*people, Batch(pieces, self.atlas)) if pieces else tuple(people)


def drawn_position(home: Home, state: WorldState, thing_id: str) -> Vec3:
    """Where a thing is seen, map: its state's position, moved along with the drawer it lies in (the state gives the
    place in the shut one).
    """
    at = state.things[thing_id]
    opened = state.openness.get(at.at, 0.0)
    place = next((f for f in home.furniture if f.id == at.at), None) if opened > 0 else None
    if place is None or fittings.fitting(place.cls).opening is not fittings.Opening.RAIL:
        return at.position
    out = drawer_travel(place.size) * min(1.0, opened)
    _, yaw = placed(place, state)
    return (at.position[0] + out * math.cos(yaw), at.position[1] + out * math.sin(yaw), at.position[2])


def chair_id(person: Person) -> str:
    return f"{person.id}_wheelchair"


def _entities(home: Home) -> Iterator[tuple[str, str]]:
    """Every instance's entity and class, in the order of their numbers."""
    furniture: tuple[Furniture, ...] = home.furniture
    yield from ((f.id, f.cls) for f in furniture)
    yield from ((t.id, t.cls) for t in home.things)
    yield from ((p.id, "person") for p in home.people)
    yield from ((chair_id(p), "wheelchair") for p in home.people if p.posture is Posture.WHEELCHAIR)
    yield from ((d.id, "door") for d in home.doorways if d.leaf)
