"""Homes: the shipped ones are what they must be, bad files are refused at their line, generated ones pass the same checks."""

import math
import textwrap
from dataclasses import replace

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from household import classes
from household.classes import Kind
from sim_bridges.embedded.generate_home import SPLITS, generate_home
from sim_bridges.embedded.goal_text import parse_goal
from sim_bridges.embedded.home import HomeError, home_names, load_home, parse_home
from sim_bridges.embedded.home_checks import find_problems
from sim_bridges.embedded.model import WorldState
from sim_bridges.embedded.visibility import SightMap, Viewer
from household.goals import Goal, GoalKind, get

MMTOM_OBJECTS = {"apple", "cupcake", "salmon", "plate", "dishbowl", "waterglass", "wineglass", "wine", "chips", "condimentbottle", "book",
                 "remotecontrol"}
PLACES = {"fridge", "microwave", "stove", "dishwasher", "cabinet", "bathroomcabinet", "kitchentable", "coffeetable", "sofa", "desk"}

SMALL = textwrap.dedent("""\
    rooms:
      kitchen:
        from: [0, 0]
        to: [4, 4]
        furniture:
          fridge_1: {wall: west, along: 3}
          kitchentable_1: {at: [2.4, 2], facing: north}
      livingroom:
        from: [4, 0]
        to: [8, 4]
    doors:
      door_1: {between: [kitchen, livingroom], at: [4, 2]}
    things:
      apple_1: kitchentable_1
    people:
      alice: {at: [3.4, 1], facing: west}
    robot: {at: [6, 2], facing: 180}
    """)


def test_a_small_home_reads_as_written():
    home = parse_home(SMALL, "small.yaml")
    assert home.name == "small"
    fridge = home.furniture[0]
    assert fridge.position[0] == pytest.approx(0.05 + 0.01 + 0.65 / 2) and fridge.yaw == 0.0
    assert home.furniture[1].yaw == pytest.approx(math.pi / 2)
    assert home.things[0].at == "kitchentable_1"
    assert home.robot.yaw == pytest.approx(math.pi)


@pytest.mark.parametrize("old, new, line, words", [
    ("fridge_1:", "frigde_1:", 6, ("frigde", "allowed", "fridge")),
    ("fridge_1: {wall: west, along: 3}", "fridge_1: {wall: west, along: 3.9}", 6, ("fridge_1", "outside room 'kitchen'", "y 0.0")),
    ("fridge_1: {wall: west, along: 3}", "fridge_1: {wall: west, along: three}", 6, ("'three' is not a number",)),
    ("fridge_1: {wall: west, along: 3}", "fridge_1: {wall: up, along: 3}", 6, ("unknown wall 'up'", "east, north, south, west")),
    ("fridge_1: {wall: west, along: 3}", "fridge_1: {wall: west, along: 3, colour: red}", 6, ("unknown key 'colour'",)),
    ("kitchentable_1: {at: [2.4, 2], facing: north}", "kitchentable_1: {at: [0.8, 2.8]}", 7, ("overlaps fridge_1",)),
    ("kitchentable_1: {at: [2.4, 2], facing: north}", "kitchentable_1: {at: [3.5, 2]}", 7, ("stands in the doorway door_1", "suitcase")),
    ("kitchentable_1: {at: [2.4, 2], facing: north}", "kitchentable_1: {at: [2.4, 2, 1]}", 7, ("2 numbers are wanted, not 3",)),
    ("  livingroom:\n", "  kitchen:\n", 8, ("'kitchen' stands here twice", "line 2")),
    ("  livingroom:\n", "  cellar:\n", 8, ("unknown room class 'cellar'", "bathroom")),
    ("to: [8, 4]", "to: [3, 4]", 8, ("allowed: at least 1 by 1",)),
    ("doors:\n", "  bathroom:\n    from: [3, 3]\n    to: [5, 6]\ndoors:\n", 11, ("overlaps room",)),
    ("between: [kitchen, livingroom]", "between: [kitchen, cellar]", 12, ("unknown room 'cellar'", "kitchen, livingroom")),
    ("at: [4, 2]}", "at: [3, 2]}", 12, ("not on the edge of room",)),
    ("at: [4, 2]}", "at: [4, 3.9]}", 12, ("outside the wall", "allowed: 0.05 to 3.95")),
    ("doors:\n", "  bathroom:\n    from: [0, 4]\n    to: [3, 6]\ndoors:\n  door_2: {between: [kitchen, bathroom], at: [0, 4]}\n", 15,
     ("outside the wall",)),
    ("apple_1: kitchentable_1", "apple_1: stove_1", 14, ("unknown place 'stove_1'", "kitchentable_1")),
    ("apple_1: kitchentable_1", "apfel_1: kitchentable_1", 14, ("unknown object class 'apfel'", "apple")),
    ("apple_1: kitchentable_1", "apple: kitchentable_1", 14, ("not of the form class_number",)),
    ("apple_1: kitchentable_1", "apple_1: {at: kitchentable_1, position: [0.5, 0.5, 1]}", 14, ("is not at 'kitchentable_1'",)),
    ("alice: {at: [3.4, 1], facing: west}", "alice: {at: [3.4, 1], facing: up}", 16, ("'up' is no direction", "east, north")),
    ("alice: {at: [3.4, 1], facing: west}", "alice: {at: [2.4, 2]}", 16, ("inside a wall or a piece of furniture",)),
    ("alice: {at: [3.4, 1], facing: west}", "alice: {at: [9, 9]}", 16, ("outside every room",)),
    ("alice: {at: [3.4, 1], facing: west}", "alice: {at: [3.4, 1], goal: fly(moon)}", 16, ("is no goal", "get(apple)")),
    ("alice: {at: [3.4, 1], facing: west}", "kitchen: {at: [3.4, 1]}", 16, ("cannot name a person",)),
    ("robot: {at: [6, 2], facing: 180}", "robot: {at: [6, 2], fov: 500}", 17, ("500 is out of range; allowed: 20 to 140",)),
    ("facing: 180}", "facing: 180", 17, ("not valid YAML",)),
])
def test_a_bad_home_is_refused_at_its_line(old, new, line, words):
    assert old in SMALL
    with pytest.raises(HomeError) as caught:
        parse_home(SMALL.replace(old, new, 1), "small.yaml")
    message = str(caught.value)
    assert message.startswith("small.yaml:")
    assert caught.value.line == line or ("YAML" in message and caught.value.line >= line), message
    for word in words:
        assert word in message


