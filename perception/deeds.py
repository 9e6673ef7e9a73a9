"""What hands did: taken, put down, handed over, read off who has which thing from frame to frame.

Most of it nobody sees: a thing turns up in a hand, or elsewhere, and whose hand was at both places tells the rest (perception.handling). A change of hands counts once
it lasted; a pick of which nobody is sure yet waits for a better look. Invariant: each deed is told once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import Openness, Tracking
from perception.config import PerceptionConfig
from perception.geometry import Box
from perception.handling import BOTH, CLEARLY, last_stay, open_from, reach_to, when
from perception.hands import portable
from perception.looks import Shows, shows
from perception.moment import Moment
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.recent import PastView, shown
from perception.records import replace
from perception.seats import SEATS
from perception.support import support_of
from perception.thing_track import LIES, PASSED_ON, ThingTrack, believed_in

_NEW = 1.5  # s within which a thing that turned up was first seen where it is now
_LOW = 0.3  # m: what rested lower lay on the floor
_STAYED = 0.2  # m: what seemed to be in a hand from the first, and is still there, was never in it
_APART, _UNSEEN = 0.5, 0.7  # m by which, and s after which, what lies elsewhere was carried there
_BEFORE, _AT_IT, _LOOKED_AT = 3.0, 0.45, 10  # s before a thing turned up, m of a hand from it, looks at what it turned up on
_STILL_AT_IT = 0.4  # s after it turned up for which the hand that put it there is still at it
_TOGETHER_S, _TOGETHER_M = 2.0, 1.8  # seen so lately and standing so near, two people can hand something over
_NOT_YET = 0.5  # s before a hand was nearest in which it did not lie there yet
_SHOWN = 4.0  # s within which a thing that turned up is made sure of
_AT = 0.3  # how surely a hand must have been in a container
_SOMEWHERE = 0.15  # the same for what had been missing, and must have come from somewhere
_LOOKED_BACK, _EMPTY, _SHOWS = 8.0, 6, 0.12  # s back from when a thing is first seen in a hand; looks at both hands without it; m across that show there
_CHAIR = 0.5  # how likely something is put on a seat, against anything else that is as near: one stands before what people reach for more often than it is what they reach for
_SETTLED = 2  # frames for which who has a thing must have been the same before it is told
_ONCE = 1.4  # s after which what has shown in a hand in one picture only is taken to be there all the same
_KEPT = 1.0  # s for which another must have it before it was handed over: who passes close by somebody seems to have what they hold
_LET_GO, _BESIDE = 1.5, 1.2  # s for which what seems to be let go must be so while who held it is so near (m)
_AS_HELD = 0.1  # m from where it was in that hand within which it lies there as it was held
_RATHER = 0.4  # how likely a deed must be to be told: of those less likely, mostly of things that bear a wrong name, none of nine was right in sixteen homes
_TOLD_AT, _WAITS = 0.5, 3.0  # how sure a pick must be to be told at once; s for which it waits for a better look at what it is, or where it came from
_LEAD = 0.4  # s that a grasp has begun before it shows
_LAST_LOOK, _LONG_BEFORE = 3.0, 1.0  # s after a door began to shut in which what was done before may still seem to be done; before that in which it mostly was
_SHOWN_LATE = 1.0  # s after something shows in a hand in which a container that was open before may be seen to be open
_JUST_BEFORE, _REACHES_IN = 2.0, 0.2  # s by which a look into a container may come before the one that shows it open; from when it is open until a hand is in it
_JUST_LEFT = 1.5  # s after somebody has left what they opened and shut in which what came out of it shows
_TO_SHUT, _TO_SHUT_LOW = 2.0, 1.2  # s before somebody leaves what they have shut again that they took something out of it; so much more where one bends down to it
_RECENT = 12.0  # seconds after which an opened container no longer explains what somebody has in hand


@dataclass(frozen=True)
class Hand:
    """Who has a thing, as told so far: ``holder``, and the ``thing`` as it was then. ``taken``: where it was when it got into that hand, None if its
    getting there was told. ``next``, ``frames``, ``since``: who seems to have it instead, for how many frames and from which stamp on; ``between``: the thing as they last had it. ``met``: who had it in hand,
    and where, when it was first seen, as long as nothing was told of it. ``owed``: (the thing as it was before, since when) of a pick that is still to be told."""

    holder: str | None = None
    thing: ThingTrack | None = None
    taken: tuple[float, float, float] | None = None
    next: str | None = None
    frames: int = 0
    since: float = 0.0
    between: ThingTrack | None = None
    met: tuple[str, tuple[float, float, float]] | None = None
    owed: tuple[ThingTrack | None, float] | None = None


def follow(hands: Mapping[str, Hand], now: Moment, config: PerceptionConfig) -> tuple[dict[str, Hand], list[HumanAction]]:
    """Who took, put or handed over what. A change of hands counts once it lasted, so that a flicker is no event; its time is the tracker's."""
    result, events, carried = {}, [], []
    for thing in now.things.values():
        if not portable(thing):
            continue  # a wheelchair that was pushed elsewhere was not taken in hand
        hand = hands.get(thing.id) or Hand(met=None if thing.holder is None else (thing.holder, tuple(thing.spot.centre)))
        if not believed_in(thing, config):
            if hand.met is not None or thing.id in hands:  # a look that leaves its name in doubt takes nothing back
                result[thing.id] = hand
            continue
        if thing.id not in hands and hand.met is None:
            events += _set_down(thing, now)
        if thing.holder == hand.holder:
            put = _met_and_put(hand, thing, now)
            if hand.thing is not None and thing.holder is None and not put:
                through = _through_a_hand(hand, thing, now)
                events += through
                carried += [] if through else _carried_over(hand.thing, thing, now)  # of where it was and is there is no doubt
            events += put
            if hand.owed is not None:
                hand, picked = _pick_owed(hand, thing, now)
                events += picked
            result[thing.id] = replace(hand, frames=0, between=None, thing=thing, met=None if put else hand.met)
            continue
        passed_on = hand.holder is not None and thing.holder is not None
        shows = thing.visible or thing.guessed or thing.holder is None or not passed_on and now.stamp - thing.changed > _ONCE
        frames, since = (hand.frames + shows, hand.since) if thing.holder == hand.next and hand.frames else (1, now.stamp)
        if frames < (PASSED_ON if passed_on else _SETTLED) or passed_on and now.stamp - thing.changed < _KEPT or _still_beside(hand, thing, now, since, config):
            result[thing.id] = replace(hand, next=thing.holder, frames=frames, since=since, between=hand.between if thing.holder is None else thing)
            continue
        if hand.owed is not None and (thing.holder is not None or not _stayed(hand, thing)):  # it was taken, and is given away before anybody could tell what it is
            hand, picked = _pick_owed(hand, hand.thing, now, at_last=True)
            events += picked
        if hand.holder is None:
            first = hand.met[1] if hand.met is not None and hand.met[0] == thing.holder else tuple((hand.between or thing).spot.centre)
            result[thing.id], picked = _pick_owed(Hand(thing.holder, thing, first, owed=(_borne(hand.thing, now, config), now.stamp)), thing, now)
            events += picked
            continue
        sure = round(thing.known_confidence, 3)
        if thing.holder is not None:
            events += _passed_on(hand, thing, now, sure)
        elif not _stayed(hand, thing):
            events += _put_by_another(hand, thing, now, sure) or _put(hand.holder, thing, now, sure)
        result[thing.id] = Hand(thing.holder, thing, hand.taken if thing.holder is not None else None)
    return result, [*carried, *(e for e in events if e.confidence >= _RATHER)]


