"""What the makers of food and tableware share: draws from the generator, small pictures, and shapes that plain primitives lack.

Lengths are in units of about a centimetre: the result is fitted to its class's size afterwards. Pictures are at most 128 pixels a side, because
hundreds of exemplars share one atlas. Invariant: every function draws from the generator handed in and keeps no state.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from evaluation.exemplars.draws import chance, pick
from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import ellipsoid, limb, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material, Texture, of, plain

Outline = Callable[[np.ndarray], np.ndarray]  # angles → factors on the radius


def colour(rng: np.random.Generator, base: Sequence[float], spread: float = 14) -> RGB:
    """``base`` made lighter or darker as a whole and a little shifted in hue."""
    c = np.clip(np.asarray(base) + rng.normal(0, spread) + rng.normal(0, spread / 2, 3), 0, 255)
    return int(c[0]), int(c[1]), int(c[2])


def bright(rng: np.random.Generator) -> RGB:
    c = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.55, 1.0), rng.uniform(0.45, 0.98))
    return int(255 * c[0]), int(255 * c[1]), int(255 * c[2])


def pastel(rng: np.random.Generator) -> RGB:
    c = colorsys.hsv_to_rgb(rng.random(), rng.uniform(0.05, 0.4), rng.uniform(0.8, 1.0))
    return int(255 * c[0]), int(255 * c[1]), int(255 * c[2])


def paint(rng: np.random.Generator, base: Sequence[float], spread: float = 14, *, gloss: float = 0.1, opacity: float = 1.0) -> Material:
    return plain(*colour(rng, base, spread), gloss=gloss, opacity=opacity)


# Pictures ------------------------------------------------------------------------------------------------------------


def noise(rng: np.random.Generator, high: int, wide: int, cells: tuple[int, int]) -> np.ndarray:
    """Smooth noise −1…1, float32 (high, wide), of about ``cells`` bumps, with finer ones on top; meets itself left and right."""
    total = np.zeros((high, wide), np.float32)
    for level in range(3):
        grid = rng.uniform(-1, 1, (max(2, cells[0] << level), max(2, cells[1] << level))).astype(np.float32)
        grid[:, -1] = grid[:, 0]
        total += cv2.resize(grid, (wide, high), interpolation=cv2.INTER_CUBIC) * 0.55 ** level
    return total / 1.6


def canvas(rng: np.random.Generator,
           base: RGB,
           contrast: float = 0.08,
           cells: tuple[int, int] = (6, 6),
           high: int = 64,
           wide: int = 64) -> np.ndarray:
    """A mottled ground, uint8 (high, wide, 3); row 0 is the top."""
    light = 1 + contrast * noise(rng, high, wide, cells)[..., None]
    return np.clip(np.array(base, np.float32) * light, 0, 255).astype(np.uint8)


def blend(image: np.ndarray, over: RGB, mask: np.ndarray) -> np.ndarray:
    """``image`` turning into the colour ``over`` where ``mask`` (h, w), or (h, 1) or (1, w), goes to 1."""
    m = np.clip(mask, 0, 1)[..., None]
    return (image * (1 - m) + np.array(over, np.float32) * m).astype(np.uint8)


def dots(rng: np.random.Generator, image: np.ndarray, colours: Sequence[RGB], count: int, radius: tuple[float, float]) -> np.ndarray:
    """Round spots of ``radius`` pixels (from, to), smoothed at the edge."""
    for _ in range(count):
        x, y = rng.uniform(0, image.shape[1]), rng.uniform(0, image.shape[0])
        cv2.circle(image, (int(x * 8), int(y * 8)), int(8 * rng.uniform(*radius)), pick(rng, *colours), -1, cv2.LINE_AA, 3)
    return image


def picture(image: np.ndarray, gloss: float = 0.1) -> Material:
    return of(Texture(np.ascontiguousarray(image, np.uint8)), gloss=gloss)


def from_centre(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Distance (1 at the edge's middle) and angle of each pixel of a square picture."""
    y, x = np.mgrid[0:n, 0:n] / (n - 1) * 2 - 1
    return np.hypot(x, y), np.arctan2(-y, x)


