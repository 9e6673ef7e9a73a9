"""The bridge contract as checks that any world can be put through: the embedded one, a simulator behind a socket, a camera on a tripod.

A check compares what a world says with a :class:`KnownScene`, which the tester knows from elsewhere (a scene file, a tape measure), never
from the bridge itself. The silhouette check is the one that a left-handed slip cannot pass: a mirrored scene puts every landmark on the
wrong side. A check that does not apply to a world (no instance image, no body) is left out by the caller, not skipped in here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from household.actions import AtomicAction
from household.camera import CameraModel
from sim_bridges.contract import Body, Frame, StepStatus, World
from sim_bridges.errors import Closed, ConnectionLost

POINT_TOLERANCE = 0.01  # metres: a point seen lands this near to where it is


class NotConformant(AssertionError):
    """A world breaks the contract; the message says which quantity, what was measured and what was due."""


@dataclass(frozen=True)
class Landmark:
    """``corners`` (8, 3): its box in map. ``distance``: (n, 3) map points → (n,) metres to its surface.

    ``whole``: all of its outline is in the picture with nothing before it.
    """

    entity: str
    cls: str
    corners: np.ndarray
    distance: Callable[[np.ndarray], np.ndarray]
    whole: bool = True


@dataclass(frozen=True)
class KnownScene:
    """``wall_normal`` · p = ``wall_offset`` for points p of a wall, in map; ``wall_pixels``: (rows, columns) that show only that wall."""

    camera: CameraModel
    camera_pose: np.ndarray
    robot_position: tuple[float, float]
    robot_yaw: float
    landmarks: tuple[Landmark, ...]
    wall_normal: tuple[float, float, float]
    wall_offset: float
    wall_pixels: tuple[slice, slice]


@dataclass(frozen=True)
class Subject:
    """One world under test. ``break_link`` makes its simulator unreachable, ``mend_link`` brings it back. ``give``: object, receiver.

    ``holder``: world, object id → who holds it, asked by a way that the pixels had no part in.
    """

    open: Callable[[], World]
    scene: KnownScene
    body: Callable[[World], Body] | None = None
    hand_over: tuple[AtomicAction, ...] = ()
    holder: Callable[[World, str], str | None] | None = None
    handed: tuple[str, str] = ("", "")
    break_link: Callable[[], None] | None = None
    mend_link: Callable[[], None] | None = None
    extras: Mapping[str, object] = field(default_factory=dict)


def _require(ok: bool, what: str) -> None:
    if not ok:
        raise NotConformant(what)


def back_project(frame: Frame, mask: np.ndarray) -> np.ndarray:
    """(n, 3) map points of the pixels in ``mask`` (H, W) that have a depth reading."""
    v, u = np.nonzero(mask & (frame.depth > 0) & np.isfinite(frame.depth))
    z = frame.depth[v, u].astype(np.float64)
    c = frame.camera
    optical = np.stack([(u - c.cx) / c.fx * z, (v - c.cy) / c.fy * z, z], axis=1)
    return optical @ frame.camera_pose[:3, :3].T + frame.camera_pose[:3, 3]


def project(camera: CameraModel, camera_pose: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n, 2) pixels (u, v) of (n, 3) map points in front of the camera."""
    optical = (points - camera_pose[:3, 3]) @ camera_pose[:3, :3]
    return np.stack([optical[:, 0] / optical[:, 2] * camera.fx + camera.cx, optical[:, 1] / optical[:, 2] * camera.fy + camera.cy], axis=1)


# what a frame is ----------------------------------------------------------------------------------------------------------------------

def check_types(world: World, subject: Subject) -> None:
    """Shapes, dtypes and value ranges of a frame."""
    f = world.frame()
    h, w = f.camera.height, f.camera.width
    _require(f.color.shape == (h, w, 3) and f.color.dtype == np.uint8, f"color is {f.color.dtype} {f.color.shape}, due: uint8 {(h, w, 3)}")
    _require(f.depth.shape == (h, w) and f.depth.dtype == np.float32, f"depth is {f.depth.dtype} {f.depth.shape}, due: float32 {(h, w)}")
    if f.ids is not None:
        _require(f.ids.shape == (h, w) and f.ids.dtype == np.uint16, f"ids is {f.ids.dtype} {f.ids.shape}, due: uint16 {(h, w)}")
        seen = set(np.unique(f.ids).tolist()) - {0}
        _require(seen <= set(f.instances), f"ids {sorted(seen - set(f.instances))[:5]} are in the image but not in instances")
    read = f.depth[(f.depth > 0) & np.isfinite(f.depth)]
    _require(read.size > 0 and 0.05 < float(np.median(read)) < 50, f"median depth {np.median(read) if read.size else None}: not metres?")
    for name, pose in (("camera_pose", f.camera_pose), ("robot_pose", f.robot_pose)):
        r = np.asarray(pose)[:3, :3]
        _require(np.allclose(r @ r.T, np.eye(3), atol=1e-4) and np.linalg.det(r) > 0, f"{name} is not a rotation: {np.round(r, 3).tolist()}")


