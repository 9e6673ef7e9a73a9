"""The small things people carry, from plain shapes: kitchenware, reading matter, personal things; food is in
:mod:`primitives_food`.

Every class has at least two exemplars (``k`` picks colours, labels and proportions), so that a detector can be tried
on ones it never saw. Sizes are (width y, depth x, height z); origin at the underside's centre, long side along y
where there is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from sim_bridges.embedded import primitives_food
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Soup, fitted, join, rotation, transformed, translation
from sim_bridges.embedded.primitives_food import dyed
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, limb, quad, rod, rounded, shell, tube

Size = tuple[float, float, float]
_STEEL = tx.plain(186, 189, 193, gloss=0.6)
_BLACK = tx.plain(30, 30, 33, gloss=0.3)
_GLASS = tx.plain(205, 225, 230, gloss=0.7, opacity=0.22)
_WOOD = ((186, 140, 92), (150, 104, 64), (214, 184, 140))
_CHINA = ((242, 242, 238), (112, 146, 176), (226, 206, 178), (88, 112, 96))
_COVERS = ((236, 196, 206), (190, 214, 236), (240, 226, 150))


def plate(k: int) -> Soup:
    china = dyed(k, *_CHINA, gloss=0.4)
    rim = dyed(k, (60, 90, 150), (240, 240, 236), (150, 90, 60), gloss=0.4)
    dish = lathe([(0, 0), (0.3, 0), (0.36, 0.25), (0.5, 0.9), (0.5, 1.0)], china, segments=28, crease=80)
    top = lathe([(0.5, 1.0), (0.46, 0.95), (0.34, 0.42), (0.0, 0.36)], china, segments=28, crease=80)
    band = lathe([(0.49, 1.0), (0.462, 0.97)], rim, segments=28)
    return join([dish, top, transformed(band, translation(0, 0, 0.02))])


def bowl(k: int) -> Soup:
    return shell([(0, 0), (0.25, 0), (0.28, 0.08), (0.44, 0.5), (0.5, 1.0)], 0.03, dyed(k, *_CHINA, gloss=0.4), segments=24)


def water_glass(k: int) -> Soup:
    glass = shell([(0, 0), (0.36 + 0.06 * (k % 2), 0), (0.5, 1.0)], 0.04,
                  _GLASS if k % 2 == 0 else tx.plain(150, 195, 215, gloss=0.7, opacity=0.3))
    water = lathe([(0, 0.06), (0.36, 0.06), (0.42, 0.55), (0, 0.55)], tx.plain(170, 205, 225, gloss=0.5, opacity=0.25))
    return join([glass, water])


def wine_glass(k: int) -> Soup:
    cup = [(0.03, 0.42), (0.3, 0.5), (0.5, 0.68), (0.42, 1.0)]
    foot = lathe([(0, 0), (0.42, 0), (0.42, 0.015), (0.05, 0.05), (0.04, 0.42)], _GLASS)
    wine_in = lathe([(0, 0.46), (0.28, 0.52), (0.44, 0.66), (0, 0.66)],
                    (tx.plain(110, 18, 34, gloss=0.4), tx.plain(226, 206, 120, gloss=0.4))[k % 2])
    return join([foot, lathe(cup, _GLASS), wine_in] if k % 3 != 2 else [foot, lathe(cup, _GLASS)])


def book(k: int) -> Soup:
    cover = ((150, 36, 44), (30, 72, 120), (36, 100, 72), (190, 130, 40), (90, 56, 120))[k % 5]
    face = tx.of(
        tx.label(cover, tuple(min(255, c + 60) for c in cover), ("NOVEL", "ATLAS", "POEMS", "TALES", "HISTORY")[k % 5],
                 repeat=1, height=0.25, seed=k))
    pages = tx.plain(238, 232, 216)
    lid = quad([(0.5, -0.5, 1.001), (0.5, 0.5, 1.001), (-0.5, 0.5, 1.001), (-0.5, -0.5, 1.001)], face)
    return join([
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.1), tx.plain(*cover)),
        box((-0.48, -0.47, 0.1), (0.48, 0.48, 0.9), pages),
        box((-0.5, -0.5, 0.9), (0.5, 0.5, 1.0), tx.plain(*cover)),
        box((-0.5, -0.5, 0), (0.5, -0.47, 1.0), tx.plain(*cover)), lid
    ])


def flat_print(k: int, word: str, base: tx.RGB, band: tx.RGB) -> Soup:
    face = tx.of(tx.label(base, band, word, (20, 20, 24), repeat=1, height=0.18, seed=k))
    sheet = box((-0.5, -0.5, 0), (0.5, 0.5, 1.0), tx.plain(*base), skip=("+z",))
    return join([sheet, quad([(0.5, -0.5, 1.0), (0.5, 0.5, 1.0), (-0.5, 0.5, 1.0), (-0.5, -0.5, 1.0)], face)])


def remote(k: int) -> Soup:
    body = rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.82), 0.12, dyed(k, (34, 34, 38), (190, 192, 196), (60, 60, 90)))
    keys = [
        centred((0.13, 0.05, 0.16), dyed(i + j, (200, 200, 204), (90, 150, 210), (210, 60, 50)),
                (-0.24 + 0.24 * i, -0.36 + 0.09 * j, 0.82)) for i in range(3) for j in range(9)
    ]
    return join([transformed(body, np.eye(4)), *keys])


def mug(k: int) -> Soup:
    china = dyed(k, (206, 70, 56), (70, 116, 170), (240, 240, 236), (90, 130, 96), gloss=0.35)
    cup = transformed(shell([(0, 0), (0.46, 0), (0.5, 0.06), (0.5, 1.0)], 0.06, china),
                      np.diag([1.0, 0.8, 1, 1]) @ translation(0, -0.1, 0))
    ear = tube([(0, 0.3, 0.8), (0, 0.46, 0.74), (0, 0.5, 0.5), (0, 0.46, 0.28), (0, 0.28, 0.2)], 0.05, china, segments=6)
    drink = transformed(lathe([(0.42, 0.8), (0.0, 0.8)], tx.plain(70, 44, 28)),
                        np.diag([1.0, 0.8, 1, 1]) @ translation(0, -0.1, 0))
    return join([cup, ear, drink])


def cutlery(k: int, kind: str) -> Soup:
    handle = _STEEL if kind != "knife" else dyed(k, (36, 34, 36), (120, 78, 48))
    grip = box((-0.3, 0.05 if kind == "knife" else 0.0, 0.1), (0.3, 0.5, 0.9), handle) if kind == "knife" else box(
        (-0.16, -0.15, 0.2), (0.16, 0.5, 0.7), handle)
    if kind == "knife":
        blade = quad([(-0.3, 0.05, 0.5), (0.45, 0.05, 0.5), (0.1, -0.5, 0.5), (-0.3, -0.45, 0.5)][::-1], _STEEL)
        return join(
            [grip, blade,
             transformed(blade, translation(0, 0, 0.1)),
             box((-0.3, -0.42, 0.45), (0.2, 0.05, 0.6), _STEEL)])
    if kind == "fork":
        tines = [box((x - 0.07, -0.5, 0.3), (x + 0.07, -0.22, 0.6), _STEEL) for x in (-0.4, -0.14, 0.14, 0.4)]
        return join([grip, box((-0.5, -0.26, 0.25), (0.5, -0.12, 0.6), _STEEL), *tines])
    return join([grip, ellipsoid((0, -0.3, 0.5), (0.5, 0.2, 0.4), _STEEL)])


def board(k: int) -> Soup:
    return rounded((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.03, tx.of(tx.wood(k + 60, _WOOD[k % 3], size=0.9)))


def candle(k: int) -> Soup:
    wax = dyed(k, (242, 232, 204), (186, 60, 60), (120, 150, 120))
    return join([
        lathe([(0, 0), (0.5, 0), (0.5, 0.84), (0.44, 0.88), (0, 0.84)], wax),
        rod((0, 0, 0.84), (0.02, 0, 1.0), 0.03, _BLACK, segments=5)
    ])


def lighter(k: int) -> Soup:
    if k % 2:
        return join([
            box((-0.5, -0.5, 0), (0.5, 0.5, 1), tx.of(tx.label((210, 60, 40), (250, 220, 90), "MATCH", (20, 20, 20), seed=k)))
        ])
    return join([
        rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.8), 0.1, dyed(k, (40, 90, 170), (200, 50, 40))),
        box((-0.4, -0.4, 0.8), (0.4, 0.3, 1.0), _STEEL)
    ])


def phone(k: int) -> Soup:
    return join([
        rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.9), 0.08, dyed(k, (30, 30, 34), (210, 210, 214), (60, 90, 130))),
        box((-0.44, -0.46, 0.9), (0.44, 0.46, 1.0), tx.plain(24, 34, 52, gloss=0.7))
    ])


def keys(k: int) -> Soup:
    ring = [(0.28 * math.cos(a), 0.3 + 0.18 * math.sin(a), 0.5) for a in np.linspace(0, 2 * math.pi, 13)]
    metal = dyed(k, (206, 176, 90), (190, 192, 196), gloss=0.6)
    blades = [
        transformed(join([centred((0.26, 0.2, 0.3), metal, (0, 0, 0.3)),
                          centred((0.1, 0.5, 0.25), metal, (0, -0.3, 0.32))]),
                    translation(0, 0.1, 0) @ rotation((0, 0, 1), a)) for a in (-0.4, 0.0, 0.45)
    ]
    tag = centred((0.3, 0.24, 0.5), dyed(k, (200, 40, 40), (40, 90, 170)), (0.3, 0.36, 0.2))
    return join([tube(ring, 0.03, _STEEL, segments=5), *blades, tag])


def spectacles(k: int) -> Soup:
    frame = dyed(k, (40, 34, 30), (120, 60, 40), (70, 80, 90))
    rims = [
        tube([(0.4, y + 0.22 * math.cos(a), 0.5 + 0.45 * math.sin(a))
              for a in np.linspace(0, 2 * math.pi, 11)], 0.03, frame, segments=5) for y in (-0.26, 0.26)
    ]
    arms = [
        tube([(0.4, s * 0.48, 0.7), (-0.4, s * 0.46, 0.7), (-0.5, s * 0.44, 0.3)], 0.025, frame, segments=5) for s in (-1, 1)
    ]
    return join([*rims, *arms, rod((0.4, -0.05, 0.6), (0.4, 0.05, 0.6), 0.03, frame, segments=5)])


def towel(k: int) -> Soup:
    cloth = tx.of(tx.fabric(k + 80, ((230, 226, 214), (90, 140, 170), (200, 110, 100), (130, 160, 120))[k % 4], size=0.4))
    return join([rounded((-0.5, -0.5, i / 3), (0.5, 0.5, (i + 1) / 3 - 0.01), 0.06, cloth) for i in range(3)])


def perfume(k: int) -> Soup:
    return join([
        rounded((-0.5, -0.5, 0), (0.5, 0.5, 0.62), 0.08, dyed(k, (226, 160, 170), (120, 150, 200), (214, 190, 110),
                                                               gloss=0.7)),
        lathe([(0.2, 0.62), (0.2, 0.72), (0.32, 0.72), (0.32, 1.0), (0, 1.0)],
              dyed(k, (214, 190, 110), (190, 192, 196), gloss=0.6), segments=12)
    ])


def toothbrush(k: int) -> Soup:
    return join([
        limb((0, 0.48, 0.3), (0, -0.46, 0.4), (0.3, 0.28, 0.16, 0.2), dyed(k, (60, 150, 200), (220, 80, 120), (90, 180, 110))),
        box((-0.3, -0.48, 0.4), (0.3, -0.32, 1.0), tx.plain(244, 244, 246))
    ])


def medicine(k: int) -> Soup:
    body = lathe([(0, 0), (0.48, 0), (0.48, 0.68), (0.36, 0.74)],
                 tx.of(
                     tx.label(((226, 120, 40), (240, 240, 240))[k % 2], (244, 244, 244) if k % 2 == 0 else (60, 130, 190),
                              "PILLS", (30, 60, 120), height=0.5, seed=k)))
    return join([body, lathe([(0.42, 0.74), (0.42, 1.0), (0, 1.0)], tx.plain(244, 244, 246))])


def teddy(k: int) -> Soup:
    fur = tx.of(tx.fabric(k + 70, ((166, 116, 70), (206, 176, 136), (110, 90, 120))[k % 3], size=0.05, contrast=0.2))
    pale = tx.plain(228, 200, 160)
    balls = [((0, 0, 0.3), (0.36, 0.3, 0.3), fur), ((0.02, 0, 0.72), (0.32, 0.27, 0.23), fur),
             ((0.3, 0, 0.67), (0.14, 0.12, 0.09), pale), ((0.42, 0, 0.7), (0.05, 0.05, 0.03), _BLACK)]
    for s in (-1, 1):
        balls += [((-0.02, 0.22 * s, 0.92), (0.08, 0.1, 0.08), fur), ((0.26, 0.12 * s, 0.79), (0.04, 0.035, 0.025), _BLACK),
                  ((0.18, 0.36 * s, 0.42), (0.2, 0.12, 0.1), fur), ((0.34, 0.22 * s, 0.1), (0.24, 0.14, 0.11), fur)]
    return join([ellipsoid(c, r, m, segments=12, rings=7) for c, r, m in balls])


def cushion(k: int) -> Soup:
    cloth = tx.of(tx.fabric(k + 90, ((186, 92, 74), (90, 120, 140), (206, 180, 120), (120, 140, 100))[k % 4]))
    return transformed(ellipsoid((0, 0, 0.5), (0.72, 0.72, 0.5), cloth, segments=4, rings=9), rotation(
        (0, 0, 1), math.pi / 4)) if k % 2 else rounded((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.3, cloth)


def laptop(k: int) -> Soup:
    shade = dyed(k, (190, 192, 196), (60, 62, 68), gloss=0.3)
    return join([
        rounded((-0.5, -0.5, 0), (0.5, 0.5, 1.0), 0.04, shade),
        lathe([(0.07, 1.0), (0.07, 1.02), (0, 1.02)], _BLACK, segments=12)
    ])


def vase(k: int) -> Soup:
    curve = [(0, 0), (0.3, 0), (0.5, 0.32), (0.4, 0.62), (0.2, 0.84), (0.3, 1.0)] if k % 2 else [(0, 0), (0.34, 0),
                                                                                                 (0.46, 0.55), (0.5, 0.8),
                                                                                                 (0.32, 1.0)]
    return shell(curve, 0.03, dyed(k, (60, 100, 150), (190, 110, 80), (226, 222, 210), gloss=0.4))


def pen(k: int) -> Soup:
    return join([
        rod((0, -0.4, 0.5), (0, 0.5, 0.5), 0.5, dyed(k, (30, 60, 150), (30, 30, 34), (180, 40, 40)), segments=8),
        rod((0, -0.5, 0.5), (0, -0.4, 0.5), 0.1, _STEEL, end_radius=0.45, segments=8)
    ])


def bucket(k: int) -> Soup:
    pail = shell([(0, 0), (0.36, 0), (0.5, 0.92)], 0.015, dyed(k, (60, 120, 190), (200, 60, 50), (150, 154, 160)))
    arc = [(0, 0.48 * math.cos(a), 0.86 + 0.14 * math.sin(a)) for a in np.linspace(0, math.pi, 9)]
    return join([pail, tube(arc, 0.012, _STEEL, segments=5)])


def flashlight(k: int) -> Soup:
    body = lathe([(0, 0), (0.3, 0), (0.3, 0.68), (0.5, 0.82), (0.5, 1.0)], dyed(k, (40, 42, 48), (220, 170, 40),
                                                                                 (170, 40, 40)))
    lens = lathe([(0.5, 1.0), (0, 1.0)], tx.plain(230, 235, 220, gloss=0.6))
    return transformed(join([body, lens]), rotation((1, 0, 0), math.pi / 2))


def coffee_pot(k: int) -> Soup:
    metal = dyed(k, (190, 192, 196), (60, 56, 54), gloss=0.5)
    body = transformed(lathe([(0, 0), (0.44, 0), (0.46, 0.1), (0.3, 0.8), (0.32, 0.86), (0.1, 0.95), (0, 1.0)], metal),
                       translation(0, -0.05, 0) @ np.diag([1, 0.8, 1, 1]))
    ear = tube([(0, 0.2, 0.8), (0, 0.45, 0.76), (0, 0.48, 0.3), (0, 0.3, 0.2)], 0.04, _BLACK, segments=6)
    return join([body, ear, limb((0, -0.3, 0.6), (0, -0.5, 0.82), (0.06, 0.04), metal, segments=8)])


MAKERS: dict[str, Callable[[int], Soup]] = {
    **primitives_food.MAKERS,
    "plate": plate, "dishbowl": bowl, "waterglass": water_glass, "wineglass": wine_glass, "book": book, "remotecontrol": remote,
    "mug": mug, "coffeepot": coffee_pot, "cuttingboard": board, "candle": candle, "lighter": lighter, "cellphone": phone,
    "keys": keys, "glasses": spectacles, "towel": towel, "perfume": perfume, "toothbrush": toothbrush, "medicine": medicine,
    "toy": teddy, "pillow": cushion, "laptop": laptop, "vase": vase, "pen": pen, "bucket": bucket, "flashlight": flashlight,
    **{kind: partial(cutlery, kind=kind) for kind in ("knife", "fork", "spoon")},
    "magazine": lambda k: flat_print(k, ("STYLE", "SPORT", "HOME")[k % 3], _COVERS[k % 3], (220, 60, 90)),
    "newspaper": lambda k: flat_print(k, ("DAILY NEWS", "THE TIMES")[k % 2], (224, 222, 212), (190, 188, 180)),
    "notebook": lambda k: flat_print(k, "NOTES", ((60, 90, 140), (170, 70, 60), (70, 120, 80))[k % 3], (236, 232, 220)),
}


def build(class_id: str, size: Size, k: int) -> Soup:
    """The ``k``-th exemplar of a class, filling ``size``; a coloured block for a class without a shape of its own."""
    maker = MAKERS.get(class_id)
    soup = maker(k) if maker else centred((1, 1, 1), tx.plain(160, 120, 90))
    return fitted(soup, size)
