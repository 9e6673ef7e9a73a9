"""Laptops and cutting boards at random: flat slabs that are told apart by what is on their faces.

A laptop's class box is as low as a closed one, so an open one is drawn laid back almost flat, base and screen side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars.prints_parts import (FONTS, any_colour, chance, colour, contrast_to, lying, paint, pick, picture, prism, rod, round_rect,
                                               shade, superellipse, text_lines, timber, title, wavering)
from sim_bridges.embedded.meshes import Soup, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import box, centred, quad
from sim_bridges.embedded.textures import RGB, Material, Texture, of

Maker = Callable[[np.random.Generator], Soup]


def _deck(rng: np.random.Generator, body: RGB) -> np.ndarray:
    """Keyboard and touchpad seen from above."""
    image = np.full((86, 128, 3), body, np.uint8)
    keys = pick(rng, (28, 28, 30), (28, 28, 30), (60, 60, 64), (235, 235, 235), shade(body, 0.8))
    x0, top, bottom = int(rng.uniform(5, 16)), int(rng.uniform(6, 12)), int(rng.uniform(46, 54))
    image[top:bottom, x0:128 - x0] = shade(keys, 0.8) if sum(body) > 240 else shade(body, 0.7)
    step = (bottom - top) / 6
    for i in range(6):
        x = x0 + 1.0
        while x < 124 - x0:
            wide = 26 if i == 5 and 34 < x < 50 else 6 * rng.choice([1, 1, 1, 1, 1.5])
            end = min(127 - x0, x + wide)
            image[int(top + i * step) + 1:int(top + (i + 1) * step) - 1, int(x) + 1:int(end)] = keys
            x = end + 1
    wide = int(rng.uniform(16, 26))
    image[bottom + 5:82, 64 - wide:64 + wide] = shade(body, rng.choice([0.85, 1.1]))
    image[[bottom + 5, 81], 64 - wide:64 + wide] = shade(body, 0.7)
    return image


def _screen(rng: np.random.Generator) -> Material:
    image = np.full((86, 128, 3), (16, 16, 18), np.uint8)
    kind = int(rng.integers(4))
    inner = image[5:80, 5:123]
    if kind == 1:
        inner[:] = picture(rng, 118, 75)
        inner[-6:] = (40, 44, 52)
    elif kind == 2:
        inner[:] = (248, 248, 250)
        inner[:8] = any_colour(rng)
        text_lines(image, rng, (40, 18, 112, 76), (120, 120, 124), 4)
    elif kind == 3:
        inner[:] = (30, 32, 40)
        text_lines(image, rng, (12, 10, 100, 78), any_colour(rng, (0.2, 0.6), (0.7, 1)), 4, 0.8)
    return of(Texture(image), gloss=0.5, glow=0.0 if kind == 0 else 0.5)


def _lid(rng: np.random.Generator, body: RGB, z: float) -> list[Soup]:
    """What is on the back of a screen: a sign, a name, stickers."""
    parts, kind = [], int(rng.integers(5))
    sign = paint(pick(rng, (235, 235, 238), shade(body, 0.6), (30, 30, 32)), 0.6)
    if kind == 0:
        parts.append(prism(superellipse(0.014, 0.012, 2, 12), z - 0.001, z + 0.0003, sign))
    elif kind == 1:
        image = np.full((24, 64, 3), body, np.uint8)
        title(image, pick(rng, "LUMO", "orbit", "ZENIT", "hx", "NOVA", "Kite"), (3, 4, 61, 20), contrast_to(rng, body), FONTS[0], 2)
        parts.append(lying(-0.012, -0.03, 0.012, 0.03, z + 0.0003, of(Texture(image), gloss=0.3)))
    elif kind == 2:
        for _ in range(int(rng.integers(2, 9))):
            x, y, s = rng.uniform(-0.08, 0.08), rng.uniform(-0.12, 0.12), rng.uniform(0.012, 0.028)
            parts.append(
                transformed(lying(-s, -s * rng.uniform(0.6, 1.4), s, s, z, of(Texture(picture(rng, 32, 32)))),
                            translation(x, y, rng.uniform(2e-4, 6e-4)) @ rotation((0, 0, 1), rng.normal(0, 0.5))))
    elif kind == 3:
        line = paint(any_colour(rng, (0.7, 1), (0.7, 1)), glow=0.4)
        parts += [box((-0.1, s * 0.1 - 0.002, z), (0.1, s * 0.1 + 0.002, z + 0.0005), line) for s in (-1, 1)]
    return parts


def laptop(rng: np.random.Generator) -> Soup:
    """Closed (slim, thick, decorated), ajar, or laid open so flat that it stays low; the opening side is +x, in the flat one -y."""
    body = colour(
        rng, pick(rng, (196, 198, 202), (150, 152, 156), (36, 36, 40), (36, 36, 40), (222, 200, 180), (70, 90, 130), (240, 240, 240),
                  any_colour(rng)), 8)
    skin, dark = paint(body, pick(rng, 0.1, 0.4)), paint((24, 24, 26))
    r, kind = rng.uniform(0.004, 0.018), int(rng.integers(6))
    base_t, lid_t = rng.uniform(0.011, 0.02), rng.uniform(0.004, 0.009)
    deck = of(Texture(_deck(rng, body)))
    if kind <= 1:  # open nearly flat, hinge along x
        tilt = rng.uniform(0.05, 0.16)
        base = [
            prism(round_rect(-0.12, -0.165, 0.12, 0, r), 0, base_t, skin),
            quad([(x, y, base_t + 3e-4) for x, y in ((-0.116, -0.162), (0.116, -0.162), (0.116, -0.006), (-0.116, -0.006))], deck),
            rod((-0.1, 0, base_t), (0.1, 0, base_t), 0.004, dark, segments=8)
        ]
        lid = join([
            prism(round_rect(-0.12, 0, 0.12, 0.165, r), -lid_t, 0, skin),
            quad([(x, y, 3e-4) for x, y in ((-0.118, 0.002), (0.118, 0.002), (0.118, 0.163), (-0.118, 0.163))], _screen(rng))
        ])
        return join([*base, transformed(lid, translation(0, 0.002, base_t) @ rotation((1, 0, 0), tilt))])
    outline = round_rect(-0.12, -0.165, 0.12, 0.165, r)
    base = [
        prism(outline, 0.002, base_t, skin if chance(rng, 0.7) else dark),
        *(centred((0.012, 0.012, 0.002), dark, (x, y, 0)) for x in (-0.1, 0.1) for y in (-0.14, 0.14))
    ]
    for x in rng.uniform(-0.1, 0.09, int(rng.integers(1, 5))):
        base.append(box((x, -0.1655, 0.4 * base_t), (x + rng.uniform(0.008, 0.016), 0.1655, 0.75 * base_t), dark))
    lid = join([
        prism(outline, 0.001, lid_t, skin, bevel=0.03 if chance(rng, 0.4) else 0.0),
        box((-0.119, -0.12, -0.002), (-0.105, 0.12, 0.002), dark), *_lid(rng, body, lid_t)
    ])
    opened = rng.uniform(0.03, 0.12) if kind == 2 else 0.0
    base.append(lying(-0.116, -0.16, 0.116, 0.16, base_t + 3e-4, deck))
    return join([*base, transformed(lid, translation(0, 0, base_t) @ rotation((0, 1, 0), -opened, (-0.118, 0, 0)))])


def cuttingboard(rng: np.random.Generator) -> Soup:
    """Plank, paddle, round, strips of several woods, coloured plastic, stone, a live edge; groove, hole, feet."""
    kind, t = int(rng.integers(7)), rng.uniform(0.012, 0.024)
    a, b = 0.12, 0.175
    material = timber(rng, size=rng.uniform(0.2, 0.5))
    if kind == 3 or (kind == 0 and chance(rng, 0.3)):
        flat = colour(rng, pick(rng, (244, 244, 240), (120, 190, 90), (206, 60, 56), (70, 130, 200), (240, 200, 70), (70, 72, 76)))
        material = paint(flat, 0.15)
    elif kind == 4:
        flat = pick(rng, (64, 66, 70), (226, 224, 220), (40, 42, 44))
        veins = np.clip(np.array(flat) * (1 + 0.1 * np.random.default_rng(int(rng.integers(1 << 30))).normal(0, 1, (64, 64, 1))), 0,
                        255).astype(np.uint8)
        material = of(Texture(veins, (0.3, 0.3)), gloss=0.3) if chance(rng, 0.6) else of(Texture(picture(rng, 96, 68)), gloss=0.6)
    dark = paint(shade(material.color, 0.55))
    if kind == 2:  # strips glued side by side
        cuts = np.linspace(-a, a, int(rng.integers(4, 13)))
        woods = [timber(rng) for _ in range(int(rng.integers(2, 4)))]
        parts = [box((x0, -b, 0), (x1, b, t), pick(rng, *woods)) for x0, x1 in zip(cuts[:-1], cuts[1:])]
        return join(parts + ([box((-a, s * b - 0.012, -1e-3), (a, s * b + 0.012, t + 5e-4), woods[0]) for s in (-1, 1)] if chance(rng, 0.3) else []))
    if kind == 1:  # a paddle with a handle
        neck = rng.uniform(0.016, 0.028)
        blade = superellipse(a, rng.uniform(0.1, 0.13), pick(rng, 2, 3, 5, 8)) + [0, -0.045]
        handle = prism(round_rect(-neck, 0.03, neck, b, neck * 0.9), 0, t * 0.98, material)
        hole = prism(superellipse(0.008, 0.008, 2, 12) + [0, b - 0.022], t * 0.5, t + 4e-4, paint((40, 30, 24)))
        return join([prism(blade, 0, t, material, bevel=rng.choice([0, 0.03])), handle, hole])
    outline = superellipse(a, b, 2, 30) if kind == 5 else round_rect(-a, -b, a, b, rng.uniform(0.004, 0.035))
    if kind == 6:
        outline = superellipse(a, b, 4, 30) * (1 + wavering(rng, 30, 0.03)[:, None])
    parts = [prism(outline, 0, t, material, bevel=rng.choice([0, 0.03]))]
    if kind in (0, 3) and chance(rng, 0.6):
        w, m = 0.004, rng.uniform(0.012, 0.022)
        for x0, y0, x1, y1 in ((-a + m, -b + m, a - m, -b + m + w), (-a + m, b - m - w, a - m, b - m), (-a + m, -b + m, -a + m + w, b - m),
                               (a - m - w, -b + m, a - m, b - m)):
            parts.append(box((x0, y0, t - 0.002), (x1, y1, t + 3e-4), dark))
    if chance(rng, 0.4):
        shape = superellipse(0.01, 0.01, 2, 12) if chance(rng, 0.5) else round_rect(-0.035, -0.008, 0.035, 0.008, 0.0075)
        parts.append(prism(shape + [0, b - 0.03], t / 2, t + 6e-4, paint((46, 38, 32))))
    return join(parts)


MAKERS: Mapping[str, Maker] = {"laptop": laptop, "cuttingboard": cuttingboard}