def _borne(old: ThingTrack | None, now: Moment, config: PerceptionConfig) -> ThingTrack | None:
    """A thing as it was, on what is there now where the furniture that it was on turned out to be something else since."""
    if old is None or old.place is None or old.place in now.places or old.rest is None or old.holder is not None:
        return old
    support = support_of(replace(old.box, centre=old.rest), now.places, config)
    return replace(old, place=support.place, inside=support.inside)


def _pick_owed(hand: Hand, thing: ThingTrack, now: Moment, at_last: bool = False) -> tuple[Hand, list[HumanAction]]:
    """The pick that is still to be told of what somebody has in hand: as soon as it is sure enough, or ``at_last``, or once it has waited long enough and is rather so than not."""
    old, since = hand.owed
    sure = round(thing.known_confidence, 3)
    picked = _picked(old, thing, now, sure, since)
    if not at_last and now.stamp - since < _WAITS and _has_not_moved(hand, thing):
        return hand, []
    if not at_last and (now.stamp - since < _WAITS or sure < _RATHER) and not (picked and sure >= _TOLD_AT):
        return hand, []
    return replace(hand, owed=None, taken=None if picked else hand.taken), picked


def _has_not_moved(hand: Hand, thing: ThingTrack) -> bool:
    """Whether it shows in a hand in what stands open, where it was when it first seemed to be in that hand: it may be that the hand is only before it."""
    return thing.visible and thing.entered is not None and _stayed(hand, thing)


