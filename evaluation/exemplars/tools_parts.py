"""What the designs of small tools share: drawing at random, outlines, lofts, pipes and small printed pictures.

Cutlery, pens, phones and keys are made of a few kinds of surface that the plain shapes lack: sections lofted along y, bent wires, flat slabs of any
outline. Here they stand once. Lengths are centimetres; what is made is fitted to its class's size afterwards. Textures stay at or below 128 pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from evaluation.exemplars.draws import pick
from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, transformed, translation
from sim_bridges.embedded.primitives import lathe, skin_of_rings
from sim_bridges.embedded.textures import RGB, Material, Texture, of, plain, wood

METALS: tuple[RGB, ...] = ((198, 200, 204), (176, 178, 182), (216, 217, 219), (150, 152, 156))
FANCY_METALS: tuple[RGB, ...] = ((212, 176, 92), (196, 126, 92), (44, 44, 47), (180, 148, 84), (206, 160, 140))
WOODS: tuple[RGB, ...] = ((176, 128, 82), (122, 78, 48), (86, 54, 36), (204, 164, 112), (222, 192, 146), (58, 40, 32))
NEUTRALS: tuple[RGB, ...] = ((28, 28, 31), (48, 49, 53), (238, 238, 236), (205, 206, 208), (120, 122, 126))
BLACK, WHITE, GREY, RED, BLUE, GREEN, YELLOW = NEUTRALS[0], (240, 240, 238), (128, 130, 134), (196, 34, 36), (34, 70, 170), (36, 130, 72), (238, 196,
                                                                                                                                            40)
PRIMARY = (RED, BLUE, GREEN, YELLOW, (235, 120, 30), BLACK, WHITE)


def between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def colour(rng: np.random.Generator, base: RGB, spread: float = 14) -> RGB:
    """``base`` made lighter or darker as a whole and a little off in hue."""
    shifted = np.array(base, float) + rng.normal(0, spread) + rng.normal(0, spread / 3, 3)
    return tuple(int(c) for c in shifted.clip(6, 248))


def any_colour(rng: np.random.Generator) -> RGB:
    """Any hue, from pastel through vivid to deep."""
    saturation, value = pick(rng, (60, 245), (200, 225), (215, 130), (120, 190))
    hsv = np.array([[[rng.integers(180), saturation + rng.integers(-25, 26), value + rng.integers(-25, 11)]]]).clip(0, 255).astype(np.uint8)
    return tuple(int(c) for c in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0])


def plastic(rng: np.random.Generator, bases: Sequence[RGB] = NEUTRALS, *, odd: float = 0.25, gloss: float | None = None, **kw) -> Material:
    """One of the usual colours ``bases``, or with chance ``odd`` any colour at all."""
    c = any_colour(rng) if rng.random() < odd else colour(rng, pick(rng, *bases))
    return plain(*c, gloss=between(rng, 0.05, 0.5) if gloss is None else gloss, **kw)


def metal(rng: np.random.Generator, *, fancy: float = 0.2) -> Material:
    return plain(*colour(rng, pick(rng, *(FANCY_METALS if rng.random() < fancy else METALS)), 10), gloss=between(rng, 0.4, 0.9))


def timber(rng: np.random.Generator, bases: Sequence[RGB] = WOODS) -> Material:
    """Wood whose grain runs along y."""
    grain = wood(int(rng.integers(1 << 30)), colour(rng, pick(rng, *bases)), contrast=between(rng, 0.1, 0.4))
    return of(Texture(np.ascontiguousarray(grain.pixels[::2, ::2]), (between(rng, 3, 8), 14.0)), gloss=between(rng, 0, 0.3))


def eased(at: np.ndarray, keys: Sequence[float], values: Sequence[float]) -> np.ndarray:
    """Values at ``at``, going from key to key without kinks."""
    k, v = np.asarray(keys, float), np.asarray(values, float)
    i = np.clip(np.searchsorted(k, at, side="right") - 1, 0, len(k) - 2)
    t = np.clip((at - k[i]) / (k[i + 1] - k[i]), 0, 1)
    return v[i] + (v[i + 1] - v[i]) * t * t * (3 - 2 * t)


def oval(width: float, length: float, *, power: float = 2.0, count: int = 20) -> np.ndarray:
    """Outline (n, 2) of a superellipse of full ``width`` × ``length``, counter-clockwise; a high ``power`` is squarish."""
    a = (np.arange(count) + 0.5) / count * 2 * math.pi
    c, s = np.cos(a), np.sin(a)
    return np.stack([np.sign(c) * np.abs(c)**(2 / power) * width / 2, np.sign(s) * np.abs(s)**(2 / power) * length / 2], axis=1)


def round_rect(width: float, length: float, radius: float, *, steps: int = 4) -> np.ndarray:
    """Outline (n, 2) of a rectangle with round corners, counter-clockwise."""
    r = min(radius, width / 2.02, length / 2.02)
    out = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        a = np.radians(start + np.linspace(0, 90, steps))
        out.append(np.stack([sx * (width / 2 - r) + r * np.cos(a), sy * (length / 2 - r) + r * np.sin(a)], axis=1))
    return np.concatenate(out)


def _solid(triangles: np.ndarray) -> np.ndarray:
    """Which triangles have an area."""
    return np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1) > 1e-7


def cap(loop: np.ndarray, material: Material, *, uv: np.ndarray | None = None) -> Soup:
    """A flat end: triangles from the middle of ``loop`` (n, 3) to its edges, seen where it runs counter-clockwise."""

    def wheel(a: np.ndarray) -> np.ndarray:
        return np.stack([np.broadcast_to(a.mean(axis=0), a.shape), a, np.roll(a, -1, axis=0)], axis=1)

    pos = wheel(loop)
    keep = _solid(pos)
    return from_triangles(pos[keep], material, uv=None if uv is None else wheel(uv)[keep])


def panel(outline: np.ndarray, z: float, material: Material) -> Soup:
    """A flat picture facing up, its top towards +y."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    return cap(_lifted(outline, z), material, uv=(outline - low) / (high - low))


