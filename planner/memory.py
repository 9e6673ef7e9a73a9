"""What the planner remembers between two steps: the whole state of :func:`planner.step.step`, immutable and bounded.

Design reason: whether the robot repeats itself, calls an act off or reconsiders must follow from messages alone (replaying a bag
gives the same decisions), so everything here comes from inputs and from the planner's own commands, never from a clock or a body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from household.actions import AtomicAction, HumanAction, Utterance
from household.speech import ActKind, SpeechAct

from planner.acts import Fact, FactKind, HelpAct

if TYPE_CHECKING:
    from planner.decision import Decision
    from planner.gaze import GazeState

MAX_REMEMBERED = 64  # facts told, requests, failures


@dataclass(frozen=True)
class Told:
    """The robot said ``fact`` to ``person``. ``disbelieved``: their behaviour or words since say they do not believe it."""

    person: str
    fact: Fact
    stamp: float
    count: int = 1
    disbelieved: bool = False


class RequestKind(str, Enum):
    BRING = "bring"
    WHERE = "where"
    NEED = "need"


@dataclass(frozen=True)
class Request:
    """Something a person asked for or said they need. ``target``: class or entity id; ``place``: where to bring it, if said."""

    person: str
    kind: RequestKind
    target: str
    stamp: float
    certainty: float = 1.0
    text: str = ""
    place: str | None = None


@dataclass(frozen=True)
class Active:
    """The act under way. ``deadline``: message time after which it counts as failed. ``gone_since``: when its reason vanished."""

    act: HelpAct
    plan: tuple[AtomicAction, ...]
    plan_id: int
    started: float
    deadline: float
    progress: float
    gone_since: float | None = None


@dataclass(frozen=True)
class PlannerState:
    events: tuple[HumanAction, ...] = ()
    heard: tuple[Utterance, ...] = ()
    told: tuple[Told, ...] = ()
    requests: tuple[Request, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict)  # act key → how often it failed
    done: Mapping[str, float] = field(default_factory=dict)  # act key → when it was finished
    refused: Mapping[str, float] = field(default_factory=dict)  # person → when they last said no
    active: Active | None = None
    favourite: tuple[str, float] | None = None  # key of the best act and since when it is the best
    switched: Mapping[str, bool] = field(default_factory=dict)  # device → last known state
    unattended: Mapping[str, float] = field(default_factory=dict)  # running device or open fridge → since when alone
    dark_since: float | None = None
    tracks: Mapping[str, tuple[tuple[float, float, float], ...]] = field(default_factory=dict)  # person → (t, x, y) samples
    plans: int = 0
    decision: "Decision | None" = None
    gaze: "GazeState | None" = None
    stamp: float = float("-inf")


def told_before(state: PlannerState, person: str, obj: str) -> Told | None:
    """The latest fact about ``obj`` said to ``person``."""
    hits = [t for t in state.told if t.person == person and t.fact.object == obj]
    return max(hits, key=lambda t: t.stamp) if hits else None


def note_told(state: PlannerState, person: str, fact: Fact, stamp: float) -> PlannerState:
    same = [t for t in state.told if t.person == person and t.fact == fact]
    count = 1 + max((t.count for t in same), default=0)
    rest = tuple(t for t in state.told if t not in same)
    return replace(state, told=(*rest, Told(person, fact, stamp, count))[-MAX_REMEMBERED:])


def moved_since(state: PlannerState, obj: str, stamp: float) -> bool:
    """Whether somebody was seen taking or putting ``obj`` after ``stamp``."""
    return any(e.target == obj and e.verb.value in _MOVES and (e.end if e.end is not None else e.start) > stamp + 1e-6
               for e in state.events)


_MOVES = frozenset({"pick", "place", "puton", "putin", "putback", "give", "drop", "move"})


def may_tell(state: PlannerState, person: str, fact: Fact) -> bool:
    """Said once; again only when disbelieved (once more), or when the fact is new because the thing moved or was found."""
    before = told_before(state, person, fact.object)
    if before is None:
        return True
    if before.fact == fact:
        return (before.disbelieved and before.count < 2) or moved_since(state, fact.object, before.stamp)
    return moved_since(state, fact.object, before.stamp) or (before.fact.kind is not FactKind.AT and fact.kind is FactKind.AT)


def hear(state: PlannerState, acts: tuple[SpeechAct, ...], stamp: float, robot: str) -> PlannerState:
    """Requests, needs, questions and refusals out of what people said."""
    for act in acts:
        if act.speaker == robot:
            continue
        who = act.person if act.person in (None, act.speaker) or act.kind is not ActKind.STATE_NEED else act.person
        who = who or act.speaker
        if act.kind is ActKind.REFUSE:
            keep = tuple(r for r in state.requests if r.person != act.speaker)
            state = replace(state, refused={**state.refused, act.speaker: stamp}, requests=keep)
        elif act.kind is ActKind.DENY_LOCATION:
            state = replace(state, told=tuple(
                replace(t, disbelieved=True) if t.person == act.speaker and t.fact.place is not None
                and t.fact.place == act.place else t for t in state.told))
        elif act.understood and act.object is not None and act.kind in _WANTED:
            kind = _WANTED[act.kind]
            person = act.speaker if kind is RequestKind.WHERE else who
            request = Request(person, kind, act.object, stamp, act.certainty, act.text, act.place)
            rest = tuple(r for r in state.requests if (r.person, r.target) != (request.person, request.target))
            state = replace(state, requests=(*rest, request)[-MAX_REMEMBERED:])
    return state


_WANTED = {ActKind.REQUEST: RequestKind.BRING, ActKind.ASK_LOCATION: RequestKind.WHERE, ActKind.STATE_NEED: RequestKind.NEED}
