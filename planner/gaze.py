"""Where the robot's camera should look: a policy that keeps the acting people in view, smooth and without chance.

Design reason: what is not looked at is not known, so attention follows what could change beliefs: first hands that act, then somebody
walking or searching in the robot's room, then where somebody of the room must be who slipped out of the picture, then those who are or went
elsewhere. With nothing of the kind it looks at everything in the room once, all round (while nobody is in it a glance at a time, between looks at the ways in), then at what has not been looked at for longest, people at rest
counting most and doorways more than furniture.
Invariant: the point moves at most ``SPEED_M_S`` metres per second, and off such rounds a target is kept for at least ``DWELL_S`` unless
something more urgent happens; the same inputs give the same points.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness
from mind.output import Minds

from planner.geometry import AT_M, Geometry, Point, off
from planner.surroundings import CENTRAL, CHEST_M, apart, belongs, corners, gone, looked_at, lost, surroundings, turned, ways_of

SPEED_M_S = 6.0  # of the looked-at point through the home
DWELL_S = 1.2
TURNING_S, LOOK_S = 3.0, 0.9  # after which what the camera does not get to is given up; for which it looks at a doorway of an empty room that it has turned to
ACT_S = 3.0  # an act stays interesting this long
DOOR_S = 6.0  # a doorway, after somebody went through it
LOST_S = 2.5  # so long out of the picture, somebody of the room is looked for before anything else
ONWARD_S = 1.2  # and for so long they are looked for where they would be had they walked on
BEHIND_S = 6.0  # and for so long they are behind the door of what they have opened
GIVEN_UP_S = 20.0  # and so long, they are no longer looked for
LIVELY_M, LIVELY_RAD = 0.15, 0.06  # moved so far within that time, or by such an angle for who is far off: not at rest
PATIENCE_S = 3.0  # a look around waits until something, by its weight, was out of the picture for so long
NEVER_S = OVERDUE_S = 60.0  # what was never looked at counts as this long ago, and what must not be out of the picture for long as so much longer
AT_FIRST_S, BESIDE_M = 1.0, 1.2  # so long after somebody came into view, so near to a doorway, they may be about to come in
ASIDE = math.radians(15)  # so far from the middle somebody may be for the sake of what they are heading for
TOGETHER, BOTH_ACT = math.radians(50), math.radians(66)  # two people nearer than this are looked at both; where both act, to the edge of the picture
STOOD_S = 0.5  # who has not moved for so long stands
AT_IT_M = 1.0  # farther than this from what they handled they have left it
AHEAD_M = 2.5  # from the robot to what it looks at when it looks straight on
CAMERA_M, HALF_PICTURE = 1.25, math.radians(26)  # height of the camera, and what it sees above its middle: from near, it looks up to a face
LOW_M = 0.7  # height of hands at low furniture
HAIR_M = 0.05  # of a head that may be cut off
PERSON_WEIGHT, DOOR_WEIGHT = 4.0, 2.0  # against furniture
DOOR_ASIDE = (0, 10, -10, 20, -20, 27, -27)  # degrees beside the middle of the picture at which a doorway may be for the sake of the others and of the room
WAY_IN_S = 0.6  # with nobody in the room, a way in that was out of the picture for so long comes next: who came in meanwhile is near it still
ANOTHER_S = 2.5  # a look at another doorway takes, with the way there
ROUND_S = 6.0  # and what of such a room was not looked at for so long is glanced at, one glance after another: somebody may have slipped in
EMPTY_WEIGHT = 0.4  # of furniture in a room with nobody in it: hardly anything changes there
HANDS = frozenset({Verb.PICK, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.GIVE, Verb.OPEN, Verb.CLOSE, Verb.SWITCHON,
                   Verb.SWITCHOFF, Verb.REACHFOR, Verb.DROP, Verb.MOVE})
_HANDLING, _LIVELY, _LOST, _GONE, _RESTING, _WAYS = range(6)  # how urgent, most first; the last: ways in and furniture

Track = Sequence[tuple[float, float, float]]  # (stamp, x, y), oldest first


@dataclass(frozen=True)
class GazeState:
    """``point``: where it looks now, map. ``target``: entity looked at. ``since``: since when; ``rank``: how urgent (0 most).
    ``looked``: what is in the robot's room → when they were last well in the picture. ``arrived``: when the camera had turned to ``target``; None: not yet.
    ``ways``: person → room the robot was in, and x, y where they were last seen in it: the way they went, and may come back."""

    point: Point
    target: str
    since: float
    rank: int
    stamp: float
    looked: Mapping[str, float] = field(default_factory=dict)
    arrived: float | None = None
    ways: Mapping[str, tuple[str, float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Interest:
    rank: int
    order: float
    target: str
    point: Point
    hands: bool = False  # they act, or are about to
    passing: bool = False  # on the way all round


def step(state: GazeState | None, geometry: Geometry, minds: Minds, events: tuple[HumanAction, ...], helped: str | None,
         now: float, tracks: Mapping[str, Track] = {}) -> GazeState | None:
    """The next point to look at; None while there is nothing to look at at all. ``tracks``: where people went lately."""
    around, ways = surroundings(geometry), ways_of(state.ways if state is not None else {}, geometry)
    left_by = {name: (x, y, CHEST_M) for name, (x, y) in gone(ways, geometry).items()}
    spots = {e.id: e.position for e in (*around, *geometry.of_kind(Kind.PERSON))}
    looked = looked_at(state.looked if state is not None else {}, state.point if state is not None else None, geometry, spots | left_by | corners(geometry), now)
    around = [e for e in around if e.kind is not Kind.PERSON or not lost(e, looked, now)]
    latest = {e.actor: e for e in events}
    awaited = _awaited(minds, geometry)
    people = sorted((i for p in geometry.of_kind(Kind.PERSON)
                     if (i := _interest(p, geometry, minds, latest.get(p.id), helped, tracks.get(p.id, ()), looked, left_by, around,
                                         _expected(awaited, p, around), now))),
                    key=lambda i: (i.rank, i.order, i.target))
    urgent = [i for i in people if i.rank < _RESTING]
    if not urgent and _settling(state, now) and (ahead := _ahead(geometry)) is not None:
        return GazeState(ahead, "", state.since if state is not None else now, _RESTING, now, looked, ways=ways)
    chosen = urgent[0] if urgent else _longest_unseen(state, geometry, people, around, looked, frozenset().union(*awaited.values()), now)
    if chosen is None:
        return state
    if state is None:
        return GazeState(_with_head(chosen.point, chosen.target, geometry, chosen.hands), chosen.target, now, chosen.rank, now, looked, ways=ways)
    if chosen.target != state.target and chosen.rank >= state.rank:
        kept = next((i for i in (*people, *_pieces(geometry, around), *_corners(geometry)) if i.target == state.target), None)
        lingers = kept is not None and _way_in(kept, geometry)
        goes_round = chosen.passing and not lingers and looked.get(state.target, -math.inf) > now - ROUND_S
        if kept is not None and not goes_round and (now - state.since < DWELL_S or state.rank >= _RESTING and _not_seen_yet(state, kept, geometry, around, now)):
            chosen = kept
    point = _both(chosen, people, geometry) if chosen.rank <= _LIVELY else chosen.point
    point = _with_head(point, chosen.target, geometry, chosen.hands)
    limit, gap = SPEED_M_S * max(0.0, now - state.stamp), math.dist(point, state.point)
    if gap > limit:
        point = tuple(a + (b - a) * limit / gap for a, b in zip(state.point, point))
    same = chosen.target == state.target
    arrived = state.arrived if same and state.arrived is not None else now if same and _faces(chosen.point, geometry) else None
    return GazeState(point, chosen.target, state.since if same else now, chosen.rank, now, looked, arrived, ways)


def _settling(state: GazeState | None, now: float) -> bool:
    """Whether the robot has only begun to look: what is before its eyes is made out first, and does not show in the first picture."""
    return state is None or (state.target == "" and now - state.since < DWELL_S)


def _not_seen_yet(state: GazeState, kept: _Interest, geometry: Geometry, around: Sequence[Entity], now: float) -> bool:
    """Whether the camera still turns to what it was to look at next, or has only just got to a doorway with nobody in the room: who comes in there is made out in some
    pictures."""
    arrived = state.arrived if state.arrived is not None or not _faces(kept.point, geometry) else now
    if arrived is None:
        return now - state.since <= TURNING_S
    return _way_in(kept, geometry) and not any(e.kind is Kind.PERSON for e in around) and now - arrived < LOOK_S


def _faces(point: Point, geometry: Geometry) -> bool:
    """Whether the camera has turned to the point; it has as well where nobody knows which way it looks."""
    ahead = _ahead(geometry)
    return ahead is None or apart(geometry.position(ROBOT), ahead, point) <= ASIDE


def _ahead(geometry: Geometry) -> Point | None:
    """Straight on; None while the robot does not know which way it looks."""
    here, robot = geometry.position(ROBOT), geometry.entity(ROBOT)
    if here is None or robot is None or robot.gaze_yaw is None:
        return None
    return (here[0] + AHEAD_M * math.cos(robot.gaze_yaw), here[1] + AHEAD_M * math.sin(robot.gaze_yaw), CHEST_M)


# people


def _interest(p: Entity, geometry: Geometry, minds: Minds, last: HumanAction | None, helped: str | None, track: Track,
              looked: Mapping[str, float], left_by: Mapping[str, Point], around: Sequence[Entity], expected: bool, now: float) -> _Interest | None:
    """How urgent a person is and where to look for them; None when there is nothing to look for. ``expected``: nobody is here, and somebody else, out of view, is mistaken about what is."""
    point = (p.position[0], p.position[1], CHEST_M)
    mind = minds.people.get(p.id)
    age = now - (last.end if last.end is not None else last.start) if last is not None else math.inf
    busy = p.id in geometry.holder.values() or (mind is not None and mind.searching >= 0.5 and mind.heading is not None)
    room, unseen = geometry.room_of(ROBOT), 0.0 if p.visible else now - p.last_seen
    elsewhere = room is not None and geometry.room_of(p.id) not in (room, None)
    coming = elsewhere and (_comes(p, track, geometry, room) or _turned_up(p, track, around))
    here = geometry.position(ROBOT)
    step = max(LIVELY_M, LIVELY_RAD * math.dist(here[:2], p.position[:2])) if here is not None else LIVELY_M
    if p.visible:
        if last is not None and last.verb in HANDS and age <= ACT_S and not _left(p, last, geometry):
            return _Interest(_HANDLING, age, p.id, _between(point, geometry.position(last.place or last.target), here), True)
        if elsewhere and not coming and expected and p.id != helped and p.id not in geometry.holder.values():
            return None  # empty-handed next door: the other one may come in by another way
        stays = elsewhere and not coming and age > DOOR_S  # next door, and nothing new: this room comes first
        if p.id == helped or age <= ACT_S or (not stays and (busy or lively(track, now, step))):
            at = _at_a_place(p, track, around, now)
            order = 0.0 if p.id == helped else 1.0 if at else 1.5
            rank = _GONE if elsewhere and not coming and p.id != helped else _LIVELY
            return _Interest(rank, order, p.id, _between(point, geometry.position(mind.heading if mind is not None else None), here), at)
        return None if elsewhere else _Interest(_RESTING, 0.0, p.id, point)
    away = elsewhere or (
        last is not None and last.verb in (Verb.LEAVE, Verb.ENTER) and age <= unseen + 0.5 and (last.verb is Verb.LEAVE) == (last.target == room))
    if unseen > GIVEN_UP_S or (away and not coming):
        recent = age <= DOOR_S or (unseen <= DOOR_S and lively(track, p.last_seen, step))
        if expected and (unseen > ONWARD_S or elsewhere and p.id not in geometry.holder.values() and _seen_outside(p, track, geometry, room) > ONWARD_S):
            recent = False  # the other one may come in by another way
        if recent:
            return _Interest(_GONE, unseen, p.id, point)
        waited_for = p.id in left_by and not any(e.kind is Kind.PERSON for e in around)
        return _Interest(_WAYS, 0.0, p.id, _framed(left_by[p.id], around, here)) if waited_for else None
    if unseen <= BEHIND_S and _has_open(p, last, geometry):
        return _Interest(_LIVELY, 0.0, p.id, point)
    if not (busy or p.id == helped or age <= ACT_S + unseen or lively(track, p.last_seen, step)):
        if looked.get(p.id, -math.inf) <= p.last_seen:  # probably still there
            return _Interest(_LOST if unseen > LOST_S else _RESTING, -unseen, p.id, point)
    if unseen <= ONWARD_S and len(track) > 1:
        return _Interest(_LOST, -unseen, p.id, (*_next(p, track, unseen), CHEST_M))
    goes_to = (mind.heading if mind is not None else None, last.target if last is not None and last.verb is Verb.WALKTOWARDS and last.end is None else None)
    where = _likely_at(p, goes_to, track, geometry, around, looked)
    first = -unseen if not elsewhere else 2.0  # who may have come in, after those in view who walk about
    return _Interest(_LIVELY if unseen > LOST_S else _LOST, first, p.id, where) if where is not None else None


def _has_open(p: Entity, last: HumanAction | None, geometry: Geometry) -> bool:
    """Whether somebody was at something that is open still: out of view, they are behind its door."""
    place = geometry.entity(last.place or last.target) if last is not None and last.verb in HANDS else None
    return place is not None and place.openness is Openness.OPEN and not _left(p, last, geometry)


def _at_a_place(p: Entity, track: Track, around: Sequence[Entity], now: float) -> bool:
    """Whether somebody stands before furniture: their hands act next, not their feet."""
    recent = [s for s in track if now - STOOD_S <= s[0]]
    return all(math.dist(s[1:], p.position[:2]) <= LIVELY_M for s in recent) and any(
        e.kind in (Kind.CONTAINER, Kind.SURFACE) and off(e, p.position) <= AT_M for e in around)


def _left(p: Entity, last: HumanAction, geometry: Geometry) -> bool:
    """Whether somebody has gone away from the place at which their hands acted last."""
    place = geometry.entity(last.place or last.target)
    return place is not None and place.kind in (Kind.CONTAINER, Kind.SURFACE, Kind.DOOR) and off(place, p.position) > AT_IT_M


def lively(track: Track, at: float, step: float) -> bool:
    """Whether somebody went a ``step``, m, shortly before ``at`` (since the last look before, if they were out of the picture meanwhile), or was first seen then."""
    seen = [s for s in track if s[0] <= at + 1e-6]
    recent = [s for s in seen if at - ACT_S <= s[0]]
    if recent and recent[0] == track[0] and at - track[0][0] < ACT_S - 1e-6:
        return True
    return bool(recent) and any(math.dist(s[1:], recent[-1][1:]) > step for s in seen[-len(recent) - 1:])


def _likely_at(p: Entity, goes_to: Sequence[str | None], track: Track, geometry: Geometry, around: Sequence[Entity],
               looked: Mapping[str, float]) -> Point | None:
    """Where somebody is who is in the room and out of the picture: where they were going, else the place not looked at since that is
    nearest to where they were walking."""
    fresh = [e for e in around if e.kind is not Kind.PERSON and looked.get(e.id, -math.inf) <= p.last_seen]
    if goal := next((e for name in goes_to for e in fresh if e.id == name), None):
        return (*goal.position[:2], CHEST_M)
    if not fresh:
        return None
    best = min(fresh, key=lambda e: (math.dist(e.position[:2], _next(p, track)), e.id))
    return (best.position[0], best.position[1], CHEST_M)


def _next(p: Entity, track: Track, seconds: float = 1.0) -> tuple[float, float]:
    """Where somebody was going to be so long after they were last seen, had they walked on."""
    recent = [s for s in track if p.last_seen - 1.0 <= s[0] <= p.last_seen + 1e-6]
    if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
        return p.position[:2]
    return tuple(p.position[i] + seconds * (recent[-1][i + 1] - recent[0][i + 1]) / (recent[-1][0] - recent[0][0]) for i in (0, 1))


def _seen_outside(p: Entity, track: Track, geometry: Geometry, room: str | None) -> float:
    """Seconds from when somebody was first seen outside this room, and not in it since, to when they were last seen."""
    inside = max((i for i, s in enumerate(track) if belongs(geometry, s[1:], room, 0.0)), default=-1)
    return p.last_seen - min((s[0] for s in track[inside + 1:]), default=p.last_seen)


def _comes(p: Entity, track: Track, geometry: Geometry, room: str | None) -> bool:
    """Whether somebody who was last seen in another room was about to walk into this one: out of the picture now, they are here."""
    return belongs(geometry, _next(p, track), room, 0.0)


def _turned_up(p: Entity, track: Track, around: Sequence[Entity]) -> bool:
    """Whether somebody has only just come into view beside a doorway of this room: before it can be told which way they go, they may be in it."""
    return bool(track) and p.last_seen - track[0][0] <= AT_FIRST_S and any(
        e.kind is Kind.DOOR and math.dist(e.position[:2], p.position[:2]) <= BESIDE_M for e in around)


def _between(person: Point, spot: Point | None, here: Point | None = None, share: float = 0.35) -> Point:
    """A point from which both the person and the near thing they act at stay in the picture, the person well inside it."""
    if spot is None or math.hypot(person[0] - spot[0], person[1] - spot[1]) > 2.5:
        return person
    point = tuple(a + share * (b - a) for a, b in zip(person, spot))
    if here is not None and apart(here, person, point) > ASIDE:
        return _between(person, spot, here, 0.5 * share) if share > 0.05 else person
    return point


def _with_head(point: Point, target: str, geometry: Geometry, hands: bool) -> Point:
    """The point, raised as far as the picture would else cut off the head of the person looked at; from so near that their ``hands``, which act, would be cut
    off then, the middle between both."""
    here, person = geometry.position(ROBOT), geometry.entity(target)
    if here is None or person is None or person.kind is not Kind.PERSON:
        return point
    away = max(math.dist(here[:2], person.position[:2]), 0.3)
    lowest = math.atan2(person.extents[2] - HAIR_M - CAMERA_M, away) - HALF_PICTURE
    if hands:
        lowest = min(lowest, (lowest + math.atan2(LOW_M - CAMERA_M, away) + HALF_PICTURE) / 2)
    return (point[0], point[1], max(point[2], CAMERA_M + math.dist(here[:2], point[:2]) * math.tan(lowest)))


def _both(chosen: _Interest, people: Sequence[_Interest], geometry: Geometry) -> Point:
    """The point itself, or one between it and another person in view who fits into the same picture."""
    here = geometry.position(ROBOT)
    others = [i for i in people if i.target != chosen.target and (e := geometry.entity(i.target)) is not None and e.visible]
    near = [i.point for i in others if here is not None and apart(here, chosen.point, i.point) < (BOTH_ACT if i.rank <= _LIVELY else TOGETHER)]
    if not near:
        return chosen.point
    other = min(near, key=lambda o: (apart(here, chosen.point, o), o))
    reach = math.dist(here[:2], chosen.point[:2]) / max(0.1, math.dist(here[:2], other[:2]))  # at the same distance, so that the middle is the middle
    return ((chosen.point[0] + here[0] + (other[0] - here[0]) * reach) / 2, (chosen.point[1] + here[1] + (other[1] - here[1]) * reach) / 2,
            chosen.point[2])


# the room


def _pieces(geometry: Geometry, around: Sequence[Entity]) -> list[_Interest]:
    here = geometry.position(ROBOT)
    return [_Interest(_WAYS, 0.0, e.id, _framed((*e.position[:2], CHEST_M), around, here) if e.kind is Kind.DOOR else (*e.position[:2], min(e.position[2], CHEST_M)))
            for e in around if e.kind is not Kind.PERSON]


def _corners(geometry: Geometry) -> list[_Interest]:
    return [_Interest(_WAYS, 0.0, name, point) for name, point in corners(geometry).items()]


def _framed(point: Point, around: Sequence[Entity], here: Point | None) -> Point:
    """Where to look for whoever comes in at ``point``: there, or so far beside it that as many other doorways as can be are in the picture, and then as much of the room."""
    if here is None:
        return point

    def shown(p: Point) -> tuple:
        doors = sum(apart(here, p, e.position) < CENTRAL for e in around if e.kind is Kind.DOOR)
        return (doors, sum(apart(here, p, e.position) < CENTRAL for e in around), -apart(here, p, point))

    return max((turned(here, point, math.radians(a)) for a in DOOR_ASIDE), key=shown)


def _longest_unseen(state: GazeState | None, geometry: Geometry, people: Sequence[_Interest], around: Sequence[Entity],
                    looked: Mapping[str, float], awaited: frozenset[str], now: float) -> _Interest | None:
    """Among people at rest, doorways and furniture: what has been out of the picture for longest, weighted. The room is looked at all round
    first; ties go to what is nearest to where the camera looks. With nobody in it, a doorway that was out of the picture for too long comes before
    the rest. ``awaited``: furniture that counts as the ways in do."""
    here, kinds = geometry.position(ROBOT), {e.kind for e in around}
    empty = Kind.PERSON not in kinds and (Kind.DOOR in kinds or bool(people))  # nothing moves here before somebody comes in

    def due(i: _Interest) -> tuple:
        own = geometry.entity(i.target).kind
        kind = Kind.DOOR if i.target in awaited and own is not Kind.PERSON else own
        weight = {Kind.PERSON: PERSON_WEIGHT, Kind.DOOR: DOOR_WEIGHT}.get(kind, EMPTY_WEIGHT if empty else 1.0)
        wait = weight * (now - looked[i.target]) if i.target in looked else NEVER_S
        if empty and kind in (Kind.DOOR, Kind.PERSON) and i.target in looked and now - looked[i.target] > WAY_IN_S:
            wait += OVERDUE_S
        turn = apart(here, state.point, i.point) if state is not None and here is not None else 0.0
        return (-wait, turn, i.target)

    pieces = _pieces(geometry, around)
    never = [i for i in (*pieces, *(_corners(geometry) if empty else ())) if i.target not in looked]  # up to its corners: what is in the rest of the room is not known yet
    new = never or [i for i in pieces if empty and looked[i.target] <= now - ROUND_S]
    doors = [e for e in around if e.kind is Kind.DOOR]
    if empty and (awaited or any(now - looked.get(e.id, now) > _out_for(doors, here) for e in doors)):
        new = []  # who is expected back is not to be missed for it; for the rest, a glance at a time
    if new and state is not None and here is not None:
        return _round(new, state.point, here)
    options = [*(i for i in people if i.rank >= _RESTING), *pieces]
    best = min(options, key=due, default=None)
    now_at = next((i for i in options if state is not None and i.target == state.target), None)
    if best is not None and now_at is not None and -due(best)[0] < PATIENCE_S:
        return now_at
    return replace(best, passing=True) if best is not None and -due(best)[0] >= OVERDUE_S else best


def _way_in(i: _Interest, geometry: Geometry) -> bool:
    """Whether it is looked at for who may come in: a doorway, or the way by which somebody went."""
    e = geometry.entity(i.target)
    return e is not None and e.kind in (Kind.DOOR, Kind.PERSON)


def _out_for(doors: Sequence[Entity], here: Point | None) -> float:
    """Seconds for which a doorway may be out of the picture before it comes before the rest of the room: while the camera is at another that does not fit into the same picture, it is."""
    one_picture = here is None or all(apart(here, a.position, b.position) <= 2 * CENTRAL for a, b in itertools.combinations(doors, 2))
    return WAY_IN_S + (0.0 if one_picture else (len(doors) - 1) * ANOTHER_S)


def _awaited(minds: Minds, geometry: Geometry) -> dict[str, frozenset[str]]:
    """Who is out of view → where they think that something is which is not: when they come back they may go right there, and nobody sees them come in who looks at another door."""
    return {p: places for p, mind in minds.people.items() if (e := geometry.entity(p)) is not None and not e.visible
            and (places := frozenset(b.believed for b in mind.false_beliefs if b.probability >= 0.5))}


def _expected(awaited: Mapping[str, frozenset[str]], p: Entity, around: Sequence[Entity]) -> bool:
    """Whether nobody is in the room, and somebody else than ``p`` is mistaken about what is in it."""
    here = {e.id for e in around}
    return not any(e.kind is Kind.PERSON for e in around) and any(name != p.id and places & here for name, places in awaited.items())


def _round(new: Sequence[_Interest], point: Point, here: Point) -> _Interest:
    """The next of what was never looked at, or not for long, on the way on which the camera, which looks at ``point``, has turned to all of it soonest: all the way to one side, or first to
    the one and then to the other. Who is in a room with the robot may be behind it."""
    ahead = math.atan2(point[1] - here[1], point[0] - here[0])
    left = {i: (math.atan2(i.point[1] - here[1], i.point[0] - here[0]) - ahead) % math.tau for i in new}
    right = {i: (math.tau - angle) % math.tau for i, angle in left.items()}

    def longest(side: Mapping[_Interest, float], other: Mapping[_Interest, float]) -> float:
        there = max((a for a in side.values() if a <= math.pi), default=0.0)
        back = max((a for a in other.values() if a < math.pi), default=0.0)
        return min(max(side.values()), 2 * there + back)

    side = left if longest(left, right) <= longest(right, left) else right
    return replace(min(new, key=lambda i: (side[i], i.target)), passing=True)