def words(image: np.ndarray, text: str, centre: tuple[float, float], width: float, ink: RGB) -> None:
    """``text`` centred at pixel (x, y), ``width`` pixels long."""
    font = cv2.FONT_HERSHEY_DUPLEX
    scale = width / cv2.getTextSize(text, font, 1.0, 1)[0][0]
    (w, h), _ = cv2.getTextSize(text, font, scale, 1)
    cv2.putText(image, text, (int(centre[0] - w / 2), int(centre[1] + h / 2)), font, scale, ink, 2 if scale > 0.55 else 1, cv2.LINE_AA)


def letters(rng: np.random.Generator, low: int = 3, high: int = 7) -> str:
    """A made-up brand."""
    return "".join(pick(rng, *("AEIOUY" if i % 2 else "BCDFGKLMNPRSTVZ")) for i in range(int(rng.integers(low, high + 1))))


def pack_panel(rng: np.random.Generator, high: int, wide: int, names: Sequence[str], bits: Sequence[RGB]) -> np.ndarray:
    """The printed face of a package: ground, a shape or two, brand, product's name, a picture of ``bits``."""
    a, b = bright(rng), pick(rng, bright(rng), pastel(rng), (250, 250, 245))
    if chance(rng, 0.15):
        a = pick(rng, (25, 25, 28), (240, 238, 230), (170, 130, 85))
    image = np.full((high, wide, 3), a, np.uint8)
    y = np.linspace(0, 1, high)[:, None]
    x = np.linspace(0, 1, wide)[None]
    style, cut = int(rng.integers(6)), rng.uniform(0.3, 0.6)
    if style == 0:
        image = blend(image, b, np.broadcast_to(y, (high, wide)))
    elif style == 1:
        image[(y + rng.uniform(-0.6, 0.6) * x > cut)] = b
    elif style == 2:
        image[(np.abs(y - cut) < rng.uniform(0.1, 0.25)) & (x >= 0)] = b
    elif style == 3:
        image[np.sin(np.arctan2(y - cut, x - 0.5) * int(rng.integers(5, 12))) > 0.3] = b
    elif style == 4:
        image[(np.abs(y - cut + 0.15 * np.sin(3 * x)) > 0.3)] = b
    low = pick(rng, 0.7, 0.75, 0.3)
    for _ in range(int(rng.integers(0, 14))):
        c = int(wide * rng.uniform(0.2, 0.8)), int(high * (low + rng.normal(0, 0.07)))
        cv2.ellipse(image, c, (int(wide * rng.uniform(0.08, 0.16)), int(wide * rng.uniform(0.05, 0.13))), rng.uniform(0, 180), 0, 360,
                    colour(rng, pick(rng, *bits), 16), -1, cv2.LINE_AA)
    at = (wide / 2, high * (0.3 if low > 0.5 else 0.65) + rng.uniform(-4, 4))
    ink = pick(rng, (255, 255, 255), (250, 225, 60), (20, 20, 30), (190, 20, 30))
    if chance(rng, 0.6):
        badge = pick(rng, bright(rng), (255, 255, 255), (20, 20, 40))
        ink = (255, 255, 255) if sum(badge) < 330 else pick(rng, (20, 20, 30), (190, 20, 30), (20, 50, 140))
        cv2.ellipse(image, (int(at[0]), int(at[1])), (int(wide * 0.44), int(wide * rng.uniform(0.16, 0.3))), rng.uniform(-15, 15), 0, 360, badge, -1,
                    cv2.LINE_AA)
    words(image, letters(rng), at, wide * rng.uniform(0.55, 0.8), ink)
    words(image, pick(rng, *names), (wide / 2, at[1] + high * 0.16), wide * rng.uniform(0.45, 0.7), pick(rng, (255, 255, 255), (20, 20, 30)))
    return image


def wrap_print(rng: np.random.Generator, names: Sequence[str], bits: Sequence[RGB], high: int = 128) -> np.ndarray:
    """Two panels side by side, front and back, for a package whose picture runs once round it."""
    front = pack_panel(rng, high, 64, names, bits)
    back = front.copy() if chance(rng, 0.5) else np.full_like(front, front[0, 0])
    if chance(rng, 0.7):
        x, y = int(rng.integers(4, 34)), int(high * rng.uniform(0.55, 0.8))
        back[y:y + 12, x:x + 24] = 250
        back[y + 2:y + 10, x + 2:x + 22:2] = 40
        ink = pick(rng, (250, 250, 250), (30, 30, 30))
        for row in range(int(high * 0.12), int(high * rng.uniform(0.2, 0.5)), 4):
            back[row, 8:int(rng.integers(40, 57))] = ink
    return np.concatenate([front, back], axis=1)


