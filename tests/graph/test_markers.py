"""What RViz is shown: boxes where things are, pale when only remembered, and what people are wrong about."""

from household import environment

environment.prepare()

import pytest
from visualization_msgs.msg import Marker

from household.goals import Goal, GoalKind
from household.scene_graph import Entity, Openness, Relation, RelationKind, SceneGraph
from mind.output import FalseBelief, Minds, PersonMind
from mind.ros import markers as mind_markers
from perception.ros import markers as scene_markers

GRAPH = SceneGraph(12.5, {
    "kitchen": Entity("kitchen", "kitchen", (2.0, 2.0, 1.3), (4.0, 4.0, 2.6)),
    "fridge_1": Entity("fridge_1", "fridge", (1.0, 2.0, 0.9), (0.7, 0.6, 1.8), 1.0, Openness.OPEN),
    "apple_1": Entity("apple_1", "apple", (3.0, 1.0, 1.1), (0.08, 0.08, 0.08), visible=False),
    "alice": Entity("alice", "person", (3.0, 1.0, 0.0), (0.35, 0.5, 1.7), 0.0, gaze_yaw=0.5),
}, frozenset({Relation("alice", RelationKind.HOLDS, "apple_1")}))


def of_type(array, kind):
    return [m for m in array.markers if m.type == kind and m.action == Marker.ADD]


def test_everything_but_rooms_has_a_box_where_it_is():
    boxes = of_type(scene_markers(GRAPH), Marker.CUBE)
    assert len(boxes) == 3
    fridge = next(b for b in boxes if b.scale.z == pytest.approx(1.8))
    assert (fridge.pose.position.x, fridge.pose.position.z) == (1.0, 0.9)
    alice = next(b for b in boxes if b.scale.z == pytest.approx(1.7))
    assert alice.pose.position.z == pytest.approx(0.85)  # a person's position lies on the floor
    apple = next(b for b in boxes if b.scale.z == pytest.approx(0.08))
    assert apple.color.a < fridge.color.a


def test_names_gaze_and_hands():
    array = scene_markers(GRAPH)
    assert {m.text for m in of_type(array, Marker.TEXT_VIEW_FACING)} == {"fridge (open)", "apple", "Alice"}
    assert len(of_type(array, Marker.ARROW)) == 1
    [line] = of_type(array, Marker.LINE_LIST)
    assert [(p.x, p.z) for p in line.points] == [(3.0, 0.85), (3.0, 1.1)]


def test_an_entity_keeps_its_numbers_and_shares_them_with_nobody():
    before, after = scene_markers(GRAPH), scene_markers(SceneGraph(13.0, {k: v for k, v in GRAPH.entities.items() if k != "fridge_1"}))
    ids = [m.id for m in before.markers]
    assert len(set(ids)) == len(ids)
    assert {m.id for m in after.markers} <= set(ids)


def test_false_beliefs_stand_above_the_head():
    alice = PersonMind("alice", {}, ((Goal(GoalKind.GET, ("apple",)), 0.9),), (FalseBelief("alice", "apple_1", "fridge_1", None, 0.94, 3.0),))
    [marker] = mind_markers(Minds(12.5, {"alice": alice}, {}), GRAPH).markers
    assert "thinks apple: fridge 0.94" in marker.text and "0.90" in marker.text
    assert marker.color.r > 0.5 and marker.pose.position.z > 1.7
    assert marker.header.frame_id == "map"
