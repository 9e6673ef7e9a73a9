"""What somebody was taken to have left with, and was in what another opens."""

from dataclasses import replace

import numpy as np
import pytest

from household.actions import Verb
from perception import deeds
from perception.handling import SWING
from perception.moment import Moment
from tests.perception.test_perception_handling import cup, cupboard, stances, visit
from tests.perception.test_perception_walking import walker


@pytest.mark.parametrize("shows_at, told_as, seen_at_it", [
    (20.0 + SWING, [("alice", Verb.PUTIN)], True), (20.0 + SWING, [("alice", Verb.PUTIN)], False), (22.5, [("david", Verb.PICK), ("david", Verb.PUTIN)], True)])
def test_what_shows_as_soon_as_another_opens_was_put_in_by_who_had_it(shows_at, told_as, seen_at_it):
    """David has opened the cupboard at 20 s, with his hand in it; the mug that Alice had when she was last seen, at 5 s, shows in there."""
    opened = cupboard(20.0)
    alice = replace(walker([(5.0, 4.0, 3.0)], np.pi), last_seen=5.0, visible=False)
    david = replace(walker([(shows_at, 0.9, 0.0)], np.pi), id="david", last_seen=shows_at)
    traces = {"alice": visit() if seen_at_it else (), "david": stances(*[(19.0 + 0.2 * i, 0.9, 0.0, (0.4, 0.0, 1.0)) for i in range(20)])}
    mug = cup(None, shows_at, opened.id, changed=shows_at)
    now = Moment(shows_at, {opened.id: opened}, {"mug_1": mug}, {"alice": alice, "david": david}, traces=traces)
    found = deeds._put_by_another(deeds.Hand("alice", cup("alice", 1.0)), mug, now, 0.9)
    assert [(e.actor, e.verb) for e in found] == told_as
    if told_as[0][0] == "alice":
        assert found[0].place == opened.id and found[0].start == pytest.approx(2.2 if seen_at_it else 5.0, abs=0.3)
