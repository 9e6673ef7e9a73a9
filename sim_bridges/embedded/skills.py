"""What each verb does with a body: one generator per verb, found through one table.

Going, looking and talking are here, what hands do is in ``skills_hands``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from household.actions import ActionError, AtomicAction, Verb, check_form
from household.scene_graph import Posture
from sim_bridges.embedded import fittings, skills_hands
from sim_bridges.embedded.body import APART, ActionFailed, Motion, where_is
from sim_bridges.embedded.geometry import to_map
from sim_bridges.embedded.model import Vec2

if TYPE_CHECKING:
    from sim_bridges.embedded.body import Performer

_MEET = 0.75  # metres from a person one walks up to


def begin(body: "Performer", action: AtomicAction) -> Motion:
    """The motion of one action. An action this body cannot do fails at its first tick."""
    try:
        check_form(action)
    except ActionError as problem:
        return _refuse(str(problem))
    if action.verb is Verb.MOVETO and not action.args:
        return _refuse("moveto needs something to move to")
    return _VERBS.get(action.verb, _busy_with)(body, action)


def _refuse(reason: str) -> Motion:
    raise ActionFailed(reason)
    yield


def _number(action: AtomicAction, default: float, most: float) -> float:
    """The first argument as a number up to ``most``."""
    if not action.args:
        return default
    try:
        value = float(action.args[0])
    except ValueError:
        value = math.nan
    if not abs(value) <= most:
        raise ActionFailed(f"{action}: '{action.args[0]}' is not a number up to {most:g}")
    return value


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
    spot = _free_approach(body, item)
    if spot is None:
        raise ActionFailed(f"the way to {world.name(target)} is blocked")
    body.gaze = world.locate(target) if world.room_of(target) == world.room_of(body.id) else None
    yield from body.walk_to(spot, target, speed)
    yield from body.face(item.position[:2], 0.2)
    body.gaze = world.locate(target)


def _free_approach(body: "Performer", item) -> Vec2 | None:
    """The spot to use a piece from with the shortest walk, one where nobody else stands if there is such; behind an obstacle if need be."""
    world = body.world
    spots = world.nav.approaches(item, body.plan.radius, world.state.moved)
    reach = world.nav.distances(body.position, body.plan.radius, world.state.moved)
    others = [other.position for other in world.performers.values() if other is not body]

    def ways(among):
        found = [(any(math.dist(s, o) < APART for o in others), reach.to(s), s) for s in among]
        return [w for w in found if math.isfinite(w[1])]

    usual = ways(spots)
    if usual and min(usual)[0] and any(world.occupied(o) and math.dist(min(usual)[2], o.position) < APART for o in world.performers.values() if o is not body):
        usual = ways((*spots, *world.nav.beside(item, body.plan.radius, world.state.moved)))
    return min(usual)[2] if usual else (spots[0] if spots else None)


def _walk_to_person(body: "Performer", target: str, speed: float) -> Motion:
    """Follows somebody who may be moving, up to them or as near as it gets; gives up when they cannot be caught."""
    world = body.world
    for _ in range(8):
        where = world.performers[target].position
        if math.dist(where, body.position) <= _MEET + 0.1:
            break
        spot = world.nav.distances(body.position, body.plan.radius, world.state.moved).nearest(where, within=1.0)
        if spot is None:
            spot = world.nav.nearest_free(where, body.plan.radius, world.state.moved, within=1.0)  # behind an obstacle, which walking there names
        if spot is None:
            raise ActionFailed(f"there is no way to {world.name(target)}")
        motion = body.walk_to(spot, target, speed, within=max(0.0, _MEET - math.dist(spot, where)))
        for _ in motion:
            yield
            now = world.performers[target].position
            if math.dist(now, where) > 0.8 or math.dist(now, body.position) <= _MEET:
                motion.close()
                body._end_walk()
                break
        else:
            if math.dist(world.performers[target].position, where) <= 0.8:
                break  # as near as it gets
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
    if target not in world.rooms:
        raise ActionFailed(f"{target} is no room")
    body.gaze = None
    yield from body.walk_to(world.spot_in_room(target, body), target)


def _turn(body: "Performer", action: AtomicAction) -> Motion:
    degrees = _number(action, 90.0, 360.0)
    sign = -1.0 if action.verb is Verb.TURNRIGHT else 1.0
    body.gaze = None
    yield from body.turn_to(body.pose.yaw + sign * math.radians(degrees))


def _turn_to(body: "Performer", action: AtomicAction) -> Motion:
    where = where_is(body, action.args[0])
    body.gaze = where
    yield from body.face(where[:2])


def _forward(body: "Performer", action: AtomicAction) -> Motion:
    metres = _number(action, 0.5, 3.0)
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
        skills_hands.within_reach(body, seat, (*seat.position[:2], 0.5))
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


# ---- looking, talking, everyday ----


def _look_at(body: "Performer", action: AtomicAction) -> Motion:
    """Turns the head, and the body too where the neck does not go; keeps following somebody for a moment."""
    for _ in range(16):
        where = where_is(body, action.args[0])
        body.gaze = where
        bearing = math.atan2(where[1] - body.position[1], where[0] - body.position[0])
        if abs((bearing - body.pose.yaw + math.pi) % (2 * math.pi) - math.pi) > 1.1:
            yield from body.turn_to(bearing, 0.6)
        yield


def _point(body: "Performer", action: AtomicAction) -> Motion:
    where = where_is(body, action.args[0])
    yield from body.face(where[:2], 0.5)
    body.gaze = where
    body.reach_out(where)
    body.world.emit(body.id, action.verb, action.args[0])
    yield from body.pause(1.2)
    body.reach_out(None)


def _say(body: "Performer", action: AtomicAction) -> Motion:
    listener = action.args[1] if len(action.args) > 1 else action.target
    if listener in body.world.performers:
        body.gaze = body.world.locate(listener)
    body.world.speak(body.id, action.args[0], listener)
    yield from body.pause(min(4.0, 0.6 + 0.05 * len(action.args[0])))


def _wait(body: "Performer", action: AtomicAction) -> Motion:
    yield from body.pause(_number(action, 1.0, 600.0))


def _reset_head(body: "Performer", action: AtomicAction) -> Motion:
    body.gaze = None
    yield from body.pause(0.3)


def _busy_with(body: "Performer", action: AtomicAction) -> Motion:
    """Reading, drinking, cutting …: seen as an event, takes a while, changes nothing else."""
    target = action.args[0] if action.args else None
    where = body.world.locate(target) if target else None
    if where is not None:
        body.gaze = where
    start = body.world.time
    body.world.emit(body.id, action.verb, target, ongoing=True)
    yield from body.pause(3.0)
    body.world.emit(body.id, action.verb, target, start=start)


_Skill = Callable[["Performer", AtomicAction], Motion]
_VERBS: dict[Verb, _Skill] = {
    **{v: _walk for v in (Verb.WALK, Verb.RUN, Verb.WALKTOWARDS, Verb.MOVETO)},
    Verb.ENTER: _enter, Verb.LEAVE: _leave, Verb.WALKFORWARD: _forward, Verb.MOVEBY: _forward,
    **{v: _turn for v in (Verb.TURNLEFT, Verb.TURNRIGHT, Verb.TURNBY, Verb.TURN)}, Verb.TURNTO: _turn_to,
    Verb.SIT: _sit, Verb.STANDUP: _stand, Verb.STAND: _stand,
    Verb.OPEN: skills_hands.open_close, Verb.CLOSE: skills_hands.open_close, Verb.PICK: skills_hands.pick,
    Verb.GIVE: skills_hands.give, Verb.MOVE: skills_hands.move,
    **{v: skills_hands.put for v in (Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP)},
    Verb.SWITCHON: skills_hands.switch, Verb.SWITCHOFF: skills_hands.switch, Verb.LOOKAT: _look_at, Verb.POINT: _point, Verb.REACHFOR: _point,
    Verb.TOUCH: _point, Verb.SAY: _say, Verb.RESETHEAD: _reset_head, Verb.ROTATEHEAD: _reset_head, Verb.RESETARM: _wait,
    Verb.WAIT: _wait, Verb.ANIMATE: _busy_with,
}
_HAND_VERBS = frozenset({Verb.OPEN, Verb.CLOSE, Verb.PICK, Verb.HOLD, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.DROP,
                         Verb.GIVE, Verb.MOVE, Verb.SWITCHON, Verb.SWITCHOFF, Verb.POINT, Verb.REACHFOR, Verb.TOUCH})
_ROBOT_VERBS = _HAND_VERBS | frozenset({
    Verb.WALK, Verb.WALKTOWARDS, Verb.WALKFORWARD, Verb.ENTER, Verb.LEAVE, Verb.TURNLEFT, Verb.TURNRIGHT, Verb.TURNBY, Verb.TURNTO,
    Verb.MOVEBY, Verb.MOVETO, Verb.TURN, Verb.LOOKAT, Verb.ROTATEHEAD, Verb.RESETHEAD, Verb.RESETARM, Verb.SAY, Verb.WAIT})
