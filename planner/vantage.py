"""Where an idle robot should stand to see what people do: a floor point of its room with the best view of hands, or None to stay.

Design reason: what hands do is told from pictures, and most of it is missed from afar, behind somebody's back or behind the open door of what they use. A view is good from
nearby and from the side of the hands, with nothing in between; the robot weighs what it sees of those who act now, of where they are going, and of the furniture where
somebody may act next, against the way there; with nobody in the room it is where the ways in are in one picture. It keeps away from people, from their way, from doorways and from where they stand to use furniture, and leaves such a place, into which it may
have been made to give way, even for a poorer view.
Invariant: a spot lies in the robot's room, off everything the graph places there; the same inputs give the same spots.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from household.actions import HumanAction, Verb
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, Openness
from mind.output import Minds

from planner.gaze import ACT_S, HANDS, LIVELY_M, Track, lively
from planner.geometry import Geometry
from planner.surroundings import belongs, looked_at, lost

RECONSIDER_S = 0.8  # how often it is weighed anew
GRID_M, REACH_M = 0.3, 5.0  # between the spots that are weighed, and the farthest of them to either side
HORIZON_S = 8.0  # a better view is worth something for so long; on the way there it is no better than here
GAIN, REGRET = 0.12, 0.06  # by how much, as a share of a perfect view of one person's hands, a spot must be better than staying, and than the one on the way to
HERE_M = 0.25  # nearer than this it has arrived
PAST_M = 1.0  # from people on its way there
CLEAR_M, APART_M, DOOR_M = 0.40, 1.3, 0.8  # from furniture, people and doorways to the middle of the robot
USED_M = 0.9  # from the side of a place at which people stand
ROOM_LEFT = 1.0, 0.7  # shares of USED_M: the latter, which is enough to get past, where a small room has no spot with the former
THERE_M, AT_WORK_M = 0.6, 2.0  # from where they stand to use it somebody is on the way still; farther from what they handle than that, they do something else
WAY_M = 0.6  # from the straight line somebody is walking on
STANDS_M, ARM_M = 0.35, 0.45  # from the edge of what it uses somebody stands; before the body the hands are
STAND_ASIDE_M, AT_EDGE_M = 0.15, 0.05  # from other furniture somebody can stand; nearer than this to a piece hands are at it
NEAR_M, FAR_M, WAY_IN_M = (1.3, 2.2), 4.5, 8.0  # best distance to hands, and where they are a few pixels; and where somebody in a doorway is too small
CLOSE_M, LEGS = (0.5, 1.2), 0.2  # from a body; from the latter on its head is in the picture, too, and the former leaves that share of the view
SIDE, BACK, FROM_BEHIND = math.radians(100), math.radians(165), 0.25  # farther round than SIDE the back hides the hands more and more, down to that share
FLANK, BESIDE_IT, BEHIND_LEAF = math.radians(60), math.radians(85), 0.35  # farther from straight before what opens than FLANK its open door hides the hands more and more, down to that share
LOOKED_AT, IN_VAIN, SECTOR = math.radians(20), 3, 3.5  # from where the camera points to what it looks at; such looks at a doorway that does not show; turns of 10° about it, seen from the doorway, from which it hardly does either
BLIND_M, IN_VAIN_ALL = 0.6, 4  # as near to where nothing shows nothing does; so many looks at furniture in vain, and none that was not, for that
STUCK_S, SHUT_M, KEPT = 3.0, 0.5, 6  # without getting any nearer to a spot, after which it is given up with what is as near to it; how many such are remembered
HIDDEN = 0.15  # of the view that is left with something in between: a door swings, an arm shows
PICTURE = math.radians(60)  # how far apart two may be to be well in the same picture
EYE_M, HANDS_M, BODY_M = 1.25, 1.0, 0.28  # height of camera and hands; radius of somebody who stands in between
ACTING, WALKING, RESTING, PLACES, DOORS, WAYS_IN = 1.0, 0.8, 0.25, 1.5, 0.5, 2.0  # what a perfect view is worth: of one person's hands, of where they go, of somebody at rest, of all furniture together, of all doorways, of these while nobody is in the room

Spot = tuple[float, float]


@dataclass(frozen=True)
class WayIn:
    """A doorway that has shown at some time. ``shows``: by the direction in which a spot is seen from it, in turns of 10°, whether it shows from there. ``looks``: how often
    the robot, at about ``at``, has looked there in vain; so often, and its open leaf, say, is before it."""

    shows: Mapping[int, bool] = field(default_factory=dict)
    looks: int = 0
    at: Spot = (0.0, 0.0)


@dataclass(frozen=True)
class Rest:
    """Where the robot stands, ``at``, since ``since``. ``vain``: how often it has looked at furniture from there and none showed, since any did."""

    at: Spot
    since: float
    vain: int = 0

    @property
    def blind(self) -> bool:
        """Whether something is right before the camera, such as the leaf of a door behind which it has come to stand."""
        return self.vain >= IN_VAIN_ALL


@dataclass(frozen=True)
class VantageState:
    """``spot``: where to stand, map; None: where it is. ``weighed``: when that was last asked, s; ``sent``: since when it goes to ``spot``. ``ways``: doorway → what is
    known of it. ``rest``: where it stands. ``blind``: where nothing showed; ``given_up``: where it did not get to."""

    spot: Spot | None
    weighed: float
    ways: Mapping[str, WayIn] = field(default_factory=dict)
    sent: float = 0.0
    rest: Rest | None = None
    blind: tuple[Spot, ...] = ()
    given_up: tuple[Spot, ...] = ()

    def to(self, spot: Spot | None) -> "VantageState":
        """The same, on the way to ``spot``."""
        return replace(self, spot=spot, sent=self.sent if spot == self.spot else self.weighed)


@dataclass(frozen=True)
class _Scene:
    """Hands to see, as arrays of N: ``hands`` and ``bodies`` (N, 2), ``weight`` (N,), ``owner``: who or what each belongs to, ``opens`` (N,): whether they
    are at what has a door, ``far`` (N,): where they are too small, m. A doorway is like hands that nobody's body hides: there the two are the same."""

    hands: np.ndarray
    bodies: np.ndarray
    weight: np.ndarray
    owner: tuple[str, ...]
    opens: np.ndarray
    far: np.ndarray


