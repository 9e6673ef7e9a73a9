"""What each person wants right now that the robot could help with: objects, with a probability and a reason.

Four sources, one type: the mind's goal posterior; what somebody asked for or said they need; an activity begun whose tool is
missing; the dark after a power cut. Invariant: a want is never for something the person already holds, and its probability is a
probability that the person would be glad of the object.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum

from household import classes
from household.actions import Verb
from household.classes import Kind
from household.goals import Goal, GoalKind
from household.scene_graph import ROBOT, Posture
from mind.output import Minds, PersonMind

from planner.geometry import Geometry
from planner.memory import PlannerState, RequestKind

ACTIVITY_P = 0.85  # two of three things of a task laid out together, and the person goes looking
DARK_P, WAITS_P = 0.85, 0.65  # of who walks about in it, of who stays put
DARK_PATIENCE_S = 3.0  # a reader who stays put that long in the dark probably wants light, too
LIGHTS = ("flashlight", "candle")  # what gives light when the lamps do not, best first
READING = ("book", "magazine", "newspaper", "notebook")
_PUTS = (Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PUTBACK)
_ROAMS = (Verb.WALK, Verb.WALKTOWARDS, Verb.STANDUP, Verb.ENTER, Verb.LEAVE, Verb.OPEN, Verb.RUN)
ACTIVITY_WINDOW_S = 120.0
SEARCHING = 0.6
STILL_SEARCHING, SEARCHES_S = 0.4, 1.5  # of who searched so few seconds ago: what one step seems to be for says little
MISSED_P = 0.85
LEFT_ODDS = 2.0  # by which who comes back is more likely to be after what they left there than the mind has it, which weighs all that they have handled alike
STILL_THERE = 0.5  # probability of a place from which on somebody who has not looked there would go there first
WENT_P = 0.65
WENT_WINDOW_S = 10.0
_GOES = (Verb.WALKTOWARDS, Verb.OPEN)
REACHING_P = 0.9
SEEN_JUST_NOW_S = 3.0  # unseen for so long, nobody is thought to have changed their mind
JUST_S = 10.0
CARRYING_S = 30.0  # what was taken up so lately is being taken somewhere
NEGLIGIBLE = 0.004  # a goal less probable than this is left out of the sums
_ASKING_HANDS = (Verb.REACHFOR, Verb.POINT)
REACHING_WINDOW_S = 30.0


class WantSource(str, Enum):
    GOAL = "goal"  # the mind inferred it from behaviour
    ACTIVITY = "activity"  # the missing part of something begun
    REQUEST = "request"
    NEED = "need"  # said that they need it, without asking
    QUESTION = "question"  # asked where it is
    DARK = "dark"
    MISSED = "missed"  # searches where they left something that was moved behind their back


GUESSED = (WantSource.GOAL, WantSource.MISSED)  # read from what somebody does, and from nothing else


@dataclass(frozen=True)
class Want:
    """``target``: class or entity id. ``objects``: entities that would do, in id order."""

    person: str
    target: str
    probability: float
    source: WantSource
    objects: tuple[str, ...] = ()
    goal: Goal | None = None
    since: float = 0.0
    text: str = ""
    stuck: bool = False  # they wait, they do not search

    @property
    def spoken_for(self) -> bool:
        """The person used words: answering is not bothering."""
        return self.source in (WantSource.REQUEST, WantSource.NEED, WantSource.QUESTION)


def matching(geometry: Geometry, target: str, person: str) -> tuple[str, ...]:
    """Entities of the class, or the entity itself, that ``person`` does not hold."""
    found = [target] if target in geometry.graph.entities else [e.id for e in geometry.objects(target)]
    return tuple(sorted(o for o in found if geometry.holder.get(o) != person))


def _goal_targets(goal: Goal, geometry: Geometry, person: str) -> list[str]:
    """Targets of the goal that are still missing: not held by the person, not at the goal's place, not gathered already."""
    if goal.kind not in (GoalKind.GET, GoalKind.PUT, GoalKind.SET, GoalKind.USE):
        return []
    missing = []
    for target in goal.targets:
        ids = [target] if target in geometry.graph.entities else [e.id for e in geometry.objects(target)]
        held = any(geometry.holder.get(o) == person for o in ids)
        there = goal.place is not None and any(geometry.container.get(o) == goal.place for o in ids)
        if not held and not there:
            missing.append(target)
    return missing


