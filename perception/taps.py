"""Whether a tap runs: below its spout stands a narrow upright stripe, cooler in colour than grey and than what is to both sides of it.

A jet is about as wide as a pixel. What stands on a counter does not move, though, and the same points of the map, looked up in every picture
wherever the camera turns, show for as long as nothing changes what they showed before: a stripe that comes or goes tells most surely, and one that is
plainly there tells also of a tap that was never seen to be turned on. Looked at is the tint (blue against red), which the brightness of the picture does
not touch, column by column over the height of the tap: a lamp or the exposure tints all columns, a thing put down many, a jet one.

Invariant: nothing is judged of the columns that somebody or something is before, nor of a tap half hidden, nor compared with what was seen from another standpoint; that no stripe is
made out is no sign that a tap is shut (None), only that one has gone is: before the camera's eyes, or, of one that was plainly there, look after look from nearby.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from household import classes
from perception.frame import FrameInput
from perception.geometry import depth_at, length, project
from perception.lifting import Lifted
from perception.places import PlaceTrack
from perception.records import replace

WATER = frozenset({"faucet", "sink"})
_ROWS, _COLUMNS = 24, 32
_WIDTH = 0.32  # m that is looked at across the line of sight: whatever side the spout is on
_ABOVE = 6  # rows at the top that no water runs through
_BESIDE = 0.05  # m to either side of a jet it is not: wider is a thing
_STRIPE, _PLAIN = 0.028, 0.06  # tint by which a stripe differs; so much that one reading is enough
_THERE = 0.038  # tint by which a stripe differs that is plainly there: jets 0.05 and more from within 3 m at 1280×960, shut taps up to 0.037 (the tap itself)
_FAR, _FAR_THERE = 4.0, 0.045  # m beyond which the tap itself is about as wide as a jet; the same from there
_PART = 1 / 3  # of a stripe that has come or gone may have been there before, or stay; so much of it shows half way down, too
_HALF_WAY = slice(11, 18)  # rows from the spout's mouth on that nothing low reaches up to that stands before the tap
_SURE = 3  # sightings of the tap, and readings of what is below its spout, before a change means anything
_LASTS = 2  # readings that a change of less lasts
_STANDPOINT = 0.15  # m the camera may have moved
_BEFORE = 0.3  # m nearer than the tap is before it
_CLEAR = 0.95  # share of it that nobody is before
_COLUMN, _HALF = 0.6, 0.5  # share of a column that nothing is before, for it to be seen; share of the columns that must be
_UNNAMED = 0.03  # share of a column that something nobody has named may be before
_RIM = 2  # pixels to either side of a thing that its colour runs into: one pixel off, a blue rim beside a tap is a jet
_LEAST = 6.0  # pixels: height of a tap that can be judged
_NEAR, _NOTHING, _BARE = 3.5, 0.02, 4  # m; tint by which nothing differs there: 0.012 of shut taps; readings in a row from nearby that show nothing of a jet that was plain
_KEPT = 0.9  # of what it showed before, when it shows the same again


@dataclass(frozen=True)
class Stream:
    """What the place below a spout showed: ``points`` (n, 3) in map, rows from the top; ``eye`` they were seen from; ``tint`` (rows, columns), and which columns,
    bool, were ``seen``; ``readings`` of it; ``changed``: readings in a row in which a stripe had come (+) or gone (-), a plain one counting for ``_LASTS``. From whatever
    standpoint, since the tap runs: whether it showed ``plain``; readings from nearby in a row that were ``bare`` of any jet."""

    points: np.ndarray
    eye: np.ndarray
    tint: np.ndarray
    seen: np.ndarray
    readings: int = 1
    changed: int = 0
    plain: bool = False
    bare: int = 0


def update(tracks: Sequence[PlaceTrack], seen: Mapping[str, Lifted], frame: FrameInput) -> tuple[PlaceTrack, ...]:
    """The tracks with ``stream`` and ``switched_on`` of those that are in view brought up to date."""
    tracks = tuple(_told(t) for t in tracks)
    if frame.depth is None or not any(t.cls in WATER and t.id in seen for t in tracks):
        return tracks
    return tuple(_watched(t, frame) if t.cls in WATER and t.id in seen and t.hits >= _SURE else t for t in tracks)


def _free_of(kind: classes.Kind, part: tuple[int, int, int, int], frame: FrameInput, rim: int) -> np.ndarray:
    """bool (h, w): pixels of the ``part`` (left, top, right, bottom) of the picture that nothing of a kind takes, nor is within ``rim`` pixels of to a side, or one above or below."""
    x0, y0, x1, y1 = part
    taken = np.zeros((y1 - y0, x1 - x0), bool)
    for d in frame.detections:
        left, top, right, bottom = d.box
        if left < x1 and right > x0 and top < y1 and bottom > y0 and classes.get(d.cls).kind is kind:
            x, y = max(left, x0), max(top, y0)
            mask = d.mask[y - top:y1 - top, x - left:x1 - left]
            taken[y - y0:y - y0 + mask.shape[0], x - x0:x - x0 + mask.shape[1]] |= mask
    return ~cv2.dilate(taken.view(np.uint8), np.ones((3, 2 * rim + 1), np.uint8)).view(bool)


def _watched(track: PlaceTrack, frame: FrameInput) -> PlaceTrack:
    eye, old = frame.camera_pose[:3, 3], track.stream
    if old is not None and length(eye - old.eye) > _STANDPOINT:
        old = None
    points = old.points if old is not None else _below_the_spout(track, eye)
    looked = _tint(points, frame)
    if looked is None:
        return track
    told = _compared(track, old, points, eye, *looked)
    return _unless_bare(told, track.stream, length(np.subtract(track.body.centre, eye)), *looked)


def _unless_bare(told: PlaceTrack, before: Stream | None, distance: float, now: np.ndarray, seen: np.ndarray) -> PlaceTrack:
    """Turned off, if it showed plainly that it ran and for some readings from nearby shows nothing of it: whoever turned it off stood before it, or the robot has moved since."""
    if not told.switched_on or told.stream is None:
        return told
    plain, bare = (before.plain, before.bare) if before is not None else (False, 0)
    if seen.mean() >= _HALF:
        there = float(_contrast(np.maximum(_columns(_filled(now, seen)), 0.0))[0].max())
        plain = plain or there >= _THERE
        bare = bare if distance > _NEAR else bare + 1 if there < _NOTHING else 0
    off = plain and bare >= _BARE
    return replace(told, switched_on=not off, stream=replace(told.stream, plain=plain and not off, bare=0 if off else bare))


def _compared(track: PlaceTrack, old: Stream | None, points: np.ndarray, eye: np.ndarray, now: np.ndarray, seen: np.ndarray) -> PlaceTrack:
    """With what shows ``now`` set against what showed from the same standpoint before, ``old``."""
    if old is None:  # one picture alone says nothing: it may only be cooler in its light there
        return replace(track, stream=Stream(points, np.array(eye), now, seen))
    both = old.seen & seen
    if both.mean() < _HALF:
        return track
    kept = Stream(points, old.eye, np.where(seen, now, old.tint), old.seen | seen)
    now, before = _filled(now, both), _filled(old.tint, both)
    fresh = old.readings < _SURE
    sign = 0 if fresh else _stripe(_columns(now - before))
    if sign:
        less, more = (before, now) if sign > 0 else (now, before)
        sign = 0 if _still_there(less, more) or not _a_stripe(more, less) or not _falls(more - less) else sign
    if sign == 0 and not track.switched_on:  # plainly there in this picture and in all before
        least = _FAR_THERE if length(np.subtract(track.body.centre, eye)) > _FAR else _THERE
        sign = max(0, min(_stripe(np.maximum(_columns(tint), 0.0), least) if _falls(tint) else 0 for tint in (now, before)))
    if sign == 0:
        share = 1.0 / (old.readings + 1) if fresh else 1 - _KEPT
        tint = np.where(old.seen & seen, old.tint + (kept.tint - old.tint) * share, kept.tint)
        return replace(track, stream=replace(kept, tint=tint, readings=old.readings + 1))
    without, with_it = (before, now) if sign > 0 else (now, before)
    at = _where(_columns(with_it - without))
    if _worth(*_contrast(_columns(without), at)) < 0 >= _worth(*_contrast(_columns(with_it), at)):  # something warmer than water stood there and has gone, or came
        return replace(track, stream=kept)
    changed = old.changed + sign if old.changed * sign >= 0 else sign
    on = sign > 0
    if abs(changed) < _LASTS:
        return replace(track, stream=replace(old, changed=changed))
    # of a tap not known before, what it was is told first, so that this is told as a change
    return replace(track, stream=replace(kept, readings=_SURE, changed=changed), switched_on=not on if track.switched_on is None else on)


def _still_there(less: np.ndarray, more: np.ndarray) -> bool:
    """Whether a stripe that shows more or less shows all the while: near the picture's edge everything is drawn wider, and a jet of half a pixel is one there."""
    at = _where(_columns(more - less))
    return bool(_contrast(_columns(less), at)[0] >= max(_STRIPE, _PART * _contrast(_columns(more), at)[0]))


