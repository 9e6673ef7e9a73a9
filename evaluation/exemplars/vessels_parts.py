"""Shared parts of bottles, cups, pots and cartons: turned outlines, swept handles, labels and glazes.

Vessels of all makes come from few operations (turn an outline, bend a handle, wrap a label), so these live here once and the designs stay short.
Invariant: every function is pure in the generator's state; lengths are centimetres, which ``meshes.fitted`` rescales later.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from evaluation.exemplars.draws import chance as often, pick
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Soup, face_normals, from_triangles, join, rotation, transformed
from sim_bridges.embedded.primitives import box, quad, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material, Texture

Outline = list[tuple[float, float]]
Art = Callable[[np.ndarray, np.random.Generator, tuple[int, int], int], None]

WHITE, BLACK, STEEL, GOLD, COPPER = (240, 240, 238), (30, 30, 33), (176, 178, 182), (190, 150, 74), (176, 106, 74)
PAPERS = ((245, 243, 236), (236, 226, 200), (250, 250, 250), (28, 28, 30), (186, 152, 108), (214, 206, 186))


def between(rng: np.random.Generator) -> Callable[[float, float], float]:
    """Draws measures: ``between(rng)(low, high)``."""
    return lambda low, high: float(rng.uniform(low, high))


def tint(rng: np.random.Generator, base: RGB, spread: float = 14) -> RGB:
    """``base`` a little lighter or darker and off in hue."""
    shade = rng.normal(0, spread) + rng.normal(0, 0.5 * spread, 3)
    return tuple(int(c) for c in np.clip(np.array(base) + shade, 4, 252))


def hue(rng: np.random.Generator, saturation: tuple[float, float] = (0.55, 0.95), value: tuple[float, float] = (0.45, 0.95)) -> RGB:
    """Any hue at all."""
    return tuple(int(255 * c) for c in colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value)))


def household(rng: np.random.Generator) -> RGB:
    """A colour such as crockery and plastics come in: white often, then pastels, strong ones and darks."""
    kind = rng.choice(5, p=(0.25, 0.2, 0.3, 0.1, 0.15))
    if kind == 0:
        return tint(rng, WHITE, 8)
    if kind == 3:
        return tint(rng, BLACK, 10)
    return hue(rng, *(((0.1, 0.35), (0.7, 0.95)), ((0.5, 0.95), (0.4, 0.95)), None, ((0.05, 0.4), (0.3, 0.65)))[kind - 1])


def coat(rng: np.random.Generator, base: RGB, spread: float = 14, gloss: tuple[float, float] = (0.05, 0.45), opacity: float = 1.0) -> Material:
    return tx.plain(*tint(rng, base, spread), gloss=float(rng.uniform(*gloss)), opacity=opacity)


def metal(rng: np.random.Generator, base: RGB | None = None) -> Material:
    return coat(rng, base or pick(rng, STEEL, STEEL, GOLD, COPPER, (60, 60, 64)), 12, (0.45, 0.8))


def glass(rng: np.random.Generator, base: RGB = (205, 220, 218), opacity: tuple[float, float] = (0.18, 0.36)) -> Material:
    return coat(rng, base, 8, (0.5, 0.9), float(rng.uniform(*opacity)))


def pictured(texture: Texture, gloss: float = 0.2) -> Material:
    return tx.of(texture, gloss=gloss)


def circle(segments: int = 18, start: float = 0.0) -> np.ndarray:
    """Unit section (n, 2); with few segments a polygon."""
    a = start + np.linspace(0, 2 * math.pi, segments, endpoint=False)
    return np.stack([np.cos(a), np.sin(a)], axis=1)


def squarish(power: float = 5.0, wide: float = 1.0, segments: int = 20) -> np.ndarray:
    """Superellipse section, point by point at the angles of ``circle``; ``wide``: its half width in y."""
    c = circle(segments, math.pi / segments)
    return c / (np.abs(c)**power).sum(axis=1, keepdims=True)**(1 / power) * (1.0, wide)


def fluted(count: int, depth: float) -> np.ndarray:
    """A section with ``count`` ribs: crown caps, pressed glass, screw caps."""
    return circle(2 * count) * np.where(np.arange(2 * count) % 2, 1 - depth, 1.0)[:, None]


def turned(outline: Sequence[Sequence[float]],
           material: Material,
           section: np.ndarray | None = None,
           *,
           crease: float = 50.0,
           flat: bool = False) -> Soup:
    """The outline's (radius, z[, share of ``section``, else round]) swept round the z axis; ``flat``: facets show."""
    pts = np.array([(*p, 1.0)[:3] for p in outline], float)
    section = circle() if section is None else section
    around = np.arctan2(section[:, 1], section[:, 0])
    plain = np.stack([np.cos(around), np.sin(around)], axis=1)
    steps = np.diff(pts[:, :2], axis=0)
    heading = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
    bends = np.abs((np.diff(heading) + 180) % 360 - 180)
    cuts = [0, *(np.flatnonzero(bends > crease) + 1), len(pts) - 1]
    reach = np.concatenate([[0], np.cumsum(np.abs(steps).sum(axis=1))])
    reach /= max(reach[-1], 1e-9)
    out = []
    for a, b in zip(cuts[:-1], cuts[1:]):
        rings = [np.column_stack([r * (s * section + (1 - s) * plain), np.full(len(section), z)]) for r, z, s in pts[a:b + 1]]
        skin = skin_of_rings(np.array(rings), material)
        if not len(skin):
            continue
        uv = skin.uv.copy()
        if material.texture is None or material.texture.size is None:
            uv[..., 1] = reach[a] + uv[..., 1] * (reach[b] - reach[a])
        out.append(from_triangles(skin.pos, material, nrm=None if flat else skin.nrm, uv=uv))
    return join(out)


