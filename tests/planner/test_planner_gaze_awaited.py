"""Where the camera looks in an empty room while somebody who is mistaken about it may come back."""

from dataclasses import replace

import pytest

from mind.output import FalseBelief
from planner import gaze, surroundings
from planner.geometry import Geometry
from tests.planner.test_planner_gaze_and_voice import CONFIG, empty_kitchen, turning, watch


@pytest.mark.parametrize("awaited", [frozenset(), frozenset({"kitchentable_1"})])
def test_no_look_all_round_while_somebody_who_is_mistaken_may_come_back(home, awaited):
    empty_kitchen(home)
    geometry = Geometry(home.graph(30.0), CONFIG)
    looked = {e.id: 29.5 if e.id == "door_1" else 17.0 for e in surroundings.surroundings(geometry)}
    state = gaze.GazeState((4.0, 2.0, 1.0), "door_1", 29.0, gaze._RESTING, 30.0, looked)
    chosen = gaze._longest_unseen(state, geometry, (), surroundings.surroundings(geometry), looked, awaited, 30.0)
    assert (chosen.target == "kitchentable_1") is bool(awaited)


@pytest.mark.parametrize("went_at, chosen", [(28.8, "alice"), (29.5, "door_1")])
def test_the_way_by_which_somebody_went_is_hardly_out_of_the_picture(home, went_at, chosen):
    """It comes before a doorway that was not looked at for a little longer, once it was out of the picture for long enough itself."""
    empty_kitchen(home)
    geometry = Geometry(home.graph(30.0), CONFIG)
    looked = dict.fromkeys([*(e.id for e in surroundings.surroundings(geometry)), *surroundings.corners(geometry)], 27.5) | {"door_1": 28.5, "alice": went_at}
    state = gaze.GazeState((2.0, 3.0, 1.0), "fridge_1", 20.0, gaze._RESTING, 30.0, looked)
    went = gaze._Interest(gaze._WAYS, 0.0, "alice", (3.9, 3.5, 1.0))
    assert gaze._longest_unseen(state, geometry, (went,), surroundings.surroundings(geometry), looked, frozenset(), 30.0).target == chosen


@pytest.mark.parametrize("empty", [True, False])
def test_a_room_with_nobody_in_it_yet_is_looked_at_all_round_also_where_nothing_is_known(home, empty):
    """Somebody may stand there; not for as long as somebody is in view."""
    empty_kitchen(home)
    for piece in surroundings.surroundings(Geometry(home.graph(10.0), CONFIG)):
        if piece.id not in ("door_1", "david"):
            home.rooms[piece.id] = "livingroom"
    if not empty:
        home.rooms["david"] = "kitchen"
        home.change("david", position=(2.0, 1.0, 0.0), visible=True, last_seen=10.0)
    seen = list(turning(home, 16.0 if empty else 8.0))  # a glance at a time, between looks at the doorway
    corners = surroundings.corners(seen[0][3])
    assert len(corners) == 4 and all(abs(x - 2.0) == abs(y - 2.0) == pytest.approx(2.0) for x, y, _ in corners.values())
    assert (set(corners) <= set(seen[-1][2].looked)) is empty
    assert any(s.target in corners for _, _, s, _ in seen) is empty


def test_the_corners_that_were_never_looked_at_come_before_another_look_at_what_was(home):
    """Or furniture, which is due again every few seconds, keeps the camera from where somebody may stand all along."""
    empty_kitchen(home)
    home.rooms["kitchentable_1"] = "livingroom"  # nothing is in the corner behind it
    unseen = [t for t, _, s, g in turning(home, 40.0) if not set(surroundings.corners(g)) <= set(s.looked)]
    assert unseen[-1] < 10.0 + 1.5 * gaze.ROUND_S


@pytest.mark.parametrize("holds, seen_for, looked_for", [(False, 2.0, False), (False, 0.5, True), (True, 2.0, True)])
def test_who_was_watched_next_door_is_not_turned_back_to_once_out_of_the_picture_while_somebody_who_is_mistaken_may_come_in(home, holds, seen_for, looked_for):
    """Or the camera goes back and forth between them and the room, and nothing else is looked at. Who has only just gone out, or holds something, is looked for."""
    empty_kitchen(home)
    home.rooms["alice"] = home.rooms["david"] = "livingroom"
    home.change("alice", visible=False, position=(7.0, 2.0, 0.0), last_seen=10.0)
    home.change("david", visible=False, last_seen=-100.0)
    if holds:
        home.at["book_1"] = "alice"
    false = FalseBelief("david", "apple_1", "kitchentable_1", "fridge_1", 0.9, 5.0)

    def minds(t):
        found = home.minds(t)
        return replace(found, people={**found.people, "david": replace(found.people["david"], false_beliefs=(false,))})

    tracks = {"alice": [(10.0 - seen_for - 0.5, 3.5, 2.0), (10.0 - seen_for, 5.0, 2.0), (10.0 - seen_for / 2, 6.0, 2.0), (10.0, 7.0, 2.0)]}
    assert any(s.target == "alice" for _, s in watch(home, minds, start=10.3, seconds=0.7, tracks=tracks)) is looked_for