# Outlines and shapes -------------------------------------------------------------------------------------------------


def scalloped(lobes: int, depth: float) -> Outline:
    return lambda a: 1 + depth * np.cos(lobes * a)


def squarish(power: float) -> Outline:
    return lambda a: (np.abs(np.cos(a)) ** power + np.abs(np.sin(a)) ** power) ** (-1 / power)


def polygonal(sides: int) -> Outline:
    return lambda a: np.cos(np.pi / sides) / np.cos(np.mod(a, 2 * np.pi / sides) - np.pi / sides)


def wobbly(rng: np.random.Generator, depth: float) -> Outline:
    """Hand-made: a few slow waves."""
    waves = [(k, rng.uniform(0, 2 * np.pi), depth * rng.uniform(0.3, 1.0) / k ** 0.5) for k in (2, 3, 4, 5, 7)]
    return lambda a: 1 + sum(d * np.sin(k * a + p) for k, p, d in waves)


def turned(profile: Sequence[tuple[float, float]],
           material: Material,
           *,
           outline: Outline | None = None,
           segments: int = 26,
           planar: bool = False,
           twist: float = 0.0,
           crease: float = 60.0) -> Soup:
    """A lathe whose rings follow ``outline`` and turn by ``twist`` from bottom to top; corners beyond ``crease`` degrees stay sharp.

    The picture runs once round it, or, if ``planar``, lies over it once, seen from above.
    """
    a = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    p = np.asarray(profile, float)
    t = a + twist * np.linspace(0, 1, len(p))[:, None]
    r = p[:, :1] * (outline(t) if outline else np.ones_like(t))
    rings = np.stack([r * np.cos(a), r * np.sin(a), np.broadcast_to(p[:, 1:], r.shape)], axis=-1)
    steps = np.diff(p, axis=0)
    bend = np.diff(np.degrees(np.arctan2(steps[:, 1], steps[:, 0])))
    cuts = [0, *(np.flatnonzero(np.abs((bend + 180) % 360 - 180) > crease) + 1), len(p) - 1]
    done = np.concatenate([[0], np.cumsum(np.linalg.norm(steps, axis=1))])
    done /= done[-1]
    pieces = []
    for first, last in zip(cuts[:-1], cuts[1:]):
        skin = skin_of_rings(rings[first:last + 1], material, uv=True)
        skin.uv[..., 1] = np.interp(skin.uv[..., 1], np.linspace(0, 1, last - first + 1), done[first:last + 1])
        pieces.append(skin)
    return seen_from_above(join(pieces)) if planar else join(pieces)


def seen_from_above(soup: Soup) -> Soup:
    """The picture laid over the whole once, seen from above: its right is +y, its top −x."""
    low, high = soup.bounds()
    span = np.maximum((high - low)[:2], 1e-6)
    xy = (soup.pos[..., :2] - low[:2]) / span * 0.998 + 0.001
    return from_triangles(soup.pos, soup.materials[0], nrm=soup.nrm, uv=np.stack([xy[..., 1], 1 - xy[..., 0]], axis=-1))


def sweep(path: np.ndarray,
          radii: np.ndarray,
          material: Material,
          *,
          segments: int = 14,
          outline: Outline | None = None,
          up: Sequence[float] = (0, 0, 1),
          caps: tuple[Material | None, Material | None] = (None, None)) -> Soup:
    """Rings along ``path`` (k, 3); ``radii`` (k,) or (k, 2) across and along ``up``. Ends close to a point, or flat with ``caps``."""
    path = np.asarray(path, float)
    radii = np.broadcast_to(np.asarray(radii, float).reshape(len(path), -1), (len(path), 2))
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(up, along)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    high = np.cross(along, across)
    a = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    f = outline(a) if outline else np.ones_like(a)
    rings = path[:, None] + (radii[:, :1] * (np.cos(a) * f))[..., None] * across[:, None] + (radii[:, 1:] *
                                                                                             (np.sin(a) * f))[..., None] * high[:, None]
    first, last = caps
    parts = [lid(rings[0][::-1], first or material), lid(rings[-1], last or material)]
    return join([skin_of_rings(rings, material, uv=True), *parts])


