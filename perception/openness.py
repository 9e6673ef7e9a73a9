"""Open, closed or not known, for every container and door.

Three signs, none of which needs the detector to know about doors. A door or drawer that stands where there was air a moment ago (BIP-ALM
tells open from closed by box growth; but a box also grows when more of it comes into view), until that place is air again; the inside seen
through the front plane; the front plane itself seen whole. A sign counts only after it lasted some frames, and a container nobody could
look at keeps what was believed: UNKNOWN means it was never made out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception import contents, whose_door
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.fronts import SIDES, SIGNS, TOP, Fronts, face
from perception.geometry import Box, depth_at, length, project
from perception.handling import OUT_OF_VIEW, Stance, Traces
from perception.home_map import HomeMap, MapDoorway, opening
from perception.leaves import DOOR_SHARE, noise_at, while_shut
from perception.lifting import Lifted, back_project
from perception.order import median, percentile, share
from perception.places import DESERTED, UNWATCHED, PlaceTrack
from perception.recent import PastView, was_air
from perception.records import replace

_INSIDE, _INSIDE_FIRST = 0.3, 0.5  # share of the readings on a front that lie behind it when it is open; of one that was never seen shut, or is another size than its class
_STEADY = 3  # sightings since its body last grew from which its front is where it is thought to be
_LASTS = 3.0  # s without a sign after which it is no longer the same change
_LATELY, _LEANT, _BY_ITSELF = 3.0, 0.4, 4  # s; m beyond an arm's reach; times as many frames for what nobody was near
_UNMOVED = 0.04  # m, beside the noise, by which all readings together may be off a door that stands: farther off is the wall that it stood before
_ON_PANEL, _TELLS = 0.10, 0.25  # m, beside the noise, by which a reading on a door that stands out may be off; share of its points that must tell it from a shut one
_READ, _LEAST_READ = 1500, 0.15  # readings before a front that are looked at; share of them there must be
_SHOWS = 0.4  # share of the readings on a front that lie behind it while it is open, wherever its door is
_OF_A_DOOR = 0.12  # of the front's area that must stand out of it in view
_DOOR_COUNTS = 2  # frames' worth of a sign that hardly errs
_LID, _RIM, _BESIDE = 0.2, 0.08, 0.25  # share of the points of what opens above that stand higher than its rim while its lid is up; m above that; m beside it
_PLATE, _PLATE_SHARE, _THICK, _STANDS, _WIDE = 15, 0.02, 0.06, 0.6, 0.4  # points of a lid seen edge-on, and their share; m; shares of the depth and width of what it shuts
_TALL, _LONG = 1.5, 1.7  # times the usual height, and length
_SHUT_SINCE = 1.0  # s from the last sign that something is open after which somebody at it may have shut it
_LEAD = {Openness.OPEN: 0.9, Openness.CLOSED: 1.0}  # s from the beginning of the motion to its first sign
_STILL = {Openness.OPEN: 0.0, Openness.CLOSED: 0.4}  # s from its beginning in which it may look as before: a door that shuts still stands out
_LONGER, _SHORTER = 1.35, 0.7  # times the usual footprint
_NEARLY_ALL = 0.7  # share of a front that is nearly all of it: of drawers one that is out hides behind whoever pulled it, and what is larger than its class is open only if it shows inside all over
_ENOUGH = 10  # readings on the front of what stood open, and none behind it, that tell that it is shut however much of it is hidden
_SHUT_AT_FIRST = 2  # looks that tell that something is shut, of what was never made out: most that opens is


def update(tracks: Sequence[PlaceTrack], seen: dict[str, Lifted], frame: FrameInput, home: HomeMap,
           config: PerceptionConfig, traces: Traces | None = None, recent: Sequence[PastView] = (), lifted: Sequence[Lifted] = ()) -> tuple[PlaceTrack, ...]:
    """The tracks with this frame's signs weighed in; only what opens is looked at. ``traces`` of people: nothing opens by itself, where anybody is
    known at all. ``recent``: earlier views, by which air is told from what was hidden. ``lifted``: all that was made out, for what shows in them."""
    if frame.depth is None:
        return tuple(tracks)
    tracks = [replace(t, swung=None) if t.swung is not None and t.openness is not Openness.OPEN and whose_door.of_another(t, tracks) else t for t in tracks]
    tracks = [replace(t, swung=None) if t.swung is not None and whose_door.of_a_room(t, home) else t for t in tracks]
    tracks = whose_door.given_to_neighbours(tracks, traces or {}, frame.stamp, config)
    tracks = [_with_sides(t, tracks, home) if t.opens and t.id in seen else t for t in tracks]
    fronts = Fronts(frame, config, [(t.body, side) for t in tracks if t.opens for side in (_telling(t) if t.id in seen else _telling_unseen(t))])
    result, telling = [], contents.showing(tracks, lifted, frame, config)
    for track in tracks:
        if not track.opens:
            result.append(track)
            continue
        if track.id not in seen:
            result.append(_doubted(_unmade_out(track, tracks, fronts, frame, recent, traces, config, track.id in telling), traces or {}, frame.stamp, config))
            continue
        one, sides = seen[track.id], track.sides
        sign, side = look(track, one, fronts, frame, config)
        if sign is Openness.OPEN and track.panel is None and (lid := _plate(track, one, _noise(track, frame, config))) is not None:
            track = replace(track, panel=_thinned(lid))
        if track.id in telling:
            sign = Openness.OPEN  # whatever shows of its front
        if sign is None and track.openness is Openness.CLOSED and (door := _apart(track, tracks, frame, recent, traces, config)) is not None:
            sign, track = Openness.OPEN, replace(track, panel=door)
        if track.swung is not None and track.openness is Openness.UNKNOWN:
            track, weight = replace(track, openness=Openness.CLOSED, confirmed=frame.stamp), 1  # what opens was shut
        else:
            weight = _weight(track, sign, fronts, frame, config)
        if sign is Openness.OPEN and side is not None and (track.openness is Openness.OPEN or track.swung is not None and track.pending is Openness.OPEN):
            track = replace(track, front=side, front_learned=True)
        elif not track.front_learned:
            track = replace(track, front=sides[0] if sides and track.established else None)
        if track.swung is not None and _reach(track, track.swung) > 0.9 * _reach(track, track.panel):
            track = replace(track, panel=_thinned(track.swung))
        settled = settle(track, sign, frame.stamp, config, weight, _needed(track, sign, frame, traces, config))
        result.append(_doubted(settled, traces or {}, frame.stamp, config))
    return tuple(result)


def known(track: PlaceTrack) -> Openness:
    """What of it is known now: what is believed, unless somebody may have shut it since (``PlaceTrack.doubted``)."""
    return Openness.UNKNOWN if track.doubted is not None and track.doubted > track.confirmed else track.openness


def _doubted(track: PlaceTrack, traces: Traces, stamp: float, config: PerceptionConfig) -> PlaceTrack:
    """What was last seen open, and since then had somebody at it who has left it, may have been shut."""
    if track.openness is not Openness.OPEN or stamp - track.confirmed < _SHUT_SINCE or track.doubted is not None and track.doubted > track.confirmed:
        return track

    def at_it(s: Stance) -> bool:
        return track.body.footprint_distance(s.position) <= config.reach

    for stances in traces.values():
        since = [s for s in stances if s.stamp > track.confirmed]
        before = [s for s in stances[:len(stances) - len(since)][-1:] if since and since[0].stamp - s.stamp > OUT_OF_VIEW]  # there, then out of view
        if since and not at_it(since[-1]) and any(map(at_it, (*before, *since))):
            if track.pending is Openness.CLOSED and track.pending_seen > track.confirmed:  # and it was about to be seen shut
                return settle(track, Openness.CLOSED, track.pending_seen, config, needed=1)
            return replace(track, doubted=stamp)
    return track


def _with_sides(track: PlaceTrack, tracks: Sequence[PlaceTrack], home: HomeMap) -> PlaceTrack:
    """With all sides it may open at. Walls and neighbours do not move: what is known well is not always asked anew."""
    if track.sides is None or track.front_learned or track.steady < 3 or track.hits % 10 == 0:
        return replace(track, sides=possible_fronts(track, tracks, home))
    return track


def _telling(track: PlaceTrack) -> tuple[int, ...]:
    """Those of its sides that can say something: of what is not well known only the likeliest."""
    return track.sides if _shown_whole(track) and track.steady >= _STEADY else track.sides[:1]


def _telling_unseen(track: PlaceTrack) -> tuple[int, ...]:
    """The side that can say something of what the detector does not find: the front of what is well known."""
    known = track.front is not None and track.steady >= _STEADY and track.openness is not Openness.UNKNOWN and track.established and _shown_whole(track)
    return (track.front,) if known else ()


def _unmade_out(track: PlaceTrack, tracks: Sequence[PlaceTrack], fronts: Fronts, frame: FrameInput, views: Sequence[PastView], traces: Traces | None, config: PerceptionConfig,
                thing_shows: bool = False) -> PlaceTrack:
    """Of what the detector does not find, with its door open or behind whoever stands at it: something stands before its front where there was air, its inside shows,
    or a thing in there (``thing_shows``), or its front does."""
    if not _telling_unseen(track):
        return track
    if track.openness is not Openness.OPEN and _needed(track, Openness.OPEN, frame, traces, config) > config.openness_frames:
        return track  # nobody is near
    sign = None
    at, behind, asked = fronts.plane(track.body, track.front)
    if thing_shows or at + behind >= 6 and behind >= 0.6 * (at + behind) and fronts.hollow(track.body, track.front):
        sign = Openness.OPEN
    elif (door := _own_door(track, tracks, frame, views, traces, config)) is not None:
        sign, track = Openness.OPEN, replace(track, panel=_thinned(door))
    elif track.openness is Openness.OPEN and (at >= 0.3 * asked and behind <= 0.1 * at
                                              or track.panel is not None and panel_gone(track.panel, frame, _noise(track, frame, config)) is Openness.CLOSED):
        sign = Openness.CLOSED
    return settle(track, sign, frame.stamp, config, needed=_needed(track, sign, frame, traces, config))


def _apart(track: PlaceTrack, tracks: Sequence[PlaceTrack], frame: FrameInput, views: Sequence[PastView], traces: Traces | None, config: PerceptionConfig) -> np.ndarray | None:
    """Points of the open door of what is in view itself, where whoever stands between hides that the two belong together."""
    if not _telling_unseen(track) or _needed(track, Openness.OPEN, frame, traces, config) > config.openness_frames:
        return None
    door = _own_door(track, tracks, frame, views, traces, config)
    return None if door is None else _thinned(door)


def _own_door(track: PlaceTrack, tracks: Sequence[PlaceTrack], frame: FrameInput, views: Sequence[PastView], traces: Traces | None, config: PerceptionConfig) -> np.ndarray | None:
    """Points that stand before its front where there was air, unless they are the door of another container."""
    door = _before_it(track, frame, views, config)
    if door is None or whose_door.neighbour(track, door, tracks, traces or {}, frame.stamp, config) is not None or whose_door.of_another(replace(track, swung=door), tracks):
        return None
    return door


def _thinned(door: np.ndarray) -> np.ndarray:
    return door[:: max(1, len(door) // 30)]


def _before_it(track: PlaceTrack, frame: FrameInput, views: Sequence[PastView], config: PerceptionConfig) -> np.ndarray | None:
    """Points (n, 3) of what stands out of its front where there was air while it was shut, as large as a good part of a door; None: nothing that is in view does."""
    if track.front == TOP:
        return None
    low, high, axis, sign = -np.asarray(track.body.size) / 2, np.asarray(track.body.size) / 2, track.front // 2, SIGNS[track.front]
    noise, out = _noise(track, frame, config), max(track.body.size[1 - axis], min(track.body.size[2], 0.8))  # a door hung at the side, or below
    near, far = sign * (high[axis] + 0.08 + 2 * noise), sign * (high[axis] + out)
    low[axis], high[axis] = min(near, far), max(near, far)
    low[2], high[2] = low[2] + 0.03, high[2] + 0.03
    u, v, z = project(track.body.to_map(np.array(list(product(*zip(low, high))))), frame.camera, frame.camera_pose)
    if (z < 0.3).any():
        return None
    left, right, top, bottom = max(0, int(u.min())), min(frame.camera.width, int(u.max()) + 1), max(0, int(v.min())), min(frame.camera.height, int(v.max()) + 1)
    if right - left < 8 or bottom - top < 8:
        return None
    step = max(1, int(np.sqrt((right - left) * (bottom - top) / _READ)))
    part = slice(top, bottom, step), slice(left, right, step)
    depth = frame.depth[part]
    rows, columns = np.nonzero(depth > 0.1 if frame.passing is None else (depth > 0.1) & ~frame.passing[part])
    if len(rows) < _LEAST_READ * depth.size:
        return None
    points = back_project(top + rows * step, left + columns * step, depth[rows, columns], frame)
    local = track.body.to_local(points)
    inside = points[((local >= low) & (local <= high)).all(axis=1)]
    area = len(inside) * (step * float(z.mean()) / frame.camera.fx) ** 2
    if area < _OF_A_DOOR * track.body.size[1 - axis] * track.body.size[2]:
        return None
    new = inside[was_air(while_shut(track, views), inside, config)] if views else inside[:0]
    return new if len(new) >= 0.7 * len(inside) else None


def _weight(track: PlaceTrack, sign: Openness | None, fronts: Fronts, frame: FrameInput, config: PerceptionConfig) -> int:
    """How many frames' worth a sign is: a door that stands out, or no longer does, tells more than a look inside; the front seen whole where it stood out, more still."""
    if sign is Openness.OPEN:
        return _DOOR_COUNTS if track.swung is not None else 1
    if sign is Openness.CLOSED and track.openness is Openness.OPEN:
        gone = track.panel is not None and panel_gone(track.panel, frame, _noise(track, frame, config)) is Openness.CLOSED
        return _DOOR_COUNTS + gone if _front_whole(track, fronts) else _DOOR_COUNTS if gone else 1
    return 1


