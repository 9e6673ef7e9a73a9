"""The same inference with samples instead of tables, for spaces too large to enumerate; measured against the exact filter.

A backend for ``mind.inference``: every linear operation of ``mind.filter`` is carried out by chance on each particle (goal, target, known or
guessed), and acts weigh them; systematic resampling when fewer than half count. Invariant: deterministic given the seed and the number of
operations so far; no global generator.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from household.probability import ZeroMassError
from mind.filter import Operation, Redraw, Renew, Weigh


@dataclass(frozen=True)
class ParticleState:
    """``known``, ``goal``, ``target`` int (N,); ``weight`` float64 (N,), sums to one. ``shape``: (G, n). ``log_evidence``: an estimate, nats."""

    known: np.ndarray
    goal: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    shape: tuple[int, int]
    log_evidence: float = 0.0
    operations: int = 0

    @property
    def alpha(self) -> np.ndarray:
        """float64 (2, G, n), sums to one."""
        g, n = self.shape
        flat = np.bincount((self.known * g + self.goal) * n + self.target, weights=self.weight, minlength=2 * g * n)
        return flat.reshape(2, g, n)

    def goals(self) -> np.ndarray:
        return np.bincount(self.goal, weights=self.weight, minlength=self.shape[0])


@dataclass(frozen=True)
class Particles:
    """``count``: number of particles, 1 to 1,000,000."""

    count: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.count <= 1_000_000:
            raise ValueError(f"count = {self.count}: must be in [1, 1000000]")

    def init(self, prior: np.ndarray, targets: np.ndarray) -> ParticleState:
        rng = np.random.default_rng([self.seed, 0])
        goal = rng.choice(len(prior), size=self.count, p=prior)
        known, target = _draw(targets, goal, rng)
        return ParticleState(known, goal, target, np.full(self.count, 1 / self.count), targets.shape[1:])

    def step(self, state: ParticleState, operation: Operation) -> ParticleState:
        rng = np.random.default_rng([self.seed, 1 + state.operations])
        state = replace(state, operations=state.operations + 1)
        if isinstance(operation, Renew):
            return _renew(state, operation, rng)
        if isinstance(operation, Redraw):
            move = rng.random(len(state.goal)) < operation.rate[state.known, state.goal, state.target]
            known, target = _draw(operation.targets, state.goal, rng)
            return replace(state, known=np.where(move, known, state.known), target=np.where(move, target, state.target))
        return _weigh(state, operation, rng)

    def mixed(self, one: ParticleState, other: ParticleState, share: float) -> ParticleState:
        """Each particle from ``one`` with probability ``share``, else from ``other``."""
        first = np.random.default_rng([self.seed, 1 + other.operations]).random(self.count) < share
        known, goal, target, weight = (np.where(first, getattr(one, n), getattr(other, n)) for n in ("known", "goal", "target", "weight"))
        return replace(other, known=known, goal=goal, target=target, weight=weight / weight.sum(), operations=other.operations + 1,
                       log_evidence=max(one.log_evidence, other.log_evidence))


def _renew(state: ParticleState, operation: Renew, rng: np.random.Generator) -> ParticleState:
    ends = rng.random(len(state.goal)) < operation.rate[state.goal, state.target]
    if not ends.any():
        return state
    goal = np.where(ends, rng.choice(len(operation.start), size=len(state.goal), p=operation.start), state.goal)
    known, target = _draw(operation.targets, goal, rng)
    return replace(state, goal=goal, known=np.where(ends, known, state.known), target=np.where(ends, target, state.target))


def _weigh(state: ParticleState, operation: Weigh, rng: np.random.Generator) -> ParticleState:
    table = operation.likelihood
    said = table[state.goal, state.target] if table.ndim == 2 else table[state.known, state.goal, state.target]
    weight = state.weight * said
    total = float(weight.sum())
    if not total > 0:
        raise ZeroMassError(f"{operation.what} is impossible for every particle")
    weight = weight / total
    state = replace(state, weight=weight, log_evidence=state.log_evidence + math.log(total))
    if 1.0 / float((weight ** 2).sum()) >= len(weight) / 2:
        return state
    at = (rng.random() + np.arange(len(weight))) / len(weight)
    pick = np.minimum(np.searchsorted(np.cumsum(weight), at), len(weight) - 1)
    return replace(state, known=state.known[pick], goal=state.goal[pick], target=state.target[pick],
                   weight=np.full(len(weight), 1 / len(weight)))


def _draw(targets: np.ndarray, goal: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(known, target) for each particle from its goal's (2, n) table."""
    _, g, n = targets.shape
    cumulative = targets.transpose(1, 0, 2).reshape(g, 2 * n).cumsum(axis=1)
    index = (cumulative[goal] < rng.random(len(goal))[:, None] * cumulative[goal, -1:]).sum(axis=1)
    index = np.minimum(index, 2 * n - 1)
    return index // n, index % n
