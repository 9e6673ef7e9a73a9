"""What a person may want, as a small space of goal families compiled to arrays. (init, step, config); no policy and no inference here.

A family leaves open what behaviour itself shows: ``PUT(apple, ·)`` is one family whose place is revealed once the apple is carried
there, ``REACH(·)`` one family for every place. That keeps the space linear in the number of classes (places come in as the target the
filter tracks anyway) and loses nothing: a family's free place is drawn when it begins to matter.

What a goal needs *next* is all that a policy asks of it: fetch one of these classes, deliver to one of these sites, switch this
device, be there, or nothing any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.goals import NO_GOAL, Goal, GoalKind
from mind.config import MindConfig
from mind.layout import Layout
from mind.values import replace

HANDS = 2
UNSEEN = "something_unseen"  # stands for every kind of thing that the robot has not come across; no class of the vocabulary
TABLES = frozenset({"kitchentable", "diningtable", "coffeetable", "desk", "kitchencounter"})  # where a table is laid, and where things are used together
TABLE_SETTING = ("plate", "fork", "knife", "spoon", "waterglass", "wineglass")  # any two or more of these that the home has


@dataclass(frozen=True)
class GoalSpace:
    """``goals``: G families; a family with a free place has ``place`` None. ``prior`` float64 (G,), sums to one. ``lays`` bool (n,): sites that can be
    laid and worked at, all of them where there is no table.

    ``wants`` bool (G, C): classes to be handled. ``fixed`` int (G,): index of the place asked for, -1 free. ``classes``: C class ids.
    """

    goals: tuple[Goal, ...]
    prior: np.ndarray
    classes: tuple[str, ...]
    wants: np.ndarray
    fixed: np.ndarray
    kinds: tuple[GoalKind, ...]
    lays: np.ndarray
    index: Mapping[Goal, int] = field(default_factory=dict)
    masks: Mapping[GoalKind, np.ndarray] = field(default_factory=dict)

    def of_kind(self, kind: GoalKind) -> np.ndarray:
        """Bool (G,)."""
        return self.masks[kind]

    @property
    def gathers(self) -> np.ndarray:
        """Bool (G,): goals that carry things to a place (PUT, SET, USE)."""
        return self.masks[GoalKind.PUT] | self.masks[GoalKind.SET] | self.masks[GoalKind.USE]


@dataclass(frozen=True)
class Progress:
    """How far a person is, goal by goal. ``holding``: classes in the hands. ``delivered`` bool (G, C). ``gather`` int (G,): where a SET or
    USE goal is being brought together, -1 not yet known. ``finished`` bool (G,): completed by the last act."""

    holding: tuple[str, ...]
    delivered: np.ndarray
    gather: np.ndarray
    finished: np.ndarray


@dataclass(frozen=True)
class Needs:
    """What each goal needs next. ``fetch`` bool (G, C), ``fetches`` int (G,): how many classes; ``go`` float64 (G, n): weights of sites to go to (deliver, reach, switch), not normalised;
    ``idle`` bool (G,): nothing to do (no goal, or finished)."""

    fetch: np.ndarray
    fetches: np.ndarray
    go: np.ndarray
    idle: np.ndarray


def space(goals: Sequence[Goal], prior: Sequence[float], layout: Layout) -> GoalSpace:
    """Compile these goals. Raises ValueError for an unknown place, a duplicate, or a prior that is not a distribution."""
    weights = np.asarray(prior, dtype=float)
    if weights.shape != (len(goals),) or (weights < 0).any() or abs(weights.sum() - 1) > 1e-9:
        raise ValueError(f"the prior over {len(goals)} goals must be non-negative and sum to one, not {weights.sum():.6g}")
    index = {g: i for i, g in enumerate(goals)}
    if len(index) != len(goals):
        raise ValueError("a goal is listed twice")
    names = tuple(dict.fromkeys(classes.class_of(t) for g in goals if g.kind is not GoalKind.SWITCH for t in g.targets))
    wants = np.zeros((len(goals), len(names)), dtype=bool)
    fixed = np.full(len(goals), -1)
    for i, goal in enumerate(goals):
        place = goal.targets[0] if goal.kind is GoalKind.SWITCH else goal.place
        if place is not None:
            if place not in layout.index:
                raise ValueError(f"goal {goal}: '{place}' is no place here")
            fixed[i] = layout.index[place]
        if goal.kind is not GoalKind.SWITCH:
            for t in goal.targets:
                wants[i, names.index(classes.class_of(t))] = True
    kinds = tuple(g.kind for g in goals)
    masks = {kind: np.array([k is kind for k in kinds], dtype=bool) for kind in GoalKind}
    return GoalSpace(tuple(goals), weights, names, wants, fixed, kinds, _lays(layout), index, masks)


def household_goals(object_classes: Iterable[str], devices: Iterable[str], layout: Layout, config: MindConfig) -> GoalSpace:
    """Everything a person may want in this home, with the default prior: getting something is most of it; putting things somewhere, using them
    together, reaching a place and switching share the rest evenly. Laying this table is as likely as putting one thing on it: a plate carried to a table
    is no sign yet that the glasses are next."""
    present = list(dict.fromkeys(object_classes))
    groups: list[list[Goal]] = [[Goal(GoalKind.PUT, (c,)) for c in present if c != UNSEEN],
                                [Goal(GoalKind.USE, parts, None, name) for name, parts in classes.USE_TOGETHER.items()
                                 if all(p in present for p in parts)],
                                [Goal(GoalKind.REACH)]]
    table = tuple(c for c in TABLE_SETTING if c in present)
    if len(table) > 1:
        groups[0].append(Goal(GoalKind.SET, table))
    groups.append([Goal(GoalKind.SWITCH, (d,), None, way) for d in devices for way in ("on", "off")])
    groups = [g for g in groups if g]
    goals, prior = [NO_GOAL], [config.no_goal_prior]
    rest = 1 - config.no_goal_prior
    weights = [config.unseen_classes if c == UNSEEN else 1.0 for c in present]
    if present:
        goals += [Goal(GoalKind.GET, (c,)) for c in present]
        prior += [rest * (1 - config.other_goal_share) * w / sum(weights) for w in weights]
        rest *= config.other_goal_share
    for group in groups:
        goals += group
        weights = [_tables(layout) if g.kind is GoalKind.SET else 1.0 for g in group]
        prior += [rest / len(groups) * w / sum(weights) for w in weights]
    weights = np.array(prior)
    return space(goals, weights / weights.sum(), layout)


def _tables(layout: Layout) -> float:
    """Share of the sites that hold things which can be laid, see ``GoalSpace.lays``."""
    return max(1, int((_lays(layout) & layout.holds).sum())) / max(1, int(layout.holds.sum()))


def _lays(layout: Layout) -> np.ndarray:
    """Bool (n,): as ``GoalSpace.lays``."""
    lays = np.array([classes.class_of(i) in TABLES for i in layout.ids])
    return lays if lays.any() else ~lays


def favoured(s: GoalSpace, cls: str, weight: float) -> GoalSpace:
    """The same goals, those about ``cls`` ``weight`` times as likely to be taken up next."""
    if cls not in s.classes:
        return s
    about = s.wants[:, s.classes.index(cls)] & (s.of_kind(GoalKind.GET) | s.of_kind(GoalKind.PUT))
    prior = s.prior * np.where(about, weight, 1.0)
    return replace(s, prior=prior / prior.sum())


def _at_table(s: GoalSpace) -> np.ndarray:
    """Bool (G,): goals whose things are brought together where there is a table top to use them on."""
    return s.of_kind(GoalKind.SET) | s.of_kind(GoalKind.USE)


def begin(s: GoalSpace) -> Progress:
    g, c = s.wants.shape
    return Progress((), np.zeros((g, c), dtype=bool), np.full(g, -1), np.zeros(g, dtype=bool))


def picked(s: GoalSpace, p: Progress, cls: str) -> Progress:
    """The person has taken an object of this class into a hand."""
    delivered = p.delivered
    if cls in s.classes:
        delivered = delivered.copy()
        delivered[:, s.classes.index(cls)] = False
    return replace(p, holding=p.holding + (cls,), delivered=delivered)


def put_down(s: GoalSpace, p: Progress, cls: str, site: int) -> Progress:
    """An object of this class has left the person's hands and is at ``site``."""
    holding = list(p.holding)
    if cls in holding:
        holding.remove(cls)
    if cls not in s.classes:
        return replace(p, holding=tuple(holding))
    c = s.classes.index(cls)
    served = s.wants[:, c] & s.gathers & ((s.fixed == -1) | (s.fixed == site)) & ((p.gather == -1) | (p.gather == site))
    served &= s.lays[site] | (s.fixed == site) | ~_at_table(s)
    delivered = p.delivered.copy()
    delivered[served, c] = True
    complete = served & (delivered | ~s.wants).all(axis=1)
    return Progress(tuple(holding), delivered, np.where(served, site, p.gather), p.finished | complete)


