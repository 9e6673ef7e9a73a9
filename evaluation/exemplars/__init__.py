"""Designs of things for training: what a class looks like in many homes, drawn at random.

A detector that has met two or three exemplars of a class knows those, not the class. Each maker here draws one of several designs of its class with
random measures, colours and labels: ``maker(rng) -> Soup``, a pure function of the generator's state, in the frame of a model (+x front, +y along the
long side, +z up) and in natural proportions of any scale. They serve the train side of the split alone; nothing of the test side is drawn with them
(tests hold this).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from evaluation.exemplars import food, pieces, prints, tools, vessels
from sim_bridges.embedded.meshes import Soup, fitted

Maker = Callable[[np.random.Generator], Soup]
MAKERS: Mapping[str, Maker] = {**food.MAKERS, **pieces.MAKERS, **prints.MAKERS, **tools.MAKERS, **vessels.MAKERS}


def exemplar(cls: str, size: tuple[float, float, float], rng: np.random.Generator) -> Soup | None:
    """One design of ``cls`` filling ``size`` (width y, depth x, height z, metres), or None for a class without designs."""
    return fitted(MAKERS[cls](rng), size) if cls in MAKERS else None
