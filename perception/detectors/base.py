"""What a detector is: pixels in, instances out. Everything after it (3D, identity, relations, events) is the same for all.

Invariant: a Detection speaks only of this image. ``instance`` (a simulator's own name) is carried for scoring and is never used to
tell which tracked entity a detection belongs to; ``identity`` is a person's name where something really recognises people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np

from household import classes
from household.camera import CameraModel


# What any network that looks at one image at a time has in common: it misses things in full view, and now and then sees what is not there.
# Misses come in rows, because the picture hardly changes: hence the small chance at which one believes in absence.
FALLIBLE: Mapping[str, float] = {"detection_rate": 0.6, "absent_probability": 0.001, "confirm_frames": 3, "look_gap": 0.24, "let_go_inside": 4.0, "shut_on": 1.0, "openness_frames": 3, "min_score": 0.2, "held_score": 0.05, "depth_gap": 0.25, "body_sightings": 25,
                                "new_place_score": 0.45}


class Joint(str, Enum):
    """Body keypoints (the seventeen of COCO); left and right are the person's own."""

    NOSE = "nose"
    LEFT_EYE = "left_eye"
    RIGHT_EYE = "right_eye"
    LEFT_EAR = "left_ear"
    RIGHT_EAR = "right_ear"
    LEFT_SHOULDER = "left_shoulder"
    RIGHT_SHOULDER = "right_shoulder"
    LEFT_ELBOW = "left_elbow"
    RIGHT_ELBOW = "right_elbow"
    LEFT_WRIST = "left_wrist"
    RIGHT_WRIST = "right_wrist"
    LEFT_HIP = "left_hip"
    RIGHT_HIP = "right_hip"
    LEFT_KNEE = "left_knee"
    RIGHT_KNEE = "right_knee"
    LEFT_ANKLE = "left_ankle"
    RIGHT_ANKLE = "right_ankle"


@dataclass(frozen=True)
class Keypoint:
    """``u`` right, ``v`` down, pixels of the full image; ``score`` in [0, 1]. ``depth``: planar metres where the source knows it
    (a joint lies under the surface); None: read from the depth image."""

    joint: Joint
    u: float
    v: float
    score: float = 1.0
    depth: float | None = None


@dataclass(frozen=True)
class Detection:
    """One instance in one image.

    ``cls``: id in household.classes. ``score`` in [0, 1]. ``mask``: bool (h, w), the instance's tight crop; ``offset``: (u, v) of the
    crop's top left pixel in the image. ``identity``: name of a recognised person. ``instance``: the source's own name, for scoring only.
    ``shown_since``: stamp since which something has shown where it is, in nobody's hand, as far as is known (:mod:`perception.naming`).
    """

    cls: str
    score: float
    mask: np.ndarray
    offset: tuple[int, int]
    keypoints: tuple[Keypoint, ...] = ()
    identity: str | None = None
    instance: str | None = None
    names: tuple[tuple[str, float], ...] = ()
    shown_since: float | None = None

    def __post_init__(self) -> None:
        if self.cls not in classes.CLASSES:
            classes.get(self.cls)  # raises a KeyError that lists close names
        if self.mask.ndim != 2 or self.mask.dtype != np.bool_ or self.mask.size == 0:
            raise ValueError(f"mask of a {self.cls} is {self.mask.dtype} {self.mask.shape}, wanted a non-empty bool (h, w)")
        if not 0.0 <= self.score <= 1.0:
            raise ValueError(f"score {self.score} of a {self.cls} is outside [0, 1]")

    @classmethod
    def from_full_mask(cls, class_id: str, score: float, mask: np.ndarray, **more) -> "Detection | None":
        """From a mask of the whole image, bool (H, W); None when it is empty."""
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        if not rows.size:
            return None
        top, left = int(rows[0]), int(columns[0])
        crop = np.ascontiguousarray(mask[top:rows[-1] + 1, left:columns[-1] + 1])
        return cls(class_id, score, crop, (left, top), **more)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) in pixels, right and bottom exclusive."""
        (left, top), (h, w) = self.offset, self.mask.shape
        return left, top, left + w, top + h


class Detector(Protocol):
    """``name`` as in the registry; ``classes``: ids it can return; ``tuning``: values of PerceptionConfig that suit its habits (how often it
    misses, how sure it must be), by name. ``detect`` is deterministic and keeps no state between images."""

    name: str
    classes: tuple[str, ...]
    tuning: Mapping[str, float]

    def detect(self, color: np.ndarray, depth: np.ndarray | None, camera: CameraModel,
               camera_pose: np.ndarray | None = None) -> tuple[Detection, ...]:
        """``color`` uint8 (H, W, 3) RGB, ``depth`` float32 (H, W) metres or None; ``camera_pose`` (4, 4) optical → map, where it is known,
        tells where the floor is."""
