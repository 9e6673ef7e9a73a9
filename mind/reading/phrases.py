"""Tagged words to noun phrases and coordinated groups: "the first, third and sixth cabinets", "two apples and a plate".

Everything that is not a noun phrase stays a word. Invariant: the pieces come back in text order and cover the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from mind.reading.closed_words import LAST
from mind.reading.terms import Tag
from mind.reading.tokens import Word


class Kind(str, Enum):
    ROOM = "room"
    PLACE = "place"
    OBJECT = "object"
    NOTHING = "nothing"


class Det(str, Enum):
    NONE = "none"
    INDEFINITE = "indefinite"
    DEFINITE = "definite"
    ANOTHER = "another"
    ONE_OF = "one_of"
    OTHER = "other"
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Item:
    """One noun phrase. ``cls`` None: headless ("the third", "the other one"). ``ordinals``: from the left unless ``from_right``."""

    kind: Kind
    cls: str | None
    start: int
    end: int
    det: Det = Det.NONE
    count: int = 1
    counted: bool = False  # a number was said
    ordinals: tuple[int, ...] = ()
    from_right: bool = False
    room: str | None = None
    plural: bool = False
    empty: bool = False  # "an empty cabinet"
    denied: bool = False  # "no apple"


@dataclass(frozen=True, slots=True)
class Group:
    """Coordinated noun phrases of one kind. ``breaks[i]``: the separator before item i+1 held a comma / an "and" ("", ",", "and", ",and")."""

    kind: Kind
    items: tuple[Item, ...]
    breaks: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


Piece = Word | Group
_BEGINS = frozenset((Tag.ROOM, Tag.PLACE, Tag.OBJECT, Tag.NOTHING, Tag.DEFINITE, Tag.INDEFINITE, Tag.ANOTHER, Tag.NUMBER, Tag.ORDINAL, Tag.ONE_OF,
                     Tag.OTHER_ONE, Tag.EVERY, Tag.PRONOUN, Tag.NOT, Tag.MEASURE))  # what a noun phrase can begin with
_UP_TO = ("to", "through", "thru", "up to")
_NOUN = {Tag.ROOM: Kind.ROOM, Tag.PLACE: Kind.PLACE, Tag.OBJECT: Kind.OBJECT}


@dataclass
class _Draft:
    det: Det = Det.NONE
    count: int = 1
    counted: bool = False
    ordinals: list[int] = field(default_factory=list)
    room: str | None = None
    empty: bool = False
    denied: bool = False
    from_right: bool = False
    adjectives: int = 0


def strip_sides(words: list[Word]) -> tuple[list[Word], bool]:
    """Without "from left to right" (and the commas around it); whether the text counts from the right."""
    out: list[Word] = []
    from_right = False
    i = 0
    while i < len(words):
        w = words[i]
        if w.tag in (Tag.LEFT, Tag.RIGHT):
            from_right |= w.tag is Tag.RIGHT and "left to right" not in w.low
            enclosed = out and out[-1].tag is Tag.COMMA and i + 1 < len(words) and words[i + 1].tag is Tag.COMMA
            if enclosed:
                out.pop()
                i += 1
            i += 1
            continue
        out.append(w)
        i += 1
    return out, from_right


def pieces(words: list[Word]) -> list[Piece]:
    """Words and coordinated groups, in order."""
    words, from_right = strip_sides(words)
    singles: list[Piece | Item] = []
    i = 0
    while i < len(words):
        found = _item(words, i, from_right)
        if found is None:
            singles.append(words[i])
            i += 1
        else:
            singles.append(found[0])
            i = found[1]
    return _coordinate(singles)


def _ordinals(words: list[Word], i: int) -> tuple[list[int], int]:
    """"first, third and sixth", "fourth to eighth" → numbers; the index after them."""
    out = [words[i].entry.value]
    i += 1
    while i < len(words):
        j = i
        while j < len(words) and words[j].tag in (Tag.COMMA, Tag.AND) and j - i < 2:
            j += 1
        if j == i and words[i].low in _UP_TO:
            k = i + 1 + (i + 1 < len(words) and words[i + 1].tag is Tag.DEFINITE)
            if k < len(words) and words[k].tag is Tag.ORDINAL:
                out += range(out[-1] + 1, words[k].entry.value + 1)
                i = k + 1
                continue
            break
        k = j + (j < len(words) and words[j].tag is Tag.DEFINITE)
        if j > i and k < len(words) and words[k].tag is Tag.ORDINAL and not _new_clause(words, j, k):
            out.append(words[k].entry.value)
            i = k + 1
            continue
        break
    return out, i


def _new_clause(words: list[Word], j: int, k: int) -> bool:
    """Whether "the second" after a comma starts its own phrase: "the first holds …, the second an apple" (never inside a bare list)."""
    after = words[k + 1] if k + 1 < len(words) else None
    if words[j].tag is not Tag.DEFINITE or after is None:
        return False
    return after.tag in (Tag.INDEFINITE, Tag.NUMBER, Tag.BE, Tag.ANOTHER)


def _item(words: list[Word], i: int, from_right: bool) -> tuple[Item, int] | None:
    """The noun phrase that starts at ``i`` and the index after it, or None."""
    if words[i].low == "number" and i + 1 < len(words) and words[i + 1].tag is Tag.NUMBER:  # "the same for number six"
        return Item(Kind.PLACE, None, words[i].start, words[i + 1].end, Det.DEFINITE, ordinals=(words[i + 1].entry.value,)), i + 2
    if words[i].tag not in _BEGINS:
        return None
    if words[i].tag is Tag.NOTHING:
        return Item(Kind.NOTHING, None, words[i].start, words[i].end), i + 1
    d, j = _Draft(from_right=from_right), i
    while j < len(words):
        w = words[j]
        if w.tag is Tag.ROOM and _modifies(words, j):
            d.room = w.entry.value
            j += 1 + (j + 1 < len(words) and words[j + 1].low == "'s")
        elif w.tag in _NOUN:
            return _with_noun(d, words, i, j)
        elif w.tag is Tag.ORDINAL and not (d.det is Det.NONE and j > i):
            d.ordinals, j = _ordinals(words, j)
        elif w.tag is Tag.NUMBER and w.low == "one" and j > i and (d.det in (Det.DEFINITE, Det.OTHER) or d.ordinals):
            return None if _noun_follows(words, j + 1) else _headless(d, words, i, j + 1)  # "the other one"
        elif w.low == "one" and d.det is Det.ANOTHER and not _noun_follows(words, j + 1):
            return _finish(d, Kind.OBJECT, None, words[i], w, False), j + 1  # "another one": of the things named last
        elif _qualifies(d, words, i, j):
            j += 1
        else:
            break
    return _headless(d, words, i, j)


def _with_noun(d: _Draft, words: list[Word], i: int, j: int) -> tuple[Item, int]:
    """The phrase ends with the noun at ``j``, or with a number after it ("cabinet 3", "cabinet number three")."""
    w, end, n = words[j], j + 1, len(words)
    if end + 1 < n and words[end].low in ("number", "no") and words[end + 1].tag is Tag.NUMBER:
        d.ordinals.append(words[end + 1].entry.value)
        end += 2
    elif w.tag is Tag.PLACE and end < n and words[end].low.isdigit() and not d.ordinals and d.det is Det.NONE and not w.entry.plural:
        d.ordinals.append(words[end].entry.value)
        end += 1
    elif w.tag is Tag.PLACE and end < n and words[end].tag is Tag.NUMBER and d.det in (Det.NONE, Det.DEFINITE) and w.entry.plural and not d.ordinals \
            and not d.counted:
        d.ordinals, end = _numbers(words, end)  # "cabinets one, two and five"
    return _finish(d, _NOUN[w.tag], w.entry.value, words[i], words[end - 1], w.entry.plural), end


def _numbers(words: list[Word], j: int) -> tuple[list[int], int]:
    """"one, two and five", "one through four"; the index after them."""
    out = [words[j].entry.value]
    while True:
        k = j + 1
        if k + 1 < len(words) and words[k].low in _UP_TO and words[k + 1].tag is Tag.NUMBER and words[k + 1].entry.value > out[-1]:
            out += range(out[-1] + 1, words[k + 1].entry.value + 1)
            j = k + 1
            continue
        while k < len(words) and words[k].tag in (Tag.COMMA, Tag.AND):
            k += 1
        ends_list = k + 1 >= len(words) or words[k + 1].tag not in _NOUN
        if k == j + 1 or k >= len(words) or words[k].tag is not Tag.NUMBER or not ends_list:
            return out, j + 1
        out.append(words[k].entry.value)
        j = k


_STARTS = {Tag.INDEFINITE: Det.INDEFINITE, Tag.ANOTHER: Det.ANOTHER, Tag.ONE_OF: Det.ONE_OF, Tag.EVERY: Det.EVERY}


def _qualifies(d: _Draft, words: list[Word], i: int, j: int) -> bool:
    """Whether the word at ``j`` belongs before the noun; what it says goes into the draft."""
    w, tag = words[j], words[j].tag
    if tag in _STARTS:
        d.det = _STARTS[tag] if j == i else d.det
        return j == i
    if tag is Tag.DEFINITE:
        d.det = Det.DEFINITE if d.det is Det.NONE else d.det
        return j == i or d.det is Det.EVERY
    if tag is Tag.OTHER_ONE:
        d.det = Det.OTHER
        return True
    if tag is Tag.NUMBER:
        return _counts(d, words, j)
    if tag is Tag.PRONOUN:
        both = j == i and w.low in ("each", "both", "every one") and _noun_follows(words, j + 1)
        if both and (words[j + 1].tag in _NOUN or words[j + 1].tag is Tag.NUMBER):
            d.det = Det.EVERY
        return both
    if tag is Tag.NOT:
        d.denied, d.det = d.denied or (j == i and w.low == "no"), Det.INDEFINITE if j == i and w.low == "no" else d.det
        return j == i and w.low == "no"
    if tag is Tag.MEASURE:
        d.count, d.counted = (2, True) if w.low.startswith(("pair", "couple")) else (d.count, d.counted)
        return True
    if tag is Tag.EMPTY and d.det is not Det.NONE:
        d.empty = True
        return True
    if tag in (Tag.WORD, Tag.SKIP) and (d.det is not Det.NONE or d.ordinals) and d.adjectives < 2 and _noun_near(words, j + 1):
        d.adjectives += 1
        return True
    return False


def _counts(d: _Draft, words: list[Word], j: int) -> bool:
    """"two apples"; "the first three cabinets" are three ordinals."""
    number = words[j].entry.value
    if d.ordinals in ([1], [LAST]) and number > 1 and (_noun_follows(words, j + 1) or (j + 1 < len(words) and words[j + 1].tag not in _NOUN)):
        d.ordinals = list(range(1, number + 1)) if d.ordinals == [1] else list(range(-number, 0))
        return True
    if d.ordinals:
        return False
    d.count, d.counted = number, True
    d.det = Det.INDEFINITE if d.det is Det.NONE else d.det
    return True


def _modifies(words: list[Word], j: int) -> bool:
    """Whether the room at ``j`` only says whose place follows: "living room sofa", "kitchen's third cabinet"."""
    k = j + 1
    if k < len(words) and words[k].low == "'s":
        k += 1
    if k < len(words) and words[k].tag is Tag.ORDINAL:
        return any(w.tag is Tag.PLACE for w in words[k:k + 8])
    return k < len(words) and words[k].tag is Tag.PLACE


def _noun_follows(words: list[Word], j: int) -> bool:
    while j < len(words) and words[j].tag in (Tag.DEFINITE, Tag.INDEFINITE, Tag.ORDINAL, Tag.NUMBER, Tag.OTHER_ONE, Tag.COMMA, Tag.AND):
        if words[j].tag is Tag.COMMA:
            return False
        j += 1
    return j < len(words) and words[j].tag in _NOUN


def _noun_near(words: list[Word], j: int) -> bool:
    return any(w.tag in _NOUN for w in words[j:j + 1]) or (j + 1 < len(words) and words[j].tag in (Tag.WORD, Tag.SKIP, Tag.ORDINAL, Tag.OTHER_ONE)
                                                            and words[j + 1].tag in _NOUN)


def _headless(d: _Draft, words: list[Word], i: int, j: int) -> tuple[Item, int] | None:
    """"the third", "the other one", "one of them": a noun phrase whose noun was said before; or nothing at all."""
    said_the = any(w.tag is Tag.DEFINITE for w in words[i:j])
    if d.ordinals and (said_the or j - i > 1):
        return _finish(d, Kind.PLACE, None, words[i], words[j - 1], len(d.ordinals) > 1), j
    if d.det is Det.OTHER and said_the:
        return _finish(d, Kind.PLACE, None, words[i], words[j - 1], False), j
    if d.counted and d.count == 1 and d.det is Det.INDEFINITE and j - i == 1 and words[i].low == "one":
        d.det, d.counted = Det.ONE_OF, False
        of_things = i > 0 and words[i - 1].tag is Tag.EXIST and j < len(words) and words[j].tag is Tag.PREP  # "…, and there is one on the desk"
        return _finish(d, Kind.OBJECT if of_things else Kind.PLACE, None, words[i], words[j - 1], False), j
    return None


def _finish(d: _Draft, kind: Kind, cls: str | None, first: Word, last: Word, plural: bool) -> Item:
    return Item(kind, cls, first.start, last.end, d.det, d.count, d.counted, tuple(d.ordinals), d.from_right, d.room, plural, d.empty, d.denied)


def _coordinate(singles: list[Piece | Item]) -> list[Piece]:
    """Neighbouring noun phrases of one kind, joined by commas and "and", become one group."""
    out: list[Piece] = []
    i = 0
    while i < len(singles):
        x = singles[i]
        if not isinstance(x, Item):
            out.append(x)
            i += 1
            continue
        items, breaks, j = [x], [], i + 1
        apart = bool(out) and isinstance(out[-1], Word) and out[-1].low == "of"  # "Of the cupboards, the first …"
        while j < len(singles) and not apart:
            k = j
            while k < len(singles) and isinstance(singles[k], Word) and (singles[k].tag in (Tag.COMMA, Tag.AND)
                                                                         or (k > j and singles[k].tag is Tag.SKIP)):
                k += 1
            if k == j or k - j > 3 or k >= len(singles) or not isinstance(singles[k], Item) or singles[k].kind is not x.kind:
                break
            tags = [w.tag for w in singles[j:k]]
            breaks.append(("," if Tag.COMMA in tags else "") + ("and" if Tag.AND in tags else ""))
            items.append(singles[k])
            j = k + 1
        out.append(Group(x.kind, tuple(_inherit(items)), tuple(breaks), items[0].start, items[-1].end))
        i = j
    return out


def _inherit(items: list[Item]) -> list[Item]:
    """"the third cabinet and the fourth": a headless phrase takes the noun of its neighbour in the list."""
    out = list(items)
    for k, item in enumerate(out):
        if item.cls is None and item.ordinals:
            donor = next((o for o in (*out[k + 1:], *reversed(out[:k])) if o.cls is not None and o.ordinals), None)
            if donor is not None:
                out[k] = replace(item, cls=donor.cls, room=item.room or donor.room)
    return out
