"""What somebody is said to think or want."""

import pytest

from mind.reading import BeliefStatement, GoalStatement, ProblemKind, read_home, read_statement

HOME = read_home("The kitchen has a fridge, a microwave and two cabinets. The living room has a cabinet and a desk. The bathroom has a cabinet.")


def one(text, room=None):
    statements, problems = read_statement(text, HOME, ("Mark",), room)
    assert problems == () and len(statements) == 1
    return statements[0]


@pytest.mark.parametrize("text, holds", [
    ("Mark thinks that the salmon is inside the microwave.", True),
    ("Mark thinks that the salmon is not inside the microwave.", False),
    ("Mark believes there's a salmon in the microwave.", True),
    ("Mark thinks there isn't any salmon inside the microwave.", False),
    ("Mark thinks that there is no salmon in the microwave.", False),
    ("Mark doesn't think there is a salmon in the microwave.", False),
    ("If Mark does not believe that the microwave contains a salmon", False),
    ("Mark expects the microwave to hold a salmon.", True), ("According to Mark, there is a salmon in the microwave.", True),
    ("Suppose Mark does not think there is a salmon in the microwave.", False),
])
def test_beliefs(text, holds):
    s = one(text)
    assert isinstance(s, BeliefStatement) and (s.person, s.target, s.place, s.holds) == ("Mark", "salmon", "microwave_1", holds)


@pytest.mark.parametrize("text", ["Mark has been trying to get a bottle of wine.", "Mark wants the wine.", "Mark is looking for a bottle of wine.",
                                  "If Mark has been searching for wine, which is right?", "Mark needs a wine bottle."])
def test_goals(text):
    s = one(text)
    assert isinstance(s, GoalStatement) and (s.target, s.holds) == ("wine", True)


@pytest.mark.parametrize("words, room, place", [
    ("the cabinet", "kitchen", "cabinet_1"), ("the bathroom cabinet", "kitchen", "bathroomcabinet_1"), ("the 2nd kitchen cabinet", None, "kitchencabinet_2"),
    ("the living room cabinet", "bathroom", "cabinet_1"), ("the living room", None, "livingroom"),
])
def test_which_cabinet(words, room, place):
    assert one(f"Mark thinks the salmon is in {words}.", room).place == place


def test_two_statements_in_one_sentence():
    statements, _ = read_statement("Mark wants a plate and thinks that it and the apple are in the fridge.", HOME, ("Mark",))
    assert [type(s) for s in statements] == [GoalStatement, BeliefStatement]


@pytest.mark.parametrize("text, kind", [
    ("Mark thinks the salmon is in the wardrobe.", ProblemKind.UNRESOLVED), ("Mark thinks the salmon is in the fifth kitchen cabinet.", ProblemKind.UNRESOLVED),
    ("Mark wants a zorp.", ProblemKind.UNKNOWN_WORD), ("Mark thinks that all is well.", ProblemKind.UNREAD),
])
def test_what_cannot_be_is_said(text, kind):
    statements, problems = read_statement(text, HOME, ("Mark",))
    assert statements == () and [p.kind for p in problems] == [kind]
