"""Whatever perception reports, in whatever order: the online mind goes on, and what it publishes stays a set of distributions."""

from __future__ import annotations

import math
from dataclasses import replace

from hypothesis import given, settings, strategies as st

from household.actions import HumanAction, Verb
from household.speech import ActKind, SpeechAct
from mind.words import Heard
from tests.mind.kitchen_story import Watch, graph

IDS = ["alice", "david", "robot", "kitchen", "livingroom", "fridge_1", "kitchentable_1", "kitchencabinet_1", "sofa_1", "apple_1", "mug_1", "book_1",
       "elsewhere", "ghost_9", "", "something_unseen", None]
NAMES = st.sampled_from(IDS)
PROBABILITY = st.sampled_from([0.0, 0.3, 0.9, 1.0, 1.5, -1.0, math.nan])
EVENTS = st.builds(HumanAction, st.sampled_from(["alice", "david", "robot", "nobody"]), st.sampled_from(list(Verb)), NAMES, NAMES, NAMES,
                   st.floats(0, 50), st.none() | st.floats(0, 50), PROBABILITY, st.dictionaries(st.sampled_from(["alice", "david", "nobody"]), PROBABILITY))
ACTS = st.builds(SpeechAct, st.sampled_from(list(ActKind)), st.sampled_from(["alice", "david", "robot"]), st.just("words"),
                 NAMES.map(lambda n: n or None) | st.just("apple") | st.just("piano"), NAMES.map(lambda n: n or None) | st.just("kitchencabinet"),
                 st.none(), st.floats(0, 1), st.booleans())
HEARD = st.builds(Heard, ACTS, st.floats(0, 50), st.none() | st.just(("alice", "robot")) | st.just(()))
SCENES = st.tuples(st.sampled_from(["alice", "david", "fridge_1", "kitchentable_1", "sofa_1", "cabinet_1"]), st.sampled_from(["kitchen", "livingroom"]),
                   st.sampled_from(["kitchen", "livingroom"]), st.sampled_from([(), ("alice",), ("alice", "david")]),
                   st.sampled_from([(), ("fridge_1",), ("kitchencabinet_1", "cabinet_1")]), st.booleans())

RENAMED = st.dictionaries(st.sampled_from([i for i in IDS if i is not None]), st.sampled_from([i for i in IDS if i is not None]), max_size=2)


@given(st.lists(st.tuples(SCENES, st.lists(EVENTS, max_size=4), st.lists(HEARD, max_size=2), RENAMED), min_size=1, max_size=7))
@settings(max_examples=60, deadline=None)
def test_nothing_that_perception_says_breaks_the_mind(steps):
    w = Watch()
    for n, ((apple, alice, david, looking, opened, lost), events, heard, renamed) in enumerate(steps):
        scene = replace(graph(1.0 + 2 * n, apple, {"alice": alice, "david": david}, looking, opened, lost=lost), renamed=renamed)
        minds = w.see(scene, *events, acts=tuple(heard))
        assert set(minds.people) == {"alice", "david"}
        for mind in minds.people.values():
            rows = [*mind.beliefs.values(), {str(g): p for g, p in mind.goals}]
            assert all(abs(sum(r.values()) - 1) < 1e-5 and min(r.values()) >= -1e-9 for r in rows)
            assert all(0 <= f.probability <= 1 and f.believed != f.actual for f in mind.false_beliefs)
            assert 0 <= mind.searching <= 1 + 1e-9
        assert all(abs(sum(r.values()) - 1) < 1e-5 for r in minds.robot.values())
