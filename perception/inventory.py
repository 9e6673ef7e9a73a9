"""The loose things as they are known while one frame is taken in.

Things turn up, are seen, and turn out to be others or to go by another name, and each of these changes several records that must agree. Invariants: whatever changes
in them changes here; a number once given to a thing of a class is never given again; a thing that goes on under another id is known under that one only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from household import classes
from household.scene_graph import Tracking
from perception import aliases
from perception.lifting import Lifted
from perception.records import replace
from perception.thing_seen import observed, part_of_its_container, seen_anew, taken_out_of
from perception.thing_track import Surroundings, ThingTrack, believed_in, called, was_believed_in


class Inventory:
    """``current``: things by id; ``seen``: what was found of them in this frame. ``counters``: class → the highest number given. ``pooled`` and ``renamed``: as in
    :class:`perception.things.ThingsUpdate`."""

    def __init__(self, tracks: Iterable[ThingTrack], counters: Mapping[str, int], around: Surroundings) -> None:
        self.around = around
        self.current: dict[str, ThingTrack] = {t.id: t for t in tracks}
        self.seen: dict[str, Lifted] = {}
        self.counters: dict[str, int] = dict(counters)
        self.pooled: list[tuple[tuple[float, float, float], Mapping[str, float], int, str]] = []
        self.renamed: dict[str, str] = {}

    def add(self, track: ThingTrack) -> None:
        """A thing that has its id from elsewhere."""
        self.current[track.id] = track
        self.counters[track.cls] = max(self.counters.get(track.cls, 0), classes.number_of(track.id))

    def start(self, one: Lifted) -> ThingTrack:
        """A new thing, which is known once it is observed."""
        stamp, number = self.around.frame.stamp, self.counters.get(one.cls, 0) + 1
        self.counters[one.cls] = number
        return ThingTrack(f"{one.cls}_{number}", one.cls, one.box, Tracking.VISIBLE, stamp, stamp, changed=stamp, confidence=one.detection.score, hits=0)

    def observe(self, track: ThingTrack, one: Lifted, names: Mapping[str, float] | None = None) -> None:
        """``one`` was seen of it. ``names``: what it may be, where more than this look tells that."""
        now = observed(track, one, self.around)
        if part_of_its_container(now, self.around):
            if track.hits < self.around.config.confirm_frames:
                self.current.pop(track.id, None)
            return
        if names is None and seen_anew(track, now, self.around):  # what it is called goes with it
            self._pool(one.box.centre, track, now.cls)
        self.current[track.id] = now if names is None else replace(now, names=_likeliest_first(names))
        self.seen[track.id] = one

    def observe_renamed(self, track: ThingTrack, one: Lifted) -> None:
        """``one``, of another class, was seen of it: from now on it goes by the likelier name of the two. Not by what may as well be the container it shows in."""
        if part_of_its_container(observed(track, one, self.around), self.around):
            return
        names = aliases.pooled(track, one.detection.names)
        now = self._called(track, aliases.best_name(names, track.cls, one.cls))
        self._pool(one.box.centre, track, now.cls)
        if now.id != track.id:
            del self.current[track.id]
            self.renamed[track.id] = now.id
        self.observe(now, one, names)

    def merge(self, young: str, old: str, put: float) -> None:
        """What turned up as ``young`` is ``old``, which was put there, or taken, at ``put``."""
        one, track = self.current.pop(young), self.current.pop(old)
        names = aliases.pooled(track, one.names, one.hits)
        known = replace(_as_one(track, one, names, put), taken_from=_taken_from(track, one, self.around))
        if not believed_in(track, self.around.config) and was_believed_in(one, self.around.config):  # people were told of this one only
            known = replace(known, id=one.id, cls=one.cls, formerly=one.formerly)
        known = self._called(known, aliases.best_name(names, track.cls, one.cls))
        self.renamed |= {k: known.id for k in (young, old) if k != known.id}
        self._pool(one.box.centre, track, known.cls)
        self.current[known.id] = known
        if young in self.seen:
            self.seen[known.id] = self.seen.pop(young)

    def forget(self, name: str) -> None:
        """There is no such thing."""
        del self.current[name]

    def _called(self, track: ThingTrack, cls: str) -> ThingTrack:
        """The same thing by that class's name."""
        if cls != track.cls:
            track, self.counters = called(track, cls, self.counters)
        return track

    def _pool(self, centre: Iterable[float], track: ThingTrack, called: str) -> None:
        """What shows there, and is called so now, is a thing that was seen elsewhere."""
        if track.names:
            self.pooled.append((tuple(centre), dict(track.names), track.hits, called))


def _as_one(old: ThingTrack, young: ThingTrack, names: Mapping[str, float], put: float) -> ThingTrack:
    """What turned up is what was carried there: where it is now, with the history it had."""
    return replace(young, id=old.id, cls=old.cls, born=old.born, hits=old.hits + young.hits, confidence=max(old.confidence, young.confidence), changed=put,
                   colour=old.colour, look=old.look if old.look is not None else young.look, overlooked=old.overlooked + young.overlooked,
                   formerly=tuple(dict.fromkeys((*old.formerly, *young.formerly, young.id))), names=_likeliest_first(names))


def _taken_from(old: ThingTrack, young: ThingTrack, around: Surroundings) -> str | None:
    """What is known of where the thing was taken from that was known as ``old`` and shows as ``young``."""
    if young.holder is None:
        return young.taken_from
    return old.taken_from if old.holder == young.holder else taken_out_of(old, around) or young.taken_from


def _likeliest_first(names: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """As tracks keep them."""
    return tuple(sorted(names.items(), key=lambda kv: -kv[1]))
