"""The training loop of the light network: resumable to the step, on CPU or CUDA.

A checkpoint holds weights, their moving average, the optimiser and the step; sample number n is a function of n alone, so a resumed run
sees the same images as one that was never stopped. Invariant: a checkpoint is written under a temporary name and renamed.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from perception.detectors import DetectorError
from perception.training.augment import AugmentConfig
from perception.training.dataset import Samples, class_weights
from perception.training.losses import losses
from perception.training.model import LightNet
from perception.training.shards import CLASSES, JOINTS, ShardInfo

CHECKPOINT = "checkpoint.pt"
DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True)
class TrainConfig:
    """``steps`` of ``batch`` images at ``size`` (width, height; multiples of 32); ``rate``: highest learning rate (AdamW, warm-up then
    cosine); ``average``: horizon of the weights' moving average, steps; ``seconds``: stop after that much wall time (0: never);
    ``save_every``: steps between checkpoints; ``workers`` load data in processes of their own;
    ``bf16``: half-precision arithmetic on the CPU too (a third faster where it has such instructions; CUDA always uses it)."""

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
    augment: AugmentConfig = field(default_factory=AugmentConfig)

    def __post_init__(self) -> None:
        for name, low, high in (("steps", 1, 10_000_000), ("batch", 1, 1024), ("rate", 1e-6, 1.0), ("decay", 0.0, 1.0), ("average", 1, 1_000_000),
                                ("workers", 0, 128), ("threads", 1, 128), ("save_every", 1, 1_000_000), ("seconds", 0.0, 1e7), ("seed", 0, 2 ** 31)):
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} {getattr(self, name)}: must be {low} to {high}")
        if len(self.size) != 2 or any(v < 32 or v % 32 for v in self.size):
            raise ValueError(f"size {self.size}: must be two multiples of 32")
        if self.device not in DEVICES:
            raise ValueError(f"device '{self.device}': must be {', '.join(DEVICES)}")


@dataclass(frozen=True)
class Outcome:
    """``net`` carries the averaged weights. ``log``: (step, seconds so far, loss). ``seconds``: wall time of all runs together."""

    net: LightNet
    steps: int
    seconds: float
    device: str
    log: tuple[tuple[int, float, float], ...]


def device_of(name: str) -> torch.device:
    """Raises DetectorError when CUDA is asked for and absent."""
    if name == "cuda" and not torch.cuda.is_available():
        raise DetectorError("device 'cuda': this PyTorch sees no CUDA device; use --device cpu or install a CUDA build")
    return torch.device("cuda" if name != "cpu" and torch.cuda.is_available() else "cpu")


def learning_rate(step: int, config: TrainConfig) -> float:
    """Linear warm-up over the first twentieth (at most 500 steps), then a half cosine to a fiftieth."""
    warm = max(1, min(500, config.steps // 20))
    if step < warm:
        return config.rate * (step + 1) / warm
    share = (step - warm) / max(1, config.steps - warm)
    return config.rate * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, share))))


def train(shards: Sequence[ShardInfo], folder: Path, config: TrainConfig, *, resume: bool = False,
          report: Callable[[int, dict[str, float], float], None] | None = None) -> Outcome:
    """Trains in ``folder``, where checkpoints go. ``report``: (step, losses, seconds left). Raises DetectorError."""
    device = device_of(config.device)
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    net = LightNet(len(CLASSES), len(JOINTS)).to(device, memory_format=torch.channels_last)
    mean = LightNet(len(CLASSES), len(JOINTS)).to(device)
    mean.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    step, before, log = 0, 0.0, []
    if resume and (folder / CHECKPOINT).exists():
        step, before, log = _load(folder / CHECKPOINT, net, mean, optimiser, config, device)
    weights = torch.from_numpy(class_weights(shards)).to(device)
    samples = Samples(tuple(shards), config.size, config.seed, step * config.batch, max(0, config.steps - step) * config.batch, config.augment)
    loader = DataLoader(samples, batch_size=config.batch, num_workers=config.workers, pin_memory=device.type == "cuda", drop_last=True)
    start, first = time.monotonic(), step
    net.train()
    for batch in loader:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, config)
        parts = _one_step(net, optimiser, batch, weights, device, config.bf16)
        _follow(mean, net, min(config.average, step // 4 + 1))
        step += 1
        spent = time.monotonic() - start
        over = 0 < config.seconds <= spent
        if report is not None or step % config.save_every == 0 or over:
            values = {k: float(v) for k, v in parts.items()}
            if not math.isfinite(values["total"]):
                raise DetectorError(f"training diverged at step {step} (loss {values['total']}); lower --rate and resume from {folder}")
            log.append((step, before + spent, values["total"]))
            if report is not None:
                report(step, values, spent / (step - first) * (config.steps - step))
        if step % config.save_every == 0 or over:
            _save(folder / CHECKPOINT, net, mean, optimiser, config, step, before + spent, log)
        if over:
            break
    spent = before + time.monotonic() - start
    _save(folder / CHECKPOINT, net, mean, optimiser, config, step, spent, log)
    return Outcome(mean.eval(), step, spent, str(device), tuple(log))


def _one_step(net: LightNet, optimiser: torch.optim.Optimizer, batch: dict[str, torch.Tensor], weights: torch.Tensor,
              device: torch.device, bf16: bool) -> dict[str, torch.Tensor]:
    batch = {k: v.to(device, non_blocking=True) for k, v in batch.items()}
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16 or device.type == "cuda"):
        out = net(batch["rgb"].to(memory_format=torch.channels_last), batch["geometry"].to(memory_format=torch.channels_last))
    parts = losses(out, batch, weights)
    optimiser.zero_grad(set_to_none=True)
    parts["total"].backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimiser.step()
    return {k: v.detach() for k, v in parts.items()}


@torch.no_grad()
def _follow(mean: LightNet, net: LightNet, horizon: int) -> None:
    """Exponential moving average; the horizon grows with the run, so that the beginning is forgotten."""
    rate = 1.0 / horizon
    for a, b in zip(mean.state_dict().values(), net.state_dict().values()):
        if a.dtype.is_floating_point:
            a.lerp_(b.to(a.dtype), rate)
        else:
            a.copy_(b)


def _save(path: Path, net: LightNet, mean: LightNet, optimiser: torch.optim.Optimizer, config: TrainConfig, step: int, seconds: float,
          log: list) -> None:
    state = {"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "seconds": seconds,
             "classes": list(CLASSES), "size": list(config.size), "batch": config.batch, "seed": config.seed, "log": log[-2000:],
             "rate": config.rate, "augment": asdict(config.augment)}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            torch.save(state, file)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _load(path: Path, net: LightNet, mean: LightNet, optimiser: torch.optim.Optimizer, config: TrainConfig,
          device: torch.device) -> tuple[int, float, list]:
    try:
        state = torch.load(path, map_location=device, weights_only=True)
        for name, now in (("classes", list(CLASSES)), ("size", list(config.size)), ("batch", config.batch), ("seed", config.seed)):
            if state[name] != now:
                shown = "another list" if name == "classes" else f"{state[name]}, now {now}"
                raise DetectorError(f"checkpoint '{path}' cannot be resumed: {name} was {shown}")
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        return int(state["step"]), float(state["seconds"]), [tuple(r) for r in state["log"]]
    except DetectorError:
        raise
    except Exception as error:  # torch raises many types for a damaged file
        raise DetectorError(f"checkpoint '{path}' cannot be read: {type(error).__name__}: {str(error)[:120]}") from error
