"""Running water, and the light that goes out beside the picture."""

from dataclasses import replace

import numpy as np
import pytest

from household.camera import CameraModel
from perception import devices, taps
from perception.geometry import Box
from tests.perception.raycast import TWO_ROOMS, Scene, Solid, look, play

CAMERA = CameraModel.from_fov(320, 240, 80)
POSE = look(3.0, 2.5, np.pi)
COUNTER = Solid("bathroomcounter_1", "bathroomcounter", Box((0.3, 2.5, 0.4), (0.5, 1.2, 0.8)), (70, 72, 80))
TAP = [Solid("faucet_1", "faucet", Box((0.25, 2.5, 0.92), (0.025, 0.025, 0.24)), (150, 152, 156)),
       Solid("faucet_1", "faucet", Box((0.32, 2.5, 1.04), (0.15, 0.025, 0.025)), (150, 152, 156)),
       Solid("faucet_1", "faucet", Box((0.25, 2.55, 0.92), (0.02, 0.1, 0.015)), (150, 152, 156))]
JET = Solid("faucet_1", "faucet", Box((0.39, 2.5, 0.91), (0.016, 0.016, 0.21)), (180, 212, 235))
PERSON = Solid("alice", "person", Box((0.9, 2.5, 0.85), (0.3, 0.45, 1.7)), (160, 60, 60))
BLUE_MUG = Solid("mug_1", "mug", Box((0.42, 2.5, 0.86), (0.1, 0.1, 0.12)), (90, 120, 220))
DRY, WET, STOOD_BEFORE = [COUNTER, *TAP], [COUNTER, *TAP, JET], [COUNTER, *TAP, JET, PERSON]


def _states(scenes):
    frames = [Scene(solids, CAMERA, POSE).frame(0.4 * i) for i, solids in enumerate(scenes, start=1)]
    _, graphs, _ = play(frames)
    return [next((e.switched_on for e in g.entities.values() if e.cls == "faucet"), None) for g in graphs]


def test_a_jet_that_comes_and_goes_is_a_tap_turned_on_and_off():
    states = _states([DRY] * 8 + [WET] * 8 + [DRY] * 6)
    assert set(states[:8]) == {None}
    assert states[15] is True and states[-1] is False


def test_a_tap_that_was_never_seen_dry_runs_all_the_same():
    assert _states([WET] * 10)[-1] is True


def test_from_afar_a_stem_that_is_a_little_cool_is_no_water():
    """At 4.7 m the tap itself is about as wide as a jet: what is plainly there must be plainer."""
    camera, cool = CameraModel.from_fov(640, 480, 70), [COUNTER, *(replace(s, color=(187, 192, 199)) for s in TAP)]
    last = {}
    for x in (3.0, 4.7):
        _, graphs, _ = play([Scene(cool, camera, look(x, 2.5, np.pi)).frame(0.4 * i) for i in range(1, 11)])
        last[x] = next((e.switched_on for e in graphs[-1].entities.values() if e.cls == "faucet"), None)
    assert last == {3.0: True, 4.7: None}


def test_what_stays_dry_is_not_known_to_run():
    assert set(_states([DRY] * 12)) == {None}


@pytest.mark.parametrize("tap, runs", [(WET, True), (DRY, None)])
def test_a_pot_that_stands_before_the_tap_itself_leaves_the_jet_beside_it_to_be_seen(tap, runs):
    pot = Solid("coffeepot_1", "coffeepot", Box((0.66, 2.39, 0.9), (0.12, 0.12, 0.26)), (30, 30, 32))
    assert _states([[*tap, pot]] * 10)[-1] is runs


def test_water_behind_a_pot_is_seen_once_the_pot_is_taken_away():
    pot = Solid("coffeepot_1", "coffeepot", Box((0.72, 2.5, 0.9), (0.14, 0.16, 0.26)), (30, 30, 32))
    states = _states([[*WET, pot]] * 8 + [WET] * 8)
    assert set(states[:8]) == {None} and states[-1] is True


@pytest.mark.parametrize("tap, runs", [(WET, True), (DRY, None)])
def test_a_corner_of_a_book_beside_it_keeps_nobody_from_seeing_the_water(tap, runs):
    book = Solid("book_1", "book", Box((0.4, 2.7, 0.83), (0.2, 0.14, 0.03)), (40, 120, 70))
    assert _states([[*tap, book]] * 10)[-1] is runs


@pytest.mark.parametrize("runs", [True, False])
def test_a_window_s_frame_before_the_edge_of_what_is_looked_at_hides_only_that_edge(runs):
    """Nobody names it, and it stays."""
    frame = Solid("bathroomcounter_1", "bathroomcounter", Box((1.0, 2.62, 1.0), (0.04, 0.05, 0.9)), (235, 235, 230))
    states = _states([[*DRY, frame]] * 6 + [[*WET, frame]] * 6 + [[*(WET if runs else DRY), frame]] * 6)
    assert states[11] is True and states[-1] is runs


