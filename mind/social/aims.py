"""The three aims a person can have for another, and the parameters of the model in one checked place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from household.parameters import check
from household.parameters import parameter as _parameter


class Aim(str, Enum):
    HELP = "help"
    HINDER = "hinder"
    INDEPENDENT = "independent"

    @property
    def sign(self) -> int:
        """How another's progress counts for the one who has this aim."""
        return {Aim.HELP: 1, Aim.HINDER: -1, Aim.INDEPENDENT: 0}[self]


AIMS = (Aim.HELP, Aim.HINDER, Aim.INDEPENDENT)


@dataclass(frozen=True)
class SocialConfig:
    """Raises ValueError naming the parameter, its value and the allowed range."""

    help_prior: float = _parameter(0.4, 0.0, 1.0, "chance that a person means to help another they live with")
    hinder_prior: float = _parameter(0.1, 0.0, 1.0, "chance that they mean to hinder them")
    slip: float = _parameter(0.02, 1e-6, 0.5, "share of answers given without thought: any place, whatever the aim")
    silence: float = _parameter(0.5, 0.0, 0.99, "chance that somebody with no interest in the other does not answer with a place")
    patience: float = _parameter(12.0, 0.5, 600.0, "seconds after which a question counts as left unanswered")
    honesty: float = _parameter(0.9, 0.0, 1.0, "share of answers that are simply what one believes, when one has no interest in the other")
    action_weight: float = _parameter(4.0, 0.0, 20.0, "nats by which an aim favours an act that serves it over one that is neutral")
    by_chance: float = _parameter(0.04, 1e-4, 0.33, "chance that what one does for oneself happens to serve another, and to harm them")
    aim_change: float = _parameter(0.02, 0.0, 0.5, "chance per piece of evidence that an aim has changed since the last one")
    desired_place: float = _parameter(0.95, 0.0, 1.0, "chance that where somebody has just put a thing is where they want it")
    desire_fades: float = _parameter(1800.0, 1.0, 1e6, "seconds in which that chance falls to about a third")
    trust_yes: float = _parameter(9.0, 0.01, 1000.0, "imagined claims of a stranger that were right")
    trust_no: float = _parameter(1.0, 0.01, 1000.0, "imagined claims of a stranger that were wrong")
    claim_lifetime: float = _parameter(120.0, 0.0, 86400.0, "seconds after which a claim found wrong no longer counts against its speaker")

    def __post_init__(self) -> None:
        check(self)
        if self.help_prior + self.hinder_prior > 1.0:
            raise ValueError(f"help_prior + hinder_prior = {self.help_prior + self.hinder_prior:.3g}: must not be above 1")

    def prior(self) -> dict[Aim, float]:
        """P(aim) before any evidence; sums to one."""
        return {Aim.HELP: self.help_prior, Aim.HINDER: self.hinder_prior, Aim.INDEPENDENT: 1.0 - self.help_prior - self.hinder_prior}


UNIFORM: Mapping[Aim, float] = {aim: 1.0 / 3.0 for aim in AIMS}


def normalised(weights: Mapping[Aim, float]) -> dict[Aim, float]:
    """Raises ValueError when nothing is left."""
    total = sum(weights.values())
    if not total > 0.0:
        raise ValueError("no aim is left with any probability")
    return {aim: w / total for aim, w in weights.items()}
