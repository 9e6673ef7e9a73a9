"""What a fist hides: a container opened and shut with nothing to show for it, and who goes back to it."""

from __future__ import annotations

from household.actions import Verb
from mind import hidden
from mind.goals import UNSEEN
from mind.hidden import LEFT
from tests.mind.kitchen_story import Watch, did, graph

BOTH = {"alice": "kitchen", "david": "kitchen"}


def visited(*shown, again: str | None = None) -> Watch:
    """Alice opens and shuts the fridge, ``shown``: what else is told of that; ``again``: what she opens and shuts soon after."""
    w = Watch()
    w.see(graph(1, "kitchentable_1", BOTH, ("alice",)))
    w.see(graph(3, "kitchentable_1", BOTH, ("alice",), ("fridge_1",)), did("alice", Verb.OPEN, "fridge_1", None, 2, 3))
    w.see(graph(5, "kitchentable_1", BOTH, ("alice",)), *shown, did("alice", Verb.CLOSE, "fridge_1", None, 4, 5))
    if again:
        w.see(graph(8, "kitchentable_1", BOTH, ("alice",), (again,)), did("alice", Verb.OPEN, again, None, 7, 8))
        w.see(graph(10, "kitchentable_1", BOTH, ("alice",)), did("alice", Verb.CLOSE, again, None, 9, 10))
    for stamp in range(11, 46, 5):
        w.see(graph(stamp, "kitchentable_1", BOTH, ("alice",)))
    return w


def left(w: Watch, place: str = "fridge_1") -> float:
    model, beliefs = w.state.people["alice"].model, w.state.people["alice"].state.beliefs
    return float(beliefs.sure[model.objects.index(UNSEEN), model.layout.index[place]])


def test_who_shuts_a_container_with_nothing_to_show_for_it_may_have_left_something_there():
    assert 0.9 * LEFT < left(visited()) <= LEFT


def test_not_where_what_they_did_there_was_told_also_when_it_is_told_later():
    put = did("alice", Verb.PUTIN, "mug_1", "fridge_1", 3, 4)
    assert left(visited(put)) == 0.0
    w = Watch()
    w.see(graph(1, "kitchentable_1", BOTH, ("alice",)))
    w.see(graph(5, "kitchentable_1", BOTH, ("alice",)), did("alice", Verb.CLOSE, "fridge_1", None, 4, 5))
    w.see(graph(7, "kitchentable_1", BOTH, ("alice",)), put)
    w.see(graph(40, "kitchentable_1", BOTH, ("alice",)))
    assert left(w) == 0.0


def test_who_opens_one_after_the_other_is_searching():
    w = visited(again="kitchencabinet_1")
    assert left(w) == left(w, "kitchencabinet_1") == 0.0


def test_who_goes_straight_back_is_after_what_they_left_there_rather_than_what_the_robot_knows_of(monkeypatch):
    def known():
        w = visited()
        w.see(graph(60, "kitchentable_1", BOTH, ("alice",)), did("alice", Verb.WALKTOWARDS, "fridge_1", None, 58, 60))
        w.see(graph(62, "kitchentable_1", BOTH, ("alice",), ("fridge_1",)), did("alice", Verb.OPEN, "fridge_1", None, 61, 62))
        return sum(p for g, p in w.minds.people["alice"].goals if g.targets)

    something = known()
    monkeypatch.setattr(hidden, "LEFT", 0.0)
    assert something < 0.6 * known()
