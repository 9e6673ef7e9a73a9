"""What the robot knows of a simulator's graph: its own view of the truth, and the actions it saw, without pixels.

Simulators that hand out their whole state (VirtualHome's environment graph, ThreeDWorld's transforms) would make the robot all-knowing. Here it
sees by VirtualHome's own rule: what is in its room and not inside a closed container. The rest is remembered as it was last seen. Actions are
what changed between two graphs, attributed to whoever was at hand; nobody's script is read.
Pure: ``view(state, truth)``. Invariant: an entity the robot never saw is not in its graph, except rooms and furniture, which a resident knows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking

MOVED = 0.08  # metres between two graphs that count as walking
AT_HAND = 1.8  # metres within which somebody can have opened, taken or put
ARRIVED = 1.3  # metres from the side of what one has walked to
_PLACES = (Kind.CONTAINER, Kind.SURFACE, Kind.DEVICE)
_PLACING = {Verb.PUTIN: (RelationKind.INSIDE, Tracking.CONTAINED), Verb.PUTON: (RelationKind.ON, Tracking.OCCLUDED),
            Verb.GIVE: (RelationKind.HOLDS, Tracking.HELD)}
_WHERE = (RelationKind.INSIDE, RelationKind.ON, RelationKind.IN_ROOM)


@dataclass(frozen=True)
class ViewState:
    """``known``: entity → as last seen. ``where``: entity → (relation, place) as last known. ``walking``: person → since when.
    ``came``: person → stamp of the last graph in which they had moved."""

    before: SceneGraph | None = None
    known: Mapping[str, Entity] = field(default_factory=dict)
    where: Mapping[str, tuple[RelationKind, str]] = field(default_factory=dict)
    walking: Mapping[str, float] = field(default_factory=dict)
    came: Mapping[str, float] = field(default_factory=dict)
    count: int = 0


def view(state: ViewState, truth: SceneGraph, viewer: str = ROBOT) -> tuple[ViewState, SceneGraph, tuple[HumanAction, ...]]:
    """``truth``: everything, now. Returns the new state, what ``viewer`` knows now, and other people's actions it has just seen.

    A graph whose stamp went back starts a new memory.
    """
    if state.before is not None and truth.stamp < state.before.stamp:
        state = ViewState()
    sees = {v: seen_by(truth, v) for v in _viewers(truth)}
    events, walking, came = _changes(state, truth) if state.before is not None else ((), {}, {})
    mine = tuple(e for e in events if e.actor != viewer and _in_view(e, viewer, sees, state.before, truth))
    known, where = _remember(state, truth, sees[viewer], viewer, mine)
    count = state.count + len(mine)
    kept = {v: s & frozenset(known) for v, s in sees.items() if v == viewer or v in sees[viewer]}
    graph = SceneGraph(truth.stamp, known, frozenset(_relations(truth, known, where, sees[viewer] | {viewer})), kept,
                       {v: inspected_by(truth, v) for v in kept}, count)
    return ViewState(truth, known, where, walking, came, count), graph, mine


# who sees what ------------------------------------------------------------------------------------------------------------------------------

def seen_by(truth: SceneGraph, viewer: str) -> frozenset[str]:
    """VirtualHome's rule: everything in the viewer's room, but for what is inside closed containers; nested containers count."""
    room = truth.room_of(viewer)
    if room is None:
        return frozenset()
    return frozenset(e.id for e in truth.entities.values()
                     if e.id != viewer and e.kind is not Kind.ROOM and _room(truth, e.id) == room and not _shut_in(truth, e.id))


def inspected_by(truth: SceneGraph, viewer: str) -> frozenset[str]:
    """Places whose contents the viewer sees: its room, the surfaces there, the open containers."""
    room = truth.room_of(viewer)
    if room is None:
        return frozenset()
    return frozenset({room} | {e.id for e in truth.places() if _room(truth, e.id) == room
                               and (e.kind is Kind.SURFACE or e.openness is Openness.OPEN) and not _shut_in(truth, e.id)})


def _viewers(truth: SceneGraph) -> list[str]:
    return [e.id for e in truth.of_kind(Kind.PERSON, Kind.ROBOT)]


def _room(truth: SceneGraph, id: str) -> str | None:
    holder = truth.holder_of(id)
    return truth.room_of(holder) if holder else truth.room_of(id)


def _shut_in(truth: SceneGraph, id: str) -> bool:
    for _ in range(4):
        inside = truth.related(id, RelationKind.INSIDE)
        if not inside:
            return False
        if truth.entities[inside[0]].openness is Openness.CLOSED:
            return True
        id = inside[0]
    return False


# what happened ------------------------------------------------------------------------------------------------------------------------------

def _changes(state: ViewState, now: SceneGraph) -> tuple[tuple[HumanAction, ...], dict[str, float], dict[str, float]]:
    """Everything that changed, as actions in the order: arrivals, what was let go of, doors and switches, what was taken; who is walking since
    when; who moved last when."""
    before, walking = state.before, state.walking
    moved = {p.id: math.dist(p.position[:2], before.entities[p.id].position[:2]) > MOVED
             for p in now.of_kind(Kind.PERSON, Kind.ROBOT) if p.id in before.entities}
    out: list[HumanAction] = []
    still = {}
    for person, moves in moved.items():
        if moves:
            still[person] = walking.get(person, before.stamp)
            if now.room_of(person) != before.room_of(person) and now.room_of(person):
                out.append(_action(now, person, Verb.ENTER, now.room_of(person), None, before.stamp))
        elif person in walking and (target := _arrived_at(now, person)) is not None:
            out.append(_action(now, person, Verb.WALK, target, None, walking[person], before.stamp))
    out += _hands(before, now)
    came = {**state.came, **{person: now.stamp for person, moves in moved.items() if moves}}
    out += _doors(before, now, came)
    out += _postures(before, now)
    return tuple(sorted(out, key=lambda a: a.verb is Verb.PICK)), still, came


def _hands(before: SceneGraph, now: SceneGraph) -> list[HumanAction]:
    out = []
    for thing in now.objects():
        if thing.id not in before.entities:
            continue
        was, has = before.holder_of(thing.id), now.holder_of(thing.id)
        if was == has:
            continue
        if has is not None and was is None:
            out.append(_action(now, has, Verb.PICK, thing.id, before.place_of(thing.id), before.stamp))
        elif has is not None:
            out.append(_action(now, was, Verb.GIVE, thing.id, has, before.stamp))
        else:
            place = now.place_of(thing.id)
            kind = now.entities[place].kind if place in now.entities else Kind.ROOM
            verb = Verb.PUTIN if kind is Kind.CONTAINER else Verb.PUTON if kind is Kind.SURFACE else Verb.DROP
            out.append(_action(now, was, verb, thing.id, place, before.stamp))
    return out


def _doors(before: SceneGraph, now: SceneGraph, came: Mapping[str, float]) -> list[HumanAction]:
    out = []
    for e in now.entities.values():
        old = before.entities.get(e.id)
        if old is None or (old.openness is e.openness and old.switched_on is e.switched_on):
            continue
        actor = _at_hand(now, e, came)
        if actor is None:
            continue
        if {old.openness, e.openness} == {Openness.OPEN, Openness.CLOSED}:
            out.append(_action(now, actor, Verb.OPEN if e.openness is Openness.OPEN else Verb.CLOSE, e.id, None, before.stamp))
        if old.switched_on is not None and e.switched_on is not None and old.switched_on is not e.switched_on:
            out.append(_action(now, actor, Verb.SWITCHON if e.switched_on else Verb.SWITCHOFF, e.id, None, before.stamp))
    return out


def _postures(before: SceneGraph, now: SceneGraph) -> list[HumanAction]:
    out = []
    for p in now.people():
        old = before.entities.get(p.id)
        if old is not None and {old.posture, p.posture} == {Posture.SITTING, Posture.STANDING}:
            seat = now.related(p.id, RelationKind.ON)
            out.append(_action(now, p.id, Verb.SIT if p.posture is Posture.SITTING else Verb.STANDUP, seat[0] if seat else None, None, before.stamp))
    return out


def _at_hand(now: SceneGraph, e: Entity, came: Mapping[str, float]) -> str | None:
    """Who is at a thing, within reach and in its room: one who faces it before one who does not, then who is clearly nearer, then who came last."""
    room = now.room_of(e.id)
    near = []
    for p in now.of_kind(Kind.PERSON, Kind.ROBOT):
        gap = math.dist(p.position[:2], e.position[:2])
        if now.room_of(p.id) == room and gap <= AT_HAND + max(e.extents[:2]) / 2:
            near.append((not _faces(p, e), round(gap / 0.5), -came.get(p.id, 0.0), p.id))
    return min(near)[3] if near else None


def _arrived_at(now: SceneGraph, person: str) -> str | None:
    """What somebody who stopped walking stands at: the nearest place or person before them; else their room."""
    p, room = now.entities[person], now.room_of(person)
    near = []
    for e in now.of_kind(*_PLACES, Kind.PERSON, Kind.ROBOT):
        gap = math.dist(p.position[:2], e.position[:2]) - min(e.extents[:2]) / 2
        if e.id != person and now.room_of(e.id) == room and gap <= ARRIVED and _faces(p, e):
            near.append((gap, e.id))
    return min(near)[1] if near else room


def _faces(p: Entity, e: Entity) -> bool:
    angle = math.atan2(e.position[1] - p.position[1], e.position[0] - p.position[0]) - p.yaw
    return abs((angle + math.pi) % (2 * math.pi) - math.pi) < math.radians(50)


def _action(now: SceneGraph, actor: str, verb: Verb, target: str | None, place: str | None, start: float, end: float | None = None) -> HumanAction:
    room = now.room_of(actor)
    witnesses = {p.id: 1.0 if now.room_of(p.id) == room else 0.0 for p in now.people() if p.id != actor}
    return HumanAction(actor, verb, target, place, room, start, now.stamp if end is None else end, 1.0, witnesses)


def _in_view(action: HumanAction, viewer: str, sees: Mapping[str, frozenset[str]], before: SceneGraph, now: SceneGraph) -> bool:
    """The actor was in the viewer's sight when it happened; leaving the room counts as seen."""
    return action.actor in sees[viewer] or (action.verb is Verb.ENTER and before.room_of(action.actor) == before.room_of(viewer))


