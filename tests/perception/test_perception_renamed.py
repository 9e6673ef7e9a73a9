"""A thing that turns out to be something else goes on: its place, its history and its story stay, and the graph says what it was called."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from household.actions import Verb
from household.scene_graph import ROBOT, Tracking
from perception import deeds, events, inventory
from perception.absence import Look, look_for
from perception.cells import Cells
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.naming import Mistake
from perception.pipeline import RENAMED_FOR
from perception.places import PlaceTrack
from perception.thing_track import Surroundings, ThingTrack, called
from tests.perception.raycast import Scene, Solid, look, person, play, table

POSE = look(4.3, 2.5, np.pi)
DT = 0.3
EITHER, ORANGE, POTATO = (("orange", 0.55), ("potato", 0.45)), (("orange", 0.8), ("potato", 0.2)), (("potato", 0.9), ("orange", 0.1))


def fruit(x, y, z=0.79, name="one"):
    return Solid(name, "orange", Box((x, y, z), (0.09, 0.09, 0.08)), (220, 140, 30))


def shot(solids, start, *names, **opinions):
    """Frames DT apart of one picture from frame ``start`` on; ``names``: the detector's opinion of "one" in each. ``opinions``: of other solids."""
    picture = Scene(list(solids), pose=POSE).frame(0.0)
    frames = []
    for i, those in enumerate(names):
        told = {"one": those, **opinions}
        found = tuple(replace(d, cls=told[d.instance][0][0], names=told[d.instance]) if d.instance in told else d for d in picture.detections)
        frames.append(replace(picture, stamp=DT * (start + i + 1), detections=found))
    return frames


def one_of(graph, *classes):
    (found,) = [e for e in graph.entities.values() if e.cls in classes]
    return found


def when_renamed(graphs):
    return next(i for i, g in enumerate(graphs) if g.renamed)


SCENE = [*table(2, 2.5), fruit(2.2, 2.4)]


def test_it_keeps_its_place_and_history_and_the_graph_says_so_for_some_seconds():
    frames = shot(SCENE, 0, *[ORANGE] * 4, *[POTATO] * 20)
    state, graphs, told = play(frames)
    i = when_renamed(graphs)
    assert 4 < i < 12 and all(one_of(g, "orange", "potato").id == "orange_1" for g in graphs[2:i])
    for g in graphs[i:]:
        assert one_of(g, "orange", "potato").id == "potato_1" and g.place_of("potato_1") == "kitchentable_1" and "orange_1" not in g.entities
    said = [g.renamed for g in graphs if g.renamed]
    assert all(r == {"orange_1": "potato_1"} for r in said) and len(said) == pytest.approx(RENAMED_FOR / DT, abs=1)
    assert all(g.renamed for g in graphs[i:i + len(said)]) and not graphs[-1].renamed
    (track,) = state.things
    assert track.hits == len(frames) and track.formerly == ("orange_1",) and track.born == frames[0].stamp
    assert np.linalg.norm(np.subtract(graphs[-1].entities["potato_1"].position, graphs[i - 1].entities["orange_1"].position)) < 0.03
    assert told == []


def test_back_again_it_has_its_old_id():
    frames = shot(SCENE, 0, *[ORANGE] * 2, *[POTATO] * 4, *[ORANGE] * 20)
    state, graphs, told = play(frames)
    names = [one_of(g, "orange", "potato").id for g in graphs[2:]]
    assert list(dict.fromkeys(names)) == ["orange_1", "potato_1"] and names[-1] == "orange_1"
    back = next(i for i, g in enumerate(graphs) if "potato_1" in g.renamed)
    assert graphs[back].renamed == {"potato_1": "orange_1"}  # and no longer that it was the other way round
    (track,) = state.things
    assert track.hits == len(frames) and track.formerly == ("potato_1",) and told == []


