"""``heed bench``: how long each stage takes, without ROS and without the renderer's share."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

HELP = """Latency per stage (p50, p95, p99 in milliseconds), frames per second and memory, on a story of the embedded world.

The stages run one after the other in this process, on rendered frames; rendering is timed apart. The scene graph is all of perception behind the
detector; its own stages stand below it, and its target beside it. A second part times the mind alone on 3 people × 50 objects × 50 places.

  heed bench --memory 30     # instead: 30 simulated minutes of people living on, small pictures; what memory holds, every 5 minutes"""


GEOMETRY = "scene graph"
PART = f"{GEOMETRY}: "  # before the names of its stages
TARGETS = {GEOMETRY: 15.0, "frame to decision": 333.0}  # ms, median


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--story", default="false_belief")
    parser.add_argument("--home", default=None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--frames", type=int, default=150, help="frames to run (default: 150)")
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=480)
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--perception", choices=("simulator", "detector"), default="simulator")
    parser.add_argument("--backend", default=None, help="which detector (default: the one that ships)")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=0, help="CPU threads of the detector (default 0: as many as there are cores, at most 4, as in the perception node)")
    parser.add_argument("--processor-time", action="store_true", help="count this process's processor time (of all its threads) instead of the clock: what other programs "
                        "take of the cores then does not show")
    parser.add_argument("--memory", type=float, default=None, metavar="MINUTES", help="measure memory over so many simulated minutes instead")
    parser.add_argument("--output", type=Path, help="write the figures as JSON")


def run(args: argparse.Namespace) -> int:
    if args.memory is not None:
        return _memory(args)
    figures = {"machine": _machine(), "stages": _stages(args), "memory_mib": None, "mind": _mind()}
    import psutil

    figures["memory_mib"] = round(psutil.Process().memory_info().rss / 2**20)
    print(f"\n{figures['machine']}")
    print("\n".join(table(figures["stages"])))
    print(f"memory {figures['memory_mib']} MiB\nmind, 3 people × 50 objects × 50 places: " + "  ".join(f"{k} {v:.2f} ms" for k, v in figures["mind"].items()))
    if args.output:
        _write(args.output, figures)
    return 0


def _memory(args: argparse.Namespace) -> int:
    from dataclasses import asdict, fields

    from evaluation.cli import UsageError
    from evaluation.memory import Row, growth, measure

    if not 0.1 <= args.memory <= 600:
        raise UsageError(f"--memory {args.memory}: must be 0.1 to 600 minutes")
    print("  ".join(f.name for f in fields(Row)), flush=True)
    rows = measure(args.memory, min(5.0, args.memory), home=args.home, seed=args.seed,
                   tell=lambda row: print("  ".join(f"{v:>{len(k)}}" for k, v in asdict(row).items()), flush=True))
    slope = growth(rows)
    print("growth after the warm-up: " + ("–" if slope is None else f"{slope:+.2f} MiB a minute"))
    if args.output:
        _write(args.output, {"machine": _machine(), "memory": [asdict(r) for r in rows], "growth_mib_per_minute": slope})
    return 0


def _write(path: Path, figures: dict) -> None:
    scratch = path.with_name(path.name + ".part")
    scratch.write_text(json.dumps(figures, indent=1))
    os.replace(scratch, path)


def _machine() -> str:
    import platform

    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def percentiles(samples: list[float]) -> dict[str, float]:
    """p50, p95, p99 of samples in milliseconds."""
    return {f"p{q}": float(np.percentile(samples, q)) for q in (50, 95, 99)}


def table(stages: Mapping[str, Mapping[str, float]]) -> list[str]:
    """A line for every stage, ``PART`` ones indented; what has a target says whether its median meets it."""
    lines = []
    for name, row in stages.items():
        wanted = TARGETS.get(name)
        verdict = "" if wanted is None else f"  wanted: {wanted:g} ms, {'met' if row['p50'] <= wanted else 'missed'}"
        lines.append(f"{'  ' + name.removeprefix(PART) if name.startswith(PART) else name:<24} " + "  ".join(f"{k} {v:8.1f} ms" for k, v in row.items()) + verdict)
    return lines


