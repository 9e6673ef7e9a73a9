"""People as drawn: a body of rounded limbs on the skeleton, with a face in front, hair, and clothes that tell people
apart.

Every limb is modelled once along its own bone and only turned into place for a frame, so that a walking person costs
a handful of small matrix products. The look follows from the person's id and ``model`` alone: the same person looks
the same in every run.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.assets_sweethome import Mannequin
from sim_bridges.embedded.figures_rig import Rig, tinted
from sim_bridges.embedded.meshes import Soup, join, rotation, translation
from sim_bridges.embedded.model import Person, PersonState
from sim_bridges.embedded.primitives import aligned, ellipsoid, limb, rounded, skin_of_rings

_SKIN: tuple[tx.RGB, ...] = ((236, 196, 168), (198, 146, 110), (128, 86, 60), (222, 178, 144), (92, 62, 46))
_HAIR: tuple[tx.RGB, ...] = ((50, 36, 28), (24, 22, 22), (150, 104, 56), (196, 164, 104), (110, 110, 114), (120, 52, 30))
_TOPS: dict[str, tx.RGB] = {
    "red": (186, 44, 46), "blue": (44, 88, 168), "green": (52, 128, 74), "yellow": (222, 178, 52), "purple": (112, 66, 148),
    "teal": (36, 134, 140), "white": (232, 232, 228), "orange": (222, 120, 44), "pink": (220, 130, 160), "grey": (120, 124, 130)
}
_WOMEN = frozenset((
    "alice anna anne carol clara emma eva eve grace helen ines ivy jane julia kate laura lena lucy maria marta mary "
    "mia nina olga rosa ruth sally sara sarah sophie zoe").split())
_MEN = frozenset((
    "adam alan ben bob carl charlie dan david ed erik frank fred george hugo ivan jack james jim joe john kevin leo "
    "luis mark max michael oscar otto paul peter sam tom").split())
_BOTTOMS: tuple[tx.RGB, ...] = ((44, 54, 84), (62, 60, 60), (150, 130, 98), (30, 32, 36), (92, 76, 62))


@dataclass(frozen=True)
class Look:
    skin: tx.RGB
    hair: tx.RGB
    top: tx.RGB
    bottom: tx.RGB
    long_hair: bool
    long_sleeves: bool
    build: float  # width factor


def look_of(person: Person, *, taken: Collection[tx.RGB] = ()) -> Look:
    """Clothes by ``person.model`` (a colour word in it wins) or by id; ``taken`` colours are avoided."""
    key = zlib.crc32(f"{person.id}/{person.model or ''}".encode())
    named = [c for c in _TOPS if c in (person.model or "").lower()]
    free = [c for c in _TOPS if _TOPS[c] not in taken] or list(_TOPS)
    top = _TOPS[named[0] if named else free[key % len(free)]]
    return Look(_SKIN[(key >> 4) % len(_SKIN)], _HAIR[(key >> 8) % len(_HAIR)], top, _BOTTOMS[(key >> 12) % len(_BOTTOMS)],
                bool(key >> 16 & 1), bool(key >> 17 & 1), 0.94 + 0.04 * (key >> 18 & 3))


class Figure:
    """One person's limbs, ready to be posed. ``triangles`` of a pose are always the same, only their places differ."""

    def __init__(self, person: Person, look: Look | None = None, mannequin: Mannequin | None = None):
        self.person = person
        self.look = look or look_of(person)
        self._rig = Rig(mannequin.groups, _paint(mannequin, self.look)) if mannequin is not None else None
        if self._rig is None:
            self._build()

    def _build(self) -> None:
        person = self.person
        h, b = person.height, self.look.build
        top = tx.of(tx.fabric(zlib.crc32(person.id.encode()) % 1000, self.look.top, size=0.12, contrast=0.07))
        bottom, skin = tx.plain(*self.look.bottom), tx.plain(*self.look.skin)
        sleeve = top if self.look.long_sleeves else skin
        shoe = rounded((-0.045 * h, -0.028 * h, -0.043 * h), (0.115 * h, 0.028 * h, 0.012 * h), 0.02 * h, tx.plain(44, 40, 40))
        bones = {
            ("shoulder", "elbow"): limb((0, 0, 0), (0, 0, fp.UPPER_ARM * h), np.array([0.031, 0.029, 0.025]) * h * b, top),
            ("elbow", "wrist"): limb((0, 0, 0), (0, 0, fp.FOREARM * h), np.array([0.025, 0.023, 0.016]) * h, sleeve),
            ("wrist", "hand"): _hand(h, skin),
            ("hip", "knee"): limb((0, 0, 0), (0, 0, fp.THIGH * h), np.array([0.052, 0.049, 0.036]) * h * b, bottom),
            ("knee", "ankle"): limb((0, 0, 0), (0, 0, fp.SHANK * h), np.array([0.036, 0.037, 0.024]) * h, bottom),
        }
        limbs: list[tuple[Soup, tuple[str, ...]]] = [(_torso(h, b, top, bottom, skin), ("torso", )),
                                                     (_head(h, self.look), ("head", ))]
        for side in (fp.LEFT, fp.RIGHT):
            limbs += [(soup, (f"{side}_{start}", f"{side}_{end}")) for (start, end), soup in bones.items()]
            limbs.append((shoe, (f"{side}_ankle", f"{side}_toe", "foot")))
        self._rest = join(soup for soup, _ in limbs)
        ends = np.cumsum([len(soup) for soup, _ in limbs])
        self._limbs = [(slice(end - len(soup), end), frame) for end, (soup, frame) in zip(ends, limbs)]

    def posed(self, state: PersonState, holding: Collection[str] = ()) -> Soup:
        """The whole body in ``map``; only positions and normals differ from pose to pose."""
        s = fp.skeleton(self.person, state, holding)
        if self._rig is not None:
            return self._rig.posed(s, self.person.height)
        pos, nrm = np.empty_like(self._rest.pos), np.empty_like(self._rest.nrm)
        for part, frame in self._limbs:
            pose = _frame_of(s, frame)
            turn = pose[:3, :3].T.astype(np.float32)
            pos[part] = (self._rest.pos[part].reshape(-1, 3) @ turn + pose[:3, 3].astype(np.float32)).reshape(-1, 3, 3)
            nrm[part] = (self._rest.nrm[part].reshape(-1, 3) @ turn).reshape(-1, 3, 3)
        return Soup(pos, nrm, self._rest.uv, self._rest.mat, self._rest.materials)


