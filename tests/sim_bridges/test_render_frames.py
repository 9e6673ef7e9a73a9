"""Whole frames: geometry to the millimetre, instances, what opens and what it hides, determinism, light."""

from __future__ import annotations

import importlib.util
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim_bridges.contract import CameraModel
from sim_bridges.embedded.assets import PRIMITIVES
from sim_bridges.embedded.geometry import WALL_THICKNESS
from sim_bridges.embedded.figures_pose import hand_position, held_position
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.model import PersonState, RobotSpec, RobotState, Thing, ThingState
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.render_pieces import drawn_position
from sim_bridges.embedded.world import EmbeddedWorld

pytestmark = pytest.mark.render
_spec = importlib.util.spec_from_file_location("render_homes", Path(__file__).with_name("render_homes.py"))
homes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(homes)

CAMERA = CameraModel.from_fov(320, 240, 80.0)
HOME = homes.home()


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(HOME, assets=PRIMITIVES)


def pose(x: float, y: float, yaw: float, pitch: float = 0.0, z: float = 1.25) -> np.ndarray:
    return camera_pose_of(RobotState((x, y), yaw, 0.0, pitch), RobotSpec((x, y), yaw, camera_height=z))


def facing(target: tuple[float, float, float], x: float, y: float, z: float = 1.25) -> np.ndarray:
    dx, dy, dz = target[0] - x, target[1] - y, target[2] - z
    return pose(x, y, math.atan2(dy, dx), math.atan2(dz, math.hypot(dx, dy)), z)


def id_of(renderer: Renderer, entity: str) -> int:
    return next(k for k, info in renderer.instances.items() if info.entity == entity)


def pixels(renderer: Renderer, state, camera_pose: np.ndarray, entity: str) -> int:
    return int((renderer.render(state, CAMERA, camera_pose)[2] == id_of(renderer, entity)).sum())


