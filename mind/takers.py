"""Who may have taken what is found to be gone, with nobody's hand seen at it.

Whoever was out of the robot's sight between the last sight of the thing and the first of its empty place, and could get there in that time, may be the one; nearer
people sooner than those who would have had to come from afar, or from another room. Whoever took it is not mistaken about it; and when it turns up in a
place that others take it from, they have most likely put it there (:func:`mind.bodies.has_left`).
Invariant: the chances of everybody and of somebody unknown sum to one; who was in view all the while has none; of what has been seen lying anywhere since, nobody has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from household.scene_graph import SceneGraph
from mind import beliefs as belief_model
from mind.scene import Scene
from mind.tracked import Tracked
from mind.values import replace

PACE = 1.4  # m/s
REACH = 0.9  # m
FALLS = 1.0  # m over which the chance falls by e
OTHER_ROOM = 0.2  # weight of who was last seen in another room
UNKNOWN = 0.3  # weight of somebody, or something, that the robot does not know of
LEAST_S = 0.6  # out of sight for less, nobody takes anything


def chances(people: Mapping[str, Tracked], graph: SceneGraph, thing: str, old: str, last_seen: float) -> dict[str, float]:
    """Person → probability that they have taken ``thing`` from ``old`` between ``last_seen`` and the graph; with somebody unknown they sum to one."""
    gone, weights = graph.entities[thing], {}
    room = graph.room_of(old)
    for name, t in people.items():
        begun, ended = t.away if t.unseen_since is None else (t.unseen_since, graph.stamp)
        if t.spot is None or ended - max(begun, last_seen) < LEAST_S:
            continue
        far = max(0.0, math.dist(t.spot, gone.position[:2]) - REACH)
        if far <= PACE * (ended - begun):
            weights[name] = math.exp(-far / FALLS) * (OTHER_ROOM if room is not None and t.room not in (None, room) else 1.0)
    total = UNKNOWN + sum(weights.values())
    return {name: w / total for name, w in weights.items()}


def suspected(t: Tracked, thing: str, old: str, p: float) -> Tracked:
    """Who has taken it knows that it is not where it was."""
    o, site = t.model.named.get(thing), t.model.layout.index.get(old)
    if o is None or site is None:
        return t
    absent = np.zeros((len(t.model.objects), 1))
    absent[o] = p
    return replace(t, took={**t.took, thing: p}, state=replace(t.state, beliefs=belief_model.miss(t.state.beliefs, absent, np.array([site]))))


def cleared(t: Tracked, scene: Scene) -> Tracked:
    """``t`` once things show where nobody has them: who took them from where they were says nothing of what becomes of them then."""
    took = {o: p for o, p in t.took.items() if scene.where.get(o, t.person) in (*scene.people, t.person)}
    return t if len(took) == len(t.took) else replace(t, took=took)
