"""The robot's symbolic view: only what it saw, remembered as last seen; actions with their witnesses; noise that can be asked for."""

import math
from dataclasses import replace

import pytest

from household.actions import Verb, parse
from household.scene_graph import ROBOT, Openness, RelationKind, SceneGraph, Tracking
from sim_bridges.embedded.home import load_home
from sim_bridges.embedded.observe import ObserverNoise, SymbolicObserver
from sim_bridges.embedded.robot_body import EmbeddedBody
from sim_bridges.embedded.story import open_story
from sim_bridges.embedded.world import EmbeddedWorld
from tests.sim_bridges.world_helpers import Doer, put_person, two_rooms, until

PUT_AWAY = ("walk(kitchentable_1)", "pick(apple_1)", "walk(fridge_1)", "open(fridge_1)", "putin(apple_1, fridge_1)", "close(fridge_1)")


def watch(world, observer, seconds):
    actions, graph = [], None
    end = world.time + seconds
    while world.time < end:
        world.advance(0.2)
        graph, new = observer.observe(world)
        actions += new
    return graph, actions


@pytest.fixture
def world():
    world = two_rooms()
    world.state.robot.yaw = math.radians(200)
    put_person(world, "alice", 1.6, 1.2, 60)
    put_person(world, "david", 7.0, 2.0, 0)
    return world


def test_what_was_never_seen_is_not_in_the_graph_except_the_home_itself(world):
    graph, _ = watch(world, SymbolicObserver(world.home), 1.0)
    assert "salmon_1" not in graph.entities and "book_1" not in graph.entities and "david" not in graph.entities
    assert {"kitchen", "livingroom", "fridge_1", "sofa_1", "door_1", "apple_1", "alice", ROBOT} <= set(graph.entities)
    assert graph.entities["sofa_1"].visible is False and graph.entities["box_1"].openness is Openness.UNKNOWN
    assert graph.entities["fridge_1"].openness is Openness.CLOSED
    assert graph.place_of("apple_1") == "kitchentable_1" and graph.room_of("apple_1") == "kitchen"


def test_an_unmapped_home_is_learned_by_looking(world):
    graph, _ = watch(world, SymbolicObserver(world.home, knows_furniture=False), 0.2)
    assert "sofa_1" not in graph.entities and "fridge_1" in graph.entities


