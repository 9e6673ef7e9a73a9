"""What the planner remembers between two steps: the whole state of :func:`planner.step.step`, immutable and bounded.

Design reason: whether the robot repeats itself, calls an act off or reconsiders must follow from messages alone (replaying a bag
gives the same decisions), so everything here comes from inputs and from the planner's own commands, never from a clock or a body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.classes import class_of
from household.speech import ActKind, SpeechAct
from mind.output import Minds, PersonMind, Source

from planner.acts import Fact, FactKind, HelpAct

if TYPE_CHECKING:
    from planner.decision import Decision
    from planner.gaze import GazeState
    from planner.vantage import VantageState

_KNEW = (Source.SAW, Source.TOLD)
MAX_REMEMBERED = 64  # facts told, requests, failures
ON_THE_WAY_S = 20.0  # somebody who was told where something is may take to get there
MOST_SAID = 2  # times the same is said to somebody who doubts it or asks again


@dataclass(frozen=True)
class Told:
    """The robot said ``fact`` to ``person``. ``disbelieved``: their behaviour or words since say they do not believe it; ``in_vain``: they looked
    there and went on without it."""

    person: str
    fact: Fact
    stamp: float
    count: int = 1
    disbelieved: bool = False
    in_vain: bool = False


class RequestKind(str, Enum):
    BRING = "bring"
    WHERE = "where"
    NEED = "need"
    DO = "do"  # switch, open, close or move the target


@dataclass(frozen=True)
class Request:
    """Something a person asked for or said they need. ``target``: class or entity id; ``place``: where to bring it, if said."""

    person: str
    kind: RequestKind
    target: str
    stamp: float
    certainty: float = 1.0
    text: str = ""
    place: str | None = None
    verb: Verb | None = None


@dataclass(frozen=True)
class Active:
    """The act under way. ``deadline``: message time after which it counts as failed. ``gone_since``: when its reason vanished."""

    act: HelpAct
    plan: tuple[AtomicAction, ...]
    plan_id: int
    started: float
    deadline: float
    progress: float
    gone_since: float | None = None


@dataclass(frozen=True)
class Unclear:
    """``since``: start of what somebody does, s; ``until``: until when to wait for what it is for, s; ``came``: they have come in, or are on the way to
    another room; ``walks``: and have set out for something there that does not show yet; ``walking``: and are on the way still."""

    since: float
    until: float
    came: bool
    walks: bool = False
    walking: bool = False


@dataclass(frozen=True)
class PlannerState:
    events: tuple[HumanAction, ...] = ()
    heard: tuple[Utterance, ...] = ()
    told: tuple[Told, ...] = ()
    requests: tuple[Request, ...] = ()
    failures: Mapping[str, int] = field(default_factory=dict)  # act key → how often it failed
    in_vain: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (class, place) → how often somebody went for what may never have been there
    done: Mapping[str, float] = field(default_factory=dict)  # act key → when it was finished
    refused: Mapping[str, float] = field(default_factory=dict)  # person → when they last said no
    active: Active | None = None
    favourite: tuple[str, float] | None = None  # key of the best act and since when it is the best
    unclear: Mapping[str, Unclear] = field(default_factory=dict)  # person of whom it does not show yet what they are up to
    switched: Mapping[str, bool] = field(default_factory=dict)  # device → last known state
    stated: Mapping[tuple[str, str], str] = field(default_factory=dict)  # (person, object) → where they said it is, or heard somebody say
    mistaken: Mapping[tuple[str, str], tuple[str, float]] = field(default_factory=dict)  # (person, object) → place, since
    searched: Mapping[str, float] = field(default_factory=dict)  # person → when they last plainly searched
    announced: Mapping[str, float] = field(default_factory=dict)  # sentence that said what the robot is about to do → when
    unattended: Mapping[str, float] = field(default_factory=dict)  # running device or open fridge → since when alone
    used: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)  # tap → when somebody was at it; since when its room is empty
    dark_since: float | None = None
    tracks: Mapping[str, tuple[tuple[float, float, float], ...]] = field(default_factory=dict)  # person → (t, x, y) of looks at them
    rooms: Mapping[str, str] = field(default_factory=dict)  # person → room they were last seen in
    arrived: Mapping[str, float] = field(default_factory=dict)  # person → when they were first seen in that room, having been seen in another before
    plans: int = 0
    decision: "Decision | None" = None
    gaze: "GazeState | None" = None
    vantage: "VantageState | None" = None
    stamp: float = float("-inf")


def renamed(state: PlannerState, names: Mapping[str, str]) -> PlannerState:
    """``names``: former id of a thing, or of furniture, → its id now (SceneGraph.renamed). What was done with the one, said of it and asked for, and who was
    wrong about it, stays."""
    if not names:
        return state

    def now(obj: str | None) -> str | None:
        return names.get(obj, obj)

    def fact(f: Fact | None) -> Fact | None:
        return f if f is None else replace(f, object=now(f.object), place=now(f.place))

    active = state.active
    if active is not None:
        active = replace(active, act=replace(active.act, object=now(active.act.object), place=now(active.act.place), fact=fact(active.act.fact)))
    return replace(state, events=tuple(replace(e, target=now(e.target), place=now(e.place)) if names.keys() & {e.target, e.place} else e for e in state.events),
                   told=tuple(replace(t, fact=fact(t.fact)) for t in state.told),
                   requests=tuple(replace(r, target=now(r.target)) for r in state.requests),
                   mistaken={(p, now(o)): (now(place), since) for (p, o), (place, since) in state.mistaken.items()},
                   stated={(p, now(o)): now(place) for (p, o), place in state.stated.items()}, active=active)


def note_mistaken(state: PlannerState, minds: Minds, sure: float) -> PlannerState:
    """Keep who was wrong about what they once knew (saw, did or were told), also when they find out that it is gone; forget it when they
    learn where it is. A belief only guessed from what somebody does is no memory of theirs."""
    table = dict(state.mistaken)
    for person, mind in minds.people.items():
        for f in mind.false_beliefs:
            if f.probability >= sure and any(e.source in _KNEW for e in f.evidence) and f.actual != person and (person, f.object) not in table:
                table = bounded(table, (person, f.object), (f.believed, minds.stamp))
    for person, obj in [k for k in table if k[0] in minds.people]:
        knows = max(minds.robot.get(obj, {"": 0.0}).items(), key=lambda kv: (kv[1], kv[0]))[0]
        if minds.people[person].beliefs.get(obj, {}).get(knows, 0.0) >= 0.5 and _learnt(minds.people[person], obj, knows, table[person, obj][1]):
            del table[person, obj]
    return state if table == state.mistaken else replace(state, mistaken=table)


def _learnt(mind: PersonMind, obj: str, place: str, since: float) -> bool:
    """Whether they have seen it there or were told so; that they happen to go there is no such thing."""
    last = max((e for e in mind.evidence if e.about == obj), key=lambda e: e.stamp, default=None)
    return last is None or (last.entity == place and last.stamp >= since and last.source in _KNEW)


def bounded(table: Mapping, key, value) -> dict:
    """``table`` with one more entry, the oldest leaving when there are more than MAX_REMEMBERED."""
    rows = {k: v for k, v in table.items() if k != key}
    rows[key] = value
    return dict(list(rows.items())[-MAX_REMEMBERED:])


def told_before(state: PlannerState, person: str, obj: str) -> Told | None:
    """The latest fact about ``obj`` said to ``person``."""
    hits = [t for t in state.told if t.person == person and t.fact.object == obj]
    return max(hits, key=lambda t: t.stamp) if hits else None


def told_of_another(state: PlannerState, person: str, obj: str) -> bool:
    """Whether they were told where another thing of its kind is, may still be on the way there, and that one has not been moved since: two such things would only confuse them."""
    return any(t.person == person and t.fact.kind is FactKind.AT and t.fact.object != obj and class_of(t.fact.object) == class_of(obj)
               and not t.disbelieved and not t.in_vain and state.stamp - t.stamp <= ON_THE_WAY_S and not moved_since(state, t.fact.object, t.stamp) for t in state.told)


def note_told(state: PlannerState, person: str, fact: Fact, stamp: float) -> PlannerState:
    same = [t for t in state.told if t.person == person and t.fact == fact]
    count = 1 + max((t.count for t in same), default=0)
    rest = tuple(t for t in state.told if t not in same)
    return replace(state, told=(*rest, Told(person, fact, stamp, count))[-MAX_REMEMBERED:])


def moved_since(state: PlannerState, obj: str, stamp: float) -> bool:
    """Whether somebody was seen taking or putting ``obj`` after ``stamp``."""
    return any(e.target == obj and e.verb in _MOVES and (e.end if e.end is not None else e.start) > stamp + 1e-6
               for e in state.events)


_MOVES = frozenset({Verb.PICK, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.GIVE, Verb.DROP, Verb.MOVE})


def may_tell(state: PlannerState, person: str, fact: Fact, asked: float = float("-inf")) -> bool:
    """Said once; once more when disbelieved or ``asked`` for after it was said; anew when the thing is back where it was said to be, or the
    fact is another because the thing moved or was found."""
    before = told_before(state, person, fact.object)
    if before is None:
        return asked > float("-inf") or not _sounds_the_same(state, person, fact)
    if before.fact == fact:
        back = fact.kind is FactKind.AT and moved_since(state, fact.object, before.stamp)  # that it was moved stays said
        return back or (before.count < MOST_SAID and (before.disbelieved or asked > before.stamp))
    return asked > before.stamp or moved_since(state, fact.object, before.stamp) or (before.fact.kind is not FactKind.AT and fact.kind is FactKind.AT)


def _sounds_the_same(state: PlannerState, person: str, fact: Fact) -> bool:
    """Whether just that was said of another thing of its class, which is still where it was said to be: to the listener it is the same sentence."""
    return fact.kind is FactKind.AT and any(
        t.person == person and t.fact.kind is fact.kind and t.fact.place == fact.place and class_of(t.fact.object) == class_of(fact.object)
        and not moved_since(state, t.fact.object, t.stamp) for t in state.told)


def hear(state: PlannerState, acts: tuple[SpeechAct, ...], utterances: tuple[Utterance, ...], stamp: float,
         robot: str) -> PlannerState:
    """Requests, needs, questions and refusals out of what people said."""
    needs: dict[tuple[str, str], list[SpeechAct]] = {}
    for act in acts:
        if act.speaker == robot:
            continue
        if act.kind is ActKind.REFUSE and any(a.text == act.text and a.kind in _ASKS and a.understood for a in acts):
            continue  # "No. I would like …" refuses nothing of ours
        if act.kind is ActKind.REFUSE:
            keep = tuple(r for r in state.requests if r.person != act.speaker)
            state = replace(state, refused={**state.refused, act.speaker: stamp}, requests=keep)
        elif act.kind is ActKind.DENY_LOCATION:
            state = replace(state, told=tuple(replace(t, disbelieved=True) if _denies(act, t) else t for t in state.told))
        elif act.understood and act.kind is ActKind.INFORM_LOCATION and act.object is not None and act.place is not None:
            open_still = tuple(r for r in state.requests if r.kind is not RequestKind.WHERE or r.person == act.speaker
                               or class_of(r.target) != class_of(act.object))  # somebody has answered it
            state = replace(state, requests=open_still)
            for person in (act.speaker, *sorted(_heard_by(act, utterances) - {robot, act.speaker})):
                state = replace(state, stated=bounded(state.stated, (person, act.object), act.place))
        elif act.understood and act.object is not None and act.kind is ActKind.STATE_NEED:
            needs.setdefault((act.person or act.speaker, act.text), []).append(act)
        elif act.understood and act.object is not None and act.kind in (ActKind.REQUEST, ActKind.ASK_LOCATION):
            state = _remember(state, _request(act, utterances, stamp, robot))
    for (person, text), options in needs.items():
        state = _need(state, person, text, options, stamp)
    return state


def _heard_by(act: SpeechAct, utterances: tuple[Utterance, ...]) -> set[str]:
    """Whom somebody said it to, and who else heard it."""
    said = next((u for u in utterances if u.text == act.text and u.speaker == act.speaker), None)
    return set() if said is None else {*(said.hearers or ()), *((said.addressee,) if said.addressee is not None else ())}


def _denies(act: SpeechAct, told: Told) -> bool:
    return told.person == act.speaker and told.fact.place is not None and told.fact.place == act.place


def _request(act: SpeechAct, utterances: tuple[Utterance, ...], stamp: float, robot: str) -> Request:
    """A request or question; one put to somebody else by name is mostly theirs to meet."""
    to = next((u.addressee for u in utterances if u.text == act.text and u.speaker == act.speaker), None)
    share = 1.0 if to in (None, robot) else SOMEBODY_ELSES
    if act.kind is ActKind.ASK_LOCATION:
        return Request(act.speaker, RequestKind.WHERE, act.object, stamp, act.certainty * share, act.text)
    kind = RequestKind.DO if act.verb in DOABLE else RequestKind.BRING
    return Request(act.person or act.speaker, kind, act.object, stamp, act.certainty * share, act.text, act.place, act.verb)


def _need(state: PlannerState, person: str, text: str, options: list[SpeechAct], stamp: float) -> PlannerState:
    """Several things would serve one need: the best serves it wholly, the others by their share of it."""
    total, most = min(1.0, sum(a.certainty for a in options)), max(a.certainty for a in options)
    for act in options if most > 0.0 else ():
        state = _remember(state, Request(person, RequestKind.NEED, act.object, stamp, total * act.certainty / most, text))
    return state


def _remember(state: PlannerState, request: Request) -> PlannerState:
    rest = tuple(r for r in state.requests if (r.person, r.target) != (request.person, request.target))
    return replace(state, requests=(*rest, request)[-MAX_REMEMBERED:])


_ASKS = frozenset({ActKind.STATE_NEED, ActKind.REQUEST, ActKind.ASK_LOCATION, ActKind.STATE_GOAL})
SOMEBODY_ELSES = 0.3  # share of a request that is the robot's, when it was put to somebody else
DOABLE = frozenset({Verb.SWITCHON, Verb.SWITCHOFF, Verb.OPEN, Verb.CLOSE, Verb.MOVE})
