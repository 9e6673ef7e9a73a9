"""Which sightings of one class count in a frame, and which known thing each of them is.

Plain sightings are matched first (:mod:`perception.association`). A faint one, of which a detector is not sure, only goes on with what somebody has or what has gone
from its place, or begins something new in the hand of somebody who is followed. Invariants: no sighting is two things and no thing two sightings; a faint sight never
takes a thing from a plain one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from household import classes
from household.scene_graph import Tracking
from perception import aliases, gripper
from perception.absence import Look, look_for
from perception.appearance import odds
from perception.association import assign, looks_like, revive, without_halves
from perception.faint import surely_there
from perception.geometry import Box
from perception.hands import touch_distance
from perception.lifting import Lifted
from perception.riders import overlap
from perception.support import part_of_a_hob, part_of_a_lamp, part_of_a_seat
from perception.thing_track import AWAY, Surroundings, ThingTrack, lies

_CUT = 0.85  # share of a box that the other half of what fingers cut in two covers: what lies beside another thing shows beside it
_JUST_LIKE = 3.0  # odds by its looks from which a faint sight is a thing that nobody saw taken


class Sighting(NamedTuple):
    """``known``: id of the thing of its class that it is, None: of none. ``doubtful``: of something new it says little, unless it looks just like a known thing."""

    one: Lifted
    known: str | None
    doubtful: bool = False


def is_plain(one: Lifted, around: Surroundings) -> bool:
    """Whether the detector is sure enough of it for it to count anywhere."""
    return one.detection.score >= around.config.min_score


def matched(found: Sequence[Lifted], current: Mapping[str, ThingTrack], seen: Mapping[str, Lifted], around: Surroundings) -> list[Sighting]:
    """What was found of one class, and what of it is which known thing; plain ones first. ``current``: all known things by id; ``seen``: those that were already seen
    in this frame."""
    found = without_halves(found)
    plain, faint = [x for x in found if is_plain(x, around)], [x for x in found if not is_plain(x, around)]
    known = [t for t in current.values() if t.cls == found[0].cls]
    pairs, count = assign(known, plain, around), len(known)
    pairs |= revive(_rest(known, pairs), plain, pairs, count, around, [t for t in current.values() if (t.holder is not None or t.inside) and t.id not in seen])
    sightings = [Sighting(one, pairs.get(i)) for i, one in enumerate(plain)]
    if not faint:
        return sightings
    known = _rest(known, pairs)
    there = _still_there(known, faint, around)
    sightings += [Sighting(faint[i], name) for i, name in there.items()]
    known, faint = _rest(known, there), [x for i, x in enumerate(faint) if i not in there]
    pairs = _faint_pairs(known, faint, count, around)
    for i, one in enumerate(faint):
        if i in pairs:
            sightings.append(Sighting(one, pairs[i]))
        elif _in_a_hand(one, around, around.config.confirm_frames):
            sightings.append(Sighting(one, None, doubtful=aliases.may_be_known(one, looks_like(one, around), current, seen)))
    return sightings


def is_no_thing(one: Lifted, held: Sequence[Box], around: Surroundings) -> bool:
    """Whether what is no known thing is nothing new either. ``held``: where those of its class that somebody has show now."""
    return _of_furniture(one, around) or gripper.shows_in_it(one, around) or _half(one, held)


def is_cut_in_two(one: Lifted, seen: Iterable[Lifted], around: Surroundings) -> bool:
    """Whether it shows at somebody's hand, over one of what was ``seen`` of known things in this frame: fingers cut what they take in two, and each half may be called
    something else."""
    return bool(one.detection.names) and _in_a_hand(one, around, 0) and any(
        overlap(one.detection, other.detection) >= _CUT and math.dist(one.box.centre, other.box.centre) <= max(*one.box.size, *other.box.size) for other in seen)


def _rest(known: Sequence[ThingTrack], pairs: Mapping[int, str]) -> list[ThingTrack]:
    """Those that were not found."""
    return [t for t in known if t.id not in pairs.values()]


def _still_there(missing: Sequence[ThingTrack], faint: Sequence[Lifted], around: Surroundings) -> dict[int, str]:
    """Index in ``faint`` → id of one of the things that were not plainly seen: what lies where it lay and surely is something, though by now it might bear one of several names."""
    unsure = [i for i, x in enumerate(faint) if surely_there(x.detection)]
    lying = [t for t in missing if lies(t)]
    pairs = assign(lying, [faint[i] for i in unsure], around)
    at = {t.id: t.centre for t in lying}
    return {unsure[k]: name for k, name in pairs.items() if math.dist(faint[unsure[k]].box.centre, at[name]) <= AWAY}


def _faint_pairs(missing: Sequence[ThingTrack], faint: Sequence[Lifted], known: int, around: Surroundings) -> dict[int, str]:
    """Index in ``faint`` → id of one of the things that were not plainly seen. ``known``: how many of the class there are."""
    gone = [t for t in missing if _may_be_in_a_hand(t, around)]
    pairs = assign(gone, faint, around)
    return pairs | _of_what_lies([t for t in missing if t not in gone], faint, pairs, known, around)


def _may_be_in_a_hand(track: ThingTrack, around: Surroundings) -> bool:
    """Whether it is in one, as far as is known, or is seen not to lie where it lay."""
    container = around.places.get(track.place or "") if track.inside else None
    return track.holder is not None or track.tracking is Tracking.LOST or look_for(track, container, around) in (Look.MISSING, Look.EMPTY)


def _of_what_lies(lying: Sequence[ThingTrack], faint: Sequence[Lifted], taken: Mapping[int, str], known: int, around: Surroundings) -> dict[int, str]:
    """Index in ``faint`` → id of one of the things that may still lie where they lay: it shows there, at a hand that takes it, or it looks just like what shows in the
    hand of somebody who has been there."""
    shown = {i: one for i, one in enumerate(faint) if i not in taken and _in_a_hand(one, around, around.config.confirm_frames)}
    found: dict[int, str] = {}
    for i, one in shown.items():
        near = {t.id: _from_its_place(t, one, around) for t in lying if t.id not in found.values() and t.tracking is not Tracking.CONTAINED}
        if near and min(near.values()) < AWAY:
            found[i] = min(near, key=near.get)
    rest = _rest(lying, found)
    return found | {i: name for i, name in revive(rest, faint, {**taken, **found}, known, around).items()
                    if i in shown and odds(next(t.look for t in rest if t.id == name), looks_like(faint[i], around)) >= _JUST_LIKE}


def _from_its_place(track: ThingTrack, one: Lifted, around: Surroundings) -> float:
    """Metres from where it lay; none within the container that it is only concluded to be somewhere in."""
    container = around.places.get(track.place or "") if track.inside and track.guessed else None
    return math.dist(one.box.centre, track.centre) if container is None else container.body.distance(one.box.centre)


def _in_a_hand(one: Lifted, around: Surroundings, sightings: int) -> bool:
    """Whether it is in the hand of somebody who has been seen so often: of bare hands detectors hardly ever see things."""
    return any(p.visible and p.hits >= sightings and touch_distance(p, one.box) <= around.config.hand_distance for p in around.people.values())


def _of_furniture(one: Lifted, around: Surroundings) -> bool:
    """Whether what a fallible detector calls a thing is rather a part of a lamp, whoever stands at that, or, in nobody's hand, the back of a chair, which nothing else
    could bear, or a plate of a hob."""
    if not one.detection.names:
        return False
    return part_of_a_lamp(one.box, around.places) or not _in_a_hand(one, around, 0) and (
        part_of_a_seat(one.box, around.places, around.config) or part_of_a_hob(one.box, around.places, around.config))


def was_of_furniture(track: ThingTrack, around: Surroundings) -> bool:
    """Whether a thing that nobody is known to have had turns out to be a plate of a hob or a part of a lamp, now that that is known."""
    never_held = track.holder is None and track.offset == (0.0, 0.0, 0.0) and track.taken_from is None
    return bool(track.names) and never_held and (part_of_a_hob(track.box, around.places, around.config) or part_of_a_lamp(track.box, around.places))


def _half(one: Lifted, held: Sequence[Box]) -> bool:
    """Whether it shows right beside one of its kind that somebody has: fingers cut what they hold in two."""
    near = max(classes.get(one.cls).size)
    return any(math.dist(one.box.centre, box.centre) <= near for box in held)
