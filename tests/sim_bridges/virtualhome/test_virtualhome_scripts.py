"""Atomic actions as script lines and back, the graph as a scene graph, and a whole story told in lines."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from household import classes
from household.actions import AtomicAction, Verb, parse
from household.scene_graph import ROBOT, Openness, RelationKind
from sim_bridges import conformance
from sim_bridges.contract import StepStatus
from sim_bridges.errors import BadReply, UnknownName
from sim_bridges.virtualhome import recording, script
from sim_bridges.virtualhome.names import RENAMED, NameMap, household_class
from sim_bridges.virtualhome.world import VirtualHomeWorld
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble
from tests.sim_bridges.virtualhome.test_virtualhome_conformance import config_for

NODES = [{"id": 1, "class_name": "character"}, {"id": 2, "class_name": "character"}, {"id": 11, "class_name": "kitchen"},
         {"id": 12, "class_name": "kitchen"}, {"id": 72, "class_name": "fridge"}, {"id": 90, "class_name": "apple"},
         {"id": 91, "class_name": "apple"}, {"id": 95, "class_name": "cutleryknife"}, {"id": 99, "class_name": "gramophone"},
         {"id": 60, "class_name": "kitchentable"}, {"id": 61, "class_name": "floor"}]


def names() -> NameMap:
    out = NameMap(["alice", ROBOT])
    out.learn(NODES)
    return out


@pytest.fixture
def world():
    with VirtualHomeDouble(Stage(apartment())) as sim:
        world = VirtualHomeWorld(config_for(sim.port, width=64, height=48))
        world.sim = sim
        yield world


@pytest.mark.parametrize("text,line", [
    ("walk(fridge_1)", "<char1> [walk] <fridge> (72)"), ("enter(kitchen_2)", "<char1> [walk] <kitchen> (12)"),
    ("pick(apple_2)", "<char1> [grab] <apple> (91)"), ("pick(knife_1)", "<char1> [grab] <cutleryknife> (95)"),
    ("putin(apple_1, fridge_1)", "<char1> [putin] <apple> (90) <fridge> (72)"),
    ("place(apple_1, fridge_1)", "<char1> [putin] <apple> (90) <fridge> (72)"),
    ("place(apple_1, kitchentable_1)", "<char1> [put] <apple> (90) <kitchentable> (60)"),
    ("walk(alice)", "<char1> [walk] <character> (1)"), ("standup()", "<char1> [standup]"),
])
def test_lines(text, line):
    assert script.lines_for(parse(text), ROBOT, names()) == [line]


def test_turns_go_in_steps_of_thirty_degrees():
    assert script.lines_for(parse("turnby(85)"), ROBOT, names()) == ["<char1> [turnleft]"] * 3
    assert script.lines_for(parse("turnby(-31)"), ROBOT, names()) == ["<char1> [turnright]"]


@pytest.mark.parametrize("verb,args", [(v, ("fridge_1",)) for v in (Verb.WALK, Verb.OPEN, Verb.CLOSE, Verb.PICK, Verb.SWITCHON, Verb.TURNTO)]
                         + [(Verb.PUTIN, ("apple_1", "fridge_1")), (Verb.PUTON, ("apple_1", "kitchentable_1")), (Verb.STANDUP, ())])
def test_there_and_back(verb, args):
    action = AtomicAction(verb, args)
    (line,) = script.lines_for(action, "alice", names())
    assert script.parse_line(line, names()) == [("alice", action)]


def test_several_characters_in_one_line():
    line = script.together(["<char0> [walk] <fridge> (72)", "<char1> [grab] <apple> (90)"])
    assert script.parse_line(line, names()) == [("alice", parse("walk(fridge_1)")), (ROBOT, parse("pick(apple_1)"))]


@pytest.mark.parametrize("line,error", [("open the fridge", BadReply), ("<char0> [fly]", BadReply), ("<char5> [standup]", UnknownName),
                                        ("<char0> [grab] <apple> (7)", UnknownName)])
def test_lines_that_are_none(line, error):
    with pytest.raises(error):
        script.parse_line(line, names())


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="<>char01[] walkgrb()|95", max_size=40))
def test_no_line_does_anything_but_parse_or_say_why(line):
    try:
        script.parse_line(line, names())
    except (BadReply, UnknownName):
        pass


@pytest.mark.parametrize("verb", list(Verb))
def test_every_verb_is_either_performed_or_refused_with_a_reason(verb):
    reason = script.why_not(AtomicAction(verb, ("apple_1", "kitchentable_1")))
    assert reason == "" or (verb.value in reason and "it has" in reason)


@pytest.mark.parametrize("message,success,indexes,expected", [
    ("", True, [0, 1], {}),
    ("ScriptExcutor 1: char1 is not close to apple \n", True, [0, 1], {1: "char1 is not close to apple"}),
    ("ScriptExcutor 0: a \nScriptExcutor 1: b\n", False, [0, 1], {0: "a", 1: "b"}),
    ('{"0": {"message": "Success"}, "1": {"message": "no free hand"}}', True, [0, 1], {1: "no free hand"}),
    ('{"0": {"message": "Success"}, "1": {"message": "no free hand"}}', True, [0], {}),
    ("Error parsing script", False, [1], {1: "Error parsing script"}),
    ("", False, [0], {0: "the simulator gave no reason"}),
])
def test_reports_of_old_and_new_builds(message, success, indexes, expected):
    assert script.failures(success, message, indexes) == expected


def test_class_names():
    assert household_class("Kitchen_Table") == "kitchentable" and household_class("cutleryfork") == "fork"
    assert household_class("gramophone") is None
    assert all(target in classes.CLASSES for target in RENAMED.values())
    n = names()
    assert n.unknown == {"gramophone": 1}  # reported; the floor is no thing to report
    assert n.entity(11) == "kitchen" and n.entity(12) == "kitchen_2" and n.entity(91) == "apple_2" and n.entity(1) == "alice"
    with pytest.raises(UnknownName, match="apple_1"):
        n.node("aple_1")


def test_ids_stay_when_nodes_come_and_go():
    n = names()
    n.learn([{"id": 80, "class_name": "apple"}, *NODES[:6]])
    assert n.entity(90) == "apple_1" and n.entity(80) == "apple_3"


def test_scene_graph(world):
    stage, scene = world.sim.stage, world.scene()
    assert scene.place_of("apple_1") == "kitchentable_1" and scene.room_of("alice") == "kitchen" and scene.room_of("sofa_1") == "livingroom"
    assert scene.entities["fridge_1"].openness is Openness.CLOSED and scene.entities["kitchentable_1"].openness is Openness.NONE
    assert scene.entities["lamp_1"].switched_on is False and scene.entities["apple_1"].switched_on is None
    assert {r.kind for r in scene.relations} >= {RelationKind.IN_ROOM, RelationKind.ON, RelationKind.CLOSE}
    for id in ("fridge_1", "sofa_1", "apple_1"):
        assert scene.entities[id].position == pytest.approx(stage.position(id), abs=1e-6)
    fridge, sofa = scene.entities["fridge_1"], scene.entities["sofa_1"]
    assert fridge.extents == pytest.approx((0.65, 0.65, 1.75)) and sofa.extents == pytest.approx((0.9, 2.0, 0.8))
    alice = scene.entities["alice"]
    assert alice.position == pytest.approx((*stage.state.people["alice"].position, 0.0)) and alice.yaw == pytest.approx(0.0, abs=1e-9)
    assert scene.entities["david"].yaw == pytest.approx(stage.state.people["david"].yaw)


@pytest.mark.parametrize("change,words", [
    (lambda n: n.pop("id"), "KeyError"), (lambda n: n["bounding_box"].update(center=[1, 2]), "cannot be read"),
    (lambda n: n.update(id="seven"), "ValueError"), (lambda n: n["obj_transform"].update(rotation="north"), "cannot be read"),
])
def test_graphs_that_cannot_be_read_are_named(change, words):
    from sim_bridges.virtualhome import graph

    node = {"id": 72, "class_name": "fridge", "bounding_box": {"center": [0, 1, 0], "size": [1, 2, 1]},
            "obj_transform": {"position": [0, 0, 0], "rotation": [0, 0, 0, 1]}, "states": ["CLOSED"], "properties": ["CAN_OPEN"]}
    assert "fridge_1" in graph.scene_graph({"nodes": [node], "edges": []}, NameMap(), 0.0).entities
    change(node)
    with pytest.raises(BadReply, match=words):
        graph.scene_graph({"nodes": [node], "edges": []}, NameMap(), 0.0)


def test_a_node_that_is_nowhere_is_left_out():
    from sim_bridges.virtualhome import graph

    nowhere = {"id": 72, "class_name": "fridge", "bounding_box": None, "obj_transform": None}
    edge = {"from_id": 72, "to_id": 72, "relation_type": "CLOSE"}
    assert graph.scene_graph({"nodes": [nowhere], "edges": [edge]}, NameMap(), 0.0).entities == {}


def test_container_contents_and_hands(world):
    for text in ("walk(apple_1)", "pick(apple_1)"):
        assert conformance.run_action(world, world.body, parse(text)) == ""
    assert world.scene().holder_of("apple_1") == ROBOT and world.scene().place_of("apple_1") == ROBOT
    for text in ("walk(fridge_1)", "open(fridge_1)", "putin(apple_1, fridge_1)", "close(fridge_1)"):
        assert conformance.run_action(world, world.body, parse(text)) == ""
    scene = world.scene()
    assert scene.place_of("apple_1") == "fridge_1" and scene.entities["fridge_1"].openness is Openness.CLOSED
    assert "inside" in {r.kind.value for r in scene.relations if r.subject == "apple_1"}


def test_failures_come_back_in_the_simulators_words(world):
    assert "not close" in conformance.run_action(world, world.body, parse("pick(mug_1)"))
    assert "nothing in this VirtualHome scene" in conformance.run_action(world, world.body, parse("walk(piano_1)"))
    assert "no 'cut'" in world.body.can(parse("cut(bread_1)"))
    conformance.run_action(world, world.body, parse("walk(fridge_1)"))
    conformance.run_action(world, world.body, parse("open(fridge_1)"))
    assert "already open" in conformance.run_action(world, world.body, parse("open(fridge_1)"))


def test_no_surface_near_no_handing_over(world):
    world.sim.stage.body("alice").position = (0.3, 0.3)
    world.sim.stage.furniture.pop("kitchentable_1")
    world.sim.stage.home = type(world.sim.stage.home)(**{**vars(world.sim.stage.home), "furniture": tuple(
        f for f in world.sim.stage.home.furniture if f.cls != "kitchentable")})
    world.sim.stage.state.things["apple_1"].at = ROBOT
    world.sim.stage.state.things["apple_1"].hand = "right"
    world._scene = None
    assert "no surface within" in conformance.run_action(world, world.body, parse("give(apple_1, alice)"))


def test_stop_leaves_the_robot_still(world):
    world.body.start(parse("turnby(180)"))
    world.advance(1.0)
    yaw = world.sim.stage.body(ROBOT).yaw
    world.body.stop()
    world.advance(3.0)
    assert world.body.poll().status is StepStatus.CANCELLED and world.sim.stage.body(ROBOT).yaw == yaw


def test_robot_and_person_act_in_the_same_tick(world):
    world.begin("alice", parse("walk(fridge_1)"))
    world.body.start(parse("walk(kitchentable_1)"))
    before = world.sim.log.count("render_script")
    world.advance(1.0)
    assert world.sim.log.count("render_script") == before + 1 and world.scene().stamp == 1.0
    for _ in range(5):
        world.advance(1.0)
    assert {e["actor"] for e in world.truth()["events"]} == {"alice", ROBOT}


def test_people_walk_a_metre_at_a_time_and_are_seen_on_the_way(world):
    """Never further in a frame than one walks, never through the table, and in the end where and how a walk ends."""
    world.begin("alice", parse("walk(fridge_1)"))
    path = [world.scene().entities["alice"]]
    while world.cast.busy("alice") and world.stamp < 20:
        world.advance(0.25)
        path.append(world.scene().entities["alice"])
    for _ in range(4):
        world.advance(0.25)
        path.append(world.scene().entities["alice"])
    steps = [math.dist(a.position[:2], b.position[:2]) for a, b in zip(path, path[1:])]
    assert max(steps) < 0.45 and sum(s > 0.05 for s in steps) >= 8
    assert all(abs(p.position[0] - 2.2) > 0.4 or abs(p.position[1] - 2.4) > 0.6 for p in path)
    x, y = world.sim.stage.position("fridge_1")[:2]
    assert path[-1].position[:2] == pytest.approx((x, y - 0.875), abs=1e-6) and path[-1].yaw == pytest.approx(math.pi / 2, abs=1e-6)
    assert world.cast.jobs["alice"].report.status is StepStatus.SUCCEEDED


def test_without_strides_a_walk_is_one_jump():
    with VirtualHomeDouble(Stage(apartment())) as sim:
        world = VirtualHomeWorld(config_for(sim.port, width=64, height=48, strides=False))
        world.begin("alice", parse("walk(fridge_1)"))
        world.advance(1.0)
        assert world.cast.jobs["alice"].report.status is StepStatus.SUCCEEDED and "move_character" not in sim.log


def test_a_walker_who_is_held_up_is_put_there(world):
    """A simulator whose strides lead nowhere: the walk is tried as a whole."""
    world.sim.stage.stride = lambda actor, id: None
    world.begin("alice", parse("walk(fridge_1)"))
    world.advance(1.0)
    world.advance(1.0)
    assert world.cast.jobs["alice"].report.status is StepStatus.SUCCEEDED


def test_no_floor_on_the_way_is_no_failure(world):
    world.begin("alice", parse("walk(fridge_1)"))
    world.sim.fault["move_character"] = ("refuse", "not on the floor")
    while world.cast.busy("alice") and world.stamp < 20:
        world.advance(0.25)
    assert world.cast.jobs["alice"].report.status is StepStatus.SUCCEEDED


def test_looking_at_a_point_turns_the_camera_there(world):
    world.look_at((8.2, 1.2, 0.8))
    for _ in range(4):
        world.advance(0.5)
    pose = world.frame().camera_pose
    toward = (8.2, 1.2, 0.8) - pose[:3, 3]
    assert float(pose[:3, 2] @ toward) / float((toward @ toward) ** 0.5) > 0.999


@pytest.mark.parametrize("json_report", [False, True])
@pytest.mark.parametrize("story,searched", [("false_belief", True), ("false_belief_twin", False)])
def test_a_whole_story_is_performed(story, searched, json_report):
    with VirtualHomeDouble(Stage(apartment()), json_report=json_report) as sim:
        world = VirtualHomeWorld(config_for(sim.port, width=64, height=48, story=story))
        for _ in range(80):
            if world.finished:
                break
            world.advance(1.0)
        assert world.finished
        scene, said = world.scene(), world.heard()
        assert scene.holder_of("apple_1") == "alice" and scene.room_of("david") == "livingroom"
        opened = [e["target"] for e in world.truth()["events"] if e["actor"] == "alice" and e["verb"] == "open"]
        assert opened == (["fridge_1", "fridge_1", "stove_1", "kitchencabinet_1"] if searched else ["fridge_1", "kitchencabinet_1"])
        assert [u.speaker for u in said] == ["alice"] and "apple" in said[0].text and ROBOT in said[0].hearers
        mind = json.loads(json.dumps(world.truth()))["people"]["alice"]
        assert mind["goal"]["targets"] == ["apple_1"] and mind["reached_at"] is not None


def test_objects_are_placed_before_the_story(world):
    placed = VirtualHomeWorld(config_for(world.sim.port, width=64, height=48, place=(("mug_1", "fridge_1"), ("book_1", "kitchentable_1"))))
    assert placed.scene().place_of("mug_1") == "fridge_1" and placed.scene().place_of("book_1") == "kitchentable_1"


def test_home_map_is_what_perception_reads(world):
    from perception.home_map import HomeMap

    import sim_bridges.virtualhome as bridge

    assert bridge.home_map(port=world.sim.port)["rooms"] == world.home_map()["rooms"]
    home = HomeMap.from_dict(world.home_map())
    assert {r.id for r in home.rooms} == {"kitchen", "livingroom"} and home.room_of((1.0, 1.0)) == "kitchen"
    assert home.doorways[0].rooms == ("kitchen", "livingroom") and home.doorways[0].centre == pytest.approx((4.0, 2.0))


def test_recorded_frames_are_read_back(world, tmp_path):
    recorder = VirtualHomeWorld(config_for(world.sim.port, width=64, height=48, recording=str(tmp_path)))
    pose = recorder.frame().camera_pose
    recorder.body.start(parse("turnby(30)"))
    recorder.advance(1.0)
    frames = list(recording.frames(recorder, recorder.last_recording))
    assert len(frames) == 2 and frames[0].stamp < frames[1].stamp <= recorder.stamp
    assert frames[0].color.shape == (48, 64, 3) and frames[0].depth.max() > 1 and frames[0].ids.max() > 0
    assert abs(frames[0].camera_pose - pose).max() < 1e-6


def test_a_story_that_cannot_go_on_ends_and_says_why():
    from sim_bridges.scripted import read_story

    with VirtualHomeDouble(Stage(apartment())) as sim:
        story = read_story(["alice: walk(sofa_1)", "alice: pick(apple_1)", "alice: walk(kitchen)"])
        world = VirtualHomeWorld(config_for(sim.port, width=64, height=48, story=story))
        for _ in range(20):
            world.advance(1.0)
        assert world.finished and "alice: pick(apple_1) failed" in world.truth()["problem"] and world.scene().room_of("alice") == "livingroom"


@pytest.mark.parametrize("lines,words", [
    (["alice walk(fridge_1)"], "line 1.*person: verb"), (["", "alice: fly(fridge_1)"], "line 2.*unknown verb"),
    (["alice: wait(soon)"], "line 1.*0 to 600 seconds"), (["alice: walk()"], "line 1.*takes 1 argument"),
])
def test_story_files_that_cannot_be_read(lines, words):
    from household.actions import ActionError
    from sim_bridges.scripted import read_story

    with pytest.raises(ActionError, match=words):
        read_story(lines)


def test_open_by_name_and_what_is_said_when_nobody_answers():
    from sim_bridges.errors import ConnectionLost
    from sim_bridges.worlds import open_world

    with VirtualHomeDouble(Stage(apartment())) as sim:
        world = open_world("virtualhome", home="3", story="false_belief", width=64, height=48, port=sim.port, rate=5.0, noise=False)
        assert world.frame().color.shape == (48, 64, 3) and {c.id for c in world.candidates()} >= {"apple_1", "alice", "fridge_1"}
        world.advance(0.2)
    with pytest.raises(ConnectionLost, match="start it"):
        open_world("virtualhome", port=sim.port)
    with pytest.raises(ValueError, match="home 'villa'"):
        open_world("virtualhome", home="villa", port=sim.port)
