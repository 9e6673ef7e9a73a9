"""Containers as hollow carcasses with doors on hinges, flaps, drawers on rails and lids.

Hollow is the point: what is inside must be out of sight while the container is shut and in sight when it is open, so
every container is walls, shelves at the heights where things are put, and a front that moves with its openness. How a
class opens is ``fittings.Opening``'s word; this module only draws it. Sizes are (width y, depth x, height z).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import EMPTY, Joint, JointKind, Model, Part, Soup, join
from sim_bridges.embedded.primitives import box, lathe, quad, rod, transformed, translation, tube
from sim_bridges.embedded.textures import Material

Size = tuple[float, float, float]
DOOR = 0.02  # thickness of a door panel, metres
SWING = math.radians(105.0)
FLAP_SWING = math.radians(88.0)


@dataclass(frozen=True)
class Finish:
    """What a container is made of. ``seed`` tells one exemplar of a class from another."""

    body: Material
    front: Material
    inside: Material
    handle: Material
    seed: int = 0


def carcass(size: Size, heights: Sequence[float], finish: Finish, *, wall: float = 0.02, front_gap: float = DOOR,
            low: float = 0.0, high: float | None = None, shelf: Material | None = None) -> Soup:
    """An open-fronted box with shelves whose tops lie at ``heights``; its front plane stands ``front_gap`` behind the
    size's front.
    """
    w, d, h = size
    top = h if high is None else high
    back, front = -d / 2, d / 2 - front_gap
    y0, y1 = -w / 2, w / 2
    inner = finish.inside
    pieces = [
        box((back, y0, low), (front, y0 + wall, top), finish.body), box((back, y1 - wall, low), (front, y1, top), finish.body),
        box((back, y0, top - wall), (front, y1, top), finish.body), box((back, y0, low), (front, y1, low + wall), finish.body),
        box((back, y0, low), (back + wall, y1, top), finish.body),
        *_lining((back + wall, y0 + wall, low + wall), (front, y1 - wall, top - wall), inner),
    ]
    for z in heights:
        if low + 2 * wall < z < top - wall:
            pieces.append(box((back + wall, y0 + wall, z - 0.012), (front - 0.03, y1 - wall, z), shelf or inner))
    return join(pieces)


def _lining(low: Sequence[float], high: Sequence[float], material: Material) -> list[Soup]:
    """The five inner faces, a hair inside the walls so that they, not the walls, are seen from within."""
    e = 0.0008
    (x0, y0, z0), (x1, y1, z1) = (low[0] + e, low[1] + e, low[2] + e), (high[0], high[1] - e, high[2] - e)
    return [quad(c, material, fit=False) for c in (
        [(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)], [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
        [(x0, y0, z1), (x0, y1, z1), (x1, y1, z1), (x1, y0, z1)], [(x0, y0, z0), (x0, y0, z1), (x1, y0, z1), (x1, y0, z0)],
        [(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)])]


def bar_handle(x: float, y: float, z: float, length: float, material: Material, *, upright: bool, stand: float = 0.03) -> Soup:
    """A bar before the plane ``x``, centred on (y, z)."""
    dy, dz = (0.0, length / 2) if upright else (length / 2, 0.0)
    a, b = (x + stand, y - dy, z - dz), (x + stand, y + dy, z + dz)
    return tube([(x, *a[1:]), a, b, (x, *b[1:])], 0.006, material, segments=6)


def door(y0: float, y1: float, z0: float, z1: float, x: float, finish: Finish, *, hinge_left: bool,
         inner: Material | None = None, extra: Soup = EMPTY, handle: float = 0.16, covers: float = 0.0) -> Part:
    """A panel between ``y0`` and ``y1`` whose front lies at ``x``; ``hinge_left``: seen from its front, the -y side.

    ``covers``: width of a strip behind the far edge that closes the gap to the other door of a pair.
    """
    gap = 0.0015
    panel = _panel((x - DOOR, y0 + gap, z0 + gap), (x, y1 - gap, z1 - gap), finish.front, inner or finish.body)
    grip = y1 - 0.05 if hinge_left else y0 + 0.05
    pieces = [panel, bar_handle(x, grip, z0 + 0.52 * (z1 - z0), handle, finish.handle, upright=True), extra]
    if covers:
        edge = y1 if hinge_left else y0
        pieces.append(box((x - DOOR - 0.004, edge - covers, z0 + 0.01), (x - DOOR, edge + covers, z1 - 0.01), finish.body))
    pivot = (x - DOOR / 2, y0 + gap if hinge_left else y1 - gap, 0.0)
    return Part(join(pieces), Joint(JointKind.HINGE, pivot, (0, 0, 1), SWING if not hinge_left else -SWING))


def _panel(low: Sequence[float], high: Sequence[float], front: Material, inner: Material) -> Soup:
    """A slab with ``front`` on its face and edges and ``inner`` on its back."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    return join([
        box(low, high, front, skip=("-x", "+x")),
        quad([(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)], front),
        quad([(x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)], inner)
    ])


