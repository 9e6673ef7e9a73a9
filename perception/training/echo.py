"""Batches used more than once: where preparing samples takes longer than a training step, the step after is made of the same batch's mirror image.

Choi et al. 2019, Faster Neural Network Training with Data Echoing: repeating samples after they were prepared is worth almost as much as
new ones while something of them varies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import torch

from perception.training.augment import mirrored_joint
from perception.training.shards import JOINTS

_PICTURES = ("rgb", "geometry", "crops", "outline", "instances", "group", "weight", "centre", "offset", "pull", "joints")
_SWAPPED = [JOINTS.index(mirrored_joint(j)) for j in JOINTS]


def mirrored(batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """What a batch of any task's samples (:class:`~perception.training.dataset.Samples`, :class:`~perception.training.crop_dataset.CropSamples`) is of the
    mirror images of its pictures: columns in reverse order, left joints right, offsets to the other side. The tensors given stay as they are."""
    out = {name: torch.flip(value, (-1,)) if name in _PICTURES or name == "name" and value.ndim == 3 else value for name, value in batch.items()}
    if "offset" in out:
        out["offset"] = out["offset"] * out["offset"].new_tensor([1.0, -1.0])[:, None, None]
    if "joints" in out:
        out["joints"] = out["joints"][:, _SWAPPED]
    if "things" in out:
        things = out["things"].clone()
        things[..., 1] = torch.where(things[..., 0] >= 0, 1.0 - things[..., 1], things[..., 1])
        out["things"] = things
    return out


def echoed(batches: Iterable[Mapping[str, torch.Tensor]], times: int, skip: int, device: torch.device) -> Iterator[Mapping[str, torch.Tensor]]:
    """Every batch ``times`` times on ``device``, each second time mirrored; of the first batch not the first ``skip``."""
    for batch in batches:
        there = {name: value.to(device, non_blocking=True) for name, value in batch.items()}
        for turn in range(skip, times):
            yield mirrored(there) if turn % 2 else there
        skip = 0
