"""The model of speakers and actors: what follows from what was said and done for what is meant by it."""

import pytest
from hypothesis import given, strategies as st

from household.goals import Goal, GoalKind, get
from mind.social.actor import OUTCOMES, aims_after_doing, does, progress_for
from mind.social.aims import AIMS, UNIFORM, Aim, SocialConfig, normalised
from mind.social.speaker import aims_after_saying, aims_given_belief, says

CONFIG = SocialConfig()


@given(st.integers(2, 60))
def test_a_speaker_with_an_aim_names_some_place(n):
    for aim in (Aim.HELP, Aim.HINDER):
        assert says(1.0, aim, n) + (n - 1) * says(0.0, aim, n) == pytest.approx(1.0)  # knows the place: it, or one of the others
    indifferent = says(1.0, Aim.INDEPENDENT, n) + (n - 1) * says(0.0, Aim.INDEPENDENT, n)
    assert indifferent == pytest.approx(1.0 - CONFIG.silence)  # and may also say nothing


@given(st.floats(0, 1), st.integers(2, 60))
def test_aims_sum_to_one(knows, n):
    for aims in (aims_after_saying(UNIFORM, knows, n), aims_after_saying(UNIFORM, knows, n, denied=True), aims_given_belief(knows, UNIFORM, n)):
        assert sum(aims.values()) == pytest.approx(1.0)


def test_truth_told_is_help_and_a_lie_is_not():
    true, lie = aims_given_belief(1.0, UNIFORM, 10), aims_given_belief(0.0, UNIFORM, 10)
    assert true[Aim.HELP] > 0.6 > true[Aim.INDEPENDENT] > 0.2 > true[Aim.HINDER]
    assert lie[Aim.HINDER] > 0.8 > lie[Aim.INDEPENDENT] > lie[Aim.HELP]


@pytest.mark.parametrize("n", [3, 10, 50])
def test_naming_a_place_is_no_evidence_when_the_speakers_mind_is_not_known(n):
    """Many places to lie with must not count for honesty, nor the one that was named against it."""
    aims = aims_after_saying(CONFIG.prior(), 1.0 / n, n)
    assert aims[Aim.HELP] / aims[Aim.HINDER] == pytest.approx(CONFIG.help_prior / CONFIG.hinder_prior, rel=0.1)


def test_a_mistake_is_no_lie():
    """What was said is false, but the speaker believed it: they helped."""
    aims = aims_after_saying(CONFIG.prior(), 0.97, 12)
    assert aims[Aim.HELP] > CONFIG.help_prior > CONFIG.hinder_prior > aims[Aim.HINDER]


def test_denying_what_one_knows_is_hindering():
    assert aims_after_saying(UNIFORM, 0.97, 8, denied=True)[Aim.HINDER] > 0.6
    assert aims_after_saying(UNIFORM, 0.03, 8, denied=True)[Aim.HELP] > 0.6


def test_acts_are_a_distribution_over_outcomes():
    for aim in AIMS:
        assert sum(does(o, aim) for o in OUTCOMES) == pytest.approx(1.0)
    assert does(1, Aim.HELP) > does(0, Aim.HELP) > does(-1, Aim.HELP) and does(-1, Aim.HINDER) > does(1, Aim.HINDER)
    assert does(0, Aim.INDEPENDENT) > 0.8


def test_undoing_what_the_other_wants_is_hindering_only_if_they_are_taken_to_want_it():
    prior = CONFIG.prior()
    sure = aims_after_doing(prior, [(-1.0, 0.95)])
    unsure = aims_after_doing(prior, [(-1.0, 0.05)])
    assert sure[Aim.HINDER] > 3 * prior[Aim.HINDER] > unsure[Aim.HINDER]
    assert aims_after_doing(prior, [(1.0, 0.95)])[Aim.HELP] > prior[Aim.HELP]


@pytest.mark.parametrize("goal, before, after, expected", [
    (Goal(GoalKind.PUT, ("book",), "desk_1"), "sofa_1", "desk_1", 1.0), (Goal(GoalKind.PUT, ("book",), "desk_1"), "desk_1", "sofa_1", -1.0),
    (Goal(GoalKind.PUT, ("book",), "desk_1"), "sofa_1", "bed_1", 0.0), (get("book"), "desk_1", "ann", 1.0), (get("book"), "ann", "desk_1", -1.0),
    (get("book"), "sofa_1", "box_1", -1.0), (get("book"), "bed_1", "sofa_1", 1.0), (get("mug"), "sofa_1", "box_1", 0.0)])
def test_progress(goal, before, after, expected):
    """Ann expects the book on the sofa."""
    assert progress_for(goal, "book_1", before, after, "ann", lambda place: 0.9 if place == "sofa_1" else 0.0) == expected


def test_what_happens_before_their_eyes_does_not_mislead_them():
    assert progress_for(get("book"), "book_1", "sofa_1", "box_1", "ann", lambda p: float(p == "sofa_1"), sees=True) == 0.0


def test_parameters_are_checked_and_named():
    with pytest.raises(ValueError, match="slip = 0.9.*allowed|slip = 0.9: must be a number in"):
        SocialConfig(slip=0.9)
    with pytest.raises(ValueError, match="help_prior \\+ hinder_prior"):
        SocialConfig(help_prior=0.7, hinder_prior=0.6)
    with pytest.raises(ValueError, match="no aim is left"):
        normalised({aim: 0.0 for aim in AIMS})
