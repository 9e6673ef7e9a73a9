"""A ThreeDWorld build that is not one: the REQ side of the wire, which speaks first, moves Replicants frame by frame and answers in FlatBuffers.

It knows nothing but the commands it gets: models become boxes of their library's size, joints turn, Replicants walk, reach, grasp and drop.
Written in Unity's coordinates from the protocol's description, with none of the bridge's code. ``faults``: frame kind → what to do instead.
"""

from __future__ import annotations

import json
import math
import struct
import threading
import time

import numpy as np
import zmq
from tdw.replicant.replicant_body_part import ABLE_BODIED_BODY_PARTS, ReplicantBodyPart

from sim_bridges.embedded.model import Home
from tests.sim_bridges.doubles import tdw_wire as wire
from tests.sim_bridges.doubles.tdw_bodies import SPEED, WIDE_OPEN, Person, Thing, heading, quaternion, to_map
from tests.sim_bridges.doubles.tdw_sight import Eye, in_boxes, in_home

REACH = 0.25  # s: a Replicant's arm is there
IGNORED = {"set_error_handling", "create_exterior_walls", "set_kinematic_state", "make_nav_mesh_obstacle", "set_img_pass_encoding",
           "add_replicant_rigidbody", "set_rigidbody_constraints", "attach_empty_object", "replicant_step", "enable_image_sensor",
           "parent_avatar_to_replicant", "add_humanoid_animation", "replicant_resolve_collider_intersections", "enable_nav_mesh_obstacle",
           "ignore_collisions", "set_spring_force", "set_motor_force", "send_containment", "replicant_reset_head", "replicant_look_at_position",
           "replicant_rotate_head_by", "send_overlap_box", "set_object_collision_detection_mode", "terminate"}


