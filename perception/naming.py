"""What a thing is called is decided over many looks, not anew in every frame.

A real detector is unsure of names and says so (:attr:`Detection.names`); one that changed its mind from frame to frame would make a new thing
each time. So the opinions about whatever is at one place are averaged, and a detection takes the name that the average favours, before anything
behind it reads the name; what went by another name before is said, so that the mistake can be forgotten. Detections without a second opinion pass unchanged. Invariants: only names move, never masks; a person or a door is
never renamed, and nothing is renamed to one; memory is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from household import classes
from household.classes import Kind
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.order import median

_FIXED = (Kind.PERSON, Kind.DOOR)
_LEAST_WEIGHT = 0.06  # of a look, however many there were before
_GATE, _GATE_SHARE = 0.15, 0.35  # metres, and share of its extent, that the middle of what is seen may move between looks
_SPEED, _STRIDE = 0.8, 0.35  # m/s, and m at most, that a thing in a hand moves between looks
_ITSELF = 0.2  # how likely its old name must be for something that far away to be the same thing, moved
_ALIKE = 2.2  # times as large, at most, is one look at a small thing than another
_COMMON = frozenset({*classes.EVERYDAY, "cellphone"})  # what lies about in every home
_COMMONER = 3.0  # odds that an everyday thing has over one that not every home has: the detector learnt them all from as many pictures
_HYSTERESIS = 1.25  # times as likely as the old name must a new one be
_LOOKS, _CLEAR = 2, 0.6  # looks before a name is passed on, and how likely it must be to pass at once
_DOUBTFUL = 0.3, 0.7  # mean probabilities of a name between which it becomes certain
_MOST, _FORGET = 400, 120.0  # places remembered; seconds after which one is forgotten


@dataclass(frozen=True)
class Opinion:
    """About what is at ``centre`` (map, m) with ``extent`` m: ``names`` class id → mean probability, ``called`` the name it goes by."""

    centre: tuple[float, float, float]
    extent: float
    names: Mapping[str, float]
    called: str
    looks: int
    stamp: float


@dataclass(frozen=True)
class Mistake:
    """What is at ``centre`` (map, m), about ``extent`` m large, was called ``cls`` and is not: it is called ``now``."""

    cls: str
    now: str
    centre: tuple[float, float, float]
    extent: float

    def concerns(self, cls: str, centre: Sequence[float]) -> bool:
        """Whether something of this class there was that mistake."""
        return cls == self.cls and float(np.linalg.norm(np.subtract(centre, self.centre))) <= _GATE + 0.5 * self.extent


def vouched(memory: Sequence[Opinion], cls: str, centre: Sequence[float], others: Sequence[Sequence[float]] = ()) -> bool:
    """Whether something goes by this name there still: then only another thing beside it was called so by mistake. ``others``: where there are other
    things of that name; what goes by it is the nearest."""
    for o in memory:
        away = float(np.linalg.norm(np.subtract(centre, o.centre)))
        if o.called == cls and away <= _GATE + 0.5 * o.extent and all(away <= float(np.linalg.norm(np.subtract(c, o.centre))) for c in others):
            return True
    return False


@dataclass(frozen=True)
class Settled:
    """``detections`` in the order given, less those of which too little is known yet. ``mistakes``: names given up in this frame."""

    memory: tuple[Opinion, ...]
    detections: tuple[Detection, ...]
    mistakes: tuple[Mistake, ...] = ()


def settle(memory: tuple[Opinion, ...], frame: FrameInput) -> Settled:
    """The detections of ``frame`` under the names that all looks so far favour, and what is remembered for the next."""
    middles = [middle_of(d, frame) if d.names and classes.get(d.cls).kind not in _FIXED else None for d in frame.detections]
    if frame.camera_pose is None or not any(m is not None for m in middles):
        return Settled(memory, frame.detections)
    pairs = _matched(memory, frame.detections, middles, frame.stamp)
    known, found, mistakes = list(memory), [], []
    for i, (one, middle) in enumerate(zip(frame.detections, middles)):
        if middle is None:
            found.append(one)
            continue
        old = memory[pairs[i]] if i in pairs else None
        new = _weighed(old, one, middle, frame.stamp)
        if old is None:
            known.append(new)
        else:
            known[pairs[i]] = new
            if new.called != old.called:
                mistakes.append(Mistake(old.called, new.called, old.centre, old.extent))
        if new.looks >= _LOOKS or new.names.get(new.called, 0.0) >= _CLEAR:
            found.append(_renamed(one, new))
    fresh = [o for o in known if frame.stamp - o.stamp < _FORGET]
    return Settled(tuple(sorted(fresh, key=lambda o: -o.stamp)[:_MOST]), tuple(found), tuple(mistakes))


def pooled(memory: tuple[Opinion, ...], centre: Sequence[float], names: Mapping[str, float], looks: int) -> tuple[Opinion, ...]:
    """What is at ``centre`` (map, m) was known elsewhere, as ``names`` after so many looks: the opinion there goes on from that."""
    near = [(float(np.linalg.norm(np.subtract(o.centre, centre))), i) for i, o in enumerate(memory)]
    away, i = min(near, default=(np.inf, -1))
    if away > _GATE:
        return memory
    best = max(sorted(names), key=lambda n: names[n])
    return (*memory[:i], replace(memory[i], names=dict(names), called=best, looks=memory[i].looks + looks), *memory[i + 1:])


def middle_of(one: Detection, frame: FrameInput) -> tuple[np.ndarray, float] | None:
    """The median point in map, float (3,), and the extent, m; None without depth."""
    if frame.depth is None or frame.camera_pose is None:
        return None
    left, top = one.offset
    inside = np.flatnonzero(one.mask)
    rows, columns = np.divmod(inside[::max(1, len(inside) // 200)], one.mask.shape[1])
    rows, columns = rows + top, columns + left
    z = frame.depth[rows, columns]
    good = np.isfinite(z) & (z > 0.1)
    if not good.any():
        return None
    rows, columns, z = rows[good], columns[good], z[good].astype(float)
    c = frame.camera
    middle = np.array([median((columns - c.cx) / c.fx * z), median((rows - c.cy) / c.fy * z), median(z), 1.0])
    extent = max(one.mask.shape[0] / c.fy, one.mask.shape[1] / c.fx) * middle[2]
    return (np.asarray(frame.camera_pose, float) @ middle)[:3], float(extent)


def _matched(memory: Sequence[Opinion], found: Sequence[Detection], middles: Sequence[tuple[np.ndarray, float] | None],
             stamp: float) -> dict[int, int]:
    """Index of a detection → index of the opinion about the same place; nearest pairs first, each at most once."""
    here = [i for i, m in enumerate(middles) if m is not None]
    if not memory or not here:
        return {}
    at, places = np.array([middles[i][0] for i in here]), np.array([o.centre for o in memory])
    distance = np.linalg.norm(at[:, None] - places[None], axis=2)
    extent = np.minimum(np.array([middles[i][1] for i in here])[:, None], np.array([o.extent for o in memory])[None])
    moved = np.array([min(_STRIDE, _SPEED * max(0.0, stamp - o.stamp)) if stamp - o.stamp < 2.0 else 0.0 for o in memory])
    likely = [{n for n, p in found[i].names if p >= _ITSELF} for i in here]
    itself = np.array([[o.called in names for o in memory] for names in likely])
    gate = _GATE + _GATE_SHARE * extent
    gate = np.where((extent < 0.6) & itself, gate + moved[None], gate)
    larger = np.abs(np.log(np.array([middles[i][1] for i in here])[:, None] / np.array([o.extent for o in memory])[None]))
    alike = larger < np.log(np.where(extent < 0.6, _ALIKE, 3.0))
    cost = np.where((distance <= gate) & alike, distance / gate, np.inf)
    pairs: dict[int, int] = {}
    rows, columns = np.nonzero(np.isfinite(cost))
    for _, i, j in sorted(zip(cost[rows, columns].tolist(), rows.tolist(), columns.tolist())):
        if here[i] not in pairs and j not in pairs.values():
            pairs[here[i]] = j
    return pairs


def _weighed(old: Opinion | None, one: Detection, middle: tuple[np.ndarray, float], stamp: float) -> Opinion:
    names = _likely({n: p for n, p in one.names if classes.get(n).kind not in _FIXED})
    centre, extent = tuple(float(x) for x in middle[0]), middle[1]
    if old is None:
        return Opinion(centre, extent, names, max(sorted(names), key=lambda n: names[n], default=one.cls), 1, stamp)
    share = max(1.0 / (old.looks + 1), _LEAST_WEIGHT)
    mean = {n: (1 - share) * old.names.get(n, 0.0) + share * names.get(n, 0.0) for n in dict.fromkeys((*old.names, *names))}
    best = max(sorted(mean), key=lambda n: mean[n])
    called = best if mean[best] > _HYSTERESIS * mean.get(old.called, 0.0) else old.called
    return Opinion(centre, extent, {n: p for n, p in mean.items() if p > 0.005}, called, old.looks + 1, stamp)


def _likely(names: Mapping[str, float]) -> dict[str, float]:
    """Bayes: the same share of certainty, spread by how common things are in homes too."""
    odds = {n: p * (_COMMONER if n in _COMMON else 1.0) for n, p in names.items()}
    total = sum(odds.values())
    return {n: p / total * sum(names.values()) for n, p in odds.items()} if total > 0 else dict(names)


def _renamed(one: Detection, opinion: Opinion) -> Detection:
    """The score follows: how sure it is that something is there, times how sure of the name. Its names are those of all looks."""
    there = one.score / max(dict(one.names).get(one.cls, 1.0), 1e-3)
    names = tuple(sorted(opinion.names.items(), key=lambda kv: -kv[1]))
    return replace(one, cls=opinion.called, score=min(1.0, there * min(1.0, opinion.names.get(opinion.called, 0.0))), names=names)


def certainty(one: Detection) -> float:
    """How likely it bears the right name. Class probabilities below three tenths are guesses, from seven tenths on they were hardly ever wrong."""
    if not one.names:
        return 1.0
    low, high = _DOUBTFUL
    return float(np.clip((dict(one.names).get(one.cls, 0.0) - low) / (high - low), 0.1, 1.0))
