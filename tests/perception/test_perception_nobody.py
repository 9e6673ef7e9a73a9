"""Who is nobody: a heap of pillows that is taken for somebody now and then; never who has gone, is hidden, was found or is known by name."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.camera import CameraModel
from household.scene_graph import Posture
from perception import nobody
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.people import PersonTrack

CONFIG = PerceptionConfig()
CAMERA = CameraModel.from_fov(160, 120, 69.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # 1 m up, looks along +x
HEAP = np.array([[2.0, y, z] for y in np.linspace(-0.2, 0.2, 8) for z in np.linspace(0.7, 1.0, 8)])  # what was seen of them, 2 m away
SOMEBODY = PersonTrack("person_5", False, (2.1, 0.0), 1.6, 1.0, None, None, 0.0, Posture.UNKNOWN, (), HEAP, ((0.0, 2.1, 0.0),), np.zeros(4), 0.0,
                       hits=2, visible=False)


def frame(away, *detections):
    depth = np.full((CAMERA.height, CAMERA.width), away, dtype=np.float32)
    return SimpleNamespace(depth=depth, camera=CAMERA, camera_pose=POSE, detections=detections)


def taken_for(cls):
    return Detection(cls, 0.9, np.ones((CAMERA.height, CAMERA.width), bool), (0, 0))


@pytest.mark.parametrize("picture, against", [
    (frame(2.0), 1), (frame(2.0, taken_for("bed")), 1),
    (frame(2.0, taken_for("person")), 0),  # the detector sees somebody there, whoever it is taken to be
    (frame(3.0), 0),  # they have gone
    (frame(1.2), 0),  # something stands before them
    (frame(np.nan), 0)])
def test_only_what_shows_unchanged_and_is_taken_for_nobody_speaks_against_somebody(picture, against):
    assert nobody.denied([SOMEBODY], picture, CONFIG)[0].denied == against


def test_who_was_found_or_is_known_by_name_is_not_denied():
    found, named = replace(SOMEBODY, visible=True), replace(SOMEBODY, named=True)
    assert nobody.denied([found, named], frame(2.0), CONFIG) == (found, named)
    assert not nobody.is_nobody(replace(named, denied=99))


def test_who_is_out_of_the_picture_is_not_denied():
    beside = replace(SOMEBODY, points=HEAP + (0.0, 5.0, 0.0))
    assert nobody.denied([beside], frame(2.0), CONFIG) == (beside,)


def test_who_is_found_more_often_than_denied_is_somebody():
    assert not nobody.is_nobody(replace(SOMEBODY, hits=30, denied=9))
    assert nobody.is_nobody(replace(SOMEBODY, hits=5, denied=5)) and not nobody.is_nobody(replace(SOMEBODY, hits=1, denied=2))


def test_what_was_taken_for_somebody_is_not_the_next_newcomer_as_long_as_it_shows():
    tracks, places = nobody.parted([replace(SOMEBODY, denied=3)], ())
    again = SimpleNamespace(cls="person", points=HEAP, detection=SimpleNamespace(identity=None))
    bed = SimpleNamespace(cls="bed", points=HEAP, detection=SimpleNamespace(identity=None))
    known = SimpleNamespace(cls="person", points=HEAP, detection=SimpleNamespace(identity="mia"))
    elsewhere = SimpleNamespace(cls="person", points=HEAP + (0.0, 1.0, 0.0), detection=SimpleNamespace(identity=None))
    assert tracks == () and len(places) == 1
    assert nobody.without([again, bed, known, elsewhere], places, frame(2.0), CONFIG) == (bed, known, elsewhere)
    assert nobody.without([again], places, frame(1.6), CONFIG) == (again,)  # somebody stands before the heap


def test_only_so_many_places_are_remembered():
    _, places = nobody.parted([replace(SOMEBODY, denied=3)] * 3, (HEAP,) * nobody.KEPT)
    assert len(places) == nobody.KEPT
