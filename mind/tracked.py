"""Somebody being watched: the inference about them and what they have been through, and how watching begins.

Invariant: everything about a person that outlives one graph is in :class:`Tracked`; it is a value, so an earlier one can be kept and looked back on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from household.scene_graph import Posture
from mind import beliefs as belief_model
from mind import evidence as why
from mind import inference
from mind.beliefs import Beliefs
from mind.evidence import ActWeight, Evidence, Memory
from mind.filter import Operation
from mind.inference import Model, PersonState
from mind.layout import ADULT, CHILD, WHEELCHAIR, PersonCosts
from mind.policy import Act
from mind.scene import Scene
from mind.values import replace

CHILD_HEIGHT = 1.35  # metres

LAST_S = 60.0  # s after which somebody else may have been there unseen
LAST_THERE = 0.85  # that who was last at a place knows what the robot finds there


@dataclass(frozen=True)
class Glance:
    """A look that changed beliefs, or a doorway passed: ``before`` it the person's state and trail, ``after`` it their beliefs, and what it
    was: ``seen`` (the arguments of ``inference.perceive``) or ``passed``."""

    stamp: float
    before: PersonState
    trail: tuple[Operation, ...] | None
    after: Beliefs
    seen: tuple = ()
    passed: Act | None = None


@dataclass(frozen=True)
class Anew:
    """Somebody ``now``, on a walk told already, as they may decide on another, of which nothing has been weighed: up to ``stamp``, after what was seen at ``news``."""

    news: float
    stamp: float
    now: Tracked


@dataclass(frozen=True)
class Begun:
    """A walk that was weighed while under way. ``start``: when it began; ``targets``: where to and how likely, as told then, of
    ``certainty``, what they had together; ``before``, ``trail``, ``acts``, ``glances``: state, trail, acts to cite and looks from before it was weighed;
    ``final``: it can no longer be weighed anew; ``weighed``: stamp at which it was, last; ``anew``: the
    person as they would decide anew after what was seen on the way."""

    start: float
    targets: Mapping[str, float]
    certainty: float
    before: PersonState
    trail: tuple[Operation, ...] | None
    acts: tuple[ActWeight, ...]
    glances: tuple[Glance, ...]
    final: bool = False
    weighed: float = 0.0
    anew: Anew | None = None


@dataclass(frozen=True)
class Tracked:
    """``walking``: (likeliest) target of a walk under way. ``last_act``: stamp of the last act or pause weighed. ``first_seen``: stamp of
    the first graph with them; ``last_seen``: of the last that said what they see. ``looked`` bool (n,): sites ever looked at; ``last_look`` float (n,): stamps of the last such looks.
    ``wrong_since``: object → stamp. ``supposed``: object the robot only supposes where they looked → stamp of the last such picture (mind.supposed)."""

    person: str
    model: Model
    state: PersonState
    memory: Memory = field(default_factory=Memory)
    walking: str | None = None
    acting_at: str | None = None
    last_act: float = 0.0
    last_deed: float = -1e9
    first_seen: float = 0.0
    last_seen: float = 0.0
    forgot: float = 0.0
    spot: tuple[float, float] | None = None  # where they were last seen, about, map, m
    stood: float = -1e9  # since when they have been seen there
    unseen_since: float | None = None  # stamp of the first of the graphs in a row that do not have them in view
    away: tuple[float, float] = (-1e9, -1e9)  # the last time they were out of view and came back, (from, to)
    handled_at: tuple[str, float] | None = None  # where, and when, they last took or put something
    visited: tuple[str, float, bool] | None = None  # a container they shut with nothing to show for it, when, and whether it is part of a search, until that is weighed (mind.hidden)
    took: Mapping[str, float] = field(default_factory=dict)  # object that was gone → probability that it was this person who took it (mind.takers)
    looked_here: bool = True  # whether the graph has shown this person looking at the contents of where they stand
    looked: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=bool))
    last_look: np.ndarray = field(default_factory=lambda: np.zeros(0))
    wrong_since: Mapping[str, float] = field(default_factory=dict)
    supposed: Mapping[str, float] = field(default_factory=dict)
    room: str | None = None
    been: Mapping[str, float] = field(default_factory=dict)  # room → stamp of the last graph that had them in view there
    entered: float = -1e9  # when they last came through a doorway
    opened: str | None = None  # a container this person was seen to have opened before the act was reported
    hands_differ_since: float | None = None  # since when the graph shows other things in their hands than the acts explain
    handled: frozenset[str] = frozenset()  # classes the person was seen handling
    glances: tuple[Glance, ...] = ()  # of the last seconds, since the last act was weighed: a walk told late was decided on before them
    begun: Begun | None = None  # the walk weighed last, as long as nothing was done since
    left: tuple[Begun, float] | None = None  # a walk that ended, s, without its being clear where: what they walk on from there may be told as another
    trail: tuple[Operation, ...] | None = None  # what the filter did since the person was marked, for looking back; None: not kept

    def marked(self) -> "Tracked":
        """From here on the filter's operations are kept (unbounded: for replays, not for a running robot)."""
        return replace(self, trail=())

    def moved(self, result: tuple[PersonState, tuple[Operation, ...]], **changes) -> "Tracked":
        """With the inference's new state."""
        trail = None if self.trail is None else self.trail + tuple(result[1])
        return replace(self, state=result[0], trail=trail, **changes)


