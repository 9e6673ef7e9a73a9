"""A thing is known again by its colours, in another light and half hidden; too little of it says nothing."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.appearance import look_of, mean_look, odds


def seen(pixels):
    """A mask of these pixels, uint8 (n, 3), and the picture they are of."""
    pixels = np.asarray(pixels, np.uint8)
    return look_of(SimpleNamespace(rows=np.zeros(len(pixels), int), columns=np.arange(len(pixels))), SimpleNamespace(color=pixels[None]))


def cloth(rng, *colours, n=120, light=1.0):
    """Pixels of a thing of these colours, in patches, with the noise of a camera."""
    plain = np.repeat(np.asarray(colours, float), n // len(colours), axis=0) * light
    return np.clip(plain + rng.normal(0, 4, plain.shape), 0, 255)


RED, BLUE, WHITE, SKIN = (190, 40, 35), (40, 60, 180), (230, 230, 225), (205, 150, 120)


@pytest.mark.parametrize("light", [0.8, 1.0, 1.15])
def test_the_same_thing_in_another_light_is_likelier_than_another_one(light):
    rng = np.random.default_rng(1)
    known, again, other = seen(cloth(rng, RED, WHITE)), seen(cloth(rng, RED, WHITE, light=light)), seen(cloth(rng, BLUE, WHITE))
    assert odds(known, again) > 3.0 > 1.0 > odds(known, other)


def test_fingers_before_a_third_of_it_leave_it_known():
    rng = np.random.default_rng(2)
    known, gripped = seen(cloth(rng, BLUE)), seen(np.vstack([cloth(rng, BLUE, n=80), cloth(rng, SKIN, n=40)]))
    assert odds(known, gripped) > 3.0


def test_a_bare_hand_is_not_the_thing():
    rng = np.random.default_rng(3)
    assert odds(seen(cloth(rng, BLUE)), seen(cloth(rng, SKIN))) < 0.2


def test_too_few_pixels_say_nothing():
    rng = np.random.default_rng(4)
    assert seen(cloth(rng, RED, n=5)) is None and odds(None, seen(cloth(rng, RED))) == 1.0


@settings(max_examples=60, deadline=None)
@given(st.integers(6, 400), st.integers(0, 2**31 - 1))
def test_looks_sum_to_one_and_odds_are_symmetric_and_bounded(n, seed):
    rng = np.random.default_rng(seed)
    a, b = (seen(rng.integers(0, 256, (n, 3))) for _ in range(2))
    assert a.sum() == pytest.approx(1.0, abs=1e-4) and (a >= 0).all()
    assert odds(a, b) == pytest.approx(odds(b, a)) and 0.05 < odds(a, b) < 50
    assert mean_look(a, b, 3).sum() == pytest.approx(1.0, abs=1e-4) and mean_look(a, None, 3) is a
