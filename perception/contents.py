"""What shows in a container tells that it is open: nobody sees through a shut door.

From afar, or past somebody's back, a thing inside is all that shows of an opened cupboard: too few readings lie behind its front for the front to tell, and its
door is behind whoever opened it. Invariant: what may as well stand before it, beside it or on it says nothing; so does
what shows in a body that took in its neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.fronts import TOP
from perception.leaves import noise_at
from perception.lifting import Lifted
from perception.places import PlaceTrack, too_large
from perception.thing_track import is_thing

_WITHIN, _ERRS = 0.05, 1.5  # m within a container's sides; times the standard error of a thing's middle
_UNDER_THE_TOP = 0.1  # m below its top: a hob, say, that is taken for a thing lies at the very top
_STEADY = 3  # sightings since its body last grew from which its sides are where they are thought to be
_READINGS = 6  # of a thing, at least


def showing(tracks: Sequence[PlaceTrack], lifted: Sequence[Lifted], frame: FrameInput, config: PerceptionConfig) -> frozenset[str]:
    """Ids of the well-known containers, thought to be shut, in which a thing plainly shows: its middle lies within all their sides, and well below their top, by more than it may be off."""
    asked = [t for t in tracks if t.openness is Openness.CLOSED and t.opens and t.established and t.steady >= _STEADY
             and t.front not in (None, TOP) and not too_large(t)]
    found = set()
    for one in lifted if asked else ():
        if not is_thing(one.cls) or not one.metric or len(one.points) < _READINGS:
            continue
        middle = np.median(one.points, axis=0)
        margin = _WITHIN + _ERRS * noise_at(middle, frame.camera_pose[:3, 3], config) / np.sqrt(len(one.points))
        found |= {t.id for t in asked if _holds(t, middle, margin)}
    return frozenset(found)


def _holds(track: PlaceTrack, point: np.ndarray, margin: float) -> bool:
    local, half = track.body.to_local(point[None])[0], np.asarray(track.body.size) / 2
    return bool((half[:2] - np.abs(local[:2]) > margin).all() and -half[2] < local[2] < half[2] - _UNDER_THE_TOP - margin)
