"""Designs of plates and bowls: shapes of rim, materials, prints. See ``food.py``."""

from __future__ import annotations

import cv2
import numpy as np

from evaluation.exemplars.food_parts import (Outline, arc, blend, bright, canvas, chance, colour, dots, from_centre, moved, noise, paint, pastel,
                                             pick, picture, polygonal, scalloped, seen_from_above, squarish, tau, turned, wobbly)
from sim_bridges.embedded.meshes import Soup, join
from sim_bridges.embedded.primitives import ellipsoid
from sim_bridges.embedded.textures import RGB, Material

_CHINA = ((246, 245, 240), (246, 245, 240), (235, 228, 212), (60, 64, 70), (35, 36, 40), (95, 125, 150), (140, 160, 140), (190, 140, 115),
          (120, 90, 75), (215, 200, 170))


def _flowers(rng: np.random.Generator, image: np.ndarray, spots: list[tuple[float, float]], size: float, shades: list[RGB]) -> None:
    for x, y in spots:
        shade = pick(rng, *shades)
        for a in np.linspace(0, 2 * np.pi, 6)[:5] + tau(rng):
            cv2.circle(image, (int(x + size * np.cos(a)), int(y + size * np.sin(a))), max(1, int(size * 0.7)), shade, -1, cv2.LINE_AA)
        cv2.circle(image, (int(x), int(y)), max(1, int(size * 0.5)), (240, 200, 80), -1, cv2.LINE_AA)
        for _ in range(2):
            a = tau(rng)
            cv2.line(image, (int(x), int(y)), (int(x + 2.6 * size * np.cos(a)), int(y + 2.6 * size * np.sin(a))), (90, 130, 70), 1, cv2.LINE_AA)


def _glaze(rng: np.random.Generator, base: RGB) -> tuple[np.ndarray, bool]:
    """Speckled or clouded stoneware, wood, or plain, 128 × 128; and whether it is wood."""
    kind = pick(rng, "plain", "plain", "plain", "speckled", "speckled", "clouded", "wood")
    if kind == "wood":
        tone = colour(rng, pick(rng, (190, 140, 85), (150, 100, 60), (215, 180, 130), (110, 72, 45)), 8)
        return canvas(rng, tone, 0.2, (24, 2), 128, 128), True
    image = canvas(rng, base, 0.015 if kind == "plain" else 0.12 if kind == "clouded" else 0.03, (5, 5), 128, 128)
    if kind == "speckled":
        dots(rng, image, [colour(rng, np.array(base) * 0.5, 8)], 180, (0.4, 1.1))
    return image, False


