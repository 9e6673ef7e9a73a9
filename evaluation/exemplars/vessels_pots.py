"""Coffee pots: moka, glass jug, press, vacuum jug, teapot, kettle.

All share a body, a lid, a lip or spout at +y and a handle at -y, turned a little so that they do not all stand square.
Every function is pure in the generator's state; centimetres, +x front.
"""

from __future__ import annotations

import math

import numpy as np

from evaluation.exemplars.vessels_parts import (BLACK, COPPER, GOLD, STEEL, WHITE, bail, between, circle, coat, ear, flipped, glass, grained,
                                                household, hue, knob, metal, often, pattern, pick, smooth, swept, tint, turned, upto, with_lip)
from sim_bridges.embedded.meshes import Soup, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import ellipsoid, rod
from sim_bridges.embedded.textures import Material

Rng = np.random.Generator


def _yawed(rng: Rng, soup: Soup, most: float) -> Soup:
    return transformed(soup, rotation((0, 0, 1), float(rng.uniform(-most, most))))


def _pot_handle(rng: Rng, y: tuple[float, float], z: tuple[float, float], out: float, material: Material) -> Soup:
    """A handle at -y; closed loop or open below."""
    loop = ear((y[0], z[0]), (y[1], z[1]), out, pick(rng, 1.0, 0.8, 0.55))
    if often(rng, 0.25):
        loop = loop[:7]
    return flipped(swept(loop, float(rng.uniform(0.5, 0.85)), material, thick=float(rng.uniform(1.0, 1.5))))


def _spout(rng: Rng, foot: tuple[float, float], tip: tuple[float, float], material: Material, fat: float = 1.5) -> Soup:
    """A bent spout at +y from ``foot`` (y, z) to ``tip``."""
    bend = (0.55 * foot[0] + 0.45 * tip[0] + float(rng.uniform(0.1, 0.7)), 0.6 * foot[1] + 0.4 * tip[1])
    path = np.array(smooth([foot, bend, tip], 3))
    return swept(np.column_stack([np.zeros(len(path)), path]), np.linspace(fat, 0.42 * fat, len(path)), material, segments=8)


def _moka(rng: Rng) -> Soup:
    """Faceted boiler, narrow waist, flared upper part with lip, hinged lid and dark handle."""
    skin = metal(rng, pick(rng, STEEL, STEEL, STEEL, (60, 60, 64), (176, 50, 44), (60, 110, 120), COPPER))
    dark = coat(rng, pick(rng, BLACK, BLACK, (150, 30, 30), (120, 76, 44)), 8, (0.1, 0.5))
    f = between(rng)
    section = pick(rng, circle(8), circle(8), circle(10), circle(18))
    waist, top = f(3.5, 4.2), f(4.6, 5.4)
    flat = len(section) < 12
    lower = turned([(0, 0), (5.2, 0), (f(4.2, 5), 7.5), (waist, 8), (waist, 9.6)], skin, section, flat=flat)
    upper = with_lip(turned([(waist, 9.6), (0.96 * waist, 10), (top, 17.5)], skin, section, flat=flat), 13, f(1.0, 1.8), 5)
    lid = with_lip(turned([(top, 17.4), (0.6 * top, f(18.3, 19)), (0.5, 19.2), (0, 19.2)], skin, section, flat=flat), 10, 0.3, 5)
    band = turned([(1.08 * waist, 8.2), (1.08 * waist, 9.4)], metal(rng, STEEL), section, flat=True)
    return join([
        lower, upper, lid, band,
        knob(19, [(0.4, 0), (0.8, 0.9), (0.7, 1.6), (0, 1.7)], dark, circle(10)),
        _pot_handle(rng, (top - 0.3, waist), (17.2, f(9.5, 11)), f(2.6, 3.8), dark)
    ])


