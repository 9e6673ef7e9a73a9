"""The one-network detector on colour and depth: YOLOv8n (Jocher et al. 2023) that also sees geometry, with masks and joints (PyTorch).

Backbone, neck and box head keep the layers and names of the published network, so that weights learnt on COCO fit (:func:`start`); the library that
defines them is AGPL-3.0 and is needed for training alone. Three things are added. Geometry (:mod:`perception.detectors.light_features`) joins the
colour features at 1/4 and 1/8 through layers whose last weights start at zero, so that training begins from the published network undisturbed.
A decoder at 1/4 carries mask prototypes (Bolya et al. 2019, YOLACT, section 3), people's joints as heat-maps, and a fourth, finer level of
detection for what is a dozen pixels wide.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import torch
from torch import nn
from torch.nn import functional as F

from household import classes
from perception.detectors import DetectorError
from perception.detectors.light_features import GEOMETRY
from perception.training.shards import CLASSES, JOINTS

STRIDES = (4, 8, 16, 32)
PROTOTYPES, REACH = 32, 16  # masks are mixed of so many; a box side is told in so many bins
_COCO = 80
_FINE, _TRUNK = 64, 48
_QUARTER, _EIGHTH = 2, 4  # layers of the backbone that end at 1/4 and 1/8
_GAINS = {"box": 7.5, "mask": 7.5, "name": 0.5, "edge": 1.5, "joints": 0.6}


def _library():
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false")
    from ultralytics.nn import tasks
    from ultralytics.nn.modules import C2f, Conv

    return tasks, Conv, C2f


class Geometry(nn.Module):
    """Seven geometric channels at 1/2 → what is added to the colour features at 1/4 (n, 32) and 1/8 (n, 64); zero at first."""

    def __init__(self, quarter: int, eighth: int):
        super().__init__()
        _, Conv, C2f = _library()
        self.enter = nn.Sequential(Conv(len(GEOMETRY), 24, 3), Conv(24, quarter, 3, 2), C2f(quarter, quarter, 1, True))
        self.on = nn.Sequential(Conv(quarter, eighth, 3, 2), C2f(eighth, eighth, 1, True))
        self.out4, self.out8 = nn.Conv2d(quarter, quarter, 1), nn.Conv2d(eighth, eighth, 1)
        for layer in (self.out4, self.out8):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, geometry: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.enter(geometry)
        return self.out4(x), self.out8(self.on(x))


class Fine(nn.Module):
    """Features at 1/4 from the neck's at 1/8 and the backbone's at 1/4, and what is read off them: prototypes, joints, and a level of detection."""

    def __init__(self, eighth: int, quarter: int, class_count: int, joint_count: int):
        super().__init__()
        _, Conv, _ = _library()
        self.before, self.up, self.side = Conv(eighth, _FINE, 3), nn.ConvTranspose2d(_FINE, _FINE, 2, 2), nn.Conv2d(quarter, _FINE, 1)
        self.mix = Conv(_FINE, _FINE, 3)
        self.prototypes = Conv(_FINE, PROTOTYPES, 1)
        self.joints = nn.Sequential(Conv(_FINE, 32, 3), nn.Conv2d(32, joint_count, 1))
        self.trunk = nn.Sequential(Conv(_FINE, _TRUNK, 3), Conv(_TRUNK, _TRUNK, 3))
        self.box, self.name, self.mask = (nn.Conv2d(_TRUNK, n, 1) for n in (4 * REACH, class_count, PROTOTYPES))

    def forward(self, eighth: torch.Tensor, quarter: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.mix(self.up(self.before(eighth)) + self.side(quarter))
        t = self.trunk(x)
        return self.prototypes(x), self.joints(x), self.box(t), self.name(t), self.mask(t)


class RgbdNet(nn.Module):
    """``forward``: rgb (n, 3, h, w) in [-1, 1], geometry (n, 7, h/2, w/2) → for all a anchors, finest level first: box bins (n, 64, a), class logits
    (n, c, a), mask coefficients (n, 32, a); prototypes (n, 32, h/4, w/4), joint logits (n, j, h/4, w/4). c does not count the background;
    h and w are multiples of 32."""

    def __init__(self, class_count: int = len(CLASSES) - 1, joint_count: int = len(JOINTS)):
        super().__init__()
        tasks, Conv, _ = _library()
        layers = tasks.SegmentationModel("yolov8n-seg.yaml", nc=_COCO, verbose=False).model
        head = layers[-1]
        self.layers = nn.ModuleList(layers[:-1])
        self.wiring = [layer.f for layer in self.layers]
        self.ends = list(head.f)
        self.boxes, self.names, self.masks = head.cv2, head.cv3, head.cv4
        for branch in self.names:
            branch[-1] = nn.Conv2d(branch[-1].in_channels, class_count, 1)
        widths = {i: self.layers[i].cv2.conv.out_channels for i in (_QUARTER, _EIGHTH, self.ends[0])}
        self.geometry = Geometry(widths[_QUARTER], widths[_EIGHTH])
        self.fine = Fine(widths[self.ends[0]], widths[_QUARTER], class_count, joint_count)
        with torch.no_grad():  # rare positives: start by saying no
            for last in (*(b[-1] for b in self.names), self.fine.name):
                last.bias.fill_(-7.0)
            for last in (*(b[-1] for b in self.boxes), self.fine.box):
                last.bias.fill_(1.0)
            self.fine.joints[-1].bias.fill_(-4.0)

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, ...]:
        added = dict(zip((_QUARTER, _EIGHTH), self.geometry(geometry)))
        x, made = (rgb + 1.0) * 0.5, []
        for i, (layer, source) in enumerate(zip(self.layers, self.wiring)):
            given = x if source == -1 else [x if s == -1 else made[s] for s in source] if isinstance(source, list) else made[source]
            x = layer(given)
            if i in added:
                x = x + added[i]
            made.append(x)
        levels = [made[i] for i in self.ends]
        prototypes, joints, box, name, mask = self.fine(levels[0], made[_QUARTER])
        boxes = [box, *(branch(x) for branch, x in zip(self.boxes, levels))]
        names = [name, *(branch(x) for branch, x in zip(self.names, levels))]
        masks = [mask, *(branch(x) for branch, x in zip(self.masks, levels))]
        return *(torch.cat([x.flatten(2) for x in parts], dim=2) for parts in (boxes, names, masks)), prototypes, joints


def start(net: RgbdNet, path: Path) -> int:
    """Copies what fits from the published detection weights (``yolov8n.pt``, learnt on COCO); classes that COCO has too keep their last weights.
    Returns how many arrays were copied. Raises DetectorError."""
    _library()
    try:
        model = torch.load(path, map_location="cpu", weights_only=False)["model"].float()
        known, names = model.state_dict(), dict(model.names)
    except Exception as error:  # torch and pickle raise many types
        raise DetectorError(f"'{path}' is no weights file of YOLOv8n: {type(error).__name__}: {str(error)[:120]}") from error
    own, copied, head = net.state_dict(), 0, len(net.layers)
    for key, value in known.items():
        _, number, rest = key.split(".", 2)
        if int(number) < head:
            name = f"layers.{number}.{rest}"
        else:
            name = rest.replace("cv2", "boxes", 1).replace("cv3", "names", 1) if rest.startswith(("cv2", "cv3")) else ""
        if name in own and own[name].shape == value.shape:
            own[name].copy_(value)
            copied += 1
    if copied < 300:
        raise DetectorError(f"'{path}' does not fit: only {copied} arrays of YOLOv8n were found in it")
    words = {i: row.id for i, n in names.items() if (row := classes.class_for_word(n)) is not None}
    for level, branch in enumerate(net.names):
        weight, bias = (known[f"model.{head}.cv3.{level}.2.{k}"] for k in ("weight", "bias"))
        with torch.no_grad():
            branch[-1].weight.copy_(weight.mean(dim=0, keepdim=True).expand_as(branch[-1].weight) + 0.01 * torch.randn_like(branch[-1].weight))
            for i, cls in words.items():
                if cls in CLASSES[1:]:
                    branch[-1].weight[CLASSES.index(cls) - 1] = weight[i]
                    branch[-1].bias[CLASSES.index(cls) - 1] = bias[i]
    return copied


def anchors(size: tuple[int | torch.Tensor, int | torch.Tensor], device: torch.device | str = "cpu") -> tuple[torch.Tensor, torch.Tensor]:
    """Middles of all cells in units of their level's stride, float32 (a, 2) as x y, and the strides (a, 1); ``size`` = (width, height), tensors where a graph
    is traced that is to work at other sizes, too."""
    points, strides = [], []
    for s in STRIDES:
        y, x = torch.meshgrid(torch.arange(size[1] // s, device=device) + 0.5, torch.arange(size[0] // s, device=device) + 0.5, indexing="ij")
        points.append(torch.stack([x, y], dim=-1).reshape(-1, 2))
        strides.append(torch.full_like(points[-1][:, :1], float(s)))
    return torch.cat(points), torch.cat(strides)


class Deployed(nn.Module):
    """What is exported, for one image: boxes x0 y0 x1 y1 in input pixels (n, a, 4), class probabilities (n, c, a), mask coefficients
    (n, 32, a), prototypes (n, 32, h/4, w/4), joint probabilities (n, j, h/4, w/4). h and w may be any multiples of 32."""

    def __init__(self, net: RgbdNet):
        super().__init__()
        self.net = net
        self.register_buffer("bins", torch.arange(REACH, dtype=torch.float32))

    def forward(self, rgb: torch.Tensor, geometry: torch.Tensor) -> tuple[torch.Tensor, ...]:
        bins, names, masks, prototypes, joints = self.net(rgb, geometry)
        points, strides = anchors((rgb.shape[3], rgb.shape[2]), rgb.device)
        sides = (bins.unflatten(1, (4, REACH)).softmax(dim=2) * self.bins.view(1, 1, REACH, 1)).sum(dim=2).transpose(1, 2)
        boxes = torch.cat([points - sides[..., :2], points + sides[..., 2:]], dim=-1) * strides
        return boxes, torch.sigmoid(names), masks, prototypes, torch.sigmoid(joints)


def rgbd_forward(net: nn.Module, batch) -> tuple[torch.Tensor, ...]:
    return net(batch["rgb"].to(memory_format=torch.channels_last), batch["geometry"].to(memory_format=torch.channels_last))


def rgbd_losses(outputs: tuple[torch.Tensor, ...], batch, weights: torch.Tensor) -> dict[str, torch.Tensor]:
    """The library's losses of boxes, masks and names (task-aligned assignment, Feng et al. 2021), and the focal loss of joints; by name and
    ``total``. ``weights``: per class, float (c + 1,), the background first."""
    from perception.training.losses import focal

    bins, names, masks, prototypes, joints = (x.float() for x in outputs)
    judge = _judge(names.shape[1], names.device)
    judge.class_weights = weights[1:].view(1, 1, -1)
    rows = batch["things"]  # (n, most, 5): class, middle and size as shares of the image; class -1 is padding
    which, k = torch.nonzero(rows[..., 0] >= 0, as_tuple=True)
    chosen = rows[which, k]
    h, w = prototypes.shape[2] * 4, prototypes.shape[3] * 4
    feats = [torch.empty(0, 0, h // s, w // s, device=names.device) for s in STRIDES]
    loss, parts = judge.loss({"boxes": bins, "scores": names, "feats": feats, "mask_coefficient": masks, "proto": prototypes},
                             {"batch_idx": which.float(), "cls": chosen[:, 0], "bboxes": chosen[:, 1:], "masks": batch["instances"]})
    each = {"box": parts["box_loss"], "mask": parts["seg_loss"], "name": parts["cls_loss"], "edge": parts["dfl_loss"], "joints": focal(joints, batch["joints"])}
    return {**each, "total": loss.sum() / len(names) + _GAINS["joints"] * each["joints"]}


_JUDGES: dict[tuple[int, str], object] = {}


def _judge(class_count: int, device: torch.device):
    """The library's loss object; it only asks the model for its last layer's shape and the gains."""
    key = (class_count, str(device))
    if key not in _JUDGES:
        _library()
        from ultralytics.utils.loss import v8SegmentationLoss

        head = SimpleNamespace(stride=torch.tensor(STRIDES, dtype=torch.float32, device=device), nc=class_count, reg_max=REACH)
        gains = SimpleNamespace(box=_GAINS["box"], cls=_GAINS["name"], dfl=_GAINS["edge"], overlap_mask=True)
        bare = SimpleNamespace(args=gains, model=[head], parameters=lambda: iter([torch.empty(0, device=device)]))
        _JUDGES[key] = v8SegmentationLoss(bare)
    return _JUDGES[key]
