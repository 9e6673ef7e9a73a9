"""Atomic actions as sequences of Replicant actions, one generator per verb: each ``yield`` is one frame and gives the commands for it.

Walking follows a path on the NavMesh; reaching, grasping and dropping are the Replicant's own actions; doors are moved by their joints while the
hand is at them. Every Replicant status that is not success ends the action with its reason in words.
Invariant: a motion that ends early (failed, stopped) leaves no joint moving and no walk cycle playing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.scene_graph import Entity
from sim_bridges import scripted
from sim_bridges.tdw import joints

if TYPE_CHECKING:
    from sim_bridges.tdw.cast import Actor

Motion = Iterator[list[dict]]
STANDOFF = 0.55  # metres between a body's axis and the side of what it acts on
MEET = 0.75  # metres between two bodies
REACH = 1.9  # metres: farther than this a hand does not go
JOINT_SECONDS = 6.0
PATIENCE = 30.0  # seconds for one Replicant action


class ActionFailed(Exception):
    """Why an action could not be done, as a sentence for people."""


REASONS: dict[str, str] = {
    "ongoing": "it did not end in time",
    "failure": "the simulator gave no reason",
    "failed_to_move": "the way could not be walked to its end",
    "failed_to_turn": "the turn did not end where it should",
    "cannot_reach": "it is too far for the hand",
    "failed_to_reach": "the hand did not get there",
    "not_holding": "nothing is in the hand",
    "collision": "something was bumped into",
    "detected_obstacle": "something stands in the way",
    "already_holding": "the hand is full",
    "still_dropping": "what was put down does not come to rest",
    "cannot_grasp": "it cannot be grasped",
}


def why_not(action: AtomicAction) -> str:
    """'' if a Replicant can do such an action, else the reason."""
    if action.verb not in _VERBS:
        return f"a ThreeDWorld Replicant has no '{action.verb.value}'; it has {', '.join(sorted(v.value for v in _VERBS))}"
    if action.verb in (Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK) and len(action.args) < 2 and not action.target:
        return f"{action.verb.value} needs a place to put it"
    return ""


def begin(actor: "Actor", action: AtomicAction) -> Motion:
    """Raises ActionFailed when there is no such action; its other failures come from the motion."""
    if reason := why_not(action):
        raise ActionFailed(reason)
    return _VERBS[action.verb](actor, action)


def finish(actor: "Actor") -> Motion:
    """Wait for the running Replicant action."""
    for _ in range(int(PATIENCE * actor.framerate)):
        if actor.replicant.action.done:
            break
        yield []
    status = actor.replicant.action.status.name
    if status != "success":
        raise ActionFailed(REASONS.get(status, f"the Replicant reports '{status}'"))


# going --------------------------------------------------------------------------------------------------------------------------------------

def _walk(actor: "Actor", action: AtomicAction) -> Motion:
    target = action.target or action.args[0]
    goal, face = actor.spot(target)
    yield from walk_to(actor, goal)
    if face is not None:
        actor.replicant.turn_to(actor.frames.vector(face))
        yield from finish(actor)


def walk_to(actor: "Actor", goal: np.ndarray) -> Motion:
    """``goal`` (3,) map. Along the NavMesh; a path that ends within arm's length of the goal is good enough."""
    if math.dist(actor.body.position[:2], goal[:2]) < 0.12:
        return
    number = actor.replicant.replicant_id
    yield [{"$type": "send_nav_mesh_path", "id": number, "origin": actor.frames.vector((*actor.body.position[:2], 0.0)),
            "destination": actor.frames.vector((*goal[:2], 0.0))}]
    state, path = actor.snapshot.paths.get(number, ("invalid", np.zeros((0, 3))))
    points = [actor.frames.to_map(p) for p in path][1:]
    if state == "invalid" or not points or math.dist(points[-1][:2], goal[:2]) > 0.7:
        raise ActionFailed("there is no way there")
    for point in points:
        if math.dist(actor.body.position[:2], point[:2]) > 0.1:
            actor.replicant.move_to(actor.frames.vector((*point[:2], 0.0)), arrived_at=0.05)
            yield from finish(actor)
    yield halt(actor)


