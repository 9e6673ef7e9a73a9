"""Which site a person sets out for, given what a goal needs next and what they believe. (init, step, config); acts are ``policy``'s.

A person who is convinced of a place goes there, however far (the nearest, if there are several). A person who is not sure tries a
place they have not ruled out, the likelier and the nearer the sooner: P(site) ∝ credence · exp(-effort). Both kinds of target are
kept apart because they answer different questions later: a false belief needs conviction, a search does not.
"""

from __future__ import annotations

import numpy as np

from mind.beliefs import TINY, Beliefs
from mind.goals import Needs
from mind.layout import Layout

KNOWN, GUESSED = 0, 1


def nearness(layout: Layout, site: int, closed: np.ndarray) -> np.ndarray:
    """exp(-effort) of reaching and opening each site from ``site``, (n,)."""
    return np.exp(-layout.effort[site] - layout.open_effort * closed)


def targets(needs: Needs, beliefs: Beliefs, objects_of: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Distribution of the next target for every goal, float64 (2, G, n): [KNOWN] and [GUESSED]; each goal's (2, n) slice sums to one.

    ``objects_of`` float (C, o): which objects are of which class. ``near`` (n,): :func:`nearness`. A goal that needs nothing, or
    something nobody has a place for, has all its mass at ELSEWHERE.
    """
    wanted = needs.fetch.astype(float) @ objects_of  # (G, o): objects that would do
    known = (wanted @ beliefs.sure) * near
    guessed = (wanted @ (beliefs.unsure[:, None] * beliefs.spread())) * near
    nobody_sure = np.exp(wanted @ np.log(np.maximum(beliefs.unsure, 1e-300)))
    go = needs.go * near
    known_mass, guessed_mass, go_mass = known.sum(axis=1), guessed.sum(axis=1), go.sum(axis=1)
    seeks, goes = (known_mass + guessed_mass) > TINY, go_mass > TINY
    share = np.where(guessed_mass > TINY, 1 - nobody_sure, 1.0) * (known_mass > TINY)
    half = np.where(seeks & goes, 0.5, 1.0)

    out = np.empty((2, *known.shape))
    out[KNOWN] = known * (half * share * seeks / np.maximum(known_mass, TINY))[:, None]
    out[KNOWN] += go * (half * goes / np.maximum(go_mass, TINY))[:, None]
    out[GUESSED] = guessed * (half * (1 - share) * seeks / np.maximum(guessed_mass, TINY))[:, None]
    out[KNOWN, ~(seeks | goes), -1] = 1.0
    return out / out.sum(axis=(0, 2))[None, :, None]
