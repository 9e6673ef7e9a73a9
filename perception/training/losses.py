"""The four losses of the light network, each a mean so that batch and image size do not change their balance."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.nn import functional as F

SHARES = {"semantic": 1.0, "centre": 1.0, "offset": 0.04, "joints": 0.3}


def focal(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Penalty-reduced focal loss on Gaussian heat-maps, per peak (Zhou et al. 2019, Objects as Points, eq. 1; α = 2, β = 4)."""
    logits = logits.float()
    peak = (target > 0.999).float()
    p = torch.sigmoid(logits)
    hit = -F.logsigmoid(logits) * (1 - p) ** 2 * peak
    miss = -F.logsigmoid(-logits) * p ** 2 * (1 - target) ** 4 * (1 - peak)
    return (hit + miss).sum() / peak.sum().clamp(min=1.0)


def losses(outputs: tuple[torch.Tensor, ...], batch: Mapping[str, torch.Tensor], weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """By name and ``total``. ``weights``: per class, float (c,)."""
    semantic, centre, offset, joints = outputs
    each = F.cross_entropy(semantic.float().contiguous(), batch["label"], weight=weights, reduction="none") * batch["weight"]
    hard = each.flatten().topk(max(1, each.numel() // 4)).values.mean()  # the hardest quarter: walls are soon learnt
    thing = (batch["label"] > 0).float()
    miss = (offset.float() - batch["offset"]).abs().sum(dim=1) * thing * batch["weight"]
    parts = {"semantic": 0.5 * each.mean() + 0.5 * hard, "centre": focal(centre, batch["centre"]),
             "offset": miss.sum() / thing.sum().clamp(min=1.0), "joints": focal(joints, batch["joints"])}
    return {**parts, "total": sum(SHARES[k] * v for k, v in parts.items())}
