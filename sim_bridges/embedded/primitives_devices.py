"""Devices and obstacles from plain shapes: what is switched on and off, and what stands in the way.

What shows only while a device is on (water, a picture, a glowing shade) is a part with a WHEN_ON joint. Sizes are
(width y, depth x, height z); the front is +x; ``k`` is the exemplar: it picks colours and proportions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Joint, JointKind, Model, Part, Soup, join, rigid, transformed, translation
from sim_bridges.embedded.primitives import box, lathe, limb, quad, rod, rounded, shell, tube

Size = tuple[float, float, float]
_METAL = tx.plain(150, 152, 156, gloss=0.5)
_WHITE = tx.plain(240, 241, 242, gloss=0.35)
_BLACK = tx.plain(28, 28, 31, gloss=0.4)


def sink(size: Size, k: int) -> Model:
    """A wash basin; water runs from its tap while it is on."""
    w, d, h = size
    bowl = transformed(shell([(0.0, 0.0), (0.3, 0.0), (0.44, 0.4), (0.5, 1.0)], 0.05, _WHITE), np.diag([d, w, 0.62 * h, 1.0]))
    tap = _tap((-0.42 * d, 0, 0.58 * h), 0.42 * h, 0.34 * d)
    return Model((Part(join([bowl, tap])), _water((-0.42 * d + 0.34 * d, 0, 0.86 * h), 0.08 * h)))


def faucet(size: Size, k: int) -> Model:
    w, d, h = size
    tap = _tap((-0.35 * d, 0, 0), 0.9 * h, 0.7 * d)
    return Model((Part(
        join([tap,
              transformed(lathe([(0, 0), (0.035, 0), (0.035, 0.015), (0, 0.02)], _METAL),
                          translation(-0.35 * d, 0, 0))])), _water((0.35 * d, 0, 0.68 * h), 0.0)))


def _tap(foot: Sequence[float], height: float, reach: float) -> Soup:
    x, y, z = foot
    arc = [(x, y, z), (x, y, z + 0.75 * height), (x + 0.25 * reach, y, z + height), (x + 0.75 * reach, y, z + height),
           (x + reach, y, z + 0.72 * height)]
    lever = limb((x, y + 0.02, z + 0.4 * height), (x, y + 0.075, z + 0.5 * height), (0.007, 0.009), _METAL)
    return join([tube(arc, 0.012, _METAL), lever])


def _water(top: Sequence[float], low: float) -> Part:
    return Part(rod((top[0], top[1], low), top, 0.008, tx.plain(190, 220, 240, gloss=0.5, glow=0.15)), Joint(JointKind.WHEN_ON))


def tv(size: Size, k: int) -> Model:
    w, d, h = size
    t = min(0.05, d)
    back, z0 = -d / 2 + 0.02, 0.06 * h
    frame = box((back, -w / 2, z0), (back + t, w / 2, h), _BLACK)
    foot = join(
        [box((-d / 2, -0.2 * w, 0), (d / 2, 0.2 * w, 0.012), _BLACK),
         box((back, -0.05, 0), (back + 0.03, 0.05, z0), _BLACK)])
    x = back + t + 0.001
    glass = [(x, -w / 2 + 0.015, z0 + 0.02), (x, w / 2 - 0.015, z0 + 0.02), (x, w / 2 - 0.015, h - 0.015),
             (x, -w / 2 + 0.015, h - 0.015)]
    off = Part(quad(glass, tx.plain(14, 15, 18, gloss=0.7)), Joint(JointKind.WHEN_OFF))
    picture = Part(quad(glass, tx.of(_programme(k), glow=0.85)), Joint(JointKind.WHEN_ON))
    return Model((Part(join([frame, foot])), off, picture))


def _programme(k: int) -> tx.Texture:
    """What is on: a sky, hills and a ball."""
    y, x = np.mgrid[0:90, 0:160].astype(np.float32)
    image = np.stack([90 + 0.5 * y, 150 + 0.3 * y, 225 - 0.2 * y], axis=-1)
    hills = y > 55 + 12 * np.sin(x / 21 + k) + 5 * np.sin(x / 8)
    image[hills] = (70, 140, 70)
    image[(x - 120) ** 2 + (y - 25) ** 2 < 120] = (255, 235, 140)
    return tx.Texture(image.astype(np.uint8))


def lamp(size: Size, k: int) -> Model:
    w, d, h = size
    r = min(w, d) / 2
    shade = [(0.98 * r, 0.78 * h), (0.66 * r, h)] if k % 2 == 0 else [(0.85 * r, 0.8 * h), (0.85 * r, h)]
    colour = ((238, 226, 200), (196, 206, 214), (226, 190, 150))[k % 3]
    stem = join([
        lathe([(0, 0), (0.75 * r, 0), (0.72 * r, 0.02), (0, 0.03)], _BLACK),
        rod((0, 0, 0.02), (0, 0, 0.85 * h), 0.012, _METAL)
    ])
    double = [shade[0], shade[1], (shade[1][0] - 0.004, shade[1][1]), (shade[0][0] - 0.004, shade[0][1])]
    return Model((Part(stem), Part(lathe(double, tx.plain(*colour)), Joint(JointKind.WHEN_OFF)),
                  Part(lathe(double, tx.plain(255, 236, 190, glow=0.95)), Joint(JointKind.WHEN_ON))))


def coffeemaker(size: Size, k: int) -> Model:
    w, d, h = size
    body = (_BLACK, tx.plain(150, 28, 30, gloss=0.3), tx.plain(190, 192, 196, gloss=0.4))[k % 3]
    parts = [
        rounded((-d / 2, -w / 2, 0), (d / 2, w / 2, 0.1 * h), 0.015, body),
        rounded((-d / 2, -w / 2, 0), (-d / 8, w / 2, h), 0.02, body),
        rounded((-d / 2, -w / 2, 0.75 * h), (d / 2, w / 2, h), 0.02, body)
    ]
    jug = transformed(lathe([(0, 0), (0.3 * w, 0), (0.36 * w, 0.2 * h), (0.26 * w, 0.45 * h)], tx.plain(66, 44, 32, gloss=0.6)),
                      translation(0.16 * d, 0, 0.12 * h))
    light = Part(box((d / 2, -0.02, 0.84 * h), (d / 2 + 0.002, 0.02, 0.88 * h), tx.plain(255, 60, 40, glow=1.0)),
                 Joint(JointKind.WHEN_ON))
    return Model((Part(join([*parts, jug])), light))


def toilet(size: Size, k: int) -> Model:
    w, d, h = size
    bowl = transformed(lathe([(0, 0), (0.28, 0), (0.26, 0.4), (0.5, 0.92), (0.5, 1.0), (0, 1.0)], _WHITE),
                       translation(0.12 * d, 0, 0) @ np.diag([0.74 * d, 0.92 * w, 0.5 * h, 1]))
    seat = transformed(lathe([(0, 0), (0.5, 0), (0.5, 0.03), (0, 0.03)], _WHITE),
                       translation(0.12 * d, 0, 0.5 * h) @ np.diag([0.76 * d, 0.96 * w, 1, 1]))
    tank = rounded((-d / 2, -w / 2, 0.42 * h), (-d / 2 + 0.28 * d, w / 2, h), 0.03, _WHITE)
    return rigid(bowl, seat, tank)


def suitcase(size: Size, k: int) -> Model:
    w, d, h = size
    shell_colour = tx.plain(*((160, 40, 48), (36, 74, 120), (60, 62, 66), (210, 170, 70))[k % 4], gloss=0.25)
    parts = [rounded((-d / 2, -w / 2, 0.05), (d / 2, w / 2, 0.86 * h), 0.05, shell_colour)]
    parts += [
        box((d / 2 - 0.004, y, 0.1), (d / 2 + 0.004, y + 0.012, 0.8 * h), _BLACK) for y in np.linspace(-0.35, 0.35, 4) * w
    ]
    parts.append(tube([(0, -0.12, 0.85 * h), (0, -0.12, h), (0, 0.12, h), (0, 0.12, 0.85 * h)], 0.009, _METAL))
    parts += [
        rod((sx * 0.35 * d, sy * 0.4 * w - 0.012, 0.03), (sx * 0.35 * d, sy * 0.4 * w + 0.012, 0.03), 0.03, _BLACK)
        for sx in (-1, 1) for sy in (-1, 1)
    ]
    return rigid(*parts)


def plant(size: Size, k: int) -> Model:
    w, d, h = size
    r = 0.42 * min(w, d)
    pot = lathe([(0, 0), (0.7 * r, 0), (r, 0.28 * h), (0.92 * r, 0.28 * h), (0.9 * r, 0.26 * h), (0, 0.26 * h)],
                tx.plain(*((176, 96, 66), (226, 224, 220), (70, 80, 92))[k % 3]))
    rng = np.random.default_rng(k * 7 + 3)
    leaves = [rod((0, 0, 0.2 * h), (0, 0, 0.6 * h), 0.012, tx.plain(96, 78, 50))]
    for i in range(26):
        a, lift = i * 2.4, rng.uniform(0.35, 1.0)
        reach = 0.5 * min(w, d) * rng.uniform(0.55, 1.0)
        tip = np.array([reach * math.cos(a), reach * math.sin(a), h * lift])
        green = tx.plain(*(int(c) for c in np.array([52, 118, 56]) * rng.uniform(0.75, 1.3)))
        foot, side = np.array([0, 0, 0.3 * h]), np.array([-math.sin(a), math.cos(a), 0]) * 0.035
        mid = 0.5 * foot + 0.5 * tip + np.array([0, 0, 0.06 * h])
        leaves.append(quad([foot, mid + side, tip, mid - side], green, fit=False))
    return rigid(pot, *leaves)


def scooter(size: Size, k: int) -> Model:
    w, d, h = size
    colour = tx.plain(*((40, 150, 170), (210, 70, 60), (80, 80, 86))[k % 3], gloss=0.3)
    deck = box((-d * 0.3, -w * 0.34, 0.09), (d * 0.3, w * 0.3, 0.115), colour)
    stem = rod((0, 0.36 * w, 0.1), (0, 0.31 * w, h), 0.018, _METAL)
    bar = rod((-d / 2, 0.31 * w, h - 0.02), (d / 2, 0.31 * w, h - 0.02), 0.014, _BLACK)
    wheels = [rod((-0.014, y, 0.07), (0.014, y, 0.07), 0.07, _BLACK, segments=16) for y in (-0.42 * w, 0.4 * w)]
    return rigid(deck, stem, bar, *wheels)


def wheelchair(size: Size, k: int) -> Model:
    """Seat at 0.52 of its height; large wheels behind."""
    w, d, h = size
    seat, frame = tx.of(tx.fabric(k + 40, (40, 44, 54))), tx.plain(*((120, 124, 130), (150, 36, 40), (40, 70, 130))[k % 3],
                                                                   gloss=0.4)
    parts = [
        box((-0.2 * d, -0.36 * w, 0.5 * h), (0.22 * d, 0.36 * w, 0.53 * h), seat),
        box((-0.24 * d, -0.36 * w, 0.53 * h), (-0.2 * d, 0.36 * w, 0.93 * h), seat)
    ]
    for sy in (-1, 1):
        y = sy * 0.37 * w
        parts.append(
            tube([(-0.34 * d, y, h), (-0.22 * d, y, 0.96 * h), (-0.22 * d, y, 0.5 * h), (0.2 * d, y, 0.5 * h),
                  (0.36 * d, y, 0.12 * h), (0.5 * d, y * 0.7, 0.1 * h)], 0.012, frame))
        parts.append(tube([(-0.2 * d, y, 0.72 * h), (0.14 * d, y, 0.72 * h)], 0.022, _BLACK))
        parts.append(_wheel((-0.16 * d, sy * 0.46 * w, 0.32 * h), 0.32 * h, 0.012))
        parts.append(_wheel((0.3 * d, sy * 0.36 * w, 0.085 * h), 0.085 * h, 0.012))
        parts.append(box((0.34 * d, sy * 0.2 * w - 0.05, 0.09 * h), (0.5 * d, sy * 0.2 * w + 0.05, 0.11 * h), _BLACK))
    return rigid(*parts)


def _wheel(centre: Sequence[float], radius: float, tyre: float) -> Soup:
    angles = np.linspace(0, 2 * math.pi, 17)
    ring = [(centre[0] + (radius - tyre) * math.cos(a), centre[1], centre[2] + (radius - tyre) * math.sin(a)) for a in angles]
    spokes = [rod(centre, ring[i], 0.003, _METAL, segments=4) for i in range(0, 16, 2)]
    return join([tube(ring, tyre, _BLACK, segments=6), *spokes])


def robot(height: float) -> Soup:
    """A wheeled robot with a torso and a head whose eyes are at ``height``; shown in overviews only, it does not see itself."""
    shell_, joint, eye = tx.plain(226, 230, 234, gloss=0.3), tx.plain(60, 66, 74, gloss=0.3), tx.plain(40, 150, 220, glow=0.6)
    base = lathe([(0, 0.03), (0.22, 0.03), (0.24, 0.1), (0.2, 0.26), (0, 0.28)], joint)
    torso = lathe([(0.09, 0.26), (0.12, 0.6 * height), (0.17, 0.78 * height), (0.06, 0.86 * height)], shell_)
    head = rounded((-0.1, -0.13, height - 0.1), (0.1, 0.13, height + 0.1), 0.05, shell_)
    face = box((0.1, -0.1, height - 0.05), (0.105, 0.1, height + 0.05), joint)
    eyes = [box((0.105, y - 0.025, height - 0.015), (0.108, y + 0.025, height + 0.015), eye) for y in (-0.05, 0.05)]
    arms = [tube([(0, s * 0.16, 0.76 * height), (0.1, s * 0.21, 0.58 * height), (0.3, s * 0.16, 0.6 * height)], 0.03, joint)
            for s in (-1, 1)]
    return join([base, torso, head, face, *eyes, *arms])


MAKERS: dict[str, Callable[[Size, int], Model]] = {
    "faucet": faucet, "sink": sink, "tv": tv, "lamp": lamp, "coffeemaker": coffeemaker, "toilet": toilet, "suitcase": suitcase,
    "plant": plant, "scooter": scooter, "wheelchair": wheelchair,
}
