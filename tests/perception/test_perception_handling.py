"""Who moved what, and when: hands at places, doors, who took what is gone, and who saw it at the moment it showed."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import HumanAction, Verb
from household.scene_graph import Openness, Tracking
from perception import events, witness
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.handling import KEPT, SWING, Stance, remember, when
from perception.hands import holder_of, taker_of
from perception.home_map import HomeMap
from perception.moment import Moment
from perception.places import PlaceTrack
from perception.support import Support, support_of
from perception.thing_track import Surroundings, ThingTrack
from perception.thing_unseen import _opened_since
from perception.visibility import GeometricVisibility, Piece, Setting, Viewer
from tests.perception.test_perception_walking import walker

CONFIG = PerceptionConfig()
CUPBOARD = Box((0.3, 0.0, 1.0), (0.6, 0.6, 0.6))


def stances(*rows):
    """(stamp, x, y, hand or None), all facing −x."""
    return tuple(Stance(t, (x, y), np.pi, () if hand is None else (hand,)) for t, x, y, hand in rows)


def visit(start=0.0):
    """Walks up, reaches into the cupboard at 2.0 to 2.4 s after ``start``, walks off."""
    walk = [(start + 0.2 * i, 3.0 - 0.23 * i, 0.0, None) for i in range(10)]
    reach = [(start + 2.0 + 0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(3)]
    off = [(start + 2.6 + 0.2 * i, 1.1 + 0.25 * i, 0.0, None) for i in range(10)]
    return stances(*walk, *reach, *off)


def test_a_hand_in_the_box_tells_the_moment():
    stamp, sure = when(visit(), CUPBOARD, 0.0, 9.0)
    assert stamp == pytest.approx(2.2) and sure > 0.95


def test_a_hidden_hand_is_where_the_body_stood_and_less_sure():
    hidden = tuple(replace(s, hands=()) for s in visit())
    stamp, sure = when(hidden, CUPBOARD, 0.0, 9.0)
    assert 1.8 <= stamp <= 2.6 and 0.3 < sure <= 0.6


@pytest.mark.parametrize("bent, height, reached", [(0.7, 0.8, True), (0.0, 0.8, False), (0.7, 0.3, False)])
def test_who_leans_over_a_table_reaches_as_far_as_they_lean(bent, height, reached):
    """0.9 m from a thing, no hand in view; what is low is not reached so, but by standing before it."""
    thing = Box((0.0, 0.0, height), (0.08, 0.08, 0.08))
    leaning = tuple(Stance(0.2 * i, (0.94, 0.0), np.pi, (), bent) for i in range(6))
    assert (when(leaning, thing, 0.0, 1.2) is not None and when(leaning, thing, 0.0, 1.2)[1] > 0.3) is reached


def test_who_was_never_in_reach_did_not_do_it():
    assert when(stances(*[(0.2 * i, 4.0, 2.0, None) for i in range(20)]), CUPBOARD, 0.0, 4.0) is None
    assert when(visit(), CUPBOARD, 4.0, 9.0) is None and when((), CUPBOARD, 0.0, 9.0) is None


def cupboard(opened=None, closed=None, openness=Openness.OPEN, name="kitchencabinet_1", box=CUPBOARD):
    return PlaceTrack(name, name.rsplit("_", 1)[0], Cells(), box, 0.0, hits=9, openness=openness, opened_at=opened, closed_at=closed)


def test_nothing_is_taken_before_the_door_has_swung_nor_after_it_began_to_shut():
    still = stances(*[(0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(40)])  # a hand on the door, in it, and on the door again
    stamp, _ = when(still, CUPBOARD, 0.0, 7.8, cupboard(2.0, 4.0, Openness.CLOSED))
    assert 2.0 + SWING <= stamp <= 4.0


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(-1, 3), st.floats(-1, 1), st.booleans()), max_size=30),
       st.floats(0, 20), st.floats(0, 20), st.floats(0, 20), st.floats(0, 20))
@settings(max_examples=80, deadline=None)
def test_the_moment_lies_in_the_time_asked_for(rows, a, b, opened, closed):
    made = stances(*[(t, x, y, (x - 0.4, y, 1.0) if hand else None) for t, x, y, hand in sorted(rows)])
    found = when(made, CUPBOARD, min(a, b), max(a, b), cupboard(opened, closed))
    assert found is None or (min(a, b) <= found[0] <= max(a, b) and 0 < found[1] <= 1)


def test_where_no_picture_falls_into_the_moment_the_next_one_counts():
    seen = stances((0.0, 0.9, 0.0, None), (0.4, 0.9, 0.0, (0.5, 0.0, 1.0)), (0.8, 0.9, 0.0, None))
    stamp, sure = when(seen, CUPBOARD, 0.0, 0.8, cupboard(-0.35, 0.15, Openness.CLOSED))  # open, and not swinging, for a moment
    assert 0.4 <= stamp <= 0.5 and sure > 0.95
    assert when(seen, CUPBOARD, 2.0, 2.1) is None


def test_traces_hold_those_in_view_and_are_bounded():
    person = walker([(0.0, 1.0, 2.0)], 0.5)
    traces = {}
    for i in range(KEPT + 20):
        traces = remember(traces, [person], 0.1 * i)
    assert len(traces["alice"]) == KEPT and traces["alice"][-1] == Stance(0.1 * (KEPT + 19), (1.0, 2.0), 0.5, ())
    assert remember(traces, [replace(person, visible=False)], 99.0)["alice"] == traces["alice"]
    assert remember(traces, [], 99.0) == {}


def test_what_a_table_bears_stays_on_it_when_a_bench_beside_it_seems_to_bear_it_better():
    def piece(name, x, top):
        return replace(cupboard(openness=Openness.NONE, name=name, box=Box((x, 0.0, top / 2), (0.8, 0.8, top))), hits=9)

    places = {p.id: p for p in (piece("kitchentable_1", 0.0, 0.75), piece("bench_1", 0.3, 0.80))}
    apple = Box((0.2, 0.0, 0.86), (0.08, 0.08, 0.08))
    assert support_of(apple, places, CONFIG).place == "bench_1" and support_of(apple, places, CONFIG, "kitchentable_1").place == "kitchentable_1"
    beside = replace(apple, centre=(0.6, 0.0, 0.86))  # off the table, on the chair
    assert support_of(beside, places, CONFIG, "kitchentable_1").place == "bench_1"


# --- who took what is noticed late to be gone ---

def surroundings(traces, *places, stamp=9.0):
    """Everybody is far away by now."""
    people = {name: walker([(stamp, 5.0, 0.0)], 0.0) for name in traces}
    return Surroundings(SimpleNamespace(stamp=stamp), {p.id: p for p in places}, people, None, CONFIG, 0.3, traces)


def noticed_late(traces):
    return taker_of(cup(None, 1.5), surroundings(traces))


def test_who_had_a_hand_at_it_in_the_meantime_took_it():
    passed = stances(*[(0.2 * i, 4.0, 0.3 * i, None) for i in range(40)])
    assert noticed_late({"alice": visit(), "bob": passed}) == "alice"
    assert noticed_late({"bob": passed}) is None
    assert noticed_late({"alice": visit(), "bob": visit(3.0)}) is None  # either of them


def test_whose_hand_was_at_it_when_it_was_first_missed_took_it_not_who_stands_there_since():
    stays = stances(*[(0.2 * i, 0.75, 0.0, (0.48, 0.0, 1.0) if i > 15 else (0.9, 0.5, 1.0)) for i in range(30)])  # a hand is near only from 3.2 s on
    mug = replace(cup(None, 2.2), gone_by=2.6)
    assert taker_of(mug, surroundings({"alice": visit(), "bob": stays}, stamp=6.0)) == "alice"
    assert taker_of(replace(mug, gone_by=5.0), surroundings({"alice": visit(5.0), "bob": stays}, stamp=6.0)) == "bob"


def test_what_shows_in_its_place_undetected_was_not_taken_before():
    early, late = visit(-1.0), visit(4.0)
    mug = replace(cup(None, 0.5), gone_by=6.6)
    assert taker_of(mug, surroundings({"alice": early}, stamp=7.0)) == "alice"
    assert taker_of(replace(mug, shown=5.8), surroundings({"alice": early, "bob": late}, stamp=7.0)) == "bob"
    assert taker_of(replace(mug, shown=5.8), surroundings({"alice": early}, stamp=7.0)) is None


@pytest.mark.parametrize("hands, taker", [(((0.75, -0.6, 0.8),), "alice"), (((0.75, -0.6, 0.8), (0.75, 0.6, 0.8)), None)])
def test_who_hides_it_and_a_hand_of_theirs_for_long_enough_took_it(hands, taker):
    """Bent over it with their back to the camera; the hand that shows is 0.6 m from it."""
    stays = tuple(Stance(3.0 + 0.2 * i, (0.75, 0.0), np.pi, hands if i < 12 else ((2.0, 0.4, 1.0), (2.0, -0.4, 1.0))) for i in range(20))
    mug = replace(cup(None, 0.5), gone_by=5.6)
    passed = stances(*[(0.2 * i, 4.0, 0.3 * i, None) for i in range(40)])
    assert taker_of(mug, surroundings({"alice": stays, "bob": passed}, stamp=7.0)) == taker
    assert taker_of(mug, surroundings({"alice": stays, "bob": stays}, stamp=7.0)) is None  # either of them


def test_what_is_noticed_late_to_be_taken_may_be_in_what_the_taker_opened_since():
    later = cupboard(6.0, 8.0, Openness.CLOSED, "fridge_1", replace(CUPBOARD, centre=(0.3, 4.0, 1.0)))
    before = cupboard(1.0, 1.6, Openness.CLOSED)
    there = stances(*[(6.0 + 0.2 * i, 0.9, 4.0, (0.5, 4.0, 1.0)) for i in range(10)])
    around = surroundings({"alice": (*visit(), *there)}, before, later)
    assert _opened_since("alice", 2.2, around)[0] == "fridge_1"
    assert _opened_since("alice", 2.2, replace(around, traces={"alice": visit()})) is None


# --- from hands to events ---

def cup(holder, stamp, place=None, born=0.0, changed=0.0):
    return ThingTrack("mug_1", "mug", Box((0.3, 0.0, 1.0), (0.08, 0.08, 0.1)), Tracking.HELD if holder else Tracking.VISIBLE, stamp, born,
                      place=place, inside=place is not None, holder=holder, hits=9, changed=changed, rest=(0.3, 0.0, 1.0))


@pytest.mark.parametrize("x, hand, on, holder", [
    (0.55, (1.5, 0.2, 1.0), "kitchentable_1", None), (0.55, (0.9, 0.1, 0.9), "kitchentable_1", "alice"), (0.55, None, "kitchentable_1", "alice"),
    (0.8, (1.5, 0.2, 1.0), "kitchentable_1", "alice"), (0.55, (1.5, 0.2, 1.0), None, "alice"), (0.2, None, "kitchentable_1", None)])
def test_what_shows_on_a_table_while_the_hands_of_who_had_it_show_elsewhere_was_left_there(x, hand, on, holder):
    """Seen there for the first time, ``x`` m along the way to her from the table's middle; she stands at 1.2 m and has just turned away."""
    alice = walker([(0.0, 1.2, 0.0)], 0.0)
    alice = replace(alice, points=np.array([(1.05, 0.0, z) for z in np.arange(0.4, 1.7, 0.1)]), hands=() if hand is None else (hand,))
    mug = replace(cup("alice", 0.0), still=0, rest=None)
    around = SimpleNamespace(people={"alice": alice}, places={}, config=CONFIG, frame=SimpleNamespace(stamp=0.5))
    seen = Box((x, 0.0, 0.8), (0.08, 0.08, 0.1))
    assert holder_of(mug, seen, Support(on, False, 0.9 if on else 0.0), False, around) == holder


