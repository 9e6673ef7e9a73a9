"""From a goal and a belief to the next atomic action: fetch, bring, gather, go, switch. One step at a time, replanned after each.

Pure decision code on a :class:`~sim_bridges.embedded.people.Person`; the world is read only for what a person standing there plainly
knows (their own hands, where furniture stands, whether the door before them is open).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from household import classes
from household.actions import AtomicAction, Verb
from household.classes import Kind
from household.goals import GoalKind
from household.scene_graph import Posture
from sim_bridges.contract import StepStatus
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.hearing import question_for
from sim_bridges.embedded.memory import holdable, standing_of
from sim_bridges.embedded.search import choose_place

if TYPE_CHECKING:
    from sim_bridges.embedded.people import Person
    from sim_bridges.embedded.world import EmbeddedWorld

_LOOK = "0.6"  # seconds of looking into what was opened
_RETRY = 4.0


def next_action(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    """What to do now; None: nothing can be done just now. Sets ``me.reached_at`` when the goal has come true."""
    kind = me.goal.kind
    if me.in_the_way is not None:
        if me.at == me.in_the_way:
            return AtomicAction(Verb.MOVE, (me.in_the_way,))
        return AtomicAction(Verb.WALK, (me.in_the_way,))
    if kind is GoalKind.GET:
        action = _get(me, world, holdable(world.home, me.goal.targets[0]))
    elif kind in (GoalKind.PUT, GoalKind.SET):
        action = _bring(me, world)
    elif kind is GoalKind.USE:
        action = _use(me, world)
    elif kind is GoalKind.REACH:
        action = _reach(me, world)
    else:
        action = _switch(me, world)
    return action


def learn(me: "Person", world: "EmbeddedWorld", action: AtomicAction, problem: str) -> None:
    """What ending an action teaches: where one stands, what one opened, what does not work."""
    target, now = (action.args[0] if action.args else None), world.time
    blocked = "is blocked" in problem and target != me.in_the_way
    me.in_the_way = _obstacle(me, world) if blocked else None if target == me.in_the_way and action.verb is Verb.MOVE else me.in_the_way
    if action.verb is Verb.WALK and target is not None:
        me.at = target if not problem else None
    elif action.verb in (Verb.ENTER, Verb.LEAVE, Verb.SIT):
        me.at = None
    if not problem:
        if action.verb not in (Verb.WAIT, Verb.LOOKAT, Verb.TURNBY, Verb.SAY):
            me.stuck = ""
        if action.verb is Verb.OPEN and target is not None:
            me.opened.add(target)
        elif action.verb is Verb.CLOSE and target is not None:
            me.opened.discard(target)
        elif action.verb is Verb.PICK and target is not None:
            me.memory.know(target, me.id, now)
        elif action.verb in (Verb.PUTON, Verb.PUTIN) and target is not None:
            me.memory.know(target, action.args[1], now)
    elif world.performers[me.id].report.status is StepStatus.FAILED:
        me.target = me.at = None
        if target is not None:
            me.avoid[target] = now + _RETRY


def _obstacle(me: "Person", world: "EmbeddedWorld") -> str | None:
    """What stands in the way, for somebody on their feet: the nearest obstacle in a doorway that they can get to."""
    if world.state.people[me.id].posture is Posture.WHEELCHAIR:
        return None
    body = world.performers[me.id]
    near = []
    for item in world.home.furniture:
        if classes.get(item.cls).kind is Kind.OBSTACLE:
            where = world.standing(item.id)
            spot = world.nav.approach_point(where, body.plan.radius, world.state.moved, body.position)
            if spot is not None and any(math.dist(where.position[:2], d.center) < 0.6 for d in world.home.doorways):
                near.append((math.dist(where.position[:2], body.position), item.id))
    return min(near)[1] if near else None


def shut_behind(me: "Person", world: "EmbeddedWorld", always: bool = False) -> AtomicAction | None:
    """Shuts what it opened here, mostly; what it leaves open it forgets about."""
    if me.at in me.opened and world.state.openness.get(me.at, 0.0) > 0.0 and me.at != "":
        if always or me.rng.random() < me.traits.closes:
            return AtomicAction(Verb.CLOSE, (me.at,))
        me.opened.discard(me.at)
    return None


def _reached(me: "Person", world: "EmbeddedWorld") -> None:
    me.reached_at, me.target, me.stuck = world.time, None, ""


def _avoided(me: "Person", now: float) -> set[str]:
    me.avoid = {k: v for k, v in me.avoid.items() if v > now}
    return set(me.avoid)


def _go_open(me: "Person", world: "EmbeddedWorld", place: str) -> AtomicAction | None:
    """Walk to a piece, open it if it is shut; None when one stands before it, open."""
    if me.at != place or _too_far(me, world, place):
        closing = shut_behind(me, world) if me.at != place else None
        return closing or AtomicAction(Verb.WALK, (place,))
    if place in world.pieces and opens(world.pieces[place].cls) and world.state.openness.get(place, 0.0) < 0.9:
        return AtomicAction(Verb.OPEN, (place,))
    return None


def _too_far(me: "Person", world: "EmbeddedWorld", place: str) -> bool:
    where = world.locate(place)
    limit = 1.1 if place in world.performers else 2.2
    return where is None or math.dist(where[:2], world.performers[me.id].position) > limit


def _get(me: "Person", world: "EmbeddedWorld", things: list[str]) -> AtomicAction | None:
    """Until one of ``things`` is in the hand."""
    held = [t for t in things if t in world.performers[me.id].held()]
    if held:
        closing = shut_behind(me, world)
        if closing is None and me.goal.kind is GoalKind.GET:
            _reached(me, world)
        return closing
    if (aside := _put_aside(me, world)) is not None:
        return aside
    avoid = _avoided(me, world.time)
    visible = [t for t in things if t in me.sight.sees and me.memory.best(t)[1] > 0.98 and t not in avoid
               and not (me.memory.best(t)[0] in world.performers and me.memory.best(t)[0] in avoid)]
    known = visible or [t for t in things if me.memory.best(t)[1] > 0.98 and t not in avoid and me.memory.best(t)[0] not in avoid]
    if me.target is None or (visible and me.memory.best(visible[0])[0] != me.target):
        me.target = me.memory.best(known[0])[0] if known else choose_place(
            world, me.id, me.memory, [t for t in things if t not in avoid] or things, avoid, me.traits.temperature, me.rng, me.ask)
    place = me.target
    if place is None:
        return shut_behind(me, world) or AtomicAction(Verb.WAIT, ("1.5",))
    if place == me.ask:
        return _ask_where(me, world, place, things[0])
    if place in world.performers:
        return _ask_for(me, world, place, things)
    if place in world.rooms:
        return _search_room(me, world, place, things, known)
    step = _go_open(me, world, place)
    if step is not None:
        return step
    here = [t for t in things if me.memory.p(t, place) > 0.98 and t in me.sight.sees and t not in avoid]
    if here:
        return AtomicAction(Verb.PICK, (here[0],))
    return _look_into(me, world, place, things)


def _put_aside(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    """With both hands full of other things one of them is put down first, wherever there is room."""
    body = world.performers[me.id]
    wanted = {t for target in me.goal.targets for t in holdable(world.home, target)}
    spare = [t for t in body.held() if t not in wanted]
    return AtomicAction(Verb.PLACE, (spare[0],)) if spare and len(body.held()) >= body.plan.hands else None


def _look_into(me: "Person", world: "EmbeddedWorld", place: str, things: list[str]) -> AtomicAction:
    """A glance inside; what does not show then is taken not to be there, and the search goes on."""
    if place not in me.avoid:
        me.avoid[place] = world.time + 1.0  # looked: the next visit here finds it settled
        return AtomicAction(Verb.WAIT, (_LOOK,))
    for thing in things:
        if me.memory.p(thing, place) > 0.0 and thing not in me.sight.sees:
            me.memory.doubt(thing, place, world.time)
    me.target = None
    return shut_behind(me, world) or AtomicAction(Verb.WAIT, ("0.2",))


def _ask_for(me: "Person", world: "EmbeddedWorld", holder: str, things: list[str]) -> AtomicAction:
    """Somebody seems to have it: go there and ask for it."""
    if me.at != holder or _too_far(me, world, holder):
        return shut_behind(me, world) or AtomicAction(Verb.WALK, (holder,))
    me.avoid[holder] = world.time + 8.0
    me.target = None
    spoken = classes.get(world.things[things[0]].cls).spoken
    return AtomicAction(Verb.SAY, (f"Could I have the {spoken}, please?", holder))


def _ask_where(me: "Person", world: "EmbeddedWorld", mover: str, thing: str) -> AtomicAction:
    """Somebody is said to have moved it: go and ask them, once."""
    if me.at != mover or _too_far(me, world, mover):
        return shut_behind(me, world) or AtomicAction(Verb.WALK, (mover,))
    me.ask = me.target = None
    return AtomicAction(Verb.SAY, (question_for(world.things[thing].cls), mover))


def _search_room(me: "Person", world: "EmbeddedWorld", room: str, things: list[str], known: list[str]) -> AtomicAction:
    """On the floor: walk up to what is seen there, else look about the room."""
    on_floor = [t for t in known if me.memory.best(t)[0] == room]
    if on_floor and on_floor[0] in me.sight.sees:
        if me.at != on_floor[0] or _too_far(me, world, on_floor[0]):
            return shut_behind(me, world) or AtomicAction(Verb.WALK, (on_floor[0],))
        return AtomicAction(Verb.PICK, (on_floor[0],))
    if world.room_of(me.id) != room:
        return shut_behind(me, world) or AtomicAction(Verb.ENTER, (room,))
    for thing in things:
        me.memory.doubt(thing, room, world.time, 0.4)
    if all(me.memory.p(t, room) < 0.01 for t in things):
        me.target = None
    return AtomicAction(Verb.TURNBY, ("100",))


def _bring(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    """Everything to one place."""
    place = _destination(me, world)
    if place is None:
        return AtomicAction(Verb.WAIT, ("2",))
    for target in me.goal.targets:
        things = holdable(world.home, target)
        if any(me.memory.p(t, place) > 0.9 for t in things):
            continue
        held = [t for t in things if t in world.performers[me.id].held()]
        if held and me.at in me.opened and me.at != place and (closing := shut_behind(me, world)):
            return closing
        if held:
            me.target = place
            step = _go_open(me, world, place)
            inside = classes.get(world.pieces[place].cls).kind is Kind.CONTAINER
            return step or AtomicAction(Verb.PUTIN if inside else Verb.PUTON, (held[0], place))
        return _get(me, world, things)
    closing = shut_behind(me, world)
    if closing is None:
        _reached(me, world)
    return closing


def _destination(me: "Person", world: "EmbeddedWorld") -> str | None:
    """The place of a PUT or SET goal; a free choice is settled on once: the nearest table."""
    wanted = me.goal.place
    options = standing_of(world.home, wanted) if wanted else [
        f.id for f in world.home.furniture if f.cls in ("kitchentable", "diningtable", "coffeetable", "desk")]
    here = world.performers[me.id].position
    if me.target in options:
        return me.target
    best = sorted(options, key=lambda p: (math.dist(world.pieces[p].position[:2], here), p))
    holding_some = [p for p in options if any(me.memory.p(t, p) > 0.9 for g in me.goal.targets for t in holdable(world.home, g))]
    return (holding_some or best or [None])[0]


def _use(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    """All movable targets in the hands or on one table (by the device, if there is one), then the activity."""
    devices = [d for t in me.goal.targets for d in standing_of(world.home, t)]
    movable = [t for t in me.goal.targets if holdable(world.home, t)]
    held = world.performers[me.id].held()
    for target in movable:
        things = holdable(world.home, target)
        if not any(t in held for t in things) and len(movable) <= 2:
            return _get(me, world, things)
    if len(movable) > 2:
        table = _destination(me, world)
        for target in movable:
            things = holdable(world.home, target)
            if any(me.memory.p(t, table) > 0.9 for t in things):
                continue
            mine = [t for t in things if t in held]
            if not mine:
                return _get(me, world, things)
            return _go_open(me, world, table) or AtomicAction(Verb.PUTON, (mine[0], table))
    closing = shut_behind(me, world)
    if closing is not None:
        return closing
    if devices and (me.at != devices[0] or _too_far(me, world, devices[0])):
        return AtomicAction(Verb.WALK, (devices[0],))
    _reached(me, world)
    return AtomicAction(Verb.ANIMATE, (movable[0] if movable else devices[0],))


def _reach(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    place = me.goal.place
    options = [place] if place in world.rooms else (standing_of(world.home, place) or [r.id for r in world.home.rooms if r.cls == place])
    if not options:
        return AtomicAction(Verb.WAIT, ("2",))
    goal = options[0]
    if (goal in world.rooms and world.room_of(me.id) == goal) or (me.at == goal and not _too_far(me, world, goal)):
        _reached(me, world)
        return None
    if goal in _avoided(me, world.time):
        return AtomicAction(Verb.WAIT, ("1",))
    return shut_behind(me, world) or AtomicAction(Verb.WALK, (goal,))


def _switch(me: "Person", world: "EmbeddedWorld") -> AtomicAction | None:
    options = standing_of(world.home, me.goal.targets[0])
    if not options:
        return AtomicAction(Verb.WAIT, ("2",))
    device, on = options[0], me.goal.activity == "on"
    if world.state.switched_on.get(device) is on and device in me.sight.sees:
        _reached(me, world)
        return None
    if me.at != device or _too_far(me, world, device):
        return shut_behind(me, world) or AtomicAction(Verb.WALK, (device,))
    if world.state.switched_on.get(device) is on:
        _reached(me, world)
        return None
    return AtomicAction(Verb.SWITCHON if on else Verb.SWITCHOFF, (device,))
