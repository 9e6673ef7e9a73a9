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


_SPECIAL = {Tag.REPEAT: Special.REPEAT, Tag.FOLLOWED: Special.FOLLOWED}
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


def clause(parts: list[Piece]) -> Clause:
    """The verb phrases of one sentence."""
    reader = _Reader(in_time(parts))
    for k, piece in enumerate(reader.parts):
        reader.group(piece) if isinstance(piece, Group) else reader.word(k, piece)
    return reader.out


@dataclass
class _Reader:
    """Reads one sentence from left to right; the flags wait for the verb they belong to."""

    parts: list[Piece]
    out: Clause = field(default_factory=Clause)
    current: VerbPhrase | None = None
    prep: Tag | None = None
    actor: str | None = None
    about: bool = False
    denied: bool = False
    which: bool = False
    relative: bool = False
    hindsight: bool = False
    be: bool = False
    since: list[Tag] = field(default_factory=list)  # what stood between the last verb and here

    def begin(self, word: Word, act: Act | Special, form: Form | None = None, weak: bool = False) -> None:
        v = VerbPhrase(act, word.start, word.end, form, weak, self.about, self.denied, self.which, past=self.hindsight, actor=self.actor)
        v.passive = self.be and form is Form.PARTICIPLE
        v.adjacent = bool(self.since) and all(t in (Tag.AND, Tag.COMMA, Tag.SKIP) for t in self.since)
        self.about = self.denied = self.which = self.be = self.relative = False
        self.prep, self.since = None, []
        self.out.verbs.append(v)
        self.current = v

    def group(self, group: Group) -> None:
        """A noun phrase belongs to the verb before it; before any verb it is the subject (or, after "to", where somebody goes)."""
        self.since.append(Tag.WORD)
        if self.current is not None:
            self.current.targets.append((self.prep, group))
            self.current.end = group.end
        elif self.prep is Tag.TOWARDS and self.out.person and group.kind is not Kind.OBJECT:
            self.current = VerbPhrase(Act.MOVE, group.start, group.end, Form.FINITE, actor=self.actor, targets=[(self.prep, group)])
            self.out.verbs.append(self.current)
        else:
            self.out.subject.append((self.prep, group, self.actor))
        self.prep = None

    def word(self, k: int, w: Word) -> None:
        after = self.parts[k + 1] if k + 1 < len(self.parts) else None
        if w.tag is Tag.VERB:
            self.begin(w, w.entry.value, w.entry.form, w.entry.plural)
        elif w.tag in _SPECIAL:
            self.begin(w, _SPECIAL[w.tag])
        elif w.tag is Tag.STEP or (w.tag is Tag.WORD and _unknown_move(self.parts, k)):
            self.begin(w, Act.MOVE)
        elif w.tag is Tag.ABOUT and w.low == "going to" and isinstance(after, Group):
            self.begin(w, Act.MOVE, Form.GERUND)
            self.prep = Tag.TOWARDS
        else:
            self.since.append(w.tag)
            self.flag(w)

    def flag(self, w: Word) -> None:
        """Words that say how, where or by whom."""
        tag, v = w.tag, self.current
        self.about |= tag is Tag.ABOUT
        self.denied |= tag in (Tag.NOT, Tag.WITHOUT)
        self.which |= tag is Tag.WHICH
        self.relative = (self.relative or self.which or w.low == "that") and tag is not Tag.COMMA
        self.be |= tag is Tag.BE
        relative = self.relative or self.since[-3:-1] == [Tag.WORD, Tag.PERSON]
        self.denied |= w.low == "had" and relative  # "the fridge (that) he had opened" tells nothing new
        self.hindsight |= tag is Tag.AFTER
        if tag in (Tag.PREP, Tag.TOWARDS, Tag.FROM, Tag.WITH):
            self.prep = tag
        elif tag is Tag.PAST:
            standing = self.be and v is None  # "is in the kitchen, next to the stove"
            self.prep = Tag.PAST if w.low in _PASSING else Tag.PREP if standing else Tag.TOWARDS
        elif tag is Tag.COMMA:
            self.hindsight &= v is None
            self.prep = None if self.prep is Tag.FROM else self.prep
        elif tag is Tag.PERSON:
            self.out.person = True
            self.actor = w.entry.value or self.actor
        elif v is not None and tag is Tag.EACH:
            v.each = True
        elif v is not None and not v.targets and (tag is Tag.PRONOUN or (tag is Tag.HERE and w.low != "there")):
            v.pronoun = w.low if tag is Tag.PRONOUN else "it"
            v.each |= w.low in ALL_OF
            v.end = w.end if tag is Tag.PRONOUN else v.end


def _unknown_move(parts: list[Piece], k: int) -> bool:
    """"moseys towards the fridge": an unknown word where a verb must be, then "to" or "towards", then a place, is a way of walking."""
    before = parts[k - 1] if k else None
    free = before is None or (isinstance(before, Word) and before.tag in (Tag.AND, Tag.COMMA, Tag.PERSON, Tag.BEFORE, Tag.AFTER, Tag.BE))
    if not free or k + 2 >= len(parts):
        return False
    prep, place = parts[k + 1], parts[k + 2]
    return isinstance(prep, Word) and prep.tag is Tag.TOWARDS and isinstance(place, Group) and place.kind in (Kind.PLACE, Kind.ROOM)
