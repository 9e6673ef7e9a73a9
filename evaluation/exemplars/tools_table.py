"""Knives, forks, spoons, toothbrushes and pens, drawn at random: long things with a grip, lying along y.

A blade, tines, a bowl, bristles or a point is what each shares with all others of its class; kind, measures, material and colour vary. Centimetres.
"""

from __future__ import annotations

import math

import numpy as np

from evaluation.exemplars.tools_parts import (BLACK, BLUE, GREEN, GREY, METALS, PRIMARY, RED, WHITE, WOODS, along_y, any_colour, between, circle,
                                              colour, eased, facets, laid, loft, metal, moved, oval, pick, plastic, slab, straight, timber, turn,
                                              turned, washer)
from sim_bridges.embedded.meshes import Soup, join
from sim_bridges.embedded.primitives import box, centred, ellipsoid, rod, skin_of_rings
from sim_bridges.embedded.textures import Material, plain

# length and width of the blade, length of the grip; how far the spine drops at the tip (share of the width), from where on and how suddenly;
# how late the edge rises
_BLADES = {
    "chef": (19, 4.5, 12, 0.3, 0.3, 2, 3.5),
    "santoku": (17, 4.6, 12, 0.75, 0.7, 2.5, 5),
    "bread": (21, 3.2, 12, 0.15, 0.8, 3, 9),
    "cleaver": (17, 7, 12, 0.12, 0.85, 3, 14),
    "paring": (9, 2.2, 10.5, 0.3, 0.2, 2, 2.6),
    "carving": (20, 2.8, 12, 0.25, 0.4, 2, 3),
    "steak": (11.5, 2.0, 11, 0.3, 0.3, 2, 3),
    "dinner": (10.5, 2.1, 12, 0.45, 0.75, 3, 6),
    "nakiri": (17, 5, 13, 0.2, 0.9, 3, 10)
}


def _blade(kind: str, rng: np.random.Generator) -> Soup:
    length, width, _, drop, start, sudden, late = (v * between(rng, 0.9, 1.1) for v in _BLADES[kind])
    saw = 0.05 * width if kind in ("bread", "steak") or (kind == "dinner" and rng.random() < 0.5) else 0.0
    t = np.linspace(0, 1, 34 if saw else 18)
    t = 1 - (1 - t)**1.5
    spine = width / 2 - drop * width * (np.clip(t - start, 0, None) / (1 - start))**sudden
    edge = np.minimum(-width / 2 + (0.97 - drop) * width * t**late + saw * (np.arange(len(t)) % 2), spine - 0.02)
    bevel = edge + (spine - edge) * between(rng, 0.12, 0.5)
    thick = 0.14 * (1 - 0.6 * t)
    corners = ((bevel, thick), (spine, thick), (spine, -thick), (bevel, -thick), (edge, 0 * t))
    rings = np.stack([np.stack([x, length * t, z], axis=1) for x, z in corners], axis=1)
    side = plain(*any_colour(rng), gloss=0.2) if rng.random() < 0.12 else plain(*colour(rng, pick(rng, *METALS), 12), gloss=between(rng, 0.3, 0.9))
    if rng.random() < 0.08:
        side = plain(*pick(rng, (40, 41, 44), WHITE), gloss=0.3)
    sharp = plain(*colour(rng, (218, 220, 224), 8), gloss=0.7)
    return facets(rings, side, columns=(side, side, side, sharp, sharp))


