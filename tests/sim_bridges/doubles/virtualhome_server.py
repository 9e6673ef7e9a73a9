"""A VirtualHome that is not VirtualHome: its HTTP protocol, byte for byte, spoken about a :class:`Stage`.

Written from the protocol's description, with none of the bridge's own code: geometry is converted here by hand, so that an error in the bridge
cannot cancel itself out. ``fault`` makes it misbehave: {action: (kind, parameter)}.
"""

from __future__ import annotations

import base64
import json
import math
import re
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import OpenEXR

from household.camera import CameraModel
from household.scene_graph import ROBOT
from tests.sim_bridges.doubles.boxes import Box
from tests.sim_bridges.doubles.large import grown
from tests.sim_bridges.doubles.pictures import of_boxes, of_home
from tests.sim_bridges.doubles.stage import Stage, StageError, camera_pose

WINDOW_ASPECT = 16 / 9  # of the simulator's own window: not that of the images asked for
OLD_NAMES = {"person": "character", "lamp": "tablelamp", "wardrobe": "closet", "knife": "cutleryknife"}
LINE = re.compile(r"<char(\d+)> \[(\w+)\]((?: <\w+> \(\d+\))*)\s*$")
KNOWN = {"idle", "clear", "environment", "environment_graph", "expand_scene", "add_character", "move_character", "camera_count", "camera_data",
         "camera_image", "instance_colors", "render_script", "add_camera", "update_camera", "add_character_camera", "fast_reset", "reset"}


def unity(p):
    x, y, z = p
    return [-y, z, x]


