"""Designs of salmon and of bags of chips. See ``food.py``."""

from __future__ import annotations

import cv2
import numpy as np

from evaluation.exemplars.food_parts import (blend, bright, canvas, chance, colour, cushion, from_centre, leaf, letters, lid, moved, noise,
                                             pack_panel, paint, pick, picture, polygonal, prism, ring_outline, sheet, squarish, sweep, tau, turned,
                                             wobbly, words, wrap_print)
from sim_bridges.embedded.meshes import Soup, join, scaling, transformed
from sim_bridges.embedded.primitives import box, centred, ellipsoid, limb, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material

FLESHES = ((245, 130, 85), (240, 115, 80), (250, 150, 105), (225, 90, 65), (235, 140, 115))

# Salmon --------------------------------------------------------------------------------------------------------------


def _flesh(rng: np.random.Generator, base: RGB, *, arrows: bool = True) -> np.ndarray:
    """Orange-pink with pale lines of fat: arrow heads along a fillet, or bands across it."""
    image = canvas(rng, base, 0.06, (5, 5), 64, 128)
    y, x = np.mgrid[0:64, 0:128].astype(np.float32)
    wave = 8 * noise(rng, 64, 128, (3, 4))
    across = np.abs(y - rng.uniform(24, 40)) if arrows else y * rng.uniform(-0.7, 0.7)
    line = np.mod(x + across * rng.uniform(0.5, 1.1) + wave, rng.uniform(9, 16))
    image = blend(image, colour(rng, (255, 215, 185), 6), (1 - np.abs(line - 3) / rng.uniform(1.2, 2.5)) * rng.uniform(0.5, 1))
    if chance(rng, 0.4):
        image = blend(image, colour(rng, (190, 95, 70), 8), 1 - np.abs(y - 32 + wave / 3) / 2.5)
    return image


def _fish_skin(rng: np.random.Generator, back: RGB) -> Material:
    """Columns run round the body: dark spotted back, silver flank, pale belly, gills and eyes' place at the head; or, of every third, hardly any of that: one tone with
    a paler belly, from silver to the red of one that goes upriver."""
    image = np.zeros((96, 128, 3), np.uint8)
    from_back = 0.5 - 0.5 * np.cos(np.linspace(0, 2 * np.pi, 128))[None] + 0.06 * noise(rng, 96, 128, (8, 4))
    if chance(rng, 0.35):
        tone = colour(rng, pick(rng, (175, 178, 182), (200, 190, 180), (150, 155, 165), (205, 150, 140), (190, 95, 80)), 14)
        image = blend(np.full((96, 128, 3), tone, np.uint8), colour(rng, np.minimum(np.array(tone) * 1.2, 245), 6), (from_back - rng.uniform(0.3, 0.8)) * 3)
        spots = int(rng.integers(0, 60))
    else:
        image = blend(
            blend(np.full((96, 128, 3), back, np.uint8), colour(rng, pick(rng, (165, 170, 176), (150, 156, 162), (205, 140, 130), (140, 150, 150)), 8),
                  (from_back - 0.3) * 5), colour(rng, (232, 230, 222), 6), (from_back - 0.72) * 4)
        image = np.clip(image * (1 + 0.09 * np.sin(np.add.outer(np.arange(96) * 1.6, np.arange(128) * 0.8))[..., None]), 0, 255).astype(np.uint8)
        spots = int(rng.integers(20, 90))
    for _ in range(spots):
        u = int(np.mod(rng.normal(0, 15), 128))
        cv2.circle(image, (u, int(rng.integers(10, 96))), 1, (30, 32, 38), -1)
    if chance(rng, 0.75):
        y = np.linspace(1, 0, 96)[:, None]
        image = blend(image, colour(rng, np.array(back) * 1.1, 4), (0.2 - y + 0.04 * np.sin(np.linspace(0, 4 * np.pi, 128))[None]) * 8 * 0.6)
        image = blend(image, (60, 62, 68), 1 - np.abs(y - 0.21 - 0.03 * np.cos(np.linspace(0, 4 * np.pi, 128))[None]) * 60)
    return picture(image, rng.uniform(0.3, 0.7))


