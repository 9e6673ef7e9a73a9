"""Designs of pancakes and puddings. See ``food.py``."""

from __future__ import annotations

import numpy as np

from evaluation.exemplars.food_parts import (arc, berries, blend, bright, canvas, chance, cherry, colour, cushion, dots, from_centre, leaf,
                                             moved, noise, paint, pastel, pick, picture, ring_outline, scalloped, squarish, sweep, swirl, tau,
                                             turned, wobbly, wrap_print)
from sim_bridges.embedded.meshes import Soup, join, scaling, transformed
from sim_bridges.embedded.primitives import box, centred
from sim_bridges.embedded.textures import RGB

CHOCOLATE = (78, 46, 30)

# Pancakes ------------------------------------------------------------------------------------------------------------


def _cake(rng: np.random.Generator, radius: float, high: float, base: RGB, segments: int = 26) -> Soup:
    """One pancake: browned face with a paler ring, pale edge."""
    far, _ = from_centre(96)
    image = canvas(rng, base, rng.uniform(0.08, 0.22), (7, 7), 96, 96)
    image = blend(image, colour(rng, (240, 205, 135), 6), (far - rng.uniform(0.7, 0.9)) * 8 + 0.5 * noise(rng, 96, 96, (6, 6)))
    if chance(rng, 0.4):
        image = blend(image, colour(rng, np.array(base) * 0.65, 5), noise(rng, 96, 96, (9, 9)) * 1.6 - 0.3)
    edge = wobbly(rng, rng.uniform(0, 0.05))
    side = paint(rng, (238, 208, 145), 8)
    return join([
        turned([(0, 0), (0.93 * radius, 0), (radius, 0.4 * high), (0.97 * radius, 0.85 * high)], side, outline=edge, segments=segments),
        turned([(0.97 * radius, 0.85 * high), (0.88 * radius, high), (0.5 * radius, high * 1.02), (0, high)],
               picture(image, 0.05),
               outline=edge,
               segments=segments,
               planar=True)
    ])


def _on_pancakes(rng: np.random.Generator, radius: float, z: float, high: float) -> list[Soup]:
    """Butter, syrup, berries, slices of banana, cream; ``high``: how thick one pancake is."""
    out = []
    if chance(rng, 0.45):
        sauce = pick(rng, (150, 75, 15), (175, 95, 25), (75, 40, 22), (150, 25, 40))
        puddle = turned([(1.02, 0), (1.0, 0.16), (0.8, 0.22), (0, 0.24)],
                        paint(rng, sauce, 6, gloss=0.8, opacity=rng.uniform(0.75, 1)),
                        outline=wobbly(rng, 0.25))
        out.append(moved(transformed(puddle, scaling(radius * rng.uniform(0.4, 0.8), radius * rng.uniform(0.4, 0.8), high)), z=z))
    on = pick(rng, "nothing", "butter", "butter", "berries", "berries", "banana", "cream")
    spread = 0.45 * radius
    if on == "butter":
        out.append(
            moved(centred((2.2, 2.4, 0.8 * high), paint(rng, (250, 228, 120), 6, gloss=0.3)), rng.normal(0, 1), rng.normal(0, 1), z, turn=tau(rng)))
    elif on == "berries":
        out.append(
            berries(rng, int(rng.integers(3, 9)), 0.85, lambda: (rng.normal(0, spread * 0.6), rng.normal(0, spread * 0.6), z + 0.45),
                    [(45, 50, 100), (205, 35, 60), (190, 20, 30)]))
    elif on == "banana":
        coin = cushion(ring_outline(1.6, 1.6, n=12), 0.5 * high, paint(rng, (248, 232, 175), 5), paint(rng, (240, 220, 160)), flatness=0.9)
        out += [moved(coin, rng.normal(0, spread * 0.7), rng.normal(0, spread * 0.7), z) for _ in range(int(rng.integers(3, 8)))]
    elif on == "cream":
        out.append(moved(swirl(rng, 2.6, 1.6 * high, paint(rng, (252, 248, 238), 3), turns=2, lobes=6), z=z))
    return out


