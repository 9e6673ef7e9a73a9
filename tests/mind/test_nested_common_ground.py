"""Joint witnessing: chains of any order against a brute-force account of every perspective."""

import itertools

import pytest
from hypothesis import given, settings, strategies as st

from household.scene_graph import ELSEWHERE
from mind.nested import CommonGround, Happening, Occurrence, believed, false_belief, told, witnessed

PEOPLE = ("ann", "ben", "cat")
PLACES = ("box", "bag", "tin")


def seen(ground, place, *who, p=1.0, stamp=0.0):
    return witnessed(ground, "ball", Occurrence(stamp, Happening.SEEN, place, {w: p for w in who}))


def test_who_left_keeps_the_old_belief_and_others_know_it():
    g = seen(seen(CommonGround(), "box", "ann", "ben"), "bag", "ben")
    assert believed(g, ["ann"], "ball") == {"box": 1.0}
    assert believed(g, ["ben"], "ball") == {"bag": 1.0}
    assert believed(g, ["ben", "ann"], "ball") == {"box": 1.0}
    assert believed(g, ["ann", "ben"], "ball") == {"box": 1.0}
    assert false_belief(g, ["ann"], "ball", {"bag": 1.0}) == 1.0
    assert false_belief(g, ["ben"], "ball", {"bag": 1.0}) == 0.0
    assert false_belief(g, ["ann", "ben"], "ball", {}) == 1.0  # ann is wrong about ben
    assert false_belief(g, ["ben", "ann"], "ball", {}) == 0.0  # ben is right about ann


def test_seen_absent_leaves_nobody_with_a_place():
    g = witnessed(seen(CommonGround(), "box", "ann"), "ball", Occurrence(1.0, Happening.ABSENT, "box", {"ann": 1.0}))
    assert believed(g, ["ann"], "ball") == {ELSEWHERE: 1.0}
    assert false_belief(g, ["ann"], "ball", {"bag": 1.0}) == 0.0


def test_what_is_said_moves_only_those_who_heard_and_trust():
    g = seen(CommonGround(), "box", *PEOPLE)
    g = told(g, "ball", "tin", 1.0, "ann", ["ben", "cat"], {"ben": 1.0, "cat": 0.0})
    assert believed(g, ["ben"], "ball") == {"tin": 1.0} and believed(g, ["cat"], "ball") == {"box": 1.0}
    assert believed(g, ["ann"], "ball") == {"box": 1.0}  # nobody is convinced by their own lie
    assert believed(g, ["cat", "ben"], "ball") == {"tin": 1.0}
    private = told(seen(CommonGround(), "box", *PEOPLE), "ball", "tin", 1.0, "ann", ["ben"], {"ben": 1.0})
    assert believed(private, ["cat", "ben"], "ball") == {"box": 1.0}


def test_half_seen_is_half_believed():
    g = seen(seen(CommonGround(), "box", "ann", "ben"), "bag", "ann", "ben", p=0.5)
    assert believed(g, ["ann"], "ball") == {"box": 0.5, "bag": 0.5}
    assert believed(g, ["ann", "ben"], "ball") == {"box": 0.75, "bag": 0.25}


def test_bad_probability_and_empty_chain_are_errors():
    with pytest.raises(ValueError, match="must be in"):
        seen(CommonGround(), "box", "ann", p=1.5)
    with pytest.raises(ValueError, match="at least one"):
        believed(CommonGround(), [], "ball")


events = st.lists(st.tuples(st.sampled_from(PLACES), st.sets(st.sampled_from(PEOPLE), min_size=1)), max_size=9)


def perspective(history, chain):
    """Brute force: drop, person by person, what that person did not witness; the last thing left is believed."""
    for person in chain:
        history = [(place, who) for place, who in history if person in who]
    return history[-1][0] if history else ELSEWHERE


@settings(max_examples=120, deadline=None)
@given(events)
def test_every_chain_up_to_order_four_equals_filtered_perspectives(history):
    g = CommonGround()
    for place, who in history:
        g = seen(g, place, *who)
    for order in (1, 2, 3, 4):
        for chain in itertools.product(PEOPLE, repeat=order):
            assert believed(g, chain, "ball") == {perspective(history, chain): 1.0}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(list(Happening)),
                          st.dictionaries(st.sampled_from(PEOPLE), st.floats(0, 1), min_size=1)), max_size=80))
def test_beliefs_sum_to_one_and_the_record_is_bounded(history):
    g = CommonGround()
    for k, (place, happening, who) in enumerate(history):
        g = witnessed(g, "ball", Occurrence(float(k), happening, place, who, {p: 0.5 for p in who}))
    assert len(g.record.get("ball", ())) <= 48
    for chain in itertools.permutations(PEOPLE, 2):
        assert sum(believed(g, chain, "ball").values()) == pytest.approx(1.0)
