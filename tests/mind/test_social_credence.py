"""What a speaker thinks of the place they name."""

from dataclasses import replace

import pytest

from household.scene_graph import Entity, Openness
from mind.social import SocialState, social_step
from mind.social.credence import credence
from tests.mind.test_social_step import TOGETHER, home, mind


@pytest.mark.parametrize("away, named", [(0.8, 0.2), (3.0, 0.0)])
def test_which_of_two_neighbours_they_had_open_the_robot_may_have_mistaken(away, named):
    scene = home(0.0, {"book_1": "box_1"}, TOGETHER)
    boxes = {f"box_{i}": Entity(f"box_{i}", "box", (x, 0.0, 0.0), openness=Openness.CLOSED) for i, x in ((1, 0.0), (2, away))}
    scene = replace(scene, entities={**scene.entities, **boxes})
    minds = {"ann": mind("ann"), "ben": mind("ben", {"book_1": "box_1"})}
    sure, _ = credence(SocialState(), scene, "ben", ("book_1",), "box_1", minds)
    other, _ = credence(SocialState(), scene, "ben", ("book_1",), "box_2", minds)
    desk, n = credence(SocialState(), scene, "ben", ("book_1",), "desk_1", minds)
    assert sure > 0.9 and other == pytest.approx(named + desk, abs=0.05) and desk < 1.0 / n  # a desk is no neighbour of its kind


@pytest.mark.parametrize("met, believed", [(4.0, True), (1.0, False)])
def test_what_was_first_seen_after_they_had_a_place_open_may_have_been_put_there(met, believed):
    """Ben opened the box at 2 s; the book, first seen at ``met``, is in view elsewhere at 9 s."""
    scene = home(9.0, {"book_1": "desk_1"}, TOGETHER)
    state = SocialState(opened={"ben": ("box_1", 2.0)}, met={"book_1": met})
    minds = {"ann": mind("ann"), "ben": mind("ben", {"book_1": "desk_1"})}
    sure, n = credence(state, scene, "ben", ("book_1",), "box_1", minds)
    assert (sure > 0.3) is believed and (believed or sure < 1.0 / n)


def test_when_a_thing_was_first_seen_is_remembered_while_it_is_known():
    minds = {"ann": mind("ann"), "ben": mind("ben")}
    state, _ = social_step(SocialState(), home(1.0, {"book_1": "desk_1"}, TOGETHER), (), (), minds)
    state, _ = social_step(state, home(2.0, {"book_1": "box_1", "mug_1": "desk_1"}, TOGETHER), (), (), minds)
    assert state.met == {"book_1": 1.0, "mug_1": 2.0}
    state, _ = social_step(state, home(3.0, {"mug_1": "desk_1"}, TOGETHER), (), (), minds)
    assert state.met == {"mug_1": 2.0}


@pytest.mark.parametrize("at_desk, may", [(3.0, False), (7.0, True), (None, True)])
def test_who_left_a_thing_behind_has_not_put_it_into_what_they_opened_elsewhere(at_desk, may):
    """Ben opened the box at 8 s; the book was last seen on the desk at 5 s, and Ben at the desk at ``at_desk``."""
    scene = home(9.0, {"book_1": "desk_1"}, TOGETHER)
    book = replace(scene.entities["book_1"], visible=False, last_seen=5.0)
    scene = replace(scene, entities={**scene.entities, "book_1": book})
    been = {} if at_desk is None else {("ben", "desk_1"): at_desk}
    state = SocialState(opened={"ben": ("box_1", 8.0)}, met={"book_1": 1.0}, been=been)
    sure, _ = credence(state, scene, "ben", ("book_1",), "box_1", {"ann": mind("ann"), "ben": mind("ben", {"book_1": "desk_1"})})
    assert (sure > 0.3) is may
