"""Scoring multiple-choice answers given as probabilities, one way for every text benchmark.

Invariant: no question is dropped. One that could not be read answers nothing (``answer`` null), has equal probabilities, counts as a
uniform guess in ``accuracy``, and is listed with its reason. Baselines stand in the same report, scored the same way.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.cli import UsageError


@dataclass(frozen=True)
class Answered:
    """One question. ``p``: option → probability, sums to one. ``truth``: the right option, or None where none is given.

    ``key``: what identifies it in the report (``index``, or ``episode`` and ``question``). ``unread``: why it could not be read, or ''.
    ``group``: the type it is scored under, or None.
    """

    key: Mapping[str, object]
    p: Mapping[str, float]
    truth: str | None = None
    group: str | None = None
    unread: str = ""

    @property
    def answer(self) -> str | None:
        """The likeliest option (the first of equals), None where the question could not be read."""
        return None if self.unread else max(self.p, key=lambda option: self.p[option])

    @property
    def credit(self) -> float:
        """1 right, 0 wrong, a uniform guess where unread."""
        if self.unread:
            return 1.0 / max(2, len(self.p))
        return float(self.answer == self.truth)


def with_doubt(p: Mapping[str, float], doubt: float = 0.01) -> dict[str, float]:
    """Normalised, with a share ``doubt`` spread evenly: nothing read from text is certain."""
    total = sum(p.values())
    return {option: (1.0 - doubt) * value / total + doubt / len(p) for option, value in p.items()}


def guess(key: Mapping[str, object], options: Sequence[str], truth: str | None, group: str | None, why: str, least: int = 2) -> Answered:
    """An unread question: all options alike. Where its options could not be read either, as many as the format has at ``least``."""
    options = list(dict.fromkeys(options))
    options += [f"?{k}" for k in range(len(options), least)]
    return Answered(key, {o: 1.0 / len(options) for o in options}, truth, group, why)


def wilson(right: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """95 % interval of a share (Wilson's score interval)."""
    if not count:
        return (0.0, 1.0)
    share, zz = right / count, z * z
    middle = (share + zz / (2 * count)) / (1 + zz / count)
    half = z / (1 + zz / count) * math.sqrt(share * (1 - share) / count + zz / (4 * count * count))
    return (max(0.0, middle - half), min(1.0, middle + half))


def expected_calibration_error(items: Sequence[Answered], bins: int = 10) -> float:
    """Mean distance between confidence in the given answer and its rate of being right, over equal-width bins of confidence."""
    cells: list[list[tuple[float, float]]] = [[] for _ in range(bins)]
    for item in items:
        top = max(item.p.values())
        cells[min(bins - 1, int(top * bins))].append((top, item.credit))
    return sum(abs(sum(c for c, _ in cell) - sum(r for _, r in cell)) for cell in cells) / max(1, len(items))


def report(items: Sequence[Answered], seconds: float, baselines: Mapping[str, float | None], extra: Mapping[str, object] | None = None) -> dict:
    """The JSON of an evaluation (see the project's contracts); ``accuracy`` and what needs answers are null where none are given."""
    scored = [i for i in items if i.truth is not None]
    groups = sorted({i.group for i in items if i.group is not None})

    def accuracy(some: Sequence[Answered]) -> dict | None:
        if not some:
            return None
        right = sum(i.credit for i in some)
        return {"accuracy": right / len(some), "count": len(some), "interval_95": [round(b, 4) for b in wilson(right, len(some))]}

    whole = accuracy(scored)
    return {
        "accuracy": whole["accuracy"] if whole else None, "interval_95": whole["interval_95"] if whole else None,
        "by_type": {g: accuracy([i for i in scored if i.group == g]) for g in groups},
        "nll": -sum(math.log(max(i.p.get(i.truth, 0.0), 1e-12)) for i in scored) / len(scored) if scored else None,
        "ece": expected_calibration_error(scored) if scored else None,
        "count": len(items), "unparsed": [{**i.key, "reason": i.unread} for i in items if i.unread],
        "ms_per_item": 1000.0 * seconds / max(1, len(items)), "baselines": dict(baselines), **(extra or {}),
        "items": [{**i.key, "answer": i.answer, "p": {o: round(p, 6) for o, p in i.p.items()}} for i in items],
    }


def baseline(items: Iterable[Answered], rule: Callable[[Answered], Mapping[str, float] | None]) -> float | None:
    """Accuracy of a rule that gives each option a weight (None: it has nothing to say and guesses). Ties share the credit."""
    credits = []
    for item in items:
        if item.truth is None:
            continue
        weights = rule(item) or {o: 1.0 for o in item.p}
        best = [o for o in item.p if weights.get(o, 0.0) == max(weights.get(x, 0.0) for x in item.p)]
        credits.append(1.0 / len(best) if item.truth in best else 0.0)
    return sum(credits) / len(credits) if credits else None


def write_json(path: str | Path, content: object) -> None:
    """As :func:`write_text`."""
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False))


def write_text(path: str | Path, text: str) -> None:
    """Written beside its place and renamed at the end: never half a file. Raises UsageError."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_json(path: str | Path) -> object:
    """Raises UsageError that names the file and, for malformed JSON, the line."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"'{path}' is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"'{path}', line {error.lineno}: not JSON ({error.msg})") from None


def print_report(name: str, result: Mapping, *, of: str = "questions") -> None:
    """The figures a person wants first."""
    if result["accuracy"] is None:
        print(f"{name}: {result['count']} {of} answered, no answers given to score against")
    else:
        low, high = result["interval_95"]
        print(f"{name}: accuracy {100 * result['accuracy']:.1f} % [95 % {100 * low:.1f}, {100 * high:.1f}] on {result['count']} {of}, "
              f"nll {result['nll']:.3f}, ece {result['ece']:.3f}")
    for group, row in result["by_type"].items():
        if row:
            low, high = row["interval_95"]
            print(f"  {group:<28} {100 * row['accuracy']:5.1f} %  [{100 * low:.1f}, {100 * high:.1f}]  n={row['count']}")
    for group, value in result["baselines"].items():
        print(f"  baseline: {group:<60} {'-' if value is None else f'{100 * value:5.1f} %'}")
    print(f"  unparsed {len(result['unparsed'])}, {result['ms_per_item']:.2f} ms per item")
    for row in result["unparsed"][:5]:
        print(f"    not read: {row}")
