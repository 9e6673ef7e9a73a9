"""Two bodies in one detection: who passes close before somebody else is at times detected as one with them.

What comes after takes one detection for one person, so one of the two would vanish and the other stand between both. Where two who are followed are both expected in
one detection, its pixels are shared out by where each is expected and by what each wears, all that is above one spot of the floor together. Invariants: only people
who have been followed until now are told apart, never those who look alike or whom the source knows by name; no pixel is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.lifting import back_project
from perception.people import LOWER_FROM, PersonTrack, alike, likelihoods, look_at, look_by, tints

_LATELY = 0.8  # s since somebody was seen within which they are still about there
_BODY, _SHOWS = 0.4, 0.1  # m from the middle of somebody within which their body shows; share of a detection that must be so near, and be theirs in the end
_OFF = 0.3  # m, standard deviation of what is seen of somebody from where they are expected
_SAME, _MORE = 0.75, 0.08  # likeness of a part to whom it is of, at least, and by how much less alike it and the other must be
_SPOT = 0.1  # m, edge of a spot of the floor above which all is of one person
_MOST = 5.0  # log odds that one pixel tells, at most
_ROUNDS = 3  # in which pixels are shared out, and middles found anew
_AROUND = 9  # pixels
_THEMSELVES = 0.85  # likeness from which another detection is that person, who is then not in this one
_FEW = 300  # pixels that are asked first

_Read = tuple[np.ndarray, np.ndarray, np.ndarray]  # rows, columns and points of pixels, as of :func:`_read`


def parted(detections: Sequence[Detection], known: Sequence[PersonTrack], frame: FrameInput, config: PerceptionConfig) -> tuple[Detection, ...]:
    """The detections in the order given, one that is of two people as two. ``known``: who was followed until now."""
    lately = [t for t in known if t.hits >= config.confirm_frames and not t.named and frame.stamp - t.last_seen < _LATELY]
    people = [d for d in detections if d.cls == "person" and d.identity is None]
    if len(lately) < 2 or not people or frame.depth is None or frame.camera_pose is None:
        return tuple(detections)
    middles = [np.asarray(t.position) + t.velocity() * min(frame.stamp - t.last_seen, 0.5) for t in lately]
    shown = [_read(d, frame, config, _FEW) for d in people]
    near = np.array([[_near(points, m) for m in middles] for _, _, points in shown])
    parts = {}
    for i, one in enumerate(people):
        here = [j for j in np.argsort(-near[i], kind="stable") if near[i, j] >= max(_SHOWS, near[:, j].max())]
        here = [j for j in here if len(here) > 1 and not _found(lately[j], i, shown, frame)]
        pairs = ((_two(one, [lately[j] for j in pair], [middles[j] for j in pair], frame, config)) for pair in combinations(here, 2))
        parts[id(one)] = next((two for two in pairs if two is not None), (one,))
    return tuple(part for d in detections for part in parts.get(id(d), (d,)))


def _near(points: np.ndarray, middle: np.ndarray) -> float:
    """Share of ``points`` (n, 3), map, that are near enough to a ``middle``, (2,), to be of a body there."""
    return float((np.hypot(*(points[:, :2] - middle).T) < _BODY).mean()) if len(points) else 0.0


def _found(somebody: PersonTrack, i: int, shown: Sequence[_Read], frame: FrameInput) -> bool:
    """Whether another detection than the ``i``-th is them by its looks, and more so than that one. ``shown``: of all detections of people."""
    like = [alike(look_at(frame.color[rows, columns], points[:, 2] <= LOWER_FROM), somebody.look) for rows, columns, points in shown]
    return any(x >= _THEMSELVES and x > like[i] for k, x in enumerate(like) if k != i)


def _two(one: Detection, pair: Sequence[PersonTrack], middles: Sequence[np.ndarray], frame: FrameInput, config: PerceptionConfig
         ) -> tuple[Detection, Detection] | None:
    """The parts of a detection that are of one and of the other of a ``pair``, expected at ``middles``; None: it is of one of them, or there is no telling."""
    if alike(pair[0].look, pair[1].look) > 1 - _MORE:
        return None
    rows, columns, points = _read(one, frame, config)
    lower, tinted = points[:, 2] <= LOWER_FROM, tints(frame.color[rows, columns])
    mine = _shared_out(points, np.subtract(*likelihoods(tinted, lower, [t.look for t in pair])), middles)
    parts = mine, ~mine
    if any(own.mean() < _SHOWS for own in parts):
        return None
    for t, other, own in zip(pair, pair[::-1], parts):
        look = look_by(tinted.compress(own, axis=1), lower[own])
        if alike(look, t.look) < max(_SAME, alike(look, other.look) + _MORE):
            return None
    first = _all(one, rows, columns, mine)
    return _cut(one, first), _cut(one, ~first)


def _read(one: Detection, frame: FrameInput, config: PerceptionConfig, most: int | None = None) -> _Read:
    """Rows and columns, int (n,), and points in map, (n, 3), of its pixels with a reading; of about ``most`` of them."""
    (left, top), (h, w) = one.offset, one.mask.shape
    z = frame.depth[top:top + h, left:left + w]
    at = (one.mask & (z > config.min_range) & (z < config.max_range)).ravel().nonzero()[0]
    at = at if most is None else at[::max(1, len(at) // most)]
    rows, columns = np.divmod(at, w)
    rows, columns = rows + top, columns + left
    return rows, columns, back_project(rows, columns, frame.depth[rows, columns].astype(np.float64), frame)


def _shared_out(points: np.ndarray, worn: np.ndarray, middles: Sequence[np.ndarray]) -> np.ndarray:
    """bool (n,): which of ``points`` (n, 3), map, are of the first of two people. ``worn``: log odds, (n,), by colour; ``middles``: where they are expected, then where what
    is theirs lies."""
    mine, plan, spots = np.zeros(len(points), bool), np.ascontiguousarray(points[:, :2].T), _spots(points)
    for _ in range(_ROUNDS):
        first, second = (x * x + y * y for x, y in (plan - np.asarray(m)[:, None] for m in middles))
        mine = _upright(spots, worn + (second - first) / (2 * _OFF ** 2)) > 0
        if mine.all() or not mine.any():
            break
        middles = [np.median(plan.compress(own, axis=1), axis=1) for own in (mine, ~mine)]
    return mine


def _spots(points: np.ndarray) -> np.ndarray:
    """int (n,): the spot of the floor below each of ``points``, (n, 3), map."""
    x, y = np.floor(points[:, :2].T / _SPOT).astype(np.int64)
    x, y = x - x.min(), y - y.min()
    return x * (y.max() + 1) + y


def _upright(spots: np.ndarray, better: np.ndarray) -> np.ndarray:
    """The mean of ``better``, (n,), over all that is above the same one of ``spots``, (n,): people are upright, so what is there is of one of them."""
    return (np.bincount(spots, np.clip(better, -_MOST, _MOST)) / np.maximum(np.bincount(spots), 1))[spots]


def _all(one: Detection, rows: np.ndarray, columns: np.ndarray, mine: np.ndarray) -> np.ndarray:
    """bool as its mask: ``mine``, (n,), at these of its pixels, and elsewhere as at most of those around."""
    grid = np.zeros(one.mask.shape, np.float32)
    grid[rows - one.offset[1], columns - one.offset[0]] = np.where(mine, 1.0, -1.0)
    return np.where(grid != 0, grid, cv2.blur(grid, (_AROUND, _AROUND), borderType=cv2.BORDER_CONSTANT)) > 0


def _cut(one: Detection, where: np.ndarray) -> Detection:
    """The part of a detection ``where`` bool as its mask, with the joints in it."""
    mask = one.mask & where
    rows, columns = mask.any(axis=1).nonzero()[0], mask.any(axis=0).nonzero()[0]
    top, left = int(rows[0]), int(columns[0])
    height, width = where.shape

    def within(u: float, v: float) -> bool:
        row, column = int(round(v)) - one.offset[1], int(round(u)) - one.offset[0]
        return bool(where[min(max(row, 0), height - 1), min(max(column, 0), width - 1)])

    return replace(one, mask=np.ascontiguousarray(mask[top:rows[-1] + 1, left:columns[-1] + 1]), offset=(one.offset[0] + left, one.offset[1] + top),
                   keypoints=tuple(k for k in one.keypoints if within(k.u, k.v)))
