"""A scene graph as the mind reads it: one pass over entities and relations, and the growing list of everything ever seen.

Invariant: indices only ever grow. An object, place or person keeps its row for as long as the mind runs, so that beliefs survive their
being out of sight; :class:`Registry` is rebuilt only when something new appears. Bounded by ``MAX_OBJECTS`` and ``MAX_SITES``: what
comes beyond is not believed about, and is named in ``dropped``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.classes import Kind
from household.scene_graph import ROBOT, Openness, RelationKind, SceneGraph, Tracking
from mind import habitats
from mind import layout as layouts
from mind.config import MindConfig
from mind.goals import UNSEEN
from mind.layout import Layout, Site
from mind.values import replace

MAX_OBJECTS, MAX_SITES = 600, 400


@dataclass(frozen=True)
class Scene:
    """One graph, indexed. ``where``: object → site id it is at (holder, place or room). ``rooms``: entity → room. ``held``: person → objects.
    ``sure``: object → how sure its place is. ``close``: (person, entity) pairs within reach.
    ``people``: ids of everybody in the graph."""

    graph: SceneGraph
    where: Mapping[str, str]
    rooms: Mapping[str, str]
    held: Mapping[str, tuple[str, ...]]
    sure: Mapping[str, float]
    close: frozenset[tuple[str, str]] = frozenset()
    people: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Registry:
    """Everything ever seen. ``objects``: id → class, in row order, the first of which stands for all that was not (``goals.UNSEEN``). ``sites``: the layout's, in index order, without ELSEWHERE. ``people``: ids."""

    objects: Mapping[str, str] = field(default_factory=dict)
    sites: tuple[Site, ...] = ()
    people: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    room_classes: Mapping[str, str] = field(default_factory=dict)
    met: frozenset[str] = frozenset()  # ids of every entity and room looked at for this list


def read(graph: SceneGraph) -> Scene:
    """One pass over the relations; where two of a kind compete the surer counts."""
    held_by: dict[str, tuple[float, str]] = {}
    located: dict[str, tuple[float, str]] = {}
    in_room: dict[str, tuple[float, str]] = {}
    close = set()
    for r in graph.relations:
        kind, subject, other = r.kind, r.subject, r.object
        if kind is RelationKind.ON or kind is RelationKind.INSIDE:
            table = located
        elif kind is RelationKind.IN_ROOM:
            table = in_room
        elif kind is RelationKind.HOLDS:
            table, subject, other = held_by, other, subject
        else:
            if kind is RelationKind.CLOSE:
                close.add((subject, other))
            continue
        found = (r.confidence, other)
        if subject not in table or found > table[subject]:
            table[subject] = found
    where: dict[str, str] = {}
    held: dict[str, list[str]] = {}
    sure: dict[str, float] = {}
    for thing, (_, holder) in held_by.items():
        held.setdefault(holder, []).append(thing)
    people = set()
    for name, e in graph.entities.items():
        kind = e.kind
        if kind is Kind.PERSON:
            people.add(name)
        if kind is not Kind.OBJECT or e.tracking is Tracking.LOST:
            continue
        found = held_by.get(name) or located.get(name) or in_room.get(name)
        if found is not None:
            sure[name], where[name] = found
    return Scene(graph, where, {name: room for name, (_, room) in in_room.items()}, {k: tuple(sorted(v)) for k, v in held.items()}, sure, frozenset(close),
                 frozenset(people))


def renamed(registry: Registry, graph: SceneGraph) -> tuple[Registry, dict[str, str]]:
    """The registry with things under the names they now go by, in their old rows, and which those are. Of a name that is taken, or given to two
    things at once, nothing is said."""
    told = [new for old, new in graph.renamed.items() if old in registry.rows]
    names = {old: new for old, new in graph.renamed.items() if old in registry.rows and old != UNSEEN and new not in registry.rows
             and new in graph.entities and graph.entities[new].kind is Kind.OBJECT and told.count(new) == 1}
    if not names:
        return registry, {}
    objects = {names.get(o, o): graph.entities[names[o]].cls if o in names else cls for o, cls in registry.objects.items()}
    met = (registry.met - names.keys()) | set(names.values())
    return replace(registry, objects=objects, rows={o: i for i, o in enumerate(objects)}, met=met), names