def halt(actor: "Actor") -> list[dict]:
    """The walk cycle loops until it is told to end."""
    return [{"$type": "stop_replicant_animation", "id": actor.replicant.replicant_id}]


def _turn_by(actor: "Actor", action: AtomicAction) -> Motion:
    degrees = {Verb.TURNLEFT: 30.0, Verb.TURNRIGHT: -30.0}.get(action.verb)
    actor.replicant.turn_by(-(_number(action) if degrees is None else degrees))  # Unity turns clockwise
    yield from finish(actor)


def _turn_to(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.turn_to(actor.frames.vector(actor.entity(action.args[0]).position))
    yield from finish(actor)


def _move_by(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.move_by(_number(action) if action.args else 1.0)
    yield from finish(actor)
    yield halt(actor)


def _number(action: AtomicAction) -> float:
    try:
        return float(action.args[0])
    except (ValueError, IndexError):
        raise ActionFailed(f"{action} needs a number") from None


# hands --------------------------------------------------------------------------------------------------------------------------------------

def _reach(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.reach_for(actor.number(action.args[0]), arm=actor.free_arm(), max_distance=REACH)
    yield from finish(actor)


def _pick(actor: "Actor", action: AtomicAction) -> Motion:
    thing = action.args[0]
    shut = actor.shut_around(thing)
    if shut:
        raise ActionFailed(f"{thing} is inside {shut}, which is shut")
    holder = actor.scene().holder_of(thing)
    if holder is not None:
        raise ActionFailed(f"{thing} is in the hand of {holder}")
    if classes.get(classes.class_of(thing)).kind is not Kind.OBJECT:
        raise ActionFailed(f"{thing} is nothing one can pick up")
    arm = actor.free_arm()
    actor.replicant.reach_for(actor.number(thing), arm=arm, max_distance=REACH)
    yield from finish(actor)
    actor.replicant.grasp(actor.number(thing), arm=arm, angle=None, axis=None)
    yield from finish(actor)
    actor.replicant.reset_arm(arm)
    yield from finish(actor)


def _put(actor: "Actor", action: AtomicAction) -> Motion:
    thing, place = action.args[0], actor.entity(action.target or action.args[1])
    arm = actor.arm_with(thing)
    if place.kind is Kind.CONTAINER and actor.openness.get(place.id, 1.0) < 0.5 and place.id in actor.openness:
        raise ActionFailed(f"{place.id} is shut")
    spot = actor.resting_spot(thing, place)
    actor.replicant.reach_for(actor.frames.vector(spot), arm=arm, max_distance=REACH, arrived_at=0.6)
    yield from finish(actor)
    actor.replicant.drop(arm, offset=actor.frames.vector(spot))
    yield from finish(actor)
    actor.replicant.reset_arm(arm)
    yield from finish(actor)


def _drop(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.drop(actor.arm_with(action.args[0]))
    yield from finish(actor)


def _give(actor: "Actor", action: AtomicAction) -> Motion:
    """Both hands meet: the giver's lets go where the receiver's is, and the receiver's closes on it in the next frame."""
    thing, receiver = action.args[0], actor.other(action.args[1])
    arm, theirs = actor.arm_with(thing), receiver.free_arm()
    if math.dist(actor.body.position[:2], receiver.body.position[:2]) > 1.6:
        raise ActionFailed(f"{receiver.id} is too far away to hand {thing} over")
    actor.replicant.turn_to(actor.frames.vector(receiver.body.position))
    yield from finish(actor)
    hand = receiver.hand_position(theirs)
    actor.replicant.reach_for(actor.frames.vector(hand), arm=arm, max_distance=REACH, arrived_at=0.6)
    yield from finish(actor)
    actor.replicant.drop(arm, offset=actor.frames.vector(hand), max_num_frames=5)
    for _ in range(3):
        yield []
        if actor.number(thing) not in actor.body.held.values():
            break
    receiver.replicant.grasp(actor.number(thing), arm=theirs, angle=None, axis=None)
    yield from finish(receiver)
    actor.replicant.reset_arm(arm)
    yield from finish(actor)


def _reset_arm(actor: "Actor", action: AtomicAction) -> Motion:
    from tdw.replicant.arm import Arm

    actor.replicant.reset_arm([Arm.left, Arm.right])
    yield from finish(actor)


# doors, head, words -------------------------------------------------------------------------------------------------------------------------

def _open(actor: "Actor", action: AtomicAction) -> Motion:
    place, opening = actor.entity(action.args[0]), action.verb is Verb.OPEN
    joint = actor.joints.get(place.id)
    if joint is None:
        raise ActionFailed(f"{place.id} has no door that moves: its model is not a composite object")
    if (actor.openness[place.id] > 0.5) is opening:
        raise ActionFailed(f"{place.id} is already {'open' if opening else 'closed'}")
    arm = actor.free_arm()
    actor.replicant.reach_for(actor.frames.vector(_handle(place)), arm=arm, max_distance=REACH, arrived_at=0.7)
    yield from finish(actor)
    try:
        yield joints.start(joint, opening)
        for _ in range(int(JOINT_SECONDS * actor.framerate)):
            if (actor.openness[place.id] > 0.8) if opening else (actor.openness[place.id] < 0.1):
                break
            yield joints.push(joint, opening)
        else:
            raise ActionFailed(f"the door of {place.id} does not move")
    finally:
        actor.pending.extend(joints.stop(joint))
    actor.replicant.reset_arm(arm)
    yield from finish(actor)


def _handle(place: Entity) -> np.ndarray:
    """The middle of its front, not above shoulder height."""
    c, s = math.cos(place.yaw), math.sin(place.yaw)
    return np.array([place.position[0] + c * place.extents[0] / 2, place.position[1] + s * place.extents[0] / 2, min(place.position[2], 1.2)])


def _look(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.look_at(actor.frames.vector(actor.entity(action.args[0]).position))
    yield from finish(actor)


def _rotate_head(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.rotate_head("yaw", -_number(action))
    yield from finish(actor)


def _reset_head(actor: "Actor", action: AtomicAction) -> Motion:
    actor.replicant.reset_head()
    yield from finish(actor)


def _animate(actor: "Actor", action: AtomicAction) -> Motion:
    from tdw.librarian import HumanoidAnimationLibrarian

    known = [r.name for r in HumanoidAnimationLibrarian().records]
    if not action.args or action.args[0] not in known:
        raise ActionFailed(f"{action}: no such animation; there are {len(known)}, such as {', '.join(known[:4])}")
    actor.replicant.animate(action.args[0], loop=False)
    yield from finish(actor)


def _wait(actor: "Actor", action: AtomicAction) -> Motion:
    seconds = scripted.seconds_of(action) if action.verb is Verb.WAIT else 0.0
    for _ in range(max(1, round(seconds * actor.framerate))):
        yield []


_VERBS: dict[Verb, Callable[["Actor", AtomicAction], Motion]] = {
    **dict.fromkeys((Verb.WALK, Verb.RUN, Verb.WALKTOWARDS, Verb.ENTER, Verb.MOVETO), _walk),
    **dict.fromkeys((Verb.TURNBY, Verb.TURNLEFT, Verb.TURNRIGHT), _turn_by), **dict.fromkeys((Verb.MOVEBY, Verb.WALKFORWARD), _move_by),
    **dict.fromkeys((Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK), _put), **dict.fromkeys((Verb.OPEN, Verb.CLOSE), _open),
    **dict.fromkeys((Verb.SAY, Verb.WAIT, Verb.LISTEN), _wait), **dict.fromkeys((Verb.REACHFOR, Verb.TOUCH), _reach),
    Verb.TURNTO: _turn_to, Verb.PICK: _pick, Verb.DROP: _drop, Verb.GIVE: _give, Verb.RESETARM: _reset_arm, Verb.LOOKAT: _look,
    Verb.ROTATEHEAD: _rotate_head, Verb.RESETHEAD: _reset_head, Verb.ANIMATE: _animate,
}
