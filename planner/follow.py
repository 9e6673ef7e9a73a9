"""Following up: did the act under way succeed, fail, or lose its reason; did the listener believe the robot?

Design reason: the outcome of what the robot does reaches the planner only as everybody else's doings do, through events, the scene graph
and what is heard. A body that never answers shows here as a deadline passed.
Invariant: nothing here starts an act; it only closes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from household.actions import HumanAction, Verb
from household.classes import Kind, class_of
from household.scene_graph import ROBOT
from mind.output import Minds

from planner.acts import FactKind, HelpKind
from planner.candidates import robot_belief
from planner.geometry import Geometry, likely
from planner.memory import Active, PlannerState, Request, RequestKind, Told, bounded, moved_since
from planner.wants import Want

REQUEST_LIFE_S = 180.0
_SEARCHES = (Verb.WALKTOWARDS, Verb.OPEN)
_OUTCOME = {HelpKind.OPEN: Verb.OPEN, HelpKind.CLOSE: Verb.CLOSE, HelpKind.MOVE: Verb.MOVE, HelpKind.SWITCH_ON: Verb.SWITCHON,
            HelpKind.SWITCH_OFF: Verb.SWITCHOFF, HelpKind.POINT: Verb.POINT}


class Standing(str, Enum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCEL = "cancel"  # its reason is gone, or it was refused


def _own(state: PlannerState, active: Active) -> list[HumanAction]:
    return [e for e in state.events if e.actor == ROBOT and e.start >= active.started - 1e-6]


def standing(state: PlannerState, active: Active, geometry: Geometry, minds: Minds, wants: tuple[Want, ...],
             now: float) -> tuple[Standing, str, Active]:
    """How the active act stands, why, and the act with its book-keeping advanced."""
    act, own = active.act, _own(state, active)
    if state.refused.get(act.person, float("-inf")) >= active.started or (
            act.person is None and any(t >= active.started for t in state.refused.values())):
        return Standing.CANCEL, "it was not wanted", active
    if own:
        active = replace(active, progress=max(active.progress, max(e.end or e.start for e in own)))
    if act.is_word:
        spoken = any(u.speaker == ROBOT and u.stamp >= active.started - 1e-6 for u in state.heard)
        if spoken or (len(active.plan) <= 1 and now - active.started >= geometry.config.listen_s):
            return Standing.DONE, "", active
    elif act.kind is HelpKind.FETCH:
        if geometry.holder.get(act.object) == act.person or any(
                e.verb is Verb.GIVE and e.target == act.object for e in own):
            return Standing.DONE, "", active
    elif any(e.verb is _OUTCOME[act.kind] and e.target in (act.object, act.place) for e in own):
        return Standing.DONE, "", active
    if any(e.verb is Verb.STAND and e.start > active.started for e in own):
        return Standing.FAILED, "it could not be carried out", active
    if now > active.deadline:
        return Standing.FAILED, "it took too long", active
    return _reason_left(active, geometry, minds, wants, now)


def _reason_left(active: Active, geometry: Geometry, minds: Minds, wants: tuple[Want, ...],
                 now: float) -> tuple[Standing, str, Active]:
    """Whether the need behind the act is still there."""
    act, config = active.act, geometry.config
    if act.kind is HelpKind.FETCH:
        place, sure = likely(robot_belief(minds, geometry, act.object))
        if place not in (act.place, ROBOT) and sure >= config.known_place:
            return Standing.CANCEL, "it is somewhere else now", active
        wanted = any(w.person == act.person and act.object in w.objects and w.probability >= 0.25 for w in wants)
    elif act.kind is HelpKind.SWITCH_OFF:
        e = geometry.entity(act.object)
        wanted = e is None or e.switched_on is not False
    else:
        wanted = True
    if wanted:
        return Standing.RUNNING, "", replace(active, gone_since=None)
    active = replace(active, gone_since=active.gone_since if active.gone_since is not None else now)
    if now - active.gone_since >= config.change_of_mind_s:
        return Standing.CANCEL, "it is not needed any more", active
    return Standing.RUNNING, "", active


def disbelief(state: PlannerState, minds: Minds, geometry: Geometry, wants: tuple[Want, ...]) -> PlannerState:
    """Mark facts whose listener still searches against them: having had time to react, they still hold the old belief; or they looked there, did not find it and
    went on, and then it is the robot that is to doubt it."""
    told, in_vain = [], state.in_vain
    for t in state.told:
        still = any(w.person == t.person and t.fact.object in w.objects and w.probability >= 0.3 for w in wants)
        mind = minds.people.get(t.person) if still and geometry.holder.get(t.fact.object) != t.person else None
        if mind is not None and not t.in_vain and _looked_in_vain(state, t, geometry):
            t, at = replace(t, in_vain=True), (class_of(t.fact.object), t.fact.place or "")
            in_vain = bounded(in_vain, at, in_vain.get(at, 0) + 1)
        if mind is not None and not t.disbelieved and _doubts(state, t, mind.beliefs.get(t.fact.object, {}), geometry):
            t = replace(t, disbelieved=True)
        told.append(t)
    return replace(state, told=tuple(told), in_vain=in_vain)


def _doubts(state: PlannerState, t: Told, belief: Mapping[str, float], geometry: Geometry) -> bool:
    """Whether the listener's ways say that they do not believe it. ``belief``: place → probability, what they think of the thing."""
    tries = _tried(state, t, geometry, t.stamp + geometry.config.reconsider_s)
    if t.fact.kind is FactKind.AT:
        return bool(tries - {t.fact.place}) and t.fact.place not in tries and not t.in_vain and belief.get(t.fact.place, 0.0) < 0.5
    if t.fact.kind is FactKind.MOVED:
        return False  # who goes to see for themselves is about to
    return t.fact.place in tries and belief.get(t.fact.place, 0.0) >= 0.5  # a room is not insisted on: who looks elsewhere may know more by now


