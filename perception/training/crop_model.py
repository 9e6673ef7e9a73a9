"""The naming network: what a cut-out instance is, from how it looks, how large it is in metres and where it stands, and its outline (PyTorch).

A crop shows its object at full size whatever its distance, and every image holds a dozen of them: classes are learnt from far fewer images
than a dense network over eighty classes would need. It looks twice: a small eye of its own sees colour, which pixels are meant and their relief, and draws the
outline; a larger one that may start from photographs (:mod:`perception.training.backbone`) sees colour alone and helps to name.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from perception.detectors.light_crops import CHANNELS, FACTS
from perception.training import backbone
from perception.training.model import Block, Fuse, conv

WIDTHS = (48, 96, 160)
HIDDEN = 256
_OF_FACTS = 96


class CropNet(nn.Module):
    """``forward``: crops (n, CHANNELS, SIDE, SIDE), facts (n, len(FACTS)) → class logits (n, c), 0 is "nothing"; outline
    logits (n, SIDE, SIDE)."""

    def __init__(self, class_count: int):
        super().__init__()
        a, b, c = WIDTHS
        self.stages = nn.ModuleList([nn.Sequential(conv(CHANNELS, a, 4, 4), Block(a)), nn.Sequential(conv(a, b, 2, 2), Block(b), Block(b)),
                                     nn.Sequential(conv(b, c, 2, 2), Block(c), Block(c))])
        self.up8, self.up4, self.outline = Fuse(c, b, 64), Fuse(64, a, 48), nn.Conv2d(48, 16, 1)
        self.eye = backbone.MobileNet()
        self.facts = nn.Sequential(nn.Linear(len(FACTS), _OF_FACTS), nn.ReLU(inplace=True), nn.Linear(_OF_FACTS, _OF_FACTS), nn.ReLU(inplace=True))
        _, _, sixteenth, last = backbone.WIDTHS
        seen = 2 * c + _OF_FACTS + last + 2 * sixteenth
        self.head = nn.Sequential(nn.BatchNorm1d(seen), nn.Dropout(0.2), nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Dropout(0.3),
                                  nn.Linear(HIDDEN, class_count))

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        quarter = self.stages[0](crops)
        eighth = self.stages[1](quarter)
        own = self.stages[2](eighth)
        with torch.autocast(crops.device.type, enabled=crops.device.type != "cpu" and torch.is_autocast_enabled(crops.device.type)):
            _, _, sixteenth, last = self.eye(crops[:, :3])  # filters of single channels are slow in half precision on a CPU
        meant = F.avg_pool2d(crops[:, 3:4], 16)  # share of every cell that is the instance's
        inside = (sixteenth * meant).sum(dim=(2, 3)) / (meant.sum(dim=(2, 3)) + 0.1)
        names = self.head(torch.cat([own.mean(dim=(2, 3)), own.amax(dim=(2, 3)), self.facts(facts), last.mean(dim=(2, 3)), inside,
                                     sixteenth.mean(dim=(2, 3))], dim=1))
        return names, F.pixel_shuffle(self.outline(self.up4(self.up8(own, eighth), quarter)), 4)[:, 0]


class NamesDeployed(nn.Module):
    """What is exported: probabilities (n, c) that sum to one over the classes, and of every pixel to belong to the instance (n, SIDE, SIDE)."""

    def __init__(self, net: CropNet):
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        names, outline = self.net(crops, facts)
        return torch.softmax(names, dim=1), torch.sigmoid(outline)
