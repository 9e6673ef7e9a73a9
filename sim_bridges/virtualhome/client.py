"""VirtualHome's HTTP protocol, with a deadline on every wait and a name for everything that can go wrong.

One POST per command: ``{"id", "action", "intParams", "stringParams"}``, nested objects being JSON *strings*; the reply is ``{"id", "success",
"message", "value", "message_list"}``. The simulator answers one request at a time and ``render_script`` answers only when the script has run,
so "slow" and "dead" must be told apart: while an answer is awaited, the port is knocked on every half second. A process that died refuses
at once; a busy one still accepts. A fresh connection per request keeps half-closed sockets from outliving one command.
"""

from __future__ import annotations

import http.client
import json
import select
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

import orjson  # an apartment's graph is half a megabyte of JSON, in every frame in which somebody moves

from sim_bridges.errors import BadReply, BridgeError, ConnectionLost, NotSupported, WrongService

MAX_REPLY_BYTES = 256 * 2**20
KNOCK_EVERY = 0.5  # seconds between looks at whether the port still answers


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds. ``connect``: to open a connection; ``answer``: ordinary commands; ``load``: scene loads; ``script``: render_script."""

    connect: float = 1.0
    answer: float = 15.0
    load: float = 120.0
    script: float = 120.0

    def __post_init__(self) -> None:
        for name, high in (("connect", 10.0), ("answer", 600.0), ("load", 3600.0), ("script", 3600.0)):
            value = getattr(self, name)
            if not 0.05 <= value <= high:
                raise ValueError(f"{name}={value} s is outside [0.05, {high}] s")


@dataclass(frozen=True)
class Reply:
    success: bool
    message: str
    value: int
    message_list: tuple[str, ...]

    def json(self, what: str):
        """The message parsed as JSON. Raises BadReply."""
        try:
            return orjson.loads(self.message)
        except ValueError:
            raise BadReply(f"VirtualHome's answer to '{what}' is not JSON: '{self.message[:80]}'") from None


class VirtualHomeClient:
    """One simulator at ``host:port``. Methods raise BridgeError subclasses; ConnectionLost means that calling again later may work."""

    def __init__(self, host: str = "127.0.0.1", port: int = 8080, limits: Limits = Limits()):
        if not 1 <= port <= 65535:
            raise ValueError(f"port={port} is outside [1, 65535]")
        self.host, self.port, self.limits = host, port, limits
        self._counter = 0

    # commands -----------------------------------------------------------------------------------------------------------------

    def ping(self) -> None:
        self.post("idle", limit=self.limits.connect * 2)

    def reset(self, environment: int | None) -> None:
        """Load apartment ``environment`` (None: the one that is loaded) without characters."""
        ints = [] if environment is None else [environment]
        try:
            self.require(self.post("clear", ints, limit=self.limits.load), "clear")
            self.require(self.post("environment", ints, limit=self.limits.load), "environment",
                         f"environments are numbered from 0; {environment} may be more than this build has")
        except NotSupported:  # before 2.2 one command did both
            self.require(self.post("reset", ints, limit=self.limits.load), "reset")

    def environment_graph(self) -> dict:
        """``{"nodes": […], "edges": […]}``."""
        graph = self.require(self.post("environment_graph"), "environment_graph").json("environment_graph")
        if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), list) or not isinstance(graph.get("edges"), list):
            raise BadReply("VirtualHome's environment_graph has no 'nodes' and 'edges' lists")
        return graph

    def expand_scene(self, graph: dict, seed: int) -> None:
        config = {"randomize_execution": False, "random_seed": seed, "animate_character": False, "ignore_obstacles": False,
                  "transfer_transform": True}
        self.require(self.post("expand_scene", strings=[json.dumps(config), json.dumps(graph)], limit=self.limits.load), "expand_scene")

    def add_character(self, resource: str, room: str | None = None, position: Sequence[float] | None = None) -> None:
        """``position``: Unity metres; wins over ``room``; neither: a random place."""
        x, y, z = position if position is not None else (0.0, 0.0, 0.0)
        spec = {"character_resource": resource, "mode": "fix_position" if position is not None else "fix_room" if room else "random",
                "character_position": {"x": x, "y": y, "z": z}, "initial_room": room or "livingroom"}
        self.require(self.post("add_character", strings=[json.dumps(spec)], limit=self.limits.load), "add_character",
                     f"is '{resource}' a character of this build, and the place inside a room? Known: Chars/Female1…4, Chars/Male1…10")

    def move_character(self, index: int, position: Sequence[float]) -> None:
        x, y, z = position
        spec = {"char_index": index, "character_position": {"x": x, "y": y, "z": z}}
        self.require(self.post("move_character", strings=[json.dumps(spec)]), "move_character", "the place must be inside a room")

    def add_character_camera(self, name: str, position: Sequence[float], rotation: Sequence[float], fov: float) -> None:
        """For characters added after this. ``position`` from the character's feet, Unity metres; ``rotation`` Euler degrees; vertical ``fov``."""
        (x, y, z), (rx, ry, rz) = position, rotation
        spec = {"position": {"x": x, "y": y, "z": z}, "rotation": {"x": rx, "y": ry, "z": rz}, "field_view": fov, "camera_name": name}
        self.require(self.post("add_character_camera", strings=[json.dumps(spec)]), "add_character_camera")

    def add_camera(self) -> int:
        """A free camera at the origin; its index."""
        spec = {"position": {"x": 0.0, "y": 1.0, "z": 0.0}, "rotation": {"x": 0.0, "y": 0.0, "z": 0.0}, "field_view": 60.0}
        self.require(self.post("add_camera", strings=[json.dumps(spec)]), "add_camera")
        return self.camera_count() - 1

    def update_camera(self, index: int, position: Sequence[float], rotation: Sequence[float], fov: float) -> None:
        """``position``: Unity metres; ``rotation``: Euler degrees (x: down, y: clockwise from above); ``fov``: vertical degrees."""
        (x, y, z), (rx, ry, rz) = (map(float, position)), rotation
        spec = {"position": {"x": x, "y": y, "z": z}, "rotation": {"x": rx, "y": ry, "z": rz}, "field_view": fov}
        try:
            self.require(self.post("update_camera", [index], [json.dumps(spec)]), "update_camera")
        except NotSupported as error:
            raise NotSupported(f"{error}; update it, or use mount: character", error.command) from None

    def camera_count(self) -> int:
        return self.require(self.post("camera_count"), "camera_count").value

    def camera_data(self, indexes: Sequence[int]) -> list[dict]:
        data = self.require(self.post("camera_data", indexes), "camera_data", f"cameras {list(indexes)} were asked for").json("camera_data")
        if not isinstance(data, list) or len(data) != len(indexes):
            raise BadReply(f"VirtualHome sent camera_data of {len(data) if isinstance(data, list) else 'no'} cameras, {len(indexes)} were asked for")
        return data

    def camera_images(self, indexes: Sequence[int], mode: str, width: int, height: int) -> tuple[str, ...]:
        """Base64 of one PNG (or EXR, ``mode`` depth) per camera."""
        spec = {"mode": mode, "image_width": width, "image_height": height}
        reply = self.require(self.post("camera_image", indexes, [json.dumps(spec)]), "camera_image", f"mode '{mode}', cameras {list(indexes)}")
        if len(reply.message_list) != len(indexes):
            raise BadReply(f"VirtualHome sent {len(reply.message_list)} images for {len(indexes)} cameras")
        return reply.message_list

    def instance_colors(self) -> dict[int, tuple[float, float, float]]:
        """Node id → (r, g, b) in [0, 1]; white means that the simulator has no colour for it."""
        table = self.require(self.post("instance_colors"), "instance_colors").json("instance_colors")
        try:
            return {int(k): (float(v[0]), float(v[1]), float(v[2])) for k, v in table.items()}
        except (AttributeError, TypeError, ValueError, IndexError):
            raise BadReply("VirtualHome's instance_colors is not a table of three numbers per id") from None

    def render_script(self, lines: Sequence[str], **options) -> Reply:
        """Runs to its end. The reply is returned whether or not it succeeded: :mod:`.script` reads who failed and why."""
        params = {"find_solution": False, "randomize_execution": False, "random_seed": -1, "processing_time_limit": 10,
                  "skip_execution": False, "output_folder": "Output/", "file_name_prefix": "script", "frame_rate": 5,
                  "image_synthesis": ["normal"], "save_pose_data": False, "save_scene_states": False, "camera_mode": ["AUTO"],
                  "recording": False, "image_width": 640, "image_height": 480, "time_scale": 1.0, "skip_animation": True, **options}
        return self.post("render_script", strings=[json.dumps(params), *lines], limit=self.limits.script)

    # transport ----------------------------------------------------------------------------------------------------------------

    def require(self, reply: Reply, action: str, hint: str = "") -> Reply:
        """``reply`` if it succeeded, else BridgeError with the simulator's own words and ``hint``."""
        if reply.success:
            return reply
        tail = f" ({hint})" if hint else ""
        raise BridgeError(f"VirtualHome refused '{action}': {reply.message or 'no reason given'}{tail}")

    def post(self, action: str, ints: Sequence[int] = (), strings: Sequence[str] = (), limit: float | None = None) -> Reply:
        self._counter += 1
        id = str(self._counter)
        body = json.dumps({"id": id, "action": action, "intParams": [int(i) for i in ints], "stringParams": list(strings)}).encode()
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.limits.connect)
        try:
            status, raw = self._exchange(connection, action, body, self.limits.answer if limit is None else limit)
        finally:
            connection.close()
        return self._read(action, id, status, raw)

    def _exchange(self, connection: http.client.HTTPConnection, action: str, body: bytes, limit: float) -> tuple[int, bytes]:
        try:
            connection.connect()
        except OSError as error:
            raise ConnectionLost(f"no VirtualHome at {self.host}:{self.port} ({error.strerror or error}): start it "
                                 f"(linux_exec.x86_64 -batchmode -http-port={self.port}) or set host and port") from None
        try:
            connection.request("POST", "/", body, {"Content-Type": "application/json"})
            self._await(connection.sock, action, limit)
            connection.sock.settimeout(max(2.0, self.limits.connect))  # between two pieces of one answer
            response = connection.getresponse()
            raw = response.read(MAX_REPLY_BYTES + 1)
            if len(raw) > MAX_REPLY_BYTES:
                raise BadReply(f"VirtualHome's answer to '{action}' is larger than {MAX_REPLY_BYTES >> 20} MiB")
            if response.length:
                raise ConnectionLost(f"VirtualHome closed the connection in the middle of its answer to '{action}'")
            return response.status, raw
        except BridgeError:  # ConnectionLost is a ConnectionError, too
            raise
        except http.client.IncompleteRead:
            raise ConnectionLost(f"VirtualHome closed the connection in the middle of its answer to '{action}'") from None
        except (http.client.RemoteDisconnected, ConnectionError):
            raise ConnectionLost(f"VirtualHome at {self.host}:{self.port} hung up on '{action}': has it crashed? See its Player.log") from None
        except http.client.HTTPException as error:
            raise WrongService(f"what answers at {self.host}:{self.port} does not speak HTTP ({type(error).__name__}): "
                               "another service has this port; start VirtualHome with another -http-port=") from None
        except TimeoutError:
            raise ConnectionLost(f"VirtualHome fell silent in the middle of its answer to '{action}'") from None

    def _await(self, sock: socket.socket, action: str, limit: float) -> None:
        """Return when an answer begins. Raises ConnectionLost after ``limit`` or as soon as the port stops answering."""
        deadline = time.monotonic() + limit
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise ConnectionLost(f"VirtualHome at {self.host}:{self.port} did not answer '{action}' within {limit:g} s: is it still loading, "
                                     "or does another service have this port?")
            if select.select([sock], [], [], min(KNOCK_EVERY, left))[0]:
                return
            try:
                socket.create_connection((self.host, self.port), timeout=self.limits.connect).close()
            except OSError:
                raise ConnectionLost(f"VirtualHome at {self.host}:{self.port} stopped answering during '{action}'") from None

    def _read(self, action: str, id: str, status: int, raw: bytes) -> Reply:
        try:
            reply = orjson.loads(raw)
            if not isinstance(reply, dict) or not isinstance(reply["success"], bool):
                raise ValueError
            got = Reply(reply["success"], str(reply.get("message") or ""), int(reply.get("value") or 0), tuple(reply.get("message_list") or ()))
        except (ValueError, KeyError, TypeError, RecursionError):
            text = " ".join(raw[:60].decode("utf-8", "replace").split())
            if raw[:1] == b"{" or status != 200:
                raise WrongService(f"what answers at {self.host}:{self.port} is not VirtualHome (HTTP {status}, '{text}'): "
                                   "another service has this port; start VirtualHome with another -http-port= and set port to it") from None
            raise BadReply(f"VirtualHome's answer to '{action}' is not the JSON it should be: '{text}'") from None
        if status == 429 or status == 408:
            raise ConnectionLost(f"VirtualHome is busy with another request and gave up on '{action}' (HTTP {status})")
        if reply.get("id") not in (id, None, ""):
            raise BadReply(f"VirtualHome answered request {reply.get('id')} instead of {id}: is a second client connected?")
        if not got.success and got.message.startswith("Unknown action"):
            raise NotSupported(f"this VirtualHome does not know '{action}': it is older than the bridge expects (2.2 or later)", action)
        return got
