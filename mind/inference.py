"""One person's mind over time: beliefs, progress and the joint posterior, moved by two things only, acts and percepts.

This is the one place where beliefs, goals, plans and policy meet the filter. It turns every act and percept into the filter's linear
operations, eq. (1) of BIP-ALM unrolled: P(g, b | s, a) ∝ Π pi(a | g, b) P(b | b', s) P(b0) P(g). Any backend with ``init`` and
``step`` (the exact filter, particles) runs behind the same calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from household.goals import Goal, GoalKind
from mind import beliefs as belief_model
from mind import filter as exact
from mind import goals as goal_model
from mind import plans, policy
from mind.beliefs import TINY, Beliefs
from mind.config import MindConfig
from mind.filter import Operation, Redraw, Renew, Weigh
from mind.goals import GoalSpace, Needs, Progress
from mind.layout import Layout
from mind.plans import GUESSED, KNOWN
from mind.policy import Act, ActKind, Situation
from mind.sought import Sought
from mind.sought import sought as objects_sought
from mind.values import replace
from mind.visibility import Percept


SETTLED = 1e-3  # a belief this close to what is seen has nothing more to learn from seeing it again


class Posterior(Protocol):
    """A backend's state. ``alpha`` float64 (2, G, n), sums to one."""

    @property
    def alpha(self) -> np.ndarray: ...


class Backend(Protocol):
    """``init(prior (G,), targets (2, G, n))``, ``step(state, operation)`` and ``mixed(one, other, share)``; see ``mind.filter`` (exact) and ``mind.particle``."""

    def init(self, prior: np.ndarray, targets: np.ndarray) -> Posterior: ...

    def step(self, state: Posterior, operation: Operation) -> Posterior: ...

    def mixed(self, one: Posterior, other: Posterior, share: float) -> Posterior: ...


@dataclass(frozen=True)
class Model:
    """What does not change while a person is watched. ``objects``: ids; ``named``: id → row, of all but the one that
    stands for what nobody has seen; ``members``: for each class the rows of its objects."""

    layout: Layout
    space: GoalSpace
    objects: tuple[str, ...]
    named: Mapping[str, int]
    members: tuple[np.ndarray, ...]
    config: MindConfig
    backend: Backend = field(default=exact)  # type: ignore[assignment]

    @classmethod
    def of(cls, layout: Layout, space: GoalSpace, objects: dict[str, str], config: MindConfig, backend=exact) -> "Model":
        """``objects``: id → class."""
        rows: dict[str, list[int]] = {c: [] for c in space.classes}
        for i, c in enumerate(objects.values()):
            if c in rows:
                rows[c].append(i)
        named = {o: i for i, o in enumerate(objects) if o != goal_model.UNSEEN}
        return cls(layout, space, tuple(objects), named, tuple(np.array(r, dtype=int) for r in rows.values()), config, backend)


@dataclass(frozen=True)
class PersonState:
    """``wanted``: what each goal needs next; ``sought``: the objects that would do. Both are functions of ``progress``, kept to save work."""

    beliefs: Beliefs
    progress: Progress
    situation: Situation
    posterior: Posterior
    wanted: Needs
    sought: Sought
    acts: int = 0


def sought(model: Model, wanted: Needs) -> Sought:
    """The objects of the classes that each goal would fetch next."""
    return objects_sought(wanted.fetch, model.members, len(model.objects))


def start(model: Model, beliefs: Beliefs, site: int, closed: np.ndarray) -> PersonState:
    """A person first seen at ``site``. ``closed`` bool (n,)."""
    progress = goal_model.begin(model.space)
    wanted = goal_model.needs(model.space, progress, model.layout)
    situation = Situation(site, closed)
    objects = sought(model, wanted)
    targets = _targets(model, wanted, objects, beliefs, situation)
    return PersonState(beliefs, progress, situation, model.backend.init(model.space.prior, targets), wanted, objects)


def act(model: Model, state: PersonState, deed: Act) -> tuple[PersonState, tuple[Operation, ...]]:
    """The person did this: what it says about goal and target, and what it changes. The operations are returned for hindsight."""
    state, steps = ready(model, state)
    state, said = weigh(model, state, deed)
    return state, (*steps, said)