def _jug(rng: Rng) -> Soup:
    """The glass jug of a coffee machine: round belly, collar with lip, flat lid, coffee inside."""
    f = between(rng)
    dark = coat(rng, pick(rng, BLACK, BLACK, WHITE, (90, 92, 96), (150, 40, 40)), 8, (0.1, 0.5))
    body = [(0, 0), (5.6, 0), *smooth([(6.0, 0.5), (7.0, f(3.5, 6)), (f(5.4, 6.2), 10), (f(4.4, 5.2), 13)], 3)]
    rim = body[-1][0]
    collar = with_lip(turned([(rim, 12.8), (1.04 * rim, 13.2), (1.04 * rim, 15)], dark), 12.8, f(0.8, 1.8), 6)
    lid = with_lip(turned([(1.04 * rim, 15), (0.8 * rim, f(15.4, 16.4)), (0, 16.4)], dark), 10, f(0.4, 1), 6)
    parts = [turned(body, glass(rng)), collar, lid, _pot_handle(rng, (rim, 5.6), (14.6, f(4, 8)), f(3, 4.5), dark)]
    if often(rng, 0.75):
        parts.append(turned(upto(body, f(3, 10), 0.92), coat(rng, (44, 24, 12), 8, (0.2, 0.5), 0.95)))
    return join([*parts, turned([(1.02 * rim, 12.2), (1.02 * rim, 12.9)], metal(rng, STEEL))])


def _press(rng: Rng) -> Soup:
    """A French press: glass cylinder in a metal frame, domed lid, plunger."""
    f = between(rng)
    r, h = 4.8, float(rng.uniform(13, 15))
    frame = metal(rng, pick(rng, STEEL, BLACK, COPPER, GOLD))
    dark = coat(rng, pick(rng, BLACK, BLACK, hue(rng), (150, 100, 60)), 8)
    beaker = with_lip(turned([(0, 0.6), (r, 0.6), (r, h)], glass(rng)), 0.85 * h, f(0.7, 1.3))
    parts = [beaker, turned([(0, 0), (1.06 * r, 0), (1.06 * r, f(1.2, 3))], frame), turned([(1.06 * r, 0.72 * h), (1.06 * r, 0.8 * h)], frame)]
    parts += [
        rod((1.05 * r * math.cos(a), 1.05 * r * math.sin(a), 0), (1.05 * r * math.cos(a), 1.05 * r * math.sin(a), 0.8 * h), 0.25, frame, segments=5)
        for a in np.arange(4) * math.pi / 2 + math.pi / 4
    ]
    rise = f(0.6, 4.5)
    parts += [
        turned([(1.05 * r, h - 0.3), (1.05 * r, h + 0.2), (0.7 * r, h + 0.9), (0, h + 1)], pick(rng, frame, dark)),
        rod((0, 0, h), (0, 0, h + 1 + rise), 0.2, frame, segments=6),
        ellipsoid((0, 0, h + 1.3 + rise), (0.8, 0.8, 0.75), dark, segments=10, rings=7)
    ]
    if often(rng, 0.7):
        parts.append(turned([(0, 0.8), (0.93 * r, 0.8), (0.93 * r, f(5, 11)), (0, f(11, 11.2))], coat(rng, (48, 26, 14), 8, (0.2, 0.4), 0.95)))
    return join([*parts, _pot_handle(rng, (r, r), (0.85 * h, f(2, 4)), f(2.4, 3.8), dark)])


def _thermos(rng: Rng) -> Soup:
    """A vacuum jug: slim or bellied body, spout collar, lid with lever or button."""
    f = between(rng)
    skin = pick(rng, metal(rng, STEEL), metal(rng, STEEL), coat(rng, household(rng), 8, (0.2, 0.6)))
    dark = coat(rng, pick(rng, BLACK, BLACK, WHITE, (100, 100, 104)), 8)
    body = [(0, 0), *smooth([(f(4.6, 5.6), 0), (f(5.2, 6.4), f(3, 9)), (f(4.6, 5.4), 14), (f(2.8, 4), 18.5)], 3)]
    rim = body[-1][0]
    collar = with_lip(turned([(rim, 18.4), (1.08 * rim, 18.8), (1.02 * rim, 20.6)], pick(rng, dark, skin)), 18.4, f(0.8, 1.6), 6)
    lid = knob(
        20.3,
        pick(rng, [(1.02 * rim, 0), (0.8 * rim, 1), (0, 1.1)], [(0.95 * rim, 0), (0.9 * rim, 1.6), (0, 1.8)], [(1.0 * rim, 0), (0.5 * rim, 0.8),
                                                                                                               (0.4 * rim, 1.6), (0, 1.7)]), dark)
    return join([turned(body, skin), collar, lid, _pot_handle(rng, (rim, 5), (19.6, f(5, 10)), f(2.8, 4.2), dark)])