def smooth(points: Sequence[tuple[float, float]], per: int = 3) -> Outline:
    """A curve through the points (Catmull-Rom), ``per`` steps between two of them."""
    p = np.array(points, float)
    p = np.concatenate([[2 * p[0] - p[1]], p, [2 * p[-1] - p[-2]]])
    out = []
    for a, b, c, d in zip(p[:-3], p[1:-2], p[2:-1], p[3:]):
        for t in np.arange(per) / per:
            out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    out.append(p[-2])
    return [(max(float(r), 0.02), float(z)) for r, z in out]


def shouldered(r: float, body: float, neck: float, shoulder: float, top: float, bulge: float, blend: float, *, waist: float = 1.0) -> Outline:
    """A bottle's outline: straight body to height ``body``, a shoulder up to ``shoulder``, a neck of radius ``neck`` up to ``top``."""
    t = np.linspace(0, 1, 7)
    curve = neck + (r - neck) * (1 - t**bulge)**blend
    foot = [(0.0, 0.0), (0.9 * r, 0.0), (r, 0.1 * r), (waist * r, 0.55 * body)] if waist != 1 else [(0.0, 0.0), (0.9 * r, 0.0), (r, 0.1 * r)]
    rise = [(float(c), float(z)) for c, z in zip(curve, body + (shoulder - body) * t)]
    return [*foot, *rise, (neck, top)]


def upto(outline: Sequence[tuple[float, float]], level: float, share: float = 0.9) -> Outline:
    """What fills a vessel of this outline up to ``level``: a little inside of it, closed on top."""
    pts = [(share * r, z + 0.1) for r, z in outline]
    full = [p for p in pts if p[1] < level - 1e-3]
    edge = float(np.interp(level, [z for _, z in pts], [r for r, _ in pts]))
    return [*full, (edge, level), (0.0, level)]


