"""What follows for a thing that was seen in this frame: where it is, whether it lies still, who has it, and what it lies on or in.

A still thing's place is averaged, and changes of holder or place are stamped when they began: where that was hidden, by whose hand was there
(:func:`perception.letting_go.handled`). Invariants: what is seen is not guessed, and no look in vain from before counts against it any more; a sliver of a thing
does not move it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from household.scene_graph import ROBOT, Openness, Tracking
from perception.appearance import mean_look
from perception.association import looks_like
from perception.config import PerceptionConfig
from perception.geometry import Box, length
from perception.hands import holder_of, let_go_into
from perception.letting_go import by_when_it_showed, handled, still_in
from perception.lifting import Lifted
from perception.looks import colour_of
from perception.naming import certainty
from perception.people import PersonTrack
from perception.records import replace
from perception.support import Support, slid, support_of
from perception.thing_track import AWAY, LIES, PASSED_ON, Surroundings, ThingTrack

_SLIVER = 0.5  # of the length of what lies there: of it no more shows, the rest is hidden, and it has not moved
_PART_OF_IT = 0.85  # the same of what shows wholly within where it lay
_ON_THE_FLOOR = 0.12  # m above it
_STILL = 0.05  # m between frames: it lies still
_PLAINLY, _IN_A_HAND = 0.85, 0.65  # confidence from which on a second look makes sure of a thing; the same in somebody's hand, where hardly anything is seen that is nothing
_TRUST = 0.3  # share of the remaining doubt that a sure sighting takes away
_UNSEEN = 0.7  # s unseen from which on what happened to a thing was hidden
_PART = 0.1  # how likely it must be that what is seen in a shut container is the container
_FADES = 0.9  # share of how large it has shown that each further look leaves, unless it shows as large
_OFTEN = 8  # looks after which only one in so many tells how it looks


def observed(track: ThingTrack, one: Lifted, around: Surroundings) -> ThingTrack:
    """The thing after a frame in which ``one`` was seen of it."""
    box, sliver, lies = _where(track, one, around)
    crack = still_in(track, box, around)
    known = None if _before_what_is_shut(track, around) else track.place
    support = support_of(box, around.places, around.config, known or _never_left(track, box) or (crack[0] if crack is not None else None))
    if track.holder == ROBOT:  # who has it is for the robot's own body to say: perception.gripper
        return replace(track, box=one.box, visible=True, last_seen=around.frame.stamp, hits=track.hits + 1, missed=0, seen_at=tuple(one.box.centre),
                       place=support.place, inside=support.inside)
    holder = holder_of(track, box, support, lies, around)
    now = replace(_shown(track, one, lies, holder is not None, around), box=box, seen_at=tuple(box.centre if sliver else one.box.centre), reached=crack)
    if holder is not None:
        return _in_hand(track, now, holder, support, lies, around)
    return _in_no_hand(track, now, let_go_into(track, box, support, around), lies, around)


def _where(track: ThingTrack, one: Lifted, around: Surroundings) -> tuple[Box, bool, bool]:
    """(where it is, whether only a sliver of it shows there, whether it lies still)."""
    centre = np.asarray(one.box.centre)
    moved = length(centre - track.seen_at) if track.seen_at is not None else 0.0
    sliver = bool(track.hits) and track.holder is None and (
        max(one.box.size) < _SLIVER * max(track.box.size) and track.box.distance(one.box.centre) < 2 * _STILL
        or max(one.box.size) < _PART_OF_IT * max(track.box.size) and bool(track.box.contains(one.box.grid(2, 1.0), _STILL).all()))
    lies = sliver or moved < _STILL + 0.02 * length(centre - around.frame.camera_pose[:3, 3])
    box = track.box if sliver else _settled(track.box, one.box) if lies and track.hits and track.holder is None else one.box
    return box, sliver, lies or track.seen_at is not None and slid(track.seen_at, one.box.centre, around.places)


def _shown(before: ThingTrack, one: Lifted, lies: bool, held: bool, around: Surroundings) -> ThingTrack:
    """What seeing it tells wherever it is: that it exists, what it may be called, how it looks; what was concluded or counted while it was unseen is done with."""
    stamp, there_still = around.frame.stamp, lies and before.holder is None
    trust = max(before.confidence, before.was) if there_still else before.confidence  # overlooked, and not gone: whatever speaks for it speaks for it still
    counts = before.counted is None or stamp - before.counted >= around.config.look_gap  # a picture that hardly differs shows the same mistake again
    confidence = trust + counts * _TRUST * one.detection.score * (1 - trust)
    plain = before.hits and counts and confidence >= (_IN_A_HAND if held else _PLAINLY)  # two good looks are as good as several poor ones
    return replace(before, tracking=Tracking.HELD if held else Tracking.VISIBLE, visible=True, last_seen=stamp,
                   hits=max(before.hits + counts, around.config.confirm_frames if plain else 0), counted=stamp if counts else before.counted,
                   still=before.still + 1 if lies else 0, still_since=before.still_since if lies and before.still else stamp,
                   colour=colour_of(one, around.frame, before.colour), look=_known_look(before, one, held, around),
                   names=one.detection.names, named=certainty(one.detection), confidence=confidence,
                   was=0.0 if there_still else before.was, overlooked=before.overlooked + (before.missed if there_still else 0),
                   guessed=False, sure=1.0, missed=0, largest=max(_FADES * before.largest, *one.box.size), visited=False, unwatched=0.0, tried=None, stood={}, bare=0)


def _in_hand(before: ThingTrack, now: ThingTrack, holder: str, support: Support, lies: bool, around: Surroundings) -> ThingTrack:
    """It is in somebody's hand, maybe still in what they have open."""
    person, (x, y, z) = around.people[holder], now.box.centre
    offset = (x - person.position[0], y - person.position[1], z)
    reaches = support.inside and (lies or _brought(before, support, around))
    return replace(now, holder=holder, offset=offset, faced=person.yaw, place=None, inside=False, reached=(support.place, around.frame.stamp) if reaches else now.reached,
                   entered=_entered(before, now.box, support, around),
                   changed=before.changed if before.holder == holder else _began(before, holder, around),
                   taken_from=before.taken_from if before.holder == holder else taken_out_of(before, around),
                   carry=before.carry if lies else _carry(before, person, offset, around.config),
                   showed=before.showed if lies else (holder, 1 + (before.showed[1] if before.showed[0] == holder else 0)),
                   passing=_passing(before, holder))


