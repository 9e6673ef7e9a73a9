"""Towels and pillows at random: the same cloths, folded, rolled and dropped, or stuffed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars.prints_parts import (any_colour, chance, cloth, colour, draped, paint, pick, prism, profile, rod, round_rect, shade, spun,
                                               superellipse, wavering)
from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, scaling, transformed, translation
from sim_bridges.embedded.primitives import ellipsoid, lathe, skin_of_rings
from sim_bridges.embedded.textures import Material, Texture, of

Maker = Callable[[np.random.Generator], Soup]


def _towel_cloth(rng: np.random.Generator) -> Material:
    scale = rng.uniform(0.12, 0.3)
    base = any_colour(rng, (0.03, 0.5), (0.6, 0.98)) if chance(rng, 0.6) else None
    return of(Texture(cloth(rng, base, print_share=0.4, nap=rng.uniform(0.06, 0.16)), (scale, scale)))


def _folded_towel(rng: np.random.Generator, z: float, high: float, a: float = 0.125, b: float = 0.175) -> Soup:
    """Layers with their round folds at the front; a woven border near one end."""
    cover, layers = _towel_cloth(rng), int(rng.integers(1, 4))
    t, parts = high / layers, []
    for i in range(layers):
        front = a - abs(rng.normal(0, 0.004))
        shape = round_rect(-a + abs(rng.normal(0, 0.004)), z + i * t, front, z + (i + 1) * t - 0.0006, 0.48 * t)
        parts.append(profile(shape, 2 * b - abs(rng.normal(0, 0.006)), cover))
    if chance(rng, 0.5):
        band = paint(shade(cover.color, rng.choice([0.7, 1.2])) if chance(rng, 0.6) else any_colour(rng))
        y, w = rng.uniform(0.08, 0.14), rng.uniform(0.006, 0.03)
        for shift in (0, 0.04)[:int(rng.integers(1, 3))]:
            parts.append(profile(round_rect(-a, z, a + 0.0006, z + high + 0.0006, 0.4 * t), w, band, y - shift))
    return join(parts)


def _towel_pile(rng: np.random.Generator) -> Soup:
    count = int(rng.integers(2, 5))
    return join(
        _folded_towel(rng, i * 0.06 / count, 0.06 / count, 0.125 - abs(rng.normal(0, 0.005)), 0.175 - abs(rng.normal(0, 0.008)))
        for i in range(count))


def _towel_rolls(rng: np.random.Generator) -> Soup:
    """Rolled up, side by side; the ends show the spiral."""
    count, parts = int(rng.integers(2, 5)), []
    shared = _towel_cloth(rng)
    for i in range(count):
        cover = shared if chance(rng, 0.6) else _towel_cloth(rng)
        y, x = np.mgrid[-1:1:48j, -1:1:48j]
        spiral = 0.8 + 0.2 * np.sign(np.sin((np.hypot(x, y) * rng.uniform(3, 6) + np.arctan2(y, x) / 2 / np.pi) * 2 * np.pi))
        end = of(Texture((np.array(cover.color) * spiral[..., None]).astype(np.uint8)))
        r = 0.03
        half = prism(superellipse(r, r, 2, 16), 0, 0.175 - abs(rng.normal(0, 0.004)), cover, end)
        for turn in (np.pi / 2, -np.pi / 2):
            parts.append(transformed(half, translation((i - (count - 1) / 2) * 2 * r, 0, r) @ rotation((1, 0, 0), turn)))
    return join(parts)


def _crumpled(rng: np.random.Generator) -> Soup:
    """Dropped: a wrinkled mound."""
    x, y = np.meshgrid(np.linspace(-1, 1, 18), np.linspace(-1, 1, 22))
    fold = sum(np.sin(rng.uniform(2, 7) * (np.cos(a) * x + np.sin(a) * y) + rng.uniform(0, 6)) for a in rng.uniform(0, 3.2, 4)) / 4
    rim = (1 - np.abs(x)**4) * (1 - np.abs(y)**4)
    z = rim * np.clip(0.45 + 0.55 * fold, 0.06, None)
    wander = 1 + 0.12 * np.sin(3 * np.arctan2(y, x) + rng.uniform(0, 6))
    grid = np.stack([x * 0.125 * wander, y * 0.175 * wander, z * 0.06], -1)
    return join(
        [skin_of_rings(grid, _towel_cloth(rng), closed=False),
         skin_of_rings((grid * [1, 1, 0])[:, ::-1], paint((120, 120, 120)), closed=False)])


def _loose(rng: np.random.Generator) -> Soup:
    """Folded once or twice without care: layers that wave and do not quite meet."""
    cover, parts, count = _towel_cloth(rng), [], int(rng.integers(2, 4))
    xs, low = np.linspace(-0.125, 0.125, 16), np.zeros(16)
    for i in range(count):
        top = low + 0.012 + 0.008 * np.abs(np.sin(xs * rng.uniform(15, 40) + rng.uniform(0, 6))) * rng.uniform(0.3, 1)
        y0, y1 = -0.175 + abs(rng.normal(0, 0.012)), 0.175 - abs(rng.normal(0, 0.012))
        parts.append(draped(xs * rng.uniform(0.93, 1), top, low, y0, y1, cover, paint(shade(cover.color, rng.uniform(0.75, 0.95)))))
        low = top + 0.001
    return join(parts)


def towel(rng: np.random.Generator) -> Soup:
    """Folded, in a pile, rolled, dropped in a heap, laid down loosely."""
    kind = int(rng.integers(8))
    return _folded_towel(rng, 0, 0.06) if kind <= 2 else pick(rng, _towel_pile, _towel_rolls, _crumpled, _loose)(rng)


def _puffed(outline: np.ndarray,
            high: float,
            material: Material,
            power: float = 2.2,
            tuft: float = 0.0,
            wrinkle: np.ndarray | None = None,
            rim: float = 0.0) -> Soup:
    """A stuffed shape: two bulging halves over ``outline``, seam at z = 0; the picture runs once across."""
    rings, low, span = [], outline.min(axis=0), np.ptp(outline, axis=0)
    for r in (1.0, 0.985, 0.94, 0.85, 0.68, 0.45, 0.2, 0.0):
        z = rim + high * (1 - r**power)**0.6 * (1 - tuft * np.exp(-(r / 0.22)**2))
        bump = 1 + (wrinkle if wrinkle is not None else 0) * r * (1 - r) * 4
        rings.append(np.concatenate([outline * r, (z * bump * np.ones(len(outline)))[:, None]], 1))
    upper = skin_of_rings(np.array(rings), material)
    uv = np.stack([(upper.pos[..., 1] - low[1]) / span[1], (low[0] + span[0] - upper.pos[..., 0]) / span[0]], -1)
    upper = from_triangles(upper.pos, material, nrm=upper.nrm, uv=uv)
    return join([upper, transformed(upper, scaling(1, 1, -1))])


def _pillow_outline(rng: np.random.Generator, kind: int) -> np.ndarray:
    t = np.linspace(0, 2 * np.pi, 36, endpoint=False) + 1e-3
    if kind == 1:
        return np.stack([0.175 * np.cos(t), 0.225 * np.sin(t)], 1)
    if kind == 2:  # heart, star, cloud
        r = pick(rng, 1 + 0.16 * np.cos(5 * t), 1 + 0.1 * np.abs(np.sin(3 * t)),
                 1.0 - 0.35 * np.exp(-((t - np.pi) / 0.35)**2) + 0.15 * np.exp(-(np.minimum(t, 2 * np.pi - t) / 0.3)**2))
        return np.stack([0.175 * r * np.cos(t), 0.225 * r * np.sin(t)], 1)
    body = superellipse(0.175, 0.225, rng.uniform(5, 9), 36)
    ears = np.abs(np.sin(2 * np.arctan2(body[:, 1] / 0.225, body[:, 0] / 0.175)))[:, None]
    return body * (1 - rng.uniform(0, 0.12) * (1 - ears))


def pillow(rng: np.random.Generator) -> Soup:
    """Square and oblong cushions (plain, printed, tufted, piped, flanged), bed pillows, round ones, bolsters, neck rolls, shapes, two stacked."""
    kind = pick(rng, 0, 0, 0, 0, 1, 2, 3, 4, 5)
    cover = of(Texture(cloth(rng, nap=rng.uniform(0.02, 0.1))))
    if kind == 3:
        return _bolsters(rng)
    if kind == 4:  # a neck cushion, open to the front
        t = np.linspace(0.55, 2 * np.pi - 0.55, 14)
        spine, b = np.stack([0.11 * np.cos(t), 0.15 * np.sin(t), 0 * t], 1), np.linspace(0, 2 * np.pi, 12, endpoint=False)
        thick = 0.07 * (0.6 + 0.4 * np.sin(np.linspace(0.15, np.pi - 0.15, 14)))
        out = spine / np.linalg.norm(spine, axis=1, keepdims=True)
        rings = spine[:, None] + thick[:, None, None] * (np.cos(b)[None, :, None] * -out[:, None] + np.sin(b)[None, :, None] * np.array([0, 0, 1.0]))
        ends = [ellipsoid(spine[i], (thick[i], ) * 3, cover, segments=10, rings=7) for i in (0, -1)]
        return join([skin_of_rings(rings, cover), *ends])
    if kind == 5:  # two bed pillows
        white = [
            of(Texture(cloth(rng, colour(rng, pick(rng, (240, 240, 238), (226, 230, 236), (238, 228, 214)), 8), print_share=0.3, nap=0.03)))
            for _ in range(2)
        ]
        halves = [_puffed(superellipse(0.175, 0.225, 6, 26), 0.05, w, 3, wrinkle=wavering(rng, 26, 0.15)) for w in white]
        return join([halves[0], spun(halves[1], rng.normal(0, 0.06), z=0.085)])
    outline = _pillow_outline(rng, kind)
    high = rng.uniform(0.05, 0.08)
    parts = [
        _puffed(outline, high, cover, rng.uniform(1.8, 3.5), tuft := pick(rng, 0, 0, 0.4) if kind < 2 else 0.0,
                wavering(rng, 36, rng.uniform(0, 0.15)))
    ]
    if tuft:
        parts += [ellipsoid((0, 0, s * high * 0.66), (0.012, 0.012, 0.006), paint(shade(cover.color, 0.7)), segments=8, rings=5) for s in (-1, 1)]
    trim = paint(pick(rng, shade(cover.color, 0.6), (245, 242, 236), any_colour(rng)))
    edge = int(rng.integers(4))
    if edge == 1:
        parts.append(prism(outline * 1.02, -0.005, 0.005, trim, bevel=0.02))
    elif edge == 2:
        parts.append(prism(outline * rng.uniform(1.08, 1.16), -0.003, 0.003, trim if chance(rng, 0.3) else cover))
    elif edge == 3 and kind == 0:
        tuft = rod((0, 0, -0.03), (0, 0, 0), 0.014, trim, end_radius=0.003, segments=6)
        parts += [transformed(tuft, translation(sx * 0.165, sy * 0.213, 0) @ rotation((sy, -sx, 0), -np.pi / 2)) for sx in (-1, 1) for sy in (-1, 1)]
    return join(parts)


def _bolsters(rng: np.random.Generator) -> Soup:
    """One or two rolls along y, gathered or buttoned at the ends."""
    parts, count = [], int(rng.integers(1, 3))
    for i in range(count):
        cover, r = of(Texture(cloth(rng))), 0.085
        dip = rng.uniform(0.3, 0.9)
        shape = [(0, -0.21), (0.3 * r, -0.218), (0.75 * r, -0.215), (r, -0.18), (r * 1.04, 0), (r, 0.18), (0.75 * r, 0.215), (0.3 * r, 0.218),
                 (0, 0.21)]
        roll = join([
            lathe(shape, cover, segments=20, crease=100), *(ellipsoid(
                (0, 0, s * 0.213), (0.25 * r * dip, 0.25 * r * dip, 0.01), paint(shade(cover.color, 0.6)), segments=8, rings=5) for s in (-1, 1))
        ])
        parts.append(transformed(roll, translation((i - (count - 1) / 2) * 2 * r, 0, r) @ rotation((1, 0, 0), np.pi / 2)))
    return join(parts)


MAKERS: Mapping[str, Maker] = {"towel": towel, "pillow": pillow}
