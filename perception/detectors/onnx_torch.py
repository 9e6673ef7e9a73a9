"""Runs the detectors' ONNX files by PyTorch: the way to a GPU with what ``requirements.txt`` installs, since PyPI's ONNX Runtime has no CUDA provider.

Not onnx2torch: as published (1.5.15, of 2024) it reads no weights through a Cast, which is how these files keep them in half precision, and on a GPU it works shapes out
there and reads them back for every Slice and Reshape. What operators there may be is said in :mod:`onnx_operators`; others are refused when the file is read.

Invariants: a value lies on the device if and only if it follows from what the inputs hold; what follows from their sizes alone is worked out in main memory, once per
size, so that nothing is waited for between the upload of the inputs and the download of the outputs. PyTorch's settings in the process stay as they were. Arithmetic is
float32, on CUDA too: convolutions whose factors are rounded to TF32 (10 bits of mantissa) moved some sides of boxes by up to half a pixel (H200).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor

from perception.detectors import DetectorError
from perception.detectors.onnx_operators import OPERATORS, OPSETS, SHAPED, attributes, tensor

_SIZES = 32  # so many sizes of pictures, or numbers of cuts, are remembered
_AT_ONCE = 16  # on a GPU numbers of cuts are rounded up to multiples of this: each number met for the first time costs it seconds
_FAILURES = (IndexError, KeyError, RuntimeError, TypeError, ValueError)  # of operators given what they cannot use


@dataclass
class _Step:
    """One node: names of its inputs ("" where left out), of its output, and of the values that no later one needs."""

    operator: str
    attributes: dict
    inputs: list[str]
    output: str
    done: Sequence[str] = ()

    def run(self, values: dict[str, Tensor]) -> None:
        values[self.output] = OPERATORS[self.operator]([values[n] if n else None for n in self.inputs], self.attributes)
        for name in self.done:
            del values[name]


class Network:
    """A callable (arrays, float32, in the order of ``given``) → the outputs ``wanted``, arrays. ``path`` is for messages; ``device``: cpu or cuda; ``threads`` of the CPU.
    Raises DetectorError that names the file and the operator that cannot be run."""

    def __init__(self, model: onnx.ModelProto, path: Path, device: str, threads: int, given: Sequence[str], wanted: Sequence[str]):
        self._path, self._device, self._threads, self._given, self._wanted = path, device, threads, tuple(given), tuple(wanted)
        opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
        if opset not in OPSETS:
            raise DetectorError(f"weights '{path}': ONNX operator set {opset}, the runtime 'torch' knows {OPSETS[0]} to {OPSETS[-1]}")
        self._known: dict[tuple, dict[str, Tensor]] = {}  # size of the inputs → what follows from it
        constants = {i.name: tensor(i) for i in model.graph.initializer}
        held = set(given)  # names of values on the device
        self._steps, self._host, self._sent = [], set(), set()  # outputs worked out in main memory; those of them that are data on the device, too
        for node in _needed(model.graph, wanted):
            try:
                step = _Step(node.op_type, attributes(node, opset), list(node.input), node.output[0])
                if all(n in constants for n in step.inputs if n):
                    step.run(constants)
                    continue
            except _FAILURES as error:
                raise self._refusal(node.op_type, error) from error
            if step.operator == "Shape" or not held.intersection(step.inputs):
                self._host.add(step.output)
            else:
                held.add(step.output)
                for k, name in enumerate(step.inputs):
                    if name and name not in held and (k == 0 or step.operator not in SHAPED):
                        step.inputs[k] = _sent(name)
                        self._sent.add(name)
            self._steps.append(step)
        constants |= {_sent(n): self._put(constants[n]) for n in self._sent & constants.keys()}
        self._later = [s for s in self._steps if s.output not in self._host]
        self._constants = {n: constants[n] for n in {*wanted, *(n for s in self._steps for n in s.inputs)} & constants.keys()}
        kept = {*wanted, *self._constants, *self._host, *map(_sent, self._sent)}
        for step in reversed(self._steps):
            step.done = [n for n in {*step.inputs} - kept if n]
            kept.update(step.done)

    def __call__(self, *arrays: np.ndarray) -> list[np.ndarray]:
        count = len(arrays[0])
        if self._device == "cpu" or count == 1:
            return self._run(*arrays)
        several = -(-count // _AT_ONCE) * _AT_ONCE
        return [out[:count] for out in self._run(*(a[np.arange(several) % count] for a in arrays))]

    @torch.inference_mode()
    def _run(self, *arrays: np.ndarray) -> list[np.ndarray]:
        size = tuple(a.shape for a in arrays)
        known = self._known.get(size)
        with _settings(self._device, self._threads):
            values = self._constants | (known or {}) | {n: self._put(torch.tensor(a, dtype=torch.float32)) for n, a in zip(self._given, arrays)}
            for step in self._steps if known is None else self._later:
                try:
                    step.run(values)
                except _FAILURES as error:
                    raise self._refusal(step.operator, error) from error
                if step.output in self._sent:
                    values[_sent(step.output)] = self._put(values[step.output])
            if known is None:
                while len(self._known) >= _SIZES:
                    del self._known[next(iter(self._known))]
                self._known[size] = {n: values[n] for n in {n for s in self._later for n in s.inputs} & {*self._host, *map(_sent, self._sent & self._host)}}
            return [values[n].contiguous().cpu().numpy() for n in self._wanted]

    def _put(self, value: Tensor) -> Tensor:
        return value.to(self._device, memory_format=torch.channels_last if value.ndim == 4 else torch.preserve_format)

    def _refusal(self, operator: str, error: Exception) -> DetectorError:
        return DetectorError(f"weights '{self._path}': the runtime 'torch' cannot run the operator {operator}: {(str(error).splitlines() or [''])[0][:400]}")


def _sent(name: str) -> str:
    """What the copy on the device of a value in main memory is called."""
    return f"{name} on the device"


def _needed(graph: onnx.GraphProto, wanted: Sequence[str]) -> list[onnx.NodeProto]:
    """In order, the nodes that these outputs follow from."""
    names, out = set(wanted), []
    for node in reversed(graph.node):
        if names.intersection(node.output):
            names.update(node.input)
            out.append(node)
    return out[::-1]


@contextlib.contextmanager
def _settings(device: str, threads: int) -> Iterator[None]:
    """On CUDA no search for the fastest convolution, which would begin anew with each size, and no factors rounded to TF32."""
    before = torch.get_num_threads()
    try:
        if device == "cpu":
            torch.set_num_threads(threads)
        with torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=False, allow_tf32=False):
            yield
    finally:
        torch.set_num_threads(before)
