"""Meshes, primitives and where they come from: every class can be drawn, fits its box, and what should be hollow is
hollow.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from household import classes
from household.classes import Kind
from sim_bridges.contract import CameraModel
from sim_bridges.embedded import assets, fittings
from sim_bridges.embedded.assets_fit import surface_height, thinned
from sim_bridges.embedded.assets_sweethome import SweetHomeAssets
from sim_bridges.embedded.assets_table import Choice, Fit, choice_of, choices
from sim_bridges.embedded.meshes import JointKind, face_normals, join, rotation, transformed
from sim_bridges.embedded.meshes_obj import decode_picture, read_mtl, read_obj
from sim_bridges.embedded.model import Furniture, Home, RobotSpec, RobotState, Room, Thing, ThingState, WorldState
from sim_bridges.embedded.primitives import box, ellipsoid, lathe, limb
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.render_scene import Batch, Piece
from sim_bridges.embedded.textures import Atlas, Material, Texture, of, plain, tiles

pytestmark = pytest.mark.render
installed = pytest.mark.skipif(not SweetHomeAssets.present(),
                               reason="the Debian package sweethome3d-furniture is not installed")
GREY = plain(120, 120, 120)
OPENING = [c for c in fittings.FURNITURE_CLASSES if fittings.opens(c)]


# --- shapes ---


@pytest.mark.parametrize("solid", [
    box((0, 0, 0), (1, 2, 3), GREY),
    ellipsoid((1, 2, 3), (1, 0.5, 2), GREY),
    limb((0, 0, 0), (1, 1, 1), (0.2, 0.1), GREY),
    lathe([(0, 0), (1, 0), (1, 2), (0, 2)], GREY)
], ids=["box", "ellipsoid", "limb", "lathe"])
def test_solids_face_outwards(solid):
    """Signed volume is positive exactly when triangles wind counter-clockwise seen from outside."""
    a, b, c = solid.pos[:, 0], solid.pos[:, 1], solid.pos[:, 2]
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 > 0.01
    assert (np.einsum("ij,ikj->ik", face_normals(solid.pos), solid.nrm) > 0).all()


def test_mirrors_keep_solids_facing_outwards():
    solid = transformed(box((0, 0, 0), (1, 1, 1), GREY), np.diag([-1.0, 1, 1, 1]))
    a, b, c = solid.pos[:, 0], solid.pos[:, 1], solid.pos[:, 2]
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(1.0, abs=1e-5)


def test_join_keeps_each_triangle_its_material():
    red, blue = plain(255, 0, 0), plain(0, 0, 255)
    both = join([box((0, 0, 0), (1, 1, 1), red), box((2, 0, 0), (3, 1, 1), blue), box((4, 0, 0), (5, 1, 1), red)])
    colours = [both.materials[m].color for m in both.mat]
    assert [c == (0, 0, 255) for c in colours] == [bool(2 <= x.min() <= 3) for x in both.pos[:, :, 0]]


# --- reading files ---

OBJ = """mtllib a.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
g panel
usemtl red
f 1/1/1 2/2/1 3/3/1 4/4/1
g edge
usemtl missing
f -4 -3 -2
f 1//1 2//1 3//1
"""


def test_obj_polygons_groups_and_relative_numbers():
    materials = read_mtl("newmtl red\nKd 1 0 0\nd 0.5\nmap_Kd a.png\n", lambda name: Texture(np.full((2, 2, 3), 9, np.uint8))
                         if name == "a.png" else None)
    groups = read_obj(OBJ, materials)
    assert sorted(groups) == ["edge", "panel"] and len(groups["panel"]) == 2 and len(groups["edge"]) == 2
    assert groups["panel"].materials[0].name == "red" and groups["panel"].materials[0].opacity == 0.5
    assert groups["panel"].uv.reshape(-1, 2).max() == 1 and np.allclose(groups["panel"].nrm, (0, 0, 1))
    assert np.allclose(groups["edge"].pos[0], [(0, 0, 0), (1, 0, 0), (1, 1, 0)])  # -4 -3 -2 count back from the fourth vertex
    assert decode_picture(b"not a picture") is None


def test_thinning_keeps_the_shape():
    ball = ellipsoid((0, 0, 1), (1, 1, 1), GREY, segments=80, rings=60)
    fewer = thinned(ball, 1500)
    assert 300 < len(fewer) <= 1500
    assert np.allclose(fewer.bounds(), ball.bounds(), atol=0.05)
    assert np.abs(np.linalg.norm(fewer.pos.reshape(-1, 3) - (0, 0, 1), axis=1) - 1).max() < 0.05


def test_surface_height_finds_the_seat_under_the_back():
    chair = join([box((-0.25, -0.25, 0.0), (0.25, 0.25, 0.45), GREY), box((-0.25, -0.25, 0.45), (-0.2, 0.25, 0.9), GREY)])
    assert surface_height(chair) == pytest.approx(0.45, abs=1e-4)


def test_atlas_reads_the_texel_and_its_smaller_copies():
    pixels, stripes = np.zeros((64, 64, 3), np.uint8), np.zeros((64, 64, 3), np.uint8)
    pixels[:32, :] = (200, 0, 0)  # upper half of the picture: v from 0.5 to 1
    pixels[32:, :] = (0, 100, 0)
    stripes[::2] = 200
    atlas = Atlas()
    mat = atlas.number((Material((0, 0, 0), Texture(pixels)), plain(255, 255, 255), Material((0, 0, 0),
                                                                                             Texture(stripes))))[[0, 0, 2, 1]]
    u, v = np.full(4, 0.5, np.float32), np.array([0.75, 0.25, 0.5, 0.3], np.float32)
    got = atlas.sample(mat, u, v, np.array([0.0, 0.0, 1.0, 0.0], np.float32))
    assert got[:, 0] == pytest.approx(((200 / 255) ** 2, 0, 0)) and got[:, 1] == pytest.approx(
        (0, (100 / 255) ** 2, 0)) and got[:, 3] == pytest.approx((1, 1, 1))
    assert got[:, 2] == pytest.approx((100 / 255) ** 2, rel=0.05)
    assert tiles(3, (100, 100, 100), (50, 50, 50)).pixels.tobytes() == tiles(3, (100, 100, 100), (50, 50, 50)).pixels.tobytes()
    assert of(tiles(3, (100, 100, 100), (50, 50, 50))).color[0] in range(85, 106)


# --- models of classes ---

@pytest.mark.parametrize("split", assets.SPLITS)
def test_every_class_has_a_plain_shape_that_fits_its_box(split):
    for cls in (*fittings.FURNITURE_CLASSES, *classes.of_kind(Kind.OBJECT)):
        size = classes.get(cls).size
        make = assets.thing_model if classes.get(
            cls).kind is Kind.OBJECT else lambda a, c, e, s, split: assets.furniture_model(a, c, e, s, (), split=split)
        model = make(assets.PRIMITIVES, cls, f"{cls}_1", size, split=split)
        low, high = join(p.soup for p in model.parts).bounds()
        # handles stand out in front; head boards rise above the mattress, which is what a bed's height means
        over = 0.06 if classes.get(cls).kind is not Kind.OBJECT else 1e-3
        assert (low >= np.array([-size[1] / 2, -size[0] / 2, 0]) -
                over).all() and (high[:2] <= np.array([size[1], size[0]]) / 2 + over).all(), cls
        assert high[2] <= size[2] + (0.6 if cls == "bed" else over) and (high - low > 0).all(), cls


def test_exemplars_differ_between_the_splits_and_never_change():
    for cls in ("apple", "mug", "wine", "fridge", "sofa"):
        train, test = ({assets.exemplar(f"{cls}_{i}", None, split, 3) for i in range(40)} for split in assets.SPLITS)
        assert train and test and not train & test
    assert assets.exemplar("apple_1", None, "train", 3) == assets.exemplar("apple_1", None, "train", 3)
    assert assets.exemplar("apple_1", "#5", "train", 3) == 5


def test_no_mesh_serves_both_sides_and_every_key_is_known():
    for cls in classes.CLASSES:
        train, test = choices(cls, "train"), choices(cls, "test")
        assert not {(c.source, c.only) for c in train} & {(c.source, c.only) for c in test}
        assert all(choice_of(c.key) is c for c in (*train, *test))
    with pytest.raises(KeyError, match="no mesh 'Scopia/unicorn'"):
        choice_of("Scopia/unicorn")


def test_without_the_package_there_is_one_notice_and_plain_shapes(monkeypatch, capsys):
    monkeypatch.setattr(SweetHomeAssets, "present", classmethod(lambda cls, folder=Path("/nowhere"): False))
    assets.installed.cache_clear()
    try:
        assert assets.installed() is assets.PRIMITIVES and assets.installed() is assets.PRIMITIVES
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and "sweethome3d-furniture" in err
    finally:
        assets.installed.cache_clear()


@installed
def test_installed_meshes_fit_the_box_and_bear_things_at_their_heights():
    source = SweetHomeAssets()
    for cls in ("apple", "wine", "kitchentable", "sofa", "bed", "chair", "toilet"):
        size = classes.get(cls).size
        levels = fittings.levels(cls, size[2])
        for split in assets.SPLITS:
            for key in source.models_for(cls, split):
                soup = source.model(key, size, levels).fixed()
                low, high = soup.bounds()
                assert np.allclose((high - low)[:2],
                                   (size[1], size[0]), atol=1e-3) and low[2] == pytest.approx(0, abs=1e-3), key
                assert choice_of(key).fit is Fit.TOP or high[2] == pytest.approx(size[2], abs=2e-3), key
                if levels:
                    assert surface_height(soup) == pytest.approx(levels[-1], abs=0.06), key
    with pytest.raises(KeyError, match="no mesh"):
        source.model("Scopia/unicorn", (1, 1, 1), ())


@installed
def test_a_mesh_of_one_group_is_only_that_group():
    apple = SweetHomeAssets().model("Scopia/apples:apple2_Tube.002", (0.08, 0.08, 0.08), ())
    assert len(apple.fixed()) < 3200 and not any("pottery" in m.name for m in apple.fixed().materials)


def test_choice_is_a_value():
    assert Choice("a", "a", "train") == Choice("a", "a", "train")


@pytest.mark.parametrize("source", [assets.PRIMITIVES, SweetHomeAssets() if SweetHomeAssets.present() else assets.PRIMITIVES],
                         ids=["plain", "meshes"])
def test_things_put_at_a_level_neither_float_nor_sink(source):
    for cls in fittings.FURNITURE_CLASSES:
        size = classes.get(cls).size
        for split in assets.SPLITS if fittings.levels(cls, size[2]) else ():
            model = assets.furniture_model(source, cls, f"{cls}_1", size, (), split=split)
            batch = Batch([Piece(join(p.soup for p in model.parts))], Atlas())
            for level in model.heights:
                at = np.array([(x, y, level + 0.08) for x in (-0.05, 0.05) for y in np.linspace(-0.1, 0.1, 60)], np.float32)
                fall = batch.cast(at, np.tile(np.array([0, 0, -1], np.float32), (len(at), 1))).t - 0.08
                borne = float(np.percentile(fall, 5))  # a dishwasher's racks are mostly holes
                assert abs(borne) < 0.05, f"{cls} ({split}): {borne:.3f} m below {level}"


# --- hollow when shut, open when open ---

CAMERA = CameraModel.from_fov(160, 120, 50.0)
THING = (0.07, 0.07, 0.07)


def _cell(cls: str) -> tuple[Home, tuple[float, ...]]:
    size = classes.get(cls).size
    base = 1.3 if cls in ("microwave", "kitchencabinet") else 0.0
    levels = fittings.levels(cls, size[2])
    things = tuple(Thing(f"apple_{i + 1}", "apple", f"{cls}_1", size=THING) for i in range(len(levels)))
    room = Room("room", "livingroom", (-3.0, -3.0), (3.0, 3.0))
    return Home("cell", (room, ), (), (Furniture(f"{cls}_1", cls, "room", (0.0, 0.0, base), 0.0, size), ), things, (),
                RobotSpec((2.0, 0.0), math.pi)), tuple(base + z for z in levels)


@pytest.mark.parametrize("cls", OPENING)
def test_containers_hide_what_is_inside_until_they_open(cls):
    home, heights = _cell(cls)
    item, renderer = home.furniture[0], Renderer(home, assets=assets.PRIMITIVES)
    state = WorldState(0.0, openness={item.id: 0.0})
    for thing, z in zip(home.things, heights):
        state.things[thing.id] = ThingState((0.0, 0.0, z + THING[2] / 2), 0.0, item.id)
    ids = [k for k, info in renderer.instances.items() if info.cls == "apple"]
    steep = fittings.fitting(cls).opening in (fittings.Opening.LID, fittings.Opening.RAIL)

    def seen_from(yaw: float, up: float) -> set[int]:
        d, found = 1.4, set()
        for z in heights:
            x, y, dz = d * math.cos(yaw) * math.cos(up), d * math.sin(yaw) * math.cos(up), d * math.sin(up)
            eye = RobotState((x, y), yaw + math.pi, 0.0, -up)
            picture = renderer.render(state, CAMERA, camera_pose_of(eye, RobotSpec((0, 0), 0.0, camera_height=z + dz)))[2]
            found |= set(np.unique(picture).tolist()) & set(ids)
        return found

    for yaw in np.linspace(-math.pi, math.pi, 6)[1:]:
        for up in (0.1, 0.8):
            assert not seen_from(float(yaw), up), f"seen through a shut {cls} from yaw {yaw:.1f}, {up} up"
    state.openness[item.id] = 1.0
    assert seen_from(0.0, 0.9 if steep else 0.12) == set(ids)


@pytest.mark.parametrize("cls", OPENING)
def test_what_opens_has_a_part_that_moves_and_shut_is_its_rest_pose(cls):
    model = assets.furniture_model(assets.PRIMITIVES, cls, f"{cls}_1", classes.get(cls).size, ())
    movers = [p for p in model.moving() if p.joint.kind in (JointKind.HINGE, JointKind.RAIL)]
    assert movers
    for part in movers:
        assert np.allclose(part.joint.pose(0.0, False), np.eye(4))
        swept = transformed(part.soup, part.joint.pose(1.0, False)).bounds()
        assert np.abs(np.array(swept) - np.array(part.soup.bounds())).max() > 0.1
    assert np.allclose(rotation((0, 0, 1), math.pi / 2, (1, 0, 0)) @ (2, 0, 0, 1), (1, 1, 0, 1))


def test_every_mesh_in_use_is_attributed():
    notice = (Path(__file__).parents[2] / "NOTICE").read_text()
    names = set(notice.replace(",", " ").split())
    for cls in classes.CLASSES:
        for choice in (*choices(cls, "train"), *choices(cls, "test")):
            assert choice.source.split("/")[1] in names, choice.source
