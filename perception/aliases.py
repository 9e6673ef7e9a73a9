"""A thing that turns up under another name.

A detector that calls an apple on the counter an orange may call it a potato on the table. Names at one place are averaged (:mod:`perception.naming`); from one place
to the next it takes the hand that carried it: what was in somebody's hand unseen, and what then lies for the first time where that hand was, is one thing.
Both must be of a size, and each have some of the other's name in it. Invariants: what was seen in this frame, or has one of its own name at hand, is never taken for
another; what may have been there all along, unseen, is new. With detections that have no second opinion nothing happens here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from household.scene_graph import ROBOT, Tracking
from perception.absence import Look as Seen, look_for
from perception.appearance import odds
from perception.association import AT_IT, came_from_somewhere, out_of_there, passed, showed_before
from perception.geometry import Box, length
from perception.handling import when
from perception.hands import touch_distance
from perception.lifting import Lifted
from perception.naming import ALIKE, GRASP, SMALL
from perception.records import replace
from perception.support import support_of
from perception.thing_track import Surroundings, ThingTrack, believed_in, was_believed_in

Look = np.ndarray  # :func:`perception.appearance.look_of`
_UNHEARD = 0.004  # how likely a thing is to bear a name that no look gave it
RESEMBLES, _NOT_LONG = 6.0, 20.0  # odds by looks from which a thing is known again that many s after it was last seen, though somebody hides its place
_PLAUSIBLE = 0.04  # how likely each must be to bear the other's name
_ABOUT, _AFTER = 0.2, 1.0  # the same of what may well go by the same name; s that a hand may stay after the thing first shows
_LIKELY = 0.3  # how likely one must be to bear the other's name for that
_IN_THERE = 0.05  # the same where a hand that shows it has been in what the other is in
_LATELY = 3.0  # s since a thing that nobody is known to have taken was last seen
LOOKS = 10  # at most, that what it was called before counts for
_LAY = 0.6  # s for which it lay there in plain view
_AT_ONCE, _PART = 1.0, 0.03  # s between the moments at which two come into one hand; m about what lay there within which a part of it is
_GLIMPSE, _REACH, _LIFTED = 0.4, 0.5, 0.05  # s for which what a hand lifts may seem to lie; m from where it lay, and above that
_SHOWS_SOON = 2.5  # s after something was taken in which it shows in that hand for the first time
_OPEN_FOR = 8.0  # s that a container may stand open before what is taken out of it shows
_YOUNG = 4.0  # s since it turned up for which a thing may turn out to be one that is known
_CLEARLY = 1.25  # times as likely must another name be


def same_as(one: Lifted, look: Look | None, known: Mapping[str, "ThingTrack"], seen: Collection[str], found: Sequence[Lifted],
            around: "Surroundings") -> "ThingTrack | None":
    """The known thing of another class that ``one`` must be, or None. ``look``: what ``one`` looks like; ``seen``: ids of what was found in this frame; ``found``: all
    loose things plainly seen."""
    if not one.detection.names or max(one.box.size) > SMALL:
        return None
    if support_of(one.box, around.places, around.config).inside and not came_from_somewhere(one, around):
        return None  # it may have lain in there all along
    best = max(((_surely(t, one, look, around), t.id) for t in known.values() if t.id not in seen and _could_be(t, one, look, found)), default=(0.0, ""))
    return known[best[1]] if best[0] >= AT_IT else None


def may_be_known(one: Lifted, look: Look | None, known: Mapping[str, "ThingTrack"], seen: Collection[str]) -> bool:
    """Whether ``one`` may as well be a known thing that is out of sight or in a hand: then a faint sight of it, which says little about whose hand that is in, tells
    of nothing new."""
    return any(t.id not in seen and (t.holder is not None or not t.visible) and (t.cls == one.cls or _alike(t, one.cls, one.detection.names, one.box, look))
               for t in known.values())


def _could_be(track: "ThingTrack", one: Lifted, look: Look | None, found: Sequence[Lifted]) -> bool:
    return track.cls != one.cls and not showed_before(track, one) and _alike(track, one.cls, one.detection.names, one.box, look) and not any(x.cls == track.cls for x in found)


def _alike(track: "ThingTrack", cls: str, names: Sequence[tuple[str, float]], box: Box, look: Look | None) -> bool:
    """Whether a known thing and what is seen now may be one, by name, size and looks."""
    return _well_known_and_as_large(track, box) and _as_one(track, cls, names, look) >= _PLAUSIBLE


def _well_known_and_as_large(track: "ThingTrack", box: Box) -> bool:
    """Whether a thing that may go by another name was seen more than once, and is about as large as what is seen now, or was when more of it showed."""
    return bool(track.names) and track.hits >= 2 and min(abs(np.log(size / max(box.size))) for size in (track.across, max(track.box.size))) <= np.log(ALIKE)


def _as_one(track: "ThingTrack", cls: str, names: Sequence[tuple[str, float]], look: Look | None) -> float:
    """How likely one of them is to bear the other's name, 1 if they have the same; times the odds that their looks give."""
    if track.cls == cls:
        return 1.0
    return min(1.0, max(_named_alike(track, cls, names), _UNHEARD) * odds(track.look, look))


