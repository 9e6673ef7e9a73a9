"""Descriptions of what somebody does: the same acts, told in many ways."""

import pytest

from household.actions import Verb
from mind.reading import ProblemKind, read_conduct, read_home

HOME = read_home("The kitchen has a fridge, a stove, a microwave and four cabinets. The bathroom has a cabinet. The living room has a cabinet, "
                 "a sofa and a coffee table. A bottle of wine is on the coffee table. The bedroom has a desk.")


def acts(text, actor="Mary"):
    conduct = read_conduct(text, HOME, actor)
    return conduct.start_room, [str(a).replace("walktowards", "walk").replace("kitchencabinet", "cab") for a in conduct.actions]


@pytest.mark.parametrize("text", [
    "Mary is in the bedroom. She walks to the kitchen, approaches the fridge, opens it, and then closes it.",
    "Mary is situated in the bedroom. She proceeds towards the kitchen, making her way to the fridge, which she opens and then shuts.",
    "Mary starts in the bedroom, then heads to the kitchen and the fridge. She opens and closes the fridge.",
    "Mary is initially in the bedroom before she strides into the kitchen. Upon reaching the kitchen, she nears the refrigerator. After opening "
    "and closing it, she pauses.",
    "In the bedroom, Mary leaves for the kitchen and steps up to the icebox, pulls it open, looks inside, and pushes it shut.",
    "Mary is in the bedroom, walktowards kitchen, walktowards fridge, open fridge, close fridge.",
    "Mary was in the bedroom. She moseyed into the kitchen, then shambled over to the fridge, opened it and closed it again.",
    "Mary comes from the bedroom to the kitchen. She heads for the fridge. It is opened and then closed.",
    "From the bedroom, Mary goes to the kitchen. Her next stop is the fridge; the fridge is opened and closed. Having closed it, she waits.",
])
def test_one_story_many_tellings(text):
    assert acts(text) == ("bedroom", ["walk(kitchen)", "walk(fridge_1)", "open(fridge_1)", "close(fridge_1)"])


EACH = ["open(cab_3)", "close(cab_3)", "open(cab_4)", "close(cab_4)", "open(cab_1)", "close(cab_1)"]


@pytest.mark.parametrize("text, walks", [
    ("She sequentially approaches the third, fourth and first kitchen cabinets, opening and closing each one in turn.", True),
    ("She opens the third, fourth, and first cabinets in succession, closing each one after.", False),
    ("She opens and closes the third cabinet, then does the same with the fourth and first.", False),
    ("She opens the third cabinet and closes it. She repeats this with the fourth cabinet, followed by the first.", False),
    ("She opens and closes the third cabinet, as well as the fourth one and the first.", False),
    ("The third, fourth and first cupboards are opened and closed one after another.", False),
    ("She walks to the third, the fourth, and the first kitchen cupboard. She opens and shuts each of them.", True),
    ("She continues her journey around the kitchen, approaching the 3rd, 4th and 1st cabinets, opening and closing each.", True),
])
def test_several_places_one_after_another(text, walks):
    _, told = acts("Mary is in the kitchen. " + text)
    expected = [x for k, a in enumerate(EACH) for x in ([f"walk({a[5:-1]})", a] if walks and k % 2 == 0 else [a])]
    assert told == expected


@pytest.mark.parametrize("ending", ["preparing to open it", "and is about to open it", "and is on the verge of opening it", "poised to open it",
                                    "getting ready to open it", "reaching out to open it", "ready to open it", "intending to open it"])
def test_what_is_only_about_to_happen(ending):
    conduct = read_conduct(f"Mary is in the kitchen. Finally, she walks towards the stove, {ending}.", HOME, "Mary")
    assert [(a.verb, a.target, a.about_to) for a in conduct.actions] == [(Verb.WALKTOWARDS, "stove_1", False), (Verb.OPEN, "stove_1", True)]


