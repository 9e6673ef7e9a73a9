"""Deeds that the graph shows and no event told of: a thing lay somewhere, was in somebody's hands for a while, and lies elsewhere.

Perception misses an act that somebody's back hides; where the thing was before, in whose hand, and after, says as much. Invariants: what was told is
not told again; a hand that only flickered up is no deed; at most ``KEPT`` things are followed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import SceneGraph
from mind.values import replace
from mind.verbs import PICKS, PUTS

HELD_SECONDS = 0.6  # a thing is in a hand when it was so for so long
SETTLED_SECONDS = 1.2  # and put down when it lies there so long, and no event has told of it
SHUT_SECONDS = 0.8  # and put into what who had it shut, when it is not seen for so long after
SURE = 0.8  # of such a deed
KEPT = 32


@dataclass(frozen=True)
class InHand:
    """``who`` has had it since ``since``, s; it was taken from ``before`` (None: told already, or not known). ``at``, ``lies``: where it lies now, and
    since when. ``shut``: a container they have shut since it was last seen, and when that was told. ``source``: where
    it was taken from, told or not."""

    who: str
    since: float
    before: str | None = None
    at: str | None = None
    lies: float = 0.0
    shut: tuple[str, float] | None = None
    source: str | None = None


@dataclass(frozen=True)
class Handled:
    """``where``: thing → place or holder in the last graph. ``hands``: thing → in whose hand it is, or was until it came to lie."""

    where: Mapping[str, str] = field(default_factory=dict)
    hands: Mapping[str, InHand] = field(default_factory=dict)


def untold(state: Handled, scene: SceneGraph, where: Mapping[str, str], people: Sequence[str], events: Sequence[HumanAction]
           ) -> tuple[Handled, tuple[HumanAction, ...]]:
    """One graph, with where each thing is in it (:func:`mind.social.ground.places_of`) and what was told since the last. Deeds oldest first."""
    hands = dict(state.hands)
    deeds: list[HumanAction] = []
    for event in events:
        if event.verb in PUTS or event.verb is Verb.GIVE:
            hand = hands.pop(event.target or "", None)
            deeds += _taken(event.target or "", hand, scene, people) if hand is not None and hand.who == event.actor else []
        elif event.verb in PICKS and event.target in hands:
            hands[event.target] = replace(hands[event.target], before=None, source=event.place or hands[event.target].source)
        elif event.verb is Verb.CLOSE and event.target in scene.entities and scene.entities[event.target].kind is Kind.CONTAINER:
            for thing, hand in list(hands.items()):
                e = scene.entities.get(thing)
                if hand.who == event.actor and hand.at is None and event.target != hand.source and e is not None and e.last_seen < event.start:
                    hands[thing] = replace(hand, shut=(event.target, scene.stamp))
    told = {e.target for e in events if e.verb in PICKS}
    for thing, place in where.items():
        if state.where.get(thing) != place:
            _moved(hands, thing, state.where.get(thing), place, scene, people, thing in told)
    for thing, hand in list(hands.items()):
        if hand.at is not None and scene.stamp - hand.lies >= SETTLED_SECONDS:
            del hands[thing]
            deeds += _deeds(thing, hand, scene, people)
        elif hand.shut is not None:
            e = scene.entities.get(thing)
            if e is None or e.visible or hand.who not in people:
                hands[thing] = replace(hand, shut=None)
            elif scene.stamp - hand.shut[1] >= SHUT_SECONDS:
                del hands[thing]
                deeds += _deeds(thing, replace(hand, at=hand.shut[0], lies=hand.shut[1]), scene, people)
    if len(hands) > KEPT:
        hands = dict(list(hands.items())[-KEPT:])
    same = hands == state.hands
    return (state if same and where == state.where else Handled(where, state.hands if same else hands)), tuple(sorted(deeds, key=lambda d: d.start))


def _moved(hands: dict[str, InHand], thing: str, before: str | None, now: str, scene: SceneGraph, people: Sequence[str], told: bool) -> None:
    hand = hands.get(thing)
    if now in people:
        if hand is not None and hand.who == now:  # it only seemed to lie somewhere
            hands[thing] = replace(hand, at=None)
        else:
            hands[thing] = InHand(now, scene.stamp, None if told or before in people else before, source=None if before in people else before)
    elif hand is not None:
        e = scene.entities.get(now)
        if now == hand.before or e is None or e.kind not in (Kind.CONTAINER, Kind.SURFACE) or scene.stamp - hand.since < HELD_SECONDS:
            del hands[thing]
        else:
            hands[thing] = replace(hand, at=now, lies=scene.stamp)


def _deeds(thing: str, hand: InHand, scene: SceneGraph, people: Sequence[str]) -> list[HumanAction]:
    verb = Verb.PUTIN if scene.entities[hand.at].kind is Kind.CONTAINER else Verb.PUTON
    put = HumanAction(hand.who, verb, thing, hand.at, scene.room_of(hand.at), hand.lies, hand.lies, SURE, _saw(thing, hand, scene, people))
    return [*_taken(thing, hand, scene, people), put]


def _taken(thing: str, hand: InHand, scene: SceneGraph, people: Sequence[str]) -> list[HumanAction]:
    if hand.before is None:
        return []
    return [HumanAction(hand.who, Verb.PICK, thing, hand.before, scene.room_of(hand.before), hand.since, hand.since, SURE, _saw(thing, hand, scene, people))]


def _saw(thing: str, hand: InHand, scene: SceneGraph, people: Sequence[str]) -> dict[str, float]:
    return {p: SURE for p in people if p != hand.who and {thing, hand.who} & scene.sees.get(p, frozenset())}
