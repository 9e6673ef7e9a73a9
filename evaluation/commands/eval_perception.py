"""``heed eval perception``: detector and scene graph against generated apartments that nothing was trained on."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

HELP = """Score perception on held-out generated homes (and meshes) with people doing errands in them.

  heed eval perception --seed 100 --count 5
  heed eval perception --seed 100 --count 5 --perception simulator --output perception.json

Every seed is a home of the test split, a robot that goes where it sees better from what it perceives, and two people with random errands. Truth is the
embedded world's. --perception detector sees pixels only; simulator takes the instance image as segmentation, so that the geometry, the
tracker and the events can be judged alone. --home NAME runs a shipped home instead (not held out)."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=100, help="first seed (default 100)")
    parser.add_argument("--count", type=int, default=3, help="how many homes (default 3)")
    parser.add_argument("--perception", choices=("detector", "simulator"), default="detector")
    parser.add_argument("--detector", default=None, metavar="NAME", help="which detector (default: the one the project ships)")
    parser.add_argument("--weights", type=Path, default=None, help="weights file for the detector")
    parser.add_argument("--home", action="append", default=None, metavar="NAME", help="a shipped home or home file instead of generated ones")
    parser.add_argument("--story", choices=("chores", "false_belief", "twin"), default="chores")
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=480)
    parser.add_argument("--rate", type=float, default=5.0, help="frames per simulated second (default 5)")
    parser.add_argument("--seconds", type=float, default=60.0, help="longest run, simulated (default 60)")
    parser.add_argument("--no-noise", action="store_true", help="a perfect camera instead of the sensor-noise model")
    parser.add_argument("--no-names", action="store_true", help="nobody is recognised: people are told apart by looks and motion")
    parser.add_argument("--output", type=Path, help="write the result as JSON")


def run(args: argparse.Namespace) -> int:
    from evaluation.cli import UsageError

    for name, low, high in (("count", 1, 1000), ("width", 64, 4096), ("height", 48, 4096), ("rate", 0.5, 60.0), ("seconds", 1.0, 3600.0)):
        value = getattr(args, name)
        if not low <= value <= high:
            raise UsageError(f"--{name} {value}: must be {low} to {high}")
    from evaluation.detection_score import DetectionScore
    from evaluation.perception_score import Score, score

    total, boxes, items = Score(), DetectionScore(), []
    detector = _detector(args)
    jobs = [(args.seed + i, home) for i in range(args.count) for home in (args.home or [None])]
    for number, (seed, home) in enumerate(jobs, start=1):
        print(f"[{number}/{len(jobs)}] seed {seed}" + (f" in {home}" if home else ""), file=sys.stderr, flush=True)
        one = Score()
        record = _one(seed, home, args, detector, boxes)
        score(record, one)
        score(record, total)
        items.append({"seed": seed, "home": record.home.name, "frames": len(record.graphs), **_brief(one.summary()),
                      "script_problems": record.problems})
    result = {**boxes.summary(), **total.summary(), "perception": args.perception, "camera": f"{args.width}x{args.height}",
              "rate_hz": args.rate, "noise": not args.no_noise, "names": not args.no_names, "held_out": not args.home,
              "count": len(jobs), "seed": args.seed, "items": items}
    _print(result)
    if args.output:
        scratch = args.output.with_name(args.output.name + ".part")
        try:
            scratch.write_text(json.dumps(result, indent=1))
            os.replace(scratch, args.output)
        except OSError as error:
            raise UsageError(f"--output {args.output}: {error.strerror}") from error
    return 0


def _detector(args: argparse.Namespace):
    """None for the simulator's segmentation; else a detector. Raises UsageError."""
    from evaluation.cli import UsageError
    from perception import detectors

    if args.perception == "simulator":
        return None
    options = {} if args.weights is None else {"weights": args.weights}
    try:
        return detectors.create(args.detector or detectors.DEFAULT, **options)
    except (detectors.DetectorError, OSError) as error:
        raise UsageError(f"--perception detector: {error}") from error


def _one(seed: int, home: str | None, args: argparse.Namespace, detector, boxes):
    from evaluation import perception_run
    from evaluation.cli import UsageError
    from perception.config import PerceptionConfig, suited
    from sim_bridges.embedded.generate_home import generate_home
    from sim_bridges.embedded.home import HomeError, load_home
    from sim_bridges.embedded.noise import add_sensor_noise

    try:
        place = generate_home(seed, split="test") if home is None else load_home(home)
    except (HomeError, OSError) as error:
        raise UsageError(f"--home {home}: {error}") from error
    if args.story == "chores":
        scripts = perception_run.chores(place, seed)
    else:
        scripts = perception_run.false_belief_story(place, args.story == "twin")
    return perception_run.run(place, scripts, seed=seed, width=args.width, height=args.height, rate=args.rate, most_seconds=args.seconds,
                              config=suited(PerceptionConfig(), {} if detector is None else detector.tuning),
                              noise=None if args.no_noise else add_sensor_noise, split="test" if home is None else "train",
                              detect=None if detector is None else detector.detect, names=not args.no_names, judge=boxes.add, shadows=True)


def _brief(summary: dict) -> dict:
    keys = ("event_f1", "open_closed_accuracy", "visibility_accuracy", "witness_accuracy", "facing_median_deg", "id_switches_per_min",
            "ghosts_per_min")
    return {k: summary[k] for k in keys}


def _print(r: dict) -> None:
    def show(value) -> str:
        return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)

    print(f"perception: {r['perception']}, {r['camera']} at {r['rate_hz']} Hz, noise {'on' if r['noise'] else 'off'}, "
          f"{r['count']} home(s), {'held out' if r['held_out'] else 'shipped'}, {r['minutes']:.1f} simulated minutes")
    for key in ("box_map50", "mask_map50", "mask_map50_ge100px", "mask_map50_all_names", "mask_map50_all_names_ge100px",
                "open_closed_accuracy", "open_closed_changes", "open_closed_false_changes", "remembered_place_accuracy", "object_position_median_m", "person_position_median_m", "facing_median_deg", "event_f1", "event_f1_sure", "event_time_error_median_s", "visibility_accuracy",
                "witness_accuracy", "witness_in_view_accuracy", "witness_count", "events_beyond_sight", "events_beyond_sight_told", "id_switches_per_min",
                "ghosts_per_min"):
        print(f"  {key:28} {show(r[key])}")
    for name, table in (("relation", r["relations"]), ("event", r["events_by_verb"])):
        for kind, s in table.items():
            print(f"  {name} {kind:12} precision {show(s['precision'])}  recall {show(s['recall'])}  f1 {show(s['f1'])}  of {s['count']}")
    print("  ms (CPU): " + ", ".join(f"{k} {show(v)}" for k, v in r["ms"].items()))
