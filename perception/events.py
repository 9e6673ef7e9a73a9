"""Human actions, read off what changed between two tracked states.

Pick, put and give come from who holds what; open and close from openness; enter and leave from rooms; sit and stand from posture; walking
from motion and heading. Each change is already debounced by its tracker, so each event is told once, with the stamp at which the
change began. Who did it: the nearest person in reach, else the robot, else nobody (then no event: the graph alone shows the change).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT, Openness, Posture
from perception.config import PerceptionConfig
from perception.home_map import HomeMap
from perception.people import PersonTrack
from perception.places import PlaceTrack
from perception.things import ThingTrack
from perception.walking import Walk, follow

_ORDER = {Verb.LEAVE: 1, Verb.ENTER: 2}  # of events that begin at the same moment
_RECENT = 12.0  # seconds after which an opened container no longer explains what somebody has in hand


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


@dataclass(frozen=True)
class EventMemory:
    """``walks``: person → walk under way. ``recent``: (actor, verb, target, stamp) of the last seconds, for telling each event once."""

    walks: Mapping[str, Walk] = field(default_factory=dict)
    recent: tuple[tuple[str, Verb, str | None, float], ...] = ()


def update(memory: EventMemory, before: Moment, now: Moment, home: HomeMap, config: PerceptionConfig
           ) -> tuple[EventMemory, tuple[HumanAction, ...]]:
    """Events that became certain with this frame, in order of their start; without witnesses (see perception.witness)."""
    found = [*_openings(before, now, config), *_hands(before, now, config), *_rooms(before, now), *_postures(before, now),
             *_switches(before, now, config)]
    walks, walked = follow(memory.walks, now, home, config)
    found += walked
    recent = tuple(r for r in memory.recent if now.stamp - r[3] < 4.0)
    told = []
    for event in sorted(found, key=lambda e: (e.start, _ORDER.get(e.verb, 0), e.verb.value)):
        key = (event.actor, event.verb, event.target, now.stamp)
        if event.verb is not Verb.WALKTOWARDS and any(r[:3] == key[:3] and now.stamp - r[3] < 1.5 for r in recent):
            continue
        recent += (key,)
        told.append(event)
    return EventMemory(walks, recent), tuple(told)


def _openings(before: Moment, now: Moment, config: PerceptionConfig) -> list[HumanAction]:
    events = []
    for place in now.places.values():
        old = before.places.get(place.id)
        if old is None or old.openness is place.openness or Openness.UNKNOWN in (old.openness, place.openness):
            continue
        actor, sure = _who(place.body.centre, now, config, place)
        if actor is None:
            continue
        verb = Verb.OPEN if place.openness is Openness.OPEN else Verb.CLOSE
        events.append(HumanAction(actor, verb, place.id, None, now.rooms.get(actor), min(place.pending_since, now.stamp), now.stamp, sure))
    return events


def _who(point, now: Moment, config: PerceptionConfig, place: PlaceTrack | None = None) -> tuple[str | None, float]:
    """The nearest plausible actor at a point and how sure that is."""
    reach = {}
    for p in now.people.values():
        if now.stamp - p.last_seen > 1.5:
            continue
        reach[p.id] = place.body.footprint_distance(p.position) if place is not None else float(np.hypot(*np.subtract(point[:2], p.position)))
    limit = config.reach
    close = sorted((d, k) for k, d in reach.items() if d <= limit)
    if close:
        lead = close[1][0] - close[0][0] if len(close) > 1 else 1.0
        return close[0][1], float(np.clip(0.6 + 0.35 * lead, 0.6, 0.95))
    if now.robot is not None and (place.body.footprint_distance(now.robot) if place else np.hypot(*np.subtract(point[:2], now.robot))) < limit:
        return ROBOT, 0.6
    return None, 0.0


def _hands(before: Moment, now: Moment, config: PerceptionConfig) -> list[HumanAction]:
    events = []
    for thing in now.things.values():
        if thing.hits < config.confirm_frames:
            continue
        old = before.things.get(thing.id)
        was = old.holder if old is not None and old.hits >= config.confirm_frames else None
        sure = round(thing.confidence * (0.6 if thing.guessed else 0.95), 3)
        if thing.holder != was:
            if was is None:
                events += _picked(old, thing, now, sure)
            elif thing.holder is not None:
                events.append(HumanAction(was, Verb.GIVE, thing.id, thing.holder, now.rooms.get(was), thing.changed, now.stamp, sure))
            else:
                events += _put(was, thing, now, sure)
    return events


def _picked(old: ThingTrack | None, thing: ThingTrack, now: Moment, sure: float) -> list[HumanAction]:
    holder = now.people.get(thing.holder or "")
    if holder is None:
        return []
    place = old.place if old is not None else None
    source = now.places.get(place or "")
    if source is None:  # first seen in the hand: out of what they just had open, or carried in (then nothing was picked here)
        source = _just_open(holder, now)
        if source is None and (old is None or old.rest is None or old.hits < 3):
            return []
    start = thing.changed
    if source is not None and classes.get(source.cls).kind is classes.Kind.CONTAINER and source.opened_at is not None:
        shut = source.closed_at is not None and source.closed_at > source.opened_at
        if now.stamp - source.opened_at < _RECENT and (shut or old is None):
            start = min(start, (source.opened_at + source.closed_at) / 2 if shut else now.stamp)
    return [HumanAction(holder.id, Verb.PICK, thing.id, source.id if source else place, now.rooms.get(holder.id), min(start, now.stamp),
                        now.stamp, sure)]


def _just_open(holder: PersonTrack, now: Moment) -> PlaceTrack | None:
    """The container this person stands at open, or closed a moment ago."""
    found = []
    for p in now.places.values():
        if p.opened_at is None or now.stamp - p.opened_at > _RECENT or classes.get(p.cls).kind is not classes.Kind.CONTAINER:
            continue
        near = min(p.body.footprint_distance(spot[1:]) for spot in (*holder.path, (0.0, *holder.position)))
        if near < 1.0:
            found.append((-p.opened_at, p.id))
    return now.places[min(found)[1]] if found else None


def _put(actor: str, thing: ThingTrack, now: Moment, sure: float) -> list[HumanAction]:
    if actor not in now.people:
        return []
    verb = Verb.PUTIN if thing.inside else Verb.PUTON if thing.place is not None else Verb.DROP
    place = thing.place or now.rooms.get(actor)
    return [HumanAction(actor, verb, thing.id, place, now.rooms.get(actor), min(thing.changed, now.stamp), now.stamp, sure)]


def _rooms(before: Moment, now: Moment) -> list[HumanAction]:
    events = []
    for name, room in now.rooms.items():
        old = before.rooms.get(name)
        if old is None or old == room or name not in now.people:
            continue
        sure = 0.95 if now.people[name].visible else 0.6
        when = min(now.crossed.get(name, now.stamp), now.stamp)
        events.append(HumanAction(name, Verb.LEAVE, old, None, old, when, when, sure))
        events.append(HumanAction(name, Verb.ENTER, room, None, room, when, when, sure))
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
        if old is None or device.switched_on is None or old.switched_on == device.switched_on:
            continue
        actor, sure = _who(device.body.centre, now, config, device)
        if actor is not None:
            verb = Verb.SWITCHON if device.switched_on else Verb.SWITCHOFF
            events.append(HumanAction(actor, verb, device.id, None, now.rooms.get(actor), now.stamp, now.stamp, 0.7 * sure))
    return events
