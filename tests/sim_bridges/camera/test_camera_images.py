"""Raw driver messages with every quirk become frames whose points are where they are; depth of another camera is moved into the colour camera."""

from dataclasses import replace

import numpy as np
import pytest
import yaml

from household.camera import CameraModel, Lens
from household.images import ImageFormatError
from household.registration import extrinsics, joined, register_depth, splat
from household.sync import SyncConfig
from sim_bridges import conformance
from tests.sim_bridges.doubles.boxes import render
from tests.sim_bridges.doubles.camera_driver import COLOR, DEPTH, CameraDriver, Chain, Quirks
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.stage import Stage, apartment

CAMERA = CameraModel.from_fov(200, 150, 80.0)


@pytest.fixture(scope="module")
def stage():
    return Stage(apartment())


def surface_error(stage, frame) -> float:
    """95th percentile of the distance of seen points to the nearest surface of the scene, metres."""
    points = conformance.back_project(frame, np.ones(frame.depth.shape, bool))[::11]
    nearest = np.min([b.distance(points) for b in stage.boxes("robot")], axis=0)
    return float(np.percentile(nearest, 95))


@pytest.mark.parametrize("quirks", [
    Quirks(), Quirks(color="bgr8", pad=5), Quirks(color="rgba8", big=True), Quirks(color="bgra8", depth="32FC1", hole=0.2),
    Quirks(depth="32FC1", big=True, pad=8), Quirks(hole=0.4), Quirks(skew=0.008), Quirks(late=2), Quirks(unit=0.00025),
], ids=lambda q: str({k: v for k, v in vars(q).items() if v != getattr(Quirks(), k)}))
def test_quirks(stage, quirks):
    driver = CameraDriver(stage, CAMERA, quirks)
    chain = Chain(unit=quirks.unit if quirks.unit != 0.001 else None, sync=SyncConfig(patience=0.5))
    frames = chain.play(driver.messages(4 + quirks.late))
    assert len(frames) >= 3
    frame = frames[1]
    number = driver.number(frame.stamp)
    expected, _, _ = render(stage.boxes("robot"), CAMERA, driver.pose(number))
    np.testing.assert_array_equal(frame.color, expected)
    np.testing.assert_allclose(frame.camera_pose, driver.pose(number), atol=1e-9)
    assert surface_error(stage, frame) < 0.01
    assert (frame.depth == 0).mean() == pytest.approx(quirks.hole, abs=0.05)
    assert chain.matcher.stats.matched == len(frames) and chain.matcher.stats.skew_max == pytest.approx(quirks.skew, abs=1e-6)


def test_known_wall_and_intrinsics(stage):
    driver = CameraDriver(stage, CAMERA, Quirks(hole=0.02))
    (frame, *_) = Chain().play(driver.messages(2))
    scene = known_scene(Stage(apartment()), CAMERA.width, CAMERA.height)

    class Still:
        def frame(self):
            return frame

    subject = conformance.Subject(open=Still, scene=scene)
    for name in ("types", "intrinsics", "wall"):
        conformance.ALL[name](Still(), subject)