@pytest.mark.parametrize("gap", [0.12, 0.16, 0.2, 0.3])
def test_of_two_things_beside_each_other_only_the_mistaken_one_is_renamed(gap):
    solids = [*table(2, 2.5), fruit(2.2, 2.4), fruit(2.2, 2.4 + gap, name="two")]
    state, graphs, told = play(shot(solids, 0, *[ORANGE] * 4, *[POTATO] * 16, two=ORANGE))
    before, after = graphs[3].entities, graphs[-1].entities
    kept = [e for e in after.values() if e.cls == "orange" and e.tracking is Tracking.VISIBLE]
    (changed,) = [e for e in after.values() if e.cls == "potato"]
    assert changed.id == "potato_1" and {k for k, e in after.items() if e.cls == "orange"} == {kept[0].id}  # no ghost of what it was
    assert len(kept) == 1 and np.linalg.norm(np.subtract(kept[0].position, (2.2, 2.4 + gap, 0.79))) < 0.05
    assert np.linalg.norm(np.subtract(kept[0].position, before[kept[0].id].position)) < 0.05
    assert np.linalg.norm(np.subtract(changed.position, (2.2, 2.4, 0.79))) < 0.05
    assert not [e for e in told if e.verb in (Verb.PICK, Verb.PUTON)]
    assert graphs[when_renamed(graphs)].renamed == {next(k for k, e in before.items() if e.cls == "orange" and k != kept[0].id): "potato_1"}


def test_what_it_turns_out_to_be_may_be_beside_it_already():
    """Then it is that thing's second name or its own: the other keeps its id, whatever becomes of this one."""
    solids = [*table(2, 2.5), fruit(2.2, 2.4), fruit(2.2, 2.9, name="two")]
    _, graphs, _ = play(shot(solids, 0, *[ORANGE] * 4, *[POTATO] * 16, two=POTATO))
    g = graphs[-1]
    assert {e.id for e in g.entities.values() if e.cls in ("orange", "potato")} == {"potato_1", "potato_2"}
    assert np.linalg.norm(np.subtract(g.entities["potato_1"].position, (2.2, 2.9, 0.79))) < 0.05
    assert g.place_of("potato_2") == "kitchentable_1" and graphs[when_renamed(graphs)].renamed == {"orange_1": "potato_2"}


def test_whoever_holds_it_holds_it_and_has_neither_taken_nor_put_it():
    held = [*table(2, 3.6), fruit(2.6, 2.5, 1.0), *person("bob", 2.2, 2.6, 0.0, (2.5, 2.5, 1.0))]
    first = shot([*table(2, 3.6), *person("bob", 2.2, 2.6), fruit(2.2, 3.3)], 0, *[EITHER] * 4)
    carried = shot(held, 4, *[ORANGE] * 4, *[POTATO] * 14)
    _, graphs, told = play([*first, *carried])
    i = when_renamed(graphs)
    former, = graphs[i].renamed
    now = graphs[i].renamed[former]
    assert graphs[i - 1].holder_of(former) == "bob" and all(g.holder_of(now) == "bob" for g in graphs[i:])
    assert [e.target for e in told if e.verb in (Verb.PICK, Verb.PUTON, Verb.PLACE)] == ["orange_1"]


def test_what_the_robot_took_under_one_name_it_holds_under_the_other():
    frames = shot([*table(2, 2.5), fruit(2.6, 2.2)], 0, *[ORANGE] * 4, *[POTATO] * 14)
    base = np.eye(4)
    base[:2, 3] = 3.0, 2.2
    _, graphs, _ = play(frames)
    turned = when_renamed(graphs)
    frames = [replace(f, robot_pose=base, robot_holds=("orange_1",) if i > turned else ()) for i, f in enumerate(frames)]
    _, graphs, _ = play(frames)
    assert len(graphs) > turned + 2 and all(g.holder_of("potato_1") == ROBOT for g in graphs[turned + 2:])


