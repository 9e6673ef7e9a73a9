"""Floors, walls with doorways cut out, ceilings, skirting, windows and door leaves: the shell of a home.

Walls are ``WALL_THICKNESS`` thick and centred on the edges of the rooms, so a room's wall surface lies half of that
inside its rectangle. Door leaves are models with a hinge (they are instances); everything else here is instance 0.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.geometry import LEAF_SWING, WALL_THICKNESS, footprint
from sim_bridges.embedded.meshes import Joint, JointKind, Model, Part, Soup, join, placement, transformed, translation
from sim_bridges.embedded.model import Doorway, Home, Room
from sim_bridges.embedded.primitives import box, quad, rod

DOOR_HEIGHT = 2.05
LEAF = 0.04
_HALF = WALL_THICKNESS / 2
_PAINTS: tuple[tx.RGB, ...] = ((236, 230, 218), (222, 228, 226), (232, 222, 206), (216, 222, 230), (228, 230, 216),
                               (238, 236, 232), (230, 216, 208))
_FLOOR_WOODS: tuple[tx.RGB, ...] = ((176, 132, 88), (148, 106, 70), (196, 160, 116), (126, 92, 64))


@dataclass(frozen=True)
class RoomLook:
    floor: tx.Material
    wall: tx.Material
    ceiling: tx.Material


def look_of(room: Room, style: int) -> RoomLook:
    """Textures of a room from the home's style seed and the room's own name."""
    seed = zlib.crc32(f"{style}/{room.id}".encode()) % 10_000
    home_wood = _FLOOR_WOODS[style % len(_FLOOR_WOODS)]
    paint = tx.of(tx.plaster(seed, _PAINTS[seed % len(_PAINTS)]))
    if room.cls == "bathroom":
        wall = tx.of(
            tx.tiles(seed, ((226, 234, 236), (214, 226, 220), (236, 230, 222))[seed % 3], (196, 200, 200), count=2, size=0.4),
            gloss=0.15)
        floor = tx.of(
            tx.tiles(seed + 1, ((120, 132, 140), (176, 172, 164), (90, 104, 112))[seed % 3], (150, 150, 148), count=2,
                     size=0.66))
        return RoomLook(floor, wall, tx.plain(240, 240, 238))
    if room.cls == "kitchen":
        second = (206, 200, 190) if seed % 2 else None
        floor = tx.of(
            tx.tiles(seed + 2, ((188, 178, 162), (150, 146, 140), (202, 190, 170))[seed % 3], (132, 126, 118), count=2,
                     size=0.9, second=second))
        return RoomLook(floor, paint, tx.plain(240, 240, 238))
    return RoomLook(tx.of(tx.planks(style * 7 + 1, home_wood)), paint, tx.plain(240, 240, 238))


def shell_of(home: Home, seed: int = 0, *, cutaway: bool = False) -> dict[str, Soup]:
    """Room id → everything of that room's shell seen from inside it; the frames of doorways belong to their first room.

    ``cutaway``: without ceilings and without walls on southern sides, to be looked into from the south and above.
    """
    out: dict[str, list[Soup]] = {}
    for room in home.rooms:
        look = look_of(room, home.style + seed)
        (x0, y0), (x1, y1) = room.low, room.high
        h = home.wall_height
        pieces = [quad([(x0, y0, 0), (x1, y0, 0), (x1, y1, 0), (x0, y1, 0)], look.floor, fit=False)]
        if not cutaway:
            pieces.append(quad([(x0, y0, h), (x0, y1, h), (x1, y1, h), (x1, y0, h)], look.ceiling, fit=False))
        for side in _sides(room):
            if not (cutaway and side.axis == 0 and side.inward > 0):
                pieces += _wall(home, room, side, look)
        out[room.id] = pieces
    for door in home.doorways:
        home_room = door.rooms[0] if door.rooms[0] in out else door.rooms[1]
        out[home_room].append(_frame(door))
    return {k: join(v) for k, v in out.items()}


@dataclass(frozen=True)
class _Side:
    """One wall surface: ``axis`` runs along it (0 = x), at ``fixed`` on the other axis; ``inward`` is +1 or -1 along
    that other axis.
    """

    axis: int
    edge: float
    low: float
    high: float
    inward: float

    @property
    def fixed(self) -> float:
        return self.edge + self.inward * _HALF

    def point(self, along: float, z: float, off: float = 0.0) -> tuple[float, float, float]:
        across = self.fixed + self.inward * off
        return (along, across, z) if self.axis == 0 else (across, along, z)


def _sides(room: Room) -> list[_Side]:
    (x0, y0), (x1, y1) = room.low, room.high
    return [_Side(0, y0, x0, x1, 1.0), _Side(0, y1, x0, x1, -1.0), _Side(1, x0, y0, y1, 1.0), _Side(1, x1, y0, y1, -1.0)]


def _openings(home: Home, side: _Side) -> list[tuple[float, float]]:
    gaps = []
    for d in home.doorways:
        along_y = abs(math.cos(d.yaw)) > 0.5
        if along_y == (side.axis == 1) and abs(d.center[1 - side.axis] - side.edge) < 0.12:
            a, b = d.center[side.axis] - d.width / 2, d.center[side.axis] + d.width / 2
            if b > side.low and a < side.high:
                gaps.append((max(a, side.low), min(b, side.high)))
    return sorted(gaps)


def _face(side: _Side, a: float, b: float, z0: float, z1: float, material: tx.Material, off: float = 0.0, *,
          fit: bool = False) -> Soup:
    corners = [side.point(a, z0, off), side.point(b, z0, off), side.point(b, z1, off), side.point(a, z1, off)]
    if (side.inward > 0) == (side.axis == 0):
        corners = [corners[1], corners[0], corners[3], corners[2]]
    return quad(corners, material, fit=fit)


def _bar(side: _Side, a: float, b: float, z0: float, z1: float, depth: float, material: tx.Material) -> Soup:
    p, q = np.array(side.point(a, z0, -0.001)), np.array(side.point(b, z1, depth))
    return box(np.minimum(p, q), np.maximum(p, q), material)


def _wall(home: Home, room: Room, side: _Side, look: RoomLook) -> list[Soup]:
    skirting = tx.plain(236, 234, 228)
    gaps = _openings(home, side)
    h = home.wall_height
    top = [side.point(side.low, h), side.point(side.high, h), side.point(side.high, h, -_HALF), side.point(side.low, h, -_HALF)]
    pieces, start = [quad(top, tx.plain(120, 118, 114))], side.low
    for a, b in [*gaps, (side.high, side.high)]:
        if a > start + 1e-6:
            pieces.append(_face(side, start, a, 0, home.wall_height, look.wall))
            if room.cls != "bathroom" and a - start > 0.12:
                pieces.append(
                    _bar(side, start + (0.05 if start > side.low else 0), a - (0.05 if a < side.high else 0), 0, 0.08, 0.009,
                         skirting))
        if b > a:
            pieces.append(_face(side, a, b, DOOR_HEIGHT, home.wall_height, look.wall))
        start = max(start, b)
    place = None if gaps else _window_place(home, room, side)
    if place is not None:
        pieces += _window(side, place, zlib.crc32(room.id.encode()))
    return pieces


def _shared(home: Home, room: Room, side: _Side) -> bool:
    """Whether another room lies behind this wall."""
    for other in home.rooms:
        if other.id == room.id:
            continue
        for s in _sides(other):
            if s.axis == side.axis and abs(s.edge - side.edge) < 0.3 and min(s.high, side.high) - max(s.low, side.low) > 0.1:
                return True
    return False


def _window_place(home: Home, room: Room, side: _Side) -> tuple[float, float] | None:
    """Where a window fits in an outer wall: its stretch along the wall, clear of tall furniture; None where it does not."""
    if side.high - side.low < 1.8 or _shared(home, room, side):
        return None
    width = min(1.5, 0.5 * (side.high - side.low))
    blocked = []
    for f in home.furniture:
        if f.room == room.id and f.position[2] + f.size[2] > 1.0:
            print_ = footprint(f)
            if np.abs(print_[:, 1 - side.axis] - side.fixed).min() < 0.25:
                blocked.append((print_[:, side.axis].min() - 0.05, print_[:, side.axis].max() + 0.05))
    middle = (side.low + side.high) / 2
    steps = [middle + sign * k * 0.2 for k in range(int((side.high - side.low) / 0.4)) for sign in (1, -1)]
    for c in steps:
        a, b = c - width / 2, c + width / 2
        if a > side.low + 0.3 and b < side.high - 0.3 and not any(p < b and a < q for p, q in blocked):
            return a, b
    return None


def window_light(home: Home, room: Room) -> np.ndarray | None:
    """Unit vector float32 (3,) from a room towards its window light, or None in a room without windows."""
    total = np.zeros(3)
    for side in _sides(room):
        if not _openings(home, side) and _window_place(home, room, side) is not None:
            total[1 - side.axis] -= side.inward
    if not np.linalg.norm(total):
        return None
    total[2] = 0.45
    return (total / np.linalg.norm(total)).astype(np.float32)


def _window(side: _Side, place: tuple[float, float], seed: int) -> list[Soup]:
    a, b = place
    z0, z1 = 0.95, 2.15
    white = tx.plain(244, 244, 242, gloss=0.1)
    bars = [(a - 0.06, b + 0.06, z0 - 0.06, z0), (a - 0.06, b + 0.06, z1, z1 + 0.06), (a - 0.06, a, z0, z1),
            (b, b + 0.06, z0, z1), ((a + b) / 2 - 0.025, (a + b) / 2 + 0.025, z0, z1)]
    sill = _bar(side, a - 0.1, b + 0.1, z0 - 0.09, z0 - 0.06, 0.10, white)
    return [_face(side, a, b, z0, z1, tx.Material((200, 220, 240), _outside(seed), sky=1.0), 0.004, fit=True), sill,
            *[_bar(side, *bar, 0.025, white) for bar in bars]]


def _outside(seed: int) -> tx.Texture:
    """What is seen through a window: sky, far trees, a lawn."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:96, 0:128].astype(np.float32)
    image = np.stack([176 + 0.5 * y, 206 + 0.35 * y, 240 + 0 * y], axis=-1)
    trees = 60 + 7 * np.sin(x / 9 + rng.uniform(0, 6)) + 4 * np.sin(x / 3.7 + rng.uniform(0, 6))
    image[y > trees] = (104, 138, 92)
    image[y > 80] = (132, 166, 96)
    return tx.Texture(np.clip(image, 0, 255).astype(np.uint8))


