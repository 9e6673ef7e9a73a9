"""Agreement of two sequences of atomic actions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.mind_reward import WEIGHTS, longest_common, mind_reward

tokens = st.lists(st.sampled_from(["walk(fridge_1)", "open(fridge_1)", "pick(apple_1)", "give(apple_1, alice)", "say(alice)"]), max_size=8)


def test_weights_are_the_papers():
    assert WEIGHTS == (0.2, 0.3, 0.5)


def test_by_hand():
    gold = ["a", "b", "c", "d"]
    # unigrams 3/4 each way, bigrams: (a,b) of 3 and 3, longest common subsequence a b d
    assert mind_reward(["a", "b", "d", "e"], gold) == pytest.approx(0.2 * 0.75 + 0.3 * (1 / 3) + 0.5 * 0.75)
    # the right actions in the wrong order: all unigrams, no bigrams, one in order
    assert mind_reward(gold[::-1], gold) == pytest.approx(0.2 + 0.5 * 0.25)


def test_spelling_does_not_matter_but_arguments_do():
    assert mind_reward(["Give(apple_1,alice)"], ["give(apple_1, alice)"]) == 1.0
    assert mind_reward(["give(apple_1, david)"], ["give(apple_1, alice)"]) == 0.0


@settings(max_examples=200, deadline=None)
@given(tokens, tokens)
def test_bounds_symmetry_and_identity(a, b):
    score = mind_reward(a, b)
    assert 0.0 <= score <= 1.0 and score == pytest.approx(mind_reward(b, a))
    assert mind_reward(a, a) == 1.0
    if a != b:
        assert score < 1.0
    if a and b and not set(a) & set(b):
        assert score == 0.0


@settings(max_examples=100, deadline=None)
@given(tokens, tokens)
def test_longest_common_subsequence_is_one_and_none_is_longer(a, b):
    def brute(x, y):
        best = 0
        for mask in range(1 << len(x)):
            sub = [t for i, t in enumerate(x) if mask >> i & 1]
            rest = iter(y)
            if len(sub) > best and all(t in rest for t in sub):
                best = len(sub)
        return best

    assert longest_common(a, b) == brute(a, b)
