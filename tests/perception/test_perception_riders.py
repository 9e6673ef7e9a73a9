"""Who sits in a wheelchair that a detector finds without them."""

from __future__ import annotations

import numpy as np
import pytest

from household.camera import CameraModel
from perception.detectors.base import Detection
from perception.frame import FrameInput
from perception.riders import seated

CAMERA = CameraModel.from_fov(320, 240, 80.0)
AWAY = 3.0  # m
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # at 1 m, looking along x


def box(cls, y, low, high, width, score=0.8, names=True):
    """Something ``width`` m wide, ``y`` m to the left of straight ahead, from ``low`` to ``high`` m above the floor."""
    column = lambda v: int(round(CAMERA.cx - v / AWAY * CAMERA.fx))  # noqa: E731
    row = lambda z: int(round(CAMERA.cy - (z - 1.0) / AWAY * CAMERA.fy))  # noqa: E731
    left, right, top, bottom = column(y + width / 2), column(y - width / 2), row(high), row(low)
    return Detection(cls, score, np.ones((bottom - top, right - left), bool), (left, top), names=((cls, score),) if names else ())


def frame(stamp, *found):
    return FrameInput(stamp, np.zeros((240, 320, 3), np.uint8), np.full((240, 320), AWAY, np.float32), CAMERA, POSE, None, found)


def watched(ys, *others, names=True):
    """The people in the last of frames that show a wheelchair at ``ys``, 0.4 s apart, and whatever else is in it."""
    memory = ()
    for k, y in enumerate(ys):
        found = (box("wheelchair", y, 0.0, 0.95, 0.6, names=names), *(o(y) for o in others))
        memory, now = seated(memory, found, frame(0.4 * k, *found))
    return now


def people(found):
    return [d for d in found if d.cls == "person"]


def test_a_wheelchair_that_goes_by_itself_has_somebody_in_it_and_still_has_when_it_stands():
    (somebody,) = people(watched([1.2, 1.0, 0.8, 0.6, 0.4, 0.4, 0.4]))
    assert somebody.box[1] < somebody.box[3] <= box("wheelchair", 0.4, 0.35, 0.95, 0.6).box[3] + 1 and dict(somebody.names)["person"] > 0.5


@pytest.mark.parametrize("ys", [[0.4] * 9, [0.4, 0.43, 0.4, 0.37, 0.4], [0.2, 0.5, 0.2, 0.5, 0.2, 0.5], [1.4, -0.9, 1.4, -0.9, 1.4]])
def test_one_that_stands_or_only_flickers_has_not(ys):
    assert not people(watched(ys))


def test_one_that_somebody_pushes_may_be_empty():
    def pusher(y):
        return box("person", y + 0.75, 0.0, 1.7, 0.5)

    assert len(people(watched([1.2, 1.0, 0.8, 0.6, 0.4], pusher))) == 1


def test_who_is_made_out_there_is_the_only_one_there_and_stays_when_they_are_not():
    def sitter(y):
        return box("person", y, 0.3, 1.2, 0.5)

    ys, memory = [1.2, 1.0, 0.8, 0.6, 0.4], ()
    assert len(people(watched(ys, sitter))) == 1
    for k, y in enumerate(ys):
        found = (box("wheelchair", y, 0.0, 0.95, 0.6), sitter(y))
        memory, _ = seated(memory, found, frame(0.4 * k, *found))
    _, later = seated(memory, found[:1], frame(2.4, found[0]))
    assert len(people(later)) == 1


def test_what_the_edge_of_the_picture_shows_less_and_less_of_did_not_go():
    """A bed that is taken for a wheelchair while the camera turns."""
    memory = ()
    for k, width in enumerate((150, 130, 110, 90, 70, 50)):
        found = (Detection("wheelchair", 0.9, np.ones((80, width), bool), (320 - width, 120), names=(("wheelchair", 0.9),)),)
        memory, now = seated(memory, found, frame(0.4 * k, *found))
    assert not people(now)


def test_the_head_of_somebody_who_sits_there_is_no_toy_and_what_lies_in_their_lap_is_what_it_is():
    def head(y):
        return box("toy", y, 0.75, 0.93, 0.15)

    def lap(y):
        return box("book", y, 0.4, 0.5, 0.2)

    found = watched([1.2, 1.0, 0.8, 0.6, 0.4], head, lap)
    assert {d.cls for d in found} == {"wheelchair", "book", "person"}


def test_where_names_are_sure_nothing_is_added():
    assert not people(watched([1.2, 1.0, 0.8, 0.6, 0.4], names=False))


def test_who_was_seen_to_sit_in_a_standing_one_still_does_when_they_are_not_found():
    def sitter(y):
        return box("person", y, 0.3, 1.2, 0.5)

    def stander(y):
        return box("person", y, 0.0, 1.7, 0.5)

    for somebody, sits in ((sitter, 1), (stander, 0)):
        memory = ()
        for k in range(3):
            found = (box("wheelchair", 0.4, 0.0, 0.95, 0.6), somebody(0.4))
            memory, _ = seated(memory, found, frame(0.4 * k, *found))
        _, later = seated(memory, found[:1], frame(1.2, found[0]))
        assert len(people(later)) == sits


def test_who_only_stands_by_does_not_push_it():
    def bystander(y):
        return box("person", -0.3, 0.0, 1.7, 0.3)

    assert len(people(watched([1.2, 1.0, 0.8, 0.6, 0.4], bystander))) == 2


def test_one_wheelchair_found_twice_holds_one_person():
    def again(y):
        return box("wheelchair", y, 0.1, 0.95, 0.5, score=0.5)

    assert len(people(watched([1.2, 1.0, 0.8, 0.6, 0.4], again))) == 1
