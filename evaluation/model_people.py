"""People drawn from the mind's own model: the ideal case, in which a correct filter must be calibrated and planted parameters come back.

A person here is one particle that is never weighed: goals end and begin, targets are drawn and given up, and acts are drawn from the policy
itself. What they see follows the symbolic visibility rule in a random home.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from household.goals import Goal, get
from mind import beliefs as belief_model
from mind import filter as exact
from mind import goals as goal_model
from mind import inference, layout as layouts, policy
from mind.config import MindConfig
from mind.inference import Model, PersonState
from mind.layout import Site
from mind.particle import Particles
from mind.policy import Act, ActKind
from mind.visibility import Percept, by_rule, looked_at

CLASSES = ("apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle", "book",
           "remotecontrol")
ROOMS = ("kitchen", "livingroom", "bedroom", "bathroom")
GOALS: tuple[Goal, ...] = tuple(get(c) for c in CLASSES)


@dataclass(frozen=True)
class Home:
    """``sites``: of the layout; ``objects``: id → class; ``at``: object row → site index at the start; ``start``: site index."""

    sites: tuple[Site, ...]
    objects: dict[str, str]
    at: dict[int, int]
    start: int


@dataclass(frozen=True)
class Moment:
    """One act, what was perceived because of it, and the person's true goal when they chose it."""

    act: Act
    percepts: tuple[Percept, ...]
    goal: Goal


def random_home(rng: np.random.Generator, places: int = 14) -> Home:
    """Four rooms, ``places`` places of which two thirds open, one or two objects of each of the twelve classes."""
    sites = [Site(r, r, is_room=True, holds_objects=False, position=(4.0 * (i % 2) + 2, 4.0 * (i // 2) + 2)) for i, r in enumerate(ROOMS)]
    for i in range(places):
        room = i % 4 if i < 4 else int(rng.choice(4, p=(0.5, 0.25, 0.15, 0.1)))
        corner = sites[room].position or (0.0, 0.0)
        x, y = rng.uniform(-1.8, 1.8, 2)
        opens = bool(rng.random() < 0.66)
        sites.append(Site(f"{'cabinet' if opens else 'desk'}_{i}", ROOMS[room], opens=opens, position=(corner[0] + x, corner[1] + y)))
    objects = {f"{c}_{n}": c for c in CLASSES for n in range(1 + int(rng.random() < 0.3))}
    at = {row: len(ROOMS) + int(rng.integers(places)) for row in range(len(objects))}
    return Home(tuple(sites), objects, at, int(rng.integers(len(ROOMS))))


def model_of(home: Home, config: MindConfig, backend=exact) -> Model:
    layout = layouts.build(home.sites, config)
    return Model.of(layout, goal_model.space(GOALS, [1 / len(GOALS)] * len(GOALS), layout), home.objects, config, backend)


def begin(home: Home, model: Model) -> PersonState:
    """The person at the start, after their first look around the room."""
    state = inference.start(model, belief_model.init(len(home.objects), model.layout.holds, model.config), home.start,
                            model.layout.opens.copy())
    first = by_rule(model.layout, home.start, model.layout.opens, home.at, model.config.attention)
    return inference.perceive(model, state, first)[0]


def live(home: Home, config: MindConfig, seed: int, acts: int) -> Iterator[Moment]:
    """One person's acts, at most ``acts`` of them."""
    model = model_of(home, config, Particles(1, seed))
    rng = np.random.default_rng([seed, 99])
    state, at = begin(home, model), dict(home.at)
    held: list[int] = []
    for _ in range(acts):
        state, _ = inference.ready(model, state)
        g, z = int(state.posterior.goal[0]), int(state.posterior.target[0])
        options = [a for a in policy.options(model.space, state.progress, state.situation, model.layout)]
        weights = np.array([policy.likelihood(a, model.space, state.progress, state.wanted, state.situation, model.layout, config)[g, z]
                            for a in options])
        deed = options[int(rng.choice(len(options), p=weights / weights.sum()))]
        row = next((o for o, s in at.items() if s == deed.site and home.objects[model.objects[o]] == deed.cls), None)
        if deed.kind is ActKind.PICK and (row is None or state.situation.closed[deed.site]):
            continue  # an idle reach for what is not there: nothing happens, nothing is seen
        room = model.layout.room[state.situation.site]
        state, _ = inference.consequences(model, state, deed)
        percepts = tuple(_percepts(model, state, deed, room, at, held, row))
        for percept in percepts:
            state, _ = inference.perceive(model, state, percept)
        yield Moment(deed, percepts, model.space.goals[g])


def _percepts(model: Model, state: PersonState, deed: Act, room: int, at: dict[int, int], held: list[int], row: int | None
              ) -> Iterator[Percept]:
    layout, here = model.layout, np.arange(len(model.layout.ids)) == deed.site
    if deed.kind is ActKind.WALK and layout.room[deed.site] != room:
        yield by_rule(layout, int(layout.room[deed.site]), state.situation.closed, at, model.config.attention)
    elif deed.kind is ActKind.OPEN:
        yield looked_at(here, at, model.config.attention)
    elif deed.kind is ActKind.PICK and row is not None:
        del at[row]
        held.append(row)
        yield looked_at(here, at)
    elif deed.kind is ActKind.PUT:
        put = next((o for o in held if model.objects[o].rpartition("_")[0] == deed.cls), None)
        if put is not None:
            held.remove(put)
            at[put] = deed.site
            yield looked_at(here, at)


def watch(home: Home, moments: list[Moment], config: MindConfig, backend=exact) -> Iterator[tuple[Moment, PersonState]]:
    """The mind watching those acts: after each, the moment and the state of the inference."""
    model = model_of(home, config, backend)
    state = begin(home, model)
    for moment in moments:
        state, _ = inference.act(model, state, moment.act)
        yield moment, state
        state, _ = inference.consequences(model, state, moment.act)
        for percept in moment.percepts:
            state, _ = inference.perceive(model, state, percept)


def log_likelihood(episodes: list[tuple[Home, list[Moment]]], config: MindConfig) -> float:
    """log P(all acts | config), nats: what parameters are fitted to."""
    total = 0.0
    for home, moments in episodes:
        state = None
        for _, state in watch(home, moments, config):
            pass
        total += 0.0 if state is None else state.posterior.log_evidence
    return total


def episodes(count: int, config: MindConfig, seed: int, acts: int = 25) -> list[tuple[Home, list[Moment]]]:
    """``count`` people in as many random homes."""
    out = []
    for i in range(count):
        home = random_home(np.random.default_rng([seed, i]))
        out.append((home, list(live(home, config, seed * 100_003 + i, acts))))
    return out


def perturbed(config: MindConfig, **changes: float) -> MindConfig:
    return replace(config, **changes)
