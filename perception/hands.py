"""In whose hand a thing is: what is touched, carried, let go, handed over or taken, judged from one frame and what was known before.

Touching is not holding: a thing is in a hand when nothing else bears it, or when it left the place where it lay and moves; it is let go when
it lies still where it is not carried. Everything here is a pure question about a track and its surroundings.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from household import classes
from household.scene_graph import Openness
from perception.geometry import Box, length
from perception.handling import HIDDEN, OUT_OF_VIEW, SWING, Stance, reach_to, time_at
from perception.people import PersonTrack
from perception.support import Support, standing
from perception.thing_track import Surroundings, ThingTrack

_LAIN = 3  # sightings in one spot after which a thing lies there, whatever bears it
_CARRIED = 0.12  # m by which what is carried keeps its distance from the carrier's middle, and its height
_LIFTED = 0.09  # m from where it rested: somebody has it
_GRASP = 0.2  # m from a seen hand to what it holds
_LEANT = 1.35  # times an arm's reach from the middle of what is seen of somebody who bends over a table
_SOON = 5.0  # s after which standing there now says nothing of who took it
BEFORE = 0.5  # s before it was last seen from which hands count
_AFTER = 0.5  # s after it was first missed until which they do, if anybody's was near then
_AT_IT, _CLEARLY = 0.45, 0.3  # m: a hand so near was at it; by so much others must be farther away
_TAKES = 0.8  # s that it takes to take something up
_HIGHEST = 1.35  # times the height of their eyes that people's hands get
_HELD_STILL = 1.2  # s for which a thing is held still in what stands open at most
_MOUTH, _INTO = 0.25, 0.5  # m before a container within which a thing may be in it; how surely it is
_IN_THE_HAND, _NOT_IN_IT = 0.12, 0.3  # m from a seen hand within which a thing is in it, and beyond which it is not
_FAR = 0.6  # m from somebody, or from their seen hands, from which on nothing that lies on something is in their hand
_IN_HAND = 0.45  # m from the seen points of a body within which a thing may be in its hidden hand


def portable(track: "ThingTrack") -> bool:
    """Whether people take such a thing into their hands: a suitcase is moved, a wheelchair is sat in."""
    return classes.get(track.cls).kind is classes.Kind.OBJECT


def holder_of(track: "ThingTrack", box: Box, support: Support, lies: bool, around: "Surroundings") -> str | None:
    """Who has it in hand. Touching is not enough: it left the place where it lay, or nothing bears it."""
    config = around.config
    touching = {p.id: touch_distance(p, box) for p in around.people.values() if p.visible}
    near = {k: d for k, d in touching.items() if d <= config.hand_distance + 0.5 * max(box.size)}  # a bottle is held by its neck
    if not portable(track):
        return None
    if track.holder is not None:
        return _keeps(track, box, support, lies and not _swinging(support, around), near, touching, around)
    unseen = 0.5 * sum(max(0.0, max(classes.get(track.cls).size) - max(b.size)) for b in (track.box, box))  # of one seen in part, the middle shifts
    away = track.rest is None or length(np.asarray(box.centre) - track.rest) > _LIFTED + unseen
    in_air = support.place is None and box.bottom > 0.25 and not ((track.hits == 0 or lies and not away) and _at_the_mouth(box, around))
    if in_air and not near:  # nothing floats: somebody beside it has it in the hand that is hidden
        near = {k: d for k, d in touching.items() if d <= 0.35}
    if not near:
        return None
    if in_air and not away and track.still >= _LAIN:
        return None  # it has been there all along, on something that cannot be made out
    if in_air or (away and not lies and track.hits > 0):
        return _whose_hand(near, box, around) or min(near, key=near.get)
    return None


def _whose_hand(near: Collection[str], box: Box, around: "Surroundings") -> str | None:
    """Of those near a thing, whose hand is seen to be at it: a body that stands before it touches it as well, in the picture."""
    hands = {k: _to_hand(around.people[k], box) for k in near}
    closest = min(hands, key=hands.get, default=None)
    return closest if closest is not None and hands[closest] < _IN_THE_HAND else None


def _to_hand(person: PersonTrack, box: Box) -> float:
    """From a thing to their nearest seen hand, metres; inf: none is seen."""
    return min((math.dist(h, box.centre) for h in person.hands), default=float("inf"))


def _swinging(support: Support, around: "Surroundings") -> bool:
    """Whether what it would lie in is only just opening: nothing is put in then."""
    place = around.places.get(support.place or "") if support.inside else None
    return place is not None and place.opened_at is not None and place.opened_at + SWING >= around.frame.stamp


def _at_the_mouth(box: Box, around: "Surroundings") -> bool:
    """Whether it is seen in, or just before, a container that is open: on its rack or shelf rather than in the air. What is seen for the first time within
    one that was shut until now shows that it is opening."""
    return any(standing(p).distance(box.centre) < (_MOUTH if p.openness is Openness.OPEN or p.pending is Openness.OPEN else 1e-6)
               for p in around.places.values() if classes.get(p.cls).kind is classes.Kind.CONTAINER)


def let_go_into(track: "ThingTrack", box: Box, support: Support, around: "Surroundings") -> Support:
    """What bears a thing that was in a hand until now: where nothing else does, the container that stands open right there. It stays in it as long as it
    lies there: of what is half hidden by walls and doors, the middle is seen too far outside. ``track``: as it was before."""
    if support.place is not None or (track.holder is None and not track.inside):
        return support
    at = [(standing(p).distance(box.centre), p.id) for p in around.places.values() if classes.get(p.cls).kind is classes.Kind.CONTAINER
          and (p.openness is Openness.OPEN if track.holder is not None else p.id == track.place) and box.centre[2] < p.body.top]
    away, name = min(at, default=(_MOUTH, ""))
    return Support(name, True, _INTO) if away < _MOUTH else support


def _keeps(track: "ThingTrack", box: Box, support: Support, lies: bool, near: dict[str, float], touching: dict[str, float],
           around: "Surroundings") -> str | None:
    """Whose hand a held thing is in now: it is let go when it lies still on something, and handed over when only another touches it."""
    touching = _with_hidden(track.holder, touching, box, around)
    taken_out = support.inside and track.taken_from == support.place and track.holder in near  # held still before what it was taken out of, as that is shut
    rests = support.place is not None and lies and not taken_out and (track.still >= 1 if track.holder not in near or not support.inside else
                                                                      track.still >= 4 and around.frame.stamp - track.still_since >= _HELD_STILL)
    if rests and touching.get(track.holder, 9.0) < _IN_HAND and _as_carried(track, box, around.people[track.holder]):
        return track.holder
    if track.holder in near:
        other = _whose_hand(near, box, around)
        elsewhere = other is not None and track.holder in around.people and _NOT_IN_IT < _to_hand(around.people[track.holder], box) < float("inf")
        return None if rests else other if elsewhere else track.holder
    if near and touching.get(track.holder, 9.0) > 0.35:
        other = min(near, key=near.get)
        grasped = _to_hand(around.people[other], box) < _GRASP
        return other if grasped or touching.get(track.holder, 9.0) > 0.7 else track.holder
    if rests or (support.place is None and box.bottom < 0.12) or (support.place is not None and _left_behind(track, box, touching, around)):
        return None
    if lies and track.still >= _LAIN and touching.get(track.holder, 0.0) > _IN_HAND:
        return None  # it lies on something that cannot be made out
    beside = {k: d for k, d in touching.items() if d < 0.9}
    return track.holder if track.holder in beside or not beside else min(beside, key=beside.get)


def _left_behind(track: "ThingTrack", box: Box, touching: dict[str, float], around: "Surroundings") -> bool:
    """Whether what shows on something is too far from whoever had it to be in their hand, though they have only just turned away: their hands show elsewhere."""
    away = touching.get(track.holder, 9.0)
    return away > _FAR or away > _IN_HAND and track.holder in around.people and _FAR < _to_hand(around.people[track.holder], box) < float("inf")


def _with_hidden(holder: str, touching: dict[str, float], box: Box, around: "Surroundings") -> dict[str, float]:
    """How near everybody is to a thing, its holder too, who has just gone out of view behind somebody and stands where they stood."""
    person = around.people.get(holder)
    if holder in touching or person is None or around.frame.stamp - person.last_seen > HIDDEN:
        return touching
    return {**touching, holder: max(0.0, math.dist(box.centre[:2], person.position) - _AT_IT)}


def _as_carried(track: "ThingTrack", box: Box, holder: PersonTrack) -> bool:
    """Whether a thing that lies still does so where its holder carries it: as far from their middle, and as high, as when they walked."""
    if track.carry is None:
        return False
    away = math.dist(box.centre[:2], holder.position)
    return abs(away - track.carry[0]) < _CARRIED and abs(box.centre[2] - track.carry[1]) < 0.5 * _CARRIED


def touch_distance(person: PersonTrack, box: Box) -> float:
    """From a thing to the nearest seen hand or point of the person, metres."""
    points = person.points if not person.hands else np.vstack([person.points, np.asarray(person.hands)])
    high = points[points[:, 2] > 0.3]
    if not len(high):
        return float("inf")
    return float(np.sqrt(((high - np.asarray(box.centre)) ** 2).sum(axis=1).min()))


def taker_of(track: "ThingTrack", around: "Surroundings") -> str | None:
    """The person who could have taken it since it was last seen: of those who were in reach of it, whose hand came nearest; failing that, the only one
    not far beyond, who leant over. After a while it takes a hand that was at it, and nobody else's nearly as near. What lies higher than their hands get
    is out of reach."""
    if not portable(track):
        return None
    spot = track.spot
    lately = _since_there(track, around)
    hands = {k: min(reach_to(s, spot) for s in stances) for k, stances in lately.items()
             if stances and (k not in around.people or track.box.bottom < _HIGHEST * float(around.people[k].eye[2]))}
    known = {k for k in hands if k not in around.people or around.people[k].hits >= around.config.confirm_frames}
    hands = {k: d for k, d in hands.items() if not known or k in known}  # who showed but once may be nobody
    if around.frame.stamp - _surely_there(track, around) >= _SOON:
        order = sorted(hands, key=hands.get)
        if order and hands[order[0]] < _AT_IT:
            return order[0] if len(order) == 1 or hands[order[1]] > hands[order[0]] + _CLEARLY else None
        return _beside_it_unseen(track, known, around)
    away = {k: min(float(np.hypot(s.position[0] - spot.centre[0], s.position[1] - spot.centre[1])) for s in lately[k]) for k in hands}
    close = [k for k in hands if away[k] <= around.config.reach]
    leant = [k for k in hands if away[k] <= _LEANT * around.config.reach]
    return min(close, key=lambda k: (round(hands[k], 1), away[k])) if close else leant[0] if len(leant) == 1 else None


def _beside_it_unseen(track: "ThingTrack", among: Collection[str], around: "Surroundings") -> str | None:
    """Who was within reach of it when they went out of view or came back, or while a hand of theirs was hidden, for long enough to take it, while it went; None:
    nobody, or somebody else may have, too."""
    since, until, spot = _surely_there(track, around) - BEFORE, track.gone_by + _AFTER, track.spot
    nearest = {}
    for name in among:
        stances = around.traces.get(name, ())
        if time_at(stances, spot, since, until) >= _TAKES:
            ends = [s for a, b in zip(stances, stances[1:]) if b.stamp - a.stamp > OUT_OF_VIEW and b.stamp > since and a.stamp < until for s in (a, b)]
            hiding = [s for s in stances if since < s.stamp < until and len(s.hands) < 2]
            nearest[name] = min((math.dist(s.position, spot.centre[:2]) for s in (*ends, *hiding)), default=math.inf)
    order = sorted(nearest, key=nearest.get)
    alone = len(order) == 1 or len(order) > 1 and nearest[order[1]] > 2 * around.config.reach
    return order[0] if order and nearest[order[0]] <= around.config.reach and alone else None


def _surely_there(track: "ThingTrack", around: "Surroundings") -> float:
    """When it was last there: nobody takes a thing out of a container before it is opened."""
    place = around.places.get(track.place or "") if track.inside else None
    return track.last_there if place is None or place.opened_at is None else max(track.last_there, place.opened_at)


def _since_there(track: "ThingTrack", around: "Surroundings") -> dict[str, list[Stance]]:
    """Where everybody stood from when it was last there until it was first missed, if anybody was in reach of it in that time; else until now."""
    since = _surely_there(track, around) - BEFORE
    lately = {k: [s for s in stances if s.stamp >= since] for k, stances in around.traces.items()}
    then = {k: [s for s in stances if s.stamp <= track.gone_by + _AFTER] for k, stances in lately.items()}
    spot = track.box.centre if track.rest is None else track.rest
    near = any(float(np.hypot(s.position[0] - spot[0], s.position[1] - spot[1])) <= around.config.reach for stances in then.values() for s in stances)
    return then if near else lately


def hand_offset(person: PersonTrack) -> tuple[float, float]:
    if person.hands:
        return person.hands[0][0] - person.position[0], person.hands[0][1] - person.position[1]
    yaw = person.yaw or 0.0
    return 0.3 * float(np.cos(yaw)), 0.3 * float(np.sin(yaw))
