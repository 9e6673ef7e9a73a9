"""Where the robot's camera should look: a policy that keeps the acting people in view, smooth and without chance.

Design reason: what is not looked at is not known, so attention follows what could change beliefs: first hands that act, then somebody
walking or searching, then the doorway through which somebody left; people at rest share it with looks around the room.
Invariant: the point moves at most ``speed`` metres per second, and a target is kept for at least ``DWELL_S`` unless something more urgent
happens; the same inputs give the same points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT
from mind.output import Minds

from planner.geometry import Geometry, Point

SPEED_M_S = 3.0  # of the looked-at point through the home
DWELL_S = 1.2
RESTING = 4  # rank of people who do nothing: now and then the robot looks around, too
ACT_S = 3.0  # an act stays interesting this long
DOOR_S = 6.0  # a doorway, after somebody went through it
SCAN_S = 1.8  # per direction when looking around
SECTOR = math.radians(50)
CHEST_M = 1.0  # height at which people are looked at: head and hands stay in the picture
_HANDS = frozenset({Verb.PICK, Verb.PLACE, Verb.PUTON, Verb.PUTIN, Verb.PUTBACK, Verb.GIVE, Verb.OPEN, Verb.CLOSE, Verb.SWITCHON,
                    Verb.SWITCHOFF, Verb.REACHFOR, Verb.DROP, Verb.MOVE})


@dataclass(frozen=True)
class GazeState:
    """``point``: where it looks now, map. ``target``: entity looked at. ``since``: since when; ``rank``: how urgent (0 most)."""

    point: Point
    target: str
    since: float
    rank: int
    stamp: float


def _interest(geometry: Geometry, minds: Minds, events: tuple[HumanAction, ...], helped: str | None, moving: frozenset[str],
              now: float) -> list[tuple[int, float, str, Point]]:
    """(rank, tie-break, entity, point), most urgent first."""
    found: list[tuple[int, float, str, Point]] = []
    people = {p.id: p for p in geometry.of_kind(Kind.PERSON)}
    latest: dict[str, HumanAction] = {}
    for e in events:
        if e.actor in people and now - (e.end if e.end is not None else e.start) <= DOOR_S:
            latest[e.actor] = e
    for name, p in sorted(people.items()):
        point = (p.position[0], p.position[1], CHEST_M)
        e = latest.get(name)
        age = now - (e.end if e is not None and e.end is not None else e.start if e is not None else -math.inf)
        mind = minds.people.get(name)
        if e is not None and e.verb in _HANDS and age <= ACT_S and p.visible:
            spot = geometry.position(e.place or e.target)
            found.append((0, age, name, _between(point, spot)))
        elif not p.visible and (now - p.last_seen <= DOOR_S or (e is not None and e.verb is Verb.LEAVE)):
            found.append((3, now - p.last_seen, name, point))  # the doorway through which they went, or may come
        elif p.visible and (name == helped or name in moving or (mind is not None and mind.searching >= 0.5)):
            found.append((1, 0.0 if name == helped else 1.0 if name in moving else 2.0, name, _between(point, geometry.position(
                mind.heading if mind is not None else None))))
        elif p.visible:
            found.append((RESTING, geometry.distance(ROBOT, name), name, point))
    return sorted(found)


def _between(person: Point, spot: Point | None, share: float = 0.35) -> Point:
    """A point from which both the person and the near thing they act at stay in the picture."""
    if spot is None or math.hypot(person[0] - spot[0], person[1] - spot[1]) > 2.5:
        return person
    return tuple(a + share * (b - a) for a, b in zip(person, spot))


def _scan(geometry: Geometry, now: float) -> tuple[str, Point] | None:
    """A look around: two times out of three at a doorway of the robot's room (whoever comes, comes through one), else in
    another direction in which there is a place."""
    room, here = geometry.room_of(ROBOT), geometry.position(ROBOT) or (0.0, 0.0, 0.0)
    turn = int(now / SCAN_S)
    doors = sorted((e for e in geometry.of_kind(Kind.DOOR) if _belongs(geometry, e.position, room)), key=lambda e: e.id)
    if doors and turn % 3:
        door = doors[(turn - turn // 3) % len(doors)]
        return door.id, (door.position[0], door.position[1], CHEST_M)
    sectors: dict[int, tuple[float, str, Point]] = {}
    for e in geometry.of_kind(Kind.CONTAINER, Kind.SURFACE):
        if room is not None and geometry.room_of(e.id) != room:
            continue
        dx, dy = e.position[0] - here[0], e.position[1] - here[1]
        sector = int(math.floor((math.atan2(dy, dx) + math.pi) / SECTOR))
        entry = (math.hypot(dx, dy), e.id, (e.position[0], e.position[1], min(e.position[2], CHEST_M)))
        sectors[sector] = max(sectors.get(sector, entry), entry)
    order = sorted(sectors)
    if not order:
        return (doors[0].id, doors[0].position) if doors else None
    _, name, point = sectors[order[turn // 3 % len(order)]]
    return name, point


def _belongs(geometry: Geometry, point: Point, room: str | None) -> bool:
    """Whether a doorway lies on the edge of a room; without rooms every doorway counts."""
    e = geometry.entity(room)
    if e is None:
        return True
    return all(abs(point[i] - e.position[i]) <= e.extents[i] / 2 + 0.3 for i in (0, 1))


def step(state: GazeState | None, geometry: Geometry, minds: Minds, events: tuple[HumanAction, ...], helped: str | None,
         now: float, moving: frozenset[str] = frozenset()) -> GazeState | None:
    """The next point to look at; None while there is nothing to look at at all. ``moving``: people who walk right now."""
    interest = _interest(geometry, minds, events, helped, moving, now)
    scan = _scan(geometry, now)
    turn = int(now / SCAN_S)
    if interest and (interest[0][0] != RESTING or scan is None or turn % 3):
        resting = [i for i in interest if i[0] == interest[0][0] == RESTING]
        rank, _, target, point = resting[turn // 3 % len(resting)] if resting else interest[0]
    elif scan is not None:
        rank, (target, point) = 9, scan
    else:
        return state
    if state is None:
        return GazeState(point, target, now, rank, now)
    if target != state.target and rank >= state.rank and now - state.since < DWELL_S:
        kept = [i for i in interest if i[2] == state.target]
        if kept:
            rank, _, target, point = kept[0]
    since = state.since if target == state.target else now
    limit = SPEED_M_S * max(0.0, now - state.stamp)
    gap = math.dist(point, state.point)
    if gap > limit:
        point = tuple(a + (b - a) * limit / gap for a, b in zip(state.point, point))
    return GazeState(point, target, since, rank, now)
