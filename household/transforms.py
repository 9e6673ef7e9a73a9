"""A bounded buffer of coordinate transforms: what tf2 does, without ROS, so that a pose can be asked for at an image's own stamp.

A camera moves while its image travels: the pose "now" is the wrong pose. ``lookup`` therefore interpolates at the stamp, and says which of
three things is missing when it cannot: the frame, the link between two trees, or a sample new or old enough. It never extrapolates.
Invariant: every frame has one parent; samples of one edge are sorted by stamp and span at most ``history`` seconds.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field

import numpy as np

Quaternion = tuple[float, float, float, float]  # x, y, z, w
MAX_DEPTH = 64  # links from a frame to its root; more means a loop


class TransformError(LookupError):
    """No transform; the message names the frames and the stamp. Subclasses say why."""


class UnknownFrame(TransformError):
    """Nobody has published this frame (yet)."""


class NotConnected(TransformError):
    """Both frames exist, but in two separate trees."""


class TooOld(TransformError):
    """The stamp lies before everything the buffer still holds."""


class InFuture(TransformError):
    """The stamp lies after the newest sample: the transform has not arrived yet, so try again shortly."""


@dataclass
class _Edge:
    parent: str
    static: bool
    stamps: list[float] = field(default_factory=list)
    samples: list[tuple[float, np.ndarray, np.ndarray]] = field(default_factory=list)  # stamp, translation (3,), quaternion (4,)


def matrix_from(translation, quaternion: Quaternion) -> np.ndarray:
    """(4, 4) float64 from a translation in metres and a unit quaternion x, y, z, w (normalised here). Raises ValueError."""
    x, y, z, w = np.asarray(quaternion, dtype=np.float64)
    n = x * x + y * y + z * z + w * w
    if not (n > 1e-12) or not np.isfinite(n):
        raise ValueError(f"quaternion ({x}, {y}, {z}, {w}) is not a rotation")
    s = 2.0 / n
    m = np.eye(4)
    m[0, :3] = 1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)
    m[1, :3] = s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)
    m[2, :3] = s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)
    m[:3, 3] = translation
    return m


def quaternion_of(matrix: np.ndarray) -> Quaternion:
    """Unit quaternion x, y, z, w with w ≥ 0 of the rotation in a (3, 3) or (4, 4) matrix. Raises ValueError for a reflection."""
    r = np.asarray(matrix, dtype=np.float64)[:3, :3]
    if np.linalg.det(r) < 0.5 or not np.allclose(r @ r.T, np.eye(3), atol=1e-4):
        raise ValueError("not a rotation (a left-handed or scaled matrix)")
    # The largest eigenvector of this symmetric matrix is the quaternion (Bar-Itzhack 2000): no case distinctions.
    k = np.array([
        [r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0], r[2, 1] - r[1, 2]],
        [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1], r[0, 2] - r[2, 0]],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], r[1, 0] - r[0, 1]],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]])
    q = np.linalg.eigh(k)[1][:, -1]
    q = -q if q[3] < 0 else q
    return tuple(float(c) for c in q)


def slerp(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """Rotation ``share`` ∈ [0, 1] of the way from quaternion ``a`` to ``b`` (both (4,), unit) along the shorter arc."""
    dot = float(a @ b)
    if dot < 0:
        b, dot = -b, -dot
    if dot > 0.9995:
        q = a + share * (b - a)
        return q / np.linalg.norm(q)
    angle = np.arccos(dot)
    return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)


class TransformBuffer:
    """``set`` transforms as they arrive, ``lookup`` them at a stamp. ``history``: seconds kept per edge; ``limit``: samples."""

    def __init__(self, history: float = 10.0, limit: int = 2000):
        if not history > 0 or limit < 2:
            raise ValueError(f"history={history} s must be positive and limit={limit} at least 2 samples")
        self.history, self.limit = history, limit
        self._edges: dict[str, _Edge] = {}  # by child

    def set(self, parent: str, child: str, stamp: float, translation, quaternion: Quaternion, static: bool = False) -> None:
        """``translation``, ``quaternion``: pose of ``child`` in ``parent``. A sample with a known stamp replaces the old one;
        one that is older than ``history`` before the newest is ignored. Raises ValueError for NaN, a non-rotation or a loop."""
        parent, child = parent.lstrip("/"), child.lstrip("/")
        if not parent or not child or parent == child:
            raise ValueError(f"transform from '{parent}' to '{child}': two different non-empty frames are needed")
        t = np.asarray(translation, dtype=np.float64)
        q = np.asarray(quaternion, dtype=np.float64)
        norm = np.linalg.norm(q)
        if not (np.isfinite(t).all() and np.isfinite(norm) and norm > 1e-6):
            raise ValueError(f"transform '{parent}' → '{child}' has no finite translation or no rotation: {t.tolist()}, {q.tolist()}")
        edge = self._edges.get(child)
        if edge is None or edge.parent != parent or edge.static != static:
            if child in self._ancestors(parent):
                raise ValueError(f"transform '{parent}' → '{child}' would close a loop")
            edge = self._edges[child] = _Edge(parent, static)
        sample = (float(stamp), t, q / norm)
        if static:
            edge.stamps, edge.samples = [sample[0]], [sample]
            return
        if edge.stamps and stamp < edge.stamps[-1] - self.history:
            return
        i = bisect_left(edge.stamps, sample[0])
        if i < len(edge.stamps) and edge.stamps[i] == sample[0]:
            edge.samples[i] = sample
            return
        insort(edge.stamps, sample[0])
        edge.samples.insert(i, sample)
        keep = max(bisect_left(edge.stamps, edge.stamps[-1] - self.history), len(edge.stamps) - self.limit)
        if keep > 0:
            del edge.stamps[:keep], edge.samples[:keep]

    def set_matrix(self, parent: str, child: str, stamp: float, matrix: np.ndarray, static: bool = False) -> None:
        """As ``set``, from a (4, 4) matrix. Raises ValueError for a left-handed one."""
        self.set(parent, child, stamp, np.asarray(matrix)[:3, 3], quaternion_of(matrix), static)

    def clear(self) -> None:
        """Forget all but the static transforms (time jumped back: a bag looped, a simulator was reset)."""
        self._edges = {child: e for child, e in self._edges.items() if e.static}

    def frames(self) -> frozenset[str]:
        return frozenset(self._edges) | {e.parent for e in self._edges.values()}

    def lookup(self, target: str, source: str, stamp: float | None) -> np.ndarray:
        """(4, 4) float64 that maps points of ``source`` into ``target`` at ``stamp`` (None: the newest of every edge).

        Translation linear, rotation slerp between the two samples around the stamp. Raises UnknownFrame, NotConnected, TooOld, InFuture.
        """
        target, source = target.lstrip("/"), source.lstrip("/")
        for frame in (target, source):
            if frame not in self._edges and not any(e.parent == frame for e in self._edges.values()):
                known = ", ".join(sorted(self.frames())[:12]) or "none yet"
                raise UnknownFrame(f"frame '{frame}' is not known; frames on /tf and /tf_static: {known}")
        if target == source:
            return np.eye(4)
        up_target, up_source = self._ancestors(target), self._ancestors(source)
        common = next((f for f in up_source if f in up_target), None)
        if common is None:
            raise NotConnected(f"'{target}' and '{source}' are in two trees, with roots '{up_target[-1]}' and '{up_source[-1]}': "
                               "something (a localiser, a static publisher) must connect them")
        return np.linalg.inv(self._climb(target, common, stamp)) @ self._climb(source, common, stamp)

    def _ancestors(self, frame: str) -> list[str]:
        """The frame and its parents up to its root."""
        chain = [frame]
        while chain[-1] in self._edges:
            chain.append(self._edges[chain[-1]].parent)
            if len(chain) > MAX_DEPTH:
                raise NotConnected(f"more than {MAX_DEPTH} links above '{frame}': the transforms form a loop")
        return chain

    def _climb(self, frame: str, ancestor: str, stamp: float | None) -> np.ndarray:
        pose = np.eye(4)
        while frame != ancestor:
            edge = self._edges[frame]
            pose = self._sample(frame, edge, stamp) @ pose
            frame = edge.parent
        return pose

    def _sample(self, child: str, edge: _Edge, stamp: float | None) -> np.ndarray:
        if edge.static or stamp is None:
            return matrix_from(*edge.samples[-1][1:])
        i = bisect_left(edge.stamps, stamp)
        name = f"'{edge.parent}' → '{child}'"
        if i == len(edge.stamps):
            raise InFuture(f"{name} is needed at {stamp:.3f} s, but its newest sample is {stamp - edge.stamps[-1]:.3f} s older")
        if edge.stamps[i] == stamp:
            return matrix_from(*edge.samples[i][1:])
        if i == 0:
            raise TooOld(f"{name} is needed at {stamp:.3f} s, but its oldest sample is {edge.stamps[0] - stamp:.3f} s newer")
        (t0, p0, q0), (t1, p1, q1) = edge.samples[i - 1], edge.samples[i]
        share = (stamp - t0) / (t1 - t0)
        return matrix_from(p0 + share * (p1 - p0), slerp(q0, q1, share))