def test_what_is_in_the_robots_hand_keeps_the_name_it_was_taken_by():
    lying = shot([*table(2, 2.5), fruit(2.6, 2.2)], 0, *[ORANGE] * 6)
    carried = shot([*table(2, 3.6), fruit(2.6, 2.2, 0.95)], 6, *[POTATO] * 14)
    base = np.eye(4)
    base[:2, 3] = 2.6 - 0.42, 2.2
    frames = [*lying, *(replace(f, robot_pose=base, robot_holds=("orange_1",)) for f in carried)]
    _, graphs, _ = play(frames)
    assert all(g.holder_of("orange_1") == ROBOT for g in graphs[6:])
    assert not any(e.cls == "potato" for g in graphs for e in g.entities.values())


# --- parts ---

def track(cls="orange", number=1, **more):
    return ThingTrack(f"{cls}_{number}", cls, Box((2.2, 2.4, 0.79), (0.09, 0.09, 0.08)), Tracking.VISIBLE, 0.0, 1.0, hits=5, place="kitchentable_1", **more)


def test_a_new_name_counts_on_and_everything_else_stays():
    before = track(overlooked=3, confidence=0.7)
    now, counters = called(before, "potato", {"orange": 1, "potato": 4})
    assert (now.id, now.cls, now.formerly) == ("potato_5", "potato", ("orange_1",)) and counters == {"orange": 1, "potato": 5}
    assert replace(now, id=before.id, cls=before.cls, formerly=()) == before


