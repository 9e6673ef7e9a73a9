"""Is the mind as sure as it is right? Twelve-way online goal inference on two kinds of people, printed against simple baselines.

``python -m evaluation.calibration [--people model|embedded|both] [--episodes N] [--seed S] [--output FILE.json]``

People drawn from the mind's own model must come out calibrated (nothing is misspecified); the embedded world's people plan by other rules, and their
figure says what that costs. A sample is taken after every act. The last-act-only baseline is the same filter started afresh before each act, with
what the person can see in the room but no past.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation import embedded_people as embedded
from evaluation import model_people as ideal
from household.goals import GoalKind
from mind import beliefs as belief_model
from mind import inference
from mind.config import MindConfig
from mind.step import MindInput, MindState, step
from mind.visibility import by_rule

BINS = 10
FRACTIONS = 5


@dataclass(frozen=True)
class Sample:
    """After one act: ``p`` (12,) over the goals, ``last`` (12,) of the baseline, ``true`` index, ``fraction`` of the episode seen, in (0, 1]."""

    p: np.ndarray
    last: np.ndarray
    true: int
    fraction: float


@dataclass(frozen=True)
class Report:
    """``ece``: top-label expected calibration error over ten equal bins. ``bins``: (mean confidence, hit rate, share) of each that is not empty.
    ``by_fraction``: mean posterior of the true goal (model, last act only) per fifth of the episode. ``nll`` nats."""

    people: str
    episodes: int
    samples: int
    ece: float
    accuracy: float
    accuracy_last: float
    nll: float
    bins: tuple[tuple[float, float, float], ...]
    by_fraction: tuple[tuple[float, float], ...]

    def to_dict(self) -> dict:
        return {**vars(self), "bins": [list(b) for b in self.bins], "by_fraction": [list(f) for f in self.by_fraction], "uniform": 1 / 12}


def summarise(people: str, episodes: list[list[Sample]]) -> Report:
    """Raises ValueError when there is no sample."""
    samples = [s for e in episodes for s in e]
    if not samples:
        raise ValueError(f"no act was seen in {len(episodes)} episodes of {people} people")
    p = np.array([s.p for s in samples])
    true = np.array([s.true for s in samples])
    confidence, hit = p.max(axis=1), p.argmax(axis=1) == true
    ece, bins = calibration_error(confidence, hit)
    part = np.minimum((np.array([s.fraction for s in samples]) * FRACTIONS - 1e-9).astype(int), FRACTIONS - 1)
    own = p[np.arange(len(true)), true]
    last = np.array([s.last[s.true] for s in samples])
    hit_last = np.mean([s.last[s.true] >= s.last.max() - 1e-12 and (s.last >= s.last.max() - 1e-12).sum() == 1 for s in samples])
    by_fraction = tuple((float(own[part == k].mean()), float(last[part == k].mean())) for k in range(FRACTIONS) if (part == k).any())
    return Report(people, len(episodes), len(samples), ece, float(hit.mean()), float(hit_last),
                  float(-np.log(np.maximum(own, 1e-12)).mean()), bins, by_fraction)


def calibration_error(confidence: np.ndarray, hit: np.ndarray) -> tuple[float, tuple[tuple[float, float, float], ...]]:
    """ECE over ``BINS`` equal bins of confidence, and the bins."""
    index = np.minimum((confidence * BINS).astype(int), BINS - 1)
    ece, bins = 0.0, []
    for k in range(BINS):
        here = index == k
        if here.any():
            bins.append((float(confidence[here].mean()), float(hit[here].mean()), float(here.mean())))
            ece += bins[-1][2] * abs(bins[-1][0] - bins[-1][1])
    return ece, tuple(bins)


def of_model(count: int, seed: int, config: MindConfig, acts: int = 25) -> Iterator[list[Sample]]:
    """Episodes of people drawn from the mind's own model."""
    for i in range(count):
        home = ideal.random_home(np.random.default_rng([seed, i]))
        moments = list(ideal.live(home, config, seed * 100_003 + i, acts))
        out, before = [], ideal.begin(home, ideal.model_of(home, config))
        for n, (moment, state) in enumerate(ideal.watch(home, moments, config)):
            out.append(Sample(state.posterior.goals(), _afresh(ideal.model_of(home, config), before, home.at, moment.act),
                              ideal.GOALS.index(moment.goal), (n + 1) / len(moments)))
            before, _ = inference.consequences(ideal.model_of(home, config), state, moment.act)
        yield out