def weigh(model: Model, state: PersonState, deed: Act | Sequence[Act]) -> tuple[PersonState, Weigh]:
    """The likelihood of the act alone (or of one of several, see :func:`policy.likelihood`), for a person who is :func:`ready`."""
    table = policy.likelihood(deed, model.space, state.progress, state.wanted, state.situation, model.layout, model.config)
    acts = (deed,) if isinstance(deed, Act) else deed
    said = Weigh(table, " or ".join(f"{a.kind.value} at {model.layout.ids[a.site]}" for a in acts))
    return replace(state, posterior=model.backend.step(state.posterior, said), acts=state.acts + 1), said


def ready(model: Model, state: PersonState) -> tuple[PersonState, list[Operation]]:
    """The person just before their next act: goals may have been renewed or dropped, guesses reconsidered."""
    steps: list[Operation] = []
    progress = goal_model.next_act(model.space, state.progress)
    wanted = state.wanted if progress is state.progress else goal_model.needs(model.space, progress, model.layout)
    objects = state.sought if wanted is state.wanted else sought(model, wanted)
    targets = _targets(model, wanted, objects, state.beliefs, state.situation)
    renewal = _renewal(model, state, targets)
    state = state if renewal is None else _apply(model, state, renewal, steps)
    state = _again(model, state, progress, steps)
    if model.config.rethink_rate > 0:
        state = _apply(model, state, _rethinking(model, targets), steps)
    return state, steps


def lived_on(model: Model, state: PersonState, acts: float) -> tuple[PersonState, tuple[Operation, ...]]:
    """So many acts that nobody saw: goals may have been reached, renewed or dropped at each."""
    targets = _targets(model, state.wanted, state.sought, state.beliefs, state.situation)
    renewal, steps = _renewal(model, state, targets), []
    if renewal is not None:
        # what is finished ends as fast as ever; all else, idleness too, as slowly as what nobody sees
        rate = np.where(renewal.rate > model.config.start_rate, renewal.rate, model.config.unseen_switch_rate) * bool(renewal.start.any())
        state = _apply(model, state, replace(renewal, rate=1 - (1 - rate) ** acts), steps)
    return state, tuple(steps)


def consequences(model: Model, state: PersonState, deed: Act) -> tuple[PersonState, tuple[Operation, ...]]:
    """What the act changed in the world as far as goals need it: where the person is, what is open, what is in their hands."""
    space, site, closed = model.space, state.situation.site, state.situation.closed
    progress = state.progress
    if deed.kind is ActKind.WALK:
        site = deed.site
    elif deed.kind in (ActKind.OPEN, ActKind.CLOSE):
        closed = closed.copy()
        closed[deed.site] = deed.kind is ActKind.CLOSE
    elif deed.kind is ActKind.PICK:
        progress = goal_model.picked(space, progress, deed.cls or "")
    elif deed.kind is ActKind.PUT:
        progress = goal_model.put_down(space, progress, deed.cls or "", deed.site)
    elif deed.kind is ActKind.SWITCH:
        progress = goal_model.switched(space, progress, deed.site, deed.way or "")
    steps: list[Operation] = []
    state = replace(state, situation=Situation(site, closed))
    return _again(model, state, progress, steps), tuple(steps)


def perceive(model: Model, state: PersonState, percept: Percept, unsaid: np.ndarray | None = None,
             present: np.ndarray | None = None) -> tuple[PersonState, tuple[Operation, ...]]:
    """The person could see this. Targets that it rules out are given up, and a wanted thing that comes into view becomes the target.

    ``unsaid`` int (k,): objects of which the percept does not say whether they were there or not, unless listed as seen.
    ``present`` bool (o, n): where things are known to be, so that they can be overlooked there but not missed.
    """
    before, p = state.beliefs, percept.p
    known_already = before.sure[percept.objects, percept.sites] >= 1 - SETTLED
    objects, sites = percept.objects[~known_already], percept.sites[~known_already]
    at = np.flatnonzero(percept.inspected[:-1])  # nothing is ruled out anywhere else
    absent = percept.absent(len(model.objects), at)
    if unsaid is not None:
        absent[unsaid] = False
    if present is not None:
        absent &= ~present[:, at]
    if not objects.size and not (absent & ((before.sure[:, at] > SETTLED) | (before.open_to[:, at] > SETTLED))).any():
        return state, ()
    missed = p * absent
    after = belief_model.see(belief_model.miss(before, missed, at), objects, sites, p)
    surely = belief_model.see(belief_model.miss(before, absent.astype(float), at), objects, sites) if p < 1 else after
    state, steps = replace(state, beliefs=after), []
    operation = _reaction(model, state, before, missed, at, surely, objects, sites, p)
    if operation is not None:
        state = _apply(model, state, operation, steps)
    return state, tuple(steps)


