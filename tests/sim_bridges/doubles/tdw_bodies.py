"""Models, Replicants and what moves them, in Unity's coordinates: left-handed, y up, yaw in degrees clockwise from +z."""

from __future__ import annotations

import math

import numpy as np
from tdw.librarian import ModelLibrarian

SPEED, JOINT_SPEED, WIDE_OPEN = 1.4, 120.0, 110.0  # m/s, degrees/s, degrees
_records: dict[str, dict] = {}


def record(name: str):
    if not _records:
        for library in ("models_flex.json", "models_core.json"):
            for r in ModelLibrarian(library).records:
                _records.setdefault(r.name, r)
    return _records[name]


def heading(yaw: float) -> np.ndarray:
    """Unity: degrees clockwise from +z, seen from above."""
    return np.array([math.sin(math.radians(yaw)), 0.0, math.cos(math.radians(yaw))])


def quaternion(yaw: float) -> list[float]:
    return [0.0, math.sin(math.radians(yaw) / 2), 0.0, math.cos(math.radians(yaw) / 2)]


def to_map(p) -> tuple[float, float, float]:
    return float(p[2]), -float(p[0]), float(p[1])


class Thing:
    def __init__(self, command: dict):
        r = record(command["name"])
        self.name, self.position = command["name"], np.array([command["position"][a] for a in "xyz"], float)
        self.size = np.array([abs(r.bounds[a][axis] - r.bounds[b][axis]) for axis, a, b in
                              (("x", "left", "right"), ("y", "top", "bottom"), ("z", "front", "back"))])
        self.composite, self.yaw, self.angle, self.target, self.torque, self.velocity = r.composite_object, 0.0, 0.0, None, 0.0, 0.0

    def swing(self, dt: float) -> None:
        """One step of its joint, if it has one."""
        if not self.composite:
            return
        if self.target is not None:
            self.angle += max(-JOINT_SPEED * dt, min(JOINT_SPEED * dt, self.target - self.angle))
        self.angle = max(0.0, min(WIDE_OPEN, self.angle + self.velocity * dt + math.copysign(JOINT_SPEED, self.torque) * dt * bool(self.torque)))
        self.torque = 0.0

    def sides(self) -> np.ndarray:
        """(7, 3): front, back, right, left, top, bottom, center; in Unity."""
        x, y, z = heading(self.yaw + 90) * self.size[0] / 2, np.array([0, self.size[1] / 2, 0]), heading(self.yaw) * self.size[2] / 2
        c = self.position + y
        return np.array([c + z, c - z, c + x, c - x, c + y, c - y, c])


class Person:
    def __init__(self, command: dict):
        self.position = np.array([command["position"][a] for a in "xyz"], float)
        self.yaw = float(command["rotation"]["y"])
        self.held: dict[str, int] = {}
        self.walking, self.walked, self.ik, self.reaches, self.status = 0.0, 0.0, None, None, 0

    def step(self, dt: float) -> None:
        """One frame of walking and of a hand under way."""
        self.position = self.position + heading(self.yaw) * self.walking * dt
        self.walked += abs(self.walking) * dt
        if self.ik is not None:
            left, status = self.ik
            self.status, self.ik = (status, None) if left <= 0 else (0, (left - 1, status))
        if self.ik is None:
            self.reaches = None

    def hand(self, arm: str) -> np.ndarray:
        side = heading(self.yaw + 90) * (0.22 if arm == "right" else -0.22)
        return self.position + heading(self.yaw) * 0.35 + side + (0, 0.95, 0)
