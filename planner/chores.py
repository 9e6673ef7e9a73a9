"""Help that is not about finding things: an obstacle in somebody's way, water left running, a fridge left open.

Invariant: a chore names the fact it rests on (``text``) and is raised only from what the scene graph and events show; nobody
being seen near a running tap is not the same as nobody being there, so people whose whereabouts are unknown block it, and so does who was in the robot's own room, until they have not been seen
there for as long as they are looked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, SceneGraph
from mind.output import Minds

from planner.acts import HelpKind
from planner.gaze import GIVEN_UP_S
from planner.geometry import Geometry
from planner.memory import PlannerState, RequestKind
from planner.wants import in_wheelchair

WATER = ("faucet", "sink")
MUST_CLOSE = ("fridge",)
LIGHT_DEVICES = ("lamp",)
CHAIR_HALF_WIDTH_M = 0.42
TRACK_S = 10.0  # how far back movement is looked at
STUCK_S = 2.5  # standing so long before an obstacle is being stopped by it
NEAR_M = 2.0
IN_DOORWAY_M = 0.6
_TRIES = (Verb.WALKTOWARDS, Verb.WALK, Verb.WALKFORWARD, Verb.ENTER, Verb.MOVEBY)
CUT_WINDOW_S = 2.0
LOOK_S = 8.0  # that a look at a device left alone may take
AT_TAP_M = 0.9  # from which somebody reaches it
USED_S, SHORT_S = 15.0, (1.2, 3.7)  # from the tap to out of the room; between which, after that, such a tap is looked at: the next one may come in meanwhile, most likely at once


@dataclass(frozen=True)
class Chore:
    """``worth``: seconds it is worth when done, before costs; ``probability``: that it is needed."""

    kind: HelpKind
    object: str
    person: str | None
    place: str | None
    destination: str | None
    probability: float
    worth: float
    since: float
    text: str


def switched_by_hand(graph: SceneGraph, events: Iterable[HumanAction]) -> SceneGraph:
    """The graph with devices as somebody was seen switching them, where the device itself has not been seen since."""
    latest = {e.target: e for e in events if e.verb in (Verb.SWITCHON, Verb.SWITCHOFF) and e.target in graph.entities}
    changed = {}
    for name, e in latest.items():
        device, on = graph.entities[name], e.verb is Verb.SWITCHON
        stale = not device.visible and device.last_seen < (e.end if e.end is not None else e.start)
        if device.switched_on is not on and (device.switched_on is None or stale):
            changed[name] = replace(device, switched_on=on)
    return replace(graph, entities={**graph.entities, **changed}) if changed else graph


def observe(state: PlannerState, graph: SceneGraph, geometry: Geometry) -> PlannerState:
    """Fold one scene graph into the memory the chores need: device changes, who is near, people's tracks."""
    now = graph.stamp
    switched = dict(state.switched)
    gone_out: list[str] = []
    for e in geometry.of_kind(Kind.DEVICE):
        if e.switched_on is None:
            continue
        if switched.get(e.id) is True and not e.switched_on:
            by_hand = any(a.verb is Verb.SWITCHOFF and a.target == e.id and a.start >= now - CUT_WINDOW_S - 3.0
                          for a in state.events)
            if not by_hand:
                gone_out.append(e.id)
        switched[e.id] = e.switched_on
    lamps = [e for e in geometry.of_kind(Kind.DEVICE) if e.cls in LIGHT_DEVICES and e.switched_on is not None]
    dark = state.dark_since
    if dark is None and any(graph.entities[d].cls in LIGHT_DEVICES for d in gone_out):
        dark = now  # that further lamps turn out to be off does not make it begin anew
    if any(e.switched_on and e.visible for e in lamps):
        dark = None  # one remembered as on says nothing
    unattended = _unattended(state.unattended, graph, geometry)
    tracks = {}
    for p in geometry.of_kind(Kind.PERSON):
        track = [s for s in state.tracks.get(p.id, ()) if s[0] >= p.last_seen - TRACK_S]
        if p.visible and (not track or now - track[-1][0] >= 0.25):
            track.append((now, p.position[0], p.position[1]))
        tracks[p.id] = tuple(track)
    return replace(state, switched=switched, unattended=unattended, used=_used(state.used, geometry), dark_since=dark, tracks=tracks)


