"""A description of what somebody does, in a home already read → symbolic actions in order.

Method: verb phrases are interpreted from left to right with a memory of where the person is, what "it" is, and what was last done, so
that "she does the same with the third and sixth" and "approaches A, B and C, opening and closing each" come out as the acts they are.
Invariant: a verb that could not be turned into an act is reported; nothing is dropped in silence.
"""

from __future__ import annotations

from dataclasses import replace

from household import classes
from household.actions import Verb
from mind.reading.clauses import Clause, Special, VerbPhrase, clause
from mind.reading.home import LONGEST_TEXT
from mind.reading.terms import Act, Entry, Form, Tag
from mind.reading.memory import Memory, resolve
from mind.reading.phrases import Group, Kind, pieces
from mind.reading.places import Places
from mind.reading.tokens import Word, sentences
from mind.reading.types import ConductReading, HomeReading, Problem, ProblemKind, ReadAction, Span

_VERB = {Act.OPEN: Verb.OPEN, Act.CLOSE: Verb.CLOSE, Act.PICK: Verb.PICK, Act.LOOK: Verb.LOOKAT, Act.ON: Verb.SWITCHON, Act.OFF: Verb.SWITCHOFF}


def read_conduct(text: str, home: HomeReading, actor: str) -> ConductReading:
    """The acts of ``actor`` told by ``text``; what others do is passed over. Never raises on content; places are those of ``home``."""
    if len(text) > LONGEST_TEXT:
        reason = f"a text of {len(text)} characters; at most {LONGEST_TEXT} are read"
        return ConductReading(actor, problems=(Problem(ProblemKind.TOO_LONG, reason, text[:80], Span(0, len(text))),))
    m = Memory(text, actor, home, Places(dict(home.places)), subject=actor)
    for words in sentences(text, (actor,)):
        _sentence(m, _with_names(words))
    return ConductReading(actor, m.start_room, tuple(_tidied(m.actions)), tuple(m.problems))


def _with_names(words: list[Word]) -> list[Word]:
    """A capitalised word I do not know, where somebody who does something must be named, is a name."""
    return [w._replace(entry=Entry(Tag.PERSON, w.low)) if w.capital and w.tag is Tag.WORD and k + 1 < len(words) and _is_doing(words[k + 1])
            else w for k, w in enumerate(words)]


def _is_doing(w: Word) -> bool:
    """A verb, what stands before one, or an unknown word that looks like one ("pulls", "yanked")."""
    known = w.tag in (Tag.VERB, Tag.BE, Tag.SKIP, Tag.ABOUT, Tag.NOT, Tag.REPEAT)
    return known or (w.tag is Tag.WORD and not w.capital and w.low.endswith(("s", "ed")))


def _sentence(m: Memory, words: list[Word]) -> None:
    named = [w.entry.value for w in words if w.tag is Tag.PERSON and w.entry.value]
    if named and m.actor not in named or (not named and m.subject != m.actor and any(w.tag is Tag.PERSON for w in words)):
        m.subject = named[-1] if named else m.subject
        return  # about somebody else
    parts = [p for p in pieces(words) if not (isinstance(p, Word) and p.tag is Tag.SKIP)]
    c = clause(parts)
    verbs = [v for v in c.verbs if not v.denied and (v.actor or m.actor) == m.actor]
    m.subject = named[-1] if named else m.subject
    before = len(m.actions), m.start_room
    _situate(m, c, verbs)
    subject = next((g for t, g, _ in c.subject if g.kind is Kind.PLACE and t in (None, Tag.TOWARDS, Tag.WITH, Tag.PREP)), None)
    if subject is not None and verbs and not verbs[0].passive:
        m.focus = resolve(m, subject, None) or m.focus  # "He tries the microwave: opens it, …"
    k = 0
    while k < len(verbs):
        k = _interpret(m, verbs, k, subject)
    if (len(m.actions), m.start_room) == before and not c.verbs and (c.subject or not c.person):
        if any(w.tag not in (Tag.SKIP, Tag.COMMA, Tag.PERSON, Tag.AND, Tag.STOP) for w in words):
            m.problem(ProblemKind.UNREAD, "no act I know is told", words[0].start, words[-1].end)
    elif not c.verbs and not c.subject:
        m.problem(ProblemKind.UNREAD, "no act I know is told", words[0].start, words[-1].end)


