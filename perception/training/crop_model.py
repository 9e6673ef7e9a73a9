"""The naming network: what a cut-out instance is, from how it looks, how large it is in metres and where it stands (PyTorch).

A crop shows its object at full size whatever its distance, and every image holds a dozen of them: classes are learnt from far fewer images
than a dense network over eighty classes would need.
"""

from __future__ import annotations

import torch
from torch import nn

from perception.detectors.light_crops import CHANNELS, FACTS
from perception.training.model import Block, conv

WIDTHS = (48, 96, 160)
HIDDEN = 160


class CropNet(nn.Module):
    """``forward``: crops (n, CHANNELS, SIDE, SIDE), facts (n, len(FACTS)) → class logits (n, c); 0 is "nothing"."""

    def __init__(self, class_count: int):
        super().__init__()
        a, b, c = WIDTHS
        self.body = nn.Sequential(conv(CHANNELS, a, 4, 4), Block(a), conv(a, b, 2, 2), Block(b), Block(b), conv(b, c, 2, 2), Block(c), Block(c))
        self.facts = nn.Sequential(nn.Linear(len(FACTS), 96), nn.ReLU(inplace=True), nn.Linear(96, 96), nn.ReLU(inplace=True))
        self.head = nn.Sequential(nn.Linear(2 * c + 96, HIDDEN), nn.ReLU(inplace=True), nn.Dropout(0.2), nn.Linear(HIDDEN, class_count))

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> torch.Tensor:
        x = self.body(crops)
        return self.head(torch.cat([x.mean(dim=(2, 3)), x.amax(dim=(2, 3)), self.facts(facts)], dim=1))


class NamesDeployed(nn.Module):
    """What is exported: probabilities (n, c) that sum to one over the classes."""

    def __init__(self, net: CropNet):
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.net(crops, facts), dim=1)
