"""What somebody does at a container with nothing to show for it.

A phone goes into a drawer in a fist: the drawer was opened and shut, and that is all there is to see. Who does that has put something there, or taken something, or
only looked; who goes straight back to it later is after what they have left, not after some other thing that the robot happens to know of. Of "something unseen"
(``goals.UNSEEN``) they are therefore taken to know, with the probability ``LEFT``, that it is there. Who does the same at one container after the other is searching.
Invariant: what was told of (a pick or a put at that container) leaves nothing to suppose.
"""

from __future__ import annotations

import numpy as np

from household.actions import HumanAction, Verb
from mind import beliefs as belief_model
from mind.goals import UNSEEN
from mind.tracked import Tracked
from mind.values import replace
from mind.verbs import PICKS, PUTS

LEFT = 0.4  # that something was put there, of a visit that shows nothing
VISIT = 8.0  # s that a visit takes at most
SEARCHING = 30.0  # s within which a second such visit elsewhere is a search; by then a pick or a put that is told late has been told, too


def follow(t: Tracked, event: HumanAction) -> Tracked:
    """``t`` after an act of theirs was told."""
    stamp = event.start if event.end is None else event.end
    if event.verb in PICKS | PUTS and event.place is not None:
        return replace(t, handled_at=(event.place, stamp), visited=None if t.visited is not None and t.visited[0] == event.place else t.visited)
    if event.verb is not Verb.CLOSE or event.target not in t.model.layout.index:
        return t
    place, last = event.target, t.visited
    if t.handled_at is not None and t.handled_at[0] == place and stamp - t.handled_at[1] < VISIT:
        return t
    return replace(t, visited=(place, stamp, last is not None and stamp - last[1] < SEARCHING and (last[2] or last[0] != place)))


def settle(t: Tracked, stamp: float) -> Tracked:
    """``t`` once their last visit is known to be no search, and nothing more is told of it."""
    if t.visited is None or stamp - t.visited[1] < SEARCHING:
        return t
    (place, _, searching), t = t.visited, replace(t, visited=None)
    if searching or UNSEEN not in t.model.objects:
        return t
    row, site = t.model.objects.index(UNSEEN), t.model.layout.index[place]
    return replace(t, state=replace(t.state, beliefs=belief_model.see(t.state.beliefs, np.array([row]), np.array([site]), LEFT)))
