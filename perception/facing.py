"""Which way a person faces: a belief over directions, filtered over time.

Without keypoints no single frame tells: the shoulders' line is good to about 10° but looks the same from before and behind. Walking tells
the sense, turning keeps it, a stretched arm and keypoints (where the detector has them) add to it. So a histogram over the circle is kept
per person: mostly people stay as they are and now and then they turn, and every cue multiplies it by a likelihood that leaves room for its being
wrong. A head has a histogram of its own: when it turns, then mostly to straight ahead or to something worth looking at, and never farther than a neck
goes. Invariant: the histogram sums to one over its directions; without any cue that knows the sense, the yaw is None, not a guess.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from perception.geometry import length, lengths, wrap
from perception.order import medians

BINS = 72
DIRECTIONS = np.arange(BINS) * (2 * np.pi / BINS)
COSINES, SINES = np.cos(DIRECTIONS), np.sin(DIRECTIONS)
_OFF = (DIRECTIONS + np.pi) % (2 * np.pi) - np.pi  # the same from straight ahead, in [−π, π)
_SWAY, _TURN, _STAYS = 0.35, 1.9, 0.5  # rad per √s of who stays as they are, and of who turns; chance of the first in a third of a second
_HEAD_SWAY, _LOOKS_AWAY = 0.17, 0.7  # the same of a head: rad per √s, and the chance in a third of a second that it turns to something else
_AHEAD, _AT_SOMETHING, _OFF_AHEAD = 0.35, 0.55, 0.1  # of heads that turn: shares that turn straight ahead (give or take rad), and to what is around
_NECK, _STIFF = 1.4, 0.07  # rad to which heads turn against bodies, and by which that end is soft
_AIM = 40.0  # concentration of looks at something
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


def predicted(belief: np.ndarray, dt: float) -> np.ndarray:
    """After ``dt`` seconds in which a body mostly stays as it is and sometimes turns."""
    third = 3 * max(min(dt, 4.0), 0.0)
    stays = _STAYS ** third
    own = np.fft.rfft(belief)
    moved = stays * _diffused(own, _SWAY * np.sqrt(third / 3)) + (1 - stays) * _diffused(own, _TURN * np.sqrt(third / 3))
    return 0.98 * moved / moved.sum() + 0.02 / BINS


def head_predicted(head: np.ndarray, body: np.ndarray, dt: float, sights: np.ndarray | None = None) -> np.ndarray:
    """A head's belief after ``dt`` seconds, on a body with belief ``body``. ``sights``: (72,) over directions of what there is to look at."""
    third = 3 * max(min(dt, 4.0), 0.0)
    below = np.fft.rfft(body)
    reach = _convolved(below, _WITHIN_REACH)
    turned = _AHEAD * _convolved(below, _gaussian(_OFF_AHEAD))
    if sights is not None:
        aimed = sights * reach
        turned = turned + _AT_SOMETHING * aimed / aimed.sum()
    turned = turned + (1 - turned.sum()) * reach / reach.sum()
    stays = (1 - _LOOKS_AWAY) ** third
    moved = stays * _diffused(np.fft.rfft(head), _HEAD_SWAY * np.sqrt(third / 3)) + (1 - stays) * turned
    moved = moved * (reach / reach.max() + 0.02)
    return moved / moved.sum()


def sights(position: tuple[float, float], spots: np.ndarray, weights: np.ndarray, aim: float = _AIM) -> np.ndarray | None:
    """(72,), sums to one: where somebody at ``position`` would look who looks at one of ``spots`` (n, 2) give or take 1/√``aim``
    rad; None when there are none."""
    d = np.asarray(spots, float).reshape(-1, 2) - position
    some = np.hypot(*d.T) > 0.15
    if not some.any():
        return None
    yaw = np.arctan2(d[some, 1], d[some, 0])
    each = np.exp(aim * (np.cos(DIRECTIONS[None] - yaw[:, None]) - 1))
    result = np.asarray(weights, float)[some] @ (each / each.sum(axis=1, keepdims=True))
    return result / result.sum()


def _diffused(belief: np.ndarray, sigma: float) -> np.ndarray:
    return _convolved(belief, _gaussian(round(max(sigma, 0.02), 12)))  # the time between two frames is the same but for its last bits


