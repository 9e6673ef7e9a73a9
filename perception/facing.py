"""Which way a person faces: a belief over directions, filtered over time.

Without keypoints no single frame tells: the shoulders' line is good to about 10° but looks the same from before and behind. Walking tells
the sense, turning keeps it, a stretched arm and keypoints (where the detector has them) add to it. So a histogram over the circle is kept
per person: it diffuses as fast as people turn, and every cue multiplies it by a likelihood that leaves room for its being wrong. Invariant: the
histogram sums to one over its directions; without any cue that knows the sense, the yaw is None, not a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perception.geometry import wrap

BINS = 72
DIRECTIONS = np.arange(BINS) * (2 * np.pi / BINS)
_TURN_RATE, NECK_RATE = 1.3, 1.2  # rad per √s: how far a body, and a head, may have turned
_NEAR = BINS // 8  # 45°
_EDGE_ON = 0.62  # a visible patch rounder than this (width over length) tells nothing


@dataclass(frozen=True)
class Cue:
    """``yaw`` radians, map; ``kappa``: its sharpness (von Mises concentration); ``wrong``: chance in (0, 1) that it says nothing;
    ``axis``: the opposite direction is as likely."""

    yaw: float
    kappa: float
    wrong: float = 0.15
    axis: bool = False


def uniform() -> np.ndarray:
    """float64 (72,), sums to one."""
    return np.full(BINS, 1.0 / BINS)


def predicted(belief: np.ndarray, dt: float, rate: float = _TURN_RATE) -> np.ndarray:
    """After ``dt`` seconds in which the person may have turned (``rate``, rad per √s)."""
    sigma = max(rate * np.sqrt(max(min(dt, 4.0), 0.0)), 1e-3)
    off = (DIRECTIONS + np.pi) % (2 * np.pi) - np.pi
    kernel = np.exp(-0.5 * (off / sigma) ** 2)
    spread = np.fft.irfft(np.fft.rfft(belief) * np.fft.rfft(kernel / kernel.sum()), BINS)
    return 0.98 * np.maximum(spread, 0) / max(float(spread.sum()), 1e-12) + 0.02 / BINS


def updated(belief: np.ndarray, cues: list[Cue]) -> np.ndarray:
    """Bayes' rule with every cue in turn."""
    for cue in cues:
        ahead = np.exp(cue.kappa * (np.cos(DIRECTIONS - cue.yaw) - 1))
        if cue.axis:
            ahead = ahead + np.exp(cue.kappa * (np.cos(DIRECTIONS - cue.yaw - np.pi) - 1))
        belief = belief * ((1 - cue.wrong) * ahead / ahead.sum() + cue.wrong / BINS)
        belief = belief / belief.sum()
    return belief


def weighed(belief: np.ndarray, likelihood: np.ndarray, wrong: float = 0.03) -> np.ndarray:
    """Bayes' rule with a likelihood over all directions, (72,) up to scale, that says nothing with chance ``wrong``."""
    belief = belief * ((1 - wrong) * likelihood / likelihood.sum() + wrong / BINS)
    return belief / belief.sum()


def read(belief: np.ndarray) -> tuple[float | None, float]:
    """The direction with most belief about it, and the share of belief within 45° of it; None when its opposite is as good."""
    wrapped = np.concatenate([belief[-_NEAR:], belief, belief[:_NEAR]])
    window = np.convolve(wrapped, np.ones(2 * _NEAR + 1), mode="valid")
    top = int(np.argmax(window))
    share, opposite = float(window[top]), float(window[(top + BINS // 2) % BINS])
    if share < 1.35 * opposite or share < 0.35:
        return None, share
    mask = (np.abs((np.arange(BINS) - top + BINS // 2) % BINS - BINS // 2) <= _NEAR).astype(float)
    x, y = float((belief * mask) @ np.cos(DIRECTIONS)), float((belief * mask) @ np.sin(DIRECTIONS))
    return wrap(float(np.arctan2(y, x))), share


def spread(belief: np.ndarray, most: float = 0.35) -> float:
    """Circular standard deviation, radians, in [0.05, most]."""
    length = float(np.hypot(belief @ np.cos(DIRECTIONS), belief @ np.sin(DIRECTIONS)))
    return float(np.clip(np.sqrt(-2 * np.log(max(min(length, 1.0), 1e-6))), 0.05, most))


def walking(velocity: np.ndarray) -> list[Cue]:
    """People walk forwards. ``velocity`` (2,) m/s."""
    speed = float(np.linalg.norm(velocity))
    if speed < 0.3:
        return []
    return [Cue(float(np.arctan2(velocity[1], velocity[0])), 10.0 * min(1.0, speed / 0.7), 0.1)]


def shoulders(points: np.ndarray, crown: float) -> list[Cue]:
    """The normal of the visible chest or back, (N, 3) surface points; nothing when it is seen edge-on, bent over or too small."""
    band = points[(points[:, 2] > 0.70 * crown) & (points[:, 2] < 0.84 * crown)][:, :2]
    if len(band) < 10:
        return []
    middle = np.median(band, axis=0)
    band = band[np.linalg.norm(band - middle, axis=1) < 0.30]
    if len(band) < 10:
        return []
    spread, axes = np.linalg.eigh(np.cov(band.T))
    length, width = float(np.sqrt(max(spread[1], 1e-9))), float(np.sqrt(max(spread[0], 1e-9)))
    if length < 0.06 or width / length > _EDGE_ON:
        return []
    across = axes[:, 1]
    return [Cue(float(np.arctan2(across[0], -across[1])), 10.0 * (1 - width / length), 0.3, axis=True)]


def reaching(hands: tuple, position: tuple[float, float]) -> list[Cue]:
    """People reach ahead of themselves."""
    cues = []
    for hand in hands:
        reach = np.array(hand[:2]) - position
        length = float(np.linalg.norm(reach))
        if length > 0.40:
            cues.append(Cue(float(np.arctan2(reach[1], reach[0])), 2.0, 0.3))
    return cues
