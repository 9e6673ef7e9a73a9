"""Deeds that the graph shows and no event told of: what lay here, was in somebody's hands, and lies there."""

from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.goals import get
from household.scene_graph import SceneGraph
from mind.social import SocialState, social_step
from mind.social.handled import SURE
from tests.mind.test_social_step import TOGETHER, aims, home, in_hand, mind, put, take, tells


def watched(*frames, events=()):
    """Ann and Ben while the frames go by: (stamp, where the book is or whose hand it is in). ``events``: stamp → told then."""
    state, minds, told = SocialState(), {p: mind(p) for p in TOGETHER}, dict(events)
    for stamp, at in frames:
        scene = home(stamp, {"book_1": "desk_1"}, TOGETHER, {p: {"book_1"} for p in TOGETHER})
        scene = in_hand(scene, at, "book_1") if at in TOGETHER else home(stamp, {"book_1": at}, TOGETHER, {p: {"book_1"} for p in TOGETHER})
        state, out = social_step(state, scene, told.get(stamp, ()), (), minds)
    return state, out


ANN_BRINGS_IT = tuple((k * 0.4, at) for k, at in enumerate(["desk_1"] * 2 + ["ann"] * 4 + ["sofa_1"] * 6))
BEN_TAKES_IT_BACK = tuple((5.0 + k * 0.4, at) for k, at in enumerate(["ben"] * 4 + ["desk_1"] * 6))


def test_deeds_that_only_the_graph_shows_count_as_those_that_are_told():
    state, out = watched(*ANN_BRINGS_IT)
    assert state.placed["book_1"][:2] == ("ann", "sofa_1") and aims(out, "ben", "ann").hinder < 0.2
    _, out = watched(*ANN_BRINGS_IT, *BEN_TAKES_IT_BACK)
    s = aims(out, "ben", "ann")
    assert s.hinder > max(s.help, s.independent)


def test_what_the_graph_has_shown_is_not_weighed_again_when_it_is_told_late():
    late = {8.6: (put("ben", "book_1", "desk_1", stamp=6.6),)}
    _, once = watched(*ANN_BRINGS_IT, *BEN_TAKES_IT_BACK)
    _, twice = watched(*ANN_BRINGS_IT, *BEN_TAKES_IT_BACK, events=late)
    assert aims(twice, "ben", "ann") == aims(once, "ben", "ann")
    early = {6.6: (replace(put("ben", "book_1", "desk_1", stamp=6.6), confidence=SURE),)}  # as sure as what the graph has shown
    _, told = watched(*ANN_BRINGS_IT, *BEN_TAKES_IT_BACK, events=early)
    assert aims(told, "ben", "ann").hinder == pytest.approx(aims(once, "ben", "ann").hinder, abs=0.02)


def test_a_hand_that_flickers_up_or_puts_a_thing_back_is_no_deed():
    state, _ = watched((0.0, "desk_1"), (0.4, "ann"), (0.8, "sofa_1"), (3.0, "sofa_1"))
    assert not state.placed
    state, _ = watched((0.0, "desk_1"), (0.4, "ann"), (1.6, "ann"), (2.0, "desk_1"), (4.0, "desk_1"))
    assert not state.placed and not state.handled.hands


def hidden(scene, thing, last_seen=0.0):
    entities = {**scene.entities, thing: replace(scene.entities[thing], visible=False, last_seen=last_seen)}
    return SceneGraph(scene.stamp, entities, scene.relations, scene.sees, scene.inspected)


@pytest.mark.parametrize("source, seen, put_there", [("box_1", False, True), ("fridge_1", False, False), ("box_1", True, False)])
def test_what_is_not_seen_any_more_when_its_holder_has_shut_a_container_is_in_it(source, seen, put_there):
    """Ben takes the mug out of ``source``, and then shuts the fridge."""
    rooms, minds, state = {"ann": "kitchen", "ben": "kitchen"}, {"ann": mind("ann"), "ben": mind("ben")}, SocialState()
    for k in range(8):
        stamp = 0.4 * k
        scene = in_hand(home(stamp, {"mug_1": source}, rooms), "ben", "mug_1") if k else home(stamp, {"mug_1": source}, rooms)
        scene = hidden(scene, "mug_1") if k > 2 and not (seen and k > 4) else scene
        events = {1: [take("ben", "mug_1", source, stamp)], 4: [HumanAction("ben", Verb.CLOSE, "fridge_1", None, None, 1.2, 1.6)]}.get(k, [])
        state, _ = social_step(state, scene, events, (), minds)
    assert ("mug_1" in state.placed) is put_there and (not put_there or state.placed["mug_1"][:2] == ("ben", "fridge_1"))


@pytest.mark.parametrize("named, leading", [("kitchentable_1", "help"), ("sofa_1", "hinder")])
def test_what_somebody_had_in_hand_they_put_where_they_have_been_and_nowhere_else(named, leading):
    """Ben takes the book from the desk and stands at the kitchen table with it; nobody sees him put it down. Then he is asked, and names the table or the sofa."""
    at = {"desk_1": (9.0, 1.0), "sofa_1": (9.0, 5.0), "box_1": (6.0, 9.0), "kitchentable_1": (1.0, 1.0), "fridge_1": (1.0, 6.0)}
    minds, state = {"ann": mind("ann", wants=get("book")), "ben": mind("ben", {"book_1": "ben"})}, SocialState()
    ways = [(9.0, 1.5)] * 3 + [(7.0 - k, 1.5) for k in range(5)] + [(1.2, 1.5)] * 4 + [(4.0, 4.0)] * 3
    for k, spot in enumerate(ways):
        scene = home(0.4 * k, {"book_1": "desk_1"}, TOGETHER)
        scene = in_hand(scene, "ben", "book_1") if k > 1 else scene
        places = {i: replace(scene.entities[i], position=(*p, 0.5)) for i, p in at.items()}
        scene = replace(scene, entities={**scene.entities, **places, "ben": replace(scene.entities["ben"], position=(*spot, 0.0)),
                                         "ann": replace(scene.entities["ann"], position=(4.0, 8.0, 0.0))})
        scene = hidden(scene, "book_1", 2.0) if k > 5 else scene
        said = [tells("ben", "book_1", named, scene.stamp)] if k == len(ways) - 1 else []
        state, out = social_step(state, scene, [take("ben", "book_1", "desk_1", scene.stamp)] if k == 2 else [], said, minds)
    s = aims(out, "ben", "ann")
    assert max(("help", "hinder", "independent"), key=lambda a: getattr(s, a)) == leading
