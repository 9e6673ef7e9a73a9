"""``heed eval muma``: two people, what they believe, want and think of each other."""

from __future__ import annotations

import argparse
from pathlib import Path

from evaluation import choice_report, muma
from evaluation.cli import UsageError

HELP = """MuMA-ToM: belief, social goal and belief of goal of two people, three-choice questions.
Reads only the quoted conversation of 'description' (or 'filtered_description' where nobody speaks) and, with --condition visual,
'visual_data'. Works on files without answers and labels.
Exit code 1 when some question could not be read (it is listed with its reason and counts as a uniform guess) or part of a video could not."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--questions", required=True, metavar="F", help="JSON file of episodes")
    parser.add_argument("--visual", metavar="DIR", help="folder with one folder of visual data per episode")
    parser.add_argument("--condition", choices=("text", "visual"), default=None, help="default: visual where --visual is given")
    parser.add_argument("--swap-visual", type=int, metavar="SEED", help="control: give every conversation another one's video")
    parser.add_argument("--cross-validate", type=int, metavar="FOLDS", help="fit the visual model without the fold it is used on (needs answers)")
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    parser.add_argument("--output", metavar="FILE.json", help="write the result as JSON")


def run(args: argparse.Namespace) -> int:
    condition = args.condition or ("visual" if args.visual else "text")
    if condition == "visual" and not args.visual:
        raise UsageError("--condition visual needs --visual DIR")
    if args.visual and not Path(args.visual).is_dir():
        raise UsageError(f"--visual: '{args.visual}' is no folder")
    if condition == "text" and (args.swap_visual is not None or args.cross_validate is not None):
        raise UsageError("--swap-visual and --cross-validate need --condition visual")
    if args.cross_validate is not None and args.cross_validate < 2:
        raise UsageError(f"--cross-validate must be at least 2, got {args.cross_validate}")
    episodes = muma.read_file(args.questions)
    visual = args.visual if condition == "visual" else None
    models = None
    if args.cross_validate is not None:
        models = muma.cross_validated(episodes, visual, args.cross_validate, args.seed)
        if not models:
            raise UsageError("--cross-validate: no conversation with answers and a video")
    result = muma.evaluate(episodes, visual, swap=args.swap_visual, models=models)
    note = f"{condition}" + (f", {args.cross_validate}-fold grouped" if models else "") + (", videos swapped" if args.swap_visual is not None else "")
    choice_report.print_report(f"MuMA-ToM ({note})", result)
    if result["without_video"]:
        print(f"  no visual data for {len(result['without_video'])} episodes: {', '.join(result['without_video'][:5])}")
    for line in result["video_problems"][:5]:
        print(f"  not read: {line}")
    if args.output:
        choice_report.write_json(args.output, result)
    return 1 if result["unparsed"] or result["video_problems"] else 0
