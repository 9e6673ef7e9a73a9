"""What printed, sewn and built things are made of: colours, drawn pictures, lines of text, cloth prints, bent sheets, prisms.

Kept apart because books, cushions, toys and furniture all draw on them. Pictures stay at or below 128 pixels a side: they are seen from across a
room. Everything is a pure function of the generator's state.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from evaluation.exemplars.draws import chance, pick
from sim_bridges.embedded import primitives
from sim_bridges.embedded.meshes import Soup, face_normals, from_triangles, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import Point, box, quad
from sim_bridges.embedded.textures import RGB, Material, Texture, of, plain

WORDS = ("NORTH", "THE RIVER", "SILENCE", "HOME", "ATLAS", "A LIFE", "GARDEN", "MIDNIGHT", "BREAD", "ISLAND", "LETTERS", "WINTER", "MATHS", "POEMS",
         "SUMMER", "THE SEA", "ORIGINS", "COOK", "NOMAD", "BLUE", "HISTORY", "ECHO", "DUST", "TWELVE", "LIGHT", "PARIS", "WOLF", "GOLD", "ART")
MASTHEADS = ("VOGA", "TIMER", "LIVING", "STYLE", "GEO", "SPORT", "FOCAL", "WOMAN", "TECH", "TRAVEL", "FOOD", "STAR", "AUTO", "NATURE", "HOME",
             "MUSIC")
PAPERS = ("The Daily Post", "Morning News", "THE HERALD", "Der Bote", "EVENING TIMES", "Le Courrier", "City Gazette", "The Observer", "THE STANDARD")
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)


def colour(rng: np.random.Generator, base: RGB, spread: float = 16) -> RGB:
    """``base`` a little lighter or darker and a little off in hue."""
    c = np.array(base) + rng.uniform(-spread, spread) + rng.uniform(-spread, spread, 3) * 0.5
    return tuple(int(v) for v in np.clip(c, 4, 251))


def any_colour(rng: np.random.Generator, saturation: tuple[float, float] = (0.15, 0.9), value: tuple[float, float] = (0.25, 0.95)) -> RGB:
    hsv = np.array([[[rng.uniform(0, 180), 255 * rng.uniform(*saturation), 255 * rng.uniform(*value)]]], np.uint8)
    return tuple(int(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0])


def shade(rgb: RGB, factor: float) -> RGB:
    return tuple(int(min(255, max(0, c * factor))) for c in rgb)


def paint(rgb: RGB, gloss: float = 0.0, opacity: float = 1.0, glow: float = 0.0) -> Material:
    return plain(*rgb, gloss=gloss, opacity=opacity, glow=glow)


def contrast_to(rng: np.random.Generator, ground: RGB) -> RGB:
    """An ink that reads on ``ground``."""
    if sum(ground) > 400:
        return pick(rng, (20, 20, 25), (30, 40, 90), (150, 25, 30), (30, 70, 45))
    return pick(rng, (245, 245, 240), (250, 225, 120), (240, 235, 220), (225, 180, 90))


def metal(rng: np.random.Generator) -> Material:
    return paint(colour(rng, pick(rng, (190, 192, 196), (150, 152, 156), (35, 35, 38), (70, 72, 76), (215, 215, 215), (176, 141, 80)), 8), gloss=0.5)


def timber(rng: np.random.Generator, base: RGB | None = None, size: float = 0.4) -> Material:
    """Wood at 128 pixels: fibres along v, broad bands, metric."""
    base = base or colour(rng, pick(rng, (196, 154, 104), (150, 104, 62), (222, 190, 146), (98, 62, 40), (176, 124, 76), (64, 44, 34),
                                    (206, 176, 130)))
    across = cv2.GaussianBlur(rng.normal(0, 1, (1, 128)).astype(np.float32), (0, 0), 1.2) * 1.5
    fibre = cv2.GaussianBlur(rng.normal(0, 1, (128, 128)).astype(np.float32), (0, 0), sigmaX=0.8, sigmaY=14) * 4
    tone = 1 + rng.uniform(0.04, 0.13) * (0.6 * across + 0.6 * fibre)
    return of(Texture(np.clip(np.array(base, np.float32) * tone[..., None], 0, 255).astype(np.uint8), (size, size)), gloss=pick(rng, 0.0, 0.1, 0.25))


def title(image: np.ndarray, text: str, area: tuple[int, int, int, int], ink: RGB, font: int = cv2.FONT_HERSHEY_DUPLEX, weight: int = 1) -> None:
    """Writes ``text`` as large as ``area`` (x0, y0, x1, y1) allows, centred."""
    (w, h), _ = cv2.getTextSize(text, font, 1.0, weight)
    x0, y0, x1, y1 = area
    scale = min((x1 - x0) / w, (y1 - y0) / h)
    at = (int((x0 + x1 - w * scale) / 2), int((y0 + y1 + h * scale) / 2))
    cv2.putText(image, text, at, font, scale, ink, weight, cv2.LINE_AA)


def text_lines(image: np.ndarray, rng: np.random.Generator, area: tuple[int, int, int, int], ink: RGB, pitch: int = 3, ragged: float = 0.1) -> None:
    """Body text too small to read: broken grey lines."""
    x0, y0, x1, y1 = area
    for y in range(y0, y1, pitch):
        end = x1 - int(rng.uniform(0, ragged) * (x1 - x0)) if rng.random() > 0.12 else int(x0 + rng.uniform(0.3, 0.8) * (x1 - x0))
        image[y, x0:end] = ink
        for gap in rng.integers(x0, max(x0 + 1, end), max(1, (end - x0) // 7)):
            image[y, gap] = image[y0 - 1, x0 - 1]


def picture(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    """A drawn stand-in for a photograph: landscape, portrait, plate of food, building or abstract shapes."""
    ramp = np.linspace(0, 1, h)[:, None, None]
    image = np.broadcast_to(np.array(any_colour(rng)) * (1 - ramp) + np.array(any_colour(rng, (0.05, 0.6), (0.5, 1))) * ramp,
                            (h, w, 3)).astype(np.uint8).copy()
    _SUBJECTS[int(rng.integers(len(_SUBJECTS)))](rng, image, w, h)
    return image


def _landscape(rng, image, w, h):
    cv2.circle(image, (int(rng.uniform(0, w)), int(rng.uniform(0.1, 0.4) * h)), int(rng.uniform(0.05, 0.14) * w), any_colour(rng, (0, 0.6), (0.9, 1)),
               -1)
    for level in np.sort(rng.uniform(0.4, 0.95, int(rng.integers(2, 5)))):
        xs = np.linspace(0, w, 9)
        ys = level * h + np.cumsum(rng.normal(0, 0.05 * h, 9))
        outline = np.concatenate([np.stack([xs, ys], 1), [[w, h], [0, h]]]).astype(np.int32)
        cv2.fillPoly(image, [outline], any_colour(rng, (0.2, 0.7), (0.2, 0.8)))


def _portrait(rng, image, w, h):
    cx, cy, r = w * rng.uniform(0.4, 0.6), h * rng.uniform(0.4, 0.5), min(w, h) * rng.uniform(0.16, 0.26)
    skin = colour(rng, pick(rng, (226, 182, 150), (190, 136, 100), (120, 80, 56), (240, 205, 180)))
    hair = colour(rng, pick(rng, (40, 28, 22), (110, 70, 36), (210, 170, 90), (160, 70, 40)))
    cv2.ellipse(image, (int(cx), int(h)), (int(2.1 * r), int(h - cy - 0.7 * r)), 0, 180, 360, any_colour(rng), -1)
    cv2.ellipse(image, (int(cx), int(cy)), (int(1.15 * r), int(rng.uniform(1.3, 2.2) * r)), 0, 0, 360, hair, -1)
    cv2.ellipse(image, (int(cx), int(cy + 0.1 * r)), (int(0.8 * r), int(1.1 * r)), 0, 0, 360, skin, -1)
    for side in (-1, 1):
        cv2.circle(image, (int(cx + side * 0.3 * r), int(cy)), max(1, int(0.1 * r)), (30, 25, 25), -1)
    cv2.line(image, (int(cx - 0.25 * r), int(cy + 0.6 * r)), (int(cx + 0.25 * r), int(cy + 0.6 * r)), (170, 50, 60), max(1, int(0.1 * r)))


def _plate(rng, image, w, h):
    centre, r = (int(w * rng.uniform(0.35, 0.65)), int(h * rng.uniform(0.45, 0.65))), min(w, h) * rng.uniform(0.3, 0.48)
    cv2.circle(image, centre, int(r), (240, 238, 232), -1)
    for _ in range(int(rng.integers(5, 14))):
        at = (int(centre[0] + rng.normal(0, 0.3 * r)), int(centre[1] + rng.normal(0, 0.3 * r)))
        cv2.circle(image, at, int(rng.uniform(0.1, 0.3) * r), any_colour(rng, (0.5, 0.95), (0.4, 0.95)), -1)


def _buildings(rng, image, w, h):
    for _ in range(int(rng.integers(3, 8))):
        x, y, wide = rng.uniform(-0.1, 0.9) * w, rng.uniform(0.25, 0.75) * h, rng.uniform(0.12, 0.35) * w
        cv2.rectangle(image, (int(x), int(y)), (int(x + wide), h), any_colour(rng, (0, 0.5), (0.2, 0.8)), -1)


def _shapes(rng, image, w, h):
    inks = [any_colour(rng) for _ in range(4)]
    for _ in range(int(rng.integers(3, 12))):
        x, y, s = int(rng.uniform(0, w)), int(rng.uniform(0, h)), int(rng.uniform(0.06, 0.35) * w)
        if chance(rng, 0.5):
            cv2.circle(image, (x, y), s, pick(rng, *inks), pick(rng, -1, -1, 2))
        else:
            cv2.fillConvexPoly(image, np.array([(x, y), (x + s, y + int(rng.uniform(-s, s))), (x + int(rng.uniform(-s, s)), y + s)]),
                               pick(rng, *inks))


_SUBJECTS = (_landscape, _portrait, _plate, _buildings, _shapes)


def cloth(rng: np.random.Generator, base: RGB | None = None, *, print_share: float = 0.6, nap: float = 0.07) -> np.ndarray:
    """A piece of woven, knitted or printed cloth, 96 pixels square."""
    base = base or (any_colour(rng, (0.05, 0.75),
                               (0.3, 0.97)) if chance(rng, 0.7) else colour(rng, pick(rng, (236, 232, 224), (205, 198, 186), (120, 120, 122))))
    image = np.full((96, 96, 3), base, np.uint8)
    if chance(rng, print_share):
        other = any_colour(rng) if chance(rng, 0.5) else pick(rng, (245, 242, 235), shade(base, 0.55), (40, 42, 52))
        _PRINTS[int(rng.integers(len(_PRINTS)))](rng, image, other)
    noise = rng.normal(0, 1, (96, 96)).astype(np.float32)
    if chance(rng, 0.6):
        noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.5, 2.0)) * 2
    return np.clip(image * (1 + nap * noise[..., None]), 0, 255).astype(np.uint8)


def _stripes(rng, image, other):
    third, x = any_colour(rng), 0
    unit = rng.uniform(2, 12)
    while x < 96:
        wide = max(1, int(unit * rng.uniform(0.6, 1.4)))
        image[:, x:x + wide] = pick(rng, other, other, third) if chance(rng, 0.8) else image[0, -1]
        x += wide + max(1, int(unit))
    if chance(rng, 0.5):
        image[:] = image.transpose(1, 0, 2).copy()


def _check(rng, image, other):
    n = int(rng.integers(3, 12))
    on = (np.arange(96) * n // 96) % 2
    both = (on[:, None] + on[None, :])[..., None] / 2
    image[:] = image * (1 - both) + np.array(other) * both


def _dots(rng, image, other):
    n, share = int(rng.integers(4, 11)), rng.uniform(0.12, 0.38)
    step = 96 / n
    for i in range(n):
        for j in range(n):
            cv2.circle(image, (int((i + 0.25 + 0.5 * (j % 2)) * step), int((j + 0.5) * step)), max(1, int(share * step)), other, -1)


def _zigzag(rng, image, other):
    n, high = int(rng.integers(3, 8)), int(rng.uniform(3, 9))
    wave = np.abs((np.arange(96) * n % 96) / 96 - 0.5) * 2 * high
    image[((np.arange(96)[:, None] + wave[None, :]).astype(int) // high) % 2 == 0] = other


def _flowers(rng, image, other):
    inks = [other, any_colour(rng, (0.4, 0.9), (0.5, 0.95)), any_colour(rng, (0.4, 0.9), (0.3, 0.8))]
    for _ in range(int(rng.integers(6, 26))):
        at, r, ink = rng.uniform(0, 96, 2), rng.uniform(2, 8), pick(rng, *inks)
        for a in np.arange(5) * 2 * np.pi / 5 + rng.uniform(0, 1):
            cv2.circle(image, (int(at[0] + r * np.cos(a)), int(at[1] + r * np.sin(a))), max(1, int(0.6 * r)), ink, -1)
        cv2.circle(image, (int(at[0]), int(at[1])), max(1, int(0.4 * r)), (240, 210, 90), -1)


def _triangles(rng, image, other):
    n, inks = int(rng.integers(3, 8)), (other, shade(other, 0.7), any_colour(rng), None)
    step = 96 / n
    for i in range(n):
        for j in range(n):
            ink = pick(rng, *inks)
            if ink is not None:
                x, y = i * step, j * step
                cv2.fillConvexPoly(image, np.array([(x, y), (x + step, y), (x + step * (i + j) % 2, y + step)]).astype(np.int32), ink)


def _lattice(rng, image, other):
    n = int(rng.integers(3, 7))
    step = 96 / n
    for i in range(n + 1):
        for j in range(n + 1):
            cv2.ellipse(image, (int(i * step), int(j * step)), (int(0.55 * step), int(0.4 * step)), 45 * ((i + j) % 2 * 2 - 1), 0, 360, other, 2)


def _spots(rng, image, other):
    field = cv2.GaussianBlur(rng.normal(0, 1, (96, 96)).astype(np.float32), (0, 0), rng.uniform(2, 6))
    image[np.abs(field) < 0.4 * field.std()] = other


def _picture(rng, image, other):
    image[:] = picture(rng, 96, 96)


def _word(rng, image, other):
    title(image, pick(rng, "HOME", "LOVE", "RELAX", "hello", "SEA", "NYC", "DREAM"), (12, 30, 84, 66), other, pick(rng, *FONTS), 2)


_PRINTS = (_stripes, _stripes, _check, _dots, _zigzag, _flowers, _triangles, _lattice, _spots, _picture, _word)


def lying(x0: float, y0: float, x1: float, y1: float, z: float, material: Material) -> Soup:
    """A picture facing up, upright for a reader who stands on the +x side."""
    return quad([(x1, y0, z), (x1, y1, z), (x0, y1, z), (x0, y0, z)], material)


def printed(low: Point, high: Point, side: Material, top: Material) -> Soup:
    """A box with a picture on top."""
    return join([box(low, high, side, skip=("+z", )), lying(low[0], low[1], high[0], high[1], high[2], top)])


def draped(xs: Sequence[float],
           tops: Sequence[float],
           lows,
           y0: float,
           y1: float,
           top: Material,
           edge: Material,
           under: Material | None = None) -> Soup:
    """A bent sheet or block: the band between ``lows`` and ``tops`` over ``xs``, drawn out along y; the picture on top reads from the -y side."""
    x, t = np.asarray(xs, float), np.asarray(tops, float)
    low = np.broadcast_to(np.asarray(lows, float), t.shape)
    u = (x - x[0]) / (x[-1] - x[0])
    slope = np.gradient(t, x)
    normal = np.stack([-slope, np.zeros_like(x), np.ones_like(x)], 1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)

    def cells(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Triangles between two rows of points (the row b lies to the left of the way along a)."""
        return np.concatenate([np.stack([a[:-1], a[1:], b[1:]], 1), np.stack([a[:-1], b[1:], b[:-1]], 1)])

    def row(y: float, z: np.ndarray) -> np.ndarray:
        return np.stack([x, np.full_like(x, y), z], 1)

    ends = [[(x[0], y1, low[0]), (x[0], y0, low[0]), (x[0], y0, t[0]), (x[0], y1, t[0])],
            [(x[-1], y0, low[-1]), (x[-1], y1, low[-1]), (x[-1], y1, t[-1]), (x[-1], y0, t[-1])]]
    flat_uv = [np.stack([u, np.full_like(u, v)], 1) for v in (0.0, 1.0)]
    return join([
        from_triangles(cells(row(y0, t), row(y1, t)),
                       top,
                       nrm=cells(normal, normal),
                       uv=cells(*flat_uv) if top.texture is None or top.texture.size is None else None),
        from_triangles(cells(row(y1, low), row(y0, low)), under or edge),
        from_triangles(cells(row(y0, low), row(y0, t)), edge, uv=cells(*flat_uv)),
        from_triangles(cells(row(y1, t), row(y1, low)), edge, uv=cells(*flat_uv[::-1])), *(quad(e, edge) for e in ends)
    ])


