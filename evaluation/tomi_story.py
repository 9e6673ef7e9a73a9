"""Stories of people, rooms, boxes and things, told sentence by sentence, as occurrences that people witnessed together.

The conventions are those of the nested-belief story formats: people in a room see everything that happens in it; whoever enters a room
sees the things there; a claim moves a hearer who trusts its speaker, that is, who left the thing's room earlier than the speaker did.
Everything about belief is :mod:`mind.nested`; this file only says who was where.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household.scene_graph import ELSEWHERE
from mind.nested import CommonGround, Happening, Occurrence, believed, told, witnessed

NEVER = 10**9  # when somebody left a room they never left


class StoryError(ValueError):
    """A sentence or question that cannot be read; the message quotes it."""


def name_of(words: str) -> str:
    """One spelling for a name: "front yard" and "front_yard" are the same room."""
    return re.sub(r"[\s_]+", "_", re.sub(r"^(?:the|a|an)\s+", "", words.strip().lower()))


@dataclass
class Story:
    """The world of a story and everybody's common ground; ``ground`` is what beliefs are read from."""

    room: dict[str, str] = field(default_factory=dict)  # person → room
    people: list[str] = field(default_factory=list)
    box_room: dict[str, str] = field(default_factory=dict)  # where a sentence says so; else the room of whoever uses the box
    at: dict[str, str] = field(default_factory=dict)  # thing → box
    first: dict[str, str] = field(default_factory=dict)
    thing_room: dict[str, str] = field(default_factory=dict)
    boxes: list[str] = field(default_factory=list)
    left: dict[tuple[str, str], int] = field(default_factory=dict)  # (person, room) → sentence number of the last exit
    ground: CommonGround = CommonGround()
    sentence: int = 0
    here: str | None = None  # the room of the latest entrance

    def together(self, room: str | None) -> dict[str, float]:
        return {p: 1.0 for p in self.people if self.room.get(p) == room and room is not None}

    def _see(self, thing: str, who: Mapping[str, float]) -> None:
        if who:
            self.ground = witnessed(self.ground, thing, Occurrence(float(self.sentence), Happening.SEEN, self.at[thing], who))

    def enter(self, who: Sequence[str], room: str) -> None:
        for person in who:
            if person not in self.people:
                self.people.append(person)
            self.room[person] = room
            self.left.pop((person, room), None)
        self.here = room
        for thing in self.at:
            if self.thing_room.get(thing) == room:
                self._see(thing, self.together(room))

    def exit(self, who: Sequence[str], room: str) -> None:
        for person in who:
            if person not in self.people:
                self.people.append(person)
            self.room.pop(person, None)
            self.left[person, room] = self.sentence

    def put(self, thing: str, box: str, by: str | None = None) -> None:
        """``thing`` is (``by`` None) or was put in ``box``."""
        if by is not None and by not in self.people:
            self.people.append(by)
        room = self.box_room.get(box) or (self.room.get(by) if by else None) or self.here
        if box not in self.boxes:
            self.boxes.append(box)
        self.at[thing] = box
        self.first.setdefault(thing, box)
        if room is not None:
            self.thing_room[thing] = room
        self._see(thing, {**self.together(room), **({by: 1.0} if by else {})})

    def claim(self, speaker: str, thing: str, box: str, to: str | None) -> None:
        """``speaker`` says that ``thing`` is in ``box``, to one person or (``to`` None) for everybody to hear."""
        room = self.thing_room.get(thing)
        hearers = [to] if to else [p for p in self.people if p != speaker]
        for person in (speaker, *hearers):
            if person not in self.people:
                self.people.append(person)
        if box not in self.boxes:
            self.boxes.append(box)

        def when_left(person: str) -> int:
            return self.left.get((person, room), NEVER)

        trust = {h: float(when_left(h) < when_left(speaker)) for h in hearers}
        self.ground = told(self.ground, thing, box, float(self.sentence), speaker, hearers, trust)

    def thinks(self, chain: Sequence[str], thing: str) -> dict[str, float]:
        """Place → probability for the chain; the world itself for an empty chain.

        A chain with no common knowledge of the thing is told as its first member would: by what that person knows, as those do who
        have no reason to think the other knows less; and by where the thing was at the beginning when that is nothing either.
        """
        if thing not in self.at:
            raise StoryError(f"the story says nothing about '{thing}'")
        if not chain:
            return {self.at[thing]: 1.0}
        unknown = next((p for p in chain if p not in self.people), None)
        if unknown is not None:
            raise StoryError(f"'{unknown}' is not in the story")
        for part in (chain, chain[:1]):
            belief = believed(self.ground, part, thing)
            if belief.get(ELSEWHERE, 0.0) < 0.5:
                return belief
        return {self.first[thing]: 1.0}


