"""Why somebody says where a thing is: P(what is said | own belief, aim), and what follows for the aim.

Asked for a thing that the listener wants, a speaker with belief b over n places

    helps:        names place l with probability            (1 − s) b(l) + s / n
    hinders:      names a place they think it is not at     (1 − s) (1 − b(l)) / (n − 1) + s / n
    neither:      often does not answer; else what they     (1 − silence) (h b(l) + (1 − h) / n)
                  think, by habit (h), or anything

and is silent with probability 1 − b(known), silence / 2 and silence (s: slips). Whether what they said was *true* plays no part but
through what they believed: a mistake is no lie.
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


def denies(believed: float, aim: Aim, config: SocialConfig = SocialConfig()) -> float:
    """P(saying "it is not there" | asked about that place, the speaker gives it probability ``believed``, aim)."""
    if aim is Aim.INDEPENDENT:
        return (1.0 - config.silence) * (config.honesty * (1.0 - believed) + (1.0 - config.honesty) / 2)
    meant = 1.0 - believed if aim is Aim.HELP else believed
    return (1.0 - config.slip) * meant + config.slip / 2


def aims_after_saying(prior: Mapping[Aim, float], credence: float, places: int, config: SocialConfig = SocialConfig(), *,
                      denied: bool = False) -> dict[Aim, float]:
    """P(aim | what was said), when the speaker is convinced of that place with probability ``credence`` and else of one of the others.

    ``credence`` must be spread over the places where the speaker's mind is not known (1 / n each): then the one place named and the
    many that could have been named as well weigh the same, and naming any place is no evidence of honesty. Sums to one.
    """
    tells = (lambda b, aim: denies(b, aim, config)) if denied else (lambda b, aim: says(b, aim, places, config))
    return normalised({a: prior[a] * (credence * tells(1.0, a) + (1.0 - credence) * tells(0.0, a)) for a in AIMS})
