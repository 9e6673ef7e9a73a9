"""Who and what is seen again: people by their tints, in another room than before, and things that a hand cuts in two."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.actions import Verb
from household.scene_graph import Openness, Tracking
from perception import association
from perception.absence import Look
from perception.association import revive, without_halves
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.geometry import Box
from perception.handling import Stance
from perception.lifting import lift
from perception.people import _upper_alike, alike, look_of
from perception.thing_track import ThingTrack
from tests.perception.raycast import Scene, Solid, look, person, play
from tests.perception.test_perception_walking import walker

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


@pytest.mark.parametrize("first", (5.2, 5.5))
def test_who_is_first_seen_on_their_way_from_the_doorway_came_through_it(first):
    """Believed in at first sight, they are told to come in all the same."""
    graph, told = _crossings([None] * 8 + [(first + 0.3 * k, 2.5) for k in range(6)])
    assert graph.room_of("alice") == "livingroom" and told == [(Verb.LEAVE, "kitchen"), (Verb.ENTER, "livingroom")]
    assert _crossings([None] * 8 + [(first, 2.5)] * 6)[1] == []  # who stands there may have stood there all along


def test_nobody_who_is_not_believed_in_is_a_witness():
    """A shadow that shows in one picture while Alice walks out has seen nothing of it."""
    out = [(6.6 - 0.3 * k, 2.5) for k in range(8)]
    frames = [Scene(person("alice", *at), pose=look(9.5, 2.5, np.pi)).frame(0.4 * i) for i, at in enumerate(out, start=1)]
    shadow = Scene([*person("alice", *out[5]), *person("shadow", 6.4, 3.6)], pose=look(9.5, 2.5, np.pi)).frame(0.4 * 6)
    frames[5] = replace(shadow, detections=tuple(d if d.identity == "alice" else replace(d, identity=None, score=0.3) if d.cls == "person" else d
                                                 for d in shadow.detections))
    _, graphs, events = play(frames)
    left = [e for e in events if e.verb is Verb.LEAVE]
    assert [e.actor for e in left] == ["alice"] and not left[0].witnesses


def test_who_vanishes_on_their_way_a_hand_beyond_the_doorway_has_gone_through():
    walk = [(3.2 + 0.4 * k, 2.3 + 0.1 * k) for k in range(5)]
    graph, told = _crossings([*walk, (5.2, 2.82), *[None] * 6])
    assert graph.room_of("alice") == "livingroom" and told == [(Verb.LEAVE, "kitchen"), (Verb.ENTER, "livingroom")]
    graph, told = _crossings([*walk, (5.2, 2.82), (5.0, 2.7), (4.6, 2.5), (4.2, 2.5), (3.8, 2.5), *[None] * 6])
    assert graph.room_of("alice") == "kitchen" and told == []  # she came back


@pytest.mark.parametrize("walk, bob", [([(6.1, 4.1), (6.0, 3.7), (5.9, 3.3), (5.8, 2.9)], 2.65), ([(5.7, 3.9), (5.8, 3.6), (5.9, 3.3), (6.0, 3.0)], 2.75)],
                         ids=["past it", "beside it"])
@pytest.mark.parametrize("hidden", [False, True])
def test_who_vanishes_near_a_doorway_has_gone_through_when_they_are_not_there_any_more(walk, bob, hidden):
    """Unless somebody stands before where they were."""
    pose, before = look(9.5, 2.5, np.pi), person("bob", 7.6, bob) if hidden else []
    scenes = [Scene(person("alice", *at), pose=pose) for at in walk] + [Scene(before, pose=pose)] * 8
    _, graphs, events = play([s.frame(0.4 * i) for i, s in enumerate(scenes, start=1)])
    told = [(e.verb, e.target) for e in events if e.actor == "alice" and e.verb in (Verb.ENTER, Verb.LEAVE)]
    assert told == ([] if hidden else [(Verb.LEAVE, "livingroom"), (Verb.ENTER, "kitchen")])
    assert graphs[-1].room_of("alice") == ("livingroom" if hidden else "kitchen")


def test_the_fainter_half_of_a_thing_is_no_second_one():
    solids = [Solid("a", "bucket", Box((1.5, 2.4, 0.7), (0.1, 0.1, 0.2))), Solid("b", "bucket", Box((1.5, 2.55, 0.7), (0.1, 0.1, 0.2)))]
    frame = Scene(solids, pose=look(4.0, 2.5, np.pi)).frame(1.0)

    def left(*scores):
        found = tuple(replace(d, score=s) for d, s in zip(frame.detections, scores))
        return [x.detection.score for x in without_halves(lift(replace(frame, detections=found), CONFIG))]

    assert left(0.9, 0.3) == [0.9] and left(0.9, 0.8) == [0.9, 0.8] and left(1.0, 1.0) == [1.0, 1.0]
    assert left(0.37, 0.3) == [0.37, 0.3]  # two faint ones side by side


def test_pieces_of_something_thin_are_one_thing():
    """Their outlines lie in one another's box without a pixel in common."""
    frame = Scene([Solid("a", "bucket", Box((1.5, 2.4, 0.7), (0.1, 0.3, 0.2)))], pose=look(4.0, 2.5, np.pi)).frame(1.0)
    (whole,) = frame.detections
    stripes = np.zeros_like(whole.mask)
    stripes[::2] = whole.mask[::2]
    half = whole.mask.shape[1] // 2
    part = replace(whole, mask=(whole.mask & ~stripes)[:, half:].copy(), offset=(whole.offset[0] + half, whole.offset[1]), score=0.37)
    for other, kept in ((0.23, [0.37]), (0.37, [0.37]), (0.6, [0.6])):
        found = lift(replace(frame, detections=(replace(whole, mask=stripes, score=other), part)), CONFIG)
        assert [x.detection.score for x in without_halves(found)] == kept


