"""Everything that can be wrong with the other end of the wire is named, with what to do, and in time."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from household.actions import parse
from sim_bridges.contract import StepStatus
from sim_bridges.errors import BadReply, BridgeError, Closed, ConnectionLost, NotSupported, WrongService
from sim_bridges.virtualhome import open_simulator
from sim_bridges.virtualhome.client import Limits, VirtualHomeClient
from sim_bridges.virtualhome.config import CharacterSpec, VirtualHomeConfig
from sim_bridges.virtualhome.world import VirtualHomeWorld
from sim_bridges.worlds import check_world
from tests.sim_bridges.doubles.stage import Stage, apartment
from tests.sim_bridges.doubles.virtualhome_server import VirtualHomeDouble
from tests.sim_bridges.virtualhome.test_virtualhome_conformance import config_for


@pytest.fixture
def sim():
    with VirtualHomeDouble(Stage(apartment())) as double:
        yield double


def client(sim, **limits) -> VirtualHomeClient:
    return VirtualHomeClient("127.0.0.1", sim.port, Limits(connect=0.3, **limits))


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def test_nobody_there_says_how_to_start_one():
    with pytest.raises(ConnectionLost, match=r"no VirtualHome at 127.0.0.1:\d+ .*linux_exec.*http-port"):
        VirtualHomeWorld(VirtualHomeConfig(port=free_port()))


@pytest.mark.parametrize("status,body", [(404, b"<html>nginx</html>"), (200, b'{"status": "ok"}'), (200, b"{}")])
def test_another_web_service_on_the_port(status, body):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    with pytest.raises(WrongService, match=f"not VirtualHome .HTTP {status}"):
        VirtualHomeClient("127.0.0.1", server.server_address[1]).ping()
    server.server_close()


def test_a_service_that_speaks_no_http():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        def answer():
            peer = listener.accept()[0]
            peer.recv(4096)
            peer.sendall(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")
            peer.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(WrongService, match="does not speak HTTP"):
            VirtualHomeClient("127.0.0.1", listener.getsockname()[1]).ping()


@pytest.mark.parametrize("fault,error,words", [
    (("hang up", None), ConnectionLost, "hung up on 'environment_graph'"),
    (("half", None), ConnectionLost, "in the middle of its answer"),
    (("raw", b"not json at all"), BadReply, "not the JSON it should be"),
    (("status", 429), ConnectionLost, "busy"),
    (("refuse", "it is raining"), BridgeError, "refused 'environment_graph': it is raining"),
    (("change", lambda r: {**r, "id": "77"}), BadReply, "answered request 77"),
    (("change", lambda r: {**r, "message": "{'nodes'"}), BadReply, "is not JSON"),
    (("change", lambda r: {**r, "message": "[]"}), BadReply, "'nodes' and 'edges'"),
])
def test_broken_answers_are_named(sim, fault, error, words):
    sim.fault["environment_graph"] = fault
    with pytest.raises(error, match=words):
        client(sim).environment_graph()


def test_a_slow_answer_is_waited_for(sim):
    sim.fault["camera_count"] = ("slow", 0.8)
    assert client(sim).camera_count() == 1


def test_an_answer_that_never_comes_ends_at_the_limit(sim):
    sim.fault["camera_count"] = ("slow", 3.0)
    with pytest.raises(ConnectionLost, match="did not answer 'camera_count' within 0.7 s"):
        client(sim, answer=0.7).camera_count()


def test_death_in_the_middle_of_a_long_script_is_noticed_long_before_its_limit(sim):
    sim.fault["render_script"] = ("slow", 30.0)
    threading.Timer(0.3, sim.stop).start()
    with pytest.raises(ConnectionLost, match="stopped answering during 'render_script'"):
        client(sim, script=60.0).render_script(["<char0> [walk] <fridge> (20)"])


def test_an_older_build_without_a_command(sim):
    sim.missing.add("add_camera")
    with pytest.raises(NotSupported, match="does not know 'add_camera': it is older"):
        VirtualHomeWorld(config_for(sim.port))


def test_an_older_build_resets_with_one_command(sim):
    sim.missing |= {"clear", "environment"}
    assert VirtualHomeWorld(config_for(sim.port)).frame().color.shape == (240, 320, 3)
    assert "reset" in sim.log


def test_an_older_build_that_cannot_move_cameras_names_the_way_round(sim):
    sim.missing.add("update_camera")
    with pytest.raises(NotSupported, match="mount: character"):
        VirtualHomeWorld(config_for(sim.port))


@pytest.mark.parametrize("spec,words", [
    (CharacterSpec("alice", "Chars/Robot7", "kitchen"), "'Chars/Robot7' a character of this build"),
    (CharacterSpec("alice", "Chars/Male1", position=(50.0, 50.0)), "inside a room"),
])
def test_an_unknown_character_or_place(sim, spec, words):
    with pytest.raises(BridgeError, match=words):
        VirtualHomeWorld(config_for(sim.port, people=(spec,)))


def test_an_environment_that_does_not_exist(sim):
    with pytest.raises(BridgeError, match="Invalid scene index.*75"):
        VirtualHomeWorld(config_for(sim.port, environment=75))


@pytest.mark.parametrize("command", ["add_camera", "update_camera"])
def test_a_build_that_cannot_move_cameras_gets_one_that_is_bolted(sim, command, caplog):
    sim.missing.add(command)
    world = open_simulator(port=sim.port, width=160, height=120)
    assert "neck cannot turn" in caplog.text
    before = world.frame().camera_pose
    world.look_at((0.0, 4.0, 0.0))
    world.advance(0.5)
    assert (world.frame().camera_pose == before).all()
    assert abs(before[2, 3] - VirtualHomeConfig().camera_height) < 0.01


def test_frames_of_no_use_are_named_before_anything_is_started(sim):
    sim.fault["camera_image"] = ("size", (64, 48))
    with pytest.raises(BadReply, match="64×48, 320×240 was asked for"):
        check_world("virtualhome", port=sim.port, width=320, height=240)


def test_images_of_the_wrong_size(sim):
    world = VirtualHomeWorld(config_for(sim.port))
    sim.fault["camera_image"] = ("size", (64, 48))
    with pytest.raises(BadReply, match="64×48, 320×240 was asked for"):
        world.frame()


@pytest.mark.parametrize("image,words", [("@@@", "not base64"), ("aGVsbG8=", "is not a PNG")])
def test_images_that_are_none(sim, image, words):
    world = VirtualHomeWorld(config_for(sim.port))
    sim.fault["camera_image"] = ("change", lambda r: {**r, "message_list": [image]})
    with pytest.raises(BadReply, match=words):
        world.frame()


def test_a_camera_matrix_that_mirrors_the_world(sim):
    def mirror(reply):
        data = json.loads(reply["message"])
        m = data[0]["world_to_camera_matrix"]
        data[0]["world_to_camera_matrix"] = [-v if i % 4 == 0 else v for i, v in enumerate(m)]
        return {**reply, "message": json.dumps(data)}

    world = VirtualHomeWorld(config_for(sim.port))
    sim.fault["camera_data"] = ("change", mirror)
    with pytest.raises(BadReply, match="mirrors the world"):
        world.frame()


def test_a_running_action_fails_when_the_simulator_dies_and_the_story_starts_over(sim):
    world = VirtualHomeWorld(config_for(sim.port, story="false_belief"))
    for _ in range(4):
        world.advance(1.0)
    world.body.start(parse("walk(fridge_1)"))
    sim.stop()
    with pytest.raises(OSError):
        world.advance(1.0)
    report = world.body.poll()
    assert report.status is StepStatus.FAILED and "lost" in report.reason
    sim.start()
    world.advance(1.0)
    assert world.restarts == 1 and world.stamp == 5.0
    assert world.scene().place_of("apple_1") == "kitchentable_1"


def test_a_closed_world_says_so(sim):
    world = VirtualHomeWorld(config_for(sim.port))
    world.close()
    with pytest.raises(Closed):
        world.advance(0.1)


@pytest.mark.parametrize("name,value", [("width", 5), ("horizontal_fov", 170.0), ("action_seconds", 0.0), ("story", "nonsense")])
def test_configuration_out_of_range_names_parameter_and_value(name, value):
    with pytest.raises(ValueError, match=f"{name}='?{value}"):
        VirtualHomeConfig(**{name: value})
