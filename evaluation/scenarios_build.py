"""Drawing scenarios until one is sound: it can be staged, its steps work, and without help the need is really there.

A draw that a home cannot host, whose script meets a snag, or in which the person happens to notice the move, is thrown away and the next is
drawn from the same seed; what is kept is fixed by (seed, number, pool of homes) alone and never by what the robot would do, only by where its body gets to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from household.actions import Verb
from household.scene_graph import ELSEWHERE
from planner.acts import HelpKind
from sim_bridges.embedded.fittings import opens
from sim_bridges.embedded.generate_home import generate_home
from sim_bridges.embedded.home import HomeError, home_names, load_home
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.nav import PERSON_RADIUS, ROBOT_RADIUS
from sim_bridges.embedded.story_file import StoryError
from sim_bridges.embedded.visibility import Viewer
from sim_bridges.embedded.world import EmbeddedWorld

from evaluation import scenarios_belief, scenarios_implicit
from evaluation.scenarios import Family, NotHere, Scenario, Variant
from evaluation.scenarios_run import Run, open_world, without_robot

TRIES = 60
HOMES = 10  # shipped ones and generated ones
SPLIT = "test"  # of generated homes: never those a detector is trained in
_WORDS = frozenset({HelpKind.TELL, HelpKind.POINT})
EYES_M = 1.55  # of somebody who looks for something
LEAST_ASTRAY_S = 6.0  # without help, so long from the first wrong place to the end of the search; less leaves nothing to help with
LEAST_LOST_S = 3.0  # and so long until they set out for where it is: a word takes half of that


class TooHard(RuntimeError):
    """No sound scenario of this kind was found in the homes at hand."""


@dataclass(frozen=True)
class Pair:
    """A scenario, its control, and how the scenario goes when nobody helps. ``draws``: how many were thrown away before."""

    scenario: Scenario
    control: Scenario
    alone: Run
    draws: int


def pool(seed: int, count: int = HOMES) -> tuple[Home, ...]:
    """``count`` homes: those that ship, then generated ones that depend on the seed."""
    shipped = [load_home(name) for name in home_names()]
    return (*shipped[:count], *(generate_home(1000 * seed + i, SPLIT) for i in range(max(0, count - len(shipped)))))


def build(seed: int, number: int, family: Family, variant: Variant, homes: Sequence[Home]) -> Pair:
    """Scenario ``number`` of the set with this seed. Raises TooHard."""
    reasons: dict[str, int] = {}
    maker = scenarios_belief.make if family is Family.FALSE_BELIEF else scenarios_implicit.make
    for draw in range(TRIES):
        rng = np.random.default_rng([seed, number, draw])
        home = homes[int(rng.integers(len(homes)))]
        story_seed = int(rng.integers(2**31 - 1))
        try:
            scenario, control = maker(variant, home, story_seed, rng, f"{variant.value}-{seed}-{number}")
            alone, world = without_robot(scenario)
            reason = _unsound(scenario, alone, world) or _snag(control)
        except (NotHere, StoryError, HomeError) as problem:
            reason = str(problem)
        if not reason:
            return Pair(scenario, control, alone, draw)
        reasons[reason[:90]] = reasons.get(reason[:90], 0) + 1
    often = max(reasons, key=lambda r: reasons[r])
    raise TooHard(f"no sound {variant.value} scenario in {TRIES} draws (seed {seed}, number {number}); most often: {often}")


def _snag(control: Scenario) -> str:
    """Why the control's script cannot be played, or ''."""
    run, _ = without_robot(control, script_only=True)
    return run.problems[0] if run.problems else ""


def _unsound(scenario: Scenario, alone: Run, world) -> str:
    """Why this is no scenario in which help is needed, or ''."""
    if alone.problems:
        return alone.problems[0]
    if alone.since is None:
        return "the need never arises"
    if scenario.variant in (Variant.WHEELCHAIR, Variant.CHILD, Variant.TAP) and alone.reached is not None:
        return "no help is needed"
    if scenario.variant in (Variant.MISSING_TOOL, Variant.POWER_CUT) and not astray(scenario, alone, world):
        return "it is found at once"
    if out_of_reach(scenario, alone, world):
        return "the robot's body gets to nothing it could help with"
    if scenario.family is Family.FALSE_BELIEF:
        return _no_false_belief(scenario, alone, world)
    return ""


def out_of_reach(scenario: Scenario, alone: Run, world: EmbeddedWorld) -> bool:
    """Whether words are no help and the robot's body does not get to any of what its hands would be needed for."""
    if any(w.kinds & _WORDS for w in scenario.accept):
        return False
    at = [world.standing(alone.truth_at_act.get(o, o)) for w in scenario.accept for o in sorted(w.objects)]
    reach = world.nav.distances(scenario.home.robot.position, ROBOT_RADIUS)
    return not any(math.isfinite(reach.to(spot)) for f in at if f is not None for spot in world.nav.approaches(f, ROBOT_RADIUS))


def astray(scenario: Scenario, alone: Run, world: EmbeddedWorld) -> bool:
    """Whether without help enough time is lost that somebody could help: from the moment the person stands at a first place where the thing is not, long
    enough to the end of the search, and also until they set out for where it is."""
    there = alone.truth_at_act.get(scenario.aim.objects[0])
    walks = [e.action for e in world.events if e.action.actor == scenario.probe and e.action.start >= alone.since and e.action.verb is Verb.WALKTOWARDS
             and e.action.end is not None and e.action.target in world.pieces]
    end = alone.reached if alone.reached is not None else alone.end
    lost = min((w.end for w in walks if w.target != there), default=end)
    found = min((w.start for w in walks if w.target == there and w.start >= lost), default=end)
    return end - lost >= LEAST_ASTRAY_S and found - lost >= LEAST_LOST_S


def _no_false_belief(scenario: Scenario, alone: Run, world) -> str:
    """The person must set out with a false belief and go to where the thing is not."""
    thing = scenario.aim.objects[0]
    if alone.reached is None and not findable(world, thing):
        return "nobody who stands before it sees it"
    believed, actual = alone.thought_at_act.get(thing, (ELSEWHERE, 0.0)), alone.truth_at_act.get(thing)
    if believed[1] <= 0.5 or believed[0] in (actual, ELSEWHERE):
        return "the person knows where it is"
    went = any(e.action.actor == scenario.probe and e.action.target == believed[0] and e.action.start >= alone.since
               and e.action.verb in (Verb.WALKTOWARDS, Verb.OPEN) for e in world.events)
    return "" if went and astray(scenario, alone, world) else "the false belief costs nothing"


def findable(world: EmbeddedWorld, thing: str) -> bool:
    """Whether who walks up to the place where a thing lies open sees it there: not what is put behind a television."""
    lies = world.state.things[thing]
    piece = world.pieces.get(lies.at)
    if piece is None or opens(piece.cls):
        return True
    for x, y in world.nav.approaches(piece, PERSON_RADIUS, world.state.moved):
        dx, dy, dz = lies.position[0] - x, lies.position[1] - y, lies.position[2] - EYES_M
        eye = Viewer("", (x, y, EYES_M), math.atan2(dy, dx), math.atan2(dz, math.hypot(dx, dy)))
        if world.sight_map.can_see(world.state, eye, lies.position, lies.at):
            return True
    return False