def lid(loop: np.ndarray, material: Material) -> Soup:
    """A flat (or slightly bent) face inside ``loop``, counter-clockwise from the side that is seen; the picture fills it once."""
    loop = np.asarray(loop, float)
    middle = loop.mean(axis=0)
    pos = np.stack([np.broadcast_to(middle, loop.shape), loop, np.roll(loop, -1, axis=0)], axis=1)
    pos = pos[np.linalg.norm(np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]), axis=1) > 1e-9]
    span = np.ptp(loop, axis=0)
    axes = sorted(np.argsort(span)[1:])
    uv = (pos[..., axes] - loop.min(axis=0)[axes]) / np.maximum(span[axes], 1e-9) * 0.998 + 0.001
    return from_triangles(pos, material, uv=uv)


def prism(outline: np.ndarray, low: float, high: float, side: Material, top: Material | None = None, *, bevel: float = 0.0) -> Soup:
    """``outline`` (n, 2), counter-clockwise and star-shaped about its middle, raised from ``low`` to ``high``."""
    flat = np.asarray(outline, float)
    middle = flat.mean(axis=0)
    steps = [(1.0, low), (1.0, high)] if bevel <= 0 else [(1 - bevel, low), (1.0, low + 0.3 * (high - low)), (1.0, low + 0.7 * (high - low)),
                                                          (1 - bevel, high)]
    rings = np.array([np.column_stack([middle + (flat - middle) * s, np.full(len(flat), z)]) for s, z in steps])
    return join([skin_of_rings(rings, side, uv=True), lid(rings[-1], top or side), lid(rings[0][::-1], side)])


def cushion(outline: np.ndarray, height: float, top: Material, under: Material, *, flatness: float = 0.8) -> Soup:
    """A soft slab: upright edge, rounded over the top; ``top``'s picture is seen from above."""
    flat = np.asarray(outline, float)
    middle = flat.mean(axis=0)
    steps = [(0.97, 0.0), (1.0, 0.35), (0.97, 0.7), (flatness, 0.93), (flatness / 2, 1.0), (0.0, 1.0)]
    rings = np.array([np.column_stack([middle + (flat - middle) * s, np.full(len(flat), z * height)]) for s, z in steps])
    return join([seen_from_above(skin_of_rings(rings, top, uv=True)), lid(rings[0][::-1], under)])


def sheet(grid: np.ndarray, material: Material, under: Material | None = None, *, thickness: float = 0.05) -> Soup:
    """A thin bent leaf through ``grid`` (rows, columns, 3), seen where columns × rows points, and from behind."""
    back = grid[::-1].copy()
    back[..., 2] -= thickness
    return join([skin_of_rings(grid, material, closed=False, uv=True), skin_of_rings(back, under or material, closed=False, uv=True)])


def blob(radii: Sequence[float],
         material: Material,
         shape: Callable[[np.ndarray], np.ndarray] | None = None,
         *,
         segments: int = 20,
         rings: int = 12) -> Soup:
    """An ellipsoid whose distance from its middle is scaled by ``shape`` of the direction (…, 3)."""
    t = np.linspace(0, np.pi, rings)[:, None]
    a = np.linspace(0, 2 * np.pi, segments, endpoint=False)[None]
    way = np.stack([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), -np.cos(t) * np.ones_like(a)], axis=-1)
    scale = shape(way)[..., None] if shape else 1.0
    return skin_of_rings(way * scale * np.asarray(radii, float), material, uv=True)


def bumps(rng: np.random.Generator, depth: float, frequency: float, count: int = 6) -> Callable[[np.ndarray], np.ndarray]:
    """Smooth random unevenness over all directions."""
    k, p = rng.normal(0, frequency, (count, 3)), rng.uniform(0, 2 * np.pi, count)
    return lambda way: 1 + depth * np.sin(way @ k.T + p).mean(axis=-1) * 2


