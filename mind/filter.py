"""The exact filter: the joint posterior over what a person wants and where they are headed, updated act by act. Numpy, O(goals × sites).

Hidden state at any moment: goal g, target site z, and whether z is known or guessed by the person. Beliefs about objects are functions of
percepts, so they need no place in the hidden state; a goal is touched only by the beliefs about its own objects. The filter knows
nothing of beliefs, goals or policies: it is handed arrays, as four linear operations on a distribution, each of which is recorded when
asked so that ``mind.smoothing`` can run them backwards.

Invariant: ``alpha`` sums to one; ``log_evidence`` is the sum of the logs of what normalising took away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from household.probability import ZeroMassError


@dataclass(frozen=True)
class Renew:
    """Goals end and new ones begin. ``rate`` (G, n): chance that (g, z) ends now; ``start`` (G,): what begins instead, sums to one;
    ``targets`` (2, G, n): where a beginner heads, each (2, n) slice sums to one."""

    rate: np.ndarray
    start: np.ndarray
    targets: np.ndarray

    def forward(self, alpha: np.ndarray) -> np.ndarray:
        ended = alpha * self.rate
        out = self.targets * (self.start * ended.sum())[None, :, None]
        out += alpha
        out -= ended
        return out

    def backward(self, beta: np.ndarray) -> np.ndarray:
        fresh = (self.start[None, :, None] * self.targets * beta).sum()
        return (1 - self.rate) * beta + self.rate * fresh


@dataclass(frozen=True)
class Redraw:
    """Targets change, goals stay. ``rate`` (2, G, n): chance that this target is given up; ``targets`` (2, G, n): what replaces it."""

    rate: np.ndarray
    targets: np.ndarray

    def forward(self, alpha: np.ndarray) -> np.ndarray:
        left = alpha * self.rate
        out = self.targets * left.sum(axis=(0, 2))[None, :, None]
        out += alpha
        out -= left
        return out

    def backward(self, beta: np.ndarray) -> np.ndarray:
        fresh = (self.targets * beta).sum(axis=(0, 2))[None, :, None]
        return (1 - self.rate) * beta + self.rate * fresh


@dataclass(frozen=True)
class Weigh:
    """An act was seen: ``likelihood`` (G, n) or (2, G, n), pi(act | g, z). ``what``: named in the error if it is zero everywhere."""

    likelihood: np.ndarray
    what: str = "an act"

    def forward(self, alpha: np.ndarray) -> np.ndarray:
        return alpha * self.likelihood

    def backward(self, beta: np.ndarray) -> np.ndarray:
        return beta * self.likelihood


Operation = Renew | Redraw | Weigh


@dataclass(frozen=True)
class FilterState:
    """``alpha`` float64 (2, G, n): P(known or guessed, goal, target | everything so far), sums to one. ``log_evidence``: nats."""

    alpha: np.ndarray
    log_evidence: float = 0.0

    def goals(self) -> np.ndarray:
        """P(goal), (G,)."""
        return self.alpha.sum(axis=(0, 2))


def init(prior: np.ndarray, targets: np.ndarray) -> FilterState:
    """``prior`` (G,) over goals; ``targets`` (2, G, n) given the goal."""
    return FilterState(prior[None, :, None] * targets)


def step(state: FilterState, operation: Operation) -> FilterState:
    """One operation. Raises ZeroMassError when an act was impossible under every hypothesis."""
    alpha = operation.forward(state.alpha)
    if not isinstance(operation, Weigh):
        return FilterState(alpha, state.log_evidence)  # these keep the sum
    total = float(alpha.sum())
    if not total > 0:
        raise ZeroMassError(f"{operation.what} is impossible under every goal and belief")
    alpha /= total
    return FilterState(alpha, state.log_evidence + float(np.log(total)))


def mixed(one: FilterState, other: FilterState, share: float) -> FilterState:
    """Two accounts of the same acts, ``one`` true with probability ``share``. Its evidence is that of the likelier."""
    return FilterState(share * one.alpha + (1 - share) * other.alpha, max(one.log_evidence, other.log_evidence))
