"""Why somebody moves a thing: P(what is done | aim, what they think the other wants), and what follows for the aim.

An act advances what the other wants (+1), undoes it (−1) or leaves it as it was (0). People who do things for themselves seldom do either of
the first two; an aim tilts that: an act with progress Δ is chosen with probability ∝ base(Δ) exp(w · sign(aim) · Δ).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from household import classes
from household.goals import Goal, GoalKind
from mind.social.aims import AIMS, Aim, SocialConfig, normalised

OUTCOMES = (1, 0, -1)


def does(progress: float, aim: Aim, config: SocialConfig = SocialConfig()) -> float:
    """P(an act with this progress for the other | aim), over the three outcomes; ``progress`` in [-1, 1]."""
    def weight(outcome: float) -> float:
        base = config.by_chance + (1.0 - abs(outcome)) * (1.0 - 3.0 * config.by_chance)
        return base * math.exp(config.action_weight * aim.sign * outcome)

    return weight(progress) / sum(weight(outcome) for outcome in OUTCOMES)


def aims_after_doing(prior: Mapping[Aim, float], progress: Iterable[tuple[float, float]], config: SocialConfig = SocialConfig(), *, by_luck: float = 1.0
                     ) -> dict[Aim, float]:
    """P(aim | an act). ``progress``: (progress for the other under one of their possible goals, probability that the actor takes the
    other to have that goal); the probabilities may fall short of one, the rest being goals the act has nothing to do with. ``by_luck``: how likely such an act
    hits upon this very place."""
    rows = list(progress)
    rest = max(0.0, 1.0 - sum(p for _, p in rows))
    likelihood = {aim: sum(p * does(d, aim, config) * (1.0 if d else by_luck) for d, p in rows) + rest * by_luck * does(0.0, aim, config) for aim in AIMS}
    return normalised({aim: prior[aim] * likelihood[aim] for aim in AIMS})


def progress_for(goal: Goal, thing: str, before: str | None, after: str | None, wanter: str,
                 expected_at: Callable[[str], float] = lambda place: 0.0, sees: bool = False) -> float:
    """How far moving ``thing`` from ``before`` to ``after`` serves ``goal`` of ``wanter``: +1, 0 or −1.

    ``expected_at``: place → probability that the wanter thinks the thing is there. ``sees``: the wanter saw where it went.
    """
    if classes.class_of(thing) not in {classes.class_of(t) for t in goal.targets}:
        return 0.0
    if goal.kind in (GoalKind.PUT, GoalKind.SET) and goal.place is not None:
        return 1.0 if after == goal.place else -1.0 if before == goal.place else 0.0
    if goal.kind in (GoalKind.GET, GoalKind.USE, GoalKind.SET):
        if after == wanter:
            return 1.0
        if before == wanter:
            return -1.0
        if before is not None and expected_at(before) > 0.5 and not sees and after is not None:
            return -1.0  # gone from where they will look, behind their back
        if after is not None and expected_at(after) > 0.5:
            return 1.0
    return 0.0