def step(state: VantageState | None, geometry: Geometry, minds: Minds, events: Sequence[HumanAction], now: float,
         tracks: Mapping[str, Track] = {}, looked: Mapping[str, float] = {}) -> VantageState:
    """Where to stand from now on. Total: without a known room or position, or one that is no number, it stays."""
    if state is not None and 0.0 <= now - state.weighed < RECONSIDER_S:
        return state
    room, here = geometry.entity(geometry.room_of(ROBOT)), geometry.position(ROBOT)
    state = replace(state, weighed=now) if state is not None else VantageState(None, now)
    if room is None or here is None or not np.isfinite((*room.position, *room.extents, *here)).all():
        return state.to(None)
    here = (here[0], here[1])
    state = _rested(replace(state, ways=_looked_at(state.ways, geometry, here)), geometry, here, now)
    people = sorted((p for p in geometry.of_kind(Kind.PERSON) if not lost(p, looked, now)), key=lambda p: p.id)
    boxes = _Boxes.around(geometry, room)
    sides = boxes.used_from(geometry, room)
    scene = _scene(geometry, sides, people, minds, events, now, tracks, room)
    for room_left in ROOM_LEFT:
        spots = _spots(here, geometry, room, boxes, sides, people, minds, events, now, room_left)
        spots = spots[~_near(spots, state.given_up, SHUT_M)]
        if len(spots):
            break
    if not len(spots) or not scene.owner:
        return state.to(None)
    before = state.spot if state.spot is not None and math.dist(state.spot, here) > HERE_M else None
    asked = np.vstack([spots, [here, before or here]])
    views = _value(asked, scene, boxes.tall(), geometry, people, state.ways) * np.where(_near(asked, state.blind, BLIND_M), HIDDEN, 1.0)
    travel = np.hypot(*(asked - here).T) / geometry.config.robot_speed
    late = np.clip(travel / HORIZON_S, 0.0, 1.0)
    leaves = not _out_of_the_way(np.array([here]), geometry, sides, people, minds, events, now, room_left)[0]
    value = late * (0.0 if leaves else views[-2]) + (1.0 - late) * views
    best = int(np.argmax(value[:-2]))
    if before is not None and _free(np.array([before]), spots) and value[best] < value[-1] + REGRET and (leaves or value[-1] > views[-2]):
        return state.to(before)
    if leaves or value[best] > views[-2] + GAIN:
        return state.to((float(asked[best, 0]), float(asked[best, 1])))
    return state.to(None)


