"""Parts of speech and meanings: what a word or fixed phrase can be to the reader."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Tag(str, Enum):
    """Part of speech and meaning of a word or fixed phrase."""

    ROOM = "room"
    PLACE = "place"
    OBJECT = "object"
    NOTHING = "nothing"  # nothing, no items
    PERSON = "person"
    DEFINITE = "definite"
    INDEFINITE = "indefinite"
    ANOTHER = "another"
    NUMBER = "number"
    ORDINAL = "ordinal"
    ONE_OF = "one_of"
    OTHER_ONE = "other_one"  # "other"
    EVERY = "every"  # all, each of, both of
    MEASURE = "measure"  # piece of, pair of
    PRONOUN = "pronoun"  # it, them, each one, both
    HERE = "here"  # there (as a place), inside, on it
    WHICH = "which"
    AND = "and"
    BUT = "but"  # while, whereas: a new clause
    COMMA = "comma"
    STOP = "stop"
    WITH = "with"
    WITHOUT = "without"
    PREP = "prep"  # in, on: where a thing is
    TOWARDS = "towards"  # to, towards, into
    FROM = "from"
    PAST = "past"
    EXIST = "exist"  # there is, you will find
    BE = "be"
    EMPTY = "empty"
    NOT = "not"
    EACH = "each"
    RESPECTIVELY = "respectively"
    EXCEPT = "except"
    AS = "as"
    LEFT = "left"  # from left to right
    RIGHT = "right"  # from the right
    SKIP = "skip"  # adverbs
    BEFORE = "before"
    AFTER = "after"
    ABOUT = "about"  # about to, preparing to
    FOLLOWED = "followed"  # followed by
    REPEAT = "repeat"
    STEP = "step"  # his next stop
    VERB = "verb"
    THINK = "think"
    WANT = "want"
    WORD = "word"  # anything else


class Act(str, Enum):
    MOVE = "move"
    OPEN = "open"
    CLOSE = "close"
    PICK = "pick"
    PUT = "put"
    LEAVE = "leave"
    PASS = "pass"
    LOOK = "look"
    HANDLE = "handle"  # interacts with, turns his attention to
    ON = "switch on"
    OFF = "switch off"


class Form(str, Enum):
    FINITE = "finite"
    GERUND = "gerund"
    PARTICIPLE = "participle"


@dataclass(frozen=True)
class Entry:
    """One meaning. ``value``: class id, number, Act… ``plural``; ``form`` for verbs."""

    tag: Tag
    value: object = None
    plural: bool = False
    form: Form | None = None