def _grip(kind: str, length: float, rng: np.random.Generator) -> list[Soup]:
    """A knife's handle from y = 0 backwards."""
    style = "steel" if kind == "dinner" and rng.random() < 0.6 else pick(rng, "riveted", "riveted", "moulded", "steel", "round")
    wide, high = (0.85, 0.38) if kind == "dinner" else (between(rng, 1.0, 1.5), between(rng, 0.75, 1.0))
    if kind in ("paring", "steak"):
        wide, high = 0.7 * wide, 0.7 * high
    t = np.linspace(0, 1, 9)
    wave = 1 + between(rng, 0, 0.14) * np.cos(2 * math.pi * (t * between(rng, 1, 2) + rng.random()))
    ends = eased(t, (0, 0.06, 0.8, 1), (0.86, 1, 0.95, between(rng, 0.55, 1.0)))
    bent = straight(-length * (1 - t)) + np.outer(between(rng, -0.5, 0.5) * (1 - t)**2, (1, 0, 0))
    stuff = {
        "steel": lambda: metal(rng, fancy=0.3),
        "round": lambda: timber(rng),
        "moulded": lambda: plastic(rng, PRIMARY + (BLACK,) * 5)
    }.get(style, lambda: pick(rng, timber(rng), plastic(rng, (BLACK, BLACK, WHITE, (60, 36, 28)), odd=0.1)))()
    parts = [loft(bent, wide * wave * ends, high * ends, stuff, power=2.0 if style in ("round", "steel") else between(rng, 2.3, 4.5))]
    steel = metal(rng, fancy=0.1)
    if style == "riveted":
        tang = (bent[:, 0, None] + np.array([1, 1, -1, -1]) * (wide * wave * ends * 1.03)[:, None], np.array([1, -1, -1, 1]) * 0.13)
        parts.append(facets(np.stack([tang[0], np.repeat(bent[:, 1, None], 4, 1), np.broadcast_to(tang[1], tang[0].shape)], axis=2), steel))
        for i in np.linspace(1, 7, pick(rng, 2, 3, 3)).round().astype(int):
            parts.append(rod((bent[i, 0], bent[i, 1], -high * 1.03), (bent[i, 0], bent[i, 1], high * 1.03), 0.26, steel, segments=8))
    if style in ("round", "riveted") and rng.random() < 0.6:
        parts.append(loft(straight((-0.1, 0.9)), np.array((wide, 0.8 * wide)), np.array((high, 0.35 * high)), steel, power=3))
    return parts


def knife(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "chef", "chef", *_BLADES)
    whole = join([_blade(kind, rng), *_grip(kind, _BLADES[kind][2] * between(rng, 0.9, 1.1), rng)])
    if kind == "dinner":
        whole = turn(whole, "y", between(rng, 15, 45))
    return laid(rng, whole, 0.04 / 0.30)


def _stuff_of_cutlery(rng: np.random.Generator) -> tuple[str, Material]:
    style = pick(rng, "steel", "steel", "steel", "bistro", "plastic", "wooden")
    if style == "plastic":
        return style, plastic(rng, (WHITE, WHITE, (20, 20, 22), (205, 60, 50)), odd=0.35, opacity=pick(rng, 1.0, 1.0, 1.0, 0.6))
    return style, timber(rng, WOODS[:5]) if style == "wooden" else metal(rng, fancy=0.2)


