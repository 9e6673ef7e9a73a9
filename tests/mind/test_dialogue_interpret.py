"""Reading what people say: acts, references, and everything that must not become a fact."""

import pytest
from hypothesis import given, settings, strategies as st

from household import classes
from household.actions import Utterance, Verb
from household.scene_graph import Entity, Relation, RelationKind, SceneGraph
from household.speech import ActKind
from mind.dialogue import DialogueContext, DialogueMemory, in_earshot, interpret, remember
from mind.dialogue.needs import NEEDS

ROOM_OF = {"fridge_1": "kitchen", "kitchencabinet_1": "kitchen", "kitchencabinet_2": "kitchen", "kitchentable_1": "kitchen",
           "cabinet_1": "livingroom", "sofa_1": "livingroom", "coffeetable_1": "livingroom", "desk_1": "bedroom",
           "alice": "kitchen", "bob": "kitchen"}
THINGS = ("apple_1", "keys_1", "mug_1", "mug_2", "juice_1", "waterglass_1", "book_1", "glasses_1", "faucet_1", "suitcase_1", "lamp_1")


@pytest.fixture(scope="module")
def scene():
    ids = (*ROOM_OF, *THINGS, "kitchen", "livingroom", "bedroom")
    entities = {i: Entity(i, "person" if i in ("alice", "bob") else classes.class_of(i), (0.0, 0.0, 0.0)) for i in ids}
    relations = {Relation(a, RelationKind.IN_ROOM, b) for a, b in ROOM_OF.items()} | {Relation("mug_1", RelationKind.ON, "coffeetable_1")}
    return SceneGraph(0.0, entities, frozenset(relations))


def talk(scene, *lines, names=None):
    """The acts of the last line; speakers take turns, alice first."""
    memory = DialogueMemory()
    for k, text in enumerate(lines):
        utterance = Utterance(("alice", "bob")[k % 2], text, float(k))
        acts = interpret(utterance, DialogueContext(scene, memory, names))
        memory = remember(memory, utterance, acts, scene)
    return acts


def short(acts):
    return [(a.kind.value, a.object, a.place) for a in acts if a.understood]


@pytest.mark.parametrize("said, place", [("the second bedroom", "cabinet_3"), ("the first bedroom", "cabinet_2"), ("the living room", "cabinet_1"),
                                         ("the bedroom", "cabinet")])
def test_which_of_two_bedrooms_a_place_is_in(scene, said, place):
    more = {"bedroom2": Entity("bedroom2", "bedroom", (0.0, 0.0, 0.0)),
            **{i: Entity(i, "cabinet", (0.0, 0.0, 0.0)) for i in ("cabinet_2", "cabinet_3")}}
    rooms = {Relation("cabinet_2", RelationKind.IN_ROOM, "bedroom"), Relation("cabinet_3", RelationKind.IN_ROOM, "bedroom2")}
    home = SceneGraph(0.0, {**scene.entities, **more}, scene.relations | rooms)
    assert short(talk(home, f"Alice, the apple is in the cabinet in {said}.")) == [("inform_location", "apple_1", place)]


