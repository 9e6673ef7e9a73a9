"""``heed export``: the project's own episodes in the formats of others."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluation.cli import UsageError

HELP = """Write episodes in MuMA-ToM's schema of visual data (boxes, closeness, inside, on, hold, opened), with the true open state and the
rooms added. From a recording (a bag, or JSON lines of scene graphs), or from two-person episodes played now, with their questions."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("format", choices=("muma",))
    parser.add_argument("--output", required=True, metavar="DIR")
    parser.add_argument("--recording", metavar="PATH", help="a bag directory or JSON lines; without it, episodes are played")
    parser.add_argument("--name", default="episode", help="of the recording in the files (default: episode)")
    parser.add_argument("--people", metavar="A,B", help="who is 1.0, 2.0, ... (default: everybody in the first graph, by name)")
    parser.add_argument("--count", type=int, default=10, help="episodes to play (default: 10)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two samples (default: 2)")


def run(args: argparse.Namespace) -> int:
    if not 0.05 <= args.every <= 60.0:
        raise UsageError(f"--every {args.every}: must be 0.05 to 60 seconds")
    if args.recording:
        return _recording(args)
    if not 1 <= args.count <= 5000:
        raise UsageError(f"--count {args.count}: must be 1 to 5000")
    from evaluation.muma_export import write

    written = write(args.output, args.seed, args.count, args.every, lambda k: print(f"  {k} of {args.count} episodes", file=sys.stderr))
    print(f"{written} episodes in {args.output}: questions.json and visual_data/")
    return 0 if written else 1


def _recording(args: argparse.Namespace) -> int:
    from evaluation.replay import ReplayError, inputs
    from evaluation.visual_data_export import export

    try:
        count = export(inputs(Path(args.recording)), args.name, Path(args.output) / "visual_data", tuple(filter(None, (args.people or "").split(","))),
                       args.every)
    except ReplayError as error:
        raise UsageError(str(error)) from None
    print(f"{count} samples in {Path(args.output) / 'visual_data' / args.name}")
    return 0 if count else 1