@pytest.mark.parametrize("height, holder", [(0.3, "alice"), (0.1, None)])
def test_what_is_tall_is_held_by_its_neck(height, holder):
    """Its middle hangs in the open cupboard 0.25 m from the seen hand."""
    alice = replace(walker([(0.0, 1.2, 0.0)], np.pi), hands=((0.42, 0.0, 1.23),))
    wine = replace(cup("alice", 0.0), cls="wine", id="wine_1", still=2, box=Box((0.42, 0.0, 0.98), (0.08, 0.08, height)), rest=None)
    around = SimpleNamespace(people={"alice": alice}, places={"kitchencabinet_1": cupboard(0.0)}, config=CONFIG, frame=SimpleNamespace(stamp=3.0))
    assert holder_of(wine, wine.box, Support("kitchencabinet_1", True, 0.9), True, around) == holder


# --- who saw it ---

def saw(verb, gazes, start=10.0):
    """Chance that Bob, whose gaze at every 0.2 s from 9 s on is in ``gazes``, saw what Alice, 2 m east of him, did."""
    views = [witness.View(9.0 + 0.2 * i, {"bob": Viewer("bob", np.array([0.0, 0.0, 1.6]), g)}, {"alice": (2.0, 0.0, 1.2)}, frozenset(), {})
             for i, g in enumerate(gazes)]
    event = HumanAction("alice", verb, "door_1", None, "kitchen", start, 14.0)
    return witness.attach(event, views, Setting(HomeMap()), GeometricVisibility()).witnesses["bob"]


