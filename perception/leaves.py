"""Doors, flaps and drawers: what stands out of a container where there was air a moment ago.

Furniture does not come out of the air. A door that swings towards the camera fills the picture and is detected as a cupboard of its own, far from
the body that is known; it is taken for what it is by where it stands. Invariant: without views from before, nothing is said to have been air.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.fronts import SIGNS, TOP
from perception.lifting import Lifted
from perception.order import median, share
from perception.recent import PastView, was_air

if TYPE_CHECKING:
    from perception.places import PlaceTrack

DOOR_SHARE = 0.04  # of all points of a container that its door shows at least
_DOOR_POINTS, _DOOR_SPAN = 5, 0.12  # a door shows at least so many points, and spans so many m
_HIGH, _CLOSE = 0.5, 0.15  # of the body's height; m beyond what readings err within which half of it lies
_BEFORE_IT = 0.5  # of a door that comes down, that is no farther to the side than the body reaches
_SAMPLE = 200  # points of a container looked at for a door
_LEAF, _RISE = 0.1, 0.1  # m that a door stands out farther than its container is wide; above or below it
_MOST, _OUT_OF_AIR = 0.9, 0.6  # shares of a detection that lie within a door's reach; that were air
_PARTLY = 0.25  # that were air, of what stands beside a container that opens: with a wall right behind it less is known to have been
_ESTABLISHED = 4  # sightings of a container after which what stands before it may be its door
_ONE = frozenset({"fridge", "stove", "microwave", "dishwasher"})  # of which none stands round the corner from another, as cupboards do
_IN_THE_WAY, _ASIDE = 0.7, 0.15  # share of what stands before a front that is in the way of its door; m beside the front, or behind its plane, that count as before it
_STANDS_OUT, _NEAR = 0.04, 0.5  # m from the front plane within which the middle of a door is
_SQUARELY = 0.25  # of a front's width, at most, that the middle of what blocks a cupboard is off the middle of it: one round the corner is farther off
_PANEL = 0.2  # m from where its door stood a moment ago


def noise_at(point, eye: np.ndarray, config: PerceptionConfig) -> float:
    """Standard deviation of depth readings at a map point, metres."""
    x, y, z = (float(p) - float(e) for p, e in zip(point, eye))
    return config.depth_noise * (x * x + y * y + z * z)


def swung(track: "PlaceTrack", one: Lifted, views: Sequence[PastView], config: PerceptionConfig) -> np.ndarray | None:
    """Points (n, 3) of a container beside its body, where there was air while it was last shut: its door. None when there are hardly any."""
    if classes.get(track.cls).kind is not classes.Kind.CONTAINER or track.hits < 2:
        return None
    sample = _sample(one)
    margin = 0.04 + 2 * noise_at(track.body.centre, views[-1].pose[:3, 3], config) if views else 0.0
    beside = sample[~track.body.contains(sample, margin)] if views else sample[:0]
    least = max(_DOOR_POINTS, DOOR_SHARE * len(sample))
    if len(beside) < least:
        return None
    door = beside[was_air(while_shut(track, views), beside, config)]
    return door if len(door) >= least and np.ptp(door, axis=0).max() >= _DOOR_SPAN and _hangs(track, door, margin) else None


def _hangs(track: "PlaceTrack", door: np.ndarray, margin: float) -> bool:
    """Whether it is as high as a door, or close to the body: a leg, or a chair, before a cupboard whose mask runs on is neither. What comes down lies before the body, and not aside."""
    if track.cls in classes.OPENS_DOWN:
        within = np.abs(track.body.to_local(door)[:, :2]) <= np.asarray(track.body.size[:2]) / 2 + margin
        return share(within.any(axis=1)) >= _BEFORE_IT
    if np.ptp(door[:, 2]) >= _HIGH * track.body.size[2]:
        return True
    beyond = np.maximum(np.abs(track.body.to_local(door)) - np.asarray(track.body.size) / 2, 0.0)
    return median(np.linalg.norm(beyond, axis=1)) <= margin + _CLOSE


def door_of(one: Lifted, tracks: Sequence["PlaceTrack"], views: Sequence[PastView], config: PerceptionConfig) -> tuple[bool, "PlaceTrack | None"]:
    """Whether a container detected where none is known stands where there was air, and the container (of that name) whose door it then is."""
    if classes.get(one.cls).kind is not classes.Kind.CONTAINER or one.cls in classes.OPENS_ABOVE:
        return False, None
    sample, found = _sample(one), []
    for track in tracks:
        if track.cls != one.cls or track.hits < _ESTABLISHED:
            continue
        out = np.abs(track.body.to_local(sample)) - np.asarray(track.body.size) / 2
        away = np.maximum(out[:, :2].max(axis=1), 0.0)
        blocks = _blocks(track, sample)
        if not blocks and float(((away <= max(track.body.size[:2]) + _LEAF) & (out[:, 2] <= _RISE)).mean()) < _MOST:
            continue
        moving = track.swung is not None or Openness.OPEN in (track.openness, track.pending)
        if blocks or _new(sample, while_shut(track, views), config, _PARTLY if moving else _OUT_OF_AIR) or (track.openness is Openness.OPEN and _at_panel(sample, track)):
            found.append((not moving, float(away.mean()), track.id, track))
    if found:
        return True, min(found, key=lambda f: f[:3])[3]
    return _new(sample, views, config, _OUT_OF_AIR), None


def _blocks(track: "PlaceTrack", sample: np.ndarray) -> bool:
    """Whether most of it stands right before the front of the container, which could not open if it were another: of what may stand round a corner from another of its kind,
    before the middle of it."""
    if track.front in (None, TOP) or not track.steady:
        return False
    axis, half = track.front // 2, np.asarray(track.body.size) / 2
    local = track.body.to_local(sample)
    out = SIGNS[track.front] * local[:, axis] - half[axis]
    aside = (np.abs(local) - half)[:, [1 - axis, 2]].max(axis=1)
    if track.cls not in _ONE and abs(float(local[:, 1 - axis].mean())) > _SQUARELY * track.body.size[1 - axis]:
        return False
    if abs(float(local[:, 2].mean())) > half[2]:
        return False  # beneath it, or above it
    before = (out > -_ASIDE) & (out < max(track.body.size[:2]) + _LEAF) & (aside < _ASIDE)
    return share(before) >= _IN_THE_WAY and _STANDS_OUT <= float(out.mean()) <= _NEAR


def points_of(one: Lifted) -> np.ndarray:
    """(n, 3) of a door, as many as are kept."""
    return _sample(one)


def _sample(one: Lifted) -> np.ndarray:
    return one.points[:: max(1, len(one.points) // _SAMPLE)]


def while_shut(track: "PlaceTrack", views: Sequence[PastView]) -> list[PastView]:
    """Those of the views that show it shut."""
    if track.openness is Openness.OPEN:  # by what was seen before it opened
        return [v for v in views if track.opened_at is not None and v.stamp <= track.opened_at]
    return [v for v in views if track.closed_at is None or v.stamp > track.closed_at + 1.0]


def _new(points: np.ndarray, views: Sequence[PastView], config: PerceptionConfig, least: float) -> bool:
    return bool(views) and float(was_air(views, points, config).mean()) >= least


def _at_panel(points: np.ndarray, track: "PlaceTrack") -> bool:
    if track.panel is None or not len(track.panel):
        return False
    away = np.linalg.norm(points[:, None] - track.panel[None], axis=2).min(axis=1)
    return float((away <= _PANEL).mean()) >= _OUT_OF_AIR
