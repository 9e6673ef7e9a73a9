"""Batches of triangles that rays are cast against: one Embree scene and, beside it, what each triangle looks like.

What never moves is one batch, built once; what is at rest is one a room, what moves one a person and one for the rest
(:mod:`render_pieces`). Which batch a part belongs to follows from the state alone, so the same state always gives the
same picture. Batches know their boxes, so that rays are cast at the small ones only where they can hit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from sim_bridges.embedded.meshes import Soup
from sim_bridges.embedded.textures import Atlas, Material

FAR = np.float32(1e6)
MEMORY = 2048  # soups whose appearance is remembered


@dataclass(frozen=True)
class Piece:
    """A soup in map, whose instance it is (0 = none) and in which room (index) it stands, for its light."""

    soup: Soup
    instance: int = 0
    room: int = 0


@dataclass(frozen=True)
class Hits:
    """What rays met, all of length n: distance ``t`` float32 (FAR: nothing), triangle ``prim`` int32, barycentrics
    ``u``, ``v``.
    """

    t: np.ndarray
    prim: np.ndarray
    u: np.ndarray
    v: np.ndarray

    def at(self, where: np.ndarray) -> "Hits":
        return Hits(self.t.take(where), self.prim.take(where), self.u.take(where), self.v.take(where))


@dataclass
class Surface:
    """What is seen along n rays. Rows are coordinates and channels, so that arithmetic runs over contiguous memory.

    ``t`` float32 (n,) distance in rays, FAR where nothing is hit; ``nrm`` float32 (3, n) unit normals towards the
    viewer; ``albedo`` float32 (3, n) linear; ``mat`` int32 (n,) material numbers; ``instance`` uint16 (n,); ``room``
    uint8 (n,).
    """

    t: np.ndarray
    nrm: np.ndarray
    albedo: np.ndarray
    mat: np.ndarray
    instance: np.ndarray
    room: np.ndarray

    @classmethod
    def empty(cls, n: int) -> "Surface":
        return cls(np.full(n, FAR, np.float32), np.zeros((3, n), np.float32), np.zeros((3, n), np.float32),
                   np.zeros(n, np.int32), np.zeros(n, np.uint16), np.zeros(n, np.uint8))

    def put(self, where: np.ndarray, other: "Surface") -> None:
        self.t[where], self.mat[where] = other.t, other.mat
        self.instance[where], self.room[where] = other.instance, other.room
        for row in range(3):
            self.nrm[row][where] = other.nrm[row]
            self.albedo[row][where] = other.albedo[row]

    def copy(self) -> "Surface":
        return Surface(self.t.copy(), self.nrm.copy(), self.albedo.copy(), self.mat.copy(), self.instance.copy(),
                       self.room.copy())


class Batch:
    """``rooms``: the only rooms in which it can throw a shadow; None: in any."""

    def __init__(self, pieces: Iterable[Piece], atlas: Atlas, rooms: frozenset[int] | None = None):
        self.rooms = rooms
        kept = [p for p in pieces if len(p.soup)]
        self.atlas = atlas
        self.boxes = [p.soup.bounds() for p in kept]
        self.count = sum(len(p.soup) for p in kept)
        self._scene: EmbreeScene | None = None
        if not kept:
            return
        pos = np.ascontiguousarray(np.concatenate([p.soup.pos for p in kept]), np.float32)
        skins = [_skin_of(p.soup, atlas) for p in kept]
        self._mat = np.concatenate([s.mat for s in skins])
        self._uv = np.concatenate([s.uv for s in skins], axis=2)
        self._density = np.concatenate([s.density for s in skins])
        self._nrm = _edges(np.concatenate([p.soup.nrm for p in kept]))
        sizes = [len(p.soup) for p in kept]
        self._instance = np.repeat(np.array([p.instance for p in kept], np.uint16), sizes)
        self._room = np.repeat(np.array([p.room for p in kept], np.uint8), sizes)
        self._round = np.abs(self._nrm[1:]).max(axis=(0, 1)) > 1e-4
        self._scene = EmbreeScene()
        TriangleMesh(self._scene, pos)

    def cast(self, origin: np.ndarray, rays: np.ndarray) -> Hits:
        """Nearest hits of rays (n, 3) float32 from origins (n, 3)."""
        n = len(rays)
        if self._scene is None or n == 0:
            return Hits(np.full(n, FAR, np.float32), np.full(n, -1, np.int32), np.zeros(n, np.float32), np.zeros(n, np.float32))
        out = self._scene.run(origin, rays, dists=np.full(n, FAR, np.float32), query="INTERSECT", output=True)
        return Hits(np.where(out["primID"] >= 0, out["tfar"], FAR), out["primID"], out["u"], out["v"])

    def seen(self, origin: np.ndarray, rays: np.ndarray, rows: np.ndarray, pixel: float) -> Surface:
        """The surface all rays see (``rows``: the rays as (3, n)); pixels that see nothing stay empty."""
        hits = self.cast(origin, rays)
        if (hits.prim >= 0).all() and len(rays):
            return self.surface(hits, rows, pixel)
        out, at = Surface.empty(len(rays)), np.flatnonzero(hits.prim >= 0)
        if len(at):
            out.put(at, self.surface(hits.at(at), rows.take(at, axis=1), pixel))
        return out

    def blocked(self, origin: np.ndarray, rays: np.ndarray) -> np.ndarray:
        """Whether anything stands between ``origin`` and ``origin + rays``, bool (n,)."""
        if self._scene is None or len(rays) == 0:
            return np.zeros(len(rays), bool)
        return self._scene.run(origin, rays, dists=np.full(len(rays), 0.998, np.float32), query="OCCLUDED") >= 0

    def surface(self, hits: Hits, rays: np.ndarray, pixel: float) -> Surface:
        """What hits look like; every hit must be one (prim ≥ 0). ``rays`` float32 (3, n); ``pixel``: size of a pixel
        at distance 1.
        """
        prim = hits.prim.astype(np.intp)
        nrm = np.stack([row.take(prim) for row in self._nrm[0]])
        bent = np.flatnonzero(self._round.take(prim))
        if len(bent):
            which, u, v = prim.take(bent), hits.u.take(bent), hits.v.take(bent)
            rows = [nrm[k].take(bent) + u * self._nrm[1, k].take(which) + v * self._nrm[2, k].take(which) for k in range(3)]
            size = 1 / np.sqrt(rows[0] * rows[0] + rows[1] * rows[1] + rows[2] * rows[2] + 1e-12)
            for k in range(3):
                nrm[k][bent] = rows[k] * size
        facing = nrm[0] * rays[0] + nrm[1] * rays[1] + nrm[2] * rays[2]
        nrm *= np.where(facing > 0, np.float32(-1), np.float32(1))
        tex = [
            self._uv[0, k].take(prim) + hits.u * self._uv[1, k].take(prim) + hits.v * self._uv[2, k].take(prim)
            for k in range(2)
        ]
        footprint = hits.t * np.float32(pixel) * self._density.take(prim) / np.maximum(np.abs(facing), np.float32(0.25))
        mat = self._mat.take(prim)
        return Surface(hits.t, nrm, self.atlas.sample(mat, tex[0], tex[1], footprint), mat, self._instance.take(prim),
                       self._room.take(prim))


@dataclass(frozen=True)
class _Skin:
    """What of a soup does not depend on where it stands: texture coordinates, material numbers, texture density."""

    owner: tuple[np.ndarray, tuple[Material, ...]]
    uv: np.ndarray
    mat: np.ndarray
    density: np.ndarray


def _skin_of(soup: Soup, atlas: Atlas) -> _Skin:
    """Kept per texture-coordinate array and materials, which copies of a moved soup share; people of one mannequin share the coordinates and each wears
    their own. The memory is bounded by ``atlas.memory``."""
    key = (id(soup.uv), id(soup.materials))
    known = atlas.memory.get(key)
    if known is not None and known.owner[0] is soup.uv and known.owner[1] is soup.materials:
        return known
    skin = _Skin((soup.uv, soup.materials), _edges(soup.uv),
                 atlas.number(soup.materials)[soup.mat].astype(np.intp), _uv_density(soup.pos, soup.uv))
    if len(atlas.memory) >= MEMORY:
        atlas.memory.clear()
    atlas.memory[key] = skin
    return skin


def _edges(corners: np.ndarray) -> np.ndarray:
    """(n, 3, k) per-corner values → float32 (3, k, n): the first corner's, and the differences of the other two from it."""
    first = corners[:, 0]
    return np.ascontiguousarray(np.stack([first, corners[:, 1] - first, corners[:, 2] - first]).transpose(0, 2, 1), np.float32)


