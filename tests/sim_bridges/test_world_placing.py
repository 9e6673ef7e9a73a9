"""Where a robot stands to watch."""

import math
from dataclasses import replace

import numpy as np
import pytest

from sim_bridges.embedded.generate_home import generate_home
from sim_bridges.embedded.geometry import leaf_segment
from sim_bridges.embedded.home import parse_home
from sim_bridges.embedded.model import WorldState
from sim_bridges.embedded.nav import PERSON_RADIUS
from sim_bridges.embedded.placing import WatchPost, hands_at, view
from sim_bridges.embedded.visibility import SightMap
from tests.sim_bridges.world_helpers import TWO_ROOMS

HOME = parse_home(TWO_ROOMS, "two_rooms")
FRIDGE = next(f for f in HOME.furniture if f.id == "fridge_1")


def from_the_fridge(bearing: float, distance: float) -> float:
    """``bearing``: degrees from its front's normal; ``distance``: metres from the hands."""
    x, y = hands_at(FRIDGE)
    a = FRIDGE.yaw + math.radians(bearing)
    return view(SightMap(HOME), WorldState(0.0), (x + distance * math.cos(a), y + distance * math.sin(a)), 1.25, FRIDGE)


def test_hands_are_before_a_front():
    x, y = hands_at(FRIDGE)
    assert x - FRIDGE.position[0] == pytest.approx(FRIDGE.size[1] / 2 + 0.3, abs=1e-6) and y == pytest.approx(FRIDGE.position[1], abs=1e-6)


def test_a_front_is_watched_from_some_steps_away_and_not_from_behind_its_open_door():
    assert from_the_fridge(10, 2.0) > 0.9
    assert from_the_fridge(10, 0.6) < 0.3
    assert from_the_fridge(-55, 1.5) < from_the_fridge(-5, 1.5) < from_the_fridge(15, 1.5)


def test_hands_low_down_that_a_table_hides_are_watched_badly():
    low = replace(FRIDGE, size=(*FRIDGE.size[:2], 0.9))
    x, y = hands_at(low)
    spot = (x + 2.6 * math.cos(low.yaw), y + 2.6 * math.sin(low.yaw))
    table = replace(next(f for f in HOME.furniture if f.cls == "kitchentable"), position=(x + 0.8 * math.cos(low.yaw), y + 0.8 * math.sin(low.yaw), 0.0))
    others = [f for f in HOME.furniture if f.id not in (FRIDGE.id, table.id)]
    free, behind = (view(SightMap(replace(HOME, furniture=tuple([*others, low, *more]))), WorldState(0.0), spot, 1.25, low) for more in ([], [table]))
    assert 0.0 < behind < 0.8 * free


def test_through_a_wall_nothing_is_watched():
    assert view(SightMap(HOME), WorldState(0.0), (7.0, 1.0), 1.25, FRIDGE) == 0.0


@pytest.mark.parametrize("split", ["train", "test"])
def test_in_generated_homes_the_robot_watches_from_some_steps_away(split):
    views = []
    for seed in range(6):
        home = generate_home(seed, split=split)
        sight = SightMap(home)
        views += [view(sight, WorldState(0.0), home.robot.position, home.robot.camera_height, f) for f in home.furniture
                  if f.cls in ("kitchentable", "fridge")]
    assert np.mean(views) > 0.7 and np.mean(np.array(views) == 0.0) < 0.25


def test_the_robot_is_not_put_where_furniture_walls_it_in():
    """A row of cabinets across the living room: behind it there is room to stand, and no way out."""
    cabinet = next(f for f in HOME.furniture if f.id == "kitchencabinet_1")
    row = tuple(replace(cabinet, id=f"kitchencabinet_{9 + i}", room="livingroom", position=(5.3 + 0.6 * i, 1.7, 0.0), yaw=math.pi / 2, size=(0.6, 0.35, 0.8))
                for i in range(7))
    home = replace(HOME, furniture=tuple(f for f in HOME.furniture if f.id != "sofa_1") + row)
    post = WatchPost.of(home)
    assert any(y < 1.4 for _, y in post._standing_places(next(r for r in home.rooms if r.id == "livingroom")))  # there is room behind the row
    assert post._leaves((6.2, 0.9), [(5.0, 2.6)]) == 0.0 and post._leaves((7.0, 3.0), [(5.0, 2.6)]) == 1.0
    assert post.take("livingroom", []).robot.position[1] > 1.6


def test_the_robot_stands_clear_of_where_a_door_stands_when_it_is_open():
    for seed in range(3):
        home = generate_home(seed, split="test")
        post = WatchPost.of(home)
        leaves = [leaf_segment(d, 1.0) for d in home.doorways if d.leaf]
        taken = [t.robot.position for t in (post.take(r.id, []) for r in home.rooms) if t is not None]
        assert taken and all(math.dist(p, ((1 - k) * a + k * c, (1 - k) * b + k * d)) > 0.74 for p in taken for a, b, c, d in leaves for k in (0.0, 0.5, 1.0))


def test_what_an_open_door_hides_is_not_watched():
    """The door of the two rooms swings into the living room."""
    post, door = WatchPost.of(HOME), next(d for d in HOME.doorways if d.leaf)
    hx, hy, ex, ey = leaf_segment(door, 1.0)
    middle, off = ((hx + ex) / 2, (hy + ey) / 2), (0.0, 0.5)
    state = WorldState(0.0)
    assert math.hypot(ex - hx, ey - hy) == pytest.approx(door.width)
    assert not post._sees_point(state, (middle[0], middle[1] - off[1]), (middle[0], middle[1] + off[1]))
    assert post._sees_point(state, (middle[0], middle[1] + 0.2), (middle[0], middle[1] + off[1]))


def test_people_get_past_the_robot():
    """From one spot in this kitchen everything is seen best, and there the robot would stand between a table and the wall, before the counter."""
    home = generate_home(24404005, split="test")
    post, watch = WatchPost.of(home), ["kitchencabinet_2", "microwave_1"]
    ways = [d.center for d in home.doorways if "kitchen" in d.rooms]
    ways += [post.nav.approach_point(f, PERSON_RADIUS) for f in home.furniture if f.id in watch]
    assert not post._lets_pass((8.7, 1.9), ways)
    assert post._lets_pass(post.take("kitchen", watch).robot.position, ways)
