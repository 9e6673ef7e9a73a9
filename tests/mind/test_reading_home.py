"""Descriptions of homes: what is where, said in many ways, and what could not be read."""

import pytest

from household.scene_graph import RelationKind
from mind.reading import ProblemKind, read_home

KITCHEN = "The kitchen has a fridge, a stove, a microwave, a dishwasher, two tables and six cabinets. "
HOME = ("The home consists of a kitchen, a bathroom, a living room and a bedroom. " + KITCHEN +
        "The bathroom has a cabinet. The living room has a cabinet, a sofa and a coffee table. The bedroom has a desk. ")


def contents(text):
    return {place: dict(held) for place, held in read_home(text).contents().items()}


@pytest.mark.parametrize("sentence, expected", [
    ("The fridge contains two apples and a plate.", {"fridge_1": {"apple": 2, "plate": 1}}),
    ("Inside the refrigerator, there are two apples and a plate.", {"fridge_1": {"apple": 2, "plate": 1}}),
    ("Two apples and a plate are in the fridge.", {"fridge_1": {"apple": 2, "plate": 1}}),
    ("The fridge boasts two apples, along with a plate.", {"fridge_1": {"apple": 2, "plate": 1}}),
    ("In the oven sits a salmon.", {"stove_1": {"salmon": 1}}),
    ("The fridge is empty, as is the stove.", {"fridge_1": {}, "stove_1": {}}),
    ("The fridge has nothing in it, and neither does the stove.", {"fridge_1": {}, "stove_1": {}}),
    ("There is nothing inside the dishwasher.", {"dishwasher_1": {}}),
    ("The stove contains a plate, and a cupcake is in the microwave.", {"stove_1": {"plate": 1}, "microwave_1": {"cupcake": 1}}),
    ("The stove contains a plate, and a cupcake and a book are in the microwave.",
     {"stove_1": {"plate": 1}, "microwave_1": {"cupcake": 1, "book": 1}}),
    ("A salmon is in the stove, a plate in the dishwasher, and two bowls in the microwave.",
     {"stove_1": {"salmon": 1}, "dishwasher_1": {"plate": 1}, "microwave_1": {"dishbowl": 2}}),
    ("A water glass is found in the dishwasher, and the other kitchen table has a plate on it.",
     {"dishwasher_1": {"waterglass": 1}, "kitchentable_2": {"plate": 1}}),
    ("One kitchen table is bare, while the other holds a bottle of wine.", {"kitchentable_1": {}, "kitchentable_2": {"wine": 1}}),
    ("A plate and two bags of crisps adorn the coffee table.", {"coffeetable_1": {"plate": 1, "chips": 2}}),
    ("A cupcake can be found in both the microwave and the stove.", {"microwave_1": {"cupcake": 1}, "stove_1": {"cupcake": 1}}),
    ("On the desk, you'll find a remote.", {"desk_1": {"remotecontrol": 1}}),
    ("The fridge contains an apple, and so does the dishwasher.", {"fridge_1": {"apple": 1}, "dishwasher_1": {"apple": 1}}),
    ("You can find a salmon in the stove and another one in the microwave.", {"stove_1": {"salmon": 1}, "microwave_1": {"salmon": 1}}),
    ("Stored in the fridge are a bottle of wine and a couple of apples.", {"fridge_1": {"wine": 1, "apple": 2}}),
    ("The living room's sofa has a book lying on it, and the cabinet three plates.", {"sofa_1": {"book": 1}, "cabinet_1": {"plate": 3}}),
    ("The only items in the fridge are an apple and a plate.", {"fridge_1": {"apple": 1, "plate": 1}}),
    ("The stove does not contain anything.", {"stove_1": {}}),
    ("The bathroom cabinet is home to a wine glass.", {"bathroomcabinet_1": {"wineglass": 1}}),
])
def test_one_sentence_many_ways(sentence, expected):
    assert contents(HOME + sentence) == expected
    assert read_home(HOME + sentence).problems == ()


@pytest.mark.parametrize("sentence, expected", [
    ("The first, third and sixth cabinets are empty.", {1: {}, 3: {}, 6: {}}),
    ("The second through fifth cabinets, from left to right, are all empty.", {2: {}, 3: {}, 4: {}, 5: {}}),
    ("The first three cabinets contain nothing.", {1: {}, 2: {}, 3: {}}),
    ("The third and fourth cabinets each hold a plate.", {3: {"plate": 1}, 4: {"plate": 1}}),
    ("The fourth and fifth cabinets contain two bowls and another apple, respectively.", {4: {"dishbowl": 2}, 5: {"apple": 1}}),
    ("The first cabinet holds a book, the second is empty, the third an apple and the sixth two plates.",
     {1: {"book": 1}, 2: {}, 3: {"apple": 1}, 6: {"plate": 2}}),
    ("The sixth cabinet from the left is empty, while the second one contains a mug.", {6: {}, 2: {"mug": 1}}),
    ("The last cabinet holds a mug.", {6: {"mug": 1}}),
    ("The first cabinet from the right holds a mug.", {6: {"mug": 1}}),
    ("Cabinet 2 contains a mug.", {2: {"mug": 1}}),
    ("Cabinets one, two, and five are empty.", {1: {}, 2: {}, 5: {}}),
    ("The second cabinet holds a mug, while the remaining cabinets are empty.", {1: {}, 2: {"mug": 1}, 3: {}, 4: {}, 5: {}, 6: {}}),
    ("With the exception of the fourth, which holds a plate, all of the cabinets are empty.", {1: {}, 2: {}, 3: {}, 4: {"plate": 1}, 5: {}, 6: {}}),
    ("Of the cabinets, the first holds a mug; the second, two plates; the third has none.", {1: {"mug": 1}, 2: {"plate": 2}, 3: {}}),
    ("The cabinets are empty, except for the fourth one, which has a mug.",
     {1: {}, 2: {}, 3: {}, 4: {"mug": 1}, 5: {}, 6: {}}),
])
def test_numbered_places(sentence, expected):
    assert contents(HOME[:HOME.index("The bathroom has")] + sentence) == {f"kitchencabinet_{n}": held for n, held in expected.items()}


