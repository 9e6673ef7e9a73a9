"""Distances and reach over a scene graph, for people and for the robot.

Design reason: the values need travel times, not a motion planner; a straight line with a detour for every wall between is within
tens of percent in homes, and it is the same for every candidate. Invariant: total; what the graph does not place counts as
``UNKNOWN_M`` away, never as near.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Posture, RelationKind, SceneGraph

from planner.config import PlannerConfig

DETOUR = 1.25  # furniture stands in straight lines' way
AT_M = 0.7  # m from its edge at which somebody stands before a place
WALL_M = 1.5  # extra way to a door when the rooms differ
UNKNOWN_M = 8.0  # distance to something not placed
CHILD_HEIGHT_M = 1.40
SURELY = 0.8  # confidence in a thing from which on the eyes are hardly mistaken

_HANDLES = frozenset({Verb.PICK, Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PUTBACK})

Point = tuple[float, float, float]


class Geometry:
    """Cached look-ups for one graph; builds its relation index once, in O(relations). ``events``: what people were seen doing, which shows what they get at."""

    def __init__(self, graph: SceneGraph, config: PlannerConfig, events: Iterable[HumanAction] = ()):
        self.graph, self.config = graph, config
        events = tuple(events)
        self.gets_at = {(e.actor, e.place) for e in events if e.verb in _HANDLES and e.place is not None}
        self.opened = {(e.actor, e.target) for e in events if e.verb is Verb.OPEN}
        self.room: dict[str, str] = {}
        self.container: dict[str, str] = {}
        self.holder: dict[str, str] = {}
        self.by_kind: dict[Kind, list[Entity]] = {}
        self.by_class: dict[str, list[Entity]] = {}
        for e in graph.entities.values():
            self.by_kind.setdefault(e.kind, []).append(e)
            self.by_class.setdefault(e.cls, []).append(e)
        self.place_count = len(self.of_kind(Kind.CONTAINER, Kind.SURFACE))
        best: dict[tuple[str, str], float] = {}
        for r in sorted(graph.relations, key=lambda r: (r.subject, r.kind.value, r.object)):
            kind, subject, value = r.kind, r.subject, r.object
            if kind is RelationKind.HOLDS:
                kind, subject, value = RelationKind.HOLDS, r.object, r.subject
            table = {RelationKind.IN_ROOM: self.room, RelationKind.INSIDE: self.container, RelationKind.ON: self.container,
                     RelationKind.HOLDS: self.holder}.get(kind)
            if table is None:
                continue
            mark = (subject, "at" if table is self.container else kind.value)
            if r.confidence > best.get(mark, -1.0):
                best[mark] = r.confidence
                table[subject] = value

    def of_kind(self, *kinds: Kind) -> list[Entity]:
        return [e for kind in kinds for e in self.by_kind.get(kind, ())]

    def objects(self, cls: str) -> list[Entity]:
        """The portable things of a class."""
        return [e for e in self.by_class.get(cls, ()) if e.kind is Kind.OBJECT]

    def entity(self, name: str | None) -> Entity | None:
        return self.graph.entities.get(name) if name is not None else None

    def exists(self, name: str) -> float:
        """How surely there is such a thing: a mistake of the eyes lies somewhere, too, and is gone when they look again."""
        e = self.entity(name)
        return 1.0 if e is None else e.confidence

    def room_of(self, name: str | None) -> str | None:
        """The room of an entity (through what holds it); a room is its own room."""
        for _ in range(4):
            if name is None:
                return None
            e = self.graph.entities.get(name)
            if e is not None and e.kind is Kind.ROOM:
                return name
            if name in self.room:
                return self.room[name]
            name = self.holder.get(name) or self.container.get(name)
        return None

    def places_in(self, room: str) -> tuple[str, ...]:
        """The furniture of a room, and the room itself for its floor; in id order."""
        return tuple(sorted((room, *(e.id for e in self.of_kind(Kind.CONTAINER, Kind.SURFACE) if self.room_of(e.id) == room))))

    def place_of(self, name: str) -> str | None:
        return self.holder.get(name) or self.container.get(name) or self.room.get(name)

    def position(self, name: str | None) -> Point | None:
        e = self.entity(name)
        return None if e is None else e.position

    def distance(self, a: str | None, b: str | None) -> float:
        """Metres to walk from a to b."""
        if a is not None and a == b:
            return 0.0
        pa, pb = self.position(a), self.position(b)
        if pa is None or pb is None:
            return UNKNOWN_M
        straight = math.hypot(pa[0] - pb[0], pa[1] - pb[1])
        ra, rb = self.room_of(a), self.room_of(b)
        return straight * DETOUR + (WALL_M if ra and rb and ra != rb else 0.0)

    def slow(self, person: str) -> bool:
        """A child, or somebody in a wheelchair."""
        e = self.entity(person)
        return e is not None and (e.posture is Posture.WHEELCHAIR or self.child(person))

    def child(self, person: str) -> bool:
        e = self.entity(person)
        return (e is not None and e.posture in (Posture.STANDING, Posture.UNKNOWN)
                and 0.6 < e.extents[2] < CHILD_HEIGHT_M)

    def reach(self, person: str) -> float:
        """Highest point the person's hand gets to, m."""
        e = self.entity(person)
        if e is None:
            return 2.2
        if e.posture is Posture.WHEELCHAIR:
            return self.config.seated_reach
        if e.posture is Posture.SITTING or e.extents[2] <= 0.6:
            return 2.0
        return e.extents[2] * self.config.adult_reach

    def reachable(self, person: str, obj: str) -> bool:
        """Whether a thing is within somebody's reach: by height, because they have had their hands at its place before, or, of the grown and upright, because
        they have opened it."""
        e, place = self.entity(obj), self.container.get(obj)
        if e is None or e.position[2] <= self.reach(person) or (person, place) in self.gets_at:
            return True
        return (person, place) in self.opened and not self.slow(person)

    def walk_s(self, person: str, a: str | None, b: str | None) -> float:
        return self.distance(a, b) / (self.config.slow_speed if self.slow(person) else self.config.walk_speed)

    def off_sight(self, person: str, place: str | None) -> float:
        """Radians between where somebody looks and the middle of a place that they stand before within a step; inf where they do not, or who cannot be
        seen does."""
        p, e = self.entity(person), self.entity(place)
        if p is None or e is None or not p.visible or p.gaze_yaw is None:
            return math.inf
        dx, dy = e.position[0] - p.position[0], e.position[1] - p.position[1]
        if off(e, p.position) > AT_M:
            return math.inf
        return abs((math.atan2(dy, dx) - p.gaze_yaw + math.pi) % (2 * math.pi) - math.pi)

    def drive_s(self, a: str | None, b: str | None) -> float:
        return self.distance(a, b) / self.config.robot_speed

    def at_a_place(self, person: str) -> bool:
        """Whether somebody is seen to stand before anything that things are in or on: who is out of view is not known to have come to anything. Who is not known at all may."""
        e = self.entity(person)
        return e is None or e.visible and any(self.is_at(person, place.id) for place in self.of_kind(Kind.CONTAINER, Kind.SURFACE))

    def is_at(self, person: str, place: str | None) -> bool:
        """Whether somebody stands before this place; not where either is not known to be."""
        e, there = self.entity(person), self.entity(place)
        return e is not None and there is not None and off(there, e.position) <= AT_M

    def in_earshot(self, person: str) -> bool:
        """Same room as the robot, or near; a person nobody has placed is not."""
        if self.position(person) is None or self.position(ROBOT) is None:
            return self.position(person) is not None and self.position(ROBOT) is None
        mine, theirs = self.room_of(ROBOT), self.room_of(person)
        return (mine is not None and mine == theirs) or self.distance(ROBOT, person) <= self.config.earshot_m


def off(e: Entity, point: Sequence[float]) -> float:
    """Metres from a point (x, y, …) to a thing's box, seen from above; 0 in it."""
    dx, dy, c, s = point[0] - e.position[0], point[1] - e.position[1], math.cos(e.yaw), math.sin(e.yaw)
    return math.hypot(max(abs(c * dx + s * dy) - e.extents[0] / 2, 0.0), max(abs(c * dy - s * dx) - e.extents[1] / 2, 0.0))


def likely(distribution: Mapping[str, float]) -> tuple[str | None, float]:
    """The most probable key and its probability; ties go to the smaller id; (None, 0.0) when empty."""
    if not distribution:
        return None, 0.0
    best = max(sorted(distribution), key=lambda k: distribution[k])
    return best, distribution[best]
