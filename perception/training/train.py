"""The training loop of the detectors' networks: resumable to the step, on CPU or CUDA.

A checkpoint holds weights, their moving average, the optimiser and the step; sample number n is a function of n alone, so a resumed run
sees the same images as one that was never stopped. Invariant: a checkpoint is written under a temporary name and renamed.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from perception.detectors import DetectorError
from perception.training.augment import AugmentConfig
from perception.training.crew import Crew
from perception.training.dataset import class_weights
from perception.training.echo import echoed
from perception.training.shards import CLASSES, ShardInfo
from perception.training.tasks import Task

DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True)
class TrainConfig:
    """``steps`` of ``batch`` images at ``size`` (width, height; multiples of 32); ``rate``: highest learning rate (AdamW, warm-up then
    cosine); ``average``: horizon of the weights' moving average, steps; ``seconds``: stop after that much wall time (0: never), the learning
    rate falling with the time where that runs out first;
    ``save_every``: steps between checkpoints; ``workers`` load data in processes of their own;
    ``echo``: steps that each batch is used for, every second time mirrored (more where preparing images is what a step waits for);
    ``keep``: images held in memory, decoded beforehand and shared where there are workers; ``bf16``: half-precision arithmetic on the CPU too (a third faster where it has such instructions; CUDA always uses it)."""

    steps: int = 20_000
    batch: int = 8
    size: tuple[int, int] = (640, 480)
    rate: float = 2e-3
    decay: float = 0.02
    average: int = 500
    seed: int = 1
    device: str = "auto"
    workers: int = 0
    threads: int = 1
    save_every: int = 200
    seconds: float = 0.0
    bf16: bool = False
    echo: int = 1
    keep: int = 0
    augment: AugmentConfig = field(default_factory=AugmentConfig)

    def __post_init__(self) -> None:
        for name, low, high in (("steps", 1, 10_000_000), ("batch", 1, 1024), ("rate", 1e-6, 1.0), ("decay", 0.0, 1.0), ("average", 1, 1_000_000),
                                ("workers", 0, 128), ("echo", 1, 16), ("threads", 1, 128), ("save_every", 1, 1_000_000), ("seconds", 0.0, 1e7), ("keep", 0, 10_000_000), ("seed", 0, 2 ** 31)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} {getattr(self, name)}: must be {low} to {high}")
        if len(self.size) != 2 or any(v < 32 or v % 32 for v in self.size):
            raise ValueError(f"size {self.size}: must be two multiples of 32")
        if self.device not in DEVICES:
            raise ValueError(f"device '{self.device}': must be {', '.join(DEVICES)}")


@dataclass(frozen=True)
class Outcome:
    """``net`` carries the averaged weights. ``log``: (step, seconds so far, loss). ``seconds``: wall time of all runs together. ``phases``: of
    every run (width, height, batch, images there were, step at its end)."""

    net: nn.Module
    steps: int
    seconds: float
    device: str
    log: tuple[tuple[int, float, float], ...]
    phases: tuple[tuple[int, int, int, int, int], ...]


def device_of(name: str) -> torch.device:
    """Raises DetectorError when CUDA is asked for and absent."""
    if name == "cuda" and not torch.cuda.is_available():
        raise DetectorError("device 'cuda': this PyTorch sees no CUDA device; use --device cpu or install a CUDA build")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def learning_rate(step: int, config: TrainConfig, spent: float = 0.0) -> float:
    """Linear warm-up over the first twentieth (at most 200 steps), then a half cosine to a hundredth over what comes to an end first, the steps
    or the time."""
    warm = max(1, min(200, config.steps // 20))
    share = max((step - warm) / max(1, config.steps - warm), spent / config.seconds if config.seconds else 0.0)
    return config.rate * min(1.0, (step + 1) / warm) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, max(0.0, share)))))


def train(task: Task, shards: Sequence[ShardInfo], folder: Path, config: TrainConfig, *, resume: bool = False,
          report: Callable[[int, dict[str, float], float], None] | None = None, start: Callable[[nn.Module], None] | None = None) -> Outcome:
    """Trains in ``folder``, where checkpoints go. ``report``: (step, losses, seconds left); ``start`` prepares a network that no checkpoint
    continues. Raises DetectorError."""
    device, path, crew = device_of(config.device), folder / f"{task.name}.pt", Crew.here()
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    net = task.net().to(device, memory_format=torch.channels_last)
    going_on = resume and path.exists()
    if start is not None and not going_on:
        start(net)
    mean = task.net().to(device)
    mean.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    step, before, log, phases = 0, 0.0, [], []
    if going_on:
        step, before, log, phases = _load(path, net, mean, optimiser, config, device)
    images = sum(len(s.counts) for s in shards)
    weights = torch.from_numpy(class_weights(shards)).to(device)
    begin = step // config.echo  # of the batches
    samples = task.samples(shards, config, begin * config.batch * crew.size, max(0, -(-config.steps // config.echo) - begin) * config.batch * crew.size)
    if config.workers and config.keep:
        samples.fill(config.workers)
    loader = DataLoader(crew.share(samples), batch_size=config.batch, num_workers=config.workers, pin_memory=device.type == "cuda", drop_last=True)
    begun, first, spent = time.monotonic(), step, 0.0
    net.train()
    for batch in echoed(loader, config.echo, step % config.echo, device):
        if step >= config.steps:
            break
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, config, spent)
        torch.manual_seed(config.seed * 1_000_003 + step)  # what is dropped out follows from the step, so that a resumed run repeats it
        parts = _one_step(task, net, optimiser, batch, weights, config.bf16, crew)
        _follow(mean, net, min(config.average, step // 4 + 1))
        step += 1
        spent = time.monotonic() - begun
        over = crew.agreed(0 < config.seconds <= spent)
        if report is not None or step % config.save_every == 0 or over:
            values = {k: float(v) for k, v in parts.items()}
            if not math.isfinite(values["total"]):
                raise DetectorError(f"training diverged at step {step} (loss {values['total']}); lower --rate and resume from {folder}")
            log.append((step, before + spent, values["total"]))
            if report is not None:
                left = spent / (step - first) * (config.steps - step)
                report(step, values, min(left, config.seconds - spent) if config.seconds else left)
        if crew.rank == 0 and (step % config.save_every == 0 or over):
            _save(path, net, mean, optimiser, config, step, before + spent, log, [*phases, [*config.size, config.batch * crew.size, images, step]])
        if over:
            break
    spent = before + time.monotonic() - begun
    if step > first:
        phases = [*phases, [*config.size, config.batch * crew.size, images, step]]
    if crew.rank == 0:
        _save(path, net, mean, optimiser, config, step, spent, log, phases)
    return Outcome(mean.eval(), step, spent, str(device), tuple(log), tuple(map(tuple, phases)))


def restore(task: Task, folder: Path, config: TrainConfig) -> Outcome:
    """What an earlier run has come to. Raises DetectorError when there is none."""
    path, net = folder / f"{task.name}.pt", task.net()
    if not path.is_file():
        raise DetectorError(f"checkpoint '{path}' is missing: the network '{task.name}' has not been trained in this folder")
    step, seconds, log, phases = _load(path, task.net(), net, None, config, torch.device("cpu"))
    return Outcome(net.eval(), step, seconds, "cpu", tuple(log), tuple(map(tuple, phases)))


def _one_step(task: Task, net: nn.Module, optimiser: torch.optim.Optimizer, batch: Mapping[str, torch.Tensor], weights: torch.Tensor,
              bf16: bool, crew: Crew) -> dict[str, torch.Tensor]:
    with torch.autocast(weights.device.type, torch.bfloat16, enabled=bf16 or weights.device.type == "cuda"):
        out = task.forward(net, batch)
    parts = task.losses(out, batch, weights)
    optimiser.zero_grad(set_to_none=True)
    parts["total"].backward()
    crew.average(net)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return {k: v.detach() for k, v in parts.items()}


@torch.no_grad()
def _follow(mean: nn.Module, net: nn.Module, horizon: int) -> None:
    """Exponential moving average; the horizon grows with the run, so that the beginning is forgotten."""
    rate = 1.0 / horizon
    for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
        if a.dtype.is_floating_point:
            a.lerp_(b.to(a.dtype), rate)
        else:
            a.copy_(b)


def _save(path: Path, net: nn.Module, mean: nn.Module, optimiser: torch.optim.Optimizer, config: TrainConfig, step: int, seconds: float,
          log: list, phases: list) -> None:
    state = {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "seconds": seconds,
             "classes": list(CLASSES), "size": list(config.size), "batch": config.batch, "seed": config.seed, "log": log[-2000:],
             "rate": config.rate, "augment": asdict(config.augment), "phases": phases}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            torch.save(state, file)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _load(path: Path, net: nn.Module, mean: nn.Module, optimiser: torch.optim.Optimizer | None, config: TrainConfig,
          device: torch.device) -> tuple[int, float, list, list]:
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        same = (("batch", config.batch), ("seed", config.seed)) if optimiser is not None else ()
        for name, now in (("classes", list(CLASSES)), *same):
            if state[name] != now:
                shown = "another list" if name == "classes" else f"{state[name]}, now {now}"
                raise DetectorError(f"checkpoint '{path}' cannot be resumed: {name} was {shown}")
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        if optimiser is not None:
            optimiser.load_state_dict(state["optimiser"])
        return int(state["step"]), float(state["seconds"]), [tuple(r) for r in state["log"]], list(state.get("phases", []))
    except DetectorError:
        raise
    except Exception as error:  # torch raises many types for a damaged file
        raise DetectorError(f"checkpoint '{path}' cannot be read: {type(error).__name__}: {str(error)[:120]}") from error
