"""A thing that was not detected: is its place in view, is it still there, and how often must it be missed before it is gone?

The detector, depth and colour each have a say. Invariant: what was not looked at is never empty.
"""

from __future__ import annotations

from enum import Enum

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import Box, depth_at, project
from perception.looks import Shows, shows
from perception.order import median, share
from perception.places import LATELY, PlaceTrack
from perception.thing_track import Surroundings, ThingTrack

_PRIOR = 5.0  # sightings that the detector's rate in general is worth, against a thing's own history
_DOUBTED = 4  # times as many looks in vain where depth says that something is there
_RAISED = 0.04  # m that a thing must rise for depth to tell whether it is there
_READ, _FEW = 0.7, 4  # share of a thing's place whose depth must be read for it to be judged; least points that tell it by going through all the same
_SLACK = 1.5  # standard deviations of depth by which a look goes through
_INTO = 0.5  # share of the readings at a place in what may be shut that must lie behind it for that to have been looked into
_FLAT = 0.1  # m: no container is so flat; one of which only the top has shown seems so
_BARE = 0.8  # share of it that must be what bears the thing, or lie behind it, to be bare


class Look(Enum):
    """What a look at the place of a thing that was not detected there shows."""

    OUT = "out of view"
    HIDDEN = "something stands before it"
    THERE = "plain view, and its colour shows"
    FILLED = "plain view, and depth says that something is still there"
    MISSING = "plain view, and neither can tell"
    EMPTY = "plain view, and what surrounds it shows in its place, or depth was read where it would be in the way"


def misses_needed(track: "ThingTrack", look: Look, config: PerceptionConfig) -> int:
    """Looks in vain after which chance no longer explains them, at least two: rate of misses^n < absent_probability. The rate is this very thing's:
    what is small or far is overlooked again and again. Where depth goes through, two are enough; where it does not, it takes far more."""
    if look is Look.EMPTY:
        return 2
    found = (_PRIOR * config.detection_rate + track.hits) / (_PRIOR + track.hits + track.overlooked)
    needed = max(2, int(np.ceil(np.log(config.absent_probability) / np.log(max(1e-9, 1 - min(found, config.detection_rate))))))
    return needed if look is Look.MISSING else _DOUBTED * needed


def look_for(track: "ThingTrack", container: PlaceTrack | None, around: "Surroundings") -> Look:
    frame = around.frame
    if frame.depth is None or (track.guessed and track.place is not None and container is None):
        return Look.OUT  # where on a table it was put is not known: a look at one spot shows nothing
    box = track.box
    if track.guessed and container is not None:
        box = Box(container.body.centre, tuple(0.7 * s for s in container.body.size), container.body.yaw)
    points = box.grid(3, 0.7)
    expected, measured = depth_at(points, frame.depth, frame.camera, frame.camera_pose)
    inside = np.isfinite(measured)
    distance = float(median(expected))
    pixels = frame.camera.fx * max(*box.size, *classes.get(track.cls).size[:2]) / max(distance, 0.1)
    if distance > around.config.max_range - 1.0 or pixels < 5:
        return Look.OUT
    read = np.count_nonzero(inside) >= _READ * len(points)
    if container is not None and (container.openness is Openness.CLOSED or container.openness is not Openness.OPEN and container.body.size[2] < _FLAT):
        return Look.HIDDEN if read else Look.OUT  # of what showed but its top nobody has looked inside
    if container is not None and not _open_lately(container, track, frame.stamp) and (
            not container.body.contains(np.asarray(box.centre)[None])[0] or share(measured[inside] > expected[inside]) < _INTO):
        return Look.HIDDEN if read else Look.OUT  # it may be shut: what shows is what is before its place, or behind it where it has gone back with its drawer
    hidden = measured[inside] < expected[inside] - min(0.5 * max(track.box.size), 0.12) - 0.05
    if inside.any() and (share(hidden) >= 0.1 or _something_else_there(points[inside], measured[inside] - expected[inside], track, container, around)):
        return Look.HIDDEN if read else Look.OUT
    colours = Shows.UNCLEAR if track.guessed else shows(track.colour, box, frame, around.bodies, others=around.loose)
    if colours is not Shows.UNCLEAR:
        return Look.THERE if colours is Shows.ITSELF else Look.EMPTY
    slack = _SLACK * around.config.depth_noise * distance ** 2
    if not read:
        behind = measured[inside] > expected[inside] + 0.3 * min(box.size) + slack
        gone, bare = np.count_nonzero(inside) >= _FEW and share(behind) > _BARE, _bearer_shows(points, track, around)
        return Look.OUT if track.guessed or not (gone or bare) else Look.EMPTY if gone and bare else Look.MISSING
    upper = inside & (points[:, 2] > box.centre[2] - 1e-6)
    if track.guessed or box.size[2] < max(_RAISED, 2 * slack) or upper.sum() < 6:
        return Look.MISSING
    through = float((measured[upper] > expected[upper] + 0.3 * min(box.size) + slack).mean())
    return Look.EMPTY if through > 0.8 else Look.FILLED if through < 0.4 else Look.MISSING


def _open_lately(container: PlaceTrack, track: "ThingTrack", stamp: float) -> bool:
    """Whether it stood open a moment ago, by itself or as the thing showed in it: else it may have been shut on that."""
    return container.openness is Openness.OPEN and stamp - max(container.confirmed, track.last_seen) < LATELY


def _bearer_shows(points: np.ndarray, track: "ThingTrack", around: "Surroundings") -> bool:
    """Whether the detector sees what bears the thing right through its place. ``points``: float (n, 3), map."""
    bearer = around.places.get(track.place or "")
    return bearer is not None and share(np.array([cls == bearer.cls for cls in seen_as(points, around.frame)])) >= _BARE


def seen_as(points: np.ndarray, frame: FrameInput) -> list[str | None]:
    """What the detector calls what each point (n, 3) is seen as; None: nothing, or it is out of the picture."""
    u, v, z = project(points, frame.camera, frame.camera_pose)
    column, row = np.rint(u), np.rint(v)
    first, last, high, low = column.min(), column.max(), row.min(), row.max()
    found: list[str | None] = [None] * len(points)
    for d in frame.detections:  # what comes later lies over what came before
        left, top, right, bottom = d.box
        if left > last or right <= first or top > low or bottom <= high:
            continue
        within = ((z > 0) & (column >= left) & (column < right) & (row >= top) & (row < bottom)).nonzero()[0]
        for i in within[d.mask[row[within].astype(int) - top, column[within].astype(int) - left]].tolist():
            found[i] = d.cls
    return found


def _something_else_there(points: np.ndarray, behind: np.ndarray, track: "ThingTrack", container: PlaceTrack | None, around: "Surroundings") -> bool:
    """Whether what is seen at the thing's own distance (``behind`` it by so many m) is mostly another thing, somebody, or a piece of
    furniture that does not bear it: a door that swung before it, a hand. Then its absence was not seen."""
    bearer = around.places.get(track.place or "")
    other = np.array([cls is not None and (bearer is None or cls != bearer.cls) for cls in seen_as(points, around.frame)])
    return bool((other & (behind < 0.5 * max(track.box.size) + 0.05)).mean() > 0.3)
