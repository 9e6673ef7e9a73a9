"""Every act that could help now, each with its value in seconds of people's time, term by term.

    value(a) = Σ_w P(w) · saved(a | w) + answer − robot's time − (1 − Σ_w P(w)) · bother − risk

with w the wants of one person that the act serves (a person's goal posterior, belief and search enter through ``saved``), all under
the robot's own belief about where things are. Doing nothing has value 0 by definition and is always a candidate.
Invariant: every list is in a fixed order, and no candidate names an entity the scene graph does not hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from household import classes
from household.actions import Verb
from household.classes import Kind
from household.goals import GoalKind
from household.scene_graph import ELSEWHERE, ROBOT, Openness
from mind.output import Minds

from planner import search
from planner.acts import NOTHING, CandidateValue, Fact, FactKind, HelpAct, HelpKind
from planner.chores import Chore, chores
from planner.geometry import Geometry, likely
from planner.memory import PlannerState, may_tell, moved_since, told_before, told_of_another
from planner.speech import carried_out_of, carrier, had_it_last, may_know_better, mover
from planner.wants import GUESSED, JUST_S, SEARCHING, Want, WantSource, faded

_AWAY = frozenset({Verb.PUTIN, Verb.PUTBACK})
MAX_OBJECTS = 3  # entities of one class that are considered, those that surely exist first
MAX_FAILURES = 1  # a plan is repaired while it runs; once given up, another act is tried
ASKED_TRIP_S = 8.0  # to wherever the one who moved it says it is
PUT_TO_ME = 0.5  # that it does not know the robot says only to who probably asked the robot
_CONVINCED = 0.5  # probability from which on the mind says what somebody thinks, whatever they were told
_HARDLY_HERE = 0.15  # probability up to which a thing is said to have been taken out of a room
_IN_THAT_ROOM = 0.75  # how surely it must be in the room it was carried into for that to be said: they may have gone on
_IN_VAIN = 0.5  # what a vain errand leaves of how surely a thing is at a place
_UNSPOKEN = 1.0 / 9.0  # odds that somebody is after some particular thing before anything they do speaks for it
_BEHAVES = 5.0  # at most, how much likelier than without the thing somebody's behaviour is
_WAS_THERE = 0.6  # confidence in a thing from which on it is said to have been moved
HAD_OPEN_S = 10.0  # s for which who has had a container open is not told that something is in it
LOOKS_AT = 0.4  # rad off the middle of a place within which somebody who stands before it looks at it
RETRY_S = 10.0  # a chore that is still there so long after it was done is done again


def robot_belief(minds: Minds, geometry: Geometry, obj: str) -> Mapping[str, float]:
    """Where the robot thinks ``obj`` is; what it sees there right now counts for certain."""
    e = geometry.entity(obj)
    seen = geometry.place_of(obj)
    if e is not None and e.visible and seen is not None:
        return {seen: 1.0}
    belief = minds.robot.get(obj)
    return belief if belief else ({seen: 1.0} if seen is not None else {ELSEWHERE: 1.0})


def person_belief(minds: Minds, geometry: Geometry, person: str, obj: str) -> Mapping[str, float]:
    belief = minds.people[person].beliefs.get(obj)
    if belief:
        return belief
    places = sorted(e.id for e in geometry.of_kind(Kind.CONTAINER, Kind.SURFACE))
    return {p: 1.0 / len(places) for p in places} if places else {ELSEWHERE: 1.0}


def _knows(state: PlannerState, minds: Minds, geometry: Geometry, person: str, obj: str) -> Mapping[str, float]:
    """What they think of where it is; and unless they are convinced of something else since, they believe what somebody has told them, whatever their ways may seem
    to say."""
    belief, heard = person_belief(minds, geometry, person, obj), state.stated.get((person, obj))
    place, sure = likely(belief)
    return belief if heard is None or (place != heard and sure >= _CONVINCED) else search.told(belief, heard, geometry.config.trust)


def candidates(state: PlannerState, minds: Minds, geometry: Geometry, everybody: tuple[Want, ...],
               now: float) -> tuple[CandidateValue, ...]:
    """All candidates, best first; doing nothing is among them. Ties go to doing nothing, then to the smaller key.
    ``everybody``: the wants of all people."""
    found: list[CandidateValue] = []
    everybody = tuple(faded(w, geometry, now) for w in everybody)
    for want in everybody:
        if _settled(state, want) or _mere_guess(state, want, minds, geometry):
            continue
        objects = sorted(want.objects, key=lambda o: -geometry.exists(o))[:MAX_OBJECTS]
        alone = [search.expected_seconds(geometry, want.person, o, _knows(state, minds, geometry, want.person, o), robot_belief(
            minds, geometry, o)) for o in objects]
        for i, obj in enumerate(objects):
            others = min((*alone[:i], *alone[i + 1:]), default=float("inf"))
            found += _for_object(state, minds, geometry, want, obj, min(alone), others, everybody)
        if want.source is WantSource.QUESTION and not want.objects:
            found += _unknown_thing(state, geometry, want)
    for chore in chores(state, minds, geometry):
        found += _for_chore(state, geometry, chore, everybody)
    found += _questions(state, minds, geometry, everybody, found, now)
    allowed = [c for c in _merged(found) if _allowed(state, geometry, c)]
    allowed.append(CandidateValue(NOTHING, reason="nobody is better off for it"))
    return tuple(sorted(allowed, key=lambda c: (-c.total, c.act.kind is not HelpKind.NOTHING, c.act.key)))


def _settled(state: PlannerState, want: Want) -> bool:
    """Said no since, or was helped with exactly this and nothing has changed."""
    return state.refused.get(want.person, float("-inf")) >= want.since and not want.spoken_for


def _mere_guess(state: PlannerState, want: Want, minds: Minds, geometry: Geometry) -> bool:
    """Whether only behaviour speaks for the want, too weakly: what somebody is mistaken about, or was until they found it gone, is set right sooner than
    they are offered anything."""
    if want.source is not WantSource.GOAL or (want.probability >= geometry.config.min_guess and not _just_put_away(state, want.person, geometry)):
        return False
    if any((want.person, o) in state.mistaken for o in want.objects):
        return False
    return not any(f.object in want.objects and f.probability >= geometry.config.false_belief for f in minds.people[want.person].false_beliefs)


def _just_put_away(state: PlannerState, person: str, geometry: Geometry) -> bool:
    """Whether all they did lately may have been for what they put away: since then they opened nothing, came into no
    room, and went to one place at the most."""
    own = [e for e in state.events if e.actor == person]
    put = max((e.start for e in own if e.verb in _AWAY and _is_container(geometry, e.place)), default=None)
    if put is None:
        return False
    since = [e for e in own if e.start > put]
    return not any(e.verb in (Verb.OPEN, Verb.ENTER) for e in since) and len({e.target for e in since if e.verb is Verb.WALKTOWARDS}) < 2


def _is_container(geometry: Geometry, place: str | None) -> bool:
    e = geometry.entity(place) if place is not None else None
    return e is not None and e.kind is Kind.CONTAINER


def _merged(found: list[CandidateValue]) -> list[CandidateValue]:
    best: dict[str, CandidateValue] = {}
    for c in found:
        if c.act.key not in best or c.total > best[c.act.key].total:
            best[c.act.key] = c
    return list(best.values())


def _allowed(state: PlannerState, geometry: Geometry, c: CandidateValue) -> bool:
    config, act = geometry.config, c.act
    if act.is_word and config.muted:
        return False
    if act.kind is HelpKind.POINT and not config.muted:
        return False
    if act.kind in (HelpKind.FETCH, HelpKind.OPEN, HelpKind.CLOSE, HelpKind.MOVE, HelpKind.SWITCH_ON,
                    HelpKind.SWITCH_OFF) and not config.has_arm:
        return False
    least = min(config.min_missed, config.min_need) if act.is_word and (act.person, act.object) in state.mistaken else config.min_need
    return state.failures.get(act.key, 0) < MAX_FAILURES and (c.need >= least or c.answer > 0.0)


# one object, one person


def _for_object(state: PlannerState, minds: Minds, geometry: Geometry, want: Want, obj: str, now_s: float, others_s: float,
                everybody: tuple[Want, ...]) -> list[CandidateValue]:
    """``now_s``: seconds until the person has any of the things that would do, as things stand; ``others_s``: any but this one."""
    mine = robot_belief(minds, geometry, obj)
    theirs = _knows(state, minds, geometry, want.person, obj)
    place, sure = likely(mine)
    sure *= _to_be_found(state, obj, place) * (1.0 if want.spoken_for else _exists(geometry, want, obj))
    if want.source in GUESSED and (_finds_it(geometry, want.person, obj, place, theirs) or _had_it_open(state, want.person, obj, place, geometry.graph.stamp)):
        return []
    result = []
    if (tell := _tell(state, geometry, want, obj, mine, theirs, now_s)) is not None:
        result.append(tell)
        if tell.act.fact.kind is FactKind.AT:
            result.append(_point(geometry, tell))
    if place is not None and place not in (ELSEWHERE, want.person) and sure >= geometry.config.known_place:
        before = told_before(state, want.person, obj)
        waiting = (before is not None and not before.disbelieved and not moved_since(state, obj, before.stamp)) or told_of_another(state, want.person, obj)
        if (place == ROBOT or not _is_person(geometry, place)) and not (waiting and want.source in GUESSED):
            alone = min(others_s, search.expected_seconds(geometry, want.person, obj, theirs, {place: 1.0}))
            fetch = _fetch(minds, geometry, want, obj, place, sure * (geometry.exists(obj) if want.spoken_for else 1.0), alone, everybody)
            if not _done(state, fetch.act, want.since if want.spoken_for else float("-inf")):
                result.append(fetch)
    return result


def _done(state: PlannerState, act: HelpAct, since: float) -> bool:
    """Whether this was already done for a reason not newer than ``since``, and nobody has undone it."""
    finished = state.done.get(act.key)
    return finished is not None and since <= finished and not moved_since(state, act.object, finished)


def _is_person(geometry: Geometry, place: str) -> bool:
    e = geometry.entity(place)
    return e is not None and e.kind in (Kind.PERSON, Kind.ROBOT)


def _tell(state: PlannerState, geometry: Geometry, want: Want, obj: str, mine: Mapping[str, float],
          theirs: Mapping[str, float], now_s: float) -> CandidateValue | None:
    config = geometry.config
    if want.source in (WantSource.REQUEST, WantSource.NEED) and geometry.place_of(obj) == ROBOT:
        return None
    news = _news(state, geometry, want, obj, mine, theirs)
    if news is None:
        return None
    fact, after, risk = news
    if not may_tell(state, want.person, fact, want.since if want.source is WantSource.QUESTION else float("-inf")):
        return None
    if fact.place is not None and fact.place not in geometry.graph.entities:
        return None
    if not want.spoken_for and told_of_another(state, want.person, obj):
        return None
    if fact.place is not None and state.stated.get((want.person, obj)) == fact.place == likely(theirs)[0]:
        return None  # nobody is told what they said themselves, or have been told by others
    if fact.kind is FactKind.AT and want.source is not WantSource.QUESTION and fact.place == geometry.room_of(want.person):
        return None  # "it is in this room" is no news to somebody in it
    then_s = search.expected_seconds(geometry, want.person, obj, after, mine)
    if fact.kind in (FactKind.MOVED, FactKind.TAKEN):
        then_s = min(then_s, _by_asking(geometry, want.person, mover(state.events, obj, want.person)))
    saved = now_s - then_s - config.listen_s
    travel = 0.0 if geometry.in_earshot(want.person) else geometry.drive_s(ROBOT, want.person)
    p = want.probability
    plainly_missed = want.source is WantSource.MISSED and p >= config.plain
    answer = p * (config.answer_value_s if want.source is WantSource.QUESTION else config.missed_value_s if plainly_missed else 0.0)
    bother = 0.0 if want.spoken_for else (1.0 - p) * config.bother_tell_s
    act = HelpAct(HelpKind.TELL, want.person, obj, fact.place if fact.kind in (FactKind.AT, FactKind.TAKEN) else None, fact=fact)
    return CandidateValue(act, p * saved, answer, -config.robot_rate * (travel + config.listen_s), -bother, -risk, p,
                          f"search {now_s:.0f} s as things stand, {now_s - saved:.0f} s when told", want.source in GUESSED)


def _finds_it(geometry: Geometry, person: str, obj: str, place: str | None, theirs: Mapping[str, float]) -> bool:
    """Whether somebody stands before the very place and looks at it, more than at where they think the thing is, and gets at it: they are about to find it."""
    off = geometry.off_sight(person, place)
    return off <= LOOKS_AT and off < geometry.off_sight(person, likely(theirs)[0]) and geometry.reachable(person, obj)


def _had_it_open(state: PlannerState, person: str, obj: str, place: str | None, now: float) -> bool:
    """Whether they have just opened or shut the very container, since the thing was put there: they have found it, whatever the robot saw of that, or it is not there."""
    at = [e.start if e.end is None else e.end for e in state.events if e.actor == person and e.target == place and e.verb in (Verb.OPEN, Verb.CLOSE)]
    return bool(at) and now - at[-1] <= HAD_OPEN_S and not moved_since(state, obj, at[-1])


def _news(state: PlannerState, geometry: Geometry, want: Want, obj: str, mine: Mapping[str, float],
          theirs: Mapping[str, float]) -> tuple[Fact, Mapping[str, float], float] | None:
    """The most that can be said truly about where a thing is: the fact, what the listener will believe, what its being wrong may cost (s)."""
    config, asked = geometry.config, want.source is WantSource.QUESTION
    place, sure = likely(mine)
    sure *= _to_be_found(state, obj, place) * (1.0 if asked else _exists(geometry, want, obj))
    known = place not in (None, ELSEWHERE) and sure >= config.known_place
    under_way = known and not asked and _is_person(geometry, place)
    if under_way and geometry.entity(place).visible:
        return None  # on its way to somewhere: wait until it is there
    if known and not under_way:
        if sure >= config.sure_place:
            return Fact(FactKind.AT, obj, place), search.told(theirs, place, config.trust), (1.0 - sure) * config.false_word_s
        after = search.told(theirs, place, sure * config.trust)  # it says that it only thinks so, and is believed no more than that
        return Fact(FactKind.AT, obj, place, doubtful=True), after, (1.0 - sure) * config.doubtful_word_s
    room, there = _taken_into(state, geometry, want.person, obj, mine)
    if room is not None and there >= max(_IN_THAT_ROOM, config.known_place):
        after = search.told_room(theirs, mine, geometry.places_in(room), config.trust)
        return Fact(FactKind.TAKEN, obj, room), after, (1.0 - there) * config.false_word_s
    wrong_place = _mistaken_at(state, want.person, obj, theirs, config.false_belief, found_out=not asked)
    there = asked or geometry.exists(obj) >= _WAS_THERE  # a mistake of the eyes vanishes, too
    there = there and not had_it_last(state.events, obj, want.person, geometry.graph.stamp - JUST_S)  # they know better than who lost sight of it
    if not under_way and wrong_place is not None and mine.get(wrong_place, 0.0) <= 0.1 and there:
        room = carried_out_of(state.events, obj, mover(state.events, obj, want.person), geometry.graph)
        still = sum(mine.get(p, 0.0) for p in geometry.places_in(room)) if room is not None else 1.0
        return Fact(FactKind.MOVED, obj, wrong_place, room if still <= _HARDLY_HERE else None), search.told_moved(theirs, mine, config.trust), 0.0
    return (Fact(FactKind.UNKNOWN, obj), theirs, 0.0) if asked and want.probability >= PUT_TO_ME else None


def _exists(geometry: Geometry, want: Want, obj: str) -> float:
    """How surely there is such a thing, by Bayes: what the eyes say, and that somebody behaves as if they were after it, which nobody does of what is only a mistake of the
    robot's eyes. The odds of the want against those of a thing that nothing speaks for."""
    seen, p = geometry.exists(obj), min(want.probability, 0.99)
    speaks = min(_BEHAVES, max(1.0, p / (1.0 - p) / _UNSPOKEN))
    return seen * speaks / (seen * speaks + 1.0 - seen)


