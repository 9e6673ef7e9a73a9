"""Small tools of a home, drawn at random: cutlery, pens, lighters, torches, keys, glasses, phones, remote controls, candles.

Of each class the designs share what makes it recognisable in any home (a blade and a grip, tines, a bowl, a wick) and vary in all else: kind,
measures, materials, colours, prints. Things are built in centimetres, lying (or standing) as people put them down. Those with a grip stand
in ``tools_table``, those that are carried about in ``tools_devices``; here is whatever burns or gives light.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from evaluation.exemplars.tools_devices import cellphone, glasses, keys, remotecontrol
from evaluation.exemplars.tools_parts import (BLACK, BLUE, GREY, PRIMARY, RED, WHITE, YELLOW, along_y, any_colour, between, cap, circle, colour, laid,
                                              loft, metal, moved, oval, pick, pipe, plastic, printed, round_rect, slab, straight, timber, turn,
                                              turned)
from evaluation.exemplars.tools_table import clip, fork, knife, pen, spoon, toothbrush
from sim_bridges.embedded.meshes import Soup, join
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, rod, skin_of_rings
from sim_bridges.embedded.textures import Material, of, plain

Maker = Callable[[np.random.Generator], Soup]
IVORY = ((242, 234, 214), (248, 246, 240), (232, 214, 180))


def _matches(rng: np.random.Generator) -> Soup:
    """A box of matches on its end, shut or slid open, or a book of matches."""
    cover = of(printed(rng, pick(rng, YELLOW, RED, BLUE, any_colour(rng))))
    card, head = plain(*colour(rng, (222, 206, 172))), plain(*colour(rng, pick(rng, (150, 40, 34), (60, 50, 48), (180, 60, 120))))
    w, d, h = between(rng, 2.4, 3.6), between(rng, 1.3, 2.2), between(rng, 5.5, 7)
    if rng.random() < 0.25:
        places = np.linspace(-w / 2 + 0.1, w / 2 - 0.5, 7)
        parts = [slab(round_rect(w, 0.35, 0.1), 0, h, cover), box((-w / 2, 0.15, 0), (w / 2, 0.5, h * 0.22), cover)]
        parts += [box((x, 0.2, 1), (x + w / 16, 0.4, h * 0.78), card) for x in places]
        parts += [centred((w / 12, 0.32, 0.5), head, at=(x + w / 32, 0.3, h * 0.78)) for x in places]
        return turn(join([*parts, box((-w / 2, 0.5, 0.05), (w / 2, 0.54, 0.6), plain(60, 46, 42))]), "z", between(rng, 15, 30))
    strike = plain(*colour(rng, (84, 52, 46)))
    parts = [
        box((-w / 2, -d / 2, 0), (w / 2, d / 2, h), cover),
        *(box((s * w / 2 - 0.03, -d * 0.4, 0.2), (s * w / 2 + 0.03, d * 0.4, h - 0.2), strike) for s in (1, -1)),
        box((-w / 2 + 0.08, -d / 2 + 0.08, h), (w / 2 - 0.08, d / 2 - 0.08, h + 0.03), card)
    ]
    if rng.random() < 0.5:
        out = between(rng, 0.2, 0.5) * h
        parts += [
            box((-w / 2 + 0.1, -d / 2 + 0.1, h), (w / 2 - 0.1, -d / 2 + 0.2, h + out), card),
            *(box((min(a, b), -d / 2 + 0.1, h), (max(a, b), d / 2 - 0.1, h + out), card)
              for a, b in ((-w / 2 + 0.1, -w / 2 + 0.2), (w / 2 - 0.2, w / 2 - 0.1))),
            box((-w / 2 + 0.1, -d / 2 + 0.1, h + out - 0.1), (w / 2 - 0.1, d / 2 - 0.1, h + out), card)
        ]
        for x in np.linspace(-w / 2 + 0.4, w / 2 - 0.4, 8):
            y = between(rng, -d * 0.25, d * 0.25)
            parts += [centred((0.2, 0.2, out - 0.7), card, at=(x, y, h)), centred((0.3, 0.3, 0.4), head, at=(x, y, h + out - 0.7))]
    return turn(join(parts), "z", pick(rng, 0, 180))


def _throwaway(rng: np.random.Generator, shell: Material, steel: Material) -> Soup:
    """The common gas lighter: hood, wheel and button on an oval tank."""
    w, d, h = between(rng, 2.2, 2.6), between(rng, 1.1, 1.5), between(rng, 5.6, 6.4)
    button = plastic(rng, (RED, BLACK, WHITE), odd=0.4)
    hood = round_rect(w * 0.72, d * 0.92, d * 0.45) + (-w * 0.13, 0)
    parts = [
        slab(oval(w, d, power=pick(rng, 2, 3, 4)), 0, h, shell, bevel=0.12),
        slab(oval(w * 0.97, d * 0.96, power=3), h, h + 0.3, pick(rng, plain(*BLACK), shell, button)),
        slab(hood, h + 0.3, h + 1.5, steel, bevel=0.1),
        moved(slab(oval(w * 0.3, d * 0.75), h + 0.3, h + 0.85, button, bevel=0.08), x=w * 0.34),
        rod((w * 0.14, -d * 0.3, h + 1.35), (w * 0.14, d * 0.3, h + 1.35), 0.42, plain(72, 72, 76, gloss=0.5), segments=10),
        box((-w * 0.36, -d * 0.47, h + 0.75), (-w * 0.15, d * 0.47, h + 1.2), plain(50, 50, 52))
    ]
    if shell.opacity < 1:
        parts.append(slab(oval(w * 0.8, d * 0.7), 0.3, h * between(rng, 0.3, 0.8), plain(*colour(rng, shell.color, 20), opacity=0.8)))
    return join(parts)


def _flip_top(rng: np.random.Generator, shell: Material, steel: Material) -> Soup:
    """A metal petrol lighter, shut or open."""
    case = pick(rng, metal(rng, fancy=0.5), metal(rng, fancy=0.6), plain(*any_colour(rng), gloss=0.6), of(printed(rng), gloss=0.5))
    w, d, split = 3.7, 1.25, between(rng, 3.2, 3.6)
    lid = slab(round_rect(w, d, 0.25), 0, 2.0, case, bevel=0.12)
    parts = [slab(round_rect(w, d, 0.25), 0, split, case, bevel=0.06)]
    if rng.random() < 0.45:
        parts += [
            moved(turn(moved(lid, x=w / 2), "y", -between(rng, 35, 80)), x=-w / 2, z=split),
            slab(round_rect(2.0, d * 0.75, 0.4), split, split + 1.5, steel),
            rod((1.2, -0.3, split + 0.9), (1.2, 0.3, split + 0.9), 0.4, plain(90, 90, 94), segments=10)
        ]
    else:
        parts += [moved(lid, z=split + 0.06), rod((-w / 2, -0.35, split), (-w / 2, 0.35, split), 0.16, steel, segments=6)]
    return join(parts)


def _jet(rng: np.random.Generator, shell: Material, steel: Material) -> Soup:
    body = metal(rng, fancy=0.6) if rng.random() < 0.5 else shell
    parts = [
        slab(round_rect(3, 1.6, between(rng, 0.2, 0.8)), 0, 5.6, body, bevel=0.15),
        slab(round_rect(1.7, 1.5, 0.5) + (-0.6, 0), 5.6, 6.8, plain(*BLACK, gloss=0.3), bevel=0.1),
        rod((-0.6, 0, 6.7), (-0.6, 0, 7.3), 0.5, steel),
        box((0.4, -0.5, 5.5), (1.5, 0.5, 6.2), plain(*colour(rng, pick(rng, BLACK, RED, steel.color)))),
        box((-1.2, -0.83, 1), (-0.9, -0.79, between(rng, 2.5, 5)), plain(40, 60, 70))
    ]
    return join(parts)


def _long_neck(rng: np.random.Generator, shell: Material, steel: Material) -> Soup:
    """For stoves and grills."""
    y = np.array((0, 0.4, 3, 4.4, 5))
    grip = loft(straight(y), np.array((0.9, 1.3, 1.2, 1.3, 0.8)), 0.9 * np.array((0.7, 1, 1, 0.95, 0.6)), shell, power=3)
    parts = [
        turn(grip, "x", 90),
        rod((-0.3, 0, 4.8), (-0.3, 0, 9.5), 0.36, steel, segments=8),
        box((0.9, -0.3, 3.0), (1.6, 0.3, 4.2), plastic(rng, (BLACK, RED)))
    ]
    return join(parts)


def lighter(rng: np.random.Generator) -> Soup:
    """Standing; its broad sides face ±x."""
    if rng.random() < 0.22:
        return turn(_matches(rng), "z", 90)
    design = pick(rng, _throwaway, _throwaway, _throwaway, _flip_top, _flip_top, _jet, _long_neck)
    shell = plastic(rng, PRIMARY, odd=0.5, opacity=pick(rng, 1.0, 1.0, 0.7)) if rng.random() < 0.75 else of(printed(rng), gloss=0.4)
    return turn(design(rng, shell, metal(rng, fancy=0.15)), "z", pick(rng, -90, 90))


def _lamp_head(rng: np.random.Generator, r: float, y: float, rim: Material) -> list[Soup]:
    """Reflector, bulb and glass at the front, looking along +y."""
    lit = rng.random() < 0.3
    mirror = plain(*colour(rng, (214, 216, 218), 8), gloss=0.9, glow=0.5 if lit else 0.0)
    lamp = plain(255, 244, 200, glow=0.9 if lit else 0.2)
    front = [(rim, [(r, y - 0.3), (r, y), (0.86 * r, y)]), (mirror, [(0.86 * r, y), (0.8 * r, y - 0.15), (0.2 * r, y - 0.8 * r), (0, y - 0.8 * r)])]
    glass = (plain(225, 235, 240, opacity=0.25, gloss=0.9), [(0.86 * r, y - 0.08), (0, y - 0.08)])
    bulb = (lamp, [(0.2 * r, y - 0.8 * r), (0.2 * r, y - 0.5 * r), (0, y - 0.4 * r)])
    return [along_y(turned(*front, bulb, glass, segments=18))]


def _tube_torch(rng: np.random.Generator, shell: Material, trim: Material) -> Soup:
    """A tube with a flared head: plastic, metal, ridged, with a clip or a ring to hang it by."""
    kind, r = pick(rng, "classic", "classic", "metal", "metal", "tactical", "rubber"), between(rng, 2.1, 2.8)
    body = plain(*colour(rng, pick(rng, BLACK, BLACK, (60, 62, 68), (176, 178, 182), BLUE, RED,
                                   (120, 90, 50))), gloss=0.6) if kind in ("metal", "tactical") else shell
    rim = pick(rng, body, trim, metal(rng))
    thin, length, neck = r * between(rng, 0.5, 0.8), between(rng, 14, 20), between(rng, 2.5, 4.5)
    grip = [(0.8 * thin, 0), (thin, 0.3)]
    for y in np.linspace(1.5, length - neck - 2, pick(rng, 1, 4, 6)):
        grip += [(thin, y), (thin * 1.08, y + 0.15), (thin * 1.08, y + 0.55), (thin, y + 0.7)]
    parts = [
        along_y(
            turned((trim, [(0, 0), (0.8 * thin, 0)]), (body, grip + [(thin, length - neck)]),
                   (rim if rng.random() < 0.5 else body, [(thin, length - neck), (r * 0.97, length - 1.5), (r, length - 0.3)]))),
        *_lamp_head(rng, r, length, rim),
        moved(slab(oval(0.9, between(rng, 0.9, 2.2)), -0.2, 0.25, trim, bevel=0.05), y=length - neck - 1.6, z=thin)
    ]
    if kind == "rubber" or rng.random() < 0.25:
        parts.append(moved(turn(pipe(circle(0.9, count=12), 0.14, trim, closed=True, segments=5), "y", 90), y=-0.7))
    if kind == "tactical" and rng.random() < 0.6:
        parts.append(moved(clip(1, 6, 0, metal(rng), rng), z=thin))
    return laid(rng, turn(join(parts), "y", between(rng, -60, 60)), 0.05 / 0.16)


def _block_torch(rng: np.random.Generator, shell: Material, trim: Material) -> Soup:
    """A square lamp with a carrying handle."""
    w, l = between(rng, 4.5, 5.5), between(rng, 9, 13)
    parts = [
        turn(slab(round_rect(w, w, 0.6), 0, l, shell, bevel=0.3), "x", -90), *_lamp_head(rng, w * 0.52, l + 1.2, trim),
        along_y(lathe([(w * 0.45, l), (w * 0.52, l + 0.9)], trim)),
        pipe([(0, 0.8, w / 2), (0, 1.2, w / 2 + 1.5), (0, l * 0.5, w / 2 + 1.9), (0, l - 1.5, w / 2 + 1.5), (0, l - 1, w / 2)], (0.6, 0.35),
             pick(rng, shell, trim),
             segments=8)
    ]
    return join(parts)


def _lantern(rng: np.random.Generator, shell: Material, trim: Material) -> Soup:
    """A camping lamp lying on its side."""
    lit, cage = rng.random() < 0.4, metal(rng, fancy=0.3)
    chimney = plain(238, 236, 222, opacity=pick(rng, 0.45, 0.9), glow=0.5 if lit else 0.1)
    parts = [
        along_y(
            turned((shell, [(0, 0), (2.6, 0), (2.7, 2.5), (2.3, 3.5)]), (chimney, [(2.2, 3.4), (2.3, 5), (2.2, 9)]),
                   (shell, [(2.2, 9), (2.7, 9.1), (2.4, 10.5), (0.8, 11.2), (0, 11.2)]),
                   segments=16)),
        along_y(turned((plain(250, 246, 225, glow=0.6), [(0.8, 3.5), (0.8, 8), (0, 8)]), segments=8)),
        pipe([(2.5, 10, 0), (2.0, 13, 0), (0, 14.3, 0), (-2.0, 13, 0), (-2.5, 10, 0)], 0.13, cage)
    ]
    parts += [
        rod((2.5 * math.cos(a), 3, 2.5 * math.sin(a)), (2.5 * math.cos(a), 9.3, 2.5 * math.sin(a)), 0.12, cage, segments=5)
        for a in np.arange(4) * math.pi / 2 + 0.7
    ]
    return join(parts)


def _wind_up(rng: np.random.Generator, shell: Material, trim: Material) -> Soup:
    """A plump one with a lever to charge it."""
    y = np.array((0, 0.5, 2.5, 5.5, 8, 10, 10.4))
    wide = between(rng, 2.2, 2.7) * np.array((0.5, 0.75, 0.95, 0.85, 0.9, 1, 0.95))
    parts = [
        loft(straight(y), wide, wide * between(rng, 0.75, 1), shell, power=2.6, segments=14), *_lamp_head(rng, wide[-1] * 0.9, 11.2, trim),
        box((-0.5, 2.5, 1.6), (0.5, 7, wide[3] + 0.35), trim),
        rod((0, 7, wide[3] - 0.5), (0, 7, wide[3] + 0.8), 0.4, trim, segments=8)
    ]
    return join(parts)


def flashlight(rng: np.random.Generator) -> Soup:
    design = pick(rng, _tube_torch, _tube_torch, _tube_torch, _tube_torch, _tube_torch, _block_torch, _lantern, _wind_up)
    return design(rng, plastic(rng, PRIMARY + (BLACK,), odd=0.3), plastic(rng, (BLACK, GREY, WHITE), odd=0.3))


def _wick(rng: np.random.Generator, z: float, *, lit: float = 0.35) -> Soup:
    parts = [
        rod((0, 0, z - 0.1), (between(rng, -0.2, 0.2), between(rng, -0.2, 0.2), z + between(rng, 0.5, 0.9)),
            0.08,
            plain(*pick(rng, (40, 36, 34), (225, 220, 205))),
            segments=5)
    ]
    if rng.random() < lit:
        parts.append(
            lathe([(0, z + 0.3), (0.26, z + 0.7), (0.3, z + 1.0), (0.15, z + 1.6), (0, z + 2.1)],
                  plain(255, 196, 84, glow=1.0, opacity=0.85),
                  segments=8))
    return join(parts)


def _pillar(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    """Bare wax, sometimes with drips, a band or three wicks."""
    hollow = between(rng, 0.2, 1.2)
    parts = [
        lathe([(0, 0), (r * 0.97, 0), (r, 0.3), (r, h - 0.3), (r * 0.93, h), (r * 0.8, h - 0.1), (r * 0.4, h - hollow), (0, h - hollow)],
              wax,
              segments=20)
    ]
    parts += [moved(_wick(rng, h - hollow), *at) for at in (((0, 0),) if rng.random() < 0.85 else ((1, 0), (-0.6, 0.9), (-0.6, -0.9)))]
    if rng.random() < 0.4:
        for a in rng.uniform(0, 6.3, int(rng.integers(2, 6))):
            drop, x, y = between(rng, 1, 5), r * math.cos(a), r * math.sin(a)
            parts.append(ellipsoid((x, y, h - 0.3 - drop / 2), (0.3, 0.3, drop / 2 + 0.2), wax, segments=7, rings=6))
    if rng.random() < 0.3:
        band = pick(rng, of(printed(rng)), plain(*any_colour(rng)), timber(rng))
        parts.append(lathe([(r * 1.01, h * 0.25), (r * 1.02, h * 0.3), (r * 1.02, h * 0.6), (r * 1.01, h * 0.62)], band, segments=20))
    return join(parts)


def _jar_candle(rng: np.random.Generator, wax: Material, r: float, h: float, *, squat: bool = True) -> Soup:
    """Wax in a glass with a label; a tall one as in churches where not ``squat``."""
    h, r = (h * 0.9, r * 1.1) if squat else (h * 1.4, r * 0.8)
    clear = plain(*(any_colour(rng) if rng.random() < 0.25 else (222, 230, 232)), opacity=between(rng, 0.2, 0.45), gloss=0.9)
    glass = clear if rng.random() < 0.75 else plastic(rng, (WHITE, BLACK, (150, 120, 90)), odd=0.4)
    neck, fill = pick(rng, 1.0, 1.0, 0.85), h * (between(rng, 0.45, 0.8) if glass.opacity < 1 else between(rng, 0.75, 0.9))
    parts = [
        lathe([(0, 0), (r * 0.93, 0), (r, 0.4), (r, h * 0.85), (r * neck, h * 0.93), (r * neck, h), (r * neck * 0.93, h), (r * neck * 0.93, h * 0.92),
               (r * 0.93, h * 0.84), (r * 0.93, fill)],
              glass,
              segments=18),
        lathe([(0, 0.3), (r * 0.92, 0.3), (r * 0.92, fill), (0, fill)], wax, segments=18),
        _wick(rng, fill)
    ]
    if not squat or rng.random() < 0.7:
        paper = of(printed(rng, pick(rng, WHITE, (226, 214, 190), (30, 30, 32), any_colour(rng))))
        high = between(rng, 0.3, 0.5) if squat else 0.75
        parts.append(lathe([(r * 1.015, h * 0.12), (r * 1.015, h * (0.12 + high))], paper, segments=18))
    if squat and rng.random() < 0.25:
        parts.append(
            lathe([(r * neck * 1.04, h - 0.4), (r * neck * 1.04, h + 0.6), (r * neck, h + 0.7), (0, h + 0.7)],
                  pick(rng, metal(rng, fancy=0.5), timber(rng)),
                  segments=18))
    return join(parts)


def _candlestick(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    """A slim candle in its holder."""
    holder = pick(rng, metal(rng, fancy=0.7), metal(rng, fancy=0.7), timber(rng), plain(*WHITE, gloss=0.6))
    thin, base = between(rng, 0.9, 1.2), between(rng, 2.8, 3.5)
    foot = between(rng, 2, 5)
    parts = [
        lathe([(0, 0), (base, 0), (base, 0.3), (0.8 * base, 0.5), (0.5, 0.9), (0.45, foot * 0.6), (0.9, foot * 0.7), (0.5, foot * 0.8), (1.4, foot),
               (1.4, foot + 0.7), (0, foot + 0.7)], holder),
        lathe([(0, foot), (thin, foot), (thin * 0.8, foot + h * 0.8), (thin * 0.3, foot + h * 0.8 + 0.5), (0, foot + h * 0.8 + 0.5)],
              wax,
              segments=12),
        _wick(rng, foot + h * 0.8 + 0.5)
    ]
    if rng.random() < 0.3:
        parts.append(moved(turn(pipe(circle(0.9, count=12), 0.2, holder, closed=True), "x", 90), x=base + 0.5, z=1.0))
    return join(parts)


def _tealight(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    """A small light in a cup of coloured glass."""
    holder = plain(*(any_colour(rng) if rng.random() < 0.6 else (225, 232, 236)), opacity=between(rng, 0.3, 0.7), gloss=0.9)
    flare = between(rng, 0.8, 1.25)
    parts = [
        lathe([(0, 0), (r * 0.8, 0), (r, 1.0), (r * flare, 5.5), (r * flare * 0.93, 5.5), (r * 0.93, 1.0), (0, 0.8)],
              holder,
              segments=pick(rng, 6, 18)),
        lathe([(0, 0.8), (1.9, 0.8), (1.9, 2.4), (1.75, 2.4)], metal(rng, fancy=0)),
        lathe([(1.85, 2.3), (0, 2.3)], wax),
        _wick(rng, 2.3, lit=0.6)
    ]
    return join(parts)


def _fluted(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    """Cast or twisted wax with lobes."""
    z, a = np.linspace(0, h, 12), np.arange(24) / 24 * 2 * math.pi
    lobes, amount, twist = pick(rng, 4, 5, 6, 8), between(rng, 0.08, 0.2), between(rng, 0, 0.25)
    radius = r * (1 + amount * np.cos(lobes * (a + twist * z[:, None]))) * (1 - between(rng, 0, 0.02) * z[:, None])
    rings = np.stack([radius * np.cos(a), radius * np.sin(a), np.broadcast_to(z[:, None], radius.shape)], axis=2)
    return join([skin_of_rings(rings, wax), cap(rings[-1], wax), cap(rings[0][::-1], wax), _wick(rng, h)])


def _led_candle(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    parts = [
        lathe([(0, 0), (r, 0), (r, h), (r * 0.9, h + between(rng, 0, 0.5)), (r * 0.75, h - 0.5), (0, h - 0.6)],
              plain(*wax.color, gloss=0.1, glow=between(rng, 0, 0.3)),
              segments=20),
        lathe([(0.4, h - 0.6), (0.45, h), (0.3, h + 0.8), (0, h + 1.6)], plain(255, 206, 120, glow=0.8), segments=8)
    ]
    return join(parts)


def _on_dish(rng: np.random.Generator, wax: Material, r: float, h: float) -> Soup:
    """A block, a bud or a cone on a small plate."""
    plate = pick(rng, plain(*WHITE, gloss=0.5), metal(rng, fancy=0.5), timber(rng))
    block = [(0, 0.4), (2.5, 0.4), (2.5, h), (2.3, h + 0.3), (0, h + 0.1)]
    bud = [(0, 0.4), (1.5, 0.6), (2.8, 2.8), (2.6, 4.4), (1.4, 6.4), (0, 6.6)]
    cone = [(0, 0.4), (2.7, 0.4), (0.4, h), (0, h + 0.1)]
    shape = pick(rng, block, bud, cone)
    parts = [
        lathe([(0, 0), (2.6, 0), (3.6, 0.6), (3.4, 0.7), (2.5, 0.3), (0, 0.3)], plate),
        lathe(shape, wax, segments=pick(rng, 4, 6, 16, 16)),
        _wick(rng, shape[-1][1], lit=0.5)
    ]
    return join(parts)


def candle(rng: np.random.Generator) -> Soup:
    church = partial(_jar_candle, squat=False)
    design = pick(rng, _pillar, _pillar, _jar_candle, _jar_candle, _candlestick, _tealight, church, _fluted, _led_candle, _on_dish)
    wax = plain(*any_colour(rng), gloss=0.15) if rng.random() < 0.4 else plain(*colour(rng, pick(rng, *IVORY, *IVORY, (170, 28, 34),
                                                                                                 (200, 150, 110)), 8),
                                                                               gloss=0.15)
    r, h = between(rng, 2.8, 3.8), between(rng, 7, 13)
    return design(rng, wax, r, h)


MAKERS: dict[str, Maker] = {
    f.__name__: f for f in (knife, fork, spoon, toothbrush, pen, cellphone, remotecontrol, glasses, keys, lighter, flashlight, candle)
}
