"""Questions about minds, answered in words and numbers from what the mind has published: now, and at an earlier time.

"Does Alice think the apple is in the fridge, and why?" is read here (a handful of forms), looked up in the log of minds and answered with the
evidence that the belief cites. Nothing is inferred anew, so an answer never disagrees with what the robot acted on. Looking back with hindsight
(what did she want *then*, knowing what she did later?) is :func:`in_hindsight`, on a run that is replayed.
Invariant: an answer's evidence is not later than the moment asked about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from household import classes
from household.classes import Kind
from household.goals import GoalKind
from household.scene_graph import ELSEWHERE
from mind import evidence as why
from mind.output import Evidence, Minds, PersonMind, Source
from mind.tracked import Tracked
from mind.smoothing import smooth

CITED = 4
KNOWS = 0.4  # below this share of the likeliest place a person is said not to know


class QueryError(ValueError):
    """A question that cannot be read or is about nothing known; the message says which word, and what is known."""


class Asked(str, Enum):
    THINKS = "thinks"  # does she think the apple is in the fridge?
    WHERE = "where"  # where does she think the apple is?
    WANTS = "wants"  # what does she want?
    AFTER = "after"  # does she want the apple?
    WRONG = "wrong"  # is she wrong about the apple?


@dataclass(frozen=True)
class Question:
    """``objects``, ``places``: ids, any of which would do. ``negated``: "that it is *not* there"."""

    asked: Asked
    person: str
    objects: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    target: str | None = None  # class wanted
    negated: bool = False


@dataclass(frozen=True)
class Answer:
    """``p``: probability of what was asked (for WHERE and WANTS: of the likeliest). ``words``: a sentence or two. ``stamp``: of the minds used."""

    p: float
    words: str
    evidence: tuple[Evidence, ...] = ()
    stamp: float = math.nan

    def to_dict(self) -> dict:
        return {"probability": self.p, "answer": self.words, "stamp": self.stamp, "evidence": [e.to_dict() for e in self.evidence]}


@dataclass(frozen=True)
class Log:
    """The last ``limit`` minds, oldest first. What did not change is shared between them, so a long log costs little."""

    limit: int = 2000
    minds: tuple[Minds, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= 1_000_000:
            raise ValueError(f"limit = {self.limit}: must be in [1, 1000000]")

    def with_(self, minds: Minds) -> "Log":
        past = self.minds if not self.minds or minds.stamp > self.minds[-1].stamp else ()  # time ran backwards: a new run
        return replace(self, minds=(*past, minds)[-self.limit:])

    def at(self, stamp: float | None = None) -> Minds:
        """The minds at ``stamp`` (None or NaN: the latest). Raises QueryError before the first."""
        return minds_at(self.minds, stamp)


def minds_at(past: Iterable[Minds], stamp: float | None = None) -> Minds:
    """The last of ``past`` (oldest first) not later than ``stamp``; None or NaN: the very last. Raises QueryError."""
    past = list(past)
    if not past:
        raise QueryError("nothing has been seen yet")
    if stamp is None or math.isnan(stamp):
        return past[-1]
    earlier = [m for m in past if m.stamp <= stamp + 1e-9]
    if not earlier:
        raise QueryError(f"nothing is remembered from {stamp:.1f} s; the log begins at {past[0].stamp:.1f} s")
    return earlier[-1]


_FORMS: tuple[tuple[Asked, re.Pattern], ...] = tuple((asked, re.compile(form, re.I)) for asked, form in (
    (Asked.WHERE, r"where (?:does|did|do) (?P<person>\S+) (?:think|believe)s? (?:that )?(?P<object>.+?) (?:is|was|are|were)$"),
    (Asked.WHERE, r"where (?:would|will) (?P<person>\S+) look (?:first )?for (?P<object>.+)$"),
    (Asked.THINKS, r"(?:does|did|do) (?P<person>\S+) (?:think|believe)s? (?:that )?(?P<object>.+?) (?:is|was|are|were) (?P<not>not )?"
                   r"(?:inside|in|on|at|under) (?P<place>.+)$"),
    (Asked.WRONG, r"is (?P<person>\S+) (?:wrong|mistaken) about (?P<object>.+)$"),
    (Asked.WRONG, r"(?:does|did) (?P<person>\S+) (?:have|hold) a false belief about (?P<object>.+)$"),
    (Asked.WANTS, r"what (?:does|did|is|was) (?P<person>\S+) (?:want|wants|wanting|doing|looking for|searching for|after|up to)(?: to (?:do|get))?$"),
    (Asked.AFTER, r"(?:does|did|is|was) (?P<person>\S+) (?:want|looking for|searching for|after)(?: to get| to fetch| to find)? (?P<object>.+)$"),
))
_TAIL = re.compile(r"(?:,? and|,)? ?why(?: is that| so)?$", re.I)  # "…, and why?": the reasons come anyway


def read_question(text: str, minds: Minds) -> Question:
    """English → Question, names resolved against ``minds``. Raises QueryError."""
    plain = " ".join(text.strip().rstrip("?.! ").split())
    plain = _TAIL.sub("", plain).rstrip(",? ")
    for person in minds.people:  # "Person 1", as the robot calls whom it does not know
        plain = re.sub(rf"\b{re.escape(person.replace('_', ' '))}\b", person, plain, flags=re.I)
    for asked, form in _FORMS:
        match = form.match(plain)
        if match:
            parts = match.groupdict()
            person = _person(parts["person"], minds)
            mind = minds.people[person]
            known = tuple(sorted({*mind.beliefs, *minds.robot}))
            objects = _named(parts["object"], known, "object", Kind.OBJECT) if "object" in parts else ()
            target = classes.class_of(objects[0]) if asked is Asked.AFTER else None
            places = sorted({p for row in mind.beliefs.values() for p in row} | {p for row in minds.robot.values() for p in row})
            at = _named(parts.get("place"), tuple(places), "place") if asked is Asked.THINKS else ()
            return Question(asked, person, objects, at, target, bool(parts.get("not")))
    raise QueryError(f"cannot read '{text.strip()[:120]}'; ask like: does Alice think the apple is in the fridge? where does Alice think the apple "
                     "is? what does Alice want? is Alice looking for the apple? is Alice wrong about the apple?")


def _person(word: str, minds: Minds) -> str:
    name = word.strip("'\"").lower()
    for person in minds.people:
        if person.lower() == name:
            return person
    raise QueryError(f"nobody called '{word}' is known; known: {', '.join(why.name(p) for p in sorted(minds.people)) or 'nobody'}")


def _named(phrase: str | None, known: tuple[str, ...], what: str, kind: Kind | None = None) -> tuple[str, ...]:
    """Ids among ``known`` that a phrase may mean: an id, a person's name, or a class's word."""
    words = re.sub(r"^(?:the|a|an|some|her|his|their|my) ", "", (phrase or "").strip().lower())
    held = re.fullmatch(r"(\S+?)(?:'s|s')? hands?", words)
    if held and held[1] in known:
        return (held[1],)
    if words.replace(" ", "_") in known or words in known:
        return (words if words in known else words.replace(" ", "_"),)
    cls = classes.class_for_word(words)
    hits = tuple(k for k in known if cls is not None and classes.class_of(k) == cls.id)
    if not hits:
        have = sorted({why.name(k) for k in known if k != ELSEWHERE and (kind is None or classes.class_of(k) in classes.CLASSES)})
        raise QueryError(f"no {what} called '{phrase}' is known; known: {', '.join(have[:30])}")
    return hits


def answer(question: Question, minds: Minds) -> Answer:
    """From the minds at the moment asked about. Raises QueryError for a person unknown then."""
    mind = minds.people.get(question.person)
    if mind is None:
        raise QueryError(f"{why.name(question.person)} had not been seen by {minds.stamp:.1f} s")
    reply = {Asked.THINKS: _thinks, Asked.WHERE: _where, Asked.WANTS: _wants, Asked.AFTER: _after, Asked.WRONG: _wrong}[question.asked]
    return replace(reply(question, mind, minds), stamp=minds.stamp)


def ask(text: str, minds: Minds) -> Answer:
    """Question in English → answer. Raises QueryError."""
    return answer(read_question(text, minds), minds)


def _head(p: float) -> str:
    return "Yes" if p > 0.9 else "Probably" if p > 0.6 else "Perhaps" if p > 0.3 else "Probably not" if p > 0.1 else "No"


def _row(mind: PersonMind, objects: tuple[str, ...]) -> tuple[str, dict[str, float]]:
    """The object among ``objects`` that the person is surest of, and where they think it is."""
    rows = {o: dict(mind.beliefs[o]) for o in objects if o in mind.beliefs}
    if not rows:
        raise QueryError(f"{why.name(objects[0])} has not been seen yet")
    best = max(rows, key=lambda o: (max(rows[o].values()), o))
    return best, rows[best]


def _thinks(q: Question, mind: PersonMind, minds: Minds) -> Answer:
    scored = []
    for obj in q.objects:
        if obj in mind.beliefs:
            scored.append((sum(mind.beliefs[obj].get(p, 0.0) for p in q.places), obj))
    if not scored:
        raise QueryError(f"{why.name(q.objects[0])} has not been seen yet")
    inside, obj = max(scored)
    p = 1 - inside if q.negated else inside
    place, share = _likeliest(mind.beliefs[obj])
    name = why.name(mind.person)
    words = f"{_head(p)} ({p:.0%})."
    if place not in q.places:
        words += f" {name} thinks it is {why.at(place)} ({share:.0%})." if share >= KNOWS else f" {name} does not seem to know where it is."
    return _because(p, words, mind, obj)


def _where(q: Question, mind: PersonMind, minds: Minds) -> Answer:
    obj, row = _row(mind, q.objects)
    ranked = sorted(row.items(), key=lambda kv: -kv[1])[:3]
    name, (place, p) = why.name(mind.person), ranked[0]
    if p >= KNOWS:
        words = f"{name} thinks {why.name(obj)} is {why.at(place)} ({p:.0%})" \
                + (f", or {why.at(ranked[1][0])} ({ranked[1][1]:.0%})." if len(ranked) > 1 and ranked[1][1] >= 0.1 else ".")
    else:
        words = f"{name} does not seem to know where {why.name(obj)} is; likeliest " + ", ".join(f"{why.at(k)} ({v:.0%})" for k, v in ranked) + "."
    return _because(p, words, mind, obj)


def _wrong(q: Question, mind: PersonMind, minds: Minds) -> Answer:
    found = max((f for f in mind.false_beliefs if f.object in q.objects), key=lambda f: f.probability, default=None)
    if found is None:
        return _because(0.0, f"No: nothing says that {why.name(mind.person)} is wrong about {why.name(q.objects[0])}.", mind, q.objects[0])
    really = f"it is {why.at(found.actual)}" if found.actual else "it is not there, and I do not know where it is"
    words = f"Yes ({found.probability:.0%}): {why.name(mind.person)} thinks it is {why.at(found.believed)}, but {really}."
    return _because(found.probability, words, mind, found.object)


def _wants(q: Question, mind: PersonMind, minds: Minds) -> Answer:
    wanted = [(g, p) for g, p in mind.goals if g.kind is not GoalKind.NONE]
    if not wanted or wanted[0][1] < 0.1:
        rest = next((p for g, p in mind.goals if g.kind is GoalKind.NONE), 1.0)
        return Answer(rest, f"Nothing in particular that I can tell ({rest:.0%}).")
    goal, p = wanted[0]
    more = [f"{g.spoken()} ({v:.0%})" for g, v in wanted[1:3] if v >= 0.1]
    words = f"{why.name(mind.person)} {'probably ' if p < 0.9 else ''}wants to {goal.spoken()} ({p:.0%})" + (f"; or to {', or to '.join(more)}." if more else ".")
    cited = tuple(e for e in mind.evidence if e.about == str(goal))
    return Answer(p, words + _cite(cited, why.name(mind.person)), cited)


def _after(q: Question, mind: PersonMind, minds: Minds) -> Answer:
    goals = [(g, p) for g, p in mind.goals if any(classes.class_of(t) == q.target for t in g.targets)]
    p = min(1.0, sum(v for _, v in goals))
    about = {str(g) for g, _ in goals}
    cited = tuple(e for e in mind.evidence if e.about in about)
    return Answer(p, f"{_head(p)} ({p:.0%})." + _cite(cited, why.name(mind.person)), cited)


def _likeliest(row) -> tuple[str, float]:
    place = max(row, key=lambda k: (row[k], k))
    return place, row[place]


def _because(p: float, words: str, mind: PersonMind, obj: str) -> Answer:
    chain = next((f.evidence for f in mind.false_beliefs if f.object == obj), ())
    cited = chain or tuple(e for e in mind.evidence if e.about == obj)
    return Answer(p, words + _cite(cited, why.name(mind.person)), cited)


def _cite(evidence: tuple[Evidence, ...], name: str) -> str:
    """The reasons as one sentence, weightiest acts and latest percepts."""
    if not evidence:
        return ""
    acts = [e for e in evidence if e.source is Source.INFERRED]
    acts = sorted(sorted(acts, key=lambda e: -abs(e.log_likelihood))[:CITED], key=lambda e: e.stamp)
    others = sorted((e for e in evidence if e.source is not Source.INFERRED), key=lambda e: e.stamp)[-CITED:]
    clauses = [e.text for e in others] + [f"{e.text} at {e.stamp:.1f} ({e.log_likelihood:+.1f} nats)" for e in acts]
    return f" {name} " + "; ".join(clauses) + "." if clauses else ""


def in_hindsight(then: Tracked, now: Tracked) -> dict:
    """Goals at an earlier moment in the light of what was done since, goal → probability; sums to one.

    ``then`` must have been marked (:meth:`mind.tracked.Tracked.marked`) and ``now`` have come from it. Raises QueryError when things that were
    seen for the first time in between changed what could be wanted.
    """
    if now.trail is None:
        raise QueryError("what could be wanted has changed since then; there is no hindsight across that")
    state = replace(then.state, posterior=smooth(then.state.posterior, now.trail))
    from mind.inference import goals

    return goals(then.model, state)
