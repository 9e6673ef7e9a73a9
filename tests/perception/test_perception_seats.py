"""What is put on a chair, where it does not show: its holder stoops before it, and comes up without the thing."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Openness
from perception.geometry import Box
from perception.handling import Stance
from perception.seats import put_on_a_seat
from tests.perception.test_perception_handling import cup, cupboard
from tests.perception.test_perception_walking import walker


def chair(x=0.0, y=0.0, cls="chair", name="chair_1"):
    return replace(cupboard(openness=Openness.NONE, name=name, box=Box((x, y, 0.45), (0.45, 0.45, 0.9))), cls=cls)


def stoops(places=(), *, bent=0.5, seconds=0.6, last=0.7, after=4, hands=True, x=0.6, visible=True, guessed=False):
    """Alice, facing −x at ``x`` m, has a mug in hand until ``last`` s, is ``bent`` m down from 1 s on for ``seconds``, and is looked at ``after`` times after that."""
    down = [round(1.0 + 0.3 * i, 1) for i in range(int(seconds / 0.3 + 1e-6) + 1)]
    looks = [(s, 0.05) for s in (0.1, 0.4, 0.7)] + [(s, bent) for s in down] + [(down[-1] + 0.3 * (i + 1), 0.04) for i in range(after)]
    traces = {"alice": tuple(Stance(s, (x, 0.0), np.pi, ((x - 0.2, 0.2, 0.8),) if hands else (), b) for s, b in looks)}
    alice = replace(walker([(looks[-1][0], x, 0.0)], np.pi), visible=visible)
    around = SimpleNamespace(places={p.id: p for p in (*places, chair())}, people={"alice": alice}, traces=traces)
    return put_on_a_seat(replace(cup("alice", -0.2), last_seen=last, guessed=guessed), alice, around)


def test_who_stoops_before_a_chair_and_comes_up_without_the_thing_has_put_it_there():
    place, stamp = stoops()
    assert place.id == "chair_1" and stamp == pytest.approx(1.3)
    assert stoops(last=1.0) is not None  # it may show while they are down


@pytest.mark.parametrize("why", [{"bent": 0.2}, {"seconds": 3.0}, {"last": -1.0}, {"after": 2}, {"after": 0}, {"hands": False}, {"x": 1.4}, {"visible": False}, {"last": 2.1}, {"guessed": True}],
                         ids=["a table", "sits down", "long gone", "too few looks", "still down", "no hand in view", "far off", "out of view", "still in hand", "stooped to take it, unseen"])
def test_nothing_is_concluded_while_something_else_may_be(why):
    assert stoops(**why) is None


def test_who_stoops_before_a_low_cupboard_may_have_opened_it():
    low = cupboard(openness=Openness.UNKNOWN, name="dishwasher_1", box=Box((0.2, 0.5, 0.4), (0.5, 0.5, 0.8)))
    assert stoops([low]) is None
    assert stoops([replace(low, body=Box((0.2, 2.0, 0.4), (0.5, 0.5, 0.8)))]) is not None


def test_of_two_seats_it_is_the_one_before_them_and_never_a_table():
    assert stoops([chair(0.9, 0.0, name="chair_2")])[0].id == "chair_1"
    assert stoops([chair(0.2, 0.0, cls="coffeetable", name="coffeetable_1")])[0].id == "chair_1"
