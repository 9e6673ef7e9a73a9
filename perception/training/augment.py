"""Variations of a labelled image that stay true to geometry: what changes the picture changes intrinsics and joints with it.

A crop moves the principal point, scaling changes the focal length, a mirror image swaps left and right joints; depth values are
never scaled, because metres are what the network is meant to trust. Noise: colour grain, exposure, axial depth noise σ = 0.0025 z²
(Khoshelham & Elberink 2012), disparity steps and holes at depth edges, each at a strength drawn per image.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from household.camera import CameraModel
from perception.detectors.base import Joint
from perception.training.shards import LabelledImage

_TILE = 128  # pixels


@dataclass(frozen=True)
class AugmentConfig:
    """Probabilities; ``smallest``: least share of the width that a crop keeps; ``recolour``: of each instance by itself."""

    flip: float = 0.5
    crop: float = 0.5
    smallest: float = 0.4
    noise: float = 0.85
    recolour: float = 0.5
    erase: float = 0.25
    no_depth: float = 0.04
    no_color: float = 0.02

    def __post_init__(self) -> None:
        for name in ("flip", "crop", "noise", "recolour", "erase", "no_depth", "no_color"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} = {getattr(self, name)}: must be 0 to 1")
        if not 0.1 <= self.smallest <= 1.0:
            raise ValueError(f"smallest = {self.smallest}: must be 0.1 to 1")


def flipped(one: LabelledImage) -> LabelledImage:
    """The mirror image: of a mirrored room, seen by a mirrored camera."""
    w, c = one.camera.width, one.camera
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    joints = {v: {mirrored_joint(j): (w - 1 - u, y) for j, (u, y) in row.items()} for v, row in one.joints.items()}
    return replace(one, color=np.ascontiguousarray(one.color[:, ::-1]), depth=np.ascontiguousarray(one.depth[:, ::-1]),
                   ids=np.ascontiguousarray(one.ids[:, ::-1]), camera=replace(c, cx=w - 1 - c.cx), pose=mirror @ one.pose @ mirror,
                   joints=joints)


def mirrored_joint(joint: Joint) -> Joint:
    """The joint that one becomes in a mirror: a left hand a right one."""
    side, _, rest = joint.value.partition("_")
    return Joint({"left": "right_", "right": "left_"}[side] + rest) if rest else joint


def cropped(one: LabelledImage, left: int, top: int, width: int, height: int) -> LabelledImage:
    """Raises ValueError when the window leaves the image."""
    c = one.camera
    if not (0 <= left and 0 <= top and width > 0 and height > 0 and left + width <= c.width and top + height <= c.height):
        raise ValueError(f"window {left}, {top}, {width}×{height} is not within {c.width}×{c.height}")
    part = np.s_[top:top + height, left:left + width]
    joints = {v: {j: (u - left, y - top) for j, (u, y) in row.items() if left <= u < left + width and top <= y < top + height}
              for v, row in one.joints.items()}
    camera = CameraModel(width, height, c.fx, c.fy, c.cx - left, c.cy - top)
    return replace(one, color=one.color[part], depth=one.depth[part], ids=one.ids[part], camera=camera, joints=joints)


def resized(one: LabelledImage, width: int, height: int) -> LabelledImage:
    """Enlarged or shrunk; depth and ids are picked, never mixed."""
    c = one.camera
    if (c.width, c.height) == (width, height):
        return one
    sx, sy = width / c.width, height / c.height
    shrink = cv2.INTER_AREA if sx < 1 else cv2.INTER_LINEAR
    rows, columns = ((np.arange(height) + 0.5) / sy).astype(int), ((np.arange(width) + 0.5) / sx).astype(int)
    pick = np.ix_(np.minimum(rows, c.height - 1), np.minimum(columns, c.width - 1))
    camera = CameraModel(width, height, c.fx * sx, c.fy * sy, (c.cx + 0.5) * sx - 0.5, (c.cy + 0.5) * sy - 0.5)
    joints = {v: {j: ((u + 0.5) * sx - 0.5, (y + 0.5) * sy - 0.5) for j, (u, y) in row.items()} for v, row in one.joints.items()}
    return replace(one, color=cv2.resize(one.color, (width, height), interpolation=shrink), depth=one.depth[pick], ids=one.ids[pick],
                   camera=camera, joints=joints)


def augmented(one: LabelledImage, rng: np.random.Generator, config: AugmentConfig = AugmentConfig(), focus: int | None = None,
              size: tuple[int, int] | None = None) -> LabelledImage:
    """``focus``: the instance a crop is laid around; ``size`` = (width, height) of the result, default that of the crop. Pure function of
    its arguments and the generator's state."""
    if rng.random() < config.flip:
        one = flipped(one)
    if rng.random() < config.crop:
        one = _around(one, rng, config, focus)
    if size is not None:
        one = resized(one, *size)
    color, depth = one.color.copy(), one.depth.copy()
    if config.recolour > 0.0:
        _recolour(color, one, rng, config.recolour)
    if not one.noisy and rng.random() < config.noise:
        depth = _depth_noise(depth, rng)
        color = _grain(color, rng)
    color = _colour(color, rng)
    if rng.random() < config.erase:
        _erase(color, depth, rng)
    draw = rng.random()
    if draw < config.no_depth:
        depth[:] = 0.0
    elif draw < config.no_depth + config.no_color:
        color[:] = 128
    return replace(one, color=color, depth=depth)