def check_stamps(world: World, subject: Subject) -> None:
    """``advance`` alone moves time, and by what was asked."""
    first, again = world.frame().stamp, world.frame().stamp
    _require(again == first, f"two frames without advance are stamped {first} and {again}")
    world.advance(0.5)
    later = world.frame().stamp
    _require(abs(later - first - 0.5) < 0.051, f"advance(0.5) moved the stamp by {later - first:.3f} s")


def check_optical_frame(world: World, subject: Subject) -> None:
    """Optical frame and base_link: where they are, which way they look, and which way is down."""
    f, due = world.frame(), subject.scene.camera_pose
    _require(np.linalg.norm(f.camera_pose[:3, 3] - due[:3, 3]) < POINT_TOLERANCE,
             f"the camera is at {np.round(f.camera_pose[:3, 3], 3).tolist()}, due: {np.round(due[:3, 3], 3).tolist()}")
    for axis, name in enumerate(("x (right)", "y (down)", "z (forward)")):
        _require(float(f.camera_pose[:3, axis] @ due[:3, axis]) > np.cos(0.004),
                 f"optical {name} points along {np.round(f.camera_pose[:3, axis], 3).tolist()}, due: {np.round(due[:3, axis], 3).tolist()}")
    _require(np.hypot(*(f.robot_pose[:2, 3] - subject.scene.robot_position)) < POINT_TOLERANCE,
             f"base_link is at {np.round(f.robot_pose[:2, 3], 3).tolist()}, due: {list(subject.scene.robot_position)}")
    yaw = float(np.arctan2(f.robot_pose[1, 0], f.robot_pose[0, 0]))
    error = (yaw - subject.scene.robot_yaw + np.pi) % (2 * np.pi) - np.pi
    _require(abs(error) < 0.005, f"base_link faces {yaw:.3f} rad, due: {subject.scene.robot_yaw:.3f}")


def check_intrinsics(world: World, subject: Subject) -> None:
    """Focal lengths and principal point, as numbers."""
    got, due = world.frame().camera, subject.scene.camera
    _require((got.width, got.height) == (due.width, due.height), f"image {got.width}×{got.height}, due: {due.width}×{due.height}")
    for name in ("fx", "fy", "cx", "cy"):
        a, b = getattr(got, name), getattr(due, name)
        _require(abs(a - b) < 0.05 + 1e-4 * due.width, f"{name} = {a:.3f} px, due: {b:.3f} px")


# what a frame shows --------------------------------------------------------------------------------------------------------------------

def check_silhouettes(world: World, subject: Subject) -> None:
    """Each landmark's instance mask fills exactly the outline of its projected box: ids, intrinsics, pose and handedness at once."""
    f = world.frame()
    _require(f.ids is not None, "this world gives no instance image")
    for mark in (m for m in subject.scene.landmarks if m.whole):
        values = [value for value, info in f.instances.items() if info.entity == mark.entity]
        _require(len(values) == 1, f"{mark.entity} has {len(values)} instance values, due: 1")
        _require(f.instances[values[0]].cls == mark.cls, f"{mark.entity} is a '{f.instances[values[0]].cls}', due: '{mark.cls}'")
        v, u = np.nonzero(f.ids == values[0])
        _require(u.size > 0, f"{mark.entity} is in the scene but not in the picture")
        pixels = project(f.camera, f.camera_pose, mark.corners)
        due = np.array([pixels[:, 0].min(), pixels[:, 0].max(), pixels[:, 1].min(), pixels[:, 1].max()])
        got = np.array([u.min(), u.max(), v.min(), v.max()])
        _require(bool(np.abs(got - due).max() < 1.6),
                 f"{mark.entity} fills u {got[:2]}, v {got[2:]}, due: u {np.round(due[:2], 1)}, v {np.round(due[2:], 1)}")


def check_points(world: World, subject: Subject) -> None:
    """Points seen of each landmark lie on its surface in map, to within a centimetre."""
    f = world.frame()
    for mark in subject.scene.landmarks:
        value = next((value for value, info in f.instances.items() if info.entity == mark.entity), None)
        _require(value is not None and f.ids is not None, f"{mark.entity} has no instance value")
        error = mark.distance(back_project(f, f.ids == value))
        _require(error.size > 0 and float(error.max()) < POINT_TOLERANCE,
                 f"points of {mark.entity} are off by up to {error.max() * 100 if error.size else np.nan:.2f} cm")


