"""The world-level tracker of loose things: identity that survives occlusion, cupboards and being carried.

A thing is VISIBLE, OCCLUDED (its place is not in view), CONTAINED (in a container that shut over it), HELD (it goes where its holder
goes) or LOST (its place was looked at and it was not there). Invariants: not seeing a place never makes a thing lost; two things seen at the
same time are never one; a LOST thing keeps its id and is the first candidate when one of its class turns up.

Order: what is held moves along with its holder; class by class, what was found is a known thing (:mod:`perception.sightings`), one that went by another name
(:mod:`perception.aliases`) or new; what turned up a moment ago may be a known thing all the same; what was not seen is judged; what stays doubtful is forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from household.scene_graph import ROBOT, Tracking
from perception import aliases, gripper, sightings
from perception.appearance import odds
from perception.association import looks_like
from perception.geometry import Box
from perception.inventory import Inventory
from perception.letting_go import put_nowhere_known
from perception.lifting import Lifted
from perception.records import replace
from perception.sightings import Sighting
from perception.thing_track import Surroundings, ThingTrack, believed_in, is_thing
from perception.thing_unseen import EXISTS, unobserved

_LOOKS, _OVERLOOKED = 40, 12  # looks in vain at what shows in its place, and times as many as found it, from which there is no such thing, if it was never sure
_DOUBTED, _DOUBTED_HIDDEN = 1.5, 5.0  # s unseen after which what is not sure yet is forgotten; the same of what somebody holds, or what nobody has looked for in vain: it is hidden
_NOT_SHOWN = 5.0  # s for which something has not been seen in the hand of somebody who has taken up something else since


@dataclass(frozen=True)
class ThingsUpdate:
    """``pooled``: (where, class → how likely, sightings, class) of things that turned up under another name, the last what they go by now; ``renamed``: id before → id now."""

    tracks: tuple[ThingTrack, ...]
    counters: Mapping[str, int]
    seen: Mapping[str, Lifted] = field(default_factory=dict)
    pooled: tuple[tuple[tuple[float, float, float], Mapping[str, float], int, str], ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


def update(tracks: Sequence[ThingTrack], lifted: Sequence[Lifted], around: Surroundings, counters: Mapping[str, int]) -> ThingsUpdate:
    """The things after one frame. ``lifted``: all that was found in it; ``counters``: class → the highest number given so far."""
    things = Inventory((_carried(_let_go_by_nobody(t, around), around) for t in tracks), counters, around)
    _feel(things)
    _take_in(things, [x for x in lifted if is_thing(x.cls)])
    _know_again(things)
    _miss(things)
    return ThingsUpdate(_kept(things.current.values(), around), things.counters, things.seen, tuple(things.pooled), things.renamed)


def _let_go_by_nobody(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """Who was taken for its holder turned out to be nobody, or is forgotten: then it is where it was last seen."""
    if track.holder is None or track.holder == ROBOT or track.holder in around.people:
        return track
    return replace(track, holder=None, tracking=Tracking.OCCLUDED, changed=around.frame.stamp, guessed=True)


def _carried(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """Move what is held along with its holder, round them as they turn."""
    holder = around.people.get(track.holder or "")
    if holder is None or not holder.visible:
        return track
    turned = holder.yaw - track.faced if holder.yaw is not None and track.faced is not None else 0.0
    (x, y, z), c, s = track.offset, math.cos(turned), math.sin(turned)
    centre = (holder.position[0] + c * x - s * y, holder.position[1] + s * x + c * y, z)
    return replace(track, box=replace(track.box, centre=tuple(float(x) for x in centre)))


def _feel(things: Inventory) -> None:
    """What the robot has in its own hand is there, though it never saw it."""
    frame = things.around.frame
    for name in frame.robot_holds if frame.robot_pose is not None else ():
        if name not in things.current and (felt := gripper.felt(name, things.around)) is not None:
            things.add(felt)


def _take_in(things: Inventory, found: Sequence[Lifted]) -> None:
    """What was found, class by class, is known or turns up."""
    plain = [x for x in found if sightings.is_plain(x, things.around)]
    turned_up: list[tuple[Sighting, list[Box]]] = []
    for cls in sorted({x.cls for x in found}):
        shown = sightings.matched([x for x in found if x.cls == cls], things.current, things.seen, things.around)
        held = [s.one.box for s in shown if s.known is not None and things.current[s.known].holder in things.around.people]
        for sighting in shown:
            if sighting.known is not None:
                things.observe(things.current[sighting.known], sighting.one)
            else:
                turned_up.append((sighting, held))
    for sighting, held in turned_up:
        _turn_up(things, sighting, plain, held)


def _turn_up(things: Inventory, sighting: Sighting, plain: Sequence[Lifted], held: Sequence[Box]) -> None:
    """Something shows that is none of the known things of its class: it is one of another class, something new, or nothing. ``plain``: all that is plainly seen;
    ``held``: where those of its class that somebody has show now."""
    one, around = sighting.one, things.around
    look = looks_like(one, around)
    same = aliases.same_as(one, look, things.current, things.seen, plain, around)
    if sighting.doubtful and (same is None or odds(same.look, look) < aliases.RESEMBLES):
        return
    if same is not None:
        things.observe_renamed(same, one)
    elif not sightings.is_no_thing(one, held, around) and not sightings.is_cut_in_two(one, things.seen.values(), around):
        things.observe(things.start(one), one)


def _know_again(things: Inventory) -> None:
    """What turned up a moment ago is what somebody's hand brought there, or was never there."""
    for young, old, put in aliases.carried_here(things.current, things.seen, things.around):
        things.merge(young, old, put)
    for name in aliases.mistaken_for(things.current, things.seen, things.around):
        things.forget(name)
    for track in list(things.current.values()):
        if sightings.was_of_furniture(track, things.around):
            things.forget(track.id)


