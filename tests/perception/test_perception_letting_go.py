"""What leaves a hand unseen: bare hands, fists, where their owner stood meanwhile, and what was opened and shut."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from household import classes
from household.scene_graph import Openness, Tracking
from perception.absence import Look
from perception.association import _shut_away, assign
from perception.geometry import Box
from perception.handling import Stance, remember
from perception.hands import let_go_into, taker_of
from perception.letting_go import out_of_sight
from perception.support import NOTHING, Support
from perception.thing_seen import _brought, _in_no_hand, part_of_its_container
from perception.thing_track import Surroundings
from perception.thing_unseen import unobserved
from tests.perception.test_perception_handling import CONFIG, cup, cupboard, stances, visit
from tests.perception.test_perception_walking import walker


def unseen(path, places, hands=2, from_=0.0, until=10.0, step=0.4, cls="mug", away=2.0, back=0.1, gone=(0.0, 0.0), needed=2, showed=("", 0)):
    """The track of a mug in Alice's hand that is not seen from 0 s on, while she, facing −x, walks ``path`` ((stamp, x, y), …), her hands, ``back`` m behind her, in view from
    ``from_`` on, and all of her but for the time ``gone``."""
    size = classes.get(cls).size
    mug, traces, pose = replace(cup("alice", -0.2), cls=cls, box=Box((0.3, 0.0, 1.0), size), tracking=Tracking.HELD, showed=showed), {}, np.eye(4)
    pose[0, 3] = away
    for i in range(int(until / step)):
        stamp = step * i
        if gone[0] <= stamp < gone[1]:
            continue
        _, x, y = max(p for p in path if p[0] <= stamp)
        shown = tuple((x + back, y + side, 1.0) for side in (0.3, -0.3))[:hands] if stamp >= from_ else ()
        alice = replace(walker([(stamp, x, y)], np.pi), hands=shown)
        traces = remember(traces, [alice], stamp)
        around = SimpleNamespace(people={"alice": alice}, places={p.id: p for p in places}, traces=traces, dt=step,
                                 frame=SimpleNamespace(stamp=stamp, camera_pose=pose, camera=SimpleNamespace(fx=200.0)))
        mug = out_of_sight(mug, needed, around)
        if mug.holder is None:
            break
    return mug


VISIT = [(0.0, 0.9, 0.0), (2.8, 3.0, 0.0)]  # stands at the cupboard, then far from it
TALL = replace(cupboard(openness=Openness.NONE, name="bookshelf_1", box=Box((0.3, 0.0, 0.9), (0.3, 0.9, 1.8))), cls="bookshelf")
OTHER = cupboard(openness=Openness.CLOSED, name="kitchencabinet_2", box=Box((0.3, 3.0, 1.0), (0.6, 0.6, 0.6)))


@pytest.mark.parametrize("names, openness, part", [
    ((("mug", 0.6), ("kitchencabinet", 0.3)), Openness.CLOSED, True), ((("mug", 0.6), ("kitchencabinet", 0.3)), Openness.UNKNOWN, True),
    ((("mug", 0.6), ("kitchencabinet", 0.3)), Openness.OPEN, False), ((("mug", 0.9), ("vase", 0.1)), Openness.CLOSED, False)])
def test_what_shows_in_a_shut_container_and_may_be_the_container_is_a_part_of_it(names, openness, part):
    shut = cupboard(openness=openness)
    around = SimpleNamespace(places={shut.id: shut})
    mug = replace(cup(None, 1.0, shut.id), names=names)
    assert part_of_its_container(mug, around) is part
    assert not part_of_its_container(replace(mug, inside=False), around) and not part_of_its_container(replace(mug, holder="alice"), around)


def test_who_only_passes_what_stands_open_has_not_put_it_there_but_where_they_stood():
    fridge = replace(cupboard(0.0, name="fridge_1"), cls="fridge", confirmed=9.0)
    open_too = replace(OTHER, openness=Openness.OPEN, opened_at=0.0, confirmed=9.0, body=replace(OTHER.body, centre=(1.6, -1.2, 1.0)))
    passes = [(0.0, 0.9, 0.0), *((2.8 + 0.4 * i, 1.0 + 0.35 * i, -0.4) for i in range(12))]
    assert unseen(passes, [fridge, open_too], from_=2.8, until=12.0).place == "fridge_1"
    stands = [(0.0, 0.9, 0.0), (2.8, 1.5, -0.8), (6.0, 4.0, 0.0)]
    assert unseen(stands, [fridge, open_too], from_=2.8, until=12.0).place == open_too.id


def test_what_was_put_somewhere_on_tall_shelves_is_not_thought_to_be_on_top():
    mug = unseen(VISIT, [TALL], from_=2.8)
    assert mug.place == "bookshelf_1" and not mug.inside and 1.0 < mug.box.centre[2] < 1.4


def test_bare_hands_have_put_the_thing_where_their_owner_stood_with_nobody_seeing_it_shut():
    hidden = cupboard(openness=Openness.CLOSED)
    mug = unseen(VISIT, [hidden, OTHER], from_=2.8)
    assert (mug.holder, mug.place, mug.inside, mug.guessed, mug.tracking) == (None, hidden.id, True, True, Tracking.CONTAINED)
    assert unseen(VISIT, [hidden, OTHER], hands=0).holder == "alice"  # behind her body for all anybody knows
    assert unseen([(0.0, 0.9, 0.0)], [hidden, OTHER]).holder == "alice"  # she is at it still
    assert unseen(VISIT, [hidden, OTHER], from_=2.8, cls="keys").holder == "alice"  # a fist hides them
    assert unseen(VISIT, [hidden, OTHER], from_=2.8, away=9.0).holder == "alice"  # too far to be seen in a hand


@pytest.mark.parametrize("stays, looks, place", [(3.2, 5, "kitchencabinet_1"), (3.2, 2, None), (2.4, 5, None), (2.4, 9, "kitchencabinet_1")])
def test_half_the_looks_are_enough_after_a_long_stay_at_one_cupboard(stays, looks, place):
    """Six in vain are needed otherwise."""
    way = [(0.0, 0.9, 0.0), (stays, 3.0, 0.0)]
    assert unseen(way, [cupboard(openness=Openness.CLOSED), OTHER], from_=stays, until=stays + 0.4 * looks + 0.1, needed=6).place == place


def test_who_stands_with_bare_hands_before_what_they_opened_has_put_it_there():
    """It is hidden behind her now; whether she shut it nobody knows."""
    ajar = replace(cupboard(0.0), openness=Openness.OPEN, confirmed=0.0)
    mug = unseen([(0.0, 0.9, 0.0)], [ajar, OTHER])
    assert (mug.holder, mug.place, mug.inside) == (None, ajar.id, True)
    assert unseen([(0.0, 0.9, 0.0)], [ajar, OTHER], back=-0.2).holder == "alice"  # with both hands in it
    assert unseen([(0.0, 0.9, 0.0)], [ajar, OTHER], hands=1).holder == "alice"
    assert unseen([(0.0, 0.9, 0.0)], [ajar, OTHER], hands=1, away=-2.0).place == ajar.id  # from before her, the other would show what it holds


def test_what_was_put_into_what_stood_open_was_put_there_before_it_began_to_shut():
    """Her hand is nearest the cupboard as she shuts it, at 2.8 s; what was opened was opened for something, which comes at once."""
    shut = replace(cupboard(1.0, 2.4, Openness.CLOSED), confirmed=2.8)
    ajar = replace(shut, openness=Openness.OPEN, confirmed=0.0, closed_at=None)
    mug, seen = replace(cup("alice", -0.2), tracking=Tracking.HELD, reached=(shut.id, 2.4)), []
    for i in range(20):
        stamp = 0.4 * i
        hands = () if stamp < 2.7 else ((0.4, 0.0, 1.0),) if stamp < 3.0 else ((1.0, 0.3, 1.0), (1.0, -0.3, 1.0))
        alice = replace(walker([(stamp, 0.9, 0.0)], np.pi), hands=hands)
        seen.append(Stance(stamp, (0.9, 0.0), np.pi, hands))
        around = SimpleNamespace(people={"alice": alice}, places={shut.id: ajar if stamp < 2.7 else replace(shut, openness=Openness.UNKNOWN)}, traces={"alice": tuple(seen)}, dt=0.4,
                                 frame=SimpleNamespace(stamp=stamp, camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0)))
        mug = out_of_sight(mug, 2, around)
        if mug.holder is None:
            break
    assert mug.place == shut.id and 1.0 < mug.changed <= 2.4


def test_what_a_fist_hides_is_in_what_its_owner_reached_into_and_left():
    """Bare hands tell nothing of keys; a hand that was in the cupboard while nobody saw it shut does."""
    hidden = cupboard(openness=Openness.UNKNOWN)
    leaves = [(0.0, 0.9, 0.0), *((2.8 + 0.4 * i, 1.2 + 0.4 * i, 0.0) for i in range(12))]
    keys = unseen(leaves, [hidden, OTHER], cls="keys", back=-0.35)
    assert (keys.holder, keys.place, keys.inside, keys.guessed) == (None, hidden.id, True, True)
    assert unseen(leaves, [hidden, OTHER], cls="keys").holder == "alice"  # her hands were never in it
    assert unseen(leaves, [replace(hidden, openness=Openness.CLOSED, confirmed=99.0), OTHER], cls="keys", back=-0.35).holder == "alice"  # it was seen shut
    assert unseen([(0.0, 0.9, 0.0)], [hidden, OTHER], cls="keys", back=-0.35).holder == "alice"  # she is at it still


@pytest.mark.parametrize("showed, looks, place", [(("alice", 3), 12, "kitchencabinet_1"), (("alice", 3), 4, None), (("alice", 2), 12, None), (("david", 9), 12, None)])
def test_what_has_shown_in_this_very_fist_shows_that_it_is_empty(showed, looks, place):
    """It takes twice as many looks at bare hands as of what no fist hides."""
    assert unseen(VISIT, [cupboard(openness=Openness.CLOSED), OTHER], from_=2.8, until=2.8 + 0.4 * looks + 0.1, cls="keys", showed=showed).place == place


@pytest.mark.parametrize("kind, leaves, looks, place", [("basket", 0.9, 12, "basket_1"), ("basket", 0.9, 6, "alice"), ("basket", 0.3, 12, None), ("kitchencounter", 0.9, 12, None)])
def test_who_no_longer_has_it_and_was_at_one_container_alone_however_shortly_left_it_there(kind, leaves, looks, place):
    """Once many looks at bare hands have shown that they do not have it; a stay too short for a put, or at a surface, tells nothing."""
    only = replace(cupboard(openness=Openness.NONE, name=f"{kind}_1"), cls=kind)
    mug = unseen([(0.0, 0.9, 0.0), (leaves, 3.0, 0.0)], [only, OTHER], from_=leaves, until=leaves + 0.4 * looks)
    assert (mug.holder or mug.place) == place and mug.inside is (mug.place is not None)


@pytest.mark.parametrize("leaves, place", [(2.8, "kitchencounter_1"), (5.2, None)])
def test_who_was_busy_for_long_before_a_table_did_more_than_lay_something_on_it(leaves, place):
    top = cupboard(openness=Openness.NONE, name="kitchencounter_1")
    assert unseen([(0.0, 0.9, 0.0), (leaves, 3.0, 0.0)], [top, OTHER], from_=leaves, until=16.0).place == place


def test_what_was_seen_shut_all_the_while_took_nothing_in_and_then_nobody_knows_where_it_is():
    mug = unseen(VISIT, [replace(cupboard(openness=Openness.CLOSED), confirmed=99.0), OTHER], from_=2.8)
    assert (mug.holder, mug.place, mug.tracking) == (None, None, Tracking.LOST)


@pytest.mark.parametrize("back_at, place", [(1.6, "alice"), (6.0, None)])
def test_who_comes_back_with_bare_hands_has_left_it_where_they_were(back_at, place):
    """Of who was in view all the while it takes many more looks to say that they no longer have it."""
    mug = unseen([(0.0, 3.0, 0.0)], [OTHER], gone=(0.4, back_at), from_=back_at, until=back_at + 1.6)
    assert mug.holder == place and (place is not None or mug.tracking is Tracking.LOST)


@pytest.mark.parametrize("then, place", [(0.9, "kitchencabinet_1"), (1.4, None)])
def test_where_somebody_comes_into_view_again_is_told_by_a_few_sights_of_them(then, place):
    """3.6 s out of view before the cupboard; half of them shows at first, and half a metre off."""
    way = [(0.0, 0.9, 0.0), (4.0, 1.4, 0.0), (4.4, then, 0.0), (6.0, 3.0, 0.0)]
    mug = unseen(way, [cupboard(openness=Openness.CLOSED), OTHER], gone=(0.4, 4.0), from_=4.0)
    assert mug.place == place


def test_what_showed_a_sign_of_opening_meanwhile_took_it_in_however_soon_its_owner_goes_out_of_view():
    shut = replace(cupboard(openness=Openness.CLOSED), confirmed=99.0)
    mug = unseen(VISIT, [replace(shut, pending=Openness.OPEN, pending_seen=0.8), OTHER], from_=2.8)
    assert (mug.place, mug.inside, mug.tracking) == (shut.id, True, Tracking.CONTAINED)
    assert unseen(VISIT, [replace(shut, pending=Openness.OPEN, pending_seen=0.7), OTHER], from_=2.8).place is None  # before


def test_of_two_places_alike_neither_is_concluded_and_what_opens_goes_before_what_bears():
    beside = cupboard(openness=Openness.CLOSED, name="kitchencabinet_2", box=Box((0.3, 0.1, 1.0), (0.6, 0.6, 0.6)))
    assert unseen(VISIT, [cupboard(openness=Openness.CLOSED), beside], from_=2.8).tracking is Tracking.LOST
    top = cupboard(openness=Openness.NONE, name="kitchencounter_1")
    assert unseen(VISIT, [top, cupboard(openness=Openness.CLOSED)], from_=2.8).place == "kitchencabinet_1"
    on = unseen(VISIT, [top, OTHER], from_=2.8)
    assert (on.place, on.inside) == (top.id, False)


@pytest.mark.parametrize("x, tracking", [(0.9, Tracking.OCCLUDED), (3.0, Tracking.LOST)])
def test_what_was_only_concluded_to_be_in_a_cupboard_is_not_missed_while_somebody_stands_before_it(monkeypatch, x, tracking):
    monkeypatch.setattr("perception.thing_unseen.look_for", lambda *a: Look.MISSING)
    stands = walker([(9.0, x, 0.0)], np.pi)
    around = Surroundings(SimpleNamespace(stamp=9.0), {"kitchencabinet_1": cupboard(opened=8.0)}, {"alice": stands}, None, CONFIG, 0.4, {})
    mug = replace(cup(None, 2.0, "kitchencabinet_1"), guessed=True, tracking=Tracking.OCCLUDED, missed=9, confidence=0.6)
    assert unobserved(mug, around).tracking is tracking


@pytest.mark.parametrize("held_by, openness, at, into", [
    ("alice", Openness.OPEN, (0.75, 0.0, 0.9), "kitchencabinet_1"),  # half outside its wall, as it seems
    ("alice", Openness.CLOSED, (0.75, 0.0, 0.9), None), ("alice", Openness.OPEN, (1.2, 0.0, 0.9), None),
    ("alice", Openness.OPEN, (0.75, 0.0, 1.5), None), (None, Openness.OPEN, (0.75, 0.0, 0.9), None)])
def test_what_is_let_go_before_an_open_cupboard_is_in_it(held_by, openness, at, into):
    around = SimpleNamespace(places={"kitchencabinet_1": cupboard(openness=openness)})
    mug = cup(held_by, 1.0)
    found = let_go_into(mug, replace(mug.box, centre=at), NOTHING, around)
    assert found.place == into and found.inside is (into is not None)
    lain = replace(mug, holder=None, place="kitchencabinet_1", inside=True)
    assert let_go_into(lain, replace(mug.box, centre=(0.75, 0.0, 0.9)), NOTHING, around).place == "kitchencabinet_1"


def test_what_was_in_hand_is_in_what_its_holder_shut_whatever_stands_open_beside_it():
    """Alice is still there; the door of the cupboard beside it seems to stand open, too."""
    shut = replace(cupboard(0.0, 3.0, openness=Openness.CLOSED, name="fridge_1"), cls="fridge", confirmed=3.0)
    ajar = replace(OTHER, openness=Openness.OPEN, opened_at=0.0, confirmed=3.0, body=replace(OTHER.body, centre=(0.3, 0.4, 1.0)))
    mug = replace(cup("alice", -1.0), box=Box((0.3, 0.0, 1.0), classes.get("mug").size), tracking=Tracking.HELD, reached=("fridge_1", 2.8))
    alice, traces = replace(walker([(0.0, 0.9, 0.0)], np.pi), hands=((0.5, 0.0, 1.0),)), {}
    for stamp in np.arange(0.0, 3.2, 0.4):
        traces = remember(traces, [alice], float(stamp))
    around = SimpleNamespace(people={"alice": alice}, places={p.id: p for p in (shut, ajar)}, traces=traces, dt=0.4,
                             frame=SimpleNamespace(stamp=3.2, camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0)))
    put = out_of_sight(mug, 2, around)
    assert (put.place, put.inside, put.holder) == ("fridge_1", True, None)


@pytest.mark.parametrize("openness, opened, holder, another", [(Openness.CLOSED, 1.0, "bob", True), (Openness.CLOSED, 1.0, "alice", False), (Openness.OPEN, 1.0, "bob", False),
                                                               (Openness.CLOSED, 6.0, "bob", False), (Openness.CLOSED, 1.0, None, False)])
def test_what_somebody_holds_is_not_what_was_shut_away_before_they_came(openness, opened, holder, another):
    """Alice put a mug into the cupboard at 2 s; at 9 s one shows near the hands of whoever stands there, or of nobody."""
    place = replace(cupboard(opened, opened + 1.5, openness), confirmed=9.0)
    mug = replace(cup(None, 2.0, place.id), changed=2.0, box=Box((0.3, 0.0, 1.0), classes.get("mug").size), guessed=True)
    seen = SimpleNamespace(box=Box((0.65, 0.0, 1.0), classes.get("mug").size), detection=SimpleNamespace(shown_since=None))
    here = replace(walker([(9.0, 0.9, 0.0)], np.pi), hands=((0.65, 0.0, 1.0),))
    traces = {"alice": stances(*[(0.4 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(24)]), "bob": stances(*[(7.0 + 0.4 * i, 0.9, 0.0, None) for i in range(6)])}
    around = SimpleNamespace(people={holder: replace(here, id=holder)} if holder else {}, places={place.id: place}, traces=traces, dt=0.4, config=CONFIG,
                             frame=SimpleNamespace(stamp=9.0))
    assert _shut_away(mug, seen, around) is another
    assert assign([mug], [seen], around) == ({} if another else {0: mug.id})


@pytest.mark.parametrize("last_seen, another", [(2.0, False), (5.5, True)])
def test_what_was_seen_in_a_container_as_it_stood_open_was_taken_by_nobody_before(last_seen, another):
    """Bob has his hand in it as it stands open, from 3 to 5 s; it is shut at 6 s, and at 9 s he has such a thing. Unless the mug was seen in there after he had gone, it may be his."""
    place = replace(cupboard(3.0, 6.0, Openness.CLOSED), confirmed=9.0)
    mug = replace(cup(None, last_seen, place.id), changed=1.0, box=Box((0.3, 0.0, 1.0), classes.get("mug").size))
    seen = SimpleNamespace(box=Box((3.65, 0.0, 1.0), classes.get("mug").size), detection=SimpleNamespace(shown_since=None))
    bob = replace(walker([(9.0, 3.9, 0.0)], np.pi), id="bob", hands=((3.65, 0.0, 1.0),))
    there = [(0.4 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(7, 11)]
    gone = [(0.4 * i, 3.9, 0.0, None) for i in range(11, 24)]
    around = SimpleNamespace(people={"bob": bob}, places={place.id: place}, traces={"bob": stances(*there, *gone)}, dt=0.4, config=CONFIG, frame=SimpleNamespace(stamp=9.0))
    assert _shut_away(mug, seen, around) is another


@pytest.mark.parametrize("guessed", (True, False))
def test_what_was_put_on_a_table_unseen_is_what_turns_up_anywhere_on_it(guessed):
    table = replace(cupboard(openness=Openness.NONE, name="coffeetable_1", box=Box((0.0, 0.0, 0.4), (1.4, 0.6, 0.1))), cls="coffeetable")
    mug = replace(cup(None, 2.0, table.id), inside=False, box=Box((-0.3, 0.0, 0.5), classes.get("mug").size), guessed=guessed)
    seen = SimpleNamespace(box=Box((0.4, 0.0, 0.5), classes.get("mug").size), detection=SimpleNamespace(shown_since=None))
    around = SimpleNamespace(people={}, places={table.id: table}, traces={}, dt=0.4, config=CONFIG, frame=SimpleNamespace(stamp=9.0))
    assert assign([mug], [seen], around) == ({0: mug.id} if guessed else {})


@pytest.mark.parametrize("guessed, away, inside, known", [(True, 0.7, False, True), (False, 0.7, False, False), (True, 1.1, False, False), (True, 0.7, True, False)])
def test_what_is_concluded_to_be_on_a_chair_may_turn_up_on_the_table_beside_it(guessed, away, inside, known):
    """Within reach of the hand that put it down; not what was seen to lie there, nor what is in something."""
    chair = replace(cupboard(openness=Openness.NONE, name="chair_1", box=Box((0.0, 0.0, 0.45), (0.45, 0.45, 0.9))), cls="chair")
    mug = replace(cup(None, 2.0, chair.id), inside=inside, box=Box((0.0, 0.0, 0.5), classes.get("mug").size), guessed=guessed)
    seen = SimpleNamespace(box=Box((np.sqrt(away ** 2 - 0.28 ** 2), 0.0, 0.78), classes.get("mug").size), detection=SimpleNamespace(shown_since=None))
    around = SimpleNamespace(people={}, places={chair.id: chair}, traces={}, dt=0.4, config=CONFIG, frame=SimpleNamespace(stamp=9.0))
    assert assign([mug], [seen], around) == ({0: mug.id} if known else {})


@pytest.mark.parametrize("place, height, hits, rests", ((None, 1.1, 0, False), ("kitchentable_1", 0.8, 0, True), (None, 0.05, 0, True), (None, 1.1, 3, True)))
def test_what_first_shows_in_the_air_lies_nowhere(place, height, hits, rests):
    mug = replace(cup(None, 2.0, None), hits=hits, rest=None, box=Box((0.0, 0.0, height), classes.get("mug").size))
    around = Surroundings(SimpleNamespace(stamp=2.0), {}, {}, None, CONFIG, 0.4, {})
    assert (_in_no_hand(mug, replace(mug, hits=hits + 1), Support(place, False, 0.9), True, around).rest is not None) is rests


@pytest.mark.parametrize("guessed, place, since", ((True, "chair_2", 2.0), (False, "chair_2", 5.0), (False, "kitchentable_1", 2.0)))
def test_what_is_seen_to_lie_elsewhere_than_was_concluded_was_put_down_when_that_was(guessed, place, since):
    mug = replace(cup(None, 2.0, place), changed=2.0, inside=False, guessed=guessed, hits=9)
    around = Surroundings(SimpleNamespace(stamp=5.0), {}, {}, None, CONFIG, 0.4, {})
    lies = _in_no_hand(mug, replace(mug, last_seen=5.0, guessed=False), Support("kitchentable_1", False, 0.9), True, around)
    assert (lies.place, lies.changed) == ("kitchentable_1", since)


@pytest.mark.parametrize("hands, others_hand, hidden_until, put", [(2, None, 5.2, True), (0, None, 5.2, False), (2, (0.5, 0.0, 1.0), 5.2, False), (2, None, 20.0, False)])
def test_who_is_hidden_behind_somebody_put_it_into_what_opened_and_shut_there_meanwhile(hands, others_hand, hidden_until, put):
    """Alice goes to the cupboard with a mug, behind Bob, who stands 1.6 m from it; it opens at 2 s and is shut at 4 s. Then she shows again there, bare hands or none."""
    place = replace(cupboard(2.0, 4.0, Openness.CLOSED), confirmed=4.5)
    now = hidden_until
    mug = replace(cup("alice", 1.0), tracking=Tracking.HELD, changed=0.0, box=Box((1.0, 0.3, 1.0), classes.get("mug").size))
    bob = stances(*[(0.4 * i, 2.2, 0.0, others_hand) for i in range(14)])
    alice = replace(walker([(now, 0.9, 0.0)], np.pi), hands=tuple((1.0, side, 1.0) for side in (0.3, -0.3))[:hands])
    traces = {"bob": bob, "alice": (*stances((0.6, 1.7, 0.3, None), (1.0, 1.4, 0.3, None)), *stances((now, 0.9, 0.0, None)))}
    pose = np.eye(4)
    pose[0, 3] = 2.0
    around = SimpleNamespace(people={"alice": alice, "bob": replace(walker([(now, 2.2, 0.0)], np.pi), id="bob")}, places={place.id: place}, traces=traces, dt=0.4,
                             frame=SimpleNamespace(stamp=now, camera_pose=pose, camera=SimpleNamespace(fx=200.0)))
    left = out_of_sight(mug, 20, around)
    assert (left.place, left.holder) == (("kitchencabinet_1", None) if put else (None, "alice"))
    assert not put or 2.0 < left.changed < 4.0
    assert not put or left.sure <= 0.5


@pytest.mark.parametrize("taken_at, reached", [(0.5, "kitchencabinet_1"), (2.5, None), (None, None)])
def test_what_was_in_hand_before_the_cupboard_opened_is_being_put_in_where_it_shows_in_it(taken_at, reached):
    """``None``: nobody has it. Seen 0.2 m farther on than before, in somebody's hand, half hidden."""
    place = cupboard(1.0, None)
    before = replace(cup("alice" if taken_at is not None else None, 2.6), changed=taken_at or 0.0)
    around = SimpleNamespace(places={place.id: place})
    assert (place.id if _brought(before, Support(place.id, True), around) else None) == reached


