"""The one-network detector: what its answers become, what it is asked for in training, and every step from images to weights that load."""

import json

import numpy as np
import pytest

from evaluation import cli
from household.camera import CameraModel
from perception import detectors
from perception.detectors import DetectorError
from perception.detectors.base import Joint
from perception.detectors.light import keypoints
from perception.detectors.light_features import GEOMETRY
from perception.detectors.light_outlines import Cut
from perception.detectors.rgbd import FORMAT, Header, RgbdConfig, RgbdDetector
from perception.training.dataset import thing_targets
from perception.training.shards import CLASSES, INDEX, JOINTS, LabelledImage, list_shards, read_image

CAMERA = CameraModel.from_fov(128, 96, 70)
NAMES = ("apple", "kitchentable", "person")


def said(*answers, joints=None):
    """A network that answers with these (box, class, score); the masks fill their boxes, each through a prototype of its own."""
    boxes, names, masks = np.zeros((1, 50, 4), np.float32), np.zeros((1, 3, 50), np.float32), np.zeros((1, 8, 50), np.float32)
    prototypes = np.full((1, 8, 24, 32), -5.0, np.float32)
    for k, (box, cls, score) in enumerate(answers):
        boxes[0, k], names[0, NAMES.index(cls), k], masks[0, k, k] = box, score, 1.0
        x0, y0, x1, y1 = (round(v / 4) for v in box)
        prototypes[0, k, y0:y1, x0:x1] = 5.0
    return lambda rgb, geometry: [boxes, names, masks, prototypes, np.zeros((1, 1, 24, 32), np.float32) if joints is None else joints]


def detector(run, second=None, **config):
    return RgbdDetector(Header(NAMES, (128, 96), (Joint.NOSE,)), run, second, RgbdConfig(**config))


def look(d):
    return d.detect(np.zeros((96, 128, 3), np.uint8), None, CAMERA)


def test_an_answer_becomes_an_instance_with_its_mask_where_it_was_said():
    (one,) = look(detector(said(((16, 24, 48, 56), "apple", 0.8))))
    assert one.cls == "apple" and one.score == pytest.approx(0.8) and one.names[0][0] == "apple"
    assert np.abs(np.array(one.box) - (16, 24, 48, 56)).max() <= 2 and one.mask.mean() > 0.9


def test_of_two_answers_about_one_thing_the_surer_stays_and_what_lies_on_a_table_keeps_its_pixels():
    found = look(detector(said(((16, 24, 48, 56), "apple", 0.5), ((18, 24, 50, 56), "apple", 0.7), ((0, 8, 120, 88), "kitchentable", 0.9))))
    assert [(d.cls, round(d.score, 1)) for d in found] == [("kitchentable", 0.9), ("apple", 0.7)]
    table, apple = found
    left, top, _, _ = apple.box
    rows, columns = np.nonzero(apple.mask)
    assert not table.mask[rows + top - table.offset[1], columns + left - table.offset[0]].any()


def test_what_is_faint_is_said_only_of_small_things_where_somebody_is():
    somebody = ((40, 8, 80, 88), "person", 0.9)
    assert [d.cls for d in look(detector(said(somebody, ((76, 40, 88, 52), "apple", 0.1))))] == ["person", "apple"]
    assert [d.cls for d in look(detector(said(somebody, ((108, 40, 120, 52), "apple", 0.1), ((44, 60, 88, 80), "kitchentable", 0.1))))] == ["person"]
    assert [d.cls for d in look(detector(said(somebody, ((76, 40, 88, 52), "apple", 0.03))))] == ["person"]


def test_the_score_is_that_something_is_there_times_that_it_goes_by_this_name():
    def either(rgb, geometry):
        out = said(((16, 24, 48, 56), "apple", 0.6))(rgb, geometry)
        out[1][0, NAMES.index("kitchentable"), 0] = 0.2
        return out

    (one,) = look(detector(either))
    there = 1 - 0.4 * 0.8
    assert one.names == (("apple", pytest.approx(0.75)), ("kitchentable", pytest.approx(0.25))) and one.score == pytest.approx(there * 0.75)