def flap(y0: float, y1: float, z0: float, z1: float, x: float, finish: Finish, *, inner: Material, extra: Soup = EMPTY,
         thickness: float = 0.035) -> Part:
    """A front that turns down about its lower edge."""
    panel = _panel((x - thickness, y0, z0 + 0.001), (x, y1, z1), finish.front, inner)
    grip = bar_handle(x, (y0 + y1) / 2, z1 - 0.05, 0.7 * (y1 - y0), finish.handle, upright=False, stand=0.035)
    return Part(join([panel, grip, extra]), Joint(JointKind.HINGE, (x - thickness / 2, 0, z0), (0, 1, 0), FLAP_SWING))


def cupboard(size: Size, heights: Sequence[float], finish: Finish, *, doors: int, plinth: float = 0.0,
             drawers_above: float = 0.0) -> Model:
    """Shelves behind one or two doors, on a plinth."""
    w, d, h = size
    pieces = [carcass(size, heights, finish, low=plinth)]
    if plinth:
        pieces.append(box((-d / 2, -w / 2 + 0.01, 0), (d / 2 - 0.06, w / 2 - 0.01, plinth), finish.body))
    x = d / 2
    parts = [Part(join(pieces))]
    if doors == 1:
        parts.append(door(-w / 2, w / 2, plinth, h, x, finish, hinge_left=True))
    else:
        parts.append(door(-w / 2, 0, plinth, h, x, finish, hinge_left=True, covers=0.012))
        parts.append(door(0, w / 2, plinth, h, x, finish, hinge_left=False))
    return Model(tuple(parts), tuple(heights))


def chest(size: Size, heights: Sequence[float], finish: Finish, *, rows: int = 3) -> Model:
    """Drawers one above the other; the one whose floor lies at the (lowest) height slides, the others are shut fronts."""
    w, d, h = size
    wall, x = 0.02, size[1] / 2
    floor = heights[0] if heights else 0.7 * h
    brim = min(h - 0.05, floor + 0.11)  # low, so that one sees into the open drawer; a fixed fascia closes what is left above
    pieces = [carcass(size, (), finish, wall=wall)]
    bottom = 0.06
    fixed_rows = max(1, rows - 1)
    step = (floor - 0.015 - bottom) / fixed_rows
    for i in range(fixed_rows):
        z0, z1 = bottom + i * step, bottom + (i + 1) * step
        pieces.append(box((x - DOOR, -w / 2 + 0.012, z0 + 0.004), (x, w / 2 - 0.012, z1 - 0.004), finish.front))
        pieces.append(_knobs(x, w, (z0 + z1) / 2, finish.handle))
    pieces.append(box((x - DOOR, -w / 2 + 0.012, brim + 0.004), (x, w / 2 - 0.012, h - 0.022), finish.front))
    pieces.append(
        box((-d / 2 + wall, -w / 2 + wall, floor - 0.03), (x - DOOR - 0.01, w / 2 - wall, floor - 0.022), finish.inside))
    side, low = w / 2 - wall - 0.008, floor - 0.012
    high = brim - 0.02
    tray = [box((-d / 2 + wall + 0.01, -side, low), (x - DOOR, side, floor), finish.inside),
            box((-d / 2 + wall + 0.01, -side, floor), (x - DOOR, -side + 0.012, high), finish.inside),
            box((-d / 2 + wall + 0.01, side - 0.012, floor), (x - DOOR, side, high), finish.inside),
            box((-d / 2 + wall + 0.01, -side, floor), (-d / 2 + wall + 0.022, side, high), finish.inside),
            box((x - DOOR, -w / 2 + 0.012, floor - 0.012), (x, w / 2 - 0.012, brim), finish.front),
            _knobs(x, w, (floor + brim) / 2, finish.handle)]
    return Model((Part(join(pieces)), Part(join(tray), Joint(JointKind.RAIL, axis=(1, 0, 0), travel=drawer_travel(size)))),
                 tuple(heights))


