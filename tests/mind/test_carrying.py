"""Where somebody who went out of sight with a thing may have taken it, and who sees what is in a hand."""

from types import SimpleNamespace

import pytest

from household.scene_graph import ROBOT, Entity, SceneGraph
from mind.carrying import OTHER_ROOM, _reachable, onward
from mind.config import MindConfig
from mind.layout import Site, build
from mind.visibility import by_geometry

# hall | bath | kitchen in a row, the store behind the kitchen; doors at x = 4, 6, 10
ROOMS = [("hall", 0, 4), ("bathroom", 4, 6), ("kitchen", 6, 10), ("store", 10, 12)]
DOORS = [4.0, 6.0, 10.0]


def _graph(doors=DOORS):
    rooms = [Entity(name, "bathroom" if name == "bathroom" else "kitchen", ((a + b) / 2, 1.5, 0.0), (b - a, 3.0, 2.6)) for name, a, b in ROOMS]
    return SceneGraph(1.0, {e.id: e for e in [*rooms, *(Entity(f"door_{i}", "door", (x, 1.0, 1.0), (0.1, 0.9, 2.0)) for i, x in enumerate(doors))]})


@pytest.mark.parametrize("room, back, beyond", [
    ("bathroom", "hall", {"kitchen", "store"}), ("kitchen", "bathroom", {"store"}), ("store", "kitchen", set()), ("hall", "bathroom", set())])
def test_a_room_leads_on_to_all_that_lies_behind_it(room, back, beyond):
    assert onward(_graph(), room, back) == beyond


def test_without_doorways_on_the_map_nothing_is_said_of_what_lies_behind():
    assert onward(_graph(doors=[]), "bathroom", "hall") == frozenset()
    assert onward(SceneGraph(1.0), "bathroom", "hall") == frozenset()


@pytest.mark.parametrize("visible", [True, False])
def test_nobody_sees_a_thing_in_a_hand_where_the_robot_does_not_see_it(visible):
    sites = [Site("kitchen", "kitchen", is_room=True), Site("bob", "kitchen"), Site("kitchentable_1", "kitchen")]
    layout = build(sites, MindConfig())
    graph = SceneGraph(1.0, {e.id: e for e in (Entity("apple_1", "apple", (1.0, 1.0, 1.0), visible=visible), Entity("bob", "person", (1.0, 1.0, 0.0)))},
                       sees={"alice": frozenset({"apple_1", "bob"})})
    percept = by_geometry(graph, "alice", {"apple_1": 0}, {"apple_1": "bob"}, layout)
    assert percept.objects.tolist() == ([0] if visible else [])


@pytest.mark.parametrize("there, in_view, beside, beyond", [("hall", True, 1.0, OTHER_ROOM), ("hall", False, 1.0, 0.5), ("kitchen", False, 0.0, 1.0)])
def test_who_gets_out_of_view_in_the_viewers_room_may_have_left_it_with_what_they_hold(there, in_view, beside, beyond):
    """In the hall, at the two tables beside the viewer or, unseen through the door, at one of the four in the kitchen: each as likely as the other."""
    sites = [*(Site(name, name, is_room=True) for name, *_ in ROOMS), Site("bob", "hall"), *(Site(f"table_{i}", "hall") for i in range(2)),
             *(Site(f"shelf_{i}", "kitchen") for i in range(4))]
    layout = build(sites, MindConfig())
    scene = SimpleNamespace(graph=_graph(), rooms={"bob": there, ROBOT: "hall"})
    weight = _reachable("bob", ROBOT, in_view, scene, SimpleNamespace(layout=layout))
    of = lambda name: weight[layout.index[name]]  # noqa: E731
    assert of("table_0") == of("table_1") == pytest.approx(beside)
    assert of("shelf_0") == of("shelf_3") == pytest.approx(beyond, rel=0.2)