@pytest.mark.parametrize("before", [PERSON, BLUE_MUG])
def test_who_or_what_is_before_it_is_no_jet(before):
    assert set(_states([DRY] * 6 + [[*DRY, before]] * 6 + [DRY] * 4)) == {None}


@pytest.mark.parametrize("scenes", [(6, 8), (8, 6)])
def test_something_warm_below_it_that_comes_or_goes_unnoticed_is_no_jet(scenes):
    """A red apple that the detector never tells from the worktop."""
    apple = Solid("bathroomcounter_1", "bathroomcounter", Box((0.40, 2.5, 0.86), (0.08, 0.05, 0.12)), (220, 60, 40))
    with_it, without = [COUNTER, *TAP, apple], DRY
    assert set(_states([with_it] * scenes[0] + [without] * scenes[1])) == {None}
    assert set(_states([without] * scenes[0] + [with_it] * scenes[1])) == {None}
    running = _states([with_it] * 6 + [without] * 4 + [WET] * 6)
    assert set(running[:10]) == {None} and running[-1] is True


def test_something_wide_and_blue_that_is_half_in_view_is_no_jet():
    """A blue box that nobody detects, at the edge of what is looked at: beyond the edge is more of it, not grey."""
    box = replace(BLUE_MUG, name=COUNTER.name, cls=COUNTER.cls, box=Box((0.3, 2.34, 0.89), (0.1, 0.2, 0.2)))
    assert set(_states([[*DRY, box]] * 12)) == {None}


@pytest.mark.parametrize("wide", [0.03, 0.06])
def test_something_low_and_blue_that_is_set_down_below_the_spout_is_no_jet(wide):
    """A mug that nobody detects."""
    mug = replace(BLUE_MUG, name=COUNTER.name, cls=COUNTER.cls, box=Box((0.42, 2.5, 0.825), (wide, wide, 0.05)))
    assert set(_states([DRY] * 6 + [[*DRY, mug]] * 8)) == {None}


def test_what_went_was_warm_where_it_stood_whatever_is_cool_elsewhere():
    """Something orange goes from before a brown board that a grey lath runs down beside it."""
    board = Solid("bathroomcounter_1", "bathroomcounter", Box((0.1, 2.5, 1.0), (0.02, 1.2, 0.6)), (120, 92, 74))
    lath = Solid("bathroomcounter_1", "bathroomcounter", Box((0.13, 2.58, 1.0), (0.02, 0.035, 0.6)), (100, 98, 96))
    cup = Solid("bathroomcounter_1", "bathroomcounter", Box((0.40, 2.44, 0.90), (0.05, 0.05, 0.2)), (140, 88, 50))
    behind = [COUNTER, board, lath, *TAP]
    assert set(_states([[*behind, cup]] * 6 + [behind] * 6)) == {None}
    assert _states([behind] * 6 + [[*behind, JET]] * 8)[-1] is True


def test_nothing_is_said_while_somebody_stands_before_it():
    states = _states([DRY] * 6 + [STOOD_BEFORE] * 6 + [WET] * 6)
    assert set(states[:12]) == {None} and states[-1] is True


@pytest.mark.parametrize("tap, x, runs", [(DRY, 2.6, False), (WET, 2.6, True), (DRY, 4.6, True)])
def test_a_jet_that_was_plain_and_is_nowhere_when_the_robot_looks_again_from_nearby_was_turned_off(tap, x, runs):
    """Somebody stood before it meanwhile, and the robot looks from elsewhere, 4.6 m away at most."""
    camera = CameraModel.from_fov(640, 480, 70)
    scenes = [(DRY, 3.0)] * 6 + [(WET, 3.0)] * 6 + [(STOOD_BEFORE, 3.0)] * 2 + [(tap, x)] * 3
    _, before, _ = play([Scene(solids, camera, look(at, 2.5, np.pi)).frame(0.4 * i) for i, (solids, at) in enumerate(scenes, start=1)])
    _, after, _ = play([Scene(solids, camera, look(at, 2.5, np.pi)).frame(0.4 * i) for i, (solids, at) in enumerate(scenes + [(tap, x)] * 3, start=1)])
    on = [next(e.switched_on for e in graphs[-1].entities.values() if e.cls == "faucet") for graphs in (before, after)]
    assert on == [True, runs]


def _light(levels, pose=POSE):
    lit, seen = None, []
    plain = Scene([], CAMERA, POSE).frame(0.0)
    for i, level in enumerate(levels):
        lit = devices.light(lit, replace(plain, stamp=0.4 * i, color=np.full_like(plain.color, level), camera_pose=pose[i] if isinstance(pose, list) else pose))
        seen.append(lit.dark)
    return seen