def _afresh(model, before, at: dict[int, int], deed) -> np.ndarray:
    """The goal posterior from one act alone."""
    situation = before.situation
    blank = inference.start(model, belief_model.init(len(model.objects), model.layout.holds, model.config), situation.site, situation.closed)
    room = int(model.layout.room[situation.site])
    if room >= 0:
        blank, _ = inference.perceive(model, blank, by_rule(model.layout, room, situation.closed, at))
    return inference.act(model, blank, deed)[0].posterior.goals()


def of_embedded(count: int, seed: int, config: MindConfig, homes: tuple[str, ...] | None = None) -> Iterator[list[Sample]]:
    """Episodes of the embedded world's people, homes taken in turn."""
    names = homes or embedded.homes()
    for i in range(count):
        yield watch_recorded(embedded.record(names[i % len(names)], seed + i), config)


def watch_recorded(recorded: embedded.Recorded, config: MindConfig) -> list[Sample]:
    """The online step over one recorded episode, sampled after every graph that came with an act of the person."""
    state, out = MindState(), []
    for graph, events in recorded.stream:
        state, _ = step(state, MindInput(graph, events), config)
        t = state.people.get(recorded.person)
        if t is not None and any(e.actor == recorded.person for e in events):
            last = t.memory.acts[-1].gain if t.memory.acts else np.zeros(len(t.model.space.goals))
            out.append((twelve(t.model.space, t.state.posterior.goals()), twelve(t.model.space, t.model.space.prior * np.exp(np.asarray(last)))))
    true = embedded.TWELVE.index(recorded.goal.targets[0])
    return [Sample(p, q, true, (n + 1) / len(out)) for n, (p, q) in enumerate(out)]


def twelve(space, goals: np.ndarray) -> np.ndarray:
    """P(after this one | after one of the twelve), (12,): GET and PUT goals of each class together."""
    p = np.full(12, 1e-12)
    for goal, value in zip(space.goals, goals):
        if goal.kind in (GoalKind.GET, GoalKind.PUT) and goal.targets[0] in embedded.TWELVE:
            p[embedded.TWELVE.index(goal.targets[0])] += value
    return p / p.sum()


def table(report: Report) -> str:
    """For people to read."""
    lines = [f"{report.people} people: {report.episodes} episodes, {report.samples} acts",
             f"  ECE {report.ece:.3f}   top-1 {report.accuracy:.3f} (last act only {report.accuracy_last:.3f}, chance 0.083)   NLL {report.nll:.3f}"
             f" (uniform {np.log(12):.3f})",
             "  P(true goal) by fifth of the episode: " + "  ".join(f"{a:.2f} (last act {b:.2f})" for a, b in report.by_fraction)
             + "   uniform 0.083",
             "  confidence → hit rate (share): " + "  ".join(f"{c:.2f}→{h:.2f} ({s:.0%})" for c, h, s in report.bins)]
    return "\n".join(lines)


def collect(people: str, count: int, seed: int, config: MindConfig) -> Report:
    """Runs the episodes, with progress on stderr."""
    source = of_model(count, seed, config) if people == "model" else of_embedded(count, seed, config)
    episodes = []
    for n, samples in enumerate(source, 1):
        episodes.append(samples)
        if sys.stderr.isatty() or n % 50 == 0:
            print(f"\r{people}: {n}/{count} episodes", end="" if sys.stderr.isatty() else "\n", file=sys.stderr)
    return summarise(people, episodes)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evaluation.calibration", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", choices=("model", "embedded", "both"), default="both")
    parser.add_argument("--episodes", type=int, default=150)
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument("--output", type=Path, help="write the result as JSON")
    args = parser.parse_args(argv)
    if not 1 <= args.episodes <= 100_000:
        parser.error(f"--episodes {args.episodes}: must be 1 to 100000")
    reports = [collect(p, args.episodes, args.seed, MindConfig()) for p in (("model", "embedded") if args.people == "both" else (args.people,))]
    for report in reports:
        print(table(report))
    if args.output:
        scratch = args.output.with_name(args.output.name + ".part")
        scratch.write_text(json.dumps({r.people: r.to_dict() for r in reports}, indent=1))
        os.replace(scratch, args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
