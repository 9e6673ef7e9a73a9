"""A body of rounded limbs: people where no mannequin mesh is installed.

Every limb is modelled once along its own bone and only turned into place for a frame, so that a walking person costs
a handful of small matrix products.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.meshes import Soup, join, rotation, translation
from sim_bridges.embedded.model import Person
from sim_bridges.embedded.primitives import aligned, ellipsoid, limb, rounded, skin_of_rings


@dataclass(frozen=True)
class Look:
    skin: tx.RGB
    hair: tx.RGB
    top: tx.RGB
    bottom: tx.RGB
    long_hair: bool
    long_sleeves: bool
    build: float  # width factor


class LimbBody:
    """One person's limbs. The triangles of every pose are the same, only their places differ."""

    def __init__(self, person: Person, look: Look):
        h, b = person.height, look.build
        top = tx.of(tx.fabric(zlib.crc32(person.id.encode()) % 1000, look.top, size=0.12, contrast=0.07))
        bottom, skin = tx.plain(*look.bottom), tx.plain(*look.skin)
        sleeve = top if look.long_sleeves else skin
        shoe = rounded((-0.045 * h, -0.028 * h, -0.043 * h), (0.115 * h, 0.028 * h, 0.012 * h), 0.02 * h, tx.plain(44, 40, 40))
        bones = {
            ("shoulder", "elbow"): limb((0, 0, 0), (0, 0, fp.UPPER_ARM * h), np.array([0.031, 0.029, 0.025]) * h * b, top),
            ("elbow", "wrist"): limb((0, 0, 0), (0, 0, fp.FOREARM * h), np.array([0.025, 0.023, 0.016]) * h, sleeve),
            ("wrist", "hand"): _hand(h, skin),
            ("hip", "knee"): limb((0, 0, 0), (0, 0, fp.THIGH * h), np.array([0.052, 0.049, 0.036]) * h * b, bottom),
            ("knee", "ankle"): limb((0, 0, 0), (0, 0, fp.SHANK * h), np.array([0.036, 0.037, 0.024]) * h, bottom),
        }
        limbs: list[tuple[Soup, tuple[str, ...]]] = [(_torso(h, b, top, bottom, skin), ("torso", )),
                                                     (_head(h, look), ("head", ))]
        for side in (fp.LEFT, fp.RIGHT):
            limbs += [(soup, (f"{side}_{start}", f"{side}_{end}")) for (start, end), soup in bones.items()]
            limbs.append((shoe, (f"{side}_ankle", f"{side}_toe", "foot")))
        self._rest = join(soup for soup, _ in limbs)
        ends = np.cumsum([len(soup) for soup, _ in limbs])
        self._limbs = [(slice(end - len(soup), end), frame) for end, (soup, frame) in zip(ends, limbs)]

    def posed(self, s: fp.Skeleton) -> Soup:
        """The whole body in ``map``."""
        pos, nrm = np.empty_like(self._rest.pos), np.empty_like(self._rest.nrm)
        for part, frame in self._limbs:
            pose = _frame_of(s, frame)
            turn = pose[:3, :3].T.astype(np.float32)
            pos[part] = (self._rest.pos[part].reshape(-1, 3) @ turn + pose[:3, 3].astype(np.float32)).reshape(-1, 3, 3)
            nrm[part] = (self._rest.nrm[part].reshape(-1, 3) @ turn).reshape(-1, 3, 3)
        return Soup(pos, nrm, self._rest.uv, self._rest.mat, self._rest.materials)


def _frame_of(s: fp.Skeleton, frame: tuple[str, ...]) -> np.ndarray:
    if len(frame) == 1:
        return s.torso if frame[0] == "torso" else s.head
    if len(frame) == 3:
        return _foot(s.joints[frame[0]], s.joints[frame[1]])
    return aligned(s.joints[frame[0]], s.joints[frame[1]])[0]


def _foot(ankle: np.ndarray, toe: np.ndarray) -> np.ndarray:
    d = toe - ankle
    yaw = np.arctan2(d[1], d[0])
    rest = np.arctan2(-0.028, 0.105)
    pitch = np.arctan2(d[2], np.hypot(d[0], d[1])) - rest
    return translation(*ankle) @ rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), -pitch)