def _frame(door: Doorway) -> Soup:
    """Reveal and architrave round a doorway, in white, and a threshold."""
    white, floor = tx.plain(238, 237, 232, gloss=0.1), tx.plain(120, 96, 72)
    w, d = door.width / 2, _HALF + 0.012
    pieces = [
        box((-d, -w - 0.06, 0), (d, -w, DOOR_HEIGHT + 0.06), white),
        box((-d, w, 0), (d, w + 0.06, DOOR_HEIGHT + 0.06), white),
        box((-d, -w - 0.06, DOOR_HEIGHT), (d, w + 0.06, DOOR_HEIGHT + 0.06), white),
        box((-_HALF - 0.01, -w, 0), (_HALF + 0.01, w, 0.003), floor)
    ]
    return transformed(join(pieces), placement((*door.center, 0.0), door.yaw))


def leaf_of(door: Doorway, style: int) -> Model:
    """A panelled door leaf in the doorway's frame (x along the passage); it swings to the side the passage's yaw
    points to.
    """
    w = door.width / 2 - 0.004
    colours = ((232, 230, 224), (176, 128, 84), (214, 206, 190), (120, 84, 58))
    face = tx.of(tx.wood(style + 3, colours[style % len(colours)], contrast=0.06), gloss=0.08)
    dark = tx.plain(*(int(c * 0.86) for c in colours[style % len(colours)]))
    pieces = [box((-LEAF / 2, -w, 0.008), (LEAF / 2, w, DOOR_HEIGHT - 0.004), face)]
    for x in (-LEAF / 2 - 0.001, LEAF / 2 + 0.001):
        for z0, z1 in ((0.2, 0.92), (1.08, 1.9)):
            ring = [(-w + 0.12, w - 0.12, z0, z0 + 0.012), (-w + 0.12, w - 0.12, z1 - 0.012, z1),
                    (-w + 0.12, -w + 0.132, z0, z1), (w - 0.132, w - 0.12, z0, z1)]
            pieces += [box((min(x, 0), a, c), (max(x, 0), b, e), dark) for a, b, c, e in ring]
    metal = tx.plain(160, 160, 164, gloss=0.6)
    for sign in (-1, 1):
        x = sign * (LEAF / 2)
        pieces.append(rod((x, w - 0.07, 1.02), (x + sign * 0.05, w - 0.07, 1.02), 0.011, metal, segments=8))
        pieces.append(rod((x + sign * 0.045, w - 0.07, 1.02), (x + sign * 0.045, w - 0.19, 1.02), 0.009, metal, segments=8))
    hinge = Joint(JointKind.HINGE, (_HALF, -w, 0.0), (0, 0, 1), -LEAF_SWING)
    shift = _HALF - LEAF / 2
    return Model((Part(transformed(join(pieces), translation(shift, 0, 0)), hinge),))