@pytest.mark.parametrize("text, words", [("", "empty"), ("[1, 2]", "mapping"), ("rooms: {}", "at least one room"), ("\t- : {", "not valid YAML"),
                                         ("rooms: {kitchen: {from: [0, 0], to: [4, 4]}}", "'doors' is missing")])
def test_files_that_are_no_home(text, words):
    with pytest.raises(HomeError, match=words):
        parse_home(text, "x.yaml")


def test_a_home_that_does_not_exist_names_those_that_do():
    with pytest.raises(HomeError, match="maple"):
        load_home("no_such_home")


def test_a_room_without_a_door_is_refused():
    lonely = SMALL.replace("doors:", "  attic:\n    class: office\n    from: [0, 4]\n    to: [4, 7]\ndoors:")
    with pytest.raises(HomeError, match="attic"):
        parse_home(lonely)


def test_a_piece_nobody_can_walk_up_to_is_refused():
    walled = SMALL.replace("kitchentable_1: {at: [2.4, 2], facing: north}", "kitchentable_1: {at: [1.15, 3.3], facing: east}")
    with pytest.raises(HomeError, match="fridge_1: nobody can walk up to its front"):
        parse_home(walled)


def test_nobody_is_shut_in_by_furniture():
    """In this home there is room for one person behind the table, and no way out."""
    home = generate_home(350, "test")
    assert find_problems(home) == []
    shut_in = replace(home, people=(home.people[0], replace(home.people[1], position=(7.96, 0.35))))
    assert [(p.key, "no way out" in p.text) for p in find_problems(shut_in)] == [("david", True)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SMALL) - 1), st.text(alphabet="[]{}:,-0a \n\t'\"#&*!|>%@", min_size=1, max_size=3))
def test_a_damaged_file_is_either_a_home_or_a_home_error(at, junk):
    try:
        home = parse_home(SMALL[:at] + junk + SMALL[at + 1:], "small.yaml")
    except HomeError as problem:
        assert str(problem).startswith("small.yaml:") and problem.line >= 1
    else:
        assert not find_problems(home)


@settings(max_examples=40, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=4), lambda v: st.lists(v, max_size=3) | st.dictionaries(
    st.sampled_from(["rooms", "doors", "from", "to", "kitchen", "robot", "at", "people", "things"]) | st.text(max_size=3), v, max_size=4), max_leaves=12))