def _whole_fish(rng: np.random.Generator) -> Soup:
    """Lying on its side, slender or deep, flat or round; head, tail and mostly fins."""
    back = colour(rng, pick(rng, (70, 80, 90), (85, 95, 85), (60, 70, 95), (110, 95, 80)), 10)
    skin, deep, broad = _fish_skin(rng, back), rng.uniform(2.2, 3.8), rng.uniform(1.6, 3.2)
    t = np.array([0, 0.02, 0.06, 0.12, 0.2, 0.32, 0.45, 0.6, 0.75, 0.86, 0.92, 0.95])
    half = deep * np.array([0.1, 0.3, 0.5, 0.7, 0.88, 1, 1, 0.85, 0.58, 0.36, 0.28, 0.3])
    thick = broad * np.array([0.1, 0.3, 0.55, 0.8, 0.95, 1, 0.95, 0.8, 0.55, 0.3, 0.18, 0.1])
    path = np.column_stack([rng.normal(0, 0.6) * (t - 0.5) ** 2 * 4, 24 * t - 12, np.full(12, broad)])
    parts = [sweep(path, np.column_stack([half, thick]), skin, segments=16)]
    fin = paint(rng, back if chance(rng, 0.6) else skin.color, 10, gloss=0.2)
    end, flare = path[-1], rng.uniform(0.8, 1.3)
    fork = rng.uniform(0.3, 1.6)
    tail = np.array([(-0.7, -0.8), (0.7, -0.8), (3.2, 2.6), (2.9, 3.2), (0, 2.6 - fork), (-2.9, 3.2), (-3.2, 2.6)]) * (flare, 1)
    parts.append(moved(prism(tail, -0.12, 0.12, fin), end[0], end[1], broad))
    for side, y0, size in ((-1, 0.0, 1.7), (-1, 6.2, 0.7), (1, 2.0, 1.2), (1, 5.5, 1.5)) if chance(rng, 0.75) else ():
        at = side * np.interp((y0 + 12) / 24, t, half) * 0.9
        shape = np.array([(0, -size), (0, size), (side * size * 0.9, size * 1.3), (side * size, size * 0.5)])
        parts.append(moved(prism(shape if side > 0 else shape[::-1], -0.1, 0.1, fin), at, y0, broad))
    top = broad * 1.75
    if chance(rng, 0.75):
        parts.append(moved(prism(np.array([(-0.5, 0), (0.4, 0), (1.3, 2.6), (0.6, 2.8)]), 0, 0.15, fin), 0.8, -7, top + 0.1, roll=0.1))
    eye = rng.uniform(0.7, 1.3)
    parts += [
        ellipsoid((-0.25, -10.55, broad * 1.52), (0.48 * eye, 0.48 * eye, 0.28), paint(rng, (225, 210, 140), 6), segments=10, rings=5),
        ellipsoid((-0.25, -10.55, broad * 1.52 + 0.18), (0.29 * eye, 0.29 * eye, 0.16), paint(rng, (15, 15, 18), 2, gloss=0.9), segments=8, rings=5)
    ]
    return moved(join(parts), turn=rng.choice([0.0, np.pi]))


def _fillet_shape(rng: np.random.Generator) -> np.ndarray:
    """One side of the fish: broad at the neck, narrowing to the tail."""
    wide, tail = rng.uniform(4, 5), rng.uniform(0.25, 0.6)
    left, right = np.array([(0.75, -12), (1, -8), (1, -2), (0.85, 4), (0.6, 9), (tail, 12)]), np.array([(tail, 12), (0.7, 8), (1, 2), (1.05, -5),
                                                                                                        (0.8, -11)])
    return np.vstack([np.column_stack([wide * left[:, 0], left[:, 1]]), np.column_stack([-wide * right[:, 0], right[:, 1]])])


def _piece(rng: np.random.Generator, base: RGB, length: float, wide: float, high: float) -> Soup:
    """A portion cut across a fillet, skin below."""
    outline = ring_outline(wide / 2, length / 2, squarish(rng.uniform(4, 9)), 22) * (1 + 0.06 * rng.normal(size=(1, 2)))
    return cushion(outline, high, picture(_flesh(rng, base, arrows=chance(rng, 0.4)), 0.35), paint(rng, (120, 125, 130), gloss=0.5), flatness=0.75)


