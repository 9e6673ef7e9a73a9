"""``heed generate``: episodes of the embedded world's people, told in English, with questions whose answers are known."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evaluation.cli import UsageError
from evaluation.choice_report import write_json
from evaluation.generate import CLASSIC, Type, generate

HELP = """Generate episodes and questions about beliefs and goals, in the format that `heed eval mmtom` reads.

The people plan by other rules than the mind assumes; the text is written by several made-up writers. Types 1.1 to 2.4 follow MMToM-QA's
procedure (two options each); the others are harder: """ + ", ".join(f"“{t.value}”" for t in Type if t not in CLASSIC) + "."

MOST = 20_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", required=True, metavar="FILE", help="questions, or with --people 2 episodes, JSON lines")
    parser.add_argument("--closeness", metavar="FILE", help="also write what was within a metre of the person, per episode and step")
    parser.add_argument("--video", metavar="DIR", help="also render each episode, one PNG every 0.8 s and camera.json in a folder of its own (slow), as seen by a "
                        "camera in the room the person is in; with --people 2, of the second one: who answers, helps or hinders")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same file (default: 0)")
    parser.add_argument("--count", type=int, default=70, help=f"how many questions, or with --people 2 episodes, 1 to {MOST} (default: 70)")
    parser.add_argument("--people", type=int, choices=(1, 2), default=1,
                        help="2: two-person episodes instead (who helps, who hinders), one JSON object a line with the words, the deeds and the truth")
    parser.add_argument("--recordings", metavar="DIR", help="with --people 2: also every episode's graphs, events and words, as JSON lines")
    parser.add_argument("--types", default="classic", metavar="LIST",
                        help="'classic', 'harder', 'all', or a comma-separated list of types (default: classic)")


def chosen(text: str) -> tuple[Type, ...]:
    """Raises UsageError that lists the types."""
    groups = {"classic": CLASSIC, "harder": tuple(t for t in Type if t not in CLASSIC), "all": tuple(Type)}
    if text in groups:
        return groups[text]
    try:
        return tuple(dict.fromkeys(Type(part.strip()) for part in text.split(",")))
    except ValueError:
        raise UsageError(f"--types '{text}': allowed are classic, harder, all, or of: {', '.join(t.value for t in Type)}") from None


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.count <= MOST:
        raise UsageError(f"--count {args.count}: must be 1 to {MOST}")
    if args.recordings and args.people != 2:
        raise UsageError("--recordings goes with --people 2")
    if args.people == 2 and (args.closeness or args.types != "classic"):
        raise UsageError("--closeness and --types go with --people 1: two-person episodes come without questions (heed export muma asks them)")
    if args.people == 2:
        from evaluation.social_generate_write import write

        made = write(args.output, args.seed, args.count, args.recordings,
                     lambda k: print(f"  {k} of {args.count} episodes", file=sys.stderr), args.video)
        print(f"{sum(made.values())} episodes in {args.output}: " + ", ".join(f"{n} × {family}" for family, n in sorted(made.items())))
        return 0 if made else 1
    if args.video:
        from evaluation.generate_video import film
    types = chosen(args.types)
    path = Path(args.output)
    made: Counter[str] = Counter()
    near: dict[str, dict[str, list[str]]] = {}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            for item in generate(args.seed, args.count, types):
                near[str(item["episode"])] = {str(t): c for t, c in enumerate(item.pop("closeness"))}
                if args.video:
                    film(item, Path(args.video))
                out.write(json.dumps(item, ensure_ascii=False) + "\n")
                made[item["question_type"]] += 1
                if sum(made.values()) % 50 == 0:
                    print(f"  {sum(made.values())} of {args.count} questions", file=sys.stderr)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if args.closeness:
        write_json(args.closeness, near)
    print(f"{sum(made.values())} questions in {path}: " + ", ".join(f"{n} of type {t}" for t, n in sorted(made.items())))
    return 0
