"""What one update of the mind costs, by the size of the home: ``python -m evaluation.mind_bench [--output FILE.json]``.

Synthetic homes with people who walk, pick and put without rest: every update (five a second) carries a graph in which each person sees a room, and
each person does something once a second on average. Processor time of this process; the whole run is repeated and the least time of each
update counts, so that other work on the machine counts as little as can be.

Three parts: the sizes asked for; the growth with people and with objects alone (time per person and per object should not rise); and the live
step (words read, beliefs, aims, what everybody thinks everybody else thinks) with somebody speaking at every ninth update.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from household import classes
from household.actions import HumanAction, Utterance, Verb
from household.classes import Kind
from household.ordering import StepInput
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph, Tracking
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.step import MindInput, MindState, step

SIZES = ((1, 12, 12), (3, 25, 25), (3, 50, 50), (3, 100, 50), (3, 50, 100), (6, 50, 50), (8, 300, 100))  # people, objects, places
GROWTH = {"people": ((1, 100, 100), (2, 100, 100), (4, 100, 100), (8, 100, 100)), "objects": ((8, 75, 100), (8, 150, 100), (8, 300, 100))}
LIVE = (4, 50, 50)
SPEAKS_EVERY = 9
ACTS_PER_UPDATE = 0.2
_ROOMS = ("kitchen", "livingroom", "bedroom", "bathroom", "hallway")


@dataclass(frozen=True)
class Cost:
    """Milliseconds of processor time per update."""

    people: int
    objects: int
    places: int
    p50: float
    p95: float
    p99: float
    updates: int


def inputs(people: int, objects: int, places: int, count: int, seed: int = 0) -> Iterator[MindInput]:
    """``count`` graphs at 5 Hz with the acts before them; deterministic."""
    rng = np.random.default_rng([seed, people, objects, places])
    containers, surfaces = classes.of_kind(Kind.CONTAINER), classes.of_kind(Kind.SURFACE)
    things = classes.of_kind(Kind.OBJECT)
    place_ids = [f"{(containers if i % 2 else surfaces)[i // 2 % (len(containers) if i % 2 else len(surfaces))]}_{i}" for i in range(places)]
    room = {p: _ROOMS[i % len(_ROOMS)] for i, p in enumerate(place_ids)}
    fixed = {p: Entity(p, classes.class_of(p), (*rng.uniform(0, 12, 2), 0.5), (0.5, 0.5, 0.9),
                       openness=Openness.CLOSED if classes.get(classes.class_of(p)).opens else Openness.NONE) for p in place_ids}
    where = {f"{things[i % len(things)]}_{i}": place_ids[int(rng.integers(places))] for i in range(objects)}
    names = [f"p{i}" for i in range(people)]
    at = {n: place_ids[int(rng.integers(places))] for n in names}
    for k in range(count):
        stamp, events = 1.0 + 0.2 * k, []
        for n in names:
            if rng.random() < ACTS_PER_UPDATE:
                events.append(_next_act(n, at, where, place_ids, room, stamp, rng))
        yield MindInput(_graph(stamp, fixed, room, where, at, names), tuple(events))


def _next_act(name: str, at: dict, where: dict, place_ids: list[str], room: dict, stamp: float, rng) -> HumanAction:
    held = next((o for o, p in where.items() if p == name), None)
    here = [o for o, p in where.items() if p == at[name]]
    roll = rng.random()
    if held is not None and roll < 0.4:
        where[held] = at[name]
        return HumanAction(name, Verb.PUTON, held, at[name], room[at[name]], stamp - 0.1, stamp)
    if held is None and here and roll < 0.4:
        where[here[0]] = name
        return HumanAction(name, Verb.PICK, here[0], at[name], room[at[name]], stamp - 0.1, stamp)
    at[name] = place_ids[int(rng.integers(len(place_ids)))]
    return HumanAction(name, Verb.WALKTOWARDS, at[name], None, room[at[name]], stamp - 0.1, stamp)


def _graph(stamp: float, fixed: dict, room: dict, where: dict, at: dict, names: list[str]) -> SceneGraph:
    entities, relations = dict(fixed), {Relation(p, RelationKind.IN_ROOM, r) for p, r in room.items()}
    for o, p in where.items():
        held = p in names
        entities[o] = Entity(o, classes.class_of(o), (0.0, 0.0, 0.0), (0.1, 0.1, 0.1), tracking=Tracking.HELD if held else Tracking.VISIBLE)
        relations.add(Relation(p, RelationKind.HOLDS, o) if held else Relation(o, RelationKind.ON, p))
    for n in names:
        entities[n] = Entity(n, "person", (1.0, 1.0, 0.0), (0.3, 0.5, 1.7))
        relations.add(Relation(n, RelationKind.IN_ROOM, room[at[n]]))
    sees, inspected = {}, {}
    for v in (*names, ROBOT):
        here = room[at[v]] if v in at else _ROOMS[0]
        inspected[v] = frozenset(p for p, r in room.items() if r == here and fixed[p].openness is Openness.NONE)
        sees[v] = frozenset(o for o, p in where.items() if p in inspected[v]) | frozenset(n for n in names if room[at[n]] == here)
    return SceneGraph(stamp, entities, frozenset(relations), sees, inspected)


def measure(people: int, objects: int, places: int, updates: int = 200, warm: int = 10, repeats: int = 3) -> Cost:
    """The mind's step alone."""
    return _cost((people, objects, places), list(inputs(people, objects, places, updates + warm)), MindState(),
                 lambda state, inp: step(state, inp, MindConfig()), warm, repeats)


