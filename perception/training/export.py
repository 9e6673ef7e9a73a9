"""The trained networks as ONNX files that say what they expect: classes, input size, joints, channels.

Weights are stored in half precision and cast on loading (the runtime folds that), which halves the file and leaves the arithmetic in
single precision.
"""

from __future__ import annotations

import copy
import json
import os
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from perception import orientation
from perception.detectors import rgbd
from perception.detectors.light import FORMAT, INPUTS, NAMES_FORMAT, NAMES_INPUTS, NAMES_OUTPUTS, OUTPUTS
from perception.detectors.light_crops import CHANNELS, FACTS, FINE, SIDE
from perception.detectors.light_features import GEOMETRY
from perception.detectors.light_groups import GROUPS
from perception.training.crop_model import CropNet, NamesDeployed, PairNet
from perception.training.model import Deployed, SegmentNet
from perception.training.rgbd_model import Deployed as RgbdDeployed
from perception.training.rgbd_model import RgbdNet
from perception.training.shards import CLASSES, JOINTS

OPSET = 17
_LEAST = 256  # numbers in an array worth halving


def export(net: SegmentNet, size: tuple[int, int], path: Path, facts: dict[str, str] | None = None) -> int:
    """Writes the segmenting network (temporary name, then renamed); returns its bytes. ``facts``: further metadata, text to text."""
    width, height = size
    example = (torch.zeros(1, 3, height, width), torch.zeros(1, len(GEOMETRY), height // 2, width // 2))
    meta = {"format": FORMAT, "classes": json.dumps(CLASSES), "groups": json.dumps(GROUPS), "size": json.dumps(size),
            "joints": json.dumps([j.value for j in JOINTS]), "geometry": json.dumps(GEOMETRY), **(facts or {})}
    return _write(Deployed(_plain(net)), example, INPUTS, OUTPUTS, {}, meta, path)


def export_rgbd(net: RgbdNet, size: tuple[int, int], path: Path, facts: dict[str, str] | None = None) -> int:
    """Writes the one-network detector, which looks at ``size`` = (width, height) first and may be given any multiples of 32; returns its bytes."""
    width, height = size
    example = (torch.zeros(1, 3, height, width), torch.zeros(1, len(GEOMETRY), height // 2, width // 2))
    meta = {"format": rgbd.FORMAT, "classes": json.dumps(CLASSES[1:]), "size": json.dumps(size), "joints": json.dumps([j.value for j in JOINTS]),
            "geometry": json.dumps(GEOMETRY), "any_size": json.dumps(True), **(facts or {})}
    dynamic = {"rgb": {2: "h", 3: "w"}, "geometry": {2: "h2", 3: "w2"}, "boxes": {1: "a"}, "names": {2: "a"}, "masks": {2: "a"},
               "prototypes": {2: "h4", 3: "w4"}, "joints": {2: "h4", 3: "w4"}}
    return _write(RgbdDeployed(_plain(net)), example, rgbd.INPUTS, rgbd.OUTPUTS, dynamic, meta, path)


def export_names(net: CropNet | PairNet, path: Path, facts: dict[str, str] | None = None) -> int:
    """Writes the naming network for any number of crops."""
    side = FINE if isinstance(net, PairNet) else SIDE
    example = (torch.zeros(2, CHANNELS, side, side), torch.zeros(2, len(FACTS)))
    meta = {"format": NAMES_FORMAT, "classes": json.dumps(CLASSES), "facts": json.dumps(FACTS), "crop": json.dumps([CHANNELS, side]),
            **(facts or {})}
    return _write(NamesDeployed(_plain(net)), example, NAMES_INPUTS, NAMES_OUTPUTS, {n: {0: "n"} for n in (*NAMES_INPUTS, *NAMES_OUTPUTS)}, meta, path)


def export_facing(net: nn.Module, path: Path) -> int:
    """Writes the net for head and body direction (:mod:`perception.orientation`) for any number of people."""
    example = torch.zeros(1, 2, 5, orientation.SIDE, orientation.SIDE)
    return _write(_plain(net), (example,), ("patches",), ("answers",), {n: {0: "n"} for n in ("patches", "answers")}, {}, path)


def _plain(net: nn.Module) -> nn.Module:
    return copy.deepcopy(net).cpu().float().eval()


def _write(net: nn.Module, example: tuple[torch.Tensor, ...], given: Sequence[str], wanted: Sequence[str], dynamic: dict, meta: dict[str, str],
           path: Path) -> int:
    import onnx

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".onnx")
    os.close(handle)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(net.eval(), example, temporary, input_names=list(given), output_names=list(wanted), dynamic_axes=dynamic,
                              opset_version=OPSET, dynamo=False)
        model = onnx.load(temporary)
        _halve(model)
        onnx.helper.set_model_props(model, meta)
        onnx.checker.check_model(model)
        onnx.save(model, temporary)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return path.stat().st_size


def _halve(model) -> None:
    """Large float32 arrays become float16 with a Cast before their use."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT:
            continue
        values = numpy_helper.to_array(tensor)
        if values.size < _LEAST or np.abs(values).max() > 6e4:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