def _unattended(before: Mapping[str, float], graph: SceneGraph, geometry: Geometry) -> dict[str, float]:
    rooms_of_people, result = _rooms_of_people(geometry), {}
    for e in graph.entities.values():
        running = e.cls in WATER and e.switched_on is True
        left_open = e.cls in MUST_CLOSE and e.openness is Openness.OPEN
        if not (running or left_open):
            continue
        room = geometry.room_of(e.id)
        if room is not None and room not in rooms_of_people and None not in rooms_of_people:
            result[e.id] = before.get(e.id, graph.stamp)
    return result


def _rooms_of_people(geometry: Geometry) -> set[str | None]:
    """Rooms somebody is in as far as is known. Who has not been seen for long in the robot's own room, where they were looked for, is not in it any more."""
    here, now = geometry.room_of(ROBOT), geometry.graph.stamp
    return {room for p in geometry.of_kind(Kind.PERSON) if (room := geometry.room_of(p.id)) is None or room != here or p.visible or now - p.last_seen <= GIVEN_UP_S}


def chores(state: PlannerState, minds: Minds, geometry: Geometry) -> tuple[Chore, ...]:
    return (*_running(state, geometry), *_blocked(state, minds, geometry), *_asked(state, geometry))


def _asked(state: PlannerState, geometry: Geometry) -> list[Chore]:
    """Asked to switch, open, close or move something; or in need of light where a lamp is off."""
    result = []
    for r in state.requests:
        dim = r.kind is RequestKind.NEED and r.target in LIGHT_DEVICES and state.dark_since is None
        if r.kind is not RequestKind.DO and not dim:
            continue
        kind = HelpKind.SWITCH_ON if dim else _KINDS[r.verb]
        fitting = sorted(e.id for e in geometry.graph.entities.values()
                         if (e.id == r.target or e.cls == r.target) and _undone(e, kind))
        if fitting:
            nearest = min(fitting, key=lambda o: (geometry.distance(r.person, o), o))
            result.append(Chore(kind, nearest, r.person, geometry.room_of(nearest) if kind is HelpKind.MOVE else None,
                                geometry.room_of(nearest) if kind is HelpKind.MOVE else None, r.certainty,
                                geometry.config.answer_value_s, r.stamp, "asked for"))
    return result


def _undone(e: Entity, kind: HelpKind) -> bool:
    return {HelpKind.SWITCH_ON: e.switched_on is False, HelpKind.SWITCH_OFF: e.switched_on is True,
            HelpKind.OPEN: e.openness is Openness.CLOSED, HelpKind.CLOSE: e.openness is Openness.OPEN,
            HelpKind.MOVE: e.kind is Kind.OBSTACLE}[kind]


_KINDS = {Verb.SWITCHON: HelpKind.SWITCH_ON, Verb.SWITCHOFF: HelpKind.SWITCH_OFF, Verb.OPEN: HelpKind.OPEN,
          Verb.CLOSE: HelpKind.CLOSE, Verb.MOVE: HelpKind.MOVE}


def _running(state: PlannerState, geometry: Geometry) -> list[Chore]:
    config, now, result = geometry.config, geometry.graph.stamp, []
    for device, since in sorted(state.unattended.items()):
        e = geometry.entity(device)
        if e is None or _stale(e, since, now):
            continue
        if e.cls in WATER and now - since >= config.left_running_s:
            result.append(Chore(HelpKind.SWITCH_OFF, device, None, None, None, 0.95, config.running_water_s, since,
                                "it is running and nobody is there"))
        elif e.cls in MUST_CLOSE and now - since >= config.left_open_after_s:
            result.append(Chore(HelpKind.CLOSE, device, None, None, None, 0.9, config.left_open_s, since,
                                "it is open and nobody is there"))
    return result


def _stale(e: Entity, since: float, now: float) -> bool:
    """Whether a device was last seen before it was left alone, so that whoever left may have seen to it, and can still be looked at first."""
    return e.last_seen < since and now - since < LOOK_S


def worth_a_look(state: PlannerState, geometry: Geometry) -> Entity | None:
    """A tap that was just left alone: running, so that whoever left it may have seen to it, or, for a short look once the ways in have been looked at, used by somebody who may have stood before it."""
    now, soon = geometry.graph.stamp, geometry.config.left_running_s
    left = ((geometry.entity(d), since) for d, since in sorted(state.unattended.items()))
    running = next((e for e, since in left if e is not None and e.cls in WATER and (now - since < soon or _stale(e, since, now))), None)
    if running is not None:
        return running
    used = (geometry.entity(d) for d, (at, alone) in sorted(state.used.items()) if alone is not None and SHORT_S[0] <= now - alone < min(soon, SHORT_S[1]) and alone - at < USED_S)
    return next((e for e in used if e is not None and e.switched_on is None), None)