def stay(state: VantageState | None, now: float) -> VantageState:
    """Where it is, for something else is to be done."""
    return replace(state, spot=None, weighed=now, rest=None) if state is not None else VantageState(None, now)


def _rested(state: VantageState, geometry: Geometry, here: Spot, now: float) -> VantageState:
    """With what comes of having stood here: the spot it does not get nearer to is given up, and where all furniture is looked at in vain there is nothing to be seen."""
    before = state.rest if state.rest is not None and math.dist(here, state.rest.at) <= HERE_M else None
    shows = _shows(geometry)
    rest = Rest(here, now) if before is None else replace(before, vain=0 if shows else before.vain + _before_furniture(geometry, here))
    stuck = state.spot is not None and math.dist(state.spot, here) > HERE_M and now - max(rest.since, state.sent) > STUCK_S
    given_up = (*state.given_up, state.spot)[-KEPT:] if stuck else state.given_up
    blind = (*state.blind, rest.at)[-KEPT:] if rest.blind and rest.at not in state.blind else state.blind
    blind = tuple(b for b in blind if not shows or math.dist(b, here) > HERE_M)  # what was there is gone
    return replace(state, spot=None if stuck else state.spot, rest=rest, blind=blind, given_up=given_up)


def _shows(geometry: Geometry) -> bool:
    """Whether anybody, or any furniture of the robot's room, is in its picture."""
    return any(e.visible for e in (*_pieces(geometry), *geometry.of_kind(Kind.PERSON)))


def _before_furniture(geometry: Geometry, here: Spot) -> bool:
    """Whether the camera points at any furniture of the robot's room that is not far off."""
    return bool(looked_at({}, None, geometry, {e.id: e.position for e in _pieces(geometry) if math.dist(here, e.position[:2]) < FAR_M}, 0.0))


def _pieces(geometry: Geometry) -> list[Entity]:
    return [e for e in geometry.of_kind(Kind.CONTAINER, Kind.SURFACE) if geometry.room_of(e.id) == geometry.room_of(ROBOT)]


def _near(spots: np.ndarray, others: Sequence[Spot], within: float) -> np.ndarray:
    """bool (N,): which of ``spots`` (N, 2) are within so many metres of any of the others."""
    if not others:
        return np.zeros(len(spots), bool)
    return (np.hypot(*np.moveaxis(spots[:, None] - np.array(others), -1, 0)) < within).any(axis=1)


def _looked_at(ways: Mapping[str, WayIn], geometry: Geometry, here: Spot) -> dict[str, WayIn]:
    """With this moment's look at each doorway."""
    result, robot = dict(ways), geometry.entity(ROBOT)
    for door in geometry.of_kind(Kind.DOOR):
        way, turn = result.get(door.id), int(_turns(door, np.array([here]))[0])
        if door.visible:
            known = {} if way is None or door.openness is Openness.CLOSED else way.shows  # then its leaf is before nothing
            result[door.id] = WayIn({**known, turn: True})
        elif way is not None and robot.gaze_yaw is not None and math.dist(here, door.position[:2]) < WAY_IN_M:
            off = float(_apart(math.atan2(door.position[1] - here[1], door.position[0] - here[0]), robot.gaze_yaw))
            looks = int(off < LOOKED_AT) + (way.looks if math.dist(here, way.at) < HERE_M else 0)
            result[door.id] = WayIn({**way.shows, turn: False} if looks >= IN_VAIN else way.shows, looks, here if looks <= 1 else way.at)
    return result


def _turns(door: Entity, spots: np.ndarray) -> np.ndarray:
    """int (N,): the direction of each spot (N, 2) from a doorway, in turns of 10°."""
    return np.floor(np.degrees(np.arctan2(*(spots - door.position[:2]).T[::-1])) / 10).astype(int) % 36


def _does_not_show(spots: np.ndarray, door: Entity, way: WayIn) -> np.ndarray:
    """bool (N,): from which spots (N, 2) a doorway does not show, by the nearest direction that it was looked at from."""
    known = np.array(list(way.shows))
    apart = np.abs((_turns(door, spots)[:, None] - known + 18) % 36 - 18) + 0.5 * np.array([not s for s in way.shows.values()])  # as near, it shows
    nearest = apart.argmin(axis=1)
    return (apart.min(axis=1) <= SECTOR) & ~np.array(list(way.shows.values()))[nearest]


