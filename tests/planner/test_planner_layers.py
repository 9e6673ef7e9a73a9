"""The six layers: one grammar, printed and read back; nothing outside it gets through."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import ActionError, AtomicAction, Verb, parse_plan
from planner.acts import CandidateValue, Fact, FactKind, HelpAct, HelpKind
from planner.decision import Decision, Symbols, parse_layers, parse_symbols, print_layers, validate
from planner.symbols import LAYER_PREDICATES, Content, Layer, SymbolError, Term, check, parse_terms, print_terms, term

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
texts = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=20)
words = names | texts
contents = st.recursive(
    st.builds(lambda f, a, s, t: Term(f.value, tuple(a), s, t), st.sampled_from(list(Content)), st.lists(words, max_size=3),
              st.none() | words, st.none() | words),
    lambda inner: st.builds(lambda f, a: Term(f.value, tuple(a)), st.sampled_from(list(Content)), st.lists(inner | words, max_size=3)),
    max_leaves=4)
actions = st.builds(lambda v, a: Term(v.value, tuple(a)), st.sampled_from(list(Verb)), st.lists(words, min_size=1, max_size=3))


def bdi(layer: Layer):
    return st.lists(st.builds(lambda p, a, c: Term(p.value, (a, c)), st.sampled_from(sorted(LAYER_PREDICATES[layer])), names, contents),
                    max_size=3).map(tuple)


symbols = st.builds(Symbols, st.lists(actions, max_size=4).map(tuple), bdi(Layer.BELIEF), bdi(Layer.DESIRE), bdi(Layer.INTENTION),
                    bdi(Layer.DECISION))
plans = st.lists(st.builds(lambda v, a: AtomicAction(v, (a,)), st.sampled_from([Verb.WALK, Verb.OPEN, Verb.SAY, Verb.PICK]), words),
                 max_size=4).map(tuple)
acts = st.builds(HelpAct, st.sampled_from(list(HelpKind)), st.none() | names, st.none() | names, st.none() | names, st.none() | names,
                 st.none() | st.builds(Fact, st.sampled_from(list(FactKind)), names, st.none() | names), st.lists(names, max_size=2).map(tuple))
numbers = st.floats(-100, 100)
values = st.builds(CandidateValue, acts, numbers, numbers, numbers, numbers, numbers, numbers, texts)
decisions = st.builds(Decision, numbers, acts, st.fixed_dictionaries({layer: texts for layer in Layer}), symbols, plans,
                      st.lists(values, max_size=2).map(tuple), numbers, texts)


@settings(max_examples=150, deadline=None)
@given(decisions)
def test_a_decision_survives_json(decision):
    assert Decision.from_dict(json.loads(json.dumps(decision.to_dict()))) == decision


@settings(max_examples=150, deadline=None)
@given(decisions)
def test_the_symbolic_layers_survive_their_text(decision):
    text = decision.symbol_text()
    assert [line.split(">")[0] + ">" for line in text.splitlines()] == [f"<{layer.value}>" for layer in Layer]
    assert parse_symbols(text) == (decision.symbols, decision.plan)
    assert parse_layers(text) == parse_layers(print_layers(parse_layers(text)))


@settings(max_examples=200, deadline=None)
@given(st.lists(contents, max_size=4).map(tuple))
def test_terms_survive_print_and_parse(terms):
    assert parse_terms(print_terms(terms)) == terms


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_no_text_is_read_as_something_else_than_it_says(text):
    try:
        terms = parse_terms(text)
    except SymbolError:
        return
    assert parse_terms(print_terms(terms)) == terms


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.builds(lambda v, a: f"{v}({a})", st.sampled_from(["walk", "explode", "pick", "rm -rf", "say"]), words))
def test_an_action_outside_the_grammar_never_becomes_a_valid_decision(text):
    try:
        plan = parse_plan(text)
        validate(Decision(0.0, plan=plan), known={"apple_1", "alice"})
    except (ActionError, SymbolError):
        return
    for action in plan:
        assert isinstance(action.verb, Verb)
        entities = action.args[1:] if action.verb is Verb.SAY else action.args
        free = action.verb in (Verb.TURNBY, Verb.MOVEBY, Verb.WALKFORWARD, Verb.TURNLEFT, Verb.TURNRIGHT, Verb.ROTATEHEAD, Verb.WAIT,
                               Verb.ANIMATE)
        assert free or set(entities) <= {"apple_1", "alice"}


@pytest.mark.parametrize("text, wrong", [
    ("<Perception> a\n<Belief> b", "wanted, in this order"),
    ("<Belief> b\n<Perception> a\n<Desire> c\n<Intention> d\n<Decision> e\n<Action> ", "wanted, in this order"),
    ("hello", "before the first layer"),
    ("<Perception> a\n<Belief>\n<Desire>\n<Intention>\n<Decision>\n<Action>\n<Action> x", "wanted, in this order"),
])
def test_layers_missing_doubled_or_out_of_order_are_refused(text, wrong):
    with pytest.raises(SymbolError, match=wrong):
        parse_layers(text)


@pytest.mark.parametrize("layer, bad", [
    (Layer.BELIEF, term("make_decision", "robot", term("wait"))), (Layer.ACTION, term("explode", "apple_1")),
    (Layer.DECISION, term("make_decision", "robot")), (Layer.DESIRE, term("attribute_desire", "robot", term("conquer", "home"))),
    (Layer.PERCEPTION, term("walk")), (Layer.BELIEF, term("know", "robot", "apple_1")),
])
def test_each_layer_has_its_own_vocabulary(layer, bad):
    with pytest.raises(SymbolError, match=layer.value):
        check(layer, (bad,))


def test_a_sentence_may_end_in_a_backslash():
    plan = (AtomicAction(Verb.SAY, ('a ") b\\', "alice")), AtomicAction(Verb.WALK, ("alice",)))
    assert parse_plan(", ".join(str(a) for a in plan)) == plan


B1 = ("Walk Run WalkTowards WalkForward TurnLeft Sit StandUp TurnRight Grab Open Close Put PutIn SwitchOn SwitchOff Drink Touch LookAt TurnBy TurnTo "
      "MoveBy MoveTo ReachFor ResetArm Drop Animate RotateHead ResetHead").split()
C1 = ("walk turn sit standup open close pick place putin putback hold puton switchon switchoff lookat grab stand move sleep read write watch listen "
      "cut cook run").split()


@pytest.mark.parametrize("word", sorted({*B1, *C1}))
def test_every_action_of_the_paper_is_one_of_ours(word):
    (action,) = parse_plan(f"{word} (fridge)")
    assert isinstance(action.verb, Verb) and action.args == ("fridge",)


@pytest.mark.parametrize("layer, text", [
    (Layer.BELIEF, "attribute_belief(char0, searching(apple)), attribute_belief(char0, human_believes(object_on(table)))"),
    (Layer.BELIEF, "hold_true_belief(robot, object_on(refrigerator)), lack_belief(char0, object_on(refrigerator))"),
    (Layer.BELIEF, "know(robot, object_on(table)), unknow(char0, object_on(table)), unknown(char0, object_on(apple, table))"),
    (Layer.DESIRE, "attribute_desire(robot, assist(char0, find(apple))), attribute_desire(robot, assist(char0, move(hydrant)))"),
    (Layer.INTENTION, "form_intention(robot, fetch(apple, from=fridge, to=char0))"),
    (Layer.DECISION, "resolve_misbelief(robot, belief_conflict(char0, apple, table)), make_decision(robot, fetch(apple, from=fridge, to=char0))"),
    (Layer.PERCEPTION, "walk(char0, kitchen), pick(char1, apple, from=table), putin(char1, apple, to=fridge), sit(char0)"),
])
def test_the_papers_table_of_atomic_actions_is_our_vocabulary(layer, text):
    terms = parse_terms(text)
    check(layer, terms)
    assert parse_terms(print_terms(terms)) == terms


def test_the_prompts_names_of_the_layers_are_read_too():
    text = ("- <Description>: Alex comments that the room feels stuffy.\n- ToM-Reasoning:\n<Robot Belief> I believe Alex wants water.\n"
            "<Robot Desire> I want to help Alex.\n<Robot Intention> Bring a glass.\n<Decision> Fetch a glass of water.\n"
            "<Action> walk (glass), pick (glass), pour (water, glass), walk (Alex), give (glass, Alex).")
    layers = parse_layers(text)
    assert list(layers) == list(Layer) and layers[Layer.BELIEF] == "I believe Alex wants water."
    assert [a.verb.value for a in parse_plan(layers[Layer.ACTION])] == ["walk", "pick", "pour", "walk", "give"]
    assert parse_layers(print_layers(layers)) == layers


def test_the_papers_own_example_is_read():
    text = ("- <Perception> Alice walks into the kitchen.\n- <Belief> I think Alice is looking for the apple.\n<Desire> I want to assist."
            "\n<Intention> I want to take out the apple from fridge.\n<Decision> I need to correct her false belief.\n"
            "<Action> walk(fridge), open(fridge), pick(apple), walk(Alice)")
    layers = parse_layers(text)
    assert [a.verb for a in parse_plan(layers[Layer.ACTION])] == [Verb.WALK, Verb.OPEN, Verb.PICK, Verb.WALK]
    assert layers[Layer.BELIEF].startswith("I think Alice")
