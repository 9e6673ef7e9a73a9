"""Plain shapes as soups: boxes, surfaces of revolution, tubes, ellipsoids, quads.

They build everything that has no mesh, all hollow furniture, and the whole home where no mesh collection is installed.
Invariant: triangles wind counter-clockwise seen from outside, so that a face normal points out of the solid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sim_bridges.embedded.meshes import Soup, from_triangles, join, rotation, transformed, translation
from sim_bridges.embedded.textures import Material

Point = Sequence[float]

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
_FACES = {  # corner numbers, counter-clockwise from outside; x is bit 2, y bit 1, z bit 0
    "-x": (2, 0, 1, 3), "+x": (4, 6, 7, 5), "-y": (0, 4, 5, 1), "+y": (6, 2, 3, 7), "-z": (2, 6, 4, 0), "+z": (1, 5, 7, 3),
}
_UNIT_UV = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


def quad(corners: Sequence[Point], material: Material, *, fit: bool = True) -> Soup:
    """Two triangles through four corners, counter-clockwise from the side that is seen. ``fit``: the picture fills it
    once.
    """
    c = np.asarray(corners, float)
    pos = np.stack([c[[0, 1, 2]], c[[0, 2, 3]]])
    uv = np.stack([_UNIT_UV[[0, 1, 2]], _UNIT_UV[[0, 2, 3]]]) if fit and _wants_fit(material) else None
    return from_triangles(pos, material, uv=uv)


def _wants_fit(material: Material) -> bool:
    return material.texture is None or material.texture.size is None


def box(low: Point, high: Point, material: Material, *, skip: Sequence[str] = (), **faces: Material) -> Soup:
    """An axis-aligned box. ``skip``: faces left out ("+x", …); keyword ``front`` is a material for the +x face alone."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    corners = low + _CORNERS * (high - low)
    out = []
    for name, order in _FACES.items():
        if name in skip:
            continue
        out.append(quad(corners[list(order)], faces.get("front", material) if name == "+x" else material))
    return join(out)


def centred(size: Point, material: Material, at: Point = (0, 0, 0), **kw) -> Soup:
    """A box of full ``size`` (x, y, z) whose underside's centre stands at ``at``."""
    x, y, z = size
    return box((at[0] - x / 2, at[1] - y / 2, at[2]), (at[0] + x / 2, at[1] + y / 2, at[2] + z), material, **kw)


