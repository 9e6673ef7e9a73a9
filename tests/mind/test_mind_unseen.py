"""What nobody saw: somebody lives on out of view, and what is found only now had its part in what they did before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.scene_graph import SceneGraph, Tracking
from mind import growth
from mind.evidence import ActWeight
from mind.goals import UNSEEN, Goal, GoalKind
from tests.mind.kitchen_story import Watch, did, graph

BOTH = {"alice": "kitchen", "david": "kitchen"}
APART = {"alice": "livingroom", "david": "kitchen"}


def without(scene: SceneGraph, thing: str = "apple_1") -> SceneGraph:
    """The graph before this thing was found."""
    return replace(scene, entities={k: e for k, e in scene.entities.items() if k != thing},
                   relations=frozenset(r for r in scene.relations if thing not in (r.subject, r.object)),
                   sees={k: v - {thing} for k, v in scene.sees.items()})


def to_the_table(found: bool) -> tuple[float, float, float]:
    """P(Alice is after the mug on the table): at first; when she has walked there; when she has put an apple there. ``found``: known all along."""
    def seen(stamp, apple):
        return graph(stamp, apple, BOTH, ("alice", "david")) if found or apple != "alice" else without(graph(stamp, apple, BOTH, ("alice", "david")))

    w, mug = Watch(), []
    w.see(seen(1, "alice"))
    mug.append(w.goal("alice", "mug"))
    w.see(seen(3, "alice"), did("alice", Verb.WALKTOWARDS, "kitchentable_1", None, 2, 3))
    mug.append(w.goal("alice", "mug"))
    w.see(seen(4, "kitchentable_1"), did("alice", Verb.PUTON, "apple_1", "kitchentable_1", 3.2, 4))
    return *mug, w.goal("alice", "mug")


def test_what_somebody_puts_down_explains_their_walk_although_it_is_found_only_then():
    before, walked, put = to_the_table(found=False)
    assert walked > 1.5 * before and put < 1.2 * before


def test_what_past_acts_said_is_kept_goal_by_goal_and_newcomers_share_what_it_said_of_something_unseen():
    w = Watch()
    w.see(without(graph(1, "kitchentable_1", BOTH, ("alice", "david"))))
    old = w.state.people["alice"].model.space
    w.see(graph(2, "kitchentable_1", BOTH, ("alice", "david")))
    new = w.state.people["alice"].model.space
    told = ActWeight(1.0, "walked", "kitchentable_1", tuple(float(i) for i in range(len(old.goals))))
    gain, = (a.gain for a in growth.acts((told,), old, new))
    assert len(gain) == len(new.goals) > len(old.goals)
    assert all(gain[new.index[g]] == old.index[g] for g in old.goals)
    assert gain[new.index[Goal(GoalKind.GET, ("apple",))]] == old.index[Goal(GoalKind.GET, (UNSEEN,))]


def idle_then_gone(seconds: float) -> Watch:
    """Alice stands about without a purpose, is out of view for so long, and is back."""
    w = Watch()
    for stamp in range(1, 40):
        w.see(graph(stamp, "kitchentable_1", APART, ("alice", "david")))
    idle = dict((str(g), p) for g, p in w.minds.people["alice"].goals)["none()"]
    assert idle > 0.5
    w.see(graph(40, "kitchentable_1", APART, ("alice", "david")), HumanAction("alice", Verb.WALKTOWARDS, "kitchen", None, None, 39.5, None, 0.5))
    w.see(graph(41, "kitchentable_1", APART, ("david",), in_view=("david",)))
    w.see(graph(41 + seconds, "kitchentable_1", APART, ("alice", "david")))
    return w


def test_who_was_out_of_view_for_long_may_have_taken_up_something():
    def none(w):
        return dict((str(g), p) for g, p in w.minds.people["alice"].goals)["none()"]

    at_once, soon, late = (idle_then_gone(s) for s in (1.0, 8.0, 60.0))
    assert none(at_once) > none(soon) > none(late) and none(late) < 0.5
    assert at_once.state.people["alice"].walking == "kitchen" and late.state.people["alice"].walking is None
    assert sum(p for _, p in late.minds.people["alice"].goals) == pytest.approx(1.0, abs=0.05)


def test_a_walk_into_a_room_ends_in_it():
    w = Watch()
    w.see(graph(1, "kitchentable_1", BOTH, ("alice", "david")))
    w.see(graph(2, "kitchentable_1", BOTH, ("alice", "david")), HumanAction("alice", Verb.WALKTOWARDS, "livingroom", None, None, 1.5, None, 0.8))
    assert w.state.people["alice"].walking == "livingroom"
    w.see(graph(3, "kitchentable_1", APART, ("alice", "david")), HumanAction("alice", Verb.ENTER, "livingroom", None, None, 3, 3, 0.6))
    assert w.state.people["alice"].walking is None


def test_who_stands_still_is_not_walking_any_more_wherever_they_were_taken_to_be_going():
    """Nobody told of the end of that walk: they stopped on the way, and have stood about since."""
    def after(still):
        w = Watch()
        w.see(graph(1, "kitchentable_1", BOTH, ("alice", "david")))
        w.see(graph(2, "kitchentable_1", BOTH, ("alice", "david")), HumanAction("alice", Verb.WALKTOWARDS, "fridge_1", None, None, 1.5, None, 0.8))
        for stamp in range(3, 14):
            g = graph(stamp, "kitchentable_1", BOTH, ("alice", "david"))
            alice = g.entities["alice"]
            here = (alice.position[0] + (0.0 if still else 0.3 * (stamp - 2)), *alice.position[1:])
            w.see(replace(g, entities={**g.entities, "alice": replace(alice, position=here)}))
        return w.state.people["alice"].walking, dict((str(g), p) for g, p in w.minds.people["alice"].goals)["none()"]

    (standing, idle), (going, busy) = after(still=True), after(still=False)
    assert standing is None and going == "fridge_1" and idle > busy + 0.1


def test_who_stands_where_they_stood_before_the_robot_looked_away_has_stood_about():
    def idle(room):
        w = Watch()
        for stamp in range(1, 20):
            w.see(graph(stamp, "kitchentable_1", BOTH, ("alice", "david")))
        w.see(graph(20, "kitchentable_1", BOTH, ("david",), in_view=("david",)))
        w.see(graph(50, "kitchentable_1", {"alice": room, "david": "kitchen"}, ("alice", "david")))
        return dict((str(g), p) for g, p in w.minds.people["alice"].goals)["none()"]

    assert idle("kitchen") > idle("livingroom") + 0.1


def test_who_comes_back_to_the_door_they_went_out_by_has_not_stood_there_meanwhile():
    def idle(crossed):
        w = Watch()
        for stamp in range(1, 21):
            w.see(graph(stamp, "kitchentable_1", BOTH if stamp < crossed else APART, ("alice", "david")))
        w.see(graph(21, "kitchentable_1", APART, ("david",), in_view=("david",)))
        w.see(graph(49, "kitchentable_1", APART, ("alice", "david")))
        return dict((str(g), p) for g, p in w.minds.people["alice"].goals)["none()"]

    assert idle(crossed=10) > 0.9 > 0.7 > idle(crossed=20)


def gone_from_the_table(spot: tuple[float, float], back: bool) -> tuple[float, Watch]:
    """P(David is wrong about the apple) after he was out of the robot's sight for 4 s from ``spot`` on, as the apple went; ``back``: he has come back before it is missed."""
    def at(stamp, place, who=("alice", "david"), lost=False):
        g = graph(stamp, place, BOTH, () if lost else who, lost=lost, in_view=who)
        moved = {"david": replace(g.entities["david"], position=(*spot, 0.0)), "apple_1": replace(g.entities["apple_1"], last_seen=min(stamp, 3.0))}
        return replace(g, entities={**g.entities, **moved})

    w = Watch()
    for stamp in (1, 2, 3):
        w.see(at(stamp, "kitchentable_1"))
    for stamp in (4, 5, 6):
        w.see(at(stamp, "kitchentable_1", ("alice",)))
    w.see(at(7, "kitchentable_1", ("alice", "david") if back else ("alice",), lost=True))
    model, beliefs = w.state.people["david"].model, w.state.people["david"].state.beliefs
    return float(beliefs.sure[model.named["apple_1"], model.layout.index["kitchentable_1"]]), w


