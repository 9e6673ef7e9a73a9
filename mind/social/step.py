"""The online step: from the home, the deeds and the words of this moment to who wants what for whom, and who thinks what of whom.

Four things are carried, each bounded: what was witnessed together (:mod:`mind.nested`), whose word proved good (:mod:`mind.social.trust`),
what each person could gather of what each other one wants, and the aims themselves. Pure, in message time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.actions import HumanAction, Verb
from household.goals import Goal, GoalKind
from household.scene_graph import ROBOT, SceneGraph
from household.speech import ActKind, SpeechAct
from mind.nested import CommonGround, told
from mind.output import PersonMind, SocialGoal
from mind.social import actor, credence, ground, speaker
from mind.social.aims import AIMS, Aim, SocialConfig, normalised
from mind.social.ground import Nested, Shown
from mind.social.handled import Handled, untold
from mind.social.trust import Claim, TrustRecord, settle
from mind.values import replace

PUTS = frozenset({Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP, Verb.GIVE, Verb.MOVE})
GOALS_KEPT = 6
PLACED_KEPT = 64
ASKED_KEPT = 16
VOICES_KEPT = 32
IN_HAND_SECONDS = 3.0  # for which somebody has a thing in hand until it counts as taken away from where another put it
GATHERED = 0.2  # chance that who puts a thing somewhere wants things of other kinds there, too
BUSY_THERE = 0.4  # chance that who opened a container last, before another brings something to it, wants such things in it
COUNTS = 0.05  # chance that the other wants what an act or a word serves or harms from which on it says something of whose it is
BY_LUCK = 0.25  # chance of an errand of one's own to lead just there
LATELY = 120.0  # seconds for which that is remembered

Pair = tuple[str, str]


@dataclass(frozen=True)
class Said:
    """A speech act with when and by whom it was heard."""

    act: SpeechAct
    stamp: float
    hearers: tuple[str, ...] = ()
    addressee: str | None = None


@dataclass(frozen=True)
class Asked:
    """A question that ``hearer``, who knew the answer with probability ``knows``, has not answered yet."""

    asker: str
    hearer: str
    thing: str
    stamp: float
    knows: float


@dataclass(frozen=True)
class SocialState:
    """``aims``: (who, towards whom) → P(aim). ``wants``: (who, whom) → what the first could gather the second wants, as of the last
    time they were together. ``placed``: thing → (who put it last, where, when). ``ground``: what was witnessed together.
    ``lifted``: thing in a hand → (since when, the aims before that was held against who has it; None: it has not been). ``opened``: person → (the container they opened last, when).
    ``called``: thing → the classes it was taken for before.
    ``unseen``: person → seconds they were out of the robot's sight, all in all; ``known_at``: (person, thing) → that count when they were last
    seen to have to do with the thing.
    ``silent``: (who, towards whom, thing) → P(aim) before their silence about the thing was held against them: a late answer takes it back.
    ``shown``: thing → group of witnesses → place, the last joint sightings (so that a frame that shows nothing new costs nothing).
    ``been``: (person, place) → when they were last seen within reach of it, for ``credence.BEEN_SECONDS``.
    ``met``: thing → when the robot first saw it.
    ``handled``: whose hands things go through, for deeds that nobody told of. ``nested``: what each thinks each other thinks."""

    aims: Mapping[Pair, Mapping[Aim, float]] = field(default_factory=dict)
    wants: Mapping[Pair, tuple[tuple[Goal, float], ...]] = field(default_factory=dict)
    placed: Mapping[str, tuple[str, str, float]] = field(default_factory=dict)
    origin: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # thing in a hand → (whose hand, where it was taken from)
    lifted: Mapping[str, tuple[float, Mapping[Pair, Mapping[Aim, float]] | None]] = field(default_factory=dict)
    opened: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    called: Mapping[str, frozenset[str]] = field(default_factory=dict)
    stamp: float | None = None
    unseen: Mapping[str, float] = field(default_factory=dict)
    known_at: Mapping[tuple[str, str], float] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()
    silent: Mapping[tuple[str, str, str], Mapping[Aim, float]] = field(default_factory=dict)
    trust: TrustRecord = TrustRecord()
    ground: CommonGround = CommonGround()
    shown: Shown = field(default_factory=dict)
    handled: Handled = field(default_factory=Handled)
    met: Mapping[str, float] = field(default_factory=dict)
    been: Mapping[tuple[str, str], float] = field(default_factory=dict)
    nested: Nested = field(default_factory=Nested)


Output = Mapping[str, tuple[tuple[SocialGoal, ...], Mapping[str, Mapping[str, Mapping[str, float]]]]]


def trust_in(state: SocialState, listener: str, speaker_id: str, config: SocialConfig = SocialConfig()) -> float:
    """P(``listener`` takes over what ``speaker_id`` says next), from the speaker's record with that listener."""
    return state.trust.trust(listener, speaker_id, config)