def _passing(before: ThingTrack, holder: str) -> ThingTrack | None:
    """As it was in the hand of whoever had it before ``holder`` seemed to: who walks past may be all that the picture shows of the two."""
    if before.holder in (None, holder):
        return before.passing if before.holder and before.passing is not None and before.showed[1] < PASSED_ON - 1 else None
    had = before.passing or before
    return replace(had, passing=None) if had.holder != holder and had.showed[0] == had.holder and had.showed[1] > 1 else None


def _entered(before: ThingTrack, box: Box, support: Support, around: Surroundings) -> tuple[str, float] | None:
    """The container in which it shows in their hand, and since when it has done so, look after look, about where it does now."""
    if not support.inside:
        return None
    there = before.entered is not None and before.entered[0] == support.place and before.seen_at is not None and math.dist(before.seen_at, box.centre) < AWAY
    return before.entered if there else (support.place, around.frame.stamp)


def taken_out_of(before: ThingTrack, around: Surroundings) -> str | None:
    """The container that it was in when that was opened, or that it has lain in from when it was first seen: who has it in hand now has taken it out."""
    place = around.places.get(before.place or "") if before.inside and before.holder is None else None
    there = place is not None and place.opened_at is not None and (before.changed < place.opened_at or before.changed == before.born and before.still >= LIES)
    return place.id if there else None


def _in_no_hand(before: ThingTrack, now: ThingTrack, support: Support, lies: bool, around: Surroundings) -> ThingTrack:
    """It lies somewhere, was just let go there, or moves by itself."""
    stamp, centre = around.frame.stamp, tuple(now.box.centre)
    now = replace(now, moving_since=None if lies else (before.moving_since or _between(before, stamp)))
    if before.holder is not None:  # let go
        return replace(now, holder=None, passing=None, place=support.place, inside=support.inside, rest=centre, changed=_let_go(before, now, support, around))
    same = (support.place, support.inside) == (before.place, before.inside)
    if now.hits > 1 and not same and support.weak and before.place is not None:
        return now
    corrected = before.guessed and before.place is not None  # only where, and not when, it was put down was wrong
    rests = lies if before.hits else support.place is not None or now.box.bottom < _ON_THE_FLOOR  # what first shows in the air is on its way in a hand
    return replace(now, place=support.place, inside=support.inside, changed=before.changed if same or corrected else stamp,
                   rest=centre if rests or before.rest is None and before.hits else before.rest)


def _settled(old: Box, new: Box) -> Box:
    """Average a still thing's place; its size grows to what was seen."""
    centre = 0.7 * np.asarray(old.centre) + 0.3 * np.asarray(new.centre)
    size = np.maximum(0.9 * np.asarray(old.size), np.asarray(new.size))
    return Box(tuple(float(x) for x in centre), tuple(float(x) for x in size), new.yaw)


