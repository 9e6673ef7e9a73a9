"""Joining what was read with what was seen.

Statements are scene-graph relations, each from one sense with a confidence. Where two cannot both hold (a plate in the fridge and on the
table; a place in two rooms), the one from the more reliable sense is kept, and the conflict is reported with both sides: nothing is
dropped in silence. Text is trusted over vision unless configured otherwise (BIP-ALM, D.3: "predicates from the video are more likely to
be erroneous"). Invariant: what is kept holds no two relations that exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from household import classes
from household.classes import class_of
from household.scene_graph import Relation, RelationKind
from mind.reading.types import HomeReading, ReadAction


class Sense(str, Enum):
    TEXT = "text"
    VISION = "vision"


@dataclass(frozen=True)
class FusionConfig:
    """Reliability of each sense, in (0, 1]: how often its surest statements are true."""

    text: float = 0.98
    vision: float = 0.85

    def __post_init__(self) -> None:
        for name in ("text", "vision"):
            value = getattr(self, name)
            if not 0 < value <= 1:
                raise ValueError(f"{name} = {value}: a reliability must be in (0, 1]")

    def of(self, sense: Sense) -> float:
        return self.text if sense is Sense.TEXT else self.vision


@dataclass(frozen=True)
class Statement:
    """``relation`` holds (or, ``holds`` False, does not), says ``sense``. ``relation.confidence`` in [0, 1] is the sense's own."""

    relation: Relation
    sense: Sense
    holds: bool = True


@dataclass(frozen=True)
class Conflict:
    """Two statements that cannot both be true, and why the first was kept. ``dropped`` may be None for a doubt about a stream as a whole."""

    kept: str
    dropped: str
    reason: str


@dataclass(frozen=True)
class Fused:
    relations: frozenset[Relation]
    conflicts: tuple[Conflict, ...] = ()


_LOCATION = (RelationKind.INSIDE, RelationKind.ON)


def _said(s: Statement) -> str:
    r = s.relation
    return f"{s.sense.value}: {r.subject} {'' if s.holds else 'not '}{r.kind.value} {r.object}"


def _slot(r: Relation) -> tuple[str, str] | None:
    """What can have only one value: where a thing is, which room something is in, who holds it. None: any number may hold."""
    if r.kind in _LOCATION:
        return r.subject, "at"
    if r.kind is RelationKind.HOLDS:
        return r.object, "at"
    if r.kind is RelationKind.IN_ROOM:
        return r.subject, "room"
    return None


def fuse(statements: Iterable[Statement], config: FusionConfig = FusionConfig()) -> Fused:
    """The relations that survive, confidences joined where senses agree, and every conflict with its outcome.

    Order does not matter: the weight of a statement is its confidence times the reliability of its sense; equal weights go to text.
    """
    ranked = sorted(statements, key=lambda s: (-s.relation.confidence * config.of(s.sense), s.sense is not Sense.TEXT, _said(s)))
    kept: dict[tuple, Statement] = {}
    slots: dict[tuple[str, str], Statement] = {}
    denied: dict[tuple, Statement] = {}
    conflicts: list[Conflict] = []
    for s in ranked:
        r = s.relation
        key = (r.subject, r.kind, r.object)
        if not s.holds:
            if key in kept:
                conflicts.append(Conflict(_said(kept[key]), _said(s), _why(kept[key], s, config)))
            else:
                denied.setdefault(key, s)
            continue
        if key in denied:
            conflicts.append(Conflict(_said(denied[key]), _said(s), _why(denied[key], s, config)))
        elif key in kept:
            kept[key] = _joined(kept[key], s, config)
        else:
            slot = _slot(r)
            other = slots.get(slot) if slot else None
            if other is not None:
                conflicts.append(Conflict(_said(other), _said(s), _why(other, s, config)))
                continue
            kept[key] = s
            if slot:
                slots[slot] = s
    return Fused(frozenset(s.relation for s in kept.values()), tuple(conflicts))


def _why(kept: Statement, dropped: Statement, config: FusionConfig) -> str:
    a, b = (s.relation.confidence * config.of(s.sense) for s in (kept, dropped))
    return f"{kept.sense.value} weighs {a:.2f} against {b:.2f}" if a > b else "equal weight, text is kept before vision and the first before the second"


