"""Walks told in alternatives, and told again: one walk is weighed once, and what came in between is not lost."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.actions import HumanAction, Verb
from household.scene_graph import Relation, RelationKind
from household.speech import ActKind, SpeechAct
from mind import walks
from mind.config import MindConfig
from mind.layout import Site, build
from mind.walks import together
from mind.words import Heard
from tests.mind.kitchen_story import Watch, graph, moved_apple


def walk(target, share, start=1.0, end=None, actor="alice"):
    return HumanAction(actor, Verb.WALKTOWARDS, target, None, "kitchen", start, end, share)


def test_alternatives_of_one_walk_belong_together_likeliest_first():
    events = (walk("fridge_1", 0.3), walk("table_1", 0.5), walk("table_1", 0.4, start=2.0), walk("table_1", 0.4, actor="david"),
              HumanAction("david", Verb.OPEN, "fridge_1", None, None, 2.0, 2.0))
    assert [[e.target for e in told] for told in together(events)] == [["table_1", "fridge_1"], ["table_1"], ["table_1"], ["fridge_1"]]
    assert together(()) == []


def test_a_walk_that_has_ended_is_not_joined_to_one_under_way():
    assert len(together((walk("table_1", 0.5), walk("fridge_1", 0.4, end=2.0)))) == 2


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=5))
def test_shares_of_what_is_told_sum_to_one(confidences):
    told = tuple(walk(f"place_{i}", c) for i, c in enumerate(confidences))
    assert sum(walks.targets(told).values()) == pytest.approx(1.0)


BOTH = {"alice": "kitchen", "david": "kitchen"}


def heads(w, stamp, *shares, start=64.2, looking=("david",)):
    """Alice in the kitchen, told to be on the way to ``shares``: (target, probability)."""
    w.see(graph(stamp, "fridge_1", BOTH, looking), *(walk(t, p, start) for t, p in shares))
    return w


def back():
    w = moved_apple(alice_saw=0.0)
    w.see(graph(64, "fridge_1", BOTH, ("david",)), walk("kitchen", 0.9, 61), HumanAction("alice", Verb.ENTER, "kitchen", None, None, 64, 64))
    return w


def goals(w):
    return {str(g): p for g, p in w.minds.people["alice"].goals}


def test_two_possible_targets_say_less_than_one_and_more_than_none():
    apple = [heads(back(), 65, *shares).goal("alice", "apple") for shares in
             ((("kitchencabinet_1", 0.9),), (("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45)), (("kitchentable_1", 0.9),))]
    assert apple[0] < back().goal("alice", "apple") < apple[1] < apple[2]


def test_what_becomes_clear_later_counts_as_if_it_had_been_clear_at_once():
    at_once = heads(heads(back(), 65, ("kitchentable_1", 0.9)), 65.5)
    later = heads(heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45)), 65.5, ("kitchentable_1", 0.9))
    assert goals(later) == pytest.approx(goals(at_once), abs=1e-9)
    again = heads(heads(back(), 65, ("kitchentable_1", 0.9)), 65.5, ("kitchentable_1", 0.88))  # no news
    assert goals(again) == pytest.approx(goals(at_once), abs=1e-9)


def test_what_was_seen_on_the_way_is_kept_when_the_walk_is_told_anew():
    w = heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45))
    w = heads(w, 65.5, looking=("alice", "david"))  # she sees that the table is empty
    assert w.minds.people["alice"].beliefs["apple_1"].get("kitchentable_1", 0.0) < 0.05
    before = w.goal("alice", "apple")
    w = heads(w, 66, ("kitchentable_1", 0.9))
    assert w.minds.people["alice"].beliefs["apple_1"].get("kitchentable_1", 0.0) < 0.05 and w.goal("alice", "apple") > 0.9 * before
    acts = w.state.people["alice"].memory.acts
    assert sum("kitchen table" in a.text for a in acts if a.stamp > 64) == 1  # cited once


@pytest.mark.parametrize("seen", [True, False])
def test_who_saw_on_the_way_that_it_is_gone_has_decided_anew_where_they_go_after_that(seen):
    """Told a second later to be on the way to a cupboard: she searches, if she came for the apple; who has not seen that it is gone would still go to the table."""
    looking = ("alice", "david") if seen else ("david",)
    w = heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45))
    w = heads(heads(w, 65.5, looking=looking), 66.5, looking=looking)
    before = w.goal("alice", "apple")
    after = heads(w, 66.6, ("kitchencabinet_1", 0.9), looking=looking).goal("alice", "apple")
    assert (after > before) is seen


def test_a_walk_told_again_and_again_after_one_look_is_no_further_decision():
    """She sees that the table is empty. That she may be off to the fridge, where the apple could be, is then told and taken back: nothing is left of it."""
    seen = {"looking": ("alice", "david")}
    w = heads(heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45)), 65.5, **seen)
    w = heads(heads(w, 66.6, **seen), 66.8, ("kitchencounter_1", 0.4), ("fridge_1", 0.5), **seen)
    assert w.minds.people["alice"].beliefs["apple_1"]["fridge_1"] > 0.4
    w = heads(heads(w, 67.3, ("kitchencounter_1", 0.7), **seen), 67.8, ("kitchencounter_1", 0.9), **seen)
    assert w.minds.people["alice"].beliefs["apple_1"]["fridge_1"] == pytest.approx(1 / 3, abs=0.05)


@pytest.mark.parametrize("seen", [True, False])
def test_who_walks_on_to_what_they_have_seen_to_be_empty_is_after_something_else_there(seen):
    """Nothing but the time is new in what is told of the walk: she has seen that the apple is gone, and goes on to the table, on which a mug stands; or to look closer."""
    looking = ("alice", "david") if seen else ("david",)
    w = heads(heads(heads(back(), 65, ("kitchentable_1", 0.9)), 65.5, looking=looking), 66.6, looking=looking)
    before = w.goal("alice", "apple")
    after = heads(w, 66.8, ("kitchentable_1", 0.9), looking=looking).goal("alice", "apple")
    assert 0.6 * before < after < 0.8 * before if seen else after == pytest.approx(before, abs=1e-9)


def test_another_walk_is_another_act():
    one = heads(back(), 65, ("kitchentable_1", 0.9))
    two = heads(one, 66, ("kitchencabinet_1", 0.9), start=65.5)
    assert len([a for a in two.state.people["alice"].memory.acts if a.stamp > 64.1]) == 2


def comes_in(*told, enters=64.0, said=0.9):
    """Alice in the living room, told to be on the way to ``told``; then she is in the kitchen."""
    w = moved_apple(alice_saw=0.0)
    if told:
        w.see(graph(62, "fridge_1", {"alice": "livingroom", "david": "kitchen"}, ("david",)), *(walk(t, p, 61) for t, p in told))
    w.see(graph(64, "fridge_1", BOTH, ("david",)), HumanAction("alice", Verb.ENTER, "kitchen", None, None, enters, enters, said))
    return w


def test_a_doorway_passed_outweighs_what_was_told_of_the_walk_to_it():
    clear = goals(comes_in(("kitchen", 0.9)))
    assert goals(comes_in(("sofa_1", 0.5), ("kitchen", 0.3))) == pytest.approx(clear, abs=1e-9)
    assert goals(comes_in(("sofa_1", 0.8))) == pytest.approx(clear, abs=1e-9)


def test_what_was_told_of_places_beyond_the_doorway_stands():
    beyond = (("kitchentable_1", 0.6), ("kitchencabinet_1", 0.3))
    mixed = comes_in(("kitchentable_1", 0.4), ("kitchencabinet_1", 0.2), ("sofa_1", 0.3))
    assert goals(mixed) == pytest.approx(goals(comes_in(*beyond)), abs=1e-9)


def test_who_comes_in_by_a_doorway_set_out_before_they_could_look_about():
    apple = {}
    for start in (64.0, 64.001):  # at the doorway; inside the room
        w = heads(comes_in(), 64.25, looking=("alice", "david"))  # she sees that the table is empty
        apple[start] = heads(w, 64.75, ("kitchentable_1", 0.9), start=start).goal("alice", "apple")
    assert apple[64.0] > 1.2 * apple[64.001]


def found(w, stamp, looking):
    """A picture with a toy on the counter that the robot has not seen before."""
    scene = graph(stamp, "fridge_1", BOTH, looking)
    toy = replace(scene.entities["plate_1"], id="toy_1", cls="toy")
    on = Relation("toy_1", RelationKind.ON, "kitchencounter_1", 0.95)
    sees = {v: seen | {"toy_1"} if "kitchencounter_1" in scene.inspected[v] else seen for v, seen in scene.sees.items()}
    w.see(replace(scene, entities={**scene.entities, "toy_1": toy}, relations=scene.relations | {on}, sees=sees))
    return w


@pytest.mark.parametrize("told_before", [False, True])
def test_a_walk_decided_on_before_a_look_is_known_as_such_though_something_new_came_into_view(told_before):
    """Of the goals that there were, it says what it says when nothing new comes into view; but for the share that the new thing has."""
    def apple(w, come):
        if told_before:
            heads(w, 64.1, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45), start=64.0)
        heads(w, 64.25, looking=("alice", "david"))  # she sees that the table is empty
        w = come(w)
        before = goals(w)
        heads(w, 64.75, ("kitchentable_1", 0.9), start=64.0)
        after = goals(w)
        return [after["get(apple)"] / before["get(apple)"], after["get(mug)"] / before["get(mug)"]]

    plain = apple(comes_in(), lambda w: heads(w, 64.5, looking=("david",)))
    new = apple(comes_in(), lambda w: found(w, 64.5, ("david",)))
    assert new == pytest.approx(plain, rel=0.1)


def test_a_doorway_told_after_a_look_that_came_after_it_is_not_lost():
    def then(w):
        return heads(heads(w, 64.5, looking=("alice", "david")), 65, ("kitchentable_1", 0.9), start=64.0).goal("alice", "apple")

    at_once = then(heads(comes_in(), 64.25, looking=("alice", "david")))
    w = heads(moved_apple(alice_saw=0.0), 64.25, looking=("alice", "david"))
    w.see(graph(64.3, "fridge_1", BOTH, ("alice", "david")), HumanAction("alice", Verb.LEAVE, "livingroom", None, None, 64, 64, 0.9),
          HumanAction("alice", Verb.ENTER, "kitchen", None, None, 64, 64, 0.9))
    assert then(w) == pytest.approx(at_once, rel=0.15)


def test_nobody_walks_off_before_they_are_done():
    def goes(start):
        w = Watch()
        w.see(graph(1, "kitchentable_1", BOTH, ("alice", "david")))
        w.see(graph(3, "alice", BOTH, ("david",)), HumanAction("alice", Verb.PICK, "apple_1", "kitchentable_1", None, 2.5, 3, 0.9))
        heads(w, 3.25, looking=("alice", "david"))
        w.see(graph(4, "alice", BOTH, ("david",)), walk("kitchencounter_1", 0.9, start))
        return goals(w)

    assert goes(1.5) == pytest.approx(goes(3.0), abs=1e-9)


def test_what_is_taken_up_at_second_sight_waits_for_the_act():
    w = Watch()
    w.see(graph(1, "kitchentable_1", BOTH, ("alice", "david")))
    w.see(graph(1.5, "alice", BOTH, ("alice", "david")))
    assert w.state.people["alice"].state.progress.holding == ()
    w.see(graph(1.75, "alice", BOTH, ("alice", "david")), HumanAction("alice", Verb.PICK, "apple_1", "kitchentable_1", None, 1.5, 1.75, 0.9))
    assert w.state.people["alice"].state.progress.holding == ("apple",) and w.goal("alice", "apple") > 0.25
    w = Watch()
    w.see(graph(1, "alice", BOTH, ("alice", "david")))
    assert w.state.people["alice"].state.progress.holding == ("apple",)


@pytest.mark.parametrize("learns", ["is told", "watches"])
def test_what_was_learnt_on_the_way_is_not_forgotten_when_the_walk_is_told_anew(learns):
    w = heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.45))
    said = Heard(SpeechAct(ActKind.INFORM_LOCATION, "david", "The apple is in the fridge.", object="apple_1", place="fridge_1"), 65.3)
    put = HumanAction("david", Verb.PUTIN, "apple_1", "fridge_1", None, 65.2, 65.3, 0.9, {"alice": 1.0})
    told = {"is told": ((), (said,)), "watches": ((put,), ())}[learns]
    w.see(graph(65.4, "fridge_1", BOTH, ("alice", "david")), *told[0], acts=told[1])
    w = heads(heads(w, 65.8, looking=("alice", "david")), 66, ("kitchencabinet_1", 0.9), looking=("alice", "david"))
    assert w.minds.people["alice"].beliefs["apple_1"]["fridge_1"] > 0.8


def ends_at_the_table(told, end):
    """P(Alice wants the apple), of who sees at 65.3 that it is gone from the table and whose walk there is told, at ``told``, to have ended at ``end``."""
    w = heads(back(), 65, ("kitchentable_1", 0.45), ("kitchencabinet_1", 0.2))
    w.see(graph(65.3, "fridge_1", BOTH, ("alice", "david")))
    w.see(graph(told, "fridge_1", BOTH, ("alice", "david")), walk("kitchentable_1", 0.9, 64.2, end))
    return w.goal("alice", "apple")


def test_the_steps_taken_since_something_was_seen_are_those_of_the_walk_however_late_it_is_told():
    assert ends_at_the_table(67, 65.5) == pytest.approx(ends_at_the_table(65.6, 65.5), abs=0.02)
    assert ends_at_the_table(67, 66.9) < 0.8 * ends_at_the_table(67, 65.5)  # who has seen it gone and goes there all the same wants something else


def sets_out_again(close: bool):
    """Alice has walked to the table, on which a mug stands, or to a cabinet. Then she is told to be off to somewhere."""
    w, ends = back(), (("kitchentable_1", 0.6), ("kitchencabinet_1", 0.2))
    w.see(graph(65, "fridge_1", BOTH, ("david",)), *(walk(t, p, 64.2) for t, p in ends))
    scene = graph(65.5, "fridge_1", BOTH, ("alice", "david"))
    near = frozenset({Relation("alice", RelationKind.CLOSE, "kitchentable_1")}) if close else frozenset()
    scene = replace(scene, relations=scene.relations | near)
    w.see(scene, *(walk(t, p, 64.2, 65.4) for t, p in ends))
    at = w.state.people["alice"].state.situation.site
    w.see(graph(66, "fridge_1", BOTH, ("alice", "david")), *(walk(t, p, 65.6) for t, p in (("fridge_1", 0.4), ("kitchentable_1", 0.3))))
    return w.state.people["alice"].model.layout.ids[at], w.goal("alice", "mug")


def test_a_walk_told_to_end_at_one_of_two_places_ends_at_the_likely_one_that_they_are_close_to():
    assert sets_out_again(True)[0] == "kitchentable_1" and sets_out_again(False)[0] == "kitchen"


def test_who_turns_away_from_a_table_does_not_want_what_stands_on_it_though_the_table_is_told_among_the_ends():
    assert sets_out_again(True)[1] < 0.7 * sets_out_again(False)[1]


def walks_on(ended, *later, start=65.4):
    """Goals of Alice, whose walk to ``ended`` is told to have ended close to the first of them at 65.4, and who walks on to ``later`` from ``start``."""
    w = heads(back(), 65, *ended)
    scene = graph(65.5, "fridge_1", BOTH, ("david",))
    near = frozenset({Relation("alice", RelationKind.CLOSE, ended[0][0])})
    w.see(replace(scene, relations=scene.relations | near), *(walk(t, p, 64.2, 65.4) for t, p in ended))
    w.see(graph(66, "fridge_1", BOTH, ("david",)), *(walk(t, p, start) for t, p in later))
    return goals(w)


def test_who_walks_on_to_where_they_were_likeliest_to_be_going_was_going_there_all_along():
    open_yet, cabinet = (("kitchencabinet_1", 0.5), ("kitchentable_1", 0.45)), ("kitchencabinet_1", 0.9)
    clear, unclear = walks_on((cabinet,)), walks_on(open_yet)
    assert unclear["get(apple)"] > 0.4 > 0.2 > clear["get(apple)"]
    assert walks_on(open_yet, cabinet) == pytest.approx(clear, abs=0.03)
    assert walks_on(open_yet, cabinet, start=65.45) == pytest.approx(unclear, abs=0.03)  # another walk, from where they have got to
    assert walks_on(open_yet, ("fridge_1", 0.4), ("kitchencabinet_1", 0.3))["get(apple)"] > 0.2  # they went elsewhere


def opens_the_cabinet(*told):
    """Goals of Alice, who is told to be on the way to ``told`` and then opens the first cabinet."""
    w = heads(back(), 65, *told)
    w.see(graph(66.5, "fridge_1", BOTH, ("david",)), HumanAction("alice", Verb.OPEN, "kitchencabinet_1", None, "kitchen", 66, 66.5, 0.9))
    return goals(w)


def test_what_somebody_does_tells_where_their_walk_led_whatever_was_made_out_of_it_on_the_way():
    misled, right = opens_the_cabinet(("kitchencounter_1", 0.6), ("kitchencabinet_2", 0.2)), opens_the_cabinet(("kitchencabinet_1", 0.9))
    assert misled == pytest.approx(right, abs=0.03)


def test_who_walks_to_a_room_may_be_after_what_is_by_the_door_as_well_as_after_what_is_beyond_its_middle():
    sites = [Site("kitchen", "kitchen", is_room=True, holds_objects=False, position=(2.0, 2.0), size=(4.0, 4.0)),
             Site("sofa_1", "livingroom", position=(8.0, 2.0)), Site("near_1", "kitchen", position=(3.6, 2.0)), Site("far_1", "kitchen", position=(0.4, 2.0)),
             Site("livingroom", "livingroom", is_room=True, holds_objects=False, position=(7.0, 2.0), size=(6.0, 4.0))]
    layout = build(sites, MindConfig())
    start, room, near, far = (layout.index[i] for i in ("sofa_1", "kitchen", "near_1", "far_1"))
    waste = [max(layout.effort[start, room] + layout.effort[room, z] - layout.effort[start, z], 0.0) for z in (near, far)]
    assert waste == [0.0, 0.0] and layout.walk[start, room] == pytest.approx(4.0 * MindConfig().metre_cost)