def _lifted(outline: np.ndarray, z: float) -> np.ndarray:
    return np.concatenate([outline, np.full((len(outline), 1), z)], axis=1)


def slab(outline: np.ndarray, low: float, high: float, material: Material, *, bevel: float = 0.0, top: Material | None = None) -> Soup:
    """A flat thing of any star-shaped outline, its upper and lower edges broken by ``bevel``."""
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    half = (outline.max(axis=0) - outline.min(axis=0)) / 2
    small = middle + (outline - middle) * np.maximum(0.3, 1 - bevel / half)
    levels = [(small, low), (outline, low + bevel), (outline, high - bevel), (small, high)] if bevel else [(outline, low), (outline, high)]
    rings = np.stack([_lifted(o, z) for o, z in levels])
    wall = skin_of_rings(rings, material) if bevel else facets(rings, material, ends=False)
    return join([wall, panel(levels[-1][0], high, top or material), cap(rings[0][::-1], material)])


def washer(outer: np.ndarray, inner: np.ndarray, low: float, high: float, material: Material) -> Soup:
    """A flat ring between two outlines of equally many points."""
    rings = np.stack([_lifted(inner, low), _lifted(outer, low), _lifted(outer, high), _lifted(inner, high), _lifted(inner, low)])
    return facets(rings, material, ends=False)


def facets(rings: np.ndarray, material: Material, *, columns: Sequence[Material] | None = None, ends: bool = True) -> Soup:
    """Flat faces through rings (k, n, 3), counter-clockwise seen from the end they run towards; ``columns``: a material per side."""
    after = np.roll(rings, -1, axis=1)
    out = []
    for m in dict.fromkeys(columns or (material,)):
        side = [i for i in range(rings.shape[1]) if columns is None or columns[i] is m]
        p, q, r, s = rings[:-1, side], after[:-1, side], after[1:, side], rings[1:, side]
        pos = np.stack([np.stack([p, q, r], axis=2), np.stack([p, r, s], axis=2)], axis=2).reshape(-1, 3, 3)
        out.append(from_triangles(pos[_solid(pos)], m))
    if ends:
        out += [cap(rings[-1], material), cap(rings[0][::-1], material)]
    return join(out)