def hollow(outline: Outline,
           wall: float,
           outside: Material,
           inside: Material | None = None,
           section: np.ndarray | None = None,
           flat: bool = False,
           floor: float | None = None) -> Soup:
    """An open vessel: ``outline`` (radius, z) is its outside from the bottom's centre to the rim; ``floor``: where its inside begins."""
    top = outline[-1][1]
    floor = wall if floor is None else floor
    inner = [(max(0.0, r - wall), z) for r, z in outline if z > floor + 1e-6]
    base = float(np.interp(floor, [z for _, z in outline[1:]], [r for r, _ in outline[1:]]))
    down = [(r, z) for r, z in reversed(inner)] + [(max(0.05, 0.96 * (base - wall)), floor), (0.0, floor)]
    skin = turned([*outline, (max(0.0, outline[-1][0] - wall), top)], outside, section, flat=flat)
    return join([skin, turned(down, inside or outside, section, flat=flat)])


def disc(radius: float, z: float, material: Material, section: np.ndarray | None = None) -> Soup:
    """A level surface seen from above: a drink, water."""
    return turned([(radius, z), (0.0, z)], material, section)


def knob(z0: float, outline: Sequence[tuple[float, float]], material: Material, section: np.ndarray | None = None, flat: bool = False) -> Soup:
    """A cap or lid standing at height ``z0``."""
    return turned([(r, z0 + z) for r, z in outline], material, section, flat=flat)


def cap(z0: float, radius: float, height: float, material: Material, ribs: int = 0) -> Soup:
    """A screw cap or plain stopper, ribbed or smooth."""
    bevel = 0.12 * min(radius, height)
    outline = [(0.0, 0.0), (radius, 0.0), (radius, height - bevel), (radius - bevel, height), (0.0, height)]
    return knob(z0, outline, material, fluted(ribs, 0.06) if ribs else circle(16))


def sleeve(outline: Sequence[tuple[float, float]],
           material: Material,
           sweep: float = 2 * math.pi,
           *,
           facing: float = 0.0,
           oval: bool = False) -> Soup:
    """A label over part of a turned body, wrapped ``sweep`` radians round it and lifted off by a hair."""
    pts = np.array(outline, float)
    if oval:
        z = np.linspace(pts[0, 1], pts[-1, 1], 9)
        pts = np.column_stack([np.interp(z, pts[:, 1], pts[:, 0]), z])
    t = (pts[:, 1] - pts[0, 1]) / (pts[-1, 1] - pts[0, 1])
    half = 0.5 * sweep * (np.sqrt(np.maximum(1 - (2 * t - 1)**2, 0.01)) if oval else np.ones(len(pts)))
    n = max(6, int(18 * sweep / (2 * math.pi)) + 1)
    rings = []
    for (r, z), h in zip(pts, half):
        a = facing + np.linspace(-h, h, n)
        rings.append(np.column_stack([1.02 * r * np.cos(a), 1.02 * r * np.sin(a), np.full(n, z)]))
    return skin_of_rings(np.array(rings), material, closed=False, uv=True)


def _lid(ring: np.ndarray, material: Material) -> Soup:
    return from_triangles(np.stack([[ring[0], ring[i], ring[i + 1]] for i in range(1, len(ring) - 1)]), material)


def swept(path: Sequence[Sequence[float]],
          radius: float | Sequence[float],
          material: Material,
          *,
          side: Sequence[float] = (1, 0, 0),
          thick: float = 1.0,
          segments: int = 7) -> Soup:
    """A bent rod along ``path``, which lies roughly square to ``side``; ``thick``: its extent along ``side`` over the other one."""
    p, v = np.asarray(path, float), np.asarray(side, float)
    along = np.gradient(p, axis=0)
    u = np.cross(v, along)
    u /= np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-9)
    r = np.broadcast_to(np.asarray(radius, float), len(p))
    rings = np.stack([q + x * (c * w + s * thick * v) for q, w, x in zip(p, u, r) for c, s in circle(segments)]).reshape(len(p), segments, 3)
    return join([skin_of_rings(rings, material), _lid(rings[0][::-1], material), _lid(rings[-1], material)])