@pytest.mark.parametrize("lines, expected", [
    (["Where is the apple?"], [("ask_location", "apple_1", None)]),
    (["Hey Bob, do you happen to know where my book is?"], [("ask_location", "book_1", None)]),
    (["Have you seen my keys anywhere?"], [("ask_location", "keys_1", None)]),
    (["Any idea where the mug might be?"], [("ask_location", "mug", None)]),
    (["Is the apple in the fridge?"], [("ask_location", "apple_1", "fridge_1")]),
    (["Where are the apple and the keys?"], [("ask_location", "apple_1", None), ("ask_location", "keys_1", None)]),
    (["Where is the apple?", "It's in the fridge."], [("inform_location", "apple_1", "fridge_1")]),
    (["Where is the apple?", "In the fridge."], [("inform_location", "apple_1", "fridge_1")]),
    (["Where is the apple?", "Try the fridge."], [("inform_location", "apple_1", "fridge_1")]),
    (["Where is the apple?", "In the kitchen, in the fridge."], [("inform_location", "apple_1", "fridge_1")]),
    (["Is the apple in the fridge?", "Yes, it is."], [("inform_location", "apple_1", "fridge_1")]),
    (["Is the apple in the fridge?", "No."], [("deny_location", "apple_1", "fridge_1")]),
    (["Where is the apple?", "It's in the fridge.", "No, it isn't there."], [("deny_location", "apple_1", "fridge_1")]),
    (["I found a mug inside the cabinet in the living room,"], [("inform_location", "mug", "cabinet_1")]),
    (["I noticed a book on the coffee table in the living room."], [("inform_location", "book_1", "coffeetable_1")]),
    (["I put the apple in the second kitchen cabinet."], [("inform_location", "apple_1", "kitchencabinet_2")]),
    (["The apple is in the kitchen cabinet 2."], [("inform_location", "apple_1", "kitchencabinet_2")]),
    (["I put the apple in the kitchen cabinet."], [("inform_location", "apple_1", "kitchencabinet")]),
    (["The juice is in the fridge, no wait, on the sofa."], [("inform_location", "juice_1", "sofa_1")]),
    (["If you're looking for the keys, they're on the sofa."], [("inform_location", "keys_1", "sofa_1")]),
    (["The keys are in my pocket."], [("inform_location", "keys_1", "alice")]),
    (["Bob has the keys."], [("inform_location", "keys_1", "bob")]),
    (["The apple is next to the mug_1."], [("inform_location", "apple_1", "coffeetable_1")]),
    (["There is no apple in the fridge."], [("deny_location", "apple_1", "fridge_1")]),
    (["I'm looking for my glasses."], [("state_goal", "glasses_1", None)]),
    (["I can't find the lamp."], [("state_goal", "lamp_1", None)]),
    (["I need a fork"], [("state_need", "fork", None)]),
    (["Never mind."], [("refuse", None, None)]), (["Stop!"], [("refuse", None, None)]), (["No thanks, I found it."], [("refuse", None, None)]),
    (["My keys, where are they?"], [("ask_location", "keys_1", None)]),
    # what a robot says must be understood by those who hear it
    (["Alice, the apple is in the fridge."], [("inform_location", "apple_1", "fridge_1")]),
    (["Alice, someone moved the apple."], [("inform_moved", "apple_1", None)]),
    (["Alice, Bob took the apple into the living room."], [("inform_location", "apple_1", "livingroom")]),
    (["The apple was taken from the fridge to the bedroom by Bob."], [("inform_location", "apple_1", "bedroom")]),
    (["Bob took the apple from the fridge."], [("inform_moved", "apple_1", None)]),
])
def test_reading(scene, lines, expected):
    assert short(talk(scene, *lines)) == expected


@pytest.mark.parametrize("text, verb, thing, place, person", [
    ("Could you please bring me the apple?", Verb.PICK, "apple_1", None, None),
    ("Bob, bring the apple to Bob.", Verb.PICK, "apple_1", None, "bob"),
    ("Please turn off the tap.", Verb.SWITCHOFF, "faucet_1", None, None), ("Turn the lamp on please", Verb.SWITCHON, "lamp_1", None, None),
    ("Can you move the suitcase out of the way?", Verb.MOVE, "suitcase_1", None, None), ("Open the fridge", Verb.OPEN, "fridge_1", None, None),
    ("Put the apple on the kitchen table please", Verb.PLACE, "apple_1", "kitchentable_1", None),
])
def test_requests(scene, text, verb, thing, place, person):
    (act,) = talk(scene, text)
    assert (act.kind, act.verb, act.object, act.place, act.person) == (ActKind.REQUEST, verb, thing, place, person)


@pytest.mark.parametrize("text", ["My mouth is so dry.", "It would be nice to drink some water.", "I'm thirsty."])
def test_thirst_names_drinks_that_are_here(scene, text):
    acts = talk(scene, text)
    assert {a.kind for a in acts} == {ActKind.STATE_NEED}
    assert acts[0].object == "waterglass" and {a.object for a in acts} == {"waterglass", "juice", "mug"}
    assert 0 < sum(a.certainty for a in acts) <= 1


@pytest.mark.parametrize("text, says", [
    ("It is in it.", "nothing was mentioned"), ("The apple is in the apple.", "itself"), ("Blorf the wug quickly.", "could not read"),
    ("The apple is next to the mug and the mug is next to the apple.", "do not know where"), ("The apple is in the dishwasher.", "no dishwasher"),
    ("The apple is in the fridge and it is on the desk.", "one breath"), ("The apple is in the fridge. The apple is not in the fridge.", "one breath"),
    ("", "no words"), ("?!", "no words"), ("The keys are in there.", "no place was mentioned"), ("The mug is where the mug is.", "itself"),
])
def test_kept_as_heard_and_never_a_fact(scene, text, says):
    acts = talk(scene, text)
    assert acts and not any(a.understood for a in acts)
    assert says in acts[0].reason and acts[0].text == text and acts[0].certainty == 0.0


@pytest.mark.parametrize("text", ["Bob thinks the apple is in the fridge.", "I wish the apple was in the fridge.", "If the apple is in the fridge, I am happy.",
                                  "Maybe if the apple is in the fridge.", "What is in the fridge?", "Hello.", "The fridge is open."])
def test_not_a_statement_about_a_place(scene, text):
    assert not [a for a in talk(scene, text) if a.understood and a.kind in (ActKind.INFORM_LOCATION, ActKind.DENY_LOCATION)]


def test_someone_who_is_not_here_is_not_believed(scene):
    (act,) = interpret(Utterance("carol", "The apple is in the fridge.", 0.0), DialogueContext(scene))
    assert not act.understood and "carol" in act.reason


