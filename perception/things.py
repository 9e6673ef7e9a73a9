"""The world-level tracker of loose things: identity that survives occlusion, cupboards and being carried.

A thing is VISIBLE, OCCLUDED (its place is not in view), CONTAINED (in a container that shut over it), HELD (it goes where its holder
goes) or LOST (its place was looked at and it was not there). Invariants: not seeing a place never makes a thing lost; two things seen at the
same time are never one; a LOST thing keeps its id and is the first candidate when one of its class turns up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from household import classes
from household.scene_graph import ROBOT, Tracking
from perception import aliases, gripper
from perception.absence import Look, look_for
from perception.appearance import odds
from perception.association import assign, looks_like, revive, without_halves
from perception.geometry import Box
from perception.hands import touch_distance
from perception.lifting import Lifted
from perception.records import replace
from perception.support import part_of_a_seat
from perception.thing_seen import just_taken, observed, part_of_its_container
from perception.thing_track import AWAY, Surroundings, ThingTrack, called, is_thing
from perception.thing_unseen import unobserved

_DOUBTED, _DOUBTED_IN_HAND = 1.5, 5.0  # s unseen after which what is not sure yet is forgotten; what somebody holds hides behind them
_JUST_LIKE = 3.0  # odds by its looks from which a faint sight is a thing that nobody saw taken


@dataclass(frozen=True)
class ThingsUpdate:
    """``pooled``: (where, class → how likely, sightings) of things that turned up under another name; ``renamed``: id before → id now."""

    tracks: tuple[ThingTrack, ...]
    counters: Mapping[str, int]
    seen: Mapping[str, Lifted] = field(default_factory=dict)
    pooled: tuple[tuple[tuple[float, float, float], Mapping[str, float], int], ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


def update(tracks: Sequence[ThingTrack], lifted: Sequence[Lifted], around: Surroundings, counters: Mapping[str, int]) -> ThingsUpdate:
    counters, seen, pools, renamed = dict(counters), {}, [], {}
    current = {t.id: t for t in (_carried(_let_go_by_nobody(t, around), around) for t in tracks)}
    for name in around.frame.robot_holds if around.frame.robot_pose is not None else ():
        if name not in current and (felt := gripper.felt(name, around)) is not None:
            current[name] = felt
            counters[felt.cls] = max(counters.get(felt.cls, 0), classes.number_of(name))
    mine = [x for x in lifted if is_thing(x.cls)]
    plain = [x for x in mine if x.detection.score >= around.config.min_score]
    for cls in sorted({x.cls for x in mine}):
        found = without_halves([x for x in mine if x.cls == cls])
        faint = [x for x in found if x.detection.score < around.config.min_score]  # only what somebody has, or what has gone from its place
        found = [x for x in found if x.detection.score >= around.config.min_score]
        known = [t for t in current.values() if t.cls == cls]
        pairs = assign(known, found, around)
        pairs |= revive([t for t in known if t.id not in pairs.values()], found, pairs, len(known), around)
        gone = [t for t in known if faint and t.id not in pairs.values() and _may_be_in_a_hand(t, around)]
        back = assign(gone, faint, around)
        back |= _faintly([t for t in known if faint and t.id not in pairs.values() and t not in gone], faint, back, len(known), around)
        only_known = set()  # of these a faint sight says little, unless it looks just like one
        for i, one in enumerate(faint):
            if i in back:
                pairs[len(found)] = back[i]
            elif not _in_a_hand(one, around, around.config.confirm_frames):
                continue
            elif aliases.may_be_known(one, looks_like(one, around), current, seen):
                only_known.add(len(found))
            found.append(one)
        held = [found[i].box for i, name in pairs.items() if current[name].holder in around.people]
        for i, one in enumerate(found):
            track, names = current.get(pairs.get(i, "")), None
            look = looks_like(one, around) if track is None else None
            same = aliases.same_as(one, look, current, seen, plain, around) if track is None else None
            if i in only_known and (same is None or odds(same.look, look) < aliases.RESEMBLES):
                continue
            if same is not None:
                names = aliases.pooled(same, one.detection.names)
                track, name = same, aliases.best_name(names, same.cls, one.cls)
                pools.append((tuple(one.box.centre), names, same.hits))
                if name != same.cls:
                    del current[same.id]
                    track, counters = called(same, name, counters)
                    renamed[same.id] = track.id
            if track is None and (_of_a_seat(one, around) or gripper.shows_in_it(one, around) or _half(one, held)):
                continue
            if track is None:
                counters[cls] = counters.get(cls, 0) + 1
                track = ThingTrack(f"{cls}_{counters[cls]}", cls, one.box, Tracking.VISIBLE, around.frame.stamp, around.frame.stamp,
                                   changed=around.frame.stamp, confidence=one.detection.score, hits=0)
            now = observed(track, one, around)
            if part_of_its_container(now, around):
                if track.hits < around.config.confirm_frames:
                    current.pop(track.id, None)
                continue
            if names is None and just_taken(track, now, around):  # what it is called goes with it
                pools.append((tuple(one.box.centre), aliases.pooled(track, one.detection.names), min(track.hits, aliases.LOOKS)))
            current[track.id] = now if names is None else replace(now, names=tuple(sorted(names.items(), key=lambda kv: -kv[1])))
            seen[track.id] = one
    for young, old, put in aliases.carried_here(current, seen, around):
        one, track = current.pop(young), current.pop(old)
        names = aliases.pooled(track, one.names, one.hits)
        name = aliases.best_name(names, track.cls, one.cls)
        known = _one_thing(track, one, names, put)
        if track.hits < around.config.confirm_frames < one.hits:  # people were told of this one only
            known = replace(known, id=one.id, cls=one.cls, formerly=one.formerly)
        if name != known.cls:
            known, counters = called(known, name, counters)
        renamed |= {k: known.id for k in (young, old) if k != known.id}
        pools.append((tuple(one.box.centre), names, track.hits))
        current[known.id], seen[known.id] = known, seen.pop(young)
    for name in aliases.mistaken_for(current, seen, around):
        del current[name]
    for track in list(current.values()):
        if track.id in around.frame.robot_holds or track.holder == ROBOT:
            current[track.id] = gripper.with_robot(track, track.id in seen, around)
        elif track.id not in seen:
            current[track.id] = unobserved(track, around)
    stamp = around.frame.stamp
    kept = [t for t in current.values() if t.hits >= around.config.confirm_frames or stamp - t.last_seen < (_DOUBTED_IN_HAND if t.holder else _DOUBTED)]
    kept.sort(key=lambda t: (t.tracking is Tracking.LOST, -t.last_seen))
    return ThingsUpdate(tuple(sorted(kept[: around.config.max_things], key=lambda t: t.born)), counters, seen, tuple(pools), renamed)


def _one_thing(old: ThingTrack, young: ThingTrack, names: Mapping[str, float], put: float) -> ThingTrack:
    """What turned up is what was carried there: where it is now, with the history it had."""
    return replace(young, id=old.id, cls=old.cls, born=old.born, hits=old.hits + young.hits, confidence=max(old.confidence, young.confidence), changed=put,
                   colour=old.colour, look=old.look if old.look is not None else young.look, overlooked=old.overlooked + young.overlooked, formerly=tuple(dict.fromkeys((*old.formerly, *young.formerly, young.id))),
                   names=tuple(sorted(names.items(), key=lambda kv: -kv[1])))


def _of_a_seat(one: Lifted, around: Surroundings) -> bool:
    """Whether what a fallible detector calls a thing is rather the back of a chair: nobody has it in their hand, and nothing else could bear it."""
    return bool(one.detection.names) and not _in_a_hand(one, around, 0) and part_of_a_seat(one.box, around.places, around.config)


def _in_a_hand(one: Lifted, around: Surroundings, sightings: int) -> bool:
    """Whether it is in the hand of somebody who has been seen so often: of bare hands detectors hardly ever see things."""
    return any(p.visible and p.hits >= sightings and touch_distance(p, one.box) <= around.config.hand_distance for p in around.people.values())


def _half(one: Lifted, held: Sequence[Box]) -> bool:
    """Whether it shows right beside one of its kind that somebody has: fingers cut what they hold in two. ``held``: those, as they are seen now."""
    near = max(classes.get(one.cls).size)
    return any(math.dist(one.box.centre, box.centre) <= near for box in held)


def _may_be_in_a_hand(track: ThingTrack, around: Surroundings) -> bool:
    """Whether it is in one, as far as is known, or is seen not to lie where it lay."""
    container = around.places.get(track.place or "") if track.inside else None
    return track.holder is not None or track.tracking is Tracking.LOST or look_for(track, container, around) in (Look.MISSING, Look.EMPTY)


def _faintly(lying: Sequence[ThingTrack], faint: Sequence[Lifted], taken: Mapping[int, str], known: int, around: Surroundings) -> dict[int, str]:
    """Index in ``faint`` → id of one of the things that may still lie where they lay: it shows there, at a hand that takes it, or it looks just like what shows in the
    hand of somebody who has been there."""
    shown = {i: one for i, one in enumerate(faint) if i not in taken and _in_a_hand(one, around, around.config.confirm_frames)}
    found: dict[int, str] = {}
    for i, one in shown.items():
        near = {t.id: math.dist(one.box.centre, t.centre) for t in lying if t.id not in found.values() and t.tracking is not Tracking.CONTAINED}
        if near and min(near.values()) < AWAY:
            found[i] = min(near, key=near.get)
    rest = [t for t in lying if t.id not in found.values()]
    return found | {i: name for i, name in revive(rest, faint, {**taken, **found}, known, around).items()
                    if i in shown and odds(next(t.look for t in rest if t.id == name), looks_like(faint[i], around)) >= _JUST_LIKE}


def _let_go_by_nobody(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """Who was taken for its holder turned out to be nobody, or is forgotten: then it is where it was last seen."""
    if track.holder is None or track.holder == ROBOT or track.holder in around.people:
        return track
    return replace(track, holder=None, tracking=Tracking.OCCLUDED, changed=around.frame.stamp, guessed=True)


def _carried(track: ThingTrack, around: Surroundings) -> ThingTrack:
    """Move what is held along with its holder."""
    holder = around.people.get(track.holder or "")
    if holder is None or not holder.visible:
        return track
    centre = (holder.position[0] + track.offset[0], holder.position[1] + track.offset[1], track.offset[2])
    return replace(track, box=replace(track.box, centre=tuple(float(x) for x in centre)))
