"""One scenario, closed loop: world → observer → mind → planner → executor → world, in lockstep, and beside it the truth.

The observer is whatever turns a world into (scene graph, events): the symbolic one here, a perception pipeline elsewhere; everything after it
is the same code that the nodes run. Truth (people's own memories, what really happened) is read for the record only.
Invariant: a run is a function of (scenario, observer, configuration); the robot's own doings enter as the executor's events.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import yaml

from household.actions import HumanAction
from household.ordering import StepInput, event_stamp
from household.scene_graph import ELSEWHERE, ROBOT, Entity, Openness, SceneGraph, Tracking
from mind.config import MindConfig
from mind.live import LiveState, live_step
from mind.output import Minds
from planner.acts import HelpKind
from planner.config import PlannerConfig
from planner.decision import Decision
from planner.execution import Executor
from planner.memory import PlannerState
from planner.step import PlannerInput, step
from sim_bridges.embedded.observe import SymbolicObserver
from sim_bridges.embedded.robot_body import EmbeddedBody
from sim_bridges.embedded.spots import size_of
from sim_bridges.embedded.story import open_story
from sim_bridges.embedded.story_file import load_story
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation.scenarios import Aim, AimKind, Scenario

PERIOD_S = 0.4
PROBE_S = 1.5  # after the goal was taken up, beliefs are compared (earlier when the robot decides earlier)
AFTER_S = 2.0  # goes on so long after the aim was reached


class Observer(Protocol):
    """May also have ``true_names(world, graph)``: its own ids → the home's, where they differ (for scoring only); ``heard(world, graph, said)``: words as
    from whom it knows the speakers by; and ``seconds``: what the last look took, rendering left out."""

    def observe(self, world: EmbeddedWorld) -> tuple[SceneGraph, list[HumanAction]]: ...


class Resident(SymbolicObserver):
    """The symbolic observer of a robot that lives here: it remembers where some things were put before the story began."""

    def __init__(self, world: EmbeddedWorld, known: frozenset[str]):
        super().__init__(world.home)
        for name in sorted(known):
            state, thing = world.state.things[name], self._things[name]
            width, depth, height = size_of(thing)
            self._entities[name] = Entity(name, thing.cls, state.position, (depth, width, height), state.yaw, Openness.NONE,
                                          Tracking.CONTAINED, False, 0.0, 1.0)
            self._where[name] = (self._relation_to(state.at), state.at)


@dataclass(frozen=True)
class BeliefRow:
    """One (person, object): what is true, what the mind said."""

    person: str
    object: str
    false: bool
    said: float


@dataclass
class Run:
    """What came of it. ``since``: when the person took up the goal (or the need arose); ``reached``: when the aim was; times in s."""

    acts: list[Decision] = field(default_factory=list)
    last: Decision | None = None
    since: float | None = None
    reached: float | None = None
    beliefs: list[BeliefRow] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    seen: list[HumanAction] = field(default_factory=list)  # true events in the robot's sight, up to its decision
    truth_at_act: Mapping[str, str] = field(default_factory=dict)  # object → place; without a robot: when the need arose
    thought_at_act: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # object → where the person thinks it is
    decided_ms: list[float] = field(default_factory=list)  # from the frame to the decision to act, real time
    end: float = 0.0
    problems: tuple[str, ...] = ()


def open_world(scenario: Scenario) -> EmbeddedWorld:
    """The scenario at time 0. Raises StoryError when a step is impossible in this home."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{scenario.name}.yaml"
        path.write_text(yaml.safe_dump(dict(scenario.story), sort_keys=False), encoding="utf-8")
        return open_story(load_story(path), scenario.home, scenario.seed)


def achieved(world: EmbeddedWorld, aim: Aim) -> bool:
    things = world.state.things
    if aim.kind is AimKind.OFF:
        return not any(world.state.switched_on.get(o, False) for o in aim.objects)
    if aim.kind is AimKind.HAS:
        return any(things[o].at == aim.person for o in aim.objects if o in things)
    mind = world.controllers[aim.person].mind
    return mind.reached_at is not None


def without_robot(scenario: Scenario, script_only: bool = False) -> tuple[Run, EmbeddedWorld]:
    """The same story when nobody helps; with ``script_only`` it stops when every scripted step is over."""
    world, run = open_world(scenario), Run()
    steps = {s.id for steps in world.director.stage.steps.values() for s in steps}
    while not world.finished and world.time < float(scenario.story["limit"]):
        world.advance(PERIOD_S)
        _note_aim(scenario, world, run)
        if run.since is not None and not run.truth_at_act:
            _note_truth(world, run, scenario.probe)
        if (run.reached is not None and world.time > run.reached + AFTER_S) or (script_only and steps <= world.director.over.keys()):
            break
    run.end, run.problems = world.time, tuple(world.director.problems)
    return run, world