def pancake(rng: np.random.Generator) -> Soup:
    """One, a pile, small ones overlapping, folded or rolled thin ones; often with something on top, sometimes on a plate."""
    base = colour(rng, pick(rng, (195, 130, 65), (210, 150, 80), (175, 105, 50), (225, 175, 100), (150, 90, 45)), 8)
    kind, parts, radius = pick(rng, "one", "one", "pile", "pile", "small", "folded", "rolled"), [], 8.5
    if kind == "one":
        high = rng.uniform(0.5, 1.4)
        parts = [_cake(rng, radius, high, base), *_on_pancakes(rng, radius, high, high)]
    elif kind == "pile":
        count, high = int(rng.integers(2, 6)), rng.uniform(0.6, 1.2)
        for k in range(count):
            parts.append(
                moved(_cake(rng, radius * rng.uniform(0.93, 1.03), high, base, 18 if count < 4 else 14),
                      rng.normal(0, 0.35),
                      rng.normal(0, 0.35),
                      0.97 * high * k,
                      turn=tau(rng)))
        parts += _on_pancakes(rng, radius, high * count, high)
    elif kind == "small":
        count = int(rng.integers(3, 6))
        for k in range(count):
            a = 2 * np.pi * k / count
            parts.append(
                moved(_cake(rng, rng.uniform(4.2, 5), 0.9, base, 16),
                      4.6 * np.cos(a),
                      4.6 * np.sin(a),
                      0.2 + 0.15 * k,
                      roll=0.1 * np.sin(a + 1.2),
                      tilt=0.1 * np.cos(a + 1.2)))
        parts += _on_pancakes(rng, 7, 1.1, 0.9)
    elif kind == "folded":
        wedge = rng.uniform(1.5, 3.2)
        a = np.linspace(-wedge / 2, wedge / 2, 14)
        outline = np.vstack([[-0.2, 0]] + [[10 * np.cos(x), 10 * np.sin(x)] for x in a])
        image = blend(canvas(rng, (238, 200, 125), 0.06), base, noise(rng, 64, 64, (8, 8)) * 1.6 + 0.2)
        for k in range(int(rng.integers(1, 4))):
            fold = cushion(outline, 0.7, picture(image, 0.1), paint(rng, base, 6), flatness=0.95)
            parts.append(moved(fold, x=-5, z=0.5 * k, turn=rng.normal(0, 0.1) + k * rng.uniform(0.4, 1.2)))
        parts += [moved(s, x=-0.5) for s in _on_pancakes(rng, 4.5, 0.5 + 0.55 * len(parts), 0.7)]
    else:
        count = int(rng.integers(2, 5))
        for k in range(count):
            image = blend(canvas(rng, (240, 205, 135), 0.06), base, noise(rng, 64, 64, (8, 8)) * 1.8 + 0.2)
            path = np.column_stack([np.zeros(6), np.linspace(-8, 8, 6), np.ones(6)])
            roll = sweep(path,
                         np.column_stack([np.full(6, 8 / count), np.array([0.9, 1, 1, 1.05, 1, 0.9])]),
                         picture(image, 0.1),
                         segments=12,
                         caps=(paint(rng, CHOCOLATE), ) * 2)
            parts.append(moved(roll, x=15.6 / count * (k - (count - 1) / 2), turn=rng.normal(0, 0.05)))
        parts += _on_pancakes(rng, 7, 1.9, 0.8)
    if chance(rng, 0.2):
        china = paint(rng, pick(rng, (245, 244, 240), pastel(rng), (60, 65, 75)), 6, gloss=0.5)
        parts = [turned([(0, -0.5), (7, -0.5), (10.6, 0.1), (10.5, 0.3), (7.5, 0), (0, -0.05)], china, segments=20), *parts]
    return moved(join(parts), turn=tau(rng) if kind != "rolled" else 0)


# Puddings ------------------------------------------------------------------------------------------------------------

