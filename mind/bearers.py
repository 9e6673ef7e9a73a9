"""A thing lies where it lay, but what bears it turned out to be another piece: the chair at the table's edge was the table after all.

Who knew the thing to be on the one knows it to be on the other; nobody has moved it. Invariant: only what stayed where it was, in the robot's own
map, is taken to another bearer, and every belief keeps its total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from household.actions import HumanAction
from household.scene_graph import SceneGraph
from mind import inference
from mind.beliefs import Beliefs
from mind.layout import Layout
from mind.scene import Scene
from mind.tracked import Tracked
from mind.values import replace

_STAYED = 0.12  # m between graphs
_HARDLY = 0.05  # a belief weaker than this is no reason to think again

Spot = tuple[float, float, float]


def spots(graph: SceneGraph, things: Mapping[str, object]) -> dict[str, Spot]:
    """Thing → where its middle is, map, m; those that the graph has no place for are left out."""
    found = {name: graph.entities[name].position for name in things if name in graph.entities}
    return {name: p for name, p in found.items() if any(p)}


def changed(before: Mapping[str, str], lay: Mapping[str, Spot], now: Mapping[str, Spot], scene: Scene, layout: Layout,
            events: Sequence[HumanAction]) -> dict[str, tuple[str, str]]:
    """Thing → (what was thought to bear it, what does), of things that stayed where they were and that nobody is told to have handled."""
    handled = {e.target for e in events}
    out = {}
    for name, place in scene.where.items():
        old = before.get(name, place)
        if old == place or name in handled or old in scene.people or place in scene.people or not {old, place} <= layout.index.keys():
            continue
        if name in lay and name in now and sum((a - b) ** 2 for a, b in zip(lay[name], now[name])) < _STAYED ** 2:
            out[name] = old, place
    return out


def beliefs(b: Beliefs, row: int, old: int, new: int) -> Beliefs:
    """``row`` of the thing, columns of what bore it and what does."""
    sure, open_to = b.sure.copy(), b.open_to.copy()
    sure[row, new] += sure[row, old]
    sure[row, old] = 0.0
    open_to[row, new] = max(open_to[row, new], open_to[row, old])
    return Beliefs(sure, b.unsure, open_to)


def known_anew(t: Tracked, name: str, old: str, new: str) -> Tracked:
    """The person knew it to be on the one, so they know it to be on the other."""
    row, index = t.model.named.get(name), t.model.layout.index
    if row is None or t.state.beliefs.sure[row, index[old]] <= 0.0:
        return t
    p, moved = float(t.state.beliefs.sure[row, index[old]]), beliefs(t.state.beliefs, row, index[old], index[new])
    return replace(t, state=replace(t.state, beliefs=moved)) if p < _HARDLY else t.moved(inference.change_belief(t.model, t.state, moved, row, p))
