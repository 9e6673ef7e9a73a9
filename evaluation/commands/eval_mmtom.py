"""``heed eval mmtom``: MMToM-QA, read and answered by the mind; trivial baselines and ablations in the same report."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluation import choice_report as scoring
from evaluation.cli import UsageError
from evaluation.mmtom_baselines import baselines
from evaluation.mmtom_items import Item, load
from evaluation.mmtom_perturb import Perturbation, perturbed
from evaluation.mmtom_solve import Ablation, Read, Solved, drop_visits, read, solve
from mind.config import MindConfig

HELP = """Answer MMToM-QA questions: one person, a home, what they did; what do they think, what do they want?

The file holds one JSON object a line (or one list). `answer` and `question_type` may be missing; they are used for scoring only.
Exit code 1 when some item could not be read: it is listed with its reason and counts as a uniform guess."""

# Accuracy in percent as published, columns 1.1 1.2 1.3 2.1 2.2 2.3 2.4 all (paper, table 2; AutoToM from its own paper).
_TYPES = ("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4")
_PUBLISHED: dict[str, dict[str, tuple[float | None, ...]]] = {
    "multimodal": {"human": (95.8, 96.7, 100, 90.0, 91.7, 83.3, 88.9, 93.0), "AutoToM": (None,) * 7 + (79.8,),
                   "BIP-ALM (LLaMA 2)": (88.0, 68.0, 85.0, 62.7, 77.3, 72.0, 80.0, 76.7),
                   "GPT-4V": (94.0, 13.0, 59.0, 56.0, 26.7, 4.0, 52.0, 44.0)},
    "text": {"human": (96.0, 95.8, 81.3, 85.8, 76.7, 65.0, 68.3, 82.5),
             "BIP-ALM (LLaMA 2)": (89.0, 68.0, 90.0, 54.7, 66.7, 50.7, 62.7, 70.5)},
}
_CAVEAT = """Read with care: the published rows number types 2.1 and 2.2 the other way round than the file does, so do not compare those two
columns; and a correct reading plus book-keeping of what was seen answers nearly everything (see the baselines): a high number here
shows reading and belief tracking, not deep planning."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--questions", required=True, metavar="FILE", help="questions, JSON lines")
    parser.add_argument("--condition", choices=("text", "multimodal"), default="text", help="multimodal adds --closeness (default: text)")
    parser.add_argument("--closeness", metavar="FILE", help="per episode and video step, the classes within a metre of the person")
    parser.add_argument("--drop-visits", type=float, default=0.0, metavar="SHARE",
                        help="forget this share of the earlier visits to places, in [0, 1] (robustness)")
    parser.add_argument("--perturb", choices=[k.value for k in Perturbation], help="retell every question first: other words, order, name, misspellings")
    parser.add_argument("--seed", type=int, default=0, help="for --drop-visits and --perturb (default: 0)")
    parser.add_argument("--no-ablations", action="store_true", help="leave out the ablations and baselines")
    parser.add_argument("--show", type=int, metavar="INDEX", help="print how this item was read and weighed, act by act, and stop")
    parser.add_argument("--output", metavar="FILE", help="write the report as JSON")


def run(args: argparse.Namespace) -> int:
    if not 0.0 <= args.drop_visits <= 1.0:
        raise UsageError(f"--drop-visits {args.drop_visits}: must be in [0, 1]")
    if args.condition == "multimodal" and not args.closeness:
        raise UsageError("--condition multimodal needs --closeness FILE")
    items = load(args.questions)
    if args.perturb:
        items = [perturbed(item, Perturbation(args.perturb), args.seed) for item in items]
    streams = load_closeness(args.closeness) if args.condition == "multimodal" else {}
    config = MindConfig()
    if args.show is not None:
        return _show(items, args.show, streams, config)
    result = evaluate_items(items, streams, config, drop=args.drop_visits, seed=args.seed, extras=not args.no_ablations,
                            multimodal=args.condition == "multimodal", progress=True)
    result = {"condition": args.condition, "perturbed": args.perturb, **result}
    if args.output:
        scoring.write_json(args.output, result)
    _print(result, args.condition)
    return 1 if result["unparsed"] else 0


