"""Who saw an event happen: every person's view of the actor around the time of the event.

Views are kept for a few seconds, because an event becomes certain a little after it happened. A person the robot did not see then is judged
from where they were last seen, with less confidence; somebody last seen in another room than the event has hardly seen it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from household.actions import HumanAction, Verb
from household.scene_graph import ROBOT
from perception.config import PerceptionConfig
from perception.geometry import length
from perception.people import PersonTrack
from perception.thing_track import ThingTrack
from perception.visibility import Setting, Viewer, Visibility

KEPT = 60  # moments remembered
_AROUND = 0.4  # seconds by which the moment of an event is known
_EFFECT = {Verb.PICK: 0.5, Verb.PUTON: 0.5, Verb.PUTIN: 0.5, Verb.GIVE: 0.5, Verb.OPEN: 0.9, Verb.CLOSE: 0.9}  # s from its beginning until it shows
_GOING = 0.5  # s before somebody is gone in which they are seen going
_SHOWS = (1.0, 0.7, 0.45)  # of the height of somebody's eyes: eyes, chest and hips, by which they are seen
_RADIUS = 0.2  # m from the axis of a body to its side
_STALE = 1.0  # seconds unseen after which a person's view is a guess


@dataclass(frozen=True)
class View:
    """Where everybody was at ``stamp`` and where they looked. ``spots``: person → their eyes, map. ``stale``: people who were out of the robot's sight;
    ``rooms``: person → room as concluded then; ``held``: person → where what they have in hand was, map."""

    stamp: float
    viewers: Mapping[str, Viewer]
    spots: Mapping[str, tuple[float, float, float]]
    stale: frozenset[str]
    rooms: Mapping[str, str]
    held: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)


def remember(views: Sequence[View], people: Sequence[PersonTrack], rooms: Mapping[str, str], stamp: float, robot: tuple[float, float] | None,
             config: PerceptionConfig, things: Sequence[ThingTrack] = ()) -> tuple[View, ...]:
    """The views with this moment's added; bounded."""
    viewers = {p.id: viewer(p, config) for p in people}
    spots = {p.id: (*p.position, p.crown - 0.12) for p in people}
    if robot is not None:
        spots[ROBOT] = (*robot, 1.1)
    stale = frozenset(p.id for p in people if stamp - p.last_seen > _STALE)
    held = {t.holder: tuple(t.box.centre) for t in things if t.holder in spots and t.visible}
    return (*views, View(stamp, viewers, spots, stale, rooms, held))[-KEPT:]


def viewer(person: PersonTrack, config: PerceptionConfig) -> Viewer:
    return Viewer(person.id, person.eye, person.gaze, config.view_half_angle, config.view_range, person.gaze_spread,
                  config.notice_range, None if person.gaze is None else person.head_belief, person.pitch)


def attach(event: HumanAction, views: Sequence[View], setting: Setting, visibility: Visibility, known: Collection[str] | None = None) -> HumanAction:
    """The event with ``witnesses`` filled in for everybody ``known`` (None: everybody tracked), the actor aside: the mean of what they may have seen of the actor about
    the moment at which the event showed; of somebody's leaving, the most."""
    return attach_each([event], views, setting, visibility, known)[0]


def attach_each(events: Sequence[HumanAction], views: Sequence[View], setting: Setting, visibility: Visibility, known: Collection[str] | None = None
                ) -> tuple[HumanAction, ...]:
    """As :func:`attach`, of each: what somebody does at one moment, a walk told in alternatives say, the same people see."""
    seen: dict[tuple[str, float, bool], dict[str, float]] = {}
    for event in events:
        if (what := _shown(event)) not in seen:
            seen[what] = _witnesses(*what, views, setting, visibility, known)
    return tuple(replace(e, witnesses=dict(seen[_shown(e)])) for e in events)


def _side(spot: tuple[float, float, float], eyes: Viewer, held: tuple[float, float, float] | None) -> np.ndarray:
    """Points (n, 3), map, of somebody whose eyes are at ``spot``, on the side that somebody with ``eyes`` is on, and what they have in hand."""
    toward = np.subtract(eyes.eye[:2], spot[:2])
    at = np.asarray(spot[:2]) + toward * min(_RADIUS, length(toward)) / max(length(toward), 1e-6)
    return np.array([(*at, share * spot[2]) for share in _SHOWS] + ([held] if held is not None else []))


def _shown(event: HumanAction) -> tuple[str, float, bool]:
    """Of whom it is, when it shows, and whether it is that they leave: all that tells who sees it."""
    return event.actor, event.start + _EFFECT.get(event.verb, 0.0), event.verb is Verb.LEAVE


def _witnesses(actor: str, moment: float, leaves: bool, views: Sequence[View], setting: Setting, visibility: Visibility, known: Collection[str] | None
               ) -> dict[str, float]:
    before = _GOING if leaves else _AROUND
    around = [v for v in views if moment - before <= v.stamp <= moment + _AROUND]
    around = around or sorted(views, key=lambda v: abs(v.stamp - moment))[:1]
    if len(around) > 6:
        around = [around[i] for i in np.linspace(0, len(around) - 1, 6).astype(int)]
    seen: dict[str, list[float]] = {}
    for view in around:
        spot = view.spots.get(actor)
        if spot is None:
            continue
        for name, eyes in view.viewers.items():
            if name == actor or (known is not None and name not in known):
                continue
            p = float(visibility.sees_points(eyes, _side(spot, eyes, view.held.get(actor)), setting).max())
            if name in view.stale:
                same = view.rooms.get(name) == view.rooms.get(actor, setting.home.room_of(spot))
                p = 0.5 * p if same else min(0.05, p)
            seen.setdefault(name, []).append(p)
    of_all = max if leaves else np.mean
    return {k: round(float(of_all(v)), 3) for k, v in sorted(seen.items())}
