"""What somebody finds in a cupboard of which the robot only supposes what is in it."""

from dataclasses import replace

import pytest

from household.actions import Verb
from household.scene_graph import Relation, RelationKind, Tracking
from tests.mind.kitchen_story import Watch, did, graph

ALICE = {"alice": "kitchen"}


def supposed(stamp, sure, opened=()):
    """The apple is in the fridge with probability ``sure``; Alice can look into it when it is open, the robot cannot."""
    g = graph(stamp, "fridge_1", ALICE, ("alice",), opened)
    apple = replace(g.entities["apple_1"], visible=False, tracking=Tracking.CONTAINED)
    relations = {r for r in g.relations if r.subject != "apple_1"} | {Relation("apple_1", RelationKind.INSIDE, "fridge_1", sure)}
    return replace(g, entities={**g.entities, "apple_1": apple}, relations=frozenset(relations),
                   sees={**g.sees, "robot": g.sees["robot"] - {"apple_1"}}, inspected={**g.inspected, "robot": g.inspected["robot"] - {"fridge_1"}})


def looks_into_the_fridge(sure, pictures=12):
    w = Watch()
    w.see(supposed(3, sure))
    w.see(supposed(4, sure, ("fridge_1",)), did("alice", Verb.OPEN, "fridge_1", None, 3.5, 4))
    for i in range(pictures):
        w.see(supposed(4.2 + 0.2 * i, sure, ("fridge_1",)))
    return w


def thinks(w):
    """P(Alice is convinced that the apple is in the fridge)."""
    state, model = w.state.people["alice"].state, w.state.model
    return state.beliefs.sure[model.named["apple_1"], model.layout.index["fridge_1"]]


@pytest.mark.parametrize("sure", [0.55, 0.7, 0.85])
@pytest.mark.parametrize("pictures", [0, 12])
def test_they_find_it_as_likely_as_it_is_there_however_long_they_look(sure, pictures):
    assert thinks(looks_into_the_fridge(sure, pictures)) == pytest.approx(sure, abs=0.01)


def test_what_the_robot_knows_or_sees_is_found_there():
    assert thinks(looks_into_the_fridge(0.97)) > 0.97
    w = Watch()
    w.see(graph(4, "fridge_1", ALICE, ("alice",), ("fridge_1",)), did("alice", Verb.OPEN, "fridge_1", None, 3.5, 4))
    assert thinks(w) > 0.97


def test_who_looks_shuts_it_and_takes_nothing_may_still_be_after_it():
    """They may have found it gone: that they want it is not ruled out as it is where the robot sees it lie there."""
    def wants(w, scene):
        w.see(scene, did("alice", Verb.CLOSE, "fridge_1", None, 7.5, 8))
        return w.goal("alice", "apple")

    doubted = wants(looks_into_the_fridge(0.6), supposed(8, 0.6))
    known = wants(looks_into_the_fridge(0.97), supposed(8, 0.97))
    assert doubted > 2 * known
