"""People of the embedded world living an errand, recorded as acts with what they had seen before each of them.

What somebody had seen comes from the world's own line of sight, tick by tick; it is ground truth for asking questions, never an input of
the mind. Invariant: deterministic in (home, seed); at most ``limit`` seconds of simulated time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from evaluation.embedded_people import TWELVE, laid_out
from household.actions import Verb
from household.classes import class_of
from household.goals import Goal, get
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.people import Person
from sim_bridges.embedded.world import EmbeddedWorld

TICK = 0.4  # seconds between two looks
NEAR = 1.0  # metres
Watcher = Callable[[EmbeddedWorld, str, int], None]
_TOLD = (Verb.ENTER, Verb.WALKTOWARDS, Verb.OPEN, Verb.CLOSE, Verb.PICK, Verb.PUTIN, Verb.PUTON)


@dataclass(frozen=True)
class Deed:
    """One act of ``actor``. ``seen``: things they had in sight before it began; ``looked_in``: places whose contents they had seen by then.

    ``room``: where they were. ``goal``: what they were after. ``near``: places they had come within a metre of by then.
    """

    actor: str
    verb: Verb
    target: str
    time: float
    room: str | None
    seen: frozenset[str]
    looked_in: frozenset[str]
    near: frozenset[str]
    goal: Goal


@dataclass(frozen=True)
class Errand:
    """``at``: thing → place at the start (nothing was moved before the last act told). ``start_room``: person → room."""

    home: Home
    seed: int
    deeds: tuple[Deed, ...]
    at: dict[str, str]
    start_room: dict[str, str]
    closeness: tuple[tuple[str, ...], ...] = ()  # per tick, classes within a metre of the first person

    def of(self, actor: str) -> tuple[Deed, ...]:
        return tuple(d for d in self.deeds if d.actor == actor)


@dataclass
class _Watch:
    """What one person has seen so far."""

    seen: set[str] = field(default_factory=set)
    looked_in: set[str] = field(default_factory=set)
    near: set[str] = field(default_factory=set)


def errand(home_name: str, seed: int, *, people: int = 1, goals: int = 1, limit: float = 150.0, watch: Watcher | None = None) -> Errand:
    """One episode. ``goals``: how many things the first person gets one after another. ``watch(world, person, tick)`` is called after every tick.

    Raises ValueError when no layout works out.
    """
    base = load_home(home_name)
    for attempt in range(8):
        rng = np.random.default_rng([seed, attempt, 17])
        home = _with_people(laid_out(base, rng), base, people, rng)
        wants = [[get(TWELVE[k]) for k in rng.permutation(len(TWELVE))[:goals]] for _ in home.people]
        minds = {p.id: Person(home, p.id, seed, wants[n][0]) for n, p in enumerate(home.people)}
        try:
            world = EmbeddedWorld(home, seed, dict(minds))
        except ValueError:
            continue  # something did not fit where it was drawn
        return _live(world, home, seed, minds, wants, limit, watch)
    raise ValueError(f"{home_name}, seed {seed}: no layout found in 8 attempts")


def _with_people(home: Home, base: Home, people: int, rng: np.random.Generator) -> Home:
    if people == 1 or len(base.people) < 2:
        return home
    first = home.people[0]
    others = [p for p in base.people if p.id != first.id and math.dist(p.position, first.position) > 0.8]
    if not others:
        return home
    return replace(home, people=(first, others[int(rng.integers(len(others)))]))


def _live(world: EmbeddedWorld, home: Home, seed: int, minds: dict[str, Person], wants: list[list[Goal]], limit: float,
          watch: Watcher | None) -> Errand:
    watches = {p: _Watch() for p in minds}
    start = {p: world.room_of(p) or "" for p in minds}
    deeds: list[Deed] = []
    closeness: list[tuple[str, ...]] = []
    first = next(iter(minds))
    done, got = 0, 0
    while world.time < limit:
        before = {p: (frozenset(w.seen), frozenset(w.looked_in), frozenset(w.near)) for p, w in watches.items()}
        world.advance(TICK)
        for event in world.events[done:]:
            a = event.action
            if a.actor in minds and a.verb in _TOLD and a.target and not (a.verb is Verb.WALKTOWARDS and a.end is not None):
                deeds.append(Deed(a.actor, a.verb, a.target, a.start, a.room, *before[a.actor], minds[a.actor].goal))
        done = len(world.events)
        closeness.append(_look(world, minds, watches, first))
        if watch is not None:
            watch(world, first, len(closeness) - 1)
        if minds[first].reached_at is not None:
            got += 1
            if got >= len(wants[0]):
                break
            minds[first].pursue(wants[0][got], world.time)
        if any(m.reached_at is not None for p, m in minds.items() if p != first):
            break
    return Errand(home, seed, tuple(deeds), {t.id: t.at for t in home.things}, start, tuple(closeness))


def _look(world: EmbeddedWorld, minds: dict[str, Person], watches: dict[str, _Watch], first: str) -> tuple[str, ...]:
    sights = world.look()
    close: set[str] = set()
    for p, watch in watches.items():
        watch.seen |= {t for t in sights[p].sees if t in world.things}
        watch.looked_in |= set(sights[p].inspected)
        x, y = world.state.people[p].position
        for piece in world.home.furniture:
            if piece.room == world.room_of(p) and math.hypot(piece.position[0] - x, piece.position[1] - y) - max(piece.size[:2]) / 2 < NEAR:
                watch.near.add(piece.id)
                if p == first:
                    close.add(class_of(piece.id))
    return tuple(sorted(close))
