"""The mind's parameters: few, named, each with a meaning outside the code; checked where they are made.

Defaults were fitted to behaviour only: the likelihood of acts (``python -m evaluation.recovery --fit``), never to answers about minds; ``handled_weight`` by when
the robot speaks to people of the embedded world who come back, and to their controls.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from household.parameters import check
from household.parameters import parameter as _parameter


@dataclass(frozen=True)
class MindConfig:
    """All of the mind's parameters. Raises ValueError naming the parameter, its value and the allowed range."""

    # policy
    rationality: float = _parameter(3.0, 0.01, 50, "inverse temperature of act choice, per nat of wasted effort")
    stop_cost: float = _parameter(2.2, 0, 20, "effort of stopping at a place that is not where one is going, nats")
    pause_rate: float = _parameter(0.05, 0, 0.99, "share of acts that are pauses, for a person with a purpose")
    idle_pause_rate: float = _parameter(0.3, 0, 0.99, "the same for a person without")
    act_noise: float = _parameter(0.03, 1e-6, 0.5, "share of acts that serve no modelled purpose, spread evenly over what could be done")
    room_walk_cost: float = _parameter(1.2, 0, 20, "effort of going to another room, nats")
    metre_cost: float = _parameter(0.35, 0, 5, "effort of one metre of walking, nats")
    typical_distance: float = _parameter(2.0, 0, 50, "distance assumed between two places of one room when it is not known, metres")
    typical_room_distance: float = _parameter(5.0, 0, 100, "the same between places of two rooms, metres")
    open_cost: float = _parameter(0.1, 0, 20, "effort of opening something, nats")
    close_habit: float = _parameter(0.85, 0, 1, "share of opened containers that are closed before going on")
    rethink_rate: float = _parameter(0.01, 0, 1, "chance per act that an unsure person changes the place they will try next")
    # goals
    no_goal_prior: float = _parameter(0.1, 0, 1, "chance that a person acts for no modelled goal")
    other_goal_share: float = _parameter(0.35, 0, 1, "share of goals other than getting one thing: put, use, set, reach, switch")
    unseen_classes: float = _parameter(4.0, 0.1, 50, "how many kinds of things that the robot has not come across people may be after")
    handled_weight: float = _parameter(7.0, 1, 50, "how much likelier a person is to want a thing that they have handled before")
    goal_switch_rate: float = _parameter(0.01, 0, 1, "chance per act that a person drops an unfinished goal for another")
    unseen_switch_rate: float = _parameter(0.1, 0, 1, "chance per pause_seconds out of view that what somebody was about, or their idleness, has ended")
    start_rate: float = _parameter(0.25, 0, 1, "chance per act that a person without a goal takes one up")
    goal_finish_rate: float = _parameter(0.9, 0, 1, "chance that a finished goal is followed by a new one at the next act")
    # beliefs
    elsewhere_weight: float = _parameter(0.15, 1e-6, 100, "weight of 'elsewhere' against one unseen place in an uninformed belief")
    usual_room_weight: float = _parameter(6.0, 1, 1000, "how much likelier a place in a usual room is, to somebody who knows nothing of a thing")
    seat_weight: float = _parameter(0.1, 1e-3, 10, "weight of a seat (chair, sofa, bed) as a place for things, against other furniture")
    prior_knowledge: float = _parameter(0.05, 0, 1, "chance that a resident already knows where a thing is that they were not seen seeing")
    known_hidden: float = _parameter(0.01, 0, 1, "the same for somebody in a described episode, for a thing inside a closed container")
    known_in_view: float = _parameter(0.05, 0, 1, "the same for a thing in plain view in a room they were not seen in")
    forgetting_rate: float = _parameter(0.0005, 0, 1, "share of a remembered location lost to 'not sure' per second unseen")
    unseen_drift: float = _parameter(0.002, 0, 1, "the same while the robot cannot see the person (they may be learning other things)")
    lost_seconds: float = _parameter(0.8, 0.01, 60, "time constant with which the robot believes that a thing it cannot find any more is gone")
    put_down_rate: float = _parameter(0.1, 0, 10, "chance per second that what somebody carries out of sight has been put down")
    attention: float = _parameter(0.98, 0, 1, "chance that something in plain view is noticed")
    proximity_weight: float = _parameter(0.3, 0, 10, "how much more likely a target becomes by being passed closely on the way, nats")
    pause_seconds: float = _parameter(4.0, 0.2, 600, "standing about for so long counts as one act of pausing")
    implied_look: float = _parameter(0.9, 0, 1, "chance that somebody who stood before a place looked, when nobody could tell")
    trust: float = _parameter(0.9, 0, 1, "chance that a listener takes over what they are told")

    def __post_init__(self) -> None:
        check(self)


def parameters() -> tuple[tuple[str, float, float, float, str], ...]:
    """(name, default, low, high, documentation) of every parameter: the one source for ROS parameters and for the manual."""
    return tuple((f.name, f.default, f.metadata["low"], f.metadata["high"], f.metadata["doc"]) for f in fields(MindConfig))
