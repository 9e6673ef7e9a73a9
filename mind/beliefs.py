"""What one person believes about where things are, object by object, and how percepts change it. (init, step, config); no inference here.

For each object the belief is one of: convinced that it is at a certain site, or not sure. We do not know which, so the model keeps our
probability of each: ``sure[o, l]`` that the person is convinced of site l, ``unsure[o]`` that they are not sure; together they sum to
one. A person who is not sure spreads their credence over the sites they have not ruled out (``open_to``), equally but for the rest
ELSEWHERE. "Never looked" and "looked, not there" are therefore different states, and a person who was misled, one who knows, and one
who has no idea stay apart: that is what false beliefs are made of.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mind.config import MindConfig

TINY = 1e-12


@dataclass(frozen=True)
class Beliefs:
    """``sure`` float64 (o, n) and ``unsure`` float64 (o,): for each object ``sure.sum() + unsure = 1``. ``open_to`` float64 (o, n):
    weight of a site for a person who is not sure, 0 once ruled out."""

    sure: np.ndarray
    unsure: np.ndarray
    open_to: np.ndarray

    def credence(self) -> np.ndarray:
        """Expected probability that the person gives each site, (o, n); rows sum to one."""
        return self.sure + self.unsure[:, None] * self.spread()

    def spread(self) -> np.ndarray:
        """What a person who is not sure thinks, (o, n); rows sum to one."""
        return self.open_to / np.maximum(self.open_to.sum(axis=1, keepdims=True), TINY)


def init(objects: int, may_hold: np.ndarray, config: MindConfig) -> Beliefs:
    """Nobody has seen anything: not sure about every object. ``may_hold`` bool (n,): sites where objects can be; the last is ELSEWHERE."""
    return ignorant(np.tile(uninformed(may_hold, config), (objects, 1)))


def ignorant(weights: np.ndarray) -> Beliefs:
    """Not sure about any object; ``weights`` float64 (o, n): how likely each site is held to be, not normalised."""
    return Beliefs(np.zeros_like(weights), np.ones(len(weights)), weights.copy())


def uninformed(may_hold: np.ndarray, config: MindConfig) -> np.ndarray:
    """Weights (n,) of the sites for somebody who knows nothing of an object."""
    weights = may_hold.astype(float)
    weights[-1] = config.elsewhere_weight
    return weights


def see(b: Beliefs, objects: np.ndarray, sites: np.ndarray, p: float | np.ndarray = 1.0) -> Beliefs:
    """``objects[i]`` was seen at ``sites[i]``, noticed with probability ``p``. Where it was thought to be before, it is known not to be now."""
    p = np.broadcast_to(np.asarray(p, dtype=float), objects.shape)
    sure, unsure, open_to = b.sure.copy(), b.unsure.copy(), b.open_to.copy()
    left = open_to[objects] * (1 - p[:, None] * sure[objects])
    left[:, -1] = open_to[objects, -1]
    left[np.arange(len(objects)), sites] = np.maximum(open_to[objects, sites], p)
    open_to[objects] = left
    sure[objects] *= (1 - p)[:, None]
    unsure[objects] *= 1 - p
    sure[objects, sites] += p
    return Beliefs(sure, unsure, open_to)


def miss(b: Beliefs, absent: np.ndarray, at: np.ndarray | slice = slice(None)) -> Beliefs:
    """Sites were looked at and the object was not there. ``absent`` float (o, k): probability that this was noticed at site ``at[k]``.

    Conviction of such a site turns into not being sure; the site is ruled out.
    """
    lost = b.sure[:, at] * absent
    sure, open_to = b.sure.copy(), b.open_to.copy()
    sure[:, at] -= lost
    open_to[:, at] *= 1 - absent
    open_to[:, -1] = b.open_to[:, -1]
    return Beliefs(sure, b.unsure + lost.sum(axis=1), open_to)


def told(b: Beliefs, obj: int, site: int | None, p: float, *, absent: bool = False) -> Beliefs:
    """Told, and believed with probability p, that the object is at ``site``; not there (``absent``); or only that it moved (site None)."""
    if site is None:
        sure, unsure, open_to = b.sure.copy(), b.unsure.copy(), b.open_to.copy()
        open_to[obj, :-1] *= 1 - p * sure[obj, :-1]  # not where it was
        unsure[obj] += p * sure[obj].sum()
        sure[obj] *= 1 - p
        return Beliefs(sure, unsure, open_to)
    if absent:
        mask = np.zeros_like(b.sure)
        mask[obj, site] = p
        return miss(b, mask)
    return see(b, np.array([obj]), np.array([site]), p)


def forget(b: Beliefs, share: float, base: np.ndarray) -> Beliefs:
    """A share of every conviction fades to not being sure, and what was ruled out comes back into question. ``base`` (o, n) or (n,): the
    weights it began with."""
    if share <= 0:
        return b
    sure = b.sure * (1 - share)
    return Beliefs(sure, 1 - sure.sum(axis=1), b.open_to + share * (base - b.open_to))
