"""People who look for a thing act on what they saw and were told, and on nothing else."""

from dataclasses import replace

import pytest

from household.actions import ActionError, Utterance, Verb, parse
from household.scene_graph import ROBOT, Entity, Openness, Relation, RelationKind, SceneGraph
from sim_bridges.play import Person, Play
from sim_bridges.scripted import Beat, compose, read_story, staged

IN, INSIDE, ON, HOLDS = RelationKind.IN_ROOM, RelationKind.INSIDE, RelationKind.ON, RelationKind.HOLDS
SPOTS = {"fridge_1": (3.5, 3.5), "kitchencabinet_1": (0.5, 3.5), "microwave_1": (3.0, 0.5), "kitchentable_1": (2.0, 2.0)}


def home(stamp, apple, open_=(), alice="kitchen"):
    """Kitchen with three containers and a table; Alice; the apple at ``apple`` (relation, place)."""
    entities = {"kitchen": Entity("kitchen", "kitchen", (2, 2, 0), (4, 4, 2.6)), "hallway": Entity("hallway", "hallway", (6, 2, 0), (4, 4, 2.6)),
                "apple_1": Entity("apple_1", "apple", (2, 2, 0.8)), "alice": Entity("alice", "person", (1.0, 1.0, 0)),
                "david": Entity("david", "person", (6.0, 1.0, 0)), ROBOT: Entity(ROBOT, "robot", (0.5, 0.5, 0))}
    for id, (x, y) in SPOTS.items():
        cls = id.rsplit("_", 1)[0]
        openness = Openness.NONE if cls == "kitchentable" else Openness.OPEN if id in open_ else Openness.CLOSED
        entities[id] = Entity(id, cls, (x, y, 0.5), (0.6, 0.6, 1.0), openness=openness)
    relations = {Relation(i, IN, "kitchen") for i in (*SPOTS, ROBOT)} | {Relation("alice", IN, alice), Relation("david", IN, "hallway")}
    kind, place = apple
    relations.add(Relation(place, HOLDS, "apple_1") if kind is HOLDS else Relation("apple_1", kind, place))
    if kind is not HOLDS:
        relations.add(Relation("apple_1", IN, "kitchen"))
    return SceneGraph(stamp, entities, frozenset(relations))


def seeker(*scenes):
    person = Person("alice", seeking="apple_1")
    for scene in scenes:
        person.look(scene)
    return person


def test_she_takes_what_she_sees():
    person = seeker(home(0, (ON, "kitchentable_1")))
    assert person.next_action("apple_1") == parse("walk(apple_1)")
    person.at = "apple_1"
    assert person.next_action("apple_1") == parse("pick(apple_1)")
    person.look(home(1, (HOLDS, "alice")))
    assert person.next_action("apple_1") is None


def test_she_goes_where_she_last_saw_it_although_it_is_elsewhere():
    person = seeker(home(0, (INSIDE, "fridge_1"), ["fridge_1"]), home(1, (INSIDE, "fridge_1")), home(2, (INSIDE, "kitchencabinet_1"), alice="hallway"),
                    home(3, (INSIDE, "kitchencabinet_1")))
    assert person.believes("apple_1") == "fridge_1" and person.next_action("apple_1") == parse("walk(fridge_1)")
    person.at = "fridge_1"
    assert person.next_action("apple_1") == parse("open(fridge_1)")
    person.look(home(4, (INSIDE, "kitchencabinet_1"), ["fridge_1"]))
    assert person.next_action("apple_1") == parse("walk(microwave_1)")  # the nearest that is still shut
    assert person.mind(["apple_1"])["beliefs"] == {"apple_1": {"elsewhere": 1.0}}


def test_she_believes_the_robot_until_she_has_looked():
    person = seeker(home(0, (INSIDE, "microwave_1")))
    assert person.hear(Utterance(ROBOT, "Alice, the apple is in the microwave.", 1.0, "alice"))
    assert person.believes("apple_1") == "microwave_1" and person.next_action("apple_1") == parse("walk(microwave_1)")
    assert not person.hear(Utterance(ROBOT, "Alice, the apple is in the microwave.", 2.0, "alice"))  # no news
    assert not person.hear(Utterance(ROBOT, "The mug is in the fridge.", 2.0, "alice"))  # not about it
    person.at = "microwave_1"
    person.look(home(3, (INSIDE, "fridge_1"), ["microwave_1"]))
    assert person.next_action("apple_1").verb is Verb.WALK and person.told == {}