def change_belief(model: Model, state: PersonState, beliefs: Beliefs, obj: int, p: float) -> tuple[PersonState, tuple[Operation, ...]]:
    """Another cause than sight (told, remembered, forgot) changed the belief about one object: goals for it think again, with chance p."""
    touched = state.sought.about(obj)
    rate = np.zeros_like(state.posterior.alpha)
    rate[:, touched, :] = p
    steps: list[Operation] = []
    state = replace(state, beliefs=beliefs)
    return _apply(model, state, Redraw(rate, _targets(model, state.wanted, state.sought, beliefs, state.situation)), steps), tuple(steps)


def predict(model: Model, state: PersonState) -> list[tuple[Act, float]]:
    """The next act: every possible act with its probability, likeliest first; sums to one."""
    state, _ = ready(model, state)
    out = []
    for deed in policy.options(model.space, state.progress, state.situation, model.layout):
        table = policy.likelihood(deed, model.space, state.progress, state.wanted, state.situation, model.layout, model.config)
        out.append((deed, float((state.posterior.alpha * table).sum())))
    return sorted(out, key=lambda pair: -pair[1])


def goals(model: Model, state: PersonState, floor: float = 0.0, most: int | None = None) -> dict[Goal, float]:
    """P(goal | everything so far), families with a free place resolved where behaviour has shown it; sums to one when nothing is left out.

    ``floor``: goals less likely than this are left out; ``most``: so are all but the likeliest so many.
    """
    alpha = state.posterior.alpha.sum(axis=0)
    ids, space = model.layout.ids, model.space
    family = alpha.sum(axis=1)
    free = (space.fixed < 0) & (space.of_kind(GoalKind.REACH) | (space.of_kind(GoalKind.PUT) & state.wanted.go.any(axis=1)))
    open_to = np.flatnonzero(free & (family >= floor))
    at = alpha[open_to, :-1]
    row, site = np.nonzero(at > max(floor, 1e-6))
    p = at[row, site]
    rest = family[open_to] - np.bincount(row, weights=p, minlength=len(open_to))
    whole = np.flatnonzero(~free & (family >= floor))
    which = np.concatenate((whole, open_to[row], open_to)).tolist()
    place = np.concatenate((np.full(len(whole), -1), site, np.full(len(open_to), -1))).tolist()
    mass = np.concatenate((family[whole], p, rest)).tolist()
    order = range(len(mass)) if most is None or len(mass) <= most else sorted(range(len(mass)), key=lambda k: (-mass[k], k))[:most]
    return {space.goals[which[k]] if place[k] < 0 else _placed(space.goals[which[k]], ids[place[k]]): mass[k] for k in order}


@lru_cache(maxsize=4096)
def _placed(goal: Goal, place: str) -> Goal:
    return replace(goal, place=place)


def locations(state: PersonState, shown: Shown) -> np.ndarray:
    """Where the person thinks each object is (would look first), (o, n), rows sum to one: their credence, and for an object they are after,
    the target their behaviour shows. One object of several of its class shares the target with the others."""
    after = shown.known + shown.guessed
    return after + (1 - shown.mass)[:, None] * state.beliefs.credence()


@dataclass(frozen=True)
class Shown:
    """What behaviour says about objects. ``known``, ``guessed`` (o, n): P(after this object, headed for the site, knowing or guessing);
    ``mass`` (o,): P(after this object)."""

    known: np.ndarray
    guessed: np.ndarray
    mass: np.ndarray


def shown(state: PersonState) -> Shown:
    """Goals that only one object would serve make their target a belief about that object."""
    alpha = state.posterior.alpha
    known, guessed = state.sought.shown_by(alpha[KNOWN]), state.sought.shown_by(alpha[GUESSED])
    return Shown(known, guessed, known.sum(axis=1) + guessed.sum(axis=1))


