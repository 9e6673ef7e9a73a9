"""What reading gives: predicates, actions and statements, each with the characters it came from.

Entity ids follow the household: ``apple_2``, ``kitchencabinet_3``; rooms are their class id (``kitchen``). Objects are numbered in the
order the text names them; places in the order it introduces them, or by their ordinal ("the third cabinet" is ``…_3``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from household.actions import Verb
from household.classes import class_of
from household.scene_graph import RelationKind


@dataclass(frozen=True)
class Span:
    """Half-open range of characters in the text that was read."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start:self.end]


class ProblemKind(str, Enum):
    UNREAD = "unread"  # a clause that gave nothing
    UNKNOWN_WORD = "unknown_word"  # a noun that names no class
    UNPLACED = "unplaced"  # a thing whose place is not said
    UNRESOLVED = "unresolved"  # a place or thing that nothing introduced
    CONTRADICTION = "contradiction"  # two statements that cannot both hold; ``reason`` says which was kept
    EMPTY = "empty"  # no text, or a home without rooms or places
    TOO_LONG = "too_long"


@dataclass(frozen=True)
class Problem:
    kind: ProblemKind
    reason: str
    text: str
    span: Span

    def __str__(self) -> str:
        shown = self.text if len(self.text) <= 160 else self.text[:157] + "…"
        return f"{self.reason}: “{shown}”"


@dataclass(frozen=True)
class Predicate:
    """``subject`` stands in ``kind`` to ``object``. ``subject`` None with INSIDE/ON: there is nothing at ``object``.

    ``holds`` False: the text denies it ("there is no apple in the fridge"; the subject is then a class id).
    """

    subject: str | None
    kind: RelationKind
    object: str
    span: Span
    holds: bool = True


@dataclass(frozen=True)
class HomeReading:
    """``places``: place id → room id. ``predicates``: IN_ROOM for places, INSIDE/ON for objects and for emptiness."""

    rooms: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    predicates: tuple[Predicate, ...] = ()
    problems: tuple[Problem, ...] = ()

    def contents(self) -> dict[str, Counter]:
        """Place id → how many of each class are in or on it; only places about which the text says something."""
        out: dict[str, Counter] = {}
        for p in self.predicates:
            if p.kind in (RelationKind.INSIDE, RelationKind.ON) and p.holds:
                here = out.setdefault(p.object, Counter())
                if p.subject is not None:
                    here[class_of(p.subject)] += 1
        return out

    def undescribed(self) -> tuple[str, ...]:
        """Places that open and about whose inside the text says nothing."""
        from household import classes

        told = self.contents()
        return tuple(p for p in self.places if p not in told and classes.get(class_of(p)).opens)

    def presumed_empty(self) -> tuple[str, ...]:
        """The undescribed places of a text that tells all others: who goes through everything that opens and leaves one out had nothing to tell
        of it. Empty where the text leaves out more than a quarter of them, or where some of it could not be placed."""
        from household import classes

        silent = self.undescribed()
        opens = sum(classes.get(class_of(p)).opens for p in self.places)
        unclear = any(p.kind in (ProblemKind.UNREAD, ProblemKind.UNPLACED, ProblemKind.UNKNOWN_WORD) for p in self.problems)
        return silent if 4 * len(silent) <= opens and not unclear else ()


@dataclass(frozen=True)
class ReadAction:
    """One symbolic action. ``target``: place, object or room id. ``about_to``: announced, not yet done.

    ``place``: where the object of PICK came from or where that of PLACE goes. ``room``: where the person is while doing it.
    """

    actor: str
    verb: Verb
    target: str | None
    span: Span
    about_to: bool = False
    place: str | None = None
    room: str | None = None

    def __str__(self) -> str:
        return f"{'about to ' if self.about_to else ''}{self.verb.value}({self.target})"


@dataclass(frozen=True)
class ConductReading:
    """``start_room``: where the person is said to be at first; None: not said."""

    actor: str
    start_room: str | None = None
    actions: tuple[ReadAction, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class BeliefStatement:
    """``person`` thinks that one of class ``target`` is (``holds``) or is not at ``place`` (a place or room id)."""

    person: str | None
    target: str
    place: str
    holds: bool
    span: Span


@dataclass(frozen=True)
class GoalStatement:
    """``person`` wants (``holds``) or does not want one of class ``target``."""

    person: str | None
    target: str
    holds: bool
    span: Span