def ear(top: tuple[float, float], bottom: tuple[float, float], out: float, power: float = 1.0, steps: int = 9) -> np.ndarray:
    """A handle's path in the y-z plane from ``top`` (y, z) bulging out to +y and back to ``bottom``; small ``power``: squarish."""
    a = np.linspace(math.pi / 2, -math.pi / 2, steps)
    share = (1 - np.sign(np.sin(a)) * np.abs(np.sin(a))**power) / 2
    y = top[0] + (bottom[0] - top[0]) * share + out * np.maximum(np.cos(a), 0)**power
    return np.column_stack([np.zeros(steps), y, top[1] + (bottom[1] - top[1]) * share])


def bail(radius: float, z: float, rise: float, lean: float, steps: int = 11) -> np.ndarray:
    """A bucket's or kettle's hoop from -y over the top to +y, leaned over by ``lean`` radians towards +x."""
    a = np.linspace(math.pi, 0, steps)
    up = rise * np.sin(a)
    return np.column_stack([up * math.sin(lean), radius * np.cos(a), z + up * math.cos(lean)])


def flipped(soup: Soup) -> Soup:
    """Turned by half a turn: what points to +y then points to -y."""
    return transformed(soup, rotation((0, 0, 1), math.pi))


def with_lip(soup: Soup, z0: float, amount: float, sharp: float = 8.0) -> Soup:
    """The rim above ``z0`` drawn out towards +y into a pouring lip."""
    pos = soup.pos.copy()
    reach = np.maximum(np.linalg.norm(pos[..., :2], axis=2), 1e-6)
    rise = np.clip((pos[..., 2] - z0) / max(float(pos[..., 2].max()) - z0, 1e-6), 0, 1)
    pos[..., 1] += amount * rise**1.5 * np.clip(pos[..., 1] / reach, 0, 1)**sharp * np.where(reach > 0.1, 1, 0)
    keep = np.linalg.norm(np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]), axis=1) > 1e-9
    return Soup(pos[keep], soup.nrm[keep], soup.uv[keep], soup.mat[keep], soup.materials)


def frustum(low: tuple[float, float],
            high: tuple[float, float],
            z0: float,
            z1: float,
            sides: Material,
            top: Material | None = None,
            slant: float = 0.0) -> Soup:
    """Four walls (depth x, width y at ``z0`` and at ``z1``) with lids; ``slant``: how much lower the top's front edge lies."""
    signs = ((1, -1), (1, 1), (-1, 1), (-1, -1))
    a = [(sx * low[0] / 2, sy * low[1] / 2, z0) for sx, sy in signs]
    b = [(sx * high[0] / 2, sy * high[1] / 2, z1 - (slant if sx > 0 else 0)) for sx, sy in signs]
    walls = [quad((a[i], a[(i + 1) % 4], b[(i + 1) % 4], b[i]), sides) for i in range(4)]
    return join([*walls, quad((b[0], b[1], b[2], b[3]), top or sides), quad((a[3], a[2], a[1], a[0]), top or sides)])


def slab(low: Sequence[float], high: Sequence[float], sides: Material, ends: Material) -> Soup:
    """A box with printed walls and plain top and bottom."""
    return join([box(low, high, sides, skip=("+z", "-z")), box(low, high, ends, skip=("+x", "-x", "+y", "-y"))])


def _ink_on(rng: np.random.Generator, ground: RGB) -> RGB:
    if sum(ground) > 390:
        return pick(rng, BLACK, (40, 44, 90), (120, 24, 30), hue(rng, (0.7, 1.0), (0.2, 0.5)))
    return pick(rng, WHITE, (236, 220, 170), GOLD, hue(rng, (0.1, 0.5), (0.85, 1.0)))


