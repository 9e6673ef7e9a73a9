"""How far each listener trusts each speaker: a Beta count of that speaker's claims which the listener found right or wrong.

A claim is settled when its listener next sees the thing at the place, or sees the place without it while the claim is fresh (an old
claim may have been true when it was made). Invariant: at most ``PENDING`` claims are open; the oldest is dropped unsettled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from household.scene_graph import SceneGraph
from mind.social.aims import SocialConfig
from mind.values import replace

PENDING = 48


@dataclass(frozen=True)
class Claim:
    speaker: str
    listener: str
    thing: str
    place: str
    stamp: float
    denied: bool = False


@dataclass(frozen=True)
class TrustRecord:
    """``counts``: (listener, speaker) → (claims found right, found wrong). ``open``: claims not settled yet, oldest first."""

    counts: Mapping[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    open: tuple[Claim, ...] = ()

    def trust(self, listener: str, speaker: str, config: SocialConfig = SocialConfig()) -> float:
        """Posterior mean that the speaker's next claim is right, in (0, 1)."""
        right, wrong = self.counts.get((listener, speaker), (0.0, 0.0))
        return (config.trust_yes + right) / (config.trust_yes + config.trust_no + right + wrong)

    def heard(self, claim: Claim) -> "TrustRecord":
        rest = tuple(c for c in self.open if (c.listener, c.speaker, c.thing) != (claim.listener, claim.speaker, claim.thing))
        return replace(self, open=(*rest, claim)[-PENDING:])


def settle(record: TrustRecord, scene: SceneGraph, config: SocialConfig) -> TrustRecord:
    """Settle what each listener can see now."""
    if not record.open:
        return record
    counts, still = dict(record.counts), []
    for claim in record.open:
        verdict = _verdict(claim, scene, config)
        if verdict is None:
            if scene.stamp - claim.stamp <= 4 * config.claim_lifetime:
                still.append(claim)
            continue
        right, wrong = counts.get((claim.listener, claim.speaker), (0.0, 0.0))
        counts[claim.listener, claim.speaker] = (right + verdict, wrong + 1 - verdict)
    return TrustRecord(counts, tuple(still))


def _verdict(claim: Claim, scene: SceneGraph, config: SocialConfig) -> int | None:
    """1 right, 0 wrong, None not known yet, by what the listener sees in this frame."""
    sees, looked = scene.sees.get(claim.listener, frozenset()), scene.inspected.get(claim.listener, frozenset())
    fresh = scene.stamp - claim.stamp <= config.claim_lifetime
    if claim.thing in sees:
        there = scene.place_of(claim.thing) == claim.place
        if there or claim.place in looked or fresh:
            return int(there != claim.denied) if there or fresh else None
        return None
    if claim.place in looked and fresh:
        return int(claim.denied)
    return None