def project(point, camera_pose: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (np.linalg.inv(camera_pose) @ np.array([*point, 1.0]))[:3]
    return CAMERA.fx * x / z + CAMERA.cx, CAMERA.fy * y / z + CAMERA.cy, z


def test_camera_pose_is_a_right_handed_optical_frame_that_looks_where_the_head_looks():
    p = camera_pose_of(RobotState((1.0, 2.0), 0.3, 0.4, -0.25), RobotSpec((0, 0), 0.0, camera_height=1.3))
    assert np.allclose(p[:3, :3].T @ p[:3, :3], np.eye(3)) and np.linalg.det(p[:3, :3]) == pytest.approx(1.0)
    assert p[:3, 2] == pytest.approx([math.cos(0.7) * math.cos(0.25), math.sin(0.7) * math.cos(0.25), -math.sin(0.25)])
    assert p[2, 1] < 0 and tuple(p[:3, 3]) == pytest.approx((1.0, 2.0, 1.3))  # y of the optical frame points down


def test_wall_depth_is_planar_and_exact_to_a_millimetre(renderer):
    state = homes.state(HOME)
    state.people.clear()
    _, depth, ids = renderer.render(state, CAMERA, pose(1.2, 2.4, homes.WEST))
    patch = np.s_[195:205, 60:150]  # between window sill and skirting
    assert np.abs(depth[patch] - (1.2 - WALL_THICKNESS / 2)).max() < 0.001
    assert (ids[patch] == 0).all()


def test_floor_depth_follows_the_pinhole_model(renderer):
    p = pose(3.0, 0.6, homes.WEST, pitch=-0.5)
    _, depth, ids = renderer.render(homes.state(HOME), CAMERA, p)
    v, u = 200, 250
    ray = p[:3, :3] @ np.array([(u - CAMERA.cx) / CAMERA.fx, (v - CAMERA.cy) / CAMERA.fy, 1.0])
    assert ids[v, u] == 0
    assert depth[v, u] == pytest.approx(-p[2, 3] / ray[2], abs=1e-3)


def test_a_known_point_is_found_within_a_pixel(renderer):
    state, p = homes.state(HOME), facing((2.0, 2.9, 1.0), 2.0, 0.8)
    state.people.clear()
    state.things["apple_1"] = ThingState((2.1, 2.6, 1.1), 0.0, "kitchen")
    _, depth, ids = renderer.render(state, CAMERA, p)
    rows, columns = np.nonzero(ids == id_of(renderer, "apple_1"))
    u, v, z = project((2.1, 2.6, 1.1), p)
    assert abs((columns.min() + columns.max()) / 2 -
               u) <= 1.0 and abs((rows.min() + rows.max()) / 2 - v) <= 1.5  # its stem is lopsided
    assert columns.max() - columns.min() + 1 == pytest.approx(CAMERA.fx * 0.08 / z, abs=2.0)
    assert depth[round(v), round(u)] == pytest.approx(z - 0.04, abs=0.01)


def test_instances_are_numbered_once_and_named_after_the_home(renderer):
    entities = [info.entity for info in renderer.instances.values()]
    assert sorted(renderer.instances) == list(range(1, len(entities) + 1)) and len(set(entities)) == len(entities)
    assert set(entities) == {
        "fridge_1", "kitchentable_1", "drawer_1", "suitcase_1", "lamp_1", "apple_1", "book_1", "keys_1", "alice", "door_1"
    }
    assert renderer.instances[id_of(renderer, "alice")].cls == "person" and renderer.instances[id_of(renderer,
                                                                                                     "door_1")].cls == "door"
    assert set(np.unique(renderer.render(homes.state(HOME), CAMERA, pose(2.0, 0.6,
                                                                         homes.NORTH))[2])) <= {0, *renderer.instances}


def test_a_shut_fridge_hides_what_an_open_one_shows(renderer):
    state, p = homes.state(HOME), facing((2.0, 3.55, 0.95), 2.15, 1.9)
    state.people.clear()
    assert pixels(renderer, state, p, "apple_1") == 0
    state.openness["fridge_1"] = 1.0
    assert pixels(renderer, state, p, "apple_1") > 20
    state.openness["fridge_1"] = 0.0
    assert pixels(renderer, state, p, "apple_1") == 0


def test_a_drawer_carries_its_contents_out(renderer):
    state, p = homes.state(HOME), facing((4.0, 3.3, 0.55), 3.9, 2.55)
    state.people.clear()
    assert pixels(renderer, state, p, "keys_1") == 0
    assert drawn_position(HOME, state, "keys_1") == state.things["keys_1"].position
    for openness in (0.7, 1.0):
        state.openness["drawer_1"] = openness
        x, y, z = drawn_position(HOME, state, "keys_1")
        assert (x, z) == pytest.approx((4.0, 0.535)) and y == pytest.approx(3.7 - openness * 0.6 * 0.45)
        assert pixels(renderer, state, p, "keys_1") > 10


def test_nothing_shows_through_the_crack_over_a_shut_drawer():
    home = load_home("maple")
    state, camera = EmbeddedWorld(home).state, CameraModel.from_fov(640, 480, home.robot.horizontal_fov_deg)
    state.people.clear()
    state.things["plate_1"] = ThingState((4.37, 7.43, 0.54), math.pi, "drawer_1", None)
    renderer, before_it = Renderer(home), camera_pose_of(RobotState((3.286, 6.273), 0.655, -0.363, -0.306), home.robot)
    shown = lambda: int((renderer.render(state, camera, before_it)[2] == id_of(renderer, "plate_1")).sum())  # noqa: E731
    assert shown() == 0
    state.openness["drawer_1"] = 1.0
    assert shown() > 20


def test_a_door_leaf_shuts_the_view_into_the_next_room(renderer):
    state, p = homes.state(HOME), pose(4.0, 3.2, homes.EAST)
    state.people.clear()
    centre = (CAMERA.height // 2, CAMERA.width // 2)
    _, depth, ids = renderer.render(state, CAMERA, p)
    assert ids[centre] == id_of(renderer, "door_1") and depth[centre] == pytest.approx(1.0, abs=0.06)
    state.openness["door_1"] = 1.0
    _, depth, ids = renderer.render(state, CAMERA, p)
    assert ids[centre] == 0 and depth[centre] == pytest.approx(4.0 - WALL_THICKNESS / 2, abs=0.002)


def test_pushed_obstacles_stand_where_they_were_pushed(renderer):
    state, p = homes.state(HOME), facing((0.6, 3.0, 0.3), 1.2, 0.8)
    state.people.clear()
    before = pixels(renderer, state, p, "suitcase_1")
    state.moved["suitcase_1"] = ((6.5, 1.0, 0.0), 0.0)
    assert before > 50 and pixels(renderer, state, p, "suitcase_1") == 0
    assert pixels(renderer, state, facing((6.5, 1.0, 0.3), 5.6, 2.6), "suitcase_1") > 50


def test_furniture_of_any_kind_may_be_moved(renderer):
    state, p = homes.state(HOME), facing((2.5, 1.6, 0.6), 1.0, 0.6)
    state.people.clear()
    state.moved["kitchentable_1"] = ((6.5, 1.5, 0.0), 0.0)
    assert pixels(renderer, state, p, "kitchentable_1") == 0
    state.moved.clear()
    assert pixels(renderer, state, p, "kitchentable_1") > 100


@pytest.mark.parametrize("height", [1.15, 1.72])
def test_a_person_is_as_tall_in_the_picture_as_in_the_world(height):
    home = homes.home(height=height)
    renderer, state = Renderer(home, assets=PRIMITIVES), homes.state(home)
    state.people["alice"] = PersonState((2.2, 2.6), homes.SOUTH, homes.SOUTH)
    p = pose(2.2, 0.4, homes.NORTH, z=1.0)
    _, depth, ids = renderer.render(state, CAMERA, p)
    rows, _ = np.nonzero(ids == id_of(renderer, "alice"))
    top, bottom = project((2.2, 2.6, height), p)[1], project((2.2, 2.6, 0.0), p)[1]
    assert rows.min() == pytest.approx(top, abs=0.05 * (bottom - top))
    toes = project((2.2, 2.6 - 0.17 * height, 0.0), p)[1]
    assert bottom - 2 <= rows.max() <= toes + 2


def test_same_state_and_seed_give_the_same_bits_whatever_was_drawn_before(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH, pitch=-0.25)
    state.openness["fridge_1"], state.people["alice"].walking, state.people["alice"].gait = 0.4, True, 1.0
    first = renderer.render(state, CAMERA, p)
    other = homes.state(HOME)
    other.openness["fridge_1"] = 1.0
    renderer.render(other, CAMERA, pose(1.0, 1.0, homes.EAST))
    renderer.render(other, CAMERA, p)
    fresh = Renderer(HOME, assets=PRIMITIVES).render(state, CAMERA, p)
    for a, b, c in zip(first, renderer.render(state, CAMERA, p), fresh):
        assert a.tobytes() == b.tobytes() == c.tobytes()


def test_seed_changes_the_looks_and_not_the_geometry(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH, pitch=-0.25)
    state.people.clear()
    plain, other = renderer.render(state, CAMERA, p), Renderer(HOME, seed=1, assets=PRIMITIVES).render(state, CAMERA, p)
    assert (plain[0] != other[0]).any()
    _, wall, ids = other
    assert np.abs(plain[1] - wall)[(ids == 0) & (plain[2] == 0)].max() < 1e-4


def test_frames_do_not_share_memory(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH)
    first = renderer.render(state, CAMERA, p)
    kept = [a.copy() for a in first]
    for a in first:
        a[:] = 0
    assert all((a == b).all() for a, b in zip(renderer.render(state, CAMERA, p), kept))


def test_brightness_follows_the_light_and_lamps_shine_at_night(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH, pitch=-0.3)
    day = renderer.render(state, CAMERA, p)[0].mean()
    state.light = 0.0
    night = renderer.render(state, CAMERA, p)[0].mean()
    state.switched_on["lamp_1"] = True
    lamp = renderer.render(state, CAMERA, p)[0].mean()
    assert day > 120 and night < 0.4 * day and night * 1.15 < lamp < day


def test_shadows_only_darken(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH, pitch=-0.4)
    without = Renderer(HOME, assets=PRIMITIVES, shadows=False).render(state, CAMERA, p)
    with_shadows = renderer.render(state, CAMERA, p)
    difference = with_shadows[0].astype(int) - without[0].astype(int)
    assert difference.max() <= 1 and (difference < -15).any(axis=2).mean() > 0.01
    assert (with_shadows[1] == without[1]).all() and (with_shadows[2] == without[2]).all()


def test_ids_are_left_out_on_request_and_bad_poses_refused(renderer):
    state = homes.state(HOME)
    assert renderer.render(state, CAMERA, pose(2.0, 0.6, homes.NORTH), with_ids=False)[2] is None
    with pytest.raises(ValueError, match="camera_pose"):
        renderer.render(state, CAMERA, np.full((4, 4), np.nan))
    with pytest.raises(ValueError, match="split 'dev'"):
        Renderer(HOME, assets=PRIMITIVES, split="dev")


def test_output_types(renderer):
    color, depth, ids = renderer.render(homes.state(HOME), CAMERA, pose(2.0, 0.6, homes.NORTH))
    assert (color.shape, color.dtype, depth.shape, depth.dtype, ids.shape, ids.dtype) == (
        (240, 320, 3), np.uint8, (240, 320), np.float32, (240, 320), np.uint16)
    assert color.flags.c_contiguous and depth.flags.c_contiguous and ids.flags.c_contiguous and (depth > 0).all()


def test_the_overview_shows_the_inside_of_the_home_and_the_robot(renderer):
    state = homes.state(HOME)
    image = renderer.overview(state, width=320, height=240)
    assert image.shape == (240, 320, 3) and image.dtype == np.uint8
    corners = [tuple(image[y, x]) for y, x in ((0, 0), (0, -1), (-1, 0), (-1, -1))]
    assert len(set(corners)) == 1  # nothing is there
    assert (image != image[0, 0]).any(axis=2).mean() > 0.3
    state.robot.position = (1.0, 1.0)
    moved = (renderer.overview(state, width=320, height=240) != image).any(axis=2)
    assert 20 < moved.sum() < 0.2 * moved.size
    state.people["alice"].position = (6.5, 2.0)
    assert (renderer.overview(state, width=320, height=240) != image).any(axis=2).sum() > moved.sum() + 20


def test_an_overview_leaves_the_camera_s_view_as_it_was(renderer):
    state, p = homes.state(HOME), pose(2.0, 0.6, homes.NORTH, pitch=-0.25)
    before = renderer.render(state, CAMERA, p)
    renderer.overview(state, width=160, height=120)
    assert all((a == b).all() for a, b in zip(before, renderer.render(state, CAMERA, p)))


def test_people_are_redrawn_when_they_do_anything(renderer):
    state, p = homes.state(HOME), facing((3.4, 1.2, 0.9), 1.4, 2.6)
    def look() -> bytes:
        return renderer.render(state, CAMERA, p)[0].tobytes()

    person, seen = state.people["alice"], {look()}
    for change in ({"head_yaw": person.yaw + 0.8}, {"head_pitch": -0.5}, {"walking": True}, {"gait": 1.5},
                   {"reach_to": (2.8, 1.3, 1.2)}, {"position": (3.2, 1.3)}, {"yaw": person.yaw + 0.4}):
        for name, value in change.items():
            setattr(person, name, value)
        seen.add(look())
    assert len(seen) == 8


def test_a_held_thing_is_in_the_hand_and_bends_the_arm(renderer):
    state, p = homes.state(HOME), facing((3.4, 1.2, 1.0), 1.9, 1.2)
    idle = renderer.render(state, CAMERA, p)[2]
    state.things["apple_1"] = ThingState(hand_position(HOME.people[0], state.people["alice"], "right"), 0.0, "alice", "right")
    ids = renderer.render(state, CAMERA, p)[2]
    rows, columns = np.nonzero(ids == id_of(renderer, "apple_1"))
    u, v, _ = project(state.things["apple_1"].position, p)
    assert len(rows) > 15 and abs(rows.mean() - v) < 6 and abs(columns.mean() - u) < 6
    person = id_of(renderer, "alice")
    assert ((ids == person) != (idle == person)).sum() > 60


def test_keys_in_a_hand_show():
    size = (0.06, 0.09, 0.02)
    home = replace(HOME, things=(Thing("keys_1", "keys", "kitchen", size=size),))
    renderer, state = Renderer(home, assets=PRIMITIVES), homes.state(HOME)
    alice = state.people["alice"]
    state.things = {"keys_1": ThingState(held_position(HOME.people[0], alice, "right", size[2]), 0.0, "alice", "right")}
    at = state.things["keys_1"].position

    def shown() -> int:
        looks = (facing(at, at[0] + 0.6 * math.cos(a), at[1] + 0.6 * math.sin(a)) for a in np.arange(0.0, 6.2, 0.785))
        return sum(pixels(renderer, state, look, "keys_1") for look in looks)

    held = shown()
    state.people.clear()
    assert held > 0.6 * shown() > 0


def test_what_stands_behind_a_glass_shines_through_it():
    home = replace(
        HOME, things=(Thing("waterglass_1", "waterglass", "kitchen",
                            size=(0.3, 0.3, 0.4)), Thing("apple_1", "apple", "kitchen", size=(0.2, 0.2, 0.2))))
    renderer, state, p = Renderer(home, assets=PRIMITIVES), homes.state(HOME), pose(1.0, 2.0, homes.EAST)
    state.people.clear()
    state.things = {
        "waterglass_1": ThingState((2.0, 2.0, 1.25), 0.0, "kitchen"), "apple_1": ThingState((2.6, 2.0, 1.25), 0.0, "kitchen")
    }
    with_apple, depth, ids = renderer.render(state, CAMERA, p)
    state.things["apple_1"].position = (2.6, 3.5, 1.25)
    without = renderer.render(state, CAMERA, p)[0]
    centre = np.s_[CAMERA.height // 2 - 3:CAMERA.height // 2 + 3, CAMERA.width // 2 - 3:CAMERA.width // 2 + 3]
    assert (ids[centre] == id_of(renderer, "waterglass_1")).all() and depth[centre].max() < 1.1
    assert np.abs(with_apple[centre].astype(int) - without[centre]).mean() > 8
