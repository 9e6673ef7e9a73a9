"""What the robot says: short, polite, in the person's name, one fact at a time.

Design reason: a sentence is made from the act it belongs to, so nothing can be said that was not decided. Whether a fact may be said
again is not decided here but in ``memory.may_tell``. Invariant: one sentence names one listener and one object.
"""

from __future__ import annotations

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph

from planner import words
from planner.acts import FactKind, HelpAct, HelpKind

_TAKES = (Verb.PICK, Verb.MOVE)
_LETS_GO = (Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.GIVE, Verb.DROP)


def mover(events: tuple[HumanAction, ...], obj: str, listener: str) -> str | None:
    """Who was last seen taking ``obj``; None where nobody was, or the listener had it since."""
    last = next((e.actor for e in reversed(events) if e.target == obj and e.verb in _TAKES and e.actor != ROBOT), None)
    return last if last != listener else None


def had_it_last(events: tuple[HumanAction, ...], obj: str, person: str, since: float) -> bool:
    """Whether nobody but ``person`` was seen with ``obj`` last, and they took it or let go of it after ``since``."""
    last = next((e for e in reversed(events) if e.target == obj and e.verb in (*_TAKES, *_LETS_GO)), None)
    return last is not None and last.actor == person and (last.verb in _TAKES or (last.start if last.end is None else last.end) > since)


def may_know_better(events: tuple[HumanAction, ...], obj: str, person: str, place: str) -> bool:
    """Whether ``place``, where ``person`` seems to think the thing is, may be news to the robot: each time the thing was seen being taken or put down it was elsewhere, and
    they have not looked into any of those places since."""
    places, looked = [], False
    for e in events:
        if e.target == obj and e.verb in (*_TAKES, *_LETS_GO):
            places, looked = [*places, e.place], False
        elif e.actor == person and e.verb is Verb.OPEN and e.target in places:
            looked = True
    return bool(places) and None not in places and place not in places and not looked


def carrier(events: tuple[HumanAction, ...], obj: str) -> tuple[str | None, tuple[str, ...]]:
    """Who took ``obj`` last, and the rooms they were seen going into since, latest first; (None, ()) when nobody did or it was put down since."""
    rooms: list[tuple[str, str]] = []
    for e in reversed(events):
        if e.target == obj and e.verb in (*_TAKES, *_LETS_GO):
            return (e.actor, tuple(r for r, who in rooms if who == e.actor)) if e.verb in _TAKES else (None, ())
        if e.verb is Verb.ENTER and e.target is not None:
            rooms.append((e.target, e.actor))
    return None, ()


def carried_out_of(events: tuple[HumanAction, ...], obj: str, who: str | None, graph: SceneGraph) -> str | None:
    """The room in which they took ``obj`` and which they were seen leaving with it, not to come back; None where it was not seen."""
    room, left = None, False
    for e in events:
        if e.actor != who:
            continue
        if e.verb in _TAKES and e.target == obj:
            room, left = graph.room_of(e.place) if e.place is not None else None, False
        elif e.verb in _LETS_GO and e.target == obj:
            room = None
        elif room is not None and e.target == room:
            left = e.verb is Verb.LEAVE or left and e.verb is not Verb.ENTER
    return room if room is not None and left else None


def sentence(act: HelpAct, graph: SceneGraph, events: tuple[HumanAction, ...] = (), again: bool = False) -> str:
    """The sentence that carries out or announces ``act``; '' when it needs none."""
    name = words.person(act.person) if act.person else ""
    if act.kind in (HelpKind.TELL, HelpKind.POINT) and act.fact is not None:
        return _fact(act, graph, events, name, again)
    if act.kind is HelpKind.ASK:
        options = " or ".join(words.thing(o, graph) for o in act.options)
        return f"{name}, are you looking for {options}?"
    if act.kind is HelpKind.FETCH:
        return f"{name}, I'll bring you {words.thing(act.object, graph)}."
    if act.kind is HelpKind.MOVE and name:
        return f"{name}, I'll move {words.thing(act.object, graph)} out of your way."
    return ""


def _fact(act: HelpAct, graph: SceneGraph, events, name: str, again: bool) -> str:
    thing, fact = words.thing(act.fact.object, graph), act.fact
    be, its = words.is_are(fact.object, graph), "their" if words.many(fact.object, graph) else "its"
    if fact.kind is FactKind.AT:
        entity = graph.entities.get(fact.place)
        start = f"{name}, I think" if fact.doubtful else f"{name},"
        if entity is not None and entity.kind is Kind.PERSON:
            return f"{start} {words.person(fact.place)} has {thing}."
        return f"{start} {thing} {be} {'really ' if again and not fact.doubtful else ''}{words.at(fact.place, graph)}."
    if fact.kind is FactKind.TAKEN:
        who = carrier(events, fact.object)[0]
        return f"{name}, {words.person(who) if who else 'someone'} {'really ' if again else ''}took {thing} into {words.place(fact.place, graph)}."
    if fact.kind is FactKind.MOVED:
        who = mover(events, fact.object, act.person)
        if who is not None:
            where = f" out of {words.place(fact.room, graph)}" if fact.room is not None else ""
            return f"{name}, {words.person(who)} moved {thing}{where}; I did not see {its} new place."
        return f"{name}, someone moved {thing}; I do not know {its} new place."
    return f"{name}, I'm sorry, I do not know where {thing} {be}."


def failure(act: HelpAct, graph: SceneGraph, reason: str) -> str:
    """An honest word when an act could not be carried out."""
    name = f"{words.person(act.person)}, " if act.person else ""
    start = f"{name}I'm sorry, " if name else "I'm sorry, "
    thing = words.thing(act.object, graph) if act.object else "that"
    if act.kind is HelpKind.FETCH:
        return f"{start}I could not bring {thing}: {reason}."
    if act.kind is HelpKind.MOVE:
        return f"{start}I could not move {thing}: {reason}."
    return f"{start}I could not manage {thing}: {reason}."
