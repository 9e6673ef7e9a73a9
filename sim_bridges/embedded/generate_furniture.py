"""Furnishing generated rooms by rejection: against walls, in the middle, beside, on top of and above other pieces, leaving room to stand.

What a room wants is a list of wishes; needed ones that find no place make the room invalid, the others are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from household import classes
from sim_bridges.embedded import fittings
from sim_bridges.embedded.geometry import WALL_THICKNESS, corners, footprint, overlap_depth, pieces_overlap
from sim_bridges.embedded.model import Doorway, Furniture, Room


@dataclass(frozen=True)
class Wish:
    """A piece for a room: ``chance`` it is wanted, ``where``: wall, middle, on:<class>, above:<class>, by:<class>."""

    cls: str
    where: str = "wall"
    chance: float = 1.0
    needed: bool = False


WISHES: dict[str, tuple[Wish, ...]] = {
    "kitchen": (Wish("fridge", needed=True), Wish("stove", needed=True), Wish("kitchencounter", needed=True), Wish("dishwasher", needed=True),
                *(Wish("kitchencabinet", needed=True),) * 4, Wish("kitchentable", "middle", needed=True),
                Wish("microwave", "on:kitchencounter", needed=True), Wish("kitchencabinet", "above:kitchencounter", 0.7),
                Wish("chair", "by:kitchentable", 0.9), Wish("chair", "by:kitchentable", 0.7), Wish("coffeemaker", "on:kitchencounter", 0.3)),
    "livingroom": (Wish("sofa", needed=True), Wish("coffeetable", "middle", needed=True), Wish("tvstand", needed=True), Wish("tv", "on:tvstand"),
                   Wish("cabinet", needed=True), Wish("bookshelf", chance=0.9), Wish("lamp", chance=0.7), Wish("plant", chance=0.5),
                   Wish("basket", chance=0.3)),
    "bedroom": (Wish("bed", needed=True), Wish("nightstand", chance=0.9), Wish("wardrobe", chance=0.9), Wish("drawer", chance=0.7),
                Wish("desk", chance=0.5), Wish("lamp", chance=0.4)),
    "bathroom": (Wish("bathroomcounter", needed=True), Wish("faucet", "on:bathroomcounter", needed=True), Wish("bathroomcabinet", needed=True),
                 Wish("toilet", chance=0.9)),
    "hallway": (Wish("bench", chance=0.5), Wish("plant", chance=0.3)),
    "office": (Wish("desk", needed=True), Wish("chair", "by:desk", 0.8), Wish("bookshelf", chance=0.8), Wish("box", chance=0.3)),
}


def furnish(rooms: tuple[Room, ...], doors: tuple[Doorway, ...], rng: np.random.Generator) -> tuple[Furniture, ...] | None:
    """Furniture for every room; None when a needed piece finds no place."""
    count: dict[str, int] = {}
    furniture: list[Furniture] = []
    for room in rooms:
        here: list[Furniture] = []
        zones = [corners(d.center, 1.1, d.width + 0.1, d.yaw) for d in doors if room.id in d.rooms]
        for wish in WISHES.get(room.cls, ()):
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


def _place(id: str, wish: Wish, room: Room, here: list[Furniture], zones: list[np.ndarray], rng: np.random.Generator) -> Furniture | None:
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
