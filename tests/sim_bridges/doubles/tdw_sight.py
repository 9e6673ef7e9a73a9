"""The eye of the ThreeDWorld double: its camera's matrices, and the passes colour, id and depth as the wire carries them.

What it sees is painted either from boxes of the models' sizes or, for stories that are to be understood, by the embedded renderer in a furnished home
(:func:`in_home`), in which the build's objects and Replicants are recognised by where they stood at first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from household import classes
from household.camera import CameraModel
from household.scene_graph import ROBOT
from sim_bridges.embedded import figures_pose
from sim_bridges.embedded.model import Home, PersonState, ThingState, WorldState
from tests.sim_bridges.doubles import tdw_wire as wire
from tests.sim_bridges.doubles.boxes import Box
from tests.sim_bridges.doubles.pictures import Painter, Picture, of_boxes, of_home
from tests.sim_bridges.doubles.tdw_bodies import WIDE_OPEN, to_map

if TYPE_CHECKING:
    from tests.sim_bridges.doubles.tdw_build import TdwBuildDouble

NEAR, FAR = 0.1, 100.0
STRIDE = 1.3  # metres a full cycle of the legs takes
IMG, ID, DEPTH = ("_img", 1), ("_id", 2), ("_depth", 16)  # pass and its code


class Eye:
    """One camera. ``at`` and ``angles`` (pitch, yaw; degrees) in Unity; ``fov`` vertical, degrees; ``size`` (width, height)."""

    def __init__(self, paint: Painter, origin: tuple[float, float]):
        self.paint, self.origin = paint, origin
        self.size, self.fov, self.at, self.angles, self.masks = (256, 256), 54.4, np.zeros(3), (0.0, 0.0), []

    def view(self) -> tuple[np.ndarray, float]:
        """World to OpenGL camera (4, 4), and focal length over half the height."""
        pitch, yaw = (math.radians(a) for a in self.angles)
        ahead = np.array([math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)])
        right = np.array([math.cos(yaw), 0.0, -math.sin(yaw)])
        up = np.cross(ahead, right)
        view = np.eye(4)
        view[:3, :3] = [right, up, -ahead]
        view[:3, 3] = -view[:3, :3] @ self.at
        return view, 1 / math.tan(math.radians(self.fov) / 2)

    def matrices(self, mirrored: bool) -> bytes:
        view, f = self.view()
        if mirrored:
            view = np.diag([-1.0, 1.0, 1.0, 1.0]) @ view
        projection = np.array([[f * self.size[1] / self.size[0], 0, 0, 0], [0, f, 0, 0],
                               [0, 0, -(FAR + NEAR) / (FAR - NEAR), -2 * FAR * NEAR / (FAR - NEAR)], [0, 0, -1, 0]])
        return wire.camera_matrices("heed", projection, view)

    def picture(self) -> Picture:
        width, height = self.size
        view, f = self.view()
        pose = np.eye(4)
        gl = np.linalg.inv(view)
        for column, sign in ((0, 1), (1, -1), (2, -1)):
            pose[:3, column] = np.array(to_map(gl[:3, column])) * sign
        pose[:3, 3] = np.add(to_map(self.at), (*self.origin, 0.0))
        focal = f * height / 2
        return self.paint(CameraModel(width, height, focal, focal, (width - 1) / 2, (height - 1) / 2), pose)

    def images(self, color_of) -> bytes:
        """``color_of``: object id → its colour in the id pass."""
        seen, passes = self.picture(), []
        for name, code in (IMG, ID, DEPTH):
            if name not in self.masks:
                continue
            if name == DEPTH[0]:
                passes.append((code, _packed(seen.depth)))
            else:
                picture = seen.color if name == IMG[0] else seen.in_colors(lambda n: color_of(int(n)) if n else (0, 0, 0), (0, 0, 0))
                passes.append((code, cv2.imencode(".png", picture[:, :, ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()))
        return wire.images("heed", *self.size, passes)


def _packed(depth: np.ndarray) -> bytes:
    """Three bytes a pixel, bottom row first."""
    value = np.minimum(np.minimum(depth, FAR - 0.001) * 256 / (FAR - NEAR), 255.99)
    whole = np.floor(value)
    rest = (value - whole) * 256
    return np.stack([whole, np.floor(rest), np.floor((rest - np.floor(rest)) * 256)], axis=2).astype(np.uint8)[::-1].tobytes()


def in_boxes(build: "TdwBuildDouble") -> Painter:
    """Models as boxes of their library's size; a wide open one is a shell without its front."""
    return of_boxes(lambda: _boxes(build))


