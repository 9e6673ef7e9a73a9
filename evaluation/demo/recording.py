"""A recorded story as values: everything the stack published, in order, and the frames by their stamp."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaluation import bags
from household import wire
from household.actions import HumanAction, Utterance
from household.scene_graph import SceneGraph
from household.transforms import TransformBuffer, TransformError
from mind import wire as mind_wire
from mind.output import Minds
from planner.decision import Decision

COLOR = "/camera/color/image_raw/compressed"
TOPICS = ("/heed/scene_graph", "/heed/events", "/heed/utterances", "/heed/minds", "/heed/decision")


@dataclass
class Recording:
    """Lists in recorded order. ``stream``: all of the stack's values interleaved as they came. ``colors``: (stamp, JPEG bytes).
    ``truth``: the simulator's own state per frame; for scoring only."""

    graphs: list[SceneGraph] = field(default_factory=list)
    events: list[HumanAction] = field(default_factory=list)
    utterances: list[Utterance] = field(default_factory=list)
    minds: list[Minds] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    stream: list = field(default_factory=list)
    colors: list[tuple[float, bytes]] = field(default_factory=list)
    truth: list[dict] = field(default_factory=list)
    camera: object = None
    frame: str = ""
    transforms: TransformBuffer = field(default_factory=lambda: TransformBuffer(history=3600.0, limit=200_000))

    def view_at(self, stamp: float):
        """(CameraModel, 4×4 optical → map) of the frame nearest to ``stamp``, or None when it was not recorded."""
        if self.camera is None or not self.graphs:
            return None
        try:
            return self.camera, self.transforms.lookup("map", self.frame, self.graph_at(stamp).stamp)
        except TransformError:
            return None

    def color_at(self, stamp: float) -> np.ndarray | None:
        """The colour image nearest to ``stamp``, uint8 (H, W, 3) RGB; None when no images were recorded."""
        import cv2

        if not self.colors:
            return None
        _, data = min(self.colors, key=lambda c: abs(c[0] - stamp))
        return cv2.cvtColor(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)

    def graph_at(self, stamp: float) -> SceneGraph | None:
        return min(self.graphs, key=lambda g: abs(g.stamp - stamp)) if self.graphs else None

    def minds_at(self, stamp: float) -> Minds | None:
        earlier = [m for m in self.minds if m.stamp <= stamp + 1e-6]
        return earlier[-1] if earlier else None


def load(path: Path, images: bool = True) -> Recording:
    """Raises evaluation.bags.BagError."""
    out = Recording()
    seen: set[float] = set()
    for topic, _, message in bags.read(path):
        if topic == "/heed/scene_graph":
            value = wire.scene_graph(message)
            if value.stamp in seen:
                continue
            seen.add(value.stamp)
            out.graphs.append(value)
        elif topic == "/heed/events":
            value = wire.human_action(message)
            out.events.append(value)
        elif topic == "/heed/utterances":
            value = wire.utterance(message)
            out.utterances.append(value)
        elif topic == "/heed/minds":
            value = mind_wire.minds(message)
            out.minds.append(value)
        elif topic == "/heed/decision":
            value = Decision.from_dict(json.loads(message.json))
            out.decisions.append(value)
        else:
            if topic == COLOR and images:
                out.colors.append((wire.seconds(message.header.stamp), bytes(message.data)))
            elif topic == "/tf":
                _keep_transforms(out, message)
            elif topic == "/camera/color/camera_info" and out.camera is None:
                out.camera, out.frame = wire.camera_model(message), message.header.frame_id
            elif topic == "/sim/ground_truth/state":
                out.truth.append(json.loads(message.data))
            continue
        out.stream.append(value)
    return out


def _keep_transforms(out: Recording, message) -> None:
    for t in message.transforms:
        p, q = t.transform.translation, t.transform.rotation
        out.transforms.set(t.header.frame_id, t.child_frame_id, wire.seconds(t.header.stamp), (p.x, p.y, p.z), (q.x, q.y, q.z, q.w))