def test_whose_hand_shows_was_seen_doing_it():
    event = HumanAction("alice", Verb.PICK, "apple_1", "table_1", None, 9.5, 10.0)

    def told(held):
        bob = Viewer("bob", np.array([0.0, 0.0, 1.6]), np.radians(80))  # alice is 80° to his right, what she holds 40°
        views = [witness.View(10.0, {"bob": bob}, {"alice": (2.0, 0.0, 1.5)}, frozenset(), {}, held)]
        return witness.attach(event, views, Setting(HomeMap()), GeometricVisibility()).witnesses["bob"]

    assert told({}) < 0.1 < 0.9 < told({"alice": (1.7, 1.4, 1.2)})


@pytest.mark.parametrize("x, seen", [(1.9, True), (1.5, False)])
def test_who_stands_on_both_sides_of_something_thin_is_seen_by_who_is_on_either(x, seen):
    """An open leaf, say, 0.1 m from the middle of Alice, or in front of her."""
    leaf = Piece("bookshelf_1", "bookshelf", Box((x, 0.0, 1.0), (0.1, 1.0, 2.0)), Openness.NONE)
    views = [witness.View(10.0, {"bob": Viewer("bob", np.array([0.0, 0.0, 1.6]), 0.0)}, {"alice": (2.0, 0.0, 1.5)}, frozenset(), {})]
    event = HumanAction("alice", Verb.PICK, "mug_1", "kitchencabinet_1", None, 9.5, 10.0)
    chance = witness.attach(event, views, Setting(HomeMap(), {leaf.id: leaf}), GeometricVisibility()).witnesses["bob"]
    assert (chance > 0.9) is seen and (chance < 0.1) is not seen