_SETS = ((95, 55, 35), (70, 40, 28), (250, 228, 165), (245, 215, 130), (252, 245, 228), (240, 170, 185), (205, 60, 70), (175, 110, 60),
         (195, 210, 145))


def _cream_on(rng: np.random.Generator, z: float, radius: float) -> list[Soup]:
    """Perhaps a rosette, a cherry, berries."""
    on, out = pick(rng, "nothing", "cream", "cream", "cherry", "berries"), []
    if on == "cream":
        out.append(moved(swirl(rng, radius * rng.uniform(0.45, 0.7), radius * 0.6, paint(rng, (252, 248, 238), 3), turns=2), z=z))
        z += 0.5 * radius
    if on == "cherry" or (out and chance(rng, 0.4)):
        out.append(cherry(rng, 0, 0, z + 0.5, 0.75))
    if on == "berries":
        out.append(
            berries(rng, int(rng.integers(2, 6)), 0.6, lambda: (rng.normal(0, 0.3 * radius), rng.normal(0, 0.3 * radius), z + 0.3), [(45, 50, 100),
                                                                                                                                     (205, 35, 60),
                                                                                                                                     (190, 20, 30)]))
    return out


def _pot(rng: np.random.Generator) -> Soup:
    """A plastic cup from the shop with a lid of foil; or opened, the pudding to be seen."""
    inside, tall = colour(rng, pick(rng, *_SETS), 8), rng.uniform(5.5, 8)
    image = wrap_print(rng, ("PUDDING", "VANILLA", "CHOCO", "CREME", "DESSERT", "RICE"), _SETS, 64)
    print_ = picture(image, 0.4)
    shape = squarish(rng.uniform(4, 8)) if chance(rng, 0.3) else None
    low, rim = rng.uniform(2.8, 4.2), 4.3
    wall = print_ if chance(rng, 0.7) else paint(rng, inside, 3, gloss=0.4)
    parts = [
        turned([(0, 0), (low, 0)], wall, outline=shape),
        turned([(low, 0), (low * 1.04, 0.4), (rim * 0.93, tall - 0.5), (rim * 0.94, tall - 0.3)], wall, outline=shape),
        turned([(rim * 0.94, tall - 0.3), (rim * 1.06, tall - 0.25), (rim * 1.06, tall)], paint(rng, (245, 245, 242), 4, gloss=0.4), outline=shape)
    ]
    if chance(rng, 0.65):
        foil = picture(image[:, :64], 0.6) if chance(rng, 0.4) else paint(
            rng, pick(rng, (205, 208, 212), bright(rng), (235, 235, 235), pastel(rng)), 5, gloss=0.7)
        parts.append(turned([(rim * 1.06, tall), (rim * 1.0, tall + 0.12), (0, tall + 0.1)], foil, outline=shape, planar=True))
        if chance(rng, 0.5):
            parts.append(moved(box((3.6, -0.9, 0), (5.4, 0.9, 0.1), foil), z=tall, turn=tau(rng), tilt=0.0))
        return join(parts)
    parts.append(turned([(rim * 1.06, tall), (rim * 0.9, tall), (rim * 0.88, tall - 0.6)], paint(rng, (245, 245, 242), 4), outline=shape))
    parts.append(turned([(rim * 0.9, tall - 0.5), (rim * 0.5, tall - 0.35), (0, tall - 0.3)], paint(rng, inside, 3, gloss=0.4), outline=shape))
    return join(parts + _cream_on(rng, tall - 0.4, 3.2))


