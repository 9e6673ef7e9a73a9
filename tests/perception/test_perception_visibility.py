"""Who could see it: Sally–Anne in all its variants, on geometry alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.scene_graph import Openness
from perception import sight
from perception.blocks import crosses_box
from perception.geometry import Box
from perception.handling import Stance
from perception.home_map import HomeMap, MapDoorway
from perception.visibility import GeometricVisibility, Piece, RoomVisibility, Setting, Viewer, create
from perception.voxels import VoxelMap
from perception.config import PerceptionConfig
from tests.perception.raycast import TWO_ROOMS, Scene, Solid, look, play
from tests.perception.test_perception_handling import cup
from tests.perception.test_perception_walking import walker

ANNE = np.array([[2.0, 2.5, 1.1]])  # where Anne moves the ball
BALL = Box((2.0, 2.5, 0.8), (0.1, 0.1, 0.1))


def sally(x, y, gaze):
    return Viewer("sally", np.array([x, y, 1.6]), gaze, notice=20.0)  # these tests are about lines of sight


def saw(viewer, setting):
    return float(GeometricVisibility().sees_points(viewer, ANNE, setting)[0])


def test_watching():
    assert saw(sally(4, 2.5, np.pi), Setting(TWO_ROOMS)) > 0.95


def test_away_in_the_other_room():
    assert saw(sally(8, 4.5, np.pi), Setting(TWO_ROOMS)) == 0.0


def test_turned_away():
    assert saw(sally(4, 2.5, 0.0), Setting(TWO_ROOMS)) < 0.01


def test_from_the_corner_of_the_eye_is_uncertain():
    eyes = sally(4, 2.5, np.pi - 1.05)
    assert 0.2 < saw(eyes, Setting(TWO_ROOMS)) < 0.8


def test_nobody_knows_where_she_looks():
    assert saw(sally(4, 2.5, None), Setting(TWO_ROOMS)) == pytest.approx(0.5)


def test_behind_a_wall_although_facing():
    assert saw(sally(6, 4.5, np.arctan2(-2.0, -4.0)), Setting(TWO_ROOMS)) == 0.0


def test_next_room_looking_through_the_doorway():
    assert saw(sally(7, 2.5, np.pi), Setting(TWO_ROOMS)) > 0.95


def test_the_doorway_is_shut():
    assert saw(sally(7, 2.5, np.pi), Setting(TWO_ROOMS, shut_doors=frozenset({"door_1"}))) == 0.0


def test_over_the_top_of_the_doorway_nothing_is_seen():
    high = Viewer("tall", np.array([5.3, 2.5, 2.5]), np.pi)
    far = np.array([[3.0, 2.5, 2.4]])
    assert GeometricVisibility().sees_points(high, far, Setting(TWO_ROOMS))[0] == 0.0


def test_behind_an_open_fridge_door():
    voxels = VoxelMap.over((0, 0), (10, 5), PerceptionConfig())
    setting = Setting(TWO_ROOMS, voxels=voxels)
    eyes = sally(4, 2.5, np.pi)
    assert saw(eyes, setting) > 0.95
    leaf = Box((3.0, 2.5, 1.0), (0.1, 0.9, 2.0))
    i, _ = voxels.indices(leaf.grid(25, 1.0))
    voxels.evidence[i[:, 0], i[:, 1], i[:, 2]] = 10
    assert saw(eyes, setting) == 0.0


def test_behind_a_wardrobe():
    wardrobe = Piece("wardrobe_1", "wardrobe", Box((3.0, 2.5, 1.0), (0.6, 1.2, 2.0)), Openness.CLOSED)
    assert saw(sally(4, 2.5, np.pi), Setting(TWO_ROOMS, {"wardrobe_1": wardrobe})) == 0.0


def inside(openness, front):
    box = Box((2.0, 2.5, 0.9), (0.6, 0.6, 1.7))
    return Setting(TWO_ROOMS, {"fridge_1": Piece("fridge_1", "fridge", box, openness, front)}, {"apple_1": BALL, "fridge_1": box},
                   {"apple_1": "fridge_1"})


@pytest.mark.parametrize("openness, front, x, expected", [
    (Openness.OPEN, 0, 4.0, True),  # before the open front
    (Openness.OPEN, 0, 0.4, False),  # behind it
    (Openness.CLOSED, 0, 4.0, False),
    (Openness.UNKNOWN, 0, 4.0, False),  # not known to be open: not claimed to be seen
])
def test_what_is_in_a_container_is_seen_only_through_its_open_front(openness, front, x, expected):
    eyes = sally(x, 2.5, np.pi if x > 2 else 0.0)
    setting = inside(openness, front)
    p = GeometricVisibility().sees(eyes, ["apple_1", "fridge_1"], setting)
    assert (p["apple_1"] > 0.5) is expected
    assert p["fridge_1"] > 0.5  # the fridge itself is in sight either way
    looked = GeometricVisibility().inspects(eyes, ["fridge_1"], setting)["fridge_1"]
    assert (looked > 0.5) is expected


def test_a_table_across_the_room_is_inspected_only_when_faced():
    piece = Piece("kitchentable_1", "kitchentable", Box((2.0, 2.5, 0.37), (1.2, 0.8, 0.74)), Openness.NONE)
    setting = Setting(TWO_ROOMS, {"kitchentable_1": piece})
    model = GeometricVisibility()
    assert model.inspects(sally(4, 2.5, np.pi), ["kitchentable_1"], setting)["kitchentable_1"] == 1.0
    assert model.inspects(sally(4, 2.5, 0.0), ["kitchentable_1"], setting)["kitchentable_1"] < 0.05
    assert model.inspects(sally(8, 4.5, np.pi), ["kitchentable_1"], setting)["kitchentable_1"] == 0.0


def test_the_room_rule_ignores_gaze_but_not_lids():
    rule, behind = RoomVisibility(), sally(4, 2.5, 0.0)
    assert rule.sees_points(behind, ANNE, Setting(TWO_ROOMS))[0] == 1.0
    assert rule.sees_points(sally(6, 2.5, np.pi), ANNE, Setting(TWO_ROOMS))[0] == 0.0
    assert rule.sees(behind, ["apple_1"], inside(Openness.CLOSED, 0))["apple_1"] == 0.0
    assert rule.sees(behind, ["apple_1"], inside(Openness.OPEN, 0))["apple_1"] == 1.0
    assert rule.inspects(behind, ["fridge_1"], inside(Openness.CLOSED, 0))["fridge_1"] == 0.0


def test_out_of_range():
    far = Viewer("sally", np.array([4.9, 2.5, 1.6]), np.pi, reach=2.0)
    assert saw(far, Setting(TWO_ROOMS)) == 0.0


def test_without_a_map_only_things_block():
    assert saw(sally(6, 4.5, np.arctan2(-2.0, -4.0)), Setting(HomeMap())) > 0.95


def test_unknown_model_lists_the_names():
    with pytest.raises(ValueError, match="geometric, room"):
        create("psychic")


def test_a_box_that_ends_at_the_point_does_not_hide_it():
    box = Box((2.0, 0.0, 1.0), (1.0, 1.0, 2.0))
    eye = np.array([0.0, 0.0, 1.0])
    hit = crosses_box(eye, np.array([[1.5, 0, 1.0], [3.0, 0, 1.0], [3.0, 3.0, 1.0]]), box)
    assert hit.tolist() == [False, True, False]


def test_a_doorway_off_the_line_does_not_help():
    home = HomeMap(TWO_ROOMS.rooms, (MapDoorway("door_1", ("kitchen", "livingroom"), (5.0, 4.0), 0.8, 0.0),))
    assert saw(sally(7, 2.5, np.pi), Setting(home)) == 0.0


def test_that_something_is_missing_shows_only_from_nearby():
    setting = inside(Openness.OPEN, 0)
    eyes = sally(4.0, 2.5, np.pi)
    assert GeometricVisibility().inspects(eyes, ["fridge_1"], setting)["fridge_1"] > 0.5
    across_the_room = replace(eyes, notice=1.0)
    assert GeometricVisibility().inspects(across_the_room, ["fridge_1"], setting)["fridge_1"] == 0.0
    assert GeometricVisibility().sees(across_the_room, ["apple_1"], setting)["apple_1"] > 0.5  # what is there is seen all the same


def test_what_is_made_sure_of_now_was_seen_by_whoever_had_it_in_sight_since_it_was_noticed():
    from types import SimpleNamespace

    from perception import sight
    from perception.config import PerceptionConfig

    config = PerceptionConfig(confirm_frames=3)
    apple = replace(cup(None, 7.0, born=7.0), id="apple_1", hits=3)
    setting = SimpleNamespace(targets={"apple_1": None})
    model = SimpleNamespace(sees=lambda eyes, names, _: {n: 0.9 if eyes == "at it" else 0.1 for n in names})

    def seen(*views, thing=apple):
        past = [SimpleNamespace(stamp=t, viewers={"alice": eyes, "david": "away"}, stale=stale) for t, eyes, stale in views]
        return sight.made_sure_of({"alice": frozenset(), "david": frozenset({"cup_1"})}, [thing], past, setting, model, config)

    assert seen((7.3, "at it", frozenset())) == {"alice": {"apple_1"}, "david": {"cup_1"}}
    assert seen((6.7, "at it", frozenset()))["alice"] == frozenset()  # before anything was noticed there
    assert seen((7.3, "at it", frozenset({"alice"})))["alice"] == frozenset()  # where she looked was not known then
    later = replace(apple, hits=4)
    assert seen((7.3, "at it", frozenset()), thing=later)["alice"] == frozenset()  # told once


def test_where_she_may_be_looking_is_weighed():
    def beliefs(*degrees):
        belief = np.zeros(72)
        belief[[int(d / 5) for d in degrees]] = 1 / len(degrees)
        return belief

    setting, eyes = Setting(TWO_ROOMS), sally(4, 2.5, np.pi)
    assert saw(replace(eyes, belief=beliefs(180)), setting) > 0.95
    assert saw(replace(eyes, belief=beliefs(180, 0)), setting) == pytest.approx(0.5, abs=0.02)  # front or back
    assert saw(replace(eyes, belief=beliefs(180, 150, 0)), setting) == pytest.approx(2 / 3, abs=0.02)


def test_whose_hand_shows_is_seen():
    david = Box((1.4, 2.5, 0.85), (0.4, 0.4, 1.7))
    eyes = sally(2.0, 4.5, np.radians(-25))  # the ball is 54° to her right, he 28° farther round
    held = Setting(TWO_ROOMS, targets={"ball_1": Box((2.4, 2.5, 1.0), (0.1, 0.1, 0.1)), "david": david}, held={"ball_1": "david"})
    apart = replace(held, held={})
    model = GeometricVisibility()
    assert model.sees(eyes, ["ball_1", "david"], held)["david"] > 0.5 > model.sees(eyes, ["ball_1", "david"], apart)["david"]


def test_what_is_said_to_be_in_her_hand_is_not_felt_across_the_room():
    eyes = sally(4, 2.5, 0.0)  # with her back to it
    setting = Setting(TWO_ROOMS, targets={"ball_1": BALL}, held={"ball_1": "sally"})
    assert GeometricVisibility().sees(eyes, ["ball_1"], setting)["ball_1"] < 0.05
    near = replace(setting, targets={"ball_1": Box((3.6, 2.5, 0.9), (0.1, 0.1, 0.1))})
    assert GeometricVisibility().sees(eyes, ["ball_1"], near)["ball_1"] == 1.0


def test_a_table_top_hides_what_lies_under_it_and_not_what_lies_on_it():
    table = Piece("kitchentable_1", "kitchentable", Box((2.0, 2.5, 0.37), (1.2, 0.8, 0.74)), Openness.NONE)
    setting = Setting(TWO_ROOMS, {"kitchentable_1": table}, {"ball_1": Box((2.0, 2.5, 0.1), (0.1, 0.1, 0.1)), "cup_1": Box((2.0, 2.5, 0.79), (0.1, 0.1, 0.1))})
    seen = GeometricVisibility().sees(sally(3.2, 2.5, np.pi), ["ball_1", "cup_1"], setting)
    assert seen["ball_1"] == 0.0 and seen["cup_1"] > 0.9


def lying_on(cls, box, ball, on=True):
    setting = Setting(TWO_ROOMS, {"it": Piece("it", cls, box, Openness.NONE)}, {"ball_1": ball}, on={"ball_1": "it"} if on else {})
    return GeometricVisibility().sees(sally(3.2, 2.5, np.pi), ["ball_1"], setting)["ball_1"]


def test_a_table_whose_top_is_taken_for_too_high_does_not_hide_what_lies_on_it():
    tall, ball = Box((2.0, 2.5, 0.46), (1.2, 0.8, 0.92)), Box((2.0, 2.5, 0.75), (0.06, 0.06, 0.06))  # the box of it holds what stands on it
    assert lying_on("kitchentable", tall, ball) > 0.9
    assert lying_on("kitchentable", tall, ball, on=False) == 0.0  # what lies under it is hidden


def test_what_bears_a_thing_hides_other_things():
    table = Piece("it", "kitchentable", Box((2.0, 2.5, 0.46), (1.2, 0.8, 0.92)), Openness.NONE)
    under = Box((2.0, 2.5, 0.5), (0.06, 0.06, 0.06))
    setting = Setting(TWO_ROOMS, {"it": table}, {"ball_1": Box((2.0, 2.5, 0.75), (0.06, 0.06, 0.06)), "ball_2": under}, on={"ball_1": "it"})
    seen = GeometricVisibility().sees(sally(3.2, 2.5, np.pi), ["ball_1", "ball_2"], setting)
    assert seen["ball_1"] > 0.9 and seen["ball_2"] == 0.0


@given(st.floats(0.3, 1.2), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3), st.floats(0.04, 1.0))
def test_to_know_what_bears_a_thing_never_hides_it(top, x, y, height):
    ball = Box((2.0 + x, 2.5 + y, height), (0.06, 0.06, 0.06))
    for cls in ("kitchentable", "bookshelf"):
        box = Box((2.0, 2.5, top / 2), (1.2, 0.8, top))
        assert lying_on(cls, box, ball) >= lying_on(cls, box, ball, on=False)


def test_what_lies_at_ones_feet_is_below_the_field_of_view():
    eyes, model = sally(4, 2.5, np.pi), GeometricVisibility()
    assert model.sees_points(eyes, np.array([[3.5, 2.5, 0.1]]), Setting(TWO_ROOMS))[0] < 0.3
    assert model.sees_points(eyes, np.array([[2.5, 2.5, 0.1]]), Setting(TWO_ROOMS))[0] > 0.9


def test_what_the_robot_itself_sees_is_behind_no_door_of_which_nothing_is_known():
    setting = inside(Openness.UNKNOWN, 0)
    eyes, model = sally(4.0, 2.5, np.pi), GeometricVisibility()
    assert model.sees(eyes, ["apple_1"], setting)["apple_1"] == 0.0
    assert model.sees(eyes, ["apple_1"], replace(setting, shown=frozenset({"apple_1"})))["apple_1"] > 0.9
    assert model.sees(eyes, ["apple_1"], replace(inside(Openness.CLOSED, 0), shown=frozenset({"apple_1"})))["apple_1"] == 0.0  # a corner that sticks out


def test_who_seems_to_stand_in_a_cupboard_stands_before_its_nearest_side():
    box = Box((2.0, 2.5, 0.9), (0.6, 0.6, 1.7))
    setting = Setting(TWO_ROOMS, {"fridge_1": Piece("fridge_1", "fridge", box, Openness.OPEN, 0)},
                      {"apple_1": Box((2.0, 2.5, 1.4), (0.1, 0.1, 0.1))}, {"apple_1": "fridge_1"})
    assert GeometricVisibility().sees(sally(2.25, 2.5, np.pi), ["apple_1"], setting)["apple_1"] > 0.5
    assert GeometricVisibility().sees(sally(1.75, 2.5, 0.0), ["apple_1"], setting)["apple_1"] == 0.0


@pytest.mark.parametrize("before, at, passes", [(1.0, (1.0, 2.0), True), (1.7, (1.0, 2.0), False), (-9.0, (1.0, 2.0), False), (1.0, (1.0, 2.9), False)])
def test_who_comes_into_view_again_some_steps_on_has_looked_over_what_they_passed(before, at, passes):
    """Alice walked along a table from ``at`` to (1.0, 3.2), where she stands with her back to it; she was seen last at ``before``, and now at 2.0 s."""
    table = Piece("kitchentable_1", "kitchentable", Box((1.8, 3.0, 0.38), (0.8, 1.0, 0.76)), Openness.NONE)
    setting = Setting(HomeMap(), {table.id: table}, {table.id: table.box})
    alice = replace(walker([(2.0, 1.0, 3.2)], np.pi), head_yaw=np.pi)
    stances = (Stance(before, at, np.pi / 2, ()), Stance(2.0, (1.0, 3.2), np.pi, ()))
    _, inspected = sight.everybody(setting, [alice], GeometricVisibility(), 2.0, PerceptionConfig(), {"alice": stances})
    assert (table.id in inspected["alice"]) is passes


@pytest.mark.parametrize("yaw, leaf, shows", [(0.0, None, True), (0.0, (3.9, 2.5), False), (0.0, (3.9, 1.6), True), (np.pi, None, False)])
def test_a_doorway_shows_unless_something_stands_before_it(yaw, leaf, shows):
    """Two metres before it, looking at it or away, its leaf swung open towards the robot or not: where somebody comes in is not seen from behind that."""
    solids = [] if leaf is None else [Solid("door_1", "door", Box((*leaf, 1.0), (0.05, 1.0, 2.0), 0.0))]
    _, (graph,), _ = play([Scene(solids, pose=look(3.0, 2.5, yaw, -0.1)).frame(1.0)])
    assert graph.entities["door_1"].visible is shows
