"""Renders the detector's images: one shard per generated home, each a pure function of (seed, split, settings), so that a stopped run
goes on where it was and two machines make the same files.

Training shards are clean (noise is drawn anew at every look); test shards carry the sensor-noise model's noise, once and for all.
"""

from __future__ import annotations

import sys
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation import detector_shapes
from evaluation.detector_scene import Scene, Stage, home_of
from household import classes
from perception.detectors.base import Joint
from perception.training.shards import JOINTS, SUFFIX, LabelledImage, write_shard
from sim_bridges.embedded import assets, figures_pose
from sim_bridges.embedded.model import Home
from sim_bridges.embedded.noise import add_sensor_noise
from sim_bridges.embedded.render import Renderer

SPLITS = ("train", "test")
PER_SCATTER = 6  # images between two re-arrangements of a home
_EAR, _NOSE = 0.075, 0.115  # metres from the middle of the head: to the side, to the front
_WHEELS, _SHOWN = 0.25, 40  # chance of somebody of a home with close looks to sit in a wheelchair; pixels from which on what is held is seen
_DEEP = 0.22  # metres a joint may lie under the surface that shows


@dataclass(frozen=True)
class RenderConfig:
    """``homes`` from ``first_seed`` on, ``per_home`` images of ``size`` = (width, height) each; ``close``: share of them that are close looks at somebody who
    holds something (of the training split alone). ``more``: (class, how many) of things that each of its homes holds beyond one or two of every class."""

    homes: int = 100
    per_home: int = 24
    size: tuple[int, int] = (640, 480)
    split: str = "train"
    first_seed: int = 0
    shadows: bool = True
    close: float = 0.0
    more: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        if self.more and self.split != "train":
            raise ValueError("more: of the training split alone")
        for cls, number in self.more:
            if cls not in classes.of_kind(classes.Kind.OBJECT) or not 1 <= number <= 20:
                raise ValueError(f"more {cls}:{number}: must be a class of things and 1 to 20 of them")
        if not 0.0 <= self.close <= (1.0 if self.split == "train" else 0.0):
            raise ValueError(f"close {self.close}: must be 0 to 1, and 0 where images are tested on")
        for name, low, high in (("homes", 1, 1_000_000), ("per_home", 1, 1000), ("first_seed", 0, 2 ** 31)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} {getattr(self, name)}: must be {low} to {high}")
        if self.split not in SPLITS:
            raise ValueError(f"split '{self.split}': must be {' or '.join(SPLITS)}")
        if not (32 <= self.size[0] <= 4096 and 24 <= self.size[1] <= 4096):
            raise ValueError(f"size {self.size}: must be 32×24 to 4096×4096")


def shard_path(folder: Path, config: RenderConfig, seed: int) -> Path:
    close, more = f"c{100 * config.close:.0f}" if config.close else "", f"m{zlib.crc32(repr(config.more).encode()):08x}" if config.more else ""
    return folder / f"{config.split}_{seed:06d}_{config.size[0]}x{config.size[1]}_{config.per_home}{close}{more}{SUFFIX}"


