"""Further exemplars for training: another design of the class, or a model of the train side bent into another shape and dyed in other colours, before it is drawn.

A class has two to five models to learn from and is met in others. Six things of ten are drawn from the designs of :mod:`evaluation.exemplars` instead. Things get another outline along their longest axis (a jug with a wider neck, a
longer handle), a squarer or rounder section across it, a bend or a lean, and other proportions; furniture without doors gets thicker or thinner parts while its
surfaces stay where things are put; all get other colours, each material by itself, and some another pattern. Pure functions of their arguments and the
generator's state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from evaluation import exemplars
from evaluation.exemplars import meshes
from household import classes
from perception.training.augment import colour_matrix
from sim_bridges.embedded import textures
from sim_bridges.embedded.meshes import Model, Part, Soup, rigid
from sim_bridges.embedded.textures import Material, Texture

Warp = Callable[[np.ndarray], np.ndarray]  # increasing, of coordinates in metres
_KNOTS = 5
_FURTHER, _FURTHER_THINGS = 0.5, 0.15  # of furniture and devices, of things, is drawn with models that no world is furnished with, where there are any
_DESIGNED = 0.6  # of the rest, of what has designs is drawn from them
_MODELS, _DESIGNS = (0.75, 0.75, 0.3), (0.4, 0.3, 0.1)  # how many of each get another shape, other colours, a pattern


def varied(model: Model, cls: str, rng: np.random.Generator) -> Model:
    """Another exemplar of ``cls``: of the models a quarter keep their shape, another quarter their colours. Moving parts keep their shape, so that they still fit."""
    outlined, dyed, patterned = _MODELS
    if not model.moving():
        thing = classes.get(cls).kind is classes.Kind.OBJECT
        if rng.random() < (_FURTHER_THINGS if thing else _FURTHER) and (other := _further(model, cls, rng)) is not None:
            model = other
        elif rng.random() < _DESIGNED and (other := _design(model, cls, rng)) is not None:
            model, (outlined, dyed, patterned) = other, _DESIGNS
    parts = model.parts
    if rng.random() < outlined:
        if classes.get(cls).kind is classes.Kind.OBJECT:
            parts = _outlined(parts, rng)
        elif not model.moving():
            parts = _thickened(parts, model.heights, rng)
    if rng.random() < dyed:
        parts = _dyed(parts, rng)
    if rng.random() < patterned:
        parts = _patterned(parts, rng)
    return replace(model, parts=parts)


def _design(model: Model, cls: str, rng: np.random.Generator) -> Model | None:
    """Another design that fills the model's box, its surfaces where they were; None for a class without designs."""
    soup = exemplars.exemplar(cls, _size(model), rng)
    return None if soup is None else rigid(soup, heights=model.heights, name=model.name)


def _further(model: Model, cls: str, rng: np.random.Generator) -> Model | None:
    """One of the collections' other models in the model's box; None for a class without."""
    other = meshes.further(cls, tuple(round(v, 2) for v in _size(model)), tuple(model.heights), rng)
    return None if other is None else replace(other, name=model.name)


def _size(model: Model) -> tuple[float, float, float]:
    """Width (y), depth (x), height (z) of its box, metres."""
    low, high = _bounds(model.parts)
    depth, width, height = (float(v) for v in high - low)
    return width, depth, height


def _outlined(parts: tuple[Part, ...], rng: np.random.Generator) -> tuple[Part, ...]:
    """Stretched here and squeezed there along the longest axis, wider and narrower, rounder or squarer across it, bent, of other proportions on the whole; some
    a little, some a good deal."""
    low, high = _bounds(parts)
    extent = np.maximum(high - low, 1e-4)
    along, strength = int(extent.argmax()), float(rng.uniform(0.5, 1.6))
    remap = _between(low[along], high[along], rng, 0.35 * strength)
    knots, widths = np.linspace(low[along], high[along], _KNOTS), np.exp(np.clip(rng.normal(0.0, 0.12 * strength, _KNOTS), -0.3, 0.3))
    scale = np.exp(np.clip(rng.normal(0.0, 0.1 * strength, 3), -0.25, 0.25))
    section = float(rng.normal(0.0, 0.25)) if rng.random() < 0.4 else 0.0
    bend = rng.normal(0.0, 0.08, 3) * extent[along] if rng.random() < 0.3 else np.zeros(3)
    bend[[along, 2]] = 0.0  # sideways alone: the underside stays flat
    middle = (low + high) / 2

    def warp(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        by = np.repeat((np.interp(points[:, along], knots, widths) * _section(points, middle, extent, along, section))[:, None], 3, axis=1)
        by[:, along] = 1.0
        moved = points.copy()
        moved[:, along] = remap(points[:, along])
        share = (points[:, along] - middle[along]) / extent[along]
        return moved * by * scale + (4.0 * share * share)[:, None] * bend, by * scale

    return tuple(replace(p, soup=_warped(p.soup, warp)) for p in parts)


def _section(points: np.ndarray, middle: np.ndarray, extent: np.ndarray, along: int, strength: float) -> np.ndarray:
    """How much farther from the axis each point goes, float (n,): corners outwards (``strength`` above 0, squarer) or inwards (rounder), the middles of the sides
    the other way; near the axis everything stays."""
    a, b = (i for i in range(3) if i != along)
    u, v = ((points[:, i] - middle[i]) / extent[i] for i in (a, b))
    angle = np.arctan2(v, u)
    return 1.0 - 0.5 * strength * np.cos(4.0 * angle) * np.clip(2.0 * np.hypot(u, v), 0.0, 1.0)


def _thickened(parts: tuple[Part, ...], heights: tuple[float, ...], rng: np.random.Generator) -> tuple[Part, ...]:
    """Symmetric in x and y, and between the surfaces in z: legs, arms and boards grow or shrink, the outer measures and the ``heights`` stay."""
    low, high = _bounds(parts)
    maps = [_mirrored(max(-low[i], high[i]), rng) for i in (0, 1)]
    levels = sorted({float(low[2]), float(high[2]), *(h for h in heights if low[2] + 0.02 < h < high[2] - 0.02)})
    steps = [_between(a, b, rng, 0.3) for a, b in zip(levels, levels[1:])]

    def warp(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moved = np.stack([maps[0](points[:, 0]), maps[1](points[:, 1]), points[:, 2]], axis=1)
        for (a, b), step in zip(zip(levels, levels[1:]), steps):
            inside = (points[:, 2] > a) & (points[:, 2] <= b)
            moved[inside, 2] = step(points[inside, 2])
        return moved, np.ones_like(points)

    return tuple(replace(p, soup=_warped(p.soup, warp)) for p in parts)


def _between(low: float, high: float, rng: np.random.Generator, strength: float) -> Warp:
    """An increasing map of [low, high] onto itself."""
    knots = np.linspace(low, high, _KNOTS)
    steps = np.exp(rng.normal(0.0, strength, _KNOTS - 1))
    values = low + (high - low) * np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])
    return lambda x: np.interp(x, knots, values)


