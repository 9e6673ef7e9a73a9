"""Light on what is seen: one ceiling lamp a room with shadows, daylight from the windows, lamps that are switched on, ambient light.

All light is linear; the display curve is a square root (the inverse of how textures are read). Shadows are looked up at half resolution
and softened, which looks like a lamp of some size. Nothing here is random.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from sim_bridges.embedded.render_scene import Surface


@dataclass(frozen=True)
class Lights:
    """``lamps`` float32 (rooms, 3): ceiling lamps, map; ``windows`` float32 (rooms, 3): unit vectors towards a room's window light, zero
    without one; ``level`` 0…1: lamps and daylight; ``spots``: (position (3,), room) of floor lamps that are on."""

    lamps: np.ndarray
    windows: np.ndarray
    level: float
    spots: tuple[tuple[tuple[float, float, float], int], ...] = ()


def lit(surface: Surface, pos: np.ndarray, rays: np.ndarray, lights: Lights, lamp_seen: np.ndarray, shade: np.ndarray) -> np.ndarray:
    """Linear colour float32 (n, 3). ``pos`` (n, 3) map; ``lamp_seen`` (n,) 0…1; ``shade`` (n,) ambient occlusion, 1 = open."""
    level = np.float32(lights.level)
    to_lamp = lights.lamps[surface.room] - pos
    distance2 = np.einsum("ij,ij->i", to_lamp, to_lamp)
    to_lamp *= (1 / np.sqrt(distance2 + 1e-6))[:, None]
    cosine = np.maximum(np.einsum("ij,ij->i", surface.nrm, to_lamp), 0)
    lamp = 0.85 * cosine * lamp_seen / (0.75 + 0.11 * distance2)
    window = np.einsum("ij,ij->i", surface.nrm, lights.windows[surface.room])
    fill = 0.17 * (1 + window)
    up = 0.05 * surface.nrm[:, 2]
    light = level * (lamp + (0.26 + fill - up) * shade) + (0.05 + 0.03 * level) * shade
    for spot, room in lights.spots:
        near = np.array(spot, np.float32) - pos
        d2 = np.einsum("ij,ij->i", near, near)
        facing = np.maximum(np.einsum("ij,ij->i", surface.nrm, near) / np.sqrt(d2 + 1e-6), 0)
        light += np.where(surface.room == room, 0.55 * (0.25 + facing) / (0.6 + d2), 0)
    glow = surface.look[:, 1] + surface.look[:, 3] * (0.06 + 0.94 * level)
    light = light * (1 - glow) + 1.15 * glow
    colour = surface.albedo * light[:, None].astype(np.float32)
    shiny = np.flatnonzero(surface.look[:, 2] > 0.01)
    if len(shiny):
        colour[shiny] += _highlight(surface, rays, to_lamp, lamp_seen, shiny)[:, None] * level
    return colour


def _highlight(surface: Surface, rays: np.ndarray, to_lamp: np.ndarray, lamp_seen: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Blinn's half-vector highlight, float32 (len(where),)."""
    view = -rays[where]
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    half = view + to_lamp[where]
    half /= np.linalg.norm(half, axis=1, keepdims=True) + 1e-6
    sharp = np.maximum(np.einsum("ij,ij->i", surface.nrm[where], half), 0) ** 40
    return (0.55 * surface.look[where, 2] * sharp * lamp_seen[where]).astype(np.float32)


def softened(seen_half: np.ndarray, height: int, width: int) -> np.ndarray:
    """Half-resolution lamp visibility (h2, w2) → soft full resolution float32 (height × width,)."""
    blurred = cv2.GaussianBlur(seen_half.astype(np.float32), (5, 5), 1.2)
    return cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR).reshape(-1)


def contact_shade(depth: np.ndarray, focal: float) -> np.ndarray:
    """Darker where a surface lies in a hollow of the depth image: cheap ambient occlusion, float32 (h × w,), 0.55…1."""
    inverse = 1 / np.clip(depth, 0.2, 20.0)
    total = np.zeros_like(inverse)
    for share, metres in ((0.5, 0.10), (0.5, 0.35)):
        size = int(np.clip(focal * metres / 3.0, 2, 60)) * 2 + 1
        around = cv2.blur(inverse, (size, size), borderType=cv2.BORDER_REPLICATE)
        hollow = (around - inverse) / inverse
        total += share * np.clip(hollow * 6.0, 0, 1) * np.clip(2.5 - hollow * 8, 0, 1)
    return (1 - 0.45 * total).reshape(-1)


def displayed(linear: np.ndarray, height: int, width: int) -> np.ndarray:
    """Linear light (n, 3) → uint8 (height, width, 3), with a soft shoulder so that bright walls keep their colour."""
    x = np.clip(linear, 0, 4)
    x = x * (1 + x * 0.11) / (1 + x * 0.42)
    return (np.sqrt(np.minimum(x * 1.28, 1.0)) * 255 + 0.5).astype(np.uint8).reshape(height, width, 3)
