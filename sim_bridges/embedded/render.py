"""The renderer: a home and its state → colour, depth and instance ids of a pinhole camera, on the CPU.

Rays are cast with Embree; everything after the hit is array arithmetic over all pixels. The picture is a pure
function of (home, seed, state, camera, pose): what is kept between frames (batches of triangles, the last view of
what does not move) only saves work. Instance 0 is walls, floors, ceilings and nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sim_bridges.contract import CameraModel, InstanceInfo
from sim_bridges.embedded import assets as asset_sources
from sim_bridges.embedded import render_light, render_rooms
from sim_bridges.embedded.assets import AssetSource
from sim_bridges.embedded.meshes import Model
from sim_bridges.embedded.model import Home, RobotSpec, RobotState, WorldState
from sim_bridges.embedded.render_pieces import Eye, Stage
from sim_bridges.embedded.render_scene import FAR, Batch, Surface, screen_mask

_STEEP = math.radians(64)  # of an overview's line of sight
_SHADOW_STEP = 2
_NOTHING = 0.9  # the brightness of where there is nothing
_LAYERS = 8  # of glass looked through
_THROUGH = np.float32(0.0015)  # metres past a pane where the ray goes on


def camera_pose_of(robot: RobotState, spec: RobotSpec) -> np.ndarray:
    """Optical → map, float64 (4, 4): the camera above the robot's centre, turned by body and head yaw and by head
    pitch (negative: down).
    """
    yaw, pitch = robot.yaw + robot.head_yaw, robot.head_pitch
    forward = np.array([math.cos(yaw) * math.cos(pitch), math.sin(yaw) * math.cos(pitch), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2] = right, np.cross(forward, right), forward
    pose[:3, 3] = (*robot.position, spec.camera_height)
    return pose


def _above(home: Home, camera: CameraModel) -> np.ndarray:
    """Optical → map, (4, 4): from the south, steeply down, as near as the whole home still fits."""
    low, high = np.min([r.low for r in home.rooms], axis=0), np.max([r.high for r in home.rooms], axis=0)
    corners = np.array([(x, y, z, 1.0) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0.0, home.wall_height)])
    aim = np.array([*(low + high) / 2, 0.0])
    for distance in np.arange(6.0, 80.0, 0.5):
        forward = np.array([0.0, math.cos(_STEEP), -math.sin(_STEEP)])
        eye = RobotState((float(aim[0]), float(aim[1] - distance * math.cos(_STEEP))), math.pi / 2, 0.0, -_STEEP)
        pose = camera_pose_of(eye, RobotSpec((0, 0), 0.0, camera_height=float(-distance * forward[2])))
        x, y, z, _ = np.linalg.inv(pose) @ corners.T
        u, v = camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy
        if u.min() > 4 and u.max() < camera.width - 4 and v.min() > 4 and v.max() < camera.height - 4:
            break
    return pose


@lru_cache(maxsize=4)
def _local_rays(camera: CameraModel) -> np.ndarray:
    """Optical-frame rays with z = 1, float32 (3, n)."""
    u, v = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    return np.stack([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy,
                     np.ones_like(u, float)]).reshape(3, -1).astype(np.float32)


@dataclass(frozen=True)
class _View:
    """Rays of one camera pose: ``rays`` float32 (n, 3) in map with unit optical z, so that hit distances are planar
    depths.
    """

    camera: CameraModel
    pose: np.ndarray
    origin: np.ndarray
    rays: np.ndarray
    rows: np.ndarray  # the same rays, (3, n)
    inverse: np.ndarray  # map → optical, (4, 4)

    @classmethod
    def of(cls, camera: CameraModel, pose: np.ndarray) -> "_View":
        local, turn = _local_rays(camera), pose[:3, :3].astype(np.float32)
        rows = turn @ local
        rays = np.ascontiguousarray(rows.T)
        origin = np.empty_like(rays)
        origin[:] = pose[:3, 3]
        return cls(camera, pose, origin, rays, rows, np.linalg.inv(pose))

    def mask(self, batch: Batch) -> np.ndarray:
        c = self.camera
        return np.flatnonzero(screen_mask(batch.boxes, self.inverse, c.width, c.height, c.fx, c.fy, c.cx, c.cy))


@dataclass(frozen=True)
class _Still:
    """The last view of what does not move: its surface, which coarse pixels see their lamp, and which rooms show."""

    view: _View
    batches: tuple[Batch, ...]
    surface: Surface
    lamp_seen: np.ndarray | None
    rooms: frozenset[int]  # of which anything is in view


class Renderer:
    """Draws one home. ``seed`` varies textures; ``split`` picks which exemplars of each class are drawn ("train" or
    "test"); ``assets`` None: the installed collections, plain shapes where there are none; ``vary``: (class, model) → the
    model to draw in its place. One instance serves one thread.

    ``instances``: instance number → entity and class, the same for the life of the renderer.
    """

    def __init__(self, home: Home, *, seed: int = 0, shadows: bool = True, assets: AssetSource | None = None,
                 split: str = "train", vary: Callable[[str, Model], Model] | None = None):
        self.home, self.shadows, self.split, self.seed = home, shadows, split, seed
        self._stage = Stage(home, asset_sources.installed() if assets is None else assets, seed=seed, split=split, vary=vary)
        self.instances: Mapping[int, InstanceInfo] = self._stage.instances
        self._kept: _Still | None = None
        self._lamps = np.array([[(r.low[0] + r.high[0]) / 2, (r.low[1] + r.high[1]) / 2, home.wall_height - 0.25]
                                for r in home.rooms], np.float32).T.copy()
        lights = [render_rooms.window_light(home, r) for r in home.rooms]
        self._windows = np.array([np.zeros(3) if w is None else w for w in lights], np.float32).T.copy()
        self._stage.static(frozenset())

    def render(self, state: WorldState, camera: CameraModel, camera_pose: np.ndarray, *, with_ids: bool = True
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Colour uint8 (h, w, 3), planar depth float32 (h, w) metres (0 where nothing is hit), ids uint16 (h, w) or None.

        ``camera_pose``: optical → map, (4, 4).
        """
        pose = np.asarray(camera_pose, dtype=np.float64)
        if pose.shape != (4, 4) or not np.isfinite(pose).all():
            raise ValueError(f"camera_pose must be a finite (4, 4) matrix, got shape {pose.shape}")
        return self._drawn(state, camera, pose, with_ids=with_ids, overview=False)

    def overview(self, state: WorldState, *, width: int = 960, height: int = 720) -> np.ndarray:
        """The whole home from the south, high above, cut open and with the robot: uint8 (height, width, 3), for people."""
        camera = CameraModel.from_fov(width, height, 30.0)
        return self._drawn(state, camera, _above(self.home, camera), with_ids=False, overview=True)[0]

    def _drawn(self, state: WorldState, camera: CameraModel, pose: np.ndarray, *, with_ids: bool, overview: bool
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        still = (self._stage.static(frozenset(state.moved), cutaway=overview), *self._stage.resting(state))
        scene = self._still(camera, pose, still)
        eye = Eye((float(pose[0, 3]), float(pose[1, 3])), camera.fx)
        moving = self._stage.moving(state, scene.rooms, eye, robot=overview)
        surface, lamp_seen = scene.surface, scene.lamp_seen
        if moving:
            surface = surface.copy()
            fresh = np.concatenate([self._overlay(surface, scene.view, batch) for batch in moving])
            if self.shadows:
                lamp_seen = self._lamp_seen(surface, scene.view, still, moving, lamp_seen, fresh)
        return self._picture(surface, scene.view, state, lamp_seen, (*still, *moving), with_ids)

    def _still(self, camera: CameraModel, pose: np.ndarray, batches: tuple[Batch, ...]) -> "_Still":
        """What does not move, as seen from here; kept for the next frame of a robot that stands still."""
        kept = self._kept
        if kept is not None and kept.view.camera == camera and np.array_equal(kept.view.pose, pose) and kept.batches == batches:
            return kept
        view = kept.view if kept is not None and kept.view.camera == camera and np.array_equal(
            kept.view.pose, pose) else _View.of(camera, pose)
        surface = batches[0].seen(view.origin, view.rays, view.rows, 1.0 / camera.fx)
        for batch in batches[1:]:
            self._overlay(surface, view, batch)
        lamp_seen = self._lamp_seen(surface, view, batches) if self.shadows else None
        rooms = frozenset(np.flatnonzero(np.bincount(surface.room)).tolist())
        self._kept = _Still(view, batches, surface, lamp_seen, rooms)
        return self._kept

    def _overlay(self, surface: Surface, view: _View, batch: Batch) -> np.ndarray:
        """Puts everything of ``batch`` that is nearer over ``surface``; returns the numbers of the pixels that changed."""
        where = view.mask(batch)
        hits = batch.cast(view.origin.take(where, axis=0), view.rays.take(where, axis=0))
        nearer = np.flatnonzero(hits.t < surface.t.take(where))
        if not len(nearer):
            return nearer
        at = where.take(nearer)
        surface.put(at, batch.surface(hits.at(nearer), view.rows.take(at, axis=1), 1.0 / view.camera.fx))
        return at

    def _picture(self, surface: Surface, view: _View, state: WorldState, lamp_seen: np.ndarray | None,
                 batches: tuple[Batch, ...], with_ids: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        h, w = view.camera.height, view.camera.width
        hit = surface.t < FAR
        depth = np.where(hit, surface.t, np.float32(0))
        pos = view.rows * depth + view.pose[:3, 3:4].astype(np.float32)
        soft = render_light.softened(lamp_seen, h, w) if lamp_seen is not None else np.ones(h * w, np.float32)
        shade = render_light.contact_shade(np.where(hit, depth, np.float32(20)).reshape(h, w), view.camera.fx)
        lights = self._lights(state)
        colour = render_light.lit(surface, pos, view.rows, lights, soft, shade, self._stage.atlas)
        if not hit.all():
            colour[:, ~hit] = _NOTHING
        glass = np.flatnonzero(self._stage.atlas.look("opacity", surface.mat) < 0.99)
        if len(glass):
            opacity = self._stage.atlas.look("opacity", surface.mat.take(glass))
            behind = self._behind(view, glass, surface.t.take(glass), batches, lights, soft.take(glass), shade.take(glass),
                                  _LAYERS)
            colour[:, glass] = opacity * colour[:, glass] + (1 - opacity) * behind
        ids, depth = surface.instance.reshape(h, w), depth.reshape(h, w)
        image = render_light.smoothed(render_light.displayed(colour, h, w), render_light.outlines(ids, depth))
        return image, depth, ids.copy() if with_ids else None

    def _behind(self, view: _View, where: np.ndarray, t: np.ndarray, batches: tuple[Batch, ...], lights: render_light.Lights,
                soft: np.ndarray, shade: np.ndarray, layers: int) -> np.ndarray:
        """Colour float32 (3, m) of what lies behind glass at distances ``t`` (m,) along the rays numbered ``where``,
        through ``layers`` more.
        """
        rays, rows = view.rays.take(where, axis=0), view.rows.take(where, axis=1)
        start = view.origin.take(where, axis=0) + rays * (t + _THROUGH)[:, None]
        surface = Surface.empty(len(where))
        for batch in batches:
            hits = batch.cast(start, rays)
            nearer = np.flatnonzero(hits.t < surface.t)
            if len(nearer):
                surface.put(nearer, batch.surface(hits.at(nearer), rows.take(nearer, axis=1), 1.0 / view.camera.fx))
        hit = surface.t < FAR
        surface.t = np.where(hit, surface.t + t + _THROUGH, np.float32(0))
        pos = rows * surface.t + view.pose[:3, 3:4].astype(np.float32)
        colour = render_light.lit(surface, pos, rows, lights, soft, shade, self._stage.atlas) * hit
        again = np.flatnonzero(hit & (self._stage.atlas.look("opacity", surface.mat) < 0.99))
        if layers > 1 and len(again):
            opacity = self._stage.atlas.look("opacity", surface.mat.take(again))
            further = self._behind(view, where.take(again), surface.t.take(again), batches, lights, soft.take(again),
                                   shade.take(again), layers - 1)
            colour[:, again] = opacity * colour[:, again] + (1 - opacity) * further
        return colour

    def _lamp_seen(self, surface: Surface, view: _View, still: tuple[Batch, ...], moving: tuple[Batch, ...] = (),
                   still_seen: np.ndarray | None = None, fresh: np.ndarray | None = None) -> np.ndarray:
        """Whether each coarse pixel sees its room's lamp, bool (h2, w2). Where ``still_seen`` already says so for what is
        still, that is asked again only at the ``fresh`` pixels, which what moves covers.
        """
        h, w = view.camera.height, view.camera.width
        pick = np.arange(h * w).reshape(h, w)[::_SHADOW_STEP, ::_SHADOW_STEP]
        flat = pick.reshape(-1)
        nrm, room = surface.nrm[:, flat], surface.room.take(flat)
        start = view.rows[:, flat] * surface.t.take(flat) + view.pose[:3, 3:4].astype(np.float32) + nrm * np.float32(0.012)
        to_lamp = self._lamps[:, room] - start
        seen = to_lamp[0] * nrm[0] + to_lamp[1] * nrm[1] + to_lamp[2] * nrm[2] > 0
        start, to_lamp = np.ascontiguousarray(start.T), np.ascontiguousarray(to_lamp.T)
        ask = seen
        if still_seen is not None:
            new = np.zeros(h * w, bool)
            new[fresh] = True
            ask = seen & new.take(flat)
            seen = np.where(new.take(flat), seen, still_seen.reshape(-1))
        shown = np.bincount(room, minlength=self._lamps.shape[1]) > 0
        for batch in (*still, *moving):
            darkens = np.ones_like(shown) if batch.rooms is None else np.isin(np.arange(len(shown)), list(batch.rooms))
            if not batch.count or not (darkens & shown).any():
                continue
            rays = seen & ask if batch in still else seen
            where = np.flatnonzero(rays if darkens[shown].all() else rays & darkens.take(room))
            seen[where] = ~batch.blocked(start[where], to_lamp[where])
        return seen.reshape(pick.shape)

    def _lights(self, state: WorldState) -> render_light.Lights:
        spots = []
        for f in self.home.furniture:
            if f.cls == "lamp" and state.switched_on.get(f.id, f.on):
                position, _ = state.moved.get(f.id, (f.position, f.yaw))
                spots.append(
                    ((position[0], position[1], position[2] + 0.86 * f.size[2]), self._stage.room_at(position[0], position[1])))
        return render_light.Lights(self._lamps, self._windows, min(1.0, max(0.0, state.light)), tuple(spots))
