"""What people see of a thing that the robot only supposes to be where they look.

The robot's graph has the thing in the cupboard that somebody opens; the robot itself cannot see into it, and put it there by an inference that may be
wrong. Then they find it with the probability that it is there, and find it missing with the rest (Jeffrey's rule): once a look, however many
pictures the look lasts, for all of them show the same cupboard. Invariant: after such a look they are convinced of the place with the probability with which
the robot believes in it, and what they had believed elsewhere is given up in the same measure.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from household.scene_graph import SceneGraph
from mind import inference
from mind.beliefs import Beliefs
from mind.layout import Layout
from mind.tracked import Tracked
from mind.values import replace
from mind.visibility import Percept

SURE = 0.9  # from this on the robot takes what it supposes for what it knows
A_LOOK = 3.0  # s after which what is in sight again is looked at anew


def doubts(graph: SceneGraph, where: Mapping[str, str], rows: Mapping[str, int], robot: Beliefs, layout: Layout) -> dict[int, float]:
    """Row of a thing that the robot does not see and is not sure of → how likely it is where the graph has it."""
    found = {}
    for name, place in where.items():
        e, o, s = graph.entities.get(name), rows.get(name), layout.index.get(place)
        if e is not None and o is not None and s is not None and not e.visible and robot.sure[o, s] < SURE:
            found[o] = float(robot.sure[o, s])
    return found


def looked_at(percept: Percept | None, doubtful: Mapping[int, float]) -> dict[int, int]:
    """Row of each doubtful thing that would be in sight → the site where it would be."""
    if percept is None or not doubtful:
        return {}
    return {int(o): int(s) for o, s in zip(percept.objects, percept.sites) if int(o) in doubtful}


def weigh(t: Tracked, sights: Mapping[int, int], doubtful: Mapping[int, float], stamp: float) -> Tracked:
    """``t`` after a look at where these things (row → site) are supposed to be."""
    new = [o for o in sights if stamp - t.supposed.get(t.model.objects[o], -np.inf) > A_LOOK]
    for o in new:
        t = _found_or_missed(t, o, sights[o], doubtful[o])
    return replace(t, supposed={**t.supposed, **{t.model.objects[o]: stamp for o in sights}}) if sights else t


def _found_or_missed(t: Tracked, o: int, site: int, q: float) -> Tracked:
    none, rest = np.zeros(0, dtype=int), np.delete(np.arange(len(t.model.objects)), o)
    here = np.arange(len(t.model.layout.ids)) == site
    before = float(t.state.beliefs.sure[o, site])
    t = t.moved(inference.perceive(t.model, t.state, Percept(none, none, here, 1 - q), rest))
    p = q * (1 - before) / max(1 - before * q, 1e-9)  # so that they end up convinced with probability q
    t = t.moved(inference.perceive(t.model, t.state, Percept(np.array([o]), np.array([site]), np.zeros(len(here), dtype=bool), p)))
    open_to = t.state.beliefs.open_to.copy()
    open_to[o, site] = 0.0  # who is not convinced has missed it there
    return replace(t, state=replace(t.state, beliefs=replace(t.state.beliefs, open_to=open_to)))
