"""The last picture of a storyboard shows somebody, if the robot only just looked away."""

from evaluation.demo.recording import Recording
from evaluation.demo.storyboard import last_look, moments
from household.scene_graph import Entity, SceneGraph


def graph(stamp, visible):
    alice = Entity("alice", "person", (1.0, 1.0, 0.0), (0.4, 0.4, 1.7), visible=visible)
    return SceneGraph(stamp, entities={"alice": alice})


def recording(*seen):
    rec = Recording(frame=None)
    rec.graphs = [graph(float(i), v) for i, v in enumerate(seen)]
    return rec


def test_a_glance_elsewhere_at_the_end_is_not_the_last_picture():
    rec = recording(True, True, True, False, False)
    assert last_look(rec) == 2.0 and moments(rec, None)[-1].stamp == 2.0 and moments(rec, None)[-1].title == "At the end"


def test_who_has_been_away_for_long_or_is_there_still_changes_nothing():
    assert last_look(recording(True, *[False] * 9)) == 9.0
    assert last_look(recording(False, True, True)) == 2.0
    assert last_look(recording()) == 0.0