def prism(outline, z0: float, z1: float, side: Material, top: Material | None = None, bevel: float = 0.0) -> Soup:
    """A plate of any outline that its middle sees whole, counter-clockwise; the picture on top reads from the +x side."""
    flat = np.asarray(outline, float)
    middle = flat.mean(axis=0)
    inner = middle + (flat - middle) * (1 - bevel)
    levels = [(flat if not bevel else inner, z0), (flat, z0 + bevel * (z1 - z0)), (flat, z1 - bevel * (z1 - z0)),
              (inner, z1)] if bevel else [(flat, z0), (flat, z1)]
    rings = [np.concatenate([p, np.full((len(p), 1), z)], 1) for p, z in levels]
    edge = np.roll(flat, -1, axis=0) - flat
    wall = np.stack([edge[:, 1], -edge[:, 0]], 1) / np.linalg.norm(edge, axis=1, keepdims=True)
    before = np.roll(wall, 1, axis=0)
    soft = ((wall * before).sum(axis=1) > 0.8)[:, None]  # gentle corners are shaded as one curve
    start = np.where(soft, wall + before, wall)
    end = np.where(np.roll(soft, -1, axis=0), wall + np.roll(wall, -1, axis=0), wall)
    out = []
    for a, b in zip(rings[:-1], rings[1:]):
        a2, b2 = np.roll(a, -1, axis=0), np.roll(b, -1, axis=0)
        pos = np.concatenate([np.stack([a, a2, b2], 1), np.stack([a, b2, b], 1)])
        tilt = face_normals(pos)[:, 2]
        n1, n2 = (np.concatenate([n / np.linalg.norm(n, axis=1, keepdims=True)] * 2) * np.sqrt(1 - tilt[:, None]**2) for n in (start, end))
        n1, n2 = (np.concatenate([n, tilt[:, None]], 1) for n in (n1, n2))
        k = len(flat)
        nrm = np.concatenate([np.stack([n1[:k], n2[:k], n2[:k]], 1), np.stack([n1[k:], n2[k:], n1[k:]], 1)])
        out.append(from_triangles(pos, side, nrm=nrm))
    for ring, up in ((rings[0], False), (rings[-1], True)):
        hub = np.broadcast_to([*middle, ring[0, 2]], ring.shape)
        pos = np.stack([hub, ring, np.roll(ring, -1, axis=0)] if up else [hub, np.roll(ring, -1, axis=0), ring], 1)
        material = (top or side) if up else side
        low, span = flat.min(axis=0), np.ptp(flat, axis=0)
        fit = material.texture is not None and material.texture.size is None
        uv = np.stack([(pos[..., 1] - low[1]) / span[1], (low[0] + span[0] - pos[..., 0]) / span[0]], -1) if fit else None
        out.append(from_triangles(pos, material, uv=uv))
    return join(out)


