"""Joint witnessing: the record of who saw and heard what together, and what a chain of thinkers makes of it.

An occurrence (the apple was seen in the fridge; it was seen not to be there; somebody said where it is) carries for every person
the probability that they witnessed it *and were seen to*. "A thinks that B thinks that C thinks the apple is at l" is then the last
occurrence that A, B and C all witnessed: because everybody in the chain was there, everybody knows that everybody was. So a chain is
read off from the *set* of its members (and, for what was only said, from whom its last member trusts), and the cost of an answer does
not grow with the order beyond the number of people. With probabilities, the occurrences of one object form a chain of mixtures:

    b ← (1 − w) b + w δ(place),   w = ∏ over members i of P(i witnessed it) · P(last member took it over)

Invariant: ``believed`` sums to one; what was never witnessed together stays ELSEWHERE ("no common knowledge"). The record is
bounded: an occurrence that a later one overrides for every possible chain is dropped, and at most ``KEPT`` stay per object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from household.scene_graph import ELSEWHERE

KEPT = 48
CERTAIN = 1.0 - 1e-9


class Happening(str, Enum):
    SEEN = "seen"  # the object was seen at the place
    ABSENT = "absent"  # the place was seen, and the object was not there
    TOLD = "told"  # somebody said that it is at the place
    DENIED = "denied"  # somebody said that it is not there


@dataclass(frozen=True)
class Occurrence:
    """``witnesses``: person → probability in (0, 1] of having witnessed it together with the others. ``convinced``: person →
    probability of taking it over (people not listed: 1 for what was seen, 0 for what was said; a speaker never convinces themselves)."""

    stamp: float
    happening: Happening
    place: str
    witnesses: Mapping[str, float]
    convinced: Mapping[str, float] = field(default_factory=dict)

    def weight(self, chain: Sequence[str]) -> float:
        """Probability that this moves what the chain believes."""
        w = 1.0
        for person in dict.fromkeys(chain):
            w *= self.witnesses.get(person, 0.0)
        if w and self.happening in (Happening.TOLD, Happening.DENIED):
            w *= self.convinced.get(chain[-1], 0.0)
        return w


@dataclass(frozen=True)
class CommonGround:
    """Object id → occurrences, oldest first. ``version``: object id → number of changes, for caches."""

    record: Mapping[str, tuple[Occurrence, ...]] = field(default_factory=dict)
    version: Mapping[str, int] = field(default_factory=dict)


def witnessed(ground: CommonGround, thing: str, occurrence: Occurrence) -> CommonGround:
    """The record with one more occurrence about ``thing``. Raises ValueError for a probability outside [0, 1]."""
    for who, p in (*occurrence.witnesses.items(), *occurrence.convinced.items()):
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"probability of {who} for '{thing}' must be in [0, 1], got {p}")
    past = ground.record.get(thing, ())
    if past and _same(past[-1], occurrence):
        return ground
    if occurrence.happening is Happening.SEEN:
        sure = {p for p, w in occurrence.witnesses.items() if w >= CERTAIN}
        past = tuple(o for o in past if not set(o.witnesses) <= sure)
    kept = (*past, occurrence)[-KEPT:]
    return CommonGround({**ground.record, thing: kept}, {**ground.version, thing: ground.version.get(thing, 0) + 1})


def told(ground: CommonGround, thing: str, place: str, stamp: float, speaker: str, hearers: Sequence[str],
         trust: Mapping[str, float], *, denied: bool = False) -> CommonGround:
    """``speaker`` said before ``hearers`` that ``thing`` is (or is not) at ``place``. ``trust``: hearer → P(takes it over)."""
    everyone = {speaker: 1.0, **{h: 1.0 for h in hearers}}
    convinced = {h: p for h, p in trust.items() if h in everyone and h != speaker}
    return witnessed(ground, thing, Occurrence(stamp, Happening.DENIED if denied else Happening.TOLD, place, everyone, convinced))


def _same(a: Occurrence, b: Occurrence) -> bool:
    return a.happening is b.happening is Happening.SEEN and a.place == b.place and a.witnesses == b.witnesses


def believed(ground: CommonGround, chain: Sequence[str], thing: str) -> dict[str, float]:
    """What ``chain[0]`` thinks that ``chain[1]`` thinks … about where ``thing`` is: place → probability, sums to one.

    One name is that person's own belief. Any order; raises ValueError for an empty chain.
    """
    if not chain:
        raise ValueError("a chain of thinkers needs at least one name")
    belief = {ELSEWHERE: 1.0}
    for occurrence in ground.record.get(thing, ()):
        w = occurrence.weight(chain)
        if w <= 0.0:
            continue
        if occurrence.happening in (Happening.SEEN, Happening.TOLD):
            belief = {place: (1.0 - w) * p for place, p in belief.items() if w < 1.0}
            belief[occurrence.place] = belief.get(occurrence.place, 0.0) + w
        else:
            lost = w * belief.get(occurrence.place, 0.0)
            if lost:
                belief[occurrence.place] -= lost
                belief[ELSEWHERE] = belief.get(ELSEWHERE, 0.0) + lost
    return {place: p for place, p in belief.items() if p > 0.0}


def false_belief(ground: CommonGround, chain: Sequence[str], thing: str, reality: Mapping[str, float]) -> float:
    """Probability that what the chain believes about ``thing`` is wrong.

    For one name, wrong about the world: ``reality`` is place → probability that the object is there. For a longer chain, wrong about
    the mind of the rest: what ``chain[1:]`` really believes takes the place of ``reality``. Having no belief is not a false one.
    """
    mine = believed(ground, chain, thing)
    truth = reality if len(set(chain)) == 1 else believed(ground, chain[1:], thing)
    return sum(p * (1.0 - truth.get(place, 0.0)) for place, p in mine.items() if place != ELSEWHERE)
