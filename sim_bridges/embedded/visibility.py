"""True lines of sight: who can see what at this moment, through walls, shut doors, furniture and lids.

A viewer sees a thing when it lies in the field of view and in range, and one of a few points on it is joined to the eye by a segment
that no wall, shut door leaf, standing box or body cuts. What is inside a shut container is seen by nobody; an open one shows its
inside only to eyes before its front (above it, for a lid). A thing is seen from afar, but that it is *missing* shows only from nearby
(NOTICE). People have ±75° about where the head points (the span in which people notice events, less than the 190° they detect light
in) and ±55° above and below where the head is tilted; the robot has its camera's. In the dark nobody sees farther than 2 m.

This is ground truth for the simulated people and for the symbolic observer; the stack's own visibility model is elsewhere and shares
nothing with it. All viewers are tested in one vectorised pass (about 1,000 segments against 60 boxes and walls, under a millisecond); what
walls and furniture hide from an eye that has not moved is not worked out again.
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


@dataclass
class _Glance:
    """What walls and furniture hide from one eye as long as ``solid`` (the eye's place, shut leaves, moved furniture) is the same: for
    each of the ``points`` (n, 3), of the piece or body in ``columns`` (n,), whether it is ``known`` and, if so, ``free`` of them."""

    solid: tuple
    points: np.ndarray
    columns: np.ndarray
    known: np.ndarray
    free: np.ndarray


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
        self._places = [f for f in self._pieces if f.heights]
        self._static_boxes = np.array([self._box(i, f.position, f.yaw) for i, f in enumerate(self._pieces)]).reshape(-1, 8)
        self._hiding = np.flatnonzero([f.cls not in _THIN for f in self._pieces])
        self._glances: dict[str, _Glance] = {}  # viewer → the last one
        self._fixed_points, self._fixed_owner = self._fixed_targets()

    # ---- queries ----

    def look(self, state: WorldState, viewers: list[Viewer]) -> dict[str, Sight]:
        """What each viewer sees right now."""
        points, columns, whose = self._targets(state)
        clear = self._clear(state, viewers, points, columns, [self._glance(state, v, points, columns) for v in viewers])
        return {v.id: self._sight(state, v, clear[i], whose) for i, v in enumerate(viewers)}

    def can_see(self, state: WorldState, viewer: Viewer, point: Vec3, ignore: str | None = None) -> bool:
        """Whether the segment from the eye to a map point is free and in view. ``ignore``: a piece or person that does not hide it."""
        column = self._column.get(ignore, self._person_column.get(ignore, -1)) if ignore else -1
        return bool(self._clear(state, [viewer], np.array([point], dtype=np.float64), np.array([column]))[0, 0])

    def any_sees(self, state: WorldState, viewers: list[Viewer], points: list[Vec3]) -> bool:
        """Whether any of the points is in view of any of the viewers, nothing between."""
        if not viewers or not points:
            return False
        return bool(self._clear(state, viewers, np.array(points, dtype=np.float64), np.full(len(points), -1)).any())

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
        """(pieces, 8) as :meth:`_box` gives them."""
        if not state.moved:
            return self._static_boxes
        boxes = self._static_boxes.copy()
        for id, spot in state.moved.items():
            boxes[self._column[id]] = self._box(self._column[id], *spot)
        return boxes

    def _bodies(self, state: WorldState) -> np.ndarray:
        """(people, 8), upright boxes; who is not there stands far away."""
        rows = [(*state.people[p.id].position, 1.0, 0.0, 0.16, 0.16, 0.0, eye_height(p, state.people[p.id].posture))
                if p.id in state.people else (1e6, 1e6, 1.0, 0.0, 0.1, 0.1, 0.0, 0.1) for p in self.home.people]
        return np.array(rows, dtype=np.float64).reshape(-1, 8)

    def _fixed_targets(self) -> tuple[np.ndarray, np.ndarray]:
        """Points on furniture, where its contents stand, and on room floors, each with its box column. Which rows are whose is kept in
        ``_shell`` (pieces, 3), ``_content`` (places, 3) and ``_floor`` (rooms, 4)."""
        points, columns, shell, content, floor = [], [], [], [], []
        for i, item in enumerate(self._pieces):
            c, s = math.cos(item.yaw), math.sin(item.yaw)
            x, y, z = item.position
            reach = item.size[1] / 2 + 0.02
            shell.append(range(len(points), len(points) + 3))
            for height in (0.35, 0.75):
                points.append((x + c * reach, y + s * reach, z + height * item.size[2]))
            points.append((x, y, z + item.size[2] + 0.02))
            if item.heights:
                content.append(range(len(points), len(points) + 3))
                for side in (-0.3, 0.0, 0.3):
                    level = item.heights[0] if side else item.heights[-1]
                    points.append((x - s * side * item.size[0], y + c * side * item.size[0], z + level + 0.06))
            columns += [i] * (len(points) - len(columns))
        for room in self.home.rooms:
            (x0, y0), (x1, y1) = room.low, room.high
            floor.append(range(len(points), len(points) + 4))
            points += [(x0 + u * (x1 - x0), y0 + v * (y1 - y0), 0.5) for u in (0.25, 0.75) for v in (0.25, 0.75)]
            columns += [-1] * 4
        self._shell, self._content = (np.array(rows, dtype=int).reshape(-1, 3) for rows in (shell, content))
        self._floor = np.array(floor, dtype=int).reshape(-1, 4)
        return np.array(points, dtype=np.float64), np.array(columns)

    def _targets(self, state: WorldState) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """(points (n, 3), columns (n,), whose the first of them are): one of each thing, three of each person, then the fixed ones."""
        points, columns, whose = [], [], []
        for thing_id, thing in state.things.items():
            points.append(thing.position)
            columns.append(self._column.get(thing.at, self._person_column.get(thing.at, -1)))
            whose.append(thing_id)
        for person in self.home.people:
            body = state.people.get(person.id)
            if body is None:
                continue
            top = eye_height(person, body.posture)
            points += [(*body.position, top), (*body.position, 0.7 * top), (*body.position, 0.45 * top)]
            columns += [self._person_column[person.id]] * 3
            whose += [person.id] * 3
        fixed = self._shifted(state) if state.moved else self._fixed_points
        moving = np.array(points, dtype=np.float64).reshape(-1, 3)
        return np.vstack([moving, fixed]), np.concatenate([np.array(columns, dtype=int), self._fixed_owner]), whose

    def _shifted(self, state: WorldState) -> np.ndarray:
        fixed = self._fixed_points.copy()
        for id in state.moved:
            item = self._pieces[self._column[id]]
            position, _ = placed(item, state)
            rows = self._fixed_owner == self._column[id]
            fixed[rows] += np.array(position) - np.array(item.position)
        return fixed

    def _glance(self, state: WorldState, viewer: Viewer, points: np.ndarray, columns: np.ndarray) -> _Glance:
        """What is still known from this viewer's last look."""
        shut = tuple(d.id for d in self._leaves if state.openness.get(d.id, 1.0) < WIDE_OPEN)
        solid, last = (viewer.eye, shut, tuple(state.moved.items())), self._glances.get(viewer.id)
        if last is None or last.solid != solid or len(last.points) != len(points):
            last = self._glances[viewer.id] = _Glance(solid, points, columns, *np.zeros((2, len(points)), bool))
        else:
            last.known &= (last.points == points).all(axis=1) & (last.columns == columns)
            last.points, last.columns = points, columns
        return last

    def _clear(self, state: WorldState, viewers: list[Viewer], points: np.ndarray, columns: np.ndarray,
               glances: list[_Glance] | None = None) -> np.ndarray:
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
        asked = result if glances is None else result & ~np.array([g.known for g in glances])
        free = np.zeros_like(result) if glances is None else np.array([g.free for g in glances])
        rows, hits = np.nonzero(asked)
        if rows.size:
            free[rows, hits] = self._past_solids(state, eyes[rows], delta[rows, hits], columns[hits])
        for i, glance in enumerate(glances or ()):
            glance.free, glance.known = free[i], glance.known | asked[i]
        result &= free
        rows, hits = np.nonzero(result)
        if rows.size and self.home.people:
            people = np.arange(len(self.home.people)) + len(self._pieces)
            me = np.array([self._person_column.get(v.id, -1) for v in viewers])
            hidden = _boxed(self._bodies(state), people, eyes[rows], delta[rows, hits], columns[hits], me[rows])
            result[rows, hits] = ~hidden
        return result

    def _past_solids(self, state: WorldState, eye: np.ndarray, delta: np.ndarray, own: np.ndarray) -> np.ndarray:
        """bool (rays,): neither wall, shut leaf nor furniture between; ``own``: the column of the piece a point belongs to."""
        free = ~self._walled(state, eye, delta)
        left = np.flatnonzero(free)
        free[left] = ~_boxed(self._boxes(state)[self._hiding], self._hiding, eye[left], delta[left], own[left])
        return free

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

    def _sight(self, state: WorldState, viewer: Viewer, clear: np.ndarray, whose: list[str]) -> Sight:
        fixed = clear[len(whose):]
        seen = {whose[i] for i in np.flatnonzero(clear[:len(whose)]).tolist()}
        seen.update(self._pieces[i].id for i in np.flatnonzero(fixed[self._shell].any(axis=1)).tolist())
        for thing_id, thing in state.things.items():
            place = self._column.get(thing.at)
            if thing.at == viewer.id:
                seen.add(thing_id)
            elif thing_id not in seen:
                continue
            elif place is not None and not self._shows_inside(state, self._pieces[place], viewer.eye):
                seen.discard(thing_id)
            elif thing.at in self._person_column:
                seen.add(thing.at)  # whoever's hand shows is seen
        seen.discard(viewer.id)
        places = (self._places[i] for i in np.flatnonzero(fixed[self._content].all(axis=1)).tolist())
        whole = {f.id for f in places if self._near(viewer, f) and self._shows_inside(state, f, viewer.eye)}
        rooms = (self.home.rooms[i] for i in np.flatnonzero(fixed[self._floor].sum(axis=1) >= 3).tolist())
        whole |= {r.id for r in rooms if contains(r, viewer.eye[:2])}
        whole -= {thing.at for thing_id, thing in state.things.items() if thing_id not in seen}
        return Sight(frozenset(seen), frozenset(whole))


def _boxed(boxes: np.ndarray, columns: np.ndarray, eye: np.ndarray, delta: np.ndarray, own: np.ndarray,
           viewer: np.ndarray | None = None) -> np.ndarray:
    """bool (rays,): whether a box (k, 8) cuts the segment from ``eye`` (rays, 3) along ``delta``; a ray's ``own`` column and its
    ``viewer``'s do not count."""
    b = boxes
    c, s = b[None, :, 2], b[None, :, 3]
    ex, ey = eye[:, :1] - b[None, :, 0], eye[:, 1:2] - b[None, :, 1]
    enter = np.full((eye.shape[0], len(b)), -np.inf)
    leave = np.full_like(enter, np.inf)
    for origin, direction, low, high in (
            (c * ex + s * ey, c * delta[:, :1] + s * delta[:, 1:2], -b[None, :, 4], b[None, :, 4]),
            (c * ey - s * ex, c * delta[:, 1:2] - s * delta[:, :1], -b[None, :, 5], b[None, :, 5]),
            (eye[:, 2:], delta[:, 2:], b[None, :, 6], b[None, :, 7])):
        direction = np.where(np.abs(direction) < 1e-9, 1e-9, direction)
        t0, t1 = (low - origin) / direction, (high - origin) / direction
        enter = np.maximum(enter, np.minimum(t0, t1))
        leave = np.minimum(leave, np.maximum(t0, t1))
    hit = (enter < leave) & (leave > 1e-3) & (enter < 0.995) & (columns[None] != own[:, None])
    return (hit if viewer is None else hit & (columns[None] != viewer[:, None])).any(axis=1)
