"""What one simulated person thinks about where things are, from what they saw, did and were told. Nothing else reaches it.

One row per thing, one column per place it could be (furniture, room floors, people's hands, ELSEWHERE); every row sums to one. Sharp
on purpose: what was seen is certain until it is seen otherwise or slowly forgotten. This is the *true* belief that scoring compares
with; the stack's own model of beliefs shares no code with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from household.scene_graph import ELSEWHERE, ROBOT
from sim_bridges.embedded.model import Home

_AT_HOME, _STRAY = 1.0, 0.15  # prior weight of a place in a room where such a thing belongs, and elsewhere
_FLOOR, _GONE = 0.01, 0.02
_SCARCE = 0.05  # credence in all other places with which somebody told that it is not there has no better idea
_BELONGS: Mapping[str, frozenset[str]] = {
    "kitchen": frozenset({"apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle",
                          "juice", "milk", "beer", "mug", "coffeepot", "pudding", "pancake", "bread", "banana", "orange", "carrot", "potato",
                          "knife", "fork", "spoon", "cuttingboard", "lighter"}),
    "livingroom": frozenset({"book", "remotecontrol", "magazine", "newspaper", "candle", "chips", "wine", "toy", "pillow", "vase", "glasses",
                             "cellphone", "keys", "laptop"}),
    "bedroom": frozenset({"book", "glasses", "keys", "cellphone", "laptop", "perfume", "pillow", "toy", "pen", "notebook", "flashlight"}),
    "bathroom": frozenset({"towel", "toothbrush", "medicine", "perfume"}),
    "office": frozenset({"book", "laptop", "pen", "notebook", "glasses", "keys", "cellphone"}),
}


class Memory:
    """Beliefs of ``owner``. ``table``: float64 (things, columns)."""

    def __init__(self, home: Home, owner: str):
        self.owner = owner
        self.things = [t.id for t in home.things]
        self.places = [f.id for f in home.furniture if f.heights]
        self.columns = [*self.places, *(r.id for r in home.rooms), *(p.id for p in home.people), ROBOT, ELSEWHERE]
        self._of_room = {r.id: [f.id for f in home.furniture if f.room == r.id and f.heights] for r in home.rooms}
        self._row = {t: i for i, t in enumerate(self.things)}
        self._column = {c: i for i, c in enumerate(self.columns)}
        self.prior = self._prior(home)
        self.table = self.prior.copy()
        self.since = {t: 0.0 for t in self.things}

    def _prior(self, home: Home) -> np.ndarray:
        room_class = {r.id: r.cls for r in home.rooms}
        pieces = {f.id: f for f in home.furniture}
        table = np.zeros((len(self.things), len(self.columns)))
        for i, thing in enumerate(home.things):
            for j, column in enumerate(self.columns):
                if column in pieces:
                    belongs = thing.cls in _BELONGS.get(room_class[pieces[column].room], frozenset())
                    seat = pieces[column].cls in ("chair", "stool", "bench", "bed", "sofa")
                    table[i, j] = (_AT_HOME if belongs else _STRAY) * (0.2 if seat else 1.0)
                elif column in room_class:
                    table[i, j] = _FLOOR
            table[i, -1] = _GONE
        return table / table.sum(axis=1, keepdims=True)

    def p(self, thing: str, place: str) -> float:
        return float(self.table[self._row[thing], self._column[place]])

    def best(self, thing: str) -> tuple[str, float]:
        row = self.table[self._row[thing]]
        j = int(np.argmax(row))
        return self.columns[j], float(row[j])

    def row(self, thing: str, least: float = 0.005) -> dict[str, float]:
        """place → probability, small ones gathered in ELSEWHERE; sums to one."""
        row = self.table[self._row[thing]]
        result = {c: round(float(v), 4) for c, v in zip(self.columns, row) if v >= least and c != ELSEWHERE}
        rest = 1.0 - sum(result.values())
        return {**result, ELSEWHERE: round(rest, 4)} if rest > 1e-4 else result

    def entropy(self, thing: str) -> float:
        """Nats."""
        row = self.table[self._row[thing]]
        row = row[row > 0]
        return float(-(row * np.log(row)).sum())

    def know(self, thing: str, place: str, now: float = 0.0) -> None:
        """It is there, for sure."""
        i = self._row[thing]
        if self.table[i, self._column[place]] < 1.0:
            self.table[i] = 0.0
            self.table[i, self._column[place]] = 1.0
            self.since[thing] = now

    def see(self, seen: Mapping[str, str], inspected: Iterable[str], people: Collection[str], now: float) -> None:
        """One glance. ``seen``: thing → where it is seen; ``inspected``: places whose contents are all in view; ``people`` in view."""
        for thing, place in seen.items():
            self.know(thing, place, now)
        empty = [self._column[c] for c in (*inspected, *people, self.owner) if c in self._column]
        unseen = [i for i, t in enumerate(self.things) if t not in seen]
        if not empty or not unseen:
            return
        rows = np.array(unseen)
        lost = self.table[np.ix_(rows, empty)].sum(axis=1)
        for i in rows[lost > 0.0]:
            self._rule_out(int(i), empty, now)

    def doubt(self, thing: str, place: str, now: float, factor: float = 0.1) -> None:
        """Looked, as well as one could, and did not find it there."""
        i, j = self._row[thing], self._column[place]
        row = self.table[i].copy()
        row[j] *= factor
        if row.sum() < 1e-6:
            row = self.prior[i].copy()
            row[j] = 0.0
        self.table[i] = row / row.sum()
        self.since[thing] = now

    def told(self, things: Collection[str], places: Collection[str], trust: float, now: float, negative: bool = False) -> None:
        """Somebody said that one of ``things`` is (or is not) at one of ``places``; in a room is anywhere in it."""
        columns = [self._column[p] for named in places for p in (named, *self._of_room.get(named, ())) if p in self._column]
        for thing in things if columns else ():
            i = self._row[thing]
            if negative:
                self.table[i] = (1 - trust) * self.table[i] + trust * self._without(i, columns, _SCARCE)
            else:
                said = np.zeros(len(self.columns))
                said[columns] = np.maximum(self.prior[i, columns], 1e-6)
                self.table[i] = (1 - trust) * self.table[i] + trust * said / said.sum()
            self.since[thing] = now

    def told_moved(self, thing: str, trust: float, now: float) -> None:
        """Somebody said that it is no longer where it was: anywhere usual but there."""
        i = self._row[thing]
        other = self.prior[i].copy()
        other[int(np.argmax(self.table[i]))] = 0.0
        self.table[i] = (1 - trust) * self.table[i] + trust * other / other.sum()
        self.since[thing] = now

    def forget(self, share: float) -> None:
        """Memories fade a little towards what is usual."""
        self.table = (1 - share) * self.table + share * self.prior

    def _rule_out(self, i: int, columns: list[int], now: float) -> None:
        self.table[i] = self._without(i, columns, 1e-6)
        self.since[self.things[i]] = now

    def _without(self, i: int, columns: list[int], least: float) -> np.ndarray:
        """Row ``i`` if the thing is in none of ``columns``. Where less than ``least`` was thought possible beside them it was moved: anywhere usual but there."""
        row = self.table[i].copy()
        row[columns] = 0.0
        if row.sum() < least:
            row = self.prior[i].copy()
            row[columns] = 0.0
        return row / row.sum()


def holdable(home: Home, word: str) -> list[str]:
    """Ids of the things a goal's target means: one entity, or all of a class."""
    ids = [t.id for t in home.things]
    return [word] if word in ids else [t.id for t in home.things if t.cls == word]


def standing_of(home: Home, word: str) -> list[str]:
    """Ids of the furniture a word means: one entity, or all of a class."""
    ids = [f.id for f in home.furniture]
    return [word] if word in ids else [f.id for f in home.furniture if f.cls == word]
