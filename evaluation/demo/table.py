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

from evaluation.cli import UsageError
from household import environment

WIDTH, HEIGHT, RATE = 320, 240, 4.0  # smaller than a single demo; the table says so


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
    cases = [Case(s, h, n) for h in homes for n in range(args.seed, args.seed + args.seeds) for s in stories]
    args.output.mkdir(parents=True, exist_ok=True)
    started, rows = time.monotonic(), []
    with ThreadPoolExecutor(args.jobs) as pool:
        jobs = {pool.submit(_one, case, args): case for case in cases}
        for done, future in enumerate(as_completed(jobs), 1):
            row = future.result()
            rows.append(row)
            print(_line(row) + f"   [{done}/{len(cases)}, {time.monotonic() - started:.0f} s]", flush=True)
    summary = summarise(rows, args)
    print("\n" + "\n".join(summary["lines"]))
    (args.output / "table.json").write_text(json.dumps({**summary, "runs": rows}, indent=1))
    return 0 if all(r["right"] for r in rows) else 1


def _one(case: Case, args: argparse.Namespace) -> dict:
    folder = args.output / case.folder
    command = [sys.executable, "-m", "evaluation.cli", "demo", "--story", case.story, "--home", case.home, "--seed", str(case.seed),
               "--output", str(folder), "--quiet", "--width", str(args.width or WIDTH), "--height", str(args.height or HEIGHT),
               "--rate", str(args.rate or RATE)]
    for name in ("perception", "backend", "weights", "device", "noise", "arm", "muted"):
        if (value := getattr(args, name, None)) is not None:
            command += [f"--{name}", str(value)]
    if args.in_process:
        command.append("--in-process")
    started = time.monotonic()
    done = subprocess.run(command, cwd=environment.ROOT, capture_output=True, text=True)
    base = {"story": case.story, "home": case.home, "seed": case.seed, "seconds": round(time.monotonic() - started, 1)}
    path = folder / "verdict.json"
    if done.returncode not in (0, 1) or not path.exists():
        return {**base, "right": False, "needed": None, "delay": None, "acts": [], "reason": (done.stderr or done.stdout).strip()[-300:]}
    return {**base, **json.loads(path.read_text())}


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
        text = f"{story}: {right}/{len(mine)} right"
        if delays:
            text += f"; decided {delays[0]:+.1f} to {delays[-1]:+.1f} s from the start of the search (median {delays[len(delays) // 2]:+.1f})"
        text += f"; acts nobody needed: {sum(r.get('false_corrections', 0) for r in mine)}"
        lines.append(text)
    size = f"{args.width or WIDTH}x{args.height or HEIGHT} at {args.rate or RATE} Hz"
    lines.append(f"{sum(r['right'] for r in rows)}/{len(rows)} runs right; images {size}, perception {args.perception or 'simulator'}"
                 + (", in one process each" if args.in_process else ""))
    return {"lines": lines, "right": sum(r["right"] for r in rows), "count": len(rows)}
