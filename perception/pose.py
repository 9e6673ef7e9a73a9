"""The pose of one person in one frame: position, yaw of body and head, posture, hands.

Invariant: nothing is invented. A yaw nobody could tell is None, a crown cut off by the image is marked, hands are those that were seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from household.scene_graph import Posture
from perception.detectors.base import Joint
from perception.frame import FrameInput
from perception.geometry import wrap
from perception.lifting import Lifted, back_project

_BODY_DEPTH = 0.10  # from the visible surface of a chest to the body's axis
_HAND = 0.08  # from wrist to palm
_MINIMUM_SCORE = 0.3


@dataclass(frozen=True)
class Pose:
    """``certainty`` of the yaw in [0, 1]. ``crown``: height of the highest point seen; ``crown_seen``: False when the image cuts it."""

    position: tuple[float, float]
    crown: float
    crown_seen: bool
    yaw: float | None
    head_yaw: float | None
    certainty: float
    posture: Posture
    hands: tuple[tuple[float, float, float], ...]


def estimate(one: Lifted, frame: FrameInput, last_yaw: float | None, velocity: np.ndarray, height: float | None) -> Pose:
    """``velocity`` (2,) m/s from earlier frames; ``height``: of the person when standing, if known."""
    joints = lift_joints(one, frame)
    position = _position(one.points, joints, frame.camera_pose[:3, 3])
    crown = float(np.percentile(one.points[:, 2], 99.5))
    crown_seen = one.detection.offset[1] > 1
    if not crown_seen:
        crown = max(crown, height or 1.65)
    hands = _hands(one.points, joints, position, crown)
    yaw, head, certainty = _from_joints(joints)
    if yaw is None:
        yaw, certainty = _from_shape(one, frame, position, last_yaw, velocity, hands, crown)
    return Pose(position, crown, crown_seen, yaw, head, certainty, _posture(one.points, crown, crown_seen, height), hands)


def lift_joints(one: Lifted, frame: FrameInput) -> dict[Joint, np.ndarray]:
    """Keypoints that were found, as map points (3,); depth from the keypoint itself, else from the image at its pixel."""
    found = {}
    typical = float(np.median(np.linalg.norm((one.points - frame.camera_pose[:3, 3]), axis=1)))
    for k in one.detection.keypoints:
        row, column = int(round(k.v)), int(round(k.u))
        if k.score < _MINIMUM_SCORE or not (0 <= row < frame.camera.height and 0 <= column < frame.camera.width):
            continue
        z = k.depth
        if z is None:
            z = float(frame.depth[row, column]) if frame.depth is not None else float("nan")
            if not z > 0:
                continue
        point = back_project(np.array([row]), np.array([column]), np.array([z]), frame)[0]
        if abs(float(np.linalg.norm(point - frame.camera_pose[:3, 3])) - typical) < 0.9:
            found[k.joint] = point
    return found


def _position(points: np.ndarray, joints: dict[Joint, np.ndarray], eye: np.ndarray) -> tuple[float, float]:
    pair = [joints[j] for j in (Joint.LEFT_HIP, Joint.RIGHT_HIP, Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER) if j in joints]
    top = points[:, 2].max()
    torso = points[(points[:, 2] > 0.45 * top) & (points[:, 2] < 0.88 * top)]
    if len(torso) < 10:
        torso = points
    centre = np.median(torso[:, :2], axis=0)
    if len(pair) == 4:
        centre = np.mean(pair, axis=0)[:2]
    away = centre - eye[:2]
    away = away / max(float(np.linalg.norm(away)), 1e-6)
    surface = np.median((torso[:, :2] - eye[:2]) @ away)
    along = max(float((centre - eye[:2]) @ away), float(surface) + _BODY_DEPTH) if len(pair) != 4 else float((centre - eye[:2]) @ away)
    side = centre - eye[:2] - away * float((centre - eye[:2]) @ away)
    x, y = eye[:2] + side + away * along
    return float(x), float(y)


def _from_joints(joints: dict[Joint, np.ndarray]) -> tuple[float | None, float | None, float]:
    body = None
    for left, right in ((Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER), (Joint.LEFT_HIP, Joint.RIGHT_HIP)):
        if left in joints and right in joints:
            across = (joints[left] - joints[right])[:2]
            if 0.08 < float(np.linalg.norm(across)) < 0.8:
                body = float(np.arctan2(-across[0], across[1]))
                break
    head = None
    sides = [joints[j] for j in (Joint.LEFT_EAR, Joint.RIGHT_EAR) if j in joints]
    if Joint.NOSE in joints and sides:
        ahead = (joints[Joint.NOSE] - np.mean(sides, axis=0))[:2]
        if len(sides) == 2 and float(np.linalg.norm(ahead)) > 0.03:
            head = float(np.arctan2(ahead[1], ahead[0]))
    elif len(sides) == 2:
        across = (sides[0] - sides[1])[:2]
        head = float(np.arctan2(-across[0], across[1])) if float(np.linalg.norm(across)) > 0.05 else None
    return body, head, 0.95 if body is not None else 0.0


def _from_shape(one: Lifted, frame: FrameInput, position: tuple[float, float], last_yaw: float | None, velocity: np.ndarray,
                hands: tuple, crown: float) -> tuple[float | None, float]:
    """Yaw and certainty without keypoints: walking direction; else shoulder normal, its two senses weighed by the cues there are."""
    speed = float(np.linalg.norm(velocity))
    walking = float(np.arctan2(velocity[1], velocity[0])) if speed > 0.3 else None
    if walking is not None and speed > 0.5:
        return walking, 0.9
    normal, elongation = _shoulders(one.points, crown)
    eye = frame.camera_pose[:2, 3]
    votes: list[tuple[float, float]] = []  # (yaw, weight)
    if walking is not None:
        votes.append((walking, 2.0))
    if last_yaw is not None:
        votes.append((last_yaw, 1.0))
    for hand in hands:
        reach = np.array(hand[:2]) - position
        if float(np.linalg.norm(reach)) > 0.38:
            votes.append((float(np.arctan2(reach[1], reach[0])), 1.5))
    skin = _face_towards_camera(one, frame, crown)
    if skin is not None:
        to_camera = float(np.arctan2(eye[1] - position[1], eye[0] - position[0]))
        votes.append((to_camera if skin else wrap(to_camera + np.pi), 0.8))
    if normal is None:
        if not votes:
            return None, 0.0
        best = max(votes, key=lambda v: v[1])
        return best[0], 0.4
    senses = (normal, wrap(normal + np.pi))
    support = [sum(w * np.cos(y - s) for y, w in votes) for s in senses]
    if not votes or abs(support[0] - support[1]) < 0.3:
        return (last_yaw, 0.3) if last_yaw is not None else (None, 0.0)
    best = senses[int(support[1] > support[0])]
    return best, float(min(0.85, 0.4 + 0.5 * elongation))


def _shoulders(points: np.ndarray, crown: float) -> tuple[float | None, float]:
    """Direction of the shoulders' normal (either sense) and how clear it is in [0, 1]; None when the visible patch is not long enough."""
    band = points[(points[:, 2] > 0.70 * crown) & (points[:, 2] < 0.84 * crown)][:, :2]
    if len(band) < 12:
        return None, 0.0
    middle = np.median(band, axis=0)
    band = band[np.linalg.norm(band - middle, axis=1) < 0.32]
    if len(band) < 12:
        return None, 0.0
    spread, axes = np.linalg.eigh(np.cov(band.T))
    ratio = float(np.sqrt(max(spread[0], 1e-9) / max(spread[1], 1e-9)))
    if ratio > 0.62 or np.sqrt(spread[1]) < 0.07:
        return None, 0.0
    across = axes[:, 1]
    return float(np.arctan2(across[0], -across[1])), 1.0 - ratio