def drawer_travel(size: Size) -> float:
    """How far a drawer of this size comes out, metres."""
    return 0.6 * size[1]


def _knobs(x: float, width: float, z: float, material: Material) -> Soup:
    places = (-width / 4, width / 4) if width > 0.5 else (0.0,)
    return join(rod((x, y, z), (x + 0.025, y, z), 0.012, material, end_radius=0.016, segments=8) for y in places)


def fridge(size: Size, heights: Sequence[float], finish: Finish) -> Model:
    w, d, h = size
    thick = 0.05
    body = carcass(size, heights, finish, wall=0.04, front_gap=thick, low=0.05, shelf=tx.plain(205, 225, 235, gloss=0.3))
    feet = box((-d / 2 + 0.03, -w / 2 + 0.03, 0), (d / 2 - 0.08, w / 2 - 0.03, 0.05), tx.plain(40, 40, 42))
    x = d / 2
    racks = [box((x - thick - 0.09, -w / 2 + 0.06, z), (x - thick, w / 2 - 0.06, z + 0.05), finish.inside, skip=("+z", "+x"))
             for z in (0.25 * h, 0.48 * h, 0.70 * h)]
    panel = _panel((x - thick, -w / 2, 0.06), (x, w / 2, h), finish.front, finish.inside)
    seam = box((x, -w / 2, 0.63 * h), (x + 0.001, w / 2, 0.635 * h), tx.plain(60, 60, 64)) if finish.seed % 2 else EMPTY
    grip = join([bar_handle(x, w / 2 - 0.06, 0.52 * h, 0.45, finish.handle, upright=True, stand=0.045)])
    leaf = Part(join([panel, grip, seam, *racks]), Joint(JointKind.HINGE, (x - thick / 2, -w / 2, 0), (0, 0, 1), -SWING))
    return Model((Part(join([body, feet])), leaf), tuple(heights))


def microwave(size: Size, heights: Sequence[float], finish: Finish) -> Model:
    w, d, h = size
    x, panel_w = d / 2, 0.24 * w
    y_split = w / 2 - panel_w
    body = carcass(size, (), finish, wall=0.018, front_gap=0.02, high=h)
    divider = box((-d / 2, y_split, 0), (x - 0.001, w / 2, h), finish.body, front=finish.front)
    plate = transformed(lathe([(0, 0), (0.36 * d, 0), (0.38 * d, 0.008), (0, 0.006)], tx.plain(200, 215, 220, gloss=0.4)),
                        translation(0, -panel_w / 2, (heights[0] if heights else 0.03) - 0.008))
    keys = [
        box((x, y_split + 0.02 + 0.028 * c, 0.12 * h + 0.028 * r),
            (x + 0.002, y_split + 0.04 + 0.028 * c, 0.12 * h + 0.02 + 0.028 * r), tx.plain(150, 150, 155)) for r in range(4)
        for c in range(3)
    ]
    clock = box((x, y_split + 0.02, 0.72 * h), (x + 0.002, w / 2 - 0.02, 0.86 * h), tx.plain(20, 60, 45, glow=0.25))
    window = box((x, -w / 2 + 0.05, 0.2 * h), (x + 0.001, y_split - 0.06, 0.8 * h), tx.plain(25, 27, 30, gloss=0.6))
    lit = box((x + 0.001, -w / 2 + 0.05, 0.2 * h), (x + 0.002, y_split - 0.06, 0.8 * h), tx.plain(250, 205, 120, glow=0.8))
    leaf = door(-w / 2, y_split, 0.0, h, x, finish, hinge_left=True, extra=window, handle=0.6 * h, inner=finish.inside)
    glow = Part(lit, Joint(JointKind.WHEN_ON))
    return Model((Part(join([body, divider, plate, *keys, clock])), leaf, glow), tuple(heights))


