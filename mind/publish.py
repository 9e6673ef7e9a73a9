"""From the mind's state to what it publishes (``mind.output``). No inference here; what has not changed is handed out again as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from household.goals import NO_GOAL, Goal, GoalKind
from mind import evidence as why
from mind import falsebelief, inference, people
from mind.beliefs import Beliefs
from mind.evidence import Move
from mind.goals import UNSEEN
from mind.inference import Model, PersonState
from mind.output import Evidence, FalseBelief, Minds, PersonMind
from mind.people import Tracked

GOALS_SHOWN = 40
NOTICEABLE = 5e-4  # a row is published anew when one of its probabilities has moved by more
GOAL_FLOOR = 2e-3
GOALS_EXPLAINED = 3
FALSE_FLOOR = 0.3
BELIEFS_EXPLAINED = 40

Rows = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True)
class Published:
    """The last rows handed out, by owner: array (o, n) and the same as mappings."""

    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    rows: Mapping[str, Rows] = field(default_factory=dict)
    goals: Mapping[str, tuple[object, tuple[tuple[Goal, float], ...]]] = field(default_factory=dict)  # person → (posterior, its goals)
    evidence: Mapping[str, tuple[object, object, tuple[Evidence, ...]]] = field(default_factory=dict)  # person → (goals, memory, evidence)
    states: Mapping[str, PersonState] = field(default_factory=dict)


def minds(stamp: float, tracked: Mapping[str, Tracked], robot: Beliefs, wrong: np.ndarray, moves: tuple[Move, ...], model: Model,
          before: Published) -> tuple[Minds, dict[str, Tracked], Published]:
    """Everybody's minds at ``stamp``, and the people with what publishing them taught (since when a belief has been false)."""
    arrays: dict[str, np.ndarray] = {}
    rows: dict[str, Rows] = {}
    out: dict[str, PersonMind] = {}
    kept: dict[str, Tracked] = {}
    goals, evidence = {}, {}
    arrays["robot"], rows["robot"] = _rows("robot", robot.credence(), model, before)
    for name, t in tracked.items():
        key = f"person {name}"
        if before.states.get(name) is t.state:
            arrays[key], rows[key] = before.arrays[key], before.rows[key]
        else:
            arrays[key], rows[key] = _rows(key, inference.locations(t.model, t.state), model, before)
        old = before.goals.get(name)
        goals[name] = old if old is not None and old[0] is t.state.posterior else (t.state.posterior, _goals(t))
        cited = before.evidence.get(name)
        if cited is None or cited[0] is not goals[name][1] or cited[1] is not t.memory:
            cited = (goals[name][1], t.memory, _evidence(t, goals[name][1]))
        evidence[name] = cited
        false, since = _false_beliefs(t, stamp, robot, wrong, moves)
        out[name] = PersonMind(name, rows[key], goals[name][1], false, cited[2], people.searching(t, stamp), t.walking or t.acting_at, t.room)
        kept[name] = replace(t, wrong_since=since) if since != t.wrong_since else t
    return Minds(stamp, out, rows["robot"]), kept, Published(arrays, rows, goals, evidence, {name: t.state for name, t in kept.items()})


def _rows(owner: str, array: np.ndarray, model: Model, before: Published) -> tuple[np.ndarray, Rows]:
    """Object → site → probability; each row sums to one. Sites of probability zero are left out."""
    last, shown = before.arrays.get(owner), before.rows.get(owner, {})
    if last is not None and last.shape == array.shape:
        changed = (np.abs(array - last) > NOTICEABLE).any(axis=1)
        if not changed.any():
            return last, shown
        array = np.where(changed[:, None], array, last)
    else:
        changed, shown = np.ones(len(array), dtype=bool), {}
    names, ids, out = model.objects, model.layout.ids, dict(shown)
    for o in np.flatnonzero(changed):
        if names[o] == UNSEEN:
            continue
        columns = np.flatnonzero(array[o] > 1e-9)
        out[names[o]] = {ids[c]: p for c, p in zip(columns.tolist(), array[o, columns].tolist())}
    return array, out


def _goals(t: Tracked) -> tuple[tuple[Goal, float], ...]:
    """Likeliest first; what is left (the long tail, things the robot has never seen) counts as no goal in particular."""
    every = inference.goals(t.model, t.state, GOAL_FLOOR)
    ranked = sorted(((g, p) for g, p in every.items() if g.kind is not GoalKind.NONE and UNSEEN not in g.targets), key=lambda gp: -gp[1])  # ties stay in the goal space's own order
    shown = [gp for gp in ranked[:GOALS_SHOWN] if gp[1] >= GOAL_FLOOR]
    rest = (NO_GOAL, max(0.0, 1.0 - sum(p for _, p in shown)))
    return tuple(sorted([*shown, rest], key=lambda gp: -gp[1]))


def _evidence(t: Tracked, goals) -> tuple[Evidence, ...]:
    """The acts behind the likeliest goals, then the latest percept behind each belief."""
    out: list[Evidence] = []
    for goal, _ in goals[:GOALS_EXPLAINED]:
        family = goal if goal in t.model.space.index else replace(goal, place=None)
        i = t.model.space.index.get(family)
        if i is not None and goal.kind is not GoalKind.NONE:
            out += why.of_goal(t.memory, goal, i)
    percepts = sorted((past[-1] for past in t.memory.percepts.values()), key=lambda e: -e.stamp)
    return tuple(out) + tuple(percepts[:BELIEFS_EXPLAINED])


def _false_beliefs(t: Tracked, stamp: float, robot: Beliefs, wrong: np.ndarray, moves: tuple[Move, ...]
                   ) -> tuple[tuple[FalseBelief, ...], dict[str, float]]:
    p, believed = falsebelief.probabilities(t.model, t.state, wrong)
    since: dict[str, float] = {}
    out: list[FalseBelief] = []
    ids = t.model.layout.ids
    for o in np.flatnonzero(p >= FALSE_FLOOR):
        name = t.model.objects[o]
        since[name] = t.wrong_since.get(name, stamp)
        likely = int(robot.sure[o].argmax())
        actual = ids[likely] if robot.sure[o, likely] > 0.5 else None
        out.append(FalseBelief(t.person, name, ids[believed[o]], actual, float(min(1.0, p[o])), since[name],
                               chain(t, name, moves)))
    return tuple(sorted(out, key=lambda f: (-f.probability, f.object))), since


def chain(t: Tracked, obj: str, moves: tuple[Move, ...]) -> tuple[Evidence, ...]:
    """Why the person believes what they do about ``obj``, and what they missed, in order of time."""
    percepts = t.memory.percepts.get(obj, ())
    last = max((e.stamp for e in percepts), default=-1e18)
    missed = [why.missed(t.person, m) for m in moves
              if m.object == obj and m.actor != t.person and m.stamp >= last - 1e-9 and m.witnesses.get(t.person, 0.0) < 0.5]
    return tuple(sorted((*percepts, *missed), key=lambda e: e.stamp))
