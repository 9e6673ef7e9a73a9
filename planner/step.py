"""The planner's step: what people believe and want, what just happened and was said → one decision and what to start now.

Design reason: one act at a time, chosen by expected value, kept until it is done, has failed or lost its reason. All time is message
time and all outcomes come back as messages, so replaying a recording gives the same decisions.
Invariant: a command is only ever issued for an act whose plan passes ``plans.problem`` on the graph it was made for; nothing new is
started on a graph or on minds older than the sensors' time-out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Union

from household import classes
from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph
from household.speech import SpeechAct
from mind.output import Minds

from planner import chores, follow, gaze, plans, speech, vantage
from planner.acts import NOTHING, CandidateValue, HelpAct, HelpKind
from planner.candidates import candidates
from planner.compose import Scene, compose
from planner.config import PlannerConfig
from planner.decision import Decision
from planner.follow import Standing
from planner.geometry import SURELY, Geometry, Point
from planner.memory import Active, PlannerState, Unclear, bounded, hear, note_mistaken, note_told, renamed, told_before
from planner.vantage import Spot
from planner.wants import SEARCHES_S, SEARCHING, STILL_THERE, Want, looks_about, wants

MAX_HEARD = 64
PLAIN_WALK = 0.5  # a walk's target less probable than this is for the mind to weigh, not for the planner to speak of
_FOR_THINGS = frozenset({HelpKind.TELL, HelpKind.POINT, HelpKind.FETCH})
_CLEAR_WALK = 0.7  # how sure it must be where somebody goes who has just come in, for that to show what for
_LEAST = 0.3  # of the margin by which an act must be worth more than nothing: what is left where it is certain that it is wanted
_DOUBTFUL_S = 1.2  # s for which that is waited for which waiting hardly makes clearer, while it is less probable than min_guess
_JUST_IN_S = 1.2  # s from when somebody comes in for which they are on their way to something
_PLAINLY_SEARCHES = 0.78  # how likely somebody who still walks must be to search
_FAR_MORE, _SO_MUCH_MORE = 2.0, 5.0  # times as much an act must be worth as waiting spares them, if they are after something else: of who has seen that it is gone, of anybody
_LIKELY = 0.8  # how probable a want must be for that, of somebody who may have seen nothing yet
_STILL = 0.5  # of what an act must be worth: so much it must stay worth while it is waited for
SURELY_WRONG = 0.75  # a false belief this probable is remembered after it was found out


@dataclass(frozen=True)
class PlannerInput:
    """Everything new up to ``stamp`` (message time, s). ``events``, ``utterances`` and ``acts`` are what came since the last
    step, the robot's own doings and words included; ``acts`` are the utterances as read by ``mind.dialogue``."""

    stamp: float
    graph: SceneGraph
    minds: Minds
    events: tuple[HumanAction, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    acts: tuple[SpeechAct, ...] = ()


@dataclass(frozen=True)
class Execute:
    """Start this plan. ``act`` says what it is for; a step may take at most ``step_deadline`` seconds."""

    plan_id: int
    plan: tuple[AtomicAction, ...]
    act: HelpAct
    step_deadline: float


@dataclass(frozen=True)
class Say:
    text: str
    addressee: str | None


@dataclass(frozen=True)
class Cancel:
    """Stop the plan safely and still, now."""

    plan_id: int
    reason: str


Command = Union[Execute, Say, Cancel]


@dataclass(frozen=True)
class PlannerOutput:
    """``decision``: the one in force. ``changed``: it was taken in this very step. ``commands``: to start now, in order.
    ``gaze``: map point the camera should look at, or None. ``stand``: floor point (x, y), map, m, to see better from, or None: where it is."""

    decision: Decision
    commands: tuple[Command, ...] = ()
    gaze: Point | None = None
    stand: Spot | None = None
    changed: bool = False


def step(state: PlannerState, inp: PlannerInput, config: PlannerConfig) -> tuple[PlannerState, PlannerOutput]:
    """One step. Total: never raises on any scene graph, minds or events; what cannot be used is ignored."""
    if inp.stamp < state.stamp:  # a recording started over
        state = PlannerState()
    inp = replace(inp, graph=chores.switched_by_hand(inp.graph, (*state.events, *inp.events)))
    geometry = Geometry(inp.graph, config, (*state.events, *inp.events))
    state = _take_in(state, inp, config, geometry)
    wanted = wants(inp.minds, geometry, state, config.min_want, inp.stamp)
    state = follow.disbelief(state, inp.minds, geometry, wanted)
    commands: list[Command] = []
    before = state.decision
    if state.active is not None:
        state = _follow(state, inp, geometry, wanted, commands)
    if state.active is None:
        state = _decide(state, inp, config, geometry, wanted, commands)
    helped = state.active.act.person if state.active else None
    look = gaze.step(state.gaze, geometry, inp.minds, state.events, helped, inp.stamp, state.tracks)
    stand = vantage.step(state.vantage, geometry, inp.minds, state.events, inp.stamp, state.tracks, look.looked if look is not None else {}) if state.active is None else vantage.stay(state.vantage, inp.stamp)
    doubtful = chores.worth_a_look(state, geometry) if state.active is None else None
    decision = replace(state.decision, stamp=inp.stamp)
    changed = before is None or decision.since != before.since
    state = replace(state, decision=decision, gaze=look, vantage=stand, stamp=inp.stamp)
    point = doubtful.position if doubtful is not None else look.point if look is not None else None
    return state, PlannerOutput(decision, tuple(commands), point, stand.spot, changed)


def _take_in(state: PlannerState, inp: PlannerInput, config: PlannerConfig, geometry: Geometry) -> PlannerState:
    state = _turned_up(state, geometry, config, inp.stamp)
    state = replace(state, events=(*state.events, *filter(_plain, inp.events))[-config.max_events:],
                    heard=(*state.heard, *inp.utterances)[-MAX_HEARD:], unclear=_unclear(state.unclear, inp.events, geometry, config, inp.stamp))
    state = hear(state, inp.acts, inp.utterances, inp.stamp, ROBOT)
    state = renamed(state, inp.graph.renamed)
    now_searching = {p: inp.stamp for p, mind in inp.minds.people.items() if mind.searching >= SEARCHING}
    state = replace(state, searched={**{p: t for p, t in state.searched.items() if inp.stamp - t <= SEARCHES_S}, **now_searching})
    state = note_mistaken(follow.prune_requests(state, geometry, inp.stamp), inp.minds, SURELY_WRONG)
    return chores.observe(state, inp.graph, geometry)


def _turned_up(state: PlannerState, geometry: Geometry, config: PlannerConfig, now: float) -> PlannerState:
    """Notes who is seen in another room than before: they have come in, also where nobody saw them come through the door."""
    rooms, arrived, unclear = dict(state.rooms), dict(state.arrived), dict(state.unclear)
    for p in geometry.of_kind(Kind.PERSON):
        room = geometry.room_of(p.id)
        if not p.visible or room is None:
            continue
        if rooms.get(p.id, room) != room:
            arrived[p.id] = now
            unclear[p.id] = Unclear(now, now + config.came_s, True)
        rooms[p.id] = room
    return replace(state, rooms=rooms, arrived=arrived, unclear=unclear)


def _plain(event: HumanAction) -> bool:
    """Whether an event is clear enough to be acted on and spoken of; walks are also told in alternatives, which the mind weighs."""
    return event.verb is not Verb.WALKTOWARDS or event.confidence >= PLAIN_WALK


def _unclear(before: Mapping[str, Unclear], events: Sequence[HumanAction], geometry: Geometry, config: PlannerConfig, now: float) -> dict[str, Unclear]:
    """Who is on a walk of which nobody can tell what it is for: it may lead to several things none of which is likely, or it leads to another room, or
    they have come in and gone to nothing there yet."""
    after, told = dict(before), set()
    for e in events:
        if e.verb is Verb.WALKTOWARDS:
            if (e.actor, e.start, e.end) in told:
                continue  # another alternative of the same walk
            told.add((e.actor, e.start, e.end))
        last = after.pop(e.actor, None)
        walk = [o for o in events if o.verb is Verb.WALKTOWARDS and (o.actor, o.start) == (e.actor, e.start)]
        plain = [o for o in walk if _plain(o)]
        if e.verb is Verb.ENTER or any(_is_room(geometry, o.target) for o in plain):
            after[e.actor] = Unclear(e.start, (now if e.end is None else min(now, e.end)) + config.came_s, True)
        elif e.verb is Verb.WALKTOWARDS and last is not None and last.came and (now < last.until or last.walking) and not any(o.confidence >= _CLEAR_WALK for o in walk):
            later = min(now + config.unclear_s, e.start + 2 * config.came_s) if e.end is None else 0.0  # where they get to soon shows
            after[e.actor] = replace(last, walks=True, walking=e.end is None, until=max(last.until, later))  # they have come in, and still it does not show what for
        elif e.verb is Verb.WALKTOWARDS and e.end is None and not plain:
            after[e.actor] = Unclear(e.start, last.until if last is not None and last.since == e.start else now + config.unclear_s, False)
    return after


def _is_room(geometry: Geometry, name: str | None) -> bool:
    e = geometry.entity(name)
    return e is not None and e.kind is Kind.ROOM


def _follow(state: PlannerState, inp: PlannerInput, geometry: Geometry, wanted, commands: list[Command]) -> PlannerState:
    """Advance the active act; close it when it is over."""
    active = state.active
    how, why, active = follow.standing(state, active, geometry, inp.minds, wanted, inp.stamp)
    if how is Standing.RUNNING:
        return replace(state, active=active)
    key = active.act.key
    if how is Standing.DONE:
        return replace(state, active=None, done=bounded(state.done, key, inp.stamp))
    if not active.act.is_word or len(active.plan) > 1:
        commands.append(Cancel(active.plan_id, why))
    if how is Standing.FAILED:
        told = tuple(t for t in state.told if not (active.act.is_word and t.fact == active.act.fact
                                                   and t.person == active.act.person))
        return replace(_gone_for(state, active.act, geometry), active=None, told=told, failures=bounded(state.failures, key, state.failures.get(key, 0) + 1))
    return replace(state, active=None)


def _gone_for(state: PlannerState, act: HelpAct, geometry: Geometry) -> PlannerState:
    """Noted where the robot went for a thing that its eyes may have been mistaken about, and came back without."""
    e = geometry.entity(act.object)
    if act.kind is not HelpKind.FETCH or act.object is None or act.place is None or (e is not None and e.confidence >= SURELY):
        return state
    at = classes.class_of(act.object), act.place
    return replace(state, in_vain=bounded(state.in_vain, at, state.in_vain.get(at, 0) + 1))


def blind(inp: PlannerInput, config: PlannerConfig) -> str:
    """Why nothing may be decided on this input; '' when it is fresh and the sensors are well."""
    if inp.graph.could_not_see:
        return "I cannot see: " + "; ".join(inp.graph.could_not_see)
    for name, stamp in (("scene graph", inp.graph.stamp), ("minds", inp.minds.stamp)):
        if inp.stamp - stamp > config.sensor_timeout_s:
            return f"my {name} is {inp.stamp - stamp:.1f} s old"
    return ""


def _decide(state: PlannerState, inp: PlannerInput, config: PlannerConfig, geometry: Geometry, wanted: tuple[Want, ...],
            commands: list[Command]) -> PlannerState:
    reason = blind(inp, config)
    values = () if reason else candidates(state, inp.minds, geometry, wanted, inp.stamp)
    best = values[0] if values else CandidateValue(NOTHING)
    margin = config.margin_s * min(1.0, max(_LEAST, (1.0 - best.need) / (1.0 - config.plain)))  # the surer they want it, the less may count against it
    if best.act.kind is HelpKind.NOTHING or best.total <= margin:
        if best.act.kind is not HelpKind.NOTHING:
            reason = f"the best act would be worth only {best.total:.1f} s"
            if state.favourite is not None and state.favourite[0] == best.act.key and best.total > _STILL * margin:
                return _rest(state, inp, geometry, values, reason)  # a little less for a moment does not begin the wait anew
        return _rest(replace(state, favourite=None), inp, geometry, values, reason)
    since = state.favourite[1] if state.favourite and state.favourite[0] == best.act.key else inp.stamp
    state = replace(state, favourite=(best.act.key, since))
    if inp.stamp - since < _patience(state, best, geometry, config, inp) and (best.answer <= 0.0 or best.guessed and _just_in(state.unclear.get(best.act.person), inp.stamp)):
        return _rest(state, inp, geometry, values, "about to help, if it stays so")
    return _start(state, inp, config, geometry, best, values, commands)


def _worth_waiting(best: CandidateValue, seconds: float) -> bool:
    """Whether so much longer until it is clear what somebody is up to is worth more than it costs: what it spares them if they do not want this, against
    their time if they do."""
    return -best.bother > best.need * seconds


def _found_gone(state: PlannerState, minds: Minds, act: HelpAct) -> bool:
    """Whether they have seen that the thing is not where they thought, and search: wherever they go next, it may be for that."""
    mind, (place, _) = minds.people.get(act.person), state.mistaken.get((act.person, act.object), (None, 0.0))
    return mind is not None and place is not None and looks_about(mind, state, minds.stamp) and mind.beliefs.get(act.object, {}).get(place, 0.0) < STILL_THERE


def _passing(state: PlannerState, minds: Minds, best: CandidateValue) -> bool:
    """Whether somebody is on the way still to what they have come in for, and does not plainly search: what they see to be empty on the way is not where they went to look.
    Where a word is worth far more to them than it spares them not to be told, that is not waited for."""
    unclear = state.unclear.get(best.act.person)
    if unclear is None or not unclear.came or not unclear.walking:
        return False
    if _just_in(unclear, minds.stamp):
        return True
    return minds.people[best.act.person].searching < _PLAINLY_SEARCHES and best.total < _FAR_MORE * -best.bother


def _just_in(unclear: Unclear | None, now: float) -> bool:
    """Whether somebody has come in so lately that they are on their way still, however much they seem to search."""
    return unclear is not None and unclear.came and now < unclear.since + _JUST_IN_S


def _patience(state: PlannerState, best: CandidateValue, geometry: Geometry, config: PlannerConfig, inp: PlannerInput) -> float:
    """How long an act must stay best; longer when whoever moved the thing is there, too, and may say it themselves, and when it is doubtful that it is
    wanted, or they are on their way and soon it will be clearer where to, unless it is worth so much more than waiting can spare them."""
    act = best.act
    who = speech.mover(state.events, act.object, act.person) if act.kind is HelpKind.TELL else None
    there = who is not None and geometry.room_of(who) is not None and geometry.room_of(who) == geometry.room_of(act.person)
    since = state.favourite[1] if state.favourite is not None else inp.stamp
    gone = _found_gone(state, inp.minds, act) and not _passing(state, inp.minds, best)
    doubtful = _waits(best, gone, config)
    if best.guessed and act.person in state.unclear:  # what the dark, a word or something begun tells, no walk makes clearer
        unclear = state.unclear[act.person]
        there_by = unclear.since + 2 * config.came_s
        stands = not unclear.walks or not unclear.walking and not geometry.at_a_place(act.person)
        in_doubt = there or best.need < _LIKELY or best.total < _SO_MUCH_MORE * -best.bother or _just_in(unclear, inp.stamp)
        got_there = not unclear.walking and geometry.is_at(act.person, state.mistaken.get((act.person, act.object), (None, 0.0))[0])  # where they think it is
        if in_doubt and unclear.came and stands and not got_there and best.need < config.plain and act.kind in _FOR_THINGS:
            doubtful = math.inf  # who only stands there, or in the middle of the room, is after nothing yet
        elif in_doubt and _worth_waiting(best, unclear.until - inp.stamp) and not (gone and unclear.came and best.need >= config.min_guess):
            longest = config.unclear_s if not unclear.came else _DOUBTFUL_S if gone else math.inf
            doubtful = max(doubtful, min(unclear.until - since, longest))  # who never walks plainly is not waited for for ever
        if in_doubt and (unclear.walking or unclear.came) and not gone and not got_there and best.need < config.plain and _worth_waiting(best, there_by - inp.stamp):
            doubtful = max(doubtful, there_by - since)  # what is not plain, until they have had time to get to something
        if in_doubt and unclear.came and unclear.walks and not gone:
            doubtful = max(doubtful, min(unclear.until, there_by) - since)  # however likely it is, a walk on past it would tell
    if best.need < config.plain and act.kind in _FOR_THINGS:
        doubtful = max(doubtful, _told_of_something(state, act) + config.one_word_s - since)
    return max(_others_first(state, act, since, config) if there else config.settle_s, doubtful)


def _waits(best: CandidateValue, gone: bool, config: PlannerConfig) -> float:
    """How long it waits to be surer of what behaviour tells: a part of the time for which that is worth it. Who has found it gone may go anywhere next and
    will hardly be clearer; they, and all else that is wanted, are waited for a little while it is unlikely."""
    if gone or not best.guessed:
        return _DOUBTFUL_S if best.need < config.min_guess else 0.0
    return min(config.doubtful_s, config.waits * -best.bother / max(best.need, 1e-9))


def _told_of_something(state: PlannerState, act: HelpAct) -> float:
    """When they were last told of something else: what they were thought to be after may have been that, until they have got there."""
    return max((t.stamp for t in state.told if t.person == act.person and t.fact.object != act.object), default=-math.inf)


def _others_first(state: PlannerState, act: HelpAct, since: float, config: PlannerConfig) -> float:
    """The same while somebody who knows it is there: they say it, if they do, when they are together again, not while the other is still on the way."""
    came = max((e.start if e.end is None else e.end for e in state.events if e.actor == act.person and e.verb is Verb.ENTER), default=-math.inf)
    came = max(came, state.arrived.get(act.person, -math.inf))
    return max(config.others_first_s, came + config.greeting_s - since)


def _start(state: PlannerState, inp: PlannerInput, config: PlannerConfig, geometry: Geometry, best: CandidateValue,
           values: tuple[CandidateValue, ...], commands: list[Command]) -> PlannerState:
    act = best.act
    before = told_before(state, act.person, act.object) if act.person and act.object else None
    again = before is not None and before.fact == act.fact
    plan = plans.make(act, inp.graph, geometry, state.events, again)
    if not plan:
        why = plans.why_not(act, inp.graph, geometry) or "there is nothing to do for it"
        state = replace(state, failures=bounded(state.failures, act.key, state.failures.get(act.key, 0) + 1), favourite=None)
        return _rest(state, inp, geometry, values, f"{act.key} is not possible: {why}")
    decision = compose(Scene(state, inp.minds, geometry, inp.stamp), best, values, plan)
    if act.fact is not None:
        state = note_told(state, act.person, act.fact, inp.stamp)
    number = state.plans + 1
    if len(plan) == 1 and act.is_word:
        commands.append(Say(plan[0].args[0], act.person))
    else:
        words = "" if act.is_word or config.muted else speech.sentence(act, inp.graph, state.events)
        if words and act.person is not None and act.kind is not HelpKind.POINT and geometry.in_earshot(act.person) \
                and (said := _announcement(state, act.person, words, inp.stamp, config)):
            commands.append(Say(said, act.person))
            state = replace(state, announced=bounded(state.announced, words, inp.stamp))
        commands.append(Execute(number, plan, act, config.step_deadline_s))
    deadline = inp.stamp + config.step_deadline_s * (len(plan) + 1)
    active = Active(act, plan, number, inp.stamp, deadline, inp.stamp)
    return replace(state, active=active, plans=number, decision=decision, favourite=None)


def _announcement(state: PlannerState, person: str, words: str, now: float, config: PlannerConfig) -> str:
    """How to say what the robot is about to do; '' where that has just been announced to them in these words, and they have not asked again since."""
    before = state.announced.get(words)
    if before is None or now - before > config.ask_again_s:
        return words
    return f"Of course, {words}" if any(r.person == person and r.stamp > before for r in state.requests) else ""


def _rest(state: PlannerState, inp: PlannerInput, geometry: Geometry, values: tuple[CandidateValue, ...],
          reason: str) -> PlannerState:
    """Doing nothing is a decision too; it stays the same decision while nothing else is decided."""
    old = state.decision
    if old is not None and old.act.kind is HelpKind.NOTHING and old.reason == reason:
        return replace(state, decision=replace(old, values=values))
    decision = compose(Scene(state, inp.minds, geometry, inp.stamp), CandidateValue(NOTHING), values, (), reason)
    return replace(state, decision=decision)