@pytest.mark.parametrize("larger, smaller, kept", [(0.6, 0.7, [0.6]), (0.7, 0.4, [0.7]), (0.3, 0.9, [0.9])])
def test_what_lies_within_the_mask_of_another_is_no_second_one(larger, smaller, kept):
    """Unless the larger mask is much less sure: then that one is two things taken for one."""
    frame = Scene([Solid("a", "bucket", Box((1.5, 2.4, 0.7), (0.1, 0.3, 0.2)))], pose=look(4.0, 2.5, np.pi)).frame(1.0)
    (whole,) = frame.detections
    part = replace(whole, mask=whole.mask[:, : whole.mask.shape[1] // 2].copy(), score=smaller)
    found = lift(replace(frame, detections=(replace(whole, score=larger), part)), CONFIG)
    assert [x.detection.score for x in without_halves(found)] == kept


def _unnamed(stamp, color, x, y=2.5):
    frame = Scene(person("somebody", x, y, color=color) if color else [], pose=look(4.3, 2.5, np.pi)).frame(stamp)
    return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))


def _two(stamp, one, other):
    """Both (colour, y) in one picture, nobody named."""
    frame = Scene([*person("one", 1.5, one[1], color=one[0]), *person("other", 1.5, other[1], color=other[0])], pose=look(4.3, 2.5, np.pi)).frame(stamp)
    return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))


def _after_nobody(*seen):
    """People in the graph at each of these looks, (score, x) or None for nobody, by a camera in the living room; and who came or went."""
    def frame(stamp, one):
        made = Scene(person("somebody", one[1], 2.5) if one else [], pose=look(9.5, 2.5, np.pi)).frame(stamp)
        return replace(made, detections=tuple(replace(d, identity=None, score=one[0]) if d.cls == "person" else d for d in made.detections))

    _, graphs, events = play([frame(0.4 * i, one) for i, one in enumerate([None] * 8 + list(seen), 1)], config=replace(CONFIG, confirm_frames=3))
    return [len(g.people()) for g in graphs[8:]], [(e.verb, e.target) for e in events if e.verb in (Verb.ENTER, Verb.LEAVE)]