def is_woman(person: Person) -> bool:
    """Which mannequin a person gets: a word in ``model`` decides, else a common given name, else the id's checksum."""
    words = f"{person.model or ''} ".lower().replace("-", " ").split()
    if "woman" in words or "girl" in words:
        return True
    if "man" in words or "boy" in words:
        return False
    name = (person.name or person.id).lower()
    return name in _WOMEN or (name not in _MEN and bool(zlib.crc32(person.id.encode()) >> 20 & 1))


def _paint(mannequin: Mannequin, look: Look) -> dict[tx.Material, tx.Material]:
    """The mannequin's materials in the person's own colours, told by their names in the file."""
    out = {}
    for material in {m for soup in mannequin.groups.values() for m in soup.materials}:
        name = material.name
        if name.startswith("Shirt"):
            out[material] = tx.of(tx.fabric(sum(look.top), look.top, size=0.35, contrast=0.05))
        elif name.startswith("Pants"):
            out[material] = tx.plain(*look.bottom)
        elif "Skin" in name or name.startswith(("Hands", "Lips")):
            shade = look.skin if not name.startswith("Lips") else (int(look.skin[0] * 0.85), int(look.skin[1] * 0.6),
                                                                   int(look.skin[2] * 0.6))
            out[material] = tinted(material, shade, keep_picture=name in ("FaceSkin", "Lips"))
        elif name.startswith("Hair"):
            out[material] = tinted(material, look.hair, keep_picture=True)
        elif name.startswith("Eyelash"):
            out[material] = tx.plain(40, 32, 30)
    return out


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
