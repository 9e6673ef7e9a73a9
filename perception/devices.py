"""Whether a lamp or a television is on: it suddenly looks brighter or darker than it did, by itself and against the rest of the picture.

Two readings are needed, for each alone deceives: the lamp's own goes with the daylight and the camera's exposure, the one relative to the picture with
what else comes into view. When the light goes out in the whole room the picture darkens as well, but less than the lamp. Where the lamp itself
is not to be judged (cut by the picture's edge, hidden), it tells as well that everything darkens that is in this frame and was in the one before, wherever
the camera has turned to meanwhile.

Invariant: a device whose state never changed while it was watched is not known to be on or off (None). Taps are judged by
perception.taps; other devices that do not shine are not judged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from perception.frame import FrameInput
from perception.geometry import length, pixels_of
from perception.home_map import HomeMap
from perception.lifting import Lifted, back_project
from perception.order import median, percentiles
from perception.places import PlaceTrack
from perception.records import replace

SHINING = frozenset({"lamp", "tv"})
_JUMP = 1.35  # times brighter or darker, the mean of alone and relative to the picture, that a lamp is when it is switched
_OWN = 1.08  # each of the two at least: what changes with the whole picture is the light on it, what does so only relative to it is the picture
_SHINES = 0.4  # times as bright as the picture at least, that a lamp is while it is on: below that a shadow or a gleam passes over a dark screen
_SURE = 5  # sightings before a jump means anything
_LEAST = 40  # pixels
_LEVELS = (10, 25, 50, 75, 90)  # percent of the points that are no brighter
_WHOLE = 0.5  # of what it mostly shows of itself, below which something hides it: the rest may be its dark foot
_DARKER = 1.3  # times, at every level, that what both pictures show is darker when the light goes out
_COLUMNS, _COMMON = 53, 0.1  # pixels across that are compared; share of them that both pictures must show
_THERE = 0.1  # m by which the depth of what is the same may differ
_FAR, _STOOD = 3.0, 0.05  # m that everything is taken to be away without depth, and that the camera may have moved then
_LASTS = 2  # frames


@dataclass(frozen=True)
class Light:
    """How bright what a picture showed was: ``grey`` (n,) levels of the ``points`` (n, 3) of map; seen from ``pose`` (4, 4). ``dark``: frames in a row since
    in which that was darker."""

    points: np.ndarray
    grey: np.ndarray
    pose: np.ndarray
    dark: int = 0


def light(before: Light | None, frame: FrameInput) -> Light:
    """The light of this frame, or that of ``before`` while what both show is darker than it was and not yet for long."""
    if before is not None and before.dark <= _LASTS and _darker(before, frame):
        return replace(before, dark=before.dark + 1)
    every = max(1, round(frame.camera.width / _COLUMNS))
    depth = np.full(frame.color.shape[:2], _FAR) if frame.depth is None else frame.depth
    rows, columns = every * np.array((depth[::every, ::every] > 0).nonzero())
    return Light(back_project(rows, columns, depth[rows, columns], frame), _grey(frame, (rows, columns)), np.array(frame.camera_pose, float))


def _darker(before: Light, frame: FrameInput) -> bool:
    if frame.depth is None and length(before.pose[:3, 3] - frame.camera_pose[:3, 3]) > _STOOD:
        return False
    z, shown, pixels = pixels_of(before.points, frame.camera, frame.camera_pose)
    if frame.depth is not None:
        same = (np.abs(frame.depth[pixels] - z[shown]) < _THERE).nonzero()[0]
        shown, pixels = shown[same], (pixels[0][same], pixels[1][same])
    if len(shown) < max(_COMMON * len(before.points), 1):
        return False
    was, now = (np.array(percentiles(g, _LEVELS)) for g in (before.grey[shown], _grey(frame, pixels)))
    return float((was / now).min()) >= _DARKER


def _grey(frame: FrameInput, pixels: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """float (n,): how bright the pixels at these (rows, columns) are; what is black might be any dark."""
    return np.maximum(frame.color[pixels].sum(axis=1, dtype=np.uint16) / 3.0, 4.0)


def update(tracks: Sequence[PlaceTrack], seen: Mapping[str, Lifted], frame: FrameInput) -> tuple[PlaceTrack, ...]:
    """The tracks with ``brightness`` (alone, and relative to the whole picture; slowly averaged) and ``switched_on`` brought up to date."""
    if not any(t.cls in SHINING and t.id in seen for t in tracks):
        return tuple(tracks)
    around = max(float(median(frame.color[::8, ::8].ravel().astype(float))), 8.0)
    return tuple(_watched(t, seen[t.id], frame, around) if t.cls in SHINING and t.id in seen else t for t in tracks)


def darkened(tracks: Sequence[PlaceTrack], lit: Light, home: HomeMap) -> tuple[PlaceTrack, ...]:
    """The tracks with the lamps of the room in which the picture ``lit`` went dark, off."""
    if lit.dark < _LASTS:
        return tuple(tracks)
    here = home.room_of(lit.pose[:3, 3])
    return tuple(_gone_out(t, lit) if t.cls == "lamp" and home.room_of(t.body.centre) == here else t for t in tracks)


def _gone_out(track: PlaceTrack, lit: Light) -> PlaceTrack:
    """Known to have been on first, so that it is told as a change."""
    if lit.dark == _LASTS:
        return track if track.switched_on is not None else replace(track, switched_on=True)
    return replace(track, switched_on=False, brightness=None, jumped=0) if track.switched_on else track


def _watched(track: PlaceTrack, one: Lifted, frame: FrameInput, around: float) -> PlaceTrack:
    if one.pixels < _LEAST or one.cut:
        return track
    away = math.dist(one.box.centre, frame.camera_pose[:3, 3])
    shown = one.pixels * (away / frame.camera.fx) ** 2
    if shown < _WHOLE * track.shown:
        return track  # somebody stands before what shines of it
    track = replace(track, shown=max(shown, _mixed_in(track.shown, shown)))
    alone = max(float(median(frame.color[one.rows, one.columns].ravel().astype(float))), 1.0)
    now = alone, alone / around
    if track.brightness is None or track.hits < _SURE:
        return replace(track, brightness=now)
    ratio = np.asarray(now) / track.brightness
    on = bool(ratio.prod() > 1.0)
    dim = max(now[1], track.brightness[1]) < _SHINES
    if dim or max(ratio.prod(), 1.0 / ratio.prod()) < _JUMP ** 2 or min(ratio if on else 1.0 / ratio) < _OWN:
        return replace(track, brightness=_mixed(track.brightness, now), jumped=0)
    if track.jumped + 1 < 2:  # one odd frame is somebody walking past
        return replace(track, jumped=track.jumped + 1)
    if track.switched_on is None and track.jumped + 1 < 3:  # what goes out was on: told first, so that it is told as a change
        return replace(track, jumped=track.jumped + 1, switched_on=not on)
    return replace(track, brightness=now, jumped=0, switched_on=on)


def _mixed_in(old: float, new: float) -> float:
    return 0.9 * old + 0.1 * new


def _mixed(old: tuple[float, float], new: tuple[float, float]) -> tuple[float, float]:
    return _mixed_in(old[0], new[0]), _mixed_in(old[1], new[1])
