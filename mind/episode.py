"""A finished (or paused) piece of somebody's behaviour as symbols, and the comparison of hypotheses about the mind behind it.

This is the door for descriptions: text, a fused text and video, a recorded run. The online stack enters through ``mind.step``;
both run the same filter (``mind.filter``). Invariant: what a person saw is worked out here from the visibility rule and the stated
contents of places; the caller never says what the person believes.

A hypothesis is a conjunction of predicates about one moment: the goal, and where the person *thinks* an object is. "Thinks o at p"
means that p is the place the person would act on first if they wanted o: for the object they want it is the place their behaviour is
directed at (known or guessed), for any other object it is drawn from their location belief. This is the b^t that eq. (2) of BIP-ALM
conditions the last act on; a person about to open the fridge for an apple thinks, at that moment, that it is in the fridge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from household.actions import Verb
from household.goals import Goal
from mind.config import MindConfig


class EpisodeError(ValueError):
    """An episode that cannot be: the message names the action or predicate, the value, and what is known."""


class Moment(str, Enum):
    """Which belief a predicate speaks about."""

    ACTING = "acting"  # the belief the last deliberate act (walk, open, pick, put) was chosen with, in hindsight of everything seen
    NOW = "now"  # after the last act's percept


@dataclass(frozen=True)
class WorldDescription:
    """A home as far as it is described. All names are ids chosen by the caller (``kitchencabinet_3``, ``kitchen``).

    ``rooms``: place → room, for every place that exists. ``openable``: places that hide their contents until opened.
    ``contents``: place (or room, for its floor) → object class → count, as it truly is at the start; a place with value None
    or absent has unknown contents; ``{}`` is known to be empty. ``open_at_start``: openable places that stand open.
    ``distances``: (place, place) → metres, where known; symmetric, missing pairs are taken as typical.
    ``adjacent``: pairs of rooms joined by a door; empty when unknown.
    """

    rooms: Mapping[str, str]
    openable: frozenset[str] = frozenset()
    contents: Mapping[str, Mapping[str, int] | None] = field(default_factory=dict)
    person: str = "person"
    start_room: str | None = None
    open_at_start: frozenset[str] = frozenset()
    distances: Mapping[tuple[str, str], float] = field(default_factory=dict)
    adjacent: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class SymbolicAction:
    """One act. ``target``: a place, room or object class. ``place``: where it was picked from / put to (None: where the person is).

    Verbs: WALK (to a room, arriving), WALKTOWARDS (a place, room or object class), OPEN, CLOSE, PICK, PUTIN / PUTON / PLACE, LOOKAT, SWITCHON,
    SWITCHOFF, WAIT, SAY, LEAVE. ``certainty`` in [0, 1]: that it happened as read. ``intended``: about to be done, not done (its percept
    has not come). ``arrived`` False: still on the way when the episode stops. ``nearby``: places and object classes in the open within
    about a metre of the person during this act, when a video tells.
    """

    verb: Verb
    target: str | None = None
    place: str | None = None
    certainty: float = 1.0
    intended: bool = False
    arrived: bool = True
    nearby: tuple[str, ...] = ()


@dataclass(frozen=True)
class Episode:
    world: WorldDescription
    actions: tuple[SymbolicAction, ...] = ()


@dataclass(frozen=True)
class Thinks:
    """The person thinks an object of class ``object`` is at ``place`` (``holds`` False: does not think it is there)."""

    object: str
    place: str
    holds: bool = True


@dataclass(frozen=True)
class GoalIs:
    """The person has this goal (``household.goals.get("apple")``), throughout."""

    goal: Goal


Predicate = Thinks | GoalIs
Hypothesis = frozenset[Predicate]


@dataclass(frozen=True)
class Contribution:
    """What one act said about the hypotheses. ``log_likelihood``: one value per hypothesis, nats, P(act | hypothesis' goal, past)."""

    index: int
    action: SymbolicAction
    log_likelihood: tuple[float, ...]


@dataclass(frozen=True)
class Posterior:
    """``p``: one probability per listed hypothesis, summing to one. ``log_joint``: log P(hypothesis, given, acts), nats, same order.

    ``log_evidence``: log P(acts | goals considered), lower is stranger. ``contributions``: act by act. ``notes``: what in the episode
    contradicted itself or the model (an object picked where it was not, …), in words; the result stands in spite of them.
    """

    p: tuple[float, ...]
    log_joint: tuple[float, ...]
    log_evidence: float
    contributions: tuple[Contribution, ...] = ()
    notes: tuple[str, ...] = ()


def evaluate(episode: Episode, hypotheses: Sequence[Hypothesis], given: Hypothesis = frozenset(),
             config: MindConfig = MindConfig(), *, at: int | None = None, moment: Moment = Moment.ACTING) -> Posterior:
    """P(hypothesis | acts, given) over the listed hypotheses, eq. (1)–(2).

    ``at``: number of acts after which the hypotheses are meant (None: all of them); later acts still count as hindsight.
    Goals considered: those named in the hypotheses and in ``given``; where a hypothesis names none, every class in the home.
    Raises EpisodeError for an unknown place, room or class in an act or predicate, or an empty list of hypotheses.
    """
    from mind.compare import compare_hypotheses

    return compare_hypotheses(episode, tuple(hypotheses), given, config, at=at, moment=moment)


def compare(episode: Episode, hypothesis_a: Hypothesis, hypothesis_b: Hypothesis, given: Hypothesis = frozenset(),
            config: MindConfig = MindConfig()) -> tuple[float, float]:
    """(P(a), P(b)), summing to one: :func:`evaluate` for the two-way case."""
    p = evaluate(episode, (hypothesis_a, hypothesis_b), given, config).p
    return p[0], p[1]
