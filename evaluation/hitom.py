"""Hi-ToM: where a thing is thought to be, orders zero to four, with people who lie.

Format: ``{"data": [{"story", "question", "choices", "answer", "question_order", "deception"}]}``; answers and orders may be missing.
The benchmark's own note is the convention: people see everything before they leave a room; everybody may lie, and saying something
changes nothing in the speaker's own mind; a listener trusts a speaker who left the room later than they did, and everybody knows who
left when; public claims are heard by all, private ones by the two.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluation import choice_report as scoring
from evaluation.cli import UsageError
from evaluation.tomi import question_of
from evaluation.tomi_story import StoryError, name_of, read_story

_CHOICE = re.compile(r"(?:^|[,;\n]\s*)\s*\(?([A-Z])[.):]\s*([^,;\n]+)")


def choices_of(choices: object) -> dict[str, str]:
    """Letter → option. Raises StoryError."""
    if isinstance(choices, Mapping):
        return {str(k): name_of(str(v)) for k, v in choices.items()}
    if isinstance(choices, (list, tuple)):
        return {chr(65 + i): name_of(re.sub(r"^\(?[A-Z][.):]\s*", "", str(c))) for i, c in enumerate(choices)}
    found = {letter: name_of(option) for letter, option in _CHOICE.findall(str(choices))}
    if not found:
        raise StoryError(f"cannot read the choices '{str(choices)[:80]}'")
    return found


def _truth(answer: object, options: Mapping[str, str]) -> str | None:
    if answer in (None, ""):
        return None
    text = str(answer).strip()
    letter = re.match(r"\(?([A-Z])(?:[.):]|$)", text)
    return options.get(letter[1], name_of(text)) if letter else name_of(text)


def read_file(path: str | Path) -> list[Mapping]:
    """The records. Raises UsageError naming file and key."""
    content = scoring.read_json(path)
    records = content.get("data") if isinstance(content, dict) else content
    if not isinstance(records, list):
        raise UsageError(f"'{path}': wanted {{\"data\": [...]}}")
    for number, record in enumerate(records):
        if not isinstance(record, dict) or not {"story", "question", "choices"} <= record.keys():
            raise UsageError(f"'{path}', data[{number}]: needs the keys 'story', 'question' and 'choices'")
    return records


def evaluate(records: Iterable[Mapping]) -> dict:
    """The report over all records, in order, with the milliseconds an answer took by order."""
    items, facts, spent = [], {}, {}
    start = time.process_time()
    for index, record in enumerate(records):
        began = time.process_time()
        key, options, truth, group = {"index": index}, {}, None, None
        try:
            options = choices_of(record["choices"])
            truth = _truth(record.get("answer"), options)
            _, chain, thing = question_of(str(record["question"]))
            group = f"order {len(chain)}" + (", claims" if record.get("deception") else "")
            story = read_story(record["story"])
            belief = story.thinks(chain, thing)
            p = {option: belief.get(option, 0.0) for option in options.values()}
            if sum(p.values()) <= 0:
                raise StoryError(f"'{max(belief, key=belief.get)}' is none of the choices")
            items.append(scoring.Answered(key, scoring.with_doubt(p), truth, group))
            facts[index] = {"really": story.at[thing], "beginning": story.first[thing], "own": max(own := story.thinks(chain[-1:], thing), key=own.get)}
            spent.setdefault(len(chain), []).append(time.process_time() - began)
        except StoryError as why:
            items.append(scoring.guess(key, list(options.values()), truth, group, str(why)))
    seconds = time.process_time() - start
    cost = {f"order {order}": round(1000 * sorted(times)[len(times) // 2], 3) for order, times in sorted(spent.items())}
    return scoring.report(items, seconds, _baselines(items, facts), {"ms_by_order": cost})


def _baselines(items: list[scoring.Answered], facts: Mapping[int, Mapping[str, str]]) -> dict[str, float | None]:
    def always(name: str):
        return lambda item: {facts[item.key["index"]][name]: 1.0} if item.key["index"] in facts else None

    return {"chance": scoring.baseline(items, lambda item: None), "always where it really is": scoring.baseline(items, always("really")),
            "always where it was at the beginning": scoring.baseline(items, always("beginning")),
            "as the last person of the chain alone": scoring.baseline(items, always("own"))}
