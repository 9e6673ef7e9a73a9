"""Recorded runs as a sequence of step inputs, from a rosbag2 recording or from JSON lines, and the mind run over them again.

JSON lines: one object a line, ``{"graph": SceneGraph.to_dict(), "events": [HumanAction.to_dict(), …], "utterances": [Utterance.to_dict(), …]}``;
the lists may be left out. Raises :class:`ReplayError`, which names file, line and key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from evaluation.bags import BagError
from household.actions import HumanAction, Utterance
from household.ordering import Orderer, StepInput, event_stamp
from household.scene_graph import ROBOT, SceneGraph
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.output import Minds

MAX_LINE = 20_000_000  # characters


class ReplayError(ValueError):
    """A recording that cannot be read; the message says where and what is allowed."""


def inputs(path: Path) -> Iterator[StepInput]:
    """Step inputs in order of their graphs."""
    path = Path(path)
    if not path.exists():
        raise ReplayError(f"{path}: no such recording")
    yield from _from_bag(path) if path.is_dir() else _from_lines(path)


def _from_bag(path: Path) -> Iterator[StepInput]:
    from evaluation.demo import recording

    try:
        recorded = recording.load(path, images=False)
    except BagError as error:
        raise ReplayError(str(error)) from error
    orderer = Orderer()
    told = sorted((i for i in recorded.stream if _is_told(i)), key=_stamp)
    for item in recorded.stream:
        if isinstance(item, SceneGraph):
            while told and _stamp(told[0]) < item.stamp:  # the recorder may have heard them after the graph
                yield from orderer.add(told.pop(0))
            yield from orderer.add(item)
        elif isinstance(item, HumanAction) and not _is_told(item):
            yield from orderer.add(item)


def _is_told(item) -> bool:
    """Words and the robot's own acts: they come from others than perception, and belong to a graph by their stamp alone."""
    return isinstance(item, Utterance) or (isinstance(item, HumanAction) and item.actor == ROBOT)


def _stamp(item: Utterance | HumanAction) -> float:
    return item.stamp if isinstance(item, Utterance) else event_stamp(item)


def _from_lines(path: Path) -> Iterator[StepInput]:
    with path.open(encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            if not line.strip():
                continue
            where = f"{path}, line {n}"
            if len(line) > MAX_LINE:
                raise ReplayError(f"{where}: longer than {MAX_LINE} characters")
            try:
                entry = json.loads(line)
            except ValueError as error:
                raise ReplayError(f"{where}: not JSON ({error})") from error
            if not isinstance(entry, dict) or "graph" not in entry or set(entry) - {"graph", "events", "utterances"}:
                raise ReplayError(f"{where}: must be an object with 'graph' and, if any, 'events' and 'utterances'")
            try:
                yield StepInput(SceneGraph.from_dict(entry["graph"]), tuple(HumanAction.from_dict(e) for e in entry.get("events", ())),
                                tuple(Utterance.from_dict(u) for u in entry.get("utterances", ())))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise ReplayError(f"{where}: {type(error).__name__}: {error}") from error


def to_line(step: StepInput) -> str:
    """The JSON line of a step input."""
    return json.dumps({"graph": step.graph.to_dict(), "events": [e.to_dict() for e in step.events],
                       "utterances": [u.to_dict() for u in step.utterances]})


def minds(path: Path, config: MindConfig = MindConfig(), *, mark_at: float | None = None) -> Iterator[tuple[LiveState, Minds]]:
    """The mind's state and output after each input. From the first graph at or after ``mark_at`` on, everybody's filter keeps its trail."""
    state, marked = LiveState(), False
    for inp in inputs(path):
        state, out = live_step(state, inp, config)
        if mark_at is not None and not marked and inp.graph.stamp >= mark_at - 1e-9:
            marked = True
            people = {name: t.marked() for name, t in state.mind.people.items()}
            state = replace(state, mind=replace(state.mind, people=people))
        yield state, out
