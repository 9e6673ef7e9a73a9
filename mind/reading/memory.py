"""What is kept in mind while a story is read: where the person is, what "it" and "each" mean, what was done last.

Invariant: acts are added in one place, which merges repetitions and bounds their number.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from household.actions import Verb
from mind.reading.clauses import VerbPhrase
from mind.reading.phrases import Det, Group, Item
from mind.reading.places import Places
from mind.reading.terms import Act
from mind.reading.types import HomeReading, Problem, ProblemKind, ReadAction, Span

MOST_ACTIONS = 2000  # of one text


@dataclass
class Memory:
    text: str
    actor: str
    home: HomeReading
    places: Places
    room: str | None = None
    start_room: str | None = None
    focus: list[str] = field(default_factory=list)  # what "it", "each" mean
    unit: list[Act] = field(default_factory=list)  # what was last done at one place
    unit_place: str | None = None
    walked: list[int] = field(default_factory=list)  # indices of the last walks to several places, not yet acted on
    held: str | None = None
    subject: str = ""  # who was spoken of last
    actions: list[ReadAction] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def problem(self, kind: ProblemKind, reason: str, start: int, end: int) -> None:
        self.problems.append(Problem(kind, reason, self.text[start:end], Span(start, end)))

    def emit(self, verb: Verb, target: str | None, v: VerbPhrase, place: str | None = None) -> None:
        last = self.actions[-1] if self.actions else None
        if last and last.verb is verb and last.target == target and last.about_to <= v.about and verb in (Verb.WALKTOWARDS, Verb.OPEN, Verb.CLOSE):
            return
        if len(self.actions) < MOST_ACTIONS:
            self.actions.append(ReadAction(self.actor, verb, target, Span(v.start, v.end), v.about, place, self.room))


def resolve(m: Memory, group: Group, room: str | None) -> list[str]:
    out: list[str] = []
    for item in group.items:
        ids, wrong = m.places.resolve(_choose(m, item, room), room or m.room)
        if wrong:
            m.problem(ProblemKind.UNRESOLVED, wrong, item.start, item.end)
        out += ids
    return out


def _choose(m: Memory, item: Item, room: str | None) -> Item:
    """"a cabinet", "another cabinet": one that was not visited yet, if there is a choice."""
    if item.det not in (Det.INDEFINITE, Det.ANOTHER) or item.ordinals or item.counted:
        return item
    found = m.places.candidates(item, room or m.room)
    visited = {a.target for a in m.actions if a.verb is Verb.OPEN}
    fresh = [p for p in found if p not in visited]
    if len(found) > 1 and fresh:
        return replace(item, ordinals=(found.index(fresh[0]) + 1,), det=Det.DEFINITE)
    return item
