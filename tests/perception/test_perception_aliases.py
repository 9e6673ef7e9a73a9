"""A thing carried from one place to the next, which the detector calls something else there, is one thing."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from perception import naming
from perception.aliases import best_name, carried_here, mistaken_for, pooled
from perception.config import PerceptionConfig
from perception.faint import surely_there
from perception.geometry import Box
from perception.graph import other_names
from perception.handling import Stance
from perception.thing_seen import seen_anew
from tests.perception.raycast import Scene, Solid, look, person, play, table

POSE = look(4.1, 2.5, np.pi)
DT = 0.3
ORANGE, POTATO, JUICE = (("orange", 0.8), ("potato", 0.2)), (("potato", 0.7), ("orange", 0.3)), (("juice", 1.0),)
HERE, THERE = (2.1, 1.3, 0.79), (2.1, 3.7, 0.79)  # on one table and on the other
ANA, FAR = "ana", (1.6, 2.5)
TABLES = [*(replace(s, name="left") for s in table(2, 1.3)), *(replace(s, name="right") for s in table(2, 3.7))]


def fruit(at, name="one", colour=(220, 140, 30)):
    return Solid(name, "orange", Box(at, (0.09, 0.09, 0.08)), colour)


def frames_of(shots):
    """``shots``: (how many frames, solids, opinions by solid)."""
    frames = []
    for count, solids, opinions in shots:
        picture = Scene(list(solids), pose=POSE).frame(0.0)
        for _ in range(count):
            found = tuple(replace(d, cls=opinions[d.instance][0][0], names=opinions[d.instance]) if d.instance in opinions else d
                          for d in picture.detections)
            frames.append(replace(picture, stamp=DT * (len(frames) + 1), detections=found))
    return frames


def at(x, y, hand=None):
    return person(ANA, x, y, np.pi, hand=hand)


def carried(there=POTATO, more=(), known=None, colour=(220, 140, 30)):
    """Somebody takes the fruit from one table, unseen in their fist, and leaves it on the other, where it is called ``there`` and looks like ``colour``."""
    return frames_of([
        (6, [*TABLES, *at(*FAR), fruit(HERE), *more], {"one": ORANGE, **(known or {})}),
        (3, [*TABLES, *at(2.8, 1.3, hand=HERE), *more], known or {}),
        (4, [*TABLES, *at(2.9, 1.6), *more], known or {}),
        (2, [*TABLES, *at(2.9, 3.2), *more], known or {}),
        (3, [*TABLES, *at(2.8, 3.7, hand=THERE), *more], known or {}),
        (8, [*TABLES, *at(2.9, 2.9), fruit(THERE, colour=colour), *more], {"one": there, **(known or {})}),
        (6, [*TABLES, *at(*FAR), fruit(THERE, colour=colour), *more], {"one": there, **(known or {})})])


def loose(graph):
    return sorted(e.id for e in graph.entities.values() if e.cls in ("orange", "potato", "juice"))


def test_what_was_carried_there_is_known_again_under_another_name():
    state, graphs, told = play(carried())
    assert len(loose(graphs[-1])) == 1
    (track,) = [t for t in state.things if t.cls in ("orange", "potato")]
    assert track.born == pytest.approx(DT) and "orange_1" in (track.id, *track.formerly)
    assert graphs[-1].place_of(track.id) not in (None, graphs[3].place_of("orange_1"))


def test_one_look_under_another_name_does_not_outweigh_many():
    frames = carried()
    here = next(i for i, f in enumerate(frames) if any(d.names == POTATO for d in f.detections))
    state, graphs, _ = play(frames[:here + 1])
    (track,) = [t for t in state.things if t.cls in ("orange", "potato")]
    assert track.id == "orange_1" and dict(track.names)["orange"] > dict(track.names)["potato"] and graphs[-1].place_of("orange_1") is not None


def test_what_only_further_looks_give_a_possible_name_is_known_again_then():
    frames = carried(there=JUICE)
    here = [i for i, f in enumerate(frames) if any(d.names == JUICE for d in f.detections)]
    for i in here[1:]:
        frames[i] = replace(frames[i], detections=tuple(replace(d, cls="potato", names=POTATO) if d.names == JUICE else d for d in frames[i].detections))
    state, graphs, _ = play(frames)
    (track,) = [t for t in state.things if t.cls in ("orange", "potato", "juice")]
    assert track.born == pytest.approx(DT) and "orange_1" in (track.id, *track.formerly) and len(loose(graphs[-1])) == 1


def test_what_people_know_by_its_name_keeps_it_when_it_is_known_again():
    from tests.perception.test_perception_renamed import track as thing

    def surely(hits_in_hand, hits, cut=False):
        held = replace(thing(), id="orange_1", cls="orange", names=ORANGE, hits=hits_in_hand, holder=ANA, last_seen=1.0, born=0.5, place=None,
                       box=Box(HERE, (0.09, 0.09, 0.08)))
        young = replace(thing(), id="potato_1", cls="potato", names=POTATO, hits=hits, holder=None, inside=False, last_seen=3.0, born=2.0,
                        box=Box(THERE, (0.09, 0.09, 0.08)))
        hand = tuple(Stance(1.0 + 0.2 * i, (2.8, 3.7), np.pi, (THERE,)) for i in range(10))
        around = SimpleNamespace(frame=SimpleNamespace(stamp=3.0, depth=None), config=PerceptionConfig(confirm_frames=3), traces={ANA: hand}, people={})
        return [(y, o) for y, o, _ in carried_here({t.id: t for t in (held, young)}, {"potato_1": SimpleNamespace(cut=cut, detection=SimpleNamespace(shown_since=None))}, around)]

    assert surely(9, 2) == surely(2, 9) == [("potato_1", "orange_1")]
    assert surely(1, 9) == []  # one look in a hand is no look
    assert surely(9, 9) == []  # both are known by their names
    assert surely(9, 2, cut=True) == []  # of what the picture's edge cuts off nobody knows what it is


def in_hand(name, names, hits, last_seen, centre=THERE, **more):
    from tests.perception.test_perception_renamed import track as thing

    return replace(thing(), **{**dict(id=f"{name}_1", cls=name, names=names, hits=hits, holder=ANA, place=None, inside=False, rest=None, last_seen=last_seen,
                                      born=last_seen, box=Box(centre, (0.09, 0.09, 0.08))), **more})


def around(**more):
    return SimpleNamespace(**{**dict(frame=SimpleNamespace(stamp=3.0, depth=None), config=PerceptionConfig(confirm_frames=3), traces={}, people={}, places={}), **more})


@pytest.mark.parametrize("hits, elsewhere, one", [
    (2, {}, True), (5, {}, True), (2, {"rest": HERE, "changed": 2.8}, False), (2, {"rest": HERE, "changed": 2.3}, True), (2, {"holder": "ben"}, False)])
def test_what_shows_in_the_hand_that_has_it_is_it(hits, elsewhere, one):
    """Unless it was seen to lie somewhere, longer than for one picture, before it was taken."""
    held = in_hand("potato", POTATO, 9, 1.0, changed=0.7)
    young = in_hand("potato", POTATO, hits, 3.0, id="potato_2", born=2.0, **elsewhere)
    found = carried_here({t.id: t for t in (held, young)}, {"potato_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around())
    assert found == ([("potato_2", "potato_1", 0.7)] if one else [])


@pytest.mark.parametrize("last, largest, now, one", [(0.09, 0.0, 0.09, True), (0.09, 0.2, 0.2, True), (0.09, 0.2, 0.09, True), (0.09, 0.1, 0.24, False)])
def test_what_fingers_hid_in_the_last_look_is_as_large_as_it_showed_shortly_before(last, largest, now, one):
    """Metres from end to end in the last look, in the largest of those lately, and of what shows in the same hand now."""
    held = replace(in_hand("potato", POTATO, 9, 1.0, changed=0.7, largest=largest), box=Box(THERE, (last, 0.05, 0.05)))
    young = replace(in_hand("potato", POTATO, 3, 3.0, id="potato_2", born=2.0), box=Box(THERE, (now, 0.05, 0.05)))
    found = carried_here({t.id: t for t in (held, young)}, {"potato_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around())
    assert bool(found) == one


@pytest.mark.parametrize("reaching, there", [(True, ["orange_1"]), (False, ["orange_1", "potato_1"])])
def test_what_fingers_cut_in_two_is_not_another_thing_beside_its_other_half(reaching, there):
    """Over a fruit shows a second one, when a hand is at it, or when nobody is."""
    half = Solid("two", "potato", Box((2.12, 1.3, 0.8), (0.06, 0.06, 0.06)), (220, 140, 30))
    people = person(ANA, 1.4, 1.3, 0.0, hand=(2.05, 1.3, 0.84)) if reaching else at(*FAR)
    names = {"one": ORANGE, "two": (("potato", 0.9), ("juice", 0.1))}
    _, graphs, _ = play(frames_of([(5, [*TABLES, *people, fruit(HERE)], names), (5, [*TABLES, *people, fruit(HERE), half], names)]))
    assert loose(graphs[-1]) == there


def test_what_lies_there_is_still_it_when_its_name_has_become_doubtful():
    """Each further look gives it other names, none of them likely; something is there all the same."""
    config = PerceptionConfig(min_score=0.2, held_score=0.05)
    frames = frames_of([(1, [*TABLES, *at(*FAR), fruit(HERE)], {"one": ORANGE}), (18, [*TABLES, *at(*FAR), fruit(HERE)], {"one": (("juice", 0.4), ("potato", 0.35), ("orange", 0.25))})])
    state, graphs, _ = play([replace(f, detections=tuple(replace(d, score=0.2) if i and d.names else d for d in f.detections)) for i, f in enumerate(frames)], config=config)
    (track,) = state.things
    assert track.id == "orange_1" and track.visible and track.missed == 0
    assert dict(track.names)["orange"] * 0.2 / 0.4 < config.min_score  # by its score alone it would not count


@pytest.mark.parametrize("score, named, there", [(0.16, 0.31, True), (0.1, 0.31, True), (0.08, 0.31, False), (0.08, 0.0, False)])
def test_how_surely_there_is_something_is_told_apart_from_how_surely_it_is_that(score, named, there):
    assert surely_there(SimpleNamespace(cls="orange", score=score, names=(("orange", named),) if named else ())) is there


def test_how_large_a_thing_has_shown_in_a_hand_is_kept_for_a_few_looks():
    held = (2.1, 1.3, 1.15)

    def long(size):
        return Solid("one", "orange", Box(held, (0.05, size, 0.08)), (220, 140, 30))

    people = [*TABLES, *person(ANA, 1.7, 1.3, 0.0, hand=held)]
    across = [play(frames_of([(5, [*people, long(0.2)], {"one": ORANGE}), (n, [*people, long(0.1)], {"one": ORANGE})]))[0].things[0].across for n in (0, 1, 12)]
    assert across[0] == pytest.approx(0.19, abs=0.03) and 0.15 < across[1] < across[0] and across[2] < 0.12


@pytest.mark.parametrize("elsewhere, one", [({}, True), ({"rest": (2.11, 1.31, 0.79)}, True), ({"rest": (2.11, 1.6, 0.79)}, False), ({"rest": (2.11, 1.6, 0.88)}, True),
                                            ({"rest": (2.11, 2.1, 0.88)}, False), ({"rest": (2.11, 1.6, 0.88), "born": 0.2}, False), ({"changed": 2.4}, False), ({"holder": "ben"}, False),
                                            ({"changed": 0.85}, False), ({"box": Box(THERE, (0.3, 0.3, 0.2))}, False)])
def test_what_came_into_a_hand_at_one_moment_is_one_thing_whatever_it_is_called(elsewhere, one):
    """Taken at 1.0, last seen on its table at 0.9: what has shown in the hand since 1.1 is another side of it, not what lay beside it, came later, was seen with it or is far larger; what was seen for a moment above where it lay was lifted from there."""
    taken = in_hand("potato", POTATO, 9, 0.9, rest=HERE, changed=1.0, born=0.0, box=Box(HERE, (0.09, 0.09, 0.08)))
    young = in_hand("juice", JUICE, 5, 3.0, **{"born": 0.8, "changed": 1.1, **elsewhere})
    found = carried_here({t.id: t for t in (taken, young)}, {"juice_1": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around())
    assert found == ([("juice_1", "potato_1", 1.0)] if one else [])


@pytest.mark.parametrize("elsewhere, taken_at, one", [
    ({}, 1.0, True), ({"names": (("juice", 0.8), ("potato", 0.2))}, 1.0, False), ({"rest": (9.0, 0.0, 1.0)}, 1.0, False), ({}, -0.2, False), ({"holder": "ben"}, 1.0, False)])
def test_what_shows_in_the_hand_that_took_something_a_little_later_is_that_if_it_may_bear_its_name(elsewhere, taken_at, one):
    """Both are known by then, and do not look alike."""
    taken = in_hand("potato", (("potato", 1.0),), 9, -0.3, rest=HERE, changed=taken_at, born=-2.0, guessed=True, box=Box(HERE, (0.09, 0.09, 0.08)))
    young = in_hand("juice", **{**dict(names=(("juice", 0.6), ("potato", 0.4)), hits=5, last_seen=3.0, born=2.4, changed=2.4), **elsewhere})
    found = carried_here({t.id: t for t in (taken, young)}, {"juice_1": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around())
    assert found == ([("juice_1", "potato_1", taken_at)] if one else [])


@pytest.mark.parametrize("elsewhere, now, one", [({}, 3.0, True), ({"holder": "ben"}, 3.0, False), ({"cls": "juice"}, 3.0, False), ({"born": 0.5}, 3.0, False), ({"guessed": True}, 3.0, False), ({}, 7.0, False)])
def test_what_is_concluded_to_have_been_taken_is_what_had_shown_in_that_hand_by_its_name(elsewhere, now, one):
    """Where it had lain was not in view at first. By now it does not show, and has been seen to lie in a stove for a moment."""
    taken = in_hand("potato", POTATO, 9, -0.3, rest=HERE, changed=1.0, born=-2.0, guessed=True, box=Box(HERE, (0.09, 0.09, 0.08)))
    young = in_hand("potato", **{**dict(names=POTATO, hits=3, last_seen=2.0, born=1.5, changed=2.0, id="potato_2", rest=(9.0, 0.0, 0.4)), **elsewhere})
    found = carried_here({t.id: t for t in (taken, young)}, {}, around(frame=SimpleNamespace(stamp=now, depth=None)))
    assert found == ([("potato_2", "potato_1", 1.0)] if one else [])


@pytest.mark.parametrize("elsewhere, one", [({}, True), ({"place": "fridge_1"}, False), ({"inside": False}, False), ({"formerly": ()}, False), ({"born": 0.5}, False), ({"cls": "juice"}, False)])
def test_what_turns_up_in_a_cupboard_and_gets_the_name_of_what_was_put_in_there_is_that(elsewhere, one):
    """It was called a juice at first; by its own name from the first it would have been known at once."""
    put = in_hand("potato", POTATO, 9, 0.9, holder=None, place="stove_1", inside=True, guessed=True, changed=1.0)
    young = in_hand("potato", POTATO, 2, 3.0, **{**dict(id="potato_2", holder=None, place="stove_1", inside=True, born=2.0, formerly=("juice_1",)), **elsewhere})
    found = carried_here({t.id: t for t in (put, young)}, {"potato_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around())
    assert [(y, o) for y, o, _ in found] == ([("potato_2", "potato_1")] if one else [])


@pytest.mark.parametrize("opened, deserted, came_by, cls, one", [
    (9.0, (1.5, 8.5), True, "potato", True), (9.0, (1.5, 8.5), False, "potato", False), (9.0, (1.5, 4.0), True, "potato", False), (0.5, (1.5, 8.5), True, "potato", False),
    (9.0, (1.5, 8.5), True, "juice", False)])
def test_what_is_taken_out_of_a_cupboard_is_what_somebody_else_may_have_left_in_there_unseen(opened, deserted, came_by, cls, one):
    """Ben had it at 1.0 s, was near the cupboard and nobody looked at it from 1.5 to 8.5; Ana opens it at 9.0 and takes out something that may go by the name."""
    from tests.perception.test_perception_handling import cupboard, stances

    shut = replace(cupboard(opened, None), deserted=deserted)
    had = in_hand("potato", POTATO, 9, 1.0, holder="ben", changed=0.7)
    young = in_hand(cls, JUICE if cls == "juice" else POTATO, 5, 10.4, id=f"{cls}_2", born=10.1)
    traces = {ANA: stances(*[(9.1 + 0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(5)]), "ben": stances(*[(1.0 + t, 0.9 if came_by and t else 9.0, 9.0 * (not came_by), None) for t in range(3)])}
    found = carried_here({t.id: t for t in (had, young)}, {young.id: SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))},
                         around(frame=SimpleNamespace(stamp=10.4), traces=traces, places={shut.id: shut}))
    assert [(y, o) for y, o, _ in found] == ([(young.id, "potato_1")] if one else [])


@pytest.mark.parametrize("opened, reached_in, inside, one", [(1.5, True, True, True), (0.5, True, True, False), (None, True, True, False), (1.5, False, True, False),
                                                             (1.5, True, False, False)])
def test_what_turns_up_in_a_hand_that_was_in_the_opened_cupboard_is_what_was_in_there(opened, reached_in, inside, one):
    """Put into it at 1.0 s; opened again at 1.5; the hand in it, or before it, until 2.4; something of the name shows in that hand from 2.6 on."""
    from tests.perception.test_perception_handling import cupboard, stances

    shut = cupboard(opened, None if opened is None else 2.5)
    kept = in_hand("potato", POTATO, 9, 1.0, tuple(shut.body.centre), holder=None, place=shut.id, inside=inside, changed=1.0)
    young = in_hand("potato", POTATO, 5, 3.0, id="potato_2", born=2.6)
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9 if reached_in else 2.9, 0.0, (0.5 if reached_in else 2.5, 0.0, 1.0)) for i in range(5)])}
    found = carried_here({t.id: t for t in (kept, young)}, {"potato_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around(traces=traces, places={shut.id: shut}))
    assert [(y, o) for y, o, _ in found] == ([("potato_2", "potato_1")] if one else [])


@pytest.mark.parametrize("gone, reached, inside, names, one", [
    ("LOST", True, False, POTATO, True), ("OCCLUDED", True, False, POTATO, False), ("LOST", False, False, POTATO, False), ("LOST", True, True, POTATO, False),
    ("LOST", True, False, (("potato", 0.9), ("juice", 0.1)), False)])
def test_what_gets_its_name_only_in_the_hand_that_took_it_is_what_lay_there(gone, reached, inside, names, one):
    """Last seen on its table at 1.0 s, its place seen empty since; the hand there until 2.4; what shows in that hand from 2.6 on bore another name at first."""
    from household.scene_graph import Tracking
    from tests.perception.test_perception_handling import stances

    lay = in_hand("potato", names, 9, 1.0, (0.5, 0.0, 1.0), holder=None, place="table_1", inside=inside, changed=0.5, tracking=Tracking[gone])
    young = in_hand("orange", ORANGE if names is POTATO else JUICE, 3, 3.0, born=2.6)
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9 if reached else 2.9, 0.0, (0.5 if reached else 2.5, 0.0, 1.0)) for i in range(5)])}
    now = around(traces=traces)
    found = carried_here({t.id: t for t in (lay, young)}, {"orange_1": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, now)
    assert [(y, o) for y, o, _ in found] == ([("orange_1", "potato_1")] if one else [])


@pytest.mark.parametrize("likely, opened, rest, one", [(0.1, 1.5, None, True), (0.045, 1.5, None, False), (0.1, None, None, False), (0.1, 1.5, (0.6, 0.0, 0.9), False)])
def test_what_shows_in_a_hand_that_was_in_the_opened_cupboard_hardly_needs_the_name_of_what_was_in_there(likely, opened, rest, one):
    """As above; what is in there goes by the other name that ``likely``; ``rest``: where the other lay in view."""
    from tests.perception.test_perception_handling import cupboard, stances

    shut = cupboard(opened, None if opened is None else 2.5)
    kept = in_hand("potato", (("potato", 1 - likely), ("juice", likely)), 9, 1.0, tuple(shut.body.centre), holder=None, place=shut.id, inside=True, changed=1.0)
    young = in_hand("juice", JUICE, 1, 3.0, id="juice_2", born=2.6, rest=rest)
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(5)])}
    found = carried_here({t.id: t for t in (kept, young)}, {"juice_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around(traces=traces, places={shut.id: shut}))
    assert [(y, o) for y, o, _ in found] == ([("juice_2", "potato_1")] if one else [])


@pytest.mark.parametrize("colour, reached_in, one", [(0, True, True), (9, True, False), (0, False, False)])
def test_who_hides_that_a_drawer_is_open_took_out_of_it_what_looks_just_like_what_is_in_there(colour, reached_in, one):
    """Put into it at 1.0 s, shut at 1.2, never seen to open again; another name shows in a hand that was at it."""
    from tests.perception.test_perception_handling import cupboard, stances

    looks = np.eye(10, dtype=np.float32)
    shut = cupboard(0.5, 1.2)
    kept = in_hand("potato", POTATO, 9, 1.0, tuple(shut.body.centre), holder=None, place=shut.id, inside=True, changed=1.0, look=looks[0])
    young = in_hand("juice", (("juice", 0.9), ("potato", 0.1)), 5, 3.0, born=2.6, look=looks[colour])
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9 if reached_in else 2.9, 0.0, (0.5 if reached_in else 2.5, 0.0, 1.0)) for i in range(5)])}
    found = carried_here({t.id: t for t in (kept, young)}, {"juice_1": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around(traces=traces, places={shut.id: shut}))
    assert [(y, o) for y, o, _ in found] == ([("juice_1", "potato_1")] if one else [])


@pytest.mark.parametrize("colour, opened, known", [(0, 1.5, True), (9, 1.5, False), (0, 0.5, False)])
def test_what_looks_just_like_it_in_a_hand_that_was_in_the_opened_cupboard_is_it_whatever_it_is_called(colour, opened, known):
    """As above, in a single faint look; of other colours, or with the cupboard shut since it was put there, it is another thing."""
    from perception.aliases import same_as
    from tests.perception.test_perception_handling import cupboard, stances
    from tests.perception.test_perception_walking import walker

    looks = np.eye(10, dtype=np.float32)
    shut = cupboard(opened, 2.5)
    kept = in_hand("potato", POTATO, 9, 1.0, tuple(shut.body.centre), holder=None, place=shut.id, inside=True, guessed=True, changed=1.0, look=looks[0])
    hand = (1.6, 0.0, 1.0)
    one = SimpleNamespace(box=Box(hand, (0.09, 0.09, 0.08)), cls="juice", cut=False, detection=SimpleNamespace(names=JUICE, shown_since=None))
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9, 0.0, (0.5, 0.0, 1.0)) for i in range(5)])}
    ana = replace(walker([(3.0, 2.0, 0.0)], np.pi), id=ANA, hands=(hand,))
    scene = around(traces=traces, places={shut.id: shut}, people={ANA: ana}, voxels=None)
    found = same_as(one, looks[colour], {kept.id: kept}, (), (), scene)
    assert (found is kept) is known


@pytest.mark.parametrize("hits, centre, gone", [(1, THERE, True), (4, THERE, False), (1, HERE, False)])
def test_what_was_made_out_once_in_a_hand_is_what_the_hand_shows_next(hits, centre, gone):
    young, known = in_hand("juice", JUICE, hits, 2.0, centre), in_hand("potato", POTATO, 9, 3.0)
    assert mistaken_for({t.id: t for t in (young, known)}, {"potato_1"}, around()) == ({"juice_1"} if gone else set())


def test_what_nobody_would_take_for_the_other_is_new():
    _, graphs, _ = play(carried(there=JUICE, colour=(60, 70, 200)))
    assert "juice_1" in loose(graphs[-1]) and len(loose(graphs[-1])) == 2


def test_what_looks_just_like_it_is_the_same_whatever_it_is_called():
    state, graphs, _ = play(carried(there=JUICE))
    assert len(loose(graphs[-1])) == 1
    (track,) = [t for t in state.things if t.cls in ("orange", "juice")]
    assert "orange_1" in (track.id, *track.formerly)


def test_what_lay_there_all_along_is_not_it():
    other = fruit((2.1, 4.0, 0.79), "other")
    _, graphs, _ = play(carried(there=ORANGE, more=(other,), known={"other": POTATO}))
    assert loose(graphs[-1]) == ["orange_1", "potato_1"]


def test_without_second_opinions_nothing_is_known_again():
    frames = [replace(f, detections=tuple(replace(d, names=()) for d in f.detections)) for f in carried()]
    _, graphs, _ = play(frames)
    assert "potato_1" in loose(graphs[-1]) and "orange_1" in loose(graphs[-1])


def test_names_of_both_places_count_by_their_looks():
    from tests.perception.test_perception_renamed import track as thing

    before = replace(thing(), names=ORANGE, hits=3)
    names = pooled(before, POTATO)
    assert names["orange"] == pytest.approx((3 * 0.8 + 0.3) / 4) and sum(names.values()) == pytest.approx(1.0)
    assert best_name(names, "orange", "potato") == "orange"
    assert best_name({"orange": 0.4, "potato": 0.6}, "orange", "potato") == "potato"


@pytest.mark.parametrize("hits, unseen, moved, pooled_now", [(9, 1.2, 1.0, True), (1, 1.2, 1.0, False), (9, 0.3, 1.0, False), (9, 1.2, 0.05, False)])
def test_what_a_known_thing_is_called_goes_with_the_hand_that_took_it(hits, unseen, moved, pooled_now):
    before = in_hand("potato", POTATO, hits, 3.0 - unseen, seen_at=HERE)
    now = replace(before, seen_at=(HERE[0] + moved, *HERE[1:]))
    assert seen_anew(before, now, around(dt=DT)) == pooled_now
    assert seen_anew(replace(before, holder=None, last_seen=2.7), now, around(dt=DT)) == (hits == 9 and moved == 1.0)
    assert not seen_anew(replace(before, holder=None), replace(now, holder=None), around(dt=DT))
    assert seen_anew(before, replace(now, holder=None), around(dt=DT)) == (hits == 9)  # just put down


def test_the_opinion_about_a_place_goes_on_from_what_was_known_elsewhere():
    here = naming.Opinion((1.0, 1.0, 0.8), 0.1, {"potato": 1.0}, "potato", 1, 3.0)
    (now,) = naming.pooled((here,), (1.02, 1.0, 0.8), {"orange": 0.7, "potato": 0.3}, 6, "orange")
    assert now.called == "orange" and now.names == {"potato": 1.0} and now.by_all["orange"] == pytest.approx(0.525)  # six looks there, one here
    assert naming.pooled((here,), (2.0, 1.0, 0.8), {"orange": 1.0}, 6, "orange") == (here,)
    again = naming.pooled((now,), (1.02, 1.0, 0.8), {"orange": 0.2, "potato": 0.8}, 9, "orange")[0]  # that took in the looks here
    assert again.by_all == now.by_all and again.called == "orange"
    doubtful = naming.pooled((here,), (1.02, 1.0, 0.8), {"orange": 0.4, "potato": 0.6}, 6, "orange")[0]
    assert doubtful.called == "orange"  # as its track is, until another look says that it is not


@pytest.mark.parametrize("names, others", [((("orange", 0.5), ("apple", 0.4), ("potato", 0.1)), ("apple",)), ((("orange", 0.8), ("apple", 0.2)), ()), ((), ()),
                                           ((("orange", 0.4), ("desk", 0.3), ("apple", 0.3)), ("apple",))])
def test_what_it_may_nearly_as_well_be_is_told(names, others):
    """Half as likely as what it is called is nearly; furniture and loose things are never taken for each other."""
    assert other_names(SimpleNamespace(cls="orange", names=names)) == others


@pytest.mark.parametrize("formerly, reached, one", [(("juice_1",), "kitchencabinet_1", True), ((), "kitchencabinet_1", False), (("juice_1",), "fridge_1", False)])
def test_what_lies_in_a_cupboard_under_a_name_it_has_only_lately_is_what_was_put_in_there(formerly, reached, one):
    """Somebody had a potato in hand and the cupboard open; what shows in there was first called juice. Called potato from the first, or elsewhere, it may have lain there."""
    from tests.perception.test_perception_handling import cupboard, stances

    opened = cupboard(1.5)
    held = in_hand("potato", POTATO, 9, 1.0, reached=(reached, 2.4))
    young = in_hand("potato", POTATO, 2, 3.0, tuple(opened.body.centre), id="potato_2", holder=None, place=opened.id, inside=True, born=2.6, formerly=formerly)
    traces = {ANA: stances(*[(1.6 + 0.2 * i, 0.9, 0.0, (0.1, 0.0, 1.0)) for i in range(6)])}
    found = carried_here({t.id: t for t in (held, young)}, {"potato_2": SimpleNamespace(cut=False, detection=SimpleNamespace(shown_since=None))}, around(traces=traces, places={opened.id: opened}))
    assert [(y, o) for y, o, _ in found] == ([("potato_2", "potato_1")] if one else [])
