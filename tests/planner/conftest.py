"""A small home built by hand: kitchen (table, fridge, cabinets) and living room, Alice, David and the robot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from household.actions import HumanAction, Verb
from household.goals import NO_GOAL, Goal, get
from household.scene_graph import ELSEWHERE, Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking
from mind.output import Minds, PersonMind

R = RelationKind


class HandMadeHome:
    """``at``: object → place or holder. Positions of things follow their place."""

    def __init__(self):
        E = Entity
        self.entities = {e.id: e for e in [
            E("kitchen", "kitchen", (2.0, 2.0, 0.0), (4.0, 4.0, 2.6)), E("livingroom", "livingroom", (8.0, 2.0, 0.0), (6.0, 4.0, 2.6)),
            E("kitchentable_1", "kitchentable", (1.0, 1.0, 0.37)), E("fridge_1", "fridge", (3.5, 3.5, 0.9), openness=Openness.CLOSED),
            E("cabinet_1", "cabinet", (8.0, 3.0, 0.5), openness=Openness.CLOSED), E("sofa_1", "sofa", (9.0, 1.0, 0.4)),
            E("coffeetable_1", "coffeetable", (8.0, 1.0, 0.2)), E("faucet_1", "faucet", (0.3, 3.5, 1.0), switched_on=False),
            E("lamp_1", "lamp", (9.5, 3.0, 0.7), switched_on=True), E("suitcase_1", "suitcase", (5.0, 2.0, 0.3), (0.45, 0.3, 0.65)),
            *(E(f"kitchencabinet_{i}", "kitchencabinet", (0.6 * i, 3.9, 1.5), openness=Openness.CLOSED) for i in range(1, 7)),
            E("apple_1", "apple", (3.5, 3.5, 0.9), visible=False, tracking=Tracking.CONTAINED),
            E("book_1", "book", (9.0, 1.0, 0.5)), E("knife_1", "knife", (1.2, 3.9, 1.5), visible=False),
            E("cuttingboard_1", "cuttingboard", (1.0, 1.0, 0.8)), E("carrot_1", "carrot", (1.0, 1.0, 0.8)),
            E("candle_1", "candle", (8.0, 3.0, 0.5), visible=False), E("waterglass_1", "waterglass", (1.8, 3.9, 1.5), visible=False),
            E("alice", "person", (3.0, 0.5, 0.0), (0.5, 0.3, 1.7), posture=Posture.STANDING),
            E("david", "person", (8.5, 2.0, 0.0), (0.5, 0.3, 1.8), posture=Posture.STANDING),
            E("robot", "robot", (2.0, 3.0, 0.0), (0.45, 0.45, 1.2))]}
        self.rooms = {**{i: "kitchen" for i in ("kitchentable_1", "fridge_1", "faucet_1", "alice", "robot")},
                      **{f"kitchencabinet_{i}": "kitchen" for i in range(1, 7)},
                      **{i: "livingroom" for i in ("cabinet_1", "sofa_1", "coffeetable_1", "lamp_1", "suitcase_1", "david")}}
        self.at = {"apple_1": "fridge_1", "book_1": "sofa_1", "knife_1": "kitchencabinet_2", "cuttingboard_1": "kitchentable_1",
                   "carrot_1": "kitchentable_1", "candle_1": "cabinet_1", "waterglass_1": "kitchencabinet_3"}
        self.could_not_see: tuple[str, ...] = ()

    def change(self, entity: str, **fields) -> None:
        self.entities[entity] = replace(self.entities[entity], **fields)

    def graph(self, stamp: float) -> SceneGraph:
        rows = [Relation(s, R.IN_ROOM, r) for s, r in self.rooms.items()]
        for obj, place in self.at.items():
            kind = self.entities[place].cls
            if kind in ("person", "robot"):
                rows.append(Relation(place, R.HOLDS, obj))
            else:
                inside = self.entities[place].openness is not Openness.NONE
                rows.append(Relation(obj, R.INSIDE if inside else R.ON, place))
        return SceneGraph(stamp, dict(self.entities), frozenset(rows), could_not_see=self.could_not_see)

    def minds(self, stamp: float, goals: dict[str, dict[Goal, float]] | None = None,
              beliefs: dict[str, dict[str, dict[str, float]]] | None = None, searching: dict[str, float] | None = None,
              heading: dict[str, str] | None = None, robot: dict[str, dict[str, float]] | None = None) -> Minds:
        """People believe the truth except where ``beliefs`` says otherwise; the robot knows the truth except ``robot``."""
        people = {}
        for person in ("alice", "david"):
            posterior = dict((goals or {}).get(person, {}))
            posterior[NO_GOAL] = 1.0 - sum(posterior.values())
            known = {o: {p: 1.0} for o, p in self.at.items()}
            known.update((beliefs or {}).get(person, {}))
            people[person] = PersonMind(person, known, tuple(sorted(posterior.items(), key=lambda kv: -kv[1])),
                                        searching=(searching or {}).get(person, 0.0), heading=(heading or {}).get(person))
        mine = {o: {p: 0.98, ELSEWHERE: 0.02} for o, p in self.at.items()}
        mine.update(robot or {})
        return Minds(stamp, people, mine)


STORY = (
    HumanAction("alice", Verb.PUTON, "apple_1", "kitchentable_1", "kitchen", 1, 2),
    HumanAction("alice", Verb.LEAVE, "kitchen", room="kitchen", start=3, end=3),
    HumanAction("david", Verb.PICK, "apple_1", "kitchentable_1", "kitchen", 5, 6),
    HumanAction("david", Verb.PUTIN, "apple_1", "fridge_1", "kitchen", 7, 8),
    HumanAction("alice", Verb.ENTER, "kitchen", room="kitchen", start=12, end=12),
    HumanAction("alice", Verb.WALKTOWARDS, "kitchencabinet_5", room="kitchen", start=12, confidence=0.9),
)
WRONG = {"alice": {"apple_1": {"kitchentable_1": 0.94, "fridge_1": 0.02, "cabinet_1": 0.02, ELSEWHERE: 0.02}}}
WANTS_APPLE = {"alice": {get("apple"): 0.8}}


@pytest.fixture
def home() -> HandMadeHome:
    return HandMadeHome()


@pytest.fixture
def story():
    return STORY


@pytest.fixture
def wrong():
    return WRONG


@pytest.fixture
def wants_apple():
    return WANTS_APPLE


@pytest.fixture
def run(home):
    """Step the planner ``count`` times every 0.2 s from ``start``; ``minds(t)`` and ``feed(i)`` give each step's input."""
    from planner.config import PlannerConfig
    from planner.memory import PlannerState
    from planner.step import PlannerInput, step

    def go(minds, feed=lambda i: {}, count=20, start=12.0, state=None, config=PlannerConfig()):
        state, outs = state or PlannerState(), []
        for i in range(count):
            t = round(start + 0.2 * i, 3)
            state, out = step(state, PlannerInput(t, home.graph(t), minds(t), **feed(i)), config)
            outs.append(out)
        return state, outs

    return go
