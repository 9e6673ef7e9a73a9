"""Where things can be and what it costs a given person to get there: the geometry that policies see.

Two descriptions of a home end here: a scene graph with positions in metres and a text that only names places and rooms. Policies
read nothing but effort in nats, so the same policy runs on both. Invariant: ``effort`` is symmetric, zero on its diagonal, obeys the
triangle inequality up to the constant cost of crossing a doorway, and its last row and column (ELSEWHERE) are never used as a distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import networkx as nx
import numpy as np

from household.scene_graph import ELSEWHERE
from mind.config import MindConfig


@dataclass(frozen=True)
class PersonCosts:
    """How one person's body changes effort; data, not code. Factors multiply, ``reach`` is the highest point a hand gets to (metres).

    ``too_high``: nats added for a site above reach (a chair has to be fetched, or somebody asked).
    """

    walk: float = 1.0
    doorway: float = 1.0
    open: float = 1.0
    reach: float = 2.1
    too_high: float = 3.0

    def __post_init__(self) -> None:
        for name in ("walk", "doorway", "open", "too_high"):
            if not 0 <= getattr(self, name) <= 100:
                raise ValueError(f"PersonCosts.{name} = {getattr(self, name)!r}: must be in [0, 100]")
        if not 0.3 <= self.reach <= 3:
            raise ValueError(f"PersonCosts.reach = {self.reach!r}: must be in [0.3, 3] metres")


ADULT = PersonCosts()
WHEELCHAIR = PersonCosts(walk=1.3, doorway=1.5, open=2.0, reach=1.3)
CHILD = PersonCosts(walk=1.0, open=1.3, reach=1.2)


@dataclass(frozen=True)
class Site:
    """One thing that can be walked to or hold objects. ``room``: id of its room, None when not known; a room's own is itself. ``size`` of a room along
    x and y, metres: one is in it, wherever in it one is."""

    id: str
    room: str | None
    opens: bool = False
    is_room: bool = False
    holds_objects: bool = True
    position: tuple[float, float] | None = None
    height: float = 0.0  # of its lowest usable level, metres
    size: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Layout:
    """Sites as arrays. n sites, the last of which is ELSEWHERE.

    ``ids``: n names; ``index``: the inverse. ``room`` int (n,): index of the site's room site, -1 unknown. ``opens``, ``is_room``,
    ``holds`` bool (n,). ``effort`` float64 (n, n), nats, for a person of average body (see :func:`for_person`).
    ``open_effort`` (n,): of opening it, or of getting at it when too high. ``detours`` bool (q, z): q is a place, and not z.
    ``walk``, ``doorways`` float64 (n, n): its two parts, metres times metre cost, and doorway crossings times room cost.
    """

    ids: tuple[str, ...]
    room: np.ndarray
    opens: np.ndarray
    is_room: np.ndarray
    holds: np.ndarray
    height: np.ndarray
    walk: np.ndarray
    doorways: np.ndarray
    effort: np.ndarray
    open_effort: np.ndarray
    detours: np.ndarray
    index: Mapping[str, int] = field(default_factory=dict)

    @property
    def elsewhere(self) -> int:
        return len(self.ids) - 1

    def in_room(self, room: int) -> np.ndarray:
        """Bool (n,): the sites of this room, the room itself among them."""
        return self.room == room


def build(sites: Iterable[Site], config: MindConfig, *, adjacent: Iterable[tuple[str, str]] = (),
          distances: Mapping[tuple[str, str], float] | None = None) -> Layout:
    """Sites → Layout. ``adjacent``: pairs of rooms with a doorway; when empty every two rooms are one doorway apart.

    ``distances``: metres between pairs of sites, overriding positions. Raises ValueError for two sites of one id.
    """
    sites = list(sites) + [Site(ELSEWHERE, None)]
    ids = tuple(s.id for s in sites)
    index = {name: i for i, name in enumerate(ids)}
    if len(index) != len(ids):
        raise ValueError(f"two sites are called '{next(i for i in ids if ids.count(i) > 1)}'")
    n = len(ids)
    room = np.array([index.get(s.room, -1) if s.room is not None else -1 for s in sites])
    crossings = _crossings(room, [s.is_room for s in sites], ids, index, adjacent)
    walk = config.metre_cost * _metres(sites, room, crossings, index, distances or {}, config)
    doorways = config.room_walk_cost * crossings
    opens = np.array([s.opens for s in sites])
    layout = Layout(ids, room, opens, np.array([s.is_room for s in sites]),
                    np.array([s.holds_objects for s in sites]), np.array([s.height for s in sites], dtype=float), walk, doorways,
                    np.zeros((n, n)), np.zeros(n), ~np.array([s.is_room for s in sites])[:, None] & ~np.eye(n, dtype=bool), index)
    return for_person(layout, ADULT, config)


def for_person(layout: Layout, costs: PersonCosts, config: MindConfig) -> Layout:
    """The same home with this person's efforts (metres, doorways, opening, things out of reach)."""
    effort = costs.walk * layout.walk + costs.doorway * layout.doorways
    handling = costs.open * config.open_cost * layout.opens + np.where(layout.height > costs.reach, costs.too_high, 0.0)
    for array in (effort, handling):
        array.flags.writeable = False
    return replace(layout, effort=effort, open_effort=handling)


def _crossings(room: np.ndarray, is_room: list[bool], ids, index, adjacent) -> np.ndarray:
    """Doorways on the shortest way between the rooms of two sites, float (n, n)."""
    n = len(ids)
    between = (room[:, None] != room[None, :]).astype(float)
    known = nx.Graph((a, b) for a, b in adjacent if a in index and b in index)
    if known:
        rooms = [i for i in range(n) if is_room[i]]
        hops = dict(nx.all_pairs_shortest_path_length(known))
        table = np.ones((n + 1, n + 1))
        for a in rooms:
            for b in rooms:
                table[a, b] = 0 if a == b else hops.get(ids[a], {}).get(ids[b], 1)
        between = table[room[:, None], room[None, :]]
        np.fill_diagonal(between, 0.0)
    between[n - 1, :] = between[:, n - 1] = 1.0
    between[n - 1, n - 1] = 0.0
    return between


def _metres(sites: list[Site], room: np.ndarray, crossings, index, distances, config: MindConfig) -> np.ndarray:
    n = len(sites)
    metres = np.where(crossings > 0, config.typical_room_distance, config.typical_distance)
    placed = np.array([i for i, s in enumerate(sites) if s.position is not None], dtype=int)
    if placed.size:
        xy = np.array([sites[i].position for i in placed], dtype=float)
        half = 0.5 * np.array([sites[i].size for i in placed], dtype=float)
        gap = np.maximum(np.abs(xy[:, None] - xy[None]) - half[:, None] - half[None], 0.0)
        metres[np.ix_(placed, placed)] = np.linalg.norm(gap, axis=-1)
    for (a, b), d in distances.items():
        if a in index and b in index:
            metres[index[a], index[b]] = metres[index[b], index[a]] = d
    if not placed.size:  # a room as such is where its door is: no metres inside it
        rooms = np.array([s.is_room for s in sites])
        metres[rooms, :] = np.where(room[rooms][:, None] == room[None, :], 0.0, metres[rooms, :])
        metres[:, rooms] = metres[rooms, :].T
    np.fill_diagonal(metres, 0.0)
    return metres
