"""Runs the embedded world through perception and keeps what was seen beside what was true, frame by frame.

The robot begins where the home puts it, makes way and keeps its distance, and stands, and turns head and body, as the planner would have it: after the people it perceives, and around
when nobody does anything. Truth is used for nothing but the record. Chores for people are drawn from a seed: fetch this, put it away, open, look, leave, come back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from household import classes
from household.actions import AtomicAction, HumanAction, Verb, parse
from household.scene_graph import ROBOT, SceneGraph
from mind.output import Minds
from perception.config import PerceptionConfig
from perception.detectors.simulator import keypoints_of, segment
from perception.frame import FrameInput
from perception.home_map import from_rooms
from perception.pipeline import PerceptionState, initial_state, step
from planner import chores as household_chores
from planner import gaze, vantage
from planner.config import PlannerConfig
from planner.geometry import Geometry
from planner.memory import PlannerState
from sim_bridges.contract import CameraModel
from sim_bridges.embedded.figures_joints import in_view
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld, TrueEvent

_PLANNER, _EVENTS = PlannerConfig(), 200


class Script:
    """A controller that does a list of actions in turn. An item may be ``wait <seconds>`` or ``until <person> <count>``: until that
    person has finished that many actions."""

    def __init__(self, lines: Sequence[str], finished: dict[str, int], person: str):
        self.lines, self.finished, self.person = list(lines), finished, person
        self.at, self.until, self.problems = 0, 0.0, []

    def sense(self, world, sight) -> bool:
        return False

    def act(self, world) -> AtomicAction | None:
        while self.at < len(self.lines):
            words = self.lines[self.at].split()
            if words[0] == "wait":
                if self.until == 0.0:
                    self.until = world.time + float(words[1])
                if world.time < self.until:
                    return None
                self.until = 0.0
            elif words[0] == "until":
                if self.finished.get(words[1], 0) < int(words[2]):
                    return None
            else:
                return parse(self.lines[self.at])
            self.at += 1
        return None

    def done(self, world, action: AtomicAction, problem: str) -> None:
        if problem:
            self.problems.append(f"{world.time:.1f}s {self.person} {action}: {problem}")
        self.at += 1
        self.finished[self.person] = self.finished.get(self.person, 0) + 1

    def hear(self, world, utterance) -> bool:
        return False

    def receive(self, world, thing: str, giver: str) -> bool:
        return False

    def witness(self, world, action: HumanAction) -> bool:
        return False

    @property
    def over(self) -> bool:
        return self.at >= len(self.lines)


@dataclass(frozen=True)
class TruthFrame:
    """What was true at one frame. ``things``: id → (class, position, place id, inside, holder); ``people``: id → (x, y, yaw, head yaw, room);
    ``openness``: id → 0..1; ``pixels``: instance → visible pixels; ``sees``: person → ids truly in sight."""

    stamp: float
    things: Mapping[str, tuple[str, tuple[float, float, float], str, bool, str | None]]
    people: Mapping[str, tuple[float, float, float, float, str | None]]
    openness: Mapping[str, float]
    pixels: Mapping[str, int]
    sees: Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Run:
    """``truth[i]`` belongs to ``graphs[i]``. ``ms``: CPU milliseconds of perception per frame; ``stages``: per stage."""

    home: Home
    truth: list[TruthFrame] = field(default_factory=list)
    graphs: list[SceneGraph] = field(default_factory=list)
    events: list[HumanAction] = field(default_factory=list)
    true_events: list[TrueEvent] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    stages: dict[str, list[float]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    state: PerceptionState | None = None


def run(home: Home, scripts: Mapping[str, Sequence[str]], *, seed: int = 0, width: int = 320, height: int = 240, rate: float = 3.0,
        most_seconds: float = 90.0, config: PerceptionConfig = PerceptionConfig(), noise: Callable | None = None, split: str = "train",
        detect: Callable | None = None, names: bool = True, watch: Callable | None = None,
        judge: Callable | None = None, shadows: bool = False) -> Run:
    """One home, one set of scripts. ``noise``: (color, depth, rng) → (color, depth). ``detect``: as of a Detector, None: the
    simulator's segmentation and keypoints. ``names`` False: people are not recognised. ``watch``: called with every (frame, state, graph, events).
    ``judge``: called with every (detections, true instance image, its table)."""
    finished: dict[str, int] = {}
    controllers = {p: Script(lines, finished, p) for p, lines in scripts.items()}
    world = EmbeddedWorld(home, seed, controllers)
    renderer = Renderer(home, seed=seed, shadows=shadows, split=split)
    camera = CameraModel.from_fov(width, height, home.robot.horizontal_fov_deg)
    home_map = from_rooms(home.rooms, home.doorways, home.wall_height)
    state, rng = initial_state(home_map), np.random.default_rng([seed, 1])
    table = {value: (info.entity, info.cls) for value, info in renderer.instances.items()}
    record = Run(home)
    after, head = 0.0, _Head()
    while world.time < most_seconds and after < 3.0:
        world.advance(1.0 / rate)
        if all(c.over for c in controllers.values()):
            after += 1.0 / rate
        pose = camera_pose_of(world.state.robot, home.robot)
        color, depth, ids = renderer.render(world.state, camera, pose)
        joints = keypoints_of(in_view(home, world.state, camera, pose, ids, depth, renderer.instances)) if detect is None else {}
        if noise is not None:
            color, depth = noise(color, depth, rng)
        found = segment(ids, table, joints) if detect is None else detect(color, depth, camera, pose)
        if judge is not None:
            judge(found, ids, table)
        if not names:
            found = tuple(_unnamed(d) for d in found)
        frame = FrameInput(world.time, color, depth, camera, pose, _base(world), found)
        marks: list[tuple[str, float]] = []
        state, graph, events = step(state, frame, config, lambda stage: marks.append((stage, time.process_time())))
        record.ms.append((marks[-1][1] - marks[0][1]) * 1e3)
        for (stage, begin), (_, end) in zip(marks, marks[1:]):
            record.stages.setdefault(stage, []).append((end - begin) * 1e3)
        record.truth.append(_truth(world, ids, table))
        record.graphs.append(graph)
        record.events.extend(events)
        if watch is not None:
            watch(frame, state, graph, events)
        head.turn(world, graph, events)
    record.true_events.extend(world.events)
    for c in controllers.values():
        record.problems.extend(c.problems)
    return Run(home, record.truth, record.graphs, record.events, record.true_events, record.ms, record.stages, record.problems, state)


def _unnamed(d):
    return replace(d, identity=None)


def _base(world: EmbeddedWorld) -> np.ndarray:
    robot, pose = world.state.robot, np.eye(4)
    c, s = math.cos(robot.yaw), math.sin(robot.yaw)
    pose[:2, :2] = [[c, -s], [s, c]]
    pose[:2, 3] = robot.position
    return pose


class _Head:
    """Turns the robot, its head first, where the planner would have it look, and sends it where it would have it stand, of which nobody's mind is known."""

    def __init__(self):
        self._memory = PlannerState()

    def turn(self, world: EmbeddedWorld, graph: SceneGraph, events: Sequence[HumanAction]) -> None:
        memory = replace(self._memory, events=(*self._memory.events, *(e for e in events if e.actor != ROBOT))[-_EVENTS:])
        geometry = Geometry(graph, _PLANNER, memory.events)
        memory = household_chores.observe(memory, graph, geometry)
        look = gaze.step(memory.gaze, geometry, Minds(graph.stamp), memory.events, None, graph.stamp, memory.tracks)
        stand = vantage.step(memory.vantage, geometry, Minds(graph.stamp), memory.events, graph.stamp, memory.tracks)
        self._memory = replace(memory, gaze=look, vantage=stand)
        if look is not None:
            world.performers[ROBOT].look(look.point)
        world.performers[ROBOT].stand(stand.spot)


