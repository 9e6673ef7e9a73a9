"""The robot's view of the embedded home without pixels: the scene graph and the actions that perfect (or noisy) perception would report.

Only what is in the robot's sight enters; the rest is remembered as it was last seen, or not known at all. Nothing of what people think
is read. For fast evaluation and for testing the mind and the planner alone; ``sees`` and ``witnesses`` come from true lines of sight,
which a camera-based perception has to estimate.
Invariant: an entity the robot never saw is not in the graph, except the home's own rooms and fixed furniture, which a resident robot
has mapped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph, Tracking
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.geometry import wrap
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.spots import size_of
from sim_bridges.embedded.visibility import WIDE_OPEN, Sight

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

_CLOSE = 1.0  # metres
_FACING = math.radians(25)
_FACING_RANGE = 2.5


@dataclass(frozen=True)
class ObserverNoise:
    """``drop_event``: share of seen actions not reported. ``drop_object``: chance that a thing in view is missed in a frame.
    ``position``: standard deviation, metres. ``witness_error``: chance that a witness is told wrong. ``seed`` makes it repeatable."""

    drop_event: float = 0.0
    drop_object: float = 0.0
    position: float = 0.0
    witness_error: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("drop_event", "drop_object", "witness_error"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ValueError(f"{name}: {getattr(self, name)} is out of range; allowed: 0 up to 1")
        if not 0.0 <= self.position <= 1.0:
            raise ValueError(f"position: {self.position} is out of range; allowed: 0 to 1 m")

_DIMMED = 0.5  # share of the home's usual light below which it has grown dark


class SymbolicObserver:
    """``observe(world)`` after each advance → what the robot now knows, and the actions it has seen since the last call."""

    def __init__(self, home: Home, viewer: str = ROBOT, noise: ObserverNoise = ObserverNoise(), knows_furniture: bool = True):
        if viewer != ROBOT and viewer not in {p.id for p in home.people}:
            raise ValueError(f"viewer: '{viewer}' is nobody here; allowed: {ROBOT}, {', '.join(p.id for p in home.people)}")
        self.home, self.viewer, self.noise = home, viewer, noise
        self._rng = np.random.default_rng([noise.seed, 11])
        self._next_event, self._count = 0, 0
        self._unseen: dict[str, HumanAction] = {}  # who is on a walk whose beginning was out of view → that walk
        self._entities: dict[str, Entity] = {}
        self._where: dict[str, tuple[RelationKind, str]] = {}
        self._things = {t.id: t for t in home.things}
        self._pieces = {f.id: f for f in home.furniture}
        self._place_room = {f.id: f.room for f in home.furniture}
        self._know_the_home(knows_furniture)

    def observe(self, world: "EmbeddedWorld") -> tuple[SceneGraph, list[HumanAction]]:
        """(graph, actions oldest first). Stamps are the world's time."""
        sights = world.look()
        mine = sights[self.viewer]
        sees = set(mine.sees)
        if self.noise.drop_object:
            sees = {id for id in sorted(sees) if id not in self._things or self._rng.random() >= self.noise.drop_object}
        actions = self._actions(world, sees)
        self._see_furniture(world, sees)
        self._see_people(world, sees)
        self._see_things(world, sees, mine.inspected)
        self._follow(actions)
        graph = SceneGraph(world.time, dict(self._entities), frozenset(self._relations(world, sees)), self._views(sights, sees),
                           self._inspections(sights, sees), self._count)
        return graph, actions

    # ---- inside ----

    def _know_the_home(self, furniture: bool) -> None:
        for room in self.home.rooms:
            size = (room.high[0] - room.low[0], room.high[1] - room.low[1], self.home.wall_height)
            center = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2, size[2] / 2)
            self._entities[room.id] = Entity(room.id, room.cls, center, size, visible=False, tracking=Tracking.OCCLUDED)
        for door in self.home.doorways:
            openness = Openness.UNKNOWN if door.leaf else Openness.NONE
            self._entities[door.id] = Entity(door.id, "door", (*door.center, 1.0), (0.1, door.width, 2.0), door.yaw, openness,
                                             Tracking.OCCLUDED, False)
        for item in self.home.furniture if furniture else ():
            if classes.get(item.cls).kind is not Kind.OBSTACLE:
                unknown = Openness.UNKNOWN if opens(item.cls) else Openness.NONE
                self._entities[item.id] = self._piece(item, item.position, item.yaw, unknown, False, 0.0)

    def _piece(self, item, position, yaw, openness, visible, stamp, on=None) -> Entity:
        center = (position[0], position[1], position[2] + item.size[2] / 2)
        return Entity(item.id, item.cls, center, (item.size[1], item.size[0], item.size[2]), yaw, openness,
                      Tracking.VISIBLE if visible else Tracking.OCCLUDED, visible, stamp, 1.0, switched_on=on)

    def _see_furniture(self, world: "EmbeddedWorld", sees: set[str]) -> None:
        """Pieces in view; and that a lamp of this room has gone out shows in the dark, wherever one looks."""
        state, here = world.state, world.room_of(self.viewer)
        dark = state.light < _DIMMED * self.home.light
        for id, item in self._pieces.items():
            known = self._entities.get(id)
            if id in sees:
                openness = Openness.NONE
                if id in state.openness:
                    openness = Openness.OPEN if state.openness[id] >= WIDE_OPEN else Openness.CLOSED
                position, yaw = state.moved.get(id, (item.position, item.yaw))
                self._entities[id] = self._piece(item, position, yaw, openness, True, world.time, state.switched_on.get(id))
            elif known is not None:
                gone_out = known.switched_on is not False and item.cls == "lamp" and item.room == here and dark and not state.switched_on[id]
                on = known.switched_on is None if gone_out else known.switched_on  # of one never looked at it is told first that it was on
                self._entities[id] = replace(known, visible=False, tracking=Tracking.OCCLUDED, switched_on=on)
        for door in self.home.doorways:
            if door.leaf and here in door.rooms:
                openness = Openness.OPEN if state.openness[door.id] >= WIDE_OPEN else Openness.CLOSED
                self._entities[door.id] = replace(self._entities[door.id], openness=openness, last_seen=world.time)

    def _see_people(self, world: "EmbeddedWorld", sees: set[str]) -> None:
        for person in self.home.people:
            id, known = person.id, self._entities.get(person.id)
            if id in sees:
                body = world.state.people[id]
                x, y = self._jitter(body.position)
                self._entities[id] = Entity(id, "person", (x, y, 0.0), (0.35, 0.5, person.height), body.yaw, Openness.NONE,
                                            Tracking.VISIBLE, True, world.time, 1.0, body.posture, wrap(body.head_yaw))
                self._where[id] = (RelationKind.IN_ROOM, world.room_of(id) or "")
            elif known is not None and known.visible:
                self._entities[id] = replace(known, visible=False, tracking=Tracking.OCCLUDED)
        if self.viewer == ROBOT:
            pose = world.state.robot
            self._entities[ROBOT] = Entity(ROBOT, "robot", (*pose.position, 0.0), (0.45, 0.45, 1.2), pose.yaw, visible=True,
                                           last_seen=world.time, gaze_yaw=wrap(pose.yaw + pose.head_yaw))
            self._where[ROBOT] = (RelationKind.IN_ROOM, world.room_of(ROBOT) or "")

    def _see_things(self, world: "EmbeddedWorld", sees: set[str], inspected: frozenset[str]) -> None:
        for id, thing in self._things.items():
            known = self._entities.get(id)
            if id in sees:
                there = world.state.things[id]
                width, depth, height = size_of(thing)
                x, y = self._jitter(there.position[:2])
                held = there.at in world.performers
                self._entities[id] = Entity(id, thing.cls, (x, y, there.position[2]), (depth, width, height), there.yaw, Openness.NONE,
                                            Tracking.HELD if held else Tracking.VISIBLE, True, world.time)
                self._where[id] = (self._relation_to(there.at), there.at)
            elif known is not None:
                self._entities[id] = self._remember(world, known, inspected, sees)

    def _remember(self, world: "EmbeddedWorld", known: Entity, inspected: frozenset[str], sees: set[str]) -> Entity:
        """Out of sight: occluded, shut in, carried off, or gone from where it was."""
        kind, place = self._where.get(known.id, (RelationKind.IN_ROOM, ""))
        if kind is RelationKind.HOLDS:
            tracking = Tracking.HELD if known.tracking is not Tracking.LOST else Tracking.LOST
        elif place in inspected:
            tracking = Tracking.LOST
        elif known.tracking is Tracking.LOST:
            tracking = Tracking.LOST
        elif place in self._entities and self._entities[place].openness is Openness.CLOSED:
            tracking = Tracking.CONTAINED
        else:
            tracking = Tracking.OCCLUDED
        if tracking is Tracking.LOST:
            self._where.pop(known.id, None)
        return known if known.tracking is tracking and not known.visible else replace(known, visible=False, tracking=tracking)

    def _follow(self, actions: list[HumanAction]) -> None:
        """What seen actions imply for what is itself out of sight now: things put into a fridge behind a back, people gone next door."""
        for action in actions:
            actor = self._entities.get(action.actor)
            if action.verb in (Verb.ENTER, Verb.LEAVE) and actor is not None and not actor.visible:
                room = action.target if action.verb is Verb.ENTER else self._next_door(action.target, actor)
                self._where[action.actor] = (RelationKind.IN_ROOM, room)
            known = self._entities.get(action.target or "")
            if known is None or known.visible or action.end is None:
                continue
            if action.verb in (Verb.PUTIN, Verb.PUTON, Verb.DROP, Verb.GIVE) and action.place:
                self._where[known.id] = (self._relation_to(action.place), action.place)
                anchor = self._entities.get(action.place)
                tracking = Tracking.HELD if action.verb is Verb.GIVE else Tracking.CONTAINED if action.verb is Verb.PUTIN else Tracking.OCCLUDED
                self._entities[known.id] = replace(known, tracking=tracking, last_seen=action.end,
                                                   position=anchor.position if anchor else known.position)
            elif action.verb is Verb.PICK:
                self._where[known.id] = (RelationKind.HOLDS, action.actor)
                self._entities[known.id] = replace(known, tracking=Tracking.HELD, last_seen=action.end)

    def _next_door(self, room: str, person: Entity) -> str:
        """Behind the doorway of ``room`` nearest to where somebody was last seen."""
        doors = [d for d in self.home.doorways if room in d.rooms]
        nearest = min(doors, key=lambda d: (math.dist(d.center, person.position[:2]), d.id), default=None)
        return next((r for r in nearest.rooms if r != room), room) if nearest else room

    def _relation_to(self, at: str) -> RelationKind:
        if at in self._pieces:
            return RelationKind.INSIDE if classes.get(self._pieces[at].cls).kind is Kind.CONTAINER else RelationKind.ON
        return RelationKind.IN_ROOM if at in {r.id for r in self.home.rooms} else RelationKind.HOLDS

    def _relations(self, world: "EmbeddedWorld", sees: set[str]) -> list[Relation]:
        relations = []
        for id, (kind, place) in self._where.items():
            if kind is RelationKind.HOLDS:
                relations.append(Relation(place, kind, id))
                room = self._room_known(place)
            else:
                relations.append(Relation(id, kind, place))
                room = place if kind is RelationKind.IN_ROOM else self._place_room.get(place)
            if room and kind is not RelationKind.IN_ROOM:
                relations.append(Relation(id, RelationKind.IN_ROOM, room))
        relations += [Relation(id, RelationKind.IN_ROOM, room) for id, room in self._place_room.items() if id in self._entities]
        relations += self._people_relations(sees)
        return relations

    def _room_known(self, id: str) -> str | None:
        kind, place = self._where.get(id, (None, None))
        return place if kind is RelationKind.IN_ROOM else None

    def _people_relations(self, sees: set[str]) -> list[Relation]:
        """close and facing, for the people in view."""
        people = [self._entities[p.id] for p in self.home.people if p.id in sees]
        if not people:
            return []
        others = [e for e in self._entities.values() if e.visible and e.kind not in (Kind.ROOM, Kind.DOOR)]
        at = np.array([e.position[:2] for e in others])
        half = np.array([min(e.extents[:2]) / 2 for e in others])
        result = []
        for person in people:
            delta = at - np.array(person.position[:2])
            gap = np.hypot(delta[:, 0], delta[:, 1]) - half
            off = np.abs((np.arctan2(delta[:, 1], delta[:, 0]) - (person.gaze_yaw or 0.0) + math.pi) % (2 * math.pi) - math.pi)
            for other, g, o in zip(others, gap.tolist(), off.tolist()):
                if other.id == person.id:
                    continue
                if g <= _CLOSE:
                    result.append(Relation(person.id, RelationKind.CLOSE, other.id))
                if g <= _FACING_RANGE and o <= _FACING:
                    result.append(Relation(person.id, RelationKind.FACING, other.id))
        return result

    def _views(self, sights: dict[str, Sight], sees: set[str]) -> dict[str, frozenset[str]]:
        """For the viewer itself and for the people it sees; what a person sees is limited to entities known here."""
        views = {self.viewer: frozenset(sees)}
        for person in self.home.people:
            if person.id in sees:
                views[person.id] = frozenset(i for i in sights[person.id].sees if i in self._entities)
        return views

    def _inspections(self, sights: dict[str, Sight], sees: set[str]) -> dict[str, frozenset[str]]:
        views = {self.viewer: sights[self.viewer].inspected}
        views.update({p.id: sights[p.id].inspected for p in self.home.people if p.id in sees})
        return views

    def _actions(self, world: "EmbeddedWorld", sees: set[str]) -> list[HumanAction]:
        """Those seen, and walks under way of who has come into view since they set out."""
        fresh, self._next_event = world.events[self._next_event:], len(world.events)
        result = []
        for event in fresh:
            action = event.action
            self._unseen.pop(action.actor, None)
            if action.actor != self.viewer:
                if self.viewer not in event.seen_by:
                    if action.verb is Verb.WALKTOWARDS and action.end is None:
                        self._unseen[action.actor] = action
                    continue
                if self._rng.random() < self.noise.drop_event:
                    continue
            if self.noise.witness_error:
                wrong = {p: self._rng.random() < self.noise.witness_error for p in sorted(action.witnesses)}
                action = replace(action, witnesses={p: 1.0 - w if wrong[p] else w for p, w in action.witnesses.items()})
            result.append(action)
        result += [self._unseen.pop(who) for who in sorted(self._unseen.keys() & sees)]
        self._count += len(result)
        return result

    def _jitter(self, point) -> tuple[float, float]:
        if not self.noise.position:
            return (point[0], point[1])
        dx, dy = self._rng.normal(0.0, self.noise.position, 2)
        return (point[0] + float(dx), point[1] + float(dy))