def _from_goals(mind: PersonMind, geometry: Geometry, state: PlannerState, floor: float) -> dict[str, Want]:
    shares: dict[str, tuple[float, Goal]] = {}
    laid = set().union(*_laid_out(mind.person, state, geometry, -math.inf).values())
    took = _taken_up(mind.person, geometry, state)
    for goal, p in mind.goals:
        if p < NEGLIGIBLE:
            continue
        if goal.kind is not GoalKind.GET and _carries(mind.person, goal, geometry):
            continue  # one thing at a time: they are bringing the part they hold
        if any(o not in goal.targets and classes.class_of(o) not in goal.targets for o in took):
            continue  # first they take that to where it is to go
        gathered = laid if goal.kind in (GoalKind.USE, GoalKind.SET) else ()
        missing = [t for t in _goal_targets(goal, geometry, mind.person) if classes.class_of(t) not in gathered]
        for target in missing:
            total, best = shares.get(target, (0.0, goal))
            shares[target] = (total + p / len(missing), best)  # which they fetch next is not known
    found = {}
    for t, (p, goal) in shares.items():
        would_do = matching(geometry, t, mind.person)
        put = [o for o in would_do if _just_put(mind.person, o, state, geometry.graph.stamp)]
        left = tuple(o for o in would_do if o not in put)
        if p >= floor and left and not (put and goal.kind in (GoalKind.GET, GoalKind.PUT)):  # who has just put one down where they want it needs no other
            found[t] = Want(mind.person, t, min(1.0, p), WantSource.GOAL, left, goal)
    return found


def _just_put(person: str, obj: str, state: PlannerState, now: float) -> bool:
    """Whether the last that happened to a thing is that this person put it down, a moment ago: it is where they want it."""
    last = next((e for e in reversed(state.events) if e.target == obj and e.verb in (*_PUTS, Verb.PICK, Verb.GIVE)), None)
    return last is not None and last.actor == person and last.verb in _PUTS and now - (last.end or last.start) <= JUST_S


def _carries(person: str, goal: Goal, geometry: Geometry) -> bool:
    held = {o for o, h in geometry.holder.items() if h == person}
    return bool(held & set(goal.targets)) or bool({classes.class_of(o) for o in held} & set(goal.targets))


def _taken_up(person: str, geometry: Geometry, state: PlannerState) -> set[str]:
    """What they have taken up lately and still hold: also what the robot has just come upon them with."""
    now = geometry.graph.stamp
    held = {o for o, h in geometry.holder.items() if h == person}
    took = {e.target: e.start for e in state.events if e.target in held and e.actor == person and e.verb is Verb.PICK}
    met = min((e.start for e in state.events if e.actor == person), default=now)
    return {o for o in held if now - took.get(o, met) <= CARRYING_S}


def _laid_out(person: str, state: PlannerState, geometry: Geometry, since: float) -> dict[str, set[str]]:
    """Surface → classes this person put there lately and that are still there. What is put into a cupboard is put away, not laid out."""
    places: dict[str, set[str]] = {}
    for e in state.events:
        if e.actor == person and e.verb in _PUTS and e.target and e.place and e.start >= since:
            on = geometry.entity(e.place)
            if geometry.container.get(e.target) == e.place and (on is None or on.kind is not Kind.CONTAINER):
                places.setdefault(e.place, set()).add(classes.class_of(e.target))
    return places


