"""One utterance → the speech acts in it.

Each clause is matched against the sentence forms, its phrases are resolved against scene and memory, and the acts are then held
against each other: two statements of one breath that cannot both be so are both kept as heard and marked not understood. Only acts
with ``understood`` may move a belief. ``certainty`` is how sure the reading is, times how sure the words say the speaker is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from household import classes
from household.actions import Utterance
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph
from household.speech import ActKind, SpeechAct
from mind.dialogue import forms, needs
from mind.dialogue.memory import DialogueContext, kind_of
from mind.dialogue.refer import Found, Referrer, Unresolved
from mind.dialogue.words import Clause, clauses_of

_STATEMENTS = (ActKind.INFORM_LOCATION, ActKind.DENY_LOCATION)
MAX_CLAUSES = 12  # a longer speech is read up to here


def interpret(utterance: Utterance, context: DialogueContext) -> tuple[SpeechAct, ...]:
    """The acts in ``utterance``, in order; never empty. Pure: update the memory with :func:`mind.dialogue.remember`.

    ``object`` and ``place`` are entity ids where one can be told, else class ids (several fit, or none has been seen yet).
    """
    speaker = utterance.speaker
    people = {e.id for e in context.scene.people()} | {speaker, ROBOT} | ({utterance.addressee} if utterance.addressee else set())
    if not _present(speaker, context):
        return (_heard(utterance, f"'{speaker}' is not here to say that"),)
    clauses = clauses_of(utterance.text, people)[:MAX_CLAUSES]
    if not clauses:
        return (_heard(utterance, "no words in it"),)
    referrer = Referrer(context, utterance, context.memory, _listener(utterance, context))
    acts: list[SpeechAct] = []
    for clause in clauses:
        before = len(acts)
        new, referrer = _read_clause(clause, referrer)
        if clause.corrects and acts and any(a.kind in _STATEMENTS for a in new):
            acts = [a for a in acts[:before] if a.kind not in _STATEMENTS]
        acts += new
    acts = _hold_against_each_other(_drop_noise(acts, utterance), context.scene)
    round_about = _circular(referrer.beside)
    return tuple(replace(a, understood=False, certainty=0.0, reason="each is said to be where the other is, which says where neither is")
                 if a.object in round_about and a.kind in _STATEMENTS else a for a in acts)


def _circular(beside: Mapping[str, str]) -> set[str]:
    """Things whose place leads back to themselves."""
    out = set()
    for thing in beside:
        seen, at = {thing}, beside.get(thing)
        while at is not None and at not in seen:
            seen.add(at)
            at = beside.get(at)
        if at == thing:
            out.add(thing)
    return out


def _present(speaker: str, context: DialogueContext) -> bool:
    if context.present is not None:
        return speaker in context.present or speaker == ROBOT
    seen = {e.id for e in context.scene.people()}
    return not seen or speaker in seen or speaker == ROBOT


def _listener(utterance: Utterance, context: DialogueContext) -> str | None:
    """Who "you" is: the addressee, or the only other person there."""
    if utterance.addressee:
        return utterance.addressee
    others = [h for h in (utterance.hearers or ()) if h != utterance.speaker] or \
        [e.id for e in context.scene.people() if e.id != utterance.speaker]
    return others[0] if len(others) == 1 else None


def _heard(utterance: Utterance, reason: str) -> SpeechAct:
    return SpeechAct(ActKind.OTHER, utterance.speaker, utterance.text, certainty=0.0, understood=False, reason=reason)


def _read_clause(clause: Clause, referrer: Referrer) -> tuple[list[SpeechAct], Referrer]:
    utterance = referrer.utterance
    text, factor = clause.text, 1.0
    sought = forms.ABOUT_THE_SOUGHT.match(text)
    if sought:
        try:
            referrer = referrer.noting(referrer.object(sought["o"], clause).id)
            text = text[sought.end():]
            if not text:
                return [], referrer
        except Unresolved as reason:
            return [_heard(utterance, str(reason))], referrer
    text, factor = _hedged(text)
    form, match = _form_of(text)
    if form is None and not forms.NOT_A_FACT.match(text):  # a name the lexicon knows only half of: take its words as they are
        form, match = _form_of(_hedged(clause.plain)[0])
        form = form if form is not None and _part(match, "o") else None
    if not clause.question and (form is None or form.kind not in (ActKind.REFUSE, ActKind.DENY_LOCATION)):
        row = needs.read_need(clause.plain) if not forms.NOT_A_FACT.match(text) or text.startswith("i ") else None
        if row is not None and (form is None or form.kind in (ActKind.STATE_NEED, ActKind.STATE_GOAL, ActKind.REQUEST)):
            return _need_acts(row, utterance, clause, referrer), referrer
    if form is None or forms.NOT_A_FACT.match(text):
        acts = _without_form(text, clause, referrer)
        for act in acts:
            referrer = referrer.noting(act.object) if act.understood and act.object else referrer
        return acts, referrer
    if form.kind is ActKind.REFUSE or form.kind is ActKind.CONFIRM:
        return _short_reply(form, text, referrer), referrer
    return _acts_of(form, match, clause, referrer, factor * form.factor)


def _hedged(text: str) -> tuple[str, float]:
    """Without words of certainty, and how sure they say the speaker is."""
    factor = 1.0
    for _ in range(2):
        for pattern, value in forms.HEDGES:
            shorter = pattern.sub("", text, count=1)
            if shorter != text and shorter:
                text, factor = shorter, factor * value
                break
    for pattern, value in forms.INNER_HEDGES:
        shorter = pattern.sub("", text, count=1)
        if shorter != text:
            text, factor = shorter, factor * value
    return text, factor


def _form_of(text: str) -> tuple[forms.Form | None, re.Match[str] | None]:
    for form in forms.ORDER:
        match = form.pattern.fullmatch(text)
        if match:
            return form, match
    return None, None


def _part(match: re.Match[str], name: str) -> str | None:
    groups = match.groupdict()
    return groups.get(name) or groups.get(name + "2")


def _acts_of(form: forms.Form, match: re.Match[str], clause: Clause, referrer: Referrer,
             certainty: float) -> tuple[list[SpeechAct], Referrer]:
    """Acts for each object the clause names, or one not understood."""
    utterance, kind = referrer.utterance, form.kind
    try:
        about = _topic(match, clause, referrer, kind)
        person = _whom(match, clause, referrer)
        place_phrase = _part(match, "p")
        place = None
        if place_phrase is not None:
            place = referrer.place(place_phrase, clause, about[0].id if about else None)
        holder = match.groupdict().get("holder")
        if holder is not None:
            place = _holder(holder, clause, referrer)
        for thing in about:
            if place is not None and thing.id == place.id and kind in (*_STATEMENTS, ActKind.ASK_LOCATION):
                raise Unresolved(f"'{clause.plain}' puts a thing in itself")
    except Unresolved as reason:
        kind = kind if kind in (*_STATEMENTS, ActKind.ASK_LOCATION, ActKind.REQUEST) else ActKind.OTHER
        return [replace(_heard(utterance, str(reason)), kind=kind)], referrer
    if kind is ActKind.INFORM_LOCATION and clause.question:
        kind = ActKind.ASK_LOCATION
    acts = []
    for thing in about:
        sure = certainty * thing.certainty * (place.certainty if place else 1.0)
        acts.append(SpeechAct(kind, utterance.speaker, utterance.text, thing.id, place.id if place else None, person,
                              round(sure, 4), verb=form.verb))
        referrer = referrer.noting(thing.id)
    if place is not None:
        referrer = referrer.noting(place.id)
    if place is not None and place.beside is not None:
        referrer = replace(referrer, beside={**referrer.beside, **{thing.id: place.beside for thing in about}})
    return acts, referrer


def _topic(match: re.Match[str], clause: Clause, referrer: Referrer, kind: ActKind) -> tuple[Found, ...]:
    """What the clause is about. A bare place answers the open question, or concerns the thing talked about last."""
    phrase = _part(match, "o")
    if phrase is not None:
        return referrer.objects(phrase, clause)
    question = referrer.memory.open_question(referrer.now, referrer.utterance.speaker)
    if question is not None:
        return (referrer.object("it", clause) if referrer.memory.latest(referrer.now, Kind.OBJECT) == question.object
                else _named(question.object),)
    if kind in _STATEMENTS:
        return (referrer.object("it", clause),)
    raise Unresolved("it is not said what this is about")


def _named(identifier: str) -> Found:
    return Found(identifier, 0.95, classes.class_of(identifier))


def _whom(match: re.Match[str], clause: Clause, referrer: Referrer) -> str | None:
    """Whom the act concerns, where that is not the speaker: "bring Bob the mug", "Bob is looking for his keys"."""
    groups = match.groupdict()
    word = groups.get("to") or groups.get("s")
    if word is None or word in ("me", "us", "i", "we", "someone", "somebody", "anyone", "anybody", "one of us", "one of them",
                                "everyone", "one of you"):
        return None
    if word.startswith("@"):
        return clause.mentions[int(word[1:])].person
    return referrer.listener if word == "you" else None


def _holder(word: str, clause: Clause, referrer: Referrer) -> Found:
    if word in ("i", "we"):
        return Found(referrer.utterance.speaker)
    if word.startswith("@") and clause.mentions[int(word[1:])].person:
        return Found(clause.mentions[int(word[1:])].person)
    if word == "you" and referrer.listener:
        return Found(referrer.listener)
    raise Unresolved(f"I do not know who '{word}' is")


def _need_acts(row: needs.NeedRow, utterance: Utterance, clause: Clause, referrer: Referrer) -> list[SpeechAct]:
    """One STATE_NEED per class that would serve and is here; certainties sum to at most one."""
    known = {e.cls for e in referrer.scene.entities.values()}
    serving = [(c, w) for c, w in row.classes if c in known] or list(row.classes)
    total = sum(w for _, w in serving)
    subject = re.match(r"@(\d+)", clause.text)
    person = clause.mentions[int(subject[1])].person if subject else None
    return [SpeechAct(ActKind.STATE_NEED, utterance.speaker, utterance.text, c, None, person, round(0.9 * w / total, 4))
            for c, w in serving]


def _short_reply(form: forms.Form, text: str, referrer: Referrer) -> list[SpeechAct]:
    utterance = referrer.utterance
    question = referrer.memory.open_question(referrer.now, utterance.speaker)
    if form.kind is ActKind.CONFIRM and text.startswith(("yes", "correct", "right", "exactly", "that is", "definitely", "absolutely")) \
            and question is not None and question.place is not None:
        return [SpeechAct(ActKind.INFORM_LOCATION, utterance.speaker, utterance.text, question.object, question.place, None, 0.9)]
    about = referrer.memory.latest(referrer.now, Kind.OBJECT) if form.kind is ActKind.REFUSE else None
    return [SpeechAct(form.kind, utterance.speaker, utterance.text, about)]


def _without_form(text: str, clause: Clause, referrer: Referrer) -> list[SpeechAct]:
    utterance = referrer.utterance
    question = referrer.memory.open_question(referrer.now, utterance.speaker)
    if re.fullmatch(r"no(?:,? (?:it is not|they are not|i do not think so|it is not there|sorry))?|it is not|i do not think so|not there|it is not there", text):
        if question is not None and question.place is not None:
            return [SpeechAct(ActKind.DENY_LOCATION, utterance.speaker, utterance.text, question.object, question.place, None, 0.9)]
        if question is not None:
            return [SpeechAct(ActKind.OTHER, utterance.speaker, utterance.text)]
        return [SpeechAct(ActKind.REFUSE, utterance.speaker, utterance.text)]
    if re.fullmatch(r"@\d+", text) and question is not None and clause.mentions[int(text[1:])].kind in (Kind.CONTAINER, Kind.SURFACE, Kind.ROOM):
        return list(_acts_of(forms.ORDER[-1], re.fullmatch(r"(?P<p>.*)", f"in {text}"), clause, referrer, 0.9)[0])
    text = re.sub(r"^no,? ", "", text)
    if forms.BARE_THING.fullmatch(text) and not forms.SMALL_TALK.fullmatch(text):
        return _bare_things(text, clause, referrer)
    if forms.NOT_A_FACT.match(text) or forms.SMALL_TALK.fullmatch(text):
        return [SpeechAct(ActKind.OTHER, utterance.speaker, utterance.text)]
    return [_heard(utterance, f"I could not read '{clause.plain}'")]


def _bare_things(text: str, clause: Clause, referrer: Referrer) -> list[SpeechAct]:
    """ "The other one." names a thing and says nothing of it: heard, and something to point back to."""
    try:
        found = referrer.objects(text, clause)
    except Unresolved as reason:
        return [_heard(referrer.utterance, str(reason))]
    return [SpeechAct(ActKind.OTHER, referrer.utterance.speaker, referrer.utterance.text, f.id, certainty=round(f.certainty, 4)) for f in found]


def _drop_noise(acts: list[SpeechAct], utterance: Utterance) -> list[SpeechAct]:
    """Small talk beside something that means something is left out; a clause that could not be read stays, marked."""
    telling = [a for a in acts if not (a.kind in (ActKind.OTHER, ActKind.CONFIRM) and a.understood)]
    refused = [a for a in telling if a.kind is ActKind.REFUSE]
    if refused and len(telling) > 1 and any(a.kind in _STATEMENTS for a in telling):
        telling = [a for a in telling if a.kind is not ActKind.REFUSE]
    kept: list[SpeechAct] = []
    for act in telling or acts[:1]:
        if act not in kept:
            kept.append(act)
    return kept


def _hold_against_each_other(acts: list[SpeechAct], scene: SceneGraph) -> list[SpeechAct]:
    """Statements of one breath that cannot both be so are marked; the one that says less (its room) is no contradiction."""
    bad: set[int] = set()
    for i, a in enumerate(acts):
        for j in range(i + 1, len(acts)):
            b = acts[j]
            if a.understood and b.understood and a.object == b.object and _contradict(a, b, scene):
                bad |= {i, j}
    return [replace(a, understood=False, certainty=0.0, reason="said to be so and not so in one breath") if i in bad else a
            for i, a in enumerate(acts)]


def _contradict(a: SpeechAct, b: SpeechAct, scene: SceneGraph) -> bool:
    if a.kind not in _STATEMENTS or b.kind not in _STATEMENTS or a.place is None or b.place is None:
        return False
    if a.kind is not b.kind:
        return a.place == b.place
    if a.kind is ActKind.DENY_LOCATION or a.place == b.place or a.object not in scene.entities and _several(a.object, scene):
        return False
    return not _within(a.place, b.place, scene) and not _within(b.place, a.place, scene)


def _several(object_id: str | None, scene: SceneGraph) -> bool:
    return sum(e.cls == object_id for e in scene.entities.values()) > 1


def _within(place: str, room: str, scene: SceneGraph) -> bool:
    if kind_of(room, scene) is not Kind.ROOM:
        return False
    known = scene.room_of(place)
    return known == room if known is not None else room in classes.get(classes.class_of(place)).rooms
