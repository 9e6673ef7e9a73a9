"""Trains perception's small net for head and body direction on rendered figures: ``python -m evaluation.facing_train``.

Half of the pictures show figures in random poses in an empty room, half show people at their errands in homes of the training split, seen from where a
camera might stand, near and far, at the edge of the image and cut off by it. Looks are drawn at random (names that no shipped home uses), with
sensor noise and parts hidden. Validation is on homes and looks that training never drew. With the defaults about 35 minutes of drawing and half as many of training
on one CPU core; the seed fixes the data.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

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
_CHANNELS, _HIDDEN, _DROP = (24, 48, 64), 128, 0.3


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
    """Inputs float16 (n, 2, 5, 32, 32) and targets float32 (n, 3): angle of the body, of the head, to the camera, and the head's pitch, radians."""
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
        mask = found.mask.copy()
        if rng.random() < 0.12:  # something stands before it
            mask[int(mask.shape[0] * rng.uniform(0.25, 0.6)):] = False
        if rng.random() < 0.08:
            cut = int(mask.shape[1] * rng.uniform(0.0, 0.35))
            mask[:, :cut] = False
        patch = orientation.crop(color, depth, mask, found.offset, camera, z * float(rng.uniform(0.95, 1.05)),
                                 (camera.fx * x / z + camera.cx, camera.fy * y / z + camera.cy))
        if patch is None:
            continue
        bearing = math.atan2(pose[1, 3] - body.position[1], pose[0, 3] - body.position[0])
        inputs.append(patch.astype(np.float16))
        targets.append((wrap(body.yaw - bearing), wrap(body.head_yaw - bearing), body.head_pitch))


def soft(angles, sectors: int = orientation.SECTORS):
    """torch (n, sectors): shares about each of the angles (n,), radians."""
    import torch

    at = torch.arange(sectors) * (2 * math.pi / sectors)
    return torch.softmax((torch.cos(angles[:, None] - at) - 1) / _SOFT ** 2, dim=1)


def train(inputs: np.ndarray, targets: np.ndarray, epochs: int, seed: int):
    """Returns the torch module. Mirror images double the data: left and right swap, angles change sign."""
    import torch
    from torch import nn

    torch.manual_seed(seed)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.wide, self.near = (nn.ModuleList([nn.Conv2d(a, b, 3, padding=1) for a, b in zip((5, *_CHANNELS), _CHANNELS)]) for _ in range(2))
            self.fc1, self.fc2 = nn.Linear(2 * _CHANNELS[-1] * 16, _HIDDEN), nn.Linear(_HIDDEN, 2 * orientation.SECTORS + 1)
            self.pool, self.drop = nn.MaxPool2d(2), nn.Dropout(_DROP)

        def forward(self, x):
            seen = []
            for part, side in zip((self.wide, self.near), (x[:, 0], x[:, 1])):
                for conv in part:
                    side = self.pool(torch.relu(conv(side)))
                seen.append(side.flatten(1))
            return self.fc2(self.drop(torch.relu(self.fc1(self.drop(torch.cat(seen, 1))))))

    net = Net()
    x, y = torch.from_numpy(inputs), torch.from_numpy(targets)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=epochs * (len(x) // 128) + 1)
    flip = torch.tensor([-1.0, -1.0, 1.0])
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        order, loss_sum = torch.randperm(len(x), generator=generator), 0.0
        net.train()
        for i in range(0, len(x) - 127, 128):
            pick = order[i:i + 128]
            a, b = x[pick].float(), y[pick].clone()
            swap = torch.rand(len(pick), generator=generator) < 0.5
            a[swap], b[swap] = a[swap].flip(4), b[swap] * flip
            tint = 0.1 * (torch.rand(len(pick), 1, 3, 1, 1, generator=generator) - 0.5)
            a[:, :, :3] = a[:, :, :3] * (0.7 + 0.6 * torch.rand(len(pick), 1, 1, 1, 1, generator=generator)) + tint * a[:, :, 3:4]
            a[torch.rand(len(pick), generator=generator) < 0.1, :, 4] = 0.0
            loss = loss_of(net(a), b)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            loss_sum += float(loss.detach())
        print(f"\repoch {epoch + 1}/{epochs} loss {loss_sum / max(1, len(x) // 128):.4f}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return net.eval()


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
        out = net(torch.from_numpy(inputs).float())
        result, n = {"loss": float(loss_of(out, torch.from_numpy(targets)))}, orientation.SECTORS
        at = torch.arange(n) * (2 * math.pi / n)
        for k, name in enumerate(("body", "head")):
            shares = torch.softmax(out[:, k * n:(k + 1) * n], 1)
            near = sum(torch.roll(shares, s, 1) for s in (-1, 0, 1))
            top = at[near.argmax(1)].numpy()
            off = np.degrees(np.abs((top - targets[:, k] + np.pi) % (2 * np.pi) - np.pi))
            result |= {f"{name}_median_deg": float(np.median(off)), f"{name}_p90_deg": float(np.percentile(off, 90))}
    return result | {"pitch_median_deg": float(np.degrees(np.median(np.abs(out[:, -1].numpy() - targets[:, 2]))))}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train the net for head and body direction.")
    parser.add_argument("--count", type=int, default=40000, help="figures (default 40000)")
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--seed", type=int, default=31, help=f"of the figures (default 31); {_VALIDATION} is kept for validation")
    parser.add_argument("--weights", type=Path, default=orientation.WEIGHTS)
    o = parser.parse_args(argv)
    seeds = range(o.seed, o.seed + math.ceil(o.count / _PART))
    if o.count < 1 or _VALIDATION in seeds:
        parser.error(f"--count {o.count} --seed {o.seed}: wanted at least one figure, and seeds without {_VALIDATION}")
    parts = [generate(min(_PART, o.count - _PART * i), seed, "t") for i, seed in enumerate(seeds)]
    inputs, targets = (np.concatenate(each) for each in zip(*parts))
    held, answers = generate(_VALIDATED, _VALIDATION, "v")
    net = train(inputs, targets, o.epochs, seed=1)
    print({k: round(v, 1) for k, v in errors(net, held, answers).items()})
    o.weights.parent.mkdir(parents=True, exist_ok=True)
    arrays = {k: v.numpy().astype(np.float16) for k, v in net.state_dict().items()}
    with tempfile.NamedTemporaryFile(dir=o.weights.parent, suffix=".npz", delete=False) as file:
        np.savez_compressed(file, **arrays)
    os.chmod(file.name, 0o644)
    os.replace(file.name, o.weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
