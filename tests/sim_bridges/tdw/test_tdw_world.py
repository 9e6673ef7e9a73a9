"""ThreeDWorld through real ZMQ and FlatBuffers: the contract, every Replicant status, stories, and everything that can break on the wire."""

import json
import math
import os
import socket
import threading

import numpy as np
import pytest
from tdw.replicant.action_status import ActionStatus

from household.actions import AtomicAction, Verb, parse
from household.scene_graph import ROBOT, Openness
from sim_bridges import conformance, unity
from sim_bridges.conformance import NotConformant, Subject
from sim_bridges.contract import StepStatus
from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost, UnknownName
from sim_bridges.tdw import building, motions, snapshot
from sim_bridges.tdw.config import ObjectSpec, PersonSpec, SceneError, TdwConfig, TdwScene, read_scene
from sim_bridges.tdw.link import BuildLink, Limits
from sim_bridges.tdw.world import TdwWorld
from tests.sim_bridges.doubles.known import known_scene
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.tdw_build import TdwBuildDouble

HOME, SCENE = apartment(), TdwScene()
LIMITS = Limits(connect=1.5, answer=3.0, load=10.0)


_PORTS = iter(range(20000 + os.getpid() * 7 % 9000, 32000))  # below the ephemeral range, where a connecting socket could meet itself


def free_port() -> int:
    for port in _PORTS:
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)):
                return port
    raise RuntimeError("no free port")


def double(port: int, **more) -> TdwBuildDouble:
    return TdwBuildDouble(port, [(r.low, r.high) for r in SCENE.rooms], [d.centre for d in SCENE.doorways], building.frames_of(SCENE).origin, **more)


def config_for(port: int, **more) -> TdwConfig:
    return TdwConfig(**{**dict(port=port, width=64, height=48, camera_pitch=math.degrees(HOME.robot.camera_pitch), limits=LIMITS), **more})


@pytest.fixture
def build():
    with double(free_port()) as b:
        yield b


@pytest.fixture
def world(build):
    world = TdwWorld(config_for(build.port))
    world.build = build
    yield world
    world.close()


def subject(build: TdwBuildDouble, width: int = 200, height: int = 150) -> Subject:
    return Subject(
        open=lambda: TdwWorld(config_for(build.port, width=width, height=height)), scene=known_scene(Stage(apartment()), width, height),
        body=lambda world: world.body, hand_over=tuple(map(parse, ("walk(apple_1)", "pick(apple_1)", "walk(alice)", "give(apple_1, alice)"))),
        holder=lambda world, thing: world.scene().holder_of(thing), handed=("apple_1", "alice"), break_link=build.stop, mend_link=build.start)


# the contract -------------------------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("check", conformance.ALL.values(), ids=conformance.ALL.keys())
def test_contract(build, check):
    s = subject(build)
    world = s.open()
    world.reset(1)
    check(world, s)
    world.close()
    assert build.unknown == set()  # every command sent is one the protocol has


def test_full_resolution_points_are_within_a_centimetre_of_the_map(build):
    s = subject(build, 640, 480)
    world = s.open()
    conformance.check_points(world, s)
    conformance.check_wall(world, s)
    world.close()


def test_a_left_handed_slip_is_caught(build, monkeypatch):
    wrong = np.diag([1.0, 1.0, 1.0, 1.0])
    wrong[:3, :3] = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    monkeypatch.setattr(unity, "BASIS", wrong[:3, :3])
    monkeypatch.setattr(unity, "_BASIS4", wrong)
    monkeypatch.setattr(unity, "_BASIS4_INV", wrong.T)
    s = subject(build)
    with pytest.raises((NotConformant, BridgeError, ValueError)):
        world = s.open()
        conformance.check_optical_frame(world, s)
        conformance.check_silhouettes(world, s)


def test_a_camera_matrix_that_mirrors_the_world(build):
    build.faults["mirror"] = True
    with pytest.raises(BadReply, match="mirrors the world"):
        TdwWorld(config_for(build.port))