def _stayed(hand: Hand, thing: ThingTrack) -> bool:
    """Whether it is where it was when it first seemed to be in that hand, and nothing was told of that: it was never in it."""
    return hand.taken is not None and math.dist(thing.box.centre, hand.taken) <= _STAYED


def _still_beside(hand: Hand, thing: ThingTrack, now: Moment, since: float, config: PerceptionConfig) -> bool:
    """Whether it seems, from ``since`` on, to have been let go by somebody who is still at it: what is held still before an open cupboard looks as if it were in there. Not
    where that was shut on it a while ago."""
    holder, place = now.people.get(hand.holder or ""), now.places.get(thing.place or "")
    if holder is None or thing.holder is not None or math.dist(holder.position, thing.box.centre[:2]) >= _BESIDE:
        return False
    inside = thing.inside and not thing.guessed and place is not None
    if inside and place.openness is Openness.CLOSED:
        return place.closed_at is not None and now.stamp - place.closed_at < config.shut_on
    as_held = hand.thing is not None and math.dist(thing.box.centre, hand.thing.box.centre) < _AS_HELD
    return now.stamp - since < (config.let_go_inside if inside and as_held and place.openness is Openness.OPEN else _LET_GO)


def _passed_on(hand: Hand, thing: ThingTrack, now: Moment, sure: float) -> list[HumanAction]:
    """From hand to hand; or, of two who were not together, a put nobody saw and a pick, at a place where both had their hands."""
    giver, taker = now.people.get(hand.holder or ""), now.people.get(thing.holder or "")
    together = giver is None or taker is None or (
        now.stamp - giver.last_seen < _TOGETHER_S and math.dist(giver.position, taker.position) < _TOGETHER_M)
    if together:
        return [HumanAction(hand.holder, Verb.GIVE, thing.id, thing.holder, now.rooms.get(hand.holder), thing.changed, now.stamp, sure)]
    found = []
    for place in now.places.values():
        if classes.get(place.cls).is_place and place.established:
            inside = place if classes.get(place.cls).kind is classes.Kind.CONTAINER else None
            put = when(now.traces.get(giver.id, ()), place.body, hand.thing.last_seen if hand.thing else 0.0, giver.last_seen, inside)
            taken = when(now.traces.get(taker.id, ()), place.body, thing.changed - _BEFORE, now.stamp, inside)
            if put and taken and min(put[1], taken[1]) > _AT:
                found.append((min(put[1], taken[1]), place.id, put[0], taken[0], inside is not None))
    if not found:
        return [HumanAction(taker.id, Verb.PICK, thing.id, None, now.rooms.get(taker.id), thing.changed, now.stamp, sure)]
    likely, place, put_at, taken_at, inside = max(found, key=lambda f: (f[0] * (_CHAIR if now.places[f[1]].cls in SEATS else 1.0), f))
    verb = Verb.PUTIN if inside else Verb.PUTON
    return [HumanAction(giver.id, verb, thing.id, place, None, put_at, put_at, round(likely * sure, 3)),
            HumanAction(taker.id, Verb.PICK, thing.id, place, now.rooms.get(taker.id), taken_at, now.stamp, sure)]