def stove(size: Size, heights: Sequence[float], finish: Finish) -> Model:
    w, d, h = size
    x, dark = d / 2, tx.plain(38, 38, 42)
    oven_low, oven_high = 0.16 * h, 0.82 * h
    inner = Finish(finish.body, finish.front, tx.plain(70, 68, 70), finish.handle, finish.seed)
    body = carcass((w, d, h), heights, inner, wall=0.03, front_gap=0.035, low=oven_low - 0.03, high=oven_high + 0.03,
                   shelf=tx.plain(120, 120, 124, gloss=0.4))
    shut = [box((-d / 2, -w / 2, 0.02), (x, w / 2, oven_low - 0.03), finish.body),
            box((-d / 2, -w / 2, oven_high + 0.03), (x, w / 2, h - 0.012), finish.body),
            box((-d / 2, -w / 2, h - 0.012), (x, w / 2, h), tx.plain(22, 22, 25, gloss=0.6))]
    knobs = [rod((x, y, (oven_high + h) / 2 + 0.01), (x + 0.025, y, (oven_high + h) / 2 + 0.01), 0.018, dark, segments=10)
             for y in np.linspace(-0.36, 0.36, 5) * w]
    rings, hot = [], []
    for sx, sy, r in ((-0.22, -0.22, 0.15), (-0.22, 0.22, 0.12), (0.2, -0.22, 0.12), (0.2, 0.22, 0.15)):
        for target, colour, z in ((rings, tx.plain(75, 75, 80), 0.001), (hot, tx.plain(235, 60, 25, glow=0.9), 0.002)):
            target.append(transformed(lathe([(r * w - 0.02, 0), (r * w, 0)][::-1], colour), translation(sx * d, sy * w, h + z)))
    window = box((x, -0.36 * w, oven_low + 0.1), (x + 0.001, 0.36 * w, oven_high - 0.12), tx.plain(24, 22, 22, gloss=0.6))
    leaf = flap(-w / 2, w / 2, oven_low - 0.02, oven_high, x, inner, inner=inner.inside, extra=window)
    return Model((Part(join([body, *shut, *knobs, *rings])), leaf, Part(join(hot), Joint(JointKind.WHEN_ON))), tuple(heights))


def dishwasher(size: Size, heights: Sequence[float], finish: Finish) -> Model:
    w, d, h = size
    x = d / 2
    body = carcass(size, (), finish, wall=0.03, front_gap=0.035, low=0.1, high=h)
    wire = tx.plain(150, 160, 175, gloss=0.4)
    racks = []
    for z in heights:
        for y in np.linspace(-w / 2 + 0.05, w / 2 - 0.05, 9):
            racks.append(rod((-d / 2 + 0.04, y, z - 0.004), (x - 0.06, y, z - 0.004), 0.003, wire, segments=4))
        racks.append(
            tube([(-d / 2 + 0.04, -w / 2 + 0.04, z + 0.06), (x - 0.06, -w / 2 + 0.04, z + 0.06),
                  (x - 0.06, w / 2 - 0.04, z + 0.06), (-d / 2 + 0.04, w / 2 - 0.04, z + 0.06)], 0.004, wire, segments=4))
    plinth = box((-d / 2, -w / 2, 0), (x - 0.05, w / 2, 0.1), tx.plain(45, 45, 48))
    strip = box((x, -w / 2 + 0.01, h - 0.1), (x + 0.002, w / 2 - 0.01, h - 0.02), tx.plain(60, 62, 66))
    leaf = flap(-w / 2, w / 2, 0.1, h, x, finish, inner=finish.inside, extra=strip)
    return Model((Part(join([body, plinth, *racks])), leaf), tuple(heights))


def lidded(size: Size, heights: Sequence[float], finish: Finish) -> Model:
    """A carton or chest open above, with one lid hinged at its back."""
    w, d, h = size
    t = 0.008
    lid_h = 0.012
    walls = [
        box((-d / 2, -w / 2, 0), (d / 2, w / 2, t), finish.body),
        box((-d / 2, -w / 2, 0), (-d / 2 + t, w / 2, h - lid_h), finish.body),
        box((d / 2 - t, -w / 2, 0), (d / 2, w / 2, h - lid_h), finish.body, front=finish.front),
        box((-d / 2, -w / 2, 0), (d / 2, -w / 2 + t, h - lid_h), finish.body),
        box((-d / 2, w / 2 - t, 0), (d / 2, w / 2, h - lid_h), finish.body), *_inner_floor(size, heights, finish)
    ]
    lid = box((-d / 2, -w / 2, h - lid_h), (d / 2, w / 2, h), finish.body)
    hinge = Joint(JointKind.HINGE, (-d / 2, 0, h - lid_h), (0, 1, 0), -SWING)
    return Model((Part(join(walls)), Part(lid, hinge)), tuple(heights))


