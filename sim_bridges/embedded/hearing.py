"""How simulated people understand what is said to them: a plain lexical reading of where-is sentences, enough for home life.

Far simpler than the stack's dialogue and separate from it: a person may misunderstand what the robot phrases badly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from household import classes
from household.classes import Kind
from household.landmarks import COUNTS, Piece, landmark_of, resolved
from sim_bridges.embedded.model import Furniture, Home

_ORDINALS = {w: i for i, w in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"), 1)}
_QUESTION = re.compile(r"\?|\bwhere\b|\bdo you know\b|\bhave you seen\b", re.I)
_NEAREST = re.compile(r"^[a-z ]*? (?:(second|third|fourth) )?nearest (?:to )?the $")
_NOT = re.compile(r"\b(not|no longer|isn't|n't)\b", re.I)
_FROM = re.compile(r"\b(?:from|out of)\b.*?(?=\bto\b|\binto\b|\bonto\b|[.,;!]|$)")
_MOVED = re.compile(r"\b(moved|taken|took|put away|carried)\b", re.I)


class HeardKind(str, Enum):
    AT = "at"  # it is there
    NOT_AT = "not_at"
    MOVED = "moved"  # it was moved, nobody says where to
    QUESTION = "question"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Heard:
    kind: HeardKind
    things: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    mover: str | None = None  # who is said to have moved it, to where exactly is not said


def understand(text: str, home: Home) -> Heard:
    """``"Alice, the apple is in the fridge."`` → AT, ("apple_1",), ("fridge_1",)."""
    plain = re.sub(r"[_]", " ", text.lower())
    words = _mentions(plain)
    things = tuple(t.id for t in home.things for cls, _ in words if t.cls == cls)
    if not things:
        return Heard(HeardKind.NOTHING)
    if _QUESTION.search(plain):
        return Heard(HeardKind.QUESTION, things)
    said, denied = _claims(plain, home)
    mover = _mover(plain, home)
    if said:
        return Heard(HeardKind.AT, things, said, mover if set(said) <= {r.id for r in home.rooms} else None)
    if denied:
        return Heard(HeardKind.NOT_AT, things, denied, mover)
    return Heard(HeardKind.MOVED, things, (), mover) if _MOVED.search(plain) else Heard(HeardKind.NOTHING, things)


def _mover(text: str, home: Home) -> str | None:
    """The person named right before the word of moving."""
    names = "|".join(re.escape(p.id) for p in home.people) or r"(?!)"
    match = re.search(rf"\b({names}) (?:has |have |just |really )*{_MOVED.pattern}", text)
    return match[1] if match else None


def _claims(text: str, home: Home) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(places where it is said to be, places where it is said not to be), clause by clause; "from the table", "out of the kitchen" is a denial."""
    denied = [p for m in _FROM.finditer(text) for p in _places(m[0], _mentions(m[0]), home)]
    said: list[str] = []
    for clause in re.split(r"[,;.!]|\bbut\b|\bnow\b", _FROM.sub(" ", text)):
        (denied if _NOT.search(clause) else said).extend(_places(clause, _mentions(clause), home))
    rooms = {r.id for r in home.rooms}
    pieces = [p for p in said if p not in rooms]
    named = [p for p in said if p in rooms]
    room_of = {f.id: f.room for f in home.furniture}
    narrowed = [p for p in pieces if room_of[p] in named] or pieces or named
    return tuple(dict.fromkeys(narrowed)), tuple(dict.fromkeys(denied))


def _mentions(text: str) -> list[tuple[str, int]]:
    """(class, where in the text) of every class named, longer names first, none inside another."""
    found: list[tuple[str, int]] = []
    taken: list[tuple[int, int]] = []
    names = [(word, row.id) for row in classes.CLASSES.values() for word in (*row.words, row.plural or row.words[0] + "s")]
    for word, class_id in sorted(names, key=lambda n: -len(n[0])):
        for match in re.finditer(rf"\b{re.escape(word)}\b", text):
            if not any(a < match.end() and match.start() < b for a, b in taken):
                taken.append(match.span())
                found.append((class_id, match.start()))
    return sorted(found, key=lambda f: f[1])


def _places(text: str, words: list[tuple[str, int]], home: Home) -> tuple[str, ...]:
    """Places named; a room narrows furniture named with it, an ordinal, a number or what it is nearest to picks one of several."""
    rooms = [r for cls, at in words for r in _of_number(sorted(r.id for r in home.rooms if r.cls == cls), _number(text, at, cls))]
    result: list[str] = []
    told_by: str | None = None
    for k, (cls, at) in enumerate(words):
        if not classes.get(cls).is_place:
            continue
        if told_by == cls:
            told_by = None
            continue
        same = [f.id for f in home.furniture if f.cls == cls]
        near = _NEAREST.match(text[at: words[k + 1][1]]) if k + 1 < len(words) else None
        if near:
            told_by = words[k + 1][0]
            marks = [f.id for f in home.furniture if f.cls == told_by]
            one = resolved(same, marks, 1 + COUNTS.index(f"{near[1]} " if near[1] else ""), pieces_of(home))
            result += [one] if one is not None else same
            continue
        inside = [f.id for f in home.furniture if f.cls == cls and f.room in rooms]
        number = _number(text, at, cls)
        picked = [f for f in same if number is not None and f.endswith(f"_{number}")]
        result += picked or inside or same
    if not result and rooms and not any(classes.get(c).kind is Kind.CONTAINER for c, _ in words):
        result = rooms
    return tuple(dict.fromkeys(result))


def _of_number(rooms: list[str], number: int | None) -> list[str]:
    """The one that an ordinal picks of several alike, or all."""
    return rooms if number is None or number > len(rooms) else [rooms[number - 1]]


def _number(text: str, at: int, cls: str) -> int | None:
    before = re.findall(r"[a-z]+", text[max(0, at - 12): at])
    if before and before[-1] in _ORDINALS:
        return _ORDINALS[before[-1]]
    after = re.match(r"[a-z ]*?\s(?:number )?(\d+)\b", text[at: at + len(cls) + 14])
    return int(after[1]) if after else None


def question_for(thing_class: str) -> str:
    return f"Where is the {classes.get(thing_class).spoken}?"


def answer_for(home: Home, thing: str, place: str) -> str:
    row = {f.id: f for f in home.furniture}.get(place)
    spoken = classes.get(classes.class_of(thing)).spoken
    if row is None:
        return f"I think the {spoken} is in the {place}."
    return f"The {spoken} is {classes.get(row.cls).preposition} the {_called(row, home)}."


def _called(piece: Furniture, home: Home) -> str:
    """What a piece is called so that others know which: by what it is nearest to, else by its number."""
    name, pieces = classes.get(piece.cls).spoken, pieces_of(home)
    if sum(f.cls == piece.cls for f in home.furniture) < 2:
        return name
    near = landmark_of(piece.id, pieces)
    if near is None:
        return f"{name} {piece.id.rpartition('_')[2]}"
    return f"{name} {COUNTS[near[1] - 1]}nearest the {classes.get(pieces[near[0]].cls).spoken}"


def pieces_of(home: Home) -> dict[str, Piece]:
    """The home's furniture as landmarks see it."""
    return {f.id: Piece(f.cls, (*f.position[:2], f.position[2] + f.size[2] / 2), max(f.size[:2]), f.room) for f in home.furniture}