def _targets(model: Model, wanted: Needs, objects: np.ndarray, beliefs: Beliefs, situation: Situation) -> np.ndarray:
    return plans.targets(objects, wanted.go, beliefs, plans.nearness(model.layout, situation.site, situation.closed))


def _apply(model: Model, state: PersonState, operation: Operation, steps: list[Operation]) -> PersonState:
    steps.append(operation)
    return replace(state, posterior=model.backend.step(state.posterior, operation))


def _again(model: Model, state: PersonState, progress: Progress, steps: list[Operation]) -> PersonState:
    """New progress may change what goals need; those goals choose a target afresh."""
    if progress is state.progress:
        return state
    wanted, old = goal_model.needs(model.space, progress, model.layout), state.wanted
    changed = (wanted.fetch != old.fetch).any(axis=1) | (wanted.go != old.go).any(axis=1) | (wanted.idle != old.idle)
    state = replace(state, progress=progress, wanted=wanted, sought=sought(model, wanted))
    if not changed.any():
        return state
    rate = np.zeros((2, *wanted.go.shape))
    rate[:, changed, :] = 1.0
    return _apply(model, state, Redraw(rate, _targets(model, wanted, state.sought, state.beliefs, state.situation)), steps)


def _renewal(model: Model, state: PersonState, targets: np.ndarray) -> Renew | None:
    """Finished goals are mostly followed by new ones, unfinished ones are now and then dropped; None when neither can happen."""
    config, space = model.config, model.space
    kept_up = goal_model.satisfied(space, state.progress)
    done = space.of_kind(GoalKind.REACH)[:, None] & state.situation.at(model.layout)[None, :]
    done = done | (state.progress.finished | kept_up)[:, None]
    start_anew = space.prior * ~kept_up
    total = float(start_anew.sum())
    rate = np.where(done, config.goal_finish_rate, config.goal_switch_rate) * (total > 0)
    rate[space.of_kind(GoalKind.NONE)] = config.start_rate * (total > 0)
    return Renew(rate, start_anew / (total or 1.0), targets) if rate.any() else None


def _rethinking(model: Model, targets: np.ndarray) -> Redraw:
    """Somebody who only guessed may try another place instead. ``targets`` (2, G, n): what each goal would choose now."""
    guesses = targets[GUESSED].sum(axis=1)
    unsure = guesses > TINY
    rate = np.zeros_like(targets)
    rate[GUESSED] = (model.config.rethink_rate * unsure)[:, None]
    again = targets.copy()
    again[KNOWN, unsure] = 0.0
    again[GUESSED] /= np.where(unsure, guesses, 1.0)[:, None]
    return Redraw(rate, again)


def _reaction(model: Model, state: PersonState, before: Beliefs, absent: np.ndarray, at: np.ndarray, surely: Beliefs, objects: np.ndarray,
              sites: np.ndarray, p: float) -> Redraw | None:
    """How targets react to a percept; None when none does. ``absent`` float (o, k): chance that an object was noticed missing at site ``at[k]``."""
    wanted = state.sought
    rate = np.zeros_like(state.posterior.alpha)
    none = (wanted @ absent) / np.maximum(wanted.count, 1)[:, None]
    for component, weight in ((KNOWN, before.sure[:, at]), (GUESSED, before.open_to[:, at])):
        total, gone = wanted @ weight, wanted @ (weight * absent)
        rate[component][:, at] = np.where(total > TINY, gone / np.maximum(total, TINY), none)
    here = None
    if objects.size:
        found = np.zeros(before.sure.shape)
        found[objects, sites] = 1.0
        here = wanted @ found > 0  # (G, n): sites where something wanted has come into view
        pleased = here.any(axis=1)
        rate[:, pleased] = np.maximum(rate[:, pleased], p)
        rate[KNOWN][here] = 0.0  # headed there knowingly already
    fetches = state.wanted.fetches > 0
    rate[:, ~fetches] = 0.0
    rate[:, :, -1] *= 0.0 if here is None else pleased
    both = state.wanted.go.any(axis=1) & fetches  # may be carrying something on the way: those targets stand
    if both.any():
        rate[:, both] *= (state.wanted.go[both] <= 0)[None]
    if not rate.any():
        return None
    return Redraw(rate, _targets(model, state.wanted, state.sought, surely, state.situation))
