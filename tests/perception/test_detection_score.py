"""Average precision, on counted examples; and the command's refusals."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.cli import main
from evaluation.detection_score import DetectionScore, all_names
from perception.detectors.base import Detection

TABLE = {1: ("apple_1", "apple"), 2: ("apple_2", "apple"), 3: ("mug_1", "mug")}


def image():
    ids = np.zeros((40, 60), np.uint16)
    ids[5:17, 5:17], ids[5:11, 30:36], ids[25:35, 10:30] = 1, 2, 3  # 144, 36 and 200 pixels
    return ids


def found(cls, score, rows, columns):
    mask = np.zeros((40, 60), bool)
    mask[slice(*rows), slice(*columns)] = True
    return Detection.from_full_mask(cls, score, mask)


def test_perfect_detections_score_one():
    score = DetectionScore()
    score.add([found("apple", 0.9, (5, 17), (5, 17)), found("apple", 0.8, (5, 11), (30, 36)), found("mug", 0.7, (25, 35), (10, 30))], image(), TABLE)
    s = score.summary()
    assert s["box_map50"] == s["mask_map50"] == s["mask_map50_ge100px"] == 1.0 and s["instances_by_class"] == {"apple": 2, "mug": 1}


def test_a_miss_a_false_alarm_and_a_double_cost_what_they_should():
    score = DetectionScore()
    score.add([found("apple", 0.9, (5, 17), (5, 17)), found("apple", 0.8, (5, 17), (5, 16)), found("mug", 0.7, (0, 8), (40, 50))], image(), TABLE)
    assert score.average_precision("apple", of_boxes=False) == pytest.approx(0.5)  # one of two found, the double is false but comes later
    assert score.average_precision("mug", of_boxes=False) == 0.0
    assert score.average_precision("apple", of_boxes=False, least=100) == 1.0  # the small one is not asked for
    assert score.average_precision("chips", of_boxes=True) is None


def test_the_first_name_alone_and_all_names_are_two_figures():
    score = DetectionScore()
    mug = replace(found("mug", 0.6, (5, 17), (5, 17)), names=(("mug", 0.6), ("apple", 0.3)))
    assert [(d.cls, pytest.approx(d.score)) for d in all_names(mug)] == [("mug", 0.6), ("apple", 0.3)]
    score.add([mug, found("mug", 0.5, (25, 35), (10, 30))], image(), TABLE)
    s = score.summary()
    assert s["mask_map50"] == pytest.approx(0.25) and s["mask_map50_ge100px"] == pytest.approx(0.25)  # no apple; the mug behind a false one
    assert s["mask_map50_all_names"] == pytest.approx(0.5) and s["mask_map50_all_names_ge100px"] == pytest.approx(0.75)
    assert all_names(found("mug", 0.5, (0, 5), (0, 5)))[1:] == []  # who offers one name stands under one


@pytest.mark.parametrize("args, words", [
    (["--count", "0"], "--count 0: must be 1 to 1000"),
    (["--rate", "0.1"], "--rate 0.1"),
    (["--perception", "simulator", "--home", "nowhere"], "--home nowhere"),
    (["--detector", "magic"], "unknown detector 'magic'"),
])
def test_bad_usage_is_named_and_exits_2(args, words, capsys):
    assert main(["eval", "perception", *args]) == 2
    assert words in capsys.readouterr().err