def _free(spot: np.ndarray, spots: np.ndarray) -> bool:
    return bool((np.abs(spots - spot).max(axis=1) < 1e-6).any())


@dataclass(frozen=True)
class _Boxes:
    """K boxes that stand on the floor in and around the room, seen from above: ``centre``, ``half``, ``turn`` (cosine and sine) (K, 2), ``top`` (K,)."""

    names: tuple[str, ...]
    centre: np.ndarray
    half: np.ndarray
    turn: np.ndarray
    top: np.ndarray

    @classmethod
    def around(cls, geometry: Geometry, room: Entity) -> "_Boxes":
        found = sorted((e for e in geometry.of_kind(Kind.CONTAINER, Kind.SURFACE, Kind.DEVICE, Kind.OBSTACLE) if e.position[2] - e.extents[2] / 2 < EYE_M
                        and all(abs(e.position[i] - room.position[i]) < room.extents[i] / 2 + 1.0 for i in (0, 1))), key=lambda e: e.id)
        return cls(tuple(e.id for e in found), np.array([e.position[:2] for e in found]).reshape(-1, 2), np.array([e.extents[:2] for e in found]).reshape(-1, 2) / 2,
                   np.array([(math.cos(e.yaw), math.sin(e.yaw)) for e in found]).reshape(-1, 2), np.array([e.position[2] + e.extents[2] / 2 for e in found]))

    def off(self, points: np.ndarray) -> np.ndarray:
        """(N, K): metres from each point (N, 2) to each box; 0 in it."""
        d = points[:, None] - self.centre
        (c, s), (x, y) = self.turn.T, (d[..., 0], d[..., 1])
        return np.hypot(np.maximum(np.abs(c * x + s * y) - self.half[:, 0], 0.0), np.maximum(np.abs(c * y - s * x) - self.half[:, 1], 0.0))

    def tall(self) -> "_Boxes":
        """Those that hide hands behind them."""
        keep = self.top >= HANDS_M
        return _Boxes(tuple(n for n, k in zip(self.names, keep) if k), self.centre[keep], self.half[keep], self.turn[keep], self.top[keep])

    def used_from(self, geometry: Geometry, room: Entity) -> dict[str, np.ndarray]:
        """Where people stand before each place (2,): at the side of it that is open to the room, nearest to its middle; a place without one is left out."""
        if not self.names:
            return {}
        ahead = np.stack([self.turn, np.stack([-self.turn[:, 1], self.turn[:, 0]], axis=1)], axis=1)  # (K, 2 axes, 2)
        ahead = np.concatenate([ahead, -ahead], axis=1)
        points = self.centre[:, None] + ahead * (np.tile(self.half, 2) + STANDS_M)[:, :, None]  # (K, 4, 2)
        off = self.off(points.reshape(-1, 2)).reshape(*points.shape[:2], -1)
        off[np.arange(len(off)), :, np.arange(len(off))] = math.inf
        middle = np.array(room.position[:2])
        open_ = (off > STAND_ASIDE_M).all(axis=-1) & (np.abs(points - middle) < np.array(room.extents[:2]) / 2 - 0.2).all(axis=-1)
        away = np.where(open_, np.hypot(*np.moveaxis(points - middle, -1, 0)), math.inf)
        return {name: points[i, int(np.argmin(away[i]))] for i, name in enumerate(self.names)
                if geometry.entity(name).kind in (Kind.CONTAINER, Kind.SURFACE) and np.isfinite(away[i]).any()}


def _spots(here: Spot, geometry: Geometry, room: Entity, boxes: _Boxes, sides: Mapping[str, np.ndarray], people: Sequence[Entity], minds: Minds, events: Sequence[HumanAction],
           now: float, room_left: float) -> np.ndarray:
    """Floor points (N, 2) where the robot may stand. ``room_left``: see :data:`ROOM_LEFT`."""
    low = [max(room.position[i] - room.extents[i] / 2 + CLEAR_M, here[i] - REACH_M) for i in (0, 1)]
    high = [min(room.position[i] + room.extents[i] / 2 - CLEAR_M, here[i] + REACH_M) for i in (0, 1)]
    x, y = (np.arange(math.ceil(a / GRID_M), math.floor(b / GRID_M) + 1) * GRID_M for a, b in zip(low, high))
    spots = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    keep = (boxes.off(spots) > CLEAR_M).all(axis=1) & _out_of_the_way(spots, geometry, sides, people, minds, events, now, room_left)
    for p in people:
        keep &= np.hypot(*(spots - p.position[:2]).T) > APART_M
        keep &= _from_line(np.array(p.position[:2]), np.array(here), spots) >= min(PAST_M, 0.95 * math.dist(here, p.position[:2]))  # from near it may go away
    return spots[keep]


