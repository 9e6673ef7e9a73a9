"""Relations of the scene graph, computed from tracked things and kept from flickering.

What bears a thing and who holds it is decided by the tracker; here those become edges, and nearness, facing and rooms are added. A relation
is believed once it lasted some frames, and given up likewise; for a subject that is out of sight nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.scene_graph import Relation, RelationKind, Tracking
from perception.config import PerceptionConfig
from perception.home_map import HomeMap
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.thing_track import ThingTrack

Key = tuple[str, RelationKind, str]


@dataclass(frozen=True)
class RelationMemory:
    """``believed``: relation → confidence. ``pending``: relation → frames it has been otherwise than believed."""

    believed: Mapping[Key, float] = field(default_factory=dict)
    pending: Mapping[Key, int] = field(default_factory=dict)


def update(memory: RelationMemory, places: Sequence[PlaceTrack], things: Sequence[ThingTrack], people: Sequence[PersonTrack],
           rooms: Mapping[str, str], home: HomeMap, config: PerceptionConfig) -> tuple[RelationMemory, frozenset[Relation]]:
    """``rooms``: person id → room (decided with its own margin). Returns the memory and all relations of this frame."""
    sure = _sure(places, things, people, rooms, home)
    soft = _near(places, things, people, config) | _facing(places, things, people, config)
    fresh = {p.id for p in people if p.visible}
    memory = _settle(memory, soft, fresh, {p.id for p in people}, config)
    return memory, frozenset(Relation(s, k, o, round(c, 3)) for (s, k, o), c in (sure | dict(memory.believed)).items())


def _sure(places, things, people, rooms, home: HomeMap) -> dict[Key, float]:
    found: dict[Key, float] = {}
    room_of: dict[str, str | None] = {}
    for place in places:
        room_of[place.id] = home.room_of(place.body.centre)
    for person in people:
        room_of[person.id] = rooms.get(person.id)
    for thing in things:
        if thing.tracking is Tracking.LOST:
            continue
        if thing.holder is not None:
            found[(thing.holder, RelationKind.HOLDS, thing.id)] = thing.place_confidence
            room_of[thing.id] = room_of.get(thing.holder)
        else:
            if thing.place is not None:
                kind = RelationKind.INSIDE if thing.inside else RelationKind.ON
                found[(thing.id, kind, thing.place)] = thing.place_confidence
            room_of[thing.id] = room_of.get(thing.place or "") or home.room_of(thing.box.centre)
    for name, room in room_of.items():
        if room is not None:
            found[(name, RelationKind.IN_ROOM, room)] = 1.0
    return found


def _near(places, things, people, config: PerceptionConfig) -> dict[Key, float]:
    """Person to whatever is within config.close_distance of it, measured on the floor to the edge of the thing."""
    found: dict[Key, float] = {}
    for person in people:
        for place in places:
            if classes.get(place.cls).is_place and place.body.footprint_distance(person.position) <= config.close_distance:
                found[(person.id, RelationKind.CLOSE, place.id)] = 0.9
        for thing in things:
            if thing.tracking in (Tracking.VISIBLE, Tracking.HELD) and thing.box.footprint_distance(person.position) <= config.close_distance:
                found[(person.id, RelationKind.CLOSE, thing.id)] = 0.9
        for other in people:
            if other.id != person.id and math.dist(other.position, person.position) <= config.close_distance + 0.2:
                found[(person.id, RelationKind.CLOSE, other.id)] = 0.9
    return found


def _facing(places, things, people, config: PerceptionConfig) -> dict[Key, float]:
    found: dict[Key, float] = {}
    for person in people:
        if person.gaze is None:
            continue
        (x, y), ahead, least = person.position, (math.cos(person.gaze), math.sin(person.gaze)), math.cos(config.facing_half_angle)
        rest = [(p.id, p.body.centre[:2]) for p in places if classes.get(p.cls).is_place]
        rest += [(o.id, o.position) for o in people if o.id != person.id]
        for name, centre in rest:
            dx, dy = centre[0] - x, centre[1] - y
            distance = math.hypot(dx, dy)
            if 0.05 < distance < 4.0 and (dx * ahead[0] + dy * ahead[1]) / distance > least:
                found[(person.id, RelationKind.FACING, name)] = round(person.yaw_certainty, 2)
    return found


def _settle(memory: RelationMemory, now: Mapping[Key, float], fresh: set[str], known: set[str],
            config: PerceptionConfig) -> RelationMemory:
    believed, pending = {k: v for k, v in memory.believed.items() if k[0] in known}, {}
    for key in set(now) | set(believed):
        if key[0] not in fresh or (key in now) == (key in believed):
            continue
        frames = memory.pending.get(key, 0) + 1
        if frames < config.relation_frames:
            pending[key] = frames
        elif key in now:
            believed[key] = now[key]
        else:
            del believed[key]
    return RelationMemory(believed, pending)
