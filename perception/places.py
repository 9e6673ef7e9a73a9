"""Furniture, doors and devices: what stays where it is. Seen piecemeal, remembered whole.

A place keeps the cells it has shown. Its ``body`` is the upright box around them, without an open door or pulled drawer: those
stand in front of the front plane and are left out once the body is known. Invariants: ids are the robot's own numbering and never
change; a place not in view stays as it was; a place goes only after its volume was looked through and found empty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from household import classes
from household.scene_graph import Openness
from perception import flaps
from perception.blocks import Boxes
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.fronts import TOP
from perception.geometry import Box, fit_box
from perception.home_map import MapPiece
from perception.leaves import door_of, points_of, swung
from perception.lifting import Lifted
from perception.order import percentile, percentiles, share
from perception.recent import PastView
from perception.records import replace
from perception.voxels import looked_through

if TYPE_CHECKING:
    from perception.taps import Stream

MOBILE_DEVICES = frozenset({"wheelchair"})
_ESTABLISHED = 4  # sightings after which the front plane is trusted


_TWICE = 6  # sightings of what opens from which on a cell must show twice for that: a mask that runs on into the wall once makes no cupboard longer, and none stand open; tops show in parts
_SURE = 0.15  # share of a piece's sightings in which a cell must show to shape its box
_COULD_BE, _SAME = 3.0, 0.25  # m between the middles of two looks at one piece, at most; share of what is seen that lies in it, at least
_CONVERSE = 0.9  # what it counts for that, conversely, what is known of it lies in what is seen
UNWATCHED = 1.5  # s that it takes at least to open something, take a thing out or put it in, and shut it
LATELY = 2.0  # s since a container was seen to be open
DESERTED = 5.0  # s that it takes to come in for that, and to leave again
_LARGER = 1.25  # times its usual length, up to which what shows of a piece that is known in part may be the piece itself
_TOO_LARGE, _BESIDE = 1.5, 0.2  # times as long as a piece of its class mostly is; share of one thing in the box of another beside it, at most
_FROM_THE_MAP, _GRID = 0.9, 9  # how sure a piece is that stands on the map; points along each edge by which its surface is remembered
_NEARLY, _ON_IT, _STEADILY = 0.1, 0.03, 3  # m between two pieces that stand side by side, of a reading from the surface it is of; sightings for which its body has not grown of what is well known
_SURELY_ONE, _LIKELIEST = 0.55, 0.35  # how likely something is there that opens, and its likeliest name, for a piece of which no name is sure
_AGAIN = 0.3  # share of a piece that lies in another from which both are one
_NO_SIGN = 1.0  # s without a sign that it is open after which what was never seen whole is looked at anew
_ANOTHER = 0.25  # m by which a footprint changes that was another than thought


def is_place(cls: str) -> bool:
    row = classes.get(cls)
    return row.kind in (classes.Kind.CONTAINER, classes.Kind.SURFACE, classes.Kind.DEVICE) \
        and cls not in MOBILE_DEVICES


@dataclass(frozen=True)
class Behind:
    """What somebody is concluded to have done to a container behind their back: who (``by``), and from when on they ``opened`` and ``shut`` it; None: not yet."""

    by: str
    opened: float
    shut: float | None = None


@dataclass(frozen=True)
class PlaceTrack:
    """``openness`` is the believed one; ``pending`` and ``pending_frames`` the change under way, ``pending_seen``: stamp of its last sign;
    ``confirmed``: stamp of the last sign for what is believed; ``unwatched``: from when to when there last was none for ``UNWATCHED`` seconds or more, ``deserted`` for ``DESERTED``; ``doubted``: since when, open, it may have been shut. ``front``: index of the side it opens
    at (see fronts.SIDES): seen if ``front_learned``, else the best guess, None: no idea;
    ``sides``: all it may be. ``panel``: points (n, 3) that stood out of it when it
    was open; ``swung``: in this frame. ``steady``: sightings since its body last grew; ``looks``: those of its body, not as it stood open. ``opened_at``, ``closed_at``: stamps of the last such changes. ``brightness``, ``shown`` (m² of its surface that it mostly shows), ``switched_on``, ``jumped``: of what shines (perception.devices); ``stream``: of what water runs from (perception.taps).
    ``mapped``: known from the map, not made out so far. ``behind``: opened and shut with nobody seeing it (perception.bends), the last time.
    ``formerly``: ids it went by before it turned out to be something else."""

    id: str
    cls: str
    cells: Cells
    body: Box
    last_seen: float
    hits: int = 1
    visible: bool = True
    confidence: float = 1.0
    openness: Openness = Openness.NONE
    pending: Openness | None = None
    pending_frames: int = 0
    pending_since: float = 0.0
    pending_seen: float = 0.0
    confirmed: float = 0.0
    unwatched: tuple[float, float] | None = None
    deserted: tuple[float, float] | None = None
    doubted: float | None = None
    front: int | None = None
    front_learned: bool = False
    sides: tuple[int, ...] | None = None
    opened_at: float | None = None
    closed_at: float | None = None
    panel: np.ndarray | None = None
    swung: np.ndarray | None = None
    steady: int = 0
    looks: int = 1
    brightness: tuple[float, float] | None = None
    shown: float = 0.0
    switched_on: bool | None = None
    jumped: int = 0
    stream: "Stream | None" = None
    mapped: bool = False
    behind: Behind | None = None
    formerly: tuple[str, ...] = ()

    @property
    def established(self) -> bool:
        return self.hits >= _ESTABLISHED

    @property
    def opens(self) -> bool:
        """Whether it is a container that was seen more than once."""
        return classes.get(self.cls).kind is classes.Kind.CONTAINER and self.hits >= 2

    def was_deserted(self, since: float) -> bool:
        """Whether, after that stamp, nobody looked at it for as long as it takes to come and go."""
        begun, ended = self.deserted or (0.0, 0.0)
        return ended - max(begun, since) >= DESERTED


@dataclass(frozen=True)
class PlaceUpdate:
    """``seen``: place id → what was lifted of it in this frame."""

    tracks: tuple[PlaceTrack, ...]
    counters: Mapping[str, int]
    seen: Mapping[str, Lifted] = field(default_factory=dict)


def update(tracks: Sequence[PlaceTrack], lifted: Sequence[Lifted], frame: FrameInput, counters: Mapping[str, int],
           wall_yaws: tuple[float, ...], config: PerceptionConfig, views: Sequence[PastView] = ()) -> PlaceUpdate:
    """Match this frame's furniture to what is known, grow what was seen, shrink what was looked through. ``views`` of the last seconds."""
    current = {t.id: replace(t, visible=False, swung=None) if t.visible or t.swung is not None else t for t in tracks}
    counters, seen, rest = dict(counters), {}, []
    mine = [x for x in lifted if is_place(x.cls)]
    for cls in sorted({x.cls for x in mine}):
        found = [x for x in mine if x.cls == cls]
        known = [t for t in current.values() if t.cls == cls]
        pairs = _match(known, found)
        for i, one in enumerate(found):
            if i in pairs:
                track = known[pairs[i]]
                current[track.id] = _grown(current[track.id], one, frame, wall_yaws, views, config, _beside(current[track.id], current.values()))
                seen[track.id] = one
            elif len(one.points) >= 6:
                rest.append(one)
                for k, j in pairs.items():
                    if _two_in_one(current[known[j].id], found[k], one):
                        current[known[j].id] = replace(_born(found[k], {}, frame, wall_yaws), id=known[j].id)
    for one in rest:
        from_air, track = door_of(one, list(current.values()), views, config)
        if track is not None:
            current[track.id] = _opened(track, one, frame)
            seen.setdefault(track.id, one)
        elif not from_air and (one.detection.score >= config.new_place_score or _some_container(one)):
            track = _born(one, counters, frame, wall_yaws)
            current[track.id] = track
            seen[track.id] = one
    before = {t.id: t.body for t in tracks}
    result = [_unlearned(t, before.get(t.id)) for t in _without_doubles(_carved(list(current.values()), frame, wall_yaws, config))]
    kept = tuple(t for t in result if len(t.cells) >= 4 and not (t.hits < config.confirm_frames and frame.stamp - t.last_seen > 2.0))
    if len(kept) > config.max_things:  # the longest unseen are forgotten first
        newest = {t.id for t in sorted(kept, key=lambda t: -t.last_seen)[:config.max_things]}
        kept = tuple(t for t in kept if t.id in newest)
    return PlaceUpdate(kept, counters, {k: v for k, v in seen.items() if any(t.id == k for t in kept)})