def _convolved(belief: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
    """``belief``, and the ``spectrum`` of the kernel, as np.fft.rfft has them."""
    return np.maximum(np.fft.irfft(belief * spectrum, BINS), 1e-12)


@lru_cache(maxsize=64)
def _gaussian(sigma: float) -> np.ndarray:
    """Spectrum of the bell with this standard deviation; not to be written to."""
    kernel = np.exp(-0.5 * (_OFF / sigma) ** 2)
    return np.fft.rfft(kernel / kernel.sum())


_WITHIN_REACH = np.fft.rfft(1 / (1 + np.exp((np.abs(_OFF) - _NECK) / _STIFF)))  # spectrum of where a neck turns a head to


def updated(belief: np.ndarray, cues: list[Cue]) -> np.ndarray:
    """Bayes' rule with every cue in turn."""
    for cue in cues:
        ahead = np.exp(cue.kappa * (np.cos(DIRECTIONS - cue.yaw) - 1))
        if cue.axis:
            ahead = ahead + np.exp(cue.kappa * (np.cos(DIRECTIONS - cue.yaw - np.pi) - 1))
        belief = belief * ((1 - cue.wrong) * ahead / ahead.sum() + cue.wrong / BINS)
        belief = belief / belief.sum()
    return belief


def weighed(belief: np.ndarray, likelihood: np.ndarray, wrong: float = 0.03, power: float = 1.0) -> np.ndarray:
    """Bayes' rule with a likelihood over all directions, (72,) up to scale, that says nothing with chance ``wrong``. ``power`` below 1: part of what it says
    was said before."""
    belief = belief * ((1 - wrong) * likelihood / likelihood.sum() + wrong / BINS) ** power
    return belief / belief.sum()


def turned(shares: np.ndarray, bearing: float) -> np.ndarray:
    """float64 (72,) over ``DIRECTIONS``, sums to one, of ``shares`` (n,) over angles from ``bearing``, evenly spaced from 0."""
    at = (DIRECTIONS - bearing) % (2 * np.pi) * (len(shares) / (2 * np.pi))
    low, part = np.floor(at).astype(int), at % 1.0
    result = shares[low % len(shares)] * (1 - part) + shares[(low + 1) % len(shares)] * part
    return result / result.sum()


def read(belief: np.ndarray) -> tuple[float | None, float]:
    """The direction with most belief about it, and the share of belief within 45° of it; None when its opposite is as good."""
    wrapped = np.concatenate([belief[-_NEAR:], belief, belief[:_NEAR]])
    window = np.convolve(wrapped, np.ones(2 * _NEAR + 1), mode="valid")
    top = int(np.argmax(window))
    share, opposite = float(window[top]), float(window[(top + BINS // 2) % BINS])
    if share < 1.35 * opposite or share < 0.35:
        return None, share
    mask = (np.abs((np.arange(BINS) - top + BINS // 2) % BINS - BINS // 2) <= _NEAR).astype(float)
    x, y = float((belief * mask) @ COSINES), float((belief * mask) @ SINES)
    return wrap(float(np.arctan2(y, x))), share


def spread(belief: np.ndarray, most: float = 0.35) -> float:
    """Circular standard deviation, radians, in [0.05, most]."""
    length = float(np.hypot(belief @ COSINES, belief @ SINES))
    return float(np.clip(np.sqrt(-2 * np.log(max(min(length, 1.0), 1e-6))), 0.05, most))


def walking(velocity: np.ndarray) -> list[Cue]:
    """People walk forwards. ``velocity`` (2,) m/s."""
    speed = length(velocity)
    if speed < 0.3:
        return []
    return [Cue(float(np.arctan2(velocity[1], velocity[0])), 10.0 * min(1.0, speed / 0.7), 0.1)]


def shoulders(points: np.ndarray, crown: float) -> list[Cue]:
    """The normal of the visible chest or back, (N, 3) surface points; nothing when it is seen edge-on, bent over or too small."""
    band = points[(points[:, 2] > 0.70 * crown) & (points[:, 2] < 0.84 * crown)][:, :2]
    if len(band) < 10:
        return []
    band = band[lengths(band - medians(band)) < 0.30]
    if len(band) < 10:
        return []
    x, y = (band - band.mean(axis=0)).T
    xx, yy, xy = (float(a @ b) / (len(band) - 1) for a, b in ((x, x), (y, y), (x, y)))
    middle, off = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)  # the two spreads are so much more and less than the middle
    length, width = math.sqrt(max(middle + off, 1e-9)), math.sqrt(max(middle - off, 1e-9))
    if length < 0.06 or width / length > _EDGE_ON:
        return []
    along = math.atan2(2 * xy, xx - yy) / 2
    return [Cue(along + math.pi / 2, 10.0 * (1 - width / length), 0.3, axis=True)]


def reaching(hands: tuple, position: tuple[float, float]) -> list[Cue]:
    """People reach ahead of themselves."""
    cues = []
    for hand in hands:
        reach = np.array(hand[:2]) - position
        if length(reach) > 0.40:
            cues.append(Cue(float(np.arctan2(reach[1], reach[0])), 2.0, 0.3))
    return cues
