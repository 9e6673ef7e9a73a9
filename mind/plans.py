"""Which site a person sets out for, given what a goal needs next and what they believe. (init, step, config); acts are ``policy``'s.

A person who is convinced of a place goes there, however far (the nearest, if there are several). A person who is not sure tries a
place they have not ruled out, the likelier and the nearer the sooner: P(site) ∝ credence · exp(-effort). Both kinds of target are
kept apart because they answer different questions later: a false belief needs conviction, a search does not.
"""

from __future__ import annotations

import numpy as np

from mind.beliefs import TINY, Beliefs
from mind.layout import Layout

KNOWN, GUESSED = 0, 1


def nearness(layout: Layout, site: int, closed: np.ndarray) -> np.ndarray:
    """exp(-effort) of reaching and opening each site from ``site``, (n,)."""
    return np.exp(-layout.effort[site] - layout.open_effort * closed)


def targets(wanted: np.ndarray, goes_to: np.ndarray, beliefs: Beliefs, near: np.ndarray) -> np.ndarray:
    """Distribution of the next target for every goal, float64 (2, G, n): [KNOWN] and [GUESSED]; each goal's (2, n) slice sums to one.

    ``wanted`` (G, o): objects that would do, a table or ``mind.sought.Sought``; ``goes_to`` float (G, n): weights of sites to go to. ``near`` (n,): :func:`nearness`. A goal that needs nothing, or
    something nobody has a place for, has all its mass at ELSEWHERE.
    """
    sure = beliefs.sure * near  # (o, n)
    share = beliefs.unsure / np.maximum(beliefs.open_to.sum(axis=1), TINY)
    unsure = beliefs.open_to * share[:, None]
    unsure *= near
    each = np.stack((sure.sum(axis=1), unsure.sum(axis=1), np.log(np.maximum(beliefs.unsure, 1e-300))), axis=1)
    known, guessed, doubt = (wanted @ each).T  # (G,)
    nobody_sure = np.exp(doubt)
    go = goes_to @ near
    seeks, goes = (known + guessed) > TINY, go > TINY
    knows = np.where(guessed > TINY, 1 - nobody_sure, 1.0) * (known > TINY)
    half = np.where(seeks & goes, 0.5, 1.0) * seeks

    out = np.empty((2, *goes_to.shape))
    np.multiply(wanted @ sure, (half * knows / np.maximum(known, TINY))[:, None], out=out[KNOWN])
    np.multiply(wanted @ unsure, (half * (1 - knows) / np.maximum(guessed, TINY))[:, None], out=out[GUESSED])
    if goes.any():
        out[KNOWN, goes] += goes_to[goes] * near * ((1 - half[goes]) / go[goes])[:, None]
    out[KNOWN, ~(seeks | goes), -1] = 1.0
    return out