def switched(s: GoalSpace, p: Progress, device: int, way: str) -> Progress:
    """A device was turned on or off."""
    hit = (s.fixed == device) & np.array([g.kind is GoalKind.SWITCH and g.activity == way for g in s.goals], dtype=bool)
    return replace(p, finished=p.finished | hit)


def next_act(s: GoalSpace, p: Progress) -> Progress:
    """Another act begins: whoever goes on with a finished goal takes it up afresh (another plate, another errand)."""
    if not p.finished.any():
        return p
    delivered, gather = p.delivered.copy(), p.gather.copy()
    delivered[p.finished], gather[p.finished] = False, -1
    return Progress(p.holding, delivered, gather, np.zeros_like(p.finished))


def satisfied(s: GoalSpace, p: Progress) -> np.ndarray:
    """Bool (G,): goals to hold something that is in the hands already; nobody takes these up."""
    holding = np.array([name in p.holding for name in s.classes], dtype=bool)
    return s.of_kind(GoalKind.GET) & (s.wants & holding).any(axis=1)


def needs(s: GoalSpace, p: Progress, layout: Layout) -> Needs:
    """What each goal needs next, given what is in the hands."""
    holding = np.array([name in p.holding for name in s.classes], dtype=bool)
    idle = p.finished | s.of_kind(GoalKind.NONE) | satisfied(s, p)
    left = s.wants & ~p.delivered
    carries = (left & holding).any(axis=1) & s.gathers & ~idle
    seeks = (s.gathers | s.of_kind(GoalKind.GET)) & ~idle & (~carries | (len(p.holding) < HANDS))
    fetch = left & ~holding & seeks[:, None]

    place = np.where(s.fixed >= 0, s.fixed, p.gather)
    anywhere = (layout.holds & ~layout.is_room).astype(float)
    anywhere[layout.elsewhere] = 0.0
    go = np.zeros((len(s.goals), len(layout.ids)))
    goes = carries | ((s.of_kind(GoalKind.REACH) | s.of_kind(GoalKind.SWITCH)) & ~idle)
    to_one = goes & (place >= 0)
    go[to_one, place[to_one]] = 1.0
    go[carries & (place < 0)] = anywhere
    go[carries & (place < 0) & _at_table(s)] = anywhere * s.lays
    free = goes & ~carries & (place < 0)
    go[free, :-1] = 1.0
    return Needs(fetch, fetch.sum(axis=1), go, idle)
