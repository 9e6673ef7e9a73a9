"""Where every joint of a person is: gait, sitting, bending, reaching. Pure geometry, cheap, no drawing.

The world asks :func:`held_position` where to put a held thing; the figure is drawn on the same skeleton, so hand and
thing meet. The right hand is the one that reaches (``PersonState.reach_to``); a hand that holds something and does
not reach is carried before the body. Proportions are fractions of body height (after Drillis & Contini's segment
table as printed in Winter, Biomechanics and Motor Control).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from household.scene_graph import Posture
from sim_bridges.embedded.meshes import rotation, translation
from sim_bridges.embedded.model import Person, PersonState, Vec3

ANKLE, KNEE, HIP, SHOULDER, NECK, HEAD = 0.043, 0.285, 0.522, 0.812, 0.85, 0.925  # heights
HIP_HALF, SHOULDER_HALF = 0.052, 0.118
UPPER_ARM, FOREARM, GRIP = 0.172, 0.155, 0.048  # GRIP: from the wrist to the middle of a closed hand
THIGH, SHANK = HIP - KNEE, KNEE - ANKLE
SEAT = 0.27  # pelvis height when sitting
STRIDE, LIFT = 0.15, 0.055
PALM = 0.026  # from the middle of the hand to its upper edge, where thumb and forefinger meet
CARRY = (0.20, 0.02, -0.19)  # from the shoulder: forward, inward, up
LEFT, RIGHT = "left", "right"
_SIDES = ((LEFT, 1.0), (RIGHT, -1.0))
_MAX_LEAN, _MAX_CROUCH = math.radians(75), 0.24


@dataclass(frozen=True)
class Skeleton:
    """``joints``: name → map point float64 (3,): pelvis, neck, head and hip/knee/ankle/toe/shoulder/elbow/wrist/hand
    of either side (``"left_knee"``). ``torso``, ``head``: 4×4 frames → map, origins at the pelvis and the middle of
    the head, x forward.
    """

    joints: dict[str, np.ndarray]
    torso: np.ndarray
    head: np.ndarray


def hand_position(person: Person, state: PersonState, hand: str) -> Vec3:
    """The middle of the ``left`` or ``right`` hand in map when it holds something (the right one: reaches, if it is
    reaching).
    """
    if hand not in (LEFT, RIGHT):
        raise ValueError(f"hand '{hand}': must be '{LEFT}' or '{RIGHT}'")
    p = skeleton(person, state, holding=(hand,)).joints[f"{hand}_hand"]
    return (float(p[0]), float(p[1]), float(p[2]))


def held_position(person: Person, state: PersonState, hand: str, height: float) -> Vec3:
    """The middle of a thing of this ``height`` (metres) in the ``left`` or ``right`` hand, in map.

    What is higher than a hand is broad is gripped in its middle. What is not (keys, a telephone, a fork) is held between
    thumb and forefinger, with its top at the upper edge of the hand, and does not vanish inside the palm.
    """
    x, y, z = hand_position(person, state, hand)
    return (x, y, z + max(0.0, PALM * person.height - height / 2))


def skeleton(person: Person, state: PersonState, holding: Collection[str] = ()) -> Skeleton:
    """All joints in ``map``. ``holding``: the hands that hold something."""
    h = person.height
    base = rotation((0, 0, 1), state.yaw)
    base[:2, 3] = state.position
    goal = None
    if state.reach_to is not None:
        target = np.array([*state.reach_to[:2], min(state.reach_to[2], person.reach)])
        goal = (np.linalg.inv(base) @ np.array([*target, 1.0]))[:3]
    seated = state.posture in (Posture.SITTING, Posture.WHEELCHAIR)
    bend = _bend_for(goal, h, seated) if goal is not None else 0.0
    pelvis, lean = _trunk(state, h, seated, bend, _lowness(goal, h))
    torso = translation(*pelvis) @ rotation((0, 1, 0), lean)
    joints: dict[str, np.ndarray] = {"pelvis": pelvis}
    for side, sign in _SIDES:
        _leg(joints, state, side, sign, pelvis, h, seated)
        _arm(joints, state, side, sign, torso, h, goal if side == RIGHT else None, side in holding, seated)
    head_yaw = _limited(state.head_yaw - state.yaw, math.radians(85))
    neck = (torso @ np.array([0, 0, (NECK - HIP) * h, 1.0]))[:3]
    head = translation(*neck) @ rotation((0, 1, 0), 0.35 * lean) @ rotation((0, 0, 1), head_yaw) @ rotation(
        (0, 1, 0), -state.head_pitch)
    head = head @ translation(0.006 * h, 0, (HEAD - NECK) * h)
    joints["neck"], joints["head"] = neck, head[:3, 3].copy()
    return Skeleton({k: (base @ np.array([*v, 1.0]))[:3] for k, v in joints.items()}, base @ torso, base @ head)


def _limited(angle: float, most: float) -> float:
    wrapped = math.atan2(math.sin(angle), math.cos(angle))
    return max(-most, min(most, wrapped))


def _lowness(goal: np.ndarray | None, h: float) -> float:
    """How much of a bend goes into the knees, 0…1: none for a table, all for the floor."""
    return 0.0 if goal is None else min(1.0, max(0.0, (0.46 * h - float(goal[2])) / (0.36 * h)))


def _trunk(state: PersonState, h: float, seated: bool, bend: float, low: float) -> tuple[np.ndarray, float]:
    """Pelvis in the body frame and how far the torso leans forward, radians, for a bend 0…1 towards something ``low``."""
    if seated:
        return np.array([0.0, 0.0, SEAT * h]), -0.06 + bend * math.radians(50)
    bob = 0.012 * h * (math.cos(2 * state.gait) - 1) / 2 if state.walking else 0.0
    lean = 0.04 if state.walking else 0.0
    back = -(0.03 + 0.07 * low) * h * bend
    return np.array([back, 0.0, (HIP - 0.008 - (0.02 + (_MAX_CROUCH - 0.02) * low) * bend) * h + bob]), lean + bend * _MAX_LEAN


def _bend_for(goal: np.ndarray, h: float, seated: bool) -> float:
    """The smallest bend 0…1 with which the right hand gets to ``goal`` (where it comes nearest, when it never does)."""
    arm = (UPPER_ARM + FOREARM + GRIP) * h * 0.985
    upright, low = PersonState((0, 0), 0.0, 0.0), _lowness(goal, h)

    def distance(bend: float) -> float:
        pelvis, lean = _trunk(upright, h, seated, bend, low)
        torso = translation(*pelvis) @ rotation((0, 1, 0), lean)
        shoulder = (torso @ np.array([0, -SHOULDER_HALF * h, (SHOULDER - HIP) * h, 1.0]))[:3]
        return float(np.linalg.norm(goal - shoulder))

    for step in range(17):
        if distance(step / 16) <= arm:
            return step / 16
    return min((distance(s / 16), s / 16) for s in range(17))[1]


def _leg(joints: dict[str, np.ndarray], state: PersonState, side: str, sign: float, pelvis: np.ndarray, h: float,
         seated: bool) -> None:
    hip = pelvis + np.array([0, sign * HIP_HALF * h, 0])
    y = sign * HIP_HALF * h
    if seated:
        low = 0.11 if state.posture is Posture.WHEELCHAIR else ANKLE * h
        ankle = np.array([(THIGH + 0.05) * h, y * 1.2, low])
        pitch = 0.0
    else:
        phase = state.gait + (0 if side == LEFT else math.pi)
        swing = math.sin(phase) if state.walking else 0.0
        raised = max(0.0, math.cos(phase)) if state.walking else 0.0
        ankle = np.array([STRIDE * h * swing, y, ANKLE * h + LIFT * h * raised])
        pitch = 0.35 * raised if swing < 0 else -0.25 * raised
    knee, ankle = _two_bones(hip, ankle, THIGH * h, SHANK * h, np.array([1.0, 0, 0.15]))
    toe = ankle + rotation((0, 1, 0), pitch)[:3, :3] @ np.array([0.105 * h, 0, -0.028 * h])
    joints.update({f"{side}_hip": hip, f"{side}_knee": knee, f"{side}_ankle": ankle, f"{side}_toe": toe})


def _arm(joints: dict[str, np.ndarray], state: PersonState, side: str, sign: float, torso: np.ndarray, h: float,
         goal: np.ndarray | None, holding: bool, seated: bool) -> None:
    shoulder = (torso @ np.array([0, sign * SHOULDER_HALF * h, (SHOULDER - HIP) * h, 1.0]))[:3]
    if goal is not None:
        hand, pole = goal, np.array([-0.3, sign * 0.5, -1.0])
    elif holding:
        hand, pole = shoulder + np.array([CARRY[0], -sign * CARRY[1], CARRY[2]]) * h, np.array([-0.6, sign * 0.3, -1.0])
    elif seated:
        hand, pole = shoulder + np.array([0.17, 0.0, -0.27]) * h, np.array([-0.6, sign * 0.5, -1.0])
    else:
        swing = (-math.sin(state.gait) * sign * 0.10) if state.walking else 0.0
        hand = shoulder + np.array([0.03 + swing, sign * 0.035, -0.362 + 0.35 * abs(swing)]) * h
        pole = np.array([-1.0, sign * 0.25, 0.0])
    elbow, hand = _two_bones(shoulder, hand, UPPER_ARM * h, (FOREARM + GRIP) * h, pole)
    wrist = elbow + (hand - elbow) * (FOREARM / (FOREARM + GRIP))
    joints.update({f"{side}_shoulder": shoulder, f"{side}_elbow": elbow, f"{side}_wrist": wrist, f"{side}_hand": hand})


def _two_bones(root: np.ndarray, tip: np.ndarray, first: float, second: float,
               pole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Middle joint and reached tip of a two-bone chain by the cosine rule; the middle bends towards ``pole``. A tip
    out of reach is drawn in along its own direction.
    """
    span = tip - root
    distance = float(np.linalg.norm(span))
    direction = span / max(distance, 1e-9)
    reach = min(max(distance, abs(first - second) + 1e-4), (first + second) * 0.9995)
    along = (first * first - second * second + reach * reach) / (2 * reach)
    away = math.sqrt(max(0.0, first * first - along * along))
    side = pole - direction * float(pole @ direction)
    side = side / max(float(np.linalg.norm(side)), 1e-9)
    return root + direction * along + side * away, root + direction * reach
