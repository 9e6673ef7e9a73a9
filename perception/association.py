"""Which detection is which known thing.

First by place: what is seen about where it was, or where its holder carried it (class gate, 3-D distance, Hungarian). Then by elimination:
a thing that turns up where none was, when one of its class is missing. Only a thing that must have come from somewhere (it is in a
hand, or where air was seen before) may be one whose place is merely out of view; otherwise it is new. Names given by a source are never read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from household import classes
from household.scene_graph import Openness, Tracking
from perception.absence import Look, look_for
from perception.appearance import look_of, odds
from perception.config import PerceptionConfig
from perception.detectors.base import Detection
from perception.geometry import length
from perception.handling import OUT_OF_VIEW, PACE, THERE, Stance, time_at, when
from perception.hands import touch_distance
from perception.lifting import Lifted
from perception.naming import ALIKE, SMALL
from perception.people import PersonTrack
from perception.places import UNWATCHED
from perception.riders import overlap
from perception.support import support_of
from perception.thing_track import Surroundings, ThingTrack

_NEVER = 1e3
_UNLIKE, _MOST_ALIKE = 0.06, 3.5  # m that a choice may be farther off for each unit of log odds by its looks; the largest of those
_PUT_UNSEEN = 3.0  # s after which what somebody carried out of view may lie where nobody had looked before
_HALVES, _FAINTER, _CLEARLY = 0.6, 0.5, 0.15  # of a thing's size between the middles of its halves; score of the fainter; by which the other is surer
_SLIVER = 0.2  # of the pixels of another that is so near: there are no two of a kind of which one is that much smaller
_WITHIN = 0.05  # m about a container within which a thing is in it
_COVERED = 0.6  # share of a mask, or of a box, that another one covers: they are one thing
_BESIDE_IT = 0.9  # metres from where something is concluded to lie, in the open, within which the hand may have laid it
_SEEN_SHUT, _AROUND = 2.0, 1.0  # s since it was seen to be shut; s about the moment a thing was put in
_AT_LEAST, _ELSEWHERE = 0.2, 0.5  # s from the first look at what lies there to the last one at the other; m between them
_ONE_LOOK, _JUST_BEFORE = 2.0, 0.6  # s out of view up to which one look that misses it does not send it anywhere; s before it was last seen in which a hand may have set out for it
_ITS_NAME = 0.1  # how likely what shows in a hand must be to bear the name of what is known to be in it
AT_IT = 0.4  # how surely a hand must have been where a thing was that it shows then
_ARM = 0.45  # metres from the seen points of a body within which a thing may be in its hand, the hand itself being hidden


def assign(known: Sequence["ThingTrack"], found: Sequence[Lifted], around: "Surroundings") -> dict[int, str]:
    """Index in ``found`` → id of the thing seen about where it was expected."""
    if not known or not found:
        return {}
    cost = np.full((len(found), len(known)), _NEVER)
    for j, track in enumerate(known):
        gate = _gate(track, around)
        for i, one in enumerate(found):
            distance = math.dist(one.box.centre, track.box.centre)
            if distance <= gate and not _shut_away(track, one, around) and not showed_before(track, one):
                cost[i, j] = distance + (0.3 if track.tracking is Tracking.LOST else 0.0)
    for i, one in enumerate(found):
        open_to = (cost[i] < _NEVER).nonzero()[0]
        if len(open_to) and (len(open_to) > 1 or (cost[:, open_to] < _NEVER).sum() > 1):  # there is a choice: looks tell, too
            look = looks_like(one, around)
            cost[i, open_to] += [_UNLIKE * (_MOST_ALIKE - np.log(odds(known[j].look, look))) for j in open_to]
    return {int(i): known[j].id for i, j in zip(*linear_sum_assignment(cost)) if cost[i, j] < _NEVER}


def looks_like(one: Lifted, around: "Surroundings") -> np.ndarray | None:
    """What it looks like (:mod:`perception.appearance`), for small things that a detector may call something else the next time."""
    return look_of(one, around.frame) if one.detection.names and max(one.box.size) <= SMALL else None


def without_halves(found: Sequence[Lifted]) -> list[Lifted]:
    """Those of one class without what is only a part of another that is surer: a mask that a hand cuts in two is one thing. So is what lies within the mask of another
    that is hardly less sure, a sliver beside the rest of it, and what is faint and within the box of another that is as sure, or about it: what is thin shows in pieces."""
    kept: list[Lifted] = []
    whole = [x for x in found if not any(_within(x.detection, other.detection) for other in found if other is not x)]
    for one in sorted(whole, key=lambda x: -x.detection.score):
        near = _HALVES * max(classes.get(one.cls).size)
        score = one.detection.score
        beside = [other for other in kept if math.dist(one.box.centre, other.box.centre) <= near]
        if any(one.pixels < _SLIVER * other.pixels for other in beside):
            continue
        if score >= _FAINTER or all(other.detection.score < score + _CLEARLY and overlap(one.detection, other.detection) < _COVERED for other in beside):
            kept.append(one)
    return [x for x in found if any(x is k for k in kept)]


def _within(one: Detection, other: Detection) -> bool:
    """Whether most of what the one covers of the image is covered by the other too, which is larger and at most a little less sure."""
    if other.score < one.score - _CLEARLY:
        return False
    (u, v), (x, y) = one.offset, other.offset
    left, top, right, bottom = max(u, x), max(v, y), min(u + one.mask.shape[1], x + other.mask.shape[1]), min(v + one.mask.shape[0], y + other.mask.shape[0])
    if left >= right or top >= bottom:
        return False
    area, larger = np.count_nonzero(one.mask), np.count_nonzero(other.mask)
    both = np.count_nonzero(one.mask[top - v:bottom - v, left - u:right - u] & other.mask[top - y:bottom - y, left - x:right - x])
    return both >= _COVERED * area and (area, one.score) < (larger, other.score)


def _shut_away(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Whether the thing is in what has been seen to be shut since it was put there, or seen in there, and what is seen is at the hands of somebody who was not there then,
    nor since for as long as it takes to get it out: another of its kind."""
    container = around.places.get(track.place or "") if track.inside else None
    if container is None or container.openness is not Openness.CLOSED or container.pending is Openness.OPEN:
        return False
    if bool(container.body.contains(np.asarray(one.box.centre)[None], _WITHIN)[0]):
        return False  # what shows in it shows that it is being opened
    since = max(track.changed, track.last_seen)
    holders = [around.traces.get(p.id, ()) for p in around.people.values() if p.visible and touch_distance(p, one.box) <= _ARM]
    if (container.opened_at or 0.0) > since and any(time_at(trace, container.body, since) >= UNWATCHED for trace in holders):
        return False
    then = [when(trace, container.body, since - _AROUND, max(since, container.closed_at or 0.0) + _AROUND) for trace in holders]
    lately = around.frame.stamp - container.confirmed <= _SEEN_SHUT
    begun, ended = container.unwatched or (0.0, 0.0)
    if ended > since and any(time_at(trace, container.body, max(begun, since), ended) >= UNWATCHED for trace in holders):
        return False
    return bool(holders) and all((t is None or t[1] < THERE) and (lately or time_at(trace, container.body, container.confirmed) < UNWATCHED)
                                 for t, trace in zip(then, holders))


