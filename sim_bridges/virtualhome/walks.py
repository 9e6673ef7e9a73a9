"""Walking in stepping mode: strides of a metre, and where people are between two of them.

A script's ``walk`` puts a character at its goal at once, and whoever watches by pictures sees somebody vanish here and turn up there. So a long walk is
run as ``walktowards`` lines, each a metre along the simulator's own path, and the ``walk`` itself only for the last bit, which also turns the character
to its goal. While the world's clock runs to the next line, characters are shown on the way (``move_character``).
Invariant: before any script line runs, everybody is where the simulator's last line left them.
"""

from __future__ import annotations

import math
import re

from household.classes import Kind
from household.scene_graph import SceneGraph
from sim_bridges import unity
from sim_bridges.errors import BridgeError, ConnectionLost
from sim_bridges.virtualhome.client import VirtualHomeClient
from sim_bridges.virtualhome.names import NameMap

LAST_BIT = 0.9  # metres from the goal's side (a room's middle) from which on the walk is made in one
HELD_UP = 0.3  # metres: a stride shorter than this led nowhere
MOST = 40  # strides of one walk
JUMP = 3.0  # metres; more than that was no walking
_WALK = re.compile(r"\[(?:walk|run)\] <[^<>]+> \((\d+)\)")


class Walks:
    """Of the characters of one scene."""

    def __init__(self, client: VirtualHomeClient, names: NameMap):
        self._client, self._names = client, names
        self._strides: dict[str, int] = {}  # walker → strides of this walk so far
        self._held_up: set[str] = set()
        self._ways: dict[str, tuple[tuple, tuple]] = {}  # who is under way → from where to where, map
        self._shown = 1.0

    def line(self, index: int, line: str, scene: SceneGraph) -> str:
        """What to run now of a character's ``line``: itself, or one stride of it."""
        walk, walker = _WALK.search(line), self._names.characters[index]
        goal = scene.entities.get(self._names.entity(int(walk[1])) or "") if walk else None
        here = scene.entities.get(walker)
        if goal is None or here is None or walker in self._held_up or self._strides.get(walker, 0) >= MOST or _gap(here, goal) <= LAST_BIT:
            self._strides.pop(walker, None)
            self._held_up.discard(walker)
            return line
        self._strides[walker] = self._strides.get(walker, 0) + 1
        return line.replace("[walk]", "[walktowards]").replace("[run]", "[walktowards]")

    def ran(self, before: SceneGraph, after: SceneGraph) -> None:
        """After a line of everybody's: who is under way now, from where to where."""
        self._ways, self._shown = {}, 1.0
        for walker in self._names.characters:
            if walker in before.entities and walker in after.entities:
                start, end = before.entities[walker].position, after.entities[walker].position
                length = math.dist(start[:2], end[:2])
                if 0.05 < length <= JUMP:
                    self._ways[walker] = start, end
                if walker in self._strides and length < HELD_UP:
                    self._held_up.add(walker)

    def show(self, share: float) -> bool:
        """Put everybody under way at ``share`` (0 to 1) of it; whether anybody moved. Raises ConnectionLost."""
        share = min(1.0, share)
        if not self._ways or share == self._shown:
            return False
        for walker, (start, end) in self._ways.items():
            at = [a + share * (b - a) for a, b in zip(start, end)]
            try:
                self._client.move_character(self._names.character(walker), unity.point_to_unity(at))
            except ConnectionLost:
                raise
            except BridgeError:  # no floor there: they stay where they are shown until the next point
                continue
        self._shown = share
        return True


def _gap(here, goal) -> float:
    distance = math.dist(here.position[:2], goal.position[:2])
    return distance if goal.kind is Kind.ROOM else max(0.0, distance - max(goal.extents[:2]) / 2)
