"""The online step: from the home, the deeds and the words of this moment to who wants what for whom, and who thinks what of whom.

Four things are carried, each bounded: what was witnessed together (:mod:`mind.nested`), whose word proved good (:mod:`mind.social.trust`),
what each person could gather of what each other one wants, and the aims themselves. Pure, in message time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from household import classes
from household.actions import HumanAction, Verb
from household.goals import Goal, GoalKind
from household.scene_graph import ELSEWHERE, ROBOT, SceneGraph
from household.speech import ActKind, SpeechAct
from mind.nested import CommonGround, Happening, Occurrence, believed, told, witnessed
from mind.output import PersonMind, SocialGoal
from mind.social import actor, speaker
from mind.social.aims import AIMS, Aim, SocialConfig, normalised
from mind.social.trust import Claim, TrustRecord, settle

PUTS = frozenset({Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP, Verb.GIVE, Verb.MOVE})
ATTENTION = 0.95  # chance that what is in plain view of several people is noticed by each, and known to be
GOALS_KEPT = 6
PLACED_KEPT = 64

Pair = tuple[str, str]
Sighting = tuple[str, frozenset[str], str]


@dataclass(frozen=True)
class Said:
    """A speech act with when and by whom it was heard."""

    act: SpeechAct
    stamp: float
    hearers: tuple[str, ...] = ()


@dataclass(frozen=True)
class SocialState:
    """``aims``: (who, towards whom) → P(aim). ``wants``: (who, whom) → what the first could gather the second wants, as of the last
    time they were together. ``placed``: thing → (who put it last, where). ``ground``: what was witnessed together.
    ``shown``: thing → group of witnesses → place, the last joint sightings (so that a frame that shows nothing new costs nothing).
    ``nested``: (who, whom, thing) → (version of the ground, place → probability)."""

    aims: Mapping[Pair, Mapping[Aim, float]] = field(default_factory=dict)
    wants: Mapping[Pair, tuple[tuple[Goal, float], ...]] = field(default_factory=dict)
    placed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    origin: Mapping[str, str] = field(default_factory=dict)  # thing in a hand → where it was taken from
    trust: TrustRecord = TrustRecord()
    ground: CommonGround = CommonGround()
    shown: Mapping[tuple[str, frozenset[str]], str] = field(default_factory=dict)
    nested: Mapping[tuple[str, str, str], tuple[int, Mapping[str, float]]] = field(default_factory=dict)


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
    state = replace(state, aims=_known_pairs(state.aims, people, config), trust=settle(state.trust, scene, config))
    state = _gather_wants(state, scene, minds)
    for event in events:
        state = _done(state, scene, event, minds, config)
    for one in said:
        state = _heard(state, scene, one, minds, config)
    sightings = list(_sightings(scene, people))
    state = replace(state, ground=_look(state, scene, people, sightings))
    state = replace(state, shown=_shown(state, sightings))
    nested, cache = _nested(state, people)
    out = {p: (tuple(SocialGoal(q, *(state.aims[p, q][a] for a in AIMS)) for q in people if q != p), nested.get(p, {})) for p in people}
    return replace(state, nested=cache), out


def _known_pairs(aims: Mapping[Pair, Mapping[Aim, float]], people: Sequence[str], config: SocialConfig) -> Mapping[Pair, Mapping[Aim, float]]:
    missing = [(p, q) for p in people for q in people if p != q and (p, q) not in aims]
    return {**aims, **{pair: config.prior() for pair in missing}} if missing else aims


def _rooms(scene: SceneGraph, people: Iterable[str]) -> dict[str, str | None]:
    return {p: scene.room_of(p) for p in people if p in scene.entities}


def _gather_wants(state: SocialState, scene: SceneGraph, minds: Mapping[str, PersonMind]) -> SocialState:
    """Who is with somebody gathers what they seem to want (the same inference that the robot makes)."""
    rooms = _rooms(scene, minds)
    wants = dict(state.wants)
    for p, room in rooms.items():
        for q, other in rooms.items():
            if p != q and room is not None and room == other:
                wants[p, q] = minds[q].goals[:GOALS_KEPT]
    return replace(state, wants=wants)


def _drift(aims: Mapping[Aim, float], config: SocialConfig) -> dict[Aim, float]:
    """Aims may change between one piece of evidence and the next."""
    prior = config.prior()
    return {a: (1.0 - config.aim_change) * aims[a] + config.aim_change * prior[a] for a in AIMS}


# -- deeds

def _done(state: SocialState, scene: SceneGraph, event: HumanAction, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    thing, who = event.target, event.actor
    if thing is None:
        return state
    if event.verb is Verb.PICK:
        before = event.place or state.placed.get(thing, (None, None))[1]
        return replace(state, origin={**state.origin, thing: before}) if before else state
    if event.verb not in PUTS or event.place is None or who not in minds:
        return state
    before, after = state.origin.get(thing), event.place
    aims = dict(state.aims)
    for other in minds:
        if other == who or before == after:
            continue
        rows = _progress(state, who, other, thing, before, after, event, minds, config)
        if any(d for d, _ in rows):
            aims[who, other] = actor.aims_after_doing(_drift(aims[who, other], config), rows, config)
    placed = {k: v for k, v in state.placed.items() if k != thing}
    placed = dict(list(placed.items())[-(PLACED_KEPT - 1):]) | {thing: (who, after)}
    return replace(state, aims=aims, placed=placed, origin={k: v for k, v in state.origin.items() if k != thing})


def _progress(state: SocialState, who: str, other: str, thing: str, before: str | None, after: str, event: HumanAction,
              minds: Mapping[str, PersonMind], config: SocialConfig) -> list[tuple[float, float]]:
    """(progress for ``other``, probability that ``who`` takes ``other`` to want it), goal by goal."""
    believes = minds[other].beliefs.get(thing, {})
    saw = event.witnesses.get(other, 0.0) > 0.5
    goals = list(state.wants.get((who, other), ()))
    put_by, put_at = state.placed.get(thing, (None, None))
    if put_by == other and put_at is not None and not any(_wants_elsewhere(g, thing, put_at) and p > 0.5 for g, p in goals):
        keep = config.desired_place
        goals = [(Goal(GoalKind.PUT, (classes.class_of(thing),), put_at), keep)] + [(g, p * (1.0 - keep)) for g, p in goals]
    return [(actor.progress_for(g, thing, before, after, other, lambda place: believes.get(place, 0.0), saw), p) for g, p in goals]


def _wants_elsewhere(goal: Goal, thing: str, place: str) -> bool:
    return goal.kind is GoalKind.PUT and classes.class_of(thing) in goal.targets and goal.place not in (None, place)


# -- words

def _heard(state: SocialState, scene: SceneGraph, one: Said, minds: Mapping[str, PersonMind], config: SocialConfig) -> SocialState:
    act = one.act
    if not act.understood or act.kind not in (ActKind.INFORM_LOCATION, ActKind.DENY_LOCATION) or act.object is None or act.place is None:
        return state
    thing, place = _entity(act.object, scene, minds.get(act.speaker)), act.place
    if thing is None:
        return state
    denied = act.kind is ActKind.DENY_LOCATION
    hearers = [h for h in one.hearers if h != act.speaker]
    trust = {h: state.trust.trust(h, act.speaker, config) * act.certainty for h in hearers}
    ground = told(state.ground, thing, place, one.stamp, act.speaker, hearers, trust, denied=denied) if hearers else state.ground
    record = state.trust
    for h in hearers:
        record = record.heard(Claim(act.speaker, h, thing, place, one.stamp, denied))
    aims = dict(state.aims)
    if act.speaker in minds:
        row = minds[act.speaker].beliefs.get(thing, {})
        n = max(2, sum(p > 1e-3 for p in row.values()), len(scene.places()))
        there = sum(p for k, p in row.items() if k == place or classes.class_of(k) == place or scene.room_of(k) == place)
        for h in hearers:
            if (act.speaker, h) in aims and _matters(thing, minds.get(h), state.wants.get((act.speaker, h), ())):
                prior = _drift(aims[act.speaker, h], config)
                knows = speaker.belief_after_saying(1.0 - there if denied else there, prior, n, config)
                after = speaker.aims_after_saying(prior, 1.0 - knows if denied else knows, n, config, denied=denied)
                sure = act.certainty
                aims[act.speaker, h] = normalised({a: (1.0 - sure) * prior[a] + sure * after[a] for a in AIMS})
    return replace(state, ground=ground, trust=record, aims=aims)


def _entity(name: str, scene: SceneGraph, mind: PersonMind | None) -> str | None:
    """The one thing a class id stands for, as far as the home and the speaker know."""
    if name in scene.entities:
        return name
    of_class = [e.id for e in scene.objects() if e.cls == name] or [o for o in (mind.beliefs if mind else {}) if classes.class_of(o) == name]
    return of_class[0] if len(of_class) == 1 else None


def _matters(thing: str, listener: PersonMind | None, wants: Sequence[tuple[Goal, float]]) -> bool:
    """Whether the thing is something the listener may want: only then does a place named for it serve or harm them."""
    if listener is None:
        return False
    cls = classes.class_of(thing)
    return sum(p for g, p in (*wants, *listener.goals) if cls in {classes.class_of(t) for t in g.targets}) > 0.05 or not listener.goals


# -- common ground

def _groups(scene: SceneGraph, people: Sequence[str]) -> list[frozenset[str]]:
    """People who are together, by room."""
    rooms: dict[str, set[str]] = {}
    for person, room in _rooms(scene, people).items():
        if scene.entities[person].visible:
            rooms.setdefault(room or f"?{person}", set()).add(person)
    return [frozenset(g) for g in rooms.values()]


def _sightings(scene: SceneGraph, people: Sequence[str]) -> Iterable[Sighting]:
    """(thing, the people of one room who see it, where it is)."""
    for group in _groups(scene, people):
        seen: dict[str, set[str]] = {}
        for person in group:
            for thing in scene.sees.get(person, ()):
                seen.setdefault(thing, set()).add(person)
        for thing, who in seen.items():
            e = scene.entities.get(thing)
            if e is not None and e.kind is classes.Kind.OBJECT:
                place = scene.place_of(thing)
                if place is not None:
                    yield thing, frozenset(who), place


def _look(state: SocialState, scene: SceneGraph, people: Sequence[str], sightings: Sequence[Sighting]) -> CommonGround:
    ground = state.ground
    for thing, who, place in sightings:
        if state.shown.get((thing, who)) != place:
            ground = witnessed(ground, thing, Occurrence(scene.stamp, Happening.SEEN, place, {p: ATTENTION if len(who) > 1 else 1.0 for p in who}))
    for group in _groups(scene, people):
        for place in frozenset().union(*(scene.inspected.get(p, frozenset()) for p in group)):
            lookers = [p for p in group if place in scene.inspected.get(p, frozenset())]
            for thing, record in ground.record.items():
                last = record[-1]
                if last.place == place and last.happening in (Happening.SEEN, Happening.TOLD) and set(lookers) & set(last.witnesses) \
                        and not any(thing in scene.sees.get(p, ()) for p in group) and scene.place_of(thing) != place:
                    ground = witnessed(ground, thing, Occurrence(scene.stamp, Happening.ABSENT, place, {p: ATTENTION for p in lookers}))
    return ground


def _shown(state: SocialState, sightings: Sequence[Sighting]) -> Mapping[tuple[str, frozenset[str]], str]:
    """The joint sightings that stand: a new one of a thing, a look in vain or a word about it ends what was seen of it before."""
    ended = {thing for thing, _ in state.shown if state.ground.record[thing][-1].happening is not Happening.SEEN}
    now = {(thing, who): place for thing, who, place in sightings if thing not in ended}
    moved = {thing for (thing, who), place in now.items() if state.shown.get((thing, who), place) != place}
    if not ended and not moved and all(key in state.shown for key in now):
        return state.shown
    return {**{k: v for k, v in state.shown.items() if k[0] not in ended | moved}, **now}


def _nested(state: SocialState, people: Sequence[str]):
    """What each thinks each other thinks, recomputed only for things whose record changed."""
    cache: dict[tuple[str, str, str], tuple[int, Mapping[str, float]]] = {}
    out: dict[str, dict[str, dict[str, Mapping[str, float]]]] = {}
    for i, p in enumerate(people):
        for q in people[i + 1:]:
            for thing, version in state.ground.version.items():
                for pair in ((p, q), (q, p)):
                    key = (*pair, thing)
                    held = state.nested.get(key)
                    if held is None or held[0] != version:
                        held = (version, believed(state.ground, pair, thing))
                    cache[key] = held
                    if held[1].get(ELSEWHERE, 0.0) < 1.0 - 1e-9:
                        out.setdefault(pair[0], {}).setdefault(pair[1], {})[thing] = held[1]
    return out, cache
