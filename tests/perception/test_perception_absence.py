"""What is gone, and what only was not seen: most looks decide; what was not looked at is never empty: a thing beyond the edge of the picture is out of view, whatever bears it shows at that edge."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.camera import CameraModel
from household.scene_graph import Openness, Tracking
from perception.absence import Look, look_for
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.geometry import Box
from perception.thing_seen import _never_left
from perception.thing_track import Surroundings
from perception.thing_unseen import unobserved
from perception.things import _kept
from tests.perception.test_perception_handling import CONFIG, cup, surroundings, visit

CAMERA = CameraModel.from_fov(160, 120, 69.0)
POSE = np.array([[0.0, 0.0, 1.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])  # 1 m up, looks along +x


def everywhere(cls):
    return Detection(cls, 0.9, np.ones((CAMERA.height, CAMERA.width), bool), (0, 0))


def look(y):
    depth = np.zeros((CAMERA.height, CAMERA.width), dtype=np.float32)  # nothing can be read, and all one sees is the counter
    frame = SimpleNamespace(depth=depth, color=np.zeros((*depth.shape, 3), np.uint8), camera=CAMERA, camera_pose=POSE,
                            detections=(everywhere("kitchencounter"),))
    around = SimpleNamespace(frame=frame, config=PerceptionConfig(), bodies=(), loose=None,
                             places={"kitchencounter_1": SimpleNamespace(cls="kitchencounter")})
    glass = SimpleNamespace(guessed=False, place="kitchencounter_1", box=Box((2.0, y, 1.0), (0.06, 0.06, 0.12), 0.0), cls="waterglass", colour=None)
    return look_for(glass, None, around)


def test_a_thing_beyond_the_edge_of_the_picture_is_not_missed_there():
    edge = 2.0 * np.tan(np.radians(69.0 / 2))
    assert look(0.5 * edge) is Look.MISSING  # the counter shows right through its place
    assert look(1.3 * edge) is look(-1.3 * edge) is Look.OUT


@pytest.mark.parametrize("height, openness, seen", [(0.02, Openness.UNKNOWN, Look.HIDDEN), (0.02, Openness.OPEN, Look.MISSING), (0.6, Openness.UNKNOWN, Look.MISSING),
                                                    (0.6, Openness.CLOSED, Look.HIDDEN)])
def test_what_is_supposed_in_a_drawer_of_which_only_the_top_has_shown_was_not_missed_there(height, openness, seen):
    """Depth goes on behind its place, and to the top of the drawer nothing lies on; only one known to be open, or seen as a whole, was looked into."""
    drawer = SimpleNamespace(cls="drawer", openness=openness, confirmed=8.8, body=Box((2.0, 0.0, 0.9), (0.5, 0.5, height)))
    depth = np.full((CAMERA.height, CAMERA.width), 2.4, dtype=np.float32)
    frame = SimpleNamespace(stamp=9.0, depth=depth, color=np.zeros((*depth.shape, 3), np.uint8), camera=CAMERA, camera_pose=POSE, detections=(everywhere("drawer"),))
    around = SimpleNamespace(frame=frame, config=PerceptionConfig(), bodies=(), loose=None, places={"drawer_1": drawer})
    book = SimpleNamespace(guessed=True, last_seen=4.0, place="drawer_1", box=Box((2.0, 0.0, 0.9), (0.12, 0.2, 0.03)), cls="book", colour=None)
    assert look_for(book, drawer, around) is seen


@pytest.mark.parametrize("read, before, confirmed, last_seen, seen", [
    (1.96, 0.0, 8.0, 5.0, Look.MISSING), (1.96, 0.0, 5.0, 8.0, Look.MISSING), (1.96, 0.0, 5.0, 5.5, Look.HIDDEN),
    (2.2, 0.0, 5.0, 5.5, Look.MISSING), (2.2, 0.3, 5.0, 5.5, Look.HIDDEN), (2.2, 0.3, 8.0, 5.5, Look.MISSING)])
def test_what_was_seen_to_stand_open_a_while_ago_may_have_been_shut_on_what_is_missed_in_it(read, before, confirmed, last_seen, seen):
    """At 9 s, whoever put the phone into a drawer still stands before it: what is read 4 cm before its place may be the front; what lay so far ``before`` the shut drawer, in
    what was pulled out, has gone back with that."""
    drawer = SimpleNamespace(cls="drawer", openness=Openness.OPEN, confirmed=confirmed, body=Box((2.0 + before, 0.0, 0.9), (0.5, 0.5, 0.6)))
    depth = np.full((CAMERA.height, CAMERA.width), read, dtype=np.float32)
    frame = SimpleNamespace(stamp=9.0, depth=depth, color=np.zeros((*depth.shape, 3), np.uint8), camera=CAMERA, camera_pose=POSE, detections=())
    around = SimpleNamespace(frame=frame, config=PerceptionConfig(), bodies=(), loose=None, places={"drawer_1": drawer})
    phone = SimpleNamespace(guessed=False, last_seen=last_seen, place="drawer_1", box=Box((2.0, 0.0, 0.9), (0.13, 0.06, 0.02)), cls="cellphone", colour=None)
    assert look_for(phone, drawer, around) is seen


def looks_until_lost(monkeypatch, *looks, away=9.0):
    """How many looks in vain, these again and again, until a mug is thought gone whose place was out of view for ``away`` s, people having been near."""
    around = Surroundings(SimpleNamespace(stamp=9.0), {}, {}, None, CONFIG, 0.4, {})
    mug = replace(cup(None, 2.0, "kitchentable_1"), hits=20, confidence=0.9, visited=True, unwatched=away)
    for n in range(200):
        monkeypatch.setattr("perception.thing_unseen.look_for", lambda *a, n=n: looks[n % len(looks)])
        mug = unobserved(mug, around)
        if mug.tracking is Tracking.LOST:
            return n + 1
    return 200


def test_a_thing_is_not_gone_while_most_looks_show_by_depth_that_something_is_there(monkeypatch):
    missing = looks_until_lost(monkeypatch, Look.MISSING)
    assert looks_until_lost(monkeypatch, Look.FILLED) >= 3 * missing
    assert looks_until_lost(monkeypatch, Look.FILLED, Look.FILLED, Look.MISSING) >= 3 * missing
    assert looks_until_lost(monkeypatch, Look.MISSING, Look.MISSING, Look.FILLED) <= missing + 2


def test_what_nobody_can_have_taken_is_looked_for_much_longer_where_somebody_walked_past(monkeypatch):
    assert looks_until_lost(monkeypatch, Look.MISSING, away=0.0) >= 3 * looks_until_lost(monkeypatch, Look.MISSING)
    assert looks_until_lost(monkeypatch, Look.EMPTY, away=0.0) == looks_until_lost(monkeypatch, Look.EMPTY)


def test_what_shows_again_where_it_lay_lies_there_as_before_though_somebody_was_thought_to_have_it():
    mug = replace(cup("alice", 2.0), guessed=True, rest=(0.3, 0.0, 1.0), taken_from="kitchencounter_1")
    there, elsewhere = replace(mug.box, centre=(0.32, 0.0, 1.0)), replace(mug.box, centre=(0.6, 0.0, 1.0))
    assert _never_left(mug, there) == "kitchencounter_1" and _never_left(mug, elsewhere) is None
    assert _never_left(replace(mug, guessed=False), there) is None  # it was seen in her hand


@pytest.mark.parametrize("before", [0.75, 0.95])
def test_what_was_hardly_there_may_not_have_been_taken_at_all(monkeypatch, before):
    monkeypatch.setattr("perception.thing_unseen.look_for", lambda *a: Look.EMPTY)
    mug = replace(cup(None, 1.5), confidence=before)
    around = surroundings({"alice": visit()}, stamp=6.0)
    for _ in range(9):
        mug = unobserved(mug, around)
    assert mug.holder == "alice" and mug.guessed
    assert 0.5 * before - 0.15 < mug.confidence < before and (mug.confidence >= 0.6) == (before > 0.9)


@pytest.mark.parametrize("hits, overlooked, confidence, visible, kept", [
    (6, 113, 0.6, False, False),  # a fold of a blanket that was glasses six times
    (6, 60, 0.6, False, True), (3, 39, 0.6, False, True),  # what is small is overlooked three times of four
    (6, 113, 0.8, False, True),  # plainly seen from near by, and overlooked from far off
    (6, 113, 0.6, True, True)])
def test_what_is_overlooked_again_and_again_and_was_never_sure_was_never_there(hits, overlooked, confidence, visible, kept):
    thing = replace(cup(None, 2.0, "kitchentable_1"), hits=hits, overlooked=overlooked, confidence=confidence, visible=visible)
    around = Surroundings(SimpleNamespace(stamp=90.0), {}, {}, None, CONFIG, 0.4, {})
    assert _kept([thing], around) == ((thing,) if kept else ())


@pytest.mark.parametrize("missed, holder, unseen, hits", [(0, None, 1.0, 1), (1, None, 2.0, None), (0, None, 2.0, 0), (0, None, 6.0, None), (1, "alice", 2.0, 1)])
def test_of_what_was_seen_once_it_is_remembered_when_while_nobody_looks_for_it_in_vain(missed, holder, unseen, hits):
    """Somebody may stand before it: when they go it has not turned up there. It counts as little seen as before."""
    thing = replace(cup(holder, 2.0, None if holder else "kitchentable_1"), hits=1, missed=missed, visible=False)
    around = Surroundings(SimpleNamespace(stamp=2.0 + unseen), {}, {}, None, replace(CONFIG, confirm_frames=2), 0.4, {})
    assert [(t.born, t.hits) for t in _kept([thing], around)] == ([] if hits is None else [(thing.born, hits)])
