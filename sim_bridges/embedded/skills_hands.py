"""What hands do: open, take, put, give, switch, push; and what is within their reach.

Every precondition that fails raises :class:`ActionFailed` with a reason that names what is wrong (out of reach, hands full, shut,
gone, no room); the effect happens in the middle of the motion, when the hand is there, and is emitted as an event at that moment.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from sim_bridges.embedded import fittings, spots
from sim_bridges.embedded.body import APART, ActionFailed, Motion, where_is
from sim_bridges.embedded.geometry import room_at, to_map
from sim_bridges.embedded.model import Furniture, Vec3

if TYPE_CHECKING:
    from sim_bridges.embedded.body import Performer

_GRASP_SECONDS = 0.5
_GIVE_REACH = 0.95
_PUSH_SPEED = 0.35
_STRETCH = 0.85  # m on the floor from the middle of a body to what its hand takes or puts: for what is farther it steps up
_STEP_PAYS = 0.15  # m that a step must bring it nearer


def open_close(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    opening = action.verb is Verb.OPEN
    goal, seconds = (1.0 if opening else 0.0), 0.9
    item = world.standing(target)
    if item is not None:
        if not fittings.opens(item.cls):
            raise ActionFailed(f"{world.name(target)} does not open")
        within_reach(body, item, _handle(item))
        seconds = fittings.fitting(item.cls).seconds_to_open
        where = _handle(item)
    elif target in world.state.openness:
        where = where_is(body, target)
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


def pick(body: "Performer", action: AtomicAction) -> Motion:
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
    yield from _step_up(body, thing.position)
    if thing.at != origin:
        raise ActionFailed(f"{world.name(target)} is gone: somebody else took it")
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


def put(body: "Performer", action: AtomicAction) -> Motion:
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
    within_reach(body, item, _handle(item))
    if spots.too_large(world.things[target], item):
        raise ActionFailed(f"{world.name(target)} is too large for {world.name(place)}")
    highest = body.plan.reach_height + 0.1
    spot = spots.free_spot(world.home, world.state, world.things[target], item, world.rng, highest, near=(body.position, _STRETCH))
    if spot is None:
        raise ActionFailed(f"there is no room {classes.get(item.cls).preposition} {world.name(place)} within reach")
    yield from _step_up(body, spot)
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


def give(body: "Performer", action: AtomicAction) -> Motion:
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


def switch(body: "Performer", action: AtomicAction) -> Motion:
    world, target = body.world, action.args[0]
    item = world.standing(target)
    if item is None or not classes.get(item.cls).switchable:
        raise ActionFailed(f"{target} is nothing that is switched on or off")
    on = action.verb is Verb.SWITCHON
    within_reach(body, item, _handle(item))
    yield from body.face(item.position[:2], 0.35)
    start = world.time
    body.gaze = _handle(item)
    body.reach_out(_handle(item))
    yield from body.pause(_GRASP_SECONDS)
    world.state.switched_on[target] = on
    world.emit(body.id, action.verb, target, start=start)
    body.reach_out(None)


def move(body: "Performer", action: AtomicAction) -> Motion:
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


# ---- reach ----


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


def within_reach(body: "Performer", item: Furniture, hand: Vec3) -> None:
    if _gap_to(body, item) > body.plan.arm:
        raise ActionFailed(f"{body.world.name(item.id)} is out of reach")
    lowest = item.position[2] + min(item.heights, default=0.0)
    if min(hand[2], lowest + 0.1) > body.plan.reach_height:
        raise ActionFailed(f"{body.world.name(item.id)} is too high to reach")


def _step_up(body: "Performer", spot: Vec3) -> Motion:
    """Along a long table or counter to where the hand reaches ``spot``; stays where no step brings it nearer."""
    world, away = body.world, math.dist(spot[:2], body.position)
    if away <= _STRETCH:
        return
    others = [other.position for other in world.performers.values() if other is not body]
    nearest = world.nav.nearest_free(spot[:2], body.plan.radius, world.state.moved, away - _STEP_PAYS, others, APART)
    if nearest is None or room_at(world.home, nearest) is not room_at(world.home, body.position):
        return
    try:
        yield from body.walk_to(nearest, None, within=max(0.0, _STRETCH - math.dist(nearest, spot[:2])))
    except ActionFailed:
        return  # somebody or something stands there


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
