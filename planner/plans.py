"""Plans of atomic actions with preconditions and effects over the scene graph.

Design reason: a plan is checked by walking through it on a small symbolic state before a body moves, and again, step by step, against
what is seen while it runs; so a plan that cannot work is refused with a reason instead of being tried.
Invariant: ``make`` returns only plans for which ``problem`` finds nothing on the graph they were made for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from household.actions import ActionError, AtomicAction, Verb, validate
from household.classes import Kind
from household.scene_graph import ROBOT, Openness, SceneGraph

from planner import speech
from planner.acts import HelpAct, HelpKind
from planner.geometry import Geometry

_PUT_VERBS = (Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PUTBACK)


@dataclass(frozen=True)
class SymbolicState:
    """What plans talk about. ``near``: what the robot stands at. ``at``: object → place or person."""

    near: str | None
    holding: str | None
    open: Mapping[str, bool] = field(default_factory=dict)
    at: Mapping[str, str] = field(default_factory=dict)
    on: Mapping[str, bool | None] = field(default_factory=dict)


def state_of(graph: SceneGraph, geometry: Geometry, near: str | None = None) -> SymbolicState:
    holding = next((o for o, h in sorted(geometry.holder.items()) if h == ROBOT), None)
    opened = {e.id: e.openness is Openness.OPEN for e in graph.of_kind(Kind.CONTAINER)}
    at = {e.id: p for e in graph.objects() if (p := geometry.place_of(e.id)) is not None}
    return SymbolicState(near, holding, opened, at, {e.id: e.switched_on for e in graph.of_kind(Kind.DEVICE)})


def precondition(action: AtomicAction, state: SymbolicState) -> str:
    """'' if the action can be done in this state, else why not, as a clause."""
    verb, first = action.verb, action.args[0] if action.args else None
    if verb is Verb.PICK:
        place = state.at.get(first)
        if state.holding is not None:
            return f"the hand already holds {state.holding}" if state.holding != first else ""
        if place is None:
            return f"it is not known where {first} is"
        if place in state.open and not state.open[place]:
            return f"{place} is closed"
        return "" if state.near in (place, first) else f"the robot does not stand at {place}"
    if verb in _PUT_VERBS or verb is Verb.GIVE:
        if state.holding != first:
            return f"the robot does not hold {first}"
        second = action.args[1] if len(action.args) > 1 else None
        return "" if second is None or state.near == second else f"the robot does not stand at {second}"
    if verb in (Verb.OPEN, Verb.CLOSE, Verb.SWITCHON, Verb.SWITCHOFF, Verb.MOVE):
        if verb is Verb.MOVE and state.holding is not None:
            return f"the hand already holds {state.holding}"
        return "" if state.near == first else f"the robot does not stand at {first}"
    return ""


def effect(action: AtomicAction, state: SymbolicState) -> SymbolicState:
    """The state after the action succeeded."""
    verb, first = action.verb, action.args[0] if action.args else None
    if verb in (Verb.WALK, Verb.WALKTOWARDS, Verb.RUN, Verb.ENTER):
        return replace(state, near=first)
    if verb is Verb.PICK:
        return replace(state, holding=first, at={**state.at, first: ROBOT})
    if verb in _PUT_VERBS or verb is Verb.GIVE:
        return replace(state, holding=None, at={**state.at, first: action.args[1]} if len(action.args) > 1 else state.at)
    if verb is Verb.DROP:
        return replace(state, holding=None)
    if verb in (Verb.OPEN, Verb.CLOSE):
        return replace(state, open={**state.open, first: verb is Verb.OPEN})
    if verb in (Verb.SWITCHON, Verb.SWITCHOFF):
        return replace(state, on={**state.on, first: verb is Verb.SWITCHON})
    return state


def problem(plan: tuple[AtomicAction, ...], state: SymbolicState, graph: SceneGraph) -> str:
    """'' if every action is known, in the grammar and possible after the ones before it; else the first reason."""
    known = {*graph.entities, ROBOT}
    for action in plan:
        try:
            validate(action, known)
        except ActionError as error:
            return str(error)
        reason = precondition(action, state)
        if reason:
            return f"{action}: {reason}"
        state = effect(action, state)
    return ""


def make(act: HelpAct, graph: SceneGraph, geometry: Geometry, events=(), again: bool = False) -> tuple[AtomicAction, ...]:
    """The plan for an act; () when nothing is to be done or no plan works (``why_not`` tells which)."""
    plan = _steps(act, graph, geometry, events, again)
    return () if plan and problem(plan, state_of(graph, geometry), graph) else plan


def _free_hand(act: HelpAct, graph: SceneGraph, geometry: Geometry) -> tuple[AtomicAction, ...]:
    """Put down what is still in the hand from an act that was called off."""
    held = next((o for o, h in sorted(geometry.holder.items()) if h == ROBOT and o != act.object), None)
    surfaces = graph.of_kind(Kind.SURFACE)
    if held is None or not surfaces:
        return ()
    nearest = min(surfaces, key=lambda e: (geometry.distance(ROBOT, e.id), e.id)).id
    return (AtomicAction(Verb.WALK, (nearest,)), AtomicAction(Verb.PUTON, (held, nearest)))


def why_not(act: HelpAct, graph: SceneGraph, geometry: Geometry) -> str:
    """The reason ``make`` returns nothing, or ''."""
    return problem(_steps(act, graph, geometry, (), False), state_of(graph, geometry), graph)


def _steps(act: HelpAct, graph: SceneGraph, geometry: Geometry, events, again: bool) -> tuple[AtomicAction, ...]:
    A, V = AtomicAction, Verb
    words = speech.sentence(act, graph, events, again)
    say = (A(V.SAY, (words, act.person)),) if words and act.person in graph.entities else ()
    if act.kind in (HelpKind.TELL, HelpKind.ASK):
        go = () if act.person is None or geometry.in_earshot(act.person) else (A(V.WALK, (act.person,)),)
        return (*go, *say)
    if act.kind is HelpKind.FETCH:
        give = (A(V.WALK, (act.person,)), A(V.GIVE, (act.object, act.person)))
        if geometry.holder.get(act.object) == ROBOT:
            return give
        entity = geometry.entity(act.place)
        shut = entity is not None and entity.kind is Kind.CONTAINER and entity.openness is not Openness.OPEN
        opening = (A(V.OPEN, (act.place,)),) if shut else ()
        closing = (A(V.CLOSE, (act.place,)),) if shut else ()
        return (*_free_hand(act, graph, geometry), A(V.WALK, (act.place,)), *opening, A(V.PICK, (act.object,)), *closing, *give)
    if act.kind is HelpKind.MOVE:
        return (*_free_hand(act, graph, geometry), A(V.WALK, (act.object,)), A(V.MOVE, (act.object,), act.place, act.destination))
    simple = {HelpKind.OPEN: V.OPEN, HelpKind.CLOSE: V.CLOSE, HelpKind.SWITCH_ON: V.SWITCHON, HelpKind.SWITCH_OFF: V.SWITCHOFF}
    if act.kind in simple:
        return (*_free_hand(act, graph, geometry), A(V.WALK, (act.object,)), A(simple[act.kind], (act.object,)))
    if act.kind is HelpKind.POINT:
        return (A(V.TURNTO, (act.place or act.object,)), A(V.POINT, (act.place or act.object,)))
    return ()
