"""Further models of the installed collections, for training pictures alone: worlds are furnished with others (:mod:`sim_bridges.embedded.assets_table`).

What is drawn on either side of the split is left as it is; none of these is among the models of the test side, nor another pose or copy of one. Where the collections
are not installed there are none.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sim_bridges.embedded import assets_fit, assets_sweethome
from sim_bridges.embedded.assets_table import Choice, Fit
from sim_bridges.embedded.meshes import Model

_ABBREVIATED = {"B0": "BlendSwap-CC-0", "BY": "BlendSwap-CC-BY", "KL": "KatorLegaz", "SC": "Scopia"}
_FITS = {"chair": Fit.SEAT, "sofa": Fit.SEAT, "bed": Fit.TOP}
_ROWS = {
    "kitchentable": "SC/round-table SC/table3 SC/table-on-trestles B0/tableWithTablecloth BY/cafe_set_mota_table KL/cafe-table SC/ext_table SC/metal_glass_table",
    "diningtable": "KL/glass-dining-table B0/technicalTable1 B0/technicalTable2 SC/wooden_office_alder_table SC/wooden_office_pear_table_rect SC/wooden_office_teak_table",
    "coffeetable": "SC/coffee_table BY/cafe_set_tonon_table SC/children_table",
    "desk": "B0/desk SC/desk_table BY/officeTable KL/custom-desk BY/workbench SC/glass_table_office",
    "sofa": "B0/couch B0/couch2 B0/sofa BY/sofa2 KL/futon-couch KL/mid-century-sofa KL/mid-century-bench-sofa SC/beige_sofa SC/beige_sofa_2seats SC/clear_sofa "
            "SC/sofa_white_beige SC/rattanSofa SC/futon SC/convertible-sofa-BZ-closed",
    "bed": "B0/bed1 BY/juniorBed SC/captains-bed SC/children_bed SC/day_bed_frame SC/hospital-bed",
    "tvstand": "B0/televisionCabinet",
    "chair": "B0/antiqueChair B0/chair B0/foldingChair B0/oakChair B0/osakaChair B0/silla2 B0/sillaBlanca B0/thonet B0/designChair BY/cafe_set_mota_chair BY/cafe_set_tonon_chair "
             "BY/chair3 BY/chair4 BY/classSeat BY/foldingChair BY/leaf_chair BY/childChair KL/cafe-chair KL/dining-chair KL/office-chair SC/children_chair SC/ext_chair "
             "SC/kids_desk_chair SC/office_chair SC/tubular_chair SC/white_kitchen_chair SC/silla_teca",
    "bench": "B0/bench KL/painted-bench KL/concrete-bench SC/wood_bank",
    "stool": "B0/stool KL/bar-stool SC/kitchen_stool SC/bar_chair",
    "bookshelf": "B0/bookcase B0/shelves B0/verticalShelves BY/bookcase KL/full-bookcase KL/utility-shelving SC/kids_shelves",
    "nightstand": "BY/chest KL/filing-cabinet",
    "toilet": "SC/bathroom1",
    "plant": "SC/bamboo SC/bonsai-tree SC/calla_lily_with_roses B0/cactus B0/decorativePlant B0/littlePlant B0/orchids B0/plantie BY/decorativePlant "
             "BY/luckyBamboo BY/spatifilum BY/spider_plant BY/succulentPlant BY/tulip BY/tulips BY/white_lily",
    "box": "SC/cardboard-box B0/box B0/crate SC/office_box KL/trunk-large BY/gift",
    "basket": "SC/shopping-basket SC/clothes-basket",
    "suitcase": "BY/suitcase B0/briefcase",
    "scooter": "KL/scooter SC/scooter SC/scooter2",
    "coffeemaker": "SC/coffee_machine",
    "lamp": "B0/desklamp BY/lamp KL/pedestal-vase-lamp SC/desk_lamp1 SC/desk_lamp2 SC/little_lamp1 SC/little_lamp2 SC/little_lamp3 SC/table_lamp SC/saloon_lamp",
    "tv": "B0/led_tv SC/tv SC/wall-flat-tv",
    "microwave": "BY/microwave SC/small-oven",
    "plate": "KL/dinner-plate",
    "dishbowl": "KL/bowl",
    "mug": "SC/cup SC/creamer BY/coffee_cup",
    "waterglass": "B0/plasticCup B0/beerGlass",
    "coffeepot": "BY/espressokettle",
    "candle": "SC/candle",
    "towel": "B0/towel2 B0/towel3 BY/towel SC/folded_clothes",
    "laptop": "BY/laptop KL/apple-ibook-2001",
    "vase": "SC/pottery SC/old_jar",
    "toy": "B0/caballito B0/cartoon_biplane BY/toyTrain SC/rabbit SC/doll BY/rubix2 B0/basketball BY/xylophone SC/tricycle",
    "pen": "SC/pencil2",
    "medicine": "SC/medicoscopia_box",
    "condimentbottle": "KL/oil-servers BY/saltShaker SC/sugar",
    "milk": "B0/yogurtBottle",
    "perfume": "B0/cosmeticsPot",
    "cellphone": "SC/tablet",
}


def sources(cls: str) -> tuple[str, ...]:
    """``collection/stem`` of every further model of a class."""
    return tuple(f"{_ABBREVIATED[s[:2]]}{s[2:]}" for s in _ROWS.get(cls, "").split())


def further(cls: str, size: tuple[float, float, float], heights: tuple[float, ...], rng: np.random.Generator) -> Model | None:
    """One of them in a box of ``size`` (width y, depth x, height z, metres), its surface where it was; None for a class without."""
    names = sources(cls)
    if not names or not assets_sweethome.SweetHomeAssets.present():
        return None
    return _model(cls, names[int(rng.integers(len(names)))], size, heights)


@lru_cache(maxsize=64)
def _model(cls: str, source: str, size: tuple[float, float, float], heights: tuple[float, ...]) -> Model:
    choice = Choice(source, source, "train", _FITS.get(cls, Fit.BOX))
    return assets_fit.fitted_model(assets_sweethome._mesh(str(assets_sweethome.FOLDER), source, ""), choice, size, heights)
