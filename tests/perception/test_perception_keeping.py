"""Whose a thing stays: in the hand of somebody who is hidden now, and in what nobody had time to take it from."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household import classes
from household.scene_graph import Openness, Tracking
from perception import association
from perception.absence import Look
from perception.association import _price, _shut_away
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.handling import time_at
from perception.hands import holder_of
from perception.letting_go import _in_view_since, still_in, stood_since
from perception.places import PlaceTrack
from perception.support import NOTHING, Support
from perception.thing_seen import _carry, taken_out_of, observed
from perception.thing_track import Surroundings, ThingTrack
from tests.perception.raycast import Scene, Solid, look, play
from tests.perception.test_perception_handling import CUPBOARD, cup, cupboard, stances
from tests.perception.test_perception_walking import walker

CONFIG = PerceptionConfig()
APPLE = classes.get("apple").size


def _body(name, x, y, stamp, visible=True):
    """Somebody upright at (x, y), 0.3 m thick."""
    points = np.array([[x + dx, y + dy, z] for dx in (-0.1, 0.1) for dy in (-0.1, 0.1) for z in np.arange(0.4, 1.6, 0.1)])
    return replace(walker([(stamp, x, y)], 0.0), id=name, points=points, hands=(), visible=visible, last_seen=stamp)


@pytest.mark.parametrize("ago, apart, keeper", [(2.0, 0.4, "david"), (30.0, 0.4, "alice"), (2.0, 2.5, "alice")])
def test_what_somebody_holds_out_stays_theirs_while_another_hides_them(ago, apart, keeper):
    """David stood so far from the apple when he was last seen; Alice, in view, stands at it."""
    now = 50.0
    people = {p.id: p for p in (_body("david", apart, 0.0, now - ago, False), _body("alice", -0.3, 0.0, now))}
    around = SimpleNamespace(people=people, places={}, config=CONFIG, frame=SimpleNamespace(stamp=now))
    apple = ThingTrack("apple_1", "apple", Box((0.0, 0.0, 1.1), APPLE), Tracking.HELD, now - 0.4, 0.0, holder="david", hits=20)
    assert holder_of(apple, apple.box, NOTHING, True, around) == keeper


@pytest.mark.parametrize("held_by, hands, keeper", [
    (None, {"david": (0.6, 0.0, 0.8), "alice": (0.05, 0.0, 1.1)}, "alice"), ("david", {"david": (0.6, 0.0, 0.8), "alice": (0.05, 0.0, 1.1)}, "alice"),
    ("david", {"alice": (0.05, 0.0, 1.1)}, "david"),  # his own hand is not seen: it may be there, too
    ("david", {"david": (0.05, 0.0, 1.1), "alice": (0.08, 0.0, 1.1)}, "david"), (None, {}, "david")])
def test_what_shows_between_somebody_and_the_hand_that_is_at_it_is_in_that_hand(held_by, hands, keeper):
    """David stands before the plate, as the camera sees it, so that it touches him; Alice stands behind it."""
    people = {p.id: p if p.id not in hands else replace(p, hands=(hands[p.id],)) for p in (_body("david", 0.12, 0.0, 50.0), _body("alice", -0.3, 0.0, 50.0))}
    around = SimpleNamespace(people=people, places={}, config=CONFIG, frame=SimpleNamespace(stamp=50.0))
    plate = ThingTrack("plate_1", "plate", Box((0.0, 0.0, 1.1), APPLE), Tracking.HELD if held_by else Tracking.VISIBLE, 49.6, 0.0, holder=held_by, hits=20,
                       rest=None if held_by else (2.0, 2.0, 0.5))
    assert holder_of(plate, plate.box, NOTHING, False, around) == keeper


@pytest.mark.parametrize("rows, seconds", [
    ([(0.4 * k, 0.9, 0.0, None) for k in range(11)], pytest.approx(3.0, abs=0.5)),  # stands there from 0 to 4 s; asked for from 1 s on
    ([(0.4 * k, 3.0 - 0.5 * k, 0.0, None) for k in range(6)], pytest.approx(0.0, abs=0.45)),  # walks up and is gone
    ([(0.0, 4.0, 0.0, None), (9.0, 4.0, 0.0, None)], pytest.approx(8.0 - 2 * (4.0 - 0.6 - 0.45) / 1.3, abs=0.3)),  # out of view, as far as the way there and back leaves
    ([(0.0, 9.0, 0.0, None), (4.0, 9.0, 0.0, None)], 0.0),
    ([(6.0, 4.0, 0.0, None), (6.4, 4.0, 0.0, None)], pytest.approx(5.0 - (4.0 - 0.6 - 0.45) / 1.3, abs=0.3))])  # first seen then
def test_how_long_somebody_may_have_been_at_a_place(rows, seconds):
    assert time_at(stances(*rows), CUPBOARD, 1.0) == seconds


@pytest.mark.parametrize("since, another", [(7.0, True), (2.0, False)])
def test_of_a_cupboard_out_of_view_nobody_took_what_there_was_no_time_to_take(since, another):
    """Bob stood at the cupboard from 3.2 to 5.6 s; it was last seen to be shut at 2 s or at 7 s, and what he holds at 20 s is seen elsewhere."""
    place = replace(cupboard(0.5, 1.5, Openness.CLOSED), confirmed=since)
    mug = replace(cup(None, 1.0, place.id), changed=1.0, box=Box((0.3, 0.0, 1.0), classes.get("mug").size), guessed=True)
    seen = SimpleNamespace(box=Box((5.0, 0.0, 1.0), classes.get("mug").size))
    there = [(3.2 + 0.4 * k, 0.9, 0.0, None) for k in range(7)]
    trace = stances(*there, *[(6.0 + 0.4 * k, 5.0, 0.0, None) for k in range(36)])
    around = SimpleNamespace(people={"bob": _body("bob", 5.1, 0.0, 20.0)}, places={place.id: place}, traces={"bob": trace}, config=CONFIG, frame=SimpleNamespace(stamp=20.0))
    assert _shut_away(mug, seen, around) is another


@pytest.mark.parametrize("unwatched, another", [((3.0, 6.0), False), ((6.5, 9.0), True), ((0.0, 0.9), True)])
def test_what_was_out_of_view_for_a_while_may_have_been_opened_and_shut_again_by_who_stood_there(unwatched, another):
    """Bob stood at the cupboard from 3.2 to 5.6 s; it is seen to be shut now, at 20 s."""
    place = replace(cupboard(0.5, 1.5, Openness.CLOSED), confirmed=20.0, unwatched=unwatched)
    mug = replace(cup(None, 1.0, place.id), changed=1.0, box=Box((0.3, 0.0, 1.0), classes.get("mug").size), guessed=True)
    trace = stances(*[(3.2 + 0.4 * k, 0.9, 0.0, None) for k in range(7)], *[(6.0 + 0.4 * k, 5.0, 0.0, None) for k in range(36)])
    around = SimpleNamespace(people={"bob": _body("bob", 5.1, 0.0, 20.0)}, places={place.id: place}, traces={"bob": trace}, config=CONFIG, frame=SimpleNamespace(stamp=20.0))
    assert _shut_away(mug, SimpleNamespace(box=Box((5.0, 0.0, 1.0), classes.get("mug").size)), around) is another


def test_what_shows_in_a_shut_cupboard_at_the_hands_of_a_newcomer_is_what_was_in_it():
    place = replace(cupboard(0.5, 1.5, Openness.CLOSED), confirmed=20.0)
    mug = replace(cup(None, 1.0, place.id), changed=1.0, box=Box(place.body.centre, classes.get("mug").size), guessed=True)
    x, y, z = place.body.centre
    around = SimpleNamespace(people={"bob": _body("bob", x + 0.5, y, 20.0)}, places={place.id: place}, traces={"bob": stances((20.0, x + 0.5, y, None))}, config=CONFIG,
                             frame=SimpleNamespace(stamp=20.0))
    bob = replace(around.people["bob"], hands=((x + 0.3, y, z),))
    around.people["bob"] = bob
    in_it, before_it = (SimpleNamespace(box=Box((x + off, y, z), classes.get("mug").size)) for off in (0.0, 0.6))
    assert not _shut_away(mug, in_it, around) and _shut_away(mug, before_it, around)


@pytest.mark.parametrize("deserted, opened, may_be", [(None, 20.0, False), ((6.0, 12.0), 20.0, True), ((1.0, 7.0), 20.0, False), (None, 4.0, True)])
def test_what_somebody_left_with_is_not_in_what_they_cannot_have_come_back_to(deserted, opened, may_be):
    """Alice went out of view with a mug at 5 s; one shows in the cupboard that somebody else has open at 21 s."""
    place = replace(cupboard(opened, None, Openness.OPEN), confirmed=21.0, deserted=deserted, hits=9)
    mug = replace(cup("alice", 5.0), last_seen=5.0)
    seen = SimpleNamespace(box=Box(place.body.centre, classes.get("mug").size), cls="mug", detection=SimpleNamespace(shown_since=None))
    around = SimpleNamespace(people={}, places={place.id: place}, traces={}, voxels=None, config=CONFIG, frame=SimpleNamespace(stamp=21.0))
    assert (_price(mug, seen, False, 2, False, around) < 100) is may_be


@pytest.mark.parametrize("stamp, may_be", [(8.0, False), (12.0, True)])
def test_what_somebody_left_with_is_not_where_they_cannot_have_got_to(stamp, may_be):
    """Alice went out of view with a mug at 5 s; one shows ten metres from there."""
    mug = replace(cup("alice", 1.0), last_seen=1.0)
    alice = replace(_body("alice", 0.0, 0.0, 5.0), visible=False)
    seen = SimpleNamespace(box=Box((10.0, 0.0, 0.8), classes.get("mug").size), cls="mug", detection=SimpleNamespace(shown_since=None))
    around = SimpleNamespace(people={"alice": alice}, places={}, traces={}, voxels=None, config=CONFIG, frame=SimpleNamespace(stamp=stamp))
    assert (_price(mug, seen, False, 2, False, around) < 100) is may_be


@pytest.mark.parametrize("since, at, may_be", [(None, 0.0, True), (9.5, 0.0, True), (6.0, 0.0, False), (6.0, 2.4, True)])
def test_what_has_lain_there_since_before_the_thing_was_seen_elsewhere_is_not_it(since, at, may_be):
    """A mug was seen at x = ``at`` at 9 s, and is lost; one lies at x = 2.5, as something has since ``since``."""
    mug = replace(cup(None, 1.0), last_seen=9.0, seen_at=(at, 0.0, 0.8), box=Box((at, 0.0, 0.8), classes.get("mug").size), holder=None, place=None, tracking=Tracking.LOST)
    seen = SimpleNamespace(box=Box((2.5, 0.0, 0.8), classes.get("mug").size), cls="mug", detection=SimpleNamespace(shown_since=since))
    around = SimpleNamespace(people={}, places={}, traces={}, voxels=None, config=CONFIG, frame=SimpleNamespace(stamp=12.0))
    assert (_price(mug, seen, False, 2, False, around) < 100) is may_be


@pytest.mark.parametrize("walked, ago, may_be", [((9.0, 9.0), 0.8, False), ((0.3, 2.2), 0.8, True), ((0.3, 0.3), 0.8, False), ((9.0, 9.0), 5.0, True), (None, 0.8, True)])
def test_one_look_that_misses_it_sends_it_nowhere_that_nobody_carried_it(walked, ago, may_be, monkeypatch):
    """A mug lay at x = 0, is missed there, and one shows at x = 2.5; ``walked``: where somebody stood before and after."""
    mug = replace(cup(None, 1.0), last_seen=10.0 - ago, box=Box((0.0, 0.0, 0.8), classes.get("mug").size), holder=None, place=None)
    seen = SimpleNamespace(box=Box((2.5, 0.0, 0.8), classes.get("mug").size), cls="mug", detection=SimpleNamespace(shown_since=None))
    traces = {} if walked is None else {"ana": stances((9.3, walked[0], 0.3, None), (9.6, 0.5 * sum(walked), 0.3, None), (10.0, walked[1], 0.3, None))}
    around = SimpleNamespace(people={}, places={}, traces=traces, voxels=None, config=CONFIG, frame=SimpleNamespace(stamp=10.0))
    monkeypatch.setattr(association, "look_for", lambda *_: Look.MISSING)
    assert (_price(mug, seen, False, 2, False, around) < 100) is may_be


@pytest.mark.parametrize("gap, moved, kept", [(1.0, 1.0, True), (3.0, 0.1, True), (4.0, 1.0, False), (3.2, 1.4, True), (6.0, 5.4, False), (8.0, 0.0, False)])
def test_who_comes_into_view_again_where_they_stood_or_had_walked_has_put_it_nowhere_else(gap, moved, kept):
    trace = stances((10.0, 0.9, 0.0, None), (10.4, 0.9, 0.0, None), (10.4 + gap, 0.9 + moved, 0.0, None), (10.8 + gap, 0.9 + moved, 0.0, None))
    around = SimpleNamespace(traces={"alice": trace}, frame=SimpleNamespace(stamp=11.0 + gap))
    assert _in_view_since(_body("alice", 0.9, 0.0, 11.0 + gap), replace(cup("alice", 10.0), last_seen=10.0), 11.0 + gap, around) is kept


@pytest.mark.parametrize("last, kept", [(9.6, True), (7.0, False)])
def test_who_was_seen_just_before_their_thing_showed_last_and_again_where_they_stood_has_put_it_nowhere_else(last, kept):
    """Only the mug was made out at 10 s; she shows again at 13 s."""
    trace = stances((last, 0.9, 0.0, None), (13.0, 1.0, 0.0, None), (13.4, 1.0, 0.0, None))
    around = SimpleNamespace(traces={"alice": trace}, frame=SimpleNamespace(stamp=13.4))
    assert _in_view_since(_body("alice", 1.0, 0.0, 13.4), replace(cup("alice", 10.0), last_seen=10.0), 13.4, around) is kept


@pytest.mark.parametrize("opened_at, away, kept", [(12.9, 0.0, True), (None, 0.0, False), (13.6, 0.0, False), (12.9, 1.5, False)])
def test_who_was_out_of_view_until_they_opened_something_has_put_it_nowhere_else_on_the_way(opened_at, away, kept):
    """Seen at 10 s, and at 13.8 s, 1.4 m on, before the cupboard that stands open since: that takes more than the way; where another stands there, it may have been them."""
    place = replace(cupboard(opened_at), body=replace(CUPBOARD, centre=(CUPBOARD.centre[0], CUPBOARD.centre[1] + 1.4 + away, 1.0)))
    trace = stances((10.0, 0.9, 0.0, None), (13.8, 0.9, 1.4, None), (14.2, 0.9, 1.4, None))
    around = SimpleNamespace(traces={"alice": trace}, frame=SimpleNamespace(stamp=14.2))
    assert _in_view_since(_body("alice", 0.9, 1.4, 14.2), replace(cup("alice", 10.0), last_seen=10.0), 14.2, around, place) is kept


@pytest.mark.parametrize("there, still, lies, held", [(0.0, 1, True, False), (0.0, 0, False, True), (0.15, 2, True, True)])
def test_what_lies_where_it_first_showed_in_an_open_oven_is_in_no_hand_though_one_is_beside_it(there, still, lies, held):
    """Nothing is seen to bear it; ``there``: m from where it showed first."""
    oven, x = replace(cupboard(0.0), hits=9), 0.35
    mug = replace(cup(None, 2.0), box=Box((x, 0.0, 1.0), classes.get("mug").size), rest=(x + there, 0.0, 1.0), hits=1 + still, still=still)
    alice = replace(_body("alice", 0.75, 0.0, 2.4), hands=((x + 0.08, 0.0, 1.0),))
    around = SimpleNamespace(people={"alice": alice}, places={oven.id: oven}, config=CONFIG, frame=SimpleNamespace(stamp=2.4))
    assert holder_of(mug, mug.box, NOTHING, lies, around) == ("alice" if held else None)


@pytest.mark.parametrize("taken_from, hand, still_for, held", [
    ("kitchencabinet_1", 0.05, 1.6, True), ("kitchencabinet_1", 0.6, 1.6, False), (None, 0.05, 1.6, False), (None, 0.05, 0.8, True)])
def test_what_was_taken_out_of_it_and_is_held_still_before_it_is_not_put_back(taken_from, hand, still_for, held):
    """She shuts the door with her other hand; ``hand``: m from hers to the mug, which shows within the cupboard's box. In pictures in quick succession, four are soon still."""
    mug = replace(cup("alice", 3.0), box=Box((0.3, 0.0, 1.0), classes.get("mug").size), taken_from=taken_from, still=6, still_since=3.2 - still_for, hits=20, seen_at=(0.3, 0.0, 1.0))
    alice = replace(_body("alice", 0.3 + hand + 0.1, 0.0, 3.2), hands=((0.3 + hand, 0.0, 1.0),))
    around = SimpleNamespace(people={"alice": alice}, places={"kitchencabinet_1": cupboard(1.0)}, config=CONFIG, frame=SimpleNamespace(stamp=3.2))
    assert holder_of(mug, mug.box, Support("kitchencabinet_1", True, 0.9), True, around) == ("alice" if held else None)


