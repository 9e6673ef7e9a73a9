"""ThreeDWorld's transforms and bounds → the household's SceneGraph: the symbolic source.

TDW knows boxes and joints, no relations; inside, on and close are read off the boxes here. Openness comes from the joint angles of composite
objects; a container model without joints stays UNKNOWN (a box or basket, which has no lid, is OPEN).
Invariant: an object is held, or inside one container, or on one surface, or on the floor.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from household import classes
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, Posture, Relation, RelationKind, SceneGraph
from sim_bridges import unity
from sim_bridges.tdw.config import TdwScene
from sim_bridges.tdw.snapshot import Snapshot

CLOSE = 1.5  # metres from a person's axis to the nearest side of a thing
LIDLESS = ("box", "basket")
OPEN_FROM = 0.25  # share of a joint's range


@dataclass(frozen=True)
class Frames:
    """Map ↔ Unity, which differ by the axes and by ``origin``: the map point (x, y) at Unity's origin."""

    origin: tuple[float, float] = (0.0, 0.0)

    def to_map(self, p) -> np.ndarray:
        return unity.point_to_map(p) + (*self.origin, 0.0)

    def to_unity(self, p) -> np.ndarray:
        return unity.point_to_unity(np.asarray(p, dtype=np.float64) - (*self.origin, 0.0))

    def vector(self, p) -> dict[str, float]:
        """A map point as TDW's commands want it."""
        return dict(zip("xyz", map(float, self.to_unity(p))))

    def pose(self, pose: np.ndarray) -> np.ndarray:
        """A (4, 4) pose that is in map but for the origin."""
        out = pose.copy()
        out[:2, 3] += self.origin
        return out


@dataclass(frozen=True)
class Body:
    """What a Replicant's data say: floor ``position`` and ``yaw`` in map, ``held`` object ids by hand name."""

    position: tuple[float, float, float]
    yaw: float
    held: Mapping[str, int]


def scene_graph(snapshot: Snapshot, bodies: Mapping[str, Body], openness: Mapping[str, float], ids: Mapping[str, int], scene: TdwScene,
                frames: Frames, stamp: float) -> SceneGraph:
    """``ids``: entity id → TDW object id. ``openness``: entity id → share of its joint's range, for what has a joint."""
    entities = {r.id: _room(r, scene, stamp) for r in scene.rooms}
    for id, number in ids.items():
        if number in snapshot.bounds:
            entities[id] = _thing(id, snapshot.bounds[number], openness, frames, stamp)
    for id, body in bodies.items():
        entities[id] = Entity(id, "robot" if id == ROBOT else "person", body.position, (0.4, 0.5, 1.7), body.yaw, last_seen=stamp,
                              posture=Posture.STANDING, gaze_yaw=body.yaw)
    entity = {number: id for id, number in ids.items()}
    holders = {entity[n]: who for who, body in bodies.items() for n in body.held.values() if n in entity}
    relations = {Relation(who, RelationKind.HOLDS, thing) for thing, who in holders.items()}
    for id, e in entities.items():
        if e.kind is Kind.ROOM:
            continue
        where = bodies[holders[id]].position if id in holders else e.position
        room = scene.room_of(where[0], where[1])
        if room is not None:
            relations.add(Relation(id, RelationKind.IN_ROOM, room))
        if e.kind is Kind.OBJECT and id not in holders and (relation := _support(e, entities)) is not None:
            relations.add(relation)
        if e.kind not in (Kind.PERSON, Kind.ROBOT):
            for who, body in bodies.items():
                if _gap(body.position, e) <= CLOSE:
                    relations |= {Relation(who, RelationKind.CLOSE, id), Relation(id, RelationKind.CLOSE, who)}
    return SceneGraph(stamp, entities, frozenset(relations))


def _room(room, scene: TdwScene, stamp: float) -> Entity:
    (x0, y0), (x1, y1) = room.low, room.high
    return Entity(room.id, room.cls, ((x0 + x1) / 2, (y0 + y1) / 2, scene.wall_height / 2), (x1 - x0, y1 - y0, scene.wall_height), last_seen=stamp)


def _thing(id: str, bounds: np.ndarray, openness: Mapping[str, float], frames: Frames, stamp: float) -> Entity:
    front, back, right, left, top, bottom, center = (frames.to_map(p) for p in bounds)
    ahead = front - back
    cls = classes.class_of(id)
    state = Openness.NONE
    if classes.get(cls).opens:
        if id in openness:
            state = Openness.OPEN if openness[id] > OPEN_FROM else Openness.CLOSED
        else:
            state = Openness.OPEN if cls in LIDLESS else Openness.UNKNOWN
    extents = tuple(float(np.linalg.norm(a - b)) for a, b in ((front, back), (left, right), (top, bottom)))
    return Entity(id, cls, tuple(map(float, center)), extents, math.atan2(ahead[1], ahead[0]), state, last_seen=stamp)


def local(e: Entity, point) -> np.ndarray:
    """(3,) map point in the entity's own axes, from its centre."""
    d = np.asarray(point, dtype=np.float64) - e.position
    c, s = math.cos(e.yaw), math.sin(e.yaw)
    return np.array([c * d[0] + s * d[1], -s * d[0] + c * d[1], d[2]])


def _gap(point, e: Entity) -> float:
    """Horizontal distance from a point to the nearest side of a box, metres."""
    q = np.abs(local(e, (*point[:2], e.position[2])))[:2] - np.array(e.extents[:2]) / 2
    return float(np.linalg.norm(np.maximum(q, 0.0)))


def _support(thing: Entity, entities: Mapping[str, Entity]) -> Relation | None:
    """What it is inside of, else what it lies on: the surface whose top is nearest below its underside."""
    for e in entities.values():
        if e.kind is Kind.CONTAINER and bool((np.abs(local(e, thing.position)) <= np.array(e.extents) / 2 + 0.01).all()):
            return Relation(thing.id, RelationKind.INSIDE, e.id)
    underside = thing.position[2] - thing.extents[2] / 2
    best: tuple[float, str] | None = None
    for e in entities.values():
        if e.kind not in (Kind.SURFACE, Kind.CONTAINER) or _gap(thing.position, e) > 0.02:
            continue
        low, high = e.position[2] - e.extents[2] / 2, e.position[2] + e.extents[2] / 2
        if low + 0.1 <= underside <= high + 0.06:  # seats and shelves lie below the top of the box
            best = min(best or (math.inf, ""), (abs(high - underside), e.id))
    return None if best is None else Relation(thing.id, RelationKind.ON, best[1])