def test_who_is_first_made_out_faintly_is_believed_in_as_soon_as_they_are_made_out_surely():
    """The sure look counts whether it is the first or the second; faint ones must be three."""
    assert _after_nobody((0.9, 7.0))[0] == [1]
    assert _after_nobody((0.4, 7.0), (0.9, 7.0))[0] == [0, 1]
    assert _after_nobody((0.4, 7.0), (0.4, 7.0), (0.4, 7.0))[0] == [0, 0, 1]


@pytest.mark.parametrize("color, here", [((40, 150, 60), [False, True, True]), ((165, 50, 45), [False, False, True])])
@pytest.mark.parametrize("away", (0, 7))
def test_who_looks_like_nobody_out_of_view_is_believed_in_at_the_second_sure_look(color, here, away):
    """Somebody in red has gone; whoever comes in other clothes is looked at twice, in much the same thrice, and the third look counts also when it comes 2.8 s late."""
    frames = [_unnamed(0.4 * i, (180, 40, 40), 1.5, 1.0) for i in range(1, 7)] + [_unnamed(0.4 * i, None, 0.0) for i in range(7, 15)]
    frames += [_unnamed(0.4 * i, color, 1.5, 4.0) for i in (15, 16)] + [_unnamed(0.4 * i, None, 0.0) for i in range(17, 17 + away)] + [_unnamed(0.4 * (17 + away), color, 1.5, 4.0)]
    frames = [replace(f, detections=tuple(replace(d, score=0.9) for d in f.detections)) for f in frames]
    _, graphs, _ = play(frames, config=replace(CONFIG, confirm_frames=3))
    shown = [any(p.visible for p in g.people()) for g in graphs]
    assert [*shown[14:16], shown[-1]] == here


def test_nobody_goes_anywhere_before_they_are_believed_in():
    """What was a shadow in a doorway in two pictures has not come in; who is there in a third has, by the way they came."""
    came = [(0.4, 5.2), (0.4, 5.5)]
    assert _after_nobody(*came, None, None, None, None, None)[1] == []
    assert _after_nobody(*came, (0.4, 5.8), (0.4, 6.1))[1] == [(Verb.LEAVE, "kitchen"), (Verb.ENTER, "livingroom")]


def test_who_comes_out_where_somebody_else_went_in_a_moment_before_is_known_by_their_clothes():
    red, blue = (180, 40, 40), (40, 40, 180)
    frames = [_unnamed(0.4 * i, red, 1.5) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) for i in range(6, 20)]
    frames += [_unnamed(0.4 * i, blue, 1.5) for i in range(20, 25)] + [_unnamed(0.4 * i, None, 0) for i in range(25, 27)]
    frames += [_unnamed(0.4 * i, red, 1.6) for i in range(27, 30)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[22].people() if p.visible] == ["person_2"]
    assert [p.id for p in graphs[-1].people() if p.visible] == ["person_1"]


@pytest.mark.parametrize("away, x, watched, one", [(3, 1.5, True, True), (3, 2.2, True, False), (9, 1.5, True, False), (9, 1.5, False, True), (9, 2.2, False, False), (24, 1.5, False, False)])
def test_who_shows_where_somebody_stood_a_moment_ago_is_them_however_they_look_as_they_bend(away, x, watched, one):
    """And for longer where the robot has looked elsewhere: with the place in view it is seen that they have left."""
    red, plum = (180, 40, 40), (60, 40, 90)
    elsewhere = Scene([], pose=look(4.3, 2.5, 0.0))
    frames = [_unnamed(0.4 * i, red, 1.5) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) if watched else elsewhere.frame(0.4 * i) for i in range(6, 6 + away)]
    frames += [_unnamed(0.4 * i, plum, x) for i in range(6 + away, 10 + away)]
    _, graphs, _ = play(frames)
    assert ([p.id for p in graphs[-1].people() if p.visible] == ["person_1"]) is one


def test_two_who_cross_in_a_doorway_change_places_from_one_picture_to_the_next():
    red, blue = (180, 40, 40), (40, 40, 180)
    frames = [_unnamed(0.4 * i, red, 1.5) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) for i in range(6, 20)]
    frames += [_unnamed(0.4 * i, blue, 1.5) for i in range(20, 26)] + [_unnamed(0.4 * i, red, 1.6) for i in range(26, 30)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[24].people() if p.visible] == ["person_2"]
    assert [p.id for p in graphs[-1].people() if p.visible] == ["person_1"]


