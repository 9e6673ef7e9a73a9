"""What follows for a thing that was not seen in this frame: hidden, shut away, carried out of sight, taken, or gone.

A thing out of view stays where it is; only looks at its place, unhidden and in vain, say anything, and only when chance no longer explains them
(:mod:`perception.absence`). Then it was taken by somebody whose hand may have been there, or it is LOST. What somebody holds is judged by
:mod:`perception.letting_go`. Invariant: not seeing a place never makes a thing lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from household import classes
from household.scene_graph import Openness, Tracking
from perception.absence import Look, look_for, misses_needed
from perception.handling import reach_to, when
from perception.hands import BEFORE, hand_offset, taker_of
from perception.letting_go import IN_IT, handled, out_of_sight, somebody_at, stood_since
from perception.places import PlaceTrack
from perception.records import replace
from perception.thing_track import Surroundings, ThingTrack

EXISTS = 0.7  # what is less certain to be a thing at all is not said to have been taken when it is gone
_TAKEN = 0.35  # how likely a thing is to be taken by somebody near it as against one that never was to be seen no more
_VISITED, _UNWATCHED = 1.4, 3.0  # m from a thing within which somebody may take it; s out of view in which somebody may have come and gone
_ALONE = 4  # times as many looks in vain at what nobody came near


def unobserved(track: ThingTrack, around: Surroundings, grasped: Mapping[str, float] | None = None) -> ThingTrack:
    """The thing after a frame in which it was not seen. ``grasped``: person → when what they show in hand, which was never seen to lie anywhere, came into it."""
    track = replace(track, visible=False)
    if track.holder is not None:
        track = _back_from_passing(track, around)
        return out_of_sight(track, misses_needed(track, Look.MISSING, around.config), around)
    container = around.places.get(track.place or "") if track.inside else None
    look = look_for(track, container, around)
    not_in_view = look in (Look.OUT, Look.HIDDEN)
    track = replace(track, visited=track.visited or _somebody_near(track, around), unwatched=track.unwatched + (around.dt if not_in_view else 0.0))
    if not_in_view or (track.guessed and container is not None and somebody_at(container, around)):
        return _out_of_view(track, container)
    if look is Look.THERE:
        return _overlooked(track, around)
    return _missed(track, look, container, around, grasped or {})


def _back_from_passing(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """In the hand it was in, where it showed too shortly in that of somebody who may only have walked past."""
    had = track.passing
    if had is None or had.holder not in around.people:
        return track
    return replace(had, id=track.id, cls=track.cls, last_seen=track.last_seen, confidence=track.confidence, hits=track.hits, named=track.named, names=track.names,
                   colour=track.colour, look=track.look, formerly=track.formerly, visible=False)


def _out_of_view(track: ThingTrack, container: PlaceTrack | None) -> ThingTrack:
    """Where it was, behind a shut door or whatever else hides it."""
    if track.tracking is Tracking.LOST:
        return track
    shut = container is not None and container.openness is Openness.CLOSED
    return replace(track, tracking=Tracking.CONTAINED if shut else Tracking.OCCLUDED)


def _overlooked(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """Its colour shows in its place: that it was missed so far was the detector's fault."""
    if track.tracking is Tracking.LOST:
        return track
    return replace(track, tracking=Tracking.VISIBLE, missed=0, overlooked=track.overlooked + track.missed + 1, shown=around.frame.stamp)


def _missed(track: ThingTrack, look: Look, container: PlaceTrack | None, around: Surroundings, grasped: Mapping[str, float]) -> ThingTrack:
    """One more look in vain at its place: nothing follows yet, somebody took it, or it is gone."""
    filled = (track.filled if track.missed else 0) + (look is Look.FILLED)
    track = replace(track, missed=track.missed + 1, filled=filled, gone_by=track.gone_by if track.missed else around.frame.stamp)
    if look is Look.MISSING and 2 * track.filled > track.missed:
        look = Look.FILLED  # as most looks said
    needed = misses_needed(track, look, around.config)
    if track.missed < needed:
        return track
    exists = track.confidence > EXISTS
    taker = taker_of(track, around) if exists else None
    if look is Look.MISSING and exists and (taker is None or not track.visited) and track.unwatched < _UNWATCHED and track.missed < _ALONE * needed:
        return track  # nothing goes by itself; and one camera that stands still overlooks a thing again and again
    if taker is not None and track.missed <= needed and container is None and grasped.get(taker, -math.inf) < track.last_there - BEFORE:
        return track  # somebody stands there: look once more before saying that they took it; not where they opened it, nor where their hand shows something from then on
    track = replace(track, was=track.was or track.confidence)  # looking at the empty place again says no more of whether it ever was
    if taker is not None and track.tracking is not Tracking.LOST:
        return _taken(track, taker, around)
    return replace(track, tracking=Tracking.LOST, confidence=0.7 * track.was)


def _taken(track: ThingTrack, taker: str, around: Surroundings) -> ThingTrack:
    """Concluded: it is in the hand of ``taker``, who took it since it was last there."""
    stamp, was = around.frame.stamp, track.was
    taken = handled(taker, track.spot, track.place if track.inside else None, track.last_there, stamp, around)
    return replace(track, tracking=Tracking.HELD, holder=taker, place=None, inside=False, guessed=True, missed=0, taken_from=track.place,
                   confidence=_TAKEN * was / (_TAKEN * was + 1 - was), changed=taken, sure=_hand_was_near(taker, track, around),
                   offset=(*hand_offset(around.people[taker]), 1.0), faced=around.people[taker].yaw, reached=_opened_since(taker, taken, around), stood=stood_since(taker, track, around))


def _somebody_near(track: ThingTrack, around: Surroundings) -> bool:
    """Whether somebody is so near its place that they may take it."""
    return any(p.visible and math.dist(p.position, track.box.centre[:2]) < _VISITED for p in around.people.values())


def _hand_was_near(taker: str, track: ThingTrack, around: Surroundings) -> float:
    """How surely they took it, in [0, 1], by how near their hand came since it was last seen."""
    near = min((reach_to(s, track.spot) for s in around.traces.get(taker, ()) if s.stamp >= track.last_there - BEFORE), default=1.0)
    return float(np.clip(1.2 - near, 0.3, 1.0))


def _opened_since(person: str, taken: float, around: Surroundings) -> tuple[str, float] | None:
    """(container, stamp) that they had a hand in last, of those opened after they took something: what shows late may be in it already."""
    found = []
    for place in around.places.values():
        if classes.get(place.cls).kind is not classes.Kind.CONTAINER or place.opened_at is None or place.opened_at < taken:
            continue
        there = when(around.traces.get(person, ()), place.body, place.opened_at, around.frame.stamp, place)
        if there is not None and there[1] > IN_IT:
            found.append((there[0], place.id))
    return (max(found)[1], max(found)[0]) if found else None
