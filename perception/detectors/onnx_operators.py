"""What each ONNX operator in the detectors' files does, by PyTorch, on whichever device its data lie.

Known is what `heed train detector` writes, ``OPERATORS``, and of their attributes the values that it writes; any other is a ValueError, never another result. What an
operator reads as numbers (a shape, axes, limits) it expects in main memory, so that no GPU is waited for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper
from torch import Tensor

OPSETS = range(13, 18)  # operator sets in which they mean what they do here
_USUAL = {"dilations": [1, 1], "pads": [0, 0, 0, 0], "strides": [1, 1]}
_ONLY = {"auto_pad": ("NOTSET",), "ceil_mode": (0,), "coordinate_transformation_mode": ("asymmetric",), "fmod": (0,), "mode": ("nearest", "CRD", "constant"),
         "nearest_mode": ("floor",), "storage_order": (0,), "training_mode": (0,)}  # attributes of which other values are not known here


def _padding(p: dict) -> list[int]:
    """Padding of a window (above and below, left and right)."""
    if p["pads"][:2] != p["pads"][2:]:
        raise ValueError(f"pads {p['pads']} differ between opposite sides")
    return p["pads"][:2]


def _window(p: dict) -> dict:
    return {"stride": p["strides"], "padding": _padding(p), "dilation": p["dilations"]}


def _over(x: list[Tensor], p: dict) -> tuple[list[int], bool]:
    return (x[1].tolist() if len(x) > 1 else p["axes"]), bool(p["keepdims"])


def _slice(x: list[Tensor], p: dict) -> Tensor:
    out, (starts, ends) = x[0], (v.tolist() for v in x[1:3])
    axes, steps = x[3].tolist() if len(x) > 3 else range(len(starts)), x[4].tolist() if len(x) > 4 else [1] * len(starts)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        first, last, _ = slice(start, end, step).indices(out.shape[axis])
        if step < -1:
            raise ValueError(f"step {step}")
        part = slice(first, last, step) if step > 0 else slice(last + 1, first + 1)
        out = out[(slice(None),) * (axis % out.ndim) + (part,)]
        out = out if step > 0 else out.flip(axis)
    return out


def _pad(x: list[Tensor], p: dict) -> Tensor:
    sides = np.array(x[1].tolist()).reshape(2, -1).T[::-1]  # PyTorch names the last axis first
    return F.pad(x[0], sides.ravel().tolist(), value=float(x[2]) if len(x) > 2 else 0.0)


def _unsqueeze(x: list[Tensor], p: dict) -> Tensor:
    axes = sorted(a % (x[0].ndim + len(x[1])) for a in x[1].tolist())
    return x[0].reshape([1 if k in axes else x[0].shape[k - sum(a < k for a in axes)] for k in range(x[0].ndim + len(axes))])


def tensor(proto: onnx.TensorProto) -> Tensor:
    return torch.from_numpy(numpy_helper.to_array(proto).copy())


# name → (inputs, None for one left out; attributes, those of the standard filled in) → output. Pictures and windows have two dimensions.
OPERATORS: dict[str, Callable[[list[Tensor], dict], Tensor]] = {
    "Add": lambda x, p: x[0] + x[1],
    "AveragePool": lambda x, p: F.avg_pool2d(x[0], p["kernel_shape"], p["strides"], _padding(p), count_include_pad=bool(p["count_include_pad"])),
    "BatchNormalization": lambda x, p: F.batch_norm(x[0], x[3], x[4], x[1], x[2], eps=p["epsilon"]),
    "Cast": lambda x, p: x[0].to(getattr(torch, np.dtype(helper.tensor_dtype_to_np_dtype(p["to"])).name)),
    "Clip": lambda x, p: x[0].clamp(*(v if v is None else v.item() for v in x[1:])),
    "Concat": lambda x, p: torch.cat(x, p["axis"]),
    "Constant": lambda x, p: tensor(p["value"]),
    "ConstantOfShape": lambda x, p: tensor(p["value"]).expand(x[0].tolist()),
    "Conv": lambda x, p: F.conv2d(*x, **_window(p), groups=p["group"]),
    "ConvTranspose": lambda x, p: F.conv_transpose2d(*x, **_window(p), groups=p["group"], output_padding=p.get("output_padding", 0)),
    "DepthToSpace": lambda x, p: F.pixel_shuffle(x[0], p["blocksize"]),
    "Div": lambda x, p: torch.div(*x, rounding_mode=None if x[0].is_floating_point() else "trunc"),
    "Expand": lambda x, p: x[0].expand(torch.broadcast_shapes(x[0].shape, x[1].tolist())),
    "Gather": lambda x, p: x[0].select(p["axis"], int(x[1])) if x[1].ndim == 0 else torch.stack([x[0].select(p["axis"], k) for k in x[1].tolist()], p["axis"]),
    "Gemm": lambda x, p: torch.addmm(x[2], x[0].T if p["transA"] else x[0], x[1].T if p["transB"] else x[1], beta=p["beta"], alpha=p["alpha"]),
    "Identity": lambda x, p: x[0],
    "MaxPool": lambda x, p: F.max_pool2d(x[0], p["kernel_shape"], **_window(p)),
    "Mod": lambda x, p: torch.remainder(*x),
    "Mul": lambda x, p: x[0] * x[1],
    "Pad": _pad,
    "Range": lambda x, p: torch.arange(*(v.item() for v in x), dtype=x[0].dtype),
    "ReduceMax": lambda x, p: x[0].amax(*_over(x, p)),
    "ReduceMean": lambda x, p: x[0].mean(*_over(x, p)),
    "ReduceSum": lambda x, p: x[0].sum(*_over(x, p)),
    "Relu": lambda x, p: x[0].relu(),
    "Reshape": lambda x, p: x[0].reshape([x[0].shape[k] if n == 0 and not p["allowzero"] else n for k, n in enumerate(x[1].tolist())]),
    "Resize": lambda x, p: F.interpolate(x[0], scale_factor=x[2].tolist()[2:], mode="nearest"),
    "Shape": lambda x, p: torch.tensor(x[0].shape),
    "Sigmoid": lambda x, p: x[0].sigmoid(),
    "Slice": _slice,
    "Softmax": lambda x, p: x[0].softmax(p["axis"]),
    "Sub": lambda x, p: x[0] - x[1],
    "Transpose": lambda x, p: x[0].permute(*p["perm"]),
    "Unsqueeze": _unsqueeze,
}
SHAPED = frozenset({"Clip", "Expand", "Gather", "Pad", "ReduceSum", "Reshape", "Resize", "Slice", "Unsqueeze"})  # their first input is data, others say how


def attributes(node: onnx.NodeProto, opset: int) -> dict:
    """Of a node, those of the standard filled in. Raises ValueError for what is not known here."""
    if node.op_type not in OPERATORS or node.domain not in ("", "ai.onnx") or len(node.output) != 1:
        raise ValueError(f"known are {', '.join(OPERATORS)}, each with one output")
    usual = {n: helper.get_attribute_value(a.default_value) for n, a in onnx.defs.get_schema(node.op_type, opset).attributes.items() if a.default_value.name}
    said = _USUAL | usual | {a.name: helper.get_attribute_value(a) for a in node.attribute}
    out = {n: v.decode() if isinstance(v, bytes) else v for n, v in said.items()}
    for name, known in _ONLY.items():
        if name in out and out[name] not in known:
            raise ValueError(f"its {name} is {out[name]!r}, known is {' or '.join(map(repr, known))}")
    return out
