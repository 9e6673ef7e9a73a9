"""Where bodies of a given width can go: a clearance grid, shortest walks on it, and the spots from which furniture is used.

Clearance is computed from the exact geometry (walls with their thickness, turned footprints), the grid only samples it: a 0.9 m doorway
then lets a 0.6 m wide wheelchair through and stops a pushed suitcase from being walked over. Doors with a leaf count as passable: who
walks opens them. One :class:`NavMap` serves all bodies of a home; obstacles that moved are an argument, so the map itself never changes.
Invariant: every point of a returned path has at least the body's radius of clearance, except next to its own start.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from household import classes
from household.classes import Kind
from sim_bridges.embedded.fittings import fitting
from sim_bridges.embedded.geometry import WALL_THICKNESS, room_at, to_map, turn, wall_segments
from sim_bridges.embedded.model import Furniture, Home, Vec2, Vec3

RESOLUTION = 0.1  # metres per cell
PERSON_RADIUS, WHEELCHAIR_RADIUS, ROBOT_RADIUS = 0.22, 0.33, 0.26
_LOW = 1.2  # what starts above this is walked under
_COMFORT = 0.40  # metres of clearance beyond which a way is not made longer
_SHIFTS, _ASIDE = (0.0, 0.25, -0.25), (0.5, -0.5, 0.75, -0.75)  # m from the middle of a side, usually and when somebody stands there
_BEYOND = 0.3  # m past its corner from which it is used then
_CACHE = 48
Moved = Mapping[str, tuple[Vec3, float]]  # obstacles no longer where the home file put them
Disc = tuple[float, float, float]  # x, y, radius of somebody standing in the way


class NavMap:
    """Walking distances and paths in one home."""

    _of: OrderedDict[tuple, "NavMap"] = OrderedDict()

    @classmethod
    def of(cls, home: Home) -> "NavMap":
        """The map of this home, made once for all homes with the same rooms and furniture."""
        key = (home.rooms, home.doorways, home.furniture)
        return cls._of[key] if key in cls._of else _remember(cls._of, key, cls(home), 4)

    def __init__(self, home: Home):
        self.home = home
        low = np.min([r.low for r in home.rooms], axis=0)
        high = np.max([r.high for r in home.rooms], axis=0)
        self.shape = tuple(int(math.ceil((high[i] - low[i]) / RESOLUTION)) for i in (0, 1))
        self.origin = (float(low[0]) + RESOLUTION / 2, float(low[1]) + RESOLUTION / 2)
        ix, iy = np.meshgrid(np.arange(self.shape[0]), np.arange(self.shape[1]), indexing="ij")
        self._x, self._y = self.origin[0] + ix * RESOLUTION, self.origin[1] + iy * RESOLUTION
        blocking = [f for f in home.furniture if f.position[2] < _LOW]
        self._loose = [f for f in blocking if classes.get(f.cls).kind is Kind.OBSTACLE]
        fixed = _wall_distance(self._x, self._y, wall_segments(home))
        fixed[~self._indoors()] = -1.0
        for item in blocking:
            if item not in self._loose:
                fixed = np.minimum(fixed, _box_distance(self._x, self._y, item, item.position, item.yaw))
        self._fixed = fixed
        self._clearance: OrderedDict[tuple, np.ndarray] = OrderedDict()
        self._graphs: OrderedDict[tuple, tuple[csr_matrix, np.ndarray, np.ndarray]] = OrderedDict()
        self._approaches: OrderedDict[tuple, tuple[Vec2, ...]] = OrderedDict()

    def clearance(self, moved: Moved | None = None) -> np.ndarray:
        """Metres from each cell centre to the nearest wall, piece or obstacle; float64 (nx, ny), negative inside them."""
        key = self._layout(moved)
        if key not in self._clearance:
            field = self._fixed
            for item in self._loose:
                position, yaw = (moved or {}).get(item.id, (item.position, item.yaw))
                field = np.minimum(field, _box_distance(self._x, self._y, item, position, yaw))
            _remember(self._clearance, key, field)
        return self._clearance[key]

    def free(self, point: Vec2, radius: float, moved: Moved | None = None) -> bool:
        cell = self._cell(point)
        return cell is not None and bool(self.clearance(moved)[cell] >= radius)

    def nearest_free(self, point: Vec2, radius: float, moved: Moved | None = None, within: float = 0.9,
                     others: Sequence[Vec2] = (), apart: float = 0.0) -> Vec2 | None:
        """The point itself when free, else the closest free cell centre, else None. Nearer than ``apart`` metres to any of ``others`` nothing is free."""
        if self.free(point, radius, moved) and all(math.dist(point, o) >= apart for o in others):
            return point
        distance = np.hypot(self._x - point[0], self._y - point[1])
        distance[self.clearance(moved) < radius] = math.inf
        for x, y in others:
            distance[np.hypot(self._x - x, self._y - y) < apart] = math.inf
        best = int(np.argmin(distance))
        if distance.flat[best] > within:
            return None
        return (float(self._x.flat[best]), float(self._y.flat[best]))

    def path(self, start: Vec2, goal: Vec2, radius: float, moved: Moved | None = None,
             discs: Sequence[Disc] = ()) -> list[Vec2] | None:
        """Corner points of a shortest walk, without ``start``, ending at ``goal`` (or the nearest free spot); None: no way."""
        a, b = self.nearest_free(start, radius, moved), self.nearest_free(goal, radius, moved)
        if a is None or b is None:
            return None
        graph, index, cells = self._graph(radius, moved, tuple(discs))
        i, j = index[self._cell(a)], index[self._cell(b)]
        if i < 0 or j < 0:
            return None
        distance, previous = dijkstra(graph, indices=j, return_predecessors=True, min_only=False)
        if not math.isfinite(distance[i]):
            return None
        points, node = [start], int(i)
        while node != j:
            node = int(previous[node])
            points.append((float(self._x.flat[cells[node]]), float(self._y.flat[cells[node]])))
        points[-1] = b
        return self._pull(points, radius, moved, discs)

    def path_to_obstacle(self, start: Vec2, goal: Vec2, radius: float, moved: Moved | None = None) -> tuple[list[Vec2], str] | None:
        """Where only movable obstacles bar the way: the walk up to the first of them, and its id. None: no way even without them."""
        apart = {f.id: ((1e4, 1e4, f.position[2]), f.yaw) for f in self._loose}
        whole = self.path(start, goal, radius, apart)
        if whole is None or not self._loose:
            return None
        clearance, walk, here = self.clearance(moved), [], start
        for corner in whole:
            steps = max(1, int(math.dist(here, corner) / (RESOLUTION / 2)))
            for k in range(1, steps + 1):
                point = (here[0] + (corner[0] - here[0]) * k / steps, here[1] + (corner[1] - here[1]) * k / steps)
                cell = self._cell(point)
                if cell is None or (clearance[cell] < radius and self._fixed[cell] >= radius - 0.05):
                    return walk, self._nearest_loose(point, moved)
                if k % 4 == 0 or k == steps:
                    walk.append(point)
            here = corner
        return walk, self._nearest_loose(here, moved)

    def _nearest_loose(self, point: Vec2, moved: Moved | None) -> str:
        where = {f.id: (moved or {}).get(f.id, (f.position, f.yaw))[0][:2] for f in self._loose}
        return min(where, key=lambda id: math.dist(where[id], point))

    def distances(self, start: Vec2, radius: float, moved: Moved | None = None, discs: Sequence[Disc] = ()) -> "Distances":
        """Walking distance from ``start`` to everywhere, round whoever stands in the way; one search however many goals are asked for."""
        graph, index, _ = self._graph(radius, moved, tuple(discs))
        a = self.nearest_free(start, radius, moved)
        i = -1 if a is None else index[self._cell(a)]
        metres = np.full(graph.shape[0], math.inf) if i < 0 else dijkstra(graph, indices=i)
        return Distances(self, index, metres)

    def approaches(self, item: Furniture, radius: float, moved: Moved | None = None) -> tuple[Vec2, ...]:
        """Free spots from which ``item`` is used, best first: before its front, or round a table. Empty: none is free."""
        key = (item.id, radius, self._layout(moved))
        if key not in self._approaches:
            found = [min(spots) for spots in self._find_approaches(item, radius, moved, _SHIFTS)]
            _remember(self._approaches, key, tuple(spot for _, spot in sorted(found)), 8 * _CACHE)
        return self._approaches[key]

    def beside(self, item: Furniture, radius: float, moved: Moved | None = None) -> tuple[Vec2, ...]:
        """Further free spots to use ``item`` from, beside those of :meth:`approaches`, best first: for when somebody stands there."""
        found = [one for spots in self._find_approaches(item, radius, moved, _ASIDE) for one in spots]
        return tuple(spot for _, spot in sorted(found))

    def approach_point(self, item: Furniture, radius: float = PERSON_RADIUS, moved: Moved | None = None,
                       start: Vec2 | None = None) -> Vec2 | None:
        """The best spot to use ``item`` from; with ``start`` the one with the shortest walk. None: it cannot be walked up to."""
        spots = self.approaches(item, radius, moved)
        if start is None or len(spots) < 2:
            return spots[0] if spots else None
        distance = self.distances(start, radius, moved)
        best = min(spots, key=distance.to)
        return best if math.isfinite(distance.to(best)) else None

    # ---- inside ----

    def _layout(self, moved: Moved | None) -> tuple:
        return tuple(sorted((k, v) for k, v in moved.items())) if moved else ()

    def _indoors(self) -> np.ndarray:
        inside = np.zeros(self.shape, dtype=bool)
        for room in self.home.rooms:
            inside |= ((self._x >= room.low[0]) & (self._x <= room.high[0]) & (self._y >= room.low[1]) & (self._y <= room.high[1]))
        return inside

    def _cell(self, point: Vec2) -> tuple[int, int] | None:
        i = int(round((point[0] - self.origin[0]) / RESOLUTION))
        j = int(round((point[1] - self.origin[1]) / RESOLUTION))
        return (i, j) if 0 <= i < self.shape[0] and 0 <= j < self.shape[1] else None

    def _graph(self, radius: float, moved: Moved | None, discs: tuple[Disc, ...]):
        """Sparse 8-neighbour graph over free cells, cell → node index (-1: not free), node → flat cell."""
        key = (radius, self._layout(moved), discs)
        if key in self._graphs:
            self._graphs.move_to_end(key)
            return self._graphs[key]
        clearance = self.clearance(moved)
        for x, y, r in discs:
            clearance = np.minimum(clearance, np.hypot(self._x - x, self._y - y) - r)
        free = clearance >= radius
        cells = np.flatnonzero(free)
        index = np.full(self.shape, -1, dtype=np.int64)
        index.flat[cells] = np.arange(cells.size)
        tight = 1.0 + 1.5 * np.clip(1.0 - (clearance - radius) / _COMFORT, 0.0, 1.0)
        rows, columns, weights = [], [], []
        for di, dj in ((1, 0), (0, 1), (1, 1), (1, -1)):
            here = index[: index.shape[0] - di, max(0, -dj): index.shape[1] - max(0, dj)]
            there = index[di:, max(0, dj): index.shape[1] + min(0, dj)]
            cost_here = tight[: index.shape[0] - di, max(0, -dj): index.shape[1] - max(0, dj)]
            cost_there = tight[di:, max(0, dj): index.shape[1] + min(0, dj)]
            both = (here >= 0) & (there >= 0)
            rows.append(here[both])
            columns.append(there[both])
            weights.append((RESOLUTION * math.hypot(di, dj) * (cost_here + cost_there) / 2)[both])
        a, b, w = (np.concatenate(v) for v in (rows, columns, weights))
        graph = csr_matrix((np.concatenate([w, w]), (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(cells.size,) * 2)
        return _remember(self._graphs, key, (graph, index, cells))

    def _pull(self, points: list[Vec2], radius: float, moved: Moved | None, discs: Sequence[Disc]) -> list[Vec2]:
        """The same walk with the grid's zigzag pulled straight wherever the straight line stays clear."""
        clearance = self.clearance(moved)
        for x, y, r in discs:
            clearance = np.minimum(clearance, np.hypot(self._x - x, self._y - y) - r)

        def clear(a: Vec2, b: Vec2) -> bool:
            steps = max(2, int(math.hypot(b[0] - a[0], b[1] - a[1]) / (RESOLUTION / 2)) + 1)
            t = np.linspace(0.0, 1.0, steps)
            i = np.rint((a[0] + t * (b[0] - a[0]) - self.origin[0]) / RESOLUTION).astype(int)
            j = np.rint((a[1] + t * (b[1] - a[1]) - self.origin[1]) / RESOLUTION).astype(int)
            return bool((clearance[i, j] >= radius + 0.02).all())

        result, at = [], 0
        while at < len(points) - 1:
            reach = at + 1
            step = len(points) - 1 - at
            while step >= 1:  # bisection: line of sight is nearly monotone along a shortest path
                if at + step > reach and clear(points[at], points[at + step]):
                    reach = at + step
                    break
                step = step // 2 if step > 8 else step - 1
            result.append(points[reach])
            at = reach
        return result or [points[-1]]

    def _find_approaches(self, item: Furniture, radius: float, moved: Moved | None, shifts: Sequence[float]) -> list[list[tuple[float, Vec2]]]:
        """For each side that has any, (worse, spot) at the nearest distance with one; ``shifts`` m to the side."""
        depth, width, loose = item.size[1], item.size[0], classes.get(item.cls).kind is Kind.OBSTACLE
        sides = [(0.0, depth, width)]
        if fitting(item.cls).from_any_side or loose:
            sides += [(math.pi / 2, width, depth), (math.pi, depth, width), (-math.pi / 2, width, depth)]
        own = next((r for r in self.home.rooms if r.id == item.room), None)
        found: list[list[tuple[float, Vec2]]] = []
        for n, (angle, across, along) in enumerate(sides):
            for gap in (0.38, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95):
                spots = []
                for shift in shifts:
                    if abs(shift) > along / 2 + (shifts is _ASIDE) * _BEYOND:
                        continue
                    local = turn((across / 2 + gap, shift), angle)
                    spot = to_map(item, (*local, 0.0))[:2]
                    if (loose or room_at(self.home, spot) is own) and self.free(spot, radius, moved):
                        spots.append((n + gap + abs(shift), (round(spot[0], 3), round(spot[1], 3))))
                if spots:
                    found.append(spots)
                    break
        return found


