"""The observer with eyes: every look is rendered, segmented (by the simulator's labels or by a detector) and put through perception.

As a robot that lives in the home it has a map of rooms and furniture, and remembers where a few things were put before the story: what perception has
not yet surely found by itself is added to the graph as remembered and out of view (evaluation.known_home). Perception's ids of people and things are
matched to the home's for scoring by :meth:`RenderedObserver.true_names`. What else is the world's: what the robot's own body carries, under the name by which it was taken, and
where a voice comes from (:meth:`RenderedObserver.heard`); a detector's furniture is told apart by the map (evaluation.known_pieces). A detector gets what a real camera would give it, the sensor's noise and all; the simulator's labels go with perfect pictures.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from household import classes
from household.actions import HumanAction, Utterance
from household.camera import CameraModel
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Relation, RelationKind, SceneGraph, Tracking
from perception import detectors
from perception.config import PerceptionConfig, suited
from perception.detectors.simulator import keypoints_of, segment
from perception.frame import FrameInput
from perception.home_map import MapPiece, from_rooms
from perception.pipeline import initial_state, step
from perception.visibility import Setting, create, viewer_of
from planner.geometry import SURELY
from sim_bridges.embedded.figures_joints import in_view
from sim_bridges.embedded.noise import add_sensor_noise
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation.known_home import KnownHome
from evaluation.known_pieces import boxes_of, told_apart
from evaluation.scenarios import Scenario

SIZES = {"simulator": (640, 480), "detector": (1280, 960)}  # width and height of the pictures; a detector gets what an ordinary RGB-D camera gives
SAME_THING_M = 1.5
VOTES = 5  # sightings that tell who a track of a person stands for


class RenderedObserver:
    """``observe(world)`` renders the robot's view and returns perception's graph and events."""

    def __init__(self, world: EmbeddedWorld, scenario: Scenario, detect: Callable | None, size: tuple[int, int] = SIZES["simulator"],
                 config: PerceptionConfig = PerceptionConfig()):
        self._renderer = Renderer(world.home, seed=scenario.seed % 1000, shadows=False, split="test")
        self._table = {value: (info.entity, info.cls) for value, info in self._renderer.instances.items()}
        self._camera = CameraModel.from_fov(*size, world.home.robot.horizontal_fov_deg)
        self._pieces = boxes_of(world.home.furniture)
        furniture = (MapPiece(f.id, f.cls, box.centre, box.size, box.yaw) for f, box in self._pieces)
        self._state = initial_state(from_rooms(world.home.rooms, world.home.doorways, world.home.wall_height, furniture))
        self._detect, self._config, self._map, self._seed = detect, config, KnownHome(world.home), scenario.seed
        self._stood, self._held, self._names, self._voices = {}, {}, {}, {}
        self.seconds = 0.0
        self._memory = {name: world.state.things[name].at for name in sorted(scenario.known)}
        self._thing_at = {name: world.state.things[name].position for name in self._memory}

    def observe(self, world: EmbeddedWorld) -> tuple[SceneGraph, list[HumanAction]]:
        frame = self.look(world)
        began = time.perf_counter()
        self._state, graph, events = step(self._state, replace(frame, robot_holds=self._in_own_hand(world)), self._config)
        self.seconds += time.perf_counter() - began
        graph, told = self._map.over(graph, events)
        return self._with_memory(world, graph), told

    def look(self, world: EmbeddedWorld) -> FrameInput:
        """What the robot's camera shows now, and what is made out in it. Sets ``seconds`` to what the latter took."""
        pose = camera_pose_of(world.state.robot, world.home.robot)
        color, depth, ids = self._renderer.render(world.state, self._camera, pose)
        if self._detect is not None:
            color, depth = add_sensor_noise(color, depth, np.random.default_rng([self._seed, 1, round(world.time * 1000)]))
        began = time.perf_counter()
        if self._detect is None:
            joints = in_view(world.home, world.state, self._camera, pose, ids, depth, self._renderer.instances)
            found = segment(ids, self._table, keypoints_of(joints))
        else:
            found = told_apart(self._detect(color, depth, self._camera, pose), depth, self._camera, pose, self._pieces)
        self.seconds = time.perf_counter() - began
        return FrameInput(world.time, color, depth, self._camera, pose, _base(world), found)

    def _in_own_hand(self, world: EmbeddedWorld) -> tuple[str, ...]:
        """What the robot's body carries, called as it was when it was told to take it."""
        called = {true: mine for mine, true in self._names.items()}
        now = [n for n, t in world.state.things.items() if t.at == ROBOT]
        self._held = {n: self._held.get(n, called.get(n, n)) for n in now}
        return tuple(self._held.values())

    def _with_memory(self, world: EmbeddedWorld, graph: SceneGraph) -> SceneGraph:
        """With where things were put before the story, as long as nothing of their class was surely found; who has such a place in sight sees the thing, too."""
        entities, relations = dict(graph.entities), set(graph.relations)
        recalled: list[str] = []
        for thing, place in self._memory.items():
            cls = world.things[thing].cls
            if any(e.cls == cls and e.confidence >= SURELY for e in graph.entities.values()):
                continue
            entities[thing] = Entity(thing, cls, self._thing_at[thing], tracking=Tracking.CONTAINED, visible=False, last_seen=0.0)
            inside = place in world.pieces and classes.get(world.pieces[place].cls).kind is Kind.CONTAINER
            relations.add(Relation(thing, RelationKind.INSIDE if inside else RelationKind.ON, place))
            recalled.append(thing)
        graph = replace(graph, entities=entities, relations=frozenset(relations))
        return replace(graph, sees=self._recalled_in_sight(graph, recalled)) if recalled else graph

    def _recalled_in_sight(self, graph: SceneGraph, recalled: Sequence[str]) -> dict[str, frozenset[str]]:
        """``graph.sees`` with what of the ``recalled`` things each person has before their eyes, if it is still there."""
        setting, sight = Setting.of_graph(graph, self._state.home), create(self._config.visibility.value)
        sees = dict(graph.sees)
        for person in (e for e in graph.people() if e.id in sees):
            eyes = viewer_of(person, self._config.view_half_angle, self._config.view_range)
            sees[person.id] |= {name for name, p in sight.sees(eyes, recalled, setting).items() if p > 0.5}
        return sees

    def heard(self, world: EmbeddedWorld, graph: SceneGraph, said: Sequence[Utterance]) -> tuple[Utterance, ...]:
        """Words as from the one whom the robot has seen where the voice comes from: a detector does not tell it people's names. A voice or a name that
        it has heard of somebody is theirs from then on, and the one voice it sees nobody for is that of the one person it knows and does not see."""
        people = {e.id: e for e in graph.people() if e.id not in world.people}
        near = _nearest({i: e.position for i, e in people.items()}, {p: s.position for p, s in world.state.people.items()}, SAME_THING_M)
        known = {true: mine for mine, true in near.items()}
        known |= {true: mine for true, mine in self._voices.items() if mine in people and true not in known and mine not in near}
        nameless, unseen = set(world.people) - set(known), {i for i, e in people.items() if not e.visible} - set(known.values())
        if len(nameless) == len(unseen) == 1:
            known[nameless.pop()] = unseen.pop()
        for name in {n for u in said for n in (u.speaker, u.addressee) if n in known}:
            self._voices[name] = known[name]

        def called(name: str | None) -> str | None:
            return name if name == ROBOT or name in graph.entities else known.get(name, name)

        return tuple(replace(u, speaker=called(u.speaker), addressee=called(u.addressee),
                             hearers=None if u.hearers is None else tuple(map(called, u.hearers))) for u in said)

    def true_names(self, world: EmbeddedWorld, graph: SceneGraph) -> dict[str, str]:
        """Perception's id → the home's: people by where they stood when last seen (most of ``VOTES`` sightings), things by class and place, then by what else the robot
        says they may be and place, then the only one of its class wherever it is, each but once; what is none of them is called as nothing is."""
        names = self._people_names(world, graph)
        for kind, options in ((Kind.OBJECT, {t: (world.things[t].cls, s.position) for t, s in world.state.things.items()}),
                              (Kind.OBSTACLE, {o: (piece.cls, piece.position) for o, piece in world.pieces.items()})):
            mine = [e for e in graph.entities.values() if e.kind is kind]
            names |= _things(mine, options)
            rest = [e for e in mine if e.id not in names]
            names |= {e.id: f"no_{e.id}" if e.id in options else e.id for e in rest if e.id not in names}
        self._names = names
        return names

    def _people_names(self, world: EmbeddedWorld, graph: SceneGraph) -> dict[str, str]:
        people = {e.id: e for e in graph.people()}
        found = _nearest({e.id: e.position for e in people.values() if e.visible}, {p: s.position for p, s in world.state.people.items()}, SAME_THING_M)
        for mine, true in found.items():
            self._stood[mine] = (*self._stood.get(mine, ()), true)[-VOTES:]
        last: dict[str, str] = {}  # true name → the track of theirs that was seen last
        for e in sorted((e for e in people.values() if e.id in self._stood), key=lambda e: (e.visible, e.last_seen)):
            last[Counter(reversed(self._stood[e.id])).most_common(1)[0][0]] = e.id
        return {**{i: i for i in people}, **{mine: true for true, mine in last.items()}}


