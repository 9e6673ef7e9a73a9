"""``heed eval tomi``: first- and second-order belief stories."""

from __future__ import annotations

import argparse

from evaluation import choice_report, tomi

HELP = """ToMi stories: where will X look, where does X think that Y looks, where is it really, where was it at the beginning.
--stories: JSON lines {"story", "question", "answer"}; without answers nothing is scored, everything is answered.
Exit code 1 when some question could not be read: it is listed with its reason and counts as a uniform guess."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stories", required=True, metavar="F", help="JSON-lines file")
    parser.add_argument("--output", metavar="FILE.json", help="write the result as JSON")


def run(args: argparse.Namespace) -> int:
    result = tomi.evaluate(tomi.read_lines(args.stories))
    choice_report.print_report("ToMi", result)
    if args.output:
        choice_report.write_json(args.output, result)
    return 1 if result["unparsed"] else 0
