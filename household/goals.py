"""What a person may want. Used by the simulated people (their true goal), by the mind (hypotheses) and by the planner.

A goal names classes (``apple``) or, where it matters, one entity (``apple_2``); places are entity ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from household import classes


class GoalKind(str, Enum):
    NONE = "none"  # wanders, or acts for no goal we model
    GET = "get"  # hold one of ``targets``
    PUT = "put"  # every target in or on ``place``
    SET = "set"  # gather all targets at ``place`` (None: any one place)
    USE = "use"  # bring all targets together to do ``activity``
    REACH = "reach"  # be at ``place`` (a room or a place)
    SWITCH = "switch"  # device ``targets[0]`` on or off (``activity`` = "on" / "off")


@dataclass(frozen=True, order=True)
class Goal:
    kind: GoalKind
    targets: tuple[str, ...] = ()
    place: str | None = None
    activity: str | None = None

    def __str__(self) -> str:
        inner = ", ".join(self.targets)
        tail = "".join(f", {k}={v}" for k, v in (("place", self.place), ("activity", self.activity)) if v)
        return f"{self.kind.value}({inner}{tail})"

    def spoken(self) -> str:
        """``get an apple``; for sentences about what somebody wants to do."""
        def name(t: str) -> str:
            word = classes.get(classes.class_of(t)).spoken
            return ("an " if word[0] in "aeiou" else "a ") + word

        things = " and ".join(name(t) for t in self.targets)
        place = f" to {_the(self.place)}" if self.place else ""
        return {GoalKind.NONE: "do nothing in particular", GoalKind.GET: f"get {things}", GoalKind.PUT: f"put {things}{place}",
                GoalKind.SET: f"bring {things}{place or ' together'}", GoalKind.USE: self.activity or f"use {things}",
                GoalKind.REACH: f"go{place}", GoalKind.SWITCH: f"turn {self.activity} {things}"}[self.kind]

    def to_dict(self) -> dict:
        return {"kind": self.kind.value, "targets": list(self.targets), "place": self.place, "activity": self.activity}

    @classmethod
    def from_dict(cls, d: dict) -> "Goal":
        return cls(GoalKind(d["kind"]), tuple(d.get("targets", ())), d.get("place"), d.get("activity"))


def _the(place: str) -> str:
    """``the fridge`` of a place; people, who are no class, by their name."""
    cls = classes.class_of(place)
    return f"the {classes.get(cls).spoken}" if cls in classes.CLASSES else place.replace("_", " ").title()


NO_GOAL = Goal(GoalKind.NONE)


def get(target: str) -> Goal:
    return Goal(GoalKind.GET, (target,))
