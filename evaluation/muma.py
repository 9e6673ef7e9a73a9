"""MuMA-ToM answered by the mind's model of speakers and actors.

Each option is a hypothesis about a mind; the model says how likely what was said or done is under it. What was *true* is not in the
conversation: it comes from ``visual_data`` (:mod:`evaluation.visual_data_source`), and the answer is the expectation over it,
Σ P(state | video) · P(option | said, state). Invariant (tested): nothing of ``description`` outside its quotation marks is used.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation import choice_report as scoring
from evaluation.cli import UsageError
from evaluation.muma_read import Claim, Hypothesis, Kind, Question, Wording, actor_of, claim_in, claim_in_questions, conversation, last_destination, read_question, split_options
from evaluation.visual_data import Video, read_episode
from evaluation.visual_data_source import Known, SourceModel, fit, grouped_folds, known, where_it_was
from household import classes
from mind.social.actor import OUTCOMES, does
from mind.social.aims import UNIFORM, Aim
from mind.social.speaker import aims_given_belief, says

SHARPNESS = 3.0
OPTIONS = 3  # of a question
PLACES = 10  # places a thing could be at in a home of this kind, for what a liar may choose from
# Fitted on the development half's 73 conversations (``heed eval muma --cross-validate`` prints what they are worth on held-out ones).
FITTED = SourceModel((1.237, -0.8482, 2.2272, 2.6966, 0.6337, 1.3617, -0.2492))


@dataclass(frozen=True)
class Episode:
    """``name`` identifies it in the report only. ``quotes`` is empty where nobody speaks."""

    name: str
    quotes: tuple[str, ...]
    actions: str
    questions: Mapping[str, str]
    answers: Mapping[str, str]
    labels: Mapping[str, str]
    problem: str = ""


def read_file(path: str | Path) -> list[Episode]:
    """Raises UsageError when the file holds no question at all; an episode without questions is kept with its reason."""
    content = scoring.read_json(path)
    if isinstance(content, list):
        content = {str(row.get("episode", k)) if isinstance(row, dict) else str(k): row for k, row in enumerate(content)}
    if not isinstance(content, dict) or not any(isinstance(row, dict) and row.get("questions") for row in content.values()):
        raise UsageError(f"'{path}': wanted {{episode: {{\"description\", \"questions\": {{number: text}}, ...}}}}")
    return [_episode(str(name), row) for name, row in content.items()]


def _episode(name: str, row: object) -> Episode:
    if not isinstance(row, dict) or not _numbered(row.get("questions")):
        return Episode(name, (), "", {}, {}, {}, "needs the key 'questions' (an object of numbered questions)")
    quotes = tuple(conversation(str(row.get("description") or "")))
    return Episode(name, quotes, "" if quotes else str(row.get("filtered_description") or ""), _numbered(row["questions"]),
                   {k: v.strip() for k, v in _numbered(row.get("answers")).items()}, _numbered(row.get("labels")))


def _numbered(value: object) -> dict[str, str]:
    """An object of texts, or a list of them counted from 1."""
    if isinstance(value, list):
        value = {str(k): v for k, v in enumerate(value, 1)}
    return {str(k): str(v) for k, v in value.items() if v is not None} if isinstance(value, dict) else {}


def expected(option_given_state: Mapping[bool, np.ndarray], true: float) -> np.ndarray:
    """Σ over whether the claim is true; (n,), sums to one."""
    return true * option_given_state[True] + (1.0 - true) * option_given_state[False]


def _shares(weights: Sequence[float], least: bool) -> np.ndarray:
    """Weights as probabilities of being the option asked for, the likeliest or (odds turned over) the least likely. One option is the answer,
    however little it leads: hence the sharpening."""
    w = np.array(weights, dtype=float) ** (-SHARPNESS if least else SHARPNESS)
    return w / w.sum()


def social_goal(question: Question, true: float) -> np.ndarray:
    """P(option | what was said), ``true`` = P(the thing was where the speaker said); the speaker knows what is there."""
    given = {state: aims_given_belief(float(state), UNIFORM, PLACES) for state in (True, False)}
    return expected({state: _shares([given[state][h.aim] for h in question.hypotheses], question.least) for state in given}, true)


def belief(question: Question, claim: Claim) -> np.ndarray:
    """P(option | what was said, the aim the question gives)."""
    def weight(h: Hypothesis) -> float:
        if h.thing == claim.thing:
            return says(float(h.place == claim.place), question.given, PLACES)
        return says(1.0 / PLACES, question.given, PLACES) * 0.9  # a belief about something else, which leaves this one open
    return _shares([weight(h) for h in question.hypotheses], question.least)


def belief_of_goal(question: Question, destination: str | None) -> np.ndarray:
    """P(option | the thing was moved on to ``destination``): what the mover thought the other wants, and what for."""
    def weight(h: Hypothesis) -> float:
        if h.unaware:
            return 1.0 / len(OUTCOMES)  # the other's goal not being known, the act may come out any way for it
        progress = -1.0 if h.wanted is None else 1.0 if destination in (None, h.wanted) else 0.0
        return does(progress, h.aim)
    return _shares([weight(h) for h in question.hypotheses], question.least)


def _destination(question: Question, episode: Episode) -> str | None:
    """Where the mover took the thing: the options say so, or the text does when it tells of the mover."""
    named = [h.moved_to for h in question.hypotheses if h.moved_to]
    wanted = [h.wanted for h in question.hypotheses if h.wanted]
    if episode.actions and question.mover and actor_of(episode.actions, [question.mover]) == question.mover:
        told = last_destination(episode.actions)
        if told in {*named, *wanted}:
            return told
    both = [*named, *wanted]
    return max(both, key=both.count) if both else None


@dataclass
class _Read:
    """One question, read once: what scoring with several visual hypotheses needs."""

    key: dict[str, object]
    options: tuple[str, ...]
    truth: str | None
    group: str | None
    question: Question | None = None
    claim: Claim | None = None
    destination: str | None = None
    why: str = ""


def _read(episode: Episode) -> list[_Read]:
    out, claim, problem = [], None, ""
    if episode.problem:
        return [_Read({"episode": episode.name, "question": None}, (), None, None, why=episode.problem)]
    try:
        claim = claim_in(list(episode.quotes))
    except Wording as why:
        problem, claim = str(why), claim_in_questions(episode.questions.values())
    for key, text in episode.questions.items():
        _, options = split_options(text)
        row = _Read({"episode": episode.name, "question": key}, tuple(line for _, _, line in options), _matching(episode.answers.get(key), options),
                    episode.labels.get(key))
        try:
            row.question = read_question(text)
            row.group = row.group or row.question.kind.value
            if row.question.kind is Kind.BELIEF_OF_GOAL:
                row.destination = _destination(row.question, episode)
            elif claim is None:
                raise Wording(problem)
            row.claim = claim
        except Wording as why:
            row.why = str(why)
        out.append(row)
    return out


def _matching(answer: str | None, options: Sequence[tuple[str, str, str]]) -> str | None:
    """The option an answer stands for: as it stands, its letter, or what it says."""
    if not answer:
        return None
    said = " ".join(answer.split())
    letter = re.fullmatch(r"\(?([A-Ha-h])[).:]?", said)
    for name, body, line in options:
        if said in (" ".join(line.split()), body) or (letter and letter[1].upper() == name) or re.sub(r"^\(?[A-Ha-h][).:]\s*", "", said) == body:
            return line
    return answer


def _answer(row: _Read, true: float) -> scoring.Answered:
    if row.question is None or row.why:
        return scoring.guess(row.key, row.options, row.truth, row.group, row.why, OPTIONS)
    kind = row.question.kind
    p = social_goal(row.question, true) if kind is Kind.SOCIAL_GOAL else belief(row.question, row.claim) if kind is Kind.BELIEF else \
        belief_of_goal(row.question, row.destination)
    return scoring.Answered(row.key, dict(zip(row.options, p.tolist())), row.truth, row.group)


def _videos(talking: Sequence[str], visual: str | Path | None, swap: int | None, wrong: list[str]) -> dict[str, Video]:
    """Each conversation's video; with ``swap`` every conversation gets another one's (a control: no evidence left). ``wrong``: what of the
    files could not be read is added."""
    videos = {name: read_episode(visual, name, wrong) if visual else Video(()) for name in talking}
    if swap is None:
        return videos
    order = np.random.default_rng(swap).permutation(len(talking))
    return {talking[order[i]]: videos[talking[order[(i + 1) % len(order)]]] for i in range(len(order))}


def evaluate(episodes: Sequence[Episode], visual: str | Path | None = None, *, swap: int | None = None, model: SourceModel = FITTED,
             models: Mapping[str, SourceModel] | None = None) -> dict:
    """The report. ``models``: episode → weights fitted without it (cross-validation); else ``model`` for all."""
    start = time.process_time()
    found = [(e, _read(e)) for e in episodes]
    wrong: list[str] = []
    videos = _videos([e.name for e, read in found if any(r.claim for r in read)], visual, swap, wrong)
    items, rows = [], []
    for episode, read in found:
        claim = next((r.claim for r in read if r.claim), None)
        true = 0.5
        if claim is not None and videos[episode.name].samples:
            true = where_it_was(videos[episode.name], claim.thing, claim.place, (models or {}).get(episode.name, model))[claim.place]
        items += [_answer(r, true) for r in read]
        rows += read
    seconds = time.process_time() - start
    unseen = sorted(name for name, video in videos.items() if visual and not video.samples)
    return scoring.report(items, seconds, _baselines(items, rows), {"condition": "visual" if visual else "text", "without_video": unseen,
                                                                    "video_problems": wrong})


def cross_validated(episodes: Sequence[Episode], visual: str | Path, folds: int = 10, seed: int = 0) -> dict[str, SourceModel]:
    """Episode → weights fitted on the episodes of the other folds. Needs answers."""
    data = training(episodes, visual)
    fold = grouped_folds([row.group for row in data], folds, seed)
    fitted = [fit(row for row in data if fold[row.group] != k) for k in range(folds)]
    return {group: fitted[k] for group, k in fold.items()}


def training(episodes: Sequence[Episode], visual: str | Path) -> list[Known]:
    """Conversations with answers: whether the place named was right follows from the answered aim of a speaker who knows."""
    out = []
    for episode in episodes:
        for row in _read(episode):
            q = row.question
            if q is None or row.why or q.kind is not Kind.SOCIAL_GOAL or q.least or row.truth not in row.options:
                continue
            aim = q.hypotheses[row.options.index(row.truth)].aim
            if aim is not Aim.INDEPENDENT:
                video = read_episode(visual, episode.name)
                if video.samples:
                    out.append(known(episode.name, video, row.claim.thing, row.claim.place, aim is Aim.HELP))
    return out


def _baselines(items: Sequence[scoring.Answered], rows: Sequence[_Read]) -> dict[str, float | None]:
    """Rules that use little or no evidence, all questions and (named) the social-goal ones alone."""
    by_key = {tuple(r.key.values()): r for r in rows}

    def rule(true_of):
        def weights(item: scoring.Answered):
            row = by_key[tuple(item.key.values())]
            if row.question is None or row.why:
                return None
            if row.question.kind is not Kind.SOCIAL_GOAL:
                return item.p
            return dict(zip(row.options, social_goal(row.question, true_of(row)).tolist()))
        return weights

    def surface(row: _Read) -> float:
        """The shortcut: a surface or a cabinet of another room than the kitchen is true, anything else false."""
        cls = row.claim.place
        return float(cls == "cabinet" or (cls in classes.CLASSES and not classes.get(cls).opens))

    social = [i for i in items if i.group == Kind.SOCIAL_GOAL.value]
    out = {"chance": scoring.baseline(items, lambda item: None)}
    for name, true_of in (("always true, so always help", lambda r: 1.0), ("always false, so always hinder", lambda r: 0.0),
                          ("shortcut: surface or cabinet is true", surface)):
        out[f"social goal: {name}"] = scoring.baseline(social, rule(true_of))
        out[f"everything: {name}"] = scoring.baseline(items, rule(true_of))
    coin = [scoring.baseline(items, rule(lambda r, t=t: t)) for t in (0.0, 1.0)]
    out["everything: a coin for each social goal (no evidence)"] = None if None in coin else sum(coin) / 2
    return out