def test_what_was_shut_away_was_taken_by_nobody_before_it_was_opened():
    """Alice put a mug in at 2 s and stayed near; Bob has a hand in it at 22 s, when it is open again."""
    place = cupboard(21.4, None)
    mug = replace(cup(None, 2.4, place.id), gone_by=22.6)
    traces = {"alice": visit(), "bob": visit(20.0)}
    around = SimpleNamespace(people={}, places={place.id: place}, traces=traces, config=CONFIG, frame=SimpleNamespace(stamp=23.0))
    assert taker_of(mug, around) == "bob"
    assert taker_of(replace(mug, inside=False), around) is None  # what lay in the open either of them may have taken


def test_what_was_taken_out_of_a_cupboard_is_not_put_back_by_shutting_it():
    """Alice opened it at 0 s, a mug was missed in it and concluded to be in her hand from 1 s on; she shuts it at 3 s."""
    shut = replace(cupboard(0.0, 3.0, openness=Openness.CLOSED), confirmed=3.0)
    mug = replace(cup("alice", -1.0), box=Box((0.3, 0.0, 1.0), classes.get("mug").size), tracking=Tracking.HELD, reached=(shut.id, 2.8), changed=1.0, guessed=True)
    alice, traces = replace(walker([(0.0, 0.9, 0.0)], np.pi), hands=((0.5, 0.0, 1.0),)), {}
    for stamp in np.arange(0.0, 3.2, 0.4):
        traces = remember(traces, [alice], float(stamp))
    around = SimpleNamespace(people={"alice": alice}, places={shut.id: shut}, traces=traces, dt=0.4,
                             frame=SimpleNamespace(stamp=3.2, camera_pose=np.eye(4), camera=SimpleNamespace(fx=200.0)))
    for guessed in (True, False):  # concluded, or seen in her hand
        assert out_of_sight(replace(mug, taken_from=shut.id, guessed=guessed), 2, around).holder == "alice"
        assert out_of_sight(replace(mug, taken_from="kitchentable_1", guessed=guessed), 2, around).place == shut.id


@pytest.mark.parametrize("inside, grasped, looks", [(True, None, 2), (False, None, 3), (False, 2.1, 2), (False, 0.5, 3)])
def test_who_stands_at_what_they_opened_has_taken_what_two_looks_miss_in_it(monkeypatch, inside, grasped, looks):
    """As has whose hand shows something from then on that was never seen to lie anywhere, whatever it is called."""
    monkeypatch.setattr("perception.thing_unseen.look_for", lambda *a: Look.EMPTY)
    place = cupboard(1.5, None) if inside else replace(cupboard(openness=Openness.NONE, name="kitchentable_1"), cls="kitchentable")
    mug = replace(cup(None, 1.8, place.id), inside=inside, confidence=0.95)
    around = Surroundings(SimpleNamespace(stamp=3.0), {place.id: place}, {"alice": walker([(3.0, 1.1, 0.0)], np.pi)}, None, CONFIG, 0.3, {"alice": visit()})
    for n in range(1, 9):
        mug = unobserved(mug, around, None if grasped is None else {"alice": grasped})
        if mug.holder is not None:
            break
    assert (mug.holder, n) == ("alice", looks)
