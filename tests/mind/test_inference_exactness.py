"""The filter against a naive enumeration of every hidden path, and the invariants that any correct filter has."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from household.goals import NO_GOAL, Goal, GoalKind, get
from mind import beliefs as belief_model
from mind import goals as goal_model
from mind import inference, layout as layouts, policy
from mind.config import MindConfig
from mind.inference import Model
from mind.layout import Site
from mind.policy import Act, ActKind
from mind.smoothing import smooth
from mind.visibility import Percept
from tests.mind.reference_mind import Ref

CONFIG = MindConfig(rethink_rate=0.1, goal_switch_rate=0.05)


def small_world(rng: random.Random):
    """Two rooms, three places (one or two open), two or three goals; the model and its naive twin."""
    places = [("box_1", "hall", True), ("desk_1", rng.choice(["hall", "den"]), False), ("drawer_1", "den", rng.random() < 0.7)]
    sites = [Site(r, r, is_room=True, holds_objects=False, position=(rng.uniform(0, 6), rng.uniform(0, 6))) for r in ("hall", "den")]
    sites += [Site(p, r, opens=o, position=(rng.uniform(0, 6), rng.uniform(0, 6))) for p, r, o in places]
    layout = layouts.build(sites, CONFIG)
    goals = [NO_GOAL, get("apple"), get("mug")] if rng.random() < 0.6 else [get("apple"), Goal(GoalKind.PUT, ("apple",)), NO_GOAL]
    weights = [rng.uniform(0.2, 1) for _ in goals]
    prior = [w / sum(weights) for w in weights]
    objects = {"apple_1": "apple", "mug_1": "mug"} if rng.random() < 0.5 else {"apple_1": "apple", "apple_2": "apple", "mug_1": "mug"}
    space = goal_model.space(goals, prior, layout)
    model = Model.of(layout, space, objects, CONFIG)
    closed = layout.opens.copy()
    state = inference.start(model, belief_model.init(len(objects), layout.holds, CONFIG), 0, closed)
    ids = layout.ids
    ref = Ref(CONFIG, list(ids[:-1]), {i: ids[layout.room[n]] for n, i in enumerate(ids[:-1])}, {"hall", "den"},
              {i for n, i in enumerate(ids) if layout.opens[n]}, {i for n, i in enumerate(ids) if layout.holds[n] and i != "elsewhere"},
              {a: {b: float(layout.effort[x, y]) for y, b in enumerate(ids)} for x, a in enumerate(ids)}, goals, prior, objects, "hall",
              {i for n, i in enumerate(ids) if closed[n]})
    return model, state, ref


def random_percept(rng: random.Random, model: Model, inspected_at: str, p: float):
    where = {o: rng.choice(model.layout.ids[2:-1]) for o in model.objects}
    inspected = {inspected_at, "desk_1"} if rng.random() < 0.5 else {inspected_at}
    seen = {o: s for o, s in where.items() if s in inspected}
    index = model.layout.index
    mask = np.zeros(len(index), dtype=bool)
    mask[[index[s] for s in inspected]] = True
    percept = Percept(np.array([model.objects.index(o) for o in seen], dtype=int), np.array([index[s] for s in seen.values()], dtype=int), mask, p)
    return percept, seen, inspected


def as_dict(model: Model, alpha: np.ndarray) -> dict:
    ids, goals = model.layout.ids, model.space.goals
    return {(goals[g], k, ids[z]): float(alpha[k, g, z]) for k, g, z in itertools.product(range(2), range(len(goals)), range(len(ids)))}


@pytest.mark.parametrize("seed", range(12))
def test_the_filter_agrees_with_enumerating_every_path(seed):
    rng = random.Random(seed)
    model, state, ref = small_world(rng)
    for n in range(3):
        options = [a for a in ref.options() if a[0] != "pick" or rng.random() < 0.7]
        act = rng.choice(options)
        deed = Act(ActKind(act[0]), model.layout.index[act[1]], act[2])
        state, _ = inference.act(model, state, deed)
        state, _ = inference.consequences(model, state, deed)
        ref.act(act)
        ref.after(act)
        if n < 2:
            percept, seen, inspected = random_percept(rng, model, ref.here, rng.choice([1.0, 0.8]))
            state, _ = inference.perceive(model, state, percept)
            ref.perceive(seen, inspected, percept.p)
        expected, evidence = ref.posterior()
        got = as_dict(model, state.posterior.alpha)
        assert max(abs(got[h] - expected.get(h, 0.0)) for h in got) < 1e-9
        assert abs(state.posterior.log_evidence - np.log(evidence)) < 1e-9
        ref.paths = [(h, p * evidence) for h, p in expected.items()]  # the same mass, fewer equal paths


@pytest.mark.parametrize("seed", range(6))
def test_looking_back_agrees_with_weighing_the_earlier_state_by_what_came_later(seed):
    rng = random.Random(100 + seed)
    model, state, ref = small_world(rng)
    percept, *_ = random_percept(rng, model, "desk_1", 1.0)
    state, _ = inference.perceive(model, state, percept)
    then, later = state, []
    for _ in range(4):
        acts = policy.options(model.space, state.progress, state.situation, model.layout)
        deed = rng.choice([a for a in acts if a.kind in (ActKind.WALK, ActKind.OPEN, ActKind.CLOSE)])
        for do in (inference.act, inference.consequences):
            state, steps = do(model, state, deed)
            later += steps
    result = smooth(then.posterior, later)
    by_hand = np.zeros_like(then.posterior.alpha)
    for index in np.ndindex(*by_hand.shape):
        start = np.zeros_like(by_hand)
        start[index] = then.posterior.alpha[index]
        for operation in later:
            start = operation.forward(start)
        by_hand[index] = start.sum()
    assert np.abs(result.alpha - by_hand / by_hand.sum()).max() < 1e-9
    assert abs(result.log_evidence - state.posterior.log_evidence) < 1e-9


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_acts_that_are_possible_have_probability_one_together(seed):
    rng = random.Random(seed)
    model, state, _ = small_world(rng)
    for _ in range(rng.randrange(4)):
        deed = rng.choice(policy.options(model.space, state.progress, state.situation, model.layout))
        state, _ = inference.act(model, state, deed)
        state, _ = inference.consequences(model, state, deed)
    acts = policy.options(model.space, state.progress, state.situation, model.layout)
    total = sum(policy.likelihood(a, model.space, state.progress, state.wanted, state.situation, model.layout, CONFIG) for a in acts)
    reachable = state.posterior.alpha.sum(axis=0) > 1e-15
    assert np.abs(total[reachable] - 1).max() < 1e-9
    assert abs(sum(p for _, p in inference.predict(model, state)) - 1) < 1e-9


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_everything_stays_normalised(seed):
    rng = random.Random(seed)
    model, state, _ = small_world(rng)
    for _ in range(5):
        deed = rng.choice(policy.options(model.space, state.progress, state.situation, model.layout))
        for do in (inference.act, inference.consequences):
            state, _ = do(model, state, deed)
        state, _ = inference.perceive(model, state, random_percept(rng, model, "desk_1", rng.choice([1.0, 0.5]))[0])
        assert abs(state.posterior.alpha.sum() - 1) < 1e-9 and (state.posterior.alpha >= -1e-15).all()
        assert np.abs(state.beliefs.sure.sum(axis=1) + state.beliefs.unsure - 1).max() < 1e-9
        assert np.abs(inference.locations(state, inference.shown(state)).sum(axis=1) - 1).max() < 1e-9
        assert abs(sum(inference.goals(model, state).values()) - 1) < 1e-9


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_the_order_in_which_independent_percepts_come_does_not_matter(seed):
    rng = random.Random(seed)
    model, state, _ = small_world(rng)
    index, n = model.layout.index, len(model.layout.ids)
    parts = []
    for place, obj in (("box_1", "apple_1"), ("drawer_1", "mug_1")):
        mask = np.zeros(n, dtype=bool)
        mask[index[place]] = True
        parts.append(Percept(np.array([model.objects.index(obj)]), np.array([index[place]]), mask, 1.0))
    ends = []
    for order in (parts, parts[::-1]):
        s = state
        for percept in order:
            s, _ = inference.perceive(model, s, percept)
        ends.append(s)
    assert np.abs(ends[0].beliefs.sure - ends[1].beliefs.sure).max() < 1e-12
    assert np.abs(ends[0].posterior.goals() - ends[1].posterior.goals()).max() < 1e-12


@given(st.permutations(range(3)), st.integers(0, 1000))
@settings(max_examples=25, deadline=None)
def test_names_and_order_of_places_do_not_matter(order, seed):
    rng = random.Random(seed)
    xy = [(rng.uniform(0, 5), rng.uniform(0, 5)) for _ in range(3)]

    def run(names, placement):
        sites = [Site("hall", "hall", is_room=True, holds_objects=False, position=(2, 2))]
        sites += [Site(names[i], "hall", opens=i != 1, position=xy[i]) for i in placement]
        layout = layouts.build(sites, CONFIG)
        space = goal_model.space([get("apple"), get("mug"), NO_GOAL], [0.4, 0.4, 0.2], layout)
        model = Model.of(layout, space, {"a": "apple", "m": "mug"}, CONFIG)
        state = inference.start(model, belief_model.init(2, layout.holds, CONFIG), 0, layout.opens.copy())
        for kind, i in ((ActKind.WALK, 2), (ActKind.OPEN, 2), (ActKind.CLOSE, 2), (ActKind.WALK, 0)):
            deed = Act(kind, layout.index[names[i]])
            for do in (inference.act, inference.consequences):
                state, _ = do(model, state, deed)
            if kind is ActKind.OPEN:
                mask = np.arange(len(layout.ids)) == deed.site
                state, _ = inference.perceive(model, state, Percept(np.array([1]), np.array([deed.site]), mask))
        return state.posterior.goals(), state.posterior.log_evidence

    plain, renamed = run(["p", "q", "r"], [0, 1, 2]), run(["zebra", "yak", "ant"], list(order))
    assert np.abs(plain[0] - renamed[0]).max() < 1e-12 and abs(plain[1] - renamed[1]) < 1e-9
