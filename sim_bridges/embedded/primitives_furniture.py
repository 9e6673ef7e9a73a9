"""Surfaces from plain shapes: what stands in a home when no mesh collection is installed, or
on the held-out side.

Sizes are (width y, depth x, height z); the front is +x. ``k`` is the exemplar: it picks colours, woods and
proportions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Model, Soup, join, rigid, transformed
from sim_bridges.embedded.primitives import box, centred, ellipsoid, lathe, rod, rounded, tube
from sim_bridges.embedded.primitives_containers import bar_handle, wooden

Size = tuple[float, float, float]
_FABRICS: tuple[tx.RGB, ...] = ((92, 108, 128), (150, 132, 112), (110, 126, 96), (158, 96, 84), (84, 86, 92), (196, 184, 166))
_BLACK = tx.plain(28, 28, 31, gloss=0.4)


def _cloth(k: int, salt: int = 0) -> tx.Material:
    return tx.of(tx.fabric(k * 17 + salt, _FABRICS[(k + salt) % len(_FABRICS)]))


def table(size: Size, k: int, *, salt: int = 0, thick: float = 0.035) -> Model:
    w, d, h = size
    f = wooden(k, salt)
    leg = 0.03 + 0.01 * (k % 3)
    parts = [box((-d / 2, -w / 2, h - thick), (d / 2, w / 2, h), f.body)]
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (d / 2 - 0.05), sy * (w / 2 - 0.05)
            parts.append(rod((x, y, 0), (x, y, h - thick), 0.7 * leg, f.body, end_radius=leg, segments=8) if k % 2
                         else box((x - leg, y - leg, 0), (x + leg, y + leg, h - thick), f.body))
    parts.append(box((-d / 2 + 0.06, -w / 2 + 0.06, h - thick - 0.07), (d / 2 - 0.06, w / 2 - 0.06, h - thick), f.body))
    return rigid(*parts, heights=(h,))


def counter(size: Size, k: int) -> Model:
    """Closed base units under a stone top: a surface, not a container."""
    w, d, h = size
    f = wooden(k, 4)
    top = tx.of(tx.stone(k + 3, ((88, 86, 84), (206, 202, 196), (58, 60, 64))[k % 3]), gloss=0.2)
    parts = [
        box((-d / 2, -w / 2, h - 0.04), (d / 2, w / 2, h), top),
        box((-d / 2, -w / 2, 0.09), (d / 2 - 0.03, w / 2, h - 0.04), f.body),
        box((-d / 2, -w / 2, 0), (d / 2 - 0.08, w / 2, 0.09), tx.plain(60, 56, 52))
    ]
    count = max(1, round(w / 0.55))
    for i in range(count):
        y0, y1 = -w / 2 + i * w / count, -w / 2 + (i + 1) * w / count
        parts.append(box((d / 2 - 0.03, y0 + 0.004, 0.095), (d / 2 - 0.012, y1 - 0.004, h - 0.05), f.front))
        parts.append(bar_handle(d / 2 - 0.012, (y0 + y1) / 2, h - 0.11, 0.14, f.handle, upright=False, stand=0.025))
    return rigid(*parts, heights=(h,))


def sofa(size: Size, k: int, heights: Sequence[float]) -> Model:
    w, d, h = size
    cloth, cushion = _cloth(k), _cloth(k, 1 if k % 2 else 0)
    seat = heights[0] if heights else 0.53 * h
    arm = 0.14
    parts = [rounded((-d / 2, -w / 2, 0.06), (d / 2, w / 2, seat - 0.12), 0.03, cloth),
             rounded((-d / 2, -w / 2, 0.06), (-d / 2 + 0.2, w / 2, h), 0.06, cloth),
             rounded((-d / 2 + 0.04, -w / 2, 0.06), (d / 2 - 0.02, -w / 2 + arm, 0.78 * h), 0.05, cloth),
             rounded((-d / 2 + 0.04, w / 2 - arm, 0.06), (d / 2 - 0.02, w / 2, 0.78 * h), 0.05, cloth)]
    seats = max(1, round((w - 2 * arm) / 0.65))
    for i in range(seats):
        y0, y1 = (-w / 2 + arm + j * (w - 2 * arm) / seats for j in (i, i + 1))
        parts.append(rounded((-d / 2 + 0.2, y0 + 0.004, seat - 0.14), (d / 2, y1 - 0.004, seat), 0.035, cushion))
        parts.append(rounded((-d / 2 + 0.14, y0 + 0.01, seat - 0.01), (-d / 2 + 0.33, y1 - 0.01, h + 0.0), 0.06, cushion))
    parts += [
        centred((0.05, 0.05, 0.07), _BLACK, (sx * (d / 2 - 0.07), sy * (w / 2 - 0.07), 0)) for sx in (-1, 1) for sy in (-1, 1)
    ]
    return rigid(*parts, heights=(seat,))


def bed(size: Size, k: int) -> Model:
    """The head stands at the back (-x)."""
    w, d, h = size
    f, blanket, sheet = wooden(k, 1), _cloth(k, 2), tx.of(tx.fabric(k, (236, 234, 228), contrast=0.03))
    parts = [
        box((-d / 2, -w / 2, 0.12), (d / 2, w / 2, 0.55 * h), f.body),
        box((-d / 2, -w / 2, 0.0), (-d / 2 + 0.05, w / 2, h + 0.4), f.body),
        rounded((-d / 2 + 0.05, -w / 2 + 0.03, 0.5 * h), (d / 2 - 0.02, w / 2 - 0.03, h - 0.01), 0.05, sheet),
        rounded((-d / 2 + 0.6, -w / 2 + 0.005, 0.42 * h), (d / 2 - 0.005, w / 2 - 0.005, h), 0.05, blanket)
    ]
    pillows = 2 if w > 1.2 else 1
    for i in range(pillows):
        y = (i - (pillows - 1) / 2) * w / 2
        parts.append(ellipsoid((-d / 2 + 0.3, y, h + 0.04), (0.2, 0.34, 0.07), sheet))
    parts += [
        centred((0.07, 0.07, 0.13), f.body, (sx * (d / 2 - 0.06), sy * (w / 2 - 0.06), 0)) for sx in (-1, 1) for sy in (-1, 1)
    ]
    return rigid(*parts, heights=(h,))


def block(size: Size, k: int, *, salt: int, drawers: int) -> Model:
    """Nightstand, TV stand: a closed body with drawer fronts that do not open."""
    w, d, h = size
    f = wooden(k, salt)
    parts = [box((-d / 2, -w / 2, 0.06), (d / 2 - 0.018, w / 2, h), f.body)]
    parts += [
        centred((0.04, 0.04, 0.06), f.body, (sx * (d / 2 - 0.06), sy * (w / 2 - 0.05), 0)) for sx in (-1, 1) for sy in (-1, 1)
    ]
    columns = max(1, round(w / 0.6))
    for c in range(columns):
        for r in range(drawers):
            y0, y1 = -w / 2 + c * w / columns, -w / 2 + (c + 1) * w / columns
            z0, z1 = 0.06 + r * (h - 0.09) / drawers, 0.06 + (r + 1) * (h - 0.09) / drawers
            parts.append(box((d / 2 - 0.018, y0 + 0.006, z0 + 0.004), (d / 2, y1 - 0.006, z1 - 0.004), f.front))
            parts.append(bar_handle(d / 2, (y0 + y1) / 2, (z0 + z1) / 2, 0.1, f.handle, upright=False, stand=0.02))
    return rigid(*parts, heights=(h,))


def bookshelf(size: Size, k: int, heights: Sequence[float]) -> Model:
    """Open shelves; the boards lie where things are put, more above and below, and a few books stand on the others."""
    w, d, h = size
    f = wooden(k, 3)
    t = 0.02
    parts = [
        box((-d / 2, -w / 2, 0), (d / 2, -w / 2 + t, h), f.body),
        box((-d / 2, w / 2 - t, 0), (d / 2, w / 2, h), f.body),
        box((-d / 2, -w / 2, 0), (-d / 2 + 0.008, w / 2, h), f.front),
        box((-d / 2, -w / 2, h - t), (d / 2, w / 2, h), f.body)
    ]
    levels = sorted({round(z, 3) for z in (*heights, 0.06, *([0.84 * h] if h > 1.0 else []))})
    rng = np.random.default_rng(k * 101 + 13)
    for z in levels:
        parts.append(box((-d / 2, -w / 2 + t, z - t), (d / 2, w / 2 - t, z), f.body))
        if not any(abs(z - u) < 0.02 for u in heights):
            parts.append(_spines(rng, -w / 2 + t, w / 2 - t, z, d, 0.7))
    return rigid(*parts, heights=tuple(heights))


def _spines(rng: np.random.Generator, y0: float, y1: float, z: float, depth: float, fill: float) -> Soup:
    out, y = [], y0 + 0.01
    while y < y0 + fill * (y1 - y0):
        thick, tall = rng.uniform(0.018, 0.045), rng.uniform(0.17, 0.25)
        out.append(
            box((-depth / 2 + 0.02, y, z), (depth / 2 - 0.06, y + thick, z + tall),
                tx.plain(*(int(c) for c in rng.integers(50, 200, 3)))))
        y += thick + 0.001
    return join(out)


def chair(size: Size, k: int, heights: Sequence[float]) -> Model:
    w, d, h = size
    f = wooden(k, 1)
    seat = heights[0] if heights else 0.5 * h
    leg = 0.018
    parts = [rounded((-d / 2, -w / 2, seat - 0.04), (d / 2, w / 2, seat), 0.015, _cloth(k, 3) if k % 2 else f.body)]
    for sy in (-1, 1):
        y = sy * (w / 2 - 0.025)
        parts.append(rod((d / 2 - 0.03, y, 0), (d / 2 - 0.03, y, seat - 0.03), leg * 0.8, f.body, end_radius=leg, segments=8))
        parts.append(tube([(-d / 2 + 0.02, y, 0.012), (-d / 2 + 0.03, y, seat), (-d / 2 + 0.015, y, h - 0.02)], leg, f.body))
    if k % 2:
        parts.append(rounded((-d / 2, -w / 2 + 0.02, seat + 0.18), (-d / 2 + 0.035, w / 2 - 0.02, h), 0.012, _cloth(k, 3)))
    else:
        parts += [box((-d / 2 + 0.005, -w / 2 + 0.03, z), (-d / 2 + 0.025, w / 2 - 0.03, z + 0.06), f.body)
                  for z in np.linspace(seat + 0.15, h - 0.07, 3)]
    return rigid(*parts, heights=(seat,))


def stool(size: Size, k: int) -> Model:
    w, d, h = size
    f = wooden(k, 2)
    top = transformed(lathe([(0, h - 0.035), (0.48, h - 0.035), (0.5, h - 0.018), (0.48, h), (0, h)], f.body),
                      np.diag([d, w, 1.0, 1.0]))
    legs = [
        rod((sx * 0.42 * d, sy * 0.42 * w, 0), (sx * 0.3 * d, sy * 0.3 * w, h - 0.03), 0.014, f.body, end_radius=0.018,
            segments=8) for sx in (-1, 1) for sy in (-1, 1)
    ]
    return rigid(top, *legs, heights=(h,))


MAKERS: dict[str, Callable[[Size, Sequence[float], int], Model]] = {
    "kitchentable": lambda size, heights, k: table(size, k),
    "diningtable": lambda size, heights, k: table(size, k, salt=1, thick=0.04),
    "coffeetable": lambda size, heights, k: table(size, k, salt=2, thick=0.03),
    "desk": lambda size, heights, k: table(size, k, salt=3, thick=0.03),
    "bench": lambda size, heights, k: table(size, k, salt=1, thick=0.05),
    "kitchencounter": lambda size, heights, k: counter(size, k),
    "bathroomcounter": lambda size, heights, k: counter(size, k + 1),
    "bed": lambda size, heights, k: bed(size, k),
    "stool": lambda size, heights, k: stool(size, k),
    "nightstand": lambda size, heights, k: block(size, k, salt=1, drawers=2),
    "tvstand": lambda size, heights, k: block(size, k, salt=3, drawers=1),
    "sofa": lambda size, heights, k: sofa(size, k, heights),
    "bookshelf": lambda size, heights, k: bookshelf(size, k, heights),
    "chair": lambda size, heights, k: chair(size, k, heights),
}
