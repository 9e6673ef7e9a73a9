"""Parts on their own: configuration, map, detectors, geometry, lifting, voxels, facing, support, relations."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.scene_graph import Openness, RelationKind, Tracking
from perception import facing, orientation, relations
from perception.cells import Cells
from perception.config import PerceptionConfig, VisibilityModel
from perception.detectors import BACKENDS, DetectorError, create
from perception.detectors.base import Detection, Joint, Keypoint
from perception.detectors.simulator import SimulatorDetector, segment
from perception.geometry import Box, fit_box, overlap, wrap, wrap_quarter
from perception.home_map import HomeMap, MapError, load
from perception.lifting import lift
from perception.places import PlaceTrack
from perception.sightings import was_of_furniture
from perception.support import part_of_a_hob, part_of_a_lamp, part_of_a_seat, slid, support_of
from perception.thing_track import ThingTrack
from perception.voxels import VoxelMap
from tests.perception.raycast import CAMERA, TWO_ROOMS, Scene, apple, fridge, look, person, table

CONFIG = PerceptionConfig()
POSE = look(4.3, 2.5, np.pi)


# --- configuration ---

def test_a_wrong_parameter_is_named_with_value_and_range():
    with pytest.raises(ValueError, match=r"gate = 9.0: must be a number in \[0.05, 2.0\]"):
        PerceptionConfig(gate=9.0)
    with pytest.raises(ValueError, match="confirm_frames = 2.5: must be a whole number"):
        PerceptionConfig(confirm_frames=2.5)
    with pytest.raises(ValueError, match="geometric, room"):
        PerceptionConfig(visibility="psychic")
    with pytest.raises(ValueError, match="min_range: 4.0 is not below max_range 3.0"):
        PerceptionConfig(min_range=4.0, max_range=3.0)
    assert PerceptionConfig(visibility="room").visibility is VisibilityModel.ROOM


# --- map ---

def test_rooms_of_points_and_round_trip(tmp_path):
    import yaml

    assert [TWO_ROOMS.room_of(p) for p in ((1, 1), (9, 4), (20, 0))] == ["kitchen", "livingroom", None]
    assert TWO_ROOMS.depth_in("kitchen", (4.8, 2.5)) == pytest.approx(0.2) and TWO_ROOMS.depth_in("kitchen", (5.2, 2.5)) == pytest.approx(-0.2)
    file = tmp_path / "map.yaml"
    file.write_text(yaml.safe_dump(TWO_ROOMS.to_dict()))
    assert load(file) == TWO_ROOMS


@pytest.mark.parametrize("text, words", [
    ("rooms: [{id: a, class: cave, low: [0, 0], high: [1, 1]}]", "class 'cave' is no room"),
    ("rooms: [{id: kitchen, low: [0, 0], high: [1, 1]}]\ndoorways: [{id: d, rooms: [kitchen, moon], centre: [0, 0], width: 1, yaw: 0}]", "'moon' is none of"),
    ("rooms: [{id: kitchen, corners: [[0, 0], [1, 1]]}]", "at least three corners"),
    ("rooms: [{id: kitchen, low: [0, 0], high: [1, 1]}, {id: kitchen, low: [0, 0], high: [1, 1]}]", "occurs twice"),
    ("walls: []", "needs the key 'rooms'"), ("rooms: [", "line 1"),
])
def test_a_broken_map_is_named(tmp_path, text, words):
    file = tmp_path / "map.yaml"
    file.write_text(text)
    with pytest.raises(MapError, match="map.yaml") as error:
        load(file)
    assert words in str(error.value)


# --- detectors ---

def test_unknown_detector_lists_the_names():
    with pytest.raises(DetectorError, match=", ".join(sorted(BACKENDS))):
        create("magic")


def test_simulator_segments_crops_erodes_and_names_people_only():
    ids = np.zeros((40, 60), np.uint16)
    ids[10:20, 30:45], ids[5:35, 2:12], ids[0, 0] = 3, 7, 9
    found = create("simulator").see(ids, {3: ("apple_7", "apple"), 7: ("alice", "person"), 9: ("kitchen", "kitchen")}).detect(
        np.zeros((40, 60, 3), np.uint8), None, _camera(60, 40))
    by = {d.cls: d for d in found}
    assert set(by) == {"apple", "person"} and by["apple"].box == (31, 11, 44, 19) and by["apple"].mask.all()
    assert by["person"].identity == "alice" and by["apple"].identity is None
    tiny = np.zeros((40, 60), np.uint16)
    tiny[10:12, 10:13] = 3  # erosion would leave nothing: kept whole
    assert segment(tiny, {3: ("apple_1", "apple")})[0].mask.sum() == 6


def test_simulator_refuses_an_image_of_another_size():
    with pytest.raises(ValueError, match=r"wanted \(40, 60\)"):
        SimulatorDetector().see(np.zeros((4, 4), np.uint16), {}).detect(np.zeros((40, 60, 3), np.uint8), None, _camera(60, 40))


def test_a_detection_is_checked():
    with pytest.raises(KeyError, match="did you mean"):
        Detection("appel", 1.0, np.ones((2, 2), bool), (0, 0))
    with pytest.raises(ValueError, match="non-empty bool"):
        Detection("apple", 1.0, np.ones((2, 2)), (0, 0))
    with pytest.raises(ValueError, match="outside"):
        Detection("apple", 1.5, np.ones((2, 2), bool), (0, 0))


def _camera(w, h):
    from household.camera import CameraModel

    return CameraModel.from_fov(w, h, 80)


# --- geometry and lifting ---

@given(st.floats(-0.7, 0.7), st.floats(0.3, 2.0), st.floats(0.3, 2.0), st.floats(-5, 5), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_a_box_is_found_from_two_of_its_faces(yaw, width, depth, x, seed):
    rng = np.random.default_rng(seed)
    true = Box((x, 1.0, 0.5), (width, depth, 1.0), yaw)
    face = rng.uniform(-0.5, 0.5, (1200, 3))
    face[:600, 0], face[600:, 1] = 0.5, -0.5
    found = fit_box(true.to_map(face * true.size), (yaw + 0.3,))
    assert overlap(found, true) > (0.75 if depth > 0.5 < width else 0.7) and abs(wrap_quarter(found.yaw - yaw)) < 0.12  # of what is thin a centimetre is more


@given(st.floats(-20, 20))
def test_angles_wrap(a):
    assert -np.pi - 1e-9 < wrap(a) <= np.pi + 1e-9 and abs(np.sin(wrap(a)) - np.sin(a)) < 1e-6
    assert -np.pi / 4 - 1e-9 <= wrap_quarter(a) <= np.pi / 4 + 1e-9


def test_lifting_survives_mixed_pixels_and_marks_cut_masks():
    frame = Scene([*table(2, 2.5), apple(2.2, 2.4)], pose=POSE).frame(1.0)
    d = next(d for d in frame.detections if d.cls == "apple")
    row, column = d.offset[1], d.offset[0]
    frame.depth[row, column:column + d.mask.shape[1]] = 4.1  # the rim reads the wall behind
    one = next(x for x in lift(frame, CONFIG) if x.cls == "apple")
    assert np.linalg.norm(np.subtract(one.box.centre, (2.2, 2.4, 0.79))) < 0.05 and not one.cut
    near = Scene([*table(3.4, 2.5)], pose=POSE).frame(1.0)
    assert next(x for x in lift(near, CONFIG) if x.cls == "kitchentable").cut


@pytest.mark.parametrize("cls", ["lamp", "wheelchair", "fridge", "apple"])
def test_what_shows_in_one_pixel_is_no_smaller_than_that(cls):
    frame = Scene([*table(2, 2.5), apple(2.2, 2.4)], pose=POSE).frame(1.0)
    dot = Detection(cls, 0.6, np.ones((1, 1), bool), (CAMERA.width // 2, CAMERA.height // 2))
    one, = lift(replace(frame, detections=(dot,)), CONFIG)
    assert min(one.box.size) > 0.0 and max(one.box.size) >= 0.5 / CAMERA.fx


def test_a_mask_out_of_the_image_is_refused():
    frame = Scene([apple(2, 2.5)], pose=POSE).frame(1.0)
    bad = replace(frame.detections[0], offset=(CAMERA.width - 1, 0))
    with pytest.raises(ValueError, match="reaches out of the 240x180 image"):
        lift(replace(frame, detections=(bad,)), CONFIG)


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(0, 2)), min_size=1, max_size=60))
@settings(max_examples=30, deadline=None)
def test_cells_stay_sorted_distinct_and_bounded(points):
    cells = Cells().add(np.array(points), limit=20).add(np.array(points), limit=20)
    assert len(cells) <= 20 and (np.diff(cells.keys) > 0).all() and len(cells.points) == len(cells.keys) == len(cells.hits)
    assert len(cells.looked_through(np.ones(len(cells), bool), cost=99)) == 0


# --- voxels ---

def test_voxels_fill_block_carve_and_leave_the_unseen_alone():
    wall = Scene([*fridge(2.0, 2.5, False)], pose=POSE)
    empty = Scene([], pose=POSE)
    _, depth, _, _ = wall.render()
    voxels = VoxelMap.over((0, 0), (5, 5), CONFIG)
    for _ in range(4):
        voxels = voxels.updated(depth, None, CAMERA, POSE, CONFIG)
    eye, behind, beside = np.array([4.3, 2.5, 1.2]), np.array([[1.0, 2.5, 1.0]]), np.array([[2.0, 4.0, 1.0]])
    assert voxels.blocked(eye, behind)[0] and not voxels.blocked(eye, beside)[0]
    assert voxels.at(np.array([[0.5, 2.5, 1.0]]))[0] == 0  # behind the fridge: never seen, so neither solid nor air
    assert voxels.at(np.array([[3.2, 2.5, 1.1]]))[0] < 0
    _, depth, _, _ = empty.render()
    for _ in range(40):
        voxels = voxels.updated(depth, None, CAMERA, POSE, CONFIG)
    assert not voxels.blocked(eye, behind)[0]
    assert VoxelMap.over((0, 0), (500, 500), CONFIG).evidence.shape[0] * CONFIG.voxel <= CONFIG.map_extent + CONFIG.voxel


# --- facing ---

cues = st.lists(st.builds(facing.Cue, st.floats(-10, 10), st.floats(0, 30), st.floats(0.01, 0.9), st.booleans()), max_size=6)


@given(cues, st.floats(0, 10))
@settings(max_examples=60, deadline=None)
def test_a_belief_over_directions_sums_to_one(given_cues, dt):
    belief = facing.predicted(facing.updated(facing.uniform(), given_cues), dt)
    assert belief.sum() == pytest.approx(1.0) and (belief >= 0).all()
    yaw, share = facing.read(belief)
    assert 0 <= share <= 1 + 1e-9 and (yaw is None or -np.pi <= yaw <= np.pi)


def test_shoulders_alone_do_not_tell_front_from_back_but_a_step_does():
    belief = facing.updated(facing.uniform(), [facing.Cue(0.5, 8.0, 0.2, axis=True)] * 3)
    assert facing.read(belief)[0] is None
    belief = facing.updated(belief, facing.walking(np.array([np.cos(0.7), np.sin(0.7)])))
    assert facing.read(belief)[0] == pytest.approx(0.5, abs=0.2)
    later = facing.predicted(belief, 0.3)  # the sense is kept when they stop
    assert facing.read(facing.updated(later, [facing.Cue(0.6, 8.0, 0.2, axis=True)]))[0] == pytest.approx(0.6, abs=0.2)


def test_standing_still_says_nothing_about_direction():
    assert facing.walking(np.array([0.1, 0.05])) == []


def test_keypoints_give_body_and_head():
    from dataclasses import replace

    from perception.pose import estimate

    frame = Scene(person("alice", 2.5, 2.5, 0.3), pose=POSE).frame(1.0)
    true_yaw, at = 0.3, np.array([2.5, 2.5])

    def key(joint, ahead, left, z, yaw=true_yaw):
        p = np.array([*(at + ahead * np.array([np.cos(yaw), np.sin(yaw)]) + left * np.array([-np.sin(yaw), np.cos(yaw)])), z])
        local = (p - POSE[:3, 3]) @ POSE[:3, :3]
        return Keypoint(joint, CAMERA.fx * local[0] / local[2] + CAMERA.cx, CAMERA.fy * local[1] / local[2] + CAMERA.cy, 1.0, float(local[2]))

    turned = true_yaw + np.pi / 4
    points = (key(Joint.LEFT_SHOULDER, 0, 0.2, 1.4), key(Joint.RIGHT_SHOULDER, 0, -0.2, 1.4), key(Joint.RIGHT_EAR, -0.04, -0.085, 1.6, turned),
              key(Joint.RIGHT_EYE, 0.078, -0.036, 1.6, turned), key(Joint.NOSE, 0.11, 0.0, 1.58, turned), key(Joint.LEFT_WRIST, 0.4, 0.2, 1.0))
    one = lift(replace(frame, detections=(replace(frame.detections[0], keypoints=points),)), CONFIG)[0]
    pose = estimate(one, frame, facing.uniform(), facing.uniform(), np.zeros(2), 1.7)
    assert pose.yaw == pytest.approx(0.3, abs=0.08) and pose.head_yaw == pytest.approx(turned, abs=0.3)
    assert len(pose.hands) == 1 and pose.hands[0][2] == pytest.approx(1.0, abs=0.02)


def test_the_net_takes_any_crop_and_is_silent_without_an_upper_body():
    frame = Scene(person("alice", 2.5, 2.5), pose=POSE).frame(1.0)
    d = frame.detections[0]
    patch = orientation.crop(frame.color, frame.depth, d.mask, d.offset, CAMERA, 1.8, (150.0, 40.0))
    assert patch.shape == (2, 5, 48, 48) and np.isfinite(patch).all() and 0 <= patch[:, 3].min() <= patch[:, 3].max() <= 1
    cut = orientation.crop(frame.color, frame.depth, d.mask, (d.offset[0], 0), CAMERA, 1.8, (150.0, -10.0))
    assert not cut[1, 3, 0].any() and cut[0, 3].any()  # the top of the head is out of the picture: nothing there
    assert orientation.crop(frame.color, frame.depth, d.mask, (d.offset[0], 0), CAMERA, 1.8, (150.0, -200.0)) is None
    answer = orientation.look(patch)
    assert answer is None or (answer.body.sum() == pytest.approx(1) and answer.head.sum() == pytest.approx(1) and abs(answer.pitch) < np.pi / 2)


def test_a_head_turns_to_what_is_around_and_never_farther_than_a_neck():
    ahead = facing.updated(facing.uniform(), [facing.Cue(0.0, 60.0, 0.01)])
    door = facing.sights((0.0, 0.0), np.array([[1.0, 1.0]]), np.ones(1))
    later = facing.head_predicted(ahead, ahead, 2.0, door)
    at = lambda degrees: later[int(round(degrees / 5)) % facing.BINS]  # noqa: E731
    assert later.sum() == pytest.approx(1) and at(45) > 3 * at(-45) and at(0) > 3 * at(-45) and at(170) < 0.05 * at(-45)
    assert facing.sights((1.0, 1.0), np.array([[1.0, 1.0]]), np.ones(1)) is None


def test_likelihoods_of_a_net_turn_with_the_direction_to_the_camera():
    shares = np.eye(36)[9]  # 90° to the left of the direction to the camera
    assert facing.DIRECTIONS[facing.turned(shares, np.radians(30)).argmax()] == pytest.approx(np.radians(120), abs=0.01)


# --- support and relations ---

def _place(name, cls, box, points=None, openness=Openness.NONE):
    cells = Cells().add(points if points is not None else np.zeros((0, 3)))
    return PlaceTrack(name, cls, cells, box, 0.0, hits=9, openness=openness)


def test_on_the_seat_of_a_sofa_not_on_its_back():
    rng = np.random.default_rng(0)
    seat = np.column_stack([rng.uniform(0, 2, 900), rng.uniform(0, 0.6, 900), np.full(900, 0.42)])
    back = np.column_stack([rng.uniform(0, 2, 600), np.full(600, 0.85), rng.uniform(0.42, 0.8, 600)])
    sofa = _place("sofa_1", "sofa", Box((1.0, 0.45, 0.4), (2.0, 0.9, 0.8)), np.vstack([seat, back]))
    places = {"sofa_1": sofa}
    on = support_of(Box((1.0, 0.3, 0.44), (0.05, 0.18, 0.03)), places, CONFIG)
    air = support_of(Box((1.0, 0.2, 0.68), (0.05, 0.18, 0.03)), places, CONFIG)
    assert (on.place, on.inside) == ("sofa_1", False) and air.place is None


def test_at_the_edge_of_a_table_a_chair_that_took_in_some_of_the_edge_bears_nothing():
    top = np.column_stack([np.linspace(-0.6, 0.6, 400), np.tile(np.linspace(-0.4, 0.4, 20), 20), np.full(400, 0.73)])
    table = _place("kitchentable_1", "kitchentable", Box((0, 0, 0.37), (1.2, 0.8, 0.74)), top)
    edge = top[top[:, 0] > 0.4]
    chair = _place("chair_1", "chair", Box((0.65, 0, 0.45), (0.5, 0.9, 0.9)), np.vstack([edge, edge + (0, 0, 0.01)]))
    cup = Box((0.5, 0.0, 0.79), (0.08, 0.08, 0.1))
    for places in ({"chair_1": chair, "kitchentable_1": table}, {"kitchentable_1": table, "chair_1": chair}):
        assert support_of(cup, places, CONFIG).place == "kitchentable_1"
        assert support_of(cup, places, CONFIG, known="chair_1").place == "kitchentable_1"
    book = Box((0.7, 0.0, 0.48), (0.2, 0.15, 0.03))
    seat = np.column_stack([np.linspace(0.45, 0.85, 300), np.tile(np.linspace(-0.2, 0.2, 20), 15), np.full(300, 0.46)])
    assert support_of(book, {"chair_1": _place("chair_1", "chair", chair.body, seat), "kitchentable_1": table}, CONFIG).place == "chair_1"


def test_what_lies_flat_on_a_hob_is_a_plate_of_it():
    stove, counter = (_place(f"{cls}_1", cls, Box((x, 0, 0.45), (0.6, 0.6, 0.9)), _top(x)) for x, cls in ((0.0, "stove"), (0.62, "kitchencounter")))
    places = {"stove_1": stove, "kitchencounter_1": counter}
    plate, pot, notebook = Box((0.1, 0.1, 0.91), (0.14, 0.26, 0.02)), Box((0.1, 0.1, 0.96), (0.2, 0.2, 0.12)), Box((0.62, 0.1, 0.91), (0.14, 0.26, 0.02))
    assert [part_of_a_hob(box, places, CONFIG) for box in (plate, pot, notebook)] == [True, False, False]
    assert not part_of_a_hob(plate, {}, CONFIG) and not part_of_a_hob(Box((0.1, 0.1, 0.5), (0.14, 0.26, 0.02)), places, CONFIG)


def test_a_plate_of_a_hob_is_no_thing_once_the_hob_is_known_unless_somebody_had_it():
    stove = _place("stove_1", "stove", Box((0.0, 0, 0.45), (0.6, 0.6, 0.9)), _top(0.0))
    plate = ThingTrack("notebook_1", "notebook", Box((0.1, 0.1, 0.91), (0.14, 0.26, 0.02)), Tracking.VISIBLE, 1.0, 0.0, names=(("notebook", 1.0),))
    before, after = (SimpleNamespace(places=places, config=CONFIG) for places in ({}, {"stove_1": stove}))
    assert [was_of_furniture(plate, around) for around in (before, after)] == [False, True]
    assert not any(was_of_furniture(replace(plate, **had), after) for had in ({"holder": "person_1"}, {"offset": (0.1, 0.0, 0.9)}, {"taken_from": "drawer_1"}, {"names": ()}))


def test_a_shade_is_a_part_of_its_lamp_and_what_stands_beside_it_is_not():
    lamp = _place("lamp_1", "lamp", Box((0.0, 0.0, 0.75), (0.35, 0.35, 1.5)), _top(0.0))
    table = _place("desk_1", "desk", Box((0.0, 0.0, 0.75), (0.35, 0.35, 1.5)), _top(0.0))
    shade, beside = (Box((x, 0.0, 1.3), (0.32, 0.32, 0.3)) for x in (0.02, 0.3))
    assert [part_of_a_lamp(box, {"lamp_1": lamp}) for box in (shade, beside)] == [True, False] and not part_of_a_lamp(shade, {"desk_1": table})
    bucket = ThingTrack("bucket_1", "bucket", shade, Tracking.VISIBLE, 1.0, 0.0, names=(("bucket", 0.9), ("lamp", 0.1)))
    around = SimpleNamespace(places={"lamp_1": lamp}, config=CONFIG)
    assert was_of_furniture(bucket, around) and not was_of_furniture(replace(bucket, holder="person_1"), around)


def _top(x):
    return np.column_stack([x + np.linspace(-0.28, 0.28, 400), np.tile(np.linspace(-0.28, 0.28, 20), 20), np.full(400, 0.9)])


def test_only_the_back_of_a_chair_bears_nothing_but_its_seat_and_a_table_beside_it_do():
    seat = np.column_stack([np.linspace(-0.2, 0.2, 300), np.tile(np.linspace(-0.2, 0.2, 20), 15), np.full(300, 0.46)])
    back = np.column_stack([np.full(200, -0.2), np.tile(np.linspace(-0.2, 0.2, 20), 10), np.repeat(np.linspace(0.5, 0.9, 10), 20)])
    chair = _place("chair_1", "chair", Box((0, 0, 0.45), (0.45, 0.45, 0.9)), np.vstack([seat, back]))
    high, low = Box((-0.18, 0.0, 0.74), (0.08, 0.1, 0.12)), Box((0.05, 0.0, 0.5), (0.08, 0.1, 0.08))
    assert part_of_a_seat(high, {"chair_1": chair}, CONFIG) and not part_of_a_seat(low, {"chair_1": chair}, CONFIG)
    top = np.column_stack([np.linspace(-0.9, 0.3, 400), np.tile(np.linspace(-0.4, 0.4, 20), 20), np.full(400, 0.68)])
    table = _place("kitchentable_1", "kitchentable", Box((-0.3, 0, 0.34), (1.2, 0.8, 0.68)), top)
    assert not part_of_a_seat(high, {"chair_1": chair, "kitchentable_1": table}, CONFIG) and not part_of_a_seat(high, {}, CONFIG)


def test_on_the_counter_is_not_in_the_cabinet_below_and_nothing_new_is_in_a_shut_one():
    cabinet = _place("kitchencabinet_1", "kitchencabinet", Box((0, 0, 0.35), (0.6, 0.6, 0.7)), openness=Openness.OPEN)
    top = np.column_stack([np.linspace(-0.6, 0.6, 400), np.tile(np.linspace(-0.3, 0.3, 20), 20), np.full(400, 0.9)])
    counter = _place("kitchencounter_1", "kitchencounter", Box((0, 0, 0.8), (1.2, 0.6, 0.2)), top)
    places = {p.id: p for p in (cabinet, counter)}
    mug = support_of(Box((0.1, 0.0, 0.95), (0.08, 0.08, 0.1)), places, CONFIG)
    assert (mug.place, mug.inside) == ("kitchencounter_1", False)
    bowl = Box((0.1, 0.0, 0.2), (0.16, 0.16, 0.08))
    assert support_of(bowl, places, CONFIG).place == "kitchencabinet_1" and support_of(bowl, places, CONFIG).inside
    shut = {"kitchencabinet_1": replace(cabinet, openness=Openness.CLOSED)}
    assert support_of(bowl, shut, CONFIG).place is None
    assert support_of(bowl, shut, CONFIG, known="kitchencabinet_1").inside


def test_what_shows_above_the_rim_of_an_open_basket_is_in_it_and_nothing_lies_on_its_lid_until_that_is_shut():
    body = Box((0, 0, 0.125), (0.4, 0.3, 0.25))
    basket = _place("basket_1", "basket", body, np.column_stack([np.zeros(9), np.zeros(9), np.full(9, 0.25)]), openness=Openness.OPEN)
    sliver = Box((0.05, 0.05, 0.26), (0.15, 0.05, 0.03))
    seen = support_of(sliver, {"basket_1": basket}, CONFIG)
    assert (seen.place, seen.inside) == ("basket_1", True)
    shut = replace(basket, openness=Openness.CLOSED)
    assert (support_of(sliver, {"basket_1": shut}, CONFIG).place, support_of(sliver, {"basket_1": shut}, CONFIG).inside) == ("basket_1", False)
    assert support_of(Box((0.05, 0.05, 0.45), (0.15, 0.05, 0.1)), {"basket_1": basket}, CONFIG).place is None  # in a hand above it


@pytest.mark.parametrize("to, openness, front, moves_so", [
    ((-0.25, 0.1, 0.5), Openness.OPEN, 1, True), ((-0.25, 0.1, 0.75), Openness.OPEN, 1, False), ((-0.25, -0.1, 0.5), Openness.OPEN, 1, False),
    ((-0.25, 0.1, 0.5), Openness.CLOSED, 1, False), ((-0.25, 0.1, 0.5), Openness.OPEN, None, False), ((0.3, 0.1, 0.5), Openness.OPEN, 1, False)])
def test_what_lies_in_a_drawer_moves_as_that_is_pulled(to, openness, front, moves_so):
    """The drawer is 0.5 m deep about the origin and opens towards −x; something lay at (0.0, 0.1, 0.5)."""
    drawer = replace(_place("drawer_1", "drawer", Box((0, 0, 0.35), (0.5, 0.8, 0.7)), openness=openness), front=front)
    assert slid((0.0, 0.1, 0.5), to, {"drawer_1": drawer}) is moves_so


def test_a_relation_must_last_before_it_is_believed_and_before_it_is_given_up():
    key = ("alice", RelationKind.CLOSE, "table_1")
    config = PerceptionConfig(relation_frames=3)
    memory, believed = relations.RelationMemory(), []
    for now in (1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0):
        memory = relations._settle(memory, {key: 0.9} if now else {}, {"alice"}, {"alice"}, config)
        believed.append(int(key in memory.believed))
    assert believed == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0]
    kept = relations._settle(relations.RelationMemory({key: 0.9}), {}, set(), {"alice"}, PerceptionConfig(relation_frames=1))
    assert key in kept.believed  # out of sight: nothing changes


def test_a_mask_that_bleeds_over_a_rim_is_cut_at_the_gap_in_depth_on_either_side_of_its_middle():
    from perception.lifting import _together

    depth = np.array([2.0, 2.1, 2.2, 2.3, 3.1, 3.2, 1.2])
    assert _together(depth, 0.25).tolist() == [True, True, True, True, False, False, False]
    assert _together(depth, 0.0).all() and _together(depth[:2], 0.01).all() and _together(depth, 1.0).all()


def test_of_a_bleeding_mask_on_a_piece_of_furniture_the_floor_is_left_out():
    from dataclasses import replace

    from perception.detectors.base import FALLIBLE
    from perception.config import PerceptionConfig, suited
    from perception.lifting import lift
    from tests.perception.raycast import Scene, look, table

    frame = Scene(list(table(2, 2.5)), pose=look(4.3, 2.5, np.pi)).frame(1.0)
    loose = tuple(replace(d, mask=np.ones_like(d.mask)) for d in frame.detections)  # the whole rectangle: floor between and behind the legs
    strict, careful = PerceptionConfig(), suited(PerceptionConfig(), FALLIBLE)
    wide, = lift(replace(frame, detections=loose), strict)
    right, = lift(replace(frame, detections=loose), careful)
    assert wide.points[:, 2].min() < 0.03 < 0.06 < right.points[:, 2].min()
    assert right.box.size[0] < wide.box.size[0]