def _from_activity(mind: PersonMind, geometry: Geometry, state: PlannerState, now: float) -> dict[str, Want]:
    """Board and carrot on the table, and the person walks off or opens drawers: the knife is missing."""
    wants: dict[str, Want] = {}
    laid = _laid_out(mind.person, state, geometry, now - ACTIVITY_WINDOW_S)
    held = {classes.class_of(o) for o, h in geometry.holder.items() if h == mind.person}
    for place, classes_there in sorted(laid.items()):
        last_put = max(e.start for e in state.events if e.actor == mind.person and e.place == place and e.verb in _PUTS)
        roaming = any(e.actor == mind.person and e.verb in _ROAMS and e.target != place and e.start > last_put
                      for e in state.events)
        if not roaming:
            continue
        standing = {e.cls for e in geometry.of_kind(Kind.OBJECT) if geometry.container.get(e.id) == place}
        for activity, parts in classes.USE_TOGETHER.items():
            if held & set(parts):
                continue  # the next part is on its way
            present = [c for c in parts if c in classes_there]
            missing = [c for c in parts if c not in classes_there and c not in standing and classes.get(c).kind is Kind.OBJECT]
            if len(missing) == 1 and (len(present) >= 2 or (present and mind.searching >= 0.5)):
                share = 0.5 if len(parts) == 2 else ACTIVITY_P  # with one part laid out, the others stood there or nobody saw them laid out
                p = ACTIVITY_P if len(present) >= 2 else share * mind.searching
                goal = Goal(GoalKind.USE, parts, place, activity)
                wants[missing[0]] = Want(mind.person, missing[0], p, WantSource.ACTIVITY,
                                         matching(geometry, missing[0], mind.person), goal, last_put, activity)
    return wants


def _from_missing(mind: PersonMind, geometry: Geometry, state: PlannerState, now: float) -> dict[str, Want]:
    """They were wrong about where something is, and go to that very place, or found it gone and search: likely for just that.

    That somebody goes to the very place, or has looked there and searches, tells more than the mind makes of it. Of several such things it is the one or the
    other, as the mind has it."""
    likely: dict[str, float] = {}
    for (person, o), (place, since) in sorted(state.mistaken.items()):
        if person != mind.person or o not in geometry.graph.entities or geometry.holder.get(o) == person:
            continue
        took = max((e.start for e in state.events if e.actor == person and e.verb is Verb.PICK and e.target != o), default=-math.inf)
        went = max((e.confidence for e in state.events if e.actor == person and e.target == place and e.verb in _GOES and e.start > max(since, took)
                    and now - (e.end if e.end is not None else e.start) <= WENT_WINDOW_S), default=0.0)  # what they took after that was what they went for
        wrong = mind.beliefs.get(o, {}).get(place, 0.0) >= STILL_THERE
        searches = mind.searching >= SEARCHING and _has_searched(person, since, place, wrong, geometry, state)
        p = max(WENT_P * went, MISSED_P * mind.searching if searches else 0.0)
        if not wrong and looks_about(mind, state, now):  # it is gone, as they have seen, and they are looking for something
            p = max(p, _more_likely(_wanted(mind, o), LEFT_ODDS))
        if p > 0.0:
            likely[o] = p
    after = {o: NEGLIGIBLE + _wanted(mind, o) for o in likely}
    return {o: Want(mind.person, o, p * after[o] / sum(after.values()), WantSource.MISSED, (o,), None, text="moved behind their back")
            for o, p in likely.items()}


def looks_about(mind: PersonMind, state: PlannerState, now: float) -> bool:
    """Whether they search, or did a moment ago and may still."""
    return mind.searching >= (STILL_SEARCHING if now - state.searched.get(mind.person, -math.inf) <= SEARCHES_S else SEARCHING)


def _more_likely(p: float, times: float) -> float:
    """With its odds so many times as high."""
    return times * p / (times * p + 1.0 - p)


def _wanted(mind: PersonMind, thing: str) -> float:
    """The mind's probability that they are after this thing or one of its class."""
    return sum(p for goal, p in mind.goals if thing in goal.targets or classes.class_of(thing) in goal.targets)


def _has_searched(person: str, since: float, place: str, wrong: bool, geometry: Geometry, state: PlannerState) -> bool:
    """Whether the person has since come to the place where they thought it is or opened it, or anything else in its room, or anywhere once they have been there; who still
    thinks that it is there (``wrong``), as far as the mind can tell, and opens one other thing is after something else."""
    room = geometry.room_of(place)
    done = [e for e in state.events if e.actor == person and e.start > since]
    if any(e.target == place and (e.verb is Verb.OPEN or e.verb is Verb.WALKTOWARDS and e.end is not None) for e in done):
        return True
    out = min((e.start for e in done if e.verb is Verb.LEAVE and e.target == room), default=math.inf)
    opened = {e.target for e in done if e.verb is Verb.OPEN and (geometry.room_of(e.target) == room or e.start > out)}
    return len(opened) > (1 if wrong else 0)