def _to_be_found(state: PlannerState, obj: str, place: str | None) -> float:
    """What is left of it after errands to that place for one of its class that came to nothing."""
    return _IN_VAIN ** state.in_vain.get((classes.class_of(obj), place or ""), 0)


def _mistaken_at(state: PlannerState, person: str, obj: str, theirs: Mapping[str, float], sure: float, found_out: bool) -> str | None:
    """Where the person thinks it is, or, with ``found_out``, thought so until they found it gone; not where they may know better."""
    place, p = likely({q: w for q, w in theirs.items() if q != ELSEWHERE})
    if place is not None and p >= sure and not may_know_better(state.events, obj, person, place):
        return place
    return state.mistaken.get((person, obj), (None, 0.0))[0] if found_out else None


def _taken_into(state: PlannerState, geometry: Geometry, person: str, obj: str, mine: Mapping[str, float]) -> tuple[str | None, float]:
    """The room in which the robot most believes a thing to be, of those that somebody else was seen going into with it; and how much."""
    who, rooms = carrier(state.events, obj)
    shares = {r: sum(p for place, p in mine.items() if place != ELSEWHERE and geometry.room_of(place) == r) for r in rooms}
    return likely(shares if who not in (None, person, ROBOT) else {})


def _by_asking(geometry: Geometry, person: str, who: str | None) -> float:
    """Seconds to get a thing from whoever is known to have moved it: go and ask, go where they say."""
    if geometry.position(who) is None:
        return float("inf")
    config = geometry.config
    return geometry.walk_s(person, person, who) + config.ask_s + ASKED_TRIP_S + config.pick_s


