"""Everything that is tracked after one frame: what human actions are read off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from perception.handling import Traces
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.recent import PastView
from perception.thing_track import ThingTrack


@dataclass(frozen=True)
class Moment:
    """Everything tracked after one frame; events are the difference of two of these. ``rooms``: person → room, ``crossed``: since when."""

    stamp: float
    places: Mapping[str, PlaceTrack] = field(default_factory=dict)
    things: Mapping[str, ThingTrack] = field(default_factory=dict)
    people: Mapping[str, PersonTrack] = field(default_factory=dict)
    rooms: Mapping[str, str] = field(default_factory=dict)
    robot: tuple[float, float] | None = None
    crossed: Mapping[str, float] = field(default_factory=dict)
    traces: Traces = field(default_factory=dict)
    views: Sequence[PastView] = ()
