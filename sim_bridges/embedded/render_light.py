"""Light on what is seen: one ceiling lamp a room with shadows, daylight from the windows, lamps that are switched on,
ambient light.

All light is linear; the display curve is a square root (the inverse of how textures are read). Shadows are looked up
at half resolution and softened, which looks like a lamp of some size. Nothing here is random. Arrays are rows of
coordinates, (3, n).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sim_bridges.embedded.render_scene import Surface
from sim_bridges.embedded.textures import Atlas


@dataclass(frozen=True)
class Lights:
    """``lamps`` float32 (3, rooms): ceiling lamps, map; ``windows`` float32 (3, rooms): unit vectors towards a room's
    window light, zero without one; ``level`` 0…1: lamps and daylight; ``spots``: (position (3,), room) of floor lamps
    that are on.
    """

    lamps: np.ndarray
    windows: np.ndarray
    level: float
    spots: tuple[tuple[tuple[float, float, float], int], ...] = ()


def lit(surface: Surface, pos: np.ndarray, rays: np.ndarray, lights: Lights, lamp_seen: np.ndarray, shade: np.ndarray,
        atlas: Atlas) -> np.ndarray:
    """Linear colour float32 (3, n). ``pos``, ``rays`` (3, n) map; ``lamp_seen`` (n,) 0…1; ``shade`` (n,) ambient
    occlusion, 1 = open.
    """
    f = np.float32
    level = f(lights.level)
    nrm, room = surface.nrm, surface.room
    to_lamp = [lights.lamps[k].take(room) - pos[k] for k in range(3)]
    distance2 = _dot(to_lamp, to_lamp)
    facing = np.maximum(_dot(nrm, to_lamp), 0) / np.sqrt(distance2 + f(1e-6))
    window = _dot(nrm, [lights.windows[k].take(room) for k in range(3)])
    ambient = f(0.05) + level * (f(0.34) + f(0.15) * window - f(0.05) * nrm[2])
    light = ambient * shade + level * f(1.0) * facing * lamp_seen / (f(0.8) + f(0.12) * distance2)
    for spot, where in lights.spots:
        near = [f(spot[k]) - pos[k] for k in range(3)]
        d2 = _dot(near, near)
        bright = np.maximum(_dot(nrm, near), 0) / np.sqrt(d2 + f(1e-6))
        light += np.where(room == where, f(1.5) * (f(0.25) + bright) / (f(0.9) + f(0.35) * d2), f(0))
    glow = atlas.look("glow", surface.mat) + atlas.look("sky", surface.mat) * (f(0.06) + f(0.94) * level)
    light += glow * (f(1.1) - light)
    colour = surface.albedo * light
    gloss = atlas.look("gloss", surface.mat)
    shiny = np.flatnonzero(gloss > 0.01)
    if len(shiny):
        shine = _highlight(nrm[:, shiny], rays[:, shiny], np.stack([a.take(shiny) for a in to_lamp]))
        colour[:, shiny] += f(0.55) * level * gloss.take(shiny) * lamp_seen.take(shiny) * shine
    return colour


def _dot(a, b) -> np.ndarray:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _highlight(nrm: np.ndarray, rays: np.ndarray, to_lamp: np.ndarray) -> np.ndarray:
    """Blinn's half-vector highlight, float32 (n,)."""
    half = to_lamp / np.sqrt(_dot(to_lamp, to_lamp) + 1e-6) - rays / np.sqrt(_dot(rays, rays))
    cosine = np.maximum(_dot(nrm, half), 0) / np.sqrt(_dot(half, half) + 1e-6)
    for _ in range(5):
        cosine = cosine * cosine
    return cosine


def softened(seen: np.ndarray, height: int, width: int) -> np.ndarray:
    """Coarse lamp visibility (h2, w2) → soft full resolution float32 (height × width,)."""
    blurred = cv2.GaussianBlur(seen.astype(np.float32), (5, 5), 1.2)
    return cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR).reshape(-1)


def contact_shade(depth: np.ndarray, focal: float) -> np.ndarray:
    """Darker where a surface lies in a hollow of the depth image: cheap ambient occlusion, float32 (h × w,), 0.7…1.

    Worked out at half resolution: it is smooth.
    """
    h, w = depth.shape
    inverse = 1 / np.clip(cv2.resize(depth, (max(1, w // 2), max(1, h // 2)), interpolation=cv2.INTER_NEAREST), 0.2, 20.0)
    total = np.zeros_like(inverse)
    for metres in (0.08, 0.30):
        size = int(np.clip(focal * metres / 6.0, 1, 30)) * 2 + 1
        hollow = cv2.blur(inverse, (size, size), borderType=cv2.BORDER_REPLICATE) / inverse - 1
        total += np.clip(hollow * 5, 0, 1) * np.clip(2 - hollow * 8, 0, 1)
    return cv2.resize((1 - 0.15 * total).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR).reshape(-1)


def smoothed(image: np.ndarray, edge: np.ndarray) -> np.ndarray:
    """Steps along outlines averaged away: pixels at an ``edge`` (bool (h, w)) take the mean of their neighbourhood;
    uint8 (h, w, 3).
    """
    return np.where(edge[..., None], cv2.blur(image, (3, 3)), image)


def outlines(instance: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """Bool (h, w): pixels beside another instance or a jump in depth of more than 3 %."""
    edge = np.zeros(depth.shape, bool)
    for a, b in ((np.s_[1:, :], np.s_[:-1, :]), (np.s_[:, 1:], np.s_[:, :-1])):
        near, far = depth[a], depth[b]
        step = (instance[a] != instance[b]) | (np.abs(near - far) > np.float32(0.03) * near)
        edge[a] |= step
        edge[b] |= step
    return edge


def displayed(linear: np.ndarray, height: int, width: int) -> np.ndarray:
    """Linear light (3, n) → uint8 (height, width, 3), with a soft shoulder so that bright walls keep their colour."""
    x = np.clip(linear, 0, 4)
    x = x * (1 + x * np.float32(0.11)) / (1 + x * np.float32(0.42))
    codes = (np.sqrt(np.minimum(x * np.float32(1.15), 1)) * np.float32(255) + np.float32(0.5)).astype(np.uint8)
    return cv2.merge([row.reshape(height, width) for row in codes])