def _point(geometry: Geometry, tell: CandidateValue) -> CandidateValue:
    """As good as a word only where both are in the same room as the thing; slower to understand."""
    act = replace(tell.act, kind=HelpKind.POINT)
    here = geometry.room_of(ROBOT)
    visible = here is not None and here == geometry.room_of(act.person) == geometry.room_of(act.place)
    return replace(tell, act=act, saved=tell.saved - 2.0 if visible else -1.0, answer=tell.answer if visible else 0.0)


def _fetch(minds: Minds, geometry: Geometry, want: Want, obj: str, place: str, sure: float, now_s: float,
           everybody: tuple[Want, ...]) -> CandidateValue:
    """``now_s``: seconds it takes the person alone where the robot is right about the place; where it is not, its errand saves nothing."""
    config, p = geometry.config, want.probability
    shut = (e := geometry.entity(place)) is not None and e.kind is Kind.CONTAINER and e.openness is not Openness.OPEN
    handling = 2.0 * config.pick_s + (2.0 * config.open_s if shut else 0.0)
    time = geometry.drive_s(ROBOT, place) + handling + geometry.drive_s(place, want.person)
    if geometry.holder.get(obj) == ROBOT:
        time = geometry.drive_s(ROBOT, want.person) + config.pick_s
    effort = now_s + (config.dark_s if want.stuck else 0.0)
    if want.spoken_for:
        effort += geometry.walk_s(want.person, place, want.person)  # and the way back
    saved = sure * effort - config.wait_weight * time - (1.0 - sure) * time
    answer = p * config.answer_value_s if want.source in (WantSource.REQUEST, WantSource.NEED) else 0.0
    bother = 0.0 if want.spoken_for else (1.0 - p) * config.bother_fetch_s
    claims = sum(w.probability * config.claim_s for w in everybody
                 if w.person != want.person and obj in w.objects and len(w.objects) == 1)
    claims += _placed_on_purpose(minds, want.person, obj, place) * config.claim_s
    return CandidateValue(HelpAct(HelpKind.FETCH, want.person, obj, place), p * saved, answer, -config.robot_rate * time,
                          -bother, -(claims + config.manipulation_risk_s), p,
                          f"{now_s:.0f} s by themselves, {time:.0f} s waiting for the robot", want.source in GUESSED)