def _before_what_is_shut(track: ThingTrack, around: Surroundings) -> bool:
    """Whether it shows, look after look, in what is shut and was never seen open: it stands before its front, and the box reaches too far."""
    place = around.places.get(track.place or "") if track.inside and track.visible and track.still >= LIES else None
    return place is not None and place.openness is Openness.CLOSED and place.pending is not Openness.OPEN and place.opened_at is None


def _never_left(track: ThingTrack, box: Box) -> str | None:
    """Where a thing that somebody was thought to have taken, and that shows where it had lain, lies as before."""
    there = track.guessed and track.holder is not None and track.rest is not None and math.dist(box.centre, track.rest) < 2 * _STILL
    return track.taken_from if there else None


def _brought(before: ThingTrack, support: Support, around: Surroundings) -> bool:
    """Whether somebody had it in their hand before what it now shows in was opened: it is being put in rather than taken out, half hidden by who does it as it may be."""
    place = around.places.get(support.place or "")
    return before.holder is not None and place is not None and place.opened_at is not None and before.changed < place.opened_at


def _began(before: ThingTrack, holder: str, around: Surroundings) -> float:
    """When a thing was taken: when it began to move, or, if that was hidden, when its holder's hand was where it lay."""
    stamp = around.frame.stamp
    if before.moving_since is not None:
        return before.moving_since
    if not before.hits or before.rest is None:
        return stamp
    if stamp - before.last_seen < _UNSEEN:
        return _between(before, stamp)
    return handled(holder, before.spot, before.place if before.inside else None, before.last_seen, stamp, around)


def _between(before: ThingTrack, stamp: float) -> float:
    """Of what has changed by ``stamp``: midway between the last look at it before and now."""
    return 0.5 * (before.last_seen + stamp) if before.hits and stamp - before.last_seen < _UNSEEN else stamp


def _let_go(before: ThingTrack, now: ThingTrack, support: Support, around: Surroundings) -> float:
    """When a thing was put down: when it came to rest, or, if that was hidden, when its holder's hand was there."""
    stamp, container = around.frame.stamp, around.places.get(support.place or "") if support.inside else None
    opened = container.opened_at if container is not None else None
    if opened is not None and before.holder is not None and opened > before.changed:  # hands in cupboards are seen badly
        return by_when_it_showed(before, container, handled(before.holder, container.body, container.id, opened, stamp, around))
    if before.holder is None or stamp - before.last_seen < _UNSEEN:
        return min(now.still_since, stamp)
    return handled(before.holder, now.box, support.place if support.inside else None, before.last_seen, stamp, around)


def _carry(track: ThingTrack, holder: PersonTrack, offset: Sequence[float], config: PerceptionConfig) -> tuple[float, float] | None:
    """Its distance from the holder's middle and its height, ``offset`` from there, if they are seen to walk with it; else as it was."""
    walking = holder.visible and np.linalg.norm(holder.velocity()) > config.walk_speed
    return (float(np.hypot(*offset[:2])), float(offset[2])) if walking else track.carry


def _known_look(before: ThingTrack, one: Lifted, held: bool, around: Surroundings) -> np.ndarray | None:
    """What it looks like where it lies; a hand tells only of what was never seen elsewhere."""
    if before.look is not None and (held and before.rest is not None or before.hits >= _OFTEN and before.hits % _OFTEN):
        return before.look
    if before.rest is None and not held:
        return looks_like(one, around)
    return mean_look(before.look, looks_like(one, around), before.hits)


def part_of_its_container(track: ThingTrack, around: Surroundings) -> bool:
    """Whether what a fallible detector sees in a container that does not stand open may as well be the container, by its names: nobody sees what is in it."""
    place = around.places.get(track.place or "") if track.inside and track.holder is None else None
    return place is not None and place.openness is not Openness.OPEN and place.pending is not Openness.OPEN and dict(track.names).get(place.cls, 0.0) >= _PART


def seen_anew(before: ThingTrack, now: ThingTrack, around: Surroundings) -> bool:
    """Whether a thing known by its name shows in a hand, away from where it was last seen, for the first time in a while, or was just put down."""
    if not before.names or before.hits < around.config.confirm_frames or before.seen_at is None:
        return False
    if now.holder is None:
        return before.holder is not None
    fresh = before.holder is None or around.frame.stamp - before.last_seen > 1.5 * around.dt
    return fresh and math.dist(now.seen_at, before.seen_at) > AWAY