@pytest.mark.parametrize("farther, again", [(1.8, "first"), (0.8, "other")])
def test_who_would_have_had_to_run_is_rather_somebody_out_of_view_who_looks_like_that(farther, again):
    """One goes out of view, another, dressed much alike, walks up and is hidden for one picture; then somebody dressed like the first shows ``farther`` m on."""
    red, like = (180, 40, 40), (170, 40, 52)
    frames = [_two(0.4 * i, (red, 1.2), (like, 3.8)) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) for i in range(6, 18)]
    frames += [_unnamed(0.4 * (18 + i), like, 1.5, 4.6 - 0.4 * i) for i in range(5)] + [_unnamed(0.4 * 23, None, 0)]
    _, graphs, _ = play([*frames, _unnamed(0.4 * 24, red if farther > 1 else like, 1.5, 3.0 - farther)])
    first, other = sorted((p.position[1], p.id) for p in graphs[3].people())
    assert [p.id for p in graphs[21].people() if p.visible] == [other[1]]
    assert [p.id for p in graphs[-1].people() if p.visible] == [(first if again == "first" else other)[1]]


def test_who_was_seen_beside_somebody_for_one_moment_is_not_them_when_they_are_hidden():
    red, plum = (180, 40, 40), (120, 40, 90)

    frames = [_unnamed(0.4 * i, red, 1.5, 2.0) for i in range(1, 6)] + [_two(0.4 * 6, (red, 2.0), (plum, 2.7))] + [_unnamed(0.4 * i, plum, 1.5, 2.6) for i in range(7, 10)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[4].people() if p.visible] == ["person_1"]
    assert [p.id for p in graphs[-1].people() if p.visible] == ["person_2"]


@pytest.mark.parametrize("shirt, known", [((180, 40, 40), True), ((150, 60, 50), False), ((150, 150, 150), False)])
def test_dark_trousers_make_up_for_no_other_shirt(shirt, known):
    """Of two looks with the same trousers; the whole of both may be alike enough."""
    red, other = _seen((180, 40, 40)), _seen(shirt)
    assert (_upper_alike(red, other) > 0.85) is known and alike(red, other) > _upper_alike(red, other) - 1e-9
    legs = other.copy()
    legs[:len(legs) // 2] = 0.0
    assert _upper_alike(red, legs) == 1.0  # what is worn above does not show


@pytest.mark.parametrize("legs_alone, seen", [(True, "person_2"), (False, "person_1")])
def test_trousers_alone_do_not_tell_who_somebody_is_who_was_away_for_long(legs_alone, seen):
    red = (180, 40, 40)

    def shown(stamp):
        solids = [s for s in person("somebody", 1.5, 2.5, color=red) if not legs_alone or s.box.centre[2] + s.box.size[2] / 2 < 1.0]
        frame = Scene(solids, pose=look(4.3, 2.5, np.pi)).frame(stamp)
        return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))

    frames = [_unnamed(0.4 * i, red, 1.5) for i in range(1, 6)] + [_unnamed(0.4 * i, None, 0) for i in range(6, 12)] + [shown(0.4 * i) for i in range(12, 15)]
    _, graphs, _ = play(frames)
    assert [p.id for p in graphs[-1].people() if p.visible] == [seen]


def test_of_two_who_come_into_view_the_one_like_nobody_known_is_nobody_known():
    """A sliver of the one who is known was taken for another for two looks; whoever stands beside them then looks like neither."""
    def shown(stamp, *bodies):
        frame = Scene([s for name, y, color in bodies for s in person(name, 1.5, y, color=color)], pose=look(4.3, 2.5, np.pi)).frame(stamp)
        return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))

    blue, red = (40, 40, 180), (180, 40, 40)
    frames = [shown(0.4 * i, ("one", 2.2, blue)) for i in range(1, 6)] + [shown(0.4 * i, ("one", 2.2, blue), ("sliver", 2.7, blue)) for i in (6, 7)]
    frames += [shown(0.4 * i, ("one", 2.2, blue), ("other", 1.7, red)) for i in range(8, 12)]
    _, graphs, _ = play(frames)
    at = {p.id: p.position[1] for p in graphs[-1].people() if p.visible}
    assert at["person_1"] == pytest.approx(2.2, abs=0.1) and len(at) == 2


