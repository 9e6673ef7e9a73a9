"""People of the embedded world, whose planner is not the mind's, watched through perfect perception: what calibration is measured on.

An episode is one person in one home with objects laid out anew, one of twelve things to get, and the stream of graphs and events that the mind is fed.
Invariant: the stream holds nothing about what the person thinks or wants; the goal is beside it, for scoring.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.actions import HumanAction
from household.classes import Kind
from household.goals import Goal, get
from household.scene_graph import ROBOT, SceneGraph
from sim_bridges.embedded.home import home_names, load_home
from sim_bridges.embedded.model import Home, Thing
from sim_bridges.embedded.observe import SymbolicObserver
from sim_bridges.embedded.people import Person
from sim_bridges.embedded.visibility import Sight
from sim_bridges.embedded.world import EmbeddedWorld

TWELVE = ("apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle", "book",
          "remotecontrol")
EVERY = 0.4  # seconds between two graphs
_SEATS = ("chair", "stool", "bench", "bed", "sofa")


@dataclass(frozen=True)
class Recorded:
    """``stream``: (graph, events before it). ``person``: the one watched; ``goal``: what they really wanted; ``reached``: stamp or None."""

    home: str
    seed: int
    person: str
    goal: Goal
    stream: tuple[tuple[SceneGraph, tuple[HumanAction, ...]], ...]
    reached: float | None


class AllSeeing:
    """The world as a robot with eyes in every room sees it; everything else is the world's own."""

    def __init__(self, world: EmbeddedWorld):
        self._world = world

    def __getattr__(self, name: str):
        return getattr(self._world, name)

    @property
    def events(self):
        return [replace(e, seen_by=e.seen_by | {ROBOT}) for e in self._world.events]

    def look(self) -> dict[str, Sight]:
        world = self._world
        every = frozenset(world.things) | frozenset(world.pieces) | frozenset(world.people)
        return {**world.look(), ROBOT: Sight(every, frozenset(world.pieces) | frozenset(world.rooms))}


def laid_out(home: Home, rng: np.random.Generator) -> Home:
    """The home with one or two of each of the twelve, put at random where there is room, and one person somewhere."""
    places = [f for f in home.furniture if f.heights and classes.get(f.cls).kind in (Kind.CONTAINER, Kind.SURFACE) and f.cls not in _SEATS]
    things, load = [], dict.fromkeys((f.id for f in places), 0)
    for cls in TWELVE:
        for n in range(1 + int(rng.random() < 0.3)):
            free = [f for f in places if load[f.id] < 3]
            place = free[int(rng.integers(len(free)))]
            load[place.id] += 1
            things.append(Thing(f"{cls}_{n + 1}", cls, place.id))
    person = home.people[int(rng.integers(len(home.people)))]
    start = home.people[int(rng.integers(len(home.people)))]
    return replace(home, things=tuple(things), people=(replace(person, position=start.position, yaw=start.yaw),))


def record(home_name: str, seed: int, limit: float = 90.0) -> Recorded:
    """One episode; deterministic in its arguments. Raises ValueError when no layout of this home works out."""
    base = load_home(home_name)
    for attempt in range(8):
        rng = np.random.default_rng([seed, attempt, 5])
        home = laid_out(base, rng)
        goal = get(TWELVE[int(rng.integers(len(TWELVE)))])
        person = home.people[0].id
        mind = Person(home, person, seed, goal)
        try:
            world = EmbeddedWorld(home, seed, {person: mind})
        except ValueError:
            continue  # an object did not fit where it was drawn
        return _run(world, home_name, seed, person, mind, goal, limit)
    raise ValueError(f"{home_name}, seed {seed}: no layout found in 8 attempts")


def _run(world: EmbeddedWorld, name: str, seed: int, person: str, mind: Person, goal: Goal, limit: float) -> Recorded:
    eyes, view = AllSeeing(world), SymbolicObserver(world.home)
    stream = []
    while world.time < limit and mind.reached_at is None:
        world.advance(EVERY)
        graph, events = view.observe(eyes)  # type: ignore[arg-type]
        stream.append((graph, tuple(events)))
    return Recorded(name, seed, person, goal, tuple(stream), mind.reached_at)


def homes() -> tuple[str, ...]:
    return tuple(home_names())
