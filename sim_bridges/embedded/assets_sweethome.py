"""The Sweet Home 3D model collections as installed by Debian, read at run time from their archives.

``sweethome3d-furniture`` puts its ``.sh3f`` files (zips of a catalogue, OBJ, MTL and pictures) under
/usr/share/sweethome3d/furniture. A model's key is ``collection/stem``, e.g. ``Scopia/coffee_table``. Decoded meshes
are kept per process, at most CACHE of them. Attribution: NOTICE.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from sim_bridges.embedded import assets_fit
from sim_bridges.embedded.assets_table import Choice, choices, choice_of
from sim_bridges.embedded.meshes import Model, Soup, join, scaling, transformed, translation
from sim_bridges.embedded.meshes_obj import decode_picture, read_mtl, read_obj
from sim_bridges.embedded.textures import Texture

FOLDER = Path("/usr/share/sweethome3d/furniture")
COLLECTIONS = ("BlendSwap-CC-0", "BlendSwap-CC-BY", "KatorLegaz", "Scopia")
CACHE = 160
_MANNEQUINS = {"male": "mannequinMale", "female": "mannequinBrunette"}
_AXES = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])  # the files' x right, y up, z front → x front, y left, z up
_ROW = re.compile(r"(model|modelRotation|creator|name|width|depth|height)#(\d+)=(.*)")


@dataclass(frozen=True)
class Entry:
    """One catalogue row. ``rotation``: 3×3 applied to the file's coordinates; ``size``: catalogue width, depth,
    height in metres.
    """

    path: str
    rotation: np.ndarray
    size: tuple[float, float, float]
    creator: str


@dataclass(frozen=True, eq=False)
class Mannequin:
    """A jointed body: ``groups`` by limb name ("left_forearm"), one unit high; its materials keep their names."""

    groups: dict[str, Soup]


class SweetHomeAssets:
    """An :class:`~sim_bridges.embedded.assets.AssetSource` over the installed archives."""

    def __init__(self, folder: Path = FOLDER):
        self.folder = Path(folder)

    @classmethod
    def present(cls, folder: Path = FOLDER) -> bool:
        return all((Path(folder) / f"{name}.sh3f").is_file() for name in COLLECTIONS)

    def models_for(self, class_id: str, split: str) -> tuple[str, ...]:
        return tuple(c.key for c in choices(class_id, split))

    def model(self, key: str, size: tuple[float, float, float], heights: Sequence[float]) -> Model:
        return _model(str(self.folder), key, size, tuple(heights))

    def mannequin(self, kind: str) -> Mannequin | None:
        return _mannequin(str(self.folder), kind)

    def mesh(self, key: str) -> Soup:
        """The mesh as the catalogue shows it: local axes (x front, y left, z up), catalogue size in metres, standing
        on z = 0.
        """
        return _mesh(str(self.folder), key, "")


@lru_cache(maxsize=8)
def catalogue(folder: str, collection: str) -> dict[str, Entry]:
    """Stem → entry."""
    with zipfile.ZipFile(Path(folder) / f"{collection}.sh3f") as archive:
        text = archive.read("PluginFurnitureCatalog.properties").decode("latin-1")
    rows: dict[int, dict[str, str]] = {}
    for line in text.splitlines():
        found = _ROW.match(line.strip())
        if found:
            rows.setdefault(int(found[2]), {})[found[1]] = found[3].strip()
    out = {}
    for row in rows.values():
        rotation = np.array(row["modelRotation"].split(), float).reshape(3, 3) if row.get("modelRotation") else np.eye(3)
        size = tuple(float(row[k]) / 100 for k in ("width", "depth", "height"))
        out[posixpath.splitext(posixpath.basename(row["model"]))[0]] = Entry(row["model"].lstrip("/"), rotation, size,
                                                                             row.get("creator", ""))
    return out


@lru_cache(maxsize=CACHE)
def _mesh(folder: str, key: str, only: str) -> Soup:
    collection, _, stem = key.partition("/")
    entries = catalogue(folder, collection)
    if stem not in entries:
        raise KeyError(f"no model '{key}' in {Path(folder) / collection}.sh3f")
    entry = entries[stem]
    with zipfile.ZipFile(Path(folder) / f"{collection}.sh3f") as archive:
        groups = _read(archive, entry.path)
    soup = join(s for name, s in groups.items() if not only or name.startswith(only))
    turn = np.eye(4)
    turn[:3, :3] = _AXES @ entry.rotation
    return assets_fit.thinned(assets_fit.to_size(transformed(soup, turn), entry.size if not only else None))


@lru_cache(maxsize=4)
def _mannequin(folder: str, kind: str) -> Mannequin:
    """``male`` or ``female``: body groups in local axes, one unit high, standing on z = 0."""
    entry = catalogue(folder, "Scopia")[_MANNEQUINS[kind]]
    with zipfile.ZipFile(Path(folder) / "Scopia.sh3f") as archive:
        groups = _read(archive, entry.path)
    whole = join(groups.values())
    turn = np.eye(4)
    turn[:3, :3] = _AXES @ entry.rotation
    low, high = transformed(whole, turn).bounds()
    height = float(high[2] - low[2])
    to_unit = scaling(1 / height, 1 / height, 1 / height) @ translation(0, -(low[1] + high[1]) / 2, -low[2]) @ turn
    return Mannequin({re.sub("^sweethome3d_mannequin_", "", name): transformed(s, to_unit) for name, s in groups.items()})


def _read(archive: zipfile.ZipFile, path: str) -> dict[str, Soup]:
    """The groups of an OBJ in its own coordinates."""
    folder = posixpath.dirname(path)
    names = {n.lower(): n for n in archive.namelist()}
    pictures: dict[str, Texture | None] = {}

    def data(name: str) -> bytes | None:
        found = names.get(posixpath.normpath(posixpath.join(folder, name.replace("\\", "/"))).lower())
        return archive.read(found) if found else None

    def picture(name: str) -> Texture | None:
        if name not in pictures:
            raw = data(name)
            pictures[name] = decode_picture(raw) if raw is not None else None
        return pictures[name]

    text = archive.read(path).decode("latin-1")
    materials = {}
    for line in re.findall(r"^mtllib\s+(.+)$", text, re.M):
        raw = data(line.strip())
        if raw is not None:
            materials.update(read_mtl(raw.decode("latin-1"), picture))
    return read_obj(text, materials)


@lru_cache(maxsize=CACHE)
def _model(folder: str, key: str, size: tuple[float, float, float], heights: tuple[float, ...]) -> Model:
    choice: Choice = choice_of(key)
    return assets_fit.fitted_model(_mesh(folder, choice.source, choice.only), choice, size, heights)
