"""Things that hold drinks, flowers and water: vases, glasses, mugs, buckets; and the table of all vessels.

A cup is known by what all cups share (a bowl, a rim, a handle), not by one cup's measures: each maker draws one of several real designs with random
outline, colours and contents. Bottles are in ``vessels_bottles``, cartons and flacons in ``vessels_packages``, coffee pots in ``vessels_pots``. Every
function is pure in the generator's state; centimetres, +x front.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from evaluation.exemplars import vessels_bottles as bottles
from evaluation.exemplars import vessels_packages as packages
from evaluation.exemplars import vessels_pots as pots
from evaluation.exemplars.vessels_parts import (BLACK, COPPER, GOLD, STEEL, WHITE, Outline, bail, between, circle, coat, disc, ear, flipped, fluted,
                                                glass, grained, hollow, household, hue, knob, metal, often, pattern, pick, pictured, printed, sleeve,
                                                smooth, sound, squarish, swept, tint, turned, upto, with_lip)
from sim_bridges.embedded.meshes import Soup, join, transformed, translation
from sim_bridges.embedded.primitives import ellipsoid, rod
from sim_bridges.embedded.textures import Material

Rng = np.random.Generator
Maker = Callable[[Rng], Soup]

# --- vase


def _bouquet(rng: Rng, radius: float, rim: float, high: float) -> Soup:
    """Tulips, ball flowers, grasses or bare twigs standing in a neck of ``radius``."""
    green, kind = coat(rng, pick(rng, (60, 110, 50), (90, 130, 70), (110, 84, 56)), 12, (0, 0.1)), int(rng.integers(4))
    petals, parts = coat(rng, pick(rng, hue(rng), WHITE, (220, 60, 90), (240, 200, 60)), 14, (0, 0.15)), []
    for _ in range(int(rng.integers(3, 7))):
        a, lean = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 0.42) * high
        top = np.array([lean * math.cos(a), lean * math.sin(a), rim + high * rng.uniform(0.6, 1.0)])
        foot = np.array([0.5 * radius * math.cos(a), 0.5 * radius * math.sin(a), rim - 2])
        middle = 0.5 * (foot + top) - (0.25 * lean * math.cos(a), 0.25 * lean * math.sin(a), 0)
        parts.append(swept([foot, middle, top], (0.16, 0.14, 0.12 if kind < 3 else 0.04), green, side=(-math.sin(a), math.cos(a), 0), segments=4))
        size = float(rng.uniform(0.8, 1.6))
        if kind == 0:
            parts.append(ellipsoid(top, (0.7 * size, 0.7 * size, 1.2 * size), petals, segments=7, rings=6))
        elif kind == 1:
            parts.append(ellipsoid(top, (1.3 * size, 1.3 * size, 0.8 * size), petals, segments=8, rings=5))
        elif kind == 2:
            parts.append(ellipsoid(top, (0.45 * size, 0.45 * size, 2.2 * size), petals, segments=6, rings=5))
    return join(parts)


def _vase_outline(rng: Rng) -> tuple[Outline, bool]:
    """Outside from foot to rim, and whether the neck is wide."""
    f = between(rng)
    h = 25.0
    kind = int(rng.integers(7))
    if kind == 0:
        r = f(4.5, 6)
        return [(0, 0), (f(0.6, 1) * r, 0), (r, f(0.5, 1.5)), (f(0.8, 1.1) * r, h)], True
    if kind == 1:
        return [(0, 0), *smooth([(f(2, 4), 0), (f(4.5, 6), f(5, 9)), (f(2.5, 4.5), f(13, 17)), (f(1.0, 1.8), f(19, 21)), (f(1.3, 2.6), h)], 2)], False
    if kind == 2:
        return [(0, 0), *smooth([(f(2.2, 3.2), 0), (f(3.6, 4.4), f(7, 9)), (f(5.4, 6), f(16, 19)), (f(3.6, 4.4), f(22, 23)),
                                 (f(3.8, 5), h)], 2)], True
    if kind == 3:
        return [(0, 0), (f(3, 4), 0), *smooth([(f(2.2, 3), 1.2), (f(1.8, 2.6), f(4, 8)), (f(2.6, 3.4), 15), (f(4.8, 6), h)], 2)], True
    if kind == 4:
        return [(0, 0), *smooth([(f(2.5, 4), 0), (5.8, f(7, 12)), (f(3.5, 5), f(17, 21)), (f(1.2, 3.2), h)], 2)], True
    if kind == 5:
        return [(0, 0), *smooth([(f(3, 4.5), 0), (f(5, 6), f(3, 6)), (f(2, 3), f(10, 12)), (f(1.4, 2.2), f(15, 19)), (f(2.4, 4), h)], 2)], False
    return [(0, 0), *smooth([(float(v), float(z)) for v, z in zip(rng.uniform(2.2, 6, 5), np.linspace(0, h, 5))], 2)], True


def vase(rng: Rng) -> Soup:
    """Cylinder, bottle vase, shouldered jar, trumpet, egg, long neck, free curve; round, square or faceted; with or without flowers."""
    outline, wide = _vase_outline(rng)
    section = pick(rng, circle(16), circle(16), circle(16), squarish(6, segments=16), circle(int(rng.integers(5, 9))),
                   fluted(9, float(rng.uniform(0.04, 0.15))))
    kind = rng.choice(5, p=(0.5, 0.2, 0.12, 0.08, 0.1))
    skin = (pattern(rng,
                    pick(rng, household(rng), tint(rng, pick(rng, (186, 104, 70), (226, 214, 190), (60, 90, 120), (90, 100, 80), (200, 196, 190))))),
            glass(rng, pick(rng, (208, 222, 220), hue(rng, (0.2, 0.8), (0.4, 0.9))),
                  (0.25, 0.6)), metal(rng), grained(rng, tint(rng, pick(rng, (170, 124, 76), (96, 64, 40)))), coat(rng, household(rng), 12,
                                                                                                                   (0, 0.6)))[kind]
    body = hollow(outline,
                  0.5,
                  skin,
                  None if kind == 1 or often(rng, 0.7) else coat(rng, household(rng)),
                  section,
                  flat=often(rng, 0.5) and len(section) < 10)
    parts, rim = [body], outline[-1]
    if often(rng, 0.14):
        z0, z1 = sorted(rng.uniform((8, 17), (14, 23)))
        at = [float(np.interp(z, [p[1] for p in outline], [p[0] for p in outline])) - 0.1 for z in (z1, z0)]
        handle = swept(ear((at[0], z1), (at[1], z0), float(rng.uniform(1.2, 2.5)), 0.9), 0.45, skin)
        parts += [handle, flipped(handle)]
    if kind == 1 and often(rng, 0.6):
        parts.append(turned(upto(outline, float(rng.uniform(5, 14)), 0.82), glass(rng, (180, 205, 212), (0.3, 0.5)), section))
    if often(rng, 0.3):
        parts.append(_bouquet(rng, rim[0], rim[1], float(rng.uniform(6, 16) if wide else rng.uniform(8, 18))))
    return join(parts)


# --- glasses


def _drink(rng: Rng) -> Material:
    return coat(rng, pick(rng, (190, 214, 222), (190, 214, 222), (246, 160, 40), (80, 34, 16), (226, 200, 90), (200, 60, 60), (238, 236, 228)), 8,
                (0.2, 0.5), float(rng.uniform(0.45, 0.9)))


def waterglass(rng: Rng) -> Soup:
    """Straight or tapered tumbler, highball, faceted, barrel, waisted, pressed glass; clear, tinted or printed; empty or full."""
    h, foot = 13.0, float(rng.uniform(0.3, 1.6))
    kind, r, top = int(rng.integers(6)), float(rng.uniform(2.6, 3.7)), 3.75
    outline = ([(0, 0), (0.97 * top, 0), (top, 0.3), (top, h)], [(0, 0), (0.95 * r, 0), (r, 0.3), (top, h)], [
        (0, 0), *smooth([(0.8 * r, 0), (top, float(rng.uniform(5, 8))), (float(rng.uniform(2.8, 3.5)), h)], 4)
    ], [(0, 0), (r, 0), (r, 0.5), *smooth([(0.9 * r, 2),
                                           (0.95 * r, 5), (top, h)], 3)], [(0, 0), (0.9 * r, 0), (r, 0.3), (top, 0.62 * h), (0.98 * top, 0.66 * h),
                                                                           (1.02 * top, h)], [(0, 0), (2.4, 0), (2.2, 0.6), (1.3, 1.2),
                                                                                              *smooth([(1.6, 2), (3.3, 6), (top, h)], 3)])[kind]
    section = pick(rng, circle(20), circle(20), circle(int(rng.integers(6, 11))), fluted(11, float(rng.uniform(0.03, 0.08))),
                   squarish(4)) if kind in (0, 1, 4) else circle(20)
    tone = pick(rng, (206, 222, 222), (206, 222, 222), (206, 222, 222), (214, 220, 226), hue(rng, (0.2, 0.7), (0.6, 0.95)))
    wall = glass(rng, tone, pick(rng, (0.1, 0.2), (0.1, 0.2), (0.15, 0.3), (0.4, 0.6)) if often(rng, 0.9) else (0.7, 0.9))
    floor = foot if kind != 5 else 1.4
    parts = [hollow(outline, 0.22, wall, None, section, flat=len(section) < 12, floor=floor)]
    if often(rng, 0.55):
        level = float(rng.uniform(0.35, 0.92)) * h
        fill = [p for p in upto(outline[1:], level, 0.88) if p[1] > floor]
        parts.append(
            turned([(0, floor + 0.05),
                    (0.85 * float(np.interp(floor, [p[1] for p in outline[1:]], [p[0] for p in outline[1:]])), floor + 0.05), *fill], _drink(rng),
                   section))
    if kind < 2 and often(rng, 0.15):
        low = float(rng.uniform(2, 6))
        parts.append(
            sleeve([(top, low), (top, low + 4)], pictured(printed(rng, ("Cola", "Hello", "BAR", "No. 1", "Cheers")), 0.3), float(rng.uniform(1, 2))
                   ) if kind == 0 else turned([(1.03 * np.interp(v, (0, h), (r, top)), v)
                                               for v in (low, low + float(rng.uniform(0.4, 2)))], coat(rng, pick(rng, GOLD, hue(rng))), section))
    if often(rng, 0.08):
        parts.append(swept([(0.4, -1.5, 1.6), (0.2, 1.5, h), (0.2, 2.4, h + 4)], 0.28, coat(rng, hue(rng)), segments=6))
    return join(parts)


def wineglass(rng: Rng) -> Soup:
    """Red, white, tulip, flute, coupe, hock or goblet: a bowl on a stem on a foot, empty or with wine."""
    f = between(rng)
    h = 20.0
    kind = int(rng.integers(7))
    stem = (f(6.5, 9), f(7, 10), f(6.5, 9), f(4, 7), f(9, 13), f(9, 12), f(5, 8))[kind]
    b, d = stem + 0.4, h - stem
    belly = (((3.0, 0.12), (4.0, 0.38), (3.7, 0.7), (f(2.7, 3.3), 1)), ((2.4, 0.12), (3.4, 0.4), (3.2, 0.7), (f(2.4, 3.0), 1)),
             ((2.7, 0.1), (3.8, 0.32), (2.9, 0.75), (f(2.9, 3.4), 1)), ((1.3, 0.1), (f(2.0, 2.5), 0.4), (2.2, 0.75), (f(1.7, 2.4), 1)),
             ((2.4, 0.14), (3.6, 0.45), (3.95, 0.75), (4.0, 1)), ((2.6, 0.14), (3.7, 0.45), (3.6, 0.75), (3.2, 1)), ((2.2, 0.08), (3.2, 0.3),
                                                                                                                     (3.5, 0.65), (3.7, 1)))[kind]
    thin = f(0.28, 0.5) if kind < 6 else f(0.5, 0.9)
    bowl = smooth([(thin, b - 0.2), *((r, b + t * (d - 0.4)) for r, t in belly)], 3)
    foot = f(3.0, 3.9)
    clear = glass(rng, (210, 222, 224), (0.1, 0.24))
    tinted = glass(rng, hue(rng, (0.4, 0.8), (0.4, 0.9)), (0.4, 0.65))
    body, leg = pick(rng, (clear, clear), (clear, clear), (clear, clear), (clear, clear), (clear, tinted), (tinted, tinted), (tinted, clear))
    knot = [(thin, 0.45 * stem), (2.2 * thin, 0.5 * stem), (thin, 0.55 * stem)] if kind in (5, 6) and often(rng, 0.6) else []
    column = [(0, 0), (foot, 0), (foot, 0.15), (0.9 * foot, 0.3), (1.8 * thin, f(0.6, 1.2)), (thin, 2), *knot, (thin, b - 0.2)]
    inner = [(0.95 * r, z + 0.12) for r, z in bowl]
    parts = [turned(column, leg, circle(16)), turned(bowl, body), turned([*reversed(inner[1:]), (0, inner[1][1])], body)]
    if often(rng, 0.5):
        wine = coat(rng, pick(rng, (100, 14, 34), (100, 14, 34), (226, 206, 120), (240, 150, 130), (236, 216, 150)), 8, (0.2, 0.5), f(0.75, 0.95))
        fill = upto(bowl, b + f(0.25, 0.65) * d, 0.87)
        parts.append(turned([(0, fill[1][1]), *fill[1:]], wine))
    if often(rng, 0.08):
        parts.append(turned([(1.02 * bowl[-1][0], h - 0.5), (1.02 * bowl[-1][0], h)], metal(rng, GOLD)))
    return join(parts)


# --- mug


def mug(rng: Rng) -> Soup:
    """Straight, tapered, bellied, flared, footed or enamel mug; C, ear, square or low handle; with coffee, tea or nothing in it."""
    f = between(rng)
    kind, r, h = int(rng.integers(6)), 4.0, 10.0
    outline = ([(0, 0), (0.95 * r, 0), (r, 0.4), (r, h)], [(0, 0), (f(0.6, 0.85) * r, 0), (f(0.68, 0.88) * r, 0.5), (r, h)], [
        (0, 0), *smooth([(0.72 * r, 0), (r, f(3, 5.5)), (f(0.78, 0.95) * r, h)], 4)
    ], [(0, 0), (0.6 * r, 0), *smooth([(0.62 * r, 0.4), (0.86 * r, 2.5), (0.88 * r, 6), (r, h)], 3)], [(0, 0), (0.62 * r, 0), (0.58 * r, 0.8),
                                                                                                       *smooth([(0.75 * r, 1.2), (0.98 * r, 3.5),
                                                                                                                (r, h)], 3)], [(0, 0), (0.92 * r, 0),
                                                                                                                               (0.97 * r, 0.5),
                                                                                                                               (0.97 * r, h - 0.4),
                                                                                                                               (1.02 * r, h)])[kind]
    base = household(rng)
    skin = pattern(rng, base)
    if often(rng, 0.3):
        skin = pictured(printed(rng, ("MUM", "Coffee", "No. 1", "BOSS", "Hello", "TEA", "Monday", "DAD", "London", "Love"), base=base, repeat=2),
                        f(0.1, 0.6))
    elif often(rng, 0.06):
        skin = metal(rng)
    section = circle(20) if often(rng, 0.85) else pick(rng, squarish(4), fluted(12, 0.04), circle(8))
    inside = pick(rng, coat(rng, base, 4, (0.2, 0.5)), coat(rng, WHITE, 6, (0.2, 0.5)), coat(rng, WHITE, 6, (0.2, 0.5)), coat(rng, household(rng), 4))
    clear = kind < 3 and often(rng, 0.06)
    if clear:
        skin = inside = glass(rng)
    parts = [hollow(outline, f(0.3, 0.5), skin, inside, section)]
    if kind == 5:
        parts.append(
            turned([(1.03 * r, h - 0.5), (1.05 * r, h - 0.2), (1.02 * r, h + 0.1)],
                   coat(rng, pick(rng, (30, 50, 120), BLACK, (170, 40, 40), hue(rng)), 8)))
    high, low = f(0.74, 0.93) * h, f(0.1, 0.35) * h
    at = [float(np.interp(z, [p[1] for p in outline[1:]], [p[0] for p in outline[1:]])) - 0.2 for z in (high, low)]
    loop = ear((at[0], high), (at[1], low), f(1.9, 3.4), pick(rng, 1.0, 0.85, 0.6, 0.45))
    handle = skin if skin.texture is None and often(rng, 0.6) else coat(rng, pick(rng, base, base, base, household(rng)), 3, (0.1, 0.5))
    parts.append(
        flipped(swept(loop, f(0.35, 0.6), handle, thick=f(1.0, 1.9))) if often(rng, 0.5) else swept(loop, f(0.35, 0.6), handle, thick=f(1.0, 1.9)))
    if often(rng, 0.5):
        level = f(0.6, 0.92) * h
        reach = float(np.interp(level, [p[1] for p in outline[1:]], [p[0] for p in outline[1:]])) - 0.35
        parts.append(
            disc(reach, level,
                 coat(rng, pick(rng, (50, 28, 16), (60, 32, 18), (150, 100, 62), (196, 160, 120), (150, 70, 20), (238, 234, 224)), 8, (0.1, 0.4)),
                 section))
    if often(rng, 0.1):
        parts.append(swept([(0, 0.4, 1), (0.3, -1.8, h), (0.3, -2.4, h + 3.4)], (0.2, 0.22, 0.42), metal(rng, STEEL), segments=5))
    return join(parts)


# --- bucket


def _hoop(rng: Rng, r: float, z: float) -> Soup:
    """A wire bail with grip, upright, leaning or resting on the rim, and its two ears."""
    lean = pick(rng, 1.5, 1.45, -1.5, float(rng.uniform(-0.8, 0.8)), 0.0)
    wire, grip = pick(rng, metal(rng, STEEL), metal(rng, STEEL), coat(rng, pick(rng, BLACK, WHITE,
                                                                                hue(rng)))), coat(rng,
                                                                                                  pick(rng, BLACK, WHITE, hue(rng), (160, 116, 70)))
    path = bail(1.02 * r, z, r * float(rng.uniform(0.75, 1.08)) if abs(lean) < 1 else 1.05 * r, lean, 13)
    side = (math.cos(lean), 0.0, -math.sin(lean))
    parts = [swept(path, float(rng.uniform(0.2, 0.55)), wire, side=side, segments=5)]
    if often(rng, 0.7):
        parts.append(swept(path[5:8], float(rng.uniform(0.7, 1.1)), grip, side=side))
    return join([*parts, *(rod((0, 0.97 * s * r, z), (0, 1.06 * s * r, z), float(rng.uniform(0.8, 1.6)), wire, segments=8) for s in (-1, 1))])


def bucket(rng: Rng) -> Soup:
    """Plastic household, zinc, enamel, wooden, square mop, paint or builder's bucket; with bail or two grips, with water, lid or wringer."""
    f = between(rng)
    kind = int(rng.choice(6, p=(0.32, 0.18, 0.1, 0.16, 0.12, 0.12)))
    r, h = 14.0, f(22, 28)
    low, skin = f(0.62, 0.85) * r, coat(rng, household(rng), 10, (0.1, 0.4), 1.0 if often(rng, 0.92) else 0.6)
    outline = [(0, 0), (low, 0), (1.01 * low, 0.5), (0.965 * r, h - 1.6), (0.965 * r, h - 1.5), (r, h - 1.5), (r, h)]
    section = circle(24)
    if kind == 1:
        skin = metal(rng, pick(rng, (158, 164, 168), STEEL, (130, 134, 138), COPPER, hue(rng, (0.1, 0.5))))
        rings = [(float(low + (r - low) * t) * k, float(t * h)) for t in (0.3, 0.7)
                 for k, t in ((1, t - 0.03), (1.03, t - 0.015), (1.03, t + 0.015), (1, t + 0.03))]
        outline = [(0, 0), (low, 0), (1.02 * low, 0.5), *rings, (0.99 * r, h - 0.9), (1.02 * r, h - 0.5), (r, h)]
    elif kind == 2:
        skin = grained(rng, tint(rng, pick(rng, (170, 120, 74), (120, 80, 48), (200, 160, 110))))
        outline = [(0, 0), (low, 0), (r, h)]
    elif kind == 3:
        section = squarish(float(rng.uniform(3, 7)), f(0.8, 1.0), 24)
    elif kind == 5:
        skin = pattern(rng, household(rng)) if often(rng, 0.6) else pictured(
            printed(rng, ("PAINT", "Farbe", "10 L", "Wall White", "Primer"), repeat=2), 0.2)
        outline = [(0, 0), (0.88 * r, 0), (0.9 * r, 0.5), (0.97 * r, h - 1.5), (r, h - 1.2), (r, h)]
    inside = skin if skin.texture is None and often(rng, 0.85) else coat(rng, pick(rng, WHITE, skin.color), 6)
    body = hollow(outline, 0.5, skin, inside, section)
    if kind in (0, 3) and often(rng, 0.35):
        body = with_lip(body, h - 6, f(1, 2.5))
    parts, wide = [body], float(np.abs(section[:, 1]).max())
    if kind == 2:
        parts += [
            turned([(1.015 * (low + (r - low) * t), t * h), (1.015 * (low + (r - low) * (t + 0.07)), (t + 0.07) * h)],
                   metal(rng, pick(rng, (70, 66, 62), GOLD)), section) for t in (0.15, 0.72)
        ]
    if kind == 4:
        grip = coat(rng, pick(rng, skin.color, BLACK), 4)
        loop = swept(np.column_stack(
            [4 * np.cos(np.linspace(0, math.pi, 7)),
             np.full(7, 0.98 * r), h - 0.6 + f(2, 4) * np.sin(np.linspace(0, math.pi, 7))]),
                     0.7,
                     grip,
                     side=(0, 1, 0))
        parts += [loop, flipped(loop)]
    else:
        parts.append(_hoop(rng, r * wide, h - f(1.2, 2.6)))
    if kind == 3 and often(rng, 0.4):
        parts.append(
            transformed(
                turned([(0.72 * r, h - 0.5), (0.7 * r, h + 1.5), (0.6 * r, h + 1.5), (0.35 * r, h - 7), (0, h - 7)], coat(rng, household(rng)),
                       section), translation(0, -0.15 * r, 0)))
    elif kind == 5 and often(rng, 0.5):
        parts.append(
            knob(h, [(1.02 * r, -0.8), (1.03 * r, 0.3), (0.93 * r, 0.5), (0.9 * r, 0.1), (0, 0.1)], coat(rng, pick(rng, WHITE, skin.color, BLACK), 4),
                 section))
    elif often(rng, 0.3):
        level = f(0.4, 0.8) * h
        parts.append(
            disc(low + (0.965 * r - low) * level / h - 0.6, level,
                 coat(rng, pick(rng, (150, 180, 190), (150, 180, 190), (226, 232, 236), (120, 110, 96)), 8, (0.3, 0.6)), section))
    return join(parts)


def _whole(maker: Maker) -> Maker:
    """The same design without triangles of no area."""
    return lambda rng: sound(maker(rng))


MAKERS: dict[str, Maker] = {
    cls: _whole(maker)
    for cls, maker in {
        "wine": bottles.wine,
        "beer": bottles.beer,
        "condimentbottle": bottles.condimentbottle,
        "juice": packages.juice,
        "milk": packages.milk,
        "medicine": packages.medicine,
        "perfume": packages.perfume,
        "vase": vase,
        "waterglass": waterglass,
        "wineglass": wineglass,
        "mug": mug,
        "coffeepot": pots.coffeepot,
        "bucket": bucket,
    }.items()
}