def test_the_light_is_out_when_the_same_view_is_darker_everywhere_for_two_frames():
    assert _light([180, 180, 100, 100, 100, 100])[2:4] == [1, 2]
    assert max(_light([180, 180, 100, 180, 180])) == 1  # somebody passed
    assert max(_light([180, 180, 170, 160, 150, 140, 130, 120, 110])) < 2  # dusk falls slowly
    turned = [POSE, POSE, *[look(3.0, 2.5, np.pi / 2)] * 4]
    assert max(_light([180, 180, 100, 100, 100, 100], turned)) == 0  # a darker wall
    follows = [POSE, POSE, POSE, *[look(3.0, 2.5, np.pi - np.radians(7))] * 3]  # the camera turns after somebody just when the light has gone out
    away = [POSE, POSE, POSE, *[look(3.0, 2.5, np.pi - np.radians(120))] * 3]
    assert _light([180, 180, 100, 100, 100, 100], follows)[2:5] == [1, 2, 3]
    assert max(_light([180, 180, 100, 100, 100, 100], away)) == 1


@pytest.mark.parametrize("depth", [True, False])
def test_the_light_is_judged_by_what_both_pictures_show_wherever_the_camera_turns(depth):
    """A room of 5 by 5 m whose wall to the right of the robot is dark: the robot turns by 30° each frame."""
    def room(turned, lamp):
        frame = Scene([], CAMERA, look(3.0, 2.5, np.pi - np.radians(turned))).frame(0.0)
        bearing = np.pi - np.radians(turned) - np.arctan((np.indices(frame.depth.shape)[1] - CAMERA.cx) / CAMERA.fx)
        level = np.where(bearing < np.radians(100), 60.0, 180.0) / lamp
        return replace(frame, color=np.repeat(level[..., None], 3, axis=2).astype(np.uint8), depth=frame.depth if depth else None)

    def dark(turns, lamps):
        lit, seen = None, []
        for turned, lamp in zip(turns, lamps):
            lit = devices.light(lit, room(turned, lamp))
            seen.append(lit.dark)
        return seen

    assert max(dark([0, 0, 30, 60, 90, 90, 90], [1] * 7)) == 0  # the dark wall comes into view
    assert dark([0, 0, 30, 30, 30], [1, 1, 2, 2, 2]) == [0, 0, 1, 2, 3]  # the light goes out as it turns


def test_every_lamp_of_the_room_is_off_then_and_was_on_before():
    from perception.cells import Cells
    from perception.places import PlaceTrack

    here = PlaceTrack("lamp_1", "lamp", Cells(), Box((1, 1, 1), (0.3, 0.3, 1.4)), 0.0, hits=9)
    beyond = replace(here, id="lamp_2", body=Box((7, 1, 1), (0.3, 0.3, 1.4)))
    tracks, told = (here, beyond), []
    for dark in (1, 2, 3):
        tracks = devices.darkened(tracks, devices.Light(np.zeros((1, 3)), np.ones(1), POSE, dark), TWO_ROOMS)
        told.append([t.switched_on for t in tracks])
    assert told == [[None, None], [True, None], [False, None]]


@pytest.mark.parametrize("before, now, changes", [(0.09, 0.042, False), (0.042, 0.09, False), (0.09, 0.0, True), (0.0, 0.09, True), (0.09, 0.02, True)])
def test_a_jet_drawn_wider_at_the_edge_of_the_picture_has_neither_come_nor_gone(before, now, changes):
    """Tint by which a stripe of three columns differs from what is beside it, in the pictures before and now."""
    def tint(stripe):
        columns = np.full((24, 32), -0.05, np.float32)
        columns[:, 14:17] += 1.4 * stripe  # smoothing takes a part of it
        return columns

    less, more = sorted((before, now))
    assert taps._stripe(taps._columns(tint(now) - tint(before))) != 0
    assert taps._still_there(tint(less), tint(more)) is not changes


def test_one_picture_in_which_it_seems_to_run_says_nothing():
    assert set(_states([WET] * 3)) == {None} and _states([WET] * 8)[-1] is True


@pytest.mark.parametrize("jet, comes", [(0.0, False), (0.13, True)])
def test_the_edge_of_something_warm_that_shifts_by_a_part_of_a_pixel_is_no_jet(jet, comes):
    """Mean tints of a tap's columns before and after the camera turned; with ``jet``, water came as well."""
    before = np.array([-4] * 9 + [-3] * 2 + [-2] * 5 + [-3] * 3 + [-4] * 5 + [-4, -6, -9, -14, -21, -22, -16, -12], np.float32) / 100
    now = np.array([-4] * 10 + [-3, -2, -1, -1, -1, -2, -3, -3] + [-4] * 8 + [-6, -11, -17, -18, -14, -12], np.float32) / 100
    for columns in (before, now):
        columns[24:] *= 2.0  # they are smoothed once more below
    now[13:16] += jet
    now, before = (np.repeat(x[None], 24, axis=0) for x in (now, before))
    assert taps._stripe(taps._columns(now - before)) > 0
    assert taps._a_stripe(now, before) is bool(comes)