@pytest.mark.parametrize("z", [0.11, 0.5, 1.0, 2.34567, 7.7, 31.0])
def test_depth_bytes(z):
    value = z * 256 / 99.9
    r, g = int(value), int((value % 1) * 256)
    b = int((value * 256 % 1) * 256)
    raw = np.zeros((2, 3, 3), np.uint8)
    raw[0, 1] = r, g, b  # bottom row first
    depth = snapshot.decode_depth(raw.ravel(), 3, 2)
    assert depth[1, 1] == pytest.approx(z, abs=1e-4) and depth[0, 1] == 0


# actions ------------------------------------------------------------------------------------------------------------------------------------

def do(world, *texts):
    for text in texts:
        reason = conformance.run_action(world, world.body, parse(text))
        if reason:
            return reason
    return ""


@pytest.mark.parametrize("joint", ["springs", "motors", "hinges"])
def test_fetching_out_of_a_container_with_every_kind_of_joint(joint):
    with double(free_port(), joint=joint) as build:
        world = TdwWorld(config_for(build.port))
        assert world.scene().entities["fridge_1"].openness is Openness.CLOSED
        assert do(world, "walk(apple_1)", "pick(apple_1)", "walk(fridge_1)", "open(fridge_1)", "putin(apple_1, fridge_1)") == ""
        assert world.scene().entities["fridge_1"].openness is Openness.OPEN and world.scene().place_of("apple_1") == "fridge_1"
        assert do(world, "close(fridge_1)") == ""
        assert world.scene().entities["fridge_1"].openness is Openness.CLOSED
        assert "shut" in do(world, "pick(apple_1)")
        assert do(world, "open(fridge_1)", "pick(apple_1)", "walk(coffeetable_1)", "puton(apple_1, coffeetable_1)") == ""
        assert world.scene().place_of("apple_1") == "coffeetable_1" and world.scene().room_of(ROBOT) == "livingroom"
        world.close()


@pytest.fixture(scope="module")
def shared():
    """One world for actions that leave no trace."""
    with double(free_port()) as build:
        world = TdwWorld(config_for(build.port))
        world.build = build
        yield world
        world.close()


@pytest.mark.parametrize("text,words", [
    ("pick(mug_1)", "too far"), ("pick(fridge_1)", "nothing one can pick up"), ("walk(piano_1)", "nothing in this ThreeDWorld scene"),
    ("puton(apple_1, kitchentable_1)", "not in robot's hand"), ("close(fridge_1)", "already closed"), ("open(lamp_1)", "no door that moves"),
    ("give(apple_1, nobody)", "nobody else"), ("turnby(north)", "needs a number"), ("animate(moonwalk_backwards)", "no such animation"),
])
def test_what_cannot_be_done_is_said(shared, text, words):
    assert words in do(shared, text)
    assert not shared.robot.busy


@pytest.mark.parametrize("verb", list(Verb))
def test_every_verb_is_either_performed_or_refused_with_a_reason(verb):
    reason = motions.why_not(AtomicAction(verb, ("apple_1", "kitchentable_1")))
    assert reason == "" or verb.value in reason


@pytest.mark.parametrize("status", [s for s in ActionStatus if s is not ActionStatus.ongoing])
def test_every_replicant_status_is_handled(shared, status):
    shared.build.faults["reach"] = status.value
    reason = do(shared, "reachfor(apple_1)")
    assert reason == ("" if status is ActionStatus.success else motions.REASONS[status.name])
    assert ActionStatus.ongoing.name in motions.REASONS


def test_turning_is_counter_clockwise(world):
    before = world.bodies[ROBOT].yaw
    assert do(world, "turnby(90)") == ""
    assert (world.bodies[ROBOT].yaw - before) % (2 * math.pi) == pytest.approx(math.pi / 2, abs=1e-3)


def test_stop_leaves_the_robot_still(world):
    world.body.start(parse("walk(sofa_1)"))
    world.advance(1.0)
    world.body.stop()
    world.advance(0.1)
    at = world.bodies[ROBOT].position
    world.advance(1.0)
    assert world.body.poll().status is StepStatus.CANCELLED and world.bodies[ROBOT].position == at


