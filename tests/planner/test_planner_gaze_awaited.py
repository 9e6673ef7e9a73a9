"""Where the camera looks in an empty room while somebody who is mistaken about it may come back."""

import pytest

from planner import gaze
from planner.geometry import Geometry
from tests.planner.test_planner_gaze_and_voice import CONFIG, empty_kitchen


@pytest.mark.parametrize("awaited", [frozenset(), frozenset({"kitchentable_1"})])
def test_no_look_all_round_while_somebody_who_is_mistaken_may_come_back(home, awaited):
    empty_kitchen(home)
    geometry = Geometry(home.graph(30.0), CONFIG)
    looked = {e.id: 29.5 if e.id == "door_1" else 17.0 for e in gaze._surroundings(geometry)}
    state = gaze.GazeState((4.0, 2.0, 1.0), "door_1", 29.0, gaze._RESTING, 30.0, looked)
    chosen = gaze._longest_unseen(state, geometry, (), gaze._surroundings(geometry), looked, awaited, 30.0)
    assert chosen.passing is not bool(awaited)


@pytest.mark.parametrize("awaited", [False, True])
def test_the_way_by_which_who_is_mistaken_went_is_hardly_out_of_the_picture(home, awaited):
    empty_kitchen(home)
    geometry = Geometry(home.graph(30.0), CONFIG)
    looked = {e.id: 27.5 for e in gaze._surroundings(geometry)} | {"door_1": 27.1, "alice": 28.8}
    state = gaze.GazeState((2.0, 3.0, 1.0), "fridge_1", 20.0, gaze._RESTING, 30.0, looked)
    went = gaze._Interest(gaze._RESTING, 0.0, "alice", (3.9, 3.5, 1.0))
    names = frozenset({"alice", "kitchentable_1"}) if awaited else frozenset()
    assert gaze._longest_unseen(state, geometry, (went,), gaze._surroundings(geometry), looked, names, 30.0).target == ("alice" if awaited else "door_1")
