"""One contract, many worlds: what every bridge gives to the stack and takes from it. No ROS here.

Frames: poses map a point in the child frame into ``map`` (4×4, float64, metres, REP 103). The camera frame is optical: x right,
y down, z forward. Depth is planar z in metres, float32; 0 and NaN both mean "no reading", never "far".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from household.actions import HumanAction, Utterance
from household.body import Body, StepReport, StepStatus
from household.camera import CameraModel
from sim_bridges.grounding import Candidate

__all__ = ["Body", "CameraModel", "Frame", "InstanceInfo", "Joints", "Listener", "StepReport", "StepStatus", "TrueEvents", "World"]


@dataclass(frozen=True)
class InstanceInfo:
    """What a simulator knows of one value in its instance image (scoring, or the ``simulator`` segmentation, only)."""

    entity: str
    cls: str


Joints = tuple[tuple[str, float, float], ...]  # (COCO name, column, row) of body joints in view, in pixels


@dataclass(frozen=True)
class Frame:
    """One synchronised RGB-D frame.

    ``color`` uint8 (H, W, 3) RGB; ``depth`` float32 (H, W) metres; ``ids`` uint16 (H, W), 0 = nothing, or None;
    ``camera_pose`` (4, 4) optical → map; ``robot_pose`` (4, 4) base_link → map; ``stamp`` seconds. ``keypoints``: person → the body
    joints in view, for worlds that know them (a simulator's label, like ``ids``).
    """

    stamp: float
    color: np.ndarray
    depth: np.ndarray
    camera: CameraModel
    camera_pose: np.ndarray
    robot_pose: np.ndarray
    ids: np.ndarray | None = None
    instances: Mapping[int, InstanceInfo] = field(default_factory=dict)
    keypoints: Mapping[str, Joints] = field(default_factory=dict)


class World(Protocol):
    """A source of frames with people in it. ``advance`` is the only thing that moves time."""

    def reset(self, seed: int) -> None: ...

    def advance(self, seconds: float) -> None: ...

    def frame(self) -> Frame: ...

    def heard(self) -> Sequence[Utterance]:
        """Utterances since the last call, oldest first."""

    def close(self) -> None: ...


Listener = Callable[[Utterance], None]
TrueEvents = Sequence[HumanAction]  # ground truth, for scoring only


class Simulator(World, Protocol):
    """A World with people and a robot body in it: what the world node drives. ``body`` acts, ``finished`` ends a story."""

    body: Body
    finished: bool

    def hear(self, utterance: Utterance) -> None:
        """The robot said this; people in earshot hear it."""

    def look_at(self, point: tuple[float, float, float]) -> None:
        """Turn the camera towards a map point, as fast as the neck allows."""

    def stand_at(self, spot: tuple[float, float] | None) -> None:
        """Go to a floor point of the map to see better from there, while there is nothing to do, or stay (None). A body that cannot, or had better not, stays."""

    def truth(self) -> dict:
        """JSON-able true state: events since the last call, people's beliefs and goals. For scoring only."""

    def candidates(self) -> list[Candidate]:
        """Everything the robot's actions can be about, where it is now: what names are grounded in."""
