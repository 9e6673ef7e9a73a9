"""Toys at random: dolls, figures, vehicles, blocks, balls, robots, dinosaurs, ducks (stuffed animals in ``prints_plush``).

A toy is known by its bright colours and rounded, shortened forms rather than by one outline, so there are many. They are taller than wide as the
class's box is; what is low by nature (a car, a ball) may stand on building blocks, so that it keeps its shape when it is fitted to that box.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars.prints_parts import any_colour, chance, cloth, colour, paint, pick, picture, profile, repeated, rod, spun, timber, title
from evaluation.exemplars.prints_plush import BLACK, BRIGHT, ball, bright, dot, glossy, plush
from sim_bridges.embedded.meshes import Soup, fitted, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, limb
from sim_bridges.embedded.textures import Material, Texture, of

Maker = Callable[[np.random.Generator], Soup]


def _doll(rng: np.random.Generator) -> Soup:
    """A rag or baby doll: round face, hair, dress or trousers."""
    skin = paint(colour(rng, pick(rng, (244, 208, 180), (226, 176, 140), (150, 100, 70), (96, 64, 46)), 8))
    hair = paint(colour(rng, pick(rng, (60, 38, 26), (210, 170, 80), (180, 80, 40), (30, 26, 26), (230, 120, 150)), 10))
    dress = of(Texture(cloth(rng, any_colour(rng, (0.3, 0.8), (0.5, 0.95)))))
    head, flare = rng.uniform(0.036, 0.05), rng.uniform(0.05, 0.085)
    z = 0.2
    parts = [
        ball((0, 0, z), head, skin),
        lathe([(0, 0.05), (flare, 0.05), (0.6 * flare, 0.1), (0.032, 0.15), (0.014, 0.17), (0, 0.172)], dress, segments=14),
        ellipsoid((-0.008, 0, z + 0.006), (head * 1.06, head * 1.1, head * 1.08), hair, segments=10, rings=7),
        ball((0.016, 0, z - 0.004), head * 0.9, skin)
    ]
    for s in (-1, 1):
        parts += [
            dot((0.016 + 0.82 * head, s * 0.35 * head, z), head * 0.12),
            dot((0.012 + 0.78 * head, s * 0.5 * head, z - 0.3 * head), head * 0.14, paint((236, 130, 130))),
            limb((0, s * 0.03, 0.155), (0.015, s * rng.uniform(0.075, 0.1), 0.1), (0.013, 0.011), dress if chance(rng, 0.5) else skin, segments=7),
            limb((0, s * 0.022, 0.06), (0.004, s * 0.025, 0.012), (0.014, 0.012), skin, segments=7),
            ball((0.01, s * 0.025, 0.008), (0.022, 0.013, 0.01), glossy(rng))
        ]
        if chance(rng, 0.8):
            parts.append(
                limb((-0.01, s * head, z), (-0.01, s * head * rng.uniform(1.1, 1.7), z - rng.uniform(0.03, 0.09)), (0.014, 0.016, 0.006),
                     hair,
                     segments=7))
    parts.append(box((0.016 + 0.86 * head, -0.01, z - 0.5 * head), (0.02 + 0.86 * head, 0.01, z - 0.44 * head), paint((200, 50, 60))))
    return join(parts)


def _figure(rng: np.random.Generator) -> Soup:
    """A jointed plastic man of blocks and pegs."""
    skin, shirt, legs = paint(pick(rng, (250, 206, 60), (236, 190, 150)), 0.3), glossy(rng), glossy(rng)
    print_ = np.full((48, 48, 3), shirt.color, np.uint8)
    print_[14:40, 10:38] = picture(rng, 28, 26)
    front = of(Texture(print_), gloss=0.3)
    parts = [
        box((-0.03, -0.055, 0.1), (0.03, 0.055, 0.175), shirt, front=front),
        rod((0, 0, 0.175), (0, 0, 0.225), 0.032, skin, segments=12),
        box((-0.03, -0.055, 0.088), (0.03, 0.055, 0.1), legs)
    ]
    for s in (-1, 1):
        parts += [
            box((-0.03, min(s * 0.003, s * 0.053), 0), (0.036, max(s * 0.003, s * 0.053), 0.09), legs),
            dot((0.031, s * 0.012, 0.206), 0.005),
            limb((0, s * 0.066, 0.165), (0.03, s * 0.085, 0.115), (0.016, 0.014), shirt, segments=7),
            rod((0.03, s * 0.085, 0.112), (0.05, s * 0.085, 0.105), 0.014, skin, segments=8)
        ]
    hat = glossy(rng)
    kind = int(rng.integers(3))
    parts.append(
        lathe([(0.036,
                0.212), (0.038,
                         0.222), (0.03, 0.245), (0, 0.25)], hat, segments=12) if kind else rod((0, 0, 0.225), (0, 0, 0.235), 0.015, skin, segments=8))
    if kind == 2:
        parts.append(rod((0, 0, 0.214), (0, 0, 0.219), 0.052, hat, segments=14))
    return join(parts)


def _robot(rng: np.random.Generator) -> Soup:
    body, second = paint(colour(rng, pick(rng, (170, 174, 180), (120, 126, 136), bright(rng), bright(rng))), 0.4), glossy(rng)
    wide, deep, h = rng.uniform(0.09, 0.12), rng.uniform(0.06, 0.09), rng.uniform(0.05, 0.07)
    lamp = paint(pick(rng, (90, 230, 250), (250, 240, 120), (250, 80, 60), (255, 255, 255)), glow=0.4)
    panel = of(Texture(picture(rng, 48, 32)), gloss=0.3)
    parts = [
        box((-deep / 2, -wide / 2, 0.06), (deep / 2, wide / 2, 0.15), body),
        box((deep / 2, -wide * 0.35, 0.085), (deep / 2 + 0.006, wide * 0.35, 0.135), second, front=panel),
        rod((0, 0, 0.15), (0, 0, 0.165), 0.016, BLACK, segments=8),
        box((-deep * 0.4, -wide * 0.4, 0.162), (deep * 0.4, wide * 0.4, 0.162 + h), body),
        box((deep * 0.4, -wide * 0.22, 0.168), (deep * 0.4 + 0.003, wide * 0.22, 0.176), second)
    ]
    for s in (-1, 1):
        parts += [
            rod((deep * 0.4 - 0.002, s * wide * 0.2, 0.162 + 0.6 * h), (deep * 0.4 + 0.008, s * wide * 0.2, 0.162 + 0.6 * h),
                0.014,
                lamp,
                segments=10),
            limb((0, s * (wide / 2 + 0.01), 0.138), (0.03, s * (wide / 2 + 0.03), 0.085), (0.014, 0.011), second, segments=7),
            box((0.025, s * (wide / 2 + 0.03) - 0.016, 0.062), (0.055, s * (wide / 2 + 0.03) + 0.016, 0.084), body),
            box((-0.02, s * wide * 0.27 - 0.016, 0.012), (0.014, s * wide * 0.27 + 0.016, 0.06), body),
            box((-0.034, s * wide * 0.27 - 0.02, 0), (0.04, s * wide * 0.27 + 0.02, 0.018), second)
        ]
    if chance(rng, 0.7):
        parts += [rod((0, 0, 0.162 + h), (0, 0, 0.185 + h), 0.003, BLACK, segments=6), dot((0, 0, 0.188 + h), 0.009, lamp)]
    return join(parts)


def _wheels(xs, y: float, r: float, hub: Material, wide: float = 0.02) -> list[Soup]:
    """Pairs of wheels, axles along y, on the ground."""
    tyre = join([
        rod((0, -wide / 2, r), (0, wide / 2, r), r, paint((34, 34, 36), 0.1), segments=12),
        rod((0, -wide / 2 - 0.002, r), (0, wide / 2 + 0.002, r), 0.5 * r, hub, segments=8)
    ])
    return [repeated(tyre, [(x, s * y, 0) for x in xs for s in (-1, 1)])]


def _vehicle(rng: np.random.Generator) -> Soup:
    """Along x: a car, a lorry with a load, a bus, a fire engine."""
    skin, second, glass = glossy(rng), glossy(rng), paint((60, 80, 100), 0.6)
    kind, w, r = int(rng.integers(4)), rng.uniform(0.08, 0.1), rng.uniform(0.02, 0.03)
    parts = _wheels((-0.058, 0.06), w / 2 - 0.004, r, paint((220, 220, 220), 0.4) if chance(rng, 0.5) else second)
    if kind == 0:
        hood, roof = rng.uniform(0.055, 0.07), rng.uniform(0.09, 0.115)
        parts += [
            profile([(-0.1, 0.02), (0.1, 0.02), (0.104, 0.045), (0.09, hood), (-0.095, hood + 0.006), (-0.103, 0.05)], w, skin),
            profile([(-0.075, hood - 0.002), (0.06, hood - 0.002), (0.025, roof), (-0.05, roof)], w * 0.9, glass),
            profile([(-0.052, roof - 0.003), (0.028, roof - 0.003), (0.02, roof + 0.006), (-0.046, roof + 0.006)], w * 0.92, skin)
        ]
    elif kind == 1:
        parts += [
            box((-0.1, -w / 2, 0.025), (0.1, w / 2, 0.04), second),
            box((0.045, -w / 2, 0.03), (0.1, w / 2, 0.115), skin),
            box((0.06, -w / 2 - 0.002, 0.075), (0.102, w / 2 + 0.002, 0.105), glass),
            profile([(-0.1, 0.045), (0.03, 0.045), (0.04, 0.1), (-0.11, 0.1)], w, second),
            *(dot((x, rng.uniform(-0.02, 0.02), 0.1), 0.026, glossy(rng)) for x in (-0.075, -0.03, 0.01))
        ]
    else:
        high = 0.17 if chance(rng, 0.4) else 0.115
        parts += [
            box((-0.105, -w / 2, 0.024), (0.105, w / 2, high), skin),
            *(box((-0.09, -w / 2 - 0.002, z), (0.107, w / 2 + 0.002, z + 0.025), glass) for z in np.arange(0.075, high - 0.03, 0.055))
        ]
        parts += [box((x, -w / 2 - 0.003, 0.07), (x + 0.007, w / 2 + 0.003, high - 0.005), skin) for x in (-0.06, -0.02, 0.02, 0.06)]
        if kind == 3:
            parts += [box((-0.1, s * 0.02 - 0.004, high), (0.08, s * 0.02 + 0.004, high + 0.01), paint((225, 225, 225), 0.4)) for s in (-1, 1)]
            parts += [
                box((x, -0.02, high + 0.002), (x + 0.006, 0.02, high + 0.008), paint((225, 225, 225), 0.4)) for x in np.linspace(-0.09, 0.07, 6)
            ]
            parts.append(box((0.07, -0.03, high), (0.095, 0.03, high + 0.014), paint((60, 120, 240), glow=0.5)))
    parts += [dot((0.102, s * w * 0.36, 0.045), 0.009, paint((250, 240, 190), 0.5)) for s in (-1, 1)]
    return spun(join(parts), np.pi / 2 * pick(rng, 1, -1))


def _train(rng: np.random.Generator) -> Soup:
    """A steam engine along x: boiler, funnel, cab."""
    body, second, third = glossy(rng), glossy(rng), glossy(rng)
    wood = chance(rng, 0.3)
    boiler = timber(rng) if wood else second
    r, cab = rng.uniform(0.03, 0.04), rng.uniform(0.14, 0.18)
    parts = [
        box((-0.1, -0.042, 0.028), (0.095, 0.042, 0.046), body),
        rod((-0.04, 0, 0.046 + r), (0.09, 0, 0.046 + r), r, boiler, segments=14),
        rod((0.09, 0, 0.046 + r), (0.098, 0, 0.046 + r), r * 0.8, third, segments=12),
        box((-0.1, -0.042, 0.046), (-0.038, 0.042, cab), body),
        box((-0.11, -0.052, cab), (-0.028, 0.052, cab + 0.012), third),
        box((-0.085, -0.044, cab - 0.05), (-0.052, 0.044, cab - 0.015), paint((60, 70, 90), 0.4)),
        lathe([(0.013, 0), (0.012, 0.05), (0.022, 0.08), (0, 0.08)], third, segments=10),
        dot((0.01, 0, 0.05 + 2 * r), 0.016, third)
    ]
    parts[6] = transformed(parts[6], translation(0.06, 0, 0.04 + 2 * r))
    parts += _wheels((-0.07, 0.0, 0.06), 0.046, rng.uniform(0.024, 0.032), third, 0.012)
    return spun(join(parts), np.pi / 2 * pick(rng, 1, -1))


def _letter(rng: np.random.Generator) -> Material:
    image = np.full((48, 48, 3), pick(rng, (240, 226, 196), bright(rng)), np.uint8)
    ink = bright(rng)
    image[:4], image[-4:], image[:, :4], image[:, -4:] = (ink, ) * 4
    title(image, pick(rng, *"ABCDEFGHKMRSTX1234578"), (12, 10, 36, 38), ink, 0, 4)
    return of(Texture(image), gloss=0.1)


def _blocks(rng: np.random.Generator) -> Soup:
    """A heap of lettered cubes or plain bricks."""
    s, lettered, parts = 0.07, chance(rng, 0.5), []
    plan = [(y, 0) for y in (-1, 0, 1)] + [(-0.5, 1), (0.5, 1)] + [(pick(rng, 0, -0.4, 0.4), 2)] + ([(0, 3)] if chance(rng, 0.4) else [])
    for y, level in plan:
        material = _letter(rng) if lettered else glossy(rng)
        shape = centred((s, s * 0.96, s * 0.98), material, (0, 0, 0))
        if not lettered and level >= 2 and chance(rng, 0.6):
            shape = pick(rng, profile([(-s / 2, 0), (s / 2, 0), (0, s)], s, material), rod((0, 0, 0), (0, 0, s), s / 2, material, segments=14),
                         rod((0, 0, 0), (0, 0, s), s / 2, material, end_radius=0.002, segments=12))
        parts.append(spun(shape, rng.normal(0, 0.2), rng.normal(0, 0.008), y * s * 1.08, level * s * 0.98))
    return join(parts)


def _studded(rng: np.random.Generator) -> Soup:
    """Studded plastic bricks built into a wall."""
    parts, h = [], 0.05
    for level in range(5):
        cuts = np.unique(np.concatenate([[0, 4], rng.integers(0, 5, 2)]))
        for a, b in zip(cuts[:-1], cuts[1:]):
            if level < 3 or chance(rng, 0.6) or a == 0:
                parts.append(box((-0.05, -0.1 + a * 0.05, level * h), (0.05, -0.1005 + b * 0.05, level * h + h - 0.0006), glossy(rng)))
                if level >= 2:
                    stud = rod((0, 0, 0), (0, 0, 0.01), 0.014, parts[-1].materials[0], segments=8)
                    parts.append(repeated(stud, [(x, -0.075 + c * 0.05, level * h + h - 0.001) for c in range(a, b) for x in (-0.025, 0.025)]))
    return join(parts)


def _rings(rng: np.random.Generator) -> Soup:
    """Rings stacked on a peg, or cups turned over."""
    count, z, parts = int(rng.integers(4, 8)), 0.02, [rod((0, 0, 0), (0, 0, 0.02), 0.07, timber(rng), segments=18)]
    first, cups = int(rng.integers(9)), chance(rng, 0.35)
    high = 0.19 / count
    for i in range(count):
        r, material = 0.08 - 0.045 * i / count, paint(BRIGHT[(first + i) % 9], 0.3)
        parts.append(
            rod((0, 0, z), (0, 0, z + high), r, material, end_radius=r *
                0.92, segments=18) if cups else lathe([(0.012, z), (r - 0.4 * high, z), (r, z + 0.5 * high), (r - 0.4 * high,
                                                                                                              z + high), (0.012, z + high)],
                                                      material,
                                                      segments=16,
                                                      crease=95))
        z += high
    return join(parts + [ellipsoid((0, 0, z + 0.014), (0.022, 0.022, 0.022), glossy(rng), segments=12)])


def _sphere(rng: np.random.Generator, r: float) -> Soup:
    """A ball: beach panels, dots, football, plain."""
    inks, n = [bright(rng) for _ in range(3)], int(rng.integers(3, 7))
    image = np.full((64, 96, 3), inks[0], np.uint8)
    kind = int(rng.integers(4))
    if kind == 0:
        for i in range(n):
            image[:, i * 96 // n:(i + 1) * 96 // n] = inks[i % 3]
    elif kind == 1:
        image[:] = (244, 244, 244)
        y, x = np.mgrid[0:64, 0:96]
        image[np.hypot((x + 8 * (y // 16 % 2)) % 16 - 8, y % 16 - 8) < 4.5] = (30, 30, 34)
    elif kind == 2:
        image[20:44] = inks[1]
        image[28:36] = inks[2]
    return transformed(ellipsoid((0, 0, 0), (r, r, r), of(Texture(image), gloss=0.3), segments=18, rings=11),
                       translation(0, 0, r) @ rotation(rng.normal(0, 1, 3), rng.uniform(0, 3)))


def _duck(rng: np.random.Generator) -> Soup:
    skin = paint(colour(rng, (250, 208, 40), 10) if chance(rng, 0.75) else bright(rng), 0.4)
    beak, head = paint(colour(rng, (240, 120, 30), 10), 0.3), rng.uniform(0.05, 0.062)
    z = 0.09 + 0.8 * head
    body = [
        ellipsoid((-0.005, 0, 0.055), (0.09, 0.068, 0.055), skin, segments=14),
        ellipsoid((0.035, 0, z), (head, ) * 3, skin, segments=14),
        limb((-0.07, 0, 0.07), (-0.105, 0, 0.11), (0.03, 0.006), skin, segments=8),
        ellipsoid((0.035 + 0.95 * head, 0, z - 0.1 * head), (0.03, 0.03, 0.009), beak, segments=10, rings=6),
        ellipsoid((0.035 + 0.9 * head, 0, z - 0.25 * head), (0.02, 0.024, 0.007), beak, segments=10, rings=6)
    ]
    for s in (-1, 1):
        body += [dot((0.035 + 0.75 * head, s * 0.48 * head, z + 0.3 * head), 0.011), ball((-0.015, s * 0.06, 0.065), (0.045, 0.018, 0.028), skin)]
    if chance(rng, 0.2):
        body.append(rod((0.03, 0, z + 0.8 * head), (0.03, 0, z + 1.5 * head), 0.03, BLACK, segments=12))
    return spun(join(body), rng.uniform(-0.9, 0.9))


def _dinosaur(rng: np.random.Generator) -> Soup:
    """Long-necked on four legs, or upright on two, with plates or spikes; along x."""
    skin, second = paint(colour(rng, pick(rng, (90, 150, 80), (120, 110, 70), (70, 130, 150), (150, 90, 150), (210, 110, 60))),
                         0.2), paint(bright(rng), 0.2)
    parts, eye = [], 0.007
    if chance(rng, 0.5):
        neck = (rng.uniform(0.075, 0.095), 0, 0.21)
        parts += [
            ellipsoid((0, 0, 0.085), (0.062, 0.044, 0.045), skin, segments=12),
            limb((0.04, 0, 0.1), neck, (0.026, 0.018, 0.015), skin, segments=9),
            ball((neck[0] + 0.018, 0, neck[2] + 0.008), (0.03, 0.018, 0.017), skin),
            limb((-0.045, 0, 0.085), (-0.12, 0, 0.05), (0.028, 0.015, 0.005), skin, segments=9)
        ]
        parts += [limb((x, s * 0.026, 0.075), (x, s * 0.03, 0.017), (0.018, 0.017), skin, segments=8) for x in (-0.035, 0.035) for s in (-1, 1)]
        parts += [dot((neck[0] + 0.024, s * 0.015, neck[2] + 0.014), eye) for s in (-1, 1)]
        plates = [(x, 0.128 - 6 * x * x) for x in np.linspace(-0.05, 0.04, 5)]
    else:
        parts += [
            limb((-0.012, 0, 0.08), (0.015, 0, 0.165), (0.044, 0.038, 0.026), skin, segments=10),
            ball((0.04, 0, 0.205), (0.05, 0.032, 0.03), skin),
            box((0.04, -0.022, 0.176), (0.092, 0.022, 0.184), second),
            limb((-0.03, 0, 0.075), (-0.12, 0, 0.03), (0.036, 0.02, 0.005), skin, segments=9),
            ball((0.018, 0, 0.115), (0.032, 0.03, 0.045), second)
        ]
        for s in (-1, 1):
            parts += [
                limb((-0.01, s * 0.036, 0.07), (0, s * 0.042, 0.018), (0.026, 0.017), skin, segments=8),
                ball((0.014, s * 0.042, 0.01), (0.034, 0.019, 0.011), skin),
                limb((0.035, s * 0.03, 0.135), (0.066, s * 0.034, 0.125), (0.01, 0.007), skin, segments=7),
                dot((0.056, s * 0.027, 0.22), eye)
            ]
        plates = [(-0.034, 0.19), (-0.05, 0.15), (-0.06, 0.115), (-0.08, 0.085)]
    if chance(rng, 0.6):
        parts += [profile([(x - 0.014, z - 0.012), (x + 0.014, z - 0.012), (x - 0.004, z + 0.018)], 0.006, second) for x, z in plates]
    return spun(join(parts), np.pi / 2 + rng.normal(0, 0.4) + pick(rng, 0, np.pi))


def _rocket(rng: np.random.Generator) -> Soup:
    body, tip = glossy(rng), glossy(rng)
    r = rng.uniform(0.035, 0.05)
    fin = profile([(0.6 * r, 0.02), (2.1 * r, 0), (2.1 * r, 0.03), (0.8 * r, 0.1)], 0.012, tip)
    parts = [
        lathe([(0, 0.03), (0.7 * r, 0.03), (r, 0.09), (r * 0.95, 0.16), (0.62 * r, 0.2)], body, segments=16),
        lathe([(0.62 * r, 0.2), (0.3 * r, 0.228), (0, 0.25)], tip, segments=16),
        rod((r * 0.9, 0, 0.14), (r * 1.1, 0, 0.14), 0.018, paint((150, 210, 240), 0.6), segments=10),
        lathe([(0, 0.015), (0.5 * r, 0.015), (0.6 * r, 0.03)], paint((90, 90, 96), 0.4), segments=12)
    ]
    return join(parts + [spun(fin, a) for a in np.arange(3) * 2 * np.pi / 3 + np.pi / 3])


def _nesting(rng: np.random.Generator) -> Soup:
    """A painted nesting doll or a tumbler."""
    image = np.full((96, 96, 3), bright(rng), np.uint8)
    image[58:] = cloth(rng, bright(rng), print_share=1.0)[:38]
    band = lathe([(0, 0), (0.055, 0), (0.08, 0.05), (0.078, 0.1), (0.055, 0.145), (0.054, 0.17), (0.056, 0.2), (0.04, 0.235), (0, 0.25)],
                 of(Texture(image), gloss=0.4),
                 segments=20,
                 crease=95)
    face = [
        ellipsoid((0.022, 0, 0.195), (0.038, 0.036, 0.036), paint((246, 216, 190), 0.3), segments=12),
        *(dot((0.057, s * 0.014, 0.2), 0.005) for s in (-1, 1)),
        dot((0.059, 0, 0.182), 0.005, paint((210, 50, 60)))
    ]
    return join([band, *face])


def _on_blocks(rng: np.random.Generator, toy: Soup, high: float) -> Soup:
    """``toy`` in its own shape, ``high`` of the 0.25 tall, on a row of building blocks."""
    base, count = 0.25 - high, int(rng.integers(2, 5))
    cuts, rows = np.linspace(-0.1, 0.1, count + 1), int(np.ceil(base / 0.1))
    parts = [
        box((-0.075, a + 0.001, k * base / rows), (0.075, b - 0.001, (k + 1) * base / rows - 0.001),
            pick(rng, glossy(rng), _letter(rng), timber(rng))) for k in range(rows) for a, b in zip(cuts[:-1], cuts[1:])
    ]
    low, top = toy.bounds()
    scale = high / float(top[2] - low[2])
    return join([*parts, transformed(fitted(toy, tuple((top - low)[[1, 0, 2]] * scale)), translation(0, 0, base))])


def toy(rng: np.random.Generator) -> Soup:
    kind = rng.random()
    if kind < 0.4:
        return plush(rng, pick(rng, "bear", "bear", "bear", "bear", "rabbit", "panda", "dog", "cat", "elephant", "frog", "monkey"))
    if kind < 0.72:
        return pick(rng, _doll, _doll, _figure, _robot, _duck, _duck, _dinosaur, _dinosaur, _rocket, _nesting)(rng)
    if kind < 0.84:
        return pick(rng, _blocks, _studded, _rings)(rng)
    if kind < 0.94:
        vehicle = pick(rng, _vehicle, _train)(rng)
        return vehicle if chance(rng, 0.5) else _on_blocks(rng, vehicle, rng.uniform(0.13, 0.17))
    return _on_blocks(rng, _sphere(rng, 0.07), 0.15)


MAKERS: Mapping[str, Maker] = {"toy": toy}
