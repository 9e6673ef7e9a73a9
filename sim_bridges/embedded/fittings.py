"""How each class of furniture is built: the heights things are put at, which side it is used from, how it opens and what hangs on it.

Home files say where a piece stands; what it is like inside comes from here, scaled to its size, unless the file says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from household import classes


class Opening(str, Enum):
    NONE = "none"
    HINGE = "hinge"  # a door turning about a side edge
    FLAP = "flap"  # a door turning about its lower edge
    RAIL = "rail"  # a drawer
    LID = "lid"  # open above


@dataclass(frozen=True)
class Fitting:
    """``levels``: heights things stand at, as fractions of the piece's height. ``inset``: rim where nothing is put, metres."""

    levels: tuple[float, ...]
    opening: Opening = Opening.NONE
    inset: float = 0.04
    seconds_to_open: float = 1.2
    from_any_side: bool = False  # tables and the like are used from wherever there is room


_FITTINGS: dict[str, Fitting] = {
    "fridge": Fitting((0.30, 0.50, 0.70), Opening.HINGE, 0.06, 1.5),
    "microwave": Fitting((0.10,), Opening.HINGE, 0.05, 1.0),
    "stove": Fitting((0.45,), Opening.FLAP, 0.06, 1.3),
    "dishwasher": Fitting((0.25, 0.58), Opening.FLAP, 0.06, 1.3),
    "kitchencabinet": Fitting((0.06, 0.52), Opening.HINGE, 0.04, 1.0),
    "bathroomcabinet": Fitting((0.06, 0.52), Opening.HINGE, 0.04, 1.0),
    "cabinet": Fitting((0.06, 0.52), Opening.HINGE, 0.05, 1.2),
    "drawer": Fitting((0.70,), Opening.RAIL, 0.05, 1.0),
    "wardrobe": Fitting((0.06, 0.50), Opening.HINGE, 0.06, 1.5),
    "box": Fitting((0.06,), Opening.LID, 0.03, 0.8, True),
    "basket": Fitting((0.06,), Opening.LID, 0.03, 0.6, True),
    "lamp": Fitting((), from_any_side=True),
    "kitchentable": Fitting((1.0,), inset=0.08, from_any_side=True),
    "diningtable": Fitting((1.0,), inset=0.08, from_any_side=True),
    "coffeetable": Fitting((1.0,), inset=0.06, from_any_side=True),
    "kitchencounter": Fitting((1.0,), inset=0.05),
    "bathroomcounter": Fitting((1.0,), inset=0.05),
    "desk": Fitting((1.0,), inset=0.06),
    "sofa": Fitting((0.53,), inset=0.14),
    "bed": Fitting((1.0,), inset=0.20, from_any_side=True),
    "nightstand": Fitting((1.0,), inset=0.04),
    "bookshelf": Fitting((0.25, 0.45, 0.65), inset=0.05),
    "tvstand": Fitting((1.0,), inset=0.05),
    "chair": Fitting((0.50,), inset=0.06, from_any_side=True),
    "bench": Fitting((1.0,), inset=0.04, from_any_side=True),
    "stool": Fitting((1.0,), inset=0.04, from_any_side=True),
}
_PLAIN = Fitting(())
SEATS = frozenset({"sofa", "bed", "chair", "bench", "stool"})


def fitting(class_id: str) -> Fitting:
    return _FITTINGS.get(class_id, _PLAIN)


def levels(class_id: str, height: float) -> tuple[float, ...]:
    """Heights above the underside, metres, at which things stand; empty for what holds nothing."""
    return tuple(round(f * height, 4) for f in fitting(class_id).levels)


def opens(class_id: str) -> bool:
    return fitting(class_id).opening is not Opening.NONE


def is_furniture(class_id: str) -> bool:
    """Whether a home may list this class under ``furniture``."""
    kinds = (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.DEVICE, classes.Kind.OBSTACLE)
    return class_id in classes.CLASSES and classes.get(class_id).kind in kinds


FURNITURE_CLASSES = tuple(sorted(c for c in classes.CLASSES if is_furniture(c)))
"""Every class a home may place as furniture."""
