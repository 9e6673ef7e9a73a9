"""Changed copies of records: what dataclasses.replace gives, for what is tracked."""

import dataclasses
from dataclasses import fields

import pytest

from household.scene_graph import Openness, Tracking
from perception import devices, places, riders, thing_track
from perception.cells import Cells
from perception.geometry import Box
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.records import replace, under_new_names
from perception.taps import Stream

TRACK = PlaceTrack("table_1", "kitchentable", Cells(), Box((0, 0, 0.4), (1, 1, 0.8)), 2.0)


def test_a_copy_has_the_changes_and_all_else_of_its_record_which_stays_as_it_was():
    now = replace(TRACK, hits=7, openness=Openness.OPEN)
    assert now == dataclasses.replace(TRACK, hits=7, openness=Openness.OPEN) and type(now) is PlaceTrack
    assert (TRACK.hits, TRACK.openness) == (1, Openness.NONE) and now.body is TRACK.body


def test_what_is_no_field_is_refused_by_name():
    with pytest.raises(TypeError, match="PlaceTrack has no colour, size"):
        replace(TRACK, size=1, colour=2, hits=3)


@pytest.mark.parametrize("record", [PlaceTrack, thing_track.ThingTrack, PersonTrack, Stream, devices.Light, riders.Wheelchair, Box, places.PlaceUpdate])
def test_tracks_are_plain_records(record):
    """Else a copy would keep what was computed of the old one, or skip a check."""
    assert not hasattr(record, "__post_init__") and "__slots__" not in vars(record) and all(f.init for f in fields(record))
    assert not [name for name, value in vars(record).items() if type(value).__name__ == "cached_property"]


def test_new_names_reach_whatever_mentions_the_old_ones_and_the_rest_stays_the_very_same():
    mug = thing_track.ThingTrack("mug_1", "mug", Box((0, 0, 1), (0.1, 0.1, 0.1)), Tracking.CONTAINED, 1.0, 1.0, place="stove_1", stood={"stove_1": 2.0, "fridge_1": 1.0},
                                 reached=("stove_1", 3.0))
    other = replace(mug, id="mug_2", place="fridge_1", stood={}, reached=None)
    now = under_new_names({"a": (mug, other), "stove_1": frozenset({"stove_1"})}, {"stove_1": "dishwasher_1"})
    told = now["a"][0]
    assert (told.id, told.place, told.stood, told.reached) == ("mug_1", "dishwasher_1", {"dishwasher_1": 2.0, "fridge_1": 1.0}, ("dishwasher_1", 3.0))
    assert now["a"][1] is other and now["dishwasher_1"] == {"dishwasher_1"} and mug.place == "stove_1" and told.box is mug.box
    assert under_new_names(mug, {"stove_7": "stove_8"}) is mug
