"""What somebody may be looking at: the spots around a person and how much each draws the eye.

People look where they go and at what they handle: near furniture, a thing in their hand, each other, a doorway. This only says where a head is likely to
turn (perception.facing); what is seen of the head outweighs it. Invariant: spots and weights have one length; weights are positive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from perception.places import PlaceTrack
    from perception.thing_track import ThingTrack

_NEAR = 0.2  # m off at which furniture draws half as much as what one stands at
_IN_HAND, _THING, _PERSON, _DOOR = 0.3, 0.15, 0.5, 0.1  # weight of these beside a piece of furniture one metre off
_FAR = 7.0  # m beyond which nothing counts
_WITHIN = 0.7  # m from its edge at which people stand at a piece of furniture


@dataclass(frozen=True)
class Around:
    """``spots`` (n, 2) map, ``weights`` (n,) of what there is to look at; ``at`` (m, 2), ``at_weights`` (m,): furniture one stands at."""

    spots: np.ndarray
    weights: np.ndarray
    at: np.ndarray
    at_weights: np.ndarray


@dataclass(frozen=True)
class Scene:
    """What people move among: furniture, loose things, and the doorways' middles (x, y)."""

    places: Sequence["PlaceTrack"] = ()
    things: Sequence["ThingTrack"] = ()
    doorways: Sequence[tuple[float, float]] = ()

    def around(self, name: str, position: tuple[float, float], others: Sequence[tuple[float, float]]) -> Around:
        """What ``name`` at ``position`` (x, y) may look at; ``others``: where other people are."""
        spots, weights, at = [], [], []
        for p in self.places:
            spots.append(p.body.centre[:2])
            off = p.body.footprint_distance(position)
            weights.append(1 / (_NEAR + off))
            if off < _WITHIN:
                at.append(len(spots) - 1)
        for t in self.things:
            spots.append(t.box.centre[:2])
            weights.append(_IN_HAND if t.holder == name else _THING / (_NEAR + _off(t.box.centre, position)))
        for person in others:
            spots.append(person[:2])
            weights.append(_PERSON)
        for door in self.doorways:
            spots.append(door[:2])
            weights.append(_DOOR / (_NEAR + _off(door, position)))
        near = [i for i, s in enumerate(spots) if _off(s, position) < _FAR]
        xy, w = np.array(spots, float).reshape(-1, 2), np.array(weights, float)
        return Around(xy[near], w[near], xy[at], w[at])


def _off(point, position: tuple[float, float]) -> float:
    return math.hypot(point[0] - position[0], point[1] - position[1])
