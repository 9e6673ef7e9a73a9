"""Food and drink from plain shapes with recognisable outlines, colours and labels.

Every maker takes ``k``, which of several exemplars to make, and gives a soup about one unit large;
:mod:`primitives_things` fits it to size.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Soup, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, ellipsoid, lathe, limb, quad, rod

_BLACK = tx.plain(30, 30, 33, gloss=0.3)


def dyed(k: int, *colours: tx.RGB, gloss: float = 0.15) -> tx.Material:
    return tx.plain(*colours[k % len(colours)], gloss=gloss)


def round_fruit(base: tx.RGB, spot: tx.RGB, k: int, *, dimple: float, count: int = 60) -> Soup:
    skin = tx.of(tx.spotted(k + base[0], base, spot, count=count), gloss=0.3)
    profile = [(0, dimple * 0.5), (0.2, 0.03), (0.38, 0.12), (0.5, 0.5), (0.46, 0.74), (0.3, 0.93), (0.12, 1.0 - 0.3 * dimple),
               (0, 1 - dimple)]
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
    paper = tx.label((236, 228, 206), ((120, 24, 36), (40, 50, 90), (70, 90, 50))[k % 3],
                     ("MERLOT", "RIOJA", "RIESLING")[k % 3], seed=k)
    return bottle(k, glass, paper, dyed(k, (110, 20, 34), (28, 28, 32), (190, 160, 70)), shoulder=0.6, neck=0.18)


def beer(k: int) -> Soup:
    glass = (tx.plain(92, 52, 22, gloss=0.6), tx.plain(40, 92, 52, gloss=0.6))[k % 2]
    return bottle(k, glass, tx.label((222, 180, 70), (150, 30, 30), ("LAGER", "PILS")[k % 2], seed=k),
                  dyed(k, (210, 180, 60), (200, 200, 205)), shoulder=0.52, neck=0.2)


def condiment(k: int) -> Soup:
    body, cap, word = (((186, 26, 24), (240, 240, 236), "KETCHUP"), ((226, 178, 30), (200, 40, 30), "MUSTARD"),
                       ((64, 40, 26), (200, 160, 60), "BBQ"))[k % 3]
    outline = [(0, 0), (0.44, 0), (0.5, 0.04), (0.5, 0.36), (0.42, 0.5), (0.48, 0.62), (0.34, 0.76), (0.3, 0.78)]
    skin = tx.of(tx.label(body, (242, 236, 220), word, body, height=0.34, seed=k), gloss=0.3)
    nozzle = lathe([(0.3, 0.78), (0.3, 0.85), (0.13, 0.88), (0.07, 1.0), (0, 1.0)], tx.plain(*cap), segments=12)
    return join([lathe(outline, skin, crease=60), nozzle])


def chips(k: int) -> Soup:
    """A pillow-shaped bag with crimped ends."""
    base, band, word = (((206, 40, 36), (246, 206, 60), "CHIPS"), ((34, 100, 176), (240, 240, 240), "CRISPS"),
                        ((46, 132, 66), (250, 226, 90), "CHIPS"))[k % 3]
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
        rings = [(-0.5, 0.16, 0.35), (-0.38, 0.34, 0.7), (-0.1, 0.5, 1.0), (0.2, 0.46, 0.95), (0.42, 0.3, 0.6),
                 (0.5, 0.12, 0.3)]
        top = [
            quad([(x1, y1, z1), (x2, y2, z2), (-x2, y2, z2), (-x1, y1, z1)], flesh)
            for (y1, x1, z1), (y2, x2, z2) in zip(rings[:-1], rings[1:])
        ]
        side = [
            quad(c, tx.plain(150, 152, 156, gloss=0.5)) for (y1, x1, z1), (y2, x2, z2) in zip(rings[:-1], rings[1:])
            for c in ([(x1, y1, 0), (x2, y2, 0), (x2, y2, z2), (x1, y1, z1)], [(-x2, y2, 0), (-x1, y1, 0), (-x1, y1,
                                                                                                            z1), (-x2, y2, z2)])
        ]
        return join([*top, *side])
    silver = tx.of(tx.spotted(k, (196, 170, 160), (130, 120, 124), count=50, radius=(1, 3)), gloss=0.6)
    body = transformed(limb((0, -0.44, 0.5), (0, 0.3, 0.5), (0.06, 0.2, 0.26, 0.22, 0.07), silver),
                       np.diag([1.6, 1, 1.9, 1]) @ translation(0, 0, -0.24))
    tail = join([quad([(0.02, 0.26, 0.5), (0.35, 0.5, 0.5), (0.0, 0.44, 0.5), (-0.35, 0.5, 0.5)], tx.plain(150, 120, 118)),
                 quad([(-0.35, 0.5, 0.49), (0.0, 0.44, 0.49), (0.35, 0.5, 0.49), (0.02, 0.26, 0.49)], tx.plain(150, 120, 118))])
    return join([body, tail, ellipsoid((0.16, -0.38, 0.62), (0.04, 0.015, 0.06), _BLACK, segments=8, rings=5)])


def carton(k: int, word: str, grounds: tuple[tx.RGB, ...], band: tx.RGB) -> Soup:
    ground = grounds[k % len(grounds)]
    side = tx.of(tx.label(ground, band, word, (250, 250, 250), repeat=1, height=0.32, seed=k))
    body = [
        quad(c, side) for c in ([(0.5, -0.5, 0), (0.5, 0.5, 0), (0.5, 0.5, 0.78), (0.5, -0.5, 0.78)],
                                [(-0.5, 0.5, 0), (-0.5, -0.5, 0), (-0.5, -0.5, 0.78), (-0.5, 0.5, 0.78)],
                                [(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, -0.5, 0.78), (-0.5, -0.5, 0.78)],
                                [(0.5, 0.5, 0), (-0.5, 0.5, 0), (-0.5, 0.5, 0.78), (0.5, 0.5, 0.78)])
    ]
    paper = tx.plain(*ground)
    roof = [
        quad([(0.5, -0.5, 0.78), (0.5, 0.5, 0.78), (0, 0.5, 0.94), (0, -0.5, 0.94)], paper),
        quad([(-0.5, 0.5, 0.78), (-0.5, -0.5, 0.78), (0, -0.5, 0.94), (0, 0.5, 0.94)], paper),
        quad([(-0.5, -0.5, 0.78), (0.5, -0.5, 0.78), (0, -0.5, 0.94), (0, -0.5, 0.94)], paper),
        quad([(0.5, 0.5, 0.78), (-0.5, 0.5, 0.78), (0, 0.5, 0.94), (0, 0.5, 0.94)], paper),
        box((-0.04, -0.5, 0.92), (0.04, 0.5, 1.0), paper)
    ]
    cap = transformed(lathe([(0, 0), (0.16, 0), (0.16, 0.09), (0, 0.09)], tx.plain(*band), segments=12),
                      translation(0.25, 0, 0.86) @ rotation((0, 1, 0), 0.3))
    return join([*body, *roof, cap])


def cake(k: int) -> Soup:
    case = lathe([(0, 0), (0.34, 0), (0.46, 0.52)],
                 tx.of(tx.stripes(((200, 150, 100), (170, 118, 72)) if k % 2 else ((236, 120, 150), (250, 210, 220)), 12)))
    icing = lathe([(0.5, 0.5), (0.5, 0.6), (0.38, 0.76), (0.24, 0.86), (0, 0.92)],
                  dyed(k, (250, 226, 232), (92, 56, 38), (246, 240, 214)), crease=180)
    return join([case, icing, ellipsoid((0, 0, 0.93), (0.1, 0.1, 0.07), tx.plain(196, 24, 40, gloss=0.4), segments=8, rings=5)])


def pudding(k: int) -> Soup:
    cup = lathe([(0, 0), (0.4, 0), (0.5, 0.9)], dyed(k, (236, 232, 220), (120, 150, 190), gloss=0.3))
    return join([cup, lathe([(0.49, 0.86), (0.3, 0.97), (0, 1.0)], dyed(k, (240, 206, 110), (104, 62, 40)), crease=180)])


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
    root = limb((0, -0.48, 0.5), (0, 0.26, 0.5), (0.02, 0.22, 0.34, 0.42), dyed(k, (236, 126, 34), (214, 96, 44)))
    return join([
        root, *[
            limb((0, 0.3, 0.5), (0.3 * math.cos(a), 0.5, 0.5 + 0.3 * math.sin(a)),
                 (0.05, 0.02), tx.plain(70, 140, 60), segments=5) for a in (0, 1.6, 3.1, 4.7)
        ]
    ])


def potato(k: int) -> Soup:
    skin = tx.of(tx.spotted(k, ((190, 152, 98), (160, 110, 90))[k % 2], (130, 100, 64), count=30, radius=(1, 4)))
    return join([ellipsoid((0, -0.05, 0.5), (0.48, 0.45, 0.48), skin), ellipsoid((0.03, 0.12, 0.48), (0.42, 0.38, 0.42), skin)])


def pancake(k: int) -> Soup:
    return lathe([(0, 0), (0.46, 0), (0.5, 0.4), (0.47, 0.9), (0, 1.0)],
                 tx.of(tx.spotted(k, (206, 150, 80), (166, 104, 50), count=50)))


MAKERS: dict[str, Callable[[int], Soup]] = {
    "apple": apple, "cupcake": cake, "salmon": salmon, "wine": wine, "chips": chips, "condimentbottle": condiment, "beer": beer,
    "pudding": pudding, "pancake": pancake, "bread": bread, "banana": arc_fruit, "carrot": carrot, "potato": potato,
    "orange": lambda k: round_fruit(((238, 140, 30), (226, 120, 44))[k % 2], (250, 170, 70), k, dimple=0.05, count=120),
    "juice": lambda k: carton(k, "JUICE", ((244, 150, 40), (120, 180, 60), (206, 60, 70)), (60, 120, 50)),
    "milk": lambda k: carton(k, "MILK", ((240, 244, 248), (214, 230, 244)), (40, 100, 190)),
}
