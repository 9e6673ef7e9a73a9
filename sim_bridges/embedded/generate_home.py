"""Random homes that pass every check of hand-made ones: for training detectors, and so that nothing is tuned to three flats.

A home is two rows of rooms, mirrored and turned at random; doors join them into one; furniture goes against walls, into the middle or
onto other pieces by rejection; objects lie where such things lie. The same (seed, split) gives the same home; splits never share a
random stream.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from household import classes
from household.scene_graph import Posture
from sim_bridges.embedded import spots
from sim_bridges.embedded.generate_furniture import WISHES, furnish
from sim_bridges.embedded.generate_layout import layout
from sim_bridges.embedded.geometry import footprint, overlap_depth
from sim_bridges.embedded.home import HomeError
from sim_bridges.embedded.home_checks import find_problems
from sim_bridges.embedded.memory import Memory
from sim_bridges.embedded.model import Furniture, Home, Person, RobotSpec, Thing, ThingState, Vec2, WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, Distances, NavMap
from sim_bridges.embedded.placing import hands_at, view
from sim_bridges.embedded.visibility import SightMap, Viewer

SPLITS = ("train", "val", "test")
_ATTEMPTS = 60
_NAMES = ("alice", "david", "sally", "tom", "emma", "george", "nora", "victor")
_LOOKS = ("red", "blue", "green", "grey", "yellow", "purple")


def generate_home(seed: int, split: str = "train") -> Home:
    """A valid random home; raises HomeError in the (never met) case that none is found, ValueError for an unknown split."""
    if split not in SPLITS:
        raise ValueError(f"split: '{split}'; allowed: {', '.join(SPLITS)}")
    if seed < 0:
        raise ValueError(f"seed: {seed}; allowed: 0 and up")
    for attempt in range(_ATTEMPTS):
        rng = np.random.default_rng([SPLITS.index(split), seed, attempt])
        home = _try(f"{split}_{seed}", rng)
        if home is not None:
            return home
    raise HomeError(f"{split}_{seed}", 1, "", f"no valid home in {_ATTEMPTS} attempts")


def _try(name: str, rng: np.random.Generator) -> Home | None:
    rooms, doors = layout(rng)
    if doors is None:
        return None
    furniture = furnish(rooms, doors, rng)
    if furniture is None:
        return None
    shell = Home(name, rooms, doors, furniture, (), (), RobotSpec((0.0, 0.0), 0.0), wall_height=float(rng.choice([2.4, 2.5, 2.6, 2.8])),
                 light=float(np.round(rng.uniform(0.6, 1.0), 2)), style=int(rng.integers(1_000_000)))
    robot = _robot(shell, rng)
    if robot is None:
        return None
    home = _sound(replace(shell, robot=robot))
    if home is None:
        return None
    home = replace(home, things=_things(home, rng), people=_people(home, rng))
    return home if not find_problems(home) else None


def _sound(home: Home) -> Home | None:
    """Without the optional pieces that stand in the way, taken out one at a time; None when a needed one does."""
    for _ in range(12):
        problems = find_problems(home)
        if not problems:
            return home
        bad = {p.key for p in problems}
        spare = next((f for f in home.furniture if f.id in bad and not _is_needed(f, home)), None)
        if spare is None:
            return None
        on_it = {f.id for f in home.furniture if f.room == spare.room and f.position[2] == spare.position[2] + spare.size[2]
                 and overlap_depth(footprint(f), footprint(spare)) > 0}
        home = replace(home, furniture=tuple(f for f in home.furniture if f is not spare and f.id not in on_it))
    return None


def _is_needed(item: Furniture, home: Home) -> bool:
    room = next(r for r in home.rooms if r.id == item.room)
    count = sum(w.needed for w in WISHES.get(room.cls, ()) if w.cls == item.cls)
    return sum(f.cls == item.cls and f.room == item.room for f in home.furniture) <= count


def _robot(home: Home, rng: np.random.Generator) -> RobotSpec | None:
    """Where in the kitchen a robot watches best without turning its head much: table and fridge first, then all that is used there, and a door; out of
    the way."""
    nav, sight = NavMap(home), SightMap(home)
    kitchen = next(r for r in home.rooms if r.cls == "kitchen")
    pieces = [f for f in home.furniture if f.room == kitchen.id and f.heights]
    doors = [d for d in home.doorways if kitchen.id in d.rooms]
    used = [s for f in pieces for s in nav.approaches(f, PERSON_RADIUS)[:1]]
    weights = {f.id: 1.0 if f.cls in ("kitchentable", "fridge") else 6.0 / len(pieces) for f in pieces}
    empty, spec = WorldState(0.0), RobotSpec((0.0, 0.0), 0.0)
    best, best_score = None, -math.inf
    for _ in range(80):
        spot = tuple(float(np.round(rng.uniform(kitchen.low[i] + 0.35, kitchen.high[i] - 0.35), 2)) for i in (0, 1))
        if not nav.free(spot, ROBOT_RADIUS) or any(math.dist(spot, d.center) < 1.1 for d in doors):
            continue
        viewer = Viewer("", (*spot, spec.camera_height), 0.0, fov=2 * math.pi, vertical_fov=math.pi)
        seen = [(hands_at(f), weights[f.id] * view(sight, empty, spot, spec.camera_height, f)) for f in pieces]
        seen += [(d.center, 0.7 * sight.can_see(empty, viewer, (*d.center, 1.2))) for d in doors]
        yaw, at_once = _best_look(spot, seen, math.radians(spec.horizontal_fov_deg))
        score = at_once + 0.15 * (sum(w for _, w in seen) - at_once) - sum(math.dist(spot, s) < 0.7 for s in used)
        if at_once > 0 and score > best_score:
            best, best_score = RobotSpec(spot, float(np.round(yaw, 3))), score
    return best


def _best_look(spot: Vec2, points: list[tuple[Vec2, float]], fov: float) -> tuple[float, float]:
    """The yaw that has the most weight in view at once, and that weight. ``points``: (place, weight); ``fov``: radians."""
    bearings = np.array([math.atan2(p[1] - spot[1], p[0] - spot[0]) for p, _ in points])
    weights = np.array([w for _, w in points])
    yaws = np.linspace(-math.pi, math.pi, 120, endpoint=False)
    off = np.abs((bearings[None] - yaws[:, None] + math.pi) % (2 * math.pi) - math.pi)
    inside = ((off < fov / 2) * weights[None]).sum(axis=1)
    best = int(np.argmax(inside - 0.01 * (off * weights[None]).sum(axis=1)))
    return float(yaws[best]), float(inside[best])


def _things(home: Home, rng: np.random.Generator) -> tuple[Thing, ...]:
    others = [c for c in classes.of_kind(classes.Kind.OBJECT) if c not in classes.EVERYDAY]
    wanted = [*classes.EVERYDAY, *rng.choice(classes.EVERYDAY, 3, replace=False), *rng.choice(others, int(rng.integers(4, 12)), replace=False)]
    count: dict[str, int] = {}
    drafts = []
    for cls in wanted:
        count[cls] = count.get(cls, 0) + 1
        drafts.append(Thing(f"{cls}_{count[cls]}", str(cls), home.rooms[0].id))
    home = replace(home, things=tuple(drafts))
    memory = Memory(home, "")
    pieces = {f.id: f for f in home.furniture}
    state, things = WorldState(0.0), []
    for thing in drafts:
        row = memory.prior[memory.things.index(thing.id)][: len(memory.places)]
        row = row * [pieces[p].cls not in ("chair", "stool", "bench") for p in memory.places]
        for i in rng.choice(len(memory.places), size=min(10, int((row > 0).sum())), p=row / row.sum(), replace=False):
            place = pieces[memory.places[int(i)]]
            spot = spots.free_spot(home, state, thing, place, rng)
            if spot is not None:
                turned = place.yaw + float(rng.normal(0.0, 0.15))
                state.things[thing.id] = ThingState(spot, turned, place.id)
                things.append(replace(thing, at=place.id, position=tuple(round(v, 3) for v in spot), yaw=round(turned, 3)))
                break
    return tuple(things)


def _people(home: Home, rng: np.random.Generator) -> tuple[Person, ...]:
    nav = NavMap(home)
    ways = nav.distances(home.robot.position, PERSON_RADIUS)
    names = ["alice", "david", *rng.permutation([n for n in _NAMES if n not in ("alice", "david")])[: int(rng.integers(0, 2))]]
    looks = rng.permutation(_LOOKS)
    people: list[Person] = []
    for name, look in zip(names, looks):
        spot = _stand(home, nav, ways, [p.position for p in people] + [home.robot.position], rng)
        if spot is None:
            continue
        height = float(np.round(np.clip(rng.normal(1.72, 0.09), 1.5, 1.95), 2))
        people.append(Person(str(name), str(name).capitalize(), spot, float(np.round(rng.uniform(-math.pi, math.pi), 2)), height,
                             round(height * 1.16, 2), float(np.round(rng.uniform(0.9, 1.3), 2)), Posture.STANDING, str(look)))
    return tuple(people)


def _stand(home: Home, nav: NavMap, ways: Distances, taken: list[Vec2], rng: np.random.Generator) -> Vec2 | None:
    for _ in range(200):
        room = home.rooms[int(rng.integers(len(home.rooms)))]
        spot = tuple(float(np.round(rng.uniform(room.low[i] + 0.3, room.high[i] - 0.3), 2)) for i in (0, 1))
        if nav.free(spot, 0.3) and all(math.dist(spot, t) > 0.7 for t in taken) and math.isfinite(ways.to(spot)):
            return spot
    return None
