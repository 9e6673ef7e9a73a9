"""What people are told, and what they say they want, as changes of belief and goal.

Invariant: only acts marked ``understood`` move anything; a hearer takes a statement over with probability trust × certainty, nobody
else hears it, and nobody is convinced by their own words.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from household import classes
from household.scene_graph import ROBOT
from household.speech import ActKind, SpeechAct
from mind import beliefs as belief_model
from mind import evidence as why
from mind import inference
from mind.beliefs import Beliefs
from mind.evidence import ActWeight
from mind.filter import Weigh
from mind.inference import Model
from mind.layout import Layout
from mind.tracked import Tracked
from mind.values import replace

STATEMENTS = (ActKind.INFORM_LOCATION, ActKind.DENY_LOCATION, ActKind.INFORM_MOVED)
WISHES = (ActKind.ASK_LOCATION, ActKind.REQUEST, ActKind.STATE_NEED, ActKind.STATE_GOAL)
IDLE_WISH = 0.01  # chance of voicing a wish for a thing one does not want, against one of wanting it


@dataclass(frozen=True)
class Heard:
    """A speech act with when and by whom it was heard. ``hearers`` None: not known (everybody in view is taken to have heard).
    ``trust``: hearer → chance that they take the speaker's word; ``MindConfig.trust`` for whom it does not name."""

    act: SpeechAct
    stamp: float
    hearers: tuple[str, ...] | None = None
    trust: Mapping[str, float] = field(default_factory=dict)


def objects_meant(act: SpeechAct, model: Model, where: dict[str, str] | None = None) -> list[int]:
    """Rows of the objects an act speaks about: the entity, or every object of the class."""
    if act.object is None:
        return []
    if act.object in model.objects:
        return [model.objects.index(act.object)]
    return [i for i, o in enumerate(model.objects) if classes.class_of(o) == act.object]


def sites_meant(act: SpeechAct, layout: Layout) -> np.ndarray:
    """Bool (n,): the sites a place phrase may mean: the place, the places of a class, or everything in a room."""
    meant = np.zeros(len(layout.ids), dtype=bool)
    if act.place is None:
        return meant
    i = layout.index.get(act.place)
    if i is not None and layout.is_room[i]:
        return layout.in_room(i) & (layout.holds | layout.is_room)
    if i is not None:
        meant[i] = True
        return meant
    for name, j in layout.index.items():
        meant[j] = classes.class_of(name) == act.place
    return meant


def taken_over(beliefs: Beliefs, rows: list[int], sites: np.ndarray, act: SpeechAct, p: float) -> Beliefs:
    """The belief of somebody who takes the statement over with probability p."""
    for o in rows:
        if act.kind is ActKind.INFORM_MOVED:
            beliefs = belief_model.told(beliefs, o, None, p)
        elif act.kind is ActKind.DENY_LOCATION:
            for s in np.flatnonzero(sites):
                beliefs = belief_model.told(beliefs, o, int(s), p, absent=True)
        elif sites.sum() == 1:
            beliefs = belief_model.told(beliefs, o, int(np.flatnonzero(sites)[0]), p)
        elif sites.any():
            beliefs = _one_of(beliefs, o, sites, p)
    return beliefs


def _one_of(b: Beliefs, o: int, sites: np.ndarray, p: float) -> Beliefs:
    """Told that it is at one of several sites: convictions of others go, and the unsure think of these, with probability p."""
    sure, unsure, open_to = b.sure.copy(), b.unsure.copy(), b.open_to.copy()
    unsure[o] += p * sure[o, ~sites].sum()
    sure[o, ~sites] *= 1 - p
    said = np.where(sites, np.maximum(open_to[o], 1e-6), 0.0)
    total = float(open_to[o].sum())
    open_to[o] = (1 - p) * open_to[o] + p * total * said / said.sum()
    return Beliefs(sure, unsure, open_to)


