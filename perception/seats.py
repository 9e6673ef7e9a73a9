"""What was put on a chair or a sofa: nobody sees it lie there between its arms and back, but its holder bends down to it, deep, and comes up without it.

Who stoops so far for a moment before a seat, with something that has just been in their hand and is not any more, has left it there: tables are higher, and what is
taken to a container is told by its door. Who sits down stays down. Invariant: nothing is concluded while they are bent, or of what shows again in their hand, or was never seen in
it: they stooped to take it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from household import classes
from perception.handling import Stance
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.thing_track import Surroundings, ThingTrack

SEATS = frozenset({"chair", "stool", "bench", "sofa", "bed"})  # on which things are put now and then
_DEEP = 0.28  # m by which a head sinks further than before when its bearer reaches down to a seat; to a table it mostly sinks less
_LONGEST = 2.5  # s for which they stay down; who sits, or looks for something, does so for longer
_JUST = 1.0  # s before the stoop, at most, in which it was still seen in their hand
_ARM = 0.4  # m before them at which hands put something down
_BEFORE_IT = 0.35  # m from a seat within which those hands are at it
_AWAY = 0.3  # m from a container within which it may be that they stoop for
_UPRIGHT = 3  # looks at them, upright again, in which it does not show
_NEXT = 0.8  # s between two looks that follow each other
SEAT = 0.5  # m up to which things lie on it, whatever its back reaches to


def put_on_a_seat(track: ThingTrack, holder: PersonTrack, around: Surroundings) -> tuple[PlaceTrack, float] | None:
    """(seat, stamp) at which the holder of a thing that does not show in their hands any more put it there; None where nothing says so."""
    stances = around.traces.get(holder.id, ())
    stoop = _stoop([s for s in stances if s.stamp >= track.last_seen - _LONGEST])
    if track.guessed or not holder.visible or stoop is None or not stoop[0].stamp - _JUST <= track.last_seen <= stoop[-1].stamp:
        return None
    if sum(bool(s.hands) for s in stances if s.stamp > stoop[-1].stamp) < _UPRIGHT:
        return None
    if any(_reach(s, p) < _AWAY for p in _established(around, classes.Kind.CONTAINER) for s in stoop):
        return None
    seats = sorted((min(_reach(s, p) for s in stoop), p.id) for p in _established(around, classes.Kind.SURFACE) if p.cls in SEATS)
    if not seats or seats[0][0] > _BEFORE_IT:
        return None
    return around.places[seats[0][1]], 0.5 * (stoop[0].stamp + stoop[-1].stamp)


def _stoop(stances: Sequence[Stance]) -> list[Stance] | None:
    """The looks at somebody bent deep down, once they have come up again."""
    found: list[Stance] = []
    upright = math.inf
    for s in stances:
        if found and s.bent < found[0].bent - 0.5 * _DEEP:
            return found if found[-1].stamp - found[0].stamp <= _LONGEST else None
        if found and s.stamp - found[-1].stamp > _NEXT:
            return None
        if s.bent > upright + _DEEP:
            found.append(s)
        else:
            upright = min(upright, s.bent)
    return None


def _established(around: Surroundings, kind: classes.Kind) -> Iterator[PlaceTrack]:
    return (p for p in around.places.values() if p.established and classes.get(p.cls).kind is kind)


def _reach(s: Stance, place: PlaceTrack) -> float:
    """Metres along the floor from the place to where their hands are, as they face; to themselves, less an arm, where nobody knows how."""
    if s.yaw is None:
        return max(0.0, place.body.footprint_distance(s.position) - _ARM)
    return place.body.footprint_distance((s.position[0] + _ARM * math.cos(s.yaw), s.position[1] + _ARM * math.sin(s.yaw)))
