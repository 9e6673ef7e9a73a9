"""From a mesh of whatever size and density to a model that fits the box a home gives it.

Furniture with a surface is fitted in two parts: below its seat, mattress or top, so that this surface lies exactly
where things are put, and above it. Meshes of too many triangles are thinned by merging vertices of a fine grid.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from sim_bridges.embedded.assets_table import Choice, Fit
from sim_bridges.embedded.meshes import Model, Part, Soup, face_normals, fitted, rotation, scaling, transformed, translation

MAX_TRIANGLES = 14_000
_BY_SIZE = ((0.5, 3000), (1.3, 7000))  # (longest side in metres, triangles): smaller pieces need fewer


def to_size(soup: Soup, size: tuple[float, float, float] | None) -> Soup:
    """Footprint centre at the origin, standing on z = 0, scaled to (width, depth, height) if given."""
    if size is not None:
        return fitted(soup, size)
    low, high = soup.bounds()
    return transformed(soup, translation(*(-(low[:2] + high[:2]) / 2), -low[2]))


def thinned(soup: Soup, limit: int = MAX_TRIANGLES) -> Soup:
    """At most about ``limit`` triangles: vertices are merged on a grid that is made coarser until few enough remain."""
    pos, kept = thinning(soup, limit)
    return Soup(pos, soup.nrm[kept], soup.uv[kept], soup.mat[kept], soup.materials)


def thinning(soup: Soup, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """New corner positions (m, 3, 3) and which triangles (m,) of the soup they belong to."""
    if len(soup) <= limit:
        return soup.pos, np.arange(len(soup))
    low, high = soup.bounds()
    size, cells = float((high - low).max()), 200.0
    kept = np.arange(len(soup))
    cell = np.zeros((0, 3), np.int64)
    for _ in range(12):
        grid = np.rint((soup.pos - low) * np.float32(cells / size)).astype(np.int64)
        _, flat = np.unique((grid[..., 0] * 1024 + grid[..., 1]) * 1024 + grid[..., 2], return_inverse=True)
        cell = flat.reshape(-1, 3)
        solid = np.flatnonzero((cell[:, 0] != cell[:, 1]) & (cell[:, 1] != cell[:, 2]) & (cell[:, 0] != cell[:, 2]))
        order = np.sort(cell[solid], axis=1)
        _, first = np.unique((order[:, 0] * len(flat) + order[:, 1]) * len(flat) + order[:, 2], return_index=True)
        kept = np.sort(solid[first])
        if len(kept) <= limit:
            break
        cells *= min(0.9, (limit / len(kept)) ** 0.5)
    pos = _merged(soup.pos, cell)[kept]
    good = np.abs(face_normals(pos)).max(axis=1) > 0
    return pos[good], kept[good]


def _merged(pos: np.ndarray, code: np.ndarray) -> np.ndarray:
    """Every corner moved to the mean of the corners with the same ``code`` (0…)."""
    flat = pos.reshape(-1, 3).astype(np.float64)
    cell = code.reshape(-1)
    count = np.maximum(np.bincount(cell), 1)
    mean = np.stack([np.bincount(cell, flat[:, k]) / count for k in range(3)], axis=1)
    return mean[cell].reshape(-1, 3, 3).astype(np.float32)


def surface_height(soup: Soup, percentile: float = 50.0) -> float:
    """Height of what lies uppermost over the middle of the footprint's front part: a table top, a seat, a mattress.

    A ``percentile`` of the heights over a grid of rays from above, away from the back (where backs, head boards and
    pillows are) and from arm rests.
    """
    low, high = soup.bounds()
    x = np.linspace(-0.1, 0.7, 15) * (high[0] - low[0]) / 2 + (high[0] + low[0]) / 2
    y = np.linspace(-0.55, 0.55, 16) * (high[1] - low[1]) / 2 + (high[1] + low[1]) / 2
    start = np.array([(a, b, high[2] + 1.0) for a in x for b in y], np.float32)
    scene = EmbreeScene()
    TriangleMesh(scene, np.ascontiguousarray(soup.pos))
    down = np.tile(np.array([0, 0, -1], np.float32), (len(start), 1))
    fall = scene.run(start, down, dists=np.full(len(start), 1e6, np.float32), query="DISTANCE")
    hit = fall < 1e5
    return float(high[2] + 1.0 - np.percentile(fall[hit], 100 - percentile)) if hit.any() else float(high[2])


def fitted_model(mesh: Soup, choice: Choice, size: tuple[float, float, float], heights: Sequence[float]) -> Model:
    soup = transformed(mesh, rotation((0, 0, 1), choice.turn)) if choice.turn else mesh
    soup = to_size(soup, None)
    soup = thinned(soup, next((limit for side, limit in _BY_SIZE if max(size) < side), MAX_TRIANGLES))
    if choice.fit is Fit.BOX or not heights:
        return Model((Part(fitted(soup, size)),), tuple(heights), choice.key)
    surface = surface_height(soup, 90.0 if choice.fit is Fit.TOP else 50.0)  # nothing sinks into a rumpled bed
    low, high = soup.bounds()
    level = max(heights)
    flat = transformed(soup, scaling(size[1] / (high[0] - low[0]), size[0] / (high[1] - low[1]), 1.0))
    below = level / max(surface, 1e-3)
    top_room = size[2] - level
    above = top_room / max(float(high[2]) - surface, 1e-6) if choice.fit is Fit.SEAT and top_room > 0.05 else 1.0
    z = flat.pos[..., 2]
    pos = flat.pos.copy()
    pos[..., 2] = np.where(z <= surface, z * below, level + (z - surface) * above)
    return Model((Part(Soup(pos, flat.nrm, flat.uv, flat.mat, flat.materials)),), tuple(heights), choice.key)