@pytest.mark.parametrize("changed, opened, taken_from", [(1.0, 3.0, "kitchencabinet_1"), (3.5, 3.0, None), (1.0, None, None)])
def test_what_was_in_a_container_before_it_was_opened_is_known_to_be_taken_out_of_it(changed, opened, taken_from):
    """Not what was put in while it stood open."""
    place = cupboard(opened)
    mug = replace(cup(None, 4.0, place.id), changed=changed)
    around = SimpleNamespace(places={place.id: place})
    assert taken_out_of(mug, around) == taken_from
    lay = replace(mug, born=changed, still=3)
    assert taken_out_of(lay, around) == (None if opened is None else place.id)  # it lay there as it was first seen, and nobody had it before
    assert taken_out_of(replace(lay, still=2, changed=3.5), around) is None
    assert taken_out_of(replace(mug, inside=False), around) is None and taken_out_of(replace(mug, holder="alice"), around) is None


def test_how_somebody_carries_a_thing_shows_only_while_they_are_seen_to_walk():
    walking = replace(walker([(10.0, 0.0, 0.0), (10.4, 0.4, 0.0)], 0.0), visible=True)
    mug = replace(cup("alice", 10.0), carry=(0.3, 1.0))
    assert _carry(mug, walking, (0.3, 0.4, 1.2), CONFIG) == pytest.approx((0.5, 1.2))
    assert _carry(mug, replace(walking, visible=False), (0.3, 0.4, 1.2), CONFIG) == (0.3, 1.0)
    assert _carry(mug, walker([(10.0, 0.0, 0.0), (10.4, 0.0, 0.0)], 0.0), (0.3, 0.4, 1.2), CONFIG) == (0.3, 1.0)


