"""How tall somebody is, and where their hands are: what hides them at first, and what they hold up, is not their height; nor is a head a hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Posture
from perception import facing, pose
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.people import PersonTrack, _moved
from perception.pipeline import _seats
from perception.places import PlaceTrack
from perception.pose import _posture


def height(crowns, speed, first=1.05, measured=True):
    """After pictures 0.4 s apart in which the highest point of somebody who goes at ``speed`` was so high, metres; None: cut by the picture."""
    track = PersonTrack("alice", True, (0.0, 0.0), max(first, 1.1), first, 0.0, 0.0, 0.9, Posture.STANDING, (), np.zeros((0, 3)), ((0.0, 0.0, 0.0),),
                        np.zeros(128), 0.0, measured=measured)
    camera = SimpleNamespace(camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0))
    for i, crown in enumerate(crowns, 1):
        frame = SimpleNamespace(stamp=0.4 * i, **vars(camera))
        one = SimpleNamespace(points=np.array([[0.0, 0.0, 3.0]]), pixels=900, detection=SimpleNamespace(mask=np.ones((60, 40), bool), score=1.0, identity="alice"))
        pose = SimpleNamespace(position=(0.4 * i * speed, 0.0), crown=crown or 1.0, crown_seen=crown is not None, posture=Posture.STANDING, yaw=0.0, head_yaw=0.0,
                               certainty=0.9, hands=(), belief=facing.uniform(), head_belief=facing.uniform(), pitch=None)
        track = _moved(track, one, pose, np.zeros(128), frame, PerceptionConfig())
    return track.height


@pytest.mark.parametrize("crowns, speed, measured, tall", [
    ([1.63] * 4, 1.0, True, 1.63),  # came out from behind a table
    ([1.63] * 4, 0.0, False, 1.63),  # stood too near for the picture
    ([None] * 4, 1.0, True, 1.1),
    ([1.9] * 4, 0.0, True, 1.1),  # a hand held up, for all anybody knows
])
def test_who_is_seen_whole_for_the_first_time_is_as_tall_as_that(crowns, speed, measured, tall):
    assert height(crowns, speed, measured=measured) == pytest.approx(tall)


@pytest.mark.parametrize("crown, posture", [(1.75, Posture.STANDING), (1.35, Posture.SITTING), (0.98, Posture.UNKNOWN), (1.55, Posture.UNKNOWN)])
def test_whose_head_is_lower_than_on_a_seat_has_bent_down(crown, posture):
    assert _posture(np.zeros((4, 3)), crown, True, 1.8) is posture


def test_what_is_called_a_chair_and_is_as_wide_as_three_is_no_seat():
    def piece(name, width):
        return PlaceTrack(name, name.rsplit("_", 1)[0], Cells(), Box((0.0, 0.0, 0.45), (0.5, width, 0.9)), 0.0, hits=9)

    assert [round(b.size[1], 1) for b in _seats((piece("chair_1", 0.5), piece("chair_2", 1.5), piece("sofa_1", 2.0), piece("stove_1", 0.6)), ())] == [0.5, 2.0]


@pytest.mark.parametrize("nearer, cls, beside_another", [(1.5, "person", True), (0.0, "person", False), (1.5, "fridge", False)])
def test_whose_head_is_partly_behind_somebody_else_has_not_bent_down(nearer, cls, beside_another):
    """A head 3 m off whose left half is behind somebody: its crown seems lower than it is. An open door beside it hides nothing that would show."""
    depth, half = np.full((60, 60), 3.0), np.ones((60, 30), bool)
    depth[:, :30] -= nearer
    rows, columns = (x.ravel() for x in np.mgrid[20:50, 30:45])
    points = np.column_stack([np.zeros(len(rows)), np.zeros(len(rows)), 1.5 - 0.01 * (rows - 20)])
    head = SimpleNamespace(points=points, rows=rows, columns=columns, detection=SimpleNamespace(cls="person", offset=(30, 20), mask=np.ones((30, 15), bool)))
    frame = SimpleNamespace(depth=depth, detections=(head.detection, SimpleNamespace(cls=cls, offset=(0, 0), mask=half)))
    assert pose._beside_another(head, 1.5, frame) is beside_another


@pytest.mark.parametrize("leans", [False, True])
def test_the_head_of_who_leans_forward_is_not_a_hand(leans):
    """Nobody's wrists were found: a torso, a head half a metre before it, an arm below that hangs from the shoulders."""
    rng = np.random.default_rng(0)

    def blob(centre, spread, n):
        return np.asarray(centre) + rng.uniform(-1, 1, (n, 3)) * spread

    head, arm = blob((0.45, 0.0, 1.22), 0.1, 60), blob((0.5, 0.0, 0.85), (0.05, 0.05, 0.1), 20)
    points = np.concatenate([blob((0.0, 0.0, 0.9), (0.15, 0.2, 0.3), 300), head, arm])
    (hand,) = pose._hands(points, {}, (0.0, 0.0), 1.32, leans)
    assert (hand[2] < 0.95) is leans
    assert pose._hands(points[:-20], {}, (0.0, 0.0), 1.32, True) == ()
