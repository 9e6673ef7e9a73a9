"""What the robot carries in its own gripper, which its camera rarely shows.

Here the robot's body is believed and not its eyes: it says which things it holds, by their ids, and a detector that sees one of them between its fingers gives it any
name. Invariants: what the body says is held is held, seen or not; what shows at the gripper is that and no other thing.
"""

from __future__ import annotations

import math

import numpy as np

from household import classes
from household.scene_graph import ROBOT, Tracking
from perception.geometry import Box
from perception.hands import hand_offset
from perception.lifting import Lifted
from perception.records import replace
from perception.thing_track import Surroundings, ThingTrack, is_thing

_GRIPPER = (0.42, 0.0, 0.95)  # m from the robot's base
_OWN_HAND = 0.25  # m: about as far as what lies in the robot's hand reaches
_FACED = 8.0  # s since somebody was seen in which they are thought to stand where they stood: who is handed something may be out of the picture


def felt(name: str, around: Surroundings) -> ThingTrack | None:
    """A thing that the robot was told of and has taken hold of without ever having made it out: what shows in its hand is that, and no other. None: an id of no
    kind of thing that there is."""
    cls, stamp = classes.class_of(name), around.frame.stamp
    if cls not in classes.CLASSES or not is_thing(cls):
        return None
    return ThingTrack(name, cls, Box(_gripper(around.frame.robot_pose), classes.get(cls).size), Tracking.HELD, stamp, stamp, holder=ROBOT, changed=stamp,
                      confidence=1.0, hits=around.config.confirm_frames)


def shows_in_it(one: Lifted, around: Surroundings) -> bool:
    """Whether it shows where the robot carries what it knows it has: then it is that, whatever it looks like."""
    pose = around.frame.robot_pose
    return bool(around.frame.robot_holds) and pose is not None and math.dist(one.box.centre, _gripper(pose)) < _OWN_HAND


def with_robot(track: ThingTrack, seen: bool, around: Surroundings) -> ThingTrack:
    """What the robot's own body says it carries, or carried until now: then whoever stands before it was handed it."""
    stamp, pose = around.frame.stamp, around.frame.robot_pose
    if track.id in around.frame.robot_holds:
        centre = track.box.centre if seen or pose is None else _gripper(pose)
        began = track.changed if track.holder == ROBOT else stamp
        return replace(track, tracking=Tracking.HELD, holder=ROBOT, place=None, inside=False, changed=began, missed=0, visible=seen,
                       box=replace(track.box, centre=centre), last_seen=stamp)
    near = {p.id: math.dist(p.position, track.box.centre[:2]) for p in around.people.values()
            if p.visible or stamp - p.last_seen < _FACED}
    taker = min(near, key=near.get) if near and min(near.values()) < around.config.reach else None
    if taker is not None and (not seen or track.place is None):
        return replace(track, tracking=Tracking.HELD, holder=taker, place=None, inside=False, changed=stamp, guessed=not seen, visible=seen,
                       offset=(*hand_offset(around.people[taker]), 1.0), faced=around.people[taker].yaw)
    tracking = Tracking.VISIBLE if seen else Tracking.OCCLUDED
    return replace(track, tracking=tracking, holder=None, changed=stamp, rest=tuple(track.box.centre), visible=seen)


def _gripper(pose: np.ndarray) -> tuple[float, float, float]:
    """Where the robot's hand carries things, map, m. ``pose`` (4, 4): base to map."""
    x, y, z = (pose @ np.array([*_GRIPPER, 1.0]))[:3]
    return float(x), float(y), float(z)