_N = r"[A-Za-z][\w'-]*(?: [a-z][\w'-]*)*?"  # the name of a room, box or thing
_P = r"[A-Za-z][\w'-]*"
_PEOPLE = rf"{_P}(?:(?:, and |, | and ){_P})*"
_SENTENCES = tuple((kind, re.compile(pattern)) for kind, pattern in (
    ("nothing", r"(?:The )?[Pp]hone rang"),
    ("nothing", rf"{_P} made no movements?.*"),
    ("nothing", rf"(?P<p>{_P}) (?:really |absolutely )?(?:loves?|hates?|likes?|dislikes?|adores?|enjoys?|prefers?|detests?|wants?|needs?|saw|lost|found|heard|thought about|thinks about|bought|wore|wears) .*"),
    ("enter", rf"(?P<who>{_PEOPLE}) (?:re-?)?(?:entered|enters|came into|went into|walked into|returned to|came back to) (?:the )?(?P<room>{_N})(?: again| together)?"),
    ("exit", rf"(?P<who>{_PEOPLE}) (?:exited|exits|left|leaves|walked out of|went out of) (?:the )?(?P<room>{_N})(?: again| together)?"),
    ("move", rf"(?P<p>{_P}) (?:moved|moves|put|puts|placed|transferred) (?:the )?(?P<thing>{_N}) (?:in|into|to|onto|on) (?:the )?(?P<box>{_N})"),
    ("public", rf"(?P<p>{_P}) publicly (?:claimed|claims|said|announced) that (?:the )?(?P<thing>{_N}) (?:is|was) (?:in|on) (?:the )?(?P<box>{_N})(?: now)?"),
    ("private", rf"(?P<p>{_P}) privately (?:told|tells|said to) (?P<to>{_P}) that (?:the )?(?P<thing>{_N}) (?:is|was) (?:in|on) (?:the )?(?P<box>{_N})(?: now)?"),
    ("is", rf"(?:The |the |A |An )?(?P<thing>{_N}) (?:is|are|was|were) (?:in|on|inside) (?:the |a |an )?(?P<box>{_N})"),
))


def sentences_of(text: str | Sequence[str]) -> list[str]:
    """The story's sentences without their numbers."""
    lines = text.splitlines() if isinstance(text, str) else list(text)
    out = []
    for line in lines:
        line = re.sub(r"^\s*\d+[.:)]?\s+", "", str(line)).strip()
        if line:
            out += [s for s in re.split(r"(?<=[a-z0-9])\. +(?=[A-Z])", line) if s.strip()]
    return [s.strip().rstrip(".!").strip() for s in out]


def _match(sentence: str) -> tuple[str, re.Match[str]]:
    for kind, pattern in _SENTENCES:
        match = pattern.fullmatch(sentence)
        if match:
            return kind, match
    raise StoryError(f"cannot read '{sentence[:120]}'")


def _names(words: str) -> list[str]:
    return [name_of(w) for w in re.split(r", and |, | and ", words)]


def read_story(text: str | Sequence[str]) -> Story:
    """Play the story through. Raises StoryError with the sentence that could not be read."""
    read = _read(sentences_of(text))
    rooms, people = _rooms_and_people(read)
    story = Story()
    for kind, m in read:  # a box's room is often told after the thing is put there
        if kind == "is" and name_of(m["box"]) in rooms:
            story.box_room[name_of(m["thing"])] = name_of(m["box"])
    for number, (kind, m) in enumerate(read):
        story.sentence = number
        if kind == "enter":
            story.enter(_names(m["who"]), name_of(m["room"]))
        elif kind == "exit":
            story.exit(_names(m["who"]), name_of(m["room"]))
        elif kind == "move":
            story.put(name_of(m["thing"]), name_of(m["box"]), by=name_of(m["p"]))
        elif kind == "is":
            _is(story, name_of(m["thing"]), name_of(m["box"]), rooms, people)
        elif kind in ("public", "private"):
            story.claim(name_of(m["p"]), name_of(m["thing"]), name_of(m["box"]), name_of(m["to"]) if kind == "private" else None)
    return story


def _read(sentences: Sequence[str]) -> list[tuple[str, re.Match[str]]]:
    """Every sentence that tells of something; one that fits no form and names no thing, box or room of the story tells of nothing."""
    read, unread = [], []
    for sentence in sentences:
        try:
            read.append(_match(sentence))
        except StoryError as why:
            unread.append((sentence, why))
    names = {name_of(m[g]) for _, m in read for g in ("thing", "box", "room") if g in m.re.groupindex and m[g]}
    for sentence, why in unread:
        words = name_of(sentence)
        if not names or any(re.search(rf"(?:^|_){re.escape(n)}(?:_|$)", words) for n in names):
            raise why
    return read


def _rooms_and_people(read: Sequence[tuple[str, re.Match[str]]]) -> tuple[set[str], set[str]]:
    """What is a room (somebody goes there, or a box stands there) and who is a person, from the whole story."""
    rooms = {name_of(m["room"]) for kind, m in read if kind in ("enter", "exit")}
    people = {p for kind, m in read if kind in ("enter", "exit") for p in _names(m["who"])} | \
        {name_of(m[g]) for kind, m in read for g in ("p", "to") if g in m.re.groupindex and m[g]}
    boxes = {name_of(m["box"]) for kind, m in read if kind in ("move", "public", "private", "is")} - rooms
    stands = {name_of(m["box"]) for kind, m in read if kind == "is" and name_of(m["thing"]) in (boxes | people)}
    return rooms | stands, people


def _is(story: Story, thing: str, box: str, rooms: set[str], people: set[str]) -> None:
    """"The X is in the Y": a person in a room, a box in a room, or a thing in a box."""
    if box not in rooms:
        story.put(thing, box)
    elif thing in people:
        story.enter([thing], box)
    elif thing in story.boxes or thing not in story.at:
        story.box_room[thing] = box
        if thing not in story.boxes:
            story.boxes.append(thing)
