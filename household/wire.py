"""From ROS messages, live or out of a recording, to the vocabulary: by attribute access alone, so that no ROS is needed to read a bag.

The other direction is in ``household.ros``. Enum values travel as the index into the tuples below.
"""

from __future__ import annotations

import math

import numpy as np

from household.actions import HumanAction, Utterance, Verb
from household.camera import CameraModel
from household.scene_graph import Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking

OPENNESS = (Openness.NONE, Openness.OPEN, Openness.CLOSED, Openness.UNKNOWN)
TRACKING = (Tracking.VISIBLE, Tracking.OCCLUDED, Tracking.CONTAINED, Tracking.HELD, Tracking.LOST)
POSTURE = (Posture.UNKNOWN, Posture.STANDING, Posture.SITTING, Posture.WHEELCHAIR)
SWITCHED = (None, True, False)


def seconds(stamp) -> float:
    return (stamp.sec * 1_000_000_000 + stamp.nanosec) / 1e9


def camera_model(message) -> CameraModel:
    return CameraModel(message.width, message.height, message.k[0], message.k[4], message.k[2], message.k[5])


def scene_graph(message) -> SceneGraph:
    return SceneGraph(
        seconds(message.header.stamp), {e.id: _entity(e) for e in message.entities},
        frozenset(Relation(r.subject, RelationKind(r.kind), r.object, _float(r.confidence)) for r in message.relations),
        {v.viewer: frozenset(v.sees) for v in message.views}, {v.viewer: frozenset(v.inspected) for v in message.views},
        message.event_count, tuple(message.could_not_see), {r.former: r.now for r in message.renamed})


def _float(value: float) -> float:
    """A float32 field read back as the short decimal it came from (0.9, not 0.8999999762)."""
    return float(np.format_float_positional(np.float32(value)))


def _entity(e) -> Entity:
    p, q = e.pose.position, e.pose.orientation
    return Entity(e.id, e.class_id, (p.x, p.y, p.z), (e.extents.x, e.extents.y, e.extents.z), 2 * math.atan2(q.z, q.w),
                  OPENNESS[e.openness], TRACKING[e.tracking], e.visible, seconds(e.last_seen), _float(e.confidence),
                  POSTURE[e.posture], e.gaze_yaw if e.gaze_known else None, SWITCHED[e.switched],
                  tuple(getattr(e, "other_names", ())))  # recordings made before it was told have none


def human_action(message) -> HumanAction:
    return HumanAction(message.actor, Verb(message.verb), message.target or None, message.place or None, message.room or None,
                       message.start, None if math.isnan(message.end) else message.end, _float(message.confidence),
                       {w.person: _float(w.probability) for w in message.witnesses})


def utterance(message) -> Utterance:
    return Utterance(message.speaker, message.text, seconds(message.header.stamp), message.addressee or None,
                     tuple(message.hearers) if message.hearers_known else None)
