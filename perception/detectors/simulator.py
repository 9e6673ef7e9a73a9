"""Segmentation from a simulator's instance image: the one place where a simulator's labels enter, and only when asked for by name.

What passes on is what a perfect segmenter would know: class, outline, and who a person is. Masks lose one pixel all round, because a
depth image mixes foreground and background there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from perception.detectors.base import Detection, Joint, Keypoint

_CROSS = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))


class SimulatorDetector:
    """``table``: value in the instance image → (entity name, class id); 0 is background. Set the frame's labels with
    :meth:`see`, then :meth:`detect`. ``erosion`` in pixels; an instance that would vanish keeps its full outline."""

    name = "simulator"
    tuning: Mapping[str, float] = {}
    classes = tuple(classes.CLASSES)

    def __init__(self, erosion: int = 1, minimum_pixels: int = 3):
        self.erosion, self.minimum_pixels = erosion, minimum_pixels
        self._ids: np.ndarray | None = None
        self._table: Mapping[int, tuple[str, str]] = {}
        self._keypoints: Mapping[str, tuple[Keypoint, ...]] = {}

    def see(self, ids: np.ndarray, table: Mapping[int, tuple[str, str]],
            keypoints: Mapping[str, tuple[Keypoint, ...]] | None = None) -> "SimulatorDetector":
        """``ids`` unsigned integer (H, W); ``keypoints`` by entity name, where the simulator knows them."""
        self._ids, self._table, self._keypoints = ids, table, keypoints or {}
        return self

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        if self._ids is None or self._ids.shape != (camera.height, camera.width):
            raise ValueError(f"instance image is {None if self._ids is None else self._ids.shape}, "
                             f"wanted {(camera.height, camera.width)}")
        return segment(self._ids, self._table, self._keypoints, self.erosion, self.minimum_pixels)


def keypoints_of(joints: Mapping[str, Sequence[Sequence]]) -> dict[str, tuple[Keypoint, ...]]:
    """Person → (COCO name, column, row) of the joints in view, as a simulator publishes them. Raises ValueError on other names."""
    return {person: tuple(Keypoint(Joint(name), float(u), float(v)) for name, u, v in seen) for person, seen in joints.items()}


def segment(ids: np.ndarray, table: Mapping[int, tuple[str, str]], keypoints: Mapping[str, tuple[Keypoint, ...]] = {},
            erosion: int = 1, minimum_pixels: int = 3) -> tuple[Detection, ...]:
    """Every labelled instance of ``ids`` (H, W) as a Detection, in order of label. Rooms are no instances and are left out."""
    found = []
    for value, (left, top, width, height) in _boxes(ids).items():
        if value not in table:
            continue
        entity, cls = table[value]
        kind = classes.get(cls).kind
        if kind in (classes.Kind.ROOM, classes.Kind.ROBOT):
            continue
        mask = ids[top:top + height, left:left + width] == value
        if int(mask.sum()) < minimum_pixels:
            continue
        inner = _eroded(mask, erosion)
        person = kind is classes.Kind.PERSON
        trimmed = Detection.from_full_mask(cls, 1.0, inner, identity=entity if person else None, instance=entity,
                                           keypoints=tuple(keypoints.get(entity, ())))
        if trimmed is not None:
            u, v = trimmed.offset
            object.__setattr__(trimmed, "offset", (u + left, v + top))
            found.append(trimmed)
    return tuple(found)


def _eroded(mask: np.ndarray, pixels: int) -> np.ndarray:
    if pixels <= 0:
        return mask
    inner = cv2.erode(mask.astype(np.uint8), _CROSS, iterations=pixels, borderType=cv2.BORDER_CONSTANT, borderValue=0).astype(bool)
    return inner if int(inner.sum()) >= 4 else mask


def _boxes(ids: np.ndarray) -> dict[int, tuple[int, int, int, int]]:
    """Label → (left, top, width, height), without 0."""
    flat = ids.ravel().astype(np.int64)
    present = np.flatnonzero(np.bincount(flat))
    present = present[present > 0]
    if not present.size:
        return {}
    relabel = np.zeros(int(flat.max()) + 1, np.int64)
    relabel[present] = np.arange(1, present.size + 1)
    order = relabel[ids]
    height, width = ids.shape
    size = present.size + 1
    # Extremes along each axis through presence tables: rows × labels and columns × labels.
    rows = np.zeros((height, size), bool)
    rows[np.repeat(np.arange(height), width), order.ravel()] = True
    columns = np.zeros((width, size), bool)
    columns[np.tile(np.arange(width), height), order.ravel()] = True
    result = {}
    for i, value in enumerate(present, start=1):
        r, c = np.flatnonzero(rows[:, i]), np.flatnonzero(columns[:, i])
        result[int(value)] = (int(c[0]), int(r[0]), int(c[-1] - c[0] + 1), int(r[-1] - r[0] + 1))
    return result
