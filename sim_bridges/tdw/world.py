"""A World made of a ThreeDWorld build: physics frames are its clock, Replicants its people and its robot.

One message is one simulated frame; ``advance`` runs as many as fit and asks for images with the last, so that a frame's pictures, camera and poses
belong to one and the same moment and ``frame`` costs nothing. When the build dies, every call raises ConnectionLost until one connects again; the
scene is then built anew and the story starts over, while stamps go on.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

import numpy as np

from household import classes
from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.camera import CameraModel
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph
from household.transforms import matrix_from
from sim_bridges import scripted, unity
from sim_bridges.colors import InstanceColors
from sim_bridges.contract import Frame, InstanceInfo, StepStatus
from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost
from sim_bridges.grounding import Candidate
from sim_bridges.neck import Neck, eye_of, turned
from sim_bridges.play import Play
from sim_bridges.tdw import building, graph, snapshot
from sim_bridges.tdw.cast import Actor, TdwBody
from sim_bridges.tdw.config import TdwConfig
from sim_bridges.tdw.joints import Joint, main_joint
from sim_bridges.tdw.link import BuildLink


KNOCK = 0.3  # seconds that one call waits for a lost build to come back


class TdwWorld:
    """``contract.Simulator``. The constructor waits for a build and sets the scene up; raises BridgeError subclasses."""

    def __init__(self, config: TdwConfig = TdwConfig(), link: BuildLink | None = None, seed: int = 0):
        self.config = config
        self.link = link or BuildLink(config.port, config.limits)
        self.frames = building.frames_of(config.scene)
        self.body = TdwBody(self)
        self.stamp, self.restarts = 0.0, 0
        self._closed = False
        try:
            self._set_up()
        except BridgeError:
            self.link.close()
            raise

    # contract -----------------------------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        self._need_open()
        self.stamp = 0.0
        self._try(self._set_up)

    def advance(self, seconds: float) -> None:
        self._need_open()
        if not 0 <= seconds <= 3600:
            raise ValueError(f"advance({seconds}): 0 to 3600 seconds are due")
        if not self._ready:
            return self._come_back(seconds)
        self._owed += seconds
        most = int(5 * seconds * self.config.framerate) + 5  # a build that reports tiny frames must not hold us for ever
        for _ in range(most):
            dt = self._dt
            if self._owed < dt / 2:
                break
            self._owed -= dt
            self._try(lambda: self._step(last=self._owed < dt / 2))

    def _come_back(self, seconds: float) -> None:
        """Time stands still without the simulator, however often we are asked."""
        self.link.connect(KNOCK)
        before, self.stamp = self.stamp, self.stamp + seconds
        try:
            self._try(self._set_up)
        except ConnectionLost:
            self.stamp = before
            raise
        self.restarts += 1

    def frame(self) -> Frame:
        self._need_open()
        if not self._ready:
            raise ConnectionLost(f"the ThreeDWorld build on port {self.config.port} was lost and is not back yet")
        return self._frame

    def heard(self) -> list[Utterance]:
        out = list(self._heard)
        self._heard.clear()
        return out

    def hear(self, utterance: Utterance) -> None:
        """The robot said this; somebody who looks for a thing drops what they do and takes notice."""
        for person in self._play.hear(utterance):
            self.actors[person].stop("listens")

    def look_at(self, point: tuple[float, float, float]) -> None:
        self._neck = replace(self._neck, goal=tuple(float(c) for c in point))

    def stand_at(self, spot: tuple[float, float] | None) -> None:
        """Its body stays where the story put it."""

    def truth(self) -> dict:
        events = [e.to_dict() for e in self._events]
        self._events.clear()
        state = self._play.truth(self.scene()) if self._ready else {"things": {}, "people": {}, "problem": "the simulator was lost"}
        return {"stamp": self.stamp, "events": events, **state}

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.link.close()

    @property
    def finished(self) -> bool:
        """The story's last beat is over."""
        return self._play.finished

    @property
    def problem(self) -> str:
        """Why the story ended early, or ''."""
        return self._play.problem

    # symbols ------------------------------------------------------------------------------------------------------------------

    @property
    def robot(self) -> Actor:
        return self.actors[ROBOT]

    def scene(self) -> SceneGraph:
        """Everything the simulator knows at this frame: the symbolic source."""
        self._need_open()
        if not self._ready:
            raise ConnectionLost(f"the ThreeDWorld build on port {self.config.port} was lost and is not back yet")
        if self._scene is None:
            self._scene = graph.scene_graph(self.snapshot, self.bodies, self.openness, self.numbers, self.config.scene, self.frames, self.stamp)
        return self._scene

    def candidates(self) -> list[Candidate]:
        """Everything an action can be about, where it is now."""
        return [Candidate(e.id, e.cls, e.position) for e in self.scene().entities.values() if e.kind not in (Kind.ROOM, Kind.ROBOT)]

    def home_map(self) -> dict:
        return self.config.scene.home_map()

    def begin(self, actor: str, action: AtomicAction) -> None:
        """A person's or the robot's next action. A mistake in it shows in the actor's report."""
        if action.verb is Verb.SAY and actor != ROBOT:
            self._heard.append(scripted.utterance(action, actor, self.stamp, self.scene()))
        self.actors[actor].start(action)

    # set-up -------------------------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        from tdw.add_ons.composite_object_manager import CompositeObjectManager

        c = self.config
        self._ready = False
        self._play = Play((), (p.id for p in c.scene.people))
        self._heard: deque[Utterance] = deque(maxlen=256)
        self._events: deque[HumanAction] = deque(maxlen=1024)
        self._neck = Neck.at_rest(math.radians(c.camera_pitch))
        self._owed, self._dt = 0.0, 1.0 / c.framerate
        self._rest_until = -math.inf
        self._scene: SceneGraph | None = None
        self._frame: Frame | None = None
        self.numbers = building.numbers(c.scene)
        self.openness: dict[str, float] = {}
        self.joints: dict[str, Joint] = {}
        self._colors = self._instances = None
        self.link.add_ons.clear()
        patience = {"$type": "set_socket_timeout", "timeout": max(50, round(c.limits.idle * 250)), "max_retries": 4}
        self.link.communicate([{"$type": "set_error_handling"}, patience, *building.scene_commands(c, self.frames)], limit=c.limits.load)
        self.actors = {id: Actor(id, replicant, self) for id, replicant in building.replicants(c.scene, self.frames, c.framerate).items()}
        self._composites = CompositeObjectManager()
        self.link.add_ons.extend([a.replicant for a in self.actors.values()] + [self._composites])
        first = self._talk(building.late_commands(c), c.limits.load)
        self._learn(first)
        self._step(last=True, moving=False)
        self._ready = True
        self._play = Play(scripted.staged(c.story, self.scene()), (p.id for p in c.scene.people))

    def _learn(self, first: snapshot.Snapshot) -> None:
        """Joints and colours, which never change."""
        by_number = {n: id for id, n in self.numbers.items()}
        for number, static in self._composites.static.items():
            joint = main_joint(static)
            if number in by_number and joint is not None:
                self.joints[by_number[number]] = joint
        entity = {**by_number, **{n: id for id, n in building.people_numbers(self.config.scene).items()}}
        missing = [id for n, id in entity.items() if n not in first.colors]
        if missing and self.config.instances:
            raise BadReply(f"the ThreeDWorld build sent no segmentation colour for {', '.join(sorted(missing)[:5])}: did their models load? See its log")
        cls = {id: "robot" if id == ROBOT else "person" if id in self.actors else classes.class_of(id) for id in entity.values()}
        self._instances = {n: InstanceInfo(id, cls[id]) for n, id in entity.items()}
        self._colors = InstanceColors({n: first.colors[n] for n in entity if n in first.colors})

    # time ---------------------------------------------------------------------------------------------------------------------

    def _step(self, last: bool, moving: bool = True) -> None:
        """One simulated frame; with images if it is the ``last`` before somebody looks."""
        commands = []
        if moving:
            self._next_beat()
            for actor in self.actors.values():
                commands += self._tick(actor)
            self._turn_neck(self._dt)
        if last:
            if not moving:  # the Replicants' poses are known, the camera is not there yet
                self._update(self._talk([]))
            commands += [*self._aim(), {"$type": "send_images", "frequency": "once", "ids": [building.AVATAR]},
                         {"$type": "send_camera_matrices", "frequency": "once", "ids": [building.AVATAR]}]
        now = self._talk(commands)
        if moving:
            self._dt = now.dt or 1.0 / self.config.framerate
            self.stamp += self._dt
        self._update(now)
        if last:
            self._frame = self._frame_of(now)

    def _talk(self, commands: list[dict], limit: float | None = None) -> snapshot.Snapshot:
        reply = self.link.communicate(commands, limit)
        return snapshot.read(reply, building.AVATAR, self.config.width, self.config.height)

    def _update(self, now: snapshot.Snapshot) -> None:
        self.snapshot, self._scene = now, None
        self.bodies = {}
        for id, actor in self.actors.items():
            transform = actor.replicant.dynamic.transform
            x, y, z = self.frames.to_map(transform.position)
            held = {arm.name: int(n) for arm, n in actor.replicant.dynamic.held_objects.items()}
            self.bodies[id] = graph.Body((float(x), float(y), float(z)), unity.yaw_to_map(transform.rotation), held)
        for id, joint in self.joints.items():
            dynamic = self._composites.dynamic.get(self.numbers[id])
            if dynamic is not None and joint.id in dynamic.hinges:
                self.openness[id] = joint.openness(dynamic.hinges[joint.id].angle)

    def _tick(self, actor: Actor) -> list[dict]:
        was_busy = actor.busy
        commands = actor.tick()
        if was_busy and not actor.busy:
            if actor.report.status is StepStatus.SUCCEEDED:
                self._note(actor)
            if actor.id in self._play.people:
                self._play.ended(actor.id, actor.action, actor.report.reason)
                self._rest_until = self.stamp + self.config.pause
        return commands

    def _next_beat(self) -> None:
        if self.stamp < self._rest_until - 1e-9:
            return
        for id, action in self._play.next(self.stamp, self.scene, lambda p: self.actors[p].busy):
            self.begin(id, action)
            if self.actors[id].report.status is StepStatus.FAILED:
                self._play.ended(id, action, self.actors[id].report.reason)

    def _note(self, actor: Actor) -> None:
        action = actor.action
        target = action.args[0] if action.args and action.verb not in (Verb.SAY, Verb.WAIT) else None
        place = action.target or (action.args[1] if len(action.args) > 1 and action.verb is not Verb.SAY else None)
        self._events.append(HumanAction(actor.id, action.verb, target, place, start=self.stamp, end=self.stamp))

    # the robot's eye ------------------------------------------------------------------------------------------------------------

    def _robot_pose(self) -> np.ndarray:
        b = self.bodies[ROBOT]
        return matrix_from(b.position, (0.0, 0.0, math.sin(b.yaw / 2), math.cos(b.yaw / 2)))

    def _turn_neck(self, seconds: float) -> None:
        base, c = self._robot_pose(), self.config
        self._neck = turned(self._neck, base, eye_of(base, c.camera_forward, c.camera_height), math.radians(c.neck_rate), seconds)

    def _aim(self) -> list[dict]:
        c, base = self.config, self._robot_pose()
        heading = self.bodies[ROBOT].yaw + self._neck.yaw
        return [{"$type": "teleport_avatar_to", "avatar_id": building.AVATAR,
                 "position": self.frames.vector(eye_of(base, c.camera_forward, c.camera_height))},
                {"$type": "rotate_avatar_to_euler_angles", "avatar_id": building.AVATAR,
                 "euler_angles": {"x": math.degrees(-self._neck.pitch), "y": unity.yaw_to_degrees(heading), "z": 0.0}}]

    def _frame_of(self, now: snapshot.Snapshot) -> Frame:
        c = self.config
        lacking = [n for n, v in (("_img", now.color), ("_depth", now.depth), ("camera matrices", now.camera_matrix),
                                  *((("_id", now.ids),) if c.instances else ())) if v is None]
        if lacking:
            raise BadReply(f"the ThreeDWorld build sent no {', '.join(lacking)}: is it too old, or has the avatar '{building.AVATAR}' gone?")
        try:
            pose = self.frames.pose(unity.optical_pose_from_gl(now.camera_matrix))
        except (ValueError, np.linalg.LinAlgError) as error:
            raise BadReply(f"ThreeDWorld's camera matrix: {error}") from None
        f = float(now.projection[1, 1]) * c.height / 2
        model = CameraModel(c.width, c.height, f, f, (c.width - 1) / 2, (c.height - 1) / 2)
        ids = self._colors.ids(now.ids) if c.instances else None
        return Frame(self.stamp, now.color, now.depth, model, pose, self._robot_pose(), ids, self._instances if c.instances else {})

    # guards -------------------------------------------------------------------------------------------------------------------

    def _try(self, call):
        """Run ``call``; remember when the build is gone."""
        try:
            return call()
        except ConnectionLost:
            self._ready = False
            for actor in self.actors.values():
                if actor.busy:
                    actor.fail("the simulator was lost")
            raise

    def _need_open(self) -> None:
        if self._closed:
            raise Closed("this ThreeDWorld world was closed")