def _joined(a: Statement, b: Statement, config: FusionConfig) -> Statement:
    """Two senses that agree are surer than either; the same sense twice is not."""
    if a.sense is b.sense:
        return a
    r = a.relation
    doubt = (1 - r.confidence * config.of(a.sense)) * (1 - b.relation.confidence * config.of(b.sense))
    return Statement(Relation(r.subject, r.kind, r.object, 1 - doubt), a.sense)


def statements_of(home: HomeReading) -> tuple[Statement, ...]:
    """What a text says about where things are, as statements. Emptiness is no relation; ask ``home.contents()``."""
    return tuple(Statement(Relation(p.subject, p.kind, p.object), Sense.TEXT, p.holds) for p in home.predicates if p.subject is not None)


def aligned(home: HomeReading, seen: Iterable[Relation]) -> dict[str, str]:
    """Entity id in ``seen`` → id in ``home`` for what is the same thing, as far as class, room and place tell.

    A place matches when its class occurs once in the text, or when numbers agree; an object matches one of its class at the same place
    first, then any of its class that is still unmatched (so that a disagreement about its place shows up as a conflict).
    """
    relations = list(seen)
    out: dict[str, str] = {}
    by_class: dict[str, list[str]] = {}
    for place in home.places:
        by_class.setdefault(class_of(place), []).append(place)
    ids = sorted({e for r in relations for e in (r.subject, r.object)})
    for entity in ids:
        options = by_class.get(class_of(entity), [])
        if entity in options:
            out[entity] = entity
        elif len(options) == 1 and options[0] not in out.values():
            out[entity] = options[0]
        elif entity in home.rooms:
            out[entity] = entity
    located = [(r.subject, out.get(r.object)) for r in relations if r.kind in _LOCATION and r.subject not in out]
    text_at = {p.subject: p.object for p in home.predicates if p.subject and p.kind in _LOCATION and p.holds}
    free = dict(text_at)
    for same_place in (True, False):
        for entity, place in located:
            if entity in out:
                continue
            match = next((o for o, at in free.items() if class_of(o) == class_of(entity) and (at == place or not same_place)), None)
            if match is not None:
                out[entity] = match
                del free[match]
    return out


def joined(home: HomeReading, seen: Iterable[Relation], config: FusionConfig = FusionConfig()) -> Fused:
    """A home that was read and a scene graph that was seen, in the ids of the text where they speak of the same thing."""
    relations = list(seen)
    names = aligned(home, relations)
    vision = [Statement(Relation(names.get(r.subject, r.subject), r.kind, names.get(r.object, r.object), r.confidence), Sense.VISION)
              for r in relations]
    return fuse([*statements_of(home), *vision], config)


# --- the proximity stream: per step, what was within a metre of the person


def proximity(steps: Sequence[Sequence[str]], home: HomeReading) -> tuple[frozenset[str], ...]:
    """Class names per step → place ids of the home (all of that class) and object class ids; unknown names are left out."""
    by_class: dict[str, list[str]] = {}
    for place in home.places:
        by_class.setdefault(class_of(place), []).append(place)
    memo: dict[str, tuple[str, ...]] = {}
    out = []
    for names in steps:
        here: set[str] = set()
        for name in names:
            if name not in memo:
                row = classes.CLASSES.get(name) or classes.class_for_word(name)
                memo[name] = () if row is None else tuple(by_class.get(row.id, ())) if row.is_place else (row.id,)
            here.update(memo[name])
        out.append(frozenset(here))
    return tuple(out)


def at_last(stream: Sequence[frozenset[str]], actions: Sequence[ReadAction], home: HomeReading,
            ) -> tuple[Mapping[int, tuple[str, ...]], tuple[Conflict, ...]]:
    """What the person is close to while the last act goes on, and where the text and the video disagree about it.

    The stream must end where the text ends. The text is kept when the video shows only places of another room.
    """
    if not stream or not actions:
        return {}, ()
    last = actions[-1]
    near = stream[-1]
    rooms = {home.places[p] for p in near if p in home.places}
    told = home.places.get(last.target or "", last.target if last.target in home.rooms else None)
    walking = last.target in home.rooms
    before = next((home.places.get(a.target or "") for a in reversed(actions[:-1]) if a.target in home.places), None)
    if rooms and told and told not in rooms and not walking and before not in rooms:
        conflict = Conflict(f"text: {last} in the {told}", f"vision: close to {', '.join(sorted(near & home.places.keys()))}",
                            "the text is the more reliable sense")
        return {}, (conflict,)
    return {len(actions) - 1: tuple(sorted(near))}, ()