def moved(soup: Soup, x: float = 0, y: float = 0, z: float = 0, *, turn: float = 0, tilt: float = 0, roll: float = 0) -> Soup:
    """``turn`` about z, ``tilt`` about y, ``roll`` about x (in the order roll, tilt, turn), then shifted."""
    m = rotation((0, 0, 1), turn) @ rotation((0, 1, 0), tilt) @ rotation((1, 0, 0), roll)
    return transformed(soup, translation(x, y, z) @ m)


def ring_outline(rx: float, ry: float, outline: Outline | None = None, n: int = 24) -> np.ndarray:
    """An ellipse (or what ``outline`` makes of it) as points (n, 2)."""
    a = np.linspace(0, 2 * np.pi, n, endpoint=False)
    f = outline(a) if outline else 1.0
    return np.column_stack([rx * np.cos(a) * f, ry * np.sin(a) * f])


def leaf(rng: np.random.Generator, base: RGB, length: float, width: float, at: Sequence[float], turn: float) -> Soup:
    """A pointed leaf that starts at ``at``, rises and bends over."""
    t = np.linspace(0, 1, 5)
    half = width / 2 * np.sin(np.pi * t ** 0.8)
    rise = length * (rng.uniform(0.2, 0.6) * t - rng.uniform(0.2, 0.6) * t ** 2)
    grid = np.stack([np.column_stack([s * half, length * t, rise + np.abs(s) * half * 0.4]) for s in (-1, 0, 1)], axis=1)
    return moved(sheet(grid, paint(rng, base), thickness=0.02 * length), *at, turn=turn)


def berries(rng: np.random.Generator, count: int, radius: float, spot: Callable[[], Sequence[float]], bases: Sequence[RGB]) -> Soup:
    """Small round fruit at ``spot()`` each."""
    base = pick(rng, *bases)
    return join(
        ellipsoid(spot(), (radius, radius, radius * rng.uniform(0.8, 1.1)), paint(rng, base, 8, gloss=0.4), segments=8, rings=5)
        for _ in range(count))


def cherry(rng: np.random.Generator, x: float, y: float, z: float, radius: float) -> Soup:
    red = paint(rng, pick(rng, (190, 20, 35), (120, 10, 30), (220, 40, 50)), 8, gloss=0.6)
    fruit = ellipsoid((x, y, z), (radius, ) * 3, red, segments=10, rings=6)
    if chance(rng, 0.5):
        return fruit
    end = (x + rng.uniform(-1, 1) * radius, y + rng.uniform(-1, 1) * radius, z + radius * rng.uniform(1.8, 2.6))
    return join([fruit, limb((x, y, z + 0.8 * radius), end, (0.1 * radius, 0.08 * radius), paint(rng, (80, 95, 40)), segments=5)])


def arc(points: Sequence[tuple[float, float]], n: int) -> list[tuple[float, float]]:
    """A smooth profile of ``n`` points through a few (Catmull-Rom): turned vessels, icing."""
    p = np.array([points[0], *points, points[-1]], float)
    out = []
    for s in np.linspace(0, len(points) - 1 - 1e-9, n):
        i, t = int(s), s - int(s)
        a, b, c, d = p[i:i + 4]
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3))
    return [(float(r) if r > 1e-6 else 0.0, float(z)) for r, z in out]


def swirl(rng: np.random.Generator, radius: float, height: float, material: Material, *, turns: int = 3, lobes: int = 0) -> Soup:
    """Piped cream: ridged, turning, narrowing in steps to a tip."""
    t = np.linspace(0, 1, 4 * turns + 1)
    step = 1 + 0.16 * np.sin(2 * np.pi * turns * t + 0.6)
    r = radius * (1 - t) ** rng.uniform(0.6, 1.1) * step
    profile = [(0.8 * radius, -0.05 * height), *zip(r, height * t)]
    lobes = lobes or int(rng.integers(5, 9 if turns < 4 else 7))
    return turned(profile, material, outline=scalloped(lobes, rng.uniform(0.05, 0.13)), segments=3 * lobes, twist=rng.uniform(1.5, 4), crease=180)


def tau(rng: np.random.Generator) -> float:
    return float(rng.uniform(0, 2 * math.pi))
