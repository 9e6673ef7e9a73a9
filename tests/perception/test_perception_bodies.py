"""Parts of one body are one detection; two people stay two."""

from types import SimpleNamespace

import numpy as np
import pytest

from perception.bodies import complete, whole, without_bodies
from perception.detectors.base import Detection, Joint, Keypoint
from perception.geometry import Box

HEAD_AND_ARM, REST = (10, 10, 30, 30), (25, 20, 50, 90)
JOINTS = tuple(Keypoint(j, u, v, s) for j, u, v, s in ((Joint.LEFT_SHOULDER, 28, 25, 0.5), (Joint.LEFT_ELBOW, 24, 28, 0.6), (Joint.LEFT_HIP, 40, 55, 0.4)))


def part(box, joints=(), name=None, score=0.5):
    left, top, right, bottom = box
    return Detection("person", score, np.ones((bottom - top, right - left), bool), (left, top), tuple(joints), name)


def at(*depths):
    """A picture of 100 × 100 pixels with these depths in the two boxes, m."""
    depth = np.full((100, 100), 5.0, np.float32)
    for (left, top, right, bottom), z in zip((REST, HEAD_AND_ARM), depths):
        depth[top:bottom, left:right] = z
    return depth


def test_parts_with_the_same_joints_are_one_person_with_the_best_of_both():
    arm = part(HEAD_AND_ARM, (*(k for k in JOINTS[:2]), Keypoint(Joint.LEFT_HIP, 40, 55, 0.9), Keypoint(Joint.LEFT_WRIST, 11, 29, 0.7)))
    (one,) = whole((arm, part(REST, JOINTS, score=0.8)), at(3.0, 3.0))
    assert one.box == (10, 10, 50, 90) and one.score == 0.8 and one.mask.sum() == 20 * 20 + 25 * 70 - 5 * 10
    assert {k.joint: k.score for k in one.keypoints}[Joint.LEFT_HIP] == 0.9 and len(one.keypoints) == 4


def test_without_joints_it_takes_a_small_part_in_the_box_at_the_same_depth():
    small = (20, 30, 40, 50)
    assert len(whole((part(small), part(REST)), at(3.0))) == 1
    behind = at(3.0)
    behind[30:50, 20:25] = 3.9
    apart = Detection("person", 0.5, np.eye(20, dtype=bool) & (np.arange(20) < 5), (20, 30))  # seen past the first, a metre behind
    assert len(whole((apart, part(REST)), behind)) == 2


def test_people_beside_each_other_and_people_with_names_stay_two():
    other = tuple(Keypoint(k.joint, k.u + 30, k.v, k.score) for k in JOINTS)
    assert len(whole((part(REST, JOINTS), part((55, 20, 80, 90), other)), at(3.0))) == 2
    assert len(whole((part(REST, JOINTS, "alice"), part(HEAD_AND_ARM, JOINTS, "david")), at(3.0, 3.0))) == 2


@pytest.mark.parametrize("deeper, people", [(0.1, 1), (0.3, 2)])
def test_of_about_as_many_pixels_only_what_is_at_nearly_the_same_depth_is_one_person(deeper, people):
    """Two cuts of one body, of one box; or somebody close beside somebody else."""
    left, top, right, bottom = REST
    upper = np.zeros((bottom - top, right - left), bool)
    upper[:40] = True
    depth = at(3.0)
    depth[60:90, left:right] = 3.0 + deeper
    assert len(whole((Detection("person", 0.7, upper, (left, top)), Detection("person", 0.4, ~upper, (left, top))), depth)) == people


@pytest.mark.parametrize("deeper, people", [(0.25, 1), (0.5, 2)])
def test_one_above_the_other_at_the_same_depth_is_one_person(deeper, people):
    """Head and hand of somebody whose middle the picture's edge cuts off, or a table hides; or the head of somebody behind somebody else."""
    head, hand = (0, 5, 20, 40), (0, 55, 14, 80)
    depth = at(3.0)
    depth[5:40, 0:20], depth[55:80, 0:14] = 2.0 + deeper, 2.0
    assert len(whole((part(head), part(hand)), depth)) == people
    assert len(whole((part(head), part((30, 55, 44, 80))), depth)) == 2  # beside it


