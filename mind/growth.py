"""Something new has come into view: make room for it in every array without disturbing what is already believed.

Invariant: sites, objects and classes only get appended (ELSEWHERE stays last), so an old index means the same thing afterwards; a goal
that was there before keeps its probability up to normalisation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from mind import beliefs as belief_model
from mind import goals as goal_model
from mind import inference
from mind.beliefs import Beliefs
from mind.evidence import ActWeight
from mind.filter import FilterState
from household.goals import Goal, GoalKind
from mind.goals import UNSEEN, GoalSpace, Progress
from mind.inference import Model, PersonState
from mind.policy import Situation


def beliefs(old: Beliefs, base: np.ndarray, ruled_out: np.ndarray | None = None) -> Beliefs:
    """``base`` (o, n): weights for somebody who knows nothing. ``ruled_out`` bool (old n,): sites where a newly found object would have
    been noticed before."""
    fresh = belief_model.ignorant(base)
    o, n = old.sure.shape
    sure, unsure, open_to = fresh.sure, fresh.unsure, fresh.open_to
    sure[:o, :n - 1], sure[:o, -1] = old.sure[:, :-1], old.sure[:, -1]
    unsure[:o] = old.unsure
    open_to[:o, :n - 1], open_to[:o, -1] = old.open_to[:, :-1], old.open_to[:, -1]
    if ruled_out is not None and ruled_out.size:
        open_to[o:, :n - 1][:, ruled_out[:-1]] = 0.0
    return Beliefs(sure, unsure, open_to)


def person(state: PersonState, old: Model, new: Model, base: np.ndarray, closed: np.ndarray, looked: np.ndarray,
           called: Mapping[str, str] = {}) -> PersonState:
    """The same person in a home with more in it. ``called``: class → the class that its things turned out to be of: what was done for the sake of the
    one was done for the other."""
    wider = beliefs(state.beliefs, base, looked)
    progress = _progress(state.progress, old.space, new.space, called)
    site = state.situation.site if state.situation.site != old.layout.elsewhere else new.layout.elsewhere
    situation = Situation(site, closed)
    wanted = goal_model.needs(new.space, progress, new.layout)
    objects = inference.sought(new, wanted)
    targets = inference._targets(new, wanted, objects, wider, situation)
    same = [(_as_called(g, new.space, called), i) for i, g in enumerate(old.space.goals)]
    to, source = (np.array(x, dtype=int) for x in zip(*((new.space.index[g], i) for g, i in same if g in new.space.index)))
    kept = np.zeros_like(targets)
    alpha = state.posterior.alpha
    n = alpha.shape[2]
    for j, i in zip(to, source):
        kept[:, j, :n - 1] += alpha[:, i, :-1]
        kept[:, j, -1] += alpha[:, i, -1]
    newcomers = np.ones(len(new.space.goals), dtype=bool)
    newcomers[to] = False
    mixed = _shared_out(kept, newcomers, new, targets)
    posterior = FilterState(mixed / mixed.sum(), getattr(state.posterior, "log_evidence", 0.0))
    return PersonState(wider, progress, situation, posterior, wanted, objects, state.acts)


def acts(told: Sequence[ActWeight], old: GoalSpace, new: GoalSpace, called: Mapping[str, str] = {}) -> tuple[ActWeight, ...]:
    """What past acts said of the goals there are now. Of goals about things found only now they said what they said of "something unseen"."""
    before = {_as_called(g, new, called): i for i, g in enumerate(old.goals)}
    unseen = old.index.get(Goal(GoalKind.GET, (UNSEEN,)))
    source = [before.get(g, unseen) for g in new.goals]
    return tuple(replace(a, gain=tuple(0.0 if i is None else a.gain[i] for i in source)) if len(a.gain) == len(old.goals) else a for a in told)


def _shared_out(kept: np.ndarray, newcomers: np.ndarray, model: Model, targets: np.ndarray) -> np.ndarray:
    """Goals about things found only now take their share from "something unseen", whose behaviour they could not be told from; all
    other new goals are as likely, against their prior, as that one is against its own."""
    space, unseen = model.space, model.space.index.get(Goal(GoalKind.GET, (UNSEEN,)))
    if unseen is None or not newcomers.any():
        return kept
    mixed = kept.copy()
    ratio = min(1.0, float(kept[:, unseen].sum()) / max(float(space.prior[unseen]), 1e-12))
    gets = np.flatnonzero(newcomers & space.of_kind(GoalKind.GET))
    each = 1.0 / (model.config.unseen_classes + len(gets))
    for g in gets:
        mixed[:, g] = kept[:, unseen] * each
    mixed[:, unseen] *= 1 - each * len(gets)
    for g in np.flatnonzero(newcomers & ~space.of_kind(GoalKind.GET)):
        mixed[:, g] = space.prior[g] * ratio * targets[:, g]
    return mixed


def _as_called(goal: Goal, after: GoalSpace, called: Mapping[str, str]) -> Goal:
    """The goal itself where the home still has one of its class, else the one about what its class turned out to be."""
    if goal in after.index or not called.keys() & set(goal.targets):
        return goal
    return replace(goal, targets=tuple(called.get(t, t) for t in goal.targets))


def _progress(old: Progress, before: GoalSpace, after: GoalSpace, called: Mapping[str, str] = {}) -> Progress:
    fresh = goal_model.begin(after)
    names = {c: c if c in after.classes else called.get(c, c) for c in {*before.classes, *old.holding}}
    kept = [(after.classes.index(names[c]), k) for k, c in enumerate(before.classes) if names[c] in after.classes]
    to, source = [a for a, _ in kept], [b for _, b in kept]
    for i, goal in enumerate(before.goals):
        j = after.index.get(_as_called(goal, after, called))
        if j is not None:
            fresh.delivered[j, to] |= old.delivered[i, source]
            fresh.gather[j], fresh.finished[j] = old.gather[i], old.finished[i]
    return Progress(tuple(names[c] for c in old.holding), fresh.delivered, fresh.gather, fresh.finished)
