"""Phones, remote controls, glasses and keys, drawn at random: what is carried about and left lying, longer along x or facing it.

Screens show something or nothing, backs carry cameras, buttons stand in rows, keys hang by the bunch: what differs between
makes is drawn, down to the case and the fob. Centimetres.
"""

from __future__ import annotations

import numpy as np

from evaluation.exemplars.tools_parts import (BLACK, BLUE, GREEN, GREY, PRIMARY, RED, WHITE, YELLOW, along_y, any_colour, between, circle, colour,
                                              eased, facets, lit_screen, loft, metal, moved, oval, panel, pick, pipe, plastic, printed, round_rect,
                                              slab, straight, timber, turn, washer)
from sim_bridges.embedded.meshes import Soup, join, scaling, transformed
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe
from sim_bridges.embedded.textures import Material, of, plain

_OLIVE = (94, 104, 92)


def _wallet(rng: np.random.Generator, w: float, l: float, corner: float, edge: Material) -> Soup:
    """A phone in a booklet case, shut or a little open."""
    cover = of(printed(rng), gloss=0.1) if rng.random() < 0.3 else plastic(
        rng, ((60, 38, 26), BLACK, (140, 88, 52), (130, 30, 40)), odd=0.35, gloss=0.1)
    leaf = slab(round_rect(w, l, 0.6), 0, 0.2, cover, bevel=0.05)
    lid = moved(turn(moved(leaf, x=w / 2), "y", -between(rng, 0, 6)), x=-w / 2, z=0.92)
    parts = [
        leaf, lid,
        slab(round_rect(w - 0.5, l - 0.5, corner), 0.2, 0.9, edge, bevel=0.12),
        box((-w / 2 - 0.08, -l / 2 + 0.2, 0.05), (-w / 2, l / 2 - 0.2, 1.1), cover)
    ]
    if rng.random() < 0.6:
        parts.append(box((w / 2 - 1.6, -0.7, 1.0), (w / 2 + 0.06, 0.7, 1.3), plain(*colour(rng, cover.color))))
    return join(parts)


