"""Whether a lamp or a television is on: it suddenly looks brighter or darker than it did, by itself and against the rest of the picture.

Two readings are needed, for each alone deceives: the lamp's own goes with the daylight and the camera's exposure, the one relative to the picture with
what else comes into view. When the light goes out in the whole room the picture darkens as well, but less than the lamp.

Invariant: a device whose state never changed while it was watched is not known to be on or off (None). Taps and other devices that do not
shine are not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from perception.frame import FrameInput
from perception.lifting import Lifted
from perception.places import PlaceTrack

SHINING = frozenset({"lamp", "tv"})
_JUMP = 1.35  # times brighter or darker, the mean of alone and relative to the picture, that a lamp is when it is switched
_OWN = 1.08  # each of the two at least: what changes with the whole picture is the light on it, what does so only relative to it is the picture
_SURE = 5  # sightings before a jump means anything
_LEAST = 40  # pixels


def update(tracks: Sequence[PlaceTrack], seen: Mapping[str, Lifted], frame: FrameInput) -> tuple[PlaceTrack, ...]:
    """The tracks with ``brightness`` (alone, and relative to the whole picture; slowly averaged) and ``switched_on`` brought up to date."""
    around = max(float(np.median(frame.color[::8, ::8])), 8.0)
    return tuple(_watched(t, seen[t.id], frame, around) if t.cls in SHINING and t.id in seen else t for t in tracks)


def _watched(track: PlaceTrack, one: Lifted, frame: FrameInput, around: float) -> PlaceTrack:
    if one.pixels < _LEAST or one.cut:
        return track
    alone = max(float(np.median(frame.color[one.rows, one.columns])), 1.0)
    now = alone, alone / around
    if track.brightness is None or track.hits < _SURE:
        return replace(track, brightness=now)
    ratio = np.asarray(now) / track.brightness
    on = bool(ratio.prod() > 1.0)
    if max(ratio.prod(), 1.0 / ratio.prod()) < _JUMP ** 2 or min(ratio if on else 1.0 / ratio) < _OWN:
        return replace(track, brightness=_mixed(track.brightness, now), jumped=0)
    if track.jumped + 1 < 2:  # one odd frame is somebody walking past
        return replace(track, jumped=track.jumped + 1)
    if track.switched_on is None and track.jumped + 1 < 3:  # what goes out was on: told first, so that it is told as a change
        return replace(track, jumped=track.jumped + 1, switched_on=not on)
    return replace(track, brightness=now, jumped=0, switched_on=on)


def _mixed(old: tuple[float, float], new: tuple[float, float]) -> tuple[float, float]:
    return 0.9 * old[0] + 0.1 * new[0], 0.9 * old[1] + 0.1 * new[1]
