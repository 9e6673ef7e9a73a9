"""From the mind's state to what it publishes (``mind.output``). No inference here; what has not changed is handed out again as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from household.goals import NO_GOAL, Goal, GoalKind
from mind import evidence as why
from mind import falsebelief, inference, people
from mind.beliefs import Beliefs
from mind.evidence import Memory, Move
from mind.goals import UNSEEN
from mind.inference import Model, PersonState
from mind.output import Evidence, FalseBelief, Minds, PersonMind
from mind.rows import Rows
from mind.tracked import Tracked
from mind.values import replace

GOALS_SHOWN = 40
NOTICEABLE = 1e-3  # a row is published anew when one of its probabilities has moved by more
REAL = 0.02  # the same of how surely there is a thing
GOAL_FLOOR = 2e-3
RESTED_SECONDS = 4.0
GOALS_EXPLAINED = 3
FALSE_FLOOR = 0.3
BELIEFS_EXPLAINED = 40


@dataclass(frozen=True)
class Shown:
    """What was last handed out about one person, and what it was made from: as long as that is the very same, so is the result."""

    state: PersonState
    convinced: np.ndarray  # falsebelief.conviction of this state
    memory: Memory
    wrong: np.ndarray
    moves: tuple[Move, ...]
    array: np.ndarray
    rows: Rows
    goals: tuple[tuple[Goal, float], ...]
    evidence: tuple[Evidence, ...]
    false: tuple[FalseBelief, ...]
    rested: bool  # nothing done for a while


@dataclass(frozen=True)
class Published:
    """The last output: the robot's belief with its array (o, n) and rows, and every person's. ``wrong`` (o, n): ``falsebelief.wrong_at`` of what there is;
    ``real`` (o,): how surely there is."""

    robot: Beliefs | None = None
    taken_from: Mapping[str, str] = field(default_factory=dict)
    wrong: np.ndarray | None = None
    array: np.ndarray | None = None
    rows: Rows | None = None
    people: Mapping[str, Shown] = field(default_factory=dict)
    real: np.ndarray | None = None


def minds(stamp: float, tracked: Mapping[str, Tracked], robot: Beliefs, base: np.ndarray, moves: tuple[Move, ...], model: Model,
          taken_from: Mapping[str, str], before: Published, real: np.ndarray | None = None) -> tuple[Minds, dict[str, Tracked], Published]:
    """Everybody's minds at ``stamp``, and the people with what publishing them taught (since when a belief has been false). ``real`` float (o,): how surely
    there is such a thing at all (None: as surely as can be); nobody is mistaken about what there is not."""
    real = np.ones(len(model.objects)) if real is None else real
    known = before.real is not None and before.real.shape == real.shape and np.abs(before.real - real).max(initial=0.0) < REAL
    if before.robot is robot and before.wrong is not None and before.array is not None and before.taken_from is taken_from and known:
        now = before
    else:
        array, rows = _rows(robot.credence(), model, before.array, before.rows)
        carried = np.array([model.named[o] for o in taken_from if o in model.named], dtype=int)
        now = Published(robot, taken_from, falsebelief.wrong_at(robot, base, model.layout, carried) * real[:, None], array, rows, real=real)
    out: dict[str, PersonMind] = {}
    kept: dict[str, Tracked] = {}
    shown: dict[str, Shown] = {}
    for name, t in tracked.items():
        shown[name], kept[name] = _shown(t, stamp, now, moves, before.people.get(name))
        one = shown[name]
        out[name] = PersonMind(name, one.rows, one.goals, one.false, one.evidence, people.searching(t, stamp), t.walking or t.acting_at, t.room)
    return Minds(stamp, out, now.rows or {}), kept, replace(now, people=shown)


def _shown(t: Tracked, stamp: float, now: Published, moves: tuple[Move, ...], last: Shown | None) -> tuple[Shown, Tracked]:
    wrong = now.wrong
    assert now.robot is not None and wrong is not None
    same = last is not None and last.state is t.state
    if same:
        array, rows, convinced = last.array, last.rows, last.convinced
    else:
        shown = inference.shown(t.state)
        convinced = falsebelief.conviction(t.state, shown)
        array, rows = _rows(inference.locations(t.state, shown), t.model, last.array if last else None, last.rows if last else None)
    rested = stamp - t.last_deed > RESTED_SECONDS
    goals = last.goals if last is not None and last.state.posterior is t.state.posterior and last.rested is rested else _goals(t, rested)
    remembered = last is not None and last.memory is t.memory
    evidence = last.evidence if remembered and last.goals is goals else _evidence(t, goals)
    if same and remembered and last.wrong is wrong and last.moves is moves:
        return replace(last, goals=goals, evidence=evidence, rested=rested), t
    false, since = _false_beliefs(t, stamp, now.robot, convinced, wrong, moves)
    return Shown(t.state, convinced, t.memory, wrong, moves, array, rows, goals, evidence, false, rested), replace(t, wrong_since=since)


def _rows(array: np.ndarray, model: Model, last: np.ndarray | None, shown: Rows | None) -> tuple[np.ndarray, Rows]:
    """``last``, ``shown``: as handed out before; rows that have hardly changed stay as they were."""
    if shown is None or last is None or last.shape != array.shape:
        return array, Rows(array, model.named, model.layout.ids)
    changed = (np.abs(array - last) > NOTICEABLE).any(axis=1)
    if not changed.any():
        return last, shown
    mixed = np.where(changed[:, None], array, last)
    return mixed, shown.moved(mixed, changed)


def _goals(t: Tracked, rested: bool) -> tuple[tuple[Goal, float], ...]:
    """Likeliest first; what is left (the long tail, things the robot has never seen) counts as no goal in particular. So does a goal
    that was reached a while ago (``rested``): having it, nobody goes on wanting it."""
    every = inference.goals(t.model, t.state, GOAL_FLOOR, GOALS_SHOWN)
    over = {t.model.space.goals[g] for g in np.flatnonzero(t.state.wanted.idle)} if rested else set()
    shown = [(g, p) for g, p in every.items() if g.kind is not GoalKind.NONE and UNSEEN not in g.targets and g not in over]
    rest = (NO_GOAL, max(0.0, 1.0 - sum(p for _, p in shown)))
    return tuple(sorted([*shown, rest], key=lambda gp: -gp[1]))  # ties stay in the goal space's own order


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


def _false_beliefs(t: Tracked, stamp: float, robot: Beliefs, convinced: np.ndarray, wrong: np.ndarray, moves: tuple[Move, ...]
                   ) -> tuple[tuple[FalseBelief, ...], dict[str, float]]:
    p, believed = falsebelief.probabilities(convinced, wrong, robot, t.model.layout.index.get(t.person, -1))
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
