"""The pose of one person in one frame: position, yaw of body and head, posture, hands.

Invariant: nothing is invented. A yaw nobody could tell is None, a crown cut off by the image is marked, hands are those that were seen.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from household.scene_graph import Posture
from perception import facing, head, orientation
from perception.attention import Around
from perception.detectors.base import Joint
from perception.frame import FrameInput
from perception.geometry import length, lengths
from perception.lifting import Lifted, back_project
from perception.order import median, medians, percentile

_HIPS, _HIPS_ASIDE = 0.085, 0.06  # m from where hips show on the surface to the body's axis, and how much more from the side
_HIP = 0.06  # m from where one hip shows to the axis, across
_BODY_DEPTH = 0.10  # from the visible surface of a chest to the body's axis
_OFF = 0.35  # m from the middle of the trunk beyond which hips were not made out
_CRANIUM = 0.17  # m below the crown: head, no shoulders
_MID_HEAD = 0.13  # m below the crown
_LEANS, _HEAD = 0.1, 0.25  # m by which the crown of who leans forward is lower than when they stand; from the middle of a head within which nothing is a hand
_HAND = 0.08  # from wrist to palm
_BODY_LOOKS, _LOOKS, _FACE = 1.3, 2.0, 0.8  # powers of what the net says of the body and of the head, and of what the keypoints of the face say: the net, taught that neighbouring
# directions are right as well, is surer than it says; where the keypoints lie the next picture says much the same again
_STANDS, _AT_IT, _FACES = 0.35, 0.3, 12.0  # m/s below which people stand; share of those who then face the furniture they stand at, how exactly
_MAYBE, _FACE_MAYBE = 0.08, 0.02  # chance that they say nothing
_MINIMUM_SCORE = 0.3
_SITS = 0.6  # crown of who sits, of their height; whose is lower has bent down
_TOP, _BESIDE, _NEARER, _ROWS = 0.2, (4, 8, 12), 0.25, 0.4  # m of the upper end of somebody; pixels beside it that are m nearer, in this share of its rows, where somebody stands before them


@dataclass(frozen=True)
class Pose:
    """``certainty`` of the yaw in [0, 1]. ``belief``, ``head_belief``: over directions (perception.facing). ``crown``: height of the highest point seen; ``crown_seen``: False when the image cuts it or somebody before it may hide it.
    ``pitch`` of the head, radians, negative: bent; None: nothing tells."""

    position: tuple[float, float]
    crown: float
    crown_seen: bool
    yaw: float | None
    head_yaw: float | None
    certainty: float
    posture: Posture
    hands: tuple[tuple[float, float, float], ...]
    belief: np.ndarray
    head_belief: np.ndarray
    pitch: float | None = None


def estimate(one: Lifted, frame: FrameInput, belief: np.ndarray, head_belief: np.ndarray, velocity: np.ndarray, height: float | None, dt: float = 0.0,
             around: Around | None = None) -> Pose:
    """``belief``, ``head_belief`` over directions ``dt`` seconds ago; ``velocity`` (2,) m/s; ``height``: when standing, if known; ``around``: what
    there is to look at."""
    joints, eye = lift_joints(one, frame), frame.camera_pose[:3, 3]
    under = frozenset(k.joint for k in one.detection.keypoints if k.depth is not None)
    crown = percentile(one.points[:, 2], 99.5)
    crown_seen = one.detection.offset[1] > 1
    trunk = _trunk(one.points, eye)
    position = _position(trunk, joints, under, eye, belief)
    if crown_seen and height is not None and frame.depth is not None and crown < height - _LEANS:
        crown_seen = not _beside_another(one, crown, frame)
    if not crown_seen:
        crown = max(crown, height or 1.65)
    hands = _hands(one.points, joints, position, crown, crown_seen and height is not None and crown < height - _LEANS)
    body = _from_joints(joints)
    face = _face(one, frame, position, crown, height)
    cues = facing.walking(velocity) + facing.reaching(hands, position)
    if body is not None:
        cues.append(facing.Cue(body, 12.0, 0.05))
    if crown_seen:
        cues += facing.shoulders(one.points, crown)
    looks, bearing = _looks(one, frame, position, crown)
    belief = facing.updated(facing.predicted(belief, dt), cues)
    if looks is not None:
        belief = facing.weighed(belief, facing.turned(looks.body, bearing), _MAYBE, _BODY_LOOKS)
    if around is not None and length(velocity) < _STANDS and (faced := facing.sights(position, around.at, around.at_weights, _FACES)) is not None:
        belief = facing.weighed(belief, faced, 1 - _AT_IT)
    yaw, certainty = facing.read(belief)
    sights = None if around is None else facing.sights(position, around.spots, around.weights)
    head_belief = facing.head_predicted(head_belief, belief, dt, sights)
    if looks is not None:
        head_belief = facing.weighed(head_belief, facing.turned(looks.head, bearing), _MAYBE, _LOOKS)
    if face is not None:
        head_belief = facing.weighed(head_belief, face.sum(axis=0), _FACE_MAYBE, _FACE)
    position = _position(trunk, joints, under, eye, belief)  # which way they are turned is known better now
    return Pose(position, crown, crown_seen, yaw, facing.read(head_belief)[0], certainty,
                _posture(one.points, crown, crown_seen, height), hands, belief, head_belief, _pitch(looks, face, head.count(one.detection.keypoints, _MINIMUM_SCORE)))


def _beside_another(one: Lifted, crown: float, frame: FrameInput) -> bool:
    """Whether somebody nearer shows right beside the upper end of what is seen of them, and may hide their head."""
    top = one.points[:, 2] > crown - _TOP
    rows, columns = one.rows[top], one.columns[top]
    own, lines = median(frame.depth[rows, columns]), np.unique(rows)
    ends = np.array([[columns[rows == line].min() - off for off in _BESIDE] + [columns[rows == line].max() + off for off in _BESIDE] for line in lines])
    theirs = np.zeros(ends.shape, bool)
    for d in frame.detections:
        if d.cls == "person" and d is not one.detection:
            row, column = np.broadcast_to(lines[:, None], ends.shape) - d.offset[1], ends - d.offset[0]
            within = (row >= 0) & (column >= 0) & (row < d.mask.shape[0]) & (column < d.mask.shape[1])
            theirs[within] |= d.mask[row[within], column[within]]
    beside = frame.depth[lines[:, None], np.clip(ends, 0, frame.depth.shape[1] - 1)]
    return float((theirs & (beside > 0) & (beside < own - _NEARER)).any(axis=1).mean()) > _ROWS


def _pitch(looks: orientation.Looks | None, face: np.ndarray | None, points: int) -> float | None:
    """How far the head is bent: by the net, and by the keypoints where there are enough ``points`` of the face."""
    read = None if face is None else float(face.sum(axis=1) @ head.PITCHES / face.sum())
    if looks is None or read is None:
        return read if points >= 3 else None if looks is None else looks.pitch
    share = 0.8 if points >= 4 else 0.5 if points == 3 else 0.0
    return share * read + (1 - share) * looks.pitch


def _looks(one: Lifted, frame: FrameInput, position: tuple[float, float], crown: float) -> tuple[orientation.Looks | None, float]:
    """What the net makes of the upper body, and the yaw of the direction to the camera that it speaks of."""
    pose, camera, d = frame.camera_pose, frame.camera, one.detection
    bearing = float(np.arctan2(pose[1, 3] - position[1], pose[0, 3] - position[0]))
    x, y, z = pose[:3, :3].T @ (np.array([*position, crown]) - pose[:3, 3])
    if z < 0.3:
        return None, bearing
    patch = orientation.crop(frame.color, frame.depth, d.mask, d.offset, camera, float(z), (camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy))
    return (None if patch is None else orientation.look(patch)), bearing


def lift_joints(one: Lifted, frame: FrameInput) -> dict[Joint, np.ndarray]:
    """Keypoints that were found, as map points (3,); depth from the keypoint itself, else from the image at its pixel."""
    seen, eye = [], frame.camera_pose[:3, 3]
    typical = float(median(lengths(one.points - eye)))
    for k in one.detection.keypoints:
        row, column = int(round(k.v)), int(round(k.u))
        if k.score < _MINIMUM_SCORE or not (0 <= row < frame.camera.height and 0 <= column < frame.camera.width):
            continue
        z = k.depth
        if z is None:
            z = float(frame.depth[row, column]) if frame.depth is not None else float("nan")
            if not z > 0:
                continue
        seen.append((k.joint, row, column, z))
    if not seen:
        return {}
    joints, rows, columns, depth = zip(*seen)
    points = back_project(np.array(rows), np.array(columns), np.array(depth), frame)
    return {joint: point for joint, point, away in zip(joints, points, lengths(points - eye)) if abs(away - typical) < 0.9}


@dataclass(frozen=True)
class _Trunk:
    """What shows of it from above: ``points`` (n, 2), map, their ``middle`` (2,), the direction ``away`` to that from the eye (2,), and how far ``aside`` from it each of
    facing.DIRECTIONS points, (72,) in [0, 1]."""

    points: np.ndarray
    middle: np.ndarray
    away: np.ndarray
    aside: np.ndarray


def _trunk(points: np.ndarray, eye: np.ndarray) -> _Trunk:
    z = points[:, 2]
    top = z.max()
    torso = points[(z > 0.45 * top) & (z < 0.88 * top)]
    if len(torso) < 10:
        torso = points
    middle = medians(torso[:, :2])
    away = middle - eye[:2]
    away = away / max(length(away), 1e-6)
    return _Trunk(torso[:, :2], middle, away, np.abs(np.sin(facing.DIRECTIONS - np.arctan2(away[1], away[0]))))


def _position(trunk: _Trunk, joints: dict[Joint, np.ndarray], under: Collection[Joint], eye: np.ndarray, belief: np.ndarray) -> tuple[float, float]:
    """Where the body's axis is, map (x, y): by the hips, which show on the surface, by more before the axis when seen from the side, which way the body is turned
    being as ``belief`` (72,) has it; without them by the middle of the trunk. ``under``: joints whose depth is their own and not the surface's."""
    middle, away = trunk.middle, trunk.away
    if Joint.LEFT_HIP in joints or Joint.RIGHT_HIP in joints:
        left = np.array([-(belief @ facing.SINES), belief @ facing.COSINES])
        before = away * (_HIPS + _HIPS_ASIDE * float(belief @ trunk.aside))
        hips = np.mean([joints[j][:2] + (0.0 if j in under else before) - side * _HIP * left
                        for j, side in ((Joint.LEFT_HIP, 1.0), (Joint.RIGHT_HIP, -1.0)) if j in joints], axis=0)
        if length(hips - middle) < _OFF:
            return float(hips[0]), float(hips[1])
    surface = float(median((trunk.points - eye[:2]) @ away))
    x, y = middle + away * max(0.0, surface + _BODY_DEPTH - float((middle - eye[:2]) @ away))
    return float(x), float(y)