def _loft(sections: list[tuple[float, float, float, float]], h: float, material: tx.Material, segments: int = 16) -> Soup:
    """Elliptic rings (z, half depth, half width, forward offset), all in body heights."""
    a = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    rings = np.stack(
        [np.stack([x + rx * np.cos(a), ry * np.sin(a), np.full(segments, z)], axis=1) for z, rx, ry, x in sections]) * h
    return skin_of_rings(rings, material)


def _torso(h: float, b: float, top: tx.Material, bottom: tx.Material, skin: tx.Material) -> Soup:
    hips = [(-0.05, 0.02, 0.03, 0), (-0.045, 0.06 * b, 0.088 * b, 0), (0.0, 0.07 * b, 0.098 * b, -0.004),
            (0.045, 0.066 * b, 0.09 * b, 0)]
    shirt = [(0.02, 0.066 * b, 0.094 * b, 0), (0.09, 0.062 * b, 0.084 * b, 0.004), (0.17, 0.068 * b, 0.098 * b, 0.006),
             (0.235, 0.068 * b, 0.112 * b, 0.002), (0.285, 0.052 * b, 0.118 * b, -0.004), (0.31, 0.040 * b, 0.085 * b, -0.004),
             (0.328, 0.030, 0.038, 0), (0.33, 0.0, 0.0, 0)]
    neck = limb((0, 0, 0.31 * h), (0.006 * h, 0, 0.365 * h), (0.03 * h, 0.028 * h), skin, segments=10)
    return join([_loft(hips, h, bottom), _loft(shirt, h, top), neck])


def _head(h: float, look: Look) -> Soup:
    """Origin in the middle of the head, face towards +x."""
    s = (0.075 if h > 1.4 else 0.075 + 0.03 * min(1.0, (1.4 - h) / 0.5)) * h  # half height
    skin, hair, eye, lip = tx.plain(*look.skin), tx.plain(*look.hair), tx.plain(34, 28, 26), tx.plain(*(int(c * 0.72)
                                                                                                        for c in look.skin))
    pieces = [
        ellipsoid((0, 0, 0), (0.78 * s, 0.64 * s, s), skin),
        ellipsoid((0.2 * s, 0, -0.45 * s), (0.5 * s, 0.46 * s, 0.5 * s), skin, segments=12, rings=7),
        ellipsoid((0.8 * s, 0, -0.08 * s), (0.13 * s, 0.1 * s, 0.17 * s), skin, segments=8, rings=5),
        ellipsoid((0.7 * s, 0, -0.5 * s), (0.06 * s, 0.2 * s, 0.05 * s), lip, segments=8, rings=5)
    ]
    for y in (-1, 1):
        pieces += [
            ellipsoid((0.66 * s, y * 0.25 * s, 0.1 * s), (0.08 * s, 0.12 * s, 0.07 * s), tx.plain(240, 240, 238), segments=8,
                      rings=5),
            ellipsoid((0.715 * s, y * 0.25 * s, 0.1 * s), (0.05 * s, 0.055 * s, 0.06 * s), eye, segments=8, rings=5),
            ellipsoid((0.69 * s, y * 0.26 * s, 0.26 * s), (0.05 * s, 0.15 * s, 0.03 * s), hair, segments=8, rings=5),
            ellipsoid((0.0, y * 0.64 * s, -0.02 * s), (0.13 * s, 0.07 * s, 0.2 * s), skin, segments=8, rings=5)
        ]
    pieces.append(ellipsoid((-0.12 * s, 0, 0.2 * s), (0.82 * s, 0.72 * s, 0.9 * s), hair))
    if look.long_hair:
        pieces.append(ellipsoid((-0.42 * s, 0, -0.55 * s), (0.42 * s, 0.66 * s, 1.05 * s), hair, segments=12))
    return join(pieces)


def _hand(h: float, skin: tx.Material) -> Soup:
    return join([ellipsoid((0, 0, 0.045 * h), (0.013 * h, 0.022 * h, 0.05 * h), skin, segments=8, rings=6),
                 limb((0, 0.014 * h, 0.025 * h), (0.01 * h, 0.03 * h, 0.06 * h), (0.009 * h, 0.007 * h), skin, segments=6)])