def _fillets(rng: np.random.Generator) -> Soup:
    """A whole side or two to four portions, on their own, on a board, with lemon or dill."""
    base, parts, z = colour(rng, pick(rng, *FLESHES), 10), [], 0.0
    if chance(rng, 0.3):
        parts.append(
            prism(ring_outline(5.6, 13, squarish(rng.uniform(2.2, 9)), 28), -0.8, 0,
                  paint(rng, pick(rng, (185, 135, 85), (60, 62, 66), (245, 244, 240)), gloss=0.2)))
    if chance(rng, 0.5):
        side = cushion(_fillet_shape(rng)[::-1] * (-1, 1),
                       rng.uniform(2, 3),
                       picture(_flesh(rng, base), 0.4),
                       paint(rng, (125, 130, 135), gloss=0.5),
                       flatness=0.7)
        parts.append(side)
        z = side.bounds()[1][2]
    else:
        count = int(rng.integers(1, 5))
        for k in range(count):
            piece = _piece(rng, base, 21 / count, rng.uniform(8, 9.5), rng.uniform(2.2, 3.2))
            parts.append(moved(piece, rng.normal(0, 0.3), 23 / count * (k - (count - 1) / 2), turn=rng.normal(0, 0.08)))
            z = piece.bounds()[1][2]
    if chance(rng, 0.35):
        lemon = blend(np.full((32, 32, 3), (240, 205, 60), np.uint8), (250, 235, 150), (0.85 - from_centre(32)[0]) * 10)
        disc = prism(ring_outline(1.7, 1.7, n=14), 0, 0.3, paint(rng, (240, 205, 50), 5), picture(lemon, 0.3))
        parts += [moved(disc, rng.normal(0, 1), y, z * 0.9, roll=rng.normal(0, 0.15)) for y in np.linspace(-5, 5, int(rng.integers(1, 4)))]
    if chance(rng, 0.25):
        parts += [leaf(rng, (70, 125, 50), 2.5, 0.8, (rng.normal(0, 0.6), rng.normal(0, 4), z * 0.93), tau(rng)) for _ in range(5)]
    return moved(join(parts), turn=rng.choice([0.0, np.pi]))


def _steaks(rng: np.random.Generator) -> Soup:
    """Cut across the fish: a round with the bone in its middle and two belly flaps that curl in; silver skin round it."""
    base, count = colour(rng, pick(rng, *FLESHES), 10), int(rng.integers(1, 4))
    skin = paint(rng, pick(rng, (150, 155, 160), (110, 115, 120), (190, 192, 195)), gloss=0.5)
    image = canvas(rng, base, 0.06)
    far, way = from_centre(64)
    image = blend(image, (255, 220, 195),
                  (0.25 - np.abs(np.mod(far * rng.uniform(2.5, 4) + 0.6 * np.sin(way * pick(rng, 1, 2, 3)), 1) - 0.5)) * rng.uniform(1, 2.5))
    image = blend(image, (235, 225, 210), (0.12 - far) * 20)
    face, high = picture(image, 0.35), rng.uniform(2.0, 3.0)
    parts = []
    for k in range(count):
        round_ = prism(ring_outline(3.1, 3.3, wobbly(rng, 0.03), 20), 0, high, skin, face, bevel=0.04)
        flaps = []
        for side in (-1, 1):
            t = np.linspace(0, 1, 7)
            path = np.column_stack([1.5 + 5.2 * t, side * (2.1 - 1.2 * t ** 2 + 0.3 * np.sin(np.pi * t)), np.full(7, high / 2)])
            flaps.append(
                sweep(path,
                      np.column_stack([1.05 - 0.5 * t, np.full(7, high / 2 * 0.96)]),
                      face if chance(rng, 0.8) else skin,
                      segments=12,
                      outline=squarish(4)))
        steak = transformed(join([round_, *flaps]), scaling(1, 3.3 / count if count < 3 else 1.15, 1))
        parts.append(moved(steak, x=-2 * (1 if k % 2 == 0 else -1), y=(22 / count) * (k - (count - 1) / 2), turn=0.0 if k % 2 == 0 else np.pi))
    return join(parts)