def _from_joints(joints: dict[Joint, np.ndarray]) -> float | None:
    """Yaw of the body by shoulders or hips."""
    for left, right in ((Joint.LEFT_SHOULDER, Joint.RIGHT_SHOULDER), (Joint.LEFT_HIP, Joint.RIGHT_HIP)):
        if left in joints and right in joints:
            across = (joints[left] - joints[right])[:2]
            if 0.08 < length(across) < 0.8:
                return float(np.arctan2(-across[0], across[1]))
    return None


def _face(one: Lifted, frame: FrameInput, position: tuple[float, float], crown: float, height: float | None) -> np.ndarray | None:
    """Likelihood (6, 72) of the head's pitch and direction by nose, eyes and ears; None without them."""
    pose = frame.camera_pose
    distance = float((np.array([*position, pose[2, 3]]) - pose[:3, 3]) @ pose[:3, 2])
    return head.directions(one.detection.keypoints, frame.camera, pose, np.array([*position, crown - _MID_HEAD]), height, _outline(one, frame, distance),
                           _MINIMUM_SCORE)


def _outline(one: Lifted, frame: FrameInput, distance: float) -> float | None:
    """Column of the middle of the head's outline; None when the image cuts it."""
    mask, (left, top) = one.detection.mask, one.detection.offset
    if top <= 1 or left <= 1 or left + mask.shape[1] >= frame.camera.width - 1:
        return None
    counts = np.count_nonzero(mask[:max(2, int(_CRANIUM * frame.camera.fx / max(distance, 0.3)))], axis=0)
    if frame.depth is not None:  # what begins right under something nearer is not the top of a head
        above = frame.depth[max(top - 3, 0), left + mask[0].nonzero()[0]]
        if (above > 0).any() and float(median(above[above > 0])) < distance - 0.25:
            return None
    return left + float(counts @ np.arange(len(counts)) / counts.sum())