def _some_container(one: Lifted) -> bool:
    """Whether it surely is there and opens, whatever it is called."""
    likely = dict(one.detection.names)
    name = likely.get(one.cls, 0.0)
    if name < _LIKELIEST or classes.get(one.cls).kind is not classes.Kind.CONTAINER:
        return False
    return one.detection.score / name * sum(p for n, p in likely.items() if classes.get(n).kind is classes.Kind.CONTAINER) >= _SURELY_ONE


def _match(known: Sequence[PlaceTrack], found: Sequence[Lifted]) -> dict[int, int]:
    """Index in ``found`` → index in ``known``: most shared volume wins (Hungarian)."""
    if not known or not found:
        return {}
    score = np.zeros((len(found), len(known)))
    for i, one in enumerate(found):
        near = [j for j, t in enumerate(known) if math.dist(one.box.centre[:2], t.body.centre[:2]) <= _COULD_BE]
        if not near:
            continue
        inside = [share(part) for part in Boxes.of([known[j].body for j in near]).contain(_some(one.points), 0.06)]
        if len(known) == len(found) == 1 and inside[0] >= _SAME:  # there is nothing to choose
            return {0: 0}
        for j, part in zip(near, inside):
            score[i, j] = part if part >= _CONVERSE else max(part, _CONVERSE * share(one.box.contains(_some(known[j].cells.points), 0.06)))
    rows, columns = linear_sum_assignment(-score)
    pairs = {int(i): int(j) for i, j in zip(rows, columns) if score[i, j] >= _SAME}
    for i, one in enumerate(found):  # another part of something whose first part was seen elsewhere
        if i not in pairs:
            rest = [(gap, j) for j, t in enumerate(known) if j not in pairs.values() and (gap := _parts_gap(t, one)) is not None]
            if rest:
                pairs[i] = min(rest)[1]
    return pairs


