"""What a speaker thinks of the place they name."""

from dataclasses import replace

import pytest

from household.scene_graph import Entity, Openness
from mind.social import SocialState
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