def _note_truth(world: EmbeddedWorld, run: Run, person: str | None) -> None:
    """Where everything is, and where one person thinks it is."""
    run.truth_at_act = {k: t.at for k, t in world.state.things.items()}
    if person in world.controllers:
        memory = world.controllers[person].mind.memory
        run.thought_at_act = {t: memory.best(t) for t in memory.things}


def with_robot(scenario: Scenario, make_observer: Callable[[EmbeddedWorld, Scenario], Observer] | None = None,
               planner: PlannerConfig = PlannerConfig(), mind: MindConfig = MindConfig(), period: float = PERIOD_S) -> Run:
    """The story with the robot in it."""
    world = open_world(scenario)
    observer = make_observer(world, scenario) if make_observer else Resident(world, scenario.known)
    names: dict[str, str] = {}
    executor, run = Executor(EmbeddedBody(world, lambda name: names.get(name, name)), planner), Run()
    live, state, own = LiveState(), PlannerState(), []
    while not world.finished and world.time < float(scenario.story["limit"]):
        graph, events = observer.observe(world)
        events = (*[e for e in events if e.actor != ROBOT], *sorted(own, key=event_stamp))
        said, began = tuple(world.heard()), time.perf_counter()
        said = observer.heard(world, graph, said) if hasattr(observer, "heard") else said
        live, minds = live_step(live, StepInput(graph, events, said), mind)
        state, out = step(state, PlannerInput(graph.stamp, graph, minds, events, said, minds.acts), planner)
        if out.changed and out.decision.act.kind is not HelpKind.NOTHING:
            run.decided_ms.append(1000.0 * (getattr(observer, "seconds", 0.0) + time.perf_counter() - began))
        names.update(observer.true_names(world, graph) if hasattr(observer, "true_names") else {})
        _note_decision(scenario, world, run, renamed(out.decision, names) if out.changed else out.decision, out.changed)
        _probe(scenario, world, run, minds, names)
        done = executor.tick(graph.stamp, graph, out.commands)
        own = list(done.events)
        for say in done.say:
            run.said.append(say.text)
            world.speak(ROBOT, say.text, names.get(say.addressee, say.addressee))
        if out.gaze is not None and executor.state.current is None:
            world.performers[ROBOT].look(out.gaze)
        world.performers[ROBOT].stand(out.stand)
        world.advance(period)
        _note_aim(scenario, world, run)
        if run.reached is not None and world.time > run.reached + AFTER_S and state.active is None and not scenario.control:
            break
    if executor.state.phase.value == "failed":
        run.failures.append(executor.state.reason)
    run.end, run.problems = world.time, tuple(world.director.problems)
    return run


def _note_aim(scenario: Scenario, world: EmbeddedWorld, run: Run) -> None:
    aim = scenario.aim
    if aim is None or run.reached is not None:
        return
    if run.since is None:
        run.since = _needed_since(scenario, world)
    if run.since is not None and achieved(world, aim):
        mind = world.controllers[aim.person].mind if aim.kind is AimKind.REACHED else None
        run.reached = mind.reached_at if mind is not None else world.time


def _needed_since(scenario: Scenario, world: EmbeddedWorld) -> float | None:
    """When the person took up the goal; for needs and devices, when the step named by ``probe`` was over."""
    if scenario.probe in world.controllers:
        actor = world.controllers[scenario.probe]
        return None if actor.scripted else actor.mind.since
    return world.director.over.get(scenario.probe)


def _note_decision(scenario: Scenario, world: EmbeddedWorld, run: Run, decision: Decision, changed: bool) -> None:
    run.last = decision
    if not changed or decision.act.kind is HelpKind.NOTHING:
        return
    run.acts.append(decision)
    if len(run.acts) == 1:
        run.seen = [e.action for e in world.events if ROBOT in e.seen_by and e.action.actor != ROBOT]
        _note_truth(world, run, decision.act.person)


def renamed(decision: Decision, names: Mapping[str, str]) -> Decision:
    """The same decision with other ids, whole words only."""
    if not names:
        return decision
    pattern = re.compile(r"\b(" + "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True)) + r")\b")
    return Decision.from_dict(json.loads(pattern.sub(lambda m: names[m[1]], json.dumps(decision.to_dict()))))


def _probe(scenario: Scenario, world: EmbeddedWorld, run: Run, minds: Minds, names: Mapping[str, str]) -> None:
    """Compare beliefs once: shortly after the goal was taken up, or when the robot first acts."""
    if run.beliefs or scenario.probe not in world.controllers:
        return
    since = _needed_since(scenario, world)
    if not run.acts and (since is None or world.time < since + PROBE_S):
        return
    for person, actor in sorted(world.controllers.items()):
        said = {names.get(f.object, f.object): f.probability for p, mind in minds.people.items() if names.get(p, p) == person
                for f in mind.false_beliefs}
        for thing, state in sorted(world.state.things.items()):
            believed, sure = actor.mind.memory.best(thing)
            wrong = sure > 0.5 and believed != ELSEWHERE and believed != state.at
            run.beliefs.append(BeliefRow(person, thing, wrong, said.get(thing, 0.0)))
