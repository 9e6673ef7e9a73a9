"""The reader's words: every household class can be read, no phrase means two things, and nothing in the mind knows a benchmark."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from household import classes
from household.classes import Kind
from mind.reading import read_conduct, read_home, read_statement
from mind.reading.lexicon import corrected, phrases, vocabulary
from mind.reading.nouns import FAMILIES, nouns
from mind.reading.terms import Tag

ROOT = Path(__file__).resolve().parents[2]
OBJECTS = [c for c in classes.of_kind(Kind.OBJECT)]
PLACES = [c for c in classes.of_kind(Kind.CONTAINER, Kind.SURFACE)]


def test_no_noun_means_two_things():
    meant: dict[str, set] = {}
    for phrase, entry in nouns():
        meant.setdefault(phrase, set()).add(entry.value)
    assert {p: v for p, v in meant.items() if len(v) > 1} == {}


@pytest.mark.parametrize("cls", OBJECTS)
def test_every_object_is_read(cls):
    words = "pair of glasses" if cls == "glasses" else classes.get(cls).spoken
    home = read_home(f"The kitchen has a fridge. There is a {words} in the fridge.")
    assert dict(home.contents()["fridge_1"]) == {cls: 1} and home.problems == ()


@pytest.mark.parametrize("cls", PLACES)
def test_every_place_is_read(cls):
    row = classes.get(cls)
    home = read_home(f"In the kitchen there is a {row.spoken}. A mug is {'inside' if row.opens else 'on'} the {row.spoken}.")
    place = next(iter(home.contents()))
    expected = {c for members in FAMILIES.values() if cls in members for c in members} | {cls}
    assert classes.class_of(place) in expected and home.problems == ()


def test_phrases_are_tried_longest_first():
    for rows in phrases().values():
        lengths = [len(key) for key, _ in rows]
        assert lengths == sorted(lengths, reverse=True)


def test_known_words_are_never_corrected():
    assert all(corrected(w) == w for w in vocabulary())
    assert corrected("microwve") == "microwave" and corrected("zzzzzz") == "zzzzzz"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_survived(text):
    home = read_home(text)
    read_conduct(text, home, "Ann")
    read_statement(text, home, ("Ann",))


_PIECES = st.lists(st.sampled_from(["the", "a", "two", "third", "fridge", "cabinets", "kitchen", "apple", "and", ",", ".", "is", "in", "contains", "opens",
                                    "it", "each", "respectively", "with", "which", "empty", "other", "one", "Ann", "not", "does the same"]), max_size=40)


@settings(max_examples=150, deadline=None)
@given(_PIECES)
def test_any_jumble_of_known_words_is_survived_and_spans_lie_in_the_text(pieces):
    text = " ".join(pieces)
    home = read_home(text)
    conduct = read_conduct(text, home, "Ann")
    for thing in (*home.predicates, *home.problems, *conduct.actions, *conduct.problems):
        assert 0 <= thing.span.start <= thing.span.end <= len(text)
    assert all(a.target in home.places or a.target in home.rooms or a.target in classes.CLASSES for a in conduct.actions)


def test_the_mind_and_the_planner_know_no_benchmark():
    words = re.compile(r"mmtom|muma.?tom|\btomi\b|hi.?tom|egotom|question_type|answer_list", re.I)
    hits = [f"{f.relative_to(ROOT)}: {m[0]}" for folder in ("mind", "planner") for f in sorted((ROOT / folder).rglob("*.py"))
            for m in words.finditer(f.read_text(encoding="utf-8"))]
    assert hits == []


def test_tags_are_distinct():
    assert len({t.value for t in Tag}) == len(Tag)