def test_any_yaml_at_all_is_a_home_or_a_home_error(tree):
    try:
        parse_home(yaml.safe_dump(tree), "x.yaml")
    except HomeError:
        pass


@pytest.mark.parametrize("name", home_names())
def test_shipped_homes_hold_what_the_stories_need(name):
    home = load_home(name)
    assert {"kitchen", "livingroom", "bedroom", "bathroom"} <= {r.cls for r in home.rooms}
    assert sum(f.cls == "kitchencabinet" for f in home.furniture) >= 4
    assert PLACES <= {f.cls for f in home.furniture}
    assert MMTOM_OBJECTS <= {t.cls for t in home.things}
    assert {"alice", "david"} < {p.id for p in home.people}


@pytest.mark.parametrize("name", home_names())
def test_the_robot_sees_table_fridge_and_a_door(name):
    home = load_home(name)
    eye, sight, state = (*home.robot.position, home.robot.camera_height), SightMap(home), WorldState(0.0)
    around = Viewer("", eye, home.robot.yaw, -0.25, math.radians(home.robot.horizontal_fov_deg), math.radians(64))
    for cls in ("kitchentable", "fridge"):
        item = next(f for f in home.furniture if f.cls == cls)
        reach = item.size[1] / 2 + 0.02 if cls == "fridge" else 0.0
        point = (item.position[0] + math.cos(item.yaw) * reach, item.position[1] + math.sin(item.yaw) * reach, 0.8)
        assert sight.can_see(state, around, point, ignore=item.id), cls
        if cls == "fridge":  # from before its front, so that its inside shows
            assert math.cos(item.yaw) * (eye[0] - item.position[0]) + math.sin(item.yaw) * (eye[1] - item.position[1]) > item.size[1] / 2
    neck = Viewer("", eye, home.robot.yaw, 0.0, math.radians(80 + 2 * 60), math.pi)
    kitchen = next(r.id for r in home.rooms if r.cls == "kitchen")
    assert any(sight.can_see(state, neck, (*d.center, 1.2)) for d in home.doorways if kitchen in d.rooms)


def test_there_are_three_homes_and_they_differ():
    homes = [load_home(n) for n in home_names()]
    assert len(homes) >= 3
    assert len({tuple(r.high for r in h.rooms) for h in homes}) == len(homes)
    assert len({h.style for h in homes}) == len(homes)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SPLITS))
def test_generated_homes_pass_every_check(seed, split):
    home = generate_home(seed, split)
    assert find_problems(home) == []
    assert {"kitchen", "livingroom", "bedroom", "bathroom"} <= {r.cls for r in home.rooms}
    assert sum(f.cls == "kitchencabinet" for f in home.furniture) >= 4
    assert {t.cls for t in home.things} >= MMTOM_OBJECTS
    assert all(classes.get(t.cls).kind is Kind.OBJECT for t in home.things)
    assert len({f.id for f in home.furniture} | {t.id for t in home.things} | {p.id for p in home.people}) == (
        len(home.furniture) + len(home.things) + len(home.people))


def test_generated_homes_repeat_and_differ():
    assert generate_home(5) == generate_home(5)
    others = [generate_home(5, "val"), generate_home(6)]
    assert all(o.rooms != generate_home(5).rooms for o in others)
    areas = [np.prod([r.high[i] - r.low[i] for i in (0, 1)]) for s in range(3) for r in generate_home(s).rooms if r.cls == "kitchen"]
    assert max(areas) - min(areas) > 0.5


def test_generator_arguments_are_checked():
    with pytest.raises(ValueError, match="train, val, test"):
        generate_home(1, "dev")
    with pytest.raises(ValueError, match="0 and up"):
        generate_home(-1)


GOALS = [get("apple"), Goal(GoalKind.PUT, ("plate", "waterglass_1"), "fridge_1"), Goal(GoalKind.SET, ("plate",)), Goal(GoalKind.REACH, (), "kitchen"),
         Goal(GoalKind.USE, ("candle", "lighter"), None, "light a candle"), Goal(GoalKind.SWITCH, ("faucet_1",), None, "off")]


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goals_read_back_as_they_are_written(goal):
    assert parse_goal(str(goal)) == goal


@pytest.mark.parametrize("text", ["get()", "get(unicorn)", "put(apple)", "switch(faucet_1)", "reach(apple)", "get(apple", "get(apple, shelf=2)", "GET(apple)"])
def test_goals_that_are_none(text):
    with pytest.raises(ValueError, match="goal|needs|names"):
        parse_goal(text)
