"""When things were taken and put, as doors, stays and looks tell, and who no longer has what they had."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household.actions import Verb
from household.scene_graph import Openness, Tracking
from perception import deeds, naming, thing_seen, thing_unseen, things
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.handling import Stance, open_from, when
from perception.letting_go import _left_in, out_of_sight
from perception.places import Behind
from perception.support import NOTHING, Support
from tests.perception.test_perception_deeds import told
from tests.perception.test_perception_handling import CONFIG, CUPBOARD, cup, cupboard, stances, visit
from tests.perception.test_perception_letting_go import OTHER, VISIT, unseen
from tests.perception.test_perception_naming import look, watch
from tests.perception.test_perception_walking import walker

AT_IT = stances(*[(0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(60)])


@pytest.mark.parametrize("closed, since, earliest, latest", [(4.4, 0.0, 3.5, 3.8), (4.4, 4.0, 4.0, 4.4), (9.0, 0.0, 2.8, 3.4)])
def test_what_is_open_for_a_moment_is_used_in_the_middle_of_it_and_what_stays_open_at_once(closed, since, earliest, latest):
    """``since``: from when on she is at it."""
    stamp, _ = when([s for s in AT_IT if s.stamp >= since], CUPBOARD, 0.0, 12.0, cupboard(2.0, closed, Openness.CLOSED))
    assert earliest <= stamp <= latest


def test_a_tall_door_takes_longer_to_swing_open():
    fridge = cupboard(2.0, box=Box((0.3, 0.0, 0.9), (0.6, 0.6, 1.8)))
    assert open_from(fridge) > open_from(cupboard(2.0)) > 2.0
    assert open_from(cupboard(2.0, name="dishwasher_1")) > open_from(cupboard(2.0))  # its door comes down
    assert when(AT_IT, fridge.body, 0.0, 12.0, fridge)[0] >= open_from(fridge)


def test_a_hand_is_in_a_moment_after_the_door_has_swung_open_and_where_that_is_before_now():
    place = cupboard(2.0)
    at = lambda start, stamp: deeds._once_open(start, place, SimpleNamespace(stamp=stamp))  # noqa: E731
    assert open_from(place) + 0.1 < at(2.2, 9.0) < open_from(place) + 0.5
    assert at(2.2, 2.9) == 2.9  # as soon as it shows
    assert at(5.0, 9.0) == 5.0  # long open


def test_what_showed_in_an_open_container_in_a_hand_was_put_there_by_then():
    place, mug = cupboard(1.0), replace(cup("alice", 0.5), seen_at=(0.3, 0.0, 1.0))

    def shown(before, stamp, at, support=Support("kitchencabinet_1", True)):
        return thing_seen._entered(before, Box(at, (0.08, 0.08, 0.1)), support, SimpleNamespace(frame=SimpleNamespace(stamp=stamp)))

    first = shown(mug, 2.0, (0.3, 0.0, 1.0))
    assert first == (place.id, 2.0) and shown(replace(mug, entered=first), 2.4, (0.32, 0.0, 1.0)) == first
    assert shown(replace(mug, entered=first), 2.4, (0.3, 0.25, 1.0)) == (place.id, 2.4)  # deeper in: it was still on its way
    assert shown(replace(mug, entered=first), 2.4, (0.3, 0.0, 1.0), NOTHING) is None
    assert _left_in(replace(mug, entered=first), place, 3.1, 1.0).changed == 2.0
    assert _left_in(replace(mug, entered=first), OTHER, 3.1, 1.0).changed == 3.1
    assert _left_in(replace(mug, entered=first), cupboard(2.2), 3.1, 1.0).changed == 3.1  # opened anew since


def test_what_is_seen_to_be_let_go_in_there_was_put_there_by_when_it_showed(monkeypatch):
    monkeypatch.setattr(thing_seen, "handled", lambda *a: 3.1)
    place, before = cupboard(1.0), replace(cup("alice", 3.0, changed=0.5), entered=("kitchencabinet_1", 2.0))
    around = SimpleNamespace(frame=SimpleNamespace(stamp=3.4), places={place.id: place})
    assert thing_seen._let_go(before, before, Support(place.id, True), around) == 2.0
    assert thing_seen._let_go(replace(before, entered=None), before, Support(place.id, True), around) == 3.1


def test_what_was_put_into_what_nobody_saw_open_was_put_there_amid_the_stay_at_it():
    mug = unseen(VISIT, [cupboard(openness=Openness.CLOSED), OTHER], from_=2.8)  # from 0 to 2.4 s
    assert mug.inside and mug.changed == pytest.approx(1.2, abs=0.21)


@pytest.mark.parametrize("shut, place", [(3.0, "kitchencabinet_1"), (None, None)])
def test_who_bent_down_and_shut_it_put_in_what_they_held_though_they_are_out_of_view_when_that_is_sure(shut, place):
    low = replace(cupboard(1.0, shut, Openness.UNKNOWN), behind=Behind("alice", 1.0, shut))
    alice = replace(walker([(3.6, 0.9, 0.0)], np.pi), visible=False, hands=())
    around = SimpleNamespace(people={"alice": alice}, places={low.id: low}, dt=0.4, traces={"alice": tuple(Stance(0.4 * i, (0.9, 0.0), np.pi, ()) for i in range(10))},
                             frame=SimpleNamespace(stamp=6.0, camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0)))
    mug = out_of_sight(replace(cup("alice", -0.2), tracking=Tracking.HELD), 2, around)
    assert mug.place == place and (place is None or 1.8 <= mug.changed <= 3.0)


@pytest.mark.parametrize("looks, later, called", [(1, 3.0, "milk"), (1, 1.0, "juice"), (3, 3.0, "juice")])
def test_what_passed_by_names_nothing_that_shows_there_later(looks, later, called):
    frames = [look(1.0 + 0.3 * i, (40, [("juice", 0.9), ("wine", 0.1)])) for i in range(looks)]
    memory, _ = watch(frames)
    assert naming.settle(memory, look(frames[-1].stamp + later, (40, [("milk", 0.9)]))).detections[0].cls == called


@pytest.mark.parametrize("lasts, given", [(0.7, 0), (2.0, 1)])
def test_who_only_passes_close_by_was_handed_nothing(lasts, given):
    def mug(t):
        return cup("david" if 2.0 <= t < 2.0 + lasts else "alice", t, changed=2.0 if 2.0 <= t < 2.0 + lasts else 0.0)

    found = [e for e in told(mug, cupboard(openness=Openness.CLOSED), until=4.0) if e.verb is Verb.GIVE]
    assert len(found) == given and all(e.actor == "alice" and e.place == "david" for e in found)


@pytest.mark.parametrize("looks, given", [(2, 0), (8, 1)])
def test_what_showed_twice_in_the_hand_of_somebody_walking_past_was_not_handed_over(looks, given):
    """Only a hand of alice's shows, and david's body beside it; he stays near her for the rest of the time."""
    def mug(t):
        return replace(cup("david" if t >= 2.0 else "alice", t, changed=2.0 if t >= 2.0 else 0.0), visible=t < 2.0 + 0.2 * looks - 0.1)

    found = [e for e in told(mug, cupboard(openness=Openness.CLOSED), until=6.0) if e.verb is Verb.GIVE]
    assert len(found) == given


@pytest.mark.parametrize("looks, holder", [(2, "alice"), (3, "david")])
def test_what_was_seen_but_twice_in_anothers_hand_is_still_in_the_one_it_was_in(monkeypatch, looks, holder):
    monkeypatch.setattr(thing_seen, "_began", lambda *a: 2.0)
    monkeypatch.setattr(thing_seen, "_entered", lambda *a: None)
    monkeypatch.setattr(thing_seen, "taken_out_of", lambda *a: None)
    people = {"alice": replace(walker([(0.0, 0.9, 0.0)], np.pi), hands=()), "david": replace(walker([(0.0, 0.6, 0.3)], np.pi), id="david", hands=())}
    around = SimpleNamespace(people=people, places={}, traces={}, config=CONFIG, dt=0.3, frame=SimpleNamespace(stamp=3.0, camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0)))
    mug = replace(cup("alice", 1.0, changed=0.5), showed=("alice", 4), tracking=Tracking.HELD)
    for _ in range(looks):
        mug = thing_seen._in_hand(mug, replace(mug, passing=None), "david", NOTHING, False, around)
    assert mug.holder == "david"  # as it looks
    after = thing_unseen.unobserved(mug, around)
    assert (after.holder, after.changed) == (holder, 0.5 if holder == "alice" else 2.0) and after.passing is None


@pytest.mark.parametrize("score, held, sure", [(0.7, True, True), (0.7, False, False), (0.3, True, False)])
def test_two_good_looks_at_something_in_a_hand_make_sure_of_it(monkeypatch, score, held, sure):
    monkeypatch.setattr(thing_seen, "colour_of", lambda *a: None)
    monkeypatch.setattr(thing_seen, "_known_look", lambda *a: None)
    one = SimpleNamespace(box=Box((0, 0, 1), (0.1, 0.1, 0.1)), detection=SimpleNamespace(score=score, names=()))
    around = SimpleNamespace(frame=SimpleNamespace(stamp=1.0), config=PerceptionConfig(confirm_frames=3))
    before = replace(cup("alice" if held else None, 0.6), hits=1, confidence=score, was=0.0)
    assert (thing_seen._shown(before, one, False, held, around).hits >= 3) is sure


@pytest.mark.parametrize("unseen_for, taken, holder, tracking", [
    (8.0, 5.0, None, Tracking.LOST), (3.0, 8.0, "alice", Tracking.HELD), (8.0, 1.0, "alice", Tracking.HELD)])
def test_who_has_taken_up_something_else_has_put_down_what_has_not_shown_with_them_since(unseen_for, taken, holder, tracking):
    mug = replace(cup("alice", 10.0 - unseen_for), tracking=Tracking.HELD)
    plate = replace(cup("alice", 10.0, changed=taken), id="plate_1", cls="plate", hits=9)
    inventory = SimpleNamespace(around=SimpleNamespace(frame=SimpleNamespace(stamp=10.0), config=CONFIG), current={"mug_1": mug, "plate_1": plate}, seen={"plate_1": None})
    now = things._no_longer_had(mug, inventory)
    assert (now.holder, now.tracking) == (holder, tracking)
    assert things._no_longer_had(mug, SimpleNamespace(**{**vars(inventory), "seen": {}})) is mug


@pytest.mark.parametrize("put, sure, source", [(2.2, 1.0, None), (0.5, 1.0, "kitchencabinet_1"), (2.2, 0.3, "kitchencabinet_1")])
def test_nothing_came_out_of_what_was_opened_to_put_something_in(put, sure, source):
    place = cupboard(1.0, 3.0, Openness.CLOSED)
    bowl = replace(cup(None, 2.4, place.id, changed=put), id="bowl_1", confidence=sure)
    now = SimpleNamespace(places={place.id: place}, things={bowl.id: bowl}, traces={"alice": visit()})
    found = deeds._just_open(walker([(4.0, 0.9, 0.0)], np.pi), now, 4.0, 0.3)
    assert (found and found[0].id) == source


@pytest.mark.parametrize("last_seen, began", [(1.0, 1.2), (1.4, 1.4)])
def test_a_thing_was_taken_between_two_looks(last_seen, began):
    lying = replace(cup(None, last_seen, "kitchentable_1"), rest=(0.3, 0.0, 1.0), moving_since=None, hits=9)
    assert thing_seen._began(lying, "alice", SimpleNamespace(frame=SimpleNamespace(stamp=1.4))) == pytest.approx(began)


@pytest.mark.parametrize("faced, now, where", [(0.0, math.pi / 2, (1.0, 2.4)), (0.0, 0.0, (1.4, 2.0)), (None, 1.0, (1.4, 2.0)), (0.0, None, (1.4, 2.0))])
def test_what_is_held_out_of_view_goes_round_with_its_holder_as_they_turn(faced, now, where):
    """It was last seen 0.4 m along x from them."""
    holder = SimpleNamespace(position=(1.0, 2.0), yaw=now, visible=True)
    mug = things.ThingTrack("mug_1", "mug", Box((1.3, 2.0, 1.1), (0.08, 0.08, 0.1)), Tracking.HELD, 0.0, 0.0, holder="alice", offset=(0.4, 0.0, 1.1), faced=faced)
    moved = things._carried(mug, SimpleNamespace(people={"alice": holder}))
    assert moved.box.centre == pytest.approx((*where, 1.1))
