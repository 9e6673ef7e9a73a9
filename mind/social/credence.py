"""What a speaker thinks of the place they name: where they know a thing to be, may have learnt it to be, or may have put it, unseen.

The mind holds what people believe from what the robot saw them see. What was in somebody's hand has been put somewhere since, where they have been; who was out of
sight may have looked again; who opened something may have put a thing into it; and the robot
may have taken a place for the one beside it. Pure questions about a state of :mod:`mind.social.step`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from household import classes
from household.scene_graph import ELSEWHERE, RelationKind, SceneGraph
from mind.output import PersonMind

if TYPE_CHECKING:
    from mind.social.step import SocialState

UNSEEN_LEARNING = 0.5  # chance that somebody who was long out of sight has learnt where a thing is
UNSEEN_SECONDS = 60.0  # out of sight after which that is well possible
PUT_THERE = 0.4  # chance that who opened something, while a thing was not to be seen any more, put it there: hands are often hidden
UNKNOWN_KNOWS = 0.5  # chance that somebody knows where a thing is that the robot has never seen
MISTAKEN, BESIDE_M = 0.25, 1.0  # chance that the robot took the place next to it, of the same class, for it; m between the middles of such neighbours
REACH_M, BEEN_SECONDS = 0.9, 300.0  # from the edge of a place, as far as its middle and size tell, within which something may be put there; how long that is remembered


def been(before: Mapping[tuple[str, str], float], scene: SceneGraph, people: Sequence[str]) -> Mapping[tuple[str, str], float]:
    """(person, place) → when they were last seen within reach of it, this frame included."""
    now = {(p, e.id): scene.stamp for p in people if (one := scene.entities.get(p)) is not None and one.visible
           for e in scene.places() if math.dist(one.position[:2], e.position[:2]) <= REACH_M + 0.5 * max(e.extents[:2], default=0.0)}
    return {k: v for k, v in {**before, **now}.items() if scene.stamp - v <= BEEN_SECONDS} if now or before else before


def credence(state: SocialState, scene: SceneGraph, person: str, things: Sequence[str], place: str, minds: Mapping[str, PersonMind]
             ) -> tuple[float, int]:
    """(P(the person thinks that what they speak of is at that place), over how many places). ``things``: what it may be, each as likely; of what the robot has never
    seen, every place is as likely to be where they think it is."""
    rows = {t: minds[person].beliefs.get(t, {}) for t in things}
    n = max(2, len(scene.places()), *(sum(p > 1e-3 for p in row.values()) for row in rows.values())) if rows else max(2, len(scene.places()))
    if not rows:
        return 1.0 / n, n
    return sum(_credence(state, scene, person, t, place, row, minds, n) for t, row in rows.items()) / len(rows), n


def _credence(state: SocialState, scene: SceneGraph, person: str, thing: str, place: str, row: Mapping[str, float], people: Collection[str],
              places: int) -> float:
    """P(the person thinks that the thing is at the place they name), from what the mind holds of them; spread over all places where they may have
    learnt better unseen: what was in somebody's hand has been put somewhere, and who was out of sight may have looked again."""
    in_room = {r.subject for r in scene.relations if r.kind is RelationKind.IN_ROOM and r.object == place}
    there = sum(p for k, p in row.items() if k == place or k in in_room or classes.class_of(k) == place)
    there += _somewhere_there(scene, row, place) + _next_to(scene, row, place)  # shares of other parts of the row: never above one
    own_hand, spots = row.get(person, 0.0), _spots(state, scene, person, thing)
    put = own_hand if spots else 0.0  # what they had in hand they have put down where they have been since
    there += put * len(spots & {place, *in_room}) / max(1, len(spots))
    open_mind = sum(p for k, p in row.items() if k == ELSEWHERE or k in people) - put if row else 1.0
    gone = state.unseen.get(person, 0.0) - state.known_at.get((person, thing), 0.0)
    learnt = UNSEEN_LEARNING * (1.0 - math.exp(-gone / UNSEEN_SECONDS))
    thought = (1.0 - learnt) * (there + open_mind / places) + learnt / places
    own = PUT_THERE if _may_have_put(state, scene, person, thing, place) else 0.0
    return (1.0 - own) * thought + own


def _somewhere_there(scene: SceneGraph, row: Mapping[str, float], place: str) -> float:
    """What of it the place has where the thing is only thought to be somewhere in its room: as much as any other place there."""
    room = scene.room_of(place)
    held = row.get(room or "", 0.0)
    return held / max(1, sum(scene.room_of(e.id) == room for e in scene.places())) if held and room != place else 0.0


def _next_to(scene: SceneGraph, row: Mapping[str, float], place: str) -> float:
    """What of it the place has as neighbour of its kind of where the thing is thought to be: which of a row of cupboards somebody had open is easily mistaken, by the robot."""
    one = scene.entities.get(place)
    beside = [] if one is None else [e.id for e in scene.of_kind(one.kind) if e.id != place and e.cls == one.cls and row.get(e.id, 0.0) > 0.0
                                     and math.dist(e.position[:2], one.position[:2]) <= BESIDE_M]
    return MISTAKEN * sum(row[k] for k in beside)


def _spots(state: SocialState, scene: SceneGraph, person: str, thing: str) -> frozenset[str]:
    """The places where somebody who had a thing in hand has been since; none, where that is not known."""
    hand = state.handled.hands.get(thing)
    if hand is None or hand.who != person:
        return frozenset()
    return frozenset(place for (who, place), stamp in state.been.items() if who == person and stamp > hand.since and place in scene.entities)


def _may_have_put(state: SocialState, scene: SceneGraph, person: str, thing: str, place: str) -> bool:
    """Whether they opened that place last, and the robot has not seen the thing since, nor them leave it behind elsewhere; or had not seen it yet then."""
    opened, e = state.opened.get(person), scene.entities.get(thing)
    if opened is None or opened[0] != place or e is None:
        return False
    return state.met.get(thing, 0.0) > opened[1] or not e.visible and e.last_seen < opened[1] and not _left_behind(state, scene, person, thing)


def _left_behind(state: SocialState, scene: SceneGraph, person: str, thing: str) -> bool:
    """Whether the thing was last seen at a place that they had left by then, and where the robot has not seen them since."""
    at = scene.place_of(thing)
    there = state.been.get((person, at or ""))
    return there is not None and there < scene.entities[thing].last_seen


def knows(mind: PersonMind, things: Sequence[str]) -> float:
    """P(they know where it is); of what the robot has never seen, they may or may not."""
    return max((p for t in things for place, p in mind.beliefs.get(t, {}).items() if place != ELSEWHERE), default=0.0 if things else UNKNOWN_KNOWS)
