"""What somebody is said to think or want: "Mark thinks that the salmon is not inside the microwave", "Mary has been trying to get a plate".

A sentence may hold several statements ("If Mary wants a plate and thinks …"); a denied thinking ("doesn't think there is a plate in the
fridge") is a belief that it is not there, as everyday English has it.
"""

from __future__ import annotations

from dataclasses import replace

from household import classes
from mind.reading.nouns import ANY_CABINET, ANY_TABLE, FAMILIES
from mind.reading.terms import Tag
from mind.reading.phrases import Group, Item, Kind, Piece, pieces
from mind.reading.places import Places
from mind.reading.tokens import Word, sentences
from mind.reading.types import BeliefStatement, GoalStatement, HomeReading, Problem, ProblemKind, Span

Statement = BeliefStatement | GoalStatement


def read_statement(text: str, home: HomeReading, names: tuple[str, ...] = (), room: str | None = None,
                   ) -> tuple[tuple[Statement, ...], tuple[Problem, ...]]:
    """The beliefs and goals that ``text`` ascribes to people, and what could not be read.

    ``names``: people's names. ``room``: where the person is, to tell which of two cabinets "the cabinet" means.
    """
    statements: list[Statement] = []
    problems: list[Problem] = []
    for words in sentences(text, names):
        parts = [p for p in pieces(words) if not (isinstance(p, Word) and p.tag in (Tag.SKIP, Tag.STOP))]
        heads = [k for k, p in enumerate(parts) if isinstance(p, Word) and p.tag in (Tag.THINK, Tag.WANT)]
        for n, k in enumerate(heads):
            end = heads[n + 1] if n + 1 < len(heads) else len(parts)
            person = _person(parts[:k]) or _person(parts[k + 1:k + 2])  # "according to Mark, …"
            denied = any(isinstance(p, Word) and p.tag is Tag.NOT for p in _back_to_clause(parts, k))
            reader = _belief if parts[k].tag is Tag.THINK else _goal
            found = reader(parts[k + 1:end], person, denied, home, room, text, parts[k])
            if isinstance(found, Problem):
                problems.append(found)
            elif found is not None:
                statements.append(found)
    return tuple(statements), tuple(problems)


def _person(before: list[Piece]) -> str | None:
    named = [p.entry.value for p in before if isinstance(p, Word) and p.tag is Tag.PERSON and p.entry.value]
    return named[-1] if named else None


def _back_to_clause(parts: list[Piece], k: int) -> list[Piece]:
    begin = k
    while begin > 0 and k - begin < 5 and not (isinstance(parts[begin - 1], Word) and parts[begin - 1].tag in (Tag.COMMA, Tag.AND, Tag.PERSON)):
        begin -= 1
    return parts[begin:k]


def _goal(parts: list[Piece], person: str | None, denied: bool, home: HomeReading, room: str | None, text: str, head: Word):
    groups = [p for p in parts if isinstance(p, Group)]
    thing = next((g for g in groups if g.kind is Kind.OBJECT), None)
    if thing is None:
        last = parts[-1].end if parts else head.end
        return Problem(ProblemKind.UNKNOWN_WORD, "no thing I know is wanted here", text[head.start:last], Span(head.start, last))
    return GoalStatement(person, thing.items[0].cls, not denied, Span(head.start, thing.end))


def _belief(parts: list[Piece], person: str | None, denied: bool, home: HomeReading, room: str | None, text: str, head: Word):
    groups = [p for p in parts if isinstance(p, Group)]
    thing = next((g for g in groups if g.kind is Kind.OBJECT), None)
    place = next((g for g in groups if g.kind is Kind.PLACE), None) or next((g for g in groups if g.kind is Kind.ROOM), None)
    last = groups[-1].end if groups else (parts[-1].end if parts else head.end)
    span = Span(head.start, last)
    if thing is None or place is None:
        missing = "thing" if thing is None else "place"
        return Problem(ProblemKind.UNREAD, f"no {missing} I know is named in this belief", span.of(text), span)
    cut = parts.index(place) if parts.index(place) > parts.index(thing) else parts.index(thing)
    inner = sum(isinstance(p, Word) and p.tag is Tag.NOT for p in parts[:cut]) + any(i.denied for i in thing.items)
    holds = (int(denied) + inner) % 2 == 0
    if place.kind is Kind.ROOM:
        if place.items[0].cls not in home.rooms:
            return Problem(ProblemKind.UNRESOLVED, f"this home has no {place.items[0].cls}", span.of(text), span)
        return BeliefStatement(person, thing.items[0].cls, place.items[0].cls, holds, span)
    found = next((g.items[0].cls for g in groups if g.kind is Kind.ROOM), None)
    where = resolve_place(place.items[0], home, found or room)
    if isinstance(where, str):
        return BeliefStatement(person, thing.items[0].cls, where, holds, span)
    return Problem(ProblemKind.UNRESOLVED, where[0], Span(place.start, place.end).of(text), Span(place.start, place.end))


def resolve_place(item: Item, home: HomeReading, room: str | None) -> str | tuple[str]:
    """The place id meant, or a one-tuple with what is wrong.

    "The cabinet" is one that is just called so before it is a kitchen or bathroom cabinet; of several rooms' it is the one in ``room``.
    """
    places = Places(dict(home.places))
    plain = replace(item, cls="cabinet") if item.cls == ANY_CABINET and not item.ordinals and item.room is None else item
    ids, wrong = places.resolve(plain, item.room or room)
    if not ids and plain is not item:
        ids, wrong = places.resolve(item, item.room or room)
    if ids:
        return ids[0]
    cls = item.cls if item.cls not in FAMILIES else ("table" if item.cls == ANY_TABLE else "cabinet")
    spoken = classes.get(cls).spoken if cls in classes.CLASSES else str(cls)
    return (f"no {spoken} was described in this home" if "introduced" in wrong else f"{spoken}: {wrong}",)
