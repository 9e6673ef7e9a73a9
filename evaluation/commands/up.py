"""``heed up``: the nodes that launch/heed.launch.py starts, for a machine without the ``launch`` package."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from evaluation.cli import UsageError
from evaluation.graph import OPTIONS, Graph, OptionError, node_specs, resolve, write_home_map

HELP = "Start the whole stack and keep it running until Ctrl-C. Options are those of launch/heed.launch.py."


def add_options(parser: argparse.ArgumentParser, skip: tuple[str, ...] = ()) -> None:
    """One command-line option per graph option; the launch file declares the same ones."""
    for name, option in OPTIONS.items():
        if name in skip:
            continue
        default = f" (default: {option.default})" if option.default not in ("", None) else ""
        parser.add_argument(f"--{name.replace('_', '-')}", default=None, choices=option.choices or None, metavar=None if option.choices else "X",
                            help=option.doc + default)


def graph_options(args: argparse.Namespace, **fixed) -> dict:
    """Raises UsageError."""
    given = {n: getattr(args, n, None) for n in OPTIONS if getattr(args, n, None) is not None}
    try:
        return resolve({**given, **fixed})
    except OptionError as error:
        raise UsageError(str(error)) from None


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser)
    parser.add_argument("--logs", type=Path, default=None, help="folder for one log file per node (default: the terminal)")


def run(args: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="heed_") as folder:
        try:
            options = write_home_map(graph_options(args), Path(folder))
        except (ValueError, OSError) as error:
            raise UsageError(str(error)) from None
        if not options["home_map"]:
            raise UsageError(f"world '{options['world']}': name the rooms of the home with --home-map FILE (docs/robot.md)")
        if options["record"] and Path(options["record"]).exists():
            raise UsageError(f"--record {options['record']}: this folder exists already; name a new one")
        specs = node_specs(options)
        print(f"heed: starting {', '.join(s.name for s in specs)}; Ctrl-C stops", file=sys.stderr)
        with Graph(specs, logs=args.logs) as graph:
            return _watch(graph)


def _watch(graph: Graph, restarts: int = 3) -> int:
    """Restart a node that crashes, a few times; a node that refuses its parameters (exit code 2) ends everything."""
    left = dict.fromkeys(graph.processes, restarts)
    while True:
        time.sleep(0.5)
        for name, code in graph.dead().items():
            if code in (0, 2) or left[name] == 0:
                print(f"heed: {name} ended with code {code}; stopping", file=sys.stderr)
                return 0 if code == 0 else code if code == 2 else 1
            left[name] -= 1
            print(f"heed: {name} died (code {code}); starting it again", file=sys.stderr)
            graph.start(name)
