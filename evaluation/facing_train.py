"""Trains perception's small net for head and body direction on rendered figures: ``python -m evaluation.facing_train``.

Every picture shows figures with looks drawn at random (names that no shipped home uses), in random poses, at random distances, with
sensor noise and parts hidden. Validation is on looks that training never drew. About ten minutes on two CPU cores; the seed fixes the data.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from household.camera import CameraModel
from household.scene_graph import Posture
from perception import orientation
from perception.detectors.simulator import segment
from sim_bridges.embedded.model import Home, Person, PersonState, RobotSpec, RobotState, Room, ThingState, WorldState
from sim_bridges.embedded.noise import add_sensor_noise
from sim_bridges.embedded.render import Renderer, camera_pose_of

_ROOM = 7.0


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
    """Inputs float16 (n, 5, 32, 32) and targets float32 (n, 4): cos, sin of body and of head angle to the camera."""
    rng = np.random.default_rng(seed)
    inputs, targets = [], []
    batch = 0
    while len(inputs) < count:
        batch += 1
        home = _home([f"{prefix}{batch}x{i}" for i in range(4)], rng, int(rng.integers(1000)))
        renderer = Renderer(home, seed=batch, shadows=bool(batch % 2))
        for _ in range(16):
            _one(home, renderer, rng, inputs, targets)
        print(f"\r{len(inputs)}/{count} figures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return np.stack(inputs[:count]).astype(np.float16), np.array(targets[:count], np.float32)


def _one(home: Home, renderer: Renderer, rng: np.random.Generator, inputs: list, targets: list) -> None:
    """One picture; its figures that show their upper body are added."""
    spots = [(float(d * math.cos(a)) + 0.6, float(d * math.sin(a)) + 0.6) for d, a in
             zip(rng.uniform(1.6, 6.0, 4), rng.permutation([0.35, 0.65, 0.95, 1.22]) + rng.normal(0, 0.04, 4))]
    state = WorldState(0.0, people={p.id: _pose(rng, s) for p, s in zip(home.people, spots)}, light=float(rng.uniform(0.4, 1.0)))
    robot = RobotState((0.6, 0.6), 0.785 + float(rng.normal(0, 0.1)), 0.0, float(rng.uniform(-0.35, -0.1)))
    width = int(rng.choice([240, 320, 480]))
    camera = CameraModel.from_fov(width, width * 3 // 4, float(rng.uniform(60, 85)))
    pose = camera_pose_of(robot, home.robot)
    color, depth, ids = renderer.render(state, camera, pose)
    if rng.random() < 0.5:
        color, depth = add_sensor_noise(color, depth, rng)
    table = {v: (i.entity, i.cls) for v, i in renderer.instances.items()}
    for found in segment(ids, table, erosion=int(rng.integers(0, 2))):
        if found.identity is None:
            continue
        body = state.people[found.identity]
        distance = float(np.hypot(body.position[0] - 0.6, body.position[1] - 0.6))
        mask = found.mask.copy()
        if rng.random() < 0.25:  # something stands before it
            mask[int(mask.shape[0] * rng.uniform(0.25, 0.6)):] = False
        if rng.random() < 0.15:
            cut = int(mask.shape[1] * rng.uniform(0.0, 0.35))
            mask[:, :cut] = False
        patch = orientation.crop(color, depth, mask, found.offset, camera, distance * float(rng.uniform(0.93, 1.07)))
        if patch is None:
            continue
        bearing = math.atan2(pose[1, 3] - body.position[1], pose[0, 3] - body.position[0])
        b, h = body.yaw - bearing, body.head_yaw - bearing
        inputs.append(patch)
        targets.append((math.cos(b), math.sin(b), math.cos(h), math.sin(h)))


def train(inputs: np.ndarray, targets: np.ndarray, epochs: int, seed: int):
    """Returns the torch module. Mirror images double the data: left and right swap, angles change sign."""
    import torch
    from torch import nn

    torch.manual_seed(seed)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2, self.conv3 = nn.Conv2d(5, 16, 3, padding=1), nn.Conv2d(16, 32, 3, padding=1), nn.Conv2d(32, 48, 3, padding=1)
            self.fc1, self.fc2 = nn.Linear(48 * 16, 64), nn.Linear(64, 4)
            self.pool, self.drop = nn.MaxPool2d(2), nn.Dropout(0.3)

        def forward(self, x):
            for conv in (self.conv1, self.conv2, self.conv3):
                x = self.pool(torch.relu(conv(x)))
            return self.fc2(self.drop(torch.relu(self.fc1(x.flatten(1)))))

    net = Net()
    x, y = torch.from_numpy(inputs.astype(np.float32)), torch.from_numpy(targets)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    steps = epochs * (len(x) // 128)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps + 1)
    flip = torch.tensor([1.0, -1.0, 1.0, -1.0])
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        order, loss_sum = torch.randperm(len(x), generator=generator), 0.0
        net.train()
        for i in range(0, len(x) - 127, 128):
            pick = order[i:i + 128]
            a, b = x[pick].clone(), y[pick].clone()
            swap = torch.rand(len(pick), generator=generator) < 0.5
            a[swap], b[swap] = a[swap].flip(3), b[swap] * flip
            a[:, :3] = a[:, :3] * (0.7 + 0.6 * torch.rand(len(pick), 1, 1, 1, generator=generator)) \
                + 0.1 * (torch.rand(len(pick), 3, 1, 1, generator=generator) - 0.5) * a[:, 3:4]
            a[torch.rand(len(pick), generator=generator) < 0.1, 4] = 0.0
            loss = ((net(a) - b) ** 2).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            loss_sum += float(loss.detach())
        print(f"\repoch {epoch + 1}/{epochs} loss {loss_sum / max(1, len(x) // 128):.4f}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return net.eval()


def errors(net, inputs: np.ndarray, targets: np.ndarray) -> dict[str, float]:
    """Median and 90th percentile of the angle errors, degrees."""
    import torch

    with torch.no_grad():
        out = net(torch.from_numpy(inputs.astype(np.float32))).numpy()
    result = {}
    for name, k in (("body", 0), ("head", 2)):
        off = np.arctan2(out[:, k + 1], out[:, k]) - np.arctan2(targets[:, k + 1], targets[:, k])
        off = np.degrees(np.abs((off + np.pi) % (2 * np.pi) - np.pi))
        result |= {f"{name}_median_deg": float(np.median(off)), f"{name}_p90_deg": float(np.percentile(off, 90))}
    return result


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Train the net for head and body direction.")
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, default=orientation.WEIGHTS)
    o = parser.parse_args(argv)
    inputs, targets = generate(o.count, o.seed, "t")
    held, answers = generate(max(400, o.count // 10), o.seed + 1, "v")
    net = train(inputs, targets, o.epochs, o.seed)
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
