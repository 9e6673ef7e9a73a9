"""Two who are found as one are told apart; one who is found whole stays one."""

from dataclasses import replace

import numpy as np
import pytest

from perception.config import PerceptionConfig
from perception.detectors.base import Detection, Joint, Keypoint
from perception.merged import parted
from tests.perception.raycast import Scene, look, person, play

RED, BLUE = (180, 40, 40), (40, 40, 180)
CONFIG = PerceptionConfig()


def shown(stamp, *people, merged=(), names=False):
    """Somebody at each (name, x, y, colour), seen from the doorway; those ``merged`` in one detection."""
    frame = Scene([s for name, x, y, color in people for s in person(name, x, y, color=color)], pose=look(4.3, 2.5, np.pi)).frame(stamp)
    found = tuple(d if names else replace(d, identity=None) for d in frame.detections)
    together = [d for d in found if d.instance in merged]
    if together:
        full = np.zeros(frame.depth.shape, bool)
        for d in together:
            left, top, right, bottom = d.box
            full[top:bottom, left:right] |= d.mask
        found = (*(d for d in found if d.instance not in merged), Detection.from_full_mask("person", 0.9, full))
    return replace(frame, detections=found)


def followed(colours=(RED, BLUE), merged=("a", "b"), names=False, last=((1.5, 2.3), (1.5, 2.7))):
    """Two walk towards each other; where they are beside each other they are ``merged``. (state before that picture, it)."""
    frames = [shown(0.4 * i, ("a", 1.5, 1.7 + 0.1 * i, colours[0]), ("b", 1.5, 3.3 - 0.1 * i, colours[1]), names=names) for i in range(1, 6)]
    return frames, shown(2.4, ("a", *last[0], colours[0]), ("b", *last[1], colours[1]), merged=merged, names=names)


def test_two_who_are_found_as_one_stay_two():
    frames, one = followed()
    _, graphs, _ = play([*frames, one])
    before, now = ({p.id: p.position[1] for p in g.people() if p.visible} for g in graphs[-2:])
    assert sum(d.cls == "person" for d in one.detections) == 1 and set(now) == set(before) == {"person_1", "person_2"}
    assert now["person_1"] == pytest.approx(2.3, abs=0.12) and now["person_2"] == pytest.approx(2.7, abs=0.12)


def parts(*args, **more):
    frames, one = followed(*args, **more)
    state, _, _ = play(frames)
    return one, [d for d in parted(one.detections, state.people, one, CONFIG) if d.cls == "person"]


def test_no_pixel_is_lost_and_joints_go_with_their_part():
    frames, one = followed()
    state, _, _ = play(frames)
    (whole,) = (d for d in one.detections if d.cls == "person")
    left, top, right, bottom = whole.box
    ends = tuple(Keypoint(j, u, (top + bottom) / 2, 0.9) for j, u in ((Joint.LEFT_WRIST, left + 2), (Joint.RIGHT_WRIST, right - 3)))
    two = parted((replace(whole, keypoints=ends),), state.people, one, CONFIG)
    assert len(two) == 2 and sum(int(d.mask.sum()) for d in two) == int(whole.mask.sum())
    assert sorted(len(d.keypoints) for d in two) == [1, 1]
    for d in two:
        assert d.box[0] <= d.keypoints[0].u <= d.box[2]


@pytest.mark.parametrize("more", [
    {"colours": (RED, RED)},  # who look alike are not told apart
    {"merged": ()},  # both are found
    {"names": True, "merged": ()},
    {"last": ((1.5, 2.3), (4.8, 4.9))},  # the other is out of the picture
])
def test_who_is_found_whole_stays_one(more):
    one, found = parts(**more)
    assert [id(d) for d in found] == [id(d) for d in one.detections if d.cls == "person"]
