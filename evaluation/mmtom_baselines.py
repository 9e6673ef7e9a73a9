"""Trivial answers that stand beside the result, so that nobody takes a high number for deep planning.

Rules look at the text and at the reading, never at the answer; the two that learn are trained on the other episodes' answers
(five folds by episode), which the model under test never sees.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from evaluation.choice_report import Answered, baseline
from evaluation.mmtom_solve import Read
from household.actions import Verb
from mind.episode import GoalIs, Thinks

_DIMENSIONS = 4096
_FOLDS = 5
Weights = Mapping[str, float] | None


def baselines(answered: Sequence[Answered], found: Sequence[Read]) -> dict[str, float | None]:
    """Accuracy of each, None where the file gives no answers. ``answered`` and ``found`` in file order."""
    by_key = {id(a): r for a, r in zip(answered, found)}
    labelled = sum(a.truth is not None for a in answered)

    def scored(rule) -> float | None:
        return baseline(answered, lambda a: rule(by_key[id(a)]))

    def learned(words_of) -> float | None:
        if labelled < 20:
            return None
        weights = _learned(answered, found, words_of)
        return baseline(answered, lambda a: weights.get(id(a)))

    return {
        "always the first option": scored(lambda r: {"a": 1.0}),
        "inside if and only if really inside": scored(_really_inside),
        "goal is an object of the last container": scored(_in_last_container),
        "two rules: last target = asked place; goal = option not yet seen": scored(_two_rules),
        "supervised bag of words, question only": learned(lambda r: r.item.given),
        "supervised bag of words, question and last sentence": learned(lambda r: f"{r.item.given} {_last_sentence(r.item.conduct)}"),
    }


def _only(found: Read, letter: str):
    predicates = found.options.get(letter, frozenset())
    return next(iter(predicates)) if len(predicates) == 1 else None


def _really_inside(r: Read) -> Weights:
    contents = r.home.contents()
    out = {}
    for letter in r.options:
        p = _only(r, letter)
        if not isinstance(p, Thinks):
            return None
        out[letter] = float((contents.get(p.place, {}).get(p.object, 0) > 0) == p.holds)
    return out


def _last_place(r: Read) -> str | None:
    return next((a.target for a in reversed(r.conduct.actions) if a.target in r.home.places), None)


def _in_last_container(r: Read) -> Weights:
    held = r.home.contents().get(_last_place(r) or "", {})
    out = {}
    for letter in r.options:
        p = _only(r, letter)
        if not isinstance(p, GoalIs):
            return None
        out[letter] = float(held.get(p.goal.targets[0], 0) > 0)
    return out


def _two_rules(r: Read) -> Weights:
    last = r.conduct.actions[-1] if r.conduct.actions else None
    options = {letter: _only(r, letter) for letter in r.options}
    if all(isinstance(p, Thinks) for p in options.values()):
        return {letter: float((last is not None and last.target == p.place) == p.holds) for letter, p in options.items()}
    if all(isinstance(p, GoalIs) for p in options.values()):
        denied = {p.object for p in r.given if isinstance(p, Thinks) and not p.holds and last is not None and p.place == last.target}
        seen = _seen(r) | denied  # what is thought not to be where they go counts as looked for in vain
        return {letter: float(p.goal.targets[0] not in seen) for letter, p in options.items()}
    return None


def _seen(r: Read) -> set[str]:
    """Classes seen so far by the simplest book-keeping: what is in the open in rooms entered, and in whatever was opened."""
    contents, seen = r.home.contents(), set()
    rooms = {r.conduct.start_room}
    for k, a in enumerate(r.conduct.actions):
        if a.verb is Verb.OPEN and not a.about_to:
            seen |= set(contents.get(a.target or "", ()))
        if a.verb is Verb.WALKTOWARDS and k + 1 < len(r.conduct.actions):
            rooms.add(a.target if a.target in r.home.rooms else r.home.places.get(a.target or ""))
    opens = {p.target for p in r.conduct.actions if p.verb is Verb.OPEN}
    for place, held in contents.items():
        from household import classes

        row = classes.CLASSES.get(classes.class_of(place))
        if r.home.places.get(place) in rooms and row is not None and not row.opens and place not in opens:
            seen |= set(held)
    return seen


def _last_sentence(text: str) -> str:
    parts = [p for p in re.split(r"(?<=[.!?])\s+", text.strip()) if p]
    return parts[-1] if parts else ""


def _features(context: str, option: str) -> np.ndarray:
    """Hashed pairs of a word of the context and the option's form (denied or not), and the option's own words, float (D,)."""
    x = np.zeros(_DIMENSIONS)
    denied = bool(re.search(r"\bnot\b|n't\b", option))
    words = set(re.findall(r"[a-z]+", context.lower()))
    own = set(re.findall(r"[a-z]+", option.lower()))
    for token in [f"{w}|{denied}" for w in words] + [f"own|{w}" for w in own] + [f"both|{denied}|{len(words & own)}"]:
        x[zlib.crc32(token.encode()) % _DIMENSIONS] += 1.0
    return x


def _learned(answered: Sequence[Answered], found: Sequence[Read], words_of) -> dict[int, Weights]:
    """Ridge regression on the difference of the two options' features, trained on the other folds."""
    rows, targets, folds, keys = [], [], [], []
    for a, r in zip(answered, found):
        options = r.item.options or {}
        if a.truth is None or len(options) != 2:
            continue
        first, second = options
        rows.append(_features(words_of(r), options[first]) - _features(words_of(r), options[second]))
        targets.append(1.0 if a.truth == first else -1.0)
        folds.append(zlib.crc32(str(r.item.episode).encode()) % _FOLDS)
        keys.append((id(a), first, second))
    x, y, fold = np.array(rows), np.array(targets), np.array(folds)
    out: dict[int, Weights] = {}
    for k in range(_FOLDS):
        train, test = fold != k, np.flatnonzero(fold == k)
        if not train.any() or not len(test):
            continue
        gram = x[train] @ x[train].T + 3.0 * np.eye(int(train.sum()))
        scores = x[test] @ (x[train].T @ np.linalg.solve(gram, y[train]))
        for i, score in zip(test, scores):
            key, first, second = keys[i]
            out[key] = {first: float(score), second: float(-score)}
    return out