def _out_of_the_way(spots: np.ndarray, geometry: Geometry, sides: Mapping[str, np.ndarray], people: Sequence[Entity], minds: Minds, events: Sequence[HumanAction], now: float, room_left: float) -> np.ndarray:
    """bool (N,): which of the floor points (N, 2) are neither in a doorway nor where people stand to use furniture, nor in somebody's way to where they are going."""
    keep = np.ones(len(spots), bool)
    for side in sides.values():
        keep &= np.hypot(*(spots - side).T) > USED_M * room_left
    for e in geometry.of_kind(Kind.DOOR):
        keep &= np.hypot(*(spots - e.position[:2]).T) > DOOR_M
    for p in people:
        goal = geometry.position(_heading(p, minds, events, now))
        if goal is not None and math.dist(goal[:2], p.position[:2]) > THERE_M:
            keep &= _from_line(spots, np.array(p.position[:2]), np.array(goal[:2])) > WAY_M
    return keep


def _from_line(points: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Metres from each point to the stretch from a to b; each (N, 2) or (2,)."""
    along = np.clip(((points - a) * (b - a)).sum(axis=-1) / np.maximum(((b - a) ** 2).sum(axis=-1), 1e-9), 0.0, 1.0)[..., None]
    return np.hypot(*np.moveaxis(points - a - along * (b - a), -1, 0))


def _heading(p: Entity, minds: Minds, events: Sequence[HumanAction], now: float) -> str | None:
    """What somebody is walking to or handles, if that is known."""
    last = next((e for e in reversed(events) if e.actor == p.id), None)
    mind = minds.people.get(p.id)
    if last is not None and last.verb in HANDS and now - (last.end if last.end is not None else last.start) <= ACT_S:
        return last.place or last.target
    if last is not None and last.verb is Verb.WALKTOWARDS and last.end is None:
        walk = [e for e in events if e.actor == p.id and e.verb is Verb.WALKTOWARDS and e.start == last.start]
        return max(walk, key=lambda e: e.confidence).target
    return mind.heading if mind is not None else None


def _scene(geometry: Geometry, sides: Mapping[str, np.ndarray], people: Sequence[Entity], minds: Minds, events: Sequence[HumanAction], now: float, tracks: Mapping[str, Track],
           room: Entity) -> _Scene:
    hands, bodies, weight, owner, opens, far = [], [], [], [], [], []

    def add(name: str, body: np.ndarray, towards: np.ndarray, worth: float, place: str | None = None, hardly_seen_from: float = FAR_M) -> None:
        away = float(np.hypot(*(towards - body)))
        bodies.append(body)
        hands.append(body + (towards - body) * (min(ARM_M, away) / max(away, 1e-6)))
        weight.append(worth)
        owner.append(name)
        far.append(hardly_seen_from)
        opens.append((e := geometry.entity(place)) is not None and e.kind is Kind.CONTAINER)

    places = {name: side for name, side in sides.items() if geometry.room_of(name) == room.id}
    for name, side in places.items():
        add(name, side, np.array(geometry.position(name)[:2]), PLACES / len(places), name)
    doors = sorted((e for e in geometry.of_kind(Kind.DOOR) if belongs(geometry, e.position, room.id)), key=lambda e: e.id)
    worth = DOORS if any(geometry.room_of(p.id) == room.id for p in people) else WAYS_IN
    for door in doors:
        add(door.id, np.array(door.position[:2]), np.array(door.position[:2]), worth / len(doors), hardly_seen_from=WAY_IN_M)
    for p in people:
        if geometry.room_of(p.id) != room.id:
            continue
        at = np.array(p.position[:2])
        goal = _heading(p, minds, events, now)
        if goal in sides and math.dist(at, sides[goal]) > THERE_M:
            add(p.id, sides[goal], np.array(geometry.position(goal)[:2]), WALKING, goal)
        elif (where := geometry.position(goal)) is not None and math.dist(where[:2], at) < AT_WORK_M:
            add(p.id, at, np.array(where[:2]), ACTING, goal)
        else:
            yaw = p.gaze_yaw if p.gaze_yaw is not None else p.yaw
            active = lively(tracks.get(p.id, ()), now, LIVELY_M) or p.id in geometry.holder.values()
            add(p.id, at, at + (math.cos(yaw), math.sin(yaw)), WALKING if active else RESTING)
    return _Scene(np.array(hands).reshape(-1, 2), np.array(bodies).reshape(-1, 2), np.array(weight), tuple(owner), np.array(opens, bool), np.array(far))


def _value(spots: np.ndarray, scene: _Scene, tall: _Boxes, geometry: Geometry, people: Sequence[Entity], ways: Mapping[str, WayIn]) -> np.ndarray:
    """What is seen from each spot (N, 2), as a sum of the weights of what there is to see."""
    ray = scene.hands[None] - spots[:, None]
    distance = np.hypot(ray[..., 0], ray[..., 1])
    near = np.clip(distance / NEAR_M[0], 0.3, 1.0) * np.clip((scene.far - distance) / (scene.far - NEAR_M[1]), 0.05, 1.0)
    front, view = scene.hands - scene.bodies, spots[:, None] - scene.bodies[None]
    ahead, bearing = np.arctan2(front[:, 1], front[:, 0])[None], np.arctan2(ray[..., 1], ray[..., 0])
    turn = _apart(ahead, np.arctan2(view[..., 1], view[..., 0]))
    side = 1.0 - (1.0 - FROM_BEHIND) * np.clip((turn - SIDE) / (BACK - SIDE), 0.0, 1.0) * (front != 0.0).any(axis=1)
    side *= 1.0 - (1.0 - BEHIND_LEAF) * np.clip((_apart(ahead, bearing) - FLANK) / (BESIDE_IT - FLANK), 0.0, 1.0) * scene.opens
    hidden = _hidden(spots, scene, tall, people)
    for i, name in enumerate(scene.owner):
        if (way := ways.get(name)) is not None:
            hidden[:, i] |= _does_not_show(spots, geometry.entity(name), way)
    clear = np.where(hidden, HIDDEN, 1.0)
    whole = np.clip((np.hypot(view[..., 0], view[..., 1]) - CLOSE_M[0]) / (CLOSE_M[1] - CLOSE_M[0]), LEGS, 1.0)
    worth = scene.weight * near * side * clear * whole
    of_place = np.array([geometry.entity(o).kind is not Kind.PERSON for o in scene.owner])
    return _in_one_picture(worth[:, of_place], bearing[:, of_place]) + _in_one_picture(worth[:, ~of_place], bearing[:, ~of_place])


def _apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Between two directions, radians in [0, π]."""
    return np.abs((a - b + math.pi) % (2 * math.pi) - math.pi)


def _in_one_picture(worth: np.ndarray, bearing: np.ndarray) -> np.ndarray:
    """The most that one picture shows from each spot: of ``worth`` (N, K) at bearings (N, K), radians."""
    if not worth.shape[1]:
        return np.zeros(len(worth))
    turn = (bearing[:, None] - bearing[:, :, None] + math.pi) % (2 * math.pi) - math.pi  # (N, leftmost, other)
    return np.where((turn >= 0.0) & (turn <= PICTURE), worth[:, None], 0.0).sum(axis=2).max(axis=1)


def _hidden(spots: np.ndarray, scene: _Scene, tall: _Boxes, people: Sequence[Entity]) -> np.ndarray:
    """bool (spots, hands): whether somebody else or high furniture stands in between."""
    share = np.linspace(0.08, 0.92, 10)
    line = spots[:, None, None] + share[:, None] * (scene.hands[None, :, None] - spots[:, None, None])  # (S, N, 10, 2)
    result = np.zeros(line.shape[:2], bool)
    for p in people:
        others = np.array([o != p.id for o in scene.owner])
        result |= others & (np.hypot(line[..., 0] - p.position[0], line[..., 1] - p.position[1]) < BODY_M).any(axis=-1)
    if tall.names:
        inside = (tall.off(line.reshape(-1, 2)) <= 0.0).reshape(*line.shape[:3], -1).any(axis=2)
        result |= (inside & (tall.off(scene.hands) > AT_EDGE_M)).any(axis=-1)  # hands at or in it are not behind it
    return result
