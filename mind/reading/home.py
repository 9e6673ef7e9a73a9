"""A description of a home → rooms, places, what is where, and what the text left unclear.

Method: a sentence becomes an alternation of places and things; what stands between two neighbours says whether they belong together
("the stove *holds* a plate", "a plate *is in* the stove", "in the stove *there is* a plate", "the third a plate"). The verb itself
hardly matters, so unknown verbs read as well as known ones. Invariant: every noun phrase is used or reported.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from household import classes
from household.scene_graph import RelationKind
from mind.reading import links
from mind.reading.terms import Tag
from mind.reading.phrases import Det, Group, Item, Kind, pieces
from mind.reading.places import Places
from mind.reading.tokens import Word, sentences
from mind.reading.types import HomeReading, Predicate, Problem, ProblemKind, Span

LONGEST_TEXT = 200_000  # characters; more is refused with a reason
_QUIET = (Tag.COMMA, Tag.AND, Tag.BUT, Tag.SKIP, Tag.STOP)


@dataclass
class _Told:
    """One statement about a place: things (class → count) or emptiness."""

    place: str
    things: tuple[tuple[str, int], ...]
    span: Span
    denied: bool = False
    excepted: bool = False  # empty but for exceptions that the same sentence names


@dataclass
class _State:
    text: str
    room: str | None = None
    rooms: list[str] = field(default_factory=list)
    places: Places = field(default_factory=Places)
    told: list[_Told] = field(default_factory=list)
    placed: dict[str, Span] = field(default_factory=dict)
    last_thing: str | None = None  # "another one"
    problems: list[Problem] = field(default_factory=list)

    def problem(self, kind: ProblemKind, reason: str, start: int, end: int) -> None:
        self.problems.append(Problem(kind, reason, self.text[start:end], Span(start, end)))


def read_home(text: str) -> HomeReading:
    """Rooms, places and contents as ``text`` (English, any order of sentences within a room) says them. Never raises on content."""
    if len(text) > LONGEST_TEXT:
        reason = f"a text of {len(text)} characters; at most {LONGEST_TEXT} are read"
        return HomeReading(problems=(Problem(ProblemKind.TOO_LONG, reason, text[:80], Span(0, len(text))),))
    state = _State(text)
    for words in sentences(text):
        _read_sentence(state, words)
    if not state.places.order:
        state.problem(ProblemKind.EMPTY, "the text describes no place where things could be", 0, min(len(text), 200))
    return _result(state)


def _read_sentence(state: _State, words: list[Word]) -> None:
    start, end = words[0].start, words[-1].end
    parts = [p for p in pieces(words) if not (isinstance(p, Word) and p.tag is Tag.SKIP)]
    if not any(isinstance(p, Group) for p in parts):
        referring = any(w.tag in (Tag.PRONOUN, Tag.HERE) for w in words) and any(w.tag is Tag.EMPTY for w in words)
        if referring and state.places.recent:
            for place in state.places.recent[-1:]:
                state.told.append(_Told(place, (), Span(start, end)))
        elif any(w.tag not in _QUIET for w in words):
            state.problem(ProblemKind.UNREAD, "no room, place or thing I know is named", start, end)
        return
    sequence = _topics(state, links.sequence(parts, words))
    links.connect(sequence)
    _pronoun_places(state, sequence)
    before = len(state.told)
    used = _apply(state, sequence, Span(start, end))
    if any(w.tag is Tag.EXCEPT for w in words):
        for told in state.told[before:]:
            told.excepted = not told.things
    for node in sequence.nodes:
        if id(node) not in used:
            _report_unused(state, node)
    _unknown_nouns(state, words)


def _topics(state: _State, sequence: links.Sequence) -> links.Sequence:
    """Take the rooms out of the sequence: each is what follows speaks about, or says where the place before it stands."""
    kept: list[links.Node] = []
    gaps: list[list[Word]] = [list(sequence.gaps[0])]
    topic = state.room
    for k, node in enumerate(sequence.nodes):
        after = sequence.gaps[k + 1]
        if node.group.kind is not Kind.ROOM:
            kept.append(replace_room(node, topic))
            gaps.append(list(after))
            topic = next((i.room for i in reversed(node.group.items) if i.room), topic)  # "the living room's desk …, and the sofa …"
            continue
        names = [i.cls for i in node.group.items]
        for name in names:
            if name not in state.rooms:
                state.rooms.append(name)
        before = sequence.gaps[k]
        tags = [w.tag for w in before]
        of_place = kept and kept[-1].group.kind is Kind.PLACE and Tag.PREP in tags and Tag.AND not in tags and Tag.BUT not in tags
        if of_place and (Tag.COMMA not in tags or len(tags) > 2):
            kept[-1] = replace_room(kept[-1], names[0], force=True)
            gaps[-1] = [w for w in before if w.tag is not Tag.PREP] + list(after) if after else []
            if all(i.det is not Det.DEFINITE for i in kept[-1].group.items):
                gaps[-1] = list(after)
                topic = names[0]
            continue
        topic = names[-1]
        kept_gap = [w for w in before if w.tag in (Tag.COMMA, Tag.AND, Tag.BUT, Tag.EMPTY)]
        gaps[-1] = kept_gap + [Word("room", node.group.start, node.group.end, links.TOPIC)] + list(after)
    state.room = topic
    return links.Sequence(kept, gaps)


def replace_room(node: links.Node, room: str | None, force: bool = False) -> links.Node:
    return links.Node(node.group, room if force or node.room is None else node.room, node.pronoun)


def _pronoun_places(state: _State, sequence: links.Sequence) -> None:
    """"It holds a plate", "A mug is stored there": a thing whose place is a pronoun belongs to the place last spoken of."""
    for k, node in enumerate(sequence.nodes):
        if node.group.kind not in (Kind.OBJECT, Kind.NOTHING) or node.links:
            continue
        before, after = sequence.gaps[k], sequence.gaps[k + 1]
        dangling = bool(after) and after[-1].tag is Tag.PREP and k == len(sequence.nodes) - 1  # "there is nothing inside"
        if dangling or any(w.tag in (Tag.PRONOUN, Tag.HERE, Tag.WHICH) for w in (*before, *after)):
            previous = next((m for m in reversed(sequence.nodes[:k]) if m.group.kind is Kind.PLACE), None)
            node.links.append(links.Link(previous, negated=any(w.tag is Tag.NOT for w in before), last_only=True))


def _apply(state: _State, sequence: links.Sequence, span: Span) -> set[int]:
    """Introduce and resolve places, then record what is where. Returns the ids of the nodes that said something."""
    used: set[int] = set()
    meant: dict[int, list[list[str]]] = {}
    for k, node in enumerate(sequence.nodes):
        if node.group.kind is Kind.PLACE:
            named = {p for groups in meant.values() for ids in groups for p in ids}
            meant[id(node)] = _places_of(state, node, named, located=links.fronted(sequence, k))
            if node.introduces or node.linked or (sequence.gaps[k] and sequence.gaps[k][-1].low == "of"):
                used.add(id(node))
            empties = links.emptiness(sequence, k)
            if empties is not None:
                ids = meant[id(node)][-1:] if empties.last_only else meant[id(node)]
                state.told += [_Told(p, (), span, denied=empties.denied) for group in ids for p in group]
                used.add(id(node))
        for link in node.links:
            used.add(id(node))
            if link.place is not None:
                used.add(id(link.place))
    for node in sequence.nodes:
        for link in node.links:
            _record(state, node, link, meant, span)
        if node.group.kind is Kind.OBJECT and not node.links and node.room and any(i.det is not Det.DEFINITE for i in node.group.items) \
                and node.on_floor:
            state.told.append(_Told(node.room, _things(node.group.items), span))
            used.add(id(node))
    return used


def _places_of(state: _State, node: links.Node, named: set[str], located: bool) -> list[list[str]]:
    """For each noun phrase of the group, the places it introduces or means."""
    out: list[list[str]] = []
    items = node.group.items
    room = node.room
    for item in items:
        indefinite = item.det in (Det.INDEFINITE, Det.ANOTHER) or (item.det is Det.NONE and (len(items) > 1 or item.plural) and not located)
        fresh = indefinite and item.cls is not None and not item.ordinals
        one = item.counted and item.count == 1
        here = located and state.places.of(item.cls, item.room or room)
        if fresh and not node.listed and (here or (one and state.places.candidates(item, room))):
            fresh = False
            if one:
                item = replace(item, det=Det.ONE_OF)
        if fresh:
            ids = state.places.introduce(item, room)
            node.introduces = True
            if item.empty:
                state.told += [_Told(p, (), Span(item.start, item.end)) for p in ids]
        else:
            ids, wrong = state.places.resolve(item, room)
            if item.det is Det.OTHER and len(state.places.candidates(item, room)) > 2:  # "the remaining cabinets": those not spoken of yet
                told = {t.place for t in state.told} | named
                ids = [p for p in state.places.candidates(item, room) if p not in told] or ids
            if not ids and item.cls is not None and not item.ordinals:
                ids = state.places.introduce(replace(item, count=max(1, item.count)), room)
                node.introduces = True
            elif wrong:
                state.problem(ProblemKind.UNRESOLVED, wrong, item.start, item.end)
        for place in ids:
            state.placed.setdefault(place, Span(item.start, item.end))
        out.append(ids)
    state.places.spoken([p for ids in out for p in ids][-1:] if len(out) > 1 else [p for ids in out for p in ids])
    return out


def _things(items: tuple[Item, ...]) -> tuple[tuple[str, int], ...]:
    return tuple((i.cls, i.count) for i in items if i.kind is Kind.OBJECT and i.count and i.cls)


def _record(state: _State, node: links.Node, link: links.Link, meant: dict[int, list[list[str]]], span: Span) -> None:
    if link.place is None:
        groups = [state.places.recent[-1:]]
    else:
        groups = meant.get(id(link.place), [])
    if link.last_only:
        groups = groups[-1:]
    ids = [p for group in groups for p in group]
    items = tuple(replace(i, cls=state.last_thing) if i.kind is Kind.OBJECT and i.cls is None else i for i in link.items(node))
    state.last_thing = next((i.cls for i in reversed(items) if i.cls), state.last_thing)
    if not ids:
        state.problem(ProblemKind.UNPLACED, "it is not clear where this is", node.group.start, node.group.end)
        return
    if link.respectively:
        if len(items) == len(ids):
            state.told += [_Told(p, _things((i,)), span) for p, i in zip(ids, items)]
        else:
            state.problem(ProblemKind.CONTRADICTION, f"“respectively” joins {len(ids)} places to {len(items)} things", span.start, span.end)
        return
    vague = link.place is not None and len(groups) == 1 and len(ids) > 1 and not link.place.group.items[0].ordinals
    if vague and link.place.group.items[0].det is Det.DEFINITE and not link.each:
        state.problem(ProblemKind.UNPLACED, f"it is not said which of {len(ids)} places; the first is taken", node.group.start, node.group.end)
        ids = ids[:1]
    negated = link.negated or any(i.denied for i in items)
    nothing = all(i.kind is Kind.NOTHING for i in items)
    for place in ids:
        state.told.append(_Told(place, () if nothing else _things(items), span, denied=negated and not nothing))


def _report_unused(state: _State, node: links.Node) -> None:
    if node.group.kind is Kind.PLACE:
        state.problem(ProblemKind.UNREAD, "nothing is said about this place here", node.group.start, node.group.end)
    else:
        state.problem(ProblemKind.UNPLACED, "it is not said where this is", node.group.start, node.group.end)


def _unknown_nouns(state: _State, words: list[Word]) -> None:
    """A word I do not know where a noun must be: after "a", "two", … and before the end of its phrase."""
    closes = (Tag.COMMA, Tag.AND, Tag.BUT, Tag.PREP, Tag.BE, Tag.STOP, Tag.WITH, Tag.HERE, Tag.WHICH)
    for k, w in enumerate(words):
        if w.tag is Tag.WORD and k and words[k - 1].tag in (Tag.INDEFINITE, Tag.NUMBER, Tag.ANOTHER):
            if k + 1 == len(words) or words[k + 1].tag in closes:
                state.problem(ProblemKind.UNKNOWN_WORD, f"I know no such thing as “{w.low}”", words[k - 1].start, w.end)


def _result(state: _State) -> HomeReading:
    told_things = {t.place for t in state.told if t.things and not t.denied}
    predicates = [Predicate(p, RelationKind.IN_ROOM, room, state.placed.get(p, Span(0, 0))) for p, room in state.places.order.items()]
    counts: Counter = Counter()
    for t in state.told:
        cls = classes.class_of(t.place)
        kind = RelationKind.INSIDE if cls in classes.CLASSES and classes.get(cls).opens else RelationKind.ON
        if cls in classes.CLASSES and classes.get(cls).kind is classes.Kind.ROOM:
            kind = RelationKind.IN_ROOM
        if t.denied:
            predicates += [Predicate(c, kind, t.place, t.span, holds=False) for c, _ in t.things]
        elif not t.things:
            if t.place in told_things and t.excepted:
                continue
            if t.place in told_things:
                state.problem(ProblemKind.CONTRADICTION, f"{t.place} is called empty and given contents; the contents are kept", t.span.start, t.span.end)
            else:
                predicates.append(Predicate(None, kind, t.place, t.span))
        for c, n in t.things if not t.denied else ():
            for _ in range(min(n, 50)):
                counts[c] += 1
                predicates.append(Predicate(f"{c}_{counts[c]}", kind, t.place, t.span))
    rooms = tuple(dict.fromkeys((*state.rooms, *state.places.order.values())))
    return HomeReading(rooms, dict(state.places.order), tuple(predicates), tuple(state.problems))