def hear(t: Tracked, heard: Heard, visible: bool) -> Tracked:
    """What this person makes of a statement."""
    act = heard.act
    listening = t.person in heard.hearers if heard.hearers is not None else visible
    if not act.understood or act.speaker == t.person or not listening or act.kind not in STATEMENTS:
        return t
    rows, sites = objects_meant(act, t.model), sites_meant(act, t.model.layout)
    if not rows or (act.kind is not ActKind.INFORM_MOVED and not sites.any()):
        return t
    if act.kind is ActKind.INFORM_MOVED and act.person == t.person:
        return t  # what they did themselves is no news to them
    if act.kind is ActKind.INFORM_LOCATION and len(rows) > 1:
        rows = [max(rows, key=lambda o: float(t.state.beliefs.sure[o][sites].sum()))]
    p = heard.trust.get(t.person, t.model.config.trust) * act.certainty
    beliefs = taken_over(t.state.beliefs, rows, sites, act, p)
    memory = t.memory
    for o in rows:
        t = t.moved(inference.change_belief(t.model, t.state, beliefs, o, p))
        place = act.place if sites.sum() == 1 else None
        memory = why.note(memory, t.model.objects[o], why.was_told(heard.stamp, t.model.objects[o], act.speaker, act.text, place,
                                                                   float(np.log(max(p, 1e-9) / max(1 - p, 1e-9)))))
    return replace(t, memory=memory)


def speak(t: Tracked, heard: Heard) -> Tracked:
    """What a person's own words say about what they want (and, when they ask where it is, that they are not sure)."""
    act = heard.act
    if not act.understood or act.speaker != t.person or act.kind not in WISHES or act.object is None:
        return t
    cls = classes.class_of(act.object)
    space = t.model.space
    if cls not in space.classes or (act.kind is ActKind.REQUEST and act.person not in (None, t.person)):
        return t
    wants = space.wants[:, space.classes.index(cls)]
    odds = np.where(wants, 1.0, 1 - act.certainty * (1 - IDLE_WISH))
    table = np.broadcast_to(odds[:, None], t.state.posterior.alpha.shape[1:])
    ready, steps = inference.ready(t.model, t.state)
    before, said = ready.posterior.alpha.sum(axis=(0, 2)), Weigh(table, "words")
    t = t.moved((replace(ready, posterior=t.model.backend.step(ready.posterior, said)), (*steps, said)))
    after = t.state.posterior.alpha.sum(axis=(0, 2))
    if act.kind is ActKind.ASK_LOCATION:
        for o in objects_meant(act, t.model):
            beliefs = belief_model.told(t.state.beliefs, o, None, 0.9 * act.certainty)
            beliefs = replace(beliefs, open_to=t.state.beliefs.open_to)
            t = t.moved(inference.change_belief(t.model, t.state, beliefs, o, 0.9 * act.certainty))
    gain = np.log(np.maximum(after, 1e-300)) - np.log(np.maximum(before, 1e-300))
    weight = ActWeight(heard.stamp, f"said \"{act.text}\"", act.object, tuple(gain.tolist()))
    return replace(t, memory=why.note_act(t.memory, weight), last_deed=heard.stamp, last_act=heard.stamp)


def robot_hears(robot: Beliefs, model: Model, heard: Heard, shown: Collection[str] = (), speaker: Beliefs | None = None) -> Beliefs:
    """The robot takes statements over, too, but trusts its eyes more than words: ``shown`` is what it sees at this moment. What it remembers may be out
    of date; but a statement that a ``speaker`` of these beliefs makes anyway, right or wrong, is no news to who is convinced of something else."""
    act = heard.act
    if not act.understood or act.speaker == ROBOT or act.kind not in STATEMENTS:
        return robot
    if heard.hearers is not None and ROBOT not in heard.hearers:
        return robot
    sites = sites_meant(act, model.layout)
    new = speaker is not None and act.kind is ActKind.INFORM_LOCATION
    rows = [o for o in objects_meant(act, model) if model.objects[o] not in shown
            and (robot.sure[o].max() < 0.9 or (new and speaker.sure[o][sites].sum() < 0.5))]
    if act.kind is ActKind.INFORM_LOCATION:
        rows = rows[:1]
    return taken_over(robot, rows, sites, act, heard.trust.get(ROBOT, model.config.trust) * act.certainty)