def _placed_on_purpose(minds: Minds, person: str, obj: str, place: str) -> float:
    """Probability that somebody else wants it to be where it is."""
    best = 0.0
    for other, mind in minds.people.items():
        if other != person:
            best = max(best, sum(p for g, p in mind.goals if g.kind in (GoalKind.PUT, GoalKind.SET) and g.place == place
                                 and (obj in g.targets or obj.rpartition("_")[0] in g.targets)))
    return best


def _unknown_thing(state: PlannerState, geometry: Geometry, want: Want) -> list[CandidateValue]:
    """Asked for something the robot has never seen: an honest word."""
    fact = Fact(FactKind.UNKNOWN, want.target)
    if not may_tell(state, want.person, fact, want.since):
        return []
    return [CandidateValue(HelpAct(HelpKind.TELL, want.person, want.target, None, fact=fact), 0.0,
                           geometry.config.answer_value_s * want.probability * 0.5, -geometry.config.robot_rate *
                           geometry.config.listen_s, 0.0, 0.0, want.probability, "asked, and the robot has not seen one")]


# chores and questions


def _for_chore(state: PlannerState, geometry: Geometry, chore: Chore, everybody: tuple[Want, ...]) -> list[CandidateValue]:
    config = geometry.config
    time = geometry.drive_s(ROBOT, chore.object) + config.open_s
    if chore.kind is HelpKind.MOVE:
        time += 2.0 / config.robot_speed
    act = HelpAct(chore.kind, chore.person, chore.object, chore.place, chore.destination)
    if _done(state, act, chore.since - RETRY_S):
        return []
    claims = sum(w.probability * config.claim_s for w in everybody if chore.object in w.objects)
    bother = (1.0 - chore.probability) * config.bother_tell_s
    wait = config.wait_weight * time if chore.person is not None else 0.0
    return [CandidateValue(act, chore.probability * (chore.worth - wait), 0.0, -config.robot_rate * time, -bother,
                           -(claims + 0.5 * config.manipulation_risk_s), chore.probability, chore.text)]