class StageClock:
    """Splits one step into its stages: called with each stage's name as it begins, and with "end"; ``spans``: name → seconds. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float]):
        self.spans: dict[str, float] = {}
        self._clock, self._stage, self._since = clock, None, 0.0

    def __call__(self, stage: str) -> None:
        now = self._clock()
        if self._stage is not None:
            self.spans[self._stage] = self.spans.get(self._stage, 0.0) + now - self._since
        self._stage, self._since = (None if stage == "end" else stage), now


def _stages(args: argparse.Namespace) -> dict[str, dict[str, float]]:
    from evaluation.cli import UsageError
    from evaluation.stack import Stack
    from household.ordering import StepInput
    from perception import detectors, home_map
    from perception.config import PerceptionConfig, suited
    from perception.detectors.simulator import keypoints_of
    from perception.frame import FrameInput
    from perception.pipeline import initial_state, step
    from sim_bridges.worlds import open_world

    sim = open_world("embedded", story=args.story, home=args.home, seed=args.seed, width=args.width, height=args.height, noise=True)
    home = sim.world.home
    state, stack = initial_state(home_map.from_rooms(home.rooms, home.doorways, home.wall_height)), Stack()
    simulator = args.perception == "simulator"
    name = "simulator" if simulator else args.backend or detectors.DEFAULT
    try:
        detector = detectors.create(name, **({} if simulator else {"device": args.device, **detectors.threading(name, args.threads)}))
    except detectors.DetectorError as error:
        raise UsageError(str(error)) from error
    config = suited(PerceptionConfig(), detector.tuning)
    times: dict[str, list[float]] = {"render (not the stack)": [], "detect": [], GEOMETRY: [], "mind and planner": [], "frame to decision": []}
    parts: dict[str, list[float]] = {}
    clock = time.process_time if args.processor_time else time.perf_counter
    for i in range(args.frames):
        if i % 10 == 0:
            print(f"\rframe {i} of {args.frames}", end="", file=sys.stderr, flush=True)
        begun = clock()
        sim.advance(1.0 / args.rate)
        frame = sim.frame()
        rendered = clock()
        if simulator:
            detector.see(frame.ids, {k: (v.entity, v.cls) for k, v in frame.instances.items()}, keypoints_of(frame.keypoints))
        found = detector.detect(frame.color, frame.depth, frame.camera, frame.camera_pose)
        detected = clock()
        given = FrameInput(frame.stamp, frame.color, frame.depth, frame.camera, frame.camera_pose, frame.robot_pose, tuple(found))
        split = StageClock(clock)
        state, graph, events = step(state, given, config, split)
        seen = clock()
        moment = stack.run(StepInput(graph, events, tuple(sim.heard())))
        if moment.out.gaze is not None:
            sim.look_at(moment.out.gaze)
        sim.stand_at(moment.out.stand)
        decided = clock()
        for name, span in zip(times, (rendered - begun, detected - rendered, seen - detected, decided - seen, decided - rendered)):
            times[name].append(span * 1000)
        for name, span in split.spans.items():
            parts.setdefault(PART + name, []).append(span * 1000)
    print("\r" + " " * 40 + "\r", end="", file=sys.stderr)
    ordered = [(n, s) for name, samples in times.items() for n, s in ((name, samples), *(parts.items() if name == GEOMETRY else ()))]
    return {name: percentiles(samples) for name, samples in ordered}


def _mind() -> dict[str, float]:
    """Milliseconds per update, 3 people × 50 objects × 50 places."""
    from evaluation.mind_bench import measure

    cost = measure(3, 50, 50)
    return {"p50": cost.p50, "p95": cost.p95, "p99": cost.p99}
