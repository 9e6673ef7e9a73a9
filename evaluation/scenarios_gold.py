"""What a good robot would have answered: the six layers in symbols, written from the truth of a run, one sequence per acceptable act.

Perception lists what truly happened in the robot's sight to the thing and to the person; belief, desire, intention, decision and action
follow MindPower's examples (supplement B.4, Fig. 9, Table 1). The planner has no part in this; only the grammar is shared.
"""

from __future__ import annotations

from household import classes
from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ELSEWHERE, ROBOT
from planner.acts import FactKind, HelpKind
from planner.symbols import Content as C
from planner.symbols import Predicate as P
from planner.symbols import Term, term

from evaluation.scenarios import Scenario, Variant, Wanted
from evaluation.scenarios_run import Run

_PUTS = (Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PUTBACK)
_OF_THING = (Verb.PICK, *_PUTS, Verb.GIVE)
_OF_DEVICE = (Verb.SWITCHON, Verb.SWITCHOFF)
_OF_PERSON = (Verb.ENTER, Verb.LEAVE)
_LONGEST = 12


def gold_sequences(scenario: Scenario, run: Run) -> tuple[tuple[str, ...], ...]:
    """One sequence of atomic actions per acceptable act."""
    seen = _perception(scenario, run.seen)
    rows = []
    for wanted in scenario.accept:
        for kind in sorted(wanted.kinds, key=lambda k: k.value):
            if kind is HelpKind.POINT:
                continue
            terms = _layers(scenario, run, wanted, kind)
            if terms is not None:
                rows.append((*(str(t) for t in seen), *(str(t) for t in terms[0]), *terms[1]))
    return tuple(rows)


def _perception(scenario: Scenario, seen: list[HumanAction]) -> list[Term]:
    about = {o for w in scenario.accept for o in w.objects}
    people = {w.person for w in scenario.accept if w.person}
    rows: list[Term] = []
    for e in seen:
        if e.target in about and e.verb in (*_OF_THING, *_OF_DEVICE, Verb.POINT):
            rows.append(_symbol(e))
        elif e.actor in people and (e.verb in _OF_PERSON or e.verb in _OF_THING or e.verb in (Verb.READ, Verb.SIT, Verb.STANDUP)):
            rows.append(_symbol(e))
        elif scenario.variant is Variant.TAP and e.verb in _OF_PERSON:
            rows.append(_symbol(e))
    return rows[-_LONGEST:]


def _symbol(e: HumanAction) -> Term:
    names = (e.actor, e.target) if e.target else (e.actor,)
    if e.verb is Verb.PICK:
        return term(e.verb, *names, source=e.place)
    return term(e.verb, *names, target=e.place if e.verb in (*_PUTS, Verb.GIVE) else None)


def _layers(scenario: Scenario, run: Run, wanted: Wanted, kind: HelpKind) -> tuple[list[Term], list[str]] | None:
    thing = sorted(wanted.objects)[0]
    person = wanted.person
    place = sorted(wanted.places)[0] if wanted.places else run.truth_at_act.get(thing)
    if kind in (HelpKind.TELL, HelpKind.FETCH):
        if place is None:
            return None
        return _about_a_thing(scenario, run, wanted, kind, thing, person, place)
    if kind is HelpKind.MOVE:
        move = term(Verb.MOVE, thing, source=scenario.room, target=scenario.room)
        return ([term(P.ATTRIBUTE_BELIEF, person, term(C.BLOCKED_BY, thing)),
                 term(P.ATTRIBUTE_DESIRE, ROBOT, term(C.ASSIST, person, term(Verb.MOVE, thing))),
                 term(P.FORM_INTENTION, ROBOT, move), term(P.MAKE_DECISION, ROBOT, move)],
                [f"walk({thing})", f"move({thing}, from={scenario.room}, to={scenario.room})"])
    off = term(Verb.SWITCHOFF, thing)
    return ([term(P.KNOW, ROBOT, term(C.LEFT_RUNNING, thing)),
             term(P.ATTRIBUTE_DESIRE, ROBOT, term(C.ASSIST, "household", off)),
             term(P.FORM_INTENTION, ROBOT, off), term(P.MAKE_DECISION, ROBOT, off)], [f"walk({thing})", f"switchoff({thing})"])


def _about_a_thing(scenario: Scenario, run: Run, wanted: Wanted, kind: HelpKind, thing: str, person: str,
                   place: str) -> tuple[list[Term], list[str]]:
    unknown, taken = FactKind.MOVED in wanted.facts, FactKind.TAKEN in wanted.facts
    believed, sure = run.thought_at_act.get(thing, (ELSEWHERE, 0.0))
    mistaken = sure >= 0.5 and believed not in (ELSEWHERE, place)
    looking = scenario.variant not in (Variant.SPOKEN_NEED, Variant.CHILD, Variant.POWER_CUT)
    belief = [term(P.ATTRIBUTE_BELIEF, person, term(C.SEARCHING if looking else C.NEEDS, thing))]
    if sure >= 0.5 and believed != ELSEWHERE:
        belief.append(term(P.ATTRIBUTE_BELIEF, person, term(C.HUMAN_BELIEVES, term(C.OBJECT_ON, thing, believed))))
    if taken:
        content = term(C.OBJECT_MOVED, thing, target=place)
        belief += [term(P.KNOW, ROBOT, content), term(P.LACK_BELIEF, person, content)]
        content = term(C.TELL, person, content)
    elif unknown:
        belief.append(term(P.UNKNOW, ROBOT, term(C.OBJECT_ON, thing, ELSEWHERE)))
        content = term(C.TELL, person, term(C.OBJECT_MOVED, thing, source=believed))
    else:
        belief.append(term(P.HOLD_TRUE_BELIEF, ROBOT, term(C.OBJECT_ON, thing, place)))
        if believed != place or sure < 0.5:
            belief.append(term(P.LACK_BELIEF, person, term(C.OBJECT_ON, thing, place)))
        content = (term(C.FETCH, thing, source=place, target=person) if kind is HelpKind.FETCH
                   else term(C.TELL, person, term(C.OBJECT_ON, thing, place)))
    desire = term(P.ATTRIBUTE_DESIRE, ROBOT, term(C.ASSIST, person, term(C.FIND, thing)))
    conflict = [term(P.RESOLVE_MISBELIEF, ROBOT, term(C.BELIEF_CONFLICT, person, thing, believed))] if mistaken or unknown or taken else []
    layers = [*belief, desire, term(P.FORM_INTENTION, ROBOT, content), *conflict, term(P.MAKE_DECISION, ROBOT, content)]
    return layers, _plan(kind, thing, person, place)


def _plan(kind: HelpKind, thing: str, person: str, place: str) -> list[str]:
    if kind is HelpKind.TELL:
        return [f"say({person})"]  # the wording is free: only that it is said, and to whom
    shut = classes.get(classes.class_of(place)).kind is Kind.CONTAINER
    opening, closing = ([f"open({place})"], [f"close({place})"]) if shut else ([], [])
    return [f"walk({place})", *opening, f"pick({thing})", *closing, f"walk({person})", f"give({thing}, {person})"]