def _situate(m: Memory, c: Clause, verbs: list[VerbPhrase]) -> None:
    """"Emily is in the kitchen" (the start), "In the bathroom, she …" (where the following happens)."""
    for tag, group, who in c.subject:
        if group.kind is not Kind.ROOM or tag not in (Tag.PREP, Tag.FROM, Tag.PAST) or (who or m.actor) != m.actor:
            continue
        room = group.items[0].cls
        if m.room is None:
            m.start_room = m.room = room
        elif room != m.room and tag is Tag.PREP and not m.home.places:
            m.room = room
        elif room != m.room and tag is Tag.PREP:
            m.room = room
            m.emit(Verb.WALKTOWARDS, room, VerbPhrase(Act.MOVE, group.start, group.end))


def _interpret(m: Memory, verbs: list[VerbPhrase], k: int, subject: Group | None) -> int:
    """Interpret verb ``k`` (with its partner where "opens and closes" belong together); returns the next index."""
    v = verbs[k]
    follower = verbs[k + 1] if k + 1 < len(verbs) else None
    if v.act is Special.REPEAT:
        _repeat(m, v, follower, verbs[k + 2] if k + 2 < len(verbs) else None)
    elif v.act is Special.FOLLOWED:
        _followed(m, v, follower)
    elif v.act in (Act.MOVE, Act.HANDLE):
        _move(m, v, follower)
    elif v.act is Act.OPEN:
        return k + _open(m, v, follower, subject)
    elif v.act is Act.CLOSE:
        _act(m, (Act.CLOSE,), _objects(m, v, subject), v)
    elif v.act is Act.LEAVE:
        _leave(m, v)
    elif v.act is Act.PASS:  # "walks past the fridge to the stove"
        _move(m, replace(v, act=Act.MOVE, targets=[t for t in v.targets if t[0] is Tag.TOWARDS]), None)
    elif v.act is Act.PICK:
        _pick(m, v)
    elif v.act is Act.PUT:
        _put(m, v)
    elif v.act is Act.LOOK:
        for place in _objects(m, v, None, quiet=True):
            m.emit(Verb.LOOKAT, place, v)
    elif v.act in (Act.ON, Act.OFF):
        for g in v.groups(Kind.OBJECT, Kind.PLACE):
            m.emit(_VERB[v.act], g.items[0].cls, v)
    return k + 1


def _move(m: Memory, v: VerbPhrase, follower: VerbPhrase | None) -> None:
    if v.weak and not any(t in (Tag.TOWARDS, Tag.PREP, Tag.FROM, Tag.PAST) for t, _ in v.targets):
        return
    reached: list[str] = []
    walks: list[int] = []
    for j, (tag, group) in enumerate(v.targets):
        if group.kind is Kind.ROOM:
            _move_room(m, v, tag, group, bool(reached))
        elif group.kind is Kind.PLACE and tag not in (Tag.PAST, Tag.FROM):
            following = v.targets[j + 1] if j + 1 < len(v.targets) else (None, None)
            room = following[1].items[0].cls if following[0] is Tag.PREP and following[1].kind is Kind.ROOM else None
            for place in resolve(m, group, room):
                m.room = m.places.order.get(place, m.room)
                m.emit(Verb.WALKTOWARDS, place, v)
                walks.append(len(m.actions) - 1)
                reached.append(place)
        elif group.kind is Kind.OBJECT and tag in (Tag.TOWARDS, None):
            for item in group.items:
                m.emit(Verb.WALKTOWARDS, item.cls, v)
                m.held = item.cls
    if reached or any(g.kind is Kind.PLACE and t not in (Tag.PAST, Tag.FROM) for t, g in v.targets):  # a place not known is no "it"
        m.focus = reached
        m.walked = walks if len(reached) > 1 else []