def _named_alike(track: "ThingTrack", cls: str, names: Sequence[tuple[str, float]]) -> float:
    """How likely one of them is to bear the other's name, by what they are called alone."""
    return max(dict(names).get(track.cls, 0.0), dict(track.names).get(cls, 0.0))


def _surely(track: "ThingTrack", one: Lifted, look: Look | None, around: "Surroundings") -> float:
    """How surely a hand brought it from where the thing was last known to be, in [0, 1]."""
    stamp, traces = around.frame.stamp, around.traces
    resembles = odds(track.look, look) >= RESEMBLES
    if track.holder is not None:
        holder = around.people.get(track.holder)
        if holder is not None and holder.visible and touch_distance(holder, one.box) <= around.config.hand_distance:
            return 1.0
        if one.cut:
            return 0.0  # as in :func:`carried_here`
        there = when(traces.get(track.holder, ()), one.box, track.last_seen, stamp)
        return there[1] if there is not None else 0.0
    if resembles and track.tracking is Tracking.LOST and came_from_somewhere(one, around):
        return AT_IT
    if resembles and (taken := out_of_there(track, one, around.config.hand_distance, around)) is not None:
        return taken
    if stamp - track.last_seen > (_NOT_LONG if resembles else _LATELY) or track.place is None or track.inside and track.guessed:
        return 0.0
    at_its_place = look_for(track, around.places.get(track.place) if track.inside else None, around)
    if at_its_place not in (Seen.MISSING, Seen.EMPTY) and not (resembles and at_its_place in (Seen.HIDDEN, Seen.OUT)):
        return 0.0
    takers = [when(traces.get(p.id, ()), track.box, track.last_seen, stamp) for p in around.people.values()
              if p.visible and touch_distance(p, one.box) <= around.config.hand_distance]
    return max((t[1] for t in takers if t is not None), default=0.0)


