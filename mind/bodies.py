"""What the graph shows of a person's body, whatever acts were reported: the room they are in, what is in their hands, that time passes.

Invariant: none of this is evidence about goals; it only keeps the model of the person in step with the world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from household import classes
from household.actions import HumanAction
from mind import beliefs as belief_model
from mind import inference
from mind.inference import SETTLED
from mind.policy import Act, ActKind, Situation
from mind.scene import Scene
from mind.tracked import Tracked
from mind.values import replace

HANDS_SECONDS = 1.5  # an act may be reported a little later than the graph shows what it did
_SAME_SPOT = 0.6  # m
HAD_IT, PUT_IT_THERE = 0.5, 0.9  # conviction of one's own hands from which on a thing was in them; that who had it put it where it is found
LOST_SECONDS = 3.0  # unseen for so long, somebody may stand anywhere in the room


def receives(t: Tracked, event: HumanAction) -> Tracked:
    """Something was handed to this person: it is in their hands without an act of theirs."""
    return t.moved(inference.consequences(t.model, t.state, Act(ActKind.PICK, t.state.situation.site, classes.class_of(event.target or ""))))


def has_left(t: Tracked, event: HumanAction) -> Tracked:
    """Somebody else takes from a place what this person had in their hands when it was last seen, or may have taken unseen: most likely they have put it there, and
    know that they did."""
    index, o = t.model.layout.index, t.model.named.get(event.target or "")
    own, place = index.get(t.person), index.get(event.place or "")
    if o is None or own is None or place is None or event.place == t.person:
        return t
    had = 1.0 if t.state.beliefs.sure[o, own] > HAD_IT else t.took.get(event.target or "", 0.0)
    if had <= HAD_IT:
        return t
    p = min(1.0, event.confidence) * PUT_IT_THERE * had
    took = {k: v for k, v in t.took.items() if k != event.target}
    return replace(t, took=took, state=replace(t.state, beliefs=belief_model.see(t.state.beliefs, np.array([o]), np.array([place]), p)))


def hands(t: Tracked, scene: Scene, visible: bool) -> Tracked:
    """What the graph steadily shows in their hands is there, even when no act was reported that would explain it; and they know it."""
    stamp, shown = scene.graph.stamp, [classes.class_of(o) for o in scene.held.get(t.person, ())]
    if not visible or sorted(shown) == sorted(t.state.progress.holding):
        t = t if t.hands_differ_since is None else replace(t, hands_differ_since=None)
        return _feels(t, scene) if visible and shown else t
    if stamp > t.first_seen:  # at first sight there is nothing to wait for
        since = stamp if t.hands_differ_since is None else t.hands_differ_since
        if stamp - since < HANDS_SECONDS:
            return replace(t, hands_differ_since=since)
    site, index = t.state.situation.site, t.model.layout.index
    t = _feels(t, scene)
    for cls in _more(shown, t.state.progress.holding):
        t = t.moved(inference.consequences(t.model, t.state, Act(ActKind.PICK, site, cls)))
    for cls in _more(t.state.progress.holding, shown):
        place = next((p for o, p in scene.where.items() if classes.class_of(o) == cls and p in index), None)
        t = t.moved(inference.consequences(t.model, t.state, Act(ActKind.PUT, index.get(place, t.model.layout.elsewhere), cls)))
    return replace(t, hands_differ_since=None)


def renamed(t: Tracked, names: Mapping[str, str], scene: Scene) -> Tracked:
    """What is in their hands turned out to be something else. ``names``: former id → id now."""
    holding, shown = list(t.state.progress.holding), scene.held.get(t.person, ())
    for old, new in names.items():
        if new in shown and classes.class_of(old) in holding:
            holding[holding.index(classes.class_of(old))] = classes.class_of(new)
    return replace(t, state=replace(t.state, progress=replace(t.state.progress, holding=tuple(holding))))


def _feels(t: Tracked, scene: Scene) -> Tracked:
    """Nobody takes what is in their own hands to be elsewhere."""
    own = t.model.layout.index.get(t.person, t.model.layout.elsewhere)
    rows = np.array([t.model.named[o] for o in scene.held.get(t.person, ()) if o in t.model.named], dtype=int)
    rows = rows[t.state.beliefs.sure[rows, own] < 1.0 - SETTLED]
    return t if not rows.size else replace(t, state=replace(t.state, beliefs=belief_model.see(t.state.beliefs, rows, np.full(len(rows), own))))


def _more(these: Sequence[str], than: Sequence[str]) -> list[str]:
    """What is in the first list more often than in the second."""
    rest = list(these)
    for cls in than:
        if cls in rest:
            rest.remove(cls)
    return rest


def last_seen_in(t: Tracked, room: int) -> Tracked:
    """The person was in this room; where exactly is not known any more."""
    if t.model.layout.room[t.state.situation.site] == room:
        return t
    return replace(t, state=replace(t.state, situation=Situation(room, t.state.situation.closed)))


def stay_in_step(t: Tracked, scene: Scene, closed: np.ndarray, visible: bool) -> Tracked:
    """The person's room and what stands open, as the graph has them now. Out of sight, only the room they were last seen in is kept."""
    layout, situation = t.model.layout, t.state.situation
    room = scene.rooms.get(t.person, t.room)
    site = situation.site
    elsewhere = room in layout.index and layout.room[site] != layout.index.get(room, -1)
    lost = not visible and room in layout.index and scene.graph.stamp - t.last_seen > LOST_SECONDS
    if room is not None and (elsewhere or lost):
        site = layout.index[room]
    if site != situation.site or not np.array_equal(closed, situation.closed):
        t = replace(t, state=replace(t.state, situation=Situation(site, closed)))
    been = {**t.been, room: scene.graph.stamp} if visible and room is not None else t.been
    return replace(t, room=room, been=been)


