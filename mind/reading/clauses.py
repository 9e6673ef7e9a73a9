"""A sentence about somebody's doings → verb phrases in the order in which the acts happen.

"Before heading to the kitchen, she closes the fridge" and "she closes the fridge after opening it" are put into the order of time here,
so that the interpreter reads on strictly from left to right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from mind.reading.terms import Act, Form, Tag
from mind.reading.phrases import Group, Kind, Piece
from mind.reading.tokens import Word


class Special(str, Enum):
    REPEAT = "repeat"
    FOLLOWED = "followed"


_PASSING = ("past", "through", "around", "round", "across", "beyond", "along", "about", "throughout", "behind")
ALL_OF = ("them", "each", "both", "each one", "each of them", "both of them", "ones", "each of these", "every one", "all of them",
          "each one of them")


@dataclass(eq=False)
class VerbPhrase:
    """One verb with what follows it up to the next verb. ``targets``: (the preposition's tag or None, the group)."""

    act: Act | Special
    start: int
    end: int
    form: Form | None = None
    weak: bool = False
    about: bool = False
    denied: bool = False
    which: bool = False
    each: bool = False
    past: bool = False  # told in hindsight: "after opening it"
    passive: bool = False
    pronoun: str | None = None
    adjacent: bool = False  # only "and"/"then" between it and the verb before
    actor: str | None = None
    targets: list[tuple[Tag | None, Group]] = field(default_factory=list)

    def groups(self, *kinds: Kind) -> list[Group]:
        return [g for _, g in self.targets if g.kind in kinds]


@dataclass
class Clause:
    """``subject``: groups named before the first verb, with their preposition and whom they are said of ("In the bathroom, …"; "The fridge
    is opened")."""

    subject: list[tuple[Tag | None, Group, str | None]] = field(default_factory=list)
    verbs: list[VerbPhrase] = field(default_factory=list)
    person: bool = False


def in_time(parts: list[Piece]) -> list[Piece]:
    """Reorder fronted "before …," and trailing "after …" clauses into the order in which things happen."""
    if not parts:
        return parts
    tag = parts[0].tag if isinstance(parts[0], Word) else None
    if tag is Tag.BEFORE:
        comma = next((k for k, p in enumerate(parts) if isinstance(p, Word) and p.tag is Tag.COMMA), None)
        if comma is not None and any(isinstance(p, Word) and p.tag in (Tag.VERB, Tag.ABOUT) for p in parts[:comma]):
            return parts[comma + 1:] + parts[:comma]
    for k in range(1, len(parts) - 1):
        p, q = parts[k], parts[k + 1]
        if isinstance(p, Word) and p.tag is Tag.AFTER and isinstance(q, Word) and q.tag is Tag.VERB and q.entry.form is not Form.FINITE:
            end = next((j for j in range(k + 1, len(parts)) if isinstance(parts[j], Word) and parts[j].tag is Tag.COMMA), len(parts))
            begin = _clause_start(parts, k)
            return parts[:begin] + parts[k:end] + parts[begin:k] + parts[end:]
    return parts


def _clause_start(parts: list[Piece], k: int) -> int:
    """Where the last finite clause before ``k`` begins."""
    for j in range(k - 1, -1, -1):
        p = parts[j]
        if isinstance(p, Word) and p.tag is Tag.VERB:
            return j
    return 0


def clause(parts: list[Piece], names: tuple[str, ...] = ()) -> Clause:
    """The verb phrases of one sentence."""
    out = Clause()
    current: VerbPhrase | None = None
    prep: Tag | None = None
    about = denied = which = hindsight = be = False
    actor: str | None = None
    since: list[Tag] = []

    def begin(word: Word, act, form=None, weak=False) -> VerbPhrase:
        nonlocal about, denied, which, be, prep, since
        v = VerbPhrase(act, word.start, word.end, form, weak, about, denied, which, past=hindsight, actor=actor)
        v.passive = be and form is Form.PARTICIPLE
        v.adjacent = bool(since) and all(t in (Tag.AND, Tag.COMMA, Tag.SKIP) for t in since)
        about = denied = which = be = False
        prep, since = None, []
        out.verbs.append(v)
        return v

    ordered = in_time(parts)
    for k, piece in enumerate(ordered):
        if isinstance(piece, Group):
            since.append(Tag.WORD)
            if current is None:
                if prep is Tag.TOWARDS and out.person and piece.kind is not Kind.OBJECT:
                    current = VerbPhrase(Act.MOVE, piece.start, piece.end, Form.FINITE, actor=actor)
                    out.verbs.append(current)
                    current.targets.append((prep, piece))
                else:
                    out.subject.append((prep, piece, actor))
            else:
                current.targets.append((prep, piece))
                current.end = piece.end
            prep = None
            continue
        tag = piece.tag
        if tag is Tag.VERB:
            current = begin(piece, piece.entry.value, piece.entry.form, piece.entry.plural)
        elif tag is Tag.REPEAT:
            current = begin(piece, Special.REPEAT)
        elif tag is Tag.FOLLOWED:
            current = begin(piece, Special.FOLLOWED)
        elif tag is Tag.STEP or (tag is Tag.WORD and _unknown_move(ordered, k)):
            current = begin(piece, Act.MOVE, weak=False)
        else:
            since.append(tag)
            if tag is Tag.ABOUT and piece.low == "going to" and k + 1 < len(ordered) and isinstance(ordered[k + 1], Group):
                current, prep = begin(piece, Act.MOVE, Form.GERUND), Tag.TOWARDS
            elif tag is Tag.ABOUT:
                about = True
            elif tag in (Tag.NOT, Tag.WITHOUT):
                denied = True
            elif tag is Tag.WHICH:
                which = True
            elif tag is Tag.BE:
                be = True
            elif tag in (Tag.PREP, Tag.TOWARDS, Tag.FROM, Tag.WITH):
                prep = tag
            elif tag is Tag.PAST:
                prep = Tag.PAST if piece.low in _PASSING else Tag.TOWARDS
            elif tag is Tag.AFTER:
                hindsight = True
            elif tag is Tag.COMMA:
                if hindsight and current is not None:
                    hindsight = False
                prep = None if prep is Tag.FROM else prep
            elif tag is Tag.PRONOUN and current is not None and not current.targets:
                current.pronoun = piece.low
                current.each |= piece.low in ALL_OF
                current.end = piece.end
            elif tag is Tag.HERE and current is not None and not current.targets and piece.low != "there":
                current.pronoun = "it"
            elif tag is Tag.EACH and current is not None:
                current.each = True
            elif tag is Tag.PERSON:
                out.person = True
                if piece.entry.value:
                    actor = piece.entry.value
    return out


def _unknown_move(parts: list[Piece], k: int) -> bool:
    """"moseys towards the fridge": an unknown word where a verb must be, then "to" or "towards", then a place, is a way of walking."""
    before = parts[k - 1] if k else None
    free = before is None or (isinstance(before, Word) and before.tag in (Tag.AND, Tag.COMMA, Tag.PERSON, Tag.BEFORE, Tag.AFTER, Tag.BE))
    if not free or k + 2 >= len(parts):
        return False
    prep, place = parts[k + 1], parts[k + 2]
    return isinstance(prep, Word) and prep.tag is Tag.TOWARDS and isinstance(place, Group) and place.kind in (Kind.PLACE, Kind.ROOM)
