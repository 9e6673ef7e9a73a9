"""Who is who in a scenario that is seen through a detector: by where they stand, for scoring and for voices."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from evaluation.scenarios_rendered import RenderedObserver, _things
from household.actions import Utterance
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph
from perception.config import PerceptionConfig
from perception.home_map import HomeMap


def world(people, things=()):
    return SimpleNamespace(people=tuple(people), things={t: SimpleNamespace(cls=c) for t, c, _ in things}, pieces={},
                           state=SimpleNamespace(people={p: SimpleNamespace(position=at) for p, at in people.items()},
                                                 things={t: SimpleNamespace(position=at) for t, _, at in things}))


def person(name, at, visible=True, last_seen=0.0):
    return Entity(name, "person", (*at, 0.9), visible=visible, last_seen=last_seen)


def observer():
    made = RenderedObserver.__new__(RenderedObserver)
    made._stood, made._held, made._names, made._voices = {}, {}, {}, {}
    return made


def graph(*entities):
    return SceneGraph(1.0, {e.id: e for e in entities})


def test_a_track_goes_on_to_stand_for_whoever_it_was_seen_as():
    ann, bob = person("person_1", (1.0, 1.0)), person("person_2", (3.0, 1.0))
    eyes, home = observer(), world({"ann": (1.1, 1.0), "bob": (3.0, 1.1)})
    assert eyes.true_names(home, graph(ann, bob)) == {"person_1": "ann", "person_2": "bob"}
    gone = graph(replace(ann, visible=False), bob)  # ann has left, bob stands where she was last seen
    moved = world({"ann": (9.0, 9.0), "bob": (1.0, 1.1)})
    assert eyes.true_names(moved, replace(gone, entities={**gone.entities, "person_2": replace(bob, position=(1.0, 1.1, 0.9))})) == {
        "person_1": "ann", "person_2": "bob"}


def test_of_two_tracks_of_one_person_the_last_seen_is_them():
    eyes, home = observer(), world({"ann": (1.0, 1.0)})
    eyes.true_names(home, graph(person("person_1", (1.0, 1.0))))
    names = eyes.true_names(home, graph(person("person_1", (5.0, 5.0), False, 0.0), person("person_2", (1.0, 1.0), True, 1.0)))
    assert names == {"person_1": "person_1", "person_2": "ann"}


def test_a_thing_of_the_home_is_one_thing_of_the_graph():
    home = world({}, [("apple_1", "apple", (1.0, 1.0, 0.9)), ("apple_2", "apple", (4.0, 1.0, 0.9))])
    found = graph(Entity("apple_1", "apple", (4.1, 1.0, 0.9)), Entity("apple_2", "apple", (4.4, 1.0, 0.9)), Entity("apple_3", "apple", (1.1, 1.0, 0.9)))
    assert observer().true_names(home, found) == {"apple_1": "apple_2", "apple_2": "no_apple_2", "apple_3": "apple_1"}


@pytest.mark.parametrize("at, names", [((1.1, 1.0, 0.9), ("apple",)), ((1.1, 1.0, 0.9), ()), ((9.0, 9.0, 0.9), ("apple",))])
def test_a_thing_that_may_bear_another_name_is_what_bears_it_there(at, names):
    """Who is told of "the orange or apple" is told of the apple that is there."""
    home = world({}, [("apple_1", "apple", (1.0, 1.0, 0.9))])
    told = observer().true_names(home, graph(Entity("orange_1", "orange", at, other_names=names)))
    assert told == {"orange_1": "apple_1" if names and at[0] < 2.0 else "orange_1"}


def test_what_the_robot_carries_goes_by_the_name_under_which_it_took_it():
    eyes, home = observer(), world({}, [("apple_1", "apple", (1.0, 1.0, 0.9)), ("mug_1", "mug", (2.0, 1.0, 0.9))])
    eyes.true_names(home, graph(Entity("apple_3", "apple", (1.0, 1.0, 0.9))))
    for thing, at in (("apple_1", ROBOT), ("mug_1", "table_1")):
        home.state.things[thing].at = at
    assert eyes._in_own_hand(home) == ("apple_3",)
    eyes.true_names(home, graph(Entity("apple_4", "apple", (5.0, 1.0, 0.9))))
    assert eyes._in_own_hand(home) == ("apple_3",)
    home.state.things["apple_1"].at, home.state.things["mug_1"].at = "table_1", ROBOT
    assert eyes._in_own_hand(home) == ("mug_1",)  # never seen: it was told to take it by the name it is remembered by


def test_words_come_from_whoever_is_seen_where_the_voice_comes_from():
    home = world({"ann": (1.0, 1.0), "bob": (3.0, 1.0), "cat": (9.0, 9.0)})
    seen = graph(person("person_1", (1.1, 1.0)), person("person_2", (3.1, 1.0)))
    said, own = observer().heard(home, seen, [Utterance("ann", "Hello.", 1.0, "bob", ("bob", "cat", ROBOT)), Utterance(ROBOT, "Hello.", 1.0, "person_1")])
    assert (said.speaker, said.addressee, said.hearers) == ("person_1", "person_2", ("person_2", "cat", ROBOT))
    assert own == Utterance(ROBOT, "Hello.", 1.0, "person_1")


def test_a_voice_that_nobody_is_seen_for_is_that_of_the_one_whom_the_robot_knows_and_does_not_see():
    home = world({"ann": (1.0, 1.0), "bob": (3.0, 1.0)})
    ann, bob = person("person_1", (1.1, 1.0)), replace(person("person_2", (8.0, 8.0)), visible=False)
    word = Utterance("ann", "Bob, I put it on the shelf.", 1.0, "bob", ("bob", ROBOT))
    (said,) = observer().heard(home, graph(ann, bob), [word])
    assert (said.speaker, said.addressee, said.hearers) == ("person_1", "person_2", ("person_2", ROBOT))
    (said,) = observer().heard(home, graph(ann, bob, replace(bob, id="person_3")), [word])
    assert said.addressee == "bob"  # either of two


def test_a_voice_once_seen_is_known_by_its_sound():
    eyes, home = observer(), world({"ann": (1.0, 1.0), "bob": (3.0, 1.0), "cat": (9.0, 9.0)})
    at = {"person_1": (1.1, 1.0), "person_2": (3.1, 1.0), "person_3": (9.1, 9.0)}
    eyes.heard(home, graph(*(person(i, p) for i, p in at.items())), [Utterance("ann", "Hello.", 1.0, "bob")])
    away = [replace(person(i, (20.0 + k, 20.0)), visible=False) for k, i in enumerate(at)]
    ann, bob, cat = eyes.heard(home, graph(*away), [Utterance(n, "Hello.", 9.0) for n in home.people])
    assert (ann.speaker, bob.speaker, cat.speaker) == ("person_1", "person_2", "person_3")  # her by elimination: only one is left
    assert observer().heard(home, graph(*away), [Utterance("ann", "Hello.", 9.0)])[0].speaker == "ann"


def test_a_track_stands_for_what_is_there_by_either_name_before_the_only_one_of_its_class_elsewhere():
    true = {"apple_1": ("apple", (9.0, 1.0, 0.5)), "cupcake_1": ("cupcake", (1.0, 1.0, 0.5)), "mug_1": ("mug", (3.0, 3.0, 0.5)), "mug_2": ("mug", (5.0, 5.0, 0.5))}
    seen = Entity("apple_4", "apple", (1.2, 1.0, 0.5), other_names=("cupcake",))
    assert _things([seen], true) == {"apple_4": "cupcake_1"}
    assert _things([replace(seen, other_names=())], true) == {"apple_4": "apple_1"}  # there is but one: it was carried there unseen
    both = [seen, Entity("apple_5", "apple", (8.5, 1.0, 0.5))]
    assert _things(both, true) == {"apple_4": "cupcake_1", "apple_5": "apple_1"}
    assert _things([Entity("mug_9", "mug", (9.0, 9.0, 0.5))], true) == {}  # of two it may be neither


@pytest.mark.parametrize("gaze, opened, seen", [(0.0, None, True), (3.1, None, False), (0.0, Openness.CLOSED, False), (0.0, Openness.OPEN, True)])
def test_what_the_robot_remembers_is_seen_by_who_has_its_place_in_sight(gaze, opened, seen):
    """A knife the robot does not make out lies on a counter, or in a cupboard, before Ann; Bob's position is not known."""
    eyes = observer()
    eyes._state, eyes._config = SimpleNamespace(home=HomeMap()), PerceptionConfig()
    ann, bob = Entity("ann", "person", (0.0, 0.0, 0.0), (0.5, 0.35, 1.7), gaze_yaw=gaze), person("bob", (0.0, 1.0), False)
    if opened is None:
        bears, knife, how = Entity("kitchencounter_1", "kitchencounter", (1.5, 0.0, 0.45), (0.6, 1.2, 0.9)), (1.4, 0.0, 0.92), RelationKind.ON
    else:
        bears, knife, how = Entity("cabinet_1", "cabinet", (1.5, 0.0, 1.2), (0.4, 0.8, 1.0), openness=opened), (1.4, 0.0, 1.3), RelationKind.INSIDE
    entities = {e.id: e for e in (ann, bob, bears, Entity("knife_1", "knife", knife, visible=False))}
    shown = SceneGraph(1.0, entities, frozenset({Relation("knife_1", how, bears.id)}), {"ann": frozenset(), "robot": frozenset()})
    sees = eyes._recalled_in_sight(shown, ["knife_1"])
    assert ("knife_1" in sees["ann"]) is seen and set(sees) == {"ann", "robot"} and not sees["robot"]
