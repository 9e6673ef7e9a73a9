"""What a robot that lives in a home knows of it beforehand: a map of its furniture and doors, laid under what perception has found.

A piece that perception finds where the map has one of its class is that one, and is called so from then on: with a map, what a piece is called does not depend on
the order in which the robot came to see things. Invariant: what perception says of a piece is never overwritten by the map; what is on the
map only is out of view, and whether it is open is not known; no two pieces share a name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from household import classes
from household.actions import HumanAction
from household.classes import Kind
from household.scene_graph import Entity, Openness, Relation, RelationKind, SceneGraph, Tracking
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.model import Furniture, Home

SAME_PLACE_M = 0.8  # a perceived piece of a class so near to a mapped one is that one
_OTHERS = 100  # numbers from which on pieces are counted that the map does not have


class KnownHome:
    """``over(graph, events)``: perception's graph and events in the map's names, with what only the map knows."""

    def __init__(self, home: Home):
        self._home = home
        self._pieces = {f.id: f for f in home.furniture if classes.get(f.cls).kind is not Kind.OBSTACLE}
        self._names: dict[str, str] = {}  # perception's id → the map's

    def over(self, graph: SceneGraph, events: Sequence[HumanAction]) -> tuple[SceneGraph, list[HumanAction]]:
        self._match(graph)
        told = renamed(graph, self._names)
        return self._with_map(told), [renamed_event(e, self._names) for e in events]

    def _match(self, graph: SceneGraph) -> None:
        taken = {piece for entity, piece in self._names.items() if entity in graph.entities}
        new = [e for e in graph.entities.values() if e.id not in self._names]
        self._names |= same_pieces([f for f in self._pieces.values() if f.id not in taken], new)
        for e in new:
            if e.id in self._pieces and e.id not in self._names:  # not that piece, though perception calls it so
                used = {*self._names.values(), *graph.entities}
                self._names[e.id] = next(f"{e.cls}_{n}" for n in range(_OTHERS, 10 * _OTHERS) if f"{e.cls}_{n}" not in used)

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


def renamed_event(event: HumanAction, names: Mapping[str, str]) -> HumanAction:
    call = lambda i: names.get(i, i)  # noqa: E731
    return replace(event, actor=call(event.actor), target=call(event.target), place=call(event.place),
                   witnesses={call(w): p for w, p in event.witnesses.items()})