def _somebody(stamp, x, low, chair=True):
    """Dark from top to toe: standing, or sitting in a wheelchair."""
    dark = (40, 40, 60)
    solids = [replace(s, box=replace(s.box, centre=(*s.box.centre[:2], s.box.centre[2] * 0.65), size=(*s.box.size[:2], s.box.size[2] * 0.65)), color=dark)
              if low else replace(s, color=dark) for s in person("somebody", x, 2.5)]
    if low and chair:
        solids.append(Solid("chair", "wheelchair", Box((x, 2.5, 0.2), (0.7, 0.7, 0.4)), (30, 30, 30)))
    frame = Scene(solids, pose=look(4.3, 2.5, np.pi)).frame(stamp)
    return replace(frame, detections=tuple(replace(d, identity=None) for d in frame.detections))


@pytest.mark.parametrize("before, after, chair, one", [(True, False, True, False), (False, True, True, False), (True, True, True, True), (False, False, True, True),
                                                       (True, False, False, False)])
def test_who_sits_in_a_wheelchair_is_not_who_stands_there_a_moment_later(before, after, chair, one):
    """Who goes so low sits in one that is not seen."""
    frames = [_somebody(0.4 * i, 1.3 + 0.15 * i, before, chair) for i in range(1, 7)] + [_unnamed(0.4 * i, None, 0) for i in range(7, 11)]
    frames += [_somebody(0.4 * i, 2.0, after, chair) for i in range(11, 16)]
    _, graphs, _ = play(frames)
    seen = {p.id for p in graphs[5].people() if p.visible}, {p.id for p in graphs[-1].people() if p.visible}
    assert len(seen[0]) == len(seen[1]) == 1 and (seen[0] == seen[1]) is one


def test_who_shows_where_a_wheelchair_was_a_moment_ago_sits_in_it():
    """Who stood there is out of the picture; the wheelchair alone is seen, then who sits in it alone."""
    frames = [_somebody(0.4 * i, 1.3, False) for i in range(1, 7)] + [_somebody(0.4 * i, 2.2, True) for i in range(7, 10)]
    frames = [replace(f, detections=tuple(replace(d, names=((d.cls, 1.0),)) for d in f.detections if d.cls != "person")) if k in (6, 7) else
              replace(f, detections=tuple(d for d in f.detections if d.cls != "wheelchair")) if k == 8 else f for k, f in enumerate(frames)]
    before, _, _ = play(frames[:6])
    after, _, _ = play(frames)
    stood, sits = ({p.id for p in state.people if p.visible} for state in (before, after))
    assert len(stood) == len(sits) == 1 and not stood & sits


def _in_a_hand_at(monkeypatch, missing, path, hidden=(), names=()):
    """The ids that a mug in alice's hand may be, 10 s after all others were last seen. ``missing``: id → (place, x, y); ``path``: (stamp, x, y) of alice, oldest first;
    ``hidden``: what people have that does not show; ``names`` that the mug may have."""
    monkeypatch.setattr(association, "look_for", lambda *a: Look.OUT)
    mugs = [ThingTrack(i, "mug", Box((x, y, 1.0), (0.1, 0.1, 0.1)), Tracking.OCCLUDED, 0.0, 0.0, place=place, visible=False) for i, (place, x, y) in missing.items()]
    alice = replace(walker([path[-1]], 0.0), id="alice", hands=((path[-1][1], path[-1][2], 1.0),))
    around = SimpleNamespace(people={"alice": alice}, places={}, voxels=None, config=CONFIG, dt=0.4, frame=SimpleNamespace(stamp=10.0),
                             traces={"alice": tuple(Stance(t, (x, y), 0.0, ()) for t, x, y in path)})
    seen = SimpleNamespace(box=Box((path[-1][1], path[-1][2], 1.0), (0.1, 0.1, 0.1)), cls="mug", detection=SimpleNamespace(shown_since=None, names=names))
    return revive(mugs, [seen], {}, len(mugs) + 1, around, hidden), revive(mugs, [seen], {}, len(mugs), around, hidden)