def _things(mine: Sequence[Entity], options: Mapping[str, tuple[str, Sequence[float]]]) -> dict[str, str]:
    """Which of ``options`` (name → class, position) each of ``mine`` is; those that are none are left out."""
    names: dict[str, str] = {}

    def match(cls: str, tracks: Iterable[Entity], limit: float) -> None:
        true = {n: p for n, (c, p) in options.items() if c == cls and n not in names.values()}
        names.update(_nearest({e.id: e.position for e in tracks if e.id not in names}, true, limit))

    for cls in sorted({e.cls for e in mine}):
        match(cls, (e for e in mine if e.cls == cls), SAME_THING_M)
    for cls in sorted({name for e in mine for name in e.other_names}):
        match(cls, (e for e in mine if cls in e.other_names), SAME_THING_M)
    for cls in sorted({e.cls for e in mine if sum(c == e.cls for c, _ in options.values()) == 1}):  # the only one: it went unseen
        match(cls, (e for e in mine if e.cls == cls), math.inf)
    return names


def _nearest(mine: Mapping[str, Sequence[float]], true: Mapping[str, Sequence[float]], limit: float) -> dict[str, str]:
    """Which of ``true`` each of ``mine`` is, by where they are on the floor plan: nearest first, each but once, none farther than ``limit`` m."""
    pairs = sorted((math.dist(p[:2], q[:2]), a, b) for a, p in mine.items() for b, q in true.items())
    found: dict[str, str] = {}
    for away, a, b in pairs:
        if away <= limit and a not in found and b not in found.values():
            found[a] = b
    return found


def _base(world: EmbeddedWorld) -> np.ndarray:
    robot, pose = world.state.robot, np.eye(4)
    c, s = math.cos(robot.yaw), math.sin(robot.yaw)
    pose[:2, :2] = [[c, -s], [s, c]]
    pose[:2, 3] = robot.position
    return pose


def observer_for(perception: str, size: tuple[int, int] | None = None) -> Callable[[EmbeddedWorld, Scenario], RenderedObserver]:
    """``simulator`` or ``detector`` → what makes an observer for a world. ``size``: width and height of the pictures, default :data:`SIZES`."""
    size = size or SIZES[perception]
    if perception == "simulator":
        return lambda world, scenario: RenderedObserver(world, scenario, None, size)
    detector = detectors.create(detectors.DEFAULT)
    config = suited(PerceptionConfig(), detector.tuning)
    return lambda world, scenario: RenderedObserver(world, scenario, detector.detect, size, config)