def _needed(track: PlaceTrack, sign: Openness | None, frame: FrameInput, traces: Traces | None, config: PerceptionConfig) -> int:
    """Frames a change must last: longer where it was seen to be otherwise a moment ago and nobody has been there since."""
    if not traces or sign is not Openness.OPEN or track.openness is not Openness.CLOSED or frame.stamp - track.confirmed > _LATELY:
        return config.openness_frames
    near = any(track.body.footprint_distance(s.position) <= config.reach + _LEANT for stances in traces.values() for s in reversed(stances)
               if s.stamp >= track.confirmed - _LATELY)
    return config.openness_frames if near else _BY_ITSELF * config.openness_frames


def possible_fronts(track: PlaceTrack, tracks: Sequence[PlaceTrack], home: HomeMap) -> tuple[int, ...]:
    """Sides it can open at, likeliest first: not against a wall nor another piece of furniture; best with a wall behind."""
    if track.cls in classes.OPENS_ABOVE:
        return (TOP,)
    if track.front_learned and track.front is not None:
        return (track.front,)
    scored, room = [], home.room_of(track.body.centre) if home.rooms else None
    others = [t.body for t in tracks if t.id != track.id and t.hits >= 3 and classes.get(t.cls).kind is classes.Kind.CONTAINER]
    reach = SIDES[:4] * (np.asarray(track.body.size) / 2) + SIDES[:4] * 0.25
    ahead, back = track.body.to_map(reach).tolist(), track.body.to_map(-reach).tolist()
    for side, (outside, behind) in enumerate(zip(ahead, back)):
        if (home.rooms and home.room_of(outside) != room) or any(body.holds(outside, 0.02) for body in others):
            continue
        axis = side // 2
        score = 2.0 * bool(home.rooms and home.room_of(behind) != room) + (0.5 if track.body.size[axis] <= track.body.size[1 - axis] + 0.05 else 0.0)
        scored.append((-score, side))
    return tuple(side for _, side in sorted(scored))


