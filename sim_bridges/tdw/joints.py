"""Doors and lids of composite objects: how far they are open, and the commands that move them.

TDW has three kinds of turning joints. A spring is given a target angle, a motor a target velocity, and a plain hinge, which only swings, a torque
in every frame. Openness is the share of the joint's range, 0 at rest (as the model is loaded: closed).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

SPRING_FORCE, MOTOR_FORCE, MOTOR_SPEED, TORQUE = 50.0, 50.0, 90.0, 2.0
FULLY_OPEN = 90.0  # degrees, where a joint has no limits


class JointKind(Enum):
    SPRING = "spring"
    MOTOR = "motor"
    HINGE = "hinge"


@dataclass(frozen=True)
class Joint:
    """``id`` of the sub-object; ``open_angle`` in degrees, signed; ``axis`` of the hinge, in Unity."""

    id: int
    kind: JointKind
    open_angle: float
    axis: tuple[float, float, float]

    def openness(self, angle: float) -> float:
        return max(0.0, min(1.0, angle / self.open_angle))


def main_joint(static) -> Joint | None:
    """The joint with the widest range of a ``CompositeObjectStatic``: its door; None if nothing turns."""
    found = []
    for kind, table in ((JointKind.SPRING, static.springs), (JointKind.MOTOR, static.motors), (JointKind.HINGE, static.hinges)):
        for number, joint in table.items():
            low, high = (joint.min_limit, joint.max_limit) if joint.has_limits else (0.0, FULLY_OPEN)
            angle = high if abs(high) >= abs(low) else low
            if abs(angle) > 1.0:
                found.append(Joint(int(number), kind, float(angle), tuple(float(c) for c in joint.axis)))
    return max(found, key=lambda j: (abs(j.open_angle), -j.id), default=None)


def start(joint: Joint, opening: bool) -> list[dict]:
    """Commands that begin to open or close."""
    if joint.kind is JointKind.SPRING:
        return [{"$type": "set_spring_force", "id": joint.id, "spring_force": SPRING_FORCE},
                {"$type": "set_spring_target_position", "id": joint.id, "target_position": joint.open_angle if opening else 0.0}]
    if joint.kind is JointKind.MOTOR:
        sign = (1.0 if joint.open_angle > 0 else -1.0) * (1.0 if opening else -1.0)
        return [{"$type": "set_motor_force", "id": joint.id, "force": MOTOR_FORCE},
                {"$type": "set_motor_target_velocity", "id": joint.id, "target_velocity": sign * MOTOR_SPEED}]
    return push(joint, opening)


def push(joint: Joint, opening: bool) -> list[dict]:
    """Commands of every further frame while it moves."""
    if joint.kind is not JointKind.HINGE:
        return []
    sign = (1.0 if joint.open_angle > 0 else -1.0) * (1.0 if opening else -1.0) * TORQUE
    return [{"$type": "apply_torque_to_object", "id": joint.id, "torque": dict(zip("xyz", (sign * c for c in joint.axis)))}]


def stop(joint: Joint) -> list[dict]:
    if joint.kind is JointKind.MOTOR:
        return [{"$type": "set_motor_target_velocity", "id": joint.id, "target_velocity": 0.0}]
    return []
