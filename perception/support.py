"""What bears a thing: inside which container, on which surface, or nothing.

"On" compares the thing's underside with the height of the surface right below and around it, not with the top of a box: sofas and beds
have backs, shelves have many heights. "Inside" needs the thing under the container's top and within its walls, so that what stands on
a counter is not in the cupboard under it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.geometry import Box, length
from perception.order import share
from perception.places import PlaceTrack


@dataclass(frozen=True)
class Support:
    """``place`` None: on the floor or in the air. ``confidence`` in [0, 1]. ``weak``: too little was seen to overrule what was known."""

    place: str | None
    inside: bool = False
    confidence: float = 0.0
    weak: bool = False


NOTHING = Support(None)
_HOBS, _FLAT = frozenset({"stove"}), 0.03  # have plates on top; m of height below which something may be one
_BACKED, _SEAT, _ON_A_BACK = frozenset({"chair", "sofa"}), 0.6, 0.45  # seats with a back; m up to which one sits on them; share left for what is higher
_BEAR_NOTHING, _MOST = frozenset({"lamp", "tv", "faucet"}), 0.7  # what things are neither in nor on; share of one within its body
_SEAT_AT, _SEAT_VARIES = 0.46, 0.1  # m above the floor
_PULL, _RATTLE = 0.35, 0.05  # m that a drawer is pulled out; that what lies in it moves aside or up as it is
_STANDS_OUT = 0.02  # m above the rim of an open box from which what is in it may show
_STAYS, _KNOWN = 0.5, 0.5  # what still bears a thing so well keeps it before all others: chairs stand under tables, and boxes grow


def support_of(box: Box, places: Mapping[str, PlaceTrack], config: PerceptionConfig, known: str | None = None) -> Support:
    """The best explanation of where this box rests. ``known``: the place it was in or on; nothing new appears in a shut container."""
    best = NOTHING
    for place in places.values():
        kind = classes.get(place.cls).kind
        if kind not in (classes.Kind.CONTAINER, classes.Kind.SURFACE) or place.id == "" or place.hits < 2:
            continue
        if place.body.footprint_distance(box.centre) > 0.3:
            continue
        if kind is classes.Kind.CONTAINER and (place.openness is not Openness.CLOSED or place.pending is Openness.OPEN or place.id == known):
            score = inside_score(box, place)
            if score > best.confidence:
                best = Support(place.id, True, score)
            if _lid_up(place):
                continue
        score = on_score(box, place, config)
        if kind is classes.Kind.CONTAINER:
            score *= 0.9
        if place.cls in _BACKED and box.bottom > _SEAT:  # it stands at a table, whose edge was seen as part of it
            score *= _ON_A_BACK
        if score >= _STAYS and place.id == known:
            score = min(1.0, score + _KNOWN)
        if score > best.confidence:
            best = Support(place.id, False, score)
    if best.confidence < 0.35:
        return Support(None, weak=box.bottom > 0.1)
    return best


def part_of_a_seat(box: Box, places: Mapping[str, PlaceTrack], config: PerceptionConfig) -> bool:
    """Whether only the back of a seat could bear it: nothing lies there, and what a detector sees there is mostly the back itself."""
    found = places.get(support_of(box, places, config).place or "")
    return found is not None and found.cls in _BACKED and box.bottom > _SEAT


def part_of_a_hob(box: Box, places: Mapping[str, PlaceTrack], config: PerceptionConfig) -> bool:
    """Whether it lies flat on what has plates and grates of its own, which look like flat things that lie there."""
    if box.top - box.bottom >= _FLAT or not any(p.cls in _HOBS for p in places.values()):
        return False
    found = support_of(box, places, config)
    return not found.inside and found.place is not None and places[found.place].cls in _HOBS


def part_of_a_lamp(box: Box, places: Mapping[str, PlaceTrack]) -> bool:
    """Whether it is where a lamp or the like is, which neither holds nor bears anything: what a detector sees there is a part of it, the shade, say."""
    return any(p.cls in _BEAR_NOTHING and p.established and share(p.body.contains(box.grid(3, 0.8), _RATTLE)) >= _MOST for p in places.values())


def inside_score(box: Box, place: PlaceTrack) -> float:
    """Share of the thing within the container's walls, 0 when it reaches above the top; a pulled drawer's content may stand out of it, and so may what is in
    a box whose lid is up."""
    body = standing(place)
    if _lid_up(place) and box.bottom <= body.top + _STANDS_OUT:
        points = box.grid(3, 0.8)
        points[:, 2] = np.minimum(points[:, 2], body.top)
        return share(body.contains(points, 0.02)) if box.bottom >= body.bottom - 0.06 else 0.0
    if box.centre[2] > body.top - 0.01 or box.bottom < body.bottom - 0.06:
        return 0.0
    if box.bottom > body.top - 0.05 and place.cls not in classes.OPENS_ABOVE:
        return 0.0
    within = body.contains(box.grid(3, 0.8), 0.02)
    if _pulled_out(place) and not within.all():
        within = _lengthened(body, place.front, _PULL).contains(box.grid(3, 0.8), 0.02) | within
    return share(within)


def slid(before: Sequence[float], after: Sequence[float], places: Mapping[str, PlaceTrack]) -> bool:
    """Whether what was at one point of the map and is at the other now has moved just as a drawer moves that it may lie in."""
    for place in places.values():
        if not _pulled_out(place) or place.openness is Openness.CLOSED and place.pending is not Openness.OPEN:
            continue
        body, points = standing(place), np.array([before, after], float)
        moved = np.subtract(*body.to_local(points))
        moved[place.front // 2] = 0.0
        if length(moved) < _RATTLE and _lengthened(body, place.front, _PULL).contains(points, 0.02).all():
            return True
    return False


def _pulled_out(place: PlaceTrack) -> bool:
    """Whether it stands out of its front when it is open, and where its front is is known."""
    return place.cls == "drawer" and place.front is not None and place.front < 4


def _lid_up(place: PlaceTrack) -> bool:
    """Whether it stands open and has no top to lie on."""
    return place.cls in classes.OPENS_ABOVE and place.openness is Openness.OPEN and place.pending is not Openness.CLOSED


def standing(place: PlaceTrack) -> Box:
    """The body, down to the floor where its height says that it stands there: the lower part is what is hidden most often."""
    body = place.body
    if body.bottom <= 0.02 or body.top > 1.25 * classes.get(place.cls).size[2]:
        return body
    return Box((body.centre[0], body.centre[1], body.top / 2), (body.size[0], body.size[1], body.top), body.yaw)


def _lengthened(body: Box, side: int, by: float) -> Box:
    axis, sign = side // 2, 1.0 if side % 2 == 0 else -1.0
    shift = np.zeros(3)
    shift[axis] = sign * by / 2
    size = list(body.size)
    size[axis] += by
    return Box(tuple(body.to_map(shift)[0]), tuple(size), body.yaw)


def on_score(box: Box, place: PlaceTrack, config: PerceptionConfig) -> float:
    """How well the place bears the thing from below, in [0, 1]."""
    body = place.body
    if body.footprint_distance(box.centre) > 0.04 or box.bottom > body.top + 0.12 or box.centre[2] < body.bottom:
        return 0.0
    distance = np.abs(local_heights(place, box.centre, box.size) - box.bottom) if len(place.cells) else np.zeros(0)
    gap = float(distance.min()) if distance.size else abs(body.top - box.bottom)
    if place.cls in _BACKED:  # its seat is hidden as often as not, under a table or behind its back
        gap = min(gap, max(0.0, abs(box.bottom - _SEAT_AT) - _SEAT_VARIES) + config.on_tolerance)
    if not distance.size and classes.get(place.cls).kind is classes.Kind.CONTAINER:
        gap = abs(body.top - box.bottom)
    tolerance = config.on_tolerance
    if gap <= tolerance:
        return 0.95
    return float(max(0.0, 0.95 - (gap - tolerance) / 0.08))


def local_heights(place: PlaceTrack, centre, size) -> np.ndarray:
    """Heights of the place's seen cells in the column around a point, float (n,); the box top counts when nothing was seen there."""
    reach = 0.12 + 0.5 * max(size[0], size[1])
    x, y, heights = place.cells.points.T
    heights = heights[(np.abs(x - np.float64(centre[0])) <= reach) & (np.abs(y - np.float64(centre[1])) <= reach)]
    if classes.get(place.cls).kind is classes.Kind.CONTAINER:
        heights = heights[heights > place.body.top - 0.08]
        return heights if heights.size else np.array([place.body.top])
    return heights if heights.size else np.array([place.body.top])