def showed_before(track: "ThingTrack", one: Lifted) -> bool:
    """Whether what is seen has lain there since before the thing was last seen, elsewhere."""
    since = one.detection.shown_since
    return since is not None and track.seen_at is not None and track.last_seen > since + _AT_LEAST and math.dist(track.seen_at, one.box.centre) > _ELSEWHERE


def _in_what_was_shut(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Whether what is seen lies in what somebody opened lately and what was seen to be shut since the thing went out of view with its holder, never long enough out of view
    for them to come back to it: they have put nothing in there."""
    support = support_of(one.box, around.places, around.config)
    container = around.places.get(support.place or "") if support.inside else None
    if container is None or container.openness is Openness.CLOSED or container.opened_at is None or container.opened_at <= track.last_seen:
        return False
    return not container.was_deserted(track.last_seen)


def _gate(track: "ThingTrack", around: "Surroundings") -> float:
    config = around.config
    gate = config.gate + 0.5 * max(0.0, max(track.box.size) - 0.3)
    if track.holder is not None:
        away = around.frame.stamp - track.last_seen
        return min(gate + 0.4 + 0.6 * away, 1.5)
    if any(p.visible and np.hypot(p.position[0] - track.box.centre[0], p.position[1] - track.box.centre[1]) < config.reach
           for p in around.people.values()):
        gate += 1.2 * min(around.dt, 0.5)
    if track.guessed and track.place in around.places:  # it may be anywhere there, and as well on what stands beside that
        gate = max(gate, 0.6 * max(around.places[track.place].body.size), 0.0 if track.inside else _BESIDE_IT)
    return gate


def revive(missing: Sequence["ThingTrack"], found: Sequence[Lifted], taken: Mapping[int, str], known: int,
           around: "Surroundings", hidden: Sequence["ThingTrack"] = ()) -> dict[int, str]:
    """Index in ``found`` → id of a missing thing that it must be. ``known``: how many of the class there are; ``hidden``: what people have, or containers, by any name, and does
    not show."""
    rest = [i for i in range(len(found)) if i not in taken]
    if not rest or not missing:
        return {}
    cost = np.full((len(rest), len(missing)), _NEVER)
    for a, i in enumerate(rest):
        came = came_from_somewhere(found[i], around)
        at_home = not came and _lies_in_a_container(found[i], around)  # it may have lain in there all along
        other = any(_may_be_what_is_held(t, found[i], around) for t in hidden)
        only = known == 1 and not any(_may_have_come_out(t, found[i], around) for t in hidden)
        taken_here = [not at_home and not other and _taken_by_the_hand_it_is_in(t, found[i], around) for t in missing]
        one_place = len({t.place for t, here in zip(missing, taken_here) if here}) == 1  # else there is no telling from where
        for b, track in enumerate(missing):
            cost[a, b] = _price(track, found[i], came, only, taken_here[b] and one_place, around)
    return {rest[a]: missing[b].id for a, b in zip(*linear_sum_assignment(cost)) if cost[a, b] < _NEVER}


def _price(track: "ThingTrack", one: Lifted, came: bool, only: bool, taken_here: bool, around: "Surroundings") -> float:
    """``only``: it is the only one of its class, and no other thing tells where it came from; ``taken_here``: seen in the hand of somebody who stood where it lay, and at the place
    of no other that is missing."""
    centre = np.asarray(one.box.centre)
    distance = length(centre - track.centre)
    away = around.frame.stamp - track.last_seen
    if distance > 2.0 + around.config.person_speed * max(away, 0.3) or _shut_away(track, one, around) or showed_before(track, one):
        return _NEVER
    if track.tracking is Tracking.LOST:
        return 0.5 + 0.05 * distance
    if track.holder is not None:
        holder = around.people.get(track.holder)
        if holder is None or not holder.visible:
            if _in_what_was_shut(track, one, around) or holder is not None and not _gets_there(holder, centre, around):
                return _NEVER
            return 0.6 + 0.1 * distance if came or away > _PUT_UNSEEN else _NEVER
        return 0.3 + 0.1 * distance if np.hypot(*(centre[:2] - holder.position)) < 1.6 else _NEVER
    container = around.places.get(track.place or "") if track.inside else None
    if container is not None:
        near = container.body.distance(centre) < 1.2
        if container.openness is Openness.OPEN and near and came:
            return 0.7 + 0.1 * distance
        if container.openness is Openness.OPEN and bool(container.body.contains(centre[None], 0.05)[0]):
            return 0.7 + 0.1 * distance
    if look_for(track, container, around) in (Look.MISSING, Look.EMPTY):
        return 0.8 + 0.05 * distance if away > _ONE_LOOK or _carried_there(track, centre, around) else _NEVER
    if taken_here:
        return 1.2 + 0.05 * distance
    if came and away > 2.0 and only and not (container is not None and container.visible and container.openness is Openness.CLOSED) \
            and _may_have_been_there(track, one, around):
        return 2.0 + 0.05 * distance
    return _NEVER


def _lies_in_a_container(one: Lifted, around: "Surroundings") -> bool:
    """Whether it lies in a container: one that counts as open, or one whose door is only being opened."""
    centre = np.asarray(one.box.centre)[None]
    return support_of(one.box, around.places, around.config).inside or any(
        p.openness is not Openness.NONE and one.box.top < p.body.top and bool(p.body.contains(centre, _WITHIN)[0]) for p in around.places.values())


def _carried_there(track: "ThingTrack", centre: np.ndarray, around: "Surroundings") -> bool:
    """Whether somebody has been, or may have been, where it lay and where ``centre`` (3,), map, is since it was last seen; also where nobody is known at all."""
    since = track.last_seen - _JUST_BEFORE
    return not around.traces or any(all(passed(trace, spot, since, around.config) for spot in (track.centre[:2], centre[:2])) for trace in around.traces.values())


def _gets_there(holder: PersonTrack, centre: np.ndarray, around: "Surroundings") -> bool:
    """Whether somebody out of view may by now have walked to where ``centre`` (3,), map, is in their reach."""
    return length(centre[:2] - holder.position) <= around.config.reach + around.config.person_speed * (around.frame.stamp - holder.last_seen)


def _taken_by_the_hand_it_is_in(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Seen in the hand of somebody who stood where the missing thing lay since it was last seen: a body often hides its own grasp."""
    spot = np.asarray(track.box.centre[:2])
    for person in around.people.values():
        if not person.visible or touch_distance(person, one.box) > _ARM:
            continue
        path = [person.position[:2], *(s.position for s in around.traces.get(person.id, ()) if s.stamp >= track.last_seen - 0.6),
                *((x, y) for stamp, x, y in person.path if stamp >= track.last_seen - 0.6)]
        if min(float(np.hypot(*(np.asarray(p) - spot))) for p in path) <= around.config.reach:
            return True
    return False


def _may_be_what_is_held(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Whether it shows in the hand of whoever has another thing, whose name it may have: then nothing tells that they took up this one as well."""
    holder = around.people.get(track.holder or "")
    return (holder is not None and holder.visible and track.cls != one.cls and touch_distance(holder, one.box) <= around.config.hand_distance
            and dict(one.detection.names).get(track.cls, 0.0) >= _ITS_NAME and abs(np.log(max(track.box.size) / max(one.box.size))) <= np.log(ALIKE))


def _may_have_come_out(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Whether it shows in a hand that has just been in the container that another thing was put into: it is rather that one, whatever this look calls it, than one from elsewhere."""
    return (track.cls != one.cls and abs(np.log(max(track.box.size) / max(one.box.size))) <= np.log(ALIKE)
            and (out_of_there(track, one, _ARM, around) or 0.0) >= AT_IT)


def out_of_there(track: "ThingTrack", one: Lifted, within: float, around: "Surroundings") -> float | None:
    """How surely, in [0, 1], a hand that shows it, ``within`` m, has been in the container that the thing was put into, which was opened since. None: it is in none, or that was not
    opened."""
    place = around.places.get(track.place or "") if track.inside and track.holder is None else None
    if place is None or place.opened_at is None or place.opened_at <= track.changed:
        return None
    hands = [when(around.traces.get(p.id, ()), place.body, max(track.last_seen, place.opened_at), around.frame.stamp, place)
             for p in around.people.values() if p.visible and touch_distance(p, one.box) <= within]
    return max((h[1] for h in hands if h is not None), default=0.0)


def _may_have_been_there(track: "ThingTrack", one: Lifted, around: "Surroundings") -> bool:
    """Whether one of those in whose hand it may be was near enough to where the missing thing lay since it was last seen, or long enough out of sight; also where it is in
    nobody's hand."""
    spot = np.asarray(track.box.centre[:2])
    holders = [p for p in around.people.values() if p.visible and touch_distance(p, one.box) <= _ARM]
    return not holders or any(passed(around.traces.get(p.id, ()), spot, track.last_seen, around.config) for p in holders)


def passed(stances: Sequence[Stance], spot: np.ndarray, since: float, config: PerceptionConfig) -> bool:
    """Whether somebody came within reach of ``spot`` (x, y) after ``since``, or may have, where they were not seen for a while."""
    before = None
    for s in stances:
        if s.stamp >= since:
            off = float(np.hypot(*(np.asarray(s.position) - spot)))
            gap = s.stamp - (max(before.stamp, since) if before is not None else since)
            came = float(np.hypot(*(np.asarray(before.position) - spot))) if before is not None else 0.0
            if off <= config.reach or gap > OUT_OF_VIEW and came + off - 2 * config.reach <= PACE * (gap - OUT_OF_VIEW):
                return True
        before = s
    return not stances or stances[-1].stamp < since


def came_from_somewhere(one: Lifted, around: "Surroundings") -> bool:
    """In somebody's hand, or at a spot that was seen to be air before."""
    if any(p.visible and touch_distance(p, one.box) <= around.config.hand_distance + 0.06 for p in around.people.values()):
        return True
    if around.voxels is None:
        return False
    return bool((around.voxels.at(one.box.grid(3, 0.8)) < -1).mean() > 0.5)
