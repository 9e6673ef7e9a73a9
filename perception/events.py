"""Human actions, read off what changed between two tracked states.

What hands took and put is read in perception.deeds; open and close from openness; enter and leave from rooms; sit and stand from posture; walking
from motion and heading. A change counts once it lasted, so that each event is told once, with the stamp at which the change began. Who did it:
the person in reach whose hand was there (perception.handling), else the robot, else nobody (then no event: the graph alone shows the change).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT, Openness, Posture
from perception import deeds, implied as implied_by, reaching
from perception.config import PerceptionConfig
from perception.handling import HIDDEN, last_stay, when
from perception.home_map import HomeMap
from perception.moment import Moment
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.reaching import Reach
from perception.walking import Walk, follow

_ORDER = {Verb.LEAVE: 1, Verb.ENTER: 2}  # of events that begin at the same moment
_AT = 0.3  # how surely a hand must have been at a device
_HAND_LATELY = 2.0  # s before its new state is certain in which a hand has been at what was switched
_BEHIND = 0.6  # how sure it is that who bent over a container for long opened and shut it
_LONG, _PASSES = 4.0, 0.6  # s in which nothing told whether something is open after which it may have been shut at any time in them; for which who only passes it seems to be at it at most
_BEFORE_IT, _MOVES = 0.5, 1.5  # s before a door is seen to move, and after, in which whose hand is at it is the one who moves it


@dataclass(frozen=True)
class EventMemory:
    """``hands``: thing → who has it. ``walks``: person → walk under way. ``reaches``: person → what they stretch out a hand to. ``implied``: openings that follow from deeds. ``recent``:
    (actor, verb, target, stamp) of the last seconds, for telling each event once."""

    hands: Mapping[str, deeds.Hand] = field(default_factory=dict)
    walks: Mapping[str, Walk] = field(default_factory=dict)
    reaches: Mapping[str, Reach] = field(default_factory=dict)
    implied: implied_by.Implied = implied_by.Implied()
    recent: tuple[tuple[str, Verb, str | None, float], ...] = ()


def update(memory: EventMemory, before: Moment, now: Moment, home: HomeMap, config: PerceptionConfig
           ) -> tuple[EventMemory, tuple[HumanAction, ...]]:
    """Events that became certain with this frame, in order of their start; without witnesses (see perception.witness)."""
    hands, handled = deeds.follow(memory.hands, now, config)
    openings = _openings(before, now, config)
    implied, concluded = implied_by.follow(memory.implied, [*openings, *handled], now)
    found = [*openings, *handled, *concluded, *_rooms(before, now), *_postures(before, now),
             *_switches(before, now, config)]
    entered = {name for name, stamp in now.crossed.items() if name in before.crossed and stamp != before.crossed[name]}
    walks, walked = follow(memory.walks, now, home, config, entered)
    reaches, reached = reaching.follow(memory.reaches, now, config)
    found += [*walked, *reached]
    recent = tuple(r for r in memory.recent if now.stamp - r[3] < 4.0)
    told = []
    for event in sorted(found, key=lambda e: (e.start, _ORDER.get(e.verb, 0), e.verb.value)):
        key = (event.actor, event.verb, event.target, now.stamp)
        if event.verb is not Verb.WALKTOWARDS and any(r[:3] == key[:3] and now.stamp - r[3] < 1.5 for r in recent):
            continue
        recent += (key,)
        told.append(event)
    return EventMemory(hands, walks, reaches, implied, recent), tuple(told)


def renamed(memory: EventMemory, ids: Mapping[str, str]) -> EventMemory:
    """``ids``: former id of a thing → its id now; what was told of the one was told of the other. Where both were known, the one whose id stays has the history: what was told
    of the other, without it, may be told anew."""
    if not ids.keys() & {*memory.hands, *(r[2] for r in memory.recent)}:
        return memory
    hands = {ids[name]: hand for name, hand in memory.hands.items() if name in ids} | {name: hand for name, hand in memory.hands.items() if name not in ids}
    recent = tuple((actor, verb, ids.get(target, target), stamp) for actor, verb, target, stamp in memory.recent if ids.get(target) not in memory.hands)
    return replace(memory, hands=hands, recent=recent)


def _openings(before: Moment, now: Moment, config: PerceptionConfig) -> list[HumanAction]:
    events = []
    for place in now.places.values():
        old = before.places.get(place.id)
        if old is None:
            continue
        events += _behind_a_back(old, place, now)
        if old.openness is place.openness or Openness.UNKNOWN in (old.openness, place.openness) or (old.behind is not None and old.behind.shut is None):
            continue  # that it was opened has been told
        start = min(place.pending_since, now.stamp)
        actor, sure = _who(place, place.pending_since, place.pending_since + _MOVES, now, config)
        if (earlier := _shut_unseen(old, place, actor, now)) is not None:
            actor, start, sure = *earlier, _BEHIND
        if actor is None:
            continue
        verb = Verb.OPEN if place.openness is Openness.OPEN else Verb.CLOSE
        events.append(HumanAction(actor, verb, place.id, None, now.rooms.get(actor), start, now.stamp, sure))
    return events


def _shut_unseen(old: PlaceTrack, place: PlaceTrack, actor: str | None, now: Moment) -> tuple[str, float] | None:
    """(who, when) of what was shut at some time since it was last seen open, long ago: somebody who stood at it since, for as long as that takes, where ``actor`` is only
    near as it is looked at again. None: there is nobody like that."""
    if place.openness is not Openness.CLOSED or place.pending_since - old.confirmed < _LONG:
        return None
    stays = {name: stay for name, stances in now.traces.items() if (stay := last_stay(stances, place.body, now.stamp, now.stamp - old.confirmed)) is not None}
    stood = {name: until - max(since, old.confirmed) for name, (since, until, _) in stays.items()}
    longest = max(stood, key=lambda name: (stood[name], name), default=None)
    if longest in (None, actor) or stood[longest] < _MOVES or stood.get(actor or "", 0.0) > _PASSES:
        return None
    return longest, max(old.confirmed, stays[longest][1] - _MOVES)


def _behind_a_back(old: PlaceTrack, place: PlaceTrack, now: Moment) -> list[HumanAction]:
    """What was concluded with this frame of what nobody could look at (perception.bends)."""
    if place.behind is None or place.behind == old.behind:
        return []
    by, opened, shut = place.behind.by, place.behind.opened, place.behind.shut
    told = old.behind is not None and old.behind.opened == opened
    events = [] if told else [HumanAction(by, Verb.OPEN, place.id, None, now.rooms.get(by), opened, now.stamp, _BEHIND)]
    return events if shut is None else [*events, HumanAction(by, Verb.CLOSE, place.id, None, now.rooms.get(by), shut, now.stamp, _BEHIND)]


def _who(place: PlaceTrack, since: float, until: float, now: Moment, config: PerceptionConfig) -> tuple[str | None, float]:
    """Who did something to a place, and how sure that is: who was near and had a hand at it from ``since`` to ``until``; if no hand was, who is nearer and hidden behind them."""
    found, hidden, handled = [], [], False
    for p in now.people.values():
        stances, unseen = now.traces.get(p.id, ()), now.stamp - p.last_seen
        far = min([place.body.footprint_distance(s.position) for s in stances if since - _BEFORE_IT <= s.stamp <= until]
                  or [place.body.footprint_distance(p.position)])
        if p.hits < config.confirm_frames or far > config.reach:
            continue
        if unseen <= 1.5:
            hand = when(stances, place.body, since, min(now.stamp, until))
            found.append((far - (hand[1] if hand else 0.0), p.id))
            handled = handled or hand is not None
        elif unseen <= HIDDEN:
            hidden.append((far, p.id))
    found.sort()
    if found and not handled and hidden and min(hidden) < found[0]:
        return min(hidden)[1], 0.6
    if found:
        lead = found[1][0] - found[0][0] if len(found) > 1 else 1.0
        return found[0][1], float(np.clip(0.6 + 0.35 * lead, 0.6, 0.95))
    if now.robot is not None and place.body.footprint_distance(now.robot) < config.reach:
        return ROBOT, 0.6
    return None, 0.0


def _rooms(before: Moment, now: Moment) -> list[HumanAction]:
    events = []
    for name, room in now.rooms.items():
        old = before.rooms.get(name)
        if old is None or old == room or name not in now.people or now.crossed.get(name) == before.crossed.get(name):
            continue  # of who turned up elsewhere, nobody saw them go: the graph alone tells it
        sure = 0.95 if now.people[name].visible else 0.6
        crossed = min(now.crossed.get(name, now.stamp), now.stamp)
        events.append(HumanAction(name, Verb.LEAVE, old, None, old, crossed, crossed, sure))
        events.append(HumanAction(name, Verb.ENTER, room, None, room, crossed, crossed, sure))
    return events


def _postures(before: Moment, now: Moment) -> list[HumanAction]:
    events = []
    for person in now.people.values():
        old = before.people.get(person.id)
        if old is None or old.posture is person.posture:
            continue
        pair = (old.posture, person.posture)
        if pair == (Posture.STANDING, Posture.SITTING):
            seat = min((p for p in now.places.values() if classes.get(p.cls).kind is classes.Kind.SURFACE
                        and p.body.footprint_distance(person.position) < 0.4),
                       key=lambda p: p.body.footprint_distance(person.position), default=None)
            events.append(HumanAction(person.id, Verb.SIT, seat.id if seat else None, None, now.rooms.get(person.id), now.stamp, now.stamp, 0.8))
        elif pair == (Posture.SITTING, Posture.STANDING):
            events.append(HumanAction(person.id, Verb.STANDUP, None, None, now.rooms.get(person.id), now.stamp, now.stamp, 0.8))
    return events


def _switches(before: Moment, now: Moment, config: PerceptionConfig) -> list[HumanAction]:
    events = []
    for device in now.places.values():
        old = before.places.get(device.id)
        if old is None or old.switched_on is None or device.switched_on in (None, old.switched_on):
            continue
        actor, sure = _who(device, now.stamp - _HAND_LATELY, now.stamp, now, config)
        if actor == ROBOT or (actor is not None and _switches_it(now.people[actor], device, now)):
            verb = Verb.SWITCHON if device.switched_on else Verb.SWITCHOFF
            events.append(HumanAction(actor, verb, device.id, None, now.rooms.get(actor), now.stamp, now.stamp, 0.7 * sure))
    return events


def _switches_it(person: PersonTrack, device: PlaceTrack, now: Moment) -> bool:
    """Whether somebody near a device can have switched it. Lamps go out by themselves, too: who sits beside one, or has their hands full, did not do
    it unless a hand was at it."""
    if person.posture is not Posture.SITTING and not any(t.holder == person.id for t in now.things.values()):
        return True
    hand = when(now.traces.get(person.id, ()), device.body, now.stamp - _HAND_LATELY, now.stamp)
    return hand is not None and hand[1] > _AT
