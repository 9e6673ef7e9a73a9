"""What people really believed and wanted, as a time series for scoring. Nothing that claims to see or to infer may read it.

Only changes are kept: a record per person and moment at which their goal, its success, or their belief about any thing moved noticeably.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from household.scene_graph import ELSEWHERE

if TYPE_CHECKING:
    from sim_bridges.embedded.people import Person
    from sim_bridges.embedded.world import EmbeddedWorld

_MOVED = 0.02  # change of any one probability that is worth a record
_SURE = 0.5
_BOUND = 20_000  # records; older ones are never dropped, recording stops and says so


@dataclass(frozen=True)
class TrueBelief:
    """``person`` puts ``probability`` on ``believed`` for ``thing``, which is at ``actual``."""

    person: str
    thing: str
    believed: str
    actual: str
    probability: float

    @property
    def false(self) -> bool:
        return self.believed != self.actual

    def to_dict(self) -> dict:
        return {"person": self.person, "thing": self.thing, "believed": self.believed, "actual": self.actual,
                "probability": self.probability, "false": self.false}


def minds(world: "EmbeddedWorld") -> "dict[str, Person]":
    """The simulated mind of everybody who has one."""
    return {id: c.mind for id, c in world.controllers.items() if hasattr(c, "mind")}


def sure_beliefs(world: "EmbeddedWorld", least: float = _SURE) -> list[TrueBelief]:
    """Everybody's beliefs held with at least this probability; whether each is false is in it."""
    result = []
    for id, mind in minds(world).items():
        for thing in mind.memory.things:
            place, p = mind.memory.best(thing)
            if p >= least and place != ELSEWHERE:
                result.append(TrueBelief(id, thing, place, world.state.things[thing].at, round(p, 4)))
    return result


def snapshot(world: "EmbeddedWorld") -> dict:
    """Everything true at this moment; JSON-able."""
    people = {}
    for id, mind in minds(world).items():
        people[id] = {"goal": mind.goal.to_dict(), "since": mind.since, "reached_at": mind.reached_at, "stuck": mind.stuck,
                      "target": mind.target, "beliefs": {t: mind.memory.row(t) for t in mind.memory.things}}
    return {"time": world.time, "things": {t: s.at for t, s in world.state.things.items()}, "people": people,
            "false_beliefs": [b.to_dict() for b in sure_beliefs(world) if b.false]}


@dataclass
class TruthLog:
    """``sample(world)`` after each advance; ``records`` is JSON-able: first a full snapshot, then changes."""

    records: list[dict] = field(default_factory=list)
    _last: dict[str, dict] = field(default_factory=dict, repr=False)
    full: bool = False

    def sample(self, world: "EmbeddedWorld") -> None:
        if self.full:
            return
        now = snapshot(world)
        if not self.records:
            self.records.append(now)
        else:
            change = {id: d for id, person in now["people"].items() if (d := _difference(self._last["people"].get(id, {}), person))}
            things = {t: at for t, at in now["things"].items() if self._last["things"].get(t) != at}
            if change or things:
                self.records.append({"time": now["time"], "things": things, "people": change, "false_beliefs": now["false_beliefs"]})
        self._last = self._merged(now)
        self.full = len(self.records) >= _BOUND

    def _merged(self, now: dict) -> dict:
        """What the reader of the records knows so far: small drifts of belief that were not recorded keep their old value."""
        if not self._last:
            return now
        people = {}
        for id, person in now["people"].items():
            old = self._last["people"].get(id, {}).get("beliefs", {})
            beliefs = {t: row if _moved(old.get(t, {}), row) else old[t] for t, row in person["beliefs"].items()}
            people[id] = {**person, "beliefs": beliefs}
        return {**now, "people": people}

    def to_dict(self) -> dict:
        return {"records": self.records, "full": self.full}


def _difference(old: dict, new: dict) -> dict:
    change = {k: v for k, v in new.items() if k not in ("beliefs", "target") and old.get(k) != v}
    rows = {t: row for t, row in new["beliefs"].items() if _moved(old.get("beliefs", {}).get(t, {}), row)}
    return {**change, **({"beliefs": rows} if rows else {})}


def _moved(old: dict, new: dict) -> bool:
    return any(abs(old.get(k, 0.0) - new.get(k, 0.0)) > _MOVED for k in old.keys() | new.keys())
