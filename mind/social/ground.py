"""What people witness together, frame by frame: the input of nested beliefs.

Those in one room who see a thing see each other see it. Only what is new is recorded, so that a quiet frame costs next to nothing; what
somebody thinks another thinks is computed again only for things whose record has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.scene_graph import ELSEWHERE, RelationKind, SceneGraph
from mind.nested import CommonGround, Happening, Occurrence, believed, witnessed

ATTENTION = 0.95  # chance that what is in plain view of several people is noticed by each, and known to be

_RANK = {RelationKind.HOLDS: 0, RelationKind.INSIDE: 1, RelationKind.ON: 1, RelationKind.IN_ROOM: 2}

Sighting = tuple[str, frozenset[str], str]
Shown = Mapping[tuple[str, frozenset[str]], str]


def rooms_of(scene: SceneGraph, people: Iterable[str]) -> dict[str, str | None]:
    return {p: scene.room_of(p) for p in people if p in scene.entities}


def places_of(scene: SceneGraph) -> dict[str, str]:
    """Thing → where it is, as ``SceneGraph.place_of`` says, for all things in one pass over the relations."""
    best: dict[str, tuple[int, float, str]] = {}
    for r in scene.relations:
        rank = _RANK.get(r.kind)
        if rank is None:
            continue
        thing, place = (r.object, r.subject) if r.kind is RelationKind.HOLDS else (r.subject, r.object)
        key = (rank, -r.confidence, place)
        if thing not in best or key < best[thing]:
            best[thing] = key
    return {thing: place for thing, (_, _, place) in best.items()}


def groups(scene: SceneGraph, people: Sequence[str]) -> list[frozenset[str]]:
    """People who are together, by room."""
    rooms: dict[str, set[str]] = {}
    for person, room in rooms_of(scene, people).items():
        if scene.entities[person].visible:
            rooms.setdefault(room or f"?{person}", set()).add(person)
    return [frozenset(g) for g in rooms.values()]


def sightings(scene: SceneGraph, people: Sequence[str], where: Mapping[str, str]) -> Iterable[Sighting]:
    """(thing, the people of one room who see it, where it is)."""
    for group in groups(scene, people):
        seen: dict[str, set[str]] = {}
        for person in group:
            for thing in sorted(scene.sees.get(person, ())):
                seen.setdefault(thing, set()).add(person)
        for thing, who in seen.items():
            e = scene.entities.get(thing)
            if e is not None and e.kind is classes.Kind.OBJECT:
                place = where.get(thing)
                if place is not None:
                    yield thing, frozenset(who), place


def look(ground: CommonGround, shown: Shown, scene: SceneGraph, people: Sequence[str], where: Mapping[str, str],
         seen: Sequence[Sighting]) -> CommonGround:
    """The ground after this frame: new joint sightings, and places looked at in vain. ``shown``: the sightings that stand."""
    for thing, who, place in seen:
        if shown.get((thing, who)) != place:
            ground = witnessed(ground, thing, Occurrence(scene.stamp, Happening.SEEN, place, {p: ATTENTION if len(who) > 1 else 1.0 for p in who}))
    for group in groups(scene, people):
        for place in frozenset().union(*(scene.inspected.get(p, frozenset()) for p in group)):
            lookers = [p for p in group if place in scene.inspected.get(p, frozenset())]
            for thing, record in ground.record.items():
                last = record[-1]
                if last.place == place and last.happening in (Happening.SEEN, Happening.TOLD) and set(lookers) & set(last.witnesses) \
                        and not any(thing in scene.sees.get(p, ()) for p in group) and where.get(thing) != place:
                    ground = witnessed(ground, thing, Occurrence(scene.stamp, Happening.ABSENT, place, {p: ATTENTION for p in lookers}))
    return ground


def standing(shown: Shown, ground: CommonGround, seen: Sequence[Sighting]) -> Shown:
    """The joint sightings that stand: a new one of a thing, a look in vain or a word about it ends what was seen of it before."""
    ended = {thing for thing, _ in shown if ground.record[thing][-1].happening is not Happening.SEEN}
    now = {(thing, who): place for thing, who, place in seen if thing not in ended}
    moved = {thing for (thing, who), place in now.items() if shown.get((thing, who), place) != place}
    if not ended and not moved and all(key in shown for key in now):
        return shown
    return {**{k: v for k, v in shown.items() if k[0] not in ended | moved}, **now}


@dataclass(frozen=True)
class Nested:
    """``views``: who → whom → thing → place → what the first thinks the second thinks. ``version``: thing → version it was computed at."""

    views: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]] = field(default_factory=dict)
    version: Mapping[str, int] = field(default_factory=dict)
    people: tuple[str, ...] = ()


def nested(ground: CommonGround, before: Nested, people: Sequence[str]) -> Nested:
    """The second-order beliefs now; only things whose record changed are computed again."""
    same = before.people == tuple(people)
    changed = [t for t, v in ground.version.items() if not same or before.version.get(t) != v]
    if same and not changed:
        return before
    views: dict[str, dict[str, Mapping[str, Mapping[str, float]]]] = {p: {} for p in people}
    for p in people:
        for q in people:
            if p == q:
                continue
            rows = dict(before.views.get(p, {}).get(q, {})) if same else {}
            for thing in changed:
                belief = believed(ground, (p, q), thing)
                rows.pop(thing, None)
                if belief.get(ELSEWHERE, 0.0) < 1.0 - 1e-9:
                    rows[thing] = belief
            if rows:
                views[p][q] = rows
    return Nested(views, dict(ground.version), tuple(people))