def _mirrored(reach: float, rng: np.random.Generator) -> Warp:
    half = _between(0.0, reach, rng, 0.25)
    return lambda x: np.sign(x) * half(np.abs(x))


def _bounds(parts: tuple[Part, ...]) -> tuple[np.ndarray, np.ndarray]:
    points = np.concatenate([p.soup.pos.reshape(-1, 3) for p in parts])
    return points.min(axis=0), points.max(axis=0)


def _warped(soup: Soup, warp: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]) -> Soup:
    """``warp``: points (n, 3) → where they go, and how much it stretches each axis there; normals follow the stretch."""
    pos, by = warp(soup.pos.reshape(-1, 3).astype(np.float64))
    nrm = soup.nrm.reshape(-1, 3) / by
    nrm /= np.maximum(np.linalg.norm(nrm, axis=1, keepdims=True), 1e-12)
    return replace(soup, pos=pos.reshape(soup.pos.shape).astype(np.float32), nrm=nrm.reshape(soup.nrm.shape).astype(np.float32))


def _dyed(parts: tuple[Part, ...], rng: np.random.Generator) -> tuple[Part, ...]:
    """Every material turned by a common angle about the grey axis, and then made lighter or darker by itself."""
    angle = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.25 else float(rng.normal(0.0, 0.25))
    new: dict[Material, Material] = {}
    for part in parts:
        for material in part.soup.materials:
            if material not in new and material.opacity >= 1.0 and not material.glow and not material.sky:
                new[material] = _other(material, angle, rng)
    return tuple(replace(p, soup=replace(p.soup, materials=tuple(new.get(m, m) for m in p.soup.materials))) for p in parts)


def _patterned(parts: tuple[Part, ...], rng: np.random.Generator) -> tuple[Part, ...]:
    """Some materials get stripes, spots, cloth, stone, wood or a printed band about their own colour; the rest stays."""
    new: dict[Material, Material] = {}
    for part in parts:
        for material in part.soup.materials:
            if material not in new and material.opacity >= 1.0 and not material.glow and not material.sky and rng.random() < 0.5:
                new[material] = replace(material, texture=_pattern(material.color, rng))
    return tuple(replace(p, soup=replace(p.soup, materials=tuple(new.get(m, m) for m in p.soup.materials))) for p in parts)


def _pattern(own: tuple[int, int, int], rng: np.random.Generator) -> Texture:
    base = tuple(int(c) for c in np.clip(np.array(own) + rng.normal(0.0, 15.0, 3), 10, 250))
    other = tuple(int(c) for c in rng.integers(10, 250, 3))
    seed, kind = int(rng.integers(1 << 30)), int(rng.integers(6))
    if kind == 0:
        return textures.stripes((base, other), int(rng.integers(2, 9)))
    if kind == 1:
        return textures.spotted(seed, base, other, count=int(rng.integers(8, 50)), radius=(2, 9))
    if kind == 2:
        return textures.fabric(seed, base, size=float(rng.uniform(0.05, 0.4)), contrast=float(rng.uniform(0.08, 0.3)))
    if kind == 3:
        return textures.stone(seed, base, contrast=float(rng.uniform(0.08, 0.3)), size=float(rng.uniform(0.1, 0.7)))
    if kind == 4:
        return textures.wood(seed, base, size=float(rng.uniform(0.2, 0.9)), contrast=float(rng.uniform(0.06, 0.2)))
    word = "".join(chr(65 + int(c)) for c in rng.integers(0, 26, int(rng.integers(3, 7))))
    return textures.label(base, other, word, repeat=int(rng.integers(1, 4)), height=float(rng.uniform(0.15, 0.6)), seed=seed)


def _other(material: Material, angle: float, rng: np.random.Generator) -> Material:
    angle += float(rng.normal(0.0, 0.1))
    strength = float(rng.uniform(0.5, 1.3))
    matrix = colour_matrix(angle, strength, float(np.exp(rng.normal(0.0, 0.25))))
    offset = float(rng.normal(0.0, 15.0))

    def dye(pixels: np.ndarray) -> np.ndarray:
        return np.clip(pixels.astype(np.float32) @ matrix.T + offset, 0, 255)

    colour = tuple(int(c) for c in dye(np.array(material.color, np.float32)))
    texture = None if material.texture is None else Texture(dye(material.texture.pixels).astype(np.uint8), material.texture.size)
    return replace(material, color=colour, texture=texture)
