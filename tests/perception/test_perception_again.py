"""Who and what is seen again: people by their tints, in another room than before, and things that a hand cuts in two."""

from dataclasses import replace

import numpy as np

from household.actions import Verb
from perception.association import without_halves
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.lifting import lift
from perception.people import alike, look_of
from tests.perception.raycast import Scene, Solid, look, person, play

CONFIG = PerceptionConfig()


def _seen(color, light=1.0):
    frame = Scene(person("tom", 1.5, 2.5, color=color), pose=look(4.3, 2.5, np.pi)).frame(1.0)
    frame = replace(frame, color=np.clip(frame.color * light, 0, 255).astype(np.uint8))
    return look_of(next(x for x in lift(frame, CONFIG) if x.cls == "person"), frame)


def test_somebody_in_the_shade_is_the_same_and_somebody_in_other_clothes_is_not():
    red = _seen((180, 40, 40))
    assert np.isclose(red.sum(), 1.0)
    assert alike(red, _seen((180, 40, 40), 0.5)) > 0.8
    assert alike(red, _seen((40, 40, 180))) < 0.7  # the same trousers


def _crossings(places):
    """Frames of a camera in the living room that sees both rooms: alice at these spots, None: nowhere in view."""
    scenes = [Scene(person("alice", *at) if at else [], pose=look(9.5, 2.5, np.pi)) for at in places]
    _, graphs, events = play([s.frame(0.4 * i) for i, s in enumerate(scenes, start=1)])
    return graphs[-1], [(e.verb, e.target) for e in events if e.verb in (Verb.ENTER, Verb.LEAVE)]


def test_who_turns_up_away_from_the_doorway_was_not_seen_to_come():
    away = [(3.0, 2.5)] * 4 + [None] * 8
    graph, told = _crossings(away + [(7.8, 3.6)] * 4)
    assert graph.room_of("alice") == "livingroom" and told == []
    graph, told = _crossings(away + [(5.5 + 0.2 * k, 2.5) for k in range(5)])
    assert graph.room_of("alice") == "livingroom" and told == [(Verb.LEAVE, "kitchen"), (Verb.ENTER, "livingroom")]


def test_the_fainter_half_of_a_thing_is_no_second_one():
    solids = [Solid("a", "bucket", Box((1.5, 2.4, 0.7), (0.1, 0.1, 0.2))), Solid("b", "bucket", Box((1.5, 2.55, 0.7), (0.1, 0.1, 0.2)))]
    frame = Scene(solids, pose=look(4.0, 2.5, np.pi)).frame(1.0)

    def left(*scores):
        found = tuple(replace(d, score=s) for d, s in zip(frame.detections, scores))
        return [x.detection.score for x in without_halves(lift(replace(frame, detections=found), CONFIG))]

    assert left(0.9, 0.3) == [0.9] and left(0.9, 0.8) == [0.9, 0.8] and left(1.0, 1.0) == [1.0, 1.0]


def _unnamed(stamp, color, x, y=2.5):
    frame = Scene(person("somebody", x, y, color=color) if color else [], pose=look(4.3, 2.5, np.pi)).frame(stamp)
    return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))


def test_who_comes_out_where_somebody_else_went_in_a_moment_before_is_known_by_their_clothes():
    red, blue = (180, 40, 40), (40, 40, 180)
    frames = [_unnamed(0.4 * i, red, 1.5) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) for i in range(6, 20)]
    frames += [_unnamed(0.4 * i, blue, 1.5) for i in range(20, 25)] + [_unnamed(0.4 * i, None, 0) for i in range(25, 27)]
    frames += [_unnamed(0.4 * i, red, 1.6) for i in range(27, 30)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[22].people() if p.visible] == ["person_2"]
    assert [p.id for p in graphs[-1].people() if p.visible] == ["person_1"]


def test_who_was_seen_beside_somebody_for_one_moment_is_not_them_when_they_are_hidden():
    red, plum = (180, 40, 40), (120, 40, 90)

    def both(stamp):
        frame = Scene([*person("one", 1.5, 2.0, color=red), *person("other", 1.5, 2.7, color=plum)], pose=look(4.3, 2.5, np.pi)).frame(stamp)
        return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))

    frames = [_unnamed(0.4 * i, red, 1.5, 2.0) for i in range(1, 6)] + [both(0.4 * 6)] + [_unnamed(0.4 * i, plum, 1.5, 2.6) for i in range(7, 10)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[4].people() if p.visible] == ["person_1"]
    assert [p.id for p in graphs[-1].people() if p.visible] == ["person_2"]
