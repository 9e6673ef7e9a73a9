"""Skeleton and bodies: bones keep their length, hands get where they reach, heads look where they look, bodies are as
tall as they are.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.scene_graph import Posture
from sim_bridges.embedded import figures_pose as fp
from sim_bridges.embedded import textures as tx
from sim_bridges.embedded.assets import PRIMITIVES
from sim_bridges.embedded.assets_sweethome import SweetHomeAssets
from sim_bridges.embedded.figures import Figure, is_woman, look_of
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.meshes import Soup
from sim_bridges.embedded.model import Person, PersonState
from sim_bridges.embedded.render_pieces import Stage
from sim_bridges.embedded.render_scene import _skin_of

BONES = (("shoulder", "elbow", fp.UPPER_ARM), ("elbow", "hand", fp.FOREARM + fp.GRIP), ("hip", "knee", fp.THIGH),
         ("knee", "ankle", fp.SHANK))
SOURCES = [PRIMITIVES] + ([SweetHomeAssets()] if SweetHomeAssets.present() else [])


def person(height: float = 1.72, **kw) -> Person:
    return Person(**{"id": "alice", "name": "Alice", "position": (0.0, 0.0), "yaw": 0.0, "height": height, **kw})


def state(**kw) -> PersonState:
    return PersonState(**{"position": (0.0, 0.0), "yaw": 0.0, "head_yaw": 0.0, **kw})


near = st.tuples(st.floats(-0.2, 1.2), st.floats(-1.0, 1.0), st.floats(0.0, 2.2))


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 7), st.booleans(), st.sampled_from(list(Posture)), st.none() | near, st.floats(1.0, 2.0), st.floats(-4, 4))
def test_bones_keep_their_lengths(gait, walking, posture, target, height, yaw):
    s = fp.skeleton(person(height), state(gait=gait, walking=walking, posture=posture, reach_to=target, yaw=yaw, head_yaw=yaw))
    for side in (fp.LEFT, fp.RIGHT):
        for a, b, share in BONES:
            assert np.linalg.norm(s.joints[f"{side}_{a}"] - s.joints[f"{side}_{b}"]) == pytest.approx(
                share * height, abs=2e-3 * height)
    assert all(np.isfinite(p).all() for p in s.joints.values())


@settings(max_examples=60, deadline=None)
@given(st.floats(0.25, 0.55), st.floats(-0.35, 0.15), st.floats(0.25, 1.75), st.floats(-3, 3))
def test_the_right_hand_gets_to_what_is_in_reach(forward, left, up, yaw):
    c, s = math.cos(yaw), math.sin(yaw)
    target = (1.0 + c * forward - s * left, 2.0 + s * forward + c * left, up)
    found = fp.hand_position(person(), state(position=(1.0, 2.0), yaw=yaw, head_yaw=yaw, reach_to=target), fp.RIGHT)
    assert np.linalg.norm(np.subtract(found, target)) < 0.012


def test_reach_is_limited_by_the_person_and_by_the_arm():
    assert fp.hand_position(person(reach=1.5), state(reach_to=(0.4, -0.2, 1.9)), fp.RIGHT)[2] <= 1.5 + 0.01
    far = fp.hand_position(person(), state(reach_to=(5.0, 0.0, 1.0)), fp.RIGHT)
    assert 0.5 < far[0] < 1.6


@given(st.floats(0.005, 0.5), st.floats(1.0, 2.0))
def test_a_held_thing_comes_up_to_the_upper_edge_of_the_hand_and_is_gripped_in_its_middle_if_it_is_taller(thick, height):
    who, here = person(height), state()
    middle, at = fp.hand_position(who, here, fp.RIGHT), fp.held_position(who, here, fp.RIGHT, thick)
    edge = middle[2] + fp.PALM * height
    assert at[:2] == middle[:2]
    if thick / 2 >= fp.PALM * height:
        assert at[2] == middle[2]
    else:
        assert at[2] + thick / 2 == pytest.approx(edge)


def test_only_the_right_hand_reaches_and_the_left_carries():
    reaching = state(reach_to=(0.5, 0.3, 1.2))
    assert fp.hand_position(person(), reaching, fp.RIGHT) == pytest.approx((0.5, 0.3, 1.2), abs=0.01)
    left = fp.hand_position(person(), state(), fp.LEFT)
    assert 0.25 < left[0] < 0.45 and 0 < left[1] < 0.3 and 0.9 < left[2] < 1.25
    with pytest.raises(ValueError, match="'both'"):
        fp.hand_position(person(), state(), "both")


def test_walking_moves_the_feet_in_turn_and_keeps_one_down():
    lows, strides = [], []
    for gait in np.linspace(0, 2 * math.pi, 24, endpoint=False):
        s = fp.skeleton(person(), state(gait=float(gait), walking=True))
        lows.append(min(s.joints["left_ankle"][2], s.joints["right_ankle"][2]))
        strides.append(s.joints["left_ankle"][0] - s.joints["right_ankle"][0])
    assert np.allclose(lows, fp.ANKLE * 1.72, atol=0.012)
    assert max(strides) > 0.4 and min(strides) < -0.4


def test_the_head_turns_by_itself_but_not_backwards():
    s = fp.skeleton(person(), state(yaw=0.5, head_yaw=1.2, head_pitch=-0.3))
    assert math.atan2(s.head[1, 0], s.head[0, 0]) == pytest.approx(1.2, abs=0.02) and s.head[2, 0] == pytest.approx(
        math.sin(-0.3), abs=0.02)
    owl = fp.skeleton(person(), state(yaw=0.0, head_yaw=math.pi * 0.99))
    assert abs(math.atan2(owl.head[1, 0], owl.head[0, 0])) < 1.6


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("height", [1.1, 1.6, 1.9])
def test_bodies_stand_on_the_floor_at_their_true_height(source, height):
    p = person(height)
    low, high = Figure(p, look_of(p), source.mannequin("female")).posed(state()).bounds()
    assert low[2] == pytest.approx(0, abs=0.03) and high[2] == pytest.approx(height, rel=0.035)
    assert 0.15 * height < high[1] - low[1] < 0.45 * height


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: type(s).__name__)
def test_the_drawn_hand_is_at_hand_position(source):
    p, reaching = person(), state(yaw=0.7, head_yaw=0.7, reach_to=(0.4, 0.2, 1.3))
    corners = Figure(p, look_of(p), source.mannequin("male")).posed(reaching, ("right",)).pos.reshape(-1, 3)
    hand = np.array(fp.hand_position(p, reaching, fp.RIGHT))
    assert np.linalg.norm(corners - hand, axis=1).min() < 0.05


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: type(s).__name__)
def test_seated_people_are_lower_and_their_knees_are_in_front(source):
    p = person()
    body = Figure(p, look_of(p), source.mannequin("male"))
    standing, sitting = body.posed(state()).bounds(), body.posed(state(posture=Posture.SITTING)).bounds()
    assert sitting[1][2] < 0.85 * standing[1][2] and sitting[1][0] > standing[1][0] + 0.3


def test_clothes_follow_the_model_and_otherwise_differ():
    assert look_of(person(model="a red coat")).top == look_of(person(id="bob", model="red")).top
    taken = []
    for name in "abcdef":
        taken.append(look_of(person(id=name), taken=taken).top)
    assert len(set(taken)) == len(taken)
    assert look_of(person()) == look_of(person())
    alike = next(n for n in (f"guest{i}" for i in range(99)) if look_of(person(id=n)).top == look_of(person(model="yellow")).top)
    home = load_home("maple")
    pair = replace(home, people=(person(id=alike), person(id="bob", model="yellow")))  # who comes first does not wear what the other is said to
    assert len({f.look.top for f in Stage(pair, PRIMITIVES, seed=0, split="test")._figures.values()}) == 2
    assert is_woman(person()) and not is_woman(person(name="David")) and is_woman(person(name="David", model="woman blue"))


def test_people_of_one_mannequin_each_wear_their_own():
    """They share the mesh, near and far; whoever is drawn first, the second is not in the first one's clothes."""
    atlas, uv, corners = tx.Atlas(), np.zeros((2, 3, 2), np.float32), np.random.default_rng(1).random((2, 3, 3), dtype=np.float32)
    soups = [Soup(corners, corners, uv, np.zeros(2, np.int32), (tx.plain(*colour),)) for colour in ((200, 0, 0), (0, 0, 200))]
    red, blue = (_skin_of(s, atlas) for s in soups)
    assert set(red.mat) != set(blue.mat)
    assert _skin_of(soups[0], atlas) is red and _skin_of(soups[1], atlas) is blue
