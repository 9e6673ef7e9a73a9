"""The embedded world as the stack meets it: frames rendered from the robot's eyes, a body, people who hear.

Joins :class:`EmbeddedWorld` (what happens) and :class:`Renderer` (what it looks like) into ``contract.Simulator``. Invariant: rendering
never changes what happens; with the same home, story, seed and robot actions every frame is bit-identical.
"""

from __future__ import annotations

import math

import numpy as np

from household.actions import Utterance
from household.camera import CameraModel
from household.scene_graph import ROBOT
from sim_bridges.contract import Frame
from sim_bridges.embedded.figures_joints import in_view
from sim_bridges.embedded.home import home_names, load_home
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.noise import NoiseConfig, add_sensor_noise
from sim_bridges.embedded.robot_body import EmbeddedBody
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.story import open_story
from sim_bridges.embedded.world import EmbeddedWorld
from sim_bridges.errors import Closed
from sim_bridges.grounding import Candidate


class EmbeddedSimulator:
    """``contract.Simulator``. ``camera``: intrinsics in pixels; ``noise``: the depth sensor's model, None for a perfect one."""

    def __init__(self, world: EmbeddedWorld, camera: CameraModel, *, noise: NoiseConfig | None = None, split: str = "train"):
        self.world, self.camera, self._noise = world, camera, noise
        self.renderer = Renderer(world.home, seed=world.seed, split=split)
        self.body = EmbeddedBody(world)
        self._told = 0
        self._closed = False

    @property
    def finished(self) -> bool:
        return bool(self.world.finished)

    def reset(self, seed: int) -> None:
        self._need_open()
        self.world.reset(seed)
        self.body, self._told = EmbeddedBody(self.world), 0

    def advance(self, seconds: float) -> None:
        self._need_open()
        self.world.advance(seconds)

    def frame(self) -> Frame:
        self._need_open()
        state, spec = self.world.state, self.world.home.robot
        pose = camera_pose_of(state.robot, spec)
        color, depth, ids = self.renderer.render(state, self.camera, pose)
        joints = in_view(self.world.home, state, self.camera, pose, ids, depth, self.renderer.instances)
        if self._noise is not None:
            rng = np.random.default_rng([self.world.seed, 1, round(state.time * 1000)])
            color, depth = add_sensor_noise(color, depth, rng, self._noise)
        c, s = math.cos(state.robot.yaw), math.sin(state.robot.yaw)
        base = np.array([[c, -s, 0, state.robot.position[0]], [s, c, 0, state.robot.position[1]], [0, 0, 1, 0], [0, 0, 0, 1.0]])
        return Frame(state.time, color, depth, self.camera, pose, base, ids, self.renderer.instances, joints)

    def heard(self) -> list[Utterance]:
        """What people said; the robot's own words are published by its voice."""
        return [u for u in self.world.heard() if u.speaker != ROBOT]

    def hear(self, utterance: Utterance) -> None:
        self.world.speak(ROBOT, utterance.text, utterance.addressee)

    def look_at(self, point: tuple[float, float, float]) -> None:
        self.world.performers[ROBOT].look(tuple(point))

    def stand_at(self, spot: tuple[float, float] | None) -> None:
        self.world.performers[ROBOT].stand(spot)

    def candidates(self) -> list[Candidate]:
        """Everything an action can be about, where it is now."""
        world = self.world
        things = [Candidate(t, world.things[t].cls, s.position) for t, s in world.state.things.items()]
        pieces = []
        for piece in world.pieces:
            item = world.standing(piece)
            x, y, z = item.position
            pieces.append(Candidate(piece, item.cls, (x, y, z + item.size[2] / 2)))
        people = [Candidate(p, "person", (*s.position, 0.0)) for p, s in world.state.people.items()]
        return things + pieces + people

    def truth(self) -> dict:
        world = self.world
        new, self._told = world.events[self._told:], len(world.events)
        return {"stamp": world.time, "events": [{**e.action.to_dict(), "seen_by": sorted(e.seen_by)} for e in new],
                "things": {t: s.at for t, s in world.state.things.items()},
                "where": {c.id: [c.cls, *(round(float(v), 3) for v in c.position)] for c in self.candidates()},
                "running": {f.id: f.room for f in world.home.furniture if f.cls in ("faucet", "sink") and world.state.switched_on.get(f.id)},
                "people": {p: self._mind_of(p, c) for p, c in world.controllers.items()}}

    def _mind_of(self, person: str, controller) -> dict:
        """What somebody truly wants and thinks, as far as it concerns their goal."""
        mind = controller.mind
        return {"goal": mind.goal.to_dict(), "scripted": bool(getattr(controller, "scripted", False)), "since": mind.since,
                "reached_at": mind.reached_at, "stuck": mind.stuck, "at": mind.at, "room": self.world.room_of(person),
                "beliefs": {t: mind.memory.row(t) for t in mind.wanted_things()},
                "thinks": {t: place if p >= 0.5 else None for t in mind.memory.things for place, p in [mind.memory.best(t)]}}

    def close(self) -> None:
        self._closed = True

    def _need_open(self) -> None:
        if self._closed:
            raise Closed("this embedded world was closed")


def load_home_of(home: str | None, story: str | None, seed: int = 0) -> Home:
    """The home a run will take place in. Raises the loaders' errors."""
    return open_story(story, home, seed).home if story else load_home(home or home_names()[0])


def open_simulator(*, home: str | None = None, story: str | None = None, seed: int = 0, width: int = 640, height: int = 480,
                   noise: bool = False, **_) -> EmbeddedSimulator:
    """Raises HomeError or StoryError, which name file, line and what is allowed."""
    world = open_story(story, home, seed) if story else EmbeddedWorld(load_home(home or home_names()[0]), seed)
    camera = CameraModel.from_fov(width, height, world.home.robot.horizontal_fov_deg)
    return EmbeddedSimulator(world, camera, noise=NoiseConfig() if noise else None)
