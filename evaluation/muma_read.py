"""MuMA-ToM's questions and the legitimate part of its texts, read into hypotheses about minds.

With dialogue, only what stands between the quotation marks of ``description`` is looked at; without, ``filtered_description``. The
words go through the mind's own reading of speech (:mod:`mind.dialogue`); this file knows only the benchmark's sentence forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from household import classes
from household.actions import Utterance
from household.speech import ActKind, SpeechAct
from mind.dialogue import DialogueContext, DialogueMemory, interpret, remember
from mind.dialogue.words import EXTRA_WORDS
from mind.social.aims import Aim


class Wording(ValueError):
    """A text that cannot be read; the message quotes it."""


class Kind(str, Enum):
    BELIEF = "belief"
    SOCIAL_GOAL = "social_goal"
    BELIEF_OF_GOAL = "belief_of_goal"


@dataclass(frozen=True)
class Hypothesis:
    """What one option says. ``aim`` None: given by the question. ``thing`` at ``place``: what is believed. ``wanted``: where the other
    is thought to want the thing (None: where they put it; ``unaware``: their goal is not known). ``moved_to``: where it was taken."""

    aim: Aim | None = None
    thing: str | None = None
    place: str | None = None
    wanted: str | None = None
    unaware: bool = False
    moved_to: str | None = None


@dataclass(frozen=True)
class Question:
    """``options``: letter-led texts as they stand in the file. ``least``: the least likely is asked for. ``given``: aim the question assumes."""

    kind: Kind
    least: bool
    options: tuple[str, ...]
    hypotheses: tuple[Hypothesis, ...]
    given: Aim | None = None
    claim: "Claim | None" = None  # what the question itself says of the words: the thing to be found, the place said to be known
    mover: str | None = None


@dataclass(frozen=True)
class Claim:
    """What was said: the thing, and the place named for it (class ids)."""

    thing: str
    place: str


_MARK = re.compile(r"(?:(?<=\s)|^)\(?([A-Ha-h])[).:]\s*(?=\S)", re.M)
_AT_LINE_START = re.compile(r"^[ \t]*\(?([A-Ha-h])[).:]\s*(?=\S)", re.M)
_BELIEVED = re.compile(r".*?\bbeliev\w+ (?:that )?there (?:was|is|were|are) (?:an? |some |the |no )?(?P<thing>.+?) (?:inside|in|on|at) (?:the "
                       r"|an? )?(?P<place>.+)")
_HELPED = re.compile(r".*\b(?:trying to help|to help|helping)\b.*")
_HINDERED = re.compile(r".*\b(?:prevent|hinder|mislead|obstruct|stop|imped|sabotag|deceiv|thwart|block)\w*\b.*")
_INDIFFERENT = re.compile(r".*\b(?:indifferent|independent|not interested|neutral|did not care|doesn't care|does not care)\b.*")
_UNAWARE = re.compile(r".*\b(?:doesn't know|does not know|didn't know|did not know|unaware of|not aware of|has no idea|had no idea"
                      r"|without thinking about|without considering|without knowing)\b.*")
_WANTS = re.compile(r"(?P<who>\S+) (?:believ\w+|thought|thinks|assumed?s?) (?:that )?\S+ (?:want(?:s|ed)?|intend(?:s|ed)?|tried|was trying"
                    r"|is trying) to (?:place|put|move) (?:the )?(?P<thing>.+?) (?:inside|in|on|at|into"
                    r"|onto) (?:the )?(?P<place>[^:,;]+)[:,;] ?(?P<rest>.*)")
_PLACED = re.compile(r"(?P<who>\S+) (?:believ\w+|thought|thinks|assumed?s?) (?:that )?\S+ (?:has |had )?(?:placed|put"
                     r"|moved) (?:the )?(?P<thing>.+?) (?:at|in|on|to) (?:his|her|their) (?:desired|intended|preferred|wanted) (?:location|place"
                     r"|spot)[:,;] ?(?P<rest>.*)")
_SOUGHT = re.compile(r".*\b(?:locate|find|finding|locating|get|reach) (?:the |an? |some )?(?P<thing>.+)")
_TO = re.compile(r".*\bmoved .+? (?:to|into|onto|inside) (?:the )?(?P<place>.+?) to (?:help|hinder).*")


def class_id(words: str) -> str:
    """One spelling for a thing or place: the class where there is one, else the words themselves."""
    text = re.sub(r"[^a-z ]", "", words.lower()).strip()
    text = re.sub(r"^(?:the|an|a|some) ", "", text)
    room = re.fullmatch(r"(.+?) (?:in|of|inside) (?:the )?(.+)", text)
    text = room[1] if room else text
    row = classes.class_for_word(text) or classes.class_for_word(text.replace(" ", ""))
    return row.id if row else EXTRA_WORDS.get(text, text.replace(" ", ""))


def split_options(text: str) -> tuple[str, list[tuple[str, str, str]]]:
    """(the question, its options in order as (capital letter, what it says, the option as it stands)). The letters begin lines or, where they do
    not, stand in order within one."""
    for pattern in (_AT_LINE_START, _MARK):
        marks: list[re.Match[str]] = []
        for mark in pattern.finditer(text):
            if mark[1].upper() == "ABCDEFGH"[len(marks):][:1]:
                marks.append(mark)
        if len(marks) > 1:
            ends = [m.start() for m in marks[1:]] + [len(text)]
            return text[:marks[0].start()].strip(), [(m[1].upper(), " ".join(text[m.end():end].split()), text[m.start():end].strip())
                                                     for m, end in zip(marks, ends)]
    return text.strip(), []


def read_question(text: str) -> Question:
    """Raises Wording."""
    head, found = split_options(text)
    if not found:
        raise Wording(f"wanted a question and lettered options, got '{text[:120]}'")
    options = tuple(line for _, _, line in found)
    bodies = [body.replace("’", "'") for _, body, _ in found]
    least = re.search(r"\b(least|most)\b", head, re.I)
    if least is None:
        raise Wording(f"neither 'most' nor 'least' likely is asked for: '{head[:120]}'")
    given = re.search(r"\bif \S+ (?:has been|was|is) trying to (help|hinder|prevent)\b", head)
    knows = re.search(r"\bknows what is (?:inside|in|on|at) (?:the )?(.+?), which", head)
    hypotheses = tuple(_hypothesis(b) for b in bodies)
    if all(h.place for h in hypotheses):
        kind = Kind.BELIEF
        if given is None:
            raise Wording(f"the question does not say what the speaker is trying to do: '{head[:120]}'")
    elif any(h.wanted or h.moved_to for h in hypotheses):
        kind = Kind.BELIEF_OF_GOAL
    elif all(h.aim for h in hypotheses):
        kind = Kind.SOCIAL_GOAL
    else:
        raise Wording(f"options of different kinds: {options}")
    aim = None if given is None else Aim.HELP if given[1] == "help" else Aim.HINDER
    return Question(kind, least[1].lower() == "least", options, hypotheses, aim, _claim(knows, bodies), bodies[0].split()[0])


def _claim(knows: re.Match[str] | None, bodies: list[str]) -> "Claim | None":
    sought = [m for m in map(_SOUGHT.fullmatch, bodies) if m]
    return Claim(class_id(sought[0]["thing"]), class_id(knows[1])) if knows and sought else None


def _hypothesis(body: str) -> Hypothesis:
    believed = _BELIEVED.fullmatch(body)
    if believed:
        return Hypothesis(None, class_id(believed["thing"]), class_id(believed["place"]))
    wants, placed = _WANTS.fullmatch(body), _PLACED.fullmatch(body)
    if wants or placed:
        match = wants or placed
        to = _TO.fullmatch(match["rest"])
        return Hypothesis(_aim(match["rest"]), class_id(match["thing"]), None, class_id(wants["place"]) if wants else None,
                          moved_to=class_id(to["place"]) if to else None)
    if _UNAWARE.fullmatch(body):
        return Hypothesis(Aim.INDEPENDENT, unaware=True)
    return Hypothesis(_aim(body))


def _aim(body: str) -> Aim:
    for aim, pattern in ((Aim.HINDER, _HINDERED), (Aim.HELP, _HELPED), (Aim.INDEPENDENT, _INDIFFERENT)):
        if pattern.fullmatch(body):
            return aim
    raise Wording(f"cannot read the option '{body[:120]}'")


def conversation(description: str) -> list[str]:
    """The quoted sentences, in order: all that may be read of a description."""
    text = re.sub(r"^b(['\"])(.*)\1$", r"\2", description.strip(), flags=re.S).replace("“", '"').replace("”", '"').replace('\\"', '"')
    quotes = re.findall(r'"([^"]+)"', text) or re.findall(r"(?<![A-Za-z])['‘]((?:[^'‘’]|(?<=[a-z])['’](?=[a-z]))+[.,?!])['’](?![A-Za-z])", text)
    return [q.strip() for q in quotes if q.strip()]


def claim_in_questions(questions: Iterable[str]) -> Claim | None:
    """The place a question says the speaker knows, for the thing it says is sought: where the words themselves cannot be read."""
    for text in questions:
        try:
            claim = read_question(text).claim
        except Wording:
            continue
        if claim is not None:
            return claim
    return None


def claim_in(quotes: list[str]) -> Claim:
    """The place that was named for the thing that was asked for. Raises Wording."""
    memory, nowhere = DialogueMemory(), DialogueContext().scene
    told: list[SpeechAct] = []
    for k, quote in enumerate(quotes):
        utterance = Utterance(("asker", "answerer")[k % 2], quote, float(k))
        acts = interpret(utterance, DialogueContext(nowhere, memory))
        memory = remember(memory, utterance, acts, nowhere)
        told += [a for a in acts if a.understood and a.kind is ActKind.INFORM_LOCATION and a.object and a.place]
    if not told:
        raise Wording(f"nobody names a place in {quotes}")
    return Claim(classes.class_of(told[-1].object), classes.class_of(told[-1].place))


_CARRIES = re.compile(r"\b(?:place[sd]?|put|puts|moved?|moves|set|sets|left|leaves|bring|brings|brought|carrie[sd]|returned"
                      r"|returns)\b (?P<what>.*?) ?"
                      r"\b(?:inside|in|into|on|onto|to|at)\b (?:the )?(?P<place>[a-z ]+?)(?= in the| inside the|[,.;]| and |$)")


def last_destination(actions: str) -> str | None:
    """Where the person of a ``filtered_description`` last put something, as a class id; None where it says nothing of it."""
    text = actions.lower()
    hits = [class_id(m["place"]) for m in _CARRIES.finditer(text)]
    places = [h for h in hits if h in classes.CLASSES and classes.get(h).is_place]
    inside = re.search(r"opened the (?P<place>[a-z ]+?),? (?:and )?(?:placed|put) [^.]*? inside(?=[,. ]|$)", text)
    return class_id(inside["place"]) if inside and not places else (places[-1] if places else None)


def actor_of(filtered: str, names: Iterable[str]) -> str | None:
    """Which of the two people a ``filtered_description`` tells of: the one it names first."""
    first = [(filtered.find(n), n) for n in names if n in filtered]
    return min(first)[1] if first else None