def _some(points: np.ndarray) -> np.ndarray:
    """About 120 of points (n, 3)."""
    return points[:: max(1, len(points) // 120)]


def _parts_gap(track: PlaceTrack, one: Lifted) -> float | None:
    """Distance between two seen parts that may be one piece of furniture: together they are no larger than such a thing is."""
    size = classes.get(track.cls).size
    local = track.body.to_local(np.vstack([one.points[:: max(1, len(one.points) // 60)], track.cells.points[:: max(1, len(track.cells) // 60)]]))
    span = [high - low for high, low in (percentiles(local[:, axis], (98, 2)) for axis in range(3))]
    if max(span[:2]) > 1.15 * max(size[:2]) + 0.05 or min(span[:2]) > 1.15 * min(size[:2]) + 0.1 or span[2] > 1.2 * size[2] + 0.1:
        return None
    gap = math.dist(one.box.centre, track.body.centre)
    return gap if gap < 0.8 * max(size) else None


def _born(one: Lifted, counters: dict[str, int], frame: FrameInput, wall_yaws: tuple[float, ...]) -> PlaceTrack:
    counters[one.cls] = counters.get(one.cls, 0) + 1
    opens, (body, flap) = classes.get(one.cls).opens, flaps.parted(one, wall_yaws)
    return PlaceTrack(f"{one.cls}_{counters[one.cls]}", one.cls, Cells().add(body), completed(fit_box(body, wall_yaws), one.cls, frame.camera_pose[:3, 3]), frame.stamp,
                      confidence=one.detection.score, openness=Openness.UNKNOWN if opens else Openness.NONE, swung=flap)


def called(track: PlaceTrack, cls: str, known: Iterable[PlaceTrack], counters: Mapping[str, int]) -> tuple[PlaceTrack | None, dict[str, int]]:
    """The same piece under another class's name, and the counters: whatever is known of it stays; a name it had before it gets back. None where it must be forgotten instead: it
    was hardly seen, that class is of another kind (opens, say, where it does not), or what is ``known`` of that class stands there already."""
    if not is_place(cls) or classes.get(cls).kind is not classes.get(track.cls).kind or not track.established or track.mapped \
            or any(k.cls == cls and _share(k, track) > _AGAIN for k in known):
        return None, dict(counters)
    old = next((name for name in track.formerly if classes.class_of(name) == cls), None)
    number = counters.get(cls, 0) + (old is None)
    former = tuple(name for name in (*track.formerly, track.id) if name != old)
    return replace(track, id=old or f"{cls}_{number}", cls=cls, formerly=former), {**counters, cls: number}


def remembered(piece: MapPiece) -> PlaceTrack:
    """A piece of the map that has not been made out yet: its surface once, which outlives neither what is seen of it then nor what is looked through."""
    box = Box(piece.centre, piece.size, piece.yaw)
    return PlaceTrack(piece.id, piece.cls, Cells().add(_surface(box)), box, 0.0, hits=_ESTABLISHED, looks=_ESTABLISHED + 1, visible=False, confidence=_FROM_THE_MAP, mapped=True,
                      openness=Openness.UNKNOWN if classes.get(piece.cls).opens else Openness.NONE)


def _surface(box: Box) -> np.ndarray:
    """Points (n, 3) all over the sides of a box."""
    u, v = (a.ravel() for a in np.meshgrid(*[np.linspace(-0.5, 0.5, _GRID)] * 2))
    w = np.full(len(u), 0.5)
    return box.to_map(np.concatenate([np.column_stack(np.roll([sign * w, u, v], axis, axis=0)) for axis in range(3) for sign in (1, -1)]) * box.size)


def _two_in_one(track: PlaceTrack, one: Lifted, other: Lifted) -> bool:
    """Whether what was taken for one piece, too large for its class, is seen to be two beside each other."""
    if not too_large(track) or _stands_open(track):
        return False  # of what is open the one may be the door
    points = _some(one.points), _some(other.points)
    return (all(share(track.body.contains(p, 0.06)) > 0.5 for p in points)
            and not any(share(d.box.contains(p, 0.0)) > _BESIDE for d, p in zip((other, one), points)))


def _opened(track: PlaceTrack, one: Lifted, frame: FrameInput) -> PlaceTrack:
    """With a door that was detected as a thing of its own."""
    door = points_of(one)
    return replace(track, swung=door if track.swung is None else np.vstack([track.swung, door]), visible=True, last_seen=frame.stamp)


def _grown(track: PlaceTrack, one: Lifted, frame: FrameInput, wall_yaws: tuple[float, ...], views: Sequence[PastView],
           config: PerceptionConfig, beside: Sequence[PlaceTrack] = ()) -> PlaceTrack:
    """``beside``: what else stands there: a mask that runs on into it makes no piece longer."""
    if _misread(track, frame.stamp):
        anew = _born(one, {}, frame, wall_yaws)
        return replace(track, cells=anew.cells, body=anew.body, swung=anew.swung, last_seen=frame.stamp, hits=track.hits + 1, steady=0, visible=True, mapped=False, panel=None, front=None, front_learned=False, sides=None)
    whole, flap = flaps.parted(one, wall_yaws)
    door = swung(track, one, views, config) if flap is None else flap
    points = whole.compress(_belongs(track, whole), axis=0) if door is flap else whole[:0]  # of what has a door that swings, nothing
    for other in beside if len(points) else ():
        points = points.compress(~other.body.contains(points, _ON_IT) | track.body.contains(points, 0.0), axis=0)
    cells = track.cells.add(points)
    body = track.body
    if not _stands_open(track) and (len(cells) > 1.01 * len(track.cells) or track.hits < 6 or (track.hits % 5 == 0 and _SURE * track.hits < config.body_sightings)):
        body = completed(fit_box(cells.solid(_sure(track, config)), wall_yaws, trim=0.7), track.cls, frame.camera_pose[:3, 3])
    change = max(abs(a - b) for a, b in zip(body.size, track.body.size))
    return replace(track, cells=cells, body=body, swung=door, steady=track.steady + 1 if change < 0.03 else 0, looks=track.looks + (not _stands_open(track)), last_seen=frame.stamp, hits=track.hits + 1, visible=True, mapped=False,
                   confidence=0.9 * track.confidence + 0.1 * one.detection.score)


def _misread(track: PlaceTrack, now: float) -> bool:
    """Whether it was made out first as it stood open, so that its size was never known, and there has been no sign that it is for a while: what shows of it tells anew."""
    return _stands_open(track) and track.openness is Openness.OPEN and track.looks <= _ESTABLISHED and now - track.confirmed >= _NO_SIGN and track.cls not in classes.OPENS_ABOVE


def _beside(track: PlaceTrack, others: Iterable[PlaceTrack]) -> list[PlaceTrack]:
    """Well-known pieces that open, of another class, whose footprints nearly touch this one."""
    def near(other: PlaceTrack) -> bool:
        return math.dist(other.body.centre[:2], track.body.centre[:2]) < (math.hypot(*other.body.size[:2]) + math.hypot(*track.body.size[:2])) / 2 + _NEARLY

    return [t for t in others if t.cls != track.cls and t.steady >= _STEADILY and t.established and classes.get(t.cls).kind is classes.Kind.CONTAINER and near(t)]


def _unlearned(track: PlaceTrack, before: Box | None) -> PlaceTrack:
    """What was read off a body that turns out to be quite another was misread: at which side it opens, and that it stood open."""
    if before is None or not track.front_learned or max(abs(a - b) for a, b in zip(track.body.size[:2], before.size[:2])) < _ANOTHER:
        return track
    openness = Openness.UNKNOWN if track.openness is Openness.OPEN else track.openness
    return replace(track, front=None, front_learned=False, sides=None, panel=None, pending=None, pending_frames=0, openness=openness, steady=0)


def _sure(track: PlaceTrack, config: PerceptionConfig) -> int:
    """Sightings from which a cell shapes the box: noise puts a reading into a far cell now and then, the surface itself often."""
    twice = track.hits >= _TWICE and classes.get(track.cls).kind is classes.Kind.CONTAINER
    return int(min(max(_SURE * track.hits, 2 if twice else 1), config.body_sightings))


def completed(box: Box, cls: str, eye: np.ndarray) -> Box:
    """A cupboard seen only from the front has the depth of its class: the box goes on behind what was seen, away from the camera."""
    typical = 0.85 * min(classes.get(cls).size[:2])
    away = box.local([c + (c - e) for c, e in zip(box.centre, eye.tolist())])[:2]
    ahead = 0 if abs(away[0]) >= abs(away[1]) else 1
    for axis in range(2):
        missing = typical - box.size[axis]
        thin = box.size[axis] < 0.5 * typical or axis == ahead
        if missing <= 0 or not thin:
            continue
        shift = np.zeros(3)
        shift[axis] = np.sign(away[axis]) * missing / 2
        size = list(box.size)
        size[axis] += missing
        box = Box(tuple(float(x) for x in box.to_map(shift)[0]), (size[0], size[1], size[2]), box.yaw)
    return box


def _belongs(track: PlaceTrack, points: np.ndarray) -> np.ndarray:
    """bool (N,): points of the body, not of a door or drawer that stands out of it. While something stands out, nothing is added: the
    inside and the door would widen the body bit by bit; but for where the front of what was never made out to be open or shut has shown before, when it was
    seen whole, and since then only in slivers."""
    if not track.established or classes.get(track.cls).kind is not classes.Kind.CONTAINER:
        return np.ones(len(points), bool)
    if _stands_open(track):
        return np.zeros(len(points), bool)
    local = track.body.to_local(points)
    half = np.asarray(track.body.size) / 2
    front = TOP if track.cls in classes.OPENS_ABOVE else track.front
    if front is None:
        return (np.abs(local) - half)[:, :2].max(axis=1) <= 0.04
    axis, sign = front // 2, (1 if front % 2 == 0 else -1)
    out = sign * local[:, axis] - half[axis]
    ahead = out > 0.02
    if share(ahead) > 0.04:
        if track.openness is not Openness.UNKNOWN or front == TOP:
            return np.zeros(len(points), bool)
        shown = percentile(sign * track.body.to_local(track.cells.points)[:, axis] - half[axis], 99)  # as far as its cells reach that are not sure yet
        lacks = min(_LARGER * max(classes.get(track.cls).size[:2]) - track.body.size[axis], shown + _ON_IT)
        return out <= lacks if share(out > lacks) <= 0.04 else np.zeros(len(points), bool)
    return ~ahead


def _stands_open(track: PlaceTrack) -> bool:
    """Whether it is a known container that is open, or seems to be: its door says nothing of its size then, and neither does what shows behind it."""
    return (track.established and classes.get(track.cls).kind is classes.Kind.CONTAINER
            and (track.openness is Openness.OPEN or track.pending is Openness.OPEN))


def _carved(tracks: list[PlaceTrack], frame: FrameInput, wall_yaws: tuple[float, ...], config: PerceptionConfig) -> list[PlaceTrack]:
    """Forget cells the camera sees past; a quarter of them each frame."""
    asked = [i for i, t in enumerate(tracks) if len(t.cells) and not t.mapped and not (t.visible and t.hits % 3)]
    if frame.depth is None or not asked:
        return tracks
    parts = [slice(int(frame.stamp * 1000) % 4, None, 4) if len(tracks[i].cells) > 80 else slice(None) for i in asked]
    some = [tracks[i].cells.points[part] for i, part in zip(asked, parts)]
    air = looked_through(np.concatenate(some), frame.depth, frame.camera, frame.camera_pose, 0.15)
    result, ends = list(tracks), list(accumulate(map(len, some)))
    for i, part, past in zip(asked, parts, (air[begin:end] for begin, end in zip([0, *ends], ends))):
        if np.count_nonzero(past):
            through = np.zeros(len(tracks[i].cells), bool)
            through[part] = past
            result[i] = _less(tracks[i], through, frame, wall_yaws, config)
    return result


def _less(track: PlaceTrack, through: np.ndarray, frame: FrameInput, wall_yaws: tuple[float, ...], config: PerceptionConfig) -> PlaceTrack:
    """Without the cells marked in ``through`` bool (n,), as soon as they have been looked through often enough."""
    cells = track.cells.looked_through(through)
    if len(cells) == len(track.cells) or len(cells) < 4 or _stands_open(track):
        return replace(track, cells=cells)
    return replace(track, cells=cells, body=completed(fit_box(cells.solid(_sure(track, config)), wall_yaws, trim=0.7), track.cls, frame.camera_pose[:3, 3]))


def _without_doubles(tracks: list[PlaceTrack]) -> list[PlaceTrack]:
    """Two tracks of one class in the same volume are one piece of furniture that was first seen in parts."""
    kept: list[PlaceTrack] = []
    for track in tracks:  # in order of birth: the older id stays
        twin = next((k for k in kept if k.cls == track.cls and _share(k, track) > 0.5), None)
        if twin is None:
            kept.append(track)
            continue
        kept[kept.index(twin)] = _as_one(twin, track)
    return kept


def _as_one(older: PlaceTrack, younger: PlaceTrack) -> PlaceTrack:
    """One piece, by the older id, of all that has shown of both. Of two that open only what has shown of the one of a usual size, where the other is too large: a mask that
    ran on over what stands beside it."""
    large = [t.opens and too_large(t) for t in (older, younger)]
    first, second = (younger, older) if large == [True, False] else (older, younger)
    more = second.cells.points[_belongs(first, second.cells.points)]  # of what stood open beside it, say, only what is its body
    return replace(first, id=older.id, cells=first.cells if large[0] != large[1] else first.cells.add(more), visible=older.visible or younger.visible,
                   last_seen=max(older.last_seen, younger.last_seen), hits=max(older.hits, younger.hits))


def too_large(track: PlaceTrack) -> bool:
    """Whether it is half as long again as a piece of its class mostly is, or more: its masks ran on into what stands beside it."""
    return max(track.body.size[:2]) >= _TOO_LARGE * max(classes.get(track.cls).size[:2])


def _share(a: PlaceTrack, b: PlaceTrack) -> float:
    if math.dist(a.body.centre[:2], b.body.centre[:2]) > 1.5:
        return 0.0
    small, large = (a, b) if len(a.cells) < len(b.cells) else (b, a)
    if not len(small.cells):
        return 1.0
    return share(large.body.contains(small.cells.points, 0.02))