def test_looking_at_a_point_turns_the_camera_there(world):
    world.look_at((8.2, 1.2, 0.8))
    world.advance(2.0)
    pose = world.frame().camera_pose
    toward = (8.2, 1.2, 0.8) - pose[:3, 3]
    assert float(pose[:3, 2] @ toward) / float((toward @ toward) ** 0.5) > 0.999


def test_a_whole_story_is_performed():
    with double(free_port(), dt=0.1) as build:
        world = TdwWorld(config_for(build.port, story="false_belief", framerate=10))
        for _ in range(120):
            world.advance(1.0)
            if world.finished:
                break
        scene, said = world.scene(), world.heard()
        assert world.finished and scene.holder_of("apple_1") == "alice"
        assert scene.room_of("alice") == "kitchen" and scene.room_of("david") == "livingroom"
        assert [u.speaker for u in said] == ["alice"] and ROBOT in said[0].hearers
        events = world.truth()["events"]
        assert [e["verb"] for e in events if e["target"] == "apple_1" and e["verb"] != "walk"] [:4] == ["pick", "putin", "pick", "putin"]
        json.dumps(events)
        world.close()


# the wire -----------------------------------------------------------------------------------------------------------------------------------

def test_no_build_says_how_to_start_one():
    with pytest.raises(ConnectionLost, match=r"no ThreeDWorld build connected to port \d+ within 0.3 s.*TDW.x86_64 -port"):
        TdwWorld(config_for(free_port(), limits=Limits(connect=0.3)))


def test_a_port_that_is_taken():
    with socket.socket() as s:
        s.bind(("0.0.0.0", 0))
        s.listen()
        with pytest.raises(BridgeError, match="cannot be listened on.*another port"):
            BuildLink(s.getsockname()[1]).connect()


def test_a_build_that_dies_is_noticed_by_its_disconnect_and_not_by_the_deadline(build):
    world = TdwWorld(config_for(build.port, limits=Limits(connect=0.2, answer=30.0)))
    world.body.start(parse("walk(sofa_1)"))
    threading.Timer(0.3, build.stop).start()
    build.faults["never"] = True
    with pytest.raises(ConnectionLost, match="disconnected: has it crashed"):
        world.advance(1.0)
    assert world.body.poll().status is StepStatus.FAILED and "lost" in world.body.poll().reason
    with pytest.raises(ConnectionLost, match="not back yet"):
        world.frame()
    world.close()


def test_a_build_that_resends_and_one_that_never_receives(world):
    world.build.faults["ftre"] = 3
    before = world.stamp
    world.advance(0.1)
    assert world.stamp == pytest.approx(before + 0.1, abs=1e-3)
    world.build.faults["ftre"] = 99
    with pytest.raises(ConnectionLost, match="failed to receive"):
        world.advance(0.1)


def test_a_slow_build_is_waited_for_and_a_silent_one_is_not(build):
    world = TdwWorld(config_for(build.port, limits=Limits(connect=2.0, answer=0.6)))
    build.faults["slow"] = 0.3
    world.advance(0.1)
    build.faults["slow"] = 2.0
    with pytest.raises(ConnectionLost, match="did not answer within 0.6 s"):
        world.advance(0.1)
    world.close()


def test_a_build_whose_controller_left_serves_the_next_one(build):
    limits = Limits(connect=3.0, answer=3.0, load=10.0, idle=0.4)
    first = TdwWorld(config_for(build.port, limits=limits))
    first.close()
    second = TdwWorld(config_for(build.port, limits=limits))
    assert second.scene().place_of("apple_1") == "kitchentable_1"
    second.close()


def test_a_controller_that_thinks_longer_than_the_build_waits(build):
    world = TdwWorld(config_for(build.port, limits=Limits(connect=3.0, answer=3.0, load=10.0, idle=0.2)))
    threading.Event().wait(0.5)
    before = world.stamp
    world.advance(0.2)
    assert world.stamp == pytest.approx(before + 0.2, abs=1e-3)
    world.close()


def test_a_build_that_quits(world):
    world.build.faults["quit"] = True
    with pytest.raises(ConnectionLost, match="quit"):
        world.advance(0.1)


