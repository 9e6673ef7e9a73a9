"""Doors that are detected as cupboards of their own, fronts that lie farther back than was thought, and doors that nobody was near."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Openness
from perception import openness, whose_door
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.fronts import Fronts
from perception.geometry import Box
from perception.handling import Stance
from perception.home_map import HomeMap, MapDoorway, MapRoom
from perception.leaves import door_of
from perception.places import PlaceTrack
from tests.perception.raycast import Scene, Solid, fridge, look, play

CONFIG = PerceptionConfig()
POSE = look(4.3, 2.5, np.pi)


def _door_apart(opened: bool) -> list[Solid]:
    """The fridge, its door an instance of its own while it stands open."""
    parts = fridge(0.35, 2.5, opened)
    return [*parts[:-1], replace(parts[-1], name="door")] if opened else parts


def test_a_door_detected_as_a_cupboard_of_its_own_is_the_door_of_the_one_it_stands_before():
    scenes = [False] * 8 + [True] * 5 + [False] * 5
    _, graphs, _ = play([Scene(_door_apart(o), pose=POSE).frame(0.3 * i) for i, o in enumerate(scenes, start=1)])
    assert {e.id for g in graphs for e in g.places() if e.cls == "fridge"} == {"fridge_1"}
    states = [g.entities["fridge_1"].openness for g in graphs[2:]]
    assert states[9] is Openness.OPEN and states[-1] is Openness.CLOSED


def test_what_lies_behind_a_front_is_hollow_or_only_farther_back():
    body = Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7))
    assert Fronts(Scene(fridge(0.35, 2.5, True), pose=POSE).frame(1.0), CONFIG).hollow(body, 0)
    block = Solid("fridge", "fridge", Box((0.2, 2.5, 0.85), (0.32, 0.62, 1.7)))  # 0.3 m shallower than it is thought to be
    frame = Scene([block], pose=POSE).frame(1.0)
    at, behind, _ = Fronts(frame, CONFIG).plane(body, 0)
    assert behind > at and not Fronts(frame, CONFIG).hollow(body, 0)


def test_a_cupboard_that_nobody_was_near_takes_longer_to_be_open():
    shut = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 9.0, 20, openness=Openness.CLOSED, confirmed=9.7)
    frame = Scene(fridge(0.35, 2.5, True), pose=POSE).frame(10.0)

    def needed(traces, track=shut):
        return openness._needed(track, Openness.OPEN, frame, traces, CONFIG)

    far, near = {"tom": (Stance(9.9, (4.0, 4.0), 0.0, ()),)}, {"tom": (Stance(9.9, (1.2, 2.5), 0.0, ()),)}
    assert needed(near) == needed({}) == CONFIG.openness_frames < needed(far)
    assert needed(far, replace(shut, confirmed=5.0)) == CONFIG.openness_frames  # nobody looked at it lately


@pytest.mark.parametrize("beside, first, opens", [(0.0, True, False), (0.0, False, False), (0.4, True, True)])
def test_a_mask_that_runs_on_into_the_door_of_the_next_container_opens_nothing(beside, first, opens):
    """The lower end of a fridge's open door stands before the stove: what is seen of the door goes to the stove's mask."""
    z = np.linspace(0.1, 1.7, 30)
    door = np.stack([np.full(30, 1.1), np.full(30, 3.5), z], axis=1)
    tall = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.4, 3.9, 0.9), (0.7, 0.7, 1.8)), 5.0, 20, openness=Openness.OPEN if first else Openness.CLOSED,
                      swung=door, panel=door if first else None)
    stove = PlaceTrack("stove_1", "stove", Cells(), Box((0.5, 3.2, 0.48), (0.5, 0.7, 0.9)), 5.0, 20, openness=Openness.CLOSED,
                       swung=door[:6] - (0.0, beside, 0.0))
    assert whose_door.of_another(stove, [tall, stove]) is not opens
    assert not whose_door.of_another(tall, [tall, stove])


@pytest.mark.parametrize("beside, opens", [(0.0, False), (0.4, True)])
def test_the_open_door_of_the_next_container_opens_nothing_whether_that_is_made_out_or_not(beside, opens, monkeypatch):
    """It hides the front of the stove, and whoever stands there, so that all there is of the stove is that something stands before it."""
    door = np.stack([np.full(30, 1.1), np.full(30, 3.5), np.linspace(0.1, 1.7, 30)], axis=1)
    tall = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.4, 3.9, 0.9), (0.7, 0.7, 1.8)), 5.0, 20, openness=Openness.OPEN, swung=door, panel=door)
    stove = PlaceTrack("stove_1", "stove", Cells(), Box((0.5, 3.2, 0.48), (0.5, 0.7, 0.9)), 5.0, 20, openness=Openness.CLOSED)
    monkeypatch.setattr(openness, "_telling_unseen", lambda track: (1,))
    monkeypatch.setattr(openness, "_before_it", lambda *a: door[:6] - (0.0, beside, 0.0))
    monkeypatch.setattr(openness, "_needed", lambda *a: 1)
    fronts = SimpleNamespace(plane=lambda *a: (0, 0, 9), hollow=lambda *a: False)
    seen = openness._unmade_out(stove, [tall, stove], fronts, SimpleNamespace(stamp=6.0), (), None, CONFIG)
    assert (seen.openness is Openness.OPEN) is opens
    assert (openness._apart(stove, [tall, stove], SimpleNamespace(stamp=6.0), (), None, replace(CONFIG, openness_frames=1)) is not None) is opens  # in view itself


def test_signs_far_apart_are_not_one_change():
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 0.0, 20, openness=Openness.CLOSED)
    once = openness.settle(track, Openness.OPEN, 10.0, CONFIG)
    assert openness.settle(once, Openness.OPEN, 10.4, CONFIG).openness is Openness.OPEN
    assert openness.settle(once, Openness.OPEN, 16.0, CONFIG).openness is Openness.CLOSED
    assert openness.settle(track, Openness.OPEN, 10.0, CONFIG, weight=2).openness is Openness.OPEN


@pytest.mark.parametrize("confirmed, began", [(4.0, 9.1), (9.7, 9.7)])
def test_an_opening_began_before_it_first_shows_but_not_before_it_was_last_seen_shut(confirmed, began):
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 0.0, 20, openness=Openness.CLOSED, confirmed=confirmed)
    assert openness.settle(track, Openness.OPEN, 10.0, CONFIG).pending_since == pytest.approx(began)


@pytest.mark.parametrize("cls, box, opens", [
    ("fridge", Box((1.1, 2.5, 0.3), (0.1, 0.15, 0.6)), False),  # a leg half a metre before it, which its mask runs on to
    ("fridge", Box((1.1, 2.8, 0.85), (0.6, 0.03, 1.6)), True),  # a door
    ("stove", Box((0.95, 2.5, 0.3), (0.6, 0.6, 0.15)), True),  # a flap
    ("stove", Box((0.95, 2.0, 0.45), (0.3, 0.1, 0.8)), False)])  # legs of who stands aside of it
def test_a_door_is_high_or_close_to_the_body_or_comes_down(cls, box, opens):
    body = [replace(s, name=cls, cls=cls, box=s.box if cls == "fridge" else Box((0.35, 2.5, 0.45), (0.62, 0.62, 0.9))) for s in fridge(0.35, 2.5, False)]
    frames = [Scene([*body, Solid(cls, cls, box)] if i > 8 else body, pose=POSE).frame(0.3 * i) for i in range(1, 13)]
    _, graphs, _ = play(frames)
    assert graphs[7].entities[f"{cls}_1"].openness is Openness.CLOSED
    assert (graphs[-1].entities[f"{cls}_1"].openness is Openness.OPEN) == opens


@pytest.mark.parametrize("at, changed, its", [
    ((0.95, 2.75), {}, True), ((1.6, 2.5), {}, False), ((0.3, 3.6), {}, False),  # before its front; too far before it; beside it
    ((0.95, 2.75), {"front": None}, False), ((0.95, 2.75), {"front": 2}, False), ((0.95, 2.75), {"steady": 0}, False),
    ((0.95, 2.75), {"cls": "kitchencabinet"}, False), ((0.95, 2.6), {"cls": "kitchencabinet"}, True)])  # of which another may stand round the corner; before its middle
def test_what_turns_up_right_before_a_container_is_its_door_though_nobody_looked_there_before(at, changed, its):
    known = replace(PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 9.0, 20, openness=Openness.CLOSED, front=0, steady=5), **changed)
    leaf = np.stack(np.meshgrid(np.linspace(-0.28, 0.28, 9), [0.0], np.linspace(0.1, 1.6, 9)), axis=-1).reshape(-1, 3) + (*at, 0.0)
    one = SimpleNamespace(cls=known.cls, points=leaf)
    assert door_of(one, [known], (), CONFIG) == ((True, known) if its else (False, None))


@pytest.mark.parametrize("z, its", [(1.0, True), (0.82, False)])
def test_what_shows_beneath_a_container_is_not_its_door(z, its):
    """The edge of the counter that a microwave stands on, say."""
    known = PlaceTrack("microwave_1", "microwave", Cells(), Box((0.35, 2.5, 1.04), (0.32, 0.46, 0.29)), 9.0, 20, openness=Openness.CLOSED, front=0, steady=5)
    leaf = np.stack(np.meshgrid([0.65, 0.75], np.linspace(2.3, 2.7, 9), np.linspace(z - 0.06, z + 0.06, 5)), axis=-1).reshape(-1, 3)
    assert (door_of(SimpleNamespace(cls="microwave", points=leaf), [known], (), CONFIG)[1] is known) is its


ROW = [PlaceTrack(f"kitchencabinet_{i}", "kitchencabinet", Cells(), Box((x, 0.26, 0.35), (0.6, 0.4, 0.7)), 5.0, hits=20, openness=Openness.CLOSED, front=2, steady=9)
       for i, x in ((1, 1.05), (2, 1.7), (3, 2.35))]


@pytest.mark.parametrize("x, stood, opens", [
    (1.05, 5.0, "kitchencabinet_1"),  # before the next one: the door is that one's
    (1.7, 5.0, "kitchencabinet_2"),
    (1.05, 2.0, "kitchencabinet_2"),  # that was long ago
    (9.0, 5.0, "kitchencabinet_2")])
def test_a_door_where_two_cupboards_meet_is_that_ones_before_which_somebody_stands(x, stood, opens):
    door = np.column_stack([np.full(12, 1.38), np.linspace(0.5, 0.8, 12), np.linspace(0.1, 0.6, 12)])
    tracks = [ROW[0], replace(ROW[1], swung=door), ROW[2]]
    traces = {"bob": (Stance(stood, (x, 0.95), -np.pi / 2, ()),)}
    now = whose_door.given_to_neighbours(tracks, traces, 5.2, CONFIG)
    assert [t.id for t in now] == [t.id for t in tracks] and [t.id for t in now if t.swung is not None] == [opens]


@pytest.mark.parametrize("ran_on, lifted, opens", [(0.1, 0.2, "kitchencabinet_1"), (0.3, 0.2, "kitchencabinet_2"), (0.1, 0.5, "kitchencabinet_2")])
def test_a_cupboard_whose_body_took_in_an_edge_of_the_next_one_or_lost_its_foot_does_not_get_that_ones_door(ran_on, lifted, opens):
    """``ran_on``: m by which it reaches into the next one; ``lifted``: m that its middle is too high."""
    door = np.column_stack([np.full(12, 1.38), np.linspace(0.5, 0.8, 12), np.linspace(0.1, 0.6, 12)])
    body = Box((1.7 - ran_on / 2, 0.26, 0.35 + lifted), (0.6 + ran_on, 0.4, 0.7))
    tracks = [ROW[0], replace(ROW[1], body=body, swung=door), ROW[2]]
    now = whose_door.given_to_neighbours(tracks, {"bob": (Stance(5.0, (1.05, 0.95), -np.pi / 2, ()),)}, 5.2, CONFIG)
    assert [t.id for t in now if t.swung is not None] == [opens]


@pytest.mark.parametrize("hung, apart, opens", [
    (1.17, 0.25, "kitchencabinet_1"),  # at the next one's edge
    (1.38, 0.25, "kitchencabinet_2"),  # at its own
    (0.72, 0.7, "kitchencabinet_2")])  # too far apart for a mask to run on
def test_where_two_cupboards_stand_apart_a_door_is_that_ones_at_whose_edge_it_hangs(hung, apart, opens):
    door = np.column_stack([np.full(12, hung), np.linspace(0.5, 0.8, 12), np.linspace(0.1, 0.6, 12)])
    x = 1.1 - apart
    tracks = [replace(ROW[0], body=replace(ROW[0].body, centre=(x, 0.26, 0.35))), replace(ROW[1], swung=door)]
    now = whose_door.given_to_neighbours(tracks, {"bob": (Stance(5.0, (x, 0.95), -np.pi / 2, ()),)}, 5.2, CONFIG)
    assert [t.id for t in now if t.swung is not None] == [opens]


def test_a_door_in_the_middle_of_its_cupboard_or_of_one_that_is_known_to_be_open_is_its_own():
    door = np.column_stack([np.full(12, 1.7), np.linspace(0.5, 0.8, 12), np.linspace(0.1, 0.6, 12)])
    traces = {"bob": (Stance(5.0, (1.05, 0.95), -np.pi / 2, ()),)}
    for track in (replace(ROW[1], swung=door), replace(ROW[1], swung=door - (0.32, 0, 0), openness=Openness.OPEN)):
        assert whose_door.given_to_neighbours([ROW[0], track, ROW[2]], traces, 5.2, CONFIG)[1] is track


@pytest.mark.parametrize("leaf, x, of_room", [(True, 3.45, True), (True, 4.55, True), (False, 3.45, False),  # from either end of the doorway; which has no door
                                              (True, 3.0, False), (True, 4.0, False)])  # the wardrobe's own, beside it; in the middle of the opening
def test_the_open_door_of_a_room_beside_a_wardrobe_is_not_the_wardrobes(leaf, x, of_room):
    home = HomeMap((MapRoom("bedroom", "bedroom", ((0.0, 0.0), (6.0, 0.0), (6.0, 4.0), (0.0, 4.0))), MapRoom("hallway", "hallway", ((0.0, -2.0), (6.0, -2.0), (6.0, 0.0), (0.0, 0.0)))),
                   (MapDoorway("door_1", ("bedroom", "hallway"), (4.0, 0.0), 1.1, np.pi / 2, leaf),))
    door = np.column_stack([np.full(12, x), np.linspace(0.1, 1.0, 12), np.linspace(0.1, 1.9, 12)])
    wardrobe = PlaceTrack("wardrobe_1", "wardrobe", Cells(), Box((2.8, 0.35, 0.95), (1.1, 0.6, 1.9)), 5.0, hits=20, openness=Openness.CLOSED, front=2, steady=9, swung=door)
    assert whose_door.of_a_room(wardrobe, home) == of_room
    assert not whose_door.of_a_room(replace(wardrobe, swung=door + (0.0, 1.2, 0.0)), home)  # farther from the wall than a door reaches