def test_things_told_while_the_room_is_described():
    text = ("In the bedroom, there is a sofa with a book on it and a cabinet housing two mugs. The study has a desk and a couch, on which "
            "rests a plate. The bathroom features a cabinet, which is currently empty. In the hallway there are two desks and a cabinet, "
            "with a wine glass and a mug stored inside the cabinet.")
    home = read_home(text)
    by_room = {(home.places[p], p.rpartition("_")[0]): dict(h) for p, h in home.contents().items()}
    assert by_room == {("bedroom", "sofa"): {"book": 1}, ("bedroom", "cabinet"): {"mug": 2}, ("office", "sofa"): {"plate": 1},
                       ("bathroom", "bathroomcabinet"): {}, ("hallway", "cabinet"): {"wineglass": 1, "mug": 1}}


def test_predicates_cite_the_text_they_came_from():
    text = "The kitchen has a fridge and a stove. The fridge contains two apples. The stove is empty."
    said = {(p.subject, p.object): p.span.of(text) for p in read_home(text).predicates if p.kind is not RelationKind.IN_ROOM}
    assert said == {("apple_1", "fridge_1"): "The fridge contains two apples", ("apple_2", "fridge_1"): "The fridge contains two apples",
                    (None, "stove_1"): "The stove is empty"}


def test_denial_is_kept_apart_from_emptiness():
    home = read_home("The kitchen has a fridge. There is no apple in the fridge.")
    assert [(p.subject, p.holds) for p in home.predicates if p.kind is RelationKind.INSIDE] == [("apple", False)]
    assert home.undescribed() == ("fridge_1",)


@pytest.mark.parametrize("sentence, kind, words", [
    ("The weather is lovely.", ProblemKind.UNREAD, "weather"),
    ("The fridge contains a zorp.", ProblemKind.UNKNOWN_WORD, "zorp"),
    ("The ninth cabinet contains a mug.", ProblemKind.UNRESOLVED, "ninth"),
    ("There is a mug and a plate.", ProblemKind.UNPLACED, "a mug and a plate"),
    ("The fridge is empty. The fridge contains a mug.", ProblemKind.CONTRADICTION, "empty"),
    ("A mug and a plate are on the kitchen tables.", ProblemKind.UNPLACED, "a mug"),
])
def test_what_is_not_understood_is_reported(sentence, kind, words):
    problems = read_home(HOME + sentence).problems
    assert any(p.kind is kind and words.lower() in p.text.lower() for p in problems), problems


def test_nothing_and_far_too_much():
    assert [p.kind for p in read_home("").problems] == [ProblemKind.EMPTY]
    assert [p.kind for p in read_home("The fridge contains a plate. " * 10_000).problems] == [ProblemKind.TOO_LONG]


def test_misspellings_of_known_words():
    assert contents("The kitchn has a frigde and a micrwave. The fridge contians two aples, the microwave a cupcacke.") == \
        {"fridge_1": {"apple": 2}, "microwave_1": {"cupcake": 1}}


@pytest.mark.parametrize("text, holds", [
    ("The kitchen has a fridge and six cabinets. All of the cabinets are empty except the fourth, which holds a plate. The fridge contains nothing but an apple.",
     {"fridge_1": {"apple": 1}, "kitchencabinet_4": {"plate": 1}, "kitchencabinet_1": {}, "kitchencabinet_6": {}}),
    ("The kitchen's eight cabinets stand side by side: the first five are empty, the sixth has a wine glass, and the last two hold a plate each.",
     {"kitchencabinet_5": {}, "kitchencabinet_6": {"wineglass": 1}, "kitchencabinet_7": {"plate": 1}, "kitchencabinet_8": {"plate": 1}}),
    ("The kitchen has three cabinets and a stove. The leftmost cabinet holds two plates; the rightmost one is empty, and the middle one has a mug in it.",
     {"kitchencabinet_1": {"plate": 2}, "kitchencabinet_2": {"mug": 1}, "kitchencabinet_3": {}}),
    ("The kitchen has five cabinets. The cabinets one through three are empty. The penultimate cabinet holds an apple. The fifth is bare.",
     {"kitchencabinet_1": {}, "kitchencabinet_3": {}, "kitchencabinet_4": {"apple": 1}, "kitchencabinet_5": {}}),
    ("The living room has a sofa and a coffee table. There are two books on the sofa and there is one on the coffee table.",
     {"sofa_1": {"book": 2}, "coffeetable_1": {"book": 1}}),
])
def test_rows_ends_and_exceptions(text, holds):
    home = read_home(text)
    assert {p: dict(home.contents().get(p, {"not": "said"})) for p in holds} == holds and not home.problems


def test_what_a_text_that_tells_everything_else_leaves_out_is_presumed_empty():
    told = read_home("The kitchen has a fridge, a stove, a microwave and two cabinets. The fridge holds an apple. The cabinets are empty. The stove holds a plate.")
    assert told.undescribed() == told.presumed_empty() == ("microwave_1",)
    sketchy = read_home("The kitchen has a fridge, a stove, a microwave and two cabinets. The fridge holds an apple.")
    assert len(sketchy.undescribed()) == 4 and sketchy.presumed_empty() == ()
