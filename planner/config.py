"""Every number the planner decides with, in one frozen place.

Design reason: help has a price, and a price needs a unit. All weights are seconds of a person's time, or rates that turn other
things (the robot's time, waiting, a false word) into such seconds, so that one sum can be printed and argued about.
Invariant: a PlannerConfig that exists is within the ranges below; the error names parameter, value and range.
"""

from __future__ import annotations

from dataclasses import dataclass

from household.parameters import check
from household.parameters import parameter as _p


@dataclass(frozen=True)
class PlannerConfig:
    """Parameters of :func:`planner.step.step`; ``field.metadata`` holds range and one-line documentation of each."""

    # what people and the robot need for things, seconds and metres per second
    walk_speed: float = _p(1.1, 0.2, 3.0, "walking speed of an adult, m/s")
    slow_speed: float = _p(0.7, 0.1, 3.0, "speed of a child or of somebody in a wheelchair, m/s")
    robot_speed: float = _p(0.6, 0.05, 3.0, "driving speed of the robot, m/s")
    open_s: float = _p(2.5, 0.0, 30.0, "opening or closing a container, s")
    look_s: float = _p(1.0, 0.0, 30.0, "looking over one place, s")
    pick_s: float = _p(1.5, 0.0, 30.0, "picking up or handing over one object, s")
    listen_s: float = _p(1.5, 0.0, 30.0, "hearing one sentence, s")
    search_place_s: float = _p(6.0, 0.0, 60.0, "looking through one further place one had not thought of, s")
    tail_search_s: float = _p(20.0, 0.0, 600.0, "searching on when it is at no known place, s")
    unreachable_s: float = _p(60.0, 0.0, 600.0, "getting at something out of one's reach without help, s")
    blocked_s: float = _p(60.0, 0.0, 600.0, "being stopped by an obstacle one cannot move, s")
    dark_s: float = _p(60.0, 0.0, 600.0, "being left in the dark while doing something, s")
    adult_reach: float = _p(1.20, 0.5, 2.0, "reach of a standing person as a multiple of body height")
    seated_reach: float = _p(1.35, 0.5, 2.5, "highest point a person in a wheelchair reaches, m")
    # the price of helping
    wait_weight: float = _p(0.5, 0.0, 1.0, "a second of waiting for the robot against a second of searching or walking")
    robot_rate: float = _p(0.12, 0.0, 1.0, "a second of the robot's own time, in seconds of a person's")
    bother_tell_s: float = _p(16.0, 0.0, 120.0, "talking to somebody who needs nothing, s")
    bother_fetch_s: float = _p(18.0, 0.0, 120.0, "bringing something to somebody who does not want it, s")
    false_word_s: float = _p(20.0, 0.0, 600.0, "having told something untrue, s")
    doubtful_word_s: float = _p(8.0, 0.0, 600.0, "the same of a word that begins with 'I think', s")
    manipulation_risk_s: float = _p(1.5, 0.0, 120.0, "the chance of dropping or breaking something, per manipulation plan, s")
    claim_s: float = _p(20.0, 0.0, 600.0, "taking away what somebody else wants to stay or to use, s")
    answer_value_s: float = _p(20.0, 0.0, 600.0, "a question or request of a person being met, beside the time it saves, s")
    missed_value_s: float = _p(4.0, 0.0, 600.0, "knowing what has become of a thing that one plainly misses where one had left it, beside the time it saves, s")
    ask_s: float = _p(4.0, 0.0, 120.0, "being asked something and answering, s")
    running_water_s: float = _p(20.0, 0.0, 600.0, "what it is worth that a device left running is turned off, s")
    left_open_s: float = _p(8.0, 0.0, 600.0, "what it is worth that a fridge left open is closed, s")
    low_impact: float = _p(0.75, 0.0, 1.0, "weight of the person's effort saved by an adult's own trip, when not searching")
    # when to act
    margin_s: float = _p(2.5, 0.0, 120.0, "an act must be worth this much more than doing nothing, s")
    settle_s: float = _p(0.25, 0.0, 30.0, "how long an act must stay the best before it is started, s of message time")
    waits: float = _p(0.5, 0.0, 1.0, "unasked, an act must stay best for this share of the time for which being surer is worth waiting: what it spares them against their own time")
    doubtful_s: float = _p(3.0, 0.0, 30.0, "and no longer than this: where somebody is going is soon clearer")
    unclear_s: float = _p(0.75, 0.0, 30.0, "unasked, nobody is helped before it is clear where they are walking to, or what that spares them is not worth it, or so many seconds have passed")
    came_s: float = _p(3.5, 0.0, 60.0, "the same of somebody who has come in, or is on the way to another room, and has not gone to anything there yet")
    others_first_s: float = _p(0.5, 0.0, 30.0, "the same for a word that somebody who knows it and is there may say themselves")
    greeting_s: float = _p(2.5, 0.0, 60.0, "so long after somebody has come in those who are there are left to say it first")
    one_word_s: float = _p(15.0, 0.0, 120.0, "unasked, so long after a word about one thing nobody is helped with another that they are only thought to want")
    min_need: float = _p(0.45, 0.0, 1.0, "unasked, nobody is helped with what they want with less probability than this")
    min_missed: float = _p(0.42, 0.0, 1.0, "the same for a word about a thing that was moved behind their back")
    min_guess: float = _p(0.6, 0.0, 1.0, "the same where nothing but behaviour tells of the want: no mistaken belief, no task begun, no reaching, no word")
    plain: float = _p(0.9, 0.5, 0.99, "a want more probable than this is no guess, whatever they do")
    min_unclear: float = _p(0.7, 0.0, 1.0, "a person is asked which thing they want only when it is one of two with this probability")
    ask_again_s: float = _p(120.0, 0.0, 3600.0, "nobody is asked twice within this time, s")
    min_want: float = _p(0.1, 0.0, 1.0, "wants less probable than this are not considered")
    fade_s: float = _p(15.0, 1.0, 3600.0, "time in which a want read from what somebody did fades to a third while they are out of sight, s")
    known_place: float = _p(0.6, 0.5, 1.0, "the robot names a place only from this probability on")
    sure_place: float = _p(0.8, 0.5, 1.0, "below this probability it says that it only thinks so")
    false_belief: float = _p(0.5, 0.0, 1.0, "probability from which a belief is called false in the decision's words")
    trust: float = _p(0.95, 0.0, 1.0, "probability that a listener believes the robot")
    sensor_timeout_s: float = _p(2.0, 0.1, 60.0, "no act on a scene graph or minds older than this, s")
    reconsider_s: float = _p(4.0, 0.5, 120.0, "after being told, time for the listener's behaviour to change, s")
    left_running_s: float = _p(4.0, 0.0, 600.0, "how long nobody is with a running tap before it counts as left behind, s")
    left_open_after_s: float = _p(30.0, 0.0, 3600.0, "how long nobody is with an open fridge before it counts as left open, s")
    change_of_mind_s: float = _p(2.5, 0.0, 60.0, "how long a want must be gone before an act for it is called off, s")
    step_deadline_s: float = _p(40.0, 1.0, 600.0, "longest one atomic action may take, s")
    earshot_m: float = _p(3.5, 0.5, 50.0, "distance within which a person in another room still hears the robot, m")
    max_events: int = _p(200, 10, 10000, "how many past events are remembered")
    # abilities
    has_arm: bool = _p(True, False, True, "whether the body can pick, open, push and switch")
    muted: bool = _p(False, False, True, "never speak")

    def __post_init__(self):
        check(self)