def _hands(points: np.ndarray, joints: dict[Joint, np.ndarray], position: tuple[float, float], crown: float, leans: bool
           ) -> tuple[tuple[float, float, float], ...]:
    """By the wrists; without them, what stands out from the body, of who ``leans`` other than the head."""
    found = []
    for wrist, elbow in ((Joint.LEFT_WRIST, Joint.LEFT_ELBOW), (Joint.RIGHT_WRIST, Joint.RIGHT_ELBOW)):
        if wrist in joints:
            hand = joints[wrist]
            if elbow in joints:
                arm = joints[wrist] - joints[elbow]
                hand = hand + arm / max(length(arm), 1e-6) * _HAND
            found.append(tuple(float(x) for x in hand))
    if found:
        return tuple(found)
    away = np.linalg.norm(points[:, :2] - np.asarray(position), axis=1)
    arm = (away > 0.32) & (points[:, 2] > 0.4) & (points[:, 2] < crown + 0.25)
    if leans:
        middle = np.array([*medians(points[points[:, 2] > crown - _CRANIUM][:, :2]), crown - _MID_HEAD])
        arm &= lengths(points - middle) > _HEAD
    if int(arm.sum()) < 4:
        return ()
    tip = points[arm][away[arm] >= percentile(away[arm], 75)]
    return (tuple(float(x) for x in medians(tip)),)


def _posture(points: np.ndarray, crown: float, crown_seen: bool, height: float | None) -> Posture:
    """Standing or sitting by the height of the crown; whether the seat has wheels is for the relations to tell."""
    if not crown_seen:
        return Posture.UNKNOWN
    standing = max(height or 0.0, 1.5)
    if crown > 0.88 * standing:
        return Posture.STANDING
    return Posture.SITTING if _SITS * standing < crown < 0.84 * standing else Posture.UNKNOWN
