"""The two draws that every design is made of."""

from __future__ import annotations

import numpy as np


def pick(rng: np.random.Generator, *options):
    """One of the options, each as likely."""
    return options[int(rng.integers(len(options)))]


def chance(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)
