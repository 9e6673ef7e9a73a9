"""``heed ask``: what somebody thought or wanted in a recorded run, and why."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

HELP = """Ask what somebody thinks or wants, of a recorded run.

  heed ask RUN "does Alice think the apple is in the fridge, and why?"
  heed ask RUN "where did Alice think the apple was?" --at 31.5
  heed ask RUN "what does Alice want?" --at 31.5 --hindsight

RUN is a rosbag2 directory, or a file of JSON lines, one per scene graph: {"graph": …, "events": […], "utterances": […]}. The mind is run over it
again, so the answer is that of this version of the mind. --hindsight: goals at that time in the light of everything that was done afterwards."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="rosbag2 directory or JSON-lines file")
    parser.add_argument("question")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="message time the question is about (default: the end)")
    parser.add_argument("--hindsight", action="store_true", help="for questions about goals: weigh what was done later, too")
    parser.add_argument("--output", type=Path, help="write the answer as JSON")


def run(args: argparse.Namespace) -> int:
    from evaluation.cli import UsageError
    from evaluation.replay import ReplayError
    from mind.queries import Asked, QueryError, answer, in_hindsight, minds_at, read_question

    if args.hindsight and args.at is None:
        raise UsageError("--hindsight needs --at SECONDS: the moment to look back on")
    try:
        past, then, now = _replayed(args.run, args.at if args.hindsight else None)
        question = read_question(args.question, past[-1])
        reply = answer(question, minds_at(past, args.at))
        result = {"question": args.question, **reply.to_dict()}
        print(f"[{reply.stamp:.1f} s] {reply.words}")
        if args.hindsight:
            if question.asked not in (Asked.WANTS, Asked.AFTER):
                raise QueryError("--hindsight is for questions about goals (what does … want? is … looking for …?)")
            if then is None or question.person not in then.mind.people:
                raise QueryError(f"{question.person} had not been seen by {args.at:.1f} s")
            goals = in_hindsight(then.mind.people[question.person], now.mind.people[question.person])
            ranked = sorted(goals.items(), key=lambda gp: -gp[1])[:5]
            print("in hindsight: " + ", ".join(f"{g.spoken()} ({p:.0%})" for g, p in ranked))
            result["hindsight"] = [[g.to_dict(), p] for g, p in ranked]
    except (ReplayError, QueryError) as error:
        raise UsageError(str(error)) from error
    if args.output:
        scratch = args.output.with_name(args.output.name + ".part")
        scratch.write_text(json.dumps(result, indent=1))
        os.replace(scratch, args.output)
    return 0


def _replayed(path: Path, mark_at: float | None):
    """(all minds, the state at the first graph from ``mark_at`` on or None, the last state). Raises ReplayError."""
    from evaluation.replay import ReplayError, minds

    past, then, state = [], None, None
    for state, out in minds(path, mark_at=mark_at):
        past.append(out)
        if then is None and mark_at is not None and out.stamp >= mark_at - 1e-9:
            then = state
    if not past:
        raise ReplayError(f"{path}: holds no scene graph")
    return past, then, state
