"""A World made of a running VirtualHome: stepping mode, in which nothing moves but by script lines, one line per ``action_seconds``.

The simulator has no clock that could be read, so time is kept here and moves only by ``advance``. All state (graph, cameras, images) is asked for
anew after every line that ran, never predicted. When the simulator dies, every call raises ConnectionLost until it is back; the scene is then set
up again and the story starts over, while stamps go on. Invariant: a frame's images, camera and robot pose belong to one and the same state.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from pathlib import Path

import numpy as np

from household.actions import AtomicAction, HumanAction, Utterance, Verb
from household.camera import CameraModel
from household.classes import Kind
from household.scene_graph import ROBOT, SceneGraph
from sim_bridges import scripted, unity
from sim_bridges.colors import InstanceColors
from sim_bridges.contract import Frame, InstanceInfo, StepStatus
from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost, UnknownName
from sim_bridges.grounding import Candidate
from sim_bridges.neck import Neck, eye_of, turned
from sim_bridges.play import Play
from sim_bridges.virtualhome import cameras, graph, placing, script
from sim_bridges.virtualhome.body import VirtualHomeBody, lines_of
from sim_bridges.virtualhome.cast import Cast
from sim_bridges.virtualhome.client import VirtualHomeClient
from sim_bridges.virtualhome.config import CameraMount, VirtualHomeConfig
from sim_bridges.virtualhome.names import NameMap
from sim_bridges.virtualhome.pixels import byte_colors, decode_depth, decode_png
from sim_bridges.virtualhome.recording import Recording
from sim_bridges.virtualhome.walks import Walks

ROBOT_CAMERA = "heed_head"
MAX_SILENT = 20  # beats that need no script line, in one tick


class VirtualHomeWorld:
    """``contract.Simulator``. The constructor connects and sets the scene up; raises BridgeError subclasses."""

    def __init__(self, config: VirtualHomeConfig = VirtualHomeConfig(), client: VirtualHomeClient | None = None, seed: int = 0):
        self.config = config
        self.client = client or VirtualHomeClient(config.host, config.port, config.limits)
        self.body = VirtualHomeBody(self)
        self.stamp = 0.0
        self.restarts = 0
        self.colors: InstanceColors | None = None
        self.instances: dict[int, InstanceInfo] = {}
        self.last_recording: Recording | None = None
        self._seed = seed
        self._closed = False
        self._begin_again()
        self.client.ping()
        self._set_up()

    # contract -----------------------------------------------------------------------------------------------------------------

    def reset(self, seed: int) -> None:
        self._need_open()
        self._seed, self.stamp = seed, 0.0
        self._begin_again()
        self._try(self._set_up)

    def advance(self, seconds: float) -> None:
        self._need_open()
        if seconds < 0:
            raise ValueError(f"advance({seconds}): time does not run backwards")
        before, self.stamp = self.stamp, self.stamp + seconds
        try:
            self._advance(seconds)
        except ConnectionLost:
            self.stamp = before  # time stands still without the simulator, however often we are asked
            raise

    def _advance(self, seconds: float) -> None:
        if not self._ready:
            self._begin_again()
            self._try(self._set_up)
            self.restarts += 1
        self._since_tick += seconds
        while self._since_tick >= self.config.action_seconds - 1e-9:
            self._since_tick -= self.config.action_seconds
            self._try(self._tick)
        self._try(lambda: self._show_walks((self._since_tick + seconds) / self.config.action_seconds))
        if self.config.mount is CameraMount.HEAD:
            self._try(lambda: self._turn_neck(seconds))
        if self.config.prefetch:
            self.frame()
        else:
            self._try(self.client.ping)  # so that a dead simulator is noticed even while nobody acts

    def frame(self) -> Frame:
        """Asks for images once per stamp and state. Raises ConnectionLost, BadReply."""
        self._need_open()
        if not self._ready:
            raise ConnectionLost(f"VirtualHome at {self.config.host}:{self.config.port} was lost and is not back yet")
        if self._frame is None or self._frame.stamp != self.stamp:
            self._frame = self._try(self._fetch_frame)
        return self._frame

    def heard(self) -> list[Utterance]:
        out = list(self._heard)
        self._heard.clear()
        return out

    def hear(self, utterance: Utterance) -> None:
        """The robot said this; somebody who looks for a thing drops what they do and takes notice."""
        for person in self._play.hear(utterance):
            if self.cast.busy(person):
                job = self.cast.jobs[person]
                job.end(StepStatus.CANCELLED, "listens")
                self._play.ended(person, job.action, job.report.reason)

    def look_at(self, point: tuple[float, float, float]) -> None:
        self._neck = replace(self._neck, goal=tuple(float(c) for c in point))

    def stand_at(self, spot: tuple[float, float] | None) -> None:
        """Its body stays where the story put it."""

    def truth(self) -> dict:
        events = [e.to_dict() for e in self._events]
        self._events.clear()
        state = self._play.truth(self.scene()) if self._ready else {"things": {}, "people": {}, "problem": "the simulator was lost"}
        return {"stamp": self.stamp, "events": events, "unknown_classes": dict(self.names.unknown), **state}

    def close(self) -> None:
        self._closed = True

    @property
    def finished(self) -> bool:
        """The story's last beat is over."""
        return self._play.finished

    @property
    def problem(self) -> str:
        """Why the story ended early, or ''."""
        return self._play.problem

    # symbols ------------------------------------------------------------------------------------------------------------------

    def scene(self) -> SceneGraph:
        """Everything the simulator knows, now: the symbolic source. Raises ConnectionLost, BadReply."""
        self._need_open()
        if self._scene is None:
            self._scene = self._try(lambda: self._read(self.client.environment_graph(), self.stamp))
        return replace(self._scene, stamp=self.stamp)

    def candidates(self) -> list[Candidate]:
        """Everything an action can be about, where it is now."""
        return [Candidate(e.id, e.cls, e.position) for e in self.scene().entities.values() if e.kind not in (Kind.ROOM, Kind.ROBOT)]

    def home_map(self) -> dict:
        """Rooms and doorways as the perception's ``home_map`` file wants them."""
        self.scene()
        return graph.home_map(self.client.environment_graph(), self.names)

    def begin(self, actor: str, action: AtomicAction) -> None:
        """Queue an action of a person or the robot. Raises UnknownName, ValueError, RuntimeError (still busy)."""
        if action.verb is Verb.SAY and actor != ROBOT:
            self._heard.append(scripted.utterance(action, actor, self.stamp, self.scene()))
        self.cast.start(actor, action, lines_of(action, actor, self.names, self.scene()))

    # set-up -------------------------------------------------------------------------------------------------------------------

    def _begin_again(self) -> None:
        c = self.config
        self.names = NameMap([*(p.id for p in c.people), ROBOT])
        self._read = graph.Reader(self.names)
        self.cast = Cast()
        self.walks = Walks(self.client, self.names)
        self._play = Play((), (p.id for p in c.people))
        self._ready = False
        self._since_tick = 0.0
        self._neck = Neck.at_rest(math.radians(c.camera_pitch))
        self._scene: SceneGraph | None = None
        self._frame: Frame | None = None
        self._camera: int | None = None
        self._heard: deque[Utterance] = deque(maxlen=256)
        self._events: deque[HumanAction] = deque(maxlen=1024)

    def _set_up(self) -> None:
        c, client = self.config, self.client
        client.reset(c.environment)
        if c.place:
            placing.place(client, c.place, self._seed)
        if c.mount is CameraMount.CHARACTER:
            client.add_character_camera(ROBOT_CAMERA, (0.0, c.camera_height, c.camera_forward), (-c.camera_pitch, 0.0, 0.0), c.vertical_fov)
        for spec in (*c.people, c.robot):
            before = client.camera_count()
            client.add_character(spec.resource, spec.room, None if spec.position is None else unity.point_to_unity((*spec.position, 0.0)))
        self._ready = True
        self._scene = self._read(client.environment_graph(), self.stamp)
        missing = [x.id for x in (*c.people, c.robot) if x.id not in self._scene.entities]
        if missing:
            raise BridgeError(f"VirtualHome added no character for {', '.join(missing)}: do two resources have the same name? "
                              f"It has {sum(1 for e in self._scene.entities.values() if e.cls in ('person', 'robot'))} characters")
        self._camera = client.add_camera() if c.mount is CameraMount.HEAD else self._bolted_camera(before)
        self._aim()
        self.colors, self.instances = None, {}
        self._play = Play(scripted.staged(c.story, self._scene), (p.id for p in c.people))

    def _bolted_camera(self, first: int) -> int:
        indexes = list(range(first, self.client.camera_count()))
        for data in self.client.camera_data(indexes):
            if ROBOT_CAMERA in str(data.get("name")):
                return int(data["index"])
        raise UnknownName(f"the robot's character has no camera '{ROBOT_CAMERA}' among {len(indexes)}: use mount: head")

    # time ---------------------------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        """One script line of everybody who has one."""
        self._show_walks(1.0)
        self._next_beat()
        strides = self.config.strides and self.config.recording is None
        lines = self.cast.next_tick(ROBOT, lambda i, line: self.walks.line(i, line, self.scene())) if strides else self.cast.next_tick(ROBOT)
        if not lines:
            return
        before = self.scene()
        options = {"skip_animation": True} if self.config.recording is None else self._recording_options()
        reply = self.client.render_script([script.together(list(lines.values()))], **options)
        failed = script.failures(reply.success, reply.message, list(lines))
        self._scene, self._frame = None, None
        if strides:
            self.walks.ran(before, self.scene())
        for job in self.cast.done(failed):
            if job.report.status is StepStatus.SUCCEEDED:
                self._note(job.owner, job.action)
            if job.owner in self._play.people:
                self._play.ended(job.owner, job.action, job.report.reason)
        self._aim()

    def _show_walks(self, share: float) -> None:
        if self.walks.show(share):
            self._scene, self._frame = None, None
            self._aim()

    def _recording_options(self) -> dict:
        """Have the line recorded, and remember where and how. The frames are read with :func:`.recording.frames`."""
        c, prefix = self.config, f"heed_{round(self.stamp * 1000):09d}"
        model, pose = self._camera_now()
        if c.instances:
            self._learn_colors(self.scene())
        self.last_recording = Recording(Path(c.recording) / prefix, self.stamp - c.action_seconds, self.stamp, model, pose, self._robot_pose())
        return {"skip_animation": False, "recording": True, "frame_rate": c.frame_rate, "image_width": c.width, "image_height": c.height,
                "output_folder": c.recording, "file_name_prefix": prefix, "camera_mode": [str(self._camera)],
                "image_synthesis": ["normal", "depth", *(["seg_inst"] if c.instances else [])]}

    def _next_beat(self) -> None:
        """People's next actions; several when they need no line."""
        for _ in range(MAX_SILENT):
            actions = self._play.next(self.stamp, self.scene, self.cast.busy)
            for actor, action in actions:
                try:
                    self.begin(actor, action)
                except (ConnectionLost, BadReply):
                    raise
                except ValueError as error:
                    self._play.ended(actor, action, str(error))
            if not any(not self.cast.busy(actor) for actor, _ in actions):
                return

    def _note(self, actor: str, action: AtomicAction) -> None:
        target = action.args[0] if action.args and action.verb is not Verb.SAY else None
        place = action.target or (action.args[1] if len(action.args) > 1 else None)
        self._events.append(HumanAction(actor, action.verb, target, place, start=self.stamp - self.config.action_seconds, end=self.stamp))

    # the robot's eye ------------------------------------------------------------------------------------------------------------

    def _robot_pose(self) -> np.ndarray:
        return graph.robot_pose(self.scene())

    def _turn_neck(self, seconds: float) -> None:
        base, c = self._robot_pose(), self.config
        neck = turned(self._neck, base, eye_of(base, c.camera_forward, c.camera_height), math.radians(c.neck_rate), seconds)
        if neck != self._neck:
            self._neck, self._frame = neck, None
            self._aim()

    def _aim(self) -> None:
        """Move the free camera to where the robot's head is."""
        c = self.config
        if c.mount is not CameraMount.HEAD or self._camera is None:
            return
        base = self._robot_pose()
        heading = float(np.arctan2(base[1, 0], base[0, 0])) + self._neck.yaw
        eye = unity.point_to_unity(eye_of(base, c.camera_forward, c.camera_height))
        self.client.update_camera(self._camera, eye, (math.degrees(-self._neck.pitch), unity.yaw_to_degrees(heading), 0.0), c.vertical_fov)

    def _fetch_frame(self) -> Frame:
        c, scene = self.config, self.scene()
        model, pose = self._camera_now()
        color = decode_png(self.client.camera_images([self._camera], "normal", c.width, c.height)[0], c.width, c.height, "normal")
        depth = decode_depth(self.client.camera_images([self._camera], "depth", c.width, c.height)[0], c.width, c.height)
        ids = None
        if c.instances:
            self._learn_colors(scene)
            image = decode_png(self.client.camera_images([self._camera], "seg_inst", c.width, c.height)[0], c.width, c.height, "seg_inst")
            ids = self.colors.ids(image)
        return Frame(self.stamp, color, depth, model, pose, graph.robot_pose(scene), ids, self.instances)

    def _camera_now(self) -> tuple[CameraModel, np.ndarray]:
        """Intrinsics, and optical frame → map."""
        data = self.client.camera_data([self._camera])[0]
        return cameras.model_from(data, self.config.width, self.config.height), cameras.pose_from(data)

    def _learn_colors(self, scene: SceneGraph) -> None:
        """Instance values are 1, 2, … in the order of the node ids; anew when an entity came."""
        nodes = {self.names.node(e): e for e in scene.entities}
        if self.colors is None or len(nodes) != len(self.instances):
            table = byte_colors(self.client.instance_colors())
            order = {node: value for value, node in enumerate(sorted(nodes), 1)}
            self.instances = {order[n]: InstanceInfo(e, self.names.cls(e)) for n, e in nodes.items()}
            self.colors = InstanceColors({order[n]: table[n] for n in nodes if n in table})

    # guards -------------------------------------------------------------------------------------------------------------------

    def _try(self, call):
        """Run ``call``; remember when the simulator is gone."""
        try:
            return call()
        except ConnectionLost:
            self._ready = False
            self._scene = self._frame = None
            self.cast.drop_all("the simulator was lost")
            raise

    def _need_open(self) -> None:
        if self._closed:
            raise Closed("this VirtualHome world was closed")
