"""From an episode to the probability of hypotheses about the mind behind it, eq. (2): run the filter, look back, add up.

Invariant: the probabilities sum to one over the listed hypotheses; what is given but cannot be is an error, not a uniform guess.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from household import classes
from household.goals import NO_GOAL, Goal, get
from mind import plans
from mind.config import MindConfig
from mind.episode import Contribution, Episode, EpisodeError, GoalIs, Hypothesis, Moment, Posterior, Thinks
from mind.episode_run import Run, run_episode, site_of
from mind.filter import FilterState
from mind.inference import Model, PersonState
from mind.smoothing import smooth


def compare_hypotheses(episode: Episode, hypotheses: tuple[Hypothesis, ...], given: Hypothesis, config: MindConfig, *,
                       at: int | None = None, moment: Moment = Moment.ACTING) -> Posterior:
    """See :func:`mind.episode.evaluate`."""
    if not hypotheses:
        raise EpisodeError("there is no hypothesis to compare")
    if at is not None and not 0 <= at <= len(episode.actions):
        raise EpisodeError(f"at = {at}: the episode has {len(episode.actions)} acts")
    goals = _goals(episode.world, hypotheses, given)
    config = replace(config, goal_switch_rate=0.0)  # "has been trying to": the goal in question is meant throughout
    run = run_episode(episode, goals, config, [p for h in (*hypotheses, given) for p in h])
    state, smoothed = _look_back(run, len(episode.actions) if at is None else at, moment)
    joint = np.array([_mass(run.model, state, smoothed, h | given) for h in hypotheses])
    if not joint.sum() > 0:
        raise EpisodeError("what is given contradicts every hypothesis: " + ", ".join(map(str, given or hypotheses[0])))
    allowed = [_allowed(run.model, h | given) for h in hypotheses]
    contributions = tuple(
        Contribution(i, episode.actions[i], tuple(float(np.log(max(w[rows].mean(), 1e-300))) if rows.any() else -math.inf
                                                  for rows in allowed))
        for i, w in enumerate(run.by_goal) if w is not None)
    with np.errstate(divide="ignore"):
        logs = np.log(joint) + smoothed.log_evidence
    return Posterior(tuple(float(x) for x in joint / joint.sum()), tuple(float(x) for x in logs), smoothed.log_evidence, contributions,
                     tuple(run.notes))


def _look_back(run: Run, at: int, moment: Moment) -> tuple[PersonState, FilterState]:
    """The state at the asked moment, and its posterior in the light of everything that came later."""
    if not run.marks or at == 0:
        return run.state, run.state.posterior  # nothing was done yet: what is known is what is
    if moment is Moment.NOW:
        state, done = run.after[at - 1]
    else:
        chosen = next((i for i in range(at - 1, -1, -1) if run.deliberate[i]), at - 1)
        state, done = run.marks[chosen]
    return state, smooth(state.posterior, run.operations[done:])


def _goals(world: WorldDescription, hypotheses, given) -> list[Goal]:
    named = [p.goal for h in (*hypotheses, given) for p in h if isinstance(p, GoalIs)]
    if all(any(isinstance(p, GoalIs) for p in h | given) for h in hypotheses):
        return list(dict.fromkeys(named))
    present = [c for held in world.contents.values() for c in (held or {})]
    return list(dict.fromkeys([*named, NO_GOAL, *(get(c) for c in present)]))


def _allowed(model: Model, predicates: Hypothesis) -> np.ndarray:
    """Bool (G,): goals that agree with the predicates."""
    keep = np.ones(len(model.space.goals), dtype=bool)
    for p in predicates:
        if isinstance(p, GoalIs):
            keep &= np.arange(len(keep)) == model.space.index.get(p.goal, -1)
    return keep


def _mass(model: Model, state: PersonState, smoothed: FilterState, predicates: Hypothesis) -> float:
    """P(all predicates | acts) at that state."""
    goals, sites = len(model.space.goals), len(model.layout.ids)
    weight = np.ones((goals, sites)) * _allowed(model, predicates)[:, None]
    for p in predicates:
        if not isinstance(p, Thinks):
            continue
        site, cls = site_of(model.layout, p.place, "thinks of"), classes.class_of(p.object)
        credence = first_guess(model, state, cls)[site]
        there = np.full((goals, sites), credence)
        if cls in model.space.classes:
            c = model.space.classes.index(cls)
            sought = state.wanted.fetch[:, c] & (state.wanted.fetches == 1)
            there[sought] = np.arange(sites) == site
        weight = weight * (there if p.holds else 1 - there)
    return float((smoothed.alpha.sum(axis=0) * weight).sum())


def first_guess(model: Model, state: PersonState, cls: str) -> np.ndarray:
    """Where the person would say a ``cls`` is, (n,), sums to one: where they know one, else spread over what they have not ruled out."""
    of_class = np.array([[float(o.rpartition("#")[0] == cls or classes.class_of(o) == cls) for o in model.objects]])
    n = len(model.layout.ids)
    return plans.targets(of_class, np.zeros((1, n)), state.beliefs, np.ones(n)).sum(axis=(0, 1))