def _layered_glass(rng: np.random.Generator) -> Soup:
    """A clear cup or stemmed bowl with layers in it and cream on top."""
    count, tall = int(rng.integers(1, 5)), rng.uniform(5.5, 8)
    profile = arc(pick(rng, [(2.9, 0), (3.3, 0.4), (4.2, 1)], [(2.2, 0), (4.0, 0.35), (4.3, 1)], [(3.9, 0), (4.0, 0.5), (4.1, 1)]), 9)
    foot = rng.uniform(0.8, 2.2) if chance(rng, 0.35) else 0.25
    r, z = np.array([p[0] for p in profile]), foot + np.array([p[1] for p in profile]) * tall
    levels, parts = np.linspace(foot + 0.1, foot + tall * rng.uniform(0.75, 0.98), count + 1), []
    for a, b in zip(levels[:-1], levels[1:]):
        zs = np.linspace(a, b, 4)
        parts.append(turned([(float(np.interp(x, z, r)) * 0.94, x) for x in zs], paint(rng, pick(rng, *_SETS), 8, gloss=0.3), segments=22))
    parts.append(turned([(0, levels[0]), (float(r[0]) * 0.94, levels[0])][::-1], parts[0].materials[0], segments=22))
    parts.append(turned([(float(np.interp(levels[-1], z, r)) * 0.94, levels[-1]), (0, levels[-1] + 0.2)], parts[-2].materials[0], segments=22))
    glass = paint(rng, pick(rng, (225, 235, 235), (225, 235, 235), pastel(rng)), 4, gloss=0.9, opacity=rng.uniform(0.12, 0.3))
    parts.append(turned(list(zip(r, z)), glass, segments=22))
    parts.append(
        turned([(0, 0), (2.8, 0), (2.6, 0.2), (0.7, foot * 0.6), (float(r[0]), foot)] if foot > 0.5 else [(0, 0), (float(r[0]), 0),
                                                                                                          (float(r[0]), foot)],
               glass,
               segments=16))
    return join(parts + _cream_on(rng, levels[-1], 3.4))


def _turned_out(rng: np.random.Generator) -> Soup:
    """Out of its mould: flan with caramel, fluted jelly or blancmange, on a plate or by itself."""
    jelly, base = chance(rng, 0.4), pick(rng, *_SETS)
    if jelly:
        mat = paint(rng,
                    pick(rng, (205, 25, 40), (240, 140, 20), (90, 170, 60), (245, 205, 50), (130, 30, 90)),
                    8,
                    gloss=0.9,
                    opacity=rng.uniform(0.65, 0.9))
    else:
        mat = paint(rng, base, 8, gloss=rng.uniform(0.1, 0.5))
    lobes = int(rng.integers(6, 13))
    fold = scalloped(lobes, rng.uniform(0.03, 0.1)) if jelly or chance(rng, 0.45) else wobbly(rng, 0.01)
    wide, high = rng.uniform(2.0, 3.3), rng.uniform(4, 6)
    tier = arc([(4.1, 0), (3.9, 0.3), (wide * 1.1, 0.8 * high), (wide, high - 0.15), (wide * 0.85, high)], 8) if chance(rng, 0.65) else \
        [(4.1, 0), (3.9, 0.5 * high), (3.2, 0.53 * high), (2.9, 0.9 * high), (2.5, high)]
    parts = [turned(tier, mat, outline=fold, segments=3 * lobes)]
    top = mat if jelly else paint(rng, pick(rng, (140, 65, 15), (110, 50, 15), base), 5, gloss=0.7)
    parts.append(turned([(tier[-1][0], high), (tier[-1][0] * 0.5, high + 0.12), (0, high + 0.1)], top, outline=fold, segments=3 * lobes))
    if top is not mat and chance(rng, 0.7):
        parts.append(turned([(5.0, 0.0), (4.7, 0.15), (3, 0.15)], top, outline=wobbly(rng, 0.1)))
        parts.append(turned([(tier[-2][0] * 1.02, high - 0.7), (tier[-1][0] * 1.03, high)], top, outline=wobbly(rng, 0.02)))
    if chance(rng, 0.5):
        parts.append(
            turned([(0, -0.5), (4, -0.5), (5.6, 0), (5.5, 0.15), (4, -0.05), (0, -0.05)],
                   paint(rng, pick(rng, (245, 244, 240), pastel(rng)), 5, gloss=0.5)))
    return join(parts + _cream_on(rng, high, wide))