@pytest.mark.parametrize("back", (False, True))
def test_who_was_near_and_out_of_sight_as_a_thing_went_may_have_taken_it(back):
    (near, w), (far, _) = gone_from_the_table((1.0, 0.0), back), gone_from_the_table((9.0, 0.0), back)  # the apple is where x and y are 0
    assert near < 0.4 < 0.8 < far
    assert w.state.people["david"].took["apple_1"] > 0.6 and "apple_1" not in w.state.people["alice"].took
    w.see(graph(8, "alice", BOTH, ("alice",), in_view=("alice",)), did("alice", Verb.PICK, "apple_1", "fridge_1", 7.5, 8))
    assert w.minds.people["david"].beliefs["apple_1"]["fridge_1"] > 0.4  # it must be he who had put it there


def test_who_took_a_thing_once_is_not_taken_to_have_put_it_wherever_others_take_it_from_later():
    _, w = gone_from_the_table((1.0, 0.0), True)
    w.see(graph(8, "kitchencounter_1", BOTH, ("alice",), in_view=("alice",)))  # it lies there for all to see
    assert w.state.people["david"].took == {}
    w.see(graph(9, "alice", BOTH, ("alice",), in_view=("alice",)), did("alice", Verb.PICK, "apple_1", "fridge_1", 8.5, 9))
    assert w.minds.people["david"].beliefs.get("apple_1", {}).get("fridge_1", 0.0) < 0.2
