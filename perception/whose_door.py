"""Whose door it is that stands out where containers stand side by side, or beside the door of a room.

A mask runs on into the door of the next cupboard, and a row seen flat along shows all its doors at the edges where two of them meet. What moves is told by what was open
before, by how much of a door shows, and by who stands there: people stand before what they open. Invariant: doors only change hands between containers that are known,
or are nobody's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.fronts import TOP
from perception.handling import Traces
from perception.home_map import HomeMap
from perception.order import median
from perception.places import PlaceTrack
from perception.records import replace

_SAME_DOOR, _MOSTLY, _RIM = 0.12, 0.7, 0.08  # m, from above, from another container's door; share of what stands before this one that is so near; m above that one's rim
_LEAF = 0.25  # m to either side of where the leaf of an open room door stands
_HUNG, _EDGE, _GAP, _IN_ROW, _LEVEL, _STANDS_S = 0.2, 0.12, 0.4, 0.15, 0.3, 1.0  # m from an edge within which a door is hung there; between two that meet; between two of a row, at most; m by which the middles of a row are off it; s for which somebody stands where they were seen


def of_a_room(track: PlaceTrack, home: HomeMap) -> bool:
    """Whether what stands before it is mostly the leaf of a room's door, open beside it: square to the wall, from either end of the doorway."""
    points, part = track.swung[:, :2], np.zeros(len(track.swung), bool)
    for door in (d for d in home.doorways if d.leaf):
        offset = points - np.asarray(door.centre)
        along, out = offset @ door.along, np.abs(offset @ np.array([np.cos(door.yaw), np.sin(door.yaw)]))
        part |= (np.abs(np.abs(along) - door.width / 2) <= _LEAF) & (out <= door.width + _LEAF)
    return float(part.mean()) >= _MOSTLY


def of_another(track: PlaceTrack, tracks: Sequence[PlaceTrack]) -> bool:
    """Whether what stands before it is a part of the door of another container, which opened before it or of which more shows: a mask runs on into it."""
    for other in tracks:
        if other is track or not other.opens:
            continue
        opening = Openness.OPEN in (other.openness, other.pending)
        doors = [d for d in (other.swung, other.panel if opening else None) if d is not None and len(d)]
        if not doors or not opening and len(other.swung) <= 2 * len(track.swung):
            continue
        at, top = np.concatenate(doors)[:, :2], other.body.centre[2] + other.body.size[2] / 2 + _RIM
        near = np.linalg.norm(track.swung[:, None, :2] - at[None], axis=2).min(axis=1) <= _SAME_DOOR
        if float((near & (track.swung[:, 2] <= top)).mean()) >= _MOSTLY:
            return True
    return False


def given_to_neighbours(tracks: Sequence[PlaceTrack], traces: Traces, stamp: float, config: PerceptionConfig) -> list[PlaceTrack]:
    """With what stands out where two pieces of a row meet as the door of that one before which somebody stands: a mask runs on into the door of the next."""
    result = {t.id: t for t in tracks}
    for track in tracks:
        if track.swung is not None and track.openness is not Openness.OPEN and (other := neighbour(track, track.swung, tracks, traces, stamp, config)) is not None:
            result[track.id] = replace(track, swung=None)
            if result[other.id].swung is None:
                result[other.id] = replace(result[other.id], swung=track.swung)
    return list(result.values())


def neighbour(track: PlaceTrack, door: np.ndarray, tracks: Sequence[PlaceTrack], traces: Traces, stamp: float, config: PerceptionConfig) -> PlaceTrack | None:
    """The container beside it whose door it is that stands out at their common edge, points (n, 3): whoever is there stands before that one."""
    if track.front in (None, TOP):
        return None
    along, half = 1 - track.front // 2, np.asarray(track.body.size) / 2
    at = median(track.body.to_local(door)[:, along])
    if abs(at) < half[along] - _HUNG:
        return None
    near = [(track.body.footprint_distance(s[-1].position), s[-1].position) for s in traces.values() if s and stamp - s[-1].stamp <= _STANDS_S]
    away, (x, y) = min(near, default=(np.inf, (0.0, 0.0)))
    if away > config.reach or np.sign(at) * track.body.to_local(np.array([[x, y, 0.0]]))[0, along] < half[along]:
        return None
    for other in tracks:
        if other is track or not other.opens or not other.established or other.cls in classes.OPENS_ABOVE:
            continue
        centre = track.body.to_local(np.asarray(other.body.centre)[None])[0]
        beside = np.sign(at) * centre[along] - half[along] - max(other.body.size[:2]) / 2
        hung = abs(abs(at) - half[along] - beside) < abs(abs(at) - half[along])  # at that one's edge
        if (abs(beside) <= _EDGE or hung and 0 < beside <= _GAP) and abs(centre[1 - along]) <= _IN_ROW and abs(centre[2]) <= _LEVEL:
            return other
    return None