@pytest.mark.parametrize("middle, width", [(2.32, 0.7), (2.268, 0.38)])
def test_a_part_of_what_lies_there_does_not_move_it(middle, width):
    """A long towel on a table, of which for a while only one end shows beside a screen, or most of it beside an arm."""
    table = Solid("kitchentable", "kitchentable", Box((1.5, 2.5, 0.375), (0.8, 1.2, 0.75)))
    towel, screen = Solid("towel", "towel", Box((1.6, 2.5, 0.79), (0.15, 0.6, 0.06)), (200, 30, 30)), Solid("", "", Box((2.4, middle, 1.0), (0.05, width, 1.2)))
    scenes = [[table, towel]] * 6 + [[table, towel, screen]] * 4 + [[table, towel]] * 3
    _, graphs, _ = play([Scene(s, pose=look(4.3, 2.5, np.pi)).frame(0.4 * i) for i, s in enumerate(scenes, start=1)])
    at = [[e for e in g.entities.values() if e.cls == "towel"] for g in graphs[3:]]
    assert all(len(found) == 1 for found in at)
    assert max(abs(found[0].position[1] - 2.5) for found in at) < 0.06


@pytest.mark.parametrize("openness, later, at, kept", [(Openness.CLOSED, 0.8, 0.0, True), (Openness.CLOSED, 2.0, 0.0, False), (Openness.OPEN, 0.8, 0.0, False),
                                                       (Openness.CLOSED, 0.8, 0.8, False)])
