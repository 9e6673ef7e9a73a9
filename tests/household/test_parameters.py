"""Parameters: in range or refused with name, value and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.parameters import check, parameter


@dataclass(frozen=True)
class Config:
    speed: float = parameter(1.0, 0.5, 2.0, "how fast, m/s")
    tries: int = parameter(3, 1, 9, "how often")
    loud: bool = parameter(False, False, True, "whether it is heard")
    name: str = field(default="any", metadata={"doc": "not checked here"})

    def __post_init__(self):
        check(self)


def test_defaults_and_an_int_for_a_float_are_fine():
    assert Config() == Config(speed=1)
    assert Config(name="").name == ""


@pytest.mark.parametrize("change, wanted", [
    ({"speed": 2.5}, r"speed = 2.5: must be a number in \[0.5, 2.0\] \(how fast, m/s\)"), ({"speed": float("nan")}, "speed = nan"),
    ({"speed": True}, "speed = True"), ({"speed": "1"}, "speed = '1'"), ({"tries": 2.0}, r"tries = 2.0: must be a whole number in \[1, 9\]"),
    ({"tries": 0}, "tries = 0"), ({"loud": 1}, "loud = 1: must be true or false")])
def test_what_is_wrong_is_named_with_what_is_allowed(change, wanted):
    with pytest.raises(ValueError, match=wanted):
        Config(**change)


@given(st.one_of(st.floats(), st.integers(), st.booleans(), st.text(max_size=3), st.none()))
def test_nothing_outside_its_range_gets_through(value):
    try:
        config = Config(speed=value)
    except ValueError:
        return
    assert isinstance(config.speed, (int, float)) and 0.5 <= config.speed <= 2.0
