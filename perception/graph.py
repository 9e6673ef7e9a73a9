"""From tracks to the immutable scene graph that everybody else reads."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness, Posture, Relation, SceneGraph, Tracking
from perception import monocular, sight
from perception.config import PerceptionConfig
from perception.frame import FrameInput
from perception.geometry import wrap
from perception.home_map import DOORWAY_HEIGHT
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.records import replace
from perception.thing_track import ThingTrack, believed_in

if TYPE_CHECKING:
    from perception.pipeline import PerceptionState

_AS_WELL = 0.5  # as likely as the name it goes by must another be to be said as well
_NAMES = 2  # such names at most


def assemble(state: "PerceptionState", frame: FrameInput, edges: frozenset[Relation], sees: dict, inspected: dict, event_count: int,
             config: PerceptionConfig) -> SceneGraph:
    """Only what was seen often enough is published; relations of what is not published are dropped."""
    sure_places = [p for p in state.places if p.hits >= config.confirm_frames]
    sure_things = [t for t in state.things if believed_in(t, config)]
    sure_people = [p for p in state.people if p.hits >= config.confirm_frames]
    entities: dict[str, Entity] = {}
    for room in state.home.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        entities[room.id] = Entity(room.id, room.cls, (*room.centre, 0.0), (x1 - x0, y1 - y0, state.home.wall_height),
                                   last_seen=frame.stamp, visible=False, tracking=Tracking.OCCLUDED)
    entities |= {d.id: Entity(d.id, "door", (*d.centre, DOORWAY_HEIGHT / 2), (0.1, d.width, DOORWAY_HEIGHT), d.yaw, Openness.NONE, Tracking.OCCLUDED,
                              visible=False, last_seen=frame.stamp) for d in state.home.doorways if d.id not in state.doors}
    entities |= {p.id: _place(p) for p in (*sure_places, *state.doors.values())}
    for way in sight.ways_in_view(frame, state.home):
        entities[way] = replace(entities[way], tracking=Tracking.VISIBLE, visible=True, last_seen=frame.stamp)
    entities |= {t.id: _thing(t) for t in sure_things}
    entities |= {p.id: _person(p, state) for p in sure_people}
    if frame.robot_pose is not None:
        entities[ROBOT] = _robot(frame)
        here = state.home.room_of(frame.robot_pose[:3, 3])
        if here is not None:
            from household.scene_graph import RelationKind

            edges = edges | {Relation(ROBOT, RelationKind.IN_ROOM, here)}
    own, looked = sight.robot_view(frame, sure_places, sure_things, sure_people, state.home, config)
    sees = {**sees, ROBOT: own}
    inspected = {**inspected, ROBOT: looked}
    reasons = ("no depth: positions are guessed from size and floor contact",) if frame.depth is None else ()
    if frame.depth is None:
        entities = {k: _doubted(e) for k, e in entities.items()}
    known = set(entities) | {ROBOT}
    return SceneGraph(
        frame.stamp, entities, frozenset(r for r in edges if r.subject in known and r.object in known),
        {k: v & known for k, v in sees.items() if k in known}, {k: v & known for k, v in inspected.items() if k in known},
        event_count, reasons, {k: v for k, (v, _) in state.renamed.items() if v in entities})


def _place(p: PlaceTrack) -> Entity:
    return Entity(p.id, p.cls, _rounded(p.body.centre), _rounded(p.body.size), round(p.body.yaw, 4), p.openness,
                  Tracking.VISIBLE if p.visible else Tracking.OCCLUDED, p.visible, p.last_seen, round(p.confidence, 3),
                  switched_on=p.switched_on)


def _thing(t: ThingTrack) -> Entity:
    return Entity(t.id, t.cls, _rounded(t.box.centre), _rounded(t.box.size), round(t.box.yaw, 4), Openness.NONE, t.tracking, t.visible,
                  t.last_seen, round(t.confidence, 3), other_names=other_names(t))


def other_names(track: ThingTrack) -> tuple[str, ...]:
    """What else a thing may nearly as well be, likeliest first: other loose things half as likely as what it is called."""
    return _others(track.names, track.cls)


@lru_cache(maxsize=512)  # names stay as they are while nobody looks
def _others(names: tuple[tuple[str, float], ...], cls: str) -> tuple[str, ...]:
    least = _AS_WELL * dict(names).get(cls, 1.0)
    return tuple(n for n, p in names if p >= least and n != cls and classes.get(n).kind is Kind.OBJECT)[:_NAMES]


def _person(p: PersonTrack, state: "PerceptionState") -> Entity:
    posture = p.posture
    if posture is Posture.SITTING and any(t.cls == "wheelchair" and math.dist(t.box.centre[:2], p.position) < 0.6
                                          for t in state.things):
        posture = Posture.WHEELCHAIR
    tall = p.height if p.posture is Posture.STANDING else p.crown  # who stands and bends down for a moment is no child
    return Entity(p.id, "person", (round(p.position[0], 4), round(p.position[1], 4), 0.0), (0.5, 0.35, round(tall, 3)),
                  round(p.yaw or 0.0, 4), Openness.NONE, Tracking.VISIBLE if p.visible else Tracking.OCCLUDED, p.visible, p.last_seen,
                  round(p.confidence, 3), posture, None if p.gaze is None else round(wrap(p.gaze), 4))


def _robot(frame: FrameInput) -> Entity:
    """The base; its gaze is where the camera points."""
    pose, ahead = frame.robot_pose, frame.camera_pose[:2, 2]
    return Entity(ROBOT, "robot", (float(pose[0, 3]), float(pose[1, 3]), 0.0), (0.45, 0.45, 1.2),
                  float(np.arctan2(pose[1, 0], pose[0, 0])), last_seen=frame.stamp, gaze_yaw=round(float(np.arctan2(ahead[1], ahead[0])), 4))


def _doubted(e: Entity) -> Entity:
    from dataclasses import replace

    return replace(e, confidence=min(e.confidence, monocular.CONFIDENCE))


def _rounded(v) -> tuple[float, float, float]:
    return round(float(v[0]), 4), round(float(v[1]), 4), round(float(v[2]), 4)
