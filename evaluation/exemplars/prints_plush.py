"""Stuffed animals at random, and the small round pieces toys are made of.

Bears and their kin differ by ears, muzzle and colour; all have a head as large as the belly, short limbs and cloth for skin.
"""

from __future__ import annotations

import numpy as np

from evaluation.exemplars.prints_parts import chance, cloth, colour, paint, pick, rod, shade, torus
from sim_bridges.embedded.meshes import Soup, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, ellipsoid, limb
from sim_bridges.embedded.textures import RGB, Material, Texture, of

BLACK = paint((22, 20, 22), 0.6)
BRIGHT = ((222, 48, 44), (246, 196, 44), (48, 110, 200), (64, 160, 80), (240, 130, 40), (150, 80, 170), (90, 190, 220), (240, 120, 160), (244, 242,
                                                                                                                                          236))


def bright(rng: np.random.Generator) -> RGB:
    return colour(rng, BRIGHT[int(rng.integers(len(BRIGHT)))], 14)


def glossy(rng: np.random.Generator) -> Material:
    return paint(bright(rng), pick(rng, 0.1, 0.4))


def ball(at, radii, material: Material) -> Soup:
    return ellipsoid(at, radii if np.ndim(radii) else (radii, ) * 3, material, segments=9, rings=6)


def dot(at, r: float, material: Material = BLACK) -> Soup:
    return ellipsoid(at, (r, r, r), material, segments=6, rings=5)


def plush(rng: np.random.Generator, kind: str) -> Soup:
    """A stuffed animal, sitting or standing: bears and their kin differ by ears, muzzle and colour."""
    tones = {
        "bear": ((176, 122, 74), (146, 94, 56), (222, 192, 150), (240, 232, 220), (110, 72, 48), (200, 160, 110)),
        "rabbit": ((236, 226, 214), (190, 180, 172), (232, 190, 196)),
        "panda": ((242, 240, 236), ),
        "dog": ((206, 170, 120), (150, 104, 66), (236, 228, 214)),
        "cat": ((226, 150, 76), (150, 150, 154), (60, 58, 60)),
        "elephant": ((150, 156, 170), (176, 190, 206), (224, 180, 196)),
        "frog": ((100, 180, 80), (140, 200, 100)),
        "monkey": ((120, 78, 50), )
    }[kind]
    base = bright(rng) if chance(rng, 0.12) else colour(rng, pick(rng, *tones), 14)
    nap = rng.uniform(0.04, 0.2)
    fur = of(Texture(cloth(rng, base, print_share=0.0, nap=nap)))
    light = of(Texture(cloth(rng, colour(rng, pick(rng, (240, 226, 200), (244, 240, 232), shade(base, 1.3))), print_share=0.0, nap=nap)))
    far = of(Texture(cloth(rng, (40, 38, 40), print_share=0.0))) if kind == "panda" else fur
    head, fat, long = rng.uniform(0.058, 0.075), rng.uniform(0.055, 0.07), rng.uniform(0.8, 1.15)
    top = 0.055 + 1.55 * fat + 0.55 * head
    parts = [ball((0, 0, 0.07), (0.92 * fat, fat, 1.15 * fat), fur), ball((0.005, 0, top), (0.92 * head, head * 1.05, 0.95 * head), fur)]
    if chance(rng, 0.6):
        parts.append(ball((0.02, 0, 0.066), (0.9 * fat - 0.012, 0.72 * fat, 0.9 * fat), light))
    if kind == "elephant":
        parts += [
            limb((0.9 * head, 0, top - 0.01), (head + 0.02, 0, top - 0.05), (0.018, 0.013), fur, segments=8),
            limb((head + 0.02, 0, top - 0.05), (head + 0.045, 0, top - 0.045), (0.013, 0.01), fur, segments=8)
        ]
    elif kind != "frog":
        parts.append(ball((0.85 * head, 0, top - 0.25 * head), (0.42 * head, 0.5 * head, 0.36 * head), light))
        parts.append(
            ball((1.22 * head, 0, top - 0.12 * head), (0.12 * head, 0.17 * head, 0.12 * head), BLACK if kind != "rabbit" else paint((220, 130, 140))))
    eye = (0.4, 0.45, 0.75) if kind == "frog" else (0.8, 0.38, 0.25)
    for s in (-1, 1):
        if kind in ("frog", "panda"):
            parts.append(
                dot((head * (eye[0] - 0.06), s * head * eye[1], top + head * eye[2]), head * 0.25,
                    paint((244, 244, 240)) if kind == "frog" else far))
        parts.append(
            dot((head * (eye[0] + (0.18 if kind == "frog" else 0.06)), s * head * eye[1], top + head * eye[2]), head * rng.uniform(0.09, 0.15)))
        parts += _ear(kind, s, head, top, far, light)
    parts += _limbs(rng, fat, long, far, light)
    if chance(rng, 0.45):
        parts += _dressed(rng, fat, top - 0.85 * head)
    return join(parts)


