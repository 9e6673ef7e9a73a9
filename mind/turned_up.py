"""Who knew of a thing that somebody takes out of where it had not been seen.

A book goes into a drawer in a hand that hides it, and comes out again in another's: then it was in there all the while. Things do not come by themselves, so who
had that drawer open before, with nobody else at it in between, has seen it there or has put it there; who did so with nothing to show for it (:mod:`mind.hidden`)
most likely put it there, and that "something unseen" has a name now. What lies in the open was seen by who was in that room before, wherever they looked, with nobody
else in there since. Invariant: whoever looked there only afterwards, and the one who takes it, are told by what
they see and do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from household import classes
from household.actions import HumanAction
from mind import beliefs as belief_model
from mind import evidence as why
from mind import goals as goal_model
from mind.goals import UNSEEN
from mind.hidden import LEFT
from mind.tracked import LAST_THERE, Tracked
from mind.values import replace

NEW = 3.0  # s before it is taken from which on it was known at all, since it was opened
TOLD = 0.5  # confidence in the pick from which on it is taken for sure that it came from there
FADES = 600.0  # s in which it becomes three times less likely that nobody else was there unseen


def known(people: Mapping[str, Tracked], event: HumanAction, since: float | None) -> dict[str, Tracked]:
    """Everybody once ``event``, a pick, is told. ``since``: stamp at which the thing was first known; None: from the first."""
    if since is None or event.place is None or since < event.start - NEW:
        return dict(people)
    return {name: t if name == event.actor else _knew(t, people, event) for name, t in people.items()}


def _knew(t: Tracked, people: Mapping[str, Tracked], event: HumanAction) -> Tracked:
    o, site = t.model.named.get(event.target or ""), t.model.layout.index.get(event.place or "")
    if o is None or site is None or site >= len(t.last_look) or not t.model.layout.holds[site]:
        return t
    everybody = [t, *(other for name, other in people.items() if name not in (t.person, event.actor) and site < len(other.last_look))]
    looked = float(t.last_look[site]) > -math.inf
    last, *others = [_last_in_the_room(x, site) if not looked and not t.model.layout.opens[site] else float(x.last_look[site]) for x in everybody]
    if not -math.inf < last < event.start or any(last < other < event.start for other in others):
        return t
    p = LAST_THERE * min(1.0, event.confidence / TOLD) * math.exp((last - event.start) / FADES)
    seen = belief_model.see(t.state.beliefs, np.array([o]), np.array([site]), p)
    t = replace(t, state=replace(t.state, beliefs=seen), memory=why.note(t.memory, event.target, why.saw(last, event.target, event.place)))
    return _left(t, classes.class_of(event.target), event.place, site) if looked else t


def _last_in_the_room(t: Tracked, site: int) -> float:
    """When they were last in view in the room of that site; −∞: never."""
    room = int(t.model.layout.room[site])
    return t.been.get(t.model.layout.ids[room], -math.inf) if room >= 0 else -math.inf


def _left(t: Tracked, cls: str, place: str, site: int) -> Tracked:
    """What they may have left there without its being seen was this."""
    row = t.model.objects.index(UNSEEN) if UNSEEN in t.model.objects else None
    visit = t.visited is not None and t.visited[0] == place and not t.visited[2]
    if row is None or not (visit or t.state.beliefs.sure[row, site] >= LEFT / 2):
        return t
    absent = np.zeros((len(t.model.objects), 1))
    absent[row] = 1.0
    nothing = belief_model.miss(t.state.beliefs, absent, np.array([site]))
    space = goal_model.favoured(t.model.space, cls, t.model.config.handled_weight) if cls not in t.handled else t.model.space
    return replace(t, state=replace(t.state, beliefs=nothing), model=replace(t.model, space=space), handled=t.handled | {cls}, visited=None if visit else t.visited)
