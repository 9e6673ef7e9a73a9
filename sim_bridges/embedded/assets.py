"""Where models come from: the collections installed with Sweet Home 3D, or plain shapes where they are not.

A source answers one question, ``model(...)``; None means "draw it from plain shapes". The choice between a class's
exemplars is a pure function of (class, entity id, model key, split), so that the same home always looks the same.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from sim_bridges.embedded import fittings, primitives_containers, primitives_devices, primitives_furniture, primitives_things
from sim_bridges.embedded.assets_sweethome import Mannequin, SweetHomeAssets
from sim_bridges.embedded.meshes import Model, rigid
from sim_bridges.embedded.primitives import centred
from sim_bridges.embedded.textures import plain

Size = tuple[float, float, float]
SPLITS = ("train", "test")
# alike within a home
_MATCHING = ("kitchencabinet", "kitchencounter", "chair", "nightstand", "bathroomcabinet", "stove", "dishwasher")


class AssetSource(Protocol):
    def models_for(self, class_id: str, split: str) -> tuple[str, ...]:
        """Keys of the meshes this source has for a class on this side of the split; may be empty."""

    def model(self, key: str, size: Size, heights: Sequence[float]) -> Model:
        """A mesh by key, scaled to ``size`` (width, depth, height), front along +x."""

    def mannequin(self, kind: str) -> Mannequin | None:
        """A jointed "male" or "female" body, or None: then people are built from rounded limbs."""


class PrimitiveAssets:
    """No meshes at all: everything is drawn from plain shapes."""

    def models_for(self, class_id: str, split: str) -> tuple[str, ...]:
        return ()

    def model(self, key: str, size: Size, heights: Sequence[float]) -> Model:
        raise KeyError(f"no mesh '{key}': this source has none")

    def mannequin(self, kind: str) -> Mannequin | None:
        return None


PRIMITIVES = PrimitiveAssets()


@lru_cache(maxsize=1)
def installed() -> AssetSource:
    """The installed collections; plain shapes, and one line on stderr, where there are none."""
    if SweetHomeAssets.present():
        return SweetHomeAssets()
    print("heed: the Sweet Home 3D models are not installed (Debian package sweethome3d-furniture); drawing plain shapes",
          file=sys.stderr)
    return PRIMITIVES


def exemplar(entity: str, model_key: str | None, split: str, count: int) -> int:
    """Which plain-shape variant an entity gets: even numbers on the train side, odd ones on the test side.

    A ``model_key`` like ``#4`` names the variant itself."""
    if split not in SPLITS:
        raise ValueError(f"split '{split}': must be one of {', '.join(SPLITS)}")
    if model_key is not None and model_key.lstrip("#").isdigit():
        return int(model_key.lstrip("#"))
    return 2 * (zlib.crc32((model_key or entity).encode()) // 64 % count) + SPLITS.index(split)


def _drawn(assets: AssetSource, class_id: str, entity: str, model_key: str | None, split: str, plain_shapes: int) -> str | None:
    """The mesh an entity is drawn with, or None for a plain shape; ``plain_shapes`` of them stand beside the meshes."""
    keys = assets.models_for(class_id, split)
    if model_key in keys:
        return model_key
    if model_key is not None and model_key.startswith("#"):
        return None
    pick = zlib.crc32((model_key or entity).encode()) % max(1, len(keys) + plain_shapes)
    return keys[pick] if pick < len(keys) else None


def furniture_model(assets: AssetSource, class_id: str, entity: str, size: Size, heights: Sequence[float], *,
                    model_key: str | None = None, split: str = "train", style: int = 0) -> Model:
    """The model of a piece of furniture. ``heights`` empty: the class's own levels. ``style``: the home's, so that fitted
    kitchens and sets of chairs match.
    """
    levels = tuple(heights) or fittings.levels(class_id, size[2])
    name = f"{style}/{class_id if class_id in _MATCHING else entity}"
    k = exemplar(name, model_key, split, 6)
    if class_id in primitives_containers.MAKERS:
        return primitives_containers.MAKERS[class_id](size, levels, k)
    plain_shapes = 1 if class_id in primitives_furniture.MAKERS and len(assets.models_for(class_id, split)) < 2 else 0
    key = _drawn(assets, class_id, name, model_key, split, plain_shapes)
    if key is not None:
        return assets.model(key, size, levels)
    if class_id in primitives_furniture.MAKERS:
        return primitives_furniture.MAKERS[class_id](size, levels, k)
    if class_id in primitives_devices.MAKERS:
        return primitives_devices.MAKERS[class_id](size, k)
    return rigid(centred((size[1], size[0], size[2]), plain(150, 140, 130)), heights=levels)


def thing_model(assets: AssetSource, class_id: str, entity: str, size: Size, *, model_key: str | None = None,
                split: str = "train", style: int = 0) -> Model:
    """The model of a portable thing. ``style``: as for furniture; another one draws other exemplars."""
    name = f"{style}/{entity}"
    key = _drawn(assets, class_id, name, model_key, split, 2)
    if key is not None:
        return assets.model(key, size, ())
    return rigid(primitives_things.build(class_id, size, exemplar(name, model_key, split, 3)))