def costs_of(entity) -> PersonCosts:
    """What this body's effort is: a wheelchair, a child, or an adult."""
    if entity is not None and entity.posture is Posture.WHEELCHAIR:
        return WHEELCHAIR
    if entity is not None and 0.4 < entity.extents[2] < CHILD_HEIGHT and entity.posture is Posture.STANDING:
        return CHILD
    return ADULT


def knowing(beliefs: Beliefs, robot: Beliefs, share: float) -> Beliefs:
    """A resident's prior: with this probability they already know what the robot is sure of."""
    sure = share * robot.sure
    return replace(beliefs, sure=sure, unsure=1 - sure.sum(axis=1))


def begin(person: str, model: Model, scene: Scene, robot: Beliefs, base: np.ndarray, closed: np.ndarray) -> Tracked:
    """``base`` (o, n): weights for somebody who knows nothing."""
    layout = model.layout
    blank = knowing(belief_model.ignorant(base), robot, model.config.prior_knowledge)
    room = scene.rooms.get(person)
    site = layout.index.get(room, layout.elsewhere) if room else layout.elsewhere
    state = inference.start(model, blank, site, closed)
    stamp = scene.graph.stamp
    return Tracked(person, model, state, last_act=stamp, first_seen=stamp, last_seen=stamp, forgot=stamp, looked=np.zeros(len(layout.ids), dtype=bool),
                   last_look=np.full(len(layout.ids), -np.inf), room=room)


def last_there(t: Tracked, everybody: Mapping[str, Tracked], stamp: float) -> np.ndarray:
    """Bool (n,): sites that this person looked at lately and nobody else did since. Things do not come by themselves: what the robot finds there only
    now, this person has seen or has put there."""
    last = t.last_look
    mine = (last > stamp - LAST_S) & t.model.layout.holds & ~t.model.layout.is_room
    for other in everybody.values():
        if other.person != t.person:
            n = min(len(last), len(other.last_look)) - 1
            mine[:n] &= ~(other.last_look[:n] >= last[:n])
    mine[-1] = False
    return mine


def found_there(t: Tracked, last: np.ndarray, scene: Scene, new: Sequence[str]) -> dict[str, Evidence]:
    """Of the ``new`` objects those that lie where this person was last (:func:`last_there`), and that they saw them there."""
    index, found = t.model.layout.index, {}
    for o in new:
        site = index.get(scene.where.get(o, ""))
        if site is not None and last[site]:
            found[o] = why.saw(float(t.last_look[site]), o, scene.where[o])
    return found