def _questions(state: PlannerState, minds: Minds, geometry: Geometry, everybody: tuple[Want, ...],
               found: list[CandidateValue], now: float) -> list[CandidateValue]:
    """Ask which of two things somebody wants, where knowing it is worth more than acting on the posterior.

    Value of information: Σ_w P(w) · max(0, max_a V(a | w)) − max(0, max_a V(a)) − the person's time to answer.
    """
    config, result = geometry.config, []
    for person in sorted({w.person for w in everybody}):
        open_wants = sorted((w for w in everybody if w.person == person and w.source is WantSource.GOAL),
                            key=lambda w: (-w.probability, w.target))[:2]
        p = min(1.0, sum(w.probability for w in open_wants))
        asked = max((t for key, t in state.done.items() if key.startswith(f"{HelpKind.ASK.value}({person},")), default=float("-inf"))
        if len(open_wants) < 2 or p < config.min_unclear or minds.people[person].searching < SEARCHING or now - asked < config.ask_again_s or not geometry.in_earshot(person):
            continue
        acts = [c for c in found if c.act.person == person]
        informed = sum(w.probability * max([0.0, *(_if_certain(c, config) for c in acts if c.act.object in w.objects)])
                       for w in open_wants)
        blind = max([0.0, *(c.total for c in acts)])
        act = HelpAct(HelpKind.ASK, person, options=tuple(w.target for w in open_wants))
        result.append(CandidateValue(act, informed - blind - config.ask_s, 0.0, -config.robot_rate * config.ask_s,
                                     -(1.0 - p) * config.bother_tell_s, 0.0, p, "what to help with is not clear"))
    return result


def _if_certain(c: CandidateValue, config) -> float:
    """The value of an act once its want is known to be there."""
    if c.need <= 0.0:
        return 0.0
    return c.saved / c.need + c.answer / c.need + c.robot + c.risk