def _stem(rng: np.random.Generator, style: str, stuff: Material, length: float, rise: float) -> Soup:
    """A cutlery handle from y = -length to 0, arched to ``rise`` at the neck."""
    t = np.linspace(0, 1, 14)
    neck, end = between(rng, 0.22, 0.38), between(rng, 0.4, 1.0)
    wide = eased(t, (0, 0.07, between(rng, 0.3, 0.5), 0.85, 1),
                 (pick(rng, 0.25, 0.7, 0.95) * end, end, pick(rng, 0.6, 0.9, 0.75) * end, neck, neck * 1.3))
    z = eased(t, (0, 0.4, 0.82, 1), (0, 0.2 * rise, rise, 0.62 * rise))
    thick = between(rng, 0.11, 0.2) * (2.0 if style == "wooden" else 1.0)
    parts = [loft(straight(-length * (1 - t), z), wide, thick * np.ones(14), stuff, power=pick(rng, 2.2, 4), segments=8)]
    if style == "bistro":
        cover = pick(rng, timber(rng), plastic(rng, PRIMARY, odd=0.5), plain(*any_colour(rng), gloss=0.4))
        n = pick(rng, 8, 9, 10)
        full = between(rng, 0.5, 0.8) * eased(t[:n], (0, 0.08, t[n - 2], t[n - 1]), (0.6, 1, between(rng, 0.6, 1), 0.5))
        parts.append(loft(straight(-length * (1 - t[:n]), z[:n]), full, full * between(rng, 0.5, 0.9), cover, power=between(rng, 2, 4)))
        for i in pick(rng, (), (2, 6), (2, 5, 6)):
            parts.append(
                rod((0, -length * (1 - t[i]), z[i] - 0.9 * full[i]), (0, -length * (1 - t[i]), z[i] + 0.95 * full[i]), 0.16, stuff, segments=6))
    elif rng.random() < 0.25:  # an ornament along the upper side
        z0 = z[:10] + thick
        parts.append(loft(straight(-length * (1 - t[:10]), z0), 0.35 * wide[:10], 0.05 * np.ones(10), metal(rng, fancy=0.5), segments=6))
    return join(parts)


def fork(rng: np.random.Generator) -> Soup:
    style, stuff = _stuff_of_cutlery(rng)
    tines = pick(rng, 4, 4, 4, 3, 3, 2)
    width = between(rng, 1.9, 2.8) * (0.75 if tines == 2 else 1.0)
    palm, prong, rise = between(rng, 1.8, 2.8), between(rng, 3.2, 5.2), between(rng, 1.0, 1.8)
    thick, lift = between(rng, 0.09, 0.15) * (1.8 if style == "wooden" else 1.0), between(rng, 0.45, 0.85)

    def height(y: np.ndarray) -> np.ndarray:
        return rise * eased(y, (0, 0.5 * (palm + prong), palm + prong), (0.62, 0.12, lift))

    y = np.linspace(0, palm, 6)
    wide = eased(y, (0, palm * between(rng, 0.6, 1.0), palm * 1.01), (0.35, width / 2, width / 2))
    parts = [
        _stem(rng, style, stuff, between(rng, 11, 14), rise),
        loft(straight(y, height(y)), wide, thick * np.ones(6), stuff, power=3, segments=10)
    ]
    y = np.linspace(palm - 0.15, palm + prong, 7)
    half = width / tines * between(rng, 0.26, 0.34)
    places = np.linspace(-width / 2 + half, width / 2 - half, tines)
    for i, x in enumerate(places):
        broad = half * (1.6 if tines == 3 and i == 0 and rng.random() < 0.4 else 1.0)
        tine = straight(y, height(y)) + np.outer(np.linspace(1, between(rng, 0.92, 1.0), 7), (x, 0, 0))
        parts.append(loft(tine, broad * np.array((1, 1, 1, 0.95, 0.85, 0.7, 0.3)), thick * np.linspace(1, 0.6, 7), stuff, power=3, segments=6))
    return laid(rng, join(parts), 0.03 / 0.19)


def _bowl(width: float, length: float, depth: float, egg: float, thick: float, stuff: Material, *, flat: float = 2.0) -> Soup:
    """A spoon's hollow from y = 0 on, its rim at z = 0; ``egg`` makes it broader towards the handle."""
    a = np.arange(18) / 18 * 2 * math.pi
    r = np.array((0.02, 0.4, 0.7, 0.9, 1.0))
    share = np.concatenate([r, r[::-1] * 0.96])
    z = np.concatenate([-depth * (1 - r**flat) - thick, -depth * (1 - r[::-1]**flat)])
    x = np.outer(share, np.cos(a) * (1 - egg * np.sin(a))) * width / 2
    y = np.outer(share, np.sin(a)) * length / 2 + length / 2
    rings = np.stack([x, y, np.broadcast_to(z[:, None], x.shape)], axis=2)
    rings[[0, -1]] = rings[[0, -1]].mean(axis=1, keepdims=True)
    return join([facets(rings[:2], stuff, ends=False), skin_of_rings(rings[1:-1], stuff), facets(rings[-2:], stuff, ends=False)])


