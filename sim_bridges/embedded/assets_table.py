"""Which meshes of the installed collections stand for which class, chosen by eye, and on which side of the train/test
split.

The split is by mesh: no mesh serves both sides. A class missing here, or with nothing on one side, is drawn from
plain shapes there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache


class Fit(str, Enum):
    BOX = "box"  # fill the box
    SEAT = "seat"  # the seat at the given height, the back up to the box's top
    TOP = "top"  # the main surface at the given height; what rises above it keeps its proportions


@dataclass(frozen=True)
class Choice:
    """``source``: collection/stem; ``only``: a part of a group's name; ``turn``: radians about z."""

    key: str
    source: str
    split: str
    fit: Fit = Fit.BOX
    only: str = ""
    turn: float = 0.0


_ABBREVIATED = {"B0": "BlendSwap-CC-0", "BY": "BlendSwap-CC-BY", "KL": "KatorLegaz", "SC": "Scopia"}
_SIDE = math.pi / 2

# class: (train sources, test sources, fit, quarter turn about z).
# "B0/bread" is a whole model, "SC/apples:apple2_Tube.002" one group of it.
_ROWS: dict[str, tuple[str, str, Fit, float]] = {
    # things
    "apple": ("SC/apples:apple2_Tube.002 SC/apples:apple2.001", "SC/bowlWithFruits:apple_apple2 SC/bowlWithFruits:apple.001",
              Fit.BOX, 0.0),
    "orange": ("SC/bowlWithFruits:orange_Cube", "SC/bowlWithFruits:orange.001", Fit.BOX, 0.0),
    "banana": ("SC/bowlWithFruits:banana.001", "SC/bowlWithFruits:banana.002", Fit.BOX, 0.0),
    "cupcake": ("B0/cupcake", "", Fit.BOX, 0.0),
    "bread": ("B0/bread", "", Fit.BOX, 0.0),
    "plate": ("KL/bread-plate", "", Fit.BOX, 0.0),
    "dishbowl": ("SC/bowl", "", Fit.BOX, 0.0),
    "waterglass": ("KL/12-oz-glass", "KL/highball-glass", Fit.BOX, 0.0),
    "wineglass": ("BY/glass", "BY/cocktailGlass", Fit.BOX, 0.0),
    "wine": ("SC/wine_bottle", "KL/red-wine-bottle-01", Fit.BOX, 0.0),
    "book": ("BY/book", "", Fit.BOX, _SIDE),
    "remotecontrol": ("SC/tv-remote-control", "", Fit.BOX, 0.0),
    "milk": ("B0/tetrapak", "", Fit.BOX, 0.0),
    "beer": ("BY/beer_bottle", "", Fit.BOX, 0.0),
    "mug": ("KL/coffee-mug", "", Fit.BOX, _SIDE),
    "coffeepot": ("BY/coffeePress", "SC/teapot", Fit.BOX, 0.0),
    "knife": ("BY/kitchenKnife", "BY/knife", Fit.BOX, _SIDE),
    "fork": ("BY/fork", "", Fit.BOX, _SIDE),
    "spoon": ("BY/spoon", "", Fit.BOX, _SIDE),
    "cuttingboard": ("BY/choppingBoard", "", Fit.BOX, 0.0),
    "candle": ("SC/complements2", "", Fit.BOX, 0.0),
    "newspaper": ("KL/newspaper", "", Fit.BOX, 0.0),
    "cellphone": ("B0/iphone", "BY/mobile", Fit.BOX, 0.0),
    "keys": ("SC/keys", "", Fit.BOX, 0.0),
    "glasses": ("SC/glasses", "BY/sunglasses", Fit.BOX, 0.0),
    "towel": ("SC/com_bath3_toalla", "", Fit.BOX, 0.0),
    "perfume": ("B0/flacon", "", Fit.BOX, 0.0),
    "medicine": ("SC/medicoscopia_bottle", "SC/medicoscopia_bottle2", Fit.BOX, 0.0),
    "toy": ("B0/teddyBear", "B0/woodToy", Fit.BOX, 0.0),
    "vase": ("SC/vase1 SC/vase3", "SC/jar SC/vase2", Fit.BOX, 0.0),
    "flashlight": ("KL/flashlight", "", Fit.BOX, _SIDE),
    "pen": ("SC/pencil1", "B0/textMarker", Fit.BOX, _SIDE),
    # furniture
    "kitchentable": ("BY/table SC/table4 SC/white_kitchen_table", "SC/table-with-leaning-feet KL/folding-table", Fit.BOX, 0.0),
    "diningtable": ("B0/table SC/wooden_table_office", "SC/black_table B0/oakTable", Fit.BOX, 0.0),
    "coffeetable": ("SC/saloon_table SC/coffee-table2 BY/coffeeTable", "SC/table_wood_and_iron SC/living_room_table", Fit.BOX,
                    0.0),
    "desk": ("BY/biurko3 BY/simpleDesk SC/kids_wooden_desk", "SC/kids_desk_table B0/lbDesk", Fit.BOX, 0.0),
    "sofa": ("B0/sofa2 SC/burlap_sofa BY/sofa3 SC/simple_sofa", "B0/winchesterSofa SC/leather_sofa BY/couch3", Fit.SEAT, 0.0),
    "bed": ("SC/bed1 B0/bed3 B0/bed2", "B0/bedWithTexture SC/iron_bed", Fit.TOP, 0.0),
    "nightstand": ("B0/bedsideTable2", "BY/bedsideTable", Fit.BOX, 0.0),
    "tvstand": ("BY/tvStand", "", Fit.BOX, 0.0),
    "chair": ("SC/chair4 SC/chair BY/plaidChair BY/ella_chair_f B0/chair2 BY/kitchenChair",
              "SC/plastic_chair BY/chairWithCushion B0/plasticChair SC/chair3", Fit.SEAT, 0.0),
    "bench": ("KL/bench", "B0/pianoBench", Fit.BOX, 0.0),
    "stool": ("BY/green_stool", "B0/stool2", Fit.BOX, 0.0),
    "toilet": ("B0/toiletsUnit BY/modernToilet", "BY/toilets_unit_jay_hardy", Fit.BOX, 0.0),
    "coffeemaker": ("KL/coffee-maker", "B0/coffeeBrewer", Fit.BOX, 0.0),
    "plant": ("SC/maceta BY/mediumIndoorPlant BY/yuccaPlant", "B0/plant SC/ficus", Fit.BOX, 0.0),
    "wheelchair": ("BY/wheelchair", "", Fit.BOX, 0.0),
}


def _choice(text: str, split: str, fit: Fit, turn: float) -> Choice:
    source, _, only = text.partition(":")
    collection, _, stem = source.partition("/")
    return Choice(text.replace(collection, _ABBREVIATED[collection], 1), f"{_ABBREVIATED[collection]}/{stem}", split, fit, only,
                  turn)


_TABLE: dict[str, tuple[Choice, ...]] = {
    cls: tuple(_choice(t, split, fit, turn) for split, texts in (("train", train), ("test", test)) for t in texts.split())
    for cls, (train, test, fit, turn) in _ROWS.items()
}


def choices(class_id: str, split: str) -> tuple[Choice, ...]:
    return tuple(c for c in _TABLE.get(class_id, ()) if c.split == split)


@lru_cache(maxsize=1)
def _by_key() -> dict[str, Choice]:
    return {c.key: c for row in _TABLE.values() for c in row}


def choice_of(key: str) -> Choice:
    try:
        return _by_key()[key]
    except KeyError:
        raise KeyError(f"no mesh '{key}'; known: {', '.join(sorted(_by_key()))}") from None