def look(track: PlaceTrack, one: Lifted, fronts: Fronts, frame: FrameInput, config: PerceptionConfig) -> tuple[Openness | None, int | None]:
    """What this frame alone says, and through which side; (None, None) when it does not say."""
    if track.swung is not None:
        return Openness.OPEN, stands_before(track.body, track.swung, track.sides)
    panel = None if track.openness is not Openness.OPEN or track.panel is None else _standing_out(track.panel, track.body, _noise(track, frame, config))
    if panel is not None:
        sign = panel_gone(panel, frame, _noise(track, frame, config))
        if sign is Openness.OPEN and _front_whole(track, fronts) and nothing_before(track, track.front, frame, _noise(track, frame, config)):
            return Openness.CLOSED, track.front  # what shows there is what is behind the open door
        if sign is Openness.OPEN or (sign is Openness.CLOSED and not _something_beside(track, one, _noise(track, frame, config))
                                     and not _inside_shows(track, fronts)):
            return sign, None
    if min(track.body.size) < 0.12:
        return None, None
    closed_at, whole_body = None, _shown_whole(track)
    lid = share(_above_it(track, one, _noise(track, frame, config))) if track.cls in classes.OPENS_ABOVE else 0.0
    if lid >= _LID or _plate(track, one, _noise(track, frame, config)) is not None:  # its lid stands up, and may hide the inside
        return (Openness.OPEN, TOP) if whole_body and track.steady >= _STEADY else (None, None)
    for rank, side in enumerate(_telling(track)):
        at, behind, asked = fronts.plane(track.body, side)
        if track.openness is Openness.OPEN and rank == 0 and at >= 0.3 * asked and behind <= 0.5 * at and nothing_before(track, side, frame, _noise(track, frame, config)):
            return Openness.CLOSED, side  # what shows behind the rest of its front is beside it
        needed = _INSIDE_FIRST if track.openness is Openness.UNKNOWN or not _as_large_as_its_class(track) else _INSIDE
        inside = track.steady >= _STEADY and behind >= (needed * (at + behind) if rank == 0 else max(20, 0.6 * (at + behind)))
        if at + behind >= 6 and inside and whole_body and (
                track.openness is not Openness.UNKNOWN or behind >= _NEARLY_ALL * asked or _as_large_as_its_class(track)):
            if side == TOP or fronts.hollow(track.body, side):
                return Openness.OPEN, side
            at, behind = at + behind, 0  # one plane, only farther back than it was thought to be
        if rank == 0:
            whole = at + behind >= 6 and behind <= 0.1 * (at + behind) and at >= (_NEARLY_ALL if track.cls in classes.OPENS_IN_PARTS else 0.3) * asked
            whole |= track.openness is Openness.OPEN and track.cls not in classes.OPENS_IN_PARTS and track.panel is not None and behind == 0 and at >= _ENOUGH
            hidden = panel is not None and track.cls in classes.OPENS_ABOVE  # the lid that stood up, behind whoever is before it
            if whole or (behind <= 2 and one.pixels >= 60 and not hidden and lid <= DOOR_SHARE and not _lid_within(track) and nothing_before(track, side, frame, _noise(track, frame, config))):
                closed_at = side
    return (Openness.CLOSED, closed_at) if closed_at is not None else (None, None)


