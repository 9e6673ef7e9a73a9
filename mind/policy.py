"""Which act a person does next, given where they are headed: a softly rational policy over symbolic acts, eq. (1)'s pi(a | g, b).

Every act is scored by the effort it wastes on the way to the target: P(a) ∝ exp(-rationality · waste), mixed with a little noise. Two
habits do not depend on the goal: pausing, and closing what one has opened. Invariant (tested): for every goal, target and
situation the probabilities of all acts in :func:`options` sum to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from mind.config import MindConfig
from mind.goals import GoalSpace, Needs, Progress
from mind.layout import Layout
from household.goals import GoalKind


class ActKind(str, Enum):
    WALK = "walk"
    OPEN = "open"
    CLOSE = "close"
    PICK = "pick"
    PUT = "put"
    SWITCH = "switch"
    PAUSE = "pause"


@dataclass(frozen=True)
class Act:
    """One symbolic act. ``site``: index of where to or where at. ``cls``: class of the object handled or, for WALK, walked up to.

    ``way``: "on" / "off" for SWITCH. ``certainty``: probability that it happened as perceived; the rest is taken to say nothing.
    """

    kind: ActKind
    site: int
    cls: str | None = None
    way: str | None = None
    certainty: float = 1.0


@dataclass(frozen=True)
class Situation:
    """What a person's next act depends on besides goal and target. ``site``: index of where they are. ``closed`` bool (n,)."""

    site: int
    closed: np.ndarray

    def at(self, layout: Layout) -> np.ndarray:
        """Bool (n,): the sites the person is at; being anywhere in a room is being at the room."""
        here = layout.is_room & (np.arange(len(layout.ids)) == layout.room[self.site])
        here[self.site] = True
        return here


def options(space: GoalSpace, progress: Progress, situation: Situation, layout: Layout) -> list[Act]:
    """Every act that can be done here; what noise is spread over (one share for each walk, for opening, closing, picking up
    anything, putting down anything, and for each device)."""
    s = situation.site
    acts = [Act(ActKind.WALK, int(q)) for q in np.flatnonzero(_walkable(situation, layout))]
    if layout.opens[s]:
        acts.append(Act(ActKind.OPEN if situation.closed[s] else ActKind.CLOSE, s))
    acts += [Act(ActKind.PICK, s, c) for c in space.classes]
    acts += [Act(ActKind.PUT, s, c) for c in sorted(set(progress.holding))]
    if _is_device(space, s):
        acts += [Act(ActKind.SWITCH, s, way=w) for w in ("on", "off")]
    return [*acts, Act(ActKind.PAUSE, s)]


def likelihood(act: Act | Sequence[Act], space: GoalSpace, progress: Progress, wanted: Needs, situation: Situation, layout: Layout,
               config: MindConfig) -> np.ndarray:
    """pi(act | goal, target) for every goal and target, float64 (G, n). Several acts: one of them was done, each by its ``certainty``;
    what these leave of one is taken to say nothing."""
    acts = (act,) if isinstance(act, Act) else act
    shares = _shares(space, progress, situation, layout)
    unsure = max(0.0, 1 - sum(a.certainty for a in acts))
    if len(acts) == 1 and not unsure:
        return _surely(acts[0], shares, space, progress, wanted, situation, layout, config)
    said = sum(a.certainty * _surely(a, shares, space, progress, wanted, situation, layout, config) for a in acts)
    return said + unsure / max(shares + 1, 1)


def _shares(space: GoalSpace, progress: Progress, situation: Situation, layout: Layout) -> int:
    """How many shares noise is spread over; see :func:`options`."""
    return int(_walkable(situation, layout).sum()) + int(layout.opens[situation.site]) + (1 if space.classes else 0) \
        + (1 if progress.holding else 0) + 2 * int(_is_device(space, situation.site))


def _surely(act: Act, shares: int, space: GoalSpace, progress: Progress, wanted: Needs, situation: Situation, layout: Layout,
            config: MindConfig) -> np.ndarray:
    """pi(act | goal, target) of an act that certainly happened, (G, n)."""
    n, s = len(layout.ids), situation.site
    at = situation.at(layout)
    walkable = _walkable(situation, layout)
    noise = _share_of(act, space, progress, walkable, layout, situation) / max(shares, 1)
    purposeful, scale = _purposeful(act, space, progress, wanted, situation, layout, at, walkable, config)

    aimless = wanted.idle[:, None] | (np.arange(n) == layout.elsewhere)[None, :] | _nothing_to_do(space, wanted, at)
    move = np.where(aimless, noise, (1 - config.act_noise) * purposeful / scale + config.act_noise * noise)
    if layout.opens[s] and not situation.closed[s]:
        busy = at[None, :] & ~aimless  # has business right here: does not close it
        tidy = config.close_habit * (act.kind is ActKind.CLOSE) + (1 - config.close_habit) * move
        move = np.where(busy, move, tidy)
    pause = np.where(wanted.idle, config.idle_pause_rate, config.pause_rate)[:, None]
    return np.broadcast_to(pause, move.shape) if act.kind is ActKind.PAUSE else (1 - pause) * move