def spoon(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "table", "table", "soup", "cooking", "ramen", "measuring")
    if kind in ("table", "soup"):
        style, stuff = _stuff_of_cutlery(rng)
        width, rise = between(rng, 3.0, 4.4), between(rng, 1.0, 1.8)
        length = width * (between(rng, 1.0, 1.15) if kind == "soup" else between(rng, 1.35, 1.7))
        parts = [
            moved(_bowl(width, length, between(rng, 0.5, 0.9), between(rng, -0.05, 0.16), 0.12, stuff), y=-0.15, z=0.62 * rise),
            _stem(rng, style, stuff, between(rng, 11, 14), rise)
        ]
    elif kind == "cooking":
        stuff = timber(rng) if rng.random() < 0.75 else plastic(rng, (BLACK, RED), odd=0.5)
        width, shaft = between(rng, 4.5, 6), between(rng, 16, 22)
        t = np.linspace(0, 1, 6)
        thick = between(rng, 0.45, 0.7) * eased(t, (0, 0.1, 0.7, 1), (0.6, 1, 0.9, between(rng, 0.9, 1.8)))
        parts = [
            _bowl(width, width * between(rng, 1.1, 1.6), between(rng, 0.5, 1.1), between(rng, -0.1, 0.15), 0.4, stuff),
            loft(straight(-shaft * (1 - t) + 0.5, -0.3), thick, np.minimum(thick, 0.6), stuff)
        ]
        parts = [turn(join(parts), "x", -between(rng, 2, 6))]
    elif kind == "ramen":
        stuff = pick(rng, plain(*WHITE, gloss=0.7), plain(*colour(rng, (36, 52, 110)), gloss=0.7), plastic(rng, ((30, 24, 22), (150, 28, 26)),
                                                                                                           odd=0.4), metal(rng))
        y = np.linspace(-9, 0.8, 8)
        parts = [
            _bowl(4.4, between(rng, 5.5, 7), 1.5, 0.12, 0.2, stuff, flat=4),
            loft(straight(y, 2.6 * (y / 9)**2 - 0.3), np.linspace(0.75, 1.2, 8), 0.2 * np.ones(8), stuff, power=3)
        ]
    else:
        stuff = metal(rng) if rng.random() < 0.5 else plastic(rng, PRIMARY, odd=0.6)
        width, shaft, grip = between(rng, 3, 4.4), between(rng, 7, 11), between(rng, 0.5, 0.9)
        parts = [
            _bowl(width, width, 0.45 * width, 0, 0.12, stuff),
            loft(straight((-shaft, 0.3), -0.12), grip * np.ones(2), 0.12 * np.ones(2), stuff, power=5),
            moved(washer(oval(2 * grip + 0.1, 1.8), oval(grip, 0.9), -0.24, 0.0, stuff), y=-shaft - 0.5)
        ]
    return laid(rng, join(parts), 0.04 / 0.18)


# -- bathroom and desk ----------------------------------------------------------------------------------------------------------------------


def _bristles(rng: np.random.Generator, low: float, high: float, wide: float, z: float, *, rows: int, round_: bool = False) -> Soup:
    """Tufts standing on a head from y = ``low`` to ``high``."""
    colours = [
        plain(*c)
        for c in pick(rng, ((245, 245, 245),) * 2, ((245, 245, 245), any_colour(rng)), (any_colour(rng), any_colour(rng)), ((60, 58, 56),) * 2)
    ]
    columns, tall, wave = pick(rng, 2, 3), between(rng, 0.8, 1.1), between(rng, 0, 0.12)
    out = []
    for i, y in enumerate(np.linspace(low, high, rows)):
        share = math.sqrt(max(0.1, 1 - (2 * i / (rows - 1) - 1)**2)) if round_ else 1.0
        for x in np.linspace(-1, 1, columns) * (wide * 0.62 * share):
            tip = tall * (1 + wave * math.cos(2 * math.pi * i / 3)) if i < rows - 2 else tall * (1 + 2 * wave)
            step = (high - low) / (rows - 1)
            mat = colours[1] if i in (0, 1, rows - 1) or abs(x) < 0.05 else colours[0]
            out.append(centred((wide / columns * 1.25, step * 0.8, tip), mat, at=(x, y, z), skip=("-z",)))
    return join(out)


