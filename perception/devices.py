"""Whether a lamp or a television is on: it suddenly looks much brighter or darker than it did, while the rest of the picture does not.

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
_BRIGHTER, _DARKER = 1.45, 0.69  # jump of the brightness relative to the picture's
_SURE = 5  # sightings before a jump means anything
_LEAST = 40  # pixels


def update(tracks: Sequence[PlaceTrack], seen: Mapping[str, Lifted], frame: FrameInput) -> tuple[PlaceTrack, ...]:
    """The tracks with ``brightness`` (relative to the whole picture, slowly averaged) and ``switched_on`` brought up to date."""
    around = max(float(np.median(frame.color[::8, ::8])), 8.0)
    return tuple(_watched(t, seen[t.id], frame, around) if t.cls in SHINING and t.id in seen else t for t in tracks)


def _watched(track: PlaceTrack, one: Lifted, frame: FrameInput, around: float) -> PlaceTrack:
    if one.pixels < _LEAST or one.cut:
        return track
    now = float(np.median(frame.color[one.rows, one.columns])) / around
    if track.brightness is None or track.hits < _SURE:
        return replace(track, brightness=now)
    ratio = now / max(track.brightness, 0.05)
    if _DARKER < ratio < _BRIGHTER:
        return replace(track, brightness=0.9 * track.brightness + 0.1 * now, jumped=0)
    if track.jumped + 1 < 2:  # one odd frame is somebody walking past
        return replace(track, jumped=track.jumped + 1)
    return replace(track, brightness=now, jumped=0, switched_on=ratio >= _BRIGHTER)
