"""People as drawn: who looks how, and a body on the skeleton.

The look follows from the person's id and ``model`` alone: the same person looks the same in every run. Bodies are
jointed mannequin meshes (:mod:`figures_rig`) or, without them, rounded limbs (:mod:`figures_limbs`).
"""

from __future__ import annotations

import zlib
from collections.abc import Collection
from dataclasses import dataclass

from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.assets_sweethome import Mannequin
from sim_bridges.embedded.figures_limbs import LimbBody, Look
from sim_bridges.embedded.figures_rig import rig_of, tinted
from sim_bridges.embedded.meshes import Soup
from sim_bridges.embedded.model import Person, PersonState

_FAR_SHARE = 0.4  # of the triangles, for people far from the camera
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


def colour_of(person: Person) -> str | None:
    """The colour that ``person.model`` names, if any."""
    return next((c for c in _TOPS if c in (person.model or "").lower()), None)


def look_of(person: Person, *, taken: Collection[tx.RGB] = ()) -> Look:
    """Clothes by ``person.model`` (a colour word in it wins) or by id; ``taken`` colours are avoided."""
    key = zlib.crc32(f"{person.id}/{person.model or ''}".encode())
    named = colour_of(person)
    free = [c for c in _TOPS if _TOPS[c] not in taken] or list(_TOPS)
    top = _TOPS[named or free[key % len(free)]]
    return Look(_SKIN[(key >> 4) % len(_SKIN)], _HAIR[(key >> 8) % len(_HAIR)], top, _BOTTOMS[(key >> 12) % len(_BOTTOMS)],
                bool(key >> 16 & 1), bool(key >> 17 & 1), 0.94 + 0.04 * (key >> 18 & 3))


class Figure:
    """One person, ready to be posed: near to, or ``far`` from, the camera (fewer triangles, the same shape)."""

    def __init__(self, person: Person, look: Look | None = None, mannequin: Mannequin | None = None):
        self.person = person
        self.look = look or look_of(person)
        self._rigs = (rig_of(mannequin, 1.0), rig_of(mannequin, _FAR_SHARE)) if mannequin is not None else None
        self._worn = _paint(mannequin, self.look) if mannequin is not None else ()
        self._limbs = LimbBody(person, self.look) if mannequin is None else None

    def posed(self, state: PersonState, holding: Collection[str] = (), *, far: bool = False) -> Soup:
        """The whole body in ``map``; only positions and normals differ from pose to pose."""
        skeleton = fp.skeleton(self.person, state, holding)
        if self._limbs is not None:
            return self._limbs.posed(skeleton)
        rig = self._rigs[far]
        pos, nrm = rig.posed(skeleton, self.person.height)
        return Soup(pos, nrm, rig.rest.uv, rig.rest.mat, self._worn)


def is_woman(person: Person) -> bool:
    """Which mannequin a person gets: a word in ``model`` decides, else a common given name, else the id's checksum."""
    words = f"{person.model or ''} ".lower().replace("-", " ").split()
    if "woman" in words or "girl" in words:
        return True
    if "man" in words or "boy" in words:
        return False
    name = (person.name or person.id).lower()
    return name in _WOMEN or (name not in _MEN and bool(zlib.crc32(person.id.encode()) >> 20 & 1))


def _paint(mannequin: Mannequin, look: Look) -> tuple[tx.Material, ...]:
    """The mannequin's materials, in the rig's order, in the person's own colours; told by their names in the file."""
    out = {}
    materials = rig_of(mannequin, 1.0).rest.materials
    for material in materials:
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
    return tuple(out.get(m, m) for m in materials)