@given(st.lists(st.sampled_from(["orange", "potato", "apple", "carrot"]), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_a_thing_has_one_id_of_each_class_it_ever_was(names):
    now, counters, first = track(), {"orange": 1, "apple": 2}, {"orange": "orange_1"}
    for cls in names:
        if cls == now.cls:
            continue
        now, counters = called(now, cls, counters)
        assert first.setdefault(cls, now.id) == now.id and now.cls == cls
        assert set(now.formerly) == set(first.values()) - {now.id} and len(now.formerly) == len(set(now.formerly))
    assert counters.get("apple", 0) == 2 + ("apple" in first) and counters["orange"] == 1


def test_a_mistake_says_what_it_is_called_now_and_concerns_what_is_there():
    wrong = Mistake("orange", "potato", (2.2, 2.4, 0.79), 0.1)
    assert wrong.now == "potato" and wrong.concerns("orange", (2.3, 2.4, 0.79))
    assert not wrong.concerns("potato", (2.2, 2.4, 0.79)) and not wrong.concerns("orange", (2.5, 2.4, 0.79))


def test_the_story_of_a_hand_goes_on_under_the_new_name():
    hands = {"orange_1": deeds.Hand("bob"), "mug_1": deeds.Hand("eve")}
    memory = events.renamed(events.EventMemory(hands=hands), {"orange_1": "potato_1"})
    assert memory.hands == {"potato_1": deeds.Hand("bob"), "mug_1": deeds.Hand("eve")}
    assert events.renamed(memory, {"orange_1": "potato_1"}) is memory


def test_what_turned_up_and_is_a_known_thing_does_not_wipe_out_the_story_of_that_thing():
    """The apple that lay on the counter is the one that has turned up on the table: what is known of whose hand it was in stays, and that it was put there,
    which was told of the other without that, may be told anew."""
    story, fresh = deeds.Hand("bob", taken=(1.0, 0.0, 0.9)), deeds.Hand()
    told = (("bob", Verb.PUTON, "apple_3", 4.0),)
    for hands in ({"apple_2": story, "apple_3": fresh}, {"apple_3": fresh, "apple_2": story}):
        memory = events.renamed(events.EventMemory(hands=hands, recent=told), {"apple_3": "apple_2"})
        assert memory.hands == {"apple_2": story} and memory.recent == ()
    memory = events.renamed(events.EventMemory(hands={"apple_3": fresh}, recent=told), {"apple_3": "apple_2"})
    assert memory.hands == {"apple_2": fresh} and memory.recent[0][2] == "apple_2"  # one thing that has got another name


def seen_where_it_lay(hole, tabletop=True, tilted=0.0):
    """A look at the place of a thing that is gone. ``hole``: share of the depth there that cannot be read; ``tilted``: m by which what is read lies behind
    where it was. ``tabletop``: whether the detector sees the table there."""
    frame = Scene(table(2, 2.5), pose=POSE).frame(2.0)
    thing = replace(track(), place="table_1")
    left, top, right, bottom = 90, 60, 150, 140
    depth = frame.depth.copy()
    rng = np.random.default_rng(0)
    patch = depth[top:bottom, left:right]
    patch[patch > 0] += tilted
    patch[rng.random(patch.shape) < hole] = 0.0
    if not tabletop:
        frame = replace(frame, detections=())
    frame = replace(frame, depth=depth)
    bearer = PlaceTrack("table_1", "kitchentable", Cells(), Box((2, 2.5, 0.375), (1.2, 0.8, 0.75)), 2.0, hits=5)
    around = Surroundings(frame, {"table_1": bearer}, {}, None, PerceptionConfig(), DT)
    return look_for(thing, None, around)


def test_where_depth_has_holes_a_thing_is_missed_when_what_bears_it_is_seen_in_its_place():
    assert seen_where_it_lay(0.6) is Look.MISSING
    assert seen_where_it_lay(1.0) is Look.MISSING  # the picture alone tells
    assert seen_where_it_lay(1.0, tabletop=False) is Look.OUT  # nothing tells
    assert seen_where_it_lay(0.6, tilted=0.6) is Look.EMPTY  # depth goes through, and the table shows
    assert seen_where_it_lay(0.6, tabletop=False, tilted=0.6) is Look.MISSING  # depth alone tells


@pytest.mark.parametrize("container, ids", [(True, {"orange_1"}), (False, {"potato_1"})])
def test_a_sight_that_may_as_well_be_the_cupboard_gives_a_thing_no_new_name(monkeypatch, container, ids):
    monkeypatch.setattr(inventory, "observed", lambda known, one, around: known)
    monkeypatch.setattr(inventory, "part_of_its_container", lambda known, around: container)
    around = SimpleNamespace(config=PerceptionConfig())
    things = inventory.Inventory([replace(track(), names=(("orange", 0.5), ("potato", 0.5)), hits=2)], {"orange": 1}, around)
    one = SimpleNamespace(cls="potato", detection=SimpleNamespace(names=POTATO), box=Box((1.0, 1.0, 1.0), (0.1, 0.1, 0.1)))
    things.observe_renamed(things.current["orange_1"], one)
    assert things.current.keys() == ids and things.renamed == ({} if container else {"orange_1": "potato_1"})


@pytest.mark.parametrize("old_holder, young_holder, opened, taken_from", [(None, "ana", 2.0, "drawer_1"), (None, "ana", 0.5, None), (None, None, 2.0, None), ("ana", "ana", 2.0, "fridge_1")])
def test_what_goes_on_under_another_name_in_a_hand_was_taken_from_where_it_was(old_holder, young_holder, opened, taken_from):
    """In the drawer, or in Ana's hand out of the fridge, since 1.0 s; the drawer opened at ``opened``."""
    around = SimpleNamespace(config=PerceptionConfig(), places={"drawer_1": SimpleNamespace(id="drawer_1", opened_at=opened)})
    old = replace(track(), id="orange_1", names=(("orange", 0.6), ("potato", 0.4)), hits=9, changed=1.0, holder=old_holder, place=None if old_holder else "drawer_1", inside=not old_holder,
                  taken_from="fridge_1" if old_holder else None)
    young = replace(track(), id="potato_1", cls="potato", names=(("potato", 1.0),), hits=1, changed=2.5, holder=young_holder)
    things = inventory.Inventory([old, young], {"orange": 1, "potato": 1}, around)
    things.seen["potato_1"] = SimpleNamespace()
    things.merge("potato_1", "orange_1", 2.4)
    (known,) = things.current.values()
    assert known.taken_from == taken_from and known.holder == young_holder and known.changed == 2.4
