"""One frame as perception takes it, and the check that stands before everything else.

A frame that is broken (sizes that disagree, no reading at all, a camera that teleported, time running backwards) must never reach
the tracker: there it would look like an empty room. Invariant: :func:`problems` names every reason, and a frame with a
reason changes nothing that is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from household.camera import CameraModel
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.geometry import length


@dataclass(frozen=True)
class FrameInput:
    """``stamp`` seconds of message time. ``color`` uint8 (H, W, 3) RGB. ``depth`` float32 (H, W) planar metres, 0 and NaN: no
    reading; None: this camera has no depth. ``camera_pose`` (4, 4) optical → map and ``robot_pose`` (4, 4) base_link → map,
    None: no transform for this stamp. ``detections`` of this very image. ``robot_holds``: ids (of the scene graph) that the
    robot's own body knows it carries. ``passing`` bool (H, W): pixels of people and loose things, for whoever asks about walls and
    furniture, of which their depth says nothing; None: not asked."""

    stamp: float
    color: np.ndarray
    depth: np.ndarray | None
    camera: CameraModel
    camera_pose: np.ndarray | None
    robot_pose: np.ndarray | None = None
    detections: tuple[Detection, ...] = ()
    robot_holds: tuple[str, ...] = field(default=())
    passing: np.ndarray | None = None


def problems(frame: FrameInput, last_stamp: float | None, last_pose: np.ndarray | None,
             config: PerceptionConfig) -> tuple[str, ...]:
    """Why this frame cannot be looked at; empty when it can. Each reason names what, the value, and what would be right."""
    found = [*_image_problems(frame)]
    if last_stamp is not None and frame.stamp <= last_stamp:
        found.append(f"stamp {frame.stamp:.3f} s is not after the last frame's {last_stamp:.3f} s")
    for d in frame.detections:
        left, top, right, bottom = d.box
        if left < 0 or top < 0 or right > frame.camera.width or bottom > frame.camera.height:
            found.append(f"detection of a {d.cls} at {d.box} reaches out of the {frame.camera.width}x{frame.camera.height} image")
            break
    found += _pose_problems(frame, last_stamp, last_pose, config)
    return tuple(found)


def _image_problems(frame: FrameInput) -> list[str]:
    found, want = [], (frame.camera.height, frame.camera.width)
    color = frame.color
    if color is None or color.ndim != 3 or color.shape[2] != 3 or color.dtype != np.uint8:
        found.append(f"colour image is {_shape(color)}, wanted uint8 (height, width, 3)")
    elif color.shape[:2] != want:
        found.append(f"colour image is {color.shape[1]}x{color.shape[0]} but CameraInfo says {want[1]}x{want[0]}")
    if frame.depth is None:
        return found
    if frame.depth.ndim != 2 or not np.issubdtype(frame.depth.dtype, np.floating):
        found.append(f"depth image is {_shape(frame.depth)}, wanted float32 (height, width) in metres")
    elif frame.depth.shape != want:
        found.append(f"depth image is {frame.depth.shape[1]}x{frame.depth.shape[0]} but CameraInfo says {want[1]}x{want[0]}")
    else:
        if not (frame.depth[want[0] // 2] > 0).any() and not (frame.depth > 0).any():  # the middle row mostly tells
            found.append("depth image holds no reading (all NaN or 0)")
    return found


def _pose_problems(frame: FrameInput, last_stamp: float | None, last_pose: np.ndarray | None,
                   config: PerceptionConfig) -> list[str]:
    pose = frame.camera_pose
    if pose is None:
        return ["no camera pose (transform map → camera optical frame) for this stamp"]
    pose = np.asarray(pose, dtype=float)
    if pose.shape != (4, 4) or not np.isfinite(pose).all():
        return ["camera pose is not a finite 4x4 matrix"]
    rotation = pose[:3, :3]
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > 1e-2 or np.linalg.det(rotation) < 0:
        return ["camera pose is not a rotation and a translation"]
    if last_pose is not None and last_stamp is not None and frame.stamp > last_stamp:
        jump = length(pose[:3, 3] - last_pose[:3, 3])
        allowed = config.pose_jump_slack + config.max_camera_speed * (frame.stamp - last_stamp)
        if jump > allowed:
            return [f"camera pose jumped {jump:.2f} m in {frame.stamp - last_stamp:.2f} s (at most {allowed:.2f} m is plausible)"]
    return []


def _shape(array) -> str:
    return "missing" if array is None else f"{array.dtype} {tuple(array.shape)}"
