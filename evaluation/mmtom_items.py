"""The questions of an MMToM-QA file: one JSON object a line (or one JSON list), read without trusting any of it.

Format: ``question`` holds the home, the actions, a question with lettered options; ``answer``, ``question_type``, ``episode``,
``start_time`` and ``end_time`` may be missing. Invariant: every line of the file becomes an item; one that cannot be used carries its reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluation.cli import UsageError

_ACTIONS = re.compile(r"\b(?:actions?|behaviou?r|activit(?:y|ies)|movements?|steps)\b[^:\n]{0,40}?\b(?:by|of)\s+([^:\n]{1,60}):|"
                      r"\b([^\s:,.][^:,.\n]{0,40}?)(?:'s|’s) (?:actions?|behaviou?r|activities|movements)\s*:|\bactions?\s*:", re.I)
_QUESTION = re.compile(r"\b(?:question|q)\s*:", re.I)
_HOME = re.compile(r"\bwhat(?:'s|’s| is) inside the (?:apartment|house|home|flat)\s*:", re.I)
_OPTION = re.compile(r"(?:(?<=\s)|^)\(?([a-z])\)\s*|(?:(?<=\n)|^)\s*([a-zA-Z])[).:]\s+", re.I)
_INSTRUCTION = re.compile(r"\b(?:please|kindly)\b[^.?!]*\b(?:respond|answer|reply|choose|select)\b.*$|\banswer\s*:\s*$", re.I | re.S)
LONGEST_LINE = 2_000_000  # characters of one question that are looked at at all


@dataclass(frozen=True)
class Item:
    """``options``: letter → statement, in order of appearance. ``problem``: why the item cannot be used, or ''. Times in video steps."""

    index: int
    home: str = ""
    actor: str = "the person"
    conduct: str = ""
    given: str = ""
    options: Mapping[str, str] | None = None
    answer: str | None = None
    kind: str | None = None
    episode: str | None = None
    end_time: int | None = None
    problem: str = ""


def load(path: str | Path) -> list[Item]:
    """All items of a file, in its order. Raises UsageError when the file cannot be read or holds no question at all."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"'{path}' is not UTF-8 text (byte {error.start})") from None
    items = _from_list(text) if text.lstrip().startswith("[") else None
    if items is None:
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        items = [_from_line(index, n, line) for index, (n, line) in enumerate(lines)]
    if not items:
        raise UsageError(f"'{path}' holds no questions; expected one JSON object a line with a 'question'")
    if all(i.problem.startswith("line") for i in items):
        raise UsageError(f"'{path}': {items[0].problem}; expected one JSON object a line with a 'question'")
    return items


def _from_list(text: str) -> list[Item] | None:
    try:
        rows = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return [item_of(index, row, f"entry {index}") for index, row in enumerate(rows)]


def _from_line(index: int, number: int, line: str) -> Item:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return Item(index, problem=f"line {number} is not JSON ({error.msg} at column {error.colno})")
    except RecursionError:
        return Item(index, problem=f"line {number} is nested too deeply")
    return item_of(index, row, f"line {number}")


def item_of(index: int, row: object, where: str) -> Item:
    """One parsed object → an Item; never raises."""
    if not isinstance(row, dict):
        return Item(index, problem=f"{where}: expected an object with a 'question', got {type(row).__name__}")
    question = row.get("question")
    answer = row.get("answer")
    common = {
        "answer": re.sub(r"[^a-z]", "", answer.lower())[:1] or None if isinstance(answer, str) else None,
        "kind": str(row["question_type"]) if row.get("question_type") not in (None, "") else None,
        "episode": str(row["episode"]) if row.get("episode") is not None else None,
        "end_time": row["end_time"] if isinstance(row.get("end_time"), int) and not isinstance(row.get("end_time"), bool) else None,
    }
    if not isinstance(question, str) or not question.strip():
        return Item(index, **common, problem=f"{where}: 'question' is missing or is not text")
    if len(question) > LONGEST_LINE:
        return Item(index, **common, problem=f"{where}: a question of {len(question)} characters; at most {LONGEST_LINE} are read")
    return _split(index, question, common)


def _split(index: int, text: str, common: dict) -> Item:
    """Home, actions, given and options, by the headings where there are any."""
    asked = list(_QUESTION.finditer(text))
    before, after = (text[:asked[-1].start()], text[asked[-1].end():]) if asked else _without_heading(text)
    home, actor, conduct = _home_and_conduct(before)
    given, options = _options(after)
    problem = ""
    if not options:
        problem = "the question has no lettered options"
    elif len(options) < 2:
        problem = "the question has only one option"
    elif not home.strip():
        problem = "no description of a home was found"
    return Item(index, home, actor, conduct, given, options, problem=problem, **common)


def _without_heading(text: str) -> tuple[str, str]:
    """No "Question:": it is the last paragraph, or the last sentence before the first option."""
    first = _OPTION.search(text)
    cut = first.start() if first else len(text)
    begin = max(text.rfind("\n", 0, cut), text.rfind(". ", 0, max(0, cut - 1)), 0)
    return text[:begin + 1], text[begin + 1:] if begin else text


def _home_and_conduct(text: str) -> tuple[str, str, str]:
    found = _ACTIONS.search(text)
    heading = _HOME.search(text)
    start = heading.end() if heading and (not found or heading.start() < found.start()) else 0
    if found:
        actor = (found[1] or found[2] or "").strip()
        conduct = text[found.end():]
        return text[start:found.start()], actor or _first_name(conduct), conduct
    lines = text[start:].split("\n")
    for k, line in enumerate(lines):  # no heading: the first paragraph that begins with a name in a room
        if re.match(r"\s*[A-Z]\w+ (?:is|was|starts|begins|walks)\b", line):
            return "\n".join(lines[:k]), _first_name(line), "\n".join(lines[k:])
    return text[start:], "the person", ""


def _first_name(text: str) -> str:
    match = re.match(r"\s*([A-Z][\w'-]+)", text)
    return match[1] if match else "the person"


def _options(text: str) -> tuple[str, dict[str, str]]:
    marks = list(_OPTION.finditer(text))
    while marks and (marks[0][1] or marks[0][2]).lower() != "a":
        marks.pop(0)  # some other lettered thing
    if not marks:
        return text, {}
    options: dict[str, str] = {}
    for k, mark in enumerate(marks):
        end = marks[k + 1].start() if k + 1 < len(marks) else len(text)
        letter = (mark[1] or mark[2]).lower()
        options.setdefault(letter, _INSTRUCTION.sub("", text[mark.end():end]).strip())
    return text[:marks[0].start()], options
