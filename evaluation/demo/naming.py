"""Which true person, thing or piece of furniture an id of the stack stands for: for judging and reading a recording, never for the robot.

The stack numbers what it sees in its own order (``person_2``, ``apple_3``); the simulator has names. In every frame what the graph shows as
visible is paired with what truly stood there: same class, nearest first, one to one; then by the other names that the robot says it may as well have. An id stands for the one it was paired with in most of its
last ``VOTES`` sightings up to the moment asked for: a body passing in front changes nothing, a track that went over to somebody else does.
Invariant: an id that was seen and paired with nothing stands for nothing, however its name reads.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from evaluation.demo.recording import Recording
from household.classes import Kind
from household.scene_graph import ROBOT, Entity, SceneGraph
from planner.acts import HelpAct

VOTES = 5  # sightings
PERSON_M, THING_M, PIECE_M = 0.6, 0.5, 0.9  # farther apart they are not the same; furniture is seen from one side at first
_FIXED = (Kind.ROOM, Kind.ROBOT)


@dataclass
class TrueNames:
    """``known`` False: the recording does not say where things were; then every id is taken for the simulator's own."""

    known: bool = False
    _sightings: dict[str, list[tuple[float, str | None]]] = field(default_factory=dict)
    _unseen: set[str] = field(default_factory=set)  # names both have, of what the graph never showed

    def of(self, name: str | None, stamp: float) -> str | None:
        """The simulator's name; None for what does not exist. Rooms and the robot are called the same by both."""
        if not self.known or name is None or name == ROBOT:
            return name
        seen = self._sightings.get(name)
        if seen is None:
            return name if name in self._unseen else None
        before = [true for when, true in seen if when <= stamp + 1e-6] or [seen[0][1]]
        recent = before[-VOTES:]
        return max(Counter(reversed(recent)).items(), key=lambda kv: kv[1])[0]

    def act(self, act: HelpAct, stamp: float) -> HelpAct | None:
        """The same act in the simulator's names; None when the person or thing it is about does not exist."""
        person, thing = self.of(act.person, stamp), self.of(act.object, stamp)
        if (person is None) != (act.person is None) or (thing is None) != (act.object is None):
            return None
        place = self.of(act.place, stamp) or act.place
        fact = act.fact and replace(act.fact, object=self.of(act.fact.object, stamp) or act.fact.object, place=self.of(act.fact.place, stamp))
        return replace(act, person=person, object=thing, place=place, fact=fact)

    def legend(self, names: Iterable[str], stamp: float) -> str:
        """``person_1 is alice, apple_2 is nothing``: what differs."""
        pairs = [(n, self.of(n, stamp)) for n in sorted(set(names))]
        return ", ".join(f"{n} is {true or 'nothing'}" for n, true in pairs if true != n)


def true_names(rec: Recording) -> TrueNames:
    """Of a recording with the simulator's truth; with ids as they are where that does not say who and what was where."""
    frames = {round(f["stamp"], 3): f["where"] for f in rec.truth if "where" in f}
    if not frames or not rec.graphs:
        return TrueNames()
    names = TrueNames(True)
    for graph in rec.graphs:
        where = frames.get(round(graph.stamp, 3))
        if where is None:
            continue
        shown = [e for e in graph.entities.values() if e.visible and e.kind not in _FIXED]
        paired = pair(shown, where)
        for e in shown:
            names._sightings.setdefault(e.id, []).append((graph.stamp, paired.get(e.id)))
        names._unseen |= {e.id for e in graph.entities.values() if e.kind in _FIXED or e.id in where}
    return names


def pair(entities: Iterable[Entity], where: dict) -> dict[str, str]:
    """Graph id → true id. ``where``: true id → (class, x, y, z), m."""
    true: dict[str, list[tuple[str, tuple]]] = {}
    for name, (cls, *position) in where.items():
        true.setdefault(cls, []).append((name, tuple(position)))
    options = sorted((rank, d, e.id, name) for e in entities for rank, cls in enumerate((e.cls, *e.other_names)) for name, position in true.get(cls, ())
                     if (d := _distance(e, position)) <= _limit(e))
    found: dict[str, str] = {}
    for _, _, mine, theirs in options:
        if mine not in found and theirs not in found.values():
            found[mine] = theirs
    return found


def _distance(e: Entity, position: tuple) -> float:
    """People by where they stand: their height in the graph is that of the feet or of the middle."""
    return math.dist(e.position[:2], position[:2]) if e.kind is Kind.PERSON else math.dist(e.position, position)


def _limit(e: Entity) -> float:
    return PERSON_M if e.kind is Kind.PERSON else THING_M if e.kind is Kind.OBJECT else PIECE_M