def render(folder: Path, config: RenderConfig, jobs: int = 1, report: Callable[[str], None] | None = None) -> tuple[int, float]:
    """Renders what is missing; returns (images made, seconds). Whole shards that exist are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = [s for s in range(config.first_seed, config.first_seed + config.homes) if not shard_path(folder, config, s).exists()]
    start, done = time.monotonic(), 0

    def tell() -> None:
        spent = time.monotonic() - start
        if report is not None:
            report(f"{config.split}: {done} of {len(seeds)} homes, {done * config.per_home / max(spent, 1e-6):.2f} images/s, "
                   f"{spent / done * (len(seeds) - done) / 60:.0f} min left")

    if jobs <= 1:
        for seed in seeds:
            render_home(folder, config, seed)
            done += 1
            tell()
    else:
        with ProcessPoolExecutor(jobs) as pool:
            for future in as_completed([pool.submit(render_home, folder, config, s) for s in seeds]):
                future.result()
                done += 1
                tell()
    return done * config.per_home, time.monotonic() - start


def render_home(folder: Path, config: RenderConfig, seed: int) -> Path:
    """One shard."""
    path = shard_path(folder, config, seed)
    images, home, renderer = home_images(config, seed)
    write_shard(path, home.name, config.split, images, meshes_of(renderer))
    return path


def home_images(config: RenderConfig, seed: int) -> tuple[list[LabelledImage], Home, Renderer]:
    home = home_of(seed, config.split, wheels=_WHEELS if config.close else 0.0, more=config.more)
    shapes = np.random.default_rng([seed, 37])
    renderer = Renderer(home, seed=seed, shadows=config.shadows, split=config.split,
                        vary=(lambda cls, model: detector_shapes.varied(model, cls, shapes)) if config.split == "train" else None)
    rng = np.random.default_rng([SPLITS.index(config.split), seed, 23])
    stage = Stage(home, rng, config.size, seats=config.split == "train")
    images: list[LabelledImage] = []
    tries, most = 0, (12 if config.close else 6) * config.per_home  # many a close look shows nothing that is held
    while len(images) < config.per_home:
        if tries % PER_SCATTER == 0:
            stage.scatter()
        tries += 1
        close = config.close > 0.0 and bool(rng.random() < config.close)
        scene = stage.close_scene() if close else stage.scene()
        one = _image(home, renderer, scene, noisy=config.split == "test", rng=rng)
        if _worth_it(one) and (not close or _shows_held(one, scene)) or tries > most:
            images.append(one)
    return images, home, renderer


def _worth_it(one: LabelledImage) -> bool:
    """Not a wall alone, and not the side of a cupboard alone."""
    shown = np.flatnonzero(np.bincount(one.ids.ravel()) > 12)
    near = float((one.depth[one.depth > 0] < 0.45).mean()) if (one.depth > 0).any() else 1.0
    return len([v for v in shown if int(v) in one.table]) >= 3 and near < 0.3


def _shows_held(one: LabelledImage, scene: Scene) -> bool:
    """Whether anything that is held can be seen."""
    held = {t for t, s in scene.state.things.items() if s.hand is not None}
    pixels = np.bincount(one.ids.ravel(), minlength=max(one.table, default=0) + 1)
    return any(pixels[v] >= _SHOWN for v, (entity, _) in one.table.items() if entity in held)


def _image(home: Home, renderer: Renderer, scene: Scene, noisy: bool, rng: np.random.Generator) -> LabelledImage:
    color, depth, ids = renderer.render(scene.state, scene.camera, scene.pose)
    table = {v: (i.entity, i.cls) for v, i in renderer.instances.items()}
    joints = _joints(home, scene, {entity: v for v, (entity, _) in table.items()}, ids, depth)
    if noisy:
        color, depth = add_sensor_noise(color, depth, rng)
    return LabelledImage(color, depth, ids, table, scene.camera, scene.pose, joints, noisy)


def _joints(home: Home, scene: Scene, value_of: dict[str, int], ids: np.ndarray, depth: np.ndarray) -> dict[int, dict[Joint, tuple[float, float]]]:
    """Where each person's joints are in the picture; only those that the person's own surface, close before them, shows."""
    inverse, c, result = np.linalg.inv(scene.pose), scene.camera, {}
    for person in home.people:
        if person.id not in scene.state.people or person.id not in value_of:
            continue
        holding = tuple(t.hand for t in scene.state.things.values() if t.at == person.id and t.hand)
        skeleton = figures_pose.skeleton(person, scene.state.people[person.id], holding)
        found = {}
        for joint, point in _points(skeleton).items():
            x, y, z, _ = inverse @ np.array([*point, 1.0])
            if z < 0.2:
                continue
            u, v = c.fx * x / z + c.cx, c.fy * y / z + c.cy
            column, row = int(round(u)), int(round(v))
            if 0 <= column < c.width and 0 <= row < c.height and ids[row, column] == value_of[person.id] and z - depth[row, column] < _DEEP:
                found[joint] = (float(u), float(v))
        result[value_of[person.id]] = found
    return result


def _points(skeleton: figures_pose.Skeleton) -> dict[Joint, np.ndarray]:
    points = {j: skeleton.joints[j.value] for j in JOINTS if j.value in skeleton.joints}
    for joint, at in ((Joint.NOSE, (_NOSE, 0.0, 0.0)), (Joint.LEFT_EAR, (0.0, _EAR, 0.0)), (Joint.RIGHT_EAR, (0.0, -_EAR, 0.0))):
        points[joint] = (skeleton.head @ np.array([*at, 1.0]))[:3]
    return points


def meshes_of(renderer: Renderer) -> tuple[str, ...]:
    """Every mesh that the classes of this home may be drawn with on its side of the split, as ``class:key``."""

    source, names = assets.installed(), set()
    for info in renderer.instances.values():
        keys = source.models_for(info.cls, renderer.split)
        names.update(f"{info.cls}:{k}" for k in keys)
    return tuple(sorted(names))


def to_stderr(line: str) -> None:
    print(f"  {line}", file=sys.stderr, flush=True)
