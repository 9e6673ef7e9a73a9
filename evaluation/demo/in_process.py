"""One story without ROS: world, perception, mind, planner and executor one after the other in one process.

What the nodes do is done by the same steps in the order of a run in lockstep; what falls away is messages, clocks and processes. It is for trials on
many stories and for machines without ROS; the recording it gives is judged like any other. Invariant: perception gets what a camera gives (and, for
``simulator``, the instance image); truth goes into the recording alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from evaluation.demo.recording import Recording
from evaluation.stack import Stack
from household.actions import AtomicAction, HumanAction, Utterance
from household.ordering import Orderer
from household.scene_graph import ROBOT, SceneGraph
from household.transforms import quaternion_of
from perception import detectors
from perception.config import PerceptionConfig, suited
from perception.detectors import Detection
from perception.detectors.simulator import keypoints_of, segment
from perception.frame import FrameInput
from perception.holding import OwnHands
from perception.home_map import from_rooms
from perception.pipeline import initial_state, step
from planner.config import PlannerConfig
from planner.execution import Executor
from sim_bridges.contract import Frame
from sim_bridges.embedded.simulator import EmbeddedSimulator
from sim_bridges.grounding import ground

OPTICAL = "camera_color_optical_frame"
Look = Callable[[Frame], tuple[Detection, ...]]


@dataclass(frozen=True)
class Keeper:
    """What a caller may want of every frame, besides the recording: ``frame`` gets the FrameInput, ``graph`` the graph and its events."""

    frame: Callable[[FrameInput], None] = lambda frame: None
    graph: Callable[[SceneGraph, tuple[HumanAction, ...]], None] = lambda graph, events: None


def look_with(perception: str, backend: str = "", **options) -> tuple[Look, PerceptionConfig]:
    """``simulator`` or ``detector`` → frame → detections, and the perception that suits it. Raises DetectorError."""
    if perception == "simulator":
        return _labels, PerceptionConfig()
    if perception != "detector":
        raise ValueError(f"perception: '{perception}' reads no pictures; take detector or simulator")
    detector = detectors.create(backend or detectors.DEFAULT, **options)
    return lambda f: detector.detect(f.color, f.depth, f.camera, f.camera_pose), suited(PerceptionConfig(), detector.tuning)


def _labels(frame: Frame) -> tuple[Detection, ...]:
    table = {value: (info.entity, info.cls) for value, info in frame.instances.items()}
    return segment(frame.ids, table, keypoints_of(frame.keypoints))


class _Body:
    """``household.body.Body`` that resolves the stack's names as the world node does, by the newest graph."""

    def __init__(self, world: EmbeddedSimulator):
        self.world, self.graph = world, None

    def can(self, action: AtomicAction) -> str:
        return self.world.body.can(action)

    def start(self, action: AtomicAction) -> None:
        self.world.body.start(ground(action, self.graph, self.world.candidates()))

    def poll(self):
        return self.world.body.poll()

    def stop(self) -> None:
        self.world.body.stop()


def play(world: EmbeddedSimulator, look: Look, config: PerceptionConfig, *, rate: float = 3.0, planner: PlannerConfig = PlannerConfig(),
         keep: Keeper = Keeper(), progress: Callable[[float], None] = lambda t: None, on_item: Callable[[object], None] = lambda item: None) -> Recording:
    """From the first frame to the end of the story. ``rate``: frames per second of world time; ``on_item`` gets, after each frame, what came into the
    recording's stream."""
    home = world.world.home
    state = initial_state(from_rooms(home.rooms, home.doorways, home.wall_height))
    rec, stack, orderer, hands, body = Recording(frame=OPTICAL), Stack(planner=planner), Orderer(), OwnHands(), _Body(world)
    executor, told = Executor(body, planner), 0
    while True:
        frame, words = _view(world, rec)
        for said in words:
            _tell(said, rec, orderer)
        seen = FrameInput(frame.stamp, frame.color, frame.depth, frame.camera, frame.camera_pose, frame.robot_pose, look(frame), hands.holding())
        keep.frame(seen)
        state, graph, events = step(state, seen, config)
        keep.graph(graph, events)
        body.graph = graph
        rec.graphs.append(graph)
        rec.events += events
        rec.stream += [*events, graph]
        for item in (*events, graph):
            for due in orderer.add(item):
                moment = stack.run(due)
                rec.minds.append(moment.minds)
                rec.stream.append(moment.minds)
                if moment.out.changed:
                    rec.decisions.append(moment.out.decision)
                    rec.stream.append(moment.out.decision)
                if moment.out.gaze is not None:
                    world.look_at(moment.out.gaze)
                world.stand_at(moment.out.stand)
                done = executor.tick(graph.stamp, graph, moment.out.commands)
                for say in done.say:
                    said = Utterance(ROBOT, say.text, graph.stamp, say.addressee)
                    _tell(said, rec, orderer)
                    world.hear(said)
                for act in done.events:
                    hands.act(act)
                    rec.events.append(act)
                    rec.stream.append(act)
                    orderer.add(act)
        for item in rec.stream[told:]:
            on_item(item)
        told = len(rec.stream)
        progress(frame.stamp)
        if world.finished and executor.state.current is None:
            return rec
        world.advance(1.0 / rate)


def _view(world: EmbeddedSimulator, rec: Recording) -> tuple[Frame, list[Utterance]]:
    """The next frame, and what was said since the last; picture, pose and truth go into the recording."""
    words, frame, truth = world.heard(), world.frame(), world.truth()
    rec.camera = frame.camera
    rec.truth.append(truth)
    rec.transforms.set("map", OPTICAL, frame.stamp, tuple(frame.camera_pose[:3, 3]), quaternion_of(frame.camera_pose))
    ok, data = cv2.imencode(".jpg", cv2.cvtColor(frame.color, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 85])
    if ok:
        rec.colors.append((frame.stamp, np.asarray(data).tobytes()))
    return frame, words


def _tell(said: Utterance, rec: Recording, orderer: Orderer) -> None:
    rec.utterances.append(said)
    rec.stream.append(said)
    orderer.add(said)
