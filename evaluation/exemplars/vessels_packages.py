"""Cartons, tubs and flacons: juice, milk, medicine, perfume.

A carton is folded, a tub or flacon turned; which closure and which print goes with it makes the class. Every function is pure in the generator's
state; centimetres, +x front.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from evaluation.exemplars.vessels_parts import (BLACK, COPPER, GOLD, STEEL, WHITE, Art, cap, circle, coat, fruit_art, frustum, glass, grained, hue,
                                                knob, metal, often, pick, pictured, printed, shouldered, slab, sleeve, smooth, splash_art, squarish,
                                                swept, tint, turned, upto)
from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import centred, ellipsoid, rod
from sim_bridges.embedded.textures import RGB, Material

Rng = np.random.Generator

JUICES = ("ORANGE", "Juice", "APPLE", "Multi", "GRAPE", "Mango", "Tomato", "Cherry", "SAFT", "Nectar", "100%", "Fresh")
MILKS = ("MILK", "Milch", "LAIT", "Leche", "Whole", "1.5%", "Latte", "Farm", "OAT", "Bio", "Fresh", "Semi")
DRUGS = ("Ibuprofen", "Aspirin", "VITAMIN C", "Rx", "Syrup", "500 mg", "Cetirizin", "Omega 3", "Calcium", "ZINC", "Paracetamol", "Allergy")

# --- cartons, juice, milk


def _gable(rng: Rng, walls: Material, roof: Material, lid: Material | None) -> Soup:
    """A gable-top carton: folded roof, upright seam, often a screw cap on the front slope."""
    w, h, rise, fin = 7.0, float(rng.uniform(14, 17)), float(rng.uniform(2.6, 4.2)), float(rng.uniform(1.2, 2.0))
    a, b, seam = w / 2, h + rise, 0.12
    fold = float(rng.uniform(0.25, 0.42)) * w
    parts = [slab((-a, -a, 0), (a, a, h), walls, roof)]
    front = np.array([[(a, -a, h), (a, a, h), (seam, a, b)], [(a, -a, h), (seam, a, b), (seam, -a, b)]])
    side = np.array([[(a, a, h), (-a, a, h), (0, a - fold, b)], [(a, a, h), (0, a - fold, b), (seam, a, b)],
                     [(-a, a, h), (-seam, a, b), (0, a - fold, b)]])
    half = join([from_triangles(front, roof), from_triangles(side, roof)])
    parts += [half, transformed(half, rotation((0, 0, 1), math.pi)), centred((2 * seam, w, fin), roof, (0, 0, b))]
    if lid:
        slope = np.array([rise, 0, a]) / math.hypot(rise, a)
        foot = np.array([0.52 * a, 0, h + 0.48 * rise])
        parts.append(rod(foot - 0.3 * slope, foot + float(rng.uniform(0.8, 1.5)) * slope, float(rng.uniform(1.0, 1.5)), lid, segments=14))
    return join(parts)


def _brick(rng: Rng, walls: Material, roof: Material, lid: Material | None) -> Soup:
    """A brick carton with flat or slanted top, cap or straw."""
    w, h = 7.0, float(rng.uniform(17, 21))
    slant = float(rng.uniform(1.5, 4)) if often(rng, 0.45) else 0.0
    parts = [frustum((w, w), (w, w), 0, h, walls, roof, slant)]
    if lid and often(rng, 0.85):
        x, r = (0.15 if slant else pick(rng, 0.0, 0.25)) * w, float(rng.uniform(1.1, 1.7))
        parts.append(rod((x, 0, h - slant * 0.75), (x + 0.25 * slant, 0, h + float(rng.uniform(0.7, 1.6)) - 0.4 * slant), r, lid, segments=14))
    elif not slant:
        parts.append(swept([(1.5, 1.5, h - 0.5), (1.5, 1.4, h + 2), (1.9, 0.6, h + 3.6)], 0.3, coat(rng, pick(rng, WHITE, hue(rng))), segments=6))
    return join([*parts, centred((w + 0.1, 0.1, 0.4), roof, (0, 0, h))] if not slant and often(rng, 0.4) else parts)


def _carton(rng: Rng, words: Sequence[str], base: RGB | None, art: Art | None) -> Soup:
    walls = pictured(printed(rng, words, base=base, art=art), 0.25)
    ground = tuple(int(v) for v in walls.texture.pixels[2, 64])
    lid = coat(rng, pick(rng, WHITE, hue(rng), (40, 90, 180), (210, 40, 40), (60, 140, 60), (240, 140, 30)), 8, (0.2, 0.4))
    shape = _gable if often(rng, 0.55) else _brick
    return shape(rng, walls, coat(rng, pick(rng, ground, ground, WHITE, hue(rng)), 6, (0.1, 0.3)), lid if often(rng, 0.7) else None)


def _plain_bottle(rng: Rng, wall: Material, drink: Material | None, words: Sequence[str], art: Art | None) -> Soup:
    """A wide-mouthed bottle, round or square, sometimes waisted, with a screw cap and a label round it."""
    r, top, neck = 3.7, float(rng.uniform(18, 23)), float(rng.uniform(1.4, 2.3))
    body, waist = float(rng.uniform(0.55, 0.74)) * top, pick(rng, 1.0, 1.0, float(rng.uniform(0.78, 0.92)))
    outline = shouldered(r, body, neck, 0.88 * top, top - 0.8, float(rng.uniform(1.3, 2.8)), float(rng.uniform(0.8, 1.6)), waist=waist)
    section = pick(rng, circle(18), circle(18), squarish(4), circle(8))
    parts = [turned([(p[0], p[1], 1.0 if p[1] <= body else 0.5 if p[1] < 0.8 * top else 0.0) for p in outline], wall, section)]
    if drink:
        parts.append(turned(upto(outline, float(rng.uniform(0.45, 1.2)) * body, 0.9), drink, section))
    parts.append(
        cap(top - 1.8,
            1.15 * neck,
            float(rng.uniform(1.4, 2.2)),
            coat(rng, pick(rng, WHITE, hue(rng), (40, 90, 180), (210, 40, 40), (50, 140, 60), (240, 140, 30))),
            ribs=12))
    if often(rng, 0.85):
        low, high = sorted((0.2 * body, float(rng.uniform(0.55, 0.9)) * body))
        rad = [1.02 * float(np.interp(z, [p[1] for p in outline], [p[0] for p in outline])) for z in (low, 0.55 * body, high)]
        band = list(zip(rad, (low, 0.55 * body, high))) if high > 0.6 * body else [(rad[0], low), (rad[2], high)]
        parts.append(turned(band, pictured(printed(rng, words, repeat=2, art=art), 0.25), 1.01 * section))
    return join(parts)


def juice(rng: Rng) -> Soup:
    """Gable or brick carton, plastic bottle, glass bottle or carafe of fruit juice."""
    colour = pick(rng, (246, 150, 24), (246, 180, 50), (214, 170, 60), (170, 30, 44), (90, 20, 60), (240, 110, 60), (206, 60, 40), (150, 180, 60))
    if often(rng, 0.58):
        base = pick(rng, tint(rng, colour), WHITE, hue(rng), (40, 110, 60), (24, 50, 110), None)
        return _carton(rng, JUICES, base, fruit_art if often(rng, 0.85) else None)
    drink = coat(rng, colour, 10, (0.2, 0.4), 0.92)
    if often(rng, 0.25):
        outline = [(0, 0), *smooth([(3.4, 0.1), (3.7, 1), (3.6, 9), (2.0, 14), (1.9, 16), (2.5, 19.5)], 2)]
        parts = [turned(outline, glass(rng)), turned(upto(outline, float(rng.uniform(9, 14)), 0.9), drink)]
        return join([*parts, cap(19.3, 2.6, 1.4, coat(rng, pick(rng, WHITE, hue(rng))), ribs=12)])
    return _plain_bottle(rng, glass(rng), drink, JUICES, fruit_art if often(rng, 0.7) else None)


def _milk_jug(rng: Rng) -> Soup:
    """A plastic jug whose handle bridges a cut-away corner."""
    plastic = coat(rng, (238, 239, 236), 5, (0.1, 0.3), 1.0)
    section = squarish(float(rng.uniform(4, 8)))
    body = [(0, 0), (3.6, 0), (3.9, 0.5), (3.9, 10), (3.4, 13), (2.2, 16.5), (1.7, 18), (1.6, 19)]
    path = [(0, 2.0, 17.2), (0, 3.3, 16.4), (0, 3.75, 14), (0, 3.7, 10.5), (0, 3.0, 9)]
    lid = cap(18.8, 1.9, 1.5, coat(rng, pick(rng, (40, 90, 180), (210, 40, 40), (50, 140, 60), hue(rng), WHITE)), ribs=12)
    label = turned([(3.96, 2), (3.96, 8.5)], pictured(printed(rng, MILKS, repeat=4, art=pick(rng, None, splash_art)), 0.1), section)
    return join([
        turned([(p[0], p[1], min(1.0, max(0.0, (18 - p[1]) / 6))) for p in body], plastic, section),
        swept(path, (0.5, 0.8, 0.8, 0.8, 0.5), plastic, thick=1.1), lid, label
    ])


def milk(rng: Rng) -> Soup:
    """Gable or brick carton, plastic bottle or jug, classic glass bottle."""
    if often(rng, 0.58):
        return _carton(
            rng, MILKS,
            pick(rng, WHITE, WHITE, WHITE, WHITE, (235, 240, 248), (40, 100, 190), (60, 140, 70), (210, 50, 50), (240, 228, 196),
                 hue(rng, (0.15, 0.5))), splash_art if often(rng, 0.75) else None)
    kind = int(rng.integers(3))
    if kind == 0:
        return _milk_jug(rng)
    white = coat(rng, (244, 243, 236), 4, (0.1, 0.4))
    if kind == 1:
        return _plain_bottle(rng, white if often(rng, 0.88) else coat(rng, hue(rng)), None, MILKS, splash_art if often(rng, 0.6) else None)
    outline = [(0, 0), *smooth([(3.3, 0.1), (3.6, 1), (3.6, 11), (2.2, 15.5), (2.0, 17.5), (2.5, 19)], 2)]
    parts = [turned(outline, glass(rng)), turned(upto(outline, float(rng.uniform(8, 17)), 0.92), white)]
    top = cap(18.8, 2.4, 0.8, metal(rng, pick(rng, STEEL, GOLD, (170, 40, 50), (40, 80, 160)))) if often(rng, 0.75) else None
    label = sleeve([(3.68, 3), (3.68, 8)], pictured(printed(rng, MILKS, art=pick(rng, None, splash_art)), 0.1), 2.2) if often(rng, 0.4) else None
    return join([p for p in (*parts, top, label) if p])


# --- medicine


def _drug_label(rng: Rng, repeat: int = 1) -> Material:
    accent = pick(rng, (40, 110, 190), (210, 50, 50), (60, 150, 90), (240, 150, 40), (110, 60, 150), (40, 160, 170), hue(rng))
    return pictured(printed(rng, DRUGS, base=pick(rng, WHITE, WHITE, WHITE, tint(rng, accent), (240, 240, 220)), accent=accent, repeat=repeat), 0.15)


def _pill_bottle(rng: Rng) -> Soup:
    """Amber, white or coloured tub with a ribbed cap, pills within where one can see them."""
    amber = often(rng, 0.5)
    r, h = 2.4, float(rng.uniform(5, 7.5))
    wall = glass(rng, (226, 120, 24), (0.55, 0.75)) if amber else coat(rng, pick(rng, WHITE, WHITE, WHITE, (60, 110, 60), (120, 66, 24), hue(rng)), 6,
                                                                       (0.1, 0.4))
    neck = r * float(rng.uniform(0.75, 0.98))
    outline = [(0, 0), (0.95 * r, 0), (r, 0.2), (r, 0.8 * h), (neck, 0.92 * h), (neck, h)]
    section = circle(18) if often(rng, 0.85) else squarish(5)
    lid = cap(h - 0.2,
              min(r, 1.12 * neck),
              float(rng.uniform(1.3, 2.4)),
              coat(rng, pick(rng, WHITE, WHITE, WHITE, (40, 110, 190), (210, 40, 40), (60, 150, 70), BLACK), 6),
              ribs=pick(rng, 0, 14, 18))
    parts = [
        turned(outline, wall, section), lid,
        sleeve([(1.01 * r, 0.12 * h), (1.01 * r, 0.74 * h)], _drug_label(rng), float(rng.uniform(2.4, 6.2)))
    ]
    if amber:
        parts.append(
            turned(upto(outline,
                        float(rng.uniform(0.3, 0.7)) * h, 0.85), coat(rng, pick(rng, WHITE, (220, 120, 60), (240, 220, 120)), 8, (0, 0.1)),
                   circle(12)))
    return join(parts)


def _syrup(rng: Rng) -> Soup:
    """A brown glass bottle with label; screw cap, dosing cup over it, dropper or spray head."""
    r, h = 2.4, float(rng.uniform(6, 8))
    wall = glass(rng, pick(rng, (92, 46, 14), (92, 46, 14), (120, 64, 20), (24, 40, 90), (230, 232, 232), (40, 80, 50)), (0.85, 0.97))
    outline = shouldered(r, 0.68 * h, 0.42 * r, 0.85 * h, h, float(rng.uniform(1.6, 2.8)), 1.0)
    white = coat(rng, pick(rng, WHITE, WHITE, BLACK, hue(rng)), 6, (0.1, 0.4))
    tops = ([cap(h - 0.6, 1.25, 1.3, white,
                 ribs=12)], [cap(h - 0.6, 1.2, 0.9, white),
                             turned([(1.75, h - 1.3), (1.45, h + 1.9), (0, h + 1.9)], glass(rng, WHITE, (0.5, 0.7)))], [
                                 cap(h - 0.6, 1.15, 1.1, white, ribs=12),
                                 knob(h + 0.4, [(0.6, 0), (0.72, 0.9), (0.6, 2.2), (0.2, 2.7), (0, 2.7)],
                                      coat(rng, pick(rng, BLACK, (170, 60, 50), WHITE)), circle(12))
                             ],
            [cap(h - 0.6, 1.3, 0.9, white),
             knob(h + 0.3, [(1.5, 0), (1.45, 0.3), (0.75, 0.5), (0.5, 3.2), (0, 3.3)], white, circle(14))])
    return join([
        turned(outline, wall), *tops[int(rng.integers(4))],
        sleeve([(1.01 * r, 0.08 * h), (1.01 * r, 0.62 * h)], _drug_label(rng), float(rng.uniform(2.2, 6.0)))
    ])


def _blister(rng: Rng, high: float, wide: float) -> Soup:
    """A flat blister lying in the x-y plane with two or three rows of domes."""
    foil = metal(rng, pick(rng, STEEL, STEEL, (206, 208, 212), GOLD, (226, 226, 224)))
    pill = coat(rng, pick(rng, WHITE, WHITE, (214, 60, 60), (240, 200, 80), (120, 170, 220), (200, 120, 160), STEEL), 8, (0.2, 0.6))
    rows, columns = int(rng.integers(4, 6)), int(pick(rng, 2, 2, 3))
    long = float(rng.uniform(0.6, 1.2))
    parts = [centred((high, wide, 0.12), foil)]
    for i in range(rows):
        for j in range(columns):
            at = ((i + 0.5) / rows * high - high / 2, (j + 0.5) / columns * wide - wide / 2, 0.12)
            size = min(0.36 * high / rows, 0.36 * wide / columns)
            parts.append(ellipsoid(at, (size * min(long, 1.15), size, 0.45), pill, segments=7, rings=4))
    return join(parts)


def _pill_box(rng: Rng) -> Soup:
    """A folding carton, closed, or with a blister sticking out, or with one leaning against it."""
    walls, ends = _drug_label(rng), coat(rng, WHITE, 6, (0.05, 0.2))
    kind = int(rng.integers(3))
    if kind == 0:
        return slab((-2.5, -2.5, 0), (2.5, 2.5, 8), walls, coat(rng, pick(rng, WHITE, hue(rng)), 6, (0.05, 0.2)))
    if kind == 1:
        sheet = transformed(_blister(rng, 7, 4.2),
                            translation(0.2, 0, float(rng.uniform(5.5, 7))) @ rotation((0, 1, 0), -math.pi / 2 + rng.uniform(-0.08, 0.08)))
        flap = transformed(centred((1.4, 4.6, 0.1), ends), translation(-2.1, 0, 8.6) @ rotation((0, 1, 0), 1.1))
        return join([slab((-1.6, -2.5, 0), (1.6, 2.5, 8), walls, ends), sheet, flap])
    lean = float(rng.uniform(0.25, 0.4))
    sheet = transformed(_blister(rng, 8.6, 4.4), translation(1.5, 0, 4.15) @ rotation((0, 1, 0), math.pi / 2 - lean) @ rotation((0, 0, 1), math.pi))
    return join([slab((-2.6, -2.5, 0), (-0.1, 2.5, 8), walls, ends), sheet])


def _tablet_tube(rng: Rng) -> Soup:
    """A tube of fizzy tablets, or an ointment tube standing on its cap."""
    lid = coat(rng, pick(rng, WHITE, (240, 150, 40), (210, 50, 50), (40, 110, 190), (60, 150, 80)), 8, (0.1, 0.4))
    if often(rng, 0.5):
        return join([turned([(0, 0), (1.4, 0), (1.4, 8)], _drug_label(rng, 2), circle(16)), knob(8, [(1.5, 0), (1.5, 1), (1.3, 1.2), (0, 1.2)], lid)])
    rings = [(0.55, 1.6), (2.0, 2.1), (2.1, 3), (2.1, 9)]
    shape = turned([(*p, 1.0) for p in rings], _drug_label(rng, 2), circle(16))
    pos = shape.pos.copy()
    pos[..., 0] *= np.clip((9.2 - pos[..., 2]) / 7, 0.05, 1)
    body = from_triangles(pos, shape.materials[0], uv=shape.uv)
    return join([body, cap(0, 1.7, 1.7, lid, ribs=pick(rng, 0, 14)), centred((0.25, 4.2, 0.7), coat(rng, WHITE), (0, 0, 8.9))])


def medicine(rng: Rng) -> Soup:
    return pick(rng, _pill_bottle, _pill_bottle, _pill_bottle, _syrup, _syrup, _pill_box, _pill_box, _tablet_tube)(rng)


# --- perfume


def _scent(rng: Rng) -> tuple[Material, Material | None]:
    """Flacon glass with its scent, or a lacquered one."""
    if often(rng, 0.7):
        inside = pick(rng, (236, 190, 90), (240, 170, 160), (150, 190, 220), (190, 214, 150), (220, 130, 60), (170, 140, 200), (236, 220, 170),
                      hue(rng, (0.3, 0.8)))
        return glass(rng, pick(rng, (214, 222, 224), (214, 222, 224), hue(rng, (0.1, 0.3), (0.8, 0.95))),
                     (0.22, 0.4)), coat(rng, inside, 8, (0.3, 0.6), 0.8)
    return coat(rng, pick(rng, BLACK, GOLD, WHITE, hue(rng), hue(rng), COPPER, (24, 34, 80)), 8, (0.4, 0.9)), None


def _scent_cap(rng: Rng, z: float, r: float, height: float) -> Soup:
    """Metal collar and a cap: block, cylinder, ball, crystal or bow-like knob."""
    lid = pick(rng, metal(rng), coat(rng, pick(rng, BLACK, WHITE, hue(rng)), 8, (0.4, 0.8)), glass(rng, (220, 224, 228), (0.5, 0.7)),
               grained(rng, tint(rng, (150, 104, 62))))
    collar = turned([(0.62 * r, z - 0.2), (0.62 * r, z + 0.5)], metal(rng, pick(rng, GOLD, STEEL)), circle(14))
    z += 0.35
    kind = int(rng.integers(5))
    if kind == 0:
        return join([collar, frustum((1.7 * r, 1.7 * r), (1.7 * r, 1.7 * r), z, z + height, lid)])
    if kind == 1:
        return join([collar, cap(z, r, height, lid, ribs=pick(rng, 0, 0, 14))])
    if kind == 2:
        return join([collar, ellipsoid((0, 0, z + 0.5 * height), (0.95 * r, 0.95 * r, 0.55 * height), lid, segments=14)])
    shape = [(0, 0), (0.7 * r, 0), (1.25 * r, 0.6 * height), (0.7 * r, height), (0, height)] if kind == 3 else [(0, 0), (r, 0),
                                                                                                                (0.55 * r, 0.4 * height),
                                                                                                                (1.1 * r, 0.8 * height),
                                                                                                                (0.5 * r, height), (0, height)]
    return join([collar, knob(z, shape, lid, circle(int(rng.integers(6, 11))), flat=True)])


def _bulb(rng: Rng, z: float, r: float) -> Soup:
    """The tube, rubber ball and tassel of an old atomiser."""
    cloth, brass = coat(rng, pick(rng, (120, 30, 40), BLACK, GOLD, hue(rng))), metal(rng, GOLD)
    top = knob(z - 0.2, [(0.6, 0), (0.6, 1.2), (0.3, 1.6), (0, 1.7)], brass, circle(12))
    hose = swept([(0, 0.4, z + 0.7), (0, 1.6, z + 0.9), (0, 2.6, z + 0.3)], 0.16, brass)
    return join([
        top, hose,
        ellipsoid((0, 1.25 * r, z - 0.5), (0.85, 0.75, 1.0), cloth, segments=12),
        swept([(0, 1.25 * r, z - 1.4), (0, 1.3 * r, z - 3)], (0.12, 0.3), cloth)
    ])


def perfume(rng: Rng) -> Soup:
    """A flacon: block, round disc, sphere, column, prism, tapered or waisted, with cap, stopper or bulb."""
    wall, scent = _scent(rng)
    r, h = 2.3, float(rng.uniform(4.5, 8.5))
    kind = int(rng.integers(7))
    flat = kind in (2, 4)
    section = (squarish(9, segments=24), squarish(5), circle(4,
                                                             math.pi / 4), circle(18), circle(int(rng.integers(5,
                                                                                                               10))), circle(18), squarish(2.6))[kind]
    foot, top, mid = float(rng.uniform(0.5, 1.0)), float(rng.uniform(0.5, 1.0)), float(rng.uniform(0.55, 0.95))
    outline = [(0, 0), (0.96 * r, 0), (r, 0.15), (r, h - 0.3), (0.94 * r, h), (0.5, h + 0.1), (0.45, h + 0.6)]
    if kind in (2, 4):
        outline = [(0, 0), (foot * r, 0), (1.1 * r, pick(rng, 0.3, 0.5, 0.8) * h), (top * r, h), (0.5, h + 0.3), (0.45, h + 0.6)]
    elif kind == 5:
        outline = [(0, 0), *[(r * math.sin(a) + 0.02, 0.5 * h * (1 - math.cos(a))) for a in np.linspace(0.5, math.pi - 0.35, 10)], (0.5, h + 0.2)]
        outline = [(p[0], p[1] - outline[1][1] if i else 0.0) for i, p in enumerate(outline)]
    elif kind == 6:
        outline = [(0, 0), *smooth([(0.85 * r, 0.05), (r, 0.2 * h), (mid * r, 0.55 * h), (r * top, 0.85 * h), (0.5, h + 0.1)], 3)]
    parts = [turned(outline, wall, section, flat=flat)]
    if scent:
        parts.append(turned(upto(outline, float(rng.uniform(0.35, 0.9)) * h, 0.84), scent, section, flat=flat))
    z = outline[-1][1]
    parts.append(_bulb(rng, z, r) if often(rng, 0.12) else _scent_cap(rng, z, float(rng.uniform(0.35, 0.72)) * r, float(rng.uniform(1.4, 4.2))))
    if often(rng, 0.5) and kind in (0, 1, 3):
        label = pictured(printed(rng, ("Eau", "No. 7", "Fleur", "NOIR", "Amour", "Parfum", "Bleu")), 0.3)
        low, high = float(rng.uniform(0.2, 0.4)) * h, float(rng.uniform(0.55, 0.75)) * h
        parts.append(sleeve([(r, low), (r, high)], label, 1.6) if kind == 3 else centred((0.06, 0.9 * r, high - low), label, (1.01 * r, 0, low)))
    return join(parts)