def _truth(world: EmbeddedWorld, ids: np.ndarray, table: Mapping[int, tuple[str, str]]) -> TruthFrame:
    state = world.state
    things = {}
    for name, t in state.things.items():
        place = world.pieces.get(t.at)
        inside = place is not None and classes.get(place.cls).kind is classes.Kind.CONTAINER
        things[name] = (world.things[name].cls, tuple(t.position), t.at, inside, t.at if t.hand is not None else None)
    people = {p: (*s.position, s.yaw, s.head_yaw, world.room_of(p)) for p, s in state.people.items()}
    count = np.bincount(ids.ravel())
    pixels = {table[v][0]: int(count[v]) for v in np.flatnonzero(count) if v in table}
    sights = world.look()
    return TruthFrame(world.time, things, people, dict(state.openness), pixels, {k: s.sees for k, s in sights.items()})


def false_belief_story(home: Home, watching: bool) -> dict[str, list[str]]:
    """Alice puts the apple on the kitchen table and leaves; David puts it into the fridge; she comes back. ``watching``: she stays."""
    names = {p.id for p in home.people}
    kitchen = next(r.id for r in home.rooms if r.cls == "kitchen")
    table = next(f.id for f in home.furniture if f.cls == "kitchentable")
    fridge = next(f.id for f in home.furniture if f.cls == "fridge")
    apple = next(t.id for t in home.things if t.cls == "apple")
    a, d = ("alice", "david") if {"alice", "david"} <= names else tuple(sorted(names))[:2]
    away = next(x for w in home.doorways if kitchen in w.rooms for x in w.rooms if x != kitchen)
    alice = [f"walk({apple})", f"pick({apple})", f"walk({table})", f"puton({apple}, {table})"]
    alice += ["wait 1", f"lookat({d})"] if watching else [f"leave({kitchen}, {away})"]
    david = [f"until {a} {5 if not watching else 4}", f"enter({kitchen})", f"walk({apple})", f"pick({apple})", f"walk({fridge})",
             f"open({fridge})", f"putin({apple}, {fridge})", f"close({fridge})", f"leave({kitchen}, {away})"]
    if not watching:
        alice += [f"until {d} 8", f"enter({kitchen})", f"walk({table})", "wait 1"]
    return {a: alice, d: david}


