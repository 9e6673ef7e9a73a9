"""The observer with eyes: every look is rendered, segmented (by the simulator's labels or by a detector) and put through perception.

As a robot that lives in the home it has a map of rooms and furniture, and remembers where a few things were put before the story: what perception has
not yet found by itself is added to the graph as remembered and out of view (evaluation.known_home). Perception's ids of people and things are
matched to the home's for scoring by :meth:`RenderedObserver.true_names`; nothing else of the world's truth is read.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from household import classes
from household.actions import HumanAction
from household.camera import CameraModel
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Relation, RelationKind, SceneGraph, Tracking
from perception import detectors
from perception.config import PerceptionConfig, suited
from perception.detectors.simulator import keypoints_of, segment
from perception.frame import FrameInput
from perception.home_map import from_rooms
from perception.pipeline import initial_state, step
from sim_bridges.embedded.figures_joints import in_view
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation.known_home import KnownHome
from evaluation.scenarios import Scenario

WIDTH, HEIGHT = 320, 240
SAME_THING_M = 1.5


class RenderedObserver:
    """``observe(world)`` renders the robot's view and returns perception's graph and events."""

    def __init__(self, world: EmbeddedWorld, scenario: Scenario, detect: Callable | None, width: int = WIDTH, height: int = HEIGHT,
                 config: PerceptionConfig = PerceptionConfig()):
        self._renderer = Renderer(world.home, seed=scenario.seed % 1000, shadows=False, split="test")
        self._table = {value: (info.entity, info.cls) for value, info in self._renderer.instances.items()}
        self._camera = CameraModel.from_fov(width, height, world.home.robot.horizontal_fov_deg)
        self._state = initial_state(from_rooms(world.home.rooms, world.home.doorways, world.home.wall_height))
        self._detect, self._config, self._map = detect, config, KnownHome(world.home)
        self.seconds = 0.0
        self._memory = {name: world.state.things[name].at for name in sorted(scenario.known)}
        self._thing_at = {name: world.state.things[name].position for name in self._memory}

    def observe(self, world: EmbeddedWorld) -> tuple[SceneGraph, list[HumanAction]]:
        pose = camera_pose_of(world.state.robot, world.home.robot)
        color, depth, ids = self._renderer.render(world.state, self._camera, pose)
        began = time.perf_counter()
        if self._detect is None:
            joints = in_view(world.home, world.state, self._camera, pose, ids, depth, self._renderer.instances)
            found = segment(ids, self._table, keypoints_of(joints))
        else:
            found = self._detect(color, depth, self._camera, pose)
        held = tuple(n for n, t in world.state.things.items() if t.at == ROBOT)
        frame = FrameInput(world.time, color, depth, self._camera, pose, _base(world), found, held if self._detect is None else ())
        self._state, graph, events = step(self._state, frame, self._config)
        self.seconds = time.perf_counter() - began
        graph, told = self._map.over(graph, events)
        return self._with_memory(world, graph), told

    def _with_memory(self, world: EmbeddedWorld, graph: SceneGraph) -> SceneGraph:
        """With where things were put before the story, as long as nothing of their class was found."""
        entities, relations = dict(graph.entities), set(graph.relations)
        for thing, place in self._memory.items():
            cls = world.things[thing].cls
            if any(e.cls == cls for e in graph.entities.values()):
                continue
            entities[thing] = Entity(thing, cls, self._thing_at[thing], tracking=Tracking.CONTAINED, visible=False, last_seen=0.0)
            inside = place in world.pieces and classes.get(world.pieces[place].cls).kind is Kind.CONTAINER
            relations.add(Relation(thing, RelationKind.INSIDE if inside else RelationKind.ON, place))
        return replace(graph, entities=entities, relations=frozenset(relations))

    def true_names(self, world: EmbeddedWorld, graph: SceneGraph) -> dict[str, str]:
        """Perception's id → the home's, for what differs: people by where they stand, things by class and place."""
        names = {}
        for e in graph.entities.values():
            if e.kind is Kind.PERSON and e.id not in world.people:
                options, limit = {p: s.position for p, s in world.state.people.items()}, SAME_THING_M
            elif e.kind is Kind.OBJECT and e.id not in world.things:
                options = {t: s.position for t, s in world.state.things.items() if world.things[t].cls == e.cls}
                limit = SAME_THING_M if len(options) > 1 else math.inf
            elif e.kind is Kind.OBSTACLE and e.id not in world.pieces:
                options = {o: piece.position for o, piece in world.pieces.items() if piece.cls == e.cls}
                limit = SAME_THING_M if len(options) > 1 else math.inf
            else:
                continue
            near = sorted((math.dist(e.position[:2], p[:2]), n) for n, p in options.items())
            if near and near[0][0] <= limit:
                names[e.id] = near[0][1]
        return names


def _base(world: EmbeddedWorld) -> np.ndarray:
    robot, pose = world.state.robot, np.eye(4)
    c, s = math.cos(robot.yaw), math.sin(robot.yaw)
    pose[:2, :2] = [[c, -s], [s, c]]
    pose[:2, 3] = robot.position
    return pose


def observer_for(perception: str) -> Callable[[EmbeddedWorld, Scenario], RenderedObserver]:
    """``simulator`` or ``detector`` → what makes an observer for a world."""
    if perception == "simulator":
        return lambda world, scenario: RenderedObserver(world, scenario, None)
    detector = detectors.create(detectors.DEFAULT)
    config = suited(PerceptionConfig(), detector.tuning)
    return lambda world, scenario: RenderedObserver(world, scenario, detector.detect, 640, 480, config)
