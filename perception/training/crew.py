"""Several processes that train one network together, started by ``torchrun`` or with its environment variables (RANK, WORLD_SIZE, ...).

Each computes gradients on its own share of the samples, all take the same step on their mean. Alone, everything here does nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
from torch import distributed, nn
from torch.utils.data import Dataset, Subset


@dataclass(frozen=True)
class Crew:
    """``rank`` of this process among ``size``."""

    rank: int = 0
    size: int = 1

    @classmethod
    def here(cls) -> "Crew":
        """The crew that the environment describes; waits until all have come."""
        size = int(os.environ.get("WORLD_SIZE", "1"))
        if size > 1 and not distributed.is_initialized():
            distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        return cls(distributed.get_rank(), size) if size > 1 else cls()

    def share(self, samples: Dataset) -> Dataset:
        """Every ``size``-th sample from number ``rank`` on."""
        return samples if self.size == 1 else Subset(samples, range(self.rank, len(samples), self.size))

    def average(self, net: nn.Module) -> None:
        """Gradients become the mean over the crew."""
        if self.size == 1:
            return
        grads = [p.grad for p in net.parameters() if p.grad is not None]
        flat = torch.cat([g.reshape(-1) for g in grads])
        distributed.all_reduce(flat)
        flat /= self.size
        at = 0
        for g in grads:
            g.copy_(flat[at:at + g.numel()].view_as(g))
            at += g.numel()

    def agreed(self, yes: bool) -> bool:
        """Whether the first of the crew says yes: all stop at the same step."""
        if self.size == 1:
            return yes
        word = torch.tensor([int(yes)], device="cuda" if torch.cuda.is_available() else "cpu")
        distributed.broadcast(word, 0)
        return bool(word.item())
