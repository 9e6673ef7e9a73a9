"""``heed eval scenarios``: generated helping scenarios with paired controls, closed loop, scored against the truth."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from evaluation.cli import UsageError
from evaluation.scenarios import LEAST_HOMES, MIX, PEOPLE, VARIANTS, Family, Variant, plan_mix

HELP = """Play generated helping scenarios, each with a control in which nothing should be done, and score what the robot did.

Families: false_belief (somebody looks where it no longer is), special (wheelchair, child), property (tap left running, power cut),
combination (board and carrot: the knife), dialogue ("my mouth is so dry"). Every scenario is played three times: without a robot,
with it, and its control with it. --perception symbolic plays the mind and the planner on perfect perception, without rendering;
simulator and detector render every frame."""

PERCEPTIONS = ("symbolic", "simulator", "detector")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="draws homes, people, things and stories (default 0)")
    parser.add_argument("--count", type=int, default=40, help="how many scenarios, besides their controls (default 40; 590 is a full set)")
    parser.add_argument("--full", action="store_true", help="a full set: 390 false beliefs, 200 implicit goals (with --family: all of that one)")
    parser.add_argument("--numbers", type=int, nargs="+", metavar="N", help="only these scenarios of the set, 0 to COUNT-1")
    parser.add_argument("--plan", action="store_true", help="only print what would be played")
    parser.add_argument("--family", choices=[f.value for f in Family], help="only this family")
    parser.add_argument("--perception", choices=PERCEPTIONS, default="symbolic", help="what the robot sees with (default symbolic)")
    parser.add_argument("--size", type=int, nargs=2, metavar=("WIDTH", "HEIGHT"), help="of rendered pictures (default: simulator 640 480, detector 1280 960)")
    parser.add_argument("--homes", type=int, default=10, help="how many homes they play in, shipped ones first (default 10)")
    parser.add_argument("--jobs", type=int, default=0, help="processes (default: as many as cores, at most 4)")
    parser.add_argument("--export", metavar="DIR", help="also write every scenario as a home and a story for heed demo --story")
    parser.add_argument("--output", metavar="FILE.json", help="write the result as JSON")


def run(args: argparse.Namespace) -> int:
    _check(args)
    from evaluation.scenarios_build import pool
    from evaluation.scenarios_scores import summary

    started = time.process_time(), time.monotonic()
    family = Family(args.family) if args.family else None
    plan = plan_mix(sum(n for f, n in MIX.items() if family in (None, f)) if args.full else args.count, family, args.seed)
    if args.plan:
        print("\n".join(_planned(plan)))
        return 0
    homes = pool(args.seed, args.homes)
    numbers = sorted(set(args.numbers or range(len(plan))))
    if not 0 <= numbers[0] <= numbers[-1] < len(plan):
        raise UsageError(f"--numbers {' '.join(map(str, numbers))}: this set has numbers 0 to {len(plan) - 1}")
    plan = {n: plan[n] for n in numbers}
    jobs = min(len(plan), args.jobs or min(4, os.cpu_count() or 1)) if args.perception == "symbolic" else 1
    rows, dropped, spent = [], [], 0.0
    for done, (lines, reason, cpu) in enumerate(_play(plan, args, homes, jobs), 1):
        rows = sorted([*rows, *lines], key=lambda r: r["index"])
        dropped += [reason] if reason else []
        spent += cpu
        if args.perception != "symbolic" or done == len(plan):  # pictures take long: what there is is kept
            result = {**summary(rows), "seed": args.seed, "perception": args.perception, "homes": [h.name for h in homes],
                      "unparsed": [{"reason": d} for d in dropped], **_spent(started, spent if jobs > 1 else 0.0, len(rows)), "items": rows}
            _keep(args.output, result)
        print(f"\r{done}/{len(plan)} scenarios, {sum(r['right'] for r in rows)}/{len(rows)} right", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    _print(result)
    return 0


def _spent(started: tuple[float, float], elsewhere: float, count: int) -> dict:
    """Seconds since ``started`` (processor time, clock), with what other processes spent; and milliseconds a run."""
    cpu = round(elsewhere + time.process_time() - started[0], 1)
    return {"wall_s": round(time.monotonic() - started[1], 1), "cpu_s": cpu, "ms_per_item": round(1000.0 * cpu / max(1, count), 1)}


def _planned(plan: tuple[tuple[Family, Variant], ...]) -> list[str]:
    """What a plan holds, in words."""
    variants, people = Counter(v for _, v in plan), Counter(PEOPLE[v] for _, v in plan)
    rows = [f"{f.value:14}{sum(g is f for g, _ in plan):>5}   " + ", ".join(f"{v.value} {variants[v]}" for v, _ in VARIANTS[f]) for f in Family]
    return [f"{len(plan)} scenarios, each with its control", *rows, "people        " + ", ".join(f"{n}: {people[n]}" for n in sorted(people))]


def _check(args: argparse.Namespace) -> None:
    for name, low, high in (("seed", 0, 2**31 - 1), ("count", 1, 100_000), ("homes", 1, 500), ("jobs", 0, 64)):
        value = getattr(args, name)
        if not low <= value <= high:
            raise UsageError(f"--{name} {value}: allowed {low} to {high}")
    if args.size and not (64 <= args.size[0] <= 4096 and 48 <= args.size[1] <= 4096):
        raise UsageError(f"--size {args.size[0]} {args.size[1]}: allowed 64 48 to 4096 4096")
    if args.full and args.homes < LEAST_HOMES:
        raise UsageError(f"--homes {args.homes}: a full set is played in at least {LEAST_HOMES} homes")
    for name in ("output", "export"):
        value = getattr(args, name)
        if value and not Path(value).absolute().parent.is_dir():
            raise UsageError(f"--{name} {value}: the folder {Path(value).absolute().parent} does not exist")


_SHARED: dict = {}  # what every worker needs once: the homes and the arguments


def _prepare(homes, args) -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    _SHARED.update(homes=homes, args=args)


def _play(plan: dict[int, tuple[Family, Variant]], args: argparse.Namespace, homes, jobs: int) -> Iterator[tuple[list[dict], str, float]]:
    """Results as they come; one process or several give the same lines."""
    _prepare(homes, args)
    if jobs <= 1:
        for i, (family, variant) in plan.items():
            yield _one(i, family, variant)
        return
    with ProcessPoolExecutor(jobs, initializer=_prepare, initargs=(homes, args)) as workers:
        for future in as_completed([workers.submit(_one, i, f, v) for i, (f, v) in plan.items()]):
            yield future.result()


def _one(number: int, family: Family, variant: Variant) -> tuple[list[dict], str, float]:
    """The lines of one scenario and its control, why there are none, and the processor seconds spent."""
    from evaluation.scenarios_build import TooHard, build
    from evaluation.scenarios_run import with_robot
    from evaluation.scenarios_scores import item

    args, began = _SHARED["args"], time.process_time()
    try:
        pair = build(args.seed, number, family, variant, _SHARED["homes"])
    except TooHard as problem:
        return [], str(problem), time.process_time() - began
    if args.export:
        from evaluation.scenarios_export import export

        export(pair, Path(args.export))
    make_observer = _observer(args.perception, args.size)
    lines = []
    for scenario in (pair.scenario, pair.control):
        row = item(scenario, pair.alone, with_robot(scenario, make_observer))
        lines.append({"index": 2 * number + int(scenario.control), **row})
    return lines, "", time.process_time() - began


def _observer(perception: str, size: Sequence[int] | None) -> Callable | None:
    if perception == "symbolic":
        return None
    from evaluation.scenarios_rendered import observer_for

    return observer_for(perception, size and tuple(size))


def _print(result: dict) -> None:
    fb = result["false_belief"]
    print(f"{result['count']} runs (half of them controls), seed {result['seed']}, {len(result['homes'])} homes, {result['perception']} perception")
    print("; ".join(f"{name} " + ", ".join(f"{k} {n}" for k, n in counts.items()) for name, counts in result["mix"].items()))
    print(f"false beliefs: precision {_f(fb['precision'])}, recall {_f(fb['recall'])} ({fb['true']} true)")
    print(f"{'':22}{'n':>4} {'decision':>9} {'helped':>7} {'saved s':>8} {'acts on controls':>17} {'reward':>7} {'BDI/10':>7} {'view/4':>7}")
    groups = {**result["by_family"], **({"all implicit": result["implicit"]} if result["implicit"] else {}), "all": result}
    for name, g in groups.items():
        n = g["count"] if name != "all" else g["count"] - g["controls"]
        print(f"{name:22}{n:>4} {_f(g['decision_accuracy']):>9} {_f(g['helped_rate']):>7} {_f(g['seconds_saved_mean'], 1):>8} "
              f"{_f(g['false_correction_rate']):>17} {_f(g['mind_reward']):>7} {_f(g['bdi_consistency'], 1):>7} {_f(g['robot_centric'], 1):>7}")
    print(f"repeated sentences: {result['repeats']}; accuracy with controls {_f(result['accuracy'])} against "
          + ", ".join(f"{k} {_f(v)}" for k, v in result["baselines"].items()))
    ms = result["decision_ms"]
    print(f"decision after its frame: p50 {_f(ms['p50'], 1)} ms, p95 {_f(ms['p95'], 1)} ms ({ms['count']} decisions)")
    for row in (r for r in result["items"] if not r["right"]):
        print(f"wrong: number {row['index'] // 2}{', its control' if row['control'] else ''} ({row['variant']} in {row['home']}): {row['act']}")
    for line in result["unparsed"]:
        print(f"not played: {line['reason']}")
    print(f"{result['wall_s']} s, {result['cpu_s']} s of processor time")


def _f(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _keep(output: str | None, result: dict) -> None:
    if output is None:
        return
    path = Path(output)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps(result, indent=1), encoding="utf-8")
        part.replace(path)
    except OSError as problem:
        part.unlink(missing_ok=True)
        raise UsageError(f"--output {path}: {problem.strerror}") from None
