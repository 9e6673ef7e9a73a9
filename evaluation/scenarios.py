"""Helping scenarios: what one is, and the mix they come in.

A scenario is a story for the embedded world (so it can be played by ``heed demo --story`` as well), the home it plays in, which acts
would help, and the six layers a good robot would give. Every scenario has a control: the same people and things, one circumstance
changed so that nothing should be done. The mix is that of MindPower's set (supplement B.1): 390 false-belief corrections, 104 of them with
three people, and 200 implicit goals: 17 with people of special needs, 96 about properties and combinations of objects, 87 dialogues.
Invariant: a scenario is a pure function of (seed, number); its control shares seed, home and cast with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from planner.acts import FactKind, HelpAct, HelpKind
from sim_bridges.embedded.model import Home


class Family(str, Enum):
    FALSE_BELIEF = "false_belief"
    SPECIAL = "special"  # a wheelchair before a blocked way, a child before a high shelf
    PROPERTY = "property"  # a tap left running, a power cut while reading
    COMBINATION = "combination"  # board and carrot: the knife
    DIALOGUE = "dialogue"


class Variant(str, Enum):
    # false beliefs
    MOVED = "moved"  # two people, moved in the robot's view
    MOVED_TWICE_FIRST = "moved_twice_first"  # three people; the first comes back
    MOVED_TWICE_SECOND = "moved_twice_second"  # three people; the second comes back
    OUT_OF_VIEW = "out_of_view"  # carried off to where the robot cannot see
    TOLD = "told"  # believed because somebody said so, before it was moved again
    # implicit goals
    WHEELCHAIR = "wheelchair"
    CHILD = "child"
    TAP = "tap"
    POWER_CUT = "power_cut"
    MISSING_TOOL = "missing_tool"
    SPOKEN_NEED = "spoken_need"


VARIANTS: Mapping[Family, tuple[tuple[Variant, float], ...]] = {
    Family.FALSE_BELIEF: ((Variant.MOVED, 0.43), (Variant.MOVED_TWICE_FIRST, 0.135), (Variant.MOVED_TWICE_SECOND, 0.132),
                          (Variant.OUT_OF_VIEW, 0.15), (Variant.TOLD, 0.153)),
    Family.SPECIAL: ((Variant.WHEELCHAIR, 0.5), (Variant.CHILD, 0.5)),
    Family.PROPERTY: ((Variant.TAP, 0.5), (Variant.POWER_CUT, 0.5)),
    Family.COMBINATION: ((Variant.MISSING_TOOL, 1.0),),
    Family.DIALOGUE: ((Variant.SPOKEN_NEED, 1.0),),
}
MIX: Mapping[Family, int] = {Family.FALSE_BELIEF: 390, Family.SPECIAL: 17, Family.PROPERTY: 48, Family.COMBINATION: 48,
                             Family.DIALOGUE: 87}


PEOPLE: Mapping[Variant, int] = {  # how many take part
    Variant.MOVED: 2, Variant.MOVED_TWICE_FIRST: 3, Variant.MOVED_TWICE_SECOND: 3, Variant.OUT_OF_VIEW: 2, Variant.TOLD: 2,
    Variant.WHEELCHAIR: 1, Variant.CHILD: 1, Variant.TAP: 1, Variant.POWER_CUT: 1, Variant.MISSING_TOOL: 1, Variant.SPOKEN_NEED: 2}
LEAST_HOMES = 8  # of a full set


class AimKind(str, Enum):
    REACHED = "reached"  # the person's goal came true
    HAS = "has"  # the person holds one of the objects
    OFF = "off"  # the device is off


@dataclass(frozen=True)
class Aim:
    """What being helped means in the world."""

    kind: AimKind
    person: str | None = None
    objects: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """One act, or one kind of act, that is right. ``facts`` empty: any; ``places`` empty: any."""

    kinds: frozenset[HelpKind]
    person: str | None
    objects: frozenset[str]
    facts: frozenset[FactKind] = frozenset()
    places: frozenset[str] = frozenset()

    def accepts(self, act: HelpAct) -> bool:
        if act.kind not in self.kinds or act.object not in self.objects:
            return False
        if self.person is not None and act.person not in (self.person, None):
            return False
        if act.fact is not None and self.facts and act.fact.kind not in self.facts:
            return False
        unplaced = act.fact is not None and act.fact.kind in (FactKind.MOVED, FactKind.UNKNOWN)
        place = act.fact.place if act.fact is not None else act.place
        return not self.places or act.kind is HelpKind.MOVE or unplaced or place in self.places


@dataclass(frozen=True)
class Scenario:
    """``story``: the YAML of a story, as plain data. ``known``: objects the robot knows the place of from before the story begins.
    ``accept``: acts that are right, the best first. ``probe``: whose goal starts the comparison of beliefs; ``people``: how many
    take part; ``room``: where it plays."""

    name: str
    family: Family
    variant: Variant
    control: bool
    seed: int
    home: Home
    story: Mapping
    people: int
    aim: Aim | None = None
    accept: tuple[Wanted, ...] = ()
    known: frozenset[str] = frozenset()
    probe: str = ""
    room: str = ""


class NotHere(Exception):
    """This home cannot host such a scenario; the generator tries another draw."""


def plan_mix(count: int, family: Family | None, seed: int) -> tuple[tuple[Family, Variant], ...]:
    """Families and variants of ``count`` scenarios: shares by largest remainder, order shuffled by the seed."""
    shares = {(f, v): MIX[f] / sum(MIX.values()) * w for f in Family for v, w in VARIANTS[f] if family in (None, f)}
    total = sum(shares.values())
    exact = {k: count * w / total for k, w in shares.items()}
    chosen = {k: int(x) for k, x in exact.items()}
    rest = sorted(exact, key=lambda k: (chosen[k] - exact[k], k[0].value, k[1].value))
    for k in rest[:count - sum(chosen.values())]:
        chosen[k] += 1
    rows = [k for k, n in chosen.items() for _ in range(n)]
    order = np.random.default_rng([seed, 11]).permutation(len(rows))
    return tuple(rows[i] for i in order)
