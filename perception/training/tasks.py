"""The two things that are trained, in the order in which a detection is made: segmenting an image, naming what was cut out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.utils.data import Dataset

from perception.detectors.light_crops import CHANNELS, FACTS, FINE, SIDE
from perception.detectors.light_features import GEOMETRY
from perception.detectors.light_groups import GROUPS
from perception.training.crop_dataset import CropSamples
from perception.training.crop_model import CropNet, PairNet
from perception.training.dataset import Samples, thing_targets
from perception.training.losses import crop_losses, pair_losses, segment_losses, together_losses
from perception.training.model import SegmentNet
from perception.training.rgbd_model import RgbdNet, rgbd_forward, rgbd_losses
from perception.training.shards import CLASSES, JOINTS, ShardInfo

if TYPE_CHECKING:
    from perception.training.train import TrainConfig


_AT_ONCE = 64  # cuts, to a multiple of which their number is rounded up on a GPU


@dataclass(frozen=True)
class Task:
    """``samples``: (shards, config, first, count) → data set; ``forward``: (net, batch) → outputs; ``losses``: (outputs, batch, class
    weights) → losses by name and their total. ``name`` is also that of the checkpoint."""

    name: str
    net: Callable[[], nn.Module]
    samples: Callable[[Sequence[ShardInfo], TrainConfig, int, int], Dataset]
    forward: Callable[[nn.Module, Mapping[str, torch.Tensor]], object]
    losses: Callable[..., dict[str, torch.Tensor]]
    example: tuple[torch.Tensor, ...] = ()  # inputs for one forward pass


def _segment(net: nn.Module, batch: Mapping[str, torch.Tensor]) -> object:
    return net(batch["rgb"].to(memory_format=torch.channels_last), batch["geometry"].to(memory_format=torch.channels_last))


def _name(net: nn.Module, batch: Mapping[str, torch.Tensor]) -> object:
    there = torch.nonzero(batch["name"].flatten() >= 0)[:, 0]
    count = len(there)
    if there.is_cuda:  # to a number that comes again: each new one makes a GPU plan every layer anew
        there = there[torch.arange(-(-count // _AT_ONCE) * _AT_ONCE, device=there.device) % count]
    out = net(batch["crops"].flatten(0, 1)[there].contiguous(memory_format=torch.channels_last), batch["facts"].flatten(0, 1)[there])
    return tuple(o[:count] for o in out)


SEGMENT = Task("segment", lambda: SegmentNet(len(GROUPS), len(CLASSES), len(JOINTS)),
               lambda shards, config, first, count: Samples(tuple(shards), config.size, config.seed, first, count, config.augment,
                                                             config.keep),
               _segment, segment_losses, (torch.zeros(1, 3, 64, 64), torch.zeros(1, len(GEOMETRY), 32, 32)))
NAME = Task("name", lambda: CropNet(len(CLASSES)), lambda shards, config, first, count: CropSamples(tuple(shards), config.seed, first, count,
                                                                                                         config.keep),
            _name, crop_losses, (torch.zeros(2, CHANNELS, SIDE, SIDE), torch.zeros(2, len(FACTS))))
PAIR = Task("pair", lambda: PairNet(len(CLASSES)), lambda shards, config, first, count: CropSamples(tuple(shards), config.seed, first, count,
                                                                                                         config.keep, FINE),
            _name, pair_losses, (torch.zeros(2, CHANNELS, FINE, FINE), torch.zeros(2, len(FACTS))))
TOGETHER = replace(PAIR, name="together", net=lambda: PairNet(len(CLASSES), together=True), losses=together_losses)
RGBD = Task("rgbd", RgbdNet, lambda shards, config, first, count: Samples(tuple(shards), config.size, config.seed, first, count, config.augment,
                                                                           config.keep, thing_targets),
            rgbd_forward, rgbd_losses, (torch.zeros(1, 3, 64, 64), torch.zeros(1, len(GEOMETRY), 32, 32)))
