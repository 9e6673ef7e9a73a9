"""What the mind is shown of a two-person episode: everything, what a robot that goes along sees, or what perception makes of its pixels.

Invariant: eyes never change what people mean to do; a robot that goes along keeps one person company, room by room, and looks at them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Protocol

from household.actions import HumanAction
from household.camera import CameraModel
from household.scene_graph import Entity, RelationKind, SceneGraph
from perception.detectors.base import Detector
from sim_bridges.embedded.observe import ObserverNoise, SymbolicObserver
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation.embedded_people import AllSeeing
from evaluation.known_home import KnownHome, renamed, renamed_event
from evaluation.social_generate_follower import Follower

SAME_PERSON = 1.5  # metres between where somebody is seen first and where they are


class Seeing(str, Enum):
    ALL = "all"  # eyes in every room, no noise
    ROBOT = "robot"  # what is truly in the robot's sight
    SIMULATOR = "simulator"  # perception on rendered frames, with the simulator's segmentation and joints
    DETECTOR = "detector"  # perception on rendered frames, with the trained detector


RENDERED = (Seeing.SIMULATOR, Seeing.DETECTOR)


class Eyes(Protocol):
    def observe(self, company: str) -> tuple[SceneGraph, list[HumanAction]]:
        """What is seen now, and the actions seen since the last call. ``company``: the person the robot keeps company."""


class AllEyes:
    def __init__(self, world: EmbeddedWorld, noise: ObserverNoise):
        self._world, self._view = AllSeeing(world), SymbolicObserver(world.home, noise=noise)

    def observe(self, company: str) -> tuple[SceneGraph, list[HumanAction]]:
        return self._view.observe(self._world)  # type: ignore[arg-type]


class RobotEyes:
    def __init__(self, world: EmbeddedWorld, noise: ObserverNoise):
        self._world, self._view, self._follower = world, SymbolicObserver(world.home, noise=noise), Follower(world)

    def observe(self, company: str) -> tuple[SceneGraph, list[HumanAction]]:
        self._follower.attend(company)
        return self._view.observe(self._world)


class PixelEyes:
    """Frames rendered from the robot's camera, and everything the perception step makes of them, over the map of the home it lives in. Who is who is told where a detector does not
    recognise people (as a recogniser of faces and voices would): a track keeps the name of whoever stood there when first seen."""

    def __init__(self, world: EmbeddedWorld, detector: Detector | None, size: tuple[int, int]):
        from perception.config import PerceptionConfig, suited
        from perception.home_map import from_rooms
        from perception.pipeline import initial_state
        from sim_bridges.embedded.render import Renderer

        home = world.home
        self._world, self._follower, self._detector = world, Follower(world), detector
        self._config = PerceptionConfig() if detector is None else suited(PerceptionConfig(), detector.tuning)
        self._renderer = Renderer(home, seed=world.seed, split="test")
        self._camera = CameraModel.from_fov(*size, home.robot.horizontal_fov_deg)
        self._table = {value: (info.entity, info.cls) for value, info in self._renderer.instances.items()}
        self._state = initial_state(from_rooms(home.rooms, home.doorways, home.wall_height))
        self._names: dict[str, str] = {}
        self._map = KnownHome(home)

    def observe(self, company: str) -> tuple[SceneGraph, list[HumanAction]]:
        import numpy as np

        from perception.detectors.simulator import keypoints_of, segment
        from perception.frame import FrameInput
        from perception.pipeline import step
        from sim_bridges.embedded.figures_joints import in_view
        from sim_bridges.embedded.render import camera_pose_of

        self._follower.attend(company)
        world = self._world
        pose = camera_pose_of(world.state.robot, world.home.robot)
        color, depth, ids = self._renderer.render(world.state, self._camera, pose)
        if self._detector is None:
            joints = in_view(world.home, world.state, self._camera, pose, ids, depth, self._renderer.instances)
            found = segment(ids, self._table, keypoints_of(joints))
        else:
            found = self._detector.detect(color, depth, self._camera, pose)
        base, c, s = np.eye(4), math.cos(world.state.robot.yaw), math.sin(world.state.robot.yaw)
        base[:2, :2], base[:2, 3] = [[c, -s], [s, c]], world.state.robot.position
        self._state, graph, events = step(self._state, FrameInput(world.time, color, depth, self._camera, pose, base, found), self._config)
        graph, events = self._map.over(graph, events)
        where = {p: at[:2] for p in world.people if (at := world.locate(p)) is not None}
        graph = introduced(graph, self._names, where)
        return renamed(graph, self._names), [renamed_event(e, self._names) for e in events]


def introduced(graph: SceneGraph, names: dict[str, str], where: Mapping[str, tuple[float, float]]) -> SceneGraph:
    """Gives each new track of somebody the name of who stands there (``where``: name → x, y), in ``names``. Who is seen under a new track is no longer where
    the old one had them: of tracks with one name the last one in view stays, with what either holds."""
    people = {e.id: e for e in graph.people()}
    for e in people.values():
        if not e.visible or e.id in names or e.id in where:
            continue
        taken = {names.get(o.id, o.id) for o in people.values() if o.visible}
        near = min((p for p in where if p not in taken), key=lambda p: math.dist(e.position[:2], where[p]), default=None)
        if near is not None and math.dist(e.position[:2], where[near]) < SAME_PERSON:
            names[e.id] = near
    best: dict[str, Entity] = {}
    for e in people.values():
        best[names.get(e.id, e.id)] = max(e, best.get(names.get(e.id, e.id), e), key=lambda t: (t.visible, t.last_seen))
    stale = {i for i in people if best[names.get(i, i)].id != i}
    if not stale:
        return graph
    relations = frozenset(replace(r, subject=best[names.get(r.subject, r.subject)].id) if r.subject in stale else r for r in graph.relations
                          if r.object not in stale and (r.subject not in stale or r.kind is RelationKind.HOLDS))
    return replace(graph, entities={i: e for i, e in graph.entities.items() if i not in stale}, relations=relations,
                   sees={i: v for i, v in graph.sees.items() if i not in stale}, inspected={i: v for i, v in graph.inspected.items() if i not in stale})


def eyes_for(seeing: Seeing, world: EmbeddedWorld, noise: ObserverNoise, detector: Detector | None = None,
             size: tuple[int, int] = (320, 240)) -> Eyes:
    """``size``: width and height of the pictures. Raises ValueError when the detector is asked for and none is given."""
    if seeing is Seeing.ALL:
        return AllEyes(world, noise)
    if seeing is Seeing.ROBOT:
        return RobotEyes(world, noise)
    if seeing is Seeing.DETECTOR and detector is None:
        raise ValueError("seeing 'detector' needs a detector")
    return PixelEyes(world, detector if seeing is Seeing.DETECTOR else None, size)