def _used(before: Mapping[str, tuple[float, float | None]], geometry: Geometry) -> dict[str, tuple[float, float | None]]:
    """Tap → when somebody was last seen at it, and since when nobody is in its room (None: somebody is)."""
    people, now = geometry.of_kind(Kind.PERSON), geometry.graph.stamp
    rooms, result = _rooms_of_people(geometry), {}
    for e in geometry.of_kind(Kind.DEVICE):
        at, alone = before.get(e.id, (None, None))
        if e.cls not in WATER:
            continue
        if any(p.visible and math.dist(p.position[:2], e.position[:2]) <= AT_TAP_M for p in people):
            at = now
        if at is not None:
            result[e.id] = at, None if geometry.room_of(e.id) in rooms else alone if alone is not None else now
    return result


def _blocked(state: PlannerState, minds: Minds, geometry: Geometry) -> list[Chore]:
    result = []
    obstacles = sorted(geometry.of_kind(Kind.OBSTACLE), key=lambda e: e.id)
    for person in sorted(minds.people):
        if not in_wheelchair(geometry, person):
            continue
        for obstacle in obstacles:
            p = _blocking(state, minds, geometry, person, obstacle)
            if p > 0.0:
                room = geometry.room_of(obstacle.id)
                result.append(Chore(HelpKind.MOVE, obstacle.id, person, room, room, p,
                                    geometry.config.blocked_s, geometry.graph.stamp, "it stands in the way"))
    return result


def _blocking(state: PlannerState, minds: Minds, geometry: Geometry, person: str, obstacle: Entity) -> float:
    """Probability that the obstacle stops this person: it lies ahead, in the way they go, and they get no further."""
    e, track = geometry.entity(person), state.tracks.get(person, ())
    if e is None or not e.visible or len(track) < 2:
        return 0.0
    ox, oy = obstacle.position[0] - e.position[0], obstacle.position[1] - e.position[1]
    if not 1e-6 < math.hypot(ox, oy) <= NEAR_M or not _ahead(geometry, minds.people[person].heading, e, ox, oy, obstacle):
        return 0.0
    recent = [s for s in track if s[0] >= track[-1][0] - STUCK_S - 0.3]
    still = recent[-1][0] - recent[0][0] >= STUCK_S and _length(recent) < 0.15
    travelled = _length(track)
    progress = math.hypot(track[-1][1] - track[0][1], track[-1][2] - track[0][2])
    if travelled > 0.5 and progress < 0.5 * travelled and track[-1][0] - track[0][0] >= STUCK_S:
        return 0.9  # to and fro before it
    if not still:
        return 0.0
    in_doorway = any(math.hypot(d.position[0] - obstacle.position[0], d.position[1] - obstacle.position[1]) < IN_DOORWAY_M
                     for d in geometry.of_kind(Kind.DOOR))
    tries = any(a.actor == person and a.verb in _TRIES and a.start >= geometry.graph.stamp - 15.0 for a in state.events)
    return 0.85 if in_doorway or tries or minds.people[person].heading is not None else 0.0


def _length(track) -> float:
    return sum(math.hypot(b[1] - a[1], b[2] - a[2]) for a, b in zip(track, track[1:]))


def _ahead(geometry: Geometry, heading: str | None, e: Entity, ox: float, oy: float, obstacle: Entity) -> bool:
    """Whether it lies towards where they are going, or where they face."""
    goal = geometry.position(heading)
    if goal is not None:
        dx, dy = goal[0] - e.position[0], goal[1] - e.position[1]
        if math.hypot(dx, dy) > 0.4 and _hits(ox, oy, dx, dy, obstacle):
            return True
    facing = e.yaw
    return _hits(ox, oy, NEAR_M * math.cos(facing), NEAR_M * math.sin(facing), obstacle)


def _hits(ox: float, oy: float, dx: float, dy: float, obstacle: Entity) -> bool:
    """Whether the strip of a wheelchair's width along (dx, dy) meets the obstacle's disc at (ox, oy)."""
    length = math.hypot(dx, dy)
    if length < 1e-6:
        return False
    along = (ox * dx + oy * dy) / length
    across = abs(ox * dy - oy * dx) / length
    return 0.0 < along < length + 0.5 and across < CHAIR_HALF_WIDTH_M + 0.4 * max(obstacle.extents[:2])