def test_what_shows_through_the_crack_of_a_door_that_shuts_is_still_in_there(openness, later, at, kept):
    body = Box((0.0, 0.0, 0.5), (0.4, 0.8, 0.9))
    around = SimpleNamespace(places={"cabinet_1": SimpleNamespace(openness=openness, body=body)}, frame=SimpleNamespace(stamp=10.0 + later))
    plate = ThingTrack("plate_1", "plate", Box((0.0, 0.1, 0.5), (0.2, 0.05, 0.02)), Tracking.HELD, 10.0, 0.0, holder="nina", reached=("cabinet_1", 10.0))
    assert still_in(plate, Box((at, 0.1, 0.5), (0.2, 0.05, 0.02)), around) == (("cabinet_1", 10.0) if kept else None)


@pytest.mark.parametrize("reached, place", [(("microwave_1", 10.0), ("microwave_1", True)), (None, ("kitchencounter_1", False))])
def test_what_was_put_into_a_microwave_on_a_counter_is_in_it_though_it_shows_as_that_shuts(reached, place):
    """The towel lies in it, just above the counter that the microwave stands on; its door has shut in this frame."""
    oven = PlaceTrack("microwave_1", "microwave", Cells(), Box((0.0, 0.0, 1.05), (0.34, 0.5, 0.3)), 0.0, hits=9, openness=Openness.CLOSED, opened_at=8.5, closed_at=10.2)
    top = np.column_stack([np.linspace(-0.3, 0.3, 400), np.tile(np.linspace(-0.9, 0.9, 20), 20), np.full(400, 0.91)])
    counter = PlaceTrack("kitchencounter_1", "kitchencounter", Cells().add(top), Box((0.0, 0.0, 0.46), (0.6, 1.8, 0.9)), 0.0, hits=9, openness=Openness.NONE)
    towel = ThingTrack("towel_1", "towel", Box((-0.09, 0.01, 0.95), (0.1, 0.2, 0.06)), Tracking.HELD, 10.0, 0.0, holder="nina", reached=reached, hits=9,
                       seen_at=(-0.09, 0.01, 0.95), still=4, changed=5.0)
    nina = _body("nina", -0.9, 0.0, 10.4)
    around = Surroundings(SimpleNamespace(stamp=10.4, camera_pose=look(-3.0, 0.0, 0.0), robot_holds=(), detections=(), color=np.zeros((4, 4, 3), np.uint8)),
                          {p.id: p for p in (oven, counter)}, {"nina": nina}, None, CONFIG, 0.4)
    seen = SimpleNamespace(box=Box((-0.09, 0.01, 0.95), (0.1, 0.2, 0.06)), cls="towel", detection=SimpleNamespace(names=(), score=0.9),
                           rows=np.zeros(1, int), columns=np.zeros(1, int), points=np.zeros((1, 3)))
    now = observed(towel, seen, around)
    assert (now.place, now.inside) == place and now.holder is None


