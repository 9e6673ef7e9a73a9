"""Further exemplars for training: a model of the train side bent into another shape and dyed in other colours before it is drawn.

A class has two to five models to learn from and is met in others. Things get another outline along their longest axis (a jug with a wider neck, a
longer handle) and other proportions; furniture without doors gets thicker or thinner parts while its surfaces stay where things are put; all get other
colours, each material by itself. Pure functions of their arguments and the generator's state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from household import classes
from perception.training.augment import colour_matrix
from sim_bridges.embedded.meshes import Model, Part, Soup
from sim_bridges.embedded.textures import Material, Texture

Warp = Callable[[np.ndarray], np.ndarray]  # increasing, of coordinates in metres
_KNOTS = 5


def varied(model: Model, cls: str, rng: np.random.Generator) -> Model:
    """Another exemplar of ``cls``: half of the models keep their shape, a third their colours. Moving parts keep their shape, so that they still fit."""
    parts = model.parts
    if rng.random() < 0.6:
        if classes.get(cls).kind is classes.Kind.OBJECT:
            parts = _outlined(parts, rng)
        elif not model.moving():
            parts = _thickened(parts, model.heights, rng)
    if rng.random() < 0.65:
        parts = _dyed(parts, rng)
    return replace(model, parts=parts)


def _outlined(parts: tuple[Part, ...], rng: np.random.Generator) -> tuple[Part, ...]:
    """Stretched here and squeezed there along the longest axis, wider and narrower across it, other proportions on the whole."""
    low, high = _bounds(parts)
    extent = np.maximum(high - low, 1e-4)
    along = int(extent.argmax())
    remap = _between(low[along], high[along], rng, 0.35)
    knots, widths = np.linspace(low[along], high[along], _KNOTS), np.exp(rng.normal(0.0, 0.13, _KNOTS))
    scale = np.exp(rng.normal(0.0, 0.11, 3))

    def warp(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        by = np.repeat(np.interp(points[:, along], knots, widths)[:, None], 3, axis=1)
        by[:, along] = 1.0
        moved = points.copy()
        moved[:, along] = remap(points[:, along])
        return moved * by * scale, by * scale

    return tuple(replace(p, soup=_warped(p.soup, warp)) for p in parts)


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
