"""Who went through a doorway, as told by where people were seen and where the camera has looked since."""

from dataclasses import replace

import pytest

from perception import rooms
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.people import HISTORY
from perception.rooms import Rooms
from tests.perception.raycast import TWO_ROOMS
from tests.perception.test_perception_walking import walker

CONFIG, STEP = PerceptionConfig(), 0.4


def gone_through(*spots, believed=None, shut=(), opened=()):
    """(from, to) of every passage that is told of somebody seen at these spots, (x, y), one after the other, None: out of sight. ``believed``: the room they were last
    taken to be in, a long time before."""
    now = Rooms({"alice": believed}, {"alice": -1e9}) if believed else Rooms()
    told, path, person = [], [], None
    for i, spot in enumerate(spots):
        stamp = 20.0 + STEP * i
        if spot is not None:
            path = [*(path if path and stamp - path[-1][0] < 2.0 else ()), (stamp, *spot)][-HISTORY:]
            person = walker(path, 0.0)
        elif person is not None:
            person = replace(person, visible=False)
        before = now
        now = rooms.settle(now, [person] if person is not None else [], stamp, 0.0, TWO_ROOMS, CONFIG, shut=shut, opened=opened)
        a, b = before.of.get("alice"), now.of.get("alice")
        if a is not None and a != b and before.crossed.get("alice") != now.crossed.get("alice"):
            told.append((a, b))
    return told


IN = [("livingroom", "kitchen")]


def test_who_shows_once_in_a_doorway_and_again_inside_has_come_in_though_they_were_hidden_between():
    assert gone_through((4.99, 2.5), None, (4.3, 2.4), (4.0, 2.4), believed="livingroom") == IN
    assert gone_through((3.0, 1.0), None, (2.6, 1.0), (2.3, 1.0), believed="livingroom") == []  # not at a doorway: when they came nobody knows


@pytest.mark.parametrize("believed", ["kitchen", None])
def test_who_is_first_seen_beyond_the_doorway_and_then_inside_has_come_in(believed):
    """Whether they were taken to be inside already, whose leaving nobody saw, or were not known."""
    assert gone_through((5.2, 2.4), (4.9, 2.2), (4.6, 1.9), (4.3, 1.7), believed=believed) == IN


def test_who_is_first_seen_beside_a_doorway_and_walks_past_it_was_inside_already():
    assert gone_through((4.6, 3.0), (4.65, 2.6), (4.7, 2.2), (4.7, 1.8)) == []
    assert gone_through((4.6, 2.6), (4.2, 2.6), (3.8, 2.6), (3.4, 2.6)) == IN


def test_who_lingers_by_a_doorway_where_they_turn_up_did_not_just_come_through_it():
    assert gone_through((4.2, 2.3), (4.17, 2.3), (4.15, 2.3), (4.12, 2.3), believed="livingroom") == []
    assert gone_through((4.6, 2.4), (4.3, 2.4), (4.0, 2.4), (3.7, 2.4), believed="livingroom") == IN


@pytest.mark.parametrize("shut, unseen, told", [((), 4, []), ((), 7, [("kitchen", "livingroom")]), (("door_1",), 7, [])])
def test_who_vanishes_towards_a_doorway_is_given_two_seconds_to_show_again_and_does_not_go_through_a_shut_door(shut, unseen, told):
    """With no look at where they were."""
    assert gone_through((2.9, 2.5), (3.3, 2.5), (3.7, 2.5), (4.1, 2.5), *[None] * unseen, shut=shut) == told


def test_who_vanishes_at_something_open_beside_a_doorway_stands_behind_its_door():
    """A fridge within arm's reach of where they were last seen, and one across the room."""
    spots = [(2.9, 2.5), (3.3, 2.5), (3.7, 2.5), (4.1, 2.5), *[None] * 7]
    assert gone_through(*spots, opened=[Box((4.6, 3.2, 0.9), (0.6, 0.6, 1.8))]) == []
    assert gone_through(*spots, opened=[Box((1.0, 0.5, 0.9), (0.6, 0.6, 1.8))]) == [("kitchen", "livingroom")]


def passed(*spots):
    """Stamp at which somebody seen at these spots, one every 0.4 s from 20.0 on, is taken to have come from the livingroom, x > 5, into the kitchen."""
    path = [(20.0 + STEP * i, *spot) for i, spot in enumerate(spots)]
    return rooms._passed(walker(path, 0.0), "livingroom", "kitchen", TWO_ROOMS)


def test_when_somebody_came_in_is_read_off_the_sights_on_both_sides_however_they_went_on():
    straight = passed((5.3, 2.5), (4.7, 2.5), (4.3, 2.5), (3.9, 2.5))
    aside = passed((5.3, 2.5), (4.7, 2.5), (4.7, 2.1), (4.7, 1.7), (4.7, 1.3))  # along the wall, never deep in the room
    assert straight == aside == pytest.approx(20.28, abs=0.02)


def test_who_is_first_seen_inside_came_in_so_long_before_as_it_takes_from_the_doorway():
    near, far = passed((4.7, 2.5), (4.3, 2.5), (3.9, 2.5)), passed((4.3, 2.5), (3.9, 2.5), (3.5, 2.5))
    assert near == pytest.approx(20.0 - 0.18, abs=0.02) and far == pytest.approx(near - 0.4, abs=0.02)  # at a metre a second
    assert passed((3.0, 2.5), (2.98, 2.5)) == 19.0  # no earlier than a second before
    assert passed((5.4, 2.5), (5.2, 2.5)) == 20.4  # not inside yet