class VirtualHomeDouble:
    """``with VirtualHomeDouble(stage) as sim: sim.port``. ``missing``: commands of which this build never heard.

    ``furnished``: pictures of a furnished home with people in it, instead of boxes. ``large``: a graph as long as a real apartment's."""

    def __init__(self, stage: Stage, missing=(), json_report: bool = False, furnished: bool = False, large: bool = False):
        self.stage, self.missing, self.json_report = stage, set(missing), json_report
        self.paint = of_home(stage.home, lambda: stage.state) if furnished else of_boxes(self._boxes)
        self.large = large
        self.fault: dict[str, tuple[str, object]] = {}
        self.log: list[str] = []
        self.port = 0
        self._server = None
        self._busy = threading.Lock()
        self._forget()

    # life ---------------------------------------------------------------------------------------------------------------------

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self) -> None:
        """On the port it had before, if any."""
        double = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                double._serve(self)

            def log_message(self, *args):
                pass

        class Server(ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True
            block_on_close = False

            def handle_error(self, request, client_address):
                pass

        self._server = Server(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        self._forget()
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _forget(self) -> None:
        self.stage.reset()
        self.characters: list[str] = []
        self.cameras: list[dict] = [{"name": "Room_Camera", "pose": camera_pose((2.0, 2.0, 2.4), 0.0, -1.2), "fov": 60.0}]
        self.character_camera: dict | None = None
        self.ids = {}
        for i, id in enumerate([*self.stage.rooms, *self.stage.furniture, *self.stage.state.things, "doorjamb", "floor", "gramophone"]):
            self.ids[id] = 11 + i * 3

    # requests -----------------------------------------------------------------------------------------------------------------

    def _serve(self, handler) -> None:
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        try:
            request = json.loads(body)
        except ValueError:
            return self._send(handler, 400, {"id": "", "success": False, "message": "Invalid request format"})
        with self._busy:
            action = request["action"]
            self.log.append(action)
            kind, parameter = self.fault.get(action, ("", None))
            if kind == "slow":
                time.sleep(parameter)
            if kind == "hang up":
                handler.close_connection = True
                return handler.connection.shutdown(2)
            reply = {"id": request["id"], "success": True, "message": "", "value": 0, "message_list": None}
            if action in self.missing or action not in KNOWN:
                reply |= {"success": False, "message": "Unknown action " + action}
            elif kind == "refuse":
                reply |= {"success": False, "message": parameter}
            else:
                try:
                    answer = getattr(self, "_" + action)(request.get("intParams") or [], request.get("stringParams") or [])
                    reply |= answer or {}
                except StageError as error:
                    reply |= {"success": False, "message": str(error)}
            if kind == "change":
                reply = parameter(reply)
        if kind == "raw":
            return self._bytes(handler, 200, parameter)
        if kind == "half":
            text = json.dumps(reply).encode()
            return self._bytes(handler, 200, text[:len(text) // 2], len(text))
        self._send(handler, parameter if kind == "status" else 200, reply)

    def _send(self, handler, status: int, reply: dict) -> None:
        self._bytes(handler, status, json.dumps(reply).encode())

    def _bytes(self, handler, status: int, data: bytes, announced: int | None = None) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data) if announced is None else announced))
        handler.end_headers()
        handler.wfile.write(data)
        if announced is not None:
            handler.wfile.flush()
            handler.connection.shutdown(2)

    # commands -----------------------------------------------------------------------------------------------------------------

    def _idle(self, ints, strings):
        return None

    def _clear(self, ints, strings):
        self._forget()

    def _environment(self, ints, strings):
        if ints and not 0 <= ints[0] < 50:
            return {"success": False, "message": "Invalid scene index"}
        self._forget()

    _reset = _environment
    _fast_reset = _clear

    def _add_character(self, ints, strings):
        spec = json.loads(strings[0])
        if not re.fullmatch(r"(Resources/)?Chars/(Fem|M)ale\d+", spec["character_resource"]):
            return {"success": False}
        actor = [*(p.id for p in self.stage.home.people), ROBOT][len(self.characters)]
        if spec["mode"] == "fix_position":
            p = spec["character_position"]
            x, y = p["z"], -p["x"]
            if not any(r.low[0] <= x <= r.high[0] and r.low[1] <= y <= r.high[1] for r in self.stage.home.rooms):
                return {"success": False}
            self.stage.body(actor).position = (x, y)
        self.characters.append(actor)
        for name in ("Top", "Front", "Left"):
            self.cameras.append({"name": f"Character_Camera_{name}", "pose": np.eye(4), "fov": 60.0})
        if self.character_camera:
            self.cameras.append({**self.character_camera, "on": actor})

    def _move_character(self, ints, strings):
        spec = json.loads(strings[0])
        p = spec["character_position"]
        self.stage.move(self.characters[spec["char_index"]], (p["z"], -p["x"]))

    def _add_camera(self, ints, strings):
        self.cameras.append(self._camera_from(json.loads(strings[0])))
        return {"message": f"New camera created. Id:{len(self.cameras) - 1}"}

    def _update_camera(self, ints, strings):
        self.cameras[ints[0]] = self._camera_from(json.loads(strings[0]))

    def _add_character_camera(self, ints, strings):
        self.character_camera = self._camera_from(json.loads(strings[0])) | {"spec": json.loads(strings[0])}

    @staticmethod
    def _camera_from(spec: dict) -> dict:
        p, r = spec["position"], spec["rotation"]
        pose = camera_pose((p["z"], -p["x"], p["y"]), -math.radians(r["y"]), -math.radians(r["x"]))
        return {"name": spec.get("camera_name", "new_camera"), "pose": pose, "fov": spec["field_view"]}

    def _camera_count(self, ints, strings):
        return {"value": len(self.cameras)}

    def _pose(self, camera: dict) -> np.ndarray:
        if "on" not in camera:
            return camera["pose"]
        body, p, r = self.stage.body(camera["on"]), camera["spec"]["position"], camera["spec"]["rotation"]
        c, s = math.cos(body.yaw), math.sin(body.yaw)
        forward, left = p["z"], -p["x"]
        at = (body.position[0] + forward * c - left * s, body.position[1] + forward * s + left * c, p["y"])
        return camera_pose(at, body.yaw - math.radians(r["y"]), -math.radians(r["x"]))

    def _camera_data(self, ints, strings):
        if any(not 0 <= i < len(self.cameras) for i in ints):
            return {"success": False, "message": "Invalid parameters"}
        out = []
        for i in ints:
            camera = self.cameras[i]
            f = 1 / math.tan(math.radians(camera["fov"]) / 2)
            near, far = 0.3, 100.0
            projection = [[f / WINDOW_ASPECT, 0, 0, 0], [0, f, 0, 0],
                          [0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)], [0, 0, -1, 0]]
            pose = self._pose(camera)
            right, down, ahead, at = (np.array(unity(v)) for v in (pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3]))
            rows = np.stack([right, -down, -ahead])  # Unity's camera space: x right, y up, looking along −z
            view = np.eye(4)
            view[:3, :3], view[:3, 3] = rows, -rows @ at
            out.append({"index": i, "name": camera["name"], "aspect": WINDOW_ASPECT,
                        "projection_matrix": [projection[r][c] for c in range(4) for r in range(4)],
                        "world_to_camera_matrix": [float(view[r, c]) for c in range(4) for r in range(4)]})
        return {"message": json.dumps(out)}

    def picture(self, index: int, mode: str, width: int, height: int) -> bytes:
        camera = self.cameras[index]
        f = height / 2 / math.tan(math.radians(camera["fov"]) / 2)
        model = CameraModel(width, height, f, f, (width - 1) / 2, (height - 1) / 2)
        seen = self.paint(model, self._pose(camera))
        if mode == "depth":
            return exr(seen.depth)
        color = seen.color
        if mode == "seg_inst":
            exact = seen.in_colors(self._color, (255, 255, 255)).astype(int)
            color = np.clip(exact + np.array([1, 0, -1]), 0, 255).astype(np.uint8)  # off by one, as rounding may leave it
        return cv2.imencode(".png", color[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()

    def _boxes(self) -> list[Box]:
        return [b for b in self.stage.boxes(ROBOT) if b.entity in self.ids or b.entity in self.characters or not b.entity]

    def _camera_image(self, ints, strings):
        spec = json.loads(strings[0])
        if any(not 0 <= i < len(self.cameras) for i in ints):
            return {"success": False, "message": "Invalid parameters"}
        if spec["mode"] not in ("normal", "seg_inst", "seg_class", "depth", "flow"):
            return {"success": False, "message": "The current camera mode does not exist"}
        w, h = spec["image_width"], spec["image_height"]
        kind, parameter = self.fault.get("camera_image", ("", None))
        if kind == "size":
            w, h = parameter
        return {"message_list": [base64.b64encode(self.picture(i, spec["mode"], w, h)).decode() for i in ints]}

    def node(self, entity: str) -> int:
        return self.characters.index(entity) + 1 if entity in self.characters else self.ids[entity]

    def _color(self, entity: str) -> tuple[int, int, int]:
        if entity not in self.ids and entity not in self.characters:
            return 0, 0, 0
        n = self.node(entity)
        return (37 * n) % 240 + 5, (91 * n) % 240 + 5, (151 * n) % 240 + 5

    def _instance_colors(self, ints, strings):
        table = {self.node(e): [c / 255 for c in self._color(e)] for e in (*self.ids, *self.characters)}
        table[self.ids["gramophone"]] = [1.0, 1.0, 1.0]
        return {"message": json.dumps(table)}

    # graph --------------------------------------------------------------------------------------------------------------------

    def _environment_graph(self, ints, strings):
        graph = {"nodes": self._nodes(), "edges": self._edges()}
        return {"message": json.dumps(grown(graph) if self.large else graph)}

    def _nodes(self) -> list[dict]:
        stage, state, nodes = self.stage, self.stage.state, []

        def add(id, name, category, corners, yaw=None, properties=(), states=(), at=None):
            low, high = np.min(corners, axis=0), np.max(corners, axis=0)
            a, b = np.array(unity(low)), np.array(unity(high))
            quaternion = [0.0, math.sin(-(yaw or 0.0) / 2), 0.0, math.cos(-(yaw or 0.0) / 2)]
            nodes.append({"id": id, "category": category, "class_name": name, "prefab_name": f"PRE_{name}_01",
                          "obj_transform": {"position": unity(at if at is not None else (low + high) / 2), "rotation": quaternion},
                          "bounding_box": {"center": ((a + b) / 2).tolist(), "size": np.abs(b - a).tolist()},
                          "properties": list(properties), "states": list(states)})

        for i, actor in enumerate(self.characters):
            body = stage.body(actor)
            box = Box(actor, (*body.position, 0.85), (0.36, 0.46, 1.7), body.yaw)
            add(i + 1, "character", "Characters", box.corners(), body.yaw, at=(*body.position, 0.0))
        for room in stage.home.rooms:
            corners = [(*room.low, 0.0), (*room.high, stage.home.wall_height)]
            add(self.ids[room.id], room.cls, "Rooms", corners)
        for f in stage.home.furniture:
            box = Box(f.id, stage.position(f.id), (f.size[1], f.size[0], f.size[2]), f.yaw)
            properties, states = [], []
            if f.id in state.openness:
                properties.append("CAN_OPEN")
                states.append("OPEN" if state.openness[f.id] > 0.5 else "CLOSED")
            if f.id in state.switched_on:
                properties.append("HAS_SWITCH")
                states.append("ON" if state.switched_on[f.id] else "OFF")
            add(self.ids[f.id], OLD_NAMES.get(f.cls, f.cls), "Furniture", box.corners(), f.yaw, properties, states)
        for id, thing in state.things.items():
            sx, sy, sz = stage.thing_size(id)
            add(self.ids[id], OLD_NAMES.get(stage.cls(id), stage.cls(id)), "Props", Box(id, thing.position, (sy, sx, sz), thing.yaw).corners(), thing.yaw,
                ["GRABBABLE", "MOVABLE"])
        door = stage.home.doorways[0]
        jamb = Box("", (*door.center, 1.02), (0.12, door.width, 2.05), door.yaw)
        add(self.ids["doorjamb"], "doorjamb", "Doors", jamb.corners(), door.yaw)
        add(self.ids["floor"], "floor", "Floor", [(0, 0, -0.1), (9, 4, 0)])
        add(self.ids["gramophone"], "gramophone", "Props", [(8.0, 3.0, 0.0), (8.4, 3.4, 0.5)])
        return nodes

    def _edges(self) -> list[dict]:
        stage, state, edges = self.stage, self.stage.state, []

        def add(a, relation, b):
            edges.append({"from_id": self.node(a), "to_id": self.node(b), "relation_type": relation})

        for id in (*stage.furniture, *state.things, *self.characters):
            add(id, "INSIDE", stage.room_of(id))
        for id, thing in state.things.items():
            if thing.at in stage.furniture:
                add(id, "INSIDE" if thing.at in state.openness else "ON", thing.at)
            elif thing.at in self.characters:
                add(thing.at, "HOLDS_RH" if thing.hand == "right" else "HOLDS_LH", id)
        for actor in self.characters:
            for id in (*stage.furniture, *state.things):
                if stage.reachable(actor, id, 1.5):
                    add(actor, "CLOSE", id)
                    add(id, "CLOSE", actor)
        for room in stage.home.doorways[0].rooms:
            add("doorjamb", "BETWEEN", room)
        return edges

    def _expand_scene(self, ints, strings):
        graph = json.loads(strings[1])
        entity = {v: k for k, v in self.ids.items()}
        for edge in graph["edges"]:
            thing, place = entity.get(edge["from_id"]), entity.get(edge["to_id"])
            if thing in self.stage.state.things and place in self.stage.furniture and edge["relation_type"] in ("ON", "INSIDE"):
                self.stage.state.things[thing].at = place
                self.stage._settle(thing)
        return {"message": json.dumps({})}

    # scripts ------------------------------------------------------------------------------------------------------------------

    def _render_script(self, ints, strings):
        options, lines = json.loads(strings[0]), strings[1:]
        if not self.characters:
            return {"success": False, "message": "No character added yet!"}
        failed: dict[int, str] = {}
        for line in lines:
            for part in line.split("|"):
                match = LINE.match(part.strip())
                if not match or int(match[1]) >= len(self.characters):
                    return {"success": False, "message": f"Error parsing script: {part}"}
                index = int(match[1])
                if index in failed:
                    continue
                try:
                    self._perform(self.characters[index], match[2].lower(), [int(n) for n in re.findall(r"\((\d+)\)", match[3])])
                except StageError as error:
                    failed[index] = str(error)
        if options.get("recording"):
            self._record(options)
        if self.json_report:
            report = {str(i): {"message": failed.get(i, "Success")} for i in range(len(self.characters))}
            return {"success": len(failed) < len(self.characters), "message": json.dumps(report)}
        return {"success": len(failed) < len(self.characters), "message": "".join(f"ScriptExcutor {i}: {m} \n" for i, m in failed.items())}

    def _perform(self, actor: str, verb: str, nodes: list[int]) -> None:
        stage = self.stage
        names = {self.node(e): e for e in (*self.ids, *self.characters)}
        try:
            args = [names[n] for n in nodes]
        except KeyError as error:
            raise StageError(f"object {error} not found") from None
        if verb in ("walk", "run", "find"):
            stage.walk(actor, args[0])
        elif verb == "walktowards":
            stage.stride(actor, args[0])
        elif verb in ("lookat", "turnto"):
            stage.turn(actor, args[0])
        elif verb == "grab":
            stage.grab(actor, args[0])
        elif verb in ("put", "putback", "putin"):
            stage.put(actor, args[0], args[1], verb == "putin")
        elif verb in ("open", "close"):
            stage.open(actor, args[0], 1.0 if verb == "open" else 0.0)
        elif verb in ("switchon", "switchoff"):
            stage.switch(actor, args[0], verb == "switchon")
        elif verb in ("turnleft", "turnright"):
            stage.body(actor).yaw += math.radians(30 if verb == "turnleft" else -30)
        elif verb not in ("standup", "sit", "touch", "drink", "walkforward"):
            raise StageError(f"{verb} not supported")

    def _record(self, options: dict) -> None:
        folder = Path(options["output_folder"]) / options["file_name_prefix"] / "0"
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(2):
            for mode in options["image_synthesis"]:
                for cam, index in enumerate(options["camera_mode"]):
                    data = self.picture(int(index), mode, options["image_width"], options["image_height"])
                    (folder / f"Action_{number:04d}_{cam}_{mode}.{'exr' if mode == 'depth' else 'png'}").write_bytes(data)


def exr(depth: np.ndarray) -> bytes:
    """float32 (H, W) metres → half-float RGBA EXR, zip, as Unity's EncodeToEXR makes it."""
    half = np.minimum(depth, 100.0).astype(np.float16)
    with tempfile.NamedTemporaryFile(suffix=".exr") as file:
        header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
        OpenEXR.File(header, {"R": half, "G": half, "B": half, "A": np.ones_like(half)}).write(file.name)
        return Path(file.name).read_bytes()
