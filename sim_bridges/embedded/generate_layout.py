"""The rooms and doorways of a generated home: two rows of rooms, mirrored and turned at random, joined by openings where they touch."""

from __future__ import annotations

import math

import numpy as np

from sim_bridges.embedded.model import Doorway, Room

_WIDTHS = {"kitchen": (3.9, 5.4), "livingroom": (4.2, 6.2), "bedroom": (3.4, 4.6), "bathroom": (2.4, 3.2), "hallway": (1.5, 2.4),
           "office": (2.9, 3.8)}


def layout(rng: np.random.Generator) -> tuple[tuple[Room, ...], tuple[Doorway, ...] | None]:
    """Rooms of a random home and the doorways between them; None for the doorways when they cannot all be joined."""
    lower = ["kitchen", "livingroom"] + (["office"] if rng.random() < 0.25 else [])
    upper = ["bedroom", "hallway", "bathroom"] + (["bedroom"] if rng.random() < 0.3 else [])
    rng.shuffle(lower)
    rng.shuffle(upper)
    heights = rng.uniform(3.9, 5.0), rng.uniform(3.3, 4.4)
    rects: list[tuple[str, float, float, float, float]] = []
    y = 0.0
    for row, height in zip((lower, upper), heights):
        x = 0.0 if not rects else float(np.round(rng.uniform(-0.6, 0.6), 1))
        for cls in row:
            width = float(np.round(rng.uniform(*_WIDTHS[cls]), 1))
            rects.append((cls, x, y, x + width, y + height))
            x += width
        y += height
    flip, swap = rng.random() < 0.5, rng.random() < 0.5
    low_x, low_y = min(r[1] for r in rects), min(r[2] for r in rects)
    rooms, count = [], {}
    for cls, x0, y0, x1, y1 in rects:
        box = [x0 - low_x, y0 - low_y, x1 - low_x, y1 - low_y]
        if flip:
            width = max(r[3] for r in rects) - low_x
            box = [width - box[2], box[1], width - box[0], box[3]]
        if swap:
            box = [box[1], box[0], box[3], box[2]]
        count[cls] = count.get(cls, 0) + 1
        id = cls if count[cls] == 1 else f"{cls}{count[cls]}"
        rooms.append(Room(id, cls, (round(box[0], 2), round(box[1], 2)), (round(box[2], 2), round(box[3], 2))))
    return tuple(rooms), _doors(rooms, rng)


def _doors(rooms: list[Room], rng: np.random.Generator) -> tuple[Doorway, ...] | None:
    """A spanning tree of openings, kitchen and living room always joined where they touch, and some more."""
    edges = []
    for i, a in enumerate(rooms):
        for b in rooms[:i]:
            for axis in (0, 1):
                if abs(a.high[1 - axis] - b.low[1 - axis]) < 0.01 or abs(b.high[1 - axis] - a.low[1 - axis]) < 0.01:
                    low, high = max(a.low[axis], b.low[axis]), min(a.high[axis], b.high[axis])
                    if high - low > 1.5:
                        edge = a.high[1 - axis] if abs(a.high[1 - axis] - b.low[1 - axis]) < 0.01 else a.low[1 - axis]
                        private = sum(r.cls in ("bathroom", "bedroom") for r in (a, b))
                        first = {a.cls, b.cls} == {"kitchen", "livingroom"}
                        edges.append((0.0 if first else 1.0 + private + rng.random() * 0.8, a, b, axis, edge, low, high))
    parent = {r.id: r.id for r in rooms}

    def root(id: str) -> str:
        while parent[id] != id:
            id = parent[id]
        return id

    doors: list[Doorway] = []
    for weight, a, b, axis, edge, low, high in sorted(edges, key=lambda e: e[0]):
        joined = root(a.id) == root(b.id)
        if joined and (weight > 1.8 or rng.random() < 0.6):
            continue
        parent[root(a.id)] = root(b.id)
        width = float(rng.choice([0.9, 1.0, 1.1]))
        at = float(np.round(rng.uniform(low + width / 2 + 0.15, high - width / 2 - 0.15), 2))
        private = a.cls in ("bathroom", "bedroom") or b.cls in ("bathroom", "bedroom")
        center = (at, edge) if axis == 0 else (edge, at)
        doors.append(Doorway(f"door_{len(doors) + 1}", (a.id, b.id), center, width, math.pi / 2 if axis == 0 else 0.0,
                             bool(private and rng.random() < 0.7), bool(rng.random() < 0.6)))
    return tuple(doors) if len({root(r.id) for r in rooms}) == 1 else None
