"""Potted plants at random: a pot of some make and one of seven habits of growth.

Leaves have an upper and an under side and are copied by the dozen from one prototype: a plant must cost no more to trace than a chair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars.prints_parts import any_colour, chance, cloth, colour, paint, pick, repeated, rod, scattered, shade, timber
from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, scaling, transformed, translation
from sim_bridges.embedded.primitives import box, ellipsoid, lathe, limb, skin_of_rings
from sim_bridges.embedded.textures import Material, Texture, fabric, of

Maker = Callable[[np.random.Generator], Soup]


def _leaf(width: float, length: float, material: Material, shape: str = "oval", droop: float = 0.15) -> Soup:
    """A leaf from the origin along +x, folded along its middle, seen from both sides."""
    s = np.array([0, 0.2, 0.45, 0.75, 1.0])
    half = {
        "oval": [0.04, 0.75, 1, 0.7, 0],
        "heart": [0.55, 1, 0.9, 0.5, 0],
        "blade": [0.5, 0.9, 1, 0.7, 0],
        "round": [0.4, 0.95, 1, 0.85, 0.3]
    }[shape]
    half = np.array(half) * width / 2
    spine = np.stack([s * length, 0 * s, -droop * length * s**2], 1)
    out = []
    for side in (1, -1):
        edge = spine + np.stack([0 * s, side * half, 0.3 * half], 1)
        a, b = (spine, edge) if side > 0 else (edge, spine)
        tri = np.concatenate([np.stack([a[:-1], a[1:], b[1:]], 1), np.stack([a[:-1], b[1:], b[:-1]], 1)])
        area = np.linalg.norm(np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0]), axis=1)
        out.append(tri[area > 1e-9])
    upper = np.concatenate(out)
    under = (upper - [0, 0, 0.002 * max(1, length / 0.3)])[:, ::-1]
    return join([from_triangles(upper, material), from_triangles(under, paint(shade(material.color, 0.8)))])


def _poses(rng: np.random.Generator, points, yaws, pitches, sizes) -> np.ndarray:
    """4×4 of leaves at ``points``: turned by yaw about z after pitching up, rolled a little."""
    yaws, pitches, rolls = np.asarray(yaws), np.asarray(pitches), rng.normal(0, 0.25, len(points))
    turns = [np.tile(np.eye(3), (len(rolls), 1, 1)) for _ in range(3)]
    for m, angles, (i, j) in zip(turns, (yaws, -pitches, rolls), ((0, 1), (2, 0), (1, 2))):
        m[:, i, i] = m[:, j, j] = np.cos(angles)
        m[:, i, j], m[:, j, i] = -np.sin(angles), np.sin(angles)
    out = np.tile(np.eye(4), (len(rolls), 1, 1))
    out[:, :3, :3] = turns[0] @ turns[1] @ turns[2] * np.asarray(sizes)[:, None, None]
    out[:, :3, 3] = points
    return out


def _pot(rng: np.random.Generator, high: float, r: float) -> Soup:
    """Clay, glazed, woven, a cube, on a stand; the soil at ``high``."""
    tone = colour(
        rng,
        pick(rng, (184, 100, 66), (184, 100, 66), (240, 238, 232), (240, 238, 232), (60, 62, 66), (150, 150, 148), (200, 170, 120), any_colour(rng)),
        10)
    glaze = of(Texture(cloth(rng, tone, print_share=0.8, nap=0.03))) if chance(rng, 0.2) else paint(tone, pick(rng, 0, 0.3))
    kind = int(rng.integers(5))
    soil = rod((0, 0, high * 0.88), (0, 0, high * 0.92), r * 0.86, paint((62, 46, 36)), segments=16)
    if kind == 0:
        return join([
            lathe([(0, 0), (0.68 * r, 0), (0.9 * r, 0.78 * high), (r, 0.78 * high), (r, high), (0.86 * r, high), (0.86 * r, 0.9 * high)],
                  glaze,
                  segments=18), soil
        ])
    if kind == 1:
        return join([box((-r, -r, 0), (r, r, high), glaze, skip=("+z", )), box((-r, -r, 0.9 * high), (r, r, 0.93 * high), paint((62, 46, 36)))])
    if kind == 2:
        weave = of(fabric(int(rng.integers(1 << 30)), colour(rng, (196, 160, 108)), size=0.1, contrast=0.3))
        return join(
            [lathe([(0, 0), (0.8 * r, 0), (r, 0.4 * high), (0.86 * r, high), (0.8 * r, high), (0.8 * r, 0.88 * high)], weave, segments=18), soil])
    if kind == 3:
        stand, lift = timber(rng), 0.35 * high
        legs = [
            rod((0.8 * r * np.cos(t), 0.8 * r * np.sin(t), 0), (0.88 * r * np.cos(t), 0.88 * r * np.sin(t), 0.75 * high), 0.012, stand, segments=6)
            for t in np.arange(4) * np.pi / 2 + 0.7
        ]
        return join([
            lathe([(0, lift), (0.74 * r, lift), (0.8 * r, high), (0.72 * r, high), (0.72 * r, 0.88 * high)], glaze, segments=18), *legs,
            rod((0, 0, 0.88 * high), (0, 0, 0.9 * high), 0.74 * r, paint((62, 46, 36)), segments=14)
        ])
    return join([
        lathe([(0, 0), (0.6 * r, 0), (0.9 * r, 0.25 * high), (r, 0.6 * high), (0.88 * r, high), (0.8 * r, high), (0.82 * r, 0.88 * high)],
              glaze,
              segments=18,
              crease=60), soil
    ])


def _green(rng: np.random.Generator, gloss: float = 0.15) -> Material:
    return paint(colour(rng, pick(rng, (58, 110, 50), (40, 86, 44), (90, 140, 60), (70, 120, 70), (120, 150, 70), (96, 126, 104)), 12), gloss)


def _blades(rng: np.random.Generator, high: float) -> Soup:
    """Sword leaves straight up (snake plant, aloe)."""
    n = int(rng.integers(8, 20))
    inside = _green(rng)
    rim = chance(rng, 0.5)
    green = paint((190, 190, 90)) if rim else _green(rng)
    leaves, r, t = _leaf(0.07, 1, green, "blade", 0.02), np.sqrt(rng.uniform(0, 1, n)) * 0.07, rng.uniform(0, 6.3, n)
    inner = transformed(_leaf(0.05, 0.97, inside, "blade", 0.02), translation(0, 0, 0.004)) if rim else leaves
    poses = _poses(rng, np.stack([r * np.cos(t), r * np.sin(t), 0 * r + high * 0.9], 1), t, rng.uniform(1.2, 1.52, n), rng.uniform(0.35, 0.85, n))
    return join([scattered(leaves, poses), scattered(inner, poses)] if rim else [scattered(leaves, poses)])


def _fronds(rng: np.random.Generator, high: float) -> Soup:
    """Arching feathered leaves (palm, fern) from one crown, which may stand on a trunk."""
    n, m, green = int(rng.integers(7, 11)), int(rng.integers(7, 10)), _green(rng)
    trunk = rng.uniform(0.15, 0.45) if chance(rng, 0.4) else 0.0
    parts, points, yaws, pitches, sizes = [], [], [], [], []
    if trunk:
        parts.append(rod((0, 0, high * 0.9), (0.01, 0, high + trunk), 0.035, paint(colour(rng, (120, 92, 66))), end_radius=0.022, segments=8))
    for i in range(n):
        yaw, reach, rise = i * 2 * np.pi / n + rng.normal(0, 0.25), rng.uniform(0.22, 0.45), rng.uniform(0.25, 0.75)
        s = np.linspace(0.25, 1, m)
        path = np.stack([reach * s, 0 * s, rise * (1.6 * s - 1.0 * s**2)], 1)
        turn = rotation((0, 0, 1), yaw)[:3, :3]
        path = path @ turn.T + [0, 0, high * 0.9 + trunk]
        parts.append(rod((0, 0, high * 0.9 + trunk), path[m // 2], 0.006, green, segments=3))
        for p, k in zip(path, s):
            for side in (-1, 1):
                points.append(p)
                yaws.append(yaw + side * rng.uniform(0.7, 1.0))
                pitches.append(0.5 - 1.0 * k)
                sizes.append(rng.uniform(0.8, 1.1) * (1.15 - 0.6 * k))
    needle = _spike(0.035, 0.2, green)
    return join([*parts, scattered(needle, _poses(rng, points, yaws, pitches, sizes))])


def _spike(width: float, length: float, material: Material) -> Soup:
    """The plainest leaf: one lozenge, both sides."""
    p = np.array([(0, 0, 0), (0.4 * length, -width / 2, 0.004), (length, 0, -0.1 * length), (0.4 * length, width / 2, 0.004)])
    up = np.stack([p[[0, 1, 2]], p[[0, 2, 3]]])
    return join([from_triangles(up, material), from_triangles((up - [0, 0, 0.002])[:, ::-1], paint(shade(material.color, 0.8)))])


def _big_leaves(rng: np.random.Generator, high: float) -> Soup:
    """Long stalks with one broad leaf each (monstera, calathea, peace lily)."""
    n, green = int(rng.integers(9, 20)), _green(rng, 0.3)
    t = np.arange(n) * 2.4 + rng.normal(0, 0.3, n)
    reach, rise = rng.uniform(0.05, 0.3, n), rng.uniform(0.2, 0.8, n)
    tips = np.stack([reach * np.cos(t), reach * np.sin(t), high * 0.9 + rise], 1)
    stalks = [rod((0, 0, high * 0.9), p, 0.008, paint(shade(green.color, 1.2)), end_radius=0.005, segments=3) for p in tips]
    leaf = _leaf(rng.uniform(0.12, 0.22), 0.26, green, pick(rng, "heart", "heart", "oval", "round"), rng.uniform(0.1, 0.4))
    parts = [*stalks, scattered(leaf, _poses(rng, tips, t, rng.uniform(-0.7, 0.5, n), rng.uniform(0.7, 1.15, n)))]
    if chance(rng, 0.2):
        parts += [
            ellipsoid((0.1 * np.cos(a), 0.1 * np.sin(a), high + 0.85), (0.03, 0.05, 0.07), paint((246, 246, 240)), segments=8, rings=6)
            for a in rng.uniform(0, 6, 3)
        ]
    return join(parts)


def _bush(rng: np.random.Generator, high: float) -> Soup:
    """A trunk and a cloud of small leaves (fig, olive, citrus), or a clipped ball."""
    n, green, bark = int(rng.integers(70, 105)), _green(rng), paint(colour(rng, (110, 84, 60)))
    trunk, clumps = rng.uniform(0.05, 0.45), int(rng.integers(1, 5))
    hubs = np.stack([rng.normal(0, 0.08, clumps), rng.normal(0, 0.08, clumps), high + trunk + np.linspace(0.12, 0.4, clumps)], 1)
    aim = rng.normal(0, 1, (n, 3))
    aim /= np.linalg.norm(aim, axis=1, keepdims=True)
    points = hubs[rng.integers(0, clumps, n)] + aim * rng.uniform(0.3, 1, (n, 1)) * rng.uniform(0.14, 0.24)
    leaf = _spike(rng.uniform(0.05, 0.1), rng.uniform(0.1, 0.17), green)
    parts = [scattered(leaf, _poses(rng, points, np.arctan2(aim[:, 1], aim[:, 0]), aim[:, 2] * 0.8 - 0.2, rng.uniform(0.7, 1.3, n)))]
    core = paint(shade(green.color, 0.6))
    parts += [rod((0, 0, high * 0.85), h, 0.016, bark, end_radius=0.007, segments=6)
              for h in hubs] + [ellipsoid(h, (0.09, 0.09, 0.08), core, segments=8, rings=6) for h in hubs]
    if chance(rng, 0.2):
        fruit = paint(pick(rng, (240, 170, 30), (220, 60, 50), (250, 250, 240), (230, 120, 170)), 0.2)
        parts.append(repeated(ellipsoid((0, 0, 0), (0.02, ) * 3, fruit, segments=6, rings=5), points[:8] * [1.05, 1.05, 1]))
    return join(parts)


def _stem(rng: np.random.Generator, high: float) -> Soup:
    """Upright stems with leaves in turn (rubber plant, fiddle-leaf fig), or canes with tufts (dragon tree)."""
    parts, tuft = [], chance(rng, 0.5)
    green, bark = _green(rng, 0.3), paint(colour(rng, pick(rng, (120, 96, 70), (90, 120, 60))))
    leaf = _spike(0.045, 0.34, green) if tuft else _leaf(rng.uniform(0.1, 0.16), 0.22, green, pick(rng, "oval", "round"), 0.2)
    for _ in range(int(rng.integers(1, 4 if tuft else 3))):
        base, tall = rng.normal(0, 0.03, 2), rng.uniform(0.3, 0.75)
        tip = np.array([base[0] + rng.normal(0, 0.05), base[1] + rng.normal(0, 0.05), high + tall])
        foot = np.array([*base, high * 0.85])
        parts.append(rod(foot, tip, 0.02 if tuft else 0.012, bark, end_radius=0.012, segments=6))
        n = int(rng.integers(18, 30)) if tuft else int(rng.integers(8, 14))
        share = rng.uniform(0.9, 1.02, n) if tuft else np.linspace(0.2, 1.0, n)
        t = np.arange(n) * 2.4 + rng.normal(0, 0.2, n)
        parts.append(
            scattered(
                leaf,
                _poses(rng, foot + share[:, None] * (tip - foot), t,
                       rng.uniform(-0.3, 1.2, n) if tuft else rng.uniform(0, 0.8, n), rng.uniform(0.75, 1.1, n))))
    return join(parts)


def _cactus(rng: np.random.Generator, high: float) -> Soup:
    green, r = _green(rng, 0.0), rng.uniform(0.05, 0.08)
    t = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ribs = 1 + 0.1 * np.cos(t * int(pick(rng, 6, 8, 12)))
    rings = np.array([
        np.stack([r * k * ribs * np.cos(t), r * k * ribs * np.sin(t), 0 * t + high * 0.85 + z * 0.65], 1)
        for k, z in ((0.85, 0), (1, 0.2), (1, 0.75), (0.8, 0.92), (0.45, 0.985), (0, 1))
    ])
    parts = [skin_of_rings(rings, green)]
    for s in (1, -1)[:int(rng.integers(1, 3))]:
        z = high + rng.uniform(0.15, 0.35)
        parts += [
            limb((0, s * 0.03, z), (0, s * 0.14, z + 0.03), (0.032, 0.032), green, segments=8),
            limb((0, s * 0.14, z + 0.03), (0, s * 0.145, z + 0.2), (0.032, 0.028), green, segments=8)
        ]
    return join(parts)


def plant(rng: np.random.Generator) -> Soup:
    high = rng.uniform(0.2, 0.38)
    foliage = pick(rng, _blades, _fronds, _fronds, _big_leaves, _big_leaves, _bush, _bush, _stem, _stem, _cactus)(rng, high)
    low, top = foliage.bounds()
    slim = min(1.0, rng.uniform(0.42, 0.6) / float((top - low)[:2].max()))  # the class's box is slender: keep the pot in proportion to it
    return join([_pot(rng, high, rng.uniform(0.1, 0.16)), transformed(foliage, scaling(slim, slim, 1))])


MAKERS: Mapping[str, Maker] = {"plant": plant}
