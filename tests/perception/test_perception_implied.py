"""What was put into something, or taken out of it, says of its door."""

from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.scene_graph import Openness
from perception.implied import Implied, follow
from perception.moment import Moment
from tests.perception.test_perception_handling import cupboard
from tests.perception.test_perception_walking import walker

SHUT = replace(cupboard(openness=Openness.CLOSED), opened_at=None, closed_at=None, hits=9, confirmed=2.0)


def concluded(place_at, deeds, until=9.0):
    """Events that follow from ``deeds`` told at their end, at a container which at every stamp is ``place_at(stamp)``."""
    implied, found = Implied(), []
    for i in range(int(until / 0.25)):
        stamp = 0.25 * i
        now = Moment(stamp, {SHUT.id: place_at(stamp)}, {}, {"alice": walker([(stamp, 0.9, 0.0)], 3.1)}, {"alice": "kitchen"})
        implied, new = follow(implied, [d for d in deeds if d.end == stamp], now)
        found += new
    return found


def deed(verb=Verb.PUTIN, start=4.0, end=5.0, confidence=0.8, place=SHUT.id):
    return HumanAction("alice", verb, "cup_1", place, "kitchen", start, end, confidence)


def shut(t, since=6.0):
    return SHUT if t < since else replace(SHUT, confirmed=t)


@pytest.mark.parametrize("verb", [Verb.PUTIN, Verb.PICK])
def test_what_is_shut_before_and_after_was_opened_and_shut_for_it(verb):
    opened, closed = concluded(shut, [deed(verb)])
    assert (opened.verb, opened.actor, opened.target, opened.confidence) == (Verb.OPEN, "alice", SHUT.id, 0.8) and 2.5 < opened.start < 3.5
    assert (closed.verb, closed.actor, closed.target) == (Verb.CLOSE, "alice", SHUT.id) and 4.0 < closed.start < 5.5
    assert opened.end >= 6.0  # not before it was looked at again


@pytest.mark.parametrize("unsure", [deed(confidence=0.5), deed(place="kitchencabinet_9"), deed(Verb.PUTON), deed(place=None)])
def test_nothing_follows_from_what_is_not_sure_or_is_about_nothing_that_opens(unsure):
    assert concluded(shut, [unsure]) == []


def test_what_was_told_is_not_told_again():
    opening, closing = deed(Verb.OPEN, 2.8, 3.0, place=None), deed(Verb.CLOSE, 4.6, 5.5, place=None)
    opening, closing = replace(opening, target=SHUT.id), replace(closing, target=SHUT.id)
    assert concluded(shut, [opening, deed(), closing]) == []
    assert [e.verb for e in concluded(shut, [opening, deed()])] == [Verb.CLOSE]
    assert [e.verb for e in concluded(shut, [deed(), closing])] == [Verb.OPEN]


def test_two_deeds_of_one_visit_open_it_once():
    assert [e.verb for e in concluded(shut, [deed(), deed(Verb.PICK, 4.3, 5.25)])] == [Verb.OPEN, Verb.CLOSE]


def test_what_still_stands_open_was_opened_by_who_is_at_it_only_if_it_was_first_seen_so_just_before():
    def standing(t, opened_at):
        return replace(SHUT, openness=Openness.OPEN, opened_at=opened_at, confirmed=t)

    (opened,) = concluded(lambda t: standing(t, 3.2), [deed()])
    assert (opened.verb, opened.start) == (Verb.OPEN, 3.2)
    assert concluded(lambda t: standing(t, -5.0), [deed()]) == []


def test_of_what_was_never_made_out_nothing_follows():
    assert concluded(lambda t: replace(SHUT, openness=Openness.UNKNOWN), [deed()]) == []