def _move_room(m: Memory, v: VerbPhrase, tag: Tag | None, group: Group, after_place: bool) -> None:
    for item in group.items:
        room = item.cls
        if tag is Tag.FROM or (tag is Tag.PAST):
            if m.start_room is None and len(m.actions) <= 1:
                m.start_room = room
                m.room = m.room or room
            continue
        if m.room is None and tag is Tag.PREP:
            m.start_room = m.room = room
            continue
        if tag is Tag.PREP and (room == m.room or after_place):
            continue
        if room == m.room and m.actions and m.actions[-1].target == room:
            continue
        m.room = room
        m.emit(Verb.WALKTOWARDS, room, v)


def _leave(m: Memory, v: VerbPhrase) -> None:
    for tag, group in v.targets:
        if group.kind is not Kind.ROOM:
            continue
        if tag is Tag.TOWARDS:
            _move_room(m, v, tag, group, False)
        else:
            if m.room is None:
                m.start_room = m.room = group.items[0].cls
            m.emit(Verb.LEAVE, group.items[0].cls, v)


def _objects(m: Memory, v: VerbPhrase, subject: Group | None, quiet: bool = False) -> list[str]:
    """The places a verb acts on: named, or what "it", "each", "which" or nothing at all refer to."""
    room = next((g.items[0].cls for t, g in v.targets if g.kind is Kind.ROOM and t is Tag.PREP), None)
    named = [p for t, g in v.targets if g.kind is Kind.PLACE and t not in (Tag.FROM, Tag.PAST) for p in resolve(m, g, room)]
    if named:
        m.focus, m.walked = named, []
        return named
    if any(g.kind is Kind.PLACE for _, g in v.targets):
        return []
    if v.passive and subject is not None:
        found = resolve(m, subject, None)
        m.focus = found
        return found
    if not m.focus:
        if not quiet:
            m.problem(ProblemKind.UNRESOLVED, "it is not clear what this acts on", v.start, v.end)
        return []
    several = v.each or (v.pronoun is None and v.form is Form.GERUND) or (v.which and v.pronoun is None)
    return list(m.focus) if several or v.pronoun in ("them", "both") else m.focus[-1:]


def _open(m: Memory, v: VerbPhrase, follower: VerbPhrase | None, subject: Group | None) -> int:
    """Opening, together with the closing that belongs to it. Returns how many verbs were used."""
    close = follower if follower and follower.act is Act.CLOSE and follower.about == v.about and not follower.which else None
    own = bool(v.groups(Kind.PLACE)) or v.pronoun is not None
    if close and close.groups(Kind.PLACE):
        if v.past and not v.groups(Kind.PLACE):
            own = False  # "closes the fridge after opening it"
        elif own or not close.adjacent:
            close = None
    elif close and not own and close.pronoun:
        v.pronoun, v.each = close.pronoun, close.each
    if close and close.groups(Kind.PLACE) and not own:
        ids = _objects(m, close, subject)
    else:
        if close:
            v.each |= close.each and (close.pronoun is not None or not own)
        ids = _objects(m, v, subject)
    if v.past and close and _just_done(m, ids):
        return 2
    _act(m, (Act.OPEN, Act.CLOSE) if close else (Act.OPEN,), ids, v, close)
    return 2 if close else 1


def _just_done(m: Memory, ids: list[str]) -> bool:
    """Whether "after opening and closing it" only repeats what was just told."""
    done = [(a.verb, a.target) for a in m.actions[-2 * len(ids):]]
    return bool(ids) and done == [(verb, p) for p in ids for verb in (Verb.OPEN, Verb.CLOSE)]


def _act(m: Memory, acts: tuple[Act, ...], ids: list[str], v: VerbPhrase, then: VerbPhrase | None = None) -> None:
    """Do ``acts`` at each place in turn; walks to several places told in advance are put in between. ``then``: where the last is told."""
    interleave = len(ids) > 1 and [m.actions[i].target for i in m.walked if i < len(m.actions)] == ids and m.walked[-1] == len(m.actions) - 1
    walks = []
    if interleave:
        walks = [m.actions[i] for i in m.walked]
        del m.actions[m.walked[0]:]
    m.walked = []
    for k, place in enumerate(ids):
        if interleave:
            m.actions.append(walks[k])
        m.room = m.places.order.get(place, m.room)
        for act in acts:
            if v.past and m.actions and (m.actions[-1].verb, m.actions[-1].target) == (_VERB[act], place):
                continue  # "having closed it, …" repeats what was told
            m.emit(_VERB[act], place, then if then is not None and act is acts[-1] and len(acts) > 1 else v)
        if place != m.unit_place:
            m.unit = []
        if not v.about:
            m.unit = [*m.unit, *acts][-4:]
        m.unit_place = place


