"""Where exactly a thing comes to stand at a place: a free spot on the table, on a shelf of the cupboard, on the floor.

Spots are drawn from a grid over each level of the piece; one is free when the thing's footprint clears everything that stands there
already, other furniture included (a microwave on the counter takes its share). Randomness is the caller's generator.
"""

from __future__ import annotations

import math

import numpy as np

from household import classes
from sim_bridges.embedded.fittings import Opening, fitting
from sim_bridges.embedded.geometry import corners, footprint, overlap_depth, to_map
from sim_bridges.embedded.model import Furniture, Home, Room, Thing, Vec3, WorldState

_STEP = 0.08  # metres between candidate spots
_GAP = 0.015  # metres kept between things
_WALL = 0.015  # metres of the walls of what shuts


def size_of(thing: Thing) -> Vec3:
    """Full (width, depth, height) of a thing, m: its own, or its class's."""
    return thing.size or classes.get(thing.cls).size


def free_spot(home: Home, state: WorldState, thing: Thing, place: Furniture, rng: np.random.Generator,
              max_height: float = math.inf, near: tuple[tuple[float, float], float] | None = None) -> Vec3 | None:
    """A free centre position for ``thing`` at ``place`` no higher than ``max_height``, or None when it is full. ``near``: a point on the floor and
    the metres from it within which a spot is preferred; if none is free there, the free one nearest to it."""
    width, depth, height = size_of(thing)
    margin = fitting(place.cls).inset
    half_x, half_y = place.size[1] / 2 - margin - depth / 2, place.size[0] / 2 - margin - width / 2
    taken = _taken(home, state, thing, place)
    grid = [(level, x, y) for level, ceiling in _levels(place, height)
            if place.position[2] + level <= max_height and ceiling - level >= height for x in _grid(half_x) for y in _grid(half_y)]
    drawn = (to_map(place, (float(x), float(y), level + height / 2))  # the first free one of a shuffled grid: a fair draw without testing them all
             for level, x, y in (grid[i] for i in rng.permutation(len(grid))))
    if near is not None:
        drawn = sorted(drawn, key=lambda spot: max(near[1], math.dist(spot[:2], near[0])))  # keeps the order of those within reach
    for spot in drawn:
        quad = corners(spot[:2], depth + 2 * _GAP, width + 2 * _GAP, place.yaw)
        low, high = spot[2] - height / 2, spot[2] + height / 2
        if all(high <= z0 + 0.005 or low >= z1 - 0.005 or overlap_depth(quad, other) <= 0 for other, z0, z1 in taken):
            return spot
    return None


def too_large(thing: Thing, place: Furniture) -> bool:
    """Whether the lid or door that is to shut over it would not: it is too high for every shelf, or stands out of the walls."""
    opening, (width, depth, height) = fitting(place.cls).opening, size_of(thing)
    if opening is Opening.NONE or opening is Opening.LID and place.open:
        return False
    ceilings = [*place.heights[1:], place.size[2]]
    low = all(end - _WALL - level < height for level, end in zip(place.heights, ceilings))
    return low or width > place.size[0] - 2 * _WALL or depth > place.size[1] - 2 * _WALL


def free_floor_spot(home: Home, state: WorldState, thing: Thing, room: Room, near: tuple[float, float],
                    rng: np.random.Generator) -> Vec3 | None:
    """A free spot on the floor of ``room``, close to ``near``."""
    width, depth, height = size_of(thing)
    blocked = [footprint(f) for f in home.furniture if f.position[2] < height]
    for radius in (0.3, 0.5, 0.8, 1.2, 1.8):
        angles = rng.permutation(12) * (math.pi / 6)
        for angle in angles:
            x, y = near[0] + radius * math.cos(angle), near[1] + radius * math.sin(angle)
            inside = room.low[0] + 0.2 < x < room.high[0] - 0.2 and room.low[1] + 0.2 < y < room.high[1] - 0.2
            quad = corners((x, y), depth, width, 0.0)
            if inside and all(overlap_depth(quad, other) <= 0 for other in blocked):
                return (float(x), float(y), height / 2)
    return None


def _levels(place: Furniture, height: float) -> list[tuple[float, float]]:
    """(level, ceiling above it), both above the underside."""
    covered = fitting(place.cls).opening not in (Opening.NONE, Opening.LID) or place.cls == "bookshelf"
    top = place.size[2] if covered else math.inf
    ends = [*place.heights[1:], top]
    return [(level, end - 0.02 if math.isfinite(end) else end) for level, end in zip(place.heights, ends)]


def _grid(half: float) -> np.ndarray:
    if half <= 0.0:
        return np.zeros(1)
    count = max(1, int(2 * half / _STEP))
    return np.linspace(-half, half, count + 1)


def _taken(home: Home, state: WorldState, thing: Thing, place: Furniture) -> list[tuple[np.ndarray, float, float]]:
    """Footprints and height spans of what stands here already."""
    things = {t.id: t for t in home.things}
    taken = []
    for id, other in state.things.items():
        if id != thing.id and other.at == place.id:
            width, depth, height = size_of(things[id])
            taken.append((corners(other.position[:2], depth, width, other.yaw), other.position[2] - height / 2,
                          other.position[2] + height / 2))
    for piece in home.furniture:
        if piece.id != place.id and piece.room == place.room and piece.position[2] > 0:
            taken.append((footprint(piece), piece.position[2], piece.position[2] + piece.size[2]))
    return taken
