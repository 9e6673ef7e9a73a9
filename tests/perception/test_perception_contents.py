"""A thing that shows in a container tells that it is open."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Openness
from perception import contents
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.places import PlaceTrack
from tests.perception.raycast import Scene, Solid, apple, fridge, look, play

POSE = look(4.3, 2.5, np.pi)
FRIDGE = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.6, 0.6, 1.7)), 9.0, 20, openness=Openness.CLOSED, front=0, steady=5)


@pytest.mark.parametrize("at, changed, camera, shows", [
    ((0.35, 2.5, 0.9), {}, 4.3, True),
    ((0.62, 2.5, 0.9), {}, 4.3, False), ((0.70, 2.5, 0.9), {}, 4.3, False),  # at its front; before it
    ((0.35, 2.82, 0.9), {}, 4.3, False), ((0.35, 2.5, 1.78), {}, 4.3, False), ((0.35, 2.5, 1.62), {}, 4.3, False),  # beside it; on it; a part of its top
    ((0.52, 2.5, 0.9), {}, 4.3, True), ((0.52, 2.5, 0.9), {}, 12.0, False),  # so far away that it may as well be before it
    ((0.35, 2.5, 0.9), {"openness": Openness.OPEN}, 4.3, False), ((0.35, 2.5, 0.9), {"steady": 0}, 4.3, False),
    ((0.35, 2.5, 0.9), {"body": Box((0.35, 2.5, 0.85), (0.6, 1.2, 1.7))}, 4.3, False),  # with its neighbour
    ((0.35, 2.5, 0.9), {"front": None}, 4.3, False), ((0.35, 2.5, 0.9), {"cls": "kitchentable"}, 4.3, False)])
def test_a_thing_shows_in_what_is_thought_to_be_shut_where_it_lies_well_within_it(at, changed, camera, shows):
    points = np.asarray(at) + 0.03 * np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3), axis=-1).reshape(-1, 3)
    one = SimpleNamespace(cls="apple", points=points, metric=True)
    frame = Scene([], pose=look(camera, 2.5, np.pi)).frame(10.0)
    assert contents.showing([replace(FRIDGE, **changed)], [one], frame, PerceptionConfig()) == (frozenset({"fridge_1"}) if shows else frozenset())


@pytest.mark.parametrize("cls, few, metric", [("person", False, True), ("apple", True, True), ("apple", False, False)])
def test_neither_people_nor_a_few_readings_nor_a_guessed_place_tell_of_it(cls, few, metric):
    points = np.repeat([FRIDGE.body.centre], 4 if few else 20, axis=0)
    assert not contents.showing([FRIDGE], [SimpleNamespace(cls=cls, points=points, metric=metric)], Scene([], pose=POSE).frame(10.0), PerceptionConfig())


@pytest.mark.parametrize("inside", [True, False])
def test_a_fridge_of_which_hardly_more_shows_than_what_is_in_it_is_open(inside):
    """Boards hide all of it but a hole, in which one sees an apple, or its shelf alone."""
    hole = 0.05
    boards = [Solid("", "", Box((1.6, 2.5 + side * (0.5 + hole), 0.9), (0.04, 1.0, 1.8))) for side in (-1, 1)]
    boards += [Solid("", "", Box((1.6, 2.5, z), (0.04, 0.2, size))) for z, size in ((0.45, 0.9), (1.5, 0.9))]
    shut, opened = fridge(0.35, 2.5, False), [*fridge(0.35, 2.5, False)[:-1], *boards, *([apple(0.40, 2.5, 0.86)] if inside else [])]
    frames = [Scene(shut if i < 9 else opened, pose=POSE).frame(0.3 * i) for i in range(1, 13)]
    _, graphs, _ = play(frames)
    assert graphs[7].entities["fridge_1"].openness is Openness.CLOSED
    assert (graphs[-1].entities["fridge_1"].openness is Openness.OPEN) == inside