@pytest.mark.parametrize("by_tf,width,error", [(False, 640, 0.01), (True, 160, 0.04)])  # a pixel sideways: 8 and 32 mm at 3 m
def test_unaligned_depth_is_registered(stage, by_tf, width, error):
    height = width * 3 // 4
    quirks, camera = Quirks(baseline=0.05, depth="32FC1"), CameraModel.from_fov(width, height, 80.0)
    driver = CameraDriver(stage, camera, quirks)
    chain = Chain(aligned=False, between=None if by_tf else extrinsics(f"{quirks.baseline} 0 0 0 0 0 1"))
    if by_tf:
        chain.transforms.set("optical", "depth_optical", 0.0, (quirks.baseline, 0.0, 0.0), (0, 0, 0, 1), static=True)
    frame = chain.play(driver.messages(2))[0]
    assert frame.depth.shape == (height, width) and surface_error(stage, frame) < error
    _, truth, _ = render(stage.boxes("robot"), camera, driver.pose(driver.number(frame.stamp)))
    seen = frame.depth > 0
    middle = np.zeros_like(seen)
    middle[height // 4:-height // 4, width // 5:-width // 5] = True
    assert (seen & middle).sum() > 0.97 * middle.sum()  # no holes in the common view
    off = np.abs(frame.depth - truth)[seen & middle & (truth < 50)]
    assert np.median(off) < error and (off > 5 * error).mean() < 0.08  # only silhouette edges differ


def test_without_registration_the_same_depth_is_wrong(stage):
    driver = CameraDriver(stage, CAMERA, Quirks(baseline=0.05, depth="32FC1"))
    with pytest.raises(ImageFormatError, match="150×112"):
        Chain().play(driver.messages(2))


@pytest.mark.parametrize("register", [register_depth, splat])
def test_registration_keeps_the_nearer_surface(register):
    depth = np.full((40, 40), 3.0, np.float32)
    depth[:, 20:] = 1.0
    camera = CameraModel(40, 40, 40.0, 40.0, 19.5, 19.5)
    shift = np.eye(4)
    shift[0, 3] = -0.1  # the colour camera is 10 cm to the right
    out = register(depth, camera, camera, shift)
    row = out[20]
    assert row[17] == 1.0 and set(np.unique(out)) <= {0.0, 1.0, 3.0}
    with pytest.raises(ValueError, match="40×39"):
        register_depth(depth[:39], camera, camera, shift)


def test_both_ways_to_register_agree(stage):
    camera = CameraModel.from_fov(160, 120, 80.0)
    depth_camera = replace(camera, fx=camera.fx * 0.7, fy=camera.fy * 0.7)
    _, depth, _ = render(stage.boxes("robot"), depth_camera, stage.camera_pose())
    depth[depth > 50] = 0
    shift = np.eye(4)
    shift[0, 3] = 0.05
    a, b = register_depth(depth, depth_camera, camera, shift), splat(depth, depth_camera, camera, shift)
    both = (a > 0) & (b > 0)
    assert both.mean() > 0.9 * max((a > 0).mean(), (b > 0).mean()) and (np.abs(a - b)[both] < 0.05).mean() > 0.85


def test_images_without_a_partner_are_counted(stage):
    messages = CameraDriver(stage, CAMERA).messages(12)
    chain = Chain(sync=SyncConfig(patience=0.1))
    assert chain.play([m for m in messages if not (m[0] == "image" and m[1] == DEPTH)]) == []
    assert chain.matcher.stats.dropped["color"] > 5 and chain.matcher.stats.received == {"color": 12, "depth": 0}


@pytest.mark.parametrize("text", ["", "1 2 3", "a b c d e f g", "0 0 0 0 0 0 2", "0 0 nan 0 0 0 1"])
def test_extrinsics_that_are_none(text):
    with pytest.raises(ValueError, match="seven numbers are due"):
        extrinsics(text)


@pytest.mark.parametrize("change,words", [
    (dict(encoding="h264"), "'h264' is not supported"), (dict(step=3), "step is 3"), (dict(data=b"123"), "3 came"), (dict(height=149), "needs"),
])
def test_a_broken_image_is_named_and_the_next_one_works(stage, change, words):
    messages = CameraDriver(stage, CAMERA).messages(4)
    first = next(i for i, m in enumerate(messages) if m[0] == "image" and m[1] == COLOR)
    messages[first] = ("image", COLOR, replace(messages[first][2], **change))
    chain = Chain()
    with pytest.raises(ImageFormatError, match=words):
        chain.play(messages)
    chain.waiting.clear()
    assert len(chain.play(messages[first + 1:])) >= 2


def test_lens_distortion_is_taken_out(stage):
    driver = CameraDriver(stage, CAMERA)
    messages = driver.messages(2)
    bent = [("info", m[1], replace(m[2], distortion=(0.08, -0.02, 0.0, 0.0, 0.0))) if m[0] == "info" else m for m in messages]
    straight, corrected = Chain().play(messages)[0], Chain().play(bent)[0]
    assert (straight.color != corrected.color).mean() > 0.02
    np.testing.assert_array_equal(straight.color[73:77, 98:102], corrected.color[73:77, 98:102])  # the middle stays where it is


def test_a_camera_without_depth_and_one_that_is_not_calibrated(stage):
    color, _, _ = render(stage.boxes("robot"), CAMERA, stage.camera_pose())
    assert joined(color, None, Lens(CAMERA))[1] is None
    with pytest.raises(ValueError, match="not calibrated"):
        Lens.of(640, 480, (0.0,) * 9)


@pytest.mark.parametrize("name", ["realsense", "orbbec", "zed", "oak", "realsense_unaligned", "orbbec_unaligned"])
def test_parameter_files_name_their_topics_and_nothing_unknown(name):
    from household import environment

    data = yaml.safe_load((environment.share("config") / "cameras" / f"{name}.yaml").read_text())
    parameters = data["perception"]["ros__parameters"]
    topics = {k: v for k, v in parameters.items() if k.endswith("topic")}
    own = {"depth_info_topic"} if name.endswith("unaligned") else set()
    assert set(topics) == {"color_topic", "depth_topic", "info_topic"} | own and len(set(topics.values())) == len(topics)
    assert all(t.startswith("/") for t in topics.values())
    assert set(parameters) - set(topics) <= {"slop", "reliable", "base_frame", "camera_frame", "map_frame", "depth_extrinsics"}
