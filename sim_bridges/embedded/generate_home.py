"""Random homes that pass every check of hand-made ones: for training detectors, and so that nothing is tuned to three flats.

A home is two rows of rooms, mirrored and turned at random; doors join them into one; furniture goes against walls, into the middle or onto
other pieces by rejection; objects lie where such things lie. The same (seed, split) gives the same home; splits never share a random stream.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.scene_graph import Posture
from sim_bridges.embedded import fittings, spots
from sim_bridges.embedded.geometry import WALL_THICKNESS, corners, footprint, overlap_depth, pieces_overlap
from sim_bridges.embedded.home import HomeError
from sim_bridges.embedded.home_checks import find_problems
from sim_bridges.embedded.memory import Memory
from sim_bridges.embedded.model import Doorway, Furniture, Home, Person, RobotSpec, Room, Thing, ThingState, Vec2, WorldState
from sim_bridges.embedded.nav import ROBOT_RADIUS, NavMap
from sim_bridges.embedded.visibility import SightMap, Viewer

SPLITS = ("train", "val", "test")
_ATTEMPTS = 60
_ALWAYS = ("apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle", "book", "remotecontrol")
_NAMES = ("alice", "david", "sally", "tom", "emma", "george", "nora", "victor")
_LOOKS = ("red", "blue", "green", "grey", "yellow", "purple")


@dataclass(frozen=True)
class _Wish:
    """A piece for a room: ``chance`` it is wanted, ``where``: wall, middle, on:<class>, above:<class>, by:<class>."""

    cls: str
    where: str = "wall"
    chance: float = 1.0
    needed: bool = False


_WISHES: dict[str, tuple[_Wish, ...]] = {
    "kitchen": (_Wish("fridge", needed=True), _Wish("stove", needed=True), _Wish("kitchencounter", needed=True), _Wish("dishwasher", needed=True),
                *(_Wish("kitchencabinet", needed=True),) * 4, _Wish("kitchentable", "middle", needed=True),
                _Wish("microwave", "on:kitchencounter", needed=True), _Wish("kitchencabinet", "above:kitchencounter", 0.7),
                _Wish("chair", "by:kitchentable", 0.9), _Wish("chair", "by:kitchentable", 0.7), _Wish("coffeemaker", "on:kitchencounter", 0.3)),
    "livingroom": (_Wish("sofa", needed=True), _Wish("coffeetable", "middle", needed=True), _Wish("tvstand", needed=True), _Wish("tv", "on:tvstand"),
                   _Wish("cabinet", needed=True), _Wish("bookshelf", chance=0.9), _Wish("lamp", chance=0.7), _Wish("plant", chance=0.5),
                   _Wish("basket", chance=0.3)),
    "bedroom": (_Wish("bed", needed=True), _Wish("nightstand", chance=0.9), _Wish("wardrobe", chance=0.9), _Wish("drawer", chance=0.7),
                _Wish("desk", chance=0.5), _Wish("lamp", chance=0.4)),
    "bathroom": (_Wish("bathroomcounter", needed=True), _Wish("faucet", "on:bathroomcounter", needed=True), _Wish("bathroomcabinet", needed=True),
                 _Wish("toilet", chance=0.9)),
    "hallway": (_Wish("bench", chance=0.5), _Wish("plant", chance=0.3)),
    "office": (_Wish("desk", needed=True), _Wish("chair", "by:desk", 0.8), _Wish("bookshelf", chance=0.8), _Wish("box", chance=0.3)),
}
_WIDTHS = {"kitchen": (3.9, 5.4), "livingroom": (4.2, 6.2), "bedroom": (3.4, 4.6), "bathroom": (2.4, 3.2), "hallway": (1.5, 2.4), "office": (2.9, 3.8)}


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
    rooms, doors = _layout(rng)
    if doors is None:
        return None
    furniture = _furnish(rooms, doors, rng)
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
    """Without the optional pieces that stand in the way; None when a needed one does."""
    for _ in range(8):
        problems = find_problems(home)
        if not problems:
            return home
        bad = {p.key for p in problems}
        left = tuple(f for f in home.furniture if f.id not in bad or _is_needed(f, home))
        if len(left) == len(home.furniture):
            return None
        standing = {f.id for f in left}
        left = tuple(f for f in left if f.position[2] == 0 or f.cls == "kitchencabinet" or any(
            b.id in standing and b is not f and overlap_depth(footprint(b), footprint(f)) > 0 and b.position[2] == 0 for b in left))
        home = replace(home, furniture=left)
    return None


def _is_needed(item: Furniture, home: Home) -> bool:
    room = next(r for r in home.rooms if r.id == item.room)
    count = sum(w.needed for w in _WISHES.get(room.cls, ()) if w.cls == item.cls)
    return sum(f.cls == item.cls and f.room == item.room for f in home.furniture) <= count


# ---- rooms ----


def _layout(rng: np.random.Generator) -> tuple[tuple[Room, ...], tuple[Doorway, ...] | None]:
    lower = ["kitchen", "livingroom"] + (["office"] if rng.random() < 0.25 else [])
    upper = ["bedroom", "hallway", "bathroom"] + (["bedroom"] if rng.random() < 0.3 else [])
    rng.shuffle(lower)
    rng.shuffle(upper)
    heights = rng.uniform(3.9, 5.0), rng.uniform(3.3, 4.4)
    rects: list[tuple[str, float, float, float, float]] = []
    y = 0.0
    for row, height in zip((lower, upper), heights):
        x = 0.0 if not rects else float(np.round(rng.uniform(-0.6, 0.6), 1))
        for cls in row:
            width = float(np.round(rng.uniform(*_WIDTHS[cls]), 1))
            rects.append((cls, x, y, x + width, y + height))
            x += width
        y += height
    flip, swap = rng.random() < 0.5, rng.random() < 0.5
    low_x, low_y = min(r[1] for r in rects), min(r[2] for r in rects)
    rooms, count = [], {}
    for cls, x0, y0, x1, y1 in rects:
        box = [x0 - low_x, y0 - low_y, x1 - low_x, y1 - low_y]
        if flip:
            width = max(r[3] for r in rects) - low_x
            box = [width - box[2], box[1], width - box[0], box[3]]
        if swap:
            box = [box[1], box[0], box[3], box[2]]
        count[cls] = count.get(cls, 0) + 1
        id = cls if count[cls] == 1 else f"{cls}{count[cls]}"
        rooms.append(Room(id, cls, (round(box[0], 2), round(box[1], 2)), (round(box[2], 2), round(box[3], 2))))
    return tuple(rooms), _doors(rooms, rng)


def _doors(rooms: list[Room], rng: np.random.Generator) -> tuple[Doorway, ...] | None:
    """A spanning tree of openings, kitchen and living room always joined where they touch, and some more."""
    edges = []
    for i, a in enumerate(rooms):
        for b in rooms[:i]:
            for axis in (0, 1):
                if abs(a.high[1 - axis] - b.low[1 - axis]) < 0.01 or abs(b.high[1 - axis] - a.low[1 - axis]) < 0.01:
                    low, high = max(a.low[axis], b.low[axis]), min(a.high[axis], b.high[axis])
                    if high - low > 1.5:
                        edge = a.high[1 - axis] if abs(a.high[1 - axis] - b.low[1 - axis]) < 0.01 else a.low[1 - axis]
                        private = sum(r.cls in ("bathroom", "bedroom") for r in (a, b))
                        first = {a.cls, b.cls} == {"kitchen", "livingroom"}
                        edges.append((0.0 if first else 1.0 + private + rng.random() * 0.8, a, b, axis, edge, low, high))
    parent = {r.id: r.id for r in rooms}

    def root(id: str) -> str:
        while parent[id] != id:
            id = parent[id]
        return id

    doors: list[Doorway] = []
    for weight, a, b, axis, edge, low, high in sorted(edges, key=lambda e: e[0]):
        joined = root(a.id) == root(b.id)
        if joined and (weight > 1.8 or rng.random() < 0.6):
            continue
        parent[root(a.id)] = root(b.id)
        width = float(rng.choice([0.9, 1.0, 1.1]))
        at = float(np.round(rng.uniform(low + width / 2 + 0.15, high - width / 2 - 0.15), 2))
        private = a.cls in ("bathroom", "bedroom") or b.cls in ("bathroom", "bedroom")
        center = (at, edge) if axis == 0 else (edge, at)
        doors.append(Doorway(f"door_{len(doors) + 1}", (a.id, b.id), center, width, math.pi / 2 if axis == 0 else 0.0,
                             bool(private and rng.random() < 0.7), bool(rng.random() < 0.6)))
    return tuple(doors) if len({root(r.id) for r in rooms}) == 1 else None


# ---- furniture ----


def _furnish(rooms: tuple[Room, ...], doors: tuple[Doorway, ...], rng: np.random.Generator) -> tuple[Furniture, ...] | None:
    count: dict[str, int] = {}
    furniture: list[Furniture] = []
    for room in rooms:
        here: list[Furniture] = []
        zones = [corners(d.center, 1.1, d.width + 0.1, d.yaw) for d in doors if room.id in d.rooms]
        for wish in _WISHES.get(room.cls, ()):
            if rng.random() > wish.chance:
                continue
            id = f"{wish.cls}_{count.get(wish.cls, 0) + 1}"
            item = next((f for _ in range(120) if (f := _place(id, wish, room, here, zones, rng)) is not None), None)
            if item is not None:
                count[wish.cls] = count.get(wish.cls, 0) + 1
                here.append(item)
            elif wish.needed:
                return None
        furniture += here
    return tuple(furniture)


def _place(id: str, wish: _Wish, room: Room, here: list[Furniture], zones: list[np.ndarray], rng: np.random.Generator) -> Furniture | None:
    """One random try at standing a piece; None when it does not fit."""
    kind, _, other = wish.where.partition(":")
    base = [f for f in here if f.cls == other]
    if other and not base:
        return None
    size = _size(wish.cls, rng, kind)
    if kind == "wall":
        item = _against_wall(id, wish.cls, room, size, rng)
    elif kind == "middle":
        middle = [float(np.round(rng.uniform(room.low[i] + 1.2, room.high[i] - 1.2), 2)) for i in (0, 1)]
        item = _piece(id, wish.cls, room, (*middle, 0.0), float(rng.choice([0.0, math.pi / 2])), size)
    elif kind == "by":
        item = _beside(id, wish.cls, room, base[0], size, rng)
    else:
        item = _onto(id, wish.cls, room, base[int(rng.integers(len(base)))], size, kind == "above", rng)
    if item is None:
        return None
    quad = footprint(item)
    margin = WALL_THICKNESS / 2
    inside = all(room.low[i] + margin <= p[i] <= room.high[i] - margin for p in quad for i in (0, 1))
    if not inside or any(pieces_overlap(item, f) for f in here):
        return None
    if item.position[2] < 1.2 and kind != "on" and any(overlap_depth(quad, z) > 0 for z in zones):
        return None
    return item if _room_to_stand(item, kind, here) else None


def _room_to_stand(item: Furniture, kind: str, here: list[Furniture]) -> bool:
    """Nothing stands right before a front that is used from there, neither this piece before others nor others before it."""
    if kind in ("by", "on", "above"):
        return True
    low = [f for f in here if f.position[2] < 1.2]

    def strip(f: Furniture) -> np.ndarray:
        deep = 0.75
        reach = f.size[1] / 2 + deep / 2
        center = (f.position[0] + math.cos(f.yaw) * reach, f.position[1] + math.sin(f.yaw) * reach)
        return corners(center, deep, f.size[0] * 0.9, f.yaw)

    mine = [] if kind == "middle" else [strip(item)]
    if any(overlap_depth(z, footprint(f)) > 0 for z in mine for f in low):
        return False
    return all(overlap_depth(strip(f), footprint(item)) <= 0 for f in low if not fittings.fitting(f.cls).from_any_side)


def _size(cls: str, rng: np.random.Generator, kind: str) -> tuple[float, float, float]:
    width, depth, height = classes.get(cls).size
    if kind == "above":
        return (width, 0.35, height)
    stretch = rng.uniform(0.92, 1.08, 3)
    return tuple(float(np.round(v * s, 3)) for v, s in zip((width, depth, height), stretch))  # type: ignore[return-value]


def _piece(id: str, cls: str, room: Room, position, yaw: float, size) -> Furniture:
    return Furniture(id, cls, room.id, position, yaw, size, None, fittings.levels(cls, size[2]))


def _against_wall(id: str, cls: str, room: Room, size, rng: np.random.Generator) -> Furniture | None:
    side = int(rng.integers(4))
    axis, back = (1, 0) if side < 2 else (0, 1)
    low, high = room.low[axis] + size[0] / 2 + 0.07, room.high[axis] - size[0] / 2 - 0.07
    if low >= high:
        return None
    along = float(np.round(rng.uniform(low, high), 2))
    gap = WALL_THICKNESS / 2 + 0.01 + size[1] / 2
    off = room.low[back] + gap if side % 2 == 0 else room.high[back] - gap
    yaw = ((0.0, math.pi), (math.pi / 2, -math.pi / 2))[side // 2][side % 2]
    return _piece(id, cls, room, (off, along, 0.0) if axis == 1 else (along, off, 0.0), yaw, size)


def _beside(id: str, cls: str, room: Room, base: Furniture, size, rng: np.random.Generator) -> Furniture:
    """A chair at a table, its back outwards."""
    angle = base.yaw if base.cls == "desk" else base.yaw + float(rng.choice([0.0, math.pi / 2, math.pi, -math.pi / 2]))
    across = base.size[1] if abs(math.cos(angle - base.yaw)) > 0.5 else base.size[0]
    reach = across / 2 + size[1] / 2 + 0.03
    position = (base.position[0] + math.cos(angle) * reach, base.position[1] + math.sin(angle) * reach, 0.0)
    return _piece(id, cls, room, position, angle + math.pi, size)


def _onto(id: str, cls: str, room: Room, base: Furniture, size, above: bool, rng: np.random.Generator) -> Furniture | None:
    """On top of a piece, or hanging on the wall over it; flush with its back."""
    free = base.size[0] / 2 - size[0] / 2
    if free < 0:
        return None
    side, back = float(rng.uniform(-free, free)), -base.size[1] / 2 + size[1] / 2 + 0.01
    c, s = math.cos(base.yaw), math.sin(base.yaw)
    xy = (base.position[0] + c * back - s * side, base.position[1] + s * back + c * side)
    return _piece(id, cls, room, (*xy, 1.45 if above else base.position[2] + base.size[2]), base.yaw, size)


# ---- who and what is in it ----


def _robot(home: Home, rng: np.random.Generator) -> RobotSpec | None:
    """A corner of the kitchen from which table, fridge front and a door are in one view, as far as such a corner exists."""
    nav, sight = NavMap(home), SightMap(home)
    kitchen = next(r for r in home.rooms if r.cls == "kitchen")
    targets = []
    for cls in ("kitchentable", "fridge"):
        item = next(f for f in home.furniture if f.cls == cls)
        reach = item.size[1] / 2 + 0.03 if cls == "fridge" else 0.0
        targets.append((item.position[0] + math.cos(item.yaw) * reach, item.position[1] + math.sin(item.yaw) * reach, 1.0))
    targets += [(*d.center, 1.2) for d in home.doorways if kitchen.id in d.rooms]
    empty = WorldState(0.0)
    best, best_score = None, -1.0
    for _ in range(80):
        spot = tuple(float(np.round(rng.uniform(kitchen.low[i] + 0.35, kitchen.high[i] - 0.35), 2)) for i in (0, 1))
        if not nav.free(spot, ROBOT_RADIUS) or any(math.dist(spot, d.center) < 1.1 for d in home.doorways):
            continue
        seen = [t for t in targets if sight.can_see(empty, Viewer("", (*spot, 1.25), 0.0, fov=2 * math.pi, vertical_fov=math.pi), t)]
        bearings = sorted(math.atan2(t[1] - spot[1], t[0] - spot[0]) for t in seen)
        if not bearings:
            continue
        middle, width = _narrowest(bearings)
        wall = min(spot[0] - kitchen.low[0], kitchen.high[0] - spot[0], spot[1] - kitchen.low[1], kitchen.high[1] - spot[1])
        score = len([t for t in targets[:2] if t in seen]) * 2 + len(seen) - 1.2 * max(0.0, width - math.radians(76)) - 0.5 * wall
        if score > best_score:
            best, best_score = RobotSpec(spot, float(np.round(middle, 3))), score
    return best


def _narrowest(bearings: list[float]) -> tuple[float, float]:
    """(middle, width) of the smallest arc that holds all bearings."""
    around = bearings + [bearings[0] + 2 * math.pi]
    gaps = [b - a for a, b in zip(around, around[1:])]
    widest = int(np.argmax(gaps))
    start = around[widest + 1] if widest + 1 < len(around) else around[0]
    width = 2 * math.pi - gaps[widest]
    return (start + width / 2 + math.pi) % (2 * math.pi) - math.pi, width


def _things(home: Home, rng: np.random.Generator) -> tuple[Thing, ...]:
    others = [c for c in classes.of_kind(classes.Kind.OBJECT) if c not in _ALWAYS]
    wanted = [*_ALWAYS, *rng.choice(_ALWAYS, 3, replace=False), *rng.choice(others, int(rng.integers(4, 12)), replace=False)]
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
    names = ["alice", "david", *rng.permutation([n for n in _NAMES if n not in ("alice", "david")])[: int(rng.integers(0, 2))]]
    looks = rng.permutation(_LOOKS)
    people: list[Person] = []
    for name, look in zip(names, looks):
        spot = _stand(home, nav, [p.position for p in people] + [home.robot.position], rng)
        if spot is None:
            continue
        height = float(np.round(np.clip(rng.normal(1.72, 0.09), 1.5, 1.95), 2))
        people.append(Person(str(name), str(name).capitalize(), spot, float(np.round(rng.uniform(-math.pi, math.pi), 2)), height,
                             round(height * 1.16, 2), float(np.round(rng.uniform(0.9, 1.3), 2)), Posture.STANDING, str(look)))
    return tuple(people)


def _stand(home: Home, nav: NavMap, taken: list[Vec2], rng: np.random.Generator) -> Vec2 | None:
    for _ in range(200):
        room = home.rooms[int(rng.integers(len(home.rooms)))]
        spot = tuple(float(np.round(rng.uniform(room.low[i] + 0.3, room.high[i] - 0.3), 2)) for i in (0, 1))
        if nav.free(spot, 0.3) and all(math.dist(spot, t) > 0.7 for t in taken):
            return spot
    return None