STAYED = [(0.4 * k, 6.0, 0.0) for k in range(25)] + [(10.0, 6.0, 0.0)]
PASSED = [(0.4 * k, max(0.5, 6.0 - 0.5 * k), 0.0) for k in range(15)] + [(10.0, 5.0, 0.0)]


def test_what_somebody_has_in_hand_is_not_what_lay_where_they_never_were(monkeypatch):
    assert _in_a_hand_at(monkeypatch, {"mug_1": ("basket_1", 0.0, 0.0)}, STAYED) == ({}, {})
    hidden = [s for s in STAYED if not 3.0 < s[0] < 9.9]  # seven seconds, too few to go six metres and come back
    assert _in_a_hand_at(monkeypatch, {"mug_1": ("basket_1", 0.0, 0.0)}, hidden)[1] == {}
    assert _in_a_hand_at(monkeypatch, {"mug_1": ("basket_1", 3.0, 0.0)}, hidden)[1] == {0: "mug_1"}
    assert _in_a_hand_at(monkeypatch, {"mug_1": ("basket_1", 0.0, 0.0)}, [(10.0, 6.0, 0.0)])[1] == {0: "mug_1"}  # who knows where they were


def test_what_somebody_has_in_hand_is_what_lay_where_they_stood_whatever_else_of_its_kind_there_is(monkeypatch):
    """Also where they were hidden for so long that the tracker began their path anew."""
    lone = {"mug_1": ("cabinet_1", 0.0, 0.0), "mug_2": ("tvstand_1", 0.0, 9.0)}
    assert _in_a_hand_at(monkeypatch, lone, PASSED) == ({0: "mug_1"}, {0: "mug_1"})
    two_places = lone | {"mug_3": ("bookshelf_1", 0.5, 0.5)}
    assert _in_a_hand_at(monkeypatch, two_places, PASSED) == ({}, {})
    assert set(_in_a_hand_at(monkeypatch, lone | {"mug_3": ("cabinet_1", 0.2, 0.2)}, PASSED)[0].values()) <= {"mug_1", "mug_3"}


@pytest.mark.parametrize("holder, size, called, new", [
    ("alice", 0.1, 0.3, True), ("alice", 0.1, 0.02, False),  # what she has goes by such a name; never was called so
    ("bob", 0.1, 0.3, False), ("alice", 0.4, 0.3, False)])  # another has it; it is much larger
def test_what_may_be_the_thing_somebody_has_is_not_one_of_another_name_where_they_passed(monkeypatch, holder, size, called, new):
    cup = ThingTrack("cup_1", "cup", Box((5.0, 0.3, 1.0), (size, size, size)), Tracking.HELD, 6.0, 0.0, holder=holder, visible=False)
    found = _in_a_hand_at(monkeypatch, {"mug_1": ("cabinet_1", 0.0, 0.0)}, PASSED, [cup], (("mug", 0.6), ("cup", called)))[0]
    assert found == ({} if new else {0: "mug_1"})


@pytest.mark.parametrize("cls, size, opened, new", [
    ("cup", 0.1, 6.0, True), ("cup", 0.4, 6.0, False), ("cup", 0.1, 1.0, False), ("cup", 0.1, None, False)])  # much larger; put in since it was opened; it was not opened
