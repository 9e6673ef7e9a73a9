"""ToMi: one question per story about where a thing is, was, or is thought to be (first and second order).

Format: JSON lines ``{"story", "question", "answer"}``; ``answer`` may be missing. The options are the boxes of the story.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from evaluation import choice_report as scoring
from evaluation.cli import UsageError
from evaluation.tomi_story import Story, StoryError, name_of, read_story

_LOOK = r"(?:look|looks|search|searches|searching|looking|go looking)"
_BEGINNING = re.compile(r"where (?:was|were) (?:the )?(?P<thing>.+?) (?:at|in) the (?:beginning|start)", re.I)
_REALLY = re.compile(r"where (?:is|are) (?:the )?(?P<thing>.+?)(?: really| actually| now)*", re.I)
_ASKS = re.compile(r"where (?:does|do|did|will|would) (?P<rest>.+)", re.I)
_SEARCH = re.compile(rf"(?P<who>\S+) {_LOOK} for (?:the )?(?P<thing>.+)", re.I)
_IS = re.compile(r"(?:the )?(?P<thing>.+?) (?:is|are|was|were)(?: in| at| now)*", re.I)
_LINK = re.compile(r" (?:really )?(?:think|thinks|believe|believes)(?: that)? ", re.I)


def question_of(text: str) -> tuple[str, tuple[str, ...], str]:
    """(kind, chain of thinkers, thing): kind "beginning", "really" or "order k". Raises StoryError."""
    words = re.sub(r"^\s*\d+[.:)]?\s+", "", text.split("\t")[0]).strip().rstrip("?").strip()
    for kind, pattern in (("beginning", _BEGINNING), ("really", _REALLY)):
        match = pattern.fullmatch(words)
        if match:
            return kind, (), name_of(match["thing"])
    asks = _ASKS.fullmatch(words)
    *chain, last = _LINK.split(asks["rest"]) if asks else ("",)
    search, state = _SEARCH.fullmatch(last), _IS.fullmatch(last)
    if search:
        chain, state = [*chain, search["who"]], search
    if chain and state:
        return f"order {len(chain)}", tuple(name_of(p) for p in chain), name_of(state["thing"])
    raise StoryError(f"cannot read the question '{text[:120]}'")


def answer(story: Story, question: str) -> tuple[str, dict[str, float]]:
    """(kind, box → probability). Raises StoryError."""
    kind, chain, thing = question_of(question)
    if kind == "beginning":
        if thing not in story.first:
            raise StoryError(f"the story says nothing about '{thing}'")
        return kind, {story.first[thing]: 1.0}
    return kind, story.thinks(chain, thing)


def read_lines(path: str | Path) -> Iterator[Mapping]:
    """The records of a JSON-lines file. Raises UsageError with file and line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"'{path}' is not UTF-8 text") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"'{path}', line {number}: not JSON ({error.msg}); wanted one object per line") from None
        if not isinstance(record, dict) or not {"story", "question"} <= record.keys():
            raise UsageError(f"'{path}', line {number}: needs the keys 'story' and 'question'")
        yield record


def evaluate(records: Iterable[Mapping]) -> dict:
    """The report over all records, in order."""
    items, facts = [], {}
    start = time.process_time()
    for index, record in enumerate(records):
        truth = name_of(str(record["answer"])) if record.get("answer") else None
        key = {"index": index}
        story = None
        try:
            story = read_story(record["story"])
            kind, belief = answer(story, str(record["question"]))
            p = {box: belief.get(box, 0.0) for box in dict.fromkeys((*story.boxes, *belief))}
            items.append(scoring.Answered(key, scoring.with_doubt(p), truth, kind))
            facts[index] = _facts(story, str(record["question"]))
        except StoryError as why:
            items.append(scoring.guess(key, story.boxes if story else (), truth, None, str(why)))
    seconds = time.process_time() - start
    return scoring.report(items, seconds, _baselines(items, facts))


def _facts(story: Story, question: str) -> dict[str, str]:
    _, chain, thing = question_of(question)
    alone = story.thinks(chain[-1:], thing)
    return {"really": story.at[thing], "beginning": story.first[thing], "last": max(alone, key=alone.get)}


def _baselines(items: list[scoring.Answered], facts: Mapping[int, Mapping[str, str]]) -> dict[str, float | None]:
    def always(name: str):
        return lambda item: {facts[item.key["index"]][name]: 1.0} if item.key["index"] in facts else None

    return {"chance": scoring.baseline(items, lambda item: None), "always where it really is": scoring.baseline(items, always("really")),
            "always where it was at the beginning": scoring.baseline(items, always("beginning")),
            "as the last person of the chain alone": scoring.baseline(items, always("last"))}
