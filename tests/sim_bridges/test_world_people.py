"""Simulated minds: beliefs from what was seen, done and heard; searches that end; goals of every kind; builds that cannot."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household.actions import Verb, parse
from household.goals import Goal, GoalKind, get
from household.scene_graph import ELSEWHERE
from sim_bridges.embedded.hearing import HeardKind, understand
from sim_bridges.embedded.home import home_names, load_home, parse_home
from sim_bridges.embedded.memory import Memory
from sim_bridges.embedded.people import Manners, Person, Traits
from sim_bridges.embedded.robot_body import EmbeddedBody
from sim_bridges.embedded.world import EmbeddedWorld
from tests.sim_bridges.world_helpers import TWO_ROOMS, Doer, two_rooms, until

CALM = Traits(temperature=0.05, distraction=0.0, closes=1.0, forgetting=0.0)


def living(name, goal, seed=0, traits=CALM, who="alice"):
    home = load_home(name)
    return EmbeddedWorld(home, seed, {p.id: Person(home, p.id, seed, goal if p.id == who else None, traits) for p in home.people})


def small(goal, seed=0, traits=CALM, change=(), **others):
    text = TWO_ROOMS
    for old, new in change:
        text = text.replace(old, new)
    home = parse_home(text)
    return EmbeddedWorld(home, seed, {"alice": Person(home, "alice", seed, goal, traits), **others})


def mind(world, id="alice"):
    return world.controllers[id]


def done(world, limit=120.0):
    return until(world, lambda: mind(world).reached_at is not None, limit)


# ---- memory ----

EVENTS = st.lists(st.one_of(
    st.tuples(st.just("see"), st.integers(0, 3), st.integers(0, 6)), st.tuples(st.just("inspect"), st.integers(0, 6), st.just(0)),
    st.tuples(st.just("told"), st.integers(0, 3), st.integers(0, 6)), st.tuples(st.just("not"), st.integers(0, 3), st.integers(0, 6)),
    st.tuples(st.just("forget"), st.just(0), st.just(0))), max_size=25)


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.floats(0.0, 1.0))
def test_beliefs_always_sum_to_one(events, trust):
    memory = Memory(parse_home(TWO_ROOMS), "alice")
    for kind, a, b in events:
        thing, place = memory.things[a % len(memory.things)], memory.places[b % len(memory.places)]
        if kind == "see":
            memory.see({thing: place}, [place], [], 1.0)
            assert memory.best(thing) == (place, 1.0)
        elif kind == "inspect":
            empty = memory.places[a % len(memory.places)]
            memory.see({}, [empty], [], 1.0)
            assert all(memory.p(t, empty) == 0.0 for t in memory.things)
        elif kind == "forget":
            memory.forget(0.3)
        else:
            memory.told([thing], [place], trust, 1.0, kind == "not")
        assert np.allclose(memory.table.sum(axis=1), 1.0) and (memory.table >= 0).all()
        assert sum(memory.row(thing).values()) == pytest.approx(1.0, abs=0.01)


def test_finding_the_place_empty_spreads_the_belief_over_what_is_usual():
    memory = Memory(load_home("maple"), "alice")
    memory.know("apple_1", "kitchentable_1")
    memory.see({}, ["kitchentable_1"], [], 2.0)
    place, p = memory.best("apple_1")
    assert memory.p("apple_1", "kitchentable_1") == 0.0 and p < 0.3 and place in memory.places
    kitchen = sum(memory.p("apple_1", f.id) for f in load_home("maple").furniture if f.heights and f.room == "kitchen")
    assert kitchen > 0.6 and memory.p("apple_1", ELSEWHERE) > 0


def test_trust_decides_how_far_a_told_place_is_believed():
    home = parse_home(TWO_ROOMS)
    for trust in (0.0, 0.5, 1.0):
        memory = Memory(home, "alice")
        memory.know("apple_1", "kitchentable_1")
        memory.told(["apple_1"], ["fridge_1"], trust, 1.0)
        assert memory.p("apple_1", "fridge_1") == pytest.approx(trust)


def test_traits_are_checked():
    with pytest.raises(ValueError, match="trust: 1.5 is out of range; allowed: 0 to 1"):
        Traits(trust=1.5)


# ---- seeing, doing, hearing ----


def test_what_is_done_behind_ones_back_is_not_known():
    world = small(None, david=Doer("enter(kitchen)", "walk(kitchentable_1)", "pick(apple_1)", "walk(fridge_1)", "open(fridge_1)",
                                   "putin(apple_1, fridge_1)", "close(fridge_1)"))
    body = world.state.people["alice"]
    body.position, body.yaw, body.head_yaw = (3.9, 1.4), 2.3, 2.3
    until(world, lambda: mind(world).memory.best("apple_1") == ("kitchentable_1", 1.0), 3)
    body.position, body.yaw, body.head_yaw = (8.6, 0.6), 0.0, 0.0  # the living room's far corner, facing the wall
    world.in_room["alice"] = "livingroom"
    mind(world)._rest_until = 1e9
    assert until(world, lambda: world.state.things["apple_1"].at == "fridge_1", 60)
    assert mind(world).memory.best("apple_1")[0] == "kitchentable_1"


def test_whoever_watches_knows():
    world = small(None, david=Doer("enter(kitchen)", "walk(kitchentable_1)", "pick(apple_1)", "walk(fridge_1)", "open(fridge_1)",
                                   "putin(apple_1, fridge_1)", "close(fridge_1)"))
    body = world.state.people["alice"]
    body.position, body.yaw, body.head_yaw = (4.4, 0.9), 2.4, 2.4
    mind(world)._rest_until = 1e9
    assert until(world, lambda: world.state.things["apple_1"].at == "fridge_1", 60)
    assert mind(world).memory.best("apple_1") == ("fridge_1", 1.0)


SENTENCES = [
    ("Alice, the apple is in the fridge.", HeardKind.AT, ("fridge_1",)),
    ("The apple isn't on the kitchen table, it is in the fridge.", HeardKind.AT, ("fridge_1",)),
    ("David moved the apple from the kitchen table to the fridge.", HeardKind.AT, ("fridge_1",)),
    ("The apple is in the second kitchen cabinet.", HeardKind.AT, ("kitchencabinet_2",)),
    ("The apple is in kitchen cabinet 1.", HeardKind.AT, ("kitchencabinet_1",)),
    ("The apple is in the living room.", HeardKind.AT, ("livingroom",)),
    ("The apple is no longer on the kitchen table.", HeardKind.NOT_AT, ("kitchentable_1",)),
    ("Someone took the apple from the kitchen table.", HeardKind.NOT_AT, ("kitchentable_1",)),
    ("Somebody moved the apple.", HeardKind.MOVED, ()),
    ("David, Alice took the apple into the living room.", HeardKind.AT, ("livingroom",)),
    ("Where is the apple?", HeardKind.QUESTION, ()),
    ("What a lovely day.", HeardKind.NOTHING, ()),
]


@pytest.mark.parametrize("text, kind, places", SENTENCES)
def test_sentences_are_understood(text, kind, places):
    heard = understand(text, parse_home(TWO_ROOMS))
    assert (heard.kind, heard.places) == (kind, places)
    assert heard.things == (() if kind is HeardKind.NOTHING else ("apple_1",))


@pytest.mark.parametrize("text, mover", [
    ("Bob, Alice moved the apple; I did not see its new place.", "alice"),
    ("Bob, Alice moved the apple out of the kitchen; I did not see its new place.", "alice"), ("Alice has taken the apple.", "alice"),
    ("Alice really took the apple into the kitchen.", "alice"), ("Alice, someone moved the apple.", None),
    ("Alice, the apple is in the fridge.", None), ("Alice moved the apple from the kitchen table to the fridge.", None)])
def test_who_moved_it_is_understood(text, mover):
    assert understand(text, parse_home(TWO_ROOMS)).mover == mover


def test_the_second_of_two_bedrooms_is_one_of_them():
    home = load_home("maple")
    rooms = tuple(replace(r, id=f"bedroom{i}", cls="bedroom") for i, r in enumerate(home.rooms[:2], 1))
    home = replace(home, rooms=(*rooms, *(r for r in home.rooms[2:] if r.cls != "bedroom")))
    assert understand("Alice took the apple into the second bedroom.", home).places == ("bedroom2",)
    assert understand("Alice took the apple into the bedroom.", home).places == ("bedroom1", "bedroom2")
    shelves = tuple(replace(f, id=f"bookshelf_{i}", cls="bookshelf", room=f"bedroom{i}") for i, f in enumerate(home.furniture[:2], 1))
    home = replace(home, furniture=shelves)
    assert understand("Alice, the apple is on the bookshelf in the second bedroom.", home).places == ("bookshelf_2",)


def test_told_a_room_one_thinks_of_the_places_in_it():
    home = load_home("maple")
    memory, kitchen = Memory(home, "alice"), {f.id for f in home.furniture if f.room == "kitchen" and f.heights}
    memory.know("apple_1", next(f.id for f in home.furniture if f.heights and f.room != "kitchen"))
    memory.told(["apple_1"], ["kitchen"], 0.9, 1.0)
    assert sum(memory.p("apple_1", p) for p in (*kitchen, "kitchen")) == pytest.approx(0.9)
    assert min(memory.p("apple_1", p) for p in kitchen) > memory.p("apple_1", "kitchen") > 0.0


def test_told_that_it_was_moved_one_gives_up_even_what_one_was_sure_of():
    memory = Memory(load_home("maple"), "alice")
    memory.know("apple_1", "kitchentable_1")
    memory.told_moved("apple_1", 0.95, 1.0)
    assert memory.p("apple_1", "kitchentable_1") == pytest.approx(0.05) and memory.table.sum(axis=1) == pytest.approx(1.0)


def test_told_that_it_was_carried_out_of_a_room_one_thinks_of_all_the_others():
    home = load_home("maple")
    memory, kitchen = Memory(home, "alice"), [f.id for f in home.furniture if f.room == "kitchen" and f.heights]
    memory.know("apple_1", kitchen[0])
    heard = understand("Alice, David moved the apple out of the kitchen; I did not see its new place.", home)
    memory.told(heard.things, heard.places, 0.95, 1.0, heard.kind is HeardKind.NOT_AT)
    assert sum(memory.p("apple_1", p) for p in kitchen) == pytest.approx(0.05) and memory.table.sum(axis=1) == pytest.approx(1.0)


def test_being_told_ends_the_search():
    times = {}
    for told in (False, True):
        world = living("maple", get("apple"), seed=4)
        apple, fridge = world.state.things["apple_1"], world.pieces["fridge_1"]
        apple.at, apple.position = "fridge_1", (*fridge.position[:2], 1.0)
        mind(world).memory.know("apple_1", "cabinet_1")
        world.advance(1.0)
        if told:
            world.speak("robot", "Alice, the apple is in the fridge.", "alice")
        assert done(world)
        times[told] = world.time
    assert times[True] < 0.6 * times[False]


@pytest.mark.parametrize("text", ["Alice, David moved the apple; I did not see its new place.", "Alice, David took the apple into the kitchen."])
def test_who_is_said_to_have_moved_it_is_asked_once_and_answers(text):
    world = living("maple", get("apple"), seed=2)
    apple, fridge = world.state.things["apple_1"], world.pieces["fridge_1"]
    apple.at, apple.position = "fridge_1", (*fridge.position[:2], 1.0)
    mind(world).memory.know("apple_1", "cabinet_1")
    mind(world, "david").memory.know("apple_1", "fridge_1")
    world.advance(1.0)
    world.speak("robot", text, "alice")
    assert done(world)
    asked = [u for u in world.utterances if u.speaker == "alice" and u.text.startswith("Where is the apple")]
    assert [u.addressee for u in asked] == ["david"]
    assert "The apple is in the fridge." in [u.text for u in world.utterances if u.speaker == "david"]


def test_a_hand_over_ends_the_search():
    world = living("maple", get("salmon"), seed=1)
    mind(world).memory.know("salmon_1", "bookshelf_1")
    body = EmbeddedBody(world)
    plan = [parse(x) for x in ("walk(fridge_1)", "open(fridge_1)", "pick(salmon_1)", "walk(alice)", "give(salmon_1, alice)")]
    while plan and world.time < 60:
        body.start(plan.pop(0))
        until(world, lambda: body.poll().status.value != "running", 40)
    assert done(world, 3.0) and world.state.things["salmon_1"].at == "alice"


def test_somebody_unsure_asks_and_believes_the_answer():
    text = [("facing: west}\n  david: {at: [7, 2]", "facing: west}\n  david: {at: [4.3, 2.0]")]
    for manners, found in ((Manners.TRUTHFUL, True), (Manners.LYING, False), (Manners.SILENT, None)):
        home = parse_home(TWO_ROOMS.replace(*text[0]))
        asker = Person(home, "alice", 3, get("book"), Traits(asks=1.0, distraction=0.0, thanks=0.0))
        knower = Person(home, "david", 3, None, Traits(manners=manners, distraction=0.0))
        knower.memory.know("book_1", "sofa_1")
        world = EmbeddedWorld(home, 3, {"alice": asker, "david": knower})
        world.state.people["alice"].yaw = world.state.people["alice"].head_yaw = 1.1
        until(world, lambda: any(u.speaker == "david" for u in world.utterances), 8)
        said = [u for u in world.utterances]
        assert said and said[0].speaker == "alice" and said[0].text == "Where is the book?"
        if found is None:
            assert all(u.speaker != "david" for u in said)
        else:
            assert asker.memory.best("book_1")[0] == ("sofa_1" if found else understand(said[1].text, home).places[0])
            assert (asker.memory.best("book_1")[0] == "sofa_1") is found


# ---- goals ----


@pytest.mark.parametrize("name", home_names())
def test_every_class_of_object_is_found(name):
    home = load_home(name)
    for i, cls in enumerate(sorted({t.cls for t in home.things})[::3]):
        world = living(name, get(cls), seed=i, traits=Traits())
        assert done(world, 200), (cls, mind(world).stuck)
        assert any(world.state.things[t.id].at == "alice" for t in home.things if t.cls == cls)


GOALS = [
    (Goal(GoalKind.PUT, ("salmon",), "kitchentable_1"), lambda w: w.state.things["salmon_1"].at == "kitchentable_1"),
    (Goal(GoalKind.PUT, ("apple", "book"), "kitchencabinet_1"),
     lambda w: {w.state.things[t].at for t in ("apple_1", "book_1")} == {"kitchencabinet_1"} and w.state.openness["kitchencabinet_1"] == 0.0),
    (Goal(GoalKind.SET, ("salmon", "waterglass")), lambda w: {w.state.things[t].at for t in ("salmon_1", "waterglass_1")} == {"kitchentable_1"}),
    (Goal(GoalKind.USE, ("book", "apple"), None, "read"), lambda w: {w.state.things[t].at for t in ("book_1", "apple_1")} == {"alice"}),
    (Goal(GoalKind.REACH, (), "livingroom"), lambda w: w.room_of("alice") == "livingroom"),
    (Goal(GoalKind.REACH, (), "sofa_1"), lambda w: math.dist(w.state.people["alice"].position, w.pieces["sofa_1"].position[:2]) < 1.5),
    (Goal(GoalKind.SWITCH, ("lamp",), None, "on"), lambda w: w.state.switched_on["lamp_1"]),
]


@pytest.mark.parametrize("goal, holds", GOALS, ids=[str(g) for g, _ in GOALS])
def test_goals_of_every_kind_come_true(goal, holds):
    world = small(goal, seed=2, traits=Traits())
    assert done(world, 180), mind(world).stuck
    assert holds(world)


def test_what_one_opened_is_mostly_shut_again():
    world = living("maple", get("salmon"), seed=3, traits=CALM)
    assert done(world, 150)
    opened = [e.action.target for e in world.events if e.action.verb is Verb.OPEN and e.action.actor == "alice" and "door" not in e.action.target]
    assert opened and all(world.state.openness[o] == 0.0 for o in opened)
    careless = living("maple", get("salmon"), seed=3, traits=Traits(closes=0.0, distraction=0.0))
    assert done(careless, 150)
    assert any(careless.state.openness[f] > 0.5 for f in ("fridge_1", "microwave_1", "kitchencabinet_1", "kitchencabinet_3", "dishwasher_1"))


def test_a_known_place_is_walked_to_at_once():
    world = living("harbor", get("wine"), seed=0)
    mind(world).memory.know("wine_1", "cabinet_1")  # it is on the kitchen counter
    until(world, lambda: mind(world).target is not None, 5)
    assert mind(world).target == "cabinet_1"


def test_careless_people_choose_differently_from_seed_to_seed():
    def first(seed, temperature):
        world = living("maple", get("wine"), seed, Traits(temperature=temperature, distraction=0.0))
        until(world, lambda: mind(world).target is not None, 5)
        return mind(world).target

    assert len({first(s, 1.0) for s in range(8)}) > len({first(s, 0.02) for s in range(8)})


def test_nobody_is_all_knowing_about_shut_places():
    world = living("maple", get("wine"), seed=0)
    assert mind(world).memory.p("salmon_1", "fridge_1") < 0.5


def test_somebody_who_cannot_reach_says_why_they_are_stuck_and_takes_what_is_given():
    world = small(get("waterglass"), change=[("alice: {at: [3.8, 1.0], facing: west}", "alice: {at: [3.8, 1.0], facing: west, height: 1.15}")])
    mind(world).memory.know("waterglass_1", "kitchencabinet_2")
    assert until(world, lambda: "too high to reach" in mind(world).stuck, 20) and mind(world).reached_at is None
    world.hold("robot", "waterglass_1")
    world.state.robot.position = (world.state.people["alice"].position[0] + 0.8, world.state.people["alice"].position[1])
    body = EmbeddedBody(world)
    body.start(parse("give(waterglass_1, alice)"))
    assert done(world, 5.0)


def test_a_wheelchair_is_stuck_before_an_obstacle_and_legs_push_it_aside():
    change = [("lamp_1: {at: [4.6, 0.4]}", "suitcase_1: {at: [4.8, 2.6], facing: east}"), ("leaf: yes, open: yes", "width: 0.9")]
    walker = small(Goal(GoalKind.REACH, (), "livingroom"), change=change)
    assert done(walker, 40) and "suitcase_1" in walker.state.moved
    wheels = small(Goal(GoalKind.REACH, (), "livingroom"), change=[*change, ("facing: west}\n  david", "facing: west, posture: wheelchair}\n  david")])
    assert not done(wheels, 30) and "blocked by the suitcase" in mind(wheels).stuck
    assert "suitcase_1" not in wheels.state.moved


def test_pursuing_another_goal_starts_afresh():
    world = small(get("apple"))
    assert done(world)
    mind(world).pursue(get("book"), world.time)
    assert mind(world).reached_at is None and done(world)


def test_full_hands_put_something_down_first():
    world = small(get("salmon"))
    world.hold("alice", "apple_1")
    world.hold("alice", "waterglass_1")
    assert done(world) and world.state.things["salmon_1"].at == "alice"
    assert len(world.performers["alice"].held()) == 2


def test_the_hands_free_mind_looks_about_but_touches_nothing():
    world = two_rooms()
    world.controllers["alice"] = Person(world.home, "alice", 0)
    world.advance(30.0)
    assert not [e for e in world.events if e.action.verb in (Verb.PICK, Verb.OPEN)]