def _plate_picture(rng: np.random.Generator, base: RGB, rim: float) -> np.ndarray:
    """Seen from above; ``rim``: where the rim begins, as a share of the radius."""
    (image, wooden), (far, way) = _glaze(rng, base), from_centre(128)
    if wooden:
        return image
    far = far / 1.02
    ink = pick(rng, bright(rng), (35, 60, 130), (35, 60, 130), (190, 150, 70), (40, 42, 48), (150, 40, 45), (70, 110, 80), pastel(rng))
    on = pick(rng, "plain", "plain", "plain", "edge", "edge", "rings", "flowers", "flowers", "rim", "rays", "cloud", "dip", "dots", "centre",
              "willow", "checks")
    if on == "edge":
        image = blend(image, ink, (far - rng.uniform(0.93, 0.965)) * 60)
    elif on == "rings":
        for r in rng.uniform(0.2, 0.97, int(rng.integers(2, 6))):
            image = blend(image, ink, (rng.uniform(0.012, 0.04) - np.abs(far - r)) * 60)
    elif on == "rim":
        image = blend(image, ink, (far - rim) * 60)
    elif on == "rays":
        count = int(rng.integers(12, 48))
        image = blend(image, ink, np.where(far > rim, np.sin(way * count) * 3, 0))
    elif on == "cloud":
        image = blend(image, ink, (far - rng.uniform(0.4, 0.8) + 0.2 * noise(rng, 128, 128, (5, 5))) * rng.uniform(2, 6))
    elif on == "dip":
        image = blend(image, ink, (np.cos(way - tau(rng)) * far - rng.uniform(-0.1, 0.5)) * 60)
    elif on == "dots":
        count, r = int(rng.integers(8, 28)), 0.5 * (rim + 1) * 63
        for a in np.linspace(0, 2 * np.pi, count, endpoint=False):
            cv2.circle(image, (int(64 + r * np.cos(a)), int(64 + r * np.sin(a))), int(rng.integers(2, 5)), ink, -1, cv2.LINE_AA)
    elif on == "flowers":
        count, r = int(rng.integers(3, 11)), (0.5 * (rim + 1) * 63 if chance(rng, 0.7) else 38)
        spots = [(64 + r * np.cos(a), 64 + r * np.sin(a)) for a in np.linspace(0, 2 * np.pi, count, endpoint=False) + tau(rng)]
        _flowers(rng, image, spots + ([(64.0, 64.0)] if chance(rng, 0.3) else []), rng.uniform(2.5, 5), [ink, bright(rng)])
    elif on == "centre":
        _flowers(rng, image, [(64 + rng.normal(0, 10), 64 + rng.normal(0, 10)) for _ in range(int(rng.integers(1, 6)))], rng.uniform(4, 9),
                 [ink, bright(rng)])
    elif on == "willow":
        busy = noise(rng, 128, 128, (18, 18))
        image = blend(image, ink, np.where((far > rim) | (far < 0.5), (np.abs(busy) - 0.15) * 6, 0) * 0.9)
    elif on == "checks":
        cell = int(rng.integers(6, 14))
        grid = (np.add.outer(np.arange(128) // cell, np.arange(128) // cell) % 2 == 0) & (far > rim if chance(rng, 0.6) else far < 2)
        image[grid] = ink
    if chance(rng, 0.2):
        image = blend(image, (190, 150, 70), (far - 0.965) * 60)
    return image


def _rim_shape(rng: np.random.Generator) -> tuple[Outline | None, int]:
    """Most are round; some scalloped, square, many-sided or thrown by hand. With the number of segments it needs."""
    kind = pick(rng, "round", "round", "round", "round", "scallop", "square", "sides", "wobbly")
    if kind == "scallop":
        n = int(rng.integers(6, 13))
        return scalloped(n, rng.uniform(0.015, 0.04)), 3 * n + 3 * n % 2
    if kind == "square":
        return squarish(rng.uniform(4, 10)), 32
    if kind == "sides":
        n = pick(rng, 6, 8, 10, 12)
        return polygonal(n), 24 if n in (6, 8, 12) else 20
    return (wobbly(rng, 0.02), 32) if kind == "wobbly" else (None, 32)


def plate(rng: np.random.Generator) -> Soup:
    """Rimmed, coupe, flat with upright edge, deep; china, stoneware, wood, glass, enamel, paper; all rims and prints."""
    base, (shape, n) = colour(rng, pick(rng, *_CHINA, bright(rng), pastel(rng)), 6), _rim_shape(rng)
    kind = pick(rng, "rimmed", "rimmed", "coupe", "coupe", "upright", "deep", "paper", "glass")
    well = rng.uniform(0.58, 0.75)
    inside = {
        "rimmed": [(1, 1), (well + 0.06, 0.55), (well, 0.25)],
        "coupe": [(1, 1), (0.93, 0.6), (0.8, 0.3), (0.65, 0.2)],
        "upright": [(1, 1), (0.975, 0.9), (0.955, 0.25), (0.93, 0.18)],
        "deep": [(1, 1), (0.75, 0.92), (0.66, 0.55), (0.5, 0.2)],
        "paper": [(1, 1), (0.95, 0.95), (0.78, 0.25), (0.74, 0.15)],
        "glass": [(1, 1), (well + 0.1, 0.5), (well, 0.25)]
    }[kind]
    high = rng.uniform(1.8, 3.2)
    inner = [(12 * r, high * z) for r, z in inside] + [(12 * inside[-1][0] * 0.5, high * 0.17), (0, high * 0.17)]
    foot = inside[-1][0] * rng.uniform(0.75, 1.0)
    outer = [(0, 0.05), (12 * foot * 0.93, 0.05), (12 * foot, 0), (12 * foot * 1.02, 0.1),
             *[(12 * r + 0.05, max(0.12, high * (z - 0.14))) for r, z in inside[1:-1][::-1]], (12, high * 0.93)]
    if kind == "paper":
        shape, n = scalloped(24, 0.012), 72
        inner, outer = [inner[0], inner[2], inner[3], inner[-1]], [(0, 0), (12 * 0.74, 0), (12, high * 0.93)]
    if kind == "glass":
        clear = paint(rng, pick(rng, (220, 232, 232), (220, 232, 232), bright(rng), (60, 65, 70)), 5, gloss=0.9, opacity=rng.uniform(0.25, 0.6))
        return join([turned(outer, clear, outline=shape, segments=n), turned([outer[-1], *inner], clear, outline=shape, segments=n)])
    gloss = pick(rng, 0.05, 0.3, 0.6)
    image = _plate_picture(rng, base, well + 0.04 if kind == "rimmed" else 0.75)
    under = paint(rng, image.reshape(-1, 3).mean(axis=0) if chance(rng, 0.7) else (245, 244, 240), 5, gloss=gloss)
    front = seen_from_above(turned([outer[-1], *inner], picture(image, gloss), outline=shape, segments=n))
    return moved(join([turned(outer, under, outline=shape, segments=n), front]), turn=0.0 if shape else tau(rng))


def _bowl_picture(rng: np.random.Generator, base: RGB) -> np.ndarray:
    """The outside of a bowl, once round it."""
    image, wooden = _glaze(rng, base)
    if wooden and chance(rng, 0.6):
        return image
    ink, y = pick(rng, bright(rng), (35, 60, 130), (245, 244, 240), (190, 150, 70), (40, 42, 48), (150, 40, 45),
                  pastel(rng)), np.arange(128)[:, None] + 0 * np.arange(128)
    x = np.arange(128)[None] + 0 * y
    on = pick(rng, "plain", "plain", "plain", "bands", "bands", "stripes", "dip", "dots", "flowers", "zigzag", "cloud", "checks")
    if on == "bands":
        for _ in range(int(rng.integers(1, 5))):
            at = rng.uniform(4, 100)
            image[(np.abs(y - at) < rng.uniform(1, 9))] = ink
    elif on == "stripes":
        image[np.mod(x + y * pick(rng, 0, 0, 1), 128 // pick(rng, 8, 16)) < rng.uniform(2, 6)] = ink
    elif on == "dip":
        image = blend(image, ink, (rng.uniform(30, 90) - y + rng.uniform(0, 8) * np.sin(x * 2 * np.pi * 3 / 128)) * 0.5)
    elif on == "dots":
        dots(rng, image, [ink], int(rng.integers(15, 90)), (2, 5))
    elif on == "flowers":
        _flowers(rng, image, [(rng.uniform(6, 122), rng.uniform(15, 90)) for _ in range(int(rng.integers(5, 14)))], rng.uniform(3, 6),
                 [ink, bright(rng)])
    elif on == "zigzag":
        wave = np.abs(np.mod(x, 16) - 8)
        image[np.mod(y + wave * 1.5, pick(rng, 24, 48, 128)) < rng.uniform(4, 10)] = ink
    elif on == "cloud":
        image = blend(image, ink, (0.5 - y / 128 + 0.25 * noise(rng, 128, 128, (4, 8))) * 4)
    elif on == "checks":
        image[(x // 8 + y // 8) % 2 == 0] = ink
    return image


_BOWLS = {  # outline from the foot outwards (radius, height), both as shares
    "round": [(0.45, 0.0), (0.72, 0.2), (0.92, 0.55), (1, 1)],
    "ramen": [(0.4, 0.1), (0.62, 0.25), (0.85, 0.6), (1, 1)],
    "cone": [(0.4, 0.05), (0.6, 0.33), (0.8, 0.66), (1, 1)],
    "upright": [(0.72, 0.0), (0.93, 0.12), (0.98, 0.5), (1, 1)],
    "tulip": [(0.4, 0.05), (0.75, 0.25), (0.82, 0.65), (1, 1)],
    "tucked": [(0.45, 0.0), (0.9, 0.25), (1.02, 0.6), (0.96, 1)],
    "brimmed": [(0.45, 0.0), (0.62, 0.3), (0.72, 0.82), (1, 1)],
    "low": [(0.3, 0.0), (0.75, 0.15), (0.93, 0.5), (1, 1)],
}


def dishbowl(rng: np.random.Generator) -> Soup:
    """Round, conical, upright, flared, tucked in or brimmed; on a foot or flat; china, wood, glass, steel; perhaps with lugs or a coloured rim."""
    base, (shape, n) = colour(rng, pick(rng, *_CHINA, bright(rng), pastel(rng)), 6), _rim_shape(rng)
    wall = arc([(9 * r, 8 * z) for r, z in _BOWLS[pick(rng, *_BOWLS)]], 7)
    thick, foot = rng.uniform(0.25, 0.6), rng.uniform(0.3, 1.3) if chance(rng, 0.55) else 0.0
    wall = [(r, z + foot) for r, z in wall]
    low = wall[0]
    stuff = pick(rng, "ceramic", "ceramic", "ceramic", "ceramic", "glass", "steel")
    if stuff == "glass":
        outside = inside = paint(rng, pick(rng, (222, 234, 234), (222, 234, 234), bright(rng)), 5, gloss=0.9, opacity=rng.uniform(0.2, 0.5))
    elif stuff == "steel":
        outside = inside = paint(rng, (190, 193, 198), 10, gloss=0.9)
    else:
        gloss = pick(rng, 0.05, 0.3, 0.6)
        image = _bowl_picture(rng, base)
        outside = picture(image, gloss)
        mean = image.reshape(-1, 3).mean(axis=0)
        inside = paint(rng, pick(rng, mean, mean, (246, 245, 240), bright(rng)), 4, gloss=gloss)
        if chance(rng, 0.25):
            inside = picture(_plate_picture(rng, base, 0.8), gloss)
    ring = paint(rng, pick(rng, (35, 60, 130), (150, 95, 55),
                           (190, 150, 70), bright(rng)), 6, gloss=0.4) if chance(rng, 0.25) and stuff == "ceramic" else inside
    under = Material(outside.color, opacity=outside.opacity, gloss=outside.gloss)
    top_r, top_z = wall[-1]
    bead = [(top_r, top_z), (top_r + (0.35 if stuff == "steel" else 0.0), top_z + 0.12), (top_r - thick / 2, top_z + 0.2), (top_r - thick, top_z)]
    hollow = [(max(0.05, r - thick), max(z, low[1] + thick)) for r, z in wall[::-1]] + [(0, low[1] + thick)]
    parts = [
        turned(wall, outside, outline=shape, segments=n),
        turned(bead, ring, outline=shape, segments=n),
        seen_from_above(turned(hollow, inside, outline=shape, segments=n)),
        turned([(0, low[1]), low], under, outline=shape, segments=n)
    ]
    if foot:
        parts.append(turned([(low[0] * 0.9, 0), (low[0] * 0.97, 0), (low[0] * 0.92, foot + 0.2)], under, segments=20))
    if chance(rng, 0.12):
        for side in (-1, 1):
            lug = ellipsoid((0, side * (top_r + 0.3), top_z - 1.0), (2.0, 1.2, 0.5), under, segments=10, rings=5)
            parts.append(lug)
    return join(parts)