def test_what_shows_in_a_hand_that_was_in_a_cupboard_is_rather_what_was_in_there_than_the_only_one_of_its_name_elsewhere(monkeypatch, cls, size, opened, new):
    from tests.perception.test_perception_handling import CUPBOARD, cupboard

    monkeypatch.setattr(association, "look_for", lambda *a: Look.OUT)
    x = CUPBOARD.centre[0]
    mug = ThingTrack("mug_1", "mug", Box((x + 5.0, 0.0, 1.0), (0.1, 0.1, 0.1)), Tracking.OCCLUDED, 0.0, 0.0, place="table_1", visible=False)
    inside = ThingTrack("cup_1", cls, Box((x, 0.0, 1.0), (size, size, size)), Tracking.CONTAINED, 2.0, 0.0, place="kitchencabinet_1", inside=True, visible=False, changed=2.0)
    hand = (x + 0.5, 0.0, 1.0)
    alice = replace(walker([(10.0, x + 0.9, 0.0)], np.pi), id="alice", hands=(hand,))
    came = (Stance(6.0, (x + 2.9, 0.0), np.pi, ()),)
    at_it = came + tuple(Stance(7.0 + 0.2 * i, (0.9, 0.0), np.pi, ((0.4, 0.0, 1.0),)) for i in range(16))
    around = SimpleNamespace(people={"alice": alice}, places={"kitchencabinet_1": cupboard(opened)}, voxels=None, config=CONFIG, dt=0.4,
                             frame=SimpleNamespace(stamp=10.0), traces={"alice": at_it})
    seen = SimpleNamespace(box=Box(hand, (0.1, 0.1, 0.1)), cls="mug", detection=SimpleNamespace(shown_since=None, names=(("mug", 0.98),)))
    assert revive([mug], [seen], {}, 1, around) == {0: "mug_1"}
    assert revive([mug], [seen], {}, 1, around, [inside]) == ({} if new else {0: "mug_1"})


@pytest.mark.parametrize("openness", (Openness.OPEN, Openness.CLOSED))  # the door is only being opened, and does not count as open yet
def test_what_lies_in_an_opened_cupboard_is_not_what_lay_within_reach_of_who_opened_it(monkeypatch, openness):
    """It may have lain in there all along; in their hand, it came from somewhere."""
    from tests.perception.test_perception_handling import CUPBOARD, cupboard

    monkeypatch.setattr(association, "look_for", lambda *a: Look.OUT)
    mug = ThingTrack("mug_1", "mug", Box((CUPBOARD.centre[0] + 1.9, 0.0, 1.0), (0.1, 0.1, 0.1)), Tracking.OCCLUDED, 9.0, 0.0, place="table_1", visible=False)
    spot = (CUPBOARD.centre[0], 0.0, 1.0)
    seen = SimpleNamespace(box=Box(spot, (0.1, 0.1, 0.1)), cls="mug", detection=SimpleNamespace(shown_since=None))

    def found(hands):
        somebody = replace(walker([(10.0, CUPBOARD.centre[0] + 0.9, 0.0)], np.pi), points=np.array([(spot[0] + 0.3, 0.0, 1.0)]), hands=hands)
        around = SimpleNamespace(people={"alice": somebody}, places={"kitchencabinet_1": cupboard(9.5, openness=openness)}, voxels=None, config=CONFIG, dt=0.4,
                                 frame=SimpleNamespace(stamp=10.0), traces={"alice": (Stance(10.0, somebody.position, np.pi, hands),)})
        return revive([mug], [seen], {}, 2, around)

    assert found(hands=()) == {} and found(hands=(spot,)) == {0: "mug_1"}


@pytest.mark.parametrize("columns", (6, 10))
def test_a_sliver_of_who_walks_is_where_they_walk(columns):
    """The rest hidden, look after look: they are no farther from what shows than half a body."""
    frames = [_unnamed(0.4 * i, (180, 40, 40), 1.5, 1.0) for i in range(1, 7)]
    for k in range(1, 6):
        frame = _unnamed(2.4 + 0.4 * k, (180, 40, 40), 1.5, 1.0 + 0.25 * k)
        (whole,) = frame.detections
        picture = np.zeros(frame.depth.shape, bool)
        left, top, right, bottom = whole.box
        picture[top:bottom, left:left + columns] = whole.mask[:, :columns]
        frames.append(replace(frame, detections=(Detection.from_full_mask("person", 1.0, picture),)))
    _, graphs, _ = play(frames)
    (seen,) = [p for p in graphs[-1].people() if p.visible]
    assert seen.id == "person_1" and seen.position[1] == pytest.approx(2.25, abs=0.36)
