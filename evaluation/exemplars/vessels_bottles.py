"""Bottles and jars: wine, beer, condiments.

What makes each class is its outline, its closure and where its label sits; colours, proportions and prints vary as on a supermarket's shelves.
Every function is pure in the generator's state; centimetres, +x front.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from evaluation.exemplars.vessels_parts import (BLACK, GOLD, STEEL, WHITE, cap, circle, coat, fluted, fruit_art, glass, grained, hue, knob, metal,
                                                often, pick, pictured, printed, shouldered, sleeve, smooth, squarish, swept, tint, turned, upto)
from sim_bridges.embedded.meshes import Soup, join, transformed
from sim_bridges.embedded.primitives import rod
from sim_bridges.embedded.textures import Material

Rng = np.random.Generator

WINES = ("MERLOT", "Rioja", "Chateau", "BAROLO", "Riesling", "CAVA", "Shiraz", "Pinot", "Vino", "RESERVA", "Chianti", "Malbec", "Brut", "ROSE")
BEERS = ("PILS", "LAGER", "Ale", "STOUT", "Weizen", "I.P.A.", "Export", "BOCK", "Hell", "Cerveza", "BIRRA", "Porter", "Premium")
SAUCES = ("KETCHUP", "MUSTARD", "SOY", "Mayo", "Chili", "BBQ", "Olive Oil", "Vinegar", "SAUCE", "Relish", "PESTO", "HOT", "Curry", "Dressing")


def _body_label(rng: Rng, words: Sequence[str], r: float, low: float, high: float, *, oval: float = 0.15, **print_) -> Soup:
    """A paper label round part of a straight body, sometimes with one on the back."""
    sweep = float(rng.uniform(1.6, 3.4))
    mat = pictured(printed(rng, words, **print_), 0.1)
    parts = [sleeve([(r, low), (r, high)], mat, sweep, oval=often(rng, oval))]
    if often(rng, 0.6):
        z = sorted(rng.uniform(low, high, 2))
        back = pictured(printed(rng, words), 0.1)
        parts.append(sleeve([(r, z[0]), (r, max(z[1], z[0] + 0.25 * (high - low)))], back, min(sweep, 5.9 - sweep), facing=math.pi))
    return join(parts)


# --- wine


def _wine_glass(rng: Rng) -> tuple[Material, Material | None]:
    """Bottle glass and, where one can see it, the wine inside."""
    if often(rng, 0.72):
        base = pick(rng, (26, 44, 28), (22, 34, 22), (40, 62, 30), (24, 22, 20), (58, 66, 28), (70, 40, 18), (18, 26, 40))
        return glass(rng, base, (0.86, 0.98)), None
    inside = pick(rng, (110, 18, 36), (226, 206, 120), (236, 150, 130), (230, 120, 120), (214, 170, 70))
    return glass(rng, (190, 208, 196), (0.2, 0.4)), coat(rng, inside, 8, (0.2, 0.4), 0.85)


def _stopper(rng: Rng, neck: float, top: float, capsule: float) -> Soup:
    """Foil capsule, screw cap, bare cork or wax."""
    kind = int(rng.integers(5))
    colour = pick(rng, (110, 22, 34), BLACK, GOLD, (30, 60, 40), STEEL, WHITE, (30, 40, 80), hue(rng))
    if kind == 3:
        cork = rod((0, 0, top), (0, 0, top + float(rng.uniform(0.4, 1.6))), 0.9 * neck, coat(rng, (190, 150, 104), 12, (0, 0.05)))
        return join(
            [cork, turned([(1.2 * neck, top - 1.6), (1.22 * neck, top - 0.7), (1.05 * neck, top - 0.6)], glass(rng, (30, 44, 30), (0.9, 0.95)))])
    foil = coat(rng, colour, 8, (0.2, 0.7))
    band = [(1.07 * neck, capsule), (1.07 * neck, top - 1.3), (1.2 * neck, top - 1.2), (1.2 * neck, top - 0.3), (1.05 * neck, top + 0.05),
            (0, top + 0.1)]
    return turned(band, foil, circle(14))


def _wine_still(rng: Rng) -> Soup:
    """Bordeaux, Burgundy and hock bottles: one family of shoulders."""
    r, top = 3.75, float(rng.uniform(29, 33))
    body, shoulder, bulge, blend = pick(rng, (0.6, 0.74, 2.2, 1.5), (0.45, 0.76, 1.4, 1.5), (0.36, 0.85, 1.15, 1.1), (0.56, 0.7, 3.0, 0.9))
    body, shoulder = (body + rng.uniform(-0.05, 0.04)) * top, (shoulder + rng.uniform(-0.03, 0.03)) * top
    neck = float(rng.uniform(1.3, 1.6))
    wall, wine = _wine_glass(rng)
    outline = shouldered(r, body, neck, shoulder, top, bulge + rng.uniform(-0.1, 0.3), blend)
    parts = [turned(outline, wall, circle(20)), _stopper(rng, neck, top, float(rng.uniform(shoulder + 0.2, top - 2.5)))]
    if wine:
        parts.append(turned(upto(outline, float(rng.uniform(0.5, 1.0)) * shoulder, 0.88), wine, circle(16)))
    low = float(rng.uniform(0.08, 0.3)) * body
    label = _body_label(rng, WINES, r, low, float(rng.uniform(max(0.7 * body, low + 4), 0.98 * body)), oval=0.1)
    if often(rng, 0.25):
        parts.append(sleeve([(r, 0.72 * body), (r, 0.95 * body)], coat(rng, hue(rng)), 2.4))
        label = _body_label(rng, WINES, r, low, 0.66 * body)
    return join([*parts, label])


def _wine_sparkling(rng: Rng) -> Soup:
    """A heavy bottle with long slope, foil down to the shoulder and a mushroom cork under wire."""
    r, top = 4.3, float(rng.uniform(28, 31))
    wall, wine = _wine_glass(rng)
    outline = shouldered(r, 0.4 * top, 1.45, 0.8 * top, 0.9 * top, float(rng.uniform(1.3, 1.7)), 1.35)
    foil = metal(rng, pick(rng, GOLD, GOLD, STEEL, BLACK, (180, 60, 80), (40, 70, 50), (220, 150, 150)))
    low = float(rng.uniform(0.62, 0.74)) * top
    z, rad = np.array([p[1] for p in outline]), np.array([p[0] for p in outline])
    skirt = [(1.06 * float(np.interp(h, z, rad)), float(h)) for h in np.linspace(low, 0.89 * top, 6)]
    mushroom = [(1.7, 0.9 * top), (1.75, 0.93 * top), (1.5, 0.95 * top), (1.95, 0.975 * top), (1.6, top), (0, top)]
    parts = [turned(outline, wall), turned([*skirt, *mushroom], foil, fluted(9, 0.05)), _body_label(rng, WINES, r, 0.1 * top, 0.37 * top, oval=0.3)]
    if wine:
        parts.append(turned(upto(outline, 0.6 * top, 0.88), wine, circle(14)))
    return join([*parts, sleeve([(1.62, 0.8 * top), (1.62, 0.87 * top)], coat(rng, hue(rng)), 6.28)])


def _wine_straw(rng: Rng) -> Soup:
    """A round fiasco in its straw basket."""
    wall, _ = _wine_glass(rng)
    outline = smooth([(2.6, 0), (4.6, 2.5), (5.2, 7), (4.4, 12), (2.2, 16.5), (1.5, 20), (1.45, 26)], 2)
    z = float(rng.uniform(9, 13))
    straw = [(1.06 * r, h) for r, h in [(0, 0), (3, 0), *outline[1:]] if h <= z]
    return join([
        turned(outline, wall),
        turned(straw, grained(rng, tint(rng, (200, 164, 100))), circle(16)),
        _stopper(rng, 1.45, 26, 22),
        sleeve([(3.1, 14.0), (2.4, 16.0)], pictured(printed(rng, WINES), 0.1), 2.6)
    ])


def _wine_curved(rng: Rng) -> Soup:
    """A waisted rosé bottle, a port bottle with a swollen neck, or a straight modern one."""
    wall, wine = _wine_glass(rng)
    if often(rng, 0.35):
        wall, wine = glass(rng, (208, 214, 206), (0.2, 0.35)), coat(rng, (236, 156, 138), 12, (0.2, 0.4), 0.85)
    outline = pick(rng, [(0, 0), *smooth([(3.9, 0.1), (4.1, 3), (3.2, 9), (3.7, 14), (2.4, 19), (1.5, 23),
                                          (1.4, 30)], 2)], [(0, 0), (3.6, 0), (3.8, 0.5), (3.9, 16), *smooth([(3.7, 17.6), (2.0, 19.5), (1.7, 21),
                                                                                                              (2.1, 25), (1.5, 28), (1.5, 30)], 2)],
                   [(0, 0), (3.3, 0), (3.5, 0.5), (4.1, 19), (4.0, 20.5), (2.6, 22), (1.6, 22.8), (1.45, 24), (1.45, 30)])
    parts = [turned(outline, wall), _stopper(rng, 1.45, 30, float(rng.uniform(25, 28)))]
    if wine:
        parts.append(turned(upto(outline, float(rng.uniform(9, 20)), 0.88), wine, circle(14)))
    rad = [float(np.interp(h, [p[1] for p in outline], [p[0] for p in outline])) * 1.01 for h in (4, 6.5, 9, 12)]
    return join([*parts, sleeve(list(zip(rad, (4, 6.5, 9, 12))), pictured(printed(rng, WINES), 0.1), float(rng.uniform(1.5, 3)))])


def wine(rng: Rng) -> Soup:
    return pick(rng, _wine_still, _wine_still, _wine_still, _wine_sparkling, _wine_straw, _wine_curved)(rng)


# --- beer


def _crown(rng: Rng, z: float, r: float = 1.35) -> Soup:
    """A crown cap: fluted skirt, shallow dome."""
    return knob(z, [(1.12 * r, 0), (1.0 * r, 0.35), (0.85 * r, 0.6), (0, 0.68)],
                coat(rng, pick(rng, GOLD, WHITE, STEEL, BLACK, hue(rng)), 10, (0.3, 0.7)), fluted(12, 0.1))


def _swing_top(rng: Rng, z: float) -> Soup:
    """Porcelain stopper with a rubber ring held by wire."""
    wire = metal(rng, STEEL)
    parts = [
        knob(z, [(0, 0), (1.2, 0), (1.2, 0.3)], coat(rng, (190, 60, 40))),
        knob(z + 0.3, [(1.25, 0), (1.2, 0.9), (0.7, 1.5), (0, 1.6)], coat(rng, WHITE, 8, (0.3, 0.6)))
    ]
    for side in (-1, 1):
        path = [(0, side * 0.5, z + 1.2), (0, side * 1.6, z + 0.9), (0.2, side * 1.7, z - 1.2), (0.9, side * 1.5, z - 2.6)]
        parts.append(swept(path, 0.14, wire, segments=5))
    return join([*parts, swept([(0.9, -1.5, z - 2.6), (1.7, 0, z - 2.9), (0.9, 1.5, z - 2.6)], 0.14, wire, side=(0, 0, 1), segments=5)])


def beer(rng: Rng) -> Soup:
    """Longneck, stubby, steinie, Belgian, swing top or printed aluminium; brown, green, clear or black."""
    shape = pick(rng, (0.53, 0.74, 1.8, 1.4), (0.53, 0.74, 1.8, 1.4), (0.62, 0.8, 2.2, 1.0), (0.45, 0.85, 1.25, 1.3), (0.5, 0.66, 2.8, 1.2),
                 (0.4, 0.7, 1.6, 1.6))
    top, r, neck = float(rng.uniform(21, 25)), float(rng.uniform(3.0, 3.5)), float(rng.uniform(1.2, 1.45))
    body, shoulder = (shape[0] + rng.uniform(-0.05, 0.05)) * top, (shape[1] + rng.uniform(-0.03, 0.03)) * top
    outline = shouldered(r, body, neck, shoulder, top - 0.6, shape[2], shape[3])
    outline[-1:] = [(neck, top - 2.0), (1.15 * neck, top - 1.8), (1.15 * neck, top - 1.0), (neck, top - 0.6)]
    kind = rng.choice(5, p=(0.45, 0.2, 0.15, 0.08, 0.12))
    base = ((82, 44, 16), (30, 92, 44), (206, 214, 206), (26, 26, 28), hue(rng))[kind]
    wall = pictured(printed(rng, BEERS, base=tint(rng, base), repeat=int(rng.integers(1, 4))), 0.5) if kind == 4 else \
        glass(rng, base, (0.22, 0.36) if kind == 2 else (0.82, 0.97))
    parts = [turned(outline, wall, circle(18)), _swing_top(rng, top - 0.7) if often(rng, 0.2) else _crown(rng, top - 0.7, neck)]
    if kind == 2:
        parts.append(turned(upto(outline, float(rng.uniform(0.5, 1.1)) * shoulder, 0.88), coat(rng, (224, 160, 40), 12, (0.2, 0.4), 0.9), circle(14)))
    if kind == 4:
        return join(parts)
    accent = pick(rng, hue(rng), GOLD, (170, 30, 34), (24, 60, 120), (30, 90, 50))
    low = float(rng.uniform(0.1, 0.25)) * body
    parts.append(_body_label(rng, BEERS, r, low, float(rng.uniform(0.75, 0.97)) * body, oval=0.4, accent=accent))
    if often(rng, 0.65):
        z0 = shoulder + float(rng.uniform(0, 0.4)) * max(0.0, top - 4 - shoulder)
        z1 = z0 + float(rng.uniform(0.4, 1)) * (top - 2.2 - z0)
        around = pick(rng, 6.28, 6.28, 2.6)
        parts.append(sleeve([(1.03 * neck, z0), (1.03 * neck, z1)], pictured(printed(rng, BEERS, accent=accent, repeat=2), 0.2), around))
    return join(parts)


# --- condiments


def _squeeze(rng: Rng) -> Soup:
    """Ketchup, mustard or mayonnaise in a soft bottle: on its flip cap, or upright with cap or cone."""
    colour = pick(rng, (178, 26, 22), (178, 26, 22), (226, 180, 30), (240, 230, 200), (90, 40, 24), hue(rng))
    base = coat(rng, colour, 10, (0.2, 0.5))
    lid = coat(rng, pick(rng, WHITE, (190, 30, 30), (40, 120, 50), (230, 190, 40), BLACK, (40, 70, 150)))
    r, h = float(rng.uniform(2.7, 3.4)), float(rng.uniform(12, 15))
    waist = float(rng.uniform(0.75, 1.0))
    section = squarish(float(rng.uniform(2, 3.5)), float(rng.uniform(0.7, 1.0)))
    label = pictured(printed(rng, SAUCES, accent=tint(rng, colour) if often(rng, 0.5) else None, art=fruit_art if often(rng, 0.4) else None), 0.2)
    if often(rng, 0.5):
        body = smooth([(0.72 * r, 3), (0.98 * r, 5), (waist * r, 0.5 * h + 3), (r, h), (0.9 * r, h + 2.4), (0.45 * r, h + 3)], 2)
        parts = [turned([*body, (0, h + 3)], base, section), turned([(0, 0), (0.85 * r, 0), (0.85 * r, 0.4), (0.7 * r, 3.2), (0, 3.2)], lid, section)]
        z = (5.5, 0.5 * h + 3, h - 0.5)
    else:
        body = smooth([(0.95 * r, 0.0), (r, 1.5), (waist * r, 0.55 * h), (0.98 * r, 0.8 * h), (0.45 * r, h)], 3)
        parts = [turned([(0, 0), *body], base, section)]
        tip = [[(0.5 * r, 0), (0.5 * r, 1.2), (0.22 * r, 1.6), (0.1 * r, 5), (0, 5)], [(0.52 * r, 0), (0.52 * r, 2.4), (0.4 * r, 2.7), (0, 2.7)],
               [(0.95 * r, 0), (0.9 * r, 1.2), (0.3 * r, 1.8), (0.1 * r, 6.5), (0, 6.5)]]
        parts.append(knob(h - 0.3, tip[int(rng.integers(3))], lid, circle(14)))
        z = (2, 0.5 * h, 0.78 * h)
    if often(rng, 0.85):
        band = [(1.015 * float(np.interp(v, [p[1] for p in body], [p[0] for p in body])), v) for v in np.linspace(z[0], z[2], 5)]
        wide = 1.02 * section / np.abs(section).max()
        parts.append(
            turned(band, pictured(printed(rng, SAUCES, base=tint(rng, colour), repeat=2), 0.3), wide) if often(rng, 0.4) else transformed(
                sleeve(band, label, float(rng.uniform(1.6, 2.8))), np.diag([1.0, float(np.abs(section[:, 1]).max()), 1, 1])))
    return join(parts)


def _poured(rng: Rng) -> Soup:
    """Oil, vinegar, soy or hot sauce in glass: round or square, slim neck, pourer or screw cap."""
    inside = pick(rng, (206, 176, 40), (150, 150, 40), (36, 16, 12), (70, 22, 14), (190, 40, 24), (120, 60, 30), (226, 196, 110))
    top, r, neck = float(rng.uniform(17, 24)), float(rng.uniform(2.4, 3.2)), float(rng.uniform(0.8, 1.3))
    body, square = float(rng.uniform(0.5, 0.72)) * top, often(rng, 0.4)
    outline = shouldered(r,
                         body,
                         neck,
                         float(rng.uniform(0.78, 0.86)) * top,
                         top - 2,
                         float(rng.uniform(1.3, 2.6)),
                         float(rng.uniform(0.8, 1.6)),
                         waist=1.0 if square else pick(rng, 1.0, 1.0, 0.8))
    section = squarish(6) if square else circle(18)
    shape = [(p[0], p[1], 1.0 if p[1] <= body else 0.0 if p[1] > 0.78 * top else 0.6) for p in outline]
    dark = sum(inside) < 150 or often(rng, 0.25)
    wall = glass(rng, pick(rng, inside, (36, 56, 30)) if dark else (196, 208, 190), (0.85, 0.96) if dark else (0.22, 0.36))
    parts = [turned(shape, wall, section)]
    if not dark:
        parts.append(turned(upto(outline, float(rng.uniform(0.4, 1.0)) * body, 0.88), coat(rng, inside, 8, (0.2, 0.4), 0.88), section))
    lid = coat(rng, pick(rng, (200, 30, 30), BLACK, GOLD, (40, 110, 50), WHITE, hue(rng)), 10, (0.2, 0.6))
    parts.append(
        pick(rng, cap(top - 2.2, 1.25 * neck, 2.2, lid, ribs=12),
             knob(top - 2.3, [(1.5 * neck, 0), (1.5 * neck, 1), (0.5 * neck, 1.6), (0.35 * neck, 3.6), (0, 3.6)], lid),
             knob(top - 2.2, [(1.2 * neck, 0), (1.2 * neck, 1), (1.6 * neck, 1.5), (1.4 * neck, 3), (0, 3.4)], lid)))
    mat = pictured(printed(rng, SAUCES, art=fruit_art if often(rng, 0.3) else None), 0.15)
    low, high = 0.14 * body, float(rng.uniform(0.6, 0.92)) * body
    if square:
        return join([*parts, turned([(1.02 * r, low), (1.02 * r, high)], pictured(printed(rng, SAUCES, repeat=4), 0.15), section)])
    band = [(1.01 * float(np.interp(z, [p[1] for p in outline], [p[0] for p in outline])), float(z)) for z in np.linspace(low, high, 5)]
    return join([*parts, sleeve(band, mat, float(rng.uniform(1.8, 6.2)))])


def _jar(rng: Rng) -> Soup:
    """A tall jar of mayonnaise, pesto, olives or spice with a wide lid."""
    inside = pick(rng, (240, 232, 205), (80, 110, 40), (170, 40, 26), (200, 140, 40), (120, 60, 30), (206, 176, 60))
    r, h = 3.0, float(rng.uniform(8, 12))
    outline = shouldered(r, 0.78 * h, 0.82 * r, 0.9 * h, h, 2.0, 1.2)
    lid = coat(rng, pick(rng, WHITE, GOLD, BLACK, (190, 30, 34), (40, 90, 160), (40, 110, 60)), 10, (0.2, 0.6))
    section = pick(rng, circle(18), circle(18), squarish(5), circle(8))
    parts = [
        turned(outline, glass(rng), section),
        turned(upto(outline,
                    float(rng.uniform(0.6, 0.88)) * h, 0.9), coat(rng, inside, 10, (0, 0.2)), section),
        cap(h - 0.7, 0.92 * r, float(rng.uniform(1.2, 2.6)), lid, ribs=pick(rng, 0, 14))
    ]
    return join([
        *parts,
        sleeve([(1.02 * r, 0.18 * h), (1.02 * r, 0.68 * h)], pictured(printed(rng, SAUCES, art=pick(rng, None, fruit_art)), 0.15),
               pick(rng, 2.2, 3.2, 6.2))
    ])


def _mill(rng: Rng) -> Soup:
    """A turned pepper mill, or a shaker with a pierced metal top."""
    if often(rng, 0.55):
        body = pick(rng, grained(rng, tint(rng, pick(rng, (120, 72, 38), (190, 142, 88), (60, 36, 24)))),
                    coat(rng, pick(rng, BLACK, WHITE, hue(rng)), 10, (0.3, 0.6)))
        w = float(rng.uniform(0.5, 0.85))
        outline = [(0, 0), (3, 0), *smooth([(3.0, 0.2), (2.8, 2.5), (3 * w, 6), (2.5, 10), (2.6, 11.5), (1.6, 12.5), (2.5, 14.5), (2.1, 16.6),
                                            (0.5, 17.4)], 2), (0, 17.4)]
        return join([turned(outline, body), turned([(0.6, 17.2), (0.85, 17.9), (0.5, 18.6), (0, 18.7)], metal(rng), circle(10))])
    inside = pick(rng, (60, 50, 44), (236, 234, 230), (170, 50, 24), (190, 150, 40), (90, 100, 50))
    outline = [(0, 0), (2.8, 0), (3, 0.4), (float(rng.uniform(2.2, 3)), 12)]
    section = pick(rng, circle(16), circle(8), squarish(4))
    top = knob(12, [(outline[-1][0] * 1.06, -0.4), (outline[-1][0] * 1.06, 1.8), (2, 3), (0, 3.4)], metal(rng, pick(rng, STEEL, BLACK, STEEL)),
               section)
    parts = [
        turned(outline, glass(rng), section),
        turned(upto(outline, float(rng.uniform(4, 11)), 0.88), coat(rng, inside, 6, (0, 0.1)), section), top
    ]
    return join([*parts, sleeve([(3.0, 3), (2.9, 8)], pictured(printed(rng, ("PEPPER", "SALT", "Paprika", "Curry",
                                                                             "Oregano")), 0.1), 2.0)] if often(rng, 0.6) else parts)


def condimentbottle(rng: Rng) -> Soup:
    return pick(rng, _squeeze, _squeeze, _squeeze, _poured, _poured, _jar, _mill)(rng)
