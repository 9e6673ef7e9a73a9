"""The naming network: what a cut-out instance is, from how it looks, how large it is in metres and where it stands, and its outline (PyTorch).

A crop shows its object at full size whatever its distance, and every image holds a dozen of them: classes are learnt from far fewer images
than a dense network over eighty classes would need. It looks twice: a small eye of its own sees colour, which pixels are meant and their relief, and draws the
outline; a larger one that may start from photographs (:mod:`perception.training.backbone`) sees colour alone and helps to name. :class:`PairNet` adds a second
opinion by a better eye, which is shown the crop at twice that size.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from perception.detectors.light_crops import CHANNELS, FACTS
from perception.training.backbone import EFFICIENTNET, MOBILENET, Eye
from perception.training.model import Block, Fuse, conv

WIDTHS = (48, 96, 160)
HIDDEN = 256
OWN = 2 * WIDTHS[-1]
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
        self.eye = Eye(MOBILENET)
        self.facts = _of_facts()
        _, _, sixteenth, last = MOBILENET.widths
        self.head = _head(OWN + _OF_FACTS + last + 2 * sixteenth, class_count)

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        names, outline, _ = self.look(crops, facts)
        return names, outline

    def look(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Beside both, what its own eye sees, (n, OWN)."""
        quarter = self.stages[0](crops)
        eighth = self.stages[1](quarter)
        own = self.stages[2](eighth)
        _, _, sixteenth, last = self.eye(crops[:, :3])
        meant = F.avg_pool2d(crops[:, 3:4], 16)  # share of every cell that is the instance's
        inside = (sixteenth * meant).sum(dim=(2, 3)) / (meant.sum(dim=(2, 3)) + 0.1)
        seen = torch.cat([own.mean(dim=(2, 3)), own.amax(dim=(2, 3))], dim=1)
        names = self.head(torch.cat([seen, self.facts(facts), last.mean(dim=(2, 3)), inside, sixteenth.mean(dim=(2, 3))], dim=1))
        return names, F.pixel_shuffle(self.outline(self.up4(self.up8(own, eighth), quarter)), 4)[:, 0], seen


class PairNet(nn.Module):
    """Two opinions of a name: that of a :class:`CropNet`, which training leaves as it is unless ``together``, and that of an EfficientNet at twice its size with a head of its
    own. ``forward``: crops (n, CHANNELS, FINE, FINE), facts (n, len(FACTS)) → class logits of the first and of the second, and of both (``share`` of the second's), (n, c)
    each; outline logits (n, SIDE, SIDE), the first's."""

    def __init__(self, class_count: int, share: float = 0.3, together: bool = False):
        super().__init__()
        self.share, self.together = share, together
        self.first = CropNet(class_count)
        self.eye, self.facts = Eye(EFFICIENTNET), _of_facts()
        _, _, sixteenth, last = EFFICIENTNET.widths
        self.head = _head(OWN + _OF_FACTS + 2 * last + 2 * sixteenth, class_count)

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.together):
            named, outline, own = self.first.look(_halved(crops), facts)
        _, _, sixteenth, last = self.eye(crops[:, :3].contiguous(memory_format=torch.channels_last))
        seen = [own.detach(), self.facts(facts)]
        for features, cell in ((last, 32), (sixteenth, 16)):
            meant = F.avg_pool2d(crops[:, 3:4], cell)
            seen += [features.mean(dim=(2, 3)), (features * meant).sum(dim=(2, 3)) / (meant.sum(dim=(2, 3)) + 0.1)]
        names = self.head(torch.cat(seen, dim=1))
        return named, names, (1.0 - self.share) * named + self.share * names, outline

    def train(self, mode: bool = True) -> "PairNet":
        super().train(mode)
        if not self.together:
            self.first.eval()
        return self


class NamesDeployed(nn.Module):
    """What is exported: probabilities (n, c) that sum to one over the classes, and of every pixel to belong to the instance (n, SIDE, SIDE)."""

    def __init__(self, net: CropNet | PairNet):
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor, facts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        *_, names, outline = self.net(crops, facts)
        return torch.softmax(names, dim=1), torch.sigmoid(outline)


def _of_facts() -> nn.Sequential:
    return nn.Sequential(nn.Linear(len(FACTS), _OF_FACTS), nn.ReLU(inplace=True), nn.Linear(_OF_FACTS, _OF_FACTS), nn.ReLU(inplace=True))


def _head(seen: int, class_count: int) -> nn.Sequential:
    return nn.Sequential(nn.BatchNorm1d(seen), nn.Dropout(0.2), nn.Linear(seen, HIDDEN), nn.ReLU(inplace=True), nn.Dropout(0.3), nn.Linear(HIDDEN, class_count))


def _halved(crops: torch.Tensor) -> torch.Tensor:
    """Crops at half their size: colour and which pixels are meant by their means, relief by one pixel of four."""
    return torch.cat([F.avg_pool2d(crops[:, :4], 2), crops[:, 4:, ::2, ::2]], dim=1)