def rounded(low: Point, high: Point, radius: float, material: Material) -> Soup:
    """A box whose vertical edges and top rim are chamfered by ``radius``: cushions, devices, soft packages."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    r = min(radius, (x1 - x0) / 2.01, (y1 - y0) / 2.01, (z1 - z0) / 2.01)

    def ring(inset: float, z: float) -> list[tuple[float, float, float]]:
        pts = []
        for cx, cy, start in ((x1 - r, y1 - r, 0), (x0 + r, y1 - r, 90), (x0 + r, y0 + r, 180), (x1 - r, y0 + r, 270)):
            for step in range(4):
                a = math.radians(start + 30 * step)
                pts.append((cx + (r - inset) * math.cos(a), cy + (r - inset) * math.sin(a), z))
        return pts

    rings = [
        ring(r, z0),
        ring(0.3 * r, z0 + 0.3 * r),
        ring(0, z0 + r),
        ring(0, z1 - r),
        ring(0.3 * r, z1 - 0.3 * r),
        ring(r, z1)
    ]
    body = skin_of_rings(np.array(rings), material)
    top = np.array(rings[-1])
    bottom = np.array(rings[0])[::-1]
    return join([body, _fan(top, material), _fan(bottom, material)])


def _fan(loop: np.ndarray, material: Material) -> Soup:
    n = len(loop)
    return from_triangles(np.stack([[loop[0], loop[i], loop[i + 1]] for i in range(1, n - 1)]), material)


def skin_of_rings(rings: np.ndarray, material: Material, *, closed: bool = True, uv: bool = False) -> Soup:
    """Smooth surface through rings (k, n, 3), counter-clockwise seen from the end they run towards."""
    k, n, _ = rings.shape
    if closed:
        rings = np.concatenate([rings, rings[:, :1]], axis=1)
    along = np.gradient(rings, axis=0)
    if closed:
        wrapped = np.concatenate([rings[:, -2:-1], rings, rings[:, 1:2]], axis=1)
        around = (wrapped[:, 2:] - wrapped[:, :-2]) / 2
    else:
        around = np.gradient(rings, axis=1)
    nrm = np.cross(around, along)
    length = np.linalg.norm(nrm, axis=2, keepdims=True)
    nrm = np.where(length > 1e-12, nrm / np.maximum(length, 1e-12), 0.0)
    cols = rings.shape[1]
    gu, gv = np.meshgrid(np.linspace(0, 1, cols), np.linspace(0, 1, k))
    grid_uv = np.stack([gu, gv], axis=-1)

    def cells(a: np.ndarray) -> np.ndarray:
        p, q, r, s = a[:-1, :-1], a[:-1, 1:], a[1:, 1:], a[1:, :-1]
        return np.stack([np.stack([p, q, r], axis=2), np.stack([p, r, s], axis=2)], axis=2).reshape(-1, 3, a.shape[-1])

    pos, normals = cells(rings), cells(nrm)
    flat = np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0])
    keep = np.linalg.norm(flat, axis=1) > 1e-12
    flat = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-20)
    weak = np.linalg.norm(normals, axis=2) < 0.5
    normals = np.where(weak[..., None], flat[:, None], normals)
    use_uv = cells(grid_uv)[keep] if uv or _wants_fit(material) else None
    return from_triangles(pos[keep], material, nrm=normals[keep], uv=use_uv)


def lathe(profile: Sequence[tuple[float, float]], material: Material, *, segments: int = 18, crease: float = 50.0) -> Soup:
    """The outline (radius, z) turned about the z axis, from bottom to top; corners sharper than ``crease`` degrees
    stay sharp.
    """
    pts = np.asarray(profile, float)
    steps = np.diff(pts, axis=0)
    heading = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
    cuts = [0]
    for i in range(1, len(pts) - 1):
        if abs((heading[i] - heading[i - 1] + 180) % 360 - 180) > crease:
            cuts.append(i)
    cuts.append(len(pts) - 1)
    angles = np.linspace(0, 2 * math.pi, segments, endpoint=False)
    total = max(1e-9, np.abs(steps).sum())
    out, done = [], 0.0
    for a, b in zip(cuts[:-1], cuts[1:]):
        piece = pts[a:b + 1]
        rings = np.stack([np.stack([r * np.cos(angles), r * np.sin(angles), np.full(segments, z)], axis=1) for r, z in piece])
        skin = skin_of_rings(rings, material)
        share = np.abs(np.diff(piece, axis=0)).sum() / total
        if _wants_fit(material) and len(skin):
            uv = skin.uv.copy()
            uv[..., 1] = done + uv[..., 1] * share
            skin = from_triangles(skin.pos, material, nrm=skin.nrm, uv=uv)
        done += share
        out.append(skin)
    return join(out)


def aligned(start: Point, end: Point) -> tuple[np.ndarray, float]:
    """4×4 that takes the z axis from the origin onto the segment, and the segment's length."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    d = b - a
    length = float(np.linalg.norm(d))
    if length < 1e-9:
        return translation(*a), 0.0
    d = d / length
    axis = np.cross((0, 0, 1), d)
    if np.linalg.norm(axis) < 1e-9:
        turn = np.eye(4) if d[2] > 0 else rotation((1, 0, 0), math.pi)
    else:
        turn = rotation(axis, math.acos(max(-1.0, min(1.0, d[2]))))
    return translation(*a) @ turn, length


def rod(start: Point, end: Point, radius: float, material: Material, *, end_radius: float | None = None,
        segments: int = 10) -> Soup:
    """A cylinder (or cone) with flat ends between two points."""
    pose, length = aligned(start, end)
    r1 = radius if end_radius is None else end_radius
    return transformed(lathe([(0, 0), (radius, 0), (r1, length), (0, length)], material, segments=segments), pose)


def limb(start: Point, end: Point, radii: Sequence[float], material: Material, *, segments: int = 12) -> Soup:
    """A rounded tapering limb through equally spaced ``radii`` from ``start`` to ``end``, with hemispherical ends."""
    pose, length = aligned(start, end)
    first, last = radii[0], radii[-1]
    profile = [(first * math.sin(a), -first * math.cos(a)) for a in np.linspace(0, math.pi / 2, 4)[:-1]]
    profile += [(r, length * i / (len(radii) - 1)) for i, r in enumerate(radii)]
    profile += [(last * math.cos(a), length + last * math.sin(a)) for a in np.linspace(0, math.pi / 2, 4)[1:]]
    return transformed(lathe(profile, material, segments=segments, crease=80), pose)


def ellipsoid(centre: Point, radii: Point, material: Material, *, segments: int = 16, rings: int = 9) -> Soup:
    ball = lathe([(math.cos(a), math.sin(a)) for a in np.linspace(-math.pi / 2, math.pi / 2, rings)], material,
                 segments=segments, crease=180)
    return transformed(ball, translation(*centre) @ np.diag([*radii, 1.0]))


def tube(path: Sequence[Point], radius: float, material: Material, *, segments: int = 8) -> Soup:
    """A pipe along a polyline: handles, taps, frames."""
    return join(limb(a, b, (radius, radius), material, segments=segments) for a, b in zip(path[:-1], path[1:]))


def shell(profile: Sequence[tuple[float, float]], thickness: float, material: Material, *, segments: int = 20) -> Soup:
    """A hollow vessel: ``profile`` (radius, z) is the outside from the bottom's centre to the rim; open above."""
    outer = list(profile)
    inner = [(max(0.0, r - thickness), z + (thickness if z < profile[-1][1] - 1e-9 else 0.0)) for r, z in reversed(outer)]
    return lathe(outer + inner, material, segments=segments)
