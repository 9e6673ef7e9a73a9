"""A stove that is first seen with its flap down is open, and no larger for it."""

import numpy as np
import pytest

from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.flaps import parted
from perception.geometry import Box
from perception.lifting import lift
from tests.perception.raycast import Scene, Solid, look, play

CONFIG = PerceptionConfig()
POSE = look(2.6, 4.2, -2.35, -0.25)  # from aside: its front, which is +x, and its flank show


def _stove(flap, cls="stove"):
    """Hollow, 0.6 × 0.6 × 0.85 m, before the west wall; ``flap``: the box of its door."""
    def plate(dx, dy, z, sx, sy, sz):
        return Solid(cls, cls, Box((0.35 + dx, 2.5 + dy, z), (sx, sy, sz)), (230, 230, 235))

    walls = [plate(-0.28, 0, 0.425, 0.04, 0.6, 0.85), plate(0, 0.28, 0.425, 0.6, 0.04, 0.85), plate(0, -0.28, 0.425, 0.6, 0.04, 0.85)]
    return [*walls, plate(0, 0, 0.83, 0.6, 0.6, 0.04), plate(0, 0, 0.1, 0.6, 0.6, 0.04), Solid(cls, cls, flap, (40, 40, 40))]


DOWN = Box((0.93, 2.5, 0.14), (0.55, 0.56, 0.03))
SHUT = Box((0.64, 2.5, 0.45), (0.03, 0.56, 0.7))
ON_THE_FLOOR = Box((0.93, 2.5, 0.01), (0.55, 0.56, 0.02))  # a mat
NARROW = Box((0.93, 2.5, 0.14), (0.55, 0.15, 0.03))  # a foot before it
BULKY = Box((0.93, 2.5, 0.2), (0.5, 0.56, 0.4))  # a stool


@pytest.mark.parametrize("door, cls, found", [(DOWN, "stove", True), (DOWN, "dishwasher", True), (DOWN, "kitchencabinet", False), (SHUT, "stove", False),
                                              (ON_THE_FLOOR, "stove", False), (NARROW, "stove", False), (BULKY, "stove", False)])
def test_what_lies_low_and_flat_before_what_opens_downwards_is_its_flap(door, cls, found):
    one = next(x for x in lift(Scene(_stove(door, cls), pose=POSE).frame(1.0), CONFIG) if x.cls == cls)
    body, flap = parted(one, (0.0,))
    assert (flap is not None) is found and len(body) + (len(flap) if found else 0) == len(one.points)
    if found:
        assert flap[:, 2].max() < 0.2 and flap[:, 0].min() > 0.6 and np.percentile(body[:, 0], 98) < 0.7


@pytest.mark.parametrize("door, told", [(DOWN, Openness.OPEN), (SHUT, Openness.CLOSED)])
def test_a_stove_first_made_out_with_its_flap_down_is_open_and_as_large_as_it_is(door, told):
    scene = Scene(_stove(door), pose=POSE)
    state, graphs, events = play([scene.frame(0.35 * i) for i in range(1, 9)])
    assert graphs[-1].entities["stove_1"].openness is told
    (stove,) = [p for p in state.places if p.cls == "stove"]
    assert max(stove.body.size[:2]) < 0.75 and not events
