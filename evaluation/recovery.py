"""Do planted parameters come back, and what do people's acts say the parameters are? Maximum likelihood of acts, nothing else.

``python -m evaluation.recovery [--episodes N] [--seed S] [--output FILE.json]``: people drawn from the mind's model with parameters that are not the
defaults; the fit starts at the defaults. ``--fit``: the same fit to the embedded world's people in two of its homes, which is where the
defaults of ``mind.config`` come from. ``--misspecified``: how sure the mind is of people who do not act by its model at all.
No question about anybody's mind is ever used.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from evaluation import calibration
from evaluation import embedded_people as embedded
from evaluation import model_people as ideal
from mind.config import MindConfig, parameters
from mind.step import MindInput, MindState, step

PLANTED = {"rationality": 2.0, "room_walk_cost": 2.0, "metre_cost": 0.6, "close_habit": 0.6, "act_noise": 0.06}
FITTED = ("rationality", "stop_cost", "metre_cost", "room_walk_cost", "close_habit", "prior_knowledge", "act_noise", "usual_room_weight")
TRAINING_HOMES = ("maple", "orchard")


@dataclass(frozen=True)
class Fit:
    """``values``: parameter → estimate. ``log_likelihood`` of the acts there, nats; ``at_start`` before fitting; ``acts``: how many."""

    values: dict[str, float]
    log_likelihood: float
    at_start: float
    acts: int


def maximise(score: Callable[[MindConfig], float], start: MindConfig, names: tuple[str, ...], sweeps: int = 3, stride: float = 0.5,
             log: Callable[[str], None] = lambda _: None) -> tuple[MindConfig, float]:
    """Coordinate ascent in log parameters: a parabola through three points, its top tried, the stride halved each sweep."""
    limits = {name: (low, high) for name, _, low, high, _ in parameters()}
    config, best = start, score(start)
    for sweep in range(sweeps):
        for name in names:
            config, best = _climb(score, config, best, name, stride, limits[name])
            log(f"sweep {sweep + 1}: {name} = {getattr(config, name):.4g}, log likelihood {best:.1f}")
        stride /= 2
    return config, best


def _climb(score, config: MindConfig, best: float, name: str, stride: float, limits: tuple[float, float]) -> tuple[MindConfig, float]:
    here = np.log(max(getattr(config, name), 1e-4))

    def at(x: float) -> tuple[MindConfig, float]:
        tried = replace(config, **{name: float(np.clip(np.exp(x), max(limits[0], 1e-6), limits[1] * (1 - 1e-9)))})
        return tried, score(tried)

    low, high = at(here - stride), at(here + stride)
    curve = low[1] - 2 * best + high[1]
    tried = [(config, best), low, high]
    if curve < 0:
        tried.append(at(here + np.clip(0.5 * stride * (low[1] - high[1]) / curve, -1.5 * stride, 1.5 * stride)))
    return max(tried, key=lambda pair: pair[1])


def recover(count: int, seed: int, planted: dict[str, float] = PLANTED, log: Callable[[str], None] = lambda _: None) -> Fit:
    """Fit people who were drawn with ``planted``; starts at the defaults."""
    episodes = ideal.episodes(count, replace(MindConfig(), **planted), seed)
    acts = sum(len(moments) for _, moments in episodes)

    def score(config: MindConfig) -> float:
        return ideal.log_likelihood(episodes, config)

    at_start = score(MindConfig())
    config, best = maximise(score, MindConfig(), tuple(planted), log=log)
    return Fit({n: getattr(config, n) for n in planted}, best, at_start, acts)


def fit_embedded(count: int, seed: int, log: Callable[[str], None] = lambda _: None, start: MindConfig = MindConfig()) -> Fit:
    """Fit the embedded world's people in the training homes."""
    recorded = [embedded.record(TRAINING_HOMES[i % 2], seed + i) for i in range(count)]
    acts = 0

    def score(config: MindConfig) -> float:
        nonlocal acts
        total, acts = 0.0, 0
        for episode in recorded:
            state = MindState()
            for n, (graph, events) in enumerate(episode.stream):
                if events or n % 4 == 0:
                    state, _ = step(state, MindInput(graph, events), config)
            watched = state.people[episode.person].state
            total, acts = total + watched.posterior.log_evidence, acts + watched.acts
        return total

    at_start = score(start)
    config, best = maximise(score, start, FITTED, sweeps=2, log=log)
    return Fit({n: getattr(config, n) for n in FITTED}, best, at_start, acts)


def misspecified(count: int, seed: int) -> dict[str, dict[str, float]]:
    """Mean confidence, accuracy and calibration for people ever farther from the model that watches them (the defaults)."""
    kinds = {"as modelled": {}, "careless": {"rationality": 0.7, "act_noise": 0.15}, "erratic": {"rationality": 0.3, "act_noise": 0.45},
             "never closes anything": {"close_habit": 0.0}, "changes their mind": {"goal_switch_rate": 0.15}}
    out = {}
    for name, changes in kinds.items():
        samples = []
        for home, moments in ideal.episodes(count, replace(MindConfig(), **changes), seed):
            samples += [(s.posterior.goals(), ideal.GOALS.index(m.goal)) for m, s in ideal.watch(home, moments, MindConfig())]
        p = np.array([p for p, _ in samples])
        hit = p.argmax(axis=1) == np.array([t for _, t in samples])
        out[name] = {"confidence": float(p.max(axis=1).mean()), "accuracy": float(hit.mean()),
                     "ece": calibration.calibration_error(p.max(axis=1), hit)[0]}
    return out


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m evaluation.recovery", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=40)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--fit", action="store_true", help="fit the embedded world's people instead")
    what.add_argument("--misspecified", action="store_true", help="watch people who do not act by the model")
    parser.add_argument("--output", type=Path, help="write the result as JSON")
    args = parser.parse_args(argv)
    if not 1 <= args.episodes <= 100_000:
        parser.error(f"--episodes {args.episodes}: must be 1 to 100000")
    result = _report(args)
    if args.output:
        scratch = args.output.with_name(args.output.name + ".part")
        scratch.write_text(json.dumps(result, indent=1))
        os.replace(scratch, args.output)
    return 0


def _report(args: argparse.Namespace) -> dict:
    def log(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if args.misspecified:
        result = misspecified(args.episodes, args.seed)
        for name, row in result.items():
            print(f"{name:>24}: confidence {row['confidence']:.3f}  accuracy {row['accuracy']:.3f}  ECE {row['ece']:.3f}")
        return result
    if args.fit:
        fit = fit_embedded(args.episodes, args.seed, log)
        print(f"{fit.acts} acts of the embedded world's people in {', '.join(TRAINING_HOMES)}: log likelihood {fit.at_start:.1f} at the defaults, "
              f"{fit.log_likelihood:.1f} at")
        for name, value in fit.values.items():
            print(f"{name:>18} {value:8.3f}   (default {getattr(MindConfig(), name):.3f})")
        return vars(fit)
    fit = recover(args.episodes, args.seed, log=log)
    print(f"{fit.acts} acts of people drawn from the model: log likelihood {fit.at_start:.1f} at the defaults, {fit.log_likelihood:.1f} fitted")
    for name, value in fit.values.items():
        print(f"{name:>18} planted {PLANTED[name]:6.3f}   recovered {value:6.3f}   ({value / PLANTED[name] - 1:+.1%})")
    return {**vars(fit), "planted": PLANTED}


if __name__ == "__main__":
    sys.exit(main())
