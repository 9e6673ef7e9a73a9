"""How long a person will still search: the time a belief costs.

Design reason: what a word saves is the difference between two searches, one with the belief the person holds, one with the belief
they would hold afterwards. The searcher modelled here draws the next place with odds of probability per second (people search
sensibly, not optimally), opens what is shut, and after the places it thought of looks through the others in any order.
Invariant: the expectation is over the robot's own belief about where the object is, so the robot's doubt lowers every value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from household.classes import Kind
from household.scene_graph import ELSEWHERE, Openness

from planner.geometry import Geometry

MAX_PLACES = 10  # places that are searched by belief; the others are met in any order
MIN_SHARE = 0.03


def look_seconds(geometry: Geometry, place: str) -> float:
    """Time to look a place over, opening it if it is a container not known to be open."""
    e, config = geometry.entity(place), geometry.config
    shut = e is not None and e.kind is Kind.CONTAINER and e.openness is not Openness.OPEN
    return config.look_s + (config.open_s if shut else 0.0)


def costs(geometry: Geometry, person: str, belief: Mapping[str, float]) -> dict[str, float]:
    """Place → seconds to go there and look, for the places worth a visit."""
    worth = sorted(((p, w) for p, w in belief.items() if p != ELSEWHERE and w >= MIN_SHARE), key=lambda kv: (-kv[1], kv[0]))
    return {p: max(0.1, geometry.walk_s(person, person, p) + look_seconds(geometry, p)) for p, _ in worth[:MAX_PLACES]}


def expected_seconds(geometry: Geometry, person: str, obj: str, belief: Mapping[str, float],
                     truth: Mapping[str, float]) -> float:
    """Expected seconds until ``person``, searching by ``belief``, has ``obj``; over ``truth`` (sums to one).

    The next place is drawn with odds w = probability / seconds (Luce), so place y comes before x with probability
    w_y / (w_x + w_y):  E[T_x] = c_x + Σ_y c_y · w_y / (w_x + w_y).
    """
    config, cost = geometry.config, costs(geometry, person, belief)
    odds = {p: belief[p] / c for p, c in cost.items()}
    everything = sum(cost.values())
    others = max(0, geometry.place_count - len(cost)) * config.search_place_s

    def until(place: str) -> float:
        if place not in cost:
            return everything + (others + config.tail_search_s if place == ELSEWHERE else 0.5 * others)
        return cost[place] + sum(c * odds[y] / (odds[y] + odds[place]) for y, c in cost.items() if y != place)

    reach = 0.0 if geometry.reachable(person, obj) else config.unreachable_s
    mass = sum(truth.values())
    if mass <= 0.0:
        return until(ELSEWHERE) + config.pick_s + reach
    return sum(w * until(place) for place, w in truth.items() if w > 1e-4) / mass + config.pick_s + reach


def told(belief: Mapping[str, float], place: str, trust: float) -> dict[str, float]:
    """The listener's belief after "it is at ``place``"."""
    mixed = {p: (1.0 - trust) * w for p, w in belief.items()}
    mixed[place] = mixed.get(place, 0.0) + trust
    return mixed


def told_room(belief: Mapping[str, float], robot: Mapping[str, float], places: Collection[str], trust: float) -> dict[str, float]:
    """The listener's belief after "it was taken into that room": one of its ``places``, as likely as the robot thinks."""
    there = {p: robot.get(p, 0.0) for p in places}
    total = sum(there.values())
    mixed = {p: (1.0 - trust) * w for p, w in belief.items()}
    for p, w in there.items():
        mixed[p] = mixed.get(p, 0.0) + trust * (w / total if total > 0.0 else 1.0 / len(there))
    return mixed


def told_moved(belief: Mapping[str, float], robot: Mapping[str, float], trust: float) -> dict[str, float]:
    """The listener's belief after "it was moved, I did not see where to": mostly what the robot thinks possible."""
    return {p: (1.0 - trust) * belief.get(p, 0.0) + trust * robot.get(p, 0.0) for p in {**belief, **robot}}
