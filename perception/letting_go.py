"""When a thing leaves a hand unseen: what is held and out of sight is behind its holder's body, in what they had open, or put down where nobody saw it.

A hand that is seen bare does not have the thing; then it lies where its holder has stood meanwhile, doing something that nobody could see. What was seen all the
while to be shut took nothing in. Invariant: as long as the holder may have their hands at such a place, nothing is concluded.
"""

from __future__ import annotations

import math

import numpy as np

from household import classes
from household.scene_graph import Openness, Tracking
from perception.geometry import Box
from perception.handling import HIDDEN, presence, when
from perception.people import PersonTrack
from perception.places import LATELY, PlaceTrack
from perception.records import replace
from perception.seats import SEAT, SEATS, put_on_a_seat
from perception.thing_track import Surroundings, ThingTrack

_BARE = 4  # times as many looks at bare hands before a thing is said not to be in them, without knowing where it is
_AT_IT, _PUT_TAKES = 0.3, 0.8  # how surely somebody must be at a place to put something there, and for how long, s
_CLEARLY, _HARDLY = 0.8, 0.5  # share of the longest stay for the next of its kind, and for what opens against what does not
_BEHIND = 0.5  # how sure it is that a thing was put where its holder stood while nobody saw their hands
_OPENED = 0.8  # the same for what they were seen to have open meanwhile
_BEFORE_IT, _GONE_FROM = 0.9, 1.3  # m from a place within which somebody stands before it; beyond which they have left it
_FIST, _PIXELS = 0.078, 6  # m across, and pixels, from which on a thing shows in a hand
_SHOWED = 3  # looks at it in somebody's hand, as they carried it, after which it is known to show there
IN_IT = 0.3  # how surely somebody's hand must have been in a container that they are thought to have put something into
_SHOULDER = 1.3  # m up to which hands mostly put things: what lies somewhere on high shelves is not taken to be out of reach
_CLEAR = 0.25  # m from a place at which a hand is not in it
_IN, _THEN = 0.08, 1.5  # m from a container at which a hand is in it; s after the last sight of what it held
_FROM_BEHIND = -0.4  # cosine between where somebody faces and the camera, below which their body hides what they hold before them
_REACHED = 0.15  # m from a place at which what is held out has come to it
_BUSY = 4.0  # s before a surface after which more was done there than to put something on it
_CRACK = 1.2  # s for which a door that has just shut may leave a crack
_ELSEWHERE = 1.0  # s away from a place after which somebody comes to it anew
_AWAY = 2.0  # s out of view in which somebody may have put a thing anywhere
_HIDDEN, _STAYED = 5.0, 0.4  # s out of view, behind somebody, say, within which they put it nowhere if they have moved hardly so far, m
_AGAIN = 3  # sights of who comes into view again, half of them at first, that tell where they are
_PACE = 0.9  # m/s at which people carry things: the way they have made takes its part of the time out of view