def social_step(state: SocialState, scene: SceneGraph, events: Sequence[HumanAction], said: Sequence[Said],
                minds: Mapping[str, PersonMind], config: SocialConfig = SocialConfig()) -> tuple[SocialState, Output]:
    """One moment. ``minds``: what the mind holds of each person *before* these words change their beliefs (a speaker speaks from what
    they believed). Returns the new state and person → (aims towards each other person, what they think each other person thinks).

    Total: people and things that are not known are ignored, acts not understood move nothing.
    """
    people = sorted(minds)
    state = replace(state, aims=_known_pairs(state.aims, people, said, config), trust=settle(state.trust, scene, config))
    state = _gather_wants(_lose_sight(state, scene, people), scene, minds)
    where = ground.places_of(scene)
    handled, shown = untold(state.handled, scene, where, people, events)
    state = replace(state, handled=handled, been=credence.been(state.been, scene, people), met=_met(state.met, scene))
    for event in (*shown, *events):
        state = _done(state, scene, event, minds, config)
    state = _kept_in_hand(state, scene, minds, config)
    state = _former_names(state, scene)
    for one in said:
        state = _questions(_heard(state, scene, one, minds, config), scene, one, minds)
    state = _unanswered(state, scene.stamp, config)
    seen = list(ground.sightings(scene, people, where))
    common = ground.look(state.ground, state.shown, scene, people, where, seen)
    state = replace(state, ground=common, shown=ground.standing(state.shown, common, seen), known_at=_in_the_know(state, seen))
    nested = ground.nested(state.ground, state.nested, people)
    out = {p: (tuple(SocialGoal(q, *(state.aims[p, q][a] for a in AIMS)) for q in people if q != p), nested.views.get(p, {})) for p in people}
    return replace(state, nested=nested), out


def _known_pairs(aims: Mapping[Pair, Mapping[Aim, float]], people: Sequence[str], said: Sequence[Said], config: SocialConfig
                 ) -> Mapping[Pair, Mapping[Aim, float]]:
    """With everybody who is known; who was heard before they were seen is known by their voice, and of those the last ``VOICES_KEPT`` pairs are kept."""
    voices = {p for one in said for p in (one.act.speaker, *one.hearers) if p != ROBOT}.difference(people)
    everybody = [*people, *sorted(voices)]
    missing = [(p, q) for p in everybody for q in everybody if p != q and (p, q) not in aims]
    if not missing:
        return aims
    aims = {**aims, **{pair: config.prior() for pair in missing}}
    unseen = [pair for pair in aims if not set(pair) <= set(people)]
    return {pair: p for pair, p in aims.items() if pair not in unseen[:-VOICES_KEPT]} if len(unseen) > VOICES_KEPT else aims


def _met(before: Mapping[str, float], scene: SceneGraph) -> Mapping[str, float]:
    """When each thing was first seen: of what is here no more, nothing is kept."""
    things = {e.id for e in scene.entities.values() if e.kind is classes.Kind.OBJECT}
    if things == before.keys():
        return before
    return {t: before.get(t, scene.stamp) for t in things}


def _gather_wants(state: SocialState, scene: SceneGraph, minds: Mapping[str, PersonMind]) -> SocialState:
    """Who is with somebody gathers what they seem to want (the same inference that the robot makes)."""
    rooms = ground.rooms_of(scene, minds)
    wants = dict(state.wants)
    for p, room in rooms.items():
        for q, other in rooms.items():
            if p != q and room is not None and room == other:
                wants[p, q] = minds[q].goals[:GOALS_KEPT]
    return replace(state, wants=wants)


def _lose_sight(state: SocialState, scene: SceneGraph, people: Sequence[str]) -> SocialState:
    """Counts the time for which the robot cannot know what somebody is learning."""
    passed = max(0.0, scene.stamp - state.stamp) if state.stamp is not None else 0.0
    away = [p for p in people if p not in scene.entities or not scene.entities[p].visible]
    unseen = {**state.unseen, **{p: state.unseen.get(p, 0.0) + passed for p in away}} if away and passed else state.unseen
    return replace(state, stamp=scene.stamp, unseen=unseen)


