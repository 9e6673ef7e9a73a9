"""Where things usually are: the common sense that somebody who has not seen a thing starts from.

Only rooms and kinds of furniture count, coarsely: food and dishes in the kitchen, few things on chairs. It weights the places that a person who is
not sure considers; ``usual_room_weight`` = 1 switches it off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household import classes
from mind.beliefs import uninformed
from mind.config import MindConfig
from mind.layout import Layout

_EATING = ("kitchen", "diningroom")
_LIVING = ("livingroom", "bedroom", "office")
USUAL_ROOMS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("apple", "cupcake", "salmon", "pudding", "pancake", "bread", "banana", "orange", "carrot", "potato", "juice", "milk",
                     "beer", "coffeepot", "condimentbottle", "plate", "dishbowl", "waterglass", "mug", "knife", "fork", "spoon",
                     "cuttingboard"), _EATING),
    **dict.fromkeys(("wine", "wineglass", "chips", "candle", "vase"), (*_EATING, "livingroom")),
    **dict.fromkeys(("book", "magazine", "newspaper", "remotecontrol", "glasses", "cellphone", "laptop", "pen", "notebook", "toy", "pillow"),
                    _LIVING),
    **dict.fromkeys(("keys", "flashlight"), ("hallway", *_LIVING)),
    **dict.fromkeys(("towel", "toothbrush", "medicine", "perfume"), ("bathroom", "bedroom")),
    "lighter": ("kitchen", "livingroom"),
    "bucket": ("bathroom", "hallway"),
}
SEATS = frozenset({"chair", "stool", "bench", "bed", "sofa"})


def weights(objects: Sequence[str], rooms: Sequence[str], layout: Layout, config: MindConfig) -> np.ndarray:
    """Weights float64 (o, n) of each site for somebody who knows nothing of an object. ``objects``: classes; ``rooms``: class of each
    site's room, '' where not known."""
    base = uninformed(layout.holds, config)
    base[:-1] *= np.array([config.seat_weight if classes.class_of(i) in SEATS else 1.0 for i in layout.ids[:-1]])
    table = np.tile(base, (len(objects), 1))
    for cls in set(objects) & set(USUAL_ROOMS):
        usual = np.array([r in USUAL_ROOMS[cls] for r in rooms], dtype=float)
        table[[i for i, c in enumerate(objects) if c == cls]] *= 1 + (config.usual_room_weight - 1) * usual
    return table