def register(registry: Registry, scene: Scene) -> Registry:
    """The registry with everything new in this graph; the same object when there is nothing new."""
    graph = scene.graph
    if any(s.room is None and s.holds_objects and s.id in scene.rooms for s in registry.sites):  # its room has become known
        registry = replace(registry, sites=tuple(replace(s, room=scene.rooms.get(s.id, s.room)) if s.holds_objects else s
                                                 for s in registry.sites))
    if graph.entities.keys() <= registry.met and set(scene.rooms.values()) <= registry.met:
        return registry
    met = registry.met | graph.entities.keys() | set(scene.rooms.values())
    known = registry.rows
    sites = {s.id for s in registry.sites}
    new_objects = [e for e in graph.entities.values() if e.id not in known and e.kind is Kind.OBJECT]
    new_rooms = sorted(set(scene.rooms.values()) - sites)
    new_sites = [e for e in graph.entities.values() if e.id not in sites and e.id not in known and _is_site(e) and e.id not in new_rooms]
    if not (new_objects or new_rooms or new_sites):
        return replace(registry, met=met)
    objects = dict(registry.objects) or {UNSEEN: UNSEEN}
    dropped = list(registry.dropped)
    for e in new_objects:
        if len(objects) < MAX_OBJECTS:
            objects[e.id] = e.cls
        elif e.id not in dropped and len(dropped) < MAX_OBJECTS:
            dropped.append(e.id)
    added = [_room(r, graph.entities.get(r)) for r in new_rooms]
    for e in new_sites:
        added.append(_site(e, scene))
    if ROBOT not in sites and ROBOT not in {s.id for s in added}:
        added.append(Site(ROBOT, None, holds_objects=False))
    room_left = max(0, MAX_SITES - len(registry.sites))
    people = tuple(sorted(scene.people - set(registry.people)))
    devices = tuple(e.id for e in new_sites if e.kind is Kind.DEVICE)
    return Registry(objects, registry.sites + tuple(added[:room_left]), registry.people + people, registry.devices + devices,
                    {o: i for i, o in enumerate(objects)}, tuple(dropped), {**registry.room_classes, **_room_classes(graph, new_rooms)}, met)


def _room_classes(graph: SceneGraph, new_rooms: list[str]) -> dict[str, str]:
    known = {e.id: e.cls for e in graph.entities.values() if e.kind is Kind.ROOM}
    return {**{r: classes.class_of(r) for r in new_rooms}, **known}


def prior_weights(registry: Registry, layout: Layout, config: MindConfig) -> np.ndarray:
    """Float64 (o, n): where somebody who knows nothing expects each object."""
    rooms = ["" if r < 0 else registry.room_classes.get(layout.ids[r], "") for r in layout.room]
    return habitats.weights(list(registry.objects.values()), rooms, layout, config)


def _is_site(e) -> bool:
    kind = e.kind
    return kind in (Kind.ROOM, Kind.CONTAINER, Kind.SURFACE, Kind.PERSON) or (kind is Kind.DEVICE and classes.get(e.cls).switchable)


def _room(name: str, e) -> Site:
    site = Site(name, name, is_room=True, holds_objects=False)
    return site if e is None else replace(site, position=(e.position[0], e.position[1]), size=(e.extents[0], e.extents[1]))


def _site(e, scene: Scene) -> Site:
    """Rooms and people hold objects only in so far as somebody saw them there: nobody looks *for* a thing in a person's hands."""
    kind = e.kind
    if kind is Kind.ROOM:
        return _room(e.id, e)
    if kind is Kind.PERSON:
        return Site(e.id, None, holds_objects=False)
    return Site(e.id, scene.rooms.get(e.id), opens=kind is Kind.CONTAINER, holds_objects=kind is not Kind.DEVICE,
                position=(e.position[0], e.position[1]), height=max(0.0, e.position[2] - e.extents[2] / 2))


def build_layout(registry: Registry, config: MindConfig) -> Layout:
    return layouts.build(registry.sites, config)


def closed_now(scene: Scene, layout: Layout, before: np.ndarray | None = None) -> np.ndarray:
    """Bool (n,): containers not known to be open. ``before``: what was known of those that the graph does not have."""
    closed = layout.opens.copy() if before is None or len(before) != len(layout.ids) else before.copy()
    for name, e in scene.graph.entities.items():
        i = layout.index.get(name)
        if i is not None and layout.opens[i] and e.openness is not Openness.NONE:
            closed[i] = e.openness is not Openness.OPEN
    return closed
