"""Detectors with the user's own weights, and the arithmetic of scores."""

import numpy as np
import pytest

from evaluation.detector_score import SizedScore
from evaluation.detector_yolo import label_lines
from household.camera import CameraModel
from perception import detectors
from perception.detectors import DetectorError, threading
from perception.detectors.base import Detection
from perception.detectors.open_vocabulary import OpenVocabularyDetector, Proposal, mask_in_box
from perception.detectors.ultralytics import household_names
from perception.training.shards import INDEX, LabelledImage

CAMERA = CameraModel.from_fov(80, 60, 80)


@pytest.mark.parametrize("name", ["ultralytics", "open_vocabulary"])
def test_without_weights_one_is_told_what_to_give(name, tmp_path):
    with pytest.raises(DetectorError, match=f"'{name}' comes without weights"):
        detectors.create(name)
    with pytest.raises(DetectorError, match="nowhere.pt' are missing"):
        detectors.create(name, weights=tmp_path / "nowhere.pt")
    broken = tmp_path / "broken.pt"
    broken.write_bytes(b"not weights")
    with pytest.raises(DetectorError, match="broken.pt' cannot be loaded"):
        detectors.create(name, weights=broken)


def test_a_folder_that_is_no_model_is_named(tmp_path):
    with pytest.raises(DetectorError, match="no transformers model"):
        detectors.create("open_vocabulary", weights=tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(DetectorError, match="model_type 'bert'"):
        detectors.create("open_vocabulary", weights=tmp_path)


def test_class_names_of_other_people_become_household_classes():
    names = {0: "person", 1: "couch", 2: "airplane", 3: "refrigerator", 4: "wine glass"}
    assert household_names(names, None, "w") == {0: "person", 1: "sofa", 3: "fridge", 4: "wineglass"}
    assert household_names(names, {"airplane": "toy"}, "w")[2] == "toy"
    with pytest.raises(DetectorError, match="'airplane' → 'aeroplane'"):
        household_names(names, {"airplane": "aeroplane"}, "w")
    with pytest.raises(DetectorError, match="no class 'boat'"):
        household_names(names, {"boat": "toy"}, "w")
    with pytest.raises(DetectorError, match="none of their classes"):
        household_names({0: "airplane"}, None, "w")


def test_a_box_becomes_the_thing_in_it_by_depth():
    depth = np.full((60, 80), 3.0, np.float32)
    depth[20:40, 30:50] = 1.0
    mask = mask_in_box(depth, (25, 15, 55, 45), "apple", CAMERA)
    assert int(mask.sum()) == 400 and mask[20:40, 30:50].all()
    assert int(mask_in_box(None, (25, 15, 55, 45), "apple", CAMERA).sum()) == 900
    assert not mask_in_box(depth, (90, 15, 99, 45), "apple", CAMERA).any()


def test_of_two_words_for_one_thing_the_surer_stays():
    said = [Proposal("mug", 0.4, (10, 10, 30, 30)), Proposal("waterglass", 0.7, (11, 10, 30, 31)), Proposal("apple", 0.3, (50, 10, 60, 20))]
    found = OpenVocabularyDetector(lambda color: said, ("mug", "waterglass", "apple")).detect(np.zeros((60, 80, 3), np.uint8), None, CAMERA)
    assert [d.cls for d in found] == ["waterglass", "apple"]


def full(cls, score, r0, r1, c0, c1):
    return Detection(cls, score, np.ones((r1 - r0, c1 - c0), bool), (c0, r0))


def test_average_precision_by_hand():
    """Two true apples (400 and 16 pixels). Said: the large one, a ghost, the small one: precision 1, 1/2, 2/3 at recall 1/2, 1/2, 1."""
    ids = np.zeros((60, 80), np.uint16)
    ids[10:30, 10:30], ids[40:44, 60:64] = 1, 2
    table = {1: ("apple_1", "apple"), 2: ("apple_2", "apple")}
    judge = SizedScore()
    judge.add([full("apple", 0.9, 10, 30, 10, 30), full("apple", 0.8, 0, 5, 0, 5), full("apple", 0.7, 40, 44, 60, 64)], ids, table)
    assert judge.average_precision("apple", of_boxes=False) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert judge.average_precision("apple", of_boxes=True) == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    assert judge.summary()["mask_map50_ge100px"] == 1.0
    assert judge.count_by_size() == {"4-24": 1, "25-99": 0, "100-399": 0, "400-1599": 1, "1600-6399": 0, "6400+": 0}
    assert judge.recall_by_size()["4-24"] == 1.0 and judge.recall_by_size()["25-99"] is None


def test_the_wrong_class_or_half_a_mask_is_a_miss_and_a_second_hit_counts_once():
    ids = np.zeros((60, 80), np.uint16)
    ids[10:30, 10:30] = 1
    table = {1: ("apple_1", "apple")}
    for said, expected in (([full("mug", 0.9, 10, 30, 10, 30)], 0.0), ([full("apple", 0.9, 10, 30, 10, 19)], 0.0),
                           ([full("apple", 0.9, 10, 30, 10, 30), full("apple", 0.8, 10, 30, 10, 29)], 1.0),
                           ([full("apple", 0.9, 0, 5, 0, 5), full("apple", 0.8, 10, 30, 10, 30)], 0.5)):
        judge = SizedScore()
        judge.add(said, ids, table)
        assert judge.average_precision("apple", of_boxes=False) == expected
        assert judge.recall_by_size()["400-1599"] == (1.0 if expected else 0.0)


def test_yolo_lines_outline_what_is_there():
    ids = np.zeros((60, 80), np.uint16)
    ids[10:30, 20:40], ids[50, 50] = 3, 4
    one = LabelledImage(np.zeros((60, 80, 3), np.uint8), np.zeros((60, 80), np.float32), ids, {3: ("mug_1", "mug"), 4: ("pen_1", "pen")},
                        CAMERA, np.eye(4), {})
    lines = label_lines(one)
    assert len(lines) == 1
    number, *points = lines[0].split()
    xy = np.array(points, float).reshape(-1, 2) * (80, 60)
    assert int(number) == INDEX["mug"] - 1 and xy.min(axis=0) == pytest.approx([20.5, 10.5], abs=0.01) and xy.max(axis=0) == pytest.approx([39.5, 29.5], abs=0.01)


def test_threads_are_all_cores_but_not_many_and_only_where_a_backend_has_the_choice():
    assert 1 <= threading("rgbd")["threads"] <= 4 and threading("light", 7) == {"threads": 7} and threading("simulator", 7) == {}
    with pytest.raises(DetectorError, match="threads -1"):
        threading("rgbd", -1)