@pytest.mark.parametrize("openness, pending, ever_open, still, inside", [
    (Openness.CLOSED, None, None, 5, False),  # shut as long as it is known, and the bottle shows all the while
    (Openness.CLOSED, None, None, 1, True),  # shows for a moment: eyes may be mistaken
    (Openness.CLOSED, Openness.OPEN, None, 5, True), (Openness.UNKNOWN, None, None, 5, True), (Openness.OPEN, None, 4.0, 5, True),
    (Openness.CLOSED, None, 4.0, 5, True)])  # it was put in there, and the door is thought shut
def test_what_shows_in_what_is_shut_and_was_never_open_stands_before_it(openness, pending, ever_open, still, inside):
    """The microwave's box reaches too far; a bottle stands right before its front, on the counter."""
    oven = PlaceTrack("microwave_1", "microwave", Cells(), Box((0.0, 0.0, 1.05), (0.5, 0.5, 0.3)), 0.0, hits=9, openness=openness, pending=pending, opened_at=ever_open)
    top = np.column_stack([np.linspace(-0.3, 0.3, 400), np.tile(np.linspace(-0.9, 0.9, 20), 20), np.full(400, 0.91)])
    counter = PlaceTrack("kitchencounter_1", "kitchencounter", Cells().add(top), Box((0.0, 0.0, 0.46), (0.6, 1.8, 0.9)), 0.0, hits=9, openness=Openness.NONE)
    box = Box((0.2, 0.01, 1.0), (0.07, 0.07, 0.18))
    bottle = ThingTrack("wine_1", "wine", box, Tracking.VISIBLE, 10.0, 0.0, place="microwave_1", inside=True, hits=9, seen_at=box.centre, rest=box.centre, still=still)
    around = Surroundings(SimpleNamespace(stamp=10.4, camera_pose=look(3.0, 0.0, np.pi), robot_holds=(), detections=(), color=np.zeros((4, 4, 3), np.uint8)),
                          {p.id: p for p in (oven, counter)}, {}, None, CONFIG, 0.4)
    seen = SimpleNamespace(box=box, cls="wine", detection=SimpleNamespace(names=(), score=0.9), rows=np.zeros(1, int), columns=np.zeros(1, int), points=np.zeros((1, 3)))
    now = observed(bottle, seen, around)
    assert (now.place, now.inside) == (("microwave_1", True) if inside else ("kitchencounter_1", False))