def profile(outline, width: float, material: Material, at: float = 0.0) -> Soup:
    """An outline in the x-z plane, counter-clockwise with x to the right and z up, drawn out ``width`` along y about ``at``."""
    return transformed(prism(outline, -width / 2, width / 2, material), translation(0, at, 0) @ rotation((1, 0, 0), np.pi / 2))


def rod(start: Point, end: Point, radius: float, material: Material, *, end_radius: float | None = None, segments: int = 10) -> Soup:
    """``primitives.rod`` at a tenth of its time: a wheelchair has sixty."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = np.linalg.norm(b - a)
    along = (b - a) / length
    u = np.cross(along, (1.0, 0, 0) if abs(along[0]) < 0.8 else (0, 1.0, 0))
    u /= np.linalg.norm(u)
    v, t = np.cross(along, u), np.linspace(0, 2 * np.pi, segments, endpoint=False)
    out = np.cos(t)[:, None] * u + np.sin(t)[:, None] * v
    last = radius if end_radius is None else end_radius
    low, top = a + radius * out, b + last * out
    low2, top2, out2 = np.roll(low, -1, axis=0), np.roll(top, -1, axis=0), np.roll(out, -1, axis=0)
    lean = along * (radius - last) / length
    n1, n2 = out + lean, out2 + lean
    n1, n2 = n1 / np.linalg.norm(n1, axis=1, keepdims=True), n2 / np.linalg.norm(n2, axis=1, keepdims=True)
    fans = [
        np.stack([np.broadcast_to(low[0], low[2:].shape), low[2:], low[1:-1]], 1),
        np.stack([np.broadcast_to(top[0], top[2:].shape), top[1:-1], top[2:]], 1)
    ]
    ends = [np.broadcast_to(s * along, fans[0].shape) for s in (-1, 1)]
    return from_triangles(np.concatenate([np.stack([low, low2, top2], 1), np.stack([low, top2, top], 1), *fans]),
                          material,
                          nrm=np.concatenate([np.stack([n1, n2, n2], 1), np.stack([n1, n2, n1], 1), *ends]))


def rounded(low: Point, high: Point, radius: float, material: Material) -> Soup:
    """``primitives.rounded`` without the empty triangles at its corners."""
    s = primitives.rounded(low, high, radius, material)
    keep = np.linalg.norm(np.cross(s.pos[:, 1] - s.pos[:, 0], s.pos[:, 2] - s.pos[:, 0]), axis=1) > 1e-10
    return Soup(s.pos[keep], s.nrm[keep], s.uv[keep], s.mat[keep], s.materials)


def superellipse(a: float, b: float, power: float, n: int = 28) -> np.ndarray:
    """Outline between an ellipse (2) and a rectangle (large ``power``)."""
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)
    c, s = np.cos(t), np.sin(t)
    return np.stack([a * np.sign(c) * np.abs(c)**(2 / power), b * np.sign(s) * np.abs(s)**(2 / power)], 1)


def round_rect(x0: float, y0: float, x1: float, y1: float, r: float, steps: int = 4) -> np.ndarray:
    """Outline of a rectangle with round corners, their radius ``r`` where it fits."""
    r, points = min(r, 0.48 * (x1 - x0), 0.48 * (y1 - y0)), []
    for cx, cy, start in ((x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270)):
        for a in np.radians(np.linspace(start, start + 90, steps)):
            points.append((cx + r * np.cos(a), cy + r * np.sin(a)))
    return np.array(points)


def scattered(soup: Soup, poses: np.ndarray) -> Soup:
    """Copies of ``soup`` at each of the 4×4 ``poses`` (m, 4, 4): turns, shifts and even scalings."""
    m = np.asarray(poses, np.float32)
    pos = np.einsum("mij,nkj->mnki", m[:, :3, :3], soup.pos) + m[:, None, None, :3, 3]
    nrm = np.einsum("mij,nkj->mnki", m[:, :3, :3], soup.nrm)
    nrm /= np.maximum(np.linalg.norm(nrm, axis=-1, keepdims=True), 1e-12)
    k = len(m)
    return Soup(
        pos.reshape(-1, 3, 3).astype(np.float32),
        nrm.reshape(-1, 3, 3).astype(np.float32), np.tile(soup.uv, (k, 1, 1)), np.tile(soup.mat, k), soup.materials)


def repeated(soup: Soup, offsets) -> Soup:
    """Copies of ``soup`` shifted by each offset."""
    return scattered(soup, np.stack([translation(*o) for o in offsets]))


def torus(ring: float, thick: float, material: Material, segments: int = 16, sides: int = 5) -> Soup:
    """A ring about the y axis, centred: tyres, hand rims."""
    a, b = np.linspace(0, 2 * np.pi, segments + 1), np.linspace(0, 2 * np.pi, sides + 1)
    out = np.stack([np.cos(a), 0 * a, np.sin(a)], 1)[:, None]
    normal = np.cos(b)[None, :, None] * out + np.sin(b)[None, :, None] * np.array([0, 1.0, 0])
    point = ring * out + thick * normal

    def cells(g: np.ndarray) -> np.ndarray:
        p, q, r, s = g[:-1, :-1], g[:-1, 1:], g[1:, 1:], g[1:, :-1]
        return np.concatenate([np.stack([p, q, r], 2), np.stack([p, r, s], 2)]).reshape(-1, 3, 3)

    pos, nrm = cells(point), cells(normal)
    facing = np.einsum("ij,ij->i", np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]), nrm.sum(axis=1)) < 0
    pos[facing], nrm[facing] = pos[facing, ::-1], nrm[facing, ::-1]
    return from_triangles(pos, material, nrm=nrm)


def spun(soup: Soup, angle: float, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Soup:
    """Turned about the vertical, then shifted."""
    return transformed(soup, translation(x, y, z) @ rotation((0, 0, 1), angle))


def wavering(rng: np.random.Generator, n: int, size: float) -> np.ndarray:
    """A closed wavering line of ``n`` values about zero."""
    t = np.arange(n) / n * 2 * np.pi
    return sum(rng.normal(0, size / k) * np.sin(k * t + rng.uniform(0, 6)) for k in (2, 3, 5))


def casing(rng: np.random.Generator) -> Material:
    """Plastic or steel, as kitchen devices have."""
    tone = pick(rng, (28, 28, 30), (28, 28, 30), (60, 62, 66), (190, 192, 196), (200, 202, 206), (236, 234, 228), (180, 36, 36), (236, 226, 196),
                (130, 170, 170), any_colour(rng))
    return paint(colour(rng, tone, 8), pick(rng, 0.15, 0.4, 0.6))
