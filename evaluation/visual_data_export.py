"""The project's own scene graphs written in the schema of ``visual_data`` (see :mod:`evaluation.visual_data`), with what the benchmark
lacks beside it: ``open_state`` (sample → instance → open, closed or unknown) and ``rooms`` (sample → instance → room).

Invariant: only what is in view at the sample is written, and nothing that is shut inside a container: the files say what was seen.
Axes: x and z lie in the floor, y points up, the origin is the robot's place in that sample (boxes of one sample compare with each
other only).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.choice_report import write_json
from evaluation.visual_data import CHARACTER
from household.actions import HumanAction, Verb
from household.classes import Kind
from household.ordering import StepInput
from household.scene_graph import ROBOT, Entity, Openness, RelationKind, SceneGraph

FILES = ("boxes", "closeness", "inside", "on", "hold", "opened", "open_state", "rooms")


@dataclass
class _Names:
    """Entity id → instance name: people ``1.0``, ``2.0`` in the order given, things from ``101.0`` on."""

    people: Sequence[str]
    known: dict[str, str] = field(default_factory=dict)

    def of(self, entity: Entity) -> str:
        if entity.id not in self.known:
            number = self.people.index(entity.id) + 1 if entity.id in self.people else 101 + len(self.known)
            self.known[entity.id] = f"{float(number)}"
        return self.known[entity.id]


def samples(stream: Iterable[StepInput], every: float) -> Iterable[tuple[SceneGraph, tuple[HumanAction, ...]]]:
    """One graph every ``every`` seconds of message time, with all events since the one before. Raises ValueError."""
    if not 0.05 <= every <= 60.0:
        raise ValueError(f"every: {every} must be 0.05 to 60 seconds")
    events: list[HumanAction] = []
    due = None
    for inp in stream:
        events += inp.events
        if due is None or inp.graph.stamp >= due - 1e-6:
            yield inp.graph, tuple(events)
            events, due = [], inp.graph.stamp + every


def export(stream: Iterable[StepInput], name: str, folder: str | Path, people: Sequence[str] = (), every: float = 2.0) -> int:
    """Writes ``folder/name/*.json``; returns the number of samples. ``people``: who is ``1.0``, ``2.0``, …"""
    content: dict[str, dict] = {f: {} for f in FILES}
    names: _Names | None = None
    for k, (graph, events) in enumerate(samples(stream, every)):
        if names is None:
            names = _Names(tuple(people) or tuple(sorted(p.id for p in graph.people())))
        for file, row in _sample(graph, events, names).items():
            content[file][str(k)] = row
    for file, rows in content.items():
        write_json(Path(folder) / name / f"{file}.json", {name: rows})
    return len(content["boxes"])


def _in_view(graph: SceneGraph) -> list[Entity]:
    """Seen now, with nothing that is behind a closed door of its container."""
    out = []
    for e in graph.entities.values():
        if not e.visible or e.id == ROBOT or e.kind in (Kind.ROOM, Kind.DOOR):
            continue
        inside = [graph.entities[p] for p in graph.related(e.id, RelationKind.INSIDE) if p in graph.entities]
        if not any(c.openness is Openness.CLOSED for c in inside):
            out.append(e)
    return out


def _sample(graph: SceneGraph, events: Sequence[HumanAction], names: _Names) -> dict[str, object]:
    seen = _in_view(graph)
    here = {e.id for e in seen}
    cls = {e.id: CHARACTER if e.kind is Kind.PERSON else e.cls for e in seen}
    people = [e.id for e in seen if e.kind is Kind.PERSON]
    near = [cls[r.object] for r in graph.relations if r.kind is RelationKind.CLOSE and r.subject in people and r.object in here]
    lines: dict[RelationKind, list[str]] = {RelationKind.INSIDE: [], RelationKind.ON: []}
    for r in sorted(graph.relations, key=lambda r: (r.subject, r.object)):
        if r.kind in lines and r.subject in here and r.object in graph.entities:
            lines[r.kind].append(f"A {cls[r.subject]} is {r.kind.value} the {graph.entities[r.object].cls}")
    held = [f"The character is holding a {cls[r.object]} " for r in graph.relations
            if r.kind is RelationKind.HOLDS and r.subject in people and r.object in here]
    opened = sorted({graph.entities[e.target].cls for e in events if e.verb is Verb.OPEN and e.target in graph.entities})
    return {"boxes": {names.of(e): _box(e, cls[e.id], graph) for e in seen}, "closeness": sorted(set(near)), "inside": lines[RelationKind.INSIDE],
            "on": lines[RelationKind.ON], "hold": sorted(held), "opened": opened,
            "open_state": {names.of(e): e.openness.value for e in seen if e.openness is not Openness.NONE},
            "rooms": {names.of(e): room for e in seen if (room := graph.room_of(e.id)) is not None}}


def _box(e: Entity, cls: str, graph: SceneGraph) -> dict[str, object]:
    origin = graph.entities[ROBOT].position if ROBOT in graph.entities else (0.0, 0.0, 0.0)
    c, s = abs(math.cos(e.yaw)), abs(math.sin(e.yaw))
    half = ((e.extents[0] * c + e.extents[1] * s) / 2, (e.extents[0] * s + e.extents[1] * c) / 2, e.extents[2] / 2)
    middle = (e.position[0] - origin[0], e.position[1] - origin[1], e.position[2] + (half[2] if e.kind is Kind.PERSON else 0.0))
    low, high = [m - h for m, h in zip(middle, half)], [m + h for m, h in zip(middle, half)]
    axes = {"x": 0, "z": 1, "y": 2}
    return {"class_name": cls, **{f"{a}_min": round(low[i], 4) for a, i in axes.items()}, **{f"{a}_max": round(high[i], 4) for a, i in axes.items()}}
