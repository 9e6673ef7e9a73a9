"""Where somebody looks next: the place with the best chance for its effort, chosen a little carelessly.

Effort is walking time on the person's own map plus opening and looking; the choice is a draw with odds (chance /
effort)^(1/temperature), so people are mostly sensible, sometimes not, and never optimal over several steps. It is a habit of foraging,
not expected-utility planning: the mind that watches them assumes something else.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sim_bridges.embedded.fittings import fitting, opens

if TYPE_CHECKING:
    from sim_bridges.embedded.memory import Memory
    from sim_bridges.embedded.world import EmbeddedWorld

_LEAST = 0.004  # chance below which a place is not worth the walk
_CAN_SAY = 0.9  # chance that whoever moved a thing can say where it is
_OVERHEAD, _LOOK, _CLOSE = 1.0, 0.6, 1.5  # seconds


def choose_place(world: "EmbeddedWorld", id: str, memory: "Memory", things: Sequence[str], avoid: Collection[str],
                 temperature: float, rng: np.random.Generator, ask: str | None = None) -> str | None:
    """The id of the furniture or room to search next for any of ``things``, or of ``ask``, who is said to have moved it; None when nothing
    is worth a look."""
    columns = memory.columns
    rows = [memory.things.index(t) for t in things]
    chance = 1.0 - np.prod(1.0 - memory.table[rows], axis=0)
    if ask is not None:
        chance[columns.index(ask)] = _CAN_SAY
    body = world.performers[id]
    reach = world.nav.distances(body.position, body.plan.radius, world.state.moved)
    names, odds = [], []
    for column, p in zip(columns, chance):
        if p < _LEAST or column in avoid:
            continue
        effort = _effort(world, id, column, reach)
        if math.isfinite(effort):
            names.append(column)
            odds.append(math.log(p / effort) / max(0.02, temperature))
    if not names:
        return None
    weights = np.exp(np.array(odds) - max(odds))
    return names[int(rng.choice(len(names), p=weights / weights.sum()))]


def _effort(world: "EmbeddedWorld", id: str, place: str, reach) -> float:
    """Seconds to get there and look; inf when there is no way or the hand does not get so high."""
    body = world.performers[id]
    if place in world.pieces:
        item = world.pieces[place]
        spots = world.nav.approaches(item, body.plan.radius, world.state.moved)
        metres = min((reach.to(s) for s in spots), default=math.inf)
        shut = opens(item.cls) and world.state.openness.get(place, 0.0) < 0.9
        extra = fitting(item.cls).seconds_to_open + _CLOSE if shut else 0.0
        return _OVERHEAD + metres / body.plan.speed + extra + _LOOK
    if place in world.rooms:
        room = world.rooms[place]
        middle = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
        spot = world.nav.nearest_free(middle, body.plan.radius, world.state.moved, within=3.0)
        return _OVERHEAD + (reach.to(spot) if spot else math.inf) / body.plan.speed + 4.0
    if place in world.performers and place != id:
        return _OVERHEAD + reach.to(world.nav.nearest_free(world.performers[place].position, body.plan.radius, within=1.0)
                                    or world.performers[place].position) / body.plan.speed + 2.0
    return math.inf
