"""Pieces of furniture without moving parts at random: stools, benches and wheelchairs here, coffee makers and plants in files of their own.

Each is drawn from what such a thing must have to be used (a seat and something to stand on; two large or four small wheels under a seat) in the makes
homes have, with measures, materials and trimmings at random. Front is +x; a bench is long along y.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars import pieces_coffee, pieces_plants
from evaluation.exemplars.prints_parts import (any_colour, casing, chance, cloth, colour, metal, paint, pick, prism, profile, repeated, rod,
                                               round_rect, rounded, shade, superellipse, timber, torus)
from sim_bridges.embedded.meshes import Soup, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, ellipsoid, lathe, limb, skin_of_rings
from sim_bridges.embedded.textures import Material, Texture, fabric, of

Maker = Callable[[np.random.Generator], Soup]
DARK = paint((30, 30, 32), 0.2)


def _upholstery(rng: np.random.Generator) -> Material:
    if chance(rng, 0.3):
        return paint(colour(rng, pick(rng, (40, 34, 32), (120, 74, 46), (170, 120, 80), (230, 226, 218), (120, 30, 34))), 0.25)
    return of(Texture(cloth(rng, print_share=0.35), (0.3, 0.3)))


def _legs(rng: np.random.Generator, a: float, b: float, top: float, material: Material, count: int = 4, thick: float = 0.017) -> list[Soup]:
    """Legs under a seat of half sizes a, b: straight or splayed, round or square, with rungs."""
    splay, parts = rng.uniform(1.0, 1.35), []
    turn = np.pi / count
    corners = [(np.cos(t) * 2**0.5, np.sin(t) * 2**0.5) for t in turn + np.arange(count) * 2 * np.pi / count]
    tops = [np.array([x * a * 0.72, y * b * 0.72, top]) for x, y in corners]
    feet = [np.array([x * a * 0.72 * splay, y * b * 0.72 * splay, 0]) for x, y in corners]
    square = chance(rng, 0.4)
    for up, down in zip(tops, feet):
        parts.append(rod(down, up, thick * rng.uniform(0.7, 0.9), material, end_radius=thick, segments=4 if square else 8))
    if chance(rng, 0.7):
        levels = [rng.uniform(0.2, 0.6) for _ in range(count)] if chance(rng, 0.5) else [rng.uniform(0.2, 0.6)] * count
        for i, s in enumerate(levels):
            j = (i + 1) % count
            parts.append(rod(feet[i] + s * (tops[i] - feet[i]), feet[j] + s * (tops[j] - feet[j]), thick * 0.55, material, segments=6))
    return parts


def _seat(rng: np.random.Generator, a: float, z: float, thick: float, material: Material, round_: bool) -> list[Soup]:
    outline = superellipse(a, a, 2 if round_ else rng.uniform(4, 12), 26)
    parts = [prism(outline, z, z + thick, material, bevel=0.04)]
    if chance(rng, 0.35):
        cover = _upholstery(rng)
        parts.append(transformed(_cushion(outline * 0.98, rng.uniform(0.03, 0.06), cover), translation(0, 0, z + thick)))
    return parts


def _cushion(outline: np.ndarray, high: float, material: Material) -> Soup:
    """A padded top on z = 0."""
    rings = [
        np.concatenate([outline * r, np.full((len(outline), 1), z * high)], 1)
        for r, z in ((0.97, 0), (1, 0.3), (0.98, 0.7), (0.85, 0.95), (0.5, 1), (0, 1.02))
    ]
    return skin_of_rings(np.array(rings), material)


def stool(rng: np.random.Generator) -> Soup:
    """Legged (three or four), on a metal column, padded pouf, step stool, box or trunk, crossed legs, sheet metal, woven top."""
    kind = pick(rng, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6)
    wood = timber(rng) if chance(rng, 0.65) else paint(pick(rng, (240, 240, 236), (34, 34, 36), any_colour(rng)), 0.1)
    a = 0.17
    if kind == 1:  # a column on a round foot
        steel, top = metal(rng), 0.4
        parts = [
            lathe([(0, 0), (0.16, 0), (0.16, 0.01), (0.03, 0.03), (0.022, 0.05), (0.022, top), (0, top)], steel, segments=20, crease=70),
            transformed(torus(0.1, 0.007, steel, 14, 5),
                        translation(0, 0, 0.14) @ rotation((1, 0, 0), np.pi / 2)),
            rod((-0.1, 0, 0.14), (0.1, 0, 0.14), 0.006, steel, segments=6)
        ]
        return join([
            *parts,
            transformed(_cushion(superellipse(a, a, pick(rng, 2, 6), 26), 0.06, _upholstery(rng)), translation(0, 0, top)),
            rod((0, 0, top - 0.012), (0, 0, top), a * 0.95, steel, segments=20)
        ])
    if kind == 2:  # a pouf
        cover, outline = _upholstery(rng), superellipse(a, a, pick(rng, 2, 8), 26)
        rings = [
            np.concatenate([outline * r, np.full((26, 1), z * 0.4)], 1)
            for r, z in ((0.9, 0), (1, 0.1), (1.02, 0.5), (1, 0.9), (0.92, 0.98), (0.5, 1.02), (0, 1.03))
        ]
        band = [prism(outline * 1.03, 0.3, 0.31, paint(shade(cover.color, 0.7)))] if chance(rng, 0.5) else []
        return join([
            skin_of_rings(np.array(rings), cover), *band,
            *(rod((x, y, -0.06), (x, y, 0), 0.014, wood, segments=7) for x in (-0.09, 0.09) for y in (-0.09, 0.09))
        ])
    if kind == 3:  # two steps
        parts = [box((-0.16, -0.17, 0.42), (0.02, 0.17, 0.45), wood), box((-0.02, -0.17, 0.2), (0.17, 0.17, 0.23), wood)]
        for s in (-1, 1):
            parts += [profile([(-0.16, 0), (0.16, 0), (0.16, 0.2), (0.01, 0.42), (-0.15, 0.42)], 0.022, wood, s * 0.15)]
        return join([*parts, box((-0.15, -0.15, 0.12), (-0.13, 0.15, 0.18), wood)])
    if kind == 4:  # solid: a cube, drum or stump
        r, side = rng.uniform(0.8, 1.0), wood
        outline = superellipse(a, a, pick(rng, 2, 3, 10), 24)
        bark = paint(colour(rng, (96, 72, 54)), 0) if chance(rng, 0.4) else side
        return join([prism(outline * r, 0, 0.22, bark), prism(outline, 0.2, 0.4, bark), prism(outline * 0.98, 0.39, 0.43, side, bevel=0.02)])
    if kind == 5:  # crossed legs
        parts = [rod((s * 0.15, y, 0), (-s * 0.15, y, 0.42), 0.014, wood, segments=6) for s in (-1, 1) for y in (-0.14, 0.14)]
        parts += [rod((x, -0.15, z), (x, 0.15, z), 0.012, wood, segments=6) for x, z in ((0.15, 0.42), (-0.15, 0.42), (0.1, 0.07), (-0.1, 0.07))]
        xs = np.linspace(-0.15, 0.15, 7)
        sling = np.stack([np.stack([xs, np.full(7, y), 0.425 - 0.03 * (1 - (xs / 0.15)**2)], 1) for y in (-0.13, 0.13)])
        cover = _upholstery(rng)
        return join([*parts, skin_of_rings(sling[::-1], cover, closed=False), skin_of_rings(sling - [0, 0, 0.006], cover, closed=False)])
    if kind == 6:  # pressed sheet metal
        steel = paint(colour(rng, pick(rng, (200, 60, 50), (60, 130, 150), (50, 50, 52), (190, 192, 196), (240, 200, 70))), 0.4)
        legs = [
            rod((sx * 0.165, sy * 0.165, 0), (sx * 0.115, sy * 0.115, 0.41), 0.02, steel, end_radius=0.032, segments=5) for sx in (-1, 1)
            for sy in (-1, 1)
        ]
        brace = [rod((sx * 0.14, sx * 0.14, 0.2), (-sx * 0.0, 0, 0.24), 0.007, steel, segments=5)
                 for sx in (-1, 1)] + [rod((sx * 0.14, -sx * 0.14, 0.2), (0, 0, 0.24), 0.007, steel, segments=5) for sx in (-1, 1)]
        return join([
            *legs, *brace,
            prism(superellipse(0.15, 0.15, 6, 24), 0.37, 0.44, steel, bevel=0.06),
            prism(round_rect(-0.012, -0.035, 0.012, 0.035, 0.011), 0.43, 0.441, DARK)
        ])
    round_, count = chance(rng, 0.6), pick(rng, 3, 4, 4)
    legs = metal(rng) if chance(rng, 0.3) else (wood if chance(rng, 0.6) else timber(rng))
    z, t = rng.uniform(0.38, 0.42), rng.uniform(0.02, 0.045)
    if chance(rng, 0.2):  # a woven seat between rails
        weave = of(fabric(int(rng.integers(1 << 30)), colour(rng, (206, 172, 116)), size=0.12, contrast=0.3))
        return join([*_legs(rng, a * 0.85, a * 0.85, z + 0.02, legs, 4, 0.02), rounded((-a, -a, z - 0.01), (a, a, z + 0.03), 0.015, weave)])
    return join(
        [*_legs(rng, a * 0.85, a * 0.85, z, legs, count, rng.uniform(0.012, 0.022)), *_seat(rng, a * rng.uniform(0.92, 1.05), z, t, wood, round_)])


def _bench_base(rng: np.random.Generator, top: float, material: Material) -> list[Soup]:
    """What holds a bench up: corner legs, panels, trestles, hairpins, sleds."""
    kind, a, b = int(rng.integers(5)), 0.17, 0.52
    t = rng.uniform(0.02, 0.045)
    if kind == 0:
        parts = [box((sx * a - t, sy * b - t, 0), (sx * a + t, sy * b + t, top), material) for sx in (-1, 1) for sy in (-1, 1)]
        parts += [box((sx * a - 0.01, -b, top - 0.08), (sx * a + 0.01, b, top), material) for sx in (-1, 1)]
        return parts + ([box((-0.02, -b, 0.1),
                             (0.02, b, 0.14), material)] + [box((-a, s * b - 0.015, 0.1), (a, s * b + 0.015, 0.14), material)
                                                            for s in (-1, 1)] if chance(rng, 0.4) else [])
    if kind == 1:
        return [box((-0.19, s * b - t, 0), (0.19, s * b + t, top), material)
                for s in (-1, 1)] + ([box((-0.012, -b, top - 0.12), (0.012, b, top), material)] if chance(rng, 0.6) else [])
    if kind == 2:
        return [rod((sx * 0.17, s * b, 0), (sx * 0.05, s * b, top), t, material, segments=4) for sx in (-1, 1)
                for s in (-1, 1)] + [box((-0.02, -b, 0.18), (0.02, b, 0.23), material)]
    steel = metal(rng)
    if kind == 3:
        return [
            rod((sx * a, sy * b, 0), (sx * (a - 0.03), sy * b + d, top), 0.007, steel, segments=6) for sx in (-1, 1) for sy in (-1, 1)
            for d in (-0.05, 0.05)
        ]
    return [
        box((min(p, q), s * b - 0.02, z0), (max(p, q), s * b + 0.02, z1), steel) for s in (-1, 1)
        for p, q, z0, z1 in ((-a, -a + 0.03, 0, top), (a - 0.03, a, 0, top), (-a, a, 0, 0.02), (-a, a, top - 0.02, top))
    ]


def bench(rng: np.random.Generator) -> Soup:
    """Plank, slatted, padded, chest, shoe rack, with loose cushions, with a low rail."""
    wood = timber(rng, size=0.8) if chance(rng, 0.7) else paint(pick(rng, (240, 240, 236), (40, 40, 42), any_colour(rng)), 0.1)
    kind, top = int(rng.integers(6)), rng.uniform(0.38, 0.41)
    a, b = 0.2, 0.6
    if kind == 0:
        count = int(rng.integers(3, 8))
        edges = np.linspace(-a, a, count + 1)
        gap = rng.uniform(0.006, 0.02)
        slats = [box((x0 + gap / 2, -b, top), (x1 - gap / 2, b, top + 0.03), wood) for x0, x1 in zip(edges[:-1], edges[1:])]
        if chance(rng, 0.25):
            count = int(rng.integers(14, 24))
            slats = [box((-a, y, top), (a, y + 1.2 / count - gap, top + 0.03), wood) for y in np.linspace(-b, b, count, endpoint=False)]
        parts = [*slats, *_bench_base(rng, top, wood)]
    elif kind == 1:
        parts = [prism(round_rect(-a, -b, a, b, rng.uniform(0.003, 0.08)), top, top + rng.uniform(0.025, 0.06), wood), *_bench_base(rng, top, wood)]
    elif kind == 2:
        cover, outline = _upholstery(rng), round_rect(-a, -b, a, b, rng.uniform(0.02, 0.15), 6)
        parts = [
            prism(outline * 0.98, top - 0.03, top, wood),
            transformed(_cushion(outline, rng.uniform(0.07, 0.14), cover), translation(0, 0, top - 0.01)), *_bench_base(rng, top - 0.03, wood)
        ]
        if chance(rng, 0.4):
            parts.append(
                repeated(ellipsoid((0, 0, 0), (0.016, 0.016, 0.008), paint(shade(cover.color, 0.7)), segments=7, rings=5),
                         [(x, y, top + 0.09) for x in (-0.07, 0.07) for y in (-0.36, -0.12, 0.12, 0.36)]))
    elif kind == 3:  # a chest
        parts = [
            box((-a + 0.01, -b + 0.01, 0.04), (a - 0.01, b - 0.01, top), wood),
            box((-a + 0.03, -b + 0.03, 0), (a - 0.03, b - 0.03, 0.04), DARK),
            box((-a, -b, top), (a, b, top + 0.025), wood)
        ]
        n = int(rng.integers(1, 5))
        for y in np.linspace(-b, b, n, endpoint=False):
            parts += [
                box((a - 0.011, y + 0.03, 0.07), (a + 0.003, y + 1.2 / n - 0.03, top - 0.03),
                    wood if chance(rng, 0.5) else paint(shade(wood.color, 0.85))),
                box((a, y + 0.6 / n - 0.05, top - 0.09), (a + 0.012, y + 0.6 / n + 0.05, top - 0.075), metal(rng))
            ]
    elif kind == 4:  # open compartments with shoes' room, boxes in some
        n = int(rng.integers(2, 5))
        ys = np.linspace(-b + 0.012, b - 0.012, n + 1)
        parts = [
            box((-a, -b, top), (a, b, top + 0.03), wood),
            box((-a, -b, 0.03), (a, b, 0.055), wood),
            box((-a, -b, 0), (-a + 0.01, b, top), wood), *(box((-a, y - 0.012, 0), (a, y + 0.012, top), wood) for y in ys)
        ]
        if chance(rng, 0.5):
            parts.append(box((-a, -b, 0.2), (a, b, 0.215), wood))
        basket = _upholstery(rng)
        parts += [
            rounded((-a + 0.03, y0 + 0.03, 0.056), (a - 0.01, y1 - 0.03, 0.18), 0.01, basket) for y0, y1 in zip(ys[:-1], ys[1:]) if chance(rng, 0.6)
        ]
    else:  # a low rail behind
        parts = [
            box((-a, -b, 0.26), (a, b, 0.285), wood), *_bench_base(rng, 0.26, wood),
            *(box((-a, y - 0.02, 0.2), (-a + 0.03, y + 0.02, 0.52), wood) for y in (-b + 0.02, 0, b - 0.02))
        ]
        parts += [box((-a + 0.005, -b, z), (-a + 0.025, b, z + 0.06), wood) for z in (0.35, 0.45)]
        if chance(rng, 0.6):
            parts += [box((-a, s * b - 0.02, 0.38), (a, s * b + 0.02, 0.4), wood)
                      for s in (-1, 1)] + [box((a - 0.03, s * b - 0.018, 0.26), (a, s * b + 0.018, 0.39), wood) for s in (-1, 1)]
        top = 0.26
    if kind not in (2, 4) and chance(rng, 0.45):
        cover = _upholstery(rng)
        n = int(rng.integers(1, 4))
        z = top + (0.06 if kind == 1 else 0.026)
        for y in np.linspace(-b, b, n, endpoint=False) + 0.6 / n:
            parts.append(
                transformed(_cushion(round_rect(-a * 0.95, -0.57 / n, a * 0.95, 0.57 / n, 0.02), rng.uniform(0.03, 0.06), cover),
                            translation(0, y, z)))
    return join(parts)


def _wheel(rng: np.random.Generator, r: float, tyre: Material, rim: Material, spokes: int, hand_rim: bool, side: int) -> Soup:
    """About the y axis, standing on z = 0."""
    parts = [torus(r - 0.016, 0.016, tyre, 16, 5), rod((0, -0.025, 0), (0, 0.025, 0), 0.025, rim, segments=8)]
    for a in np.arange(spokes) * np.pi / spokes + rng.uniform(0, 1):
        d = np.array([np.cos(a), 0, np.sin(a)]) * (r - 0.02)
        parts.append(rod(-d, d, 0.004 if spokes > 3 else 0.016, rim, segments=3))
    if hand_rim:
        parts.append(transformed(torus(r - 0.045, 0.008, rim, 14, 4), translation(0, side * 0.04, 0)))
    return transformed(join(parts), translation(0, 0, r))


def _castor(r: float, at, tyre: Material, frame: Material, high: float) -> list[Soup]:
    x, y = at
    return [
        rod((x, y - 0.016, r), (x, y + 0.016, r), r, tyre, segments=12),
        rod((x, y - 0.018, r), (x, y + 0.018, r), 0.5 * r, frame, segments=8),
        box((x - 0.012, y - 0.026, r), (x + 0.012, y - 0.019, high), frame),
        box((x - 0.012, y + 0.019, r), (x + 0.012, y + 0.026, high), frame),
        box((x - 0.014, y - 0.026, high - 0.02), (x + 0.014, y + 0.026, high), frame)
    ]


def _manual(rng: np.random.Generator) -> Soup:
    """Folding frame of tubes, two large wheels with hand rims, or four small ones to be pushed; a low sporty one."""
    frame = pick(rng, metal(rng), paint(any_colour(rng, (0.5, 0.9), (0.3, 0.9)), 0.4))
    cloth_ = paint(colour(rng, pick(rng, (30, 30, 34), (30, 30, 34), (30, 44, 90), (120, 30, 36), (50, 80, 60))), 0.1)
    tyre = paint(colour(rng, pick(rng, (36, 36, 38), (36, 36, 38), (150, 150, 152)), 6), 0.1)
    sport, pushed = chance(rng, 0.25), chance(rng, 0.2)
    r, w, seat = (0.17 if pushed else rng.uniform(0.28, 0.32)), rng.uniform(0.2, 0.23), rng.uniform(0.46, 0.52)
    back, axle = (rng.uniform(0.68, 0.76) if sport else rng.uniform(0.88, 0.95)), rng.uniform(-0.17, -0.1)
    camber = rng.uniform(0.08, 0.2) if sport else 0.0
    parts = []

    def tube(a, b, k: float = 0.013) -> Soup:
        return rod(a, b, k, frame, segments=6)

    for s in (-1, 1):
        wheel = transformed(_wheel(rng, r, tyre, frame, pick(rng, 3, 6, 8), not pushed, s),
                            translation(axle, s * (w + 0.05), 0) @ rotation((1, 0, 0), s * camber))
        parts += [
            wheel,
            tube((-0.22, s * w, 0.2), (-0.25, s * w, back)),
            tube((-0.22, s * w, seat - 0.02), (0.22, s * w, seat - 0.02)),
            tube((0.22, s * w, seat - 0.02), (0.34, s * w * 0.7, 0.14)),
            box((0.32, min(s * 0.02, s * w * 0.8), 0.11), (0.47, max(s * 0.02, s * w * 0.8), 0.125), DARK),
            *_castor(rng.uniform(0.05, 0.09), (0.22, s * (w - 0.03)), tyre, frame, 0.24),
            tube((0.22, s * w, 0.22), (0.22, s * w, seat))
        ]
        if not sport:
            parts += [
                rod((-0.25, s * w, back), (-0.36, s * w, back + 0.005), 0.016, DARK, segments=6),
                tube((-0.23, s * w, seat + 0.2), (0.1, s * w, seat + 0.2)),
                box((-0.2, s * w - 0.024, seat + 0.2), (0.09, s * w + 0.024, seat + 0.23), DARK),
                tube((0.1, s * w, seat - 0.02), (0.1, s * w, seat + 0.2)),
                tube((-0.22, s * w, 0.22), (0.22, s * w, 0.22)),
                box((-0.2, s * w - 0.004, seat), (0.09, s * w + 0.004, seat + 0.19), cloth_ if chance(rng, 0.5) else frame)
            ]
        parts.append(tube((-0.1, -s * w, 0.22), (-0.1, s * w, seat - 0.03), 0.009))
    return join([
        *parts,
        box((-0.22, -w, seat - 0.02), (0.22, w, seat + rng.uniform(0.005, 0.05)), cloth_),
        profile([(-0.225, seat), (-0.2, seat), (-0.235, back - 0.04), (-0.26, back - 0.04)], 2 * w, cloth_)
    ])


def _electric(rng: np.random.Generator) -> Soup:
    """A padded seat on a battery box, four to six middling wheels, a joystick."""
    shell, pad, tyre = casing(rng), paint(colour(rng, pick(rng, (34, 34, 38), (60, 60, 66), (90, 40, 40))), 0.1), paint((38, 38, 40), 0.1)
    hub, w, seat = metal(rng), rng.uniform(0.21, 0.25), rng.uniform(0.46, 0.54)
    big, small, back = rng.uniform(0.14, 0.19), rng.uniform(0.08, 0.12), pick(rng, 0.95, 1.05)
    front_drive = chance(rng, 0.4)
    xs = (0.2, -0.32) if front_drive else (-0.22, 0.28)
    parts = [
        rounded((-0.34, -w + 0.04, 0.12), (0.26, w - 0.04, rng.uniform(0.34, 0.4)), 0.04, shell),
        rod((-0.02, 0, 0.34), (-0.02, 0, seat), 0.05, DARK, segments=8),
        rounded((-0.24, -w, seat - 0.02), (0.24, w, seat + 0.07), 0.03, pad),
        transformed(rounded((-0.04, -w * 0.95, 0), (0.05, w * 0.95, back - seat - 0.14), 0.03, pad),
                    translation(-0.22, 0, seat + 0.06) @ rotation((0, 1, 0), -rng.uniform(0.08, 0.25)))
    ]
    for s in (-1, 1):
        for x, r, thick in ((xs[0], big, 0.045), (xs[1], small, 0.03)):
            parts += [
                rod((x, s * w - thick, r), (x, s * w + thick, r), r, tyre, segments=16),
                rod((x, s * w - thick - 0.004, r), (x, s * w + thick + 0.004, r), 0.55 * r, hub, segments=10)
            ]
        parts += [
            box((-0.2, s * (w + 0.03) - 0.03, seat + 0.21), (0.14, s * (w + 0.03) + 0.03, seat + 0.245), pad),
            rod((-0.15, s * (w + 0.03), seat), (-0.15, s * (w + 0.03), seat + 0.21), 0.014, hub, segments=6),
            rod((0.24, s * w * 0.6, seat - 0.02), (0.36, s * w * 0.5, 0.13), 0.015, hub, segments=6),
            box((0.34, min(s * 0.015, s * w * 0.8), 0.1), (0.52, max(s * 0.015, s * w * 0.8), 0.12), DARK)
        ]
    side = pick(rng, -1, 1)
    parts += [
        box((0.14, side * (w + 0.03) - 0.03, seat + 0.22), (0.23, side * (w + 0.03) + 0.03, seat + 0.26), DARK),
        limb((0.19, side * (w + 0.03), seat + 0.26), (0.19, side * (w + 0.03), seat + 0.31), (0.006, 0.012), DARK, segments=6)
    ]
    if chance(rng, 0.6):
        parts += [
            rounded((-0.36, -0.1, back - 0.05), (-0.28, 0.1, back + 0.08), 0.03, pad),
            rod((-0.3, 0, back - 0.2), (-0.32, 0, back), 0.012, hub, segments=6)
        ]
    return join(parts)


def wheelchair(rng: np.random.Generator) -> Soup:
    return pick(rng, _manual, _manual, _electric)(rng)


MAKERS: Mapping[str, Maker] = {"stool": stool, "bench": bench, "wheelchair": wheelchair, **pieces_coffee.MAKERS, **pieces_plants.MAKERS}