def measure_live(people: int, objects: int, places: int, updates: int = 200, warm: int = 10, repeats: int = 3) -> Cost:
    """The live step: with words, aims and second-order beliefs, every published row read."""
    moments = []
    for k, inp in enumerate(inputs(people, objects, places, updates + warm)):
        said = ()
        if k % SPEAKS_EVERY == 0:
            thing, place = next((r.subject, r.object) for r in sorted(inp.graph.relations, key=str) if r.kind is RelationKind.ON)
            said = (Utterance(f"p{k % people}", f"The {thing} is on the {place}.", inp.graph.stamp - 0.05),)
        moments.append(StepInput(inp.graph, inp.events, said))

    def run(state: LiveState, inp: StepInput):
        state, minds = live_step(state, inp, MindConfig())
        for table in (minds.robot, *(m.beliefs for m in minds.people.values())):
            for name in table:
                table[name]
        return state, minds

    return _cost((people, objects, places), moments, LiveState(), run, warm, repeats)


def _cost(size: tuple[int, int, int], moments: list, start, run: Callable, warm: int, repeats: int) -> Cost:
    taken = np.full((repeats, len(moments)), np.inf)
    for r in range(repeats):
        state = start
        for k, inp in enumerate(moments):
            began = time.process_time()
            state, _ = run(state, inp)
            taken[r, k] = (time.process_time() - began) * 1000
    p50, p95, p99 = np.percentile(taken.min(axis=0)[warm:], (50, 95, 99))
    return Cost(*size, float(p50), float(p95), float(p99), len(moments) - warm)


def particle_error(counts: tuple[int, ...] = (100, 1000, 10_000), episodes: int = 20, seed: int = 7) -> list[dict]:
    """Particles against the exact filter on people drawn from the model: total variation of the goal posterior, and cost per act."""
    from evaluation import model_people as ideal
    from mind.particle import Particles

    watched = ideal.episodes(episodes, MindConfig(), seed)
    rows: list[dict] = []
    truth: list[np.ndarray] = []
    for count in (0, *counts):
        found, started = [], time.process_time()
        for home, moments in watched:
            backend = {} if count == 0 else {"backend": Particles(count, seed)}
            found += [state.posterior.goals() for _, state in ideal.watch(home, moments, MindConfig(), **backend)]
        ms = (time.process_time() - started) * 1000 / max(len(found), 1)
        truth = found if count == 0 else truth
        distance = [0.5 * float(np.abs(a - b).sum()) for a, b in zip(found, truth)]
        rows.append({"particles": count, "ms_per_act": ms, "distance_mean": float(np.mean(distance)), "distance_p95": float(np.percentile(distance, 95))})
    return rows


def _print(c: Cost) -> None:
    print(f"{c.people:6d}  {c.objects:7d}  {c.places:6d}  {c.p50:7.2f}  {c.p95:7.2f}  {c.p99:7.2f}", flush=True)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evaluation.mind_bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--output", type=Path, help="write the result as JSON")
    parser.add_argument("--particles", action="store_true", help="instead: particles measured against the exact filter")
    args = parser.parse_args(argv)
    if args.particles:
        print("particles   ms per act   total variation of the goal posterior: mean, p95")
        for row in particle_error():
            print(f"{row['particles'] or 'exact':>9}   {row['ms_per_act']:10.2f}   {row['distance_mean']:.3f}  {row['distance_p95']:.3f}", flush=True)
        return 0
    if not 10 <= args.updates <= 100_000:
        parser.error(f"--updates {args.updates}: must be 10 to 100000")
    costs, live, growth = [], None, {}
    print("people  objects  places   p50 ms   p95 ms   p99 ms")
    for size in SIZES:
        costs.append(measure(*size, updates=args.updates))
        _print(costs[-1])
    for what, sizes in GROWTH.items():
        growth[what] = [measure(*size, updates=max(50, args.updates // 4)) for size in sizes]
        print(f"by {what}: " + ", ".join(f"{c.people} × {c.objects} × {c.places}: {c.p50:.2f} ms, {1000 * c.p50 / getattr(c, what):.0f} µs per {what[:-1] if what != 'people' else 'person'}"
                                         for c in growth[what]), flush=True)
    live = measure_live(*LIVE, updates=args.updates)
    print("live step, second order, somebody speaks at every ninth update, every row read:")
    _print(live)
    if args.output:
        scratch = args.output.with_name(args.output.name + ".part")
        scratch.write_text(json.dumps({"sizes": [vars(c) for c in costs], "live": vars(live),
                                       "growth": {what: [vars(c) for c in rows] for what, rows in growth.items()}}, indent=1))
        os.replace(scratch, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
