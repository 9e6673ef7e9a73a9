"""Why somebody says where a thing is: P(what is said | own belief, aim), and what follows for the aim.

Asked for a thing that the listener wants, a speaker with belief b over n places

    helps:        names place l with probability            (1 − s) b(l) + s / n
    hinders:      names a place they think it is not at     (1 − s) (1 − b(l)) / (n − 1) + s / n
    neither:      often does not answer; else what they     (1 − silence) (h b(l) + (1 − h) / n)
                  think, by habit (h), or anything

and is silent with probability 1 − b(known), silence / 2 and silence (s: slips). Whether what they said was *true* plays no part but through what they believed: a mistake is no lie.
"""

from __future__ import annotations

from collections.abc import Mapping

from mind.social.aims import AIMS, Aim, SocialConfig, normalised


def says(believed: float, aim: Aim, places: int, config: SocialConfig = SocialConfig()) -> float:
    """P(naming a certain place | the speaker gives that place probability ``believed``, aim), over ``places`` places (at least 2)."""
    n = max(2, places)
    if aim is Aim.INDEPENDENT:
        return (1.0 - config.silence) * (config.honesty * believed + (1.0 - config.honesty) / n)
    meant = believed if aim is Aim.HELP else (1.0 - believed) / (n - 1)
    return (1.0 - config.slip) * meant + config.slip / n


def keeps_silent(knows: float, aim: Aim, config: SocialConfig = SocialConfig()) -> float:
    """P(no answer | the speaker knows where the thing is with probability ``knows``, aim)."""
    if aim is Aim.HELP:
        return (1.0 - config.slip) * (1.0 - knows) + config.slip
    return config.silence if aim is Aim.INDEPENDENT else config.silence / 2


def aims_after_silence(prior: Mapping[Aim, float], knows: float, config: SocialConfig = SocialConfig()) -> dict[Aim, float]:
    """P(aim | asked, and no answer came); sums to one."""
    return normalised({aim: prior[aim] * keeps_silent(knows, aim, config) for aim in AIMS})


def aims_given_belief(believed: float, prior: Mapping[Aim, float], places: int, config: SocialConfig = SocialConfig()) -> dict[Aim, float]:
    """P(aim | what was said, the speaker gave it probability ``believed``); sums to one."""
    return normalised({aim: prior[aim] * says(believed, aim, places, config) for aim in AIMS})


def aims_after_saying(prior: Mapping[Aim, float], knows_it_there: float, places: int,
                      config: SocialConfig = SocialConfig(), *, denied: bool = False) -> dict[Aim, float]:
    """P(aim | what was said), when the speaker thinks that the thing is there with probability ``knows_it_there`` and otherwise thinks
    that it is at one of the other places.

    The sum over what the speaker may believe is taken with weights that already hold all evidence for it, and the aims are normalised
    within each belief: Σ_b P(b) P(aim | said, b). A sum of unnormalised likelihoods would count the many places one can lie with as
    evidence for honesty. ``denied``: they said that it is not there.
    """
    there = aims_given_belief(1.0, prior, places, config)
    not_there = aims_given_belief(0.0, prior, places, config)
    if denied:
        there, not_there = not_there, there
    return {aim: knows_it_there * there[aim] + (1.0 - knows_it_there) * not_there[aim] for aim in AIMS}


def belief_after_saying(credence: float, prior: Mapping[Aim, float], places: int, config: SocialConfig = SocialConfig()) -> float:
    """P(the speaker thinks it is there | they said so), from ``credence``, its probability before they spoke.

    Speaking is evidence about the speaker's mind too: who is mostly honest and says "the fridge" most likely thinks so.
    """
    there = sum(prior[a] * says(1.0, a, places, config) for a in AIMS)
    not_there = sum(prior[a] * says(0.0, a, places, config) for a in AIMS)
    total = credence * there + (1.0 - credence) * not_there
    return credence * there / total if total > 0.0 else credence
