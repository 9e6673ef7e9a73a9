"""What becomes of a thing that somebody carries: it goes where they go, and is put down where they are, not where it came from.

A viewer who saw it taken and then loses sight of the carrier (or sees their hands empty again) is less and less convinced that it is still in
that hand. What the conviction loses goes to the places where the carrier may have put it: those of the room they went into, and of the rooms that one leads
on to (as likely as all of that one where they were in the viewer's own room and got out of view), rather than others (and no more where such things usually are: who carries something off puts it where they want it), none of the room in which the viewer would have seen it, and hardly ever the one it was taken from; where it is suspected
already, an empty hand in view only makes that surer. Invariant: nothing else about the thing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from household.actions import HumanAction
from household.classes import Kind
from household.scene_graph import SceneGraph
from mind.beliefs import TINY, Beliefs
from mind.inference import Model
from mind.scene import Scene
from mind.verbs import PICKS

HELD = 1e-6  # convictions smaller than this are left alone
SUSPECTED = 0.3  # share of a row beyond the hand from which on the rest of the row says where an empty hand has left the thing
OTHER_ROOM = 0.02  # weight of a place in another room than the one the carrier is last known to be in
AT_DOOR_M = 0.5  # a doorway is no farther than this from the rooms it joins
RETURNED = 0.05  # weight of the place it was taken from


def origins(before: Mapping[str, str], last_where: Mapping[str, str], scene: Scene, events: Iterable[HumanAction]) -> Mapping[str, str]:
    """Object → the site it was taken from, as the events say or as the graph had it before it was in somebody's hands; only of things that have not
    been seen anywhere since."""
    new = {o: last_where[o] for held in scene.held.values() for o in held if last_where.get(o) not in (None, *scene.people)}
    new |= {e.target: e.place for e in events if e.verb in PICKS and e.target and e.place and e.place not in scene.people}
    if not new and all(o not in scene.where or scene.where[o] in scene.people for o in before):
        return before
    return {o: place for o, place in {**before, **new}.items() if o not in scene.where or scene.where[o] in scene.people}


def carried(b: Beliefs, scene: Scene, viewer: str, base: np.ndarray, seconds: float, taken_from: Mapping[str, str], model: Model) -> Beliefs:
    """The viewer's belief after ``seconds``. ``base`` (o, n): where somebody who knows nothing expects things."""
    index, views = model.layout.index, scene.graph.sees.get(viewer, frozenset())
    hands = [(p, index[p]) for p in sorted(scene.people) if p != viewer and p in index]
    if not hands or not (b.sure[:, [s for _, s in hands]] > HELD).any():
        return b
    sure, unsure, open_to = b.sure.copy(), b.unsure.copy(), b.open_to.copy()
    for person, site in hands:
        rows = np.flatnonzero(sure[:, site] > HELD)
        if person in views:  # an empty hand in view; a moment's loss is mostly something before it
            rows = np.array([o for o in rows if scene.where.get(model.objects[o]) != person], dtype=int)
            rate = 1 / model.config.lost_seconds
        else:
            rate = model.config.put_down_rate
        if not rows.size:
            continue
        gone = sure[rows, site] * (1 - float(np.exp(-rate * min(seconds, 60.0))))
        if person in views:
            known = 1 - sure[rows, site] > SUSPECTED
            _conditioned(sure, unsure, rows[known], site, gone[known])
            rows, gone = rows[~known], gone[~known]
        places = np.minimum(base[rows], 1.0) * _reachable(person, viewer, person in views, scene, model)
        for k, o in enumerate(rows):
            origin = index.get(taken_from.get(model.objects[o], ""))
            if origin is not None:
                places[k, origin] *= RETURNED
        open_to[rows] = _mixed(open_to[rows], places, (gone / np.maximum(unsure[rows] + gone, TINY))[:, None], base[rows])
        sure[rows, site] -= gone
        unsure[rows] += gone
    return Beliefs(sure, unsure, open_to)


def _conditioned(sure: np.ndarray, unsure: np.ndarray, rows: np.ndarray, site: int, gone: np.ndarray) -> None:
    """A hand in view that turns out empty has most likely put the thing where it was suspected already: the rest of each row grows."""
    rest = 1 - sure[rows, site]
    factor = (rest + gone) / rest
    left = sure[rows, site] - gone
    sure[rows] *= factor[:, None]
    unsure[rows] *= factor
    sure[rows, site] = left


def _mixed(open_to: np.ndarray, places: np.ndarray, share: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Weights of somebody who with probability ``share`` (k, 1) thinks of ``places`` and else of ``open_to``; at the scale of ``base``; all (k, n)."""
    before, after = (w / np.maximum(w.sum(axis=1, keepdims=True), TINY) for w in (open_to, places))
    return ((1 - share) * before + share * after) * base.sum(axis=1, keepdims=True)


def _reachable(person: str, viewer: str, in_view: bool, scene: Scene, model: Model) -> np.ndarray:
    """Float (n,): how likely the carrier has put it in each place, against any place of the room they are in."""
    index, at = model.layout.index, model.layout.room
    there, here = (scene.rooms.get(p, "") for p in (person, viewer))
    if there not in index:
        return np.ones(len(model.layout.ids))
    weight = np.where(at == index[there], 1.0, OTHER_ROOM)
    if in_view:
        return weight
    beyond = np.isin(at, [index[r] for r in onward(scene.graph, there, here if there != here else None) if r in index])
    if there != here:  # nobody sees them walk on
        weight[beyond] = 1.0
        weight[at == index.get(here, -2)] = 0.0  # the viewer would have seen it put down
    elif beyond.any():  # behind the viewer's back, or out of the door unseen
        weight[beyond] = max(OTHER_ROOM, float((at == index[there]).sum() / beyond.sum()))
    return weight


def onward(graph: SceneGraph, room: str, back: str | None) -> frozenset[str]:
    """The rooms to which the way out of ``room`` leads that does not go through ``back``; none where the graph tells of no doorways."""
    ways = _ways(tuple((e.id, e.position[:2], e.extents[:2]) for e in graph.of_kind(Kind.ROOM)), tuple(e.position[:2] for e in graph.of_kind(Kind.DOOR)))
    found, new = {room}, [room]
    while new:
        new = [r for at in new for r in ways.get(at, ()) if r != back and r not in found]
        found.update(new)
    return frozenset(found - {room})


@lru_cache(maxsize=64)
def _ways(rooms: tuple[tuple[str, tuple[float, float], tuple[float, float]], ...], doors: tuple[tuple[float, float], ...]) -> Mapping[str, tuple[str, ...]]:
    """Room → the rooms next to it. ``rooms``: id, middle, sizes along x and y; a doorway joins the two rooms nearest to it."""
    ways: dict[str, list[str]] = {}
    for x, y in doors:
        off = sorted((max(abs(x - cx) - w / 2, abs(y - cy) - d / 2, 0.0), name) for name, (cx, cy), (w, d) in rooms)[:2]
        if len(off) == 2 and off[1][0] <= AT_DOOR_M:
            for a, b in ((off[0][1], off[1][1]), (off[1][1], off[0][1])):
                ways.setdefault(a, []).append(b)
    return {room: tuple(sorted(set(next_to))) for room, next_to in ways.items()}