BACK, HEAD, FOCAL = (20, 40, 50, 90), (46, 28, 58, 40), 150.0  # 3 m off a pixel is 2 cm
BENT = (Keypoint(Joint.LEFT_SHOULDER, 44, 44, 0.7), Keypoint(Joint.LEFT_HIP, 28, 60, 0.6))


def called(cls, box):
    left, top, right, bottom = box
    return Detection(cls, 0.5, np.ones((bottom - top, right - left), bool), (left, top))


@pytest.mark.parametrize("box, joints, name, off, joined", [
    (HEAD, BENT, None, 0.0, True),
    (HEAD, (*BENT, Keypoint(Joint.LEFT_EAR, 49, 44, 0.6)), None, 0.0, False),  # their head is seen elsewhere
    (HEAD, (*BENT, Keypoint(Joint.RIGHT_WRIST, 51, 35, 0.7)), None, 0.0, False),  # in a hand
    (HEAD, BENT, "alice", 0.0, False),
    (HEAD, BENT, None, 1.0, False),  # a metre nearer
    ((48, 70, 60, 82), BENT, None, 0.0, False),  # at their knees
    ((47, 37, 50, 40), BENT, None, 0.0, False),  # too small
])
def test_a_thing_where_a_bent_head_must_be_that_nobody_saw_is_that_head(box, joints, name, off, joined):
    depth = np.full((100, 100), 3.0, np.float32)
    depth[box[1]:box[3], box[0]:box[2]] -= off
    found = complete((called("bread", box), part(BACK, joints, name)), depth, FOCAL)
    assert len(found) == (1 if joined else 2)
    assert not joined or found[0].cls == "person" and found[0].box == (20, 28, 58, 90) and found[0].score == 0.5


def test_a_trunk_and_then_a_head_that_were_taken_for_things_are_joined_to_the_legs():
    legs, trunk, head = part((20, 60, 40, 95)), called("pillow", (30, 44, 50, 62)), called("toy", (48, 34, 60, 46))
    (one,) = complete((head, trunk, legs), np.full((100, 100), 3.0, np.float32), FOCAL)
    assert one.cls == "person" and one.box == (20, 34, 60, 95)
    beside = called("bucket", (38, 84, 52, 95))
    assert len(complete((beside, legs), np.full((100, 100), 3.0, np.float32), FOCAL)) == 2
    assert len(complete((called("fridge", (30, 44, 50, 62)), legs), np.full((100, 100), 3.0, np.float32), FOCAL)) == 2


@pytest.mark.parametrize("cls, at, side, known, unseen, stays", [
    ("pillow", (2.1, 1.0, 0.6), 0.3, None, 0.6, False),
    ("pillow", (2.1, 1.0, 0.6), 0.3, None, 0.0, True),  # they are made out beside it
    ("pillow", (2.1, 1.0, 0.6), 0.3, None, 5.0, True),  # they may have gone
    ("pillow", (2.7, 1.0, 0.6), 0.3, None, 0.6, True),
    ("pillow", (2.1, 1.0, 0.6), 0.3, (2.1, 0.9, 0.6), 0.6, True),  # it lies there
    ("mug", (2.1, 1.0, 0.6), 0.06, None, 0.6, True),
    ("kitchencabinet", (2.1, 1.0, 0.6), 0.3, None, 0.6, True),
])
def test_what_shows_right_where_somebody_was_a_moment_ago_who_is_not_made_out_is_them(cls, at, side, known, unseen, stays):
    one = SimpleNamespace(cls=cls, box=Box(at, (side, side, side)))
    alice = SimpleNamespace(visible=unseen == 0.0, named=False, last_seen=20.0 - unseen, position=(2.0, 1.0))
    things = [SimpleNamespace(box=Box(known, (side, side, side)))] if known else []
    assert without_bodies([one], [alice], things, 20.0) == ((one,) if stays else ())
