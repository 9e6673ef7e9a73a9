"""The embedded home as it lives: owns the state, moves everybody in fixed steps of time, and says who could see what.

People are driven by controllers (a script, then a mind of their own: ``people``), the robot by whoever holds its body. All of them act
through :class:`~sim_bridges.embedded.body.Performer`. Nothing here renders.
Invariants: time moves only in :meth:`advance`, in whole steps of ``STEP`` seconds; the same home, seed, story and robot actions give the
same sequence of states, events and utterances; an object is always at exactly one place, room or person.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from household import classes
from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.scene_graph import ROBOT
from sim_bridges.embedded import fittings, spots
from sim_bridges.embedded.attention import Attention
from sim_bridges.embedded.body import ROBOT_PLAN, Performer, plan_of
from sim_bridges.embedded.figures_pose import held_position
from sim_bridges.embedded.geometry import contains, turn
from sim_bridges.embedded.home import HomeError
from sim_bridges.embedded.model import Home, PersonState, RobotState, ThingState, Vec3, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, NavMap
from sim_bridges.embedded.surroundings import Surroundings
from sim_bridges.embedded.visibility import Sight, SightMap, viewer_of

STEP = 0.05  # seconds
LOOK_EVERY = 4  # steps between two glances of everybody: 0.2 s
EARSHOT = 3.5  # metres through an open door; in the same room everybody hears
_CROSSED = 0.06  # metres inside a room before it counts as entered


class Controller(Protocol):
    """What decides for one person. Asked only through these calls, in this order, at every glance and when idle."""

    def sense(self, world: "EmbeddedWorld", sight: Sight) -> bool:
        """Takes in what is seen now; True: drop the running action and ask again."""

    def witness(self, world: "EmbeddedWorld", event: HumanAction) -> None:
        """Sees somebody (or itself) do something."""

    def act(self, world: "EmbeddedWorld") -> AtomicAction | None:
        """The next action of an idle body, or None to stand."""

    def done(self, world: "EmbeddedWorld", action: AtomicAction, problem: str) -> None:
        """An action ended; ``problem`` is '' when it worked."""

    def hear(self, world: "EmbeddedWorld", utterance: Utterance) -> bool:
        """Takes in what was said in earshot; True: drop the running action and ask again."""

    def receive(self, world: "EmbeddedWorld", thing: str, giver: str) -> bool:
        """Something was put into the hand; True: drop the running action and ask again."""


class Director(Protocol):
    """What happens by itself, and when the story is over."""

    def tick(self, world: "EmbeddedWorld") -> None: ...

    def finished(self, world: "EmbeddedWorld") -> bool: ...


Staged = tuple[Home, Mapping[str, Controller], Director | None]


@dataclass(frozen=True)
class TrueEvent:
    """What happened, and the ids of everybody (ROBOT too) in whose sight the actor then was."""

    action: HumanAction
    seen_by: frozenset[str]


class EmbeddedWorld(Surroundings):
    """One home, alive. ``controllers``: person id → who decides for them; without one a person stands still."""

    step = STEP

    def __init__(self, home: Home, seed: int = 0, controllers: Mapping[str, Controller] | None = None,
                 director: Director | None = None, restage: Callable[[int], Staged] | None = None):
        """``restage``: makes home, controllers and director anew for a seed; without it a reset keeps those given here."""
        self._restage = restage
        self._settle(home, controllers or {}, director)
        self._begin(seed)

    def reset(self, seed: int) -> None:
        """Back to the beginning. A story is staged anew; controllers given by hand keep their own state."""
        if self._restage is not None:
            self._settle(*self._restage(seed))
        self._begin(seed)

    def _settle(self, home: Home, controllers: Mapping[str, Controller], director: Director | None) -> None:
        self.home, self.director = home, director
        self.nav, self.sight_map = NavMap.of(home), SightMap(home)
        self.rooms = {r.id: r for r in home.rooms}
        self.pieces = {f.id: f for f in home.furniture}
        self.things = {t.id: t for t in home.things}
        self.people = {p.id: p for p in home.people}
        self.doors = {d.id: d for d in home.doorways}
        self.controllers: dict[str, Controller] = dict(controllers)

    def _begin(self, seed: int) -> None:
        self.seed, self._ticks, self._rest = seed, 0, 0.0
        self.rng = np.random.default_rng([seed, 0])
        self.events: list[TrueEvent] = []
        self.utterances: list[Utterance] = []
        self._heard = 0
        self.state = self._first_state()
        self.performers = {p.id: Performer(self, p.id, plan_of(p)) for p in self.home.people}
        self.performers[ROBOT] = Performer(self, ROBOT, ROBOT_PLAN)
        self.in_room = {id: self._room_at(body.position) for id, body in self.performers.items()}
        self.attention = Attention()
        self._sights_before: dict[str, Sight] = {}
        self.sights: dict[str, Sight] = {}
        self._sight_tick = -1
        self.look()

    @property
    def finished(self) -> bool:
        """Whether the story, if there is one, is over."""
        return self.director is not None and self.director.finished(self)

    # ---- time ----

    @property
    def time(self) -> float:
        return self.state.time

    def advance(self, seconds: float) -> None:
        """Moves the world on by ``seconds`` (what is left of a step is kept for the next call)."""
        if not 0.0 <= seconds <= 3600.0:
            raise ValueError(f"seconds: {seconds} must be 0 to 3600")
        whole = (self._rest + seconds) / STEP
        count = int(math.floor(whole + 1e-6))
        self._rest = max(0.0, (whole - count) * STEP)
        for _ in range(count):
            self._tick()
        self._carry()

    def _tick(self) -> None:
        self._ticks += 1
        self.state.time = round(self._ticks * STEP, 6)
        if self.director is not None:
            self.director.tick(self)
        glance = self._ticks % LOOK_EVERY == 0
        if glance:
            self._carry()
            self.look()
        for id, controller in self.controllers.items():
            body = self.performers[id]
            if glance and controller.sense(self, self.sights[id]) and body.busy:
                self._interrupt(id, "something new was seen")
            if not body.busy:
                action = controller.act(self)
                if action is not None:
                    body.start(action)
            running = body.action if body.busy else None
            body.tick()
            if running is not None and not body.busy:
                controller.done(self, running, body.report.reason)
        for id, body in self.performers.items():
            if id not in self.controllers:
                body.tick()
        if glance:
            self.attention.step(self)

    def _interrupt(self, id: str, reason: str) -> None:
        body = self.performers[id]
        action = body.action
        body.stop(reason)
        self.controllers[id].done(self, action, reason)

    def _carry(self) -> None:
        """Held things are where the hand is."""
        for name, thing in self.state.things.items():
            if thing.hand is None:
                continue
            holder = self.performers[thing.at]
            pose = holder.pose
            thing.yaw = pose.yaw
            if thing.at == ROBOT:
                x, y = turn((0.42, 0.0), pose.yaw)
                thing.position = (pose.position[0] + x, pose.position[1] + y, 0.95)
            else:
                height = spots.size_of(self.things[name])[2]
                thing.position = held_position(self.people[thing.at], pose, thing.hand, height)

    def look(self) -> dict[str, Sight]:
        """What every person and the robot sees at this very step."""
        if self._sight_tick != self._ticks or not self.sights:
            viewers = [viewer_of(self.home, self.state, id) for id in self.performers]
            self._sights_before = self.sights
            self.sights = self.sight_map.look(self.state, viewers)
            self._sight_tick = self._ticks
        return self.sights

    # ---- what changes ----

    def make_way(self, body: Performer) -> None:
        """Whoever stands idle in the way of ``body`` steps aside, the robot too."""
        for id, other in self.performers.items():
            if other is body or math.dist(other.position, body.position) > 0.95:
                continue
            if other.busy and id in self.controllers and other.action.verb is Verb.LOOKAT:
                self._interrupt(id, "made way")
            if not other.busy:
                other.step_aside(body)

    def occupied(self, body: Performer) -> bool:
        """Whether it does something for which it stays where it is: who only looks on makes way."""
        return body.busy and body.action is not None and body.action.verb is not Verb.LOOKAT

    def hold(self, id: str, thing_id: str) -> None:
        thing = self.state.things[thing_id]
        busy = {t.hand for t in self.state.things.values() if t.at == id}
        previous = thing.at
        thing.at, thing.hand = id, "right" if "right" not in busy else "left"
        if previous == ROBOT:
            self.state.robot.holding = None
        if id == ROBOT:
            self.state.robot.holding = thing_id
        self._carry()

    def put(self, thing_id: str, place: str, position: Vec3, yaw: float) -> None:
        thing = self.state.things[thing_id]
        if thing.at == ROBOT:
            self.state.robot.holding = None
        thing.at, thing.hand, thing.position, thing.yaw = place, None, position, yaw

    def handed(self, thing: str, giver: str, receiver: str) -> None:
        controller = self.controllers.get(receiver)
        if controller is not None and controller.receive(self, thing, giver) and self.performers[receiver].busy:
            self._interrupt(receiver, "was handed something")

    def speak(self, speaker: str, text: str, addressee: str | None = None) -> None:
        """Says a sentence; those in the same room or close by hear it."""
        here, room = self.performers[speaker].position, self.room_of(speaker)
        hearers = tuple(sorted(id for id, body in self.performers.items() if id != speaker
                               and (self.room_of(id) == room or math.dist(body.position, here) <= EARSHOT)))
        utterance = Utterance(speaker, text, self.time, addressee, hearers)
        self.utterances.append(utterance)
        for id in hearers:
            controller = self.controllers.get(id)
            if controller is not None and controller.hear(self, utterance) and self.performers[id].busy:
                self._interrupt(id, "was told something")

    def heard(self) -> list[Utterance]:
        """Utterances since the last call, oldest first."""
        new, self._heard = self.utterances[self._heard:], len(self.utterances)
        return new

    def emit(self, actor: str, verb: Verb, target: str | None = None, place: str | None = None, *, start: float | None = None,
             ongoing: bool = False, room: str | None = None) -> None:
        """Records what an actor just did and who could see them do it."""
        sights = self.look()
        seen_by = tuple(id for id, sight in sights.items() if actor in sight.sees or id == actor
                            or (actor == ROBOT and self._sees_robot(id)))
        if verb is Verb.LEAVE:  # seen going, even by whom the door frame hides them from at the very last step
            seen_by += tuple(id for id, sight in self._sights_before.items() if actor in sight.sees)
        witnesses = {id: 1.0 if id in seen_by else 0.0 for id in self.people if id != actor}
        action = HumanAction(actor, verb, target, place, room or self.room_of(actor), self.time if start is None else start,
                             None if ongoing else self.time, 1.0, witnesses)
        self.events.append(TrueEvent(action, frozenset(seen_by)))
        for id in dict.fromkeys(seen_by):
            if id in self.controllers:
                self.controllers[id].witness(self, action)

    def _sees_robot(self, viewer: str) -> bool:
        return viewer in self.people and self.sight_map.can_see(
            self.state, viewer_of(self.home, self.state, viewer), (*self.state.robot.position, 1.1))

    def note_crossing(self, body: Performer) -> None:
        """Reports leaving and entering once a body is well inside another room."""
        old = self.in_room[body.id]
        if old is not None and contains(self.rooms[old], body.position, -_CROSSED):
            return
        new = self._room_at(body.position)
        if new is None or new == old:
            return
        if old is not None:
            self.emit(body.id, Verb.LEAVE, old, room=old)
        self.in_room[body.id] = new
        self.emit(body.id, Verb.ENTER, new, room=new)

    # ---- the beginning ----

    def _first_state(self) -> WorldState:
        home = self.home
        state = WorldState(0.0, light=home.light)
        for person in home.people:
            state.people[person.id] = PersonState(person.position, person.yaw, person.yaw, posture=person.posture)
        state.robot = RobotState(home.robot.position, home.robot.yaw, 0.0, home.robot.camera_pitch)
        for item in home.furniture:
            if fittings.opens(item.cls):
                state.openness[item.id] = 1.0 if item.open else 0.0
            if classes.get(item.cls).switchable:
                state.switched_on[item.id] = item.on
        for door in home.doorways:
            if door.leaf:
                state.openness[door.id] = 1.0 if door.open else 0.0
        for thing in home.things:
            self._first_spot(state, thing)
        return state

    def _first_spot(self, state: WorldState, thing) -> None:
        if thing.at in self.people:
            held = sum(t.at == thing.at for t in state.things.values())
            person = self.people[thing.at]
            hand = ("right", "left")[min(held, 1)]
            middle = held_position(person, state.people[person.id], hand, spots.size_of(thing)[2])
            state.things[thing.id] = ThingState(middle, person.yaw, person.id, hand)
            return
        position, yaw = thing.position, thing.yaw
        if position is None and thing.at in self.pieces:
            item = self.pieces[thing.at]
            position, yaw = spots.free_spot(self.home, state, thing, item, self.rng), item.yaw
        elif position is None:
            room = self.rooms[thing.at]
            middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
            near = self.nav.nearest_free(middle, PERSON_RADIUS, within=3.0) or middle
            position = spots.free_floor_spot(self.home, state, thing, room, near, self.rng)
        if position is None:
            raise HomeError(self.home.name, 1, thing.id, f"there is no free room for it at '{thing.at}'")
        state.things[thing.id] = ThingState(position, yaw, thing.at)

