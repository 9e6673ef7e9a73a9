"""Coffee makers at random: drip, espresso, capsule, fully automatic, and the pot for the stove.

What they share is a place for a cup or jug under a spout at the front; the case around it is what makes differ in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars.prints_parts import (any_colour, casing, chance, colour, metal, paint, pick, prism, profile, repeated, rod, rounded, spun,
                                               superellipse, timber)
from sim_bridges.embedded.meshes import Soup, join, transformed, translation
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, limb, skin_of_rings

Maker = Callable[[np.random.Generator], Soup]
DARK = paint((30, 30, 32), 0.2)
COFFEE = paint((44, 26, 16), 0.4)
GLASS = paint((220, 228, 232), 0.6, opacity=0.35)


def _buttons(rng: np.random.Generator, x: float, y: float, z: float, wide: float) -> list[Soup]:
    """A display and keys on a front at ``x``."""
    parts, count = [], int(rng.integers(2, 6))
    if chance(rng, 0.6):
        parts.append(
            box((x, y - wide * 0.3, z), (x + 0.001, y + wide * 0.3, z + 0.03),
                paint((20, 30, 36), 0.5),
                front=paint(pick(rng, (90, 200, 240), (20, 30, 36), (240, 240, 250)), glow=0.3)))
    if chance(rng, 0.3):
        parts.append(rod((x, y, z + 0.045), (x + 0.012, y, z + 0.045), 0.016, metal(rng), segments=12))
    knob = rod((x, 0, 0), (x + 0.004, 0, 0), 0.006, pick(rng, metal(rng), paint((240, 240, 240)), DARK), segments=8)
    return parts + [repeated(knob, [(0, y + d, z - 0.014) for d in np.linspace(-wide * 0.4, wide * 0.4, count)])]


def _cup(rng: np.random.Generator, x: float, y: float, z: float) -> Soup:
    r, h = rng.uniform(0.022, 0.034), rng.uniform(0.04, 0.065)
    glaze = paint(pick(rng, (244, 243, 240), (244, 243, 240), any_colour(rng)), 0.4)
    cup = join([
        lathe([(0, 0), (0.7 * r, 0), (r, h), (0.9 * r, h), (0.8 * r, h * 0.85), (0, h * 0.85)], glaze, segments=12),
        rod((0, 0, h * 0.84), (0, 0, h * 0.87), 0.8 * r, COFFEE, segments=10)
    ])
    return transformed(cup, translation(x, y, z))


def _drip(rng: np.random.Generator) -> Soup:
    """Glass jug on a warming plate under the filter, the tank behind."""
    body, trim = casing(rng), metal(rng)
    w, top, hot = rng.uniform(0.1, 0.125), rng.uniform(0.32, 0.36), rng.uniform(0.02, 0.04)
    jug, over = rng.uniform(0.062, 0.075), rng.uniform(0.2, 0.225)
    parts = [
        rounded((-0.12, -w, 0), (0.12, w, hot), 0.01, body),
        box((-0.12, -w, hot - 0.01), (-0.045, w, over + 0.01), body if chance(rng, 0.6) else paint((90, 100, 110), 0.4, 0.8))
    ]
    if chance(rng, 0.5):
        parts.append(rounded((-0.12, -w, over), (0.11, w, top), 0.018, body))
    else:
        parts += [
            transformed(lathe([(0, over), (0.055, over), (0.085, over + 0.09), (0.085, top), (0, top)], body, segments=18), translation(0.035, 0, 0)),
            box((-0.12, -w, over), (-0.03, w, top), body),
            box((-0.04, -0.03, top - 0.06), (0.04, 0.03, top - 0.004), body)
        ]
    fill = rng.uniform(0.2, 0.8)
    parts += [rod((0.035, 0, hot), (0.035, 0, hot + 0.004), jug, trim, segments=18)]
    outline = [(0, 0), (jug * 0.92, 0), (jug, 0.03), (jug * 0.98, 0.09), (jug * 0.7, 0.13), (jug * 0.72, 0.14)]
    steel = chance(rng, 0.2)
    pot = [lathe(outline, trim if steel else GLASS, segments=18, crease=80), rod((0, 0, 0.138), (0, 0, 0.155), jug * 0.74, DARK, segments=14)]
    if not steel:
        pot.append(
            lathe([(0, 0.002), (jug * 0.9, 0.002), (jug * 0.95, 0.03), (jug * 0.95, 0.03 + 0.05 * fill), (0, 0.03 + 0.05 * fill)],
                  COFFEE,
                  segments=16))
    grip = join(
        [box((jug * 0.68, -0.009, 0.12), (jug + 0.03, 0.009, 0.138), DARK),
         box((jug + 0.016, -0.009, 0.03), (jug + 0.032, 0.009, 0.138), DARK)])
    pot.append(spun(grip, pick(rng, 0.0, 0.6, -0.6, 1.2)))
    parts.append(transformed(join(pot), translation(0.035, 0, hot + 0.004)))
    return join([*parts, *_buttons(rng, 0.12 if hot > 0.032 else 0.111, 0, 0.022 if hot > 0.032 else 0.28, w)])


def _espresso(rng: np.random.Generator) -> Soup:
    """A steel case over a drip tray, group head with its handle, steam pipe."""
    body, steel = (metal(rng) if chance(rng, 0.5) else casing(rng)), paint((205, 206, 210), 0.6)
    w, top, base = rng.uniform(0.11, 0.125), 0.34, rng.uniform(0.04, 0.06)
    back, over = rng.uniform(-0.03, 0.0), rng.uniform(0.2, 0.23)
    parts = [
        box((-0.12, -w, 0), (back, w, top), body),
        box((-0.12, -w, over), (0.09, w, top), body),
        box((-0.02, -w, 0), (0.12, w, base), body),
        box((-0.01, -w + 0.012, base), (0.112, w - 0.012, base + 0.003), steel)
    ]
    parts += [box((x, -w + 0.014, base + 0.003), (x + 0.005, w - 0.014, base + 0.004), DARK) for x in np.linspace(0.005, 0.1, 7)]
    for y in (0, ) if chance(rng, 0.75) else (-0.05, 0.05):
        parts += [
            rod((0.045, y, over - 0.03), (0.045, y, over), 0.034, steel, segments=14),
            rod((0.045, y, over - 0.055), (0.045, y, over - 0.028), 0.03, steel, segments=14),
            limb((0.075, y, over - 0.042), (0.16, y + rng.normal(0, 0.03), over - 0.055), (0.009, 0.013),
                 DARK if chance(rng, 0.7) else timber(rng),
                 segments=8),
            rod((0.045, y - 0.012, over - 0.072), (0.045, y - 0.012, over - 0.05), 0.006, steel, segments=7),
            rod((0.045, y + 0.012, over - 0.072), (0.045, y + 0.012, over - 0.05), 0.006, steel, segments=7)
        ]
    side = pick(rng, -1, 1)
    parts += [
        rod((0.06, side * (w - 0.02), over + 0.01), (0.085, side * (w - 0.012), base + 0.05), 0.005, steel, segments=7),
        rod((0.09, side * (w - 0.03), top - 0.06), (0.112, side * (w - 0.03), top - 0.06), 0.018, DARK, segments=10)
    ]
    if chance(rng, 0.5):
        parts += [
            rod((0.09, -side * 0.05, top - 0.055), (0.096, -side * 0.05, top - 0.055), 0.026, steel, segments=14),
            rod((0.096, -side * 0.05, top - 0.055), (0.097, -side * 0.05, top - 0.055), 0.021, paint((244, 244, 240)), segments=12)
        ]
    if chance(rng, 0.6):
        parts += [box((-0.11, s * w * 0.95 - 0.003, top), (0.08, s * w * 0.95 + 0.003, top + 0.02), steel) for s in (-1, 1)]
        parts += [_cup(rng, rng.uniform(-0.08, 0.04), y, top) for y in (-0.06, 0.04)[:int(rng.integers(0, 3))]]
    if chance(rng, 0.3):
        parts.append(
            transformed(lathe([(0, 0), (0.03, 0), (0.05, 0.06), (0.05, 0.075), (0, 0.08)], paint((60, 50, 46), 0.4, 0.7), segments=14),
                        translation(-0.06, 0.05, top)))
    return join([
        *parts, *(_buttons(rng, 0.09, 0, over + 0.045, w) if chance(rng, 0.6) else []),
        *([_cup(rng, 0.045, 0, base + 0.004)] if chance(rng, 0.5) else [])
    ])


def _capsule(rng: np.random.Generator) -> Soup:
    """Narrow or round, the head jutting out over a cup stand, a clear tank."""
    body, tank = casing(rng), paint((190, 205, 215), 0.5, opacity=0.5)
    w, foot = rng.uniform(0.06, 0.08), rng.uniform(0.02, 0.035)
    if chance(rng, 0.5):
        head = profile(np.array(superellipse(0.1, 0.055, pick(rng, 2, 3, 5), 20)) + [0.02, 0.26], 1.7 * w, body)
        parts = [head, profile([(-0.1, 0), (-0.02, 0), (-0.01, 0.12), (0.0, 0.24), (-0.09, 0.25)], 1.6 * w, body)]
    else:
        parts = [rounded((-0.11, -w, 0.2), (0.1, w, 0.31), 0.03, body), box((-0.1, -w * 0.85, 0), (-0.02, w * 0.85, 0.22), body)]
    parts += [
        prism(superellipse(0.075, w * 0.95, pick(rng, 2, 5), 20) + [0.045, 0], 0, foot, body),
        prism(superellipse(0.06, w * 0.8, 2, 16) + [0.045, 0], foot, foot + 0.004, metal(rng)),
        rod((0.06, 0, 0.175), (0.06, 0, 0.21), 0.018, DARK, end_radius=0.028, segments=10),
        limb((-0.01, 0, 0.32), (0.09, 0, rng.uniform(0.32, 0.35)), (0.012, 0.014), metal(rng), segments=8),
        _cup(rng, 0.055, 0, foot + 0.004)
    ]
    if chance(rng, 0.5):
        parts += [
            box((-0.16, -w, 0.02), (-0.1, w, 0.28), tank),
            box((-0.158, -w + 0.003, 0.022), (-0.102, w - 0.003, rng.uniform(0.08, 0.2)), paint((150, 185, 205), 0.3, opacity=0.5))
        ]
    else:
        side = pick(rng, -1, 1)
        parts += [
            transformed(lathe([(0, 0), (0.045, 0), (0.045, 0.25), (0, 0.25)], tank, segments=14), translation(-0.04, side * (w + 0.045), 0.02)),
            transformed(lathe([(0, 0.25), (0.047, 0.25), (0.047, 0.27), (0, 0.27)], body, segments=14), translation(-0.04, side * (w + 0.045), 0.02)),
            centred((0.1, 0.1, 0.02), body, (-0.04, side * (w + 0.045), 0))
        ]
    return join(parts)


def _automatic(rng: np.random.Generator) -> Soup:
    """A large block with twin spouts, a panel and a bean hopper."""
    body, front = casing(rng), casing(rng)
    w, top, tray = 0.12, 0.33, rng.uniform(0.04, 0.07)
    parts = [
        rounded((-0.13, -w, 0), (0.06, w, top), rng.uniform(0.004, 0.02), body),
        box((0.05, -w, 0), (0.12, w, tray), body),
        box((0.058, -w * 0.9, tray), (0.118, w * 0.9, tray + 0.003), metal(rng)),
        box((0.058, -w * 0.97, top * rng.uniform(0.6, 0.7)), (0.07, w * 0.97, top - 0.008), front),
        box((0.058, -w * 0.6, tray + 0.003), (0.062, w * 0.6, 0.2), DARK),
        box((0.06, -0.03, 0.15), (0.11, 0.03, rng.uniform(0.22, 0.25)), front if chance(rng, 0.5) else metal(rng))
    ]
    parts += [rod((0.09, y, 0.13), (0.09, y, 0.152), 0.007, DARK, segments=7) for y in (-0.014, 0.014)]
    parts += [
        box((-0.11, -0.09, top), (-0.01, 0.09, top + 0.025), paint((70, 56, 48), 0.4, 0.75)),
        _cup(rng, 0.088, 0, tray + 0.003), *_buttons(rng, 0.071, pick(rng, 0, -0.05, 0.05), 0.26, w)
    ]
    if chance(rng, 0.4):
        parts.append(rod((0.075, 0.095, 0.2), (0.09, 0.1, 0.1), 0.006, metal(rng), segments=7))
    return join(parts)


def _stovetop(rng: np.random.Generator) -> Soup:
    """The eight-sided aluminium pot with its waist."""
    steel = paint(colour(rng, pick(rng, (196, 198, 200), (196, 198, 200), (40, 40, 42), (190, 50, 46))), 0.5)
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    rings = np.array([
        np.stack([r * np.cos(angles), r * np.sin(angles), 0 * angles + z], 1)
        for r, z in ((0.085, 0), (0.062, 0.13), (0.066, 0.15), (0.06, 0.16), (0.088, 0.29), (0.02, 0.32))
    ])
    body = [prism(a[:, :2], a[0, 2], a[0, 2] + 1e-3, steel) for a in rings[:1]]
    flat = [skin_of_rings(np.stack([a, b]), steel) for a, b in zip(rings[:-1], rings[1:])]
    handle = limb((-0.085, 0, 0.28), (-0.15, 0, 0.27), (0.014, 0.014), DARK, segments=8), limb((-0.15, 0, 0.27), (-0.13, 0, 0.14), (0.014, 0.012),
                                                                                               DARK,
                                                                                               segments=8)
    spout = prism([(0.06, -0.03), (0.125, -0.003), (0.125, 0.003), (0.06, 0.03)], 0.24, 0.292, steel)
    return spun(join([*body, *flat, *handle, spout,
                      ellipsoid((0, 0, 0.33), (0.02, 0.02, 0.02), DARK, segments=8, rings=6)]), pick(rng, 0, np.pi / 2, -np.pi / 2))


def coffeemaker(rng: np.random.Generator) -> Soup:
    return pick(rng, _drip, _drip, _drip, _espresso, _espresso, _capsule, _capsule, _automatic, _automatic, _stovetop)(rng)


MAKERS: Mapping[str, Maker] = {"coffeemaker": coffeemaker}