def _picked(old: ThingTrack | None, thing: ThingTrack, now: Moment, sure: float, since: float) -> list[HumanAction]:
    """The pick of a thing that has been in this hand from ``thing.changed`` on, as it seemed at ``since``; none where it may have been carried in."""
    holder = now.people.get(thing.holder or "")
    if holder is None:
        return []
    place = old.place if old is not None else None
    source, start = now.places.get(place or ""), _taken_from(old, thing, now)
    gone = old is not None and old.tracking is Tracking.LOST  # from where it was, before this hand had it
    if source is None or gone or _turned_up(thing, source, since) or not _was_at(old, thing, now):  # in the hand, or under it: out of what they just had open, or carried in
        first = thing.changed if gone else thing.born
        opened = _just_open(holder, now, min(since, thing.changed + _SHOWN_LATE), _SOMEWHERE if gone else _AT)
        bare = [s.stamp for s in now.traces.get(holder.id, ()) if len(s.hands) > 1 and first - _LOOKED_BACK < s.stamp < first - 0.1
                and (opened is None or s.stamp > (opened[0].closed_at or now.stamp))] if max(thing.box.size) > _SHOWS else []
        if len(bare) >= _EMPTY:  # their hands have been seen without it since: it was taken here and now, out of whatever
            opened = None
        elif source is None and opened is None:
            opened = _stood_before(holder, thing, now) if old is None else None
            if opened is None and (old is None or old.rest is None or old.hits < 3 or old.rest[2] > _LOW):
                return []  # then nothing was picked here
        source = opened[0] if opened else source
        start = opened[1] if opened else start
        if old is not None and old.visible and old.place == (source.id if source else None) and old.holder is None and old.still >= LIES and old.rest is not None:
            start = max(start, old.last_seen - _LEAD)  # it lay there until then
    return [HumanAction(holder.id, Verb.PICK, thing.id, source.id if source else place, now.rooms.get(holder.id), _once_open(start, source, now),
                        now.stamp, sure)]


def _was_at(old: ThingTrack | None, thing: ThingTrack, now: Moment) -> bool:
    """Whether its holder may have been where it lay since it was last seen there; else they took it, or one like it, elsewhere."""
    stances = now.traces.get(thing.holder or "", ())
    if old is None or old.rest is None or not stances or stances[0].stamp > old.last_seen:
        return True
    return when(stances, _spot_of(old, old.rest, now), old.last_seen, thing.changed) is not None


def _taken_from(old: ThingTrack | None, thing: ThingTrack, now: Moment) -> float:
    """When something was taken that was seen in a hand from ``thing.changed`` on, and for some time before was not seen at all: when the hand was where it lay."""
    since = thing.changed - _LEAD
    if old is None or old.rest is None or old.last_seen > thing.changed - _UNSEEN or thing.holder is None:
        return since
    there = when(now.traces.get(thing.holder, ()), _spot_of(old, old.rest, now), max(old.last_seen, thing.changed - _BEFORE), thing.changed)
    return there[0] if there is not None and there[1] > _AT else since


def _through_a_hand(hand: Hand, thing: ThingTrack, now: Moment) -> list[HumanAction]:
    """A pick and a put, of what lay in one place, showed in somebody's hand too shortly for that to be told, and lies in another."""
    old, held = hand.thing, hand.between
    if held is None or not thing.visible or thing.place in (None, old.place) or old.rest is None or math.dist(thing.box.centre, old.rest) <= _APART:
        return []
    sure = round(thing.known_confidence, 3)
    return _picked(old, held, now, sure, now.stamp) + _put(held.holder, thing, now, sure)


def _carried_over(old: ThingTrack, thing: ThingTrack, now: Moment) -> list[HumanAction]:
    """A pick and a put nobody saw: it lay in one place, and now lies in another; whose hands were first there, then here, carried it."""
    far = old.rest is not None and math.dist(thing.box.centre, old.rest) > _APART
    if not thing.visible or not far or thing.place in (None, old.place) or now.stamp - old.last_seen < _UNSEEN:
        return []
    found = []
    for name, stances in now.traces.items():
        taken = when(stances, _spot_of(old, old.rest, now), old.last_seen, now.stamp)
        put = taken and when(stances, _spot_of(thing, thing.box.centre, now), taken[0], now.stamp)
        if put and min(taken[1], put[1]) > _AT:
            found.append((min(taken[1], put[1]), name, taken[0], put[0]))
    if not found:
        return []
    sure, name, taken, put = max(found)
    verb, room = Verb.PUTIN if thing.inside else Verb.PUTON, now.rooms.get(name)
    return [HumanAction(name, Verb.PICK, thing.id, old.place, room, taken, now.stamp, round(0.5 * sure, 3)),
            HumanAction(name, verb, thing.id, thing.place, room, put, now.stamp, round(0.5 * sure, 3))]