def _front_whole(track: PlaceTrack, fronts: Fronts) -> bool:
    """Whether most of its front is seen to be where it is when it is shut."""
    at, behind, asked = fronts.plane(track.body, track.front) if track.front is not None else (0, 0, 0)
    return asked > 0 and at >= 0.5 * asked and behind <= 0.05 * at


def _inside_shows(track: PlaceTrack, fronts: Fronts) -> bool:
    """Whether its inside is plainly seen through its front, wherever the door is: it swung on, or hangs down."""
    if track.front is None or track.steady < _STEADY:
        return False
    at, behind, _ = fronts.plane(track.body, track.front)
    return behind >= max(6, _SHOWS * (at + behind)) and fronts.hollow(track.body, track.front)


def _shown_whole(track: PlaceTrack) -> bool:
    """Whether the body is about as large as such a thing is: of one known in part, or together with what stands beside it, the front plane lies somewhere else. What was
    never made out to be open or closed may be long by its open door."""
    size, typical = track.body.size, classes.get(track.cls).size
    longest = _LONG * max(typical[:2]) if track.openness is not Openness.UNKNOWN else np.inf
    return 0.6 * max(typical[:2]) < max(size[:2]) < longest and size[2] > 0.6 * typical[2]


def _as_large_as_its_class(track: PlaceTrack) -> bool:
    """Whether its footprint is about that of such a thing: of what took in a neighbour, or was made out in part, the front is somewhere else, and things mostly are shut."""
    (short, long), (least, most) = sorted(track.body.size[:2]), sorted(classes.get(track.cls).size[:2])
    return long <= _LONGER * most and _SHORTER * least <= short <= _LONGER * least + 0.05


