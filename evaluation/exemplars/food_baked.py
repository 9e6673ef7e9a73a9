"""Designs of bread, and of cupcakes and muffins. See ``food.py``."""

from __future__ import annotations

import numpy as np

from evaluation.exemplars.food_parts import (arc, berries, blend, blob, bright, bumps, canvas, chance, cherry, colour, dots, from_centre, lid,
                                             moved, noise, paint, pastel, pick, picture, prism, ring_outline, scalloped, sweep, swirl, tau, turned,
                                             wobbly, wrap_print)
from sim_bridges.embedded.meshes import Soup, join, scaling, transformed
from sim_bridges.embedded.primitives import box, centred, ellipsoid, limb, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material

CRUSTS = ((190, 125, 65), (205, 150, 85), (165, 98, 48), (130, 78, 42), (215, 170, 110), (105, 65, 40))
CRUMBS = ((245, 230, 195), (240, 222, 180), (205, 170, 120), (165, 125, 85), (110, 80, 58))
CHOCOLATE = (78, 46, 30)

# Bread ---------------------------------------------------------------------------------------------------------------


def _crust(rng: np.random.Generator, base: RGB) -> Material:
    image = canvas(rng, base, rng.uniform(0.08, 0.2), (5, 5), 96, 96)
    if chance(rng, 0.3):
        image = blend(image, (245, 235, 215), noise(rng, 96, 96, (6, 6)) * rng.uniform(0.5, 1.3))
    if chance(rng, 0.3):
        dots(rng, image, [pick(rng, (240, 220, 170), (40, 35, 35), (110, 80, 45))], 130, (0.6, 1.3))
    return picture(image, rng.uniform(0, 0.3))


def _crumb(rng: np.random.Generator, base: RGB, crust: RGB | None = None) -> Material:
    """The cut face: pores, and the crust round it."""
    image = canvas(rng, base, 0.05)
    dots(rng, image, [colour(rng, np.array(base) * 0.87, 4)], int(rng.integers(20, 90)), (0.5, rng.uniform(0.8, 2.2)))
    if crust and chance(rng, 0.4):
        image = blend(image, crust, (from_centre(64)[0] - 0.8) * 2)
    return picture(image)


def _slice_outline(rng: np.random.Generator) -> np.ndarray:
    """What a tin leaves: flat foot, upright sides, a domed or flat top that may bulge over."""
    wide, dome, lip = 5.5 * rng.uniform(0.85, 1.05), rng.uniform(0.2, 4.0), rng.uniform(0, 0.9)
    a = np.linspace(0, np.pi, 11)
    top = np.column_stack([(wide + lip) * np.sign(np.cos(a)) * np.abs(np.cos(a)) ** 0.6, 8 + dome * np.sin(a) ** 0.8])
    return np.vstack([[(-wide, 6.8), (-wide * 0.95, 0.3), (-wide * 0.85, 0), (wide * 0.85, 0), (wide * 0.95, 0.3), (wide, 6.8)], top])


def _loaf(outline: np.ndarray, y: np.ndarray, scale: np.ndarray, crust: Material, faces: tuple[Material, Material]) -> Soup:
    """``outline`` (across, height) along y, each place scaled about the middle of the foot."""
    rings = np.array([np.column_stack([-outline[:, 0] * s, np.full(len(outline), p), outline[:, 1] * s ** 0.5]) for p, s in zip(y, scale)])
    return join([skin_of_rings(rings, crust, uv=True), lid(rings[-1], faces[1]), lid(rings[0][::-1], faces[0])])


def _tin_loaf(rng: np.random.Generator) -> Soup:
    base, outline = colour(rng, pick(rng, *CRUSTS)), _slice_outline(rng)
    crust, crumb = _crust(rng, base), _crumb(rng, colour(rng, pick(rng, *CRUMBS), 8), base)
    open_end = chance(rng, 0.4)
    y, scale = np.array([0, 0.6, 2, 6, 12, 18, 24, 25.4, 26]), np.array([0.86, 0.95, 1, 1, 1, 1, 1, 0.95, 0.86])
    if open_end:
        y, scale = y[:7] * 0.8, scale[:7]
    parts = [_loaf(outline, y, scale, crust, (crust, crumb if open_end else crust))]
    for k in range(int(rng.integers(1, 4)) if open_end and chance(rng, 0.7) else 0):
        parts.append(
            moved(_loaf(outline, np.array([0, 1.2]), np.ones(2), crust, (crumb, crumb)), y=y[-1] + 1.2 + 1.7 * k, roll=rng.uniform(0.0, 0.25)))
    return moved(join(parts), turn=rng.choice([0.0, np.pi]))