# what is remembered -------------------------------------------------------------------------------------------------------------------------

def _remember(state: ViewState, truth: SceneGraph, sees: frozenset[str], viewer: str, events: tuple[HumanAction, ...]):
    known, where = dict(state.known), dict(state.where)
    inspected = inspected_by(truth, viewer)
    for e in truth.entities.values():
        if e.id in sees or e.id == viewer or e.kind is Kind.ROOM:
            here = e.kind is Kind.ROOM and e.id != truth.room_of(viewer)
            held = truth.holder_of(e.id) is not None
            known[e.id] = replace(e, visible=not here, last_seen=truth.stamp if not here else 0.0,
                                  tracking=Tracking.OCCLUDED if here else Tracking.HELD if held else Tracking.VISIBLE)
            if (place := _place(truth, e.id)) is not None:
                where[e.id] = place
        elif e.id in known:
            known[e.id], keep = _out_of_sight(known[e.id], where.get(e.id), known, inspected)
            if not keep:
                where.pop(e.id, None)
        elif e.kind in (*_PLACES, Kind.DOOR):  # furniture a resident knows, but not how it stands now
            unknown = Openness.NONE if e.openness is Openness.NONE else Openness.UNKNOWN
            known[e.id] = replace(e, openness=unknown, switched_on=None, visible=False, tracking=Tracking.OCCLUDED, last_seen=0.0)
            if (place := _place(truth, e.id)) is not None:
                where[e.id] = place
    for event in events:  # what was seen done to a thing places it, even where it can no longer be seen
        thing = known.get(event.target or "")
        if thing is not None and thing.kind is Kind.OBJECT and not thing.visible and event.place and event.verb in _PLACING:
            relation, tracking = _PLACING[event.verb]
            where[thing.id] = (relation, event.place)
            known[thing.id] = replace(thing, tracking=tracking, last_seen=truth.stamp, position=known[event.place].position)
    return known, where