def stands_before(body: Box, points: np.ndarray, sides: Sequence[int]) -> int | None:
    """The side (of ``sides``) before which points (n, 3) stand out of the body farthest; None when they stand out of none."""
    local, half = body.to_local(points), np.asarray(body.size) / 2
    out = {side: percentile(SIGNS[side] * local[:, side // 2], 80) - half[side // 2] for side in sides}
    best = max(out, key=out.get, default=None)
    return best if best is not None and out[best] > 0.05 else None


def _something_beside(track: PlaceTrack, one: Lifted, noise: float) -> bool:
    """Whether a good deal of it is seen outside its body: a door that swung on, or a part of the body not known before."""
    return share(~track.body.contains(one.points, 0.08 + 2 * noise)) > DOOR_SHARE


def _above_it(track: PlaceTrack, one: Lifted, noise: float) -> np.ndarray:
    """bool (n,): which of its points stand above its body, over it or close beside: of a lid that was up before anybody looked, no air is known."""
    local, half = track.body.to_local(one.points), np.asarray(track.body.size) / 2
    return ((np.abs(local) - half)[:, :2].max(axis=1) <= _BESIDE + 2 * noise) & (local[:, 2] - half[2] > _RIM + 2 * noise)


def _plate(track: PlaceTrack, one: Lifted, noise: float) -> np.ndarray | None:
    """Points (n, 3) of a plate on an edge of what opens above, that stands as high over its rim as it is deep there: a lid that is up, which may show little of itself when it is seen
    nearly from the side. None: there is none."""
    if track.cls not in classes.OPENS_ABOVE:
        return None
    above, half = _above_it(track, one, noise), np.asarray(track.body.size) / 2
    if above.sum() < max(_PLATE, _PLATE_SHARE * len(above)):
        return None
    low, high = np.percentile(track.body.to_local(one.points[above]), (10, 90), axis=0)
    stands = any(high[axis] - low[axis] <= _THICK + noise and min(abs(low[axis]), abs(high[axis])) >= half[axis] - _THICK
                 and high[2] - half[2] >= _STANDS * 2 * half[axis] and high[1 - axis] - low[1 - axis] >= _WIDE * 2 * half[1 - axis] for axis in (0, 1))
    return one.points[above] if stands else None


def _lid_within(track: PlaceTrack) -> bool:
    """Whether what opens above is so much taller than its class that a lid which stands up may be a part of the body that is known."""
    return track.cls in classes.OPENS_ABOVE and track.body.size[2] > _TALL * classes.get(track.cls).size[2]


def _standing_out(panel: np.ndarray, body: Box, noise: float) -> np.ndarray | None:
    """The points of an open door, (n, 3), that lie farther from the body than a reading errs; None where those are few: from so far away the door looks the same
    shut."""
    beyond = np.maximum(np.abs(body.to_local(panel)) - np.asarray(body.size) / 2, 0.0)
    out = panel[np.linalg.norm(beyond, axis=1) > _ON_PANEL + 2 * noise]
    return out if len(out) >= max(3, _TELLS * len(panel)) else None


def panel_gone(panel: np.ndarray, frame: FrameInput, noise: float) -> Openness | None:
    """Whether the door that stood out still does, points (n, 3): OPEN, CLOSED (it is air there again) or None (hidden, out of view)."""
    expected, measured = depth_at(panel, frame.depth, frame.camera, frame.camera_pose, frame.passing)
    with np.errstate(invalid="ignore"):
        past = measured > expected + _ON_PANEL + 2 * noise
        there = np.abs(measured - expected) <= _ON_PANEL + 2 * noise
    if past.sum() >= max(3, 0.5 * len(panel)) and there.sum() <= 0.5 * past.sum():
        return Openness.CLOSED
    stands = there.sum() >= max(3, 0.4 * len(panel)) and abs(median((measured - expected)[there])) <= _UNMOVED + 0.5 * noise  # many readings err less than one
    return Openness.OPEN if stands else None


def _reach(track: PlaceTrack, points: np.ndarray | None) -> float:
    """Mean distance from the middle of the body; 0 without points."""
    return 0.0 if points is None else float(np.linalg.norm(points - track.body.centre, axis=1).mean())


def _noise(track: PlaceTrack, frame: FrameInput, config: PerceptionConfig) -> float:
    return noise_at(track.body.centre, frame.camera_pose[:3, 3], config)


def nothing_before(track: PlaceTrack, side: int, frame: FrameInput, noise: float = 0.0) -> bool:
    """Whether the air before this side, where a door or drawer would stand, was looked through: says closed also from a flat angle."""
    axis, sign = side // 2, SIGNS[side]
    grid = np.repeat(face(side, 7, 0.45), 3, axis=0) * track.body.size
    grid[:, axis] += np.tile(sign * (np.linspace(0.12, 0.30, 3) + 2 * noise), 49)
    points = track.body.to_map(grid)
    expected, measured = depth_at(points, frame.depth, frame.camera, frame.camera_pose, frame.passing)
    with np.errstate(invalid="ignore"):
        past, hit = measured > expected + 0.03 + noise, np.abs(measured - expected) <= 0.03 + noise
    air = np.count_nonzero(past)
    return air >= 0.5 * len(points) and np.count_nonzero(hit) <= 0.04 * air


def settle(track: PlaceTrack, sign: Openness | None, stamp: float, config: PerceptionConfig, weight: int = 1, needed: int | None = None) -> PlaceTrack:
    """Believe a sign once it lasted ``needed`` (config.openness_frames), this one counting for ``weight``; one contrary frame, or a while without it,
    starts over. ``pending_since``: when the motion began."""
    if sign is None:
        return track
    if sign is track.openness:
        unwatched = (track.confirmed, stamp) if stamp - track.confirmed >= UNWATCHED else track.unwatched
        return replace(track, pending=None, pending_frames=0, confirmed=stamp, unwatched=unwatched, deserted=_deserted(track, stamp))
    again = sign is track.pending and stamp - track.pending_seen <= _LASTS
    frames = track.pending_frames + weight if again else weight
    since = track.pending_since if again else max(track.confirmed - _STILL[sign], stamp - _LEAD[sign])
    least = needed or config.openness_frames
    if track.openness is Openness.UNKNOWN and sign is Openness.CLOSED:
        least = min(least, _SHUT_AT_FIRST)
    if frames >= least:
        opened = since if sign is Openness.OPEN else track.opened_at
        closed = since if sign is Openness.CLOSED and track.openness is Openness.OPEN else track.closed_at
        return replace(track, openness=sign, pending=None, pending_frames=0, pending_since=since, confirmed=stamp, opened_at=opened,
                       closed_at=closed, panel=track.panel if sign is Openness.OPEN else None, deserted=_deserted(track, since))
    return replace(track, pending=sign, pending_frames=frames, pending_since=since, pending_seen=stamp)


def _deserted(track: PlaceTrack, until: float) -> tuple[float, float] | None:
    return (track.confirmed, until) if until - track.confirmed >= DESERTED else track.deserted


def look_at_doorway(doorway: MapDoorway, frame: FrameInput) -> Openness | None:
    """Whether a door leaf fills this opening of the map; None when it cannot be made out."""
    if frame.depth is None:
        return None
    across = np.array([np.cos(doorway.yaw), np.sin(doorway.yaw)])
    eye = frame.camera_pose[:3, 3]
    offset = np.asarray(doorway.centre) - eye[:2]
    distance = length(offset)
    if abs(float(across @ offset)) < 0.3 * distance or distance > 7:
        return None
    expected, measured = depth_at(opening(doorway), frame.depth, frame.camera, frame.camera_pose, frame.passing)
    gap = measured - expected
    at, behind = np.count_nonzero(np.abs(gap) <= 0.15), np.count_nonzero(gap > 0.3)
    if at + behind < 10:
        return None
    if behind >= 0.6 * (at + behind):
        return Openness.OPEN
    return Openness.CLOSED if at >= 0.85 * (at + behind) else None
