"""The small things people carry, from plain shapes with recognisable outlines, colours and labels.

Every class has at least two exemplars (``k`` picks colours, labels and proportions), so that a detector can be tried on ones it never
saw. Sizes are (width y, depth x, height z); origin at the underside's centre, long side along y where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Soup, fitted, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, limb, quad, rod, rounded, shell, tube

Size = tuple[float, float, float]
_STEEL = tx.plain(186, 189, 193, gloss=0.6)
_BLACK = tx.plain(30, 30, 33, gloss=0.3)
_GLASS = tx.plain(205, 225, 230, gloss=0.7, opacity=0.35)
_WOOD = ((186, 140, 92), (150, 104, 64), (214, 184, 140))
_CHINA = ((242, 242, 238), (112, 146, 176), (226, 206, 178), (88, 112, 96))


def _dyed(k: int, *colours: tx.RGB, gloss: float = 0.15) -> tx.Material:
    return tx.plain(*colours[k % len(colours)], gloss=gloss)


def round_fruit(base: tx.RGB, spot: tx.RGB, k: int, *, dimple: float, count: int = 60) -> Soup:
    skin = tx.of(tx.spotted(k + base[0], base, spot, count=count), gloss=0.3)
    profile = [(0, dimple * 0.5), (0.2, 0.03), (0.38, 0.12), (0.5, 0.5), (0.46, 0.74), (0.3, 0.93), (0.12, 1.0 - 0.3 * dimple), (0, 1 - dimple)]
    return lathe(profile, skin, crease=180)


def apple(k: int) -> Soup:
    base, spot = (((196, 36, 40), (224, 150, 70)), ((122, 176, 58), (190, 200, 90)), ((206, 60, 48), (236, 196, 90)))[k % 3]
    stem = rod((0, 0, 0.86), (0.05, 0.02, 1.08), 0.022, tx.plain(86, 62, 40), segments=6)
    return join([round_fruit(base, spot, k, dimple=0.16), stem])


def bottle(k: int, glass: tx.Material, label: tx.Texture, cap: tx.Material, *, shoulder: float, neck: float) -> Soup:
    body = [(0, 0), (0.48, 0), (0.5, 0.03), (0.5, shoulder), (0.42, shoulder + 0.08), (neck, shoulder + 0.2), (neck, 0.93)]
    paper = lathe([(0.51, 0.16), (0.51, 0.55 * shoulder + 0.2)], tx.of(label))
    top = lathe([(neck * 1.1, 0.88), (neck * 1.1, 1.0), (0, 1.0)], cap, segments=12)
    return join([lathe(body, glass, crease=70), paper, top])


def wine(k: int) -> Soup:
    glass = (tx.plain(26, 44, 30, gloss=0.7), tx.plain(58, 16, 26, gloss=0.7), tx.plain(168, 160, 90, gloss=0.6))[k % 3]
    paper = tx.label((236, 228, 206), ((120, 24, 36), (40, 50, 90), (70, 90, 50))[k % 3], ("MERLOT", "RIOJA", "RIESLING")[k % 3], seed=k)
    return bottle(k, glass, paper, _dyed(k, (110, 20, 34), (28, 28, 32), (190, 160, 70)), shoulder=0.6, neck=0.18)


def beer(k: int) -> Soup:
    glass = (tx.plain(92, 52, 22, gloss=0.6), tx.plain(40, 92, 52, gloss=0.6))[k % 2]
    return bottle(k, glass, tx.label((222, 180, 70), (150, 30, 30), ("LAGER", "PILS")[k % 2], seed=k), _dyed(k, (210, 180, 60), (200, 200, 205)), shoulder=0.52, neck=0.2)


def condiment(k: int) -> Soup:
    body, cap, word = (((186, 26, 24), (240, 240, 236), "KETCHUP"), ((226, 178, 30), (200, 40, 30), "MUSTARD"), ((64, 40, 26), (200, 160, 60), "BBQ"))[k % 3]
    outline = [(0, 0), (0.44, 0), (0.5, 0.04), (0.5, 0.36), (0.42, 0.5), (0.48, 0.62), (0.34, 0.76), (0.3, 0.78)]
    skin = tx.of(tx.label(body, (242, 236, 220), word, body, height=0.34, seed=k), gloss=0.3)
    nozzle = lathe([(0.3, 0.78), (0.3, 0.85), (0.13, 0.88), (0.07, 1.0), (0, 1.0)], tx.plain(*cap), segments=12)
    return join([lathe(outline, skin, crease=60), nozzle])


def chips(k: int) -> Soup:
    """A pillow-shaped bag with crimped ends."""
    base, band, word = (((206, 40, 36), (246, 206, 60), "CHIPS"), ((34, 100, 176), (240, 240, 240), "CRISPS"), ((46, 132, 66), (250, 226, 90), "CHIPS"))[k % 3]
    print_ = tx.of(tx.label(base, band, word, base, repeat=1, height=0.3, seed=k), gloss=0.35)
    z = np.linspace(0, 1, 9)
    y = np.linspace(-0.5, 0.5, 9)
    puff = 0.5 * np.sin(math.pi * np.clip((z - 0.06) / 0.88, 0, 1))[:, None] ** 0.6 * np.cos(math.pi * y)[None, :] ** 0.5
    out = []
    for sign in (1, -1):
        for i in range(8):
            for j in range(8):
                cells = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
                pts = [(sign * puff[a, b], sign * y[b], z[a]) for a, b in cells]
                s = quad(pts, print_)
                uv = np.array([[(y[b] + 0.5), z[a]] for a, b in cells], np.float32)
                out.append(Soup(s.pos, s.nrm, np.stack([uv[[0, 1, 2]], uv[[0, 2, 3]]]), s.mat, s.materials))
    return join(out)


def salmon(k: int) -> Soup:
    """A fillet with white marbling on a skin, or a whole fish."""
    if k % 2 == 0:
        image = np.full((64, 128, 3), (238, 128, 88), np.uint8)
        x = np.arange(128)
        for i in range(64):
            image[i, (x + np.abs(i - 32) // 1) % 18 < 3] = (250, 206, 184)
        flesh = tx.of(tx.Texture(image), gloss=0.3)
        rings = [(-0.5, 0.16, 0.35), (-0.38, 0.34, 0.7), (-0.1, 0.5, 1.0), (0.2, 0.46, 0.95), (0.42, 0.3, 0.6), (0.5, 0.12, 0.3)]
        top = [quad([(x1, y1, z1), (x2, y2, z2), (-x2, y2, z2), (-x1, y1, z1)], flesh) for (y1, x1, z1), (y2, x2, z2) in zip(rings[:-1], rings[1:])]
        side = [quad(c, tx.plain(150, 152, 156, gloss=0.5)) for (y1, x1, z1), (y2, x2, z2) in zip(rings[:-1], rings[1:])
                for c in ([(x1, y1, 0), (x2, y2, 0), (x2, y2, z2), (x1, y1, z1)], [(-x2, y2, 0), (-x1, y1, 0), (-x1, y1, z1), (-x2, y2, z2)])]
        return join([*top, *side])
    silver = tx.of(tx.spotted(k, (196, 170, 160), (130, 120, 124), count=50, radius=(1, 3)), gloss=0.6)
    body = transformed(limb((0, -0.44, 0.5), (0, 0.3, 0.5), (0.06, 0.2, 0.26, 0.22, 0.07), silver), np.diag([1.6, 1, 1.9, 1]) @ translation(0, 0, -0.24))
    tail = join([quad([(0.02, 0.26, 0.5), (0.35, 0.5, 0.5), (0.0, 0.44, 0.5), (-0.35, 0.5, 0.5)], tx.plain(150, 120, 118)),
                 quad([(-0.35, 0.5, 0.49), (0.0, 0.44, 0.49), (0.35, 0.5, 0.49), (0.02, 0.26, 0.49)], tx.plain(150, 120, 118))])
    return join([body, tail, ellipsoid((0.16, -0.38, 0.62), (0.04, 0.015, 0.06), _BLACK, segments=8, rings=5)])


def plate(k: int) -> Soup:
    china = _dyed(k, *_CHINA, gloss=0.4)
    rim = _dyed(k, (60, 90, 150), (240, 240, 236), (150, 90, 60), gloss=0.4)
    dish = lathe([(0, 0), (0.3, 0), (0.36, 0.25), (0.5, 0.9), (0.5, 1.0)], china, segments=28, crease=80)
    top = lathe([(0.5, 1.0), (0.46, 0.95), (0.34, 0.42), (0.0, 0.36)], china, segments=28, crease=80)
    band = lathe([(0.49, 1.0), (0.462, 0.97)], rim, segments=28)
    return join([dish, top, transformed(band, translation(0, 0, 0.02))])


def bowl(k: int) -> Soup:
    return shell([(0, 0), (0.25, 0), (0.28, 0.08), (0.44, 0.5), (0.5, 1.0)], 0.03, _dyed(k, *_CHINA, gloss=0.4), segments=24)


def water_glass(k: int) -> Soup:
    glass = shell([(0, 0), (0.36 + 0.06 * (k % 2), 0), (0.5, 1.0)], 0.04, _GLASS if k % 2 == 0 else tx.plain(150, 195, 215, gloss=0.7, opacity=0.4))
    water = lathe([(0, 0.06), (0.36, 0.06), (0.42, 0.55), (0, 0.55)], tx.plain(170, 205, 225, gloss=0.5, opacity=0.5))
    return join([glass, water])


def wine_glass(k: int) -> Soup:
    cup = [(0.03, 0.42), (0.3, 0.5), (0.5, 0.68), (0.42, 1.0)]
    foot = lathe([(0, 0), (0.42, 0), (0.42, 0.015), (0.05, 0.05), (0.04, 0.42)], _GLASS)
    wine_in = lathe([(0, 0.46), (0.28, 0.52), (0.44, 0.66), (0, 0.66)], (tx.plain(110, 18, 34, gloss=0.4), tx.plain(226, 206, 120, gloss=0.4))[k % 2])
    return join([foot, lathe(cup, _GLASS), wine_in] if k % 3 != 2 else [foot, lathe(cup, _GLASS)])


def book(k: int) -> Soup:
    cover = ((150, 36, 44), (30, 72, 120), (36, 100, 72), (190, 130, 40), (90, 56, 120))[k % 5]
    face = tx.of(tx.label(cover, tuple(min(255, c + 60) for c in cover), ("NOVEL", "ATLAS", "POEMS", "TALES", "HISTORY")[k % 5], repeat=1, height=0.25, seed=k))
    pages = tx.plain(238, 232, 216)
    lid = quad([(0.5, -0.5, 1.001), (0.5, 0.5, 1.001), (-0.5, 0.5, 1.001), (-0.5, -0.5, 1.001)], face)
    return join([box((-0.5, -0.5, 0), (0.5, 0.5, 0.1), tx.plain(*cover)), box((-0.48, -0.47, 0.1), (0.48, 0.48, 0.9), pages),
                 box((-0.5, -0.5, 0.9), (0.5, 0.5, 1.0), tx.plain(*cover)), box((-0.5, -0.5, 0), (0.5, -0.47, 1.0), tx.plain(*cover)), lid])


def flat_print(k: int, word: str, base: tx.RGB, band: tx.RGB) -> Soup:
    face = tx.of(tx.label(base, band, word, (20, 20, 24), repeat=1, height=0.18, seed=k))
    sheet = box((-0.5, -0.5, 0), (0.5, 0.5, 1.0), tx.plain(*base), skip=("+z",))
    return join([sheet, quad([(0.5, -0.5, 1.0), (0.5, 0.5, 1.0), (-0.5, 0.5, 1.0), (-0.5, -0.5, 1.0)], face)])


def remote(k: int) -> Soup:
    body = rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.82), 0.12, _dyed(k, (34, 34, 38), (190, 192, 196), (60, 60, 90)))
    keys = [centred((0.13, 0.05, 0.16), _dyed(i + j, (200, 200, 204), (90, 150, 210), (210, 60, 50)), (-0.24 + 0.24 * i, -0.36 + 0.09 * j, 0.82))
            for i in range(3) for j in range(9)]
    return join([transformed(body, np.eye(4)), *keys])


def carton(k: int, word: str, grounds: tuple[tx.RGB, ...], band: tx.RGB) -> Soup:
    ground = grounds[k % len(grounds)]
    side = tx.of(tx.label(ground, band, word, (250, 250, 250), repeat=1, height=0.32, seed=k))
    body = [quad(c, side) for c in ([(0.5, -0.5, 0), (0.5, 0.5, 0), (0.5, 0.5, 0.78), (0.5, -0.5, 0.78)], [(-0.5, 0.5, 0), (-0.5, -0.5, 0), (-0.5, -0.5, 0.78), (-0.5, 0.5, 0.78)],
                                    [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, -0.5, 0.78), (-0.5, -0.5, 0.78)], [(0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, 0.5, 0.78), (0.5, 0.5, 0.78)])]
    paper = tx.plain(*ground)
    roof = [quad([(0.5, -0.5, 0.78), (0.5, 0.5, 0.78), (0, 0.5, 0.94), (0, -0.5, 0.94)], paper), quad([(-0.5, 0.5, 0.78), (-0.5, -0.5, 0.78), (0, -0.5, 0.94), (0, 0.5, 0.94)], paper),
            quad([(-0.5, -0.5, 0.78), (0.5, -0.5, 0.78), (0, -0.5, 0.94), (0, -0.5, 0.94)], paper), quad([(0.5, 0.5, 0.78), (-0.5, 0.5, 0.78), (0, 0.5, 0.94), (0, 0.5, 0.94)], paper),
            box((-0.04, -0.5, 0.92), (0.04, 0.5, 1.0), paper)]
    cap = transformed(lathe([(0, 0), (0.16, 0), (0.16, 0.09), (0, 0.09)], tx.plain(*band), segments=12), translation(0.25, 0, 0.86) @ rotation((0, 1, 0), 0.3))
    return join([*body, *roof, cap])


def mug(k: int) -> Soup:
    china = _dyed(k, (206, 70, 56), (70, 116, 170), (240, 240, 236), (90, 130, 96), gloss=0.35)
    cup = transformed(shell([(0, 0), (0.46, 0), (0.5, 0.06), (0.5, 1.0)], 0.06, china), np.diag([1.0, 0.8, 1, 1]) @ translation(0, -0.1, 0))
    ear = tube([(0, 0.3, 0.8), (0, 0.46, 0.74), (0, 0.5, 0.5), (0, 0.46, 0.28), (0, 0.28, 0.2)], 0.05, china, segments=6)
    drink = transformed(lathe([(0.42, 0.8), (0.0, 0.8)], tx.plain(70, 44, 28)), np.diag([1.0, 0.8, 1, 1]) @ translation(0, -0.1, 0))
    return join([cup, ear, drink])


def cake(k: int) -> Soup:
    case = lathe([(0, 0), (0.34, 0), (0.46, 0.52)], tx.of(tx.stripes(((200, 150, 100), (170, 118, 72)) if k % 2 else ((236, 120, 150), (250, 210, 220)), 12)))
    icing = lathe([(0.5, 0.5), (0.5, 0.6), (0.38, 0.76), (0.24, 0.86), (0, 0.92)], _dyed(k, (250, 226, 232), (92, 56, 38), (246, 240, 214)), crease=180)
    return join([case, icing, ellipsoid((0, 0, 0.93), (0.1, 0.1, 0.07), tx.plain(196, 24, 40, gloss=0.4), segments=8, rings=5)])


def pudding(k: int) -> Soup:
    cup = lathe([(0, 0), (0.4, 0), (0.5, 0.9)], _dyed(k, (236, 232, 220), (120, 150, 190), gloss=0.3))
    return join([cup, lathe([(0.49, 0.86), (0.3, 0.97), (0, 1.0)], _dyed(k, (240, 206, 110), (104, 62, 40)), crease=180)])


def bread(k: int) -> Soup:
    crust = tx.of(tx.spotted(k, ((196, 136, 72), (150, 96, 52))[k % 2], (222, 170, 106), count=80))
    return join([transformed(limb((0, -0.3, 0.5), (0, 0.3, 0.5), (0.36, 0.46, 0.48, 0.46, 0.36), crust), np.eye(4)),
                 *[box((-0.2, y, 0.9), (0.2, y + 0.025, 1.0), tx.plain(236, 206, 156)) for y in (-0.25, -0.05, 0.15)]])


def arc_fruit(k: int) -> Soup:
    path = [(0.32 * math.cos(a) - 0.2, 0.5 * math.sin(a), 0.5) for a in np.linspace(-1.25, 1.25, 7)]
    yellow = tx.of(tx.spotted(k, ((240, 208, 60), (206, 214, 80))[k % 2], (180, 140, 50), count=25, radius=(1, 3)))
    radii = (0.05, 0.12, 0.15, 0.16, 0.15, 0.12, 0.05)
    return join([limb(a, b, (r, s), yellow) for a, b, r, s in zip(path[:-1], path[1:], radii[:-1], radii[1:])]
                + [rod(path[-1], (path[-1][0] - 0.05, 0.56, 0.5), 0.035, tx.plain(90, 70, 30), segments=6)])


def carrot(k: int) -> Soup:
    root = limb((0, -0.48, 0.5), (0, 0.26, 0.5), (0.02, 0.22, 0.34, 0.42), _dyed(k, (236, 126, 34), (214, 96, 44)))
    return join([root, *[limb((0, 0.3, 0.5), (0.3 * math.cos(a), 0.5, 0.5 + 0.3 * math.sin(a)), (0.05, 0.02), tx.plain(70, 140, 60), segments=5) for a in (0, 1.6, 3.1, 4.7)]])


def potato(k: int) -> Soup:
    skin = tx.of(tx.spotted(k, ((190, 152, 98), (160, 110, 90))[k % 2], (130, 100, 64), count=30, radius=(1, 4)))
    return join([ellipsoid((0, -0.05, 0.5), (0.48, 0.45, 0.48), skin), ellipsoid((0.03, 0.12, 0.48), (0.42, 0.38, 0.42), skin)])


def cutlery(k: int, kind: str) -> Soup:
    handle = _STEEL if kind != "knife" else _dyed(k, (36, 34, 36), (120, 78, 48))
    grip = box((-0.3, 0.05 if kind == "knife" else 0.0, 0.1), (0.3, 0.5, 0.9), handle) if kind == "knife" else box((-0.16, -0.15, 0.2), (0.16, 0.5, 0.7), handle)
    if kind == "knife":
        blade = quad([(-0.3, 0.05, 0.5), (0.45, 0.05, 0.5), (0.1, -0.5, 0.5), (-0.3, -0.45, 0.5)][::-1], _STEEL)
        return join([grip, blade, transformed(blade, translation(0, 0, 0.1)), box((-0.3, -0.42, 0.45), (0.2, 0.05, 0.6), _STEEL)])
    if kind == "fork":
        tines = [box((x - 0.07, -0.5, 0.3), (x + 0.07, -0.22, 0.6), _STEEL) for x in (-0.4, -0.14, 0.14, 0.4)]
        return join([grip, box((-0.5, -0.26, 0.25), (0.5, -0.12, 0.6), _STEEL), *tines])
    return join([grip, ellipsoid((0, -0.3, 0.5), (0.5, 0.2, 0.4), _STEEL)])


def board(k: int) -> Soup:
    return rounded((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.03, tx.of(tx.wood(k + 60, _WOOD[k % 3], size=0.9)))


def candle(k: int) -> Soup:
    wax = _dyed(k, (242, 232, 204), (186, 60, 60), (120, 150, 120))
    return join([lathe([(0, 0), (0.5, 0), (0.5, 0.84), (0.44, 0.88), (0, 0.84)], wax), rod((0, 0, 0.84), (0.02, 0, 1.0), 0.03, _BLACK, segments=5)])


def lighter(k: int) -> Soup:
    if k % 2:
        return join([box((-0.5, -0.5, 0), (0.5, 0.5, 1), tx.of(tx.label((210, 60, 40), (250, 220, 90), "MATCH", (20, 20, 20), seed=k)))])
    return join([rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.8), 0.1, _dyed(k, (40, 90, 170), (200, 50, 40))), box((-0.4, -0.4, 0.8), (0.4, 0.3, 1.0), _STEEL)])


def phone(k: int) -> Soup:
    return join([rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.9), 0.08, _dyed(k, (30, 30, 34), (210, 210, 214), (60, 90, 130))), box((-0.44, -0.46, 0.9), (0.44, 0.46, 1.0), tx.plain(24, 34, 52, gloss=0.7))])


def keys(k: int) -> Soup:
    ring = [(0.28 * math.cos(a), 0.3 + 0.18 * math.sin(a), 0.5) for a in np.linspace(0, 2 * math.pi, 13)]
    metal = _dyed(k, (206, 176, 90), (190, 192, 196), gloss=0.6)
    blades = [transformed(join([centred((0.26, 0.2, 0.3), metal, (0, 0, 0.3)), centred((0.1, 0.5, 0.25), metal, (0, -0.3, 0.32))]), translation(0, 0.1, 0) @ rotation((0, 0, 1), a)) for a in (-0.4, 0.0, 0.45)]
    tag = centred((0.3, 0.24, 0.5), _dyed(k, (200, 40, 40), (40, 90, 170)), (0.3, 0.36, 0.2))
    return join([tube(ring, 0.03, _STEEL, segments=5), *blades, tag])


def spectacles(k: int) -> Soup:
    frame = _dyed(k, (40, 34, 30), (120, 60, 40), (70, 80, 90))
    rims = [tube([(0.4, y + 0.22 * math.cos(a), 0.5 + 0.45 * math.sin(a)) for a in np.linspace(0, 2 * math.pi, 11)], 0.03, frame, segments=5) for y in (-0.26, 0.26)]
    arms = [tube([(0.4, s * 0.48, 0.7), (-0.4, s * 0.46, 0.7), (-0.5, s * 0.44, 0.3)], 0.025, frame, segments=5) for s in (-1, 1)]
    return join([*rims, *arms, rod((0.4, -0.05, 0.6), (0.4, 0.05, 0.6), 0.03, frame, segments=5)])


def towel(k: int) -> Soup:
    cloth = tx.of(tx.fabric(k + 80, ((230, 226, 214), (90, 140, 170), (200, 110, 100), (130, 160, 120))[k % 4], size=0.4))
    return join([rounded((-0.5, -0.5, i / 3), (0.5, 0.5, (i + 1) / 3 - 0.01), 0.06, cloth) for i in range(3)])


def perfume(k: int) -> Soup:
    return join([rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.62), 0.08, _dyed(k, (226, 160, 170), (120, 150, 200), (214, 190, 110), gloss=0.7)),
                 lathe([(0.2, 0.62), (0.2, 0.72), (0.32, 0.72), (0.32, 1.0), (0, 1.0)], _dyed(k, (214, 190, 110), (190, 192, 196), gloss=0.6), segments=12)])


def toothbrush(k: int) -> Soup:
    return join([limb((0, 0.48, 0.3), (0, -0.46, 0.4), (0.3, 0.28, 0.16, 0.2), _dyed(k, (60, 150, 200), (220, 80, 120), (90, 180, 110))), box((-0.3, -0.48, 0.4), (0.3, -0.32, 1.0), tx.plain(244, 244, 246))])


def medicine(k: int) -> Soup:
    body = lathe([(0, 0), (0.48, 0), (0.48, 0.68), (0.36, 0.74)], tx.of(tx.label(((226, 120, 40), (240, 240, 240))[k % 2], (244, 244, 244) if k % 2 == 0 else (60, 130, 190), "PILLS", (30, 60, 120), height=0.5, seed=k)))
    return join([body, lathe([(0.42, 0.74), (0.42, 1.0), (0, 1.0)], tx.plain(244, 244, 246))])


def teddy(k: int) -> Soup:
    fur = tx.of(tx.fabric(k + 70, ((166, 116, 70), (206, 176, 136), (110, 90, 120))[k % 3], size=0.05, contrast=0.2))
    pale = tx.plain(228, 200, 160)
    balls = [((0, 0, 0.3), (0.36, 0.3, 0.3), fur), ((0.02, 0, 0.72), (0.32, 0.27, 0.23), fur), ((0.3, 0, 0.67), (0.14, 0.12, 0.09), pale), ((0.42, 0, 0.7), (0.05, 0.05, 0.03), _BLACK)]
    for s in (-1, 1):
        balls += [((-0.02, 0.22 * s, 0.92), (0.08, 0.1, 0.08), fur), ((0.26, 0.12 * s, 0.79), (0.04, 0.035, 0.025), _BLACK),
                  ((0.18, 0.36 * s, 0.42), (0.2, 0.12, 0.1), fur), ((0.34, 0.22 * s, 0.1), (0.24, 0.14, 0.11), fur)]
    return join([ellipsoid(c, r, m, segments=12, rings=7) for c, r, m in balls])


def cushion(k: int) -> Soup:
    cloth = tx.of(tx.fabric(k + 90, ((186, 92, 74), (90, 120, 140), (206, 180, 120), (120, 140, 100))[k % 4]))
    return transformed(ellipsoid((0, 0, 0.5), (0.72, 0.72, 0.5), cloth, segments=4, rings=9), rotation((0, 0, 1), math.pi / 4)) if k % 2 else rounded((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.3, cloth)


def laptop(k: int) -> Soup:
    shade = _dyed(k, (190, 192, 196), (60, 62, 68), gloss=0.3)
    return join([rounded((-0.5, -0.5, 0), (0.5, 0.5, 1.0), 0.04, shade), lathe([(0.07, 1.0), (0.07, 1.02), (0, 1.02)], _BLACK, segments=12)])


def vase(k: int) -> Soup:
    curve = [(0, 0), (0.3, 0), (0.5, 0.32), (0.4, 0.62), (0.2, 0.84), (0.3, 1.0)] if k % 2 else [(0, 0), (0.34, 0), (0.46, 0.55), (0.5, 0.8), (0.32, 1.0)]
    return shell(curve, 0.03, _dyed(k, (60, 100, 150), (190, 110, 80), (226, 222, 210), gloss=0.4))


def pen(k: int) -> Soup:
    return join([rod((0, -0.4, 0.5), (0, 0.5, 0.5), 0.5, _dyed(k, (30, 60, 150), (30, 30, 34), (180, 40, 40)), segments=8), rod((0, -0.5, 0.5), (0, -0.4, 0.5), 0.1, _STEEL, end_radius=0.45, segments=8)])


def bucket(k: int) -> Soup:
    pail = shell([(0, 0), (0.36, 0), (0.5, 0.92)], 0.015, _dyed(k, (60, 120, 190), (200, 60, 50), (150, 154, 160)))
    arc = [(0, 0.48 * math.cos(a), 0.86 + 0.14 * math.sin(a)) for a in np.linspace(0, math.pi, 9)]
    return join([pail, tube(arc, 0.012, _STEEL, segments=5)])


def flashlight(k: int) -> Soup:
    body = lathe([(0, 0), (0.3, 0), (0.3, 0.68), (0.5, 0.82), (0.5, 1.0)], _dyed(k, (40, 42, 48), (220, 170, 40), (170, 40, 40)))
    lens = lathe([(0.5, 1.0), (0, 1.0)], tx.plain(230, 235, 220, gloss=0.6))
    return transformed(join([body, lens]), rotation((1, 0, 0), math.pi / 2))


def coffee_pot(k: int) -> Soup:
    metal = _dyed(k, (190, 192, 196), (60, 56, 54), gloss=0.5)
    body = transformed(lathe([(0, 0), (0.44, 0), (0.46, 0.1), (0.3, 0.8), (0.32, 0.86), (0.1, 0.95), (0, 1.0)], metal), translation(0, -0.05, 0) @ np.diag([1, 0.8, 1, 1]))
    ear = tube([(0, 0.2, 0.8), (0, 0.45, 0.76), (0, 0.48, 0.3), (0, 0.3, 0.2)], 0.04, _BLACK, segments=6)
    return join([body, ear, limb((0, -0.3, 0.6), (0, -0.5, 0.82), (0.06, 0.04), metal, segments=8)])


def pancake(k: int) -> Soup:
    return lathe([(0, 0), (0.46, 0), (0.5, 0.4), (0.47, 0.9), (0, 1.0)], tx.of(tx.spotted(k, (206, 150, 80), (166, 104, 50), count=50)))


BUILDERS: dict[str, Callable[[int], Soup]] = {
    "apple": apple, "cupcake": cake, "salmon": salmon, "plate": plate, "dishbowl": bowl, "waterglass": water_glass, "wineglass": wine_glass,
    "wine": wine, "chips": chips, "condimentbottle": condiment, "book": book, "remotecontrol": remote,
    "juice": lambda k: carton(k, "JUICE", ((244, 150, 40), (120, 180, 60), (206, 60, 70)), (60, 120, 50)),
    "milk": lambda k: carton(k, "MILK", ((240, 244, 248), (214, 230, 244)), (40, 100, 190)),
    "beer": beer, "mug": mug, "coffeepot": coffee_pot, "pudding": pudding, "pancake": pancake, "bread": bread, "banana": arc_fruit,
    "orange": lambda k: round_fruit(((238, 140, 30), (226, 120, 44))[k % 2], (250, 170, 70), k, dimple=0.05, count=120), "carrot": carrot, "potato": potato,
    "knife": lambda k: cutlery(k, "knife"), "fork": lambda k: cutlery(k, "fork"), "spoon": lambda k: cutlery(k, "spoon"), "cuttingboard": board,
    "candle": candle, "lighter": lighter, "magazine": lambda k: flat_print(k, ("STYLE", "SPORT", "HOME")[k % 3], ((236, 196, 206), (190, 214, 236), (240, 226, 150))[k % 3], (220, 60, 90)),
    "newspaper": lambda k: flat_print(k, ("DAILY NEWS", "THE TIMES")[k % 2], (224, 222, 212), (190, 188, 180)), "cellphone": phone, "keys": keys,
    "glasses": spectacles, "towel": towel, "perfume": perfume, "toothbrush": toothbrush, "medicine": medicine, "toy": teddy, "pillow": cushion,
    "laptop": laptop, "vase": vase, "pen": pen,
    "notebook": lambda k: flat_print(k, "NOTES", ((60, 90, 140), (170, 70, 60), (70, 120, 80))[k % 3], (236, 232, 220)), "bucket": bucket, "flashlight": flashlight,
}


def build(class_id: str, size: Size, k: int) -> Soup:
    """The ``k``-th exemplar of a class, filling ``size``; a coloured block for a class without a shape of its own."""
    maker = BUILDERS.get(class_id)
    soup = maker(k) if maker else centred((1, 1, 1), tx.plain(160, 120, 90))
    return fitted(soup, size)
