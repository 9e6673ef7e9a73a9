"""A simulated person's mind: a belief of their own, a goal, and the habit of looking where it seems worth it.

The person knows only what :class:`~sim_bridges.embedded.memory.Memory` holds: what they saw, did and heard. They decide one atomic
action at a time (``errands`` says which), notice on the way when the thing is in sight or the place they go to turns out empty,
believe people mostly, take what is handed to them, pause, get distracted and forget a little. All chance comes from their own
generator. They plan by rules of thumb, step by step; that is deliberate (see ``search``): whoever infers their mind must cope with
people who are not its model.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.goals import NO_GOAL, Goal, GoalKind
from household.scene_graph import ROBOT
from sim_bridges.embedded import errands, hearing
from sim_bridges.embedded.hearing import HeardKind
from sim_bridges.embedded.memory import Memory, holdable
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.visibility import Sight

if TYPE_CHECKING:
    from sim_bridges.embedded.world import EmbeddedWorld

_REACH_EVERY = 6.0  # seconds between stretching out a hand towards what hangs too high
_FORGET_EVERY = 5.0  # seconds
_ASK_EVERY = 20.0


class Manners(str, Enum):
    """What somebody does when asked where a thing is."""

    TRUTHFUL = "truthful"
    LYING = "lying"
    SILENT = "silent"


@dataclass(frozen=True)
class Traits:
    """``temperature``: carelessness of search (0.05 greedy … 1 erratic). ``forgetting``: share of a memory lost a minute.
    ``distraction``: chance of a pause before an action. ``trust``: how far a told place is believed. ``closes``: chance to shut what
    one opened. ``asks``: chance to ask somebody near when unsure. ``manners``: how questions of others are answered."""

    temperature: float = 0.3
    forgetting: float = 0.01
    distraction: float = 0.04
    trust: float = 0.95
    closes: float = 0.9
    asks: float = 0.0
    thanks: float = 0.3
    manners: Manners = Manners.TRUTHFUL

    def __post_init__(self) -> None:
        for name in ("temperature", "forgetting", "distraction", "trust", "closes", "asks", "thanks"):
            value = getattr(self, name)
            if not 0.0 <= value <= (3.0 if name == "temperature" else 1.0):
                raise ValueError(f"{name}: {value} is out of range; allowed: 0 to {3 if name == 'temperature' else 1}")


class Person:
    """The controller of one person. ``goal`` may be set at any time; ``reached_at`` is when it came true."""

    def __init__(self, home: Home, id: str, seed: int, goal: Goal | None = None, traits: Traits | None = None):
        self.id, self.home = id, home
        self.traits = traits or Traits()
        self.rng = np.random.default_rng([seed, 1 + sorted(p.id for p in home.people).index(id)])
        self.memory = Memory(home, id)
        self.goal = goal or NO_GOAL
        self.since = 0.0  # when the goal was taken up
        self.reached_at: float | None = None
        self.stuck = ""  # why it does not get on, in words
        self.at: str | None = None  # the piece it stands before
        self.ask: str | None = None  # who is said to have moved what it wants, and was not asked yet
        self.target: str | None = None  # the place it has decided to look at
        self.opened: set[str] = set()  # what it opened and means to shut
        self.in_the_way: str | None = None  # an obstacle it is about to push aside
        self.avoid: dict[str, float] = {}  # places and things not worth trying before a time
        self.sight = Sight(frozenset(), frozenset())
        self._looked = False  # nobody acts before their first glance
        self._say: deque[AtomicAction] = deque(maxlen=4)
        self._rest_until = 0.0
        self._asked = self._reach_again = -math.inf
        self._next_forgetting = _FORGET_EVERY

    def pursue(self, goal: Goal, now: float) -> None:
        """Takes up another goal."""
        self.goal, self.since, self.reached_at, self.target, self.stuck, self.ask = goal, now, None, None, "", None
        self.avoid.clear()

    @property
    def mind(self) -> "Person":
        """Itself; somebody in a story carries their mind inside the actor."""
        return self

    # ---- Controller ----

    def sense(self, world: "EmbeddedWorld", sight: Sight) -> bool:
        before = {t: self.memory.best(t) for t in self._wanted()}
        self.sight, self._looked = sight, True
        things = world.state.things
        seen = {t: things[t].at for t in sight.sees if t in things}
        people = [p for p in sight.sees if p in world.people or p == ROBOT]
        self.memory.see(seen, sight.inspected, people, world.time)
        if world.time >= self._next_forgetting:
            self._next_forgetting += _FORGET_EVERY
            self.memory.forget(self.traits.forgetting * _FORGET_EVERY / 60.0)
            self.memory.see(seen, sight.inspected, people, world.time)
        if not before or self.reached_at is not None:
            return False
        walking = world.performers[self.id].heading is not None
        found = any(t in seen and self.id != seen[t] and before[t] != (seen[t], 1.0) for t in before)
        wasted = walking and self.target is not None and self.goal.kind is not GoalKind.NONE and self._hopeless()
        if found or wasted:
            self.target = None
        return walking and (found or wasted)

    def witness(self, world: "EmbeddedWorld", event: HumanAction) -> None:
        """Seeing somebody take or put something tells where it is, even where the thing itself was hidden by their back."""
        if event.target not in self.memory.things or event.end is None:
            return
        if event.verb is Verb.PICK:
            self.memory.know(event.target, event.actor, event.end)
        elif event.verb in (Verb.PUTIN, Verb.PUTON, Verb.DROP, Verb.GIVE) and event.place in self.memory.columns:
            self.memory.know(event.target, event.place, event.end)

    def act(self, world: "EmbeddedWorld") -> AtomicAction | None:
        now = world.time
        if not self._looked or (now < self._rest_until and not self._say):
            return None
        if self._say:
            return self._say.popleft()
        if self.goal.kind is not GoalKind.NONE and self.reached_at is None:
            if self.rng.random() < self.traits.distraction:
                return self._linger(world)
            action = self._maybe_ask(world) or errands.next_action(self, world)
            if action is not None:
                return action
            self._rest_until = now + 1.0
            return None
        if (shut := errands.shut_behind(self, world, always=True)) is not None:
            return shut
        self._rest_until = now + float(self.rng.uniform(1.0, 3.0))
        return self._linger(world) if self.rng.random() < 0.3 else None

    def done(self, world: "EmbeddedWorld", action: AtomicAction, problem: str) -> None:
        errands.learn(self, world, action, problem)
        if problem and world.performers[self.id].report.status.value == "failed":
            self.stuck = problem
            self._rest_until = world.time + float(self.rng.uniform(0.6, 1.2))
            if "too high" in problem and world.time >= self._reach_again:
                self._say.extend(AtomicAction(Verb.REACHFOR, (thing,)) for thing in self._wanted()[:1])
                self._reach_again = world.time + _REACH_EVERY

    def hear(self, world: "EmbeddedWorld", utterance: Utterance) -> bool:
        heard = hearing.understand(utterance.text, self.home)
        if heard.kind is HeardKind.QUESTION:
            if utterance.addressee in (None, self.id):
                self._answer(world, utterance.speaker, heard)
            return False
        if heard.kind is HeardKind.NOTHING or heard.mover == self.id:
            return False  # what they did themselves they know better
        trust, now = self.traits.trust, world.time
        unsure = [t for t in heard.things if t not in self.sight.sees]
        if heard.kind is HeardKind.MOVED:
            unsure = [t for t in unsure if self.memory.best(t)[1] > 0.3]
            for thing in unsure:
                self.memory.told_moved(thing, trust, now)
        else:
            self.memory.told(unsure, heard.places, trust, now, heard.kind is HeardKind.NOT_AT)
        concerns_me = bool(set(unsure) & set(self._wanted())) and self.reached_at is None
        if concerns_me:
            self.target, self.ask = None, heard.mover
            for place in heard.places:
                self.avoid.pop(place, None)
            if utterance.addressee == self.id and self.rng.random() < self.traits.thanks:
                self._say.append(AtomicAction(Verb.SAY, ("Thank you.", utterance.speaker)))
        return concerns_me

    def receive(self, world: "EmbeddedWorld", thing: str, giver: str) -> bool:
        self.memory.know(thing, self.id, world.time)
        if thing in self._wanted():
            self.target, self.stuck = None, ""
            if self.rng.random() < self.traits.thanks:
                self._say.append(AtomicAction(Verb.SAY, ("Thank you.", giver)))
            return True
        return False

    def wanted_things(self) -> list[str]:
        """Ids of the things the goal is about."""
        return self._wanted()

    # ---- inside ----

    def _wanted(self) -> list[str]:
        """Things the goal is about."""
        if self.goal.kind in (GoalKind.NONE, GoalKind.REACH, GoalKind.SWITCH):
            return []
        return [id for target in self.goal.targets for id in holdable(self.home, target)]

    def _hopeless(self) -> bool:
        """Whether the place it walks to has turned out not to hold what it wants."""
        if self.target not in self.memory.columns or self.target in self.opened or self.target == self.ask:
            return False
        return all(self.memory.p(t, self.target) < 0.01 for t in self._wanted()) and not self._carrying()

    def _carrying(self) -> bool:
        return any(self.memory.p(t, self.id) > 0.99 for t in self._wanted())

    def _linger(self, world: "EmbeddedWorld") -> AtomicAction:
        """A pause or a glance at something in view."""
        seen = sorted(i for i in self.sight.sees if i in world.people or i in world.pieces)
        if seen and self.rng.random() < 0.6:
            return AtomicAction(Verb.LOOKAT, (seen[int(self.rng.integers(len(seen)))],))
        return AtomicAction(Verb.WAIT, (f"{self.rng.uniform(0.5, 2.0):.1f}",))

    def _maybe_ask(self, world: "EmbeddedWorld") -> AtomicAction | None:
        wanted = self._wanted()
        if not wanted or self.traits.asks <= 0 or world.time - self._asked < _ASK_EVERY or self._carrying():
            return None
        near = [p for p in sorted(self.sight.sees) if (p in world.people or p == ROBOT) and world.room_of(p) == world.room_of(self.id)]
        unsure = min(self.memory.entropy(t) for t in wanted) > 1.0
        if not near or not unsure or self.rng.random() > self.traits.asks:
            return None
        self._asked = world.time
        return AtomicAction(Verb.SAY, (hearing.question_for(world.things[wanted[0]].cls), near[0]))

    def _answer(self, world: "EmbeddedWorld", asker: str, heard: hearing.Heard) -> None:
        mine = [t for t in heard.things if self.memory.p(t, self.id) > 0.99 and t not in self._wanted()]
        if mine:
            self._say.extend((AtomicAction(Verb.WALK, (asker,)), AtomicAction(Verb.GIVE, (mine[0], asker))))
            return
        known = [(t, self.memory.best(t)) for t in heard.things]
        known = [(t, place) for t, (place, p) in known if p > 0.6 and place in self.memory.places]
        if not known or self.traits.manners is Manners.SILENT:
            return
        thing, place = known[0]
        if self.traits.manners is Manners.LYING:
            row = self.memory.prior[self.memory.things.index(thing)]
            others = [p for i, p in enumerate(self.memory.places) if p != place and row[i] > 0.005]
            place = others[int(self.rng.integers(len(others)))] if others else place
        self._say.append(AtomicAction(Verb.SAY, (hearing.answer_for(self.home, thing, place), asker)))