def _walkable(situation: Situation, layout: Layout) -> np.ndarray:
    """Bool (n,): everything but where one is already, the room one is in, and ELSEWHERE."""
    ok = ~situation.at(layout)
    ok[layout.elsewhere] = False
    return ok


def _is_device(space: GoalSpace, site: int) -> bool:
    return bool((space.of_kind(GoalKind.SWITCH) & (space.fixed == site)).any())


def _share_of(act: Act, space: GoalSpace, progress: Progress, walkable: np.ndarray, layout: Layout, situation: Situation) -> float:
    """How many noise shares this very act has (1 for a walk; picking up anything is one share for all classes together)."""
    s = situation.site
    if act.kind is ActKind.WALK:
        return 1.0 if walkable[act.site] else 0.0
    if act.kind is ActKind.OPEN:
        return float(layout.opens[s] and situation.closed[s])
    if act.kind is ActKind.CLOSE:
        return float(layout.opens[s] and not situation.closed[s])
    if act.kind is ActKind.PICK:
        return 1.0 / max(len(space.classes), 1)
    if act.kind is ActKind.PUT:
        return 1.0 / max(len(set(progress.holding)), 1)
    return 1.0 if act.kind is ActKind.SWITCH and _is_device(space, s) else 0.0


def _nothing_to_do(space: GoalSpace, wanted: Needs, at: np.ndarray) -> np.ndarray:
    """Bool (G, n): already where a REACH goal leads."""
    return space.of_kind(GoalKind.REACH)[:, None] & at[None, :]


def _purposeful(act: Act, space: GoalSpace, progress: Progress, wanted: Needs, situation: Situation, layout: Layout, at: np.ndarray,
                walkable: np.ndarray, config: MindConfig) -> tuple[np.ndarray, np.ndarray]:
    """exp(-rationality · waste) of this act, (G, n) or (n,), and its sum over all acts, (n,)."""
    s, e = situation.site, layout.effort
    waste = np.maximum(e[s][:, None] + e - e[s][None, :], 0.0)  # (q, z)
    walks = np.exp(-config.rationality * (waste + config.stop_cost * layout.detours)) * walkable[:, None]
    scale = walks.sum(axis=0) + at  # one more, without waste, for what is to be done on the spot
    fits = np.zeros((len(space.goals), len(e)))
    if act.kind is ActKind.WALK:
        fits[:] = walks[act.site][None, :]
        if act.cls is not None:  # walked up to an object: the goal has use for such a thing
            useful = _wants(space, wanted, act.cls)
            fits[~useful, act.site] = 0.0
        return fits, scale
    ready = at & ~(layout.opens & situation.closed)
    puts = (wanted.go > 0) & space.gathers[:, None]
    both = np.where(puts & (wanted.fetches > 0)[:, None], 0.5, 1.0)
    if act.kind is ActKind.OPEN:
        fits[:] = (at & layout.opens & situation.closed)[None, :]
    elif act.kind is ActKind.PICK:
        fits = both * (_wants(space, wanted, act.cls) / np.maximum(wanted.fetches, 1))[:, None] * ready
    elif act.kind is ActKind.PUT and act.cls in space.classes:
        carried = space.wants & ~wanted.fetch & np.array([c in progress.holding for c in space.classes], dtype=bool)
        share = carried[:, space.classes.index(act.cls)] / np.maximum(carried.sum(axis=1), 1)
        fits = both * puts * share[:, None] * ready
    elif act.kind is ActKind.SWITCH:
        ways = np.array([g.activity == act.way for g in space.goals])
        fits = np.outer(space.of_kind(GoalKind.SWITCH) & wanted.go.any(axis=1) & ways, at).astype(float)
    return fits, scale


def _wants(space: GoalSpace, wanted: Needs, cls: str | None) -> np.ndarray:
    """Bool (G,): goals that would fetch such a thing now."""
    return wanted.fetch[:, space.classes.index(cls)] if cls in space.classes else np.zeros(len(space.goals), dtype=bool)