def toothbrush(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "plain", "rubber", "rubber", "bamboo", "electric", "child")
    length = between(rng, 13, 15.5) * (0.75 if kind == "child" else 1.0)
    stuff = timber(rng, WOODS[3:5]) if kind == "bamboo" else plastic(rng, PRIMARY + (WHITE,) * 4, odd=0.5, opacity=pick(rng, 1.0, 1.0, 0.65))
    second = plastic(rng, PRIMARY, odd=0.6, gloss=0.05)
    t = np.linspace(0, 1, 14)
    if kind == "electric":
        body, grip = plastic(rng, (WHITE, WHITE, BLACK), odd=0.35), between(rng, 1.1, 1.4)
        y, width = between(rng, 9, 11) * (t - 1), eased(t, (0, 0.1, 0.7, 1), (0.85 * grip, grip, grip, 0.55 * grip))
        parts = [
            loft(straight(y, 0), width, width, body),
            loft(straight((0, 1.2, 5.5)), np.array((0.58 * grip, 0.42, 0.28)), np.array((0.58 * grip, 0.42, 0.28)), stuff),
            moved(slab(oval(0.8, pick(rng, 0.8, 1.6)), 0, 0.25, second, bevel=0.05), y=y[9], z=width[9] - 0.12),
            moved(slab(oval(1.3, 1.5), -0.3, 0.22, stuff, bevel=0.08), y=6)
        ]
        if rng.random() < 0.5:
            parts.append(loft(straight(y[1:7]), width[1:7] * 1.02, width[1:7] * 0.8, second, segments=10))
        round_ = rng.random() < 0.5
        parts.append(moved(_bristles(rng, -0.6, 0.6, 0.55, 0.2, rows=5, round_=True), y=6) if round_ else _bristles(rng, 4.9, 6.7, 0.5, 0.2, rows=6))
    else:
        fat = between(rng, 1.15, 1.5) if kind in ("child", "rubber") else between(rng, 0.9, 1.05)
        width = fat * eased(t, (0, 0.06, between(rng, 0.25, 0.5), 0.7, 0.85, 1),
                            (0.35, between(rng, 0.5, 0.7), between(rng, 0.45, 0.75), 0.45, 0.26, 0.3))
        z = between(rng, 0, 0.6) * np.sin(math.pi * t * between(rng, 0.8, 1.6)) if kind != "bamboo" else 0 * t
        high = np.minimum(width * 0.8, 0.24 + 0.3 * (1 - t))
        parts = [
            loft(straight(length * (t - 1), z), width, high, stuff, power=pick(rng, 2, 3)),
            loft(straight((-0.2, 0.25, 2.6, 3.0), z[-1]), np.array((0.3, 0.55, 0.6, 0.3)), 0.25 * np.ones(4), stuff, power=3),
            _bristles(rng, 0.4, between(rng, 2.3, 2.6), 0.52, z[-1] + 0.2, rows=7)
        ]
        if kind in ("rubber", "child"):
            for low, end in pick(rng, ((1, 6),), ((5, 9),), ((1, 4), (7, 9)), ((2, 9),)):
                parts.append(
                    loft(straight(length * (t - 1), z + 0.08)[low:end], width[low:end] * between(rng, 0.5, 1.04), high[low:end] * 1.02, second))
        if kind == "child" and rng.random() < 0.6:
            parts.append(ellipsoid((0, -length, 0.1), (1.0, 1.1, 0.5), second, segments=10, rings=6))
    return laid(rng, turn(join(parts), "y", pick(rng, 0, 0, 0, 90, -90, between(rng, -60, 60))), 0.02 / 0.19)