def _tried(state: PlannerState, t: Told, geometry: Geometry, since: float) -> set[str]:
    return {e.target for e in state.events if e.actor == t.person and e.verb in _SEARCHES and e.start > since and _is_place(geometry, e.target)}


def _looked_in_vain(state: PlannerState, t: Told, geometry: Geometry) -> bool:
    """Whether the listener has opened and shut what it was said to be in, and took it from nowhere."""
    shut = [e for e in state.events if t.fact.kind is FactKind.AT and e.actor == t.person and e.verb is Verb.CLOSE and e.target == t.fact.place and e.start > t.stamp]
    return bool(shut) and not moved_since(state, t.fact.object, t.stamp)


def _is_place(geometry: Geometry, name: str | None) -> bool:
    e = geometry.entity(name)
    return e is not None and e.kind in (Kind.CONTAINER, Kind.SURFACE)


def prune_requests(state: PlannerState, geometry: Geometry, now: float) -> PlannerState:
    """Drop requests that were met, answered or are long past."""
    keep, served = [], set()
    for r in state.requests:
        met = any(h == r.person and (o == r.target or geometry.graph.entities[o].cls == r.target)
                  for o, h in geometry.holder.items() if o in geometry.graph.entities)
        answered = r.kind is RequestKind.WHERE and any(
            t.person == r.person and t.stamp >= r.stamp and (t.fact.object == r.target or _same_class(geometry, t.fact.object,
                                                                                                     r.target))
            for t in state.told)
        done = r.kind is RequestKind.DO and _carried_out(state, r)
        if met:
            served.add((r.person, r.text))
        if not met and not answered and not done and now - r.stamp <= REQUEST_LIFE_S:
            keep.append(r)
    keep = [r for r in keep if r.kind is not RequestKind.NEED or (r.person, r.text) not in served]
    return state if len(keep) == len(state.requests) else replace(state, requests=tuple(keep))


def _carried_out(state: PlannerState, request: Request) -> bool:
    return any(e.verb is request.verb and e.start >= request.stamp and e.target is not None
               and request.target in (e.target, class_of(e.target)) for e in state.events)


def _same_class(geometry: Geometry, obj: str, target: str) -> bool:
    e = geometry.entity(obj)
    return e is not None and e.cls == target
