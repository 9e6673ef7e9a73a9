"""What to do when a step of a plan fails: the smallest change that may still help, or giving up with a reason.

Invariant: ``repaired`` never returns the plan it was given twice in a row for the same step more often than ``MAX_TRIES``; so a body that
always fails is given up on.
"""

from __future__ import annotations

import math

from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.scene_graph import ELSEWHERE, ROBOT, Openness, SceneGraph

from planner import plans
from planner.acts import HelpAct, HelpKind
from planner.config import PlannerConfig
from planner.geometry import Geometry

MAX_TRIES = 2
_A = AtomicAction


def moved_meanwhile(plan: tuple[AtomicAction, ...], index: int, act: HelpAct, graph: SceneGraph) -> str | None:
    """Where the object now is, when the plan still has to pick it and it is seen to be elsewhere; None while all is well."""
    ahead = [a for a in plan[index:] if a.verb is Verb.PICK]
    if not ahead or act.place is None:
        return None
    obj = ahead[0].args[0]
    entity = graph.entities.get(obj)
    holder = graph.holder_of(obj)
    if holder is not None and holder != ROBOT:
        return holder
    place = graph.place_of(obj)
    return place if entity is not None and entity.visible and place not in (None, act.place, ROBOT) else None


def repaired(plan: tuple[AtomicAction, ...], index: int, act: HelpAct, graph: SceneGraph, tries: int,
             config: PlannerConfig) -> tuple[AtomicAction, ...] | None:
    """The rest of the plan to go on with after step ``index`` failed, or None to give up."""
    if tries >= MAX_TRIES:
        return None
    step, rest = plan[index], plan[index + 1:]
    geometry = Geometry(graph, config)
    if step.verb is Verb.PICK:
        return _repick(step, rest, act, graph, geometry, sure_open=tries == 0)
    if step.verb is Verb.GIVE:
        obj, person = step.args
        if tries == 0:
            return (_A(Verb.WALK, (person,)), step, *rest)
        surface = _surface_near(graph, geometry, person)
        return None if surface is None else (_A(Verb.WALK, (surface,)), _A(Verb.PUTON, (obj, surface)))
    if step.verb in (Verb.OPEN, Verb.CLOSE, Verb.SWITCHON, Verb.SWITCHOFF, Verb.MOVE) and step.args:
        return (_A(Verb.WALK, (step.args[0],)), step, *rest)
    return (step, *rest)


def _repick(step: AtomicAction, rest: tuple[AtomicAction, ...], act: HelpAct, graph: SceneGraph,
            geometry: Geometry, sure_open: bool) -> tuple[AtomicAction, ...] | None:
    """``sure_open``: what looks open is taken to be open."""
    place = geometry.place_of(step.args[0])
    entity = geometry.entity(place)
    if entity is None or place == ELSEWHERE or entity.kind in (Kind.PERSON, Kind.ROBOT):
        return None
    if place != act.place:
        moved = HelpAct(HelpKind.FETCH, act.person, act.object, place)
        return plans.make(moved, graph, geometry) or None
    shut = entity.kind is Kind.CONTAINER and not (sure_open and entity.openness is Openness.OPEN)
    return (_A(Verb.WALK, (place,)), *((_A(Verb.OPEN, (place,)),) if shut else ()), step, *rest)


def _surface_near(graph: SceneGraph, geometry: Geometry, person: str) -> str | None:
    here = geometry.position(person)
    room = geometry.room_of(person)
    surfaces = [e for e in graph.of_kind(Kind.SURFACE) if room is None or geometry.room_of(e.id) == room]
    if here is None or not surfaces:
        return None
    return min(surfaces, key=lambda e: (math.dist(e.position[:2], here[:2]), e.id)).id