def test_what_is_less_sure_than_asked_for_is_left_out():
    assert look(detector(said(((16, 24, 48, 56), "apple", 0.1)))) == ()


def test_the_naming_network_may_change_the_name_and_its_weight_says_how_easily():
    def second(crops, facts):
        named = np.tile(np.array([0.0, 0.05, 0.9, 0.05], np.float32), (len(crops), 1))
        return named, np.zeros((len(crops), 64, 64), np.float32)

    run = said(((16, 24, 48, 56), "apple", 0.8))
    assert [d.cls for d in look(detector(run, second, naming=0.1))] == ["apple"]
    (one,) = look(detector(run, second, naming=5.0))
    assert one.cls == "kitchentable" and dict(one.names).keys() >= {"kitchentable"}


def test_joints_are_looked_for_on_the_person_alone():
    heat = np.zeros((1, 1, 24, 32), np.float32)
    heat[0, 0, 10, 8], heat[0, 0, 2, 30] = 0.6, 0.9
    (one,) = look(detector(said(((16, 24, 48, 56), "person", 0.8), joints=heat)))
    (nose,) = one.keypoints
    assert nose.joint is Joint.NOSE and (nose.u, nose.v) == pytest.approx((33.5, 41.5), abs=1.0) and nose.score == pytest.approx(0.6)


def hands(left, right):
    """The wrists of somebody who fills a picture of 128×96, by maps with these (row, column, score) of 24×32 cells."""
    heat = np.zeros((2, 24, 32), np.float32)
    for row, peaks in zip(heat, (left, right)):
        for r, c, score in peaks:
            row[r, c] = score
    body = Cut(np.ones((90, 120), bool), 0, 0)
    return {k.joint: (round(k.u), round(k.v), round(k.score, 2)) for k in keypoints((Joint.LEFT_WRIST, Joint.RIGHT_WRIST), heat, body, CAMERA)}


def test_two_hands_are_not_told_of_one():
    both = {Joint.LEFT_WRIST: (34, 42, 0.6), Joint.RIGHT_WRIST: (98, 42, 0.5)}
    assert hands([(10, 8, 0.6)], [(10, 24, 0.5)]) == both
    assert hands([(10, 8, 0.6), (10, 24, 0.3)], [(10, 8, 0.55), (10, 24, 0.5)]) == both  # the other hand shows elsewhere, if less than the first
    assert hands([(10, 8, 0.6), (10, 24, 0.5)], [(10, 9, 0.55)]) == both  # by either map
    assert hands([(10, 8, 0.6)], [(10, 9, 0.55)]) == {Joint.LEFT_WRIST: both[Joint.LEFT_WRIST]}  # nor elsewhere


@pytest.mark.parametrize("change, message", [({"format": "other"}, "format"), ({"classes": json.dumps(["apple", "unicorn"])}, "unicorn"),
                                             ({"size": json.dumps([100, 96])}, "multiples of 32"), ({"joints": "?"}, "metadata")])
def test_weights_of_another_kind_are_refused(change, message, tmp_path):
    meta = {"format": FORMAT, "geometry": json.dumps(GEOMETRY), "classes": json.dumps(NAMES), "size": json.dumps([128, 96]), "joints": json.dumps(["nose"])}
    Header.parse(meta, tmp_path)
    with pytest.raises(DetectorError, match=message):
        Header.parse({**meta, **change}, tmp_path)


