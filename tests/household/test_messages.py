"""Conversions to ROS messages and back are lossless."""

from hypothesis import given
from hypothesis import strategies as st

from household import environment

environment.prepare()

import numpy as np

from household import ros
from household.actions import HumanAction, Utterance, Verb
from household.camera import CameraModel
from household.goals import Goal, GoalKind
from household.images import decode_color, decode_depth
from household.scene_graph import (Entity, Openness, Posture, Relation, RelationKind, SceneGraph, Tracking)
from household.speech import ActKind, SpeechAct
from mind import output as mo
from mind import ros as mind_ros

number = st.integers(-10_000, 10_000).map(lambda n: n / 1000)
share = st.integers(0, 1000).map(lambda n: n / 1000)
name = st.sampled_from(["apple_1", "fridge_1", "alice", "kitchen", "table_2"])
entity = st.builds(Entity, name, st.sampled_from(["apple", "fridge", "person"]), st.tuples(number, number, number),
                   st.tuples(share, share, share), st.just(0.0), st.sampled_from(Openness), st.sampled_from(Tracking), st.booleans(),
                   share, share, st.sampled_from(Posture), st.none() | number, st.sampled_from([None, True, False]),
                   st.lists(st.sampled_from(["orange", "potato"]), max_size=2, unique=True).map(tuple))


@given(st.lists(entity, max_size=5), st.lists(st.builds(Relation, name, st.sampled_from(RelationKind), name, share), max_size=5),
       st.dictionaries(name, st.frozensets(name, max_size=3), max_size=3), st.integers(0, 99), share,
       st.dictionaries(name, name, max_size=3))
def test_scene_graph(entities, relations, sees, count, stamp, renamed):
    graph = SceneGraph(stamp, {e.id: e for e in entities}, frozenset(relations), sees, sees, count, ("dark",), renamed)
    assert ros.scene_graph(ros.scene_graph_message(graph)) == graph
    assert SceneGraph.from_dict(graph.to_dict()) == graph


def test_a_graph_written_before_names_could_change_says_of_none_that_it_did():
    old = {k: v for k, v in SceneGraph(1.0, renamed={"orange_1": "apple_1"}).to_dict().items() if k != "renamed"}
    assert SceneGraph.from_dict(old) == SceneGraph(1.0)


def test_an_entity_written_before_other_names_were_told_has_none():
    old = SceneGraph(1.0, {"apple_1": Entity("apple_1", "apple", (0.0, 0.0, 0.0))}).to_dict()
    del old["entities"][0]["other_names"]
    assert SceneGraph.from_dict(old).entities["apple_1"].other_names == ()


@given(st.builds(HumanAction, name, st.sampled_from(Verb), st.none() | name, st.none() | name, st.none() | name, share,
                 st.none() | share, share, st.dictionaries(name, share, max_size=3)))
def test_human_action(action):
    assert ros.human_action(ros.human_action_message(action)) == action


@given(st.builds(Utterance, name, st.text(max_size=30), share, st.none() | name, st.none() | st.lists(name, max_size=2).map(tuple)))
def test_utterance(said):
    assert ros.utterance(ros.utterance_message(said)) == said


def test_minds():
    evidence = mo.Evidence(1.5, mo.Source.TOLD, "apple_1", "was told", "david", 2.5)
    alice = mo.PersonMind(
        "alice", {"apple_1": {"fridge_1": 0.25, "elsewhere": 0.75}}, ((Goal(GoalKind.PUT, ("apple",), "table_1"), 0.5),),
        (mo.FalseBelief("alice", "apple_1", "table_1", None, 0.9, 1.0, (evidence,)),), (evidence,), 0.5, None, "kitchen",
        (mo.SocialGoal("david", 0.5, 0.25, 0.25),), {"david": {"apple_1": {"fridge_1": 1.0}}})
    act = SpeechAct(ActKind.REQUEST, "alice", "bring me the apple", "apple_1", None, None, 0.8, True, "", Verb.GIVE)
    minds = mo.Minds(2.0, {"alice": alice}, {"apple_1": {"fridge_1": 1.0}}, (act,))
    assert mind_ros.minds(mind_ros.minds_message(minds)) == minds


def test_images_survive_and_the_intrinsics_too():
    rng = np.random.default_rng(0)
    color, depth = rng.integers(0, 255, (6, 8, 3), dtype=np.uint8), rng.random((6, 8), dtype=np.float32)
    for data, encoding, decode in ((color, "rgb8", decode_color), (depth, "32FC1", decode_depth)):
        m = ros.image_message(data, encoding, ros.to_stamp(1.0), "cam")
        assert np.array_equal(decode(m.encoding, m.height, m.width, m.step, bool(m.is_bigendian), m.data), data)
    camera = CameraModel.from_fov(64, 48, 80)
    assert ros.camera_model(ros.camera_info_message(camera, ros.to_stamp(0.0), "cam")) == camera