def _sliced(rng: np.random.Generator) -> Soup:
    """Slices standing one behind another, close as from the shop or a few apart, all leaning a little; or two piles of toast."""
    base, outline = colour(rng, pick(rng, *CRUSTS)), _slice_outline(rng)
    crumb_base = colour(rng, pick(rng, *CRUMBS), 8)
    if chance(rng, 0.3):
        crumb_base = colour(rng, (205, 150, 85))
    crust, crumb = _crust(rng, base), _crumb(rng, crumb_base, base)
    one = _loaf(outline, np.array([0, 0.15, 0.85, 1.0]), np.array([0.97, 1, 1, 0.97]), crust, (crumb, crumb))
    if chance(rng, 0.3):
        return join(
            moved(transformed(one, scaling(0.9, 1.6, 1.05)),
                  x=rng.normal(0, 0.4),
                  y=12.5 * (k % 2),
                  z=2.0 * (k // 2),
                  roll=-np.pi / 2 + rng.normal(0, 0.03),
                  turn=rng.normal(0, 0.15)) for k in range(int(rng.integers(4, 11))))
    count, thick, lean = int(rng.integers(5, 12)), rng.uniform(1.0, 2.2), rng.uniform(0, 0.25)
    gap = thick + (rng.uniform(0, 0.25) if count > 9 else rng.uniform(0.2, 1.6))
    fat = transformed(one, scaling(1, thick, 1))
    return join(moved(fat, x=rng.normal(0, 0.12), y=gap * k, roll=lean + rng.normal(0, 0.02), turn=rng.normal(0, 0.02)) for k in range(count))


def _stick(rng: np.random.Generator, length: float, wide: float, high: float, blunt: float, cuts: int, segments: int = 14) -> Soup:
    """A loaf shaped by hand, slashed across so that the pale inside shows."""
    base = colour(rng, pick(rng, *CRUSTS))
    t = np.linspace(-1, 1, 11)
    swell = np.clip(np.sqrt(np.maximum(1 - np.abs(t) ** blunt, 0.01)), 0.15, 1)
    path = np.column_stack([rng.normal(0, 0.02) * length * t ** 2, length / 2 * t, high * swell * 0.75])
    parts = [sweep(path, np.column_stack([wide * swell, high * swell]), _crust(rng, base), segments=segments)]
    pale, slant = paint(rng, pick(rng, (235, 205, 150), (225, 185, 125), (245, 230, 200)), 8), rng.normal(0, 0.12) * length
    a, row = np.radians(np.linspace(145, 35, 6)), np.linspace(-1, 1, 3)[:, None]
    if cuts == 1:
        a = np.radians(np.linspace(108, 72, 4))
    for middle in np.linspace(-0.6, 0.6, cuts) if cuts > 1 else [0.0]:
        open_ = np.sin(np.linspace(0, np.pi, len(a))) + 0.1
        at = middle + row * open_ * (0.09 if cuts > 1 else 0.6) + (slant * (a - np.pi / 2) / length * 1.2 if cuts > 1 else 0)
        s = np.interp(at, t, swell) * 1.05
        grid = np.stack([np.interp(at, t, path[:, 0]) + wide * s * np.cos(a), length / 2 * at,
                         np.interp(at, t, path[:, 2]) + high * s * np.sin(a)],
                        axis=-1)
        parts.append(skin_of_rings(grid, pale, closed=False))
    return join(parts)


def _plait(rng: np.random.Generator) -> Soup:
    base = colour(rng, pick(rng, (150, 85, 40), (180, 110, 55), (200, 140, 75)))
    crust, count = _crust(rng, base), int(rng.integers(5, 8))
    parts = [ellipsoid((0, 0, 3), (4.2, 12, 3), crust, segments=12, rings=8)]
    for k in range(count):
        t = (k + 0.5) / count * 2 - 1
        s = np.sqrt(1 - 0.75 * t * t)
        for side in (-1, 1):
            strand = ellipsoid((0, 0, 0), (4.0 * s, 16 / count, 3.0 * s), crust, segments=10, rings=6)
            parts.append(moved(strand, x=side * 2.1 * s, y=(t + side * 0.5 / count) * 12, z=4.6 * s, turn=-side * 0.7, tilt=side * 0.3))
    return join(parts)


def _rolls(rng: np.random.Generator) -> Soup:
    base = colour(rng, pick(rng, *CRUSTS[:5]))
    crust, rows, across = _crust(rng, base), int(rng.integers(2, 5)), int(rng.integers(1, 3))
    step, parts = 26 / rows, []
    spots = [((c - (across - 1) / 2) * 6, step * k, 0.0) for k in range(rows) for c in range(across)]
    spots += [(rng.normal(0, 0.6), step * (k + 0.5), 4.2) for k in range(rows - 1)]
    split = chance(rng, 0.4)
    for x, y, z in spots:
        high, uneven, turn = rng.uniform(2.8, 3.8), bumps(rng, 0.05, 1.5), rng.normal(0, 0.3)
        size = (5.8 / across ** 0.8, step / 2 * rng.uniform(0.96, 1.1), high)
        bun = blob(size, crust, lambda w, f=uneven: f(w) * np.where(w[..., 2] < -0.5, 0.85, 1.0), segments=10, rings=6)
        parts.append(moved(bun, x, y, z + 3, turn=turn))
        if split:
            parts.append(
                moved(ellipsoid((0, 0, 0), (0.5, 0.7 * size[1], 0.3), paint(rng, (230, 195, 135)), segments=6, rings=4),
                      x,
                      y,
                      z + 2.95 + high,
                      turn=turn))
    return join(parts)


def _bagged(rng: np.random.Generator) -> Soup:
    """A loaf in a printed or clear bag, gathered and clipped at one end."""
    outline = _slice_outline(rng)
    if chance(rng, 0.65):
        image = np.rot90(wrap_print(rng, ("BREAD", "TOAST", "WHOLE WHEAT", "WHITE", "BRIOCHE"), CRUSTS), int(rng.choice([1, 3])))
        bag = picture(image, rng.uniform(0.2, 0.6))
    else:
        bag = _crust(rng, colour(rng, pick(rng, *CRUSTS)))
    y, scale = np.array([0, 0.8, 5, 10, 15, 20, 21.5, 23, 24, 26.5]), np.array([0.8, 0.97, 1, 1.01, 1, 1, 0.75, 0.25, 0.12, 0.4])
    rings = np.array([np.column_stack([-outline[:, 0] * s, np.full(len(outline), p), 4.6 + (outline[:, 1] - 4.6) * s]) for p, s in zip(y, scale)])
    rings[-3:] *= 1 + 0.08 * np.sin(np.arange(len(outline)) * 2.4)[None, :, None] * (1, 0, 0)
    film = paint(rng, (235, 235, 235), gloss=0.6)
    clip = centred((2.4, 1.0, 2.4), paint(rng, bright(rng), 0), (0, 24, 3.4))
    return moved(join([skin_of_rings(rings, bag, uv=True), lid(rings[0][::-1], bag), lid(rings[-1], film), clip]), turn=rng.choice([0.0, np.pi]))


def bread(rng: np.random.Generator) -> Soup:
    """Tin loaf, slices and toast, hand-shaped loaf, baguettes, rolls, plait, in its bag."""
    kind = pick(rng, "tin", "tin", "sliced", "sliced", "shaped", "shaped", "baguettes", "rolls", "plait", "bag")
    if kind == "shaped":
        return _stick(rng, 26, rng.uniform(5, 6.5), 5.5, rng.uniform(2, 4), int(rng.integers(1, 7)))
    if kind == "baguettes":
        spots = pick(rng, [(-2.8, 0), (2.8, 0), (0, 4.4)], [(-2.8, 0), (2.8, 0), (-2.2, 4.6), (2.6, 4.5)])
        return join(
            moved(_stick(rng, 26, 2.9, 2.6, rng.uniform(3, 8), int(rng.integers(3, 6)), segments=10),
                  x,
                  rng.normal(0, 0.6),
                  z,
                  turn=rng.normal(0, 0.04)) for x, z in spots)
    return {"tin": _tin_loaf, "sliced": _sliced, "rolls": _rolls, "plait": _plait, "bag": _bagged}[kind](rng)


# Cupcakes ------------------------------------------------------------------------------------------------------------


def _case(rng: np.random.Generator) -> Soup:
    """A pleated paper or foil case, rim at z = 4, radius about 3.4."""
    n, low = int(rng.integers(14, 22)), rng.uniform(2.2, 2.8)
    base = pick(rng, pastel(rng), bright(rng), (248, 246, 240), (248, 246, 240), (90, 58, 38), (200, 165, 80), (190, 192, 198), (215, 185, 140),
                (30, 30, 35))
    image = np.full((64, 128, 3), colour(rng, base, 6), np.uint8)
    image = np.clip(image * (0.9 + 0.1 * np.sin(np.arange(128) * 2 * np.pi * n / 128))[None, :, None], 0, 255).astype(np.uint8)
    style, second = int(rng.integers(6)), pick(rng, bright(rng), (255, 255, 255))
    if style == 0:
        dots(rng, image, [second], 70, (2, 4))
    elif style == 1:
        image[:, np.arange(128) % 16 < 8] = second
    elif style == 2:
        image[:int(rng.integers(8, 30))] = second
    elif style == 3:
        image[(np.add.outer(np.arange(64), np.arange(128)) // 8) % 2 == 0] = second
    mat = picture(image, 0.6 if base[0] in (200, 190) else 0.05)
    fold = scalloped(n, rng.uniform(0.015, 0.045))
    rim = rng.uniform(3.1, 3.6)
    out = [turned([(0, 0), (low, 0)], mat, outline=fold, segments=2 * n), turned([(low, 0), (rim, 4)], mat, outline=fold, segments=3 * n)]
    if chance(rng, 0.2):
        out.append(turned([(rim, 3.0), (rim * 1.12, 5.4), (rim * 1.05, 5.2), (rim * 0.9, 3.5)], mat, outline=scalloped(4, 0.06), segments=24))
    return join(out)


def _muffin_top(rng: np.random.Generator, base: RGB) -> Soup:
    image = canvas(rng, base, rng.uniform(0.1, 0.25), (9, 9), 96, 96)
    bits = pick(rng, [(55, 32, 22)], [(45, 45, 95), (70, 40, 90)], [(235, 205, 150)], [(225, 190, 130), (150, 100, 60)], [base])
    dots(rng, image, bits, int(rng.integers(20, 60)), (1, 3.5))
    wide, high = rng.uniform(3.5, 4.5), rng.uniform(2.0, 3.8)
    profile = arc([(2.9, 3.6), (wide, 4.2), (wide * 0.98, 4.9), (wide * 0.7, 4 + 0.8 * high), (wide * 0.3, 4 + high), (0, 4 + high)], 11)
    parts = [turned(profile, picture(image), outline=wobbly(rng, 0.03), segments=22)]
    for _ in range(int(rng.integers(0, 12))):
        a, s = tau(rng), rng.uniform(0, 0.75)
        z = 4 + high * (1 - s ** 2.2) - 0.1
        parts.append(
            ellipsoid((wide * s * np.cos(a), wide * s * np.sin(a), z), (0.4, 0.4, 0.35),
                      paint(rng, pick(rng, *bits), 6, gloss=0.3),
                      segments=6,
                      rings=4))
    return join(parts)


def _icing(rng: np.random.Generator, kind: str) -> tuple[Soup, float]:
    """Piped high, domed or level icing over the rim at z = 4, and where its top is."""
    base = pick(rng, pastel(rng), pastel(rng), (252, 246, 232), (252, 246, 232), (95, 58, 38), (245, 175, 195), bright(rng), (190, 130, 75))
    cream = paint(rng, base, 5, gloss=rng.uniform(0.05, 0.4))
    if kind == "piped":
        high = rng.uniform(3.2, 5.5)
        return moved(swirl(rng, rng.uniform(3.3, 3.9), high, cream, turns=int(rng.integers(2, 5))), z=4), 4 + high * 0.95
    if kind == "rosettes":
        spots = [(2.1 * np.cos(a), 2.1 * np.sin(a), 4.2) for a in np.linspace(0, 2 * np.pi, 7)[:6]] + [(0, 0, 4.9)]
        return join(moved(swirl(rng, 1.35, 1.8, cream, turns=1, lobes=5), *s) for s in spots), 6.4
    image = canvas(rng, base, 0.03)
    if chance(rng, 0.6):
        dots(rng, image, [bright(rng) for _ in range(5)] if chance(rng, 0.6) else [pick(rng, CHOCOLATE, (255, 255, 255), (220, 40, 60))],
             int(rng.integers(15, 70)), (0.8, 1.6))
    high = rng.uniform(1.8, 3.2) if kind == "dome" else rng.uniform(0.9, 1.4)
    profile = arc([(3.3, 3.7), (3.65, 4.1), (3.4, 4.2 + 0.4 * high), (2.0, 4 + 0.9 * high), (0, 4 + high)], 9)
    return turned(profile, picture(image, 0.3), outline=wobbly(rng, 0.03), segments=24, planar=True), 4 + high


def cupcake(rng: np.random.Generator) -> Soup:
    """Muffins and cupcakes: a pleated case with a baked top, or icing and what is put on it."""
    base = colour(rng, pick(rng, (215, 165, 95), (195, 140, 80), (95, 58, 38), (235, 195, 130), (150, 35, 40)), 8)
    case, kind = _case(rng), pick(rng, "muffin", "muffin", "piped", "piped", "piped", "rosettes", "dome", "level")
    if kind == "muffin":
        return join([case, _muffin_top(rng, base)])
    icing, top = _icing(rng, kind)
    parts = [case, turned([(3.2, 3.5), (3.3, 4.0), (3.1, 4.3), (0, 4.4)], paint(rng, base, 4), segments=18), icing]
    on = pick(rng, "nothing", "cherry", "berries", "sprinkles", "sprinkles", "sweets", "biscuit", "flag")
    if on == "cherry":
        parts.append(cherry(rng, 0, 0, top + 0.3, rng.uniform(0.7, 1.0)))
    elif on == "berries":
        parts.append(
            berries(rng, int(rng.integers(1, 5)), 0.7, lambda: (rng.normal(0, 0.7), rng.normal(0, 0.7), top + 0.15), [(40, 45, 90), (200, 30, 60),
                                                                                                                      (60, 20, 50)]))
    elif on in ("sprinkles", "sweets"):
        size = 0.13 if on == "sprinkles" else 0.35
        shades = [paint(rng, bright(rng), 0, gloss=0.3) for _ in range(4)] if chance(rng, 0.7) else [paint(rng, CHOCOLATE)]
        for _ in range(22 if on == "sprinkles" else 7):
            a, s = tau(rng), rng.uniform(0.1, 0.95)
            z = 4 + (top - 4) * (1 - s) + 0.12 if kind == "piped" else 4.2 + (top - 4) * (1 - s * s * 0.9)
            bit = box((-size, -3 * size, -size), (size, 3 * size, size), pick(rng, *shades)) if on == "sprinkles" else ellipsoid(
                (0, 0, 0), (size, ) * 3, pick(rng, *shades), segments=6, rings=4)
            parts.append(moved(bit, 3.3 * s * np.cos(a), 3.3 * s * np.sin(a), z, turn=tau(rng), roll=rng.normal(0, 0.4)))
    elif on == "biscuit":
        parts.append(
            moved(prism(ring_outline(1.4, 1.4, n=14), -0.25, 0.25, paint(rng, pick(rng, CHOCOLATE, (205, 150, 90)))),
                  z=top + 0.2,
                  tilt=rng.uniform(0.8, 1.6),
                  turn=tau(rng)))
    elif on == "flag":
        parts += [
            limb((0, 0, top - 0.5), (0, 0, top + 2.2), (0.1, 0.1), paint(rng, (225, 200, 150)), segments=5),
            box((-0.06, 0, top + 1.0), (0.06, 1.6, top + 2.2), paint(rng, bright(rng), 0))
        ]
    return join(parts)
