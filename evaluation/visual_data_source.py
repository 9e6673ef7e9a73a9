"""Where a thing was when it was asked for: P(place | video), from what the samples show of people, things and openings.

The likelihood is a weighted sum of six observations about each candidate place, the same weights for every place, thing and home, so
that nothing is known in advance about where things are kept; ``fit`` estimates them (MAP, Gaussian prior on the weights) from videos in
which it is known whether a named place was the right one. The moment that matters is when somebody has the thing in hand: a searcher
who reaches for it stands at its place, has just opened that place if it opens, and the thing was seen there before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from evaluation.visual_data import CHARACTER, Box, Sample, Video
from household import classes
from household.scene_graph import ELSEWHERE

IN_HAND = 0.25  # metres between a thing and a person who has it
AT_PERSON = 0.3
TOUCH = 0.12  # metres between a thing and the place it is at
PLAUSIBLE = 0.8  # metres; a thing's box larger than this is a poor segmentation
BEFORE = 6  # samples looked back from the moment it is in hand
RECENT = 2.0  # samples; decay of what somebody was at, and of what was opened
LONG = 8.0  # samples; an opening longer ago than about this says nothing
OBSERVATIONS = ("just opened", "opens but stayed shut", "somebody is at it", "the thing touches it", "stated to be there", "named by a speaker",
                "somewhere else")


@dataclass(frozen=True)
class SourceModel:
    """``weights``: nats per unit of each of ``OBSERVATIONS``; the last is the score of "none of the places seen"."""

    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(OBSERVATIONS) or not all(math.isfinite(w) for w in self.weights):
            raise ValueError(f"weights must be {len(OBSERVATIONS)} finite numbers ({', '.join(OBSERVATIONS)}), got {self.weights}")


def in_hand(video: Video, thing: str) -> int:
    """The sample from which somebody has the thing; the last one when nobody is seen to take it."""
    held = [thing in s.held or any(b.gap(p) < IN_HAND for b in _plausible(s, thing) for _, p in s.of_class(CHARACTER)) for s in video.samples]
    for t, now in enumerate(held):
        later = [held[k] for k in range(t, len(held)) if held[k] or _plausible(video.samples[k], thing)]
        if now and sum(later) >= 0.6 * len(later):
            return t
    return len(held) - 1


def _plausible(sample: Sample, thing: str) -> list[Box]:
    return [b for _, b in sample.of_class(thing) if b.size < PLAUSIBLE]


def _is_place(cls: str) -> bool:
    row = classes.CLASSES.get(cls)
    return row is not None and row.is_place


def observe(video: Video, thing: str, named: str) -> tuple[list[str], np.ndarray]:
    """(candidate places, their observations float64 (n, 6)); the place ``named`` by the speaker is always a candidate."""
    seen = {b.cls for s in video.samples for b in s.boxes.values()} | {o for s in video.samples for o in s.opened}
    places = sorted({p for p in seen if _is_place(p)} | {named})
    moment = in_hand(video, thing)
    return places, np.array([[*_observations(video, thing, place, moment), float(place == named)] for place in places])


def _observations(video: Video, thing: str, place: str, moment: int) -> tuple[float, float, float, float, float]:
    samples = video.samples[:moment + 1]
    opens = place in classes.CLASSES and classes.get(place).opens

    def latest(when: Sequence[bool], decay: float) -> float:
        return max((math.exp(-(moment - k) / decay) for k, yes in enumerate(when) if yes), default=0.0)

    opened = [place in s.opened for s in samples]
    shut = float(opens and latest(opened, LONG) < 0.3)
    near = latest([place in s.near for s in samples], RECENT)
    recent = samples[-BEFORE - 1:]
    touched, weight = 0.0, 0.5
    for s in recent:
        sight, contact = _touch(s, thing, place, opens)
        touched, weight = touched + contact, weight + sight
    stated = float(any((thing, place) in s.inside or (thing, place) in s.on for s in recent))
    return latest(opened, RECENT), shut, near, touched / weight, stated


def _touch(sample: Sample, thing: str, place: str, opens: bool) -> tuple[float, float]:
    """(how well the thing is seen, how well it is seen touching the place). Beside a person it may be in their hand, above the place."""
    spots = [p for _, p in sample.of_class(place)]
    people = [p for _, p in sample.of_class(CHARACTER)]
    sight = contact = 0.0
    for _, box in sample.of_class(thing):
        w = math.exp(-max(0.0, box.size - 0.3) / 0.5)
        if not opens and any(box.gap(p) < AT_PERSON for p in people):
            w *= 0.3
        sight = max(sight, w)
        if any(box.gap(p) < TOUCH for p in spots):
            contact = max(contact, w)
    return sight, contact


def where_it_was(video: Video, thing: str, named: str, model: SourceModel) -> dict[str, float]:
    """Place class → P(the thing was there | video, somebody named ``named``), with ELSEWHERE; sums to one."""
    places, table = observe(video, thing, named)
    return dict(zip([*places, ELSEWHERE], posterior(table, np.array(model.weights)).tolist()))


def posterior(table: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Float64 (n + 1,), sums to one."""
    scores = np.append(table @ weights[:-1], weights[-1])
    p = np.exp(scores - scores.max())
    return p / p.sum()


@dataclass(frozen=True)
class Known:
    """A video of which it is known whether the named place was right. ``group``: what must not be split between training and test."""

    group: str
    table: np.ndarray
    named: int
    right: bool


def known(group: str, video: Video, thing: str, named: str, right: bool) -> Known:
    places, table = observe(video, thing, named)
    return Known(group, table, places.index(named), right)


def fit(data: Iterable[Known], ridge: float = 0.3) -> SourceModel:
    """Maximum a posteriori weights. Deterministic."""
    rows = list(data)

    def loss(w: np.ndarray) -> float:
        total = 0.5 * ridge * float(w @ w)
        for row in rows:
            p = min(max(float(posterior(row.table, w)[row.named]), 1e-6), 1 - 1e-6)
            total -= math.log(p if row.right else 1 - p)
        return total

    return SourceModel(tuple(round(float(x), 4) for x in minimize(loss, np.zeros(len(OBSERVATIONS)), method="L-BFGS-B").x))


def grouped_folds(groups: Sequence[str], folds: int, seed: int) -> Mapping[str, int]:
    """Group → fold; every group is in exactly one."""
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    return {names[k]: i % folds for i, k in enumerate(order)}