@pytest.mark.parametrize("parts", [[b"hello"], [b"abc", b"\0\0\0\0"]])
def test_something_else_on_the_port(world, parts):
    world.build.faults["raw"] = parts
    with pytest.raises(BadReply, match="no ThreeDWorld build"):
        world.advance(0.1)


@pytest.mark.parametrize("kind", ["tran", "cama", "imag"])
def test_malformed_data_is_named(build, kind):
    build.faults["garble"] = kind
    with pytest.raises((BadReply, BridgeError)):
        TdwWorld(config_for(build.port))


def test_images_of_the_wrong_size(build):
    build.faults["size"] = (32, 24)
    with pytest.raises(BadReply, match="32×24, 64×48 was asked for"):
        TdwWorld(config_for(build.port))


def test_after_closing_there_is_nothing(world):
    world.close()
    with pytest.raises(Closed):
        world.advance(0.1)


# scenes -------------------------------------------------------------------------------------------------------------------------------------

def test_a_scene_file(tmp_path):
    file = tmp_path / "home.yaml"
    file.write_text("""
rooms: [{id: kitchen, class: kitchen, low: [0, 0], high: [4, 4]}]
doorways: []
objects: [{id: fridge_1, model: fridge_large_composite, position: [3, 3, 0], yaw: 180, size: [0.65, 0.65, 1.75]}]
people: [{id: alice, position: [1, 1], model: woman_casual}]
robot: {position: [2, 2], yaw: 90}
""")
    scene = read_scene(file)
    assert scene.objects[0].yaw == pytest.approx(math.pi) and scene.robot.yaw == pytest.approx(math.pi / 2) and scene.room_of(1, 1) == "kitchen"


@pytest.mark.parametrize("text,words", [
    ("[]", "a table with the keys"), ("rooms: [{id: cellar, class: cellar, low: [0, 0], high: [1, 1]}]", "class 'cellar'"),
    ("objects: [{id: piano_1, model: x, position: [0, 0, 0]}]", "'piano' is no class"), ("colour: red", "unknown key colour"),
    ("objects: [{id: apple_1}]", r"objects\[0\]"), ("robot: {position: [a, b]}", "robot"), ("people: [{id: robot, position: [0, 0]}]", "used twice"),
    ("rooms: [", "home.yaml"), ("rooms: 3", "rooms: a list is due, it is '3'"), ("robot: 3", "robot: a table"), ("people:", "people: a list is due"),
])
def test_scene_files_that_cannot_be(tmp_path, text, words):
    file = tmp_path / "home.yaml"
    file.write_text(text)
    with pytest.raises(SceneError, match=words):
        read_scene(file)


@pytest.mark.parametrize("scene,words", [
    (dict(objects=(ObjectSpec("apple_1", "appel", (0, 0, 0)),)), "no model 'appel'"),
    (dict(people=(PersonSpec("alice", (1, 1), model="ghost"),)), "no Replicant 'ghost'"),
    (dict(scene_name="atlantis", build_walls=False), "no ThreeDWorld scene 'atlantis'"),
])
def test_models_that_do_not_exist(build, scene, words):
    with pytest.raises(UnknownName, match=words):
        TdwWorld(config_for(build.port, scene=TdwScene(**scene)))


def test_a_scene_file_that_is_not_there(tmp_path):
    with pytest.raises(SceneError, match="none.yaml: No such file or directory; home is"):
        read_scene(tmp_path / "none.yaml")


def test_home_map_is_what_perception_reads(world):
    from perception.home_map import HomeMap

    import sim_bridges.tdw as bridge

    home = HomeMap.from_dict(world.home_map())
    assert bridge.home_map() == world.home_map()
    assert home.room_of((1.0, 1.0)) == "kitchen" and home.doorways[0].rooms == ("kitchen", "livingroom")


def test_the_same_scene_twice_in_one_program(build):
    world = TdwWorld(config_for(build.port))
    before = world.scene().to_dict()
    world.reset(5)
    after = world.scene().to_dict()
    assert {**before, "stamp": 0} == {**after, "stamp": 0}
    world.close()