def _boxes(build: "TdwBuildDouble") -> list[Box]:
    out = [Box("", (0.0, 0.0, -0.05), (40.0, 40.0, 0.1), 0.0, (150, 130, 110))]
    shift = (*build.origin, 0.0)
    for number, t in build.things.items():
        yaw = -math.radians(t.yaw)
        w, h, d = t.size
        x, y, z = np.add(to_map(t.position + (0, h / 2, 0)), shift)
        color = tuple(int(c) for c in np.array(build.color(number)) * 0.6 + 60)
        if not t.composite or t.angle < 30:
            out.append(Box(str(number), (x, y, z), (d, w, h), yaw, color))
            continue
        c, s, thick = math.cos(yaw), math.sin(yaw), 0.03
        for fx, fy, fz, size in ((-d / 2, 0, 0, (thick, w, h)), (0, w / 2, 0, (d, thick, h)), (0, -w / 2, 0, (d, thick, h)),
                                 (0, 0, -h / 2, (d, w, thick)), (0, 0, h / 2, (d, w, thick))):
            out.append(Box(str(number), (x + c * fx - s * fy, y + s * fx + c * fy, z + fz), size, yaw, color))
    for number, p in build.people.items():
        x, y, z = np.add(to_map(p.position), shift)
        out.append(Box(str(number), (x, y, z + 0.86), (0.36, 0.46, 1.72), -math.radians(p.yaw), (40, 90, 200)))
    return out


def in_home(build: "TdwBuildDouble", home: Home) -> Painter:
    """The build's state in the rooms of ``home``, furnished. The scene must be that home's."""
    whose: dict[str, int] = {}  # entity → object id; learnt when the first picture is taken
    paint = of_home(home, lambda: _state(build, home, whose))

    def painted(camera: CameraModel, pose: np.ndarray) -> Picture:
        if not set(whose.values()) <= {*build.things, *build.people} or not whose:
            whose.clear()
            whose.update(_recognised(build, home))
        seen = paint(camera, pose)
        return Picture(seen.color, seen.depth, seen.index, tuple(str(whose[n]) if n in whose else "" for n in seen.names))

    return painted


def _recognised(build: "TdwBuildDouble", home: Home) -> dict[str, int]:
    def nearest(bodies, at) -> int:
        return min(bodies, key=lambda n: math.dist(np.add(to_map(bodies[n].position)[:2], build.origin), at[:2]))

    large = {n: t for n, t in build.things.items() if max(t.size) > 0.3}
    small = {n: t for n, t in build.things.items() if max(t.size) <= 0.3}
    place = {f.id: f.position for f in home.furniture}
    return {**{f.id: nearest(large, f.position) for f in home.furniture}, **{t.id: nearest(small, place[t.at]) for t in home.things},
            **{p.id: nearest(build.people, p.position) for p in home.people}}


def _state(build: "TdwBuildDouble", home: Home, whose: dict[str, int]) -> WorldState:
    def place(p) -> tuple[float, float, float]:
        return tuple(float(c) for c in np.add(to_map(p), (*build.origin, 0.0)))

    state = WorldState(0.0)
    for f in home.furniture:
        if classes.get(f.cls).opens:
            state.openness[f.id] = build.things[whose[f.id]].angle / WIDE_OPEN
    for person in home.people:
        p = build.people[whose[person.id]]
        yaw = -math.radians(p.yaw)
        state.people[person.id] = PersonState(place(p.position)[:2], yaw, yaw, gait=2 * math.pi * p.walked / STRIDE, walking=p.walking != 0,
                                              reach_to=None if p.reaches is None else place(p.reaches))
    holders = {n: (e, arm) for e, number in whose.items() if number in build.people for arm, n in build.people[number].held.items()}
    for thing in home.things:
        t = build.things[whose[thing.id]]
        who, arm = holders.get(whose[thing.id], ("", None))
        at = place(t.position + (0, t.size[1] / 2, 0))
        if who:
            at = figures_pose.hand_position(next(p for p in home.people if p.id == who), state.people[who], arm)
        carried = next((n for n, p in build.people.items() if whose[thing.id] in p.held.values()), None)
        state.things[thing.id] = ThingState(at, -math.radians(t.yaw), who or (ROBOT if carried is not None else thing.at), arm)
    return state
