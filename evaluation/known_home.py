"""What a robot that lives in a home knows of it beforehand: a map of its furniture and doors, laid under what perception has found.

A piece that perception finds where the map has one of its class is that one, and is called so from then on: with a map, what a piece is called does not depend on
the order in which the robot came to see things. One that stands just where the map has a piece of about its size is that one too, whatever a detector takes it for; of several
that do, the one of the map's class is told of, else the surest. What opens and is not carried about (a cupboard, a fridge) and that the map does not have is not there.
Invariant: what perception says of a piece is never overwritten by the map but for what kind of piece it is; what is on the
map only is out of view, and whether it is open is not known; no two pieces share a name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from household import classes
from household.actions import HumanAction
from household.classes import Kind
from household.landmarks import MOVED
from household.scene_graph import Entity, Openness, Relation, RelationKind, SceneGraph, Tracking
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.model import Furniture, Home

SAME_PLACE_M = 0.8  # a perceived piece of a class so near to a mapped one is that one
_RIGHT_THERE, _OVERLAP, _AREA = 0.3, 0.5, 3.0  # m, or share of its length, between the middles; share of the lower one's height in common; times as large a floor: a piece of another class is that one
_OTHERS = 100  # numbers from which on pieces are counted that the map does not have


class KnownHome:
    """``over(graph, events)``: perception's graph and events in the map's names, with what only the map knows."""

    def __init__(self, home: Home):
        self._home = home
        self._pieces = {f.id: f for f in home.furniture if classes.get(f.cls).kind is not Kind.OBSTACLE}
        self._names: dict[str, str] = {}  # perception's id → the map's
        self._others: dict[str, str] = {}  # perception's id → the name of what the map does not have

    def over(self, graph: SceneGraph, events: Sequence[HumanAction]) -> tuple[SceneGraph, list[HumanAction]]:
        self._match(graph)
        names = {**self._others, **self._names}
        told = renamed(self._each_once(graph), names)
        none = {e.id for e in told.entities.values() if _stays(e.cls) and e.id not in self._pieces}
        return self._with_map(without(told, none)), [e for e in (renamed_event(e, names) for e in events) if not none & {e.target, e.place}]

    def _match(self, graph: SceneGraph) -> None:
        for e in graph.entities.values():
            if e.id in self._names and self._mistaken(e):
                del self._names[e.id]
        taken = {piece for entity, piece in self._names.items() if entity in graph.entities}
        new = [e for e in graph.entities.values() if e.id not in self._names]
        self._names |= same_pieces([f for f in self._pieces.values() if f.id not in taken], new)
        for e in new:
            if e.id not in self._names and (piece := _stands_there(self._pieces.values(), e)) is not None:
                self._names[e.id] = piece
            if e.id in self._pieces and e.id not in self._names and e.id not in self._others:  # not that piece, though perception calls it so
                used = {*self._names.values(), *self._others.values(), *graph.entities}
                self._others[e.id] = next(f"{e.cls}_{n}" for n in range(_OTHERS, 10 * _OTHERS) if f"{e.cls}_{n}" not in used)

    def _mistaken(self, e: Entity) -> bool:
        """Whether it was found where it did not stand, and stands now where the map has another of its class."""
        away = {f.id: math.dist(e.position[:2], f.position[:2]) for f in self._pieces.values() if f.cls == e.cls}
        nearest = min(away, key=away.get, default=None)
        return nearest is not None and nearest != self._names[e.id] and away[nearest] <= _RIGHT_THERE < away.get(self._names[e.id], 0.0)

    def _each_once(self, graph: SceneGraph) -> SceneGraph:
        """Of what is one piece of the map, one entity, of the map's class."""
        best: dict[str, Entity] = {}
        for e in graph.entities.values():
            if (piece := self._names.get(e.id)) is not None:
                best[piece] = max(best.get(piece, e), e, key=lambda x: (x.cls == self._pieces[piece].cls, x.confidence))
        if all(e.cls == self._pieces[piece].cls for piece, e in best.items()) and len(best) == sum(i in self._names for i in graph.entities):
            return graph
        kept = {e.id: _as(self._pieces[piece], e) for piece, e in best.items()}
        return replace(graph, entities={i: kept.get(i, e) for i, e in graph.entities.items() if i in kept or i not in self._names})

    def _with_map(self, graph: SceneGraph) -> SceneGraph:
        entities, relations = dict(graph.entities), set(graph.relations)
        for piece in self._pieces.values():
            if piece.id not in entities:
                entities[piece.id] = _mapped(piece)
                relations.add(Relation(piece.id, RelationKind.IN_ROOM, piece.room))
        for door in self._home.doorways:
            if door.id not in entities:
                entities[door.id] = Entity(door.id, "door", (*door.center, 1.0), (0.1, door.width, 2.0), door.yaw, Openness.NONE,
                                           Tracking.OCCLUDED, False)
        return replace(graph, entities=entities, relations=frozenset(relations))