class Distances:
    """Walking distances in metres (lengthened a little in tight places) from one start."""

    def __init__(self, nav: NavMap, index: np.ndarray, metres: np.ndarray):
        self._nav, self._index, self._metres = nav, index, metres

    def to(self, point: Vec2) -> float:
        """Metres; inf where there is no way."""
        cell = self._nav._cell(point)
        node = -1 if cell is None else self._index[cell]
        return math.inf if node < 0 else float(self._metres[node])

    def nearest(self, point: Vec2, within: float) -> Vec2 | None:
        """The point itself where there is a way to it, else the middle of the cell nearest to it that there is a way to, else None."""
        if math.isfinite(self.to(point)):
            return point
        off = np.hypot(self._nav._x - point[0], self._nav._y - point[1])
        off[(self._index < 0) | ~np.isfinite(self._metres[self._index])] = math.inf
        best = int(np.argmin(off))
        return (float(self._nav._x.flat[best]), float(self._nav._y.flat[best])) if off.flat[best] <= within else None


def _remember(cache: OrderedDict, key, value, bound: int = _CACHE):
    cache[key] = value
    while len(cache) > bound:
        cache.popitem(last=False)
    return value


def _wall_distance(x: np.ndarray, y: np.ndarray, segments: np.ndarray) -> np.ndarray:
    result = np.full(x.shape, 9.0)
    for x0, y0, x1, y1 in segments:
        length = max(1e-9, (x1 - x0) ** 2 + (y1 - y0) ** 2)
        t = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length, 0.0, 1.0)
        result = np.minimum(result, np.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)) - WALL_THICKNESS / 2)
    return result


def _box_distance(x: np.ndarray, y: np.ndarray, item: Furniture, position: Vec3, yaw: float) -> np.ndarray:
    c, s = math.cos(yaw), math.sin(yaw)
    dx, dy = x - position[0], y - position[1]
    qx, qy = np.abs(c * dx + s * dy) - item.size[1] / 2, np.abs(-s * dx + c * dy) - item.size[0] / 2
    return np.hypot(np.maximum(qx, 0.0), np.maximum(qy, 0.0)) + np.minimum(np.maximum(qx, qy), 0.0)