def test_who_looks_only_before_or_long_after_the_moment_has_not_seen_it():
    away, at = np.pi, 0.0
    assert saw(Verb.OPEN, [at] * 7 + [away] * 13) < 0.1  # turned away when it showed, 0.9 s after it began
    assert saw(Verb.OPEN, [away] * 7 + [at] * 13) > 0.9
    assert saw(Verb.PUTIN, [away] * 12 + [at] * 8) < 0.1  # only looked when it was long done
    assert saw(Verb.LEAVE, [at] * 5 + [away] * 15) > 0.9  # seen going


@pytest.mark.parametrize("hand, unseen, actor", [(None, 3.0, "bob"), ((0.5, 0.0, 1.0), 3.0, "alice"), (None, 30.0, "alice"), (None, 0.0, "bob")])
def test_who_went_to_the_cupboard_and_is_hidden_opened_it_unless_a_hand_of_another_is_seen_at_it(hand, unseen, actor):
    """Alice stands in the picture 1.2 m beside it, Bob was last seen ``unseen`` s ago, 0.5 m from it."""
    place = cupboard(openness=Openness.OPEN)
    x = 0.6 + (1.2 if hand is None else 0.4)
    alice = walker([(9.0, x, 0.0)], np.pi)
    bob = replace(walker([(9.0 - unseen, 1.1, 0.0)], np.pi), id="bob", visible=unseen == 0)
    traces = {"alice": stances(*[(8.0 + 0.2 * i, x, 0.0, hand) for i in range(6)]), "bob": stances((9.0 - unseen, 1.1, 0.0, None))}
    now = Moment(9.0, {place.id: place}, {}, {"alice": alice, "bob": bob}, traces=traces)
    who, sure = events._who(place, 8.5, 9.0, now, CONFIG)
    assert who == actor and (sure <= 0.6 or unseen != 3.0 or hand is not None)