def test_what_she_was_told_before_she_looks_for_it_counts():
    person = seeker(home(0, (INSIDE, "microwave_1")))
    person.seeking = None
    assert not person.hear(Utterance(ROBOT, "Alice, the apple is in the microwave.", 1.0, "alice"))  # nothing to drop for it
    person.seeking = "apple_1"
    assert person.next_action("apple_1") == parse("walk(microwave_1)")


def test_she_gives_up_when_all_is_searched():
    person = seeker(home(0, (INSIDE, "fridge_1")))
    person.searched = {"fridge_1", "kitchencabinet_1", "microwave_1"}
    assert person.next_action("apple_1") is None


def run(play, scenes, until=20):
    """Everything succeeds at once; the actions in order."""
    out = []
    for stamp in range(until):
        for actor, action in play.next(float(stamp), lambda: scenes(stamp), lambda p: False):
            out.append((stamp, actor, str(action)))
            play.ended(actor, action, "")
    return out


def test_beats_in_order_with_waits_between():
    play = Play(read_story(["alice: walk(fridge_1)", "alice: wait(3)", "david: say(hello)"]), ["alice", "david"])
    assert run(play, lambda s: home(s, (ON, "kitchentable_1"))) == [(0, "alice", "walk(fridge_1)"), (4, "david", "say(hello)")]
    truth = play.truth(home(9, (INSIDE, "microwave_1")))
    assert play.finished and truth["things"] == {"apple_1": "microwave_1"}
    assert truth["people"]["alice"]["thinks"] == {"apple_1": None}  # not where she saw it last, and the microwave is shut


def test_a_search_that_fails_again_and_again_ends():
    play = Play(read_story(["alice: get apple_1"]), ["alice"])
    for stamp in range(30):
        for actor, action in play.next(float(stamp), lambda: home(stamp, (ON, "kitchentable_1")), lambda p: False):
            play.ended(actor, action, "the way is blocked")
    assert play.finished and play.problem == ""


def test_a_beat_that_fails_ends_the_story():
    play = Play(read_story(["alice: walk(fridge_1)", "alice: open(fridge_1)"]), ["alice"])
    ((actor, action),) = play.next(0.0, lambda: home(0, (ON, "kitchentable_1")), lambda p: False)
    play.ended(actor, action, "stuck")
    assert play.finished and "alice: walk(fridge_1) failed: stuck" in play.problem


@pytest.mark.parametrize("text", ["alice: get fridge_1", "alice: get", "alice get apple_1"])
def test_what_one_cannot_get(text):
    with pytest.raises(ActionError):
        Beat.read(text)


def test_stories_are_cast_from_the_scene_or_say_what_it_lacks():
    beats = compose("false_belief", home(0, (ON, "kitchentable_1")))
    assert beats[1] == Beat("alice", parse("pick(apple_1)")) and beats[-2] == Beat("alice", seek="apple_1")
    assert {b.actor for b in beats} == {"alice", "david"}
    lonely = home(0, (ON, "kitchentable_1"))
    lonely = replace(lonely, entities={k: v for k, v in lonely.entities.items() if k != "david"})
    with pytest.raises(ActionError, match="needs two people"):
        compose("false_belief", lonely)
    with pytest.raises(KeyError, match="false_belief_twin"):
        compose("tragedy", lonely)


def test_every_story_says_what_it_is_about():
    from evaluation.commands.demo import _title
    from sim_bridges import scripted

    assert scripted.ABOUT.keys() == scripted.STORIES.keys()
    assert _title("virtualhome", "false_belief") == scripted.ABOUT["false_belief"] != _title("embedded", "false_belief")
    assert _title("tdw", "my_story.txt") == "my_story.txt"


@pytest.mark.parametrize("line,words", [
    ("bob: walk(fridge_1)", "the story has 'bob', but the people are alice, david"), ("alice: walk(fridg_1)", "'fridg_1' is nothing known here; it has fridge_1$"),
    ("alice: get apple_9", "'apple_9' is nothing known"), ("alice: putin(apple_1, sink_4)", "'sink_4' is nothing known"),
])
def test_a_story_about_what_is_not_there_is_refused(line, words):
    scene = home(0, (ON, "kitchentable_1"))
    fine = read_story(["alice: say(\"Hello\")", "david: wait(2)", "alice: get apple_1", "david: walk(hallway)", "david: turnto(alice)"])
    assert staged(fine, scene) == fine
    with pytest.raises(ActionError, match=words):
        staged((*fine, *read_story([line])), scene)
