"""Questions in English about the minds of the moved-apple story, for now and for earlier; looking back with hindsight."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mind import queries
from mind.queries import Asked, Log, QueryError, ask, in_hindsight, read_question
from tests.mind.kitchen_story import Watch, comes_back, moved_apple, searches_on


@pytest.fixture(scope="module")
def story() -> Watch:
    return searches_on(comes_back(moved_apple(0.0), "kitchentable_1"))


def at(watch: Watch, stamp: float):
    return queries.minds_at(watch.past, stamp)


def test_does_she_think_it_is_in_the_fridge_and_why(story):
    reply = ask("Does Alice think the apple is in the fridge, and why?", at(story, 60.0))
    assert reply.p < 0.05 and reply.words.startswith("No")
    assert "on the kitchen table" in reply.words and "put it on the kitchen table at 3.0" in reply.words
    assert any("David put it in the fridge" in e.text for e in reply.evidence)
    assert all(e.stamp <= 60.0 for e in reply.evidence) and reply.stamp == 60


def test_negation_is_the_complement(story):
    minds = at(story, 60.0)
    yes, no = (ask(f"does alice believe that the apple is {word}on the kitchen table?", minds).p for word in ("", "not "))
    assert yes > 0.85 and yes + no == pytest.approx(1.0)


def test_earlier_and_later_differ(story):
    assert ask("where did Alice think the apple was?", at(story, 4)).words.startswith("Alice thinks the apple is on the kitchen table")
    assert "does not seem to know" in ask("does Alice think the apple is on the kitchen table?", at(story, 66.5)).words
    assert ask("Is Alice wrong about the apple?", at(story, 60)).p > 0.8
    assert ask("Is Alice wrong about the apple?", at(story, 70)).p == 0.0


def test_what_does_she_want(story):
    reply = ask("What does Alice want?", at(story, 100))
    assert "apple" in reply.words and reply.p > 0.3
    assert ask("is Alice looking for the apple?", at(story, 100)).p > 0.75 > 0.3 > ask("is Alice looking for the apple?", at(story, 30)).p
    assert "Nothing in particular" in ask("what does David want", at(story, 60)).words


def test_whom_nobody_introduced_is_asked_for_as_they_are_spoken_of(story):
    minds = at(story, 60.0)
    stranger = replace(minds, people={"person_1": replace(minds.people["alice"], person="person_1")})
    for name in ("Person 1", "person 1", "person_1"):
        reply = ask(f"does {name} think the apple is in the fridge?", stranger)
        assert reply.p < 0.05 and "Person 1 " in reply.words and "person_1" not in reply.words
    with pytest.raises(QueryError, match="known: Person 1"):
        ask("does Alice think the apple is in the fridge?", stranger)


@pytest.mark.parametrize("text, message", [
    ("does Zoe think the apple is in the fridge?", "nobody called 'Zoe'"), ("does Alice think the piano is in the fridge?", "piano"),
    ("does Alice think the apple is in the submarine?", "submarine"), ("why?", "cannot read"), ("", "cannot read"),
    ("is Alice after world peace?", "world peace"), ("x" * 100_000, "cannot read")])
def test_what_cannot_be_answered_says_what_is_unknown(story, text, message):
    with pytest.raises(QueryError, match=message):
        ask(text, story.minds)


def test_a_class_word_means_any_of_its_places_and_a_hand_is_a_place(story):
    q = read_question("does Alice think the apple is in the kitchen cabinet", story.minds)
    assert q.asked is Asked.THINKS and q.places == ("kitchencabinet_1", "kitchencabinet_2")
    assert ask("does David think the apple is in David's hands?", at(story, 12)).p > 0.9


def test_the_log_is_bounded_and_knows_its_beginning(story):
    log = Log(limit=3)
    for minds in story.past:
        log = log.with_(minds)
    assert [m.stamp for m in log.minds] == [m.stamp for m in story.past[-3:]]
    assert log.at() is log.at(math.nan) is story.past[-1]
    with pytest.raises(QueryError, match="log begins at"):
        log.at(1.0)
    with pytest.raises(QueryError, match="nothing has been seen"):
        Log().at()
    with pytest.raises(ValueError, match="limit = 0"):
        Log(limit=0)
    assert len(log.with_(story.past[0]).minds) == 1, "a run that starts over starts a new log"


def test_hindsight_knows_better_what_she_came_for():
    w = moved_apple(0.0)
    marked = {n: t.marked() for n, t in w.state.people.items()}
    from dataclasses import replace

    w.state = replace(w.state, people=marked)
    comes_back(w, "kitchentable_1")
    then = {n: replace(t, trail=()) for n, t in w.state.people.items()}
    w.state = replace(w.state, people=then)
    searches_on(w)
    goals = in_hindsight(then["alice"], w.state.people["alice"])
    before = {g: p for g, p in zip(then["alice"].model.space.goals, then["alice"].state.posterior.goals())}
    apple = [g for g in before if "apple" in g.targets]
    assert sum(goals.get(g, 0) for g in apple) > sum(before[g] for g in apple)
    assert sum(goals.values()) == pytest.approx(1.0)
