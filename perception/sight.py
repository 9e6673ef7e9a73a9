"""Who sees what right now: the ``sees`` and ``inspected`` of the scene graph.

The robot's own sight is what was detected and what its depth image looked past; people's is the visibility model. Somebody whose own
position the robot does not know at this moment is left out: "not known", which is not "sees nothing".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

from household import classes
from household.scene_graph import Openness, Tracking
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import Box, depth_at, length
from perception.handling import Stance, Traces
from perception.home_map import HomeMap, MapRoom, opening
from perception.openness import known
from perception.order import share
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.records import replace
from perception.thing_track import ThingTrack, believed_in, was_believed_in
from perception.visibility import Piece, Setting, Viewer, Visibility, body_of, contents_grid
from perception.voxels import VoxelMap
from perception.witness import View, viewer

_FRESH = 1.0  # seconds since a person was last seen
_OUT, _STEPS = (0.8, 3.0), 0.8  # s out of view in which somebody went straight on; m that they went
_SHARES, _SPREAD = (1 / 3, 2 / 3), 0.4  # of the way at which they looked round; rad by which their gaze was elsewhere
_TOLD = 10  # points of a doorway's opening, of 63, with a reading
_OF_A_FLOOR = 0.6  # share of a room's floor that who has the room in sight sees


def setting_of(places: Sequence[PlaceTrack], things: Sequence[ThingTrack], people: Sequence[PersonTrack], shut: frozenset[str],
               home: HomeMap, voxels: VoxelMap | None, stamp: float) -> Setting:
    pieces = {p.id: Piece(p.id, p.cls, p.body, known(p), p.front) for p in places}
    targets: dict[str, Box] = {p.id: p.body for p in places}
    targets |= {t.id: t.box for t in things if t.tracking is not Tracking.LOST}
    targets |= {p.id: Box((*p.position, p.crown / 2), (0.4, 0.4, p.crown)) for p in people}
    inside = {t.id: t.place for t in things if t.inside and t.place is not None}
    held = {t.id: t.holder for t in things if t.holder is not None}
    bodies = {p.id: body_of(p.position, p.crown) for p in people if stamp - p.last_seen < _FRESH}
    on = {t.id: t.place for t in things if not t.inside and t.place is not None and t.holder is None}
    shown = frozenset(t.id for t in things if t.visible)
    return Setting(home, pieces, targets, inside, held, bodies, shut, voxels, shown, on)


def everybody(setting: Setting, people: Sequence[PersonTrack], visibility: Visibility, stamp: float, config: PerceptionConfig, traces: Traces = {}
              ) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """(sees, inspected) of every person whose position is known now. Who comes into view again some steps on has looked where they went meanwhile: what they passed, by their
    ``traces``, is inspected with this moment."""
    sees, inspected = {}, {}
    spots = [n for n, p in setting.pieces.items() if classes.get(p.cls).is_place]
    for person in people:
        if stamp - person.last_seen > _FRESH or person.gaze is None:
            continue
        eyes = viewer(person, config)
        here = setting.home.room(setting.home.room_of(eyes.eye))
        floor = np.zeros((0, 3)) if here is None else _floor_grid(here)
        seen, looked, over_floor = visibility.all_of(eyes, [n for n in setting.targets if n != person.id], spots, floor, setting)
        sees[person.id] = frozenset(n for n, p in seen.items() if p > 0.5)
        inspected[person.id] = frozenset(n for n, p in looked.items() if p > 0.5)
        if here is not None and share(over_floor > 0.5) >= _OF_A_FLOOR:
            inspected[person.id] |= {here.id}
        for passing in _on_the_way(eyes, traces.get(person.id, ()), stamp):
            _, passed, _ = visibility.all_of(passing, [], spots, np.zeros((0, 3)), setting)
            inspected[person.id] |= {n for n, p in passed.items() if p > 0.5}
    return sees, inspected


def _on_the_way(eyes: Viewer, stances: Sequence[Stance], stamp: float) -> list[Viewer]:
    """Somebody at some points between where they went out of view and where they are in view again, looking where they go; none where they were not away, or for so long
    that they may have been anywhere."""
    before, now = stances[-2:] if len(stances) > 1 else (None, None)
    if now is None or now.stamp != stamp or not _OUT[0] < now.stamp - before.stamp < _OUT[1]:
        return []
    start, end = np.array(before.position), np.array(now.position)
    if length(end - start) < _STEPS:
        return []
    ahead = float(np.arctan2(*(end - start)[::-1]))
    return [replace(eyes, eye=np.array([*(start + share * (end - start)), eyes.eye[2]]), gaze=ahead, spread=_SPREAD, belief=None, pitch=None) for share in _SHARES]


def made_sure_of(sees: Mapping[str, frozenset[str]], things: Sequence[ThingTrack], views: Sequence[View], setting: Setting, visibility: Visibility,
                 config: PerceptionConfig) -> dict[str, frozenset[str]]:
    """``sees``, and what people saw while the robot was still making sure that it is there: of a thing believed in from this frame on, whoever had it in
    sight at some moment since it was first noticed."""
    result = {k: set(v) for k, v in sees.items()}
    for thing in things:
        new = believed_in(thing, config) and not was_believed_in(thing, config)
        if not new or not thing.visible or thing.holder is not None or thing.id not in setting.targets:
            continue
        for view in views:
            for name, eyes in view.viewers.items() if view.stamp >= thing.born else ():
                if name in result and name not in view.stale and thing.id not in result[name] and visibility.sees(eyes, [thing.id], setting)[thing.id] > 0.5:
                    result[name].add(thing.id)
    return {k: frozenset(v) for k, v in result.items()}


def robot_view(frame: FrameInput, places: Sequence[PlaceTrack], things: Sequence[ThingTrack], people: Sequence[PersonTrack],
               home: HomeMap, config: PerceptionConfig) -> tuple[frozenset[str], frozenset[str]]:
    """(sees, inspected) of the robot in this very frame."""
    sees = frozenset(x.id for group in (places, things, people) for x in group if x.visible)
    if frame.depth is None:
        return sees, frozenset()
    candidates = [p for p in places if classes.get(p.cls).is_place and p.hits >= config.confirm_frames
                  and not (classes.get(p.cls).kind is classes.Kind.CONTAINER and p.openness is not Openness.OPEN)]
    grids = [contents_grid(Piece(p.id, p.cls, p.body, p.openness, p.front)) for p in candidates]
    grids += [_floor_grid(r) for r in home.rooms]
    names = [p.id for p in candidates] + [r.id for r in home.rooms]
    if not grids:
        return sees, frozenset()
    expected, measured = depth_at(np.concatenate(grids), frame.depth, frame.camera, frame.camera_pose)
    with np.errstate(invalid="ignore"):
        clear = (measured > expected - 0.12) & (expected < config.max_range - 1.0)
    ends = list(accumulate(map(len, grids)))
    return sees, frozenset(name for name, begin, end in zip(names, [0, *ends], ends) if share(clear[begin:end]) >= 0.6)


def ways_in_view(frame: FrameInput, home: HomeMap) -> frozenset[str]:
    """Ids of the doorways, open or shut, that the robot sees in this very frame: half of what is in the picture of their opening is not behind something else, a leaf that
    stands open before it, say."""
    if frame.depth is None or not home.doorways:
        return frozenset()
    openings = np.stack([opening(d) for d in home.doorways])
    found = depth_at(openings.reshape(-1, 3), frame.depth, frame.camera, frame.camera_pose, frame.passing)
    expected, measured = (x.reshape(openings.shape[:2]) for x in found)
    with np.errstate(invalid="ignore"):
        clear = (measured > expected - 0.12).sum(axis=1)
    told = np.isfinite(measured).sum(axis=1)
    return frozenset(d.id for d, n, c in zip(home.doorways, told, clear) if n >= _TOLD and c >= 0.5 * n)


@lru_cache(maxsize=64)
def _floor_grid(room: MapRoom) -> np.ndarray:
    (x0, y0), (x1, y1) = room.low, room.high
    x, y = np.meshgrid(np.linspace(x0, x1, 7)[1:-1], np.linspace(y0, y1, 7)[1:-1])
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 0.05)])


def shut_doors(doors: Mapping[str, PlaceTrack]) -> frozenset[str]:
    return frozenset(d.id for d in doors.values() if d.openness is Openness.CLOSED)
