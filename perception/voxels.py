"""The voxel map: which parts of the home are solid, which are air, and which were never seen (BIP-ALM, appendix D.1, kept over time).

A bounded grid of signed evidence. Depth readings add to the voxel they end in; voxels they pass are carved. People and things that are
carried are left out, so that nobody's past blocks a view. Invariant: 0 means never seen, which is neither solid nor air; memory is
fixed once the grid exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from household.camera import CameraModel
from perception.config import PerceptionConfig
from perception.geometry import depth_at, lengths

SOLID = 4  # evidence from which a voxel blocks a view
_TOP, _FLOOR = 20, -20
_READINGS = 5000  # depth readings used per frame; the grid they are taken from shifts every frame


@dataclass(frozen=True)
class VoxelMap:
    """``evidence`` int8 (nx, ny, nz): > 0 solid, < 0 air, 0 never seen. ``origin``: map point of its low corner. ``size``: edge, m.
    ``turn`` counts updates (spreads the carving rays over the image)."""

    evidence: np.ndarray
    origin: np.ndarray
    size: float
    turn: int = 0

    @classmethod
    def over(cls, low, high, config: PerceptionConfig) -> "VoxelMap":
        """Covers (x, y) from ``low`` to ``high``, cut to config.map_extent, floor to config.map_height."""
        low, high = np.asarray(low, float), np.asarray(high, float)
        span = np.minimum(high - low, config.map_extent)
        shape = (*np.maximum(np.ceil(span / config.voxel).astype(int), 1), int(np.ceil((config.map_height + 0.1) / config.voxel)))
        return cls(np.zeros(shape, np.int8), np.array([low[0], low[1], -0.1]), config.voxel)

    def indices(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """int (N, 3) and bool (N,) whether inside the grid."""
        i = np.floor((np.asarray(points, float) - self.origin) / self.size).astype(np.int64)
        return i, ((i >= 0) & (i < self.evidence.shape)).all(axis=-1)

    def at(self, points: np.ndarray) -> np.ndarray:
        """Evidence int8 (N,) at points (N, 3); 0 outside."""
        flat, inside = self._flat(((np.asarray(points, float) - self.origin) / self.size).T)
        value = np.zeros(len(points), np.int8)
        value[inside] = self.evidence.reshape(-1).take(flat)
        return value

    def _flat(self, axes: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray | slice]:
        """Of points, x, y and z (N,) of them in voxels from the low corner: the voxels of those inside the grid, as int indices (M,) into the flat evidence, and
        which those are, bool (N,), or a slice of all."""
        flat, inside = 0, slice(None)
        for at, count in zip(axes, self.evidence.shape):
            if len(at) and not (at.min() >= 0 and at.max() < count):
                within = (at >= 0) & (at < count)
                inside = within if isinstance(inside, slice) else inside & within
            flat = flat * count + at.astype(np.int64)  # towards zero is down: none inside is negative
        return flat[inside], inside

    def updated(self, depth: np.ndarray, ignore: np.ndarray | None, camera: CameraModel, pose: np.ndarray,
                config: PerceptionConfig) -> "VoxelMap":
        """After one depth image (H, W) metres. ``ignore`` bool (H, W): pixels of people and loose things, neither solid nor air."""
        evidence = self.evidence.copy()
        self._hit(evidence, depth, ignore, camera, pose, config)
        self._carve(evidence, depth, camera, pose, config)
        return VoxelMap(evidence, self.origin, self.size, self.turn + 1)

    def _hit(self, evidence, depth, ignore, camera, pose, config) -> None:
        step = max(2, int(np.sqrt(camera.width * camera.height / _READINGS)))
        shift = self.turn % step
        z = depth[shift::step, shift::step]
        good = (z > config.min_range) & (z < config.max_range)
        if ignore is not None:
            good &= ~ignore[shift::step, shift::step]
        rows, columns = np.nonzero(good)
        d = z[rows, columns].astype(float)
        u, v = columns * step + shift, rows * step + shift
        eye = (pose[:3, 3:] - self.origin[:, None]) / self.size
        flat, _ = self._flat(pose[:3, :3] / self.size @ ((u - camera.cx) / camera.fx * d, (v - camera.cy) / camera.fy * d, d) + eye)
        line = evidence.reshape(-1)
        line[flat] = np.minimum(line.take(flat) + 2, _TOP)  # a voxel hit twice in one frame still gains once

    def _carve(self, evidence, depth, camera, pose, config) -> None:
        if config.carve_rays <= 0:
            return
        step = max(2, int(np.sqrt(camera.width * camera.height / config.carve_rays)))
        a, b = (self.turn * 7) % step, (self.turn * 5) % step
        z = depth[a::step, b::step]
        rows, columns = np.nonzero(z > config.min_range)
        d = np.minimum(z[rows, columns].astype(float), config.max_range)
        u, v = columns * step + b, rows * step + a
        eye, rays = (pose[:3, 3] - self.origin) / self.size, pose[:3, :3] / self.size @ ((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, np.ones(len(d)))
        stops = np.arange(0.3 + self.size * 0.4 * (self.turn % 5), config.max_range, self.size * 2.0)
        counts = np.searchsorted(stops, d - 2 * self.size)  # of each ray: so many stops before what it meets
        which = np.repeat(np.arange(len(d)), counts)
        reach = stops.take(np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts))
        flat, _ = self._flat(along.take(which) * reach + start for along, start in zip(rays, eye))
        line = evidence.reshape(-1)
        line[flat] = np.maximum(line.take(flat) - 1, _FLOOR)

    def blocked(self, start: np.ndarray, ends: np.ndarray, near: float = 0.35, far: float = 0.30,
                excused: Callable[[np.ndarray], np.ndarray] | None = None) -> np.ndarray:
        """bool (N,): whether the straight line from ``start`` (3,) to each of ``ends`` (N, 3) meets something solid.

        The first ``near`` metres (the viewer's own head and hands) and the last ``far`` (the thing itself) do not count;
        nor do solid points that ``excused``, (M, 3) → bool (M,), names: those that belong to what the caller judges by itself.
        """
        start, ends = np.asarray(start, float), np.asarray(ends, float).reshape(-1, 3)
        length = lengths(ends - start)
        begin, end = np.minimum(near, length), np.maximum(length - far, 0)
        span = np.maximum(end - begin, 0)
        steps = np.ceil(span / self.size).astype(int)  # of every line, no longer than a voxel
        line = np.repeat(np.arange(len(ends)), steps + 1)
        step = np.arange(len(line)) - np.repeat(np.cumsum(steps + 1) - steps - 1, steps + 1)
        at = begin.take(line) + step * (span / np.maximum(steps, 1)).take(line)
        way = (ends - start) / (np.maximum(length, 1e-9) * self.size)[:, None]
        points = [eye + at * along.take(line) for eye, along in zip((start - self.origin) / self.size, way.T)]
        flat, inside = self._flat(points)
        met = (self.evidence.reshape(-1).take(flat) >= SOLID).nonzero()[0]
        met = met if isinstance(inside, slice) else inside.nonzero()[0][met]
        if excused is not None and met.size:
            met = met[~excused(np.stack([p[met] for p in points], axis=1) * self.size + self.origin)]
        blocked = np.zeros(len(ends), bool)
        blocked[line[met]] = True
        return blocked & (end > begin)

    def solid_points(self) -> np.ndarray:
        """Centres of solid voxels, float64 (n, 3), map."""
        return (np.argwhere(self.evidence >= SOLID) + 0.5) * self.size + self.origin


def looked_through(points: np.ndarray, depth: np.ndarray, camera: CameraModel, pose: np.ndarray, slack: float) -> np.ndarray:
    """bool (N,): the camera sees clearly past this point: it is air now."""
    expected, measured = depth_at(points, depth, camera, pose)
    with np.errstate(invalid="ignore"):
        return measured > expected + slack
