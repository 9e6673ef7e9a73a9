"""The losses of the networks, each a mean so that batch and image size do not change their balance."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.nn import functional as F

SHARES = {"group": 1.0, "centre": 1.0, "offset": 0.1, "joints": 0.2, "name": 0.25}


def focal(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """Penalty-reduced focal loss on Gaussian heat-maps, per peak (Zhou et al. 2019, Objects as Points, eq. 1; α = 2, β = 4)."""
    logits = logits.float()
    peak = (target > 0.999).float()
    p = torch.sigmoid(logits)
    no = F.softplus(logits)  # -log(1 - p); -log p is that minus the logit
    hit = (no - logits) * (1 - p) ** 2 * peak
    miss = no * p ** 2 * (1 - target) ** 4 * (1 - peak)
    return (hit + miss).sum() / peak.sum().clamp(min=1.0)


def segment_losses(outputs: tuple[torch.Tensor, ...], batch: Mapping[str, torch.Tensor], weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """By name and ``total``. ``weights``: per class, float (c,), for the auxiliary naming."""
    groups, centres, offset, joints, names = outputs
    each = F.cross_entropy(groups.float(), batch["group"], reduction="none") * batch["weight"]
    miss = (offset.float() - batch["offset"]).abs().sum(dim=1) * batch["pull"]
    parts = {"group": each.sum() / batch["weight"].sum(), "centre": focal(centres, batch["centre"]),
             "offset": miss.sum() / batch["pull"].sum().clamp(min=1.0), "joints": focal(joints, batch["joints"]),
             "name": F.cross_entropy(names.float(), batch["name"], weight=weights)}
    return {**parts, "total": sum(SHARES[k] * v for k, v in parts.items())}


def crop_losses(outputs: tuple[torch.Tensor, torch.Tensor], batch: Mapping[str, torch.Tensor], weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """Names by cross-entropy with a little smoothing, outlines by binary cross-entropy and Dice; labels of -1 are padding, for which there are no
    outputs; outlines of -1 are not asked for."""
    logits, outline = outputs[0].float(), outputs[1].float()
    names = batch["name"].flatten()
    true = batch["outline"].flatten(0, 1)[names >= 0]
    names = names[names >= 0]
    right = (logits.argmax(dim=1) == names).float().mean()
    told = true.amin(dim=(1, 2)) >= 0
    true = true.clamp(min=0)
    said, some = torch.sigmoid(outline), (names > 0) & told
    each = F.binary_cross_entropy_with_logits(outline, true, reduction="none").mean(dim=(1, 2))
    dice = 1 - (2 * (said * true).sum(dim=(1, 2)) + 1) / (said.sum(dim=(1, 2)) + true.sum(dim=(1, 2)) + 1)
    parts = {"name": F.cross_entropy(logits, names, weight=weights, label_smoothing=0.05),
             "outline": (each * told).sum() / told.sum().clamp(min=1) + (dice * some).sum() / some.sum().clamp(min=1)}
    return {**parts, "right": right, "total": parts["name"] + parts["outline"]}


def pair_losses(outputs: tuple[torch.Tensor, ...], batch: Mapping[str, torch.Tensor], weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """The second opinion's names by cross-entropy with a little smoothing; how often it is right, and how often both are."""
    names = batch["name"].flatten()
    names = names[names >= 0]
    right, both = ((logits.argmax(dim=1) == names).float().mean() for logits in outputs[1:3])
    loss = F.cross_entropy(outputs[1].float(), names, weight=weights, label_smoothing=0.05)
    return {"name": loss, "right": right, "both": both, "total": loss}


def together_losses(outputs: tuple[torch.Tensor, ...], batch: Mapping[str, torch.Tensor], weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """:func:`crop_losses` of the first opinion, whose outlines are half as fine as those given, and :func:`pair_losses` of the second."""
    outline = F.avg_pool2d(batch["outline"].float(), 2)
    told = batch["outline"].flatten(2).amin(dim=2) >= 0
    first = crop_losses((outputs[0], outputs[3]), {**batch, "outline": torch.where(told[..., None, None], (outline >= 0.5).float(), -1.0)}, weights)
    second = pair_losses(outputs, batch, weights)
    return {"first": first["name"], "outline": first["outline"], "first_right": first["right"], **second, "total": first["total"] + second["total"]}
