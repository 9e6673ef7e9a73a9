"""The ``heed`` command. Each subcommand is a module in ``evaluation/commands`` with HELP, configure(parser) and run(args) -> int.

Exit codes: 0 done, 1 failed, 2 bad usage or bad input (one message that names what, where and what would be right).
Modules are imported only when their command is called, so that ``heed --help`` and small commands start at once.
"""

from __future__ import annotations

import argparse
import importlib
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from household import environment

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "run one story through the whole ROS graph, headless; writes bag, timeline, pictures"),
    "up": ("up", "start the same nodes as launch/heed.launch.py"),
    "ask": ("ask", "ask what somebody thinks or wants, from a recorded bag"),
    "doctor": ("doctor", "check the installation and a running graph"),
    "bench": ("bench", "latency per stage, throughput, memory"),
    "generate": ("generate", "generate episodes and questions from the embedded world's agents"),
    "train": ("train", "train the detector"),
    "export": ("export", "write the project's own episodes in other formats"),
}
EVALUATIONS: dict[str, tuple[str, str]] = {
    "mmtom": ("eval_mmtom", "MMToM-QA: beliefs and goals of one person, two-choice questions"),
    "muma": ("eval_muma", "MuMA-ToM: belief, social goal and belief of goal, two people"),
    "tomi": ("eval_tomi", "ToMi stories"),
    "hitom": ("eval_hitom", "Hi-ToM stories, orders 0 to 4"),
    "scenarios": ("eval_scenarios", "generated helping scenarios with paired controls"),
    "perception": ("eval_perception", "detector and scene graph on held-out generated homes"),
}


class UsageError(ValueError):
    """Bad input of the user's; the message is printed alone and the exit code is 2."""


def _load(module: str):
    return importlib.import_module(f"evaluation.commands.{module}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="heed", description="A household robot that understands the people around it.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, text) in COMMANDS.items():
        commands.add_parser(name, help=text, add_help=False)
    commands.add_parser("eval", help="score the stack: " + ", ".join(EVALUATIONS), add_help=False)
    return parser


@contextmanager
def _asked_to_end() -> Iterator[None]:
    """SIGTERM ends a command as an exception does, so that the nodes it started are stopped and its half-written folders go. Where somebody else has a say in signals,
    or this is not the main thread, nothing changes."""
    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ours:
        signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        if ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def main(argv: list[str] | None = None) -> int:
    argv = list(sys.argv[1:] if argv is None else argv)
    args, rest = _parser().parse_known_args(argv[:1]), argv[1:]
    prog, table, name = f"heed {args[0].command}", COMMANDS, args[0].command
    if name == "eval":
        chooser = argparse.ArgumentParser(prog=prog)
        kinds = chooser.add_subparsers(dest="kind", metavar="WHAT", required=True)
        for kind, (_, text) in EVALUATIONS.items():
            kinds.add_parser(kind, help=text, add_help=False)
        name = chooser.parse_known_args(rest[:1])[0].kind
        prog, table, rest = f"{prog} {name}", EVALUATIONS, rest[1:]
    module_name, text = table[name]
    environment.prepare()  # before a command imports numpy, which reads its number of threads once
    module = _load(module_name)
    parser = argparse.ArgumentParser(prog=prog, description=getattr(module, "HELP", text),
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    module.configure(parser)
    options = parser.parse_args(rest)
    try:
        with _asked_to_end():
            return int(module.run(options) or 0)
    except UsageError as error:
        print(f"heed: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output (`| head`) has gone
        sys.stdout = None
        return 1
    except KeyboardInterrupt:
        print("heed: stopped", file=sys.stderr)
        return 1


if __name__ == "__main__":  # run as the module that the commands import UsageError from
    sys.exit(importlib.import_module("evaluation.cli").main())