def _dish(rng: np.random.Generator) -> Soup:
    """A ramekin or a small bowl filled to near the rim; browned, sprinkled or smooth."""
    tall, ridged = rng.uniform(4.5, 6.5), chance(rng, 0.5)
    china = paint(rng, pick(rng, (246, 245, 240), (246, 245, 240), pastel(rng), bright(rng), (190, 120, 75)), 6, gloss=0.5)
    fold = scalloped(16, 0.02) if ridged else None
    profile = [(3.9, 0), (4.1, 0.3), (4.2, tall - 0.5)] if ridged or chance(rng, 0.4) else arc([(2.2, 0), (2.4, 0.4), (4.0, 2.5),
                                                                                                (4.6, tall - 0.3)], 7)
    rim = profile[-1][0]
    parts = [
        turned([(0, 0), (profile[0][0], 0)], china),
        turned(profile, china, outline=fold, segments=32),
        turned([(rim, tall - 0.5), (rim * 1.03, tall - 0.1), (rim * 0.98, tall), (rim * 0.93, tall - 0.1), (rim * 0.9, tall - 0.8)],
               china,
               segments=28)
    ]
    base = colour(rng, pick(rng, *_SETS), 8)
    image = canvas(rng, base, 0.05)
    if chance(rng, 0.4):
        image = blend(image, (120, 60, 20), noise(rng, 64, 64, (6, 6)) * 1.6)
    elif chance(rng, 0.5):
        dots(rng, image, [pick(rng, CHOCOLATE, (150, 95, 45), (250, 250, 245))], int(rng.integers(10, 80)), (0.6, 1.6))
    parts.append(turned([(rim * 0.92, tall - 0.7), (rim * 0.5, tall - 0.5), (0, tall - rng.uniform(0.2, 0.6))], picture(image, 0.4), planar=True))
    return join(parts + (_cream_on(rng, tall - 0.5, 3.2) if chance(rng, 0.6) else []))


def _steamed(rng: np.random.Generator) -> Soup:
    """A dark steamed pudding, sauce running down from its top, holly or berries on it."""
    image = canvas(rng, colour(rng, pick(rng, (65, 40, 28), (95, 58, 32), (190, 130, 65)), 8), 0.2, (12, 12))
    dots(rng, image, [(35, 22, 18), (130, 85, 45)], 50, (0.8, 2))
    body = turned(arc([(3.0, 0), (4.2, 1.2), (4.3, 3), (3.3, 5.4), (1.5, 6.4), (0, 6.6)], 10), picture(image, 0.2))
    runs = wobbly(rng, 0.12)
    lobes = int(rng.integers(4, 8))
    sauce = paint(rng, pick(rng, (252, 250, 244), (252, 250, 244), (250, 225, 140), (160, 85, 25)), 4, gloss=0.5)
    cap = turned(arc([(4.35, 3.9), (3.9, 5), (2.9, 6.1), (1.5, 6.7), (0, 6.85)], 8), sauce, segments=6 * lobes, outline=runs)
    low = 0.5 + 0.5 * np.cos(lobes * np.arctan2(cap.pos[..., 1], cap.pos[..., 0]))
    pos = cap.pos.copy()
    pos[..., 2] += np.where(pos[..., 2] < 4.5, 1.1 * low, 0)
    pos[..., :2] *= np.where(pos[..., 2] < 5.2, 1 - 0.1 * low, 1)[..., None]
    parts = [body, Soup(pos.astype(np.float32), cap.nrm, cap.uv, cap.mat, cap.materials)]
    if chance(rng, 0.7):
        parts += [leaf(rng, (35, 90, 40), 1.8, 1.0, (0, 0, 6.8), a) for a in (0.3, 3.0)]
        parts.append(berries(rng, 3, 0.4, lambda: (rng.normal(0, 0.3), rng.normal(0, 0.3), 7.1), [(200, 20, 30)]))
    return join(parts)


def pudding(rng: np.random.Generator) -> Soup:
    """Shop's cup, layers in a glass, turned out of a mould, in a dish, steamed."""
    return pick(rng, _pot, _pot, _layered_glass, _layered_glass, _turned_out, _turned_out, _turned_out, _dish, _dish, _steamed)(rng)