def _miss(things: Inventory) -> None:
    """Judge what was not seen; of what the robot holds, or held until now, its body tells."""
    around = things.around
    grasped = {t.holder: t.changed for t in things.current.values() if t.id in things.seen and t.holder is not None and t.rest is None and t.taken_from is None}
    for track in list(things.current.values()):
        seen = track.id in things.seen
        if track.id in around.frame.robot_holds or track.holder == ROBOT:
            things.current[track.id] = gripper.with_robot(track, seen, around)
        elif not seen:
            things.current[track.id] = unobserved(_no_longer_had(track, things), around, grasped)


def _no_longer_had(track: ThingTrack, things: Inventory) -> ThingTrack:
    """Who has since taken up something else, and shows it, has put down what has not been seen with them for long; nobody knows where."""
    stamp = things.around.frame.stamp
    if track.holder is None or stamp - track.last_seen < _NOT_SHOWN:
        return track
    others = [things.current[name] for name in things.seen if name in things.current]
    if not any(t.holder == track.holder and t.id != track.id and t.changed > track.last_seen and believed_in(t, things.around.config) for t in others):
        return track
    return put_nowhere_known(track, stamp)


def _kept(tracks: Iterable[ThingTrack], around: Surroundings) -> tuple[ThingTrack, ...]:
    """Those that are sure or were seen a moment ago, in the order in which they turned up. What is overlooked far more often than a detector overlooks even small things
    is a part of what it seems to lie on. If they are too many to be remembered, lost ones and those unseen for longest go first."""
    sure, stamp = around.config.confirm_frames, around.frame.stamp
    kept = [t for t in tracks if t.hits >= sure or stamp - t.last_seen < (_DOUBTED_HIDDEN if t.holder or not t.missed else _DOUBTED)]
    kept = [t if t.hits >= sure or t.holder or stamp - t.last_seen < _DOUBTED else replace(t, hits=0, confidence=0.0) for t in kept]  # all that is left is when it turned up
    kept = [t for t in kept if t.visible or t.holder is not None or t.confidence >= EXISTS or t.overlooked < max(_LOOKS, _OVERLOOKED * t.hits)]
    kept.sort(key=lambda t: (t.tracking is Tracking.LOST, -t.last_seen))
    return tuple(sorted(kept[: around.config.max_things], key=lambda t: t.born))