def _from_reaching(person: str, geometry: Geometry, state: PlannerState, now: float) -> dict[str, Want]:
    """A hand stretched out towards a thing that it does not get to."""
    reached = [e for e in state.events if e.actor == person and e.verb in _ASKING_HANDS and e.target in geometry.graph.entities
               and now - e.start <= REACHING_WINDOW_S]
    wants = {}
    for e in reached:
        if geometry.holder.get(e.target) != person and not geometry.reachable(person, e.target):
            wants[e.target] = Want(person, e.target, REACHING_P, WantSource.ACTIVITY, (e.target,), None, e.start)
    return wants


def _from_dark(mind: PersonMind, geometry: Geometry, state: PlannerState) -> dict[str, Want]:
    if state.dark_since is None:
        return {}
    begun = [e for e in state.events if e.actor == mind.person and e.start <= state.dark_since]
    reading = any(e.verb in (Verb.READ, Verb.WRITE) for e in begun[-6:]) or any(
        h == mind.person and classes.class_of(o) in READING for o, h in geometry.holder.items()) or any(
        e.verb is Verb.PICK and e.target and classes.class_of(e.target) in READING for e in begun)
    roaming = any(e.actor == mind.person and e.verb in _ROAMS and e.start >= state.dark_since for e in state.events)
    entity = geometry.entity(mind.person)
    if not reading or entity is None or not (roaming or geometry.graph.stamp - state.dark_since >= DARK_PATIENCE_S):
        return {}
    held = {classes.class_of(o) for o, h in geometry.holder.items() if h == mind.person}
    if held & set(LIGHTS):
        return {}
    for light in LIGHTS:
        objects = matching(geometry, light, mind.person)
        if objects:
            p = DARK_P if roaming else WAITS_P
            return {light: Want(mind.person, light, p, WantSource.DARK, objects, None, state.dark_since, stuck=not roaming)}
    return {}


def _from_words(person: str, geometry: Geometry, state: PlannerState) -> dict[str, Want]:
    sources = {RequestKind.BRING: WantSource.REQUEST, RequestKind.WHERE: WantSource.QUESTION, RequestKind.NEED: WantSource.NEED}
    return {r.target: Want(person, r.target, r.certainty, sources[r.kind], matching(geometry, r.target, person), None,
                           r.stamp, r.text) for r in state.requests if r.person == person and r.kind in sources}


def wants(minds: Minds, geometry: Geometry, state: PlannerState, floor: float, now: float) -> tuple[Want, ...]:
    """Every want of every person, the strongest source winning per (person, target); in a fixed order."""
    result: list[Want] = []
    for person in sorted(minds.people):
        if person == ROBOT:
            continue
        mind = minds.people[person]
        found = _from_goals(mind, geometry, state, floor)
        for more in (_from_missing(mind, geometry, state, now), _from_reaching(mind.person, geometry, state, now),
                     _from_activity(mind, geometry, state, now), _from_dark(mind, geometry, state), _from_words(person, geometry, state)):
            for target, want in more.items():
                same = found.get(target)
                found[target] = replace(want, probability=max(want.probability, same.probability)) if same else want
        result += [found[t] for t in sorted(found)]
    return tuple(result)


def faded(want: Want, geometry: Geometry, now: float) -> Want:
    """As probable as it still is when nobody has seen the person for a while; what they said they want holds."""
    e = geometry.entity(want.person)
    unseen = 0.0 if e is None or e.visible else now - e.last_seen
    if want.spoken_for or unseen <= SEEN_JUST_NOW_S:
        return want
    return replace(want, probability=want.probability * math.exp((SEEN_JUST_NOW_S - unseen) / geometry.config.fade_s))


def in_wheelchair(geometry: Geometry, person: str) -> bool:
    e = geometry.entity(person)
    return e is not None and e.posture is Posture.WHEELCHAIR
