"""Fills the six layers for a chosen act: from events, minds and values to sentences and symbols.

Each layer follows from the one above: what was perceived is why the robot believes, what it believes is why it wants, and so on; the
same values feed the words and the symbols, so that they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass

from household.actions import AtomicAction, HumanAction, Verb
from household.scene_graph import ELSEWHERE, ROBOT
from mind.output import Minds

from planner import words as w
from planner.acts import CandidateValue, FactKind, HelpAct, HelpKind
from planner.candidates import person_belief, robot_belief
from planner.decision import Decision, Symbols
from planner.geometry import Geometry, likely
from planner.memory import PlannerState
from planner.symbols import Content as C
from planner.symbols import Layer, Predicate as P, Term, term

MAX_PERCEIVED = 12
_PERCEIVED = frozenset({Verb.PICK, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.GIVE, Verb.OPEN, Verb.ENTER,
                        Verb.LEAVE, Verb.WALKTOWARDS, Verb.SWITCHON, Verb.SWITCHOFF, Verb.READ, Verb.SIT, Verb.STANDUP})
_COMINGS = frozenset({Verb.ENTER, Verb.LEAVE})
_PASSING = frozenset({Verb.WALKTOWARDS, Verb.OPEN})  # told only of the present visit
_PUTS = (Verb.PUTON, Verb.PUTIN, Verb.PLACE, Verb.PUTBACK)
_PAST = {Verb.OPEN: "opened", Verb.ENTER: "came into", Verb.LEAVE: "left", Verb.SWITCHON: "turned on",
         Verb.SWITCHOFF: "turned off", Verb.WALKTOWARDS: "walked towards", Verb.SIT: "sat down on", Verb.STANDUP: "stood up from",
         Verb.READ: "read"}


@dataclass(frozen=True)
class Scene:
    """Everything a composition reads."""

    state: PlannerState
    minds: Minds
    geometry: Geometry
    stamp: float


def compose(scene: Scene, best: CandidateValue, values: tuple[CandidateValue, ...], plan: tuple[AtomicAction, ...],
            reason: str = "") -> Decision:
    """The Decision for ``best``; its <Action> is ``plan``."""
    act = best.act
    seen = relevant_events(scene, act)
    belief_words, belief = _belief(scene, act)
    if act.kind is HelpKind.NOTHING:
        why = reason or "nobody needs anything that I could do better than they can"
        lines = {Layer.BELIEF: belief_words or "I believe nobody needs help right now.",
                 Layer.DESIRE: "I want to help, and not to disturb anybody who needs nothing.",
                 Layer.INTENTION: "Stay still and keep watching.", Layer.DECISION: f"Do nothing: {why}."}
        symbols = Symbols(_perception(seen), belief, (), (), (term(P.MAKE_DECISION, ROBOT, term(Verb.WAIT)),))
    else:
        content = decided(act)
        lines = {Layer.BELIEF: belief_words, Layer.DESIRE: _desire_words(scene, act), Layer.INTENTION: _intention(scene, act),
                 Layer.DECISION: _decision_words(scene, act)}
        conflict = _conflict(scene, act)
        symbols = Symbols(_perception(seen), belief, (term(P.ATTRIBUTE_DESIRE, ROBOT, desired(act)),),
                          (term(P.FORM_INTENTION, ROBOT, content),), (*conflict, term(P.MAKE_DECISION, ROBOT, content)))
    lines[Layer.PERCEPTION] = " ".join(perceived_sentence(scene, e) for e in seen) or "Nothing happened that I could see."
    lines[Layer.ACTION] = ", ".join(str(a) for a in plan)
    return Decision(scene.stamp, act, lines, symbols, plan, values, scene.stamp, reason or best.reason)


def relevant_events(scene: Scene, act: HelpAct) -> tuple[HumanAction, ...]:
    """The last events about the act's object and person, oldest first: what happened to the thing, comings and goings, and what the
    person has been doing since they last came in."""
    names = {n for n in (act.person, act.object) if n}
    chosen: list[HumanAction] = []
    came: set[str] = set()
    for e in reversed(scene.state.events):
        if e.actor == ROBOT or e.verb not in _PERCEIVED or (names and e.actor not in names and e.target not in names):
            continue
        if e.verb in _COMINGS:
            came.add(e.actor)
        elif e.verb in _PASSING and (e.actor in came or e.target == act.object):
            continue
        same = (e.actor, e.verb, e.target, e.place)
        if chosen and same == (chosen[-1].actor, chosen[-1].verb, chosen[-1].target, chosen[-1].place):
            continue
        chosen.append(e)
        if len(chosen) >= MAX_PERCEIVED:
            break
    return tuple(reversed(chosen))


def perceived_sentence(scene: Scene, e: HumanAction) -> str:
    who, graph = w.person(e.actor), scene.geometry.graph
    target = w.thing(e.target, graph) if e.target else ""
    if e.verb is Verb.PICK:
        origin = f" from {w.thing(e.place, graph)}" if e.place else ""
        return f"{who} picked up {target}{origin}."
    if e.verb in _PUTS:
        return f"{who} put {target} {w.at(e.place, graph) if e.place else 'down'}."
    if e.verb is Verb.GIVE:
        return f"{who} gave {target} to {w.thing(e.place, graph) if e.place else 'somebody'}."
    return f"{who} {_PAST[e.verb]} {target}".strip() + "."


def perceived_symbol(e: HumanAction) -> Term:
    names = (e.actor, e.target) if e.target else (e.actor,)
    if e.verb is Verb.PICK:
        return term(e.verb, *names, source=e.place)
    if e.verb in _PUTS or e.verb is Verb.GIVE:
        return term(e.verb, *names, target=e.place)
    return term(e.verb, *names)


def _perception(events: tuple[HumanAction, ...]) -> tuple[Term, ...]:
    return tuple(perceived_symbol(e) for e in events)


def _belief(scene: Scene, act: HelpAct) -> tuple[str, tuple[Term, ...]]:
    if act.kind is HelpKind.NOTHING:
        return "", ()
    graph = scene.geometry.graph
    thing = w.thing(act.object, graph) if act.object else ""
    if act.kind in (HelpKind.TELL, HelpKind.FETCH, HelpKind.POINT) and act.object in graph.entities:
        return _location_belief(scene, act, thing)
    if act.kind is HelpKind.MOVE:
        return (f"I think {w.person(act.person)} wants to go on, but I believe {thing} blocks the way.",
                (term(P.ATTRIBUTE_BELIEF, act.person, term(C.BLOCKED_BY, act.object)),))
    if act.kind in (HelpKind.SWITCH_OFF, HelpKind.CLOSE):
        form, said = (C.LEFT_RUNNING, "running") if act.kind is HelpKind.SWITCH_OFF else (C.LEFT_OPEN, "open")
        return (f"I believe {thing} was left {said} and nobody is there.", (term(P.KNOW, ROBOT, term(form, act.object)),))
    if act.kind is HelpKind.ASK:
        options = " or ".join(w.thing(o, graph) for o in act.options)
        return (f"I think {w.person(act.person)} is looking for {options}; I do not know which.",
                tuple(term(P.ATTRIBUTE_BELIEF, act.person, term(C.SEARCHING, o)) for o in act.options))
    return (f"I think {w.person(act.person)} needs {thing}.",
            (term(P.ATTRIBUTE_BELIEF, act.person, term(C.NEEDS, act.object)),) if act.person and act.object else ())


def _location_belief(scene: Scene, act: HelpAct, thing: str) -> tuple[str, tuple[Term, ...]]:
    """Who searches what; where they think it is; where the robot thinks it is."""
    graph, name = scene.geometry.graph, w.person(act.person)
    theirs, their_p = likely({k: v for k, v in person_belief(scene.minds, scene.geometry, act.person, act.object).items()
                              if k != ELSEWHERE})
    mine, my_p = likely(robot_belief(scene.minds, scene.geometry, act.object))
    sure = my_p >= scene.geometry.config.known_place and mine not in (None, ELSEWHERE)
    mind = scene.minds.people.get(act.person)
    searching = mind is not None and (mind.searching >= 0.5 or act.kind is HelpKind.TELL)
    form = C.SEARCHING if searching else C.NEEDS
    terms = [term(P.ATTRIBUTE_BELIEF, act.person, term(form, act.object))]
    text = [f"I think {name} {'is looking for' if searching else 'needs'} {thing}."]
    believes = theirs is not None and their_p >= scene.geometry.config.false_belief
    if believes:
        terms.append(term(P.ATTRIBUTE_BELIEF, act.person, term(C.HUMAN_BELIEVES, term(C.OBJECT_ON, act.object, theirs))))
        text.append(f"I believe {name} thinks {thing} {w.is_are(act.object, graph)} {w.at(theirs, graph)}.")
    if sure:
        terms.append(term(P.HOLD_TRUE_BELIEF, ROBOT, term(C.OBJECT_ON, act.object, mine)))
        text.append(f"I believe {thing} {w.is_are(act.object, graph)} actually {w.at(mine, graph)}.")
        if not believes or theirs != mine:
            terms.append(term(P.LACK_BELIEF, act.person, term(C.OBJECT_ON, act.object, mine)))
    elif act.fact is not None and act.fact.kind is FactKind.TAKEN:
        terms += [term(P.KNOW, ROBOT, term(C.OBJECT_MOVED, act.object, target=act.place)),
                  term(P.LACK_BELIEF, act.person, term(C.OBJECT_MOVED, act.object, target=act.place))]
        text.append(f"I know that {thing} {w.was_were(act.object, graph)} taken into {w.place(act.place, graph)}.")
    else:
        terms.append(term(P.UNKNOW, ROBOT, term(C.OBJECT_ON, act.object, ELSEWHERE)))
        text.append(f"I know that {thing} was moved, but not where {'they are' if w.many(act.object, graph) else 'it is'} now.")
    return " ".join(text), tuple(terms)


def conflict_place(scene: Scene, act: HelpAct) -> str | None:
    """Where the person wrongly thinks the object is, or None."""
    if act.kind not in (HelpKind.TELL, HelpKind.FETCH, HelpKind.POINT) or act.object not in scene.geometry.graph.entities:
        return None
    belief = person_belief(scene.minds, scene.geometry, act.person, act.object)
    theirs, p = likely({k: v for k, v in belief.items() if k != ELSEWHERE})
    mine = robot_belief(scene.minds, scene.geometry, act.object)
    wrong = p >= scene.geometry.config.false_belief and mine.get(theirs, 0.0) <= 0.5
    return theirs if wrong else None


def _conflict(scene: Scene, act: HelpAct) -> tuple[Term, ...]:
    place = conflict_place(scene, act)
    return () if place is None else (term(P.RESOLVE_MISBELIEF, ROBOT, term(C.BELIEF_CONFLICT, act.person, act.object, place)),)


def desired(act: HelpAct) -> Term:
    """What the robot wants, as content."""
    human = act.person or "household"
    if act.kind in (HelpKind.TELL, HelpKind.FETCH, HelpKind.POINT) and act.object:
        return term(C.ASSIST, human, term(C.FIND, act.object))
    if act.kind is HelpKind.MOVE:
        return term(C.ASSIST, human, term(Verb.MOVE, act.object))
    if act.kind is HelpKind.ASK:
        return term(C.ASSIST, human, term(C.FIND, act.options[0]))
    return term(C.ASSIST, human, term(act.kind.value, act.object))


def decided(act: HelpAct) -> Term:
    """What the robot decides, as content; the intention has the same."""
    if act.kind in (HelpKind.TELL, HelpKind.POINT):
        fact = act.fact
        if fact is not None and fact.kind is FactKind.AT:
            inner = term(C.OBJECT_ON, fact.object, fact.place)
        elif fact is not None and fact.kind is FactKind.TAKEN:
            inner = term(C.OBJECT_MOVED, fact.object, target=fact.place)
        elif fact is not None and fact.kind is FactKind.MOVED:
            inner = term(C.OBJECT_MOVED, fact.object, source=fact.place)
        else:
            inner = term(C.OBJECT_ON, act.object, ELSEWHERE)
        return term(C.TELL if act.kind is HelpKind.TELL else Verb.POINT, act.person, inner)
    if act.kind is HelpKind.FETCH:
        return term(C.FETCH, act.object, source=act.place, target=act.person)
    if act.kind is HelpKind.MOVE:
        return term(Verb.MOVE, act.object, source=act.place, target=act.destination)
    if act.kind is HelpKind.ASK:
        return term(C.ASK, act.person, *act.options)
    return term(act.kind.value, act.object)


def _desire_words(scene: Scene, act: HelpAct) -> str:
    who = w.person(act.person) if act.person else "the household"
    thing = w.thing(act.object, scene.geometry.graph) if act.object else ""
    if act.kind in (HelpKind.TELL, HelpKind.FETCH, HelpKind.POINT):
        mismatch = conflict_place(scene, act) is not None
        tail = ", and resolve the mismatch between their belief and the real state of the home" if mismatch else ""
        return f"I want to help {who} get {thing}{tail}."
    if act.kind is HelpKind.MOVE:
        return f"I want to help {who} get past {thing}."
    if act.kind is HelpKind.ASK:
        return f"I want to help {who} find what they need."
    return f"I want to help {who}: {thing} should not stay as it is."


def _intention(scene: Scene, act: HelpAct) -> str:
    graph = scene.geometry.graph
    thing = w.thing(act.object, graph) if act.object else ""
    name = w.person(act.person) if act.person else ""
    if act.kind is HelpKind.FETCH:
        return f"Take {thing} from {w.thing(act.place, graph)} and hand it to {name}."
    if act.kind is HelpKind.TELL:
        if act.fact is not None and act.fact.kind is FactKind.AT:
            return f"Tell {name} where {thing} {w.is_are(act.object, graph)}."
        if act.fact is not None and act.fact.kind is FactKind.TAKEN:
            return f"Tell {name} into which room {thing} {w.was_were(act.object, graph)} taken."
        if act.fact is not None and act.fact.kind is FactKind.MOVED:
            return f"Tell {name} that {thing} {w.was_were(act.object, graph)} moved."
        return f"Tell {name} that I do not know where {thing} {w.is_are(act.object, graph)}."
    if act.kind is HelpKind.POINT:
        return f"Show {name} where {thing} {w.is_are(act.object, graph)}."
    if act.kind is HelpKind.MOVE:
        return f"Move {thing} out of {name}'s way."
    if act.kind is HelpKind.ASK:
        return f"Ask {name} which of them it is."
    verb = {HelpKind.OPEN: "Open", HelpKind.CLOSE: "Close", HelpKind.SWITCH_ON: "Turn on", HelpKind.SWITCH_OFF: "Turn off"}
    return f"{verb[act.kind]} {thing}."


def _decision_words(scene: Scene, act: HelpAct) -> str:
    first = _intention(scene, act)
    if conflict_place(scene, act) is None:
        return first
    name = w.person(act.person)
    return f"Correct {name}'s false belief: {first[0].lower()}{first[1:]}"