def _a_stripe(more: np.ndarray, less: np.ndarray) -> bool:
    """Whether what has come or gone is a stripe by itself: the edge of something warm that shifts by a part of a pixel only differs from before."""
    return bool(_contrast(_columns(more), _where(_columns(more - less)))[0] >= _STRIPE)


def _falls(tint: np.ndarray) -> bool:
    """Whether the stripe of (rows, columns) comes down from the spout: a mug that stands below it is as blue and hardly wider."""
    at = _where(_columns(tint))
    return bool(_contrast(_smoothed(tint[_HALF_WAY]), at)[0] >= _PART * _contrast(_columns(tint), at)[0])


def _told(track: PlaceTrack) -> PlaceTrack:
    """With the change that the last picture made plain, of which only what was before has been told."""
    stream = track.stream
    if stream is None or abs(stream.changed) < _LASTS:
        return track
    return replace(track, stream=replace(stream, changed=0), switched_on=stream.changed > 0)


def _below_the_spout(track: PlaceTrack, eye: np.ndarray) -> np.ndarray:
    """A grid (rows · columns, 3) upright through the tap, across the line of sight, from its top down."""
    height = classes.get(track.cls).size[2]
    x, y, z = track.body.centre
    top = max(z + track.body.size[2] / 2, z - track.body.size[2] / 2 + height)
    ahead = np.subtract((x, y), eye[:2])
    right = np.array([ahead[1], -ahead[0]]) / max(length(ahead), 1e-6)
    across, down = np.meshgrid(np.linspace(-0.5, 0.5, _COLUMNS) * _WIDTH, np.linspace(0.0, 1.0, _ROWS) * height)
    return np.stack([x + across * right[0], y + across * right[1], top - down], axis=-1).reshape(-1, 3)


