"""Something new has come into view: make room for it in every array without disturbing what is already believed.

Invariant: sites, objects and classes only get appended (ELSEWHERE stays last), so an old index means the same thing afterwards; a goal
that was there before keeps its probability up to normalisation.
"""

from __future__ import annotations

import numpy as np

from mind import beliefs as belief_model
from mind import goals as goal_model
from mind import inference
from mind.beliefs import Beliefs
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


def person(state: PersonState, old: Model, new: Model, base: np.ndarray, closed: np.ndarray, looked: np.ndarray) -> PersonState:
    """The same person in a home with more in it."""
    wider = beliefs(state.beliefs, base, looked)
    progress = _progress(state.progress, old.space, new.space)
    site = state.situation.site if state.situation.site != old.layout.elsewhere else new.layout.elsewhere
    situation = Situation(site, closed)
    wanted = goal_model.needs(new.space, progress, new.layout)
    objects = inference.sought(new, wanted)
    targets = inference._targets(new, wanted, objects, wider, situation)
    rows = [(new.space.index[g], i) for i, g in enumerate(old.space.goals) if g in new.space.index]
    to, source = (np.array(x, dtype=int) for x in zip(*rows))
    kept = np.zeros_like(targets)
    alpha = state.posterior.alpha
    n = alpha.shape[2]
    kept[:, to, :n - 1] = alpha[:, source, :-1]
    kept[:, to, -1] = alpha[:, source, -1]
    newcomers = np.ones(len(new.space.goals), dtype=bool)
    newcomers[to] = False
    mixed = _shared_out(kept, newcomers, new, targets)
    posterior = FilterState(mixed / mixed.sum(), getattr(state.posterior, "log_evidence", 0.0))
    return PersonState(wider, progress, situation, posterior, wanted, objects, state.acts)


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


def _progress(old: Progress, before: GoalSpace, after: GoalSpace) -> Progress:
    fresh = goal_model.begin(after)
    columns = [after.classes.index(c) for c in before.classes]
    for i, goal in enumerate(before.goals):
        j = after.index.get(goal)
        if j is not None:
            fresh.delivered[j, columns] = old.delivered[i]
            fresh.gather[j], fresh.finished[j] = old.gather[i], old.finished[i]
    return Progress(old.holding, fresh.delivered, fresh.gather, fresh.finished)