def chores(home: Home, seed: int, length: int = 3) -> dict[str, list[str]]:
    """Random errands for everybody: take a thing from where it is, put it somewhere else, in the rooms around the robot."""
    rng = np.random.default_rng([seed, 7])
    here = next((r for r in home.rooms if r.low[0] <= home.robot.position[0] <= r.high[0] and r.low[1] <= home.robot.position[1] <= r.high[1]),
                home.rooms[0])
    near = [f for f in home.furniture if f.room == here.id and f.heights]
    at = {t.id: t.at for t in home.things}
    result: dict[str, list[str]] = {}
    opens = {f.id for f in home.furniture if classes.get(f.cls).kind is classes.Kind.CONTAINER}
    taken: set[str] = set()
    for i, person in enumerate(home.people[:2]):
        lines = [f"wait {2 + 4 * i}"]
        for _ in range(length):
            options = sorted(t for t, place in at.items() if any(f.id == place for f in near) and t not in taken)
            if not options:
                break
            thing = options[int(rng.integers(len(options)))]
            taken.add(thing)
            goals = [f.id for f in near if f.id != at[thing]]
            goal = goals[int(rng.integers(len(goals)))]
            lines += [f"walk({at[thing]})"]
            lines += [f"open({at[thing]})"] if at[thing] in opens else []
            lines += [f"pick({thing})"]
            lines += [f"close({at[thing]})"] if at[thing] in opens else []
            lines += [f"walk({goal})"]
            lines += [f"open({goal})"] if goal in opens else []
            lines += [f"{'putin' if goal in opens else 'puton'}({thing}, {goal})"]
            lines += [f"close({goal})"] if goal in opens else []
            if rng.random() < 0.3:
                away = next(x for w in home.doorways if here.id in w.rooms for x in w.rooms if x != here.id)
                lines += [f"leave({here.id}, {away})", "wait 2", f"enter({here.id})"]
        result[person.id] = lines
    return result