def out_of_sight(track: "ThingTrack", needed: int, around: "Surroundings") -> "ThingTrack":
    """A held thing not seen now: still in hand behind the body, put into what its holder had open, or put somewhere nobody saw. ``needed``: looks in vain
    that chance does not explain."""
    holder = around.people.get(track.holder or "")
    shut_since = _shut_since(track, around)
    if holder is None or not holder.visible and track.reached is None and shut_since is None:
        return replace(track, tracking=Tracking.HELD)
    stamp = around.frame.stamp
    reached, open_here = track.reached, []
    for place in around.places.values() if holder.visible else ():
        if classes.get(place.cls).kind is not classes.Kind.CONTAINER or not place.established or place.body.footprint_distance(holder.position) >= _BEFORE_IT \
                or _nearest_to(place, around) != holder.id:
            continue
        if place.openness is Openness.OPEN and stamp - place.confirmed < LATELY:
            if reached is None or reached[0] == place.id or presence(around.traces.get(holder.id, ()), place.body) >= _AT_IT:
                open_here.append(place)  # who only passes what stands open has not put it there rather than where they were
        elif place.openness is not Openness.OPEN and place.pending is Openness.OPEN and place.pending_seen == stamp:
            track = replace(track, tried=place.id)
    for shut in filter(None, (reached, shut_since)):
        if (put := _put_there(track, holder, shut, around, shut=True)) is not None:
            return put  # who shut what they had a hand in is done there, whatever else stands open beside it
    if open_here:
        reached = (max(open_here, key=lambda p: (presence(around.traces.get(holder.id, ()), p.body), p.id)).id, stamp)
    if reached is not None and (put := _put_there(track, holder, reached, around)) is not None:
        return put
    track = replace(track, tracking=Tracking.HELD, reached=reached)
    if not holder.visible:
        return track
    if reached is None and (seat := put_on_a_seat(track, holder, around)) is not None:
        return _left_in(track, *seat, _OPENED * track.sure)
    track, needed = _watched(track, holder, around), 2 * needed if _fits_a_fist(track) else needed
    if (left := _out_of_the_fist(track, holder, around)) is not None:
        return left
    likely = _unseen_put(track, around)
    sooner = reached is not None and _had_a_hand_in(track, holder, reached, around) or likely is not None and (
        _reached_into(track, likely, around) or _went_nowhere_else(track, likely))
    if track.bare <= (needed // 2 if sooner else needed) or _still_at(track, holder, reached is not None, around):
        return track
    opened = around.places.get(reached[0]) if reached is not None else None  # what they were seen to open comes before what nobody watched
    watched = _in_view_since(holder, track, track.bare_since, around)
    place = (opened or around.places.get(track.tried or "") or likely) if watched else None
    if place is not None:
        sure = (_OPENED if place is opened else _BEHIND) * track.sure
        put = handled(holder.id, place.body, place.id, track.last_seen, stamp, around) if place is opened else _amid_the_stay(track, place, around)
        return _left_in(track, place, put, sure)
    if track.bare <= (_BARE if watched else 1) * needed:  # who was away may have left it there
        return track
    if watched and (only := _only_container(track, around)) is not None:
        return _left_in(track, only, _amid_the_stay(track, only, around), _BEHIND * track.sure)
    return put_nowhere_known(track, stamp)


def put_nowhere_known(track: "ThingTrack", stamp: float) -> "ThingTrack":
    """Out of its holder's hand, and nobody knows where."""
    return replace(track, holder=None, place=None, inside=False, tracking=Tracking.LOST, changed=stamp, reached=None, tried=None, stood={}, bare=0)


def _shut_since(track: "ThingTrack", around: "Surroundings") -> tuple[str, float] | None:
    """(container, stamp) that was opened after the thing was last seen and shut last."""
    found = [(p.closed_at, p.id) for p in around.places.values() if _is_shut(p) and p.opened_at is not None and p.closed_at is not None
             and p.closed_at > p.opened_at > track.last_seen and classes.get(p.cls).kind is classes.Kind.CONTAINER]
    return (max(found)[1], max(found)[0]) if found else None


def _is_shut(place: PlaceTrack) -> bool:
    """As was seen, or as follows from how somebody bent down before it and got up again."""
    return place.openness is Openness.CLOSED or place.openness is Openness.UNKNOWN and place.behind is not None and place.behind.shut is not None


def _put_there(track: "ThingTrack", holder: PersonTrack, reached: tuple[str, float], around: "Surroundings", shut: bool = False) -> "ThingTrack | None":
    """Concluded: it is in the container they had a hand in, which has been shut or which they have left; ``shut``: only the former. None: not yet."""
    place = around.places.get(reached[0])
    if place is not None and shut and holder.visible and (hidden := _opened_behind_somebody(track, holder, place, around)) is not None:
        return _left_in(track, place, hidden, _BEHIND * track.sure)
    if place is None or around.frame.stamp - track.last_seen <= 1.0 or not _in_view_since(holder, track, reached[1], around, place):
        return None
    if track.taken_from == place.id and (place.opened_at or 0.0) <= track.changed:
        return None  # they opened it to take this out
    if not _is_shut(place) and (shut or place.body.footprint_distance(holder.position) <= _GONE_FROM):
        return None
    there = when(around.traces.get(holder.id, ()), place.body, max(track.changed, place.opened_at or track.changed), reached[1], place)
    return _left_in(track, place, there[0], track.sure * there[1]) if there and there[1] > IN_IT else None


def _opened_behind_somebody(track: "ThingTrack", holder: PersonTrack, place: PlaceTrack, around: "Surroundings") -> float | None:
    """When, if its holder stood before a container, hidden behind somebody, for all the time that it was open, nobody else had a hand in it, and theirs are bare since."""
    opened, shut = place.opened_at, place.closed_at
    if opened is None or shut is None or not track.last_seen < opened < shut or not (_hands_show(holder, around) and _would_show(track, holder, around)):
        return None
    own = around.traces.get(holder.id, ())
    before, after = [s for s in own if s.stamp <= opened], [s for s in own if s.stamp >= shut]
    if not before or not after or any(opened < s.stamp < shut for s in own) or after[0].stamp - before[-1].stamp > HIDDEN:
        return None
    if any(place.body.footprint_distance(s.position) > _GONE_FROM for s in (before[-1], after[0])):
        return None
    others = (when(t, place.body, opened, shut, place) for k, t in around.traces.items() if k != holder.id)
    return None if any(o is not None and o[1] > IN_IT for o in others) else 0.5 * (opened + shut)


def _out_of_the_fist(track: "ThingTrack", holder: PersonTrack, around: "Surroundings") -> "ThingTrack | None":
    """Concluded of what a fist hides, so that no bare hand tells: it is in the container that they stood at unwatched and reached into, now that they have left
    it. None: not yet, or not there."""
    place = _unseen_put(track, around)
    if place is None or classes.get(place.cls).kind is not classes.Kind.CONTAINER or not _fits_a_fist(track) and _would_show(track, holder, around) \
            or place.body.footprint_distance(holder.position) <= _GONE_FROM \
            or not _in_view_since(holder, track, around.frame.stamp, around):
        return None
    if not any(place.body.distance(h) < _IN for s in around.traces.get(holder.id, ()) if s.stamp >= track.changed for h in s.hands):
        return None
    return _left_in(track, place, _amid_the_stay(track, place, around), _BEHIND * track.sure)


def _had_a_hand_in(track: "ThingTrack", holder: PersonTrack, reached: tuple[str, float], around: "Surroundings") -> bool:
    """Whether a hand of theirs was seen in the container just after the thing was last seen with them: fewer looks at bare hands tell that they left it there."""
    place = around.places.get(reached[0])
    return place is not None and any(place.body.distance(h) < _IN for s in around.traces.get(holder.id, ())
                                     if track.last_seen <= s.stamp <= track.last_seen + _THEN for h in s.hands)


def _went_nowhere_else(track: "ThingTrack", place: PlaceTrack) -> bool:
    """Whether they were for long at this one container since the thing was last seen, or taken with nobody seeing it: all that is missing is that they do not have it."""
    return classes.get(place.cls).kind is classes.Kind.CONTAINER and track.stood[place.id] >= 2 * _PUT_TAKES


def still_in(track: "ThingTrack", box: Box, around: "Surroundings") -> tuple[str, float] | None:
    """The container it was held in a moment ago, where it still shows through the crack of its door as that shuts."""
    place = around.places.get(track.reached[0]) if track.reached is not None else None
    fresh = place is not None and place.openness is not Openness.OPEN and around.frame.stamp - track.reached[1] < _CRACK
    return track.reached if fresh and place.body.contains(np.asarray(box.centre)[None], 0.05)[0] else None


def _left_in(track: "ThingTrack", place: PlaceTrack, stamp: float, sure: float) -> "ThingTrack":
    """Concluded: its holder put it there then."""
    inside = classes.get(place.cls).kind is classes.Kind.CONTAINER
    x, y, z = place.body.centre
    return replace(track, holder=None, place=place.id, inside=inside, guessed=True, reached=None, tried=None, stood={}, bare=0,
                   changed=by_when_it_showed(track, place, stamp),
                   box=replace(track.box, centre=(x, y, z if inside else min(place.body.top, SEAT if place.cls in SEATS else _SHOULDER))), sure=sure,
                   tracking=Tracking.CONTAINED if inside and place.openness is not Openness.OPEN else Tracking.OCCLUDED)


def _amid_the_stay(track: "ThingTrack", place: PlaceTrack, around: "Surroundings") -> float:
    """When its holder put it there, which nobody saw: into what they opened and shut unseen, in the middle of their longest stay at it, for a door takes as long either way."""
    stances, stays = around.traces.get(track.holder or "", ()), []
    for i, s in enumerate(stances):
        if presence(stances[:i + 1], place.body) >= _AT_IT:
            if not stays or s.stamp - stays[-1][1] > _ELSEWHERE:
                stays.append([s.stamp, s.stamp])
            stays[-1][1] = s.stamp
    stays = [stay for stay in stays if stay[1] >= track.last_seen]
    if classes.get(place.cls).kind is not classes.Kind.CONTAINER or not stays:
        return handled(track.holder or "", place.body, None, track.last_seen, around.frame.stamp, around)
    begun, ended = max(stays, key=lambda stay: stay[1] - stay[0])
    name, since = track.entered or ("", math.inf)
    return max(min(track.last_seen, since) if name == place.id else track.last_seen, 0.5 * (begun + ended))


def by_when_it_showed(track: "ThingTrack", place: PlaceTrack, stamp: float) -> float:
    """When it was put into a container, ``stamp`` by all else: not later than it first showed in there in its holder's hand, since that was opened."""
    name, since = track.entered or ("", stamp)
    return min(stamp, since) if name == place.id and place.opened_at is not None and since >= place.opened_at else stamp


def _watched(track: "ThingTrack", holder: PersonTrack, around: "Surroundings") -> "ThingTrack":
    """Where its holder stands while it is out of sight, and whether hands are seen that do not have it."""
    stances, stamp = around.traces.get(holder.id, ()), around.frame.stamp
    stood = dict(track.stood)
    for place in around.places.values():
        if classes.get(place.cls).is_place and place.established and place.confirmed < stamp and place.cls not in SEATS:
            here = presence(stances, place.body)
            if here > _AT_IT:
                stood[place.id] = stood.get(place.id, 0.0) + here * min(around.dt, 1.0)
    bare = _hands_show(holder, around) and _would_show(track, holder, around)
    since = track.bare_since if track.bare else stamp  # what is shown by many looks at bare hands held from the first of them on
    return replace(track, stood=stood, bare=track.bare + bare, bare_since=since)


def stood_since(taker: str, track: "ThingTrack", around: "Surroundings") -> dict[str, float]:
    """Place → s for which whoever took the thing unseen has stood there with nobody seeing whether it was open, from when they first had a hand where it lay."""
    stances = [s for s in around.traces.get(taker, ()) if s.stamp >= track.last_there]
    spot = track.spot
    first = next((i for i in range(len(stances)) if presence(stances[:i + 1], spot) >= _AT_IT), len(stances))
    stood: dict[str, float] = {}
    for i in range(first + 1, len(stances)):
        now, before = stances[i].stamp, stances[i - 1].stamp
        for place in around.places.values():
            begun, ended = place.unwatched or (0.0, 0.0)
            unseen = place.confirmed < now or begun < now < ended
            if classes.get(place.cls).is_place and place.established and place.cls not in SEATS and place.id != track.place and unseen:
                here = presence(stances[:i + 1], place.body)
                if here > _AT_IT:
                    stood[place.id] = stood.get(place.id, 0.0) + here * min(now - before, 1.0)
    return stood


def _hands_show(holder: PersonTrack, around: "Surroundings") -> bool:
    """Whether what they held would be seen: both hands are, or one is and they are not seen from behind."""
    if len(holder.hands) > 1 or not holder.hands or holder.yaw is None:
        return len(holder.hands) > 1
    x, y = np.subtract(around.frame.camera_pose[:2, 3], holder.position)
    return float(np.cos(np.arctan2(y, x) - holder.yaw)) > _FROM_BEHIND


def _would_show(track: "ThingTrack", holder: PersonTrack, around: "Surroundings") -> bool:
    """Whether the thing would be seen in a hand that is in view: a fist hides what is small, but for what has shown in this one, and so does the distance."""
    away = math.dist(holder.position, around.frame.camera_pose[:2, 3])
    showed = not _fits_a_fist(track) or track.showed[0] == holder.id and track.showed[1] >= _SHOWED
    return showed and around.frame.camera.fx * _breadth(track) > _PIXELS * max(away, 0.1)


def _fits_a_fist(track: "ThingTrack") -> bool:
    return _breadth(track) <= _FIST


def _breadth(track: "ThingTrack") -> float:
    """Its size as it shows, m: the root of its two larger measures' product."""
    return float(np.sqrt(np.prod(sorted(np.maximum(track.box.size, classes.get(track.cls).size))[1:])))


def _still_at(track: "ThingTrack", holder: PersonTrack, opened: bool, around: "Surroundings") -> bool:
    """Whether the holder is still at one of the places they have stood at: their hands may be in it, unless they have ``opened`` one and both hands are seen to
    be clear of it."""
    stances = around.traces.get(holder.id, ())
    clear = lambda body: opened and _hands_show(holder, around) and min(body.distance(h) for h in holder.hands) > _CLEAR  # noqa: E731
    return any(presence(stances, body) >= _AT_IT and not clear(body) for body in (around.places[name].body for name in track.stood if name in around.places))


def _unseen_put(track: "ThingTrack", around: "Surroundings") -> PlaceTrack | None:
    """Where the holder of a thing must have put it behind their own back, their hands being bare now: the place at which they stood for long, and at
    no other of its kind nearly as long. What is put on something is mostly seen there: only where they hardly stood at anything that opens."""
    best = {}
    for kind in (classes.Kind.CONTAINER, classes.Kind.SURFACE):
        ranked = sorted(((seconds, name) for name, seconds in track.stood.items()
                         if name in around.places and classes.get(around.places[name].cls).kind is kind), reverse=True)
        if ranked and ranked[0][0] >= _PUT_TAKES * (0.5 if _came_to(track, around.places[ranked[0][1]], around) else 1.0):
            clear = len(ranked) == 1 or ranked[1][0] < _CLEARLY * ranked[0][0]
            best[kind] = ranked[0][0], around.places[ranked[0][1]] if clear else None
    inside, on = best.get(classes.Kind.CONTAINER, (0.0, None)), best.get(classes.Kind.SURFACE, (0.0, None))
    if inside[0] >= _HARDLY * on[0]:
        return inside[1]
    return on[1] if on[1] is not None and _stay(track, on[1], around) < _BUSY else None


def _only_container(track: "ThingTrack", around: "Surroundings") -> PlaceTrack | None:
    """The one place that its holder, in view all the while, stood at since the thing was last seen, if it is a container and they were there for half as long as a
    put takes: what they are known not to have any more is nowhere else."""
    (name, seconds), *others = track.stood.items() or [("", 0.0)]
    place = around.places.get(name)
    return place if place is not None and not others and seconds >= 0.5 * _PUT_TAKES and classes.get(place.cls).kind is classes.Kind.CONTAINER else None


def _came_to(track: "ThingTrack", place: PlaceTrack, around: "Surroundings") -> bool:
    """Whether the hand that held it had reached the place when it was last seen, or a hand of theirs was seen in it since."""
    return track.seen_at is not None and place.body.distance(track.seen_at) < _REACHED or _reached_into(track, place, around)


def _reached_into(track: "ThingTrack", place: PlaceTrack, around: "Surroundings") -> bool:
    return any(place.body.distance(h) < _IN for s in around.traces.get(track.holder or "", ()) if s.stamp >= track.last_seen for h in s.hands)


def _stay(track: "ThingTrack", place: PlaceTrack, around: "Surroundings") -> float:
    """For how long its holder has been before the place since the thing was last seen, s: what is only laid down takes no time, and who is busy there for
    long may have opened something that is not known."""
    there = [s.stamp for s in around.traces.get(track.holder or "", ()) if s.stamp >= track.last_seen and place.body.footprint_distance(s.position) < _BEFORE_IT]
    return there[-1] - there[0] if there else 0.0


def _in_view_since(holder: PersonTrack, track: "ThingTrack", until: float, around: "Surroundings", opened: PlaceTrack | None = None) -> bool:
    """Whether the holder was hardly out of view from when the thing was last seen, or they took it as was concluded later, but for the time that the way they made
    took, or for which they were busy with what they were seen to have ``opened``, or came into view again where they had been: else they may have put it anywhere."""
    since = max(track.last_seen, track.changed)
    stances = around.traces.get(holder.id, ())
    told = [*[s for s in stances if since - _AWAY < s.stamp < since][-1:], *[s for s in stances if since <= s.stamp]]  # from the last sight of them before it, too
    seen = [s for s in told if s.stamp <= until]
    at_it = lambda s: opened is not None and opened.body.footprint_distance(s.position) < _BEFORE_IT  # noqa: E731
    until_then = lambda a, b: opened.opened_at if at_it(b) and a.stamp < (opened.opened_at or a.stamp) < b.stamp else b.stamp  # noqa: E731
    gaps = [(until_then(a, b) - a.stamp, min(math.dist(c.position, a.position) for c in told[i:i + _AGAIN])) for i, (a, b) in enumerate(zip(seen, seen[1:]), 1)]
    first = seen[0].stamp - since if seen else until - since
    return first < _AWAY and all(gap < _AWAY or gap < _HIDDEN and (moved < _STAYED or gap - moved / _PACE < _AWAY) for gap, moved in gaps)


def somebody_at(place: PlaceTrack, around: "Surroundings") -> bool:
    """Whether anybody stands where they, or the door they opened, hide what is in it: what was only concluded to be there is not missed then."""
    return any(p.visible and place.body.footprint_distance(p.position) < _BEFORE_IT for p in around.people.values())


def _nearest_to(place: PlaceTrack, around: "Surroundings") -> str:
    return min((place.body.footprint_distance(p.position), p.id) for p in around.people.values() if p.visible)[1]


def handled(person: str, box: Box, container: str | None, earliest: float, latest: float, around: "Surroundings") -> float:
    """When that person's hand was in the box, or somewhere in the container it is in; ``latest`` if it never was."""
    place = around.places.get(container or "")
    found = when(around.traces.get(person, ()), box if place is None else place.body, earliest, latest, place)
    return found[0] if found is not None else latest
