"""What each verb does with a body: one generator per verb, found through one table.

Preconditions that fail raise :class:`ActionFailed` with a reason that names what is wrong (out of reach, hands full, shut, gone, no room);
effects happen in the middle of the motion, when the hand is there, and are emitted as an event at that moment.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.scene_graph import Posture
from sim_bridges.embedded import fittings, spots
from sim_bridges.embedded.body import ActionFailed, Motion
from sim_bridges.embedded.geometry import room_at, to_map
from sim_bridges.embedded.model import Furniture, Vec3

if TYPE_CHECKING:
    from sim_bridges.embedded.body import Performer

_GRASP_SECONDS = 0.5
_GIVE_REACH = 0.95
_MEET = 0.75  # metres from a person one walks up to
_PUSH_SPEED = 0.35


def begin(body: "Performer", action: AtomicAction) -> Motion:
    """The motion of one action. An action this body cannot do fails at its first tick."""
    return _VERBS.get(action.verb, _busy_with)(body, action)


def can(action: AtomicAction, arm: bool) -> str:
    """'' if the robot can do such an action at all, else why not."""
    if action.verb not in _ROBOT_VERBS:
        return f"this robot cannot {action.verb.value}"
    if not arm and action.verb in _HAND_VERBS:
        return "this robot has no arm"
    return ""


# ---- going ----


def _walk(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    speed = body.plan.speed * (1.6 if action.verb is Verb.RUN else 1.0)
    room = world.rooms.get(target)
    if room is not None:
        if world.room_of(body.id) != target:
            yield from body.walk_to(world.spot_in_room(target, body), target, speed)
        return
    if target in world.performers:
        yield from _walk_to_person(body, target, speed)
        return
    item = world.standing(target)
    if item is None:
        where = world.locate(target)
        if where is None:
            raise ActionFailed(f"there is no {target} here")
        spot = world.nav.nearest_free(where[:2], body.plan.radius, world.state.moved, within=1.5)
        if spot is None:
            raise ActionFailed(f"there is no way to {world.name(target)}")
        yield from body.walk_to(spot, target, speed, within=0.5)
        yield from body.face(where[:2])
        return
    spot = world.nav.approach_point(item, body.plan.radius, world.state.moved, body.position)
    if spot is None:
        raise ActionFailed(f"the way to {world.name(target)} is blocked")
    body.gaze = world.locate(target) if world.room_of(target) == world.room_of(body.id) else None
    yield from body.walk_to(spot, target, speed)
    yield from body.face(item.position[:2], 0.2)
    body.gaze = world.locate(target)


def _walk_to_person(body: "Performer", target: str, speed: float) -> Motion:
    """Follows somebody who may be moving; gives up when they cannot be caught."""
    world = body.world
    for _ in range(8):
        where = world.performers[target].position
        if math.dist(where, body.position) <= _MEET + 0.1:
            break
        spot = world.nav.nearest_free(where, body.plan.radius, world.state.moved, within=1.0)
        if spot is None:
            raise ActionFailed(f"there is no way to {world.name(target)}")
        motion = body.walk_to(spot, target, speed, within=_MEET)
        for _ in motion:
            yield
            if math.dist(world.performers[target].position, spot) > 0.8:
                motion.close()
                body._end_walk()
                break
            if math.dist(world.performers[target].position, body.position) <= _MEET:
                motion.close()
                body._end_walk()
                break
    else:
        raise ActionFailed(f"{world.name(target)} keeps moving away")
    yield from body.face(world.performers[target].position)
    body.gaze = world.locate(target)


def _enter(body: "Performer", action: AtomicAction) -> Motion:
    if action.args[0] not in body.world.rooms:
        raise ActionFailed(f"{action.args[0]} is no room")
    body.gaze = None
    yield from _walk(body, action)


def _leave(body: "Performer", action: AtomicAction) -> Motion:
    """``leave(kitchen)`` or ``leave(kitchen, livingroom)``: out through the nearest door, well into the next room."""
    world, room = body.world, action.args[0]
    if room not in world.rooms:
        raise ActionFailed(f"{room} is no room")
    if world.room_of(body.id) != room:
        return
    ways = [(math.dist(d.center, body.position), d.id, next(r for r in d.rooms if r != room)) for d in world.home.doorways if room in d.rooms]
    if not ways:
        raise ActionFailed(f"{room} has no door")
    target = action.args[1] if len(action.args) > 1 else min(ways)[2]
    body.gaze = None
    yield from body.walk_to(world.spot_in_room(target, body), target)


def _turn(body: "Performer", action: AtomicAction) -> Motion:
    degrees = float(action.args[0]) if action.args else 90.0
    sign = -1.0 if action.verb is Verb.TURNRIGHT else 1.0
    body.gaze = None
    yield from body.turn_to(body.pose.yaw + sign * math.radians(degrees))


def _turn_to(body: "Performer", action: AtomicAction) -> Motion:
    where = _where(body, action.args[0])
    body.gaze = where
    yield from body.face(where[:2])


def _forward(body: "Performer", action: AtomicAction) -> Motion:
    metres = min(3.0, float(action.args[0]) if action.args else 0.5)
    goal = (body.position[0] + metres * math.cos(body.pose.yaw), body.position[1] + metres * math.sin(body.pose.yaw))
    if not body.world.nav.free(goal, body.plan.radius, body.world.state.moved):
        raise ActionFailed("something stands ahead")
    yield from body.walk_to(goal, None)


def _sit(body: "Performer", action: AtomicAction) -> Motion:
    if not body.plan.can_sit:
        raise ActionFailed("this body does not sit down")
    seat = body.world.standing(action.args[0]) if action.args else None
    if seat is not None:
        if seat.cls not in fittings.SEATS:
            raise ActionFailed(f"{seat.id} is nothing to sit on; allowed: {', '.join(sorted(fittings.SEATS))}")
        _within_reach(body, seat, (*seat.position[:2], 0.5))
        yield from body.turn_to(seat.yaw, 0.1)
        goal = to_map(seat, (seat.size[1] * 0.1, 0.0, 0.0))[:2]
        start = body.position
        for i in range(1, 11):
            body.pose.position = (start[0] + (goal[0] - start[0]) * i / 10, start[1] + (goal[1] - start[1]) * i / 10)
            yield
    body.pose.posture = Posture.SITTING
    body.world.emit(body.id, Verb.SIT, seat.id if seat else None)


def _stand(body: "Performer", action: AtomicAction) -> Motion:
    yield from body.pause(0.5)
    body._posture_for_walking()


# ---- hands ----


def _open_close(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    opening = action.verb is Verb.OPEN
    goal, seconds = (1.0 if opening else 0.0), 0.9
    item = world.standing(target)
    if item is not None:
        if not fittings.opens(item.cls):
            raise ActionFailed(f"{world.name(target)} does not open")
        _within_reach(body, item, _handle(item))
        seconds = fittings.fitting(item.cls).seconds_to_open
        where = _handle(item)
    elif target in world.state.openness:
        where = _where(body, target)
        if math.dist(where[:2], body.position) > 1.3:
            raise ActionFailed(f"{world.name(target)} is out of reach")
    else:
        raise ActionFailed(f"there is no {target} here that opens")
    if abs(world.state.openness[target] - goal) < 0.01:
        return
    start = world.time
    yield from body.face(where[:2], 0.35)
    body.gaze = where
    body.reach_out(where)
    yield from body.pause(0.25)
    while world.state.openness[target] != goal:
        change = world.step / seconds
        now = world.state.openness[target]
        world.state.openness[target] = min(1.0, now + change) if opening else max(0.0, now - change)
        yield
    body.reach_out(None)
    world.emit(body.id, action.verb, target, start=start)


def _pick(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    thing = world.state.things.get(target)
    if thing is None:
        raise ActionFailed(f"there is no {target} here")
    if thing.at == body.id:
        return
    place = action.args[1] if len(action.args) > 1 else action.source
    if place is not None and thing.at != place:
        raise ActionFailed(f"{world.name(target)} is not there any more")
    if len(body.held()) >= body.plan.hands:
        raise ActionFailed("no hand is free")
    start, origin = world.time, thing.at
    _check_thing_in_reach(body, target)
    yield from body.face(thing.position[:2], 0.3)
    body.gaze = thing.position
    body.reach_out(thing.position)
    yield from body.pause(_GRASP_SECONDS)
    if thing.at != origin:
        raise ActionFailed(f"{world.name(target)} is gone: somebody else took it")
    world.hold(body.id, target)
    world.emit(body.id, Verb.PICK, target, origin, start=start)
    yield from body.pause(0.2)
    body.reach_out(None)


def _put(body: "Performer", action: AtomicAction) -> Motion:
    """``puton(apple_1, table_1)``; without a place: where it stands nearest in reach."""
    world, target = body.world, action.args[0]
    if target not in body.held():
        raise ActionFailed(f"{world.name(target)} is not in the hand")
    place = action.args[1] if len(action.args) > 1 else action.target or _nearest_place(body)
    item = world.standing(place) if place else None
    start = world.time
    if item is None or not item.heights:
        yield from _drop_at(body, target, place)
        return
    if fittings.opens(item.cls) and world.state.openness.get(item.id, 0.0) < 0.9:
        raise ActionFailed(f"{world.name(place)} is shut")
    _within_reach(body, item, _handle(item))
    spot = spots.free_spot(world.home, world.state, world.things[target], item, world.rng, body.plan.reach_height + 0.1)
    if spot is None:
        raise ActionFailed(f"there is no room {classes.get(item.cls).preposition} {world.name(place)} within reach")
    yield from body.face(spot[:2], 0.35)
    body.gaze = spot
    body.reach_out(spot)
    yield from body.pause(_GRASP_SECONDS)
    world.put(target, item.id, spot, item.yaw)
    world.emit(body.id, Verb.PUTIN if classes.get(item.cls).kind is Kind.CONTAINER else Verb.PUTON, target, item.id, start=start)
    yield from body.pause(0.2)
    body.reach_out(None)


def _drop_at(body: "Performer", target: str, place: str | None) -> Motion:
    world = body.world
    if place is not None and place not in world.rooms:
        raise ActionFailed(f"nothing can be put on {place}")
    room = room_at(world.home, body.position)
    spot = spots.free_floor_spot(world.home, world.state, world.things[target], room, body.position, world.rng)
    if spot is None:
        raise ActionFailed("there is no free floor here")
    yield from body.face(spot[:2], 0.5)
    yield from body.pause(_GRASP_SECONDS)
    world.put(target, room.id, spot, 0.0)
    world.emit(body.id, Verb.DROP, target, room.id)


def _give(body: "Performer", action: AtomicAction) -> Motion:
    world, (target, receiver) = body.world, action.args
    if target not in body.held():
        raise ActionFailed(f"{world.name(target)} is not in the hand")
    other = world.performers.get(receiver)
    if other is None:
        raise ActionFailed(f"there is no {receiver} here")
    if math.dist(other.position, body.position) > _GIVE_REACH:
        raise ActionFailed(f"{world.name(receiver)} is out of reach")
    yield from body.face(other.position, 0.25)
    start = world.time
    body.gaze = world.locate(receiver)
    body.reach_out((*other.position, 1.0))
    yield from body.pause(0.8)
    if len(other.held()) >= other.plan.hands:
        raise ActionFailed(f"{world.name(receiver)} has no hand free")
    if math.dist(other.position, body.position) > _GIVE_REACH + 0.3:
        raise ActionFailed(f"{world.name(receiver)} walked away")
    world.hold(receiver, target)
    world.emit(body.id, Verb.GIVE, target, receiver, start=start)
    world.handed(target, body.id, receiver)
    body.reach_out(None)


def _switch(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    item = world.standing(target)
    if item is None or not classes.get(item.cls).switchable:
        raise ActionFailed(f"{target} is nothing that is switched on or off")
    on = action.verb is Verb.SWITCHON
    _within_reach(body, item, _handle(item))
    yield from body.face(item.position[:2], 0.35)
    start = world.time
    body.gaze = _handle(item)
    body.reach_out(_handle(item))
    yield from body.pause(_GRASP_SECONDS)
    world.state.switched_on[target] = on
    world.emit(body.id, action.verb, target, start=start)
    body.reach_out(None)


def _move(body: "Performer", action: AtomicAction) -> Motion:
    """Pushes an obstacle out of the way: to a room when ``to=`` names one, else aside."""
    world, target = body.world, action.args[0]
    item = world.standing(target)
    if item is None or classes.get(item.cls).kind is not Kind.OBSTACLE:
        raise ActionFailed(f"{target} cannot be pushed; allowed: {', '.join(classes.of_kind(Kind.OBSTACLE))}")
    if math.dist(item.position[:2], body.position) > 1.4:
        raise ActionFailed(f"{world.name(target)} is out of reach")
    room = action.target if action.target in world.rooms else None
    spot = world.clear_spot(item, room)
    if spot is None:
        raise ActionFailed(f"there is no free place to push {world.name(target)} to")
    yield from body.face(item.position[:2], 0.3)
    body.gaze = (*item.position[:2], 0.5)
    start, origin = world.time, item.position
    seconds = max(1.0, math.dist(spot, origin[:2]) / _PUSH_SPEED)
    for i in range(steps := int(seconds / world.step)):
        share = (i + 1) / steps
        world.state.moved[target] = ((round(origin[0] + share * (spot[0] - origin[0]), 3),
                                      round(origin[1] + share * (spot[1] - origin[1]), 3), origin[2]), item.yaw)
        yield
    world.emit(body.id, Verb.MOVE, target, room or item.room, start=start)


# ---- looking, talking, everyday ----


def _look_at(body: "Performer", action: AtomicAction) -> Motion:
    """Turns the head, and the body too where the neck does not go; keeps following somebody for a moment."""
    for _ in range(16):
        where = _where(body, action.args[0])
        body.gaze = where
        bearing = math.atan2(where[1] - body.position[1], where[0] - body.position[0])
        if abs((bearing - body.pose.yaw + math.pi) % (2 * math.pi) - math.pi) > 1.1:
            yield from body.turn_to(bearing, 0.6)
        yield


def _point(body: "Performer", action: AtomicAction) -> Motion:
    where = _where(body, action.args[0])
    yield from body.face(where[:2], 0.5)
    body.gaze = where
    body.reach_out(where)
    body.world.emit(body.id, Verb.POINT, action.args[0])
    yield from body.pause(1.2)
    body.reach_out(None)


def _say(body: "Performer", action: AtomicAction) -> Motion:
    listener = action.args[1] if len(action.args) > 1 else action.target
    if listener in body.world.performers:
        body.gaze = body.world.locate(listener)
    body.world.speak(body.id, action.args[0], listener)
    yield from body.pause(min(4.0, 0.6 + 0.05 * len(action.args[0])))


def _wait(body: "Performer", action: AtomicAction) -> Motion:
    yield from body.pause(float(action.args[0]) if action.args else 1.0)


def _reset_head(body: "Performer", action: AtomicAction) -> Motion:
    body.gaze = None
    yield from body.pause(0.3)


def _busy_with(body: "Performer", action: AtomicAction) -> Motion:
    """Reading, drinking, cutting …: seen as an event, takes a while, changes nothing else."""
    target = action.args[0] if action.args else None
    where = body.world.locate(target) if target else None
    if where is not None:
        body.gaze = where
    body.world.emit(body.id, action.verb, target, ongoing=True)
    yield from body.pause(3.0)


# ---- shared ----


def _where(body: "Performer", target: str) -> Vec3:
    where = body.world.locate(target)
    if where is None:
        raise ActionFailed(f"there is no {target} here")
    return where


def _handle(item: Furniture) -> Vec3:
    """Where a hand goes to use a piece."""
    height = min(item.position[2] + 0.7 * item.size[2], max(1.0, item.position[2] + 0.2))
    return to_map(item, (item.size[1] / 2, 0.0, height - item.position[2]))


def _gap_to(body: "Performer", item: Furniture) -> float:
    """Metres on the floor from the body to the nearest side of a piece."""
    c, s = math.cos(item.yaw), math.sin(item.yaw)
    dx, dy = body.position[0] - item.position[0], body.position[1] - item.position[1]
    x, y = abs(c * dx + s * dy) - item.size[1] / 2, abs(-s * dx + c * dy) - item.size[0] / 2
    return math.hypot(max(0.0, x), max(0.0, y))


def _within_reach(body: "Performer", item: Furniture, hand: Vec3) -> None:
    if _gap_to(body, item) > body.plan.arm:
        raise ActionFailed(f"{body.world.name(item.id)} is out of reach")
    lowest = item.position[2] + min(item.heights, default=0.0)
    if min(hand[2], lowest + 0.1) > body.plan.reach_height:
        raise ActionFailed(f"{body.world.name(item.id)} is too high to reach")


def _check_thing_in_reach(body: "Performer", target: str) -> None:
    world, thing = body.world, body.world.state.things[target]
    if thing.at in world.performers:
        raise ActionFailed(f"{world.name(thing.at)} holds {world.name(target)}")
    item = world.standing(thing.at)
    if item is not None:
        if fittings.opens(item.cls) and world.state.openness.get(item.id, 0.0) < 0.9:
            raise ActionFailed(f"{world.name(item.id)} is shut")
        if _gap_to(body, item) > body.plan.arm:
            raise ActionFailed(f"{world.name(target)} is out of reach")
    elif math.dist(thing.position[:2], body.position) > body.plan.arm + 0.3:
        raise ActionFailed(f"{world.name(target)} is out of reach")
    if thing.position[2] > body.plan.reach_height + 0.1:
        raise ActionFailed(f"{world.name(target)} is too high to reach")


def _nearest_place(body: "Performer") -> str | None:
    world = body.world
    near = [(_gap_to(body, f), f.id) for f in world.home.furniture
            if f.heights and (not fittings.opens(f.cls) or world.state.openness.get(f.id, 0.0) >= 0.9)]
    near = [n for n in near if n[0] <= body.plan.arm]
    return min(near)[1] if near else None


_Skill = Callable[["Performer", AtomicAction], Motion]
_VERBS: dict[Verb, _Skill] = {
    **{v: _walk for v in (Verb.WALK, Verb.RUN, Verb.WALKTOWARDS, Verb.MOVETO)},
    Verb.ENTER: _enter, Verb.LEAVE: _leave, Verb.WALKFORWARD: _forward, Verb.MOVEBY: _forward,
    **{v: _turn for v in (Verb.TURNLEFT, Verb.TURNRIGHT, Verb.TURNBY, Verb.TURN)}, Verb.TURNTO: _turn_to,
    Verb.SIT: _sit, Verb.STANDUP: _stand, Verb.STAND: _stand,
    Verb.OPEN: _open_close, Verb.CLOSE: _open_close, Verb.PICK: _pick, Verb.GIVE: _give, Verb.MOVE: _move,
    **{v: _put for v in (Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP)},
    Verb.SWITCHON: _switch, Verb.SWITCHOFF: _switch, Verb.LOOKAT: _look_at, Verb.POINT: _point, Verb.REACHFOR: _point,
    Verb.TOUCH: _point, Verb.SAY: _say, Verb.RESETHEAD: _reset_head, Verb.ROTATEHEAD: _reset_head, Verb.RESETARM: _wait,
    Verb.WAIT: _wait, Verb.ANIMATE: _busy_with,
}
_HAND_VERBS = frozenset({Verb.OPEN, Verb.CLOSE, Verb.PICK, Verb.HOLD, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP,
                         Verb.GIVE, Verb.MOVE, Verb.SWITCHON, Verb.SWITCHOFF, Verb.POINT, Verb.REACHFOR, Verb.TOUCH})
_ROBOT_VERBS = _HAND_VERBS | frozenset({
    Verb.WALK, Verb.WALKTOWARDS, Verb.WALKFORWARD, Verb.ENTER, Verb.LEAVE, Verb.TURNLEFT, Verb.TURNRIGHT, Verb.TURNBY, Verb.TURNTO,
    Verb.MOVEBY, Verb.MOVETO, Verb.TURN, Verb.LOOKAT, Verb.ROTATEHEAD, Verb.RESETHEAD, Verb.RESETARM, Verb.SAY, Verb.WAIT})
