"""The naming network: what a cut-out instance is, from how it looks, how large it is in metres and where it stands, and its outline (PyTorch).

A crop shows its object at full size whatever its distance, and every image holds a dozen of them: classes are learnt from far fewer images
than a dense network over eighty classes would need. Its eye may start from photographs (:mod:`perception.training.backbone`).
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from perception.detectors.light_crops import CHANNELS, FACTS
from perception.training import backbone
from perception.training.model import Fuse

HIDDEN = 256
_OF_FACTS = 128


class CropNet(nn.Module):
    """``forward``: crops (n, CHANNELS, SIDE, SIDE), facts (n, len(FACTS)) → class logits (n, c), 0 is "nothing"; outline
    logits (n, SIDE, SIDE)."""

    def __init__(self, class_count: int):
        super().__init__()
        self.eye = backbone.MobileNet(CHANNELS)
        quarter, eighth, sixteenth, last = backbone.WIDTHS
        self.up8, self.up4, self.outline = Fuse(sixteenth, eighth, 64), Fuse(64, quarter, 48), nn.Conv2d(48, 16, 1)
        self.facts = nn.Sequential(nn.Linear(len(FACTS), _OF_FACTS), nn.ReLU(inplace=True), nn.Linear(_OF_FACTS, _OF_FACTS), nn.ReLU(inplace=True))
        self.head = nn.Sequential(nn.Linear(last + 2 * sixteenth + _OF_FACTS, HIDDEN), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(HIDDEN, class_count))

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        quarter, eighth, sixteenth, last = self.eye(crops)
        meant = F.avg_pool2d(crops[:, 3:4], 16)  # share of every cell that is the instance's
        inside = (sixteenth * meant).sum(dim=(2, 3)) / (meant.sum(dim=(2, 3)) + 0.1)
        names = self.head(torch.cat([last.mean(dim=(2, 3)), inside, sixteenth.mean(dim=(2, 3)), self.facts(facts)], dim=1))
        return names, F.pixel_shuffle(self.outline(self.up4(self.up8(sixteenth, eighth), quarter)), 4)[:, 0]


class NamesDeployed(nn.Module):
    """What is exported: probabilities (n, c) that sum to one over the classes, and of every pixel to belong to the instance (n, SIDE, SIDE)."""

    def __init__(self, net: CropNet):
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        names, outline = self.net(crops, facts)
        return torch.softmax(names, dim=1), torch.sigmoid(outline)
