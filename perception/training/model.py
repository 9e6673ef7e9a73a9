"""The light network: a small encoder-decoder with colour at full and geometry at half resolution (PyTorch).

After Panoptic-DeepLab (Cheng et al. 2020): semantic, centre and offset heads, here on one shared decoder, with joints at a quarter.
Blocks are depthwise 5×5 and an inverted bottleneck (Sandler et al. 2018; Liu et al. 2022 for the order), about a million parameters.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from perception.detectors.light_features import GEOMETRY

WIDTHS = (24, 48, 96, 160, 224)
HALF = 36  # width at half resolution
DEPTHS = (2, 3, 4, 2)  # blocks at 1/4, 1/8, 1/16, 1/32


def _norm_act(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(inplace=True))


class Block(nn.Module):
    """Residual: depthwise 5×5, then two pointwise layers with twice the width between."""

    def __init__(self, channels: int):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 5, padding=2, groups=channels, bias=False), nn.BatchNorm2d(channels),
                                  nn.Conv2d(channels, 2 * channels, 1, bias=False), *_norm_act(2 * channels),
                                  nn.Conv2d(2 * channels, channels, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x)


class Fuse(nn.Module):
    """Coarse features, narrowed before they are enlarged, added onto finer ones; separable."""

    def __init__(self, coarse: int, fine: int, out: int):
        super().__init__()
        self.narrow = nn.Conv2d(coarse, out, 1, bias=False)
        self.side = nn.Conv2d(fine, out, 1, bias=False)
        self.join = _norm_act(out)
        self.mix = nn.Sequential(nn.Conv2d(out, out, 3, padding=1, groups=out, bias=False), nn.BatchNorm2d(out),
                                 nn.Conv2d(out, out, 1, bias=False), *_norm_act(out))

    def forward(self, coarse: torch.Tensor, fine: torch.Tensor) -> torch.Tensor:
        up = F.interpolate(self.narrow(coarse), scale_factor=2.0, mode="bilinear", align_corners=False)
        return self.mix(self.join(up + self.side(fine)))


class LightNet(nn.Module):
    """``forward``: rgb (n, 3, h, w), geometry (n, 7, h/2, w/2) → semantic logits (n, c, h/2, w/2), centre logits (n, h/2, w/2), offsets
    (n, 2, h/2, w/2) in output pixels (rows, columns), joint logits (n, j, h/4, w/4)."""

    def __init__(self, class_count: int, joint_count: int):
        super().__init__()
        a, b, c, d, e = WIDTHS
        self.stem = nn.Sequential(nn.Conv2d(3, a, 3, stride=2, padding=1, bias=False), *_norm_act(a))
        self.shape = nn.Sequential(nn.Conv2d(len(GEOMETRY), a, 3, padding=1, bias=False), *_norm_act(a))
        stages, before = [], 2 * a
        for width, depth in zip((b, c, d, e), DEPTHS):
            down = nn.Sequential(nn.Conv2d(before, width, 2, stride=2, bias=False), nn.BatchNorm2d(width))
            stages.append(nn.Sequential(down, *[Block(width) for _ in range(depth)]))
            before = width
        self.stages = nn.ModuleList(stages)
        self.up16, self.up8, self.up4 = Fuse(e, d, 128), Fuse(128, c, 96), Fuse(96, b, 64)
        self.up2 = Fuse(64, 2 * a, HALF)
        self.semantic = nn.Conv2d(HALF, class_count, 1)
        self.place = nn.Sequential(nn.Conv2d(HALF, HALF, 3, padding=1, groups=HALF, bias=False), nn.BatchNorm2d(HALF),
                                   nn.Conv2d(HALF, 24, 1, bias=False), *_norm_act(24), nn.Conv2d(24, 3, 1))
        self.joints = nn.Conv2d(64, joint_count, 1)
        with torch.no_grad():  # rare positives: start by saying no (Lin et al. 2017, section 4.1)
            self.place[-1].bias[0] = -4.0
            self.joints.bias.fill_(-4.0)

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        half = torch.cat([self.stem(rgb), self.shape(geometry)], dim=1)
        features, x = [], half
        for stage in self.stages:
            x = stage(x)
            features.append(x)
        x = self.up8(self.up16(features[3], features[2]), features[1])
        quarter = self.up4(x, features[0])
        fine = self.up2(quarter, half)
        place = self.place(fine)
        return self.semantic(fine), place[:, 0], place[:, 1:] * 16.0, self.joints(quarter)


class Deployed(nn.Module):
    """What is exported: likelihoods exp(logit) per class and their sum per pixel (by a convolution, which runtimes do far faster than a
    reduction over channels), centres and joints as probabilities, offsets in output pixels."""

    def __init__(self, net: LightNet):
        super().__init__()
        self.net = net
        self.register_buffer("ones", torch.ones(1, net.semantic.out_channels, 1, 1))

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, ...]:
        semantic, centre, offset, joints = self.net(rgb, geometry)
        likelihood = torch.exp(torch.clamp(semantic, max=30.0))  # float32 holds the sum
        return likelihood, F.conv2d(likelihood, self.ones)[:, 0], torch.sigmoid(centre), offset, torch.sigmoid(joints)
