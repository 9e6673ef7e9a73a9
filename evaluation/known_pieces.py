"""What a detector saw of the furniture, told apart by the map of the home.

A detector at some metres makes one cupboard of two that hang side by side, and calls a counter a desk; the robot lives there and knows which pieces stand
where. Every detected piece of furniture is the piece on whose box most of its depth readings lie, and where they lie on several of that class, its mask is
cut between them, and off what lies beside it. Invariants: what is detected decides where something is seen at all, the map only what it is; nothing is added, and what lies on no
mapped piece stays as the detector had it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from household.camera import CameraModel
from perception.detectors.base import Detection
from perception.geometry import Box
from perception.places import is_place
from sim_bridges.embedded.model import Furniture

_STEP = 2  # pixels between the readings that are looked at
_NEAR, _NOISE = 0.08, 0.00625  # m from its box at which a reading lies on a piece: at all, and for each square metre of range
_LEAST, _SHARE = 12, 0.1  # readings, and share of them, that make a piece part of what was detected
_LEAF, _INSIDE = 0.1, 0.05  # m: no farther from one piece than from another, what stands out may be either's door; so far from its edges something is in it
_LEAF_SHARE = 0.04  # share of its readings that make a door before a piece part of what was detected
_FRONT, _STRIPS, _WHOLE = 0.05, 12, 0.8  # m from it at which a reading lies in a front; upright strips of it, and share of them that show in a front seen whole
_ON_ANY = 0.5  # share of its readings on mapped pieces from which on a detection is of one
_TO_LIE_ON, _ALL_ON = frozenset({"bed", "sofa"}), 0.8  # what has rails and wheels like a wheelchair; share of its readings that lie on one if it is one
_COARSE = 16  # every so many readings tell which pieces are in the picture at all


def boxes_of(furniture: Iterable[Furniture]) -> tuple[tuple[Furniture, Box], ...]:
    """Every place on the map with its box, the smallest first: a reading inside two is the smaller one's."""
    found = ((f, Box((f.position[0], f.position[1], f.position[2] + f.size[2] / 2), (f.size[1], f.size[0], f.size[2]), f.yaw))
             for f in furniture if is_place(f.cls))
    return tuple(sorted(found, key=lambda fb: (fb[1].volume, fb[0].id)))


def told_apart(found: Sequence[Detection], depth: np.ndarray, camera: CameraModel, pose: np.ndarray,
               pieces: Sequence[tuple[Furniture, Box]]) -> tuple[Detection, ...]:
    """``found`` with every piece of furniture as the map has it, one detection each. ``depth`` float32 (H, W) metres, ``pose`` (4, 4) optical → map."""
    result: list[Detection | None] = []
    by_piece: dict[str, list[tuple[bool, Detection, int]]] = {}
    for d in found:
        parts = ()
        if is_place(d.cls):
            parts = _parts(d, depth, camera, pose, pieces)
        elif d.cls == "wheelchair":  # none stands where a bed does
            parts = _parts(d, depth, camera, pose, [(f, b) for f, b in pieces if f.cls in _TO_LIE_ON], _ALL_ON)
        if not parts:
            result.append(d)
        for piece, mask in parts:
            by_piece.setdefault(piece.id, []).append((d.cls == piece.cls, _cut(d, piece.cls, mask), len(result)))
            result.append(None)
    for seen in by_piece.values():
        named = [s for s in seen if s[0]] or [max(seen, key=lambda s: s[1].score)]
        result[named[0][2]] = _joined([d for _, d, _ in named])
    return tuple(d for d in result if d is not None)


