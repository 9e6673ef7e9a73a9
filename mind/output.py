"""What the mind publishes about people: plain immutable values, the only part of ``mind`` that the planner may import.

Locations are place ids (container, surface, room for "on its floor", person for "in their hands") plus
``household.scene_graph.ELSEWHERE``; every marginal sums to one over its keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from household.goals import Goal
from household.speech import SpeechAct


class Source(str, Enum):
    SAW = "saw"  # the person saw the object there
    SAW_ABSENT = "saw_absent"  # looked at the place and it was not there
    INFERRED = "inferred"  # from what the person did
    TOLD = "told"  # by somebody
    PRIOR = "prior"


@dataclass(frozen=True)
class Evidence:
    """One percept or action that moved a belief or a goal.

    ``stamp``: message time, s. ``about``: object id or str(goal). ``log_likelihood``: what it added to the log odds of the
    hypothesis it is cited for, nats (inf for a direct sighting). ``text``: one clause in English.
    """

    stamp: float
    source: Source
    about: str
    text: str
    entity: str | None = None
    log_likelihood: float = 0.0

    def to_dict(self) -> dict:
        return {"stamp": self.stamp, "source": self.source.value, "about": self.about, "text": self.text,
                "entity": self.entity, "log_likelihood": self.log_likelihood}


@dataclass(frozen=True)
class FalseBelief:
    """``person`` probably thinks ``object`` is at ``believed``, and it is not. ``actual`` None: the robot does not know where.

    ``probability``: that the person's belief about this object is wrong, under the robot's own belief as well.
    """

    person: str
    object: str
    believed: str
    actual: str | None
    probability: float
    since: float
    evidence: tuple[Evidence, ...] = ()

    def to_dict(self) -> dict:
        return {"person": self.person, "object": self.object, "believed": self.believed, "actual": self.actual,
                "probability": self.probability, "since": self.since, "evidence": [e.to_dict() for e in self.evidence]}


@dataclass(frozen=True)
class SocialGoal:
    """What ``person`` wants for ``towards``: P(help), P(hinder), P(independent); sums to one."""

    towards: str
    help: float
    hinder: float
    independent: float


@dataclass(frozen=True)
class PersonMind:
    """``beliefs``: object id → place → probability that the person thinks it is there. ``goals``: posterior over goals,
    most likely first, sums to one with its rest in NO_GOAL. ``searching``: probability that the person is looking for
    something right now. ``heading``: place the person is walking towards or acting at, if any.
    ``nested``: other person → object → place → what this person thinks the other thinks."""

    person: str
    beliefs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    goals: tuple[tuple[Goal, float], ...] = ()
    false_beliefs: tuple[FalseBelief, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    searching: float = 0.0
    heading: str | None = None
    room: str | None = None
    social: tuple[SocialGoal, ...] = ()
    nested: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)

    def to_dict(self) -> dict:
        return {"person": self.person, "beliefs": {o: dict(m) for o, m in self.beliefs.items()},
                "goals": [[g.to_dict(), p] for g, p in self.goals],
                "false_beliefs": [f.to_dict() for f in self.false_beliefs],
                "evidence": [e.to_dict() for e in self.evidence], "searching": self.searching, "heading": self.heading,
                "room": self.room, "social": [vars(s) for s in self.social],
                "nested": {p: {o: dict(m) for o, m in b.items()} for p, b in self.nested.items()}}


@dataclass(frozen=True)
class Minds:
    """Everybody's minds at ``stamp``. ``robot``: the robot's own location belief, object → place → probability.
    ``acts``: what was said since the last step, as read (the planner answers requests and needs; it reads no English)."""

    stamp: float
    people: Mapping[str, PersonMind] = field(default_factory=dict)
    robot: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    acts: tuple[SpeechAct, ...] = ()

    def to_dict(self) -> dict:
        return {"stamp": self.stamp, "people": {k: v.to_dict() for k, v in self.people.items()},
                "robot": {o: dict(m) for o, m in self.robot.items()},
                "acts": [{**vars(a), "kind": a.kind.value} for a in self.acts]}