def _recolour(color: np.ndarray, one: LabelledImage, rng: np.random.Generator, share: float) -> None:
    """Other exemplars of what is seen: a class has few meshes to learn from and is met in others, in colours of their own. Some get the pattern of another
    part of the picture."""
    h, w = one.ids.shape
    picture, flat = color.reshape(-1, 3), one.ids.ravel()
    order, count = np.argsort(flat, kind="stable"), np.bincount(flat)
    ends = np.cumsum(count)
    for value in np.flatnonzero(count):
        if int(value) not in one.table or rng.random() >= share:
            continue
        pixels = order[ends[value] - count[value]:ends[value]]
        own = np.take(picture, pixels, axis=0)
        if rng.random() < 0.2 and one.table[int(value)][1] != "person":
            rows, columns = np.divmod(pixels, w)
            down, right = int(rng.integers(0, h)), int(rng.integers(0, w))
            part = float(rng.uniform(0.3, 0.8))
            other = np.take(picture, (rows + down) % h * w + (columns + right) % w, axis=0)
            own = cv2.addWeighted(own, 1 - part, other, part, 0.0)
        matrix = np.hstack([_colours(rng), np.full((3, 1), rng.normal(0.0, 12.0))]).astype(np.float32)
        picture[pixels] = cv2.transform(own[:, None], matrix)[:, 0]


def _colours(rng: np.random.Generator) -> np.ndarray:
    """float32 (3, 3): turned about the grey axis, paler or stronger, lighter or darker; a quarter dyed."""
    angle = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.35 else float(rng.normal(0.0, 0.25))
    strength = float(rng.uniform(0.4, 1.4))
    matrix = colour_matrix(angle, strength, float(np.exp(rng.normal(0.0, 0.25))))
    return dye_matrix(rng) @ matrix if rng.random() < 0.25 else matrix


def colour_matrix(angle: float, strength: float, brightness: float) -> np.ndarray:
    """float32 (3, 3) for RGB: turned by ``angle`` (rad) about the grey axis, its colour times ``strength`` (0: grey), all of it times ``brightness``."""
    axis, grey = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]) / np.sqrt(3.0), np.full((3, 3), 1.0 / 3.0)
    turn = np.cos(angle) * np.eye(3) + np.sin(angle) * axis + (1 - np.cos(angle)) * grey
    return (brightness * (strength * turn + (1 - strength) * grey)).astype(np.float32)


def dye_matrix(rng: np.random.Generator) -> np.ndarray:
    """float32 (3, 3) for RGB from 0 up: how light a pixel is stays, its colour becomes more or less that of a dye. White things become coloured too."""
    colour, share = rng.uniform(0.1, 1.0, 3), float(rng.uniform(0.5, 1.0))
    return ((1 - share) * np.eye(3) + share * np.outer(colour, (0.3, 0.6, 0.1)) * (1.0 + 0.3 * rng.random())).astype(np.float32)


