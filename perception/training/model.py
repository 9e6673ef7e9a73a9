"""The segmenting network: which pixels belong together, and roughly what they are (PyTorch).

After Panoptic-DeepLab (Cheng et al. 2020): semantic, centre and offset heads on one decoder. Two choices make it learnable in an hour on one
core. It tells only a handful of groups apart at full detail (:mod:`perception.detectors.light_groups`; depth and height say most of that), each
with centres of its own, so that an apple never competes with its table; the eighty classes are an auxiliary task at 1/8, and naming is left to
:mod:`perception.training.crop_model`. And nothing is computed at full or half resolution: pixels enter by patches of four, and the heads
unfold quarter features into half-resolution maps (Shi et al. 2016, section 2.2). Blocks are plain bottlenecks (He et al. 2016): on a CPU with
half-precision dot products they are three times as fast as depthwise ones.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from perception.detectors.light_features import GEOMETRY

COLOUR = 40  # of the first features; the rest of the first width is geometry
WIDTHS = (64, 96, 160, 224)  # at 1/4, 1/8, 1/16, 1/32
DEPTHS = (1, 3, 4, 3)
DECODER = (96, 64, 48)  # at 1/16, 1/8, 1/4
OFFSET_SCALE = 16.0


def conv(before: int, after: int, kernel: int = 1, stride: int = 1) -> nn.Sequential:
    """Convolution, normalisation, rectification; strided ones take disjoint patches."""
    return nn.Sequential(nn.Conv2d(before, after, kernel, stride, kernel // 2 if stride == 1 else 0, bias=False), nn.BatchNorm2d(after),
                         nn.ReLU(inplace=True))


class Block(nn.Module):
    """Residual bottleneck of half the width."""

    def __init__(self, width: int):
        super().__init__()
        inner = width // 2
        self.body = nn.Sequential(conv(width, inner), conv(inner, inner, 3), nn.Conv2d(inner, width, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + self.body(x))


class Fuse(nn.Module):
    """Coarse features, narrowed before they are enlarged, added onto finer ones."""

    def __init__(self, coarse: int, fine: int, out: int):
        super().__init__()
        self.narrow, self.side = nn.Conv2d(coarse, out, 1, bias=False), nn.Conv2d(fine, out, 1, bias=False)
        self.join = nn.Sequential(nn.BatchNorm2d(out), nn.ReLU(inplace=True))
        self.mix = conv(out, out, 3)

    def forward(self, coarse: torch.Tensor, fine: torch.Tensor) -> torch.Tensor:
        return self.mix(self.join(F.interpolate(self.narrow(coarse), scale_factor=2.0, mode="nearest") + self.side(fine)))


class SegmentNet(nn.Module):
    """``forward``: rgb (n, 3, h, w), geometry (n, 7, h/2, w/2) → group logits (n, g, h/2, w/2), centre logits of every group but the
    background (n, g - 1, h/2, w/2), offsets (n, 2, h/2, w/2) in output pixels (rows, columns), joint logits (n, j, h/4, w/4), class logits
    (n, c, h/8, w/8). h and w are multiples of 32."""

    def __init__(self, group_count: int, class_count: int, joint_count: int):
        super().__init__()
        self.groups = group_count
        self.colour = nn.Conv2d(3, COLOUR, 4, 4, bias=False)
        self.shape = nn.Conv2d(len(GEOMETRY), WIDTHS[0] - COLOUR, 2, 2, bias=False)
        self.join = nn.Sequential(nn.BatchNorm2d(WIDTHS[0]), nn.ReLU(inplace=True))
        stages, before = [], None
        for width, depth in zip(WIDTHS, DEPTHS):
            down = [conv(before, width, 2, 2)] if before else []
            stages.append(nn.Sequential(*down, *[Block(width) for _ in range(depth)]))
            before = width
        self.stages = nn.ModuleList(stages)
        a, b, c = DECODER
        self.up16, self.up8, self.up4 = Fuse(WIDTHS[3], WIDTHS[2], a), Fuse(a, WIDTHS[1], b), Fuse(b, WIDTHS[0], c)
        self.dense = nn.Conv2d(c, 4 * (2 * group_count + 1), 1)
        self.joints = nn.Conv2d(c, joint_count, 1)
        self.classes = nn.Conv2d(b, class_count, 1)
        with torch.no_grad():  # rare positives: start by saying no (Lin et al. 2017, section 4.1)
            self.dense.bias[4 * group_count:4 * (2 * group_count - 1)] = -4.0
            self.joints.bias.fill_(-4.0)

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, ...]:
        features, x = [], self.join(torch.cat([self.colour(rgb), self.shape(geometry)], dim=1))
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        eighth = self.up8(self.up16(features[3], features[2]), features[1])
        quarter = self.up4(eighth, features[0])
        dense = F.pixel_shuffle(self.dense(quarter), 2)
        g = self.groups
        return dense[:, :g], dense[:, g:2 * g - 1], dense[:, 2 * g - 1:] * OFFSET_SCALE, self.joints(quarter), self.classes(eighth)


class Deployed(nn.Module):
    """What is exported: probabilities of groups, centres, joints and classes, and offsets in output pixels."""

    def __init__(self, net: SegmentNet):
        super().__init__()
        self.net = net

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, ...]:
        groups, centres, offset, joints, names = self.net(rgb, geometry)
        return torch.softmax(groups, dim=1), torch.sigmoid(centres), offset, torch.sigmoid(joints), torch.softmax(names, dim=1)
