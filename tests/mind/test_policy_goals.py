"""What people do for goals beyond getting one thing, and what bodies and homes change about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from household.goals import NO_GOAL, Goal, GoalKind, get
from mind import beliefs as belief_model
from mind import goals as goal_model
from mind import inference, layout as layouts, plans, policy
from mind.config import MindConfig, parameters
from mind.inference import Model
from mind.layout import CHILD, WHEELCHAIR, PersonCosts, Site
from mind.particle import Particles
from mind.policy import Act, ActKind, Situation
from mind.visibility import Percept

CONFIG = MindConfig()
SITES = [Site("kitchen", "kitchen", is_room=True, holds_objects=False, position=(1, 1)), Site("den", "den", is_room=True, holds_objects=False, position=(7, 1)),
         Site("fridge_1", "kitchen", opens=True, position=(0, 2)), Site("kitchentable_1", "kitchen", position=(2, 2)),
         Site("kitchencabinet_1", "kitchen", opens=True, position=(3, 0), height=1.5), Site("desk_1", "den", position=(8, 1)),
         Site("lamp_1", "den", position=(6, 0), holds_objects=False)]
PUT_APPLE = Goal(GoalKind.PUT, ("apple",))
CUT = Goal(GoalKind.USE, ("cuttingboard", "carrot", "knife"), None, "cut the carrot")
LIGHT = Goal(GoalKind.SWITCH, ("lamp_1",), None, "on")
TO_DEN = Goal(GoalKind.REACH, (), "den")
GOALS = [NO_GOAL, get("apple"), get("knife"), PUT_APPLE, CUT, LIGHT, TO_DEN, Goal(GoalKind.REACH)]
OBJECTS = {"apple_1": "apple", "knife_1": "knife", "carrot_1": "carrot", "cuttingboard_1": "cuttingboard"}


class Someone:
    """A person who has seen where everything is: the apple and the knife on the desk, the carrot in the fridge, the board on the table."""

    def __init__(self, backend=None, known=True, config=CONFIG, costs: PersonCosts | None = None):
        self.layout = layouts.build(SITES, config)
        if costs is not None:
            self.layout = layouts.for_person(self.layout, costs, config)
        space = goal_model.space(GOALS, [1 / len(GOALS)] * len(GOALS), self.layout)
        self.model = Model.of(self.layout, space, OBJECTS, config, **({} if backend is None else {"backend": backend}))
        beliefs = belief_model.init(len(OBJECTS), self.layout.holds, config)
        at = [self.layout.index[p] for p in ("desk_1", "desk_1", "fridge_1", "kitchentable_1")]
        if known:
            beliefs = belief_model.see(beliefs, np.arange(4), np.array(at))
        self.state = inference.start(self.model, beliefs, self.layout.index["kitchen"], self.layout.opens.copy())

    def does(self, kind: ActKind, site: str, cls: str | None = None, way: str | None = None) -> "Someone":
        deed = Act(kind, self.layout.index[site], cls, way)
        for do in (inference.act, inference.consequences):
            self.state, _ = do(self.model, self.state, deed)
        return self

    def p(self, goal: Goal) -> float:
        return inference.goals(self.model, self.state).get(goal, 0.0)


@pytest.mark.parametrize("goal, acts", [
    (get("knife"), [("walk", "desk_1"), ("pick", "desk_1", "knife")]),
    (LIGHT, [("walk", "lamp_1"), ("switch", "lamp_1", None, "on")]),
    (TO_DEN, [("walk", "den")]),
    (CUT, [("walk", "fridge_1"), ("open", "fridge_1"), ("pick", "fridge_1", "carrot"), ("walk", "kitchentable_1"), ("put", "kitchentable_1", "carrot"),
           ("walk", "desk_1"), ("pick", "desk_1", "knife"), ("walk", "kitchentable_1")])])
def test_acts_that_lead_to_a_goal_raise_it(goal, acts):
    someone = Someone()
    before = someone.p(goal)
    for kind, *rest in acts:
        someone.does(ActKind(kind), *rest)
    assert someone.p(goal) > 2 * before
    if goal in (CUT, LIGHT):
        assert someone.p(goal) == max(inference.goals(someone.model, someone.state).values())


def test_where_something_is_put_shows_where_it_was_to_go():
    someone = Someone().does(ActKind.WALK, "desk_1").does(ActKind.PICK, "desk_1", "apple").does(ActKind.WALK, "kitchencabinet_1")
    goals = inference.goals(someone.model, someone.state)
    shown = Goal(GoalKind.PUT, ("apple",), "kitchencabinet_1")
    assert goals[shown] > 0.3 and goals[shown] > 5 * goals.get(replace(shown, place="desk_1"), 0)


def test_a_goal_is_over_when_it_is_reached():
    someone = Someone().does(ActKind.WALK, "desk_1").does(ActKind.PICK, "desk_1", "knife")
    assert someone.p(get("knife")) > 0.5
    needs = goal_model.needs(someone.model.space, someone.state.progress, someone.layout)
    assert needs.idle[GOALS.index(get("knife"))] and not needs.idle[GOALS.index(CUT)]
    someone.does(ActKind.WALK, "kitchentable_1")
    assert someone.p(get("knife")) < 0.2, "holding it, nobody goes on wanting to get it"


def test_use_asks_for_what_is_missing_and_then_for_the_place():
    someone = Someone().does(ActKind.WALK, "fridge_1").does(ActKind.OPEN, "fridge_1").does(ActKind.PICK, "fridge_1", "carrot")
    space, g = someone.model.space, GOALS.index(CUT)
    wanted = {c for c, w in zip(space.classes, someone.state.wanted.fetch[g]) if w}
    assert wanted == {"cuttingboard", "knife"} and someone.state.wanted.go[g].any()
    someone.does(ActKind.WALK, "kitchentable_1").does(ActKind.PUT, "kitchentable_1", "carrot")
    assert someone.state.progress.gather[g] == someone.layout.index["kitchentable_1"]
    assert not someone.state.wanted.go[g].any()


def test_somebody_who_knows_goes_far_somebody_who_does_not_looks_near():
    knows, searches = Someone(known=True), Someone(known=False)
    near = plans.nearness(knows.layout, knows.state.situation.site, knows.state.situation.closed)
    g, desk = GOALS.index(get("apple")), knows.layout.index["desk_1"]
    for person, sure in ((knows, True), (searches, False)):
        table = plans.targets(person.state.sought, person.state.wanted.go, person.state.beliefs, near)
        assert table.sum(axis=(0, 2)) == pytest.approx(1.0)
        assert bool(table[plans.KNOWN, g, desk] > 0.999) is sure
    assert table[plans.GUESSED, g, knows.layout.index["kitchentable_1"]] > 3 * table[plans.GUESSED, g, desk]


@pytest.mark.parametrize("costs", [WHEELCHAIR, CHILD])
def test_bodies_change_the_policy_through_numbers_alone(costs):
    average, other = Someone(known=False), Someone(known=False, costs=costs)
    cupboard = average.layout.index["kitchencabinet_1"]
    tables = [plans.targets(s.state.sought, s.state.wanted.go, s.state.beliefs, plans.nearness(s.layout, 0, s.state.situation.closed))
              for s in (average, other)]
    assert tables[1][1, GOALS.index(get("apple")), cupboard] < 0.3 * tables[0][1, GOALS.index(get("apple")), cupboard]
    assert (other.layout.effort >= average.layout.effort - 1e-12).all()


def test_waste_is_what_makes_an_act_unlikely():
    someone = Someone()
    table = {q: policy.likelihood(Act(ActKind.WALK, someone.layout.index[q]), someone.model.space, someone.state.progress, someone.state.wanted,
                                  someone.state.situation, someone.layout, CONFIG)[GOALS.index(get("apple")), someone.layout.index["desk_1"]]
             for q in ("desk_1", "den", "kitchentable_1", "fridge_1")}
    assert min(table["desk_1"], table["den"]) > 10 * max(table["kitchentable_1"], table["fridge_1"])
    careless = replace(CONFIG, rationality=0.1)
    loose = policy.likelihood(Act(ActKind.WALK, someone.layout.index["fridge_1"]), someone.model.space, someone.state.progress, someone.state.wanted,
                              someone.state.situation, someone.layout, careless)[GOALS.index(get("apple")), someone.layout.index["desk_1"]]
    assert loose > 5 * table["fridge_1"]


def test_closing_a_box_in_which_the_wanted_thing_lies_is_unlikely():
    someone = Someone(known=False).does(ActKind.WALK, "fridge_1").does(ActKind.OPEN, "fridge_1")
    fridge = someone.layout.index["fridge_1"]
    seen = Percept(np.array([2]), np.array([fridge]), np.arange(len(someone.layout.ids)) == fridge)  # the carrot
    someone.state, _ = inference.perceive(someone.model, someone.state, seen)
    odds = someone.p(get("apple")), someone.state.posterior.goals()[GOALS.index(CUT)]
    someone.does(ActKind.CLOSE, "fridge_1")
    assert someone.p(get("apple")) / odds[0] > 5 * someone.state.posterior.goals()[GOALS.index(CUT)] / odds[1]


def test_prediction_names_the_sensible_next_act():
    someone = Someone().does(ActKind.WALK, "desk_1").does(ActKind.PICK, "desk_1", "knife").does(ActKind.WALK, "kitchentable_1")
    acts = inference.predict(someone.model, someone.state)
    assert sum(p for _, p in acts) == pytest.approx(1.0) and acts == sorted(acts, key=lambda a: -a[1])
    kinds = {(a.kind, someone.layout.ids[a.site], a.cls): p for a, p in acts}
    assert kinds[(ActKind.PUT, "kitchentable_1", "knife")] > 2 * kinds[(ActKind.WALK, "desk_1", None)]


@pytest.mark.parametrize("count, far", [(200, 0.6), (20_000, 0.1)])
def test_particles_come_close_to_the_exact_filter(count, far):
    acts = [("walk", "fridge_1"), ("open", "fridge_1"), ("close", "fridge_1"), ("walk", "desk_1"), ("pick", "desk_1", "apple")]
    exact, drawn = Someone(known=False), Someone(Particles(count, seed=3), known=False)
    for kind, *rest in acts:
        for who in (exact, drawn):
            who.does(ActKind(kind), *rest)
            mask = np.arange(len(who.layout.ids)) == who.layout.index[rest[0]]
            if kind == "open":
                who.state, _ = inference.perceive(who.model, who.state, Percept(np.array([2]), np.array([who.layout.index["fridge_1"]]), mask, 0.9))
        distance = 0.5 * np.abs(exact.state.posterior.goals() - drawn.state.posterior.goals()).sum()
        assert distance < far
        assert drawn.state.posterior.alpha.sum() == pytest.approx(1.0)
    assert drawn.state.posterior.log_evidence == pytest.approx(exact.state.posterior.log_evidence, abs=10 * far)


def test_particles_are_deterministic_given_their_seed():
    runs = [Someone(Particles(50, seed)).does(ActKind.WALK, "desk_1").state.posterior.goals() for seed in (1, 1, 2)]
    assert (runs[0] == runs[1]).all() and not (runs[0] == runs[2]).all()
    with pytest.raises(ValueError, match="count = 0"):
        Particles(0)


@pytest.mark.parametrize("name, low, high", [(p[0], p[2], p[3]) for p in parameters()])
def test_a_parameter_out_of_range_names_itself(name, low, high):
    for wrong in (low - 1, high + 1, float("nan"), "2"):
        with pytest.raises(ValueError, match=name):
            MindConfig(**{name: wrong})
    assert next(p for p in parameters() if p[0] == name)[4]


@pytest.mark.parametrize("goals, prior, message", [
    ([get("apple")], [0.5], "sum to one"), ([get("apple"), get("apple")], [0.5, 0.5], "twice"),
    ([Goal(GoalKind.PUT, ("apple",), "moon_1")], [1.0], "moon_1"), ([get("apple")], [1.5], "sum to one")])
def test_a_goal_space_that_cannot_be(goals, prior, message):
    with pytest.raises(ValueError, match=message):
        goal_model.space(goals, prior, layouts.build(SITES, CONFIG))


def test_everything_a_home_offers_can_be_wanted():
    layout = layouts.build(SITES, CONFIG)
    space = goal_model.household_goals(OBJECTS.values(), ["lamp_1"], layout, CONFIG)
    assert space.prior.sum() == pytest.approx(1.0) and space.prior[0] == pytest.approx(CONFIG.no_goal_prior)
    assert {get("apple"), PUT_APPLE, CUT, LIGHT, Goal(GoalKind.REACH)} <= set(space.goals)
    assert not any(g.activity == "pour wine" for g in space.goals), "there is no wine"
    nothing = goal_model.household_goals([], [], layout, CONFIG)
    assert nothing.prior.sum() == pytest.approx(1.0)


def test_a_plate_is_put_on_this_table_as_likely_for_its_own_sake_as_to_lay_it():
    layout = layouts.build(SITES, CONFIG)
    space = goal_model.household_goals(["plate", "waterglass", "book", "apple"], ["lamp_1"], layout, CONFIG)
    prior = dict(zip(space.goals, space.prior))
    tables, places = int((space.lays & layout.holds).sum()), int(layout.holds.sum())
    assert 0 < tables < places
    assert prior[Goal(GoalKind.SET, ("plate", "waterglass"))] / tables == pytest.approx(prior[Goal(GoalKind.PUT, ("plate",))] / places)


@pytest.mark.parametrize("walk, reach", [(-1, 2.0), (1, 9.0)])
def test_costs_are_checked(walk, reach):
    with pytest.raises(ValueError, match="PersonCosts"):
        PersonCosts(walk=walk, reach=reach)


def test_a_home_with_rooms_joined_by_doors_costs_what_the_way_costs():
    rooms = [Site(r, r, is_room=True, holds_objects=False) for r in ("a", "b", "c")]
    line = layouts.build([*rooms, Site("x_1", "a"), Site("y_1", "c")], CONFIG, adjacent=[("a", "b"), ("b", "c")])
    star = layouts.build([*rooms, Site("x_1", "a"), Site("y_1", "c")], CONFIG)
    i, j = line.index["x_1"], line.index["y_1"]
    assert line.effort[i, j] == pytest.approx(star.effort[i, j] + CONFIG.room_walk_cost)
    assert np.allclose(line.effort, line.effort.T) and (np.diag(line.effort) == 0).all()
    with pytest.raises(ValueError, match="two sites"):
        layouts.build([*rooms, Site("a", "a")], CONFIG)


def test_being_in_a_room_is_being_at_the_room():
    layout = layouts.build(SITES, CONFIG)
    at = Situation(layout.index["fridge_1"], layout.opens.copy()).at(layout)
    assert {layout.ids[i] for i in np.flatnonzero(at)} == {"fridge_1", "kitchen"}


@pytest.mark.parametrize("goal, place, served", [
    (Goal(GoalKind.SET, ("apple", "knife")), "kitchentable_1", True), (Goal(GoalKind.SET, ("apple", "knife")), "fridge_1", False),
    (Goal(GoalKind.SET, ("apple", "knife"), "fridge_1"), "fridge_1", True), (PUT_APPLE, "fridge_1", True)])
def test_a_table_is_laid_on_a_table_unless_it_is_said_where(goal, place, served):
    layout = layouts.build(SITES, CONFIG)
    space = goal_model.space([NO_GOAL, goal], [0.5, 0.5], layout)
    carrying = goal_model.picked(space, goal_model.begin(space), "apple")
    assert bool(goal_model.needs(space, carrying, layout).go[1, layout.index[place]] > 0) is served
    put = goal_model.put_down(space, carrying, "apple", layout.index[place])
    assert bool(put.delivered[1, space.classes.index("apple")]) is served
