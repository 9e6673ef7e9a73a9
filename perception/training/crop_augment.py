"""Other exemplars made of the ones there are: a cut-out instance with another colour, shape and size, parts of it lost.

A class has few meshes to learn from and will be met in others: a white mug in blue, a plain vase in stripes. Turning colours about the grey axis leaves white
white, so that some are dyed as well, and some get bands of another dye; four in ten keep the colours they have, which say more of an apple than of a mug. What
changes the shape in the picture changes the metres beside it. Pure functions of their arguments and the generator's state.
"""

from __future__ import annotations

import cv2
import numpy as np

from perception.detectors.light_crops import FACTS
from perception.training.augment import colour_matrix, dye_matrix

_SIZES = ("log_width", "log_height", "log_depth", "log_area", "log_footprint", "spread")
_AT = {name: FACTS.index(name) for name in FACTS}


def varied(picture: np.ndarray, facts: np.ndarray, outline: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """``picture`` (CHANNELS, side, side), ``facts`` (len(FACTS),), ``outline`` (side, side): each as given or changed, never in place; and whether the picture may
    teach the outline: not where the colours were changed along it, which would give it away."""
    if rng.random() < 0.6:
        picture, facts, outline = _reshaped(picture, facts, outline, rng)
    picture = picture.copy()
    recoloured = rng.random() < 0.6
    if recoloured:
        picture[:3] = np.where(outline > 0.5, _recoloured(picture[:3], rng), picture[:3])
    if rng.random() < 0.25:
        _lost(picture, rng)
    return picture, _remeasured(facts, rng), outline, not recoloured


def _reshaped(picture: np.ndarray, facts: np.ndarray, outline: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Longer or shorter each way, a little turned."""
    a, b = np.exp(rng.normal(0.0, 0.1, 2))
    side = picture.shape[-1]
    angle, middle = float(rng.normal(0.0, 5.0)), side / 2 - 0.5
    turn = cv2.getRotationMatrix2D((middle, middle), angle, 1.0)[:, :2]
    warp = np.hstack([turn @ np.diag([a, b]), np.zeros((2, 1))])
    warp[:, 2] = middle - warp[:, :2] @ [middle, middle]
    smooth = cv2.warpAffine(np.dstack([*picture[:4], outline]), warp, (side, side), flags=cv2.INTER_LINEAR)
    relief = cv2.warpAffine(picture[4], warp, (side, side), flags=cv2.INTER_NEAREST)
    facts = facts.copy()
    facts[_AT["aspect"]] += np.log(a / b)
    if facts[_AT["has_depth"]] > 0:
        for name, by in (("log_width", a), ("log_height", b), ("log_area", (a * b) ** 0.5)):
            facts[_AT[name]] += np.log(by)
    return (np.concatenate([smooth[..., :4].transpose(2, 0, 1), relief[None]]), facts, (smooth[..., 4] >= 0.5).astype(np.float32))


def _recoloured(colour: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """float32 (3, h, w) in -1 to 1: turned about the grey axis, paler or stronger, lighter or darker."""
    angle = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.3 else float(rng.normal(0.0, 0.2))
    strength = float(rng.uniform(0.5, 1.4))
    matrix = colour_matrix(angle, strength, float(np.exp(rng.normal(0.0, 0.2))))
    other = np.tensordot(matrix, colour, axes=1) + np.float32(rng.normal(0.0, 0.1))
    draw = rng.random()
    if draw < 0.35:
        other = _dyed(other, rng)
    if draw < 0.2:
        other = np.where(_bands(rng, colour.shape[-1]), _dyed(other, rng), other)
    return np.clip(other, -1.0, 1.0)


def _dyed(colour: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.tensordot(dye_matrix(rng), colour + 1.0, axes=1) - 1.0


def _bands(rng: np.random.Generator, side: int) -> np.ndarray:
    """bool (side, side): stripes of any direction and width, or one half."""
    angle, period = float(rng.uniform(0.0, np.pi)), float(np.exp(rng.uniform(np.log(6.0 * side / 64), np.log(2.0 * side))))
    v, u = np.mgrid[:side, :side]
    return np.sin((u * np.cos(angle) + v * np.sin(angle)) * (2 * np.pi / period) + rng.uniform(0.0, 2 * np.pi)) > rng.uniform(-0.5, 0.7)


def _lost(picture: np.ndarray, rng: np.random.Generator) -> None:
    """A rectangle of another colour and no relief, as if something stood before it."""
    side = picture.shape[-1]
    a, b = rng.integers(side // 8, side // 2, 2)
    top, left = rng.integers(0, side - a), rng.integers(0, side - b)
    picture[:3, top:top + a, left:left + b] = rng.uniform(-1.0, 1.0, (3, 1, 1))
    picture[4, top:top + a, left:left + b] = 0.0


def _remeasured(facts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Larger or smaller as a whole; heights a little off."""
    facts = facts.copy()
    if facts[_AT["has_depth"]] > 0:
        facts[[_AT[name] for name in _SIZES]] += np.float32(rng.normal(0.0, 0.08))
        if facts[_AT["floor_known"]] > 0:
            facts[[_AT["bottom"], _AT["top"]]] += rng.normal(0.0, 0.02, 2).astype(np.float32)
    return facts