def carried_here(known: Mapping[str, "ThingTrack"], seen: Mapping[str, Lifted], around: "Surroundings") -> list[tuple[str, str, float]]:
    """(id of what turned up a moment ago, id of what it is, when it was put down or taken): what somebody's hand brought there, or holds, or took out of where it was put
    away, and nobody has seen since; each once.
    For when only further looks give it a name that it can have, before anybody was told of both. ``seen``: what was found in this frame, by id."""
    found = [(1.0, young.id, old.id, old.changed) for old in known.values() if old.guessed and old.holder is not None for young in known.values()
             if _shown_before(old, young) and around.frame.stamp - young.born <= _YOUNG]
    for young in known.values():
        told = was_believed_in(young, around.config)
        if young.id not in seen or not young.names or around.frame.stamp - young.born > _YOUNG:
            continue
        if young.holder is not None and young.rest is not None and young.changed - young.born > _LAY:
            continue  # taken from where it was seen to lie
        if young.holder is None and seen[young.id].cut:
            continue  # of what the picture's edge cuts off nobody knows where and what it is
        for old in known.values():
            if old.id in seen or old.holder == ROBOT or showed_before(old, seen[young.id]):
                continue
            if _in_one_grasp(old, young) or not told and _found_where_put(old, young):
                found.append((1.0, young.id, old.id, old.changed))
                continue
            if told and believed_in(old, around.config) and (young.cls != old.cls or young.holder is None) and odds(old.look, young.look) < RESEMBLES:
                continue  # both are known by their names
            if old.last_seen >= young.born or not _alike(old, young.cls, young.names, young.box, young.look):
                continue
            if young.inside and not _put_in_before_named(old, young):
                continue  # it may have lain in there all along
            if old.holder is None:
                if (out := _taken_out(old, young, around) or _taken_away(old, young, around)) is not None:
                    found.append((out[1], young.id, old.id, out[0]))
                continue
            if young.holder is not None:  # shown by the very hand that has the other, or by one that may have it from there
                alike = _as_one(old, young.cls, young.names, young.look) >= _LIKELY
                if young.holder == old.holder and alike:
                    found.append((1.0, young.id, old.id, old.changed))
                elif alike and (taken := _left_and_taken(old, young, around)) is not None:
                    found.append((taken[1], young.id, old.id, taken[0]))
                continue
            there = when(around.traces.get(old.holder, ()), young.box, old.last_seen, min(young.born + _AFTER, around.frame.stamp))
            if there is not None and there[1] >= (_ABOUT if _as_one(old, young.cls, young.names, young.look) >= _LIKELY else AT_IT):
                found.append((there[1], young.id, old.id, there[0]))
    taken: set[str] = set()
    result = []
    for _, young, old, stamp in sorted(found, reverse=True):
        if not {young, old} & taken:
            taken |= {young, old}
            result.append((young, old, stamp))
    return result


def _found_where_put(old: "ThingTrack", young: "ThingTrack") -> bool:
    """Whether what turned up in a container has got the name of what is only concluded to be somewhere in there: by that name from the first it would be that."""
    return (old.guessed and old.inside and young.inside and young.place == old.place and young.cls == old.cls and bool(young.formerly)
            and young.born > max(old.changed, old.last_seen))


def _shown_before(old: "ThingTrack", young: "ThingTrack") -> bool:
    """Whether what is by now concluded to have been taken is what showed before that at the hands it is said to be in: of the same name, and seen nowhere before."""
    return (old.holder == young.holder and old.cls == young.cls and not young.guessed and old.last_seen < young.born
            and 0.0 <= young.born - old.changed <= _SHOWS_SOON)


def _put_in_before_named(old: "ThingTrack", young: "ThingTrack") -> bool:
    """Whether what lies in a container has only lately got the name of what somebody has in hand who had that container open: by that name from the first it would be that."""
    return old.holder is not None and young.cls == old.cls and bool(young.formerly) and old.reached is not None and old.reached[0] == young.place


def _in_one_grasp(old: "ThingTrack", young: "ThingTrack") -> bool:
    """Whether both came into one hand at one moment, of which only the young one has been seen in it, which never lay anywhere but where the other did: fingers and
    another side make of a thing something else to a detector. What shows there only a little later may have been something else, and must be one that may bear the other's name."""
    if young.holder is None or young.holder != old.holder or old.last_seen > young.changed:
        return False
    soon = 0.0 <= young.born - old.changed <= _SHOWS_SOON and old.guessed and _named_alike(old, young.cls, young.names) >= _LIKELY
    if not soon and abs(old.changed - young.changed) > _AT_ONCE or not _well_known_and_as_large(old, young.box):
        return False
    if young.rest is None or old.rest is None:
        return young.rest is None
    on_its_way = young.changed - young.born <= _GLIMPSE and math.dist(young.rest, old.rest) <= _REACH and young.rest[2] - old.rest[2] > _LIFTED
    return on_its_way or bool(replace(old.box, centre=tuple(old.rest)).contains(np.asarray(young.rest)[None], _PART)[0])