def clip(low: float, high: float, radius: float, stuff: Material, rng: np.random.Generator) -> Soup:
    width, lift = between(rng, 0.1, 0.2), radius + between(rng, 0.12, 0.2)
    return join([
        box((-width, low, lift - 0.04), (width, high, lift + 0.05), stuff),
        box((-width, high - 0.2, radius * 0.7), (width, high, lift), stuff),
        ellipsoid((0, low + 0.1, lift - 0.03), (width, 0.14, 0.1), stuff, segments=6, rings=4)
    ])


def _turned_pen(rng: np.random.Generator, shell: Material, trim: Material, r: float, length: float) -> Soup:
    """A ballpoint with a push button or a twist, tip towards +y."""
    grip = plastic(rng, (BLACK, GREY), odd=0.5) if rng.random() < 0.6 else shell
    cone, waist, push = trim if rng.random() < 0.5 else shell, between(rng, 0.8, 1.0), between(rng, 0, 1.0)
    barrel = turned((trim, [(0, 1.1 - push), (0.22, 1.1 - push), (0.22, 1.2)]), (shell, [(0.22, 1.0), (0.8 * r, 1.1), (r, 1.5), (r, length * 0.6)]),
                    (trim, [(r, 5.9), (1.06 * r, 6), (1.06 * r, 6.3), (r, 6.4)]), (grip, [(r, length * 0.6), (r * waist * 1.02, length * 0.75),
                                                                                          (r * 0.9, length - 2.3)]), (cone, [(r * 0.9, length - 2.3),
                                                                                                                             (0.6 * r, length - 1.2),
                                                                                                                             (0.16, length - 0.4)]),
                    (trim, [(0.1, length - 0.5), (0.06, length), (0, length)]))
    return join([along_y(barrel), clip(1.5, between(rng, 4.8, 6), r, pick(rng, trim, shell), rng)])


def _stick_pen(rng: np.random.Generator, shell: Material, ink: Material, trim: Material, length: float) -> Soup:
    """The cheap six-sided or round one, with its cap on or without."""
    clear, sides = pick(rng, shell, plain(225, 228, 232, opacity=0.5)), pick(rng, 6, 6, 12)
    parts = [
        facets(np.stack([circle(0.42, count=sides, centre=(0, 0, z)) for z in (0.3, length - 2.3)]), clear),
        turned((ink, [(0, 0), (0.33, 0), (0.38, 0.5), (0.3, 0.5)]), (ink, [(0, 0.4), (0.13, 0.4), (0.13, length - 2.3)]), segments=8)
    ]
    if rng.random() < 0.5:
        parts.append(turned((trim, [(0.4, length - 2.3), (0.3, length - 1.6), (0.12, length - 0.5), (0.05, length), (0, length)]), segments=8))
        return along_y(join(parts))
    parts.append(turned((ink, [(0.4, length - 3.6), (0.5, length - 3.6), (0.46, length), (0.25, length + 1), (0, length + 1)]), segments=10))
    return join([
        along_y(join(parts)),
        box((-0.15, length - 6.2, 0.46), (0.15, length - 2.8, 0.6), ink),
        box((-0.15, length - 3.5, 0.3), (0.15, length - 2.8, 0.5), ink)
    ])