def test_who_showed_in_one_picture_only_took_nothing_while_somebody_known_stood_there():
    lately = surroundings({"alice": visit(), "nobody": visit()}, stamp=3.0)
    once = {**lately.people, "nobody": replace(lately.people["nobody"], hits=1)}
    assert taker_of(cup(None, 1.5), replace(lately, people=once)) == "alice"
    assert taker_of(cup(None, 1.5), replace(lately, people={"nobody": once["nobody"]}, traces={"nobody": visit()})) == "nobody"


@pytest.mark.parametrize("before, after, other, taker", [
    (1.35, 4.0, None, "alice"),  # beside it when she went out of view, far away when she is back
    (2.5, 4.0, None, None),  # passed a good way off
    (1.35, 4.0, 1.4, None),  # somebody else was as near, out of view as long
    (1.35, 4.0, 6.0, "alice")])  # somebody else was far away
def test_who_was_beside_it_out_of_view_for_long_enough_took_it(before, after, other, taker):
    """The camera looked elsewhere while it went; it is noticed seven seconds later."""
    gone = stances((1.0, before, 0.0, None), (1.3, before, 0.0, None), (8.0, after, 0.0, None))
    traces = {"alice": gone} | ({} if other is None else {"bob": stances((1.0, other, 0.0, None), (1.3, other, 0.0, None), (8.0, other + 2.0, 0.0, None))})
    mug = replace(cup(None, 1.5), gone_by=8.2)
    assert taker_of(mug, surroundings(traces, stamp=9.0)) == taker
    brief = {"alice": stances((1.0, before, 0.0, None), (1.3, before, 0.0, None), *[(2.5 + 0.5 * i, after, 0.0, None) for i in range(12)])}
    assert taker_of(mug, surroundings(brief, stamp=9.0)) is None  # not long enough to take it on the way


@pytest.mark.parametrize("stood, seen_at, actor", [
    ((9.0, 12.0), 9.0, "alice"),  # who stood there since it was last seen open has shut it, not who walks past as it is looked at again
    ((9.0, 12.0), 25.0, "bob"),  # it was seen open after she had left
    ((9.0, 9.6), 9.0, "bob")])  # she had no time to
def test_what_is_seen_shut_after_a_long_time_was_shut_by_who_stood_at_it_meanwhile(stood, seen_at, actor):
    """Alice stands at the cupboard for a while and leaves; nobody looks at it until Bob walks past it at 29 s, when it is seen shut."""
    old = replace(cupboard(8.0), confirmed=seen_at)
    place = replace(old, openness=Openness.CLOSED, pending_since=29.0, closed_at=29.0, confirmed=30.0)
    alice = stances(*[(stood[0] + 0.4 * i, 0.9, 0.0, None) for i in range(1 + round((stood[1] - stood[0]) / 0.4))], (stood[1] + 1.0, 4.0, 0.0, None))
    bob = stances(*[(28.4 + 0.4 * i, 1.0, -0.8 + 0.4 * i, None) for i in range(5)])
    people = {"alice": walker([(stood[1] + 1.0, 4.0, 0.0)], np.pi), "bob": replace(walker([(30.0, 1.0, 0.8)], np.pi / 2), id="bob")}
    moments = [Moment(t, {p.id: p}, {}, people, traces={"alice": alice, "bob": bob}) for t, p in ((29.6, old), (30.0, place))]
    (shut,) = events._openings(*moments, CONFIG)
    assert (shut.verb, shut.actor) == (Verb.CLOSE, actor)
    assert shut.start <= stood[1] if actor == "alice" else shut.start == 29.0