def same_pieces(furniture: Iterable[Furniture], entities: Iterable[Entity]) -> dict[str, str]:
    """Perception's furniture → the home's, each at most once, the nearest of a class first."""
    pairs = sorted((math.dist(e.position[:2], f.position[:2]), f.id, e.id) for f, e in ((f, e) for e in entities for f in furniture)
                   if e.cls == f.cls and math.dist(e.position[:2], f.position[:2]) <= SAME_PLACE_M)
    found: dict[str, str] = {}
    for _, piece, entity in pairs:
        if entity not in found and piece not in found.values():
            found[entity] = piece
    return found


def _stands_there(furniture: Iterable[Furniture], e: Entity) -> str | None:
    """The piece of the map that stands just where ``e`` does, though a detector takes it for something else."""
    if not classes.get(e.cls).is_place:
        return None
    near = [(math.dist(e.position[:2], f.position[:2]), f.id) for f in furniture if _alike(f, e)]
    away, piece = min(near, default=(math.inf, ""))
    return piece if away <= _RIGHT_THERE * max(1.0, *e.extents[:2]) else None


def _alike(f: Furniture, e: Entity) -> bool:
    low, high = e.position[2] - e.extents[2] / 2, e.position[2] + e.extents[2] / 2
    common = min(high, f.position[2] + f.size[2]) - max(low, f.position[2])
    area, other = f.size[0] * f.size[1], e.extents[0] * e.extents[1]
    return common >= _OVERLAP * min(e.extents[2], f.size[2]) and max(area, other) <= _AREA * min(area, other)


def _stays(cls: str) -> bool:
    """Whether what is of this class stands where the map has it: what opens, and is not carried about."""
    row = classes.get(cls)
    return row.kind is Kind.CONTAINER and cls not in MOVED


def _as(piece: Furniture, e: Entity) -> Entity:
    """``e`` as a piece of the map's class: what perception took for a table may open, and what it took for a cupboard may not."""
    openness = Openness.NONE if not opens(piece.cls) else Openness.UNKNOWN if e.openness is Openness.NONE else e.openness
    return e if e.cls == piece.cls else replace(e, cls=piece.cls, openness=openness)


def _mapped(piece: Furniture) -> Entity:
    x, y, z = piece.position
    return Entity(piece.id, piece.cls, (x, y, z + piece.size[2] / 2), (piece.size[1], piece.size[0], piece.size[2]), piece.yaw,
                  Openness.UNKNOWN if opens(piece.cls) else Openness.NONE, Tracking.OCCLUDED, False, 0.0, 0.9)


def renamed(graph: SceneGraph, names: Mapping[str, str]) -> SceneGraph:
    """The graph with entities called by these names (old id → new)."""
    if not names:
        return graph
    call = lambda i: names.get(i, i)  # noqa: E731
    views = ({call(v): frozenset(map(call, seen)) for v, seen in table.items()} for table in (graph.sees, graph.inspected))
    return replace(graph, entities={call(i): replace(e, id=call(i)) for i, e in graph.entities.items()},
                   relations=frozenset(replace(r, subject=call(r.subject), object=call(r.object)) for r in graph.relations),
                   **dict(zip(("sees", "inspected"), views)))


def without(graph: SceneGraph, ids: Set[str]) -> SceneGraph:
    """The graph as if these entities were none."""
    if not ids:
        return graph
    views = ({v: seen - ids for v, seen in table.items()} for table in (graph.sees, graph.inspected))
    return replace(graph, entities={i: e for i, e in graph.entities.items() if i not in ids},
                   relations=frozenset(r for r in graph.relations if r.subject not in ids and r.object not in ids), **dict(zip(("sees", "inspected"), views)))


def renamed_event(event: HumanAction, names: Mapping[str, str]) -> HumanAction:
    call = lambda i: names.get(i, i)  # noqa: E731
    return replace(event, actor=call(event.actor), target=call(event.target), place=call(event.place),
                   witnesses={call(w): p for w, p in event.witnesses.items()})