def check_wall(world: World, subject: Subject) -> None:
    """Depth is planar z in metres: a known wall comes out flat and where it stands."""
    f, scene = world.frame(), subject.scene
    mask = np.zeros(f.depth.shape, bool)
    mask[scene.wall_pixels] = True
    points = back_project(f, mask)
    _require(len(points) > 0.9 * mask.sum(), f"only {len(points)} of {mask.sum()} wall pixels have a depth")
    error = np.abs(points @ np.asarray(scene.wall_normal) - scene.wall_offset)
    _require(float(error.max()) < POINT_TOLERANCE, f"the wall is off by up to {error.max() * 100:.2f} cm")


# what a world does ---------------------------------------------------------------------------------------------------------------------

def run_action(world: World, body: Body, action: AtomicAction, step: float = 0.5, limit: float = 60.0) -> str:
    """Perform ``action`` to its end; '' or the reason it failed. Raises NotConformant if it never ends."""
    refusal = body.can(action)
    if refusal:
        return refusal
    body.start(action)
    for _ in range(int(limit / step) + 1):
        report = body.poll()
        if report.status is not StepStatus.RUNNING:
            return "" if report.status is StepStatus.SUCCEEDED else (report.reason or report.status.value)
        world.advance(step)
    raise NotConformant(f"{action} is still running after {limit:.0f} s")


def check_hand_over(world: World, subject: Subject) -> None:
    """The robot fetches a thing and hands it to a person, who then holds it."""
    _require(subject.body is not None and subject.holder is not None, "this world has no body")
    body = subject.body(world)
    for action in subject.hand_over:
        reason = run_action(world, body, action)
        _require(reason == "", f"{action} failed: {reason}")
    thing, receiver = subject.handed
    _require(subject.holder(world, thing) == receiver, f"{thing} is held by {subject.holder(world, thing)}, due: {receiver}")


def check_reset(world: World, subject: Subject) -> None:
    """``reset`` brings the same scene back, whatever happened since."""
    world.reset(3)
    before = world.frame()
    world.advance(1.0)
    if subject.body is not None:
        for action in subject.hand_over[:2]:
            run_action(world, subject.body(world), action)
    world.reset(3)
    after = world.frame()
    _require(np.allclose(before.camera_pose, after.camera_pose, atol=1e-6), "the camera is elsewhere after reset")
    _require(np.array_equal(before.depth, after.depth), "depth differs after reset with the same seed")
    _require(np.array_equal(before.color, after.color), "colour differs after reset with the same seed")


def check_shutdown(world: World, subject: Subject) -> None:
    """``close`` twice is fine; afterwards the world says that it is closed."""
    world.frame()
    world.close()
    world.close()
    try:
        world.frame()
    except Closed:
        return
    raise NotConformant("frame() after close() gave a frame; due: errors.Closed")


def check_lost_connection(world: World, subject: Subject) -> None:
    """A dead simulator is an error, not a hang or an old frame; when it is back, so is the world."""
    _require(subject.break_link is not None and subject.mend_link is not None, "this world has no link to lose")
    before = world.frame().stamp
    subject.break_link()
    for _ in range(2):
        try:
            world.advance(0.5)
            world.frame()
        except ConnectionLost:
            continue
        raise NotConformant("no ConnectionLost although the simulator is gone")
    subject.mend_link()
    for attempt in range(20):
        try:
            world.advance(0.5)
            after = world.frame()
            break
        except ConnectionLost:
            if attempt == 19:
                raise NotConformant("the simulator is back, the world is not") from None
    _require(after.stamp > before, f"time went back from {before} to {after.stamp} over the loss")


ALWAYS = {"types": check_types, "stamps": check_stamps, "optical frame": check_optical_frame, "intrinsics": check_intrinsics,
          "wall": check_wall, "reset": check_reset, "shutdown": check_shutdown}
WITH_IDS = {"silhouettes": check_silhouettes, "points": check_points}
WITH_BODY = {"hand over": check_hand_over}
WITH_LINK = {"lost connection": check_lost_connection}
ALL: Mapping[str, Callable[[World, Subject], None]] = {**ALWAYS, **WITH_IDS, **WITH_BODY, **WITH_LINK}


def run(subject: Subject, checks: Mapping[str, Callable[[World, Subject], None]] = ALL, seed: int = 1) -> dict[str, str]:
    """Every check on a freshly opened world → check name → '' or what is wrong. For a report against a live simulator."""
    results = {}
    for name, check in checks.items():
        world = subject.open()
        try:
            world.reset(seed)
            check(world, subject)
            results[name] = ""
        except NotConformant as error:
            results[name] = str(error)
        finally:
            world.close()
    return results