def load_closeness(path: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Episode → step → class names. Raises UsageError."""
    content = scoring.read_json(path)
    if not isinstance(content, dict) or not all(isinstance(v, dict) for v in content.values()):
        raise UsageError(f"'{path}': expected an object of episodes, each an object of steps with lists of class names")
    for episode, steps in content.items():
        for step, names in steps.items():
            if not isinstance(names, list) or not all(isinstance(n, str) for n in names):
                raise UsageError(f"'{path}', episode {episode}, step {step}: expected a list of class names")
    return content


def stream_of(item: Item, streams: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Sequence[str]] | None:
    """The proximity stream up to the moment of the question; None where there is none."""
    steps = streams.get(item.episode or "")
    if not steps or item.end_time is None:
        return None
    return [steps.get(str(t), ()) for t in range(max(0, item.end_time) + 1)]


def evaluate_items(items: Sequence[Item], streams: Mapping, config: MindConfig, *, drop: float = 0.0, seed: int = 0, extras: bool = True,
                   multimodal: bool = False, progress: bool = False) -> dict:
    """The whole report. ``drop``: share of earlier visits forgotten, drawn with ``seed`` and the item's index. Times are processor time."""
    found: list[Read] = []
    solved: list[Solved] = []
    seconds = 0.0
    for n, item in enumerate(items):
        begin = time.process_time()
        one = read(item)
        if drop:
            acts = drop_visits(one.conduct.actions, drop, random.Random(f"{seed}/{item.index}"))
            one = replace(one, conduct=replace(one.conduct, actions=acts))
        solved.append(solve(one, config, stream_of(item, streams)))
        seconds += time.process_time() - begin
        found.append(one)
        if progress and (n + 1) % 100 == 0:
            print(f"  {n + 1} of {len(items)} questions", file=sys.stderr)
    answered = [_answered(r, s) for r, s in zip(found, solved)]
    extra = {"ablations": _ablations(found, config) if extras else {}, "reading": reading_report(found),
             "conflicts": [{"index": r.item.index, "kept": c.kept, "dropped": c.dropped, "reason": c.reason}
                           for r, s in zip(found, solved) for c in s.conflicts],
             "without_stream": [i.index for i in items if multimodal and stream_of(i, streams) is None],
             "drop_visits": drop, "seed": seed}
    return scoring.report(answered, seconds, baselines(answered, found) if extras else {}, extra)


def _answered(r: Read, s: Solved) -> scoring.Answered:
    truth = r.item.answer if r.item.answer in s.p else None
    return scoring.Answered({"index": r.item.index}, s.p, truth, r.item.kind, s.failed)


def _ablations(found: Sequence[Read], config: MindConfig) -> dict[str, float | None]:
    out: dict[str, float | None] = {}
    for ablation in (Ablation.LAST_ACT, Ablation.NO_VISIBILITY, Ablation.PRIOR):
        answered = [_answered(r, solve(r, config, ablation=ablation)) for r in found]
        out[ablation.value] = scoring.baseline(answered, lambda a: {o: round(p, 9) for o, p in a.p.items()})
    return out


def reading_report(found: Sequence[Read]) -> dict:
    """How much of the text became symbols; every problem with its item."""
    read_items = [r for r in found if r.home.places]
    containers = sum(1 for r in read_items for p in r.home.places if p in r.home.contents() or p in r.home.undescribed())
    silent = sum(len(r.home.undescribed()) for r in read_items)
    return {
        "questions_resolved": sum(not r.failed for r in found), "acts": sum(len(r.conduct.actions) for r in found),
        "places": sum(len(r.home.places) for r in found), "described_places": containers - silent,
        "containers_the_text_is_silent_about": silent, "items_with_a_silent_container": sum(bool(r.home.undescribed()) for r in found),
        "containers_presumed_empty": sum(len(r.home.presumed_empty()) for r in found),
        "states_complete": sum(bool(r.home.places) and r.home.undescribed() == r.home.presumed_empty() for r in found) / max(1, len(found)),
        "states_told_outright": sum(bool(r.home.places) and not r.home.undescribed() for r in found) / max(1, len(found)),
        "problems": [{"index": r.item.index, "problem": p} for r in found for p in r.problems],
    }


def _show(items: Sequence[Item], index: int, streams: Mapping, config: MindConfig) -> int:
    from mind.episode import evaluate
    from mind.reading.episodes import episode_of

    if not 0 <= index < len(items):
        raise UsageError(f"--show {index}: the file has items 0 to {len(items) - 1}")
    r = read(items[index])
    s = solve(r, config, stream_of(items[index], streams))
    for place, room in r.home.places.items():
        held = r.home.contents().get(place)
        print(f"{room:>12}  {place:<20} {'not said' if held is None else ', '.join(f'{n} {c}' for c, n in held.items()) or 'empty'}")
    print(f"{r.conduct.actor} starts in the {r.conduct.start_room}; given: {', '.join(map(str, r.given)) or '-'}")
    if not r.failed:
        result = evaluate(episode_of(r.home, r.conduct), tuple(r.options.values()), r.given, config)
        said = {c.index: c.log_likelihood for c in result.contributions}
        for k, act in enumerate(r.conduct.actions):
            print(f"  {str(act):<45} {'  '.join(f'{x:7.2f}' for x in said.get(k, ())):<24} “{act.span.of(items[index].conduct)}”")
    for letter, predicates in r.options.items():
        print(f"({letter}) {s.p[letter]:.4f}  {', '.join(map(str, predicates))}")
    for line in (*r.problems, *s.notes, *((f"not read: {s.failed}",) if s.failed else ())):
        print(f"  ! {line}")
    return 1 if s.failed else 0


def _print(result: Mapping, condition: str) -> None:
    scoring.print_report(f"MMToM-QA, {condition}", result)
    for name, value in result["ablations"].items():
        print(f"  ablation: {name:<60} {'-' if value is None else f'{100 * value:5.1f} %'}")
    reading = result["reading"]
    print(f"  read: {reading['questions_resolved']} of {result['count']} questions, {reading['acts']} acts, {reading['places']} places; states complete "
          f"{100 * reading['states_complete']:.1f} % ({100 * reading['states_told_outright']:.1f} % told outright, in the rest "
          f"{reading['containers_presumed_empty']} containers that a text telling all others leaves out are read as empty); "
          f"{len(reading['problems'])} problems reported")
    if result["accuracy"] is None:
        return
    print(f"\n  {'published (of 600)':<20}" + "".join(f"{t:>7}" for t in (*_TYPES, "all")))
    for name, row in _PUBLISHED[condition].items():
        print(f"  {name:<20}" + "".join(f"{'-' if x is None else f'{x:.1f}':>7}" for x in row))
    own = [result["by_type"].get(t) for t in _TYPES]
    print(f"  {'heed':<20}" + "".join(f"{'-' if not x else f'''{100 * x['accuracy']:.1f}''':>7}" for x in own) + f"{100 * result['accuracy']:7.1f}")
    print(_CAVEAT)
