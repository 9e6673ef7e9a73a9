import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.actions import (ActionError, AtomicAction, HumanAction, Utterance, Verb, check_form, parse, parse_plan, validate)

ids = st.from_regex(r"[a-z]{1,8}(_[0-9]{1,2})?", fullmatch=True)


@st.composite
def actions(draw):
    verb = draw(st.sampled_from(list(Verb)))
    args = tuple(draw(st.lists(ids, min_size=0, max_size=2)))
    if verb is Verb.SAY:
        args = (draw(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=60).map(str.strip).filter(bool)),)
    action = AtomicAction(verb, args, draw(st.none() | ids), draw(st.none() | ids))
    try:
        check_form(action)
    except ActionError:
        return AtomicAction(Verb.WAIT)
    return action


@given(actions())
def test_printing_and_parsing_is_lossless(action):
    assert parse(str(action)) == action


@given(st.lists(actions(), max_size=6))
def test_a_plan_reads_back(plan):
    assert parse_plan(", ".join(map(str, plan))) == tuple(plan)


@given(st.text(max_size=80))
def test_any_text_is_an_action_or_a_named_error(text):
    try:
        action = parse(text)
    except ActionError as error:
        assert str(error)
    else:
        assert parse(str(action)) == action


def test_the_papers_own_line_is_read():
    plan = parse_plan("walk (dishwasher), open (dishwasher), pick (mug), close (dishwasher), walk (David), give (mug, David).")
    assert [a.verb for a in plan] == [Verb.WALK, Verb.OPEN, Verb.PICK, Verb.CLOSE, Verb.WALK, Verb.GIVE]
    assert plan[-1].args == ("mug", "David")


@pytest.mark.parametrize("text, words", [
    ("fly(home)", "unknown verb 'fly'"), ("open()", "open takes 1 argument"), ("open(a, b)", "open takes 1 argument"),
    ("open fridge", "not of the form"), ("move(a, from=b, from=c)", "twice"), ("give(a)", "give takes 2"),
    ("move(from=a, b)", "positional"), ("walk(fridge", "not of the form")])
def test_bad_actions_are_refused_by_name(text, words):
    with pytest.raises(ActionError, match=words.replace("(", r"\(")):
        parse(text)


def test_only_known_things_pass_the_validator():
    validate(parse("give(apple_1, alice)"), {"apple_1", "alice"})
    with pytest.raises(ActionError, match="bob"):
        validate(parse("give(apple_1, bob)"), {"apple_1", "alice"})
    with pytest.raises(ActionError, match="300"):
        validate(AtomicAction(Verb.SAY, ("x" * 301,)), set())


def test_events_and_utterances_survive_a_dict():
    event = HumanAction("david", Verb.PUTIN, "apple_1", "fridge_1", "kitchen", 3.0, 4.5, 0.9, {"alice": 0.0})
    assert HumanAction.from_dict(event.to_dict()) == event
    for hearers in (None, (), ("alice",)):
        said = Utterance("robot", "Hello", 2.0, "alice", hearers)
        assert Utterance.from_dict(said.to_dict()) == said
