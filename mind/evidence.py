"""Why somebody believes or wants something: the percepts, words and acts behind it, kept while they matter.

Per person and object the last few percepts that changed something are kept (bounded); of every act, what it added to the log
probability of each goal. Sentences are made here and nowhere else in the mind, from ids by the home's vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.classes import Kind
from household.goals import Goal
from mind.output import Evidence, Source
from mind.values import replace

PER_OBJECT = 6
ACTS_KEPT = 24
MOVES_KEPT = 64


@dataclass(frozen=True)
class ActWeight:
    """One act and what it said of each goal: ``gain``: for each of the G goals, log P(act | goal) - log P(act), nats."""

    stamp: float
    text: str
    entity: str | None
    gain: tuple[float, ...]


@dataclass(frozen=True)
class Memory:
    """``percepts``: object → its latest evidence, oldest first. ``acts``: the latest acts."""

    percepts: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    acts: tuple[ActWeight, ...] = ()


@dataclass(frozen=True)
class Move:
    """Somebody took or put an object: ``to`` is the place, or the mover when it was picked up."""

    stamp: float
    actor: str
    object: str
    to: str
    picked: bool
    witnesses: Mapping[str, float] = field(default_factory=dict)


def note(memory: Memory, obj: str, evidence: Evidence) -> Memory:
    """The memory with one more percept; the same percept again only refreshes its stamp."""
    past = memory.percepts.get(obj, ())
    if past and (past[-1].source, past[-1].entity) == (evidence.source, evidence.entity):
        past = past[:-1]
    return replace(memory, percepts={**memory.percepts, obj: (*past, evidence)[-PER_OBJECT:]})


def renamed(memory: Memory, names: Mapping[str, str]) -> Memory:
    """What was seen of a thing before it turned out to be another. ``names``: former id → its id now. The acts are forgotten: their weights are those of
    goals that there may be no more."""
    percepts = {names.get(obj, obj): tuple(replace(e, about=names.get(obj, obj)) if obj in names else e for e in past)
                for obj, past in memory.percepts.items()}
    return Memory(percepts)


def note_act(memory: Memory, weight: ActWeight) -> Memory:
    return replace(memory, acts=(*memory.acts, weight)[-ACTS_KEPT:])


def name(entity: str) -> str:
    """``kitchentable_1`` → "the kitchen table"; people keep their name (``person_1``: "Person 1"), and so does what the vocabulary lacks."""
    cls = classes.CLASSES.get(classes.class_of(entity))
    if cls is None or cls.kind is Kind.PERSON:
        return entity.replace("_", " ").title() if cls is not None or entity.isalpha() else entity
    return f"the {cls.spoken}"


def at(place: str) -> str:
    """"in the fridge", "on the table", "in Alice's hands"."""
    cls = classes.CLASSES.get(classes.class_of(place))
    if place == "elsewhere":
        return "somewhere else"
    if cls is None or cls.kind in (Kind.PERSON, Kind.ROBOT):
        return f"in {name(place)}'s hands"
    return f"{cls.preposition} {name(place)}"


def saw(stamp: float, obj: str, place: str) -> Evidence:
    return Evidence(stamp, Source.SAW, obj, f"saw it {at(place)} at {stamp:.1f}", place, float("inf"))


def saw_put(stamp: float, obj: str, place: str, actor: str, himself: bool) -> Evidence:
    text = f"put it {at(place)} at {stamp:.1f}" if himself else f"saw {name(actor)} put it {at(place)} at {stamp:.1f}"
    return Evidence(stamp, Source.SAW, obj, text, place, float("inf"))


def saw_taken(stamp: float, obj: str, actor: str, himself: bool) -> Evidence:
    text = f"took it at {stamp:.1f}" if himself else f"saw {name(actor)} take it at {stamp:.1f}"
    return Evidence(stamp, Source.SAW, obj, text, actor, float("inf"))


def saw_absent(stamp: float, obj: str, place: str) -> Evidence:
    return Evidence(stamp, Source.SAW_ABSENT, obj, f"looked and it was not {at(place)} at {stamp:.1f}", place, float("-inf"))


def was_told(stamp: float, obj: str, speaker: str, words: str, place: str | None, weight: float) -> Evidence:
    return Evidence(stamp, Source.TOLD, obj, f"was told by {name(speaker)} at {stamp:.1f}: \"{words}\"", place, weight)


def missed(person: str, move: Move) -> Evidence:
    """``person`` did not see this move."""
    deed = f"{name(move.actor)} took it" if move.picked else f"{name(move.actor)} put it {at(move.to)}"
    p = move.witnesses.get(person)
    text = f"did not see it when {deed} at {move.stamp:.1f}" if p is not None else f"was not seen to be there when {deed} at {move.stamp:.1f}"
    return Evidence(move.stamp, Source.PRIOR, move.object, text, move.to, 0.0 if p is None else float(np.log(max(1 - p, 1e-9))))


_DOING = {Verb.OPEN: "opened {t}", Verb.CLOSE: "closed {t}", Verb.PICK: "picked up {t}", Verb.HOLD: "picked up {t}",
          Verb.SWITCHON: "turned on {t}", Verb.SWITCHOFF: "turned off {t}", Verb.ENTER: "went into {t}", Verb.GIVE: "gave {t} away"}


def doing(event: HumanAction) -> str:
    """One clause: what the person did."""
    target = name(event.target) if event.target else "something"
    if event.verb in (Verb.PUTIN, Verb.PUTON, Verb.PLACE, Verb.PUTBACK, Verb.DROP):
        return f"put {target} {at(event.place) if event.place else 'down'}"
    if event.verb in (Verb.WALK, Verb.WALKTOWARDS, Verb.RUN, Verb.MOVETO):
        return f"{'was walking' if event.end is None else 'walked'} to {target}"
    return _DOING.get(event.verb, event.verb.value + " {t}").format(t=target)


def of_goal(memory: Memory, goal: Goal, index: int) -> tuple[Evidence, ...]:
    """The acts that moved this goal (number ``index`` of the space), oldest first, those worth at least a twentieth of a nat."""
    about = str(goal)
    return tuple(_cited(a.stamp, about, a.text, a.entity, a.gain[index]) for a in memory.acts
                 if index < len(a.gain) and abs(a.gain[index]) >= 0.05)


@lru_cache(maxsize=4096)
def _cited(stamp: float, about: str, text: str, entity: str | None, gain: float) -> Evidence:
    return Evidence(stamp, Source.INFERRED, about, text, entity, gain)
