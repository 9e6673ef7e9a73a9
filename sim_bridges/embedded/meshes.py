"""Triangle soups, jointed models and poses: the geometry every drawn thing is made of.

A soup keeps three private corners per triangle instead of shared vertices, because everything done with geometry here
(joining, transforming, looking up what a ray hit) then is one array operation. Invariant: the arrays of one soup have
the same first length, and ``mat`` indexes ``materials``. Local frame of a model: origin at the centre of its
footprint, on its underside; +x is its front, +y its left, +z up; metres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from sim_bridges.embedded.textures import Material


@dataclass(frozen=True)
class Soup:
    """``pos``, ``nrm`` float32 (n, 3, 3): corner positions and unit normals; ``uv`` float32 (n, 3, 2); ``mat`` int32
    (n,).
    """

    pos: np.ndarray
    nrm: np.ndarray
    uv: np.ndarray
    mat: np.ndarray
    materials: tuple[Material, ...]

    def __len__(self) -> int:
        return len(self.pos)

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        flat = self.pos.reshape(-1, 3)
        return flat.min(axis=0), flat.max(axis=0)


EMPTY = Soup(np.zeros((0, 3, 3), np.float32), np.zeros((0, 3, 3), np.float32), np.zeros((0, 3, 2), np.float32),
             np.zeros(0, np.int32), ())


def from_triangles(pos: np.ndarray, material: Material, *, nrm: np.ndarray | None = None, uv: np.ndarray | None = None) -> Soup:
    """A soup of one material; flat normals where ``nrm`` is None, metric box projection where ``uv`` is None."""
    pos = np.asarray(pos, dtype=np.float32)
    flat = face_normals(pos)
    if nrm is None:
        nrm = np.repeat(flat[:, None], 3, axis=1)
    if uv is None:
        uv = box_projection(pos, flat)
    return Soup(pos, np.asarray(nrm, np.float32), np.asarray(uv, np.float32), np.zeros(len(pos), np.int32), (material,))


def face_normals(pos: np.ndarray) -> np.ndarray:
    """Unit normals float32 (n, 3) of triangles (n, 3, 3); zero for degenerate ones."""
    n = np.cross(pos[:, 1] - pos[:, 0], pos[:, 2] - pos[:, 0])
    return (n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-20)).astype(np.float32)


def box_projection(pos: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Texture coordinates in metres, projected along each triangle's dominant axis."""
    axis = np.abs(normals).argmax(axis=1)
    pick = np.array([[1, 2], [0, 2], [0, 1]])[axis]
    return np.take_along_axis(pos, np.repeat(pick[:, None], 3, axis=1), axis=2)


def join(soups: Iterable[Soup]) -> Soup:
    """One soup of all; a single one is given back as it is, so that what is known of its arrays stays known."""
    parts = [s for s in soups if len(s)]
    if len(parts) < 2:
        return parts[0] if parts else EMPTY
    index: dict[Material, int] = {}
    mats = []
    for s in parts:
        mapping = np.array([index.setdefault(m, len(index)) for m in s.materials], np.int32)
        mats.append(mapping[s.mat])
    return Soup(np.concatenate([s.pos for s in parts]), np.concatenate([s.nrm for s in parts]),
                np.concatenate([s.uv for s in parts]), np.concatenate(mats), tuple(index))


def transformed(soup: Soup, matrix: np.ndarray) -> Soup:
    """Every point through the 4×4 affine ``matrix``; normals by its inverse transpose; a mirror keeps triangles
    facing outwards.
    """
    if not len(soup):
        return soup
    linear = np.asarray(matrix[:3, :3], np.float64)
    pos = (soup.pos.reshape(-1, 3) @ linear.T.astype(np.float32) + matrix[:3, 3].astype(np.float32)).reshape(-1, 3, 3)
    nrm = soup.nrm.reshape(-1, 3) @ np.linalg.inv(linear).astype(np.float32)
    nrm /= np.maximum(np.sqrt(np.einsum("ij,ij->i", nrm, nrm))[:, None], 1e-12)
    nrm = nrm.reshape(-1, 3, 3)
    if np.linalg.det(linear) < 0:
        return Soup(pos[:, ::-1].copy(), nrm[:, ::-1].copy(), soup.uv[:, ::-1].copy(), soup.mat, soup.materials)
    return Soup(pos, nrm, soup.uv, soup.mat, soup.materials)


def translation(x: float, y: float, z: float) -> np.ndarray:
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def scaling(x: float, y: float, z: float) -> np.ndarray:
    return np.diag([x, y, z, 1.0])


def rotation(axis: Sequence[float], angle: float, pivot: Sequence[float] = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Right-handed turn by ``angle`` radians about ``axis`` through ``pivot`` (Rodrigues), 4×4."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    m = np.eye(4)
    m[:3, :3] = np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)
    p = np.asarray(pivot, float)
    m[:3, 3] = p - m[:3, :3] @ p
    return m


def placement(position: Sequence[float], yaw: float) -> np.ndarray:
    """Local frame → map for something standing at ``position`` with its front along ``yaw``."""
    m = rotation((0, 0, 1), yaw)
    m[:3, 3] = position
    return m


class JointKind(str, Enum):
    FIXED = "fixed"
    HINGE = "hinge"  # turns about ``axis`` through ``pivot`` by openness × ``travel`` radians
    RAIL = "rail"  # slides along ``axis`` by openness × ``travel`` metres
    WHEN_ON = "when_on"  # drawn only while switched on (or, for lights inside, while on)
    WHEN_OFF = "when_off"


@dataclass(frozen=True)
class Joint:
    kind: JointKind = JointKind.FIXED
    pivot: tuple[float, float, float] = (0.0, 0.0, 0.0)
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    travel: float = 0.0

    def pose(self, openness: float, on: bool) -> np.ndarray | None:
        """4×4 in the model's local frame; None when the part is not drawn."""
        if self.kind is JointKind.HINGE:
            return rotation(self.axis, self.travel * openness, self.pivot)
        if self.kind is JointKind.RAIL:
            return translation(*(a * self.travel * openness for a in self.axis))
        if (self.kind is JointKind.WHEN_ON and not on) or (self.kind is JointKind.WHEN_OFF and on):
            return None
        return np.eye(4)


FIXED = Joint()


@dataclass(frozen=True)
class Part:
    soup: Soup
    joint: Joint = FIXED


@dataclass(frozen=True)
class Model:
    """Parts in one local frame. ``heights``: surfaces to put things on, above the underside, lowest first."""

    parts: tuple[Part, ...]
    heights: tuple[float, ...] = ()
    name: str = field(default="")

    def fixed(self) -> Soup:
        return join(p.soup for p in self.parts if p.joint.kind is JointKind.FIXED)

    def moving(self) -> tuple[Part, ...]:
        return tuple(p for p in self.parts if p.joint.kind is not JointKind.FIXED)


def rigid(*soups: Soup, heights: tuple[float, ...] = (), name: str = "") -> Model:
    return Model((Part(join(soups)),), heights, name)


def fitted(soup: Soup, size: tuple[float, float, float]) -> Soup:
    """Scaled and moved so that its bounds fill the box of ``size`` (width y, depth x, height z), standing on z = 0."""
    low, high = soup.bounds()
    extent = np.maximum(high - low, 1e-6)
    target = np.array([size[1], size[0], size[2]])
    scale = target / extent
    centre = (low + high) / 2
    return transformed(soup, scaling(*scale) @ translation(-centre[0], -centre[1], -low[2]))
