"""When somebody is wrong about where a thing is, judged by what the robot itself believes.

A false belief needs a conviction: a person who searches is not mistaken, only uninformed. The person's conviction comes from the filter
(their percepts, and their behaviour where it is about this object); that it is wrong comes from the robot's belief, and the robot not
knowing where the thing is does not make anybody wrong: then the person's own percept is as good as any, unless the robot has looked
at that very place and it was not there.
"""

from __future__ import annotations

import numpy as np

from mind.beliefs import Beliefs
from mind.inference import PersonState, Shown
from mind.layout import Layout

UNSEEN_CHANGE = 0.1  # chance that a place the robot has lost track of is no longer the right one


def conviction(state: PersonState, shown: Shown) -> np.ndarray:
    """P(person is convinced that the object is at the site), (o, n); rows sum to at most one, the rest is not being sure."""
    return shown.known + (1 - shown.mass)[:, None] * state.beliefs.sure


def wrong_at(robot: Beliefs, base: np.ndarray, layout: Layout, carried: np.ndarray) -> np.ndarray:
    """P(the object is not at the site), under the robot's belief, (o, n). ``base`` (o, n): weights of somebody who knows nothing. ``carried`` int (k,):
    objects that the robot knows to have been carried off: no earlier percept of anybody's says where they are.

    "Somewhere in the kitchen" and "on the kitchen table" do not contradict each other, whoever thinks which.
    """
    together = (layout.room[:, None] == layout.room[None, :]) & (layout.is_room[:, None] | layout.is_room[None, :]) & (layout.room >= 0)[:, None]
    agrees = (together | np.eye(len(layout.ids), dtype=bool)).astype(float)
    elsewhere = robot.sure.sum(axis=1, keepdims=True) - robot.sure @ agrees
    open_to = np.divide(robot.open_to, np.maximum(base, 1e-12))
    doubt = 1 - np.clip(open_to, 0, 1) * (1 - UNSEEN_CHANGE)
    doubt[base <= 0] = UNSEEN_CHANGE
    doubt[carried] = 1 - robot.spread()[carried]
    return np.clip(elsewhere + robot.unsure[:, None] * doubt, 0.0, 1.0)


def probabilities(convinced: np.ndarray, wrong: np.ndarray, robot: Beliefs, own: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """(P(convinced of a wrong place) (o,), the site most responsible (o,)). ``convinced``: :func:`conviction`. A person who thinks what the robot
    thinks is never called wrong, however unsure the robot is; nor is anybody about what is in their ``own`` hands (a site): whoever carried it off
    knows where it went, and whoever has it now knows that they do."""
    mass = convinced * wrong
    mass[:, [own, -1]] = 0.0
    likely = robot.sure.argmax(axis=1)
    rows = np.flatnonzero(robot.sure[np.arange(len(likely)), likely] > 0.5)
    mass[rows, likely[rows]] = 0.0
    mass[rows[likely[rows] == own]] = 0.0
    return mass.sum(axis=1), mass.argmax(axis=1)
