"""Furniture as a detector sees it, told apart by the map: one mask over two cupboards, a wrong name, and what the map does not have."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.known_pieces import boxes_of, told_apart
from household.camera import CameraModel
from perception.detectors.base import Detection
from sim_bridges.embedded.model import Furniture

CAMERA = CameraModel.from_fov(160, 120, 69.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # 1 m up, looks along +x
FRONT = 2.0  # m: x of the cupboards' fronts
PIECES = boxes_of([Furniture(f"cabinet_{n}", "cabinet", "hall", (FRONT + 0.2, y, 0.6), np.pi, (0.6, 0.4, 0.8)) for n, y in ((1, 0.32), (2, -0.32))])


def column(y, x=FRONT):
    return int(round(CAMERA.cx - y / x * CAMERA.fx))


def row(z, x=FRONT):
    return int(round(CAMERA.cy - (z - 1.0) / x * CAMERA.fy))


def detected(cls, low, high, score=0.9):
    mask = np.ones((row(0.65) - row(1.35), column(low) - column(high)), dtype=bool)
    return Detection(cls, score, mask, (column(high), row(1.35)))


def wall(x=FRONT):
    return np.full((CAMERA.height, CAMERA.width), x, dtype=np.float32)


def test_one_mask_over_two_cupboards_is_two_cut_where_they_meet():
    found = told_apart([detected("cabinet", -0.6, 0.6)], wall(), CAMERA, POSE, PIECES)
    assert [d.cls for d in found] == ["cabinet", "cabinet"]
    left, right = sorted(found, key=lambda d: d.box[0])
    assert left.box[2] == pytest.approx(column(0.0), abs=2) and right.box[0] == pytest.approx(column(0.0), abs=2)
    assert left.mask.sum() + right.mask.sum() == detected("cabinet", -0.6, 0.6).mask.sum()


def test_a_piece_is_called_what_the_map_calls_it_and_seen_twice_is_one():
    named, other = detected("cabinet", 0.1, 0.3), detected("wardrobe", 0.3, 0.55, 0.99)
    (alone,) = told_apart([other], wall(), CAMERA, POSE, PIECES)
    assert (alone.cls, alone.score) == ("cabinet", 0.99)
    (both,) = told_apart([named, other], wall(), CAMERA, POSE, PIECES)
    assert both.box == named.box  # what has the piece's own name counts
    (joined,) = told_apart([named, detected("cabinet", 0.3, 0.55, 0.5)], wall(), CAMERA, POSE, PIECES)
    assert (joined.box[0], joined.box[2], joined.score) == (column(0.55), column(0.1), 0.9)


def test_the_wall_beside_a_piece_is_not_seen_as_part_of_it():
    depth = wall()
    depth[:, :column(0.62)] = FRONT + 0.3  # where the left one ends
    (seen,) = told_apart([detected("cabinet", 0.1, 0.8)], depth, CAMERA, POSE, PIECES)
    assert seen.box[0] == pytest.approx(column(0.62), abs=2) and seen.box[2] == column(0.1)


def test_what_lies_on_no_piece_of_the_map_and_what_is_no_furniture_stays():
    mug, far = detected("mug", -0.2, 0.2), detected("cabinet", -0.6, 0.6)
    assert told_apart([mug], wall(), CAMERA, POSE, PIECES) == (mug,)
    assert told_apart([far], wall(4.0), CAMERA, POSE, PIECES) == (far,)


def test_a_wheelchair_where_a_bed_stands_is_the_bed():
    bed = boxes_of([Furniture("bed_1", "bed", "hall", (FRONT + 0.9, 0.3, 0.5), np.pi, (0.6, 1.8, 1.0))])
    (seen,) = told_apart([detected("wheelchair", 0.1, 0.5)], wall(), CAMERA, POSE, bed)
    assert (seen.cls, seen.score) == ("bed", 0.9)
    beside, before = detected("wheelchair", -0.3, 0.4), detected("wheelchair", 0.1, 0.5)
    assert told_apart([beside], wall(), CAMERA, POSE, bed) == (beside,)
    assert told_apart([before], wall(FRONT - 0.4), CAMERA, POSE, bed) == (before,)
    assert told_apart([before], wall(), CAMERA, POSE, PIECES) == (before,)  # it may be half under a table


def test_a_door_that_stands_out_between_two_is_the_one_s_that_shows_its_inside():
    depth = wall()
    depth[:, column(0.0):column(-0.6)] = FRONT + 0.35  # the right one is open: one sees its back
    depth[:, column(0.05, 1.8):column(-0.05, 1.8)] = 1.8  # its door stands out between the two
    found = told_apart([detected("cabinet", -0.6, 0.6)], depth, CAMERA, POSE, PIECES)
    door = slice(column(0.05, 1.8) + 2, column(-0.05, 1.8) - 2)

    def share(d):
        whole = np.zeros(depth.shape, dtype=bool)
        whole[d.box[1]:d.box[3], d.box[0]:d.box[2]] = d.mask
        return whole[row(1.2):row(0.8), door].mean()

    owner = max(found, key=lambda d: d.box[2])
    assert share(owner) == 1.0 and share(min(found, key=lambda d: d.box[2])) == 0.0


def test_a_door_that_stands_out_is_not_the_one_s_whose_front_shows_whole_though_the_other_hides_behind_its_user():
    """The right one is open, somebody stands before it: of it nothing shows but its door."""
    depth = wall()
    edge = column(0.02, 1.8)
    depth[:, edge:column(-0.06, 1.8)] = 1.8
    mask = detected("cabinet", -0.06, 0.6)
    found = told_apart([mask], depth, CAMERA, POSE, PIECES)
    left, right = sorted(found, key=lambda d: d.box[0])
    assert left.box[2] == pytest.approx(edge, abs=3) and right.box[0] == pytest.approx(edge, abs=3)
