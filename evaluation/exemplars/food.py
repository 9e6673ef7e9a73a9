"""Designs of food, and of the plates and bowls it is eaten from: many makes of each class, so that a detector learns the class and not a model of it.

One maker per class: it picks one of its designs and draws measures, colours and prints. Lengths are in about centimetres and near the proportions of
the class's size, long side along y, because the result is stretched to that size; what makes the class recognisable is in every design.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from evaluation.exemplars.food_baked import bread, cupcake
from evaluation.exemplars.food_dishes import dishbowl, plate
from evaluation.exemplars.food_parts import (blend, blob, bright, bumps, canvas, chance, colour, dots, from_centre, leaf, lid, moved, noise, paint,
                                             pick, picture, ring_outline, scalloped, sheet, sweep, tau, turned, wobbly)
from evaluation.exemplars.food_served import chips, salmon
from evaluation.exemplars.food_sweet import pancake, pudding
from sim_bridges.embedded.meshes import Soup, join, scaling, transformed
from sim_bridges.embedded.primitives import centred, ellipsoid, limb, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material

Maker = Callable[[np.random.Generator], Soup]
BROWN, GREEN = (95, 62, 35), (75, 115, 45)

# Fruit and vegetables ------------------------------------------------------------------------------------------------


def _apple_skin(rng: np.random.Generator) -> Material:
    base = pick(rng, (165, 22, 30), (110, 14, 26), (195, 45, 40), (125, 172, 52), (165, 195, 80), (228, 198, 85), (215, 120, 95))
    image = canvas(rng, colour(rng, base), 0.06, wide=128)
    u, v = np.linspace(0, 1, 128)[None], np.linspace(1, 0, 64)[:, None]
    if chance(rng, 0.65):
        streaks = 0.5 + rng.uniform(0.2, 1.0) * noise(rng, 64, 128, (2, 24))
        side = 0.5 + 0.5 * np.cos(2 * np.pi * (u - rng.random())) if chance(rng, 0.6) else 1.0
        image = blend(image, colour(rng, pick(rng, (185, 30, 35), (220, 80, 60), (235, 200, 90), (140, 20, 30))), 1.4 * streaks * side)
    image = blend(image, colour(rng, pick(rng, (150, 160, 70), (130, 95, 45))), (v - 0.8) * 5 * rng.uniform(0.3, 1))
    dots(rng, image, [colour(rng, 0.65 * np.array(base) + 0.35 * np.array((225, 205, 150)))], int(rng.integers(0, 120)), (0.2, 0.5))
    if chance(rng, 0.15):
        cv2.ellipse(image, (32, 26), (6, 5), 0, 0, 360, bright(rng), -1, cv2.LINE_AA)
    return picture(image, rng.uniform(0.05, 0.5))


def _apple_body(rng: np.random.Generator, skin: Material, bite: bool) -> Soup:
    """A sphere drawn in at stem and calyx, broader above, five soft lobes below; a bite pushes part of it in."""
    n, k = 22, 15
    t, a = np.linspace(0, np.pi, k)[:, None], np.linspace(0, 2 * np.pi, n, endpoint=False)[None]
    high, lobe, taper = rng.uniform(0.8, 1.15), rng.uniform(0.0, 0.07), rng.uniform(0.02, 0.2)
    r = np.sin(t) ** 0.9 * (1 - taper * np.cos(t)) * (1 + lobe * np.cos(5 * a) * (0.5 + 0.5 * np.cos(t)))
    z = -np.cos(t) - rng.uniform(0.3, 0.5) * np.exp(-(r / 0.3) ** 2) * (t > 1.6) + 0.22 * np.exp(-(r / 0.25) ** 2) * (t < 1.5)
    rings = np.stack([r * np.cos(a), r * np.sin(a), high * z + 0 * a], axis=-1)
    if not bite:
        return skin_of_rings(rings, skin, uv=True)
    way = tau(rng)
    middle = np.array([1.15 * np.cos(way), 1.15 * np.sin(way), rng.uniform(-0.1, 0.4)])
    from_it = rings - middle
    far = np.linalg.norm(from_it, axis=-1, keepdims=True)
    inside = far[..., 0] < 0.65
    rings = np.where(inside[..., None], middle + from_it / np.maximum(far, 1e-6) * 0.65, rings)
    body = skin_of_rings(rings, skin, uv=True)
    eaten = np.linalg.norm(body.pos - middle.astype(np.float32), axis=-1).max(axis=1) < 0.66
    return Soup(body.pos, body.nrm, body.uv, eaten.astype(np.int32), (skin, paint(rng, (240, 225, 170))))


def apple(rng: np.random.Generator) -> Soup:
    """Whole, with a leaf, bitten into, or halved with the core to be seen."""
    kind, skin = pick(rng, "whole", "whole", "whole", "leaf", "bite", "half"), _apple_skin(rng)
    if kind == "half":
        return _apple_half(rng, skin)
    parts = [_apple_body(rng, skin, kind == "bite")]
    high = parts[0].bounds()[1][2]
    bend = rng.normal(0, 0.12, 2)
    if chance(rng, 0.85):
        parts.append(limb((0, 0, high - 0.45), (*bend, high + rng.uniform(-0.05, 0.25)), (0.04, 0.035, 0.055), paint(rng, BROWN), segments=6))
    if kind == "leaf":
        parts.append(leaf(rng, GREEN, rng.uniform(0.6, 0.9), rng.uniform(0.3, 0.45), (0, 0, high - 0.1), tau(rng)))
    return moved(join(parts), roll=rng.normal(0, 0.2), tilt=rng.normal(0, 0.2))


def _apple_half(rng: np.random.Generator, skin: Material) -> Soup:
    a = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    notch = 1 - 0.28 * np.exp(-((a - np.pi / 2) / 0.3) ** 2) - 0.13 * np.exp(-((a - 3 * np.pi / 2) / 0.25) ** 2)
    y, z = np.cos(a) * (1 + 0.12 * np.sin(a)), np.sin(a) * notch
    cut = rng.uniform(-0.1, 0.3)
    depth = np.sin(np.linspace(-np.pi / 2, np.arcsin(cut), 8))
    rings = np.array([np.column_stack([np.full(28, d), np.sqrt(max(1e-4, 1 - d * d)) * y, np.sqrt(max(1e-4, 1 - d * d)) * z]) for d in depth])
    face = canvas(rng, colour(rng, (243, 232, 190), 8), 0.04)
    for x in (26, 38):
        cv2.ellipse(face, (x, 32), (4, 11), 0, 0, 360, (222, 205, 150), -1, cv2.LINE_AA)
        cv2.ellipse(face, (x, 33), (2, 4), 0, 0, 360, (80, 45, 25), -1, cv2.LINE_AA)
    stem = limb((cut / 2, 0, 0.6), (cut / 2 - 0.1, rng.normal(0, 0.1), 0.95), (0.04, 0.05), paint(rng, BROWN), segments=6)
    return moved(join([skin_of_rings(rings, skin, uv=True), lid(rings[-1], picture(face, 0.2)), stem]), tilt=-rng.uniform(0, 0.7))


def _citrus_face(rng: np.random.Generator, peel: RGB) -> Material:
    """A cut orange seen from above: peel, pith, wedges."""
    far, way = from_centre(96)
    flesh = colour(rng, pick(rng, (245, 150, 30), (250, 170, 50), (235, 120, 25), (170, 30, 35)))
    image = blend(np.full((96, 96, 3), peel, np.uint8), (250, 232, 195), (0.96 - far) * 20)
    count = int(rng.integers(8, 12))
    from_wall = (0.5 - np.abs(np.mod(way * count / (2 * np.pi) + rng.random(), 1) - 0.5)) * 2 * np.pi / count * far
    image = blend(image, flesh, np.minimum((0.86 - far) * 20, (from_wall - 0.02) * 25) * (far > 0.09))
    return picture(np.clip(image * (1 + 0.08 * noise(rng, 96, 96, (20, 20))[..., None]), 0, 255), 0.3)


def orange(rng: np.random.Generator) -> Soup:
    """Navel orange, mandarin, with a leaf, cut open, peeled, half peeled."""
    base = colour(rng, pick(rng, (240, 135, 20), (245, 150, 35), (225, 105, 20), (238, 160, 60)), 10)
    image = canvas(rng, base, 0.09, (16, 32), 64, 128)
    dots(rng, image, [colour(rng, np.array(base) * 0.85, 6)], 150, (0.3, 0.8))
    if chance(rng, 0.2):
        image = blend(image, (150, 160, 50), noise(rng, 64, 128, (2, 3)) * 0.8)
    if chance(rng, 0.2):
        cv2.ellipse(image, (48, 26), (6, 5), 0, 0, 360, bright(rng), -1, cv2.LINE_AA)
    skin = picture(image, rng.uniform(0.05, 0.4))
    kind = pick(rng, "navel", "mandarin", "leaf", "cut", "peeled", "half")
    if kind == "cut":
        t = np.linspace(-np.pi / 2, rng.uniform(0.3, 0.9), 10)
        profile = [(np.cos(x) + 1e-3, np.sin(x)) for x in t]
        rim = np.array([[profile[-1][0] * np.cos(x), profile[-1][0] * np.sin(x), profile[-1][1]]
                        for x in np.linspace(0, 2 * np.pi, 24, endpoint=False)])
        return moved(join([turned(profile, skin, segments=24), lid(rim, _citrus_face(rng, base))]), tilt=rng.uniform(0.1, 1.2), turn=tau(rng))
    squat = rng.uniform(0.72, 0.88) if kind == "mandarin" else rng.uniform(0.92, 1.08)
    if kind in ("peeled", "half"):
        count = int(rng.integers(8, 11))
        flesh = blend(canvas(rng, colour(rng, (246, 170, 70), 8), 0.08), (250, 235, 205), noise(rng, 64, 64, (4, 24)) * 1.2)
        inner = blob((0.92, 0.92, 0.92 * squat),
                     picture(flesh, 0.15),
                     lambda w: 1 + 0.06 * np.abs(np.cos(np.arctan2(w[..., 1], w[..., 0]) * count / 2)) ** 0.5 - 0.1 * np.abs(w[..., 2]) ** 6,
                     segments=2 * count,
                     rings=10)
        if kind == "peeled":
            return inner
        t = np.linspace(-np.pi / 2, rng.uniform(-0.2, 0.4), 8)
        cup = turned([(np.cos(x) + 1e-3, squat * np.sin(x)) for x in t], skin)
        rise = t[-1]
        flaps = [
            moved(_flap(skin, paint(rng, (250, 232, 200)), np.cos(rise), 0.3, rng.uniform(1.0, 2.5)),
                  0,
                  0,
                  squat * np.sin(rise),
                  turn=k * np.pi / 2 + rng.normal(0, 0.15)) for k in range(4)
        ]
        return join([inner, cup, *flaps])
    dip = rng.uniform(0.0, 0.15)
    neck = rng.uniform(-0.02, 0.12) if kind == "mandarin" else 0.0
    grain = bumps(rng, 0.015, 3)
    body = blob((1, 1, squat), skin, lambda w: grain(w) - dip * np.exp(-((1 - w[..., 2]) / 0.03)) + neck * np.exp(-((1 - w[..., 2]) / 0.08)))
    top = squat * (1 - dip + neck)
    parts = [
        body,
        turned([(0.1, -0.02), (0.09, 0.03), (0.04, 0.05), (0, 0.03)],
               paint(rng, pick(rng, GREEN, BROWN, (140, 140, 70))),
               outline=scalloped(5, 0.25),
               segments=15)
    ]
    parts[1] = moved(parts[1], z=top)
    if kind == "leaf":
        parts += [leaf(rng, GREEN, rng.uniform(0.6, 1.1), rng.uniform(0.3, 0.5), (0, 0, top), tau(rng)) for _ in range(int(rng.integers(1, 3)))]
    if kind == "navel":
        parts.append(ellipsoid((0, 0, -squat * 0.97), (0.16, 0.14, 0.07), skin, segments=8, rings=5))
    return moved(join(parts), roll=rng.normal(0, 0.5), tilt=rng.normal(0, 0.5))


def _flap(outside: Material, inside: Material, start: float, length: float, droop: float) -> Soup:
    """A tongue of peel that starts at radius ``start`` along +x and bends out and down."""
    t = np.linspace(0, 1, 6)
    half = 0.55 * start * np.sqrt(1 - t ** 2 * 0.96)
    x, z = start + length * t, length * (0.35 * t - (0.4 + droop) * t ** 2)
    grid = np.stack([np.column_stack([x - 0.25 * np.abs(s) * half, s * half, z]) for s in (1, 0, -1)], axis=1)
    return sheet(grid, inside, outside, thickness=0.03)


def _banana_skin(rng: np.random.Generator) -> Material:
    base = pick(rng, (240, 210, 60), (245, 220, 85), (240, 212, 70), (236, 205, 60), (245, 215, 75), (232, 195, 45), (222, 205, 70), (150, 175, 60),
                (205, 165, 55), (165, 70, 55))
    image = canvas(rng, colour(rng, base, 8), 0.05, (4, 4), 96, 64)
    v = np.linspace(1, 0, 96)[:, None]
    image = blend(image, colour(rng, (140, 160, 60)), np.maximum(0.2 - v, v - 0.85) * 4 * rng.uniform(0, 1.2))
    image = blend(image, colour(rng, (105, 80, 40)), (np.mod(np.linspace(0, 5, 64), 1)[None] < 0.09) * 0.3 + 0 * v)
    dots(rng, image, [colour(rng, (90, 60, 30))], int(rng.choice([0, 10, 60, 160])), (0.4, rng.uniform(0.8, 2)))
    image = blend(image, (60, 45, 28), (v - 0.965) * 40)
    if chance(rng, 0.2):
        cv2.ellipse(image, (16, 45), (5, 5), 0, 0, 360, pick(rng, (30, 70, 170), (220, 40, 40), (250, 240, 240)), -1, cv2.LINE_AA)
    return picture(image, rng.uniform(0.05, 0.3))


def _banana_arc(length: float, bend: float, n: int) -> np.ndarray:
    """A curve along y that bulges towards +x."""
    s = np.linspace(-0.5, 0.5, n)
    return np.column_stack([np.cos(s * bend) * length / max(bend, 0.1),
                            np.sin(s * bend) * length / max(bend, 0.1), 0 * s]) - [length / max(bend, 0.1), 0, 0]


_BANANA_RADII = np.array([0.33, 0.3, 0.36, 0.75, 0.95, 1.0, 1.02, 1.0, 0.92, 0.7, 0.35, 0.25])


def _banana(rng: np.random.Generator, skin: Material, bend: float, thick: float, *, length: float = 18.0, segments: int = 15) -> Soup:
    path = _banana_arc(length, bend, len(_BANANA_RADII))
    dark = paint(rng, (60, 45, 25))
    return sweep(path, thick * _BANANA_RADII, skin, segments=segments, outline=scalloped(5, rng.uniform(0.01, 0.06)), caps=(dark, dark))


def banana(rng: np.random.Generator) -> Soup:
    """One lying or arched, a hand of several, half peeled, or cut across."""
    kind, skin = pick(rng, "one", "one", "hand", "hand", "peeled", "cut"), _banana_skin(rng)
    bend, thick = rng.uniform(0.5, 1.5), rng.uniform(1.5, 2.1)
    flesh = picture(canvas(rng, colour(rng, (246, 232, 185), 6), 0.05, (3, 12)))
    if kind == "one":
        return moved(_banana(rng, skin, bend, thick), tilt=rng.choice([0.0, 0.0, 0.5, -np.pi / 2]), turn=rng.choice([0.0, np.pi]))
    if kind == "hand":
        count = int(rng.integers(2, 6))
        fan = np.linspace(-0.5, 0.5, count) * rng.uniform(0.35, 0.5) * count
        fingers = [
            moved(moved(_banana(rng, skin, bend * rng.uniform(0.9, 1.1), thick, segments=10), x=1.9 * thick * (count > 2), y=9),
                  y=rng.normal(0, 0.3),
                  tilt=f) for f in fan
        ]
        stem = limb((-0.5, -2.2, 0), (0.3 * thick, 1.0, 0), (0.8, 0.9, 1.0), paint(rng, pick(rng, BROWN, (150, 150, 60), (200, 180, 70))), segments=8)
        return moved(join([*fingers, stem]), tilt=rng.choice([0.0, -1.2, 1.2]), turn=rng.choice([0.0, np.pi]))
    path, half = _banana_arc(18, bend, 15), int(rng.integers(8, 11)) + 2 * (kind == "cut")
    radii = thick * np.interp(np.linspace(0, 11, 15), np.arange(12), _BANANA_RADII)
    parts = [sweep(path[:half], radii[:half], skin, segments=15, outline=scalloped(5, 0.04), caps=(paint(rng, BROWN), flesh))]
    if kind == "peeled":
        tip = np.maximum(radii[half - 1:] * 0.86, 0.5 * thick)
        tip[-1] *= 0.5
        parts.append(sweep(path[half - 1:], tip, flesh, segments=12))
        for k in range(int(rng.integers(3, 5))):
            flap = transformed(_flap(skin, paint(rng, (240, 225, 170)), 0.9, rng.uniform(1.8, 2.8), rng.uniform(0.8, 1.6)), scaling(1, 2.4, 1))
            aim = moved(moved(flap, turn=k * 1.6 + 0.3), roll=-np.pi / 2)
            parts.append(moved(aim, *path[half - 1], turn=(half - 8) / 15 * bend))
    return moved(join(parts), tilt=rng.choice([0.0, 0.4]), turn=rng.choice([0.0, np.pi]))


def _carrot_root(rng: np.random.Generator, length: float, blunt: float, *, cut: float = 1.0, segments: int = 14) -> Soup:
    """Crown at y = 0, tip at +y; ``cut``: only this share of it, with the core to be seen."""
    base = colour(
        rng,
        pick(rng, (235, 115, 30), (240, 130, 40), (225, 95, 25),
             (245, 145, 60)) if chance(rng, 0.92) else pick(rng, (95, 35, 70), (235, 180, 60), (240, 200, 110)), 8)
    image = canvas(rng, base, 0.06, (24, 2), 96, 32)
    for _ in range(int(rng.integers(3, 22))):
        y, x = int(rng.integers(0, 96)), int(rng.integers(0, 32))
        cv2.line(image, (x, y), (x + int(rng.integers(4, 14)), y), colour(rng, np.array(base) * 0.75, 5), 1)
    t = np.linspace(0, cut, 11)
    taper = rng.uniform(0.5, 0.9)
    r = (1 - taper * t) * np.clip(np.sqrt(np.maximum(1 - t ** blunt, 0.002)), 0.05, 1) * np.clip(0.5 + 6 * t, 0, 1)
    bend = rng.normal(0, 0.06) * length
    path = np.column_stack([bend * t ** 2 + 0.01 * length * np.sin(7 * t + rng.random()), length * t, rng.normal(0, 0.02) * length * t ** 2])
    face = np.full((32, 32, 3), base, np.uint8)
    cv2.circle(face, (16, 16), 7, colour(rng, (250, 190, 90), 6), -1, cv2.LINE_AA)
    return sweep(path, 1.7 * r * rng.uniform(0.8, 1.05), picture(image, rng.uniform(0, 0.3)), segments=segments, caps=(None, picture(face)))


def _carrot_top(rng: np.random.Generator, length: float, tufts: int = 3) -> Soup:
    """Stalks with feathery tufts, leaving the crown along −y."""
    parts, green = [], colour(rng, pick(rng, (70, 130, 45), (95, 150, 60), (50, 100, 40)))
    for _ in range(int(rng.integers(4, 7))):
        end = np.array([rng.normal(0, 0.22) * length, -length * rng.uniform(0.7, 1), rng.normal(0, 0.18) * length])
        parts.append(limb((0, 0.3, 0), end, (0.3, 0.18), paint(rng, green), segments=5))
        for s in np.linspace(1, 0.45, int(rng.integers(1, tufts + 1))):
            for side in (-1, 1):
                parts.append(leaf(rng, green, 0.24 * length, 0.2 * length, end * s, np.pi + side * rng.uniform(0.5, 1.0)))
    return join(parts)


def carrot(rng: np.random.Generator) -> Soup:
    """Bare, with its greens, stubby, a bunch, cut in pieces, peeled small ones, sticks."""
    kind = pick(rng, "bare", "bare", "leafy", "leafy", "stubby", "bunch", "cut", "small", "sticks")
    flip = rng.choice([0.0, np.pi])
    if kind in ("bare", "leafy", "stubby"):
        root = _carrot_root(rng, 9 if kind == "stubby" else rng.uniform(13, 17), rng.uniform(3, 8) if kind == "stubby" else rng.uniform(6, 20))
        top = _carrot_top(rng, rng.uniform(4, 10)) if kind == "leafy" else ellipsoid(
            (0, 0, 0), (0.7, 0.6, 0.7), paint(rng, pick(rng, GREEN, (130, 120, 60), BROWN)), segments=8, rings=5)
        return moved(join([root, top]), turn=flip)
    if kind == "bunch":
        roots = [
            moved(_carrot_root(rng, rng.uniform(10, 13), 12, segments=10), x=x, z=z, turn=-0.06 * x) for x, z in ((-1.4, 0), (1.4, 0.1), (0, 1.6))
        ]
        return moved(join([*roots, moved(_carrot_top(rng, rng.uniform(4, 7), tufts=1), z=0.6)]), turn=flip)
    if kind == "cut":
        pieces = [_carrot_root(rng, 14, 12, cut=rng.uniform(0.55, 0.8))]
        for k in range(int(rng.integers(0, 4))):
            pieces.append(
                moved(sweep(np.array([[0, 0, 0], [0, 0.8, 0]]),
                            np.array([1.0, 1.0]),
                            pieces[0].materials[0],
                            segments=14,
                            caps=(pieces[0].materials[-1], ) * 2),
                      x=rng.normal(0, 0.2),
                      y=12 + 1.5 * k,
                      z=-0.5,
                      turn=rng.normal(0, 0.4)))
        return moved(join(pieces), turn=flip)
    if kind == "small":
        count = int(rng.integers(1, 4))
        skin = picture(canvas(rng, colour(rng, (240, 125, 40), 8), 0.05, (16, 2)), 0.3)
        path = np.column_stack([np.zeros(9), np.linspace(0, 8, 9), np.zeros(9)])
        radii = 1.2 * np.array([0.3, 0.75, 0.95, 1, 1, 0.97, 0.9, 0.7, 0.25])
        return join(
            moved(sweep(path, radii * rng.uniform(0.85, 1.1), skin, segments=12), x=1.7 * (k % 2), y=(k // 2) * 7.5, turn=rng.normal(0, 0.1))
            for k in range(count))
    side = paint(rng, (240, 130, 45), 8)
    return join(
        moved(centred((0.9, rng.uniform(10, 14), 0.9), side), x=1.05 * (k % 3) - 1, z=0.95 * (k // 3), y=rng.normal(0, 0.6), turn=rng.normal(0, 0.04))
        for k in range(int(rng.integers(4, 8))))


def potato(rng: np.random.Generator) -> Soup:
    """Brown, yellow, red or violet; peeled, halved, sprouting, sweet, two small ones."""
    kind = pick(rng, "plain", "plain", "peeled", "half", "sprouting", "sweet", "pair")
    base = pick(rng, (165, 125, 80), (190, 155, 100), (210, 180, 115), (135, 98, 62), (180, 140, 90), (200, 165, 105), (165, 75, 70), (85, 60, 78))
    base = pick(rng, (175, 85, 60), (150, 75, 75)) if kind == "sweet" else (232, 208, 130) if kind == "peeled" else base
    image = canvas(rng, colour(rng, base, 10), 0.05 if kind == "peeled" else rng.uniform(0.08, 0.25), (6, 12), 64, 128)
    dots(rng, image, [colour(rng, np.array(base) * 0.6, 8)], int(rng.integers(3, 50)), (0.5, 1.6))
    if chance(rng, 0.35) and kind != "peeled":
        image = blend(image, (85, 62, 42), noise(rng, 64, 128, (5, 8)) * 1.5)
    skin, flesh = picture(image, 0.35 if kind == "peeled" else 0.03), picture(
        canvas(rng, colour(rng, (240, 222, 150) if kind != "sweet" else (235, 140, 60), 8), 0.04), 0.2)
    radii = (3.5 * rng.uniform(0.85, 1.1), 4.5, 3 * rng.uniform(0.85, 1.1))

    def one() -> Soup:
        uneven, eyes = bumps(rng, rng.uniform(0.04, 0.12), 1.6), rng.normal(0, 1, (int(rng.integers(3, 9)), 3))
        eyes /= np.linalg.norm(eyes, axis=1, keepdims=True)
        taper = rng.uniform(0.25, 0.5) if kind == "sweet" else 0.0
        shape = lambda w: uneven(w) - 0.07 * np.exp(-(1 - w @ eyes.T) / 0.02).sum(axis=-1) - taper * (1 - np.abs(w[..., 1])) * 0.6
        return blob(radii, skin, shape, segments=10 if kind == "peeled" else 20, rings=8 if kind == "peeled" else 13)

    if kind == "half":
        t = np.linspace(-np.pi / 2, rng.uniform(-0.1, 0.4), 9)
        edge = wobbly(rng, 0.05)
        profile = [(np.cos(x) + 1e-3, np.sin(x)) for x in t]
        rim = np.column_stack([ring_outline(profile[-1][0], profile[-1][0], edge, 26), np.full(26, profile[-1][1])])
        half = join([turned(profile, skin, outline=edge), lid(rim, flesh)])
        return moved(transformed(half, scaling(*radii)), tilt=rng.uniform(0, 1.1), turn=rng.choice([0, np.pi]))
    if kind == "pair":
        return join([one(), moved(one(), x=rng.uniform(2, 4), y=rng.uniform(6.5, 8), turn=rng.normal(0, 0.6))])
    parts = [one()]
    if kind == "sprouting":
        for _ in range(int(rng.integers(2, 6))):
            way = rng.normal(0, 1, 3) * (1, 1, 0.5) + (0, 0, 0.5)
            way /= np.linalg.norm(way)
            parts.append(
                limb(0.9 * way * radii,
                     1.1 * way * radii + rng.uniform(0, 0.8, 3), (0.25, 0.3, 0.12),
                     paint(rng, pick(rng, (230, 225, 180), (170, 180, 110), (150, 90, 130))),
                     segments=6))
    return join(parts)


MAKERS: dict[str, Maker] = {
    "apple": apple,
    "orange": orange,
    "banana": banana,
    "carrot": carrot,
    "potato": potato,
    "bread": bread,
    "cupcake": cupcake,
    "pancake": pancake,
    "pudding": pudding,
    "salmon": salmon,
    "chips": chips,
    "plate": plate,
    "dishbowl": dishbowl,
}
