"""Open and closed: the front plane, and doors that stand where there was air."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.scene_graph import Openness
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.cells import Cells
from perception.fronts import TOP, Fronts
from perception.handling import Stance
from perception.openness import known, look as look_at, panel_gone, _doubted, _standing_out
from perception.places import PlaceTrack, _unlearned
from perception.recent import KEPT, remember, was_air
from perception.home_map import MapPiece
from perception.lifting import lift
from tests.perception.raycast import TWO_ROOMS, Scene, Solid, fridge, look, play

CONFIG = PerceptionConfig()
POSE = look(4.3, 2.5, np.pi)
ASIDE = look(0.65, 4.6, -np.pi / 2)  # in the plane of the fridge's front: neither front nor inside is seen from here


@pytest.mark.parametrize("opened", [False, True])
def test_the_front_plane_tells_open_from_closed(opened):
    frame = Scene(fridge(0.35, 2.5, opened), pose=POSE).frame(1.0)
    body = Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7))
    at, behind, asked = Fronts(frame, CONFIG).plane(body, 0)
    assert asked == 81 and ((behind > 0.8 * (at + behind)) if opened else (at > 0.9 * (at + behind)))
    assert Fronts(frame, CONFIG).plane(body, 1) == (0, 0, 0)  # its back faces away


@pytest.mark.parametrize("length, sign", [(0.62, Openness.OPEN), (1.2, None)])
def test_what_was_taken_together_with_its_neighbour_has_no_front_to_be_open(length, sign):
    """Its inside seems to show beyond a front plane that lies somewhere else."""
    frame = Scene(fridge(0.35, 2.5, True), pose=POSE).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == "fridge")
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, length, 1.7)), 1.0, hits=20, openness=Openness.CLOSED, front=0, sides=(0, 2), steady=9)
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign


@pytest.mark.parametrize("length, before, sign", [(0.62, Openness.UNKNOWN, Openness.OPEN), (1.0, Openness.UNKNOWN, None), (1.0, Openness.CLOSED, Openness.OPEN)])
def test_what_never_showed_itself_shut_is_open_by_its_inside_only_if_it_is_as_large_as_its_class(length, before, sign):
    """Of a body that took in what stands beside it the front is somewhere else; a screen hides a part of it."""
    frame = Scene([*fridge(0.35, 2.5, True), Solid("", "", Box((1.4, 2.34, 0.9), (0.05, 0.3, 1.8)))], pose=POSE).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == "fridge")
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, length, 1.7)), 1.0, hits=20, openness=before, front=0, sides=(0,), steady=9)
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign


@pytest.mark.parametrize("length, readings, sign", [(0.62, (40, 22, 81), Openness.OPEN), (1.0, (40, 22, 81), None), (1.0, (26, 36, 81), Openness.OPEN)])
def test_of_a_body_that_took_in_its_neighbour_half_the_front_must_show_the_inside(length, readings, sign):
    """What shows behind a third of it may be what stands beside it."""
    frame = Scene(fridge(0.35, 2.5, False), pose=POSE).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == "fridge")
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, length, 1.7)), 1.0, hits=20, openness=Openness.CLOSED, front=0, sides=(0,), steady=9)
    assert look_at(track, one, SimpleNamespace(plane=lambda *a: readings, hollow=lambda *a: True), frame, CONFIG)[0] is sign


DOOR = np.array([[x, 2.2, z] for x in np.linspace(0.7, 1.2, 6) for z in np.linspace(0.2, 1.6, 6)])  # of the fridge at (0.35, 2.5), open


@pytest.mark.parametrize("panel, opened, sign", [(DOOR, False, Openness.CLOSED), (None, False, None), (DOOR, True, Openness.OPEN)])
def test_what_stood_open_is_shut_as_soon_as_a_part_of_its_front_shows_and_nothing_behind(panel, opened, sign):
    """Somebody stands before most of it, and before the place where the door stood."""
    screen = Solid("", "", Box((1.4, 2.34, 0.9), (0.05, 0.52, 1.8)))
    frame = Scene([*fridge(0.35, 2.5, opened), screen], pose=POSE).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == "fridge")
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 1.0, hits=20, openness=Openness.OPEN, front=0, sides=(0,), steady=9, panel=panel)
    at, behind, asked = Fronts(frame, CONFIG).plane(track.body, 0)
    assert opened or 10 <= at < 0.3 * asked and behind == 0
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign


@pytest.mark.parametrize("cls, hidden, sign", [("drawer", 0.2, None), ("cabinet", 0.2, Openness.CLOSED), ("drawer", 0.0, Openness.CLOSED)])
def test_of_several_drawers_those_that_show_say_nothing_of_the_one_that_is_hidden(cls, hidden, sign):
    """Somebody stands before a part of the front, and before the air in which a drawer would stand."""
    chest = Solid("chest", cls, Box((0.25, 2.5, 0.4), (0.5, 0.9, 0.8)))
    screen = [Solid("", "", Box((0.75, 2.15 + hidden, 0.5), (0.05, 2 * hidden, 1.0)))] if hidden else []
    frame = Scene([chest, *screen], pose=POSE).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == cls)
    track = PlaceTrack("chest_1", cls, Cells(), chest.box, 1.0, hits=20, openness=Openness.CLOSED, front=0, sides=(0,), steady=9)
    at, _, asked = Fronts(frame, CONFIG).plane(track.body, 0)
    assert at >= 0.3 * asked
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign


def basket(opened: bool) -> list[Solid]:
    """Wicker, 0.2 m wide, seen across its narrow side; the lid stands at the back when it is open."""
    walls = [Solid("basket", "basket", Box((0.3 + x, 2.5, 0.13), (0.01, 0.35, 0.26))) for x in (-0.1, 0.1)]
    walls += [Solid("basket", "basket", Box((0.3, 2.5 + y, 0.13), (0.2, 0.01, 0.26))) for y in (-0.17, 0.17)]
    lid = Box((0.2, 2.5, 0.36), (0.02, 0.35, 0.2)) if opened else Box((0.3, 2.5, 0.25), (0.2, 0.35, 0.02))
    return [*walls, Solid("basket", "basket", lid)]


@pytest.mark.parametrize("opened", [False, True])
def test_a_top_seen_from_so_low_that_one_would_not_look_in_says_nothing(opened):
    body = Box((0.3, 2.5, 0.13), (0.2, 0.35, 0.26))
    far, near = (Fronts(Scene(basket(opened), pose=pose).frame(1.0), CONFIG).plane(body, TOP) for pose in (POSE, look(0.9, 2.5, np.pi, -0.9)))
    assert far[:2] == (0, 0) and (near[1] > near[0] if opened else near[0] > 20 and near[1] == 0)


def test_air_is_what_was_looked_past_and_nothing_else():
    views = remember((), Scene(fridge(0.35, 2.5, False), pose=POSE).frame(1.0))
    before, on, inside, beside, behind_us = [1.2, 2.5, 1.0], [0.66, 2.5, 1.0], [0.35, 2.5, 1.0], [0.5, 3.3, 1.0], [4.9, 2.5, 1.0]
    assert was_air(views, np.array([before, on, inside, beside, behind_us]), CONFIG).tolist() == [True, False, False, True, False]
    assert was_air((), np.array([before]), CONFIG).tolist() == [False]


def test_views_are_kept_a_second_apart_and_bounded():
    frame = Scene([], pose=POSE).frame(0.0)
    views = ()
    for i in range(60):
        views = remember(views, replace(frame, stamp=0.5 * i))
    assert [v.stamp for v in views] == [29.0 - k for k in range(KEPT - 1, -1, -1)]


def _openness(scenes, pose):
    _, graphs, _ = play([Scene(solids, pose=pose).frame(0.3 * i) for i, solids in enumerate(scenes, start=1)])
    return [next((e.openness for e in g.places() if e.cls == "fridge"), None) for g in graphs]


def test_a_door_seen_edge_on_opens_and_shuts_by_where_it_stands():
    shut, wide = fridge(0.35, 2.5, False), fridge(0.35, 2.5, True)
    seen = _openness([shut] * 8 + [wide] * 5 + [shut] * 5, ASIDE)
    assert seen[12] is Openness.OPEN and seen[17] is Openness.CLOSED
    assert Openness.OPEN not in seen[:8] and seen[9:13] == [Openness.OPEN] * 4


def test_what_the_detector_does_not_find_opens_and_shuts_by_depth_alone():
    shut, wide = fridge(0.35, 2.5, False), fridge(0.35, 2.5, True)
    frames = [Scene(solids, pose=POSE).frame(0.3 * i) for i, solids in enumerate([shut] * 8 + [wide] * 5 + [shut] * 5 + [wide] * 6 + [shut] * 6, start=1)]
    frames[18:] = [replace(f, detections=()) for f in frames[18:]]
    _, graphs, _ = play(frames)
    seen = [next((e.openness for e in g.places() if e.cls == "fridge"), None) for g in graphs]
    assert seen[17] is Openness.CLOSED and seen[23] is Openness.OPEN and seen[29] is Openness.CLOSED


def test_more_of_a_cupboard_coming_into_view_is_no_door():
    """A screen hides all but a part of it; when the screen goes, what appears was never seen to be air."""
    screen = Solid("", "", Box((1.6, 2.95, 0.9), (0.05, 1.4, 1.8)))
    seen = _openness([[*fridge(0.35, 2.5, False), screen]] * 8 + [fridge(0.35, 2.5, False)] * 6, POSE)
    assert Openness.OPEN not in seen


@pytest.mark.parametrize("width, forgets", [(1.25, True), (0.75, False)])
def test_what_was_read_off_a_body_that_turns_out_to_be_another_is_unlearned(width, forgets):
    thought = Box((0.6, 2.5, 0.85), (width, 0.65, 1.7))
    now = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.65, 0.65, 1.7)), 3.0, hits=9, steady=5, openness=Openness.OPEN, front=0,
                     front_learned=True, sides=(0,))
    now = _unlearned(now, thought)
    assert (now.front_learned, now.front, now.sides) == ((False, None, None) if forgets else (True, 0, (0,)))
    assert now.openness is (Openness.UNKNOWN if forgets else Openness.OPEN)


def test_points_of_a_door_tell_only_as_far_as_they_stand_out_farther_than_a_reading_errs():
    body = Box((0.0, 0.0, 0.9), (0.6, 0.6, 1.8))
    panel = np.array([[0.3 + d, 0.3, z] for d in (0.09, 0.2, 0.29, 0.4) for z in (0.6, 0.9, 1.2)])
    near = _standing_out(panel, body, 0.0)
    assert len(near) == 9 and near[:, 0].min() == pytest.approx(0.5)  # of 0.1, 0.2, 0.3 and 0.4 m the three farther than 0.1
    assert len(_standing_out(panel, body, 0.1)) == 3 and _standing_out(panel, body, 0.2) is None


@pytest.mark.parametrize("behind, stands", [(0.0, Openness.OPEN), (0.1, None), (0.2, None), (0.6, Openness.CLOSED)])
def test_a_door_of_which_all_readings_lie_behind_does_not_stand_though_each_may_err_so_much(behind, stands):
    """A wall where the door was, or so far behind it; the noise of one reading is 0.07 m."""
    x = 0.8
    frame = Scene([Solid("", "", Box((x - behind - 0.05, 2.5, 1.2), (0.1, 4.0, 2.4)))], pose=POSE).frame(1.0)
    panel = np.array([[x, y, z] for y in (2.2, 2.5, 2.8) for z in (0.8, 1.0, 1.2, 1.4)])
    assert panel_gone(panel, frame, 0.07) is stands


@pytest.mark.parametrize("opened, tells", [(False, Openness.CLOSED), (True, Openness.OPEN)])
def test_what_shows_where_the_door_stood_is_a_wall_behind_it_once_the_front_shows_whole(opened, tells):
    """The door had stood right before a wall: its points read the same whether it stands there or not."""
    beside = Solid("", "", Box((0.9, 2.9 + 0.05, 1.2), (1.0, 0.1, 2.4)))
    frame = Scene([*fridge(0.35, 2.5, opened), beside], pose=look(4.3, 1.9, np.pi)).frame(1.0)
    panel = np.array([[x, 2.89, z] for x in (0.8, 0.95, 1.1) for z in (0.6, 0.9, 1.2, 1.5)])
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 0.9, hits=9, steady=9, openness=Openness.OPEN, front=0,
                       front_learned=True, sides=(0,), panel=panel)
    assert panel_gone(panel, frame, 0.0) is Openness.OPEN
    one = type("Seen", (), {"points": np.array([[0.66, 2.5, 1.0]] * 20), "pixels": 400})()
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is tells


def _stances(*moments):
    return tuple(Stance(t, (x, 0.0), None, ()) for t, x in moments)


@pytest.mark.parametrize("moments, doubted", [
    ([(5.2, 1.0), (6.0, 1.0), (7.0, 4.0)], True),  # stood at it, and went
    ([(5.2, 1.0), (6.0, 1.0), (7.0, 1.2)], False),  # is still at it
    ([(4.9, 1.0), (7.0, 4.0)], True),  # was at it, out of view, and is elsewhere
    ([(4.9, 1.0), (5.2, 3.0), (7.0, 4.0)], False),  # had left before
    ([(5.2, 4.0), (7.0, 4.0)], False)])  # was never near
def test_what_somebody_may_have_shut_since_it_was_last_seen_open_is_not_known_to_be_open(moments, doubted):
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.0, 0.0, 0.85), (0.6, 0.6, 1.7)), 5.0, hits=9, openness=Openness.OPEN, confirmed=5.0)
    now = _doubted(track, {"alice": _stances(*moments)}, 7.0, CONFIG)
    assert known(now) is (Openness.UNKNOWN if doubted else Openness.OPEN) and now.openness is Openness.OPEN
    assert known(replace(now, confirmed=8.0)) is Openness.OPEN  # seen open again
    shut = replace(track, openness=Openness.CLOSED)
    assert known(_doubted(shut, {"alice": _stances(*moments)}, 7.0, CONFIG)) is Openness.CLOSED
    begun = replace(track, pending=Openness.CLOSED, pending_frames=1, pending_since=5.3, pending_seen=5.6)  # one look showed it shut, before they went: it is
    now = _doubted(begun, {"alice": _stances(*moments)}, 7.0, CONFIG)
    assert (now.openness, now.closed_at, now.confirmed) == ((Openness.CLOSED, 5.3, 5.6) if doubted else (Openness.OPEN, None, 5.0))
    assert _doubted(replace(begun, confirmed=5.7), {"alice": _stances(*moments)}, 7.0, CONFIG).openness is Openness.OPEN  # it showed open after that


@pytest.mark.parametrize("opened, told", [(True, Openness.OPEN), (False, Openness.CLOSED)])
def test_a_lid_that_stands_up_and_hides_the_inside_is_no_shut_basket(opened, told):
    body = Box((2.0, 2.5, 0.13), (0.3, 0.4, 0.26))
    solids = [Solid("basket", "basket", Box((2.0 + x, 2.5, 0.13), (0.01, 0.4, 0.26))) for x in (-0.145, 0.145)]
    solids += [Solid("basket", "basket", Box((2.0, 2.5 + y, 0.13), (0.3, 0.01, 0.26))) for y in (-0.195, 0.195)]
    lid = Box((2.14, 2.5, 0.4), (0.02, 0.4, 0.29)) if opened else Box((2.0, 2.5, 0.25), (0.3, 0.4, 0.02))  # on the camera's side
    home = replace(TWO_ROOMS, furniture=(MapPiece("basket_1", "basket", body.centre, body.size),))
    scene = Scene([*solids, Solid("basket", "basket", lid)], pose=look(3.4, 2.5, np.pi, -0.4))
    _, graphs, _ = play([scene.frame(0.4 * i) for i in range(1, 10)], home)
    assert graphs[-1].entities["basket_1"].openness is told
    assert all(g.entities["basket_1"].openness in (told, Openness.UNKNOWN) for g in graphs)


@pytest.mark.parametrize("beside, opened", [(Box((2.2, 2.5, 0.4), (0.02, 0.4, 0.29)), True),  # the lid
                                            (Box((2.2, 2.5, 0.35), (0.04, 0.1, 0.6)), False),  # a leg that was taken for a part of it
                                            (Box((2.2, 2.5, 0.3), (0.02, 0.4, 0.1)), False), (None, False)])
def test_a_lid_that_stands_up_is_made_out_from_the_side(beside, opened):
    body = Box((2.0, 2.5, 0.13), (0.3, 0.4, 0.26))
    solids = [Solid("basket", "basket", body)] + [Solid("basket", "basket", beside)] * (beside is not None)
    home = replace(TWO_ROOMS, furniture=(MapPiece("basket_1", "basket", body.centre, body.size),))
    scene = Scene(solids, pose=look(2.75, 0.4, np.pi / 2 + 0.33, -0.3))
    _, graphs, _ = play([scene.frame(0.4 * i) for i in range(1, 10)], home)
    assert (graphs[-1].entities["basket_1"].openness is Openness.OPEN) is opened
    assert opened or all(g.entities["basket_1"].openness is not Openness.OPEN for g in graphs)


@pytest.mark.parametrize("opened, sign", [(True, Openness.OPEN), (False, Openness.CLOSED)])
def test_a_door_that_swings_on_is_not_shut_while_half_of_what_its_front_shows_is_the_inside(opened, sign):
    """It is seen in the air while it moves, and then no longer there; the rest of the front is in its plane: a crate stands there."""
    crate = Solid("fridge", "fridge", Box((0.65, 2.35, 0.85), (0.02, 0.3, 1.7)))
    frame = Scene([*(fridge(0.35, 2.5, True)[:-1] if opened else fridge(0.35, 2.5, False)), crate], pose=POSE).frame(1.0)  # the door itself is not made out
    one = next(x for x in lift(frame, CONFIG) if x.cls == "fridge")
    moving = np.array([[x, y, z] for x, y in ((0.8, 2.55), (0.95, 2.7)) for z in np.linspace(0.3, 1.6, 8)])
    track = PlaceTrack("fridge_1", "fridge", Cells(), Box((0.35, 2.5, 0.85), (0.62, 0.62, 1.7)), 1.0, hits=20, openness=Openness.OPEN, front=0, sides=(0,), steady=9, panel=moving)
    at, behind, _ = Fronts(frame, CONFIG).plane(track.body, 0)
    assert panel_gone(moving, frame, 0.0) is Openness.CLOSED and (0.4 <= behind / (at + behind) < 0.6 if opened else behind == 0)
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign


@pytest.mark.parametrize("lid_hidden, sign", [(True, None), (False, Openness.CLOSED)])
def test_a_lid_that_stood_up_is_not_shut_while_somebody_stands_before_it(lid_hidden, sign):
    """The air over the basket itself is seen through; where the lid was, it is not, or nothing is there."""
    body = Box((2.0, 4.2, 0.13), (0.3, 0.4, 0.26))
    lid = np.array([[2.22, y, z] for y in np.linspace(4.02, 4.38, 6) for z in np.linspace(0.36, 0.54, 6)])
    screen = [Solid("", "", Box((2.37, 3.7, 0.5), (0.14, 0.05, 1.0)))] if lid_hidden else []
    walls = [Solid("basket", "basket", Box((2.0 + x, 4.2, 0.13), (0.01, 0.4, 0.26))) for x in (-0.145, 0.145)]
    walls += [Solid("basket", "basket", Box((2.0, 4.2 + y, 0.13), (0.3, 0.01, 0.26))) for y in (-0.195, 0.195)]
    frame = Scene([*walls, *screen], pose=look(3.3, 0.6, np.pi / 2 + 0.3, -0.2)).frame(1.0)
    one = next(x for x in lift(frame, CONFIG) if x.cls == "basket")
    track = PlaceTrack("basket_1", "basket", Cells(), body, 1.0, hits=20, openness=Openness.OPEN, front=TOP, sides=(TOP,), steady=9, panel=lid)
    assert one.pixels >= 60 and panel_gone(lid, frame, 0.0) is (None if lid_hidden else Openness.CLOSED)
    assert look_at(track, one, Fronts(frame, CONFIG), frame, CONFIG)[0] is sign