def _tint(points: np.ndarray, frame: FrameInput) -> tuple[np.ndarray, np.ndarray] | None:
    """Blue against red at each point, float32 (rows, columns), and which columns are to be seen, bool; None where somebody is before it or it is not in view."""
    u, v, z = project(points, frame.camera, frame.camera_pose)
    height, width = frame.color.shape[:2]
    if z.min() <= 0.1 or u.min() < 1 or v.min() < 1 or u.max() > width - 2 or v.max() > height - 2 or v.max() - v.min() < _LEAST:
        return None
    left, top, right, bottom = part = int(u.min()) - 1, int(v.min()) - 1, int(u.max()) + 3, int(v.max()) + 3
    at = v.astype(int) - top, u.astype(int) - left
    no_person = _free_of(classes.Kind.PERSON, part, frame, rim=1)
    if no_person[at].mean() < _CLEAR:
        return None
    no_thing = _free_of(classes.Kind.OBJECT, part, frame, _RIM)[at]
    expected, measured = depth_at(points, frame.depth, frame.camera, frame.camera_pose)
    with np.errstate(invalid="ignore"):
        unnamed = (no_thing & (measured < expected - _BEFORE)).reshape(_ROWS, _COLUMNS)
    hidden = unnamed.mean(axis=0) > _UNNAMED  # a window's frame, say: such columns are left out, and those beside them
    hidden[1:] |= hidden[:-1].copy()
    hidden[:-1] |= hidden[1:].copy()
    clear = (no_person[at] & no_thing).reshape(_ROWS, _COLUMNS) & ~hidden
    colour = frame.color[top:bottom, left:right].astype(np.float32)
    tint = 3.0 * (colour[..., 2] - colour[..., 0]) / (colour.sum(axis=-1) + 24.0)
    seen = cv2.remap(tint, (u - left).astype(np.float32).reshape(_ROWS, _COLUMNS), (v - top).astype(np.float32).reshape(_ROWS, _COLUMNS), cv2.INTER_LINEAR)
    return np.where(clear, seen, _mean(seen, clear)).astype(np.float32), clear.mean(axis=0) >= _COLUMN


def _mean(tint: np.ndarray, clear: np.ndarray) -> np.ndarray:
    """Of what is clear in each column; float (columns,)."""
    return np.where(clear, tint, 0.0).sum(axis=0) / np.maximum(clear.sum(axis=0), 1)


def _filled(tint: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """With what is hidden like what shows nearest to it: no stripe begins or ends there."""
    if seen.all():
        return tint
    known = seen.nonzero()[0]
    return tint[:, known[np.abs(np.arange(len(seen))[:, None] - known).argmin(axis=1)]]


def _columns(tint: np.ndarray) -> np.ndarray:
    """Mean of (rows, columns) down each column, smoothed over three, float (columns,)."""
    return _smoothed(tint[_ABOVE:])


def _smoothed(tint: np.ndarray) -> np.ndarray:
    columns = tint.mean(axis=0)
    return np.convolve(np.concatenate((columns[:1], columns, columns[-1:])), (0.25, 0.5, 0.25), "valid")  # beyond the edges as at them: not grey


def _stripe(columns: np.ndarray, least: float = _STRIPE) -> int:
    """How many readings' worth one of ``columns`` is cooler than those beside it (-: warmer), by ``least``; 0: none is."""
    come, gone = _contrast(columns)
    return _worth(float(come.max()), float(gone.max()), least)


def _where(columns: np.ndarray) -> int:
    """Index among those with columns on both sides of the one that is most cooler than them."""
    return int(np.argmax(_contrast(columns)[0]))


def _contrast(columns: np.ndarray, at: int | slice = slice(None)) -> tuple:
    """By how much columns are cooler, and warmer, than those beside them to the left and to the right."""
    beside = max(1, round(_BESIDE / _WIDTH * (_COLUMNS - 1)))
    inner, left, right = columns[beside:-beside][at], columns[:-2 * beside][at], columns[2 * beside:][at]
    return inner - np.maximum(left, right), np.minimum(left, right) - inner


def _worth(come: float, gone: float, least: float = _STRIPE) -> int:
    worth = 0 if max(come, gone) < least else 1 if max(come, gone) < _PLAIN else _LASTS
    return worth if come > gone else -worth