def test_hedges_lower_the_certainty(scene):
    sure, think, might = (talk(scene, t)[0].certainty for t in
                          ("The apple is in the fridge.", "I think the apple is in the fridge.", "The apple might be in the fridge."))
    assert sure == 1.0 and 0.5 < might < think < sure
    assert talk(scene, "Where is the apple?", "In the fridge, I think.")[0].certainty < 0.8


def test_the_other_one_is_not_the_first(scene):
    assert short(talk(scene, "Bring me mug_1 please.", "ok", "No, the other one."))[-1][1] == "mug_2"


def test_it_is_forgotten_after_three_minutes(scene):
    first = Utterance("alice", "Where is the apple?", 0.0)
    memory = remember(DialogueMemory(), first, interpret(first, DialogueContext(scene)), scene)
    acts = interpret(Utterance("bob", "It is in the fridge.", 400.0), DialogueContext(scene, memory))
    assert not acts[0].understood


class Finder:
    def __init__(self, answer):
        self.answer = answer

    def nearest(self, phrase, kinds):
        return self.answer


def test_free_names_by_meaning_or_not_sure(scene):
    assert short(talk(scene, "Where is my paperback?", names=Finder(("book", 0.8)))) == [("ask_location", "book_1", None)]
    for names in (None, Finder(("laptop", 0.46)), Finder(None)):
        (act,) = talk(scene, "Where is my blender?", names=names)
        assert not act.understood and "I am not sure" in act.reason


def test_needs_are_weighted_over_known_classes():
    for row in NEEDS:
        assert sum(w for _, w in row.classes) == pytest.approx(1.0), row.need
        assert all(c in classes.CLASSES for c, _ in row.classes)


def test_earshot_is_the_room_or_a_few_metres(scene):
    far = {"alice": (0.0, 0.0, 0.0), "bob": (1.0, 0.0, 0.0)}
    entities = {**scene.entities, **{p: Entity(p, "person", xyz) for p, xyz in far.items()}, "carol": Entity("carol", "person", (20.0, 0.0, 0.0))}
    graph = SceneGraph(0.0, entities, scene.relations)
    assert in_earshot(graph, Utterance("alice", "hi", 0.0)) == ("bob",)
    assert in_earshot(graph, Utterance("alice", "hi", 0.0, hearers=("carol",))) == ("carol",)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["the", "apple", "fridge", "it", "is", "not", "in", "there", "where", "bob", "and", "?", ",", "other", "one", "stop",
                                 "kitchen", "cabinet", "i", "my", "put", "@0", "keys_1", "ü", "second"]), max_size=12))
def test_any_words_give_acts_that_keep_the_text(scene, words):
    text = " ".join(words)
    acts = talk(scene, text)
    assert acts
    for act in acts:
        assert act.text == text and 0.0 <= act.certainty <= 1.0 and (act.understood or act.reason)


@pytest.mark.parametrize("said, kind, place", [("Bob, the orange or apple is in the fridge.", "inform_location", "fridge_1"), ("Where is the apple?", "ask_location", None),
                                               ("The apple or the orange?", None, None), ("Bring me an orange or apple.", None, None)])
def test_a_thing_that_may_as_well_be_another(scene, said, kind, place):
    """``orange_1`` may as well be an apple, and nothing else is called one: it is what is meant, whether both names are said or only the other."""
    things = {i: e for i, e in scene.entities.items() if i != "apple_1"} | {"orange_1": Entity("orange_1", "orange", (0.0, 0.0, 0.0), other_names=("apple",))}
    acts = short(talk(SceneGraph(0.0, things, scene.relations), said))
    assert acts == ([(kind, "orange_1", place)] if kind else [])


def test_a_thing_that_bears_a_name_comes_before_one_that_may(scene):
    doubtful = Entity("orange_1", "orange", (0.0, 0.0, 0.0), other_names=("apple",))
    home = SceneGraph(0.0, {**scene.entities, "orange_1": doubtful}, scene.relations)
    assert short(talk(home, "Where is the apple?")) == [("ask_location", "apple_1", None)]
    assert short(talk(home, "The orange or apple is in the fridge.")) == [("inform_location", "orange_1", "fridge_1")]
    assert short(talk(scene, "The book or apple is in the fridge.")) == []  # either is known for what it is


@pytest.mark.parametrize("text", ["Bob, Alice moved the apple; I did not see its new place.", "Bob, Alice moved the apple out of the kitchen; I did not see its new place.",
                                  "Alice took the apple from the kitchen."])
def test_that_something_was_carried_off_says_that_it_was_moved_and_never_where_it_is(scene, text):
    acts = talk(scene, text)
    assert [(a.kind, a.object) for a in acts if a.understood and a.kind is not ActKind.OTHER] == [(ActKind.INFORM_MOVED, "apple_1")]
