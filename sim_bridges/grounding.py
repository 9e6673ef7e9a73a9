"""From what the robot has seen to what is there: the stack names things by its own ids (``apple_1``), a simulator by others.

A robot's hand goes to where its eyes saw the thing; so an action's names are resolved by class and place. Invariant: a name is only
ever resolved to something of the same class within ``REACH`` of where it was seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from household import classes
from household.actions import AtomicAction, Verb
from household.scene_graph import SceneGraph

REACH = 1.2  # metres; furniture boxes are seen from one side at first, so centres may lie far apart


@dataclass(frozen=True)
class Candidate:
    """Something the world has. ``position``: map, metres."""

    id: str
    cls: str
    position: tuple[float, float, float]


def resolve(name: str, graph: SceneGraph | None, world: Iterable[Candidate]) -> str:
    """The world's id for the stack's ``name``; ``name`` itself for rooms, people and what cannot be resolved."""
    seen = graph.entities.get(name) if graph is not None else None
    if seen is None or seen.kind in (classes.Kind.ROOM, classes.Kind.ROBOT):
        return name
    near = [(math.dist(seen.position[:2], c.position[:2]) + 0.5 * abs(seen.position[2] - c.position[2]), c.id)
            for c in world if c.cls == seen.cls]
    if seen.kind is classes.Kind.PERSON and any(i == name for _, i in near):
        return name
    best = min(near, default=None)
    return best[1] if best is not None and best[0] <= REACH else name


def ground(action: AtomicAction, graph: SceneGraph | None, world: Iterable[Candidate]) -> AtomicAction:
    """The same action in the world's names. A sentence (``say``) keeps its words."""
    world = tuple(world)
    first = 1 if action.verb is Verb.SAY else 0
    args = (*action.args[:first], *(resolve(a, graph, world) for a in action.args[first:]))
    return replace(action, args=args, source=action.source and resolve(action.source, graph, world),
                   target=action.target and resolve(action.target, graph, world))