def _tray(rng: np.random.Generator) -> Soup:
    """From the shop: portions in a tray under film with a label, or a printed sleeve round it."""
    base, parts = colour(rng, pick(rng, *FLESHES), 10), []
    tray = paint(rng, pick(rng, (25, 26, 30), (240, 240, 240), (60, 110, 170), (235, 225, 205), (205, 225, 230)), 6, gloss=0.4)
    shape = squarish(10)
    loop = [ring_outline(x, y, shape, 28) for x, y in ((4.3, 11.2), (5, 12.2), (5.2, 12.5), (4.8, 11.9), (4.2, 11.1))]
    rings = np.array([np.column_stack([p, np.full(28, z)]) for p, z in zip(loop, (0, 3.4, 3.6, 3.5, 0.4))])
    parts += [skin_of_rings(rings[:3], tray, uv=True), skin_of_rings(rings[2:], tray, uv=True), lid(rings[-1], tray), lid(rings[0][::-1], tray)]
    count = int(rng.integers(1, 4))
    for k in range(count):
        parts.append(moved(_piece(rng, base, 20.5 / count, 7.6, 2.6), 0, 22 / count * (k - (count - 1) / 2), 0.45))
    film = paint(rng, (240, 245, 250), 3, gloss=0.9, opacity=rng.uniform(0.08, 0.25))
    parts.append(box((-4.9, -12, 3.55), (4.9, 12, 3.62), film))
    panel = pack_panel(rng, 64, 64, ("SALMON", "FILLETS", "LACHS", "SAUMON"), FLESHES)
    where, print_ = rng.uniform(-7, 7), picture(np.rot90(panel, int(rng.integers(4))), 0.3)
    wide = rng.uniform(2.5, 4.5)
    if chance(rng, 0.5):
        where = float(np.clip(where, -11.5 + wide, 11.5 - wide))
        parts.append(_flat_print((-5.05, where - wide, -0.05), (5.05, where + wide, 3.85), print_))
    else:
        parts.append(_flat_print((-2.5, where - 2.8, 3.5), (2.5, where + 2.8, 3.7), print_))
    return moved(join(parts), turn=rng.choice([0.0, np.pi]))


def _flat_print(low: tuple, high: tuple, print_: Material) -> Soup:
    """A box with ``print_`` on top and its plain colour elsewhere."""
    return join([
        box(low, high, Material(print_.color, gloss=print_.gloss), skip=("+z", )),
        lid(np.array([(high[0], low[1], high[2]), (high[0], high[1], high[2]), (low[0], high[1], high[2]), (low[0], low[1], high[2])]), print_)
    ])


def _smoked(rng: np.random.Generator) -> Soup:
    """Thin slices overlapping on a gold or silver board, open or under film; or a flat printed pack with a window."""
    base = colour(rng, pick(rng, *FLESHES), 10)
    board = paint(rng, pick(rng, (205, 170, 85), (195, 198, 203), (40, 42, 46), (245, 243, 238)), 6, gloss=0.6)
    parts = [prism(ring_outline(4.9, 12, squarish(12), 24), -0.3, 0, board)]
    count = int(rng.integers(3, 7))
    for k in range(count):
        t, s = np.linspace(0, 1, 6)[:, None], np.linspace(-1, 1, 7)[None]
        long, y0 = rng.uniform(5.5, 7.5), -10.5 + 16 * k / count
        half = 4.3 * (0.75 + 0.25 * np.sin(np.pi * np.clip(t + 0.15, 0, 1))) * (1 + 0.05 * rng.normal(size=(6, 1)))
        z = 0.25 + 0.3 * (1 - t) + 0.25 * np.sin(3 * s + 5 * t + tau(rng)) * (0.3 + t) + 0.12 * k + 0.35 * (t > 0.9)
        grid = np.stack([half * s, y0 + long * t + 0.5 * np.cos(2 * s), z], axis=-1)
        parts.append(sheet(grid, picture(_flesh(rng, base), 0.4), thickness=0.12))
    if chance(rng, 0.6):
        parts.append(box((-4.8, -11.8, 1.3), (4.8, 11.8, 1.38), paint(rng, (240, 245, 250), 3, gloss=0.9, opacity=rng.uniform(0.1, 0.25))))
        panel = picture(np.rot90(pack_panel(rng, 64, 64, ("SALMON", "SMOKED", "SAUMON"), FLESHES), int(rng.integers(4))), 0.3)
        end = rng.choice([-1, 1]) * rng.uniform(7, 9)
        parts.append(_flat_print((-4.8, end - 3, 1.2), (4.8, end + 3, 1.5), panel))
    return moved(join(parts), turn=rng.choice([0.0, np.pi]))


def salmon(rng: np.random.Generator) -> Soup:
    """The whole fish, sides and portions, steaks, a tray from the shop, smoked slices."""
    return pick(rng, *[_whole_fish] * 6, _fillets, _fillets, _fillets, _steaks, _steaks, _tray, _smoked)(rng)


