"""The demo over homes and seeds: story and twin, one line per run and a summary that says at what image size it was measured."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from evaluation.choice_report import wilson
from evaluation.cli import UsageError
from evaluation.graph import OPTIONS

SMALL, PROMISED = (320, 240, 4.0, False), (640, 480, 3.0, True)  # width, height, rate, noise: enough for true labels; what is promised of the detector


@dataclass(frozen=True)
class Case:
    story: str
    home: str
    seed: int

    @property
    def folder(self) -> str:
        return f"{self.story}-{Path(self.home).stem}-{self.seed}"


def run(args: argparse.Namespace) -> int:
    from evaluation.commands.demo import STORY, TWIN
    from sim_bridges.embedded.home import home_names

    if args.seeds < 1 or args.jobs < 1:
        raise UsageError("--seeds and --jobs: give a number of at least 1")
    stories = [args.story] if args.story else [STORY, TWIN]
    homes = args.homes or ([args.home] if args.home else list(home_names()))
    cases = [Case(s, h, n) for n in range(args.seed, args.seed + args.seeds) for h in homes for s in stories]
    args.output.mkdir(parents=True, exist_ok=True)
    started, rows = time.monotonic(), []
    with ThreadPoolExecutor(args.jobs) as pool:
        jobs = {pool.submit(_one, case, args): case for case in cases}
        for done, future in enumerate(as_completed(jobs), 1):
            row = future.result()
            rows.append(row)
            print(_line(row) + f"   [{done}/{len(cases)}, {time.monotonic() - started:.0f} s]", flush=True)
            summary = summarise(rows, args)
            (args.output / "table.json").write_text(json.dumps({**summary, "runs": rows}, indent=1))  # after every run: it may be stopped
    print("\n" + "\n".join(summary["lines"]))
    return 0 if all(r["right"] for r in rows) else 1


def _one(case: Case, args: argparse.Namespace) -> dict:
    folder = args.output / case.folder
    command = [sys.executable, "-m", "evaluation.cli", "demo", "--story", case.story, "--home", case.home, "--seed", str(case.seed),
               "--output", str(folder), "--quiet"]
    for name, value in _pictures(args).items():
        command += [f"--{name}", str(value)]
    for name in ("perception", "backend", "weights", "device", "arm", "muted"):
        if (value := getattr(args, name, None)) is not None:
            command += [f"--{name}", str(value)]
    if args.in_process:
        command.append("--in-process")
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)  # from the caller's folder: paths may be relative
    base = {"story": case.story, "home": case.home, "seed": case.seed, "seconds": round(time.monotonic() - started, 1)}
    path = folder / "verdict.json"
    if done.returncode not in (0, 1) or not path.exists():
        return {**base, "right": False, "needed": None, "delay": None, "acts": [], "reason": (done.stderr or done.stdout).strip()[-300:]}
    return {**base, **json.loads(path.read_text())}


def _pictures(args: argparse.Namespace) -> dict:
    """Size, rate and noise of the pictures: as asked for, else by who reads them (said in the summary)."""
    usual = dict(zip(("width", "height", "rate", "noise"), PROMISED if _seen(args) == "detector" else SMALL))
    return {name: value if getattr(args, name) is None else getattr(args, name) for name, value in usual.items()}


def _seen(args: argparse.Namespace) -> str:
    return args.perception or OPTIONS["perception"].default


def _line(row: dict) -> str:
    delay = "" if row["delay"] is None else f"{row['delay']:+6.1f} s"
    return (f"{'ok   ' if row['right'] else 'WRONG'} {row['story']:<20} {Path(row['home']).stem:<10} seed {row['seed']:<3} {delay:>9}  "
            f"{row['reason'][:90]}")


def summarise(rows: list[dict], args: argparse.Namespace) -> dict:
    lines = []
    for story in sorted({r["story"] for r in rows}):
        mine = [r for r in rows if r["story"] == story]
        right = sum(r["right"] for r in mine)
        delays = sorted(r["delay"] for r in mine if r["delay"] is not None)
        text = f"{story}: {right}/{len(mine)} right (95 %: {' to '.join(f'{100 * p:.0f}' for p in wilson(right, len(mine)))} %)"
        if delays:
            text += f"; decided {delays[0]:+.1f} to {delays[-1]:+.1f} s from the start of the search (median {delays[len(delays) // 2]:+.1f})"
        text += f"; acts nobody needed: {sum(r.get('false_corrections', 0) for r in mine)}"
        lines.append(text)
    shown = _pictures(args)
    size = f"{shown['width']}x{shown['height']} at {float(shown['rate']):g} Hz" + (", sensor noise" if str(shown["noise"]).lower() == "true" else "")
    lines.append(f"{sum(r['right'] for r in rows)}/{len(rows)} runs right; images {size}, perception {_seen(args)}"
                 + (", in one process each" if args.in_process else ""))
    return {"lines": lines, "right": sum(r["right"] for r in rows), "count": len(rows)}