def loft(spine: np.ndarray, wide: np.ndarray, high: np.ndarray, material: Material, *, power: float = 2.0, segments: int = 12) -> Soup:
    """A body along y through centres ``spine`` (k, 3), with superellipse sections of half-width ``wide`` (k,) and half-height ``high`` (k,)."""
    a = (np.arange(segments) + 0.5) / segments * 2 * math.pi
    x = np.sign(np.sin(a)) * np.abs(np.sin(a))**(2 / power)
    z = np.sign(np.cos(a)) * np.abs(np.cos(a))**(2 / power)
    section = np.stack([np.outer(wide, x), np.zeros((len(spine), segments)), np.outer(np.broadcast_to(high, len(spine)), z)], axis=2)
    rings = np.asarray(spine, float)[:, None] + section
    return join([skin_of_rings(rings, material), cap(rings[-1], material), cap(rings[0][::-1], material)])


def straight(ys: Sequence[float] | np.ndarray, z: float | np.ndarray = 0.0) -> np.ndarray:
    """A spine along y."""
    ys = np.asarray(ys, float)
    return np.stack([np.zeros_like(ys), ys, np.broadcast_to(z, ys.shape)], axis=1)


def pipe(path: Sequence[Sequence[float]] | np.ndarray,
         radius: float | tuple[float, float],
         material: Material,
         *,
         closed: bool = False,
         segments: int = 6) -> Soup:
    """A wire along a bent path. ``radius`` may be two: across the plane the path lies in, and within it."""
    p = np.asarray(path, float)
    across, within = radius if isinstance(radius, tuple) else (radius, radius)
    ahead = np.roll(p, -1, axis=0) - np.roll(p, 1, axis=0) if closed else np.gradient(p, axis=0)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    normal = np.linalg.svd(p - p.mean(axis=0), full_matrices=True)[2][-1]
    u = normal - ahead * (ahead @ normal)[:, None]
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    v = np.cross(ahead, u)
    a = np.arange(segments) / segments * 2 * math.pi
    rings = p[:, None] + across * np.cos(a)[None, :, None] * u[:, None] + within * np.sin(a)[None, :, None] * v[:, None]
    if closed:
        return skin_of_rings(np.concatenate([rings, rings[:1]]), material)
    return join([skin_of_rings(rings, material), cap(rings[-1], material), cap(rings[0][::-1], material)])


def circle(radius: float, *, count: int = 20, centre: Sequence[float] = (0, 0, 0)) -> np.ndarray:
    """Points (n, 3) round z."""
    a = np.arange(count) / count * 2 * math.pi
    return np.stack([radius * np.cos(a), radius * np.sin(a), np.zeros(count)], axis=1) + np.asarray(centre, float)


def turned(*pieces: tuple[Material, Sequence[tuple[float, float]]], segments: int = 14) -> Soup:
    """Pieces turned about the z axis, each of its own material: (material, outline of (radius, z))."""
    return join(lathe(profile, material, segments=segments) for material, profile in pieces)


def along_y(soup: Soup) -> Soup:
    """What stands along z, laid along y."""
    return transformed(soup, rotation((1, 0, 0), -math.pi / 2))