def _left_and_taken(old: "ThingTrack", young: "ThingTrack", around: "Surroundings") -> tuple[float, float] | None:
    """When, and how surely, in [0, 1], somebody took out of a container what another had last, and may have put in there: since then nobody looked at it for
    long enough, and they came within reach of it or may have. None: nothing tells of it."""
    had = around.people.get(old.holder or "")
    if had is not None and had.visible and touch_distance(had, young.box) <= around.config.hand_distance:
        return None
    best = None
    for place in around.places.values():
        if place.opened_at is None or place.opened_at <= old.last_seen or place.opened_at < young.born - _OPEN_FOR:
            continue
        if not place.was_deserted(old.last_seen) or not passed(around.traces.get(old.holder or "", ()), np.asarray(place.body.centre[:2]), old.last_seen, around.config):
            continue
        there = when(around.traces.get(young.holder or "", ()), place.body, place.opened_at, young.born, place)
        if there is not None and there[1] >= AT_IT and (best is None or there[1] > best[1]):
            best = there
    return best


def _taken_out(old: "ThingTrack", young: "ThingTrack", around: "Surroundings") -> tuple[float, float] | None:
    """When, and how surely, in [0, 1], what somebody holds was taken out of the container that the other is known to be in: it was opened since, or the two look
    alike (who stands before a drawer hides that it is open), and their hand was in it before theirs first showed. Of what has only been seen in that hand little else is to
    be thought, so that it hardly needs to go by the other's name. None: it was not."""
    place = around.places.get(old.place or "") if old.inside and young.holder is not None else None
    if place is None:
        return None
    opened = place.opened_at is not None and place.opened_at > old.changed
    if _as_one(old, young.cls, young.names, young.look) < (_IN_THERE if opened and young.rest is None else _LIKELY):
        return None
    if not opened and odds(old.look, young.look) < RESEMBLES:
        return None
    since = place.opened_at if opened else max(old.changed, place.closed_at or 0.0)
    there = when(around.traces.get(young.holder, ()), place.body, max(old.last_seen, since), young.born, place if opened else None)
    return there if there is not None and there[1] >= AT_IT else None


def _taken_away(old: "ThingTrack", young: "ThingTrack", around: "Surroundings") -> tuple[float, float] | None:
    """The same of what lay open to view and is gone from there: who holds the young one since was at it before that first showed. None: they were not."""
    if young.holder is None or old.inside or _as_one(old, young.cls, young.names, young.look) < _LIKELY:
        return None
    if old.tracking is not Tracking.LOST and look_for(old, None, around) not in (Seen.MISSING, Seen.EMPTY):
        return None
    there = when(around.traces.get(young.holder, ()), old.box, old.last_seen, young.born)
    return there if there is not None and there[1] >= AT_IT else None


def mistaken_for(known: Mapping[str, "ThingTrack"], seen: Collection[str], around: "Surroundings") -> set[str]:
    """Ids of what was made out in somebody's hand once or twice, where another thing now shows that is known: it was that, under a wrong name."""
    shown = [t for t in known.values() if t.id in seen and t.holder not in (None, ROBOT) and believed_in(t, around.config)]
    return {t.id for t in known.values() if t.id not in seen and t.names and not believed_in(t, around.config) and t.rest is None
            and any(o.holder == t.holder and length(o.centre - t.centre) <= GRASP for o in shown)}


def pooled(track: "ThingTrack", names: Sequence[tuple[str, float]], looks: int = 1) -> dict[str, float]:
    """Class → how likely, by what was seen of it before and what it was called in ``looks`` looks since."""
    before, now, weight, more = dict(track.names), dict(names), min(float(track.hits), LOOKS), min(float(looks), LOOKS)
    return {n: (weight * before.get(n, 0.0) + more * now.get(n, 0.0)) / (weight + more) for n in {**before, **now}}


def best_name(names: Mapping[str, float], old: str, new: str) -> str:
    """The old one, unless the new one is clearly likelier."""
    return new if names.get(new, 0.0) > _CLEARLY * names.get(old, 0.0) else old