def _parts(d: Detection, depth: np.ndarray, camera: CameraModel, pose: np.ndarray, pieces: Sequence[tuple[Furniture, Box]], least: float = _ON_ANY
           ) -> list[tuple[Furniture, np.ndarray]]:
    """The pieces that a detection is of, each with its share of the mask, bool (h, w); none where less than the share ``least`` of it lies on them."""
    (left, top), (h, w) = d.offset, d.mask.shape
    z = depth[top:top + h, left:left + w]
    rows, columns = np.nonzero(d.mask[::_STEP, ::_STEP] & (np.nan_to_num(z[::_STEP, ::_STEP]) > 0))
    if len(rows) < _LEAST:
        return []
    rows, columns = rows * _STEP, columns * _STEP
    far = z[rows, columns].astype(np.float64)
    points = np.column_stack([(columns + left - camera.cx) / camera.fx * far, (rows + top - camera.cy) / camera.fy * far, far])
    points = points @ pose[:3, :3].T + pose[:3, 3]
    reach = _NEAR + _NOISE * far ** 2
    some = slice(None, None, max(1, min(_COARSE, len(points) // _LEAST)))
    close = [(f, b) for f, b in pieces if (_off(b, points[some]) <= reach[some]).any()]
    if not close:
        return []
    off = np.stack([_off(b, points) for _, b in close])
    nearest = off.argmin(axis=0)
    on = off[nearest, np.arange(len(points))] <= reach
    if on.mean() < least:
        return []
    counts = np.bincount(nearest[on], minlength=len(close))
    most = int(counts.argmax())
    alike = [i for i, (f, _) in enumerate(close) if i == most or (f.cls == close[most][0].cls and counts[i] >= max(_LEAST, _SHARE * on.sum()))]
    out = points[~on]
    alike += [i for i, (f, b) in enumerate(close) if i not in alike and f.cls == close[most][0].cls and _before(b, out).sum() >= max(_LEAST, _LEAF_SHARE * len(points))]
    boxes = [close[i][1] for i in alike]
    of = _owners(boxes, off[alike], points, reach)
    for n, box in enumerate(boxes):
        of[(of == n) & (off[alike[n]] > reach) & ~_before(box, points)] = len(boxes)  # the wall beside it, the floor
    owner = np.full(d.mask[::_STEP, ::_STEP].shape, -1)
    owner[rows // _STEP, columns // _STEP] = of
    whole = _filled(owner).repeat(_STEP, axis=0).repeat(_STEP, axis=1)[:h, :w]
    cut = [(close[i][0], d.mask & (whole == n)) for n, i in enumerate(alike)]
    return [(piece, mask) for piece, mask in cut if mask.any()]


def _before(box: Box, points: np.ndarray) -> np.ndarray:
    """bool (n,): which of ``points`` (n, 3) lie where a door of the box, or a drawer, may stand: before its front (local +x), no farther than it is wide."""
    local, half = box.to_local(points), 0.5 * np.asarray(box.size)
    return ((local[:, 0] > half[0]) & (local[:, 0] < half[0] + box.size[1] + _LEAF) & (np.abs(local[:, 1]) < half[1] + 2 * _LEAF)
            & (np.abs(local[:, 2]) < half[2] + _LEAF))


def _owners(boxes: Sequence[Box], off: np.ndarray, points: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """int (n,): the piece, of those ``off`` (k, n) metres away, that each of ``points`` (n, 3) is of: the nearest. A door that stands out between two is
    that one's which shows its inside, or more that stands out before it alone, and not that one's whose front shows whole."""
    owner, apart = off.argmin(axis=0), np.sort(off, axis=0)
    if len(boxes) < 2:
        return owner
    out = apart[0] > reach - _NEAR
    between = out & (apart[1] - apart[0] < _LEAF)
    if not between.any():
        return owner
    inside = [(_deep(b, points) > reach).sum() for b in boxes]
    signs = np.array([i + (out & ~between & (owner == n)).sum() for n, i in enumerate(inside)])
    shut = np.array([_front_shown(b, points) >= _WHOLE for b in boxes])
    if not shut.all():
        signs = np.where(shut, -1, signs)
    if signs.any():
        owner[between] = int(signs.argmax())
    return owner


def _front_shown(box: Box, points: np.ndarray) -> float:
    """Share of upright strips of its front in which some of ``points`` (n, 3) lie."""
    local, half = box.to_local(points), 0.5 * np.asarray(box.size)
    there = local[(np.abs(local[:, 0] - half[0]) < _FRONT) & (np.abs(local[:, 1]) < half[1]) & (np.abs(local[:, 2]) < half[2]), 1]
    return len(np.unique((_STRIPS * (there / box.size[1] + 0.5)).astype(int))) / _STRIPS


def _deep(box: Box, points: np.ndarray) -> np.ndarray:
    """Metres behind its front (local +x) at which each of ``points`` (n, 3) is in a box, clear of its other sides; 0 for those that are not."""
    local, half = box.to_local(points), 0.5 * np.asarray(box.size)
    clear = (np.abs(local[:, 1:]) < half[1:] - _INSIDE).all(axis=1) & (np.abs(local[:, 0]) < half[0])
    return np.where(clear, half[0] - local[:, 0], 0.0)


def _off(box: Box, points: np.ndarray) -> np.ndarray:
    """Metres from a box to each of ``points`` (n, 3), 0 inside."""
    return np.linalg.norm(np.maximum(np.abs(box.to_local(points)) - 0.5 * np.asarray(box.size), 0.0), axis=1)


def _filled(owner: np.ndarray) -> np.ndarray:
    """What no reading decides (-1) goes with the last that was decided in its row, else with the column's."""
    for axis in (1, 0):
        for one in (owner, owner[::-1, ::-1]):
            index = np.where(one >= 0, np.indices(one.shape)[axis], -1)
            last = np.maximum.accumulate(index, axis=axis)
            taken = np.take_along_axis(one, np.maximum(last, 0), axis=axis)
            one[...] = np.where((one < 0) & (last >= 0), taken, one)
    return owner


def _cut(d: Detection, cls: str, mask: np.ndarray) -> Detection:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    (left, top), tight = d.offset, mask[rows[0]:rows[-1] + 1, columns[0]:columns[-1] + 1]
    return replace(d, cls=cls, mask=tight, offset=(left + int(columns[0]), top + int(rows[0])), names=d.names if cls == d.cls else ())


def _joined(parts: Sequence[Detection]) -> Detection:
    """Several of one piece as one."""
    best = max(parts, key=lambda d: d.score)
    if len(parts) == 1:
        return best
    boxes = np.array([d.box for d in parts])
    (left, top), (right, bottom) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    mask = np.zeros((bottom - top, right - left), dtype=bool)
    for d in parts:
        x, y = d.box[0] - left, d.box[1] - top
        mask[y:y + d.mask.shape[0], x:x + d.mask.shape[1]] |= d.mask
    return replace(best, mask=mask, offset=(int(left), int(top)))
