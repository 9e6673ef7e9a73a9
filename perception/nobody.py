"""Nobody: what a detector takes for somebody in some pictures, and what stands there just the same in the others.

Of real people who are in plain view it misses few; the heap of pillows that it takes for somebody it takes for somebody now and then. So a look at which all that was
seen of somebody shows unchanged, and is taken for nobody, counts against them (``PersonTrack.denied``). Who is denied as often as seen is nobody, and what was taken
for them is remembered, so that it is not the next newcomer. Invariants: who has gone, moved or is hidden is never denied, and whoever is known by
name is never nobody; where something else than what was remembered shows, somebody may be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perception.absence import seen_as
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import depth_at
from perception.lifting import Lifted
from perception.order import medians
from perception.people import PersonTrack
from perception.records import replace

KEPT = 20  # such places remembered
_DENIED = 3  # looks against somebody, and no fewer than they were seen, from which they are nobody
_POINTS = 60  # of what was seen of somebody, that are looked at again
_IN_VIEW, _AS_WAS, _TAKEN = 0.7, 0.8, 0.2  # share of them in the picture; as far off as they were; taken for somebody
_SAME, _NOISE = 0.05, 2.0  # m, and standard deviations of depth, within which a point is where it was
_NEAR = 0.4  # m between the middles of what is seen and of what was taken for somebody there

Points = np.ndarray  # float64 (n, 3), map: what was seen of somebody


def unchanged(points: Points, frame: FrameInput, config: PerceptionConfig) -> bool:
    """Whether the surface shows as it was, in plain view."""
    expected, measured = depth_at(points, frame.depth, frame.camera, frame.camera_pose)
    read = np.isfinite(measured)
    if np.count_nonzero(read) < max(1.0, _IN_VIEW * len(points)):
        return False
    within = _SAME + _NOISE * config.depth_noise * expected[read] ** 2
    return np.count_nonzero(np.abs(measured[read] - expected[read]) < within) >= _AS_WAS * np.count_nonzero(read)


def denied(tracks: Sequence[PersonTrack], frame: FrameInput, config: PerceptionConfig) -> tuple[PersonTrack, ...]:
    """The tracks, with the looks of this frame that speak against them."""
    return tuple(replace(t, denied=t.denied + 1) if not t.visible and not t.named and _speaks_against(t, frame, config) else t for t in tracks)


def _speaks_against(track: PersonTrack, frame: FrameInput, config: PerceptionConfig) -> bool:
    points = _few(track.points)
    if frame.depth is None or not unchanged(points, frame, config):
        return False
    return sum(cls == "person" for cls in seen_as(points, frame)) < _TAKEN * len(points)


def _few(points: Points) -> Points:
    return points[:: max(1, len(points) // _POINTS)]


def is_nobody(track: PersonTrack) -> bool:
    return not track.named and track.denied >= max(_DENIED, track.hits)


def without(lifted: Sequence[Lifted], places: Sequence[Points], frame: FrameInput, config: PerceptionConfig) -> tuple[Lifted, ...]:
    """What was lifted, but for what was taken for somebody before and was nobody, and shows as it did. ``places``: those."""
    if frame.depth is None or not places:
        return tuple(lifted)

    def again(one: Lifted) -> bool:
        middle = medians(one.points)
        return any(np.linalg.norm(middle - medians(points)) < _NEAR and unchanged(points, frame, config) for points in places)

    return tuple(x for x in lifted if x.cls != "person" or x.detection.identity is not None or not len(x.points) or not again(x))


def parted(tracks: Sequence[PersonTrack], places: Sequence[Points]) -> tuple[tuple[PersonTrack, ...], tuple[Points, ...]]:
    """(those who are somebody, ``places`` with what was taken for the others)."""
    gone = tuple(_few(t.points) for t in tracks if is_nobody(t))
    return tuple(t for t in tracks if not is_nobody(t)), (*places, *gone)[-KEPT:]
