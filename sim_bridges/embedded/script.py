"""Playing a story: each person's steps in order, waiting for one another where the story says so, then their own mind takes over.

A step is what a person would call it ("put the apple into the fridge"); here it becomes the walking, opening, taking and shutting it
needs, worked out from what is really there, because a story tells what happens, not what somebody believes. All the while the person's
own mind watches and remembers, so that it takes over with exactly the beliefs the story gave it.
Invariant: a step that cannot be done three times over is skipped and named in ``Director.problems``; the story goes on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.classes import Kind
from household.goals import GoalKind
from household import classes
from sim_bridges.contract import StepStatus
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.people import Person
from sim_bridges.embedded.staging import Stage
from sim_bridges.embedded.story_file import Happening, Part, Step, Story
from sim_bridges.embedded.visibility import Sight

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

_TRIES = 3
_HANDY = 1.3  # metres within which one need not walk first


class Director:
    """Which steps are over, what just happens, and when the story ends."""

    def __init__(self, story: Story, stage: Stage):
        self.story, self.stage = story, stage
        self.over: dict[str, float] = {}
        self.problems: list[str] = []
        self._waiting: list[Happening] = list(story.happenings)
        self._goal_owners = [id for id, goal in stage.goals.items() if goal is not None and goal.kind is not GoalKind.NONE]
        self._steps = {s.id for steps in stage.steps.values() for s in steps}

    def tick(self, world: "EmbeddedWorld") -> None:
        for happening in list(self._waiting):
            due = happening.at is not None and world.time >= happening.at
            if due or (happening.after and all(a in self.over for a in happening.after)):
                self._waiting.remove(happening)
                self._happen(world, happening)

    def finished(self, world: "EmbeddedWorld") -> bool:
        """All scripted and every goal reached a few seconds ago, or the limit passed."""
        if world.time >= self.story.limit:
            return True
        ends = [self.over.get(s) for s in self._steps]
        ends += [world.controllers[id].mind.reached_at for id in self._goal_owners]
        if any(e is None for e in ends):
            return False
        return world.time >= max(ends, default=0.0) + self.story.after_goal

    def _happen(self, world: "EmbeddedWorld", happening: Happening) -> None:
        if happening.light is not None:
            world.state.light = happening.light
        if happening.device is not None:
            world.state.switched_on[self.stage.names.get(happening.device, happening.device)] = happening.on
        self.over[happening.id] = world.time


class Actor:
    """The controller of one person in a story: the script first, then ``mind``."""

    def __init__(self, mind: Person, part: Part, steps: tuple[Step, ...], goal, director: Director, seed: int):
        self.mind, self._part, self._steps, self._goal, self._director = mind, part, steps, goal, director
        self._rng = np.random.default_rng([seed, 3, *part.id.encode()])
        self._index, self._tries = 0, 0
        self._moves: Iterator[AtomicAction] | None = None
        self._not_before: float | None = None
        self._looked = -math.inf
        self._failed = ""

    @property
    def scripted(self) -> bool:
        """Whether the script still has the say."""
        return self._index < len(self._steps) or self.mind.goal is not self._goal and self._goal is not None

    def sense(self, world: "EmbeddedWorld", sight: Sight) -> bool:
        wanted = self.mind.sense(world, sight)
        return wanted and not self.scripted

    def witness(self, world: "EmbeddedWorld", event: HumanAction) -> None:
        self.mind.witness(world, event)

    def hear(self, world: "EmbeddedWorld", utterance: Utterance) -> bool:
        return self.mind.hear(world, utterance) and not self.scripted

    def receive(self, world: "EmbeddedWorld", thing: str, giver: str) -> bool:
        return self.mind.receive(world, thing, giver) and not self.scripted

    def act(self, world: "EmbeddedWorld") -> AtomicAction | None:
        if self._index < len(self._steps):
            return self._next_move(world, self._steps[self._index])
        if self.scripted:
            if not self._due(world, self._part.goal_after, self._part.goal_wait):
                return None
            self.mind.pursue(self._goal, world.time)
        return self.mind.act(world)

    def done(self, world: "EmbeddedWorld", action: AtomicAction, problem: str) -> None:
        self.mind.done(world, action, problem)
        self._failed = problem if world.performers[self.mind.id].report.status is StepStatus.FAILED else ""

    def _due(self, world: "EmbeddedWorld", after: tuple[str, ...], wait: tuple[float, float]) -> bool:
        if not all(label in self._director.over for label in after):
            return False
        if self._not_before is None:
            self._not_before = world.time + float(self._rng.uniform(*wait))
        if world.time < self._not_before:
            return False
        self._not_before = None
        return True

    def _next_move(self, world: "EmbeddedWorld", step: Step) -> AtomicAction | None:
        if self._moves is None:
            if not self._due(world, step.after, step.wait):
                return None
            self._moves = _moves(world, self.mind.id, step, self._director)
        if self._failed:
            self._retry(world, step)
            return AtomicAction(Verb.WAIT, (f"{self._rng.uniform(0.6, 1.4):.1f}",))
        action = next(self._moves, None)
        if action is None:
            self._end_step(world, step)
        return action

    def _retry(self, world: "EmbeddedWorld", step: Step) -> None:
        self._tries += 1
        if self._tries >= _TRIES:
            self._director.problems.append(f"{world.time:.1f} s: {self.mind.id} could not {step.action}: {self._failed}")
            self._end_step(world, step)
        else:
            self._moves = _moves(world, self.mind.id, step, self._director)
        self._failed = ""

    def _end_step(self, world: "EmbeddedWorld", step: Step) -> None:
        self._director.over[step.id] = world.time
        self._moves, self._tries = None, 0
        self._index += 1


def _moves(world: "EmbeddedWorld", id: str, step: Step, director: Director) -> Iterator[AtomicAction]:
    """The atomic actions of one step, worked out one after the other as the world stands then."""
    action, body = step.action, world.performers[id]
    verb, args = action.verb, action.args
    if verb is Verb.PICK:
        yield from _take(world, id, args[0], step.close)
    elif verb in (Verb.PUTON, Verb.PUTIN):
        if args[0] not in body.held():
            yield from _take(world, id, args[0], step.close)
        shut = _is_shut(world, args[1])
        yield from _stand_before(world, id, args[1])
        if shut:
            yield AtomicAction(Verb.OPEN, (args[1],))
        inside = classes.get(world.pieces[args[1]].cls).kind is Kind.CONTAINER
        yield AtomicAction(Verb.PUTIN if inside else Verb.PUTON, args)
        if shut and step.close:
            yield AtomicAction(Verb.CLOSE, (args[1],))
    elif verb in (Verb.OPEN, Verb.CLOSE, Verb.SWITCHON, Verb.SWITCHOFF, Verb.SIT, Verb.GIVE, Verb.MOVE):
        if args:
            yield from _stand_before(world, id, args[-1])
        yield action
    elif verb is Verb.WATCH:
        yield from _watch(world, id, args[0], step, director)
    elif verb is Verb.WAIT and step.until is not None:
        while step.until not in director.over:
            yield AtomicAction(Verb.WAIT, ("0.2",))
    else:
        yield action


def _take(world: "EmbeddedWorld", id: str, thing: str, close: bool) -> Iterator[AtomicAction]:
    place = world.state.things[thing].at
    if place == id:
        return
    shut = _is_shut(world, place)
    yield from _stand_before(world, id, place if place in world.pieces else thing)
    if shut:
        yield AtomicAction(Verb.OPEN, (place,))
    yield AtomicAction(Verb.PICK, (thing,))
    if shut and close:
        yield AtomicAction(Verb.CLOSE, (place,))


def _stand_before(world: "EmbeddedWorld", id: str, target: str) -> Iterator[AtomicAction]:
    """A walk, unless one stands at its usual spot already."""
    body = world.performers[id]
    item = world.standing(target)
    if item is not None:
        spots = world.nav.approaches(item, body.plan.radius, world.state.moved)
        if any(math.dist(s, body.position) < 0.3 for s in spots):
            return
    elif math.dist(world.locate(target)[:2], body.position) < (0.8 if target in world.performers else _HANDY * 0.6):
        return
    yield AtomicAction(Verb.WALK, (target,))


def _is_shut(world: "EmbeddedWorld", place: str) -> bool:
    return place in world.pieces and opens(world.pieces[place].cls) and world.state.openness.get(place, 0.0) < 0.9


def _watch(world: "EmbeddedWorld", id: str, target: str, step: Step, director: Director) -> Iterator[AtomicAction]:
    """Keeps somebody in view until the step named by ``until`` is over (or for six seconds), moving when the view is blocked."""
    end, lost = world.time + 6.0, 0
    while (step.until not in director.over) if step.until else (world.time < end):
        yield AtomicAction(Verb.LOOKAT, (target,))
        lost = 0 if target in world.look()[id].sees else lost + 1
        if lost >= 2 and world.room_of(target) == world.room_of(id):
            yield AtomicAction(Verb.WALK, (target,))
            lost = 0
        elif lost >= 3 and target in world.performers and step.until:
            yield AtomicAction(Verb.WAIT, ("0.3",))