def lived_on(t: Tracked, scene: Scene, visible: bool) -> Tracked:
    """Somebody back in view has lived on meanwhile: they are not on the walk any more that they were on then, and goals ended and began, one act for
    every while in which an idle person would have been seen to pause. Nobody saw them pause, though, unless they stood about and are where they stood."""
    stamp, body = scene.graph.stamp, scene.graph.entities.get(t.person)
    if not visible or body is None:
        return t if t.unseen_since is not None else replace(t, unseen_since=stamp)
    here = (float(body.position[0]), float(body.position[1]))
    moved = t.spot is None or float(np.hypot(here[0] - t.spot[0], here[1] - t.spot[1])) > _SAME_SPOT
    if t.unseen_since is None:
        return replace(t, spot=here, stood=stamp) if moved else t
    since, stood = t.unseen_since, t.stood
    t = replace(t, spot=here, stood=stamp if moved else stood, unseen_since=None, away=(since, stamp))
    if not moved and t.walking is None and stood < since - LOST_SECONDS:
        return t
    away = stamp - since
    acts = away / t.model.config.pause_seconds
    if acts < 1.0:
        return replace(t, last_act=min(stamp, max(t.last_act, t.first_seen) + away))
    return t.moved(inference.lived_on(t.model, t.state, acts), walking=None, begun=None, glances=(), last_act=stamp)


def forget(t: Tracked, stamp: float, visible: bool, base: np.ndarray) -> Tracked:
    """Convictions fade, faster while the robot cannot see what the person may be learning."""
    elapsed = stamp - t.forgot
    if elapsed < 1.0:
        return t
    rate = t.model.config.forgetting_rate if visible else t.model.config.unseen_drift
    share = 1 - float(np.exp(-rate * elapsed))
    held = [o for o, name in enumerate(t.model.objects) if classes.class_of(name) in t.state.progress.holding]
    beliefs = belief_model.forget(t.state.beliefs, share, base)
    if held:
        beliefs.sure[held], beliefs.unsure[held] = t.state.beliefs.sure[held], t.state.beliefs.unsure[held]
    return replace(t, state=replace(t.state, beliefs=beliefs), forgot=stamp)
