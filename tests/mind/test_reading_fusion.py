"""Read and seen, joined: agreement strengthens, disagreement is decided by reliability and reported."""

import pytest
from hypothesis import given, strategies as st

from household.scene_graph import Relation, RelationKind as K
from mind.fusion import FusionConfig, Sense, Statement, at_last, fuse, joined, proximity
from mind.reading import read_conduct, read_home

HOME = read_home("The kitchen has a fridge and a stove. The living room has a sofa. The fridge contains an apple. A plate is on the sofa.")


def said(subject, kind, obj, sense, confidence=1.0, holds=True):
    return Statement(Relation(subject, kind, obj, confidence), sense, holds)


def places(fused):
    return {(r.subject, r.object) for r in fused.relations if r.kind in (K.INSIDE, K.ON)}


def test_text_is_kept_before_vision_and_the_conflict_is_told():
    fused = joined(HOME, [Relation("apple_7", K.INSIDE, "stove_3", 0.99), Relation("mug_1", K.ON, "sofa_1", 0.8)])
    assert places(fused) == {("apple_1", "fridge_1"), ("plate_1", "sofa_1"), ("mug_1", "sofa_1")}
    assert [(c.kept, c.dropped) for c in fused.conflicts] == [("text: apple_1 inside fridge_1", "vision: apple_1 inside stove_1")]


def test_reliabilities_decide():
    fused = joined(HOME, [Relation("apple_7", K.INSIDE, "stove_3", 0.99)], FusionConfig(text=0.5, vision=0.9))
    assert ("apple_1", "stove_1") in places(fused) and ("apple_1", "fridge_1") not in places(fused)
    assert fused.conflicts[0].kept.startswith("vision")


def test_two_senses_that_agree_are_surer_than_one():
    relation = ("apple_1", K.INSIDE, "fridge_1")
    alone = fuse([said(*relation, Sense.VISION, 0.8)])
    both = fuse([said(*relation, Sense.VISION, 0.8), said(*relation, Sense.TEXT, 0.8)])
    twice = fuse([said(*relation, Sense.VISION, 0.8), said(*relation, Sense.VISION, 0.8)])
    (a,), (b,), (c,) = alone.relations, both.relations, twice.relations
    assert b.confidence > a.confidence == c.confidence


def test_denied_by_text_seen_by_camera():
    fused = fuse([said("apple_1", K.INSIDE, "fridge_1", Sense.TEXT, holds=False), said("apple_1", K.INSIDE, "fridge_1", Sense.VISION)])
    assert not fused.relations and len(fused.conflicts) == 1


@pytest.mark.parametrize("value", [0, -1, 1.5])
def test_a_reliability_is_a_probability(value):
    with pytest.raises(ValueError, match=r"vision = .* \(0, 1\]"):
        FusionConfig(vision=value)


@st.composite
def statements(draw):
    n = draw(st.integers(1, 12))
    return [said(draw(st.sampled_from(["apple_1", "plate_1", "mug_1"])), draw(st.sampled_from([K.INSIDE, K.ON, K.CLOSE])),
                 draw(st.sampled_from(["fridge_1", "sofa_1", "stove_1"])), draw(st.sampled_from(list(Sense))),
                 draw(st.sampled_from([0.5, 0.7, 0.9])), draw(st.booleans())) for _ in range(n)]


@given(statements(), st.randoms(use_true_random=False))
def test_order_does_not_matter_and_nothing_kept_excludes_another(some, rng):
    shuffled = list(some)
    rng.shuffle(shuffled)
    a, b = fuse(some), fuse(shuffled)
    assert a.relations == b.relations
    where = [r.subject for r in a.relations if r.kind in (K.INSIDE, K.ON)]
    assert len(where) == len(set(where))
    kept = {(r.subject, r.kind, r.object) for r in a.relations}
    positive = {(s.relation.subject, s.relation.kind, s.relation.object) for s in some if s.holds}
    assert kept <= positive
    assert len(positive - kept) <= len(a.conflicts)  # whatever was dropped is reported


def test_proximity_of_the_last_step():
    conduct = read_conduct("Tom is in the living room. He walks to the kitchen and approaches the stove.", HOME, "Tom")
    stream = proximity([[], ["sofa", "plate"], ["stove", "refrigerator", "chandelier"]], HOME)
    nearby, conflicts = at_last(stream, conduct.actions, HOME)
    assert nearby == {1 + len(conduct.actions) - 2: ("fridge_1", "stove_1")} and conflicts == ()


def test_a_video_of_another_room_is_a_conflict():
    conduct = read_conduct("Tom is in the kitchen. He approaches the stove.", HOME, "Tom")
    nearby, conflicts = at_last(proximity([["sofa"]], HOME), conduct.actions, HOME)
    assert nearby == {} and "stove_1" in conflicts[0].kept and "sofa_1" in conflicts[0].dropped
