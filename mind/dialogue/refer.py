"""What a noun phrase points to: an entity of this home where one can be told, else its class, else a reason why not.

Invariant: a reference is resolved by the words, the scene and the thread of talk only. A pronoun with nothing to point back to, or
a name no class is near to, comes back as a reason, never as a likely candidate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from household import classes
from household.actions import Utterance
from household.classes import Kind
from household.landmarks import Piece, resolved
from household.scene_graph import Entity, SceneGraph
from mind.dialogue.embedding import THRESHOLD
from mind.dialogue.memory import DialogueContext, DialogueMemory, Mentioned, kind_of
from mind.dialogue.words import Clause, Mention

THINGS = (Kind.OBJECT, Kind.DEVICE, Kind.OBSTACLE, Kind.CONTAINER, Kind.SURFACE, Kind.DOOR)
PLACES = (Kind.CONTAINER, Kind.SURFACE, Kind.ROOM)
_LIKELY = 0.9  # that the thing of which one does not know either whether it is the one or the other is meant
_DOUBTFUL = 0.7  # that what may as well bear a name is what is meant by it, if nothing that bears it is known
_IT = frozenset({"it", "that", "this", "them", "they", "those", "these", "this one", "both"})
_ONE = frozenset({"one", "another one", "the other one", "that one", "one of them"})
_HERE = re.compile(r"(?:(?:in|on|over|right|back|up|down|out) )*here")
_THERE = re.compile(r"(?:(?:in|on|over|right|back|up|down|out|to|from|at) )*there")
_HANDS = re.compile(r"(?:in|on|with|by) (?:(my|your|his|her|their) (?:hands?|pocket|bag)|(me|you|him|her|them))")
_BESIDE = re.compile(r"(?:right |just )*(?:next to|beside|near|by|with|behind|around|close to|where|in front of|under|underneath|beneath) ")
_PREPOSITION = re.compile(r"^(?:(?:right|back|over|still|somewhere|out|up|down|just|either) )*(?:on top of|inside of|in front of|next to|inside|into|onto|underneath"
                          r"|in|on|at|to|under|beside|near|behind|by|with|within|around|close to|beneath|from|where|off) ")


class Unresolved(Exception):
    """Why a phrase points to nothing; the text becomes the act's ``reason``."""


@dataclass(frozen=True)
class Found:
    """``id``: entity id, class id or person id. ``certainty``: of this resolution, in [0, 1]. ``cls``: its class (None: a person).
    ``beside``: the thing whose place this is ("next to the mug")."""

    id: str
    certainty: float = 1.0
    cls: str | None = None
    beside: str | None = None


