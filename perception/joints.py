"""Body joints that a simulator publishes beside its instance image, kept until the picture with their stamp is looked at.

They travel on a topic of their own and may come before or after the picture. Invariant: at most ``KEPT`` stamps are remembered.
"""

from __future__ import annotations

import json

from perception.detectors.base import Keypoint
from perception.detectors.simulator import keypoints_of

KEPT = 16
_SAME = 1e-4  # s: stamps that are one


class JointsByStamp:
    def __init__(self) -> None:
        self._of: dict[float, dict[str, tuple[Keypoint, ...]]] = {}

    def add(self, text: str) -> None:
        """``text``: {"stamp": seconds, "people": {person: [[COCO name, column, row], ...]}}. Raises ValueError for anything else."""
        try:
            message = json.loads(text)
            self._of[float(message["stamp"])] = keypoints_of(message["people"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"joints of people: wanted a stamp and people with [name, column, row], got {text[:80]!r}") from error
        while len(self._of) > KEPT:
            del self._of[next(iter(self._of))]

    def at(self, stamp: float) -> dict[str, tuple[Keypoint, ...]] | None:
        """None: not come (yet)."""
        return next((joints for when, joints in self._of.items() if abs(when - stamp) < _SAME), None)
