"""The world as a whole: the same run from the same seed, whatever the tick; nothing is lost, doubled or walked through a wall."""

import hashlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_bridges.embedded import spots
from sim_bridges.embedded.geometry import corners, overlap_depth
from sim_bridges.embedded.home import home_names
from sim_bridges.embedded.story import open_story
from tests.sim_bridges.world_helpers import fingerprint, two_rooms


def test_time_moves_only_when_advanced_and_in_whole_steps():
    world = two_rooms()
    assert world.time == 0.0
    world.advance(0.12)
    assert world.time == pytest.approx(0.10)
    world.advance(0.03)
    assert world.time == pytest.approx(0.15)
    for bad in (-1.0, math.nan, 1e9):
        with pytest.raises(ValueError, match="0 to 3600"):
            world.advance(bad)


@settings(max_examples=5, deadline=None)
@given(st.lists(st.sampled_from([0.05, 0.1, 0.2, 0.33, 1.0]), min_size=8, max_size=30), st.integers(0, 50))
def test_how_time_is_sliced_makes_no_difference(slices, seed):
    fine, coarse = open_story("false_belief", "maple", seed), open_story("false_belief", "maple", seed)
    for seconds in slices:
        fine.advance(seconds)
    coarse.advance(sum(slices))
    coarse.advance(max(0.0, fine.time - coarse.time))
    assert fingerprint(fine) == fingerprint(coarse)


SCRIPT = """
import hashlib
from sim_bridges.embedded.story import open_story
from tests.sim_bridges.world_helpers import fingerprint
world = open_story("false_belief", "harbor", 7)
world.advance(75.0)
print(hashlib.sha256(repr(fingerprint(world)).encode()).hexdigest())
"""


def test_a_seed_gives_the_same_run_in_another_process():
    world = open_story("false_belief", "harbor", 7)
    world.advance(75.0)
    here = hashlib.sha256(repr(fingerprint(world)).encode()).hexdigest()
    for hash_seed in ("1", "2"):
        result = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=True,
                                env={**os.environ, "PYTHONHASHSEED": hash_seed, "OMP_NUM_THREADS": "1"})
        assert result.stdout.strip() == here


def test_seeds_vary_what_happens():
    runs = []
    for seed in range(4):
        world = open_story("false_belief", "orchard", seed)
        world.advance(30.0)
        runs.append((world.state.people["alice"].position, world.state.people["david"].position, len(world.events),
                     tuple(world.state.things["plate_1"].position), tuple(sorted(world.director.stage.names.items()))))
    assert len({r[0] for r in runs}) == 4 and len({r[3] for r in runs}) == 4 and len({r[4] for r in runs}) > 1


def test_reset_begins_again():
    world = two_rooms(seed=3)
    first = fingerprint(world)
    world.advance(5.0)
    assert fingerprint(world) != first
    world.reset(3)
    assert fingerprint(world) == first


def test_resetting_a_story_stages_it_anew():
    world = open_story("false_belief", "maple", 3)
    world.advance(20.0)
    world.reset(4)
    world.advance(20.0)
    fresh = open_story("false_belief", "maple", 4)
    fresh.advance(20.0)
    assert fingerprint(world) == fingerprint(fresh)


@pytest.mark.parametrize("name", home_names())
def test_through_a_whole_story_nothing_impossible_happens(name):
    world = open_story("false_belief", name, 11)
    sizes = {t.id: spots.size_of(t) for t in world.home.things}
    places = {f.id for f in world.home.furniture} | set(world.rooms) | set(world.performers)
    last = {id: body.position for id, body in world.performers.items()}
    while not world.finished:
        world.advance(0.25)
        for id, body in world.performers.items():
            assert math.dist(body.position, last[id]) <= 2.0 * 0.25
            assert world.nav.free(body.position, 0.05, world.state.moved), (world.time, id)
            last[id] = body.position
        for thing in world.state.things.values():
            assert thing.at in places and (thing.hand is not None) == (thing.at in world.performers)
            assert all(math.isfinite(v) for v in thing.position)
        assert all(0.0 <= v <= 1.0 for v in world.state.openness.values())
    resting = [(id, s) for id, s in world.state.things.items() if s.hand is None]
    for i, (a, first) in enumerate(resting):
        for b, second in resting[:i]:
            if abs(first.position[2] - second.position[2]) < (sizes[a][2] + sizes[b][2]) / 2 - 0.01:
                quads = [corners(s.position[:2], sizes[k][1], sizes[k][0], s.yaw) for k, s in ((a, first), (b, second))]
                assert overlap_depth(*quads) < 0.01, (a, b)
    stamps = [e.action.end if e.action.end is not None else e.action.start for e in world.events]
    assert stamps == sorted(stamps)


def test_a_full_place_takes_no_more():
    world = two_rooms()
    rng, box = np.random.default_rng(0), world.pieces["box_1"]
    book = world.things["book_1"]
    assert spots.free_spot(world.home, world.state, book, box, rng) is not None
    world.state.things["apple_1"].at, world.state.things["apple_1"].position = "box_1", (*box.position[:2], 0.06)
    assert spots.free_spot(world.home, world.state, book, box, rng) is None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["fridge_1", "kitchentable_1", "kitchencabinet_1", "sofa_1"]))
def test_spots_are_inside_the_place_and_off_what_stands_there(seed, place):
    world, rng = two_rooms(), np.random.default_rng(seed)
    for id in ("salmon_1", "apple_1", "waterglass_1", "book_1"):
        item = world.pieces[place]
        spot = spots.free_spot(world.home, world.state, world.things[id], item, rng)
        assert spot is not None
        world.put(id, place, spot, item.yaw)
        width, depth, height = spots.size_of(world.things[id])
        quad = corners(spot[:2], depth, width, item.yaw)
        piece = corners(item.position[:2], item.size[1], item.size[0], item.yaw)
        assert (quad.min(axis=0) >= piece.min(axis=0) - 1e-6).all() and (quad.max(axis=0) <= piece.max(axis=0) + 1e-6).all()
        assert any(spot[2] - height / 2 == pytest.approx(level) for level in item.heights)