def _set_down(thing: ThingTrack, now: Moment) -> list[HumanAction]:
    """A put nobody saw, of a thing that was not known before: it turned up on a piece of furniture that had been looked at all the while, where somebody
    had a hand just before."""
    place = now.places.get(thing.place or "")
    if thing.holder is not None or thing.inside or place is None or not thing.visible or place.hits < _LOOKED_AT or now.stamp - thing.born > _SHOWN \
            or not _was_in_view(thing, now):
        return []
    first, last = thing.born - _BEFORE, thing.born + _STILL_AT_IT
    hands = [(reach_to(s, thing.box), s.stamp, name) for name, stances in now.traces.items() for s in stances if s.hands and first <= s.stamp <= last]
    near, stamp, name = min(hands, default=(1.0, 0.0, ""))
    likely = 1.0 - near
    if near > _AT_IT:  # hands work behind bodies: who stood there, turned to it
        there = [(found[1], found[0], who) for who, stances in now.traces.items() if (found := when(stances, thing.box, first, last))]
        likely, stamp, name = max(there, default=(0.0, 0.0, ""))
        if likely < _AT:
            return []
    if _was_there(thing, stamp - _NOT_YET, now):
        return []
    sure = thing.known_confidence * likely
    return [HumanAction(name, Verb.PUTON, thing.id, place.id, now.rooms.get(name), stamp, now.stamp, round(sure, 3))]


def _was_in_view(thing: ThingTrack, now: Moment) -> bool:
    """Whether its spot was seen in the seconds before it turned up there: what lay beyond the picture, or behind somebody, may have been there all along."""
    return not now.views or any(_showed(thing, v) for v in now.views if v.stamp < thing.born)


def _was_there(thing: ThingTrack, by: float, now: Moment) -> bool:
    """Whether its colour showed in its place at ``by`` already, or does not even show there now: it was overlooked until it was seen."""
    looks = [(v.stamp, shows(thing.colour, thing.box, v.frame, about=False)) for v in now.views if _showed(thing, v)]
    before = next((look for stamp, look in reversed(looks) if stamp < by and look is not Shows.UNCLEAR), None)
    since = [look for stamp, look in looks if stamp >= thing.born]
    return before is Shows.ITSELF or Shows.BEHIND in since and Shows.ITSELF not in since


def _showed(thing: ThingTrack, view: PastView) -> bool:
    """Whether most of its spot was in that picture, with nothing before it."""
    return float(np.mean(shown(view, thing.box.grid(3, 0.9)))) >= 0.5


def _spot_of(thing: ThingTrack, centre, now: Moment) -> Box:
    """Where hands have to be for it: at itself, or anywhere in the container it is in."""
    place = now.places.get(thing.place or "") if thing.inside else None
    return place.body if place is not None else replace(thing.box, centre=tuple(centre))


def _turned_up(thing: ThingTrack, source: PlaceTrack, stamp: float) -> bool:
    """Whether it was first seen just before, or since its container was opened: hands may have been at it before anything was seen."""
    opened = source.opened_at is not None and stamp - source.opened_at < _RECENT and thing.born >= source.opened_at
    return opened or thing.born > stamp - _NEW


def _just_open(holder: PersonTrack, now: Moment, by: float, least: float) -> tuple[PlaceTrack, float] | None:
    """The container that this person most likely took a thing out of that they had in hand at ``by``, and when: one that was open
    lately while their hand, or they, were at it."""
    found = []
    for p in now.places.values():
        if p.opened_at is None or not 0.0 <= by - p.opened_at <= _RECENT or classes.get(p.cls).kind is not classes.Kind.CONTAINER or _took_in(p, now):
            continue
        there = when(now.traces.get(holder.id, ()), p.body, p.opened_at, by, p)
        if there is not None and there[1] > least:
            found.append((p.opened_at + there[1], p.id, there[0]))
    return (now.places[max(found)[1]], max(found)[2] - _LEAD) if found else None


def _stood_before(holder: PersonTrack, thing: ThingTrack, now: Moment) -> tuple[PlaceTrack, float] | None:
    """The container that a thing came out of which nobody had seen before it showed in this person's hand, and when: where they had just stood as long as it takes to open and
    to shut it, while nothing told that it was shut. None: there is none, or another is as likely."""
    found, stances = [], now.traces.get(holder.id, ())
    for p in now.places.values():
        if classes.get(p.cls).kind is not classes.Kind.CONTAINER or not p.established or (stay := last_stay(stances, p.body, thing.born, _JUST_LEFT)) is None:
            continue
        since, until, there = stay
        hidden = max(min(until, b) - max(since, a) for a, b in (p.unwatched or (0.0, 0.0), (p.confirmed, now.stamp)))
        if hidden >= BOTH and (p.opened_at is None or p.opened_at < since):  # what opens after that was shut
            found.append((there, p.id, max(since, until - _TO_SHUT - (_TO_SHUT_LOW if p.cls in classes.OPENS_DOWN else 0.0))))
    found.sort(reverse=True)
    if not found or len(found) > 1 and found[1][0] > CLEARLY * found[0][0]:
        return None
    return now.places[found[0][1]], found[0][2]