def _face_towards_camera(one: Lifted, frame: FrameInput, crown: float) -> bool | None:
    """Whether the visible side of the head is mostly skin (True) or mostly hair (False); None when it cannot be told."""
    head = (one.points[:, 2] > crown - 0.24) & (one.points[:, 2] < crown - 0.06)
    if int(head.sum()) < 12:
        return None
    r, g, b = frame.color[one.rows[head], one.columns[head]].astype(float).T
    total = np.maximum(r + g + b, 1.0)
    skin = (r / total > 0.36) & (g / total > 0.26) & (g / total < 0.37) & (r > 70) & (r > b * 1.15)
    share = float(skin.mean())
    if share > 0.55:
        return True
    return False if share < 0.12 else None


def _hands(points: np.ndarray, joints: dict[Joint, np.ndarray], position: tuple[float, float], crown: float
           ) -> tuple[tuple[float, float, float], ...]:
    found = []
    for wrist, elbow in ((Joint.LEFT_WRIST, Joint.LEFT_ELBOW), (Joint.RIGHT_WRIST, Joint.RIGHT_ELBOW)):
        if wrist in joints:
            hand = joints[wrist]
            if elbow in joints:
                arm = joints[wrist] - joints[elbow]
                hand = hand + arm / max(float(np.linalg.norm(arm)), 1e-6) * _HAND
            found.append(tuple(float(x) for x in hand))
    if found:
        return tuple(found)
    away = np.linalg.norm(points[:, :2] - np.asarray(position), axis=1)
    arm = (away > 0.32) & (points[:, 2] > 0.4) & (points[:, 2] < crown + 0.25)
    if int(arm.sum()) < 4:
        return ()
    tip = points[arm][away[arm] >= np.percentile(away[arm], 75)]
    return (tuple(float(x) for x in np.median(tip, axis=0)),)


def _posture(points: np.ndarray, crown: float, crown_seen: bool, height: float | None) -> Posture:
    """Standing or sitting by the height of the crown; whether the seat has wheels is for the relations to tell."""
    if not crown_seen:
        return Posture.UNKNOWN
    standing = max(height or 0.0, 1.5)
    if crown > 0.88 * standing:
        return Posture.STANDING
    return Posture.SITTING if 0.45 * standing < crown < 0.84 * standing else Posture.UNKNOWN