# Chips ---------------------------------------------------------------------------------------------------------------

_CHIPS = ((240, 200, 90), (250, 220, 120), (225, 165, 65), (215, 120, 45))


def _bag(rng: np.random.Generator, print_: Material, *, opened: bool, soft: float) -> Soup:
    """Two sheets sealed at foot and head, blown up between; wrinkled towards the seals. ``opened``: the head gapes."""
    n, zs = 24, np.array([0, 0.03, 0.035, 0.09, 0.18, 0.35, 0.55, 0.75, 0.87, 0.94, 0.965, 0.97, 1.0])
    a = np.linspace(-np.pi / 2, 1.5 * np.pi, n, endpoint=False)
    belly = np.sin(np.pi * np.clip((zs - 0.02) / 0.96, 0, 1)) ** rng.uniform(0.4, 0.8) * rng.uniform(3.2, 4.5)
    belly[[0, 1, 2, -3, -2, -1]] = 0.12
    if opened:
        belly[-4:] = np.array([2.4, 2.6, 2.7, 3.0]) * rng.uniform(0.6, 1.1)
    wide = 10 - soft * np.sin(np.pi * zs)
    lean, phase = rng.normal(0, 0.4), tau(rng)
    rings = []
    for z, b, w in zip(zs, belly, wide):
        near_seal = np.exp(-min(z, 1 - z) / 0.12) * (b > 0.2)
        crease = 1 + near_seal * 0.22 * np.sin(7 * a + phase + 3 * z) + 0.03 * np.sin(5 * a + phase + 9 * z)
        rings.append(np.column_stack([b * np.sign(np.cos(a)) * np.abs(np.cos(a)) ** 0.8 * crease + lean * z, w * np.sin(a), np.full(n, 26 * z)]))
    if opened:
        rings[-1][:, 2] += 0.8 * np.sin(3 * a + phase)
    rings = np.array(rings)
    parts = [skin_of_rings(rings, print_, uv=True), lid(rings[0][::-1], print_)]
    if not opened:
        return join([*parts, lid(rings[-1], print_)])
    silver = Material((205, 207, 212), gloss=0.6)
    inner = np.array([rings[-1], rings[-1] * (0.97, 0.985, 1), rings[-3] * (0.95, 0.98, 1)])
    parts.append(skin_of_rings(inner, silver, uv=True))
    for _ in range(int(rng.integers(6, 14))):
        parts.append(
            moved(_chip(rng),
                  rng.uniform(-1.3, 1.3),
                  rng.uniform(-7, 7),
                  rng.uniform(23.5, 26.3),
                  turn=tau(rng),
                  tilt=rng.uniform(-1.3, 1.3),
                  roll=rng.uniform(-0.6, 0.6)))
    return join(parts)


def _chip(rng: np.random.Generator) -> Soup:
    """One crisp: a thin round or three-cornered flake, bent."""
    r = rng.uniform(1.4, 2.2)
    return prism(ring_outline(r, 0.8 * r, polygonal(3) if chance(rng, 0.2) else None, 9), -0.08, 0.08, paint(rng, pick(rng, *_CHIPS), 8))


