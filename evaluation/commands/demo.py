"""``heed demo``: one story, or a story and its twin, through the whole ROS graph, headless."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from evaluation.cli import UsageError
from evaluation.commands.up import add_options, graph_options
from evaluation.graph import OPTIONS

HELP = """Run one story through the whole ROS graph, headless, and write bag, timeline, storyboard and decisions.

Without --story it runs the shipped story (Alice believes that the apple is on the kitchen table) and its twin, in which she
knows better and the robot should stay silent. --seeds N runs both in every shipped home with N seeds, from --seed on, and prints a table."""
STORY, TWIN = "false_belief", "false_belief_twin"
_SKIP = ("record", "use_sim_time", "lockstep", "seed")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder for the results (default: demo_output)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the world (default: 0)")
    parser.add_argument("--seeds", type=int, default=None, metavar="N", help="story and twin, every home, N seeds from --seed on; prints a table")
    parser.add_argument("--jobs", type=int, default=1, metavar="K", help="with --seeds: runs at the same time (default: 1)")
    parser.add_argument("--homes", nargs="+", default=None, metavar="HOME", help="with --seeds: only these homes")
    parser.add_argument("--in-process", action="store_true", help="without ROS: every stage in one process, one after the other; no bag is written "
                        "(embedded world, perception simulator or detector)")
    parser.add_argument("--quiet", action="store_true", help="no progress display")
    add_options(parser, skip=_SKIP)


def run(args: argparse.Namespace) -> int:
    if args.seeds is not None:
        from evaluation.demo import table

        return table.run(args)
    options = graph_options(args, seed=args.seed)
    _check(options)
    _check_output(args.output)
    if args.in_process and (options["world"] != "embedded" or options["perception"] not in ("simulator", "detector")):
        raise UsageError(f"--in-process plays the embedded world with perception simulator or detector, not {options['world']} with {options['perception']}")
    stories = [options["story"]] if options["story"] else [STORY, TWIN]
    folders = [args.output] if len(stories) == 1 else [args.output / s for s in stories]
    right = True
    for story, folder in zip(stories, folders):
        right &= _one({**options, "story": story}, folder, args.quiet, args.in_process)
    return 0 if right else 1


def _check(options: dict) -> None:
    """A story or home that cannot be used, or a world that is not there, is said before any process starts."""
    from sim_bridges.worlds import check_world

    try:
        check_world(options["world"], home=options["home"] or None, story=options["story"] or STORY, seed=options["seed"],
                    width=options["width"], height=options["height"], host=options["host"], port=options["port"] or None)
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from None


def _check_output(folder: Path) -> None:
    parent = folder.absolute()
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir() or not os.access(parent, os.W_OK):
        raise UsageError(f"--output {folder}: {parent} is not a folder that can be written to")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--output {folder}: this is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not _ours(folder):
        raise UsageError(f"--output {folder}: holds other files; name a new or empty folder")


def _ours(folder: Path) -> bool:
    return any((f / "timeline.txt").exists() for f in (folder, *folder.iterdir()))


def _one(options: dict, folder: Path, quiet: bool, in_process: bool) -> bool:
    from evaluation.demo.run import RunError, run as run_story, run_in_process
    from evaluation.demo.show import Display

    title = _title(options["world"], options["story"])
    with Display(options["story"], quiet) as display:
        try:
            if in_process:
                outcome = run_in_process(options, folder, title=title, on_line=display.line, progress=display.progress)
            else:
                outcome = run_story(options, folder, title=title, on_line=display.line, progress=display.progress, on_error=display.error)
        except RunError as error:
            display.close()
            print(f"heed: {error}", file=sys.stderr)
            return False
        except OSError as error:
            raise UsageError(f"--output {folder}: cannot be written ({error.strerror or error})") from None
    display.verdict(outcome)
    return outcome.verdict.right


def _title(world: str, story: str) -> str:
    """What a story is about; its name where nothing says that."""
    if world != "embedded":
        from sim_bridges.scripted import ABOUT

        return ABOUT.get(story, story)
    from sim_bridges.embedded.story import load_story

    try:
        return load_story(story).about or story
    except (ValueError, OSError):
        return story
