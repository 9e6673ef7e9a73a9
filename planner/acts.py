"""What the robot may do to help: a closed set of acts, each a small immutable value with an identity.

Design reason: candidates, memory ("was told already"), plans, sentences and scoring all need to mean the same thing by "the same act".
Invariant: two acts are the same exactly when their ``key`` is the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class HelpKind(str, Enum):
    NOTHING = "nothing"
    TELL = "tell"  # one fact to one person
    FETCH = "fetch"  # bring an object and hand it over
    OPEN = "open"
    CLOSE = "close"
    MOVE = "move"  # push an obstacle out of the way
    SWITCH_ON = "switchon"
    SWITCH_OFF = "switchoff"
    POINT = "point"
    ASK = "ask"  # which of several things somebody wants


class FactKind(str, Enum):
    AT = "at"  # the object is at ``place``
    TAKEN = "taken"  # it was seen being carried into the room ``place``; where it is there, the robot does not know
    MOVED = "moved"  # it is no longer where the listener thinks; where it is now the robot does not know
    UNKNOWN = "unknown"  # the robot does not know where it is (only as an answer)


@dataclass(frozen=True)
class Fact:
    """``room``, of what was moved: the room it was seen carried out of, not to come back. ``doubtful``: the robot is not sure of it, and says so. Both are
    other words for the same fact."""

    kind: FactKind
    object: str
    place: str | None = None
    room: str | None = field(default=None, compare=False)
    doubtful: bool = field(default=False, compare=False)

    def to_dict(self) -> dict:
        return {"kind": self.kind.value, "object": self.object, "place": self.place, "room": self.room, "doubtful": self.doubtful}

    @classmethod
    def from_dict(cls, d: Mapping) -> "Fact":
        return cls(FactKind(d["kind"]), d["object"], d.get("place"), d.get("room"), bool(d.get("doubtful", False)))


@dataclass(frozen=True)
class HelpAct:
    """``person``: whom it helps (None: the household). ``object``: what is acted on or told about. ``place``: where the object
    is, or from where it is moved. ``destination``: room an obstacle is pushed to. ``options``: what an ASK offers."""

    kind: HelpKind
    person: str | None = None
    object: str | None = None
    place: str | None = None
    destination: str | None = None
    fact: Fact | None = None
    options: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        parts = [self.person, self.object, self.fact.kind.value if self.fact else None, self.place, *self.options]
        return f"{self.kind.value}({', '.join(p for p in parts if p)})"

    @property
    def is_word(self) -> bool:
        return self.kind in (HelpKind.TELL, HelpKind.ASK)

    def to_dict(self) -> dict:
        return {"kind": self.kind.value, "person": self.person, "object": self.object, "place": self.place,
                "destination": self.destination, "fact": self.fact.to_dict() if self.fact else None,
                "options": list(self.options)}

    @classmethod
    def from_dict(cls, d: Mapping) -> "HelpAct":
        return cls(HelpKind(d["kind"]), d.get("person"), d.get("object"), d.get("place"), d.get("destination"),
                   Fact.from_dict(d["fact"]) if d.get("fact") else None, tuple(d.get("options", ())))


NOTHING = HelpAct(HelpKind.NOTHING)


@dataclass(frozen=True)
class CandidateValue:
    """The value of one act, seconds of people's time; ``total`` is the sum of its terms.

    ``saved``: expected time and effort the act saves under the mind's posterior. ``answer``: worth of meeting a question or
    request. ``robot``: the robot's time. ``bother``: disturbing somebody who needs nothing. ``risk``: being wrong, breaking
    something, taking what others want. All costs are ≤ 0. ``need``: probability that the need behind it is there; ``guessed``: nothing but behaviour
    tells of it, so that waiting may show more.
    """

    act: HelpAct
    saved: float = 0.0
    answer: float = 0.0
    robot: float = 0.0
    bother: float = 0.0
    risk: float = 0.0
    need: float = 0.0
    reason: str = ""
    guessed: bool = False

    @property
    def total(self) -> float:
        return self.saved + self.answer + self.robot + self.bother + self.risk

    def __str__(self) -> str:
        return (f"{self.act.key}: {self.total:+.1f} s = saved {self.saved:.1f} + answer {self.answer:.1f} "
                f"- robot {-self.robot:.1f} - bother {-self.bother:.1f} - risk {-self.risk:.1f} (need {self.need:.2f})")

    def to_dict(self) -> dict:
        return {"act": self.act.to_dict(), "saved": self.saved, "answer": self.answer, "robot": self.robot,
                "bother": self.bother, "risk": self.risk, "need": self.need, "reason": self.reason, "guessed": self.guessed, "total": self.total}

    @classmethod
    def from_dict(cls, d: Mapping) -> "CandidateValue":
        return cls(HelpAct.from_dict(d["act"]), d["saved"], d["answer"], d["robot"], d["bother"], d["risk"], d["need"],
                   d.get("reason", ""), d.get("guessed", False))