@dataclass(frozen=True)
class Referrer:
    """Resolves the phrases of one utterance; ``memory`` grows clause by clause (a new Referrer each time), and so does ``beside``: thing →
    the thing it is said to be next to."""

    context: DialogueContext
    utterance: Utterance
    memory: DialogueMemory
    listener: str | None
    beside: Mapping[str, str] = field(default_factory=dict)

    @property
    def scene(self) -> SceneGraph:
        return self.context.scene

    @property
    def now(self) -> float:
        return self.utterance.stamp

    def noting(self, identifier: str) -> "Referrer":
        """With ``identifier`` as the latest mention."""
        kind = kind_of(identifier, self.scene)
        if kind is None:
            return self
        mention = Mentioned(identifier, kind, self.now, self.utterance.speaker)
        return replace(self, memory=replace(self.memory, mentions=(*self.memory.mentions, mention)))

    # -- objects

    def objects(self, phrase: str, clause: Clause) -> tuple[Found, ...]:
        """Every thing an object phrase names ("the fork and the spoon"). Raises Unresolved."""
        return tuple(self.object(part.strip(), clause) for part in re.split(r",? and |, ", phrase) if part.strip())

    def object(self, phrase: str, clause: Clause) -> Found:
        if phrase.startswith("@"):
            mention = clause.mentions[int(phrase[1:])]
            if mention.person is not None:
                return Found(mention.person)
            return self._pick(mention, THINGS if mention.kind is not Kind.ROOM else PLACES)
        if phrase in _IT:
            return self._antecedent(phrase)
        if phrase in _ONE:
            return self._another(phrase)
        return self._by_meaning(phrase, frozenset({Kind.OBJECT, Kind.DEVICE, Kind.OBSTACLE}))

    def _antecedent(self, phrase: str) -> Found:
        memory = self.memory
        question = memory.open_question(self.now, self.utterance.speaker)
        found = memory.latest(self.now, Kind.OBJECT) or (question.object if question else None) \
            or memory.latest(self.now, Kind.OBSTACLE, Kind.DEVICE, Kind.DOOR) or memory.latest(self.now, Kind.CONTAINER, Kind.SURFACE)
        if found is None:
            raise Unresolved(f"nothing was mentioned that '{phrase}' could be")
        return Found(found, 0.95, classes.class_of(found))

    def _another(self, phrase: str) -> Found:
        last = self.memory.latest(self.now, Kind.OBJECT) or self.memory.latest(self.now, *THINGS)
        if last is None:
            raise Unresolved(f"nothing was mentioned that '{phrase}' could be one of")
        cls = self.scene.entities[last].cls if last in self.scene.entities else classes.class_of(last)
        if phrase in ("one", "one of them"):
            return Found(cls, 0.9, cls)
        if phrase == "that one":
            return Found(last, 0.95, cls)
        rest = [e.id for e in self._of_class((cls,), None) if e.id != last]
        return Found(rest[0], 0.95, cls) if len(rest) == 1 else Found(cls, 0.7, cls)

    def _by_meaning(self, phrase: str, kinds: frozenset[Kind]) -> Found:
        name = re.sub(r"^(?:the|a|an|my|your|some|his|her|their|our|this|that|any) ", "", phrase)
        known = classes.class_for_word(name)
        if known is not None and known.kind in kinds:
            return self._pick(Mention(phrase, (known.id,)), tuple(kinds))
        hit = self.context.names.nearest(name, kinds) if self.context.names is not None else None
        if hit is None or hit[1] < THRESHOLD:
            near = f"; the nearest thing I know is '{classes.get(hit[0]).spoken}' ({hit[1]:.2f})" if hit else ""
            raise Unresolved(f"I am not sure what '{name}' is{near}")
        found = self._pick(Mention(phrase, (hit[0],), similarity=hit[1]), tuple(kinds))
        return replace(found, certainty=found.certainty * hit[1])

    # -- places

    def place(self, phrase: str, clause: Clause, about: str | None) -> Found:
        """The place a prepositional phrase names; ``about``: the object said to be there. Raises Unresolved."""
        hands = _HANDS.fullmatch(phrase)
        if hands:
            return Found(self._person(hands[1] or hands[2]))
        if _HERE.fullmatch(phrase):
            return self._here(phrase)
        if _THERE.fullmatch(phrase):
            return self._there(phrase)
        beside = _BESIDE.match(phrase) is not None
        noun = phrase
        while _PREPOSITION.match(noun):
            noun = _PREPOSITION.sub("", noun, count=1)
        noun = re.sub(r" (?:is|are)$", "", noun)
        if noun in _IT or noun in _ONE:
            return self._same_place(noun, about)
        if not noun.startswith("@"):
            return self._by_meaning(noun, frozenset(PLACES))
        mention = clause.mentions[int(noun[1:])]
        if mention.person is not None:
            return Found(mention.person, 0.9 if beside else 1.0)
        if mention.kind in PLACES:
            return self._pick(mention, PLACES)
        return self._next_to(mention, about)

    def _person(self, word: str) -> str:
        if word in ("my", "me"):
            return self.utterance.speaker
        if word in ("your", "you") and self.listener:
            return self.listener
        raise Unresolved(f"I do not know who '{word}' is")

    def _here(self, phrase: str) -> Found:
        room = self.scene.room_of(self.utterance.speaker)
        if room is None:
            raise Unresolved(f"I do not know where '{phrase}' is: the speaker's room is not known")
        return Found(room, 0.8, classes.class_of(room))

    def _there(self, phrase: str) -> Found:
        question = self.memory.question
        found = self.memory.latest(self.now, Kind.CONTAINER, Kind.SURFACE) or (question.place if question else None) \
            or self.memory.latest(self.now, Kind.ROOM)
        if found is None:
            raise Unresolved(f"no place was mentioned that '{phrase}' could be")
        return Found(found, 0.9, classes.class_of(found))

    def _same_place(self, noun: str, about: str | None) -> Found:
        if noun in ("the other one", "another one"):
            last = self.memory.latest(self.now, Kind.CONTAINER, Kind.SURFACE)
            cls = (self.scene.entities[last].cls if last in self.scene.entities else classes.class_of(last)) if last else None
            rest = [e.id for e in self._of_class((cls,), None) if e.id != last] if cls else []
            if len(rest) == 1:
                return Found(rest[0], 0.9, cls)
            raise Unresolved(f"I do not know which place '{noun}' is")
        found = self.memory.latest(self.now, Kind.CONTAINER, Kind.SURFACE, skip=about)
        if found is None:
            raise Unresolved(f"'{noun}' points to no place that was mentioned" if about is None else f"'{noun}' points back to the thing itself")
        return Found(found, 0.9, classes.class_of(found))

    def _next_to(self, mention: Mention, about: str | None) -> Found:
        thing = self._pick(mention, THINGS)
        if about is not None and (thing.id == about or thing.cls == about or classes.class_of(about) == thing.id):
            raise Unresolved(f"'{mention.words}' is said to be where it is itself")
        known = [thing.id] if thing.id in self.scene.entities else [e.id for e in self._of_class((thing.id,), None)]
        place = self.scene.place_of(known[0]) if len(known) == 1 else None
        if place is None:
            raise Unresolved(f"I do not know where '{mention.words}' is, so I do not know what is next to it")
        return Found(place, 0.7, classes.class_of(place), thing.id)

    # -- candidates

    def _of_class(self, family: tuple[str, ...], room: str | None, ordinal: int = 0) -> list[Entity]:
        """Entities of these classes; ``room``: only in rooms of that class, ``ordinal``: in which of them (0: any)."""
        entities = [e for e in self.scene.entities.values() if e.cls in family and (room is None or self._in_room(e, room))]
        rooms = sorted((e.id for e in self.scene.entities.values() if e.cls == room), key=lambda i: (classes.number_of(i), i))
        if ordinal and len(rooms) >= abs(ordinal):
            chosen = rooms[ordinal - 1 if ordinal > 0 else -1]
            entities = [e for e in entities if self.scene.room_of(e.id) == chosen]
        return sorted(entities, key=lambda e: (family.index(e.cls), classes.number_of(e.id), e.id))

    def _in_room(self, entity: Entity, room_class: str) -> bool:
        room = self.scene.room_of(entity.id)
        return room is not None and (room == room_class or (room in self.scene.entities and self.scene.entities[room].cls == room_class))

    def _pick(self, mention: Mention, kinds: tuple[Kind, ...]) -> Found:
        if mention.words in self.scene.entities:
            return Found(mention.words, 1.0, self.scene.entities[mention.words].cls)
        family = tuple(c for c in mention.classes if classes.get(c).kind in kinds) or mention.classes
        if mention.or_else:
            return self._either(mention, family)
        here = self._of_class(family, mention.room, mention.room_ordinal)
        if len({e.cls for e in here}) > 1 and not mention.room:
            here = [e for e in here if e.cls == here[0].cls]
        if mention.other:
            last = self.memory.latest(self.now, *kinds)
            here = [e for e in here if e.id != last]
        if mention.nearest and here:
            here = [self._nearest(here, mention)]
        if mention.number:
            numbered = [e for e in here if classes.number_of(e.id) == mention.number]
            if not numbered:
                raise Unresolved(f"I know of no '{mention.words}'")
            here = numbered
        if mention.ordinal and here:
            index = mention.ordinal - 1 if mention.ordinal > 0 else len(here) - 1
            if index >= len(here):
                raise Unresolved(f"there is no '{mention.words}': I know of {len(here)}")
            here = [here[index]]
        if len(here) == 1:
            return Found(here[0].id, 1.0, here[0].cls)
        if not here:
            doubtful = [e for e in self.scene.objects() if set(e.other_names) & set(family) and (mention.room is None or self._in_room(e, mention.room))]
            if len(doubtful) == 1 and not mention.other:
                return Found(doubtful[0].id, _DOUBTFUL, doubtful[0].cls)
            return self._unseen(mention, family)
        salient = self.memory.latest(self.now, here[0].kind)
        if mention.definite and salient in {e.id for e in here}:
            return Found(salient, 0.9, here[0].cls)
        if mention.words.startswith("this ") and self.utterance.speaker in self.scene.entities:
            at = self.scene.entities[self.utterance.speaker].position
            near = min(here, key=lambda e: math.dist(e.position[:2], at[:2]))
            return Found(near.id, 0.7, near.cls)
        return Found(here[0].cls, 1.0 if here[0].kind is Kind.OBJECT else 0.8, here[0].cls)

    def _either(self, mention: Mention, family: tuple[str, ...]) -> Found:
        """The one thing that is called the one and may as well be the other."""
        names = set(family), set(mention.or_else)
        both = [e for e in self.scene.objects() if any(e.cls in a and b & set(e.other_names) for a, b in (names, names[::-1]))]
        if len(both) != 1:
            raise Unresolved(f"I do not know which thing '{mention.words}' or '{' or '.join(mention.or_else)}' is")
        return Found(both[0].id, _LIKELY, both[0].cls)

    def _nearest(self, here: list[Entity], mention: Mention) -> Entity:
        """The one that is nearest, or so many-eth nearest, to the landmark it is told by."""
        pieces = {e.id: Piece(e.cls, e.position, max(e.extents[:2]), self.scene.room_of(e.id)) for e in self.scene.places()}
        marks = [name for name, p in pieces.items() if p.cls in mention.nearest and name not in {e.id for e in here}]
        found = resolved([e.id for e in here], marks, mention.count, pieces)
        if found is None:
            raise Unresolved(f"I do not know which '{mention.words}' that is")
        return self.scene.entities[found]

    def _unseen(self, mention: Mention, family: tuple[str, ...]) -> Found:
        """A class of which nothing has been seen: things may well be out of sight, furniture and rooms of a known home may not."""
        cls = family[0]
        if mention.kind is Kind.ROOM and any(e.kind is Kind.ROOM for e in self.scene.entities.values()) \
                or mention.kind in (Kind.CONTAINER, Kind.SURFACE) and self.scene.places():
            where = f" in the {classes.get(mention.room).spoken}" if mention.room else ""
            raise Unresolved(f"I know of no {classes.get(cls).spoken}{where} in this home")
        if mention.room and cls == "cabinet" and mention.room in ("kitchen", "bathroom"):
            cls = f"{mention.room}cabinet"
        return Found(cls, 1.0, cls)
