"""What a thing is called is decided over many looks, not anew in every frame.

A real detector is unsure of names and says so (:attr:`Detection.names`); one that changed its mind from frame to frame would make a new thing
each time. So the opinions about whatever is at one place are averaged, and a detection takes the name that the average favours, before anything
behind it reads the name; what went by another name before is said, so that the mistake can be forgotten. Detections without a second opinion pass unchanged. Invariants: only names move, never masks; a person or a door is
never renamed, and nothing is renamed to one; memory is bounded.

What a hand carries is looked for where that hand is now, whatever it is called this time: between two pictures a walking hand goes farther than a thing on a table
could have moved, and half hidden by fingers a banana is a carrot, an orange and a banana in turn.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.classes import Kind
from perception.appearance import look_at, mean_look, unlike
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.geometry import length
from perception.order import medians
from perception.records import replace

_FIXED = (Kind.PERSON, Kind.DOOR)
_LEAST_WEIGHT = 0.06  # of an average look, however many there were before
_GATE, _GATE_SHARE = 0.15, 0.35  # metres, and share of its extent, that the middle of what is seen may move between looks
_OTHERWISE = 0.06  # m, instead of the first of those, for a small thing that looks like something else: more likely it is that, beside it
_SPEED, _STRIDE = 0.8, 0.35  # m/s, and m at most, that a thing in a hand moves between looks
GRASP = 0.22  # m from a wrist to the middle of what its hand holds
_HAND_SPEED, _HAND_LATELY = 1.8, 1.3  # m/s that the hand of somebody walking moves; s after which it may hold something else
_HAND_GONE = 3.0  # s after which what was in a hand is no longer where that hand was
_ITSELF = 0.2  # how likely its old name must be for something that far away to be the same thing, moved
SMALL = 0.6  # m across: what is larger is not carried about in a hand
_LIES = 0.1  # m that the middle of what lies still may be seen to move
ALIKE = 2.2  # times as large, at most, is one look at a small thing than another
_COMMON = frozenset({*classes.EVERYDAY, "cellphone"})  # what lies about in every home
_COMMONER = 3.0  # odds that an everyday thing has over one that not every home has: the detector learnt them all from as many pictures
_HYSTERESIS = 1.25  # times as likely as the old name must a new one be
_OF_ONE_VIEW, _OF_OTHERS, _USUAL = 1.5, 3.0, 0.5  # what all looks of one view of a thing count for at most: they err alike; those of others; what one mostly counts for
_LOOKS, _CLEAR = 2, 0.6  # looks before a name is passed on, and how likely it must be to pass at once
_DOUBTFUL = 0.3, 0.7  # mean probabilities of a name between which it becomes certain
_FLEETING, _LONG_AGO = 1.0, 2.0  # of what was seen there for less than one sure look, so many s ago, somebody may have come by with it: it tells of nothing else that shows there
_LOOK_EVERY = 8  # looks after which only one in so many tells what it looks like
_MOST, _FORGET = 400, 120.0  # places remembered; seconds after which one is forgotten


@dataclass(frozen=True)
class Opinion:
    """About what is at ``centre`` (map, m) with ``extent`` m: ``names`` class id → mean probability, ``called`` the name it goes by. ``hand``: the wrist it
    is carried by, map, m, as far as is known. ``weight``: what the looks so far count for: one each, of small things as much as there surely is something.
    ``look``: what it looks like where it lies (:mod:`perception.appearance`). ``elsewhere``: class id → mean probability by the looks at it where it was before,
    which are not of this one view and count for ``elsewhere_weight`` however many come here. ``since``: from when on it has shown there, lying still."""

    centre: tuple[float, float, float]
    extent: float
    names: Mapping[str, float]
    called: str
    looks: int
    stamp: float
    hand: tuple[float, float, float] | None = None
    weight: float = 1.0
    look: np.ndarray | None = field(default=None, compare=False)
    elsewhere: Mapping[str, float] = field(default_factory=dict)
    elsewhere_weight: float = 0.0
    since: float | None = None

    @property
    def by_all(self) -> dict[str, float]:
        """Class id → mean probability, by the looks here and elsewhere."""
        if not self.elsewhere_weight:
            return dict(self.names)
        before, here = min(self.elsewhere_weight, _OF_OTHERS), min(self.weight, _OF_ONE_VIEW)
        return {n: (before * self.elsewhere.get(n, 0.0) + here * self.names.get(n, 0.0)) / (before + here) for n in {**self.elsewhere, **self.names}}


@dataclass(frozen=True)
class Mistake:
    """What is at ``centre`` (map, m), about ``extent`` m large, was called ``cls`` and is not: it is called ``now``."""

    cls: str
    now: str
    centre: tuple[float, float, float]
    extent: float

    def concerns(self, cls: str, centre: Sequence[float]) -> bool:
        """Whether something of this class there was that mistake."""
        return cls == self.cls and math.dist(centre, self.centre) <= _GATE + 0.5 * self.extent


def vouched(memory: Sequence[Opinion], wrong: Mistake, centre: Sequence[float], others: Sequence[Sequence[float]] = ()) -> bool:
    """Whether what is at ``centre`` (map, m) goes by that name still: then only another thing beside it was called so by mistake. Not by an opinion farther from it
    than what was mistaken is. ``others``: where there are other things of that name; what goes by it is the nearest."""
    mistaken = math.dist(centre, wrong.centre)
    for o in memory:
        away = math.dist(centre, o.centre)
        if o.called == wrong.cls and away <= min(_GATE + 0.5 * o.extent, mistaken) and all(away <= math.dist(c, o.centre) for c in others):
            return True
    return False


@dataclass(frozen=True)
class Settled:
    """``detections`` in the order given, less those of which too little is known yet. ``mistakes``: names given up in this frame."""

    memory: tuple[Opinion, ...]
    detections: tuple[Detection, ...]
    mistakes: tuple[Mistake, ...] = ()


def settle(memory: tuple[Opinion, ...], frame: FrameInput, wrists: np.ndarray = np.empty((0, 3))) -> Settled:
    """The detections of ``frame`` under the names that all looks so far favour, and what is remembered for the next. ``wrists``: float (n, 3), map, of everybody
    in the picture."""
    asked = [i for i, d in enumerate(frame.detections) if d.names and classes.get(d.cls).kind not in _FIXED]
    middle_by = dict(zip(asked, middles_of([frame.detections[i] for i in asked], frame)))
    middles = [middle_by.get(i) for i in range(len(frame.detections))]
    if frame.camera_pose is None or not any(m is not None for m in middles):
        return Settled(memory, frame.detections)
    hands = [_wrist_of(m, wrists) for m in middles]
    looks = _Looks(frame, middles, hands)
    pairs = _matched(memory, frame.detections, middles, hands, looks, frame.stamp)
    known, found, mistakes = list(memory), [], []
    for i, (one, middle) in enumerate(zip(frame.detections, middles)):
        if middle is None:
            found.append(one)
            continue
        old = memory[pairs[i]] if i in pairs else None
        new = _with_look(_weighed(old, one, middle, hands[i], frame.stamp), looks, i)
        if old is None:
            known.append(new)
        else:
            known[pairs[i]] = new
            if new.called != old.called:
                mistakes.append(Mistake(old.called, new.called, old.centre, old.extent))
        if new.looks >= _LOOKS or new.by_all.get(new.called, 0.0) >= _CLEAR:
            found.append(_renamed(one, new))
    fresh = [o for o in known if frame.stamp - o.stamp < _FORGET]
    return Settled(tuple(sorted(fresh, key=lambda o: -o.stamp)[:_MOST]), tuple(found), tuple(mistakes))


def pooled(memory: tuple[Opinion, ...], centre: Sequence[float], names: Mapping[str, float], looks: int, called: str) -> tuple[Opinion, ...]:
    """What is at ``centre`` (map, m) was known elsewhere, as ``names`` after so many looks: these stand beside those here, unless others do, for then the former took in the
    looks here as well. It goes by the name by which the thing is ``called``, until looks tell otherwise."""
    near = [(math.dist(o.centre, centre), i) for i, o in enumerate(memory)]
    away, i = min(near, default=(np.inf, -1))
    if away > _GATE:
        return memory
    known = replace(memory[i], called=called)
    if not known.elsewhere_weight:
        known = replace(known, elsewhere=dict(names), elsewhere_weight=_USUAL * looks)
    return (*memory[:i], known, *memory[i + 1:])


def left(memory: tuple[Opinion, ...], cls: str, centre: Sequence[float], stamp: float) -> tuple[Opinion, ...]:
    """Without what went by this name at ``centre`` (map, m) and does not show there at ``stamp``: it is elsewhere now, and what is seen there next is another thing."""
    return tuple(o for o in memory if o.called != cls or o.stamp >= stamp or math.dist(centre, o.centre) > _GATE)


def middle_of(one: Detection, frame: FrameInput) -> tuple[np.ndarray, float] | None:
    """The median point in map, float (3,), and the extent, m; None without depth."""
    return middles_of([one], frame)[0]


def middles_of(those: Sequence[Detection], frame: FrameInput) -> list[tuple[np.ndarray, float] | None]:
    """As :func:`middle_of`, of each; their pixels are looked up together."""
    if frame.depth is None or frame.camera_pose is None or not those:
        return [None] * len(those)
    pixels = [_some_pixels(d) for d in those]
    rows, columns = np.concatenate(pixels, axis=1)
    z, c = frame.depth[rows, columns].astype(float), frame.camera
    good = np.isfinite(z) & (z > 0.1)
    z[~good] = 0.0
    points, ends = np.array([(columns - c.cx) / c.fx * z, (rows - c.cy) / c.fy * z, z]), np.cumsum([p.shape[1] for p in pixels]).tolist()
    return [_middle(d, points[:, begin:end].compress(good[begin:end], axis=1).T, frame) for d, begin, end in zip(those, [0, *ends], ends)]


def _some_pixels(one: Detection) -> np.ndarray:
    """Rows and columns of the picture, int (2, n), of some 200 pixels of its mask, evenly spread; of all of a small one."""
    inside = one.mask.ravel().nonzero()[0]
    rows, columns = np.divmod(inside[::max(1, len(inside) // 200)], one.mask.shape[1])
    return np.array((rows + one.offset[1], columns + one.offset[0]))


def _middle(one: Detection, points: np.ndarray, frame: FrameInput) -> tuple[np.ndarray, float] | None:
    """Of what was read of it, optical (n, 3): the median in map and the extent, m; None where nothing was."""
    if not len(points):
        return None
    x, y, z = medians(points)
    extent = max(one.mask.shape[0] / frame.camera.fy, one.mask.shape[1] / frame.camera.fx) * z
    return (np.asarray(frame.camera_pose, float) @ (x, y, z, 1.0))[:3], float(extent)


def _wrist_of(middle: tuple[np.ndarray, float] | None, wrists: np.ndarray) -> np.ndarray | None:
    """The wrist, map, m, whose hand may hold what is there; None: it is in no hand."""
    if middle is None or not len(wrists) or middle[1] > SMALL:
        return None
    away = np.linalg.norm(wrists - middle[0], axis=1)
    return wrists[int(away.argmin())] if away.min() <= GRASP else None


def _matched(memory: Sequence[Opinion], found: Sequence[Detection], middles: Sequence[tuple[np.ndarray, float] | None],
             hands: Sequence[np.ndarray | None], looks: "_Looks", stamp: float) -> dict[int, int]:
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
    gate = np.where(extent < SMALL, np.where(itself, gate + moved[None], gate - _GATE + _OTHERWISE), gate)
    larger = np.abs(np.log(np.array([middles[i][1] for i in here])[:, None] / np.array([o.extent for o in memory])[None]))
    alike = larger < np.log(np.where(extent < SMALL, ALIKE, 3.0))
    carried_off = np.array([o.hand is not None and stamp - o.stamp > _HAND_GONE for o in memory])
    cost = np.where((distance <= gate) & alike & ~carried_off[None], distance / gate, np.inf)
    for i, k in enumerate(here):
        for j, o in enumerate(memory if hands[k] is not None else ()):
            if o.hand is not None and larger[i, j] < np.log(ALIKE):
                cost[i, j] = min(cost[i, j], _along(o, middles[k][0], hands[k], stamp) + (not itself[i, j]))  # what has the name goes first
    for k, j in zip(*np.nonzero(np.isfinite(cost) & ~itself)):
        if memory[j].look is not None and unlike(memory[j].look, looks.of(here[k])):
            cost[k, j] = np.inf  # another thing, before it or in its place
    fleeting = np.array([o.extent < SMALL and o.weight < _FLEETING and stamp - o.stamp > _LONG_AGO for o in memory])
    cost[fleeting[None] & ~itself] = np.inf
    pairs: dict[int, int] = {}
    rows, columns = np.nonzero(np.isfinite(cost))
    for _, i, j in sorted(zip(cost[rows, columns].tolist(), rows.tolist(), columns.tolist())):
        if here[i] not in pairs and j not in pairs.values():
            pairs[here[i]] = j
    return pairs


class _Looks:
    """What the detections of a frame look like, each asked for at most once; None of what is large or in a hand."""

    def __init__(self, frame: FrameInput, middles: Sequence[tuple[np.ndarray, float] | None], hands: Sequence[np.ndarray | None]):
        self._frame, self._found = frame, {}
        self._small = [m is not None and m[1] <= SMALL and hand is None for m, hand in zip(middles, hands)]

    def of(self, i: int) -> np.ndarray | None:
        if not self._small[i]:
            return None
        if i not in self._found:
            one = self._frame.detections[i]
            rows, columns = np.divmod(one.mask.ravel().nonzero()[0], one.mask.shape[1])
            self._found[i] = look_at(rows + one.offset[1], columns + one.offset[0], self._frame)
        return self._found[i]


def _with_look(new: Opinion, looks: _Looks, i: int) -> Opinion:
    if new.look is not None and new.looks >= _LOOK_EVERY and new.looks % _LOOK_EVERY:
        return new
    return replace(new, look=mean_look(new.look, looks.of(i), new.looks - 1))


def _along(opinion: Opinion, middle: np.ndarray, hand: np.ndarray, stamp: float) -> float:
    """How ill what is in this hand fits what one had a moment ago: at most 1, else infinite."""
    gone, since = length(hand - opinion.hand), stamp - opinion.stamp
    far = _GATE + _HAND_SPEED * since
    return max(gone / far, length(middle - hand - opinion.centre + opinion.hand) / (2 * GRASP)) if since < _HAND_LATELY and gone <= far else np.inf


def _carrying(old: Opinion | None, middle: np.ndarray, hand: np.ndarray | None) -> tuple[float, float, float] | None:
    """The hand that it is carried by now: the one in which it first showed or with which it moved; what stays where it is when hands move is in none."""
    if hand is None or old is None:
        return None if hand is None else tuple(float(x) for x in hand)
    moved = length(middle - old.centre)
    beside = length(middle - hand - old.centre + old.hand) if old.hand is not None else 0.0
    carried = moved > _LIES if old.hand is None else beside <= moved or moved <= _LIES and beside <= _LIES
    return tuple(float(x) for x in hand) if carried else None


def _weighed(old: Opinion | None, one: Detection, middle: tuple[np.ndarray, float], hand: np.ndarray | None, stamp: float) -> Opinion:
    names = _likely({n: p for n, p in one.names if classes.get(n).kind not in _FIXED})
    centre, extent, hand = tuple(float(x) for x in middle[0]), middle[1], _carrying(old, middle[0], hand)
    there = 1.0 if extent > SMALL else min(max(one.score / max(dict(one.names).get(one.cls, 1.0), 1e-3), 1e-3), 1.0)
    if old is None:
        return Opinion(centre, extent, names, _likeliest(names, one.cls), 1, stamp, hand, there, since=stamp)
    if extent <= SMALL and (old.hand is None) is not (hand is None):  # taken up, or put down: it is seen anew
        old = replace(old, names={}, weight=0.0, elsewhere=old.by_all, elsewhere_weight=old.weight + old.elsewhere_weight)
    weight = old.weight + there
    share = min(1.0, there / weight * max(1.0, _LEAST_WEIGHT * (old.looks + 1))) if old.names else 1.0
    mean = {n: (1 - share) * old.names.get(n, 0.0) + share * names.get(n, 0.0) for n in dict.fromkeys((*old.names, *names))}
    new = Opinion(centre, extent, {n: p for n, p in mean.items() if p > 0.005}, old.called, old.looks + 1, stamp, hand, weight, old.look, old.elsewhere,
                  old.elsewhere_weight, old.since if hand is None and old.hand is None and math.dist(centre, old.centre) <= _LIES else stamp)
    by_all = new.by_all
    best = _likeliest(by_all, old.called)
    return replace(new, called=best) if by_all.get(best, 0.0) > _HYSTERESIS * by_all.get(old.called, 0.0) else new


def _likeliest(names: Mapping[str, float], otherwise: str) -> str:
    return max(sorted(names), key=lambda n: names[n], default=otherwise)


def _likely(names: Mapping[str, float]) -> dict[str, float]:
    """Bayes: the same share of certainty, spread by how common things are in homes too."""
    odds = {n: p * (_COMMONER if n in _COMMON else 1.0) for n, p in names.items()}
    total = sum(odds.values())
    return {n: p / total * sum(names.values()) for n, p in odds.items()} if total > 0 else dict(names)


def _renamed(one: Detection, opinion: Opinion) -> Detection:
    """The score follows: how sure it is that something is there, times how sure of the name. Its names are those of all looks."""
    there = one.score / max(dict(one.names).get(one.cls, 1.0), 1e-3)
    by_all = opinion.by_all
    names = tuple(sorted(by_all.items(), key=lambda kv: -kv[1]))
    return dataclasses.replace(one, cls=opinion.called, score=min(1.0, there * min(1.0, by_all.get(opinion.called, 0.0))), names=names,
                               shown_since=opinion.since if opinion.hand is None else None)


def certainty(one: Detection) -> float:
    """How likely it bears the right name. Class probabilities below three tenths are guesses, from seven tenths on they were hardly ever wrong."""
    if not one.names:
        return 1.0
    low, high = _DOUBTFUL
    return min(max((dict(one.names).get(one.cls, 0.0) - low) / (high - low), 0.1), 1.0)