def _in_the_know(state: SocialState, seen: Sequence[ground.Sighting]) -> Mapping[tuple[str, str], float]:
    new = {(p, thing): state.unseen.get(p, 0.0) for thing, who, _ in seen for p in who}
    if all(state.known_at.get(k) == v for k, v in new.items()):
        return state.known_at
    return {**state.known_at, **new}


def _drift(aims: Mapping[Aim, float], config: SocialConfig) -> dict[Aim, float]:
    """Aims may change between one piece of evidence and the next."""
    prior = config.prior()
    return {a: (1.0 - config.aim_change) * aims[a] + config.aim_change * prior[a] for a in AIMS}


# -- deeds

def _done(state: SocialState, scene: SceneGraph, event: HumanAction, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    thing, who = event.target, event.actor
    if thing is None:
        return state
    if event.verb is Verb.LEAVE:
        return _carried_off(state, event, minds, config)
    if who in minds:
        state = replace(state, known_at={**state.known_at, (who, thing): state.unseen.get(who, 0.0)})
    if event.verb is Verb.OPEN and who in minds:
        return replace(state, opened={**state.opened, who: (thing, _when(event))})
    if event.verb is Verb.PICK:
        before = event.place or state.placed.get(thing, (None, None, 0.0))[1]
        if not before:
            return state
        return replace(state, origin={**state.origin, thing: (who, before)}, lifted={**state.lifted, thing: (_when(event), None)})
    if event.verb not in PUTS or event.place is None or who not in minds:
        return state
    if thing not in state.origin and state.placed.get(thing, ("", "", 0.0))[:2] == (who, event.place):
        return state  # told late: the graph has shown it
    before = state.origin.get(thing, (who, None))[1]
    if thing in state.lifted:  # now it shows what they took it for
        held = state.lifted[thing][1]
        state = replace(state, aims={**state.aims, **held} if held else state.aims, lifted={k: v for k, v in state.lifted.items() if k != thing})
    state = _moved(state, who, thing, before, event.place, event, minds, config)
    if before == event.place == state.placed.get(thing, ("", "", 0.0))[1]:  # put back: whoever put it there still wants it there
        return replace(state, origin={k: v for k, v in state.origin.items() if k != thing})
    placed = {k: v for k, v in state.placed.items() if k != thing}
    if event.place not in minds:  # a hand is not where a thing is meant to stay
        placed = dict(list(placed.items())[-(PLACED_KEPT - 1):]) | {thing: (who, event.place, _when(event))}
    return replace(state, placed=placed, origin={k: v for k, v in state.origin.items() if k != thing})


def _kept_in_hand(state: SocialState, scene: SceneGraph, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    """What somebody keeps in hand is away from where it was; where they put it in the end says more, and takes this back."""
    for thing, (since, held) in state.lifted.items():
        who, before = state.origin.get(thing, ("", ""))
        if held is not None or scene.stamp - since < IN_HAND_SECONDS or who not in minds or not before:
            continue
        was = {pair: p for pair, p in state.aims.items() if pair[0] == who}
        event = HumanAction(who, Verb.PICK, thing, before, None, since, since, 1.0)
        state = _moved(state, who, thing, before, None, event, minds, config)
        held = {pair: p for pair, p in was.items() if state.aims[pair] is not p}
        state = replace(state, lifted={**state.lifted, thing: (since, held)})
    return state


def _carried_off(state: SocialState, event: HumanAction, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    """Leaving the room with a thing in hand takes it from where it was, wherever it goes: the robot may not see that any more."""
    for thing, (who, before) in state.origin.items():
        if who == event.actor and before and who in minds:
            if (held := state.lifted.get(thing, (0.0, None))[1]) is not None:
                state = replace(state, aims={**state.aims, **held})
            state = _moved(state, who, thing, before, None, event, minds, config)
            state = replace(state, origin={**state.origin, thing: (who, "")}, lifted={k: v for k, v in state.lifted.items() if k != thing})
    return state


def _moved(state: SocialState, who: str, thing: str, before: str | None, after: str | None, event: HumanAction,
           minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    """What moving a thing says about the aims of ``who``. ``after`` None: taken away, not known where to."""
    aims = dict(state.aims)
    for other in minds:
        if other == who or before == after:
            continue
        rows = _progress(state, who, other, thing, before or None, after, event, minds, config)
        luck = 1.0
        if after is not None and _concern(gathered := _gathering(state, other, after, event)) > _concern(rows):
            rows, luck = gathered, BY_LUCK
        if _concern(rows) > COUNTS:
            before_it = _drift(aims[who, other], config)
            done = actor.aims_after_doing(before_it, rows, config, by_luck=luck)
            aims[who, other] = {aim: event.confidence * done[aim] + (1.0 - event.confidence) * before_it[aim] for aim in before_it}  # Jeffrey's rule: it may not have happened
    return replace(state, aims=aims)


def _concern(rows: Sequence[tuple[float, float]]) -> float:
    """P(the other has a goal that the act serves or harms)."""
    return sum(p for d, p in rows if d)


def _progress(state: SocialState, who: str, other: str, thing: str, before: str | None, after: str | None, event: HumanAction,
              minds: Mapping[str, PersonMind], config: SocialConfig) -> list[tuple[float, float]]:
    """(progress for ``other``, probability that ``who`` takes ``other`` to want it), goal by goal."""
    believes = minds[other].beliefs.get(thing, {})
    saw = event.witnesses.get(other, 0.0) > 0.5
    goals = list(state.wants.get((who, other), ()))
    put_at, since = _desired(state, other, thing)
    if put_at is not None and not any(_wants_elsewhere(g, thing, put_at) and p > 0.5 for g, p in goals):
        keep = config.desired_place * math.exp(-max(0.0, _when(event) - since) / config.desire_fades)
        goals = [(Goal(GoalKind.PUT, (classes.class_of(thing),), put_at), keep)] + [(g, p * (1.0 - keep)) for g, p in goals]
    return [(actor.progress_for(g, thing, before, after, other, lambda place: believes.get(place, 0.0), saw), p) for g, p in goals]


def _gathering(state: SocialState, other: str, after: str, event: HumanAction) -> list[tuple[float, float]]:
    """The same for what is brought to where ``other`` has just brought something else, or what went by another name, or was not seen: nobody who does as they like hits upon
    that place but by chance."""
    when = _when(event)
    alike = max((GATHERED + (1.0 - GATHERED) * (1.0 - event.confidence) for by, at, since in state.placed.values()
                 if by == other and at == after and when - since < LATELY), default=0.0)
    place, since = state.opened.get(other, ("", 0.0))
    if place == after and when - since < LATELY:
        alike = max(alike, BUSY_THERE)
    return [(1.0, alike)] if alike else []


def _when(event: HumanAction) -> float:
    return event.start if event.end is None else event.end


def _desired(state: SocialState, person: str, thing: str) -> tuple[str | None, float]:
    """Where ``person`` seems to want the thing, and since when: where they put it, or another of its class."""
    if thing in state.placed:
        by, at, since = state.placed[thing]
        return (at, since) if by == person else (None, 0.0)
    alike = [(at, since) for t, (by, at, since) in state.placed.items() if by == person and classes.class_of(t) == classes.class_of(thing)]
    return alike[-1] if alike else (None, 0.0)


def _wants_elsewhere(goal: Goal, thing: str, place: str) -> bool:
    return goal.kind is GoalKind.PUT and classes.class_of(thing) in goal.targets and goal.place not in (None, place)


# -- words

def _heard(state: SocialState, scene: SceneGraph, one: Said, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    act = one.act
    if not act.understood or act.kind not in (ActKind.INFORM_LOCATION, ActKind.DENY_LOCATION) or act.object is None or act.place is None:
        return state
    things, place = _meant(act.object, scene, minds.get(act.speaker), state.called), act.place
    thing, denied = _name(act.object, things), act.kind is ActKind.DENY_LOCATION
    waiting = [q.asker for q in state.asked if _alike(q.thing, thing) and q.hearer == act.speaker and q.asker not in one.hearers]
    hearers = [h for h in (*one.hearers, *dict.fromkeys(waiting)) if h != act.speaker]  # who has just asked hears the answer
    common, record = state.ground, state.trust
    if len(things) == 1:
        trust = {h: state.trust.trust(h, act.speaker, config) * act.certainty for h in hearers}
        common = told(state.ground, thing, place, one.stamp, act.speaker, hearers, trust, denied=denied) if hearers else state.ground
        for h in hearers:
            record = record.heard(Claim(act.speaker, h, thing, place, one.stamp, denied))
    aims, silent = dict(state.aims), dict(state.silent)
    if act.speaker in minds:
        thinks_so, n = credence.credence(state, scene, act.speaker, things, place, minds)
        for h in hearers:
            late = next((aims_then for (p, q, t), aims_then in silent.items() if (p, q) == (act.speaker, h) and _alike(t, thing)), None)
            if late is not None:
                aims[act.speaker, h] = late
                silent = {k: v for k, v in silent.items() if k[:2] != (act.speaker, h) or not _alike(k[2], thing)}
            asked = late is not None or any(q.asker == h and _alike(q.thing, thing) for q in state.asked)
            if (act.speaker, h) in aims and (asked or things and _matters((thing, act.object), minds.get(h), state.wants.get((act.speaker, h), ()))):
                prior = _drift(aims[act.speaker, h], config)
                after = speaker.aims_after_saying(prior, thinks_so, n, config, denied=denied)
                sure = act.certainty
                aims[act.speaker, h] = normalised({a: (1.0 - sure) * prior[a] + sure * after[a] for a in AIMS})
    return replace(state, ground=common, trust=record, aims=aims, silent=silent)


def _questions(state: SocialState, scene: SceneGraph, one: Said, minds: Mapping[str, PersonMind]) -> SocialState:
    """Opens a question for those it was put to; whatever somebody says of the thing answers it for all."""
    act = one.act
    if not act.understood or not act.object:
        return state
    things = _meant(act.object, scene, minds.get(act.speaker), state.called)
    thing = _name(act.object, things)
    rest = tuple(q for q in state.asked if not _alike(q.thing, thing) or q.asker == act.speaker)
    if act.kind is not ActKind.ASK_LOCATION or act.speaker == ROBOT:
        return replace(state, asked=rest)
    put_to = [one.addressee] if one.addressee else [h for h in one.hearers if h != act.speaker]
    new = tuple(Asked(act.speaker, h, thing, one.stamp, credence.knows(minds[h], things)) for h in put_to if h in minds)
    again = {(q.asker, q.hearer) for q in new}
    return replace(state, asked=(*(q for q in rest if (q.asker, q.hearer) not in again or not _alike(q.thing, thing)), *new)[-ASKED_KEPT:])


def _unanswered(state: SocialState, now: float, config: SocialConfig) -> SocialState:
    late = [q for q in state.asked if now - q.stamp > config.patience]
    if not late:
        return state
    aims, silent = dict(state.aims), dict(state.silent)
    for q in late:
        if (q.hearer, q.asker) in aims:
            silent[q.hearer, q.asker, q.thing] = aims[q.hearer, q.asker]
            aims[q.hearer, q.asker] = speaker.aims_after_silence(_drift(aims[q.hearer, q.asker], config), q.knows, config)
    silent = dict(list(silent.items())[-ASKED_KEPT:])
    return replace(state, aims=aims, silent=silent, asked=tuple(q for q in state.asked if q not in late))


def _former_names(state: SocialState, scene: SceneGraph) -> SocialState:
    """Remembers what things were taken for before they were known better."""
    called = dict(state.called)
    for then, now in scene.renamed.items():
        if classes.class_of(then) != classes.class_of(now):
            called[now] = called.get(now, frozenset()) | called.pop(then, frozenset()) | {classes.class_of(then)}
    return state if called == state.called else replace(state, called=dict(list(called.items())[-PLACED_KEPT:]))


def _meant(name: str, scene: SceneGraph, mind: PersonMind | None, called: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """The things that a name of a thing or a class may stand for, as far as the home and the speaker know; () when nobody has seen one. Who speaks of a mug where none is known
    may mean what was taken for one a while ago."""
    if name in scene.entities:
        return (name,)
    once = sorted(thing for thing, names in called.items() if name in names and thing in scene.entities)
    maybe = [e.id for e in scene.objects() if name in e.other_names]
    return tuple([e.id for e in scene.objects() if e.cls == name] or once or maybe or [o for o in (mind.beliefs if mind else {}) if classes.class_of(o) == name])


def _name(name: str, things: Sequence[str]) -> str:
    """What is spoken of: the one thing, or, where it may be several or none that is known, what it is called."""
    return things[0] if len(things) == 1 else name


def _alike(one: str, other: str) -> bool:
    """Whether two names may be of one thing: a class's name is of any thing of it (which the robot may come to see between a question and its answer)."""
    return one == other or (classes.class_of(one) == classes.class_of(other) and classes.class_of(one) in (one, other))


def _matters(names: Sequence[str], listener: PersonMind | None, wants: Sequence[tuple[Goal, float]]) -> bool:
    """Whether what bears these names is something the listener may want: only then does a place named for it serve or harm them."""
    if listener is None:
        return False
    meant = {classes.class_of(n) for n in names}
    return sum(p for g, p in (*wants, *listener.goals) if meant & {classes.class_of(t) for t in g.targets}) > COUNTS or not listener.goals