def _around(one: LabelledImage, rng: np.random.Generator, config: AugmentConfig, focus: int | None) -> LabelledImage:
    c = one.camera
    share = float(rng.uniform(config.smallest, 1.0))
    width, height = max(8, int(c.width * share)), max(8, int(c.height * share))
    left, top = rng.integers(0, c.width - width + 1), rng.integers(0, c.height - height + 1)
    if focus is not None:
        rows, columns = np.nonzero(one.ids == focus)
        if len(rows):
            u, v = columns.mean(), rows.mean()
            left = int(np.clip(u - width * rng.uniform(0.2, 0.8), 0, c.width - width))
            top = int(np.clip(v - height * rng.uniform(0.2, 0.8), 0, c.height - height))
    return cropped(one, int(left), int(top), width, height)


def _tiled(rng: np.random.Generator, height: int, width: int, draw: str, channels: tuple[int, ...] = ()) -> np.ndarray:
    """Noise float32 (height, width, *channels) from one drawn tile, which is a good deal faster than drawing every pixel."""
    tile = getattr(rng, draw)((_TILE, _TILE, *channels), np.float32)
    repeats = (-(-height // _TILE), -(-width // _TILE), *(1 for _ in channels))
    return np.tile(tile, repeats)[:height, :width]


def _depth_noise(depth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    strength = float(rng.uniform(0.3, 1.5))
    z = depth + _tiled(rng, *depth.shape, "standard_normal") * np.float32(0.0025 * strength) * depth * depth
    scale = 340.0 * float(rng.uniform(0.7, 2.0))  # focal × baseline / smallest disparity step
    z = (scale / np.maximum(np.rint(scale / np.maximum(z, 1e-3)), 1)).astype(np.float32)
    kernel = np.ones((3, 3), np.uint8)
    edge = cv2.dilate(depth, kernel) - cv2.erode(depth, kernel) > 0.06 * np.maximum(depth, 0.1)
    lost = (edge & (_tiled(rng, *depth.shape, "random") < 0.5)) | (depth < 0.25) | (depth > rng.uniform(6.0, 9.0))
    z[lost | (depth <= 0)] = 0.0
    return z


def _grain(color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    noise = _tiled(rng, *color.shape[:2], "standard_normal", (3,)) * np.float32(rng.uniform(0.5, 4.0))
    return cv2.add(color, noise.astype(np.int16), dtype=cv2.CV_8U)


def _colour(color: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Brightness, contrast, white balance, saturation, all one affine map of a pixel; sometimes a slight blur."""
    contrast, brightness, saturation = rng.uniform(0.75, 1.25), rng.uniform(-30, 30), rng.uniform(0.5, 1.4)
    balance = 1 + 0.06 * rng.standard_normal(3)
    mix = (saturation * np.eye(3) + (1 - saturation) / 3) @ np.diag(balance)
    matrix = np.hstack([contrast * mix, mix @ np.full((3, 1), 128 * (1 - contrast) + brightness)])
    x = cv2.transform(color, matrix.astype(np.float32))
    return cv2.GaussianBlur(x, (3, 3), 0) if rng.random() < 0.15 else x


def _erase(color: np.ndarray, depth: np.ndarray, rng: np.random.Generator) -> None:
    """A few rectangles of colour or depth are lost; the labels stay: the rest must tell."""
    h, w = depth.shape
    for _ in range(int(rng.integers(1, 4))):
        a, b = int(rng.integers(4, max(5, h // 6))), int(rng.integers(4, max(5, w // 6)))
        top, left = int(rng.integers(0, max(1, h - a))), int(rng.integers(0, max(1, w - b)))
        if rng.random() < 0.5:
            depth[top:top + a, left:left + b] = 0.0
        else:
            color[top:top + a, left:left + b] = rng.integers(0, 255, 3)