def _repeat(m: Memory, v: VerbPhrase, follower: VerbPhrase | None, second: VerbPhrase | None = None) -> None:
    """"does the same with the third and fourth", "moves to the stove, repeating the process".

    The acts may be spelled out after it ("continues with A and B, opening and closing each"): then those are read instead.
    """
    explicit = follower and follower.act is Act.OPEN and not follower.groups(Kind.PLACE) and not follower.about \
        and (follower.form is Form.GERUND or follower.each) and not (second and second.act is Act.CLOSE and second.groups(Kind.PLACE))
    ids = [p for _, g in v.targets if g.kind is Kind.PLACE for p in resolve(m, g, None)]
    if explicit:
        if ids:
            m.focus = ids
        return
    unit = tuple(dict.fromkeys(m.unit)) or (Act.OPEN, Act.CLOSE)
    if not ids:
        ids = [p for p in m.focus if p != m.unit_place]
        if not ids and not any(g.kind is Kind.PLACE for _, g in v.targets):
            if m.actions and m.actions[-1].verb is Verb.WALKTOWARDS and m.focus:
                ids = m.focus[-1:]
            else:
                m.problem(ProblemKind.UNRESOLVED, "it is not clear what this is repeated with", v.start, v.end)
    if ids:
        walked = [m.actions[i].target for i in m.walked if i < len(m.actions)]
        _act(m, unit, ids if not walked or walked != m.focus else list(m.focus), v)
        m.focus = ids


def _followed(m: Memory, v: VerbPhrase, follower: VerbPhrase | None) -> None:
    if follower is not None and follower.which:
        _move(m, v, follower)
    elif v.targets:
        _repeat(m, v, None)


def _pick(m: Memory, v: VerbPhrase) -> None:
    things = [i.cls for g in v.groups(Kind.OBJECT) for i in g.items]
    if not things:
        if any(t is Tag.TOWARDS for t, _ in v.targets):
            _move(m, replace(v, act=Act.MOVE), None)
        elif v.groups(Kind.NOTHING):
            return
        elif m.held and v.pronoun:
            things = [m.held]
        else:
            m.problem(ProblemKind.UNRESOLVED, "it is not said what is taken", v.start, v.end)
    place = next((p for t, g in v.targets if g.kind is Kind.PLACE and t in (Tag.FROM, Tag.PREP) for p in resolve(m, g, None)), None)
    place = place or (m.focus[-1] if m.focus else None)
    for cls in things:
        m.emit(Verb.PICK, cls, v, place)
        m.held = cls


def _put(m: Memory, v: VerbPhrase) -> None:
    things = [i.cls for g in v.groups(Kind.OBJECT) for i in g.items] or ([m.held] if m.held else [])
    found = [p for _, g in v.targets if g.kind is Kind.PLACE for p in resolve(m, g, None)]
    place = found[0] if found else (m.focus[-1] if m.focus else None)
    if not things:
        m.problem(ProblemKind.UNRESOLVED, "it is not said what is put down", v.start, v.end)
    cls = classes.class_of(place) if place else ""
    verb = Verb.PLACE if not place else Verb.PUTIN if classes.get(cls).opens else Verb.PUTON
    for thing in things:
        m.emit(verb, thing, v, place)
        m.held = None


def _tidied(actions: list[ReadAction]) -> list[ReadAction]:
    """Without a leaving that the next walk already says, and without an announcement of what is told next anyway."""
    out: list[ReadAction] = []
    for k, a in enumerate(actions):
        after = actions[k + 1] if k + 1 < len(actions) else None
        if a.verb is Verb.LEAVE and after and after.verb is Verb.WALKTOWARDS:
            continue
        if a.about_to and after and not after.about_to and (after.verb, after.target) == (a.verb, a.target):
            continue
        out.append(a)
    return out
