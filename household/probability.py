"""The one type that holds a probability distribution.

Probabilities live in log space and are normalised in exactly one place, :meth:`Categorical.__init__`. Zero total mass is
an error that carries its reason (:class:`ZeroMassError`), never a silent reset to uniform.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

import numpy as np

T = TypeVar("T", bound=Hashable)


class ZeroMassError(ValueError):
    """Every hypothesis was ruled out: the evidence contradicts the model. ``reason`` says which evidence."""

    def __init__(self, reason: str):
        super().__init__(f"no hypothesis is left with any probability: {reason}")
        self.reason = reason


class Categorical(Generic[T]):
    """A distribution over a finite support; sums to one over ``support``.

    ``support``: tuple of n distinct hashable values. ``logp``: float64 array (n,), natural log, read-only.
    """

    __slots__ = ("support", "logp", "_index")

    def __init__(self, support: Iterable[T], log_weights, *, reason: str = "empty or impossible evidence"):
        self.support: tuple[T, ...] = tuple(support)
        weights = np.array(log_weights, dtype=np.float64)
        if weights.shape != (len(self.support),):
            raise ValueError(f"{len(self.support)} values but log weights of shape {weights.shape}")
        if np.isnan(weights).any() or np.isposinf(weights).any():
            raise ValueError("log weights must be finite or -inf")
        top = weights.max() if weights.size else -math.inf
        if top == -math.inf:
            raise ZeroMassError(reason)
        self.logp = weights - (top + math.log(np.exp(weights - top).sum()))
        self.logp.flags.writeable = False
        self._index = {value: i for i, value in enumerate(self.support)}
        if len(self._index) != len(self.support):
            raise ValueError("the support holds a value twice")

    @classmethod
    def uniform(cls, support: Iterable[T]) -> "Categorical[T]":
        values = tuple(support)
        return cls(values, np.zeros(len(values)), reason="uniform over nothing")

    @classmethod
    def from_probabilities(cls, weights: Mapping[T, float], *, reason: str = "all weights are zero") -> "Categorical[T]":
        """From non-negative weights; they need not sum to one."""
        values = np.array(list(weights.values()), dtype=np.float64)
        if (values < 0).any():
            raise ValueError("weights must not be negative")
        with np.errstate(divide="ignore"):
            return cls(weights.keys(), np.log(values), reason=reason)

    def p(self, value: T) -> float:
        """Probability of ``value``; 0.0 outside the support."""
        i = self._index.get(value)
        return 0.0 if i is None else float(math.exp(self.logp[i]))

    def log_p(self, value: T) -> float:
        i = self._index.get(value)
        return -math.inf if i is None else float(self.logp[i])

    def reweighted(self, log_likelihood, *, reason: str) -> "Categorical[T]":
        """Bayes' rule: the posterior after evidence with this log-likelihood, shape (n,)."""
        return Categorical(self.support, self.logp + np.asarray(log_likelihood, dtype=np.float64), reason=reason)

    def most_likely(self) -> T:
        return self.support[int(np.argmax(self.logp))]

    def entropy(self) -> float:
        """In nats."""
        p = np.exp(self.logp)
        return float(-(p[p > 0] * self.logp[p > 0]).sum())

    def as_dict(self) -> dict[T, float]:
        return {value: float(p) for value, p in zip(self.support, np.exp(self.logp))}

    def __len__(self) -> int:
        return len(self.support)

    def __repr__(self) -> str:
        top = sorted(self.as_dict().items(), key=lambda kv: -kv[1])[:4]
        return "Categorical(" + ", ".join(f"{v}: {p:.3f}" for v, p in top) + (", …)" if len(self) > 4 else ")")
