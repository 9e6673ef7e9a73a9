"""The trained network as one ONNX file that says what it expects: classes, input size, joints, channels.

Weights are stored in half precision and cast on loading (the runtime folds that), which halves the file and leaves the arithmetic in
single precision.
"""

from __future__ import annotations

import copy
import json
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np
import torch

from perception.detectors.light import FORMAT, OUTPUTS
from perception.detectors.light_features import GEOMETRY
from perception.training.model import Deployed, LightNet
from perception.training.shards import CLASSES, JOINTS

OPSET = 17
_LEAST = 256  # numbers in an array worth halving


def export(net: LightNet, size: tuple[int, int], path: Path, facts: dict[str, str] | None = None) -> int:
    """Writes ``path`` (temporary name, then renamed); returns its bytes. ``facts``: further metadata, text to text."""
    import onnx

    width, height = size
    example = (torch.zeros(1, 3, height, width), torch.zeros(1, len(GEOMETRY), height // 2, width // 2))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".onnx")
    os.close(handle)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(Deployed(copy.deepcopy(net).cpu().float()).eval(), example, temporary, input_names=["rgb", "geometry"],
                              output_names=list(OUTPUTS), opset_version=OPSET, dynamo=False)
        model = onnx.load(temporary)
        _halve(model)
        meta = {"format": FORMAT, "classes": json.dumps(CLASSES), "size": json.dumps(size), "joints": json.dumps([j.value for j in JOINTS]),
                "geometry": json.dumps(GEOMETRY), **(facts or {})}
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
