"""How long a person will still search: the time a belief costs.

Design reason: what a word saves is the difference between two searches, one with the belief the person holds, one with the belief
they would hold afterwards. The searcher modelled here visits places in the order of probability per second (the optimal order
for independent boxes with costs), opens what is shut, and after the places it thought of looks through the others in any order.
Invariant: the expectation is over the robot's own belief about where the object is, so the robot's doubt lowers every value.
"""

from __future__ import annotations

from collections.abc import Mapping

from household.classes import Kind
from household.scene_graph import ELSEWHERE, Openness

from planner.geometry import Geometry

MAX_PLACES = 10  # places visited in a simulated order; the others are met in any order
MIN_SHARE = 0.03


def look_seconds(geometry: Geometry, place: str) -> float:
    """Time to look a place over, opening it if it is a container not known to be open."""
    e, config = geometry.entity(place), geometry.config
    shut = e is not None and e.kind is Kind.CONTAINER and e.openness is not Openness.OPEN
    return config.look_s + (config.open_s if shut else 0.0)


def visit_times(geometry: Geometry, person: str, belief: Mapping[str, float]) -> dict[str, float]:
    """Place → seconds from now at which the person has looked there, for the places worth a visit."""
    rest = dict(sorted(((p, w) for p, w in belief.items() if p != ELSEWHERE and w >= MIN_SHARE),
                       key=lambda kv: (-kv[1], kv[0]))[:MAX_PLACES])
    times: dict[str, float] = {}
    here, now = person, 0.0
    while rest:
        costs = {p: geometry.walk_s(person, here, p) + look_seconds(geometry, p) for p in rest}
        place = max(rest, key=lambda p: (rest[p] / max(costs[p], 0.1), p))
        now += costs[place]
        times[place] = now
        here = place
        del rest[place]
    return times


def expected_seconds(geometry: Geometry, person: str, obj: str, belief: Mapping[str, float],
                     truth: Mapping[str, float]) -> float:
    """Expected seconds until ``person``, searching by ``belief``, has ``obj``; over ``truth`` (sums to one)."""
    config = geometry.config
    times = visit_times(geometry, person, belief)
    last = max(times.values()) if times else 0.0
    others = max(0, geometry.place_count - len(times)) * config.search_place_s
    nowhere = last + others + config.tail_search_s
    reach = 0.0 if geometry.reachable(person, obj) else config.unreachable_s
    mass = sum(truth.values())
    if mass <= 0.0:
        return nowhere + config.pick_s
    total = sum(w * (nowhere if place == ELSEWHERE else times.get(place, last + 0.5 * others))
                for place, w in truth.items())
    return total / mass + config.pick_s + reach


def told(belief: Mapping[str, float], place: str, trust: float) -> dict[str, float]:
    """The listener's belief after "it is at ``place``"."""
    mixed = {p: (1.0 - trust) * w for p, w in belief.items()}
    mixed[place] = mixed.get(place, 0.0) + trust
    return mixed


def told_moved(belief: Mapping[str, float], robot: Mapping[str, float], trust: float) -> dict[str, float]:
    """The listener's belief after "it was moved, I did not see where to": mostly what the robot thinks possible."""
    keys = belief.keys() | robot.keys()
    return {p: (1.0 - trust) * belief.get(p, 0.0) + trust * robot.get(p, 0.0) for p in keys}