@pytest.mark.parametrize("order, confirmed, unwatched, seconds", [
    ("source first", 0.0, None, 3.0), ("cupboard first", 0.0, None, 0.0), ("source first", 20.0, None, 0.0), ("source first", 20.0, (1.0, 9.0), 3.0)])
def test_where_who_took_a_thing_unseen_has_stood_since(order, confirmed, unwatched, seconds):
    """Bob stands for 3 s where the mug lay and for 3 s at the cupboard, 2.5 m from it; whether that was seen to be shut meanwhile is ``confirmed`` and ``unwatched``."""
    there, here = [(1.0 + 0.4 * k, 3.4, 0.0, None) for k in range(8)], [(1.0 + 0.4 * k, 0.9, 0.0, (0.3, 0.0, 1.0)) for k in range(8)]
    first, then = (there, here) if order == "source first" else (here, there)
    trace = stances(*first, *[(t + 3.6, *rest) for t, *rest in then])
    place = replace(cupboard(None, None, Openness.CLOSED), confirmed=confirmed, unwatched=unwatched)
    mug = replace(cup(None, 1.0, "kitchentable_1"), box=Box((3.0, 0.0, 1.0), classes.get("mug").size), rest=(3.0, 0.0, 1.0), last_seen=0.5)
    around = SimpleNamespace(people={"bob": _body("bob", 0.9, 0.0, 8.0)}, places={place.id: place}, traces={"bob": trace}, config=CONFIG, frame=SimpleNamespace(stamp=8.0))
    assert stood_since("bob", mug, around).get(place.id, 0.0) == pytest.approx(seconds, abs=0.8)