def _highlighter(rng: np.random.Generator) -> Soup:
    neon = plain(*colour(rng, pick(rng, (236, 240, 60), (250, 130, 180), (120, 230, 110), (250, 160, 60), (100, 200, 240))), gloss=0.2)
    body, flat = neon if rng.random() < 0.6 else plastic(rng, (BLACK, WHITE)), between(rng, 0.5, 0.9)
    ends = np.array((0.8, 1, 1, 0.8))
    parts = [loft(straight((0, 0.3, 7, 8)), ends, flat * ends, body, power=3)]
    if rng.random() < 0.6:
        parts += [
            loft(straight((7.2, 7.3, 11)), np.array((1.05, 1.08, 0.85)), flat * np.array((1.05, 1.08, 0.8)), neon, power=3),
            box((-0.2, 7.6, flat), (0.2, 10.8, flat + 0.2), neon)
        ]
    else:
        parts += [
            loft(straight((7.2, 8.6)), np.array((0.7, 0.45)), flat * np.array((0.7, 0.5)), plastic(rng, (BLACK,)), power=3),
            box((-0.25, 8.5, -0.12), (0.25, 9.3, 0.12), neon)
        ]
    return join(parts)


def _capped_pen(rng: np.random.Generator, kind: str, shell: Material, ink: Material, trim: Material, length: float) -> Soup:
    """A marker, a fine liner or a fountain pen, its cap on or off."""
    fat = between(rng, 0.45, 0.6) if kind == "liner" else between(rng, 0.65, 0.85)
    fountain = kind == "fountain"
    barrel = plastic(rng, (BLACK, BLACK, (90, 24, 30), BLUE), odd=0.4, gloss=0.6) if fountain else pick(rng, ink, shell, plastic(rng, (WHITE, BLACK)))
    lid, neck = barrel if fountain else ink, length - 4.5
    parts = [
        turned((lid if rng.random() < 0.4 else barrel, [(0, 0), (0.7 * fat, 0), (0.95 * fat, 0.6)]), (barrel, [(0.95 * fat, 0.6), (fat, length * 0.3),
                                                                                                               (fat, neck)]))
    ]
    if rng.random() < 0.5:
        parts.append(
            turned((trim if fountain else lid, [(fat, neck - 0.7), (1.1 * fat, neck - 0.7), (1.1 * fat, neck - 0.3)]),
                   (lid, [(1.1 * fat, neck - 0.3), (1.05 * fat, length - 0.8), (0.7 * fat, length), (0, length)])))
        return join([along_y(join(parts)), moved(clip(0, 3.8, fat, lid if kind == "liner" else trim, rng), y=length - 4.3)])
    parts.append(turned((lid, [(fat, neck), (0.8 * fat, neck + 0.3), (0.6 * fat, length - 1.8), (0.3 * fat, length - 1.5)])))
    if fountain:
        gold = plain(*colour(rng, pick(rng, (214, 176, 90), (200, 202, 206))), gloss=0.9)
        nib = loft(straight((length - 1.8, length - 1.0, length + 0.5), 0.1), np.array((0.3, 0.36, 0.03)), 0.07 * np.ones(3), gold)
        return join([along_y(join(parts)), nib])
    parts.append(turned((ink, [(0.3 * fat, length - 1.5), (0.12, length - 0.3), (0.05, length), (0, length)])))
    return along_y(join(parts))


def pen(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "click", "click", "stick", "stick", "metal", "marker", "liner", "fountain", "highlighter")
    length, trim = between(rng, 12.5, 14.5), metal(rng, fancy=0.3)
    shell = metal(rng, fancy=0.5) if kind == "metal" else plastic(rng, PRIMARY, odd=0.4, opacity=pick(rng, 1.0, 1.0, 0.6))
    ink = plastic(rng, (BLUE, BLUE, BLACK, RED, GREEN), odd=0.2)
    if kind in ("click", "metal"):
        whole = _turned_pen(rng, shell, trim, between(rng, 0.45, 0.6), length)
    elif kind == "stick":
        whole = _stick_pen(rng, shell, ink, trim, length)
    else:
        whole = _highlighter(rng) if kind == "highlighter" else _capped_pen(rng, kind, shell, ink, trim, length)
    return laid(rng, turn(whole, "y", between(rng, -70, 70)), 0.015 / 0.14)