def _inner_floor(size: Size, heights: Sequence[float], finish: Finish) -> list[Soup]:
    w, d, _ = size
    z = heights[0] if heights else 0.0
    return [box((-d / 2 + 0.004, -w / 2 + 0.004, 0.004), (d / 2 - 0.004, w / 2 - 0.004, z), finish.inside)] if z > 0.012 else []


def _steel(seed: int) -> Finish:
    white = seed % 3 == 0
    shade = (236, 237, 238) if white else ((176, 180, 184) if seed % 3 == 1 else (58, 60, 64))
    front = tx.plain(*shade, gloss=0.25)
    return Finish(tx.plain(*(int(0.93 * c) for c in shade), gloss=0.1), front, tx.plain(238, 241, 243, glow=0.3),
                  tx.plain(150, 152, 156, gloss=0.6), seed)


_WOODS: tuple[tx.RGB, ...] = ((196, 154, 108), (150, 106, 68), (222, 202, 172), (112, 76, 52), (232, 230, 224), (128, 150, 140),
                              (92, 112, 138))
_NATURAL = 4  # the first ones show their grain, the others are painted


def wooden(seed: int, salt: int) -> Finish:
    kind = (seed + salt) % len(_WOODS)
    base = _WOODS[kind]
    make = tx.wood if kind < _NATURAL else tx.lacquer
    grain = tx.of(make(seed * 31 + salt, base), gloss=0.06)
    pale = tx.of(make(seed * 31 + salt + 7, tuple(min(255, int(c * 1.06) + 6) for c in base)), gloss=0.06)
    return Finish(grain, pale if seed % 2 else grain, tx.plain(*(min(255, int(0.55 * c) + 105) for c in base)),
                  tx.plain(120, 122, 126, gloss=0.6) if seed % 2 == 0 else tx.plain(52, 48, 44, gloss=0.3), seed)


def _carton(seed: int) -> Finish:
    base = ((186, 148, 104), (120, 140, 160), (206, 190, 160))[seed % 3]
    body = tx.of(tx.plaster(seed + 5, base, contrast=0.06))
    return Finish(body, body, tx.plain(*(int(0.8 * c) for c in base)), body, seed)


def _wicker(seed: int) -> Finish:
    base = ((184, 146, 92), (140, 104, 70), (210, 186, 140))[seed % 3]
    body = tx.of(tx.fabric(seed + 11, base, size=0.16, contrast=0.3))
    return Finish(body, body, tx.plain(*(int(0.7 * c) for c in base)), body, seed)


MAKERS: dict[str, Callable[[Size, Sequence[float], int], Model]] = {
    "fridge": lambda size, heights, k: fridge(size, heights, _steel(k)),
    "microwave": lambda size, heights, k: microwave(size, heights, _steel(k + 1)),
    "stove": lambda size, heights, k: stove(size, heights, _steel(k)),
    "dishwasher": lambda size, heights, k: dishwasher(size, heights, _steel(k)),
    "kitchencabinet": lambda size, heights, k: cupboard(size, heights, wooden(k, 4), doors=2 if size[0] > 0.5 else 1),
    "bathroomcabinet": lambda size, heights, k: cupboard(size, heights, wooden(k, 5), doors=2 if size[0] > 0.5 else 1),
    "cabinet": lambda size, heights, k: cupboard(size, heights, wooden(k, 1), doors=2, plinth=0.04),
    "wardrobe": lambda size, heights, k: cupboard(size, heights, wooden(k, 2), doors=2, plinth=0.05),
    "drawer": lambda size, heights, k: chest(size, heights, wooden(k, 0), rows=3 + k % 2),
    "box": lambda size, heights, k: lidded(size, heights, _carton(k)),
    "basket": lambda size, heights, k: lidded(size, heights, _wicker(k)),
}
