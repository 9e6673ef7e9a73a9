"""Faint detections: they count at somebody's wrist, as sights of what somebody has, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from household.camera import CameraModel
from household.scene_graph import Openness, Tracking
from perception import faint, sightings, thing_track, things
from perception.cells import Cells
from perception.config import PerceptionConfig, suited
from perception.detectors.base import FALLIBLE, Detection, Joint, Keypoint
from perception.frame import FrameInput
from perception.geometry import Box
from perception.lifting import Lifted
from perception.people import alike, look_of, update
from perception.places import PlaceTrack

CAMERA = CameraModel.from_fov(128, 96, 70)
CONFIG = suited(PerceptionConfig(), FALLIBLE)
OPTICAL = np.array([[0, 0, 1, 0], [-1, 0, 0, 0], [0, -1, 0, 1.2], [0, 0, 0, 1]], float)  # looks along x of the map from 1.2 m


def frame(*detections, depth=2.0, stamp=0.0, colour=90):
    image = None if depth is None else np.full((96, 128), depth, np.float32)
    return FrameInput(stamp, np.full((96, 128, 3), colour, np.uint8), image, CAMERA, OPTICAL, None, tuple(detections))


def person(u, v, score=0.9):
    return Detection("person", score, np.ones((60, 20), bool), (40, 20), (Keypoint(Joint.LEFT_WRIST, u, v, 0.9),))


def at(u, v, cls="apple", score=0.1, size=4):
    return Detection(cls, score, np.ones((size, size), bool), (u - size // 2, v - size // 2), names=((cls, 0.6), ("orange", 0.4)))


def test_what_is_faint_counts_at_a_wrist_and_nowhere_else():
    holder, held, elsewhere, sure = person(62, 50), at(64, 52), at(110, 80), at(20, 20, score=0.5)
    kept = faint.without_strays((holder, held, elsewhere, sure), frame(holder, held), CONFIG)
    assert kept == (holder, held, sure)


@pytest.mark.parametrize("other", (at(64, 52, score=0.01), at(64, 52, cls="kitchentable"), at(64, 52, size=60)))
def test_not_the_very_faint_nor_furniture_nor_what_is_large(other):
    holder = person(62, 50)
    assert faint.without_strays((holder, other), frame(), CONFIG) == (holder,)


def test_nobody_who_is_faint_themselves_holds_anything_and_without_depth_nobody_does():
    assert faint.without_strays((person(62, 50, 0.1), at(64, 52)), frame(), CONFIG) == ()
    holder = person(62, 50)
    assert faint.without_strays((holder, at(64, 52)), frame(depth=None), CONFIG) == (holder,)


def test_by_default_nothing_fainter_counts_in_a_hand():
    holder = person(62, 50)
    assert faint.without_strays((holder, at(64, 52)), frame(), PerceptionConfig()) == (holder,)


def lifted(one, shot):
    from perception.lifting import lift

    return lift(replace(shot, detections=(one,)), CONFIG)


def test_a_faint_sight_begins_no_new_thing_but_goes_on_with_what_is_gone_from_its_place():
    shot = frame(stamp=1.0)
    around = thing_track.Surroundings(shot, {}, {}, None, CONFIG, 0.3)
    seen = lifted(at(64, 52), shot)
    assert isinstance(seen[0], Lifted) and things.update((), seen, around, {}).tracks == ()
    known = thing_track.ThingTrack("apple_1", "apple", Box(seen[0].box.centre, (0.08, 0.08, 0.08)), Tracking.LOST, 0.7, 0.0, hits=5)
    (track,) = things.update((known,), seen, around, {"apple": 1}).tracks
    assert track.id == "apple_1" and track.visible and track.hits == 6


@pytest.mark.parametrize("score, looks", ((0.9, 1), (0.6, CONFIG.confirm_frames)))
def test_but_in_the_hand_of_somebody_who_is_followed_it_does(score, looks):
    holder, now = person(62, 50, score), None
    for k in range(4):
        shot = frame(holder, stamp=0.3 * k)
        now = update(now.tracks if now else (), lifted(holder, shot), shot, now.counters if now else {}, (), CONFIG)
        crowd = {p.id: p for p in now.tracks}
        around = thing_track.Surroundings(shot, {}, crowd, None, CONFIG, 0.3)
        tracks = things.update((), lifted(at(64, 52), shot), around, {}).tracks
        assert [t.holder for t in tracks] == ([] if k < looks - 1 else ["person_1"])
    assert things.update((), lifted(at(110, 80), shot), around, {}).tracks == ()


@pytest.mark.parametrize("guessed, known", ((True, True), (False, False)))
def test_a_faint_sight_at_a_hand_in_a_cupboard_is_what_is_only_concluded_to_be_somewhere_in_there(guessed, known):
    holder, now = person(62, 50), None
    for k in range(CONFIG.confirm_frames):
        shot = frame(holder, stamp=0.3 * k)
        now = update(now.tracks if now else (), lifted(holder, shot), shot, now.counters if now else {}, (), CONFIG)
    (seen,) = lifted(at(64, 52), shot)
    x, y, z = seen.box.centre
    cupboard = PlaceTrack("kitchencabinet_1", "kitchencabinet", Cells(), Box((x, y + 0.2, z), (0.8, 0.8, 0.8)), 0.0, hits=9, openness=Openness.OPEN)
    put = thing_track.ThingTrack("apple_1", "apple", Box((x, y + 0.3, z + 0.2), (0.08, 0.08, 0.08)), Tracking.OCCLUDED, 0.0, 0.0, hits=5, place=cupboard.id, inside=True, guessed=guessed)
    around = thing_track.Surroundings(shot, {cupboard.id: cupboard}, {p.id: p for p in now.tracks}, None, CONFIG, 0.3)
    (sighting,) = sightings.matched([seen], {put.id: put}, {}, around)
    assert sighting.known == ("apple_1" if known else None)


def test_what_was_in_the_hand_of_somebody_who_is_forgotten_is_in_nobodys():
    shot = frame(stamp=1.0)
    around = thing_track.Surroundings(shot, {}, {}, None, CONFIG, 0.3)
    seen = lifted(at(64, 52, score=0.9), shot)
    held = thing_track.ThingTrack("apple_1", "apple", Box(seen[0].box.centre, (0.08, 0.08, 0.08)), Tracking.HELD, 0.7, 0.0, holder="person_9", hits=5)
    (track,) = things.update((held,), seen, around, {"apple": 1}).tracks
    assert (track.id, track.holder, track.visible) == ("apple_1", None, True)
    (unseen,) = things.update((held,), (), around, {"apple": 1}).tracks
    assert unseen.holder is None and not unseen.visible


def test_whom_the_first_glance_did_not_know_again_is_known_by_the_second():
    def seen(stamp, colour, tracks, counters):
        body = Detection("person", 0.9, np.ones((60, 20), bool), (40, 20))
        shot = frame(body, stamp=stamp, colour=colour)
        return update(tracks, lifted(body, shot), shot, counters, (), CONFIG)

    red, blue = (200, 30, 30), (30, 30, 200)
    now = seen(0.0, red, (), {})
    for k in range(1, 5):
        now = seen(0.3 * k, red, now.tracks, now.counters)
    away = seen(4.0, blue, now.tracks, now.counters)  # something else's colours
    assert {t.id: t.visible for t in away.tracks} == {"person_1": False, "person_2": True}
    again = seen(4.3, red, away.tracks, away.counters)
    assert {t.id: t.visible for t in again.tracks if t.hits > 1} == {"person_1": True}
    look = look_of(lifted(person(62, 50), frame(colour=red))[0], frame(colour=red))
    assert alike(look, look) == pytest.approx(1.0)


def test_somebody_plainly_made_out_is_believed_in_at_first_sight_unless_they_may_be_whom_one_has_lost_sight_of():
    def tracks(score, *others):
        shot = frame(person(62, 50, score), stamp=9.0)
        return {t.id: t.hits for t in update(others, lifted(person(62, 50, score), shot), shot, {"person": len(others)}, (), CONFIG).tracks}

    assert tracks(0.9) == {"person_1": CONFIG.confirm_frames} and tracks(0.6) == {"person_1": 1}
    shot = frame(person(62, 50), stamp=0.0)
    (known,) = update((), lifted(person(62, 50), shot), shot, {}, (), CONFIG).tracks
    elsewhere = replace(known, position=(9.0, 9.0), path=((0.0, 9.0, 9.0),), look=np.roll(known.look, 7), hits=5, visible=False, last_seen=8.5)
    assert tracks(0.9, elsewhere).get("person_2") == 1