def _keypad_phone(rng: np.random.Generator) -> Soup:
    w, l, face = between(rng, 4.8, 6.2), between(rng, 11, 13), between(rng, 0.28, 0.45) * 12
    body = plastic(rng, (BLACK, (60, 66, 84), (190, 192, 196), RED), odd=0.3)
    key = plastic(rng, (WHITE, (200, 202, 206), BLACK), odd=0.2)
    parts = [
        slab(round_rect(w, l, between(rng, 0.6, 2.2)), 0, 1.1, body, bevel=0.25),
        moved(panel(round_rect(w - 1.0, face, 0.2), 1.105, of(lit_screen(rng), gloss=0.5)), y=l / 2 - face / 2 - 0.9),
        moved(slab(oval(1.4, 0.9), 1.05, 1.25, pick(rng, key, metal(rng))), y=l / 2 - face - 1.6)
    ]
    step = (l - face - 2.9) / 4
    for i in range(12):
        at = ((i % 3 - 1) * w * 0.3, -l / 2 + 0.6 + step * (i // 3 + 0.5), 1.08)
        parts.append(centred((w * 0.25, step * 0.7, 0.12), key, at=at, skip=("-z",)))
    return join(parts)


def _screen_side(rng: np.random.Generator, w: float, l: float, corner: float, thick: float, edge: Material) -> list[Soup]:
    """Glass, picture and camera of a phone that lies face up, with a narrow rim or with an old one's broad chin and button."""
    dark = plain(*colour(rng, (14, 15, 17), 5), gloss=0.7)
    shown = of(lit_screen(rng), gloss=0.6)
    if rng.random() < 0.2:
        bezel, chin = pick(rng, dark, plain(*WHITE, gloss=0.6)), between(rng, 1.5, 2.0)
        return [
            panel(round_rect(w - 0.4, l - 0.4, corner), thick + 0.01, bezel),
            panel(round_rect(w - 0.8, l - 2 * chin, 0.05), thick + 0.03, shown),
            moved(washer(oval(1.2, 1.2), oval(0.9, 0.9), thick - 0.1, thick + 0.05, edge), y=-l / 2 + chin / 2 + 0.1),
            panel(oval(1.5, 0.18) + (0, l / 2 - chin / 2), thick + 0.03, plain(*GREY))
        ]
    rim = between(rng, 0.1, 0.35)
    camera = pick(rng, oval(0.35, 0.35), oval(1.9, 0.5, power=4), oval(2.6, 0.6, power=5))
    return [
        panel(round_rect(w - 0.2, l - 0.2, corner), thick + 0.01, dark),
        panel(round_rect(w - 2 * rim - 0.2, l - 2 * rim - 0.2, corner * 0.85), thick + 0.03, shown),
        panel(camera + (0, l / 2 - 0.75), thick + 0.05, dark)
    ]


def _camera_side(rng: np.random.Generator, w: float, l: float, thick: float, edge: Material, back: Material) -> list[Soup]:
    """Cameras, emblem or finger ring of a phone that lies on its face."""
    dark, lens = plain(*colour(rng, (14, 15, 17), 5), gloss=0.7), plain(20, 22, 28, gloss=0.9)
    places, plate, (x0, y0) = pick(rng, (((-0.75, 0.75), (-0.75, -0.75), (0.75, 0)), (3.6, 3.6), (-w / 2 + 2.1, l / 2 - 2.2)),
                                   (((0, 1.3), (0, 0), (0, -1.3)), (1.7, 4.2), (-w / 2 + 1.3, l / 2 - 2.5)),
                                   (((-1.2, 0), (0, 0), (1.2, 0)), (w - 0.4, 1.6), (0, l / 2 - 2.2)),
                                   (((-0.7, 0.7), (0.7, 0.7), (-0.7, -0.7), (0.7, -0.7)), (4, 4), (0, l / 2 - 2.8)),
                                   (((0, 0.7), (0, -0.7)), (1.6, 3), (-w / 2 + 1.3, l / 2 - 2)), (((0, 0),), (1.6, 1.6),
                                                                                                  (pick(rng, 0, -w / 2 + 1.5), l / 2 - 1.6)))
    parts = [moved(slab(round_rect(*plate, pick(rng, 0.4, 0.9, 2)), thick, thick + 0.15, pick(rng, back, dark, edge), bevel=0.04), x0, y0)]
    for x, y in places:
        parts += [
            moved(slab(oval(1.15, 1.15, count=12), thick + 0.1, thick + 0.25, edge), x0 + x, y0 + y),
            panel(oval(0.9, 0.9, count=12) + (x0 + x, y0 + y), thick + 0.27, lens)
        ]
    if rng.random() < 0.5:
        parts.append(panel(oval(1.1, pick(rng, 1.1, 0.4)) + (0, pick(rng, 0.5, -l / 4)), thick + 0.03, edge))
    elif rng.random() < 0.3:
        parts.append(moved(washer(oval(2.6, 2.6), oval(1.9, 1.9), thick, thick + 0.3, metal(rng)), y=-1))
    return parts


def _slate(rng: np.random.Generator, w: float, l: float, corner: float, edge: Material) -> Soup:
    """A smartphone, bare or in a case, face up or down."""
    thick, outline = between(rng, 0.75, 1.0), round_rect(w, l, corner)
    cased = rng.random() < 0.45
    case = pick(rng, plastic(rng, (BLACK, BLUE, (230, 180, 190)), odd=0.6, gloss=0.1), of(printed(rng), gloss=0.2),
                plain(222, 224, 226, opacity=0.6, gloss=0.5))
    hidden = cased and case.opacity == 1
    parts = [
        slab(outline, 0, thick, case if hidden else edge, bevel=0.15),
        box((w / 2 - 0.05, 1, thick * 0.4), (w / 2 + 0.06, between(rng, 2, 4), thick * 0.65), edge)
    ]
    if rng.random() < 0.6:
        parts += _screen_side(rng, w, l, corner, thick, edge)
    else:
        back = case if hidden else plastic(rng, (BLACK, WHITE, (60, 80, 110), (190, 176, 150), _OLIVE), odd=0.4, gloss=0.6)
        parts += [panel(outline * 0.965, thick + 0.01, back), *_camera_side(rng, w, l, thick, edge, back)]
    if cased:
        parts.append(washer(outline * ((w + 0.17) / w, (l + 0.17) / l), outline * 0.97, 0.05, thick + 0.09, case))
    return join(parts)


def cellphone(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "slate", "slate", "slate", "slate", "slate", "slate", "wallet", "keypad")
    w, l, corner = between(rng, 6.9, 7.8), between(rng, 14, 16), between(rng, 0.5, 1.3)
    edge = pick(rng, metal(rng, fancy=0.5), plastic(rng, (BLACK, WHITE), odd=0.3), plastic(rng, (BLACK,), odd=0.3, gloss=0.05))
    whole = _wallet(rng, w, l, corner, edge) if kind == "wallet" else _keypad_phone(rng) if kind == "keypad" else _slate(rng, w, l, corner, edge)
    return turn(whole, "z", pick(rng, -90, 90))


def remotecontrol(rng: np.random.Generator) -> Soup:
    kind = pick(rng, "long", "long", "long", "stick", "air", "waisted", "senior")
    l, w = {"stick": (14, 3.8), "air": (14, 5.2), "senior": (17, 6)}.get(kind, (between(rng, 17, 23), between(rng, 4.4, 5.6)))
    body = plastic(rng, (WHITE, WHITE, (210, 212, 208)) if kind == "air" else (BLACK, BLACK, BLACK, (52, 54, 58), GREY, (200, 202, 206), WHITE),
                   odd=0.1)
    light = sum(body.color) > 380
    t, z1 = np.linspace(0, 1, 13), between(rng, 1.6, 2.4)
    waist = between(rng, 0.6, 0.8) if kind == "waisted" else between(rng, 0.9, 1.0)
    blunt = pick(rng, (0.86, 0.97), (0.5, 0.88))
    wide = w / 2 * np.interp(t, (0, 0.02, 0.06, 0.94, 0.98, 1),
                             (blunt[0], blunt[1], 1, 1, blunt[1], blunt[0])) * eased(t, (0, 0.5, 1), (1, waist, between(rng, 0.92, 1)))
    y = l * (t - 0.5)
    parts = [
        loft(straight(y, z1 / 2), wide, z1 / 2 * np.interp(t, (0, 0.05, 0.95, 1), (0.8, 1, 1, 0.85)), body, power=pick(rng, 4, 6, 9), segments=16)
    ]
    keys = plastic(rng, ((60, 62, 66), BLACK, (170, 172, 176)) if light else ((92, 94, 98), (206, 207, 210), (58, 60, 64)), odd=0.15)
    if rng.random() < 0.4 and kind != "stick":
        parts.append(panel(round_rect(w * waist * 0.88, l * 0.93, 0.5), z1 + 0.015, plastic(rng, ((36, 37, 40), GREY, (190, 192, 196)), odd=0.1)))

    def button(x: float, at: float, width: float, long: float, mat: Material, *, round_: bool = False) -> None:
        if round_:
            parts.append(moved(slab(oval(width, long, count=9), z1 - 0.05, z1 + 0.22, mat), x, at))
        else:
            parts.append(centred((width, long, 0.27), mat, at=(x, at, z1 - 0.05), skip=("-z",)))

    def cross(at: float, size: float) -> None:
        parts.append(
            moved(washer(pick(rng, oval(size, size), oval(size, size, power=5)), oval(size * 0.45, size * 0.45), z1 - 0.05, z1 + 0.2, keys), 0, at))
        button(0, at, size * 0.36, size * 0.36, pick(rng, keys, keys, plastic(rng, PRIMARY)), round_=True)

    top = l / 2 - 0.9
    round_ = rng.random() < 0.45
    if kind == "air":
        parts += [
            moved(panel(round_rect(w * 0.78, 3.6, 0.2), z1 + 0.02, plain(*colour(rng, (158, 172, 150)), gloss=0.5)), y=top - 2),
            panel(np.array(((-0.9, top - 2.8), (-0.2, top - 2.8), (-0.2, top - 1.2), (-0.9, top - 1.2))), z1 + 0.03, plain(50, 56, 52)),
            panel(np.array(((0.1, top - 2.8), (0.8, top - 2.8), (0.8, top - 1.2), (0.1, top - 1.2))), z1 + 0.03, plain(50, 56, 52))
        ]
        button(0, top - 5, w * 0.5, 1.0, plastic(rng, ((235, 120, 40), GREEN, BLUE), odd=0.2), round_=True)
        for i in range(pick(rng, 4, 6, 8)):
            button((i % 2 - 0.5) * w * 0.45, top - 6.6 - 1.3 * (i // 2), w * 0.32, 0.7, keys, round_=round_)
        return turn(join(parts), "z", -90)
    button(pick(rng, -0.3, 0.3, 0) * w, top - 0.2, 0.75, 0.65, plain(*colour(rng, pick(rng, RED, RED, GREEN, keys.color))), round_=True)
    if kind == "stick":
        cross(top - 2.8, w * 0.74)
        for i in range(pick(rng, 3, 5, 6, 8)):
            button((i % 2 - 0.5) * w * 0.45, top - 5.6 - 1.25 * (i // 2), 0.95, 0.8 if round_ else 0.55, keys, round_=True)
        return turn(join(parts), "z", -90)
    if kind == "senior":
        for i in range(pick(rng, 6, 8)):
            button((i % 2 - 0.5) * w * 0.45, top - 3 - 3.2 * (i // 2), w * 0.34, 2.2, pick(rng, keys, keys, plastic(rng, PRIMARY)), round_=round_)
        return turn(join(parts), "z", -90)
    columns, step = pick(rng, 3, 3, 4), between(rng, 1.0, 1.35)
    rows, dial = int((top + l / 2 - 2.4) / step), int(rng.integers(3, 9))
    colours = [plain(*c) for c in (RED, GREEN, YELLOW, BLUE)]
    bright, r = int(rng.integers(2, 11)), 1
    fill, tall = between(rng, 0.5, 0.8), between(rng, 0.4, 0.72)
    while r < rows:
        at = top - 0.3 - r * step
        if r == dial:
            cross(at - step, min(2.9 * step, 0.74 * w * waist))
            r += 3
            continue
        if rng.random() < 0.9 and len(parts) < 48:
            for i in range(4 if r == bright else columns):
                n = 4 if r == bright else columns
                x = (i - (n - 1) / 2) * w * waist * 0.82 / n
                button(x,
                       at,
                       w * waist * 0.82 / n * fill,
                       step * tall,
                       colours[i] if r == bright else keys,
                       round_=round_ and columns == 3 and rows < 12)
        r += 1
    return turn(join(parts), "z", -90)


_LENSES = {
    "round": (4.6, 4.4, 2.0),
    "oval": (5.0, 3.2, 2.2),
    "square": (5.1, 3.6, 5),
    "way": (5.3, 4.2, 3.4),
    "aviator": (5.7, 4.9, 2.5),
    "cat": (5.4, 4.0, 2.6),
    "half": (4.8, 2.6, 2.6),
    "sport": (6.3, 3.9, 2.8),
    "big": (6.0, 5.2, 2.7)
}


def _lens(shape: str, width: float, height: float, power: float) -> np.ndarray:
    """Outline (n, 2) of the lens at the wearer's +y side, about its own middle."""
    p = oval(width, height, power=power, count=24)
    y, z = p[:, 0] / width * 2, p[:, 1] / height * 2
    if shape in ("way", "aviator", "sport"):
        p[:, 0] *= 1 + 0.1 * z
    if shape == "aviator":
        p[:, 1] -= 0.35 * np.clip(y, -1, 1) * (z < 0) * -z
    if shape == "cat":
        p[:, 1] += 0.7 * np.clip(y, 0, 1)**2 * np.clip(z + 0.3, 0, 1)
    if shape in ("half", "sport"):
        p[:, 1] = np.minimum(p[:, 1], 0.28 * height)
    return p


def glasses(rng: np.random.Generator) -> Soup:
    shape = pick(rng, *_LENSES)
    width, height, power = (v * between(rng, 0.93, 1.07) for v in _LENSES[shape])
    sun = shape == "sport" or rng.random() < (0.75 if shape in ("aviator", "big", "way") else 0.25)
    thin = shape in ("aviator", "oval", "half") or rng.random() < 0.4
    frame = metal(rng, fancy=0.5) if thin else plastic(
        rng, (BLACK, BLACK, (92, 52, 30), (60, 36, 24), WHITE), odd=0.4, opacity=pick(rng, 1.0, 1.0, 1.0, 0.6))
    wire = (0.09, 0.09) if thin else (between(rng, 0.15, 0.25), between(rng, 0.16, 0.4))
    rim = pick(rng, "full", "full", "full", "half", "none") if thin or shape == "sport" else "full"
    tone = pick(rng, (30, 30, 32), (56, 42, 30), (40, 54, 44), any_colour(rng))
    glass = plain(*tone, gloss=0.9, opacity=between(rng, 0.7, 0.95)) if sun else plain(210, 222, 226, gloss=0.8, opacity=between(rng, 0.08, 0.2))
    gap, bend = between(rng, 1.5, 2.1), between(rng, 0.004, 0.012) * (2.5 if shape == "sport" else 1)
    outline = _lens(shape, width, height, power)
    front, middle = [], (gap + width) / 2
    for side in (1, -1):
        o = outline * (side, 1) + (side * middle, 0)
        o = o if side > 0 else o[::-1]
        pane = slab(o, -0.05, 0.05, glass)
        front.append(transformed(pane, np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])))
        loop = np.concatenate([np.zeros((len(o), 1)), o], axis=1)
        if rim == "full":
            front.append(pipe(loop, wire, frame, closed=True))
        elif rim == "half":
            upper = loop[loop[:, 2] > -0.1]
            front.append(pipe(upper[np.argsort(upper[:, 1])], wire, frame))
        hinge = side * (middle + width / 2 * 0.97)
        front.append(
            box((-0.35, min(hinge, hinge + side * 0.35), height * 0.16), (0.12, max(hinge, hinge + side * 0.35), height * 0.16 + 0.35), frame))
    arch = np.linspace(-1, 1, 7)
    inner = gap / 2 + 0.15
    front.append(pipe(np.stack([0.1 + 0 * arch, inner * arch, height * 0.12 + 0.3 * (1 - arch**2)], axis=1), wire, frame))
    if shape == "aviator" or rng.random() < 0.1:
        front.append(pipe([(0, -middle * 0.7, height * 0.5), (0.05, 0, height * 0.46), (0, middle * 0.7, height * 0.5)], wire, frame))
    edge = middle + width / 2 + 0.15
    front = join(front)
    pos = front.pos.copy()
    pos[..., 0] -= bend * pos[..., 1]**2
    front = Soup(pos, front.nrm, front.uv, front.mat, front.materials)
    back, tip = -bend * edge**2 - 0.3, plastic(rng, (BLACK, (92, 52, 30)), odd=0.3) if thin else frame
    arm_wire, drop = (0.08, 0.08) if thin and rng.random() < 0.5 else (0.11, between(rng, 0.15, 0.4)), between(rng, 2, 3.2)
    t = np.array((0, 0.4, 0.7, 0.78, 0.88, 1.0))
    length = between(rng, 12.5, 14)
    path = np.stack([back - length * t, 0 * t, height * 0.16 + 0.17 - drop * np.clip((t - 0.7) / 0.3, 0, 1)**1.4], axis=1)
    arm = join([pipe(path[:4], arm_wire, frame), pipe(path[3:], (arm_wire[0] * 1.5, max(0.16, arm_wire[1])), tip)])
    if rng.random() < 0.65:
        spread = between(rng, 0, 5)
        parts = [front] + [moved(turn(moved(arm, x=-back), "z", -s * spread), back, s * edge) for s in (1, -1)]
        return turn(join(parts), "x", 180 if rng.random() < 0.2 else 0)
    parts = [front] + [moved(turn(moved(arm, x=-back), "z", s * between(rng, 84, 89)), back - 0.25 - 0.4 * (s > 0), s * edge) for s in (1, -1)]
    return turn(join(parts), "z", pick(rng, -1, 1) * between(rng, 42, 48) + pick(rng, 0, 180))


def _key(rng: np.random.Generator) -> Soup:
    """A key along +y, the hole of its bow at the origin."""
    kind = pick(rng, "flat", "flat", "flat", "capped", "old", "car", "dimple")
    steel = metal(rng, fancy=0.4)
    if kind == "car":
        shell = plastic(rng, (BLACK,), odd=0.1)
        parts = [
            slab(round_rect(between(rng, 2.6, 3.6), 5.4, 1.2) + (0, 2.2), -0.5, 0.5, shell, bevel=0.15),
            washer(oval(1, 1, count=10), oval(0.6, 0.6, count=10), -0.15, 0.15, steel)
        ]
        for y in (1.4, 2.6, 3.8)[:pick(rng, 2, 3)]:
            parts.append(moved(slab(oval(1.4, 0.9, power=3, count=10), 0.45, 0.6, pick(rng, plain(*GREY), plain(60, 62, 66), plain(*RED))), y=y))
        if rng.random() < 0.6:
            parts.append(box((-0.4, 4.8, -0.12), (0.4, 8.2, 0.12), steel))
        return join(parts)
    if kind == "old":
        rod_ = [
            along_y(lathe([(0, 0.5), (0.3, 0.5), (0.24, 1.2), (0.36, 1.3), (0.24, 1.5), (0.22, 5.4), (0, 5.5)], steel, segments=8)),
            box((0.1, 4.2, -0.1), (1.2, 5.2, 0.1), steel)
        ]
        bow = transformed(pipe(circle(0.85, count=14), 0.2, steel, closed=True), scaling(between(rng, 1, 1.4), 1, 1))
        return join([bow, *rod_, box((0.6, 4.55, -0.14), (1.5, 4.85, 0.14), steel)])
    size, thick = between(rng, 1.9, 2.5), 0.12
    outer = pick(rng, oval(size, size, count=16), oval(size, size * 0.85, power=3.5, count=16), oval(size * 1.1, size * 0.9, power=2.5, count=16),
                 round_rect(size, size * 0.9, 0.3))
    cover = plastic(rng, PRIMARY, odd=0.3) if kind == "capped" else steel
    head = thick * (1.6 if kind == "capped" else 1)
    bow = washer(outer + (0, size * 0.22), oval(0.6, 0.5, count=16), -head, head, cover)
    start, end, half = size * 0.6, size * 0.6 + between(rng, 2.4, 3.2), between(rng, 0.36, 0.46)
    y = np.linspace(start, end, 12)
    cut = half * (0.2 + 0.75 * rng.random(12)) if kind != "dimple" else half * np.ones(12)
    cut[:2], cut[-1] = half, 0.15
    corners = ((cut, thick), (cut, -thick), (-half + 0 * y, -thick), (-half + 0 * y, thick))
    blade = facets(np.stack([np.stack([x, y, z + 0 * y], axis=1) for x, z in corners], axis=1), steel)
    groove = box((-0.12, start, thick), (0.0, end - 0.4, thick + 0.03), plain(*(int(c * 0.6) for c in steel.color)), skip=("-z",))
    return join([bow, blade, groove])


def _fob(rng: np.random.Generator) -> Soup:
    """What hangs on a ring besides the keys, along +y from the origin."""
    kind = pick(rng, "tag", "strap", "ball", "disc", "card", "animal", "tape")
    stuff = plastic(rng, PRIMARY, odd=0.6)
    link = pipe(circle(0.35, count=8), 0.06, metal(rng), closed=True, segments=4)
    if kind == "tag":
        return join([
            link,
            slab(round_rect(2.2, between(rng, 3.4, 5), 0.5) + (0, 2.4), -0.15, 0.15, stuff, bevel=0.05, top=pick(rng, stuff, of(printed(rng))))
        ])
    if kind in ("strap", "tape"):
        leather = plastic(rng, ((96, 58, 34), BLACK, (150, 96, 56)), odd=0.2, gloss=0.1) if kind == "strap" else of(printed(rng))
        y = np.linspace(0.3, between(rng, 5, 8), 7)
        return join([link, loft(straight(y, 0.3 * np.sin(y)), between(rng, 0.6, 1.1) * np.ones(7), 0.12 * np.ones(7), leather, power=8, segments=8)])
    if kind == "ball":
        return join([link, ellipsoid((0, 1.6, 0.4), (1.2, 1.2, 1.0), stuff, segments=10, rings=7)])
    if kind == "animal":
        ears = [ellipsoid((x, 1.2, 0.3), (0.5, 0.5, 0.35), stuff, segments=8, rings=5) for x in (-0.9, 0.9)]
        return join([
            link,
            ellipsoid((0, 2, 0.2), (1.2, 1.1, 0.8), stuff, segments=10, rings=7),
            ellipsoid((0, 3.6, 0.2), (1, 1.3, 0.7), stuff, segments=10, rings=7), *ears
        ])
    if kind == "disc":
        return join([
            link,
            moved(slab(oval(3.2, 3.2, power=pick(rng, 2, 2, 5)), -0.15, 0.15, pick(rng, metal(rng, fancy=0.5), stuff, timber(rng)), bevel=0.05), y=2)
        ])
    return join([link, slab(round_rect(3, 5, 0.4) + (0, 2.8), -0.08, 0.08, stuff, top=of(printed(rng)))])


def keys(rng: np.random.Generator) -> Soup:
    """A ring near the origin, half raised, from which keys and fobs spread along +x."""
    radius, count = between(rng, 1.0, 1.6), int(rng.integers(1, 5))
    ring = turn(pipe(circle(radius, count=16), between(rng, 0.09, 0.16), metal(rng), closed=True, segments=5), "x", between(rng, 25, 55))
    hung = [_key(rng) for _ in range(count)] + ([_fob(rng)] if count < 4 and rng.random() < 0.85 else [])
    spread = between(rng, 40, 100)
    angles = np.linspace(-spread / 2, spread / 2, len(hung)) if len(hung) > 1 else np.zeros(1)
    parts = [ring]
    for i, a in zip(rng.permutation(len(hung)), angles + rng.normal(0, 6, len(hung))):
        lean = turn(turn(hung[i], "y", between(rng, -25, 25)), "x", between(rng, -12, 4))
        parts.append(moved(turn(moved(lean, y=radius * 0.9), "z", a - 90), z=between(rng, -0.3, 0.3)))
    return join(parts)