def test_training_asks_for_every_visible_thing_where_it_is():
    ids = np.zeros((96, 128), np.uint16)
    ids[40:80, 20:100], ids[30:34, 50:53], ids[10, 10] = 7, 9, 4
    one = LabelledImage(np.zeros((96, 128, 3), np.uint8), np.ones((96, 128), np.float32), ids,
                        {7: ("table_1", "kitchentable"), 9: ("apple_1", "apple"), 4: ("plate_1", "plate")}, CAMERA, np.eye(4), {7: {JOINTS[0]: (60.0, 60.0)}})
    asked = thing_targets(one, (128, 96))
    things = asked["things"][asked["things"][:, 0] >= 0]
    assert [CLASSES[int(c) + 1] for c in things[:, 0]] == ["kitchentable", "apple"]  # the larger first, one pixel of plate is not asked for
    assert things[0, 1:] * (128, 96, 128, 96) == pytest.approx((60, 60, 80, 40)) and things[1, 1:] * (128, 96, 128, 96) == pytest.approx((51.5, 32, 3, 4))
    assert asked["instances"][15, 10] == 1 and (asked["instances"] == 2).any() and asked["instances"][0, 0] == 0
    assert asked["joints"][0].max() == 1.0 and np.unravel_index(asked["joints"][0].argmax(), (24, 32)) == (15, 15)
    assert INDEX["apple"] == CLASSES.index("apple")


def test_from_images_to_weights_that_load_and_resume(tmp_path, capsys):
    pytest.importorskip("ultralytics")
    out = tmp_path / "rgbd.onnx"
    tiny = ["train", "detector", "--data", str(tmp_path), "--output", str(out), "--homes", "1", "--images", "2", "--test-homes", "1", "--image-size", "160x120",
            "--resolution", "160x120", "--batch", "2", "--backbone", "none", "--save-every", "1"]
    assert cli.main([*tiny, "--steps", "1"]) == 0
    assert cli.main([*tiny, "--steps", "2", "--resume"]) == 0
    card = json.loads(out.with_suffix(".json").read_text())
    assert card["training"]["rgbd"]["steps"] == 2 and 0.0 <= card["scores"]["mask_map50"] <= 1.0
    one = read_image(list_shards(tmp_path / "test")[0].path, 0)
    with pytest.warns(UserWarning, match="miss their targets"):
        trained = detectors.create("rgbd", weights=out, score_threshold=0.01)
    assert trained.classes == CLASSES[1:] and out.stat().st_size < 16_000_000
    for d in trained.detect(one.color, one.depth, one.camera):
        left, top, right, bottom = d.box
        assert 0 <= left < right <= one.camera.width and 0 <= top < bottom <= one.camera.height
    with pytest.raises(ValueError, match="depth is"):
        trained.detect(one.color, one.depth[:-1], one.camera)
    with pytest.warns(UserWarning, match="miss their targets"):
        other = detectors.create("rgbd", weights=out, score_threshold=0.01, runtime="torch", device="cpu")
    assert len(other.detect(one.color, one.depth, one.camera)) == len(trained.detect(one.color, one.depth, one.camera))
    assert cli.main([*tiny[:-4], "--backbone", str(tmp_path / "none.pt"), "--steps", "3", "--run", str(tmp_path / "other")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_the_shipped_weights_are_those_of_their_card():
    import hashlib

    from perception.detectors.rgbd import WEIGHTS

    card = json.loads(WEIGHTS.with_suffix(".json").read_text())
    assert card["sha256"] == hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() and card["scores"]["splits"] == ["test"]
    assert card["bytes"] < 16_000_000 and detectors.DEFAULT == "rgbd"


@pytest.mark.filterwarnings("ignore:weights")
def test_the_shipped_weights_find_people_and_furniture_where_they_are():
    from sim_bridges.embedded.simulator import open_simulator

    sim = open_simulator(home="maple", story="false_belief", seed=0, width=640, height=480)
    for _ in range(3):
        sim.advance(0.5)
    frame, shipped = sim.frame(), detectors.create("rgbd")
    found = shipped.detect(frame.color, frame.depth, frame.camera, frame.camera_pose)
    truth = {i: (e.entity, e.cls) for i, e in frame.instances.items()}
    large = {i for i in truth if (frame.ids == i).sum() > 6000}
    hits = 0
    for i in large:
        mask = frame.ids == i
        for d in found:
            left, top, right, bottom = d.box
            own = int(mask[top:bottom, left:right][d.mask].sum())
            hits += d.cls == truth[i][1] and own > 0.5 * (int(d.mask.sum()) + int(mask.sum()) - own)
    assert large and hits >= 0.6 * len(large)
