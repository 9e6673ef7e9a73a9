"""Trains perception's small net for head and body direction on rendered figures: ``python -m evaluation.facing_train``.

Half of the pictures show figures in random poses in an empty room, half show people at their errands in homes of the training split, seen from where a
camera might stand, near and far, at the edge of the image and cut off by it. Looks are drawn at random (names that no shipped home uses), with
sensor noise and parts hidden, half of the outlines as coarse as a detector's. Validation is on homes and looks that training never drew. With the defaults about 30 minutes of
drawing and 75 of training on one CPU core to itself; the seed fixes the data.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from evaluation.perception_run import Script, chores
from household.camera import CameraModel
from household.scene_graph import Posture
from perception import orientation
from perception.detectors.simulator import segment
from sim_bridges.embedded.generate_home import generate_home
from sim_bridges.embedded.model import Home, Person, PersonState, RobotSpec, RobotState, Room, WorldState
from sim_bridges.embedded.noise import add_sensor_noise
from sim_bridges.embedded.render import Renderer, camera_pose_of
from sim_bridges.embedded.world import EmbeddedWorld

_ROOM = 7.0
_VIEWS, _STATES, _STEP = 3, 40, 0.9  # pictures of one moment, moments of one home, seconds between them
_HOME_SEED = 40_000  # homes for training begin here
_SOFT = 0.14  # rad by which neighbouring directions count as right
_PART = 5000  # figures drawn from one seed; more are of the seeds after it
_VALIDATION, _VALIDATED = 2, 1000  # seed and number of the figures that are never trained on
_CHANNELS, _LAST, _HIDDEN, _DROP = (24, 48, 96), 32, 192, 0.2
_BATCH, _RATE, _DECAY, _STEEPEST = 128, 3e-3, 0.02, 5.0  # figures a step; of the optimiser; the norm of a gradient at most
_MARGIN = 1 / 12  # of the side of a patch, drawn about it so that it can be turned and shifted
_SHIFT, _ZOOM, _TILT = 0.05, 0.06, 0.06  # by which patches are shifted (of half their side), enlarged and turned (rad) in training
_RAGGED = 0.5  # share of outlines that are as coarse as a detector's


def _home(names: list[str], rng: np.random.Generator, style: int) -> Home:
    people = tuple(Person(n, n.title(), (1.0, 1.0), 0.0, float(rng.uniform(1.45, 1.95)), model=n) for n in names)
    room = Room("livingroom", "livingroom", (0.0, 0.0), (_ROOM, _ROOM))
    return Home("studio", (room,), (), (), (), people, RobotSpec((0.5, 0.5), 0.0), style=style)


def _pose(rng: np.random.Generator, where: tuple[float, float]) -> PersonState:
    yaw = float(rng.uniform(-math.pi, math.pi))
    head = yaw + float(np.clip(rng.normal(0, 0.6), -1.45, 1.45))
    walking = bool(rng.random() < 0.35)
    reach = None
    if not walking and rng.random() < 0.35:
        a, r = yaw + rng.normal(0, 0.3), rng.uniform(0.4, 0.7)
        reach = (where[0] + r * math.cos(a), where[1] + r * math.sin(a), float(rng.uniform(0.4, 1.6)))
    posture = Posture.SITTING if not walking and reach is None and rng.random() < 0.15 else Posture.STANDING
    return PersonState(where, yaw, head, float(rng.uniform(-0.6, 0.2)), float(rng.uniform(0, 6.28)), walking, posture, reach)


def generate(count: int, seed: int, prefix: str) -> tuple[np.ndarray, np.ndarray]:
    """Inputs float16 (n, 2, 5, 56, 56), margin and all, and targets float32 (n, 3): angle of the body, of the head, to the camera, and the head's pitch, radians."""
    rng = np.random.default_rng(seed)
    inputs, targets = [], []
    batch = 0
    while len(inputs) < count:
        batch += 1
        if batch % 2:
            home = _home([f"{prefix}{batch}x{i}" for i in range(4)], rng, int(rng.integers(1000)))
            renderer = Renderer(home, seed=batch, shadows=bool(batch % 4 == 1))
            for _ in range(24):
                _one(home, renderer, rng, inputs, targets)
        else:
            _at_home(_HOME_SEED + 1000 * seed + batch, prefix, rng, inputs, targets)
        print(f"\r{len(inputs)}/{count} figures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return np.stack(inputs[:count]), np.array(targets[:count], np.float32)


def _one(home: Home, renderer: Renderer, rng: np.random.Generator, inputs: list, targets: list) -> None:
    """One picture of an empty room; its figures are added."""
    spots = [(float(d * math.cos(a)) + 0.6, float(d * math.sin(a)) + 0.6) for d, a in
             zip(rng.uniform(1.2, 6.0, 4), rng.permutation([0.35, 0.65, 0.95, 1.22]) + rng.normal(0, 0.04, 4))]
    state = WorldState(0.0, people={p.id: _pose(rng, s) for p, s in zip(home.people, spots)}, light=float(rng.uniform(0.4, 1.0)))
    robot = RobotState((0.6, 0.6), 0.785 + float(rng.normal(0, 0.1)), 0.0, float(rng.uniform(-0.35, 0.1)))
    _figures(home, renderer, state, robot, int(rng.choice([240, 320, 480])), rng, inputs, targets)


def _at_home(seed: int, prefix: str, rng: np.random.Generator, inputs: list, targets: list) -> None:
    """People at their errands in one home, from cameras that stand anywhere in their rooms."""
    home = generate_home(seed, split="train")
    home = replace(home, people=tuple(replace(p, model=f"{prefix}{seed}x{i}") for i, p in enumerate(home.people)))
    done: dict[str, int] = {}
    world = EmbeddedWorld(home, seed, {p: Script(lines, done, p) for p, lines in chores(home, seed, 5).items()})
    renderer = Renderer(home, seed=seed, shadows=bool(seed % 4), split="train")
    for _ in range(_STATES):
        world.advance(_STEP)
        for _ in range(_VIEWS):
            person = world.state.people[home.people[int(rng.integers(min(2, len(home.people))))].id]
            spot = _stand(home, world, person.position, rng)
            if spot is None:
                continue
            away, ahead = math.dist(spot, person.position), math.atan2(person.position[1] - spot[1], person.position[0] - spot[0])
            high = rng.uniform(0.7, 1.6) - home.robot.camera_height
            robot = RobotState(spot, wrap(ahead + float(rng.uniform(-0.7, 0.7))), 0.0, math.atan2(high, away))
            _figures(home, renderer, world.state, robot, int(rng.choice([240, 320, 320, 480])), rng, inputs, targets)


def _stand(home: Home, world: EmbeddedWorld, person: tuple[float, float], rng: np.random.Generator) -> tuple[float, float] | None:
    """A free spot in the room of somebody, 0.6 to 5 m off them."""
    room = next((r for r in home.rooms if all(r.low[k] < person[k] < r.high[k] for k in (0, 1))), None)
    for _ in range(20 if room is not None else 0):
        away, side = rng.uniform(0.6, 5.0), rng.uniform(-math.pi, math.pi)
        spot = (person[0] + float(away * math.cos(side)), person[1] + float(away * math.sin(side)))
        if all(room.low[k] + 0.3 < spot[k] < room.high[k] - 0.3 for k in (0, 1)) and world.nav.free(spot, 0.15):
            return spot
    return None


def wrap(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi


def _figures(home: Home, renderer: Renderer, state: WorldState, robot: RobotState, width: int, rng: np.random.Generator, inputs: list, targets: list
             ) -> None:
    """One picture; its figures are added."""
    camera = CameraModel.from_fov(width, width * 3 // 4, float(rng.uniform(60, 85)))
    pose = camera_pose_of(robot, home.robot)
    color, depth, ids = renderer.render(state, camera, pose)
    if rng.random() < 0.7:
        color, depth = add_sensor_noise(color, depth, rng)
    table = {v: (i.entity, i.cls) for v, i in renderer.instances.items()}
    for found in segment(ids, table, erosion=int(rng.integers(0, 2))):
        if found.identity is None or found.mask.sum() < 40:
            continue
        body = state.people[found.identity]
        person = next(p for p in home.people if p.id == found.identity)
        where = np.array([*body.position, person.height, 1.0])
        where[:3] += rng.normal(0, 0.05, 3)
        x, y, z = (np.linalg.inv(pose) @ where)[:3]
        if z < 0.3:
            continue
        mask = _ragged(found.mask, rng) if rng.random() < _RAGGED else found.mask.copy()
        if mask.sum() < 40:
            continue
        if rng.random() < 0.12:  # something stands before it
            mask[int(mask.shape[0] * rng.uniform(0.25, 0.6)):] = False
        if rng.random() < 0.08:
            cut = int(mask.shape[1] * rng.uniform(0.0, 0.35))
            mask[:, :cut] = False
        patch = orientation.crop(color, depth, mask, found.offset, camera, z * float(rng.uniform(0.95, 1.05)),
                                 (camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy), _MARGIN)
        if patch is None:
            continue
        bearing = math.atan2(pose[1, 3] - body.position[1], pose[0, 3] - body.position[0])
        inputs.append(patch.astype(np.float16))
        targets.append((wrap(body.yaw - bearing), wrap(body.head_yaw - bearing), body.head_pitch))


def _ragged(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The outline as a detector has it that works on coarser pixels."""
    step = int(rng.integers(2, 5))
    small = cv2.resize(mask.astype(np.float32), (max(1, mask.shape[1] // step), max(1, mask.shape[0] // step)), interpolation=cv2.INTER_AREA)
    small += cv2.resize(rng.normal(0, 0.25, (max(1, small.shape[0] // 3), max(1, small.shape[1] // 3))).astype(np.float32), small.shape[::-1])
    return cv2.resize(small, mask.shape[::-1], interpolation=cv2.INTER_LINEAR) > rng.uniform(0.35, 0.65)


def soft(angles, sectors: int = orientation.SECTORS):
    """torch (n, sectors): shares about each of the angles (n,), radians."""
    import torch

    at = torch.arange(sectors) * (2 * math.pi / sectors)
    return torch.softmax((torch.cos(angles[:, None] - at) - 1) / _SOFT ** 2, dim=1)


def _module():
    """The untrained net: (n, 2, 5, SIDE, SIDE) → (n, 2·SECTORS + 1)."""
    from torch import nn

    def conv(inner: int, outer: int, side: int, stride: int = 1) -> list:
        return [nn.Conv2d(inner, outer, side, stride, side // 2, bias=False), nn.BatchNorm2d(outer)]

    class Block(nn.Module):
        def __init__(self, width: int):
            super().__init__()
            self.inner = nn.Sequential(*conv(width, width, 3), nn.ReLU(), *conv(width, width, 3))

        def forward(self, x):
            return nn.functional.relu(x + self.inner(x))

    def part() -> nn.Sequential:
        layers, before = [], 5
        for width, side in zip(_CHANNELS, (5, 3, 3)):
            layers += [*conv(before, width, side, 2), nn.ReLU(), Block(width)]
            before = width
        return nn.Sequential(*layers, *conv(before, _LAST, 1), nn.ReLU(), nn.Flatten())

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.wide, self.near = part(), part()
            seen = 2 * _LAST * (orientation.SIDE // 8) ** 2
            self.head = nn.Sequential(nn.Dropout(_DROP), nn.Linear(seen, _HIDDEN), nn.ReLU(), nn.Dropout(_DROP), nn.Linear(_HIDDEN, 2 * orientation.SECTORS + 1))

        def forward(self, x):
            import torch

            return self.head(torch.cat([self.wide(x[:, 0]), self.near(x[:, 1])], 1))

    return Net()


def train(inputs: np.ndarray, targets: np.ndarray, epochs: int, seed: int):
    """Returns the torch module. Mirror images double the data: left and right swap, angles change sign."""
    import torch

    torch.manual_seed(seed)
    net = _module().to(memory_format=torch.channels_last)
    y, steps = torch.from_numpy(targets), len(inputs) // _BATCH
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=epochs * steps + 1, pct_start=0.2)
    flip = torch.tensor([-1.0, -1.0, 1.0])
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        order, loss_sum = torch.randperm(len(inputs), generator=generator).numpy(), 0.0
        net.train()
        for i in range(0, len(inputs) - _BATCH + 1, _BATCH):
            pick = np.sort(order[i:i + _BATCH])
            a, b = torch.from_numpy(inputs[pick].astype(np.float32)), y[pick].clone()
            swap = torch.rand(len(pick), generator=generator) < 0.5
            a[swap], b[swap] = a[swap].flip(4), b[swap] * flip
            tint = 0.1 * (torch.rand(len(pick), 1, 3, 1, 1, generator=generator) - 0.5)
            a[:, :, :3] = a[:, :, :3] * (0.7 + 0.6 * torch.rand(len(pick), 1, 1, 1, 1, generator=generator)) + tint * a[:, :, 3:4]
            a[torch.rand(len(pick), generator=generator) < 0.1, :, 4] = 0.0
            loss = loss_of(net(_shaken(a, generator)), b)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), _STEEPEST)
            optimiser.step()
            schedule.step()
            loss_sum += float(loss.detach())
        print(f"\repoch {epoch + 1}/{epochs} loss {loss_sum / max(1, steps):.4f}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return net.eval()


def _shaken(patches, generator):
    """The middles (n, 2, 5, SIDE, SIDE) of patches with a margin, a little shifted, enlarged and turned, as heads are not found to the pixel; each of the two by itself."""
    import torch
    from torch.nn import functional

    x = patches.flatten(0, 1)
    u = 2 * torch.rand(len(x), 4, generator=generator) - 1
    size, turn = (1 + _ZOOM * u[:, 0]) / (1 + 2 * _MARGIN), _TILT * u[:, 1]
    cos, sin = size * torch.cos(turn), size * torch.sin(turn)
    affine = torch.stack([torch.stack([cos, -sin, _SHIFT * u[:, 2]], 1), torch.stack([sin, cos, _SHIFT * u[:, 3]], 1)], 1)
    grid = functional.affine_grid(affine, (len(x), x.shape[1], orientation.SIDE, orientation.SIDE), align_corners=False)
    return functional.grid_sample(x, grid, align_corners=False).view(len(patches), 2, x.shape[1], orientation.SIDE, orientation.SIDE)


def middle(patches: np.ndarray) -> np.ndarray:
    """The same, (…, SIDE, SIDE), neither shifted nor turned."""
    edge = (patches.shape[-1] - orientation.SIDE) // 2
    return patches[..., edge:edge + orientation.SIDE, edge:edge + orientation.SIDE]


def loss_of(out, targets):
    """Cross entropy of both directions, and the squared error of the pitch."""
    import torch

    n = orientation.SECTORS
    total = 2 * ((out[:, -1] - targets[:, 2]) ** 2).mean()
    for k in (0, 1):
        total = total - (soft(targets[:, k]) * torch.log_softmax(out[:, k * n:(k + 1) * n], 1)).sum(1).mean()
    return total


def errors(net, inputs: np.ndarray, targets: np.ndarray) -> dict[str, float]:
    """Median and 90th percentile of the angle errors, degrees, and the mean loss."""
    import torch

    with torch.no_grad():
        out = net(torch.from_numpy(middle(inputs).astype(np.float32)))
        result, n = {"loss": float(loss_of(out, torch.from_numpy(targets)))}, orientation.SECTORS
        at = torch.arange(n) * (2 * math.pi / n)
        for k, name in enumerate(("body", "head")):
            shares = torch.softmax(out[:, k * n:(k + 1) * n], 1)
            near = sum(torch.roll(shares, s, 1) for s in (-1, 0, 1))
            top = at[near.argmax(1)].numpy()
            off = np.degrees(np.abs((top - targets[:, k] + np.pi) % (2 * np.pi) - np.pi))
            result |= {f"{name}_median_deg": float(np.median(off)), f"{name}_p90_deg": float(np.percentile(off, 90))}
    return result | {"pitch_median_deg": float(np.degrees(np.median(np.abs(out[:, -1].numpy() - targets[:, 2]))))}


def drawn(count: int, seed: int, prefix: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """:func:`generate`, kept in the folder."""
    file = None if folder is None else folder / f"{prefix}{seed}_{count}.npz"
    if file is not None and file.is_file():
        with np.load(file) as data:
            return data["inputs"], data["targets"]
    inputs, targets = generate(count, seed, prefix)
    if file is not None:
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(file.with_suffix(".part.npz"), inputs=inputs, targets=targets)
        os.replace(file.with_suffix(".part.npz"), file)
    return inputs, targets


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train the net for head and body direction.")
    parser.add_argument("--count", type=int, default=30000, help="figures (default 30000)")
    parser.add_argument("--epochs", type=int, default=36)
    parser.add_argument("--seed", type=int, default=31, help=f"of the figures (default 31); {_VALIDATION} is kept for validation")
    parser.add_argument("--weights", type=Path, default=orientation.WEIGHTS)
    parser.add_argument("--data", type=Path, help="folder to keep the figures in: what is there already is not drawn again")
    parser.add_argument("--draw-only", action="store_true", help="draw the figures into --data and train nothing")
    o = parser.parse_args(argv)
    seeds = range(o.seed, o.seed + math.ceil(o.count / _PART))
    if o.count < 1 or _VALIDATION in seeds:
        parser.error(f"--count {o.count} --seed {o.seed}: wanted at least one figure, and seeds without {_VALIDATION}")
    if o.draw_only and o.data is None:
        parser.error("--draw-only: --data FOLDER is wanted, to draw them into")
    parts = [drawn(min(_PART, o.count - _PART * i), seed, "t", o.data) for i, seed in enumerate(seeds)]
    if o.draw_only:
        return 0
    inputs, targets = (np.concatenate(each) for each in zip(*parts))
    held, answers = drawn(_VALIDATED, _VALIDATION, "v", o.data)
    from perception.training.export import export_facing

    net = train(inputs, targets, o.epochs, seed=1)
    print({k: round(v, 1) for k, v in errors(net, held, answers).items()})
    export_facing(net, o.weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