def _ear(kind: str, s: int, head: float, top: float, fur: Material, light: Material) -> list[Soup]:
    if kind == "rabbit":
        return [
            limb((0, s * 0.4 * head, top + 0.7 * head), (-0.01, s * 0.7 * head, top + 2.1 * head), (0.25 * head, 0.3 * head, 0.14 * head),
                 fur,
                 segments=8)
        ]
    if kind == "dog":
        return [ball((0, s * 0.98 * head, top - 0.05 * head), (0.3 * head, 0.16 * head, 0.62 * head), fur)]
    if kind == "cat":
        return [
            rod((0, s * 0.55 * head, top + 0.6 * head), (0, s * 0.75 * head, top + 1.3 * head), 0.36 * head, fur, end_radius=0.02 * head, segments=6)
        ]
    if kind == "elephant":
        return [ball((0, s * 1.35 * head, top), (0.14 * head, 0.68 * head, 0.75 * head), fur)]
    if kind == "frog":
        return []
    wide = 1.0 if kind == "monkey" else 0.72
    high = 0.1 if kind == "monkey" else 0.78
    return [
        ball((0, s * wide * head, top + high * head), (0.2 * head, 0.36 * head, 0.36 * head), fur),
        dot((0.13 * head, s * wide * head, top + high * head), 0.22 * head, light)
    ]


def _limbs(rng: np.random.Generator, fat: float, long: float, fur: Material, light: Material) -> list[Soup]:
    parts, standing, lift = [], chance(rng, 0.25), rng.uniform(-0.04, 0.03)
    for s in (-1, 1):
        hand = (0.045 * long, s * (fat + 0.03), 0.07 + lift)
        parts.append(limb((0, s * 0.8 * fat, 0.115), hand, (0.021, 0.024, 0.022), fur, segments=8))
        if standing:
            parts.append(limb((0, s * 0.5 * fat, 0.03), (0.005, s * 0.6 * fat, -0.045 * long), (0.026, 0.027, 0.028), fur, segments=8))
            parts.append(ball((0.014, s * 0.6 * fat, -0.055 * long), (0.036, 0.026, 0.018), fur))
        else:
            foot = (0.075 * long, s * (0.035 + 0.5 * fat), 0.024)
            parts += [
                limb((0.02, s * 0.6 * fat, 0.026), foot, (0.027, 0.026, 0.027), fur, segments=8),
                ball((foot[0] + 0.02, foot[1], 0.026), (0.01, 0.019, 0.022), light)
            ]
    return parts


def _dressed(rng: np.random.Generator, fat: float, neck: float) -> list[Soup]:
    """A bow, a scarf or a jumper."""
    material = paint(bright(rng), 0.1)
    kind = int(rng.integers(3))
    if kind == 0:
        return [rod((0.05, 0, neck), (0.055, s * 0.032, neck), 0.004, material, end_radius=0.016, segments=7)
                for s in (-1, 1)] + [dot((0.055, 0, neck), 0.008, material)]
    if kind == 1:
        return [
            transformed(torus(0.045, 0.011, material, 12, 5),
                        translation(0, 0, neck) @ rotation((1, 0, 0), np.pi / 2)),
            box((0.045, 0.005, neck - 0.06), (0.06, 0.028, neck), material)
        ]
    jumper = of(Texture(cloth(rng, bright(rng))))
    return [ellipsoid((0, 0, 0.085), (fat * 0.98, fat * 1.05, fat * 0.95), jumper, segments=12, rings=8)]
