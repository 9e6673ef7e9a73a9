"""Walking maps: clearance along every path, doorways by width, obstacles, spots before furniture."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_bridges.embedded.fittings import fitting
from sim_bridges.embedded.geometry import footprint, overlap_depth, wall_segments
from sim_bridges.embedded.home import home_names, load_home, parse_home
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS, WHEELCHAIR_RADIUS, NavMap
from tests.sim_bridges.world_helpers import TWO_ROOMS

HOMES = {name: load_home(name) for name in home_names()}
MAPS = {name: NavMap(home) for name, home in HOMES.items()}


def length(start, path):
    return sum(math.dist(a, b) for a, b in zip([start, *path], path))


def true_clearance(home, point):
    """Distance to the nearest wall segment or standing piece, from the exact geometry and not from the map."""
    best = math.inf
    for x0, y0, x1, y1 in wall_segments(home):
        t = np.clip(((point[0] - x0) * (x1 - x0) + (point[1] - y0) * (y1 - y0)) / max(1e-9, (x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
        best = min(best, math.hypot(point[0] - x0 - t * (x1 - x0), point[1] - y0 - t * (y1 - y0)) - 0.05)
    for item in home.furniture:
        if item.position[2] < 1.2:
            quad = footprint(item)
            for a, b in zip(quad, np.roll(quad, -1, axis=0)):
                t = np.clip(np.dot(np.array(point) - a, b - a) / np.dot(b - a, b - a), 0, 1)
                best = min(best, float(np.hypot(*(np.array(point) - a - t * (b - a)))))
            tiny = np.array([[point[0] + dx, point[1] + dy] for dx, dy in ((-1e-3, -1e-3), (1e-3, -1e-3), (1e-3, 1e-3), (-1e-3, 1e-3))])
            if overlap_depth(quad, tiny) > 0:
                return -1.0
    return best


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(HOMES)), st.integers(0, 10**6), st.sampled_from([PERSON_RADIUS, ROBOT_RADIUS, WHEELCHAIR_RADIUS]))
def test_every_path_keeps_clear_of_everything(name, seed, radius):
    home, nav, rng = HOMES[name], MAPS[name], np.random.default_rng(seed)
    low, high = np.min([r.low for r in home.rooms], axis=0), np.max([r.high for r in home.rooms], axis=0)
    spots = []
    while len(spots) < 2:
        spot = tuple(rng.uniform(low, high))
        if nav.free(spot, radius):
            spots.append(spot)
    path = nav.path(spots[0], spots[1], radius)
    if path is None:
        assert not math.isfinite(nav.distances(spots[0], radius).to(spots[1]))
        return
    assert math.dist(path[-1], spots[1]) < 0.01
    assert length(spots[0], path) >= math.dist(*spots) - 0.01
    for a, b in zip([spots[0], *path], path):
        for t in np.linspace(0, 1, max(2, int(math.dist(a, b) / 0.2))):
            point = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
            assert true_clearance(home, point) > radius - 0.09, (point, radius)  # one cell's diagonal of rounding


@pytest.mark.parametrize("name", sorted(HOMES))
def test_people_and_robot_get_to_everything_and_stand_before_it(name):
    home, nav = HOMES[name], MAPS[name]
    for radius in (PERSON_RADIUS, ROBOT_RADIUS):
        reach = nav.distances(home.robot.position, radius)
        for item in home.furniture:
            if not item.heights or (radius == ROBOT_RADIUS and item.cls in ("chair", "sofa", "wardrobe", "bed", "desk", "coffeetable", "nightstand")):
                continue
            spots = nav.approaches(item, radius)
            assert spots and math.isfinite(min(map(reach.to, spots))), item.id
            for spot in spots:
                assert overlap_depth(footprint(item), footprint(item)) > 0 and true_clearance(home, spot) >= radius - 0.09
                if not fitting(item.cls).from_any_side:
                    ahead = math.cos(item.yaw) * (spot[0] - item.position[0]) + math.sin(item.yaw) * (spot[1] - item.position[1])
                    assert ahead > item.size[1] / 2


@pytest.mark.parametrize("name", sorted(HOMES))
def test_a_wheelchair_gets_into_every_room(name):
    home, nav = HOMES[name], MAPS[name]
    reach = nav.distances(home.doorways[0].center, WHEELCHAIR_RADIUS)
    assert all(math.isfinite(reach.to(d.center)) for d in home.doorways)


def suitcase_in_the_door(width):
    text = TWO_ROOMS.replace("lamp_1: {at: [4.6, 0.4]}", "suitcase_1: {at: [4.8, 2.6], facing: east}")
    return parse_home(text.replace("leaf: yes, open: yes", f"width: {width}"))


def test_an_obstacle_in_a_doorway_stops_the_wide_and_is_walked_up_to():
    home = suitcase_in_the_door(1.1)
    nav = NavMap(home)
    assert nav.path((4.0, 3.5), (7, 2), WHEELCHAIR_RADIUS) is None
    found = nav.path_to_obstacle((4.0, 3.5), (7, 2), WHEELCHAIR_RADIUS)
    assert found is not None and found[1] == "suitcase_1"
    assert not found[0] or math.dist(found[0][-1], (4.8, 2.6)) < 1.2
    aside = {"suitcase_1": ((4.6, 0.6, 0.0), 0.0)}
    assert nav.path((4.0, 3.5), (7, 2), WHEELCHAIR_RADIUS, aside) is not None


def test_somebody_in_the_way_is_walked_round():
    nav = NavMap(parse_home(TWO_ROOMS))
    straight = nav.path((1.4, 0.6), (4.6, 1.2), PERSON_RADIUS)
    round_about = nav.path((1.4, 0.6), (4.6, 1.2), PERSON_RADIUS, None, [(3.0, 0.9, 0.3)])
    assert length((1.4, 0.6), round_about) > length((1.4, 0.6), straight)


def test_distances_agree_with_paths():
    nav = MAPS["maple"]
    start, goal = HOMES["maple"].robot.position, HOMES["maple"].people[1].position
    metres, path = nav.distances(start, PERSON_RADIUS).to(goal), nav.path(start, goal, PERSON_RADIUS)
    assert metres >= length(start, path) - 0.3
    assert nav.distances(start, PERSON_RADIUS).to((-50.0, 0.0)) == math.inf