def _ground(rng: np.random.Generator, image: np.ndarray, base: RGB, accent: RGB) -> RGB:
    """Paints the label's large areas; the colour that lies behind its name."""
    n, k = len(image), int(rng.integers(6))
    a, b = sorted(int(v) for v in rng.uniform(0.2, 0.8, 2) * n)
    image[:] = base
    if k == 0:
        image[int(0.32 * n):int(0.68 * n)] = accent
        return accent
    if k == 1:
        image[b:] = accent
    elif k == 2:
        cv2.fillPoly(image, [np.array([(0, a), (n, b), (n, n), (0, n)])], accent)
    elif k == 3:
        cv2.rectangle(image, (4, 4), (n - 5, n - 5), accent, int(rng.integers(1, 5)))
    elif k == 4:
        cv2.circle(image, (n // 2, n // 2), int(rng.uniform(0.3, 0.46) * n), accent, -1)
        return accent
    else:
        fade = np.linspace(0, 1, n)[:, None, None]
        image[:] = (np.array(base) * (1 - fade) + np.array(accent) * fade).astype(np.uint8)
    return base


def printed(rng: np.random.Generator,
            words: Sequence[str],
            *,
            base: RGB | None = None,
            accent: RGB | None = None,
            repeat: int = 1,
            art: Art | None = None) -> Texture:
    """A label of ``repeat`` equal fields: grounds, a name, small print and an emblem or ``art``."""
    n = 128
    base, accent = base or tint(rng, pick(rng, *PAPERS), 8), accent or hue(rng)
    field = np.zeros((n, n, 3), np.uint8)
    behind = _ground(rng, field, base, accent)
    word, font = pick(rng, *words), int(
        pick(rng, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX))
    name = int(rng.uniform(0.28, 0.66) * n) if art else n // 2
    if art:
        spot = (int(rng.uniform(0.35, 0.65) * n), int((0.75 if name < 0.5 * n else 0.24) * n))
        art(field, rng, spot, int(rng.uniform(0.13, 0.22) * n))
    elif often(rng, 0.6):
        cv2.ellipse(field, (n // 2, int(pick(rng, 0.2, 0.8) * n)), (int(rng.uniform(6, 22)), int(rng.uniform(6, 16))), 0, 0, 360, hue(rng), -1)
    wide, high = cv2.getTextSize(word, font, 1.0, 2)[0]
    scale = rng.uniform(0.6, 0.94) * n / max(wide, 1)
    ink = _ink_on(rng, behind)
    cv2.putText(field, word, (int((n - scale * wide) / 2), int(name + scale * high / 2)), font, scale, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    for row in range(int(rng.integers(0, 5))):
        half = int(rng.uniform(0.1, 0.36) * n)
        y = int(name + scale * high / 2 + 8 + 6 * row)
        cv2.line(field, (n // 2 - half, y), (n // 2 + half, y), ink, 1)
    if repeat == 1:
        return Texture(field)
    return Texture(np.tile(cv2.resize(field, (n // repeat, n), interpolation=cv2.INTER_AREA), (1, repeat, 1)))


def fruit_art(image: np.ndarray, rng: np.random.Generator, at: tuple[int, int], radius: int) -> None:
    """A few fruits with leaves."""
    colour = pick(rng, (245, 150, 30), (250, 205, 60), (200, 40, 44), (120, 180, 60), (110, 40, 110), (240, 120, 90), (230, 90, 110))
    for _ in range(int(rng.integers(1, 5))):
        c = (int(at[0] + rng.normal(0, 0.9 * radius)), int(at[1] + rng.normal(0, 0.35 * radius)))
        cv2.circle(image, c, radius, tint(rng, colour, 12), -1)
        cv2.circle(image, (c[0] - radius // 3, c[1] - radius // 3), radius // 4, tuple(min(255, v + 60) for v in colour), -1)
        cv2.ellipse(image, (c[0] + radius // 3, c[1] - radius), (radius // 2, radius // 4), -30, 0, 360, tint(rng, (60, 130, 50)), -1)


def splash_art(image: np.ndarray, rng: np.random.Generator, at: tuple[int, int], radius: int) -> None:
    """Cow patches, a wave, or a meadow."""
    n, k = len(image), int(rng.integers(3))
    if k == 0:
        for _ in range(int(rng.integers(3, 8))):
            where = tuple(int(v) for v in rng.uniform(0, n, 2))
            cv2.ellipse(image, where, tuple(int(v) for v in rng.uniform(6, 18, 2)), float(rng.uniform(0, 180)), 0, 360, tint(rng, (40, 38, 40), 6),
                        -1)
    else:
        x = np.arange(n)
        y = at[1] + 0.3 * radius * np.sin(x * rng.uniform(0.03, 0.09) + rng.uniform(0, 6))
        colour = tint(rng, pick(rng, (90, 160, 70), (40, 110, 190), (240, 240, 245), (200, 50, 60)))
        cv2.fillPoly(image, [np.array([*np.stack([x, y], 1), (n, n), (0, n)], np.int32)], colour)
        if k == 2:
            cv2.ellipse(image, (at[0], at[1] - radius // 2), (radius, radius // 2), 0, 0, 360, (235, 235, 232), -1)
            cv2.circle(image, (at[0] + radius, at[1] - radius), radius // 3, (50, 44, 44), -1)


def pattern(rng: np.random.Generator, base: RGB) -> Material:
    """The skin of crockery: plain, dipped, banded, dotted, flowered, speckled or chequered."""
    n, other, gloss = 96, tint(rng, pick(rng, hue(rng), WHITE, BLACK, (150, 110, 80)), 10), float(rng.uniform(0.05, 0.6))
    image, kind = np.full((n, n, 3), base, np.uint8), int(rng.integers(9))
    if kind <= 1:
        return tx.plain(*base, gloss=gloss)
    if kind == 2:
        x = np.arange(n)
        edge = n * rng.uniform(0.2, 0.8) + rng.uniform(0, 7) * np.sin(2 * math.pi * (x / n * rng.integers(1, 6)) + rng.uniform(0, 6))
        image[np.arange(n)[:, None] < edge[None, :]] = other
    elif kind == 3:
        for _ in range(int(rng.integers(1, 7))):
            y = int(rng.integers(0, n))
            image[y:y + int(rng.integers(2, 12))] = tint(rng, other, 20)
    elif kind == 4:
        step = int(pick(rng, 12, 16, 24))
        for y in range(step // 2, n, step):
            for x in range(step // 2, n, step):
                cv2.circle(image, ((x + (y // step % 2) * step // 2) % n, y), max(2, int(0.3 * step)), other, -1)
    elif kind == 5:
        for _ in range(int(rng.integers(4, 14))):
            c, r, petal = rng.uniform(8, n - 8, 2), rng.uniform(3, 7), hue(rng)
            for a in np.arange(5) * 2 * math.pi / 5:
                cv2.circle(image, (int(c[0] + r * math.cos(a)), int(c[1] + r * math.sin(a))), max(2, int(0.6 * r)), petal, -1)
            cv2.circle(image, (int(c[0]), int(c[1])), max(1, int(0.5 * r)), (240, 210, 90), -1)
    elif kind == 6:
        image = tx.spotted(int(rng.integers(1 << 30)), base, other, count=int(rng.integers(40, 200)), radius=(1, 3)).pixels
    elif kind == 7:
        image[:, (np.arange(n) // int(pick(rng, 4, 6, 8, 12))) % 2 == 0] = other
    else:
        y, x = np.mgrid[0:n, 0:n]
        image[(y + np.abs(x % 24 - 12) * rng.uniform(0.5, 1.5)).astype(int) // 8 % 3 == 0] = other
    return pictured(Texture(image), gloss)


def grained(rng: np.random.Generator, base: RGB) -> Material:
    """Turned wood or woven straw: fine streaks along the body."""
    streaks = cv2.resize(rng.normal(0, 1, (6, 64)).astype(np.float32), (64, 64)) * rng.uniform(6, 18)
    return pictured(Texture(np.clip(np.array(base) + streaks[..., None], 0, 255).astype(np.uint8)), float(rng.uniform(0.05, 0.4)))


def sound(soup: Soup) -> Soup:
    """Without triangles of no area."""
    keep = np.linalg.norm(face_normals(soup.pos), axis=1) > 0.5
    return soup if keep.all() else Soup(soup.pos[keep], soup.nrm[keep], soup.uv[keep], soup.mat[keep], soup.materials)