@pytest.mark.parametrize("text, expected", [
    ("She walks towards the bathroom, preparing to open a cabinet.", ["walk(bathroom)", "about to open(bathroomcabinet_1)"]),
    ("She goes to the living room and approaches the cabinet.", ["walk(livingroom)", "walk(cabinet_1)"]),
    ("She walks towards the wine.", ["walk(wine)"]),
    ("She heads to the stove, opening and closing it, before moving on to the microwave, where she repeats the process.",
     ["walk(stove_1)", "open(stove_1)", "close(stove_1)", "walk(microwave_1)", "open(microwave_1)", "close(microwave_1)"]),
    ("Next up is the stove; she opens it and shuts it.", ["walk(stove_1)", "open(stove_1)", "close(stove_1)"]),
    ("Her hand is on the fridge, and she is about to pull it open.", ["about to open(fridge_1)"]),
    ("She tries the stove: opens it, closes it.", ["open(stove_1)", "close(stove_1)"]),
    ("She opens the stove; finding nothing, she closes it and continues to the fridge.", ["open(stove_1)", "close(stove_1)", "walk(fridge_1)"]),
    ("This is followed by the opening and closing of the microwave.", ["open(microwave_1)", "close(microwave_1)"]),
    ("She exits the kitchen and enters the bathroom, approaching the cabinet.", ["walk(bathroom)", "walk(bathroomcabinet_1)"]),
    ("She walks past the fridge to the stove.", ["walk(stove_1)"]),
    ("She does not open the fridge but walks to the stove.", ["walk(stove_1)"]),
    ("Before heading to the bathroom, she opens the fridge and closes it.", ["open(fridge_1)", "close(fridge_1)", "walk(bathroom)"]),
    ("She closes the fridge after opening it.", ["open(fridge_1)", "close(fridge_1)"]),
    ("She opens the fridge, closes it, opens the stove, and closes it as well.",
     ["open(fridge_1)", "close(fridge_1)", "open(stove_1)", "close(stove_1)"]),
    ("She opens the fridge and takes two apples from it.", ["open(fridge_1)", "pick(apple)"]),
    ("She grabs a plate and puts it on the coffee table in the living room.", ["pick(plate)", "puton(plate)"]),
])
def test_turns_of_phrase(text, expected):
    assert acts("Mary is in the kitchen. " + text) == ("kitchen", expected)


def test_after_opening_it_is_not_told_twice():
    once = acts("Mary is in the kitchen. She walks to the stove, opens it and closes it. After opening and closing the stove, she leaves for the bedroom.")
    assert once[1] == ["walk(stove_1)", "open(stove_1)", "close(stove_1)", "walk(bedroom)"]


def test_acts_cite_their_words():
    text = "Mary is in the kitchen. She strides towards the stove, opens it, and then secures it shut."
    conduct = read_conduct(text, HOME, "Mary")
    assert [a.span.of(text) for a in conduct.actions] == ["strides towards the stove", "opens it", "secures it shut"]


@pytest.mark.parametrize("name", ["Rose", "Mark", "Will", "José", "Li Wei", "O'Brien", "Mei-Ling", "Tabel", "Book", "Grace"])
def test_any_name(name):
    assert acts(f"{name} is in the bedroom. {name} then walks to the kitchen and opens the fridge.", name) == \
        ("bedroom", ["walk(kitchen)", "open(fridge_1)"])


@pytest.mark.parametrize("text, kind", [
    ("She sings a song.", ProblemKind.UNREAD),
    ("She walks to the dishwasher.", ProblemKind.UNRESOLVED),
    ("She opens the seventh cabinet.", ProblemKind.UNRESOLVED),
    ("She opens it.", ProblemKind.UNRESOLVED),
    ("She does the same with it.", ProblemKind.UNRESOLVED),
])
def test_what_is_not_understood_is_reported(text, kind):
    conduct = read_conduct("Mary is in the kitchen. " + text, HOME, "Mary")
    assert [p.kind for p in conduct.problems][:1] == [kind]
    assert conduct.actions == ()


def test_it_never_means_a_place_that_was_not_found():
    assert acts("Mary is in the kitchen. She opens the fridge and closes it. She walks to the dishwasher and opens it.")[1] == \
        ["open(fridge_1)", "close(fridge_1)"]


def test_several_people_are_kept_apart():
    text = ("Alice is in the kitchen and Bob is in the living room. Alice opens the fridge. Meanwhile, Bob walks to the kitchen. He opens the stove "
            "and closes it. Alice closes the fridge and walks to the living room.")
    assert acts(text, "Alice") == ("kitchen", ["open(fridge_1)", "close(fridge_1)", "walk(livingroom)"])
    assert acts(text, "Bob") == ("livingroom", ["walk(kitchen)", "open(stove_1)", "close(stove_1)"])
    text = "Mary is in the kitchen. Zed yanks the fridge open. Mary walks to the stove. Zed pushes the fridge shut. Mary pulls the stove open."
    assert acts(text) == ("kitchen", ["walk(stove_1)", "open(stove_1)"])


@pytest.mark.parametrize("text, done", [
    ("Mary is in the kitchen. She walks to the second cabinet, opening it and shutting it, then does so with the third as well.",
     ["walk(cab_2)", "open(cab_2)", "close(cab_2)", "open(cab_3)", "close(cab_3)"]),
    ("Mary is in the kitchen. After closing the fridge she had opened, she goes to the last cabinet.", ["close(fridge_1)", "walk(cab_4)"]),
    ("Mary is in the kitchen. She opens cabinet number one and closes it. She does the same for number three.",
     ["open(cab_1)", "close(cab_1)", "open(cab_3)", "close(cab_3)"]),
    ("Mary is in the kitchen, next to the stove. She opens the microwave and is now on her way to the bathroom.", ["open(microwave_1)", "walk(bathroom)"]),
])
def test_rarer_ways_of_saying_it(text, done):
    assert acts(text) == ("kitchen", done)