def test_putting_away_is_seen_step_by_step_and_remembered(world):
    world.controllers["alice"] = Doer(*PUT_AWAY)
    observer = SymbolicObserver(world.home)
    graph, actions = watch(world, observer, 25)
    done = [a for a in actions if a.actor == "alice" and a.verb is not Verb.WALKTOWARDS]
    assert [(a.verb, a.target, a.place) for a in done] == [
        (Verb.PICK, "apple_1", "kitchentable_1"), (Verb.OPEN, "fridge_1", None), (Verb.PUTIN, "apple_1", "fridge_1"), (Verb.CLOSE, "fridge_1", None)]
    walks = [a for a in actions if a.verb is Verb.WALKTOWARDS]
    assert [w.end is None for w in walks] == [True, False] * (len(walks) // 2) and {"fridge_1"} <= {w.target for w in walks}
    assert all(a.start <= a.end for a in done) and all(a.witnesses == {"david": 0.0} for a in done)
    apple = graph.entities["apple_1"]
    assert apple.tracking is Tracking.CONTAINED and not apple.visible and graph.place_of("apple_1") == "fridge_1"
    assert graph.event_count == len(actions)


def test_what_happens_out_of_sight_is_not_reported(world):
    world.controllers["david"] = Doer("walk(sofa_1)", "pick(book_1)")
    _, actions = watch(world, SymbolicObserver(world.home), 10)
    assert world.state.things["book_1"].at == "david" and [a for a in actions if a.actor == "david"] == []


def test_who_comes_into_view_on_a_walk_is_seen_to_be_on_it(world):
    """Alice sets out behind the robot's back; it turns round, or she has got there by then."""
    told = {}
    for seconds in (0.8, 10.0):
        world = two_rooms()
        world.state.robot.yaw, world.attention.enabled = math.radians(20), False
        put_person(world, "alice", 1.6, 1.2, 60)
        observer = SymbolicObserver(world.home)
        world.performers["alice"].start(parse("walk(fridge_1)"))
        _, actions = watch(world, observer, seconds)
        assert [a for a in actions if a.actor == "alice"] == []
        world.state.robot.yaw = math.radians(200)
        told[seconds] = [(a.verb, a.target, a.end) for a in watch(world, observer, 0.2)[1] if a.actor == "alice"]
    assert told == {0.8: [(Verb.WALKTOWARDS, "fridge_1", None)], 10.0: []}


def test_a_thing_gone_from_where_it_was_is_lost_and_found_again(world):
    observer, world.attention.enabled = SymbolicObserver(world.home), False
    watch(world, observer, 0.4)
    apple = world.state.things["apple_1"]
    table, world_spot = apple.position, (8.4, 3.4, 0.1)
    apple.at, apple.position = "livingroom", world_spot
    put_person(world, "alice", 4.6, 0.9, 90)
    graph, _ = watch(world, observer, 0.4)
    assert graph.entities["apple_1"].tracking is Tracking.LOST and graph.place_of("apple_1") is None
    apple.at, apple.position = "kitchentable_1", table
    graph, _ = watch(world, observer, 0.4)
    assert graph.entities["apple_1"].tracking is Tracking.VISIBLE and graph.place_of("apple_1") == "kitchentable_1"


def test_a_thing_is_not_lost_while_its_place_is_out_of_sight(world):
    observer = SymbolicObserver(world.home)
    watch(world, observer, 0.4)
    world.attention.enabled = False
    world.performers[ROBOT].gaze = None
    world.state.robot.yaw, world.state.robot.head_yaw = math.radians(45), 0.0
    graph, _ = watch(world, observer, 0.4)
    assert graph.entities["apple_1"].tracking is Tracking.OCCLUDED and graph.place_of("apple_1") == "kitchentable_1"


def test_held_things_go_with_who_holds_them(world):
    world.controllers["alice"] = Doer("walk(kitchentable_1)", "pick(apple_1)")
    observer = SymbolicObserver(world.home)
    graph, _ = watch(world, observer, 8)
    assert graph.holder_of("apple_1") == "alice" and graph.entities["apple_1"].tracking is Tracking.HELD
    assert any(r.kind is RelationKind.HOLDS and r.subject == "alice" for r in graph.relations)


def test_witnesses_and_views_are_by_the_persons_own_eyes(world):
    put_person(world, "david", 2.6, 0.7, 110)
    world.controllers["alice"] = Doer(*PUT_AWAY)
    observer = SymbolicObserver(world.home)
    graph, actions = watch(world, observer, 1.0)
    assert "apple_1" in graph.sees["david"] and "alice" in graph.sees["david"]
    _, actions = watch(world, observer, 20)
    assert [a.witnesses["david"] for a in actions if a.verb is Verb.PUTIN] == [1.0]
    for viewer, ids in graph.sees.items():
        assert ids <= set(graph.entities) and viewer not in ids


def test_the_robots_own_acts_are_actions_too(world):
    body, observer = EmbeddedBody(world), SymbolicObserver(world.home)
    for line in ("walk(fridge_1)", "open(fridge_1)"):
        body.start(parse(line))
        until(world, lambda: body.poll().status.value != "running")
    _, actions = observer.observe(world)
    assert [(a.verb, a.target) for a in actions if a.actor == ROBOT and a.end is not None][-1] == (Verb.OPEN, "fridge_1")


def test_noise_drops_and_shakes_as_asked_and_repeats():
    def run(noise):
        world = open_story("false_belief", "maple", 5)
        observer = SymbolicObserver(world.home, noise=noise)
        graph, actions = watch(world, observer, 60)
        return len(actions), graph

    clean, _ = run(ObserverNoise())
    dropped, first = run(ObserverNoise(drop_event=0.5, position=0.05, seed=1))
    again, second = run(ObserverNoise(drop_event=0.5, position=0.05, seed=1))
    assert 0.2 * clean < dropped < 0.8 * clean and (dropped, first.to_dict()) == (again, second.to_dict())


@pytest.mark.parametrize("bad", [{"drop_event": 1.0}, {"position": -0.1}, {"witness_error": 2.0}])
def test_noise_is_checked(bad):
    with pytest.raises(ValueError, match="allowed"):
        ObserverNoise(**bad)


def test_a_viewer_must_be_somebody():
    with pytest.raises(ValueError, match="alice, david"):
        SymbolicObserver(two_rooms().home, viewer="nobody")


def test_a_person_can_be_the_viewer():
    world = two_rooms()
    graph, _ = watch(world, SymbolicObserver(world.home, viewer="david"), 0.4)
    assert "apple_1" not in graph.entities and "book_1" not in graph.sees["david"] or graph.sees["david"]
    assert "alice" not in graph.entities


@pytest.mark.parametrize("story", ["false_belief", "false_belief_twin", "power_cut"])
def test_every_graph_is_sound_and_survives_the_wire(story):
    world = open_story(story, "orchard", 6)
    observer, count, stamp = SymbolicObserver(world.home), 0, -1.0
    while not world.finished:
        world.advance(0.2)
        graph, actions = observer.observe(world)
        count += len(actions)
        assert graph.stamp > stamp and graph.event_count == count
        stamp = graph.stamp
        for relation in graph.relations:
            assert relation.subject in graph.entities and relation.object in graph.entities
        places = [o.id for o in graph.objects() if len(graph.related(o.id, RelationKind.INSIDE, RelationKind.ON)) + (graph.holder_of(o.id) is not None) > 1]
        assert places == []
        for thing in graph.objects():
            if thing.visible:
                assert graph.place_of(thing.id) == world.state.things[thing.id].at
    assert SceneGraph.from_dict(graph.to_dict()) == graph


@pytest.mark.parametrize("known, light, lamp_room, told", [(True, 0.1, "here", False), (True, 1.0, "here", True), (True, 0.1, "next door", True),
                                                           (None, 0.1, "here", False), (None, 1.0, "here", None)])
def test_that_the_lamp_of_the_room_went_out_shows_in_the_dark_with_ones_back_to_it(known, light, lamp_room, told):
    home = load_home("harbor")
    lamp = next(f for f in home.furniture if f.cls == "lamp")
    room = next(r for r in home.rooms if (r.id == lamp.room) == (lamp_room == "here"))
    world = EmbeddedWorld(home)
    observer = SymbolicObserver(home)
    world.state.robot.position = ((room.low[0] + room.high[0]) / 2, (room.low[1] + room.high[1]) / 2)
    away = math.atan2(lamp.position[1] - world.state.robot.position[1], lamp.position[0] - world.state.robot.position[0]) + math.pi
    world.state.robot.yaw, world.state.robot.head_yaw = away, 0.0
    observer._entities[lamp.id] = replace(observer._entities[lamp.id], switched_on=known)
    world.state.switched_on[lamp.id], world.state.light = False, light
    world.in_room[ROBOT], world._sight_tick = room.id, -1
    if known is None:  # that it was on is told first, so that going out is told as a change
        graph, _ = observer.observe(world)
        assert graph.entities[lamp.id].switched_on is (True if told is False else None)
    graph, _ = observer.observe(world)
    assert graph.entities[lamp.id].switched_on is told and not graph.entities[lamp.id].visible