def _teapot(rng: Rng) -> Soup:
    """A bellied or tall pot with spout, knobbed lid and handle: china, enamel, iron or glass; side loop or bail."""
    f = between(rng)
    skin = pick(rng, pattern(rng, household(rng)), pattern(rng, tint(rng, WHITE, 6)), coat(rng, household(rng), 8, (0.1, 0.6)), metal(rng))
    bare = coat(rng, skin.color, 4, (0.1, 0.5)) if skin.texture is not None else skin
    wide, h, neck = f(5.2, 6.6), f(9.5, 16), f(2.6, 3.6)
    body = [(0, 0), *smooth([(f(3, 4.6), 0), (wide, f(0.3, 0.5) * h), (0.9 * wide, 0.68 * h), (neck, h)], 4)]
    lid = knob(h - 0.1, [(1.04 * neck, 0), (0.95 * neck, 0.4), (0.5 * neck, f(0.9, 1.8)), (0.35, 1.9), (0.7, 2.6), (0.4, 3.2), (0, 3.2)],
               pick(rng, bare, bare, coat(rng, household(rng))))
    spout = _spout(rng, (0.82 * wide, f(0.2, 0.4) * h), (wide + f(2.0, 3.4), f(0.8, 1.02) * h), bare, f(1.2, 1.8))
    grip = pick(rng, bare, bare, coat(rng, BLACK), grained(rng, (150, 100, 60)))
    if often(rng, 0.22):
        hoop = transformed(swept(bail(0.8 * wide, 0.75 * h, f(8, 11) - 0.2 * h + 2, 0.0), 0.42, grip), translation(0, -0.3, 0))
        return join([turned(body, skin), lid, spout, hoop])
    return join([turned(body, skin), lid, spout, _pot_handle(rng, (0.62 * wide, 0.85 * wide), (0.85 * h, 0.22 * h), f(2.6, 3.8), grip)])


def _kettle(rng: Rng) -> Soup:
    """A kettle for pour-over or the hob: broad base, swan neck or short spout, knob, side handle."""
    f = between(rng)
    skin = pick(rng, metal(rng), metal(rng, STEEL), coat(rng, household(rng), 8, (0.3, 0.7)))
    dark = coat(rng, pick(rng, BLACK, BLACK, (150, 100, 60), WHITE), 8)
    h, r, top = f(10, 14), f(6, 7), f(3.6, 4.8)
    body = turned([(0, 0), (r, 0), (1.02 * r, 0.8), (top, h)], skin)
    lid = knob(h - 0.1, [(0.98 * top, 0), (0.7 * top, 0.9), (0.4, 1.1), (0.5, 1.4), (0.9, 2.1), (0.6, 2.9), (0, 3)], pick(rng, skin, dark))
    neck = np.array(smooth([(r - 0.6, 1.6), (r + 1.6, 2.6), (r + 1.5, 0.65 * h), (r + 2.2, h), (r + 3.4, h + 0.6)], 3))
    spout = swept(np.column_stack([np.zeros(len(neck)), neck]), np.linspace(0.9, 0.45, len(neck)), skin) if often(rng, 0.6) else \
        _spout(rng, (0.8 * r, 0.55 * h), (r + 1.2, 1.0 * h), skin, 1.4)
    return join([body, lid, spout, _pot_handle(rng, (top, 0.85 * r), (h - 0.6, f(2, 5)), f(3, 4.4), dark)])


def coffeepot(rng: Rng) -> Soup:
    return _yawed(rng, pick(rng, _moka, _moka, _jug, _jug, _press, _thermos, _teapot, _teapot, _kettle)(rng), 0.6)