def moved(soup: Soup, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Soup:
    return transformed(soup, translation(x, y, z))


def turn(soup: Soup, axis: str, degrees: float) -> Soup:
    return transformed(soup, rotation({"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}[axis], math.radians(degrees)))


def laid(rng: np.random.Generator, soup: Soup, aspect: float) -> Soup:
    """A thing along y, lain askew until its footprint is ``aspect`` times as wide as long: so that fitting leaves it its natural proportions."""
    flat = soup.pos.reshape(-1, 3)[:, :2]
    for degrees in range(46):
        a = math.radians(degrees)
        x, y = flat[:, 0] * math.cos(a) - flat[:, 1] * math.sin(a), flat[:, 0] * math.sin(a) + flat[:, 1] * math.cos(a)
        if np.ptp(x) >= aspect * np.ptp(y):
            break
    return turn(soup, "z", pick(rng, -1, 1) * degrees + pick(rng, 0, 180))


def printed(rng: np.random.Generator, base: RGB | None = None) -> Texture:
    """A small pattern as things are printed with: dots, bands, flowers, marble, a gradient, a word."""
    ground, ink, second = base or any_colour(rng), any_colour(rng), any_colour(rng)
    image = np.full((96, 96, 3), ground, np.uint8)
    kind = pick(rng, "dots", "bands", "flowers", "marble", "fade", "word", "checks")
    if kind == "dots":
        step, size = int(rng.integers(10, 28)), int(rng.integers(2, 7))
        for y in range(0, 96, step):
            for x in range(0, 96, step):
                cv2.circle(image, (x + step // 4 + step // 2 * (y // step % 2), y + step // 3), size, ink, -1, cv2.LINE_AA)
    elif kind == "bands":
        slope, width = float(rng.uniform(-1.5, 1.5)), int(rng.integers(5, 24))
        y, x = np.mgrid[0:96, 0:96]
        image[(x + slope * y) % (2 * width) < width] = ink
    elif kind == "flowers":
        for _ in range(int(rng.integers(6, 16))):
            x, y, r = (int(v) for v in rng.integers((0, 0, 3), (96, 96, 8)))
            for a in np.arange(5) * 2 * math.pi / 5:
                cv2.circle(image, (int(x + r * math.cos(a)), int(y + r * math.sin(a))), max(2, r * 2 // 3), ink, -1, cv2.LINE_AA)
            cv2.circle(image, (x, y), max(1, r // 2), second, -1, cv2.LINE_AA)
    elif kind == "marble":
        noise = cv2.resize(rng.normal(0, 1, (7, 7)).astype(np.float32), (96, 96), interpolation=cv2.INTER_CUBIC)
        image = np.where((np.abs(noise - 0.2) < 0.12)[..., None], np.uint8(ink), np.where((noise > 0.9)[..., None], np.uint8(second), image))
    elif kind == "fade":
        t = np.linspace(0, 1, 96)[:, None, None]
        image = np.broadcast_to(np.array(ground) * t + np.array(ink) * (1 - t), (96, 96, 3)).astype(np.uint8)
    elif kind == "word":
        cv2.rectangle(image, (8, 20), (88, 76), second, -1)
        word = pick(rng, "LOVE", "CASA", "HELLO", "No 7", "Star", "OK", "FIRE", "BIO", "Luna")
        cv2.putText(image, word, (12, 56), pick(rng, 0, 2, 3, 4, 6), between(rng, 0.7, 0.95), ink, 2, cv2.LINE_AA)
    else:
        y, x = np.mgrid[0:96, 0:96] // int(rng.integers(8, 25))
        image[(x + y) % 2 == 1] = ink
    return Texture(np.ascontiguousarray(image))


def lit_screen(rng: np.random.Generator) -> Texture:
    """What a phone shows: its start page, the time, messages, a film, or nothing."""
    kind = pick(rng, "icons", "icons", "clock", "chat", "page", "photo", "dark", "dark")
    dark = colour(rng, (16, 17, 20), 5)
    if kind == "dark":
        return Texture(np.full((128, 64, 3), dark, np.uint8))
    t, wave = np.linspace(0, 1, 128)[:, None, None], np.sin(np.linspace(0, 3, 64) + rng.uniform(0, 6))[None, :, None]
    image = (np.array(any_colour(rng)) * t + np.array(any_colour(rng)) * (1 - t) + 25 * wave).clip(0, 255).astype(np.uint8)
    if kind == "icons":
        for y in range(int(rng.integers(8, 50)), 122, 17):
            for x in range(5, 58, 14):
                cv2.rectangle(image, (x, y), (x + 9, y + 9), any_colour(rng), -1)
    elif kind == "clock":
        cv2.putText(image, f"{rng.integers(1, 24)}:{rng.integers(10, 60)}", (6, 36), 0, 0.65, (250, 250, 250), 1, cv2.LINE_AA)
        for y in range(60, 60 + 16 * int(rng.integers(0, 4)), 16):
            cv2.rectangle(image, (4, y), (59, y + 12), (235, 236, 238), -1)
    elif kind in ("chat", "page"):
        night = rng.random() < 0.4
        image[:] = dark if night else (246, 246, 248)
        image[:14] = any_colour(rng)
        for y in range(20, 120, int(rng.integers(9, 19))):
            x, w = (int(rng.integers(4, 24)), int(rng.integers(18, 36))) if kind == "chat" else (5, int(rng.integers(20, 55)))
            cv2.rectangle(image, (x, y), (x + w, y + (7 if kind == "chat" else 3)), any_colour(rng) if kind == "chat" else (130, 132, 136), -1)
    else:
        image = cv2.resize(rng.integers(20, 235, (5, 4, 3), dtype=np.uint8), (64, 128), interpolation=cv2.INTER_CUBIC)
        image[:24] = image[104:] = dark
    return Texture(np.ascontiguousarray(image))