def _bag_picture(rng: np.random.Generator) -> Material:
    """Printed all over; or clear film through which the chips show; or brown paper with a label."""
    names, style = ("CHIPS", "CRISPS", "POTATO", "TORTILLA", "PAPRIKA", "SEA SALT", "NACHOS"), pick(rng, "print", "print", "print", "print", "clear",
                                                                                                    "paper", "window")
    if style == "print":
        return picture(wrap_print(rng, names, _CHIPS), rng.uniform(0.2, 0.8))
    inside = np.full((128, 128, 3), (190, 140, 60), np.uint8)
    for _ in range(160):
        c = int(rng.integers(0, 128)), int(rng.integers(0, 128))
        axes, turn = (int(rng.integers(6, 11)), int(rng.integers(4, 8))), rng.uniform(0, 180)
        shade = colour(rng, pick(rng, *_CHIPS), 10)
        cv2.ellipse(inside, c, axes, turn, 0, 360, tuple(int(x * 0.72) for x in shade), -1, cv2.LINE_AA)
        cv2.ellipse(inside, (c[0], c[1] - 1), axes, turn, 0, 340, shade, -1, cv2.LINE_AA)
    if style == "clear":
        label = pack_panel(rng, 64, 48, names, _CHIPS)
        y = int(rng.integers(20, 50))
        inside[y:y + 64, 8:56] = label
        return picture(inside, 0.7)
    image = wrap_print(rng, names, _CHIPS) if style == "window" else canvas(rng, colour(rng, (185, 145, 100), 8), 0.06, (8, 8), 128, 128)
    y, high = int(rng.integers(66, 80)), int(rng.integers(24, 40))
    mask = np.zeros((128, 128), np.uint8)
    cv2.ellipse(mask, (32, y + high // 2), (22, high // 2), 0, 0, 360, 255, -1)
    image = np.where(mask[..., None] > 0, inside, image)
    if style == "paper":
        words(image, letters(rng), (32, 38), 40, pick(rng, (40, 30, 25), bright(rng)))
        words(image, pick(rng, *names), (32, 54), 34, (50, 35, 25))
    return picture(image, 0.1 if style == "paper" else 0.4)


def _tubes(rng: np.random.Generator) -> Soup:
    """Tall printed tubes with a plastic lid, two or three side by side."""
    parts, count, lid_ = [], pick(rng, 2, 2, 3), paint(rng, pick(rng, (240, 240, 240), (205, 210, 215), bright(rng)), 5, gloss=0.5)
    same = wrap_print(rng, ("CHIPS", "CRISPS", "STAX"), _CHIPS)
    for k in range(count):
        image = same if chance(rng, 0.4) else wrap_print(rng, ("CHIPS", "CRISPS", "STAX"), _CHIPS)
        turn = rng.normal(0, 0.6) - np.pi / 2
        body = [
            turned([(3.75, 0), (3.85, 0.2), (3.75, 0.5), (3.75, 24)], picture(image, 0.4), segments=18),
            turned([(3.75, 24), (3.95, 24.1), (3.95, 25.2), (3.8, 25.5)], lid_, segments=18),
            turned([(3.8, 25.5), (0, 25.4)], lid_, segments=18)
        ]
        parts.append(moved(join(body), rng.normal(0, 0.2), 8 * (k - (count - 1) / 2), turn=turn))
    return join(parts)


def chips(rng: np.random.Generator) -> Soup:
    """A blown-up bag, plump or limp; torn open with chips in it; rolled down; a bag that stands on a gusset; tubes."""
    kind = pick(rng, "bag", "bag", "bag", "open", "rolled", "gusset", "tubes")
    if kind == "tubes":
        return _tubes(rng)
    print_ = _bag_picture(rng)
    if kind in ("bag", "open"):
        return moved(_bag(rng, print_, opened=kind == "open", soft=rng.uniform(0, 1.6)), tilt=rng.normal(0, 0.04), roll=rng.normal(0, 0.03))
    n = 24
    a = np.linspace(-np.pi / 2, 1.5 * np.pi, n, endpoint=False)
    zs = np.array([0, 0.02, 0.2, 0.45, 0.7, 0.85, 0.93, 0.97, 1.0])
    belly = np.array([3.4, 3.8, 4.0, 3.7, 2.7, 1.6, 0.8, 0.15, 0.12]) if kind == "gusset" else np.array([3.2, 3.8, 4.2, 4.2, 3.6, 2.6, 1.6, 1.0, 0.9])
    box_like = squarish(rng.uniform(3, 8))(a)
    rings = np.array([
        np.column_stack([
            b * np.cos(a) * (box_like if z < 0.6 else 1) + 0.15 * np.sin(4 * a + 7 * z), 9.6 * np.sin(a) * (1 + 0.02 * np.sin(9 * z)),
            np.full(n, 24 * z)
        ]) for b, z in zip(belly, zs)
    ])
    parts = [skin_of_rings(rings, print_, uv=True), lid(rings[0][::-1], print_), lid(rings[-1], print_)]
    if kind == "rolled":
        bar = paint(rng, print_.color, 10, gloss=print_.gloss)
        parts.append(limb((0.6, -9.3, 24.2), (0.6, 9.3, 24.2), (1.3, 1.35, 1.3), bar, segments=8))
        if chance(rng, 0.7):
            parts.append(centred((3.4, rng.uniform(1.5, 9), 2.0), paint(rng, bright(rng), 0, gloss=0.3), (0.6, 0, 23.3)))
    return join(parts)