def _took_in(place: PlaceTrack, now: Moment) -> bool:
    """Whether something was put in since it was opened and is in it now that it is shut again: that is what it was opened for."""
    return place.closed_at is not None and place.closed_at > place.opened_at and any(
        t.place == place.id and t.inside and t.born < t.changed and place.opened_at <= t.changed <= place.closed_at and t.known_confidence >= _TOLD_AT for t in now.things.values())


def _put(actor: str, thing: ThingTrack, now: Moment, sure: float) -> list[HumanAction]:
    if actor not in now.people or thing.tracking is Tracking.LOST:  # not in that hand any more is not yet a deed
        return []
    verb = Verb.PUTIN if thing.inside else Verb.PUTON if thing.place is not None else Verb.DROP
    place = thing.place or now.rooms.get(actor)
    start = _once_open(thing.changed - (0.5 * _LEAD if thing.guessed else _LEAD), now.places.get(place or ""), now)
    return [HumanAction(actor, verb, thing.id, place, now.rooms.get(actor), start, now.stamp, sure)]


def _once_open(start: float, place: PlaceTrack | None, now: Moment) -> float:
    """When something was put in or taken out that seems to have been at ``start``: not before the door, that was seen to open only later, had swung open, nor after it
    began to shut."""
    opened = place.opened_at if place is not None else None
    late = opened is not None and opened - _JUST_BEFORE < start < open_from(place)
    if opened is not None and place.closed_at is not None and opened < place.closed_at < start <= place.closed_at + _LAST_LOOK:
        start = max(0.5 * (opened + place.closed_at), place.closed_at - _LONG_BEFORE)
    return min(open_from(place) + _REACHES_IN if late else start, now.stamp)


def _put_by_another(hand: Hand, thing: ThingTrack, now: Moment, sure: float) -> list[HumanAction]:
    """A pick nobody saw, and a put, of what somebody was taken to have left with: it turns up where another has a hand, and its holder had been out of view for long. Where it shows as
    soon as hands get in, the other has but opened what the holder had put it into."""
    holder, place = now.people.get(hand.holder or ""), now.places.get(thing.place or "")
    if holder is None or holder.visible or now.stamp - holder.last_seen < _TOGETHER_S or place is None or not thing.visible:
        return []
    spot, inside = _spot_of(thing, thing.box.centre, now), place if thing.inside else None
    if inside is not None and place.opened_at is not None and thing.changed <= open_from(place):  # it was in there when that was opened
        put = when(now.traces.get(holder.id, ()), place.body, hand.thing.last_seen if hand.thing is not None else 0.0, holder.last_seen, place)
        at = put[0] if put is not None else holder.last_seen
        return [HumanAction(holder.id, Verb.PUTIN, thing.id, place.id, None, at, at, sure)]
    since = max(holder.last_seen, now.stamp - _RECENT)
    there = [(found[1], found[0], name) for name, stances in now.traces.items()
             if name in now.people and name != hand.holder and (found := when(stances, spot, since, now.stamp, inside)) is not None]
    likely, stamp, name = max(there, default=(0.0, 0.0, ""))
    if likely < _AT:
        return []
    taken = HumanAction(name, Verb.PICK, thing.id, None, now.rooms.get(name), stamp, now.stamp, round(likely * sure, 3))
    return [taken, *_put(name, replace(thing, changed=stamp), now, round(likely * sure, 3))]


def _met_and_put(hand: Hand, thing: ThingTrack, now: Moment) -> list[HumanAction]:
    """The put of a thing that was first seen in somebody's hand, too shortly for that to be told, and its pick out of what they had just opened."""
    if hand.met is None or thing.holder is not None or thing.place is None or not thing.visible or not thing.still:
        return []
    who, where = hand.met
    if math.dist(thing.box.centre, where) <= _STAYED:
        return []
    sure = round(thing.known_confidence, 3)
    taken = [] if thing.inside else _picked(None, replace(thing, holder=who, changed=thing.born), now, sure, thing.born)
    return [*taken, *_put(who, thing, now, sure)]