def _out_of_sight(e: Entity, place: tuple[RelationKind, str] | None, known: Mapping[str, Entity], inspected: frozenset[str]) -> tuple[Entity, bool]:
    """(the entity as remembered, whether its place is still believed)."""
    if e.kind is not Kind.OBJECT:
        return replace(e, visible=False, tracking=Tracking.OCCLUDED), True
    if place is None or e.tracking is Tracking.LOST or (place[0] is not RelationKind.HOLDS and place[1] in inspected):
        return replace(e, visible=False, tracking=Tracking.LOST), False
    if place[0] is RelationKind.HOLDS:
        return replace(e, visible=False, tracking=Tracking.HELD), True
    shut = place[1] in known and known[place[1]].openness is Openness.CLOSED
    return replace(e, visible=False, tracking=Tracking.CONTAINED if shut else Tracking.OCCLUDED), True


def _place(truth: SceneGraph, id: str) -> tuple[RelationKind, str] | None:
    holder = truth.holder_of(id)
    if holder is not None:
        return RelationKind.HOLDS, holder
    for kind in _WHERE:
        if found := truth.related(id, kind):
            return kind, found[0]
    return None


def _relations(truth: SceneGraph, known: Mapping[str, Entity], where: Mapping[str, tuple[RelationKind, str]],
               sees: frozenset[str]) -> list[Relation]:
    out = []
    for id, (kind, place) in where.items():
        out.append(Relation(place, kind, id) if kind is RelationKind.HOLDS else Relation(id, kind, place))
        room = where.get(place, (None, None))[1] if kind is not RelationKind.IN_ROOM else None
        if room in truth.entities and truth.entities[room].kind is Kind.ROOM:
            out.append(Relation(id, RelationKind.IN_ROOM, room))
    out += [r for r in truth.relations if r.kind in (RelationKind.CLOSE, RelationKind.FACING) and r.subject in sees and r.object in sees]
    return [r for r in out if r.subject in known and r.object in known]
