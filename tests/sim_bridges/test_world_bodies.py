"""What bodies do and refuse to do: the robot behind the contract, people of different builds, hand-overs, obstacles, failures."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import AtomicAction, Verb, parse
from household.scene_graph import ROBOT, Posture
from sim_bridges.contract import StepStatus
from sim_bridges.embedded import spots
from sim_bridges.embedded.fittings import levels
from sim_bridges.embedded.model import Furniture, Thing
from sim_bridges.embedded.robot_body import EmbeddedBody
from tests.sim_bridges.world_helpers import do, put_person, two_rooms, until


def run(body, line, limit=60.0):
    body.start(parse(line))
    until(body.world, lambda: body.poll().status is not StepStatus.RUNNING, limit)
    return body.poll()


@pytest.fixture
def body():
    return EmbeddedBody(two_rooms())


def test_the_robot_fetches_and_hands_over(body):
    world = body.world
    for line in ("walk(fridge_1)", "open(fridge_1)", "pick(salmon_1)", "close(fridge_1)", "walk(alice)", "give(salmon_1, alice)"):
        report = run(body, line)
        assert report.status is StepStatus.SUCCEEDED, (line, report)
    assert world.state.things["salmon_1"].at == "alice" and world.state.robot.holding is None
    assert world.state.openness["fridge_1"] == 0.0
    verbs = [e.action.verb for e in world.events if e.action.actor == ROBOT and e.action.verb is not Verb.WALKTOWARDS]
    assert verbs == [Verb.OPEN, Verb.PICK, Verb.CLOSE, Verb.GIVE]


def test_the_robot_goes_as_near_as_it_gets_to_who_stands_where_it_does_not(body):
    """Alice is among things, 0.7 m from where the robot gets to; it hands over from there."""
    for line in ("walk(fridge_1)", "open(fridge_1)", "pick(salmon_1)", "close(fridge_1)"):
        assert run(body, line).status is StepStatus.SUCCEEDED
    put_person(body.world, "alice", 2.8, 2.2, 180)
    for line in ("walk(alice)", "give(salmon_1, alice)"):
        report = run(body, line)
        assert report.status is StepStatus.SUCCEEDED, (line, report)


def test_the_nearest_spot_is_one_that_there_is_a_way_to():
    world = two_rooms(change=BLOCKED)
    beyond, radius = (5.5, 2.6), 0.4
    ways = world.nav.distances((3.8, 1.0), radius)
    assert world.nav.free(beyond, radius) and not math.isfinite(ways.to(beyond))
    spot = ways.nearest(beyond, within=2.0)
    assert math.isfinite(ways.to(spot)) and spot[0] < 5.0 and ways.nearest(beyond, within=0.3) is None
    assert ways.nearest((3.0, 1.0), within=0.3) == (3.0, 1.0)


def test_it_never_drives_faster_than_it_may_and_ends_at_the_approach(body):
    world, last, fastest = body.world, body.world.state.robot.position, 0.0
    body.start(parse("walk(sofa_1)"))
    while body.poll().status is StepStatus.RUNNING:
        world.advance(0.05)
        here = world.state.robot.position
        fastest, last = max(fastest, math.dist(here, last) / 0.05), here
    assert 0.4 < fastest <= 0.6 + 1e-6
    assert min(math.dist(last, s) for s in world.nav.approaches(world.pieces["sofa_1"], 0.26)) < 0.1


@pytest.mark.parametrize("before, line, reason", [
    ((), "open(fridge_1)", "out of reach"),
    ((), "pick(apple_1)", "out of reach"),
    ((), "pick(nothing_1)", "there is no nothing_1 here"),
    ((), "walk(nowhere_1)", "there is no nowhere_1 here"),
    (("walk(kitchentable_1)",), "open(kitchentable_1)", "does not open"),
    (("walk(fridge_1)",), "pick(salmon_1)", "the fridge is shut"),
    (("walk(fridge_1)",), "putin(apple_1, fridge_1)", "not in the hand"),
    (("walk(fridge_1)", "open(fridge_1)"), "pick(salmon_1, kitchentable_1)", "not there any more"),
    (("walk(kitchentable_1)", "pick(apple_1)", "walk(fridge_1)", "open(fridge_1)"), "pick(salmon_1)", "no hand is free"),
    (("walk(kitchentable_1)", "pick(apple_1)", "walk(fridge_1)"), "putin(apple_1, fridge_1)", "the fridge is shut"),
    (("walk(kitchentable_1)", "pick(apple_1)"), "give(apple_1, david)", "David is out of reach"),
    ((), "switchon(fridge_1)", "nothing that is switched"),
    ((), "move(fridge_1)", "cannot be pushed; allowed: suitcase"),
    ((), "turnby(left)", "'left' is not a number up to 360"),
    ((), "wait(99999)", "not a number up to 600"),
    ((), "moveto()", "needs something to move to"),
    ((), "sit(sofa_1)", "this robot cannot sit"),
    ((), "drink(apple_1)", "this robot cannot drink"),
])
def test_what_cannot_be_done_fails_with_its_reason(body, before, line, reason):
    for earlier in before:
        assert run(body, earlier).status is StepStatus.SUCCEEDED, earlier
    report = run(body, line)
    assert report.status is StepStatus.FAILED and reason in report.reason


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(list(Verb)), st.lists(st.sampled_from(
    ["fridge_1", "apple_1", "alice", "kitchen", "robot", "door_1", "lamp_1", "nothing_9", "12", ""]), max_size=3)), min_size=1, max_size=6))
def test_no_action_whatever_breaks_the_world(actions):
    body = EmbeddedBody(two_rooms(), deadline=15.0)
    for verb, args in actions:
        body.start(AtomicAction(verb, tuple(args)))
        until(body.world, lambda: body.poll().status is not StepStatus.RUNNING, 20.0)
        report = body.poll()
        assert report.status in (StepStatus.SUCCEEDED, StepStatus.FAILED) and (report.reason != "") is (report.status is StepStatus.FAILED)


def test_one_action_at_a_time_and_stop_is_at_once(body):
    body.start(parse("walk(sofa_1)"))
    body.world.advance(1.0)
    body.stop()
    assert body.poll().status is StepStatus.CANCELLED
    where = body.world.state.robot.position
    body.world.advance(2.0)
    assert body.world.state.robot.position == where
    assert run(body, "walk(fridge_1)").status is StepStatus.SUCCEEDED


def test_an_action_that_takes_too_long_is_given_up():
    body = EmbeddedBody(two_rooms(), deadline=1.0)
    report = run(body, "walk(sofa_1)")
    assert report.status is StepStatus.FAILED and "not done after 1 s" in report.reason
    with pytest.raises(ValueError, match="0 to 600"):
        EmbeddedBody(two_rooms(), deadline=0)


def test_injected_failures_happen_once(body):
    run(body, "walk(kitchentable_1)")
    body.inject_failure(Verb.PICK, "it slipped out of the hand")
    assert run(body, "pick(apple_1)").reason == "it slipped out of the hand"
    assert body.world.state.things["apple_1"].at == "kitchentable_1"
    assert run(body, "pick(apple_1)").status is StepStatus.SUCCEEDED


def test_ids_of_another_graph_are_translated():
    body = EmbeddedBody(two_rooms(), resolve={"cold_thing": "fridge_1"}.get)
    assert run(body, "walk(cold_thing)").status is StepStatus.SUCCEEDED
    report = run(body, "walk(fridge_1)")
    assert report.status is StepStatus.FAILED and "fridge_1" in report.reason
    assert run(body, 'say("fridge_1 is open")').status is StepStatus.SUCCEEDED


def test_without_an_arm_nothing_is_grasped():
    body = EmbeddedBody(two_rooms(change=[("robot: {at: [4.2, 3.5], facing: 200}", "robot: {at: [4.2, 3.5], facing: 200, arm: no}")]))
    assert "no arm" in body.can(parse("pick(apple_1)")) and "no arm" in run(body, "open(fridge_1)").reason
    assert body.can(parse("walk(fridge_1)")) == "" and run(body, 'say("hello")').status is StepStatus.SUCCEEDED


def test_the_head_turns_no_faster_and_no_farther_than_a_neck(body):
    world, state, last = body.world, body.world.state.robot, body.world.state.robot.head_yaw
    world.attention.enabled = False
    body.start(parse("lookat(alice)"))
    for _ in range(60):
        world.advance(0.05)
        assert abs(state.head_yaw - last) <= 2.0 * 0.05 + 1e-9
        assert abs(state.head_yaw) < math.radians(90)
        last = state.head_yaw
    bearing = math.atan2(world.state.people["alice"].position[1] - state.position[1], world.state.people["alice"].position[0] - state.position[0])
    assert abs((state.yaw + state.head_yaw - bearing + math.pi) % (2 * math.pi) - math.pi) < 0.15


def test_the_robots_gaze_follows_who_is_in_view():
    world = two_rooms()
    put_person(world, "alice", 2.6, 3.5, 0)
    do(world, "alice", "walk(lamp_1)", "walk(fridge_1)", "walk(kitchentable_1)")
    seen = [e for e in world.events if e.action.actor == "alice"]
    assert seen and all(ROBOT in e.seen_by for e in seen)


def test_a_gaze_set_from_outside_is_left_alone_for_a_while():
    world = two_rooms()
    put_person(world, "alice", 2.6, 3.5, 0)
    world.advance(1.0)
    point = (4.6, 0.4, 1.0)
    world.performers[ROBOT].gaze = point
    world.advance(1.6)
    assert world.performers[ROBOT].gaze == point
    world.advance(3.0)
    assert world.performers[ROBOT].gaze != point


def test_what_lies_behind_turns_an_idle_body_and_leaves_a_busy_one_alone(body):
    world, state = body.world, body.world.state.robot
    world.attention.enabled = False
    behind = (state.position[0] - 2 * math.cos(state.yaw), state.position[1] - 2 * math.sin(state.yaw), 1.0)
    before = state.yaw
    body.start(parse("wait(2)"))
    world.performers[ROBOT].look(behind)
    world.advance(0.5)
    assert state.yaw == before and abs(state.head_yaw) > 0.5
    world.advance(2.0)
    world.performers[ROBOT].look(behind)
    assert not world.performers[ROBOT].busy
    world.advance(4.0)
    bearing = math.atan2(behind[1] - state.position[1], behind[0] - state.position[0])
    assert abs((state.yaw - bearing + math.pi) % (2 * math.pi) - math.pi) < 0.1
    world.performers[ROBOT].look((2 * state.position[0] - behind[0], 2 * state.position[1] - behind[1], 1.0))
    body.start(parse('say("hello")'))  # an action comes first
    turned = state.yaw
    world.advance(0.5)
    assert state.yaw == turned


def test_saying_reaches_who_is_near(body):
    run(body, 'say("The salmon is in the fridge.", alice)')
    heard = body.world.heard()
    assert [u.text for u in heard] == ["The salmon is in the fridge."] and heard[0].addressee == "alice"
    assert heard[0].hearers == ("alice", "david")  # David stands 3.2 m away by the open door
    assert body.world.heard() == []
    put_person(body.world, "david", 8.5, 0.9, 0)
    run(body, 'say("Hello.")')
    assert body.world.heard()[0].hearers == ("alice",)


def test_who_takes_something_from_the_far_end_of_a_table_steps_up_to_it(body):
    world = body.world
    table, (_, _, z) = world.pieces["kitchentable_1"], world.state.things["apple_1"].position
    assert run(body, "walk(kitchentable_1)").status is StepStatus.SUCCEEDED
    stood = world.state.robot.position
    away = (table.position[0] - stood[0], table.position[1] - stood[1])  # from here over the middle to the other side
    far = (table.position[0] + 0.35 * math.copysign(1, away[0]), table.position[1] + 0.25 * math.copysign(1, away[1]), z)
    world.state.things["apple_1"].position = far
    assert math.dist(stood, far[:2]) > 1.0
    assert run(body, "pick(apple_1)").status is StepStatus.SUCCEEDED
    assert math.dist(world.state.robot.position, far[:2]) <= max(0.9, math.dist(stood, far[:2]) - 0.15)
    assert run(body, "puton(apple_1, kitchentable_1)").status is StepStatus.SUCCEEDED
    assert math.dist(world.state.robot.position, world.state.things["apple_1"].position[:2]) < 1.0


def test_a_child_and_a_wheelchair_user_do_not_reach_high_shelves():
    for extra in ("height: 1.15", "height: 1.3, posture: wheelchair"):
        world = two_rooms(change=[("facing: west}\n  david", f"facing: west, {extra}}}\n  david")])
        ended = do(world, "alice", "walk(kitchencabinet_2)", "open(kitchencabinet_2)")
        assert ended[0][1] == "" and "too high to reach" in ended[1][1]
    assert do(two_rooms(), "alice", "walk(kitchencabinet_2)", "open(kitchencabinet_2)", "pick(waterglass_1)")[2][1] == ""


BLOCKED = [("lamp_1: {at: [4.6, 0.4]}", "suitcase_1: {at: [4.8, 2.6], facing: east}"), ("leaf: yes, open: yes", "width: 1.1"),
           ("facing: west}\n  david", "facing: west, posture: wheelchair}\n  david")]


def test_a_pushed_obstacle_frees_the_way_for_a_wheelchair():
    world = two_rooms(change=BLOCKED)
    assert "blocked by the suitcase" in do(world, "alice", "walk(sofa_1)")[0][1]
    body = EmbeddedBody(world)
    run(body, "walk(suitcase_1)")
    assert run(body, "move(suitcase_1)").status is StepStatus.SUCCEEDED
    assert world.state.moved["suitcase_1"][0][:2] != (4.8, 2.6)
    assert do(world, "alice", "walk(sofa_1)")[0][1] == ""


def test_an_obstacle_goes_to_the_room_it_is_sent_to():
    world = two_rooms(change=BLOCKED)
    body = EmbeddedBody(world)
    run(body, "walk(suitcase_1)")
    assert run(body, "move(suitcase_1, to=livingroom)").status is StepStatus.SUCCEEDED
    assert world.room_of("suitcase_1") == "livingroom"


def test_a_door_that_no_wheelchair_gets_to_does_not_keep_an_obstacle_in_the_way():
    world = two_rooms(change=BLOCKED)
    walled = replace(world.home.doorways[0], id="door_9", center=(world.pieces["fridge_1"].position[0], world.pieces["fridge_1"].position[1]))
    world.home = replace(world.home, doorways=(*world.home.doorways, walled))
    body = EmbeddedBody(world)
    run(body, "walk(suitcase_1)")
    assert run(body, "move(suitcase_1)").status is StepStatus.SUCCEEDED
    assert do(world, "alice", "walk(sofa_1)")[0][1] == ""


def test_doors_are_opened_by_who_walks_through():
    world = two_rooms(change=[("open: yes}", "open: no}")])
    assert do(world, "david", "enter(kitchen)")[0][1] == ""
    assert world.state.openness["door_1"] == 1.0 and world.room_of("david") == "kitchen"
    assert any(e.action.verb is Verb.OPEN and e.action.target == "door_1" for e in world.events)


def test_two_people_meeting_in_a_doorway_both_get_through():
    world = two_rooms()
    from tests.sim_bridges.world_helpers import Doer
    world.controllers = {"alice": Doer("walk(sofa_1)"), "david": Doer("walk(fridge_1)")}
    assert until(world, lambda: all(c.ended for c in world.controllers.values()), 40.0)
    assert [c.ended[0][1] for c in world.controllers.values()] == ["", ""]


def test_who_stands_idle_in_the_way_steps_aside():
    world = two_rooms()
    x, y = world.nav.approach_point(world.pieces["fridge_1"])
    put_person(world, "david", x, y, 0)
    ended = do(world, "alice", "walk(fridge_1)", "open(fridge_1)", "pick(salmon_1)")
    assert [p for _, p in ended] == ["", "", ""]
    assert math.dist(world.state.people["david"].position, (x, y)) > 0.5


def test_sitting_down_and_getting_up_again():
    world = two_rooms()
    do(world, "david", "walk(sofa_1)", "sit(sofa_1)")
    assert world.state.people["david"].posture is Posture.SITTING
    do(world, "david", "walk(box_1)")
    assert world.state.people["david"].posture is Posture.STANDING
    assert [e.action.verb for e in world.events if e.action.actor == "david" and e.action.verb in (Verb.SIT, Verb.STANDUP)] == [Verb.SIT, Verb.STANDUP]


def test_a_person_carries_what_they_hold_and_hands_it_over():
    world = two_rooms()
    do(world, "alice", "walk(kitchentable_1)", "pick(apple_1)", "walk(david)", "give(apple_1, david)")
    apple = world.state.things["apple_1"]
    assert apple.at == "david" and apple.hand == "right"
    assert math.dist(apple.position[:2], world.state.people["david"].position) < 0.6 and 0.5 < apple.position[2] < 1.6


def test_switching_devices():
    world = two_rooms()
    do(world, "alice", "walk(lamp_1)", "switchon(lamp_1)")
    assert world.state.switched_on["lamp_1"] is True
    do(world, "alice", "switchoff(lamp_1)")
    assert world.state.switched_on["lamp_1"] is False


def test_nobody_stands_in_another_to_reach_a_thing():
    world = two_rooms()
    table, apple = world.pieces["kitchentable_1"], world.state.things["apple_1"]
    x, y = world.nav.nearest_free(apple.position[:2], 0.25, world.state.moved)
    far = max(world.nav.approaches(table, 0.25, world.state.moved), key=lambda s: math.dist(s, apple.position[:2]))
    assert math.dist(far, apple.position[:2]) > 0.9  # she has to step up to it
    put_person(world, "alice", *far, 0)
    put_person(world, "david", x, y, 0)
    from tests.sim_bridges.world_helpers import Doer
    world.controllers = {"alice": Doer("pick(apple_1)"), "david": Doer("wait(60)")}
    nearest = 9.0
    while not world.controllers["alice"].ended and world.time < 30.0:
        world.advance(0.1)
        nearest = min(nearest, math.dist(world.state.people["alice"].position, world.state.people["david"].position))
    assert world.controllers["alice"].ended[0][1] == "" and apple.at == "alice"
    assert nearest > 0.4


def test_who_goes_where_somebody_stays_stops_beside_them():
    world = two_rooms()
    x, y = world.nav.approach_point(world.pieces["fridge_1"])
    put_person(world, "david", x, y, 0)
    from tests.sim_bridges.world_helpers import Doer
    world.controllers = {"alice": Doer("walk(fridge_1)"), "david": Doer("wait(60)")}
    assert until(world, lambda: world.controllers["alice"].ended, 40.0)
    assert world.controllers["alice"].ended[0][1] == ""
    assert 0.3 < math.dist(world.state.people["alice"].position, (x, y)) < 0.9


def test_who_has_got_there_and_turns_to_what_it_came_to_moves_no_more():
    """Else somebody behind, who goes on before them by name, walks into them."""
    world = two_rooms()
    alice, turned = world.performers["alice"], 0
    alice.start(parse("walk(fridge_1)"))
    while alice.busy and world.time < 30.0:
        before = world.state.people["alice"].yaw
        world.advance(0.05)
        here = world.state.people["alice"]
        if not here.walking and here.yaw != before and math.dist(here.position, world.nav.approach_point(world.pieces["fridge_1"])) < 0.1:
            turned += 1
            assert not alice.moving
    assert turned > 3


def test_who_made_way_does_not_go_back_into_whoever_stands_there_now():
    world = two_rooms()
    x, y = world.nav.approach_point(world.pieces["fridge_1"])
    put_person(world, "david", x, y, 0)
    do(world, "alice", "walk(fridge_1)", "wait(15)")
    assert math.dist(world.state.people["david"].position, world.state.people["alice"].position) > 0.4


def test_lids_and_doors_shut_over_nothing_larger_than_what_they_shut():
    def piece(cls, size):
        return Furniture(f"{cls}_1", cls, "kitchen", (0.0, 0.0, 0.0), 0.0, size, heights=levels(cls, size[2]))

    basket, table = piece("basket", (0.4, 0.3, 0.25)), piece("kitchentable", (1.2, 0.8, 0.7))
    bottle, apple = Thing("wine_1", "wine", "kitchen"), Thing("apple_1", "apple", "kitchen")
    oven, towel = piece("microwave", (0.5, 0.38, 0.3)), Thing("towel_1", "towel", "kitchen", size=(0.45, 0.4, 0.03))
    assert spots.too_large(towel, oven) and not spots.too_large(towel, table) and not spots.too_large(apple, oven)
    assert spots.too_large(bottle, basket) and not spots.too_large(apple, basket) and not spots.too_large(bottle, table)
