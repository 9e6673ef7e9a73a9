"""One question → probabilities: read it, build the episode, weigh the hypotheses. No benchmark knowledge beyond the headings.

The condition and the ablations only change what the engine is given: how many acts, which visibility, whether the video's proximity.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from evaluation.mmtom_items import Item
from household.actions import Verb
from mind.config import MindConfig
from mind.episode import Episode, EpisodeError, Moment, Thinks, evaluate
from mind.fusion import Conflict, at_last, proximity
from mind.reading import ConductReading, HomeReading, ReadAction, read_conduct, read_home, read_statement
from mind.reading.episodes import episode_of, predicate_of
from mind.reading.types import ProblemKind


class Ablation(str, Enum):
    NONE = "none"
    LAST_ACT = "last act only"  # the person's past is not used
    NO_VISIBILITY = "no visibility"  # the person is taken to see nothing on the way
    PRIOR = "prior only"  # no act at all


@dataclass(frozen=True)
class Read:
    """One item as read. ``given``, ``options``: predicates of the engine. ``problems``: everything the reader could not place.

    A question that asks when somebody came to believe something has acts for options: ``moments``.
    """

    item: Item
    home: HomeReading
    conduct: ConductReading
    given: frozenset
    options: Mapping[str, frozenset]
    moments: Mapping[str, int] = field(default_factory=dict)  # "when …?": option → number of acts done by then
    problems: tuple[str, ...] = ()
    failed: str = ""


@dataclass(frozen=True)
class Solved:
    """``p``: option letter → probability, sums to one. ``failed``: why it is only a guess, or ''."""

    p: Mapping[str, float]
    failed: str = ""
    notes: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def read(item: Item) -> Read:
    """Never raises: what cannot be read is in ``problems``; what makes the item unusable in ``failed``."""
    empty = Read(item, HomeReading(), ConductReading(item.actor), frozenset(), {}, failed=item.problem)
    if item.problem:
        return empty
    home = read_home(item.home)
    problems = [f"home: {p}" for p in home.problems]
    fatal = next((p for p in home.problems if p.kind in (ProblemKind.TOO_LONG, ProblemKind.EMPTY)), None)
    if fatal:
        return replace(empty, home=home, problems=tuple(problems), failed=f"home: {fatal}")
    conduct = read_conduct(item.conduct, home, item.actor)
    problems += [f"actions: {p}" for p in conduct.problems]
    fatal = next((p for p in conduct.problems if p.kind is ProblemKind.TOO_LONG), None)
    failed = f"actions: {fatal}" if fatal else ""
    if not conduct.actions and not conduct.start_room:
        failed = failed or "no act and no position of the person could be read"
    room = next((home.places.get(a.target or "", a.target if a.target in home.rooms else None) for a in reversed(conduct.actions)
                 if a.target in home.places or a.target in home.rooms), conduct.start_room)
    given, wrong = _predicates(item.given, home, item.actor, room, "question")
    problems += wrong
    failed = failed or (wrong[0] if wrong else "")
    if not failed and re.match(r"\s*when\b", item.given, re.I):
        return _read_when(Read(item, home, conduct, given, {}, {}, tuple(problems)))
    options = {}
    for letter, text in (item.options or {}).items():
        options[letter], wrong = _predicates(text, home, item.actor, room, f"option {letter}")
        problems += wrong
        if not options[letter]:
            failed = failed or (wrong[0] if wrong else f"option {letter} says nothing about a belief or a goal: “{text[:100]}”")
    return Read(item, home, conduct, given, options, problems=tuple(problems), failed=failed)


def _read_when(found: Read) -> Read:
    """The options are acts that were told: each becomes the number of acts done when it was over."""
    done = [(a.verb, a.target) for a in found.conduct.actions if not a.about_to]
    moments, options, failed = {}, {}, "" if any(isinstance(p, Thinks) for p in found.given) else "“when” asks about no belief I can read"
    for letter, text in (found.item.options or {}).items():
        acts = [(a.verb, a.target) for a in read_conduct(text, found.home, found.item.actor).actions]
        if len(acts) != 1 or acts[0] not in done:
            failed = failed or f"option {letter} is no single act that was told: “{text[:100]}”"
            continue
        moments[letter], options[letter] = done.index(acts[0]) + 1, found.given
    return replace(found, moments=moments, options=options, failed=failed)


def _solve_when(found: Read, episode: Episode, config: MindConfig) -> Mapping[str, float]:
    """How much each act raised the probability of the belief; shares of the rises."""
    belief = next(p for p in found.given if isinstance(p, Thinks))
    pair = (frozenset({belief}), frozenset({replace(belief, holds=not belief.holds)}))

    def held(acts: int) -> float:
        if acts == 0:
            return 0.0
        return evaluate(replace(episode, actions=episode.actions[:acts]), pair, config=config, moment=Moment.NOW).p[0]

    rises = {letter: max(0.0, held(n) - held(n - 1)) + 1e-3 for letter, n in found.moments.items()}
    return {letter: rise / sum(rises.values()) for letter, rise in rises.items()}


def _predicates(text: str, home: HomeReading, actor: str, room: str | None, where: str) -> tuple[frozenset, list[str]]:
    statements, problems = read_statement(text, home, (actor,), room)
    wrong = [f"{where}: {p}" for p in problems]
    out = set()
    for s in statements:
        try:
            out.add(predicate_of(s))
        except ValueError as error:
            wrong.append(f"{where}: {error}")
    return frozenset(out), wrong


def solve(found: Read, config: MindConfig, near: Sequence[Sequence[str]] | None = None, ablation: Ablation = Ablation.NONE) -> Solved:
    """Probabilities of the options. ``near``: per video step, the class names within a metre of the person. Never raises on content."""
    letters = list(found.options) or list(found.item.options or ())
    letters = letters if len(letters) > 1 else ["a", "b"]
    uniform = {letter: 1 / len(letters) for letter in letters}
    if found.failed:
        return Solved(uniform, found.failed)
    conduct, conflicts, nearby = found.conduct, (), {}
    if near is not None and conduct.actions:
        stream = proximity(near, found.home)
        nearby, conflicts = at_last(stream, conduct.actions, found.home)
    try:
        episode = _ablated(episode_of(found.home, conduct, nearby), ablation)
        if found.moments:
            return Solved(_solve_when(found, episode, config), conflicts=conflicts)
        result = evaluate(episode, tuple(found.options[k] for k in letters), found.given, config)
    except EpisodeError as error:
        return Solved(uniform, str(error), conflicts=conflicts)
    return Solved(dict(zip(letters, result.p)), notes=result.notes, conflicts=conflicts)


def _ablated(episode: Episode, ablation: Ablation) -> Episode:
    if ablation is Ablation.PRIOR:
        return replace(episode, actions=())
    if ablation is Ablation.LAST_ACT:
        return replace(episode, actions=episode.actions[-1:])
    if ablation is Ablation.NO_VISIBILITY:
        return replace(episode, world=replace(episode.world, contents={}))
    return episode


def drop_visits(actions: Sequence[ReadAction], share: float, rng: random.Random) -> tuple[ReadAction, ...]:
    """Forget this share (rounded) of the earlier visits to places: the walk to it, its opening and closing; the last visit stays."""
    visits: list[list[int]] = []
    for k, a in enumerate(actions):
        if a.verb is Verb.WALKTOWARDS and "_" not in (a.target or ""):
            continue
        if visits and actions[visits[-1][-1]].target == a.target and visits[-1][-1] == k - 1:
            visits[-1].append(k)
        elif a.target is not None:
            visits.append([k])
    gone = {k for v in rng.sample(visits[:-1], round(share * (len(visits) - 1))) for k in v} if len(visits) > 1 else set()
    return tuple(a for k, a in enumerate(actions) if k not in gone)
