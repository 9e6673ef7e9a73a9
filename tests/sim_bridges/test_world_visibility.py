"""Who can see what: walls, leaves, boxes, lids, darkness, and what it takes to know that something is missing."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.scene_graph import ROBOT
from sim_bridges.embedded.generate_home import generate_home
from sim_bridges.embedded.visibility import Viewer, viewer_of
from sim_bridges.embedded.world import EmbeddedWorld
from tests.sim_bridges.world_helpers import put_person, two_rooms

AROUND = {"fov": 2 * math.pi, "vertical_fov": math.pi}


def sees(world, id):
    world._sight_tick = -1
    return world.look()[id].sees


def test_a_thing_on_the_table_is_seen_from_before_it_and_not_with_the_back_to_it():
    world = two_rooms()
    put_person(world, "alice", 3.9, 1.2, 135)
    assert {"apple_1", "kitchentable_1"} <= sees(world, "alice")
    put_person(world, "alice", 3.9, 1.2, -45)
    assert "apple_1" not in sees(world, "alice")


def test_walls_hide_and_doorways_show():
    world = two_rooms()
    put_person(world, "david", 7.0, 3.6, 180)  # the wall is between
    assert "alice" not in sees(world, "david")
    put_person(world, "david", 6.2, 2.6, 180)
    put_person(world, "alice", 4.2, 2.6, 0)
    assert "alice" in sees(world, "david")
    world.state.openness["door_1"] = 0.0
    assert "alice" not in sees(world, "david")


def test_shut_containers_hide_open_ones_show_their_inside_to_the_front_only():
    world = two_rooms()
    put_person(world, "alice", 1.4, 3.4, 180)
    world.state.people["alice"].head_pitch = -0.4
    assert "salmon_1" not in sees(world, "alice") and "fridge_1" in sees(world, "alice")
    world.state.openness["fridge_1"] = 1.0
    assert "salmon_1" in sees(world, "alice")
    put_person(world, "alice", 0.5, 2.75, 90)  # beside it
    assert "salmon_1" not in sees(world, "alice")


def test_a_box_shows_its_inside_to_eyes_above_it():
    world = two_rooms(change=[("book_1: sofa_1", "book_1: box_1")])
    put_person(world, "david", 7.9, 3.4, 0)
    world.state.people["david"].head_pitch = -0.8
    assert "book_1" not in sees(world, "david")
    world.state.openness["box_1"] = 1.0
    assert "book_1" in sees(world, "david")


def test_bodies_hide_what_is_behind_them_but_not_what_they_hold():
    world = two_rooms()
    point = (1.0, 2.2, 1.0)
    viewer = Viewer("", (4.5, 2.2, 1.3), math.pi, **AROUND)
    assert world.sight_map.can_see(world.state, viewer, point)
    put_person(world, "alice", 2.0, 2.2, 0)
    assert not world.sight_map.can_see(world.state, viewer, point)
    put_person(world, "alice", 3.8, 1.0, 180)
    world.hold("alice", "apple_1")
    world.state.robot.yaw = math.radians(260)
    assert "apple_1" in sees(world, "robot") and "apple_1" in sees(world, "alice")


def test_darkness_shortens_sight():
    world = two_rooms()
    put_person(world, "alice", 4.6, 2.0, 180)
    assert "fridge_1" in sees(world, "alice")
    world.state.light = 0.05
    assert "fridge_1" not in sees(world, "alice")
    assert "kitchentable_1" in sees(world, "alice")


def test_absence_needs_a_closer_look_than_presence():
    world = two_rooms()
    world.state.things["apple_1"].at, world.state.things["apple_1"].position = "kitchencabinet_1", (0.2, 2.2, 0.2)
    put_person(world, "alice", 4.8, 2.2, 180)
    world._sight_tick = -1
    assert "kitchentable_1" not in world.look()["alice"].inspected
    put_person(world, "alice", 3.8, 2.2, 180)
    world.state.people["alice"].head_pitch = -0.4
    assert "kitchentable_1" in world.look()["alice"].inspected


def test_a_place_with_a_hidden_thing_does_not_count_as_inspected():
    world = two_rooms()
    put_person(world, "alice", 3.8, 2.2, 180)
    world.state.people["alice"].head_pitch = -0.4
    world._sight_tick = -1
    assert {"kitchentable_1"} <= world.look()["alice"].inspected and "apple_1" in world.look()["alice"].sees
    world.state.things["apple_1"].position = (8.5, 0.5, 0.8)  # said to be on the table, and out of sight
    world._sight_tick = -1
    assert "apple_1" not in world.look()["alice"].sees and "kitchentable_1" not in world.look()["alice"].inspected


def test_looking_down_shows_the_low_shelf():
    world = two_rooms(change=[("salmon_1: fridge_1", "salmon_1: kitchencabinet_1")])
    world.state.openness["kitchencabinet_1"] = 1.0
    put_person(world, "alice", 0.85, 2.2, 180)
    world.state.people["alice"].head_pitch = 0.3
    straight = "salmon_1" in sees(world, "alice")
    world.state.people["alice"].head_pitch = -0.9
    assert "salmon_1" in sees(world, "alice") and not straight


def test_the_robot_has_its_cameras_field_of_view():
    world = two_rooms()
    put_person(world, "alice", 2.6, 3.4, 0)
    bearing = math.atan2(3.4 - 3.5, 2.6 - 4.2)
    for offset, visible in ((0.0, True), (math.radians(39), True), (math.radians(46), False)):
        world.state.robot.yaw = bearing + offset
        assert ("alice" in sees(world, ROBOT)) is visible


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5), st.floats(0, 1), st.floats(0, 1), st.floats(-math.pi, math.pi), st.floats(-0.9, 0.3), st.booleans())
def test_an_inspected_place_never_hides_a_thing(seed, u, v, yaw, pitch, open_all):
    world = GENERATED.setdefault(seed, EmbeddedWorld(generate_home(seed)) if seed not in GENERATED else None)
    room = world.home.rooms[0]
    spot = (room.low[0] + 0.2 + u * (room.high[0] - room.low[0] - 0.4), room.low[1] + 0.2 + v * (room.high[1] - room.low[1] - 0.4))
    for id in world.state.openness:
        world.state.openness[id] = float(open_all)
    put_person(world, "alice", *spot, math.degrees(yaw))
    world.state.people["alice"].head_pitch = pitch
    sight = world.look()["alice"]
    for id, thing in world.state.things.items():
        assert id in sight.sees or thing.at not in sight.inspected
    if not open_all:
        shut = {t for t, s in world.state.things.items() if s.at in world.state.openness}
        assert not shut & sight.sees


GENERATED: dict[int, EmbeddedWorld] = {}


def test_all_viewers_in_one_pass_see_what_each_sees_alone():
    world = two_rooms()
    together = world.look()
    for id in together:
        alone = world.sight_map.look(world.state, [viewer_of(world.home, world.state, id)])
        assert alone[id] == together[id]


def test_ignoring_a_piece_is_only_about_that_piece():
    world = two_rooms()
    inside = (0.3, 3.4, 1.0)
    viewer = Viewer("", (2.0, 3.4, 1.5), math.pi, **AROUND)
    assert not world.sight_map.can_see(world.state, viewer, inside)
    assert world.sight_map.can_see(world.state, viewer, inside, ignore="fridge_1")
    assert not world.sight_map.can_see(world.state, viewer, inside, ignore="kitchentable_1")


@pytest.mark.parametrize("posture_height", [(1.8, True), (1.0, False)])
def test_a_hanging_cabinet_shows_its_inside_only_to_the_tall(posture_height):
    height, tall = posture_height
    world = two_rooms(change=[("alice: {at: [3.8, 1.0], facing: west}", f"alice: {{at: [3.8, 1.0], facing: west, height: {height}}}")])
    world.state.openness["kitchencabinet_2"] = 1.0
    put_person(world, "alice", 0.9, 1.2, 180)
    world.state.people["alice"].head_pitch = 0.2
    # its floor is above a child's eyes: the line of sight still reaches what stands on it from below, so both may see, the tall surely does
    assert "waterglass_1" in sees(world, "alice") or not tall
