"""``heed eval hitom``: nested-belief stories with claims, orders zero to four."""

from __future__ import annotations

import argparse

from evaluation import choice_report, hitom

HELP = """Hi-ToM stories: where does A think B thinks ... the thing is, with public and private claims.
--stories: {"data": [{"story", "question", "choices", "answer", "question_order", "deception"}]}; answers may be missing.
Exit code 1 when some question could not be read: it is listed with its reason and counts as a uniform guess."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stories", required=True, metavar="F", help="JSON file")
    parser.add_argument("--output", metavar="FILE.json", help="write the result as JSON")


def run(args: argparse.Namespace) -> int:
    result = hitom.evaluate(hitom.read_file(args.stories))
    choice_report.print_report("Hi-ToM", result)
    print("  median ms per answer by order: " + ", ".join(f"{k} {v:.2f}" for k, v in result["ms_by_order"].items()))
    if args.output:
        choice_report.write_json(args.output, result)
    return 1 if result["unparsed"] else 0