def _uv_density(pos: np.ndarray, uv: np.ndarray) -> np.ndarray:
    """Square root of texture area per surface area, float32 (n,)."""
    area = np.linalg.norm(np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0]), axis=1)
    a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    return np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / np.maximum(area, 1e-12)).astype(np.float32)


def screen_mask(boxes: list[tuple[np.ndarray, np.ndarray]], world_to_optical: np.ndarray, width: int, height: int,
                fx: float, fy: float, cx: float, cy: float) -> np.ndarray:
    """Bool (height, width): pixels inside the projection of any of the boxes (low, high); generous, never too small."""
    mask = np.zeros((height, width), bool)
    if not boxes:
        return mask
    lows, highs = np.array([b[0] for b in boxes]), np.array([b[1] for b in boxes])
    pick = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)], bool)
    corners = np.where(pick[None], highs[:, None], lows[:, None]).astype(np.float64)
    seen = corners @ world_to_optical[:3, :3].T + world_to_optical[:3, 3]
    for c in seen:
        if c[:, 2].max() <= 0.02:
            continue
        if c[:, 2].min() <= 0.02:
            mask[:] = True
            return mask
        u, v = fx * c[:, 0] / c[:, 2] + cx, fy * c[:, 1] / c[:, 2] + cy
        u0, u1 = max(0, int(np.floor(u.min())) - 1), min(width, int(np.ceil(u.max())) + 2)
        v0, v1 = max(0, int(np.floor(v.min())) - 1), min(height, int(np.ceil(v.max())) + 2)
        if u0 < u1 and v0 < v1:
            mask[v0:v1, u0:u1] = True
    return mask