class TdwBuildDouble:
    """``with TdwBuildDouble(port) as build``. ``rooms``: [(low, high)] and ``doors`` [centre], in the map, for its NavMesh.

    ``home``: the scene as a home of the embedded world: pictures are then of that home, furnished, instead of boxes."""

    def __init__(self, port: int, rooms, doors, origin=(0.0, 0.0), joint: str = "springs", dt: float = 0.02, home: Home | None = None):
        self.port, self.joint, self.dt = port, joint, dt
        self.rooms, self.doors, self.origin = rooms, doors, origin
        self.faults: dict[str, object] = {}
        self.unknown: set[str] = set()
        self.frames, self.patience = 0, 1000.0
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._paint = in_boxes(self) if home is None else in_home(self, home)
        self._forget()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self) -> None:
        self._stop.clear()
        self._forget()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Dies at once, in the middle of whatever it is doing."""
        self._stop.set()
        if self._thread:
            self._thread.join(5)

    def _forget(self) -> None:
        self.things: dict[int, Thing] = {}
        self.people: dict[int, Person] = {}
        self.eye, self.avatar = Eye(self._paint, self.origin), None
        self.always: set[str] = set()
        self.baked = False

    def _set_socket_timeout(self, c):
        self.patience = c["timeout"] * c["max_retries"] / 1000

    def _run(self) -> None:
        context = zmq.Context()
        socket = self._connected(context, [b"ready"])
        spoke = time.monotonic()
        try:
            while not self._stop.is_set():
                if not socket.poll(20):
                    if time.monotonic() - spoke > self.patience:  # a controller that left: a new socket, and "failed to receive"
                        socket.close(linger=0)
                        socket = self._connected(context, [b"\0\0\0\0ftre", struct.pack("<i", self.frames)])
                        spoke = time.monotonic()
                    continue
                commands = json.loads(socket.recv_multipart()[0])
                reply = self._answer(commands)
                if reply is not None and not self._stop.is_set():
                    socket.send_multipart(reply)
                    spoke = time.monotonic()
                if any(c["$type"] == "terminate" for c in commands):
                    break
        finally:
            socket.close(linger=0)
            context.term()

    def _connected(self, context, first: list[bytes]):
        socket = context.socket(zmq.REQ)
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(f"tcp://127.0.0.1:{self.port}")
        socket.send_multipart(first)
        return socket

    def _answer(self, commands: list[dict]) -> list[bytes] | None:
        if "slow" in self.faults:
            self._stop.wait(self.faults.pop("slow"))
        if "never" in self.faults:
            self._stop.wait(60)
            return None
        count = struct.pack("<i", self.frames)
        if "ftre" in self.faults:
            self.faults["ftre"] -= 1
            if not self.faults["ftre"]:
                del self.faults["ftre"]
            return [b"\0\0\0\0ftre", count]
        if "raw" in self.faults:
            return self.faults.pop("raw")
        if "quit" in self.faults:
            return [wire.quit_signal(False), count]
        self.frames += 1
        self.once: set[str] = set()
        self.paths: list[bytes] = []
        for p in self.people.values():
            p.status = 0
        for command in commands:
            name = command["$type"]
            if name.startswith("send_") and name not in ("send_nav_mesh_path", "send_containment", "send_overlap_box"):
                (self.always if command.get("frequency") == "always" else self.once).add(name)
            elif handler := getattr(self, "_" + name, None):
                handler(command)
            elif name not in IGNORED:
                self.unknown.add(name)
        self._physics()
        parts = self._output()
        if "garble" in self.faults:
            kind = self.faults["garble"].encode()
            parts = [p[:8] + b"\xff" * (len(p) - 8) if p[4:8] == kind else p for p in parts]
        return [*parts, count]

    # commands -----------------------------------------------------------------------------------------------------------------

    def _load_scene(self, c):
        self._forget()

    _add_scene = _load_scene

    def _set_screen_size(self, c):
        self.eye.size = (c["width"], c["height"]) if "size" not in self.faults else self.faults["size"]

    def _set_target_framerate(self, c):
        pass

    def _add_object(self, c):
        self.things[c["id"]] = Thing(c)
        scale = c["scale_factor"]
        assert isinstance(scale, (int, float))

    def _rotate_object_to_euler_angles(self, c):
        self.things[c["id"]].yaw = c["euler_angles"]["y"]

    def _scale_object(self, c):
        self.things[c["id"]].size *= [c["scale_factor"][a] for a in "xyz"]

    def _teleport_object(self, c):
        self.things[c["id"]].position = np.array([c["position"][a] for a in "xyz"], float)

    def _bake_nav_mesh(self, c):
        self.baked = True

    def _create_avatar(self, c):
        self.avatar = c["id"] if c["id"] == "heed" else self.avatar

    def _set_pass_masks(self, c):
        if c["avatar_id"] == "heed":
            self.eye.masks = c["pass_masks"]

    def _set_field_of_view(self, c):
        self.eye.fov = c["field_of_view"]

    def _teleport_avatar_to(self, c):
        self.eye.at = np.array([c["position"][a] for a in "xyz"], float)

    def _rotate_avatar_to_euler_angles(self, c):
        self.eye.angles = c["euler_angles"]["x"], c["euler_angles"]["y"]

    def _add_replicant(self, c):
        self.people[c["id"]] = Person(c)

    def _rotate_object_by(self, c):
        self.people[c["id"]].yaw += c["angle"]

    def _object_look_at_position(self, c):
        p, t = self.people[c["id"]], c["position"]
        p.yaw = math.degrees(math.atan2(t["x"] - p.position[0], t["z"] - p.position[2]))

    def _play_replicant_animation(self, c):
        if c["name"].startswith("walk"):
            self.people[c["id"]].walking = SPEED if c["forward"] else -SPEED

    def _stop_replicant_animation(self, c):
        self.people[c["id"]].walking = 0.0

    def _reach(self, c, target):
        person = self.people[c["id"]]
        shoulder = person.position + (0, 1.3, 0)
        distance = float(np.linalg.norm(target - shoulder))
        forced = self.faults.pop("reach", None)
        if forced is not None:
            person.ik = (2, forced)
        elif distance > c["max_distance"]:
            person.ik = (0, 5)
        else:
            person.ik, person.reaches = (max(2, round(REACH / self.dt)), 2 if distance < 1.7 else 6), np.array(target)

    def _replicant_reach_for_position(self, c):
        self._reach(c, np.array([c["position"][a] for a in "xyz"], float))

    def _replicant_reach_for_object(self, c):
        self._reach(c, self.things[c["object_id"]].sides()[6])

    def _replicant_reset_arm(self, c):
        if c.get("set_status", True):
            self.people[c["id"]].ik = (2, 2)

    def _replicant_look_at_object(self, c):
        self.people[c["id"]].ik = (2, 2)

    _replicant_look_at_position = _replicant_rotate_head_by = _replicant_look_at_object

    def _replicant_grasp_object(self, c):
        person = self.people[c["id"]]
        for other in self.people.values():
            other.held = {k: v for k, v in other.held.items() if v != c["object_id"]}
        person.held[c["arm"]] = c["object_id"]

    def _replicant_drop_object(self, c):
        self.people[c["id"]].held.pop(c["arm"], None)

    def _of_joint(self, number: int) -> Thing:
        return self.things[number - 10000]

    def _set_spring_target_position(self, c):
        self._of_joint(c["id"]).target = c["target_position"]

    def _set_motor_target_velocity(self, c):
        self._of_joint(c["id"]).velocity = c["target_velocity"]

    def _apply_torque_to_object(self, c):
        self._of_joint(c["id"]).torque = c["torque"]["y"]

    def _send_nav_mesh_path(self, c):
        a, b = (np.array([c[k][x] for x in "xyz"], float) for k in ("origin", "destination"))
        rooms = [self._room(p) for p in (a, b)]
        if not self.baked or None in rooms:
            return self.paths.append(wire.path(c["id"], np.zeros((0, 3)), 4))
        doors = [] if rooms[0] == rooms[1] else [np.array([-(d[1] - self.origin[1]), 0.0, d[0] - self.origin[0]]) for d in self.doors]
        self.paths.append(wire.path(c["id"], np.array([a, *doors, b]), 1))

    def _room(self, p) -> int | None:
        x, y, _ = to_map(p)
        x, y = x + self.origin[0], y + self.origin[1]
        return next((i for i, (low, high) in enumerate(self.rooms) if low[0] <= x <= high[0] and low[1] <= y <= high[1]), None)

    # physics ------------------------------------------------------------------------------------------------------------------

    def _physics(self) -> None:
        for p in self.people.values():
            p.step(self.dt)
            for arm, number in p.held.items():
                thing = self.things[number]
                thing.position, thing.yaw = p.hand(arm) - (0, thing.size[1] / 2, 0), p.yaw
        for t in self.things.values():
            t.swing(self.dt)

    # output -------------------------------------------------------------------------------------------------------------------

    def _output(self) -> list[bytes]:
        wanted, parts = self.always | self.once, list(self.paths)
        things, people = self.things, self.people
        if "send_transforms" in wanted:
            yaws = [*(t.yaw for t in things.values()), *(p.yaw for p in people.values())]
            parts.append(wire.transforms([*things, *people], [*(t.position for t in things.values()), *(p.position for p in people.values())],
                                         [quaternion(y) for y in yaws], [heading(y) for y in yaws]))
        if "send_bounds" in wanted and things:
            parts.append(wire.bounds(list(things), np.array([t.sides() for t in things.values()])))
        if "send_replicants" in wanted and people:
            parts.append(self._replicants())
        if "send_framerate" in wanted:
            parts.append(wire.framerate(self.dt))
        if "send_static_rigidbodies" in wanted:
            parts.append(wire.static_rigidbodies(list(things), [False] * len(things)))
        composites = {n: t for n, t in things.items() if t.composite}
        if "send_static_composite_objects" in wanted:
            parts.append(wire.static_composites({n: (self.joint, n + 10000, 0.0, WIDE_OPEN) for n in composites}))
        if "send_dynamic_composite_objects" in wanted:
            parts.append(wire.dynamic_composites([[n, n + 10000] for n in composites], [[t.angle, 0.0] for t in composites.values()]))
        if "send_segmentation_colors" in wanted:
            parts.append(wire.segmentation_colors(list(things), [t.name for t in things.values()], [self.color(n) for n in things]))
        if "send_replicant_segmentation_colors" in wanted:
            parts.append(wire.replicant_colors(list(people), [self.color(n) for n in people]))
        if "send_camera_matrices" in wanted and self.avatar:
            parts.append(self.eye.matrices("mirror" in self.faults))
        if "send_images" in wanted and self.avatar:
            parts.append(self.eye.images(self.color))
        return parts

    @staticmethod
    def color(number: int) -> tuple[int, int, int]:
        return (37 * number) % 241 + 5, (91 * number) % 239 + 5, (151 * number) % 229 + 5

    def _replicants(self) -> bytes:
        count = len(ABLE_BODIED_BODY_PARTS) + 1
        ids, positions, rotations, forwards, held = [], [], [], [], []
        for number, p in self.people.items():
            ids.append([number, *(number * 1000 + 1 + k for k in range(count - 1))])
            places = [p.hand("left") if part is ReplicantBodyPart.hand_l else p.hand("right") if part is ReplicantBodyPart.hand_r
                      else p.position + (0, 1.0, 0) for part in ABLE_BODIED_BODY_PARTS]
            positions.append([p.position, *places])
            rotations.append([quaternion(p.yaw)] * count)
            forwards.append([heading(p.yaw)] * count)
            held.append([[int(arm in p.held), p.held.get(arm, 0)] for arm in ("left", "right")])
        return wire.replicants(count, ids, positions, rotations, forwards, held, [p.status for p in self.people.values()])


def wait_for(condition, seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the double did not get there")
        time.sleep(0.01)
