"""True lines of sight: who can see what at this moment, through walls, shut doors, furniture and lids.

A viewer sees a thing when it lies in the field of view and in range, and one of a few points on it is joined to the eye by a segment
that no wall, shut door leaf, standing box or body cuts. What is inside a shut container is seen by nobody; an open one shows its
inside only to eyes before its front (above it, for a lid). A thing is seen from afar, but that it is *missing* shows only from nearby
(NOTICE). People have ±75° about where the head points (the span in which people notice events, less than the 190° they detect light
in) and ±55° above and below where the head is tilted; the robot has its camera's. In the dark nobody sees farther than 2 m.

This is ground truth for the simulated people and for the symbolic observer; the stack's own visibility model is elsewhere and shares
nothing with it. All viewers are tested in one vectorised pass (about 1,000 segments against 60 boxes and walls, under a millisecond).
Invariant: ``inspected`` holds a place only if every thing that is really there is in ``sees``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from household.scene_graph import ROBOT, Posture
from sim_bridges.embedded.fittings import Opening, fitting
from sim_bridges.embedded.geometry import contains, placed, wall_segments
from sim_bridges.embedded.model import Home, Person, Vec3, WorldState

PERSON_FOV, PERSON_VERTICAL_FOV = math.radians(150), math.radians(110)
NOTICE, ROBOT_NOTICE = 1.1, 6.0  # metres from which it is noticed that something is *not* there: an absence needs a closer look
RANGE, DARK_RANGE, DARK = 12.0, 2.0, 0.25  # metres; below DARK light the range is DARK_RANGE
WIDE_OPEN = 0.6  # openness from which the inside shows
_ASPECT = 0.75  # height over width of the robot's image
_SLABS = frozenset({"kitchentable", "diningtable", "coffeetable", "desk", "bench", "stool", "tvstand", "nightstand"})
_THIN = frozenset({"chair", "lamp", "faucet", "sink", "coffeemaker", "toilet", "basket", "box", "wheelchair"})  # hide nothing


@dataclass(frozen=True)
class Viewer:
    """``eye``: map point. ``yaw``/``pitch``: where it looks; ``fov``: full angles, radians, across and upright."""

    id: str
    eye: Vec3
    yaw: float
    pitch: float = 0.0
    fov: float = PERSON_FOV
    vertical_fov: float = PERSON_VERTICAL_FOV
    notice: float = NOTICE


@dataclass(frozen=True)
class Sight:
    """``sees``: ids of things, furniture and people. ``inspected``: places and rooms whose whole contents are in view."""

    sees: frozenset[str]
    inspected: frozenset[str]


def eye_height(person: Person, posture: Posture) -> float:
    if posture is Posture.SITTING:
        return 0.67 * person.height
    return person.height - 0.12 if posture is not Posture.WHEELCHAIR else max(1.1, person.height - 0.12)


def viewer_of(home: Home, state: WorldState, id: str) -> Viewer:
    """The eyes of a person, or the camera of the robot (id ROBOT)."""
    if id == ROBOT:
        body, spec = state.robot, home.robot
        wide = math.radians(spec.horizontal_fov_deg)
        high = 2 * math.atan(math.tan(wide / 2) * _ASPECT)
        return Viewer(ROBOT, (*body.position, spec.camera_height), body.yaw + body.head_yaw, body.head_pitch, wide, high, ROBOT_NOTICE)
    person = next(p for p in home.people if p.id == id)
    body = state.people[id]
    return Viewer(id, (*body.position, eye_height(person, body.posture)), body.head_yaw, body.head_pitch)


class SightMap:
    """What never changes about seeing in one home, prepared once; every query takes the state."""

    def __init__(self, home: Home):
        self.home = home
        self._walls = wall_segments(home)
        self._leaves = [d for d in home.doorways if d.leaf]
        self._pieces = list(home.furniture)
        self._column = {f.id: i for i, f in enumerate(self._pieces)}
        self._person_column = {p.id: len(self._pieces) + i for i, p in enumerate(home.people)}
        self._n_boxes = len(self._pieces) + len(home.people)
        self._hides = np.array([f.cls not in _THIN for f in self._pieces] + [True] * len(home.people))
        self._places = [f for f in self._pieces if f.heights]
        self._static_boxes = [self._box(i, f.position, f.yaw) for i, f in enumerate(self._pieces)]
        self._fixed_points, self._fixed_owner, self._fixed_kind = self._fixed_targets()

    # ---- queries ----

    def look(self, state: WorldState, viewers: list[Viewer]) -> dict[str, Sight]:
        """What each viewer sees right now."""
        points, owner, columns = self._targets(state)
        clear = self._clear(state, viewers, points, columns)
        return {v.id: self._sight(state, v, clear[i], owner) for i, v in enumerate(viewers)}

    def can_see(self, state: WorldState, viewer: Viewer, point: Vec3, ignore: str | None = None) -> bool:
        """Whether the segment from the eye to a map point is free and in view. ``ignore``: a piece or person that does not hide it."""
        column = self._column.get(ignore, self._person_column.get(ignore, -1)) if ignore else -1
        return bool(self._clear(state, [viewer], np.array([point], dtype=np.float64), np.array([column]))[0, 0])

    # ---- inside ----

    def _box(self, i: int, position: Vec3, yaw: float) -> tuple[float, ...]:
        item = self._pieces[i]
        z0, z1 = position[2], position[2] + item.size[2]
        if item.cls in _SLABS:
            z0 = z1 - 0.06
        elif item.cls in ("sofa", "bed"):
            z1 = z0 + 0.5 * item.size[2]
        return (position[0], position[1], math.cos(yaw), math.sin(yaw), item.size[1] / 2, item.size[0] / 2, z0, z1)

    def _boxes(self, state: WorldState) -> np.ndarray:
        rows = self._static_boxes
        if state.moved:
            rows = [self._box(i, *state.moved[f.id]) if f.id in state.moved else rows[i] for i, f in enumerate(self._pieces)]
        people = [(*state.people[p.id].position, 1.0, 0.0, 0.16, 0.16, 0.0, eye_height(p, state.people[p.id].posture))
                  if p.id in state.people else (1e6, 1e6, 1.0, 0.0, 0.1, 0.1, 0.0, 0.1) for p in self.home.people]
        return np.array([*rows, *people], dtype=np.float64)

    def _fixed_targets(self) -> tuple[np.ndarray, np.ndarray, list[tuple[str, str]]]:
        """Points on furniture ('self'), where its contents stand ('content') and on room floors ('floor'), each with its box column."""
        points, columns, kinds = [], [], []
        for i, item in enumerate(self._pieces):
            c, s = math.cos(item.yaw), math.sin(item.yaw)
            x, y, z = item.position
            reach = item.size[1] / 2 + 0.02
            for height in (0.35, 0.75):
                points.append((x + c * reach, y + s * reach, z + height * item.size[2]))
            points.append((x, y, z + item.size[2] + 0.02))
            columns += [i] * 3
            kinds += [(item.id, "self")] * 3
            if item.heights:
                for side in (-0.3, 0.0, 0.3):
                    level = item.heights[0] if side else item.heights[-1]
                    points.append((x - s * side * item.size[0], y + c * side * item.size[0], z + level + 0.06))
                columns += [i] * 3
                kinds += [(item.id, "content")] * 3
        for room in self.home.rooms:
            (x0, y0), (x1, y1) = room.low, room.high
            points += [(x0 + u * (x1 - x0), y0 + v * (y1 - y0), 0.5) for u in (0.25, 0.75) for v in (0.25, 0.75)]
            columns += [-1] * 4
            kinds += [(room.id, "floor")] * 4
        return np.array(points, dtype=np.float64), np.array(columns), kinds

    def _targets(self, state: WorldState) -> tuple[np.ndarray, list[tuple[str, str]], np.ndarray]:
        points, columns, owner = [], [], []
        for thing_id, thing in state.things.items():
            points.append(thing.position)
            columns.append(self._column.get(thing.at, self._person_column.get(thing.at, -1)))
            owner.append((thing_id, "thing"))
        for person in self.home.people:
            body = state.people.get(person.id)
            if body is None:
                continue
            top = eye_height(person, body.posture)
            points += [(*body.position, top), (*body.position, 0.7 * top), (*body.position, 0.45 * top)]
            columns += [self._person_column[person.id]] * 3
            owner += [(person.id, "self")] * 3
        fixed = self._fixed_points
        if state.moved:
            fixed = self._shifted(state)
        moving = np.array(points, dtype=np.float64).reshape(-1, 3)
        return np.vstack([moving, fixed]), owner + self._fixed_kind, np.concatenate([np.array(columns, dtype=int), self._fixed_owner])

    def _shifted(self, state: WorldState) -> np.ndarray:
        fixed = self._fixed_points.copy()
        for id in state.moved:
            item = self._pieces[self._column[id]]
            position, _ = placed(item, state)
            rows = self._fixed_owner == self._column[id]
            fixed[rows] += np.array(position) - np.array(item.position)
        return fixed

    def _clear(self, state: WorldState, viewers: list[Viewer], points: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """bool (viewers, points): in view, in range, and nothing between."""
        eyes = np.array([v.eye for v in viewers])
        delta = points[None] - eyes[:, None]
        flat = np.hypot(delta[..., 0], delta[..., 1])
        yaw = np.array([v.yaw for v in viewers])[:, None]
        pitch = np.array([v.pitch for v in viewers])[:, None]
        bearing = np.abs((np.arctan2(delta[..., 1], delta[..., 0]) - yaw + math.pi) % (2 * math.pi) - math.pi)
        rise = np.abs(np.arctan2(delta[..., 2], flat) - pitch)
        half = np.array([v.fov for v in viewers])[:, None] / 2
        half_up = np.array([v.vertical_fov for v in viewers])[:, None] / 2
        limit = DARK_RANGE if state.light < DARK else RANGE
        result = (bearing <= half) & (rise <= half_up) & (flat <= limit)
        rows, columns_hit = np.nonzero(result)
        if rows.size:
            skip_self = np.array([self._person_column.get(v.id, -1) for v in viewers])[rows]
            free = ~self._walled(state, eyes[rows], delta[rows, columns_hit])
            left = np.flatnonzero(free)
            free[left] = ~self._boxed(state, eyes[rows[left]], delta[rows[left], columns_hit[left]],
                                      columns[columns_hit[left]], skip_self[left])
            result[rows, columns_hit] = free
        return result

    def _walled(self, state: WorldState, eye: np.ndarray, delta: np.ndarray) -> np.ndarray:
        walls = self._walls
        shut = [d for d in self._leaves if state.openness.get(d.id, 1.0) < WIDE_OPEN]
        if shut:
            across = [(d.center[0] + s * math.sin(d.yaw) * d.width / 2, d.center[1] - s * math.cos(d.yaw) * d.width / 2)
                      for d in shut for s in (1, -1)]
            walls = np.vstack([walls, np.array(across).reshape(-1, 4)])
        px, py, dx, dy = eye[:, :1], eye[:, 1:2], delta[:, :1], delta[:, 1:2]
        wx, wy = walls[None, :, 2] - walls[None, :, 0], walls[None, :, 3] - walls[None, :, 1]
        cross = dx * wy - dy * wx
        cross = np.where(np.abs(cross) < 1e-12, 1e-12, cross)
        ax, ay = walls[None, :, 0] - px, walls[None, :, 1] - py
        t, u = (ax * wy - ay * wx) / cross, (ax * dy - ay * dx) / cross
        return ((t > 1e-6) & (t < 0.999) & (u >= 0.0) & (u <= 1.0)).any(axis=1)

    def _boxed(self, state: WorldState, eye: np.ndarray, delta: np.ndarray, own: np.ndarray, viewer: np.ndarray) -> np.ndarray:
        keep = np.flatnonzero(self._hides)
        b = self._boxes(state)[keep]
        c, s = b[None, :, 2], b[None, :, 3]
        ex, ey = eye[:, :1] - b[None, :, 0], eye[:, 1:2] - b[None, :, 1]
        enter = np.full((eye.shape[0], keep.size), -np.inf)
        leave = np.full_like(enter, np.inf)
        for origin, direction, low, high in (
                (c * ex + s * ey, c * delta[:, :1] + s * delta[:, 1:2], -b[None, :, 4], b[None, :, 4]),
                (c * ey - s * ex, c * delta[:, 1:2] - s * delta[:, :1], -b[None, :, 5], b[None, :, 5]),
                (eye[:, 2:], delta[:, 2:], b[None, :, 6], b[None, :, 7])):
            direction = np.where(np.abs(direction) < 1e-9, 1e-9, direction)
            t0, t1 = (low - origin) / direction, (high - origin) / direction
            enter = np.maximum(enter, np.minimum(t0, t1))
            leave = np.minimum(leave, np.maximum(t0, t1))
        hit = (enter < leave) & (leave > 1e-3) & (enter < 0.995)
        hit &= (keep[None] != own[:, None]) & (keep[None] != viewer[:, None])
        return hit.any(axis=1)

    def _shows_inside(self, state: WorldState, item, eye: Vec3) -> bool:
        """Whether an eye is on the open side of a container that is open; True for surfaces."""
        way = fitting(item.cls).opening
        if way is Opening.NONE:
            return True
        if state.openness.get(item.id, 0.0) < WIDE_OPEN:
            return False
        if way is Opening.LID:
            return eye[2] > item.position[2] + item.size[2]
        dx, dy = eye[0] - item.position[0], eye[1] - item.position[1]
        return math.cos(item.yaw) * dx + math.sin(item.yaw) * dy > item.size[1] / 2 + 0.05

    def _near(self, viewer: Viewer, item) -> bool:
        """Whether the whole of a piece is close enough to notice that something is missing there."""
        return math.dist(viewer.eye[:2], item.position[:2]) <= viewer.notice + min(item.size[:2]) / 2

    def _sight(self, state: WorldState, viewer: Viewer, clear: np.ndarray, owner: list[tuple[str, str]]) -> Sight:
        seen: set[str] = set()
        full: dict[str, int] = {}
        for (id, kind), free in zip(owner, clear.tolist()):
            if free:
                if kind in ("thing", "self"):
                    seen.add(id)
                else:
                    full[id] = full.get(id, 0) + 1
        for thing_id, thing in state.things.items():
            place = self._column.get(thing.at)
            if thing.at == viewer.id:
                seen.add(thing_id)
            elif place is not None and not self._shows_inside(state, self._pieces[place], viewer.eye):
                seen.discard(thing_id)
            elif thing_id in seen and thing.at in self._person_column:
                seen.add(thing.at)  # whoever's hand shows is seen
        seen.discard(viewer.id)
        whole = {f.id for f in self._places if full.get(f.id, 0) == 3 and self._near(viewer, f)
                 and self._shows_inside(state, f, viewer.eye)}
        whole |= {r.id for r in self.home.rooms if full.get(r.id, 0) >= 3 and contains(r, viewer.eye[:2])}
        whole -= {thing.at for thing_id, thing in state.things.items() if thing_id not in seen}
        return Sight(frozenset(seen), frozenset(whole))


